"""How faithful a reply must at least be: thresholds of Q² and PMI-FAITH, calibrated on data.

``frontdesk evaluate DATASET --metrics --thresholds FILE`` calibrates them on true replies and false
versions of them: the highest score below which no more than 3 % of the true ones are. They are kept
with the curve that they were chosen from.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from frontdesk.agent.faithfulness import Faithfulness
from frontdesk.generation.generator import GenerationInput
from frontdesk.kg.errors import FormatError, InputError

#: Share of the true replies that a threshold may refuse.
MOST_ALARMS = 0.03
_MOST_POINTS = 50
_POINT = re.compile(r"\[\s[^\[\]]*\]")
_REMEDY = "Write it with frontdesk evaluate DATASET --metrics --thresholds FILE"


@dataclass(frozen=True)
class Threshold:
    """The least score of a reply that may be said.

    Args:
        least: None where every score would refuse too many true replies, or none.
        alarms: Share of the true replies with a score below it.
        found: Share of the false replies with a score below it.
        true_replies, false_replies: With a score, it was calibrated on.
        curve: ``(threshold, alarms, found)`` over the scores, at most 50.
    """

    least: float | None = None
    alarms: float = 0.0
    found: float = 0.0
    true_replies: int = 0
    false_replies: int = 0
    curve: tuple[tuple[float, float, float], ...] = ()


@dataclass(frozen=True)
class Thresholds:
    """The thresholds of one domain.

    Args:
        q2, pmi_faith: Of either score; PMI-FAITH in nats.
        generator: Whose probabilities gave PMI-FAITH.
        dataset: On which they were calibrated; empty where they were not.
        sha256: Of its file.
    """

    q2: Threshold = Threshold()
    pmi_faith: Threshold = Threshold()
    generator: str = ""
    dataset: str = ""
    sha256: str = ""

    def refusals(self, faithfulness: Faithfulness, request: GenerationInput,
                 texts: Sequence[str]) -> tuple[list[str], list[str]]:
        """For each reply to a turn why it is refused, empty where it is not; and what was skipped.

        Args:
            faithfulness: Scores the replies.
            request: What they answer.
            texts: The replies.

        Raises:
            MissingModelError: The reader of Q² is not there or cannot be used.
        """
        refusals, skipped = [""] * len(texts), []
        if self.q2.least is not None:
            scores = [each.score for each in faithfulness.q2(request, texts)]
            refusals = _below("Q²", scores, self.q2.least)
        if self.pmi_faith.least is not None:
            name = faithfulness.generator.name
            gains, why = faithfulness.pmi_faith(request, texts) if name == self.generator else (
                [None] * len(texts), f"its threshold was calibrated for {self.generator}")
            if why:
                skipped.append(f"PMI-FAITH did not decide: {why}")
            totals = [gain.total if gain is not None else None for gain in gains]
            unlikely = _below("PMI-FAITH", totals, self.pmi_faith.least)
            refusals = [one or other for one, other in zip(refusals, unlikely, strict=True)]
        return refusals, skipped


def _below(name: str, scores: Sequence[float | None], least: float) -> list[str]:
    return [f"has a {name} of {score:.2f}, less than {least:.2f}"
            if score is not None and score < least else "" for score in scores]


def calibrated(scores: Sequence[float | None], faithful: Sequence[bool]) -> Threshold:
    """The highest threshold that refuses few enough true replies.

    Args:
        scores: Of replies, higher for more faithful; those without a score are left out.
        faithful: Which replies are true.

    Example:
        >>> calibrated([0.1, 0.2, 0.9, None], [False, False, True, True]).least
        0.9
    """
    known = [(score, good) for score, good in zip(scores, faithful, strict=True)
             if score is not None]
    true = [score for score, good in known if good]
    false = [score for score, good in known if not good]
    if not true or not false:
        return Threshold(true_replies=len(true), false_replies=len(false))
    curve = [(score, _share_below(true, score), _share_below(false, score))
             for score in sorted({score for score, _ in known})]
    allowed = [point for point in curve if point[1] <= MOST_ALARMS and point[2] > 0]
    step = max(1, -(-len(curve) // _MOST_POINTS))
    least, alarms, found = allowed[-1] if allowed else (None, 0.0, 0.0)
    return Threshold(least, alarms, found, len(true), len(false), tuple(
        (round(score, 4), round(a, 4), round(f, 4)) for score, a, f in curve[::step]))


def _share_below(scores: Sequence[float], threshold: float) -> float:
    return sum(score < threshold for score in scores) / len(scores)


def load_thresholds(domain: str, path: str = "") -> Thresholds:
    """The thresholds of a domain; none where the file has none for it.

    Args:
        domain: Name of its schema, ``organisation`` or ``car``.
        path: The file; empty for the one that comes with frontdesk.

    Raises:
        InputError: The file cannot be read.
        FormatError: It is no file of thresholds.
    """
    own = _read(path).get(domain)
    if own is None:
        return Thresholds()
    try:
        return Thresholds(**{**own, **{name: _threshold(own[name])
                                       for name in ("q2", "pmi_faith")}})
    except (TypeError, KeyError, ValueError) as error:
        raise FormatError(f"the thresholds of {domain} are not usable ({error!r})",
                          place=path or "thresholds.json", remedy=_REMEDY) from error


def _threshold(data: Mapping[str, Any]) -> Threshold:
    found = Threshold(**data)
    if found.least is not None and not isinstance(found.least, int | float):
        raise TypeError(f"a threshold is {found.least!r}")
    return replace(found, curve=tuple((float(a), float(b), float(c)) for a, b, c in found.curve))


def with_thresholds(path: Path, domain: str, found: Thresholds) -> str:
    """The text of a file of thresholds after those of a domain were put in.

    Args:
        path: The file as it is; it need not be there.
        domain: Name of its schema.
        found: Its thresholds.

    Raises:
        InputError: The file cannot be read.
        FormatError: It is no file of thresholds.
    """
    known = _read(str(path)) if path.exists() else {}
    text = json.dumps({**known, domain: asdict(found)}, ensure_ascii=False, indent=1,
                      sort_keys=True)
    # A point of a curve is a line.
    return _POINT.sub(lambda point: " ".join(point[0].split()), text) + "\n"


def _read(path: str) -> dict[str, Any]:
    try:
        text = Path(path).read_text(encoding="utf-8") if path else (
            files("frontdesk.agent") / "thresholds.json").read_text(encoding="utf-8")
        data = json.loads(text)
    except OSError as error:
        raise InputError(f"cannot read the thresholds {path} ({error.strerror})",
                         remedy="Check the path") from error
    except ValueError as error:
        raise FormatError(f"this is no JSON ({error})", place=path, remedy=_REMEDY) from error
    if not isinstance(data, dict):
        raise FormatError("this is no file of thresholds", place=path, remedy=_REMEDY)
    return data
