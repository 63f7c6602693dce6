"""Roles for which the caller vouches: what is told and done goes by them, not by what users say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from frontdesk.agent.settings.settings import AccessSettings
from frontdesk.kg.graph.errors import InputError

from ...templates import TEMPLATES
from .offices import Office

INES_ASSISTS = replace(TEMPLATES, access=AccessSettings(assistants=("ines@example.org",)))
HIDES = replace(TEMPLATES, access=AccessSettings(visitors=()))
BOOK = ("Book a meeting called glue tomorrow at ten", "yes")


def office(encoder, role: str | None, speaker: str | None = None, settings=TEMPLATES) -> Office:
    """A receptionist, and a dialogue with somebody of a role."""
    found = Office(settings, encoder)
    found.session = found.agent.session(speaker=speaker, role=role)
    return found


def test_certified_visitor_is_nobody_whoever_they_say_they_are(encoder):
    claim = "Hi, I am Ines Okafor"
    trusted, visitor = office(encoder, None), office(encoder, "visitor")
    assert "I have booked" in trusted.say(claim, *BOOK)
    assert "only change the calendar for people" in visitor.say(claim, BOOK[0])
    assert "booked" not in visitor.say("yes")
    assert "glue" not in visitor.events()


def test_certified_visitor_is_told_what_visitors_are_and_not_what_the_one_they_name_is(encoder):
    claim, ask = "I am Bo Haraldsen", "What is the phone number of Mira Castellan?"
    number = "1632960101"
    for role, told in ((None, True), ("visitor", False)):
        reply = office(encoder, role, settings=HIDES).say(claim, ask)
        assert (number in reply.replace(" ", "")) is told, (role, reply)


def test_certified_visitor_may_still_leave_a_message(encoder):
    visitor = office(encoder, "visitor")
    visitor.say("Tell Bo Haraldsen that the courier is here", "Karla Quist", "yes")
    assert ("bo", "message") in visitor.told()


def test_certified_assistant_sees_and_changes_what_others_may_not(encoder):
    ask = "Where is the salary talk?"
    for role, speaker, sees in (("assistant", "jonas", True), ("employee", "jonas", False),
                                (None, "jonas", False), ("visitor", None, False)):
        reply = office(encoder, role, speaker).say(ask)
        assert ("Beta" in reply) is sees, (role, reply)
    cancel = ("Cancel the budget review", "yes")  # Bo's and Ines's
    assistant = office(encoder, "assistant", "jonas")
    employee = office(encoder, "employee", "jonas")
    assistant.say(*cancel)
    employee.say(*cancel)
    assert "budget review" not in assistant.events()
    assert "budget review" in employee.events()


def test_certified_employee_is_no_assistant_even_where_the_settings_say_so(encoder):
    ask = "Where is the salary talk?"
    assert "Beta" in office(encoder, None, "ines", INES_ASSISTS).say(ask)
    assert "Beta" not in office(encoder, "employee", "ines", INES_ASSISTS).say(ask)


def test_roles_of_one_agent_are_not_mixed_up_and_outlive_changes_of_the_calendar(encoder):
    found = Office(TEMPLATES, encoder)
    sessions = {role: found.agent.session(speaker=None if role == "visitor" else "jonas", role=role)
                for role in ("visitor", "employee", "assistant", None)}
    for _ in range(2):
        for role, session in sessions.items():
            reply = session.reply("Where is the salary talk?").text
            assert ("Beta" in reply) is (role == "assistant"), (role, reply)
        booking = found.agent.session(speaker="ines")
        for text in ("Book a meeting called glue on Friday at nine", "yes"):
            booking.reply(text)
    assert "glue" in found.events()


def test_visitor_does_not_go_on_with_what_a_person_was_told(encoder):
    found = office(encoder, "assistant", "jonas")
    found.say("Where is the salary talk?")
    found.session = found.agent.session(found.session.graph, role="visitor")
    assert not found.session.graph.turns
    assert "Beta" not in found.say("Where is it?")


@pytest.mark.parametrize(("role", "speaker", "says"), [
    ("visitor", "ines", "none of the organisation's people"), ("employee", None, "nobody is named"),
    ("assistant", None, "nobody is named"), ("king", "ines", "there is no role 'king'"),
    ("", None, "there is no role ''")])
def test_role_that_does_not_go_with_the_speaker_is_refused(encoder, role, speaker, says):
    with pytest.raises(InputError, match=says):
        office(encoder, role, speaker)
