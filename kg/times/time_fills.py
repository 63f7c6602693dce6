"""The slots of one version of what is said, and how each expression of time fills them.

"First thing" fills the start, "tonight" the day and the part of the day; where a slot may mean
several things it has each with its probability.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from frontdesk.kg.graph.time_slots import OfficeHours, TimeReading
from frontdesk.kg.graph.windows import PartOfDay
from frontdesk.kg.times.time_clocks import Clock, at_time, clocks_in
from frontdesk.kg.times.time_stretches import (
    Base,
    Candidates,
    Days,
    days_later,
    directions_in,
    lengths_in,
    minutes_in,
    on_weekday,
)

#: What is said and may still be no time of the event.
LIKELY = 0.8
#: "At the end of the day" is so many minutes before the office closes.
LAST_MINUTES = 60
_NOON = dt.time(12)
#: Hours of the meals and breaks that a day is divided by.
MEALS = {"breakfast": (7, 9), "coffee": (10, 11), "lunch": (12, 13), "tea": (15, 16),
         "dinner": (18, 20)}


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
    besides: tuple[dt.datetime, dt.datetime] | None = None
    gone: bool = False
    until: dt.date | None = None
    whole: bool = False
    #: Whether "10 to 11" was said in digits, and is no time before the hour.
    digits: bool = False

    @property
    def base(self) -> Base:
        """The days from which others are counted."""
        event = self.besides or self.event
        return Base(self.now.date(), event[0].date() if event else self.day, self.ahead,
                    self.gone, self.until, self.whole)

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
class Slots:
    """One version of what is said, with what each slot may mean.

    Args:
        times: Start, end and probability.
        minutes: Lengths with their probabilities.
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
Fill = Callable[[Slots], Slots]


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
    def fill(said: Slots) -> Slots:
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


def completed(versions: Sequence[Slots]) -> list[Slots]:
    """The versions with what only another one says: "Monday or Tuesday at ten"."""
    result = list(versions)
    for index in range(1, len(result)):
        result[index] = _complete(result[index], result[index - 1])
    for index in range(len(result) - 2, -1, -1):
        result[index] = _complete(result[index], result[index + 1])
    return [_on_its_weekday(said) for said in result if not said.empty]


def _complete(said: Slots, other: Slots) -> Slots:
    timed = bool(said.times or said.part or said.shifts)
    return replace(said, days=said.days or other.days, minutes=said.minutes or other.minutes,
                   times=said.times if timed else other.times,
                   part=said.part if timed else other.part, sure=min(said.sure, other.sure))


def _on_its_weekday(said: Slots) -> Slots:
    """ "The same time next week" is on the same day of the week."""
    if said.weekday is None or not any(days.last for days, _ in said.days):
        return said
    return replace(said, days=on_weekday(said.days, said.weekday) or said.days)


def minutes_ahead(text: str, situation: Situation) -> Fill | None:
    """ "In an hour", "an hour ago", in real time; None when in days, or beyond the calendar."""
    bare = re.fullmatch(r"in ([0-9]{1,2})", text)
    length = int(bare[1]) if bare else minutes_in(text)
    if not length:
        return None
    now, way = situation.now, -1 if text.endswith(" ago") else 1
    try:
        moment = now.astimezone(dt.UTC) + way * dt.timedelta(minutes=length)
        return at_moment(moment.astimezone(now.tzinfo))
    except OverflowError:
        return None


def minute_past(text: str, situation: Situation) -> Fill | None:
    """ "Ten past", of the hour of the event or else the coming one; "until half past"."""
    lead = re.match(r"(at|until|to) ", text)
    ends = lead is not None and lead[1] != "at"
    read = clocks_in(f"{text[lead.end() if lead else 0:].removesuffix(' the hour')} 12")
    if not read:
        return None
    minute = read[0][0].minute

    def fill(said: Slots) -> Slots:
        started = next((start for start, _, _ in said.times if start), None)
        if ends and started:
            hour = (started.hour + (minute <= started.minute)) % 24
            clock = Clock(hour, minute, started.half, started.zone)
        else:
            clock = Clock(_hour_of(minute, text, situation), minute, "24")
        return with_clock([(clock, 1.0)], "end" if ends else "start", LIKELY)(said)

    return fill


def _hour_of(minute: int, text: str, situation: Situation) -> int:
    if situation.start is not None:
        return (situation.start.hour - bool(re.search(r" to\b", text))) % 24
    return (situation.now.hour + (minute <= situation.now.minute)) % 24


def _now(_: str, situation: Situation) -> Fill:
    return at_moment(situation.now)


def _coming_hours(text: str, situation: Situation) -> Fill:
    start, length = at_moment(situation.now), minutes_in(text) or 60
    return lambda said: replace(start(said), minutes=[(length, 1.0)])


def _same_time(text: str, situation: Situation) -> Fill | None:
    """The time of the event; "this time tomorrow" is that of now."""
    if "this time" in text:
        moment = situation.now
    elif (event := situation.besides or situation.event) is not None:
        moment = event[0]
    else:
        return None
    clock = at_time(moment.time().replace(second=0, microsecond=0))
    return lambda said: replace(said, times=[(clock, None, 1.0)], weekday=moment.weekday())


def _beside(text: str, situation: Situation) -> Fill | None:
    if situation.event is None:
        return None
    start, end = situation.event
    if "before" in text:
        fill, day = with_times([(None, at_time(start.time()), 1.0)]), start.date()
    else:
        fill, day = with_times([(at_time(end.time()), None, 1.0)]), end.date()
    return lambda said: replace(fill(said), days=said.days or [(Days(day), 1.0)])


def _edge(text: str, situation: Situation) -> Fill:
    """The start or the end of the office's day."""
    opens, closes = situation.hours.opens, situation.hours.closes
    if re.search(r"first|1ord|start|beginning|open", text):
        return with_times([(at_time(opens), None, 1.0)])
    if situation.asked == "end" or re.match(
            r"(?:by|until|before|to|when|once|closing|home|work|(?:office )?hours)\b", text):
        return with_clock([(at_time(closes), 1.0)], "end")
    last = (closes.hour * 60 + closes.minute - LAST_MINUTES) % (24 * 60)
    return with_times([(Clock(last // 60, last % 60, "24"), None, 1.0)], LIKELY)


def _meal(text: str, _: Situation) -> Fill:
    start, end = next(hours for meal, hours in MEALS.items() if meal in text)
    return with_times([(at_time(dt.time(start)), at_time(dt.time(end)), 1.0)])


def _rest(text: str, situation: Situation) -> Fill:
    """What is left of the day, or what of it is over."""
    now, midnight = at_time(situation.now.time().replace(second=0, microsecond=0)), dt.time()
    times: Time = (at_time(midnight), now, 1.0) if text.startswith("earlier") else (
        now, at_time(midnight), 1.0)
    return lambda said: replace(with_times([times])(said),
                                days=[(Days(situation.now.date()), 1.0)])


def _whole(text: str, situation: Situation) -> Fill | None:
    opens, closes = situation.hours.opens, situation.hours.closes
    if "half" in text:
        return with_minutes([((closes.hour - opens.hour) % 24 * 30 or 12 * 60, 1.0)])
    start = at_time(_NOON if "afternoon" in text else opens)
    end = at_time(_NOON if "morning" in text else closes)
    return with_times([(start, end, 1.0)])


def _length(text: str, _: Situation) -> Fill | None:
    return with_minutes(lengths_in(text))


def _longer(text: str, situation: Situation) -> Fill | None:
    """How long the event takes when it is extended or shortened."""
    if situation.event is None:
        return None
    start, end = situation.event
    more = minutes_in(text)
    if re.search(r"shorten|cut|reduce|trim|shorter|less", text):
        more = -more
    lasts = (end.astimezone(dt.UTC) - start.astimezone(dt.UTC)) // dt.timedelta(minutes=1)
    return with_minutes([(lasts + more, 1.0)]) if more else None


def _part(text: str, situation: Situation) -> Fill:
    if re.search(r"before|morning|\bam$", text):
        part = PartOfDay.MORNING
    else:
        part = PartOfDay.AFTERNOON if re.search(r"after|\bpm$", text) else PartOfDay.EVENING
    said_today = text.startswith("this ") or text == "tonight"
    today: Candidates = [(Days(situation.now.date()), 1.0)] if said_today else []
    return lambda said: replace(said, part=part, days=said.days or today)


def _shift(text: str, situation: Situation) -> Fill | None:
    """ "An hour later", "push it back two days"; without a direction it is a length."""
    length = minutes_in(text)
    ways = directions_in(text)
    if not ways:
        return with_minutes([(length, 1.0)])
    step = dt.timedelta(minutes=length) if length else _days(text, situation)
    return (lambda said: replace(said, shifts=[(way * step, share) for way, share in ways])) \
        if step else None


def _days(text: str, situation: Situation) -> dt.timedelta:
    day = situation.base.spoken_of or situation.now.date()
    try:
        return (days_later(day, text) or day) - day
    except OverflowError:
        return dt.timedelta()


#: For each kind of expression how it fills the slots; None where it says nothing here.
FILLS: dict[str, Callable[[str, Situation], Fill | None]] = {
    "minute_past": minute_past, "now": _now, "coming_hours": _coming_hours, "within": _coming_hours,
    "same_time": _same_time, "beside": _beside, "edge": _edge, "whole": _whole,
    "length": _length, "longer": _longer, "part": _part, "lunch": _part, "shift": _shift,
    "meal": _meal, "rest": _rest,
}
