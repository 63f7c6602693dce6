"""Our own interface: sessions and their turns."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Request, Response
from fastapi import Path as PathParameter
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from frontdesk.agent.serving.api.request_texts import KeptText
from frontdesk.agent.serving.api.turn_events import STREAM, events_of
from frontdesk.agent.serving.auth.api_keys import Caller
from frontdesk.agent.serving.sessions.conversations import Conversations
from frontdesk.agent.serving.sessions.session_tables import LONGEST_CLIENT_ID
from frontdesk.agent.turn.pipeline import Watch
from frontdesk.kg.graph.dialogue_graph import Hypothesis
from frontdesk.kg.graph.errors import InputError

_MOST_TURNS = 2**31 - 1
_EVENTS = """event: stage
data: {"stage": "parse", "ms": 1.7}

event: reply
data: {"session": "…", "text": "The planning meeting is in Cedar."}
"""


class NewSession(BaseModel):
    """A session to make."""

    model_config = ConfigDict(extra="forbid")

    speaker: KeptText | None = Field(None, max_length=256, description=(
        "id or e-mail address of who speaks, where the key vouches for it"),
        examples=["ada@example.org"])


class Heard(BaseModel):
    """What a speech recogniser heard."""

    model_config = ConfigDict(extra="forbid")

    text: KeptText
    confidence: float = Field(ge=0, le=1)


class NewTurn(BaseModel):
    """Something that is said: either text or hypotheses."""

    model_config = ConfigDict(extra="forbid")

    text: KeptText | None = Field(None, description="what was typed",
                                  examples=["Which rooms are free at two?"])
    hypotheses: list[Heard] = Field([], max_length=20, description=(
        "in its place, what a speech recogniser heard, the likeliest first"))
    id: KeptText | None = Field(None, min_length=1, max_length=LONGEST_CLIENT_ID, description=(
        "the client's own id of the turn: sent again, it is answered the same and not done again"))
    explain: bool = Field(False, description=(
        "whether the parse, facts, links, proofs and checks come along"))


def router(conversations: Conversations, authorised: Any) -> APIRouter:
    """The routes of sessions."""
    routes = APIRouter(prefix="/sessions", tags=["sessions"])

    @routes.post("", status_code=201)
    def make(session: NewSession, caller: Caller = authorised) -> dict[str, str]:
        """Make a session."""
        return {"id": conversations.open(caller, speaker=session.speaker).id}

    @routes.get("/{session}")
    def show(session: KeptText, after: Annotated[int, Query(ge=0, le=_MOST_TURNS)] = 0,
             limit: Annotated[int, Query(ge=1, le=1000)] = 100,
             caller: Caller = authorised) -> dict[str, Any]:
        """What was said in a session, a page of turns after one with a number."""
        found = conversations.find(caller, session)
        turns = conversations.store.history(found.id, after=after, limit=limit)
        return {"id": found.id, "count": found.turns, "turns": [
            {"number": number, "said": said, "reply": reply} for number, said, reply in turns]}

    @routes.get("/{session}/turns/{number}")
    def show_turn(session: KeptText, number: Annotated[int, PathParameter(ge=1, le=_MOST_TURNS)],
                  caller: Caller = authorised) -> dict[str, Any]:
        """A turn with its reply as it was given, explained where that was asked for."""
        found = conversations.store.reply(conversations.find(caller, session).id, number)
        if found is None:
            raise HTTPException(404, f"there is no turn {number} in the session")
        return {"number": number, "said": found[0], "reply": found[1]}

    @routes.post("/{session}/turns", response_model=None, responses={200: {"content": {
        "text/event-stream": {**STREAM, "example": _EVENTS}}}})
    def take(session: KeptText, turn: NewTurn, request: Request, caller: Caller = authorised
             ) -> dict[str, Any] | Response:
        """Answer what is said; the turn is kept when its reply comes.

        With "Accept: text/event-stream" each stage is told when it ends.
        """
        if (turn.text is None) if not turn.hypotheses else bool(turn.text):
            raise InputError("a turn has either a text or hypotheses", remedy=(
                'Send {"text": "…"} or {"hypotheses": [{"text": "…", "confidence": 0.9}]}'))
        said: str | list[Hypothesis] = turn.text or ""
        if turn.hypotheses:
            said = [Hypothesis(each.text, each.confidence) for each in turn.hypotheses]
        found = conversations.find(caller, session)

        def answered(watch: Watch | None = None) -> dict[str, Any]:
            answer = conversations.take_turn(caller, found, said, client_id=turn.id,
                                             explained=turn.explain, watch=watch)
            return {"session": answer.session, **answer.reply}

        if "text/event-stream" not in request.headers.get("accept", ""):
            return answered()
        return StreamingResponse(events_of(answered), media_type="text/event-stream")

    @routes.delete("/{session}", status_code=204)
    def forget(session: KeptText, caller: Caller = authorised) -> Response:
        """Forget a session and all that was said in it; a turn under way ends first."""
        conversations.forget(caller, session)
        return Response(status_code=204)

    return routes
