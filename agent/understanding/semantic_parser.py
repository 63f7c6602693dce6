"""What an utterance says, and the interface of what reads it: a parser can be put in its place."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from frontdesk.agent.domains.domain_pack import Components
from frontdesk.kg.graph.dialogue_graph import DialogueGraph, Hypothesis
from frontdesk.kg.graph.mentions import Observation
from frontdesk.rules.linking.n_best import ReadHypotheses


@dataclass(frozen=True)
class Parse:
    """What an utterance says, in words that need no earlier turn.

    Args:
        hypotheses: What was read from all that may have been said; None where only one counts.
        chosen: Ids of the entities that the user, asked which was meant, chose, by the positions
            of their mentions in ``observation``.
        focus: Days that the user spoke of before, the latest first.
        in_full: The question that it makes with what was said before; empty where it is one.
        notes: What was left out or taken in another way, in words.
    """

    observation: Observation
    hypotheses: ReadHypotheses | None = None
    chosen: Mapping[int, str] = field(default_factory=dict)
    focus: tuple[dt.date, ...] = ()
    in_full: str = ""
    notes: tuple[str, ...] = ()


class SemanticParser(Protocol):
    """Reads utterances; :class:`frontdesk.agent.understanding.pattern_parser.PatternParser` does.
    """

    def parse(self, hypotheses: Sequence[Hypothesis], dialogue: DialogueGraph,
              domain: Components, *, now: dt.datetime) -> Parse:
        """What an utterance says.

        Args:
            hypotheses: What may have been said, the likeliest first, at least one.
            dialogue: Before the utterance. Not changed.
            domain: What whoever speaks may know of.
            now: Zone-aware present.
        """
        ...
