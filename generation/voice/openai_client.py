"""Replies from any endpoint that speaks OpenAI's chat-completions protocol."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from frontdesk.generation.voice.generator import (
    GeneratedReply,
    GenerationInput,
    GivenReply,
    TokenLogProbabilities,
)
from frontdesk.generation.voice.prompt import (
    CHAT_INSTRUCTION,
    ChatPrompt,
    PromptBuilder,
    approximate_tokens,
)
from frontdesk.kg.graph.errors import EndpointError, InputError, UnavailableError
from frontdesk.kg.graph.optional_packages import import_extra

if TYPE_CHECKING:
    import openai

_OPENAI_HOST = "api.openai.com"
#: The client insists on a key; an endpoint that needs none ignores it.
_NO_KEY = "no-key-needed"
_REMEDIES: dict[int, str] = {
    HTTPStatus.BAD_REQUEST: "Check the model's settings and its context length",
    HTTPStatus.NOT_FOUND: "Check the model's name and the base URL, which often ends in /v1",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "Lower the most tokens of a prompt",
    HTTPStatus.UNPROCESSABLE_ENTITY: "Check the model's settings and its context length",
    HTTPStatus.TOO_MANY_REQUESTS: "Wait, or check the account's rate limit and quota",
}
#: Most tokens of a reply.
_MOST_NEW_TOKENS = 256


class OpenAIGenerator:
    """Words replies with a chat model behind an OpenAI-compatible endpoint (paper, section 4.2).

    The key is read from the environment once, is sent to ``base_url`` alone, and stands in no
    log, error or attribute of this object's own.

    Args:
        base_url: Of the endpoint, e.g. ``https://api.openai.com/v1`` or
            ``http://127.0.0.1:8000/v1``.
        model: The endpoint's name of the model.
        api_key_env: The environment variable that holds the key. It may be unset for every
            endpoint but OpenAI's own.
        timeout_s: Seconds that the endpoint may be silent in one attempt, above 0.
        max_retries: Further attempts after a lost connection, a timeout, 408, 409, 429 or 5xx,
            at least 0. The time between them doubles from half a second on up to eight, or is
            what the endpoint asks for.
        max_input_tokens: Most tokens of a prompt, estimated from above by
            :func:`~frontdesk.generation.voice.prompt.approximate_tokens`.
        max_facts: Most facts in a prompt, at least 0.
        instruction: The rules that a prompt begins with.

    Attributes:
        name: ``openai:`` and the model.
        prompts: What builds its prompts.

    Raises:
        MissingExtraError: The ``openai`` package is not installed.
        EndpointError: The endpoint needs a key and there is none that can be sent.
        InputError: The base URL or a number is not valid.
    """

    def __init__(self, base_url: str, model: str, api_key_env: str = "OPENAI_API_KEY",
                 timeout_s: float = 30, max_retries: int = 2, *,
                 max_input_tokens: int = 3000, max_facts: int = 10,
                 instruction: str = CHAT_INSTRUCTION) -> None:
        openai = import_extra("openai", "the openai profile")
        host, self._url = _checked_url(base_url)
        _check_range("timeout_s", timeout_s, timeout_s > 0, "more than 0 seconds")
        _check_range("max_retries", max_retries, max_retries >= 0, "0 or more")
        self.name = f"openai:{model}"
        self.prompts = PromptBuilder(approximate_tokens, max_input_tokens, max_facts,
                                     chat_instruction=instruction)
        self._api_key_env = api_key_env
        self._timeout_s = timeout_s
        # OpenAI's newer models refuse the name that every other server knows.
        limit = "max_completion_tokens" if host == _OPENAI_HOST else "max_tokens"
        self._settings: dict[str, Any] = {"model": model, "temperature": 0, limit: _MOST_NEW_TOKENS}
        self._client = openai.OpenAI(base_url=base_url, api_key=self._key(host),
                                     timeout=timeout_s, max_retries=max_retries)

    def generate(self, request: GenerationInput) -> GeneratedReply:
        """Word a reply to the last turn of the history.

        Returns:
            The reply, resting on the facts that stood in the prompt. A model that says nothing
            gives an empty text, and a note that says so.

        Raises:
            EndpointError: The endpoint did not answer, refused, or answered something else than
                a chat completion.
            InputError: The prompt limit has no room for any of the last turn.
            ValueError: The history is empty.
        """
        prompt = self.prompts.build_chat(request.history, request.knowledge)
        with self._one_error():
            raw = self._client.chat.completions.with_raw_response.create(
                messages=_messages(prompt), **self._settings)
        completion = _read_completion(raw.http_response.text)
        if completion is None:
            raise self._error(f"status {raw.http_response.status_code}, but the answer holds no "
                              "chat completion",
                              "Check that the base URL is that of an OpenAI-compatible endpoint")
        return self._reply(prompt, completion)

    def log_probabilities(self, replies: Sequence[GivenReply]) -> list[TokenLogProbabilities]:
        """Chat completions cannot score a given reply.

        Raises:
            UnavailableError: Always.
        """
        raise UnavailableError(
            "a chat-completions endpoint does not tell how probable a given reply is",
            place=self.name, remedy="Score replies with another generator, e.g. the causal profile")

    def close(self) -> None:
        """Close the connections to the endpoint."""
        self._client.close()

    def _reply(self, prompt: ChatPrompt, completion: _Completion) -> GeneratedReply:
        text, notes = " ".join(completion.content.split()), list(prompt.notes)
        if completion.finish_reason == "length":
            notes.append("the reply was cut at the most tokens allowed")
        if completion.refused:
            notes.append("the endpoint declined to answer")
        if not text:
            notes.append(f"{self.name} gave an empty reply")
        return GeneratedReply(text, used=prompt.facts, notes=tuple(notes))

    @contextmanager
    def _one_error(self) -> Iterator[None]:
        """Errors of the client as ours."""
        import openai

        # The causes are cut off (from None): theirs may quote the key.
        try:
            yield
        except openai.APITimeoutError:
            raise self._error(f"no answer within {self._timeout_s:g} s",
                              "Check the endpoint, or allow a longer timeout") from None
        except openai.APIConnectionError:
            raise self._error("the endpoint cannot be reached",
                              "Check the base URL and that the endpoint runs") from None
        except openai.APIStatusError as error:
            raise self._refusal(error) from None
        except openai.OpenAIError as error:
            raise self._error(f"the request failed ({type(error).__name__})",
                              "Check the base URL and the model's settings") from None

    def _refusal(self, error: openai.APIStatusError) -> EndpointError:
        status = error.status_code
        try:
            phrase = f"status {status} {HTTPStatus(status).phrase}"
        except ValueError:
            phrase = f"status {status}"
        if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
            # Without the endpoint's own words: they tend to quote parts of the key.
            given = self._client.api_key != _NO_KEY
            return self._error(phrase, f"Check the key in {self._api_key_env}" if given else
                               f"Put a key into the environment as {self._api_key_env}, which "
                               "is not set")
        said = " ".join(_error_text(error.body).replace(self._client.api_key, "…").split())
        default = ("The endpoint is in trouble; try again later"
                   if status >= HTTPStatus.INTERNAL_SERVER_ERROR else "Check the base URL")
        return self._error(f"{phrase} ({said[:200]})" if said else phrase,
                           _REMEDIES.get(status, default))

    def _error(self, message: str, remedy: str) -> EndpointError:
        return EndpointError(f"{message} (model {self._settings['model']!r})", place=self._url,
                             remedy=remedy)

    def _key(self, host: str) -> str:
        key = os.environ.get(self._api_key_env, "").strip()
        if not key:
            if host == _OPENAI_HOST:
                raise EndpointError("the endpoint needs a key", place=self._url,
                                    remedy=f"Put it into the environment as {self._api_key_env}")
            return _NO_KEY
        if not (key.isascii() and key.isprintable()) or " " in key:
            raise EndpointError(f"what {self._api_key_env} holds cannot be a key", place=self._url,
                                remedy=f"Put the key alone into {self._api_key_env}")
        return key


@dataclass(frozen=True)
class _Completion:
    """The first choice of a chat completion.

    Args:
        content: What the model said, as it said it.
        finish_reason: Why it ended; None where the endpoint does not say.
        refused: Whether the model declined to answer.
    """

    content: str
    finish_reason: str | None
    refused: bool


def _read_completion(body: str) -> _Completion | None:
    """What an endpoint answered, which may be anything; None where it is no chat completion."""
    try:
        choice = json.loads(body)["choices"][0]
        content, refusal = choice["message"]["content"], choice["message"].get("refusal")
        reason = choice.get("finish_reason")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None
    if not isinstance(content, str | None) or not isinstance(reason, str | None):
        return None
    return _Completion(content or "", reason or None,
                       bool(refusal) or reason == "content_filter")


def _messages(prompt: ChatPrompt) -> list[Any]:
    return [{"role": message.role, "content": message.content} for message in prompt.messages]


def _checked_url(base_url: str) -> tuple[str, str]:
    """The host of a URL, and the URL as it may be shown: without user, password and query."""
    try:
        parts = urlsplit(base_url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        host, port = "", None
    if not host or parts.scheme not in ("http", "https"):
        raise InputError("the base URL is not valid" if "@" in base_url
                         else f"the base URL {base_url!r} is not valid",
                         remedy="Use one like http://127.0.0.1:8000/v1")
    shown = f"[{host}]" if ":" in host else host
    return host, f"{parts.scheme}://{shown}{f':{port}' if port else ''}{parts.path}"


def _check_range(setting: str, value: object, valid: bool, wanted: str) -> None:
    if not valid:
        raise InputError(f"{setting} is {value}", remedy=f"Use {wanted}")


def _error_text(body: object) -> str:
    """What an endpoint says about an error: OpenAI's form, FastAPI's, or a plain text."""
    if isinstance(body, dict):
        for key in ("message", "detail", "error"):
            if isinstance(body.get(key), str):
                return str(body[key])
        return ""
    return body if isinstance(body, str) else ""
