"""Conditions on when events begin and when they end."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import replace

from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.logical_forms import Form
from frontdesk.kg.graph.timeline import minutes
from frontdesk.kg.graph.windows import Window, day_window
from frontdesk.kg.times.time_spans import names_day
from frontdesk.rules.engine.query_program import X, holds
from frontdesk.rules.engine.query_times import TimePart
from frontdesk.rules.organisation.query_bounds import (
    ONE_MINUTE,
    EntitySet,
    MissingError,
    Parts,
)
from frontdesk.rules.organisation.query_rules import Found, QueryRules

#: Conditions on an edge of an event.
EDGES = ("starting", "ending")
_DAY = dt.timedelta(days=1)
#: Whether an edge is as a time says: the edge, and when that begins and ends, in minutes.
_Fits = Callable[[int, int, int], bool]
#: Of beginnings: what begins when another ends begins after it.
_BEGINS: dict[str, _Fits] = {
    "before": lambda edge, low, high: edge < low,
    "after": lambda edge, low, high: edge >= high if low < high else edge > high,
    "until": lambda edge, low, high: edge <= low, "from": lambda edge, low, high: edge >= low,
    "": lambda edge, low, high: low <= edge < max(high, low + 1)}
#: Of ends: what lasts until noon is over before it.
_ENDS: dict[str, _Fits] = {
    "before": lambda edge, low, high: edge <= low, "after": lambda edge, low, high: edge > high,
    "until": lambda edge, low, high: edge <= max(low, high),
    "from": lambda edge, low, high: edge >= low,
    "": lambda edge, low, high: low < edge <= high if low < high else edge == low}
#: As which time a time counts.
_AS = {"straight_after": "after", "then_after": "after", "then_before": "before",
       "from_now": "from", "so_far": "before"}


class QueryEdges(QueryRules):
    """Conditions on the beginning or the end of events."""

    def edge(self, head: str, parts: Parts, base: EntitySet) -> Found:
        """That events start, or end, as times say; a clock time is on the day of each event where
        nothing says on which day it is.

        Raises:
            MissingError: It is asked of what has no beginning, or a time was not understood.
        """
        if base.candidates and not any(each in self.kb.events for each in base.candidates):
            raise MissingError(head)
        self.account.used.update(parts.times)
        name, goals = self.program.named("edge"), []
        found = [each for each in base.candidates if each in self.kb.events]
        for time in parts.times:
            fits, fitting = self.program.named("fits"), set[str]()
            for part, body in self._time_parts(time):
                for each in found:
                    if _has_edge(self.kb.events[each], head, time, part, self.now):
                        self.program.rule(fits, (each,), body)
                        fitting.add(each)
            goals.append(holds(fits, X))
            found = [each for each in found if each in fitting]
        self.program.rule(name, (X,), goals)
        return holds(name, X), found

    def edge_days(self, conditions: Sequence[Form]) -> list[Window]:
        """The days on which events are that some conditions say the beginning or end of."""
        found = []
        for time in (time for each in conditions if each.head in EDGES for time in each.inner()):
            for part, _ in self._time_parts(time):
                last = max(part.window.start, part.window.end - dt.timedelta(microseconds=1))
                found.append(Window(day_window(part.window.date, self.kb.timezone).start,
                                    day_window(last.date(), self.kb.timezone).end))
        return found


def _has_edge(event: Event, head: str, time: Form, part: TimePart, now: dt.datetime) -> bool:
    """Whether the beginning or the end of an event is as a time says, in one of its readings."""
    starts = head == "starting"
    edge, table = (event.start, _BEGINS) if starts else (event.end, _ENDS)
    day = edge.date() if starts else (edge - ONE_MINUTE).date()
    window, words = part.window, [span.text for span in time.spans()]
    if not part.of_event and words and window.end - window.start < _DAY and all(
            names_day(each, now=now) is None for each in words):
        shift = day - window.date
        window = replace(window, start=window.start + shift, end=window.end + shift)
    fits = table.get(_AS.get(part.relation, part.relation), table[""])
    return fits(minutes(edge), minutes(window.start), minutes(window.end))
