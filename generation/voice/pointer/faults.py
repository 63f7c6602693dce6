"""What in a reply goes against its source, as far as that can be told without understanding it.

Values of one entity said of another (:class:`Rows`), the opposite of a fact (:class:`Denials`),
the end of something said as its begin, and a number that counts something else.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

from frontdesk.generation.voice.negation import NEGATION
from frontdesk.generation.voice.pointer.source import FIRST_ARGUMENT, Feature, Slot, Source
from frontdesk.generation.voice.pointer.target import Say, Symbol
from frontdesk.generation.voice.pointer.values import ValueKind

#: Days that are words of the vocabulary and no values.
_DAY = re.compile(r"\b(?:today|tomorrow|yesterday)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.?!;])\s+|\bbut\b", re.IGNORECASE)
#: What a fact says beyond its main clause: a reason, further values.
_BEYOND = re.compile(r"[,;]|:(?=\s)|\bbecause\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:[:.'’-][^\W_]+)*")
#: Words that say nothing of their own; those that deny are read apart.
_EMPTY = frozenset({
    "a", "an", "the", "it", "there", "is", "are", "am", "be", "was", "were", "will", "would", "do",
    "does", "did", "has", "have", "in", "on", "at", "of", "for", "to", "and", "or", "any", "yes",
    "isn't", "aren't", "won't", "wasn't", "don't", "doesn't", "didn't", "haven't", "hasn't"})
#: A sentence with fewer words says too little to be told from others.
_LEAST_WORDS = 3
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


class Denials:
    """What the facts of a source affirm and deny.

    Args:
        facts: Their sentences.
    """

    def __init__(self, facts: Sequence[str]) -> None:
        said = (_read(_BEYOND.split(fact, maxsplit=1)[0]) for fact in facts)
        self._facts = [(words, denies) for words, denies in said if len(words) >= _LEAST_WORDS]

    def opposed(self, reply: str) -> int:
        """How many sentences of a reply say all that a fact says, but for the denial."""
        return sum(self._is_opposed(*_read(sentence)) for sentence in _sentences(reply))

    def _is_opposed(self, words: frozenset[str], denies: bool) -> bool:
        found = {denied for fact, denied in self._facts if fact <= words}
        return bool(found) and denies not in found


def _sentences(text: str) -> Iterator[str]:
    return (each for each in _SENTENCE.split(text) if not each.rstrip().endswith("?"))


def _read(text: str) -> tuple[frozenset[str], bool]:
    """What a sentence says, and whether it denies it."""
    words = {word.lower().replace("’", "'") for word in _WORD.findall(text)}
    denies = NEGATION.search(text) is not None
    return frozenset(word for word in words - _EMPTY if not NEGATION.fullmatch(word)), denies


class Rows:
    """Which values of a source's facts belong to which entities: an address to a place.

    The facts about one entity are a row, as in a table. A reply that names an entity and gives a
    value that stands in other rows only has mixed them up.

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
