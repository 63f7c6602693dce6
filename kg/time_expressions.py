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
from typing import cast

import dateparser

from frontdesk.kg.phrases import MONTHS, WEEKDAYS
from frontdesk.kg.windows import (
    PartOfDay,
    Window,
    WindowKind,
    day_window,
    instant,
    now_window,
    part_window,
)

_NUMBERS = {word: number for number, word in enumerate(
    ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
     "twelve"), start=1)}
_MINUTES = {**_NUMBERS, "a quarter": 15, "quarter": 15, "half": 30, "twenty": 20,
            "twenty five": 25, "twenty-five": 25, "thirty": 30, "forty five": 45,
            "forty-five": 45, "fifteen": 15, "forty": 40, "fifty": 50}
_HOUR = r"(?:[01]?\d|2[0-4]|" + "|".join(_NUMBERS) + ")"
_MERIDIEM = r"(?:\s*(?P<meridiem>[ap])\.?\s?m\b\.?)"
_MONTH = "(?:" + "|".join(f"{month}|{month[:3]}" for month in MONTHS) + r"|sept)\b\.?"
_FULL_MONTHS = {month[:3].lower(): month for month in MONTHS}
_WEEKDAY = "(?:" + "|".join(WEEKDAYS) + ")"
_DAY_NUMBER = r"(?:3[01]|[12]?\d)(?:st|nd|rd|th)?"
#: A bare hour below this is after noon: nobody means three in the morning at a reception.
_FIRST_OFFICE_HOUR = 8
#: What is counted: the number before is no hour and no day.
_COUNTED = (r"(?:people|persons?|members?|guests?|attendees?|participants?|colleagues?|meetings?|"
            r"events?|hours?|minutes?|days?|rooms?|seats?|others?|more)\b")
#: The number after is a name, no time: "room 10.30", "floor 3".
_NUMBERED = re.compile(r"\b(?:rooms?|offices?|labs?|halls?|floors?|levels?|buildings?|numbers?|"
                       r"no\.?|versions?|extensions?)\s+$", re.IGNORECASE)

_CLOCKS = tuple(re.compile(pattern, re.IGNORECASE) for pattern in (
    rf"\b(?P<minutes>half|(?:a )?quarter|{'|'.join(_NUMBERS)}|twenty(?:[ -]five)?|"
    rf"(?<!from )[1-5]?[05]|[1-5]?\d(?=\s+minutes?\b))(?:\s+minutes?)?\s+"
    rf"(?P<side>past|to|before|after)\s+(?P<hour>{_HOUR})(?!\w|[:.]\d)"
    rf"{_MERIDIEM}?",
    rf"\b(?P<hour>{_HOUR})\s*[:.h]\s*(?P<minute>[0-5]\d)(?!\d)(?:\s*h\b)?{_MERIDIEM}?",
    rf"\b(?P<hour>{_HOUR})\s+(?P<spoken>fifteen|thirty|forty[ -]five|[0-5][05])(?!\w){_MERIDIEM}?",
    rf"\b(?P<hour>{_HOUR})\s*o['\u2019 ]?\s?clock\b{_MERIDIEM}?",
    rf"\b(?P<hour>{_HOUR}){_MERIDIEM}",
    rf"\b(?P<hour>{_HOUR})(?=\s+in\s+the\s+(?:morning|afternoon|evening)\b)",
    r"\b(?P<hour>[01]?\d|2[0-4])\s?h(?:ours|rs|r)?\b",
    r"\b(?P<noon>noon|midday)\b",
    r"\b(?P<midnight>midnight)\b",
    rf"\b(?:at|by|until|till|from|between|to|and|around|about)\s+(?P<hour>{_HOUR})"
    rf"(?!\w|[:.]\d|\s+(?:of\b|{_COUNTED}|{_MONTH}))",
))
_RANGE = re.compile(
    rf"(?P<lead>\b(?:from|between)\s+)?\b(?P<hour_1>{_HOUR})(?:[:.](?P<minute_1>[0-5]\d))?"
    r"(?:\s*(?P<meridiem_1>[ap])\.?\s?m\b\.?)?(?:\s*o['\u2019 ]?\s?clock)?"
    r"\s*(?:-|\u2013|\bto\b|\bun?til\b|\btill\b|\band\b)\s*"
    rf"(?P<hour_2>{_HOUR})(?:[:.](?P<minute_2>[0-5]\d))?"
    r"(?:\s*(?P<meridiem_2>[ap])\.?\s?m\b\.?)?(?:\s*o['\u2019 ]?\s?clock)?(?!\w)", re.IGNORECASE)
_DAYS = tuple(re.compile(pattern, re.IGNORECASE) for pattern in (
    r"\b(?:on\s+)?\d{1,2}([./-])\d{1,2}\1(?:\d{4}|\d{2})\b",
    r"\b(?:on\s+)?(?!24/7\b)\d{1,2}/\d{1,2}\b(?!/)",
    r"\b\d{4}-\d{2}-\d{2}\b",
    r"\b(?:the\s+)?day\s+after\s+tomorrow\b",
    r"\b(?:the\s+)?day\s+before\s+yesterday\b",
    r"\btoday\b|\btomorrow\b|\byesterday\b",
    r"\b(?P<same>(?:that|the same)\s+day)\b",
    rf"\b(?:on\s+)?(?:{_WEEKDAY}\s*,?\s*)?(?:the\s+)?{_DAY_NUMBER}\s+(?:of\s+)?{_MONTH}"
    r"(?:,?\s+\d{4})?",
    rf"\b(?:on\s+)?(?:{_WEEKDAY}\s*,?\s*)?{_MONTH}\s+(?:the\s+)?{_DAY_NUMBER}\b(?:,?\s+\d{{4}})?"
    rf"(?!\s+{_COUNTED})",
    rf"\b(?:on\s+)?the\s+(?:3[01]|[12]?\d)(?:st|nd|rd|th)\b"
    rf"(?!\s+(?:(?:of\s+)?{_MONTH}|floor|storey|level|{_COUNTED}))",
    rf"\b(?:on\s+|this\s+|next\s+|coming\s+|last\s+)?{_WEEKDAY}\b",
    r"\b(?:in|after)\s+(?:a|one|two|three|four|five|six|\d{1,2})\s+days?\b",
))
_PART = re.compile(r"\b(?:(?:this|in the|the)\s+)?(?P<part>morning|afternoon|evening)s?\b"
                   r"|\b(?P<tonight>tonight)\b", re.IGNORECASE)
_GREETING = re.compile(r"\bgood\s+$", re.IGNORECASE)
_NOW = re.compile(r"\b(?:right\s+)?now\b(?!\s+(?:can|could|tell|i|then|what|who|where|when|let)\b)"
                  r"|\bat\s+(?:the|this)\s+moment\b|\bcurrently\b|\bat\s+present\b",
                  re.IGNORECASE)
_OFFSET = re.compile(r"\bin\s+(?P<number>an?|half an|\d{1,3}|" + "|".join(_NUMBERS)
                     + r")\s+(?P<unit>hours?|minutes?|mins?)\b", re.IGNORECASE)
_WEEK = re.compile(r"\b(?P<which>this|next|the coming)\s+week\b", re.IGNORECASE)
_FROM = re.compile(r"\b(?:from|between)\s+", re.IGNORECASE)
_TO = re.compile(r"\s*(?:-|\u2013|(?:to|un?til|till|and)\b)\s*", re.IGNORECASE)
#: A date without a year that was at most so many days ago is not next year's.
_JUST_GONE = 65
_JOINT = re.compile(r"[\s,]*(?:(?:at|on|in|the|of|around|about|by|for|starting)\s+)*",
                    re.IGNORECASE)


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
            without a day means the first of them; without any, its next occurrence.
    """
    atoms = _atoms(text, now, focus)
    expressions = []
    index = 0
    while index < len(atoms):
        group = [atoms[index]]
        while index + 1 < len(atoms) and _joins(group, atoms[index + 1], text):
            index += 1
            group.append(atoms[index])
        index += 1
        window = _window(group, now, focus)
        if window is not None:
            expressions.append(TimeExpression(group[0].start, group[-1].end, window))
    return expressions


def _atoms(text: str, now: dt.datetime, focus: Sequence[dt.date]) -> list[_Atom]:
    atoms: list[_Atom] = []

    def add(atom: _Atom) -> None:
        if all(atom.end <= other.start or atom.start >= other.end for other in atoms):
            atoms.append(atom)

    for pattern in _DAYS:
        for match in pattern.finditer(text):
            day = None if _is_number(match, text) else _day(match, now, focus)
            if day is not None:
                add(_Atom(*match.span(), "day", day=day))
    for match in _OFFSET.finditer(text):
        at = (now + _offset(match)).replace(second=0, microsecond=0)
        add(_Atom(*match.span(), "fixed", window=instant(at)))
    for match in _WEEK.finditer(text):
        add(_Atom(*match.span(), "fixed", window=_week(match["which"], now)))
    for match in _NOW.finditer(text):
        add(_Atom(*match.span(), "fixed", window=now_window(now)))
    for match in _RANGE.finditer(text):
        times = _range(match)
        if times is not None:
            add(_Atom(*match.span(), "clock", times=times))
    for pattern in _CLOCKS:
        for match in pattern.finditer(text):
            time = None if _is_number(match, text) else _clock(match)
            if time is not None:
                add(_Atom(*match.span(), "clock", times=(time,)))
    for match in _PART.finditer(text):
        if match["tonight"]:
            add(_Atom(*match.span(), "part", part=PartOfDay.EVENING, day=now.date()))
        elif not _GREETING.search(text[:match.start()]):
            day = now.date() if match.group().lower().startswith("this") else None
            add(_Atom(*match.span(), "part", part=PartOfDay(match["part"].lower()), day=day))
    return _join_ends(sorted(atoms, key=lambda atom: atom.start), text)


def _is_number(match: re.Match[str], text: str) -> bool:
    """Whether what looks like a time is the number of a room or the like."""
    written_as_time = ":" in match.group() or match.groupdict().get("meridiem")
    return (not written_as_time and match.group()[:1].isdigit()
            and _NUMBERED.search(text[:match.start()]) is not None)


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
    led = (_FROM.match(text, first.start)
           or _FROM.search(text, max(0, first.start - len("between ")), first.start))
    link = _TO.match(text, first.end)
    return led is not None and link is not None and second.start <= link.end() < second.end


def _joins(group: list[_Atom], atom: _Atom, text: str) -> bool:
    kinds = {each.kind for each in group}
    same_day = atom.kind == "day" and any(each.day == atom.day for each in group)
    if "fixed" in kinds or atom.kind == "fixed" or (atom.kind in kinds and not same_day):
        return False
    return _JOINT.fullmatch(text[group[-1].end:atom.start]) is not None


def _window(group: list[_Atom], now: dt.datetime, focus: Sequence[dt.date]) -> Window | None:
    if group[0].window:
        return group[0].window
    day = next((atom.day for atom in group if atom.day), None)
    times = next((atom.times for atom in group if atom.times), ())
    part = next((atom.part for atom in group if atom.part), None)
    zone = cast(dt.tzinfo, now.tzinfo)
    if times:
        times = tuple(_afternoon(time, part) for time in times)
        day = day or (focus[0] if focus else _next_day(times[-1], now))
        start = dt.datetime.combine(day, times[0], zone)
        if len(times) == 1:
            return instant(start)
        end = dt.datetime.combine(day, times[1], zone)
        return Window(start, end) if start < end else None
    if part:
        if day is None:
            day = focus[0] if focus else now.date()
        return part_window(day, part, zone)
    return day_window(day, zone) if day else None


def _afternoon(time: dt.time, part: PartOfDay | None) -> dt.time:
    if part is PartOfDay.MORNING and time.hour > 12:
        return time.replace(hour=time.hour - 12)
    later = part in (PartOfDay.AFTERNOON, PartOfDay.EVENING) and 1 <= time.hour < 12
    return time.replace(hour=time.hour + 12) if later else time


def _next_day(time: dt.time, now: dt.datetime) -> dt.date:
    return now.date() if time >= now.time() else now.date() + dt.timedelta(days=1)


def _clock(match: re.Match[str]) -> dt.time | None:
    groups = match.groupdict()
    if groups.get("noon"):
        return dt.time(12)
    if groups.get("midnight"):
        return dt.time(0)
    hour_text = groups["hour"].lower()
    hour = _NUMBERS.get(hour_text) or int(hour_text)
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
    if not meridiem and not written_24h and 1 <= hour < _FIRST_OFFICE_HOUR - 1:
        hour += 12
    if not (0 <= hour < 24 and 0 <= minute < 60):
        return None
    return dt.time(hour, minute)


def _range(match: re.Match[str]) -> tuple[dt.time, dt.time] | None:
    """Both ends of "from ten to eleven"; None for "10 to 11" without "from"."""
    if not (match["lead"] or (match["minute_1"] and match["minute_2"])
            or match["meridiem_1"] or match["meridiem_2"]):
        return None
    hours = [_NUMBERS.get(match[name].lower()) or int(match[name]) for name in ("hour_1", "hour_2")]
    minutes = [int(match[name] or 0) for name in ("minute_1", "minute_2")]
    end_half = (match["meridiem_2"] or "").lower()
    start_half = (match["meridiem_1"] or "").lower()
    for index, half in enumerate((start_half, end_half)):
        if index == 0 and not half:
            half = end_half if hours[0] < 12 and hours[0] <= hours[1] % 12 else ""
        spoken = not half and 1 <= hours[index] < _FIRST_OFFICE_HOUR - 1
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
    return int(word) if word.isdigit() else _MINUTES[word.removeprefix("a ")]


def _offset(match: re.Match[str]) -> dt.timedelta:
    word = match["number"].lower()
    amount = {"a": 1.0, "an": 1.0, "half an": 0.5}.get(word) or float(_NUMBERS.get(word) or word)
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
    if match.groupdict().get("same"):
        return focus[0] if focus else None
    words = " ".join(match.group().lower().replace(",", " ").split())
    words = words.removeprefix("on ").removeprefix("the ")
    relative = {"today": 0, "tomorrow": 1, "yesterday": -1, "day after tomorrow": 2,
                "day before yesterday": -2}.get(words)
    if relative is not None:
        return now.date() + dt.timedelta(days=relative)
    weekday = re.fullmatch(rf"(?:(this|next|coming|last) )?({_WEEKDAY})", words, re.IGNORECASE)
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
        number = {"a": 1}.get(days[1]) or _NUMBERS.get(days[1]) or int(days[1])
        return now.date() + dt.timedelta(days=number)
    named = re.sub(rf"^{_WEEKDAY} |\b(?:of|the) ", "", words, flags=re.IGNORECASE)
    named = re.sub(r"\b(" + "|".join(month[:3] for month in MONTHS) + r")[a-z]*\b\.?",
                   lambda found: _FULL_MONTHS[found[1].lower()], named, flags=re.IGNORECASE)
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
    # "21 March" said on 22 March means the one just gone, not next year's.
    for year in (now.year, now.year - 1):
        with contextlib.suppress(ValueError):  # 29 February
            gone = day.replace(year=year)
            if 0 < (now.date() - gone).days <= _JUST_GONE:
                return gone
    return day


_AMOUNT = (r"(?P<amount>an?|half an|one|two|three|four|five|six|seven|eight|nine|ten|\d{1,3})"
           r"\s+(?P<unit>hours?|minutes?|mins?)")
_DURATION = re.compile(rf"\bfor\s+(?P<next>the\s+next\s+)?{_AMOUNT}\b", re.IGNORECASE)
_NEXT_HOURS = re.compile(
    r"\b(?:in|during|within|over)\s+the\s+next\s+(?:(?P<amount>\w+)\s+)?"
    r"(?P<unit>hours?|minutes?)\b",
    re.IGNORECASE)
_NAMED_MONTH = "(?:" + "|".join(MONTHS) + ")"
#: Words that speak of a time which nothing here reads.
_UNREAD = tuple(re.compile(pattern) for pattern in (
    rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?|[Ii]n\s+|[Nn]ext\s+|[Ll]ast\s+)"
    rf"{_NAMED_MONTH}\b",
    rf"\b{_NAMED_MONTH}\s+\d+",
    r"\b\d{1,2}:\d{2}\b|\b\d{1,2}[./]\d{1,2}\.?(?!\w)",
    r"(?i)\b(?:this|next|last|the|at|on|per|every)\s+(?:weekend|month|year|quarter|week)\b",
    r"(?i)\b(?:in|for|within|after|before)\s+(?:the\s+next\s+|the\s+last\s+)?"
    r"(?:an?|one|two|three|four|five|six|a\s+few|several|half\s+an|\d+)\s+"
    r"(?:hours?|minutes?|mins?|weeks?|months?|years?|days?)\b",
    r"(?i)\b(?:hours?|minutes?|weeks?|days?)\s+(?:from|before|after|ago|earlier|later)\b",
    r"(?i)\b(?:after|before|around|over|at|during)\s+(?:lunch|breakfast|dinner|work)\b",
    r"(?i)\blunchtime\b",
    r"(?i)\b(?:at|during|by|before|after)\s+(?:that|this|the same)(?:\s+time)?\b(?!\s+\w)",
    r"(?i)\b(?:free|available|busy|happening|on)\s+then\b|\bthen\W*$",
    r"(?i)\b(?:during|before|after)\s+it\b",
    r"(?i)\bday\s+after\b(?!\s+tomorrow)|\bday\s+before\b(?!\s+yesterday)|\btmr?w?\b",
    r"(?i)\bhalf\s+(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b",
))
_BOUND = re.compile(r"\b(?:before|after|until|till|since|by)\s+$", re.IGNORECASE)


def duration_from(text: str, expressions: Sequence[TimeExpression],
                  now: dt.datetime) -> list[TimeExpression]:
    """The expressions with durations taken in: "at ten" and "for two hours" become a stretch.

    Args:
        text: The utterance.
        expressions: What :func:`find_time_expressions` found in it.
        now: Zone-aware present, from which "the next two hours" count.
    """
    coming = _NEXT_HOURS.search(text)
    match = _DURATION.search(text)
    if coming is None and match is None:
        return list(expressions)
    found = coming or match
    if found is None or (coming and not _amount(coming)):
        return list(expressions)
    length = dt.timedelta(minutes=_amount(found))
    points = [each for each in expressions if each.window.kind is WindowKind.INSTANT]
    start = now.replace(second=0, microsecond=0)
    if coming or found["next"]:
        return [TimeExpression(*found.span(), Window(start, start + length)), *expressions]
    if len(points) != 1:
        return list(expressions)
    at = points[0].window.start
    stretch = TimeExpression(points[0].start, points[0].end, Window(at, at + length))
    return [stretch if each is points[0] else each for each in expressions]


def _amount(match: re.Match[str]) -> int:
    """Minutes of a duration, 0 when its number is no number."""
    word = (match["amount"] or "one").lower()
    number = {"a": 1.0, "an": 1.0, "half an": 0.5}.get(word) or float(
        _NUMBERS.get(word) or (word if word.isdigit() else 0))
    return int(number * (60 if match["unit"].lower().startswith("h") else 1))


def unread_time(text: str, expressions: Sequence[TimeExpression]) -> str:
    """The words of a text that speak of a time but were not read; empty when there are none.

    Args:
        text: The utterance.
        expressions: What was found in it.
    """
    masked = text
    stretched = any(each.window.kind is WindowKind.SPAN for each in expressions)
    for each in expressions:
        masked = masked[:each.start] + "|" * (each.end - each.start) + masked[each.end:]
        bound = _BOUND.search(text[:each.start])
        if each.window.start == each.window.end:
            if bound:
                return text[bound.start():each.end]
            if re.match(r"(?:by|until|till)\b", text[each.start:each.end], re.IGNORECASE):
                return text[each.start:each.end]
    if stretched:
        masked = _NEXT_HOURS.sub("", _DURATION.sub("", masked))
    for pattern in _UNREAD:
        match = pattern.search(masked)
        if match:
            return match.group().strip()
    return ""
