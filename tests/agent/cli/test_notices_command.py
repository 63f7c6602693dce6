"""``frontdesk notices``: what waits and what was sent, for those who run it."""

from __future__ import annotations

import json
from contextlib import closing

import pytest

from frontdesk.agent.calendars.sqlite_calendar import SqliteCalendar
from frontdesk.agent.cli.main import main
from frontdesk.kg.graph.changes import Message, Transaction
from frontdesk.kg.sources.import_json import dump_json

from ..acting.offices import NOW, organisation
from ..notices.servers import SENDER, mail_server


@pytest.fixture
def arguments(tmp_path):
    """Of a calendar in whose outbox a message waits."""
    (tmp_path / "org.json").write_text(dump_json(organisation()))
    with closing(SqliteCalendar(tmp_path / "c.sqlite", organisation())) as calendar:
        calendar.commit(Transaction("t1", NOW, messages=(Message("bo", "the zebra escaped"),)))
    return ["notices", "--org", str(tmp_path / "org.json"), "--now", "2026-03-02T10:00",
            "--calendar", str(tmp_path / "c.sqlite")]


def settings(monkeypatch, port: int) -> None:
    for name, value in {"SMTP": f"127.0.0.1:{port}", "SMTP_TLS": "none", "SENDER": SENDER,
                        "TIMEOUT_S": "2"}.items():
        monkeypatch.setenv(f"FRONTDESK_NOTICES_{name}", value)


def test_what_waits_is_shown_and_sent(arguments, monkeypatch, capsys):
    assert main([*arguments, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [(each["person"], each["kind"]) for each in told["waiting"]] == [("bo", "message")]
    assert main(arguments) == 0
    assert "zebra" not in capsys.readouterr().out
    with mail_server() as mail:
        settings(monkeypatch, mail.port)
        assert main([*arguments, "--send"]) == 0
        assert len(mail.letters) == 1
        assert main([*arguments, "--send"]) == 0
        assert len(mail.letters) == 1
    shown = capsys.readouterr().out
    assert "waiting: none" in shown
    assert "bo message: mail sent" in shown


def test_what_could_not_be_sent_is_told_by_the_exit_status(arguments, monkeypatch, capsys):
    settings(monkeypatch, 1)
    assert main([*arguments, "--send"]) == 1
    assert "mail failed" in capsys.readouterr().out


def test_nothing_is_sent_where_no_server_is_named(arguments, capsys):
    assert main([*arguments, "--send"]) == 2
    assert "notices.smtp" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["mistyped.sqlite", "mistyped.ics", ""])
def test_a_calendar_that_is_not_there_is_not_made(arguments, tmp_path, capsys, name):
    location = str(tmp_path / name) if name else ""
    assert main([*arguments[:-1], location]) == 2
    assert "there is no calendar" in capsys.readouterr().err
    assert {each.name for each in tmp_path.iterdir()} == {"org.json", "c.sqlite"}


def test_help_shows_examples(capsys):
    with pytest.raises(SystemExit):
        main(["notices", "--help"])
    assert "frontdesk notices --org acme.json --calendar acme.sqlite" in capsys.readouterr().out
