"""How a model is fine-tuned, and what that comes to."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from frontdesk.kg.graph.errors import InputError

PRECISIONS = ("auto", "fp32", "bf16", "fp16")


@dataclass(frozen=True)
class FineTuneSettings:
    """How a model is fine-tuned.

    Args:
        lora: Whether only low-rank additions to the linear layers are learned (Hu et al. 2022);
            else all weights are.
        rank: Of those additions, at least 1.
        precision: ``fp32``; ``bf16`` or ``fp16`` for products in half precision; ``auto`` for
            bf16 on a GPU that has it. T5 overflows in fp16.
        epochs: Times that every example is seen, at least 1.
        batch_size: Examples of a step on each device, at least 1.
        accumulation: Batches whose gradients make one step, at least 1.
        learning_rate: The highest, above 0; None for 1e-4, with LoRA 1e-3.
        warmup: Share of the steps that it takes to get there, in [0, 1).
        weight_decay: Of AdamW, at least 0.
        patience: Epochs in a row without a better loss on development data that end the training;
            0 never ends it early.
        max_input_tokens: Most tokens of a prompt; None for what the model takes.
        max_reply_tokens: Examples with longer replies are left out; at least 1.
        max_facts: Most facts in a prompt, at least 0.
        seed: Of all randomness, in [0, 2**32).
        device: A torch device, or ``auto`` for the accelerators where there are some.
        checkpoint_s: Most seconds between checkpoints, at least 0; there is one after every epoch
            too.

    Raises:
        InputError: A value is out of its range.
    """

    lora: bool = False
    rank: int = 16
    precision: str = "auto"
    epochs: int = 3
    batch_size: int = 8
    accumulation: int = 1
    learning_rate: float | None = None
    warmup: float = 0.05
    weight_decay: float = 0.01
    patience: int = 2
    max_input_tokens: int | None = None
    max_reply_tokens: int = 128
    max_facts: int = 10
    seed: int = 0
    device: str = "auto"
    checkpoint_s: float = 60.0

    def __post_init__(self) -> None:
        for name in ("rank", "epochs", "batch_size", "accumulation", "max_reply_tokens"):
            self._check(name, getattr(self, name) >= 1, "1 or more")
        self._check("precision", self.precision in PRECISIONS, f"one of {', '.join(PRECISIONS)}")
        self._check("learning_rate", 0 < self.highest_rate < math.inf, "a number above 0")
        self._check("warmup", 0 <= self.warmup < 1, "a share of the steps, in [0, 1)")
        self._check("weight_decay", 0 <= self.weight_decay < math.inf, "0 or more")
        self._check("patience", self.patience >= 0, "0 or more")
        self._check("seed", 0 <= self.seed < 2 ** 32, "0 or more, below 2**32")
        self._check("checkpoint_s", 0 <= self.checkpoint_s < math.inf, "0 or more seconds")

    @property
    def highest_rate(self) -> float:
        """The highest learning rate."""
        if self.learning_rate is not None:
            return self.learning_rate
        return 1e-3 if self.lora else 1e-4

    def identity(self) -> dict[str, Any]:
        """What of them the result depends on."""
        return {name: value for name, value in asdict(self).items() if name != "checkpoint_s"}

    def _check(self, name: str, right: bool, said: str) -> None:
        if not right:
            raise InputError(f"{name} is {getattr(self, name)!r}", remedy=f"Use {said}")


@dataclass(frozen=True)
class FineTuned:
    """What a fine-tuning came to.

    Args:
        folder: Of the model, which the generator's class loads.
        seq2seq: Whether it is an encoder-decoder.
        loss_before: Mean loss a token on development data of the model as it was, nats.
        loss: The same of the weights that are kept.
        step: Steps that were done.
        epoch: Epochs that were done, a fraction.
        seconds: That it took, without the time between a stop and going on.
        examples: Examples that it learned from.
        left_out: Examples, development data included, that did not fit into the model's input or
            had too long a reply.
        trained_parameters: How many numbers were learned.
        main: Whether this process is the one that writes; others help it on further GPUs.
    """

    folder: Path
    seq2seq: bool
    loss_before: float
    loss: float
    step: int
    epoch: float
    seconds: float
    examples: int
    left_out: int
    trained_parameters: int
    main: bool
