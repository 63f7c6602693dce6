"""``frontdesk doctor``: what it finds, and that it leaves everything as it was."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import socket
import sqlite3
import sys
import threading
import time
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")

from frontdesk.agent.calendars.icalendar_file import ICalendarFile
from frontdesk.agent.calendars.open_calendar import open_calendar
from frontdesk.agent.calendars.outbox import Delivery, DeliveryState
from frontdesk.agent.calendars.sqlite_calendar import SqliteCalendar
from frontdesk.agent.cli.doctor.finding import (
    Check,
    Finding,
    Outcome,
    Subject,
    Verdict,
    failed,
    hold,
    warning,
)
from frontdesk.agent.cli.doctor.run_doctor import CHECKS, outcomes_of
from frontdesk.agent.serving.serve_options import ServeOptions
from frontdesk.agent.serving.sessions.session_store import SessionStore
from frontdesk.kg.graph.changes import Message, Transaction
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.sources.import_json import dump_json

from ...forked_command import run_forked
from ..acting.offices import NOW, organisation
from ..calendars.conftest import MAKE_CALENDAR, PASSWORD, USER, Radicale
from ..notices.servers import mail_server


@pytest.fixture
def folder(tmp_path) -> Path:
    """With an organisation in it."""
    folder = tmp_path / "served"
    folder.mkdir()
    (folder / "org.json").write_text(dump_json(organisation()))
    return folder


def subject_in(folder: Path, *, sources=None, **options) -> Subject:
    scratch = folder.parent / "scratch"
    scratch.mkdir(exist_ok=True)
    given = {"org": str(folder / "org.json"), **(sources or {})}
    return Subject(ServeOptions(sources=given, **options), scratch)


def look(subject: Subject, *names: str) -> list[Outcome]:
    """What comes of some checks, after those that they need."""
    wanted = ("settings", "organisation", *names)
    return [hold(Check(name, lambda look=look: look(subject), seconds))
            for name, look, seconds in CHECKS if name in wanted]


def last(subject: Subject, name: str) -> Finding:
    return next(each for each in look(subject, name) if each.name == name).finding


def traces(folder: Path) -> dict[str, tuple[str, int]]:
    """All files with what they hold and when they were changed.

    But for those in which SQLite's readers and writers agree with each other.
    """
    return {str(path.relative_to(folder)): (
        hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "folder",
        path.stat().st_mtime_ns) for path in (folder, *folder.rglob("*"))
        if not path.name.endswith("-shm")}


# How checks are held --------------------------------------------------------------------------

def crash() -> list[Finding]:
    raise RuntimeError("boom")


def wrong() -> list[Finding]:
    raise InputError("the value is 3", place="a.toml", remedy="Make it 4")


def test_a_check_that_crashes_or_hangs_has_failed_and_says_why():
    assert hold(Check("a", crash)).finding.verdict is Verdict.FAILED
    assert "RuntimeError: boom" in hold(Check("a", crash)).finding.found
    assert hold(Check("a", wrong)).finding == Finding("a.toml: the value is 3", Verdict.FAILED,
                                                      "Make it 4")
    never = threading.Event()
    hung = hold(Check("a", lambda: [Finding(str(never.wait()))], seconds=0.05))
    never.set()
    assert hung.finding.verdict is Verdict.FAILED
    assert "no answer within 0.05 s" in hung.finding.found


def test_findings_of_a_check_are_as_bad_as_the_worst_and_show_no_password():
    finding = hold(Check("a", lambda: [Finding("x://u:secret@h is there"),
                                       warning("it is slow", "Move it.")])).finding
    assert finding == Finding("x://u:***@h is there; it is slow", Verdict.WARNING, "Move it")
    assert hold(Check("a", lambda: [])).finding.verdict is Verdict.SKIPPED


def test_a_remedy_that_several_findings_share_is_said_once():
    found = [failed("one", "Install it."), failed("two", "Install it")]
    assert hold(Check("a", lambda: found)).finding == Finding(
        "one; two", Verdict.FAILED, "Install it")


def test_what_needs_a_check_that_failed_is_skipped(folder):
    subject = subject_in(folder, config=folder / "none.toml")
    outcomes = {each.name: each.finding for each in look(subject, "sessions", "models")}
    assert outcomes["settings"].verdict is Verdict.FAILED
    assert {outcomes[name] for name in ("sessions", "models")} == {
        Finding("the settings could not be loaded", Verdict.SKIPPED)}


# The whole --------------------------------------------------------------------------------------

def doctor(folder: Path, *arguments: str, **environment: str) -> tuple[int, dict, str]:
    done = run_forked("doctor", "--json", *arguments, stdin="", text=True, cwd=folder, env={
        **os.environ, "HOME": str(folder), "XDG_CACHE_HOME": str(folder / "cache"),
        "XDG_STATE_HOME": str(folder / "state"), "TMPDIR": str(folder / "tmp"), **environment})
    return done.returncode, json.loads(done.stdout), done.stderr


@pytest.mark.slow
def test_doctor_finds_a_sound_installation_sound_and_leaves_no_trace(folder):
    SqliteCalendar(folder / "c.sqlite", organisation()).close()
    store = SessionStore(f"sqlite:///{folder / 's.sqlite'}")
    store.open("lobby", "desk")
    (folder / "keys.toml").write_text(f'[lobby]\nkey = "{"k" * 40}"\n')
    (folder / "keys.toml").chmod(0o600)
    (folder / "tmp").mkdir()
    before = traces(folder)  # while the service has it open
    status, found, _ = doctor(
        folder, "--org", "org.json", "--calendar", "c.sqlite", "--database", "sqlite:///s.sqlite",
        "--keys", "keys.toml", "--host", "0.0.0.0", "--port", "0")
    after = traces(folder)
    store.close()
    checks = {each["name"]: each for each in found["checks"]}
    assert list(checks) == [name for name, _, _ in CHECKS]
    assert {name: each["found"] for name, each in checks.items()
            if each["verdict"] == "failed"} == {}
    assert (status, found["ok"]) == (0, True)
    assert "1 sessions" in checks["sessions"]["found"]
    assert "a reply after" in checks["models"]["found"]
    assert str(len(organisation().events)) in checks["calendar"]["found"]
    assert "k" * 20 not in json.dumps(found)
    (_, moved), (_, was) = after.pop("tmp"), before.pop("tmp")  # where its own folder was
    assert moved >= was
    assert after == before


def test_doctor_tells_all_that_is_wrong_at_once_for_people_too(folder):
    (folder / "keys.toml").write_text("[lobby]\nkey = 'short'\n")
    done = run_forked("doctor", "--org", "none.json", "--keys", "keys.toml", "--database",
                      "sqlite:///nowhere/s.sqlite", stdin="", text=True, cwd=folder)
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    for name, says in (("organisation", "none.json"), ("keys", "shorter than 16"),
                       ("sessions", "there is no folder")):
        position = next(number for number, line in enumerate(lines)
                        if line.startswith(name) and "failed" in line)
        assert says in lines[position]
        assert "→" in lines[position + 1]
    assert lines[-1].startswith("3 failed")
    assert "Traceback" not in done.stdout + done.stderr


# Settings, organisation, keys ---------------------------------------------------------------------

def test_doctor_warns_of_a_variable_that_is_no_setting(folder, monkeypatch):
    assert last(subject_in(folder), "settings").verdict is Verdict.OK
    monkeypatch.setenv("FRONTDESK_SERVE_WORKRES", "3")
    found = last(subject_in(folder), "settings")
    assert found.verdict is Verdict.WARNING
    assert "FRONTDESK_SERVE_WORKRES" in found.found


def test_doctor_finds_mistakes_in_rules(folder):
    (folder / "house.pl").write_text("busy(X :- .")
    (folder / "s.toml").write_text('[rules]\nfiles = ["house.pl"]\n')
    found = last(subject_in(folder, config=folder / "s.toml"), "settings")
    assert found.verdict is Verdict.FAILED
    assert "house.pl" in found.found


@pytest.mark.parametrize(("mode", "key", "verdict", "says"), [
    (0o600, "k" * 40, Verdict.OK, "the shortest of 40"),
    (0o644, "k" * 40, Verdict.WARNING, "mode 644"),
    (0o600, "k" * 20, Verdict.WARNING, "fewer than 32"),
    (0o600, "k" * 8, Verdict.FAILED, "shorter than 16")])
def test_doctor_looks_at_the_length_of_keys_and_who_may_read_them(folder, mode, key, verdict, says):
    path = folder / "keys.toml"
    path.write_text(f'[lobby]\nkey = "{key}"\n')
    path.chmod(mode)
    found = last(subject_in(folder, keys=path), "keys")
    assert found.verdict is verdict
    assert says in found.found
    assert key not in found.found + found.remedy


def test_doctor_fails_where_others_may_call_without_a_key(folder):
    assert last(subject_in(folder), "keys").verdict is Verdict.SKIPPED
    assert last(replace(subject_in(folder), host="0.0.0.0"), "keys").verdict is Verdict.FAILED


# Sessions -----------------------------------------------------------------------------------------

def test_a_database_that_is_not_there_is_not_made(folder):
    subject = subject_in(folder, database=f"sqlite:///{folder / 's.sqlite'}")
    before = traces(folder)
    found = last(subject, "sessions")
    assert found.verdict is Verdict.OK
    assert "made at the first start" in found.found
    assert traces(folder) == before


def old_database(path: Path, revision: str) -> None:
    SessionStore(f"sqlite:///{path}").close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", (revision,))
    connection.close()


@pytest.mark.parametrize(("revision", "verdict", "says"), [
    ("1", Verdict.OK, "schema 1 is upgraded to"),
    ("future", Verdict.FAILED, "it has schema future")])
def test_a_database_of_another_schema_is_told_and_not_upgraded(folder, revision, verdict, says):
    old_database(folder / "s.sqlite", revision)
    before = traces(folder)
    found = last(subject_in(folder, database=f"sqlite:///{folder / 's.sqlite'}"), "sessions")
    assert found.verdict is verdict
    assert says in found.found
    assert traces(folder) == before


def test_a_database_of_something_else_is_told(folder):
    path = folder / "s.sqlite"
    path.write_text("something else entirely, and long enough to be no empty file")
    assert "not a database" in last(
        subject_in(folder, database=f"sqlite:///{path}"), "sessions").found
    path.unlink()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE sessions (x)")
    connection.close()
    found = last(subject_in(folder, database=f"sqlite:///{path}"), "sessions")
    assert (found.verdict, "not frontdesk's" in found.found) == (Verdict.FAILED, True)


def test_a_url_that_is_none_is_told_without_its_password(folder):
    for url in ("nonsense", "unknown://u:secret@h/n"):
        found = last(subject_in(folder, database=url), "sessions")
        assert found.verdict is Verdict.FAILED
        assert "secret" not in found.found


def test_postgresql_is_looked_at_and_left_as_it_is(folder):
    pytest.importorskip("psycopg")
    from ..serving.postgresql import PostgresServer, programs

    if programs() is None:
        pytest.skip("PostgreSQL is not installed")
    server = PostgresServer()
    try:
        subject = subject_in(folder, database=server.url)
        found = last(subject, "sessions")
        assert found.verdict is Verdict.OK, found
        assert "made at the first start" in found.found
        assert "made at the first start" in last(subject, "sessions").found  # and was not
        store = SessionStore(server.url)
        store.open("lobby", "desk")
        store.close()
        found = last(subject, "sessions")
        assert (found.verdict, "1 sessions" in found.found) == (Verdict.OK, True), found
    finally:
        server.close()
    found = last(subject, "sessions")
    assert (found.verdict, "does not answer" in found.found) == (Verdict.FAILED, True)


# Calendars ----------------------------------------------------------------------------------------

@pytest.mark.parametrize("name", ["c.sqlite", "c.ics"])
def test_a_calendar_file_is_read_and_neither_made_nor_changed(folder, name):
    path, kb = folder / name, organisation()
    subject = subject_in(folder, calendar=str(path), sources={"now": "2026-03-02T09:30"})
    before = traces(folder)
    assert "made at the first start" in last(subject, "calendar").found
    assert traces(folder) == before
    if path.suffix == ".ics":
        ICalendarFile(path, kb, clock=lambda: NOW).close()
    else:
        SqliteCalendar(path, kb).close()
    before = traces(folder)
    found = last(subject, "calendar")
    assert (found.verdict, f"{len(kb.events)} events" in found.found) == (Verdict.OK, True), found
    assert traces(folder) == before


def test_what_is_wrong_with_a_calendar_file_names_the_file_and_not_its_copy(folder):
    (folder / "c.ics").write_text("no calendar")
    (folder / "c.sqlite").write_text("no calendar either")
    for name in ("c.ics", "c.sqlite", "nowhere/c.sqlite"):
        subject = subject_in(folder, calendar=str(folder / name))
        found = last(subject, "calendar")
        assert found.verdict is Verdict.FAILED
        assert str(folder) in found.found
        assert str(subject.scratch) not in found.found + found.remedy


@pytest.fixture
def radicale(tmp_path):
    pytest.importorskip("radicale")
    pytest.importorskip("caldav")
    (tmp_path / "radicale").mkdir()
    server = Radicale(tmp_path / "radicale")
    server.start()
    assert server.request("MKCALENDAR", "acme/", MAKE_CALENDAR)[0] == 201
    yield server
    server.stop()


def test_a_caldav_calendar_is_read_and_gets_no_journal(folder, radicale, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(folder / "state"))
    monkeypatch.setenv("FRONTDESK_CALDAV_PASSWORD", PASSWORD)
    url = radicale.url.replace("://", f"://{USER}@") + "acme/"
    found = last(subject_in(folder, calendar=url), "calendar")
    assert (found.verdict, "0 events" in found.found) == (Verdict.OK, True), found
    assert not (folder / "state").exists()
    monkeypatch.setenv("FRONTDESK_CALDAV_PASSWORD", "wrong")
    assert last(subject_in(folder, calendar=url), "calendar").verdict is Verdict.FAILED


def test_a_calendar_server_that_says_nothing_holds_nobody_up(folder, monkeypatch):
    pytest.importorskip("caldav")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://rita@127.0.0.1:{silent.getsockname()[1]}/"
        subject = subject_in(folder, calendar=url)
        look(subject)
        check = next(each for name, each, _ in CHECKS if name == "calendar")
        began = time.monotonic()
        outcome = hold(Check("calendar", lambda: check(subject), seconds=0.3))
        assert time.monotonic() - began < 5
    assert (outcome.finding.verdict, "no answer" in outcome.finding.found) == (
        Verdict.FAILED, True)


# Models -------------------------------------------------------------------------------------------

class Endpoint(BaseHTTPRequestHandler):
    """An endpoint with one model, for those with the key."""

    seen: list[str]

    def do_GET(self):
        self.seen.append(self.path)
        known = self.headers["Authorization"] == "Bearer right"
        body = json.dumps({"object": "list", "data": [{
            "id": "small", "object": "model", "created": 0, "owned_by": "me"}]} if known else {
            "error": {"message": "no"}}).encode()
        self.send_response(200 if known else 401)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        self.seen.append("POST")

    def log_message(self, *_):
        pass


def test_an_endpoint_is_asked_for_its_models_and_told_nothing(folder, monkeypatch):
    pytest.importorskip("openai")
    Endpoint.seen = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    monkeypatch.setenv("FRONTDESK_OPENAI_BASE_URL", f"http://127.0.0.1:{server.server_port}/v1")
    subject = subject_in(folder, profile="openai")
    try:
        for key, model, verdict, says in (
                ("right", "small", Verdict.OK, "has 'small'"),
                ("right", "large", Verdict.WARNING, "does not list 'large'"),
                ("sk-wrong", "small", Verdict.FAILED, "does not take the key")):
            monkeypatch.setenv("OPENAI_API_KEY", key)
            monkeypatch.setenv("FRONTDESK_OPENAI_MODEL", model)
            found = last(subject, "generator")
            assert (found.verdict, says in found.found) == (verdict, True), found
            assert "sk-wrong" not in found.found + found.remedy
    finally:
        server.shutdown()
        server.server_close()
    assert set(Endpoint.seen) == {"/v1/models"}
    assert "cannot be reached" in last(subject, "generator").found


def test_models_of_the_hub_must_be_on_this_machine(folder, tiny_t5, monkeypatch):
    monkeypatch.setenv("FRONTDESK_GODEL_MODEL", str(tiny_t5))
    subject = subject_in(folder, profile="godel")
    assert last(subject, "generator").verdict is Verdict.OK
    monkeypatch.setenv("FRONTDESK_GODEL_MODEL", "nobody/has-this")
    found = last(subject, "generator")
    assert (found.verdict, "hf download nobody/has-this" in found.remedy) == (
        Verdict.FAILED, True)


def test_a_cache_that_cannot_be_written_is_told(folder, monkeypatch):
    monkeypatch.setenv("FRONTDESK_ENCODER_CACHE", str(folder / "org.json" / "cache"))
    found = last(subject_in(folder), "encoder")
    assert (found.verdict, "cannot be written" in found.found) == (Verdict.WARNING, True)


# The machine --------------------------------------------------------------------------------------

def test_a_port_that_is_taken_is_told(folder):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        subject = replace(subject_in(folder), port=taken.getsockname()[1])
        assert last(subject, "port").verdict is Verdict.FAILED
    assert last(subject, "port").verdict is Verdict.OK


def test_packages_of_the_profile_are_looked_for(folder, monkeypatch):
    from importlib import metadata

    found = last(subject_in(folder), "packages")
    assert found.verdict is Verdict.OK, found
    version = metadata.version
    monkeypatch.setattr(metadata, "version", lambda name: "0.0.1" if name == "fastapi"
                        else version(name))
    found = last(subject_in(folder), "packages")
    assert (found.verdict, "fastapi is 0.0.1" in found.found) == (Verdict.FAILED, True)
    assert "frontdesk[serve]" in found.remedy


def test_what_needs_an_extra_that_is_not_installed_is_not_looked_at(folder, monkeypatch):
    for package in ("sqlalchemy", "jwt"):
        monkeypatch.setitem(sys.modules, package, None)
    for name in ("sessions", "keys"):
        finding = last(subject_in(folder), name)
        assert finding.verdict is Verdict.SKIPPED
        assert "pip install 'frontdesk[serve]'" in finding.found


def test_more_workers_than_cores_are_told(folder, monkeypatch):
    monkeypatch.setenv("FRONTDESK_SERVE_WORKERS", "256")
    subject = subject_in(folder)
    assert last(subject, "cores").verdict is Verdict.WARNING
    monkeypatch.setenv("FRONTDESK_SERVE_WORKERS", "1")
    assert "1 processes of 1 workers" in last(subject_in(folder), "cores").found


def test_processes_need_a_calendar_that_they_share(folder, monkeypatch):
    assert last(subject_in(folder), "calendar").verdict is Verdict.WARNING
    monkeypatch.setenv("FRONTDESK_SERVE_PROCESSES", "2")
    assert last(subject_in(folder), "calendar").verdict is Verdict.FAILED


def test_a_present_that_stands_still_is_told(folder):
    assert last(subject_in(folder), "clock").verdict is Verdict.OK
    found = last(subject_in(folder, sources={"now": "2026-03-02T09:30"}), "clock")
    assert (found.verdict, "stands still" in found.found) == (Verdict.WARNING, True)


def test_outcomes_come_for_every_check_though_nothing_can_be_loaded(folder):
    shutil.rmtree(folder)
    subject = subject_in(folder, config=Path("none.toml"))
    assert [each.name for each in outcomes_of(subject)] == [name for name, _, _ in CHECKS]


# Notices ------------------------------------------------------------------------------------------

@pytest.mark.parametrize("name", ["c.sqlite", "c.ics"])
def test_notices_that_wait_or_are_not_taken_are_told(folder, name, monkeypatch):
    path = folder / name
    subject = subject_in(folder, calendar=str(path), sources={"now": "2026-03-02T09:30"})
    assert last(subject, "notices").verdict is Verdict.SKIPPED
    calendar = open_calendar(str(path), organisation(), clock=lambda: NOW)
    calendar.commit(Transaction("t1", NOW, messages=(Message("bo", "x"), Message("ines", "x"))))
    found = last(subject, "notices")
    assert (found.verdict, "nobody sends" in found.found) == (Verdict.WARNING, True), found
    first, second = calendar.outbox().waiting()
    calendar.outbox().write(first.number, "mail", Delivery(
        DeliveryState.FAILED, 1, "550 nobody", time.time(), time.time()), ["mail"])
    calendar.outbox().write(second.number, "mail", Delivery(
        DeliveryState.GIVEN_UP, 1, "550 nobody", time.time() - 60), ["mail"])
    calendar.close()
    before = traces(folder)
    found = last(subject, "notices")
    assert "1 wait" in found.found
    assert "1 of them were not taken: 550 nobody" in found.found
    assert "1 were given up" in found.found
    assert traces(folder) == before
    with mail_server() as mail:
        monkeypatch.setenv("FRONTDESK_NOTICES_SMTP", f"127.0.0.1:{mail.port}")
        monkeypatch.setenv("FRONTDESK_NOTICES_SMTP_TLS", "none")
        monkeypatch.setenv("FRONTDESK_NOTICES_SENDER", "desk@example.org")
        assert "mail is set up" in last(subject, "notices").found
        assert mail.letters == []
    found = last(subject, "notices")
    assert (found.verdict, "mail: " in found.found) == (Verdict.FAILED, True), found


# House documents ------------------------------------------------------------------------------

def test_house_documents_are_counted_and_an_emergency_is_missed(folder):
    house = folder / "house.md"
    house.write_text("# Wifi\n\nOn the wall.\n\n# Safe {.employees}\n\nIn the cellar.\n")
    finding = last(subject_in(folder, sources={"house": [str(house)]}), "house")
    assert finding.verdict is Verdict.WARNING
    assert finding.found.startswith("2 passages of 1 documents, 1 of them for employees alone")
    house.write_text("# Emergency\n\nRing the bell.\n")
    assert last(subject_in(folder, sources={"house": [str(house)]}), "house").verdict is Verdict.OK
    assert last(subject_in(folder), "house").verdict is Verdict.SKIPPED


def test_a_mistake_in_house_documents_is_told_with_its_line(folder):
    house = folder / "house.md"
    house.write_text("# Wifi\n\nOn the wall.\n\n# Wifi\n\nAt the desk.\n")
    finding = last(subject_in(folder, sources={"house": [str(house)]}), "organisation")
    assert finding.verdict is Verdict.FAILED
    assert finding.found == f"{house}, line 5: the heading 'Wifi' stands in line 1 too"
    assert finding.remedy
