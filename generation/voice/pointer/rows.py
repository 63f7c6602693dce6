"""Which values of facts belong to which entities: an address to a place, a number to a person.

The facts about one entity are a row, as in a table. A reply that names an entity and gives a value
that stands in other rows only has mixed them up.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection

from frontdesk.generation.voice.pointer.source import FIRST_ARGUMENT, Feature, Source

#: Days that are words of the vocabulary and no values.
_DAY = re.compile(r"\b(?:today|tomorrow|yesterday)\b", re.IGNORECASE)


class Rows:
    """The rows of a source.

    Args:
        source: What is answered from.
    """

    def __init__(self, source: Source) -> None:
        self._of_value: dict[str, set[int]] = defaultdict(set)
        self._subjects: set[str] = set()
        self._said: set[str] = set()
        self._said_days = _days(" ".join(source.turns))
        self._days: dict[int, set[str]] = defaultdict(set)
        for slot in source.slots:
            row = slot.features[Feature.ROW]
            if slot.value is None:
                self._days[row] |= _days(source.facts[slot.sequence - 1])
            elif slot.sequence == 0:
                self._said.add(slot.value.identity)
            if slot.value is not None and slot.sequence and row:
                self._of_value[slot.value.identity].add(row)
                if slot.features[Feature.ARGUMENT] == FIRST_ARGUMENT:
                    self._subjects.add(slot.value.identity)

    def misplaced(self, values: Collection[str], text: str = "") -> int:
        """How many values stand in no row that has an entity named beside them.

        What was said before may be repeated beside anything. Where the rows say "today", "tomorrow"
        is misplaced.

        Args:
            values: Identities of the values that a reply says.
            text: Its words.
        """
        named = [self._of_value[value] for value in values if value in self._subjects]
        if not named:
            return 0
        there = set().union(*named)
        days = set().union(*(self._days[row] for row in there))
        return sum(value in self._of_value and value not in self._subjects
                   and value not in self._said and self._of_value[value].isdisjoint(there)
                   for value in values) \
            + (len(_days(text) - days - self._said_days) if days else 0)


def _days(text: str) -> set[str]:
    return {found[0].lower() for found in _DAY.finditer(text)}
