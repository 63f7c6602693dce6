"""What the reader learns of dialogues: questions about replies with their answers in facts, and
claims.

The replies of training dialogues are asked about as Q² does it. Where a value of a reply stands in
the facts of its turn is the answer. That it reads, and does not repeat what the reply has, it
learns from facts in which the value is another one, or from which it is missing.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from frontdesk.agent.training.generator.record import RecordedTurn
from frontdesk.agent.training.reader.corrupted_texts import Corrupter
from frontdesk.agent.training.reader.pair_examples import (
    PairExample,
    contradicted,
    entailed,
    unrelated,
)
from frontdesk.generation.checks.q2.cloze_questions import ClozeQuestions
from frontdesk.generation.checks.q2.components import Span
from frontdesk.generation.checks.q2.text_spans import TextSpans
from frontdesk.generation.voice.pointer.source import argument_values
from frontdesk.generation.voice.pointer.units import Names, Unit, split_units
from frontdesk.generation.voice.pointer.values import ValueKind, forms

_MOST_FACTS = 10
_SHARE_SWAPPED, _SHARE_REMOVED = 0.4, 0.3
#: Of questions that are asked of the reply itself, as Q² does to keep those that it answers.
_SHARE_OF_ITSELF = 0.4
#: Of values that stand in the place of others, those from the same facts.
_SHARE_NEAR = 0.5
_WORDS = (ValueKind.WORD, ValueKind.MARK)
ASKED, SAID = "questions about dialogues", "replies of dialogues"


@dataclass(frozen=True)
class _Fact:
    text: str
    predicate: str
    units: tuple[Unit, ...]

    def identities(self) -> set[str]:
        return {unit.value.identity for unit in self.units if unit.value.kind is not ValueKind.MARK}


class DialoguePairs:
    """Makes examples of recorded turns.

    Args:
        turns: All of them; values that are put in the place of others come from any.
        seed: All is drawn from it.
    """

    def __init__(self, turns: Sequence[RecordedTurn], seed: int) -> None:
        self.turns = turns
        self._rng = random.Random(seed)
        self._corrupter = Corrupter((), self._rng)
        self._pool: dict[str, list[str]] = {}
        for turn in turns:
            for sort, texts in _by_sort(turn, _read(turn)).items():
                self._pool.setdefault(sort, []).extend(texts)

    def make(self) -> Iterator[PairExample]:
        """All examples, in the order of the turns."""
        for turn in self.turns:
            facts = _read(turn)[:_MOST_FACTS]
            if facts and turn.reference:
                yield from self._questions(turn, facts)
                yield from self._claims(turn, facts, self._rng.choice(self.turns))

    # --- questions

    def _questions(self, turn: RecordedTurn, facts: Sequence[_Fact]) -> Iterator[PairExample]:
        kinds = dict(turn.names.values())
        reply = turn.reference
        units = split_units(reply, _names(turn))
        said = {unit.value.identity for unit in units}
        spans = TextSpans(kinds).select([reply])[0]
        asked = ClozeQuestions(kinds).ask([(reply, span) for span in spans], 2)
        for span, questions in zip(spans, asked, strict=True):
            question = self._rng.choice(questions)
            if self._rng.random() < _SHARE_OF_ITSELF:
                yield PairExample(ASKED, question, reply, (span.start, span.end))
            unit = next((each for each in units
                         if span.start <= each.start and each.end <= span.end
                         and each.value.kind is not ValueKind.MARK), None)
            if unit is None:
                continue
            found = self._answer(unit, said, facts)
            if found is None:
                if unit.value.kind not in _WORDS:
                    yield self._asked(question, [fact.text for fact in facts])
                continue
            yield from self._variants(question, turn, facts, *found)

    def _answer(self, unit: Unit, said: set[str], facts: Sequence[_Fact]
                ) -> tuple[int, Unit] | None:
        """The fact with a value that has most in common with a reply, and the value there."""
        having = [(len(fact.identities() & said), -number) for number, fact in enumerate(facts)
                  if unit.value.identity in fact.identities()]
        if not having:
            return None
        number = -max(having)[1]
        return number, next(each for each in facts[number].units
                            if each.value.identity == unit.value.identity)

    def _variants(self, question: str, turn: RecordedTurn, facts: Sequence[_Fact], number: int,
                  unit: Unit) -> Iterator[PairExample]:
        texts = [fact.text for fact in facts]
        yield self._asked(question, texts, (number, unit.start, unit.end))
        draw = self._rng.random()
        if unit.value.kind in _WORDS or draw > _SHARE_SWAPPED + _SHARE_REMOVED:
            return
        identity = unit.value.identity
        if draw < _SHARE_REMOVED:
            kept = [fact.text for fact in facts if identity not in fact.identities()]
            if kept:
                yield self._asked(question, kept)
            return
        other = self._other(unit, turn, facts)
        swapped = [_with(fact, identity, other) for fact in facts]
        start = unit.start + sum(
            len(other) - (each.end - each.start) for each in facts[number].units
            if each.value.identity == identity and each.end <= unit.start)
        yield self._asked(question, swapped, (number, start, start + len(other)))

    def _asked(self, question: str, facts: Sequence[str],
               answer: tuple[int, int, int] | None = None) -> PairExample:
        """A question beside facts in any order, of one of which characters answer it."""
        order = self._rng.sample(range(len(facts)), len(facts))
        knowledge = "\n".join(facts[each] for each in order)
        if answer is None:
            return PairExample(ASKED, question, knowledge)
        number, start, end = answer
        before = sum(len(facts[each]) + 1 for each in order[:order.index(number)])
        return PairExample(ASKED, question, knowledge, (before + start, before + end))

    def _beside(self, facts: Sequence[str]) -> str:
        return "\n".join(self._rng.sample(facts, len(facts)))

    def _other(self, unit: Unit, turn: RecordedTurn, facts: Sequence[_Fact]) -> str:
        """Another value of the sort: half of the time one of the same facts, where there is one."""
        own = _by_sort(turn, facts)
        sort = next(iter(key for key, texts in own.items() if unit.value.text in texts),
                    str(unit.value.kind))
        for pool in (own.get(sort, []) if self._rng.random() < _SHARE_NEAR else [],
                     self._pool.get(sort, [])):
            others = [each for each in pool if each.casefold() != unit.value.text.casefold()]
            if others:
                return self._rng.choice(others)
        return "Quillon"

    # --- claims

    def _claims(self, turn: RecordedTurn, facts: Sequence[_Fact], other: RecordedTurn
                ) -> Iterator[PairExample]:
        reply = turn.reference
        if reply.rstrip().endswith("?"):
            return
        known = set().union(*(fact.identities() for fact in facts))
        values = [unit for unit in split_units(reply, _names(turn))
                  if unit.value.kind not in _WORDS]
        texts = [fact.text for fact in facts]
        if not values or not {unit.value.identity for unit in values} <= known:
            return
        yield entailed(SAID, reply, self._beside(texts))
        unit = self._rng.choice(values)
        wrong = reply[:unit.start] + self._other(unit, turn, facts) + reply[unit.end:]
        denied = self._corrupter.negated(reply) or self._corrupter.opposite(reply)
        changed = [_with(fact, unit.value.identity, self._other(unit, turn, facts))
                   for fact in facts]
        yield contradicted(SAID, *self._rng.choice((
            (wrong, self._beside(texts)), (denied or wrong, self._beside(texts)),
            (reply, self._beside(changed)))))
        beside = [fact for fact in _read(other)[:_MOST_FACTS]
                  if fact.identities().isdisjoint({each.value.identity for each in values})]
        kept = [fact for fact in facts if unit.value.identity not in fact.identities()]
        told = self._rng.choice([each for each in (beside, kept) if each] or [[]])
        if told:
            yield unrelated(SAID, reply, self._beside([fact.text for fact in told]))
        yield from self._answers(turn, facts, unit)

    def _answers(self, turn: RecordedTurn, facts: Sequence[_Fact], unit: Unit
                 ) -> Iterator[PairExample]:
        """Answers after their question, as Q² compares them."""
        reply = turn.reference
        question = ClozeQuestions(dict(turn.names.values())).ask(
            [(reply, Span(unit.start, unit.end, reply[unit.start:unit.end]))], 1)[0][0]
        said = reply[unit.start:unit.end]
        ways = [text for text in forms(unit.value).values()
                if text.casefold() != said.casefold()]
        if ways:
            yield entailed(SAID, f"{question} {said}", f"{question} {self._rng.choice(ways)}")
        yield contradicted(SAID, f"{question} {said}",
                           f"{question} {self._other(unit, turn, facts)}")


def _names(turn: RecordedTurn) -> Names:
    return Names(value for fact in turn.facts for argument in fact.arguments
                 for item in (argument if isinstance(argument, tuple) else (argument,))
                 for value in argument_values(item, turn))


def _read(turn: RecordedTurn) -> list[_Fact]:
    names = _names(turn)
    return [_Fact(fact.text, fact.predicate, tuple(split_units(fact.text, names)))
            for fact in turn.facts]


def _by_sort(turn: RecordedTurn, facts: Sequence[_Fact]) -> dict[str, list[str]]:
    """The values of facts by what they are: persons, rooms, times, else values of a predicate."""
    kinds = {name.casefold(): kind for name, kind in turn.names.values()}
    found: dict[str, list[str]] = {}
    for fact in facts:
        for unit in fact.units:
            if unit.value.kind in _WORDS:
                continue
            sort = kinds.get(unit.value.text.casefold(), fact.predicate) \
                if unit.value.kind is ValueKind.NAME else str(unit.value.kind)
            found.setdefault(sort, []).append(unit.value.text)
    return found


def _with(fact: _Fact, identity: str, other: str) -> str:
    """A fact with another value in the place of one."""
    text = fact.text
    for unit in reversed(fact.units):
        if unit.value.identity == identity:
            text = text[:unit.start] + other + text[unit.end:]
    return text
