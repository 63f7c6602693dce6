"""Questions and claims beside sentences, as the embedded reader gets them from MiniLM."""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from tokenizers import Encoding
from torch import Tensor

from frontdesk.generation.checks.q2.pair_model import MOST_SENTENCES
from frontdesk.kg.models.minilm import LONGEST, WIDTH, minilm

#: Tokens of a question or claim, and of sentences that are read beside it at once.
_MOST_QUERY, _MOST_BESIDE = 96, 384
#: Characters from which so many tokens are made at the most: Hangul is taken apart into letters.
_TOKENS_OF_CHARACTER = 3
#: More than a token mostly has: what is farther off is not read to find where a text is cut.
_CHARACTERS_OF_TOKEN = 10
_BEGIN, _END = 101, 102
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class ReadText:
    """A text as MiniLM reads it alone.

    Args:
        ids: Of its tokens, those at its two ends included.
        characters: Start and end of each token in the text; ``(0, 0)`` for those at the ends.
        states: What MiniLM says of them, half precision, ``(tokens, 384)``.
    """

    ids: tuple[int, ...]
    characters: tuple[tuple[int, int], ...]
    states: npt.NDArray[np.float16]


@dataclass(frozen=True)
class Window:
    """A text with sentences that are read beside it at once.

    Args:
        sentences: Each with where it starts in the knowledge.
    """

    text: ReadText
    sentences: tuple[tuple[int, ReadText], ...]

    def __len__(self) -> int:
        return len(self.text.ids) + sum(len(each.ids) for _, each in self.sentences)


class PairTexts:
    """Reads texts with MiniLM and keeps what it says of them.

    Args:
        most_kept: Texts that are kept, about 12 KB each.

    Raises:
        MissingModelError: MiniLM is not installed.
    """

    def __init__(self, most_kept: int = 2000) -> None:
        self._minilm = minilm()
        self._most_kept = most_kept
        self._kept: OrderedDict[str, ReadText] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def precision(self) -> str:
        """Of the products of matrices that are the fastest here, ``fp32`` or ``bf16``."""
        return self._minilm.precision

    def read(self, texts: Sequence[str]) -> list[ReadText]:
        """The texts as MiniLM reads them; what has more tokens than fit is to be cut before."""
        different = dict.fromkeys(texts)
        with self._lock:
            known = {text: self._kept[text] for text in different if text in self._kept}
        missing = [text for text in different if text not in known]
        encoded = [self._tokens(text) for text in missing]
        states = {number: each.to(torch.float16).numpy()
                  for number, each in self._minilm.read([ids for ids, _ in encoded])}
        known |= {text: ReadText(ids, characters, states[number])
                  for number, (text, (ids, characters)) in enumerate(
                      zip(missing, encoded, strict=True))}
        with self._lock:
            for text in different:
                self._kept[text] = known[text]
                self._kept.move_to_end(text)
            while len(self._kept) > self._most_kept:
                self._kept.popitem(last=False)
        return [known[text] for text in texts]

    def forget(self) -> None:
        """Forget all texts."""
        with self._lock:
            self._kept.clear()

    def queries(self, text: str) -> list[str]:
        """A question or claim in pieces that are short enough to be read; mostly one."""
        return [piece for _, piece in self._pieces(text, _MOST_QUERY - 2)]

    def _pieces(self, text: str, most: int) -> Iterator[tuple[int, str]]:
        """A text in pieces of no more than so many tokens, each with where it starts."""
        start = 0
        while len(text) - start > most // _TOKENS_OF_CHARACTER:
            part = text[start:start + most * _CHARACTERS_OF_TOKEN]
            offsets = self._encode(part).offsets
            if len(offsets) <= most and start + len(part) == len(text):
                break
            end = offsets[most][0] if len(offsets) > most else len(part)
            end = part.rfind(" ", 1, end) if " " in part[1:end] else max(1, end)
            yield start, part[:end]
            start += end
        if start < len(text) or not text:
            yield start, text[start:]

    def _encode(self, text: str) -> Encoding:
        encoded: Encoding = self._minilm.tokenizer.encode(
            _LONE_SURROGATE.sub("\ufffd", text), add_special_tokens=False)
        return encoded

    def _tokens(self, text: str) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...]]:
        encoded = self._encode(text)
        length = min(len(encoded.ids), LONGEST - 2)
        return ((_BEGIN, *encoded.ids[:length], _END),
                ((0, 0), *encoded.offsets[:length], (0, 0)))

    def windows(self, cases: Sequence[tuple[str, Sequence[tuple[int, str]]]]
                ) -> Iterator[list[Window]]:
        """For each text with its knowledge, the windows that together have all of the knowledge.

        Args:
            cases: Questions or claims, each a piece of :meth:`queries` or cut to such a one, with
                sentences and where those start in the knowledge.
        """
        cases = [(query, [(start + offset, piece) for start, sentence in own
                          for offset, piece in self._pieces(sentence, LONGEST - 2)])
                 for query, own in cases]
        read = iter(self.read([text for query, own in cases
                               for text in (query, *(sentence for _, sentence in own))]))
        for _, own in cases:
            query = next(read)
            query = ReadText(query.ids[:_MOST_QUERY], query.characters[:_MOST_QUERY],
                             query.states[:_MOST_QUERY])
            yield list(_filled(query, [(start, next(read)) for start, _ in own]))


def _filled(query: ReadText, sentences: Sequence[tuple[int, ReadText]]) -> Iterator[Window]:
    window: list[tuple[int, ReadText]] = []
    for sentence in sentences:
        length = sum(len(each.ids) for _, each in window) + len(sentence[1].ids)
        if window and (length > _MOST_BESIDE or len(window) == MOST_SENTENCES):
            yield Window(query, tuple(window))
            window = []
        window.append(sentence)
    if window:
        yield Window(query, tuple(window))


def collate(windows: Sequence[Window]) -> dict[str, Tensor]:
    """The inputs of the model for windows, padded to the longest."""
    longest = max(map(len, windows))
    states = torch.zeros(len(windows), longest, WIDTH)
    sentences, shared, answers, mask = (
        torch.zeros(len(windows), longest, dtype=torch.long) for _ in range(4))
    for row, window in enumerate(windows):
        said = set(window.text.ids[1:-1])
        beside = {token for _, each in window.sentences for token in each.ids[1:-1]}
        position = 0
        for number, part in enumerate((window.text, *(each for _, each in window.sentences))):
            end = position + len(part.ids)
            states[row, position:end] = torch.from_numpy(part.states.astype(np.float32))
            sentences[row, position:end] = number
            shared[row, position:end] = torch.tensor(
                [int(token in (said if number else beside)) for token in part.ids])
            if number:
                answers[row, position + 1:end - 1] = 1
            position = end
        mask[row, :position] = 1
    return {"states": states, "sentences": sentences, "shared": shared, "answers": answers,
            "attention_mask": mask}
