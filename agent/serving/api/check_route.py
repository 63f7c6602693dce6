"""The faithfulness check alone, for replies that anybody gave."""

from __future__ import annotations

from typing import Any, Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field

from frontdesk.agent.serving.api.request_texts import KeptText
from frontdesk.agent.serving.auth.api_keys import Caller
from frontdesk.agent.serving.sessions.conversations import Conversations
from frontdesk.kg.graph.dialogue_graph import AGENT, USER


class SpokenTurn(BaseModel):
    """A turn before the reply."""

    role: Literal["user", "assistant"]
    text: KeptText


class GivenReply(BaseModel):
    """A reply to be checked."""

    history: list[SpokenTurn] = Field(min_length=1, max_length=200, description=(
        "what was said before it, the user's turn that it answers the last"), examples=[
        [{"role": "user", "text": "Where is the planning meeting?"}]])
    response: KeptText = Field(description="the reply", examples=["It is in Cedar."])
    knowledge: list[KeptText] = Field([], max_length=100, description=(
        "texts that Q² and PMI-FAITH go by; the facts of the knowledge graph where none is given"))
    speaker: KeptText | None = Field(None, max_length=256, description=(
        "id or e-mail address of who is spoken to, where the key vouches for it"))


def router(conversations: Conversations, authorised: Any) -> APIRouter:
    """The route of the check."""
    routes = APIRouter(tags=["check"])

    @routes.post("/check")
    def check(given: GivenReply, caller: Caller = authorised) -> dict[str, Any]:
        """What Q², PMI-FAITH and the knowledge graph say of a reply; nothing is kept."""
        history = [(USER if each.role == "user" else AGENT, each.text) for each in given.history]
        return conversations.check(caller, history, given.response, given.knowledge,
                                   speaker=given.speaker)

    return routes
