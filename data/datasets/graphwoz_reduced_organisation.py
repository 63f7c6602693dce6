"""The organisation of a reduced GraphWOZ dialogue, as far as its facts tell.

The facts are a part of the dialogue's graph: events may lack their day, their times or their name.
An event without a name cannot be spoken of by name and is left out. One without a time of day
takes an hour from or to the one that is known, or noon; one without a day stands a year after all
others, where no time that the user speaks of can mean it.
"""

from __future__ import annotations

import datetime as dt
import re
from collections import defaultdict
from collections.abc import Mapping

from frontdesk.data.datasets.graphwoz_organisation import TIMEZONE
from frontdesk.data.datasets.graphwoz_reduced import VALUES, ReducedDialogue
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.sources.knowledge_builder import OrganisationBuilder

#: Facts whose subject is a person.
_OF_PEOPLE = frozenset({"office", "email", "phone", "member", "attending", "busy"})
_EVENT_ID = re.compile(r"[0-9a-f]{10}")
_HOUR, _YEAR = dt.timedelta(hours=1), dt.timedelta(days=365)
_NOON = dt.time(12)
#: Of dialogues whose facts name no day.
_NO_DAY = dt.date(2000, 1, 1)


def reduced_knowledge_base(dialogue: ReducedDialogue) -> KnowledgeBase:
    """The people, groups, rooms and named events of a reduced dialogue, in UTC."""
    return _ReducedOrganisation(dialogue).build()


def reduced_present(dialogue: ReducedDialogue) -> dt.datetime:
    """When the dialogue is taken to have been held: noon of the first day of its facts, in UTC.

    Its turns have no time; GraphWOZ calendars begin on the day of their dialogue as a rule.
    """
    return dt.datetime.combine(min(_days(dialogue), default=_NO_DAY), _NOON, TIMEZONE)


class _ReducedOrganisation:
    def __init__(self, dialogue: ReducedDialogue) -> None:
        self.dialogue = dialogue
        self.builder = OrganisationBuilder(dialogue.id, TIMEZONE)
        self.values: dict[str, dict[str, str]] = defaultdict(dict)
        self.attendees: dict[str, list[str]] = defaultdict(list)
        self.people: dict[str, str] = {}
        for fact in dialogue.facts:
            if fact.predicate == "attending":
                self.attendees[fact.object].append(fact.subject)
            else:
                self.values[fact.subject].setdefault(fact.predicate, fact.object)
        self.undated = max(_days(dialogue), default=_NO_DAY) + _YEAR

    def build(self) -> KnowledgeBase:
        for room, known in self.values.items():
            if "floor" in known:
                found = self._room(room)
                if self.builder.rooms[found].floor is None:
                    self.builder.room(room, floor=VALUES["floor"](known["floor"]),
                                      bookable=not room.isdecimal())
        for fact in self.dialogue.facts:
            if fact.predicate in _OF_PEOPLE:
                self._person(fact.subject)
        for event, known in self.values.items():
            if _EVENT_ID.fullmatch(event) and "name" in known:
                self._add_event(event, known)
        return self.builder.build()

    def _person(self, name: str) -> str:
        if name not in self.people:
            known = self.values.get(name, {})
            group, office = known.get("member"), known.get("office")
            self.people[name] = self.builder.add_person(
                name, email=known.get("email", ""), phone=known.get("phone", ""),
                group=self.builder.group(group) if group else None,
                office=self._room(office) if office else None, place=self.dialogue.id)
        return self.people[name]

    def _room(self, name: str) -> str:
        return self.builder.room(name, bookable=not name.isdecimal())

    def _add_event(self, event: str, known: Mapping[str, str]) -> None:
        location, organizer = known.get("location"), known.get("organizer")
        start, end = self._times(known)
        self.builder.add_event(
            known["name"], start, end, entity_id=event,
            location=self._room(location) if location else None,
            organizer=self._person(organizer) if organizer else None,
            attendees=list(dict.fromkeys(map(self._person, self.attendees.get(event, ())))),
            place=self.dialogue.id)

    def _times(self, known: Mapping[str, str]) -> tuple[dt.datetime, dt.datetime]:
        day = VALUES["date"](known["date"]) if "date" in known else self.undated
        start, end = (dt.datetime.combine(day, VALUES[key](known[key]), TIMEZONE)
                      if key in known else None for key in ("start_time", "end_time"))
        if start is None:
            start = end - _HOUR if end else dt.datetime.combine(day, _NOON, TIMEZONE)
        end = end or start + _HOUR
        return start, end if end >= start else end + dt.timedelta(days=1)


def _days(dialogue: ReducedDialogue) -> list[dt.date]:
    return [VALUES["date"](fact.object) for fact in dialogue.facts if fact.predicate == "date"]
