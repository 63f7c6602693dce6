"""Tasks of arranging a meeting."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

from frontdesk.data.invented.visitors.sample_tasks import Draw, UnsuitableError
from frontdesk.data.invented.visitors.visited_organisations import CLOSES, OPENS, World
from frontdesk.data.invented.visitors.visitor_goals import ANY_ROOM, Booking, Conflict, Slot, Wish
from frontdesk.kg.graph.changes import EventChange, with_changes
from frontdesk.kg.graph.entities import Event

_LENGTHS = (30, 30, 60, 60, 60, 90)


def book(draw: Draw, *, fits: bool = True) -> Booking:
    """A meeting for which all are free, with more or less of it said at once.

    Args:
        fits: Leave out what may make a start impossible: groups and open times.
    """
    minutes, day = draw.one(_LENGTHS), draw.day()
    people = tuple(each.id for each in draw.rng.sample(draw.colleagues(),
                                                       draw.one((0, 1, 1, 1, 2, 2))))
    members: tuple[tuple[str, int], ...] = ()
    if draw.chance(0.3) and fits:
        people, members = people[:1] if draw.chance(0.3) else (), _members(draw, people)
    place, own_office = _place(draw)
    who = [draw.me.id, *people, *([place] if place and place != ANY_ROOM else [])]
    open_time = draw.one(("", "", "", "part", "any")) if fits else ""
    first, last = {"part": draw.one(((8, 12), (12, 18)))}.get(open_time, (OPENS, CLOSES))
    said = draw.chance(0.75)
    # Who is not told the length may take an hour for it.
    needed = minutes if said else max(minutes, 60)
    starts = [each for each in draw.world.starts(day, needed, first, last)
              if draw.world.free(who, each, needed) and _enough(draw, each, needed, members)
              and (place != ANY_ROOM or draw.free_rooms(each, needed))]
    start = draw.one(starts)
    wish = Wish(
        title=draw.title() if draw.chance(0.7) else None, days=(day,),
        start=None if open_time else start, minutes=minutes if said else None,
        earliest=12 if open_time == "part" and first == 12 else 0,
        latest=12 if open_time == "part" and first == 8 else 24,
        place=place, people=people, members=members)
    answers = Wish(title=draw.title(), minutes=minutes,
                   place=ANY_ROOM if not place and draw.chance(0.4) else None)
    return Booking(wish, _ahead(draw, wish), answers, own_office=own_office)


def _members(draw: Draw, but: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    groups = [each for each in draw.kb.groups.values() if each.id != draw.me.group
              and len(draw.kb.members(each.id)) > 2
              and not any(person.id in but for person in draw.kb.members(each.id))]
    chosen = draw.rng.sample(groups, min(len(groups), draw.one((1, 1, 2))))
    if not chosen:
        raise UnsuitableError
    return tuple((group.id, 1 if len(chosen) > 1 else draw.one((1, 2))) for group in chosen)


def _enough(draw: Draw, start: dt.datetime, minutes: int,
            members: tuple[tuple[str, int], ...]) -> bool:
    return all(sum(draw.world.free([person.id], start, minutes)
                   for person in draw.kb.members(group)) >= count for group, count in members)


def _place(draw: Draw) -> tuple[str | None, bool]:
    """Where, and whether that is the visitor's own office."""
    form = draw.rng.random()
    if form < 0.35:
        return ANY_ROOM, False
    if form < 0.6:
        return draw.one(draw.rooms()).id, False
    if form < 0.7 and draw.me.office:
        return draw.me.office, True
    return None, False


def _ahead(draw: Draw, wish: Wish) -> frozenset[Slot]:
    """What is said at once: little, some or all."""
    having = sorted(wish.filled())
    form = draw.rng.random()
    if form < 0.15:
        return frozenset()
    if form < 0.5:
        return frozenset(having)
    kept = set(draw.rng.sample(having, max(1, len(having) * 2 // 3)))
    return frozenset(kept | ({Slot.DAY} if Slot.TIME in kept else set()))


def book_after(draw: Draw) -> Booking:
    """A meeting right after another one."""
    booking = book(draw, fits=False)
    minutes = booking.wish.minutes or 60
    who = [draw.me.id, *booking.wish.people]
    place = booking.wish.place
    if place and place != ANY_ROOM:
        who.append(place)
    events = [event for event in draw.upcoming()
              if event.end.hour < CLOSES - 1 and draw.world.free(who, event.end, minutes)
              and (place != ANY_ROOM or draw.free_rooms(event.end, minutes))]
    event = draw.one(events)
    return replace(booking, wish=booking.wish.at(event.end),
                   ahead=booking.ahead | {Slot.DAY, Slot.TIME},
                   relative=draw.speaker.say("relative", event=event.name))


def book_and_change_mind(draw: Draw) -> Booking:
    """A meeting of which something is wanted otherwise before it is through."""
    booking = book(draw, fits=False)
    wish = booking.wish
    minutes = wish.minutes or 60
    start, rooms = wish.start, [room.id for room in draw.rooms() if room.id != wish.place]
    if start is None:
        raise UnsuitableError
    who = [draw.me.id, *wish.people]
    what = draw.one(("time", "length", "title", "place"))
    if what == "time":
        place = [wish.place] if wish.place and wish.place != ANY_ROOM else []
        second = wish.at(draw.start([*who, *place], minutes, wish.days[0]))
        if second.start == start or (wish.place == ANY_ROOM and not draw.free_rooms(
                second.start or start, minutes)):
            raise UnsuitableError
    elif what == "length" and wish.minutes and wish.minutes > 30:
        second = replace(wish, minutes=30)
    elif what == "title" and wish.title:
        second = replace(wish, title=draw.one([each for each in (draw.title() for _ in range(5))
                                               if each != wish.title]))
    elif wish.place and wish.place != ANY_ROOM:
        room = draw.one([each for each in rooms if draw.world.free([each], start, minutes)])
        second = replace(wish, place=room)
        booking = replace(booking, own_office=False)
        if draw.kb.rooms[wish.place].bookable is False:
            raise UnsuitableError
    else:
        raise UnsuitableError
    return replace(booking, second=second, changes_mind=True,
                   ahead=booking.ahead | {Slot.DAY, Slot.TIME})


def book_with_conflict(draw: Draw) -> Booking:
    """A meeting at a time when somebody who is to come, or the room, is taken."""
    minutes, conflict = draw.one(_LENGTHS), draw.one(tuple(Conflict))
    events = [event for event in draw.upcoming() if event.attendees
              and event.start > draw.now + dt.timedelta(minutes=30)
              and OPENS <= event.start.hour < CLOSES]
    event = draw.one(events)
    start, day = event.start, event.start.date()
    title = draw.title() if draw.chance(0.6) else None
    answers = Wish(title=draw.title())
    if draw.chance(0.6):
        person = draw.one([each for each in event.participants() if each != draw.me.id])
        wish = Wish(title, (day,), start, minutes=minutes, people=(person,),
                    place=ANY_ROOM if draw.chance(0.4) else None)
        who = [draw.me.id, person]
        open_wish = replace(wish, start=None)
    else:
        room = event.location
        if room is None or not draw.kb.rooms[room].bookable:
            raise UnsuitableError
        wish = Wish(title, (day,), start, minutes=minutes, place=room)
        who = [draw.me.id, room]
        open_wish = replace(wish, place=ANY_ROOM)
    if draw.world.busy(draw.me.id, start, start + dt.timedelta(minutes=minutes)):
        raise UnsuitableError
    other = draw.start(who, minutes, day)
    if wish.place == ANY_ROOM and not draw.free_rooms(other, minutes):
        raise UnsuitableError
    if open_wish.place == ANY_ROOM and open_wish.start and not draw.free_rooms(start, minutes):
        raise UnsuitableError
    second = {Conflict.ACCEPT: open_wish, Conflict.ANOTHER: wish.at(other),
              Conflict.DROP: None}[conflict]
    return Booking(wish, wish.filled(), answers, conflict=conflict, second=second)


# What cannot be


def book_with_stranger(draw: Draw) -> Booking:
    """A meeting with somebody who is not of the organisation."""
    booking = book(draw, fits=False)
    name = draw.stranger()
    return replace(booking, stranger=name, impossible=f"there is no {name}",
                   wish=replace(booking.wish, people=(), members=()),
                   ahead=booking.ahead | {Slot.PEOPLE})


def book_in_the_past(draw: Draw) -> Booking:
    """A meeting that would have begun already."""
    start = draw.now.replace(minute=0, second=0) - dt.timedelta(hours=draw.one((1, 2, 3)))
    if start.hour < OPENS:
        raise UnsuitableError
    person = draw.one(draw.colleagues())
    wish = Wish(draw.title(), (start.date(),), start, minutes=30, people=(person.id,))
    return Booking(wish, wish.filled() - {Slot.TITLE}, Wish(title=wish.title),
                   impossible=f"{start:%H:%M} today is over")


def book_without_room(draw: Draw) -> Booking:
    """A meeting in a meeting room on a day when all are taken from morning to evening."""
    day = draw.day(today=0)
    draw.use(_refitted(draw.world, day))
    start = draw.start([draw.me.id], 60, day)
    wish = Wish(draw.title(), (day,), start if draw.chance(0.5) else None, minutes=60,
                place=ANY_ROOM)
    return Booking(wish, wish.filled() - {Slot.TITLE}, Wish(title=wish.title),
                   impossible=f"no meeting room is free on {day:%A}")


def _refitted(world: World, day: dt.date) -> World:
    """The organisation with workmen in all meeting rooms for a day."""
    changes = [EventChange(event, None) for room in world.kb.bookable_rooms()
               for event in world.kb.events_of(room.id) if event.start.date() == day]
    for room in world.kb.bookable_rooms():
        works = Event(f"refit-{room.id}", f"refit of {room.name}", world.moment(day, OPENS),
                      world.moment(day, CLOSES), location=room.id)
        changes.append(EventChange(None, works))
    return replace(world, kb=with_changes(world.kb, changes))
