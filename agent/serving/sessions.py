"""Our own interface: sessions and their turns."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Response
from pydantic import BaseModel, Field

from frontdesk.agent.serving.conversations import Conversations, NoSessionError
from frontdesk.agent.serving.keys import Caller
from frontdesk.agent.serving.texts import KeptText
from frontdesk.kg.dialogue_graph import Hypothesis


class NewSession(BaseModel):
    """A session to make."""

    speaker: KeptText | None = Field(None, max_length=256, description=(
        "id or e-mail address of who speaks, where the key vouches for it"),
        examples=["ada@example.org"])


class Heard(BaseModel):
    """What a speech recogniser heard."""

    text: KeptText
    confidence: float = Field(ge=0, le=1)


class NewTurn(BaseModel):
    """Something that is said."""

    text: KeptText = Field("", description="what was typed",
                      examples=["Which rooms are free at two?"])
    hypotheses: list[Heard] = Field([], max_length=20, description=(
        "in its place, what a speech recogniser heard, the likeliest first"))
    id: KeptText | None = Field(None, min_length=1, max_length=128, description=(
        "the client's own id of the turn: sent again, it is answered the same and not done again"))
    explain: bool = Field(False, description="whether facts, links, proofs and checks come along")


def router(conversations: Conversations, authorised: Any) -> APIRouter:
    """The routes of sessions."""
    routes = APIRouter(prefix="/sessions", tags=["sessions"])

    @routes.post("", status_code=201)
    def make(session: NewSession, caller: Caller = authorised) -> dict[str, str]:
        """Make a session."""
        return {"id": conversations.open(caller, speaker=session.speaker).id}

    @routes.get("/{session}")
    def show(session: KeptText, caller: Caller = authorised) -> dict[str, Any]:
        """What was said in a session."""
        found = conversations.find(caller, session)
        return {"id": found.id, "turns": [{"said": said, "reply": reply} for said, reply in
                                          conversations.store.history(found.id)]}

    @routes.post("/{session}/turns")
    def take(session: KeptText, turn: NewTurn, caller: Caller = authorised) -> dict[str, Any]:
        """Answer what is said; the turn is kept when its reply comes."""
        said: str | list[Hypothesis] = turn.text
        if turn.hypotheses:
            said = [Hypothesis(each.text, each.confidence) for each in turn.hypotheses]
        answer = conversations.take_turn(caller, conversations.find(caller, session), said,
                                         client_id=turn.id, explained=turn.explain)
        return {"session": answer.session, **answer.reply}

    @routes.delete("/{session}", status_code=204)
    def forget(session: KeptText, caller: Caller = authorised) -> Response:
        """Forget a session and all that was said in it."""
        if not conversations.store.delete(caller.id, session):
            raise NoSessionError("there is no such session", remedy="Check the id")
        return Response(status_code=204)

    return routes
