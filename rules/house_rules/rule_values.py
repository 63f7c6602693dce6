"""Whether the variables of a program have values where they need them.

A variable has a value once a predicate has been asked with it, from left to right. Some predicates
need values themselves: ``early(E, T) :- start(E, S), S < T`` that of T. Which arguments these are
is found out for all rules together; calling one without a value is the mistake, wherever it is.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from problog.logic import And, Constant, Not, Or, Term, Var

from frontdesk.rules.house_rules.rule_goals import BUILTINS, COLLECT, META, variables
from frontdesk.rules.house_rules.rule_parser import Statement, signature

#: A variable without a value, what is wrong, and a remedy.
Issue = tuple[Var, str, str]


class Values:
    """Which variables of a clause have values, goal by goal.

    Args:
        needs: By ``name/arity`` the positions of the arguments that need a value; what is found of
            the clause's own predicates is added.
    """

    def __init__(self, statement: Statement, needs: dict[str, set[int]]) -> None:
        self.statement, self.needs = statement, needs
        self.issues: list[Issue] = []
        self.places: dict[str, list[tuple[str, int]]] = defaultdict(list)
        for head in statement.heads:
            for position, argument in enumerate(head.args):
                if not isinstance(argument, Var) and variables(argument):
                    # Only a caller knows what a list or another compound term holds.
                    needs[signature(head)].add(position)
                for name in variables(argument):
                    self.places[name].append((signature(head), position))
        self.in_body = set(variables(statement.body)) if statement.body is not None else set()

    def find(self) -> list[Issue]:
        """The variables without a value that need one, with what is wrong and a remedy."""
        bound = {name for name, places in self.places.items()
                 if any(position in self.needs.get(predicate, ())
                        for predicate, position in places)}
        bound = self._walk(self.statement.body, bound)
        for head in self.statement.heads:
            if head.probability is not None:
                self._require(head.probability, bound, "the probability")
            for name, variable in variables(list(head.args)).items():
                if name in bound:
                    continue
                if name in self.in_body and name != "_":
                    self._need(name)
                    bound.add(name)
                else:
                    self.issues.append((variable, f"the variable {name} in the head has no value",
                                        "Ask for it in the body, with room(R) for example"))
        return self.issues

    def _walk(self, body: Any, bound: set[str]) -> set[str]:
        if isinstance(body, And):
            return self._walk(body.args[1], self._walk(body.args[0], bound))
        if isinstance(body, Or):
            before = set(bound)
            return self._walk(body.args[0], before) & self._walk(body.args[1], set(bound)) | bound
        if isinstance(body, Not):
            self._shared(body.child, body, bound, "inside a negation")
            self._walk(body.child, set(bound))
            return bound
        if not isinstance(body, Term) or isinstance(body, Var | Constant):
            return bound
        return self._goal(body, bound)

    def _goal(self, goal: Term, bound: set[str]) -> set[str]:
        name = signature(goal)
        if name in META:
            return self._walk(goal.args[0], bound)
        if name in COLLECT:
            self._shared(goal.args[1], Term("-", goal.args[0], goal.args[1]), bound,
                         f"inside {name}")
            inner = self._walk(goal.args[1], set(bound))
            self._require(goal.args[0], inner, name)
            return bound | set(variables(goal.args[2]))
        if name == "=/2":
            left, right = (set(variables(each)) - {"_"} for each in goal.args)
            if not (left <= bound or right <= bound):
                # What has its value from a later goal could be built up without end before that.
                self._require(goal.args[0 if isinstance(goal.args[0], Var) else 1], bound, name)
            return bound | (right if left <= bound else set()) | (left if right <= bound else set())
        inputs, outputs = BUILTINS.get(name, (tuple(sorted(self.needs.get(name, ()))), None))
        for position in inputs:
            self._require(goal.args[position], bound, name)
        given = goal.args if outputs is None else [goal.args[each] for each in outputs]
        return bound | set(variables(list(given)))

    def _shared(self, inner: Any, scope: Any, bound: set[str], what: str) -> None:
        """Variables without a value that a negation shares with the rest of the clause."""
        inside = _count(scope)
        for name, variable in variables(inner).items():
            if name == "_" or name in bound:
                continue
            total = len(self.statement.variables.get(name, ()))
            if inside.get(name, 0) < total:
                self._lacking(variable, bound, what)

    def _require(self, term: Any, bound: set[str], what: str) -> None:
        for name, variable in variables(term).items():
            if name not in bound:
                self._lacking(variable, bound, f"for {what}")

    def _lacking(self, variable: Var, bound: set[str], what: str) -> None:
        name = str(variable)
        if name in self.places:
            self._need(name)
        else:
            self.issues.append((variable, f"the variable {name} has no value yet {what}",
                                "Ask for it first, further left"))
        bound.add(name)

    def _need(self, name: str) -> None:
        for predicate, position in self.places[name]:
            self.needs[predicate].add(position)


def _count(term: Any) -> dict[str, int]:
    """How often each variable occurs in a term."""
    found: dict[str, int] = defaultdict(int)
    stack = [term]
    while stack:
        part = stack.pop()
        if isinstance(part, Var):
            found[str(part)] += 1
        elif isinstance(part, Term):
            stack.extend(part.args)
    return found
