"""A calendar as a plain table, and random actions on it: what the real ones are compared with.

Nothing here uses what the calendars are made of: collisions are looked for by brute force.
"""

from __future__ import annotations

import datetime as dt
import random
from collections import Counter
from dataclasses import replace

from frontdesk.agent.calendars.calendar import Calendar, ConflictError, StaleEventError
from frontdesk.kg.graph.changes import EventChange, Message, Notice, Transaction
from frontdesk.kg.graph.entities import Event, Person, Room
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

from .organisation import NOW, OSLO

PEOPLE = tuple(f"p{number}" for number in range(5))
ROOMS = ("r0", "r1", "r2")
START = dt.datetime(2026, 3, 28, 20, tzinfo=OSLO)  # clocks go forward in the night after

Pair = tuple[Event | None, Event | None]


def organisation() -> KnowledgeBase:
    return KnowledgeBase(
        name="Model", timezone=OSLO, rooms=[Room(room, room.upper()) for room in ROOMS],
        people=[Person(person, f"Name {person}", email=f"{person}@model.example")
                for person in PEOPLE])


def span(event: Event) -> tuple[float, float]:
    return event.start.timestamp(), event.end.timestamp()


def certain(event: Event) -> set[str]:
    unsure = {person for person, _ in event.attendance if person != event.organizer}
    return ({event.location} | {event.organizer} | set(event.attendees)) - unsure - {None}


def overlap(one: Event | None, other: Event | None, subject: str) -> tuple[float, float] | None:
    if one is None or other is None or subject not in certain(one) & certain(other):
        return None
    start = max(span(one)[0], span(other)[0])
    end = min(span(one)[1], span(other)[1])
    return (start, end) if start < end else None


def double_bookings(events: dict[str, Event]) -> set[tuple[str, str, str]]:
    listed = sorted(events.values(), key=lambda event: event.id)
    return {(one.id, other.id, subject) for index, one in enumerate(listed)
            for other in listed[index + 1:] for subject in certain(one) & certain(other)
            if overlap(one, other, subject)}


class Model:
    """What a calendar must hold and must have told."""

    def __init__(self) -> None:
        self.events: dict[str, Event] = {}
        self.made: dict[str, Transaction] = {}
        self.told: Counter[tuple[object, ...]] = Counter()

    def verdict(self, transaction: Transaction) -> str:
        if transaction.id in self.made:
            return "repeated"
        if any(self.events.get(change.event.id) != change.before
               for change in transaction.changes):
            return "stale"
        after = self.after(transaction)
        for change in transaction.changes:
            for other in after.values():
                if change.after is None or other.id == change.after.id:
                    continue
                for subject in certain(change.after) & certain(other):
                    now = overlap(change.after, other, subject)
                    was = overlap(change.before, self.events.get(other.id), subject)
                    if now and not (was and was[0] <= now[0] and now[1] <= was[1]):
                        return "conflict"
        return "made"

    def after(self, transaction: Transaction) -> dict[str, Event]:
        events = dict(self.events)
        for change in transaction.changes:
            events.pop(change.event.id, None)
            if change.after is not None:
                events[change.after.id] = change.after
        return events

    def make(self, transaction: Transaction) -> None:
        self.events = self.after(transaction)
        self.made[transaction.id] = transaction
        self.told.update(notices_of(transaction))


def notices_of(transaction: Transaction) -> Counter[tuple[object, ...]]:
    """Who must be told what: the difference between two tables, person by person."""
    told: Counter[tuple[object, ...]] = Counter()
    for change in transaction.changes:
        before, after = change.before, change.after
        was = {before.organizer, *before.attendees} if before else set()
        now = {after.organizer, *after.attendees} if after else set()
        for person in (was | now) - {None, transaction.by}:
            if person in was and person in now:
                fields = tuple(name for name in ("name", "start", "end", "location", "organizer")
                               if getattr(before, name) != getattr(after, name))
                if fields:
                    told[person, "changed", after, fields, ""] += 1
            elif person in now:
                told[person, "invited", after, (), ""] += 1
            else:
                kind = "removed" if after else "cancelled"
                told[person, kind, before, (), ""] += 1  # no new state is theirs
    for message in transaction.messages:
        told[message.recipient, "message", None, (), message.text] += 1
    return told


def as_told(notice: Notice) -> tuple[object, ...]:
    return notice.person, str(notice.kind), notice.event, notice.fields, notice.text


class Actions:
    """Random actions of visitors, some of them impossible."""

    def __init__(self, chance: random.Random, model: Model) -> None:
        self.chance, self.model = chance, model
        self.number = 0

    def next(self) -> Transaction:
        chance, made = self.chance, list(self.model.made.values())
        self.number += 1
        kind = chance.choices(("new", "repeat", "undo", "stale"), (12, 1, 2, 1))[0]
        if kind == "repeat" and made:
            return chance.choice(made)
        if kind == "undo" and made:
            return chance.choice(made).inverse(NOW)
        pairs: list[Pair] = []
        for _ in range(chance.choices((1, 2, 3), (6, 2, 1))[0]):
            pair = self.change()
            if pair and all((pair[0] or pair[1]).id != (each[0] or each[1]).id for each in pairs):
                pairs.append(pair)
        if kind == "stale" and pairs and pairs[0][0] is not None:
            pairs[0] = replace(pairs[0][0], name="as it was"), pairs[0][1]
        messages = (Message(chance.choice(PEOPLE), f"message {self.number}"),) \
            if chance.random() < 0.1 or not pairs else ()
        return Transaction(f"t{self.number}", NOW, chance.choice((None, *PEOPLE)),
                           tuple(EventChange(*pair) for pair in pairs), messages)

    def change(self) -> Pair | None:
        chance, events = self.chance, list(self.model.events.values())
        if not events or chance.random() < 0.35:
            start, end = self.times()
            attendees = self.people()
            return None, Event(
                f"e{self.number}-{chance.randrange(10)}", f"meeting {self.number}", start, end,
                chance.choice((None, *ROOMS)), chance.choice((None, *PEOPLE)), attendees,
                attendance=tuple((person, 0.5) for person in attendees
                                 if chance.random() < 0.15), private=chance.random() < 0.1)
        before = chance.choice(events)
        kind = chance.choice(("move", "rename", "place", "invite", "remove", "organise",
                              "cancel", "private"))
        if kind == "cancel":
            return before, None
        after = before
        if kind == "move":
            start, end = self.times()
            after = replace(before, start=start, end=end)
        elif kind == "rename":
            after = replace(before, name=f"renamed {self.number}")
        elif kind == "place":
            after = replace(before, location=chance.choice((None, *ROOMS)))
        elif kind == "invite":
            after = replace(before, attendees=tuple(dict.fromkeys((
                *before.attendees, chance.choice(PEOPLE)))))
        elif kind == "remove" and before.attendees:
            gone = chance.choice(before.attendees)
            after = replace(
                before, attendees=tuple(each for each in before.attendees if each != gone),
                attendance=tuple(each for each in before.attendance if each[0] != gone))
        elif kind == "organise":
            after = replace(before, organizer=chance.choice((None, *PEOPLE)))
        elif kind == "private":
            after = replace(before, private=not before.private)
        return before, after

    def times(self) -> tuple[dt.datetime, dt.datetime]:
        # Counted in UTC, so that no time falls into the hour that the night does not have.
        start = START.astimezone(dt.UTC) + dt.timedelta(minutes=30 * self.chance.randrange(24))
        end = start + dt.timedelta(minutes=30 * self.chance.randint(1, 4))
        return start.astimezone(OSLO), end.astimezone(OSLO)

    def people(self) -> tuple[str, ...]:
        return tuple(self.chance.sample(PEOPLE, self.chance.randint(0, 3)))


def compare(calendar: Calendar, model: Model, transaction: Transaction) -> str:
    """Give a transaction to a calendar and to the model; both must say and hold the same."""
    verdict = model.verdict(transaction)
    try:
        receipt = calendar.commit(transaction)
    except ConflictError:
        assert verdict == "conflict", (verdict, transaction)
    except StaleEventError:
        assert verdict == "stale", (verdict, transaction)
    else:
        assert verdict in ("made", "repeated"), (verdict, transaction)
        if verdict == "made":
            model.make(transaction)
        assert Counter(map(as_told, receipt.notices)) == notices_of(
            model.made[transaction.id])
    return verdict


def assert_alike(calendar: Calendar, model: Model) -> None:
    """No lost and no phantom event; everybody was told of everything, once."""
    assert dict(calendar.state().kb.events) == model.events
    assert Counter(as_told(each.notice) for each in calendar.outbox().waiting()) == model.told
    assert [each.id for each in calendar.trail()] == list(model.made)
