"""``frontdesk evaluate ci-tod --metrics``: which replies are inconsistent, and with what."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from frontdesk.agent.evaluation.metrics.consistency import KINDS, ConsistencyChecker
from frontdesk.agent.evaluation.metrics.curves import consistency_page
from frontdesk.agent.evaluation.results import check_options, write_whole
from frontdesk.data.datasets.ci_tod import LabelledReply, load_ci_tod
from frontdesk.data.datasets.defects import Defect, DefectKind, defects_section, summary
from frontdesk.kg.graph.errors import InputError

REPORT, REPLIES, PAGE = "consistency.json", "consistency_replies.jsonl", "consistency.html"
#: Above it a reply counts as inconsistent.
_THRESHOLD = 0.5
Truth = npt.NDArray[np.bool_]


def run_consistency(options: argparse.Namespace) -> int:
    """Learn from some files and measure on others, as the options say.

    Raises:
        FrontdeskError: The data, the options or the output folder are not usable.
    """
    if not options.learn_from:
        raise InputError("nothing is given to learn from",
                         remedy="Give CI-ToD's training files with --learn-from")
    if options.output.exists() and any(options.output.iterdir()):
        raise InputError(f"{options.output} is not empty", remedy="Choose another --output")
    check_options(options.dataset, options, needed=(), numbers=("limit",))
    learned, left_out = _replies(options.learn_from)
    measured, unmeasured = _replies(options.path)
    same = {_digest(path) for path in options.learn_from} & {_digest(path)
                                                             for path in options.path}
    if same:
        raise InputError("a file is both learned from and measured on",
                         remedy="Give different files with --path and --learn-from")
    measured = measured[:options.limit]
    checker = ConsistencyChecker(seed=options.seed)
    checker.fit(learned)
    probabilities = checker.probabilities(measured)
    figures = measure(measured, probabilities)
    without = sum(each.kind is DefectKind.UNANSWERED_TURN for each in unmeasured)
    report = {"learned_from": len(learned), "without_reply": without,
              "data": defects_section(unmeasured), "learned_data": defects_section(left_out),
              "features": len(checker.features(learned[0])), "figures": figures}
    options.output.mkdir(parents=True, exist_ok=True)
    rows = [{"id": each.id, "domain": each.domain, "turns": each.turns,
             "inconsistent": sorted(each.inconsistent),
             "probabilities": dict(zip(KINDS, (round(float(p), 4) for p in row), strict=True))}
            for each, row in zip(measured, probabilities, strict=True)]
    write_whole(options.output / REPLIES, "".join(
        json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    write_whole(options.output / REPORT, json.dumps(report, indent=1) + "\n")
    write_whole(options.output / PAGE, consistency_page(figures).decode())
    if without:
        sys.stderr.write(f"{without} dialogues end with the user and have no reply to check\n")
    odd = summary(each for each in (*left_out, *unmeasured)
                  if each.kind is not DefectKind.UNANSWERED_TURN)
    if odd:
        sys.stderr.write(f"frontdesk: left out of the data: {odd}\n")
    overall = figures["all"]
    sys.stdout.write(f"all three right {overall['accuracy']:.3f} of {overall['replies']} replies; "
                     "F1 " + ", ".join(f"{kind} {overall[kind]['f1'] or 0.0:.3f}" for kind in KINDS)
                     + f"\n{options.output / PAGE}\n")
    return 0


def measure(replies: Sequence[LabelledReply], probabilities: npt.NDArray[np.float64]
            ) -> dict[str, dict[str, Any]]:
    """Accuracy of all three labels together, and precision, recall and F1 of each.

    Args:
        probabilities: Of being inconsistent, ``(n_replies, 3)`` in the order of KINDS.

    Returns:
        For ``all`` and each domain.
    """
    truth = np.array([[kind in each.inconsistent for kind in KINDS] for each in replies],
                     dtype=bool).reshape(len(replies), len(KINDS))
    said = probabilities > _THRESHOLD
    domains = np.array([each.domain for each in replies])
    chosen: dict[str, Truth] = {"all": np.ones(len(replies), dtype=bool)}
    chosen |= {name or "no table": domains == name for name in dict.fromkeys(domains.tolist())}
    return {name: _figures(truth[of], said[of]) for name, of in chosen.items()}


def _figures(truth: Truth, said: Truth) -> dict[str, Any]:
    result: dict[str, Any] = {"replies": len(truth),
                              "accuracy": float((truth == said).all(axis=1).mean())}
    for column, kind in enumerate(KINDS):
        wrong, found = truth[:, column], said[:, column]
        both = int((wrong & found).sum())
        there, said_so = int(wrong.sum()), int(found.sum())
        result[kind] = {"inconsistent": there, "precision": _share(both, said_so),
                        "recall": _share(both, there), "f1": _share(2 * both, there + said_so),
                        "accuracy": float((wrong == found).mean())}
    return result


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _replies(paths: Sequence[Path]) -> tuple[list[LabelledReply], list[Defect]]:
    """The replies of files, and what is wrong with their other dialogues."""
    loaded = [load_ci_tod(path) for path in paths]
    return ([each for replies, _ in loaded for each in replies],
            [each for _, defects in loaded for each in defects])


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
