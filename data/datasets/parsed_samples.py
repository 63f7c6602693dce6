"""Utterances with their forms as written by hand, a line of JSON each: the format ``frontdesk``.

``{"dialogue": "a1", "turn": 1, "utterance": "…", "asked": "", "forms": ["(ask …)"], "also": []}``;
``also`` holds further forms that are as right, all acts of an utterance in one text each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from frontdesk.data.datasets.defects import Defect
from frontdesk.data.datasets.parsed_turns import (
    Context,
    NotConvertedError,
    ParsedTurn,
    Reason,
    checked,
    load_lines,
)
from frontdesk.kg.graph.logical_forms import Form, read_forms
from frontdesk.kg.graph.span_alignment import placed


def load_parsed_samples(path: str | Path) -> tuple[list[ParsedTurn], list[Defect]]:
    """The utterances of a file, and what is wrong with others.

    Args:
        path: JSON lines, plain or compressed with gzip.

    Raises:
        FormatError: There is no such file, or it has no utterance.
    """
    before: dict[str, tuple[Form, ...]] = {}

    def read(row: Mapping[str, Any], _: int) -> Iterator[ParsedTurn]:
        turn = _turn(row, before)
        before[turn.dialogue] = turn.forms
        yield turn

    return load_lines(path, read, what="utterance with forms",
                      remedy='Write {"utterance": …, "forms": ["(…)"]} a line')


def _turn(row: Mapping[str, Any], before: Mapping[str, tuple[Form, ...]]) -> ParsedTurn:
    utterance, dialogue = str(row["utterance"]), str(row.get("dialogue", ""))
    number = int(row.get("turn", 1))
    earlier = before.get(dialogue, ()) if number > 1 else ()
    forms = _placed(" ".join(row["forms"]), utterance)
    also = tuple(_placed(text, utterance) for text in (
        each if isinstance(each, str) else " ".join(each) for each in row.get("also", ())))
    return ParsedTurn(dialogue, number, utterance,
                      Context(forms=earlier, asked=str(row.get("asked", ""))), forms, also=also)


def _placed(text: str, utterance: str) -> tuple[Form, ...]:
    """Forms whose spans say where they stand in an utterance.

    Raises:
        NotConvertedError: A span is not in it.
    """
    forms = placed(read_forms(text), utterance)
    missing = next((span.text for form in forms for span in form.spans() if span.start < 0), None)
    if missing is not None:
        raise NotConvertedError(Reason.WORD_NOT_SAID, missing)
    return checked(forms)
