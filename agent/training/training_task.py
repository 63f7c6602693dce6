"""What is trained, how, and what a training comes to."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

import torch

from frontdesk.agent.evaluation.results import code_digest
from frontdesk.agent.training.optimisation import chosen_precision
from frontdesk.agent.training.processes import processes
from frontdesk.kg.graph.errors import InputError

PRECISIONS = ("auto", "fp32", "bf16", "fp16")


@dataclass(frozen=True)
class LoopSettings:
    """How a model is trained.

    Args:
        epochs: Times that every example is seen, at least 1.
        batch_size: Examples of a batch, at least 1.
        accumulation: Batches of a step in each process, at least 1.
        learning_rate: The highest, above 0.
        warmup: Share of the steps that it takes to get there, in [0, 1).
        weight_decay: Of AdamW, at least 0; not of biases, norms and embeddings.
        clip: Most norm of the gradient, at least 0; 0 does not clip.
        ema: Decay of the moving average of the weights, in [0, 1); 0 keeps none.
        patience: Evaluations in a row without a better figure that end the training, at least 0;
            0 never ends it early.
        evaluate_every: Epochs between evaluations, above 0; after the last step there is always
            one.
        evaluate_first: Whether there is one before the first step too.
        seed: Of all randomness, in [0, 2**32).
        precision: ``fp32``, ``bf16``, ``fp16`` on a GPU, or ``auto`` for bf16 on a GPU that has it.
        checkpoint_s: Most seconds between checkpoints, at least 0, but for an evaluation that
            takes longer; there is one after every epoch too.

    Raises:
        InputError: A value is out of its range.
    """

    epochs: int
    batch_size: int
    learning_rate: float
    warmup: float = 0.05
    weight_decay: float = 0.01
    clip: float = 1.0
    ema: float = 0.999
    patience: int = 5
    evaluate_every: float = 1.0
    seed: int = 0
    precision: str = "auto"
    checkpoint_s: float = 45.0
    accumulation: int = 1
    evaluate_first: bool = False

    def __post_init__(self) -> None:
        for name, right, said in (
                ("epochs", self.epochs >= 1, "1 or more"),
                ("batch_size", self.batch_size >= 1, "1 or more"),
                ("learning_rate", 0 < self.learning_rate < math.inf, "a number above 0"),
                ("warmup", 0 <= self.warmup < 1, "a share of the steps, in [0, 1)"),
                ("weight_decay", 0 <= self.weight_decay < math.inf, "0 or more"),
                ("clip", 0 <= self.clip < math.inf, "0 or more"),
                ("ema", 0 <= self.ema < 1, "a number in [0, 1)"),
                ("patience", self.patience >= 0, "0 or more"),
                ("evaluate_every", 0 < self.evaluate_every < math.inf, "a number above 0"),
                ("seed", 0 <= self.seed < 2 ** 32, "0 or more, below 2**32"),
                ("precision", self.precision in PRECISIONS, f"one of {', '.join(PRECISIONS)}"),
                ("checkpoint_s", 0 <= self.checkpoint_s < math.inf, "0 or more seconds"),
                ("accumulation", self.accumulation >= 1, "1 or more")):
            if not right:
                raise InputError(f"{name} is {getattr(self, name)!r}", remedy=f"Use {said}")

    def identity(self) -> dict[str, Any]:
        """What of them the result depends on; what few trainings have is only said by those."""
        unsaid = {"checkpoint_s": self.checkpoint_s, "accumulation": 1, "evaluate_first": False}
        return {name: value for name, value in asdict(self).items()
                if name not in unsaid or unsaid[name] != value}


def loop_identity(settings: LoopSettings, device: torch.device) -> dict[str, Any]:
    """What the result of a training depends on beside its task, as JSON.

    Raises:
        InputError: The device has not that precision.
    """
    precision = chosen_precision(settings.precision, device)
    return {"code": code_digest(), "loop": {**settings.identity(), "precision": precision},
            "device": device.type, "processes": processes(), "frontdesk": version("frontdesk"),
            "torch": torch.__version__}


class TrainingTask(Protocol):
    """What is trained.

    Attributes:
        model: Its parameters with ``requires_grad`` are trained, on the device where they are; it
            is put into training and evaluation mode as a whole.
        select: Name of the figure on development data that decides; higher is better.
    """

    model: torch.nn.Module
    select: str

    def batches(self, epoch: int, rng: random.Random) -> Sequence[Any]:
        """The batches of an epoch, at least one; the same for the same epoch and ``rng``.

        Args:
            epoch: From 0.
            rng: Depends on the seed and the epoch alone.
        """
        ...

    def loss(self, batch: Any) -> tuple[torch.Tensor, dict[str, float]]:
        """The mean loss of a batch (nats, a scalar), and further figures to log.

        A figure ``examples`` says how many the batch holds, where that is not the batch size of
        the settings; ``weight``, e.g. a number of tokens, what the mean is over, where several
        batches make a step (1). Randomness, such as dropout, is drawn from the global generators.
        """
        ...

    def evaluate(self) -> dict[str, float]:
        """Figures on development data, among them that of :attr:`select`.

        The model is in evaluation mode, has its averaged weights and keeps no gradients; what this
        draws from the global generators changes nothing in the training.
        """
        ...


@dataclass(frozen=True)
class TrainingResult:
    """What a training came to.

    Args:
        best: The figures on development data of the weights that are kept.
        epoch: Epochs that were done, a fraction.
        seconds: That it took, without the time between a stop and going on.
        stopped_early: Whether development figures no longer rose.
        weights: The file of the weights that are kept.
    """

    best: dict[str, float]
    first: dict[str, float]
    best_step: int
    step: int
    epoch: float
    seconds: float
    stopped_early: bool
    weights: Path
