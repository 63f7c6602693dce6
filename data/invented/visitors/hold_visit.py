"""A conversation of a visitor with a receptionist, turn by turn."""

from __future__ import annotations

import datetime as dt
import random
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from frontdesk.data.invented.dialogues import speech_noise as noise
from frontdesk.data.invented.visitors.refilled_wordings import RealWordings, Refill
from frontdesk.data.invented.visitors.sayings import Speaker
from frontdesk.data.invented.visitors.visited_organisations import Split, World
from frontdesk.data.invented.visitors.visitor import Outcome, Visitor
from frontdesk.data.invented.visitors.visitor_goals import Task
from frontdesk.kg.graph.changes import Message
from frontdesk.kg.graph.dialogue_graph import Hypothesis
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

#: Shares of names and of other words that are hard to hear, of truths that are heard of those,
#: and of utterances of which nothing is made out.
HARD_NAME, HARD_WORD, HEARD, LOST = 0.3, 0.02, 0.55, 0.02
_MOST = 5
_MARKS = re.compile(r"[,;!?\"“”]|\.(?=\s|$)|:(?=\s)")


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
        now: When the visitor spoke.
        repeated: The reply asks what it had asked before and what had been answered.
        agrees: The visitor does nothing but agree.
        refills: What of it real people said.
        unfitted: Keys of what no words of real people fitted.
    """

    number: int
    said: str
    hypotheses: tuple[Hypothesis, ...]
    reply: str
    now: dt.datetime
    repeated: bool = False
    agrees: bool = False
    refills: tuple[Refill, ...] = ()
    unfitted: tuple[str, ...] = ()


@dataclass(frozen=True)
class Visit:
    """A visit from beginning to end.

    Args:
        world: The organisation at the beginning.
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
        agrees, refills, unfitted = visitor.agrees, visitor.refills, visitor.unfitted
        hypotheses = hear(said, names, rng) if heard else (Hypothesis(said),)
        reply = receptionist.reply(hypotheses, now)
        following = visitor.react(reply, now)
        turn = VisitTurn(len(turns) + 1, said, hypotheses, reply, now, visitor.asked_again,
                         agrees, refills, unfitted)
        turns.append(turn)
        answered(turn)
        said = following
        now += dt.timedelta(seconds=rng.randint(5, 20))
    return Visit(task, world, tuple(turns), visitor.outcome(), receptionist.organisation(),
                 tuple(receptionist.messages()))


def new_visitor(task: Task, world: World, rng: random.Random, split: Split, *,
                heard: bool = False, wordings: RealWordings | None = None) -> Visitor:
    """A visitor with a task.

    Args:
        world: Where to.
        rng: Its words and ways are drawn from it.
        heard: It speaks, with no slips of the keys.
        wordings: Utterances of real people that it says what it means with, where they fit.
    """
    return Visitor(task, world, Speaker(world.kb, world.now, rng, split, typed=not heard,
                                        wordings=wordings))


def hear(said: str, names: Collection[str], rng: random.Random) -> tuple[Hypothesis, ...]:
    """What a recogniser makes of an utterance: up to 5 readings, the most confident first.

    Words that are hard to hear are taken for others that sound alike, in each reading anew; names
    are hard far more often than other words. The first reading need not be the best.

    Args:
        said: The words as they are written.
        names: Words of names, as written.
        rng: All is drawn from it.

    Returns:
        Readings with confidences in [0, 1] that fall.
    """
    if rng.random() < LOST:
        return (Hypothesis(noise.lost(rng), round(rng.uniform(0.2, 0.5), 3)),)
    words = [word for word in _MARKS.sub("", said).split() if word]
    words = [word if word in names or word.removesuffix("'s") in names or word == "I"
             or word.startswith("I'") else word.lower() for word in words]
    hard = {at: _alternatives(word, rng) for at, word in enumerate(words)
            if rng.random() < (HARD_NAME if word in names else HARD_WORD)}
    readings: list[str] = []
    for _ in range(_MOST):
        heard = [rng.choice(hard[at]) if at in hard and rng.random() > HEARD else word
                 for at, word in enumerate(words)]
        readings.append(" ".join(heard))
    confidence, found = rng.uniform(0.75, 0.97), []
    for text in dict.fromkeys(readings):
        found.append(Hypothesis(text, round(confidence, 3)))
        confidence *= rng.uniform(0.7, 0.97)
    return tuple(found)


def _alternatives(word: str, rng: random.Random) -> list[str]:
    """What a word is taken for, besides itself."""
    return [noise.misheard(word, rng) for _ in range(2)]
