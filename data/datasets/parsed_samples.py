"""Utterances with their forms as written by hand, a line of JSON each: the format ``frontdesk``.

``{"dialogue": "a1", "turn": 1, "utterance": "…", "asked": "", "forms": ["(ask …)"], "also": []}``;
``also`` holds further forms that are as right, all acts of an utterance in one text each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
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
from frontdesk.kg.graph.logical_forms import Argument, Form, Span, read_forms


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
    forms = checked(placed(read_forms(" ".join(row["forms"])), utterance))
    also = tuple(checked(placed(read_forms(text), utterance)) for text in (
        each if isinstance(each, str) else " ".join(each) for each in row.get("also", ())))
    return ParsedTurn(dialogue, number, utterance,
                      Context(forms=earlier, asked=str(row.get("asked", ""))), forms, also=also)


def placed(forms: Sequence[Form], utterance: str) -> tuple[Form, ...]:
    """Forms whose spans say where they stand in an utterance.

    Raises:
        NotConvertedError: A span is not in it.
    """
    after: dict[str, int] = {}

    def place(span: Span) -> Span:
        places = [found.start() for found in re.finditer(
            rf"(?<!\w){re.escape(span.text)}(?!\w)", utterance)]
        if not places:
            raise NotConvertedError(Reason.WORD_NOT_SAID, span.text)
        start = next((each for each in places if each >= after.get(span.text, 0)), places[0])
        after[span.text] = start + 1
        return Span(span.text, start, start + len(span.text))

    def inner(argument: Argument) -> Argument:
        if isinstance(argument, Span):
            return place(argument)
        return Form(argument.head, tuple(map(inner, argument.arguments))) \
            if isinstance(argument, Form) else argument

    return tuple(Form(form.head, tuple(map(inner, form.arguments))) for form in forms)
