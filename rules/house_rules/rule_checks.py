"""What is checked of every rule file before anything is asked of it.

A program is in order when every predicate it asks for is known with that number of arguments, every
variable has a value where one is needed (:mod:`frontdesk.rules.house_rules.rule_values`), its
probabilities are probabilities, and it comes to an end
(:mod:`frontdesk.rules.house_rules.rule_recursion`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from difflib import get_close_matches
from functools import cache
from typing import Any

from problog.engine import DefaultEngine
from problog.errors import ProbLogError
from problog.logic import And, Constant, Not, Or, Term, Var

from frontdesk.rules.house_rules.rule_goals import (
    ARITHMETIC,
    BUILTINS,
    COLLECT,
    META,
    Goal,
    goals,
    variables,
)
from frontdesk.rules.house_rules.rule_parser import RuleText, Statement, offset_of, signature
from frontdesk.rules.house_rules.rule_recursion import check_recursion
from frontdesk.rules.house_rules.rule_values import Values

_FUNCTIONS = frozenset({"+/2", "-/2", "*/2", "///2", "mod/2", "min/2", "max/2", "abs/1", "-/1",
                        "+/1"})
_REACHES_OUT = frozenset({
    "consult", ".", "use_module", "module", "load_external", "unknown", "cmd_args", "write",
    "writeln", "writenl", "nl", "print", "debugprint", "error", "open", "shell", "exec", "halt",
    "csv_load", "sqlite_load", "db_load", "assertz", "retract", "set_state", "python"})
#: What rules may ask for without defining it.
_ALLOWED = frozenset({*BUILTINS, *META, *COLLECT, "=/2"})
_QUERIES = frozenset({"query", "evidence"})
_SUM_TOLERANCE = 1e-9
#: From this similarity (in [0, 1]) on a name is suggested for one that is not known.
_ALIKE = 0.7


@cache
def _problog_builtins() -> frozenset[str]:
    return frozenset(name.replace("'", "") for name in DefaultEngine().get_builtins())


def check_rules(texts: Sequence[RuleText], *, given: Sequence[RuleText] = (),
                stored: Collection[str] = (), trusted: bool = False) -> dict[str, set[int]]:
    """Check programs that go together; what is wrong is added to the ``problems`` of each.

    Args:
        given: Programs that they build on and may not add to, themselves in order.
        stored: ``name/arity`` of the facts that they are given besides.
        trusted: Whether they may consult others and take probabilities from facts.

    Returns:
        By ``name/arity``, the positions of the arguments that need a value when asked for.
    """
    return _Check(texts, given, frozenset(stored), trusted).run()


class _Check:
    """The checks of programs that go together."""

    def __init__(self, texts: Sequence[RuleText], given: Sequence[RuleText],
                 stored: frozenset[str], trusted: bool) -> None:
        self.texts, self.given, self.trusted = texts, given, trusted
        self.inherited = {signature(head): text.place for text in given
                          for statement in text.statements for head in statement.heads}
        self.inherited |= dict.fromkeys(stored, "the stored facts")
        self.defined: dict[str, RuleText] = {}
        for text in texts:
            for statement in text.statements:
                for head in statement.heads:
                    self.defined.setdefault(signature(head), text)
        self.known = {*self.inherited, *self.defined}
        self.needs: dict[str, set[int]] = defaultdict(set)

    def run(self) -> dict[str, set[int]]:
        for text in self.texts:
            for statement in text.statements:
                self._check_heads(text, statement)
                self._check_goals(text, statement)
        everything = [(text, statement) for text in (*self.given, *self.texts)
                      for statement in text.statements if statement.heads]
        before = -1
        while before != (before := sum(map(len, self.needs.values()))):
            for _, statement in everything:
                Values(statement, self.needs).find()
        for text in self.texts:
            for statement in text.statements:
                if statement.heads:
                    for variable, what, remedy in Values(statement, self.needs).find():
                        text.problems.append(text.problem(
                            offset_of(variable, statement.start), what, remedy))
                self._check_single(text, statement)
        check_recursion(everything, frozenset(map(id, self.texts)), self.needs)
        for text in self.texts:
            text.problems.sort(key=lambda each: (each.line, each.column))
        return self.needs

    def _check_heads(self, text: RuleText, statement: Statement) -> None:
        total = 0.0
        for head in statement.heads:
            name = signature(head)
            at = offset_of(head, statement.start)
            where = self.inherited.get(name) or (
                self.defined[name].place if self.defined[name] is not text else "")
            if str(head.functor) in _QUERIES:
                text.problems.append(text.problem(at, f"{name} asks, and rules only answer",
                                                  "Leave it out"))
            elif name in _problog_builtins() or name in BUILTINS:
                text.problems.append(text.problem(at, f"{name} belongs to ProbLog",
                                                  "Choose another name"))
            elif where:
                text.problems.append(text.problem(
                    at, f"{name} is defined by {where}; rules add predicates, they do not change "
                    "those there are", "Choose another name"))
            total += self._probability(text, statement, head)
        if total > 1 + _SUM_TOLERANCE and len(statement.heads) > 1:
            text.problems.append(text.problem(
                statement.start, f"the probabilities of the alternatives sum to {total:g}",
                "Let them sum to 1 at most"))

    def _probability(self, text: RuleText, statement: Statement, head: Term) -> float:
        """The probability of a head, 0 where it is not known beforehand."""
        given = head.probability
        at = offset_of(given, offset_of(head, statement.start))
        if given is None:
            if len(statement.heads) > 1:
                text.problems.append(text.problem(
                    offset_of(head, statement.start), f"the alternative {head} has no probability",
                    "Write PROBABILITY::HEAD for each"))
            return 0.0
        if variables(given):
            if not self.trusted:
                text.problems.append(text.problem(
                    at, f"the probability {given} is known only when the rule is used",
                    "Give a number from 0 to 1"))
            return 0.0
        try:
            value = float(given)
        except (TypeError, ValueError, ProbLogError):
            value = float("nan")
        if not 0 <= value <= 1:
            text.problems.append(text.problem(at, f"{given} is no probability",
                                              "Give a number from 0 to 1"))
            return 0.0
        return value

    def _check_goals(self, text: RuleText, statement: Statement) -> None:
        if not statement.heads:
            if not self.trusted or signature(statement.body) != "consult/1":
                text.problems.append(text.problem(
                    statement.start, f"the directive {statement.body} is not allowed",
                    "Leave it out; rules only say what follows from what"))
            return
        for goal in goals(statement.body):
            at = offset_of(goal.term, statement.start)
            if goal.term.probability is not None:
                text.problems.append(text.problem(
                    at, f"{goal.term} is asked for with a probability",
                    "Put it before the head of a rule or fact of its own"))
            if goal.signature in ARITHMETIC:
                self._check_numbers(text, goal.term, at)
            elif goal.signature in META and _several(goal.term.args[0]):
                text.problems.append(text.problem(
                    at, f"{goal.signature} asks for one predicate, not for several at once",
                    "Write a rule for them and ask for that"))
            elif not (goal.signature in self.known or goal.signature in _ALLOWED):
                text.problems.append(text.problem(at, *self._unknown(goal)))
        for part in _stray(statement.body):
            text.problems.append(text.problem(
                offset_of(part, statement.start), f"{part} is no predicate", "Write what to ask"))

    def _check_numbers(self, text: RuleText, term: Term, at: int) -> None:
        """Whether what is calculated can be."""
        parts = list(term.args[1:] if signature(term) == "is/2" else term.args)
        while parts:
            part = parts.pop()
            if isinstance(part, Var) or (isinstance(part, Constant)
                                         and isinstance(part.functor, int)):
                continue
            if isinstance(part, Constant) and isinstance(part.functor, float):
                text.problems.append(text.problem(
                    offset_of(part, at), f"{part} is no whole number",
                    "Calculate in whole numbers, minutes for example"))
            elif signature(part) not in _FUNCTIONS:
                text.problems.append(text.problem(
                    offset_of(part, at), f"{part} cannot be calculated",
                    "Use +, -, *, //, mod, min, max and abs of whole numbers"))
            else:
                parts.extend(part.args)

    def _unknown(self, goal: Goal) -> tuple[str, str]:
        """What is wrong with a predicate that nobody defines, and a remedy."""
        name, _, count = goal.signature.rpartition("/")
        counts = sorted(int(each.rpartition("/")[2])
                        for each in {*self.known, *BUILTINS, *META, *COLLECT}
                        if each.rpartition("/")[0] == name)
        if counts:
            takes = " or ".join(map(str, counts))
            return (f"{name} takes {takes} argument{'' if counts == [1] else 's'}, not {count}",
                    f"Write {name} with {takes}")
        if name in _REACHES_OUT:
            return f"{goal.signature} reaches for files or the machine", "Leave it out"
        if goal.signature in _problog_builtins():
            return f"{goal.signature} of ProbLog may not be used in rules", "Leave it out"
        near = get_close_matches(name, sorted({each.rpartition("/")[0] for each in self.known}),
                                 1, _ALIKE)
        return (f"there is no predicate {goal.signature}",
                f"Write {near[0]} if that is meant" if near else "Define it or correct its name")

    def _check_single(self, text: RuleText, statement: Statement) -> None:
        wrong = {(each.line, each.column) for each in text.problems}
        for name, places in statement.variables.items():
            once = text.problem(places[0], "")
            if (len(places) == 1 and not name.startswith("_")
                    and (once.line, once.column) not in wrong):
                text.problems.append(text.problem(
                    places[0], f"the variable {name} stands there once",
                    f"Write _{name} if that is meant", warning=True))


def _several(body: Any) -> bool:
    """Whether something is asked for that ProbLog evaluates in the body of a clause alone."""
    return _several(body.child) if isinstance(body, Not) else isinstance(body, And | Or)


def _stray(body: Any) -> Iterator[Any]:
    """Variables, numbers and texts that stand where a predicate should."""
    if isinstance(body, And | Or):
        for part in body.args:
            yield from _stray(part)
    elif isinstance(body, Not):
        yield from _stray(body.child)
    elif isinstance(body, Var | Constant):
        yield body
    elif isinstance(body, Term) and signature(body) in META:
        yield from _stray(body.args[0])
    elif isinstance(body, Term) and signature(body) in COLLECT:
        yield from _stray(body.args[1])
