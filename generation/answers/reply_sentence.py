"""Sentences of replies as the graph check reads them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from frontdesk.kg.english.words import singular
from frontdesk.kg.graph.mentions import Mention
from frontdesk.kg.graph.schema import TYPE_NOUNS, ArgumentType

#: A sentence with the marks that end it.
SENTENCE = re.compile(r"[^.?!]+(?:[.?!](?=\S)[^.?!]*)*[.?!]*")
_LEADING = re.compile(
    r"^(?:(?:it|them|that|the|an?|your|my|some|something|like|called|named|found|find|see|"
    r"add(?:ed)?|book(?:ed)?|reserved?|created?|(?:re)?scheduled?|cancel(?:l?ed)?|moved?|"
    r"\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|several|"
    r"dozen|half a|couple of|up)\b\W*)+(?=\w)",
    re.IGNORECASE)
_CONTRACTION = re.compile(r"['’](?:d|ll|ve|re|m)$", re.IGNORECASE)


#: What stands for something spoken of before; words for people; and what may begin a sentence
#: before its subject.
_IT = re.compile(r"\b(?:it|its|this|that)\b", re.IGNORECASE)
_ANYBODY = re.compile(r"\b(?:he|she|they|you|I|we|have|has)\b", re.IGNORECASE)
#: Somebody of whom it is said that they are or have something.
_SOMEBODY = re.compile(r"\b(?:he|she|they|you)(?:['’](?:s|re)\b|"
                       r"\W+(?:is|are|was|were|has|have|will)\b)", re.IGNORECASE)
_FIRST_WORDS = re.compile(r"\W*(?:(?:yes|no|sure|sorry|hello|hi|well|and|also|but|the|"
                          r"then|room)\b\W*)*", re.IGNORECASE)
#: Between a room and the event in it at which somebody is: "in Beta on the 1st floor, at the talk".
_AT_EVENT = re.compile(r"(?:\W*on the \w+ floor)?\W*at (?:the\W+)?", re.IGNORECASE)
#: Between names that the same is said of.
JOINED = re.compile(r"\W*+(?:(?:and|or|nor)\b)?+\W*+(?:the\b)?+\W*+", re.IGNORECASE)
#: Between what is named and the event that it is said of: "Ines runs the review", "Alpha hosts it".
_SAID_OF_EVENT = re.compile(r"\W*(?:(?:is|are|will|also|now|be|only)\W+){0,3}(?:organi[sz]|host|"
                            r"leads?\b|runs?\b|chair|heads?\b|in charge|responsible|attend|join|"
                            r"where\b|invited to|part of)", re.IGNORECASE)


@dataclass(frozen=True)
class Sentence:
    """A sentence of a reply as it was read.

    Args:
        named: What it names, with the ids that each name can mean.
        topic: Ids of what the facts in use are about, which pronouns mean.
        arranges: It tells of something done or proposed that gives an event a new time, place or
            people.
        people: Ids of those whom the facts in use are about, which "she" and "you" mean.
    """

    text: str
    named: Sequence[tuple[Mention, set[str]]]
    topic: set[str]
    arranges: bool
    people: frozenset[str] = frozenset()

    @property
    def subject(self) -> set[str]:
        """Ids of what it is about: what it names first, else the topic; whom a pronoun before that
        means."""
        start, first = next(((mention.start, ids) for mention, ids in self.named if ids),
                            (len(self.text), self.topic))
        return set(self.people) if self.people and self.names_somebody(0, start) else first

    def names_somebody(self, start: int, end: int) -> bool:
        """Whether a stretch of it says something of people by a pronoun."""
        return _SOMEBODY.search(self.text, start, end) is not None

    @property
    def says_it(self) -> bool:
        """Whether it has a pronoun for a thing, which means the topic."""
        return _IT.search(self.text) is not None

    def is_about_topic(self) -> bool:
        """Whether it names no event, and is about what "it" or nothing at all stands for."""
        if any(ArgumentType.EVENT in mention.types for mention, _ in self.named):
            return False
        if self.says_it:
            return True
        first = next((mention for mention, ids in self.named if ids), None)
        return _ANYBODY.search(self.text) is None and (
            first is None or _FIRST_WORDS.fullmatch(self.text[:first.start]) is None)

    def names_event_before(self, mention: Mention) -> bool:
        """Whether an event is named before a mention."""
        return any(name.end <= mention.start and ArgumentType.EVENT in name.types
                   for name, _ in self.named)

    def event_before(self, mention: Mention) -> tuple[set[str], str]:
        """The event named last before a mention, and the words between.

        "The review is at 9, the workshop at 10": 10 goes with the workshop. Without one, what
        the sentence is about.
        """
        for name, ids in reversed(self.named):
            if name.end <= mention.start and ArgumentType.EVENT in name.types:
                return ids, self.text[name.end:mention.start]
        return self.subject, ""

    def event_of(self, mention: Mention) -> tuple[set[str], bool]:
        """The event that a named room, person or group is said of, and whether it is named.

        It is the one named last before; or the next one, as in "Ines runs the review"; or else the
        topic.
        """
        before = [ids for name, ids in self.named
                  if name.end <= mention.start and ArgumentType.EVENT in name.types]
        behind = self.words_around(mention)[1]
        after = [ids for name, ids in self.named
                 if name.start >= mention.end and ArgumentType.EVENT in name.types]
        if after and _AT_EVENT.fullmatch(behind):
            return after[0], True
        if before:
            return before[-1], True
        if after:
            return (after[0] if _SAID_OF_EVENT.match(behind) else set()), True
        own = _FIRST_WORDS.fullmatch(self.text[:mention.start]) and not (
            _SAID_OF_EVENT.match(behind) and _IT.search(behind))
        return (self.topic if self.is_about_topic() and not own else set()), False

    def words_around(self, mention: Mention) -> tuple[str, str]:
        """The words between a name and the ones around it, past those that are joined with it.

        "Organised by Ines and Tomas": "organised by" goes with Tomas too.
        """
        bounds = [(0, 0), *((name.start, name.end) for name, _ in self.named),
                  (len(self.text), len(self.text))]
        place = bounds.index((mention.start, mention.end))
        first = last = place
        while first > 1 and JOINED.fullmatch(self.text[bounds[first - 1][1]:bounds[first][0]]):
            first -= 1
        while last < len(bounds) - 2 and JOINED.fullmatch(
                self.text[bounds[last][1]:bounds[last + 1][0]]):
            last += 1
        return (self.text[bounds[first - 1][1]:bounds[first][0]],
                self.text[bounds[last][1]:bounds[last + 1][0]])


def bare_name(name: str) -> str:
    """A name without what only looks like a part of it; empty when nothing is left.

    Names that nobody knows are read as from what users say; "I found two events" names none.
    """
    bare = _LEADING.sub("", name).strip(" \"“”")
    words = bare.lower().split()
    return "" if _CONTRACTION.search(bare) or (
        len(words) == 1 and singular(words[0]) in TYPE_NOUNS) else bare


def masked(text: str, start: int, end: int) -> str:
    """A text without a stretch; what follows keeps its place, also where blanks are cleaned."""
    return text[:start] + "_" * (end - start) + text[end:]
