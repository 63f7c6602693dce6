"""Chats of clients that send all that was said with each message, as OpenAI's do."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence

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

#: Chats of one user that are kept; of more, those unused for longest are forgotten.
_MOST_CHATS = 20
#: How often to look for a dialogue that others go on with or forget meanwhile.
_ATTEMPTS = 4


class ClientChats:
    """The dialogues of users who may have several chats at once.

    A chat is told by what was said in it: a message goes on with the dialogue whose last reply is
    the chat's. Where the client went back in it (a message edited, a reply asked for anew), or
    left it for another chat, a dialogue of its own begins from there, so that a yes answers only
    what its own chat has asked. What is not known here is read from the messages.

    Args:
        conversations: Answer.
    """

    def __init__(self, conversations: Conversations) -> None:
        self._conversations, self._store = conversations, conversations.store

    def say(self, caller: Caller, user: str, history: Sequence[tuple[str, str]], said: str, *,
            speaker: str | None = None, client_id: str | None = None,
            explained: bool = False) -> Answer:
        """Answer the last message of a chat.

        Args:
            caller: Whose key it is.
            user: The caller's own name for whoever chats.
            history: What was said before, each with its role, ``user`` or ``assistant``.
            said: What is to be answered.
            speaker: Id or e-mail address of who speaks.
            client_id: The client's own id of the message: what was answered is answered the same.
            explained: The reply is to have its facts, links, proofs and checks.

        Raises:
            InputError, TooManyError, OverloadedError, SessionBusyError, StoreUnavailableError,
            LeaseLostError: See :class:`Conversations`.
        """
        self._conversations.check_length(said, *(text for _, text in history))
        # A user's name is the client's, and may look like the beginning of another's.
        chats = f"openai:{hashlib.sha256(user.encode()).hexdigest()[:32]}:"
        for _ in range(_ATTEMPTS):
            session, turns = self._session(caller, chats, history, speaker, client_id)
            try:
                return self._conversations.take_turn(caller, session, said, after=turns,
                                                     client_id=client_id, explained=explained)
            except (MovedOnError, NoSessionError):
                continue
        raise SessionBusyError("others go on with the same chat",
                               remedy="Send it again in a second")

    def _session(self, caller: Caller, chats: str, history: Sequence[tuple[str, str]],
                 speaker: str | None, client_id: str | None) -> tuple[StoredSession, int]:
        """The dialogue that a message belongs to, with the number of turns before it."""
        person = self._conversations.speakers.person(caller, speaker)
        if client_id is not None:
            for id_, number in self._store.find_turns(caller.id, chats, client_id=client_id):
                session = self._store.find(caller.id, id_)
                if session is not None and session.speaker == person:
                    return session, number - 1
        graph = ""
        exchanges = _exchanges(history)
        if found := self._found(caller, chats, exchanges):
            session, number = found
            if session.speaker == person:
                if session.turns == number:
                    return session, number
                graph = self._cut(session, number)
        if not graph and exchanges:
            graph = self._conversations.listened(caller, history, speaker=speaker)
        self._store.keep_latest(caller.id, chats, _MOST_CHATS - 1)
        return self._conversations.open(caller, f"{chats}{secrets.token_urlsafe(16)}",
                                        speaker=speaker, graph=graph), 0

    def _found(self, caller: Caller, chats: str, exchanges: Sequence[str]
               ) -> tuple[StoredSession, int] | None:
        """The dialogue in which the same was said, and the turn after which the chat stands."""
        best: tuple[StoredSession, int] | None = None
        most = 0
        for id_, number in self._store.find_turns(caller.id, chats, exchange=exchanges[-1]) \
                if exchanges else ():
            # Clients leave out what was said first when a chat has become long, and a dialogue
            # that began in the middle of a chat does not have its beginning.
            known = self._store.exchanges(id_, upto=number, limit=len(exchanges))
            session = self._store.find(caller.id, id_)
            if session is not None and len(known) > most and known == exchanges[-len(known):]:
                best, most = (session, number), len(known)
        return best

    def _cut(self, session: StoredSession, number: int) -> str:
        """A dialogue as it was after one of its turns; empty where that is not known any more."""
        graph, part = DialogueGraph.from_json(session.graph), self._store.part(session.id, number)
        kept = len(graph.turns) - 2 * (session.turns - number)
        if kept <= 0 or not part:
            return ""
        graph.forget_from(kept, DialogueGraph.from_json(part).user_identity())
        return graph.to_json()


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
