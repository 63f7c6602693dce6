"""The replies to check: lines of JSON, each with the dialogue before it and its knowledge."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from frontdesk.generation.checks.q2.text_spans import split_sentences
from frontdesk.kg.graph.dialogue_graph import AGENT, USER
from frontdesk.kg.graph.errors import FormatError

#: What speakers may be called.
_SPEAKERS = {"user": USER, "driver": USER, "human": USER, "agent": AGENT, "assistant": AGENT,
             "system": AGENT, "bot": AGENT}
#: What is read of a line, and what an output adds to it.
INPUTS = ("history", "knowledge", "response", "graph")
OUTPUTS = ("faithfulness", "faithfulness_parts", "q2", "q2_evidence", "pmi_faith",
           "pmi_faith_per_token", "verdict", "hallucination", "claims", "skipped", "notes", "error")
_EXAMPLE = ('Write for example {"history": ["Where is Ada?"], "knowledge": ["Ada is in Zeta."], '
            '"response": "In Zeta."}')


@dataclass(frozen=True)
class CheckCase:
    """A reply to check.

    Args:
        history: ``(speaker, text)`` before the reply, oldest first; may be empty.
        knowledge: Sentences that it may rest on; may be empty.
        graph: ``FILE#ID`` of a dialogue of a data set, relative to the working directory; empty
            where there is none.
    """

    history: tuple[tuple[str, str], ...]
    knowledge: tuple[str, ...]
    response: str
    graph: str
    line: Mapping[str, Any]


def read_case(text: str, place: str) -> CheckCase:
    """The case of a line.

    Args:
        text: JSON.
        place: Where it stands, for errors.

    Raises:
        FormatError: It is no such object.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"this is not JSON ({error})", place=place, remedy=_EXAMPLE) from error
    if not isinstance(data, dict):
        _refuse("a line must be an object", place)
    if taken := [key for key in OUTPUTS if key in data]:
        _refuse(f"{taken[0]} stands in the line already, where the result would be", place)
    if not isinstance(data.get("response"), str):
        _refuse(f"response is {_short(data.get('response'))}, not a text", place)
    graph = data.get("graph") or ""
    if not isinstance(graph, str) or (graph and "#" not in graph):
        _refuse(f"graph is {_short(graph)}, not FILE#ID", place)
    return CheckCase(tuple(_history(data.get("history", []), place)),
                     tuple(_knowledge(data.get("knowledge", []), place)), data["response"], graph,
                     data)


def _knowledge(given: Any, place: str) -> Iterator[str]:
    """The sentences of a text, or of each of several."""
    texts = [given] if isinstance(given, str) else given
    if not isinstance(texts, list) or not all(isinstance(each, str) for each in texts):
        _refuse(f"knowledge is {_short(given)}, neither a text nor a list of texts", place)
    for text in texts:
        yield from (sentence for _, sentence in split_sentences(text))


def _history(given: Any, place: str) -> Iterator[tuple[str, str]]:
    """The turns before a reply: texts in turn, the user's the last, or objects with a speaker."""
    if not isinstance(given, list):
        _refuse(f"history is {_short(given)}, not a list", place)
    for number, turn in enumerate(given):
        if isinstance(turn, str):
            yield (USER if (len(given) - number) % 2 else AGENT), turn
            continue
        speaker, text = _named(turn)
        if not isinstance(text, str) or str(speaker) not in _SPEAKERS:
            _refuse(f"turn {number + 1} of the history is {_short(turn)}, neither a text nor "
                    '{"speaker": "user" or "agent", "text": …}', place)
        yield _SPEAKERS[str(speaker)], text


def _named(turn: Any) -> tuple[Any, Any]:
    if isinstance(turn, Mapping):
        return turn.get("speaker"), turn.get("text")
    if isinstance(turn, Sequence) and len(turn) == 2:
        return turn[0], turn[1]
    return None, None


def _refuse(what: str, place: str) -> NoReturn:
    raise FormatError(what, place=place, remedy=_EXAMPLE)


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else f"{text[:60]}…"
