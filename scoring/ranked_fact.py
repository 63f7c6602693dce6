"""Facts with their sentences and their relevance, what ranking hands to generation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import overload

from frontdesk.kg.graph.facts import Fact


@dataclass(frozen=True)
class RankedFact:
    """A fact with its sentence and its relevance to the turn.

    Args:
        fact: The fact.
        text: Its verbalisation.
        relevance: P(z|x) up to normalisation, in [0, 1] (paper, section 3.3).
        features: The relevance model's inputs by name, for explanation.
        source: Where it is quoted from; empty for what the graph has.
    """

    fact: Fact
    text: str
    relevance: float
    features: dict[str, float] = field(default_factory=dict, compare=False)
    source: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class RankedFacts(Sequence[RankedFact]):
    """Facts that are ranked when the first of them is looked at; the same as any sequence of them.

    Args:
        rank: Gives them in order, the same ones at every call.
    """

    rank: Callable[[], Sequence[RankedFact]]

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, Sequence) else NotImplemented

    def __repr__(self) -> str:
        return repr(tuple(self))

    @overload
    def __getitem__(self, index: int) -> RankedFact: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[RankedFact]: ...

    def __getitem__(self, index: int | slice) -> RankedFact | Sequence[RankedFact]:
        return self.rank()[index]

    def __len__(self) -> int:
        return len(self.rank())
