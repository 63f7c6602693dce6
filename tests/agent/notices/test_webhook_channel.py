"""Letters to a webhook: signed, with one key however often they are sent."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from frontdesk.agent.notices.channel import DeliveryError
from frontdesk.agent.notices.webhook_channel import WebhookChannel, letter_data
from frontdesk.kg.graph.changes import Notice, NoticeKind

from .servers import SECRET, webhook
from .test_mail_channel import HOSTILE, REVIEW, letter

MESSAGE = Notice("bo", NoticeKind.MESSAGE, text="the zebra escaped", sender="ines")


@pytest.fixture
def hook():
    with webhook() as hook:
        yield hook


def test_a_letter_is_posted_signed_with_its_key(hook):
    now = time.time()
    channel = WebhookChannel(hook.url, SECRET, 2.0)
    queued = letter(Notice("bo", NoticeKind.CHANGED, REVIEW, ("start",), sender="ines"))
    channel.send(queued)
    channel.send(queued)
    assert hook.posted[0] == hook.posted[1] == letter_data(queued)
    first, again = hook.headers
    assert first["Idempotency-Key"] == again["Idempotency-Key"] == first["webhook-id"] \
        == hook.posted[0]["id"]
    assert abs(int(first["webhook-timestamp"]) - now) < 5
    assert {key: hook.posted[0][key] for key in ("kind", "fields", "sender", "person")} == {
        "kind": "changed", "fields": ["start"], "sender": {"id": "ines", "name": "Ines Okafor"},
        "person": {"id": "bo", "name": 'Bo "Bosse" Ågård; 名前, Jr',
                   "email": "bo@lanternworks.example"}}
    assert hook.posted[0]["event"]["start"] == "2026-03-17T10:00:00+01:00"


def test_a_letter_with_another_secret_is_not_taken(hook):
    with pytest.raises(DeliveryError) as error:
        WebhookChannel(hook.url, "another-secret-0123456789", 2.0).send(letter(MESSAGE))
    assert (error.value.code, error.value.is_down) == ("401", False)


@pytest.mark.parametrize(("status", "is_down"), [
    (301, False), (307, False), (400, False), (404, False), (410, False), (429, True),
    (500, True), (503, True)])
def test_any_other_answer_than_success_means_that_it_was_not_taken(hook, status, is_down):
    channel = WebhookChannel(hook.url, SECRET, 2.0)
    hook.status.append(status)
    with pytest.raises(DeliveryError) as error:
        channel.send(letter(MESSAGE))
    assert (error.value.code, error.value.is_down) == (str(status), is_down)
    channel.send(letter(MESSAGE))
    assert len(hook.posted) == 1


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_data(hook, text):
    WebhookChannel(hook.url, SECRET, 2.0).send(letter(replace(MESSAGE, text=text)))
    assert "\n" not in hook.posted[0]["text"]


def test_nobody_at_the_address_is_told():
    with pytest.raises(DeliveryError) as error:
        WebhookChannel("http://127.0.0.1:1/hooks/token", SECRET, 0.5).send(letter(MESSAGE))
    assert error.value.is_down
    assert "127.0.0.1" in error.value.message
    assert "token" not in error.value.message
    assert SECRET not in repr(WebhookChannel("http://127.0.0.1:1/", SECRET))
