"""What a statement claims of the edges of its time, beside what a question for it asks.

Whoever asks whether somebody is busy until four is told of any meeting before that; whoever says
so says that it ends at four.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from frontdesk.kg.graph.logical_forms import Form, Sort, Span
from frontdesk.kg.graph.windows import Window, WindowKind, instant
from frontdesk.kg.times.time_spans import written
from frontdesk.rules.engine.query_answer import Resolution

Windows = Mapping[Form, Sequence[tuple[Window, float]]]
_MINUTE = dt.timedelta(minutes=1)


def claimed(statement: Form, resolution: Resolution, now: dt.datetime
            ) -> tuple[list[Form], Resolution]:
    """Statements that are all so where a reply says one, and what they mean.

    Args:
        statement: As it was said.
        resolution: What it means.
        now: Zone-aware present.
    """
    windows: dict[Form, Sequence[tuple[Window, float]]] = dict(resolution.windows)
    stated = [statement]
    for time in statement.inner():
        meant = resolution.windows.get(time, ())
        if meant and time.is_of(Sort.TIME):
            for head, others in _at_edges(statement, time, meant[0][0], now):
                windows |= {each: [(window, 1.0)] for each, window in others.items()}
                stated.append(_with(statement, time, head, others))
    return stated, replace(resolution, windows=windows)


def _at_edges(statement: Form, time: Form, window: Window, now: dt.datetime
              ) -> Iterator[tuple[str, dict[Form, Window]]]:
    """What else is so, each by its head, "untrue " before it where it is denied, with its times."""
    until = time.head == "until" and window.kind is WindowKind.INSTANT
    stretch = time.head in ("at", "from") and window.kind is WindowKind.SPAN
    head = statement.head
    if head == "is" and stretch:
        yield head, {Form("from", time.arguments): window}
        yield head, {Form("until", time.arguments): window}
    elif head == "busy" and (until or stretch):
        ends = instant(window.end)
        yield "untrue free", {_time("before", ends): ends} if until else {
            time: window, _time("before", ends): ends}
        if until:
            yield "free", {_time("at", ends): ends}
    elif head in ("location", "present") and (until or stretch):
        last = instant(window.end - _MINUTE)
        if stretch or last.start > now:
            yield head, {_time("at", last): last}
        if stretch:
            first = instant(window.start)
            yield head, {_time("at", first): first}
        elif head == "location":
            ends = instant(window.end)
            yield f"untrue {head}", {_time("at", ends): ends}


def _time(head: str, window: Window) -> Form:
    return Form(head, (Span(written(window)),))


def _with(statement: Form, time: Form, head: str, times: Mapping[Form, Window]) -> Form:
    """A statement of another head and with other times in the place of one."""
    untrue, _, state = head.rpartition(" ")
    arguments = [argument for each in statement.arguments
                 for argument in (times if each == time else (each,))]
    stated = Form(state, tuple(arguments))
    return Form(untrue, (stated,)) if untrue else stated
