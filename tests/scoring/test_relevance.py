from __future__ import annotations

import datetime as dt
from dataclasses import replace
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from frontdesk.kg.english.cues import delexicalise
from frontdesk.kg.graph.facts import Fact, Provenance
from frontdesk.kg.graph.mentions import AskedFor, Mention, MentionKind, Observation
from frontdesk.kg.graph.schema import ORGANISATION, ArgumentType
from frontdesk.kg.graph.windows import instant
from frontdesk.scoring.relevance import (
    FEATURES,
    DialogueContext,
    RelevanceModel,
    RelevanceRanker,
)

ZONE = ZoneInfo("UTC")
NOW = dt.datetime(2026, 3, 2, 9, tzinfo=ZONE)
NOON = instant(dt.datetime(2026, 3, 3, 12, tzinfo=ZONE))
TEXT = "Where is the lens workshop tomorrow at noon?"
EVENT = Mention("lens workshop", 13, 26, MentionKind.NAME, frozenset({ArgumentType.EVENT}))
TIME = Mention("tomorrow at noon", 27, 43, MentionKind.TIME, window=NOON)
WHERE = AskedFor({"location": 1.0}, (frozenset({ArgumentType.ROOM}),))
FACTS = [
    (Fact("location", ("e1", "r1")), "The lens workshop is in Rowan."),
    (Fact("organizer", ("e1", "p1")), "The lens workshop is organised by Ines Okafor."),
    (Fact("location", ("e2", "r2")), "The budget review is in Beta."),
    (Fact("phone", ("p1", "555")), "Ines Okafor's phone number is 555."),
    (Fact("person_available", ("p1", NOON), provenance=Provenance("r")),
     "Ines Okafor is free tomorrow at 12:00."),
    (Fact("person_available", ("p1", instant(NOW)), provenance=Provenance("r")),
     "Ines Okafor is free today at 09:00."),
]


@pytest.fixture
def context():
    return DialogueContext(
        utterances=["Hello", TEXT], observation=Observation(
            TEXT, (EVENT, TIME), asks=True, asked=WHERE),
        linked={"e1": 1.0}, saliency={"e1": 1.0, "p1": 0.4})


@pytest.fixture
def features(encoder, context):
    rows = RelevanceRanker(encoder, schema=ORGANISATION).features(FACTS, context)
    return [dict(zip(FEATURES, row, strict=True)) for row in rows]


def test_ranker_puts_the_answering_fact_first_and_relevance_falls(encoder, context):
    ranked = RelevanceRanker(encoder, schema=ORGANISATION).rank(FACTS, context)
    assert ranked[0].fact == FACTS[0][0]
    relevances = [each.relevance for each in ranked]
    assert relevances == sorted(relevances, reverse=True)
    assert all(0 < each < 1 for each in relevances)


def test_ranker_of_nothing_gives_nothing(encoder, context):
    assert RelevanceRanker(encoder, schema=ORGANISATION).rank([], context) == []


def test_cosine_is_that_of_the_encoder_with_the_last_one_and_two_utterances(encoder, features):
    fact, last, two = encoder.encode([FACTS[0][1], TEXT, f"Hello {TEXT}"])
    assert features[0]["cosine_1"] == pytest.approx(float(fact @ last), abs=1e-4)
    assert features[0]["cosine_2"] == pytest.approx(float(fact @ two), abs=1e-4)


def test_bm25_prefers_facts_that_share_the_words(features):
    assert features[0]["bm25"] > features[2]["bm25"]
    assert max(each["bm25"] for each in features) == 1.0


def test_recency_is_the_saliency_of_what_a_fact_is_about(features):
    assert features[0]["recency"] == 1.0
    assert features[2]["recency"] == 0.0
    assert features[3]["recency"] == 0.4


def test_cue_and_question_single_out_what_is_asked(features):
    assert features[0]["cue"] == 1.0
    assert features[1]["cue"] == 0.0
    assert features[0]["question"] > features[1]["question"]


def test_window_feature_tells_the_time_spoken_of_from_others(features):
    assert features[4]["window"] == 1.0
    assert features[5]["window"] == 0.0
    assert features[0]["window"] == 0.5


def test_coverage_is_the_share_of_linked_entities_named(features):
    assert features[0]["coverage"] == 1.0
    assert features[3]["coverage"] == 0.0


def test_kind_features_tell_derived_facts_and_words_that_nobody_said(features):
    assert [each["derived"] for each in features] == [0, 0, 0, 0, 1, 1]
    # Of "The lens workshop is in Rowan" four words of six were said.
    said = {"the", "lens", "workshop", "is"}
    words = {"the", "lens", "workshop", "is", "in", "rowan"}
    assert features[0]["new_words"] == pytest.approx(len(words - said) / len(words))
    assert features[0]["nearness"] == 1.0
    assert features[3]["nearness"] == 0.5
    assert features[2]["nearness"] == 0.0


def test_type_feature_prefers_what_the_question_asks_for(features):
    assert features[0]["type"] == 1.0  # a room
    assert features[1]["type"] == 0.0  # a person


@pytest.mark.parametrize(("text", "before", "expected"), [
    ("Tell me more", "Hello", {"asks": 1.0, "polar": 0.0, "answers": 0.0}),
    ("Yes", "Do you mean the lens workshop?", {"asks": 1.0, "polar": 0.0, "answers": 1.0})])
def test_turn_features_are_those_of_the_turn(encoder, context, text, before, expected):
    turn = replace(context, utterances=[before, text],
                   observation=Observation(text, asks=True))
    rows = RelevanceRanker(encoder, schema=ORGANISATION).features(FACTS, turn)
    found = dict(zip(FEATURES, rows[3], strict=True))
    assert {name: found[name] for name in expected} == expected
    assert found["type"] == 0.5


def test_features_are_within_their_ranges(features):
    assert all(0 <= value <= 1 for each in features for name, value in each.items()
               if not name.startswith("cosine") and name != "question")
    assert all(-1 <= value <= 1 for each in features for value in each.values())


def test_model_is_a_logistic_of_the_weighted_sum():
    weights = dict.fromkeys(FEATURES, 0.0) | {"bm25": 2.0, "cue": -1.0}
    row = np.zeros((1, len(FEATURES)))
    row[0, FEATURES.index("bm25")] = 1.5
    row[0, FEATURES.index("cue")] = 1.0
    score = RelevanceModel(weights, bias=-1.0).score(row)
    assert score[0] == pytest.approx(1 / (1 + np.exp(-(2.0 * 1.5 - 1.0 - 1.0))))


def test_delexicalised_utterance_names_types_and_then(context):
    assert delexicalise(context.observation) == "Where is the event then?"
