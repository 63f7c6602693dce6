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
    part_window,
)
from frontdesk.kg.times.time_mentions import find_times

ZONE = ZoneInfo("Europe/Oslo")
#: A Wednesday.
NOW = dt.datetime(2026, 3, 4, 10, 17, tzinfo=ZONE)


def at(day: int, hour: int, minute: int = 0, month: int = 3, year: int = 2026) -> Window:
    return instant(dt.datetime(year, month, day, hour, minute, tzinfo=ZONE))


def span(day: int, start: tuple[int, int], end: tuple[int, int]) -> Window:
    return Window(dt.datetime(2026, 3, day, *start, tzinfo=ZONE),
                  dt.datetime(2026, 3, day, *end, tzinfo=ZONE))


def day(number: int, month: int = 3, year: int = 2026) -> Window:
    return day_window(dt.date(year, month, number), ZONE)


def part(number: int, which: PartOfDay) -> Window:
    return part_window(dt.date(2026, 3, number), which, ZONE)


def days(first: int, after: int) -> Window:
    return Window(day(first).start, day(after).start, WindowKind.DAY)


def found(text: str, *, now: dt.datetime = NOW,
          focus: tuple[dt.date, ...] = ()) -> list[tuple[str, Window]]:
    return [(text[each.start:each.end], each.window)
            for each in find_times(text, now=now, focus=focus)]


@pytest.mark.parametrize(("text", "words", "window"), [
    ("where is Jo now", "now", now_window(NOW)),
    ("is she busy right now?", "right now", now_window(NOW)),
    ("who is there at the moment", "at the moment", now_window(NOW)),
    ("is it in use today", "today", day(4)),
    ("what is on tomorrow?", "tomorrow", day(5)),
    ("who came yesterday", "yesterday", day(3)),
    ("the day after tomorrow", "the day after tomorrow", day(6)),
    ("is he free on Monday", "on Monday", day(9)),
    ("on wednesday", "on wednesday", day(4)),
    ("next Wednesday", "next Wednesday", day(11)),
    ("what was on last Monday", "last Monday", day(2)),
    ("last Wednesday", "last Wednesday", day(25, 2)),
    ("the meeting on the 21st", "on the 21st", day(21)),
    ("on the 4th", "on the 4th", day(4)),
    ("Saturday the 21st of March", "Saturday the 21st of March", day(21)),
    ("March 21st please", "March 21st", day(21)),
    ("on 3 March", "on 3 March", day(3)), ("on 4 March", "on 4 March", day(4)),
    ("March 4th", "March 4th", day(4)), ("March 5th", "March 5th", day(5)),
    ("1 January", "1 January", day(1, 1)),
    ("31 December", "31 December", day(31, 12, 2025)),
    ("1 December", "1 December", day(1, 12)),
    ("21 March 2027", "21 March 2027", day(21, 3, 2027)),
    ("2026-03-21", "2026-03-21", day(21)),
    ("may 5", "may 5", day(5, 5)),
    ("in two days", "in two days", day(6)),
    ("29 February", "29 February", day(29, 2, 2028)),
    ("is room 10 free at two?", "at two", at(4, 14)),
    ("at 2 pm", "2 pm", at(4, 14)),
    ("at 14:30", "14:30", at(4, 14, 30)),
    ("at 07:15", "07:15", at(5, 7, 15)),
    ("half past two", "half past two", at(4, 14, 30)),
    ("a quarter to nine", "a quarter to nine", at(5, 8, 45)),
    ("ten to one", "ten to one", at(4, 12, 50)),
    ("7 minutes past ten", "7 minutes past ten", at(5, 10, 7)),
    ("at five thirty", "five thirty", at(4, 17, 30)),
    ("nine o'clock", "nine o'clock", at(5, 9)),
    ("noon on the 21st of March", "noon on the 21st of March", at(21, 12)),
    ("midnight", "midnight", at(5, 0)),
    ("at 24:00", "24:00", at(5, 0)),
    ("at 12 am", "12 am", at(5, 0)),
    ("tomorrow afternoon at two", "tomorrow afternoon at two", at(5, 14)),
    ("Monday morning at 9", "Monday morning at 9", at(9, 9)),
    ("ten in the evening", "ten in the evening", at(4, 22)),
    ("this morning", "this morning", part(4, PartOfDay.MORNING)),
    ("tonight", "tonight", part(4, PartOfDay.EVENING)),
    ("on Friday afternoon", "on Friday afternoon", part(6, PartOfDay.AFTERNOON)),
    ("the morning of the 21st", "the morning of the 21st", part(21, PartOfDay.MORNING)),
    ("in half an hour", "in half an hour", at(4, 10, 47)),
    ("in 20 minutes", "in 20 minutes", at(4, 10, 37)),
    ("from 10 to 11", "from 10 to 11", span(4, (10, 0), (11, 0))),
    ("9:00-10:30", "9:00-10:30", span(4, (9, 0), (10, 30))),
    ("between two and four tomorrow", "between two and four tomorrow",
     span(5, (14, 0), (16, 0))),
    ("from ten to half past eleven", "from ten to half past eleven",
     span(4, (10, 0), (11, 30))),
    ("from half past ten until eleven on Monday", "from half past ten until eleven on Monday",
     span(9, (10, 30), (11, 0))),
    ("from 9 am to 5 pm on Monday", "from 9 am to 5 pm on Monday", span(9, (9, 0), (17, 0))),
    ("this week", "this week", days(4, 9)),
    ("next week", "next week", days(9, 16)),
    ("on the weekend", "on the weekend", days(7, 9)), ("Friday night", "Friday night",
                                                       part(6, PartOfDay.EVENING)),
    ("next month", "next month", Window(day(1, 4).start, day(1, 5).start, WindowKind.DAY)),
    ("in April", "in April", Window(day(1, 4).start, day(1, 5).start, WindowKind.DAY)),
    ("in two weeks", "in two weeks", day(18)), ("half nine", "half nine", at(5, 9, 30)),
    ("Monday to Wednesday", "Monday to Wednesday", days(9, 12)),
    ("the 3rd of next month", "the 3rd of next month", day(3, 4)),
    ("on Tuesday next week", "on Tuesday next week", day(10)),
    ("on the fifth at 4", "on the fifth at 4", at(5, 16)),
    ("at 3 pm to 4 pm", "3 pm to 4 pm", span(4, (15, 0), (16, 0))),
    ("from 10 pm to 2 am", "from 10 pm to 2 am",
     Window(at(4, 22).start, at(5, 2).start)),
    ("at 3 pm London time", "3 pm", at(4, 16)),
    ("this time tomorrow", "this time tomorrow", at(5, 10, 17)),
    ("at 14h", "14h", at(4, 14)), ("at 14 hours", "at 14 hours", at(4, 14)),
    ("from 14h to 16h", "from 14h to 16h", span(4, (14, 0), (16, 0))),
    ("in 2 hrs", "in 2 hrs", at(4, 12, 17)),
    ("at \u017feven o'cloc\u212a", "\u017feven o'cloc\u212a", at(5, 7)),
    ("in \u017fix hours", "in \u017fix hours", at(4, 16, 17)),
    ("in \u017fix days", "in \u017fix days", day(10)),
    ("at s\u0131x", "at s\u0131x", at(4, 18)),
])
def test_find_times_reads(text, words, window):
    ((where, read),) = found(text)
    assert (where, read) == (words, window)


@pytest.mark.parametrize("text", [
    "may I come in?", "I may be late", "Room 5 may be free", "may 10 people attend?",
    "the sun is shining", "the sun room", "march with me", "ask April and June", "mark 10",
    "is room 327 free", "room 10", "in room 14.30", "office 3.14", "version 2.30",
    "on the 3rd floor", "the 21st floor", "the first floor", "second meeting",
    "from one of them", "at 12 people", "to two people", "and 3 others", "for two hours",
    "good morning", "Good afternoon, where is Jo?", "now then, who is Jo", "what time is it",
    "call +47 21 78 42 94", "call 555-1234", "24/7", "31 April", "the 30th of February",
    "for 2 hours", "for 2 h", "for about 2 h", "every 3 hours", "2 hours ago", "a 2 h meeting",
    "for 1:30 hours", "from 2 to 3 hours", "between 2 and 4 people",
    "31 December 9999", "in the year 0000-01-01",
    "at 25:00", "at 1501 Alamo Drive", "at $4,300", "game night", "and one with Jo",
    "yes, at this time please", "lab 12", "in the lab 3-4", "", "\0", "nowhere", "the sat nav",
    "who is in a meeting with Will",
])
def test_find_times_does_not_take_ordinary_words_for_times(text):
    assert found(text) == []


def test_find_times_finds_several_in_order():
    assert found("today at 3 and tomorrow at 4") == [
        ("today at 3", at(4, 15)), ("tomorrow at 4", at(5, 16))]


@pytest.mark.parametrize(("text", "windows"), [
    ("tomorrow at noon and at 3", [at(5, 12), at(5, 15)]),
    ("on Monday at 9 and from 2 to 3", [at(9, 9), span(9, (14, 0), (15, 0))]),
    ("tomorrow at 9 or in the afternoon", [at(5, 9), part(5, PartOfDay.AFTERNOON)]),
    ("now or at 3", [now_window(NOW), at(4, 15)]),
    ("at 3 and tomorrow at 4", [at(11, 15), at(5, 16)])])
def test_find_times_without_a_day_means_the_day_said_before_in_the_text(text, windows):
    assert [window for _, window in found(text, focus=(dt.date(2026, 3, 11),))] == windows


def test_find_times_of_the_present_minute_has_not_passed():
    now = NOW.replace(second=30)
    assert found("at 10:17", now=now) == [("10:17", at(4, 10, 17))]
    assert found("at 10:16", now=now) == [("10:16", at(5, 10, 16))]


def test_find_times_reads_no_stretch_that_goes_back_as_clocks_are_put_forward():
    assert found("from 2:30 am to 3:00 am on 29 March 2026") == []
    ((_, window),) = found("from 1:30 am to 3:30 am on 29 March 2026")
    assert window.end.astimezone(dt.UTC) - window.start.astimezone(dt.UTC) == dt.timedelta(hours=1)


@pytest.mark.parametrize("year", [1, 9999])
@pytest.mark.parametrize("text", ["yesterday", "tomorrow", "next week", "last Monday", "in 9 days",
                                  "in 900 hours", "at 1 am", "on 31 December", "tonight", "now"])
def test_find_times_reads_none_beyond_the_calendar(text, year):
    month, number = (1, 1) if year == 1 else (12, 31)
    now = dt.datetime(year, month, number, 12, tzinfo=ZONE)
    assert all(window.start.year == year for _, window in found(text, now=now))
    assert len(found(f"at 1 for 99 hours {text}", now=now)) <= 2


def test_find_times_without_a_day_means_the_day_talked_about():
    focus = (dt.date(2026, 3, 9), dt.date(2026, 3, 6))
    assert found("at two", focus=focus) == [("at two", at(9, 14))]
    assert found("in the afternoon", focus=focus) == [
        ("in the afternoon", part(9, PartOfDay.AFTERNOON))]
    assert found("that day", focus=focus) == [("that day", day(9))]
    assert found("this afternoon", focus=focus) == [
        ("this afternoon", part(4, PartOfDay.AFTERNOON))]
    assert found("that day") == []


def test_find_times_of_a_clock_time_already_past_means_tomorrow():
    assert found("at nine") == [("at nine", at(5, 9))]
    assert found("at nine", now=NOW.replace(hour=8)) == [("at nine", at(4, 9))]


@pytest.mark.parametrize(("now", "expected"), [
    (dt.date(2028, 3, 1), dt.date(2028, 2, 29)), (dt.date(2029, 3, 5), dt.date(2032, 2, 29))])
def test_find_times_reads_29_february_in_any_year(now, expected):
    moment = dt.datetime.combine(now, dt.time(9), ZONE)
    assert [window.date for _, window in found("on 29 February", now=moment)] == [expected]


def test_find_times_are_in_the_zone_of_the_present():
    tokyo = ZoneInfo("Asia/Tokyo")
    ((_, window),) = found("tomorrow", now=NOW.astimezone(tokyo))
    assert window == day_window(dt.date(2026, 3, 5), tokyo)


@pytest.mark.parametrize(("text", "start", "end"), [
    ("tomorrow at 10:30 for two hours", (5, 10, 30), (5, 12, 30)),
    ("for half an hour at 14:00", (4, 14, 0), (4, 14, 30)),
    ("for 2 hours at 3", (4, 15, 0), (4, 17, 0)), ("at 3 for 2 h", (4, 15, 0), (4, 17, 0)),
    ("on 29 March at 1:30 am for 1 hour", (29, 1, 30), (29, 3, 30)),
    ("for the next two hours", (4, 9, 0), (4, 11, 0))])
def test_find_times_takes_in_how_long(text, start, end):
    zone = ZoneInfo("Europe/Oslo")
    now = dt.datetime(2026, 3, 4, 9, tzinfo=zone)
    (_, window), = found(text, now=now)
    assert window == Window(dt.datetime(2026, 3, *start, tzinfo=zone),
                                     dt.datetime(2026, 3, *end, tzinfo=zone))
