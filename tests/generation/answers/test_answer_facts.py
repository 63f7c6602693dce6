from __future__ import annotations

import datetime as dt
from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from frontdesk.generation.answers.answer_facts import find_answer
from frontdesk.kg.english.verbalise import Verbaliser
from frontdesk.kg.graph.entities import Event, Person
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.mentions import AskedFor
from frontdesk.kg.graph.windows import day_window
from frontdesk.kg.names.gazetteer import GazetteerDetector
from frontdesk.rules.organisation.organisation_reasoner import Goal, Reasoner
from frontdesk.scoring.ranked_fact import RankedFact

ZONE = ZoneInfo("UTC")
NOW = dt.datetime(2026, 3, 2, 9, tzinfo=ZONE)


def event(name: str, hour: int, *attendees: str, **attendance: float) -> Event:
    return Event(name, name, NOW.replace(day=3, hour=hour), NOW.replace(day=3, hour=hour + 1),
                 organizer=attendees[0], attendees=attendees,
                 attendance=tuple(attendance.items()))


@pytest.fixture(scope="module")
def answer():
    """What is said to a question, the facts that are not certain being ranked first."""
    kb = KnowledgeBase(
        name="F", timezone=ZONE,
        people=[Person("p1", "Amanda Barren"), Person("p2", "Sven Foss"),
                Person("p3", "Ines Okafor"), Person("p4", "Tomas Lind")],
        events=[event("lens review", 10, "p2", "p1", p1=0.5),
                event("budget review", 14, "p3", "p1"),
                event("design talk", 16, "p3", "p1", "p4", p1=0.9, p4=0.5)])
    detector, say = GazetteerDetector(kb), Verbaliser(kb, NOW).say

    def run(question, *asked, polar=False):
        observation = replace(detector.detect(question, now=NOW), asks=True, polar=polar,
                              asked=AskedFor(dict.fromkeys(asked, 1.0)))
        windows = observation.windows() or [day_window(NOW.date(), ZONE)]
        goal = Goal(dict.fromkeys(("p1", "p3"), 1.0), windows, asked)
        facts = [*Reasoner(kb).derive(goal, now=NOW), *kb.facts_about("lens review")]
        facts.sort(key=lambda fact: fact.certainty)
        found = find_answer([RankedFact(fact, say(fact), 0.9) for fact in facts], observation, [])
        return ({1: "Yes", -1: "No", 0: ""}[found.polarity],
                [fact.text for fact in found.facts
                 if fact.fact.predicate == found.facts[0].fact.predicate])
    return run


def test_answer_has_the_certain_part_of_a_list_first_and_then_the_rest(answer):
    assert answer("Who attends the lens review?", "attendees") == ("", [
        "Sven Foss is attending the lens review.",
        "Amanda Barren may be attending the lens review (50 % likely)."])


def test_answer_affirms_that_there_is_what_is_in_a_list_for_certain(answer):
    affirmed, said = answer("Do Amanda Barren and Ines Okafor have an event together?",
                            "shared_events", polar=True)
    assert affirmed == "Yes"
    assert said == [
        "Amanda Barren and Ines Okafor are both at the budget review tomorrow from 14:00 to 15:00.",
        "Amanda Barren and Ines Okafor are probably both at the design talk tomorrow from 16:00 to "
        "17:00 (90 % likely)."]


def test_answer_counts_no_part_of_a_list_as_the_whole(answer):
    _, said = answer("What events does Amanda Barren have tomorrow?", "person_events")
    assert said == [
        "Amanda Barren has at least 1 event tomorrow: the budget review from 14:00 to 15:00.",
        "Amanda Barren probably has an event tomorrow: the design talk from 16:00 to 17:00 "
        "(90 % likely).",
        "Amanda Barren may have an event tomorrow: the lens review from 10:00 to 11:00 "
        "(50 % likely)."]
