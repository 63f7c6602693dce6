"""What is said when replies fail their checks: each way out, and what the reply says of it."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from frontdesk.agent import Agent
from frontdesk.agent.settings import CheckSettings, Settings
from frontdesk.generation.generator import GeneratedReply, NBestGenerator, PmiGenerator
from frontdesk.kg.entities import Event, Person, Room
from frontdesk.kg.errors import UnavailableError
from frontdesk.kg.knowledge_base import KnowledgeBase

ZONE = ZoneInfo("UTC")
NOW = dt.datetime(2026, 3, 2, 9, tzinfo=ZONE)
QUESTION = "Where is the lens workshop?"
RIGHT, ALSO_RIGHT, FACTS = ("It is in Rowan.", "The lens workshop will be in Rowan.",
                            "The lens workshop is in Rowan.")
WRONG, OTHER = "It is in Beta.", "Ines Okafor organises it."


class Several:
    """Offers replies, and others when it is asked to decode towards the facts."""

    name = "several"

    def __init__(self, *texts: str, by_pmi: tuple[str, ...] | Exception = ()) -> None:
        self.texts, self.by_pmi = texts, by_pmi
        self.asked = 0

    def generate(self, request):
        return self.generate_several(request, 1)[0]

    def generate_several(self, request, count):
        return [GeneratedReply(text, tuple(request.knowledge)) for text in self.texts[:count]]

    def generate_by_pmi(self, request, count, settings):
        self.asked += 1
        self.settings = settings
        if isinstance(self.by_pmi, Exception):
            raise self.by_pmi
        return [GeneratedReply(text, tuple(request.knowledge)) for text in self.by_pmi[:count]]


class Slow(Several):
    def generate_several(self, request, count):
        import time
        time.sleep(0.02)
        return super().generate_several(request, count)


@pytest.fixture(scope="module")
def kb():
    return KnowledgeBase(
        name="F", timezone=ZONE, rooms=[Room("r1", "Beta"), Room("r2", "Rowan")],
        people=[Person("p1", "Ines Okafor")],
        events=[Event("e1", "lens workshop", NOW, NOW + dt.timedelta(hours=1), "r2", "p1",
                      ("p1",))])


@pytest.fixture
def say(kb, encoder):
    def reply(generator, **check):
        settings = replace(Settings(), check=replace(CheckSettings(), **{
            "pmi_decode": True, **check}))
        return Agent(kb, settings, clock=lambda: NOW, encoder=encoder,
                     generator=generator).session().reply(QUESTION)
    return reply


def test_the_double_is_what_it_stands_for():
    assert isinstance(Several(RIGHT), NBestGenerator)
    assert isinstance(Several(RIGHT), PmiGenerator)


def test_the_first_reply_that_passes_is_said(say):
    generator = Several(RIGHT, ALSO_RIGHT)
    reply = say(generator)
    assert (reply.text, reply.generator, reply.repaired) == (RIGHT, "several", "")
    reply = say(Several(WRONG, OTHER, ALSO_RIGHT))
    assert (reply.text, reply.generator) == (ALSO_RIGHT, "several")
    assert reply.repaired.startswith("candidate 3 of 3 chosen: “It is in Beta.” failed")
    assert generator.asked == 0


def test_then_what_is_decoded_towards_the_facts(say):
    generator = Several(WRONG, by_pmi=(WRONG, OTHER, RIGHT))
    reply = say(generator, alpha=0.5, top_p=0.9)
    assert (reply.text, reply.generator) == (RIGHT, "several")
    assert reply.repaired.startswith("decoded towards the facts (PMI-DECODE): “It is in Beta.”")
    assert (generator.settings.alpha, generator.settings.top_p) == (0.5, 0.9)
    assert generator.asked == 1


def test_then_the_facts_themselves(say):
    reply = say(Several(WRONG, by_pmi=(OTHER,)))
    assert (reply.text, reply.generator) == (FACTS, "realiser")
    assert reply.repaired.startswith("replaced by verbalised facts: “It is in Beta.”")


@pytest.mark.parametrize("question", [
    "Please book Rowan for me.", "What is her shoe size?", "When is the quarterly summit?"])
def test_nothing_is_decoded_where_no_reply_of_a_generator_could_pass(kb, encoder, question):
    generator = Several(WRONG, by_pmi=(RIGHT,))
    Agent(kb, Settings(check=CheckSettings(pmi_decode=True)), clock=lambda: NOW, encoder=encoder,
          generator=generator).session().reply(question)
    assert generator.asked == 0


def test_where_the_facts_do_not_pass_either_nothing_is_claimed(kb, encoder):
    class Liar:
        name = "realiser"

        def generate(self, request):
            return GeneratedReply(WRONG, tuple(request.knowledge))

    agent = Agent(kb, clock=lambda: NOW, encoder=encoder, generator=Several(WRONG))
    agent.realiser = Liar()
    reply = agent.session().reply(QUESTION)
    assert reply.text == "I'm sorry, I cannot answer that reliably."
    assert reply.repaired.startswith("withheld: ")


@pytest.mark.parametrize(("texts", "by_pmi", "said", "repaired"), [
    ((WRONG, OTHER), (), OTHER, "candidate 2 of 2"), ((WRONG,), (RIGHT,), RIGHT, "PMI-DECODE"),
    ((RIGHT,), (), RIGHT, "")])
def test_a_generator_can_be_held_to_its_own_words_that_pass(say, texts, by_pmi, said, repaired):
    """Whether they answer is not asked then, only whether they are so."""
    reply = say(Several(*texts, by_pmi=by_pmi), repair="generator")
    assert (reply.text, reply.generator) == (said, "several")
    assert repaired in reply.repaired
    assert bool(repaired) == bool(reply.repaired)


def test_its_first_words_are_said_where_none_passes_or_none_is_to(say):
    reply = say(Several(WRONG, by_pmi=("It is in Beta now.",)), repair="generator")
    assert (reply.text, reply.repaired) == (WRONG, "")
    assert any("none of 2 replies passed" in note for note in reply.notes)
    generator = Several(WRONG, RIGHT, by_pmi=(RIGHT,))
    reply = say(generator, repair="none")
    assert (reply.text, reply.repaired, generator.asked) == (WRONG, "", 0)
    assert any("not repaired, as the settings say" in note for note in reply.notes)


def test_decoding_again_can_be_turned_off_is_skipped_late_and_may_fail(say):
    assert not Settings().check.pmi_decode
    off = Several(WRONG, by_pmi=(RIGHT,))
    assert say(off, pmi_decode=False).text == FACTS
    assert off.asked == 0
    late = Slow(WRONG, by_pmi=(RIGHT,))
    reply = say(late, budget_ms=5.0)
    assert reply.text == FACTS
    assert late.asked == 0
    assert any("PMI-DECODE was skipped" in note and "budget is 5 ms" in note
               for note in reply.notes)
    assert say(Slow(WRONG, by_pmi=(RIGHT,)), budget_ms=0.0).text == RIGHT
    failing = Several(WRONG, by_pmi=UnavailableError("no room", place="here", remedy="none"))
    reply = say(failing)
    assert reply.text == FACTS
    assert any("PMI-DECODE was skipped" in note and "no room" in note for note in reply.notes)
