"""Parsing: sentences of the verbaliser read back as facts.

Each template of the schema is cut at its fixed words; the stretches between them are read as
names, lists, dates, times or numbers by the type of the argument. What is read is said again, and
only facts that give back the very sentence are kept: agreement ("is", "are"), homonyms and cut
lists need no rules here.
"""

from __future__ import annotations

import re
import string
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice, product

from frontdesk.kg import phrases
from frontdesk.kg.facts import Argument, Fact
from frontdesk.kg.read_phrases import (
    MOST_READINGS,
    read_count,
    read_date,
    read_floor,
    read_list,
    read_minutes,
    read_on,
    read_phones,
    read_slots,
    read_time,
    read_windows,
)
from frontdesk.kg.schema import ArgumentType, Predicate, Schema
from frontdesk.kg.verbalise import Verbaliser, event_window
from frontdesk.kg.windows import Window

_ONE = {ArgumentType.PERSON: "people", ArgumentType.GROUP: "groups", ArgumentType.ROOM: "rooms",
        ArgumentType.EVENT: "events"}
_MANY = {ArgumentType.PEOPLE: "people", ArgumentType.ROOMS: "rooms",
         ArgumentType.EVENTS: "events"}
#: Forms that hold the argument itself; every other form only agrees with it.
_VALUE_FORMS = frozenset({"", "possessive", "on", "day", "times", "members", "attendees"})
_AGREEMENT = {"count": r"\d+ [a-z]+"}


def parse(sentence: str, verbaliser: Verbaliser) -> list[Fact]:
    """The facts that a verbaliser says as a sentence; see :meth:`SentenceParser.parse`.

    For many sentences make one :class:`SentenceParser`, which keeps the names it has looked up.
    """
    return SentenceParser(verbaliser).parse(sentence)


class SentenceParser:
    """Reads the sentences of one verbaliser.

    Args:
        verbaliser: Whose names, present and speaker the sentences are in.

    Example:
        >>> import datetime as dt
        >>> from zoneinfo import ZoneInfo
        >>> from frontdesk.kg.entities import Group, Person
        >>> from frontdesk.kg.knowledge_base import KnowledgeBase
        >>> kb = KnowledgeBase(name="Acme", timezone=ZoneInfo("UTC"),
        ...                    groups=[Group("g", "Optics")],
        ...                    people=[Person("p", "Ada Berg", group="g")])
        >>> now = dt.datetime(2026, 1, 5, 9, tzinfo=ZoneInfo("UTC"))
        >>> [fact.predicate for fact in
        ...  SentenceParser(Verbaliser(kb, now)).parse("Ada Berg is in the Optics group.")]
        ['member_of', 'members']
    """

    def __init__(self, verbaliser: Verbaliser) -> None:
        self.verbaliser = verbaliser
        self._kb = verbaliser.kb
        self._tables: dict[tuple[str, str, bool], dict[str, list[str]]] = {}

    def parse(self, sentence: str) -> list[Fact]:
        """Every fact whose verbalisation is the sentence, true or not, in schema order.

        Times and windows are read to the minute, in the organisation's zone; where the knowledge
        base or the present has the seconds that a sentence leaves out, that reading is added. No
        list is read as holding an entity twice, and one that was cut ("and 4 more") cannot be
        read. Of readings that differ only in which of several namesakes a list or a pair of
        arguments means, the first :data:`~frontdesk.kg.read_phrases.MOST_READINGS` are looked at.

        Args:
            sentence: One sentence, to the letter.

        Returns:
            Facts of probability 1 without provenance, each once; empty when there is none.
        """
        found: dict[Fact, None] = {}
        for template in _templates(self.verbaliser.schema):
            for arguments in self._arguments(template, sentence):
                fact = Fact(template.predicate.name, arguments)
                if fact not in found and self.verbaliser.say(fact) == sentence:
                    found[fact] = None
        return list(found)

    def _arguments(self, template: _Template, sentence: str) -> Iterator[tuple[Argument, ...]]:
        start = template.fixed[0].match(sentence)
        if start is None:
            return
        types = template.predicate.arguments
        for values in self._fields(template, sentence, 0, start.end(), {}):
            yield from islice(product(*(values[index] for index in range(len(types)))),
                              MOST_READINGS)
            yield from self._known(template.predicate, values)

    def _fields(self, template: _Template, sentence: str, index: int, position: int,
                values: Mapping[int, list[Argument]]) -> Iterator[dict[int, list[Argument]]]:
        """The values of each argument, for every way to cut the sentence from a position on."""
        if index == len(template.fields):
            yield dict(values)
            return
        argument, form = template.fields[index]
        kind = template.predicate.arguments[argument]
        for match in template.fixed[index + 1].finditer(sentence, position + 1):
            text = sentence[position:match.start()]
            read = self._values(kind, form, text, position == 0, values)
            if read:
                yield from self._fields(template, sentence, index + 1, match.end(1),
                                        {**values, argument: read})

    def _values(self, kind: ArgumentType, form: str, text: str, first: bool,
                values: Mapping[int, list[Argument]]) -> list[Argument]:
        """What a stretch of a sentence can stand for; ``first`` if it starts the sentence."""
        if kind in _ONE:
            return list(self._table(_ONE[kind], form, first).get(text, ()))
        if kind in _MANY:
            named = self._table(_MANY[kind], form, False)
            lists = read_list(text, named, self._table(_MANY[kind], form, first))
            return list(islice(_without_repeats(lists, named, first=self._table(
                _MANY[kind], form, first)), MOST_READINGS))
        now, zone = self.verbaliser.now, self._kb.timezone
        if kind is ArgumentType.WINDOW:
            return list(read_windows(text, now, zone))
        if kind is ArgumentType.SLOTS:
            days = dict.fromkeys(window.date for each in values.values() for window in each
                                 if isinstance(window, Window))
            return [slots for day in days for slots in read_slots(text, day, now, zone)]
        if kind is ArgumentType.DATE and form in ("on", "day"):
            # "tomorrow, Friday 18 March": either part says which day it is.
            return _found(read_on(text.split(", ")[0], self.verbaliser.today))
        if kind is ArgumentType.TIME:
            present = now.timetz().replace(tzinfo=None)
            return [*_found(read_time(text)),
                    *([present] if phrases.say_time(present) == text else [])]
        return _READERS[kind](text)

    def _known(self, predicate: Predicate,
               values: Mapping[int, list[Argument]]) -> Iterator[tuple[Argument, ...]]:
        """Candidates from the knowledge base, which has what a sentence leaves out."""
        subjects = [value for value in values[0] if isinstance(value, str)]
        if not predicate.derived:
            for subject in subjects:
                yield from (fact.arguments for fact in self._kb.facts_about(subject)
                            if fact.predicate == predicate.name)
        windows = [index for index, kind in enumerate(predicate.arguments)
                   if kind is ArgumentType.WINDOW]
        events = [index for index, kind in enumerate(predicate.arguments)
                  if kind is ArgumentType.EVENT]
        for index, place in product(windows, events):
            for event in values[place]:
                own = event_window(self._kb.events[str(event)])
                fixed: dict[int, list[Argument]] = {**values, place: [event], index: [own]}
                yield from islice(product(*(fixed[each] for each in sorted(fixed))),
                                  MOST_READINGS)

    def _table(self, entities: str, form: str, first: bool) -> dict[str, list[str]]:
        """Ids of people, groups, rooms or events by how they are said."""
        key = (entities, form, first)
        if key not in self._tables:
            table: defaultdict[str, list[str]] = defaultdict(list)
            for entity_id in getattr(self._kb, entities):
                for text in dict.fromkeys(self._texts(entity_id, form)):
                    table[phrases.capitalise(text) if first else text].append(entity_id)
            self._tables[key] = dict(table)
        return self._tables[key]

    def _texts(self, entity_id: str, form: str) -> Iterable[str]:
        if form == "times":
            day = self._kb.events[entity_id].start.date()
            return (self.verbaliser.name_and_time(entity_id, None),
                    self.verbaliser.name_and_time(entity_id, day))
        if form == "possessive":
            return (self.verbaliser.possessive(entity_id),)
        return (self.verbaliser.name(entity_id),)


@dataclass(frozen=True)
class _Template:
    """A template cut into fields, ``(argument, form)``, and the fixed words around them.

    The first pattern is what a sentence starts with; each of the others finds, by a lookahead
    whose group 1 are the words, all places where its field may end.
    """

    predicate: Predicate
    fields: tuple[tuple[int, str], ...]
    fixed: tuple[re.Pattern[str], ...]


@cache
def _templates(schema: Schema) -> tuple[_Template, ...]:
    return tuple(_template(predicate) for predicate in schema.values())


def _template(predicate: Predicate) -> _Template:
    fields: list[tuple[int, str]] = []
    fixed = [""]
    for literal, field, _, _ in string.Formatter().parse(predicate.template):
        fixed[-1] += re.escape(literal)
        if field is None:
            continue
        argument, _, form = field.partition(".")
        if form in _VALUE_FORMS:
            fields.append((int(argument), form))
            fixed.append("")
        else:
            fixed[-1] += _AGREEMENT.get(form, "[a-z]+")
    fixed[-1] += r"\Z"
    return _Template(predicate, tuple(fields), (
        re.compile(fixed[0]), *(re.compile(f"(?=({words}))") for words in fixed[1:])))


def _without_repeats(lists: Iterable[Sequence[str]], named: Mapping[str, list[str]], *,
                     first: Mapping[str, list[str]]) -> Iterator[tuple[str, ...]]:
    """The ids that lists of names can mean, none twice in a list."""
    for names in lists:
        tables = [first, *([named] * (len(names) - 1))]
        for ids in product(*(table[name] for table, name in zip(tables, names, strict=True))):
            if len(set(ids)) == len(ids):
                yield ids


def _found(value: Argument | None) -> list[Argument]:
    return [] if value is None else [value]


_READERS: dict[ArgumentType, Callable[[str], list[Argument]]] = {
    ArgumentType.DATE: lambda text: _found(read_date(text)),
    ArgumentType.TEXT: lambda text: [text],
    ArgumentType.PHONE: lambda text: list(read_phones(text)),
    ArgumentType.NUMBER: lambda text: _found(read_count(text)),
    ArgumentType.FLOOR: lambda text: _found(read_floor(text)),
    ArgumentType.MINUTES: lambda text: _found(read_minutes(text)),
}
