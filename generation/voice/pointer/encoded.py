"""Sources as tensors for the model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from frontdesk.generation.voice.pointer.source import Feature
from frontdesk.generation.voice.pointer.unit_vocabulary import NO_COPY, PAD, UNKNOWN
from frontdesk.kg.models.minilm import WIDTH


@dataclass(frozen=True)
class EncodedSource:
    """A source as the model reads it.

    Args:
        states: What MiniLM says of the slots, ``(slots, 384)``.
        features: ``(slots, len(Feature))``.
        words, copies: Tokens of the slots, ``(slots,)``; see
            :class:`~frontdesk.generation.voice.pointer.unit_vocabulary.SlotTokens`.
    """

    states: npt.NDArray[np.floating]
    features: npt.NDArray[np.int16]
    words: npt.NDArray[np.int32]
    copies: npt.NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.words)

    def select(self, kept: npt.NDArray[np.bool_]) -> EncodedSource:
        """The source with some of its slots only."""
        return EncodedSource(self.states[kept], self.features[kept], self.words[kept],
                             self.copies[kept])


def collate(sources: Sequence[EncodedSource], device: torch.device | str = "cpu"
            ) -> dict[str, Tensor]:
    """The inputs of the model for several sources, padded to the longest.

    A source without slots gets one that says nothing, for attention needs something.
    """
    batch, longest = len(sources), max([1, *(len(source) for source in sources)])
    states = torch.zeros(batch, longest, WIDTH)
    features = torch.zeros(batch, longest, len(Feature), dtype=torch.long)
    words = torch.full((batch, longest), UNKNOWN)
    copies = torch.full((batch, longest), NO_COPY)
    mask = torch.zeros(batch, longest, dtype=torch.long)
    for row, source in enumerate(sources):
        length = len(source)
        states[row, :length] = torch.from_numpy(source.states.astype(np.float32))
        features[row, :length] = torch.from_numpy(source.features.astype(np.int64))
        words[row, :length] = torch.from_numpy(source.words.astype(np.int64))
        copies[row, :length] = torch.from_numpy(source.copies.astype(np.int64))
        mask[row, :max(1, length)] = 1
    inputs = {"states": states, "features": features, "word_ids": words, "copy_ids": copies,
              "attention_mask": mask}
    return {name: tensor.to(device) for name, tensor in inputs.items()}


def collate_labels(labels: Sequence[Sequence[int]], device: torch.device | str = "cpu") -> Tensor:
    """Token ids ``(batch, length)``, padded."""
    longest = max(len(each) for each in labels)
    return torch.tensor([[*each, *[PAD] * (longest - len(each))] for each in labels],
                        device=device)
