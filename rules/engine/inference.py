"""Exact inference by ProbLog over a prepared program and the facts of one turn.

What is grounded and what is certain is decided here, by the ground formula alone: an answer
that rests on no uncertain fact is TRUE in it and is not compiled. The others are compiled to an
SDD together and evaluated exactly. Only constants that the caller made enter a program
(:mod:`frontdesk.rules.engine.prover`); nothing here imports more than ProbLog.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Any

from problog.engine import DefaultEngine
from problog.errors import ProbLogError
from problog.formula import LogicFormula
from problog.logic import And, AnnotatedDisjunction, Clause, Constant, Not, Term, Var, is_variable
from problog.program import PrologString
from problog.sdd_formula import SDD

from frontdesk.rules.engine.packaged_rules import packaged_text

#: A constant by its name, a number, or None for an argument left open.
Plain = str | int | None
#: Predicate, arguments, probability in (0, 1].
PlainFact = tuple[str, tuple[str | int, ...], float]


class Variable(str):
    """A variable of a rule, by its name."""

    __slots__ = ()


@dataclass(frozen=True)
class PlainRule:
    """A rule of one turn; its constants are the caller's.

    Args:
        heads: Predicate, arguments and probability: one that is certain, or the alternatives of an
            annotated disjunction.
        body: Predicate and arguments of what must hold, and whether it must or must not.
    """

    heads: tuple[tuple[str, tuple[str | int, ...], float], ...]
    body: tuple[tuple[str, tuple[str | int, ...], bool], ...] = ()


#: Values of the arguments left open, probability in (0, 1].
PlainSolution = tuple[tuple[str | int, ...], float]
#: Which of several queries is answered, and all arguments of the answer as ProbLog's terms.
_Answer = tuple[int, tuple[Any, ...]]

#: Uncertain facts and rules that one answer may rest on; an SDD of more can take forever.
MOST_UNCERTAIN = 24
#: The same for a query that collects its solutions in a list: n uncertain ones make 2**n lists.
MOST_COLLECTED = 10
_COLLECTING = ("findall/3", "all/3", "all_or_none/3")
_UNKNOWN_FAILS = 1


class TooUncertainError(Exception):
    """A query rests on more uncertain facts than can be evaluated exactly.

    Args:
        most: The bound that it exceeds.
    """

    def __init__(self, most: int) -> None:
        super().__init__(most)
        self.most = most


class InvalidRuleError(Exception):
    """A rule cannot be evaluated; the message says why."""


@dataclass(frozen=True)
class Rule:
    """A clause of a program, or one alternative of an annotated disjunction.

    Args:
        line: The line that it begins on, from 1.
        head: With its probability, if it has one.
        body: None for a fact.
    """

    file: str
    line: int
    head: Any
    body: Any


@lru_cache
def shipped_program(name: str) -> Program:
    """The program of one of the files of rules that come with frontdesk, e.g. ``actions.pl``."""
    return Program([(name, packaged_text(name))])


class Program:
    """A static program, parsed and prepared once.

    Args:
        texts: Name of each of its files and the text of it.

    Raises:
        InvalidRuleError: It cannot be parsed.
    """

    def __init__(self, texts: Sequence[tuple[str, str]]) -> None:
        source = PrologString("\n".join(text for _, text in texts))
        # The line of the whole that each file begins on.
        ends = accumulate(text.count("\n") + 1 for _, text in texts)
        self._files = [*zip((1, *(end + 1 for end in ends)), (name for name, _ in texts),
                            strict=False)]
        try:
            # Extended once, or each further extension would read ProbLog's library again.
            self.database = DefaultEngine().prepare(source).extend()
            self.rules = [rule for clause in source for rule in self._rules(source, clause)]
        except ProbLogError as error:
            raise InvalidRuleError(self.message(error)) from error
        self.is_certain = all(rule.head.probability is None for rule in self.rules)
        self._collecting = _collecting(self.rules)

    def collects(self, term: Any) -> bool:
        """Whether solutions are collected in a list to evaluate a query or body."""
        return not self._collecting.isdisjoint(_called(term))

    def message(self, error: ProbLogError) -> str:
        """What an error of ProbLog says, with its file, line and column."""
        if not isinstance(error.location, tuple) or len(error.location) != 3:
            return str(error.base_message)
        _, line, column = error.location
        file, line = self._place(line)
        return f"{error.base_message} at {file}{':' if file else ''}{line}:{column}"

    def _rules(self, source: PrologString, clause: Any) -> list[Rule]:
        if isinstance(clause, AnnotatedDisjunction):
            heads, body = clause.heads, clause.body
        elif isinstance(clause, Clause):
            heads, body = [clause.head], clause.body
        else:
            heads, body = [clause], None
        return [Rule(*self._place(source.lineno(head.location)[1]), head, body)
                for head in heads]

    def _place(self, line: int) -> tuple[str, int]:
        """The file of a line of the whole, and the line in it."""
        start, name = max(each for each in self._files if each[0] <= line)
        return name, line - start + 1


class FactSlice:
    """Facts of one turn over a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.size = 0
        #: The stored facts with their probabilities, those of equal facts one after the other.
        self.stored: dict[tuple[str, tuple[str | int, ...]], list[float]] = {}
        self.is_certain = program.is_certain
        self._engine: Any = None
        self.database = program.database.extend()

    def add(self, facts: Iterable[PlainFact | PlainRule]) -> None:
        """Put stored facts, and rules of the turn, into the slice."""
        for each in facts:
            if isinstance(each, PlainRule):
                self._add_rule(each)
                continue
            predicate, arguments, probability = each
            fact = Term(predicate, *map(term, arguments))
            self.database += fact if probability == 1 else fact.with_probability(
                Constant(probability))
            self.stored.setdefault((predicate, arguments), []).append(probability)
            self.is_certain &= probability == 1
            self.size += 1

    def _add_rule(self, rule: PlainRule) -> None:
        heads = [Term(predicate, *map(term, arguments)).with_probability(
            None if probability == 1 else Constant(probability))
            for predicate, arguments, probability in rule.heads]
        goals = [Term(predicate, *map(term, arguments)) if holds
                 else Not("\\+", Term(predicate, *map(term, arguments)))
                 for predicate, arguments, holds in rule.body] or [Term("true")]
        body = And.from_list(goals)
        self.is_certain &= all(probability == 1 for *_, probability in rule.heads)
        self.database += AnnotatedDisjunction(heads, body) if len(heads) > 1 \
            or heads[0].probability is not None else Clause(heads[0], body)
        self.size += 1

    def ask(self, predicate: str, arguments: Sequence[Plain]) -> list[PlainSolution]:
        """The distinct values of the arguments left open, in the order found.

        Raises:
            TooUncertainError: An answer rests on more than :data:`MOST_UNCERTAIN` uncertain facts.
            InvalidRuleError: A rule cannot be evaluated, or an answer is not a constant.
        """
        return self.ask_all([(predicate, arguments)])[0]

    def ask_all(self, questions: Sequence[tuple[str, Sequence[Plain]]]
                ) -> list[list[PlainSolution]]:
        """As :meth:`ask`, to several questions; what these have in common is found out once."""
        queries = [Term(predicate, *map(term, arguments)) for predicate, arguments in questions]
        found = self.solutions(self.database, queries,
                               collects=any(map(self.program.collects, queries)))
        return [[(tuple(plain(value) for value, argument in zip(answer, arguments, strict=True)
                        if argument is None), probability) for answer, probability in own]
                for (_, arguments), own in zip(questions, found, strict=True)]

    def solutions(self, database: Any, queries: Sequence[Term], *, collects: bool
                  ) -> list[list[tuple[tuple[Any, ...], float]]]:
        """Every answer to queries over a database with its probability in (0, 1].

        Args:
            database: That of the slice or an extension of it.
            queries: What is asked; open arguments are None.
            collects: Whether any of them collects solutions in a list.

        Returns:
            Of each query all arguments of each answer as ProbLog's terms, in the order found.

        Raises:
            TooUncertainError: An answer rests on too many uncertain facts.
            InvalidRuleError: A rule cannot be evaluated.
        """
        formula = _CollectingFormula() if collects else LogicFormula()
        engine, self._engine = self._engine or DefaultEngine(unknown=_UNKNOWN_FAILS), None
        try:
            nodes: dict[_Answer, list[Any]] = {}
            for number, query in enumerate(queries):
                _, results = engine._ground(database, query, formula)
                for answer, node in results:
                    nodes.setdefault((number, tuple(answer)), []).append(node)
            self._engine = engine  # after an error it is not fit for another query
            weighted = _weighted(formula, {answer: formula.add_or(own) if len(own) > 1
                                           else own[0] for answer, own in nodes.items()})
        except ProbLogError as error:
            raise InvalidRuleError(self.program.message(error)) from error
        except (ArithmeticError, RecursionError) as error:
            raise InvalidRuleError(f"{query.signature}: {error}") from error
        return [[(answer, probability) for (asked, answer), probability in weighted
                 if asked == number] for number in range(len(queries))]


class _CollectingFormula(LogicFormula):  # type: ignore[misc]
    """A ground formula that takes a number of uncertain atoms at most.

    ProbLog makes further ones of the same class where it collects solutions, and enumerates the
    lists while it grounds: afterwards would be too late.
    """

    def add_atom(self, identifier: Any, probability: Any, *args: Any, **kwargs: Any) -> Any:
        before = self.atomcount
        node = super().add_atom(identifier, probability, *args, **kwargs)
        if self.atomcount > before and isinstance(probability, Constant):
            self._uncertain = getattr(self, "_uncertain", 0) + 1
            if self._uncertain > MOST_COLLECTED:
                raise TooUncertainError(MOST_COLLECTED)
        return node


def _weighted(formula: LogicFormula, nodes: Mapping[_Answer, Any]
              ) -> list[tuple[_Answer, float]]:
    """Answers with their probability; those of probability 0 are left out."""
    certain, impossible = formula.TRUE, formula.FALSE
    names = [Term(f"answer{number}") for number in range(len(nodes))]
    weights: dict[Term, float] = {}
    uncertain = {name: node for name, node in zip(names, nodes.values(), strict=True)
                 if node != certain and node != impossible}
    for name, node in uncertain.items():
        if _atoms(formula, node) > MOST_UNCERTAIN:
            raise TooUncertainError(MOST_UNCERTAIN)
        formula.add_name(name, node, formula.LABEL_QUERY)
    if uncertain:
        weights = SDD.create_from(formula).evaluate()
    found = []
    for name, (answer, node) in zip(names, nodes.items(), strict=True):
        probability = 1.0 if node == certain else float(weights.get(name, 0.0))
        if probability > 0:
            found.append((answer, min(probability, 1.0)))
    return found


def _atoms(formula: LogicFormula, node: int) -> int:
    """The number of atoms that a node of a formula rests on."""
    seen: set[int] = set()
    left = [abs(node)]
    atoms = 0
    while left:
        each = left.pop()
        if each in seen or each == formula.TRUE:
            continue
        seen.add(each)
        found = formula.get_node(each)
        if type(found).__name__ == "atom":
            atoms += 1
        else:
            left += [abs(child) for child in found.children]
    return atoms


def _collecting(rules: Iterable[Rule]) -> frozenset[str]:
    """Signatures of what collects solutions, directly or not."""
    found = set(_COLLECTING)
    grown = 0
    while grown != len(found):
        grown = len(found)
        found |= {rule.head.signature for rule in rules
                  if not found.isdisjoint(_called(rule.body))}
    return frozenset(found)


def _called(body: Any) -> set[str]:
    """Signatures of all that occurs in a body; more than is called, never less."""
    if not isinstance(body, Term) or is_variable(body) or isinstance(body, Constant):
        return set()
    return {body.signature}.union(*map(_called, body.args))


def term(value: Plain) -> Any:
    """ProbLog's term for a constant, a number or an open argument."""
    if value is None:
        return None
    if isinstance(value, Variable):
        return Var(str(value))
    return Constant(value) if isinstance(value, int) else Term(value)


def plain(value: Any) -> str | int:
    """The name of a constant or the number that one of ProbLog's terms is.

    Raises:
        InvalidRuleError: It is something else.
    """
    if isinstance(value, Constant) and isinstance(value.functor, int):
        return value.functor
    if isinstance(value, Term) and not is_variable(value) and value.arity == 0 \
            and not isinstance(value, Constant):
        return str(value)
    raise InvalidRuleError(f"an answer has the value {value}, which is no constant or integer")
