"""Facts: ground atoms over entity ids, times and windows, with a probability and provenance."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field

from frontdesk.kg.graph.windows import Window

#: An argument of a fact: an entity id or a text, a number, a date, a time of day, a window, or
#: a list of entity ids.
Argument = str | int | dt.date | dt.time | Window | tuple[str, ...] | tuple[Window, ...]


@dataclass(frozen=True)
class Provenance:
    """Why a derived fact holds.

    Args:
        rule: The predicate of the rule that derived it, ``file.pl:predicate/arity``.
        premises: The ground facts it rests on, readable, in proof order.
    """

    rule: str
    premises: tuple[str, ...] = ()


@dataclass(frozen=True)
class Fact:
    """A ground fact.

    Args:
        predicate: Name of a predicate of :data:`frontdesk.kg.graph.schema.PREDICATES`.
        arguments: One argument for each of the predicate's argument types; the first is what
            the fact is about.
        probability: In (0, 1]; below 1 when it rests on an uncertain link or is not certain.
        provenance: The rule and premises of a derived fact, None for a stored one.
        certainty: In (0, 1]; how probable it is if the links it rests on are right. Below 1 when
            it rests on uncertain stored facts; it must not be stated flatly then.
        omitted: How many items its list leaves out because it would be too long to say.
        partial: Whether its list may have further items, those that are not certain; each of
            them is in a fact of its own.
    """

    predicate: str
    arguments: tuple[Argument, ...]
    probability: float = field(default=1.0, compare=False)
    provenance: Provenance | None = field(default=None, compare=False)
    certainty: float = field(default=1.0, compare=False)
    omitted: int = field(default=0, compare=False)
    partial: bool = field(default=False, compare=False)

    @property
    def derived(self) -> bool:
        """Whether a rule derived this fact."""
        return self.provenance is not None

    def entities(self) -> tuple[str, ...]:
        """All text arguments that may be entity ids, lists flattened, in order."""
        found: list[str] = []
        for argument in self.arguments:
            if isinstance(argument, str):
                found.append(argument)
            elif isinstance(argument, tuple):
                found.extend(item for item in argument if isinstance(item, str))
        return tuple(found)
