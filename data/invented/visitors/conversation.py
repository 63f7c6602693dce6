"""A conversation of a visitor with a receptionist, turn by turn."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from frontdesk.data.invented.visitors.hearing import hear
from frontdesk.data.invented.visitors.sayings import Speaker
from frontdesk.data.invented.visitors.visited_organisations import Split, World
from frontdesk.data.invented.visitors.visitor import Outcome, Visitor
from frontdesk.data.invented.visitors.visitor_goals import Task
from frontdesk.kg.graph.changes import Message
from frontdesk.kg.graph.dialogue_graph import Hypothesis
from frontdesk.kg.graph.knowledge_base import KnowledgeBase


class Receptionist(Protocol):
    """Whoever answers visitors."""

    def reply(self, hypotheses: Sequence[Hypothesis], now: dt.datetime) -> str:
        """Answer an utterance.

        Args:
            hypotheses: What was said, the best reading first.
            now: When, zone-aware.
        """
        ...

    def organisation(self) -> KnowledgeBase:
        """The organisation with the calendar as it is now."""
        ...

    def messages(self) -> Sequence[Message]:
        """All messages that have been passed on."""
        ...


@dataclass(frozen=True)
class VisitTurn:
    """One turn of a visit.

    Args:
        number: From 1.
        said: The visitor's words.
        hypotheses: What was heard.
        reply: What the receptionist said.
        now: When the visitor spoke.
        repeated: The reply asks what it had asked before and what had been answered.
        agrees: The visitor does nothing but agree.
    """

    number: int
    said: str
    hypotheses: tuple[Hypothesis, ...]
    reply: str
    now: dt.datetime
    repeated: bool = False
    agrees: bool = False


@dataclass(frozen=True)
class Visit:
    """A visit from beginning to end.

    Args:
        task: What the visitor came for.
        world: The organisation at the beginning.
        turns: What was said.
        outcome: What the visitor wanted in the end, and how it ended.
        after: The organisation at the end.
        messages: That have been passed on.
    """

    task: Task
    world: World
    turns: tuple[VisitTurn, ...]
    outcome: Outcome
    after: KnowledgeBase
    messages: tuple[Message, ...]


def hold_visit(visitor: Visitor, receptionist: Receptionist, rng: random.Random, *,
               heard: bool = False,
               answered: Callable[[VisitTurn], None] = lambda _: None) -> Visit:
    """Have a visitor talk with a receptionist until the visitor leaves.

    Args:
        visitor: Who comes.
        receptionist: Who answers.
        rng: Pauses and the recogniser's errors are drawn from it.
        heard: The receptionist hears the visitor through a speech recogniser.
        answered: Called after each turn.
    """
    task, world = visitor.task, visitor.world
    names = frozenset(word for entity in world.kb.entities() for word in entity.name.split()
                      if word[:1].isupper())
    now = world.now
    turns: list[VisitTurn] = []
    said = visitor.begin()
    while said:
        agrees = visitor.agrees
        hypotheses = hear(said, names, rng) if heard else (Hypothesis(said),)
        reply = receptionist.reply(hypotheses, now)
        following = visitor.react(reply, now)
        turn = VisitTurn(len(turns) + 1, said, hypotheses, reply, now, visitor.asked_again,
                         agrees)
        turns.append(turn)
        answered(turn)
        said = following
        now += dt.timedelta(seconds=rng.randint(5, 20))
    return Visit(task, world, tuple(turns), visitor.outcome(), receptionist.organisation(),
                 tuple(receptionist.messages()))


def new_visitor(task: Task, world: World, rng: random.Random, split: Split, *,
                heard: bool = False) -> Visitor:
    """A visitor with a task.

    Args:
        task: What it comes for.
        world: Where to.
        rng: Its words and ways are drawn from it.
        split: Whose phrases it uses.
        heard: It speaks, with no slips of the keys.
    """
    return Visitor(task, world, Speaker(world.kb, world.now, rng, split, typed=not heard))
