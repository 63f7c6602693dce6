"""One version of what an utterance says about a time: its slots with what each may mean."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from frontdesk.kg.graph.time_slots import OfficeHours, TimeReading
from frontdesk.kg.graph.windows import PartOfDay
from frontdesk.kg.times.time_clocks import Clock, at_time
from frontdesk.kg.times.time_stretches import Base, Candidates, Days, on_weekday


@dataclass(frozen=True)
class Situation:
    """In what an utterance is said; see :func:`frontdesk.kg.times.time_readings.read_times`."""

    now: dt.datetime
    focus: Sequence[dt.date]
    asked: str
    event: tuple[dt.datetime, dt.datetime] | None
    hours: OfficeHours
    zone: dt.tzinfo | None
    known: TimeReading
    ahead: bool = True

    @property
    def base(self) -> Base:
        """The days from which others are counted."""
        spoken_of = self.event[0].date() if self.event else self.day
        return Base(self.now.date(), spoken_of, self.ahead)

    @property
    def day(self) -> dt.date | None:
        """The day that a clock time is on, where the utterance says none."""
        known = None if self.known.day_presumed else self.known.day
        return known or next(iter(self.focus), self.event[0].date() if self.event else None)

    @property
    def start(self) -> dt.time | None:
        """When the event starts, where that is known."""
        return self.known.start or (self.event[0].time() if self.event else None)


#: Start and end, of which one may not be said, and the probability that they are meant.
Time = tuple[Clock | None, Clock | None, float]


@dataclass(frozen=True)
class Said:
    """One version of what is said, with what each slot may mean.

    Args:
        days: Days with their probabilities.
        times: Start, end and probability.
        minutes: Lengths with their probabilities.
        part: A part of the day.
        shifts: How much later than the event spoken of.
        weekday: Of the event, in [0, 6], whose time is said: "the same time next week".
        sure: How probable it is that a time is spoken of at all, in [0, 1].
    """

    days: Candidates = field(default_factory=list)
    times: list[Time] = field(default_factory=list)
    minutes: list[tuple[int, float]] = field(default_factory=list)
    part: PartOfDay | None = None
    shifts: list[tuple[dt.timedelta, float]] = field(default_factory=list)
    weekday: int | None = None
    sure: float = 1.0

    def has(self, slot: str) -> bool:
        """Whether something is said for a slot."""
        started, ended = any(each[0] for each in self.times), any(each[1] for each in self.times)
        return bool({"days": self.days, "start": started or self.part, "end": ended,
                     "minutes": self.minutes, "shift": self.shifts}[slot])

    @property
    def empty(self) -> bool:
        """Whether nothing is said."""
        return not (self.days or self.times or self.minutes or self.part or self.shifts)


#: How an expression fills the slots.
Fill = Callable[[Said], Said]


def with_times(times: list[Time], sure: float = 1.0) -> Fill:
    """A fill that sets start and end."""
    return lambda said: replace(said, times=times, sure=min(said.sure, sure))


def with_clock(clocks: list[tuple[Clock, float]], role: str, sure: float = 1.0) -> Fill:
    """A fill that sets the start or the end and leaves the other.

    Args:
        clocks: What it may be.
        role: ``start`` or ``end``.
        sure: How probable it is that a time is spoken of.
    """
    def fill(said: Said) -> Said:
        starts = role == "start"
        others = {(end if starts else start): share
                  for start, end, share in said.times or [(None, None, 1.0)]}
        times: list[Time] = [
            (clock, other, share * weight) if starts else (other, clock, share * weight)
            for clock, share in clocks for other, weight in others.items()]
        return replace(said, times=times, sure=min(said.sure, sure))

    return fill


def with_minutes(lengths: list[tuple[int, float]], sure: float = 1.0) -> Fill | None:
    """A fill that sets how long it takes; None for no length."""
    if not any(length > 0 for length, _ in lengths):
        return None
    return lambda said: replace(said, minutes=lengths, sure=min(said.sure, sure))


def at_moment(moment: dt.datetime) -> Fill:
    """A fill that sets the day and the start."""
    clock = at_time(moment.replace(second=0, microsecond=0).timetz().replace(tzinfo=None))
    return lambda said: replace(said, days=[(Days(moment.date()), 1.0)],
                                times=[(clock, None, 1.0)])


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


def completed(versions: Sequence[Said]) -> list[Said]:
    """The versions with what only another one says: "Monday or Tuesday at ten"."""
    result = list(versions)
    for index in range(1, len(result)):
        result[index] = _complete(result[index], result[index - 1])
    for index in range(len(result) - 2, -1, -1):
        result[index] = _complete(result[index], result[index + 1])
    return [_on_its_weekday(said) for said in result if not said.empty]


def _complete(said: Said, other: Said) -> Said:
    timed = bool(said.times or said.part or said.shifts)
    return replace(said, days=said.days or other.days, minutes=said.minutes or other.minutes,
                   times=said.times if timed else other.times,
                   part=said.part if timed else other.part, sure=min(said.sure, other.sure))


def _on_its_weekday(said: Said) -> Said:
    """ "The same time next week" is on the same day of the week."""
    if said.weekday is None or not any(days.last for days, _ in said.days):
        return said
    return replace(said, days=on_weekday(said.days, said.weekday) or said.days)
