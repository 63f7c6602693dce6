"""Why a reply says what it says, in lines for people and as data."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from frontdesk.agent import Agent
from frontdesk.agent.turn.explain_reply import explain_lines, why_lines
from frontdesk.agent.turn.proof_words import MOST_LINES, proof_data, proof_lines
from frontdesk.agent.turn.reply import Reply, named_links
from frontdesk.kg.english.verbalise import Verbaliser
from frontdesk.kg.graph.dialogue_graph import USER, DialogueGraph, Hypothesis
from frontdesk.kg.graph.entities import Event, Group, Person, Room
from frontdesk.kg.graph.errors import DeadlineError
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.windows import Window
from frontdesk.rules.engine.goal import Goal
from frontdesk.rules.engine.proofs import Expression, Proof, Variable
from frontdesk.scoring.ranked_fact import RankedFact

from ...templates import TEMPLATES

ZONE = ZoneInfo("Europe/Oslo")
NOW = dt.datetime(2026, 3, 2, 9, 30, tzinfo=ZONE)


@pytest.fixture(scope="module")
def kb():
    start = dt.datetime(2026, 3, 3, 12, tzinfo=ZONE)
    return KnowledgeBase(
        name="Fjordlight", timezone=ZONE, groups=[Group("g1", "Optics")],
        rooms=[Room("r1", "Beta")],
        people=[Person("p1", "Ines Okafor", group="g1"), Person("p2", "Ines Winter", group="g1")],
        events=[Event("e1", "budget review", start, start + dt.timedelta(hours=1), "r1", "p1",
                      ("p1",))])


@pytest.fixture(scope="module")
def agent(kb, encoder):
    return Agent(kb, TEMPLATES, clock=lambda: NOW, encoder=encoder)


def link(agent, *said):
    """The reply's links for the last of some utterances."""
    graph = DialogueGraph()
    for text in said:
        observation = agent.domain.detector.detect(text, now=NOW)
        turn = graph.add_turn(USER, [Hypothesis(text)], at=NOW)
        nodes = [graph.add_mention(turn, mention, topic=True) for mention in observation.mentions]
        linked = agent.domain.linker.link(graph, turn, observation, nodes, now=NOW)
        for each in linked:
            for found in each.links:
                graph.add_reference(each.node, found.entity, probability=found.probability,
                                    entity_type=agent.kb.entity(found.entity).type,
                                    provenance=found.provenance)
    return named_links(linked, agent.kb, agent.domain.linker.prover(),
                       Verbaliser(agent.kb, NOW))


def derive(agent, *asked):
    day = Window(NOW.replace(hour=12) + dt.timedelta(days=1),
                 NOW.replace(hour=13) + dt.timedelta(days=1))
    return agent.domain.reasoner.derive(Goal({"p1": 1.0}, [day], asked), now=NOW)


def reply_on(agent, predicate):
    """A reply that rests on one derived fact."""
    derived = derive(agent, predicate)
    fact = next(each for each in derived.facts if each.predicate == predicate)
    ranked = RankedFact(fact, Verbaliser(agent.kb, NOW).say(fact), 1.0)
    return Reply("Yes.", facts=(ranked,), prove=derived.proof, kb=agent.kb)


def test_a_link_says_its_rules_the_strongest_first_with_the_values_of_features(agent):
    line = why_lines(Reply("", links=link(agent, "Where is Ines Okafro?")))[0]
    assert line.startswith("link  “Ines Okafro” → Ines Okafor (person), p=0.")
    assert "the names differ by two letters (0." in line
    strengths = [float(each.rsplit("(", 1)[1].split(")")[0])
                 for each in line.split(": ", 1)[1].split("; ")]
    assert strengths == sorted(strengths, reverse=True)


def test_a_link_names_what_lost(agent):
    lines = why_lines(Reply("", links=link(agent, "Where is Ines?")))
    assert lines[0].startswith("link  “Ines” → Ines Okafor")
    assert lines[1].startswith("link  “Ines” → Ines Winter")
    assert lines[2].startswith("      rather than none of them (0.")


def test_a_pronoun_says_what_was_spoken_of_before(agent):
    first, *_ = link(agent, "Where is the budget review?", "Who organises it?")
    assert first.entity == "budget review"
    assert [step.rule for step in first.proof.steps] == ["topic_1"]
    assert first.proof.steps[0].place.startswith("linking.pl:")


def test_links_are_data_with_proof_and_alternatives(agent):
    data = Reply("", links=link(agent, "Where is Ines?")).to_dict()["links"][0]
    assert data == json.loads(json.dumps(data))
    assert {"rule", "strength", "place", "words"} == set(data["proof"][0])
    assert data["proof"][0]["rule"] == "part_of_name"
    other, = data["alternatives"]
    assert (other["entity"], other["id"]) == ("Ines Winter", "p2")
    assert data["probability"] + other["probability"] + data["others"] + data["nothing"] == \
        pytest.approx(1, abs=3e-4)


def test_a_derived_fact_says_its_whole_proof_in_names_and_times(agent):
    lines = explain_lines(reply_on(agent, "person_busy"))
    start = next(index for index, line in enumerate(lines) if line.startswith("rule"))
    proof = "\n".join(lines[start:])
    assert "attends(Ines Okafor, budget review) by commonsense.pl:attends/2, line" in proof
    assert "attendee(budget review, Ines Okafor) is stored" in proof
    assert "start(budget review, 2026-03-03 12:00) is stored" in proof
    assert "e1" not in proof


def test_a_derived_fact_carries_its_proof_as_data(agent):
    proof = reply_on(agent, "person_busy").to_dict()["facts"][0]["proof"]
    assert proof == json.loads(json.dumps(proof))
    assert proof["rule"] == "commonsense.pl:person_busy/3"
    assert not proof["stored"]
    stored = [each for child in proof["because"] for each in child["because"]]
    assert {"p1", "e1"} <= {value for each in stored for value in each["arguments"]
                            if isinstance(value, str)}


def test_a_proof_is_searched_for_once_and_only_for_facts_in_use(agent):
    reply, asked = reply_on(agent, "person_busy"), []
    derived = derive(agent, "person_busy")
    counted = replace(reply, prove=lambda fact: asked.append(fact) or derived.proof(fact))
    assert asked == []
    why_lines(counted)
    counted.to_dict()
    assert asked == [counted.facts[0].fact]


def test_a_proof_that_is_not_found_in_time_is_said_to_be_missing(agent):
    def too_late(fact):
        raise DeadlineError("the proof took longer than 2 s")

    reply = replace(reply_on(agent, "person_busy"), prove=too_late)
    assert any("no proof: the proof took longer" in line for line in why_lines(reply))
    assert "took longer" in reply.to_dict()["facts"][0]["proof"]["unavailable"]


def test_proof_lines_word_negation_comparison_uncertainty_and_what_is_cut(kb):
    minute = 29_541_540  # 2026-03-03 00:00 in Oslo
    proof = Proof("quiet", ("r1",), "own.pl:quiet/1", 0.6, (
        Proof("=<", (minute, minute + 60), None),
        Proof("is", (30, Expression("-", (660, 630))), None),
        Proof(",", (), None, children=(Proof("location", (Variable("E"), "r1"), None),
                                       Proof("start", (Variable("E"), minute), None)),
              negated=True),
        Proof("noisy", ("r1", Variable("_")), None, negated=True),
        Proof("room", ("r1",), "", cut=True)), line=3, strength=0.8, others=1)
    assert proof_lines(proof, kb) == [
        "quiet(Beta) by own.pl:quiet/1, line 3, a rule of 0.80, p=0.60, for 1 other reason too",
        "  2026-03-03 00:00 ≤ 2026-03-03 01:00",
        "  30 = 660 - 630",
        "  no location(E, Beta) with start(E, 2026-03-03 00:00) found",
        "  no noisy(Beta, _) found",
        "  room(Beta) is stored",
        "    …"]
    data = proof_data(proof, kb)
    assert data["because"][1]["arguments"] == [30, {"operator": "-", "arguments": [660, 630]}]
    assert data["because"][4]["stored"]
    assert data["because"][4]["cut"]


def test_proof_lines_of_a_long_proof_say_how_much_is_left_out(kb):
    proof = Proof("a", (), "own.pl:a/0", children=tuple(
        Proof("room", ("r1",), "") for _ in range(MOST_LINES + 9)))
    lines = proof_lines(proof, kb)
    assert len(lines) == MOST_LINES + 1
    assert lines[-1].startswith("… and 10 more lines")


def test_a_reply_tells_what_was_understood_and_what_was_proved(agent):
    reply = agent.session().reply("Is Ines Okafor free tomorrow at noon?")
    lines = why_lines(reply)
    form = '(holds (free (person "Ines Okafor") (at "tomorrow at noon")))'
    assert lines[0].startswith(f"parse (ask {form}), p=")
    (query,) = (each for each in lines if each.startswith("query "))
    assert query.startswith(f"query {form} → yes p=0.")
    told = json.loads(json.dumps(reply.to_dict()))
    assert told["parse"][0]["forms"] == [f"(ask {form})"]
    assert 0 < sum(each["probability"] for each in told["parse"]) <= 1.001
    assert (told["answers"][0]["kind"], told["answers"][0]["query"]) == ("yes_no", form)
    assert told["answers"][0]["holds"] < 0.5
