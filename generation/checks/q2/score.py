"""Q² (Honovich et al. 2021) and QAGS (Wang et al. 2020).

Questions are asked for the informative spans of a reply and answered from the knowledge: a reply is
consistent with the knowledge as far as both give the same answers. All questions of all replies go
through each component together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain
from statistics import fmean

from frontdesk.generation.checks.q2.components import Components, Relation, Span
from frontdesk.generation.checks.q2.matching import is_personal, word_f1
from frontdesk.kg.graph.errors import InputError

#: What a hypothesis is worth that a premise entails, says nothing of, contradicts.
_WORTH = {Relation.ENTAILMENT: 1.0, Relation.NEUTRAL: 0.5, Relation.CONTRADICTION: 0.0}
_SHORTEST_QUESTION = 3


class Questions(StrEnum):
    """Which questions count."""

    FIRST_VALID = "first-valid"  # the first one of each span that passes the filters
    ALL = "all"                  # every one that passes them


@dataclass(frozen=True)
class Q2Settings:
    """How replies are scored; as they are, the paper's Q².

    Args:
        beams: Questions that are generated for a span, at least 1.
        personal: Whether questions about "I" and "you" count, and those with "my" and "your".
        entailment: Whether answers that differ are compared by inference; else by their words.
        fallback: Whether a reply without valid questions is judged by inference as a whole; else it
            has no score.
        most_questions: Of a reply, the best ones of its spans first; None for all.

    Raises:
        InputError: A number is out of range.
    """

    beams: int = 5
    questions: Questions = Questions.FIRST_VALID
    personal: bool = False
    entailment: bool = True
    fallback: bool = True
    most_questions: int | None = None

    def __post_init__(self) -> None:
        for name, value in (("beams", self.beams), ("most_questions", self.most_questions)):
            if value is not None and value < 1:
                raise InputError(f"{name} is {value}", remedy="Use 1 or more")


#: The paper's variant without inference.
WITHOUT_NLI = Q2Settings(entailment=False)
#: QAGS: 20 questions, answers compared by their words.
QAGS = Q2Settings(beams=10, questions=Questions.ALL, personal=True, entailment=False,
                  fallback=False, most_questions=20)


@dataclass(frozen=True)
class Asked:
    """A question with both answers.

    Args:
        span: What it asks for: the answer of the reply.
        answer: That of the knowledge; None where it has none.
        relation: How the reply's answer stands to the knowledge's, where that was inferred.
        score: How well they agree, in [0, 1].
    """

    question: str
    span: Span
    answer: str | None
    relation: Relation | None
    score: float


@dataclass(frozen=True)
class Q2Score:
    """The score of a reply with its evidence.

    Args:
        score: In [0, 1]; None where nothing can be asked and nothing was inferred.
        relation: Where there are none: how the reply as a whole stands to the knowledge.
        note: Why the reply has no score, or only that of the fallback; empty otherwise.
    """

    score: float | None
    asked: tuple[Asked, ...] = ()
    relation: Relation | None = None
    generated: int = 0
    note: str = ""


@dataclass(frozen=True, order=True)
class _Question:
    """A generated question: its rank among those of its span, the span, and its words."""

    rank: int
    span: Span
    words: str


class Q2:
    """Scores replies by Q².

    Raises:
        InputError: The settings need inference and there is no component for it.
    """

    def __init__(self, components: Components, settings: Q2Settings | None = None) -> None:
        self.components = components
        self.settings = settings or Q2Settings()
        if components.entailment is None and (self.settings.entailment or self.settings.fallback):
            raise InputError("these settings need a component for inference",
                             remedy="Give one, or turn entailment and fallback off")

    def score(self, replies: Sequence[tuple[str, str]]) -> list[Q2Score]:
        """The scores of replies.

        Args:
            replies: Each with its knowledge; either may be empty.
        """
        plain = self.components.plain
        replies = [(plain(text), plain(knowledge)) for text, knowledge in replies]
        texts = [text for text, _ in replies]
        generated = self._questions(texts)
        asked = self._compare(replies, self._valid(texts, generated))
        return self._without_questions(replies, [
            Q2Score(fmean(each.score for each in own) if own else None, tuple(own),
                    generated=len(all_))
            for own, all_ in zip(asked, generated, strict=True)])

    def _questions(self, texts: Sequence[str]) -> list[list[_Question]]:
        """The questions of each text: the best of each span, then the second best, and so on."""
        spans = self.components.spans.select(texts)
        asked = iter(self.components.questions.ask(
            [(text, span) for text, own in zip(texts, spans, strict=True) for span in own],
            self.settings.beams))
        return [sorted({_Question(rank, span, words): None for span in own
                         for rank, words in enumerate(dict.fromkeys(next(asked)))})
                for own in spans]

    def _valid(self, texts: Sequence[str], generated: Sequence[Sequence[_Question]]
               ) -> list[list[_Question]]:
        """The questions that count: the text itself gives the span as their answer."""
        kept = [[each for each in own if len(each.words.split()) >= _SHORTEST_QUESTION
                 and (self.settings.personal or not is_personal(each.words))]
                for own in generated]
        if self.settings.questions is Questions.FIRST_VALID:
            valid = self._first_valid(texts, kept)
        else:
            valid = self._answered(texts, kept)
        return [sorted(own)[:self.settings.most_questions] for own in valid]

    def _first_valid(self, texts: Sequence[str], kept: Sequence[Sequence[_Question]]
                     ) -> list[list[_Question]]:
        """The first valid question of each span; later ones are asked where none was before."""
        valid: list[list[_Question]] = [[] for _ in texts]
        for rank in sorted({each.rank for own in kept for each in own}):
            asked = [[each for each in own if each.rank == rank
                      and each.span not in {found.span for found in before}]
                     for own, before in zip(kept, valid, strict=True)]
            if not any(asked):
                continue
            for before, found in zip(valid, self._answered(texts, asked), strict=True):
                before.extend(found)
        return valid

    def _answered(self, texts: Sequence[str], asked: Sequence[Sequence[_Question]]
                  ) -> list[list[_Question]]:
        """The questions that the text itself answers with their spans."""
        answers = iter(self.components.reader.answer(
            [(each.words, text) for text, own in zip(texts, asked, strict=True) for each in own]))
        return [[each for each in own if self._same(next(answers), each.span)] for own in asked]

    def _compare(self, replies: Sequence[tuple[str, str]], valid: Sequence[Sequence[_Question]]
                 ) -> list[list[Asked]]:
        answers = iter(self.components.reader.answer(
            [(each.words, knowledge) for (_, knowledge), own in zip(replies, valid, strict=True)
             for each in own]))
        asked = [[self._by_words(each, next(answers)) for each in own] for own in valid]
        if not self.settings.entailment or self.components.entailment is None:
            return asked
        asked = [[self._by_values(each) for each in own] for own in asked]
        # Each answer after the question, so that it means something alone.
        relations = iter(self.components.entailment.relate(
            [(f"{each.question} {each.answer}", f"{each.question} {each.span.text}")
             for each in chain.from_iterable(asked) if self._differs(each)]))
        return [[_by_relation(each, next(relations)) if self._differs(each) else each
                 for each in own]
                for own in asked]

    def _by_values(self, asked: Asked) -> Asked:
        if not self._differs(asked):
            return asked
        relation = self.components.values(asked.question, asked.span.text, str(asked.answer))
        return asked if relation is None else _by_relation(asked, relation)

    def _without_questions(self, replies: Sequence[tuple[str, str]], scores: Sequence[Q2Score]
                           ) -> list[Q2Score]:
        """Replies with nothing to ask for are judged as a whole, if they say anything."""
        found = list(scores)
        rows = [row for row, score in enumerate(scores) if score.score is None]
        entailment = self.components.entailment if self.settings.fallback else None
        for row in rows:
            text, knowledge = replies[row]
            if not text.strip():
                why = "the reply is empty"
            elif not knowledge.strip():
                why = "there is no knowledge"
            else:
                why = "" if entailment else "no valid question"
            found[row] = replace(found[row], note=why)
        whole = [row for row in rows if not found[row].note]
        if entailment and whole:
            relations = entailment.relate([(replies[row][1], replies[row][0]) for row in whole])
            for row, relation in zip(whole, relations, strict=True):
                found[row] = replace(found[row], score=_WORTH[relation], relation=relation,
                                     note="no valid question: judged as a whole")
        return found

    def _alike(self, one: str, other: str) -> bool:
        return self.components.words(one) == self.components.words(other)

    def _same(self, answer: Span | None, span: Span) -> bool:
        return answer is not None and self._alike(answer.text, span.text)

    def _differs(self, asked: Asked) -> bool:
        """Whether the knowledge has another answer, and how it stands to it is not known yet."""
        return asked.answer is not None and asked.relation is None \
            and not self._alike(asked.span.text, asked.answer)

    def _by_words(self, question: _Question, answer: Span | None) -> Asked:
        if answer is None:
            return Asked(question.words, question.span, None, None, 0.0)
        return Asked(question.words, question.span, answer.text, None, word_f1(
            question.span.text, answer.text, self.components.words))


def _by_relation(asked: Asked, relation: Relation) -> Asked:
    """Entailment counts fully, contradiction not at all; else the words decide."""
    score = asked.score if relation is Relation.NEUTRAL else _WORTH[relation]
    return replace(asked, relation=relation, score=score)
