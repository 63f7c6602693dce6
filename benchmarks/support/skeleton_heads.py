"""A parser of heads on an encoder: a class for forms without their words, pointers for these."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from frontdesk.kg.models.minilm import WIDTH
from frontdesk.kg.parser.form_tokens import FormTokens
from frontdesk.kg.parser.parser_input import EncodedInput
from frontdesk.kg.parser.parser_weights import new_network

#: Skeletons that have a class, and spans of one, at most.
_CLASSES, _SPANS = 1500, 8


class SkeletonHeads(nn.Module):
    """Tells which of the frequent skeletons an utterance has, and which words its spans are.

    A skeleton is a sequence of tokens whose places are left open: ``ask where person _ _``.

    Args:
        targets: Sequences that are learned from.
        frozen: Whether the encoder stays as it was pretrained.
    """

    def __init__(self, tokens: FormTokens, targets: Sequence[Sequence[int]], *,
                 frozen: bool) -> None:
        super().__init__()
        self.size, self.frozen = tokens.size, frozen
        counts = Counter(each for each in map(self.skeleton, targets)
                         if each.count(-1) <= 2 * _SPANS)
        self.skeletons = [each for each, _ in counts.most_common(_CLASSES)]
        self.numbers = {each: number for number, each in enumerate(self.skeletons)}
        self.reader = new_network(tokens)
        if frozen:
            self.reader.requires_grad_(False)
        self.classes = nn.Sequential(nn.Linear(2 * WIDTH, WIDTH), nn.GELU(), nn.Dropout(0.1),
                                     nn.Linear(WIDTH, len(self.skeletons)))
        self.ends = nn.Embedding(len(self.skeletons) * 2 * _SPANS, WIDTH)
        self.key = nn.Linear(WIDTH, WIDTH)

    def train(self, mode: bool = True) -> SkeletonHeads:
        super().train(mode)
        self.reader.train(mode and not self.frozen)
        return self

    def skeleton(self, target: Sequence[int]) -> tuple[int, ...]:
        """A sequence with -1 for each place."""
        return tuple(each if each < self.size else -1 for each in target)

    def _read(self, reads: Sequence[EncodedInput]) -> tuple[Tensor, Tensor, Tensor]:
        """Scores of skeletons ``(n, classes)``, keys of places ``(n, places, 384)``, their mask."""
        with torch.set_grad_enabled(torch.is_grad_enabled() and not self.frozen):
            encoded = self.reader.encode(reads)
        read = encoded.read[..., None]
        mean = (encoded.states * read).sum(1) / read.sum(1)
        scores: Tensor = self.classes(torch.cat((encoded.states[:, 0], mean), -1))
        return (scores, self.key(encoded.states[:, 1:encoded.places.shape[1] + 1]), encoded.places)

    def _pointed(self, skeleton: int, keys: Tensor, places: Tensor) -> Tensor:
        """Scores of the ends of spans ``(ends, places)``."""
        count = self.skeletons[skeleton].count(-1)
        first = skeleton * 2 * _SPANS
        queries = self.ends.weight[first:first + count]
        return (queries @ keys.T * WIDTH ** -0.5).masked_fill(~places, -1e4)

    def loss(self, batch: Sequence[tuple[EncodedInput, Sequence[int]]]) -> Tensor:
        """Of utterances and their sequences; those without a class count for nothing."""
        known = [(read, target) for read, target in batch if self.skeleton(target) in self.numbers]
        if not known:
            return next(self.classes.parameters()).sum() * 0
        scores, keys, places = self._read([read for read, _ in known])
        wanted = torch.tensor([self.numbers[self.skeleton(target)] for _, target in known])
        losses = [functional.cross_entropy(scores, wanted)]
        for row, (_, target) in enumerate(known):
            ends = torch.tensor([each - self.size for each in target if each >= self.size])
            if len(ends):
                losses.append(functional.cross_entropy(
                    self._pointed(int(wanted[row]), keys[row], places[row]), ends) / len(known))
        return torch.stack(losses).sum()

    @torch.inference_mode()
    def write(self, read: EncodedInput) -> list[int]:
        """The likeliest sequence."""
        scores, keys, places = self._read([read])
        skeleton = int(scores[0].argmax())
        pointed = self._pointed(skeleton, keys[0], places[0])
        ends, first = [], 0
        for number, row in enumerate(pointed):
            place = int(row.argmax()) if number % 2 == 0 else first + int(row[first:].argmax())
            first = place
            ends.append(place + self.size)
        following = iter(ends)
        return [next(following) if each < 0 else each for each in self.skeletons[skeleton]]

    def trained(self) -> dict[str, Any]:
        """The weights that were trained."""
        return {name: each for name, each in self.named_parameters() if each.requires_grad
                and not name.startswith(("reader.layers", "reader.written", "reader.tokens",
                                         "reader.steps", "reader.first", "reader.last",
                                         "reader.pointed", "reader.norm"))}
