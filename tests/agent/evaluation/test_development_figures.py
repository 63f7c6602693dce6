"""What ``frontdesk evaluate`` finds on all of the development split."""

from __future__ import annotations

import json

import pytest

from .evaluating import evaluate

pytestmark = pytest.mark.usefixtures("templates")


@pytest.mark.slow
def test_development_figures_hold(graphwoz_dev, tmp_path):
    assert evaluate("graphwoz", "--path", graphwoz_dev, "--jobs", "2", "--output", tmp_path) == 0
    report = json.loads((tmp_path / "report.json").read_text())
    assert (report["turns"], report["failed_turns"]) == (181, 0)
    assert report["linking"]["precision_at_1"] >= 0.75
    recalls = report["retrieval"]
    assert report["recall_at_10"] == recalls["relevance+logic"] >= 0.80
    assert all(recalls["relevance+logic"] > recalls[other] + 0.1
               for other in ("bm25", "cosine", "random"))
    # What people wrote contradicts the graph now and then, our own words must not.
    assert report["hallucination_rate"] < report["hallucination_rate_of_references"] < 0.35
