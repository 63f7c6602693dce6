from __future__ import annotations

import pytest
from problog.engine import DefaultEngine
from problog.program import PrologString
from problog.sdd_formula import SDD

from frontdesk.kg.graph.dialogue_graph import USER, DialogueGraph, Hypothesis
from frontdesk.kg.names.gazetteer import GazetteerDetector
from frontdesk.rules.linking.circuit import LinkingCircuit
from frontdesk.rules.linking.linking import Linker
from frontdesk.rules.linking.n_best import (
    MOST_HYPOTHESES,
    HeardMention,
    hypothesis_weights,
    link_hypotheses,
)

CIRCUIT = LinkingCircuit()


@pytest.fixture
def hear(kb, now):
    """``hear("first hypothesis", "second", ...)``: what is heard, and the graph it is heard in."""
    detector = GazetteerDetector(kb)
    linker = Linker(kb, detector.index, CIRCUIT)

    def listen(*texts: str, weights: list[float] | None = None) -> list[HeardMention]:
        graph = DialogueGraph()
        turn = graph.add_turn(USER, [Hypothesis(text) for text in texts], at=now)
        before = graph.to_json()
        heard = link_hypotheses(linker, detector, graph, turn, now=now, weights=weights).mentions
        assert graph.to_json() == before
        return heard
    return listen


# --- how probable a hypothesis is

@pytest.mark.parametrize("confidences", [
    [0.9, None], [None, None, None], [1.0, None, None], [0.4, 0.3, 0.2], [0.0, None], [7.0, None]])
def test_n_best_weights_fall_and_sum_to_one(confidences):
    weights = hypothesis_weights([Hypothesis("x", each) for each in confidences])
    assert sum(weights) == pytest.approx(1)
    assert all(0 <= each <= 1 for each in weights)
    assert weights[1:] == sorted(weights[1:], reverse=True)


def test_n_best_a_single_hypothesis_is_certain_however_unsure_the_recogniser():
    assert hypothesis_weights([Hypothesis("x", 0.3)]) == [1.0]


def test_n_best_a_surer_recogniser_leaves_less_to_the_other_hypotheses():
    sure, unsure = ([Hypothesis("x", confidence), Hypothesis("y"), Hypothesis("z")]
                    for confidence in (0.95, 0.5))
    assert hypothesis_weights(sure)[1] < hypothesis_weights(unsure)[1]


def test_n_best_confidences_of_all_hypotheses_are_taken_as_they_are():
    weights = hypothesis_weights([Hypothesis("x", 0.6), Hypothesis("y", 0.2)])
    assert weights == pytest.approx([0.75, 0.25])


# --- mentions and links

def test_n_best_links_are_those_of_an_annotated_disjunction(hear):
    # Each hypothesis by itself gives P(link | h); ProbLog puts them together.
    texts, weights = ("is Amanda Barren in", "is Amanda Baron in", "is Amanda in"), [0.5, 0.3, 0.2]
    (heard,) = hear(*texts, weights=weights)
    program = "".join(
        f"{weights[index]}::said(h{index}){'.' if index == 2 else ';'}\n"
        for index in range(3))
    for index, text in enumerate(texts):
        (alone,) = hear(text)
        for entity, probability in alone.links:
            program += f"{probability}::refers_in(h{index}, '{entity}').\n"
    program += "refers_to(E) :- said(H), refers_in(H, E).\nquery(refers_to(_)).\n"
    ground = DefaultEngine().ground_all(DefaultEngine().prepare(PrologString(program)))
    expected = {str(atom.args[0]).strip("'"): float(value)
                for atom, value in SDD.create_from(ground).evaluate().items()}
    assert dict(heard.links) == pytest.approx(expected)
    assert heard.links[0][0] == "p-amanda"
    assert len(heard.links) == 2  # the bare first name may be the other Amanda's


def test_n_best_a_mention_in_some_hypotheses_only_is_uncertain(hear):
    pronoun, heard = hear("is it a bean there", "is Amanda Barren there",
                          "is Amanda Barren there", weights=[0.5, 0.3, 0.2])
    assert (pronoun.mention.text, pronoun.hypotheses) == ("it", (0,))
    assert heard.hypotheses == (1, 2)
    assert heard.mention.text == "Amanda Barren"
    assert heard.mention.probability == pytest.approx(0.5)
    assert heard.links[0][1] <= 0.5


def test_n_best_a_mention_in_every_hypothesis_is_certain(hear):
    (heard,) = hear("where is Birch", "wear is Birch", weights=[0.6, 0.4])
    assert (heard.hypotheses, heard.mention.probability) == ((0, 1), pytest.approx(1))


def test_n_best_another_hypothesis_repairs_what_the_first_misheard(hear):
    assert not hear("the paragraph summer please")
    (heard,) = hear("the paragraph summer please", "the paradigm seminar please")
    assert heard.links[0][0] == "e-seminar"


def test_n_best_hypotheses_that_disagree_about_a_name_share_its_probability(hear):
    (heard,) = hear("where is Birch please", "where is Beta please", weights=[0.7, 0.3])
    assert [entity for entity, _ in heard.links] == ["r-birch", "r-beta"]
    assert heard.links[0][1] == pytest.approx(0.7, abs=0.03)
    assert heard.links[1][1] == pytest.approx(0.3, abs=0.03)


def test_n_best_aligns_words_that_were_split_or_joined(hear):
    heard = hear("is amandabarren in today", "is Amanda Barren in today", weights=[0.5, 0.5])
    (amanda,) = [each for each in heard if each.links]
    assert amanda.links[0][0] == "p-amanda"
    first = "is amandabarren in today"
    assert first[amanda.mention.start:amanda.mention.end] == "amandabarren"


def test_n_best_two_mentions_of_one_hypothesis_stay_two(hear):
    heard = hear("Amanda Barren and Sven", "Amanda Barren and Sven")
    assert [each.mention.text for each in heard] == ["Amanda Barren", "Sven"]
    assert [each.hypotheses for each in heard] == [(0, 1), (0, 1)]


def test_n_best_gives_no_times_and_no_bare_types(hear):
    assert not hear("which rooms are free at noon", "which rooms are free at two")


@pytest.mark.parametrize("confidences", [
    [1.0, 0.0], [0.0, 0.0], [float("nan"), 0.5], [-0.5, None], [float("inf"), 0.2], [7.0, 3.0]])
def test_n_best_weighs_any_confidence(confidences):
    weights = hypothesis_weights([Hypothesis("x", each) for each in confidences])
    assert sum(weights) == pytest.approx(1)
    assert all(0 <= each <= 1 for each in weights)


def test_n_best_what_cannot_have_been_said_is_not_heard(hear):
    heard = hear("where is amanda barren", "where is richard chambers", weights=[1.0, 0.0])
    assert [entity for each in heard for entity, _ in each.links] == ["p-amanda"]
    impossible = hear("where is amanda barren", "where is richard chambers", weights=[0.0, 1.0])
    assert [entity for each in impossible for entity, _ in each.links] == ["p-richard"]


def test_n_best_reads_a_number_of_hypotheses_and_says_so(kb, now):
    detector = GazetteerDetector(kb)
    graph = DialogueGraph()
    turn = graph.add_turn(USER, [Hypothesis("where is amanda barren")] * 60, at=now)
    heard = link_hypotheses(Linker(kb, detector.index, CIRCUIT), detector, graph, turn, now=now)
    assert max(max(each.hypotheses) for each in heard.mentions) == MOST_HYPOTHESES - 1
    assert any("of 60" in note for note in heard.notes)
