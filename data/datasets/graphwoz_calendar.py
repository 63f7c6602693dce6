"""The calendar changes that GraphWOZ's annotated agent actions make.

``CreateEvent``, ``SetName``, ``SetTime``, ``SetDuration``, ``SetLocation`` and ``AddAttendees`` are
applied in order to the dialogue's calendar. They were typed by hand: ``@newevent`` also stands for
an event of the calendar that was just spoken of, slots are left out, and names are written as the
recogniser heard them. What is not annotated is left open, and names are looked up by likeness.

The data leave most users out of their organisation's people, though users arrange meetings as its
members; whoever is missing joins under the name of the task.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import jellyfish

from frontdesk.data.datasets.dialogue_acts import DialogueActAnnotation
from frontdesk.data.datasets.graphwoz import Dialogue
from frontdesk.kg.graph.entities import Entity, Event
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.sources.knowledge_builder import OrganisationBuilder

#: Actions that change a calendar.
ACTIONS = frozenset({"CreateEvent", "SetName", "SetTime", "SetDuration", "SetLocation",
                     "AddAttendees"})
_NEW = frozenset({"@newevent", "newevent", ""})
_ALIKE = 0.92
_USER = re.compile(r"\b(?:You are(?: a new employee named)?|Your name is|As) "
                   r"((?:[A-Z][\w'-]+ ?)+)")


@dataclass
class AnnotatedEvent:
    """What the annotations say of one event; what they do not say is None.

    Args:
        existing: The event of the calendar that is changed; None for a new one.
        location: Id of the room.
        attendees: Ids of those who are added, the speaker left out; None where nobody is.
        unknown: Values that the organisation does not have.
    """

    existing: Event | None = None
    name: str | None = None
    day: dt.date | None = None
    time: dt.time | None = None
    minutes: int | None = None
    location: str | None = None
    attendees: set[str] | None = None
    unknown: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class AnnotatedCalendar:
    """What becomes of a calendar in a dialogue.

    Args:
        events: New and changed ones, in the order in which they came up.
        organisation: With its calendar before, the user among its people.
        speaker: Id of the user; None when the task does not name one.
        joined: The user is missing in the data.
    """

    events: tuple[AnnotatedEvent, ...]
    organisation: KnowledgeBase
    speaker: str | None
    joined: bool
    dialogue: Dialogue


def annotated_calendar(dialogue: Dialogue) -> AnnotatedCalendar | None:
    """What a dialogue's annotated actions make of its calendar; None if they change nothing."""
    acts = [act for turn in dialogue.turns for act in turn.agent_actions]
    if not any(act.name in ACTIONS for act in acts):
        return None
    reader = _Reader(dialogue)
    for act in acts:
        reader.take(act)
    return AnnotatedCalendar(tuple(reader.events), reader.kb, reader.speaker, reader.joined,
                             dialogue)


class _Reader:
    """Applies actions one after the other."""

    def __init__(self, dialogue: Dialogue) -> None:
        self.kb, self.today = dialogue.knowledge_base, dialogue.now.date()
        self.events: list[AnnotatedEvent] = []
        self.new: AnnotatedEvent | None = None
        self.spoken_of: Event | None = None
        self.speaker, self.joined = self._user(dialogue.task)

    def _user(self, task: str) -> tuple[str | None, bool]:
        """Who speaks, and whether they have to join the organisation."""
        named = _USER.search(task)
        if named is None:
            return None, False
        known = self.kb.named(named[1].strip())
        if known:
            return known[0].id, False
        builder = OrganisationBuilder.from_knowledge_base(self.kb)
        person = builder.add_person(named[1].strip())
        self.kb = builder.build()
        return person, True

    def take(self, act: DialogueActAnnotation) -> None:
        """Apply an action."""
        arguments: dict[str, list[str]] = {}
        for role, value in act.arguments:
            arguments.setdefault(role, []).append(value)
        if act.name == "ConfirmEventInformation" and self.new is not None \
                and arguments.get("event", [""])[0] in _NEW:
            self.new.name = self.new.name or arguments.get("name", [None])[0]
        if act.name not in ACTIONS:
            for role in ("event", "target", "entity"):
                for value in arguments.get(role, ()):
                    found = self._event(value)
                    self.spoken_of = found or self.spoken_of
            return
        if act.name == "CreateEvent":
            self.new = AnnotatedEvent()
            self.events.append(self.new)
        self._fill(self._target(act, arguments.get("event", [""])[0]), arguments)

    def _target(self, act: DialogueActAnnotation, named: str) -> AnnotatedEvent:
        is_new = named in _NEW or (self.new is not None and self.new.name == named)
        existing = None if is_new else self._event(named)
        if existing is None and self.new is None and act.name == "AddAttendees":
            existing = self.spoken_of
        if existing is not None:
            found = next((each for each in self.events if each.existing is existing), None)
            if found is None:
                found = AnnotatedEvent(existing)
                self.events.append(found)
            return found
        if self.new is None:
            self.new = AnnotatedEvent()
            self.events.append(self.new)
        return self.new

    def _fill(self, event: AnnotatedEvent, arguments: Mapping[str, list[str]]) -> None:
        if "name" in arguments and not arguments["name"][0].startswith("@"):
            event.name = arguments["name"][0]
        if "date" in arguments:
            event.day = self._day(arguments["date"][0]) or event.day
        if "time" in arguments:
            event.time = _time(arguments["time"][0]) or event.time
        if "duration" in arguments:
            digits = re.search(r"\d+", arguments["duration"][0])
            event.minutes = int(digits[0]) if digits else event.minutes
        if "location" in arguments:
            event.location = self._known(arguments["location"][0], self.kb.rooms, event) \
                or event.location
        for name in arguments.get("attendees", ()):
            event.attendees = event.attendees or set()
            person = self.speaker if name == "@speaker" else self._known(name, self.kb.people,
                                                                         event)
            if person and person != self.speaker:
                event.attendees.add(person)

    def _known(self, name: str, among: Mapping[str, Entity], event: AnnotatedEvent) -> str | None:
        found = self._find(name, among)
        if found is None:
            event.unknown.append(name)
        return found

    def _day(self, text: str) -> dt.date | None:
        near = {"today": 0, "tomorrow": 1}.get(text.lstrip("@").lower())
        if near is not None:
            return self.today + dt.timedelta(days=near)
        try:
            return dt.date.fromisoformat(text)
        except ValueError:
            return None

    def _event(self, name: str) -> Event | None:
        found = self._find(name, self.kb.events)
        return self.kb.events[found] if found else None

    @staticmethod
    def _find(name: str, among: Mapping[str, Entity]) -> str | None:
        """Id of the entity whose name is most like a name."""
        def likeness(entity: Entity) -> float:
            return jellyfish.jaro_winkler_similarity(name.lower(), entity.name.lower())

        best = max(among.values(), key=likeness, default=None)
        return best.id if best is not None and likeness(best) >= _ALIKE else None


def _time(text: str) -> dt.time | None:
    try:
        return dt.time.fromisoformat(text.zfill(5))
    except ValueError:
        return None
