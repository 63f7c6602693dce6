"""The linking rules, compiled once and evaluated for many (mention, entity) pairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any

from problog.engine import DefaultEngine
from problog.logic import AnnotatedDisjunction, Clause, Constant, Term
from problog.program import PrologString
from problog.sdd_formula import SDD

from frontdesk.kg.errors import FormatError

_MENTION, _ENTITY = Term("m"), Term("e")
_QUERY = Term("refers_to", _MENTION, _ENTITY)
#: A piece of evidence: predicate and the constant in its last place, if the rules give one.
Evidence = tuple[str, float | None]


class LinkingCircuit:
    """``linking.pl`` as a circuit (an SDD) over the evidence of one pair.

    Every literal that no rule of the program defines is evidence. The program is grounded and
    compiled for one pair with all its evidence uncertain; a pair's probability is then the
    circuit's weighted model count with that pair's evidence as weights, exactly what ProbLog
    gives for the pair's own program.

    Args:
        program: Text of the rules; the packaged ``linking.pl`` by default.

    Raises:
        FormatError: The rules use evidence in a form that is not known.
    """

    def __init__(self, program: str | None = None) -> None:
        text = program if program is not None else linking_program()
        self._terms = _evidence(text)
        self.evidence: tuple[Evidence, ...] = tuple(self._terms)
        database = DefaultEngine().prepare(PrologString(text)).extend()
        for term in self._terms.values():
            database += term.with_probability(Constant(0.5))
        ground = DefaultEngine(label_all=True).ground_all(database, queries=[_QUERY])
        self._circuit = SDD.create_from(ground)
        self._evaluate = lru_cache(maxsize=8192)(self._evaluate_once)

    def probability(self, evidence: Mapping[Evidence, float]) -> float:
        """P(refers_to) of a pair.

        Args:
            evidence: Probability in [0, 1] of each piece of evidence; what is missing is false.
        """
        return self._evaluate(tuple(evidence.get(each, 0.0) for each in self.evidence))

    def _evaluate_once(self, values: tuple[float, ...]) -> float:
        weights = {term: Constant(value)
                   for term, value in zip(self._terms.values(), values, strict=True)}
        return float(self._circuit.evaluate(weights=weights)[_QUERY])


def linking_program() -> str:
    """The text of the packaged linking rules."""
    return (files("frontdesk.rules") / "linking.pl").read_text(encoding="utf-8")


def _evidence(text: str) -> dict[Evidence, Term]:
    """The evidence that a program's rules use, each as the atom that stands for it."""
    clauses = list(PrologString(text))
    defined = {(head.functor, head.arity) for clause in clauses for head in _heads(clause)}
    found: dict[Evidence, Term] = {}
    for clause in clauses:
        for literal in _literals(getattr(clause, "body", None)):
            if (literal.functor, literal.arity) in defined:
                continue
            evidence, atom = _atom(literal)
            if found.setdefault(evidence, atom) != atom:
                raise _unknown_form(f"the evidence {literal} is also used as {found[evidence]}")
    return found


def _atom(literal: Term) -> tuple[Evidence, Term]:
    arguments, constant = [], None
    for argument in literal.args:
        if str(argument) == "M":
            arguments.append(_MENTION)
        elif str(argument) == "E":
            arguments.append(_ENTITY)
        elif isinstance(argument, Constant) and constant is None:
            constant = float(argument)
            arguments.append(argument)
        else:
            raise _unknown_form(f"the evidence {literal} has the argument {argument}")
    return (str(literal.functor), constant), Term(literal.functor, *arguments)


def _unknown_form(what: str) -> FormatError:
    return FormatError(what, place="linking.pl",
                       remedy="Use M, E and at most one number in evidence, always alike")


def _heads(clause: Any) -> list[Term]:
    if isinstance(clause, Clause):
        return [clause.head]
    if isinstance(clause, AnnotatedDisjunction):
        return list(clause.heads)
    return [clause]


def _literals(body: Any) -> Iterator[Term]:
    if body is None:
        return
    if body.functor in (",", ";"):
        for argument in body.args:
            yield from _literals(argument)
    elif body.functor == "\\+":
        yield from _literals(body.args[0])
    else:
        yield body
