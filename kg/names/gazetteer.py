"""Mention detection by a gazetteer over the knowledge base, with fuzzy matching.

It finds names (also misspelt, misheard or in part), names of things that nobody knows, pronouns,
definite and indefinite noun phrases, relations ("her office"), first-person references and times.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence

from frontdesk.kg.english import lexicon
from frontdesk.kg.english.words import clean
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.mentions import DialogueAct, Mention, MentionKind, Observation
from frontdesk.kg.graph.schema import ORGANISATION, Schema
from frontdesk.kg.names.known_names import KnownNames
from frontdesk.kg.names.name_index import NameIndex
from frontdesk.kg.names.noun_phrases import noun_phrases, pronouns, with_relations
from frontdesk.kg.names.unknown_names import (
    called_names,
    capitalised_names,
    introductions,
    mark_introductions,
    numbered_rooms,
)
from frontdesk.kg.times.time_mentions import find_times

#: Longer utterances are cut: nobody says more in one turn, and matching takes time.
LONGEST_UTTERANCE = 2000
MOST_MENTIONS = 32
_MOST_TIMES = 4


class GazetteerDetector:
    """Finds mentions by looking up the names of a knowledge base."""

    def __init__(self, kb: KnowledgeBase, schema: Schema = ORGANISATION) -> None:
        self.kb, self.schema = kb, schema
        self.index = NameIndex(kb)
        self._known = KnownNames(self.index)

    def detect(self, text: str, *, now: dt.datetime,
               focus: Sequence[dt.date] = ()) -> Observation:
        """See :class:`frontdesk.kg.graph.mentions.MentionDetector`."""
        text = clean(text)
        notes = []
        if len(text) > LONGEST_UTTERANCE:
            notes.append(f"only the first {LONGEST_UTTERANCE} of {len(text)} characters were read")
            text = text[:LONGEST_UTTERANCE]
        found = _Cover()
        known = self._known.find(text)
        found.add_all(known)
        found.add_all(self._times(text, now, focus, known))
        found.add_all(introductions(text, found.overlaps))
        found.add_all(called_names(text))
        found.add_all(numbered_rooms(text))
        found.add_all(noun_phrases(text))
        found.add_all(capitalised_names(text))
        found.add_all(pronouns(text))
        mentions = with_relations(text, found.sorted())
        if len(mentions) > MOST_MENTIONS:
            kept = _first_mentions(mentions)
            notes.append(f"only the first {len(kept)} of {len(mentions)} mentions were read")
            mentions = kept
        mentions = mark_introductions(text, mentions)
        introduces = any(mention.introduces_speaker for mention in mentions)
        return Observation(text=text, mentions=tuple(mentions),
                           acts=frozenset({DialogueAct.INTRODUCE} if introduces else ()),
                           notes=tuple(notes), schema=self.schema)

    @staticmethod
    def _times(text: str, now: dt.datetime, focus: Sequence[dt.date],
               names: Iterable[Mention]) -> list[Mention]:
        """Time expressions, those inside a name left out."""
        masked = lexicon.GREETING_BY_TIME.sub(lambda match: "_" * len(match[0]), text)
        for name in names:
            masked = masked[:name.start] + "_" * (name.end - name.start) + masked[name.end:]
        found = find_times(masked, now=now, focus=focus)
        return [Mention(text[each.start:each.end], each.start, each.end, MentionKind.TIME,
                        window=each.window) for each in found]


class _Cover:
    """Mentions that do not overlap; the first to come keeps its place."""

    def __init__(self) -> None:
        self.mentions: list[Mention] = []

    def overlaps(self, start: int, end: int) -> bool:
        return any(start < each.end and each.start < end for each in self.mentions)

    def add_all(self, mentions: Iterable[Mention]) -> None:
        for mention in mentions:
            if not self.overlaps(mention.start, mention.end):
                self.mentions.append(mention)

    def sorted(self) -> list[Mention]:
        return sorted(self.mentions, key=lambda mention: mention.start)


def _first_mentions(mentions: list[Mention]) -> list[Mention]:
    """The first mentions, cut before a relation whose possessor would be missing.

    Of the others the first times stay: what is asked is asked of then.
    """
    times = [each for each in mentions[MOST_MENTIONS - _MOST_TIMES:]
             if each.kind is MentionKind.TIME][:_MOST_TIMES]
    end, cut = MOST_MENTIONS - len(times), -1
    while end != cut:
        cut = end
        end = next((index for index, mention in enumerate(mentions[:cut])
                    if mention.possessor is not None and mention.possessor >= cut), cut)
    return mentions[:end] + [each for each in times if each not in mentions[:end]]
