"""Letters by mail, to a real SMTP server: what is in them, and that data stays data."""

from __future__ import annotations

import datetime as dt
import ssl
from dataclasses import replace

import pytest
from aiosmtpd.smtp import AuthResult
from icalendar import Calendar as ICalendar

from frontdesk.agent.calendars.outbox import QueuedNotice
from frontdesk.agent.notices.channel import DeliveryError
from frontdesk.agent.notices.letter import Letter, mail_address
from frontdesk.agent.notices.mail_channel import MailChannel
from frontdesk.kg.graph.changes import Notice, NoticeKind
from frontdesk.kg.graph.entities import Event, Person, Room
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.sources.icalendar_component import id_of_uid

from ..calendars.organisation import NOW, OSLO, at, event, organisation
from .servers import SENDER, mail_server

REVIEW = event("review", 10, 11, name="budget review", location="birch", organizer="ines",
               attendees=("ines", "bo", "kim-1"))


@pytest.fixture
def mail():
    with mail_server() as mail:
        yield mail


def letter(notice: Notice, kb: KnowledgeBase | None = None, number: int = 1) -> Letter:
    return Letter(QueuedNotice(number, "t1", 7, NOW, notice), kb or organisation())


def channel_to(mail, **more) -> MailChannel:
    return MailChannel("127.0.0.1", mail.port, SENDER, **{"tls": "none", "timeout_s": 2.0, **more})


def calendar_part(message):
    (part,) = [each for each in message.walk() if each.get_content_type() == "text/calendar"]
    (found,) = ICalendar.from_ical(part.get_content()).walk("VEVENT")
    return part.get_param("method"), found


def text_of(message) -> str:
    return message.get_body(("plain",)).get_content().replace("\r\n", "\n")


@pytest.mark.parametrize(("kind", "method", "status", "subject", "attendees"), [
    (NoticeKind.INVITED, "REQUEST", "CONFIRMED", "Invitation: budget review", 2),
    (NoticeKind.CHANGED, "REQUEST", "CONFIRMED", "Changed: budget review", 2),
    (NoticeKind.CANCELLED, "CANCEL", "CANCELLED", "Cancelled: budget review", 2),
    (NoticeKind.REMOVED, "CANCEL", None, "You are no longer expected: budget review", 1)])
def test_letters_about_events_have_what_calendars_read(mail, kind, method, status, subject,
                                                       attendees):
    fields = ("start", "end", "location") if kind is NoticeKind.CHANGED else ()
    channel_to(mail).send(letter(Notice("bo", kind, REVIEW, fields, sender="ines")))
    (message,) = mail.letters
    assert message["Subject"] == subject
    assert (message["From"].addresses[0].addr_spec, message["Reply-To"].addresses[0].addr_spec) \
        == (SENDER, "ines@lanternworks.example")
    found, vevent = calendar_part(message)
    assert found == method
    assert vevent.get("STATUS") == status
    assert (vevent["UID"], vevent["SEQUENCE"]) == ("review@event.frontdesk", 7)
    assert (vevent["DTSTART"].dt, vevent["DTEND"].dt) == (at(10), at(11))
    assert vevent["ORGANIZER"] == "mailto:ines@lanternworks.example"
    assert vevent["LOCATION"] == "Birch"
    listed = vevent["ATTENDEE"]
    listed = listed if isinstance(listed, list) else [listed]
    assert "mailto:bo@lanternworks.example" in listed
    assert len(listed) == attendees, "who has no address cannot be named"
    assert "budget review" in text_of(message)


def test_a_letter_says_when_where_and_who(mail):
    channel_to(mail).send(letter(Notice("bo", NoticeKind.CHANGED, REVIEW, ("start", "end"),
                                        sender="ines")))
    assert text_of(mail.letters[0]) == """\
Ines Okafor has changed the time of “budget review”.

When: Tuesday 17 March 2026, 10:00 to 11:00 (Europe/Oslo)
Where: Birch
Who: Ines Okafor, Bo "Bosse" Ågård; 名前, Jr and Kim Berg
"""


def test_whole_days_are_days_and_private_events_are_private(mail):
    fair = event("fair", at(0, 28), at(0, 30), all_day=True, private=True, attendees=("bo",))
    channel_to(mail).send(letter(Notice("bo", NoticeKind.INVITED, fair)))
    _, vevent = calendar_part(mail.letters[0])
    assert (vevent["DTSTART"].dt, vevent["DTEND"].dt) == (dt.date(2026, 3, 28),
                                                          dt.date(2026, 3, 30))
    assert vevent["CLASS"] == "PRIVATE"
    assert vevent["ORGANIZER"] == f"mailto:{SENDER}"
    assert "Saturday 28 March 2026 to Sunday 29 March 2026" in text_of(mail.letters[0])


def test_what_is_passed_on_has_no_event(mail):
    channel_to(mail).send(letter(Notice("bo", NoticeKind.HANDOVER, text="A visitor wants you.",
                                        dialogue="d1")))
    (message,) = mail.letters
    assert not message.is_multipart()
    assert text_of(message) == "A visitor wants you.\nDialogue: d1\n"
    assert message["Auto-Submitted"] == "auto-generated"


def test_a_letter_that_is_sent_again_has_the_same_id_and_another_one_another(mail):
    channel = channel_to(mail)
    for number in (1, 1, 2):
        channel.send(letter(Notice("bo", NoticeKind.MESSAGE, text="x"), number=number))
    first, again, other = [str(each["Message-ID"]) for each in mail.letters]
    assert first == again != other


HOSTILE = ("x\r\nBcc: eve@evil.example\r\n\r\n<script>alert(1)</script>", "a\nSubject: b",
           "\x00\x1b[2J\u2028\u202e", "\ud800 lone", "\r\n.\r\nMAIL FROM:<eve@evil.example>",
           '"quoted", <eve@evil.example>', "x" * 5000, "END:VEVENT\r\nEND:VCALENDAR",
           "=?utf-8?q?=0ABcc:_eve=40evil.example?=", ";CN=\"x\":mailto:eve@evil.example")


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("kind", [NoticeKind.INVITED, NoticeKind.MESSAGE])
def test_hostile_text_is_data_in_headers_bodies_and_calendars(mail, text, kind):
    about = Event(f"e{text}", text, at(10), at(11), "r", "eve", ("eve", "bo"))
    kb = KnowledgeBase(name=text, timezone=OSLO, rooms=[Room("r", text)], people=[
        Person("eve", text, "eve@lanternworks.example"),
        Person("bo", text, "bo@lanternworks.example")])
    notice = Notice("bo", kind, about if kind is NoticeKind.INVITED else None, text=text,
                    sender="eve", dialogue=text)
    channel_to(mail).send(letter(notice, kb))
    (message,) = mail.letters
    assert mail.recipients == [["bo@lanternworks.example"]]
    assert sorted(set(message.keys()) - {"Content-Transfer-Encoding"}) == [
        "Auto-Submitted", "Content-Type", "Date", "From", "MIME-Version", "Message-ID", "Reply-To",
        "Subject", "To"]
    assert [each.addr_spec for each in message["To"].addresses] == ["bo@lanternworks.example"]
    assert [each.addr_spec for each in message["From"].addresses] == [SENDER]
    assert {each.get_content_type() for each in message.walk()} <= {
        "multipart/alternative", "text/plain", "text/calendar"}
    if kind is NoticeKind.INVITED:
        _, vevent = calendar_part(message)
        assert sorted(vevent["ATTENDEE"]) == ["mailto:bo@lanternworks.example",
                                              "mailto:eve@lanternworks.example"]
        assert vevent["ORGANIZER"] == "mailto:eve@lanternworks.example"
    assert all(len(line) < 999 for line in message.as_bytes().split(b"\n"))


def test_a_letter_about_an_event_of_another_program_is_plain_text(mail):
    theirs = replace(REVIEW, id=id_of_uid("0400@outlook.example", ""))
    channel_to(mail).send(letter(Notice("bo", NoticeKind.CANCELLED, theirs, sender="ines")))
    (message,) = mail.letters
    assert message.get_content_type() == "text/plain"
    assert "budget review" in message.get_content()


@pytest.mark.parametrize("address", [
    "", "bo", "bo@", "@example.org", "bo@example.org\r\nBcc: eve@evil.example",
    "bo@example.org, eve@evil.example", "Bo <bo@example.org>", "bo@example.org>", "a b@example.org",
    "bo@example.org\x00", "bo@exam ple.org", "bo@[", "é\x7f@[=0d=0a@example.org"])
def test_what_is_no_address_is_not_written_to(mail, address):
    assert mail_address(address) is None
    kb = KnowledgeBase(name="F", timezone=OSLO, people=[Person("bo", "Bo", address)])
    with pytest.raises(DeliveryError) as error:
        channel_to(mail).send(letter(Notice("bo", NoticeKind.MESSAGE, text="x"), kb))
    assert (error.value.code, error.value.is_down) == ("no address", False)
    assert mail.letters == []


def test_an_address_outside_the_organisation_is_written_to(mail):
    channel_to(mail).send(letter(Notice("desk@example.org", NoticeKind.ALARM, text="x")))
    assert mail.recipients == [["desk@example.org"]]


def test_what_a_server_refuses_of_one_is_told_from_what_it_refuses_of_all(mail):
    channel, notice = channel_to(mail), Notice("bo", NoticeKind.MESSAGE, text="x")
    mail.refused = {"bo@lanternworks.example"}
    with pytest.raises(DeliveryError, match=r"550 5\.1\.1") as error:
        channel.send(letter(notice))
    assert (error.value.code, error.value.is_down) == ("550", False)
    assert "bo@" not in error.value.message, "operators read it"
    gone = replace(channel, port=1)
    with pytest.raises(DeliveryError) as error:
        gone.send(letter(notice))
    assert error.value.is_down
    channel.check()
    with pytest.raises(DeliveryError):
        gone.check()


def test_a_server_that_hangs_is_left_after_the_time_that_is_set():
    import socket
    import time

    with socket.create_server(("127.0.0.1", 0)) as silent:
        channel = MailChannel("127.0.0.1", silent.getsockname()[1], SENDER, "none", timeout_s=0.2)
        begun = time.monotonic()
        with pytest.raises(DeliveryError) as error:
            channel.send(letter(Notice("bo", NoticeKind.MESSAGE, text="x")))
        assert error.value.is_down
        assert time.monotonic() - begun < 2


def test_nothing_is_sent_in_the_open_where_encryption_is_wanted(mail):
    with pytest.raises(DeliveryError) as error:
        channel_to(mail, tls="starttls").send(letter(Notice("bo", NoticeKind.MESSAGE, text="x")))
    assert error.value.is_down or error.value.code == "SMTPNotSupportedError"
    with pytest.raises(DeliveryError):
        channel_to(mail, tls="tls").check()
    assert mail.letters == []


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """Of 127.0.0.1, with its key; signed by itself."""
    x509 = pytest.importorskip("cryptography.x509")
    import ipaddress

    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = dt.datetime.now(dt.UTC)
    made = (x509.CertificateBuilder().subject_name(name).issuer_name(name)
            .public_key(key.public_key()).serial_number(1).not_valid_before(now)
            .not_valid_after(now + dt.timedelta(days=1))
            .add_extension(x509.SubjectAlternativeName([
                x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
            .sign(key, hashes.SHA256()))
    path = tmp_path_factory.mktemp("certificate") / "both.pem"
    path.write_bytes(made.public_bytes(serialization.Encoding.PEM) + key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption()))
    return path


@pytest.mark.parametrize("tls", ["starttls", "tls"])
def test_letters_and_passwords_go_through_encrypted_connections(certificate, tls):
    of_server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    of_server.load_cert_chain(certificate)

    def login(server, session, envelope, mechanism, data):
        return AuthResult(success=(data.login, data.password) == (b"desk", b"secret"))

    options = {"ssl_context" if tls == "tls" else "tls_context": of_server}
    with mail_server(authenticator=login, auth_required=True,
                     auth_require_tls=tls == "starttls", **options) as mail:
        trusting = ssl.create_default_context(cafile=str(certificate))
        channel = channel_to(mail, tls=tls, user="desk", password="secret", context=trusting)
        channel.send(letter(Notice("bo", NoticeKind.MESSAGE, text="x")))
        assert len(mail.letters) == 1
        with pytest.raises(DeliveryError) as error:
            replace(channel, password="wrong").check()
        assert error.value.is_down
        assert "secret" not in repr(channel)
        with pytest.raises(DeliveryError):
            replace(channel, context=ssl.create_default_context()).check()
