"""The channels that the settings name."""

from __future__ import annotations

import base64
import binascii
import datetime as dt
import ipaddress
import os
from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import urlsplit

from frontdesk.agent.notices.channel import Channel
from frontdesk.agent.notices.letter import mail_address
from frontdesk.agent.notices.mail_channel import MailChannel
from frontdesk.agent.notices.sender import Sender
from frontdesk.agent.notices.webhook_channel import WebhookChannel
from frontdesk.agent.settings.settings import NoticeSettings
from frontdesk.kg.graph.errors import InputError

_PORTS = {"starttls": 587, "tls": 465, "none": 25}
#: What a server is waited for at most while a letter is sent: from the connection to its end.
_STEPS = 12
#: Characters of a secret, at least, as of a key.
_SHORTEST_SECRET = 16


def open_channels(settings: NoticeSettings, environment: Mapping[str, str] | None = None
                  ) -> tuple[Channel, ...]:
    """What notices are sent by; nothing where the settings name no server.

    Args:
        environment: Has the password and the secret; ``os.environ`` by default.

    Raises:
        InputError: A server, an address or a secret is missing or none.
    """
    environment = os.environ if environment is None else environment
    for each in settings.desk:
        if mail_address(each) is None:
            raise InputError(f"notices.desk has {each!r}", remedy="Give e-mail addresses")
    found: list[Channel] = []
    if settings.smtp:
        found.append(_mail(settings, environment))
    if settings.webhook:
        found.append(_webhook(settings, environment))
    return tuple(found)


def reaches(channels: Iterable[Channel], address: str | None) -> bool:
    """Whether somebody with an e-mail address, or None that is known, is reached by any channel."""
    return any(each.reaches(address) for each in channels)


def make_sender(channels: Sequence[Channel], settings: NoticeSettings) -> Sender:
    """What sends notices by channels."""
    return Sender(channels, give_up_after=dt.timedelta(days=settings.give_up_days),
                  lease_s=_STEPS * settings.timeout_s)


def _mail(settings: NoticeSettings, environment: Mapping[str, str]) -> MailChannel:
    parts = urlsplit(f"//{settings.smtp}")
    try:
        host, port = parts.hostname, parts.port or _PORTS[settings.smtp_tls]
    except ValueError:
        host, port = None, 0
    if not host or parts.netloc != settings.smtp or "@" in settings.smtp:
        raise InputError(f"notices.smtp is {settings.smtp!r}",
                         remedy='Write it as "mail.example.org" or "mail.example.org:587"')
    sender = mail_address(settings.sender)
    if sender is None or not sender.isascii():
        raise InputError(f"notices.sender is {settings.sender!r}",
                         remedy="Give the e-mail address from which notices come")
    if settings.smtp_tls == "none" and not _is_here(host):
        raise InputError("notices would be sent in the open, for notices.smtp_tls is \"none\"",
                         remedy='Set it to "starttls" or "tls"; "none" is for a server on '
                                'this machine')
    password = _secret(environment, settings.smtp_password_env, "the password of notices.smtp_user"
                       ) if settings.smtp_user else ""
    return MailChannel(host, port, sender, settings.smtp_tls, settings.smtp_user, password,
                       settings.timeout_s)


def _webhook(settings: NoticeSettings, environment: Mapping[str, str]) -> WebhookChannel:
    parts = urlsplit(settings.webhook)
    host = parts.hostname or ""
    if not host or parts.scheme not in ("http", "https") \
            or (parts.scheme == "http" and not _is_here(host)):
        raise InputError("notices.webhook is no address that begins with https://",
                         remedy="Write it as https://desk.example.org/notices; http:// is for this "
                                "machine alone")
    secret = _secret(environment, settings.webhook_secret_env, "the secret of notices.webhook")
    try:
        is_short = len(secret) < _SHORTEST_SECRET
        base64.b64decode(secret.removeprefix("whsec_") if secret.startswith("whsec_") else "")
    except (binascii.Error, ValueError):
        is_short = True
    if is_short:
        raise InputError(f"the secret in {settings.webhook_secret_env} has fewer than "
                         f"{_SHORTEST_SECRET} characters or is no Base64 after whsec_",
                         remedy="Use a random one: openssl rand -base64 32")
    return WebhookChannel(settings.webhook, secret, settings.timeout_s)


def _secret(environment: Mapping[str, str], variable: str, what: str) -> str:
    found = environment.get(variable, "")
    if not found:
        raise InputError(f"{what} is missing", remedy=f"Set the environment variable {variable}")
    return found


def _is_here(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
