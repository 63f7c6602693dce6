"""Metrics and traces, read by what reads them elsewhere."""

from __future__ import annotations

import gzip
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from prometheus_client.parser import text_string_to_metric_families

from .calls import call
from .conftest import LOBBY, running
from .test_sessions import make


def measures(url) -> dict[tuple[str, frozenset], float]:
    """The samples that Prometheus reads, by name and labels."""
    request = urllib.request.Request(f"{url}/metrics",
                                     headers={"Authorization": f"Bearer {LOBBY}"})
    with urllib.request.urlopen(request) as response:
        families = text_string_to_metric_families(response.read().decode())
    return {(each.name, frozenset(each.labels.items())): each.value
            for family in families for each in family.samples}


def test_turns_replies_actions_and_stages_are_counted(service):
    session = make(service, speaker="ines@example.org")
    for number, text in enumerate(("Where is the lens workshop?",
                                   "Book a meeting called glue tomorrow at ten", "yes", "yes")):
        call(f"{session}/turns", {"text": text, "id": str(min(number, 2))})
    call(f"{session}/turns", {"text": "x" * 5000})
    found = measures(service.url)
    outcomes = {outcome: found.get(("frontdesk_turns_total", frozenset({("outcome", outcome)})))
                for outcome in ("answered", "again", "refused", "failed")}
    assert outcomes == {"answered": 3, "again": 1, "refused": 1, "failed": None}
    assert found["frontdesk_turn_seconds_count", frozenset()] == 4
    assert found["frontdesk_stage_seconds_count", frozenset({("stage", "parse")})] >= 3
    assert found["frontdesk_actions_total", frozenset(
        {("kind", "create"), ("status", "done")})] == 1
    assert sum(value for (name, _), value in found.items()
               if name == "frontdesk_replies_total") == 3
    assert found["frontdesk_turns_inside", frozenset()] == 0


def test_chats_without_a_session_and_refusals_before_a_turn_are_counted(service):
    chat = f"{service.url}/v1/chat/completions"
    assert call(chat, {"messages": [{"role": "user", "content": "Where is Rowan?"}]})[0] == 200
    assert call(chat, {"messages": [{"role": "user", "content": "x" * 5000}]})[0] == 422
    assert call(f"{service.url}/webhooks/rest/webhook", {
        "message": "hello", "metadata": {"speaker": "nobody@example.org"}})[0] == 422
    found = measures(service.url)
    assert found["frontdesk_turns_total", frozenset({("outcome", "answered")})] == 1
    assert found["frontdesk_turns_total", frozenset({("outcome", "refused")})] == 2
    assert found["frontdesk_stage_seconds_count", frozenset({("stage", "generate")})] == 1


def test_requests_are_counted_by_route_and_never_by_what_is_in_them(service):
    session = make(service)
    call(f"{session}/turns", {"text": "hello"})
    call(f"{service.url}/nowhere/secret")
    requests = [dict(labels) for (name, labels), _ in measures(service.url).items()
                if name == "frontdesk_requests_total"]
    assert {"route": "/sessions/{session}/turns", "method": "POST", "status": "200"} in requests
    assert {"route": "none", "method": "GET", "status": "404"} in requests
    told = str(requests)
    assert session.rpartition("/")[2] not in told
    assert "secret" not in told


@pytest.fixture
def collector():
    """What takes OTLP over HTTP, and the spans that it got."""
    spans = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            if self.headers.get("content-encoding") == "gzip":
                body = gzip.decompress(body)
            request = ExportTraceServiceRequest.FromString(body)
            spans.extend(span for resource in request.resource_spans
                         for scope in resource.scope_spans for span in scope.spans)
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/v1/traces", spans
    server.shutdown()
    server.server_close()


def test_a_turn_is_a_span_with_one_for_each_stage_in_the_trace_of_its_request(
        tmp_path, encoder, collector):
    endpoint, spans = collector
    trace = "0af7651916cd43dd8448eb211c80319c"
    with running(tmp_path, encoder, traces=endpoint) as service:
        request = urllib.request.Request(
            f"{make(service)}/turns", b'{"text": "Where is the lens workshop?"}',
            {"Content-Type": "application/json", "Authorization": f"Bearer {LOBBY}",
             "traceparent": f"00-{trace}-b7ad6b7169203331-01"})
        with urllib.request.urlopen(request) as response:
            assert "Rowan" in response.read().decode()
        service.conversations.tracing.close()
    (turn,) = (span for span in spans if span.name == "frontdesk.turn")
    assert (turn.trace_id.hex(), turn.parent_span_id.hex()) == (trace, "b7ad6b7169203331")
    stages = [span for span in spans if span.parent_span_id == turn.span_id]
    assert {"frontdesk.parse", "frontdesk.link", "frontdesk.generate",
            "frontdesk.check"} <= {span.name for span in stages}
    assert all(turn.start_time_unix_nano <= span.start_time_unix_nano
               and span.end_time_unix_nano <= turn.end_time_unix_nano for span in stages)
    assert "lens" not in str(spans)
    assert "Rowan" not in str(spans)
