"""What a reply is checked against besides the knowledge base."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from frontdesk.generation.checks.action_claims import (
    days_spoken_of,
    spoken_days_and_parts,
    spoken_times,
)
from frontdesk.generation.checks.claims import Support
from frontdesk.kg.graph.windows import CLOCK_KINDS, Window


@dataclass(frozen=True)
class ReplyContext:
    """What a reply is checked against.

    Args:
        now: Zone-aware present.
        spoken_of: Ids of the entities that the user refers to.
        reach: Ids of what is spoken of and, as the reply goes on, of what it rightly says of that.
    """

    support: Support
    now: dt.datetime
    said: str
    earlier: str
    spoken_of: Collection[str]
    asked: Collection[Window]
    reach: set[str]

    @cached_property
    def dialogue(self) -> str:
        """All that was said."""
        return f"{self.earlier}\n{self.said}"

    @cached_property
    def times(self) -> Sequence[Window]:
        """The clock times of what was said, in order."""
        return spoken_times(self.dialogue, self.now)

    @property
    def asked_times(self) -> Sequence[Window]:
        """The clock times of the user's words, in order."""
        return spoken_times(self.said, self.now)

    @cached_property
    def days(self) -> Sequence[dt.date]:
        """The days of what was said, in order."""
        return days_spoken_of(self.dialogue, self.now)

    @property
    def focus(self) -> Sequence[dt.date]:
        """The day on which an hour without a day is: that of the facts in use where all hours of
        theirs are on one, else the last that was spoken of."""
        days = {each.date for ranked in self.support.used for each in ranked.fact.arguments
                if isinstance(each, Window) and each.kind in CLOCK_KINDS}
        return tuple(days) if len(days) == 1 else self.days[-1:]

    @cached_property
    def days_and_parts(self) -> Sequence[Window]:
        """The days and parts of days of what was said, in order."""
        return spoken_days_and_parts(self.dialogue, self.now)

    @cached_property
    def topic(self) -> set[str]:
        """What "it" and "that meeting" can mean: what the facts are about, and its namesakes."""
        kb, topic = self.support.kb, self.support.subjects()
        names = {kb.entity(each).name for each in topic if each in kb}
        return topic | {each for each in self.spoken_of if each in kb
                        and kb.entity(each).name in names}

    @cached_property
    def people(self) -> frozenset[str]:
        """Whom "she" and "you" can mean: the first of whom a fact in use is, else who is spoken of.
        """
        people = self.support.kb.people
        first = next((fact.arguments[0] for fact in (ranked.fact for ranked in self.support.used)
                      if fact.arguments and fact.arguments[0] in people), None)
        return frozenset(each for each in self.spoken_of if each in people) if first is None \
            else frozenset({str(first)})
