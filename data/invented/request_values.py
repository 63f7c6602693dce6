"""Names, times, days and numbers to fill the patterns of ``request_utterances.toml`` with."""

from __future__ import annotations

import random
from collections.abc import Callable

from frontdesk.data.invented.invented_names import FEMALE, GROUPS, KINDS, LAST, MALE, ROOMS, TOPICS

_ODD_TEXT = """
able act baker band blue board bottle bridge cake candle cloud copper cotton dinner
doctor feather field flat garden glass green hammer harbour iron kitchen ladder lamp
lemon marble meadow mirror needle ocean paper pepper piano pocket river rocket rope salt
silver spoon steam stone table thunder tower train tunnel velvet water window winter
yellow
"""
_ODD = tuple(_ODD_TEXT.split())
_HOURS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
          "twelve")
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September",
           "October", "November", "December")
_NTH = ("first", "first", "second", "second", "third", "fourth", "last")


def _name(rng: random.Random) -> str:
    return f"{rng.choice(FEMALE + MALE)} {rng.choice(LAST)}"


def _me(rng: random.Random) -> str:
    return _name(rng) if rng.random() < 0.75 else rng.choice(FEMALE + MALE)


def _clock(rng: random.Random) -> str:
    hour, minute = rng.randint(1, 12), rng.choice(("", "", ":30", ":15", ":45", ":00"))
    half = rng.choice((" a.m.", " p.m.", "am", " pm"))
    return rng.choice((f"{hour}{half}", f"{hour} o'clock", f"{hour}{minute or ':30'}", f"{hour}",
                       f"{rng.randint(8, 18)}:00", rng.choice(_HOURS),
                       f"{rng.choice(_HOURS)} o'clock", f"{hour}{minute}{half}",
                       f"{rng.choice(_HOURS)} {rng.choice(('thirty', 'fifteen'))}",
                       f"{rng.randint(8, 18)}h"))


def _ordinal(rng: random.Random) -> str:
    day = rng.randint(1, 31)
    ending = {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th") if day not in (11, 12, 13) else "th"
    return f"{day}{ending}"


def _named(rng: random.Random) -> str:
    topic = rng.choice(TOPICS) if rng.random() < 0.85 else rng.choice(_ODD)
    name = f"{topic} {rng.choice(KINDS)}"
    return name.title() if rng.random() < 0.15 else name


#: By the name of a slot.
INVENTED: dict[str, Callable[[random.Random], str]] = {
    "name": _name, "me": _me, "first": lambda rng: rng.choice(FEMALE + MALE),
    "last": lambda rng: rng.choice(LAST), "group": lambda rng: rng.choice(GROUPS),
    "roomname": lambda rng: rng.choice(rng.choice(ROOMS)), "topic": lambda rng: rng.choice(TOPICS),
    "kind": lambda rng: rng.choice((*KINDS, "meeting", "call", "talk", "lunch")),
    "named": _named, "clock": _clock, "clockraw": _clock,
    "hour": lambda rng: rng.choice(_HOURS), "count": lambda rng: str(rng.choice(
        (10, 15, 20, 30, 30, 40, 45, 50, 60, 90))),
    "weekday": lambda rng: rng.choice(_DAYS), "month": lambda rng: rng.choice(_MONTHS),
    "ordinal": _ordinal, "number": lambda rng: str(rng.randint(1, 699)),
    "nth": lambda rng: rng.choice(_NTH),
    "few": lambda rng: rng.choice(("one", "two", "three", "1", "2")),
    "odd": lambda rng: rng.choice(_ODD), "letter": lambda rng: rng.choice("abcdefghkmnprstvwz"),
    "robot": lambda rng: rng.choice(("robot", "there", "Pepper", "Robert", "reception"))}
#: Of these the words that a recogniser does not know.
NAMES = frozenset({"name", "me", "first", "last", "group", "roomname", "topic", "named", "odd"})
