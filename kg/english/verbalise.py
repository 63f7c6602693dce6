"""Verbalisation: facts as sentences (paper, section 3.2.3), by the schema's templates."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Protocol

from frontdesk.kg.english import phrases
from frontdesk.kg.english.hedging import CONDITION, has_name, hedge, on_condition
from frontdesk.kg.english.phrases import Phrase
from frontdesk.kg.graph.entities import Entity, EntityType, Event, Person
from frontdesk.kg.graph.facts import Argument, Fact
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.knowledge_graph import KnowledgeGraph
from frontdesk.kg.graph.schema import ORGANISATION, TYPE_NOUNS, ArgumentType, Schema
from frontdesk.kg.graph.windows import Window, WindowKind, day_window

_SINGULAR = {"is": "is", "has": "has", "organise": "organises", "their": "their"}
_PLURAL = {"is": "are", "has": "have", "organise": "organise", "their": "their"}
_YOU = {"is": "are", "has": "have", "organise": "organise", "their": "your",
        "possessive": "your"}
_NEEDS_QUOTES = re.compile(
    r"^(the|a|an|my|our|your|his|her|their|this|that)\b|['\u2019]s\b|[.,:;!?()\"“”]|\band\b|\bis\b",
    re.IGNORECASE)


def event_window(event: Event) -> Window:
    """The time of an event as a window."""
    return Window(event.start, event.end,
                  WindowKind.ALL_DAY if event.all_day else WindowKind.SPAN)


def tells_hours(text: str, event: Event) -> bool:
    """Whether a text tells when an event starts or ends."""
    return any(phrases.say_time(each) in text for each in (event.start, event.end))


def stored_name(graph: KnowledgeGraph, entity_id: str) -> tuple[str, str] | None:
    """Name and type of an entity of a graph; None when it has no such entity."""
    if entity_id not in graph:
        return None
    entity = graph.entity(entity_id)
    return entity.name, str(entity.type)


class FactVerbaliser(Protocol):
    """Says facts and entities of a domain."""

    @property
    def speaker(self) -> str | None:
        """Id of the person who is addressed as "you"; None when not known."""
        ...

    @property
    def calendar(self) -> Verbaliser | None:
        """What says times from the present on and tells namesakes apart; None where nothing does.
        """
        ...

    def say(self, fact: Fact) -> str:
        """A fact as one sentence."""
        ...

    def name(self, entity_id: str) -> str:
        """An entity as people say it."""
        ...

    def plain_name(self, entity_id: str) -> tuple[str, str] | None:
        """Name and type of an entity as they are stored; None when there is no such entity."""
        ...


class Verbaliser:
    """Says facts in English, relative to a present moment and to who is asking.

    Args:
        kb: Where the entities of the facts are.
        now: Zone-aware present.
        speaker: Id of the person to address as "you"; None when not known.

    Example:
        >>> from zoneinfo import ZoneInfo
        >>> from frontdesk.kg.graph.entities import Group
        >>> kb = KnowledgeBase(name="Acme", timezone=ZoneInfo("UTC"),
        ...                    groups=[Group("g", "Optics")],
        ...                    people=[Person("p", "Ada Berg", group="g")])
        >>> now = dt.datetime(2026, 1, 5, 9, tzinfo=ZoneInfo("UTC"))
        >>> Verbaliser(kb, now).say(Fact("member_of", ("p", "g")))
        'Ada Berg is in the Optics group.'
    """

    def __init__(self, kb: KnowledgeBase, now: dt.datetime, *, speaker: str | None = None,
                 schema: Schema = ORGANISATION) -> None:
        self.kb = kb
        self.now = now
        self.speaker = speaker
        self.schema = schema

    @property
    def calendar(self) -> Verbaliser:
        """See :class:`FactVerbaliser`: this one does."""
        return self

    def say(self, fact: Fact, called: Mapping[str, Phrase] = MappingProxyType({})) -> str:
        """The fact as one sentence.

        Args:
            called: How entities are called in it, by id, where not by their names: "she", "it".

        Raises:
            KeyError: The predicate or an entity is unknown.
        """
        predicate = self.schema[fact.predicate]
        # The day of a fact's own window need not be repeated for each event in it.
        day = next((argument.date for argument in fact.arguments
                    if isinstance(argument, Window) and _within_a_day(argument)), None)
        arguments = [called.get(argument) if isinstance(argument, str) and argument in called
                     else self._phrase(kind, argument, day, fact)
                     for kind, argument in zip(predicate.arguments, fact.arguments, strict=True)]
        template = predicate.template if fact.certainty == 1.0 \
            else hedge(predicate.template, fact.certainty)
        said = phrases.capitalise(template.format(*arguments))
        condition = self.condition([fact], said)
        return f"{said.removesuffix('.')}, {condition}." if condition else said

    def condition(self, facts: Iterable[Fact], text: str, asked: Window | None = None,
                  around: Iterable[str] = ()) -> str:
        """On what it depends whether what is said is so, where hours of events are not certain, as
        :meth:`if_zones`; empty where no time zone could change it or the text says so already.

        Args:
            text: What is said, which may name the events and tell their hours.
            around: Ids of further events on whose hours it depends.
        """
        if not self._unsure:
            return ""
        told = [(self.kb.events[each], True) for each in around if each in self.kb.events]
        told += [each for fact in facts for each in self._timed(fact, asked)]
        said = on_condition(text, map(_plain_name, self._unsure))
        unsure = (event for event, is_decided in told if _plain_name(event) not in said
                  and (is_decided or tells_hours(text, event)))
        return self.if_zones(unsure, text, alone=len({event.id for event, _ in told}) == 1)

    def if_zones(self, events: Iterable[Event], text: str = "", *, alone: bool = True) -> str:
        """That the hours of events are right if their time zones are the ones assumed.

        Args:
            events: Those of certain hours do not count.
            text: What is said, which may name them; empty where it does.
            alone: It tells of no other event.

        Returns:
            ``if its calendar's time zone is Oslo's``, or of what is not named ``if the time zone
            of the lens workshop is Oslo's``; empty where the hours are certain.
        """
        zones = {_plain_name(each): each.assumed_zone for each in events if each.assumed_zone}
        if not zones:
            return ""
        name, zone = next(iter(zones.items()))
        is_named = not text or has_name(text, name)
        whose = f"its calendar's {CONDITION}" if alone and len(zones) == 1 and is_named \
            else f"the {CONDITION} of {phrases.say_list(list(zones))}"
        return f"if {whose} is {phrases.say_zone(zone)}"

    def uncertain_in(self, windows: Sequence[Window], subjects: Sequence[str]) -> list[Event]:
        """Events, those of some subjects if any, of which zones decide if they are in a window."""
        events = [event for each in subjects for event in self.kb.events_of(each)] \
            if subjects else self._unsure
        return [event for event in events if any(map(event.zone_decides, windows))]

    @cached_property
    def _unsure(self) -> list[Event]:
        return [event for event in self.kb.events.values() if event.assumed_zone]

    def _timed(self, fact: Fact, asked: Window | None) -> Iterator[tuple[Event, bool]]:
        """The events of whose hours a fact may tell, each with whether a time zone decides it;
        where it names none, those that decide it."""
        windows = [each for each in fact.arguments if isinstance(each, Window)]
        named = [event for each in fact.entities() if (event := self.kb.events.get(each))]
        compares = self.schema[fact.predicate].arguments.count(ArgumentType.EVENT) > 1
        for event in named:
            own = event_window(event)
            within = [each for each in (*windows, asked) if each not in (None, own)]
            if own in windows or any(isinstance(each, dt.date) for each in fact.arguments):
                within += [day_window(each, self.kb.timezone) for each in event.days()]
            yield event, compares or any(event.zone_decides(each) for each in within if each)
        if not named:
            yield from ((event, True) for event in self.uncertain_in(windows, fact.entities()))

    def name(self, entity_id: str) -> str:
        """An entity as people say it: ``the lens workshop``, ``room 327``, ``you``.

        Entities that share their name carry what tells them apart in brackets.
        """
        entity = self.kb.entity(entity_id)
        if entity_id == self.speaker:
            return "you"
        return self.full_name(entity)

    def plain_name(self, entity_id: str) -> tuple[str, str] | None:
        """Name and type of an entity as they are stored; None when there is no such entity."""
        return stored_name(self.kb, entity_id)

    def full_name(self, entity: Entity) -> str:
        """As :meth:`name`, never ``you``."""
        text = _plain_name(entity)
        if isinstance(entity, Event) and entity.masked:
            return text  # when it is says all that is known of it
        namesakes = [other for other in self.kb.named(entity.name) if other.type is entity.type]
        if len(namesakes) > 1:
            mark = self._distinguishing_mark(entity, namesakes)
            return f"{text} ({mark})" if mark else text
        return text

    def possessive(self, entity_id: str) -> str:
        """An entity's name in the possessive: ``Ada Berg's``, ``room 327's``, ``your``."""
        if entity_id == self.speaker:
            return _YOU["possessive"]
        return phrases.possessive(self.name(entity_id))

    def name_and_time(self, entity_id: str, day: dt.date | None) -> str:
        """An event with its time, in short if it takes place on ``day``; the name of others."""
        entity = self.kb.entity(entity_id)
        if not isinstance(entity, Event):
            return self.name(entity_id)
        name = _plain_name(entity)
        if day == entity.start.date() == entity.end.date() and not entity.all_day:
            return f"{name} {phrases.say_hours(entity.start, entity.end)}"
        return f"{name} {phrases.say_window(event_window(entity), self.today)}"

    def when(self, event: Event) -> str:
        """When an event is, as an adverbial, with what its hours depend on."""
        said = (self.window(event_window(event)), self.if_zones([event]))
        return ", ".join(filter(None, said))

    def window(self, window: Window) -> str:
        """A window as an adverbial."""
        return phrases.say_window(window, self.today)

    @cached_property
    def today(self) -> dt.date:
        """The present day in the organisation's time zone."""
        return self.now.astimezone(self.kb.timezone).date()

    def _distinguishing_mark(self, entity: Entity, namesakes: list[Entity]) -> str:
        if isinstance(entity, Person):
            people = [other for other in namesakes if isinstance(other, Person)]
            for attribute in ("group", "office"):
                values = [getattr(person, attribute) for person in people]
                own = getattr(entity, attribute)
                if own and values.count(own) == 1:
                    return _plain_name(self.kb.entity(own))
            return entity.email or entity.id
        if isinstance(entity, Event):
            if self.kb.is_recurring(entity) and all(
                    isinstance(other, Event) and other.series == entity.series
                    for other in namesakes):
                if self.kb.next_occurrence(entity, self.now) == entity:
                    return ""
                return self.when(entity)
            organizers = [other.organizer for other in namesakes if isinstance(other, Event)]
            if entity.organizer and organizers.count(entity.organizer) == 1:
                return f"organised by {_plain_name(self.kb.entity(entity.organizer))}"
            return self.when(entity)
        return entity.id

    def _phrase(self, kind: ArgumentType, value: Argument, day: dt.date | None,
                fact: Fact) -> Phrase:
        if isinstance(value, Window):
            return Phrase(self.window(value))
        if kind in (ArgumentType.PEOPLE, ArgumentType.ROOMS, ArgumentType.EVENTS) or (
                kind is ArgumentType.ROOM and isinstance(value, tuple)):
            return self._list_phrase(value, day, fact)
        if kind is ArgumentType.SLOTS and isinstance(value, tuple):
            return Phrase(phrases.say_list([self._slot(slot, day) for slot in value
                                            if isinstance(slot, Window)]))
        if isinstance(value, dt.date):
            return Phrase(phrases.say_date(value), on=phrases.say_on(value, self.today),
                          day=phrases.say_day(value, self.today))
        if isinstance(value, dt.time):
            return Phrase(phrases.say_time(value))
        if isinstance(value, int):
            return _number_phrase(kind, value)
        text = str(value)
        if kind is ArgumentType.PHONE:
            return Phrase(phrases.say_phone(text))
        if kind is ArgumentType.TEXT:
            return Phrase(text)
        if text == self.speaker:
            return Phrase("you", **_YOU)
        return Phrase(self.name(text), **_SINGULAR, possessive=self.possessive(text))

    def _slot(self, slot: Window, day: dt.date | None) -> str:
        # Hours alone would not say which day they are on, unless that is the fact's own.
        if slot.date == day and _within_a_day(slot):
            return phrases.say_hours(slot.start, slot.end)
        return self.window(slot)

    def _list_phrase(self, value: Argument, day: dt.date | None, fact: Fact) -> Phrase:
        ids = [str(each) for each in value] if isinstance(value, tuple) else [str(value)]
        forms = _PLURAL if len(ids) > 1 else _YOU if ids == [self.speaker] else _SINGULAR
        return Phrase(phrases.say_list([self.name(each) for each in ids], fact.omitted),
                      **forms, count=_count(len(ids), fact),
                      times=phrases.say_list([self.name_and_time(each, day) for each in ids],
                                             fact.omitted))


def _within_a_day(window: Window) -> bool:
    last = max(window.start, window.end - dt.timedelta(microseconds=1))
    return last.date() == window.date


def _count(number: int, fact: Fact) -> str:
    """How many events there are, as far as the ``number`` that a fact lists tells."""
    if fact.certainty < 1.0 and number == 1:
        return "an event"  # it says nothing of how many others there are
    if fact.partial:
        return f"at least {phrases.say_count(number, 'event')}"
    return phrases.say_count(number + fact.omitted, "event")


def _number_phrase(kind: ArgumentType, value: int) -> Phrase:
    if kind is ArgumentType.FLOOR:
        return Phrase(phrases.say_floor(value))
    if kind is ArgumentType.MINUTES:
        return Phrase(phrases.say_minutes(value))
    return Phrase(str(value), members=phrases.say_count(value, "member"),
                  attendees=phrases.say_count(value, "attendee"))


def _plain_name(entity: Entity) -> str:
    if entity.type is EntityType.GROUP:
        name = re.sub(r"^the\s+", "", entity.name, flags=re.IGNORECASE)
        says_it = any(TYPE_NOUNS.get(word.casefold()) is ArgumentType.GROUP
                      for word in name.split())
        return f"the {name}" if says_it else f"the {name} group"
    if entity.type is EntityType.ROOM:
        return f"room {entity.name}" if entity.name.isdigit() else entity.name
    if entity.type is EntityType.EVENT:
        return f"“{entity.name}”" if _NEEDS_QUOTES.search(entity.name) else f"the {entity.name}"
    return entity.name
