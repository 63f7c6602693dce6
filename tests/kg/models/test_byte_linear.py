from __future__ import annotations

import torch

from frontdesk.kg.models.byte_linear import ByteLinear


def test_products_are_nearly_those_of_the_weights():
    torch.manual_seed(0)
    linear = torch.nn.Linear(48, 24)
    kept = ByteLinear(linear.weight.detach().half(), linear.bias.detach().half())
    for states in (torch.randn(3, 5, 48), torch.rand(7, 48) + 1, torch.randn(1, 48) * 100):
        wanted = linear(states)
        assert kept(states).shape == wanted.shape
        assert (kept(states) - wanted).norm() < 0.03 * wanted.norm()


def test_nothing_is_mapped_to_the_bias():
    linear = torch.nn.Linear(8, 4)
    kept = ByteLinear(linear.weight.detach(), linear.bias.detach())
    assert torch.allclose(kept(torch.zeros(2, 8)), linear.bias.expand(2, -1), atol=1e-6)


def test_what_comes_of_an_input_does_not_depend_on_those_beside_it():
    torch.manual_seed(0)
    linear = torch.nn.Linear(48, 24)
    kept = ByteLinear(linear.weight.detach(), linear.bias.detach())
    own, large = torch.randn(3, 48), torch.randn(5, 48) * 100
    assert torch.equal(kept(torch.cat([own, large]))[:3], kept(own))
    assert torch.equal(kept(own[None]).flatten(0, 1), torch.cat([kept(each[None]) for each in own]))
