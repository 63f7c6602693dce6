import datetime as dt
import tomllib
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frontdesk.kg.graph.windows import PartOfDay
from frontdesk.kg.times.time_readings import (
    ASK_FROM,
    OfficeHours,
    TimeReading,
    ambiguous,
    merge,
    read_times,
    stretch,
)

ZONE = ZoneInfo("Europe/Oslo")
GROUPS = tomllib.loads((Path(__file__).parents[2] / "samples" / "time_readings.toml").read_text(
    encoding="utf-8"))["group"]
TEXTS = {text for group in GROUPS for text, _ in group["cases"]}


def situation(group: dict) -> dict:
    known = {"now": dt.datetime.fromisoformat(group["now"]).replace(tzinfo=ZONE)}
    if "event" in group:
        known["event"] = tuple(dt.datetime.fromisoformat(each).replace(tzinfo=ZONE)
                               for each in group["event"])
    if "focus" in group:
        known["focus"] = tuple(dt.date.fromisoformat(each) for each in group["focus"])
    if "zone" in group:
        known["zone"] = ZoneInfo(group["zone"])
    return known | ({"asked": group["asked"]} if "asked" in group else {})


def slots(reading: TimeReading) -> str:
    """A reading as the table writes it."""
    said = []
    if reading.day:
        said.append(f"day{'~' if reading.day_presumed else '='}{reading.day:%m-%d}")
    if reading.until_day:
        said.append(f"until={reading.until_day:%m-%d}")
    if reading.start:
        said.append(f"start={reading.start:%H:%M}{'+' * reading.start.fold}")
    if reading.end:
        said.append(f"end={reading.end:%H:%M}")
    if reading.minutes:
        said.append(f"minutes={reading.minutes}")
    if reading.part:
        said.append(f"part={reading.part}")
    if reading.shift is not None:
        said.append(f"shift={reading.shift // dt.timedelta(minutes=1):+}")
    return " ".join(said)


def as_in_the_table(readings: list[TimeReading]) -> tuple[str, set[str]]:
    """The likeliest reading, empty where there is none, and what else may be meant."""
    first, *others = map(slots, ambiguous(readings) or readings[:1] or [TimeReading()])
    return first, set(others)


@pytest.mark.parametrize("group", GROUPS, ids=range(len(GROUPS)))
def test_time_readings_are_those_of_the_table(group):
    known = situation(group)
    for text, expected in group["cases"]:
        first, *others = [each.strip() for each in expected.split("|")]
        assert as_in_the_table(read_times(text, **known)) == (first, set(others)), text


def test_time_readings_table_covers_many_expressions():
    assert len(TEXTS) >= 150


NOW = dt.datetime(2026, 5, 13, 9, 20, tzinfo=ZONE)
EVENT = (dt.datetime(2026, 5, 15, 14, tzinfo=ZONE), dt.datetime(2026, 5, 15, 15, tzinfo=ZONE))
FRIDAY = dt.date(2026, 5, 15)


@pytest.mark.parametrize("said", ["13 May", "May 13", "the 13th of May", "13/5", "May the 13th"])
def test_the_date_of_today_is_today_however_it_is_written(said):
    first = read_times(said, now=NOW)[0]
    assert first.day == NOW.date()
WORDS = sorted({word for text in TEXTS for word in text.split()} | {"-", ":", "9999", "0"})


def best(text: str, **known) -> TimeReading:
    return read_times(text, **{"now": NOW} | known)[0]


def is_sound(readings: list[TimeReading]) -> bool:
    shares = [each.probability for each in readings]
    return (all(0 < share <= 1 for share in shares) and sum(shares) <= 1
            and shares == sorted(shares, reverse=True)
            and all(each != TimeReading(probability=each.probability) for each in readings))


@settings(max_examples=150, deadline=None)
@given(text=st.text(max_size=200), asked=st.sampled_from(["", "start", "end", "date", "duration"]))
def test_time_readings_of_any_text_are_sound(text, asked):
    assert is_sound(read_times(text, now=NOW, asked=asked, event=EVENT))


@settings(max_examples=250, deadline=None)
@given(words=st.lists(st.sampled_from(WORDS), max_size=12),
       asked=st.sampled_from(["", "start", "end", "date", "duration"]),
       event=st.sampled_from([None, EVENT]), zone=st.sampled_from([None, "Asia/Tokyo"]),
       now=st.datetimes(dt.datetime(1, 1, 2), dt.datetime(9999, 12, 30)),
       opens=st.times(), closes=st.times())
def test_time_readings_of_any_words_are_sound(words, asked, event, zone, now, opens, closes):
    assert is_sound(read_times(
        " ".join(words), now=now.replace(tzinfo=ZONE), asked=asked, event=event,
        hours=OfficeHours(opens, closes), zone=ZoneInfo(zone) if zone else None))


@pytest.mark.parametrize("now", [dt.datetime(1, 1, 1), dt.datetime(9999, 12, 31, 23)])
def test_time_readings_at_the_ends_of_the_calendar_are_sound(now):
    for group in GROUPS:
        known = situation(group) | {"now": now.replace(tzinfo=ZONE)}
        for text, _ in group["cases"]:
            assert is_sound(read_times(text, **known)), text


HOURS = ["midnight", *2 * ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
                           "ten", "eleven", "twelve"]][:24]
MINUTES = {0: "o'clock", 5: "oh five", 10: "ten", 15: "fifteen", 20: "twenty", 25: "twenty-five",
           30: "thirty", 35: "thirty-five", 40: "forty", 45: "forty-five", 50: "fifty",
           55: "fifty-five"}
PAST = {5: "five", 10: "ten", 15: "a quarter", 20: "twenty", 25: "twenty-five", 30: "half"}


def said(time: dt.time) -> list[str]:
    """Ways to say a time of day so that only it is meant."""
    part = "in the morning" if time.hour < 12 else (
        "in the afternoon" if time.hour < 18 else "in the evening")
    hour, half = time.hour % 12 or 12, "am" if time.hour < 12 else "pm"
    ways = [f"at {time:%H:%M}", f"{time:%H.%M}" if time.hour > 12 else f"{time:%H:%M}",
            f"{time.hour}h{time.minute:02}" if time.hour > 12 else f"at {time:%H:%M}",
            f"{hour}:{time.minute:02} {half}", f"at {hour}.{time.minute:02}{half}",
            f"{hour}:{time.minute:02} {half[0]}.m.", f"{hour} {time.minute:02} {half[0]} m",
            f"at {hour}:{time.minute:02} {part}",
            f"{HOURS[time.hour]} {MINUTES[time.minute]} {part}",
            f"at {HOURS[time.hour]} {MINUTES[time.minute]} {half}"]
    if time.minute in PAST:
        ways.append(f"{PAST[time.minute]} past {HOURS[time.hour]} {part}")
    elif 60 - time.minute in PAST and time.hour not in (11, 17):
        ways.append(f"at {PAST[60 - time.minute]} to {HOURS[time.hour + 1]} {part}")
    return ways


@settings(max_examples=100, deadline=None)
@given(hour=st.integers(1, 22), minute=st.sampled_from(sorted(MINUTES)),
       day=st.dates(dt.date(2026, 5, 14), dt.date(2027, 4, 30)), data=st.data())
def test_time_readings_give_back_a_start_however_it_is_said(hour, minute, day, data):
    time = dt.time(hour, minute)
    date = data.draw(st.sampled_from([
        f"on {day.day} {day:%B}", f"on the {day.day}. of {day:%B}".replace(". of", "th of"),
        f"on {day:%B} {day.day}", f"on {day:%Y-%m-%d}", f"on {day:%d.%m.%Y}",
        f"on {day:%A}, {day.day} {day:%B} {day.year}"]))
    for way in said(time):
        read = best(f"{way} {date}")
        shown = dt.datetime.combine(day, time, ZONE).astimezone(dt.UTC).astimezone(ZONE)
        assert (read.day, read.start) == (shown.date(), shown.time()), (way, date)


@settings(max_examples=100, deadline=None)
@given(minutes=st.integers(1, 48).map(lambda quarters: 15 * quarters))
def test_time_readings_give_back_a_length_however_it_is_said(minutes):
    hours, rest = divmod(minutes, 60)
    ways = [f"for {minutes} minutes", f"{minutes} min", f"it takes {minutes} minutes",
            f"for {minutes / 60} hours"]
    if hours and rest:
        ways += [f"{hours} hours and {rest} minutes", f"for {hours} h {rest} min",
                 f"{hours}:{rest:02} hours"]
    if hours and rest == 30:
        ways += [f"{hours} and a half hours", f"for {hours}\u00bd hours"]
    for way in ways:
        assert best(way).minutes == minutes, way


@settings(max_examples=100, deadline=None)
@given(start=st.integers(0, 95), length=st.integers(1, 40))
def test_time_readings_give_back_both_ends_however_they_are_said(start, length):
    first = dt.datetime(2026, 5, 15) + dt.timedelta(minutes=15 * start)
    last = first + dt.timedelta(minutes=15 * length)
    for way in (f"from {first:%H:%M} to {last:%H:%M}", f"{first:%H:%M}-{last:%H:%M}",
                f"between {first:%I:%M %p} and {last:%I:%M %p}",
                f"at {first:%H:%M} until {last:%H:%M}"):
        read = best(f"on Friday {way}")
        assert (read.day, read.start, read.end) == (FRIDAY, first.time(), last.time()), way


def test_time_readings_are_more_probable_in_office_hours():
    for text, hours, start in (("at 9", OfficeHours(), 9), ("at 9", OfficeHours(
            dt.time(17), dt.time(23)), 21), ("at 1", OfficeHours(dt.time(20), dt.time(4)), 1)):
        assert best(text, hours=hours, focus=[FRIDAY]).start == dt.time(start)


def test_time_readings_of_an_open_hour_are_similarly_probable():
    early, late = read_times("on Friday at 7", now=NOW)
    assert {early.start, late.start} == {dt.time(7), dt.time(19)}
    assert early.probability == pytest.approx(late.probability)


def test_time_readings_use_what_is_known_of_the_half_of_the_day():
    evening = TimeReading(day=FRIDAY, part=PartOfDay.EVENING)
    assert best("at eight", known=evening).start == dt.time(20)
    assert best("until eight", known=TimeReading(start=dt.time(19))).end == dt.time(20)
    assert best("at nine", known=TimeReading(day=FRIDAY)) == TimeReading(
        start=dt.time(9), probability=best("at nine", known=TimeReading(day=FRIDAY)).probability)


def test_time_readings_in_another_zone_change_the_day_that_is_known():
    known = TimeReading(day=FRIDAY)
    read = best("at 7 am Sydney time", known=known)
    assert (read.day, read.start, read.day_presumed) == (dt.date(2026, 5, 14), dt.time(23), False)


def test_time_readings_of_a_correction_keep_what_is_not_corrected():
    assert slots(best("Friday from ten to eleven, sorry, Monday")) == (
        "day=05-18 start=10:00 end=11:00")


def test_time_readings_count_real_time_where_clocks_are_put_back():
    now = dt.datetime(2026, 10, 25, 1, 30, tzinfo=ZONE)
    (read,) = read_times("in two hours for an hour", now=now)
    assert (read.start, read.start.fold) == (dt.time(2, 30), 1)
    start, end = stretch(read, ZONE)
    assert start.astimezone(dt.UTC) - now.astimezone(dt.UTC) == dt.timedelta(hours=2)
    assert end.astimezone(dt.UTC) - start.astimezone(dt.UTC) == dt.timedelta(hours=1)
    assert end.time() == dt.time(3, 30)


def test_time_readings_last_real_time_where_clocks_are_put_forward():
    now = dt.datetime(2026, 3, 28, 10, tzinfo=ZONE)
    (read,) = read_times("tomorrow at 01:30 for an hour", now=now)
    assert stretch(read, ZONE)[1] == dt.datetime(2026, 3, 29, 3, 30, tzinfo=ZONE)


def test_stretch_is_of_a_day_a_start_and_an_end():
    night = TimeReading(day=FRIDAY, start=dt.time(22), end=dt.time(1))
    assert stretch(night, ZONE) == (dt.datetime(2026, 5, 15, 22, tzinfo=ZONE),
                                    dt.datetime(2026, 5, 16, 1, tzinfo=ZONE))
    assert stretch(TimeReading(day=FRIDAY, start=dt.time(9)), ZONE) is None
    assert stretch(TimeReading(start=dt.time(9), minutes=30), ZONE) is None


@pytest.mark.parametrize("now", [dt.datetime(2026, 5, 13)])
def test_time_readings_need_a_time_zone(now):
    with pytest.raises(ValueError, match="time zone"):
        read_times("at two", now=now)
    with pytest.raises(ValueError, match="time zone"):
        read_times("at two", now=NOW, event=(now, now))


def told(*texts: str) -> str:
    """What is known after several utterances."""
    known = TimeReading()
    for text in texts:
        known = merge(known, best(text, known=known))
    return slots(known)


@pytest.mark.parametrize(("texts", "expected"), [
    (["tomorrow", "at two"], "day=05-14 start=14:00"),
    (["tomorrow", "at two", "for an hour"], "day=05-14 start=14:00 minutes=60"),
    (["at two", "tomorrow"], "day=05-14 start=14:00"),
    (["at nine", "until ten"], "day~05-14 start=09:00 end=10:00"),
    (["at nine", "on Friday"], "day=05-15 start=09:00"),
    (["at nine", "at three"], "start=15:00"),
    (["on Friday", "at nine", "at three"], "day=05-15 start=15:00"),
    (["for an hour", "at two"], "start=14:00 minutes=60"),
    (["from 10 to 11", "at two"], "start=14:00 end=15:00"),
    (["from 10 to 11", "for two hours"], "start=10:00 minutes=120"),
    (["at ten for an hour", "until half past eleven"], "start=10:00 end=11:30"),
    (["until four", "at two"], "start=14:00 end=16:00"),
    (["until four", "for an hour"], "start=15:00 minutes=60"),
    (["for an hour", "until four"], "start=15:00 minutes=60"),
    (["tomorrow afternoon", "at four"], "day=05-14 start=16:00"),
    (["tomorrow evening", "at eight"], "day=05-14 start=20:00"),
    (["tomorrow at ten", "in the afternoon"], "day=05-14 part=afternoon"),
    (["tomorrow at ten", "in the morning"], "day=05-14 start=10:00"),
    (["tomorrow from ten to eleven", "in the afternoon"], "day=05-14 minutes=60 part=afternoon"),
    (["tomorrow at ten", "an hour later"], "day=05-14 start=11:00"),
    (["tomorrow from ten to eleven", "half an hour earlier"], "day=05-14 start=09:30 end=10:30"),
    (["tomorrow at ten", "a day later"], "day=05-15 start=10:00"),
    (["tomorrow at 23:30", "an hour later"], "day=05-15 start=00:30"),
    (["an hour later", "half an hour later"], "shift=+90"),
    (["next week", "Tuesday at ten"], "day=05-19 start=10:00"),
    (["this week", "two days later"], "day=05-15 until=05-17"),
])
def test_merge_takes_in_what_a_later_utterance_says(texts, expected):
    assert told(*texts) == expected


def test_merge_has_the_probability_of_the_later_reading():
    assert merge(TimeReading(probability=0.5), TimeReading(probability=0.7)).probability == 0.7


@given(days=st.integers(-10 ** 6, 10 ** 6), day=st.dates(), start=st.times() | st.none())
def test_merge_of_any_shift_stays_in_the_calendar(days, day, start):
    moved = merge(TimeReading(day=day, start=start), TimeReading(shift=dt.timedelta(hours=days)))
    assert isinstance(moved.day, dt.date)


def test_ambiguous_are_readings_not_much_less_probable_than_the_best():
    first = TimeReading(start=dt.time(7), probability=0.6)
    close = TimeReading(start=dt.time(19), probability=0.6 * ASK_FROM)
    far = TimeReading(start=dt.time(20), probability=0.6 * ASK_FROM - 0.01)
    assert ambiguous([first, close, far]) == (first, close)
    assert ambiguous([first, far]) == ambiguous([first]) == ambiguous([]) == ()
