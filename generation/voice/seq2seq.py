"""Replies from a sequence-to-sequence model of the transformers library, by default GODEL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from frontdesk.generation.voice.generator import (
    GeneratedReply,
    GenerationInput,
    GivenReply,
    TokenLogProbabilities,
    different_replies,
)
from frontdesk.generation.voice.log_probabilities import (
    IGNORED,
    TeacherForcing,
    padded,
    token_log_probabilities,
)
from frontdesk.generation.voice.prompt import (
    Prompt,
    PromptBuilder,
    Turn,
    neutralise,
    special_tokens,
)
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.models.hub_models import HubModel, check_at_least_1, stated_limit, torch_device
from frontdesk.scoring.ranked_fact import RankedFact

if TYPE_CHECKING:
    from frontdesk.generation.voice.pmi_decoding import PmiSettings

#: The paper's generator (section 4.2).
GODEL = "microsoft/GODEL-v1_1-base-seq2seq"

_FALLBACK_INPUT_TOKENS = 512
_LENGTH_SETTINGS = ("n_positions", "max_encoder_position_embeddings", "max_position_embeddings")
# T5's positions are relative and have no end; BART's and LED's are learned.
_REPLY_LENGTH_SETTINGS = ("max_decoder_position_embeddings", "max_position_embeddings")


class Seq2SeqGenerator:
    """Words replies with an encoder-decoder by beam search (paper, section 3.4).

    Args:
        model: Name on the Hugging Face hub, or path of a folder with weights, configuration and
            tokenizer.
        device: A torch device, or ``auto`` for the accelerator where there is one.
        num_beams: Beams of the search, at least 1.
        max_new_tokens: Most tokens of a reply, at least 1.
        max_input_tokens: Most tokens of a prompt; None for the least of what the model and the
            tokenizer state, 512 where they state nothing.
        max_facts: Most facts in a prompt, at least 0.
        local_files_only: Never use the network. With False, missing files are downloaded.

    Attributes:
        name: ``seq2seq:`` and the model.
        model: The transformers model, in evaluation mode, float32, on :attr:`device`.
        tokenizer: Its tokenizer.
        prompts: What builds its prompts.
        device: Where it runs.

    Raises:
        MissingModelError: The weights are not on this machine, or cannot be used.
        InputError: A number is out of range, or there is no such device.
    """

    def __init__(self, model: str = GODEL, *, device: str = "auto", num_beams: int = 4,
                 max_new_tokens: int = 96, max_input_tokens: int | None = None,
                 max_facts: int = 10, local_files_only: bool = True) -> None:
        check_at_least_1(num_beams=num_beams, max_new_tokens=max_new_tokens)
        self.name = f"seq2seq:{model}"
        self.device = torch_device(device)
        files = HubModel(model, example=GODEL, local_files_only=local_files_only)
        self.tokenizer = files.tokenizer()
        # float32 whatever the file holds: T5's half precision overflows.
        self.model = files.model("AutoModelForSeq2SeqLM").to(self.device)
        self._special_tokens = special_tokens(self.tokenizer)
        self.prompts = PromptBuilder(
            self.count_tokens,
            stated_limit(self.model, self.tokenizer, _LENGTH_SETTINGS) or _FALLBACK_INPUT_TOKENS
            if max_input_tokens is None else max_input_tokens,
            max_facts, special_tokens=self._special_tokens)
        self._num_beams = num_beams
        self._max_new_tokens = max_new_tokens

    def count_tokens(self, text: str) -> int:
        """Number of tokens of a text, end-of-sequence included."""
        return len(self.tokenizer(text, verbose=False)["input_ids"])

    def generate(self, request: GenerationInput) -> GeneratedReply:
        """Word a reply to the last turn of the history.

        Returns:
            The reply, resting on the facts that stood in the prompt. A model that says nothing
            gives an empty text, and a note that says so.

        Raises:
            InputError: The prompt limit has no room for any of the last turn.
            ValueError: The history is empty.
        """
        return self.generate_several(request, 1)[0]

    def generate_several(self, request: GenerationInput, count: int) -> list[GeneratedReply]:
        """See :class:`~frontdesk.generation.voice.generator.NBestGenerator`; the search has no more
        replies than beams.

        Raises:
            InputError: The prompt limit has no room for any of the last turn.
            ValueError: The history is empty.
        """
        import torch

        prompt = self.prompts.build(request.history, request.knowledge)
        encoded = self.tokenizer(prompt.text, return_tensors="pt", verbose=False).to(self.device)
        with torch.inference_mode():
            output = self.model.generate(
                input_ids=encoded["input_ids"], attention_mask=encoded["attention_mask"],
                num_beams=self._num_beams, num_return_sequences=min(count, self._num_beams),
                max_new_tokens=self._max_new_tokens, do_sample=False)
        return different_replies((self._reply(prompt, tokens) for tokens in output.tolist()), count)

    def generate_by_pmi(self, request: GenerationInput, count: int, settings: PmiSettings
                        ) -> list[GeneratedReply]:
        """See :class:`~frontdesk.generation.voice.generator.PmiGenerator`."""
        from frontdesk.generation.voice.pmi_decoding import PmiDecoding, pmi_generate

        prompt = self.prompts.build(request.history, request.knowledge)
        history = self.prompts.build(request.history[-prompt.turns:])
        read, mask = padded([self.tokenizer(each.text, verbose=False)["input_ids"]
                             for each in (prompt, history)], 0, self.device)
        found = pmi_generate(self.model, {"input_ids": read, "attention_mask": mask},
                             PmiDecoding(settings), num_beams=max(count, self._num_beams),
                             num_return_sequences=count, max_new_tokens=self._max_new_tokens)
        return different_replies((self._reply(prompt, tokens) for tokens in found), count)

    def _reply(self, prompt: Prompt, tokens: list[int]) -> GeneratedReply:
        """The reply of tokens, the one that starts the decoder included."""
        text = " ".join(self.tokenizer.decode(tokens, skip_special_tokens=True).split())
        notes = list(prompt.notes)
        if len(tokens) > self._max_new_tokens and tokens[-1] not in (
                self.tokenizer.eos_token_id, self.tokenizer.pad_token_id):
            notes.append(f"the reply was cut after {self._max_new_tokens} tokens")
        if not text:
            notes.append(f"{self.name} gave an empty reply")
        return GeneratedReply(text, used=prompt.facts, notes=tuple(notes))

    def log_probabilities(self, replies: Sequence[GivenReply]) -> list[TokenLogProbabilities]:
        """The log-probability of each token of replies, in one forward pass.

        See :meth:`~frontdesk.generation.voice.generator.ScoringGenerator.log_probabilities`. Beam
        search has no part in it: they are the model's own.
        """
        import torch

        if not replies:
            return []
        forced = [self.teacher_forcing(each.request.history, each.request.knowledge, each.text,
                                       with_knowledge=each.with_knowledge) for each in replies]
        read, mask = padded([each.input_ids for each in forced], 0, self.device)
        labels, _ = padded([each.labels for each in forced], IGNORED, self.device)
        with torch.inference_mode():
            logits = self.model(input_ids=read, attention_mask=mask, labels=labels).logits
        return [token_log_probabilities(row[:len(each.labels)], each, self.tokenizer)
                for row, each in zip(logits, forced, strict=True)]

    def teacher_forcing(self, history: Sequence[Turn], knowledge: Sequence[RankedFact],
                        reply: str, *, with_knowledge: bool = True) -> TeacherForcing:
        """A prompt and a reply as the model is trained on them.

        Raises:
            InputError: The reply or the last turn does not fit into the model's input.
            ValueError: The history is empty.
        """
        prompt = self.prompts.build(history, knowledge)
        if not with_knowledge:
            prompt = self.prompts.build(history[-prompt.turns:])
        encoded = self.tokenizer(neutralise(reply, special_tokens=self._special_tokens),
                                 return_special_tokens_mask=True, verbose=False)
        tokens: list[int] = list(encoded["input_ids"])
        added: list[int] = list(encoded["special_tokens_mask"])
        if not added or not added[-1]:
            tokens.append(self.tokenizer.eos_token_id)
        limits = [getattr(self.model.config, setting, None) for setting in _REPLY_LENGTH_SETTINGS]
        most = next((limit for limit in limits if limit), len(tokens))
        if len(tokens) > most:
            raise InputError(f"a reply of {len(tokens)} tokens does not fit into the {most} of "
                             f"{self.name}", remedy="Give a shorter reply")
        # BART's tokenizer puts a token before each text, which its decoder is given.
        before = added.index(0) if 0 in added else max(0, len(added) - 1)
        return TeacherForcing(tuple(self.tokenizer(prompt.text, verbose=False)["input_ids"]),
                              tuple(tokens), given=before)
