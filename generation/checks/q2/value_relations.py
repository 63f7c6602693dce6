"""How two answers stand to each other by their values alone: times, dates, numbers, addresses.

Inference by a model takes 1234 for 1235 and knows no clock.
"""

from __future__ import annotations

import re

from frontdesk.generation.checks.q2.components import Relation
from frontdesk.generation.voice.pointer.values import Value, ValueKind, find_values

_ENDS = re.compile(r"\b(?:end|ends|finish|finishes|over|until when|ending|end time|"
                   r"until what time|done|conclude)\b", re.IGNORECASE)


def value_relation(question: str, said: str, known: str) -> Relation | None:
    """How the answer of a reply stands to that of the knowledge; None where values do not tell.

    A time that is said of a range is its start; its end where the question asks when something
    ends, or has the start already.

    Args:
        question: What both answer.
        said: The answer of the reply, times in figures.

    Example:
        >>> value_relation("The sync is at what time?", "14:30", "14:30 to 15:00")
        <Relation.ENTAILMENT: 'entailment'>
        >>> value_relation("The sync ends at what time?", "14:30", "14:30 to 15:00")
        <Relation.CONTRADICTION: 'contradiction'>
    """
    ours, theirs = _values(said), _values(known)
    if [each.kind for each in ours] == [ValueKind.TIME] and _are_range(theirs):
        start, end = (each.identity for each in theirs)
        asks_end = _ENDS.search(question) or start in {each.identity for each in _values(question)}
        meant = end if asks_end else start
        return Relation.ENTAILMENT if ours[0].identity == meant else Relation.CONTRADICTION
    if len(ours) == len(theirs) == 1 and ours[0].kind is theirs[0].kind \
            and ours[0].identity != theirs[0].identity:
        return Relation.CONTRADICTION
    return None


def _are_range(values: list[Value]) -> bool:
    return [each.kind for each in values] == [ValueKind.TIME] * 2


def _values(text: str) -> list[Value]:
    return [value for *_, value in find_values(text)]
