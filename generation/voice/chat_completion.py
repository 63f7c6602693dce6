"""Chat completions of OpenAI's protocol, whole or in pieces; an endpoint may send anything."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from typing import Any

from frontdesk.generation.voice.generator import TokenLogProbabilities


class NoCompletionError(ValueError):
    """What an endpoint sent is no chat completion."""


@dataclass
class Completion:
    """A chat completion, as far as it is there.

    Args:
        content: What the model said, as it said it.
        finish_reason: Why it ended; None while it has not, or where the endpoint does not say.
        refused: Whether the model declined to answer.
    """

    content: str = ""
    finish_reason: str | None = None
    refused: bool = False
    _tokens: list[tuple[str, float]] = field(default_factory=list)
    _scored: bool = True

    @property
    def log_probabilities(self) -> TokenLogProbabilities | None:
        """Those of its tokens without the one that ends it; None where any is missing."""
        if not self._tokens or not self._scored:
            return None
        tokens, scores = zip(*self._tokens, strict=True)
        return TokenLogProbabilities(tokens, scores, ends=False)

    def add(self, choice: Any, part: str) -> str:
        """Take in the choice of a completion or of one of its pieces.

        Args:
            choice: As it came from JSON.
            part: Where it has its text: ``message``, in a piece ``delta``.

        Returns:
            The text that it adds.

        Raises:
            NoCompletionError: It is no such choice.
        """
        try:
            said = choice[part]
            content = said["content"] if part == "message" else said.get("content")
            refusal, reason = said.get("refusal"), choice.get("finish_reason")
        except (LookupError, TypeError, AttributeError) as error:
            raise NoCompletionError(f"no {part}") from error
        if not isinstance(content, str | None) or not isinstance(reason, str | None):
            raise NoCompletionError("the content is no text")
        self.content += content or ""
        self.finish_reason = reason or self.finish_reason
        self.refused |= bool(refusal) or reason == "content_filter"
        self._add_scores(choice.get("logprobs"), bool(content))
        return content or ""

    def _add_scores(self, scores: Any, wanted: bool) -> None:
        try:
            found = [(entry["token"], float(entry["logprob"])) for entry in scores["content"]]
        except (LookupError, TypeError, ValueError, OverflowError):
            self._scored &= not wanted
            return
        self._scored &= all(isinstance(token, str) and math.isfinite(score)
                            for token, score in found)
        # Rounding can make the certain slightly more than certain.
        self._tokens += [(token, min(score, 0.0)) for token, score in found]


def read_completion(body: str) -> Completion:
    """The first choice of a completion.

    Args:
        body: Of an endpoint's answer.

    Raises:
        NoCompletionError: It is none.
    """
    try:
        choice = json.loads(body)["choices"][0]
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise NoCompletionError("no choices") from error
    completion = Completion()
    completion.add(choice, "message")
    return completion


class OneLine:
    """Joins pieces of text on one line: white space between words becomes a space."""

    def __init__(self) -> None:
        self._begun = False
        self._space = False

    def add(self, piece: str) -> str:
        """What a further piece adds to the line."""
        words = piece.split()
        if not words:
            self._space |= bool(piece)
            return ""
        apart = self._begun and (self._space or piece[0].isspace())
        self._begun, self._space = True, piece[-1].isspace()
        return (" " if apart else "") + " ".join(words)
