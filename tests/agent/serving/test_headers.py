"""What requests must have and responses have: origins, hosts, time to arrive, security headers."""

from __future__ import annotations

import json
import socket
import time
import urllib.request
from urllib.error import HTTPError
from urllib.parse import urlsplit

import pytest

from frontdesk.agent.serving.auth.api_keys import Keys
from frontdesk.agent.serving.serve_options import ServeOptions, check_origins
from frontdesk.kg.graph.errors import InputError

from .calls import call
from .conftest import LOBBY, running

ORIGIN = "https://intranet.example.org"


def ask(url: str, method: str = "GET", body: bytes | None = None, **headers: str
        ) -> tuple[int, str, dict[str, str]]:
    """Status, text and headers of a response; headers of the request have _ for -."""
    request = urllib.request.Request(url, body, {
        name.replace("_", "-"): value for name, value in headers.items()}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            found = response
            content = response.read()
    except HTTPError as error:
        with error:
            found, content = error, error.read()
    return found.status, content.decode(), {
        name.lower(): value for name, value in found.headers.items()}


def raw(url: str, *parts: bytes, pause: float = 0.0) -> bytes:
    """What comes back when bytes are sent one after the other."""
    where = urlsplit(url)
    with socket.create_connection((where.hostname, where.port), timeout=30) as connection:
        for part in parts:
            try:
                connection.sendall(part)
            except OSError:
                break
            time.sleep(pause)
        connection.settimeout(30)
        found = b""
        while more := connection.recv(65536):
            found += more
        return found


@pytest.fixture
def open_service(tmp_path, encoder):
    """A service without keys."""
    with running(tmp_path, encoder, keys=Keys({})) as service:
        yield service


@pytest.mark.parametrize(("path", "method", "data", "status"), [
    ("/healthz", "GET", None, 200), ("/nothing", "GET", None, 404),
    ("/sessions", "POST", {"speaker": 7}, 422), ("/sessions", "POST", None, 422),
    ("/sessions/x", "GET", None, 404), ("/sessions", "PATCH", None, 405)])
def test_every_response_has_the_security_headers_and_an_id(service, path, method, data, status):
    found, _, headers = call(service.url + path, data, method=method)
    assert found == status
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == "no-store"
    assert "default-src 'none'" in headers["content-security-policy"]
    assert headers["x-request-id"]
    assert "server" not in headers or "uvicorn" in headers["server"]


def test_errors_of_ours_and_refused_bodies_have_the_security_headers_too(tmp_path, encoder):
    with running(tmp_path, encoder) as service:
        session = call(f"{service.url}/sessions", {})[1]["id"]
        service.conversations._work = None  # a defect
        for path, body, status in ((f"/sessions/{session}/turns", b'{"text": "x"}', 500),
                                   ("/sessions", b"x" * 1_000_001, 413)):
            found, problem, headers = call(service.url + path, body=body, method="POST")
            assert (found, problem["error"]["status"]) == (status, status)
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["x-request-id"]
            assert "NoneType" not in json.dumps(problem)


def test_body_that_trickles_in_is_given_up(tmp_path, encoder):
    with running(tmp_path, encoder, body_timeout_s=0.4) as service:
        head = (b"POST /sessions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                b"Content-Length: 100\r\n\r\n")
        begun = time.monotonic()
        found = raw(service.url, head, *[b"{"] * 5, pause=0.2)
        assert time.monotonic() - begun < 20
        assert found.startswith(b"HTTP/1.1 408 ")
        assert b"0.4 seconds" in found
        assert b"nosniff" in found
        assert call(f"{service.url}/sessions", {})[0] == 201  # others are not hindered


def test_client_that_goes_away_in_the_middle_hinders_nobody(service):
    where = urlsplit(service.url)
    for _ in range(5):
        with socket.create_connection((where.hostname, where.port)) as connection:
            connection.sendall(b"POST /sessions HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{")
    assert call(f"{service.url}/sessions", {})[0] == 201


def test_pages_of_other_origins_read_nothing_by_default(service):
    status, _, headers = ask(f"{service.url}/sessions", "OPTIONS", Origin=ORIGIN,
                             Access_Control_Request_Method="POST")
    assert status == 405
    assert not [name for name in headers if name.startswith("access-control")]
    _, _, headers = ask(f"{service.url}/healthz", Origin=ORIGIN)
    assert not [name for name in headers if name.startswith("access-control")]


def test_pages_of_the_origins_that_are_set_may_call_and_no_others(tmp_path, encoder):
    with running(tmp_path, encoder, origins=(ORIGIN,)) as service:
        sent = {"Access_Control_Request_Method": "POST",
                "Access_Control_Request_Headers": "authorization,content-type"}
        status, _, headers = ask(f"{service.url}/sessions", "OPTIONS", Origin=ORIGIN, **sent)
        assert (status, headers["access-control-allow-origin"]) == (200, ORIGIN)
        assert "authorization" in headers["access-control-allow-headers"].lower()
        assert "access-control-allow-credentials" not in headers
        status, _, headers = ask(f"{service.url}/sessions", "POST", b"{}", Origin=ORIGIN,
                                 Authorization=f"Bearer {LOBBY}", Content_Type="application/json")
        assert (status, headers["access-control-allow-origin"]) == (201, ORIGIN)
        assert "Origin" in headers["vary"]
        status, _, headers = ask(f"{service.url}/sessions", "POST", b"{}", Origin=ORIGIN)
        assert (status, headers["access-control-allow-origin"]) == (401, ORIGIN)
        for other in ("https://evil.example", ORIGIN + ".evil.example", "null",
                      ORIGIN.replace("https", "http")):
            status, _, headers = ask(f"{service.url}/sessions", "OPTIONS", Origin=other, **sent)
            assert (status, "access-control-allow-origin" in headers) == (400, False)


def test_sockets_take_pages_of_the_same_origins(tmp_path, encoder):
    with running(tmp_path, encoder, origins=(ORIGIN,)) as service:
        url = f"{service.url}/socket.io/?EIO=4&transport=polling"
        request = urllib.request.Request(url, headers={"Origin": ORIGIN})
        with urllib.request.urlopen(request) as response:
            assert response.headers.get_all("access-control-allow-origin") == [ORIGIN]
        assert ask(url, Origin="https://evil.example")[0] == 403


@pytest.mark.parametrize("origin", [
    "*", "intranet.example.org", "https://*.example.org", "https://intranet.example.org/",
    "https://Intranet.example.org", "ftp://x", "https://", "null", "https://a@b"])
def test_origins_that_no_browser_sends_are_told(origin):
    with pytest.raises(InputError, match="origins"):
        check_origins((origin,))
    check_origins(("http://localhost:3000", ORIGIN))


@pytest.mark.parametrize(("line", "says"), [
    ('origins = ["http://a/b"]', r"serve\.origins has 'http://a/b'"),
    ('traces = "nonsense"', r"serve\.traces is no address"),
    ('traces = "file:///tmp/x"', r"serve\.traces is no address")])
def test_addresses_in_the_settings_are_looked_at_before_anything_is_loaded(tmp_path, line, says):
    (tmp_path / "s.toml").write_text(f"[serve]\n{line}\n")
    with pytest.raises(InputError, match=says):
        ServeOptions(config=tmp_path / "s.toml").settings()


def test_hosts_that_are_set_are_the_only_names_of_the_service(tmp_path, encoder):
    with running(tmp_path, encoder, hosts=("desk.example.org",)) as service:
        for host, status in (("desk.example.org", 200), ("DESK.example.org:8080", 200),
                             ("evil.example", 400), ("127.0.0.1", 400), ("[::1", 400)):
            found, text, _ = ask(f"{service.url}/healthz", Host=host)
            assert found == status, host
            assert status == 200 or "serve.hosts" in text


def test_without_keys_pages_cannot_have_a_browser_on_this_machine_call(open_service):
    url = f"{open_service.url}/webhooks/rest/webhook"
    body, kind = b'{"message": "hello"}', "application/json"
    own = f"http://{urlsplit(url).netloc}"
    for headers, status in (({}, 200), ({"Origin": own}, 200),
                            ({"Origin": "https://evil.example"}, 403), ({"Origin": "null"}, 403),
                            ({"Host": "evil.example"}, 400),  # rebound to this machine
                            ({"Host": "evil.example", "Origin": "http://evil.example"}, 400),
                            ({"Host": "localhost:9"}, 200), ({"Host": "[::1]:9"}, 200)):
        assert ask(url, "POST", body, Content_Type=kind, **headers)[0] == status, headers


def test_without_keys_sockets_of_other_pages_are_refused(open_service):
    upgrade = (b"GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: %s\r\n"
               b"Origin: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
               b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
    here = urlsplit(open_service.url).netloc.encode()
    for host, origin in ((here, b"https://evil.example"), (b"evil.example", b"http://evil.example")):
        assert raw(open_service.url, upgrade % (host, origin)).startswith(b"HTTP/1.1 403 ")


@pytest.mark.parametrize(("given", "taken"), [
    ("a-Trace-9", True), ("x" * 64, True), ("x" * 65, False), ("a b", False), ("a;b", False),
    ("", False)])
def test_request_ids_are_taken_if_they_are_plain_and_else_made(service, given, taken):
    _, _, headers = ask(f"{service.url}/healthz", X_Request_Id=given)
    assert (headers["x-request-id"] == given) is taken
    assert len(headers["x-request-id"]) <= 64
