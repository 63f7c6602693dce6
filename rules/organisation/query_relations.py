"""The relations of the schema as queries ask for them: in both directions, and their values."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from frontdesk.kg.english.spoken_floors import floor_named
from frontdesk.kg.graph.entities import EntityType
from frontdesk.kg.graph.knowledge_base import normalise_name
from frontdesk.rules.organisation.query_calendar import QueryCalendar

PERSON, GROUP, ROOM, EVENT = (EntityType.PERSON, EntityType.GROUP, EntityType.ROOM,
                              EntityType.EVENT)
Find = Callable[[QueryCalendar, str], Iterable[str]]


@dataclass(frozen=True)
class Relation:
    """How entities of one type are related to those of another.

    Args:
        forward: Whether the entity that is asked for stands first in it.
        find: All that an entity of the other type can be related to.
        timed: The predicate has a window between its arguments: where somebody is at a time.
    """

    predicate: str
    forward: bool
    find: Find
    timed: bool = False


def _participants(calendar: QueryCalendar, event: str) -> Iterable[str]:
    return () if event in calendar.hidden else calendar.kb.events[event].participants()


def _groups_at(calendar: QueryCalendar, event: str) -> Iterable[str]:
    held = calendar.kb.events[event].group
    groups = [calendar.kb.people[each].group for each in _participants(calendar, event)]
    return [each for each in dict.fromkeys([held, *groups]) if each]


def _events(calendar: QueryCalendar, owner: str) -> Iterable[str]:
    return [event.id for timeline in calendar.timelines(owner)
            for event in timeline.coming(-(1 << 60))]


def _organised(calendar: QueryCalendar, person: str) -> Iterable[str]:
    return [event.id for event in calendar.kb.organised_by(person).coming(-(1 << 60))]


def _rooms(calendar: QueryCalendar, event: str) -> Iterable[str]:
    return () if event in calendar.hidden else calendar.kb.events[event].rooms


def _organizer(calendar: QueryCalendar, event: str) -> Iterable[str]:
    return [each for each in [calendar.kb.events[event].organizer] if each]


def _holder(calendar: QueryCalendar, event: str) -> Iterable[str]:
    return [each for each in [calendar.kb.events[event].group] if each]


def _members(calendar: QueryCalendar, group: str) -> Iterable[str]:
    return [person.id for person in calendar.kb.members(group)]


def _group(calendar: QueryCalendar, person: str) -> Iterable[str]:
    return [each for each in [calendar.kb.people[person].group] if each]


def _office(calendar: QueryCalendar, person: str) -> Iterable[str]:
    return [each for each in [calendar.kb.people[person].office] if each]


def _owners(calendar: QueryCalendar, room: str) -> Iterable[str]:
    return [person.id for person in calendar.kb.office_owners(room)]


_ATTENDS = {(EVENT, PERSON): Relation("attends", False, _events),
            (PERSON, EVENT): Relation("comes", True, _participants),
            (EVENT, GROUP): Relation("with_group", False, _events),
            (GROUP, EVENT): Relation("with_group", True, _groups_at)}
_ORGANIZER = {(EVENT, PERSON): Relation("organizer", True, _organised),
              (PERSON, EVENT): Relation("organizer", False, _organizer)}
_MEMBER = {(PERSON, GROUP): Relation("member_of", True, _members),
           (GROUP, PERSON): Relation("member_of", False, _group)}
_OFFICE = {(PERSON, ROOM): Relation("office", True, _owners),
           (ROOM, PERSON): Relation("office", False, _office)}
#: Relations by which somebody comes to an event.
ATTENDANCE = ("attends", "attendees")
#: By predicate of the schema and the types of what is asked for and of what is given.
RELATIONS: dict[str, dict[tuple[EntityType, EntityType], Relation]] = {
    "attends": _ATTENDS, "attendees": _ATTENDS, "organizer": _ORGANIZER, "organises": _ORGANIZER,
    "member_of": _MEMBER, "members": _MEMBER, "office": _OFFICE, "office_of": _OFFICE,
    "held_by": {(EVENT, GROUP): Relation("held_by", True, _events),
                (GROUP, EVENT): Relation("held_by", False, _holder)},
    "location": {(EVENT, ROOM): Relation("location", True, _events),
                 (ROOM, EVENT): Relation("located", False, _rooms),
                 (PERSON, ROOM): Relation("place", True, _owners, timed=True),
                 (ROOM, PERSON): Relation("place", False, _office, timed=True)},
}


def floors_of(calendar: QueryCalendar, entity_id: str) -> list[tuple[int, str]]:
    """The floors of a room, of an event's rooms, of the office of a person or of each of a group,
    each with its room."""
    rooms: Iterable[str] = [entity_id]
    if entity_id in calendar.kb.people:
        rooms = _office(calendar, entity_id)
    elif entity_id in calendar.kb.groups:
        rooms = dict.fromkeys(room for each in _members(calendar, entity_id)
                              for room in _office(calendar, each))
    elif entity_id in calendar.kb.events:
        rooms = _rooms(calendar, entity_id)
    found = ((calendar.kb.rooms[room].floor, room) for room in rooms if room in calendar.kb.rooms)
    return [(floor, room) for floor, room in found if floor is not None]


def size_of(calendar: QueryCalendar, entity_id: str) -> int | None:
    """How many people a group or an event has; None for what has none and for hidden events."""
    if entity_id in calendar.kb.groups:
        return len(calendar.kb.members(entity_id))
    if entity_id in calendar.kb.events and entity_id not in calendar.hidden:
        event = calendar.kb.events[entity_id]
        return sum(event.comes(each) > 0.5 for each in event.participants())
    return None


def minutes_of(calendar: QueryCalendar, entity_id: str) -> int | None:
    """How long an event lasts; None for anything else."""
    event = calendar.kb.events.get(entity_id)
    return None if event is None else int((event.end - event.start).total_seconds() // 60)


def values_of(calendar: QueryCalendar, predicate: str, entity_id: str) -> list[str | int]:
    """The values of an entity that are no entities: address, number, floor, size, length."""
    person = calendar.kb.people.get(entity_id)
    event = calendar.kb.events.get(entity_id)
    if predicate in ("email", "phone"):
        value = (person.email if predicate == "email" else person.phone) if person else ""
        return [value] if value else []
    if predicate in FLOORS:
        return [floor for floor, _ in floors_of(calendar, entity_id)]
    if predicate in ("group_size", "event_size"):
        size = size_of(calendar, entity_id)
        return [] if size is None else [size]
    if predicate == "duration":
        length = minutes_of(calendar, entity_id)
        return [] if length is None else [length]
    if event is not None and predicate in ("start_time", "end_time", "date"):
        moment = event.end if predicate == "end_time" else event.start
        return [f"{moment:%Y-%m-%d}" if predicate == "date" else f"{moment:%H:%M}"]
    return []


def unknown_of(calendar: QueryCalendar, predicate: str, entities: Iterable[str]) -> list[str]:
    """Those of some entities that have one value of a predicate, of which it is not known: people
    without an office or a group."""
    return [each for each in entities if predicate in _HAS_ONE and each in calendar.kb.people
            and not _HAS_ONE[predicate](calendar, each)]


#: What somebody has one of.
_HAS_ONE = {"office": _office, "member_of": _group}
#: Predicates whose values are floors.
FLOORS = ("floor", "office_floor")
#: Predicates whose values are no entities.
VALUES = frozenset({"email", "phone", "floor", "office_floor", "group_size", "event_size",
                    "duration", "start_time", "end_time", "date"})


def has_value(calendar: QueryCalendar, predicate: str, entity_id: str, said: str | int) -> bool:
    """Whether a value of an entity is what words or a number say."""
    values = values_of(calendar, predicate, entity_id)
    if isinstance(said, int) or predicate in FLOORS:
        return (said if isinstance(said, int) else floor_named(said)) in values
    if predicate == "phone":
        digits = "".join(each for each in said if each.isdigit())
        return bool(digits) and any("".join(filter(str.isdigit, str(each))).endswith(digits)
                                    for each in values)
    return normalise_name(said) in [normalise_name(str(each)) for each in values]
