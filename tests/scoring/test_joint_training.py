from __future__ import annotations

import numpy as np
import pytest
import torch

from frontdesk.kg.graph.errors import InputError
from frontdesk.scoring.joint_training import (
    FitSettings,
    RelevanceTurns,
    fit_relevance,
    log_relevance,
    mean_log_likelihood,
    tensors,
)
from frontdesk.scoring.relevance import FEATURES
from frontdesk.scoring.relevance_model import PARAMETERS, RelevanceNetwork

CUE, BM25 = FEATURES.index("cue"), FEATURES.index("bm25")


def drawn(seed: int, n: int = 6, k: int = 5, *, predicates: int = 3) -> RelevanceTurns:
    rng = np.random.default_rng(seed)
    mask = rng.random((n, k)) < 0.8
    mask[:, 0] = True
    return RelevanceTurns(rng.random((n, k, len(FEATURES))),
                          rng.integers(0, predicates, (n, k)), mask, rng.normal(-20, 5, (n, k)))


def network(seed: int = 1) -> RelevanceNetwork:
    start = RelevanceNetwork.start(["a", "b"], hidden=3)
    rng = np.random.default_rng(seed)
    return start.with_parameters({name: rng.normal(0, 0.5, values.shape)
                                  for name, values in start.parameters.items()})


def told_by(column: int, seed: int, n: int = 60, k: int = 8) -> RelevanceTurns:
    """Turns whose reply is probable with the fact for which one feature is highest."""
    turns = drawn(seed, n, k)
    scores = np.where(turns.mask, turns.features[:, :, column], -1)
    likelihoods = np.full((n, k), -30.0)
    likelihoods[np.arange(n), scores.argmax(1)] = -5.0
    return RelevanceTurns(turns.features, turns.predicates, turns.mask, likelihoods)


def test_likelihood_is_the_sum_over_facts_of_reply_and_relevance():
    own, turns = network(), drawn(2)
    expected = 0.0
    for turn in range(len(turns)):
        facts = [k for k in range(5) if turns.mask[turn, k]]
        names = [("", "a", "b")[turns.predicates[turn, k]] or "other" for k in facts]
        sigmoid = own.score(turns.features[turn, facts], names)
        weights = sigmoid / (1 - sigmoid)  # exp of the logits
        prior = weights / weights.sum()
        expected += np.log(sum(p * np.exp(turns.log_likelihoods[turn, k])
                               for p, k in zip(prior, facts, strict=True))) / len(turns)
    found = mean_log_likelihood(tensors(own), turns)
    assert float(found) == pytest.approx(expected, abs=1e-9)


def test_relevance_of_the_facts_of_a_turn_sums_to_one_and_padding_has_none():
    turns = drawn(4)
    given = log_relevance(tensors(network()), torch.from_numpy(turns.features),
                          torch.from_numpy(turns.predicates), torch.from_numpy(turns.mask)).exp()
    np.testing.assert_allclose(given.sum(-1).numpy(), 1.0)
    assert (given.numpy()[~turns.mask] == 0).all()


@pytest.mark.parametrize("name", PARAMETERS)
def test_gradient_agrees_with_finite_differences(name):
    turns, own = drawn(7), tensors(network())
    own[name].requires_grad_()
    mean_log_likelihood(own, turns).backward()
    gradient = own[name].grad.numpy().copy()
    step, numeric = 1e-6, np.zeros_like(gradient)
    values = own[name].detach()
    for index in np.ndindex(gradient.shape):
        ends = []
        for sign in (1, -1):
            moved = values.clone()
            moved[index] += sign * step
            ends.append(float(mean_log_likelihood({**own, name: moved}, turns)))
        numeric[index] = (ends[0] - ends[1]) / (2 * step)
    np.testing.assert_allclose(gradient, numeric, atol=1e-7)
    # A softmax does not see what is added to all facts; everything else matters.
    assert (np.abs(gradient).max() > 1e-6) == (name != "bias")


def test_padding_does_not_matter():
    turns = drawn(8)
    other = RelevanceTurns(
        np.where(turns.mask[..., None], turns.features, 7.0), turns.predicates, turns.mask,
        np.where(turns.mask, turns.log_likelihoods, 1e3))
    own = tensors(network())
    assert float(mean_log_likelihood(own, turns)) == float(mean_log_likelihood(own, other))


def test_training_finds_the_feature_that_makes_replies_probable():
    start = RelevanceNetwork.start(["a", "b"], hidden=4)
    held_out = told_by(BM25, 11)
    fit = fit_relevance(start, told_by(BM25, 10, n=400), held_out,
                        FitSettings(steps=150, pull=0.0))

    def hits(model):
        scores = [model.score(held_out.features[turn], ["a"] * 8) for turn in range(60)]
        best = [np.where(held_out.mask[turn], scores[turn], -1).argmax() for turn in range(60)]
        return sum(held_out.log_likelihoods[turn, fact] == -5.0
                   for turn, fact in enumerate(best))

    assert hits(start) < 20
    assert hits(fit.network) > 45
    assert fit.curve[fit.best_step].held_out > fit.curve[0].held_out + 1
    assert float(fit.network.parameters["bias"]) == float(start.parameters["bias"])


def test_same_data_give_the_same_weights_to_the_last_bit():
    first, second = (fit_relevance(RelevanceNetwork.start(["a", "b"], seed=4), told_by(CUE, 1),
                                   told_by(CUE, 2), FitSettings(steps=20)) for _ in range(2))
    assert first.curve == second.curve
    for name in PARAMETERS:
        np.testing.assert_array_equal(first.network.parameters[name],
                                      second.network.parameters[name])


def test_training_ends_early_and_keeps_what_was_best_on_held_out_turns():
    learned, other = told_by(CUE, 1), told_by(BM25, 2)  # held out, another feature matters
    fit = fit_relevance(RelevanceNetwork.start(["a", "b"]), learned, other,
                        FitSettings(steps=300, patience=10, pull=0.0))
    assert len(fit.curve) == fit.best_step + 11 < 300
    best = max(fit.curve, key=lambda point: point.held_out)
    assert best.step == fit.best_step
    assert float(mean_log_likelihood(tensors(fit.network), other)) == pytest.approx(best.held_out)


def test_pull_keeps_weights_where_they_began():
    start = RelevanceNetwork.start(["a", "b"])
    free, held = (fit_relevance(start, told_by(BM25, 1), None, FitSettings(steps=60, pull=pull))
                  for pull in (0.0, 10.0))

    def moved(fit):
        return sum(np.abs(fit.network.parameters[name] - start.parameters[name]).sum()
                   for name in PARAMETERS)

    assert moved(held) < 0.3 * moved(free)


def test_nothing_to_learn_from_is_said():
    empty = RelevanceTurns(np.zeros((0, 0, len(FEATURES))), np.zeros((0, 0), dtype=int),
                           np.zeros((0, 0), dtype=bool), np.zeros((0, 0)))
    with pytest.raises(InputError, match="no turn has a reply and a fact"):
        fit_relevance(RelevanceNetwork.start(), empty)


@pytest.mark.parametrize(("name", "value"), [
    ("steps", 0), ("learning_rate", 0.0), ("learning_rate", float("nan")), ("pull", -1.0),
    ("patience", 0)])
def test_settings_out_of_range_are_named(name, value):
    with pytest.raises(InputError, match=name.replace("_", " ")):
        FitSettings(**{name: value})
