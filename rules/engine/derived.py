"""What reasoning gives: facts, what was cut short, and on request why a fact holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, overload

from frontdesk.kg.graph.facts import Argument, Fact
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

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


def rule_name(predicate: str) -> str:
    """``commonsense.pl:person_busy`` and the like."""
    program = "conflicts.pl" if "conflict" in predicate else "commonsense.pl"
    return f"{program}:{predicate}"


def premises(kb: KnowledgeBase, arguments: Sequence[Argument]) -> tuple[str, ...]:
    """The stored facts about a derived fact's events that its rule rests on, readable."""
    found = []
    listed = [item for argument in arguments
              for item in (argument if isinstance(argument, tuple) else (argument,))]
    people = [item for item in listed if isinstance(item, str) and item in kb.people]
    for item in listed:
        if not isinstance(item, str) or item not in kb.events:
            continue
        event = kb.events[item]
        found.append(f"start({event.name}, {event.start:%Y-%m-%d %H:%M})")
        found.append(f"end({event.name}, {event.end:%Y-%m-%d %H:%M})")
        found += [f"location({event.name}, {kb.rooms[room].name})" for room in event.rooms]
        for person in people:
            role = ("attendee" if person in event.attendees
                    else "organizer" if person == event.organizer else "")
            if role:
                found.append(f"{role}({event.name}, {kb.people[person].name})")
    return tuple(dict.fromkeys(found))
