"""Rasa's REST channel: a message in, a list of messages out."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, Field

from frontdesk.agent.serving.api.rasa_messages import answer_rasa_message
from frontdesk.agent.serving.api.request_texts import KeptText, kept
from frontdesk.agent.serving.auth.api_keys import Caller
from frontdesk.agent.serving.sessions.conversations import Conversations


class RasaMessage(BaseModel):
    """A message as Rasa's REST channel takes it."""

    sender: KeptText = Field("default", min_length=1, max_length=200,
                        description="who writes; each sender has a dialogue of its own")
    message: KeptText | None = Field(None, description=(
        "what is said, or /intent{\"slot\": \"value\"}; without it nothing is answered"),
                                     examples=["Where is the planning meeting?"])
    metadata: dict[str, Any] | None = Field(
        None, description='"message_id": the client\'s id of the turn, which is answered once; '
                          '"speaker": e-mail address of who speaks, where the key vouches for it')


def router(conversations: Conversations, authorised: Any) -> APIRouter:
    """The routes of the channel."""
    routes = APIRouter(prefix="/webhooks/rest", tags=["rasa"])

    @routes.get("/")
    def health() -> dict[str, str]:
        """Whether the channel is there."""
        return {"status": "ok"}

    @routes.post("/webhook")
    def webhook(message: RasaMessage, caller: Caller = authorised) -> list[dict[str, str]]:
        """Answer a message."""
        data = message.metadata or {}
        said = {name: kept(data[name]) for name in ("message_id", "speaker")
                if isinstance(data.get(name), str)}
        text = answer_rasa_message(conversations, caller, f"rasa:{message.sender}",
                                   message.message, speaker=said.get("speaker"),
                                   client_id=said.get("message_id"))
        return [] if text is None else [{"recipient_id": message.sender, "text": text}]

    return routes
