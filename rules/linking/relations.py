"""How entities are related: the values of a relation noun, and what an entity has to do with."""

from __future__ import annotations

from frontdesk.kg.graph.entities import Event, Group, Person
from frontdesk.kg.graph.knowledge_graph import KnowledgeGraph


def relation_values(kb: KnowledgeGraph, relation: str, owner: str) -> tuple[str, ...]:
    """The entities that are an entity's organiser, office, group, members, attendees, ...

    A relation noun means what fits its owner: the "room" of a person is the office.
    """
    entity = kb.entity(owner)
    value: str | tuple[str, ...] | None = None
    if isinstance(entity, Person):
        value = {"office": entity.office, "location": entity.office,
                 "member_of": entity.group}.get(relation)
    elif isinstance(entity, Event):
        value = {"organizer": entity.organizer, "location": entity.rooms or None,
                 "member_of": entity.group, "attendees": entity.attendees,
                 "members": entity.attendees}.get(relation)
    elif isinstance(entity, Group) and relation == "members":
        value = tuple(person.id for person in kb.members(entity.id))
    if value is None:
        return ()
    return value if isinstance(value, tuple) else (value,)


def are_related(kb: KnowledgeGraph, one: str, other: str) -> bool:
    """Whether two entities have a stored fact with each other."""
    return _has(kb, one, other) or _has(kb, other, one)


def _has(kb: KnowledgeGraph, one: str, other: str) -> bool:
    entity = kb.entity(one)
    if isinstance(entity, Person):
        return other in (entity.office, entity.group)
    return other in kb.neighbours(one) or (
        isinstance(entity, Event) and other in entity.attendees)
