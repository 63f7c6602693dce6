"""A receptionist that is killed while it acts, and the conversation that goes on afterwards."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest

from frontdesk.agent.calendars.sqlite_calendar import SqliteCalendar
from frontdesk.agent.sessions.saved_dialogues import load_saved
from frontdesk.kg.graph.pending_action import ActionStatus
from frontdesk.kg.sources.import_json import dump_json

from ...forked_command import ForkedCommand, run_forked
from .offices import organisation


def _arguments(folder: Path) -> list[str]:
    return ["chat", "--org", str(folder / "org.json"), "--calendar",
            str(folder / "c.sqlite"), "--now", "2026-03-02T09:30", "--user",
            "ines@example.org", "--config", str(folder / "settings.toml"),
            "--save", str(folder / "talk.json")]


def _booked(folder: Path) -> int:
    calendar = SqliteCalendar(folder / "c.sqlite", organisation())
    try:
        return sum(event.name == "glue" for event in calendar.state().kb.events.values())
    finally:
        calendar.close()


@pytest.mark.slow
def test_a_killed_conversation_knows_afterwards_whether_it_booked(tmp_path):
    (tmp_path / "org.json").write_text(dump_json(organisation()))
    (tmp_path / "settings.toml").write_text('[embedded]\nwords = "templates"\n')
    generator = random.Random(7)
    for attempt in range(4):
        for name in ("c.sqlite", "talk.json"):
            (tmp_path / name).unlink(missing_ok=True)
        chat = ForkedCommand(_arguments(tmp_path), stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        chat.stdin.write("Book a meeting called glue tomorrow at ten\n")
        chat.stdin.flush()
        assert chat.stdout.readline().startswith("Shall I book")
        chat.stdin.write("yes\n")
        chat.stdin.flush()
        if attempt:  # the first is killed at once
            time.sleep(generator.uniform(0, 0.15))
        chat.send_signal(signal.SIGKILL)
        chat.wait()
        before = _booked(tmp_path)
        saved = load_saved(tmp_path / "talk.json")[0].last_action()
        assert before == 1 or saved.status is not ActionStatus.DONE
        again = run_forked(*_arguments(tmp_path), "--resume", tmp_path / "talk.json", "--json",
                           stdin="yes\n", text=True)
        again.check_returncode()
        reply = json.loads(again.stdout)
        assert _booked(tmp_path) == 1
        # What was told before it was killed is not told again; all else is.
        told = saved.status is ActionStatus.DONE
        assert reply["text"].startswith("I have booked “glue”") != told
