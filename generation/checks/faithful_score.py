"""How faithful a reply is to its knowledge, as one calibrated number.

A logistic regression over what the checks tell of a reply: the fine-tuned reader's judgement and
inference, Q², how many of its words the knowledge has, and PMI-FAITH. Its weights are learned from
replies that were judged (``frontdesk train faithfulness``) and lie beside those of the reader.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from frontdesk.generation.checks.pmi_faith import PmiFaith
from frontdesk.generation.checks.q2.matching import answer_words, word_f1
from frontdesk.generation.checks.q2.text_spans import informative_words
from frontdesk.kg.graph.errors import MissingModelError

if TYPE_CHECKING:
    from frontdesk.generation.checks.q2.pair_reader import Judgement, PairReader

FILE = "faithfulness.json"
#: Log-odds beyond these tell no more.
_SURE = 8.0


@dataclass(frozen=True)
class FaithfulnessParts:
    """What a faithfulness score is made of.

    Args:
        reader: Log-odds that all of the reply rests on the knowledge, by the reader.
        entailment: Log-odds that the knowledge entails it.
        q2: In [0, 1].
        words: Share of its informative words that the knowledge has, in [0, 1].
        overlap: F1 of its words and those of the knowledge, in [0, 1].
        pmi_faith: Nats for a token.
    """

    reader: float
    entailment: float
    q2: float | None
    words: float | None
    overlap: float
    pmi_faith: float | None

    def values(self) -> dict[str, float | None]:
        """By name."""
        return {name: None if value is None else round(value, 4)
                for name, value in asdict(self).items()}


def _parts(reply: str, knowledge: str, judged: Judgement, q2: float | None,
           pmi: PmiFaith | None) -> FaithfulnessParts:
    said, told = informative_words(reply), {*answer_words(knowledge)}
    return FaithfulnessParts(
        _limited(judged.faithful), _limited(judged.entailed), q2,
        sum(word in told for word in said) / len(said) if said else None,
        word_f1(reply, knowledge),
        pmi.total / len(pmi.tokens) if pmi is not None and pmi.tokens else None)


def _limited(log_odds: float) -> float:
    return max(-_SURE, min(_SURE, log_odds))


@dataclass(frozen=True)
class FaithfulnessModel:
    """The weights of the score.

    Args:
        bias: Of the log-odds.
        weights: By the name of a part: its weight, its mean, which stands for it where it is
            missing, and what its distance from that is divided by.
    """

    bias: float
    weights: Mapping[str, tuple[float, float, float]]

    def probability(self, parts: FaithfulnessParts) -> float:
        """That a reply is faithful, in (0, 1)."""
        values = parts.values()
        log_odds = self.bias + sum(
            weight * (value - mean) / scale for name, (weight, mean, scale) in self.weights.items()
            if (value := values[name]) is not None)
        return 1 / (1 + math.exp(-_limited(log_odds)))

    def save(self, path: Path) -> None:
        """Write it as JSON."""
        path.write_text(json.dumps({"bias": self.bias, "weights": self.weights}, indent=1) + "\n",
                        encoding="utf-8")


def load_faithfulness(folder: Path) -> FaithfulnessModel | None:
    """The weights that lie in the folder of a reader; None where there are none.

    Raises:
        MissingModelError: The file is damaged.
    """
    path = folder / FILE
    if not path.exists():
        return None
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return FaithfulnessModel(float(data["bias"]), {
            name: (float(weight), float(mean), float(scale))
            for name, (weight, mean, scale) in data["weights"].items()})
    except (OSError, LookupError, TypeError, ValueError) as error:
        raise MissingModelError(
            f"{path} cannot be read: {error}", remedy="Install frontdesk anew, or make it with: "
            "frontdesk train faithfulness --help") from error


class FaithfulnessJudge:
    """Judges how faithful replies are.

    Args:
        reader: The weights of the score lie in its folder.

    Attributes:
        model: None where the reader has no weights for it; then there are only the parts.

    Raises:
        MissingModelError: The weights of the score are damaged.
    """

    def __init__(self, reader: PairReader) -> None:
        self.reader, self.model = reader, load_faithfulness(reader.folder)

    def parts(self, replies: Sequence[tuple[str, str, float | None, PmiFaith | None]]
              ) -> list[FaithfulnessParts]:
        """What the scores of replies are made of.

        Args:
            replies: Each with its knowledge, and its Q² and its PMI-FAITH where it has them.
        """
        judged = self.reader.judge([(text, knowledge) for text, knowledge, *_ in replies])
        return [_parts(text, knowledge, judgement, q2, pmi)
                for (text, knowledge, q2, pmi), judgement in zip(replies, judged, strict=True)]

    def score(self, parts: FaithfulnessParts) -> float | None:
        """The probability that a reply is faithful, if there are weights for it."""
        return None if self.model is None else round(self.model.probability(parts), 4)

    def to_dict(self, reply: str, knowledge: str, q2: float | None, pmi: PmiFaith | None
                ) -> dict[str, Any]:
        """The score of a reply and its parts as plain data; null where either text is empty."""
        if not reply.strip() or not knowledge.strip():
            return {"faithfulness": None, "faithfulness_parts": None}
        (parts,) = self.parts([(reply, knowledge, q2, pmi)])
        return {"faithfulness": self.score(parts), "faithfulness_parts": parts.values()}

    def why_none(self, reply: str, knowledge: str) -> str:
        """Why a reply has no score, in words; empty where it has one."""
        if not reply.strip():
            return "the reply is empty"
        if not knowledge.strip():
            return "there is no knowledge"
        return "" if self.model is not None else f"there is no {FILE} in {self.reader.folder}"
