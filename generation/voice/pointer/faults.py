"""What in a reply goes against its source, as far as that can be told without understanding it.

Values of one entity said of another (:mod:`~frontdesk.generation.voice.pointer.rows`), the opposite
of a fact (:mod:`~frontdesk.generation.voice.pointer.denials`), the end of something said as its
begin, and a number that counts something else.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from frontdesk.generation.voice.pointer.denials import Denials
from frontdesk.generation.voice.pointer.rows import Rows
from frontdesk.generation.voice.pointer.source import Slot, Source
from frontdesk.generation.voice.pointer.target import Say, Symbol
from frontdesk.generation.voice.pointer.values import ValueKind

#: Before the end of a stretch of time.
_TO = re.compile(r"\b(?:to|until|till|ends? at)\W*$", re.IGNORECASE)
#: A time that a fact has but does not say stands for the whole fact.
_LONGEST_TIME = 12
#: Words before the end of a stretch of time, and what may stand after them.
_BEFORE_ENDS = frozenset({"to", "until", "till", "-", "ends", "end", "by", "over", "finishes"})
_BETWEEN_ENDS = frozenset({"at", "about"})
_NUMBERS = {word: str(number) for number, word in enumerate(
    ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), start=1)}
#: What numbers count, by the beginning of the word; people may be of either kind.
_COUNTED = {"member": {"members"}, "attendee": {"attendees"}, "participant": {"attendees"},
            "guest": {"attendees"}, "people": {"members", "attendees"}, "event": {"events"},
            "meeting": {"events"}, "room": {"rooms"}, "hour": {"hours"}, "minute": {"minutes"}}
_COUNT = re.compile(rf"\b(\d{{1,3}}|{'|'.join(_NUMBERS)})\s+({'|'.join(_COUNTED)})s?\b",
                    re.IGNORECASE)


class Faults:
    """What a reply can get wrong of a source.

    Args:
        source: What is answered from.
    """

    def __init__(self, source: Source) -> None:
        self._rows, self._denials, self._times = Rows(source), Denials(source.facts), _Times(source)
        self._counted: dict[str, set[str]] = defaultdict(set)
        for fact in source.facts:
            for number, kinds in _counts(fact):
                self._counted[number] |= kinds

    def count(self, symbols: Sequence[Symbol], text: str) -> int:
        """How many faults a reply has.

        Args:
            symbols: Of the reply, in order.
            text: Its words.
        """
        said = {symbol.text for symbol in symbols if symbol.say is Say.COPY}
        counted = sum(self._counted[number].isdisjoint(kinds) for number, kinds in _counts(text)
                      if number in self._counted)
        return counted + self._rows.misplaced(said, text) + self._denials.opposed(text) \
            + self._times.ends_as_begins(symbols)


class _Times:
    """When things begin and end."""

    def __init__(self, source: Source) -> None:
        self._said = {slot.value.identity for slot in source.slots
                      if slot.value is not None and slot.sequence == 0}
        self._events: set[str] = set()
        #: By the event that a fact names last before them; by nothing for all of them.
        self._begins: dict[str, set[str]] = defaultdict(set)
        self._ends: dict[str, set[str]] = defaultdict(set)
        event, sequence = "", 0
        for slot in source.slots:
            if slot.sequence != sequence:
                event, sequence = "", slot.sequence
            if slot.value is None or not slot.sequence:
                continue
            if slot.value.kind is ValueKind.EVENT:
                event = slot.value.identity
                self._events.add(event)
            elif slot.value.kind is ValueKind.TIME and slot.end - slot.start <= _LONGEST_TIME:
                times = self._ends if _is_end(slot, source) else self._begins
                times[""].add(slot.value.identity)
                times[event].add(slot.value.identity)

    def ends_as_begins(self, symbols: Sequence[Symbol]) -> int:
        """How many times are said at which something only ends, and not as an end."""
        found, event, before = 0, "", ""
        for symbol in symbols:
            if symbol.say is Say.COPY and symbol.text in self._events:
                event = symbol.text
            if symbol.say is Say.COPY and before not in _BEFORE_ENDS \
                    and symbol.text not in self._said:
                found += any(symbol.text in self._ends[each] - self._begins[each]
                             for each in ("", event))
            if symbol.text.lower() not in _BETWEEN_ENDS:
                before = symbol.text.lower() if symbol.say is Say.WORD else ""
        return found


def _is_end(slot: Slot, source: Source) -> bool:
    return _TO.search(source.facts[slot.sequence - 1][:slot.start]) is not None


def _counts(text: str) -> Iterator[tuple[str, set[str]]]:
    """The numbers of a text that count something, with what they count."""
    for match in _COUNT.finditer(text):
        number = match[1].lower()
        yield _NUMBERS.get(number, number), _COUNTED[match[2].lower()]
