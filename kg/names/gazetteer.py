"""Mention detection by a gazetteer over the knowledge base, with fuzzy matching.

It finds names (also misspelt, misheard or in part), names of things that nobody knows, pronouns,
definite and indefinite noun phrases, relations ("her office"), first-person references and times.
A trained tagger may help it.
"""

from __future__ import annotations

import copy
import datetime as dt
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Protocol

from frontdesk.kg.english import lexicon
from frontdesk.kg.english.vocabulary import unexplained
from frontdesk.kg.english.words import clean, singular, split_words
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.mentions import DialogueAct, Mention, MentionKind, Observation
from frontdesk.kg.graph.schema import ORGANISATION, TYPE_NOUNS, ArgumentType, Schema
from frontdesk.kg.models.mention_tags import MentionType, TaggedSpan
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


class Tagger(Protocol):
    """Finds mentions by how they are spoken of; see :mod:`frontdesk.kg.models.mention_tagger`."""

    def tag(self, text: str) -> list[TaggedSpan]:
        """The mentions in a text of any content, in order, none overlapping."""
        ...


class GazetteerDetector:
    """Finds mentions by looking up the names of a knowledge base.

    Args:
        kb: Whose names are looked up.
        schema: The predicates that can be asked for.
        tagger: Helps with what is not looked up; see :mod:`frontdesk.kg.names.gazetteer`.
    """

    def __init__(self, kb: KnowledgeBase, schema: Schema = ORGANISATION,
                 tagger: Tagger | None = None) -> None:
        self.kb, self.schema, self.tagger = kb, schema, tagger
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
        times, unread = self._times(text, now, focus, known)
        found.add_all(times)
        found.add_all(introductions(text, found.overlaps))
        found.add_all(called_names(text))
        found.add_all(numbered_rooms(text))
        found.add_all(noun_phrases(text))
        found.add_all(capitalised_names(text))
        found.add_all(pronouns(text))
        mentions = found.sorted()
        if self.tagger is not None:
            mentions = with_tagged(text, mentions, known, self.tagger.tag(text), self.index)
        mentions = with_relations(text, mentions)
        if len(mentions) > MOST_MENTIONS:
            kept = _first_mentions(mentions)
            notes.append(f"only the first {len(kept)} of {len(mentions)} mentions were read")
            mentions = kept
        mentions = mark_introductions(text, mentions)
        acts = lexicon.dialogue_acts(text)
        if any(mention.introduces_speaker for mention in mentions):
            acts |= {DialogueAct.INTRODUCE}
        return Observation(text=text, mentions=tuple(mentions), acts=acts,
                           polar=lexicon.is_polar(text), asks=lexicon.asks(text),
                           unexplained=unexplained(text, _explaining(mentions, known), self.schema),
                           unread_time=unread, notes=tuple(notes), schema=self.schema)

    def without_tagger(self) -> GazetteerDetector:
        """The same without the tagger, which is trained on what users say; the index is shared."""
        plain = copy.copy(self)
        plain.tagger = None
        return plain

    @staticmethod
    def _times(text: str, now: dt.datetime, focus: Sequence[dt.date],
               names: Iterable[Mention]) -> tuple[list[Mention], str]:
        """Time expressions, those inside a name left out, and words of a time not read."""
        masked = lexicon.GREETING_BY_TIME.sub(lambda match: "_" * len(match[0]), text)
        for name in names:
            masked = masked[:name.start] + "_" * (name.end - name.start) + masked[name.end:]
        found = find_times(masked, now=now, focus=focus)
        return [Mention(text[each.start:each.end], each.start, each.end, MentionKind.TIME,
                        window=each.window) for each in found.mentions], found.unread


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


def _explaining(mentions: Iterable[Mention], known: Sequence[Mention]) -> list[Mention]:
    """Mentions by what they are linked by: of "justin custom" it may be "justin" alone."""
    return [next((each for each in known if each.start < mention.end and mention.start < each.end),
                 mention) for mention in mentions]


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


_POSSESSIVE = re.compile(r"\w['’]s?\s")
#: How sure the tagger must be of the bounds of a name, and of a definite noun phrase.
SURE_OF_BOUNDS, SURE_OF_DEFINITE = 0.5, 0.7
#: What a definite noun phrase may stand with for something said before, whatever it is.
_ANAPHORIC = frozenset({"one", "ones", "other", "others", "same", "first", "second", "third",
                        "last", "two", "both", "members", "attendees", "participants", "guys"})
_NAMES = {MentionType.PERSON: ArgumentType.PERSON, MentionType.SPEAKER: ArgumentType.PERSON,
          MentionType.EVENT: ArgumentType.EVENT, MentionType.ROOM: ArgumentType.ROOM,
          MentionType.GROUP: ArgumentType.GROUP}
#: Nouns that go with a name without naming: "the Zeta conference room".
_BESIDE = {ArgumentType.ROOM: frozenset({"room", "office", "conference", "meeting", "number"}),
           ArgumentType.GROUP: frozenset({"group", "team", "department", "research"})}


def with_tagged(text: str, mentions: Sequence[Mention], known: Sequence[Mention],
                spans: Sequence[TaggedSpan], index: NameIndex) -> list[Mention]:
    """The mentions of both, in order, none overlapping.

    Args:
        text: The utterance.
        mentions: Found by the rules, none overlapping, without relations.
        known: Those of them that are like known names.
        spans: Found by the tagger, none overlapping.
        index: The names that are known.
    """
    kept = list(mentions)
    for span in spans:
        beside = [each for each in kept if _overlap(each, span)]
        if span.type in _NAMES:
            found = _name(text, span, beside, known, index)
        elif span.type is MentionType.DEFINITE and not beside:
            found = _definite(text, span)
        else:
            found = None
        if found is not None:
            kept = [*(each for each in kept if each not in beside), found]
    return sorted(kept, key=lambda each: each.start)


def _name(text: str, span: TaggedSpan, beside: Sequence[Mention], known: Sequence[Mention],
          index: NameIndex) -> Mention | None:
    """The name that the tagger found; None where what the rules found in its place is better."""
    names = [each for each in beside if each.kind is MentionKind.NAME]
    if not names or span.probability < SURE_OF_BOUNDS or any(
            _stays(each, span, known, index) for each in beside):
        return None
    said = text[span.start:span.end]
    if _POSSESSIVE.search(said):
        return None  # "Jo's office" is a name and what belongs to it
    alike = [each for each in names if each in known]
    if alike:
        # Two known names in one stretch are two, whatever the tagger thinks.
        return replace(alike[0], text=said, start=span.start, end=span.end,
                       query=alike[0].name) if len(alike) == 1 else None
    return Mention(said, span.start, span.end, MentionKind.NAME,
                   types=frozenset().union(*(each.types for each in names)),
                   query=_naming(said, _NAMES[span.type]))


def _stays(mention: Mention, span: TaggedSpan, known: Sequence[Mention],
           index: NameIndex) -> bool:
    """Whether a mention of the rules stays as it is although the tagger has another one there."""
    within = span.start <= mention.start and mention.end <= span.end
    if mention.kind is MentionKind.NAME:
        words = tuple(word.text for word in split_words(mention.name))
        return mention in known and (not within or bool(index.entries_named(words)))
    return mention.kind not in (MentionKind.DEFINITE, MentionKind.TYPE) or not within


def _naming(said: str, kind: ArgumentType) -> str:
    """The words of a name without the nouns beside it; nothing where no others are left."""
    words = split_words(said)
    nouns = _BESIDE.get(kind, frozenset())
    while words and singular(words[-1].text) in nouns:
        words.pop()
    while words and words[0].text in nouns:
        words.pop(0)
    return said[words[0].start:words[-1].end] if words else ""


def _definite(text: str, span: TaggedSpan) -> Mention | None:
    """A definite noun phrase that the rules do not know: "those six members".

    "The lift" is none: it is no kind of thing that is known, so nothing that was spoken of.
    """
    said = text[span.start:span.end]
    noun = split_words(said)[-1].text
    head = TYPE_NOUNS.get(singular(noun))
    if span.probability < SURE_OF_DEFINITE or not (head or noun in _ANAPHORIC):
        return None
    return Mention(said, span.start, span.end, MentionKind.DEFINITE,
                   types=frozenset({head} if head else ()))


def _overlap(mention: Mention, span: TaggedSpan) -> bool:
    return mention.start < span.end and span.start < mention.end
