"""Chats of clients that send all that was said with each message, as OpenAI's do."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from frontdesk.agent.serving.auth.api_keys import Caller
from frontdesk.agent.serving.sessions.conversations import Answer, Conversations
from frontdesk.agent.serving.sessions.session_store import (
    MovedOnError,
    NoSessionError,
    SessionBusyError,
    StoredSession,
    exchange_digest,
)
from frontdesk.kg.graph.dialogue_graph import DialogueGraph

#: Chats of one user that are kept; of more, those unused for longest are forgotten. What a client
#: asks for itself, as a title for a chat, is a chat of one message.
_MOST_CHATS = 200
#: How often to look for a dialogue that others go on with or forget meanwhile.
_ATTEMPTS = 4
#: Stands in the names of dialogues that began with nothing said before.
_NOTHING = "0"


class ClientChats:
    """The dialogues of users who may have several chats at once.

    A chat is told by what was said in it: a message goes on with the dialogue whose last reply is
    the chat's. Where the client went back in it (a message edited, a reply asked for anew), or
    left it for another chat, a dialogue of its own begins from there, so that a yes answers only
    what its own chat has asked. What is not known here is read from the messages.
    """

    def __init__(self, conversations: Conversations) -> None:
        self._conversations, self._store = conversations, conversations.store

    def say(self, caller: Caller, user: str, history: Sequence[tuple[str, str]], said: str, *,
            speaker: str | None = None, client_id: str | None = None,
            explained: bool = False) -> Answer:
        """Answer the last message of a chat.

        Args:
            user: The caller's own name for whoever chats.
            history: What was said before, each with its role, ``user`` or ``assistant``.
            speaker: Id or e-mail address of who speaks.
            client_id: The client's own id of the message: what was answered is answered the same.
            explained: The reply is to have its facts, links, proofs and checks.

        Raises:
            InputError, TooManyError, OverloadedError, SessionBusyError, StoreUnavailableError,
            LeaseLostError: See :class:`Conversations`.
        """
        self._conversations.check_length(said)
        self._conversations.check_rate(caller)
        chat = _Chat(
            caller, speaker, self._conversations.speakers.person(caller, speaker),
            # A user's name is the client's, and may look like the beginning of another's.
            f"openai:{_digest(user)}:", history, _exchanges(history), said, client_id)
        for _ in range(_ATTEMPTS):
            session, turns = self._session(chat)
            try:
                answer = self._conversations.take_turn(caller, session, said, after=turns,
                                                       client_id=client_id, explained=explained)
            except (MovedOnError, NoSessionError):
                continue
            except BaseException:
                if not session.turns:  # it was made for this message
                    self._store.delete_unused(caller.id, session.id)
                raise
            self._store.keep_latest(caller.id, chat.prefix, _MOST_CHATS)
            return answer
        raise SessionBusyError("others go on with the same chat",
                               remedy="Send it again in a second")

    def _session(self, chat: _Chat) -> tuple[StoredSession, int]:
        """The dialogue that a message belongs to, with the number of turns before it."""
        if chat.client_id is not None:
            for session, number in self._turns(chat, client_id=chat.client_id):
                if self._overlap(chat, session, number - 1) is not None:
                    return session, number - 1
        graph = ""
        if found := self._found(chat):
            session, number = found
            if session.turns == number:
                return session, number
            graph = self._cut(session, number, chat.said)
        if not graph and chat.history:
            graph = self._conversations.listened(chat.caller, chat.history, speaker=chat.speaker)
        name = secrets.token_urlsafe(16) if chat.client_id is None else _digest(chat.client_id)
        return self._conversations.open(
            chat.caller, f"{chat.prefix}{_beginning(chat.exchanges)}:{name}",
            speaker=chat.speaker, graph=graph), 0

    def _turns(self, chat: _Chat, exchange: str | None = None, client_id: str | None = None
               ) -> Iterator[tuple[StoredSession, int]]:
        """Turns of the dialogues of a chat's user with whoever speaks, the latest first."""
        for id_, number in self._store.find_turns(chat.caller.id, chat.prefix, exchange=exchange,
                                                  client_id=client_id):
            session = self._store.find(chat.caller.id, id_)
            if session is not None and session.speaker == chat.person:
                yield session, number

    def _found(self, chat: _Chat) -> tuple[StoredSession, int] | None:
        """The dialogue in which the same was said, and the turn after which the chat stands.

        There is none where something else was said since that was never answered: a yes after it
        does not mean what was asked before it.
        """
        best: tuple[StoredSession, int] | None = None
        most = -1
        for session, number in self._turns(chat, exchange=chat.exchanges[-1]) \
                if chat.exchanges and not chat.left_unanswered else ():
            overlap = self._overlap(chat, session, number)
            if overlap is not None and overlap > most:
                best, most = (session, number), overlap
        return best

    def _overlap(self, chat: _Chat, session: StoredSession, upto: int) -> int | None:
        """How many exchanges a chat and a dialogue up to a turn share; None where they differ.

        Clients leave out what was said first when a chat has become long; what was said before a
        dialogue began is told by its name.
        """
        said, began = chat.exchanges, session.name.split(":")[2]
        if not said:
            return 0 if upto == 0 and began == _NOTHING else None
        known = self._store.exchanges(session.id, upto=upto, limit=len(said))
        if known != said[len(said) - len(known):]:
            return None
        before = said[:len(said) - len(known)]
        if before and began == _NOTHING:
            return None
        return len(known) + (began == _beginning(before))

    def _cut(self, session: StoredSession, number: int, said: str) -> str:
        """A dialogue as it was after one of its turns; empty where that is not known any more.

        What was done after it is not done again where the same is said, and is something else
        where it is not.
        """
        graph, part = DialogueGraph.from_json(session.graph), self._store.part(session.id, number)
        kept = len(graph.turns) - 2 * (session.turns - number)
        if kept <= 0 or not part:
            return ""
        graph.forget_from(kept, DialogueGraph.from_json(part).user_identity())
        ((_, was_said, _),) = self._store.history(session.id, after=number, limit=1)
        if was_said.split() != said.split():
            graph.forget_pending_transaction()
        return graph.to_json()


@dataclass(frozen=True)
class _Chat:
    """A chat whose last message is to be answered.

    Args:
        caller, speaker, history, said, client_id: See :meth:`ClientChats.say`.
        person: Id of who speaks.
        prefix: Of the names of the dialogues with its user.
    """

    caller: Caller
    speaker: str | None
    person: str | None
    prefix: str
    history: Sequence[tuple[str, str]]
    exchanges: Sequence[str]
    said: str
    client_id: str | None

    @property
    def left_unanswered(self) -> bool:
        """Whether something was said last that was not answered and is not said again now."""
        waiting = self.history[-1:]
        return any(role == "user" and text.split() != self.said.split() for role, text in waiting)


def _exchanges(history: Sequence[tuple[str, str]]) -> list[str]:
    """The digests of what was said and answered, without what was said first by the client's own
    assistant and what was never answered.
    """
    found, asked = [], ""
    for role, text in history:
        if role == "user":
            asked = text
        elif asked:
            found.append(exchange_digest(asked, text))
            asked = ""
    return found


def _beginning(exchanges: Sequence[str]) -> str:
    """What tells in a dialogue's name what was said before it."""
    return _digest("".join(exchanges)) if exchanges else _NOTHING


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]
