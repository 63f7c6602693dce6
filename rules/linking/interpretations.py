"""Partial interpretations: what is observed of (mention, entity) pairs, to learn weights from.

An interpretation says of one pair which evidence holds, with which probability, and whether the
mention refers to the entity: true, false or not observed (Gutmann et al., 2011). Everything else
in the rules (which of them made it true, what was recent) is hidden.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from frontdesk.rules.linking.circuit import Evidence

TRUE, FALSE, UNOBSERVED = 1, 0, -1


@dataclass(frozen=True)
class Interpretation:
    """What is observed of one pair.

    Args:
        evidence: Probability in [0, 1] of each piece of evidence; what is missing is false.
        refers: Whether the mention refers to the entity; None when that is not observed.
    """

    evidence: Mapping[Evidence, float]
    refers: bool | None


@dataclass(frozen=True)
class Interpretations:
    """Interpretations as arrays; equal ones are one row.

    Args:
        evidence: ``(n, k)`` probabilities in [0, 1], a column for each piece of evidence.
        observed: ``(n,)`` of :data:`TRUE`, :data:`FALSE` or :data:`UNOBSERVED`.
        counts: ``(n,)`` how many interpretations each row stands for, at least 1.
    """

    evidence: npt.NDArray[np.float64]
    observed: npt.NDArray[np.int8]
    counts: npt.NDArray[np.float64]

    @classmethod
    def gather(cls, interpretations: Iterable[Interpretation],
               columns: Sequence[Evidence]) -> Interpretations:
        """Interpretations as rows, whose order does not depend on that of the interpretations.

        Args:
            interpretations: Any number; evidence that is in no column does not count.
            columns: The evidence that the rules use, ``k`` pieces.
        """
        rows = [[*(each.evidence.get(column, 0.0) for column in columns), _observed(each)]
                for each in interpretations]
        table = np.array(rows, dtype=np.float64).reshape(-1, len(columns) + 1)
        distinct, counts = np.unique(table, axis=0, return_counts=True)
        return cls(np.ascontiguousarray(distinct[:, :-1]), distinct[:, -1].astype(np.int8),
                   counts.astype(np.float64))

    def count(self, observed: int) -> int:
        """How many interpretations have that observation."""
        return int(self.counts[self.observed == observed].sum())


def _observed(interpretation: Interpretation) -> int:
    if interpretation.refers is None:
        return UNOBSERVED
    return TRUE if interpretation.refers else FALSE
