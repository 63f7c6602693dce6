"""The times of a query's forms, in all their readings."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from math import prod

from frontdesk.kg.english.phrases import say_window
from frontdesk.kg.graph.logical_forms import CORE, ENTITY_TYPES, Form, Sort, Span
from frontdesk.kg.graph.timeline import minutes
from frontdesk.kg.graph.windows import Window, instant, now_window
from frontdesk.kg.times.time_clocks import zone_in
from frontdesk.rules.engine.prover import Slice
from frontdesk.rules.engine.query_answer import Resolution
from frontdesk.rules.engine.query_program import Condition, QueryProgram, X, holds
from frontdesk.rules.engine.query_readings import Readings
from frontdesk.rules.engine.query_times import TimeBound, TimePart, bound_of, rest_of
from frontdesk.rules.organisation.query_calendar import QueryCalendar, QueryFacts

#: Readings of all times of a form together.
MOST_BOUNDS = 8
#: Combinations of the readings of several times that are looked at.
MOST_COMBINED = 64
ONE_MINUTE = dt.timedelta(minutes=1)
#: A note where what is over is asked of a time that has not begun.
NOT_YET = "that time is still to come"


class MissingError(Exception):
    """A form asks for what the graph does not know.

    Args:
        missing: In words of the utterance.
    """

    def __init__(self, *missing: str) -> None:
        super().__init__(*missing)
        self.missing = missing


@dataclass
class Account:
    """How an answer was found; all possible worlds of a query share it.

    Args:
        notes: What was left out or cut short, in words.
    """

    notes: list[str] = field(default_factory=list)
    used: set[Form] = field(default_factory=set)


@dataclass(frozen=True)
class EntitySet:
    """A set of entities.

    Args:
        every: What is said of it is said of each of its members, not of some.
        told: Words or an anaphor mean it; ``together`` if they mean several.
    """

    name: str
    candidates: tuple[str, ...]
    every: bool = False
    told: bool = False
    together: bool = False


@dataclass(frozen=True)
class Bounded:
    """A time in one of its readings.

    Args:
        body: What holds where it is that.
    """

    bound: TimeBound
    body: tuple[Condition, ...] = ()

    @property
    def window(self) -> Window:
        """The stretch of time."""
        return self.bound.window


@dataclass
class Parts:
    """The arguments of a form by sort.

    Args:
        words: Spans, and what a description says.
    """

    words: list[str] = field(default_factory=list)
    entities: list[Form] = field(default_factory=list)
    conditions: list[Form] = field(default_factory=list)
    times: list[Form] = field(default_factory=list)
    orders: list[Form] = field(default_factory=list)
    number: int | None = None


def parts_of(arguments: Iterable[object]) -> Parts:
    """Arguments by sort."""
    parts = Parts()
    by_sort = {Sort.TIME: parts.times, Sort.ORDER: parts.orders, Sort.ENTITIES: parts.entities}
    for each in arguments:
        if isinstance(each, Span):
            parts.words.append(each.text)
        elif isinstance(each, int):
            parts.number = each
        elif isinstance(each, Form) and each.head in ("like", "type"):
            parts.words += [span.text for span in each.spans()]
        elif isinstance(each, Form):
            sort = CORE[each.head].sort if each.head in CORE else None
            if each.head in ENTITY_TYPES:
                sort = Sort.ENTITIES
            (by_sort.get(sort, parts.conditions) if sort else parts.conditions).append(each)
    return parts


class QueryBounds:
    """The program of a query and the times in it.

    Args:
        new_slice: Makes an empty slice over the rules.
        account: Gets what was left out, and what was taken into account.
    """

    def __init__(self, calendar: QueryCalendar, resolution: Resolution,
                 new_slice: Callable[[], Slice], account: Account) -> None:
        self.calendar, self.resolution, self.account = calendar, resolution, account
        self.kb, self.now = calendar.kb, calendar.now
        self.new_slice = new_slice
        self.readings = Readings(resolution, calendar.meanings)
        self.program = QueryProgram(new_slice())
        self.facts = QueryFacts(calendar, self.program)

    def of(self, form: Form, times: Sequence[Form] = (), *, pick: bool = True) -> EntitySet:
        """The set of a form; see :meth:`QuerySets.of`."""
        raise NotImplementedError

    def note(self, text: str) -> None:
        """Tell what was left out, once."""
        if text not in self.account.notes:
            self.account.notes.append(text)

    def bounds(self, times: Sequence[Form], default: Window | None = None, *,
               restrict: bool = True) -> list[Bounded]:
        """The readings of times together.

        Args:
            default: Where there are none.
            restrict: They restrict the answer.

        Raises:
            MissingError: A time was not understood.
        """
        times = [each for each in times if each.head != "lasting"]
        gone = [each for each in times if each.head == "so_far"]
        parts = [self._time_parts(each, gone) for each in times]
        if restrict:
            self.account.used.update(times)
        for each in times:
            self._note_zone(each, here=restrict)
        if not parts:
            return [] if default is None else [Bounded(TimeBound(default))]
        found = []
        for chosen in islice(product(*parts), MOST_COMBINED):
            bound = bound_of([part for part, _ in chosen], self.calendar.now)
            if bound is not None:
                found.append(Bounded(bound, tuple(each for _, body in chosen for each in body)))
        if not found and gone:
            self.note(NOT_YET)
        if len(found) > MOST_BOUNDS or prod(map(len, parts)) > MOST_COMBINED:
            self.note(f"the first {MOST_BOUNDS} readings of the time were looked at, not all")
        return found[:MOST_BOUNDS]

    def _time_parts(self, time: Form, gone: Sequence[Form] = ()
                    ) -> list[tuple[TimePart, tuple[Condition, ...]]]:
        """The readings of one time; where what is ``gone`` is asked about, its event has begun."""
        now = self.now
        then = self.resolution.then or now_window(now)
        if time.head in ("now", "from_now", "so_far"):
            return [(TimePart(time.head, now_window(now)), ())]
        if time.head in ("then", "then_after", "then_before"):
            return [(TimePart(time.head, then), ())]
        if time.head == "within" and time in self.resolution.lengths:
            end = now.astimezone(dt.UTC) + self.length(time)  # also where the clock is changed
            return [(TimePart("within", Window(now, end.astimezone(now.tzinfo))), ())]
        argument = time.arguments[0]
        if isinstance(argument, Form):
            return self._event_parts(time.head, argument, gone)
        windows = self.readings.windows(time)
        if not windows:
            raise MissingError(argument.text if isinstance(argument, Span) else time.head)
        bodies = self.program.choice(time, [weight for _, weight in windows])
        return [(TimePart(time.head, self._local(window)), body)
                for (window, _), body in zip(windows, bodies, strict=True)]

    def _note_zone(self, time: Form, *, here: bool) -> None:
        """Tell what a time in another zone is ``here``, and of one whose zone is not known that it
        was taken for ours."""
        words = next((each.text for each in time.arguments if isinstance(each, Span)), "")
        windows, named = self.readings.windows(time), zone_in(words, home=self.kb.timezone)
        if named is None or not windows:
            return
        (said, zone), window = named, self._local(windows[0][0])
        if zone is None:
            self.note(f"I don't know the time zone “{said}”: all times are in {self.kb.timezone}")
        elif here and window.start.astimezone(zone).utcoffset() != window.start.utcoffset():
            self.note(f"“{words}” is {say_window(window, self.now.date())} here")

    def _local(self, window: Window) -> Window:
        zone = self.kb.timezone
        return Window(window.start.astimezone(zone), window.end.astimezone(zone), window.kind)

    def _event_parts(self, relation: str, form: Form, gone: Sequence[Form]
                     ) -> list[tuple[TimePart, tuple[Condition, ...]]]:
        events = self.of(Form(form.head, (*form.arguments, *gone)))
        found: list[tuple[TimePart, tuple[Condition, ...]]] = [
            (TimePart(relation, Window(event.start, event.end), of_event=True),
             (holds(events.name, event.id),)) for each in events.candidates[:MOST_BOUNDS]
            if (event := self.kb.events.get(each)) is not None]
        if not found and not gone:
            raise MissingError(*[span.text for span in form.spans()] or [form.head])
        if len(events.candidates) > MOST_BOUNDS:
            self.note(f"of {len(events.candidates)} events that may be meant the first "
                      f"{MOST_BOUNDS} were looked at")
        return found

    def length(self, form: Form) -> dt.timedelta:
        """A length in words.

        Raises:
            MissingError: It was not understood.
        """
        if form not in self.resolution.lengths:
            raise MissingError(*(span.text for span in form.spans()))
        self.account.used.add(form)
        return dt.timedelta(minutes=self.resolution.lengths[form])

    def states(self, times: Sequence[Form]) -> list[Bounded]:
        """The times at which somebody is free, busy or somewhere; now where none is said."""
        now = self.calendar.now
        return [Bounded(TimeBound(instant(each.window.start) if each.bound.first
                                  else rest_of(each.window, now)), each.body)
                for each in self.bounds(times, now_window(now))]

    # --- times of events

    def during(self, candidates: Sequence[str], bounds: Sequence[Bounded]
               ) -> tuple[list[str], list[Condition]]:
        """The events that may be in one of some times, and what holds where they are."""
        kept = [each for each in candidates if each not in self.kb.events or any(
            self.is_in(each, bounded) for bounded in bounds)]
        if len(bounds) == 1 and not bounds[0].body:
            return kept, []
        name = self.program.named("during")
        for bounded in bounds:
            for each in kept:
                if each in self.kb.events and self.is_in(each, bounded):
                    self.facts.times(each)
            rule = "begins" if bounded.bound.starts else "overlaps"
            window = self.facts.window(bounded.window)
            self.program.rule(name, (X,), [*bounded.body, holds(rule, X, window)])
        return kept, [holds(name, X)]

    def is_in(self, event_id: str, bounded: Bounded) -> bool:
        """Whether an event is in a time, as the rules say it."""
        event, window = self.kb.events[event_id], bounded.window
        start, end = minutes(event.start), minutes(event.end)
        low, high = minutes(window.start), minutes(window.end)
        if bounded.bound.starts:
            return low <= start < high
        return start < max(high, low + 1) and low < end
