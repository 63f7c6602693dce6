"""Statements of a query as goals of its program: what is so or not."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Sequence
from typing import Self

from frontdesk.kg.graph.entities import EntityType, Event
from frontdesk.kg.graph.logical_forms import Form
from frontdesk.kg.graph.timeline import minutes
from frontdesk.kg.graph.windows import Window, WindowKind
from frontdesk.rules.engine.query_program import Condition, X, fails, holds
from frontdesk.rules.engine.query_readings import reference
from frontdesk.rules.engine.query_times import TimeBound
from frontdesk.rules.organisation.query_bounds import (
    ONE_MINUTE,
    Bounded,
    EntitySet,
    MissingError,
    Parts,
    parts_of,
)
from frontdesk.rules.organisation.query_days import QueryDays
from frontdesk.rules.organisation.query_edges import EDGES
from frontdesk.rules.organisation.query_relations import ATTENDANCE, RELATIONS

STATES = {"free": "is_free", "busy": "is_busy", "present": "is_present"}


class QueryStatements(QueryDays):
    """Makes the statements of a query; see :class:`QueryBounds`."""

    def statement(self, form: Form) -> Condition:
        """A statement as a goal without arguments.

        Raises:
            MissingError: It is about what is not known.
        """
        parts = parts_of(form.arguments)
        if form.head == "untrue":
            predicate, arguments, must = self.statement(parts.conditions[0])
            return predicate, arguments, not must
        if form.head == "both":
            name = self.program.named("both")
            self.program.rule(name, (), [self.statement(each) for each in parts.conditions])
            return holds(name)
        if form.head == "amount":
            return self._in_worlds([form], lambda inner: len(inner.likely(
                inner.of(parts.entities[0], pick=False))) == parts.number)
        if form.head == "more":
            return self._in_worlds([form], lambda inner: inner.comes_first(form))
        if not parts.entities:
            raise MissingError(form.head)
        if form.head == "clash":
            base, clash = self.clashes(form)
            return self.said_of(base, clash.goal)
        form = self.of_members(form)
        parts = parts_of(form.arguments)
        subject = parts.entities[0]
        if form.head == "there":
            return self.said_of(self.of(subject, pick=False), None)
        if form.head == "is" and parts.times:
            return self._is_at(subject, parts.times)
        if form.head == "is":
            return self._same(subject, parts.entities[1])
        condition = Form(STATES.get(form.head, form.head), form.arguments[1:])
        base = self.of(subject)
        goal, _ = self.condition(condition, base, []) if not at_some_time(form) else \
            self.free_so_long(ONE_MINUTE, self.states(parts.times), base)
        return self._then(self.said_of(base, goal), form.head, parts)

    def of_members(self, form: Form) -> Form:
        """A group comes to what people are invited to where each of its members comes."""
        subject, *others = parts_of(form.arguments).entities or [form]
        if form.head not in ATTENDANCE or not others:
            return form
        groups, events = self.of(subject).candidates, self.of(others[0]).candidates
        if not groups or not all(self.kb.members(each) for each in groups) or not any(
                self.kb.events[each].attendees for each in events if each in self.kb.events):
            return form
        members = Form("person", (Form("member_of", (subject,)),))
        return Form(form.head, (Form("and", (members,)), *form.arguments[1:]))

    def _then(self, stated: Condition, head: str, parts: Parts) -> Condition:
        """A relation of an event also says that it takes place at the time that is said."""
        event = next((each for each in parts.entities if head in RELATIONS and any(
            one in self.kb.events for one in self.of(each).candidates)), None)
        times = [each for each in parts.times if each.head != "lasting"]
        if event is None or not times:
            return stated
        name = self.program.named("then")
        self.program.rule(name, (), [stated, self._is_at(event, times, starts=False)])
        return holds(name)

    def said_of(self, base: EntitySet, goal: Condition | None) -> Condition:
        """That a goal holds of some of a set, or of each."""
        name, some = self.program.named("stated"), [holds(base.name, X)]
        if goal is None or not base.every:
            self.program.rule(name, (), some if goal is None else [*some, goal])
            return holds(name)
        exception = self.program.named("exception")
        self.program.rule(exception, (), [*some, (goal[0], goal[1], not goal[2])])
        self.program.rule(name, (), [*some, fails(exception)])
        return holds(name)

    def _same(self, one: Form, other: Form) -> Condition:
        described = parts_of(other.arguments)
        if other.head == EntityType.EVENT and reference(other, self.resolution) is None \
                and any(each.head in EDGES for each in described.conditions):
            subject = self.of_day(one, described.times)  # on whatever day that is
            return self.said_of(self._narrowed(subject, described, []), None)
        name = self.program.named("same")
        self.program.rule(name, (), [holds(self.of(one).name, X),
                                     holds(self.of(other, pick=False).name, X)])
        return holds(name)

    def _is_at(self, subject: Form, times: Sequence[Form], *, starts: bool = True) -> Condition:
        """That an event is at a time: starts at an instant, is at least partly in a stretch."""
        base, bounds = self.of_day(subject, times), self.bounds(times)
        if base.candidates and not any(each in self.kb.events for each in base.candidates):
            raise MissingError("is")  # people and rooms are not at a time
        if times[0].head == "lasting":
            return self._is_long(base, self.length(times[0]))
        edges = {each.head for each in times} & {"from", "until"}
        if edges:
            return self._has_edges(base, bounds, edges)
        bounds = [Bounded(TimeBound(Window(each.window.start, each.window.start + ONE_MINUTE),
                                    starts=True), each.body)
                  if starts and each.window.kind is WindowKind.INSTANT else each for each in bounds]
        kept, goals = self.during(base.candidates, bounds)
        name, within = self.program.named("at"), self.program.named("candidate")
        for each in kept:
            self.program.fact(within, each)
        self.program.rule(name, (), [holds(base.name, X), holds(within, X), *goals])
        return holds(name)

    def _is_long(self, base: EntitySet, length: dt.timedelta) -> Condition:
        """That an event lasts so long."""
        name, within = self.program.named("long"), self.program.named("candidate")
        for each in base.candidates:
            event = self.kb.events.get(each)
            if event is not None and event.end - event.start == length:
                self.program.fact(within, each)
        self.program.rule(name, (), [holds(base.name, X), holds(within, X)])
        return holds(name)

    def _has_edges(self, base: EntitySet, bounds: Sequence[Bounded], edges: Collection[str]
                   ) -> Condition:
        """That an event starts where a time does, or ends where it does, or both."""
        name, goal = self.program.named("edges"), self.program.named("at")
        for bounded in bounds:
            for each in base.candidates:
                if each in self.kb.events and _has_edges(self.kb.events[each], bounded.window,
                                                         edges):
                    self.program.rule(name, (each,), bounded.body)
        self.program.rule(goal, (), [holds(base.name, X), holds(name, X)])
        return holds(goal)

    def of_day(self, subject: Form, times: Sequence[Form]) -> EntitySet:
        """An event; of one that recurs, the occurrences on the days spoken of if there are any."""
        if reference(subject, self.resolution) is None:
            return self.of(subject, times)
        every = self.of(subject, pick=False)
        days = {each.window.date for each in self.bounds(times)}
        if any(self.kb.events[each].start.date() in days for each in every.candidates
               if each in self.kb.events):
            return every
        return self.of(subject)

    def comes_first(self, form: Form) -> bool:
        """Whether the first of two comes before the second in an order, where all is certain.

        Raises:
            MissingError: Of one of them it is not known what they are compared by.
        """
        one, other = self.compared(form)
        if not (one and other):
            raise MissingError(parts_of(form.arguments).orders[0].head)
        return min(one) < min(other)

    def compared(self, form: Form) -> list[list[int]]:
        """The measures of both sides of ``(more order one other)``, the least comes first."""
        parts = parts_of(form.arguments)
        return [[value for each in self.likely(self.of(side, parts.times)) if (
            value := self.measure(parts.orders[0], each, parts.times)) is not None]
            for side in parts.entities]

    def _in_worlds(self, forms: Sequence[Form], is_so: Callable[[Self], bool]) -> Condition:
        name = self.program.named("so")
        for inner, body in self.in_worlds(forms):
            if is_so(inner):
                self.program.rule(name, (), body)
        return holds(name)


def _has_edges(event: Event, window: Window, edges: Collection[str]) -> bool:
    """Whether an event starts or ends where a window does; by the day where that is midnight."""
    pairs = {"from": (event.start, window.start),
             "until": (event.end - ONE_MINUTE, window.end - ONE_MINUTE)}
    return all(one.date() == other.date() if asked.time() == dt.time() else
               minutes(one) == minutes(other) for edge, (one, other) in pairs.items()
               if edge in edges for asked in [window.start if edge == "from" else window.end])


def at_some_time(statement: Form) -> bool:
    """Whether it is enough that somebody is free at some time: "by five", not until then."""
    times = [each.head for each in parts_of(statement.arguments).times]
    return statement.head == "free" and "before" in times and "lasting" not in times
