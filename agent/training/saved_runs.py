"""Saved dialogues: a dialogue graph with the organisation it is about, in one JSON file."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from frontdesk.kg.graph.dialogue_graph import DialogueGraph
from frontdesk.kg.graph.errors import FormatError, InputError
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.sources.import_json import dump_json, load_json


def save_dialogue(path: Path, graph: DialogueGraph, kb: Any,
                  dump: Callable[[Any], str] = dump_json) -> None:
    """Write a dialogue; the file is whole or not there.

    Args:
        path: The file.
        graph: The dialogue.
        kb: What it is about.
        dump: Writes that as JSON.

    Raises:
        InputError: The file cannot be written.
    """
    text = json.dumps({"dialogue": json.loads(graph.to_json()),
                       "organisation": json.loads(dump(kb))}, ensure_ascii=False)
    name = ""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
        Path(name).replace(path)
    except OSError as error:
        if name:
            Path(name).unlink(missing_ok=True)
        raise _unwritable(path, error.strerror) from error


def check_writable(path: Path) -> None:
    """Find out before a conversation, not after it, that it cannot be saved.

    Raises:
        InputError: The file cannot be written.
    """
    if path.is_dir():
        raise _unwritable(path, "it is a folder")
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise _unwritable(path, "its folder does not exist or cannot be written")


def _unwritable(path: Path, reason: str | None) -> InputError:
    return InputError(f"cannot write {path} ({reason})",
                      remedy="Choose a file in a folder that exists and can be written")


def load_saved(path: Path) -> tuple[DialogueGraph, KnowledgeBase]:
    """Read what :func:`save_dialogue` wrote.

    Raises:
        InputError: The file cannot be read or is no saved dialogue.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        graph_text = json.dumps(data["dialogue"])
        organisation = json.dumps(data["organisation"])
    except OSError as error:
        raise InputError(f"cannot read {path} ({error.strerror})",
                         remedy="Check the path") from error
    except (ValueError, KeyError, TypeError) as error:
        raise FormatError("not a saved dialogue", place=str(path),
                          remedy="Use a file written by frontdesk chat --save") from error
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "organisation.json"
        copy.write_text(organisation, encoding="utf-8")
        return DialogueGraph.from_json(graph_text), load_json(copy).build()
