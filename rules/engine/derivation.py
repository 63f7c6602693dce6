"""Facts that follow, program by program: the slice around a goal, questions, provenance."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from typing import Any, Protocol

from problog.program import PrologString

from frontdesk.kg.graph.entities import EntityType
from frontdesk.kg.graph.errors import DeadlineError, ProverError, UncertaintyError
from frontdesk.kg.graph.fact_base import FactBase
from frontdesk.kg.graph.facts import Argument, Fact, Provenance
from frontdesk.rules.engine.derived import Derived
from frontdesk.rules.engine.goal import Goal
from frontdesk.rules.engine.proofs import Proof
from frontdesk.rules.engine.prover import Prover, Slice, Value
from frontdesk.rules.engine.prover_process import Budget

#: Entities of one type that facts are derived for, the most probable first.
MOST = 4


@cache
def _arities(text: str) -> dict[str, int]:
    """The number of arguments of every predicate that a program defines."""
    heads = (getattr(clause, "head", clause) for clause in PrologString(text))
    return {str(head.functor): head.arity for head in heads}


class Derivation:
    """One turn's reasoning over the slice of the graph around a goal.

    Args:
        slice_: An empty slice over the program.
    """

    #: Name of the file with the rules.
    program = ""

    def __init__(self, base: FactBase, slice_: Slice, goal: Goal, text: str) -> None:
        self.base, self.slice, self.goal = base, slice_, goal
        self.arities = _arities(text)
        self.facts: list[Fact] = []
        self.proofs: dict[Fact, Callable[[], Proof | None]] = {}
        #: What was last asked with each predicate, all arguments of each answer.
        self._answers: dict[str, list[tuple[Value, ...]]] = {}

    def of_goal(self, kind: EntityType) -> list[str]:
        """The entities of the goal of a type, the most probable first."""
        found = [each for each in self.goal.entities if self.base.entity(each).type is kind]
        return sorted(found, key=lambda each: -self.goal.entities[each])[:MOST]

    def run(self) -> list[Fact]:
        """The derived facts."""
        raise NotImplementedError

    def add(self, predicate: str, *arguments: str | int) -> None:
        """Put a stored fact into the slice."""
        self.slice.add(predicate, *arguments)

    def ask(self, predicate: str, *arguments: Value | None) -> list[tuple[Any, ...]]:
        """The distinct values of the arguments left open, for every solution.

        Raises:
            ReasoningError: There is no answer, see :meth:`frontdesk.rules.engine.prover.Slice.ask`.
        """
        found = [solution.values for solution in self.slice.ask(predicate, *arguments)]
        self._answers[predicate] = [_filled(arguments, values) for values in found]
        return found

    def derived(self, predicate: str, *arguments: Argument, rule: str = "",
                premises: Iterable[Fact] = ()) -> None:
        """Add a fact, as probable as the links to the entities of the goal it is about.

        Args:
            rule: The predicate of the rules that it was asked for with, if that is another.
        """
        rule = rule or predicate
        probability = self.goal.probability(
            argument for argument in arguments if isinstance(argument, str))
        fact = Fact(predicate, arguments, probability, Provenance(
            f"{self.program}:{rule}/{self.arities[rule]}",
            tuple(dict.fromkeys(self.readable(each) for each in premises))))
        self.facts.append(fact)
        answers = self._answers.get(rule)
        if answers:
            # Of a fact about several, the answer that it says most of.
            said = {item for each in arguments
                    for item in (each if isinstance(each, tuple) else (each,))}
            answer = max(answers, key=lambda each: len(said.intersection(each)))
            self.proofs[fact] = partial(self.slice.prove, rule, *answer)

    def readable(self, fact: Fact) -> str:
        """``distance(Corner Fuel, 2 miles)``."""
        said = [self.base.entity(each).name if isinstance(each, str) and each in self.base
                else str(each) for each in fact.arguments]
        return f"{fact.predicate}({', '.join(said)})"

    def stored(self, entities: Iterable[str], *predicates: str) -> list[Fact]:
        """The stored facts of some predicates about entities, for premises."""
        return [fact for entity in entities for fact in self.base.facts_about(entity)
                if fact.predicate in predicates]

    def by_name(self, entities: Iterable[str]) -> tuple[str, ...]:
        """Entities in the order of their names."""
        return tuple(sorted(entities, key=lambda each: (self.base.entity(each).name, each)))


def _filled(arguments: tuple[Value | None, ...], values: tuple[Value, ...]) -> tuple[Value, ...]:
    """The arguments of a question with the values of those left open."""
    left = iter(values)
    return tuple(next(left) if each is None else each for each in arguments)


class RuleReasoner:
    """Derives facts by programs, each about something else.

    As in :mod:`frontdesk.rules.organisation.organisation_reasoner` facts are derived goal-directed,
    over the slice of the graph around the entities of the goal, and are as probable as the links
    they rest on.

    Args:
        programs: How facts are derived, each with the text of its program.
        deadline_s: Seconds that the rules may take in one turn, all programs together. With a
            deadline they are evaluated in processes of their own, which are killed when the time
            is used up; what has been derived by then stands. Waiting for them to start, or for
            the questions of other turns, does not count. None for no limit, in this process.
    """

    def __init__(self, base: FactBase, programs: Mapping[MakeDerivation, str], *,
                 deadline_s: float | None = None) -> None:
        self.base, self._programs, self._deadline_s = base, programs, deadline_s
        self._provers = {make: Prover({make.program: text}, deadline_s=deadline_s)
                         for make, text in programs.items()}

    def derive(self, goal: Goal, *, now: dt.datetime) -> Derived:
        """The derived facts for a goal, each with its probability, rule and proof.

        Args:
            now: Not used: what there is to know of the present stands in the graph.

        Raises:
            RuleError: A rule cannot be evaluated.
        """
        facts: list[Fact] = []
        notes: list[str] = []
        proofs: dict[Fact, Callable[[], Proof | None]] = {}
        budget = Budget(self._deadline_s)
        for make, prover in self._provers.items():
            derivation = make(self.base, prover.slice(budget), goal, self._programs[make])
            try:
                derivation.run()
            except DeadlineError:
                notes.append(f"reasoning was cut short after {budget.seconds:g} s: "
                             "there may be more to say")
            except (UncertaintyError, ProverError) as error:
                notes.append(f"something could not be looked up: {error.message}")
            facts += derivation.facts
            proofs.update(derivation.proofs)
        return Derived(tuple(dict.fromkeys(facts)), tuple(dict.fromkeys(notes)), proofs)


class MakeDerivation(Protocol):
    """Makes the derivation of a turn, as a class of :class:`Derivation` does."""

    @property
    def program(self) -> str:
        """Name of the file with the rules."""
        ...

    def __call__(self, base: FactBase, slice_: Slice, goal: Goal, text: str, /) -> Derivation:
        """A derivation over an empty slice."""
        ...
