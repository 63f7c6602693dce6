"""Entities that are still being collected, found by their ids, names and addresses."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from frontdesk.kg.graph.entities import Entity, EntityType, Event, Group, Person, Room
from frontdesk.kg.graph.errors import OrganisationError
from frontdesk.kg.graph.knowledge_base import EntityTables, normalise_name

_SAFE_ID = re.compile(r"[^\s'\"\\]+")
_SLUG_LENGTH = 48


class GrowingTables(EntityTables):
    """People, groups, rooms and events to which others are added."""

    def __init__(self) -> None:
        self._people = {}
        self._groups = {}
        self._rooms = {}
        self._events = {}
        self._entities: dict[str, Entity] = {}
        self._named: dict[tuple[EntityType, str], list[str]] = defaultdict(list)
        self._addresses: dict[str, list[str]] = defaultdict(list)
        self._reserved: set[str] = set()
        self._generated: set[str] = set()
        self._assumed: set[str] = set()

    def find(self, entity_type: EntityType, reference: str) -> list[str]:
        """Ids of the entities of a type that an id or a name stands for; an id comes first."""
        entity = self._entities.get(reference)
        if entity is not None and entity.type is entity_type:
            return [reference]
        return list(self._named.get((entity_type, normalise_name(reference)), ()))

    def person_by_email_or_name(self, email: str, name: str) -> str | None:
        """The person with an email address, else the only one with a name.

        A declared person may write from another address. One who is only assumed, with an
        address other than ``email``, is somebody else.

        Args:
            email: Empty when not known.
            name: Empty when not known.
        """
        addressed = self._addresses.get(email.casefold(), []) if email else []
        same = [each for each in addressed
                if normalise_name(self._people[each].name) == normalise_name(name)]
        if same or addressed:
            return (same or addressed)[0]
        named = self._named.get((EntityType.PERSON, normalise_name(name)), []) if name else []
        if len(named) != 1:
            return None
        stranger = named[0] in self._assumed and email and self._people[named[0]].email
        return None if stranger else named[0]

    def is_assumed(self, entity_id: str) -> bool:
        """Whether sources only mention an entity, without declaring it."""
        return entity_id in self._assumed

    def reserve(self, ids: Iterable[str]) -> None:
        """Keep ids for entities that come later: no id made from a name will be one of them."""
        self._reserved.update(ids)

    def _same_person(self, name: str, email: str, *, explicit: bool) -> str | None:
        for other in self._addresses.get(email.casefold(), ()) if email else ():
            same_name = normalise_name(self._people[other].name) == normalise_name(name)
            if other in self._assumed or (
                    same_name and (not explicit or other in self._generated)):
                return other
        for other in self._named.get((EntityType.PERSON, normalise_name(name)), ()):
            if other in self._assumed and not (email and self._people[other].email):
                return other
        return None

    def _same_named(self, entity_type: EntityType, name: str, entity_id: str | None) -> str | None:
        for other in self._named.get((entity_type, normalise_name(name)), ()):
            if entity_id is None or other in self._generated:
                return other
        return None

    def _assume(self, entity_id: str) -> str:
        self._assumed.add(entity_id)
        return entity_id

    def _new_id(self, entity_type: EntityType, name: str, wanted: str | None,
                place: str) -> str:
        if wanted is not None:
            if not _SAFE_ID.fullmatch(wanted):
                raise OrganisationError(
                    f"{wanted!r} cannot be the id of the {entity_type} {name!r}", place=place,
                    remedy="Use an id without blanks, quotes and backslashes")
            if wanted in self._entities:
                taken = self._entities[wanted]
                raise OrganisationError(
                    f"the id {wanted!r} of the {entity_type} {name!r} is that of the "
                    f"{taken.type} {taken.name!r} already", place=place,
                    remedy="Give each of them an id of its own")
            return wanted
        slug = re.sub(r"[^a-z0-9]+", "-", normalise_name(name))[:_SLUG_LENGTH].strip("-")
        stem = f"{entity_type}-{slug}" if slug else f"{entity_type}"
        candidate, number = stem, 1
        while candidate in self._entities or candidate in self._reserved:
            number += 1
            candidate = f"{stem}-{number}"
        self._generated.add(candidate)
        return candidate

    def _adopt(self, known: str, entity_id: str | None, name: str, place: str) -> str:
        """Give a known entity the id that a later source has for it."""
        if entity_id is None or entity_id == known:
            return known
        entity = self._entities[known]
        self._new_id(entity.type, name, entity_id, place)
        self._remove(known)
        self._put(replace(entity, id=entity_id))
        for person in list(self._people.values()):
            if known in (person.group, person.office):
                self._put(replace(person, group=_swap(person.group, known, entity_id),
                                  office=_swap(person.office, known, entity_id)))
        for event in list(self._events.values()):
            if known in (*event.rooms, event.organizer, event.group, *event.attendees):
                self._put(replace(
                    event, location=_swap(event.location, known, entity_id),
                    also_in=tuple(entity_id if each == known else each for each in event.also_in),
                    organizer=_swap(event.organizer, known, entity_id),
                    group=_swap(event.group, known, entity_id),
                    attendees=tuple(entity_id if each == known else each
                                    for each in event.attendees),
                    attendance=tuple((entity_id if each == known else each, probability)
                                     for each, probability in event.attendance)))
        if known in self._assumed:
            self._assumed.remove(known)
            self._assumed.add(entity_id)
        return entity_id

    def _put(self, entity: Entity) -> None:
        if entity.id in self._entities:
            old = self._entities[entity.id]
            if old == entity:
                return
            self._unindex(old)
        self._entities[entity.id] = entity
        self._named[entity.type, normalise_name(entity.name)].append(entity.id)
        if isinstance(entity, Person):
            self._people[entity.id] = entity
            if entity.email:
                self._addresses[entity.email.casefold()].append(entity.id)
        elif isinstance(entity, Group):
            self._groups[entity.id] = entity
        elif isinstance(entity, Room):
            self._rooms[entity.id] = entity
        elif isinstance(entity, Event):
            self._events[entity.id] = entity

    def _unindex(self, entity: Entity) -> None:
        self._named[entity.type, normalise_name(entity.name)].remove(entity.id)
        if isinstance(entity, Person) and entity.email:
            self._addresses[entity.email.casefold()].remove(entity.id)

    def _remove(self, entity_id: str) -> None:
        self._unindex(self._entities.pop(entity_id))
        self._generated.discard(entity_id)
        for table in (self._people, self._groups, self._rooms, self._events):
            table.pop(entity_id, None)


def _swap(reference: str | None, old: str, new: str) -> str | None:
    return new if reference == old else reference
