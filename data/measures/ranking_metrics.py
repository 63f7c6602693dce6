"""How well candidates are ranked: precision@1 and mean reciprocal rank.

Candidates come with their scores, in any order; a higher score is better. Candidates with equal
scores stand in no order, so every figure is its expected value when ties are broken at random.
What is not among the candidates has no rank.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from math import comb

from frontdesk.kg.graph.errors import InputError

#: One candidate and its score.
Scored = tuple[Hashable, float]


@dataclass(frozen=True)
class Ranking:
    """One question with its right answers and its scored candidates.

    Args:
        gold: The right answers, at least one; any of them is right.
        candidates: Each candidate once, with its score.
    """

    gold: Collection[Hashable]
    candidates: Sequence[Scored]

    def __post_init__(self) -> None:
        if not self.gold:
            raise ValueError("a ranking needs at least one right answer")
        names = [name for name, _ in self.candidates]
        if len(set(names)) < len(names):
            raise ValueError("a candidate stands more than once in a ranking")
        if any(score != score for _, score in self.candidates):
            raise ValueError("a candidate's score is not a number")

    @classmethod
    def in_order(cls, gold: Collection[Hashable], names: Sequence[Hashable]) -> Ranking:
        """A ranking without ties from candidates in order, the best first."""
        return cls(gold, [(name, -float(place)) for place, name in enumerate(names)])

    def rank(self) -> int | None:
        """The rank of the best right answer, from 1; None when no candidate is right.

        The pessimistic one: wrong candidates with the same score stand before it.
        """
        best = max((score for name, score in self.candidates if name in self.gold), default=None)
        if best is None:
            return None
        return 1 + sum(score >= best and name not in self.gold for name, score in self.candidates)

    def tied(self) -> list[tuple[int, int]]:
        """Groups of equal score, the best first: how many candidates and how many are right."""
        groups: dict[float, tuple[int, int]] = {}
        for name, score in self.candidates:
            size, right = groups.get(score, (0, 0))
            groups[score] = (size + 1, right + (name in self.gold))
        return [groups[score] for score in sorted(groups, reverse=True)]


def hit_at_1(ranking: Ranking) -> float:
    """Probability in [0, 1] that the first candidate is right; 0 without candidates.

    >>> hit_at_1(Ranking({"jo"}, [("jo", 0.9), ("joe", 0.9), ("kim", 0.1)]))
    0.5
    """
    for size, right in ranking.tied():
        return right / size
    return 0.0


def reciprocal_rank(ranking: Ranking) -> float:
    """Expected 1/rank of the first right candidate, in [0, 1]; 0 when none is right.

    >>> reciprocal_rank(Ranking.in_order({"jo"}, ["joe", "jo"]))
    0.5
    """
    before = 0
    for size, right in ranking.tied():
        if right:
            ways = comb(size, right)
            return sum(comb(size - place, right - 1) / ways / (before + place)
                       for place in range(1, size - right + 2))
        before += size
    return 0.0


def precision_at_1(rankings: Sequence[Ranking]) -> float:
    """Mean of :func:`hit_at_1`, in [0, 1].

    Raises:
        InputError: There are no rankings.
    """
    _check(rankings)
    return sum(map(hit_at_1, rankings)) / len(rankings)


def mean_reciprocal_rank(rankings: Sequence[Ranking]) -> float:
    """Mean of :func:`reciprocal_rank`, in [0, 1].

    Raises:
        InputError: There are no rankings.
    """
    _check(rankings)
    return sum(map(reciprocal_rank, rankings)) / len(rankings)


def _check(rankings: Sequence[Ranking]) -> None:
    if not rankings:
        raise InputError("there are no rankings to measure",
                         remedy="Evaluate at least one turn that has right answers")
