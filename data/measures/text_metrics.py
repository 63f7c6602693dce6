"""How close replies are to reference replies in words: BLEU, chrF, METEOR and distinct-n.

Every corpus function takes one reply and one reference a turn, in the same order. A turn without
a reply is the empty string and counts as such: it matches nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.graph.optional_packages import import_extra

BLEU_ORDER = 4


@dataclass(frozen=True)
class TextScore:
    """A figure with what it takes to reproduce it.

    Args:
        value: BLEU and chrF in [0, 100], all others in [0, 1].
        signature: Settings and versions, parts divided by ``|``.
    """

    value: float
    signature: str


def corpus_bleu(replies: Sequence[str], references: Sequence[str], *,
                lowercase: bool = False) -> TextScore:
    """BLEU of a corpus (Papineni et al., 2002) as sacrebleu computes it, in [0, 100].

    Replies that are all empty score 0.

    Args:
        replies, references: ``n_turns`` each.
        lowercase: Compare without case.

    Raises:
        InputError: There are no turns.
        MissingExtraError: sacrebleu is not installed.
    """
    check_pairs(replies, references)
    metric = _bleu(lowercase=lowercase)
    score = metric.corpus_score(list(replies), [list(references)])
    return TextScore(float(score.score), str(metric.get_signature()))


def sentence_bleu(reply: str, reference: str) -> TextScore:
    """BLEU of one turn, in [0, 100], over the orders that a short reply has n-grams of.

    For display beside a turn; a corpus's BLEU is not the mean of these.

    Raises:
        MissingExtraError: sacrebleu is not installed.
    """
    metric = _bleu(effective_order=True)
    score = metric.sentence_score(reply, [reference])
    return TextScore(float(score.score), str(metric.get_signature()))


def bleu_statistics(replies: Sequence[str], references: Sequence[str], *,
                    lowercase: bool = False) -> npt.NDArray[np.int64]:
    """What BLEU is computed from, by turn ``(n_turns, 10)``.

    The columns are the lengths of reply and reference in tokens, the n-grams of the reply that
    match for n from 1 to 4, and all its n-grams for n from 1 to 4. The statistics of a corpus
    are the sums of its turns'.

    Raises:
        InputError: There are no turns.
        MissingExtraError: sacrebleu is not installed.
    """
    check_pairs(replies, references)
    metric = _bleu(lowercase=lowercase)
    # sacrebleu offers these rows to its own significance tests only.
    rows = metric._extract_corpus_statistics(list(replies), [list(references)])
    return np.asarray(rows, dtype=np.int64)


def corpus_chrf(replies: Sequence[str], references: Sequence[str]) -> TextScore:
    """chrF2 of a corpus (Popović, 2015) as sacrebleu computes it, in [0, 100].

    Raises:
        InputError: There are no turns.
        MissingExtraError: sacrebleu is not installed.
    """
    check_pairs(replies, references)
    metric = _sacrebleu().CHRF()
    score = metric.corpus_score(list(replies), [list(references)])
    return TextScore(float(score.score), str(metric.get_signature()))


def sentence_chrf(reply: str, reference: str) -> TextScore:
    """chrF2 of one turn, in [0, 100].

    Raises:
        MissingExtraError: sacrebleu is not installed.
    """
    metric = _sacrebleu().CHRF()
    score = metric.sentence_score(reply, [reference])
    return TextScore(float(score.score), str(metric.get_signature()))


class Meteor:
    """METEOR (Lavie and Agarwal, 2007) by nltk, with alpha 0.9, beta 3 and gamma 0.5.

    Words are those of sacrebleu's 13a tokenizer, without case. They are aligned when they are
    equal, else when their Porter stems are, else when WordNet has them as synonyms. WordNet is
    data that nltk looks for on this machine and that no package installs: without it the last
    step falls away, scores are a little lower, and :attr:`signature` says ``exact+stem`` instead
    of ``exact+stem+synonym``.

    Attributes:
        signature: Version of nltk, tokenizer and the steps of the alignment.

    Raises:
        MissingExtraError: nltk or sacrebleu is not installed.
    """

    def __init__(self) -> None:
        nltk = import_extra("nltk", "METEOR")
        self._score: Any = nltk.translate.meteor_score.meteor_score
        self._words = Words()
        self._synonyms: Any = nltk.corpus.wordnet
        try:
            self._synonyms.ensure_loaded()
            steps = "exact+stem+synonym"
        except (LookupError, OSError):  # not there, or not whole
            self._synonyms = _NoSynonyms()
            steps = "exact+stem"
        self.signature = f"nltk:{nltk.__version__}|case:lc|{self._words.signature}|{steps}"

    def sentence(self, reply: str, reference: str) -> float:
        """METEOR of one turn, in [0, 1]; 0 when either is empty."""
        return float(self._score([self._words.split(reference)], self._words.split(reply),
                                 wordnet=self._synonyms))

    def corpus(self, replies: Sequence[str], references: Sequence[str]) -> TextScore:
        """The mean over turns, in [0, 1].

        Raises:
            InputError: There are no turns.
        """
        check_pairs(replies, references)
        scores = [self.sentence(reply, reference)
                  for reply, reference in zip(replies, references, strict=True)]
        return TextScore(sum(scores) / len(scores), self.signature)


class _NoSynonyms:
    """Stands in for WordNet: words have no synonyms."""

    def synsets(self, _word: str) -> list[Any]:
        return []


def distinct_n(replies: Sequence[str], n: int) -> TextScore:
    """Share of different n-grams among all n-grams of all replies, in [0, 1] (Li et al., 2016).

    N-grams are counted without case and never across replies; 0 when there are none.

    Args:
        replies: ``n_turns``.
        n: At least 1.

    Raises:
        InputError: There are no replies.
        MissingExtraError: sacrebleu, whose tokenizer divides the words, is not installed.
    """
    check_pairs(replies, replies)
    words = Words()
    seen: list[tuple[str, ...]] = []
    for reply in replies:
        tokens = [token.lower() for token in words.split(reply)]
        seen += [tuple(tokens[first:first + n]) for first in range(len(tokens) - n + 1)]
    value = len(set(seen)) / len(seen) if seen else 0.0
    return TextScore(value, f"distinct:{n}|case:lc|{words.signature}")


class Words:
    """Splits text into words as sacrebleu's BLEU does.

    Raises:
        MissingExtraError: sacrebleu is not installed.
    """

    def __init__(self) -> None:
        metric = _bleu()
        self._tokenize: Any = metric.tokenizer
        self.signature = f"tok:{metric.tokenizer.signature()}"

    def split(self, text: str) -> list[str]:
        """The words of a text, punctuation included."""
        return str(self._tokenize(text.rstrip())).split()


def check_pairs(replies: Sequence[str], references: Sequence[str]) -> None:
    """Raise unless there are as many replies as references, and any.

    Raises:
        InputError: There are none.
        ValueError: Their numbers differ.
    """
    if len(replies) != len(references):
        raise ValueError(f"{len(replies)} replies, but {len(references)} references")
    if not replies:
        raise InputError("there are no replies to score", remedy="Evaluate at least one turn")


def _sacrebleu() -> Any:
    return import_extra("sacrebleu", "BLEU").metrics


def _bleu(*, lowercase: bool = False, effective_order: bool = False) -> Any:
    # force: replies that end in " ." are no mistake here, and no reason for warnings.
    return _sacrebleu().BLEU(lowercase=lowercase, effective_order=effective_order, force=True,
                             max_ngram_order=BLEU_ORDER)
