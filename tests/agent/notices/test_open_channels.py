"""The channels that the settings name, and what is wrong in them."""

from __future__ import annotations

import pytest

from frontdesk.agent.notices.mail_channel import MailChannel
from frontdesk.agent.notices.open_channels import open_channels, reaches
from frontdesk.agent.notices.webhook_channel import WebhookChannel
from frontdesk.agent.settings.settings import NoticeSettings
from frontdesk.kg.graph.errors import InputError

FROM = "desk@example.org"
ENVIRONMENT = {"FRONTDESK_SMTP_PASSWORD": "secret", "FRONTDESK_WEBHOOK_SECRET": "x" * 32,
               "SHORT": "x", "ODD": "whsec_" + "ä" * 20}


def opened(**settings):
    return open_channels(NoticeSettings(**settings), ENVIRONMENT)


def test_nothing_is_sent_where_no_server_is_named():
    assert opened() == ()
    assert not reaches((), FROM)


@pytest.mark.parametrize(("settings", "port"), [
    ({}, 587), ({"smtp_tls": "tls"}, 465), ({"smtp": "localhost", "smtp_tls": "none"}, 25),
    ({"smtp": "[::1]:99"}, 99), ({"smtp": "mail.example.org:2525"}, 2525)])
def test_mail_has_the_port_of_its_encryption_where_none_is_named(settings, port):
    (found,) = opened(**{"smtp": "mail.example.org", "sender": FROM, **settings})
    assert isinstance(found, MailChannel)
    assert (found.port, found.password) == (port, "")
    assert reaches([found], FROM)
    assert not reaches([found], None)


def test_both_are_used_with_their_secrets_from_the_environment():
    mail, hook = opened(smtp="mail.example.org", sender=FROM, smtp_user="desk",
                        webhook="https://example.org/x")
    assert isinstance(mail, MailChannel)
    assert isinstance(hook, WebhookChannel)
    assert (mail.user, mail.password, hook.secret) == ("desk", "secret", "x" * 32)
    assert reaches([mail, hook], None)


@pytest.mark.parametrize(("settings", "what"), [
    ({"smtp": "smtp://mail.example.org", "sender": FROM}, "notices.smtp"),
    ({"smtp": "desk@mail.example.org", "sender": FROM}, "notices.smtp"),
    ({"smtp": "mail.example.org:x", "sender": FROM}, "notices.smtp"),
    ({"smtp": "mail.example.org"}, "notices.sender"),
    ({"smtp": "mail.example.org", "sender": "a@b.org\r\nBcc: x@y.org"}, "notices.sender"),
    ({"smtp": "mail.example.org", "sender": FROM, "smtp_tls": "none"}, "in the open"),
    ({"smtp": "mail.example.org", "sender": FROM, "smtp_user": "d", "smtp_password_env": "NO"},
     "variable NO"),
    ({"webhook": "http://example.org/x"}, "notices.webhook"),
    ({"webhook": "ftp://example.org/x"}, "notices.webhook"),
    ({"webhook": "https://example.org/x", "webhook_secret_env": "NO"}, "variable NO"),
    ({"webhook": "https://example.org/x", "webhook_secret_env": "SHORT"}, "SHORT has fewer"),
    ({"webhook": "https://example.org/x", "webhook_secret_env": "ODD"}, "Base64"),
    ({"desk": ("Ada",)}, "notices.desk"), ({"desk": ("guard@[",)}, "notices.desk")])
def test_what_is_wrong_is_told_before_anything_is_sent(settings, what):
    with pytest.raises(InputError, match=what):
        opened(**settings)
