"""What ``frontdesk evaluate`` finds on every twelfth dialogue of the development split.

Linking is judged on all of them in ``test_linking_evaluation.py``; ``make figures`` measures the
whole split, and several processes agree in ``test_parallel_evaluation.py``. Of Q², whose reader
would take most of the time, ``metrics/test_metrics_command.py`` judges what it tells apart.
"""

from __future__ import annotations

import json

import pytest

from frontdesk.data.datasets.formats import read_json
from frontdesk.generation.checks.q2.components import Relation
from frontdesk.generation.checks.q2.pair_reader import PairReader

from .evaluating import evaluate

pytestmark = pytest.mark.usefixtures("templates")


@pytest.mark.slow
def test_development_figures_hold(graphwoz_dev, tmp_path, monkeypatch):
    monkeypatch.setattr(PairReader, "answer", lambda _, cases: [None] * len(cases))
    monkeypatch.setattr(PairReader, "relate", lambda _, cases: [Relation.NEUTRAL] * len(cases))
    sample = tmp_path / "sample.json"
    sample.write_text(json.dumps(dict(list(read_json(graphwoz_dev).items())[5::12])))
    assert evaluate("graphwoz", "--path", sample, "--output", tmp_path / "run") == 0
    report = json.loads((tmp_path / "run" / "report.json").read_text())
    assert (report["turns"], report["failed_turns"]) == (14, 0)
    assert report["linking"]["precision_at_1"] >= 0.75
    recalls = report["retrieval"]
    assert report["recall_at_10"] == recalls["relevance+logic"] >= 0.80
    assert all(recalls["relevance+logic"] > recalls[other] + 0.1
               for other in ("bm25", "cosine", "random"))
    # What people wrote contradicts the graph now and then, our own words must not.
    assert report["hallucination_rate"] < report["hallucination_rate_of_references"] < 0.35
