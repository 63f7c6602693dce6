"""The sentence encoder of an evaluation: the same embeddings whatever ran before."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from frontdesk.kg.graph.schema import Schema
from frontdesk.scoring.encoder import Embeddings, SentenceEncoder

#: Sentences that a thread encodes at a time.
_CHUNK = 64


class EvaluationEncoder:
    """Keeps embeddings so that those of a turn depend on its dialogue and itself alone.

    The last bits of an embedding depend on what else is in its batch. So what is kept over turns
    is encoded in batches that are always the same: the schema's questions and the stored facts of
    a dialogue. What a turn adds is forgotten with it, so that runs agree bit for bit however
    their dialogues are spread over processes and wherever they were interrupted.

    Args:
        encoder: Computes the embeddings, each batch in one thread.
        threads: Batches that are computed at a time, at least 1; the embeddings are the same.
    """

    def __init__(self, encoder: SentenceEncoder, *, threads: int = 1) -> None:
        self.encoder = encoder
        self._pool = ThreadPoolExecutor(threads, "encode", initializer=_one_thread)
        self.name = encoder.name
        self._questions: dict[Schema, dict[str, Embeddings]] = {}
        self._kept: dict[str, Embeddings] = {}
        self._of_turn: dict[str, Embeddings] = {}

    def start_dialogue(self, schema: Schema, sentences: Iterable[str]) -> None:
        """Forget the last dialogue and encode what is stored for this one."""
        if schema not in self._questions:
            self._questions[schema] = self._encoded(
                {question for predicate in schema.values() for question in predicate.questions})
        self._kept = self._questions[schema] | self._encoded(set(sentences))
        self._of_turn = {}

    def start_turn(self) -> None:
        """Forget what the last turn added."""
        self._of_turn = {}

    def encode(self, sentences: Sequence[str], *, keep: bool = True) -> Embeddings:
        """Embeddings ``(n_sentences, d)``, each of length 1."""
        missing = {each for each in sentences
                   if each not in self._kept and each not in self._of_turn}
        self._of_turn |= self._encoded(missing)
        if not sentences:
            return self.encoder.encode([])
        return np.stack([self._kept[each] if each in self._kept else self._of_turn[each]
                         for each in sentences])

    def _encoded(self, sentences: set[str]) -> dict[str, Embeddings]:
        # By length, so that short sentences are not padded to the longest.
        ordered = sorted(sentences, key=lambda each: (len(each), each))
        chunks = [ordered[first:first + _CHUNK] for first in range(0, len(ordered), _CHUNK)]
        return {sentence: vector
                for chunk, vectors in zip(chunks, self._pool.map(self.encoder.encode, chunks),
                                          strict=True)
                for sentence, vector in zip(chunk, vectors, strict=True)}


def _one_thread() -> None:
    """The order of additions, and with it the last bit, depends on the number of threads."""
    import torch

    torch.set_num_threads(1)
