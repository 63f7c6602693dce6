from __future__ import annotations

import datetime as dt
import doctest
import math
from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from frontdesk.agent.domains.domain_pack import PACKAGED_WEIGHTS
from frontdesk.generation.checks import pmi_faith as module
from frontdesk.generation.checks.pmi_faith import PmiFaith, pmi_faith
from frontdesk.generation.voice.embedded import EmbeddedGenerator
from frontdesk.generation.voice.generator import GenerationInput, GivenReply, TokenLogProbabilities
from frontdesk.kg.english.verbalise import Verbaliser
from frontdesk.kg.graph.dialogue_graph import AGENT, USER
from frontdesk.kg.graph.entities import Event, Person, Room
from frontdesk.kg.graph.facts import Fact
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.mentions import Observation
from frontdesk.scoring.ranked_fact import RankedFact

from ..voice.contract import request

NOW = dt.datetime(2026, 3, 17, 9, tzinfo=ZoneInfo("UTC"))
KB = KnowledgeBase(
    name="F", timezone=ZoneInfo("UTC"), rooms=[Room("r1", "Zeta"), Room("r2", "Eta")],
    people=[Person("p1", "Ada Berg", "ada@example.org", "+44 16 32 96")],
    events=[Event("e1", "lens talk", NOW, NOW + dt.timedelta(hours=1), "r1", "p1")])
SAY = Verbaliser(KB, NOW)
FACTS = tuple(RankedFact(fact, SAY.say(fact), 0.9) for fact in (
    Fact("location", ("e1", "r1")), Fact("organizer", ("e1", "p1")),
    Fact("email", ("p1", "ada@example.org")), Fact("phone", ("p1", "+44 16 32 96"))))


def asked(question, *before):
    return GenerationInput((*before, (USER, question)), FACTS, Observation(question, asks=True),
                           verbaliser=SAY)


class Known:
    """A language model over words; each is four times as probable when a fact has it."""

    name = "known"

    def __init__(self):
        self.calls = 0

    def log_probabilities(self, replies: list[GivenReply]) -> list[TokenLogProbabilities]:
        self.calls += 1
        scored = []
        for given in replies:
            facts = " ".join(each.text for each in given.request.knowledge)
            words = (*given.text.split(), "<end>")
            scored.append(TokenLogProbabilities(words, tuple(
                math.log(0.4 if given.with_knowledge and word.strip(".") in facts else 0.1)
                for word in words), ends=True))
        return scored


def test_pmi_is_the_difference_of_both_passes_token_by_token():
    (found,) = pmi_faith(Known(), [(request(), "It is Zeta.")])
    assert found.tokens == ("It", "is", "Zeta.", "<end>")
    assert found.gains == pytest.approx((0.0, math.log(4), math.log(4), 0.0))
    assert found.total == pytest.approx(2 * math.log(4))


def test_all_replies_are_one_batch():
    model = Known()
    found = pmi_faith(model, [(request(), text) for text in ("Zeta.", "Omega.", "")])
    assert model.calls == 1
    assert [each.total > 0 for each in found] == [True, False, False]


def test_nothing_is_gained_from_no_knowledge():
    ignorant = replace(asked("Where is the lens talk?"), knowledge=())
    for text in ("Zeta.", "", "Yes, at two"):
        (found,) = pmi_faith(EmbeddedGenerator(PACKAGED_WEIGHTS / "organisation"),
                             [(ignorant, text)])
        assert found.gains == pytest.approx([0.0] * len(found.gains), abs=1e-4)


@pytest.mark.parametrize(("faithful", "other"), [
    ("The lens talk is in Zeta.", "The lens talk is in Eta."), ("Zeta.", "Eta."),
    ("In Zeta.", "In the kitchen.")])
def test_the_embedded_generator_tells_what_facts_say_from_what_they_do_not(faithful, other):
    request = asked("Where is the lens talk?")
    right, wrong = pmi_faith(EmbeddedGenerator(PACKAGED_WEIGHTS / "organisation"),
                             [(request, faithful), (request, other)])
    assert right.total > 0 > wrong.total
    assert right.gains[right.tokens.index("Zeta")] > 0


def test_a_reply_that_means_nothing_alone_is_judged_by_the_history():
    """An address answers how somebody is reached, not where something is."""
    before = (USER, "Who organizes the lens talk?"), (AGENT, "Ada Berg is the organizer.")
    number, where = pmi_faith(EmbeddedGenerator(PACKAGED_WEIGHTS / "organisation"), [
        (asked("What is her email address?", *before), "ada@example.org"),
        (asked("Where is the lens talk?", *before), "ada@example.org")])
    assert number.total > where.total


def test_the_examples_hold():
    assert doctest.testmod(module).failed == 0


def test_scores_of_a_reply_add_up():
    assert PmiFaith(("a", "b"), (1.0, -3.0), (-1.0, -2.0)).total == -2.0
    assert PmiFaith(("a", "b"), (1.0, -3.0), (-1.0, -2.0)).likelihood == -1.5
