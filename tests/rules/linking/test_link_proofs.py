from __future__ import annotations

import datetime as dt
from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from frontdesk.kg.graph.dialogue_graph import USER, DialogueGraph, Hypothesis, Link
from frontdesk.kg.graph.entities import Event, Group, Person, Room
from frontdesk.kg.graph.facts import Provenance
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.names.gazetteer import GazetteerDetector
from frontdesk.rules.linking.circuit import LinkingCircuit
from frontdesk.rules.linking.link_proofs import MOST_ALTERNATIVES, VALUES
from frontdesk.rules.linking.linking import Linker

ZONE = ZoneInfo("Europe/Oslo")
NOW = dt.datetime(2026, 3, 2, 9, 30, tzinfo=ZONE)


@pytest.fixture(scope="module")
def kb():
    start = dt.datetime(2026, 3, 3, 12, tzinfo=ZONE)
    return KnowledgeBase(
        name="Fjordlight", timezone=ZONE, groups=[Group("g1", "Optics")],
        rooms=[Room("r1", "Beta")],
        people=[Person("p1", "Ines Okafor", group="g1"), Person("p2", "Bo Haraldsen"),
                *(Person(f"a{number}", f"Alex {name}") for number, name in enumerate(
                    ("Moreau", "Winter", "Lind", "Solberg", "Dahl", "Nilsen", "Falk")))],
        events=[Event("e1", "budget review", start, start + dt.timedelta(hours=1), "r1", "p2",
                      ("p1", "p2"))])


@pytest.fixture(scope="module")
def circuit():
    return LinkingCircuit()


@pytest.fixture(scope="module")
def prove(kb, circuit):
    """The proofs of all links of the last utterance, by mention and entity."""
    detector = GazetteerDetector(kb)
    linker = Linker(kb, detector.index, circuit)
    prover = linker.prover()

    def proofs(*said):
        graph = DialogueGraph()
        for text in said:
            observation = detector.detect(text, now=NOW)
            turn = graph.add_turn(USER, [Hypothesis(text)], at=NOW)
            nodes = [graph.add_mention(turn, each, topic=True) for each in observation.mentions]
            linked = linker.link(graph, turn, observation, nodes, now=NOW)
            for each in linked:
                for link in each.links:
                    graph.add_reference(each.node, link.entity, probability=link.probability,
                                        entity_type=kb.entity(link.entity).type,
                                        provenance=link.provenance)
        return {(each.mention.text, link.entity): prover.prove(each, link)
                for each in linked for link in each.links}

    return proofs


def test_a_proof_has_the_rules_that_fired_with_what_each_alone_would_give(prove, circuit):
    proof = prove("Where is Ines Okafro?")["Ines Okafro", "p1"]
    weights = {rule.name: rule.probability for rule in circuit.rules}
    assert "two_letters_off" in {step.rule for step in proof.steps}
    assert "exact_name" not in {step.rule for step in proof.steps}
    for step in proof.steps:
        assert step.strength == pytest.approx(weights[step.rule])
        assert step.place.startswith("linking.pl:")
    assert [step.strength for step in proof.steps] == sorted(
        (step.strength for step in proof.steps), reverse=True)


def test_strengths_of_a_name_alone_add_up_to_the_probability_of_the_pair(prove):
    proof = prove("Where is Ines Okafro?")["Ines Okafro", "p1"]
    missed = 1.0
    for step in proof.steps:
        missed *= 1 - step.strength
    assert proof.alternatives == ()
    assert proof.probability == pytest.approx(1 - missed)
    assert proof.nothing == pytest.approx(missed)


def test_words_carry_the_values_of_the_features(prove):
    words = {step.rule: step.words for step in prove("Where is Ines Okafro?")[
        "Ines Okafro", "p1"].steps}
    assert words["two_letters_off"] == "the names differ by two letters"
    assert words["similar_name"].startswith(
        "the names are spelt alike, Jaro-Winkler similarity 0.9")
    part = next(step.words for step in prove("Where is Ines?")["Ines", "p1"].steps
                if step.rule == "part_of_name")
    assert part.startswith("all words said are in the name and carry ")
    assert part.endswith("% of its information")


def test_recency_shows_the_intermediate_rules_with_the_probability_of_the_earlier_link(
        prove, circuit):
    step, = prove("Where is Ines?", "What is her group?")["her", "p1"].steps
    earlier = prove("Where is Ines?")["Ines", "p1"].probability
    topic = next(rule for rule in circuit.rules if rule.name == "topic_1")
    assert step.rule == "topic_1"
    assert step.words == topic.reason
    assert step.strength == pytest.approx(topic.probability * earlier)


def test_alternatives_are_the_best_of_those_that_lost_and_the_rest_is_summed_up(prove):
    proof = prove("Where is Alex?")["Alex", "a0"]
    assert len(proof.alternatives) == MOST_ALTERNATIVES
    assert "a0" not in dict(proof.alternatives)
    total = (proof.probability + sum(dict(proof.alternatives).values()) + proof.others
             + proof.nothing)
    assert proof.others > 0
    assert total == pytest.approx(1)


def test_several_that_are_meant_at_once_exclude_nothing(prove):
    proofs = prove("Who are the attendees of the budget review?")
    plural = [proof for (mention, entity), proof in proofs.items() if entity in ("p1", "p2")]
    assert len(plural) == 2
    assert all(proof.nothing is None for proof in plural)


def test_a_link_that_the_user_chose_says_so(kb, circuit):
    detector = GazetteerDetector(kb)
    linker = Linker(kb, detector.index, circuit)
    graph, observation = DialogueGraph(), detector.detect("Where is Alex?", now=NOW)
    turn = graph.add_turn(USER, [Hypothesis("Where is Alex?")], at=NOW)
    nodes = [graph.add_mention(turn, each) for each in observation.mentions]
    linked, = linker.link(graph, turn, observation, nodes, now=NOW)
    chosen = Link(nodes[0], "Alex", "a1", 0.95, Provenance("clarification", ("you chose it",)))
    proof = linker.prover().prove(replace(linked, links=(chosen,)), chosen)
    assert [(step.rule, step.words, step.strength) for step in proof.steps] == [
        ("clarification", "you chose it", 0.95)]
    assert proof.alternatives == ()


def test_every_rule_that_has_words_of_its_own_is_a_rule_of_linking(circuit):
    assert set(VALUES) <= {rule.name for rule in circuit.rules}


def test_every_rule_says_what_it_means(circuit):
    assert all(rule.reason for rule in circuit.rules)
