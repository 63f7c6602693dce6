"""P(y|x,z): how probable the generator finds a reply when it is given one fact."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import torch
from torch import Tensor

from frontdesk.agent.training.generator.generator_examples import Example, with_facts
from frontdesk.generation.voice.pointer.encoded import collate, collate_labels
from frontdesk.generation.voice.pointer.model import PointerGeneratorModel
from frontdesk.generation.voice.pointer.source import SIZES, Feature
from frontdesk.generation.voice.pointer.unit_vocabulary import PAD, UNKNOWN
from frontdesk.scoring.relevance_features import Matrix

#: What an unknown token stands for is one of so many words. Without this the generator, which
#: knows that something is missing, would find a reply as probable without its facts as with them.
_UNSEEN = math.log(10_000)


def with_one_fact(example: Example, rank: int) -> Example:
    """The example with one fact, told nothing of how relevant it was taken to be.

    Args:
        example: Any.
        rank: Of the fact, from 1.
    """
    alone = with_facts(example, [0, rank])
    features = alone.encoded.features.copy()
    of_fact = features[:, Feature.RANK] > 0
    features[of_fact, Feature.RANK] = 1
    features[of_fact, Feature.RELEVANCE] = SIZES[Feature.RELEVANCE] - 1
    return replace(alone, encoded=replace(alone.encoded, features=features))


def log_likelihoods(model: PointerGeneratorModel, examples: Sequence[Example]) -> Tensor:
    """log P(y|x, facts) of each example in nats, ``(n_examples,)``.

    Args:
        model: In evaluation mode, or in training mode to learn from it.
        examples: At least one.
    """
    device = next(model.parameters()).device
    inputs = collate([each.encoded for each in examples], device)
    labels = collate_labels([each.labels for each in examples], device)
    given = model(**inputs, labels=labels).logits.gather(-1, labels.unsqueeze(-1)).squeeze(-1)
    given = (given - _UNSEEN * (labels == UNKNOWN)).masked_fill(labels == PAD, 0.0)
    total: Tensor = given.sum(-1)
    return total


@torch.no_grad()
def fact_log_likelihoods(model: PointerGeneratorModel, examples: Sequence[Example], *,
                         batch_size: int = 64) -> list[Matrix]:
    """log P(y|x,z) of each fact z of each example in nats, ``(n_facts,)`` each.

    Args:
        model: In evaluation mode.
        batch_size: Pairs of a turn and a fact that are read together.
    """
    found = [np.zeros(len(example.source.facts)) for example in examples]
    pairs = sorted(((index, rank) for index, each in enumerate(found)
                    for rank in range(1, len(each) + 1)),
                   key=lambda pair: len(examples[pair[0]].encoded))
    for start in range(0, len(pairs), batch_size):
        chunk = pairs[start:start + batch_size]
        values = log_likelihoods(model, [with_one_fact(examples[index], rank)
                                         for index, rank in chunk])
        for (index, rank), value in zip(chunk, values.tolist(), strict=True):
            found[index][rank - 1] = value
    return found
