"""Replies from a causal language model of the transformers library, by its chat template."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from frontdesk.generation.voice.chat_layout import ChatLayout
from frontdesk.generation.voice.prompt import CHAT_INSTRUCTION, ChatPrompt, PromptBuilder, Turn
from frontdesk.generation.voice.transformers_generator import (
    IGNORED,
    TeacherForcing,
    TransformersGenerator,
)
from frontdesk.kg.graph.errors import InputError, MissingModelError
from frontdesk.kg.models.hub_models import HubModel, stated_limit
from frontdesk.scoring.ranked_fact import RankedFact

#: A small instruct model.
INSTRUCT = "Qwen/Qwen2.5-0.5B-Instruct"

_FALLBACK_CONTEXT_TOKENS = 1024
_LENGTH_SETTINGS = ("max_position_embeddings", "n_positions", "n_ctx")
#: A longer prompt than any reply needs only costs time and memory.
_MOST_INPUT_TOKENS = 4096


class CausalLMGenerator(TransformersGenerator[ChatPrompt]):
    """Words replies with a local instruct model, or with a base model in a plain layout.

    The prompt is the one for chat models; see
    :meth:`~frontdesk.generation.voice.prompt.PromptBuilder.build_chat` and
    :class:`~frontdesk.generation.voice.chat_layout.ChatLayout`.

    Args:
        model: Name on the Hugging Face hub, or path of a folder with weights, configuration and
            tokenizer.
        device: A torch device, or ``auto`` for the accelerator where there is one.
        num_beams: Beams of the search, at least 1, which is greedy.
        max_new_tokens: Most tokens of a reply, at least 1.
        max_input_tokens: Most tokens of a prompt; None for what the model's context leaves beside
            a reply, at most 4096.
        max_facts: Most facts in a prompt, at least 0.
        instruction: The rules that a prompt begins with.

    Attributes:
        layout: How it reads messages.

    Raises:
        MissingModelError: The weights or the chat template are not here, or cannot be used.
        InputError: A number is out of range, or there is no such device.
    """

    continues = True

    def __init__(self, model: str = INSTRUCT, *, device: str = "auto", num_beams: int = 1,
                 max_new_tokens: int = 96, max_input_tokens: int | None = None,
                 max_facts: int = 10, instruction: str = CHAT_INSTRUCTION) -> None:
        super().__init__(f"causal:{model}", device, num_beams, max_new_tokens)
        files = HubModel(model, example=INSTRUCT)
        if getattr(files.config(), "is_encoder_decoder", False):
            raise MissingModelError(f"{model!r} is an encoder-decoder, no causal language model",
                                    remedy="Use it with the godel profile: [godel] model")
        self.tokenizer = files.tokenizer()
        self.layout = ChatLayout(self.tokenizer, model)
        self.model = files.model(
            "AutoModelForCausalLM", dtype="float32" if self.device.type == "cpu" else "auto"
            ).to(self.device)
        self._context = stated_limit(self.model, self.tokenizer, _LENGTH_SETTINGS
                                     ) or _FALLBACK_CONTEXT_TOKENS
        self.prompts = _chat_prompts(
            self.layout,
            min(self._context - max_new_tokens, _MOST_INPUT_TOKENS) if max_input_tokens is None
            else max_input_tokens, max_facts, instruction)

    def _prompt(self, history: Sequence[Turn], knowledge: Sequence[RankedFact]) -> ChatPrompt:
        return self.prompts.build_chat(history, knowledge)

    def _ids(self, prompt: ChatPrompt) -> list[int]:
        return self.layout.encode(prompt.messages)

    def _room(self, read: int) -> int:
        room = min(self._max_new_tokens, self._context - read)
        if room < 1:
            raise InputError(f"a prompt of {read} tokens leaves no room for a reply in "
                             f"the {self._context} of {self.name}",
                             remedy="Lower max_input_tokens")
        return room

    def _options(self, room: int) -> dict[str, Any]:
        ends = self._ends()
        # Sampling settings that come with a model have no part in a search.
        return {"max_new_tokens": room, "temperature": None, "top_p": None, "top_k": None,
                "eos_token_id": ends, "pad_token_id": ends[0]}

    def _text(self, written: list[int]) -> str:
        return self.layout.read(written)

    def _forced(self, prompt: ChatPrompt, reply: str) -> TeacherForcing:
        before = self._ids(prompt)
        tokens = self.layout.reply_tokens(reply)
        if len(before) + len(tokens) > self._context:
            raise InputError(f"a reply of {len(tokens)} tokens does not fit beside a prompt of "
                             f"{len(before)} into the {self._context} of {self.name}",
                             remedy="Give a shorter reply, or lower max_input_tokens")
        return TeacherForcing((*before, *tokens), (*[IGNORED] * len(before), *tokens))

    def _ends(self) -> list[int]:
        # The layout's first.
        stated = self.model.generation_config.eos_token_id
        others = stated if isinstance(stated, list) else [stated, self.tokenizer.eos_token_id]
        return list(dict.fromkeys(each for each in (self.layout.end, *others)
                                  if each is not None))


def _chat_prompts(layout: ChatLayout, max_input_tokens: int, max_facts: int,
                  instruction: str) -> PromptBuilder:
    """What builds prompts of so many tokens, those of the template included."""
    room = max_input_tokens - layout.frame_tokens
    if room < 1:
        raise InputError(f"a prompt of {max_input_tokens} tokens has no room beside the chat "
                         "template", remedy="Allow more tokens, or a shorter reply")
    return PromptBuilder(layout.message_tokens, room, max_facts, chat_instruction=instruction,
                         special_tokens=layout.special_tokens)
