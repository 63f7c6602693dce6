"""Which variables of a clause get their values from which others, and which of these are new ones.

Numbers are made by calculating, lists by collecting and compound terms by ``=``; a predicate of the
program makes what its rules make. Everything else passes on what stored facts hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from problog.logic import Constant, Term, Var

from frontdesk.rules.house_rules.rule_goals import COLLECT, Goal, goals, variables
from frontdesk.rules.house_rules.rule_parser import Statement, signature

#: Ways from a value to one made from it: a number up or down, one moved by a number that the clause
#: does not state, anything else; the same value or a part of it.
UP, DOWN, SHIFT, UNKNOWN, SAME = "up", "down", "shift", "unknown", ""
#: Builtins that make a value: the positions of what it is made from, and its own.
_MAKES = {"is/2": ((1,), 0), "succ/2": ((0,), 1), "plus/3": ((0, 1), 2), "length/2": ((0,), 1),
          "between/3": ((0, 1), 2), "sort/2": ((0,), 1), "findall/3": ((0, 1), 2),
          "all/3": ((0, 1), 2)}


@dataclass(frozen=True)
class Derivation:
    """A variable whose value comes from another: both names, and the way from one to the other."""

    given: str
    made: str
    way: str


@dataclass
class Helper:
    """What a predicate does with values.

    Args:
        makes: Positions of arguments that may hold a new value.
        passes: Positions of arguments that may hold one it is given, or a part of one.
    """

    makes: set[int] = field(default_factory=set)
    passes: set[int] = field(default_factory=set)


def helpers(statements: Iterable[Statement], needs: Mapping[str, set[int]]) -> dict[str, Helper]:
    """What the predicates of a program do with values, by ``name/arity``.

    Args:
        needs: By ``name/arity`` the positions of the arguments that need a value.
    """
    clauses = [(head, goals(statement.body)) for statement in statements
               for head in statement.heads]
    found = {signature(head): Helper() for head, _ in clauses}
    before = -1
    while before != (before := sum(len(each.makes) + len(each.passes)
                                   for each in found.values())):
        for head, asked in clauses:
            needed = needs.get(signature(head), set())
            inputs = frozenset(name for position in needed
                               for name in variables(head.args[position]))
            given, made = set(inputs), set()
            for goal in asked:
                for each in derivations(goal, inputs, found, needs):
                    if each.way or each.given in made:
                        made.add(each.made)
                    if each.given in given:
                        given.add(each.made)
            for position, argument in enumerate(head.args):
                if made.intersection(variables(argument)):
                    found[signature(head)].makes.add(position)
                elif position not in needed and given.intersection(variables(argument)):
                    found[signature(head)].passes.add(position)
    return found


def derivations(goal: Goal, inputs: frozenset[str], program: Mapping[str, Helper],
                needs: Mapping[str, set[int]]) -> Iterator[Derivation]:
    """Which variables get their values from which others when a goal is asked.

    Args:
        inputs: The variables of the clause that have values from the start.
        program: What the predicates that it may ask for do with values.
        needs: By ``name/arity`` the positions of the arguments that need a value.
    """
    arguments = goal.term.args
    if goal.signature == "=/2":
        for given, made in (arguments, arguments[::-1]):
            for name in variables(made).keys() - inputs - goal.before:
                for source in variables(given):
                    yield Derivation(source, name, SAME if isinstance(given, Var) else UNKNOWN)
    elif goal.signature in _MAKES:
        positions, out = _MAKES[goal.signature]
        for position in positions:
            for source in variables(arguments[position]):
                for name in variables(arguments[out]):
                    yield Derivation(source, name, _way(goal, position, source))
    elif goal.signature in program:
        helper = program[goal.signature]
        results = helper.makes | helper.passes
        for position, argument in enumerate(arguments):
            targets = set() if position in results else helper.makes
            if position in needs.get(goal.signature, ()):
                targets = targets | helper.passes
            for source in variables(argument):
                for out in targets - {position}:
                    way = SAME if out in helper.passes and isinstance(argument, Var) else UNKNOWN
                    for name in variables(arguments[out]):
                        yield Derivation(source, name, way)


def bounds(term: Term) -> Iterator[tuple[Any, Any]]:
    """The lower and the higher of what a goal compares."""
    name = signature(term)
    if name in ("</2", "=</2"):
        yield term.args[0], term.args[1]
    elif name in (">/2", ">=/2"):
        yield term.args[1], term.args[0]
    elif name == "between/3":
        yield term.args[2], term.args[1]
        yield term.args[0], term.args[2]


def _way(goal: Goal, position: int, source: str) -> str:
    """The way from a variable in an argument of a builtin to what the builtin makes."""
    argument = goal.term.args[position]
    if goal.signature == "is/2":
        return _calculated(argument, source)
    if goal.signature == "plus/3":
        return _calculated(Term("+", *goal.term.args[:2]), source)
    if goal.signature in COLLECT or not isinstance(argument, Var):
        return UNKNOWN
    if goal.signature == "between/3":
        return UP if position == 0 else DOWN
    return UP if goal.signature == "succ/2" else SAME


def _calculated(expression: Any, source: str) -> str:
    """Which way a number goes that is calculated so: ``N + 1`` up, ``N - 1`` down."""
    if isinstance(expression, Var):
        return SAME
    if signature(expression) not in ("+/2", "-/2"):
        return UNKNOWN
    left, right = expression.args
    if signature(expression) == "+/2" and not (isinstance(left, Var) and str(left) == source):
        left, right = right, left
    if not isinstance(left, Var) or str(left) != source or source in variables(right):
        return UNKNOWN
    if not isinstance(right, Constant) or not isinstance(right.functor, int):
        return SHIFT
    value = right.functor if signature(expression) == "+/2" else -right.functor
    return UP if value > 0 else DOWN if value < 0 else SAME
