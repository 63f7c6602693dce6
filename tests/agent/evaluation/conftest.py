"""Fixtures of the tests about evaluations."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from frontdesk.generation.checks.q2.pair_reader import PairReader
from frontdesk.scoring.encoder import MiniLMEncoder

from ...templates import TEMPLATES_ENVIRONMENT
from .evaluating import DIALOGUES, GRAPHWOZ, evaluate


@contextlib.contextmanager
def worded_by_templates() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in TEMPLATES_ENVIRONMENT.items():
            patch.setenv(name, value)
        yield


def _kept(ask: Callable) -> Callable:
    """What a method answers about each of several cases, asked about each once."""
    known: dict = {}

    def answers(self, cases):
        new = [case for case in dict.fromkeys(cases) if (self, case) not in known]
        known.update({(self, case): each for case, each in zip(new, ask(self, new), strict=True)})
        return [known[self, case] for case in cases]

    return answers


def _batches_kept(embed: Callable) -> Callable:
    """Embeddings of each batch, on which their last bits depend, computed once."""
    known: dict = {}

    def encode(self, sentences, *, keep=True):
        batch = self.name, *sentences
        if batch not in known:
            known[batch] = embed(self, sentences, keep=keep)
        return known[batch].copy()

    return encode


_READING = [
    (MiniLMEncoder, "encode", _batches_kept(MiniLMEncoder.encode)),
    (PairReader, "answer", _kept(PairReader.answer)),
    (PairReader, "relate", _kept(PairReader.relate))]


@contextlib.contextmanager
def read_once() -> Iterator[None]:
    """Runs over the same dialogue have the same batches embedded, and the same read for Q²."""
    with pytest.MonkeyPatch.context() as patch:
        for owner, name, method in _READING:
            patch.setattr(owner, name, method)
        yield


@pytest.fixture(scope="module", autouse=True)
def _read_once():
    with read_once():
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
    with worded_by_templates(), read_once():
        assert evaluate("graphwoz", "--path", copies, "--output", folder) == 0
    return folder
