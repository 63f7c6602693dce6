"""How many there are of something, where it is not certain of each that it is one of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import prod
from typing import TypeVar

#: From what probability on something is rather in a set than not.
LIKELY = 0.5
#: What is less probable in the likeliest world is no part of an answer.
LEAST = 0.05
_SURE = 1.0 - 1e-9
_Key = TypeVar("_Key")


@dataclass(frozen=True)
class Number:
    """A number that is not certain.

    Args:
        value: How many there rather are.
        sure: How many there are at least.
        chances: The probabilities of as many, one more, two more, …; their sum is 1.
    """

    value: int
    sure: int
    chances: tuple[float, ...]

    @property
    def certainty(self) -> float:
        """P(there are as many), in (0, 1]."""
        return self.chances[self.value - self.sure]

    def at_most(self, number: int) -> float:
        """P(there are no more)."""
        return sum(self.chances[:max(number - self.sure + 1, 0)])

    def at_least(self, number: int) -> float:
        """P(there are no fewer)."""
        return sum(self.chances[max(number - self.sure, 0):])


def number_of(probabilities: Iterable[float]) -> Number:
    """How many there are of which each is one with a probability, whatever the others are."""
    value = sure = 0
    chances = [1.0]
    for each in probabilities:
        value += each >= LIKELY
        if each >= _SURE:
            sure += 1
        else:
            chances = [none * (1.0 - each) + one * each for none, one in zip(
                [*chances, 0.0], [0.0, *chances], strict=True)]
    return Number(value, sure, tuple(chances))


def extremes(numbers: Mapping[_Key, Number], *, most: bool) -> dict[_Key, float]:
    """Those that rather have the most, or the fewest, none of them where nobody has any to have the
    most of.

    Returns:
        Of each the probability, in (0, 1], that it has as many and no other has more, or fewer.
    """
    values = [each.value for each in numbers.values()]
    extreme = max(values, default=0) if most else min(values, default=0)
    if most and not extreme:
        return {}
    within = {each: number.at_most(extreme) if most else number.at_least(extreme)
              for each, number in numbers.items()}
    together = prod(within.values())
    return {each: max(together * number.certainty / within[each], LEAST)
            for each, number in numbers.items() if number.value == extreme}
