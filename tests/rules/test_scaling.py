"""Reasoning on calendars many times the size: the same answers, or bounded ones that say so."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from zoneinfo import ZoneInfo

import pytest
from support.scale import scaled
from whole_facts import WholeTurn
from whole_program import differences

from frontdesk.data.invented.simulate import demo_organisation
from frontdesk.kg.graph.dialogue_graph import USER, DialogueGraph, Hypothesis
from frontdesk.kg.graph.facts import Fact
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.windows import Window, day_window, instant
from frontdesk.kg.names.gazetteer import GazetteerDetector
from frontdesk.rules.engine.derived import Derived
from frontdesk.rules.linking.circuit import LinkingCircuit
from frontdesk.rules.linking.linking import Linker
from frontdesk.rules.organisation.calendar_slice import MOST_IN_PASSING, MOST_LISTED
from frontdesk.rules.organisation.organisation_reasoner import Goal, Reasoner

NOW = dt.datetime(2026, 3, 17, 10, 20, tzinfo=ZoneInfo("Europe/Oslo"))
BOTH = pytest.mark.parametrize("dense", [True, False])


@pytest.fixture(scope="module")
def small() -> KnowledgeBase:
    return demo_organisation(NOW, seed=5, people=10, groups=2, rooms=3, events=24)


def goal_about(kb: KnowledgeBase, windows: list[Window], *asked: str) -> Goal:
    entities = [*list(kb.people)[:3], *list(kb.groups)[:1],
                *[room.id for room in kb.bookable_rooms()][:2]]
    return Goal(dict.fromkeys(entities, 1.0), windows, asked)


def probabilities(facts: Sequence[Fact]) -> dict[tuple, float]:
    return {(fact.predicate, fact.arguments): fact.probability for fact in facts}


def today(kb: KnowledgeBase) -> list[Window]:
    return [day_window(NOW.date(), kb.timezone), instant(NOW)]


def test_scaling_elsewhere_in_the_year_changes_nothing_about_today(small):
    big = scaled(small, 50, dense=False, seed=1)
    goal = goal_about(small, today(small), "available_members")
    about_today = [{(fact.predicate, fact.arguments)
                    for fact in Reasoner(kb).derive(goal, now=NOW).facts
                    if fact.predicate != "next_event"} for kb in (small, big)]
    assert len(about_today[0]) > 20
    assert about_today[0] == about_today[1]


@BOTH
def test_scaling_gives_what_the_whole_program_gives(small, dense):
    big = scaled(small, 3, dense=dense, seed=2)
    goal = goal_about(big, today(big), "organises", "shared_events", "available_members")
    turn = WholeTurn(big, goal, NOW)
    expected = probabilities(turn.facts(turn.program().answers()))
    assert len(expected) > 20
    assert not differences(probabilities(Reasoner(big).derive(goal, now=NOW).facts), expected)


def test_scaling_bounds_what_is_listed_and_says_how_much_is_left_out(small):
    big = scaled(small, 60, dense=True, seed=3)
    window = day_window(NOW.date(), big.timezone)
    asked = Reasoner(big).derive(goal_about(big, [window], "person_events"), now=NOW)
    check_lists(big, asked, window, MOST_LISTED)
    assert any(f"only the first {MOST_LISTED} of" in note for note in asked.notes)
    in_passing = Reasoner(big).derive(goal_about(big, [window]), now=NOW)
    check_lists(big, in_passing, window, MOST_IN_PASSING)


def check_lists(big: KnowledgeBase, derived: Derived, window: Window, most: int) -> None:
    """Each list has so many of the events at most, and says how many more there are."""
    lists = [fact for fact in derived if fact.predicate == "person_events"]
    assert any(fact.omitted for fact in lists)
    for fact in lists:
        person, _, events = fact.arguments
        really = [event.id for event in big.events.values()
                  if person in event.participants() and window.overlaps(event.start, event.end)]
        assert len(events) == min(len(really), most)
        assert set(events) <= set(really)
        assert fact.omitted == len(really) - len(events)


@BOTH
def test_scaling_says_of_nobody_that_they_are_free_who_are_not(small, dense):
    big = scaled(small, 80, dense=dense, seed=4)
    moment = instant(NOW)
    goal = Goal(dict.fromkeys(big.people, 1.0), [moment], ())
    free = {fact.arguments[0] for fact in Reasoner(big).derive(goal, now=NOW).facts
            if fact.predicate == "person_available"}
    assert free == {person for person in big.people if not any(
        person in event.participants() and event.start <= NOW < event.end
        for event in big.events.values())}
    assert len(free) < len(big.people)


@BOTH
def test_scaling_leaves_a_name_with_its_entity(small, dense):
    big = scaled(small, 100, dense=dense, seed=5)
    circuit = LinkingCircuit()
    detectors = [GazetteerDetector(kb) for kb in (small, big)]
    linkers = [Linker(each.kb, each.index, circuit) for each in detectors]
    for entity in [*small.people.values(), *small.events.values()][::3]:
        if small.named(entity.name) != [entity]:
            continue  # of several of one name none is the best
        text = f"Tell me about {entity.name}."
        best = []
        for detector, linker in zip(detectors, linkers, strict=True):
            graph = DialogueGraph()
            observation = detector.detect(text, now=NOW)
            turn = graph.add_turn(USER, [Hypothesis(text)], at=NOW)
            nodes = [graph.add_mention(turn, mention) for mention in observation.mentions]
            linked = linker.link(graph, turn, observation, nodes, now=NOW)
            best.append([each.links[0].entity for each in linked if each.links])
        assert best[0] == best[1] == [entity.id]
