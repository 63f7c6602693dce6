"""Relevance and generation trained jointly: in turn, or together in one loss."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from frontdesk.agent.training.generator.generator_examples import Example, Language, encode_examples
from frontdesk.agent.training.generator.generator_task import GeneratorTask
from frontdesk.agent.training.generator.record import RecordedTurn
from frontdesk.agent.training.relevance.likelihood import (
    fact_log_likelihoods,
    log_likelihoods,
    with_one_fact,
)
from frontdesk.agent.training.relevance.relevance_turns import (
    ScoredTurn,
    relevance_turns,
    value_likelihoods,
)
from frontdesk.agent.training.training_loop import LoopSettings, train
from frontdesk.generation.voice.pointer.model import PointerGeneratorModel
from frontdesk.generation.voice.pointer.states import StateReader
from frontdesk.scoring.joint_training import (
    Fit,
    FitSettings,
    RelevanceTurns,
    fit_relevance,
    log_relevance,
    tensors,
)
from frontdesk.scoring.relevance import RelevanceScorer
from frontdesk.scoring.relevance_features import Matrix
from frontdesk.scoring.relevance_model import RelevanceNetwork

#: Turns whose texts are in memory at a time.
_CHUNK = 128


@dataclass(frozen=True)
class JointSettings:
    """How both are trained.

    Args:
        facts: The most relevant facts of a turn that the sum goes over, K of the paper.
        rounds: How often the relevance model is trained, each time on what it ranks first.
        generator_epochs: Epochs of the generator between rounds, on the facts that the relevance
            model ranks first; 0 leaves it as it is.
    """

    facts: int = 20
    rounds: int = 1
    generator_epochs: int = 0
    given: int = 10
    fit: FitSettings = field(default_factory=FitSettings)


class JointGenerator:
    """The generator's side of the training."""

    def __init__(self, model: PointerGeneratorModel, language: Language,
                 device: torch.device) -> None:
        self.model, self.language = model, language
        nn.Module.to(model, device)
        self._reader = StateReader()
        self._known: dict[tuple[str, int, tuple[int, ...]], Matrix] = {}

    def examples(self, turns: Sequence[RecordedTurn]) -> list[Example]:
        """Turns as the model reads them."""
        return encode_examples(turns, self.language, self._reader)

    def likelihoods(self, turns: Sequence[ScoredTurn], rankings: Sequence[Sequence[int]],
                    scorer: RelevanceScorer) -> list[Matrix]:
        """log P(y|x,z) of the ranked facts of each turn in nats, ``(len(ranking),)`` each.

        What was computed since the generator last learned is not computed again.
        """
        keys = [(turn.turn.dialogue, turn.turn.number, tuple(ranking))
                for turn, ranking in zip(turns, rankings, strict=True)]
        missing = [index for index, key in enumerate(keys) if key not in self._known]
        nn.Module.eval(self.model)
        for start in range(0, len(missing), _CHUNK):
            chosen = missing[start:start + _CHUNK]
            examples = self.examples([turns[index].first(rankings[index], scorer)
                                      for index in chosen])
            found = fact_log_likelihoods(self.model, examples)
            self._known |= zip((keys[index] for index in chosen), found, strict=True)
        return [self._known[key] for key in keys]

    def learn(self, turns: Sequence[RecordedTurn], development: Sequence[RecordedTurn],
              folder: Path, *, epochs: int, seed: int) -> None:
        """Train the generator on turns with their facts, as it is trained by itself."""
        task = GeneratorTask(self.model.requires_grad_(True), self.language.vocabulary,
                             self.examples(turns), self.examples(development),
                             batch_size=32, lowercase=False)
        train(task, LoopSettings(epochs=epochs, batch_size=32, learning_rate=3e-4, ema=0.99,
                                 patience=0, seed=seed), folder, resume=False, identity={})
        self.model.requires_grad_(False)
        self.forget()

    def forget(self) -> None:
        """Compute anew what is asked, for the model has changed."""
        self._known.clear()


def train_in_turn(turns: Sequence[ScoredTurn], held_out: Sequence[ScoredTurn],
                  network: RelevanceNetwork, generator: JointGenerator, settings: JointSettings,
                  folder: Path, *, seed: int) -> list[Fit]:
    """Train the relevance model by the generator, then the generator on its ranking, and again.

    Args:
        held_out: To end each training by.

    Returns:
        A fit for each round.
    """
    fits = []
    for number in range(1, settings.rounds + 1):
        learned, other = (
            _arrays(part, network, generator, settings.facts) for part in (turns, held_out))
        fits.append(fit_relevance(network, learned, other, settings.fit))
        network = fits[-1].network
        if settings.generator_epochs:
            given = [[turn.first(turn.ranking(network)[:settings.given], network)
                      for turn in part] for part in (turns, held_out)]
            generator.learn(given[0], given[1], folder / f"generator-{number}",
                            epochs=settings.generator_epochs, seed=seed)
    return fits


def _arrays(turns: Sequence[ScoredTurn], network: RelevanceNetwork, generator: JointGenerator,
            most: int) -> RelevanceTurns:
    rankings = [turn.ranking(network)[:most] for turn in turns]
    return relevance_turns(turns, rankings, generator.likelihoods(turns, rankings, network),
                           network)


def fit_separately(turns: Sequence[ScoredTurn], held_out: Sequence[ScoredTurn],
                   network: RelevanceNetwork, settings: JointSettings) -> Fit:
    """Train the relevance model by the values that facts and replies share, without a generator.

    Args:
        turns: To learn from; those whose reply has no value of a fact teach nothing.
        held_out: To end the training by.
    """
    def arrays(part: Sequence[ScoredTurn]) -> RelevanceTurns:
        told = [turn for turn in part if turn.has.any()]
        rankings = [turn.ranking(network)[:settings.facts] for turn in told]
        return relevance_turns(told, rankings, [
            value_likelihoods(turn, ranking)
            for turn, ranking in zip(told, rankings, strict=True)], network)

    return fit_relevance(network, arrays(turns), arrays(held_out), settings.fit)


# --- together

class JointModel(nn.Module):
    """Generator and relevance model as one."""

    def __init__(self, generator: PointerGeneratorModel, network: RelevanceNetwork) -> None:
        super().__init__()
        self.generator, self.network = generator, network
        self.relevance = nn.ParameterDict({name: nn.Parameter(value)
                                           for name, value in tensors(network).items()})
        self.relevance["bias"].requires_grad_(False)  # a softmax does not see it

    def trained_network(self) -> RelevanceNetwork:
        """The relevance model with the weights of now."""
        return self.network.with_parameters({name: value.detach().cpu().numpy()
                                             for name, value in self.relevance.items()})

    def log_likelihood(self, turn: ScoredTurn, ranking: Sequence[int],
                       example: Example) -> Tensor:
        """log Σ_z P(y|x,z) P(z|x) in nats over the ranked facts, a scalar (eq. 1)."""
        device = self.generator.device
        given = log_likelihoods(self.generator, [with_one_fact(example, rank)
                                                 for rank in range(1, len(ranking) + 1)])
        features = torch.from_numpy(self.network.columns(turn.features[list(ranking)]))
        rows = torch.from_numpy(self.network.rows([turn.predicates[each] for each in ranking]))
        relevance = log_relevance(dict(self.relevance.items()), features[None].to(device),
                                  rows[None].to(device),
                                  torch.ones(1, len(ranking), dtype=torch.bool, device=device))[0]
        total: Tensor = (relevance + given).logsumexp(-1)
        return total


class TogetherTask:
    """Both models under one loss, the likelihood itself.

    Args:
        facts: Facts that the sum goes over.
    """

    select = "log_likelihood"

    def __init__(self, model: JointModel, generator: JointGenerator, turns: Sequence[ScoredTurn],
                 held_out: Sequence[ScoredTurn], *, facts: int, batch_size: int) -> None:
        self.model: nn.Module = model
        self._joint, self.batch_size = model, batch_size
        self._learned = self._read(turns, generator, facts)
        self._held_out = self._read(held_out, generator, facts)

    def _read(self, turns: Sequence[ScoredTurn], generator: JointGenerator,
              facts: int) -> list[tuple[ScoredTurn, list[int], Example]]:
        kept = [(turn, turn.ranking(self._joint.network)[:facts]) for turn in turns
                if turn.turn.facts]
        examples = generator.examples([turn.first(ranking, self._joint.network)
                                       for turn, ranking in kept])
        return [(turn, ranking, example)
                for (turn, ranking), example in zip(kept, examples, strict=True)]

    def batches(self, epoch: int, rng: random.Random) -> Sequence[Any]:
        """All turns in random batches."""
        order = rng.sample(self._learned, len(self._learned))
        return [order[start:start + self.batch_size]
                for start in range(0, len(order), self.batch_size)]

    def loss(self, batch: Sequence[tuple[ScoredTurn, list[int], Example]]
             ) -> tuple[Tensor, dict[str, float]]:
        """Mean -log P(y|x) of the turns in nats."""
        values = torch.stack([self._joint.log_likelihood(*each) for each in batch])
        return -values.mean(), {"examples": len(batch)}

    def evaluate(self) -> dict[str, float]:
        """Mean log P(y|x) of the held-out turns."""
        values = [float(self._joint.log_likelihood(*each)) for each in self._held_out]
        return {"log_likelihood": sum(values) / max(1, len(values))}


def train_together(turns: Sequence[ScoredTurn], held_out: Sequence[ScoredTurn],
                   network: RelevanceNetwork, generator: JointGenerator, folder: Path, *,
                   facts: int, epochs: int, seed: int) -> RelevanceNetwork:
    """Train both by the gradient of the likelihood of replies.

    Args:
        held_out: To choose the best weights by.
        generator: The generator to begin with; it is changed.
        facts: Facts that the sum goes over; memory grows with it.
        epochs: Times that every turn is seen.
    """
    model = JointModel(generator.model.requires_grad_(True), network)
    task = TogetherTask(model, generator, turns, held_out, facts=facts, batch_size=8)
    train(task, LoopSettings(epochs=epochs, batch_size=8, learning_rate=3e-4, weight_decay=1e-3,
                             ema=0.99, patience=0, seed=seed), folder, resume=False, identity={})
    generator.model.requires_grad_(False)
    generator.forget()
    return model.trained_network()
