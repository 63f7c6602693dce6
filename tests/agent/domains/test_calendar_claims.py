"""Claims proved over a small calendar, on Monday 2 March 2026 at nine."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from frontdesk.agent import Agent
from frontdesk.generation.checks.claim_check import Outcome
from frontdesk.kg.graph.dialogue_graph import DialogueGraph
from frontdesk.kg.graph.entities import Event, Group, Person, Room
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.logical_forms import read_forms

from ...templates import TEMPLATES

ZONE = ZoneInfo("UTC")
NOW = dt.datetime(2026, 3, 2, 9, tzinfo=ZONE)
HOUR = dt.timedelta(hours=1)
DAY = dt.timedelta(days=1)
KB = KnowledgeBase(
    name="F", timezone=ZONE, groups=[Group("g", "Optics")],
    rooms=[Room("r1", "Beta"), Room("r2", "Rowan"), Room("o", "214", bookable=False)],
    people=[Person("ines", "Ines Okafor", group="g", office="o"),
            Person("bo", "Bo Haraldsen", group="g", phone="+44 1632 960223")],
    events=[Event("e1", "lens workshop", NOW, NOW + HOUR, "r2", "ines", ("ines",)),
            Event("e2", "glue review", NOW + 3 * HOUR, NOW + 4 * HOUR, "r1", "bo",
                  ("ines", "bo")),
            Event("s1", "standup", NOW + DAY, NOW + DAY + HOUR / 4, "r1", "bo", ("bo",)),
            Event("s2", "standup", NOW + 2 * DAY, NOW + 2 * DAY + HOUR / 4, "r2", "bo",
                  ("bo",))])


@pytest.fixture(scope="module")
def agent(encoder):
    return Agent(KB, TEMPLATES, clock=lambda: NOW, encoder=encoder)


@pytest.fixture
def outcomes(agent):
    """What comes of the claims of each sentence of a reply."""
    def prove(*sentences: str, user: str | None = None, tells=lambda fact: True):
        dialogue = agent.session(DialogueGraph(), speaker=user).graph
        prover = agent.domain.queries.claims(dialogue, (), now=NOW, speaker=user, tells=tells)
        found = []
        for each in sentences:
            proofs, prover = prover.prove([form.arguments[0] for form in read_forms(each)])
            found += proofs
        return found
    return prove


@pytest.mark.parametrize(("claim", "outcome"), [
    ('(is (event "lens workshop") (until "ten"))', Outcome.PROVED),
    ('(is (event "lens workshop") (until "eleven"))', Outcome.CONTRADICTED),
    ('(is (event "glue review") (at "from 12 to 1"))', Outcome.PROVED),
    ('(is (event "glue review") (at "from 12 to 2"))', Outcome.CONTRADICTED),
    ('(is (event "standup") (at "9"))', Outcome.PROVED),  # on its own day
    ('(is (event "standup") (at "9 today"))', Outcome.CONTRADICTED),
    ('(is (event "standup") (lasting "15 minutes"))', Outcome.PROVED),
    ('(is (event "standup") (lasting "an hour"))', Outcome.CONTRADICTED),
    ('(busy (person "Ines") (until "ten"))', Outcome.PROVED),
    ('(busy (person "Ines") (until "half past nine"))', Outcome.CONTRADICTED),
    ('(busy (person "Ines") (until "eleven"))', Outcome.CONTRADICTED),
    ('(busy (person "Ines") (at "from 9 to 10"))', Outcome.PROVED),
    ('(busy (person "Ines") (at "from 9 to 11"))', Outcome.CONTRADICTED),
    ('(location (person "Ines") (room "Rowan") (until "ten"))', Outcome.PROVED),
    ('(location (person "Ines") (room "Rowan") (until "eleven"))', Outcome.CONTRADICTED),
    ('(untrue (location (person "Ines") (room "Beta")))', Outcome.PROVED),
    ('(untrue (location (person "Ines") (room "Rowan")))', Outcome.CONTRADICTED),
    ('(office (person "Ines") (room "+44 1632 960223"))', Outcome.UNKNOWN),
    ('(office (person "Bo") (room "214"))', Outcome.UNKNOWN),
    ('(attends (person (member_of (group "Optics"))) (event "glue review"))', Outcome.PROVED),
    ('(attends (person (member_of (group "Optics"))) (event "lens workshop"))',
     Outcome.CONTRADICTED),
    ('(untrue (there (room "Zeta")))', Outcome.PROVED),
    ('(untrue (there (room "Beta")))', Outcome.CONTRADICTED),
    ('(at "Monday")', Outcome.PROVED), ('(at "Tuesday")', Outcome.CONTRADICTED),
    ('(is (slot (now)) (at "Monday"))', Outcome.PROVED),
    ('(is (slot (at "Monday")) (at "the 2nd of March"))', Outcome.PROVED),
    ('(is (slot (now)) (at "ten"))', Outcome.CONTRADICTED),
    ('(at "9:00")', Outcome.PROVED), ('(at "9:30")', Outcome.CONTRADICTED),
    ('(attends (me) (event "glue review"))', Outcome.UNKNOWN),
    ('(free (you))', Outcome.UNKNOWN)])
def test_a_claim_is_what_its_words_say(outcomes, claim, outcome):
    (found,) = outcomes(f"(inform {claim})")
    assert found.outcome is outcome


def test_you_are_who_is_spoken_to(outcomes):
    claim = '(inform (attends (me) (event "lens workshop")))'
    assert [outcomes(claim, user=each)[0].outcome for each in ("ines", "bo")] == [
        Outcome.PROVED, Outcome.CONTRADICTED]


def test_a_later_sentence_goes_on_with_what_one_before_it_was_about(outcomes):
    first = '(inform (is (event "glue review") (at "noon")))'
    assert [each.outcome for each in outcomes(
        first, '(inform (location (that) (room "Beta")))',
        '(inform (organizer (that) (person "Ines")))')] == [
            Outcome.PROVED, Outcome.PROVED, Outcome.CONTRADICTED]


def test_an_hour_is_of_the_day_that_the_sentence_names(outcomes):
    hour = '(inform (is (event "standup") (at "nine")))'
    for place in ('(location (event "standup" (at "{}")) (room "Rowan"))',
                  '(location (event "standup") (room "Rowan") (at "{}"))'):
        assert all(each.outcome is Outcome.PROVED for each in outcomes(
            f"(inform {place.format('Wednesday')}) {hour}"))
        assert not all(each.outcome is Outcome.PROVED for each in outcomes(
            f"(inform {place.format('Tuesday')}) {hour}"))


@pytest.mark.parametrize("again", ['(event "standup")', "(that)"])
def test_what_is_so_of_one_and_of_another_is_not_so_together(outcomes, again):
    of_both = ('(inform (is (event "standup") (at "tomorrow at nine")))'
               f'(inform (location {again} (room "{{}}")))')
    assert all(each.outcome is Outcome.PROVED for each in outcomes(of_both.format("Beta")))
    assert any(each.outcome is not Outcome.PROVED for each in outcomes(of_both.format("Rowan")))


def test_the_reason_is_what_is_so_instead_where_that_may_be_told(outcomes):
    claim = '(inform (location (event "glue review") (room "Rowan")))'
    assert "Beta" in outcomes(claim)[0].reason
    assert outcomes(claim, tells=lambda fact: False)[0].reason == ""
