"""How questions are answered whose forms are right: what is meant, whom it concerns, what is known.
"""

from __future__ import annotations

import pytest

from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

from . import offices
from .offices import at, organisation
from .told_forms import ToldOffice


@pytest.fixture
def told(encoder, monkeypatch) -> ToldOffice:
    return ToldOffice(encoder, monkeypatch)


@pytest.fixture
def office(encoder, monkeypatch):
    """``office(*events)``: the organisation with further events, and a dialogue with it."""
    def with_events(*events: Event) -> ToldOffice:
        kb = organisation()
        monkeypatch.setattr(offices, "organisation", lambda: KnowledgeBase(
            name=kb.name, timezone=kb.timezone, people=kb.people.values(),
            groups=kb.groups.values(), rooms=kb.rooms.values(),
            events=[*kb.events.values(), *events]))
        return ToldOffice(encoder, monkeypatch)
    return with_events


#: Of them and the budget review that one is meant most probably by "the review".
REVIEWS = (*(Event(name, f"{name} review", at(4, 11), at(4, 12), None, who, (who,))
             for name, who in (("kiln", "mira"), ("glaze", "tomas"), ("wax", "jonas"))),
           Event("oil", "oil", at(6, 10), at(6, 11), None, "bo", ("bo",)))


# --- who is busy before or after something

@pytest.mark.parametrize(("when", "reply"), [
    ('(before (event "budget review"))', "Mira Castellan and Tomas Lindqvist are busy tomorrow "
     "before 12:00, before the budget review."),
    ('(at "tomorrow") (before "noon")',
     "Mira Castellan and Tomas Lindqvist are busy tomorrow before 12:00."),
    ('(at "tomorrow") (after "noon")',
     "Bo Haraldsen, you and Tomas Lindqvist are busy tomorrow from 12:00 on."),
    ('(at "tomorrow") (from "noon")',
     "Bo Haraldsen, you and Tomas Lindqvist are busy tomorrow from 12:00 on.")])
def test_who_is_busy_at_some_time_of_a_stretch_is_told(told, when, reply):
    assert told.hear("budget review tomorrow noon",
                     f"(ask (which (person (is_busy {when}))))") == reply


def test_of_several_of_whom_not_all_are_busy_it_is_said_who_is_free(told):
    assert told.hear("are Bo and Mira busy tomorrow at noon", '(ask (holds (busy (and (person "Bo")'
                     ' (person "Mira")) (at "tomorrow at noon"))))') == (
        "No, Mira Castellan is free tomorrow at 12:00; Bo Haraldsen is busy until 13:00, at the "
        "budget review.")


# --- an answer is about what was taken to be meant

@pytest.mark.parametrize(("form", "reply"), [
    ('(holds (free (person (organizer (event "review"))) (at "Friday at ten")))',
     "No, on Friday 6 March Bo Haraldsen is busy until 11:00, at the oil."),
    ('(holds (untrue (free (person (organizer (event "review"))) (at "Friday at ten"))))',
     "No, on Friday 6 March Bo Haraldsen is busy until 11:00, at the oil."),
    ('(holds (busy (person (organizer (event "review"))) (at "Friday at ten")))',
     "Yes, on Friday 6 March Bo Haraldsen is busy until 11:00, at the oil."),
    ('(where (person (organizer (event "review"))))',
     "Bo Haraldsen should be in the office, room 214 on the 2nd floor.")])
def test_what_is_so_of_others_that_may_be_meant_is_not_said_of_the_one_that_was_taken(
        office, form, reply):
    assert office(*REVIEWS).hear("the review, Friday at ten", f"(ask {form})") == (
        f"If you mean the budget review: {reply}")
