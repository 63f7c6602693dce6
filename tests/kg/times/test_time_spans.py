import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from frontdesk.kg.graph.time_slots import OfficeHours
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
from frontdesk.kg.times.time_spans import (
    day_and_clock,
    names_day,
    read_length,
    read_span,
    written,
)

ZONE = ZoneInfo("Europe/Oslo")
#: A Wednesday.
NOW = dt.datetime(2026, 3, 4, 10, 17, tzinfo=ZONE)


def at(day: int, hour: int, minute: int = 0, month: int = 3) -> Window:
    return instant(dt.datetime(2026, month, day, hour, minute, tzinfo=ZONE))


def span(day: int, start: tuple[int, int], end: tuple[int, int]) -> Window:
    return Window(dt.datetime(2026, 3, day, *start, tzinfo=ZONE),
                  dt.datetime(2026, 3, day, *end, tzinfo=ZONE))


def day(number: int, month: int = 3) -> Window:
    return day_window(dt.date(2026, month, number), ZONE)


def days(first: int, after: int, months: tuple[int, int] = (3, 3)) -> Window:
    return Window(day(first, months[0]).start, day(after, months[1]).start, WindowKind.DAY)


def part(number: int, which: PartOfDay) -> Window:
    return part_window(dt.date(2026, 3, number), which, ZONE)


@pytest.mark.parametrize(("words", "window"), [
    # minutes before and after an hour, in every English
    ("half three", at(4, 15, 30)), ("half past three", at(4, 15, 30)),
    ("half after three", at(4, 15, 30)), ("half nine tomorrow", at(5, 9, 30)),
    ("quarter to four", at(4, 15, 45)), ("quarter of five", at(4, 16, 45)),
    ("a quarter till five", at(4, 16, 45)), ("quarter after three", at(4, 15, 15)),
    ("ten past two", at(4, 14, 10)), ("ten of three", at(4, 14, 50)),
    ("an hour ago", at(4, 9, 17)), ("ten minutes ago", at(4, 10, 7)), ("two days ago", day(2)),
    ("five and twenty past two", None), ("twenty-five to four", at(4, 15, 35)),
    ("quarter to", at(4, 10, 45)), ("ten past", at(4, 11, 10)),
    ("half past four-ish", at(4, 16, 30)),
    # hours
    ("three", at(4, 15)), ("3", at(4, 15)), ("three-ish", at(4, 15)), ("threeish", at(4, 15)),
    ("tenish tomorrow", at(5, 10)), ("noonish", at(4, 12)), ("16h", at(4, 16)),
    ("4 p.m.", at(4, 16)), ("1530", at(4, 15, 30)), ("sixteen hundred hours", at(4, 16)),
    ("two-thirty", at(4, 14, 30)), ("nine on friday", at(6, 9)), ("3 tmrw", at(5, 15)),
    ("till noon", at(4, 12)), ("after five", at(4, 17)),
    # from now
    ("in twenty minutes", at(4, 10, 37)), ("in ten", at(4, 10, 27)),
    ("two hours' time", at(4, 12, 17)), ("half an hour from now", at(4, 10, 47)),
    ("ten minutes", at(4, 10, 27)), ("the next hour", span(4, (10, 17), (11, 17))),
    ("a week's time", day(11)), ("in a fortnight", day(18)),
    # days
    ("fri", day(6)), ("Sat", day(7)), ("tmrw", day(5)), ("2moro", day(5)), ("tomoz", day(5)),
    ("the day after tomorrow", day(6)), ("thursday week", day(12)), ("a week on monday", day(16)),
    ("a week friday", day(13)), ("today week", day(11)), ("Monday gone", day(2)),
    ("friday next week", day(13)), ("next week's friday", day(13)), ("next week thursday", day(12)),
    ("the 14th", day(14)), ("14th", day(14)), ("the 2nd", day(2)), ("9.3.", day(9)),
    ("friday the 13th", day(13)), ("the next day", day(5)), ("Christmas Eve", day(24, 12)),
    ("the first", day(1)), ("first thing tomorrow", at(5, 8)),
    # stretches
    ("weekend", days(7, 9)), ("the weekend", days(7, 9)), ("last weekend", None),
    ("rest of the week", days(4, 7)), ("midweek", None), ("the end of the week", days(5, 7)),
    ("end of the month", days(25, 1, (3, 4))), ("april", days(1, 1, (4, 5))),
    ("last week", None), ("the week of the 9th", days(9, 14)), ("later this week", days(5, 7)),
    ("monday to wednesday", days(9, 12)),
    # parts of a day
    ("this arvo", part(4, PartOfDay.AFTERNOON)), ("this avo", part(4, PartOfDay.AFTERNOON)),
    ("Monday eve", part(9, PartOfDay.EVENING)), ("friday am", part(6, PartOfDay.MORNING)),
    ("thurs pm", part(5, PartOfDay.AFTERNOON)), ("lunch", span(4, (12, 0), (13, 0))),
    ("friday lunchtime", span(6, (12, 0), (13, 0))), ("over lunch", span(4, (12, 0), (13, 0))),
    ("end of the day", at(4, 17)), ("closing time", at(4, 18)),
    ("two to three", span(4, (14, 0), (15, 0))), ("2-4", span(4, (14, 0), (16, 0))),
    ("now", now_window(NOW)), ("currently", now_window(NOW)),
    ("earlier today", span(4, (0, 0), (10, 17))),
    ("after lunch", part(4, PartOfDay.AFTERNOON)), ("in a bit", span(4, (10, 17), (11, 17))),
    # misspelt
    ("tomorroow", day(5)), ("thusrday", day(5)), ("fiday", day(6)), ("wednessday", day(4)),
    ("twellve", at(4, 12)), ("tmoorrow eveninng", part(5, PartOfDay.EVENING)),
    # no times
    ("the kitchen", None), ("", None), ("soonish", None)])
def test_time_spans_means_a_window(words, window):
    found = read_span(words, now=NOW)
    if window is not None:
        assert found[0][0] == window
    assert sum(share for _, share in found) <= 1 + 1e-9


@pytest.mark.parametrize("words", ["the kitchen", "", "prayers", "Zoltan", "30/02", "?"])
def test_time_spans_are_none_of_other_words(words):
    assert read_span(words, now=NOW) == []


def test_time_spans_of_the_past_lie_before():
    assert read_span("last week", now=NOW)[0][0] == Window(
        day(23, 2).start, day(28, 2).start, WindowKind.DAY)
    assert read_span("last weekend", now=NOW)[0][0].end == day(1).end


def test_time_spans_keep_what_else_may_be_meant():
    half = read_span("half three", now=NOW)
    assert [each for each, _ in half] == [at(4, 15, 30), at(4, 14, 30)]
    assert half[0][1] > 0.7
    nine = read_span("nine", now=NOW)
    assert [each for each, _ in nine][:2] == [at(5, 9), at(4, 9)]
    # A date that is on another day of the week: one of both is wrong.
    assert [each for each, _ in read_span("tuesday the 4th of march", now=NOW)] == [day(4), day(10)]


@pytest.mark.parametrize(("words", "window"), [
    ("the same time", at(6, 15)), ("the same time tomorrow", at(5, 15)), ("four", at(6, 16)),
    ("an hour later", at(6, 16)), ("half an hour earlier", at(6, 14, 30)), ("that day", day(6)),
    ("the day after", day(7)), ("that morning", part(6, PartOfDay.MORNING)),
    ("quarter past", at(6, 15, 15)), ("the friday after", day(13)), ("today", day(4))])
def test_time_spans_count_from_what_was_spoken_of(words, window):
    assert read_span(words, now=NOW, spoken_of=at(6, 15))[0][0] == window


@pytest.mark.parametrize(("words", "window"), [
    ("the week after that", days(16, 23)), ("the week after", days(16, 23)),
    ("the following week", days(16, 23)), ("the day after that", day(16)),
    ("the month after that", days(1, 1, (4, 5)))])
def test_time_spans_come_after_several_days_that_were_spoken_of(words, window):
    assert read_span(words, now=NOW, spoken_of=days(9, 16))[0][0] == window


def test_no_day_of_several_is_that_day():
    assert all(each not in (day(9), day(15))
               for each, _ in read_span("that day", now=NOW, spoken_of=days(9, 16)))


@pytest.mark.parametrize(("words", "parts"), [
    ("Thursday at ten", ("Thursday", "at ten")), ("two", ("", "two")),
    ("the 14th", ("the 14th", "")),
    ("half past two on Friday", ("on Friday", "half past two")), ("now", ("", "")),
    ("in two hours", ("", "")), ("next week", ("", "")), ("florp", ("", ""))])
def test_time_spans_say_a_day_or_when_on_it(words, parts):
    assert day_and_clock(words) == parts


@pytest.mark.parametrize("window", [
    instant(dt.datetime(2026, 3, 5, 14, tzinfo=ZONE)), day_window(dt.date(2026, 3, 29), ZONE),
    Window(dt.datetime(2026, 3, 5, 14, tzinfo=ZONE), dt.datetime(2026, 3, 5, 15, tzinfo=ZONE))])
def test_time_spans_that_are_written_mean_their_time(window):
    ((found, _),) = read_span(written(window), now=NOW)
    assert (found.start, found.end) == (window.start, window.end)


def test_time_spans_are_on_no_day_of_a_week_that_was_spoken_of():
    assert read_span("three", now=NOW, spoken_of=days(9, 14))[0][0] == at(4, 15)
    assert read_span("three", now=NOW, spoken_of=at(9, 8), day=dt.date(2026, 3, 12))[0][0] == at(
        12, 15)


def test_time_spans_end_when_the_office_closes():
    assert read_span("the end of the day", now=NOW, ends=True)[0][0] == at(4, 18)


def test_time_spans_of_what_is_arranged_lie_ahead():
    assert read_span("wednesday", now=NOW, ahead=True)[0][0] == day(11)
    assert read_span("wednesday", now=NOW)[0][0] == day(4)


@pytest.mark.parametrize(("words", "window"), [
    ("wednesday", day(4)), ("friday", day(27, 2)), ("monday at noon", at(2, 12)),
    ("the 5th", day(5, 2)), ("the 3rd", day(3)), ("the 31st", day(31, 1)),
    ("25 february", day(25, 2)), ("yesterday", day(3)), ("this week", days(2, 9)),
    ("three", at(4, 15)), ("nine", at(4, 9)), ("ten", at(4, 10)), ("noon", at(4, 12)),
    ("today at five", at(4, 17)), ("today", day(4)), ("tomorrow", day(5)),
    ("this evening", part(4, PartOfDay.EVENING)), ("friday week", day(13))])
def test_time_spans_of_what_is_over_go_back_to_the_last_such_day_alone(words, window):
    assert read_span(words, now=NOW, gone=True)[0][0] == window


@pytest.mark.parametrize(("words", "window"), [
    ("this week", days(2, 9)), ("later this week", days(5, 7)),
    ("this month", days(1, 1, (3, 4))), ("the rest of the month", days(4, 1, (3, 4))),
    ("next week", days(9, 16)), ("wednesday", day(4)), ("friday", day(6)), ("today", day(4))])
def test_time_spans_that_are_whole_are_all_of_a_week_or_month_that_has_begun(words, window):
    assert read_span(words, now=NOW, whole=True)[0][0] == window


@pytest.mark.parametrize(("words", "expected"), [
    ("tomorrow at three", dt.date(2026, 3, 5)), ("friday", dt.date(2026, 3, 6)), ("three", None),
    ("nine", None), ("this week", None), ("now", dt.date(2026, 3, 4)), ("the kitchen", None)])
def test_time_spans_tell_the_day_that_they_name(words, expected):
    assert names_day(words, now=NOW) == expected


@pytest.mark.parametrize(("words", "minutes"), [
    ("an hour", 60), ("half an hour", 30), ("an hour and a half", 90), ("90", 90), ("twenty", 20),
    ("2", 120), ("1h30", 90), ("45 mins", 45), ("a couple of hours", 120), ("two days", 2880),
    ("a week", 10080), ("fortnight", 20160), ("hour", 60), ("a few minutes", 3),
    ("30 minuutes", 30), ("the kitchen", 0), ("", 0), ("half a week", 0), ("a day and a half", 0),
    ("one and a half day", 0), ("two hours and half a day", 0), ("half a day and an hour", 0)])
def test_time_spans_have_lengths(words, minutes):
    assert read_length(words) == minutes


@pytest.mark.parametrize("words", [
    "half a day", "a half day", "half-day", "half the day", "for half a day", "about half a day",
    "at least half a day"])
def test_half_a_day_is_half_of_the_office_hours(words):
    assert read_length(words, hours=OfficeHours(dt.time(9), dt.time(16))) == 210
    assert read_length(words, hours=OfficeHours(dt.time(), dt.time())) == 12 * 60


@pytest.mark.parametrize("text", [
    "is Eve free", "lunch with Ada", "may I ask", "14th street", "march on", "Sun Li"])
def test_time_spans_leave_sentences_alone(text):
    assert not find_times(text, now=NOW)


@pytest.mark.parametrize("words", ["2 and 4", "btw 2 and 4", "two and four"])
def test_two_hours_of_one_time_are_its_ends(words):
    assert read_span(words, now=NOW) == read_span("between 2 and 4", now=NOW)


@pytest.mark.parametrize(("words", "start", "end"), [
    ("thursday till two", at(5, 8), at(5, 14)), ("today till two", instant(NOW), at(4, 14)),
    ("tomorrow until noon", at(5, 8), at(5, 12)), ("from ten till two", at(4, 10), at(4, 14))])
def test_a_day_until_an_hour_begins_when_the_office_opens_or_now(words, start, end):
    assert read_span(words, now=NOW)[0][0] == Window(start.start, end.start)


def test_how_much_earlier_is_no_time_where_nothing_tells_than_when():
    assert read_span("half an hour earlier", now=NOW, spoken_of=day(5)) == []
    assert read_span("half an hour earlier", now=NOW, spoken_of=at(5, 15))[0][0].start == \
        at(5, 14, 30).start
