"""PMI-FAITH: how much the knowledge has to do with a reply (Nandwani et al. 2023).

The conditional pointwise mutual information of a reply and its knowledge, given the dialogue so
far: log P(reply | knowledge, history) - log P(reply | history), by a language model, here any
generator that scores replies. A reply that the knowledge makes more probable rests on it. As the
history is read in both passes, replies that mean nothing without it ("Yes, at two") are judged too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from frontdesk.generation.voice.generator import GenerationInput, GivenReply, ScoringGenerator


@dataclass(frozen=True)
class PmiFaith:
    """What the knowledge adds to the log-probability of a reply.

    Args:
        tokens: Of the reply, with the one that ends it, each as text.
        gains: Of each token, in nats; above 0 where the knowledge makes it more probable.
        log_probabilities: Of each token with the knowledge, in nats, at most 0.
    """

    tokens: tuple[str, ...]
    gains: tuple[float, ...]
    log_probabilities: tuple[float, ...]

    @property
    def total(self) -> float:
        """PMI-FAITH of the whole reply, equation 2 of the paper, in nats."""
        return sum(self.gains)

    @property
    def likelihood(self) -> float:
        """The log-probability per token with the knowledge, in nats."""
        return sum(self.log_probabilities) / len(self.log_probabilities)


def pmi_faith(model: ScoringGenerator, replies: Sequence[tuple[GenerationInput, str]]
              ) -> list[PmiFaith]:
    """PMI-FAITH of replies; both passes of all of them are one batch.

    Args:
        replies: Each with what it answers. Without knowledge all gains are 0.

    Raises:
        UnavailableError: The model cannot score replies.
        InputError: A reply or a last turn does not fit into the model's input.
        ValueError: A history is empty.
    """
    scored = model.log_probabilities([GivenReply(request, text, with_knowledge)
                                      for request, text in replies
                                      for with_knowledge in (True, False)])
    return [PmiFaith(with_.tokens, tuple(
                a - b for a, b in zip(with_.log_probabilities, without.log_probabilities,
                                      strict=True)), with_.log_probabilities)
            for with_, without in zip(scored[::2], scored[1::2], strict=True)]
