"""Proofs: why a fact follows from the rules and the stored facts.

Found by :mod:`frontdesk.rules.engine.proof_search`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Variable:
    """A value left open, in what is negated: "no event at all".

    Args:
        name: The same for the same value; ``_`` for one that occurs once.
    """

    name: str


@dataclass(frozen=True)
class Expression:
    """A value that is not a single one: ``660 - 600``."""

    operator: str
    arguments: tuple[Argument, ...]


#: An id or a number, a list, or what is no single value.
Argument = str | int | float | tuple["Argument", ...] | Variable | Expression


@dataclass(frozen=True)
class Proof:
    """Why something holds.

    Args:
        goal: The predicate of what holds; of several things that are negated together ``,``.
        rule: The rule that it follows by, ``commonsense.pl:person_busy/3``; empty for a stored
            fact; None for what is computed (a comparison), collected (``findall``: the list is
            the last argument, the children are what is in it) or negated.
        probability: That the goal holds, for whatever reason, in (0, 1].
        children: What the rule rests on, in its order. Of something negated: the things that do
            not hold together, if there are several.
        negated: Nothing like the goal was found.
        line: The line of its file that the rule begins on; 0 where there is no rule.
        strength: The probability of the rule itself, in (0, 1].
        others: How many other reasons there are: rules, or values that the same rule holds with.
        cut: It rests on more than is said; the proof would be too deep or too large.
    """

    goal: str
    arguments: tuple[Argument, ...]
    rule: str | None
    probability: float = 1.0
    children: tuple[Proof, ...] = ()
    negated: bool = False
    line: int = 0
    strength: float = 1.0
    others: int = 0
    cut: bool = False

    def leaves(self) -> Iterator[Proof]:
        """The stored facts that the proof rests on, as often as it does."""
        if self.rule == "":
            yield self
        if not self.negated:
            for child in self.children:
                yield from child.leaves()

    def renamed(self, name: Callable[[str], str]) -> Proof:
        """The same proof with other names for constants."""
        return Proof(self.goal, tuple(_renamed(each, name) for each in self.arguments), self.rule,
                     self.probability, tuple(child.renamed(name) for child in self.children),
                     self.negated, self.line, self.strength, self.others, self.cut)


def _renamed(argument: Argument, name: Callable[[str], str]) -> Argument:
    if isinstance(argument, str):
        return name(argument)
    if isinstance(argument, tuple):
        return tuple(_renamed(each, name) for each in argument)
    if isinstance(argument, Expression):
        return Expression(argument.operator,
                          tuple(_renamed(each, name) for each in argument.arguments))
    return argument
