"""OpenAI's chat completions, for clients that speak them."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Header, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field

from frontdesk.agent.serving.api.request_texts import KeptText
from frontdesk.agent.serving.api.turn_events import STREAM
from frontdesk.agent.serving.auth.api_keys import Caller
from frontdesk.agent.serving.sessions.conversations import Conversations
from frontdesk.agent.serving.sessions.session_tables import LONGEST_CLIENT_ID
from frontdesk.kg.graph.errors import InputError

MODEL = "frontdesk"


class Part(BaseModel):
    """A part of a message."""

    type: str
    text: KeptText = ""


class Message(BaseModel):
    """A message of a chat."""

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: KeptText | list[Part] | None = None

    @property
    def text(self) -> str:
        """Its words."""
        if isinstance(self.content, str) or self.content is None:
            return self.content or ""
        return " ".join(part.text for part in self.content if part.type == "text")


class Extra(BaseModel):
    """What is asked of frontdesk beyond OpenAI's interface."""

    session: KeptText | None = Field(default=None, max_length=64,
                                     description="the session to go on with")
    speaker: KeptText | None = Field(default=None, max_length=256)
    explain: bool = False


class StreamOptions(BaseModel):
    """What a stream has besides."""

    include_usage: bool = False


class Completion(BaseModel):
    """A request for a chat completion; what is not listed is taken and not used."""

    model: str = MODEL
    messages: list[Message] = Field(min_length=1, max_length=2000)
    stream: bool = False
    stream_options: StreamOptions | None = None
    n: int | None = Field(None, ge=1, le=1, description="there is one reply")
    user: KeptText | None = Field(None, min_length=1, max_length=200, description=(
        "who chats; a dialogue with one lasts until one of a single message begins"))
    frontdesk: Extra = Extra()


def router(conversations: Conversations, authorised: Any) -> APIRouter:
    """The routes of chat completions."""
    routes = APIRouter(prefix="/v1", tags=["openai"])

    @routes.get("/models")
    def models(caller: Caller = authorised) -> dict[str, Any]:
        """The only model: the receptionist."""
        del caller
        return {"object": "list", "data": [
            {"id": MODEL, "object": "model", "created": 0, "owned_by": "frontdesk"}]}

    @routes.post("/chat/completions", response_model=None, responses={200: {
        "description": "the completion, or with ``stream`` its chunks",
        "content": {"application/json": {}, "text/event-stream": STREAM}}})
    def complete(request: Completion,
                 idempotency_key: Annotated[KeptText | None, Header(
                     max_length=LONGEST_CLIENT_ID, description=(
                         "the client's own id of the turn: sent again, it is answered the same; "
                         "of use in a session only"))] = None,
                 caller: Caller = authorised) -> dict[str, Any] | Response:
        """Answer the last message.

        A dialogue is gone on with by ``frontdesk.session`` or ``user``; without either it is read
        anew from the messages, and what was asked for in it cannot be confirmed any more.
        """
        reply, session = _answered(conversations, caller, request, idempotency_key)
        whole = {"id": f"chatcmpl-{uuid.uuid4().hex}", "created": int(time.time()),
                 "model": MODEL}
        details = {"session": session, **{name: value for name, value in reply.items()
                                          if name != "text"}}
        words = {name: sum(len(text.split()) for text in texts) for name, texts in (
            ("prompt_tokens", [each.text for each in request.messages]),
            ("completion_tokens", [reply["text"]]))}
        usage = {**words, "total_tokens": sum(words.values())}
        if request.stream:
            return StreamingResponse(
                _chunks(whole, reply["text"], details,
                        usage if (request.stream_options or StreamOptions()).include_usage
                        else None),
                media_type="text/event-stream")
        return {**whole, "object": "chat.completion", "choices": [{
            "index": 0, "finish_reason": "stop", "logprobs": None,
            "message": {"role": "assistant", "content": reply["text"]}}],
            "usage": usage, "frontdesk": details}

    return routes


def _answered(conversations: Conversations, caller: Caller, request: Completion,
              client_id: str | None) -> tuple[dict[str, Any], str | None]:
    """The reply to the last message, and the session that it was given in, if any."""
    last = request.messages[-1]
    if last.role != "user":
        raise InputError(f"the last message is of the role {last.role!r}",
                         remedy="Let the last message be the user's")
    extra = request.frontdesk
    if extra.session is None and request.user is None:
        return conversations.reply_after(
            caller, [(each.role, each.text) for each in request.messages[:-1]
                     if each.role in ("user", "assistant")], last.text,
            speaker=extra.speaker, explained=extra.explain), None
    if extra.session is not None:
        session = conversations.find(caller, extra.session)
        conversations.speakers.check_named(caller, session, extra.speaker)
        answer = conversations.take_turn(caller, session, last.text, client_id=client_id,
                                         explained=extra.explain)
    else:
        begins = all(each.role != "assistant" for each in request.messages)
        answer = conversations.say(caller, f"openai:{request.user}", last.text,
                                   speaker=extra.speaker, afresh=begins, client_id=client_id,
                                   explained=extra.explain)
    return answer.reply, answer.session


def _chunks(whole: dict[str, Any], text: str, details: dict[str, Any],
            usage: dict[str, int] | None) -> Iterator[str]:
    """The reply as server-sent events; all of it was checked before the first."""
    deltas: Sequence[dict[str, str]] = (
        {"role": "assistant", "content": ""},
        *({"content": word} for word in _words(text)), {})
    for number, delta in enumerate(deltas):
        ends = number == len(deltas) - 1
        chunk = {**whole, "object": "chat.completion.chunk", "choices": [{
            "index": 0, "delta": delta, "finish_reason": "stop" if ends else None}]}
        if ends:
            chunk["frontdesk"] = details
        yield f"data: {json.dumps(chunk)}\n\n"  # some clients take U+2028 for the end of a line
    if usage is not None:
        last = {**whole, "object": "chat.completion.chunk", "choices": [], "usage": usage}
        yield f"data: {json.dumps(last)}\n\n"
    yield "data: [DONE]\n\n"


def _words(text: str) -> list[str]:
    """The words of a text, each with the space after it."""
    words = text.split(" ")
    return [*(f"{word} " for word in words[:-1]), words[-1]]
