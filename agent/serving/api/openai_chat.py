"""OpenAI's chat completions, for clients that speak them."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Header, HTTPException, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field, ValidationInfo, field_validator

from frontdesk.agent.serving.api.request_texts import KeptText
from frontdesk.agent.serving.api.turn_events import STREAM
from frontdesk.agent.serving.auth.api_keys import Caller
from frontdesk.agent.serving.sessions.client_chats import ClientChats
from frontdesk.agent.serving.sessions.conversations import Conversations
from frontdesk.agent.serving.sessions.session_tables import LONGEST_CLIENT_ID

MODEL = "frontdesk"
_IN_WORDS, _NO_TOOLS = "the receptionist answers in words of text", "no tools are called"
_ONE_WORDING = "there is one reply, whose words have no alternatives"
_MODEL = {"id": MODEL, "object": "model", "created": 0, "owned_by": "frontdesk"}


class Part(BaseModel):
    """A part of a message."""

    type: str
    text: KeptText = ""


class Message(BaseModel):
    """A message of a chat; those of the system, of developers and of tools are not read."""

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: KeptText | list[Part] | None = None

    @property
    def parts(self) -> list[Part]:
        """What it consists of."""
        if isinstance(self.content, str) or self.content is None:
            return [Part(type="text", text=self.content or "")]
        return self.content

    @property
    def text(self) -> str:
        """Its words."""
        return " ".join(part.text for part in self.parts if part.type == "text")


class Extra(BaseModel):
    """What is asked of frontdesk beyond OpenAI's interface."""

    session: KeptText | None = Field(default=None, max_length=64,
                                     description="the session to go on with")
    speaker: KeptText | None = Field(default=None, max_length=256)
    explain: bool = False


class StreamOptions(BaseModel):
    """What a stream has besides."""

    include_usage: bool = False


#: What shapes how a model draws its words, bounds them or is kept beside them: taken and not used.
#: Replies are short and are not cut, since half a statement may be false.
NOT_USED = (
    "frequency_penalty", "logit_bias", "max_completion_tokens", "max_tokens", "metadata",
    "parallel_tool_calls", "prediction", "presence_penalty", "prompt_cache_key",
    "prompt_cache_options", "prompt_cache_retention", "reasoning_effort", "seed", "service_tier",
    "store", "temperature", "top_p", "verbosity")


def _must_call(choice: Any) -> bool:
    """Whether a tool or function is to be called in any case."""
    allowed = choice.get("allowed_tools") if isinstance(choice, dict) else None
    mode = allowed.get("mode") if isinstance(allowed, dict) else choice
    return mode not in (None, "auto", "none")


#: What a client would wait for in vain where it asks for it, with the remedy.
_REFUSED: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "audio": (lambda given: given is not None, _IN_WORDS),
    "function_call": (_must_call, _NO_TOOLS),
    "logprobs": (bool, _ONE_WORDING),
    "modalities": (lambda given: bool(set(given or ()) - {"text"}), _IN_WORDS),
    "moderation": (lambda given: given is not None, "nothing is moderated"),
    "n": (lambda given: given not in (None, 1), _ONE_WORDING),
    "response_format": (lambda given: (given or {}).get("type", "text") != "text", _IN_WORDS),
    "stop": (bool, "replies are not cut"),
    "tool_choice": (_must_call, _NO_TOOLS),
    "top_logprobs": (bool, _ONE_WORDING),
    "web_search_options": (lambda given: given is not None, _NO_TOOLS)}


class Completion(BaseModel):
    """A request for a chat completion.

    What a client would wait for in vain is refused; all else that is not listed is taken and not
    used.
    """

    model: str = Field(MODEL, description="any name: there is one receptionist")
    messages: list[Message] = Field(min_length=1, max_length=2000)
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    user: KeptText | None = Field(None, min_length=1, max_length=200, description=(
        "who chats; may have several chats, told from one another by what is said in them"))
    safety_identifier: KeptText | None = Field(
        None, max_length=200, description="who chats, where there is no user; not used if blank")
    tools: list[dict[str, Any]] | None = Field(None, description="not called")
    functions: list[dict[str, Any]] | None = Field(None, description="not called")
    audio: dict[str, Any] | None = Field(None, description="refused")
    function_call: str | dict[str, Any] | None = Field(
        None, description="refused where a function must be called")
    logprobs: bool | None = Field(None, description="refused where true")
    modalities: list[str] | None = Field(None, description="refused where not of text alone")
    moderation: dict[str, Any] | None = Field(None, description="refused")
    n: int | None = Field(None, description="refused where not 1")
    response_format: dict[str, Any] | None = Field(None, description="refused where not text")
    stop: str | list[str] | None = Field(None, description="refused")
    tool_choice: str | dict[str, Any] | None = Field(
        None, description="refused where a tool must be called")
    top_logprobs: int | None = Field(None, description="refused where above 0")
    web_search_options: dict[str, Any] | None = Field(None, description="refused")
    frontdesk: Extra = Extra()

    @field_validator(*_REFUSED)
    @classmethod
    def _can_be_given(cls, given: Any, of: ValidationInfo) -> Any:
        """Refuse what a client would wait for in vain."""
        is_asked, why = _REFUSED[str(of.field_name)]
        if is_asked(given):
            raise ValueError(f"{why}; leave {of.field_name} out")
        return given

    @field_validator("messages")
    @classmethod
    def _ends_with_words_of_the_user(cls, messages: list[Message]) -> list[Message]:
        last = messages[-1]
        if last.role != "user":
            raise ValueError(f"the last message is of the role {last.role!r}; let it be the "
                             "user's")
        if other := next((part.type for part in last.parts if part.type != "text"), None):
            raise ValueError(f"the last message has a part of the type {other!r}; "
                             "send its words as text")
        return messages

    @property
    def chatter(self) -> str | None:
        """Who chats; None where that is not told."""
        return self.user or (self.safety_identifier or "").strip() or None


def router(conversations: Conversations, authorised: Any) -> APIRouter:
    """The routes of chat completions."""
    routes = APIRouter(prefix="/v1", tags=["openai"])

    @routes.get("/models")
    def models(caller: Caller = authorised) -> dict[str, Any]:
        """The only model: the receptionist."""
        del caller
        return {"object": "list", "data": [_MODEL]}

    @routes.get("/models/{name}")
    def model(name: str, caller: Caller = authorised) -> dict[str, Any]:
        """The receptionist; there is no other."""
        del caller
        if name != MODEL:
            raise HTTPException(404, f"there is no model {name!r}; there is {MODEL!r}")
        return _MODEL

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

        A dialogue is gone on with by ``frontdesk.session``, or by who chats and what the messages
        say; without either it is read anew from the messages, and what was asked for in it cannot
        be confirmed any more.
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

    @routes.api_route("/{path:path}", include_in_schema=False,
                      methods=["GET", "POST", "PUT", "PATCH", "DELETE"])
    def other(path: str, request: Request, caller: Caller = authorised) -> None:
        """What else OpenAI has is not here."""
        del caller
        raise HTTPException(404, f"there is no {request.method} /v1/{path} here. The receptionist "
                                 "answers POST /v1/chat/completions and GET /v1/models; see "
                                 "/openapi.json")

    return routes


def _answered(conversations: Conversations, caller: Caller, request: Completion,
              client_id: str | None) -> tuple[dict[str, Any], str | None]:
    """The reply to the last message, and the session that it was given in, if any."""
    last, extra, user = request.messages[-1], request.frontdesk, request.chatter
    if extra.session is not None:
        session = conversations.find(caller, extra.session)
        conversations.speakers.check_named(caller, session, extra.speaker)
        answer = conversations.take_turn(caller, session, last.text, client_id=client_id,
                                         explained=extra.explain)
        return answer.reply, answer.session
    history = [(each.role, each.text) for each in request.messages[:-1]
               if each.role in ("user", "assistant")]
    if user is None:
        return conversations.reply_after(caller, history, last.text, speaker=extra.speaker,
                                         explained=extra.explain), None
    answer = ClientChats(conversations).say(caller, user, history, last.text,
                                            speaker=extra.speaker, client_id=client_id,
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
