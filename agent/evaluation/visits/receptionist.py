"""The agent as the receptionist of simulated visitors."""

from __future__ import annotations

import datetime as dt
import itertools
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

from frontdesk.agent.calendars.sqlite_calendar import SqliteCalendar
from frontdesk.agent.domains.domain_pack import Components
from frontdesk.agent.sessions.agent import Agent
from frontdesk.agent.settings.settings import Settings
from frontdesk.agent.turn.reply import Reply
from frontdesk.generation.voice.generator import Generator
from frontdesk.kg.graph.changes import Message, NoticeKind
from frontdesk.kg.graph.dialogue_graph import Hypothesis
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.scoring.encoder import SentenceEncoder

#: A turn that takes longer fails, and the run goes on.
TURN_LIMIT_S = 120.0


@dataclass(frozen=True)
class Answer:
    """A reply with what was so around it.

    Args:
        before, after: The domain before and after the turn; the same where nothing changed.
    """

    reply: Reply
    before: Components
    after: Components


class AgentReceptionist:
    """An agent with a calendar of its own, in one conversation.

    Args:
        encoder, generator: Shared by all agents of a process.
        speaker: Id of the person who speaks, where the caller vouches for it.

    Attributes:
        answers: So far.
        calendar: That is changed.
    """

    def __init__(self, kb: KnowledgeBase, settings: Settings, *, encoder: SentenceEncoder,
                 generator: Generator | None, speaker: str | None = None) -> None:
        numbers = itertools.count(1)
        self.calendar = SqliteCalendar(":memory:", kb)
        self.agent = Agent(kb, settings, calendar=self.calendar, encoder=encoder,
                           generator=generator, new_id=lambda: f"visit-{next(numbers)}")
        self.session = self.agent.session(speaker=speaker)
        self.answers: list[Answer] = []

    def reply(self, hypotheses: Sequence[Hypothesis], now: dt.datetime) -> str:
        """Answer an utterance.

        Raises:
            TimeoutError: It took longer than :data:`TURN_LIMIT_S`.
        """
        before = self.agent.domain
        with _limited(TURN_LIMIT_S):
            reply = self.session.reply(hypotheses, now=now)
        self.agent.refresh()
        self.answers.append(Answer(reply, before, self.agent.domain))
        return reply.text

    def organisation(self) -> KnowledgeBase:
        """The organisation with the calendar as it is now."""
        return self.calendar.state().kb

    def messages(self) -> Sequence[Message]:
        """All messages that were passed on."""
        return [message for transaction in self.calendar.trail()
                for message in transaction.messages if message.kind is NoticeKind.MESSAGE]

    def close(self) -> None:
        """Let go of the calendar."""
        self.calendar.close()


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Break off what takes longer, where the system has a timer and this is the main thread."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not \
            threading.main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"the turn took longer than {seconds:g} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
