"""What the pointer-generator reads: history and facts as slots with their features.

A slot is a unit of the history, a value of a fact, or a fact as a whole. All but the last can be
copied into the reply.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol

from frontdesk.generation.voice.pointer.units import Names, split_units
from frontdesk.generation.voice.pointer.values import (
    Value,
    ValueKind,
    date_value,
    find_values,
    number_value,
    time_value,
)
from frontdesk.kg.graph.dialogue_graph import AGENT
from frontdesk.kg.graph.facts import Argument
from frontdesk.kg.graph.windows import Window, WindowKind

#: Units of the history that are read, the last ones.
MOST_HISTORY = 128
#: Facts that are read, and slots of one fact.
MOST_FACTS, MOST_SLOTS_OF_FACT = 64, 24
_LONGEST_TURN = 2000

_NAME_KINDS = {"person": ValueKind.PERSON, "group": ValueKind.GROUP, "room": ValueKind.ROOM,
               "event": ValueKind.EVENT}


class Feature(IntEnum):
    """Columns of the features of slots; what each counts is said at :data:`SIZES`."""

    KIND = 0        # position in ValueKind, after the last for a whole fact
    ORIGIN = 1      # the user, the agent, a fact
    TURN = 2        # turns before the one to answer, up to 7; of facts 0
    PREDICATE = 3   # 0 none, 1 unknown, then the configuration's
    ARGUMENT = 4    # 0 none, 1 beyond the arguments, then its position
    RANK = 5        # 0 none, then the rank of the fact
    RELEVANCE = 6   # 0 none, then tenths
    FACT = 7        # bits: derived, linked, uncertain
    SAID = 8        # bits: in the turn to answer, in the reply before it, earlier
    VALUE = 9       # a number for each value of the source, in any order
    ROW = 10        # a number for each entity that facts are about, in any order; 0 none
    POSITION = 11   # of units of the history, from the end; of facts 0


#: How many values each feature has; ``PREDICATE`` has as many more as the model knows predicates.
SIZES = {Feature.KIND: len(ValueKind) + 1, Feature.ORIGIN: 3, Feature.TURN: 8,
         Feature.PREDICATE: 2, Feature.ARGUMENT: 10, Feature.RANK: MOST_FACTS + 1,
         Feature.RELEVANCE: 11, Feature.FACT: 8, Feature.SAID: 8, Feature.VALUE: 128,
         Feature.ROW: 65, Feature.POSITION: MOST_HISTORY}
_USER, _AGENT, _FACT = range(3)
#: ``ARGUMENT`` of the first, the entity that a fact is about.
FIRST_ARGUMENT = 2


class FactNames(Protocol):
    """What the entities of facts are called."""

    def plain_name(self, entity_id: str) -> tuple[str, str] | None:
        """Name and type of an entity; None when there is no such entity."""
        ...


@dataclass(frozen=True)
class SourceFact:
    """A fact as the generator reads it.

    Args:
        text: Its verbalisation.
        predicate: Its name.
        arguments: Ids of entities, texts, times and numbers.
        relevance: In [0, 1].
        derived: A rule derived it.
        linked: It is about an entity that the turn refers to.
        certain: Its certainty is 1.
    """

    text: str
    predicate: str = ""
    arguments: tuple[Argument, ...] = ()
    relevance: float = 0.0
    derived: bool = False
    linked: bool = False
    certain: bool = True


@dataclass(frozen=True)
class Slot:
    """A unit that is read.

    Args:
        value: What it says; None for a whole fact.
        sequence: 0 for the history, ``n`` for the n-th fact.
        piece: The turn within the history, from 0; 0 for facts.
        start, end: Character offsets in that text; the whole text for what is in no place of it.
        features: By :class:`Feature`; ``VALUE`` and ``ROW`` still count in order of appearance.
    """

    value: Value | None
    sequence: int
    piece: int
    start: int
    end: int
    features: tuple[int, ...]


@dataclass(frozen=True)
class Source:
    """What a reply is made from.

    Args:
        turns: Texts of the history that are read, oldest first.
        facts: Texts of the facts that are read.
        slots: In the order of the history, then of the facts.
        left_out: What was not read of long turns and of the facts, in words; of a long history
            only the end is read, which is not said.
    """

    turns: tuple[str, ...]
    facts: tuple[str, ...]
    slots: tuple[Slot, ...]
    left_out: tuple[str, ...] = ()

    def surfaces(self) -> dict[str, Value]:
        """Each value by its identity, as facts say it where they do, else as it was said last."""
        found: dict[str, Value] = {}
        for slot in reversed(self.slots):
            if slot.value is not None and (slot.sequence == 0):
                found.setdefault(slot.value.identity, slot.value)
        for slot in reversed(self.slots):
            if slot.value is not None and slot.sequence:
                found[slot.value.identity] = slot.value
        return found


def read_source(history: Sequence[tuple[str, str]], facts: Sequence[SourceFact],
                names: FactNames, predicates: Mapping[str, int]) -> Source:
    """The slots of a history and of facts.

    Args:
        history: ``(speaker, text)``, oldest first, at least one turn.
        facts: The most relevant first.
        names: What their entities are called.
        predicates: The known predicates, each with its number from 0.
    """
    return _Reader(history, facts, names, predicates).read()


class _Reader:
    def __init__(self, history: Sequence[tuple[str, str]], facts: Sequence[SourceFact],
                 names: FactNames, predicates: Mapping[str, int]) -> None:
        self.facts = facts[:MOST_FACTS]
        self.left_out = [f"{len(facts) - MOST_FACTS} least relevant facts were left out"] \
            if len(facts) > MOST_FACTS else []
        self.history = history
        self.predicates = predicates
        self.leaves = [list(self._leaves(fact, names)) for fact in self.facts]
        self.names = Names(value for leaves in self.leaves for _, value in leaves)
        self.values: dict[str, int] = {}
        self.rows: dict[str, int] = {}
        self.said: dict[str, int] = {}

    def read(self) -> Source:
        turns, slots = self._read_history()
        for number, fact in enumerate(self.facts, start=1):
            slots += self._read_fact(number, fact)
        return Source(turns, tuple(fact.text for fact in self.facts), tuple(slots),
                      tuple(self.left_out))

    # --- history

    def _read_history(self) -> tuple[tuple[str, ...], list[Slot]]:
        kept: list[tuple[int, str, str]] = []
        read = []
        room = MOST_HISTORY
        for distance, (speaker, text) in enumerate(reversed(self.history)):
            if len(text) > _LONGEST_TURN:
                self.left_out.append("the beginning of a long turn was left out")
                text = text[-_LONGEST_TURN:]
            units = split_units(text, self.names)
            if len(units) > room:
                if kept:
                    break
                self.left_out.append("the beginning of the last turn was left out")
                units = units[-room:]
            room -= len(units)
            kept.append((distance, speaker, text))
            read.append(units)
            bit = 1 << min(distance, 2)
            for unit in units:
                if unit.value.kind is not ValueKind.MARK:
                    self.said[unit.value.identity] = self.said.get(unit.value.identity, 0) | bit
        slots = []
        position = sum(map(len, read))
        for piece, ((distance, speaker, _), units) in enumerate(
                reversed(list(zip(kept, read, strict=True)))):
            for unit in units:
                position -= 1
                slots.append(Slot(unit.value, 0, piece, unit.start, unit.end, self._features(
                    unit.value, origin=_AGENT if speaker == AGENT else _USER,
                    turn=min(distance, SIZES[Feature.TURN] - 1), position=position)))
        return tuple(text for _, _, text in reversed(kept)), slots

    # --- facts

    def _read_fact(self, number: int, fact: SourceFact) -> Iterator[Slot]:
        features = {
            "origin": _FACT, "rank": number,
            "predicate": self.predicates[fact.predicate] + 2
            if fact.predicate in self.predicates else int(bool(fact.predicate)),
            "relevance": 1 + min(9, int(max(0.0, fact.relevance) * 10)),
            "fact": fact.derived + 2 * fact.linked + 4 * (not fact.certain),
            "row": self._row(fact)}
        whole = 0, len(fact.text)
        yield Slot(None, number, 0, *whole, self._features(None, **features))
        leaves = self.leaves[number - 1]
        positions: dict[str, int] = {}
        for position, value in leaves:
            positions.setdefault(value.identity, position)
        found = [unit for unit in split_units(fact.text, self.names)
                 if unit.value.kind not in (ValueKind.WORD, ValueKind.MARK)][:MOST_SLOTS_OF_FACT]
        for unit in found:
            argument = positions.get(unit.value.identity, -1) + FIRST_ARGUMENT
            yield Slot(unit.value, number, 0, unit.start, unit.end, self._features(
                unit.value, argument=argument or 1, **features))
        there = {unit.value.identity for unit in found}
        for position, value in leaves[:MOST_SLOTS_OF_FACT]:
            if value.identity not in there:
                there.add(value.identity)
                yield Slot(value, number, 0, *whole, self._features(
                    value, argument=position + FIRST_ARGUMENT, **features))

    def _leaves(self, fact: SourceFact, names: FactNames) -> Iterator[tuple[int, Value]]:
        """The values of a fact with the position of their argument."""
        most = SIZES[Feature.ARGUMENT] - 3
        for position, argument in enumerate(fact.arguments):
            for item in argument if isinstance(argument, tuple) else (argument,):
                for value in argument_values(item, names):
                    yield min(position, most), value

    def _row(self, fact: SourceFact) -> int:
        subject = next(iter(fact.arguments), None)
        if isinstance(subject, tuple):
            subject = subject[0] if subject else None
        if not isinstance(subject, str):
            return 0
        return self.rows.setdefault(subject, 1 + len(self.rows) % (SIZES[Feature.ROW] - 1))

    def _features(self, value: Value | None, *, origin: int, turn: int = 0, predicate: int = 0,
                  argument: int = 0, rank: int = 0, relevance: int = 0, fact: int = 0,
                  row: int = 0, position: int = 0) -> tuple[int, ...]:
        if value is None:
            return (len(ValueKind), origin, turn, predicate, argument, rank, relevance, fact, 0, 0,
                    row, position)
        number = self.values.setdefault(value.identity, len(self.values) % SIZES[Feature.VALUE])
        return (_KINDS[value.kind], origin, turn, predicate, argument, rank, relevance, fact,
                self.said.get(value.identity, 0), number, row, position)


_KINDS = {kind: number for number, kind in enumerate(ValueKind)}


def argument_values(item: object, names: FactNames) -> Iterator[Value]:
    """The values of an argument of a fact, or of an item of one that is a list.

    Args:
        item: Id of an entity, text, number, date, time or window.
        names: What entities are called.
    """
    if isinstance(item, Window):
        if item.kind is WindowKind.NOW:
            return
        yield date_value(item.date)
        if item.kind is WindowKind.SPAN:
            yield time_value(item.start.time())
            yield time_value(item.end.time())
    elif isinstance(item, dt.datetime):
        yield time_value(item.time())
    elif isinstance(item, dt.date):
        yield date_value(item)
    elif isinstance(item, dt.time):
        yield time_value(item)
    elif isinstance(item, int):
        yield number_value(item)
    elif isinstance(item, str) and item:
        known = names.plain_name(item)
        if known is not None:
            name, kind = known
            if name:
                yield Value(_NAME_KINDS.get(kind, ValueKind.NAME),
                            " ".join(name.split()).casefold(), name)
            return
        found = next(find_values(item), None)
        if found is not None and (found[0], found[1]) == (0, len(item)):
            yield found[2]
        else:
            yield Value(ValueKind.TEXT, " ".join(item.split()).casefold(), item)
