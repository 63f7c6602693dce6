"""How the agent and the user say times of day, days, numbers, phones and lists."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Sequence
from dataclasses import dataclass

from frontdesk.kg.english.phrases import MONTHS, NUMBERS, ORDINALS

_COUNTS = ("no", *NUMBERS[1:11])
_ORDINALS = ("ground", *ORDINALS[:9])


@dataclass(frozen=True)
class Style:
    """The habits of one speaker on the agent's side, kept through a dialogue.

    Args:
        clock: ``oclock`` ("at 9 o'clock", "at 9:30"), ``half_day`` ("at 9 AM"), ``digits``
            ("at 9:00").
        counts: Write small numbers as words.
        phones: In pairs of digits.
        openers: What answers begin with: ``OK``, ``Alright`` and so on, each with its
            punctuation.
        relaxed: Sentences begin with small letters.
        quotes: Put the names of new events in quotation marks.
    """

    clock: str
    counts: bool
    phones: bool
    openers: tuple[str, ...]
    relaxed: bool
    quotes: bool

    @classmethod
    def draw(cls, rng: random.Random) -> Style:
        """Habits as they come, the frequent ones more often."""
        ok = rng.choice(("OK", "OK", "Ok", "Okay"))
        mark = rng.choice(("!", "!", ",", "."))
        # One speaker has a few favourites.
        openers = rng.sample((f"{ok}{mark}", f"{ok}!", "Alright,", "Alright!", "Sure!", "Sure,",
                              "Great!", "Great,", f"{ok}, sure!", f"{ok}, great!",
                              "Got it.", f"{ok}, got it!"), 3)
        return cls(clock=rng.choice(("oclock",) * 7 + ("half_day", "digits", "digits")),
                   counts=rng.random() < 0.6, phones=rng.random() < 0.85,
                   openers=(f"{ok}{mark}", f"{ok}!", *openers), relaxed=rng.random() < 0.08,
                   quotes=rng.random() < 0.5)

    def time(self, moment: dt.datetime) -> str:
        """``9 o'clock``, ``9:30``, ``2 PM``."""
        hour = (moment.hour - 1) % 12 + 1
        if self.clock == "half_day":
            minutes = f":{moment.minute:02d}" if moment.minute else ""
            return f"{hour}{minutes} {'AM' if moment.hour < 12 else 'PM'}"
        if moment.minute or self.clock == "digits":
            return f"{hour}:{moment.minute:02d}"
        return f"{hour} o'clock"

    def count(self, number: int) -> str:
        """``two`` or ``2``; large numbers in digits."""
        return _COUNTS[number] if self.counts and number < len(_COUNTS) else str(number)

    def phone(self, number: str) -> str:
        """As written, or ``+47 12 34 56 78``."""
        if self.phones and number.startswith("+47") and " " not in number:
            digits = number[3:]
            return " ".join(["+47", *(digits[at:at + 2] for at in range(0, len(digits), 2))])
        return number


def say_date(day: dt.date) -> str:
    """``March 21``."""
    return f"{MONTHS[day.month - 1]} {day.day}"


def say_day(day: dt.date, today: dt.date) -> str:
    """``today``, ``tomorrow`` or ``on March 21``."""
    near = {0: "today", 1: "tomorrow"}.get((day - today).days)
    return near or f"on {say_date(day)}"


def listing(items: Sequence[str]) -> str:
    """``A``, ``A and B``, ``A, B, and C``."""
    if len(items) < 3:
        return " and ".join(items)
    return f"{', '.join(items[:-1])}, and {items[-1]}"


def say_ordinal(number: int, *, word: bool) -> str:
    """``third`` or ``3rd``; 0 is ``ground``."""
    if number == 0 or (word and 0 < number < len(_ORDINALS)):
        return _ORDINALS[number]
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th") if number % 100 // 10 != 1 \
        else "th"
    return f"{number}{ending}"


def spoken_time(moment: dt.datetime, rng: random.Random) -> str:
    """As users say it: ``9``, ``9:30``, ``9 a.m.``, ``noon``."""
    hour = (moment.hour - 1) % 12 + 1
    clock = f"{hour}:{moment.minute:02d}" if moment.minute else f"{hour}"
    if moment.hour == 12 and not moment.minute and rng.random() < 0.4:
        return "noon"
    half = "a.m." if moment.hour < 12 else "p.m."
    ending = rng.choice(("", f" {half}", f" {half}", " o'clock" if not moment.minute else ""))
    return clock + ending


def duration(minutes: int, rng: random.Random) -> str:
    """``30 minutes``, ``half an hour``, ``1 hour``, ``an hour and a half``."""
    said = {30: ("30 minutes", "30 minutes", "half an hour"), 60: ("1 hour", "one hour", "an hour"),
            90: ("90 minutes", "an hour and a half"), 120: ("2 hours", "two hours")}
    return rng.choice(said[minutes])
