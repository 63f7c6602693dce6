"""Files of small heads: weights as safetensors, a ``.json`` beside them that says what they are."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Generic, TypeVar

from safetensors import SafetensorError

from frontdesk.kg.graph.errors import MissingModelError

Head = TypeVar("Head")

#: Of the files; others cannot be read.
VERSION = 1


@dataclass(frozen=True, eq=False)
class HeadFiles(Generic[Head]):
    """The files of one kind of head.

    Args:
        name: What it is, for messages.
        packaged: The file of the weights that come with frontdesk; configuration and card lie
            beside it.
        remedy: For weights that cannot be used.
        stated: What the configuration must say, beside the version.
        build: Makes the head from the content of the weights' file and the configuration; raises
            ``KeyError``, ``TypeError``, ``ValueError``, ``RuntimeError`` or ``SafetensorError``
            where they do not fit each other.
    """

    name: str
    packaged: Path
    remedy: str
    stated: Mapping[str, Any]
    build: Callable[[bytes, dict[str, Any]], Head]

    def load(self, path: Path | None = None) -> Head:
        """The head of a file; shared while the file stays the same.

        Args:
            path: The file of the weights; :attr:`packaged` by default.

        Raises:
            MissingModelError: It is missing, damaged, or of another version.
        """
        path = path or self.packaged
        changed = tuple(each.stat().st_mtime_ns if each.exists() else 0
                        for each in (path, path.with_suffix(".json")))
        head: Head = _load(self, path, changed)
        return head

    def save(self, path: Path, data: bytes, **config: Any) -> None:
        """Write weights and their configuration.

        Args:
            path: The file of the weights.
            data: Its content.
            config: What :attr:`build` needs.
        """
        path.write_bytes(data)
        path.with_suffix(".json").write_text(json.dumps({
            "version": VERSION, **self.stated, **config,
            "sha256": hashlib.sha256(data).hexdigest()}, ensure_ascii=False) + "\n",
            encoding="utf-8")

    def read(self, path: Path) -> Head:
        """See :meth:`load`, which remembers."""
        try:
            data, config = path.read_bytes(), json.loads(path.with_suffix(".json").read_bytes())
        except OSError as error:
            raise self._unusable(path, f"cannot be read ({error.strerror}: {error.filename})"
                                 ) from error
        except ValueError as error:
            raise self._unusable(path, "have a configuration beside them that is no JSON"
                                 ) from error
        if not isinstance(config, dict) or any(
                config.get(name) != value
                for name, value in {"version": VERSION, **self.stated}.items()):
            raise self._unusable(path, f"are not of version {VERSION}")
        if hashlib.sha256(data).hexdigest() != config.get("sha256"):
            raise self._unusable(path, "are damaged or not those of the configuration beside them")
        try:
            return self.build(data, config)
        except (SafetensorError, KeyError, TypeError, ValueError, RuntimeError) as error:
            raise self._unusable(path, "do not fit the configuration beside them "
                                       f"({' '.join(str(error).split())[:100]})") from error

    def _unusable(self, path: Path, why: str) -> MissingModelError:
        return MissingModelError(f"the weights of the {self.name} {why}", place=str(path),
                                 remedy=self.remedy)


@lru_cache(maxsize=8)
def _load(files: HeadFiles[Any], path: Path, _changed: tuple[int, ...]) -> Any:
    return files.read(path)
