"""Labels of real utterances, as far as the dialogue's graph and the rules can tell them.

In the reduced form nothing is annotated, and what users said is what a speech recogniser heard. A
stretch of it that is spelt or sounds somewhat like a name that the agent's replies have by then is
that name; one that is very much like any other name of the graph is that. Pronouns, definite noun
phrases, times and names that nobody knows are what the rules find. Where mentions are annotated,
the annotation comes first.
"""

from __future__ import annotations

import datetime as dt
import difflib
import re
from collections.abc import Iterator, Sequence

from frontdesk.agent.evaluation.measure_mentions import annotated_spans
from frontdesk.agent.training.mentions.labelled import LabelledUtterance, without_overlaps
from frontdesk.data.datasets.graphwoz import Dialogue
from frontdesk.data.datasets.graphwoz_reduced import ReducedDialogue
from frontdesk.data.datasets.graphwoz_reduced_organisation import (
    reduced_knowledge_base,
    reduced_present,
)
from frontdesk.kg.english import lexicon
from frontdesk.kg.english.words import Word, clean, sound, split_words
from frontdesk.kg.graph.entities import EntityType
from frontdesk.kg.graph.knowledge_base import KnowledgeBase, normalise_name
from frontdesk.kg.graph.mentions import Mention, MentionKind
from frontdesk.kg.models.mention_tags import MentionType, TaggedSpan
from frontdesk.kg.names.gazetteer import GazetteerDetector

#: How alike a stretch must be to a name that the replies have, and to any other.
_TOLD, _UNTOLD = 0.68, 0.86
_SHORTEST_NAME = 4
_NOUNS = {EntityType.GROUP: frozenset({"group", "team", "department"}),
          EntityType.ROOM: frozenset({"room", "conference", "meeting"})}
_DURATION = re.compile(
    r"\b(?:half an hour|(?:an|one|two|three|\d+)[ -](?:hours?|minutes?)(?: and a half)?"
    r"|(?:fifteen|thirty|forty-five|sixty|ninety)[ -]minutes|all day|the whole day)\b", re.I)
_ATTRIBUTE = re.compile(
    r"\b(?:(?:phone|mobile|telephone|office|room) number|e-?mail(?: address)?|"
    r"contact (?:details|information|person)|organi[sz]er)\b", re.I)
_DATE = re.compile(
    r"\b(?:the day after tomorrow|today|tomorrow|yesterday|(?:next |this )?(?:mon|tues|wednes|"
    r"thurs|fri|satur|sun)day|(?:next|this) week|(?:the )?\d{1,2}(?:st|nd|rd|th)(?: of)?"
    r"(?: (?:january|february|march|april|may|june|july|august|september|october|november|"
    r"december))?|(?:january|february|march|april|may|june|july|august|september|october|november|"
    r"december) (?:the )?\d{1,2}(?:st|nd|rd|th)?)\b", re.I)
_LEAD = re.compile(r"(?:(?:at|on|in|from|for|before|after|until|around|about|by)\s+)+", re.I)


def reduced_utterances(dialogue: ReducedDialogue) -> Iterator[LabelledUtterance]:
    """The user's turns of a reduced dialogue with weak labels.

    Raises:
        FormatError: Its facts cannot be read.
    """
    kb, now = reduced_knowledge_base(dialogue), reduced_present(dialogue)
    rules = GazetteerDetector(kb)
    replies = ""
    for turn in dialogue.turns:
        replies += " " + normalise_name(turn.reference or "")
        text = clean(turn.user)
        if text:
            yield _labelled(text, _graph_names(text, kb, replies), rules, now)


def annotated_utterances(dialogue: Dialogue) -> Iterator[LabelledUtterance]:
    """The user's turns of an annotated dialogue, as written down and as heard."""
    kb = dialogue.knowledge_base
    rules = GazetteerDetector(kb)
    for turn in dialogue.turns:
        now = turn.started.astimezone(kb.timezone)
        heard = clean(turn.hypotheses[0].text) if turn.hypotheses else ""
        for text, listed in ((clean(turn.transcription), turn.entities),
                             (heard, turn.asr_entities or turn.entities)):
            if text:
                yield _labelled(text, annotated_spans(listed, text, kb), rules, now)


def _labelled(text: str, named: Sequence[TaggedSpan], rules: GazetteerDetector,
              now: dt.datetime) -> LabelledUtterance:
    """A text with the mentions that are known of it, then those that the rules find."""
    mentions = rules.detect(text, now=now).mentions
    speaker = [TaggedSpan(each.start, each.end, MentionType.SPEAKER, 1.0)
               for each in mentions if each.introduces_speaker]
    patterns = [TaggedSpan(*match.span(), kind, 1.0)
                for pattern, kind in ((_DURATION, MentionType.DURATION),
                                      (_ATTRIBUTE, MentionType.ATTRIBUTE))
                for match in pattern.finditer(text)]
    found = [span for mention in mentions for span in _of_rules(mention)]
    return LabelledUtterance(text, without_overlaps([*speaker, *named, *patterns, *found]))


def _graph_names(text: str, kb: KnowledgeBase, replies: str) -> list[TaggedSpan]:
    """Stretches that are names of the graph, the most alike first."""
    words = split_words(text)
    found: list[tuple[float, TaggedSpan]] = []
    names = {(entity.type, normalise_name(entity.name)) for entity in kb.entities()
             if not entity.name.isdigit()}
    for kind, name in sorted(names):
        least = _TOLD if name in replies else _UNTOLD
        if len(name) < _SHORTEST_NAME:
            continue
        for first, last, alike in _alike_stretches(name, words, least):
            first, last = _with_nouns(first, last, words, kind)
            found.append((alike, TaggedSpan(words[first].start, words[last].end,
                                            MentionType(kind.value), 1.0)))
    found.sort(key=lambda each: -each[0])
    return [span for _, span in found]


def _alike_stretches(name: str, words: Sequence[Word],
                     least: float) -> Iterator[tuple[int, int, float]]:
    """Stretches of about as many words as a name that are at least so much like it."""
    length = len(name.split())
    spelt, spoken = name.replace(" ", ""), "".join(map(sound, name.split()))
    for size in {max(length - 1, 1), length, length + 1}:
        for first in range(len(words) - size + 1):
            stretch = [word.text for word in words[first:first + size]]
            if stretch[0] in lexicon.COMMON_WORDS or stretch[-1] in lexicon.PRONOUNS:
                continue
            alike = (_ratio(spelt, "".join(stretch))
                     + max(_ratio(spoken, "".join(map(sound, stretch))), 0.5)) / 2
            if alike >= least:
                yield first, first + size - 1, alike


def _ratio(left: str, right: str) -> float:
    return difflib.SequenceMatcher(None, left, right, autojunk=False).ratio()


def _with_nouns(first: int, last: int, words: Sequence[Word],
                kind: EntityType) -> tuple[int, int]:
    """A stretch with the nouns that say what it names ("Optics group")."""
    nouns = _NOUNS.get(kind, frozenset())
    while last + 1 < len(words) and words[last + 1].text in nouns:
        last += 1
    return first, last


def _of_rules(mention: Mention) -> list[TaggedSpan]:
    """What a mention that the rules found is for the tagger; nothing for "I" and "which rooms"."""
    if mention.kind is MentionKind.TIME:
        return _times(mention)
    if mention.kind is MentionKind.NAME:
        # Without a type: after "called", or written like a name.
        unknown = MentionType.PERSON if mention.text[:1].isupper() else MentionType.EVENT
        kind = MentionType(min(mention.types)) if mention.types else unknown
    elif mention.kind in _KINDS:
        kind = _KINDS[mention.kind]
    else:
        return []
    return [TaggedSpan(mention.start, mention.end, kind, 1.0)]


_KINDS = {MentionKind.PRONOUN: MentionType.PRONOUN, MentionKind.DEFINITE: MentionType.DEFINITE,
          MentionKind.RELATION: MentionType.ATTRIBUTE}


def _times(mention: Mention) -> list[TaggedSpan]:
    """The days and the times of day in a time expression."""
    spans = [TaggedSpan(mention.start + match.start(), mention.start + match.end(),
                        MentionType.DATE, 1.0) for match in _DATE.finditer(mention.text)]
    position = 0
    for start, end in [*((span.start - mention.start, span.end - mention.start)
                         for span in spans), (len(mention.text), len(mention.text))]:
        between = mention.text[position:start]
        lead = _LEAD.match(between.lstrip())
        begin = position + len(between) - len(between.lstrip()) + (lead.end() if lead else 0)
        words = split_words(mention.text[begin:start])
        if words and any(word.text not in ("at", "on", "in", "from", "the", "and", "of")
                         for word in words):
            spans.append(TaggedSpan(mention.start + begin + words[0].start,
                                    mention.start + begin + words[-1].end,
                                    MentionType.TIME, 1.0))
        position = end
    return spans
