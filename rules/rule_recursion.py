"""Whether a program comes to an end: no recursion through negation, none that goes on for ever.

ProbLog keeps a table of what it has asked, so recursion ends wherever only finitely many different
things can be asked and answered. That holds as long as a rule passes on what stored facts hold:
``linked(X, Y) :- linked(X, Z), next_to(Z, Y)`` is in order, left recursion or not. It need not hold
once values are made on the way. Refused are, in predicates that ask for each other in a circle:

- a rule that asks for exactly what it concludes, which says nothing;
- a call with a list or another compound term of variables: it can grow with each round;
- a number (or term) made from one of the round before, by ``is`` for example, and handed on to the
  next, unless the clause compares it, or what it is made from, with something that does not change
  from round to round: an upper limit for a count upwards, a lower one for a count downwards, both
  where the step is not known. A limit for what a call asks for must stand before that call. Where
  the head takes a list apart and the call gets a part of it, the list is the limit;
- negation and ``findall``: what is not so would depend on itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import networkx as nx
from problog.logic import Constant, Term, Var

from frontdesk.rules.rule_goals import Goal, goals, variables
from frontdesk.rules.rule_parser import RuleText, Statement, offset_of, signature

_Clause = tuple[RuleText, Statement]
#: A place where values come into a round of a recursion: what, predicate, position. "in" is an
#: argument that a call gives, "out" one that it gets back.
_Port = tuple[str, str, int]
_UP, _DOWN, _UNKNOWN = "up", "down", "unknown"
_MAKES = {"is/2": (1, 0), "succ/2": (0, 1), "length/2": (0, 1), "between/3": (1, 2)}
_UPPER = {"</2": (0, 1), "=</2": (0, 1), ">/2": (1, 0), ">=/2": (1, 0)}


def check_recursion(clauses: Sequence[_Clause], checked: Iterable[int],
                    needs: Mapping[str, set[int]]) -> None:
    """Add what is wrong with the recursion of a program to the problems of its texts.

    Args:
        clauses: All clauses that go together.
        checked: Identities (``id``) of the texts that problems are added to.
        needs: By ``name/arity`` the positions of the arguments that need a value.
    """
    calls = nx.DiGraph()
    for _, statement in clauses:
        for head in statement.heads:
            calls.add_node(signature(head))
            calls.add_edges_from((signature(head), goal.signature)
                                 for goal in goals(statement.body))
    makers = _makers(clauses)
    checked = frozenset(checked)
    for circle in nx.strongly_connected_components(calls):
        if len(circle) == 1 and not calls.has_edge(*circle, *circle):
            continue
        rounds = [_Round(text, statement, head, circle, makers, needs)
                  for text, statement in clauses for head in statement.heads
                  if signature(head) in circle]
        flows = nx.MultiDiGraph()
        for each in rounds:
            if id(each.text) in checked:
                each.check()
            each.add_flows(flows)
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
    """Where the value of a variable comes from: ports, the step on the way, what made it."""

    ports: set[_Port] = field(default_factory=set)
    step: str = ""
    made: Term | None = None
    through: set[str] = field(default_factory=set)


class _Round:
    """One clause of predicates that ask for each other in a circle."""

    def __init__(self, text: RuleText, statement: Statement, head: Term, circle: set[str],
                 makers: Mapping[str, set[int]], needs: Mapping[str, set[int]]) -> None:
        self.text, self.statement, self.head = text, statement, head
        self.circle, self.makers, self.needs = circle, makers, needs
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

    def add_flows(self, flows: Any) -> None:
        """Add an edge for every way a value takes from round to round, with what makes it anew."""
        name = signature(self.head)
        origins: dict[str, _Origin] = defaultdict(_Origin)
        for position in self.needs.get(name, ()):
            for variable in variables(self.head.args[position]):
                origins[variable].ports.add(("in", name, position))
        structural = self._takes_apart()
        for goal in self.goals:
            if goal.negated:
                continue
            if goal in self.calls:
                for position, argument in enumerate(goal.term.args):
                    given = position in self.needs.get(goal.signature, ())
                    for variable in variables(argument):
                        if given:
                            self._flow(flows, origins, variable, ("in", goal.signature, position),
                                       structural, goal.order)
                        else:
                            origins[variable].ports.add(("out", goal.signature, position))
            else:
                self._make(goal, origins)
        for position, argument in enumerate(self.head.args):
            for variable in variables(argument):
                self._flow(flows, origins, variable, ("out", name, position), structural,
                           len(self.goals))

    def _flow(self, flows: Any, origins: Mapping[str, _Origin], variable: str, target: _Port,
              structural: bool, order: int) -> None:
        origin = origins.get(variable, _Origin())
        limited = origin.made is None or structural or self._is_limited(
            {variable, *origin.through}, origin.step, origins, order)
        made = None if limited or origin.made is None else _Made(
            self.text, self.statement, origin.made, variable)
        for port in origin.ports:
            flows.add_edge(port, target, made=made)

    def _make(self, goal: Goal, origins: dict[str, _Origin]) -> None:
        """Note which variables a goal makes from which."""
        term, step = goal.term, _UNKNOWN
        if goal.signature in _MAKES:
            given, made = (term.args[each] for each in _MAKES[goal.signature])
            step = _step(given)
            if goal.signature == "succ/2":
                step = _UP
            pairs = [(given, made)]
        elif goal.signature == "plus/3":
            pairs = [(Term("+", *term.args[:2]), term.args[2])]
            step = _step(pairs[0][0])
        elif goal.signature == "=/2":
            pairs = [(term.args[0], term.args[1]), (term.args[1], term.args[0])]
            if all(isinstance(each, Var) for each in term.args):
                step = ""
        else:
            made_at = self.makers.get(goal.signature, set())
            pairs = [(Term("f", *(each for position, each in enumerate(term.args)
                                  if position not in made_at)), term.args[made])
                     for made in made_at]
        for given, made in pairs:
            if isinstance(made, Var):
                self._derive(goal, step, set(variables(given)), str(made), origins)

    def _derive(self, goal: Goal, step: str, sources: set[str], made: str,
                origins: dict[str, _Origin]) -> None:
        sources -= {made}
        ports = {port for source in sources if source in origins for port in origins[source].ports}
        if not ports:
            return
        steps = {origins[source].step for source in sources if source in origins} | {step}
        steps.discard("")
        origin = origins[made]
        origin.ports |= ports
        origin.through |= sources.union(*(origins[source].through for source in sources
                                          if source in origins))
        if steps:
            origin.step = steps.pop() if len(steps) == 1 else _UNKNOWN
            origin.made = goal.term

    def _is_limited(self, names: set[str], step: str, origins: Mapping[str, _Origin],
                    order: int) -> bool:
        """Whether comparisons before a goal limit some variables on the side they step to."""
        pairs = [pair for goal in self.goals if not goal.negated and goal.order <= order
                 for pair in _bounds(goal.term)]
        upper = any(isinstance(low, Var) and str(low) in names and _steady(high, origins)
                    for low, high in pairs)
        lower = any(isinstance(high, Var) and str(high) in names and _steady(low, origins)
                    for low, high in pairs)
        return (upper or step == _DOWN) and (lower or step == _UP)

    def _takes_apart(self) -> bool:
        """Whether each call gets a part of a compound term in the head."""
        return bool(self.calls) and all(
            any(isinstance(argument, Var) and str(argument) in variables(whole)
                and not isinstance(whole, Var)
                for argument, whole in zip(call.term.args, self.head.args, strict=False))
            for call in self.calls)


def _bounds(term: Term) -> Iterator[tuple[Any, Any]]:
    """The lower and the higher of what a goal compares."""
    name = signature(term)
    if name in _UPPER:
        low, high = _UPPER[name]
        yield term.args[low], term.args[high]
    elif name == "between/3":
        yield term.args[2], term.args[1]
        yield term.args[0], term.args[2]


def _steady(term: Any, origins: Mapping[str, _Origin]) -> bool:
    """Whether a value does not come from the round before."""
    return not any(name in origins and origins[name].ports for name in variables(term))


def _step(expression: Any) -> str:
    """Which way a number goes that is calculated so: ``N + 1`` up, ``N - 1`` down."""
    if isinstance(expression, Var):
        return ""
    if signature(expression) not in ("+/2", "-/2"):
        return _UNKNOWN
    left, right = expression.args
    if signature(expression) == "+/2" and isinstance(left, Constant):
        left, right = right, left
    if not isinstance(left, Var) or not isinstance(right, Constant):
        return _UNKNOWN
    value = float(right) if signature(expression) == "+/2" else -float(right)
    return _UP if value > 0 else _DOWN if value < 0 else ""


def _makers(clauses: Sequence[_Clause]) -> dict[str, set[int]]:
    """By ``name/arity`` the positions of arguments that rules calculate."""
    makers: dict[str, set[int]] = {}
    before = -1
    while before != (before := sum(map(len, makers.values()))):
        for _, statement in clauses:
            made: set[str] = set()
            for goal in goals(statement.body):
                places = {_MAKES[goal.signature][1]} if goal.signature in _MAKES else \
                    {2} if goal.signature == "plus/3" else makers.get(goal.signature, set())
                made |= {name for place in places for name in variables(goal.term.args[place])}
            for head in statement.heads:
                for position, argument in enumerate(head.args):
                    if made & set(variables(argument)):
                        makers.setdefault(signature(head), set()).add(position)
    return makers
