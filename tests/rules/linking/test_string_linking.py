from __future__ import annotations

import datetime as dt

from frontdesk.kg.car.car_mentions import CarDetector, ExactDetector
from frontdesk.kg.graph.dialogue_graph import USER, DialogueGraph, Hypothesis
from frontdesk.rules.linking.string_linking import StringLinker

NOW = dt.datetime(2026, 3, 18, 9, tzinfo=dt.UTC)


class NoRecency:
    def saliency(self, graph, turn):
        return {"poi:3": 0.5}


def link(base, text: str, detector=ExactDetector):
    observation = detector(base).detect(text, now=NOW)
    graph = DialogueGraph()
    turn = graph.add_turn(USER, [Hypothesis(text)], at=NOW)
    nodes = [graph.add_mention(turn, mention) for mention in observation.mentions]
    linker = StringLinker(base, NoRecency())
    return linker, graph, turn, linker.link(graph, turn, observation, nodes, now=NOW)


def test_string_linker_links_equal_names_with_certainty(car_places):
    _, _, _, linked = link(car_places, "How far is the BLUE mug from a parking garage?")
    assert [(each.mention.text, [(found.entity, found.probability) for found in each.links])
            for each in linked] == [
        ("BLUE mug", [("poi:3", 1.0)]),
        ("parking garage", [("category:parking garage", 1.0)])]
    assert linked[0].links[0].provenance.premises == ("BLUE mug = Blue Mug",)


def test_string_linker_links_no_part_of_a_name_and_no_pronoun(car_places):
    _, _, _, linked = link(car_places, "how far is the blue one, is it near?", CarDetector)
    assert [each.links for each in linked] == [()] * len(linked)


def test_string_linker_takes_saliency_from_recency(car_places):
    linker, graph, turn, _ = link(car_places, "and there?")
    assert linker.saliency(graph, turn) == {"poi:3": 0.5}
