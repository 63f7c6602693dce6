"""Takes turns of stored sessions: one at a time for each, each answered once, none half kept."""

from __future__ import annotations

import contextvars
import re
import secrets
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from frontdesk.agent.check.given_reply import check_given_reply
from frontdesk.agent.serving.auth.api_keys import Caller
from frontdesk.agent.serving.operations import logs
from frontdesk.agent.serving.operations.tracing import Tracing
from frontdesk.agent.serving.serve_options import GRACE_S
from frontdesk.agent.serving.sessions.callers_sessions import CallersSessions
from frontdesk.agent.serving.sessions.concurrency_limit import OverloadedError
from frontdesk.agent.serving.sessions.measured_service_turns import MeasuredTurn, MeasuredTurns
from frontdesk.agent.serving.sessions.session_store import (
    AnsweredTurn,
    MovedOnError,
    NoSessionError,
    SessionStore,
    StoredSession,
)
from frontdesk.agent.serving.sessions.session_tables import LONGEST_CLIENT_ID
from frontdesk.agent.sessions.agent import Agent, Session
from frontdesk.agent.settings.settings import ServeSettings
from frontdesk.agent.turn.pipeline import Watch
from frontdesk.agent.turn.reply import Reply
from frontdesk.kg.graph.dialogue_graph import DialogueGraph, Hypothesis
from frontdesk.kg.graph.errors import InputError

_Result = TypeVar("_Result")
#: Turns of the dialogue graph that an utterance and its reply are.
_ONE_EXCHANGE = 2
_NO_SESSION = ("I'm sorry, I cannot book or change anything in this chat: what I ask in it cannot "
               "be answered. Please use one with a session.")
#: What tells a client's developer how.
_HOW_WITH_A_SESSION = ("Nothing can be booked or changed in a chat without a session: send "
                       "\"user\" or \"frontdesk\": {\"session\": …}")
_QUOTED = re.compile("“.*”", re.DOTALL)
#: An address or the path of a file.
_PLACE = re.compile(r"\w+://\S+|(?<![\w/])/(?:[\w.~-]+/)+[\w.~-]*")


@dataclass(frozen=True)
class Answer:
    """What a turn is answered with.

    Args:
        session: Id of the session.
        reply: The reply as data; with ``text`` and what ``explained`` asks for.
        again: The turn had been answered before.
    """

    session: str
    reply: dict[str, Any]
    again: bool = False


class Conversations(CallersSessions):
    """The dialogues of all callers with one agent.

    Args:
        settings: How many turns are worked on at once and how many may wait.
    """

    def __init__(self, agent: Agent, store: SessionStore, settings: ServeSettings) -> None:
        super().__init__(agent, store, settings)
        self.tracing = Tracing(settings.traces)
        self._measured = MeasuredTurns(self.metrics, self.tracing)
        # Always the same threads, since each that has run a model keeps memory of its own.
        self._workers = ThreadPoolExecutor(settings.workers, "worker")

    def close(self) -> None:
        """Take no more turns, and let go of the calendar and the database when those have ended
        that are under way, whether or not anybody waits for their replies.
        """
        self.places.close(GRACE_S)
        self._workers.shutdown()
        self.places.close(GRACE_S)  # what a worker was still at is kept by who asked for it
        self._leases.close()
        self.tracing.close()
        self.current.close()
        self.store.close()

    def take_turn(self, caller: Caller, session: StoredSession,
                  said: str | Sequence[Hypothesis], *, after: int | None = None,
                  client_id: str | None = None, explained: bool = False,
                  watch: Watch | None = None) -> Answer:
        """Answer an utterance; when this returns, the turn is kept.

        Args:
            said: What was typed, or the hypotheses of a speech recogniser, the best first.
            after: How many turns come before it; any number by default.
            client_id: The client's own id of the turn: what was answered is answered the same.
            explained: The reply is to have its facts, links, proofs and checks.
            watch: Is told of each stage when it ends.

        Raises:
            MovedOnError: There are more or fewer turns before it.
            InputError: The text is longer than allowed, or the id was used for another text.
            TooManyError: The caller has taken too many.
            OverloadedError: More turns wait than may.
            SessionBusyError: Another turn of the session does not end.
            StoreUnavailableError, LeaseLostError: The turn could not be kept.
        """
        with self._measured.turn(watch) as measured:
            return self._answered(measured, caller, session, said, client_id, explained=explained,
                                  after=after)

    def say(self, caller: Caller, name: str, said: str, *, speaker: str | None = None,
            client_id: str | None = None, explained: bool = False) -> Answer:
        """Answer an utterance in the caller's session of a name, made when there is none.

        Args:
            name, speaker: See :meth:`open`.
            said, client_id, explained: See :meth:`take_turn`.

        Raises:
            InputError, TooManyError, OverloadedError, SessionBusyError, StoreUnavailableError,
            LeaseLostError: See :meth:`open` and :meth:`take_turn`.
        """
        def answered() -> Answer:
            session = self.open(caller, name, speaker=speaker)
            return self._answered(measured, caller, session, said, client_id, explained=explained)

        with self._measured.turn() as measured:
            self.check_length(said)  # before anything is forgotten
            try:
                return answered()
            except NoSessionError:  # somebody else has just forgotten it
                return answered()

    def _answered(self, measured: MeasuredTurn, caller: Caller, session: StoredSession,
                  said: str | Sequence[Hypothesis], client_id: str | None, *,
                  explained: bool, after: int | None = None) -> Answer:
        logs.note(session=session.id)
        self._limit.take(caller)
        self.speakers.check_speaker(caller, session)
        answer = self._take_turn(caller, session, said, after, client_id, explained,
                                 measured.watch)
        measured.reply, measured.again = answer.reply, answer.again
        return answer

    def _take_turn(self, caller: Caller, session: StoredSession,
                   said: str | Sequence[Hypothesis], after: int | None, client_id: str | None,
                   explained: bool, watch: Watch) -> Answer:
        texts = [said] if isinstance(said, str) else [each.text for each in said]
        self.check_length(*texts)
        text, client_id = texts[0], client_id or None
        if client_id is not None and len(client_id) > LONGEST_CLIENT_ID:
            raise InputError(f"the id of the turn has {len(client_id)} characters",
                             remedy=f"Send at most {LONGEST_CLIENT_ID}")
        holder = secrets.token_urlsafe(16)
        with self.places.take(caller, session.id), self._leases.hold(session.id, holder):
            known = self.store.answered(session.id, client_id) if client_id is not None else None
            if known is not None:
                if known[0] != text:
                    raise InputError(f"turn {client_id!r} was another text",
                                     remedy="Give each turn an id of its own")
                self.store.release(session.id, holder)
                return Answer(session.id, known[1], again=True)
            session = self.find(caller, session.id)  # as it is now
            if after is not None and session.turns != after:
                raise MovedOnError(f"the session has {session.turns} turns, not {after}",
                                   remedy="Send it again")
            reply, graph = self._work(lambda agent: self._reply(
                agent, caller, session, said, explained=explained, watch=watch))
            self.store.keep(
                caller.id, session, holder, graph.latest(self.settings.remembered).to_json(),
                AnsweredTurn(text, reply, graph.latest(_ONE_EXCHANGE).to_json(), client_id))
        return Answer(session.id, reply)

    def reply_after(self, caller: Caller, history: Sequence[tuple[str, str]], said: str, *,
                    speaker: str | None = None, explained: bool = False) -> dict[str, Any]:
        """Answer an utterance of a dialogue that is not kept here.

        Args:
            history: What was said before, each with its role, ``user`` or ``assistant``.
            speaker: Id or e-mail address of who speaks.
            explained: The reply is to have its facts, links, proofs and checks.
        """
        with self._measured.turn() as measured:
            self._limit.take(caller)
            self.check_length(said, *(text for _, text in history))
            person = self.speakers.person(caller, speaker)

            def answer(agent: Agent) -> dict[str, Any]:
                dialogue = self._listening(agent, caller, person, history)
                reply = dialogue.reply(said, watch=measured.watch, hurried=self._hurried())
                if any(each.action.is_open for each in reply.actions):
                    reply = replace(reply, text=_NO_SESSION, actions=(),
                                    notes=(*reply.notes, _HOW_WITH_A_SESSION))
                return _data(reply, explained=explained)

            with self.places.take(caller):
                measured.reply = self._work(answer)
            return measured.reply

    def listened(self, caller: Caller, history: Sequence[tuple[str, str]], *,
                 speaker: str | None = None) -> str:
        """The dialogue graph, as JSON, of what was said elsewhere; nothing was asked for in it.

        Args:
            history: What was said, each with its role, ``user`` or ``assistant``.
            speaker: Id or e-mail address of who speaks.
        """
        person = self.speakers.person(caller, speaker)
        with self.places.take(caller):
            return self._work(lambda agent: self._listening(
                agent, caller, person, history).graph.to_json())

    def _listening(self, agent: Agent, caller: Caller, person: str | None,
                   history: Sequence[tuple[str, str]]) -> Session:
        dialogue = agent.session(speaker=person, role=caller.role, id_="")
        for role, text in history[-self.settings.remembered:]:
            (dialogue.listen if role == "user" else dialogue.say)(
                text[:self.settings.longest_text])
        return dialogue

    def check(self, caller: Caller, history: Sequence[tuple[str, str]], response: str,
              knowledge: Sequence[str] = (), *, speaker: str | None = None) -> dict[str, Any]:
        """Check a reply that anybody gave; see
        :func:`~frontdesk.agent.check.given_reply.check_given_reply`.

        Args:
            history: ``(speaker, text)`` before the reply.
            speaker: Id or e-mail address of who is spoken to.
        """
        self._limit.take(caller)
        self.check_length(response, *(text for _, text in history), *knowledge)
        person = self.speakers.person(caller, speaker)
        with self.places.take(caller):
            return self._work(lambda agent: check_given_reply(
                agent, history[-self.settings.remembered:], response, knowledge, speaker=person,
                role=caller.role))

    def _reply(self, agent: Agent, caller: Caller, session: StoredSession,
               said: str | Sequence[Hypothesis], *, explained: bool, watch: Watch | None
               ) -> tuple[dict[str, Any], DialogueGraph]:
        graph = DialogueGraph.from_json(session.graph) if session.graph else DialogueGraph()
        kb = agent.at_last().kb  # which may have lost somebody since
        graph.forget_entities([each for each in graph.entities() if each not in kb])
        dialogue = agent.session(graph, speaker=session.speaker, role=caller.role,
                                 id_=session.id)
        data = _data(dialogue.reply(said, watch=watch, hurried=self._hurried()),
                     explained=explained)
        return data, dialogue.graph

    def _hurried(self) -> bool:
        """Whether so many turns are under way that replies are worded by templates."""
        return 0 < self.settings.hurried <= self.places.taken

    def _work(self, work: Callable[[Agent], _Result]) -> _Result:
        """What one of the workers makes of it, with the agent as it is then.

        Raises:
            OverloadedError: None became free in time.
        """
        begun = threading.Event()

        def answering() -> _Result:
            begun.set()
            with self.current.use() as agent:
                return work(agent)

        # With what belongs to the request: its trace.
        asked = self._workers.submit(contextvars.copy_context().run, answering)
        if not begun.wait(self.settings.patience_s) and asked.cancel():
            raise OverloadedError(f"no turn ended within {self.settings.patience_s:g} seconds",
                                  remedy="Send it again in a second")
        return asked.result()


def _data(reply: Reply, *, explained: bool) -> dict[str, Any]:
    """A reply as data: all of it, or what a client needs to show it.

    Clients are not told where the calendar or a model is that a note names; nor, unless they ask
    for all of it, the sentences that did not pass.
    """
    notes = [_PLACE.sub("[place]", note) for note in reply.notes]
    if explained:
        return {**reply.to_dict(), "notes": notes}
    return {"text": reply.text, "generator": reply.generator,
            "repaired": _QUOTED.sub("“…”", reply.repaired) or None,
            "actions": [each.to_data() for each in reply.actions], "notes": notes,
            "timings_ms": {name: round(value, 2) for name, value in reply.timings_ms.items()}}
