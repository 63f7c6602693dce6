"""What generators over a model of the transformers library share, whatever layout it reads."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from frontdesk.generation.voice.generator import (
    GeneratedReply,
    GenerationInput,
    GivenReply,
    TokenLogProbabilities,
    different_replies,
)
from frontdesk.generation.voice.prompt import ChatPrompt, Prompt, PromptBuilder, Turn
from frontdesk.kg.models.hub_models import check_at_least_1, torch_device
from frontdesk.scoring.ranked_fact import RankedFact

if TYPE_CHECKING:
    import torch

    from frontdesk.generation.voice.pmi_decoding import PmiSettings

#: The label of a place where nothing is foretold, as transformers has it.
IGNORED = -100

Layout = TypeVar("Layout", Prompt, ChatPrompt)


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


class TransformersGenerator(ABC, Generic[Layout]):
    """Words replies by beam search, draws towards knowledge by PMI-DECODE, and scores replies.

    Args:
        name: Of the generator.
        device: A torch device, or ``auto`` for the accelerator where there is one.
        num_beams: Beams of the search, at least 1, which is greedy.
        max_new_tokens: Most tokens of a reply, at least 1.

    Attributes:
        name: The kind of generator and the model.
        device: Where it runs.
        model: The transformers model, in evaluation mode, on :attr:`device`.
        tokenizer: Its tokenizer.
        prompts: What builds its prompts.

    Raises:
        InputError: A number is out of range, or there is no such device.
    """

    #: Whether it is a causal model, whose replies continue the prompt.
    continues: ClassVar[bool]
    model: Any
    tokenizer: Any
    prompts: PromptBuilder

    def __init__(self, name: str, device: str, num_beams: int, max_new_tokens: int) -> None:
        check_at_least_1(num_beams=num_beams, max_new_tokens=max_new_tokens)
        self.name = name
        self.device = torch_device(device)
        self._num_beams, self._max_new_tokens = num_beams, max_new_tokens

    def generate(self, request: GenerationInput) -> GeneratedReply:
        """Word a reply to the last turn of the history.

        Returns:
            The reply, resting on the facts that stood in the prompt. A model that says nothing
            gives an empty text, and a note that says so.

        Raises:
            InputError: The prompt limit has no room for any of the last turn, or the model's
                context none for a reply.
            ValueError: The history is empty.
        """
        return self.generate_several(request, 1)[0]

    def generate_several(self, request: GenerationInput, count: int) -> list[GeneratedReply]:
        """See :class:`~frontdesk.generation.voice.generator.NBestGenerator`; the search has no more
        replies than beams.

        Raises:
            InputError, ValueError: As for :meth:`generate`.
        """
        import torch

        prompt = self._prompt(request.history, request.knowledge)
        read, mask = self._batch([prompt])
        room = self._room(read.shape[1])
        with torch.inference_mode():
            output = self.model.generate(
                input_ids=read, attention_mask=mask, num_beams=self._num_beams,
                num_return_sequences=min(count, self._num_beams), do_sample=False,
                **self._options(room))
        return self._replies(prompt, output.tolist(), read.shape[1], count)

    def generate_by_pmi(self, request: GenerationInput, count: int, settings: PmiSettings
                        ) -> list[GeneratedReply]:
        """See :class:`~frontdesk.generation.voice.generator.PmiGenerator`."""
        from frontdesk.generation.voice.pmi_decoding import PmiDecoding, pmi_generate

        prompt = self._prompt(request.history, request.knowledge)
        read, mask = self._batch([prompt, self._prompt(request.history[-prompt.turns:], ())])
        found = pmi_generate(self.model, {"input_ids": read, "attention_mask": mask},
                             PmiDecoding(settings), num_beams=max(count, self._num_beams),
                             num_return_sequences=count,
                             **self._options(self._room(read.shape[1])))
        return self._replies(prompt, found, read.shape[1], count)

    def log_probabilities(self, replies: Sequence[GivenReply]) -> list[TokenLogProbabilities]:
        """The log-probability of each token of replies, in one forward pass.

        See :meth:`~frontdesk.generation.voice.generator.ScoringGenerator.log_probabilities`. A
        search has no part in it: they are the model's own.
        """
        import torch

        if not replies:
            return []
        forced = [self.teacher_forcing(each.request.history, each.request.knowledge, each.text,
                                       with_knowledge=each.with_knowledge) for each in replies]
        read, mask = padded([each.input_ids for each in forced], 0, self.device)
        labels = {} if self.continues else {
            "labels": padded([each.labels for each in forced], IGNORED, self.device)[0]}
        with torch.inference_mode():
            logits = self.model(input_ids=read, attention_mask=mask, **labels).logits
        # What stands at a place of a causal model foretells the next token.
        return [_token_log_probabilities(row[:len(each.labels) - self.continues], each,
                                         self.tokenizer)
                for row, each in zip(logits, forced, strict=True)]

    def teacher_forcing(self, history: Sequence[Turn], knowledge: Sequence[RankedFact],
                        reply: str, *, with_knowledge: bool = True) -> TeacherForcing:
        """A prompt and a reply as the model is trained on them.

        Raises:
            InputError: The reply or the last turn does not fit into the model's input.
            ValueError: The history is empty.
        """
        prompt = self._prompt(history, knowledge)
        return self._forced(
            prompt if with_knowledge else self._prompt(history[-prompt.turns:], ()), reply)

    def _replies(self, prompt: Layout, sequences: Sequence[list[int]], read: int, count: int
                 ) -> list[GeneratedReply]:
        """The replies of sequences of tokens, for a prompt of so many."""
        room, ends = self._room(read), set(self._ends())

        def reply(written: list[int]) -> GeneratedReply:
            text = self._text(written)
            notes = list(prompt.notes)
            if len(written) >= room and not ends.intersection(written):
                notes.append(f"the reply was cut after {room} tokens")
            if not text:
                notes.append(f"{self.name} gave an empty reply")
            return GeneratedReply(text, used=prompt.facts, notes=tuple(notes))
        # A decoder of its own begins with a token that starts it.
        begin = read if self.continues else 1
        return different_replies((reply(each[begin:]) for each in sequences), count)

    def _batch(self, prompts: Sequence[Layout]) -> tuple[torch.Tensor, torch.Tensor]:
        """Ids of prompts and their mask, ``(n_prompts, n_tokens)`` both."""
        rows = [self._ids(each) for each in prompts]
        if not self.continues:
            return padded(rows, 0, self.device)
        # Filled up on the left, so that all end where the reply begins.
        read, mask = padded([row[::-1] for row in rows], 0, self.device)
        return read.flip(1), mask.flip(1)

    # --- the layout

    @abstractmethod
    def _prompt(self, history: Sequence[Turn], knowledge: Sequence[RankedFact]) -> Layout:
        """What is read for a history and facts."""

    @abstractmethod
    def _ids(self, prompt: Layout) -> list[int]:
        """The tokens of a prompt."""

    @abstractmethod
    def _forced(self, prompt: Layout, reply: str) -> TeacherForcing:
        """A prompt with a reply."""

    @abstractmethod
    def _text(self, written: list[int]) -> str:
        """The tokens of a reply as one line of text."""

    @abstractmethod
    def _ends(self) -> list[int]:
        """Ids of the tokens that end a reply."""

    def _room(self, read: int) -> int:
        """Most tokens of a reply to a prompt of so many."""
        return self._max_new_tokens

    def _options(self, room: int) -> dict[str, Any]:
        """Of ``generate``, for a reply of so many tokens at most."""
        return {"max_new_tokens": room}


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


def _token_log_probabilities(logits: torch.Tensor, forced: TeacherForcing,
                             tokenizer: Any) -> TokenLogProbabilities:
    """The log-probabilities of a reply's tokens in nats, the last of which ends it."""
    import torch

    tokens = forced.reply
    ids = torch.tensor(tokens, device=logits.device)
    # In float32 at least: half precision has three digits.
    expected = logits[len(logits) - len(tokens):].float().log_softmax(-1)
    scores = expected.gather(1, ids[:, None])[:, 0].tolist()
    # Rounding can make the certain slightly more than certain.
    return TokenLogProbabilities(tuple(tokenizer.decode([each]) for each in tokens),
                                 tuple(min(each, 0.0) for each in scores), ends=True)
