"""The command line: in this process, and in processes of its own where that makes a difference."""

from __future__ import annotations

import io
import json
import os
import pty
import subprocess
import sys
import time
from pathlib import Path

import pytest

from frontdesk.agent.cli.main import main

from ...conftest import SAMPLES
from ...forked_command import ForkedCommand
from ...templates import TEMPLATES_ENVIRONMENT

NOW = ["--now", "2026-03-17T10:20"]
#: Runs the command line with every way out of the machine closed.
OFFLINE = """
import socket, sys
def closed(*arguments, **options):
    raise AssertionError(f"reached for the network: {arguments}")
socket.socket.connect = socket.getaddrinfo = socket.create_connection = closed
from frontdesk.agent.cli.main import main
sys.exit(main())
"""


def frontdesk(*arguments, stdin="", cwd=None, encoding="utf-8"):
    """Status, standard output and error of a command, whose streams are pipes of bytes."""
    data = stdin if isinstance(stdin, bytes) else stdin.encode()
    streams = {name: io.TextIOWrapper(io.BytesIO(data if name == "stdin" else b""), encoding)
               for name in ("stdin", "stdout", "stderr")}
    with pytest.MonkeyPatch.context() as patch:
        for name, stream in streams.items():
            patch.setattr(sys, name, stream)
        if cwd is not None:
            patch.chdir(cwd)
        try:
            status = main([*map(str, arguments)])
        except SystemExit as ended:
            status = ended.code
    out, err = (streams[name] for name in ("stdout", "stderr"))
    for stream in (out, err):
        stream.flush()
    return status, out.buffer.getvalue().decode(encoding), err.buffer.getvalue().decode(encoding)


def offline(*arguments, stdin):
    """As a user starts it, which no other process here is."""
    done = subprocess.run([sys.executable, "-c", OFFLINE, *arguments], input=stdin, text=True,
                          capture_output=True, timeout=120, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def _templates(monkeypatch):
    """For tests about the words of replies."""
    for name, value in TEMPLATES_ENVIRONMENT.items():
        monkeypatch.setenv(name, value)


def test_piped_chat_answers_in_its_own_words_with_the_network_cut():
    status, out, err = offline("chat", *NOW, stdin="Which rooms are free now?\n\nThank you\n")
    assert (status, err) == (0, "")
    assert len(out.splitlines()) == 3
    assert all(out.splitlines())


@pytest.mark.usefixtures("_templates")
def test_piped_chat_answers_line_for_line():
    status, out, err = frontdesk("chat", *NOW, stdin="Which rooms are free now?\n\nThank you\n")
    assert (status, err) == (0, "")
    first, second, third = out.splitlines()
    assert first.endswith("are free now.")
    assert "did not understand" in second
    assert third == "You're welcome!"


@pytest.mark.usefixtures("_templates")
def test_piped_chat_writes_one_object_per_line_with_json():
    lines = "Who is in the Finance group?\n/facts\n/reset\nhello\n"
    status, out, _ = frontdesk("chat", "--json", *NOW, stdin=lines)
    assert status == 0
    reply, facts, hello = map(json.loads, out.splitlines())
    assert {"text", "facts", "links", "checks", "repaired", "actions", "timings_ms"} <= set(reply)
    assert set(reply["checks"]) >= {"q2", "pmi_faith", "graph"}
    assert {"text", "relevance", "derived", "rule"} <= set(reply["facts"][0])
    assert reply["links"][0]["mention"] == "Finance group"
    assert facts["facts"] == reply["facts"]
    assert hello["text"] == "Hello! How can I help you?"


@pytest.mark.usefixtures("_templates")
def test_piped_chat_goes_on_after_bad_lines():
    bad = b"\xff\xfe\x00\n/nonsense\n" + b"x" * 10_000 + b"\n"
    status, out, err = frontdesk("chat", *NOW, stdin=bad + b"hello\n")
    lines = out.splitlines()
    assert status == 0
    assert len(lines) == 4
    assert "'/nonsense'" in lines[1]
    assert "'/nonsense'" in err
    assert "only the first 2000" in err  # what was left out is said without --explain
    assert lines[-1] == "Hello! How can I help you?"
    assert "Traceback" not in err


@pytest.mark.parametrize(("arguments", "message"), [
    (["--org", "missing.json"], "missing.json"),
    (["--ics", "missing.ics"], "missing.ics"),
    (["--people", SAMPLES / "office.ics"], "office.ics, line 1"),
    (["--org", SAMPLES / "people.csv"], "not JSON"),
    (["--ics", SAMPLES / "people.csv"], "not an iCalendar file"),
    (["--graphwoz", "x"], "names no dialogue"),
    (["--graphwoz", f"{SAMPLES / 'graphwoz_sample.json'}#NONE"], "DIALOGUE_1"),
    (["--graphwoz", "x#y", "--org", "demo"], "Leave out --org"),
    (["--now", "yesterday"], "ISO 8601"),
    (["--config", "missing.toml"], "missing.toml")])
def test_a_users_mistake_is_named_on_stderr_with_status_2(arguments, message, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"hello\n")))
    assert main(["chat", *map(str, arguments)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1


def test_an_event_that_ends_before_it_starts_is_named(tmp_path):
    path = tmp_path / "org.json"
    path.write_text(json.dumps({"name": "A", "timezone": "UTC", "people": [], "groups": [],
                                "rooms": [], "events": [{
                                    "name": "time loop", "start": "2026-03-17T10:00",
                                    "end": "2026-03-17T09:00"}]}))
    status, _, err = frontdesk("chat", "--org", path, stdin="hello\n")
    assert status == 2
    assert "time loop" in err


def test_help_shows_examples():
    status, out, _ = frontdesk("chat", "--help")
    assert status == 0
    assert "--graphwoz graphwoz_dev.json#DIALOGUE_8" in out
    assert frontdesk("draw", "--help")[1].count("frontdesk draw talk.json") == 2


def test_a_saved_dialogue_is_drawn_in_every_format(tmp_path, capsys):
    status, _, _ = frontdesk("chat", *NOW, "--save", tmp_path / "talk.json",
                             stdin="Who is in the Finance group?\n")
    assert status == 0

    def draw(*arguments) -> int:  # here, where all that draws is loaded already
        return main(["draw", *map(str, arguments)])

    for suffix, start in (("svg", b"<"), ("png", b"\x89PNG"), ("html", b"<!DOCTYPE html>")):
        picture = tmp_path / f"talk.{suffix}"
        assert draw(tmp_path / "talk.json", picture) == 0
        assert picture.read_bytes().lower().startswith(start.lower())
    capsys.readouterr()
    assert draw(tmp_path / "talk.json", tmp_path / "talk.gif") == 2
    assert ".svg" in capsys.readouterr().err
    assert draw(tmp_path / "talk.json", tmp_path / "t.svg", "--turn", "u9") == 2
    assert draw(tmp_path / "talk.svg", tmp_path / "t.svg") == 2


@pytest.mark.usefixtures("_templates")
def test_the_terminal_welcomes_answers_and_leaves(tmp_path):
    """A conversation over a pseudo-terminal."""
    master, slave = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "40"}
    process = ForkedCommand(["chat", *NOW], stdin=slave, stdout=slave, stderr=slave,
                            env=environment, cwd=tmp_path)
    os.close(slave)
    screen = _Screen(master)
    try:
        screen.wait_for("Try:")
        screen.wait_for("you")
        os.write(master, b"Which rooms are free now?\r")
        screen.wait_for("are free now.")
        os.write(master, b"/why\r")
        screen.wait_for("query (which (room (is_free (now))))")
        screen.wait_for("you ›")  # until then what is typed ends no line of a prompt
        os.write(master, b"\x04")
        screen.wait_for("Goodbye.")
        assert process.wait(timeout=30) == 0
        assert list(tmp_path.iterdir()) == []
    finally:
        process.kill()
        os.close(master)


class _Screen:
    """What a pseudo-terminal has shown so far; answers its question for the cursor."""

    def __init__(self, master: int) -> None:
        self.master = master
        self.shown = ""

    def wait_for(self, text: str, seconds: float = 60) -> None:
        end = time.monotonic() + seconds
        os.set_blocking(self.master, False)
        while text not in self.shown:
            assert time.monotonic() < end, f"{text!r} did not appear in {self.shown[-2000:]!r}"
            try:
                chunk = os.read(self.master, 65536).decode("utf-8", "replace")
            except BlockingIOError:
                time.sleep(0.05)
                continue
            if "\x1b[6n" in chunk:
                os.write(self.master, b"\x1b[1;1R")
            self.shown += chunk
        self.shown = self.shown.split(text, 1)[1]


def test_a_dialogue_that_cannot_be_saved_is_refused_before_it_is_held(tmp_path):
    for path in (tmp_path, tmp_path / "missing" / "talk.json"):
        status, out, err = frontdesk("chat", *NOW, "--save", path, stdin="hello\n")
        assert (status, out) == (2, "")
        assert str(path) in err


@pytest.mark.usefixtures("_templates")
def test_a_terminal_that_cannot_show_a_character_does_not_end_the_conversation():
    status, out, _ = frontdesk("chat", *NOW, stdin="Where is the Zeta room?\nhello\n",
                               encoding="latin-1")
    assert status == 0
    assert out.splitlines()[-1] == "Hello! How can I help you?"


def test_a_conversation_leaves_nothing_in_the_folder_it_is_held_in(tmp_path):
    frontdesk("chat", *NOW, stdin="hello\n", cwd=tmp_path)
    assert list(Path(tmp_path).iterdir()) == []
