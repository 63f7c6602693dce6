"""The file of learned weights that ``linking.pl`` can load, with where they are from."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence

_WIDTH = 98


def weights_text(weights: Mapping[str, float], provenance: Sequence[str]) -> str:
    """A program of ``weight(Rule, Probability)`` facts.

    Args:
        weights: By name of the rule, in [0, 1], in the order to write them.
        provenance: Paragraphs of the comment at its head; any text.

    Example:
        >>> print(weights_text({"same_sound": 0.5125}, ["Learned from 12 pairs."]), end="")
        % Learned from 12 pairs.
        <BLANKLINE>
        weight(same_sound, 0.5125).
    """
    lines = [f"% {line}" for paragraph in provenance
             for line in textwrap.wrap(" ".join(paragraph.split()), _WIDTH,
                                       break_on_hyphens=False) or [""]]
    return "\n".join([*lines, "", *(f"weight({name}, {value:.6g})."
                                    for name, value in weights.items())]) + "\n"
