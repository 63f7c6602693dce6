"""The ideal receptionist's answers to questions."""

from __future__ import annotations

import datetime as dt
from typing import Protocol

from frontdesk.data.invented.dialogues.spoken import listing
from frontdesk.data.invented.visitors.visited_organisations import World
from frontdesk.data.invented.visitors.visitor_goals import Need, NeedKind, Question
from frontdesk.kg.english.phrases import say_on
from frontdesk.kg.graph.entities import Person


class _Say(Protocol):
    def __call__(self, key: str, **slots: str) -> str: ...


def answer(errand: Question, world: World, me: Person, say: _Say) -> str:
    """The true answer to a question."""
    if errand.impossible:
        return say("no_person", name=errand.words["person"])
    if errand.whose:
        person = world.kb.people[next(iter(errand.whose))]
        return say("member", value=person.name, group=errand.words["group"], phone=person.phone,
                   email=person.email)
    entity = world.kb.entity(errand.about) if errand.about else me
    subject = entity.name if isinstance(entity, Person) else f"the {entity.name}"
    told = [_need(need, errand, world, subject, say) for need in errand.needs]
    return " ".join(each for each in told if each)


def _need(need: Need, errand: Question, world: World, subject: str, say: _Say) -> str:
    kb, value = world.kb, need.values[0] if need.values else ""
    words = {"who": subject, "whose": f"{subject}'s", "subject": subject}
    match need.kind:
        case NeedKind.PHONE | NeedKind.EMAIL:
            return say(need.kind, value=value, **words)
        case NeedKind.ROOM:
            key = "my_office" if errand.topic == "my_office" else \
                "office" if errand.topic == "person_office" else "room"
            return say(key, value=kb.rooms[value].name, **words)
        case NeedKind.GROUP:
            return say("group", value=kb.groups[value].name, **words)
        case NeedKind.PERSON:
            return say("person", value=kb.people[value].name, **words)
        case NeedKind.TIME:
            day = next(dt.date.fromisoformat(each.values[0]) for each in errand.needs
                       if each.kind is NeedKind.DAY)
            return say("time", value=value, day=say_on(day, world.now.date()), **words)
        case NeedKind.LENGTH:
            return say("length", value=value, **words)
        case NeedKind.COUNT:
            return say("count", value=value, group=errand.words["group"])
        case NeedKind.PEOPLE:
            return say("people", value=listing([kb.people[each].name for each in need.values]))
        case NeedKind.ROOMS:
            return say("rooms", value=listing([kb.rooms[each].name for each in need.values]))
        case NeedKind.FREE:
            words["subject"] = errand.words.get("room") or subject
            return say("free" if value == "yes" else "not_free", **words,
                       when=errand.words.get("when", "right now"))
        case NeedKind.EVENTS:
            events = [kb.events[each] for each in need.values]
            if not events:
                return say("no_events", day=errand.words["day"])
            return say("events", day=errand.words["day"], value=listing(
                [f"the {event.name} at {event.start:%H:%M}" for event in events]))
        case _:
            return ""
