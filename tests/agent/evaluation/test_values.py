from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from frontdesk.agent.evaluation.measured_values import Context, GraphValues, hits_at, values_of
from frontdesk.kg.graph.entities import Event, Group, Person, Room
from frontdesk.kg.graph.facts import Fact, Provenance
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.schema import ORGANISATION
from frontdesk.kg.graph.windows import Window, WindowKind

ZONE = ZoneInfo("UTC")
NOW = dt.datetime(2026, 3, 17, 9, tzinfo=ZONE)
START, END = NOW.replace(hour=11, minute=30), NOW.replace(hour=12)


@pytest.fixture(scope="module")
def kb():
    return KnowledgeBase(
        name="Acme", timezone=ZONE, groups=[Group("g", "Optics")],
        rooms=[Room("r", "Alpha"), Room("r2", "214", floor=2)],
        people=[Person("ada", "Ada Berg", email="ada.berg@acme.example", phone="+4712345678",
                       office="r2", group="g"),
                Person("bo", "Bo Lind", group="g")],
        events=[Event("lens", "lens workshop", START, END, "r", "ada", ("ada",)),
                Event("other", "lens", START, END, "r2", "bo")])


@pytest.fixture(scope="module")
def graph(kb):
    facts = [fact for entity in kb.entities() for fact in kb.facts_about(entity.id)]
    return GraphValues(facts, kb, ORGANISATION)


def forms(graph, text):
    return {form for value in graph.named_in(text, now=NOW) for form in value.forms}


def test_values_are_found_in_the_words_of_replies(graph):
    text = ("Ada Berg's lens workshop is in Alpha at 11:30 today; write to "
            "ada.berg@acme.example or call +47 12 34 56 78, room 214, 2nd floor.")
    assert forms(graph, text) == {
        ("entity", "ada"), ("entity", "lens"), ("entity", "r"), ("time", "11:30"),
        ("date", "2026-03-17"), ("text", "ada.berg@acme.example"), ("text", "+4712345678"),
        ("entity", "r2"), ("number", "2")}


def test_a_name_within_a_longer_one_is_not_named(graph):
    assert forms(graph, "the lens workshop") == {("entity", "lens")}
    assert forms(graph, "the lens") == {("entity", "other")}


def test_a_time_without_a_day_says_no_date(graph):
    assert forms(graph, "It starts at half past eleven.") == {("time", "11:30")}


def test_lists_of_events_have_their_times(kb):
    window = Window(NOW, NOW + dt.timedelta(days=1), WindowKind.DAY)
    fact = Fact("person_events", ("ada", window, ("lens",)), provenance=Provenance("rule"))
    assert values_of(fact, kb, ORGANISATION) >= {
        ("entity", "lens"), ("time", "11:30"), ("time", "12:00"), ("date", "2026-03-17")}


def test_a_value_counts_only_of_what_is_talked_about(graph):
    value, = graph.named_in("At 11:30.", now=NOW)
    start = Fact("start_time", ("lens", dt.time(11, 30)))
    assert graph.has(start, value, Context(frozenset({"lens"})))
    assert not graph.has(start, value, Context(frozenset({"bo"})))
    assert graph.has(start, value, Context(frozenset(), frozenset({"lens"})))


def test_an_entity_that_only_the_reply_names_must_belong_to_what_was_named_before(graph):
    value, = graph.named_in("Ada Berg.", now=NOW)
    organiser, email = Fact("organizer", ("lens", "ada")), Fact("email", (
        "ada", "ada.berg@acme.example"))
    context = Context(frozenset({"lens"}), frozenset({"ada"}))
    assert graph.has(organiser, value, context)
    assert not graph.has(email, value, context)


def test_hits_count_values_within_the_first_facts(graph):
    values = graph.named_in("Ada Berg, at 11:30", now=NOW)
    context = Context(frozenset({"lens"}))
    ranked = [Fact("organizer", ("lens", "ada")), Fact("location", ("lens", "r")),
              Fact("start_time", ("lens", dt.time(11, 30)))]
    assert hits_at(ranked, values, graph, context) == 2
    assert hits_at([*ranked[:2], *ranked[:2] * 4, ranked[2]], values, graph, context) == 1
