"""What the knowledge base has instead of what a reply says of an event or a person."""

from __future__ import annotations

import re
from collections.abc import Collection

from frontdesk.generation.reply_sentence import Sentence
from frontdesk.kg.entities import Person, Room
from frontdesk.kg.knowledge_base import KnowledgeBase
from frontdesk.kg.mentions import Mention
from frontdesk.kg.name_index import name_words

#: Before a room that is said to be somebody's office, and a group said to be somebody's.
_OFFICE = re.compile(r"\boffice\W+(?:is|in|at)\b(?:\W+(?:is|in|at|room))*\W*$", re.IGNORECASE)
_MEMBER = re.compile(r"\b(?:member of|works? in|works? for|belongs? to|part of|is in)\W+"
                     r"(?:the\W+)?$", re.IGNORECASE)


class Contradictions:
    """Finds what contradicts a name in a sentence.

    Args:
        kb: What is so.
        topic: Ids of what pronouns mean.
        known: Ids of the entities that a part of a name can mean.
    """

    def __init__(self, kb: KnowledgeBase, topic: Collection[str], known: Collection[str]) -> None:
        self.kb, self.topic, self.known = kb, topic, known

    def of_event(self, ids: set[str], subject: set[str], sentence: str) -> str:
        """What the calendar has instead, when an entity is said of an event that has another."""
        events = [self.kb.events[each] for each in subject if each in self.kb.events]
        if len(events) != 1 or ids & subject:
            return ""
        event = events[0]
        entity = self.kb.entity(next(iter(sorted(ids))))
        if isinstance(entity, Room) and event.location and event.location not in ids:
            return f"{event.name} is in {self.kb.rooms[event.location].name}"
        if isinstance(entity, Person) and event.participants():
            organises = re.search(r"\borgani[sz]|\bhost", sentence, re.IGNORECASE)
            if organises and event.organizer and event.organizer not in ids:
                return f"{event.name} is organised by {self.kb.people[event.organizer].name}"
            if not ids & set(event.participants()):
                return f"{entity.name} has no part in {event.name}"
        return ""

    def other_value(self, mention: Mention, ids: set[str], said: Sentence) -> str:
        """The office or group that a person has instead of the one that is said to be theirs."""
        before = said.text[:mention.start]
        owners = self._people_before(mention, said)
        for pattern, values in ((_OFFICE, [each.office for each in owners]),
                                (_MEMBER, [each.group for each in owners])):
            kinds = {self.kb.entity(each).type for each in values if each}
            if pattern.search(before) and all(values) and ids.isdisjoint(values) \
                    and kinds == {self.kb.entity(each).type for each in ids}:
                owner, value = owners[0], self.kb.entity(values[0] or "")
                return f"the {'office' if pattern is _OFFICE else 'group'} of {owner.name} " \
                       f"is {value.name}"
        return ""

    def _people_before(self, mention: Mention, said: Sentence) -> list[Person]:
        """The people that the last name before a mention can mean, else whom it all is about."""
        last = next(((each, ids) for each, ids in reversed(said.named)
                     if each.start < mention.start), None)
        if last is None:
            meant = self.topic
        else:
            words = set(name_words(last[0].name.removesuffix("'s").removesuffix("’s")))
            meant = last[1] or {
                each for each in self.known
                if each in self.kb.people and words <= set(name_words(self.kb.people[each].name))}
        return [self.kb.people[each] for each in sorted(meant) if each in self.kb.people]
