"""The relevance of passages of house documents for a question that the graph cannot answer.

It rests on what the relevance of facts rests on, the cosine of sentence embeddings and BM25, both
of the sentences of a passage below its headings. Here it tells not only which passage is nearest,
but whether any answers at all, so BM25 is divided by what a sentence with all words of the question
would have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from rank_bm25 import BM25Okapi
from scipy.sparse import csc_array

from frontdesk.kg.english.words import split_words
from frontdesk.kg.sources.house_documents import EMERGENCY, VISITORS, Passage
from frontdesk.scoring.encoder import Embeddings, SentenceEncoder

#: From this cosine on an emergency is of a kind.
_LEAST_ALARM = 0.35
#: What the cosine of the question, the cosine of its topic and BM25 count.
_QUESTION, _TOPIC, _WORDS = 0.6, 0.4, 0.3
#: A passage of at most so many letters is quoted as a whole; of a longer one what fits.
_LONGEST = 280


@dataclass(frozen=True)
class Quotation:
    """What is quoted of a passage.

    Args:
        sentences: Those that answer, as they follow one another in it.
        relevance: In [0, 1].
    """

    passage: Passage
    sentences: tuple[str, ...]
    relevance: float


class PassageIndex:
    """Passages that may be told to somebody.

    Args:
        vectors: Of their sentences below their headings, ``(n_sentences, d)``, each of length 1.
        least: From this relevance on one answers.
    """

    def __init__(self, passages: Sequence[Passage], vectors: Embeddings,
                 encoder: SentenceEncoder, least: float) -> None:
        self.passages, self._vectors, self._encoder = passages, vectors, encoder
        self._least = least
        lengths = [len(each.sentences) for each in passages]
        self._owners = np.repeat(np.arange(len(passages)), lengths)
        self._firsts = np.cumsum([0, *lengths])
        self._bm25 = _Words([_words(text) for text in _texts(passages)] or [["-"]])
        self._kinds = [*dict.fromkeys(each.alarm for each in passages if each.alarm), EMERGENCY]

    def answering(self, question: str, topic: str) -> Quotation | None:
        """What answers a question, of the most relevant passage; None where none does.

        Args:
            question: As it was asked.
            topic: What it is about, in words of it.
        """
        return self._best(self._scores(question, topic)) if self.passages else None

    def going_on(self, before: str, about: str, question: str, topic: str) -> Quotation | None:
        """What answers a question that may go on with another, of the passage that answers both
        together best; None where that answers the one before as well by itself.

        Args:
            before: The question before, as it was asked.
            about: What that is about, in words of it.
        """
        if not self.passages:
            return None
        together = self._scores(f"{before} {question}", f"{about} {topic}")
        of_best = self._owners == self._owners[int(together.argmax())]
        return self._best(together) \
            if together.max() > self._scores(before, about)[of_best].max() else None

    def _best(self, scores: npt.NDArray[np.float64]) -> Quotation | None:
        """What answers by the relevance of each sentence ``(n_sentences,)``; None where none does.
        """
        best = int(scores.argmax())
        if scores[best] < self._least:
            return None
        number = int(self._owners[best])
        first, passage = self._firsts[number], self.passages[number]
        return Quotation(
            passage, _fitting(passage, best - first, scores[first:self._firsts[number + 1]]),
            float(min(scores[best], 1.0)))

    def warning(self, danger: str) -> tuple[Quotation, ...]:
        """What is said in an emergency: what is of its kind, then what is said in all.

        Args:
            danger: What happens, in words of who tells it.
        """
        cosines = self._encoder.encode(self._kinds) @ self._encoder.encode([danger], keep=False)[0]
        kind = self._kinds[int(cosines.argmax())] if cosines.max() >= _LEAST_ALARM else ""
        told = [each for each in self.passages if each.alarm in ("", kind)]
        return tuple(Quotation(each, each.sentences, 1.0)
                     for each in sorted(told, key=lambda each: not each.alarm))

    def _scores(self, question: str, topic: str) -> npt.NDArray[np.float64]:
        """The relevance of each sentence ``(n_sentences,)``, at least one."""
        about = self._encoder.encode([question, topic], keep=False)
        cosines = self._vectors @ (_QUESTION * about[0] + _TOPIC * about[1])
        return np.asarray(cosines + _WORDS * self._bm25.shared(_words(question)),
                          dtype=np.float64)


class _Words:
    """BM25 of sentences, each word's computed beforehand: the library's own pass over all sentences
    for each question takes longer than all else.

    Args:
        sentences: Their words, at least one sentence.
    """

    def __init__(self, sentences: Sequence[Sequence[str]]) -> None:
        bm25 = BM25Okapi(sentences)
        self._idf: dict[str, float] = bm25.idf
        self._most, self._unknown = bm25.k1 + 1, float(np.log(len(sentences) + 1))
        self._columns = {word: number for number, word in enumerate(bm25.idf)}
        lengths = bm25.k1 * (1 - bm25.b + bm25.b * np.array(bm25.doc_len) / bm25.avgdl)
        found = [(row, self._columns[word], bm25.idf[word] * count * self._most
                  / (count + lengths[row]))
                 for row, counts in enumerate(bm25.doc_freqs) for word, count in counts.items()]
        rows, columns, scores = zip(*found, strict=True)
        self._scores = csc_array((scores, (rows, columns)),
                                 shape=(len(sentences), len(self._columns)))

    def shared(self, words: Sequence[str]) -> npt.NDArray[np.float64]:
        """BM25 of each sentence ``(n_sentences,)``, as a share of that of one with all words."""
        known = [self._columns[each] for each in words if each in self._columns]
        most = sum(self._idf.get(each, self._unknown) for each in words) * self._most
        scores: npt.NDArray[np.float64] = self._scores[:, known].sum(axis=1) / max(most, 1.0)
        return scores


class HousePassages:
    """The passages of house documents, for whoever asks.

    Args:
        encoder: Of sentences; one that keeps embeddings computes those of a passage once.
        least: From this relevance on a passage answers.
    """

    def __init__(self, passages: Sequence[Passage], encoder: SentenceEncoder,
                 least: float) -> None:
        texts = _texts(passages)
        vectors = encoder.encode(texts) if texts else np.zeros((0, 0), dtype=np.float32)
        self._all = PassageIndex(passages, vectors, encoder, least)
        of_sentence = [each for each in passages for _ in each.sentences]
        self._public = PassageIndex(
            [each for each in passages if each.audience == VISITORS],
            vectors[[each.audience == VISITORS for each in of_sentence]], encoder, least)

    def told_to(self, *, visitor: bool) -> PassageIndex:
        """What may be told to a visitor, or to others: the rest is not there for them."""
        return self._public if visitor else self._all


def _fitting(passage: Passage, best: int, scores: npt.NDArray[np.float64]) -> tuple[str, ...]:
    """The sentence of a passage that answers best, with those around it that fit, the better
    first."""
    sentences, start, end = passage.sentences, best, best + 1
    left = _LONGEST - len(sentences[best])
    while start > 0 or end < len(sentences):
        around = [each for each in (start - 1, end) if 0 <= each < len(sentences)]
        better = max(around, key=lambda each: scores[each])
        left -= len(sentences[better])
        if left < 0:
            break
        start, end = min(start, better), max(end, better + 1)
    return sentences[start:end]


def _texts(passages: Sequence[Passage]) -> list[str]:
    return [f"{passage.topic}: {sentence}"
            for passage in passages for sentence in passage.sentences]


def _words(text: str) -> list[str]:
    return [word.text for word in split_words(text)]
