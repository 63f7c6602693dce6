"""Mention detection for a domain that is nothing but a schema: its names, pronouns and types."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from frontdesk.kg.english import lexicon
from frontdesk.kg.english.cues import with_cues
from frontdesk.kg.english.words import clean
from frontdesk.kg.graph.fact_base import FactBase
from frontdesk.kg.graph.mentions import Mention, MentionKind, Observation
from frontdesk.kg.graph.schema import Schema
from frontdesk.kg.names.gazetteer import LONGEST_UTTERANCE, MOST_MENTIONS
from frontdesk.kg.names.known_names import KnownNames
from frontdesk.kg.names.name_index import NameIndex
from frontdesk.kg.names.unknown_names import capitalised_names

_PRONOUN = re.compile(r"\b(?:it|its|they|them|their|she|her|he|him|his)\b(?!['’]s\b)",
                      re.IGNORECASE)


class SchemaDetector:
    """Finds the names of a fact base, pronouns, and the types of its schema ("that book")."""

    def __init__(self, base: FactBase, schema: Schema) -> None:
        self.base, self.schema = base, schema
        self.index = NameIndex(base)
        self._known = KnownNames(self.index)
        self._things = base.types - schema.value_types
        types = "|".join(sorted(re.escape(each) for each in base.types))
        self._type = re.compile(
            r"\b(?:the|this|that|these|those)\s+"
            rf"(?P<type>{types})s?\b(?! (?:called|named))", re.IGNORECASE)

    def detect(self, text: str, *, now: dt.datetime,
               focus: Sequence[dt.date] = ()) -> Observation:
        """See :class:`frontdesk.kg.graph.mentions.MentionDetector`; times are not read."""
        text = clean(text)
        notes = [] if len(text) <= LONGEST_UTTERANCE else [
            f"only the first {LONGEST_UTTERANCE} of {len(text)} characters were read"]
        text = text[:LONGEST_UTTERANCE]
        found: list[Mention] = []
        for mentions in (self._known.find(text), self._types(text), capitalised_names(text),
                         self._pronouns(text)):
            found += [each for each in mentions if not any(
                each.start < other.end and other.start < each.end for other in found)]
        found.sort(key=lambda each: each.start)
        observation = with_cues(Observation(
            text=text, mentions=tuple(found[:MOST_MENTIONS]), acts=lexicon.dialogue_acts(text),
            asks=True, notes=tuple(notes)), self.schema)
        return replace(observation, polar=any(
            self.schema[name].polarity for name in observation.asked.predicates))

    def _types(self, text: str) -> Iterable[Mention]:
        for match in self._type.finditer(text):
            kind = next(each for each in self.base.types if each == match["type"].lower())
            yield Mention(match.group(), *match.span(), MentionKind.DEFINITE,
                          types=frozenset({kind}))

    def _pronouns(self, text: str) -> Iterable[Mention]:
        for match in _PRONOUN.finditer(text):
            yield Mention(match.group(), *match.span(), MentionKind.PRONOUN, types=self._things)
