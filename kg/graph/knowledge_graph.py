"""What every knowledge graph has: entities by id and name, and the stored facts about them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from typing import Protocol
from zoneinfo import ZoneInfo

from frontdesk.kg.graph.entities import Entity, Event, Person
from frontdesk.kg.graph.facts import Fact


class KnowledgeGraph(Protocol):
    """Entities with the stored facts about them."""

    @property
    def name(self) -> str: ...

    @property
    def timezone(self) -> ZoneInfo: ...

    def __contains__(self, entity_id: object) -> bool: ...

    def entity(self, entity_id: str) -> Entity:
        """The entity with that id; KeyError when there is none."""
        ...

    def entities(self) -> Iterable[Entity]:
        """All entities, always in the same order."""
        ...

    def named(self, name: str) -> list[Entity]:
        """All entities of that name, case and accents aside."""
        ...

    def facts_about(self, entity_id: str) -> list[Fact]:
        """The stored facts about an entity."""
        ...

    def neighbours(self, entity_id: str) -> list[str]:
        """Ids of the entities that one which is spoken of brings to mind."""
        ...

    def referrers(self, entity_id: str) -> list[str]:
        """Ids of the entities whose stored facts name one."""
        ...

    def members(self, entity_id: str) -> Sequence[Person]:
        """The people of a group; nobody for any other entity."""
        ...

    def is_recurring(self, event: Event) -> bool:
        """Whether an event is one of several occurrences."""
        ...

    def next_occurrence(self, event: Event, now: dt.datetime) -> Event:
        """The first occurrence of an event's series that is not over, else the last one."""
        ...
