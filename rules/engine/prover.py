"""Questions to the rules: a program, the facts of one turn, exact answers.

Ids of ours become constants that the program does not have; nothing that a user wrote reaches
ProbLog. With a deadline the rules are evaluated in a process of their own, which is killed when
the time is used up; without one they are evaluated here.

Example:
    >>> facts = Prover("free(P) :- person(P), \\\\+ busy(P).").slice()
    >>> facts.add("person", "ada")
    >>> facts.add("busy", "ada", probability=0.25)
    >>> facts.ask("free", None)
    [Solution(values=('ada',), probability=0.75)]
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

from frontdesk.kg.graph.errors import RuleError, UncertaintyError
from frontdesk.rules.engine.inference import (
    FactSlice,
    InvalidRuleError,
    Plain,
    PlainFact,
    PlainRule,
    Program,
    Variable,
)
from frontdesk.rules.engine.proofs import Proof
from frontdesk.rules.engine.prover_process import Budget, RemoteSlice, worker_for
from frontdesk.rules.engine.prover_worker import INVALID, UNCERTAIN, Reply, answer

#: An id, an opaque string, or an integer.
Value = str | int


@dataclass(frozen=True)
class Solution:
    """An answer to a question.

    Args:
        values: Of the arguments left open, in their order.
        probability: In (0, 1].
    """

    values: tuple[Value, ...]
    probability: float


@lru_cache(maxsize=16)
def _prepared(texts: tuple[tuple[str, str], ...]) -> Program:
    """A program, prepared once for all provers of this process that have it."""
    return Program(texts)


class Prover:
    """A program that questions are put to.

    Args:
        program: Its text, or the name of each of its files and the text of it.
        deadline_s: Seconds that the questions of a slice may take together where no budget of a
            turn is given. None for no limit, in this process: for tests and tools.
        constants: By the ids that stand in the program itself, how they are written there.

    Raises:
        RuleError: Without a deadline: the program cannot be read. With one the first question
            says so.
    """

    def __init__(self, program: str | Mapping[str, str], *, deadline_s: float | None = None,
                 constants: Mapping[str, str] | None = None) -> None:
        texts = {"": program} if isinstance(program, str) else program
        self._texts = tuple(texts.items())
        self._deadline_s = deadline_s
        self._constants = dict(constants or {})
        self._prefix = _unused_prefix(" ".join(texts.values()))
        if deadline_s is None:
            try:
                self._program = _prepared(self._texts)
            except InvalidRuleError as error:
                raise RuleError(f"the rules cannot be read: {error}",
                                remedy="Correct the rule") from error
        else:
            self.worker = worker_for(self._texts)

    def __reduce__(self) -> tuple[Any, ...]:
        """To another process goes the program; what runs stays."""
        return _restored, (self._texts, self._deadline_s, self._constants)

    def slice(self, budget: Budget | None = None) -> Slice:
        """An empty slice over the program.

        Args:
            budget: What its questions and those of the other slices of a turn may take together;
                the seconds of the prover for this slice alone if None. Questions that are
                answered in this process take nothing of it.
        """
        if self._deadline_s is None:
            return Slice(_LocalSlice(self._program), self._prefix, self._constants)
        return Slice(RemoteSlice(self.worker, budget or Budget(self._deadline_s)), self._prefix,
                     self._constants)


class Slice:
    """The facts of one turn over a program, and the questions about them.

    Made by :meth:`Prover.slice`. Facts may be added between questions. Not for several threads.
    """

    def __init__(self, evaluated: _Evaluated, prefix: str,
                 constants: Mapping[str, str]) -> None:
        self._evaluated = evaluated
        self._facts: list[PlainFact | PlainRule] = []
        self._ids = _Ids(prefix, constants)

    def add(self, predicate: str, *arguments: Value, probability: float = 1.0) -> None:
        """Put a stored fact into the slice.

        The same fact twice is two independent reasons for it.

        Args:
            arguments: Ids and integers.
            probability: In (0, 1].

        Raises:
            ValueError: The probability is out of range.
        """
        if not 0 < probability <= 1:
            raise ValueError(f"a fact {predicate} with the probability {probability}")
        self._facts.append((predicate, tuple(map(self._ids.constant, arguments)), probability))

    def add_rule(self, rule: PlainRule) -> None:
        """Put a rule of the turn into the slice.

        Args:
            rule: Over predicates of ours; its arguments are ids, integers and variables. Its heads
                are of no predicate of the program.
        """
        self._facts.append(PlainRule(
            tuple((name, self._constants_of(arguments), probability)
                  for name, arguments, probability in rule.heads),
            tuple((name, self._constants_of(arguments), holds)
                  for name, arguments, holds in rule.body)))

    def _constants_of(self, arguments: tuple[Value, ...]) -> tuple[Value, ...]:
        return tuple(each if isinstance(each, Variable) else self._ids.constant(each)
                     for each in arguments)

    def ask(self, predicate: str, *arguments: Value | None) -> list[Solution]:
        """The distinct solutions of a query with a probability above 0, in the order found.

        Args:
            arguments: Ids and integers; None for one that is left open.

        Raises:
            DeadlineError: The budget is used up, now and for all further questions.
            UncertaintyError: A solution rests on too many uncertain facts. It does not follow
                that there is none.
            RuleError: A rule cannot be evaluated.
            ProverError: The process that evaluates the rules ended by itself.
        """
        found: list[tuple[tuple[str | int, ...], float]] = self._reply("ask", predicate, arguments)
        return [Solution(tuple(map(self._ids.value, values)), probability)
                for values, probability in found]

    def prove(self, predicate: str, *arguments: Value) -> Proof | None:
        """The most probable proof of a fact, over all facts of the slice; None if it has none.

        There is a whole budget for each proof: it is asked for when the turn is over.

        Raises:
            ReasoningError: As for :meth:`ask`.
        """
        found: Proof | None = self._reply("prove", predicate, arguments)
        return None if found is None else found.renamed(self._ids.said)

    def _reply(self, kind: str, predicate: str, arguments: tuple[Value | None, ...]) -> Any:
        reply, result = self._evaluated.reply(
            self._facts, kind, predicate,
            tuple(None if each is None else self._ids.constant(each) for each in arguments))
        if reply == UNCERTAIN:
            raise UncertaintyError(
                f"{predicate} rests on more than {result} uncertain facts",
                remedy="Ask about less at once, or settle some of them")
        if reply == INVALID:
            raise RuleError(f"a rule cannot be evaluated: {result}", remedy="Correct the rule")
        return result


class _Evaluated(Protocol):
    def reply(self, facts: list[PlainFact | PlainRule], kind: str, predicate: str,
              arguments: tuple[Plain, ...]) -> Reply: ...


class _LocalSlice:
    """A slice that is evaluated in this process."""

    def __init__(self, program: Program) -> None:
        self._slice = FactSlice(program)

    def reply(self, facts: list[PlainFact | PlainRule], kind: str, predicate: str,
              arguments: tuple[Plain, ...]) -> Reply:
        self._slice.add(facts[self._slice.size:])
        return answer(self._slice, kind, predicate, arguments)


class _Ids:
    """Ids and the constants that stand for them."""

    def __init__(self, prefix: str, constants: Mapping[str, str]) -> None:
        self._prefix = prefix
        self._constants = dict(constants)
        self._values = {constant: value for value, constant in constants.items()}

    def constant(self, value: Value) -> Value:
        if isinstance(value, int):
            return value
        if value not in self._constants:
            constant = f"{self._prefix}{len(self._constants)}"
            self._constants[value], self._values[constant] = constant, value
        return self._constants[value]

    def said(self, constant: str) -> str:
        """What a constant stands for; one of the program stands for itself."""
        return self._values.get(constant, constant)

    def value(self, constant: Value) -> Value:
        if isinstance(constant, int):
            return constant
        if constant not in self._values:
            raise RuleError(f"an answer has the value {constant}, which is no id",
                            remedy="Let rules give ids of stored facts and integers alone")
        return self._values[constant]


def _unused_prefix(text: str) -> str:
    prefix = "c"
    while re.search(rf"\b{prefix}\d", text):
        prefix += "c"
    return prefix


def _restored(texts: tuple[tuple[str, str], ...], deadline_s: float | None,
              constants: Mapping[str, str]) -> Prover:
    return Prover(dict(texts), deadline_s=deadline_s, constants=constants)
