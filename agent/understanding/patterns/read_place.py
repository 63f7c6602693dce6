"""Where an event is to be."""

from __future__ import annotations

import re
from dataclasses import dataclass

from frontdesk.agent.understanding.patterns.readings import LIKELY, Said
from frontdesk.kg.graph.entities import Person, Room
from frontdesk.kg.graph.intents import Intent
from frontdesk.kg.graph.mentions import Mention, MentionKind
from frontdesk.kg.graph.pending_action import Slot

_KIND = r"(?:(?:meeting|conference) )?"
_NO_ROOM = re.compile(
    r"\b(?:don['’]?t|do not|needn['’]?t) need (?:one|any)\b|\b(?:no|without an?|don['’]?t need an?|"
    rf"do not need an?|not need an?|needn['’]?t an?) {_KIND}(?:room|location|place)\b",
    re.IGNORECASE)
_NOT_WITHOUT = re.compile(
    r"(?:\bnot|\bnever|(?:\bnot|n['’]t|\bnever) (?:want|book|have|do|make|schedule|need|like)"
    r"(?: (?:it|that|this|one))?) "
    rf"without an? {_KIND}(?:room|location|place)\b", re.IGNORECASE)
_ANY_ROOM = re.compile(
    r"\b(?:a|an|any|some|one|free|available|empty|suitable|whatever|whichever) "
    r"(?:[\w-]+ ){0,2}?(?:room|space)s?\b|\broom (?:that|which) is (?:free|available)\b|"
    r"\b(?:need|book|reserve|find|get|want) (?:me |us )?(?:a |an )?(?:room|place|location)\b",
    re.IGNORECASE)
_ROOM = re.compile(r"\b(?:room|place|location)s?\b", re.IGNORECASE)
_PLACE = re.compile(r"\b(?:in|at|to|into)\s+((?:the|my|our|a)\s+[\w' -]{2,40}?)\s*(?:[.,?!]|$)",
                    re.IGNORECASE)
_INDEFINITE = re.compile(r"\b(?:an?|any|some|another|one)\s+(?:[\w-]+\s+)?$", re.IGNORECASE)
_MY_OFFICE = re.compile(r"\bmy (?:own )?office\b", re.IGNORECASE)


@dataclass(frozen=True)
class Place:
    """Where an event is to be.

    Args:
        room: Id of the room; empty when none is named.
        unknown: Words for a place that is none of the organisation's.
        any_room: Any room will do.
        no_room: No room is wanted.
        own_office: The user's office, who is not known yet.
        avoided: Ids of rooms in which it is not to be.
    """

    room: str = ""
    unknown: str = ""
    any_room: bool = False
    no_room: bool = False
    own_office: bool = False
    avoided: tuple[str, ...] = ()


def wants_no_room(text: str) -> bool:
    """Whether an utterance says that no room is needed."""
    return _NO_ROOM.search(text) is not None and not _NOT_WITHOUT.search(text)


def without_room(text: str) -> str:
    """An utterance without the words that say that no room is needed."""
    return _NO_ROOM.sub(" ", text)


def read_place(said: Said, *, denies: bool, agrees: bool, leaves_open: bool) -> Place:
    """Where an utterance wants an event to be.

    Args:
        said: The utterance.
        denies: It says no.
        agrees: It says yes.
        leaves_open: It says that anything will do.
    """
    asked = said.asked == Slot.PLACE
    if wants_no_room(said.text) or (asked and denies):
        return Place(no_room=True)
    avoided: list[str] = []
    for each in reversed(said.current):
        if not each.links or said.introduces(each.mention) or each.mention.kind in (
                MentionKind.FIRST_PERSON, MentionKind.PRONOUN):
            continue
        if each.mention.kind is MentionKind.RELATION \
                and _INDEFINITE.search(said.text[:each.mention.start]):
            continue  # "a room for Ada" is not Ada's
        room = said.kb.entity(each.links[0].entity)
        if isinstance(room, Room) and said.is_excepted(each.mention):
            avoided.append(room.id)
        elif isinstance(room, Room) and each.links[0].probability > LIKELY \
                and not _tells_which(said, each.mention):
            return Place(room=room.id)
    if avoided:
        return Place(any_room=True, avoided=tuple(avoided))
    if _MY_OFFICE.search(said.text):
        if said.dialogue.user is None:
            return Place(own_office=True)
        person = said.kb.entity(said.dialogue.user)
        if isinstance(person, Person) and person.office:
            return Place(room=person.office)
    if _ANY_ROOM.search(said.text) or _NOT_WITHOUT.search(said.text) or (
            leaves_open and _ROOM.search(said.text)) or (asked and (leaves_open or agrees)):
        return Place(any_room=True)
    unknown = _PLACE.search(said.text) if asked else None
    return Place(unknown=unknown[1] if unknown else "")


def _tells_which(said: Said, mention: Mention) -> bool:
    """Whether a room tells which event is meant: "the meeting in Gorse"."""
    if said.is_in(mention, Intent.CANCEL_EVENT):
        return True
    before, after = said.text[:mention.start], said.text[mention.end:]
    return said.is_in(mention, Intent.MOVE_EVENT) and re.search(
        r"\b(?:from|in)\s+(?:the\s+)?$", before, re.IGNORECASE) is not None and re.search(
        r"\bto\b", after) is not None


