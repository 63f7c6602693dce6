"""Time expressions: "noon on the 21st", "half past two", "tomorrow afternoon", "now".

Patterns find clock times, days and parts of a day; neighbours are joined ("tomorrow" + "at two");
the ``dateparser`` library says which day is meant.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

import dateparser

from frontdesk.kg.english.phrases import MONTHS, WEEKDAYS
from frontdesk.kg.graph.windows import (
    PartOfDay,
    Window,
    WindowKind,
    day_window,
    instant,
    now_window,
    part_window,
)
from frontdesk.kg.times.time_patterns import (
    AFTER_ALL,
    BEFORE_COUNT,
    BOUND,
    CLOCKS,
    DAYS,
    DURATION,
    FIRST_OFFICE_HOUR,
    FROM,
    FULL_MONTHS,
    GREETING,
    JOINT,
    JUST_GONE,
    LOOKALIKES,
    MINUTES,
    NEXT_HOURS,
    NOW,
    NUMBERED,
    NUMBERS,
    OFFSET,
    PART,
    RANGE,
    TO,
    UNITS_AFTER,
    UNREAD,
    WEEK,
    WEEKDAY,
)

#: Texts that are kept: an utterance is read several times in a turn.
_REMEMBERED = 64


@dataclass(frozen=True)
class TimeExpression:
    """A time expression in a text.

    Args:
        start, end: Character offsets.
        window: What it means.
    """

    start: int
    end: int
    window: Window


@dataclass(frozen=True)
class _Atom:
    start: int
    end: int
    kind: str
    day: dt.date | None = None
    times: tuple[dt.time, ...] = ()
    part: PartOfDay | None = None
    window: Window | None = None


def find_time_expressions(text: str, *, now: dt.datetime,
                          focus: Sequence[dt.date] = ()) -> list[TimeExpression]:
    """The time expressions of a text, in order.

    Args:
        text: An utterance.
        now: Zone-aware present; expressions are read in its zone.
        focus: Days talked about before, the latest first. A clock time or part of the day
            without a day means the day said last in the text, else the first of these;
            without any, its next occurrence.
    """
    text = text.translate(LOOKALIKES)
    atoms = _atoms(text, now, tuple(focus))
    said: Sequence[dt.date] = focus
    expressions = []
    index = 0
    while index < len(atoms):
        group = [atoms[index]]
        while index + 1 < len(atoms) and _joins(group, atoms[index + 1], text):
            index += 1
            group.append(atoms[index])
        index += 1
        window = _window(group, now, said)
        if window is None:
            continue
        expressions.append(TimeExpression(group[0].start, group[-1].end, window))
        fixed = group[0].kind == "fixed" and window.kind in (WindowKind.NOW, WindowKind.INSTANT)
        if fixed or any(atom.day for atom in group):
            said = [window.date]
    return expressions


@lru_cache(_REMEMBERED)
def _atoms(text: str, now: dt.datetime, focus: tuple[dt.date, ...]) -> tuple[_Atom, ...]:
    atoms: list[_Atom] = []

    def add(atom: _Atom) -> None:
        if all(atom.end <= other.start or atom.start >= other.end for other in atoms):
            atoms.append(atom)

    for pattern in DAYS:
        for match in pattern.finditer(text):
            day = None if _is_number(match, text) else _day(match, now, focus)
            if day is not None:
                add(_Atom(*match.span(), "day", day=day))
    for match in OFFSET.finditer(text):
        with contextlib.suppress(OverflowError, ValueError):
            at = _later(now, _offset(match)).replace(second=0, microsecond=0)
            add(_Atom(*match.span(), "fixed", window=instant(at)))
    for match in WEEK.finditer(text):
        with contextlib.suppress(OverflowError, ValueError):
            add(_Atom(*match.span(), "fixed", window=_week(match["which"], now)))
    for match in NOW.finditer(text):
        with contextlib.suppress(ValueError):
            add(_Atom(*match.span(), "fixed", window=now_window(now)))
    for match in RANGE.finditer(text):
        times = _range(match)
        if times is not None:
            add(_Atom(*match.span(), "clock", times=times))
    for pattern in CLOCKS:
        for match in pattern.finditer(text):
            number = _is_number(match, text) or _is_duration(match, text)
            time = None if number else _clock(match)
            if time is not None:
                add(_Atom(*match.span(), "clock", times=(time,)))
    for match in PART.finditer(text):
        if match["tonight"]:
            add(_Atom(*match.span(), "part", part=PartOfDay.EVENING, day=now.date()))
        elif not GREETING.search(text[:match.start()]):
            day = now.date() if match.group().lower().startswith("this") else None
            add(_Atom(*match.span(), "part", part=PartOfDay(match["part"].lower()), day=day))
    return tuple(_join_ends(sorted(atoms, key=lambda atom: atom.start), text))


def _is_number(match: re.Match[str], text: str) -> bool:
    """Whether what looks like a time is the number of a room or the like."""
    written_as_time = ":" in match.group() or match.groupdict().get("meridiem")
    return (not written_as_time and match.group()[:1].isdigit()
            and NUMBERED.search(text[:match.start()]) is not None)


def _is_duration(match: re.Match[str], text: str) -> bool:
    """Whether what looks like a time is how long something lasts: "for 2 h", "1:30 hours"."""
    if match.groupdict().get("meridiem"):
        return False
    counted = (match.group()[-1:].lower() in ("h", "r", "s")
               or UNITS_AFTER.match(text, match.end()) is not None)
    return (counted and match.group()[:1].isdigit()
            and BEFORE_COUNT.search(text[:match.start()]) is not None)


def _join_ends(atoms: list[_Atom], text: str) -> list[_Atom]:
    """The atoms, with "from ten" and "to half past eleven" made one."""
    joined: list[_Atom] = []
    for atom in atoms:
        first = joined[-1] if joined else None
        if first and _are_ends(first, atom, text):
            joined[-1] = _Atom(first.start, atom.end, "clock", times=first.times + atom.times)
        else:
            joined.append(atom)
    return joined


def _are_ends(first: _Atom, second: _Atom, text: str) -> bool:
    if len(first.times) != 1 or len(second.times) != 1 or first.times >= second.times:
        return False
    led = (FROM.match(text, first.start)
           or FROM.search(text, max(0, first.start - len("between ")), first.start))
    link = TO.match(text, first.end)
    return led is not None and link is not None and second.start <= link.end() < second.end


def _joins(group: list[_Atom], atom: _Atom, text: str) -> bool:
    kinds = {each.kind for each in group}
    same_day = atom.kind == "day" and any(each.day == atom.day for each in group)
    if "fixed" in kinds or atom.kind == "fixed" or (atom.kind in kinds and not same_day):
        return False
    return JOINT.fullmatch(text[group[-1].end:atom.start]) is not None


def _window(group: list[_Atom], now: dt.datetime, focus: Sequence[dt.date]) -> Window | None:
    """What neighbouring atoms mean; None when that is no stretch of time."""
    try:
        return _read(group, now, focus)
    except (OverflowError, ValueError):  # the first and last days of the calendar
        return None


def _read(group: list[_Atom], now: dt.datetime, focus: Sequence[dt.date]) -> Window | None:
    if group[0].window:
        return group[0].window
    day = next((atom.day for atom in group if atom.day), None)
    times = next((atom.times for atom in group if atom.times), ())
    part = next((atom.part for atom in group if atom.part), None)
    zone = cast(dt.tzinfo, now.tzinfo)
    if times:
        times = tuple(_afternoon(time, part) for time in times)
        day = day or (focus[0] if focus else _next_day(times, now))
        start = dt.datetime.combine(day, times[0], zone)
        if len(times) == 1:
            return instant(start)
        return _stretch(start, dt.datetime.combine(day, times[1], zone))
    if part:
        if day is None:
            day = focus[0] if focus else now.date()
        return part_window(day, part, zone)
    return day_window(day, zone) if day else None


def _stretch(start: dt.datetime, end: dt.datetime) -> Window | None:
    """A stretch; None when it does not go forward, as where the clock is put forward in it."""
    return Window(start, end) if start.astimezone(dt.UTC) < end.astimezone(dt.UTC) else None


def _later(at: dt.datetime, length: dt.timedelta) -> dt.datetime:
    """The moment so much later, also where the clock is changed in between."""
    return (at.astimezone(dt.UTC) + length).astimezone(at.tzinfo)


def _afternoon(time: dt.time, part: PartOfDay | None) -> dt.time:
    if part is PartOfDay.MORNING and time.hour > 12:
        return time.replace(hour=time.hour - 12)
    later = part in (PartOfDay.AFTERNOON, PartOfDay.EVENING) and 1 <= time.hour < 12
    return time.replace(hour=time.hour + 12) if later else time


def _next_day(times: tuple[dt.time, ...], now: dt.datetime) -> dt.date:
    """The day on which a time comes next; the present minute has not passed."""
    present = now.time() if len(times) > 1 else now.time().replace(second=0, microsecond=0)
    return now.date() if times[-1] >= present else now.date() + dt.timedelta(days=1)


def _clock(match: re.Match[str]) -> dt.time | None:
    groups = match.groupdict()
    if groups.get("noon"):
        return dt.time(12)
    if groups.get("midnight"):
        return dt.time(0)
    hour_text = groups["hour"].lower()
    hour = NUMBERS.get(hour_text) or int(hour_text)
    minute = 0
    if groups.get("minute"):
        minute = int(groups["minute"])
    elif groups.get("spoken"):
        minute = _number(groups["spoken"])
    elif groups.get("minutes"):
        minute = _number(groups["minutes"])
        if groups["side"].lower() in ("to", "before"):
            hour, minute = (hour - 1) or 12, 60 - minute
    if hour == 24:
        hour = 0
    meridiem = (groups.get("meridiem") or "").lower()
    if meridiem == "p" and hour < 12:
        hour += 12
    elif meridiem == "a" and hour == 12:
        hour = 0
    written_24h = len(hour_text) == 2 and hour_text.startswith("0")
    if not meridiem and not written_24h and 1 <= hour < FIRST_OFFICE_HOUR - 1:
        hour += 12
    if not (0 <= hour < 24 and 0 <= minute < 60):
        return None
    return dt.time(hour, minute)


def _range(match: re.Match[str]) -> tuple[dt.time, dt.time] | None:
    """Both ends of "from ten to eleven"; None for "10 to 11" without "from"."""
    if not (match["lead"] or (match["minute_1"] and match["minute_2"])
            or match["meridiem_1"] or match["meridiem_2"]):
        return None
    hours = [NUMBERS.get(match[name].lower()) or int(match[name]) for name in ("hour_1", "hour_2")]
    minutes = [int(match[name] or 0) for name in ("minute_1", "minute_2")]
    end_half = (match["meridiem_2"] or "").lower()
    start_half = (match["meridiem_1"] or "").lower()
    for index, half in enumerate((start_half, end_half)):
        if index == 0 and not half:
            half = end_half if hours[0] < 12 and hours[0] <= hours[1] % 12 else ""
        spoken = not half and 1 <= hours[index] < FIRST_OFFICE_HOUR - 1
        if spoken or (half == "p" and hours[index] < 12):
            hours[index] += 12
    if max(hours) > 23:
        return None
    start, end = (dt.time(hour, minute) for hour, minute in zip(hours, minutes, strict=True))
    if end <= start and end.hour < 12 and not end_half:
        end = end.replace(hour=end.hour + 12)
    return (start, end) if start < end else None


def _number(word: str) -> int:
    word = " ".join(word.lower().split())
    return int(word) if word.isdecimal() else MINUTES[word.removeprefix("a ")]


def _offset(match: re.Match[str]) -> dt.timedelta:
    word = match["number"].lower()
    amount = {"a": 1.0, "an": 1.0, "half an": 0.5}.get(word) or float(NUMBERS.get(word) or word)
    minutes = amount * (60 if match["unit"].lower().startswith("h") else 1)
    return dt.timedelta(minutes=minutes)


def _week(which: str, now: dt.datetime) -> Window:
    zone = cast(dt.tzinfo, now.tzinfo)
    monday = now.date() - dt.timedelta(days=now.weekday())
    first = now.date() if which.lower() == "this" else monday + dt.timedelta(days=7)
    last = monday + dt.timedelta(days=7 if which.lower() == "this" else 14)
    return Window(dt.datetime.combine(first, dt.time(), zone),
                  dt.datetime.combine(last, dt.time(), zone), WindowKind.DAY)


def _day(match: re.Match[str], now: dt.datetime, focus: Sequence[dt.date]) -> dt.date | None:
    """The day that words mean; None when there is no such day."""
    try:
        return _read_day(match, now, focus)
    except (OverflowError, ValueError):  # beyond the first or last day of the calendar
        return None


def _read_day(match: re.Match[str], now: dt.datetime, focus: Sequence[dt.date]) -> dt.date | None:
    if match.groupdict().get("same"):
        return focus[0] if focus else None
    words = " ".join(match.group().lower().replace(",", " ").split())
    words = words.removeprefix("on ").removeprefix("the ")
    relative = {"today": 0, "tomorrow": 1, "yesterday": -1, "day after tomorrow": 2,
                "day before yesterday": -2}.get(words)
    if relative is not None:
        return now.date() + dt.timedelta(days=relative)
    weekday = re.fullmatch(rf"(?:(this|next|coming|last) )?({WEEKDAY})", words, re.IGNORECASE)
    if weekday:
        ahead = (WEEKDAYS.index(weekday[2].capitalize()) - now.weekday()) % 7
        if ahead == 0 and weekday[1] in ("next", "coming"):
            ahead = 7
        if weekday[1] == "last":
            ahead -= 7
        return now.date() + dt.timedelta(days=ahead)
    if re.fullmatch(r"\d{1,2}(?:st|nd|rd|th)", words) and int(words[:-2]) == now.day:
        return now.date()
    days = re.fullmatch(r"(?:in|after) (\w+) days?", words)
    if days:
        number = {"a": 1}.get(days[1]) or NUMBERS.get(days[1]) or int(days[1])
        return now.date() + dt.timedelta(days=number)
    named = re.sub(rf"^{WEEKDAY} |\b(?:of|the) ", "", words, flags=re.IGNORECASE)
    named = re.sub(r"\b(" + "|".join(month[:3] for month in MONTHS) + r")[a-z]*\b\.?",
                   lambda found: FULL_MONTHS[found[1].lower()], named, flags=re.IGNORECASE)
    numbers = re.fullmatch(r"(\d{1,2})[./-](\d{1,2})(.*)", named)
    if numbers and int(numbers[2]) > 12 >= int(numbers[1]):
        named = f"{numbers[2]}/{numbers[1]}{numbers[3]}"  # only the first can be the month
    found = dateparser.parse(named, languages=["en"], settings={
        "RELATIVE_BASE": now.replace(tzinfo=None), "PREFER_DATES_FROM": "future",
        "REQUIRE_PARTS": ["day"], "DATE_ORDER": "DMY"})
    if found is None:
        return None
    day = cast(dt.date, found.date())
    if re.search(r"\d{4}", words):
        return day
    # "21 March" said on 21 or 22 March means the one that is or has just gone, not next year's.
    for year in (now.year, now.year - 1):
        with contextlib.suppress(ValueError):  # 29 February
            gone = day.replace(year=year)
            if 0 <= (now.date() - gone).days <= JUST_GONE:
                return gone
    return day


def duration_from(text: str, expressions: Sequence[TimeExpression],
                  now: dt.datetime) -> list[TimeExpression]:
    """The expressions with durations taken in: "at ten" and "for two hours" become a stretch.

    Args:
        text: The utterance.
        expressions: What :func:`find_time_expressions` found in it.
        now: Zone-aware present, from which "the next two hours" count.
    """
    try:
        return _with_duration(text.translate(LOOKALIKES), expressions, now)
    except (OverflowError, ValueError):  # longer than the calendar
        return list(expressions)


def _with_duration(text: str, expressions: Sequence[TimeExpression],
                   now: dt.datetime) -> list[TimeExpression]:
    coming = NEXT_HOURS.search(text)
    match = DURATION.search(text)
    if coming is None and match is None:
        return list(expressions)
    found = coming or match
    if found is None or (coming and not _amount(coming)):
        return list(expressions)
    length = dt.timedelta(minutes=_amount(found))
    points = [each for each in expressions if each.window.kind is WindowKind.INSTANT]
    start = now.replace(second=0, microsecond=0)
    if coming or found["next"]:
        stretch = TimeExpression(*found.span(), Window(start, _later(start, length)))
        return [stretch, *expressions]
    if len(points) != 1:
        return list(expressions)
    at = points[0].window.start
    stretch = TimeExpression(points[0].start, points[0].end, Window(at, _later(at, length)))
    return [stretch if each is points[0] else each for each in expressions]


def _amount(match: re.Match[str]) -> int:
    """Minutes of a duration, 0 when its number is no number."""
    word = (match["amount"] or "one").lower()
    number = {"a": 1.0, "an": 1.0, "half an": 0.5}.get(word) or float(
        NUMBERS.get(word) or (word if word.isdecimal() else 0))
    return int(number * (60 if match["unit"].lower().startswith("h") else 1))


def unread_time(text: str, expressions: Sequence[TimeExpression]) -> str:
    """The words of a text that speak of a time but were not read; empty when there are none.

    Args:
        text: The utterance.
        expressions: What was found in it.
    """
    original, text = text, text.translate(LOOKALIKES)
    masked = text
    stretched = any(each.window.kind is WindowKind.SPAN for each in expressions)
    for each in expressions:
        masked = masked[:each.start] + "|" * (each.end - each.start) + masked[each.end:]
        bound = BOUND.search(text[:each.start])
        if each.window.start == each.window.end:
            if bound:
                return original[bound.start():each.end]
            if re.match(r"(?:by|until|till)\b", text[each.start:each.end], re.IGNORECASE):
                return original[each.start:each.end]
    if stretched:
        for read in (DURATION, NEXT_HOURS):
            masked = read.sub(lambda match: "|" * len(match.group()), masked)
    after_all = AFTER_ALL.search(masked)
    if after_all:
        start, end = after_all.span("then")
        masked = masked[:start] + "|" * (end - start) + masked[end:]
    for pattern in UNREAD:
        match = pattern.search(masked)
        if match:
            return original[slice(*match.span())].strip()
    return ""
