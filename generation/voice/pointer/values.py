"""Values that replies copy, names, times, dates and numbers, and the forms in which they are said.

A value is one unit of a text, however many words say it. What a reply says of it is its *form*:
``14:30`` may be said as "2:30 PM". The form that the source has needs no name; the others have one,
which the generator says after the value.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache

from frontdesk.kg.english.phrases import MONTHS, NUMBERS, ORDINALS, WEEKDAYS, say_ordinal


class ValueKind(StrEnum):
    """What a unit of a text is."""

    WORD = "word"
    MARK = "mark"            # punctuation
    PERSON = "person"
    GROUP = "group"
    ROOM = "room"
    EVENT = "event"
    NAME = "name"            # of anything else
    TEXT = "text"            # an address, a comment
    TIME = "time"
    DATE = "date"
    NUMBER = "number"
    CONTACT = "contact"      # an e-mail address, a telephone number


@dataclass(frozen=True)
class Value:
    """A value.

    Args:
        kind: What it is.
        key: The same for whatever says the same: ``14:30``, ``03-21``, ``ada berg``.
        text: As the source says it, its form without a name.
    """

    kind: ValueKind
    key: str
    text: str

    @property
    def identity(self) -> str:
        """What tells it from all others."""
        return f"{_SPACES.get(self.kind, 'name')}:{self.key}"


#: Kinds whose keys are in a space of their own; names are the same whatever they name.
_SPACES = {ValueKind.WORD: "word", ValueKind.MARK: "word", ValueKind.TIME: "time",
           ValueKind.DATE: "date", ValueKind.NUMBER: "number"}

_MONTH_NUMBERS = {name[:3].casefold(): number for number, name in enumerate(MONTHS, start=1)}
_MONTH = r"(?P<month%s>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|" \
    r"aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
_DAY = r"(?P<day%s>[0-3]?\d)(?:st|nd|rd|th)?"
_YEAR = r"(?:,? (?P<year%s>(?:19|20)\d\d))?"
_WEEKDAY = rf"(?:(?:{'|'.join(WEEKDAYS)}),? )?"
_DATE = re.compile(
    rf"(?<!\w){_WEEKDAY}(?:{_DAY % 1} (?:of )?{_MONTH % 1}{_YEAR % 1}|"
    rf"(?:the )?{_MONTH % 2} (?:the )?{_DAY % 2}{_YEAR % 2})(?!\w|:\d)", re.IGNORECASE)
_TIME = re.compile(
    r"(?<![\w:.])(?P<hour>[01]?\d|2[0-3])(?:"
    r"(?::(?P<minute>[0-5]\d)(?::00)?(?: ?(?P<half1>[ap])(?:m\b|\.m\b\.?))?)|"
    r"(?: ?(?P<half2>[ap])(?:m\b|\.m\b\.?))|"
    r"(?= o[' ’]?clock))(?!\w|:\d)", re.IGNORECASE)
# The longest local part that an address may have (RFC 5321) keeps the search linear.
_CONTACT = re.compile(r"[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+|(?<!\w)\+?\d(?:[ -]?\d){6,14}(?!\w)")
_NUMBER = re.compile(r"(?<![\w.])(?:(?<!\d,)\d{1,3}(?:,\d{3}){1,3}|\d{1,6})"
                     r"(?=(?:st|nd|rd|th|°? ?F)?(?![\w]|[.,:]\d))", re.ASCII)
#: Before it a time without morning or afternoon is one in the afternoon: nobody meets at night.
_FIRST_MORNING_HOUR = 7


def find_values(text: str) -> Iterator[tuple[int, int, Value]]:
    """The times, dates, numbers, e-mail addresses and telephone numbers of a text.

    Yields:
        Start, end and value, in order; they do not overlap.
    """
    ahead = {kind: pattern.search(text) for kind, pattern in _PATTERNS.items()}
    while found := [(match.start(), kind, match) for kind, match in ahead.items() if match]:
        _, kind, match = min(found, key=lambda each: each[0])
        value = _read(kind, match)
        if value is not None:
            yield match.start(), match.end(), value
        position = match.end()
        ahead = {kind: _PATTERNS[kind].search(text, position)
                 if match and match.start() < position else match
                 for kind, match in ahead.items()}


#: In the order of precedence where two begin at the same place.
_PATTERNS = {ValueKind.CONTACT: _CONTACT, ValueKind.DATE: _DATE, ValueKind.TIME: _TIME,
             ValueKind.NUMBER: _NUMBER}


def _read(kind: ValueKind, match: re.Match[str]) -> Value | None:
    text = match[0]
    if kind is ValueKind.CONTACT:
        return Value(kind, text.casefold() if "@" in text else re.sub(r"[ -]", "", text), text)
    if kind is ValueKind.NUMBER:
        number = number_value(int(text.replace(",", "")))
        return replace(number, text=text) if "," in text else number
    if kind is ValueKind.DATE:
        month = match["month1"] or match["month2"]
        return _date(_MONTH_NUMBERS[month[:3].casefold()], int(match["day1"] or match["day2"]),
                     text)
    hour, half = int(match["hour"]), (match["half1"] or match["half2"] or "").casefold()
    minute = int(match["minute"] or 0)
    if half and not 1 <= hour <= 12:
        return None
    if half:
        hour = hour % 12 + 12 * (half == "p")
    elif hour < _FIRST_MORNING_HOUR and not text.startswith("0"):
        hour += 12
    return Value(ValueKind.TIME, f"{hour:02d}:{minute:02d}", text)


def _date(month: int, day: int, text: str) -> Value | None:
    try:
        dt.date(2000, month, day)
    except ValueError:
        return None
    return Value(ValueKind.DATE, f"{month:02d}-{day:02d}", text)


def date_value(date: dt.date) -> Value:
    """The value of a date that no text says."""
    return Value(ValueKind.DATE, f"{date:%m-%d}", f"{date.day} {MONTHS[date.month - 1]}")


def time_value(time: dt.time) -> Value:
    """The value of a time of day that no text says."""
    return Value(ValueKind.TIME, f"{time:%H:%M}", f"{time:%H:%M}")


def number_value(number: int) -> Value:
    """The value of a number."""
    return Value(ValueKind.NUMBER, str(number), str(number))


# --- forms


@lru_cache(maxsize=50_000)
def forms(value: Value) -> dict[str, str]:
    """The texts in which a value may be said, by the name of the form.

    The first is that of the source, whose name is empty. Texts of other forms may be equal.
    """
    others = {ValueKind.TIME: _time_forms, ValueKind.DATE: _date_forms,
              ValueKind.NUMBER: _number_forms, ValueKind.PERSON: _person_forms,
              ValueKind.CONTACT: _contact_forms}.get(value.kind)
    return {"": value.text} | (others(value) if others else {})


def _time_forms(value: Value) -> dict[str, str]:
    hour, minute = map(int, value.key.split(":"))
    half = "p" if hour >= 12 else "a"
    twelve = (hour - 1) % 12 + 1
    short = f"{twelve}:{minute:02d}" if minute else str(twelve)
    clocks = {"24": f"{hour:02d}:{minute:02d}", "12": f"{twelve}:{minute:02d}", "h": short}
    found = {f"time-{name}": text for name, text in clocks.items()}
    for name in ("12", "h"):
        for label, suffix in ((" pm", f" {half}m"), ("pm", f"{half}m"),
                              (" PM", f" {half}m".upper()), ("PM", f"{half}m".upper()),
                              (" p.m.", f" {half}.m."), ("p.m.", f"{half}.m.")):
            found[f"time-{name}{label}"] = clocks[name] + suffix
    return found


def _date_forms(value: Value) -> dict[str, str]:
    month_number, day = map(int, value.key.split("-"))
    month, ordinal = MONTHS[month_number - 1], say_ordinal(day)
    return {"date-month-day": f"{month} {day}", "date-month-ordinal": f"{month} {ordinal}",
            "date-month-the": f"{month} the {ordinal}", "date-day-month": f"{day} {month}",
            "date-ordinal-month": f"{ordinal} {month}", "date-of": f"{ordinal} of {month}",
            "date-the-of": f"the {ordinal} of {month}", "date-the": f"the {ordinal}",
            "date-ordinal": ordinal}


def _number_forms(value: Value) -> dict[str, str]:
    number = int(value.key)
    found = {"number-F": f"{number}F", "number- F": f"{number} F", "number-°F": f"{number}°F",
             "number-ordinal": say_ordinal(number)}
    if number < len(_NUMBER_WORDS):
        found["number-word"] = _NUMBER_WORDS[number]
    if 0 < number <= len(_ORDINAL_WORDS):
        found["number-ordinal-word"] = _ORDINAL_WORDS[number - 1]
    return found


_NUMBER_WORDS, _ORDINAL_WORDS = NUMBERS[:13], ORDINALS[:10]


def _person_forms(value: Value) -> dict[str, str]:
    words = value.text.split()
    return {"person-first": words[0], "person-last": words[-1]} if len(words) > 1 else {}


def _contact_forms(value: Value) -> dict[str, str]:
    if "@" in value.text:
        return {}
    digits = value.key.removeprefix("+")
    pairs = " ".join(digits[index:index + 2] for index in range(0, len(digits), 2))
    plus = "+" if value.key.startswith("+") else ""
    return {"phone-pairs": plus + pairs, "phone-digits": plus + digits}
