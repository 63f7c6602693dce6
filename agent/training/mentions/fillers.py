"""Invented names, times and dates as people say them, for every type of mention."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from frontdesk.agent.training.mentions.sounds import rare_words
from frontdesk.data.invented.invented_names import FEMALE, GROUPS, KINDS, LAST, MALE, ROOMS, TOPICS
from frontdesk.kg.models.mention_tags import MentionType

#: Shares of names that consist of words that nobody would expect: what matters is their place.
_ODD_PERSON, _ODD_EVENT, _ODD_GROUP, _ODD_ROOM = 0.12, 0.4, 0.25, 0.3
_MORE_KINDS = ("meeting", "meeting", "talk", "retreat", "call", "demo", "standup", "check-in",
               "retrospective", "conference", "lecture", "lunch", "party", "hearing", "course",
               "interview", "session", "sync", "forum", "panel")
_HOURS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
          "twelve")
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September",
           "October", "November", "December")


def filler(kind: MentionType, rng: random.Random) -> str:
    """A mention of a type as somebody might say it.

    Args:
        kind: Its type.
        rng: Chooses.
    """
    return _FILLERS[kind](rng)


def _person(rng: random.Random) -> str:
    if rng.random() < _ODD_PERSON:
        first, last = (_odd(rng).title() for _ in range(2))
    else:
        first, last = rng.choice(FEMALE + MALE), rng.choice(LAST)
    way = rng.random()
    return first if way < 0.27 else last if way < 0.31 else f"{first} {last}"


def _event(rng: random.Random) -> str:
    topics = [_odd(rng) if rng.random() < _ODD_EVENT else rng.choice(TOPICS)
              for _ in range(rng.choice((1, 1, 1, 1, 2, 2, 3)))]
    if len(topics) > 1 and rng.random() < 0.25:
        topics.insert(-1, "and")
    kind = rng.choice(KINDS if rng.random() < 0.6 else _MORE_KINDS)
    name = " ".join([*topics, kind] if rng.random() < 0.93 else topics)
    return name.title() if rng.random() < 0.15 else name


def _room(rng: random.Random) -> str:
    way = rng.random()
    if way < 0.15:
        return f"{rng.choice(('room', 'office', 'room number'))} {rng.randint(1, 699)}"
    name = _odd(rng).title() if rng.random() < _ODD_ROOM else rng.choice(rng.choice(ROOMS))
    return name + rng.choice(("", "", "", " room", " conference room", " meeting room"))


def _group(rng: random.Random) -> str:
    name = _odd(rng) if rng.random() < _ODD_GROUP else rng.choice(GROUPS)
    if rng.random() < 0.1:
        name = f"{name} and {rng.choice(GROUPS)}"
    if rng.random() < 0.5:
        name = name.lower()
    noun = rng.choice((" group", " group", " group", " team", " department", " research group",
                       ""))
    return name + noun


def _time(rng: random.Random) -> str:
    hour, minute = rng.randint(1, 12), rng.choice(("", ":30", ":15", ":45", ":00"))
    word = rng.choice(_HOURS)
    half = rng.choice((" a.m.", " p.m.", "am", " pm", " AM", " PM"))
    return rng.choice((
        f"{hour}{half}", f"{hour}{minute or ':00'}", f"{rng.randint(8, 18)}:00",
        f"{word} o'clock", f"{hour} o'clock", f"{hour}{minute}{half}", "noon",
        f"half past {word}", f"quarter {rng.choice(('to', 'past'))} {word}", word,
        f"{word} {rng.choice(('thirty', 'fifteen'))}", rng.choice((
            "the morning", "the afternoon", "the evening", "lunch time", "lunch", "now",
            "right now")),
        f"between {word} and {rng.choice(_HOURS)}", f"{hour} to {rng.randint(1, 12)}"))


def _date(rng: random.Random) -> str:
    day, month = rng.choice(_DAYS), rng.choice(_MONTHS)
    number = rng.randint(1, 28)
    ending = "th" if number in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    ordinal = f"{number}{ending}"
    return rng.choice((
        "today", "today", "tomorrow", "tomorrow", "the day after tomorrow", "yesterday",
        day, f"next {day}", f"this {day}", f"{month} {number}", f"{month} {ordinal}",
        f"the {ordinal} of {month}", f"the {ordinal}", "next week", "this week",
        f"{day} {month} {ordinal}"))


def _duration(rng: random.Random) -> str:
    return rng.choice((
        "half an hour", "an hour", "one hour", "two hours", "30 minutes", "45 minutes",
        "thirty minutes", "an hour and a half", "90 minutes", "15 minutes", "fifteen minutes",
        "1 hour", "2 hours", "the whole day", f"{rng.randint(5, 60)} minutes"))


def _odd(rng: random.Random) -> str:
    return rng.choice(rare_words())


_FILLERS: Mapping[MentionType, Callable[[random.Random], str]] = {
    MentionType.PERSON: _person, MentionType.SPEAKER: _person, MentionType.EVENT: _event,
    MentionType.ROOM: _room, MentionType.GROUP: _group, MentionType.TIME: _time,
    MentionType.DATE: _date, MentionType.DURATION: _duration,
}
