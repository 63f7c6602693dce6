"""What the knowledge base has instead of what a reply says of an event or a person."""

from __future__ import annotations

import re
from collections.abc import Iterator

from frontdesk.generation.answers.reply_sentence import JOINED, Sentence
from frontdesk.generation.voice.negation import is_denied_directly
from frontdesk.kg.graph.entities import Entity, Event, Group, Person, Room
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.mentions import Mention

#: Before a room that is said to be somebody's office, and a group said to be somebody's.
_OFFICE = re.compile(r"\boffice\W+(?:is|in|at)\b(?:\W+(?:is|in|at|room))*\W*$", re.IGNORECASE)
_MEMBER = re.compile(r"\b(?:member of|works? in|works? for|belongs? to|part of|is in|from)\W+"
                     r"(?:the\W+)?$", re.IGNORECASE)
#: Before a group that is said to hold an event.
_HELD = re.compile(r"\b(?:held|organi[sz]ed|hosted|run) by\W+(?:the\W+)?$|"
                   r"\bbelongs? to\W+(?:the\W+)?$", re.IGNORECASE)
_ORGANISES = re.compile(r"\b(?:organi[sz]|host|led\b|leads?\b|r[ua]ns?\b|chair(?:s|ed)?\b|"
                        r"head(?:s|ed)\b|in charge\b|responsible\b|arranged by\b|set up by\b)",
                        re.IGNORECASE)
_ATTENDS = re.compile(r"\W*(?:is|are|will|also)?\W*(?:attend|join|go|come|coming|take part)",
                      re.IGNORECASE)


class Contradictions:
    """Finds what contradicts a name in a sentence.

    Args:
        kb: What is so.
    """

    def __init__(self, kb: KnowledgeBase) -> None:
        self.kb = kb

    def of_event(self, mention: Mention, ids: set[str], said: Sentence) -> tuple[str, bool]:
        """What the calendar has instead, when an entity is said of an event that has another.

        Returns:
            It in words, empty when nothing contradicts; whether the sentence names the event, which
            otherwise is only what it is most probably about.
        """
        events, named = said.event_of(mention)
        if len(events) != 1 or ids & events or next(iter(events)) not in self.kb.events:
            return "", named
        event = self.kb.events[next(iter(events))]
        entity = self.kb.entity(min(ids))
        denied = is_denied_directly(said.text, mention.start)
        if isinstance(entity, Room) and event.location:
            # "Not in Alpha" is wrong of what is there, "in Alpha" of what is not.
            wrong = denied == bool(ids.intersection(event.rooms))
            return (f"{event.name} is in {self.kb.rooms[event.location].name}" if wrong else "",
                    named)
        if isinstance(entity, Group) and event.group and _HELD.search(said.text[:mention.start]):
            wrong = denied == (event.group in ids)
            return (f"{event.name} is held by {self.kb.groups[event.group].name}" if wrong else "",
                    named)
        if isinstance(entity, Person) and event.participants():
            return self._of_participant(entity, event, ids, said, mention, denied=denied), named
        return "", named

    def _of_participant(self, entity: Entity, event: Event, ids: set[str], said: Sentence,
                        mention: Mention, *, denied: bool) -> str:
        before, behind = said.words_around(mention)
        organises = (_ORGANISES.search(before) or _ORGANISES.search(behind)) \
            and not _ATTENDS.match(behind)
        if organises and event.organizer and denied == (event.organizer in ids):
            return f"{event.name} is organised by {self.kb.people[event.organizer].name}"
        if not denied and not ids & set(event.participants()):
            return f"{entity.name} has no part in {event.name}"
        return ""

    def other_value(self, mention: Mention, ids: set[str], said: Sentence) -> str:
        """The office or group that a person has instead of the one that is said to be theirs."""
        before = said.text[:mention.start]
        for owners in self._people_before(mention, said):
            for pattern, values in ((_OFFICE, [each.office for each in owners]),
                                    (_MEMBER, [each.group for each in owners])):
                kinds = {self.kb.entity(each).type for each in values if each}
                if pattern.search(before) and all(values) and ids.isdisjoint(values) \
                        and kinds == {self.kb.entity(each).type for each in ids}:
                    owner, value = owners[0], self.kb.entity(values[0] or "")
                    return f"the {'office' if pattern is _OFFICE else 'group'} of {owner.name} " \
                           f"is {value.name}"
        return ""

    def _people_before(self, mention: Mention, said: Sentence) -> Iterator[list[Person]]:
        """The people that each of the joined names before a mention can mean.

        Without a name before it, whom it all is about.
        """
        names = [(each, ids) for each, ids in said.named if each.start < mention.start]
        for number, (name, ids) in enumerate(reversed(names)):
            behind = said.text[name.end:names[-number][0].start] if number else ""
            if number and not JOINED.fullmatch(behind):
                return
            yield [self.kb.people[each] for each in sorted(ids) if each in self.kb.people]
        if not names:
            yield [self.kb.people[each] for each in sorted(said.topic) if each in self.kb.people]
