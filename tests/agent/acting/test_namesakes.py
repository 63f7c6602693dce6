"""Who of several people of one name is meant, asked while something is booked."""

from __future__ import annotations

import pytest

from frontdesk.kg.graph.entities import Person
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

from . import offices
from .told_forms import ToldOffice

BOOK = ("book a meeting with Jonas tomorrow at four, call it glue",
        '(request (create (title "glue") (time (at "tomorrow at four")) '
        '(attendee (person "Jonas"))))')
TWO = "Whom do you mean: Jonas Thorne or Jonas Berg?"


def told_of(encoder, monkeypatch, *names: str) -> ToldOffice:
    """An office with more people, who are in Optics."""
    kb = offices.organisation()
    more = [Person(name, name, group="optics") for name in names]
    monkeypatch.setattr(offices, "organisation", lambda: KnowledgeBase(
        name=kb.name, timezone=kb.timezone, groups=kb.groups.values(), rooms=kb.rooms.values(),
        people=[*kb.people.values(), *more], events=kb.events.values()))
    return ToldOffice(encoder, monkeypatch)


@pytest.fixture
def told(encoder, monkeypatch) -> ToldOffice:
    return told_of(encoder, monkeypatch, "Jonas Berg")


@pytest.mark.parametrize(("said", "form"), [
    ("the one from Optics", '(choose (person (member_of (group "Optics"))))'),
    ("the one from Optics", '(choose (answers (member_of (group "Optics"))))'),
    ("the second one", "(choose (answers (one_of 2)))"),
    ("Berg", '(choose (person "Berg"))'), ("Berg", '(answer (person "Berg"))'),
    ("not Thorne", '(choose (answers (except (person "Thorne"))))'),
    ("not Thorne", '(revise (set (unwanted (attendee (person "Thorne")))))'),
    ("no, not Thorne", '(deny) (revise (set (unwanted (attendee (person "Thorne")))))')])
def test_the_one_who_is_chosen_comes_and_nobody_else(told, said, form):
    assert told.hear(*BOOK) == TWO
    assert "with Jonas Berg, " in told.hear(said, form)
    told.hear("yes")
    assert told.events()["glue"].attendees == ("ines", "Jonas Berg")


def test_who_is_left_of_three_is_asked_for(encoder, monkeypatch):
    told = told_of(encoder, monkeypatch, "Jonas Berg", "Jonas Aas")
    told.hear(*BOOK)
    assert told.hear("not Berg", '(revise (set (unwanted (attendee (person "Berg")))))') \
        == "Whom do you mean: Jonas Thorne or Jonas Aas?"
    assert "with Jonas Aas, " in told.hear("the second one", "(choose (answers (one_of 2)))")


@pytest.mark.parametrize(("said", "form", "kept"), [
    ("at five rather", '(revise (set (time (at "five"))))', "“glue” tomorrow from 17:00"),
    ("call it wax", '(revise (set (title "wax")))', "“wax” tomorrow from 16:00"),
    ("in Rowan", '(revise (set (venue (room "Rowan"))))', "“glue” tomorrow from 16:00")])
def test_what_else_is_said_counts_and_who_is_meant_is_asked_again(told, said, form, kept):
    told.hear(*BOOK)
    assert told.hear(said, form) == TWO
    reply = told.hear("Berg", '(choose (person "Berg"))')
    assert kept in reply
    assert "with Jonas Berg" in reply
