from __future__ import annotations

import torch

from frontdesk.kg.models.half_linear import HalfLinear, pack_halves


def test_weights_that_are_halves_give_the_same_products_and_others_nearly():
    exact, other = torch.nn.Linear(6, 4), torch.nn.Linear(4, 4)
    with torch.no_grad():
        exact.weight.copy_(exact.weight.half())
    states = torch.randn(3, 2, 6)
    network = torch.nn.Sequential(exact, torch.nn.Sequential(other))
    before, after = exact(states), other(exact(states))
    pack_halves(network)
    assert torch.allclose(network[0](states), before, atol=1e-5)
    assert torch.allclose(network(states), after, atol=1e-2)
    for part in (network[0], network[1][0]):
        assert isinstance(part, HalfLinear) == (
            torch.backends.quantized.engine in ("fbgemm", "x86"))
