"""The parts of Q² that can be exchanged, and what they give to each other."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from frontdesk.generation.checks.q2.matching import answer_words


@dataclass(frozen=True, order=True)
class Span:
    """A stretch of a text that tells something: a name, a time, a noun phrase.

    Args:
        start, end: Character offsets, ``0 <= start < end``.
    """

    start: int
    end: int
    text: str


class Relation(StrEnum):
    """How a hypothesis stands to a premise."""

    ENTAILMENT = "entailment"
    NEUTRAL = "neutral"
    CONTRADICTION = "contradiction"


class SpanSelector(Protocol):
    """Marks what questions are asked about."""

    def select(self, texts: Sequence[str]) -> list[list[Span]]:
        """The informative spans of each text, in their order; they may overlap."""
        ...


class QuestionGenerator(Protocol):
    """Asks for a span of a text."""

    def ask(self, cases: Sequence[tuple[str, Span]], count: int) -> list[list[str]]:
        """Questions of which the span is the answer.

        Args:
            cases: Texts, each with the span to ask for.
            count: Most questions for each, at least 1.

        Returns:
            For each case its questions, the best first.
        """
        ...


class Reader(Protocol):
    """Answers questions from texts by a stretch of the text."""

    def answer(self, cases: Sequence[tuple[str, str]]) -> list[Span | None]:
        """The answers.

        Args:
            cases: Questions, each with the text to answer it from.

        Returns:
            For each case the answer; None where the text has none.
        """
        ...


class Entailment(Protocol):
    """Natural language inference."""

    def relate(self, cases: Sequence[tuple[str, str]]) -> list[Relation]:
        """How the second text of each case, the hypothesis, stands to the first, the premise."""
        ...


@dataclass(frozen=True)
class Components:
    """What Q² is made of.

    Args:
        entailment: Compares answers; None compares them by their words.
        words: Splits an answer into the words by which it is compared.
        plain: What a reply and its knowledge are read as: the same values in the same words.
        values: What the values alone tell of how an answer of the reply to a question stands to
            that of the knowledge, given in this order; None where they tell nothing.
    """

    spans: SpanSelector
    questions: QuestionGenerator
    reader: Reader
    entailment: Entailment | None
    words: Callable[[str], list[str]] = answer_words
    plain: Callable[[str], str] = str
    values: Callable[[str, str, str], Relation | None] = lambda *_: None


def of_premise_parts(relations: Collection[Relation]) -> Relation:
    """How a hypothesis stands to a premise whose parts it stands to so: what any entails is
    entailed, else what any contradicts is contradicted."""
    return next((each for each in (Relation.ENTAILMENT, Relation.CONTRADICTION)
                 if each in relations), Relation.NEUTRAL)


def of_hypothesis_parts(relations: Collection[Relation]) -> Relation:
    """How a hypothesis stands to a premise that its parts stand to so: all must be entailed, and
    one that is contradicted is enough."""
    if Relation.CONTRADICTION in relations:
        return Relation.CONTRADICTION
    return Relation.ENTAILMENT if set(relations) == {Relation.ENTAILMENT} else Relation.NEUTRAL
