"""Visitors: who is told that they are here, and that nothing is said to be told that is not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from frontdesk.agent.calendars.calendar import CalendarUnavailableError
from frontdesk.kg.graph.changes import NoticeKind
from frontdesk.kg.graph.dialogue_graph import DialogueGraph
from frontdesk.kg.graph.entities import Person
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

from ...templates import TEMPLATES
from .offices import Office, at, organisation
from .told_forms import ToldOffice

DESK = "reception@example.org"
WITH_DESK = replace(TEMPLATES, notices=replace(TEMPLATES.notices, desk=(DESK, "JONAS@example.org")))


def office_that_sends(encoder, settings=WITH_DESK, **more) -> Office:
    """One whose notices reach whoever has an address."""
    office = Office(settings, encoder, **more)
    office.agent.components = replace(office.agent.components,
                                      reaches=lambda address: address is not None)
    return office


@pytest.fixture
def lobby(encoder) -> Office:
    return office_that_sends(encoder)


def left(office: Office) -> list[tuple[str, NoticeKind, str]]:
    return [(each.notice.person, each.notice.kind, each.notice.text)
            for each in office.calendar.outbox().waiting()]


@pytest.mark.parametrize(("said", "host", "text"), [
    (["I am here for the lens workshop"], "ines", "A visitor has come for the lens workshop."),
    (["I am here to see Bo Haraldsen"], "bo", "A visitor has come to see you."),
    (["I'm Jane Doe, I am here to see Bo Haraldsen"], "bo",
     "Jane Doe, a visitor, has come to see you."),
    (["My name is Jane Doe", "I am here to see Bo Haraldsen"], "bo",
     "Jane Doe, a visitor, has come to see you."),
    (["I am Mira Castellan", "I am here for the lens workshop"], "ines",
     "Mira Castellan has come for the lens workshop.")])
def test_the_host_is_told_of_a_visitor_and_the_visitor_of_that(lobby, said, host, text):
    reply = lobby.say(*said)
    assert left(lobby) == [(host, NoticeKind.ARRIVAL, text)]
    name = {"ines": "Ines Okafor", "bo": "Bo Haraldsen"}[host]
    assert reply.endswith(f"I am letting {name} know.")
    assert reply != f"I am letting {name} know.", "where that is is said as before"


def test_the_host_is_told_who_is_elsewhere(lobby):
    reply = lobby.session.reply("I am here to see Bo Haraldsen", now=at(3, 12, 30)).text
    assert "budget review" in reply or "Beta" in reply
    assert reply.endswith("I am letting Bo Haraldsen know.")
    assert [person for person, *_ in left(lobby)] == ["bo"]


def test_a_notice_is_left_and_nothing_is_said_of_it_where_nobody_sends_it(encoder):
    office, told = Office(WITH_DESK, encoder), "I am here to see Bo Haraldsen"
    reply = office.say(told)
    assert "know" not in reply
    assert [person for person, *_ in left(office)] == ["bo"]


def test_nothing_is_said_where_the_notice_cannot_be_left(lobby, monkeypatch):
    def fails(transaction):
        raise CalendarUnavailableError("the disk is full")

    monkeypatch.setattr(lobby.calendar, "commit", fails)
    reply = lobby.session.reply("I am here to see Bo Haraldsen")
    assert "know" not in reply.text
    assert any("nobody could be told" in each for each in reply.notes)


@pytest.mark.parametrize("said", [
    "I am here for the salary talk", "I am here for the private event"])
def test_private_meetings_are_confirmed_to_nobody(lobby, said):
    reply = lobby.say(said)
    assert left(lobby) == []
    assert "know." not in reply.replace("I don't know", "")


def test_who_takes_part_in_a_private_meeting_may_come_for_it(encoder):
    office = office_that_sends(encoder, speaker="mira")
    assert "letting Bo Haraldsen know" in office.say("I am here for the salary talk")
    assert left(office) == [("bo", NoticeKind.ARRIVAL,
                             "Mira Castellan has come for the salary talk.")]


@pytest.mark.parametrize("said", [
    "I am here to see Zeno Quux", "I am here", "Where is Bo Haraldsen?",
    "When is the lens workshop?", "Is Bo Haraldsen here?"])
def test_nobody_is_told_where_nobody_has_come_to_somebody_known(lobby, said):
    lobby.say(said)
    assert left(lobby) == []


@pytest.mark.parametrize("said", [
    "I'm not here to see Bo Haraldsen", "I will come to see Bo Haraldsen next week",
    "Yesterday I came to see Bo Haraldsen", "I don't have a parcel for Bo Haraldsen",
    "Did anybody bring a parcel for Bo Haraldsen?", "I'll bring a parcel for Bo Haraldsen tomorrow",
    'Someone told me "I am here to see Bo Haraldsen"', "There is no fire", "Is there a fire?",
    "What do I do if there is a fire?", "I don't want to talk to a person"])
def test_nobody_is_told_of_what_is_denied_asked_planned_or_quoted(lobby, said):
    assert "letting" not in lobby.say(said)
    assert left(lobby) == []


def test_the_desk_is_told_the_words_of_what_may_be_a_danger(lobby):
    lobby.say("Could you call the fire brigade?")
    assert {text for *_, text in left(lobby)} == {
        "A visitor may tell of a danger: “Could you call the fire brigade?”."}


@pytest.mark.parametrize(("said", "form"), [
    ("I'm here to see someone about a job", '(arrive (person (like "job")))'),
    ("I'm here to see someone", "(arrive (person))"),
    ("I'm here to see somebody of Optics", '(arrive (person (member_of (group "Optics"))))'),
    ("I'm here to see somebody in the lens workshop",
     '(arrive (person (attends (event "lens workshop"))))'),
    ("I'm here to see Inez Okafor", '(arrive (person "Inez Okafor"))'),
    ("I'm here for a meeting", "(arrive (event))")])
def test_nobody_is_told_of_who_names_neither_one_person_nor_one_event(
        encoder, monkeypatch, said, form):
    told = ToldOffice(encoder, monkeypatch, None)
    told.hear(said, form)
    assert left(told) == []


@pytest.mark.parametrize(("said", "form", "host"), [
    ("I'm here to see Mr Haraldsen", '(arrive (person "Mr Haraldsen"))', "bo"),
    ("I'm here for the lens workshop", '(arrive (event "lens workshop"))', "ines")])
def test_who_is_named_is_told(encoder, monkeypatch, said, form, host):
    told = ToldOffice(encoder, monkeypatch, None)
    told.hear(said, form)
    assert [person for person, *_ in left(told)] == [host]


def test_nobody_is_told_of_themselves(encoder):
    office = office_that_sends(encoder, speaker="ines")
    office.say("I am here for the lens workshop")
    assert left(office) == []


def test_who_brings_something_is_announced_to_whom_it_is_for_else_to_the_desk(lobby):
    assert "letting Bo Haraldsen know" in lobby.say("I have a parcel for Bo Haraldsen")
    assert left(lobby) == [("bo", NoticeKind.DELIVERY,
                            "A visitor has brought “parcel” for you.")]


def test_who_wants_a_person_and_who_tells_of_a_danger_is_announced_to_the_desk(lobby):
    said = lobby.say("Can I talk to a person?")
    assert said.startswith("I am a computer program")
    assert said.endswith("I am letting the desk know.")
    lobby.say("There is a fire in the kitchen!")
    assert left(lobby) == [
        (DESK, NoticeKind.HANDOVER, "A visitor wants to talk to a person."),
        ("jonas", NoticeKind.HANDOVER, "A visitor wants to talk to a person."),
        (DESK, NoticeKind.ALARM, "A visitor tells of a danger: “fire in the kitchen”."),
        ("jonas", NoticeKind.ALARM, "A visitor tells of a danger: “fire in the kitchen”.")]
    waiting = lobby.calendar.outbox().waiting()
    assert {each.notice.dialogue for each in waiting} == {lobby.session.id}


def test_without_a_desk_nobody_is_called(encoder):
    office = office_that_sends(encoder, TEMPLATES)
    assert "letting" not in office.say("Can I talk to a person?")
    assert left(office) == []


def test_what_is_said_again_in_a_dialogue_is_told_once(lobby):
    for _ in range(2):  # as of a turn that was cut off after it had told people
        reply = lobby.agent.session(id_="s1").reply("I am here to see Bo Haraldsen")
    assert reply.text.endswith("I have already let Bo Haraldsen know.")
    assert len(left(lobby)) == 1
    lobby.agent.session(id_="s1").reply("I have come to see Bo Haraldsen")
    assert len(left(lobby)) == 1
    lobby.agent.session(id_="s2").reply("I am here to see Bo Haraldsen")
    assert len(left(lobby)) == 2, "another visitor may come to the same person"


@pytest.mark.parametrize("between", ["hello", "goodbye", "name", "silence", "question"])
def test_another_visitor_of_a_session_is_announced_and_a_repetition_is_not(
        encoder, monkeypatch, between):
    office, said = ToldOffice(encoder, monkeypatch, None), "I am here to see Bo"
    office.agent.components = replace(office.agent.components, reaches=bool)
    office.hear(said, '(arrive (person "Bo"))')
    minutes = 30
    if between == "hello":
        office.hear("hello", "(greet)")
    elif between == "goodbye":
        office.hear("see you", "(goodbye)")
    elif between == "name":
        office.hear("I am Jane Doe, where is Beta",
                    '(introduce "Jane Doe") (ask (where (room "Beta")))')
    elif between == "silence":
        minutes = 45
    else:
        office.hear("where is Beta", '(ask (where (room "Beta")))')
    reply = office.session.reply(said, now=at(2, 9, minutes)).text
    told = between != "question"
    assert reply.endswith(
        f"I {'am letting' if told else 'have already let'} Bo Haraldsen know.")
    assert len(left(office)) == 1 + told


@pytest.mark.parametrize(("said", "forms", "words"), [
    ("I'm here for the lens workshop", '(arrive (event "lens workshop"))', ("Rowan", "2nd floor")),
    ("I'm here to see Bo", '(arrive (person "Bo"))', ("Bo Haraldsen", "214", "2nd floor")),
    ("a parcel for Bo", '(deliver "parcel" (person "Bo"))', ("Bo Haraldsen", "214"))])
def test_who_has_come_is_told_the_way_to_what_they_have_come_for(
        encoder, monkeypatch, said, forms, words):
    office = ToldOffice(encoder, monkeypatch, None)
    office.hear(said, forms)
    office.hear("thanks", "(thank)")
    reply = office.hear("where is that", "(ask (where (that)))")
    assert all(each in reply for each in words)


@pytest.mark.parametrize(("said", "forms"), [
    ("I will come to see Bo Haraldsen tomorrow", '(arrive (person "Bo Haraldsen"))'),
    ("I'll bring a parcel for Bo Haraldsen tomorrow",
     '(deliver "parcel" (person "Bo Haraldsen"))')])
def test_nobody_is_told_by_who_only_asks_the_way(encoder, monkeypatch, said, forms):
    office = ToldOffice(encoder, monkeypatch, None)
    office.hear(said, forms)
    for words in ("show me the way", "and where is that again"):
        assert "214" in office.hear(words, "(ask (where (that)))")
    assert left(office) == []


@pytest.mark.parametrize(("said", "forms", "host"), [
    ("the second one", "(choose (answers (nth 2)))", "bob"),
    ("Larsen", '(answer (person "Larsen"))', "bob"),
    ("no, Ines", '(correct (replace (person "Ines")))', "ines"),
    ("where is Beta", '(ask (where (room "Beta")))', None)])
def test_an_arrival_goes_on_once_it_is_chosen_who_is_meant(
        encoder, monkeypatch, said, forms, host):
    kb = organisation()
    kb = KnowledgeBase(name=kb.name, timezone=kb.timezone, groups=kb.groups.values(),
                       rooms=kb.rooms.values(), events=kb.events.values(), people=[
                           *kb.people.values(),
                           Person("bob", "Bo Larsen", "bob@example.org", "", "optics", "300")])
    monkeypatch.setattr("tests.agent.acting.offices.organisation", lambda: kb)
    office = ToldOffice(encoder, monkeypatch, None)
    reply = office.hear("I am here to see Bo", '(arrive (person "Bo"))')
    assert "?" in reply
    assert left(office) == []
    saved = office.session.graph.to_json()
    office.session = office.agent.session(DialogueGraph.from_json(saved))
    office.hear(said, forms)
    assert left(office) == ([] if host is None else [
        (host, NoticeKind.ARRIVAL, "A visitor has come to see you.")])


def test_what_is_said_after_a_turn_that_was_cut_off_is_told_too(lobby):
    lobby.agent.session(id_="s1").reply("I am here to see Bo Haraldsen")
    lobby.agent.session(id_="s1").reply("There is a fire in the kitchen!")
    assert [kind for _, kind, _ in left(lobby)] == [
        NoticeKind.ARRIVAL, NoticeKind.ALARM, NoticeKind.ALARM]


def test_in_a_dialogue_that_is_not_kept_nobody_is_told(lobby):
    reply = lobby.agent.session(id_="").reply("I am here to see Bo Haraldsen")
    assert "letting" not in reply.text
    assert any("session" in each for each in reply.notes)
    assert left(lobby) == []


def test_who_also_wants_something_booked_is_announced(lobby):
    reply = lobby.say("I'm here to see Bo Haraldsen, and please book Rowan for tomorrow at 3")
    assert "I am letting Bo Haraldsen know." in reply
    assert [person for person, *_ in left(lobby)] == ["bo"]


def test_a_visitor_who_is_not_believed_is_a_visitor(encoder):
    wary = replace(WITH_DESK, access=replace(WITH_DESK.access, trust_claims=False))
    office = office_that_sends(encoder, wary)
    office.say("I am Mira Castellan", "I am here to see Bo Haraldsen")
    (notice,) = [each.notice for each in office.calendar.outbox().waiting()]
    assert (notice.text, notice.sender) == (
        "Mira Castellan, a visitor, has come to see you.", None)


def test_without_actions_nobody_is_told(encoder):
    off = replace(WITH_DESK, actions=replace(WITH_DESK.actions, enabled=False))
    assert "letting" not in office_that_sends(encoder, off).say("I am here to see Bo Haraldsen")
