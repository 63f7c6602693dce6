"""Training of the relevance model through the generator's likelihood (paper, section 3.3, eq. 1).

The probability of a reply is P(y|x) = Σ_z P(y|x,z) P(z|x) over the most relevant facts of a turn.
P(y|x,z) comes from the generator and is given here; P(z|x) is the softmax of the relevance model's
scores over these facts. What is maximised is the mean of log P(y|x), less what the weights have
moved: a fact becomes relevant when the reply is more probable with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from frontdesk.kg.graph.errors import InputError
from frontdesk.scoring.relevance_features import Matrix
from frontdesk.scoring.relevance_model import PARAMETERS, RelevanceNetwork

#: The bias adds the same to all facts, which their softmax does not see.
_FIXED = frozenset({"bias"})


@dataclass(frozen=True)
class RelevanceTurns:
    """Turns with their facts, padded to the same number of facts.

    Args:
        features: The network's inputs, ``(n_turns, k, f)``.
        predicates: Rows of the network's predicates, ``(n_turns, k)``.
        mask: True for facts, False for padding, ``(n_turns, k)``; each turn has a fact.
        log_likelihoods: log P(y|x,z) in nats, ``(n_turns, k)``; anything finite where padded.
    """

    features: Matrix
    predicates: npt.NDArray[np.intp]
    mask: npt.NDArray[np.bool_]
    log_likelihoods: Matrix

    def __len__(self) -> int:
        return len(self.features)


@dataclass(frozen=True)
class FitSettings:
    """How a network is fitted.

    Args:
        steps: Most steps of Adam over all turns at once, at least 1.
        learning_rate: Above 0.
        pull: By which each weight is drawn to where it began: nats per turn for each squared
            difference, at least 0.
        patience: Steps without a better held-out likelihood that end the fit, at least 1.

    Raises:
        InputError: A value is out of its range.
    """

    steps: int = 400
    learning_rate: float = 0.02
    pull: float = 1e-3
    patience: int = 40

    def __post_init__(self) -> None:
        for name, right, said in (
                ("steps", self.steps >= 1, "at least 1"),
                ("learning_rate", 0 < self.learning_rate < np.inf, "a number above 0"),
                ("pull", 0 <= self.pull < np.inf, "at least 0"),
                ("patience", self.patience >= 1, "at least 1")):
            if not right:
                raise InputError(f"{name.replace('_', ' ')} is {getattr(self, name)}",
                                 place="training of relevance", remedy=f"Give {said}")


@dataclass(frozen=True)
class CurvePoint:
    """The likelihoods at a step.

    Args:
        step: From 0, where the fit began.
        learned: Mean log P(y|x) of the turns that are learned from, nats.
        held_out: The same of those that are not; of the former when there are none.
    """

    step: int
    learned: float
    held_out: float


@dataclass(frozen=True)
class Fit:
    """What a fit came to.

    Args:
        network: With the best held-out likelihood.
        curve: One point a step.
        best_step: Where that was.
    """

    network: RelevanceNetwork
    curve: tuple[CurvePoint, ...]
    best_step: int


def fit_relevance(start: RelevanceNetwork, turns: RelevanceTurns,
                  held_out: RelevanceTurns | None = None,
                  settings: FitSettings | None = None) -> Fit:
    """Maximise the likelihood of replies over the weights of a network.

    Args:
        start: Where to begin, and where weights are drawn to.
        turns: To learn from, at least one.
        held_out: To end the fit by.
        settings: How.

    Raises:
        InputError: There is nothing to learn from.
    """
    settings = settings or FitSettings()
    if not len(turns):
        raise InputError("no turn has a reply and a fact", place="training of relevance",
                         remedy="Give dialogues about what the organisation has")
    first = tensors(start)
    own = {name: value.clone().requires_grad_(name not in _FIXED)
           for name, value in first.items()}
    optimiser = torch.optim.Adam([value for value in own.values() if value.requires_grad],
                                 lr=settings.learning_rate)
    curve: list[CurvePoint] = []
    best, kept = -np.inf, start
    for step in range(settings.steps + 1):
        learned = mean_log_likelihood(own, turns)
        with torch.no_grad():
            other = learned if held_out is None or not len(held_out) else \
                mean_log_likelihood(own, held_out)
        curve.append(CurvePoint(step, float(learned.detach()), float(other.detach())))
        if curve[-1].held_out > best:
            best, best_step = curve[-1].held_out, step
            kept = start.with_parameters({name: value.detach().numpy().copy()
                                          for name, value in own.items()})
        if step - best_step >= settings.patience:
            break
        moved = sum(((value - first[name]) ** 2).sum() for name, value in own.items())
        optimiser.zero_grad()
        (settings.pull * moved - learned).backward()
        optimiser.step()
    return Fit(kept, tuple(curve), best_step)


def tensors(network: RelevanceNetwork) -> dict[str, Tensor]:
    """The weights of a network as float64 tensors."""
    return {name: torch.tensor(network.parameters[name], dtype=torch.float64)
            for name in PARAMETERS}


def logits(parameters: Mapping[str, Tensor], features: Tensor, predicates: Tensor) -> Tensor:
    """Scores before the sigmoid, ``(n_turns, k)``.

    Args:
        parameters: Of :func:`tensors`.
        features: ``(n_turns, k, f)``.
        predicates: ``(n_turns, k)``.
    """
    hidden = torch.tanh(features @ parameters["to_hidden"]
                        + parameters["predicates_to_hidden"][predicates]
                        + parameters["hidden_bias"])
    return (features @ parameters["weights"] + parameters["bias"]
            + parameters["predicates"][predicates] + hidden @ parameters["from_hidden"])


def log_relevance(parameters: Mapping[str, Tensor], features: Tensor, predicates: Tensor,
                  mask: Tensor) -> Tensor:
    """log P(z|x) over the facts of each turn, ``(n_turns, k)``; -inf where padded."""
    scores = logits(parameters, features, predicates).masked_fill(~mask, -torch.inf)
    return scores.log_softmax(-1)


def mean_log_likelihood(parameters: Mapping[str, Tensor], turns: RelevanceTurns) -> Tensor:
    """Mean log P(y|x) over turns in nats (eq. 1)."""
    relevance = log_relevance(
        parameters, torch.from_numpy(turns.features), torch.from_numpy(turns.predicates),
        torch.from_numpy(turns.mask))
    return (relevance + torch.from_numpy(turns.log_likelihoods)).logsumexp(-1).mean()
