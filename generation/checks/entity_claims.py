"""Whether the names in a reply are of what the facts say them of."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from frontdesk.generation.answers.reply_sentence import JOINED, Sentence, bare_name
from frontdesk.generation.checks.claims import Claim, Support, Verdict, has_words
from frontdesk.generation.checks.reply_context import ReplyContext
from frontdesk.generation.voice.negation import is_denied, is_denied_directly
from frontdesk.kg.english.words import singular
from frontdesk.kg.graph.entities import Entity, Event, Group, Person, Room
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.mentions import Mention
from frontdesk.kg.graph.schema import TYPE_NOUNS, ArgumentType
from frontdesk.kg.names.gazetteer import GazetteerDetector
from frontdesk.kg.names.name_index import name_words

#: Right before the name of what is said not to be there.
_NOT_THERE = re.compile(r"\b(?:can(?:['’]t|not| not)|could(?:n['’]t| not)|did(?:n['’]t| not))"
                        r" find(?:\W+(?:any(?:one|body|thing)?|some(?:one|body)|the|an?|events?|"
                        r"meetings?|rooms?|persons?|people|groups?|named|called|with|name))*\W+$",
                        re.IGNORECASE)
#: Before the name of somebody who is said not to be there.
_NOT_FOUND = re.compile(r"\b(?:can(?:['’]t|not| not)|could(?:n['’]t| not)|did(?:n['’]t| not))"
                        r" find\b", re.IGNORECASE)
_PRESENCE = re.compile(r"\W*(?:is|are|sits?|works?|stays?|can be found|will be)\W+(?:\w+\W+)?"
                       r"(?:in|at)\b\W*(?:the)?\W*", re.IGNORECASE)


class EntityClaims:
    """Judges names.

    Args:
        detector: Has found the names; carries the knowledge base.
    """

    def __init__(self, detector: GazetteerDetector) -> None:
        self.kb, self._index = detector.kb, detector.index

    def ids(self, mention: Mention, context: ReplyContext) -> set[str]:
        """The entities that have the name that a mention gives, of people also a part of theirs."""
        found: set[str] = set()
        for name in dict.fromkeys((mention.name, bare_name(mention.name))):
            found = found or self._named(name) | {entity.id for entity in self.kb.named(name)}
        found = found or self._with_noun(mention.name)
        if found or ArgumentType.PERSON not in mention.types:
            return found
        words = set(name_words(mention.name.removesuffix("'s").removesuffix("’s")))
        return {each for each in (*context.support.entities, *context.spoken_of)
                if words and each in self.kb.people
                and words <= set(name_words(self.kb.people[each].name))}

    def _with_noun(self, name: str) -> set[str]:
        """What a name means that is followed by what it is: "the budget kick-off meeting"."""
        words = name.split()
        noun = TYPE_NOUNS.get(singular(words[-1].lower())) if len(words) > 1 else None
        if noun is None:
            return set()
        return {each for each in self._named(" ".join(words[:-1]))
                if self.kb.entity(each).type.value == noun.value}

    def claim(self, mention: Mention, ids: set[str], said: Sentence, earlier: set[str],
              context: ReplyContext) -> Claim | None:
        """Whether the facts in use connect a name with what it is said of.

        Args:
            earlier: Ids of what the sentence named before, or is about.

        Returns:
            None where the name claims nothing.
        """
        support = context.support
        if not ids and mention.types == {ArgumentType.PERSON} and mention.text.islower():
            return None  # an everyday word that is spelt somewhat like a name
        if not ids:
            name = bare_name(mention.name)
            known = {*support.entities, *context.spoken_of}
            if (not name or support.has_text(name) or has_words(context.said, name)
                    or (self._part_of_name(name, known) and not self._is_of_another_type(name))):
                return None
            looked_for = _NOT_FOUND.search(said.text[:mention.start])
            return Claim(mention.text, "not_found" if looked_for else "entity",
                         Verdict.UNSUPPORTED)
        if _NOT_THERE.search(said.text[:mention.start]):
            return Claim(mention.text, "not_found", Verdict.CONTRADICTED,
                         f"{self.kb.entity(min(ids)).name} is known")
        if not said.arranges:
            claim = self._contradicted(mention, ids, said)
            if claim is not None:
                return claim
        if context.spoken_of and not support.is_reached(ids, context.reach) \
                and not is_denied(said.text, mention.start):
            return Claim(mention.text, "entity", Verdict.UNSUPPORTED)
        if support.connects(ids, earlier) and not self._is_elsewhere(mention, ids, said, support):
            context.reach.update(ids)
            return Claim(mention.text, "entity", Verdict.SUPPORTED, support.evidence(ids))
        if ids.intersection(context.spoken_of):
            return Claim(mention.text, "entity", Verdict.SUPPORTED, "the user spoke of it")
        return Claim(mention.text, "entity", Verdict.UNSUPPORTED)

    def _contradicted(self, mention: Mention, ids: set[str], said: Sentence) -> Claim | None:
        """The claim that a name is contradicted; unsupported where it is not said of what."""
        contradictions = Contradictions(self.kb)
        against, certain = contradictions.of_event(mention, ids, said)
        other = contradictions.other_value(mention, ids, said)
        directly = is_denied_directly(said.text, mention.start)
        since = max((name.end for name, _ in said.named if name.end <= mention.start), default=0)
        if against and (directly or not is_denied(said.text, mention.start, since)):
            return Claim(mention.text, "entity", Verdict.CONTRADICTED if certain
                         else Verdict.UNSUPPORTED, against)
        if other and not is_denied(said.text, mention.start):
            return Claim(mention.text, "entity", Verdict.CONTRADICTED, other)
        return None

    def _is_elsewhere(self, mention: Mention, ids: set[str], said: Sentence,
                      support: Support) -> bool:
        """Whether somebody is said to be in a room and no fact in use has both."""
        rooms = {each for each in ids if isinstance(self.kb.entity(each), Room)}
        before = next(((name, found) for name, found in reversed(said.named)
                       if name.end <= mention.start), None)
        if not rooms or before is None or not any(each in self.kb.people for each in before[1]) \
                or not _PRESENCE.fullmatch(said.text[before[0].end:mention.start]):
            return False
        return not any(rooms & set(ranked.fact.entities()) and before[1] & set(
            ranked.fact.entities()) for ranked in support.used)

    def _part_of_name(self, text: str, entities: Collection[str]) -> bool:
        words = set(name_words(text))
        return any(words <= set(name_words(self.kb.entity(entity).name))
                   for entity in entities if entity in self.kb)

    def _is_of_another_type(self, name: str) -> bool:
        """Whether a name is followed by what it is not: "the Optics standup room"."""
        words = name.split()
        noun = TYPE_NOUNS.get(singular(words[-1].lower()))
        while noun is not None and len(words) > 1 and singular(words[-1].lower()) in TYPE_NOUNS:
            words.pop()
            entities = self._named(" ".join(words))
            if entities:
                return all(self.kb.entity(each).type.value != noun.value for each in entities)
        return False

    def _named(self, name: str) -> set[str]:
        entries = self._index.entries_named(tuple(name.lower().replace("-", " ").split()))
        return {entity for entry in entries for entity in entry.entities}

    def strangers(self, named: Sequence[tuple[Mention, set[str]]],
                   context: ReplyContext) -> Iterator[Claim]:
        """Whom or what an action is said to be about though the dialogue is about others.

        Where none of the kind was spoken of, or somebody of a group was wanted, one was free to
        choose.
        """
        for mention, ids in named:
            if self.is_stranger(ids, context):
                yield Claim(mention.text, "entity", Verdict.CONTRADICTED,
                            "the dialogue is about others")

    def is_stranger(self, ids: set[str], context: ReplyContext) -> bool:
        """Whether others of the same kind are spoken of, and no group that somebody is of."""
        spoken = [self.kb.entity(each) for each in context.spoken_of if each in self.kb]
        kinds, known = {each.type for each in spoken}, {each.id for each in spoken}
        meant = [self.kb.entity(each) for each in ids]
        return bool(meant) and ids.isdisjoint(known) and all(
            each.type in kinds and not (isinstance(each, Person) and each.group in known)
            for each in meant)


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
    """Finds what contradicts a name in a sentence."""

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
        if isinstance(entity, Person) and event.concerned():
            return self._of_participant(entity, event, ids, said, mention, denied=denied), named
        return "", named

    def _of_participant(self, entity: Entity, event: Event, ids: set[str], said: Sentence,
                        mention: Mention, *, denied: bool) -> str:
        before, behind = said.words_around(mention)
        organises = (_ORGANISES.search(before) or _ORGANISES.search(behind)) \
            and not _ATTENDS.match(behind)
        if organises and event.organizer and denied == (event.organizer in ids):
            return f"{event.name} is organised by {self.kb.people[event.organizer].name}"
        if not denied and not ids & set(event.concerned()):
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
