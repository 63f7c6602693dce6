"""OpenAI's chat completions, by OpenAI's own client."""

from __future__ import annotations

import pytest

from .conftest import LOBBY

openai = pytest.importorskip("openai")


@pytest.fixture
def client(service):
    with openai.OpenAI(base_url=f"{service.url}/v1", api_key=LOBBY, max_retries=0) as client:
        yield client


def complete(client, *messages, **options):
    roles = ["user" if (len(messages) - number) % 2 else "assistant"
             for number in range(len(messages))]
    return client.chat.completions.create(model="frontdesk", messages=[
        {"role": role, "content": text} for role, text in zip(roles, messages, strict=True)],
        **options)


def test_openai_client_lists_the_model_and_gets_a_reply(client):
    assert [model.id for model in client.models.list()] == ["frontdesk"]
    done = complete(client, "Where is the lens workshop?")
    assert done.choices[0].message.content == "The lens workshop is in Rowan."
    assert done.choices[0].finish_reason == "stop"


def test_openai_client_gets_the_same_as_a_stream(client):
    chunks = list(complete(client, "Where is the lens workshop?", stream=True))
    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks) == \
        "The lens workshop is in Rowan."
    assert chunks[-1].choices[0].finish_reason == "stop"


def test_openai_dialogue_without_a_session_is_read_from_its_messages(client):
    done = complete(client, "Where is the lens workshop?", "The lens workshop is in Rowan.",
                    "And when does it start?")
    assert "14:00" in done.choices[0].message.content


def test_openai_user_has_a_dialogue_that_acts(client, service):
    extra = {"frontdesk": {"speaker": "ines@example.org"}}
    asked = complete(client, "Book a meeting called glue tomorrow at ten", user="ines",
                     extra_body=extra).choices[0].message.content
    assert asked.startswith("Shall I book")
    done = complete(client, "Book a meeting called glue tomorrow at ten", asked, "yes",
                    user="ines", extra_body=extra)
    assert done.choices[0].message.content.startswith("I have booked")
    assert done.model_extra["frontdesk"]["actions"]
    assert len(service.calendar.trail()) == 1


def test_openai_chat_that_begins_anew_knows_nothing_of_the_one_before(client, service):
    extra = {"frontdesk": {"speaker": "ines@example.org"}}
    complete(client, "Book a meeting called glue tomorrow at ten", user="ines", extra_body=extra)
    assert "booked" not in complete(client, "yes", user="ines",
                                    extra_body=extra).choices[0].message.content
    assert not service.calendar.trail()


def test_openai_first_message_that_is_refused_forgets_nothing(client, service):
    extra = {"frontdesk": {"speaker": "ines@example.org"}}
    asked = complete(client, "Book a meeting called glue tomorrow at ten", user="ines",
                     extra_body=extra).choices[0].message.content
    with pytest.raises(openai.UnprocessableEntityError, match="characters"):
        complete(client, "glue " * 2000, user="ines", extra_body=extra)
    complete(client, "Book a meeting called glue tomorrow at ten", asked, "yes", user="ines",
             extra_body=extra)
    assert len(service.calendar.trail()) == 1


def test_openai_session_is_gone_on_with(client):
    first = complete(client, "Where is the lens workshop?", user="a")
    session = first.model_extra["frontdesk"]["session"]
    again = complete(client, "When does it start?", extra_body={"frontdesk": {
        "session": session, "explain": True}})
    assert "14:00" in again.choices[0].message.content
    assert again.model_extra["frontdesk"]["facts"]


def test_openai_session_is_not_gone_on_with_as_somebody_else(client):
    first = complete(client, "Where is the lens workshop?", user="a",
                     extra_body={"frontdesk": {"speaker": "ines@example.org"}})
    session = first.model_extra["frontdesk"]["session"]
    for speaker, right in (("ines@example.org", True), ("tomas@example.org", False)):
        extra = {"frontdesk": {"session": session, "speaker": speaker}}
        if right:
            complete(client, "When does it start?", extra_body=extra)
        else:
            with pytest.raises(openai.UnprocessableEntityError, match="another speaker"):
                complete(client, "When does it start?", extra_body=extra)


def test_openai_message_that_is_sent_again_is_answered_the_same_and_kept_once(client, service):
    extra = {"frontdesk": {"speaker": "ines@example.org"}}
    asked = complete(client, "Book a meeting called glue tomorrow at ten", user="ines",
                     extra_body=extra).choices[0].message.content
    done = [complete(client, "Book a meeting called glue tomorrow at ten", asked, "yes",
                     user="ines", extra_body=extra, extra_headers={"Idempotency-Key": key}
                     ).choices[0].message.content for key in ("first", "first", "second")]
    assert done[0] == done[1] != done[2]
    assert done[0].startswith("I have booked")
    assert len(service.calendar.trail()) == 1


def test_openai_first_message_that_is_sent_again_does_not_begin_anew(client, service):
    book = "Book a meeting called glue tomorrow at ten"
    options = {"user": "ines", "extra_body": {"frontdesk": {"speaker": "ines@example.org"}}}

    def say(key, *messages):
        done = complete(client, *messages, **options, extra_headers={"Idempotency-Key": key})
        return done.choices[0].message.content, done.model_extra["frontdesk"]["session"]

    asked, session = say("first", book)
    booked, _ = say("second", book, asked, "yes")
    assert booked.startswith("I have booked")
    assert say("first", book) == (asked, session)
    assert say("second", book, asked, "yes") == (booked, session)
    with pytest.raises(openai.UnprocessableEntityError, match="another text"):
        say("first", "Hello!")
    assert say("third", "Hello!")[1] != session
    assert len(service.calendar.trail()) == 1


def test_openai_dialogue_without_a_session_asks_for_no_confirmation(client):
    done = complete(client, "Book a meeting called glue tomorrow at ten",
                    extra_body={"frontdesk": {"speaker": "ines@example.org"}})
    assert "cannot book or change anything in this chat" in done.choices[0].message.content
    assert done.model_extra["frontdesk"]["actions"] == []
    assert any('send "user"' in note for note in done.model_extra["frontdesk"]["notes"])


def test_openai_client_without_a_key_is_refused(service):
    with openai.OpenAI(base_url=f"{service.url}/v1", api_key="wrong", max_retries=0) as client, \
            pytest.raises(openai.AuthenticationError):
        complete(client, "Where is the lens workshop?")


def test_openai_last_message_must_be_the_users(client):
    with pytest.raises(openai.UnprocessableEntityError, match="the last message"):
        client.chat.completions.create(model="frontdesk", messages=[
            {"role": "assistant", "content": "Hello."}])
