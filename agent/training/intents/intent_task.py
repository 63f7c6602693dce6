"""The intent head as a training task: embeddings are computed once, the perceptron learned."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from frontdesk.agent.training.intents.measure_intents import Counts
from frontdesk.data.invented.request_utterances import RequestUtterance
from frontdesk.kg.graph.intents import Intent
from frontdesk.kg.models.intent_head import (
    ASKED,
    EMBEDDED,
    IntentHead,
    UtteranceFeatures,
    cues_of,
    n_inputs,
)
from frontdesk.scoring.encoder import SentenceEncoder

INTENTS = tuple(Intent)
#: Utterances that are embedded together.
_TOGETHER = 256
#: A cue is in so many utterances at least; there are at most so many cues.
_LEAST_UTTERANCES, _MOST_CUES = 25, 1500
#: How much a calibration is pulled to the scores as they are.
_PULL = 4.0



def chosen_cues(utterances: Iterable[RequestUtterance]) -> tuple[str, ...]:
    """The words and pairs of words that a head looks for: the most frequent, in order.

    Args:
        utterances: To learn from.
    """
    counts = Counter(cue for each in utterances for cue in cues_of(each.text))
    # By name where counts are equal: the order of a set is another in every process.
    frequent = sorted(counts.items(), key=lambda each: (-each[1], each[0]))[:_MOST_CUES]
    return tuple(cue for cue, count in frequent if count >= _LEAST_UTTERANCES)


def empty_head(cues: Sequence[str], hidden: int) -> IntentHead:
    """A head that knows nothing, to make inputs with."""
    return IntentHead({"hidden.weight": np.zeros((hidden, n_inputs(len(cues))), np.float32),
                       "hidden.bias": np.zeros(hidden, np.float32),
                       "output.weight": np.zeros((len(INTENTS), hidden), np.float32),
                       "output.bias": np.zeros(len(INTENTS), np.float32)}, cues, INTENTS)


def prepared(utterances: Sequence[RequestUtterance], head: IntentHead, encoder: SentenceEncoder,
             advance: Callable[[int], None] = lambda done: None) -> tuple[Tensor, Tensor]:
    """Inputs ``(n_utterances, n_in)`` and labels ``(n_utterances, n_intents)`` of utterances.

    Args:
        utterances: Any.
        head: Makes the inputs.
        encoder: Embeds.
        advance: Is told how many more are done.
    """
    rows = []
    for some in _stretches(utterances):
        vectors = encoder.encode([each.text for each in some], keep=False)
        rows += [head.inputs(vector, each.asked, UtteranceFeatures(
            each.text, time=each.time, person=each.person, room=each.room, event=each.event))
            for each, vector in zip(some, vectors, strict=True)]
        advance(len(some))
    labels = [[intent in each.intents for intent in INTENTS] for each in utterances]
    return torch.from_numpy(np.stack(rows)), torch.tensor(labels, dtype=torch.float32)


def _stretches(utterances: Sequence[RequestUtterance]) -> Iterator[list[RequestUtterance]]:
    waiting = iter(utterances)
    while some := list(islice(waiting, _TOGETHER)):
        yield some


class Perceptron(nn.Module):
    """What :class:`~frontdesk.kg.models.intent_head.IntentHead` evaluates, to be trained.

    Args:
        n_cues: How many cues it reads.
        hidden: Width of the hidden layer.
        dropout: Share of the numbers left out in training.
    """

    def __init__(self, n_cues: int, hidden: int, dropout: float) -> None:
        super().__init__()
        self.hidden = nn.Linear(n_inputs(n_cues), hidden)
        self.output = nn.Linear(hidden, len(INTENTS))
        self.dropout = nn.Dropout(dropout)

    def forward(self, inputs: Tensor) -> Tensor:
        """Scores ``(n_utterances, n_intents)``, log-odds.

        Args:
            inputs: ``(n_utterances, n_in)``.
        """
        # What was asked is one of few, never left out.
        first, last = EMBEDDED, EMBEDDED + len(ASKED)
        kept = torch.cat([self.dropout(inputs[:, :first]), inputs[:, first:last],
                          self.dropout(inputs[:, last:])], dim=-1)
        scores: Tensor = self.output(self.dropout(functional.relu(self.hidden(kept))))
        return scores


class IntentTask:
    """Learns the head; see :class:`~frontdesk.agent.training.training_task.TrainingTask`.

    Args:
        training: What is learned from.
        held_out: What it is judged and calibrated by.
        encoder: Embeds utterances.
        hidden: Width of the hidden layer.
        batch_size: Utterances in a step.
        dropout: Share of the numbers left out in training.
        seed: Of the first weights.
        advance: Is told of utterances that are embedded.
    """

    def __init__(self, training: Sequence[RequestUtterance],
                 held_out: Sequence[RequestUtterance], encoder: SentenceEncoder, *, hidden: int,
                 batch_size: int, dropout: float, seed: int,
                 advance: Callable[[int], None] = lambda done: None) -> None:
        self.cues = chosen_cues(training)
        head = empty_head(self.cues, hidden)
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            self.perceptron = Perceptron(len(self.cues), hidden, dropout)
        self.model: nn.Module = self.perceptron
        self.batch_size = batch_size
        self._inputs, self._labels = prepared(training, head, encoder, advance)
        self._held_out = prepared(held_out, head, encoder, advance)
        self.select = "log_likelihood"

    def batches(self, epoch: int, rng: random.Random) -> Sequence[list[int]]:
        """Numbers of utterances."""
        order = list(range(len(self._inputs)))
        rng.shuffle(order)
        return [order[start:start + self.batch_size]
                for start in range(0, len(order), self.batch_size)]

    def loss(self, batch: Sequence[int]) -> tuple[Tensor, dict[str, float]]:
        """The mean binary cross-entropy of a batch's intents, in nats of an utterance."""
        loss = functional.binary_cross_entropy_with_logits(
            self.model(self._inputs[batch]), self._labels[batch], reduction="sum") / len(batch)
        return loss, {"examples": len(batch)}

    def evaluate(self) -> dict[str, float]:
        """Held out: ``log_likelihood`` of an utterance's intents in nats, ``f1`` in [0, 1]."""
        inputs, labels = self._held_out
        scores = self.model(inputs)
        loss = functional.binary_cross_entropy_with_logits(scores, labels, reduction="sum")
        counts = Counts.of((scores > 0).numpy(), labels.numpy() > 0)
        return {"f1": counts.total().f1 or 0.0, "log_likelihood": -float(loss) / len(inputs)}

    def head(self) -> IntentHead:
        """The perceptron as it is, calibrated on what was held out."""
        inputs, labels = self._held_out
        with torch.no_grad():
            slopes, shifts = calibration(self.model(inputs), labels)
        weights = {name: each.detach() for name, each in self.perceptron.state_dict().items()}
        # A slope and a shift of each score are a slope and a shift of the last layer.
        weights["output.weight"] = weights["output.weight"] * slopes[:, None]
        weights["output.bias"] = weights["output.bias"] * slopes + shifts
        return IntentHead({name: each.float().numpy() for name, each in weights.items()},
                          self.cues, INTENTS)


def calibration(scores: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
    """Slopes and shifts that make scores the log-odds of their labels (Platt, 1999).

    They are pulled to 1 and 0 as far as a few utterances would, so that an intent that hardly
    anybody has keeps its scores.

    Args:
        scores: ``(n_utterances, n_intents)``, log-odds.
        labels: The same shape, 0 or 1.

    Returns:
        Slopes and shifts, ``(n_intents,)`` each.
    """
    slopes = torch.ones(scores.shape[1], dtype=torch.float64, requires_grad=True)
    shifts = torch.zeros(scores.shape[1], dtype=torch.float64, requires_grad=True)
    scores, labels = scores.double(), labels.double()
    optimiser = torch.optim.LBFGS([slopes, shifts], max_iter=200, line_search_fn="strong_wolfe")

    def cost() -> float:
        optimiser.zero_grad()
        loss = functional.binary_cross_entropy_with_logits(
            scores * slopes + shifts, labels, reduction="sum"
        ) + _PULL / 2 * ((slopes - 1).square().sum() + shifts.square().sum())
        loss.backward()
        return float(loss.detach())

    optimiser.step(cost)
    return slopes.detach(), shifts.detach()
