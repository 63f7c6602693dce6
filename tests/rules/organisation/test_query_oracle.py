from __future__ import annotations

import datetime as dt
import random
from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from possible_answers import members, stated

from frontdesk.kg.graph.entities import Event, Group, Person, Room
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.logical_forms import Form, Span
from frontdesk.kg.graph.windows import Window, WindowKind, day_window, instant
from frontdesk.rules.engine.packaged_rules import packaged_text
from frontdesk.rules.engine.prover import Prover
from frontdesk.rules.engine.query_answer import Resolution
from frontdesk.rules.organisation.calendar_queries import PROGRAMS
from frontdesk.rules.organisation.query_bounds import Account
from frontdesk.rules.organisation.query_calendar import QueryCalendar
from frontdesk.rules.organisation.query_statements import QueryStatements, at_some_time

UTC = ZoneInfo("UTC")
NOW = dt.datetime(2026, 3, 2, 9, 20, tzinfo=UTC)
PROVER = Prover({name: packaged_text(name) for name in PROGRAMS})


class Sampler:
    """Small calendars, and forms about them with what they may mean."""

    def __init__(self, seed: int, *, certain: bool = False) -> None:
        self.rng, self.certain = random.Random(seed), certain
        self.kb = self.organisation()
        self.entities: dict[Form, tuple[tuple[str, float], ...]] = {}
        self.windows: dict[Form, tuple[tuple[Window, float], ...]] = {}

    def organisation(self) -> KnowledgeBase:
        rng = self.rng
        people = [Person(f"p{n}", f"P {n}", group=rng.choice(["g0", "g1", None]),
                         office=rng.choice(["o0", "o1", None])) for n in range(rng.randint(2, 11))]
        rooms = [Room(f"r{n}", f"R {n}", floor=n) for n in range(rng.randint(1, 3))]
        events, uncertain = [], 0
        for number in range(rng.randint(0, 6)):
            start = NOW.replace(hour=rng.randint(8, 15), minute=rng.choice([0, 20, 30]))
            start += dt.timedelta(days=rng.choice([0, 0, 0, 1]))
            end = start + dt.timedelta(minutes=rng.choice([0, 15, 60, 90]))
            whole = rng.random() < 0.15
            if whole:
                start = start.replace(hour=0, minute=0)
                end = start + dt.timedelta(days=1)
            coming = tuple(rng.sample([each.id for each in people], rng.randint(0, 2)))
            organizer = rng.choice([None, rng.choice(people).id])
            maybe = tuple((each, 0.25) for each in coming if each != organizer
                          and rng.random() < 0.3)[:1] if uncertain < 2 and not self.certain else ()
            uncertain += len(maybe)
            taken = None if whole else rng.choice([None, rng.choice(rooms).id])
            events.append(Event(f"e{number}", f"E {number}", start, end, taken, organizer, coming,
                                rng.choice([None, "g0"]), whole, attendance=maybe))
        offices = [Room(f"o{n}", f"O {n}", bookable=False) for n in range(2)]
        return KnowledgeBase(name="small", timezone=UTC, people=people, events=events,
                             groups=[Group("g0", "G 0"), Group("g1", "G 1")],
                             rooms=[*rooms, *offices])

    def resolution(self) -> Resolution:
        return Resolution(self.entities, NOW, self.windows)

    def named(self, kind: str) -> Form:
        rng, table = self.rng, {"person": self.kb.people, "room": self.kb.rooms,
                                "group": self.kb.groups, "event": self.kb.events}[kind]
        form = Form(kind, (Span(f"name {len(self.entities)}"),))
        ids = rng.sample(list(table), min(len(table), rng.choice([1, 1, 2])))
        weights = [(1.0,), (0.9,)] if len(ids) < 2 else [(0.7, 0.3), (0.5, 0.25)]
        if self.certain:  # orders look into no world in which a reference means nothing
            weights = weights[:1]
        if not ids:
            return Form(kind)
        self.entities[form] = tuple(zip(ids, rng.choice(weights), strict=True))
        return form

    def time(self) -> Form:
        rng = self.rng
        head = rng.choice(["at", "at", "now", "before", "after"])
        if head == "now":
            return Form("now")
        form = Form(head, (Span(f"time {len(self.windows)}"),))
        day = rng.choice([2, 2, 3])
        hour = dt.datetime(2026, 3, day, rng.randint(8, 15), tzinfo=UTC)
        options = [instant(hour), Window(hour, hour + dt.timedelta(hours=2), WindowKind.SPAN)]
        if head == "at":
            options.append(day_window(dt.date(2026, 3, 3), UTC))
        if head == "before":
            options = [instant(dt.datetime(2026, 3, 3, hour.hour, tzinfo=UTC))]
        chosen = rng.sample(options, min(len(options), rng.choice([1, 1, 2])))
        weights = (1.0,) if len(chosen) == 1 else (0.75, 0.25)
        self.windows[form] = tuple(zip(chosen, weights, strict=True))
        return form

    def times(self) -> list[Form]:
        return [self.time()] if self.rng.random() < 0.4 else []

    def set_of(self, kind: str, depth: int) -> Form:
        rng = self.rng
        if rng.random() < (0.35 if depth else 0.8):
            return self.named(kind)
        if rng.random() < 0.15:
            return Form(rng.choice(["or", "and"]), (self.named(kind), self.named(kind)))
        conditions = [self.condition(kind, depth - 1) for _ in range(rng.randint(0, 2))]
        times = self.times() if kind == "event" else []
        if times and rng.random() < 0.4:
            conditions.append(self.edge())
        return Form(kind, (*conditions, *times))

    def edge(self) -> Form:
        return Form(self.rng.choice(["starting", "ending"]), (self.time(),))

    def clashes(self) -> Form:
        rng = self.rng
        given = (self.named(rng.choice(["event", "event", "person"])),) if rng.random() < 0.4 \
            else ()
        return Form("clashes", (*given, *self.times()))

    def condition(self, kind: str, depth: int) -> Form:
        rng = self.rng
        if rng.random() < 0.15:
            return Form("not", (self.condition(kind, depth),))
        if rng.random() < 0.1:
            return Form("except", (self.named(kind),))
        if rng.random() < 0.15:
            return self.clashes()
        heads = {"person": [("attends", "event"), ("member_of", "group"), ("organizer", "event"),
                            ("office", "room")],
                 "event": [("attends", "person"), ("attends", "group"), ("location", "room"),
                           ("organizer", "person"), ("held_by", "group")],
                 "room": [("location", "event")],
                 "group": [("held_by", "event"), ("attends", "event"), ("member_of", "person")]}
        if kind != "event" and rng.random() < 0.4:
            states = ["is_free", "is_busy"] + ["is_present"] * (kind == "person")
            return Form(rng.choice(states), tuple(self.times()))
        head, other = rng.choice(heads[kind])
        return Form(head, (self.set_of(other, max(depth, 0)),))

    def statement(self, depth: int = 1) -> Form:
        rng = self.rng
        if depth and rng.random() < 0.2:
            return rng.choice([Form("untrue", (self.statement(0),)),
                               Form("both", (self.statement(0), self.statement(0)))])
        kind = rng.choice(["person", "room", "event"])
        subject = self.set_of(kind, 1)
        if rng.random() < 0.2:
            return Form("clash", (subject, *self.clashes().arguments))
        if kind == "event" and rng.random() < 0.15:
            return Form("is", (self.named("event"), Form("event", (self.edge(),))))
        if kind != "event" and rng.random() < 0.5:
            heads = ["free", "busy"] + ["present"] * (kind == "person")
            return Form(rng.choice(heads), (subject, *self.times()))
        if rng.random() < 0.2:
            return Form("there", (subject,))
        head, other = {"person": ("attends", "event"), "room": ("location", "event"),
                       "event": rng.choice([("location", "room"), ("organizer", "person")])}[kind]
        return Form(head, (subject, self.named(other)))


class _Unpresuming(QueryCalendar):
    """Presumes nobody to be in of whom nothing tells: that is no matter of possible worlds."""

    def presumes(self, person: str, window: Window) -> bool:
        return False


def compiled(sampler: Sampler) -> QueryStatements:
    calendar = _Unpresuming(sampler.kb, NOW)
    return QueryStatements(calendar, sampler.resolution(), PROVER.slice, Account())


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 10 ** 9))
def test_sets_have_the_members_that_all_possible_worlds_give(seed):
    sampler = Sampler(seed)
    form = sampler.set_of(sampler.rng.choice(["person", "event", "event", "room", "group"]), 2)
    sets = compiled(sampler)
    found = dict(sets.program.members(sets.of(form).name))
    assert found == pytest.approx(members(sampler.kb, form, sampler.resolution())), str(form)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10 ** 9))
def test_orders_pick_what_they_pick_in_each_possible_world(seed):
    sampler = Sampler(seed, certain=True)
    rng = sampler.rng
    order = rng.choice([Form("nth", (rng.choice([1, 2, -1]),)), Form("longest"), Form("next")])
    conditions = tuple(sampler.condition("event", 0) for _ in range(rng.randint(0, 2)))
    day = Form("at", (Span("these days"),))
    sampler.windows[day] = ((Window(NOW.replace(hour=0), NOW + dt.timedelta(days=2)), 1.0),)
    form = Form("event", (*conditions, day, order))
    sets = compiled(sampler)
    found = dict(sets.program.members(sets.of(form).name))
    assume(not sets.account.notes)  # a note tells of worlds that were left out
    assert found == pytest.approx(members(sampler.kb, form, sampler.resolution())), str(form)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10 ** 9))
def test_orders_that_count_pick_those_with_the_most_or_the_fewest(seed):
    sampler = Sampler(seed, certain=True)
    rng = sampler.rng
    kind, head = rng.choice([("person", "organizer"), ("person", "attends"), ("room", "location"),
                             ("group", "held_by")])
    about = (Form(head, (Form("each"),)), *(
        sampler.condition("event", 0) for _ in range(rng.randint(0, 1))))
    order = Form(rng.choice(["most", "fewest"]), (Form("event", (*about, *sampler.times())),))
    form = Form(kind, (order,))
    sets = compiled(sampler)
    found = dict(sets.program.members(sets.of(form).name))
    assume(not sets.account.notes)
    assert found == pytest.approx(members(sampler.kb, form, sampler.resolution())), str(form)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10 ** 9))
def test_days_are_those_with_the_most_or_the_fewest(seed):
    sampler = Sampler(seed, certain=True)
    rng, each = sampler.rng, Form("at", (Form("each"),))
    conditions = tuple(sampler.condition("event", 0) for _ in range(rng.randint(0, 2)))
    # States of a day that has begun are those of what is left of it.
    assume(not any(part.head.startswith("is_") for form in conditions for part in form.walk()))
    sampler.entities = {form: ((meant[0][0], 1.0),) for form, meant in sampler.entities.items()}
    both = Form("at", (Span("these days"),))
    days = [day_window(dt.date(2026, 3, number), UTC) for number in (2, 3)]
    sampler.windows[both] = ((Window(days[0].start, days[1].end), 1.0),)
    head, sets = rng.choice(["most", "fewest"]), compiled(sampler)
    found = sets.days(Form("day", (both, Form(head, (Form("event", (*conditions, each)),)))))
    numbers = {}
    for day in days:
        time = Form("at", (Span(str(day.date)),))
        form = Form("event", (*conditions, time))
        meant = replace(sampler.resolution(), windows={**sampler.windows, time: ((day, 1.0),)})
        numbers[day] = len(members(sampler.kb, form, meant))
    extreme = (max if head == "most" else min)(numbers.values())
    assume(not sets.account.notes)
    assert {each.window: (each.number, each.probability) for each in found} == {
        day: (number, 1.0) for day, number in numbers.items()
        if number == extreme and (number or head == "fewest")}


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 10 ** 9))
def test_statements_are_as_probable_as_the_possible_worlds_in_which_they_hold(seed):
    sampler = Sampler(seed)
    form = sampler.statement()
    # Free stretches are those of who rather comes, as for a length of time: no possible worlds.
    assume(not any(map(at_some_time, form.walk())))
    sets = compiled(sampler)
    name = sets.program.named("asked")
    sets.program.rule(name, (), [sets.statement(form)])
    expected = stated(sampler.kb, form, sampler.resolution())
    assert sets.program.probability(name) == pytest.approx(expected), str(form)
