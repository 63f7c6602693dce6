"""Which rooms the events of an iCalendar file take.

Programs name them in LOCATION, one or several, and invite them, as ``CUTYPE=ROOM`` (Google and
Nextcloud), as ``RESOURCE`` (Outlook) or like people; who is stated to be ``INDIVIDUAL`` is no room.
Every room that was invited is taken, unless it declined.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from frontdesk.kg.graph.entities import EntityType
from frontdesk.kg.graph.knowledge_base import normalise_name
from frontdesk.kg.sources.icalendar_component import Component, text_of
from frontdesk.kg.sources.icalendar_guests import ID, Guest, find_person, guests, name_of
from frontdesk.kg.sources.knowledge_builder import OrganisationBuilder

_PARTS = re.compile(r"[;,/|+&\n]|\sand\s")
#: How many people it holds, which Google writes behind the name of a room.
_CAPACITY = re.compile(r"\s*\(\d+\)\s*$")


class CalendarRooms:
    """Tells rooms from people in the events of a file.

    Args:
        builder: Knows the rooms and people of other sources; new rooms are added to it.
    """

    def __init__(self, builder: OrganisationBuilder, components: Iterable[Component]) -> None:
        self.builder = builder
        self._addresses: dict[str, str] = {}
        self._names: set[str] = set()
        #: Who is invited where a place has their name, and who to another place or organises.
        self._placed: set[str] = set()
        self._elsewhere: set[str] = set()
        self._individuals: set[str] = set()
        for component in components:
            self._look(component)

    def _look(self, component: Component) -> None:
        parts = {normalise_name(part) for part in _parts(text_of(component, "LOCATION"))}
        for guest in guests(component, "ATTENDEE"):
            if guest.kind == "ROOM":
                self._names.add(normalise_name(guest.name))
                if guest.email and guest.name:
                    self._addresses[guest.email.casefold()] = guest.name
            if parts:
                (self._placed if normalise_name(guest.name) in parts
                 else self._elsewhere).add(_key(guest))
            self._look_at_kind(guest)
        for guest in guests(component, "ORGANIZER"):
            self._elsewhere.add(_key(guest))
            self._look_at_kind(guest)

    def _look_at_kind(self, guest: Guest) -> None:
        if guest.kind == "INDIVIDUAL":
            self._individuals.add(_key(guest))

    def is_room(self, guest: Guest) -> bool:
        """Whether a guest is a room or another thing and not a person."""
        if guest.kind in ("ROOM", "RESOURCE"):
            return True
        if guest.kind == "GROUP" or _key(guest) in self._individuals or not _key(guest):
            return False
        person = find_person(self.builder, guest)
        if person is not None and not self.builder.is_assumed(person):
            return False
        return self._is_known(guest) or self.is_placed(guest)

    def is_placed(self, guest: Guest) -> bool:
        """Whether a guest is invited to a place of the same name, and to no event in another."""
        return _key(guest) in self._placed and _key(guest) not in self._elsewhere

    def _is_known(self, guest: Guest) -> bool:
        return guest.email.casefold() in self._addresses or (bool(guest.name) and (
            normalise_name(guest.name) in self._names
            or any(self.builder.rooms[room].bookable for room in self._find(guest.name))))

    def _find(self, name: str) -> list[str]:
        return self.builder.find(EntityType.ROOM, name) or self.builder.find(
            EntityType.ROOM, _CAPACITY.sub("", name))

    def taken(self, component: Component, invited: list[Guest]) -> tuple[str, ...]:
        """Ids of the rooms that an event takes, the one in which it is said to be first.

        Args:
            invited: Its guests, and its organiser where that is a room.
        """
        text = text_of(component, "LOCATION")
        rooms = [guest for guest in invited if self.is_room(guest)]
        declined = {normalise_name(self._name(guest)) for guest in rooms if not guest.is_taken}
        parts = [part for part in _parts(text) if normalise_name(part) not in declined]
        asked = [self._room(guest) for guest in rooms if guest.is_taken
                 and self._is_place(guest, parts)]
        known = [room for part in parts for room in self._find(part)[:1] or (
            [self.builder.room(part)] if normalise_name(part) in self._names else [])]
        bookable = [room for room in (*known, *self._resources(component))
                    if self.builder.rooms[room].bookable]
        given = str(getattr(component.get("LOCATION"), "params", {}).get(ID, ""))
        if given in self.builder.rooms and self.builder.rooms[given].name == text:
            return tuple(dict.fromkeys((given, *asked)))
        found = dict.fromkeys((*bookable, *asked))
        if not found and parts:
            found = dict.fromkeys(known[:1] or [self._place(text)])
        elif not found:
            found = dict.fromkeys(self._room(guest) for guest in rooms[:1] if guest.is_taken)
        return tuple(found)

    def _resources(self, component: Component) -> Iterator[str]:
        listed = component.get("RESOURCES", [])
        for text in listed if isinstance(listed, list) else [listed]:
            for part in _parts(str(text)):
                yield from self._find(part)[:1]

    def _place(self, text: str) -> str:
        name = ", ".join(part.strip() for part in text.splitlines())
        return self.builder.room(name, bookable=False)

    def _is_place(self, guest: Guest, parts: list[str]) -> bool:
        """Whether a guest is a place: a projector is none."""
        return guest.kind != "RESOURCE" or self._is_known(guest) or any(
            normalise_name(part) == normalise_name(guest.name) for part in parts)

    def _room(self, guest: Guest) -> str:
        given = self.builder.rooms.get(guest.person)
        name = self._name(guest)
        if given is not None and given.name == name:
            return given.id
        found = self._find(name)
        return self.builder.room(self.builder.rooms[found[0]].name if found else name)

    def _name(self, guest: Guest) -> str:
        return guest.name or self._addresses.get(guest.email.casefold(), "") or name_of(
            guest.email) or "room"


def _key(guest: Guest) -> str:
    return guest.email.casefold() or normalise_name(guest.name)


def _parts(text: str) -> Iterator[str]:
    """A LOCATION, and the places that it may list."""
    for part in dict.fromkeys((text.strip(), *(each.strip() for each in _PARTS.split(text)))):
        if part:
            yield part
