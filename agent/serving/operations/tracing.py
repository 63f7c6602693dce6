"""OpenTelemetry traces of turns: a span for each turn, and in it one for each stage.

``frontdesk.turn`` has the attributes ``frontdesk.generator``, ``frontdesk.repaired`` and
``frontdesk.actions``; the stages are ``frontdesk.parse``, ``frontdesk.link`` and so on. What is
said is not in them. A turn whose request has a ``traceparent`` becomes part of that trace.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from opentelemetry import context, trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

_TOTAL = "total"
_PARENT = "traceparent"


@dataclass(frozen=True)
class TracedTurn:
    """The span of a turn."""

    span: trace.Span
    tracer: trace.Tracer

    def replied(self, reply: Mapping[str, Any]) -> None:
        """What words the reply, and what was done.

        Args:
            reply: As data.
        """
        self.span.set_attributes({
            "frontdesk.generator": reply["generator"],
            "frontdesk.repaired": bool(reply["repaired"]),
            "frontdesk.actions": [each["kind"] for each in reply["actions"]]})

    def stage(self, name: str, milliseconds: float) -> None:
        """A stage has just ended."""
        if name == _TOTAL or not self.span.is_recording():
            return
        end = time.time_ns()
        self.tracer.start_span(
            f"frontdesk.{name}", trace.set_span_in_context(self.span),
            start_time=end - round(milliseconds * 1e6)).end(end)


class Tracing:
    """Where spans are sent; nowhere by default.

    Args:
        endpoint: URL that takes OTLP over HTTP, ``http://localhost:4318/v1/traces``; empty for
            none.
    """

    def __init__(self, endpoint: str = "", *, exporter: SpanExporter | None = None) -> None:
        self._provider: TracerProvider | None = None
        if endpoint:
            exporter = OTLPSpanExporter(endpoint=endpoint)
        if exporter is not None:
            self._provider = TracerProvider(
                resource=Resource.create({"service.name": "frontdesk"}))
            self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = trace.get_tracer("frontdesk", tracer_provider=self._provider
                                        or trace.NoOpTracerProvider())

    @contextmanager
    def turn(self) -> Iterator[TracedTurn]:
        """The span of a turn, in the trace of the request that is answered."""
        # What went wrong is told by its kind: its words may be the user's.
        with self._tracer.start_as_current_span(
                "frontdesk.turn", kind=trace.SpanKind.SERVER, record_exception=False,
                set_status_on_exception=False) as span:
            try:
                yield TracedTurn(span, self._tracer)
            except Exception as error:
                span.set_status(trace.StatusCode.ERROR, type(error).__name__)
                raise

    @contextmanager
    def request(self, headers: Mapping[str, str]) -> Iterator[None]:
        """What is done for a request belongs to the trace that its headers name.

        Args:
            headers: Their names in small letters.
        """
        parent = TraceContextTextMapPropagator().extract(
            {_PARENT: headers[_PARENT]} if _PARENT in headers else {})
        token = context.attach(parent)
        try:
            yield
        finally:
            context.detach(token)

    def close(self) -> None:
        """Send what was not sent yet."""
        if self._provider is not None:
            self._provider.shutdown()
