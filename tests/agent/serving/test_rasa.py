"""Rasa's REST channel."""

from __future__ import annotations

import json
import time

import pytest

from frontdesk.agent.serving.auth.api_keys import Caller

from ..acting.offices import WHERE_THE_WORKSHOP_IS
from .calls import call
from .conftest import LOBBY, PHONE


def say(service, message, sender="visitor", *, key=LOBBY, **metadata):
    status, data, _ = call(f"{service.url}/webhooks/rest/webhook", {
        "sender": sender, "message": message, "metadata": metadata}, key=key)
    assert status == 200, data
    return [(each["recipient_id"], each["text"]) for each in data]


def test_rasa_answers_a_message_with_a_list_of_messages(service):
    assert say(service, "Where is the lens workshop?", "ada") == [
        ("ada", WHERE_THE_WORKSHOP_IS)]


def test_rasa_holds_a_dialogue_with_every_sender(service):
    speaker = {"speaker": "ines@example.org"}
    say(service, "Book a meeting called glue tomorrow at ten", "ines", **speaker)
    say(service, "Where is the lens workshop?", "other")
    ((_, reply),) = say(service, "yes", "ines", **speaker)
    assert reply.startswith("I have booked “glue”")
    events = {each.name for each in service.calendar.state().kb.events.values()}
    assert "glue" in events


def test_rasa_senders_of_other_keys_are_others(service):
    say(service, "Book a meeting called glue tomorrow at ten", "ines",
        speaker="ines@example.org")
    ((_, reply),) = say(service, "yes", "ines", key=PHONE)
    assert "booked" not in reply
    assert "glue" not in {each.name for each in service.calendar.state().kb.events.values()}


def test_rasa_answers_a_message_once(service):
    first = say(service, "Book a meeting called glue tomorrow at ten", "ines", message_id="m1",
                speaker="ines@example.org")
    assert say(service, "Book a meeting called glue tomorrow at ten", "ines", message_id="m1",
               speaker="ines@example.org") == first
    for _ in range(2):
        ((_, reply),) = say(service, "yes", "ines", message_id="m2", speaker="ines@example.org")
        assert reply.startswith("I have booked “glue”")
    assert len(service.calendar.trail()) == 1


def test_rasa_message_without_an_id_is_answered_each_time(service):
    for _ in range(3):
        assert say(service, "Where is the lens workshop?", "ada", message_id="") == [
            ("ada", WHERE_THE_WORKSHOP_IS)]


def test_rasa_message_with_a_long_id_is_refused_before_it_is_answered(service):
    status, problem, _ = call(f"{service.url}/webhooks/rest/webhook", {
        "sender": "ada", "message": "hello", "metadata": {"message_id": "m" * 129}})
    assert (status, "129 characters" in problem["error"]["message"]) == (422, True)


def test_rasa_another_speaker_of_the_same_sender_begins_anew(service):
    say(service, "Book a meeting called glue tomorrow at ten", "desk",
        speaker="ines@example.org")
    ((_, reply),) = say(service, "yes", "desk", speaker="tomas@example.org")
    assert "booked" not in reply
    assert not service.calendar.trail()


def test_rasa_sender_for_whom_nobody_vouches_any_more_begins_anew(service):
    say(service, "Book a meeting called glue tomorrow at ten", "desk",
        speaker="ines@example.org")
    ((_, reply),) = say(service, "yes", "desk")
    assert "booked" not in reply
    assert "name" in say(service, "Book a meeting called glue tomorrow at ten", "desk")[0][1]
    assert not service.calendar.trail()


def test_rasa_sender_who_has_said_nothing_yet_is_whom_the_caller_vouches_for_now(service):
    lobby, open_ = Caller("lobby", vouches=True), service.conversations.open
    open_(lobby, "rasa:desk", speaker="ines@example.org")
    assert open_(lobby, "rasa:desk", speaker="tomas@example.org").speaker == "tomas"
    assert open_(lobby, "rasa:desk").speaker is None


def test_rasa_takes_the_key_as_a_token_and_tells_its_health_without(service):
    status, data, _ = call(f"{service.url}/webhooks/rest/webhook?token={LOBBY}",
                           {"sender": "a", "message": "hello"}, key=None)
    assert (status, len(data)) == (200, 1)
    assert call(f"{service.url}/webhooks/rest/", key=None)[:2] == (200, {"status": "ok"})


def test_rasa_speaker_whom_the_key_does_not_vouch_for_is_refused(service):
    status, data, _ = call(f"{service.url}/webhooks/rest/webhook", {
        "sender": "a", "message": "hello", "metadata": {"speaker": "ines@example.org"}},
        key=PHONE)
    assert status == 422
    assert "may not say who speaks" in data["error"]["message"]


def test_rasa_payload_that_opens_a_widget_is_greeted(service):
    for payload, words in (("/get_started", "Hello"), ("/greet", "Hello"), ("/greet@1.0", "Hello"),
                           ('/greet{"name": "Ada"}', "Hello, I am Ada")):
        ((_, reply),) = say(service, payload, payload)
        assert reply == say(service, words, f"{payload} in words")[0][1]


@pytest.mark.parametrize("payload", [
    '/greet{"name": "Ines Okafor"}', '/inform{"name": "Ines Okafor"}',
    '/greet {"name":"Ines Okafor","mood":"fine"}'])
def test_rasa_slot_of_the_name_says_who_speaks(service, payload):
    say(service, payload)
    ((_, reply),) = say(service, "Book a meeting called glue tomorrow at ten")
    assert reply.startswith("Shall I book “glue”")


@pytest.mark.parametrize("payload", [
    '/greet{"mood": "fine"}', '/greet{"name": null}', '/greet{"a"}', '/greet{"name": true}',
    '/greet{"name"', '/greet{}', '/greet{"name": " "}', '/greet{"name": [""]}'])
def test_rasa_slots_that_are_not_known_or_not_read_are_left_out(service, payload):
    ((_, reply),) = say(service, payload)
    assert reply == say(service, "Hello", "in words")[0][1]


@pytest.mark.parametrize(("slot", "value", "told"), [
    ("time", "2026-03-05T15:00:00.000+01:00", "on Thursday 5 March from 15:00 to 16:00"),
    ("time", "2026-03-05T15:00:00Z", "on Thursday 5 March from 16:00 to 17:00"),
    ("date", "2026-03-06T00:00:00.000+01:00", "on Friday 6 March from 10:00 to 11:00"),
    ("date", "2026-03-06T00:00:00.000-08:00", "on Friday 6 March from 10:00 to 11:00"),
    ("time", "five o'clock", "from 17:00 to 18:00"),
    ("person", "Bo Haraldsen", "with Bo Haraldsen"),
    ("person", ["Bo Haraldsen", "Jonas Thorne"], "with Bo Haraldsen and Jonas Thorne"),
    ("room", "Rowan", "in Rowan"), ("title", "tape", "“tape”")])
def test_rasa_slots_are_what_is_wanted_of_a_meeting(service, slot, value, told):
    speaker = {"speaker": "ines@example.org"}
    say(service, "Book a meeting called glue on Thursday at ten", **speaker)
    ((_, reply),) = say(service, f"/inform{json.dumps({slot: value})}", **speaker)
    assert told in reply
    assert not service.calendar.trail()


def test_rasa_name_answers_what_was_asked_and_says_who_speaks_where_nothing_was(service):
    speaker = {"speaker": "ines@example.org"}
    say(service, "Book a meeting tomorrow at ten", **speaker)
    for _ in range(2):
        ((_, reply),) = say(service, '/inform{"name": "glue"}', message_id="m1", **speaker)
        assert "“glue”" in reply
    say(service, "Book a meeting called tape tomorrow at ten", "nobody")
    ((_, reply),) = say(service, '/inform{"name": "Ines Okafor"}', "nobody")
    assert "Shall I book “tape”" in reply


def test_rasa_name_is_whom_it_was_asked_for(service):
    speaker = {"speaker": "ines@example.org"}
    ((_, asked),) = say(service, "Book a meeting with Zorro tomorrow at ten", **speaker)
    assert "Zorro" in asked
    say(service, '/inform{"name": "Bo Haraldsen"}', **speaker)
    ((_, reply),) = say(service, '/inform{"name": "glue"}', **speaker)
    assert "“glue” tomorrow from 10:00 to 11:00 with Bo Haraldsen" in reply


def test_rasa_yes_with_a_slot_confirms_nothing_that_was_not_shown(service):
    speaker = {"speaker": "ines@example.org"}
    say(service, "Book a meeting called glue tomorrow at ten", **speaker)
    say(service, '/affirm{"title": "tape"}', **speaker)
    assert not service.calendar.trail()


def test_rasa_message_that_is_none_is_answered_with_nothing(service):
    for data in ({"sender": "ada"}, {"sender": "ada", "message": None}, {}):
        assert call(f"{service.url}/webhooks/rest/webhook", data)[:2] == (200, [])
    assert service.conversations.store.find_named("lobby", "rasa:ada") is None


def test_rasa_buttons_answer_what_was_asked(service):
    speaker = {"speaker": "ines@example.org"}
    say(service, "Book a meeting called glue tomorrow at ten", "no", **speaker)
    ((_, reply),) = say(service, "/deny", "no", **speaker)
    assert not service.calendar.trail()
    say(service, "Book a meeting tomorrow at ten", "yes", **speaker)
    say(service, '/inform{"title": "glue"}', "yes", **speaker)
    ((_, reply),) = say(service, "/affirm", "yes", **speaker)
    assert reply.startswith("I have booked “glue”")


def test_rasa_restart_forgets_the_dialogue_and_says_nothing(service):
    speaker = {"speaker": "ines@example.org"}
    for anew in ("/restart", "/session_start"):
        say(service, "Book a meeting called glue tomorrow at ten", "ines", **speaker)
        assert say(service, anew, "ines", **speaker) == []
        say(service, "yes", "ines", **speaker)
    assert not service.calendar.trail()


def test_rasa_intent_of_another_assistant_is_told_to_be_unknown(service):
    ((_, reply),) = say(service, '/order_pizza{"size": "large"}')
    assert "/order_pizza" in reply
    for message in ("/inform{}", '/inform{"a": [[1]]}', '/inform{"a"}',
                    "/inform" + '{"a":' * 700 + "}", '/order_pizza{"name": "Ada"}'):
        ((_, reply),) = say(service, message)
        assert "what /" in reply


def test_rasa_message_of_many_spaces_is_read_at_once(service):
    begun = time.monotonic()
    status, _, _ = call(f"{service.url}/webhooks/rest/webhook", {
        "sender": "x", "message": "/a" + " " * 100_000 + "x"}, key=LOBBY)
    assert status == 422
    assert time.monotonic() - begun < 2


def test_rasa_widget_that_opens_takes_no_session(service):
    for number in range(3):
        assert say(service, "/session_start", f"new {number}") == []
    assert service.conversations.store.find_named("lobby", "rasa:new 0") is None
