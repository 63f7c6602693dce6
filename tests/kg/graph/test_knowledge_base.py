from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from frontdesk.kg.graph.entities import Event, Person, Room
from frontdesk.kg.graph.errors import OrganisationError
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

START = dt.datetime(2026, 3, 2, 9, tzinfo=dt.UTC)


def organisation(*events: Event) -> KnowledgeBase:
    return KnowledgeBase(name="L", timezone=ZoneInfo("UTC"), events=events,
                         people=[Person("p1", "Ada"), Person("p2", "Bo")],
                         rooms=[Room("r", "Birch")])


def talk(number: int = 1, **more) -> Event:
    start = START + dt.timedelta(hours=number)
    return Event(f"e{number}", "talk", start, start + dt.timedelta(hours=1), **more)


@pytest.mark.parametrize("attendance", [(("p2", 0.5),), (("p1", 0.0),), (("p1", 1.0),),
                                        (("p1", 1.5),), (("x", 0.5),)])
def test_knowledge_base_refuses_attendance_that_cannot_be(attendance):
    with pytest.raises(OrganisationError, match="'talk'") as caught:
        organisation(talk(attendees=("p1",), attendance=attendance))
    assert caught.value.remedy


def test_knowledge_base_states_uncertain_attendees_apart_and_as_uncertain():
    kb = organisation(talk(attendees=("p1", "p2"), attendance=(("p2", 0.25),)))
    said = [(fact.arguments[1], fact.probability, fact.certainty)
            for fact in kb.facts_about("e1") if fact.predicate == "attendees"]
    assert said == [(("p1",), 1.0, 1.0), (("p2",), 0.25, 0.25)]


def test_knowledge_base_an_organiser_comes():
    event = talk(organizer="p1", attendees=("p1",), attendance=(("p1", 0.5),))
    kb = organisation(event)
    assert event.comes("p1") == 1.0
    assert [fact.certainty for fact in kb.facts_about("e1")
            if fact.predicate == "attendees"] == [1.0]


def test_knowledge_base_has_timelines_of_people_rooms_and_everybody():
    kb = organisation(talk(1, organizer="p1", location="r"), talk(2, attendees=("p1", "p2")),
                      talk(3))
    assert [len(kb.timeline(owner)) for owner in ("p1", "p2", "r", None)] == [2, 1, 1, 3]
    assert [len(kb.organised_by(person)) for person in ("p1", "p2")] == [1, 0]
