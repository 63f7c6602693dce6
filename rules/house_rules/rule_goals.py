"""The goals of clauses: what their bodies ask for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from problog.logic import And, Constant, Not, Or, Term, Var

from frontdesk.rules.house_rules.rule_parser import arguments_of, signature

#: Builtins of ProbLog that rules may use: the arguments that need values, those that get one.
BUILTINS: Mapping[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "true/0": ((), ()), "fail/0": ((), ()), "false/0": ((), ()),
    **dict.fromkeys(("</2", "=</2", ">/2", ">=/2", "=:=/2", "=\\=/2", "\\=/2", "@</2", "@=</2",
                     "@>/2", "@>=/2"), ((0, 1), ())),
    "is/2": ((1,), (0,)), "succ/2": ((0,), (1,)), "plus/3": ((0, 1), (2,)),
    "between/3": ((0, 1), (2,)), "length/2": ((0,), (1,)), "sort/2": ((0,), (1,)),
}
#: Those that calculate.
ARITHMETIC = frozenset({"is/2", "</2", "=</2", ">/2", ">=/2", "=:=/2", "=\\=/2"})
#: Builtins that ask for what their only argument says.
META = frozenset({"call/1", "once/1"})
#: Builtins that collect the answers to what their second argument asks.
COLLECT = frozenset({"findall/3", "all/3"})


@dataclass(frozen=True)
class Goal:
    """An atom that a clause asks for.

    Args:
        negated: It stands inside a negation or a ``findall``.
        certain: Every way through the body asks for it: it stands inside no alternative either.
        before: The variables that have values by what is asked before it, on every way to it.
    """

    term: Term
    negated: bool
    certain: bool
    order: int
    before: frozenset[str]

    @property
    def signature(self) -> str:
        """``name/arity``."""
        return signature(self.term)


def goals(body: Any) -> list[Goal]:
    """The atoms that a body asks for, in order, those inside negations and the like too."""
    return [Goal(term, negated, certain, order, before) for order, (
        term, negated, certain, before) in enumerate(_atoms(body, False, True, frozenset()))]


def _atoms(body: Any, negated: bool, certain: bool,
           before: frozenset[str]) -> Iterator[tuple[Term, bool, bool, frozenset[str]]]:
    if isinstance(body, And):
        yield from _atoms(body.args[0], negated, certain, before)
        yield from _atoms(body.args[1], negated, certain, before | _settled(body.args[0]))
    elif isinstance(body, Or):
        for part in body.args:
            yield from _atoms(part, negated, False, before)
    elif isinstance(body, Not):
        yield from _atoms(body.child, True, False, before)
    elif isinstance(body, Term) and not isinstance(body, Var | Constant):
        yield body, negated, certain, before
        if signature(body) in META:
            yield from _atoms(body.args[0], negated, certain, before)
        elif signature(body) in COLLECT:
            yield from _atoms(body.args[1], True, False, before)


def _settled(body: Any) -> frozenset[str]:
    """The variables that have values once a body has been asked."""
    if isinstance(body, And):
        return _settled(body.args[0]) | _settled(body.args[1])
    if isinstance(body, Or):
        return _settled(body.args[0]) & _settled(body.args[1])
    if isinstance(body, Not):
        return frozenset()
    if isinstance(body, Term) and not isinstance(body, Var) and signature(body) in COLLECT:
        return frozenset(variables(body.args[2]))
    if isinstance(body, Term) and not isinstance(body, Var) and signature(body) in META:
        return _settled(body.args[0])
    return frozenset(variables(body))


def variables(term: Any) -> dict[str, Var]:
    """The variables in a term by name, ``_`` too."""
    if isinstance(term, Var):
        return {str(term): term}
    if isinstance(term, list | tuple):
        return {name: var for part in term for name, var in variables(part).items()}
    children = (term.args[0], term.args[1]) if isinstance(term, And | Or) else arguments_of(term)
    return {name: var for part in children for name, var in variables(part).items()}
