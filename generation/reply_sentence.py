"""Sentences of replies as the graph check reads them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from frontdesk.kg.mentions import Mention
from frontdesk.kg.schema import TYPE_NOUNS, ArgumentType
from frontdesk.kg.words import singular

_LEADING = re.compile(
    r"^(?:(?:it|them|that|the|an?|your|my|some|something|like|called|named|found|find|see|"
    r"add(?:ed)?|book(?:ed)?|reserved?|created?|(?:re)?scheduled?|cancel(?:l?ed)?|moved?|"
    r"\d+|one|two|three|four|five|six|several)\b\W*)+(?=\w)", re.IGNORECASE)
_CONTRACTION = re.compile(r"['’](?:d|ll|ve|re|m)$", re.IGNORECASE)


@dataclass(frozen=True)
class Sentence:
    """A sentence of a reply as it was read.

    Args:
        text: Its words.
        named: What it names, with the ids that each name can mean.
        subject: Ids of what it is about.
        arranges: It tells of something done that gives an event a new time, place or people.
    """

    text: str
    named: Sequence[tuple[Mention, set[str]]]
    subject: set[str]
    arranges: bool

    def event_before(self, mention: Mention) -> tuple[set[str], str]:
        """The event named last before a mention, and the words between.

        "The review is at 9, the workshop at 10": 10 goes with the workshop. Without one, what
        the sentence is about.
        """
        for name, ids in reversed(self.named):
            if name.end <= mention.start and ArgumentType.EVENT in name.types:
                return ids, self.text[name.end:mention.start]
        return self.subject, ""


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
