"""What the mentions of a turn mean together: a joint distribution, exact while it is small.

Each mention is an annotated disjunction over its referents, given what the mentions before it
mean: "her" is Ada in the worlds where "Ada" is. Mentions that do not depend on each other are kept
apart, so that the number of worlds is that of the largest group of dependent mentions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from itertools import product
from operator import itemgetter
from typing import TypeVar

_Rest = TypeVar("_Rest")
#: What a mention means in a world: nothing, one entity, or several at once ("them").
Referents = frozenset[str]
NOTHING: Referents = frozenset()
#: Worlds of dependent mentions that are kept, the most probable ones.
MOST_WORLDS = 512
#: What rounding leaves over when the probabilities of a mention sum to 1.
_NEGLIGIBLE = 1e-15


@dataclass(frozen=True)
class World:
    """One way in which some mentions can be meant.

    Args:
        probability: In (0, 1].
        referents: What each of them means, by its position in the turn.
    """

    probability: float
    referents: Mapping[int, Referents]


def together(probabilities: Mapping[str, float]) -> dict[Referents, float]:
    """The meanings of a mention of several entities at once, each with its own probability.

    An entity is meant whenever a less probable one is: "they" are all of them, or the surest.

    Example:
        >>> meanings = together({"ada": 0.75, "bo": 0.5})
        >>> meanings[frozenset({"ada"})], meanings[frozenset({"ada", "bo"})]
        (0.25, 0.5)
    """
    meanings: dict[Referents, float] = {}
    meant: Referents = NOTHING
    ranked = sorted(probabilities.items(), key=lambda item: (-item[1], item[0]))
    for position, (entity, probability) in enumerate(ranked, start=1):
        meant |= {entity}
        after = ranked[position][1] if position < len(ranked) else 0.0
        if probability > after:
            meanings[meant] = probability - after
    return meanings


class Worlds:
    """The joint distribution over what the mentions of a turn mean.

    Args:
        most: Worlds of dependent mentions that are kept; the rest is cut off and counted.

    Example:
        >>> worlds = Worlds()
        >>> ada, bo = frozenset({"ada"}), frozenset({"bo"})
        >>> worlds.add(0, [], lambda before: [{ada: 0.6, bo: 0.3}])
        >>> worlds.add(1, [0], lambda before: [{world.referents[0]: 0.9} for world in before])
        >>> round(worlds.probability({"ada"}), 2), worlds.probability({"ada", "bo"})
        (0.6, 0.0)
    """

    def __init__(self, most: int = MOST_WORLDS) -> None:
        self._most = most
        self._groups: list[_Group] = []
        self._known: dict[frozenset[str], float] = {}
        #: Probability of the worlds that were cut off, in [0, 1); 0 where all is exact.
        self.cut = 0.0

    def add(self, mention: int, parents: Collection[int],
            meanings: Callable[[Sequence[World]], Sequence[Mapping[Referents, float]]]) -> None:
        """Add a mention that depends on others.

        Args:
            mention: Its position in the turn.
            parents: Positions of the mentions that it depends on, added before.
            meanings: For each of the worlds of its parents, what it can mean there with the
                probability of each, in (0, 1], together at most 1; it means nothing known with
                what is left.
        """
        worlds = self._joined(parents)
        extended: list[tuple[float, World, Referents]] = []
        for world, possible in zip(worlds, meanings(worlds), strict=True):
            left = 1.0
            for referents, probability in possible.items():
                left -= probability
                extended.append((world.probability * probability, world, referents))
            if left > _NEGLIGIBLE:
                extended.append((world.probability * left, world, NOTHING))
        self._groups.append(_Group([
            World(probability, {**world.referents, mention: referents})
            for probability, world, referents in self._bounded(extended)]))
        self._known.clear()

    def probability(self, entities: Collection[str]) -> float:
        """P(every one of some entities is meant by some mention), in [0, 1]."""
        wanted = frozenset(entities)
        if wanted not in self._known:
            self._known[wanted] = self._probability(wanted)
        return self._known[wanted]

    def _probability(self, wanted: frozenset[str]) -> float:
        covered = {NOTHING: 1.0}
        for group in self._groups:
            here = group.meant(wanted)
            together: dict[Referents, float] = {}
            for (left, first), (right, second) in product(covered.items(), here.items()):
                together[left | right] = together.get(left | right, 0.0) + first * second
            covered = together
        return min(1.0, covered.get(wanted, 0.0))

    def _joined(self, mentions: Collection[int]) -> list[World]:
        """The worlds of the groups that hold some mentions, taken out."""
        needed = [group for group in self._groups if not group.mentions.isdisjoint(mentions)]
        self._groups = [group for group in self._groups if group.mentions.isdisjoint(mentions)]
        joined = [World(1.0, {})]
        for group in needed:
            pairs = [(one.probability * other.probability, one, other)
                     for one in joined for other in group.worlds]
            joined = [World(probability, {**one.referents, **other.referents})
                      for probability, one, other in self._bounded(pairs)]
        return joined

    def _bounded(self, worlds: list[tuple[float, World, _Rest]]
                 ) -> list[tuple[float, World, _Rest]]:
        """The most probable of worlds to be, their probability summing to 1 again."""
        if len(worlds) <= self._most:
            return worlds
        kept = nlargest(self._most, worlds, key=itemgetter(0))
        total = math.fsum(probability for probability, _, _ in kept)
        self.cut = 1 - (1 - self.cut) * min(1.0, total)
        return [(probability / total, world, rest) for probability, world, rest in kept]


class _Group:
    """Mentions that depend on each other, with their worlds."""

    def __init__(self, worlds: list[World]) -> None:
        self.worlds = worlds
        self.mentions = frozenset(worlds[0].referents)
        self._meant = [NOTHING.union(*world.referents.values()) for world in worlds]
        self._any = NOTHING.union(*self._meant)

    def meant(self, wanted: frozenset[str]) -> dict[Referents, float]:
        """Which of some entities the mentions mean, with the probability of each set."""
        if wanted.isdisjoint(self._any):
            return {NOTHING: 1.0}
        found: dict[Referents, float] = {}
        for world, meant in zip(self.worlds, self._meant, strict=True):
            these = wanted & meant
            found[these] = found.get(these, 0.0) + world.probability
        return found
