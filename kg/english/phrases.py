"""How dates, times, numbers and lists are said in English."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence

from frontdesk.kg.graph.windows import Window, WindowKind, part_of

MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September",
          "October", "November", "December")
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
#: The word for a number is at its index.
NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
           "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen",
           "eighteen", "nineteen")
#: What comes before the words for one to nine: "twenty-one".
TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70,
        "eighty": 80, "ninety": 90}
#: From the first on.
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
            "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth",
            "seventeenth", "eighteenth", "nineteenth", "twentieth")
#: Longer lists are cut and the rest counted.
LONGEST_LIST = 10
#: Before what is written as it is to be.
QUOTES = "“\"'«"
_ARTICLE = re.compile(r"(?:the|an?)\s+(?=\S)", re.IGNORECASE)


class Phrase:
    """A piece of text with other forms of it, for templates.

    Args:
        text: What ``{0}`` becomes.
        forms: What ``{0.name}`` becomes, by name.
    """

    def __init__(self, text: str, **forms: str) -> None:
        self.text = text
        self.forms = forms

    def __str__(self) -> str:
        return self.text

    def __format__(self, spec: str) -> str:
        return format(self.text, spec)

    def __getattr__(self, form: str) -> str:
        try:
            return self.__dict__["forms"][form]  # type: ignore[no-any-return]
        except KeyError:
            raise AttributeError(f"{self.__dict__.get('text')!r} has no form {form!r}") from None


def say_time(time: dt.time | dt.datetime) -> str:
    """``11:30``."""
    return f"{time:%H:%M}"


def say_date(date: dt.date, *, this_year: int | None = None) -> str:
    """``Monday 21 March``, with the year unless it is ``this_year``."""
    year = "" if date.year == this_year else f" {date.year}"
    return f"{WEEKDAYS[date.weekday()]} {date.day} {MONTHS[date.month - 1]}{year}"


def say_on(date: dt.date, today: dt.date) -> str:
    """``today``, ``tomorrow``, ``yesterday`` or ``on Monday 21 March``."""
    near = {0: "today", 1: "tomorrow", -1: "yesterday"}.get((date - today).days)
    return near or f"on {say_date(date, this_year=today.year)}"


def say_day(date: dt.date, today: dt.date) -> str:
    """``tomorrow, Friday 18 March`` or ``on Monday 21 March``: near days with their date."""
    on = say_on(date, today)
    return on if on.startswith("on ") else f"{on}, {say_date(date, this_year=today.year)}"


def say_hours(start: dt.datetime, end: dt.datetime) -> str:
    """``from 09:00 to 10:00``, or ``at 09:00`` when both are the same."""
    if start == end:
        return f"at {say_time(start)}"
    return f"from {say_time(start)} to {say_time(end)}"


def say_window(window: Window, today: dt.date) -> str:
    """A window as an adverbial: ``now``, ``tomorrow morning``, ``at 12:00 on Monday 21 March``."""
    on = say_on(window.date, today)
    if window.kind is WindowKind.NOW:
        return "now"
    last = (window.end - dt.timedelta(microseconds=1)).date()
    if window.kind is WindowKind.DAY:
        return on if last <= window.date else _from_to(window.date, last, today)
    if window.kind is WindowKind.PART:
        part = part_of(window)
        if on == "today":
            return f"this {part}"
        return f"{on} {part}" if on in ("tomorrow", "yesterday") else f"{on} in the {part}"
    if window.kind is WindowKind.ALL_DAY:
        return f"all day {on if last <= window.date else _from_to(window.date, last, today)}"
    if window.end.date() == window.date:
        return f"{on} {say_hours(window.start, window.end)}"
    year = today.year
    return (f"from {say_time(window.start)} on {say_date(window.date, this_year=year)} "
            f"to {say_time(window.end)} on {say_date(window.end.date(), this_year=year)}")


def _from_to(first: dt.date, last: dt.date, today: dt.date) -> str:
    return (f"from {say_date(first, this_year=today.year)} "
            f"to {say_date(last, this_year=today.year)}")


def say_list(items: Sequence[str], omitted: int = 0) -> str:
    """``A``, ``A and B``, ``A, B and C``; beyond ten items, or with some ``omitted``,
    ``… and 4 more``."""
    shown = list(items[:LONGEST_LIST])
    more = len(items) - len(shown) + omitted
    if more:
        return ", ".join(shown) + f" and {more} more"
    if len(shown) <= 1:
        return "".join(shown)
    return ", ".join(shown[:-1]) + " and " + shown[-1]


def say_count(number: int, noun: str, plural: str = "") -> str:
    """``1 event``, ``3 events``."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def say_minutes(minutes: int) -> str:
    """``45 minutes``, ``1 hour``, ``1 hour and 30 minutes``, ``2 days``."""
    days, rest = divmod(minutes, 24 * 60)
    hours, left = divmod(rest, 60)
    parts = [say_count(value, noun)
             for value, noun in ((days, "day"), (hours, "hour"), (left, "minute")) if value]
    return say_list(parts) or "0 minutes"


def say_ordinal(number: int) -> str:
    """``1st``, ``2nd``, ``3rd``, ``11th``, ``22nd``."""
    if number % 100 in (11, 12, 13):
        return f"{number}th"
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"


def say_floor(floor: int) -> str:
    """``the ground floor``, ``the 3rd floor``, ``basement level 1``."""
    if floor < 0:
        return f"basement level {-floor}"
    return "the ground floor" if floor == 0 else f"the {say_ordinal(floor)} floor"


def say_phone(phone: str) -> str:
    """A telephone number with its digits in pairs after the country code: ``+47 21 78 42 94``.

    Numbers that already hold blanks, or have letters, stay as they are.
    """
    digits = phone.removeprefix("+")
    if not phone.startswith("+") or not digits.isdigit() or len(digits) % 2 or len(digits) > 12:
        return phone
    return "+" + " ".join(digits[index:index + 2] for index in range(0, len(digits), 2))


def possessive(name: str) -> str:
    """``Jo's``, ``the Optics group's``, ``James'``."""
    name, bracket, mark = name.partition(" (")
    ending = "'" if name.endswith("s") else "'s"
    return f"{name}{ending}{bracket}{mark}"


def without_article(name: str, *, begins: bool = False) -> str:
    """A name without the article before it; one with a capital letter is a part of the name.

    Args:
        name: As said.
        begins: It begins a sentence, so that the capital tells nothing.

    Example:
        >>> without_article("the budget talk"), without_article("The Hobbit")
        ('budget talk', 'The Hobbit')
    """
    article = _ARTICLE.match(name)
    return name if article is None or (article[0][0].isupper() and not begins) \
        else name[article.end():]


def capitalise(sentence: str) -> str:
    """The sentence with the first letter of its first word in upper case."""
    for index, char in enumerate(sentence):
        if char.isspace():
            break
        if char.isalnum():
            return sentence[:index] + char.upper() + sentence[index + 1:]
    return sentence


def decapitalise(sentence: str) -> str:
    """The sentence as it goes on after "Yes, ": a small first letter, but not of a name."""
    common = ("The", "There", "You", "Your", "Nobody", "No", "Room", "It", "Today")
    return (sentence[:1].lower() + sentence[1:]
            if sentence.split(" ", 1)[0] in common else sentence)


def say_zone(name: str) -> str:
    """A time zone by its place: ``Oslo's``; ``UTC`` and offsets as they are."""
    return possessive(name.rpartition("/")[2].replace("_", " ")) if "/" in name else name
