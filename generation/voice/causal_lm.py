"""Replies from a causal language model of the transformers library, by its chat template."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from frontdesk.generation.voice.chat_layout import ChatLayout
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
from frontdesk.generation.voice.prompt import ChatPrompt, PromptBuilder, Turn
from frontdesk.kg.graph.errors import InputError, MissingModelError
from frontdesk.kg.models.hub_models import HubModel, check_at_least_1, stated_limit, torch_device
from frontdesk.scoring.ranked_fact import RankedFact

if TYPE_CHECKING:
    from frontdesk.generation.voice.pmi_decoding import PmiSettings

#: A small instruct model.
INSTRUCT = "Qwen/Qwen2.5-0.5B-Instruct"

_FALLBACK_CONTEXT_TOKENS = 1024
_LENGTH_SETTINGS = ("max_position_embeddings", "n_positions", "n_ctx")
#: A longer prompt than any reply needs only costs time and memory.
_MOST_INPUT_TOKENS = 4096


class CausalLMGenerator:
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
        local_files_only: Never use the network. With False, missing files are downloaded.

    Attributes:
        name: ``causal:`` and the model.
        model: The transformers model, in evaluation mode, on :attr:`device`: in the file's
            precision on an accelerator, in float32 elsewhere.
        tokenizer: Its tokenizer.
        layout: How it reads messages.
        prompts: What builds its prompts.
        device: Where it runs.

    Raises:
        MissingModelError: The weights or the chat template are not here, or cannot be used.
        InputError: A number is out of range, or there is no such device.
    """

    def __init__(self, model: str = INSTRUCT, *, device: str = "auto", num_beams: int = 1,
                 max_new_tokens: int = 96, max_input_tokens: int | None = None,
                 max_facts: int = 10, local_files_only: bool = True) -> None:
        check_at_least_1(num_beams=num_beams, max_new_tokens=max_new_tokens)
        self.name = f"causal:{model}"
        self.device = torch_device(device)
        files = HubModel(model, example=INSTRUCT, local_files_only=local_files_only)
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
            else max_input_tokens, max_facts)
        self._num_beams = num_beams
        self._max_new_tokens = max_new_tokens

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
            InputError: The prompt limit has no room for any of the last turn, or the model's
                context none for a reply.
            ValueError: The history is empty.
        """
        import torch

        prompt = self.prompts.build_chat(request.history, request.knowledge)
        tokens = self.layout.encode(prompt.messages)
        room = self._room(len(tokens))
        read = torch.tensor([tokens], device=self.device)
        with torch.inference_mode():
            output = self.model.generate(
                input_ids=read, attention_mask=torch.ones_like(read), num_beams=self._num_beams,
                num_return_sequences=min(count, self._num_beams), do_sample=False,
                **self._options(room))
        return different_replies((self._reply(prompt, each, room)
                                  for each in output[:, len(tokens):].tolist()), count)

    def generate_by_pmi(self, request: GenerationInput, count: int, settings: PmiSettings
                        ) -> list[GeneratedReply]:
        """See :class:`~frontdesk.generation.voice.generator.PmiGenerator`."""
        from frontdesk.generation.voice.pmi_decoding import PmiDecoding, pmi_generate

        prompt = self.prompts.build_chat(request.history, request.knowledge)
        history = self.prompts.build_chat(request.history[-prompt.turns:])
        # Filled up on the left, so that both end where the reply begins.
        read, mask = (each.flip(1) for each in padded(
            [self.layout.encode(each.messages)[::-1] for each in (prompt, history)], 0,
            self.device))
        room = self._room(read.shape[1])
        found = pmi_generate(self.model, {"input_ids": read, "attention_mask": mask},
                             PmiDecoding(settings), num_beams=max(count, self._num_beams),
                             num_return_sequences=count, **self._options(room))
        return different_replies((self._reply(prompt, tokens[read.shape[1]:], room)
                                  for tokens in found), count)

    def _room(self, prompt_tokens: int) -> int:
        """Tokens left for a reply."""
        room = min(self._max_new_tokens, self._context - prompt_tokens)
        if room < 1:
            raise InputError(f"a prompt of {prompt_tokens} tokens leaves no room for a reply in "
                             f"the {self._context} of {self.name}",
                             remedy="Lower max_input_tokens")
        return room

    def _options(self, room: int) -> dict[str, Any]:
        """Of ``generate``. Sampling settings that come with a model have no part in a search."""
        ends = self._ends()
        return {"max_new_tokens": room, "temperature": None, "top_p": None, "top_k": None,
                "eos_token_id": ends, "pad_token_id": ends[0]}

    def _reply(self, prompt: ChatPrompt, written: list[int], room: int) -> GeneratedReply:
        text = self.layout.read(written)
        notes = list(prompt.notes)
        if len(written) >= room and not set(self._ends()).intersection(written):
            notes.append(f"the reply was cut after {room} tokens")
        if not text:
            notes.append(f"{self.name} gave an empty reply")
        return GeneratedReply(text, used=prompt.facts, notes=tuple(notes))

    def log_probabilities(self, replies: Sequence[GivenReply]) -> list[TokenLogProbabilities]:
        """The log-probability of each token of replies, in one forward pass.

        See :meth:`~frontdesk.generation.voice.generator.ScoringGenerator.log_probabilities`. The
        token that ends the reply is the one of the chat template, in the plain layout a line break.
        """
        import torch

        if not replies:
            return []
        forced = [self.teacher_forcing(each.request.history, each.request.knowledge, each.text,
                                       with_knowledge=each.with_knowledge) for each in replies]
        read, mask = padded([each.input_ids for each in forced], 0, self.device)
        with torch.inference_mode():
            logits = self.model(input_ids=read, attention_mask=mask).logits
        # What stands at a place foretells the next token.
        return [token_log_probabilities(row[:len(each.input_ids) - 1], each, self.tokenizer)
                for row, each in zip(logits, forced, strict=True)]

    def teacher_forcing(self, history: Sequence[Turn], knowledge: Sequence[RankedFact],
                        reply: str, *, with_knowledge: bool = True) -> TeacherForcing:
        """A prompt and a reply as the model is trained on them.

        Raises:
            InputError: The reply or the last turn does not fit into the model's input.
            ValueError: The history is empty.
        """
        prompt = self.prompts.build_chat(history, knowledge)
        if not with_knowledge:
            prompt = self.prompts.build_chat(history[-prompt.turns:])
        before = self.layout.encode(prompt.messages)
        tokens = self.layout.reply_tokens(reply)
        if len(before) + len(tokens) > self._context:
            raise InputError(f"a reply of {len(tokens)} tokens does not fit beside a prompt of "
                             f"{len(before)} into the {self._context} of {self.name}",
                             remedy="Give a shorter reply, or lower max_input_tokens")
        return TeacherForcing((*before, *tokens), (*[IGNORED] * len(before), *tokens))

    def _ends(self) -> list[int]:
        """Ids of all tokens that end a reply, the layout's first."""
        stated = self.model.generation_config.eos_token_id
        others = stated if isinstance(stated, list) else [stated, self.tokenizer.eos_token_id]
        return list(dict.fromkeys(each for each in (self.layout.end, *others)
                                  if each is not None))


def _chat_prompts(layout: ChatLayout, max_input_tokens: int, max_facts: int) -> PromptBuilder:
    """What builds prompts of so many tokens, those of the template included."""
    room = max_input_tokens - layout.frame_tokens
    if room < 1:
        raise InputError(f"a prompt of {max_input_tokens} tokens has no room beside the chat "
                         "template", remedy="Allow more tokens, or a shorter reply")
    return PromptBuilder(layout.message_tokens, room, max_facts,
                         special_tokens=layout.special_tokens)
