"""Precision, recall and F1 of mentions, and the development figures of the detectors."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from frontdesk.agent.evaluation.measure_mentions import (
    FoundMentions,
    annotated_spans,
    compare_mentions,
    detected_spans,
    found_mentions,
)
from frontdesk.agent.training.mentions.run_mentions import measure
from frontdesk.data.datasets.entity_annotations import EntityAnnotation
from frontdesk.data.datasets.graphwoz import load_graphwoz
from frontdesk.kg.graph.entities import Group
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.models.mention_tagger import load_tagger
from frontdesk.kg.models.mention_tags import MentionType, TaggedSpan
from frontdesk.kg.names.gazetteer import GazetteerDetector

from ...conftest import SAMPLES

NOW = dt.datetime(2026, 3, 17, 10, 20, tzinfo=dt.UTC)
PERSON, GROUP = MentionType.PERSON, MentionType.GROUP


@pytest.fixture(scope="module")
def kb() -> KnowledgeBase:
    return KnowledgeBase(name="Acme", timezone=ZoneInfo("UTC"), groups=[Group("g1", "Optics")])


def spans(*bounds, kind=PERSON):
    return [TaggedSpan(start, end, kind, 1.0) for start, end in bounds]


def test_mentions_are_compared_one_to_one():
    # The first is the same, the second overlaps, the third is missed, one of ours is too much.
    found = compare_mentions(spans((0, 5), (6, 12), (20, 24)), spans((0, 5), (8, 14), (30, 34)))
    assert found == FoundMentions(annotated=3, own=3, exact=1, partial=2)
    assert compare_mentions(spans((0, 4), (4, 9)), spans((0, 9))) == FoundMentions(2, 1, 0, 1)
    assert compare_mentions(spans((0, 9)), spans((0, 4), (0, 9))) == FoundMentions(1, 2, 1, 1)


def test_mentions_of_one_type_are_compared_with_that_type_alone():
    assert compare_mentions(spans((0, 5)), spans((0, 5), kind=GROUP), PERSON) == FoundMentions(1, 0)
    assert compare_mentions(spans((0, 5)), spans((0, 5), kind=GROUP)) == FoundMentions(1, 1, 1, 1)


def test_mention_figures_are_those_worked_out_by_hand():
    figures = (FoundMentions(2, 4, 1, 2) + FoundMentions(2, 0, 0, 0)).figures()
    assert figures == pytest.approx({
        "annotated": 4, "own": 4, "precision": 1 / 4, "recall": 1 / 4, "f1": 2 / 8,
        "precision_partial": 2 / 4, "recall_partial": 2 / 4, "f1_partial": 4 / 8})
    assert FoundMentions().figures()["f1"] is None


def test_annotated_mentions_have_the_type_of_what_they_are(kb):
    text = "I'm Ada, is the optics group in, and when is it and the lens review and this group?"
    listed = [("Ada", "@speaker", ()), ("optics group", "Optics", ("g1",)), ("it", "x", ()),
              ("lens review", "@newevent", ()), ("this group", "Optics", ("g1",)),
              ("is", "nobody", ()), ("gone away", "Optics", ("g1",)), ("I", "@speaker", ())]
    found = annotated_spans([EntityAnnotation(*each) for each in listed], text, kb)
    assert [(text[each.start:each.end], str(each.type)) for each in found] == [
        ("Ada", "speaker"), ("optics group", "group"), ("it", "pronoun"),
        ("lens review", "event"), ("this group", "definite")]


def test_detected_mentions_are_those_that_refer_to_entities(kb):
    text = "I'm Zoe Quist, which rooms has the Optics group at noon, and where is the meeting?"
    found = detected_spans(GazetteerDetector(kb).detect(text, now=NOW).mentions)
    assert [(text[each.start:each.end], str(each.type)) for each in found] == [
        ("Zoe Quist", "speaker"), ("Optics group", "group"), ("the meeting", "definite")]


def test_found_mentions_are_counted_over_dialogues():
    dialogues = list(load_graphwoz(SAMPLES / "graphwoz_sample.json").values())
    nothing = found_mentions(dialogues, lambda _: lambda text, now: [], heard=False)
    assert nothing["all"].annotated > 0
    assert nothing["all"].own == 0
    everything = found_mentions(dialogues, lambda dialogue: lambda text, now: [
        TaggedSpan(0, len(text), PERSON, 1.0)] if text else [], heard=True)
    assert everything["all"].own > 0
    assert everything["all"].partial > 0


def test_development_figures_of_the_tagger_hold(dev_dialogues):
    figures = measure(list(dev_dialogues.values()), load_tagger())
    for said, best in (("written", 0.775), ("heard", 0.67)):
        rules, both = figures[f"rules, {said}"], figures[f"both, {said}"]
        assert both["f1"] >= best
        assert both["f1"] > rules["f1"]
        assert both["recall_partial"] >= rules["recall_partial"]
        assert both["precision"] > rules["precision"] - 0.01
