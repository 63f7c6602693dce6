"""What a visitor finds wrong with a meeting as the receptionist says it back."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection

import jellyfish

from frontdesk.data.invented.visitors.read_values import plain
from frontdesk.data.invented.visitors.reply_reading import Reading
from frontdesk.data.invented.visitors.visitor_goals import ANY_ROOM, Slot, Wish
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

_CALLED = re.compile(r"\b(?:called|named|titled|title|name)\b", re.IGNORECASE)
_RECAP = re.compile(r"\b(?:book|schedul|arrang|set(?:ting)? up|put)\w*\b", re.IGNORECASE)
_NO_ROOM = re.compile(r"\b(?:without an?y?|with no) (?:meeting )?room\b", re.IGNORECASE)
#: Titles that are so much alike count as one; Jaro-Winkler.
_ALIKE = 0.97


def mistaken_slot(reading: Reading, wish: Wish, kb: KnowledgeBase, visitor: str,
                  unsaid: Collection[Slot] = ()) -> Slot | None:
    """The first thing that a reply has otherwise than wished; None when all it says is right.

    Args:
        reading: A confirmation, or a question whether it is right so.
        visitor: Id; the visitor may be named among those who come.
        unsaid: What the receptionist has not been told of the wish, and cannot have right.
    """
    checks = ((Slot.PEOPLE, _wrong_people(reading, wish, kb, visitor)),
              (Slot.DAY, bool(wish.days and reading.days
                              and set(reading.days).isdisjoint(wish.days))),
              (Slot.TIME, _wrong_time(reading, wish)),
              (Slot.LENGTH, _wrong_length(reading, wish)),
              (Slot.PLACE, _wrong_place(reading, wish, kb)),
              (Slot.TITLE, wrong_title(reading, wish.title)))
    return next((slot for slot, wrong in checks if wrong and slot not in unsaid), None)


def _wrong_people(reading: Reading, wish: Wish, kb: KnowledgeBase, visitor: str) -> bool:
    named = [each for each in reading.people if each != visitor]
    if not named:  # a meeting that is said back with its time is said back with its people
        return bool(reading.times and wish.people and _RECAP.search(reading.text))
    others = [each for each in named if each not in wish.people]
    for group, count in wish.members:
        of_group = [each for each in others if kb.people[each].group == group]
        if len(of_group) > count:
            return True
        others = [each for each in others if each not in of_group]
    missing = set(wish.people) - set(named)
    return bool(others) or (bool(missing) and len(named) > len(missing) + 1)


def _wrong_time(reading: Reading, wish: Wish) -> bool:
    if not reading.times:
        return False
    if wish.start is not None:
        wanted = f"{wish.start:%H:%M}"
        return not any(wanted in each for each in reading.times)
    if wish.earliest or wish.latest < 24:
        return not any(wish.earliest <= int(clock[:2]) < wish.latest
                       for clock in reading.times[0])
    return False


def _wrong_length(reading: Reading, wish: Wish) -> bool:
    if wish.minutes is None:
        return False
    if reading.lengths:
        return wish.minutes not in reading.lengths
    if len(reading.times) == 2 and wish.start is not None and re.search(
            r"\b(?:from|to|until|till)\b|\d\s*[-–]\s*\d", reading.text):
        end = f"{wish.start + dt.timedelta(minutes=wish.minutes):%H:%M}"
        return f"{wish.start:%H:%M}" in reading.times[0] and end not in reading.times[1]
    return False


def _wrong_place(reading: Reading, wish: Wish, kb: KnowledgeBase) -> bool:
    if wish.place is None:
        return False
    if not reading.rooms:
        return _NO_ROOM.search(reading.text) is not None
    if wish.place == ANY_ROOM:
        return not any(kb.rooms[each].bookable for each in reading.rooms)
    return wish.place not in reading.rooms


def wrong_title(reading: Reading, title: str | None) -> bool:
    """Whether a reply names a meeting otherwise than by a title; False where it names none."""
    if title is None:
        return False
    if reading.quoted:
        return not any(jellyfish.jaro_winkler_similarity(plain(each), plain(title)) >= _ALIKE
                       for each in reading.quoted)
    return plain(title) not in plain(reading.text) and bool(
        _CALLED.search(reading.text) and not reading.asks)
