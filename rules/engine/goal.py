"""What a turn can ask about: the goal that facts are derived for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod

from frontdesk.kg.graph.windows import Window

#: Of the times that a turn speaks of, so many are looked up.
MOST_WINDOWS = 4


@dataclass(frozen=True)
class Goal:
    """What a turn can ask about.

    Args:
        entities: Ids of the entities it refers to, each with its probability in (0, 1].
        windows: The times it speaks of. Where there are none, now stands in; today and tomorrow
            where a time is asked for; for lists of events the coming week.
        asked: Names of the predicates that tell what it asks.
        meant: The probability in [0, 1] that all of some entities of the goal are meant, jointly:
            two that one mention may mean exclude each other. None takes them for independent.
    """

    entities: Mapping[str, float]
    windows: Sequence[Window]
    asked: Collection[str]
    meant: Callable[[frozenset[str]], float] | None = field(default=None, compare=False)

    def probability(self, entities: Iterable[str]) -> float:
        """The probability in [0, 1] that all of these are meant that are entities of the goal."""
        about = [each for each in entities if each in self.entities]
        if self.meant is not None and about:
            return self.meant(frozenset(about))
        return prod(self.entities[each] for each in about)
