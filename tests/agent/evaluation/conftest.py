"""Fixtures of the tests about evaluations."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from ...templates import TEMPLATES_ENVIRONMENT
from .evaluating import DIALOGUES, GRAPHWOZ, evaluate


@contextlib.contextmanager
def worded_by_templates() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in TEMPLATES_ENVIRONMENT.items():
            patch.setenv(name, value)
        yield


@pytest.fixture(scope="module")
def templates():
    """The words of the replies are the realiser's, which are known."""
    with worded_by_templates():
        yield


@pytest.fixture(scope="session")
def copies(tmp_path_factory) -> Path:
    """A file of several dialogues, copies of the sample under names of their own."""
    path = tmp_path_factory.mktemp("data") / "copies.json"
    sample, = json.loads(GRAPHWOZ.read_text()).values()
    path.write_text(json.dumps({f"DIALOGUE_{number}": sample
                                for number in range(1, DIALOGUES + 1)}))
    return path


@pytest.fixture(scope="session")
def finished(copies, tmp_path_factory) -> Path:
    """An uninterrupted run over the copies, in one process."""
    folder = tmp_path_factory.mktemp("runs") / "finished"
    with worded_by_templates():
        assert evaluate("graphwoz", "--path", copies, "--output", folder) == 0
    return folder
