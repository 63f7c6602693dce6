"""The search for a proof over the rules and the facts of one turn.

It goes backwards, one rule at a time: ProbLog itself says with which values a rule's body holds,
and how probably, so that what a proof claims is what ProbLog derives. Of several reasons the most
probable is given, the first among equals, with the number of others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from problog.logic import And, Clause, Constant, Not, Or, Term, Var, is_list, is_variable, term2list

from frontdesk.rules.engine.inference import FactSlice, Plain, Rule, term
from frontdesk.rules.engine.proofs import Argument, Expression, Proof, Variable

#: How deep and how large a proof gets before it is cut short.
MOST_DEPTH = 30
MOST_NODES = 500

_FUNCTOR = "the values of"  # no program can define it: a name with spaces is quoted
_NEGATIONS = frozenset({"\\+", "not"})
_CALLS = frozenset({"call", "once"})


def find_proof(facts: FactSlice, predicate: str, arguments: tuple[Plain, ...]) -> Proof | None:
    """The most probable proof of a fact over a slice; None if it does not hold.

    Raises:
        TooUncertainError: Something rests on too many uncertain facts.
        InvalidRuleError: A rule cannot be evaluated.
    """
    return _Search(facts).prove(Term(predicate, *map(term, arguments)), ())


@dataclass(frozen=True)
class _Reason:
    """A rule with values that its body holds with; no rule for a stored fact."""

    probability: float
    rule: Rule | None = None
    body: Any = None
    strength: float = 1.0


class _Search:
    def __init__(self, facts: FactSlice) -> None:
        self.facts = facts
        self.rules: dict[str, list[Rule]] = {}
        for rule in facts.program.rules:
            self.rules.setdefault(rule.head.signature, []).append(rule)
        self.predicates = {f"{predicate}/{len(arguments)}" for predicate, arguments
                           in facts.stored}
        self.reasons: dict[str, list[_Reason]] = {}
        self.left = MOST_NODES

    def prove(self, goal: Term, trail: tuple[str, ...]) -> Proof | None:
        """A proof of an atom that does not rest on the atoms of the trail."""
        self.left -= 1
        said = str(goal)
        if said in trail:
            return None
        if said not in self.reasons:
            self.reasons[said] = sorted(
                self._reasons(goal),
                key=lambda each: (-each.probability, _mentions(each.body, goal.signature)))
        reasons = self.reasons[said]
        arguments = tuple(map(_argument, goal.args))
        for reason in reasons:
            found = self._by(goal, reason, (*trail, said), arguments, len(reasons) - 1)
            if found is not None:
                return found
        return None

    def _by(self, goal: Term, reason: _Reason, trail: tuple[str, ...],
            arguments: tuple[Argument, ...], others: int) -> Proof | None:
        if reason.rule is None:
            return Proof(goal.functor, arguments, "", reason.probability, others=others)
        rule = reason.rule
        cut = reason.body is not None and (self.left <= 0 or len(trail) >= MOST_DEPTH)
        children = () if cut or reason.body is None else self._body(reason.body, trail)
        if children is None:
            return None
        name = f"{rule.file}:{goal.signature}" if rule.file else goal.signature
        probability = 1.0 if self.facts.is_certain else self._likelihood(goal)
        return Proof(goal.functor, arguments, name, probability, children, line=rule.line,
                     strength=reason.strength, others=others, cut=cut)

    def _reasons(self, goal: Term) -> Iterator[_Reason]:
        if all(not is_variable(each) for each in goal.args):
            key: Any = goal.functor, tuple(map(_argument, goal.args))
            for probability in self.facts.stored.get(key, ()):
                yield _Reason(probability)
        for rule in self.rules.get(goal.signature, ()):
            yield from self._reasons_of(goal, rule)

    def _reasons_of(self, goal: Term, rule: Rule) -> Iterator[_Reason]:
        """The ways in which an atom follows by one rule."""
        opened = _Opened()
        body = opened.named(rule.body)
        same = [Term("=", ours, asked) for ours, asked in zip(
            map(opened.named, rule.head.args), map(_apart, goal.args), strict=True)]
        probability = rule.head.probability
        variables = list(dict.fromkeys(
            each for part in (body, *same, probability) for each in _bound(part)))
        for values, likelihood in self._solutions(
                [*same, *([] if body is None else [body])], variables):
            bindings = _Bindings(values)
            strength = 1.0 if probability is None else float(probability.apply(bindings))
            if strength > 0:
                yield _Reason(likelihood * strength, rule,
                              None if body is None else body.apply(bindings), strength)

    def _body(self, body: Any, trail: tuple[str, ...]) -> tuple[Proof, ...] | None:
        """Proofs of the parts of a body; None if one of them has none."""
        if isinstance(body, And):
            found: list[Proof] = []
            for part in body.args:
                proofs = self._body(part, trail)
                if proofs is None:
                    return None
                found += proofs
            return tuple(found)
        if isinstance(body, Or):
            branches = [(self._likelihood(branch), branch) for branch in body.args]
            either = (self._body(branch, trail) for likelihood, branch in
                      sorted(branches, key=lambda each: -each[0]) if likelihood > 0)
            return next((each for each in either if each is not None), None)
        proof = self._literal(body, trail)
        return None if proof is None else (proof,)

    def _literal(self, literal: Any, trail: tuple[str, ...]) -> Proof | None:
        if isinstance(literal, Not) or literal.functor in _NEGATIONS:
            return self._negated(literal.args[0])
        if literal.functor in _CALLS and literal.arity == 1:
            inner = self._body(literal.args[0], trail)
            return None if inner is None else self._computed(literal, inner)
        if literal.signature == "findall/3":
            return self._collected(literal, trail)
        if literal.signature in self.rules or literal.signature in self.predicates:
            return self.prove(literal, trail)
        return self._computed(literal, ())

    def _computed(self, literal: Any, children: tuple[Proof, ...]) -> Proof:
        return Proof(_name(literal), tuple(map(_argument, literal.args)), None,
                     children=children)

    def _negated(self, body: Any) -> Proof:
        probability = 1.0 if self.facts.is_certain else 1.0 - self._likelihood(body)
        if isinstance(body, And | Or):
            return Proof(_name(body), (), None, probability, tuple(
                self._computed(part, ()) for part in _parts(body)), negated=True)
        return Proof(_name(body), tuple(map(_argument, body.args)), None, probability,
                     negated=True)

    def _collected(self, literal: Any, trail: tuple[str, ...]) -> Proof | None:
        """What is in a list, and what could be and is not."""
        template, body, result = literal.args
        body = _Opened().named(body)
        inside = {str(each) for each in term2list(result)}
        found: list[Proof] = []
        variables = list(dict.fromkeys([*_bound(body), *_bound(template)]))
        for values, _ in self._solutions([body], variables):
            bindings = _Bindings(values)
            instance = body.apply(bindings)
            if str(template.apply(bindings)) in inside:
                proofs = self._body(instance, trail)
                if proofs is None:
                    return None
                found += proofs
            else:
                found.append(self._negated(instance))
        return Proof("findall", (_argument(result),), None, children=tuple(found))

    def _likelihood(self, body: Any) -> float:
        """The probability that a body holds, whatever its variables are."""
        return sum(likelihood for _, likelihood in self._solutions([body], []))

    def _solutions(self, body: list[Any], variables: list[Var]
                   ) -> Iterator[tuple[dict[str, Any], float]]:
        """The values of variables for which a body holds, each with its probability."""
        database = self.facts.database.extend()
        joined = And.from_list(body) if body else Term("true")
        database += Clause(Term(_FUNCTOR, *variables), joined)
        query = Term(_FUNCTOR, *(None for _ in variables))
        collects = self.facts.program.collects(joined)
        for values, likelihood in self.facts.solutions(database, [query], collects=collects)[0]:
            yield ({str(variable): value for variable, value in zip(variables, values, strict=True)
                    if not is_variable(value)}, likelihood)


class _Opened:
    """Names for the values that a rule leaves open, so that it can be said what they are."""

    def __init__(self) -> None:
        self._count = 0

    def named(self, body: Any) -> Any:
        if isinstance(body, Not) or (isinstance(body, Term) and body.functor in _NEGATIONS):
            return body  # nothing is found for those: nothing to name
        if isinstance(body, Var):
            if body.name != "_":
                return body
            self._count += 1
            return Var(f"_{self._count}")
        if isinstance(body, Term) and body.args:
            return body.with_args(*map(self.named, body.args))
        return body


class _Bindings:
    """Values of variables; those without one stay open."""

    def __init__(self, values: dict[str, Any]) -> None:
        self._values = values

    def __getitem__(self, name: str) -> Any:
        return self._values.get(name, Var(name))


def _bound(body: Any) -> Iterator[Var]:
    """The variables that have a value where a body holds."""
    if isinstance(body, Var):
        yield body
    elif isinstance(body, Term) and not isinstance(body, Not) and body.functor not in _NEGATIONS:
        inner = body.args[2:] if body.signature == "findall/3" else body.args
        for each in inner:
            yield from _bound(each)


def _mentions(body: Any, signature: str) -> bool:
    """Whether a rule calls the predicate that it defines: others lead to a proof sooner."""
    return isinstance(body, Term) and (
        body.signature == signature or any(_mentions(each, signature) for each in body.args))


def _apart(argument: Any) -> Any:
    """An argument of a goal as no variable of a rule."""
    return Var("Goal_" + argument.name.removeprefix("Goal_")) if isinstance(argument, Var) \
        else argument


def _parts(body: Any) -> Iterator[Any]:
    if isinstance(body, And | Or):
        for each in body.args:
            yield from _parts(each)
    else:
        yield body


def _argument(value: Any) -> Argument:
    if value is None or is_variable(value):
        return Variable(str(value) if isinstance(value, Var) else "_")
    if isinstance(value, Constant):
        constant: str | int | float = value.functor
        return constant
    if is_list(value) or str(value) == "[]":
        return tuple(map(_argument, term2list(value, False)))
    if value.arity:
        return Expression(_name(value), tuple(map(_argument, value.args)))
    return str(value)


def _name(literal: Any) -> str:
    """The functor of a term; ProbLog keeps the quotes of some."""
    return str(literal.functor).strip("'")
