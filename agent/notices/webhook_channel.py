"""Letters to another program: signed JSON, posted as Standard Webhooks have it.

https://www.standardwebhooks.com: ``webhook-id`` is the key of the notice, the same however often it
is sent; ``webhook-signature`` is ``v1,`` and the HMAC-SHA256, in Base64, of ``ID.TIMESTAMP.BODY``.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar
from urllib.parse import urlsplit

import requests

from frontdesk.agent.notices.channel import DeliveryError
from frontdesk.agent.notices.letter import Letter

#: Begins a secret that stands in Base64.
_BASE64 = "whsec_"


@dataclass(frozen=True)
class WebhookChannel:
    """A program at an address.

    Args:
        secret: By which it knows that letters are ours; in Base64 after ``whsec_``.
        timeout_s: Seconds that it may be silent.
        clock: Seconds since 1970.
    """

    name: ClassVar[str] = "webhook"
    url: str = field(repr=False)
    secret: str = field(repr=False)
    timeout_s: float = 10.0
    clock: Callable[[], float] = time.time

    def reaches(self, address: str | None) -> bool:
        """Everybody: the program knows people by their ids."""
        return True

    def send(self, letter: Letter) -> None:
        """Post a letter; any answer but 2xx, redirections too, means that it was not taken.

        Raises:
            DeliveryError: It was not taken.
        """
        body = json.dumps(letter_data(letter)).encode()
        key, timestamp = letter.queued.key, str(int(self.clock()))
        try:
            # Not read: what it says does not matter, and may have no end.
            with requests.post(self.url, body, timeout=self.timeout_s, allow_redirects=False,
                               stream=True, headers={
                    "Content-Type": "application/json", "Idempotency-Key": key,
                    "webhook-id": key, "webhook-timestamp": timestamp,
                    "webhook-signature": signature(self.secret, key, timestamp, body)}) as answer:
                status = answer.status_code
        except (requests.RequestException, OSError) as error:
            code = type(error).__name__  # its text has the whole address, with any token in it
            raise DeliveryError(f"the webhook at {urlsplit(self.url).hostname} cannot be reached "
                                f"({code})", code, is_down=True) from error
        if not 200 <= status < 300:
            raise DeliveryError(f"the webhook answered with status {status}", str(status),
                                is_down=status >= 500 or status == 429)

    def check(self) -> None:
        """Whether it takes letters is not known before one is sent."""


def signature(secret: str, key: str, timestamp: str, body: bytes) -> str:
    """The signature of a letter.

    Args:
        key: Of the notice.
        timestamp: When it is sent, seconds since 1970.

    Example:
        >>> signature("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek",
        ...           "1614265330", b'{"test": 2432232314}')
        'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
    """
    own = base64.b64decode(secret.removeprefix(_BASE64)) if secret.startswith(_BASE64) \
        else secret.encode()
    signed = hmac.new(own, f"{key}.{timestamp}.".encode() + body, hashlib.sha256)
    return f"v1,{base64.b64encode(signed.digest()).decode()}"


def letter_data(letter: Letter) -> dict[str, Any]:
    """A letter as data for JSON."""
    queued, notice = letter.queued, letter.queued.notice
    event = notice.event
    return {
        "id": queued.key, "kind": str(notice.kind), "at": queued.at.isoformat(),
        "person": {"id": notice.person, "name": letter.name, "email": letter.address},
        "sender": {"id": notice.sender, "name": letter.name_of(notice.sender)}
        if notice.sender else None,
        "subject": letter.subject, "text": letter.text, "fields": list(notice.fields),
        "dialogue": notice.dialogue or None,
        "event": None if event is None else {
            "id": event.id, "revision": queued.revision, "name": event.name,
            "start": event.start.isoformat(), "end": event.end.isoformat(),
            "all_day": event.all_day, "private": event.private, "organizer": event.organizer,
            "attendees": list(event.attendees), "location": letter.place(event) or None}}
