"""The linking rules, compiled once and evaluated for many (mention, entity) pairs at once."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Self

import numpy as np
from platformdirs import user_cache_path
from problog.errors import ProbLogError
from problog.logic import And as Conjunction
from problog.logic import Clause, Constant, Term

from frontdesk.kg.graph.errors import FormatError
from frontdesk.rules.linking.arithmetic_circuit import (
    CIRCUIT_FORMAT,
    ArithmeticCircuit,
    Floats,
    compile_program,
)
from frontdesk.rules.linking.linking_program import (
    Evidence,
    LinkingProgram,
    Rule,
    read_linking_program,
)

__all__ = ["Evidence", "Inference", "LinkingCircuit", "Rule"]

_REFERS = Term("refers_to", Term("m"), Term("e"))
#: Pairs whose probability is kept; a dialogue asks for the same evidence again and again.
_MOST_KEPT = 65536


@dataclass(frozen=True)
class Inference:
    """What the rules say about n pairs, given R rules.

    Args:
        refers: Shape (n,): P(refers_to).
        bodies: Shape (n, R): P(the rule's body holds).
        both: Shape (n, R): P(the rule's body holds and refers_to).
    """

    refers: Floats
    bodies: Floats
    both: Floats


class LinkingCircuit:
    """``linking.pl`` as a circuit over the evidence of one pair.

    Every literal that no rule of the program defines is evidence. The program is ground and
    compiled for one pair with all its evidence and all choices of its rules uncertain; a pair's
    probability is then the circuit's weighted model count with that pair's evidence as weights,
    exactly what ProbLog gives for the pair's own program.

    Args:
        program: Text of the rules; the packaged ``linking.pl`` by default.
        weights: File of rule weights that takes the place of the one that the program consults.
        cache: Folder for compiled circuits, found again by the hash of the rules; the user's
            cache folder by default. A folder that cannot be written is done without.

    Raises:
        FormatError: A rule cannot be read, is outside the supported class, has no weight, or
            the program cannot be compiled.
        InputError: The file of weights cannot be read.
    """

    def __init__(self, program: str | None = None, *, weights: Path | None = None,
                 cache: Path | None = None) -> None:
        read = read_linking_program(program, weights)
        self.rules: tuple[Rule, ...] = read.rules
        self.evidence: tuple[Evidence, ...] = tuple(read.evidence)
        self._column = {each: column for column, each in enumerate(self.evidence)}
        self._circuit, self._explained = _compiled(
            read, (cache or user_cache_path("frontdesk")) / "circuits")
        self._known: dict[bytes, float] = {}

    def with_weights(self, weights: Mapping[str, float]) -> Self:
        """The same rules with other weights.

        Args:
            weights: By name of the rule, each in [0, 1]; rules that are missing keep theirs.

        Raises:
            KeyError: There is no rule of a name.
        """
        unknown = set(weights) - {rule.name for rule in self.rules}
        if unknown:
            raise KeyError(min(unknown))
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.rules = tuple(replace(rule, probability=weights.get(rule.name, rule.probability))
                            for rule in self.rules)
        other._known = {}
        return other

    def rows(self, evidence: Sequence[Mapping[Evidence, float]]) -> Floats:
        """Evidence as a matrix of shape (n, len(self.evidence)); what is missing is false.

        Evidence that the rules do not use is left out.
        """
        table = np.zeros((len(evidence), len(self.evidence)))
        for row, each in zip(table, evidence, strict=True):
            for key, value in each.items():
                column = self._column.get(key)
                if column is not None:
                    row[column] = value
        return table

    def probability(self, evidence: Mapping[Evidence, float]) -> float:
        """P(refers_to) of one pair.

        Args:
            evidence: Probability in [0, 1] of each piece of evidence; what is missing is false.
        """
        return float(self.probabilities(self.rows([evidence]))[0])

    def probabilities(self, rows: Floats) -> Floats:
        """P(refers_to) of n pairs, shape (n,).

        Args:
            rows: Shape (n, len(self.evidence)), as :meth:`rows` gives them.
        """
        keys = [row.tobytes() for row in rows]
        # Sessions in other threads use it too, and may put another one in its place.
        known = self._known
        found = {key: known[key] for key in keys if key in known}
        new = {key: index for index, key in enumerate(keys) if key not in found}
        if new:
            results = self._circuit.evaluate(self._weights(rows[list(new.values())]))
            found.update(zip(new, results[:, 0].tolist(), strict=True))
            if len(known) + len(new) > _MOST_KEPT:
                self._known = dict(found)
            else:
                known.update(found)
        return np.array([found[key] for key in keys])

    def evaluate(self, rows: Floats, weights: Floats | None = None) -> Inference:
        """P(refers_to) of n pairs with the bodies of the rules.

        Args:
            rows: Shape (n, len(self.evidence)).
            weights: Shape (len(self.rules),), in [0, 1], in place of the rules' own.
        """
        results = self._explained.evaluate(self._weights(rows, weights))
        count = len(self.rules)
        return Inference(results[:, 0], results[:, 1:1 + count], results[:, 1 + count:])

    def fired(self, evidence: Mapping[Evidence, float]) -> dict[str, float]:
        """P(body) in (0, 1] of each rule that can fire for a pair, by name."""
        bodies = self.evaluate(self.rows([evidence])).bodies[0]
        return {rule.name: float(body) for rule, body in zip(self.rules, bodies, strict=True)
                if body > 0}

    def _weights(self, rows: Floats, weights: Floats | None = None) -> Floats:
        """Evidence and choices: a later head of a disjunction is chosen given none before it."""
        own = {rule.name: rule.probability if weights is None else float(weights[index])
               for index, rule in enumerate(self.rules)}
        chosen = []
        for rule in self.rules:
            left = 1.0 - sum(own[each] for each in rule.before)
            chosen.append(min(1.0, own[rule.name] / left) if left > 0 else 0.0)
        return np.concatenate([rows, np.broadcast_to(chosen, (len(rows), len(chosen)))], axis=1)


def _compiled(read: LinkingProgram, folder: Path) -> tuple[ArithmeticCircuit, ArithmeticCircuit]:
    """The circuits for P(refers_to) alone and with the bodies of the rules."""
    numbers = [Constant(number) for number in range(len(read.rules))]
    bodies = [Term("body", number) for number in numbers]
    both = [Term("both", number) for number in numbers]
    together = [Clause(atom, Conjunction(body, _REFERS))
                for atom, body in zip(both, bodies, strict=True)]
    variables = [*read.evidence.values(), *(Term("choice", number) for number in numbers)]
    name = f"{read.digest[:24]}-{version('problog')}-{version('pysdd')}-{CIRCUIT_FORMAT}"
    return (_cached(folder / f"linking-{name}.npz", read.clauses, variables, [_REFERS]),
            _cached(folder / f"linking-rules-{name}.npz", [*read.clauses, *together], variables,
                    [_REFERS, *bodies, *both]))


def _cached(path: Path, clauses: Sequence[Term], variables: Sequence[Term],
            queries: Sequence[Term]) -> ArithmeticCircuit:
    try:
        circuit = ArithmeticCircuit.load(path)
        if circuit.variables == len(variables) and len(circuit.roots) == len(queries):
            return circuit
    except (OSError, ValueError):
        pass  # not there or damaged: compiled anew
    try:
        circuit = compile_program(clauses, variables, queries)
    except ProbLogError as error:
        raise FormatError(f"the linking rules cannot be compiled: {error}", place="linking.pl",
                          remedy="Correct the rules") from error
    try:
        circuit.save(path)
    except OSError as error:
        sys.stderr.write(f"frontdesk: the compiled linking rules are not kept ({error})\n")
    return circuit
