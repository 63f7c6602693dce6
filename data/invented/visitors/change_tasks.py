"""Tasks of changing and cancelling meetings, and of leaving messages."""

from __future__ import annotations

import datetime as dt

from frontdesk.data.invented.visitors.sample_tasks import Draw, UnsuitableError
from frontdesk.data.invented.visitors.visitor_goals import (
    Cancellation,
    Change,
    LeftMessage,
    Wish,
)
from frontdesk.kg.graph.entities import Event


def move(draw: Draw) -> Change:
    """A meeting of the visitor's to another time, day or both."""
    event = draw.one(draw.mine())
    form = draw.one(("time", "day", "both"))
    day = event.start.date() if form == "time" else draw.one([each for each in (
        draw.day(today=0) for _ in range(5)) if each != event.start.date()])
    if form == "day":
        start = draw.world.moment(day, event.start.hour, event.start.minute)
        if not _fits(draw, event, start):
            raise UnsuitableError
        return Change((event.id,), Wish(days=(day,)))
    starts = [each for each in draw.world.starts(day, _minutes(event))
              if each != event.start and _fits(draw, event, each)]
    return Change((event.id,), Wish(days=(day,), start=draw.one(starts)))


def move_all(draw: Draw) -> Change:
    """All meetings of the visitor's of a day to the next, at the same times."""
    today, tomorrow = draw.now.date(), draw.now.date() + dt.timedelta(days=1)
    candidates = []
    for person in draw.kb.people.values():
        left = [event for event in draw.kb.events_of(person.id)
                if event.start.date() == today and event.start > draw.now]
        movable = all(event.organizer == person.id and not event.series and _fits(
            draw, event, event.start + dt.timedelta(days=1)) for event in left)
        if left and movable and tomorrow.weekday() < 5:
            candidates.append((person, left))
    draw.me, events = draw.one(candidates)
    return Change(tuple(event.id for event in events), Wish(days=(tomorrow,)), all_of_day=today)


def edit(draw: Draw) -> Change:
    """Another name, room or length for a meeting of the visitor's."""
    event = draw.one(draw.mine())
    form = draw.one(("title", "place", "length"))
    if form == "title":
        return Change((event.id,), Wish(title=draw.title()))
    if form == "place":
        rooms = [room.id for room in draw.free_rooms(event.start, _minutes(event))]
        return Change((event.id,), Wish(place=draw.one(rooms)))
    shorter = [minutes for minutes in (30, 60, 90) if minutes < _minutes(event)]
    return Change((event.id,), Wish(minutes=draw.one(shorter)))


def invite(draw: Draw) -> Change:
    """Somebody more to a meeting of the visitor's."""
    event = draw.one(draw.mine())
    free = [person.id for person in draw.colleagues() if person.id not in event.participants()
            and draw.world.free([person.id], event.start, _minutes(event))]
    count = draw.one((1, 1, 2))
    if len(free) < count:
        raise UnsuitableError
    return Change((event.id,), add=tuple(draw.rng.sample(free, count)))


def uninvite(draw: Draw) -> Change:
    """Somebody less at a meeting of the visitor's."""
    event = draw.one(draw.mine())
    others = [each for each in event.participants() if each != draw.me.id]
    return Change((event.id,), remove=(draw.one(others),))


def cancel(draw: Draw) -> Cancellation:
    """A meeting of the visitor's."""
    return Cancellation((draw.one(draw.mine()).id,))


def _series(draw: Draw) -> list[Event]:
    """The occurrences to come of a series that the visitor organises."""
    events = [event for event in draw.kb.events.values()
              if event.series and event.start > draw.now and event.organizer]
    one = draw.one(events)
    draw.me = draw.kb.people[str(one.organizer)]
    return sorted((event for event in events if event.series == one.series),
                  key=lambda event: event.start)


def cancel_series(draw: Draw) -> Cancellation:
    """All occurrences to come of a recurring meeting."""
    return Cancellation(tuple(event.id for event in _series(draw)), series=True)


def cancel_one_of_series(draw: Draw) -> Cancellation:
    """One occurrence of a recurring meeting."""
    near = [event for event in _series(draw)
            if event.start < draw.now + dt.timedelta(days=6)]
    return Cancellation((draw.one(near).id,), one_of_series=True)


def leave_message(draw: Draw) -> LeftMessage:
    """A message for somebody."""
    return LeftMessage(draw.one(draw.colleagues()).id, _text(draw))


def _text(draw: Draw) -> str:
    say = draw.speaker
    return say.say("message_text", thing=draw.one(say.phrases["things"]))


# What cannot be


def message_for_stranger(draw: Draw) -> LeftMessage:
    """A message for somebody who is not of the organisation."""
    name = draw.stranger()
    return LeftMessage("", _text(draw), stranger=name, impossible=f"there is no {name}")


def cancel_of_others(draw: Draw) -> Cancellation:
    """A meeting with which the visitor has nothing to do."""
    events = [event for event in draw.upcoming() if draw.me.id not in event.participants()]
    event = draw.one(events)
    return Cancellation((event.id,), impossible=f"the {event.name} is somebody else's")


def move_of_others(draw: Draw) -> Change:
    """A meeting with which the visitor has nothing to do, to another time."""
    events = [event for event in draw.upcoming() if draw.me.id not in event.participants()]
    event = draw.one(events)
    day = event.start.date()
    starts = [each for each in draw.world.starts(day, _minutes(event))
              if each != event.start and _fits(draw, event, each)]
    return Change((event.id,), Wish(days=(day,), start=draw.one(starts)),
                  impossible=f"the {event.name} is somebody else's")


def invite_stranger(draw: Draw) -> Change:
    """Somebody who is not of the organisation to a meeting of the visitor's."""
    name = draw.stranger()
    return Change((draw.one(draw.mine()).id,), stranger=name, impossible=f"there is no {name}")


def _minutes(event: Event) -> int:
    return int((event.end - event.start).total_seconds()) // 60


def _fits(draw: Draw, event: Event, start: dt.datetime) -> bool:
    """Whether all of an event are free from another start on, but for the event itself."""
    end = start + (event.end - event.start)
    return start > draw.now and end.date() == start.date() and end.hour <= 19 and all(
        other.id == event.id for each in (*event.participants(), event.location)
        if each for other in draw.world.busy(each, start, end))
