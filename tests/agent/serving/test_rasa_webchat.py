"""The published chat widget of Rasa, in a browser, with the service behind it."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import http.server
import os
import shutil
import subprocess
import tarfile
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest

from ..acting.offices import WHERE_THE_WORKSHOP_IS
from .conftest import LOBBY, Running, running

sync_api = pytest.importorskip("playwright.sync_api")

ASKED, REPLY = "Where is the lens workshop?", WHERE_THE_WORKSHOP_IS
_WIDGET, _VERSION = "rasa-webchat", "1.0.1"
_SHA512 = ("Ld1zVJvTAaTrs6A5p8t70agNNrKYRyXlvqXZRgBoDvKK"
           "UXbA0jhJKECi5bdPGlaR6jsmqWtVylHS+YqIqo0x8w==")
_CACHE = Path(__file__).parents[3] / "build" / "npm"
_FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
          "--disable-background-networking", "--disable-component-update", "--disable-sync"]
_PAGE = """<!doctype html><meta charset="utf-8"><title>Fjordlight</title>
<script src="/widget.js"></script>
<script>
  const given = new URLSearchParams(location.search);
  WebChat.default({socketUrl: given.get("service"), socketPath: "/socket.io/", title: "Reception",
                   initPayload: given.get("first") || undefined, customData: {language: "en"},
                   customMessageDelay: () => 0, hideWhenNotConnected: false});
</script>"""


@pytest.fixture(scope="session")
def widget() -> bytes:
    """The script of the widget as its makers publish it."""
    package = _CACHE / f"{_WIDGET}-{_VERSION}.tgz"
    if not package.exists():
        if shutil.which("npm") is None:
            pytest.skip("npm is not installed")
        _CACHE.mkdir(parents=True, exist_ok=True)
        folder = _CACHE / f"fetched-{os.getpid()}"
        folder.mkdir()
        subprocess.run(["npm", "pack", f"{_WIDGET}@{_VERSION}", "--pack-destination", str(folder)],
                       check=True, capture_output=True, timeout=120)
        (folder / package.name).rename(package)
        folder.rmdir()
    digest = hashlib.sha512(package.read_bytes()).digest()
    assert base64.b64encode(digest).decode() == _SHA512, f"{package} is not what was published"
    with tarfile.open(package) as files:
        script = files.extractfile("package/lib/index.js")
        assert script is not None
        return script.read()


@pytest.fixture(scope="module")
def browser() -> Iterator[sync_api.Browser]:
    """A browser without a window."""
    found = shutil.which("chromium")
    if found is None:
        pytest.skip("Chromium is not installed")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=_FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def site(widget) -> Iterator[str]:
    """The origin of a web site that has the widget on its page."""
    class Pages(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            script = self.path == "/widget.js"
            self.send_response(200)
            self.send_header("Content-Type", "text/javascript" if script else "text/html")
            self.end_headers()
            self.wfile.write(widget if script else _PAGE.encode())

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pages) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


class Visitor:
    """Somebody at the page of the site.

    Args:
        page: Of the browser.
        address: Of the page.
    """

    def __init__(self, page: sync_api.Page, address: str) -> None:
        self.page = page
        self.requests: list[str] = []
        self.sockets: list[str] = []
        page.route("**://fonts.googleapis.com/**", lambda route: route.abort())
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("websocket", lambda opened: self.sockets.append(opened.url))
        page.goto(address)

    def open(self) -> None:
        """Open the chat and wait until it is connected."""
        self.page.locator(".rw-launcher").click()
        self.page.locator(".rw-new-message:enabled").wait_for()

    def say(self, text: str) -> None:
        self.page.locator(".rw-new-message").fill(text)
        self.page.locator(".rw-new-message").press("Enter")

    def hears(self, text: str) -> None:
        self.page.locator(".rw-response", has_text=text).wait_for()

    def messages(self) -> list[str]:
        """All that the chat shows, oldest first."""
        return [each.strip() for each in self.page.locator(".rw-message").all_inner_texts()]


@contextlib.contextmanager
def visiting(browser: sync_api.Browser, service: Running, site: str, *, first: str = ""
             ) -> Iterator[Visitor]:
    """A visitor with a browser of their own, whose widget is to say something first."""
    query = urlencode({"service": f"{service.url}/?token={LOBBY}", "first": first})
    context = browser.new_context()
    context.set_default_timeout(20_000)
    try:
        yield Visitor(context.new_page(), f"{site}/?{query}")
    finally:
        context.close()


@pytest.fixture
def reception(tmp_path, encoder, site) -> Iterator[Running]:
    """A service that pages of the site may call."""
    with running(tmp_path, encoder, origins=(site,)) as service:
        yield service


def test_webchat_shows_the_reply_to_what_is_typed(browser, reception, site):
    with visiting(browser, reception, site) as visitor:
        visitor.open()
        visitor.say(ASKED)
        visitor.hears(REPLY)
        assert visitor.messages() == [ASKED, REPLY]
        assert all("EIO=4" in each for each in visitor.requests if "/socket.io/" in each)
        assert any("transport=polling" in each for each in visitor.requests)
        assert any("transport=websocket" in each for each in visitor.sockets)


def test_webchat_dialogue_goes_on_when_the_page_is_loaded_again(browser, reception, site):
    with visiting(browser, reception, site) as visitor:
        visitor.open()
        visitor.say(ASKED)
        visitor.hears(REPLY)
        visitor.page.reload()
        visitor.page.locator(".rw-new-message:enabled").wait_for()
        visitor.say("When does it start?")
        visitor.hears("14:00")
        assert visitor.messages()[:3] == [ASKED, REPLY, "When does it start?"]


def test_webchat_visitors_have_dialogues_of_their_own(browser, reception, site):
    with visiting(browser, reception, site) as one, visiting(browser, reception, site) as other:
        for visitor in (one, other):
            visitor.open()
        one.say(ASKED)
        one.hears(REPLY)
        other.say("When is the budget review?")
        other.hears("12:00")
        assert one.messages() == [ASKED, REPLY]
        assert other.messages()[0] == "When is the budget review?"


def test_webchat_is_answered_what_it_says_first(browser, reception, site):
    with visiting(browser, reception, site, first=ASKED) as visitor:
        visitor.open()
        visitor.hears(REPLY)
        assert visitor.messages() == [REPLY]


def test_webchat_tells_what_was_wrong_with_what_is_typed(browser, reception, site):
    with visiting(browser, reception, site) as visitor:
        visitor.open()
        visitor.say("a" * 5000)
        visitor.hears("the text has 5000 characters. Send at most 4000.")
        visitor.say(ASKED)
        visitor.hears(REPLY)


def test_webchat_of_another_site_is_not_connected(browser, service, site):
    with visiting(browser, service, site) as visitor:
        with visitor.page.expect_event(
                "requestfailed", lambda request: "/socket.io/" in request.url):
            visitor.page.reload()
        assert visitor.page.locator(".rw-new-message:enabled").count() == 0
        assert not visitor.sockets
