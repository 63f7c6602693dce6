"""Calendars of any size: an organisation with copies of its events, to see what grows with them."""

from __future__ import annotations

import datetime as dt
import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from frontdesk.data.invented.simulate import demo_organisation
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.errors import OrganisationError
from frontdesk.kg.graph.knowledge_base import KnowledgeBase, normalise_name

#: Copies that are spread over other days lie at most this many days after the first event.
YEAR = 365
#: Start times are multiples of this many minutes.
_STEP = 15
#: Office hours; what takes place within them is kept within them.
_OPENS, _CLOSES = dt.timedelta(hours=8), dt.timedelta(hours=18)
_DAY = dt.timedelta(days=1)
#: Of the demo organisation, for their names.
_DEMO_EVENTS = 120


def scaled(kb: KnowledgeBase, factor: int, *, dense: bool, seed: int = 0,
           same_names: bool = False) -> KnowledgeBase:
    """An organisation with ``factor`` times the events; people, groups and rooms stay.

    The events of the original are kept as they are. Each copy has the organiser, attendees, room,
    group and length of its original, an id of its own (``ID+1``, ``ID+2``, ...), and the
    occurrences of a recurring event form a series of their own.

    Dense copies are on the day of their original, at another time of it: within office hours
    (8 to 18) if the original is. Sparse ones are at the time of day of their original on another
    day of the year that begins with the calendar's first day, never on one on which an event of
    the original takes place; today's calendar does not grow with them. Events of several days or
    of whole days are not moved within the day.

    Args:
        factor: At least 1; with 1 the events are those of the original.
        dense: Whether the same days get fuller, or others are filled.
        seed: The same seed gives the same calendar.
        same_names: Whether copies are called as their originals. Otherwise they get names that
            no entity of the original has, put together from topics and kinds of the
            original's events ("budget", "review") and of the demo organisation's; when each topic
            has been combined with each kind, with groups ("Optics budget review") and from two
            topics ("budget and hiring review").

    Raises:
        OrganisationError: ``factor`` is less than 1, or no other day of the year is left for a
            sparse copy.
    """
    if factor < 1:
        raise OrganisationError(f"a calendar cannot be scaled by {factor}",
                                remedy="Scale it by 1 or more")
    rng = random.Random(f"{seed} {factor} {dense}")
    originals = list(kb.events.values())
    names = _new_names(kb, rng)
    free = [] if dense or factor == 1 or not originals else _free_days(kb)
    copies: list[Event] = []
    for copy in range(1, factor):
        of_series: dict[str, str] = {}
        for event in originals:
            name = event.name
            if not same_names:
                name = of_series.get(event.series) or next(names)
                if event.series:
                    of_series[event.series] = name
            start = _same_day(event, rng) if dense else _other_day(event, free, rng)
            copies.append(replace(
                event, id=f"{event.id}+{copy}", name=name, start=start,
                end=_after(start, event), series=event.series and f"{event.series}+{copy}"))
    return KnowledgeBase(name=kb.name, timezone=kb.timezone, people=kb.people.values(),
                         groups=kb.groups.values(), rooms=kb.rooms.values(),
                         events=[*originals, *copies])


def _after(start: dt.datetime, event: Event) -> dt.datetime:
    """The end of something that starts then and is as long as an event."""
    if event.all_day:
        return start + (event.end - event.start)  # by the clock: from midnight to midnight
    length = event.end.astimezone(dt.UTC) - event.start.astimezone(dt.UTC)
    return (start.astimezone(dt.UTC) + length).astimezone(start.tzinfo)


def _same_day(event: Event, rng: random.Random) -> dt.datetime:
    """Another time on the day of an event."""
    midnight = event.start.replace(hour=0, minute=0, second=0, microsecond=0)
    starts, ends = event.start - midnight, event.end - midnight
    if event.all_day or ends > _DAY:
        return event.start
    opens, closes = (_OPENS, _CLOSES) if starts >= _OPENS and ends <= _CLOSES \
        else (dt.timedelta(0), _DAY - dt.timedelta(minutes=1))
    steps = (closes - opens - (ends - starts)) // dt.timedelta(minutes=_STEP)
    return midnight + opens + dt.timedelta(minutes=_STEP * rng.randint(0, max(steps, 0)))


def _other_day(event: Event, free: Sequence[list[dt.date]], rng: random.Random) -> dt.datetime:
    """The time of an event on another day, from which as many days are free as it takes."""
    days = len(event.days())
    if days > len(free) or not free[days - 1]:
        raise OrganisationError(
            f"no {days} days of the year are free for a copy of {event.name!r}",
            remedy="Scale a calendar that leaves days of the year free, or scale it densely")
    day = rng.choice(free[days - 1])
    return event.start.replace(year=day.year, month=day.month, day=day.day)


def _free_days(kb: KnowledgeBase) -> list[list[dt.date]]:
    """For 1, 2, ... days, as many as an event takes, the days from which so many are free."""
    taken = {day for event in kb.events.values() for day in event.days()}
    longest = max(len(event.days()) for event in kb.events.values())
    first = min(taken)
    year = [first + dt.timedelta(days=offset) for offset in range(YEAR)]
    free = {day for day in year if day not in taken}
    return [[day for day in year
             if all(day + dt.timedelta(days=offset) in free for offset in range(length))]
            for length in range(1, longest + 1)]


def _new_names(kb: KnowledgeBase, rng: random.Random) -> Iterator[str]:
    """Names of events that no entity has, each combination once, in an order of chance."""
    known = {normalise_name(entity.name) for entity in kb.entities()}
    demo = demo_organisation(dt.datetime(2026, 1, 5, tzinfo=dt.UTC), events=_DEMO_EVENTS)
    words = [event.name.split() for source in (kb, demo) for event in source.events.values()
             if source is kb or not event.series]
    topics = list(dict.fromkeys(" ".join(each[:-1]) for each in words if len(each) > 1))
    kinds = list(dict.fromkeys(each[-1] for each in words))
    groups = dict.fromkeys(group.name for source in (kb, demo)
                           for group in source.groups.values())
    of_groups = [f"{group} {topic}" for group in groups for topic in topics]
    pairs = [f"{one} and {other}" for one, other in itertools.permutations(topics, 2)]
    for each in (topics, kinds, of_groups, pairs):
        rng.shuffle(each)
    for stems in (topics, of_groups, pairs):
        # Along the diagonals, so that neither topics nor kinds come in blocks.
        for shift, place in itertools.product(range(len(kinds)), range(len(stems))):
            name = f"{stems[place]} {kinds[(place + shift) % len(kinds)]}"
            if normalise_name(name) not in known:
                yield name
    for number in itertools.count(1):  # tens of thousands of copies later
        yield f"{rng.choice(topics)} {rng.choice(kinds)} {number}"
