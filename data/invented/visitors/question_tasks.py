"""Tasks of finding something out."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from frontdesk.data.invented.visitors.sample_tasks import Draw, UnsuitableError
from frontdesk.data.invented.visitors.visitor_goals import Need, NeedKind, Question
from frontdesk.kg.graph.entities import Event, Person

_MOST_NAMES = 8


def ask_person(draw: Draw, person: Person | None = None, but: str = "") -> Question:
    """Somebody's phone, e-mail address, office, group, or all contact details.

    Args:
        person: Anybody by default.
        but: A topic that is not wanted.
    """
    person = person or draw.one(draw.colleagues())
    values = {"phone": person.phone, "email": person.email, "office": person.office,
              "group": person.group}
    topics = [topic for topic, value in values.items() if value and f"person_{topic}" != but]
    if person.phone and person.email and not but:
        topics.append("contact")
    topic = draw.one(topics)
    needs = {"phone": [(NeedKind.PHONE, person.phone)], "email": [(NeedKind.EMAIL, person.email)],
             "office": [(NeedKind.ROOM, str(person.office))],
             "group": [(NeedKind.GROUP, str(person.group))],
             "contact": [(NeedKind.PHONE, person.phone), (NeedKind.EMAIL, person.email)]}[topic]
    return Question(f"person_{topic}", tuple(Need(kind, (value,)) for kind, value in needs),
                    person.id)


def ask_event(draw: Draw, event: Event | None = None, but: str = "") -> Question:
    """When or where an event is, who organises it, comes or holds it, how long it is."""
    event = event or draw.one(draw.upcoming())
    minutes = int((event.end - event.start).total_seconds()) // 60
    needs: dict[str, tuple[Need, ...]] = {
        "when": (Need(NeedKind.TIME, (f"{event.start:%H:%M}",)),
                 Need(NeedKind.DAY, (event.start.date().isoformat(),))),
        "length": (Need(NeedKind.LENGTH, (str(minutes),)),)}
    if event.location:
        needs["where"] = (Need(NeedKind.ROOM, (event.location,)),)
    if event.organizer and event.organizer != draw.me.id:
        needs["organiser"] = (Need(NeedKind.PERSON, (event.organizer,)),)
    if event.group:
        needs["group"] = (Need(NeedKind.GROUP, (event.group,)),)
    others = [each for each in event.participants() if each != draw.me.id]
    if 1 < len(others) <= _MOST_NAMES:
        needs["attendees"] = (Need(NeedKind.PEOPLE, tuple(others)),)
    topic = draw.one([each for each in needs if f"event_{each}" != but])
    return Question(f"event_{topic}", needs[topic], event.id)


def ask_own_office(draw: Draw) -> Question:
    """Where the visitor's own office is."""
    if not draw.me.office:
        raise UnsuitableError
    return Question("my_office", (Need(NeedKind.ROOM, (draw.me.office,)),))


def ask_member(draw: Draw) -> Question:
    """Anybody of a group, with phone number and e-mail address."""
    group = draw.one([each for each in draw.kb.groups.values()
                      if len(draw.kb.members(each.id)) > 1 and each.id != draw.me.group])
    whose = {person.id: (Need(NeedKind.PERSON, (person.id,)),
                         Need(NeedKind.PHONE, (person.phone,)),
                         Need(NeedKind.EMAIL, (person.email,)))
             for person in draw.kb.members(group.id) if person.phone and person.email}
    if not whose:
        raise UnsuitableError
    return Question("member_contact", words={"group": group.name}, whose=whose)


def ask_members(draw: Draw) -> Question:
    """Who is in a group, or how many they are."""
    groups = [each for each in draw.kb.groups.values()
              if 1 < len(draw.kb.members(each.id)) <= _MOST_NAMES]
    group = draw.one(groups)
    members = draw.kb.members(group.id)
    if draw.chance(0.3):
        return Question("count_members", (Need(NeedKind.COUNT, (str(len(members)),)),),
                        words={"group": group.name})
    others = tuple(person.id for person in members if person.id != draw.me.id)
    return Question("members_of", (Need(NeedKind.PEOPLE, others),), words={"group": group.name})


def ask_person_free(draw: Draw) -> Question:
    """Whether somebody is free now or at some time."""
    people, now = draw.colleagues(), draw.now
    busy = [each for each in people if draw.world.busy(each.id, now, now + _MOMENT)]
    if draw.chance(0.4):
        person = draw.one(busy if busy and draw.chance(0.5) else people)
        return Question("person_free_now", (_free(person not in busy),), person.id)
    person = draw.one(people)
    events = [event for event in draw.kb.events_of(person.id) if event.start > now]
    start = draw.one(events).start if events and draw.chance(0.5) else draw.one(
        draw.world.starts(draw.day(), 60))
    free = not draw.world.busy(person.id, start, start + _MOMENT)
    return Question("person_free_at", (_free(free),), person.id,
                    words={"when": draw.speaker.when(start)})


def ask_room_free(draw: Draw) -> Question:
    """Whether a meeting room is free at some time."""
    room = draw.one(draw.rooms())
    events = [event for event in draw.kb.events_of(room.id) if event.start > draw.now]
    start = draw.one(events).start if events and draw.chance(0.5) else draw.one(
        draw.world.starts(draw.day(), 60))
    free = not draw.world.busy(room.id, start, start + _MOMENT)
    return Question("room_free_at", (_free(free),),
                    words={"room": room.name, "when": draw.speaker.when(start)})


def ask_rooms_free(draw: Draw) -> Question:
    """Which meeting rooms are free now or at some time."""
    now = draw.chance(0.4)
    start = draw.now if now else draw.one(draw.world.starts(draw.day(), 60))
    free = tuple(room.id for room in draw.rooms()
                 if not draw.world.busy(room.id, start, start + _MOMENT))
    if not free:
        raise UnsuitableError
    return Question("rooms_free_now" if now else "rooms_free_at", (Need(NeedKind.ROOMS, free),),
                    words={} if now else {"when": draw.speaker.when(start)})


def ask_agenda(draw: Draw) -> Question:
    """What the visitor or somebody else has on a day to come."""
    own = draw.chance(0.6)
    day = draw.day(today=0)
    people = [person for person in draw.kb.people.values()
              if _events(draw, person.id, day)] if draw.chance(0.75) else list(
                  draw.kb.people.values())
    person = draw.one([each for each in people if own or each.id != draw.me.id])
    events = tuple(event.id for event in _events(draw, person.id, day))
    if own:
        draw.me = person
    return Question("my_agenda" if own else "agenda_of", (Need(NeedKind.EVENTS, events),),
                    "" if own else person.id, words={"day": draw.speaker.day(day)})


def ask_about_nobody(draw: Draw) -> Question:
    """The phone number of somebody who is not of the organisation."""
    topic = draw.one(("phone", "office", "email"))
    name = draw.stranger()
    first = name.split()[0]
    kinds = {"phone": NeedKind.PHONE, "office": NeedKind.ROOM, "email": NeedKind.EMAIL}
    return Question(f"person_{topic}", (Need(kinds[topic], ()),),
                    words={"person": name, "her": f"{first}'s", "them": first, "she": first},
                    impossible=f"there is no {name}")


_MOMENT = dt.timedelta(seconds=1)


def _free(free: bool) -> Need:
    return Need(NeedKind.FREE, ("yes" if free else "no",))


def _events(draw: Draw, person: str, day: dt.date) -> list[Event]:
    return [event for event in draw.kb.events_of(person) if event.start.date() == day]


#: What questions there are, with their weights.
QUESTIONS: tuple[tuple[Callable[[Draw], Question], float], ...] = (
    (ask_person, 4), (ask_event, 5), (ask_own_office, 0.7), (ask_member, 2), (ask_members, 2),
    (ask_person_free, 2.5), (ask_room_free, 1), (ask_rooms_free, 1.5), (ask_agenda, 3))
