"""How parameters are changed: which decay, how fast, and the average that is kept of them."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

import torch

from frontdesk.agent.training.checkpoint import Tensors, trained_tensors
from frontdesk.agent.training.processes import sum_gradients
from frontdesk.kg.graph.errors import InputError


def chosen_precision(precision: str, device: torch.device) -> str:
    """``fp32``, ``bf16`` or ``fp16`` for what a setting says.

    Args:
        precision: One of them, or ``auto``, which takes bf16 on a GPU that has it.

    Raises:
        InputError: The device has no fp16.
    """
    if precision == "fp16" and device.type != "cuda":
        raise InputError(f"precision is 'fp16', which training on {device.type} does not have",
                         remedy="Use fp32, or a machine with a GPU")
    if precision != "auto":
        return precision
    fast = device.type == "cuda" and torch.cuda.is_bf16_supported(including_emulation=False)
    return "bf16" if fast else "fp32"


def autocast(precision: str, device: torch.device) -> AbstractContextManager[Any]:
    """Where the loss is computed: matrix products in bf16 or fp16, or everything in fp32."""
    if precision == "fp32":
        return nullcontext()
    return torch.autocast(device.type, torch.float16 if precision == "fp16" else torch.bfloat16)


@contextmanager
def deterministic() -> Iterator[None]:
    """Operations that give the same bits every time; PyTorch warns of those that cannot."""
    before = torch.are_deterministic_algorithms_enabled()
    warned = torch.is_deterministic_algorithms_warn_only_enabled()
    # cuBLAS reads it when it starts; without it, it may add up in another order every time.
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    torch.use_deterministic_algorithms(True, warn_only=True)
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(before, warn_only=warned)


def make_optimiser(model: torch.nn.Module, weight_decay: float) -> torch.optim.AdamW:
    """AdamW over the trained parameters (Loshchilov and Hutter 2019, "Decoupled weight decay").

    Biases, the scales of norms and embeddings do not decay. A parameter whose attribute
    ``rate_scale`` says so is changed more slowly: what was pretrained, beside what is new.

    Args:
        model: Its parameters with ``requires_grad``, of which there must be some.
        weight_decay: At least 0.

    Raises:
        ValueError: The model has no parameters to train.
    """
    tables = {id(each) for module in model.modules()
              if isinstance(module, (torch.nn.Embedding, torch.nn.EmbeddingBag))
              for each in module.parameters()}
    trained = [each for each in model.parameters() if each.requires_grad]
    groups: dict[tuple[float, float], list[torch.nn.Parameter]] = {}
    for decays in (True, False):
        for each in trained:
            if decays == (each.ndim > 1 and id(each) not in tables):
                groups.setdefault((weight_decay if decays else 0.0,
                                   getattr(each, "rate_scale", 1.0)), []).append(each)
    return torch.optim.AdamW([{"params": group, "weight_decay": decay, "scale": scale}
                              for (decay, scale), group in groups.items()])


class Optimiser:
    """Clipped steps of AdamW, by gradients of several batches and processes.

    Args:
        precision: ``fp32``, ``bf16`` or ``fp16``; the last scales the loss, so that small gradients
            stay above 0, and leaves out steps whose gradients are not finite.
        weight_decay: At least 0.
        clip: Most norm of the gradient, at least 0; 0 does not clip.
    """

    def __init__(self, model: torch.nn.Module, precision: str, *, weight_decay: float,
                 clip: float) -> None:
        self._parameters = [each for each in model.parameters() if each.requires_grad]
        self._adam = make_optimiser(model, weight_decay)
        self._clip = clip or math.inf
        # Losses come times their weight, e.g. hundreds of tokens; the usual 2**16 overflows then.
        self._scaler = torch.amp.GradScaler(next(model.parameters()).device.type,
                                            init_scale=2.0 ** 8, enabled=precision == "fp16")

    def backward(self, loss: torch.Tensor) -> None:
        """Add the gradient of a loss, times its weight, to that of the step."""
        self._scaler.scale(loss).backward()

    def step(self, rate: float, weights: float) -> float:
        """Change the parameters and forget the gradients.

        Args:
            weights: Sum of the weights of the step's losses in all processes.

        Returns:
            The norm of the mean gradient before clipping; it need not be finite.
        """
        sum_gradients(self._parameters)
        self._scaler.unscale_(self._adam)
        for each in self._parameters if weights != 1 else ():
            if each.grad is not None:
                each.grad /= weights
        norm = float(torch.nn.utils.clip_grad_norm_(self._parameters, self._clip))
        for group in self._adam.param_groups:
            group["lr"] = rate * group["scale"]
        self._scaler.step(self._adam)
        self._scaler.update()
        self._adam.zero_grad(set_to_none=True)
        return norm

    def state(self) -> dict[str, Any]:
        """What :meth:`restore` needs to go on."""
        return {"adam": self._adam.state_dict(), "scaler": self._scaler.state_dict()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from what :meth:`state` gave."""
        self._adam.load_state_dict(state["adam"])
        self._scaler.load_state_dict(state["scaler"])


def learning_rate(done: float, highest: float, warmup: float) -> float:
    """A line from 0 up to the highest rate, then half a cosine down to 0.

    Args:
        done: Share of the training that is done, in [0, 1].
        warmup: Share of the training that the line takes, in [0, 1).

    Example:
        >>> [round(learning_rate(done, 0.1, 0.2), 9) for done in (0.0, 0.1, 0.2, 0.6, 1.0)]
        [0.0, 0.05, 0.1, 0.05, 0.0]
    """
    if done < warmup:
        return highest * done / warmup
    angle = math.pi * min(1.0, (done - warmup) / (1 - warmup))
    return highest * (1 + math.cos(angle)) / 2


class AveragedWeights:
    """The exponential moving average of what is trained (Polyak averaging).

    The average moves fast at first, by ``min(decay, (1 + step) / (10 + step))``, so that it does
    not remember the random start. Buffers are not averaged.

    Args:
        decay: In [0, 1); 0 keeps no average, and the weights are those of the last step.
    """

    def __init__(self, model: torch.nn.Module, decay: float) -> None:
        self._model = model
        self._decay = decay
        self._followed = {name: each for name, each in model.named_parameters()
                          if each.requires_grad} if decay else {}
        self.tensors: Tensors = {name: each.detach().clone()
                                 for name, each in self._followed.items()}

    def follow(self, step: int) -> None:
        """Move towards the parameters after a step, of which the first is 1."""
        decay = min(self._decay, (1 + step) / (10 + step))
        for name, parameter in self._followed.items():
            self.tensors[name].lerp_(parameter.detach(), 1 - decay)

    def restore(self, tensors: Mapping[str, torch.Tensor]) -> None:
        """Go on from an average that was kept."""
        for name, tensor in self.tensors.items():
            tensor.copy_(tensors[name])

    def weights(self) -> Tensors:
        """What to keep of the model: averages of parameters, and its buffers."""
        return {**trained_tensors(self._model), **self.tensors}

    @contextmanager
    def in_place(self) -> Iterator[None]:
        """The model has the averaged weights, and those of the last step again afterwards."""
        last = {name: each.detach().clone() for name, each in self._followed.items()}
        with torch.no_grad():
            for name, parameter in self._followed.items():
                parameter.copy_(self.tensors[name])
        try:
            yield
        finally:
            with torch.no_grad():
                for name, parameter in self._followed.items():
                    parameter.copy_(last[name])
