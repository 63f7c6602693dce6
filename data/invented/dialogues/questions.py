"""Questions about events, people and groups, and what the agent answers."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence

from frontdesk.data.invented.dialogues import speech_noise as noise
from frontdesk.data.invented.dialogues.scene import Scene, pronouns
from frontdesk.data.invented.dialogues.spoken import listing, say_ordinal
from frontdesk.kg.graph.entities import Event, Group, Person

_NAMES = 4


def event_question(scene: Scene) -> Person | None:
    """Ask about an event, and go on about it or its organiser; gives whom it led to."""
    event = scene.rng.choice(scene.upcoming())
    asked = scene.rng.choices(("when", "where", "when_where", "organiser", "organiser_phone",
                               "attendees", "attends", "duration"),
                              (5, 3, 4, 5, 2, 1.5, 2, 0.7))[0]
    if scene.chance(0.06):
        scene.turn(scene.user("some_event"), scene.agent("which_event"))
        asked = scene.rng.choice(("when_where", "where"))
        scene.turn(scene.user("its_called", event=event.name),
                   answer_event(scene, event, asked, scene.speaker))
    elif scene.chance(0.14):
        _misnamed_event(scene, event, asked)
    else:
        ask_event(scene, event, asked, asked)
    for follow in scene.rng.sample(("when", "where", "organiser", "attendees", "duration"),
                                   scene.rng.choice((0, 0, 1, 1, 2))):
        if follow not in asked and asked not in ("attends", "organiser"):
            ask_event(scene, event, follow, f"{follow}_it")
    organiser = scene.kb.people.get(event.organizer or "")
    if asked in ("organiser", "organiser_phone") and organiser and scene.chance(0.7):
        about_her(scene, organiser, skip="phone" if asked == "organiser_phone" else "")
    return organiser if "organiser" in asked else None


def ask_event(scene: Scene, event: Event, what: str, words: str) -> None:
    """One question about an event.

    Args:
        words: How it is asked, by the user's pattern.
    """
    person = _perhaps_attendee(scene, event)
    organiser = scene.kb.people.get(event.organizer or "", person)
    said = scene.user(words, event=event.name, person=person)
    scene.turn(said, answer_event(scene, event, what, organiser if "organiser" in what else person))


def answer_event(scene: Scene, event: Event, what: str, person: Person) -> str:
    """The answer to a question about an event.

    Args:
        person: The organiser, or who might attend.
    """
    if what == "attends":
        key = "attends" if person.id in event.participants() else "attends_not"
        return scene.agent(key, event=event, person=person)
    if what == "attendees":
        people = [scene.kb.people[each].name for each in event.participants()]
        return scene.agent("attendees" if len(people) > 1 else "attends", event=event,
                           person=scene.kb.people[event.participants()[0]],
                           people=listing(people), count=scene.style.count(len(people)))
    minutes = int((event.end - event.start).total_seconds()) // 60
    return scene.agent(what, event=event, person=person, minutes=say_length(minutes),
                       phone=scene.style.phone(person.phone))


def say_length(minutes: int) -> str:
    """``30 minutes``, ``1 hour``, ``1.5 hours``."""
    if minutes < 60:
        return f"{minutes} minutes"
    hours = f"{minutes / 60:g}"
    return f"{hours} hour{'s' if minutes > 60 else ''}"


def _perhaps_attendee(scene: Scene, event: Event) -> Person:
    if scene.chance(0.5) and event.attendees:
        return scene.kb.people[scene.rng.choice(event.attendees)]
    return scene.rng.choice(scene.colleagues())


def _misnamed_event(scene: Scene, event: Event, asked: str) -> None:
    """The name is not understood at first."""
    heard = noise.misheard(noise.misheard(event.name, scene.rng), scene.rng)
    asked = "when" if asked == "attends" else asked
    person = scene.kb.people[event.organizer] if event.organizer else scene.speaker
    said = scene.user(asked, event=heard, person=person)
    if scene.chance(0.5):
        scene.turn(said, scene.agent("no_event", title=scene.quoted(heard)))
        said = scene.user("its_called", event=event.name)
        if scene.chance(0.6):
            scene.turn(said, answer_event(scene, event, asked, person))
            return
    scene.turn(said, scene.agent("mean_event", event=event, title=scene.quoted(heard)))
    scene.turn(scene.user("right"), answer_event(scene, event, asked, person))


# People


def person_question(scene: Scene) -> Person:
    """Ask for somebody's phone number, e-mail address, office or group."""
    person = scene.rng.choice(scene.colleagues())
    asked = scene.rng.choices(("phone", "email", "contact", "office", "group_of"),
                              (3, 2, 3, 4, 2))[0]
    if scene.chance(0.12):
        misnamed_person(scene, person, asked, answer_person(scene, person, asked))
    else:
        scene.turn(scene.user(asked, person=person), answer_person(scene, person, asked))
    if asked == "office" and scene.chance(0.4):
        ask_floor(scene, person)
    elif scene.chance(0.5):
        about_her(scene, person, skip=asked)
    return person


def misnamed_person(scene: Scene, person: Person, asked: str, answer: str) -> None:
    """The name is not understood at first.

    Args:
        asked: What about the person, by the user's pattern.
        answer: What the agent says once it knows who is meant.
    """
    heard = noise.misheard(noise.misheard(person.name, scene.rng), scene.rng)
    group = scene.kb.groups[person.group].name if person.group else ""
    said = scene.user(asked, **(person_words(person) | {"person": heard}))
    if scene.chance(0.3):
        scene.turn(said, scene.agent("no_person", heard=scene.quoted(heard)))
        said = scene.user("its_her", person=person)
        if scene.chance(0.6):
            scene.turn(said, answer)
            return
    scene.turn(said, scene.agent("mean_person", person=person, group=group, heard=heard))
    scene.turn(scene.user("right"), answer)


def person_words(person: Person) -> dict[str, str]:
    """The pronouns of a person as slots."""
    her, she, them = pronouns(person)
    return {"her": her, "she": she, "them": them, "short": person.name.split()[0]}


def answer_person(scene: Scene, person: Person, asked: str) -> str:
    """The answer to a question about a person."""
    return scene.agent(asked, person=person, phone=scene.style.phone(person.phone),
                       email=person.email, office=_office(scene, person),
                       group=scene.kb.groups[person.group].name if person.group else "")


def about_her(scene: Scene, person: Person, skip: str = "") -> None:
    """One or two more questions about somebody that was spoken of."""
    asked = [each for each in ("phone", "email", "contact", "office", "group") if each != skip
             and not (skip in ("phone", "email", "contact") and each == "contact")
             and not (skip == "contact" and each in ("phone", "email"))]
    number = scene.rng.choice((1, 1, 1, 2))
    for each in scene.rng.sample([one for one in asked if one != "contact" or number == 1], number):
        answer = "group_of" if each == "group" else each
        scene.turn(scene.user(f"{each}_her", person=person), answer_person(scene, person, answer))
        if each == "office" and scene.chance(0.3):
            ask_floor(scene, person)


def ask_floor(scene: Scene, person: Person) -> None:
    """Ask on which floor somebody's office is."""
    room = scene.kb.rooms[person.office or ""]
    floor = say_ordinal(room.floor or 0, word=scene.chance(0.4))
    scene.turn(scene.user("floor", person=person),
               scene.agent("floor", person=person, office=room.name, floor=floor))


def my_office(scene: Scene) -> None:
    """The user asks for the own office."""
    scene.turn(scene.user("my_office"),
               scene.agent("my_office", office=_office(scene, scene.speaker)))


def _office(scene: Scene, person: Person) -> str:
    return scene.kb.rooms[person.office].name if person.office else ""


# Groups


def group_question(scene: Scene) -> Person | None:
    """Ask for somebody of a group, its members or its events; gives whom it led to."""
    members = {group.id: scene.kb.members(group.id) for group in scene.kb.groups.values()}
    groups = [scene.kb.groups[each] for each, people in members.items() if people]
    group = scene.rng.choice(groups)
    ask: Callable[[Scene, Group, Sequence[Person]], Person | None] = scene.rng.choices(
        (_somebody, _who, _member_free, _group_events), (4, 2, 3, 2.5))[0]
    others = [person for person in members[group.id] if person is not scene.speaker]
    return ask(scene, group, others or members[group.id])


def _somebody(scene: Scene, group: Group, people: Sequence[Person]) -> Person:
    first = scene.rng.choice(list(people))
    said = scene.user("member_contact", group=group.name)
    if scene.chance(0.35):
        count = scene.style.count(len(scene.kb.members(group.id)))
        if len(scene.kb.members(group.id)) > 1:
            scene.turn(said, scene.agent("members_count", group=group.name, count=count))
            said = scene.user("just_anyone")
    scene.turn(said, scene.agent("some_member", person=first, group=group.name))
    if scene.chance(0.75):
        if scene.chance(0.5):
            scene.turn(scene.user("contact_her", person=first),
                       answer_person(scene, first, "contact"))
        else:
            about_her(scene, first, skip="group")
    others = [person for person in people if person is not first]
    if others and scene.chance(0.15):
        second = scene.rng.choice(others)
        scene.turn(scene.user("someone_else"),
                   scene.agent("some_member", person=second, group=group.name))
        scene.turn(scene.user("yes"), answer_person(scene, second, "contact"))
        return second
    return first


def _who(scene: Scene, group: Group, people: Sequence[Person]) -> Person | None:
    members = scene.kb.members(group.id)
    if len(members) < 2:
        return _somebody(scene, group, people)
    count = scene.style.count(len(members))
    if len(members) > _NAMES + 2 or scene.chance(0.4):
        scene.turn(scene.user("members_count", group=group.name),
                   scene.agent("members_count", group=group.name, count=count))
        return None
    scene.turn(scene.user("members", group=group.name),
               scene.agent("members", group=group.name, count=count,
                           people=listing([person.name for person in members])))
    return None


def _member_free(scene: Scene, group: Group, people: Sequence[Person]) -> Person | None:
    free = [person for person in people if not scene.busy_now(person.id)]
    if not free:
        return _somebody(scene, group, people)
    shown = scene.rng.sample(free, min(len(free), scene.rng.choice((1, 1, 2))))
    answer = scene.agent("free_member" if len(shown) == 1 else "free_members", person=shown[0],
                         group=group.name, people=listing([each.name for each in shown]))
    scene.turn(scene.user("member_free", group=group.name), answer)
    if scene.chance(0.6):
        about_her(scene, shown[0], skip="group")
    return shown[0]


def _group_events(scene: Scene, group: Group, people: Sequence[Person]) -> None:
    day = scene.today + dt.timedelta(days=scene.rng.choice((0, 1, 1)))
    events = [event for event in scene.kb.events_of(group.id) if event.start.date() == day]
    if any(event.start <= scene.now for event in events):
        return  # some of them are over: what to count is not clear
    said = scene.user("group_events", group=group.name, day=scene.day(day))
    if events:
        count_events(scene, said, "group_events", events, group=group.name)
    else:
        scene.turn(said, scene.agent("group_none", group=group.name, day=scene.day(day)))


def count_events(scene: Scene, said: str, key: str, events: Sequence[Event],
                 **slots: object) -> None:
    """Say how many events there are, and on request what they are called and when they are.

    Args:
        events: At least one, all on one day.
    """
    names = listing([event.name for event in events])
    times = _times(scene, events)
    answer = scene.agent(key, events=numbered(scene, len(events)), names=names, times=times,
                         day=scene.day(events[0].start.date()),
                         are="is" if len(events) == 1 else "are",
                         Day=scene.day(events[0].start.date()).capitalize(),
                         it="it" if len(events) == 1 else "them", **slots)
    scene.turn(said, answer)
    if events[0].name not in answer and scene.chance(0.7):
        key = "names_of" if len(events) > 1 else "name_of"
        scene.turn(scene.user("names_of"), scene.agent(key, names=names))
    elif scene.style.time(events[0].start) not in answer and scene.chance(0.5):
        scene.turn(scene.user("times_of"), scene.agent("times_of", times=times))


def numbered(scene: Scene, count: int) -> str:
    """``one event``, ``3 events``."""
    return f"{scene.style.count(count)} {'event' if count == 1 else 'events'}"


def _times(scene: Scene, events: Sequence[Event]) -> str:
    if scene.chance(0.2):
        return listing([f"{event.name} from {scene.style.time(event.start)} to "
                        f"{scene.style.time(event.end)}" for event in events])
    is_ = scene.rng.choice((" is at", " at", " at"))
    return listing([f"{event.name}{is_} {scene.style.time(event.start)}" for event in events])
