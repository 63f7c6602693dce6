"""Weighted model counting on a compiled program, for many weightings at once.

Knowledge compilation: a propositional ProbLog program is ground and compiled to an SDD with pysdd
once; the SDD is kept as an arithmetic circuit, a few arrays, and evaluated with numpy.
"""

from __future__ import annotations

import os
import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: Written into the name of a cached circuit; one more whenever what is stored changes.
CIRCUIT_FORMAT = 1
_UNKNOWN_FAILS = 1
_FALSE, _TRUE, _FIRST_LITERAL = 0, 1, 2
#: Weightings evaluated together; more would leave the processor's cache.
_MOST_AT_ONCE = 4096


@dataclass(frozen=True)
class ArithmeticCircuit:
    """A sum-product circuit over independent variables.

    Slot 0 is false, slot 1 true; the next are the variables, then their negations, then the
    decision nodes layer by layer. A decision node is the sum of its elements, each the product of
    two slots before it. As the weights of a variable and of its negation sum to 1, nothing needs
    smoothing.

    Args:
        variables: Number of variables, V.
        layers: For each layer the slots of the elements' primes and subs, and where each node's
            elements start.
        roots: The slot of each query.
    """

    variables: int
    layers: tuple[tuple[Integers, Integers, Integers], ...]
    roots: Integers

    def evaluate(self, weights: Floats) -> Floats:
        """The probability of every query.

        Args:
            weights: Shape (n, V): P(variable) in [0, 1] in each of n weightings.

        Returns:
            Shape (n, queries).
        """
        parts = [self._evaluate(weights[start:start + _MOST_AT_ONCE].T)
                 for start in range(0, len(weights), _MOST_AT_ONCE)]
        return np.concatenate(parts) if parts else np.empty((0, len(self.roots)))

    def _evaluate(self, weights: Floats) -> Floats:
        count = weights.shape[1]
        nodes = sum(len(starts) for _, _, starts in self.layers)
        slots = np.empty((_FIRST_LITERAL + 2 * self.variables + nodes, count))
        slots[_FALSE], slots[_TRUE] = 0.0, 1.0
        end = _FIRST_LITERAL + self.variables
        slots[_FIRST_LITERAL:end] = weights
        slots[end:end + self.variables] = 1.0 - weights
        end += self.variables
        for primes, subs, starts in self.layers:
            slots[end:end + len(starts)] = np.add.reduceat(slots[primes] * slots[subs], starts)
            end += len(starts)
        return slots[self.roots].T

    def save(self, path: Path) -> None:
        """Write the circuit to a file, at once or not at all."""
        arrays: dict[str, Any] = {
            f"{name}{number}": array for number, layer in enumerate(self.layers)
            for name, array in zip(("primes", "subs", "starts"), layer, strict=True)}
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".npz")
        try:
            with os.fdopen(handle, "wb") as file:
                np.savez(file, variables=self.variables, roots=self.roots, **arrays)
            Path(temporary).replace(path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise

    @classmethod
    def load(cls, path: Path) -> ArithmeticCircuit:
        """Read what :meth:`save` wrote.

        Raises:
            OSError: There is no such file.
            ValueError: It is no circuit.
        """
        try:
            with np.load(path, allow_pickle=False) as data:
                layers: list[tuple[Integers, Integers, Integers]] = []
                while f"primes{len(layers)}" in data:
                    number = len(layers)
                    layers.append((data[f"primes{number}"], data[f"subs{number}"],
                                   data[f"starts{number}"]))
                return cls(int(data["variables"]), tuple(layers), data["roots"])
        except (KeyError, EOFError, TypeError, zipfile.BadZipFile) as error:
            raise ValueError(f"{path} is no circuit") from error


def compile_program(clauses: Sequence[Any], variables: Sequence[Any],
                    queries: Sequence[Any]) -> ArithmeticCircuit:
    """Compile a propositional program.

    Args:
        clauses: Its deterministic clauses, problog terms.
        variables: The atoms that are independent and uncertain, in the order of their weights.
        queries: The atoms to give the probability of.

    Raises:
        problog.errors.GroundingError: The program has no meaning, a cycle through a negation say.
    """
    # problog is only needed for what no cache has.
    from problog.engine import DefaultEngine
    from problog.logic import Constant, Term
    from problog.program import SimpleProgram
    from problog.sdd_formula import SDD

    program = SimpleProgram()
    for clause in clauses:
        program += clause
    for number, atom in enumerate(variables):
        program += atom.with_probability(Term("weight", Constant(number)))
    engine = DefaultEngine(label_all=True, unknown=_UNKNOWN_FAILS)
    formula = SDD.create_from(engine.ground_all(engine.prepare(program), queries=list(queries)))
    return _Flattening(formula, len(variables)).circuit(queries)


class _Flattening:
    """Turns a compiled formula into layers of slots."""

    def __init__(self, formula: Any, variables: int) -> None:
        self.formula, self.variables = formula, variables
        weights = formula.get_weights()
        self.variable = {variable: int(weights[atom].args[0])
                         for variable, atom in formula.var2atom.items() if atom in weights}
        self.depth: dict[int, int] = {}
        self.by_depth: list[list[Any]] = []
        self.slot: dict[int, int] = {}

    def circuit(self, queries: Sequence[Any]) -> ArithmeticCircuit:
        answers = {str(name): node for name, node in self.formula.queries()}
        nodes = [self.formula.get_inode(answers.get(str(query))) for query in queries]
        for node in nodes:
            self._visit(node)
        end = _FIRST_LITERAL + 2 * self.variables
        layers = []
        for level in self.by_depth:
            primes: list[int] = []
            subs: list[int] = []
            starts: list[int] = []
            for node in level:
                starts.append(len(primes))
                for prime, sub in node.elements():
                    primes.append(self._slot(prime))
                    subs.append(self._slot(sub))
                self.slot[node.id] = end
                end += 1
            layers.append((np.array(primes), np.array(subs), np.array(starts)))
        return ArithmeticCircuit(self.variables, tuple(layers),
                                 np.array([self._slot(node) for node in nodes]))

    def _visit(self, node: Any) -> int:
        """The layer of a node, from 1; 0 for literals and constants."""
        if not node.is_decision():
            return 0
        if node.id not in self.depth:
            depth = 1 + max(self._visit(each) for pair in node.elements() for each in pair)
            self.depth[node.id] = depth
            while len(self.by_depth) < depth:
                self.by_depth.append([])
            self.by_depth[depth - 1].append(node)
        return self.depth[node.id]

    def _slot(self, node: Any) -> int:
        if node.is_decision():
            return self.slot[node.id]
        if node.is_literal():
            position = self.variable[abs(node.literal)]
            return _FIRST_LITERAL + position + (self.variables if node.literal < 0 else 0)
        return _TRUE if node.is_true() else _FALSE
