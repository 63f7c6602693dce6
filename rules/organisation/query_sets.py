"""Sets of entities of a query as predicates of its program."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Self

from frontdesk.kg.graph.entities import EntityType
from frontdesk.kg.graph.logical_forms import Form
from frontdesk.kg.graph.timeline import Timeline
from frontdesk.kg.graph.windows import Window
from frontdesk.rules.engine.prover import Slice
from frontdesk.rules.engine.query_answer import Resolution
from frontdesk.rules.engine.query_program import Condition, X, holds
from frontdesk.rules.engine.query_readings import Meaning, reference
from frontdesk.rules.engine.query_times import BESIDE_THEN, coming_days
from frontdesk.rules.organisation.query_bounds import (
    Account,
    EntitySet,
    MissingError,
    Parts,
    parts_of,
)
from frontdesk.rules.organisation.query_calendar import QueryCalendar
from frontdesk.rules.organisation.query_counts import QueryCounts
from frontdesk.rules.organisation.query_orders import FIRST, PICK, Orders
from frontdesk.rules.organisation.query_relations import RELATIONS

#: Events before or after now among which the next or the last is.
MOST_NEAR = 24
_TYPES = (EntityType.PERSON, EntityType.GROUP, EntityType.ROOM, EntityType.EVENT)
#: Orders that go by the present.
_NEAR = ("next", "previous")
#: What was told before, in the order of that.
_TOLD = ("answers", "those")


class QuerySets(QueryCounts):
    """Makes the sets of a query.

    Args:
        calendar, resolution, new_slice, account: See :class:`QueryBounds`.
    """

    def __init__(self, calendar: QueryCalendar, resolution: Resolution,
                 new_slice: Callable[[], Slice], account: Account) -> None:
        super().__init__(calendar, resolution, new_slice, account)
        #: In a possible world, the form whose order is looked for.
        self._unordered: Form | None = None
        self._sets: dict[tuple[Form, tuple[Form, ...], bool], EntitySet] = {}

    # --- sets

    def of(self, form: Form, times: Sequence[Form] = (), *, pick: bool = True) -> EntitySet:
        """The set of a form.

        Args:
            times: Those of what the form stands in, for conditions that have none of their own.
            pick: Of an event that recurs only one occurrence is meant, unless a time, an order or
                a condition says which.

        Raises:
            MissingError: It asks for what is not known.
        """
        key = (form, tuple(times), pick)
        if key not in self._sets:
            self._sets[key] = self._make(form, list(times), pick)
        return self._sets[key]

    def _make(self, form: Form, times: list[Form], pick: bool) -> EntitySet:
        parts = parts_of(form.arguments)
        if form.head == EntityType.EVENT and not parts.times:  # when somebody is at it, it is
            parts = replace(parts, times=[time for each in parts.conditions
                                          if each.head in RELATIONS
                                          for time in parts_of(each.arguments).times])
        if form.head == EntityType.EVENT and (lasting := [
                each for each in parts.times if each.head == "lasting"]):
            parts = replace(parts, conditions=[*parts.conditions, *lasting], times=[
                each for each in parts.times if each not in lasting])
        if form.head in ("or", "and"):
            return self._union(form, parts, times, pick)
        if form.head == "slot":
            raise MissingError("slot")
        if form != self._unordered and (orders := self._orders(form, parts, times, pick)):
            return self._ordered(form, orders, parts, times)
        if form.head == "among":
            base = self.of(parts.entities[0], times, pick=False)
            return self._narrowed(base, parts, times)
        key = reference(form, self.resolution)
        if key is not None:
            return self._referred(form, key, parts, times, pick)
        if form.head not in _TYPES:
            raise MissingError(form.head)
        candidates = self._events(parts, times) if form.head == EntityType.EVENT \
            else self._entities(form.head, parts)
        name = self.program.named("any")
        for each in candidates:
            self.program.fact(name, each)
        return self._narrowed(EntitySet(name, tuple(candidates)), parts, times)

    def _union(self, form: Form, parts: Parts, times: list[Form], pick: bool) -> EntitySet:
        name = self.program.named("union")
        candidates: dict[str, None] = {}
        for each in parts.entities:
            part = self.of(each, times, pick=pick)
            self.program.rule(name, (X,), [holds(part.name, X)])
            candidates |= dict.fromkeys(part.candidates)
        return EntitySet(name, tuple(candidates), form.head == "and", told=True, together=True)

    def _referred(self, form: Form, key: Form, parts: Parts, times: list[Form], pick: bool
                  ) -> EntitySet:
        """What words or an anaphor refer to, as far as its conditions hold."""
        meanings = self.readings.meanings(key)
        if not meanings:
            raise MissingError(*parts.words or [form.head])
        name, candidates = self.program.named("meant"), dict[str, None]()
        bodies = self.program.choice(key, [each.probability for each in meanings])
        plural = key in self.resolution.plural
        if times and not any(self._recurs(meaning) for meaning in meanings):
            if all(self._may_be_in(meaning, times) for meaning in meanings):
                self.account.used.update(times)
            times = []  # which of them is not in question
        picks = pick and not plural and not (parts.times or times or parts.conditions)
        later = [each.head for each in parts.times if each.head in BESIDE_THEN]
        self.account.used.update(each for each in parts.times if each.head in later)
        if later and any(map(self._recurs, meanings)):  # on whatever day that is
            parts = replace(parts, times=[each for each in parts.times
                                          if each.head not in BESIDE_THEN])
        else:
            later = []
        over = not plural and [each.head for each in parts.times] == ["so_far"] and any(
            self._last_begun(meaning) for meaning in meanings)
        if over:
            self.account.used.update(parts.times)
            parts = replace(parts, times=[])
        for meaning, body in zip(meanings, bodies, strict=True):
            if over:
                members: Sequence[str] = self._last_begun(meaning)
            elif picks:
                members = self.calendar.occurrence(meaning.entities)
            else:
                members = [each for each in meaning.entities if self._beside_then(each, later)]
            for each in members:
                self.program.rule(name, (each,), body)
                candidates[each] = None
        several = plural and len(candidates) > 1
        base = EntitySet(name, tuple(candidates), several, told=True, together=several)
        return self._narrowed(base, parts, times)

    def _last_begun(self, meaning: Meaning) -> list[str]:
        """The occurrences that have begun of the last day that has any."""
        begun = [event for each in meaning.entities if (event := self.kb.events.get(each))
                 and event.start <= self.now]
        last = max((event.start.date() for event in begun), default=None)
        return [event.id for event in begun if event.start.date() == last]

    def _beside_then(self, event_id: str, relations: Sequence[str]) -> bool:
        """Whether an occurrence is after, or before, what was spoken of last."""
        then, event = self.resolution.then, self.kb.events.get(event_id)
        return then is None or event is None or all(
            event.start >= then.end if each == "then_after" else event.end <= then.start
            for each in relations)

    def _may_be_in(self, meaning: Meaning, times: Sequence[Form]) -> bool:
        """Whether an event that is meant may be in some times."""
        bounds = self.bounds(times, restrict=False)
        return any(self.is_in(each, bounded) for each in meaning.entities
                   if each in self.kb.events for bounded in bounds)

    def _recurs(self, meaning: Meaning) -> bool:
        return sum(each in self.kb.events for each in meaning.entities) > 1

    def _entities(self, kind: str, parts: Parts) -> list[str]:
        offices = kind == EntityType.ROOM and any(
            each.head in ("office", "office_of") for each in parts.conditions)
        return self.calendar.by_name(self.kb.rooms) if offices else self.calendar.of_type(kind)

    # --- events

    def _events(self, parts: Parts, times: list[Form]) -> list[str]:
        """The events that can fulfil conditions, by owners and time."""
        own = parts.times or times
        if own:
            windows = [each.window for each in self.bounds(own)]
        elif any(each.head in _NEAR for each in parts.orders):
            span = self.calendar.span()
            now = self.now
            ahead = any(each.head == "next" for each in parts.orders)
            windows = [Window(now, span.end) if ahead else Window(span.start, now)]
        elif days := self.edge_days(parts.conditions):
            windows = days
        elif any(each.head == "nth" for each in parts.orders):
            day = coming_days(self.now)
            windows = [Window(day.start, day.start + (day.end - day.start) / 7)]
        else:
            windows = [coming_days(self.now)]
        found: set[str] | None = None
        for condition in parts.conditions:
            timelines = self._timelines(condition, own)
            if timelines is not None:
                ids = set(self.calendar.events(timelines, windows))
                found = ids if found is None else found & ids
        every = self.calendar.events([self.kb.timeline()], windows) if found is None \
            else self.calendar.by_name(found)
        if found is None:  # of whom nobody is named, hidden events are no events
            every = [each for each in every if each not in self.calendar.hidden]
        if parts.orders or not any(each.head == "attends" for each in parts.conditions):
            # Leave is what somebody has on, but no meeting, and nothing that comes first or last.
            every = [each for each in every if not self.calendar.is_away(self.kb.events[each])]
        near = [each.head for each in parts.orders if each.head in _NEAR]
        if near and all(self._timelines(each, own) is not None for each in parts.conditions):
            most = max(MOST_NEAR, *(abs(each.arguments[0]) for each in parts.orders
                                    if each.arguments and isinstance(each.arguments[0], int)), 0)
            return every[:most] if "next" in near else every[-most:]
        if len(every) > self.most_candidates:
            which = "last" if near and "next" not in near else "first"
            self.note(f"only the {which} {self.most_candidates} of {len(every):,} events were "
                      "looked at")
            if which == "last":
                return every[-self.most_candidates:]
        return every[:self.most_candidates]

    def _timelines(self, condition: Form, times: Sequence[Form]) -> list[Timeline] | None:
        """The timelines on which the events are for which a condition holds at some times; None for
        any."""
        table = RELATIONS.get(condition.head)
        given = parts_of(condition.arguments).entities
        if table is None or not given:
            return None
        owners = self.of(given[0], times).candidates
        if any((EntityType.EVENT, self.calendar.type_of(each)) not in table for each in owners):
            return None
        if table is RELATIONS["organizer"]:
            return [self.kb.organised_by(each) for each in owners]
        return [timeline for each in owners for timeline in self.calendar.timelines(each)]

    # --- conditions, times and order of a set

    def _narrowed(self, base: EntitySet, parts: Parts, times: list[Form]) -> EntitySet:
        """Those of a set for which conditions hold at some times."""
        last = [each for each in parts.conditions
                if any(part.head == "clashes" for part in each.walk())]
        if last and len(last) < len(parts.conditions):  # events overlap with others of the set
            first = [each for each in parts.conditions if each not in last]
            base = self._narrowed(base, replace(parts, conditions=first), times)
            parts = replace(parts, conditions=last)
        candidates, goals = list(base.candidates), list[Condition]()
        context = parts.times or times
        if context and any(each in self.kb.events for each in candidates):
            candidates, goals = self.during(candidates, self.bounds(context))
        for condition in parts.conditions:
            goal, within = self.condition(condition, replace(base, candidates=tuple(candidates)),
                                          context)
            goals.append(goal)
            if within is not None:
                candidates = [each for each in candidates if each in within]
        if not goals and len(candidates) == len(base.candidates):
            return base
        name, candidate = self.program.named("set"), self.program.named("candidate")
        for each in candidates:
            self.program.fact(candidate, each)
        # What relates it to others finds few of many: it is asked first.
        finding = [each for each in goals if each[2]]
        self.program.rule(name, (X,), [*finding, holds(candidate, X), holds(base.name, X),
                                       *(each for each in goals if not each[2])])
        return replace(base, name=name, candidates=tuple(candidates))

    def _orders(self, form: Form, parts: Parts, times: list[Form], pick: bool) -> list[Form]:
        """The orders of a form, those that go without saying among them."""
        key = reference(form, self.resolution)
        orders = list(parts.orders)
        if any(each.head == "straight_after" for each in parts.times or times) \
                and form.head == EntityType.EVENT:
            orders.insert(0, FIRST)
        if key is not None and not orders and pick and parts.conditions \
                and key not in self.resolution.plural and not (parts.times or times) \
                and not any(each.head == "except" for each in parts.conditions) \
                and any(map(self._recurs, self.readings.meanings(key))):
            orders.append(PICK)
        return orders

    def _ordered(self, form: Form, orders: list[Form], parts: Parts, times: list[Form]
                 ) -> EntitySet:
        """What orders pick, in each possible world of what it rests on."""
        name, found = self.program.named("ordered"), dict[str, None]()
        self.account.used.update(orders)
        by_time = any(each.head in ("most", "fewest") for each in orders)
        for inner, body in self.in_worlds([form, *times]):
            inner._unordered = form
            own = parts.times or times
            windows = [each.window for each in inner.bounds(own, restrict=by_time)]
            unordered = inner.of(form, times, pick=False)
            place = {each: number for number, each in enumerate(unordered.candidates)}
            members = sorted(inner.program.members(unordered.name), key=lambda each:
                             place.get(each[0], 0))
            counts = inner.counts(orders, [each for each, _ in members], own)
            for each, probability in Orders(self.calendar, windows, counts).apply(
                    orders, members, told=form.head in _TOLD):
                chosen = self.program.named("chosen")
                self.program.fact(chosen, each, probability=probability)
                self.program.rule(name, (each,), [*body, holds(chosen, each)])
                found[each] = None
        return EntitySet(name, tuple(found))

    def in_worlds(self, forms: Sequence[Form]) -> Iterator[tuple[Self, list[Condition]]]:
        """The possible worlds of forms, each with what holds in it."""
        worlds, cut = self.readings.worlds(forms)
        if cut:
            self.note(f"of what may be meant the {len(worlds)} likeliest were looked into")
        weights = self.readings.weights(forms)
        for world in worlds:
            yield type(self)(self.calendar, world.resolution, self.new_slice, self.account), [
                condition for each, number in world.drawn.items()
                for condition in self.program.choice(each, weights[each])[number]]
