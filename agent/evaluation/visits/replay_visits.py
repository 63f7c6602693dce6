"""GraphWOZ dialogues that arrange something, replayed with the agent; their calendars compared.

The user turns are those of the data, whatever the agent asks: it may ask for what the human agent
did not, and then nobody answers. So two things are measured: what is in the calendar after the
user turns alone, and after up to one closing "Yes.", said where the agent waits for a confirmation
when the user has nothing left to say but thanks and goodbye.

Compared is what is annotated. Where the user named no room, no people of a group or no time and
the human agent chose, another choice is as good: a free meeting room, other members of the same
group, another time. ``exact`` counts only the very same.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from frontdesk.agent.evaluation.visits.receptionist import AgentReceptionist
from frontdesk.data.datasets.data_set import EvaluationDialogue, EvaluationTurn
from frontdesk.data.datasets.graphwoz_calendar import ACTIONS, AnnotatedCalendar, AnnotatedEvent
from frontdesk.data.invented.visitors.judge import calendar_changes, change_text
from frontdesk.data.invented.visitors.read_values import Names, plain, read_times
from frontdesk.data.invented.visitors.reply_cues import Asked
from frontdesk.data.invented.visitors.reply_reading import Reader
from frontdesk.kg.graph.changes import EventChange, new_conflicts
from frontdesk.kg.graph.dialogue_graph import Hypothesis
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

Record = dict[str, Any]

_CLOSES = re.compile(r"\b(?:thank|thanks|bye|goodbye|that['’]s all|that is all|great|perfect|"
                     r"alright|have a)\b|^\W*no\b|^#?$", re.IGNORECASE)
_YES = "Yes."


@dataclass(frozen=True)
class Compared:
    """A final calendar beside the annotated one.

    Args:
        slots: By event and slot, whether it is right; ``exact`` and with free choices.
        conflicts: Double bookings that are new.
    """

    slots: dict[str, tuple[bool, bool]]
    unasked: tuple[str, ...]
    conflicts: int

    def right(self, *, exact: bool) -> bool:
        """Whether all is as annotated, and nothing else changed."""
        return not self.unasked and not self.conflicts and all(
            pair[0] if exact else pair[1] for pair in self.slots.values())


def replay(dialogue: EvaluationDialogue, calendar: AnnotatedCalendar,
           receptionist: AgentReceptionist, *, closing: bool) -> list[Record]:
    """Say the user turns of a dialogue to the agent.

    Args:
        closing: Say up to one ``Yes.`` where the agent waits for a confirmation at the end.

    Returns:
        ``user``, ``reply`` and ``added`` (the turn is not of the data) by turn.
    """
    reader = Reader(Names(calendar.organisation))
    last = _last_content(dialogue, calendar)
    records: list[Record] = []

    def say(hypotheses: Sequence[Hypothesis], now: dt.datetime, *, added: bool = False) -> None:
        reply = receptionist.reply(hypotheses, now)
        records.append({"user": hypotheses[0].text, "reply": reply, "added": added})

    for turn in dialogue.turns:
        say(turn.hypotheses, turn.now)
        if closing and turn.number == last:
            reading = reader.read(records[-1]["reply"], turn.now)
            if Asked.CONFIRM in reading.asks and not reading.lost:
                say((Hypothesis(_YES),), turn.now, added=True)
    return records


def _last_content(dialogue: EvaluationDialogue, calendar: AnnotatedCalendar) -> int:
    """Number of the last turn that is more than thanks, agreement and goodbye."""
    acts = {turn.number: {act.name for act in turn.agent_actions}
            for turn in calendar.dialogue.turns}
    content = [turn.number for turn in dialogue.turns
               if acts.get(turn.number, set()) & ACTIONS or not _closes(turn)]
    return content[-1] if content else 0


def _closes(turn: EvaluationTurn) -> bool:
    return bool(_CLOSES.search(turn.user)) and len(turn.user.split()) < 14


def compare(calendar: AnnotatedCalendar, after: KnowledgeBase, said: Sequence[str]) -> Compared:
    """A final calendar beside the annotated one.

    Args:
        after: The organisation in the end.
    """
    before = calendar.organisation
    changes = {change.event.id: change for change in calendar_changes(before, after)}
    conflicts = len(new_conflicts(before, tuple(changes.values())))
    slots: dict[str, tuple[bool, bool]] = {}
    judge = _Judge(before, calendar.speaker, " ".join(said))
    for number, wanted in enumerate(calendar.events, start=1):
        change = _found(wanted, changes)
        name = wanted.existing.name if wanted.existing else f"new {number}"
        made = change is not None and change.after is not None
        slots[f"{name}: there"] = (made, made)
        for slot, pair in judge.slots(wanted, change.after if change else None).items():
            slots[f"{name}: {slot}"] = pair
        if change is not None:
            changes.pop(change.event.id)
    unasked = tuple(change_text(change, before) for change in changes.values())
    return Compared(slots, unasked, conflicts)


def _found(wanted: AnnotatedEvent, changes: dict[str, EventChange]) -> EventChange | None:
    if wanted.existing is not None:
        return changes.get(wanted.existing.id)
    new = [change for change in changes.values() if change.before is None]
    same = [change for change in new if wanted.name and plain(change.event.name) == plain(
        wanted.name)]
    return next(iter(same or new), None)


class _Judge:
    """Compares events slot by slot."""

    def __init__(self, kb: KnowledgeBase, speaker: str | None, said: str) -> None:
        self.kb, self.speaker, self.said = kb, speaker, said
        self.times = read_times(said)
        self.names = f" {plain(said)} "

    def slots(self, wanted: AnnotatedEvent, event: Event | None) -> dict[str, tuple[bool, bool]]:
        """By slot that is annotated, whether it is exactly so, and with free choices."""
        found: dict[str, tuple[bool, bool]] = {}
        if wanted.name is not None and wanted.existing is None:
            found["title"] = self._title(wanted.name, event)
        if wanted.day is not None:
            right = event is not None and event.start.date() == wanted.day
            found["day"] = right, right
        if wanted.time is not None:
            right = event is not None and event.start.time() == wanted.time
            named = any(f"{wanted.time:%H:%M}" in each for each in self.times) \
                or bool(re.search(r"\b(?:after|before|same)\b", self.said))
            found["time"] = right, right or (event is not None and not named)
        if wanted.minutes is not None:
            right = event is not None and event.end - event.start == dt.timedelta(
                minutes=wanted.minutes)
            found["length"] = right, right
        if wanted.location is not None:
            found["place"] = self._place(wanted.location, event)
        if wanted.attendees is not None:
            found["attendees"] = self._attendees(wanted, event)
        return found

    def _title(self, name: str, event: Event | None) -> tuple[bool, bool]:
        if event is None:
            return False, False
        exact = plain(event.name) == plain(name)
        # The human agent misheard some titles; what the user said is right too.
        misheard = f" {plain(name)} " not in self.names and f" {plain(event.name)} " in self.names
        return exact, exact or misheard

    def _place(self, room: str, event: Event | None) -> tuple[bool, bool]:
        if event is None:
            return False, False
        exact = event.location == room
        chosen = self.kb.rooms.get(event.location or "")
        named = f" {plain(self.kb.rooms[room].name)} " in self.names or " office " in self.names
        return exact, exact or (not named and chosen is not None and chosen.bookable)

    def _attendees(self, wanted: AnnotatedEvent, event: Event | None) -> tuple[bool, bool]:
        if event is None:
            return False, False
        there = set(event.participants()) - {self.speaker}
        if wanted.existing is not None:
            there -= set(wanted.existing.participants())
        people = wanted.attendees or set()
        named = {each for each in people if self._named(each)}
        left = sorted(str(self.kb.people[each].group) for each in people - named)
        chosen = sorted(str(self.kb.people[each].group) for each in there - named)
        return there == people, named <= there and left == chosen

    def _named(self, person: str) -> bool:
        return any(f" {plain(part)} " in self.names
                   for part in self.kb.people[person].name.split())
