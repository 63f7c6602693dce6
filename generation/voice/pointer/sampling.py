"""Replies drawn from the model, many for a source, for several sources at the same time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from frontdesk.generation.voice.pointer.ensemble import PointerEnsemble
from frontdesk.generation.voice.pointer.model import PointerGeneratorModel
from frontdesk.generation.voice.pointer.prefixes import PrefixDecoder, Prefixes
from frontdesk.generation.voice.pointer.unit_vocabulary import BEGIN, END, PAD, UNKNOWN

#: The tokens of a reply, with ``END`` unless it was cut.
Reply = tuple[int, ...]


@dataclass(frozen=True)
class Sampling:
    """How replies are drawn.

    Args:
        count: Replies for a source, 0 or more.
        temperature: That logits are divided by, above 0; 1 draws from the model's distribution.
        max_new_tokens: Most tokens of a reply.
        seed: Of the draws for a source.
    """

    count: int
    temperature: float
    max_new_tokens: int
    seed: int


class Sampler:
    """Draws token by token; the members of an ensemble draw equally many each.

    That draws from the mean of the members' distributions over whole replies; beam search and
    log-probabilities average them token by token.

    The Gumbel-max trick draws from a generator of each source: the same seed gives a source the
    same replies whatever else is drawn at the same time, but for the rounding of the sums of a
    product of matrices of another size.

    Args:
        model: In evaluation mode; its weights must stay as they are.
        sampling: How.
    """

    def __init__(self, model: PointerGeneratorModel | PointerEnsemble,
                 sampling: Sampling) -> None:
        self._members = tuple(PrefixDecoder(member) for member in (
            model.models if isinstance(model, PointerEnsemble) else (model,)))
        self._sampling = sampling

    def begin(self, inputs: Mapping[str, Tensor]) -> Draws:
        """The draws for a source.

        Args:
            inputs: Of the source, without padding, see
                :func:`~frontdesk.generation.voice.pointer.encoded.collate`.
        """
        return Draws(self._members, inputs, self._sampling)

    @torch.inference_mode()
    def step(self, several: Sequence[Draws]) -> None:
        """Draw one more token of each reply for each source.

        Args:
            several: Of different sources, none of them done.
        """
        for member in self._members:
            own = [each for each in several if each.member is member]
            if own:
                for each, logits in zip(own, member.say([each.prefixes for each in own]),
                                        strict=True):
                    each.go_on(logits)

    def draw(self, inputs: Mapping[str, Tensor]) -> list[Reply]:
        """The replies for a source, see :meth:`begin`."""
        draws = self.begin(inputs)
        while not draws.done:
            self.step([draws])
        return draws.replies()


class Draws:
    """The replies that are drawn for one source.

    Args:
        members: That draw, one after the other.
        inputs: Of the source.
        sampling: How.

    Attributes:
        member: The one that draws now.
        prefixes: The beginnings that go on.
        done: Whether all replies are there.
    """

    member: PrefixDecoder
    prefixes: Prefixes

    def __init__(self, members: Sequence[PrefixDecoder], inputs: Mapping[str, Tensor],
                 sampling: Sampling) -> None:
        self._inputs, self._sampling = inputs, sampling
        self._random = torch.Generator(inputs["copy_ids"].device).manual_seed(sampling.seed)
        share, more = divmod(sampling.count, len(members))
        #: Who draws from now on, and how many replies.
        self._turns = [(member, share + (number < more))
                       for number, member in enumerate(members)]
        self._replies: list[list[int]] = []
        self._next_member()

    def replies(self) -> list[Reply]:
        """Those that were drawn."""
        return [tuple(reply) for reply in self._replies]

    @torch.inference_mode()
    def _next_member(self) -> None:
        self.done = not self._turns or not self._turns[0][1]
        if self.done:
            return
        self.member, count = self._turns.pop(0)
        self.prefixes = Prefixes(self.member.model, self._inputs)
        #: The replies that go on, each with the number of its beginning.
        self._going: list[tuple[list[int], int]] = [([], 0) for _ in range(count)]
        self._replies += (reply for reply, _ in self._going)
        self._left = self._sampling.max_new_tokens

    def go_on(self, logits: Tensor) -> None:
        """Draw the next token of each reply that goes on.

        Args:
            logits: After each beginning, ``(beginnings, tokens)``.
        """
        logits[:, [PAD, BEGIN, UNKNOWN]] = -torch.inf
        noise = torch.rand((len(self._going), logits.shape[1]), generator=self._random,
                           device=logits.device).log_().neg_().log_().neg_()
        rows = torch.tensor([row for _, row in self._going], device=logits.device)
        drawn = (logits / self._sampling.temperature)[rows].add_(noise).argmax(-1).tolist()
        longer: dict[tuple[int, int], int] = {}
        going = []
        for (reply, row), token in zip(self._going, drawn, strict=True):
            reply.append(token)
            if token != END:
                going.append((reply, longer.setdefault((row, token), len(longer))))
        self._going = going
        self._left -= 1
        if going and self._left:
            self.prefixes.go_on(list(longer))
        else:
            self._next_member()


def draw(model: PointerGeneratorModel | PointerEnsemble, inputs: Mapping[str, Tensor], count: int,
         *, temperature: float, max_new_tokens: int, seed: int) -> list[Reply]:
    """Replies drawn for one source, see :class:`Sampling` and :class:`Sampler`."""
    return Sampler(model, Sampling(count, temperature, max_new_tokens, seed)).draw(inputs)
