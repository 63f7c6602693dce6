"""How entities are related: the values of a relation noun, and what an entity has to do with."""

from __future__ import annotations

from frontdesk.kg.entities import Entity, Event, Group, Person
from frontdesk.kg.knowledge_base import KnowledgeBase
from frontdesk.kg.knowledge_graph import KnowledgeGraph


def relation_values(kb: KnowledgeGraph, relation: str, owner: str) -> tuple[str, ...]:
    """The entities that are an entity's organiser, office, group, members, attendees, ...

    A relation noun means what fits its owner: the "room" of a person is the office.
    """
    if not isinstance(kb, KnowledgeBase):
        return ()
    entity = kb.entity(owner)
    value: str | tuple[str, ...] | None = None
    if isinstance(entity, Person):
        value = {"office": entity.office, "location": entity.office,
                 "member_of": entity.group}.get(relation)
    elif isinstance(entity, Event):
        value = {"organizer": entity.organizer, "location": entity.location,
                 "member_of": entity.group, "attendees": entity.attendees,
                 "members": entity.attendees}.get(relation)
    elif isinstance(entity, Group) and relation == "members":
        value = tuple(person.id for person in kb.members(entity.id))
    if value is None:
        return ()
    return value if isinstance(value, tuple) else (value,)


def neighbours(kb: KnowledgeGraph, entity: Entity) -> set[str]:
    """Ids of what an entity has a stored fact with."""
    if not isinstance(kb, KnowledgeBase):
        return set(kb.neighbours(entity.id))
    if isinstance(entity, Event):
        return {each for each in (entity.location, entity.group, *entity.participants()) if each}
    if isinstance(entity, Person):
        return ({each for each in (entity.office, entity.group) if each}
                | {event.id for event in kb.events_of(entity.id)})
    if isinstance(entity, Group):
        return ({person.id for person in kb.members(entity.id)}
                | {event.id for event in kb.events_of(entity.id)})
    return ({person.id for person in kb.office_owners(entity.id)}
            | {event.id for event in kb.events_of(entity.id)})
