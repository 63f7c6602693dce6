"""Products with weights of one byte, for networks that are not trained any more.

The weights take half the memory that they take in half precision, and a product takes about half
the time. Each row of the weights has a scale of its own; the inputs of a product share one.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

_LARGEST = 127


class ByteLinear(nn.Module):
    """An affine map whose weights are kept as bytes.

    Args:
        weight: Of any precision, ``(out, in)``; it is not changed.
        bias: ``(out,)``.
    """

    def __init__(self, weight: Tensor, bias: Tensor) -> None:
        super().__init__()
        self._scales = weight.abs().amax(1).float().clamp(min=1e-12) / _LARGEST
        whole = (weight.float() / self._scales[:, None]).round_().to(torch.int8)
        self._packed = torch.ops.onednn.qlinear_prepack(whole, None)
        self._zeros = torch.zeros(len(self._scales), dtype=torch.long)
        self._bias = bias.float()

    def forward(self, states: Tensor) -> Tensor:
        """``(..., in)`` → ``(..., out)``, float32."""
        flat = states.flatten(0, -2)
        least, most = (float(each) for each in flat.aminmax())
        # Of seven bits, so that no sum overflows on processors without such products of their own.
        scale = max(most - min(least, 0.0), 1e-12) / _LARGEST
        zero = round(-min(least, 0.0) / scale)
        whole = (flat * (1 / scale)).add_(zero).round_().clamp_(0, _LARGEST).to(torch.uint8)
        mapped: Tensor = torch.ops.onednn.qlinear_pointwise.default(
            whole, scale, zero, self._packed, self._scales, self._zeros, self._bias, 1.0, 0,
            torch.float32, "none", [], "")
        return mapped.view(*states.shape[:-1], -1)
