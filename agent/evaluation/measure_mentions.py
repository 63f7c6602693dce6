"""How well mentions are found: precision, recall and F1 against annotated utterances.

A mention counts as found exactly when one of ours has its first and last character, and as found
in part when one of ours overlaps it. Each of ours counts for one mention. Not every mention of an
entity is annotated in GraphWOZ: precision is a lower bound.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from frontdesk.agent.evaluation.gold_mentions import NEW_EVENT, SPEAKER, locate
from frontdesk.agent.evaluation.measure_linking import LEAST_SURE
from frontdesk.data.datasets.entity_annotations import EntityAnnotation
from frontdesk.data.datasets.graphwoz import Dialogue
from frontdesk.kg.english import lexicon
from frontdesk.kg.english.words import clean, singular, split_words
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.mentions import Mention, MentionKind
from frontdesk.kg.graph.schema import TYPE_NOUNS
from frontdesk.kg.models.mention_tags import MentionType, TaggedSpan

#: What GraphWOZ annotates; times and attributes it does not.
REFERRING = frozenset(MentionType) - {MentionType.TIME, MentionType.DATE, MentionType.DURATION,
                                      MentionType.ATTRIBUTE}
_OF_KIND = {MentionKind.PRONOUN: MentionType.PRONOUN, MentionKind.DEFINITE: MentionType.DEFINITE}


#: Finds mentions in an utterance, given the zone-aware present.
SpanFinder = Callable[[str, dt.datetime], Sequence[TaggedSpan]]


@dataclass(frozen=True)
class FoundMentions:
    """Counts of mentions.

    Args:
        annotated: Mentions that are annotated.
        own: Mentions of ours.
        exact: Those that are the same.
        partial: Those that overlap, the same ones among them.
    """

    annotated: int = 0
    own: int = 0
    exact: int = 0
    partial: int = 0

    def __add__(self, other: FoundMentions) -> FoundMentions:
        return FoundMentions(self.annotated + other.annotated, self.own + other.own,
                             self.exact + other.exact, self.partial + other.partial)

    def figures(self) -> dict[str, float | int | None]:
        """``precision``, ``recall``, ``f1`` of exact mentions; with ``_partial`` of partial ones.

        Each in [0, 1]; None where there is nothing to count.
        """
        found: dict[str, float | int | None] = {"annotated": self.annotated, "own": self.own}
        for ending, right in (("", self.exact), ("_partial", self.partial)):
            found |= {f"precision{ending}": _share(right, self.own),
                      f"recall{ending}": _share(right, self.annotated),
                      f"f1{ending}": _share(2 * right, self.own + self.annotated)}
        return found


def compare_mentions(annotated: Sequence[TaggedSpan], own: Sequence[TaggedSpan],
                     kind: MentionType | None = None) -> FoundMentions:
    """Compare the mentions of an utterance.

    Args:
        annotated: As they should be.
        own: As they were found.
        kind: Only mentions of this type on both sides; all, whatever their types, by default.
    """
    wanted = [each for each in annotated if kind in (None, each.type)]
    left = [each for each in own if kind in (None, each.type)]
    count, exact, partial = len(left), 0, 0
    for same in (True, False):
        missed = []
        for span in wanted:
            shared = [(min(span.end, each.end) - max(span.start, each.start), -index)
                      for index, each in enumerate(left)
                      if not same or (each.start, each.end) == (span.start, span.end)]
            most, place = max(shared, default=(0, 0))
            if most <= 0:
                missed.append(span)
                continue
            left.pop(-place)
            exact += same
            partial += 1
        wanted = missed
    return FoundMentions(sum(kind in (None, each.type) for each in annotated), count, exact,
                         partial)


def annotated_spans(annotations: Iterable[EntityAnnotation], text: str,
                    kb: KnowledgeBase) -> list[TaggedSpan]:
    """The annotated mentions that stand in an utterance, in the order of the annotation.

    Left out are names of entities that the knowledge base does not have, whose type is not known,
    and "I" and its like, which are annotated in few of the places where they stand.
    """
    found: dict[tuple[int, int], TaggedSpan] = {}
    for each in annotations:
        start, end = locate(each.text, text)
        kind = _type_of(each, text[start:end], kb) if 0 <= start < end else None
        if kind is not None:
            found.setdefault((start, end), TaggedSpan(start, end, kind, 1.0))
    return list(found.values())


def _type_of(annotation: EntityAnnotation, said: str, kb: KnowledgeBase) -> MentionType | None:
    words = [word.text for word in split_words(said)]
    if all(word in lexicon.FIRST_PERSON for word in words):
        return None
    if all(word in lexicon.PRONOUNS or word in ("this", "that") for word in words):
        return MentionType.PRONOUN
    if words[0] in lexicon.DEFINITE and all(
            word in lexicon.COMMON_WORDS or singular(word) in TYPE_NOUNS for word in words[1:]):
        return MentionType.DEFINITE
    if annotation.entity == SPEAKER:
        return MentionType.SPEAKER
    if annotation.entity == NEW_EVENT:
        return MentionType.EVENT
    if annotation.candidates:
        return MentionType(kb.entity(annotation.candidates[0]).type.value)
    return None


def found_mentions(dialogues: Iterable[Dialogue], finder: Callable[[Dialogue], SpanFinder], *,
                   heard: bool) -> dict[str, FoundMentions]:
    """Count what is found in the user's turns: ``all`` of it, and by type.

    Args:
        dialogues: Annotated ones.
        finder: Gives what finds mentions in the utterances of a dialogue.
        heard: Read the speech recogniser's best hypotheses, not what was really said.
    """
    counts = {name: FoundMentions() for name in ("all", *map(str, MentionType))}
    for dialogue in dialogues:
        kb = dialogue.knowledge_base
        find = finder(dialogue)
        for turn in dialogue.turns:
            text = turn.transcription
            if heard and turn.hypotheses:
                text = turn.hypotheses[0].text
            text = clean(text)
            listed = turn.asr_entities if heard and turn.asr_entities else turn.entities
            right = annotated_spans(listed, text, kb)
            own = [each for each in find(text, turn.started.astimezone(kb.timezone))
                   if each.type in REFERRING]
            counts["all"] += compare_mentions(right, own)
            for kind in MentionType:
                counts[kind] += compare_mentions(right, own, kind)
    return {name: each for name, each in counts.items() if each.annotated or each.own}


def detected_spans(mentions: Iterable[Mention]) -> list[TaggedSpan]:
    """The names, pronouns and definite noun phrases of an observation.

    A name without a type is taken for a person's.
    """
    spans = []
    for each in mentions:
        kind = _OF_KIND.get(each.kind)
        if each.kind is MentionKind.NAME:
            kind = MentionType.SPEAKER if each.introduces_speaker else MentionType(
                min(each.types, default="person"))
        if kind is not None and each.probability >= LEAST_SURE:
            spans.append(TaggedSpan(each.start, each.end, kind, each.probability))
    return spans


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
