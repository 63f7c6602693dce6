"""Organisations that simulated visitors come to: some to train on, others to measure on."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from zoneinfo import ZoneInfo

from frontdesk.data.invented.simulate import demo_organisation
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

#: Office hours.
OPENS, CLOSES = 8, 18
HALF_HOUR = dt.timedelta(minutes=30)
_FIRST_DAY = dt.date(2024, 1, 1)
_DAYS = 3 * 365
_ZONES = ("UTC", "Europe/Oslo", "Europe/London", "America/New_York", "Asia/Tokyo")


class Split(StrEnum):
    """What visits are for; neither organisations nor phrases are shared between the two."""

    TRAINING = "training"
    EVALUATION = "evaluation"


@dataclass(frozen=True)
class World:
    """An organisation at the moment when a visitor comes.

    Args:
        kb: The organisation with its calendar.
        now: In its time zone, on a working day within office hours.
    """

    kb: KnowledgeBase
    now: dt.datetime

    def busy(self, subject: str, start: dt.datetime, end: dt.datetime) -> list[Event]:
        """Events of a person or in a room that overlap with a span."""
        return [event for event in self.kb.events_of(subject)
                if event.start < end and start < event.end]

    def free(self, subjects: Sequence[str], start: dt.datetime, minutes: int) -> bool:
        """Whether all are free from a moment on."""
        end = start + dt.timedelta(minutes=minutes)
        return not any(self.busy(each, start, end) for each in subjects)

    def moment(self, day: dt.date, hour: int, minute: int = 0) -> dt.datetime:
        """A clock time of a day in the organisation's time zone."""
        return dt.datetime.combine(day, dt.time(hour, minute), self.kb.timezone)

    def starts(self, day: dt.date, minutes: int, first: int = OPENS,
               last: int = CLOSES) -> list[dt.datetime]:
        """Half hours to come at which something of a length can begin.

        Args:
            first, last: Hours of the day between which it has to lie.
        """
        found, at = [], self.moment(day, first)
        end = self.moment(day, last) if last < 24 else self.moment(day, 23, 59)
        while at + dt.timedelta(minutes=minutes) <= end:
            if at > self.now + dt.timedelta(minutes=20):
                found.append(at)
            at += HALF_HOUR
        return found


def invent_world(split: Split, seed: int, number: int) -> World:
    """The organisation of one visit: 12 to 60 people, 3 to 9 groups and rooms, 25 to 90 events.

    Args:
        split: What the visit is for; the other has no organisation of this one.
        seed: The same seed and number give the same organisation.
    """
    rng = random.Random(f"{split} world {seed} {number}")
    day = _FIRST_DAY + dt.timedelta(days=rng.randrange(_DAYS))
    while day.weekday() >= 5:
        day += dt.timedelta(days=1)
    # Not close to a half hour, so that nothing begins or ends while somebody talks.
    clock = dt.time(rng.randint(8, 15), rng.choice((2, 5, 9, 13, 32, 36, 41)), rng.randrange(60))
    zone = ZoneInfo(rng.choice(_ZONES))
    now = dt.datetime.combine(day, clock, zone)
    people = rng.randint(14, 60)
    # Even and odd: no seed of one split is one of the other's.
    kb = demo_organisation(
        now, 2 * rng.randrange(10 ** 9) + (split is Split.EVALUATION), people=people,
        groups=rng.randint(3, min(9, people // 4)), rooms=rng.randint(4, 9),
        events=rng.randint(25, min(90, 2 * people + 10)), timezone=zone)
    return World(kb, now)
