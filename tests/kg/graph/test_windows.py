import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from frontdesk.kg.graph.windows import (
    PartOfDay,
    Window,
    WindowKind,
    day_window,
    instant,
    now_window,
    part_of,
    part_window,
)

ZONE = ZoneInfo("Europe/Oslo")


def at(hour: int, minute: int = 0, day: int = 4) -> dt.datetime:
    return dt.datetime(2026, 3, day, hour, minute, tzinfo=ZONE)


def test_window_rejects_a_time_without_a_zone():
    with pytest.raises(ValueError, match="no time zone"):
        Window(at(9), at(10).replace(tzinfo=None))


def test_window_rejects_an_end_before_its_start():
    with pytest.raises(ValueError, match="before it starts"):
        Window(at(10), at(9))


def test_window_takes_a_clock_time_that_goes_back_when_daylight_saving_ends():
    start = dt.datetime(2026, 10, 25, 2, 45, tzinfo=ZONE)
    end = dt.datetime(2026, 10, 25, 2, 15, fold=1, tzinfo=ZONE)
    assert Window(start, end).end == end
    with pytest.raises(ValueError, match="before it starts"):
        Window(start, end.replace(fold=0))


@pytest.mark.parametrize(("start", "end", "expected"), [
    (at(8), at(9), False), (at(8), at(9, 1), True), (at(9, 15), at(9, 30), True),
    (at(9, 59), at(12), True), (at(10), at(11), False), (at(8), at(12), True)])
def test_window_overlaps_what_happens_partly_in_it(start, end, expected):
    assert Window(at(9), at(10)).overlaps(start, end) is expected


@pytest.mark.parametrize(("start", "end", "expected"), [
    (at(8), at(9), False), (at(9), at(10), True), (at(8), at(10), True), (at(10), at(11), False)])
def test_instant_overlaps_what_has_begun_and_not_ended(start, end, expected):
    assert instant(at(9)).overlaps(start, end) is expected


def test_now_and_instant_differ_only_in_kind():
    assert (now_window(at(9)).kind, instant(at(9)).kind) == (WindowKind.NOW, WindowKind.INSTANT)
    assert now_window(at(9)).start == instant(at(9)).end == at(9)


@pytest.mark.parametrize(("day", "hours"), [
    (dt.date(2026, 3, 4), 24), (dt.date(2026, 3, 29), 23), (dt.date(2026, 10, 25), 25)])
def test_day_window_is_the_whole_day_when_the_clock_changes_too(day, hours):
    window = day_window(day, ZONE)
    length = window.end.astimezone(dt.UTC) - window.start.astimezone(dt.UTC)
    assert (window.date, length) == (day, dt.timedelta(hours=hours))


@pytest.mark.parametrize(("part", "first", "last"), [
    (PartOfDay.MORNING, 8, 12), (PartOfDay.AFTERNOON, 12, 18), (PartOfDay.EVENING, 18, 22)])
def test_part_window_has_the_hours_of_the_part_and_is_named_by_it(part, first, last):
    window = part_window(dt.date(2026, 3, 4), part, ZONE)
    assert (window.start, window.end) == (at(first), at(last))
    assert part_of(window) is part


def test_part_of_rejects_what_is_no_part_of_a_day():
    with pytest.raises(ValueError, match="no part"):
        part_of(Window(at(9), at(10), WindowKind.PART))
