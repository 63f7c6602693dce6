"""How long, whether later, and stretches of days: lengths in minutes and in days, weeks, months and
their parts."""

from __future__ import annotations

import calendar
import datetime as dt
import re
from dataclasses import dataclass

from frontdesk.kg.english.phrases import MONTHS, WEEKDAYS
from frontdesk.kg.times.time_grammar import WEEKDAY

ONE_DAY = dt.timedelta(days=1)
ONE_WEEK = dt.timedelta(days=7)
#: A day may be spoken of so long after it, where its month or its year is not said.
JUST_GONE = 2 * ONE_WEEK
#: "Move it up an hour" is more often earlier, "push it back an hour" later; some mean the other.
_UP_IS_EARLIER = 0.6
_BACK_IS_LATER = 0.8
_MOVED_IS_LATER = 0.6
_FRIDAY, _SUNDAY = 4, 6
#: Of a week that is asked about also the weekend counts.
_WHOLE_WEEK = re.compile(r"^(?:the )?(?:(?:this|next|coming|following|whole)(?: coming)? week|"
                         r"week after(?: that)?)$")
_LEFT = re.compile(r"\b(?:rest|later)\b")
#: A week or a month that is counted from what was spoken of.
_COUNTED = re.compile(r"following|(?:week|month) after(?: that)?$")


@dataclass(frozen=True)
class Days:
    """A day, or a stretch of days.

    Args:
        last: The last one of a stretch; None for a day.
    """

    first: dt.date
    last: dt.date | None = None


Candidates = list[tuple[Days, float]]


@dataclass(frozen=True)
class Base:
    """The days from which others are counted.

    Args:
        spoken_of: The day that was spoken of before; None when none was.
        ahead: What is to be arranged is spoken of, which lies ahead. What is only asked about may
            be today or have just gone.
        gone: What is over is spoken of: a weekday, a month, or a date without its month or year
            is the last one.
        until: The last one of several days that were spoken of before, where no single one was.
        whole: A week or a month that has begun is all of it, not what is left.
    """

    today: dt.date
    spoken_of: dt.date | None = None
    ahead: bool = True
    gone: bool = False
    until: dt.date | None = None
    whole: bool = False


def on_weekday(candidates: Candidates, weekday: int) -> Candidates:
    """The day of the week in each stretch: "next week" and "Tuesday" together."""
    found = []
    for days, probability in candidates:
        day = days.first + dt.timedelta(days=(weekday - days.first.weekday()) % 7)
        if days.last is not None and day <= days.last + 2 * ONE_DAY:
            found.append((Days(day), probability))
    return found


def both_days(first: Candidates, second: Candidates) -> Candidates:
    """Days that are said twice: "next week" and "Tuesday", "tomorrow" and "the 5th"."""
    if not first:
        return second
    for wide, narrow in ((first, second), (second, first)):
        if any(days.last for days, _ in wide) and not any(days.last for days, _ in narrow):
            inside = [(days, share) for days, share in narrow if any(
                each.first <= days.first <= (each.last or each.first) for each, _ in wide)]
            return inside or _inside(wide, narrow[0][0].first) or second
    agreed = [(days, share) for days, share in second if any(days == each for each, _ in first)]
    return agreed or second


def _inside(wide: Candidates, day: dt.date) -> Candidates:
    """The day of a week or a month: "Tuesday" and "next week", "the 3rd" and "next month"."""
    days = wide[0][0]
    if days.last is None or days.last - days.first <= dt.timedelta(days=7):
        return on_weekday(wide, day.weekday())
    if day.day > days.last.day:
        return []
    return [(Days(days.last.replace(day=day.day)), 1.0)]


def numbered_day(number: int, base: Base) -> Candidates:
    """The day that "the 3rd" means: the coming one, or of what is only asked about one of this
    month that has just gone, or of what is over the last one; empty when no month has it."""
    for months in range(4):
        try:
            month = months_later(base.today.replace(day=1), -months if base.gone else months)
        except OverflowError:
            break
        if 0 < number <= calendar.monthrange(month.year, month.month)[1]:
            day = month.replace(day=number)
            if base.gone and day > base.today:
                continue
            if base.gone or day >= base.today or (
                    not base.ahead and base.today - day <= JUST_GONE):
                return single(day)
    return []


def single(day: dt.date) -> Candidates:
    """One day, and no other."""
    return [(Days(day), 1.0)]


def number_of(weekday: str) -> int:
    """Of a day of the week, 0 for Monday."""
    return WEEKDAYS.index(weekday.capitalize())


def in_week(weekday: str, base: Base, weeks: int) -> dt.date:
    """A day of this week, or of one so many weeks later."""
    return _monday(base.today) + weeks * ONE_WEEK + number_of(weekday) * ONE_DAY


def month_in(words: str) -> str:
    """The name of the month in canonical words; empty when there is none."""
    return next((name for name in MONTHS
                 if re.search(rf"(?<!\S){name.lower()}(?!\S)", words)), "")


def month_days(first: dt.date) -> list[dt.date]:
    """The days of a month, of which the first is given."""
    return [first.replace(day=day)
            for day in range(1, calendar.monthrange(first.year, first.month)[1] + 1)]


def week(words: str, base: Base) -> Candidates:
    """A week, a weekend or a month, or a part of one."""
    weekday = re.search(WEEKDAY, words)
    if weekday:
        return single(in_week(weekday[0], base, 0 if words.startswith("this") else 1))
    coming = re.search(r"(?:next|coming) (?:([0-9]+) )?(days|weeks)$", words)
    if coming:
        count = int(coming[1] or 3) * (7 if coming[2] == "weeks" else 1)
        return [(Days(base.today, base.today + (count - 1) * ONE_DAY), 1.0)] if count else []
    month = month_in(words)
    if month or "month" in words:
        return _month(month, words, base)
    numbered = re.search(r"week of the ([0-9]+)", words)
    if numbered:
        return [(Days(_monday(days.first), _monday(days.first) + _FRIDAY * ONE_DAY), share)
                for days, share in numbered_day(int(numbered[1]), base)]
    weeks = 2 if "after next" in words else 1 if re.search(
        r"next|coming|following|week after", words) else -1 if words.startswith("last") else 0
    monday = _monday(_counted_from(words, base)) + weeks * ONE_WEEK
    if "weekend" in words:
        return [(Days(monday + 5 * ONE_DAY, monday + 6 * ONE_DAY), 1.0)]
    if not base.ahead and _WHOLE_WEEK.search(words):
        begins = monday if base.gone or base.whole else max(monday, base.today)
        return [(Days(begins, monday + _SUNDAY * ONE_DAY), 1.0)]
    first, last = _edge(words, monday, monday + _FRIDAY * ONE_DAY, (2, 2, 3))
    if weeks == 0 and not base.gone:
        return _from_today(first, last, monday + _SUNDAY * ONE_DAY, words, base)
    return [(Days(first, last if last > first else None), 1.0)]


def _counted_from(words: str, base: Base) -> dt.date:
    """The day from whose week or month others are counted."""
    return (base.spoken_of or base.until or base.today) if _COUNTED.search(words) else base.today


def _from_today(first: dt.date, last: dt.date, sunday: dt.date, words: str,
                base: Base) -> Candidates:
    """What is left of this week."""
    first = max(first, base.today + ("later" in words) * ONE_DAY)
    last = last if last >= first else sunday
    if last < first:
        return []
    return [(Days(first, last if last > first else None), 1.0)]


def _month(month: str, words: str, base: Base) -> Candidates:
    if month:
        ahead = (MONTHS.index(month) + 1 - base.today.month) % 12
        ahead -= 12 * (base.gone and ahead > 0)
    else:
        ahead = 1 if re.search(r"next|coming|following|after", words) else (
            -words.startswith("last"))
    first = months_later(_counted_from(words, base).replace(day=1), ahead)
    last = month_days(first)[-1]
    which = re.search(r"(?:([1-4])ord|last) (?:full )?week", words)
    if which:
        monday = _monday(last) if which[1] is None else (
            _monday(first + 6 * ONE_DAY) + (int(which[1]) - 1) * ONE_WEEK)
        return [(Days(monday, monday + _FRIDAY * ONE_DAY), 1.0)]
    start, end = _edge(words, first, last, (7, 10, 7))
    if ahead < 0 or base.gone or (base.whole and not _LEFT.search(words)):
        return [(Days(start, end), 1.0)]
    return [(Days(max(start, base.today), end), 1.0)] if end >= base.today else []


def _edge(words: str, first: dt.date, last: dt.date,
          lengths: tuple[int, int, int]) -> tuple[dt.date, dt.date]:
    """The part of a stretch of days that is said: its start, its middle or its end.

    Args:
        words: Canonical words.
        lengths: Days at the start, days before the middle, days at the end.
    """
    start, middle, end = lengths
    if re.search(r"start|beginning|early|1ord half", words):
        return first, first + (start - 1) * ONE_DAY
    if re.search(r"middle|\bmid(?:week)?\b", words):
        return first + middle * ONE_DAY, max(first + middle * ONE_DAY, last - middle * ONE_DAY)
    if re.search(r"\bend\b|\blate\b|2ord half", words):
        return last - (end - 2) * ONE_DAY if end == 3 else last - (end - 1) * ONE_DAY, last
    return first, last


def _monday(day: dt.date) -> dt.date:
    return day - day.weekday() * ONE_DAY


_FRACTIONS = {"half": 30, "1/2": 30, "quarter": 15, "1/4": 15, "3 quarters": 45, "3/4": 45}
_FRACTION = "(?P<fraction>half|1/2|3 quarters|3/4|quarter|1/4)"
_HOURS = r"(?P<hours>an?(?: couple(?: of)?)?|couple of|[0-9]{1,3})"
_PATTERNS = tuple(re.compile(rf"(?<!\S){pattern}(?!\S)") for pattern in (
    rf"(?:{_HOURS} )?hours? and (?:an? )?{_FRACTION}",
    rf"(?<![0-9] )(?<!and )(?<!and a )(?:a )?{_FRACTION}(?: of)?(?: an?)? hours?",
    rf"{_HOURS} (?:and (?:a )?)?(?P<fraction>half|1/2) hours?",
    r"(?P<hours>[0-9]{1,2}):(?P<minutes>[0-9]{1,2}) (?:hours?|h)",
    r"(?P<decimal>[0-9]{1,2}\.[0-9]{1,2}) (?:hours?|h)",
    r"(?P<hours>[0-9]{1,2})h(?P<minutes>[0-9]{2})",
    rf"{_HOURS} (?:hours?|h)(?: (?:and )?(?P<minutes>[0-9]{{1,2}}) minutes)?",
    r"(?P<minutes>[0-9]{1,3}|an?(?: couple(?: of)?)?|couple of) minutes",
    r"(?P<hours>)hour",
))
_RANGE = re.compile(r"([0-9]{1,3}) (?:to|or|-) ([0-9]{1,3}) (hours|minutes)")
_DAYS = re.compile(r"(?<!\S)(?<!half )(?P<count>[0-9]{1,3}|an?(?: couple(?: of)?)?|couple of) "
                   r"(?P<unit>day|week|fortnight|month)s?(?!\S)(?! and (?:an? )?half)")
#: Nobody books more at once; what is longer is no length.
LONGEST_MINUTES = 30 * 24 * 60


def minutes_in(words: str) -> int:
    """The length that is said, in minutes; 0 when none is.

    Args:
        words: Canonical words.
    """
    for pattern in _PATTERNS:
        found = pattern.search(words)
        if found is None:
            continue
        groups = found.groupdict()
        if groups.get("decimal"):
            return round(float(groups["decimal"]) * 60)
        length = _FRACTIONS.get(groups.get("fraction") or "", 0)
        length += _count(groups.get("minutes") or "0")
        if "hours" in groups:
            length += 60 * _count(groups["hours"] or "1")
        return length if length <= LONGEST_MINUTES else 0
    return 0


def lengths_in(words: str) -> list[tuple[int, float]]:
    """The lengths that may be meant, in minutes, each with its probability."""
    either = _RANGE.search(words)
    if either:
        unit = 60 if either[3] == "hours" else 1
        return [(int(either[1]) * unit, 0.5), (int(either[2]) * unit, 0.5)]
    length = minutes_in(words)
    return [(length, 1.0)] if length else []


def days_later(day: dt.date, words: str, way: int = 1) -> dt.date | None:
    """The day that comes so many days, weeks or months after another, or before it where ``way`` is
    -1; None when none is said.

    Raises:
        OverflowError: It is beyond the calendar.
    """
    found = _DAYS.search(words)
    if found is None:
        return None
    count = way * _count(found["count"])
    if found["unit"] == "month":
        return months_later(day, count)
    return day + dt.timedelta(days=count * {"day": 1, "week": 7, "fortnight": 14}[found["unit"]])


def months_later(day: dt.date, months: int) -> dt.date:
    """The same day of a later month, or the last that the month has.

    Raises:
        OverflowError: It is beyond the calendar.
    """
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    if not dt.MINYEAR <= year <= dt.MAXYEAR:
        raise OverflowError(f"{months} months after {day} is beyond the calendar")
    last = calendar.monthrange(year, month + 1)[1]
    return day.replace(year=year, month=month + 1, day=min(day.day, last))


def _count(word: str) -> int:
    if word.isdecimal():
        return int(word)
    return 2 if "couple" in word else 1


def directions_in(text: str) -> list[tuple[int, float]]:
    """Whether words move something later (1) or earlier (-1), each with its probability; empty for
    neither."""
    words = set(text.split())
    if words & {"later", "after", "delay", "postpone", "defer", "out", "down"}:
        return [(1, 1.0)]
    if words & {"earlier", "sooner", "before"}:
        return [(-1, 1.0)]
    brought = text.startswith(("bring", "pull"))
    if words & {"forward", "forwards", "ahead", "up"}:
        return [(-1, 1.0)] if brought else [(-1, _UP_IS_EARLIER), (1, 1 - _UP_IS_EARLIER)]
    if "back" in words:
        later = 1 - _BACK_IS_LATER if brought else _BACK_IS_LATER
        return sorted([(1, later), (-1, 1 - later)], key=lambda way: -way[1])
    if text.startswith("push"):
        return [(1, 1.0)]
    moved = "by" in words and text.startswith(("move", "shift"))
    return [(1, _MOVED_IS_LATER), (-1, 1 - _MOVED_IS_LATER)] if moved else []
