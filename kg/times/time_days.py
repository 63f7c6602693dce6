"""The days that words may mean, each with its probability.

Days of something to be arranged: they lie ahead where the words leave it open.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import cast

from frontdesk.kg.english.phrases import MONTHS
from frontdesk.kg.times.time_grammar import HOLIDAYS, WEEKDAY, Expression
from frontdesk.kg.times.time_stretches import (
    JUST_GONE,
    ONE_DAY,
    ONE_WEEK,
    Base,
    Candidates,
    Days,
    days_later,
    in_week,
    month_days,
    month_in,
    months_later,
    number_of,
    numbered_day,
    single,
    week,
)

#: "3/4" is the third of April; in American usage the fourth of March.
MONTH_FIRST = 0.3
#: "Friday" said on a Friday: the coming one, or this very day.
SAME_WEEKDAY = 0.45
#: "next Friday" said before the Friday of the same week: of the next week, or the coming one.
NEXT_IS_COMING = 0.4
#: "next Tuesday" said so many days or fewer before the Tuesday of the following week may mean the
#: one after that.
NEXT_IS_LATER = {1: 0.6, 2: 0.45, 3: 0.2}
#: "Friday the 6th of May" that is a Thursday: the date is right more often than its day.
DATE_NOT_WEEKDAY = 0.6
#: A date without a year that has just gone may be spoken of, but is not likely to be arranged.
GONE = 0.1
#: "21 March" asked about so many days later is not next year's.
_GONE_DAYS = 65
#: "Friday the 13th" is the next one, unless that is further away: then it may be a mistake.
_NEAR = dt.timedelta(days=60)
_SUNDAY = 6


#: How many years ahead something can be arranged.
YEARS_AHEAD = 10
_MONTH = rf"(?P<month>{'|'.join(f'{each[:3]}(?:{each[3:]})?' for each in MONTHS)}|sept)"
#: "May" alone is a month before a day only with its capital letter.
_MONTH_FIRST = rf"(?!(?-i:may)\b){_MONTH}"
_DATES = tuple(re.compile(rf"\b{pattern}(?![\w-])", re.IGNORECASE | re.ASCII) for pattern in (
    rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? {_MONTH}\.?(?:,? (?P<year>\d{{4,9}}))?",
    rf"{_MONTH_FIRST}\.? (?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?![:.]\d)"
    r"(?:,? (?P<year>\d{4,9}))?",
    r"(?P<year>\d{4,9})-(?P<month>\d\d)-(?P<day>\d\d)"))


def no_such_day(text: str, today: dt.date) -> str:
    """The first date in a text that does not exist or is too far away; empty when there is none.

    Example:
        >>> no_such_day("Move it to 31 April at ten", dt.date(2026, 3, 2))
        '31 April'
    """
    for match in sorted((each for pattern in _DATES for each in pattern.finditer(text)),
                        key=lambda each: each.start()):
        month = match["month"].lower()[:3]
        number = int(month) if month.isdigit() else 1 + next(
            index for index, each in enumerate(MONTHS) if each.lower().startswith(month))
        year = int(match["year"]) if match["year"] else None
        try:
            dt.date(year or 2000, number, int(match["day"]))  # 2000 has a 29 February
        except (OverflowError, ValueError):
            return match[0]
        if year is not None and year > today.year + YEARS_AHEAD:
            return match[0]
    return ""


def lacks_year(text: str) -> bool:
    """Whether a text has a day of a month, and neither its year nor its weekday.

    Example:
        >>> lacks_year("on 16 July at ten"), lacks_year("on Thursday 16 July")
        (True, False)
    """
    return re.search(WEEKDAY, text.lower()) is None and any(
        match["year"] is None for pattern in _DATES for match in pattern.finditer(text))


def days_in(expression: Expression, base: Base) -> Candidates:
    """The days that an expression of a day may mean; empty when there is no such day."""
    reader = _READERS.get(expression.kind)
    try:
        return reader(expression.words, base) if reader else []
    except (OverflowError, ValueError):  # beyond the calendar, or no day of it
        return []


def _relative(words: str, base: Base) -> Candidates:
    day = {"today": 0, "tomorrow": 1, "yesterday": -1}.get(words)
    if day is not None:
        return single(base.today + day * ONE_DAY)
    step = -ONE_DAY if re.search(r"before|previous", words) else ONE_DAY
    if words.endswith(("tomorrow", "yesterday")):
        return single(base.today + 2 * step)
    weekday = re.search(WEEKDAY, words)
    if weekday:
        return [(Days(days.first + step), probability)
                for days, probability in _coming(weekday[0], base)]
    before = base.spoken_of or (base.until if step > dt.timedelta() else None)
    return single(before + step) if before else []


def _same_day(words: str, base: Base) -> Candidates:
    day = base.spoken_of or (base.today if words.endswith("the day") else None)
    return single(day) if day else []


def _coming(weekday: str, base: Base) -> Candidates:
    ahead = (number_of(weekday) - base.today.weekday()) % 7
    if base.gone:
        return single(base.today - (-ahead % 7) * ONE_DAY)
    if ahead or not base.ahead:
        return single(base.today + ahead * ONE_DAY)
    return [(Days(base.today + ONE_WEEK), 1 - SAME_WEEKDAY), (Days(base.today), SAME_WEEKDAY)]


def _next(weekday: str, base: Base) -> Candidates:
    ahead = (number_of(weekday) - base.today.weekday()) % 7 or 7
    coming, later = base.today + ahead * ONE_DAY, base.today + (ahead + 7) * ONE_DAY
    if ahead == 7 or not base.ahead:
        return single(coming)
    if base.today.weekday() + ahead > _SUNDAY:  # it is in the next week anyway
        share = NEXT_IS_LATER.get(ahead, 0.0)
    else:
        share = 1 - NEXT_IS_COMING
    return [(Days(coming), 1 - share), (Days(later), share)] if share else single(coming)


def _weekday(words: str, base: Base) -> Candidates:
    day = cast("re.Match[str]", re.search(WEEKDAY, words))[0]
    month = month_in(words)
    number = re.search(r"(?<!\S)([0-9]{1,2})(?:th|ord)?(?!\S)", words[words.index(day):])
    if number:
        return _dated_weekday(day, number[1], month, words, base)
    if month or words.endswith("next month"):
        return _of_month(day, month, words, base)
    before, _, after = words.partition(day)
    if re.search(r"week after next", after):
        return single(in_week(day, base, 2))
    if re.search(r"(?:next|following|coming) week", after):
        return single(in_week(day, base, 1))
    if "this week" in after:
        return single(in_week(day, base, 0))
    if after == " after":
        return _coming_after(day, Base(base.spoken_of or base.today))
    if "after next" in after:
        return [(Days(days.first + ONE_WEEK), share) for days, share in _coming_after(day, base)]
    if re.search(r"\blast\b", before) or re.search(r" (?:gone|past|last)$", after):
        back = (base.today.weekday() - number_of(day)) % 7 or 7
        return single(base.today - back * ONE_DAY)
    if re.search(r"\bnext\b", before) or after == " next":
        return _next(day, base)
    if re.search(r"\bfollowing\b", before):
        return _coming_after(day, Base(base.spoken_of or base.today))
    return _coming(day, base)


def _coming_after(weekday: str, base: Base) -> Candidates:
    ahead = (number_of(weekday) - base.today.weekday()) % 7 or 7
    return single(base.today + ahead * ONE_DAY)


def _dated_weekday(weekday: str, number: str, month: str, words: str, base: Base) -> Candidates:
    """ "Friday the 6th", of the month in which it is one; or the date that is on another day."""
    if month:
        year = re.search(r"[0-9]{4}$", words)
        dates = _written(f"{number} {month}{' ' + year[0] if year else ''}", base)
        last = None if year or base.ahead or not dates else _gone(dates[0][0].first, base.today)
        agreed = [each for each in (*dates, *(single(last) if last else ()))
                  if each[0].first.weekday() == number_of(weekday)]
        return agreed or _either(dates, weekday, base)
    coming = numbered_day(int(number), base)
    for ahead in range(14):
        days = month_days(months_later(base.today.replace(day=1), ahead))
        for day in days[int(number) - 1:int(number)]:
            if day >= base.today and day.weekday() == number_of(weekday):
                near = day <= base.today + _NEAR
                return single(day) if near else _either(coming, weekday, base)
    return []


def _either(dates: Candidates, weekday: str, base: Base) -> Candidates:
    """A date that is not on the day of the week that was said with it: one of both is wrong."""
    return [(days, share * each) for candidates, share in (
        (dates, DATE_NOT_WEEKDAY), (_coming(weekday, base), 1 - DATE_NOT_WEEKDAY))
        for days, each in candidates] if dates else []


def _of_month(weekday: str, month: str, words: str, base: Base) -> Candidates:
    """ "The first Monday in April", "the last Friday of next month"."""
    ahead = (MONTHS.index(month) + 1 - base.today.month) % 12 if month else 1
    which = re.search(r"([1-4])ord|last", words)
    if which is None:
        return []
    for later in (ahead, ahead + 12):
        first = months_later(base.today.replace(day=1), later)
        days = [day for day in month_days(first) if day.weekday() == number_of(weekday)]
        day = days[int(which[1]) - 1 if which[1] else -1]
        if day >= base.today:
            return single(day)
    return []


def _date(words: str, base: Base) -> Candidates:
    words = re.sub(r"^(?:on|from|by|until|to) ", "", words).removesuffix(" .").removeprefix("the ")
    feast = next((when for name, when in HOLIDAYS.items()
                  if re.fullmatch(rf"{name}(?: day)?", words)), None)
    if feast is not None:
        return _written(f"{feast[1]} {MONTHS[feast[0] - 1]}", base)
    numbered = re.fullmatch(r"([0-9]{1,2})(?:th|ord)", words)
    if numbered:
        return numbered_day(int(numbered[1]), base)
    if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", words):
        return single(dt.date.fromisoformat(words))
    numbers = re.fullmatch(r"([0-9]{1,2})[./-]([0-9]{1,2})(?:[./-]([0-9]{2,4}))?", words)
    if numbers:
        return _numeric(int(numbers[1]), int(numbers[2]), numbers[3] or "", base,
                        dotted="." in words)
    named = re.sub(r"(?<=[0-9])(?:th|ord)|(?<!\S)(?:of|the|,) ", "", words)
    return _written(named, base)


def _numeric(one: int, two: int, year: str, base: Base, *, dotted: bool) -> Candidates:
    orders = [(one, two, 1 - MONTH_FIRST), (two, one, MONTH_FIRST)]
    found: Candidates = []
    for day, month, share in orders[:1] if dotted else orders:
        if 1 <= month <= 12 and 1 <= day <= 31 and not (found and day == month):
            found += [(days, share * each) for days, each in _written(
                f"{day} {MONTHS[month - 1]} {_full_year(year)}".strip(), base)]
    total = sum(share for _, share in found)
    return [(days, share / total) for days, share in found]


def _full_year(year: str) -> str:
    return f"20{year}" if len(year) == 2 else year


def _written(words: str, base: Base) -> Candidates:
    """The day of a written date; of one without a year also the one that has just gone."""
    day = _parsed(words.lower(), base.today)
    if day is None:
        return []
    if not re.search(r"[0-9]{4}", words) and day > base.today:
        gone = _gone(day, base.today)
        if gone and (base.gone or (not base.ahead
                                   and base.today - gone <= _GONE_DAYS * ONE_DAY)):
            return single(gone)
        if gone and base.today - gone <= JUST_GONE:
            return [(Days(day), 1 - GONE), (Days(gone), GONE)]
    return single(day)


def _gone(day: dt.date, today: dt.date) -> dt.date | None:
    """A day of the year as it was last; None where neither this year nor the last has it."""
    for year in (today.year, today.year - 1):
        with contextlib.suppress(ValueError):  # 29 February, or beyond the calendar
            if (gone := day.replace(year=year)) <= today:
                return gone
    return None


def _parsed(words: str, today: dt.date) -> dt.date | None:
    """The day that words like "5 March 2026" name, the next one where they tell no year."""
    months = [number for number, name in enumerate(MONTHS, 1) if name.lower() in words.split()]
    numbers = [int(each) for each in words.split() if each.isdecimal()]
    if not months or not numbers:
        return None
    years = numbers[1:] or range(today.year, today.year + 9)  # leap years are so far apart at most
    for year in years:
        with contextlib.suppress(ValueError):
            day = dt.date(year, months[0], numbers[0])
            if numbers[1:] or day >= today:
                return day
    return None


def _ahead(words: str, base: Base) -> Candidates:
    weekday = re.search(rf"{WEEKDAY}|today|tomorrow", words)
    starts: Sequence[tuple[Days, float]] = single(base.today)
    if weekday and weekday[0] in ("today", "tomorrow"):
        starts = _relative(weekday[0], base)
    elif weekday:
        starts = _coming(weekday[0], replace(base, gone=False))
    after = re.search(r"(?:a )?(week|fortnight)$", words)
    length = f"a {after[1]}" if weekday and after else words
    found = []
    for days, probability in starts:
        later = days_later(days.first, length)
        if later is not None:
            found.append((Days(later), probability))
    return found


def _ago(words: str, base: Base) -> Candidates:
    day = days_later(base.today, words, way=-1)
    return [] if day is None else single(day)


def _stretch(words: str, base: Base) -> Candidates:
    """ "Monday to Wednesday", "from the 3rd to the 5th"."""
    numbers = [int(each) for each in re.findall(r"[0-9]+", words)]
    if numbers:
        return [(Days(start.first, end.first), share)
                for start, share in numbered_day(numbers[0], base)
                for end, _ in numbered_day(numbers[1], Base(start.first))]
    first, last = re.findall(WEEKDAY, words)
    day = (_coming_after if first == last else _coming)(first, base)[0][0].first
    ahead = (number_of(last) - number_of(first)) % 7
    return [(Days(day, day + ahead * ONE_DAY), 1.0)]


_READERS: dict[str, Callable[[str, Base], Candidates]] = {
    "day": _relative, "same_day": _same_day, "weekday": _weekday, "days": _stretch,
    "week": week, "date": _date, "ahead": _ahead, "ago": _ago,
}
