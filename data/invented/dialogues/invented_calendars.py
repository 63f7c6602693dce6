"""Who is free and when, what is on the user's calendar, and changes to it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from frontdesk.data.invented.dialogues.questions import (
    about_her,
    count_events,
    misnamed_person,
)
from frontdesk.data.invented.dialogues.scene import Scene
from frontdesk.data.invented.dialogues.spoken import listing
from frontdesk.kg.graph.entities import Event, Person, Room

#: Parts of the day, in hours.
_PARTS = {"morning": (0, 12), "afternoon": (12, 24)}
_HOUR = dt.timedelta(hours=1)


def person_free(scene: Scene) -> Person | None:
    """Ask whether somebody is available; gives who it is if so."""
    people = scene.colleagues()
    occupied = [person for person in people if scene.busy_now(person.id)]
    person = scene.rng.choice(occupied if occupied and scene.chance(0.2) else people)
    if scene.chance(0.35):
        return _free_then(scene, person)
    answer = answer_free_now(scene, person)
    free = not scene.busy_now(person.id)
    if scene.chance(0.15):
        misnamed_person(scene, person, "free_now", answer)
    elif free and not scene.booked and scene.chance(0.3):
        scene.turn(scene.user("free_now", person=person), answer,
                   scene.agent("ask_meet", person=person))
        if scene.chance(0.4):
            scene.turn(scene.user("no"), scene.agent("what_else"))
            return None
        scene.agreed = True
        return person
    else:
        scene.turn(scene.user("free_now", person=person), answer)
    if scene.chance(0.4):
        about_her(scene, person)
    return person if free else None


def answer_free_now(scene: Scene, person: Person) -> str:
    """Whether somebody is in a meeting right now."""
    events = scene.busy_now(person.id)
    return scene.agent("busy_now", person=person, event=events[0]) if events \
        else scene.agent("free_now", person=person)


def _free_then(scene: Scene, person: Person) -> Person | None:
    start, end, at, said_at = _span(scene)
    events = scene.busy(person.id, start, end)
    said = scene.user("free_then", person=person, at=said_at)
    if events:
        scene.turn(said, scene.agent("busy_then", person=person, event=events[0], at=at))
        return None
    scene.turn(said, scene.agent("free_then", person=person, at=at))
    return person


def _span(scene: Scene) -> tuple[dt.datetime, dt.datetime, str, str]:
    """A time to come, as the agent and as the user say it: a moment, or a part of a day."""
    day = scene.today + dt.timedelta(days=scene.rng.choice((0, 0, 1, 1, 2)))
    said = scene.day(day)
    if scene.chance(0.3) and day > scene.today:
        part = scene.rng.choice(list(_PARTS))
        first, last = _PARTS[part]
        start = dt.datetime.combine(day, dt.time(first), scene.now.tzinfo)
        text = f"{said} {part}" if said == "tomorrow" else f"{said} in the {part}"
        return start, start + (last - first) * _HOUR, text, text
    start = scene.next_free((), 60, day, earliest=scene.rng.randint(8, 15)) \
        or scene.now.replace(hour=9, minute=0, second=0) + dt.timedelta(days=1)
    said = scene.day(start.date())
    end = start + dt.timedelta(seconds=1)
    return (start, end, f"at {scene.style.time(start)}{'' if said == 'today' else f' {said}'}",
            f"at {scene.clock(start)} {said}")


# Rooms


def room_free(scene: Scene) -> Room | None:
    """Ask which rooms are free, or about one of them; gives one that is."""
    if scene.chance(0.6):
        start, end, at, said_at = scene.now, scene.now, "right now", "right now"
        end += dt.timedelta(seconds=1)
    else:
        start, end, at, said_at = _span(scene)
    rooms = scene.kb.bookable_rooms()
    free = [room for room in rooms if not scene.busy(room.id, start, end)]
    if scene.chance(0.5) and len(free) > 1:
        said_at = scene.rng.choice(("", said_at)) if at == "right now" else said_at
        said = scene.user("rooms_free", at=said_at).replace(" ?", "?").replace(" .", ".").strip()
        scene.turn(said, scene.agent("rooms_free", rooms=listing([room.name for room in free]),
                                     at=at, count=scene.style.count(len(free))))
        return scene.rng.choice(free)
    room = scene.rng.choice(rooms)
    said = scene.user("room_free", room=room, at=said_at)
    if room in free:
        scene.turn(said, scene.agent("room_free", room=room, at=at))
        return room
    event = scene.busy(room.id, start, end)[0]
    scene.turn(said, scene.agent("room_busy", event=event, room=room.name, at=at))
    return None


# The user's calendar


def agenda(scene: Scene) -> None:
    """Ask what is on the calendar, and perhaps cancel or move it."""
    if scene.changed:
        return
    if scene.chance(0.2):
        _agenda_both(scene)
        return
    day, part, events = _own_events(scene)
    said_day = _part_of_day(scene, day, part)
    said = scene.user("agenda", day=said_day)
    if not events:
        scene.turn(said, scene.agent("agenda_none", day=said_day), _tomorrow(scene, day, part))
        return
    if len(events) == 1 and scene.chance(0.6):
        only = events[0]
        times = scene.rng.choice((
            f"{only.name} at {scene.style.time(only.start)}",
            f"the {only.name} at {scene.style.time(only.start)}",
            f"at {scene.style.time(only.start)}, called {only.name}"))
        scene.turn(said, scene.agent("agenda", events=scene.rng.choice(("one event", "1 event",
                                                                       "one meeting")),
                                     times=times, day=said_day, are="is"))
        if scene.chance(0.55):
            _change(scene, only)
        return
    count_events(scene, said, "agenda", events)


def _own_events(scene: Scene) -> tuple[dt.date, str, list[Event]]:
    """A day, perhaps a part of it, and what the user has then that has not begun."""
    day = scene.today + dt.timedelta(days=scene.rng.choice((0, 0, 0, 1, 1)))
    part = scene.rng.choice(list(_PARTS)) if day > scene.today and scene.chance(0.35) else ""
    first, last = _PARTS.get(part, (0, 24))
    return day, part, [event for event in scene.kb.events_of(scene.speaker.id)
                       if event.start.date() == day and event.start > scene.now
                       and first <= event.start.hour < last]


def _agenda_both(scene: Scene) -> None:
    """Ask for today and tomorrow at once, when there is at most one event on each."""
    tomorrow = scene.today + dt.timedelta(days=1)
    own = scene.kb.events_of(scene.speaker.id)
    today = [event for event in own if event.start.date() == scene.today]
    later = [event for event in own if event.start.date() == tomorrow]
    if len(today) > 1 or len(later) > 1 or any(event.start <= scene.now for event in today):
        return
    said = scene.user("agenda_both")
    one = scene.rng.choice(("one event", "1 event", "one meeting"))
    if today and later:
        scene.turn(said, scene.agent(
            "agenda_both", events=one, more="one", name=today[0].name, name2=later[0].name,
            time=scene.style.time(today[0].start), time2=scene.style.time(later[0].start)))
    elif today or later:
        event = (today or later)[0]
        scene.turn(said, scene.agent(
            "agenda_one", name=event.name, time=scene.style.time(event.start),
            day="today" if today else "tomorrow", off="tomorrow" if today else "today"))
        if scene.chance(0.5):
            _change(scene, event)
    else:
        scene.turn(said, scene.agent("agenda_neither"))


def agenda_of(scene: Scene) -> None:
    """Ask what somebody else has on the calendar."""
    person = scene.rng.choice(scene.colleagues())
    day = scene.today + dt.timedelta(days=scene.rng.choice((0, 1)))
    events = [event for event in scene.kb.events_of(person.id) if event.start.date() == day]
    if any(event.start <= scene.now for event in events):
        return
    said = scene.user("agenda_of", person=person, day=scene.day(day))
    if events:
        count_events(scene, said, "agenda_of", events, person=person)
    else:
        scene.turn(said, scene.agent("agenda_of_none", person=person, day=scene.day(day)))


def _part_of_day(scene: Scene, day: dt.date, part: str) -> str:
    return f"{scene.day(day)} {part}".strip()


def _tomorrow(scene: Scene, day: dt.date, part: str) -> str:
    """What there is tomorrow, now and then, when there is nothing today."""
    tomorrow = scene.today + dt.timedelta(days=1)
    events = [event for event in scene.kb.events_of(scene.speaker.id)
              if event.start.date() == tomorrow]
    if day != scene.today or part or len(events) != 1 or scene.chance(0.5):
        return ""
    start = events[0].start
    half = "morning" if start.hour < 12 else "afternoon"
    return f"You have one tomorrow {half} at {scene.style.time(start)}."


def cancel(scene: Scene) -> None:
    """Cancel one event, or those of a part of a day."""
    if scene.changed:
        return
    if scene.chance(0.35):
        _cancel_day(scene)
        return
    events = [event for event in scene.upcoming() if scene.speaker.id in event.participants()]
    if events:
        event = scene.rng.choice(events)
        key = scene.rng.choice(("cancel", "cancel", "move"))
        _change(scene, event, key)


def _cancel_day(scene: Scene) -> None:
    day, part, events = _own_events(scene)
    said_day = _part_of_day(scene, day, part)
    said = scene.user("cancel_day", day=said_day)
    if not events:
        scene.turn(said, scene.agent("nothing_to_cancel", day=said_day))
        return
    scene.changed = True
    names = listing([event.name for event in events])
    if len(events) == 1 and scene.chance(0.4):
        scene.turn(said, scene.agent("cancel_sure", event=events[0]))
        said = scene.user("yes")
    scene.turn(said, scene.agent("cancelled", event=names, day=said_day))


def _change(scene: Scene, event: Event, key: str = "") -> None:
    """Cancel or move an event; the one just spoken of if no key says how it is named."""
    scene.changed = True
    if key == "move" or (not key and scene.chance(0.35)):
        day = max(scene.today, event.start.date()) + dt.timedelta(days=scene.rng.choice((0, 1)))
        minutes = int((event.end - event.start).total_seconds()) // 60
        start = scene.next_free((scene.speaker.id, *_place(event)), minutes, day,
                                earliest=scene.rng.randint(8, 14))
        if start is not None:
            slots = {"time": scene.clock(start), "day": scene.day(start.date())}
            scene.turn(scene.user(key or "move_that", event=event.name, **slots),
                       scene.agent("moved", event=event,
                                   **{**slots, "time": scene.style.time(start)}))
            return
    said = scene.user("cancel" if key else "cancel_that", event=event.name,
                      day=scene.day(event.start.date()))
    if scene.chance(0.2):
        scene.turn(said, scene.agent("cancel_sure", event=event))
        said = scene.user("yes")
    scene.turn(said, scene.agent("cancelled", event=event))


def _place(event: Event) -> Sequence[str]:
    return (event.location,) if event.location else ()


def join(scene: Scene) -> None:
    """Be added to an event, or have somebody else added."""
    events = [event for event in scene.upcoming() if scene.speaker.id not in event.participants()]
    if not events or scene.changed:
        return
    event = scene.rng.choice(events)
    if scene.chance(0.5):
        scene.turn(scene.user("join", event=event.name), scene.agent("joined", event=event))
        return
    person = scene.rng.choice([each for each in scene.colleagues()
                               if each.id not in event.participants()])
    said = scene.user("add_to", person=person, event=event.name)
    conflict = scene.busy(person.id, event.start, event.end)
    if conflict:
        scene.turn(said, scene.agent("invite_busy", person=person, event=conflict[0]))
        said = scene.user("yes")
    scene.turn(said, scene.agent("ack_invite", people=person.name))
