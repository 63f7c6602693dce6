"""Tasks in words, as people would be given them."""

from __future__ import annotations

from collections.abc import Sequence

from frontdesk.data.invented.visitors.visited_organisations import World
from frontdesk.data.invented.visitors.visitor_goals import (
    ANY_ROOM,
    Booking,
    Cancellation,
    Change,
    Conflict,
    Errand,
    LeftMessage,
    Question,
    Wish,
)
from frontdesk.kg.graph.entities import Person
from frontdesk.kg.graph.knowledge_base import KnowledgeBase


def describe(errands: Sequence[Errand], visitor: Person, world: World) -> str:
    """A task in words."""
    return " ".join([f"You are {visitor.name}.", *(_errand(each, world.kb) for each in errands)])


def _errand(errand: Errand, kb: KnowledgeBase) -> str:
    if isinstance(errand, Question):
        text = _question(errand, kb)
    elif isinstance(errand, Booking):
        text = _booking(errand, kb)
    elif isinstance(errand, Change):
        text = _change(errand, kb)
    elif isinstance(errand, Cancellation):
        names = _events(errand.events[:1], kb)
        text = f"Cancel all of the series {names}." if errand.series else f"Cancel {names}."
    else:
        text = _message(errand, kb)
    return f"{text} (It cannot be done: {errand.impossible}.)" if errand.impossible else text


def _question(errand: Question, kb: KnowledgeBase) -> str:
    about = kb.entity(errand.about).name if errand.about else ""
    words = " ".join(errand.words[name] for name in ("person", "group", "room", "day", "when")
                     if name in errand.words)
    return f"Find out: {errand.topic.replace('_', ' ')} {about} {words}".strip() + "."


def wish_text(wish: Wish, kb: KnowledgeBase) -> str:
    """What a meeting is to be like, in words."""
    parts = []
    if wish.title:
        parts.append(f'called "{wish.title}"')
    if wish.people:
        parts.append("with " + ", ".join(kb.people[each].name for each in wish.people))
    parts += [f"with {count} of {kb.groups[group].name}" for group, count in wish.members]
    if wish.start:
        parts.append(f"at {wish.start:%H:%M on %A %d %B}")
    elif wish.days:
        part = f" from {wish.earliest}:00 to {wish.latest}:00" if wish.earliest or \
            wish.latest < 24 else ""
        parts.append(f"on {wish.days[0]:%A %d %B}{part}")
    if wish.minutes:
        parts.append(f"for {wish.minutes} minutes")
    if wish.place:
        parts.append("in any meeting room" if wish.place == ANY_ROOM
                     else f"in {kb.rooms[wish.place].name}")
    return " ".join(parts)


def _booking(errand: Booking, kb: KnowledgeBase) -> str:
    text = f"Arrange a meeting {wish_text(errand.wish, kb)}"
    if errand.stranger:
        text += f" with {errand.stranger}"
    if errand.relative:
        text += f" ({errand.relative})"
    text += "."
    if errand.changes_mind and errand.second:
        text += f" Then want it {wish_text(errand.second, kb)}."
    if errand.conflict is Conflict.DROP:
        text += " If that cannot be, drop it."
    elif errand.second and errand.conflict:
        text += f" If that cannot be: {wish_text(errand.second, kb)}."
    return text


def _change(errand: Change, kb: KnowledgeBase) -> str:
    names = _events(errand.events, kb)
    if errand.add or errand.stranger:
        people = [*(kb.people[each].name for each in errand.add),
                  *([errand.stranger] if errand.stranger else [])]
        return f"Invite {', '.join(people)} to {names}."
    if errand.remove:
        return f"Take {', '.join(kb.people[each].name for each in errand.remove)} off {names}."
    return f"Have {names} {wish_text(errand.wish, kb)}."


def _message(errand: LeftMessage, kb: KnowledgeBase) -> str:
    name = errand.stranger or kb.people[errand.recipient].name
    return f"Leave a message for {name}: {errand.text}"


def _events(ids: Sequence[str], kb: KnowledgeBase) -> str:
    return ", ".join(f'"{kb.events[each].name}"' for each in ids)
