from __future__ import annotations

import numpy as np
import pytest

from frontdesk.data.measures.significance import (
    bleu_figure,
    bleu_of_sums,
    bootstrap_interval,
    compare_runs,
    mean_figure,
    ratio_figure,
)
from frontdesk.data.measures.text_metrics import corpus_bleu
from frontdesk.kg.graph.errors import InputError

WORDS = ["the", "room", "on", "floor", "two", "is", "free", "from", "nine", "until", "noon", "."]


def corpus(turns, *, changed, seed=0):
    """References, and replies in which a share of the words is another one."""
    random = np.random.default_rng(seed)
    references = [" ".join(random.choice(WORDS, size=int(random.integers(1, 12))))
                  for _ in range(turns)]
    replies = [" ".join("other" if random.random() < changed else word for word in text.split())
               for text in references]
    return replies, references


def test_bleu_figure_is_the_corpus_bleu_of_any_turns():
    replies, references = corpus(60, changed=0.3)
    figure = bleu_figure(replies, references)
    random = np.random.default_rng(1)
    for size in (1, 1, 1, 2, 3, 5, 8, 60, 200):
        drawn = random.integers(0, 60, size=size)
        expected = corpus_bleu([replies[turn] for turn in drawn],
                               [references[turn] for turn in drawn]).value
        assert bleu_of_sums(figure.rows[drawn].sum(axis=0, keepdims=True))[0] == pytest.approx(
            expected, abs=1e-9)


def test_bleu_figure_smooths_orders_without_a_match_as_sacrebleu_does():
    pairs = ["a b c d e", "a x c y e z"], ["a b q d e", "a b c d e f"]
    assert bleu_figure(*pairs).of_all() == pytest.approx(corpus_bleu(*pairs).value)
    assert bleu_figure(["", ""], ["a", "b"]).of_all() == 0


def test_bleu_figure_can_ignore_case():
    assert bleu_figure(["A B C D"], ["a b c d"]).of_all() == 0
    assert bleu_figure(["A B C D"], ["a b c d"], lowercase=True).of_all() == pytest.approx(100)


def test_figures_leave_out_turns_without_a_value():
    assert mean_figure([1.0, None, 0.0, True]).of_all() == pytest.approx(2 / 3)
    assert ratio_figure([1, 2], [4, 2]).of_all() == pytest.approx(0.5)


def test_interval_of_two_dialogues_reaches_from_one_to_the_other():
    # Means 0, 1/2 and 1 come with probabilities 1/4, 1/2 and 1/4.
    interval = bootstrap_interval(mean_figure([0.0, 1.0]), ["a", "b"])
    assert (interval.value, interval.low, interval.high) == (0.5, 0.0, 1.0)


def test_interval_draws_dialogues_not_turns():
    values = mean_figure([0.0] * 50 + [1.0] * 50)
    together = bootstrap_interval(values, ["a"] * 50 + ["b"] * 50)
    apart = bootstrap_interval(values, list(range(100)))
    assert together.high - together.low == 1
    assert 0.1 < apart.high - apart.low < 0.3


def test_interval_covers_the_mean_of_the_population_about_as_often_as_it_says():
    random = np.random.default_rng(3)
    covered = 0
    for seed in range(200):
        values = random.normal(5.0, 2.0, size=60)
        interval = bootstrap_interval(mean_figure(list(values)), range(60), seed=seed)
        covered += interval.low <= 5.0 <= interval.high
    assert 178 <= covered <= 199


def test_the_same_seed_gives_the_same_interval_and_another_seed_another():
    figure = mean_figure(list(np.random.default_rng(0).random(40)))
    first, again, other = (bootstrap_interval(figure, range(40), seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_identical_runs_differ_by_chance_with_certainty():
    replies, references = corpus(80, changed=0.3)
    run = bleu_figure(replies, references)
    result = compare_runs(run, run, [turn // 4 for turn in range(80)])
    assert (result.difference, result.low, result.high, result.p_value) == (0, 0, 0, 1)
    assert result.p_value >= 0.05


def test_runs_that_differ_everywhere_do_so_by_chance_hardly_ever():
    worse, references = corpus(80, changed=0.6)
    better, _ = corpus(80, changed=0.05)
    dialogues = [turn // 4 for turn in range(80)]
    result = compare_runs(bleu_figure(worse, references), bleu_figure(better, references),
                          dialogues)
    assert result.difference > 20
    assert result.low > 0
    assert result.p_value < 0.001
    assert result.p_value < 0.05
    assert not result.exact


def test_runs_of_the_same_quality_are_not_told_apart_more_often_than_the_level_says(monkeypatch):
    monkeypatch.setattr("frontdesk.data.measures.significance._TRIALS", 500)
    random = np.random.default_rng(5)
    rejected = 0
    for seed in range(200):
        a, b = random.normal(size=(2, 30))
        result = compare_runs(mean_figure(list(a)), mean_figure(list(b)), range(30), seed=seed)
        rejected += result.p_value < 0.1
    assert 8 <= rejected <= 34


def test_few_dialogues_are_tested_exactly():
    # Of the eight sums ±1 ±2 ±3 two are as large as 6.
    result = compare_runs(mean_figure([0, 0, 0]), mean_figure([1, 2, 3]), ["a", "b", "c"])
    assert result.exact
    assert result.difference == pytest.approx(2)
    assert result.p_value == 2 / 8


def test_turns_of_one_dialogue_are_exchanged_together():
    result = compare_runs(mean_figure([0] * 4), mean_figure([1] * 4), ["a", "a", "b", "b"])
    assert result.p_value == 2 / 4


def test_comparison_pairs_the_turns():
    # Every turn is better by the same, however much turns differ among each other.
    base = list(np.random.default_rng(0).normal(0, 10, size=40))
    result = compare_runs(mean_figure(base), mean_figure([each + 0.1 for each in base]), range(40))
    assert result.p_value < 0.001
    assert result.low == pytest.approx(0.1)
    assert result.high == pytest.approx(0.1)


def test_comparison_is_antisymmetric():
    a, b = (mean_figure(list(np.random.default_rng(seed).random(30))) for seed in (1, 2))
    there, back = compare_runs(a, b, range(30)), compare_runs(b, a, range(30))
    assert there.difference == pytest.approx(-back.difference)
    assert there.p_value == pytest.approx(back.p_value, abs=0.03)
    assert (there.low, there.high) == pytest.approx((-back.high, -back.low))


def test_runs_over_other_turns_cannot_be_compared():
    with pytest.raises(ValueError, match="runs of 2 and 3 turns"):
        compare_runs(mean_figure([1, 2]), mean_figure([1, 2, 3]), ["a", "b"])
    with pytest.raises(ValueError, match="2 turns, but 3 dialogues"):
        compare_runs(mean_figure([1, 2]), mean_figure([1, 2]), ["a", "b", "c"])


@pytest.mark.parametrize("values", [[], [None, None]])
def test_nothing_to_measure_is_an_error(values):
    with pytest.raises(InputError, match=r"no turns|no turn has a value"):
        bootstrap_interval(mean_figure(values), range(len(values)))
