"""Replies from a sequence-to-sequence model of the transformers library, by default GODEL."""

from __future__ import annotations

from collections.abc import Sequence

from frontdesk.generation.voice.prompt import (
    Prompt,
    PromptBuilder,
    Turn,
    neutralise,
    special_tokens,
)
from frontdesk.generation.voice.transformers_generator import (
    TeacherForcing,
    TransformersGenerator,
)
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.models.hub_models import HubModel, stated_limit
from frontdesk.scoring.ranked_fact import RankedFact

#: The paper's generator (section 4.2).
GODEL = "microsoft/GODEL-v1_1-base-seq2seq"

_FALLBACK_INPUT_TOKENS = 512
_LENGTH_SETTINGS = ("n_positions", "max_encoder_position_embeddings", "max_position_embeddings")
# T5's positions are relative and have no end; BART's and LED's are learned.
_REPLY_LENGTH_SETTINGS = ("max_decoder_position_embeddings", "max_position_embeddings")


class Seq2SeqGenerator(TransformersGenerator[Prompt]):
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

    Raises:
        MissingModelError: The weights are not on this machine, or cannot be used.
        InputError: A number is out of range, or there is no such device.
    """

    continues = False

    def __init__(self, model: str = GODEL, *, device: str = "auto", num_beams: int = 4,
                 max_new_tokens: int = 96, max_input_tokens: int | None = None,
                 max_facts: int = 10) -> None:
        super().__init__(f"seq2seq:{model}", device, num_beams, max_new_tokens)
        files = HubModel(model, example=GODEL)
        self.tokenizer = files.tokenizer()
        # float32 whatever the file holds: T5's half precision overflows.
        self.model = files.model("AutoModelForSeq2SeqLM").to(self.device)
        self._special_tokens = special_tokens(self.tokenizer)
        self.prompts = PromptBuilder(
            self.count_tokens,
            stated_limit(self.model, self.tokenizer, _LENGTH_SETTINGS) or _FALLBACK_INPUT_TOKENS
            if max_input_tokens is None else max_input_tokens,
            max_facts, special_tokens=self._special_tokens)

    def count_tokens(self, text: str) -> int:
        """Number of tokens of a text, end-of-sequence included."""
        return len(self.tokenizer(text, verbose=False)["input_ids"])

    def _prompt(self, history: Sequence[Turn], knowledge: Sequence[RankedFact]) -> Prompt:
        return self.prompts.build(history, knowledge)

    def _ids(self, prompt: Prompt) -> list[int]:
        return list(self.tokenizer(prompt.text, verbose=False)["input_ids"])

    def _text(self, written: list[int]) -> str:
        return " ".join(self.tokenizer.decode(written, skip_special_tokens=True).split())

    def _ends(self) -> list[int]:
        return [self.tokenizer.eos_token_id]

    def _forced(self, prompt: Prompt, reply: str) -> TeacherForcing:
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
        return TeacherForcing(tuple(self._ids(prompt)), tuple(tokens), given=before)
