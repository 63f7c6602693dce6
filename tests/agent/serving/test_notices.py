"""Notices of a service: sent while it runs, told to operators."""

from __future__ import annotations

import datetime as dt
import json
import threading
import time
from dataclasses import replace

import pytest

from frontdesk.agent.calendars.sqlite_calendar import SqliteCalendar
from frontdesk.agent.notices.mail_channel import MailChannel
from frontdesk.agent.notices.sender import Sender
from frontdesk.agent.serving.assemble_service import assemble
from frontdesk.agent.serving.auth.api_keys import ANYBODY, load_keys
from frontdesk.agent.serving.serve_options import ServeOptions
from frontdesk.agent.serving.sessions import notice_sending
from frontdesk.agent.serving.sessions.notice_sending import NoticeSending
from frontdesk.kg.sources.import_json import dump_json

from ...templates import TEMPLATES
from ..acting.offices import organisation
from ..notices.servers import SENDER, mail_server
from .calls import call
from .conftest import LOBBY, PHONE, running
from .test_audit import OPERATOR, say
from .test_reload import change, with_room
from .test_reload import say as ask
from .test_sessions import make


@pytest.fixture
def mail():
    with mail_server() as mail:
        yield mail


@pytest.fixture
def service(tmp_path, encoder):
    """A service with an operator."""
    path = tmp_path / "operator.toml"
    path.write_text(f'[lobby]\nkey = "{LOBBY}"\nvouches = true\n[phone]\nkey = "{PHONE}"\n'
                    f'[operator]\nkey = "{OPERATOR}"\noperator = true\n')
    calendar = SqliteCalendar(tmp_path / "c.sqlite", organisation())
    with running(tmp_path, encoder, keys=load_keys(path), calendar=calendar) as service:
        yield service


def sending(service, mail) -> NoticeSending:
    channel = MailChannel("127.0.0.1", mail.port, SENDER, "none", timeout_s=2.0)
    return NoticeSending(service.conversations.current, Sender(
        [channel], give_up_after=dt.timedelta(days=1), lease_s=5.0))


def notices(service, query: str = "", key: str = OPERATOR) -> tuple[int, dict]:
    return call(f"{service.url}/notices{query}", key=key)[:2]


def test_what_is_booked_is_mailed_while_the_service_runs(service, mail):
    session = make(service, speaker="ines@example.org")
    say(session, "Book a meeting called glue with Bo Haraldsen tomorrow at ten", "yes",
        "Tell Bo Haraldsen that the zebra escaped", "yes")
    status, told = notices(service)
    assert status == 200
    assert [(each["person"], each["kind"]) for each in told["waiting"]] == [
        ("bo", "invited"), ("bo", "message")]
    assert not any(each in json.dumps(told) for each in ("glue", "zebra", "Haraldsen"))
    assert notices(service, "?limit=1")[1]["waiting"] == told["waiting"][:1]
    thread = sending(service, mail)
    thread.start()
    deadline = time.monotonic() + 20
    while len(mail.letters) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    thread.close()
    assert [str(each["Subject"]) for each in mail.letters] == [
        "Invitation: glue", "A message from Ines Okafor"]
    told = notices(service)[1]
    assert told["waiting"] == []
    assert [each["kind"] for each in told["ended"]] == ["message", "invited"], "the latest first"
    assert {each["deliveries"]["mail"]["state"] for each in told["ended"]} == {"sent"}


def test_notices_are_for_operators(service):
    assert notices(service, key=LOBBY)[0] == 403
    assert notices(service, key="wrong-0123456789abcdef")[0] == 401
    assert notices(service, "?limit=0")[0] == 422


def test_of_several_senders_one_sends(service, mail):
    session = make(service, speaker="ines@example.org")
    for number in range(5):
        say(session, f"Tell Bo Haraldsen that zebra {number} escaped", "yes")
    threads = [sending(service, mail) for _ in range(3)]
    for each in threads:
        each.start()
    deadline = time.monotonic() + 20
    while service.calendar.outbox().waiting() and time.monotonic() < deadline:
        time.sleep(0.05)
    for each in threads:
        each.close()
    assert max(mail.times().values()) == 1
    assert len(mail.letters) == 5


def test_who_wants_a_person_is_announced_with_the_id_of_the_session(service):
    agent = service.conversations.current.agent
    agent.components = replace(agent.components, settings=replace(
        agent.settings, notices=replace(agent.settings.notices, desk=("desk@example.org",))))
    session = make(service)
    say(session, "I am here to see Bo Haraldsen", "Can I talk to a person?")
    waiting = service.calendar.outbox().waiting()
    assert [(each.notice.person, each.notice.dialogue) for each in waiting] == [
        ("bo", ""), ("desk@example.org", session.rpartition("/")[2])]


def test_a_chat_that_is_not_kept_announces_nobody(service):
    status, reply, _ = call(f"{service.url}/v1/chat/completions", {
        "messages": [{"role": "user", "content": "I am here to see Bo Haraldsen"}]})
    assert status == 200, reply
    assert service.calendar.outbox().waiting() == ()


@pytest.mark.parametrize("name", ["", "c.sqlite"])
def test_a_host_is_mailed_once_also_when_the_organisation_is_read_again(tmp_path, mail, name):
    (tmp_path / "org.json").write_text(dump_json(organisation()))
    options = ServeOptions(sources={"org": str(tmp_path / "org.json"), "now": "2026-03-02T09:30"},
                           calendar=str(tmp_path / name) if name else "",
                           database=f"sqlite:///{tmp_path / 's.sqlite'}")
    served = assemble(options, replace(
        TEMPLATES, serve=replace(TEMPLATES.serve, database=options.database, reload_s=0.0),
        notices=replace(TEMPLATES.notices, smtp=f"127.0.0.1:{mail.port}", smtp_tls="none",
                        sender=SENDER, timeout_s=2.0)))
    try:
        served.keep_in_order()
        session = served.conversations.open(ANYBODY)
        told = "I am letting Bo Haraldsen know."
        assert ask(served, session, "I am here to see Bo Haraldsen").endswith(told)
        _wait_for(mail, 1)
        assert change(served, tmp_path / "org.json", with_room("Sycamore"))
        again = ask(served, session, "I have come to see Bo Haraldsen")
        assert again.endswith("I have already let Bo Haraldsen know.")
        session = served.conversations.open(ANYBODY)
        assert ask(served, session, "I have come to see Bo Haraldsen").endswith(told)
        _wait_for(mail, 2)
        time.sleep(1.5)
    finally:
        served.close()
    assert len(mail.letters) == 2
    assert mail.recipients == [["bo@example.org"]] * 2


def test_a_server_that_hangs_does_not_keep_the_service_from_ending(service, monkeypatch):
    monkeypatch.setattr(notice_sending, "_PATIENCE_S", 0.1)
    monkeypatch.setattr(notice_sending, "_LOOK_S", 0.0)
    sends, ends = threading.Event(), threading.Event()

    class Hanging:
        def send_due(self, *_):
            sends.set()
            ends.wait(30)

    sending = NoticeSending(service.conversations.current, Hanging())
    sending.start()
    assert sends.wait(10)
    begun = time.monotonic()
    sending.close()
    assert time.monotonic() - begun < 5
    ends.set()


def _wait_for(mail, letters: int) -> None:
    deadline = time.monotonic() + 20
    while len(mail.letters) < letters:
        assert time.monotonic() < deadline
        time.sleep(0.05)
