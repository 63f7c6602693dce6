"""Letters by mail: SMTP, with an iCalendar part where they are about an event."""

from __future__ import annotations

import contextlib
import re
import smtplib
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from typing import ClassVar

from frontdesk.agent.notices.channel import DeliveryError
from frontdesk.agent.notices.invitation import invitation
from frontdesk.agent.notices.letter import Letter
from frontdesk.kg.english.words import clean

#: Characters of a name or a subject in a header, at most.
_LONGEST_IN_HEADER = 200
#: Of a person, in what a server replies.
_ADDRESS = re.compile(r"[^\s<>()]+@[^\s<>()]+")
#: Replies of a server by which it refuses one letter, and not all.
_OF_ONE = (smtplib.SMTPRecipientsRefused, smtplib.SMTPDataError)


@dataclass(frozen=True)
class MailChannel:
    """An SMTP server.

    Args:
        sender: The address from which letters come.
        tls: ``starttls``, ``tls`` or ``none``.
        user: Its name there; empty where none is needed.
        timeout_s: Seconds that the server may be silent.
        context: Checks its certificate.
    """

    name: ClassVar[str] = "mail"
    host: str
    port: int
    sender: str
    tls: str = "starttls"
    user: str = ""
    password: str = field(default="", repr=False)
    timeout_s: float = 10.0
    context: ssl.SSLContext = field(default_factory=ssl.create_default_context, repr=False)

    def reaches(self, address: str | None) -> bool:
        """Whoever has an address."""
        return address is not None

    def send(self, letter: Letter) -> None:
        """Send a letter; its Message-ID is made of its key.

        Raises:
            DeliveryError: It was not taken, or the person has no address.
        """
        if letter.address is None:
            raise DeliveryError("no e-mail address is known of the person", "no address")
        message = self.compose(letter, letter.address)
        with self._connected() as server:
            server.send_message(message, self.sender, [letter.address])

    def check(self) -> None:
        """Whether the server lets us in.

        Raises:
            DeliveryError: It does not.
        """
        with self._connected() as server:
            server.noop()

    def compose(self, letter: Letter, address: str) -> EmailMessage:
        """A letter as a mail.

        Args:
            address: To which it goes.
        """
        message = EmailMessage(SMTP)
        message["From"] = _address(f"{letter.kb.name} reception", self.sender)
        message["To"] = _address(letter.name, address)
        reply_to = letter.address_of(letter.queued.notice.sender or "")
        if reply_to is not None:
            message["Reply-To"] = _address(letter.sender, reply_to)
        message["Subject"] = _in_header(letter.subject)
        message["Date"] = format_datetime(letter.queued.at)
        message["Message-ID"] = f"<{letter.queued.key}@{self.sender.rpartition('@')[2]}>"
        message["Auto-Submitted"] = "auto-generated"  # RFC 3834: no holiday replies
        message.set_content(letter.text)
        calendar = invitation(letter, self.sender)
        if calendar is not None:
            method, text = calendar
            message.add_alternative(text, subtype="calendar", params={"method": method})
        return message

    @contextmanager
    def _connected(self) -> Iterator[smtplib.SMTP]:
        server: smtplib.SMTP | None = None
        try:
            if self.tls == "tls":
                server = smtplib.SMTP_SSL(self.host, self.port, timeout=self.timeout_s,
                                          context=self.context)
            else:
                server = smtplib.SMTP(self.host, self.port, timeout=self.timeout_s)
            if self.tls == "starttls":
                server.starttls(context=self.context)
            if self.user:
                server.login(self.user, self.password)
            yield server
        except (OSError, smtplib.SMTPException, UnicodeError) as error:  # the latter: odd addresses
            raise _delivery_error(error) from error
        finally:
            if server is not None:  # what was taken is taken, however the connection ends
                with contextlib.suppress(OSError, smtplib.SMTPException):
                    server.quit()
                server.close()


def _address(name: str, address: str) -> Address:
    return Address(_in_header(name), addr_spec=address)


def _in_header(text: str) -> str:
    """A text as it can stand in a header: the library decodes encoded words (RFC 2047) in what it
    is given, line breaks among them, and would write these as they are."""
    return clean(text)[:_LONGEST_IN_HEADER].replace("=?", "= ?")


def _delivery_error(error: Exception) -> DeliveryError:
    """What went wrong with a server, as one of ours."""
    words, code = clean(str(error)), type(error).__name__
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        number, reply = next(iter(error.recipients.values()))
        words, code = f"{number} {clean(reply.decode('utf-8', 'replace'))}", str(number)
    elif isinstance(error, smtplib.SMTPResponseException):
        said = error.smtp_error
        told = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
        words, code = f"{error.smtp_code} {clean(told)}", str(error.smtp_code)
    of_one = isinstance(error, (*_OF_ONE, smtplib.SMTPNotSupportedError, UnicodeError))
    words = _ADDRESS.sub("[address]", words)
    return DeliveryError(f"the mail server did not take it ({words})", code, is_down=not of_one)
