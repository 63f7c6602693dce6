"""Products with weights in half precision, for networks that are not trained any more.

What multiplies a few rows at a time waits for its weights to be read from memory; in half precision
there are half as many bytes of them, and half as much memory is taken. The products themselves are
made in float32: where the weights were in half precision before, nothing changes but the order of
sums.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

#: Engines of torch that have such a product.
_ENGINES = ("fbgemm", "x86")


class HalfLinear(nn.Module):
    """An affine map whose weights are kept in half precision.

    Args:
        linear: The map, which is not changed.
    """

    def __init__(self, linear: nn.Linear) -> None:
        super().__init__()
        self.packed = torch.ops.quantized.linear_prepack_fp16(linear.weight, linear.bias)

    def forward(self, states: Tensor) -> Tensor:
        """``(..., in)`` → ``(..., out)``, float32."""
        mapped: Tensor = torch.ops.quantized.linear_dynamic_fp16.default(states, self.packed)
        return mapped


def pack_halves(network: nn.Module) -> None:
    """Keep the weights of a network's affine maps in half precision.

    On processors for which torch has no such product the maps stay as they are.

    Args:
        network: It cannot be trained or saved afterwards.
    """
    if torch.backends.quantized.engine not in _ENGINES:
        return
    for module in [*network.modules()]:
        for name, part in module.named_children():
            if type(part) is nn.Linear:
                setattr(module, name, HalfLinear(part))
