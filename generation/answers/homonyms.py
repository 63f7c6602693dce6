"""The options of a question: entities said so that they can be told apart."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from frontdesk.kg.english.phrases import say_floor, say_on, say_time
from frontdesk.kg.english.verbalise import Verbaliser
from frontdesk.kg.graph.entities import Entity, Event, Person, Room

#: Says an attribute of an entity, "" where it is not known.
_Say = Callable[[Entity], str]


def say_options(entities: Sequence[str], verbaliser: Verbaliser) -> list[str]:
    """Entities with what differs between them: ``Anna Berg from Engineering``.

    What they share is left out. Where their names alone tell all of them apart, one attribute that
    does so too is added, if there is one; namesakes get as few attributes as tell them apart.

    Args:
        entities: Ids.
    """
    found = [verbaliser.kb.entity(each) for each in entities]
    names = [plain_name(each, verbaliser) for each in found]
    marks = _marks(found, verbaliser)
    for attribute in _attributes(found, verbaliser):
        if len(found) > 1 and _tells_apart(found, (attribute,)):
            return [f"{name} {attribute(each)}" for name, each in zip(names, found, strict=True)]
    return [f"{name} {marks[each.id]}" if each.id in marks else name
            for name, each in zip(names, found, strict=True)]


def plain_name(entity: Entity, verbaliser: Verbaliser) -> str:
    """An entity as people say it, without what tells it from its namesakes."""
    full = verbaliser.full_name(entity)
    end = max(0, full.find(entity.name)) + len(entity.name)
    mark = full.find(" (", end)
    return full if mark < 0 else full[:mark]


def _marks(entities: Sequence[Entity], verbaliser: Verbaliser) -> dict[str, str]:
    """What tells each of several namesakes from the others, by id."""
    by_name: dict[str, list[Entity]] = {}
    for entity in entities:
        by_name.setdefault(plain_name(entity, verbaliser).casefold(), []).append(entity)
    marks = {}
    for namesakes in by_name.values():
        if len(namesakes) == 1:
            continue
        chosen = next(_telling_apart(namesakes, verbaliser), ())
        for entity in namesakes:
            said = " ".join(filter(None, (say(entity) for say in chosen)))
            if said:
                marks[entity.id] = said
    return marks


def _telling_apart(entities: Sequence[Entity], verbaliser: Verbaliser
                   ) -> Iterator[tuple[_Say, ...]]:
    """Sets of attributes that tell entities apart, the smallest first."""
    attributes = _attributes(entities, verbaliser)
    for size in range(1, len(attributes) + 1):
        for chosen in combinations(attributes, size):
            if _tells_apart(entities, chosen):
                yield chosen


def _tells_apart(entities: Sequence[Entity], chosen: Sequence[_Say]) -> bool:
    values = [tuple(say(entity) for say in chosen) for entity in entities]
    return len(set(values)) == len(values) and all(any(value) for value in values) and all(
        len({value[place] for value in values}) > 1 for place in range(len(chosen)))


def _attributes(entities: Sequence[Entity], verbaliser: Verbaliser) -> list[_Say]:
    """The attributes that entities of one type are told apart by, the most telling first."""
    if all(isinstance(each, Person) for each in entities):
        return [_reference("group", "from {}", verbaliser),
                _reference("office", "in {}", verbaliser),
                lambda person: f"with the address {person.email}"
                if isinstance(person, Person) and person.email else ""]
    if all(isinstance(each, Event) for each in entities):
        return [_time(lambda start: say_on(start.date(), verbaliser.today), verbaliser),
                _time(lambda start: f"at {say_time(start)}", verbaliser),
                _reference("organizer", "organised by {}", verbaliser),
                _reference("location", "in {}", verbaliser),
                _reference("group", "of {}", verbaliser)]
    if all(isinstance(each, Room) for each in entities):
        return [lambda room: f"on {say_floor(room.floor)}"
                if isinstance(room, Room) and room.floor is not None else ""]
    return []


def _time(say_start: Callable[[dt.datetime], str], verbaliser: Verbaliser) -> _Say:
    """Says when an event starts, with what that depends on."""
    def say(entity: Entity) -> str:
        if not isinstance(entity, Event):
            return ""
        condition = verbaliser.if_zones([entity])
        return say_start(entity.start) + (f" ({condition})" if condition else "")

    return say


def _reference(attribute: str, template: str, verbaliser: Verbaliser) -> _Say:
    """Says the entity that an attribute refers to."""
    def say(entity: Entity) -> str:
        value = getattr(entity, attribute)
        if not value:
            return ""
        other = verbaliser.kb.entity(value)
        return template.format(other.name if attribute == "group" else
                               plain_name(other, verbaliser))

    return say
