"""The mention tagger: a small recurrent head over the frozen MiniLM (paper, section 3.2.2).

It finds mentions by how people speak of things, not by the names of a knowledge base: also names
that were misheard beyond recognition or that nobody knows. It reads no more than the utterance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from safetensors.torch import load, save
from torch import Tensor, nn

from frontdesk.kg.english.words import Word, split_words
from frontdesk.kg.models.head_weights import HeadFiles
from frontdesk.kg.models.mention_tags import N_LABELS, OUTSIDE, TYPES, TaggedSpan, spans_of
from frontdesk.kg.models.minilm import WIDTH, minilm

#: The file of the weights; the configuration is the ``.json`` beside it.
WEIGHTS = "mention_tagger.safetensors"
#: Words that are read together; longer utterances are read in stretches.
_STRETCH = 60
#: Texts whose mentions are remembered: a turn reads its utterance more than once.
_REMEMBERED = 16
#: Signs by which a word is marked beside its vector: MiniLM does not see capitals.
_MARKS = 6
_SENTENCE_END = frozenset(".!?")


@dataclass(frozen=True)
class TaggerSizes:
    """The shape of the head.

    Args:
        layers: Of MiniLM's seven outputs (0: embeddings) the ones that are read.
        projected: Numbers that they are reduced to for each word.
        hidden: Width of the recurrent layer in each direction.
    """

    layers: tuple[int, ...] = (2, 4, 6)
    projected: int = 128
    hidden: int = 128


class TaggerHead(nn.Module):
    """Vectors of words to scores of labels.

    Args:
        sizes: Its shape.
        dropout: Share of the numbers left out in training.
    """

    def __init__(self, sizes: TaggerSizes, dropout: float = 0.0) -> None:
        super().__init__()
        self.project = nn.Linear(WIDTH * len(sizes.layers), sizes.projected)
        self.recur = nn.LSTM(sizes.projected + _MARKS, sizes.hidden, batch_first=True,
                             bidirectional=True)
        self.label = nn.Linear(2 * sizes.hidden, N_LABELS)
        self.dropout = nn.Dropout(dropout)

    def forward(self, vectors: Tensor, marks: Tensor, lengths: Tensor) -> Tensor:
        """Scores of labels, ``(n_utterances, n_words, N_LABELS)``.

        Args:
            vectors: ``(n_utterances, n_words, len(layers) * 384)``, padded with anything.
            marks: ``(n_utterances, n_words, 6)``.
            lengths: ``(n_utterances,)``, at least 1 each: words that are not padding.
        """
        projected = torch.nn.functional.gelu(self.project(self.dropout(vectors)))
        packed = nn.utils.rnn.pack_padded_sequence(
            torch.cat([self.dropout(projected), marks], dim=-1), lengths,
            batch_first=True, enforce_sorted=False)
        states, _ = nn.utils.rnn.pad_packed_sequence(self.recur(packed)[0], batch_first=True)
        scores: Tensor = self.label(self.dropout(states))
        return scores


class MentionTagger:
    """Finds mentions in utterances.

    Args:
        head: Trained.
        sizes: Its shape.

    Example:
        >>> tagger = load_tagger()  # doctest: +SKIP
        >>> [str(span.type) for span in tagger.tag("where is brenda pain")]  # doctest: +SKIP
        ['person']
    """

    def __init__(self, head: TaggerHead, sizes: TaggerSizes) -> None:
        self.head = head.eval()
        self.sizes = sizes
        self._remembered = lru_cache(_REMEMBERED)(self._read)

    def tag(self, text: str) -> list[TaggedSpan]:
        """The mentions in a text of any length and content, in order, none overlapping."""
        return list(self._remembered(text))

    def _read(self, text: str) -> tuple[TaggedSpan, ...]:
        words = split_words(text)
        stretches = (words[first:first + _STRETCH] for first in range(0, len(words), _STRETCH))
        return tuple(span for stretch in stretches
                     for span in spans_of(stretch, self.probabilities(text, stretch)))

    def probabilities(self, text: str, words: Sequence[Word]) -> npt.NDArray[np.float64]:
        """Of each label for each word, ``(n_words, N_LABELS)``.

        Args:
            text: An utterance.
            words: Neighbouring words of it, at least one.
        """
        vectors, read = word_vectors([(text, words)], self.sizes.layers)[0]
        with torch.inference_mode():
            scores = self.head(vectors[None], word_marks(text, words)[None],
                               torch.tensor([len(words)]))[0]
            result: npt.NDArray[np.float64] = torch.softmax(scores.double(), dim=-1).numpy()
        # What MiniLM does not read to is no mention.
        result[~read.numpy()] = np.eye(N_LABELS)[OUTSIDE]
        return result


def word_vectors(utterances: Sequence[tuple[str, Sequence[Word]]],
                 layers: Sequence[int]) -> list[tuple[Tensor, Tensor]]:
    """MiniLM's vectors of words, the mean over the pieces of each.

    Args:
        utterances: Texts, each with neighbouring words of it; what is outside of them is not read.
        layers: Whose vectors are joined.

    Returns:
        For each utterance ``(n_words, len(layers) * 384)``, and ``(n_words,)`` whether the word
        was read; a text is read to its 256th piece.
    """
    shared = minilm()
    bounds = [(words[0].start, words[-1].end + 1) if words else (0, 0)
              for _, words in utterances]
    encoded = shared.tokenizer.encode_batch(
        [text[start:end] for (text, _), (start, end) in zip(utterances, bounds, strict=True)])
    states = dict(shared.read([each.ids for each in encoded], layers))
    found = []
    for number, ((_, words), (begin, _)) in enumerate(zip(utterances, bounds, strict=True)):
        owner = _owners(encoded[number].offsets, words, begin)
        pieces = [piece for piece, word in enumerate(owner) if word >= 0]
        index = torch.tensor([owner[piece] for piece in pieces], dtype=torch.long)
        count = torch.bincount(index, minlength=len(words))
        vectors = torch.zeros(len(words), WIDTH * len(layers)).index_add_(
            0, index, states[number][pieces])
        found.append((vectors / count.clamp(min=1).unsqueeze(1), count > 0))
    return found


def _owners(offsets: Sequence[tuple[int, int]], words: Sequence[Word], begin: int) -> list[int]:
    """For each piece of a text the index of the word that it is of, -1 where of none."""
    owner, word = [], 0
    for start, end in offsets:
        start, end = start + begin, end + begin
        while word + 1 < len(words) and words[word].end <= start:
            word += 1
        within = end > start and words[word].start <= start < words[word].end
        owner.append(word if within else -1)
    return owner


def word_marks(text: str, words: Sequence[Word]) -> Tensor:
    """What MiniLM does not see of words, or not well, ``(n_words, 6)`` zeros and ones.

    Capital first letter, capitals only, a digit, first of a sentence, before ``'s``, before a
    comma or the like.
    """
    rows = []
    for word in words:
        before, after = text[:word.start].rstrip(), text[word.end:word.end + 2]
        rows.append([word.original[:1].isupper(),
                     len(word.original) > 1 and word.original.isupper(),
                     any(char.isdigit() for char in word.text),
                     not before or before[-1] in _SENTENCE_END,
                     after in ("'s", "’s"), bool(after) and not after[0].isspace()])
    return torch.tensor(rows, dtype=torch.float32).reshape(len(words), _MARKS)


def _tagger(data: bytes, config: dict[str, Any]) -> MentionTagger:
    sizes = TaggerSizes(**{**config["sizes"], "layers": tuple(config["sizes"]["layers"])})
    head = TaggerHead(sizes)
    head.load_state_dict({name: value.float() for name, value in load(data).items()})
    return MentionTagger(head, sizes)


#: Written by ``frontdesk train mentions``.
MENTION_TAGGERS = HeadFiles(
    "mention tagger", Path(__file__).parent / "trained" / "mention_tagger" / WEIGHTS,
    "Install frontdesk again, name others with [mentions] weights, train them with "
    'frontdesk train mentions, or do without: [mentions] detector = "rules"',
    {"types": [str(kind) for kind in TYPES]}, _tagger)
load_tagger = MENTION_TAGGERS.load


def save_tagger(tagger: MentionTagger, path: Path) -> None:
    """Write the weights in half precision, and beside them their configuration.

    Args:
        tagger: Trained.
        path: The file of the weights; the configuration is the ``.json`` beside it.
    """
    MENTION_TAGGERS.save(path, save({name: value.half().contiguous() for name, value
                                     in tagger.head.state_dict().items()}),
                         sizes=asdict(tagger.sizes))
