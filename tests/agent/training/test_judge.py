"""Figures of link probabilities, worked by hand, and the comparison of two sets of weights."""

from __future__ import annotations

import json
import math

import pytest

from frontdesk.agent.training.compare_weights import (
    ALL_RANKED,
    WITH_ENTITY,
    WITHOUT_ENTITY,
    compare_weights,
    verdict,
)
from frontdesk.agent.training.judge_model import (
    GIVEN_ASR,
    LEAST_PROBABLE,
    JudgedMention,
    brier_figure,
    calibration_figure,
    judge_mention,
    log_loss_figure,
    precision_figure,
    reliability_bins,
)
from frontdesk.kg.graph.errors import InputError


def judged(gold: str, *ranked: tuple[str, float], dialogue: str = "D",
           variant: str = "given") -> JudgedMention:
    return judge_mention(dialogue, variant, tuple(gold), ranked)


# --- one mention

def test_judged_mention_has_the_probability_of_what_is_right():
    mention = judged("a", ("a", 0.7), ("b", 0.2))
    assert (mention.first, mention.confidence) == (True, 0.7)
    assert mention.log_loss == pytest.approx(-math.log(0.7))
    # a should be 1, b and "none of them" (the 0.1 that is left) should be 0.
    assert mention.brier == pytest.approx(0.3 ** 2 + 0.2 ** 2 + 0.1 ** 2)


def test_judged_mention_of_nothing_in_the_knowledge_base_should_have_no_candidate():
    mention = judged("", ("a", 0.7), ("b", 0.2))
    assert (mention.refers, mention.first) == (False, False)
    assert mention.log_loss == pytest.approx(-math.log(0.1))
    assert mention.brier == pytest.approx(0.9 ** 2 + 0.7 ** 2 + 0.2 ** 2)
    assert judged("").log_loss == 0


def test_judged_mention_whose_referent_was_not_considered_is_as_wrong_as_can_be():
    mention = judged("a", ("b", 1.0))
    assert mention.log_loss == pytest.approx(-math.log(LEAST_PROBABLE))
    assert mention.brier == pytest.approx(2.0)
    missed = judged("a")
    assert (missed.first, missed.confidence, missed.brier) == (None, None, 2.0)


def test_judged_mention_of_several_counts_their_probabilities_together():
    assert judged("ab", ("a", 0.4), ("b", 0.5)).log_loss == pytest.approx(-math.log(0.9))
    # Meant together, each with 0.9; c is unlikely.
    together = judged("ab", ("a", 0.9), ("b", 0.9), ("c", 0.05))
    assert together.probability == pytest.approx(1.8 / 1.85)


def test_judged_mention_is_read_back_as_it_was_written():
    for mention in (judged("a", ("a", 1 / 3)), judged("a"), judged("", ("b", 0.5))):
        assert JudgedMention.from_json(json.loads(json.dumps(mention.to_json()))) == mention


# --- figures

MENTIONS = [judged("a", ("a", 0.92)), judged("a", ("b", 0.98), ("a", 0.02)),
            judged("a", ("a", 0.31)), judged("a"), judged("", ("b", 0.35))]


def test_figures_are_those_worked_by_hand():
    assert precision_figure(MENTIONS).of_all() == pytest.approx(2 / 4)
    losses = [0.92, 0.02, 0.31, LEAST_PROBABLE, 0.65]
    assert log_loss_figure(MENTIONS).of_all() == pytest.approx(
        -sum(map(math.log, losses)) / 5)
    assert brier_figure(MENTIONS).of_all() == pytest.approx(
        (2 * 0.08 ** 2 + 2 * 0.98 ** 2 + 2 * 0.69 ** 2 + 2 + 2 * 0.35 ** 2) / 5)
    # In the bin from 0.9: 0.92 right, 0.98 wrong; in that from 0.3: 0.31 right, 0.35 wrong.
    assert calibration_figure(MENTIONS).of_all() == pytest.approx(
        (abs(0.92 + 0.98 - 1) + abs(0.31 + 0.35 - 1)) / 4)


def test_reliability_bins_have_the_share_that_is_right():
    low, high = reliability_bins(MENTIONS)
    assert (low.probability, low.correct, low.links) == (pytest.approx(0.33), 0.5, 2)
    assert (high.probability, high.correct, high.links) == (pytest.approx(0.95), 0.5, 2)


# --- two sets of weights

def dialogues(probability: float, *, wrong: float = 0.0, count: int = 12) -> list[JudgedMention]:
    return [judged("a", ("a", probability - place / 1000), ("b", wrong), dialogue=f"D{place}")
            for place in range(count)]


def test_learned_weights_that_are_surely_better_are_to_be_shipped():
    compared = compare_weights(dialogues(0.5), dialogues(0.9), seed=0)
    assert (compared["better"], compared["ship"], compared["beyond_noise"]) == (
        "learned", "learned", True)
    loss = compared["figures"][ALL_RANKED]["log_loss"]
    assert loss["difference"] == pytest.approx(math.log(0.5 / 0.9), abs=0.02)
    assert loss["low"] <= loss["difference"] <= loss["high"] < 0
    assert loss["p_value"] == pytest.approx(2 / 2 ** 12)
    assert verdict(compared).endswith("To ship: the weights learned.")


def test_learned_weights_that_are_better_on_few_dialogues_only_are_not_shipped():
    # The interval excludes 0, but of four dialogues no exchange has a p-value below 0.05.
    compared = compare_weights(dialogues(0.5, count=4), dialogues(0.9, count=4), seed=0)
    assert compared["figures"][ALL_RANKED]["log_loss"]["high"] < 0
    assert (compared["better"], compared["ship"]) == ("learned", "by_hand")


def test_learned_weights_that_are_surely_worse_are_not():
    compared = compare_weights(dialogues(0.9), dialogues(0.5), seed=0)
    assert (compared["better"], compared["ship"], compared["beyond_noise"]) == (
        "by_hand", "by_hand", True)


def test_learned_weights_that_are_better_within_noise_are_not_shipped():
    by_hand = [*dialogues(0.6), judged("a", ("a", 0.9), dialogue="E")]
    learned = [*dialogues(0.62), judged("a", ("a", 0.75), dialogue="E")]
    compared = compare_weights(by_hand, learned, seed=0)
    assert (compared["better"], compared["ship"], compared["beyond_noise"]) == (
        "learned", "by_hand", False)
    assert "within noise" in verdict(compared)


def test_learned_weights_that_are_less_precise_anywhere_are_not_better():
    own = [judged("a", ("a", 0.6), dialogue="E", variant="own")]
    worse = [judged("a", ("b", 0.6), dialogue="E", variant="own")]
    compared = compare_weights(dialogues(0.5) + own, dialogues(0.9) + worse, seed=0)
    assert (compared["better"], compared["less_precise"]) == ("by_hand", ["own"])
    assert "less precise in own" in verdict(compared)


def test_comparison_tells_mentions_with_and_without_an_entity_apart():
    mentions = [judged("a", ("a", 0.8)), judged("", ("a", 0.4), variant=GIVEN_ASR),
                judged("a", ("a", 0.9), variant="own")]
    figures = compare_weights(mentions, mentions, seed=0)["figures"]
    assert {name: each["mentions"] for name, each in figures.items()} == {
        ALL_RANKED: 2, WITH_ENTITY: 1, WITHOUT_ENTITY: 1, "given": 1, GIVEN_ASR: 1, "own": 1}
    assert "precision_at_1" not in figures[WITHOUT_ENTITY]
    assert figures[ALL_RANKED]["log_loss"]["difference"] == 0


def test_comparison_is_of_the_same_mentions_only():
    with pytest.raises(ValueError, match="same mentions"):
        compare_weights(dialogues(0.5), dialogues(0.5, count=3), seed=0)


def test_comparison_without_annotated_mentions_says_so():
    with pytest.raises(InputError, match="no annotated mention"):
        compare_weights([], [], seed=0)
