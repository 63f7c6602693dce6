"""What reasoning gives: facts, what was cut short, and on request why a fact holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, overload

from frontdesk.kg.graph.facts import Fact

if TYPE_CHECKING:
    from frontdesk.rules.engine.proofs import Proof


@dataclass(frozen=True)
class Derived(Sequence[Fact]):
    """The derived facts of a turn.

    Args:
        facts: In a fixed order, each once.
        notes: What was left out, and what could not be looked up in time.
        proofs: For each fact, what its proof is found by. One of a list is that of its first item.
    """

    facts: Sequence[Fact]
    notes: tuple[str, ...] = ()
    proofs: dict[Fact, Callable[[], Proof | None]] = field(default_factory=dict, compare=False,
                                                            repr=False)

    def proof(self, fact: Fact) -> Proof | None:
        """Why a fact holds; None for one that was not derived here, or needs no rule.

        Raises:
            ReasoningError: The proof cannot be found, or not in time.
        """
        find = self.proofs.get(fact)
        return find() if find is not None else None

    @overload
    def __getitem__(self, index: int) -> Fact: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Fact]: ...

    def __getitem__(self, index: int | slice) -> Fact | Sequence[Fact]:
        return self.facts[index]

    def __len__(self) -> int:
        return len(self.facts)

    def __iter__(self) -> Iterator[Fact]:
        return iter(self.facts)
