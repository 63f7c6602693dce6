"""Decay, learning rate and averages as they are defined."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from frontdesk.agent.training.optimisation import (
    AveragedWeights,
    Optimiser,
    autocast,
    chosen_precision,
    learning_rate,
    make_optimiser,
)
from frontdesk.kg.models.hub_models import torch_device

from .toy_training import Net


class Tied(nn.Module):
    """An output that shares the table of its embeddings."""

    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(5, 4)
        self.norm = nn.LayerNorm(4)
        self.out = nn.Linear(4, 5)
        self.out.weight = self.table.weight


def test_make_optimiser_lets_matrices_decay_and_nothing_else():
    model = Net()
    decaying, free = make_optimiser(model, 0.1).param_groups
    names = {id(each): name for name, each in model.named_parameters()}
    assert [names[id(each)] for each in decaying["params"]] == ["hidden.weight", "out.weight"]
    assert [names[id(each)] for each in free["params"]] == [
        "table.weight", "hidden.bias", "norm.weight", "norm.bias", "out.bias"]
    assert (decaying["weight_decay"], free["weight_decay"]) == (0.1, 0.0)


def test_make_optimiser_leaves_tied_embeddings_alone():
    group, = make_optimiser(Tied(), 0.1).param_groups
    assert group["weight_decay"] == 0.0
    assert len(group["params"]) == 4


def test_make_optimiser_wants_something_to_train():
    with pytest.raises(ValueError, match="empty parameter list"):
        make_optimiser(nn.Linear(2, 2).requires_grad_(False), 0.1)


@pytest.mark.parametrize("precision", ["fp32", "fp16"])
def test_a_step_goes_by_the_mean_gradient_of_its_weighted_losses(precision):
    model = nn.Linear(2, 1)
    optimiser = Optimiser(model, precision, weight_decay=0.0, clip=0.0)
    for weight, words in ((1.0, torch.tensor([[4.0, 0.0]])), (3.0, torch.tensor([[0.0, 4.0]]))):
        optimiser.backward(model(words).sum() * weight)
    # Of the weights 1 and 3, of the bias 1.
    assert optimiser.step(0.1, 4.0) == pytest.approx(11 ** 0.5)


def test_a_step_that_overflows_in_fp16_is_left_out():
    model = nn.Linear(2, 1)
    optimiser = Optimiser(model, "fp16", weight_decay=0.0, clip=1.0)
    before = model.weight.detach().clone()
    optimiser.backward(model(torch.ones(1, 2)).sum() * torch.inf)
    assert not optimiser.step(0.1, 1.0) < torch.inf
    assert torch.equal(model.weight, before)
    optimiser.backward(model(torch.ones(1, 2)).sum())
    optimiser.step(0.1, 1.0)
    assert not torch.equal(model.weight, before)


def test_learning_rate_rises_to_the_highest_and_falls_to_0():
    rates = [learning_rate(number / 100, 0.5, 0.1) for number in range(101)]
    assert rates[:11] == pytest.approx([0.05 * number for number in range(11)])
    assert rates[10:] == sorted(rates[10:], reverse=True)
    assert rates[55] == pytest.approx(0.25)
    assert rates[100] == pytest.approx(0.0)
    assert learning_rate(0.0, 0.5, 0.0) == 0.5


def test_average_follows_fast_at_first_and_slowly_later():
    model = nn.Linear(1, 1, bias=False)
    nn.init.zeros_(model.weight)
    average = AveragedWeights(model, 0.9)
    expected = 0.0
    for step in range(1, 101):
        with torch.no_grad():
            model.weight.fill_(float(step))
        average.follow(step)
        decay = min(0.9, (1 + step) / (10 + step))
        expected = decay * expected + (1 - decay) * step
        if step == 1:
            assert float(average.tensors["weight"]) == pytest.approx(9 / 11)
    assert float(average.tensors["weight"]) == pytest.approx(expected)
    with average.in_place():
        assert float(model.weight.detach()) == pytest.approx(expected)
    assert float(model.weight.detach()) == 100.0


def test_average_is_taken_out_again_when_the_evaluation_fails():
    model = nn.Linear(1, 1, bias=False)
    average = AveragedWeights(model, 0.9)
    with torch.no_grad():
        model.weight.fill_(7.0)
    with pytest.raises(RuntimeError), average.in_place():
        raise RuntimeError
    assert float(model.weight.detach()) == 7.0


def test_precision_on_a_cpu_is_fp32_unless_said():
    cpu = torch.device("cpu")
    assert chosen_precision("auto", cpu) == "fp32"
    assert chosen_precision("bf16", cpu) == "bf16"
    layer, words = nn.Linear(2, 2), torch.rand(1, 2)
    with autocast("bf16", cpu):
        assert layer(words).dtype is torch.bfloat16
    with autocast("fp32", cpu):
        assert layer(words).dtype is torch.float32


@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU here")
def test_precision_on_a_gpu_is_bf16_where_it_has_it():
    device = torch_device("auto")
    assert device.type == "cuda"
    expected = "bf16" if torch.cuda.is_bf16_supported(including_emulation=False) else "fp32"
    assert chosen_precision("auto", device) == expected
