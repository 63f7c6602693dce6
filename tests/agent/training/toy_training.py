"""A small network that learns to add signs; run as a program, it can be stopped in the middle.

    python toy_training.py FOLDER SECONDS_A_STEP
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn

from frontdesk.agent.training.training_loop import LoopSettings, train
from frontdesk.kg.graph.errors import FrontdeskError

#: Of :func:`run`: checkpoints so often that a kill finds some, and all kinds of randomness.
SETTINGS = LoopSettings(epochs=6, batch_size=8, learning_rate=0.02, ema=0.9, evaluate_every=0.4,
                        patience=0, seed=3, checkpoint_s=0.05)
IDENTITY = {"data": "toy", "code": "toy"}


class Net(nn.Module):
    """Has every kind of parameter that is treated in its own way."""

    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(3, 8)
        self.hidden = nn.Linear(8, 16)
        self.norm = nn.BatchNorm1d(16)
        self.dropout = nn.Dropout(0.1)
        self.out = nn.Linear(16, 1)
        self.frozen = nn.Linear(4, 4).requires_grad_(False)

    def forward(self, words: torch.Tensor) -> torch.Tensor:
        hidden = torch.relu(self.norm(self.hidden(self.table(words).sum(1))))
        return self.out(self.dropout(hidden)).squeeze(-1)


class ToyTask:
    """Whether three signs in {-1, 0, 1} have a sum above 0."""

    select = "accuracy"

    def __init__(self, *, seed: int = 0, seconds: float = 0.0, batch_size: int = 8) -> None:
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            self.model = Net()
        signs = [(a, b, c) for a in range(3) for b in range(3) for c in range(3)] * 4
        random.Random(1).shuffle(signs)
        self.signs, self.seconds, self.batch_size = signs, seconds, batch_size
        self.losses = 0

    def batches(self, epoch: int, rng: random.Random) -> list[list[tuple[int, int, int]]]:
        random.random()  # what is drawn here must not change the training
        order = rng.sample(self.signs, len(self.signs))
        return [order[first:first + self.batch_size]
                for first in range(0, len(order), self.batch_size)]

    def loss(self, batch: list[tuple[int, int, int]]) -> tuple[torch.Tensor, dict[str, float]]:
        time.sleep(self.seconds)
        self.losses += 1
        noise = random.random() * 0.01 + np.random.random() * 0.01
        scores = self.model(torch.tensor(batch))
        targets = torch.tensor([float(sum(signs) > 3) for signs in batch])
        right = ((scores > 0) == (targets > 0)).float().mean()
        loss = nn.functional.binary_cross_entropy_with_logits(scores + noise, targets)
        return loss, {"right": float(right), "examples": len(batch)}

    def evaluate(self) -> dict[str, float]:
        time.sleep(self.seconds)
        assert not self.model.training
        assert not torch.is_grad_enabled()
        torch.rand(3)  # nor what is drawn here
        scores = self.model(torch.tensor(self.signs))
        targets = torch.tensor([sum(signs) > 3 for signs in self.signs])
        return {"accuracy": float(((scores > 0) == targets).float().mean()),
                "score": float(scores.mean())}


def run(folder: Path, *, resume: bool = True, task: ToyTask | None = None,
        settings: LoopSettings = SETTINGS, **options):
    return train(task or ToyTask(), settings, folder, resume=resume, identity=IDENTITY,
                 **{"progress": False, **options})


if __name__ == "__main__":
    try:
        run(Path(sys.argv[1]), task=ToyTask(seconds=float(sys.argv[2])), progress=None)
    except FrontdeskError as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit(130)
