import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from frontdesk.kg.english import phrases
from frontdesk.kg.english.phrases import Phrase
from frontdesk.kg.graph.windows import (
    PartOfDay,
    Window,
    WindowKind,
    day_window,
    instant,
    now_window,
    part_window,
)

ZONE = ZoneInfo("Europe/Oslo")
TODAY = dt.date(2026, 3, 4)


def at(day: int, hour: int, minute: int = 0, month: int = 3) -> dt.datetime:
    return dt.datetime(2026, month, day, hour, minute, tzinfo=ZONE)


def days(first: dt.date, last: dt.date, kind: WindowKind = WindowKind.DAY) -> Window:
    return Window(day_window(first, ZONE).start, day_window(last, ZONE).end, kind)


@pytest.mark.parametrize(("time", "text"), [
    (dt.time(0), "00:00"), (dt.time(9, 5), "09:05"), (dt.time(23, 59, 58), "23:59"),
    (at(4, 14, 30), "14:30")])
def test_say_time_is_hours_and_minutes(time, text):
    assert phrases.say_time(time) == text


@pytest.mark.parametrize(("date", "year", "text"), [
    (TODAY, 2026, "Wednesday 4 March"), (TODAY, None, "Wednesday 4 March 2026"),
    (dt.date(2027, 12, 31), 2026, "Friday 31 December 2027"),
    (dt.date(987, 6, 1), 2026, "Friday 1 June 987")])
def test_say_date_has_the_year_unless_it_is_this_one(date, year, text):
    assert phrases.say_date(date, this_year=year) == text


@pytest.mark.parametrize(("shift", "text"), [
    (0, "today"), (1, "tomorrow"), (-1, "yesterday"), (2, "on Friday 6 March"),
    (-2, "on Monday 2 March"), (302, "on Thursday 31 December"),
    (303, "on Friday 1 January 2027")])
def test_say_on_is_relative_to_today(shift, text):
    assert phrases.say_on(TODAY + dt.timedelta(days=shift), TODAY) == text


@pytest.mark.parametrize(("window", "text"), [
    (now_window(at(4, 9)), "now"),
    (instant(at(4, 12)), "today at 12:00"),
    (instant(at(9, 0)), "on Monday 9 March at 00:00"),
    (Window(at(5, 9), at(5, 10, 30)), "tomorrow from 09:00 to 10:30"),
    (Window(at(3, 9), at(3, 9)), "yesterday at 09:00"),
    (Window(at(4, 22), at(5, 0)),
     "from 22:00 on Wednesday 4 March to 00:00 on Thursday 5 March"),
    (part_window(TODAY, PartOfDay.MORNING, ZONE), "this morning"),
    (part_window(dt.date(2026, 3, 5), PartOfDay.AFTERNOON, ZONE), "tomorrow afternoon"),
    (part_window(dt.date(2026, 3, 3), PartOfDay.EVENING, ZONE), "yesterday evening"),
    (part_window(dt.date(2026, 3, 9), PartOfDay.EVENING, ZONE),
     "on Monday 9 March in the evening"),
    (day_window(TODAY, ZONE), "today"),
    (day_window(dt.date(2027, 3, 4), ZONE), "on Thursday 4 March 2027"),
    (days(dt.date(2026, 3, 9), dt.date(2026, 3, 15)),
     "from Monday 9 March to Sunday 15 March"),
    (days(dt.date(2026, 12, 28), dt.date(2027, 1, 3)),
     "from Monday 28 December to Sunday 3 January 2027"),
    (days(TODAY, TODAY, WindowKind.ALL_DAY), "all day today"),
    (days(dt.date(2026, 3, 9), dt.date(2026, 3, 9), WindowKind.ALL_DAY),
     "all day on Monday 9 March"),
    (days(TODAY, dt.date(2026, 3, 6), WindowKind.ALL_DAY),
     "all day from Wednesday 4 March to Friday 6 March"),
])
def test_say_window_is_an_adverbial(window, text):
    assert phrases.say_window(window, TODAY) == text


@pytest.mark.parametrize(("count", "text"), [
    (0, ""), (1, "A"), (2, "A and B"), (3, "A, B and C"), (10, "A, B, C, D, E, F, G, H, I and J"),
    (11, "A, B, C, D, E, F, G, H, I, J and 1 more"),
    (14, "A, B, C, D, E, F, G, H, I, J and 4 more")])
def test_say_list_joins_and_cuts(count, text):
    assert phrases.say_list("ABCDEFGHIJKLMN"[:count]) == text


@pytest.mark.parametrize(("number", "text"), [(0, "0 events"), (1, "1 event"), (2, "2 events")])
def test_say_count_agrees_with_the_number(number, text):
    assert phrases.say_count(number, "event") == text


def test_say_count_takes_an_irregular_plural():
    assert [phrases.say_count(number, "person", "people") for number in (1, 2)] == [
        "1 person", "2 people"]


@pytest.mark.parametrize(("minutes", "text"), [
    (0, "0 minutes"), (1, "1 minute"), (45, "45 minutes"), (60, "1 hour"),
    (90, "1 hour and 30 minutes"), (121, "2 hours and 1 minute"), (2880, "2 days"),
    (1440 + 60, "1 day and 1 hour"), (1440 + 61, "1 day, 1 hour and 1 minute")])
def test_say_minutes_in_days_hours_and_minutes(minutes, text):
    assert phrases.say_minutes(minutes) == text


@pytest.mark.parametrize(("number", "text"), [
    (1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (13, "13th"),
    (21, "21st"), (22, "22nd"), (101, "101st"), (111, "111th"), (112, "112th")])
def test_say_ordinal_has_the_right_ending(number, text):
    assert phrases.say_ordinal(number) == text


@pytest.mark.parametrize(("floor", "text"), [
    (0, "the ground floor"), (1, "the 1st floor"), (22, "the 22nd floor"),
    (-1, "basement level 1")])
def test_say_floor_above_and_below_ground(floor, text):
    assert phrases.say_floor(floor) == text


@pytest.mark.parametrize(("phone", "text"), [
    ("+4721784294", "+47 21 78 42 94"), ("+47 21784294", "+47 21784294"), ("4711", "4711"),
    ("+12025550123", "+12025550123"), ("ext. 5", "ext. 5"), ("+", "+")])
def test_say_phone_pairs_the_digits_of_an_international_number(phone, text):
    assert phrases.say_phone(phone) == text.rstrip()


@pytest.mark.parametrize(("name", "text"), [
    ("Jo", "Jo's"), ("James", "James'"), ("the MPS", "the MPS's"), ("room 327", "room 327's")])
def test_possessive_of_a_name(name, text):
    assert phrases.possessive(name) == text


@pytest.mark.parametrize(("sentence", "text"), [
    ("the review is today.", "The review is today."),
    ("\u201cwhat is new\u201d is today.", "\u201cWhat is new\u201d is today."),
    ("you are free.", "You are free."), ("327 is free.", "327 is free."),
    ("\u201c!!!\u201d is today.", "\u201c!!!\u201d is today."), ("", ""), ("...", "...")])
def test_capitalise_changes_the_first_letter_of_the_first_word(sentence, text):
    assert phrases.capitalise(sentence) == text


def test_phrase_forms_are_read_by_templates():
    assert "{0}, {0.has} {{}} %s".format(Phrase("you", has="have")) == "you, have {} %s"
    with pytest.raises(AttributeError, match="'you' has no form 'on'"):
        "{.on}".format(Phrase("you"))
