"""Annotated mentions: where they stand in an utterance, what they refer to, how they refer.

An annotation says ``words : entity``. The words are searched in the utterance, misspelt or in
another order where they must be, and the entity in the knowledge base. How the mention refers (by
name, by pronoun, ...) is what mention detection says of that place.
"""

from __future__ import annotations

import datetime as dt
import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from frontdesk.data.datasets.entity_annotations import EntityAnnotation
from frontdesk.kg.english import lexicon
from frontdesk.kg.graph.entities import Person
from frontdesk.kg.graph.knowledge_base import KnowledgeBase, normalise_name
from frontdesk.kg.graph.mentions import Mention, MentionDetector, MentionKind, Observation
from frontdesk.kg.graph.schema import TYPE_NOUNS
from frontdesk.kg.names.name_index import singular, split_words

#: Stands for whoever is speaking, and for an event that the dialogue is about to create.
SPEAKER, NEW_EVENT = "@speaker", "@newevent"
#: Words of an utterance that are at least so similar to an annotation's are the same mention.
_SIMILAR = 0.6
#: In shorter words one letter makes another word.
_SHORTEST_MISSPELT = 4
_REFERRING = (MentionKind.NAME, MentionKind.PRONOUN, MentionKind.DEFINITE, MentionKind.RELATION,
              MentionKind.FIRST_PERSON)


@dataclass(frozen=True)
class GoldMention:
    """An annotated mention.

    Args:
        text: Its words as they stand in the utterance; as annotated where they are not in it.
        start, end: Character offsets in the utterance, ``-1`` where the words are not in it.
        gold: Ids of the entities that are right; empty for one that cannot be scored.
        excluded: Why it cannot be scored; empty otherwise.
    """

    text: str
    start: int
    end: int
    gold: tuple[str, ...]
    excluded: str = ""


def gold_mentions(annotations: Iterable[EntityAnnotation], utterance: str,
                  kb: KnowledgeBase) -> list[GoldMention]:
    """The annotated mentions of an utterance in the order of the annotation.

    Annotations of the same words are one mention that refers to several entities ("them") or
    whose entity is annotated twice (``@speaker`` and the speaker's name).

    Args:
        utterance: As it was written down or recognised.
    """
    grouped: dict[str, list[EntityAnnotation]] = {}
    for annotation in annotations:
        grouped.setdefault(normalise_name(annotation.text), []).append(annotation)
    found = []
    for same in grouped.values():
        gold = tuple(dict.fromkeys(entity for annotation in same
                                   for entity in gold_entities(annotation, kb)))
        text = same[0].text
        start, end = locate(text, utterance)
        found.append(GoldMention(utterance[start:end] if start >= 0 else text, start, end, gold,
                                 "" if gold else _why_excluded(same)))
    return found


def gold_entities(annotation: EntityAnnotation, kb: KnowledgeBase) -> tuple[str, ...]:
    """Ids of the entities that an annotation means; empty when the knowledge base has none.

    The speaker is the person of the name by which the speaker is mentioned, if there is one.
    """
    if annotation.entity == SPEAKER:
        return tuple(entity.id for entity in kb.named(annotation.text)
                     if isinstance(entity, Person))
    return annotation.candidates


def _why_excluded(same: Sequence[EntityAnnotation]) -> str:
    entities = {annotation.entity for annotation in same}
    if NEW_EVENT in entities:
        return "it is a new event, which the knowledge base does not have yet"
    if SPEAKER in entities:
        return "it is the speaker, whom the knowledge base does not have"
    if not any(entities):
        return "the annotation names no entity"
    return "the knowledge base has no entity of the annotated name"


def locate(words: str, utterance: str) -> tuple[int, int]:
    """Character offsets of an annotation's words in an utterance, ``(-1, -1)`` if nowhere.

    Whole words are searched first, then the stretch of as many words, one more or one less, that
    is spelt most like them.

    Example:
        >>> locate("Jo Berg", "Is Jo Burg's office here?")
        (3, 10)
    """
    exact = re.search(rf"(?<!\w){re.escape(words.strip())}(?!\w)", utterance, re.IGNORECASE)
    if exact:
        return exact.span()
    if len(words.strip()) < _SHORTEST_MISSPELT:
        return -1, -1
    length = len(split_words(words))
    spoken = split_words(utterance)
    best, place = _SIMILAR, (-1, -1)
    for size in (length, length - 1, length + 1):
        for first in range(len(spoken) - size + 1 if size > 0 else 0):
            start, end = spoken[first].start, spoken[first + size - 1].end
            similarity = difflib.SequenceMatcher(
                None, words.casefold(), utterance[start:end].casefold(), autojunk=False).ratio()
            if similarity > best:
                best, place = similarity, (start, end)
    return place


def given_observation(detector: MentionDetector, utterance: str, given: Sequence[GoldMention], *,
                      now: dt.datetime) -> tuple[Observation, list[int]]:
    """What is read from an utterance whose mentions are given.

    Other mentions that the detector finds beside them stay (a time tells events apart).

    Args:
        detector: Says how each of the mentions refers.
        now: Zone-aware present of the turn.

    Returns:
        The observation and, for each of ``given``, its index among the observation's mentions.
    """
    observation = detector.detect(utterance, now=now)
    own = observation.mentions
    kept: dict[int, Mention] = dict(enumerate(own))
    places: list[int] = []
    for gold in given:
        mine = _head(gold, [(index, own[index]) for index in range(len(own))
                            if index not in places])
        if mine is None:
            place, mention = len(own) + len(places), _alone(detector, gold, now)
        else:
            place, mention = mine, _as_given(own[mine], gold)
        kept[place] = mention
        places.append(place)
    for index, mention in enumerate(own):
        if index not in places and mention.kind is not MentionKind.TIME and any(
                gold.start < mention.end and mention.start < gold.end for gold in given) and not (
                any(kept[place].possessor == index for place in places)):
            del kept[index]
    order = sorted(kept, key=lambda index: (kept[index].start, index))
    moved = {old: new for new, old in enumerate(order)}
    mentions = tuple(replace(kept[old], possessor=moved.get(possessor))
                     if (possessor := kept[old].possessor) is not None else kept[old]
                     for old in order)
    return replace(observation, mentions=mentions), [moved[place] for place in places]


def _head(gold: GoldMention, own: Sequence[tuple[int, Mention]]) -> int | None:
    """Index of the detected mention that is a given one: an English phrase ends with its head."""
    overlapping = [(mention.end == gold.end, _overlap(gold, mention), -index, index)
                   for index, mention in own
                   if _overlap(gold, mention) and mention.kind is not MentionKind.TIME]
    return max(overlapping)[-1] if overlapping else None


def _overlap(gold: GoldMention, mention: Mention) -> int:
    return max(0, min(gold.end, mention.end) - max(gold.start, mention.start))


def _as_given(own: Mention, gold: GoldMention) -> Mention:
    """A detected mention with the words of the given one.

    What names stays what was detected where the given words name nothing: the "Lens" of "the
    meeting, Lens" when "the meeting" is given.
    """
    same = (own.start, own.end) == (gold.start, gold.end)
    nameless = all(word.text in lexicon.DEFINITE or singular(word.text) in TYPE_NOUNS
                   for word in split_words(gold.text))
    kind = own.kind if own.kind in _REFERRING else MentionKind.DEFINITE
    return replace(own, text=gold.text, start=gold.start, end=gold.end, kind=kind,
                   query=own.name if same or nameless else "", probability=1.0)


def _alone(detector: MentionDetector, gold: GoldMention, now: dt.datetime) -> Mention:
    """A given mention that was not detected in its place: what its words alone look like."""
    start, end = max(gold.start, 0), max(gold.end, 0)
    words = split_words(gold.text)
    heard = [mention for mention in detector.detect(gold.text, now=now).mentions
             if mention.kind in _REFERRING and mention.end == len(gold.text)]
    if heard and heard[0].possessor is None:
        return replace(heard[0], text=gold.text, start=start, end=end, query="", probability=1.0)
    head = TYPE_NOUNS.get(singular(words[-1].text)) if words else None
    definite = bool(words) and words[0].text in lexicon.DEFINITE
    return Mention(gold.text, start, end, MentionKind.DEFINITE if definite else MentionKind.NAME,
                   types=frozenset({head} if head else ()))
