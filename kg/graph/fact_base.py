"""Entities with stored facts of any schema: the knowledge of a domain without tables of its own."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable
from functools import cached_property
from zoneinfo import ZoneInfo

from frontdesk.kg.graph.entities import Entity, EntityType, Event, Person, Thing
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.graph.facts import Fact
from frontdesk.kg.graph.knowledge_base import normalise_name


class FactBase:
    """Entities and the stored facts about them, indexed. It does not change.

    Args:
        entities: Everything that can be spoken of, values such as days among it.
        facts: Stored facts; their text arguments are ids of entities or plain texts.

    Raises:
        InputError: Two entities have the same id, or a fact is derived or about no entity.

    Example:
        >>> shop = Thing("p1", "Corner Fuel", EntityType("shop"))
        >>> base = FactBase("nearby", [shop], [Fact("address", ("p1", "3 Elm Street"))])
        >>> base.facts_about("p1")[0].arguments
        ('p1', '3 Elm Street')
    """

    def __init__(self, name: str, entities: Iterable[Thing], facts: Iterable[Fact] = ()
                 ) -> None:
        self.name, self.timezone = name, ZoneInfo("UTC")
        self._entities: dict[str, Thing] = {}
        self._by_name: dict[str, list[Thing]] = defaultdict(list)
        self._by_type: dict[EntityType, list[str]] = defaultdict(list)
        for entity in entities:
            if self._entities.setdefault(entity.id, entity) != entity:
                raise InputError(
                    f"the id {entity.id!r} stands for {self._entities[entity.id].name!r} and for "
                    f"{entity.name!r}", remedy="Give each of them an id of its own")
        for entity in self._entities.values():
            self._by_name[normalise_name(entity.name)].append(entity)
            self._by_type[entity.type].append(entity.id)
        self._facts = tuple(dict.fromkeys(facts))
        self._about: dict[str, list[Fact]] = defaultdict(list)
        self._of: dict[str, list[Fact]] = defaultdict(list)
        self._neighbours: dict[str, dict[str, None]] = defaultdict(dict)
        self._referrers: dict[str, dict[str, None]] = defaultdict(dict)
        for fact in self._facts:
            self._index(fact)

    def _index(self, fact: Fact) -> None:
        subject = fact.arguments[0] if fact.arguments else None
        if fact.derived or not isinstance(subject, str) or subject not in self._entities:
            raise InputError(f"the fact {fact.predicate}{fact.arguments!r} cannot be stored",
                             remedy="Store facts whose first argument is the id of an entity")
        self._about[subject].append(fact)
        self._of[fact.predicate].append(fact)
        related = [each for each in fact.entities()[1:] if each in self._entities]
        for each in related:
            self._referrers[each][subject] = None
        if len(related) == 1:
            # A fact that relates more (a place, a day and its weather) is about them together:
            # none of them alone brings the others to mind.
            self._neighbours[subject][related[0]] = None
            self._neighbours[related[0]][subject] = None

    def __contains__(self, entity_id: object) -> bool:
        return entity_id in self._entities

    def entity(self, entity_id: str) -> Thing:
        """The entity with that id.

        Raises:
            KeyError: There is none.
        """
        return self._entities[entity_id]

    def entities(self) -> Collection[Thing]:
        """All entities, in the order they were given."""
        return self._entities.values()

    @cached_property
    def types(self) -> frozenset[EntityType]:
        """The types that it has entities of."""
        return frozenset(self._by_type)

    def of_type(self, kind: EntityType) -> tuple[str, ...]:
        """Ids of the entities of a type, in the order they were given."""
        return tuple(self._by_type.get(kind, ()))

    def named(self, name: str) -> list[Entity]:
        """All entities of that name, case and accents aside."""
        return list(self._by_name.get(normalise_name(name), ()))

    def facts(self) -> tuple[Fact, ...]:
        """All stored facts."""
        return self._facts

    def facts_of(self, predicate: str) -> tuple[Fact, ...]:
        """The stored facts of a predicate."""
        return tuple(self._of.get(predicate, ()))

    def facts_about(self, entity_id: str) -> list[Fact]:
        """The stored facts whose first argument is an entity.

        Raises:
            KeyError: No entity has that id.
        """
        self.entity(entity_id)
        return list(self._about.get(entity_id, ()))

    def referrers(self, entity_id: str) -> list[str]:
        """Ids of the entities whose stored facts name one.

        Raises:
            KeyError: No entity has that id.
        """
        self.entity(entity_id)
        return list(self._referrers.get(entity_id, ()))

    def neighbours(self, entity_id: str) -> list[str]:
        """Ids of the entities that a fact relates to one and to nothing else.

        Raises:
            KeyError: No entity has that id.
        """
        self.entity(entity_id)
        return list(self._neighbours.get(entity_id, ()))

    def members(self, entity_id: str) -> tuple[Person, ...]:
        """Nobody: what belongs to a thing stands in facts."""
        return ()

    def is_recurring(self, event: Event) -> bool:
        """Whether an event is one of several occurrences: here each is by itself."""
        return False

    def next_occurrence(self, event: Event, now: dt.datetime) -> Event:
        """The event itself."""
        return event
