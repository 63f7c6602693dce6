"""Whether a generated reply gives the answer that the facts give.

The graph check says whether what a reply claims is so. Agreement says whether it answers: the
realiser chooses the facts that do, and a reply that has none of their values, or says no where
they say yes, is about something else.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from frontdesk.generation.claims import NEGATION
from frontdesk.generation.generator import GeneratedReply, GenerationInput
from frontdesk.generation.pointer.source import argument_values
from frontdesk.generation.pointer.target import Renderings, Say
from frontdesk.generation.pointer.values import Value
from frontdesk.kg.facts import Fact
from frontdesk.kg.verbalise import FactVerbaliser
from frontdesk.kg.windows import Window

_YES = re.compile(r"\W*(?:yes|yeah|yep|sure|certainly)\b", re.IGNORECASE)
_NO = re.compile(r"\W*(?:no|nope|unfortunately)\b(?! problem)", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<=[.?!;])\s+")
#: Longer lists need not be said in full: the reply may count them or ask which is meant.
_SHORT_LIST = 4
#: Facts of an answer that a reply must give; the others are further examples.
_MOST_FACTS = 3


def disagreement(reply: str, answer: GeneratedReply, request: GenerationInput) -> str:
    """Why a reply does not give the answer; empty when it does.

    Args:
        reply: A generator's.
        answer: The realiser's to the same request.
        request: What both answer.
    """
    if answer.clarification is not None:
        return "the user must be asked back"
    if answer.social or request.verbaliser is None:
        return ""
    if not answer.used:
        return "the facts have no answer"
    if (_YES.match(answer.text) and _NO.match(reply)) or (
            _NO.match(answer.text) and _YES.match(reply)):
        return "it says the opposite"
    wanted = [group for ranked in answer.used[:_MOST_FACTS]
              for group in _wanted(ranked.fact, request.verbaliser, request.observation.windows())]
    said = _said(request.history[-1][1], wanted)
    new = [group for group in wanted if not {value.identity for value in group} & said]
    given = _said(reply, new)
    missing = [group[0].text for group in new
               if not {value.identity for value in group} & given]
    if missing:
        return f"it does not say {missing[0]!r}"
    ours, theirs = _polarities(answer.text, wanted), _polarities(reply, wanted)
    return "it denies what is so, or says what is not" if any(
        theirs[value] - ours[value] for value in theirs.keys() & ours.keys()) else ""


def _polarities(text: str, groups: list[list[Value]]) -> dict[str, set[bool]]:
    """Whether the sentences of a text that say a value deny something."""
    found: dict[str, set[bool]] = {}
    for sentence in _SENTENCE_END.split(text):
        for value in _said(sentence, groups):
            found.setdefault(value, set()).add(bool(NEGATION.search(sentence)))
    return found


def _wanted(fact: Fact, verbaliser: FactVerbaliser,
            asked: Collection[Window]) -> Iterator[list[Value]]:
    """The values that a reply must say, of each group one at least."""
    for position, argument in enumerate(fact.arguments):
        items: tuple[object, ...] = (argument,)
        if isinstance(argument, tuple):
            items = argument if len(argument) <= _SHORT_LIST else ()
        elif argument in asked or (position == 0 and not isinstance(argument, Window)):
            items = ()  # when the user asked for, in whatever words, and what the fact is about
        for item in items:
            # The day and the start of a window; the start is the better name of it.
            values = list(argument_values(item, verbaliser))[:2]
            if values:
                yield values[::-1]


def _said(text: str, groups: list[list[Value]]) -> set[str]:
    values = [value for group in groups for value in group]
    return {symbol.text for symbol in Renderings(values).read(text) if symbol.say is Say.COPY}
