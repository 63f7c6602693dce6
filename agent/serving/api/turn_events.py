"""A turn as server-sent events: its stages as they end, then its reply."""

from __future__ import annotations

import contextvars
import json
import queue
import threading
from collections.abc import Callable, Iterator
from typing import Any

from frontdesk.agent.serving.api.problems import problem_of
from frontdesk.agent.turn.pipeline import Watch

_Event = tuple[str, Any]
STAGE, REPLY, ERROR = "stage", "reply", "error"
#: How a stream of events is described: each one of it, as OpenAPI 3.2 and FastAPI do.
STREAM: dict[str, Any] = {"itemSchema": {
    "type": "object", "required": ["data"],
    "properties": {"event": {"type": "string"}, "data": {"type": "string"}}}}


def events_of(take: Callable[[Watch], dict[str, Any]]) -> Iterator[str]:
    """The events of a turn, the last one its reply or an error.

    The turn goes on to its end whether or not anybody listens: what was begun is kept.

    Args:
        take: Takes the turn; is given what is to be told of its stages.

    Raises:
        Exception: The turn failed before its first stage ended.
    """
    events: queue.SimpleQueue[_Event] = queue.SimpleQueue()

    def run() -> None:
        try:
            reply = take(lambda stage, spent: events.put(
                (STAGE, {"stage": stage, "ms": round(spent, 2)})))
        except Exception as error:  # noqa: BLE001 - told to the client by whoever reads the events
            events.put((ERROR, error))
        else:
            events.put((REPLY, reply))

    # With what belongs to the request: its trace.
    threading.Thread(target=contextvars.copy_context().run, args=(run,), name="turn").start()
    first = events.get()
    if first[0] == ERROR:
        raise first[1]
    return _written(first, events)


def _written(event: _Event, events: queue.SimpleQueue[_Event]) -> Iterator[str]:
    while True:
        name, data = event
        if name == ERROR:
            data = problem_of(data).to_data()
        yield f"event: {name}\ndata: {json.dumps(data)}\n\n"
        if name != STAGE:
            return
        event = events.get()
