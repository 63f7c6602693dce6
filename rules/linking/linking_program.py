"""The linking rules as a program over the evidence of one (mention, entity) pair.

``linking.pl`` is the only definition of linking; this reads it. Rules may use conjunction,
disjunction, negation, predicates of their own (recursion too) and annotated disjunctions, over the
variables ``M`` and ``E`` alone. Every literal that no rule defines is evidence.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Any

from problog.errors import ParseError
from problog.logic import And, AnnotatedDisjunction, Clause, Constant, Not, Or, Term, Var
from problog.program import PrologString

from frontdesk.kg.graph.errors import FormatError, InputError
from frontdesk.rules.engine.packaged_rules import packaged_rules, packaged_text

#: A piece of evidence: predicate and the constant in its last place, if the rules give one.
Evidence = tuple[str, float | None]
_PROGRAM = "linking.pl"
_MENTION, _ENTITY = Term("m"), Term("e")
_IDS = {"M": _MENTION, "E": _ENTITY}
_BUILT_IN = frozenset({("true", 0), ("fail", 0), ("false", 0)})
_ANNOTATIONS = frozenset({("reason", 2), ("weight", 2)})


@dataclass(frozen=True)
class Rule:
    """A probabilistic clause, or one head of an annotated disjunction.

    Args:
        name: Of its weight; ``linking.pl:34`` where the probability stands in the clause.
        head: Name of the predicate it concludes.
        probability: That the head holds when the body does, in [0, 1].
        reason: What it means in words; empty where the program does not say.
        before: Names of the heads before it in its annotated disjunction.
    """

    name: str
    head: str
    probability: float
    place: str
    reason: str = ""
    before: tuple[str, ...] = ()


@dataclass(frozen=True)
class LinkingProgram:
    """The rules of linking, for one pair.

    Args:
        clauses: The propositional program for the pair (m, e). A rule's choice is the atom
            ``choice(i)`` and its body ``body(i)``, where i is its position among the rules.
        rules: The probabilistic clauses, in the order of the file.
        digest: Of everything but the weights, for a cache: hexadecimal SHA-256.
    """

    clauses: tuple[Term, ...]
    rules: tuple[Rule, ...]
    evidence: Mapping[Evidence, Term]
    digest: str


def linking_text() -> str:
    """The packaged linking rules as one text, with the weights that they consult."""
    weights = packaged_weights()
    return _packaged_text().replace(f":- consult('{weights.name}').\n",
                                    weights.read_text(encoding="utf-8"))


def packaged_weights() -> Path:
    """The file of weights that the packaged linking rules load."""
    return packaged_rules("linking_weights.pl")


def read_linking_program(text: str | None = None, weights: Path | None = None) -> LinkingProgram:
    """Read the linking rules.

    Args:
        text: Of the program; the packaged ``linking.pl`` by default.
        weights: File of ``weight(Rule, Probability)`` facts that takes the place of the ones that
            the program consults.

    Raises:
        FormatError: A rule cannot be read, is outside the supported class or has no weight.
        InputError: A file of weights cannot be read.
    """
    return _Reader(_packaged_text() if text is None else text, weights).read()


def read_weights(path: Path) -> dict[str, float]:
    """The weights in a file, by the name of their rule, each in [0, 1].

    Raises:
        FormatError: The file has something else, or a weight twice or out of range.
        InputError: It cannot be read.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read the weights {path} ({error})",
                         remedy="Name a file that frontdesk train linking wrote") from error
    weights: dict[str, float] = {}
    for clause in _parse(text, str(path)):
        place = f"{path}, line {_line(text, clause)}"
        if (clause.functor, clause.arity) != ("weight", 2) or isinstance(clause, Clause) \
                or not isinstance(clause.args[1], Constant):
            raise FormatError(f"{clause} is no weight", place=place,
                              remedy="Write weight(NAME, PROBABILITY).")
        name, value = str(clause.args[0]), float(clause.args[1])
        if name in weights:
            raise FormatError(f"the rule {name} has two weights", place=place,
                              remedy="Leave one of them out")
        weights[name] = _probability(value, place)
    return weights


def _packaged_text() -> str:
    return packaged_text(_PROGRAM)


class _Reader:
    """Reads one program."""

    def __init__(self, text: str, weights: Path | None) -> None:
        self.text = text
        clauses = _parse(text, _PROGRAM)
        self.clauses = [clause for clause in clauses if not _is_directive(clause)]
        self.weights: dict[str, float] = {}
        for clause in clauses:
            if _is_directive(clause):
                self.weights |= read_weights(weights or self._consulted(clause))
        self.reasons = {}
        for clause in self.clauses:
            if clause.functor == "reason" and not isinstance(clause, Clause):
                self.reasons[str(clause.args[0])] = str(clause.args[1]).strip('"')
            elif clause.functor == "weight" and not isinstance(clause, Clause):
                self.weights[str(clause.args[0])] = float(clause.args[1])
        self.clauses = [clause for clause in self.clauses
                        if (clause.functor, clause.arity) not in _ANNOTATIONS]
        self.defined = {(head.functor, head.arity) for clause in self.clauses
                        for head in _heads(clause)}
        self.evidence: dict[Evidence, Term] = {}
        self.rules: list[Rule] = []
        self.read_clauses: list[Term] = []

    def read(self) -> LinkingProgram:
        for clause in self.clauses:
            self._read(clause)
        unknown = set(self.weights) - {rule.name for rule in self.rules}
        if unknown:
            raise FormatError(f"there is no rule {min(unknown)} for a weight", place=_PROGRAM,
                              remedy="Leave the weight out or correct its name")
        readable = "\n".join(map(str, self.read_clauses)) + "\n" + "\n".join(
            map(str, self.evidence.values()))
        return LinkingProgram(tuple(self.read_clauses), tuple(self.rules), self.evidence,
                              hashlib.sha256(readable.encode()).hexdigest())

    def _consulted(self, clause: Term) -> Path:
        """The file that a directive consults, beside the packaged program."""
        goal = clause.body
        if (goal.functor, goal.arity) != ("consult", 1):
            raise self._error(clause, f"the directive {clause} is not known",
                              "Use :- consult('FILE') alone")
        return packaged_rules(str(goal.args[0]).strip("'\""))

    def _read(self, clause: Term) -> None:
        heads = _heads(clause)
        body = getattr(clause, "body", None)
        self._check_variables(heads, body, clause)
        literals = [] if body is None else list(_conjunction(body))
        named = {str(each.args[1]): str(each.args[0]) for each in literals
                 if (each.functor, each.arity) == ("weight", 2)}
        kept = [self._literal(each, clause) for each in literals
                if (each.functor, each.arity) != ("weight", 2)]
        if all(head.probability is None for head in heads):
            self.read_clauses.append(_clause(self._atom(heads[0], clause), kept))
            return
        number = len(self.rules)
        body_atom = Term("body", Constant(number))
        self.read_clauses.append(_clause(body_atom, kept))
        before: list[str] = []
        for position, head in enumerate(heads):
            rule = self._rule(head, clause, named, tuple(before))
            choices: list[Term] = [Not("\\+", Term("choice", Constant(number + earlier)))
                                   for earlier in range(position)]
            if position:
                self.read_clauses.append(_clause(Term("body", Constant(number + position)),
                                                 [body_atom]))
            self.rules.append(rule)
            before.append(rule.name)
            self.read_clauses.append(_clause(
                self._atom(head.with_probability(None), clause),
                [body_atom, *choices, Term("choice", Constant(number + position))]))
        total = sum(rule.probability for rule in self.rules[number:])
        if total > 1 + 1e-9:
            raise self._error(clause, f"the probabilities of its heads sum to {total:g}",
                              "Let them sum to 1 at most")

    def _check_variables(self, heads: list[Term], body: Term | None, clause: Term) -> None:
        """Refuse what would hold of a mention because of any entity, or the other way round."""
        used = set() if body is None else set(map(str, body.variables())) & set(_IDS)
        for head in heads:
            missing = used - set(map(str, head.args))
            if missing:
                raise self._error(clause, f"{head.with_probability(None)} is said of one pair, but "
                                  f"its body has {min(missing)} too",
                                  f"Give the head the argument {min(missing)}")

    def _rule(self, head: Term, clause: Term, named: Mapping[str, str],
              before: tuple[str, ...]) -> Rule:
        place = f"{_PROGRAM}:{_line(self.text, clause)}"
        given = head.probability
        if given is None:
            name, probability = f"{place}/{len(before)}", 1.0
        elif isinstance(given, Constant):
            name, probability = place + (f"/{len(before)}" if before else ""), float(given)
        else:
            name = named.get(str(given), "")
            if name not in self.weights:
                raise self._error(clause, f"the rule has no weight {name or given}",
                                  f"Add weight({name or 'NAME'}, PROBABILITY)")
            probability = self.weights[name]
        if name in {rule.name for rule in self.rules} | set(before):
            raise self._error(clause, f"the weight {name} belongs to another rule too",
                              "Give each rule a weight of its own")
        return Rule(name, str(head.functor), _probability(probability, place), place,
                    self.reasons.get(name, ""), before)

    def _literal(self, literal: Term, clause: Term) -> Term:
        """A literal for the pair (m, e), its evidence noted."""
        if isinstance(literal, Not):
            return Not("\\+", self._literal(literal.child, clause))
        if isinstance(literal, And | Or):
            left, right = (self._literal(each, clause) for each in literal.args)
            return type(literal)(left, right)
        if (literal.functor, literal.arity) in _BUILT_IN:
            return literal
        atom = self._atom(literal, clause)
        if (literal.functor, literal.arity) not in self.defined:
            constants = [each for each in literal.args if isinstance(each, Constant)]
            key: Evidence = (str(literal.functor), float(constants[0]) if constants else None)
            if self.evidence.setdefault(key, atom) != atom:
                raise self._error(clause,
                                  f"the evidence {literal} is also used as {self.evidence[key]}",
                                  "Give evidence the same arguments everywhere")
        return atom

    def _atom(self, literal: Term, clause: Term) -> Term:
        """A literal with M and E replaced by the pair."""
        arguments: list[Term] = []
        for argument in literal.args:
            if isinstance(argument, Var) and str(argument) in _IDS:
                arguments.append(_IDS[str(argument)])
            elif isinstance(argument, Constant) and isinstance(argument.functor, int | float) \
                    and not any(isinstance(each, Constant) for each in arguments):
                arguments.append(argument)
            else:
                raise self._error(clause, f"{literal} has the argument {argument}",
                                  "Use M, E and at most one number")
        return Term(literal.functor, *arguments)

    def _error(self, clause: Term, what: str, remedy: str) -> FormatError:
        return FormatError(what, place=f"{_PROGRAM}, line {_line(self.text, clause)}",
                           remedy=remedy)


def _parse(text: str, name: str) -> list[Any]:
    try:
        return list(PrologString(text))
    except ParseError as error:
        raise FormatError(f"the rules cannot be read: {error}", place=name,
                          remedy="Correct the syntax") from error


def _line(text: str, clause: Term) -> int:
    head = _heads(clause)[0]
    location = clause.location or head.location
    offset = location[-1] if isinstance(location, tuple) else location or 0
    return text.count("\n", 0, offset) + 1


def _probability(value: float, place: str) -> float:
    if not 0 <= value <= 1:
        raise FormatError(f"the probability {value:g} is not in [0, 1]", place=place,
                          remedy="Correct it")
    return value


def _is_directive(clause: Term) -> bool:
    return isinstance(clause, Clause) and clause.head.functor == "_directive"


def _heads(clause: Any) -> list[Term]:
    if isinstance(clause, Clause):
        return [clause.head]
    if isinstance(clause, AnnotatedDisjunction):
        return list(clause.heads)
    return [clause]


def _conjunction(body: Term) -> Iterator[Term]:
    if isinstance(body, And):
        for argument in body.args:
            yield from _conjunction(argument)
    else:
        yield body


def _clause(head: Term, body: list[Term]) -> Term:
    return Clause(head, reduce(lambda right, left: And(left, right), reversed(body))) \
        if body else head
