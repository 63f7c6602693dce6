"""What the mentions of a turn mean together: a joint distribution, exact while it is small.

Each mention is an annotated disjunction over its referents, given what the mentions before it
mean: "her" is Ada in the worlds where "Ada" is. Mentions that do not depend on each other are kept
apart, so that the number of worlds is that of the largest group of dependent mentions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

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

    def with_referents(self, mention: int, referents: Referents, probability: float) -> World:
        """The world in which a further mention is meant so."""
        return World(self.probability * probability, {**self.referents, mention: referents})


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
        self._components: list[list[World]] = []
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
        extended = []
        for world, possible in zip(worlds, meanings(worlds), strict=True):
            left = 1.0
            for referents, probability in possible.items():
                left -= probability
                extended.append(world.with_referents(mention, referents, probability))
            if left > _NEGLIGIBLE:
                extended.append(world.with_referents(mention, NOTHING, left))
        self._components.append(self._bounded(extended))

    def probability(self, entities: Collection[str]) -> float:
        """P(every one of some entities is meant by some mention), in [0, 1]."""
        wanted = frozenset(entities)
        covered = {NOTHING: 1.0}
        for component in self._components:
            here: dict[Referents, float] = {}
            for world in component:
                meant = wanted.intersection(NOTHING.union(*world.referents.values()))
                here[meant] = here.get(meant, 0.0) + world.probability
            if set(here) == {NOTHING}:
                continue
            together: dict[Referents, float] = {}
            for (left, first), (right, second) in product(covered.items(), here.items()):
                together[left | right] = together.get(left | right, 0.0) + first * second
            covered = together
        return min(1.0, covered.get(wanted, 0.0))

    def _joined(self, mentions: Collection[int]) -> list[World]:
        """The worlds of the groups that hold some mentions, taken out."""
        needed = [each for each in self._components
                  if not set(mentions).isdisjoint(each[0].referents)]
        taken = {id(each) for each in needed}
        self._components = [each for each in self._components if id(each) not in taken]
        joined = [World(1.0, {})]
        for component in needed:
            joined = self._bounded([
                World(one.probability * other.probability, {**one.referents, **other.referents})
                for one in joined for other in component])
        return joined

    def _bounded(self, worlds: list[World]) -> list[World]:
        """The most probable worlds, their probability summing to 1 again."""
        if len(worlds) <= self._most:
            return worlds
        kept = sorted(worlds, key=lambda world: -world.probability)[:self._most]
        total = math.fsum(world.probability for world in kept)
        self.cut = 1 - (1 - self.cut) * min(1.0, total)
        return [World(world.probability / total, world.referents) for world in kept]
