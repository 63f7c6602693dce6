"""Whether a generated reply gives the answer that the facts give.

The graph check says whether what a reply claims is so. Agreement says whether it answers: the
realiser chooses the facts that do, and a reply that has none of their values, or says no where
they say yes, is about something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from frontdesk.generation.generator import GeneratedReply, GenerationInput
from frontdesk.generation.pointer.source import argument_values
from frontdesk.generation.pointer.target import Renderings, Say
from frontdesk.generation.pointer.values import Value
from frontdesk.kg.facts import Fact
from frontdesk.kg.verbalise import FactVerbaliser
from frontdesk.kg.windows import Window

_YES = re.compile(r"\W*(?:yes|yeah|yep|sure|certainly)\b", re.IGNORECASE)
_NO = re.compile(r"\W*(?:no|nope|unfortunately)\b(?! problem)", re.IGNORECASE)
#: Longer lists need not be said in full: the reply may count them or ask which is meant.
_SHORT_LIST = 4


def disagreement(reply: str, answer: GeneratedReply, request: GenerationInput) -> str:
    """Why a reply does not give the answer; empty when it does.

    Args:
        reply: A generator's.
        answer: The realiser's to the same request.
        request: What both answer.
    """
    if answer.clarification is not None:
        return "the user must be asked back"
    if not answer.used or request.verbaliser is None:
        return ""
    if (_YES.match(answer.text) and _NO.match(reply)) or (
            _NO.match(answer.text) and _YES.match(reply)):
        return "it says the opposite"
    wanted = list(_wanted(answer.used[0].fact, request.verbaliser))
    said = _said(request.history[-1][1], wanted)
    new = [group for group in wanted if not {value.identity for value in group} & said]
    given = _said(reply, new)
    missing = [group[0].text for group in new
               if not {value.identity for value in group} & given]
    return f"it does not say {missing[0]!r}" if missing else ""


def _wanted(fact: Fact, verbaliser: FactVerbaliser) -> Iterator[list[Value]]:
    """The values that a reply must say, of each group one at least."""
    for position, argument in enumerate(fact.arguments):
        if isinstance(argument, Window):
            when = list(argument_values(argument, verbaliser))[:2]
            if when:
                yield when[::-1]
        elif isinstance(argument, tuple):
            if len(argument) <= _SHORT_LIST:
                for item in argument:
                    values = list(argument_values(item, verbaliser))[:2]
                    if values:
                        yield values[::-1]
        elif position:
            values = list(argument_values(argument, verbaliser))
            if values:
                yield values[:1]


def _said(text: str, groups: list[list[Value]]) -> set[str]:
    values = [value for group in groups for value in group]
    return {symbol.text for symbol in Renderings(values).read(text) if symbol.say is Say.COPY}
