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


def told_of(encoder, monkeypatch, *names: str, speaker: str | None = "ines") -> ToldOffice:
    """An office with more people, who are in Optics."""
    kb = offices.organisation()
    more = [Person(name, name, group="optics") for name in names]
    monkeypatch.setattr(offices, "organisation", lambda: KnowledgeBase(
        name=kb.name, timezone=kb.timezone, groups=kb.groups.values(), rooms=kb.rooms.values(),
        people=[*kb.people.values(), *more], events=kb.events.values()))
    return ToldOffice(encoder, monkeypatch, speaker=speaker)


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


@pytest.mark.parametrize("form", ["(choose (answers))", "(choose (those))"])
def test_both_come_where_both_are_chosen(told, form):
    told.hear(*BOOK)
    assert "with Jonas Thorne and Jonas Berg, " in told.hear("both of them", form)
    told.hear("yes")
    assert told.events()["glue"].attendees == ("ines", "jonas", "Jonas Berg")


@pytest.mark.parametrize("form", [
    "(correct (replace (answers (except (that)))))", "(choose (answers (except (that))))",
    "(deny) (correct (replace (answers (except (answers)))))"])
def test_the_other_one_comes_in_place_of_who_was_chosen(told, form):
    told.hear(*BOOK)
    told.hear("Berg", '(choose (person "Berg"))')
    assert "with Jonas Thorne, " in told.hear("no, the other one", form)
    assert "with Jonas Berg, " in told.hear("the other one", form)
    assert not told.calendar.trail()
    told.hear("yes")
    assert told.events()["glue"].attendees == ("ines", "Jonas Berg")


@pytest.mark.parametrize("form", [
    "(correct (replace (answers (except (that)))))", "(choose (answers (except (that))))"])
@pytest.mark.parametrize("turned_down", [True, False])
def test_the_other_one_of_a_time_that_is_offered_is_nobody_else(told, form, turned_down):
    said, wish = (each.replace("at four", "at two") for each in BOOK)
    told.hear(said, wish)
    assert "15:00" in told.hear("Berg", '(choose (person "Berg"))')
    if turned_down:
        assert "time" in told.hear("no")
    assert ("time" if turned_down else "15:30 to 16:30 with Jonas Berg, ") in told.hear(
        "the other one", form)


def test_which_other_one_of_three_is_meant_is_asked(encoder, monkeypatch):
    told = told_of(encoder, monkeypatch, "Jonas Berg", "Jonas Aas")
    told.hear(*BOOK)
    told.hear("Berg", '(choose (person "Berg"))')
    assert told.hear("another one", "(correct (replace (answers (except (that)))))") \
        == "Whom do you mean: Jonas Thorne or Jonas Aas?"
    assert "with Jonas Aas, " in told.hear("Aas", '(choose (person "Aas"))')


def test_only_one_of_two_organises_it(assistant):
    assistant.hear(*HOSTED)
    assert assistant.hear("both", "(choose (answers))") == TWO


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


# --- who organises it

HOSTED = ("book glue tomorrow at ten, Jonas hosts", '(request (create (title "glue") '
          '(host (person "Jonas")) (time (at "tomorrow at ten"))))')
WITH_ZORRO = ("book glue with Zorro tomorrow at ten, Jonas hosts", '(request (create '
              '(title "glue") (attendee (person "Zorro")) (host (person "Jonas")) '
              '(time (at "tomorrow at ten"))))')


@pytest.fixture
def assistant(told) -> ToldOffice:
    told.session = told.agent.session(speaker="ines", role="assistant")
    return told


@pytest.mark.parametrize(("answer", "host"), [
    (("Berg", '(answer (person "Berg"))'), "Jonas Berg"),
    (("Berg hosts", '(revise (set (host (person "Berg"))))'), "Jonas Berg"),
    (("the second one", "(choose (answers (one_of 2)))"), "Jonas Berg"),
    (("not Thorne", '(revise (set (unwanted (attendee (person "Thorne")))))'), "Jonas Berg"),
    (("Bo", '(answer (person "Bo"))'), "bo")])
def test_an_assistant_says_which_of_two_organises_it(assistant, answer, host):
    assert assistant.hear(*HOSTED) == TWO
    name = assistant.calendar.state().kb.people[host].name
    assert f"organised by {name}" in assistant.hear(*answer)
    assistant.hear("yes")
    event = assistant.events()["glue"]
    assert (event.organizer, event.attendees) == (host, ("ines", host))


def test_who_organises_it_may_be_asked_for_twice(assistant):
    assistant.hear("book glue tomorrow at ten, Zorro hosts", '(request (create (title "glue") '
                   '(host (person "Zorro")) (time (at "tomorrow at ten"))))')
    assert assistant.hear("Jonas", '(answer (person "Jonas"))') == TWO
    assert "organised by Jonas Berg" in assistant.hear("Berg", '(answer (person "Berg"))')


def test_who_organises_it_is_asked_for_before_others(assistant):
    assert assistant.hear(*WITH_ZORRO) == f"{TWO} Please name “Zorro” again after that."
    assert "organised by Jonas Berg" in assistant.hear("Berg", '(answer (person "Berg"))')
    assert "organised by Jonas Berg" in assistant.hear(
        "and Mira", '(revise (set (attendee (person "Mira"))))')


@pytest.mark.parametrize("instead", [
    ("no", "(deny)"), ("with Mira", '(revise (set (attendee (person "Mira"))))')])
def test_nobody_organises_it_who_was_not_chosen_for_that(assistant, instead):
    assistant.hear("book glue tomorrow at ten, Zorro hosts", '(request (create (title "glue") '
                   '(host (person "Zorro")) (time (at "tomorrow at ten"))))')
    assert "organised by" not in assistant.hear(*instead)
    assistant.hear("and Bo", '(revise (set (attendee (person "Bo"))))')
    assistant.hear("yes")
    assert assistant.events()["glue"].organizer == "ines"


def test_who_books_is_told_who_is_only_invited_once_it_is_known(told):
    assert told.hear(*HOSTED) == TWO
    assert told.hear("Berg", '(answer (person "Berg"))').startswith(
        "You organise what you book, so Jonas Berg is only invited. Shall I")


def test_an_assistant_is_not_said_to_organise_what_they_book(assistant):
    assert assistant.hear("book glue tomorrow at ten, Logistics hosts", '(request (create '
                          '(title "glue") (host (group "Logistics")) '
                          '(time (at "tomorrow at ten"))))').startswith(
        "Only one person can organise a meeting, so far you do. Shall I book")


def test_one_of_two_of_a_name_does_not_speak_until_it_is_said_which(encoder, monkeypatch):
    told = told_of(encoder, monkeypatch, "Jonas Berg", speaker=None)
    graph = told.session.graph
    told.hear("I'm Jonas", '(introduce "Jonas")')
    assert graph.user() is None
    told.hear("I'm Jonas Berg", '(introduce "Jonas Berg")')
    assert graph.user()[0] == "Jonas Berg"
    told.hear("Jonas here", '(introduce "Jonas")')
    assert graph.user()[0] == "Jonas Berg"


@pytest.mark.parametrize("form", [
    '(choose (person "Jonas Berg"))', '(answer (person "Jonas Berg"))',
    '(introduce "Jonas Berg")', '(revise (replace (person "Jonas Berg")))'])
def test_who_is_meant_of_two_is_not_who_speaks(encoder, monkeypatch, form):
    told = told_of(encoder, monkeypatch, "Jonas Berg", speaker=None)
    told.hear("cancel the budget review", '(request (cancel (event "budget review")))')
    assert "Jonas Berg" in told.hear("where is Jonas", '(ask (where (person "Jonas")))')
    told.hear("Jonas Berg", form)
    assert told.session.graph.user() is None
