from __future__ import annotations

import datetime as dt
from typing import ClassVar
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.timeline import Timeline, minutes

START = dt.datetime(2026, 3, 1, 23, 30, tzinfo=dt.UTC)
ORIGIN = minutes(START)


def event(number: int, start: int, length: int) -> Event:
    begin = START + dt.timedelta(minutes=start)
    return Event(f"e{number}", "talk", begin, begin + dt.timedelta(minutes=length))


calendars = st.lists(st.tuples(st.integers(0, 60), st.sampled_from((0, 1, 2, 7, 30, 2000)))).map(
    lambda spans: [event(number, *span) for number, span in enumerate(spans)])
times = st.integers(-5, 70).map(lambda offset: ORIGIN + offset)


def happens(each: Event, start: int, end: int) -> bool:
    begin, over = minutes(each.start), minutes(each.end)
    return begin <= start < over if start == end else begin < end and start < over


def by_start(events: list[Event]) -> list[Event]:
    return sorted(events, key=lambda each: (each.start, each.id))


@given(calendars, times, st.sampled_from((0, 1, 15, 3000)))
def test_timeline_finds_and_counts_what_happens_during_a_stretch(events, start, length):
    timeline = Timeline(events)
    expected = by_start([each for each in events if happens(each, start, start + length)])
    assert list(timeline.during(start, start + length)) == expected
    assert timeline.count(start, start + length) == len(expected)


@given(calendars, times)
def test_timeline_finds_what_starts_later_and_what_is_not_over(events, time):
    timeline = Timeline(events)
    assert list(timeline.after(time)) == by_start(
        [each for each in events if minutes(each.start) > time])
    coming = by_start([each for each in events if minutes(each.end) >= time])
    assert list(timeline.coming(time)) == coming
    assert timeline.count_coming(time) == len(coming)


def test_timeline_counts_minutes_through_a_change_of_the_clocks():
    oslo = ZoneInfo("Europe/Oslo")
    # At three the clocks go back to two: the second two o'clock is an hour after the first.
    night = Event("e", "night shift", dt.datetime(2026, 10, 25, 2, 30, tzinfo=oslo),
                  dt.datetime(2026, 10, 25, 2, 15, tzinfo=oslo, fold=1))
    assert minutes(night.end) - minutes(night.start) == 45
    assert Timeline([night]).count(minutes(night.start) + 30, minutes(night.start) + 31) == 1


class Looking(Event):
    """Notes which events are looked at."""

    looked_at: ClassVar[list[str]] = []

    def __getattribute__(self, name: str):
        if name == "end":
            Looking.looked_at.append(object.__getattribute__(self, "id"))
        return super().__getattribute__(name)


def test_timeline_looks_at_few_events_however_long_one_of_them_is():
    events = [Looking(each.id, each.name, each.start, each.end) for each in (
        event(number, 60 * number, 60) for number in range(5000))]
    long = event(9999, 0, 60 * 5000)
    timeline = Timeline([Looking(long.id, long.name, long.start, long.end), *events])
    Looking.looked_at.clear()
    found = [each.id for each in timeline.during(ORIGIN + 60 * 4000, ORIGIN + 60 * 4001)]
    assert found == ["e9999", "e4000"]
    assert len(Looking.looked_at) < 10
