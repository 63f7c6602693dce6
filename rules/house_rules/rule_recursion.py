"""Whether a program comes to an end: no recursion through negation, none that goes on for ever.

ProbLog keeps a table of what it has asked, so recursion ends wherever only finitely many different
things can be asked and answered. That holds as long as a rule passes on what stored facts hold:
``linked(X, Y) :- linked(X, Z), next_to(Z, Y)`` is in order, left recursion or not. It need not hold
once values are made on the way. Refused are, in predicates that ask for each other in a circle:

- a rule that asks for exactly what it concludes, which says nothing;
- a call with a list or another compound term of variables: it can grow with each round;
- a number, list or term made from one of the round before, by ``is``, ``findall`` or ``=`` for
  example, and handed on to the next, unless the clause compares it, or what of the round before it
  is made from, with something that does not change from round to round: an upper limit for a count
  upwards, a lower one for a count downwards, both where the step is not known, and both for the
  same value where it is no step at all. What a stored fact holds is limited too. A limit holds on
  every way through the clause, inside no alternative, and that for what a call asks for stands
  before that call. Where all calls pass on a list that the head takes apart, or leave it as it is,
  the list is the limit;
- negation and ``findall``: what is not so would depend on itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import networkx as nx
from problog.logic import Term, Var

from frontdesk.rules.house_rules.rule_goals import BUILTINS, COLLECT, META, Goal, goals, variables
from frontdesk.rules.house_rules.rule_parser import RuleText, Statement, offset_of, signature
from frontdesk.rules.house_rules.value_flow import (
    DOWN,
    SAME,
    UNKNOWN,
    UP,
    Derivation,
    Helper,
    bounds,
    derivations,
    helpers,
)

_Clause = tuple[RuleText, Statement]
#: A place where values come into a round of a recursion: what, predicate, position. "in" is an
#: argument that a call gives, "out" one that it gets back.
_Port = tuple[str, str, int]
#: A variable on the way back to where a value comes from: its name, the ways from it, the goal that
#: makes the value last, the limits met on the way, and whether one value there has both.
_Way = tuple[str, frozenset[str], Term | None, frozenset[str], bool]
_UPPER, _LOWER = "upper", "lower"
_BUILTINS = frozenset({*BUILTINS, *META, *COLLECT, "=/2"})


def check_recursion(clauses: Sequence[_Clause], checked: Iterable[int],
                    needs: Mapping[str, set[int]]) -> None:
    """Add what is wrong with the recursion of a program to the problems of its texts.

    Args:
        checked: Identities (``id``) of the texts that problems are added to.
        needs: By ``name/arity`` the positions of the arguments that need a value.
    """
    calls = nx.DiGraph()
    for _, statement in clauses:
        for head in statement.heads:
            calls.add_node(signature(head))
            calls.add_edges_from((signature(head), goal.signature)
                                 for goal in goals(statement.body))
    program = helpers([statement for _, statement in clauses], needs)
    checked = frozenset(checked)
    for circle in nx.strongly_connected_components(calls):
        if len(circle) == 1 and not calls.has_edge(*circle, *circle):
            continue
        rounds = [_Round(text, statement, head, circle, program, needs)
                  for text, statement in clauses for head in statement.heads
                  if signature(head) in circle]
        shrinking = _shrinking(rounds)
        flows = nx.MultiDiGraph()
        for each in rounds:
            if id(each.text) in checked:
                each.check()
            each.add_flows(flows, shrinking)
        _check_growth(flows, checked)


def _check_growth(flows: Any, checked: frozenset[int]) -> None:
    for ports in nx.strongly_connected_components(flows):
        for _, _, made in flows.subgraph(ports).edges(data="made"):
            if made is not None and id(made.text) in checked:
                problem = made.text.problem(
                    offset_of(made.term, made.statement.start),
                    f"{made.variable} is made anew in each round without a limit",
                    "Compare it with a limit before the rule asks for itself, with two where the "
                    "step is no number")
                if problem not in made.text.problems:
                    made.text.problems.append(problem)


@dataclass(frozen=True)
class _Made:
    """A value made in a round."""

    text: RuleText
    statement: Statement
    term: Term
    variable: str


@dataclass
class _Origin:
    """Where the value of a variable comes from.

    Args:
        ports: Where it comes into the clause.
        steps: How it comes from other variables, with the goal that does so.
    """

    ports: set[_Port] = field(default_factory=set)
    steps: list[tuple[Derivation, Term]] = field(default_factory=list)


class _Round:
    """One clause of predicates that ask for each other in a circle."""

    def __init__(self, text: RuleText, statement: Statement, head: Term, circle: set[str],
                 program: Mapping[str, Helper], needs: Mapping[str, set[int]]) -> None:
        self.text, self.statement, self.head = text, statement, head
        self.program, self.needs = program, needs
        self.goals = goals(statement.body)
        self.calls = [goal for goal in self.goals if goal.signature in circle]

    def check(self) -> None:
        """Add the problems that show in the clause alone."""
        for call in self.calls:
            at = offset_of(call.term, self.statement.start)
            if call.negated:
                self._add(at, f"{signature(self.head)} depends on what {call.signature} does not "
                          "give, which depends on it in turn", "Divide one of them in two")
            elif call.signature == signature(self.head) and [
                    str(each) for each in call.term.args] == [str(each) for each in self.head.args]:
                self._add(at, f"{call.term} asks for itself again, for ever",
                          "Change an argument on the way or leave the rule out")
            elif any(not isinstance(each, Var) and variables(each) for each in call.term.args):
                self._add(at, f"{call.term} can ask for something longer in each round, for ever",
                          "Pass on variables only")

    def _add(self, at: int, what: str, remedy: str) -> None:
        self.text.problems.append(self.text.problem(at, what, remedy))

    def shrinks(self, call: Goal, position: int) -> bool:
        """Whether a call gets a part of a compound argument of the head."""
        given, whole = call.term.args[position], self.head.args[position]
        return (isinstance(given, Var) and not isinstance(whole, Var) and str(given) != "_"
                and str(given) in variables(whole))

    def add_flows(self, flows: Any, shrinking: set[int]) -> None:
        """Add an edge for every way a value takes from round to round, with what makes it anew.

        Args:
            flows: The graph of ports that edges are added to.
            shrinking: Positions at which no round gets more than the one before.
        """
        name = signature(self.head)
        origins: dict[str, _Origin] = defaultdict(_Origin)
        for position in self.needs.get(name, ()):
            for variable in variables(self.head.args[position]):
                origins[variable].ports.add(("in", name, position))
        inputs = frozenset(origins)
        ends = bool(self.calls) and any(all(self.shrinks(call, position) for call in self.calls)
                                        for position in shrinking)
        for goal in self.goals:
            if goal.negated:
                continue
            if goal not in self.calls:
                for each in derivations(goal, inputs, self.program, self.needs):
                    if each.given != each.made and each.given in origins:
                        origins[each.made].steps.append((each, goal.term))
                continue
            for position, argument in enumerate(goal.term.args):
                port = position in self.needs.get(goal.signature, ())
                for variable in variables(argument):
                    if port:
                        self._flow(flows, origins, variable, ("in", goal.signature, position),
                                   ends, goal.order)
                    else:
                        origins[variable].ports.add(("out", goal.signature, position))
        for position, argument in enumerate(self.head.args):
            for variable in variables(argument):
                self._flow(flows, origins, variable, ("out", name, position), ends,
                           len(self.goals))

    def _flow(self, flows: Any, origins: Mapping[str, _Origin], variable: str, target: _Port,
              ends: bool, order: int) -> None:
        """Add edges to a port from all that the value of a variable comes from."""
        limits = self._limits(origins, order)
        open_: list[_Way] = [(variable, frozenset(), None, frozenset(), False)]
        seen = set(open_)
        while open_:
            name, ways, term, met, held = open_.pop()
            met, held = met | limits[name], held or len(limits[name]) == 2
            limited = ends or held or (
                UNKNOWN not in ways and (_UPPER in met or ways == {DOWN})
                and (_LOWER in met or ways == {UP}))
            made = None if term is None or limited else _Made(
                self.text, self.statement, term, variable)
            origin = origins.get(name, _Origin())
            for port in origin.ports:
                flows.add_edge(port, target, made=made)
            for step, goal in origin.steps:
                way = (step.given, ways | ({step.way} - {SAME}),
                       term or (goal if step.way else None), met, held)
                if way not in seen:
                    seen.add(way)
                    open_.append(way)

    def _limits(self, origins: Mapping[str, _Origin], order: int) -> dict[str, frozenset[str]]:
        """The limits by which comparisons that precede a goal hold variables, on every way to it.

        Only what does not come from the round before is a limit. What a stored fact holds has both.
        """
        limits: dict[str, frozenset[str]] = defaultdict(frozenset)
        for goal in self.goals:
            if goal.certain and goal.order <= order:
                if goal.signature not in self.program and goal.signature not in _BUILTINS:
                    limits.update(dict.fromkeys(variables(goal.term), frozenset({_UPPER, _LOWER})))
                for low, high in bounds(goal.term):
                    if isinstance(low, Var) and _steady(high, origins):
                        limits[str(low)] |= {_UPPER}
                    if isinstance(high, Var) and _steady(low, origins):
                        limits[str(high)] |= {_LOWER}
        return limits


def _shrinking(rounds: Sequence[_Round]) -> set[int]:
    """The positions at which every call gets what the head has there, or a part of it."""
    def kept(each: _Round, call: Goal, position: int) -> bool:
        if position >= min(call.term.arity, each.head.arity):
            return False
        given = call.term.args[position]
        return each.shrinks(call, position) or (
            isinstance(given, Var) and str(given) != "_"
            and str(given) == str(each.head.args[position]))

    return {position for position in range(min(each.head.arity for each in rounds))
            if all(kept(each, call, position) for each in rounds for call in each.calls)}


def _steady(term: Any, origins: Mapping[str, _Origin]) -> bool:
    """Whether a value does not come from the round before."""
    return not any(name in origins and (origins[name].ports or origins[name].steps)
                   for name in variables(term))
