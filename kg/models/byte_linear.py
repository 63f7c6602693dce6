"""Products with weights of one byte, for networks that are not trained any more.

The weights take half the memory that they take in half precision, and a product takes about half
the time. Each row of the weights has a scale of its own, and each of the inputs, so that what comes
of one does not depend on those beside it.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

_LARGEST = 127


def has_byte_products() -> bool:
    """Whether this build of torch has the products of :class:`ByteLinear`."""
    return torch.backends.mkldnn.is_available() and all(
        hasattr(torch.ops.onednn, each) for each in ("qlinear_prepack", "qlinear_pointwise"))


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
        self._none = torch.zeros(len(self._scales))
        #: What an input of ones is mapped to, as bytes have it.
        self._sums = whole.sum(1, dtype=torch.float) * self._scales
        self._bias = bias.float()

    def forward(self, states: Tensor) -> Tensor:
        """``(..., in)`` → ``(..., out)``, float32."""
        flat = states.flatten(0, -2).float()
        least = flat.amin(1, keepdim=True).clamp(max=0.0)
        # Of seven bits, so that no sum overflows on processors without such products of their own.
        scale = (flat.amax(1, keepdim=True) - least).clamp(min=1e-12) / _LARGEST
        zero = (-least / scale).round_()
        whole = (flat / scale).add_(zero).round_().clamp_(0, _LARGEST).to(torch.uint8)
        mapped: Tensor = torch.ops.onednn.qlinear_pointwise.default(
            whole, 1.0, 0, self._packed, self._scales, self._zeros, self._none, 1.0, 0,
            torch.float32, "none", [], "")
        mapped = mapped.sub_(zero * self._sums).mul_(scale).add_(self._bias)
        return mapped.view(*states.shape[:-1], -1)
