"""The slice of a calendar that a question needs: which events, and their facts for the rules.

The events are chosen by when they happen and whose they are, so that the cost of a question
follows the day asked about and not the size of the calendar. Everything else is the rules'.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.timeline import minutes
from frontdesk.kg.graph.windows import Window
from frontdesk.rules.engine.proofs import Proof
from frontdesk.rules.engine.prover import Slice, Solution

#: Events of a list that is asked for, more than anybody says.
MOST_LISTED = 50
#: Events of a list that nobody asked for; how many more there are it says all the same.
MOST_IN_PASSING = 5
#: Events at the same time of which each is a fact of its own.
MOST_AT_ONCE = 5
#: Conflicts of a person that are looked into: those spoken of first, then the earliest.
MOST_CONFLICTS = 10


@dataclass(frozen=True)
class Chosen:
    """Events for a question.

    Args:
        events: By start.
        total: How many there are; more than are given when there are too many.
        masked: Others may be among them: hidden events, of which no more is known than whose time
            they take.
    """

    events: tuple[Event, ...]
    total: int
    masked: bool = False


class EventChooser:
    """Chooses events of a calendar.

    Args:
        now: Zone-aware present.
    """

    def __init__(self, kb: KnowledgeBase, now: dt.datetime) -> None:
        self.kb = kb
        self.now = minutes(now)

    def listed(self, owner: str | None, window: Window, most: int = MOST_LISTED) -> Chosen:
        """The first events of a person, room or group in a window; of everybody for None.

        How many hidden events there are at a time is not known: of everybody's one stands for them.
        """
        timeline = self.kb.timeline(owner)
        start, end = minutes(window.start), minutes(window.end)
        if owner is None:
            events = {(event.start, event.end) if event.masked else event.id: event
                      for event in timeline.during(start, end)}
            return Chosen(tuple(events.values())[:most], len(events))
        return Chosen(tuple(islice(timeline.during(start, end), most)),
                      timeline.count(start, end))

    def taking_up(self, owner: str, window: Window, *, all_of_it: bool) -> list[Event]:
        """Few events that take up all the time that those of a person or room take up.

        Whether and when somebody is free depends only on the union of the times of events, so
        one that others cover can stay out. An event without length takes up no time, but it
        does mean that not all of a window is free: one is kept where there is nothing else.
        An event to which somebody may not come covers none.

        Args:
            owner: Id of the person or room.
            all_of_it: Whether it matters when the owner is free, and not just whether.
        """
        start, end = minutes(window.start), minutes(window.end)
        cover: list[Event] = []
        uncertain: list[Event] = []
        for event in self.kb.timeline(owner).during(start, end):
            if event.attendance and 0.0 < event.comes(owner) < 1.0:
                uncertain.append(event)
            elif all_of_it:
                _extend_cover(cover, event)
            else:
                return [event]
        return cover + [event for event in uncertain if not _covered(event, cover)]

    def going_on(self, person: str) -> Chosen:
        """What a person is at now; what is certain before what is not."""
        timeline = self.kb.timeline(person)
        total = timeline.count(self.now, self.now)
        events = sorted(timeline.during(self.now, self.now),
                        key=lambda event: event.comes(person) < 1.0)
        return Chosen(tuple(events[:MOST_AT_ONCE]), total)

    def next_events(self, person: str) -> Chosen:
        """The events of a person that can be the next: up to the first that is certain.

        Several that start at once are all next. The total tells only whether there are more.
        """
        found: list[Event] = []
        first: int | None = None
        for event in self.kb.timeline(person).after(self.now):
            start = minutes(event.start)
            if first is not None and start > first:
                break
            if first is None and event.comes(person) == 1.0:
                first = start
            found.append(event)
            if len(found) > MOST_AT_ONCE:
                break
        return Chosen(tuple(found[:MOST_AT_ONCE]), len(found))

    def organised(self, person: str) -> Chosen:
        """The first events that a person organises and that are not over."""
        timeline = self.kb.organised_by(person)
        return Chosen(tuple(islice(timeline.coming(self.now), MOST_LISTED)),
                      timeline.count_coming(self.now), bool(self._masked(person)))

    def shared(self, one: str, other: str) -> Chosen:
        """The first events of both people that are not over."""
        fewer, more = sorted((one, other), key=lambda each: len(self.kb.timeline(each)))
        events = [event for event in self.kb.timeline(fewer).coming(self.now)
                  if event.comes(more) > 0.0]
        return Chosen(tuple(events[:MOST_LISTED]), len(events),
                      not self._masked(one).isdisjoint(self._masked(other)))

    def _masked(self, owner: str) -> set[tuple[int, int]]:
        """When hidden events that are not over take somebody's time."""
        return {(minutes(event.start), minutes(event.end))
                for event in self.kb.timeline(owner).coming(self.now) if event.masked}

    def overlapping(self, person: str, spoken_of: Sequence[Event],
                    windows: Iterable[Window]) -> tuple[list[tuple[Event, Event]], bool]:
        """Pairs of a person's events at the same time, the earlier first.

        Args:
            spoken_of: Events whose conflicts come first, whether they are over or not.
            windows: Times whose conflicts come first, likewise.

        Returns:
            At most :data:`MOST_CONFLICTS`, and whether there are more.
        """
        timeline = self.kb.timeline(person)
        named = {event.id: event for event in spoken_of if event.comes(person) > 0.0}
        spans = [(minutes(window.start), minutes(window.end)) for window in windows]
        spans += [(minutes(event.start), minutes(event.end)) for event in named.values()]
        first, around = dict(named), dict(named)
        for start, end in spans:
            inside = {event.id: event for event in timeline.during(start, end)}
            first |= inside
            reach = [start, end, *(minutes(time) for event in inside.values()
                                   for time in (event.start, event.end))]
            around |= {event.id: event for event in timeline.during(min(reach), max(reach))}
        urgent = (pair for pair in _sweep(sorted(around.values(), key=_order))
                  if pair[0].id in first or pair[1].id in first)
        pairs = dict.fromkeys(islice(urgent, MOST_CONFLICTS + 1))
        for pair in _sweep(timeline.coming(self.now)):
            if len(pairs) > MOST_CONFLICTS:
                break
            pairs[pair] = None
        return list(pairs)[:MOST_CONFLICTS], len(pairs) > MOST_CONFLICTS


class CalendarSlice:
    """The facts of one question over the rules, and the question itself.

    Args:
        facts: An empty slice over the rules.
        people: Ids of the people asked about. Who else takes part in events does not matter,
            unless everybody does: None.
    """

    def __init__(self, kb: KnowledgeBase, facts: Slice, people: Collection[str] | None = ()
                 ) -> None:
        self.kb, self.facts = kb, facts
        self._everybody = people is None
        self._people = frozenset(people or ())
        self._windows: dict[Window, str] = {}
        for person in self._people:
            facts.add("person", person)

    def add(self, predicate: str, *arguments: str | int) -> None:
        """Add a certain fact."""
        self.facts.add(predicate, *arguments)

    def add_window(self, window: Window) -> None:
        """Add a window, once."""
        if window not in self._windows:
            # Ids are any text: one of ours must be none of them.
            name = f"{window.kind} {window.start:%Y-%m-%d %H:%M} to {window.end:%Y-%m-%d %H:%M}"
            while name in self.kb or name in self._windows.values():
                name += "'"
            self._windows[window] = name
            self.add("window", name, minutes(window.start), minutes(window.end))

    def add_events(self, events: Iterable[Event], *, times: bool = True) -> None:
        """Add events, each once: when, where and whose they are, and who takes part.

        Args:
            times: Whether times and places matter; else only who takes part.
        """
        for added in {event.id: event for event in events}.values():
            if times:
                self.add("event", added.id)
                self.add("start", added.id, minutes(added.start))
                self.add("end", added.id, minutes(added.end))
                for room in added.rooms:
                    self.add("location", added.id, room)
                if added.group:
                    self.add("held_by", added.id, added.group)
            self._add_participants(added)

    def _add_participants(self, event: Event) -> None:
        if event.organizer and self._matters(event.organizer):
            self.add("organizer", event.id, event.organizer)
            if event.organizer_absent:
                self.add("not_coming", event.id, event.organizer)
        for attendee in dict.fromkeys(event.attendees):
            if self._matters(attendee):
                self.facts.add("attendee", event.id, attendee, probability=event.comes(attendee))

    def _matters(self, person: str) -> bool:
        return self._everybody or person in self._people

    def ask(self, predicate: str, *arguments: str | int | Window | None) -> list[Solution]:
        """The solutions of a query; its windows must have been added."""
        return self.facts.ask(predicate, *map(self._value, arguments))

    def prove(self, predicate: str, *arguments: str | int | Window) -> Proof | None:
        """Why something holds; None if it does not."""
        return self.facts.prove(predicate, *map(self._given, arguments))

    def _given(self, argument: str | int | Window) -> str | int:
        return self._windows[argument] if isinstance(argument, Window) else argument

    def _value(self, argument: str | int | Window | None) -> str | int | None:
        return None if argument is None else self._given(argument)


def _extend_cover(cover: list[Event], event: Event) -> None:
    """Let a cover, by start, take up the time of a further event that starts no earlier."""
    start, end = minutes(event.start), minutes(event.end)
    if not cover:
        cover.append(event)
        return
    last_start, last_end = minutes(cover[-1].start), minutes(cover[-1].end)
    if start == end or (last_start < last_end and end <= last_end):
        return
    superfluous = last_start in (start, last_end) or (
        len(cover) > 1 and start <= minutes(cover[-2].end))
    if superfluous:
        cover[-1] = event
    else:
        cover.append(event)


def _covered(event: Event, cover: Iterable[Event]) -> bool:
    return any(minutes(each.start) <= minutes(event.start)
               and minutes(event.end) <= minutes(each.end) for each in cover)


def _order(event: Event) -> tuple[int, str]:
    return minutes(event.start), event.id


def _sweep(events: Iterable[Event]) -> Iterator[tuple[Event, Event]]:
    """Pairs of events at the same time; the events, and the pairs, by start."""
    running: list[Event] = []
    for event in events:
        start, end = minutes(event.start), minutes(event.end)
        running = [each for each in running if minutes(each.end) > start]
        yield from ((each, event) for each in running if minutes(each.start) < end)
        running.append(event)
