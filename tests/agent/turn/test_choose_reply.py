"""What is said when replies fail their checks: each way out, and what the reply says of it."""

from __future__ import annotations

import datetime as dt
import time
from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from frontdesk.agent import Agent
from frontdesk.agent.domains.organisation_pack import organisation_components
from frontdesk.agent.settings.settings import CheckSettings, Settings
from frontdesk.agent.settings.thresholds import Threshold, Thresholds, with_thresholds
from frontdesk.agent.turn.pipeline import pipeline
from frontdesk.generation.checks.claims import Claim, Verdict
from frontdesk.generation.voice.generator import (
    GeneratedReply,
    NBestGenerator,
    PmiGenerator,
    TokenLogProbabilities,
)
from frontdesk.kg.graph.entities import Event, Person, Room
from frontdesk.kg.graph.errors import MissingModelError, UnavailableError
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

ZONE = ZoneInfo("UTC")
NOW = dt.datetime(2026, 3, 2, 9, tzinfo=ZONE)
QUESTION = "Where is the lens workshop?"
RIGHT, ALSO_RIGHT, FACTS = ("It is in Rowan.", "The lens workshop will be in Rowan.",
                            "The lens workshop is in Rowan, from 09:00 to 10:00.")
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
    def reply(generator, question=QUESTION, **check):
        settings = replace(Settings(), check=replace(CheckSettings(), **{
            "pmi_decode": True, **check}))
        return Agent(kb, settings, clock=lambda: NOW, encoder=encoder,
                     generator=generator).session().reply(question)
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
    assert reply.repaired.startswith("candidate 3 of 3: “It is in Beta.” failed")
    assert [step.split(":")[0] for step in reply.steps] == [
        "first reply failed", "candidate 2 of 3 failed", "candidate 3 of 3 passed"]
    assert reply.steps[-1] == f"candidate 3 of 3 passed: “{ALSO_RIGHT}”"
    assert generator.asked == 0


class Refusing:
    """A claim check that proves all replies but some, and keeps what it was asked."""

    def __init__(self, *unproved: str) -> None:
        self.unproved, self.asked = unproved, []

    def check(self, reply, used, prover):
        self.asked.append(reply)
        return (Claim(reply, "statement", Verdict.UNSUPPORTED if reply in self.unproved
                      else Verdict.SUPPORTED, "unknown"),)


@pytest.fixture
def say_proved(kb, encoder):
    def reply(check, generator, **settings):
        def stages(parts, source):
            return tuple(replace(each, claims=check) if each.name == "check" else each
                         for each in pipeline(parts, source))

        return Agent(kb, replace(Settings(), check=replace(CheckSettings(), **settings)),
                     clock=lambda: NOW, encoder=encoder, generator=generator,
                     stages=stages).session().reply(QUESTION)
    return reply


def test_a_reply_whose_claims_are_not_proved_is_not_said(say_proved):
    reply = say_proved(Refusing(RIGHT), Several(RIGHT, ALSO_RIGHT))
    assert reply.text == ALSO_RIGHT
    assert reply.repaired == (f"candidate 2 of 2: “{RIGHT}” failed the graph check "
                              f"(unsupported: {RIGHT})")
    assert [step.split(":")[0] for step in reply.steps] == [
        "first reply passed", "first reply was not proved", "candidate 2 of 2 passed"]
    assert (reply.graph_check.claims[-1].kind, reply.graph_check.claims[-1].text) == (
        "statement", ALSO_RIGHT)


def test_what_the_realiser_says_is_not_read(say_proved):
    check = Refusing(RIGHT, ALSO_RIGHT)
    reply = say_proved(check, Several(RIGHT, ALSO_RIGHT, WRONG))
    assert (reply.text, reply.generator) == (FACTS, "answers")
    assert check.asked == [RIGHT, ALSO_RIGHT]


def test_a_reply_that_nothing_proves_says_so(say_proved):
    note = "what the reply claims was not proved: nothing reads it in this domain"
    assert say_proved(None, Several(RIGHT)).notes.count(note) == 1
    assert note not in say_proved(Refusing(), Several(RIGHT)).notes


def test_only_what_is_about_to_be_said_is_proved(say_proved):
    check = Refusing()
    reply = say_proved(check, Several(WRONG, OTHER, RIGHT, ALSO_RIGHT))
    assert check.asked == [reply.text]


def test_then_what_is_decoded_towards_the_facts(say):
    generator = Several(WRONG, by_pmi=(WRONG, OTHER, RIGHT))
    reply = say(generator, alpha=0.5, top_p=0.9)
    assert (reply.text, reply.generator) == (RIGHT, "several")
    assert reply.repaired.startswith("decoded towards the facts (PMI-DECODE): “It is in Beta.”")
    assert (generator.settings.alpha, generator.settings.top_p) == (0.5, 0.9)
    assert generator.asked == 1


def test_then_the_facts_themselves(say):
    reply = say(Several(WRONG, by_pmi=(OTHER,)))
    assert (reply.text, reply.generator) == (FACTS, "answers")
    assert reply.repaired.startswith(
        "replaced by the answer as it was proved: “It is in Beta.”")
    assert reply.steps[-1].startswith("the rules answered the queries")
    assert reply.to_dict()["steps"] == list(reply.steps)


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

    by_patterns = replace(organisation_components(kb), queries=None)
    agent = Agent(by_patterns, clock=lambda: NOW, encoder=encoder, generator=Several(WRONG))
    agent.components = replace(agent.components, realiser=Liar())
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
    reply = say(Several("It is in Beta, organised by Tomas Lind.", WRONG), repair="generator")
    assert reply.text == WRONG  # the fewer claims that fail
    assert reply.repaired.startswith("candidate 2 of 2: ")
    generator = Several(WRONG, RIGHT, by_pmi=(RIGHT,))
    reply = say(generator, repair="none")
    assert (reply.text, reply.repaired, generator.asked) == (WRONG, "", 0)
    assert any("not repaired, as the settings say" in note for note in reply.notes)


@pytest.mark.parametrize(("repair", "speaks"), [("none", "several"), ("full", "answers")])
def test_a_generator_that_is_judged_alone_words_also_what_others_leave_to_the_facts(
        say, repair, speaks):
    assert say(Several(WRONG), "When is the quarterly summit?", repair=repair).generator == speaks


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


class Scoring(Several):
    """Finds some replies likelier than others, and the facts no reason for some."""

    def __init__(self, *texts, likelihood=None, without=None, **others):
        super().__init__(*texts, **others)
        self.likelihood, self.without = likelihood or {}, without or {}

    def log_probabilities(self, replies):
        return [TokenLogProbabilities(("all",), (
            self.likelihood.get(each.text, -2.0) if each.with_knowledge
            else self.without.get(each.text, -9.0),), ends=True) for each in replies]


@pytest.mark.parametrize(("likelihood", "said"), [
    ({RIGHT: -1.0, ALSO_RIGHT: -3.0}, RIGHT), ({RIGHT: -3.0, ALSO_RIGHT: -1.0}, ALSO_RIGHT)])
def test_replies_that_pass_are_ranked_anew(say, likelihood, said):
    reply = say(Scoring(WRONG, RIGHT, ALSO_RIGHT, likelihood=likelihood))
    assert reply.text == said
    assert reply.steps[-1].startswith("ranked 2 anew by Q² and likelihood: candidate")
    first = say(Scoring(WRONG, RIGHT, ALSO_RIGHT, likelihood=likelihood), rerank=False)
    assert first.text == RIGHT
    assert not any("ranked" in step for step in first.steps)


def test_what_is_more_faithful_wins_where_nobody_tells_likelihoods(say):
    """Of "there" nothing is known; of Rowan the facts say it."""
    reply = say(Several(WRONG, "Rowan, near the kitchen.", RIGHT), repair="generator")
    assert reply.text == RIGHT


@pytest.fixture
def thresholds(tmp_path):
    def write(generator="several", **least):
        path = tmp_path / "thresholds.json"
        path.write_text(with_thresholds(path, "organisation", Thresholds(
            **{name: Threshold(value) for name, value in least.items()}, generator=generator,
            components="embedded", dataset="graphwoz")))
        return str(path)
    return write


def test_a_reply_that_the_facts_make_less_likely_is_not_said(say, thresholds):
    unlikely = {RIGHT: -1.0}  # far likelier without the facts
    generator = Scoring(RIGHT, ALSO_RIGHT, likelihood={RIGHT: -8.0}, without=unlikely)
    assert say(generator, thresholds=thresholds()).text == RIGHT
    reply = say(generator, thresholds=thresholds(pmi_faith=-4.0))
    assert reply.text == ALSO_RIGHT
    assert "has a PMI-FAITH of -7.00, less than -4.00" in reply.repaired
    reply = say(Scoring(RIGHT, likelihood={RIGHT: -8.0}, without=unlikely),
                thresholds=thresholds(pmi_faith=-4.0))
    assert (reply.text, reply.generator) == (FACTS, "answers")


def test_a_reply_whose_questions_the_facts_answer_otherwise_is_not_said(say, thresholds):
    reply = say(Several(RIGHT), thresholds=thresholds(q2=0.9), repair="generator")
    assert (reply.text, reply.repaired) == (RIGHT, "")
    reply = say(Several("Rowan, near the kitchen.", RIGHT), thresholds=thresholds(q2=0.9),
                repair="generator")
    assert reply.text == RIGHT
    assert "less than 0.90" in reply.repaired


def test_a_threshold_of_another_generator_does_not_decide_and_says_so(say, thresholds):
    generator = Scoring(RIGHT, likelihood={RIGHT: -8.0}, without={RIGHT: -1.0})
    reply = say(generator, thresholds=thresholds("other", pmi_faith=-4.0))
    assert reply.text == RIGHT
    assert any("PMI-FAITH did not decide: its threshold was calibrated for other" in note
               for note in reply.notes)
    reply = say(Several(RIGHT), thresholds=thresholds(pmi_faith=-4.0))
    assert any("several gives no probabilities of replies" in note for note in reply.notes)


def test_ranking_anew_is_skipped_when_it_is_late(say, thresholds):
    class SlowlyScoring(Scoring):
        def log_probabilities(self, replies):
            time.sleep(0.1)
            return super().log_probabilities(replies)

    reply = say(SlowlyScoring(WRONG, RIGHT, ALSO_RIGHT, likelihood={ALSO_RIGHT: -0.1}),
                thresholds=thresholds(pmi_faith=-50.0), budget_ms=90.0)
    assert reply.text == RIGHT
    assert any("ranking anew was skipped" in note for note in reply.notes)


def test_an_empty_reply_is_never_the_least_wrong(say):
    assert say(Several(WRONG, "", " "), repair="generator").text == WRONG


def test_every_way_says_its_steps(kb, encoder, say):
    assert say(Several(RIGHT)).steps == (f"first reply passed: “{RIGHT}”",)
    assert say(Several(RIGHT), repair="none").steps == ("only reply passed",)
    assert say(Several(WRONG), repair="none").steps[0].startswith("only reply failed: “It is in B")
    by_patterns = replace(organisation_components(kb), queries=None)
    agent = Agent(by_patterns, clock=lambda: NOW, encoder=encoder, generator=Several(WRONG))
    assert agent.session().reply("What is her shoe size?").steps[1:] == (
        "no further reply was tried: the facts alone can answer", "the verbalised facts are said")
    reply = say(Several(WRONG, RIGHT, ALSO_RIGHT))
    assert reply.steps[-1].startswith("ranked 2 anew by Q²: candidate")
    repeats = say(Several(WRONG, by_pmi=(WRONG,)))
    assert "PMI-DECODE gave no other reply" in repeats.steps


def test_a_generator_that_cannot_decode_by_pmi_is_told(say):
    class Plain:
        name = "plain"

        def generate(self, request):
            return GeneratedReply(WRONG, tuple(request.knowledge))

    reply = say(Plain())
    assert reply.text == FACTS
    assert "PMI-DECODE was skipped: plain cannot decode by it" in reply.notes
    assert not say(Plain(), pmi_decode=False).notes


def test_no_more_replies_are_tried_when_it_is_late(say):
    reply = say(Slow(WRONG, RIGHT), budget_ms=5.0)
    assert reply.text == FACTS
    assert any("trying candidates 2 to 2 was skipped" in note for note in reply.notes)


def test_a_threshold_of_other_components_does_not_decide_and_says_so(say, tmp_path):
    path = tmp_path / "t.json"
    path.write_text(with_thresholds(path, "organisation", Thresholds(
        Threshold(0.9), components="a, b, c")))
    reply = say(Several("Rowan, near the kitchen."), thresholds=str(path), repair="generator")
    assert reply.text == "Rowan, near the kitchen."
    assert "Q² did not decide: its threshold was calibrated for a, b, c" in reply.notes


def test_models_of_the_hub_that_are_missing_are_found_out_at_the_start(kb, encoder):
    with pytest.raises(MissingModelError, match="question"):
        Agent(kb, Settings(check=CheckSettings(q2="hub")), clock=lambda: NOW, encoder=encoder,
              generator=Several(RIGHT))
