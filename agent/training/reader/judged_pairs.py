"""What the reader learns of replies that people judged, and of their knowledge."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

from frontdesk.agent.training.reader.corrupted_texts import Corrupter, parts
from frontdesk.agent.training.reader.pair_examples import (
    PairExample,
    contradicted,
    unrelated,
)
from frontdesk.agent.training.reader.question_pairs import OPENINGS, sentence_pairs
from frontdesk.data.datasets.dialogue_audit import AuditedReply
from frontdesk.generation.checks.q2.cloze_questions import ClozeQuestions
from frontdesk.generation.checks.q2.components import Relation
from frontdesk.generation.checks.q2.matching import answer_words
from frontdesk.generation.checks.q2.text_spans import TextSpans, split_sentences

JUDGED, CHANGED, ASKED = "judged replies", "changed replies", "questions about replies"
#: Versions of each faithful reply, and of each reply's knowledge, that are made.
_VERSIONS, _VERSIONS_OF_KNOWLEDGE = 6, 3
#: Words of a sentence of knowledge that is said as a reply.
_SHORTEST = 5


def judged_pairs(replies: Sequence[AuditedReply]) -> Iterator[PairExample]:
    """The replies as they were judged; those that do not cooperate and say nothing are left out."""
    for each in replies:
        if each.labels == {"uncooperative"} or not each.knowledge.strip():
            continue
        relation = Relation.ENTAILMENT if each.faithful else \
            Relation.NEUTRAL if each.labels == {"generic"} else None
        yield PairExample(JUDGED, each.response, each.knowledge, None, relation, each.faithful)


def made_pairs(replies: Sequence[AuditedReply], rng: random.Random) -> Iterator[PairExample]:
    """What is made of them: questions about replies, and replies and knowledge with one thing
    changed."""
    known = [each for each in replies if each.knowledge.strip()]
    corrupter = Corrupter({each.knowledge: None for each in known}, rng)
    # What says nothing may stand before what is true.
    small_talk = [*OPENINGS, *(f"{each.response} " for each in known if each.labels == {"generic"})]
    for each in known:
        yield from _questions(each, rng)
        sentences = [text for _, text in split_sentences(each.knowledge)
                     if len(text.split()) >= _SHORTEST]
        for _ in range(_VERSIONS_OF_KNOWLEDGE if sentences else 0):
            yield from sentence_pairs(rng.choice(sentences), each.knowledge, corrupter, rng,
                                      CHANGED, small_talk)
        if each.faithful:
            yield from _changed(each, corrupter, rng)
        if rng.random() < 0.3:
            other = rng.choice(known).knowledge
            if other != each.knowledge:
                yield unrelated(CHANGED, each.response, other)


def _changed(reply: AuditedReply, corrupter: Corrupter, rng: random.Random
             ) -> Iterator[PairExample]:
    """A faithful reply that is made false, or whose knowledge is made another."""
    for _ in range(_VERSIONS):
        if rng.random() < 0.5:
            wrong = corrupter.corrupted(reply.response, reply.knowledge)
            if wrong:
                yield contradicted(CHANGED, wrong, reply.knowledge)
            continue
        said = {*answer_words(reply.response)}
        shared = [part for part in parts(reply.knowledge)
                  if said.issuperset(answer_words(part.text))]
        if not shared:
            continue
        part = rng.choice(shared)
        other = corrupter.other(part, reply.knowledge, reply.knowledge + reply.response)
        if other:
            pieces = re.split(rf"(?<!\w){re.escape(part.text)}(?!\w)", reply.knowledge,
                              flags=re.IGNORECASE)
            yield contradicted(CHANGED, reply.response, other.join(pieces))


def _questions(reply: AuditedReply, rng: random.Random) -> Iterator[PairExample]:
    """Questions as Q² asks them, with their answers where the knowledge has the same words."""
    spans = TextSpans().select([reply.response])[0]
    asked = ClozeQuestions().ask([(reply.response, span) for span in spans], 2)
    told = set(answer_words(reply.knowledge))
    for span, questions in zip(spans, asked, strict=True):
        question = rng.choice(questions)
        yield PairExample(ASKED, question, reply.response, (span.start, span.end))
        places = [each.span() for each in re.finditer(
            rf"(?<!\w){re.escape(span.text)}(?!\w)", reply.knowledge, re.IGNORECASE)]
        if len(places) == 1 and "entailment" in reply.labels:
            yield PairExample(ASKED, question, reply.knowledge, places[0])
        elif not reply.faithful and told.isdisjoint(answer_words(span.text)):
            yield PairExample(ASKED, question, reply.knowledge)
