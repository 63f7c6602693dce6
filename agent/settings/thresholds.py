"""How faithful a reply must at least be: thresholds of Q² and PMI-FAITH, calibrated on data.

``frontdesk evaluate DATASET --metrics --thresholds FILE`` calibrates them on true replies and false
versions of them: the highest score below which no more than 3 % of the true ones are. They are kept
with the curve that they were chosen from.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from frontdesk.kg.graph.errors import FormatError, InputError

#: The file with the thresholds that come with frontdesk, by domain.
PACKAGED = Path(str(files(__package__))) / "thresholds.json"
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
        curve: ``(threshold, alarms, found)`` over the scores, some 50 and ``least`` among them.
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
        components: What gave Q², see :func:`~frontdesk.agent.turn.faithfulness.q2_name`.
        generator: Whose probabilities gave PMI-FAITH.
        dataset: On which they were calibrated; empty where they were not.
    """

    q2: Threshold = Threshold()
    pmi_faith: Threshold = Threshold()
    components: str = ""
    generator: str = ""
    dataset: str = ""
    sha256: str = ""

    def refusal(self, q2: float | None, pmi_faith: float | None) -> str:
        """Why a reply with such scores may not be said; empty where it may.

        Args:
            q2, pmi_faith: Its scores; None where it has none, which refuses nothing.
        """
        for name, score, least in (("Q²", q2, self.q2.least),
                                   ("PMI-FAITH", pmi_faith, self.pmi_faith.least)):
            if score is not None and least is not None and score < least:
                return f"has a {name} of {score:.2f}, less than {least:.2f}"
        return ""


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
    shown = [point for number, point in enumerate(curve) if number % step == 0
             or point in allowed[-1:] or point is curve[-1]]
    least, alarms, found = allowed[-1] if allowed else (None, 0.0, 0.0)
    return Threshold(least, alarms, found, len(true), len(false), tuple(
        (round(score, 4), round(a, 4), round(f, 4)) for score, a, f in shown))


def _share_below(scores: Sequence[float], threshold: float) -> float:
    return sum(score < threshold for score in scores) / len(scores)


def load_thresholds(domain: str, path: str | Path = PACKAGED) -> Thresholds:
    """The thresholds of a domain; none where the file has null for it.

    Args:
        path: The file; by default the one that comes with frontdesk.

    Raises:
        InputError: The file cannot be read, or has nothing for the domain.
        FormatError: It is no file of thresholds.
    """
    place, data = str(path), _read(path)
    if domain not in data:
        raise InputError(f"there are no thresholds for the domain {domain!r}", place=place,
                         remedy=f"{_REMEDY}, or write null for it to do without")
    own = data[domain]
    if own is None:
        return Thresholds()
    try:
        found = Thresholds(**{**own, **{name: _threshold(own[name])
                                        for name in ("q2", "pmi_faith")}})
        for name in ("components", "generator", "dataset", "sha256"):
            if not isinstance(getattr(found, name), str):
                raise TypeError(f"{name} is {getattr(found, name)!r}")
    except (TypeError, KeyError, ValueError) as error:
        raise FormatError(f"the thresholds of {domain} are not usable ({error!r})", place=place,
                          remedy=_REMEDY) from error
    return found


def _threshold(data: Mapping[str, Any]) -> Threshold:
    found = Threshold(**data)
    for name in ("least", "alarms", "found", "true_replies", "false_replies"):
        number = getattr(found, name)
        if isinstance(number, bool) or not (
                (number is None and name == "least")
                or (isinstance(number, int | float) and math.isfinite(number))):
            raise TypeError(f"{name} is {number!r}")
    return replace(found, curve=tuple((float(a), float(b), float(c)) for a, b, c in found.curve))


def with_thresholds(path: Path, domain: str, found: Thresholds | None) -> str:
    """The text of a file of thresholds after those of a domain were put in.

    Args:
        path: The file as it is; it need not be there.
        found: Its thresholds; None leaves those that are there.

    Raises:
        InputError: The file cannot be read.
        FormatError: It is no file of thresholds.
    """
    known = _read(path) if path.exists() else {}
    new = {} if found is None else {domain: asdict(found)}
    text = json.dumps({**known, **new}, ensure_ascii=False, indent=1, sort_keys=True)
    # A point of a curve is a line.
    return _POINT.sub(lambda point: " ".join(point[0].split()), text) + "\n"


def _read(path: str | Path) -> dict[str, Any]:
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot read the thresholds {path} ({error.strerror})",
                         remedy="Check the path") from error
    except (ValueError, RecursionError) as error:
        raise FormatError(f"this is no JSON ({error})", place=str(path), remedy=_REMEDY) from error
    if not isinstance(data, dict):
        raise FormatError("this is no file of thresholds", place=str(path), remedy=_REMEDY)
    return data
