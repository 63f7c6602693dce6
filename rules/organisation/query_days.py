"""Days that are asked for: the one with the most, or the fewest, of something."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace

from frontdesk.kg.graph.logical_forms import Form, Sort, Span
from frontdesk.kg.graph.windows import Window, day_window
from frontdesk.rules.engine.query_program import Condition, holds
from frontdesk.rules.engine.query_times import TimePart, coming_days
from frontdesk.rules.organisation.query_bounds import MissingError, Parts, parts_of
from frontdesk.rules.organisation.query_counts import EACH, speaks_of_each
from frontdesk.rules.organisation.query_numbers import Number, extremes, number_of
from frontdesk.rules.organisation.query_sets import QuerySets

#: Days that are compared, the first.
MOST_DAYS = 31
#: What is counted where that is not said.
_EVENTS = Form("event", (Form("at", (EACH,)),))


@dataclass(frozen=True)
class Day:
    """A day that is asked for.

    Args:
        probability: In (0, 1], over all that may be meant.
        number: How many there are on it of what is counted.
    """

    window: Window
    probability: float
    number: int


class QueryDays(QuerySets):
    """Finds days."""

    def days(self, form: Form, times: Sequence[Form] = ()) -> list[Day]:
        """The days that a form of them stands for, in order.

        Args:
            times: Of what the form stands in, where it has none of its own.

        Raises:
            MissingError: It asks for other days than those with the most, or the fewest, of
                something.
        """
        name, found = self._days(form, times)
        return [replace(found[each], probability=probability)
                for each, probability in sorted(self.program.members(name))]

    def _days(self, form: Form, times: Sequence[Form] = ()) -> tuple[str, dict[str, Day]]:
        """The predicate of the days of a form, and the days by how they are called there."""
        parts, name, found = parts_of(form.arguments), self.program.named("day"), dict[str, Day]()
        for inner, body in self.in_worlds([form, *times]):
            for day in inner._extreme(parts, times):
                date, chosen = day.window.date.isoformat(), self.program.named("chosen")
                found.setdefault(date, day)
                self.program.fact(chosen, date, probability=day.probability)
                self.program.rule(name, (date,), [*body, holds(chosen, date)])
        return name, found

    def _extreme(self, parts: Parts, times: Sequence[Form]) -> list[Day]:
        """The days in a world in which all means one thing."""
        order = next((each for each in parts.orders if each.head in ("most", "fewest")), None)
        if order is None or len(parts.orders) > 1:
            raise MissingError("day")
        counted = next(iter(order.inner()), _EVENTS)
        if not speaks_of_each(counted):
            raise MissingError("day")
        self.account.used.update([order, *filter(speaks_of_each, counted.walk())])
        numbers = {window: number for window in self._within(parts.times or times)
                   for number in [self._number(counted, window)]
                   if number.value or self.calendar.is_working(window)}
        return [Day(window, probability, numbers[window].value) for window, probability in
                extremes(numbers, most=order.head == "most").items()]

    def _within(self, times: Sequence[Form]) -> list[Window]:
        """The days of a time, or those to come where none is said."""
        bounds = self.bounds(times)
        window = bounds[0].window if bounds else coming_days(self.now)
        last = max(window.start, window.end - dt.timedelta(microseconds=1)).date()
        number = (last - window.date).days + 1
        if number > MOST_DAYS:
            self.note(f"only the first {MOST_DAYS} of {number} days were looked at")
        return [day_window(window.date + dt.timedelta(days=each), self.kb.timezone)
                for each in range(min(number, MOST_DAYS))]

    def _number(self, counted: Form, day: Window) -> Number:
        """How many there are of something on a day."""
        windows = dict(self.resolution.windows)
        on_day = _on(counted, day, windows)
        sets = self.counting(replace(self.resolution, windows=windows))
        members = sets.program.members(sets.of(on_day, pick=False).name)
        return number_of(probability for _, probability in self.countable(counted, members))

    def _event_parts(self, relation: str, form: Form, gone: Sequence[Form]
                     ) -> list[tuple[TimePart, tuple[Condition, ...]]]:
        if form.head != "day":
            return super()._event_parts(relation, form, gone)
        name, found = self._days(form)
        if not found:
            raise MissingError("day")
        return [(TimePart(relation, each.window), (holds(name, date),))
                for date, each in found.items()]


def _on(form: Form, day: Window, windows: dict[Form, Sequence[tuple[Window, float]]]) -> Form:
    """A form of what is counted on one of several days, on a day; notes its times."""
    if form.is_of(Sort.TIME) and EACH in form.arguments:
        time = Form(form.head, (Span(day.date.isoformat()),))
        windows[time] = ((day, 1.0),)
        return time
    return Form(form.head, tuple(_on(each, day, windows) if isinstance(each, Form) else each
                                 for each in form.arguments))
