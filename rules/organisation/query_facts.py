"""The facts that an answer rests on, in the schema's predicates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from frontdesk.kg.english.verbalise import event_window
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.facts import Argument, Fact, Provenance
from frontdesk.kg.graph.logical_forms import Form
from frontdesk.kg.graph.windows import Window, WindowKind
from frontdesk.rules.engine.derived import premises, rule_name
from frontdesk.rules.organisation.query_calendar import QueryCalendar
from frontdesk.rules.organisation.query_orders import events_taken_by
from frontdesk.rules.organisation.query_relations import size_of

#: Events of a fact that says what somebody is busy with.
MOST_EVENTS = 10


class AnswerFacts:
    """Makes facts."""

    def __init__(self, calendar: QueryCalendar) -> None:
        self.calendar, self.kb = calendar, calendar.kb

    def derived(self, predicate: str, *arguments: Argument, rule: str = "",
                certainty: float = 1.0, omitted: int = 0) -> Fact:
        """A fact that a rule gives."""
        return Fact(predicate, arguments, certainty, Provenance(
            rule_name(rule or predicate), premises(self.kb, arguments)), certainty, omitted)

    def stored(self, entity_id: str, *predicates: str) -> list[Fact]:
        """The stored facts of an entity, of some predicates if these are given."""
        if entity_id in self.calendar.hidden:
            return []
        return [fact for fact in self.kb.facts_about(entity_id)
                if not predicates or fact.predicate in predicates]

    def event(self, event_id: str) -> tuple[Fact, ...]:
        """When an event is, where, and who holds it."""
        event = self.kb.events[event_id]
        return (self.derived("takes_place", event_id, event_window(event)),
                *self.stored(event_id, "location"), *self.stored(event_id, "organizer", "held_by"))

    def place_of_event(self, event_id: str) -> tuple[Fact, ...]:
        """Where an event is, when, and who holds it."""
        return tuple(dict.fromkeys((*self.stored(event_id, "location"), *self.event(event_id))))

    def attends(self, person: str, event_id: str) -> Fact:
        """That somebody attends an event, or does not."""
        certainty = self.kb.events[event_id].comes(person)
        if certainty == 0.0:
            return self.derived("does_not_attend", person, event_id)
        return self.derived("attends", person, event_id, certainty=certainty)

    def of(self, entity_id: str, others: Iterable[str] = ()) -> tuple[Fact, ...]:
        """What is worth telling of an entity first, and what it has to do with others."""
        between = [fact for each in others for fact in self._between(entity_id, each)]
        if entity_id in self.kb.events:
            return (*self.event(entity_id), *between)
        plain = self.stored(entity_id, "office", "floor", "member_of")
        return tuple(dict.fromkeys((*between, *plain)))

    def _between(self, one: str, other: str) -> list[Fact]:
        """The facts that two entities share."""
        person, event = (one, other) if one in self.kb.people else (other, one)
        found = [fact for owner, value in ((one, other), (other, one))
                 for fact in self.stored(owner) if value in fact.arguments[1:]]
        if person in self.kb.people and event in self.kb.events \
                and event not in self.calendar.hidden and self.kb.events[event].comes(person):
            found.append(self.attends(person, event))
        return found

    def events_in(self, owner: str, window: Window) -> list[Event]:
        """What takes the time of an entity in a window."""
        return self.calendar.taking_up(owner, window)

    def availability(self, owner: str, window: Window) -> tuple[Fact, ...]:
        """That somebody or something is free in a window, or what with they are not."""
        kind = str(self.kb.entity(owner).type)
        found = self.events_in(owner, window)
        ids = tuple(event.id for event in found[:MOST_EVENTS])
        if kind == "group":
            return (self.derived("group_events", owner, window, ids, rule="group_busy") if ids else
                    self.derived("no_group_events", owner, window, rule="group_free"),)
        if kind not in ("person", "room"):
            return ()
        if not ids:
            return (self.derived(f"{kind}_available", owner, window),)
        certainty = max(event.comes(owner) for event in found) if kind == "person" else 1.0
        return (self.derived(f"{kind}_busy", owner, window, ids, certainty=certainty,
                             omitted=len(found) - len(ids)),)

    def counted(self, entity_id: str, order: Form, window: Window) -> tuple[Fact, ...]:
        """What an order goes by that counts people, or what takes somebody's time in a window."""
        kind = str(self.kb.entity(entity_id).type)
        if order.head in ("most", "fewest") and kind != "event":
            found = events_taken_by(self.calendar, entity_id, [window])
            return (self.derived(f"{kind}_events", entity_id, window, tuple(found[:MOST_EVENTS]),
                                 omitted=len(found[MOST_EVENTS:])),)
        size = size_of(self.calendar, entity_id) if order.head in (
            "most", "fewest", "largest", "smallest") else None
        return () if size is None else (self.derived(f"{kind}_size", entity_id, size),)

    def clash(self, one: str, other: str, people: Iterable[str] = ()) -> tuple[Fact, ...]:
        """That two events overlap: for whom of some people, and when and where they are."""
        both = [self.kb.events[each] for each in (one, other)]
        return (*(self.derived("conflict", each, one, other, rule="person_conflict",
                               certainty=both[0].comes(each) * both[1].comes(each))
                  for each in people if each in self.kb.people
                  and all(event.comes(each) for event in both)),
                *self.event(one), *self.event(other))

    def clashes(self, owner: str, window: Window) -> tuple[Fact, ...]:
        """The events of somebody or something that overlap in a window."""
        own = {owner, *(person.id for person in self.kb.members(owner))}
        pairs = [(one, other) for one, other in self.calendar.overlapping(
            event.id for event in self.events_in(owner, window)) if (
                self.calendar.concerned(one) & self.calendar.concerned(other) & own)]
        return tuple(dict.fromkeys(fact for one, other in pairs[:MOST_EVENTS]
                                   for fact in self.clash(one, other, own)))

    def slots(self, owner: str, window: Window, slots: Sequence[Window]) -> tuple[Fact, ...]:
        """When somebody or something is free in a window."""
        kind = str(self.kb.entity(owner).type)
        if kind not in ("person", "room") or not slots:
            return ()
        return (self.derived(f"{kind}_free_slots", owner, window, tuple(slots),
                             rule="free_slot"),)

    def place(self, person: str, room: str, window: Window) -> tuple[Fact, ...]:
        """Why somebody is in a room at a time."""
        for event in self.events_in(person, window):
            if room in event.rooms and event.id not in self.calendar.hidden:
                if window.kind is WindowKind.NOW:
                    return (self.derived("located_now", person, room, event.id,
                                         event_window(event), certainty=event.comes(person)),)
                return (self.attends(person, event.id), *self.event(event.id))
        if window.kind is WindowKind.NOW:
            return (self.derived("office_now", person, room),)
        return (*self.stored(person, "office"), *self.availability(person, window))

    def engagement(self, person: str, window: Window) -> tuple[Fact, ...]:
        """What somebody is at, where it is not known in which room."""
        events = self.events_in(person, window)
        if window.kind is WindowKind.NOW:
            return tuple(self.derived("in_event_now", person, event.id, event_window(event),
                                      certainty=event.comes(person)) for event in events[:3])
        return self.availability(person, window) if events else ()
