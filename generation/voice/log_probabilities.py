"""Log-probabilities of given replies, by teacher forcing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from frontdesk.generation.voice.generator import TokenLogProbabilities

if TYPE_CHECKING:
    import torch

#: The label of a place where nothing is foretold, as transformers has it.
IGNORED = -100


@dataclass(frozen=True)
class TeacherForcing:
    """A prompt and a reply as a model is trained on them, and scores them.

    Args:
        input_ids: Of the prompt; for a causal model, of the reply too.
        labels: Of an encoder-decoder, ids of the reply; of a causal model, as long as
            ``input_ids``, :data:`IGNORED` in the places of the prompt.
        given: How many labels at the beginning of the reply are none of its own.
    """

    input_ids: tuple[int, ...]
    labels: tuple[int, ...]
    given: int = 0

    @property
    def reply(self) -> tuple[int, ...]:
        """Ids of the reply's own tokens, the one that ends it included."""
        return tuple(each for each in self.labels if each != IGNORED)[self.given:]


def padded(rows: Sequence[Sequence[int]], filler: int, device: torch.device
           ) -> tuple[torch.Tensor, torch.Tensor]:
    """Rows of ids as one batch, filled up on the right.

    Args:
        rows: At least one.
        filler: What fills them up.
        device: Of the result.

    Returns:
        The ids and a mask with 1 for what is the row's own, both ``(n_rows, longest)``.
    """
    import torch

    longest = max(map(len, rows))
    ids = [[*row, *[filler] * (longest - len(row))] for row in rows]
    mask = [[1] * len(row) + [0] * (longest - len(row)) for row in rows]
    return torch.tensor(ids, device=device), torch.tensor(mask, device=device)


def token_log_probabilities(logits: torch.Tensor, forced: TeacherForcing,
                            tokenizer: Any) -> TokenLogProbabilities:
    """The log-probabilities of a reply's tokens, the last of which ends it.

    Args:
        logits: ``(n_places, vocabulary)``; the last rows are what the model expects in place of
            the reply's tokens.
        forced: What it was given.
        tokenizer: Says each token as text.

    Returns:
        In nats.
    """
    import torch

    tokens = forced.reply
    ids = torch.tensor(tokens, device=logits.device)
    # In float32 at least: half precision has three digits.
    expected = logits[len(logits) - len(tokens):].float().log_softmax(-1)
    scores = expected.gather(1, ids[:, None])[:, 0].tolist()
    # Rounding can make the certain slightly more than certain.
    return TokenLogProbabilities(tuple(tokenizer.decode([each]) for each in tokens),
                                 tuple(min(each, 0.0) for each in scores), ends=True)
