"""Saved dialogues: a dialogue graph with what it is about, in one JSON file."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

from frontdesk.agent.domains.domain_pack import DomainPack, Saved
from frontdesk.agent.domains.domain_registry import DOMAINS, pack_named
from frontdesk.kg.graph.dialogue_graph import DialogueGraph
from frontdesk.kg.graph.errors import FormatError, InputError

_DIALOGUE = "dialogue"


def save_dialogue(path: Path, graph: DialogueGraph, kb: Any, pack: DomainPack[Any]) -> None:
    """Write a dialogue; the file is whole or not there. What it is about stands in it under the
    name of its domain.

    Raises:
        InputError: The file cannot be written, or the domain cannot save its dialogues.
    """
    text = json.dumps({_DIALOGUE: json.loads(graph.to_json()),
                       pack.name: json.loads(_saved(pack).dump(kb))}, ensure_ascii=False)
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


def _saved(pack: DomainPack[Any]) -> Saved[Any]:
    if pack.saved is None:
        raise InputError(f"the domain {pack.name} cannot save its dialogues",
                         remedy="Use one of another domain")
    return pack.saved


def load_saved(path: Path, pack: DomainPack[Any] | None = None) -> tuple[DialogueGraph, Any]:
    """Read what :func:`save_dialogue` wrote: the dialogue and what it is about.

    Args:
        pack: The domain that it must be about; any by default.

    Raises:
        InputError: The file cannot be read or is no saved dialogue, or it is about another
            domain.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        graph_text = json.dumps(data[_DIALOGUE])
        name, about = next((key, json.dumps(data[key])) for key in DOMAINS if key in data)
    except OSError as error:
        raise InputError(f"cannot read {path} ({error.strerror})",
                         remedy="Check the path") from error
    except (ValueError, KeyError, TypeError, AttributeError, StopIteration) as error:
        raise FormatError(f"not a saved dialogue about {' or '.join(DOMAINS)}", place=str(path),
                          remedy="Use a file written by frontdesk chat --save") from error
    own = pack_named(name)
    if pack not in (None, own):
        raise InputError(f"the saved dialogue is about the domain {name}", place=str(path),
                         remedy="Use one of another domain")
    return DialogueGraph.from_json(graph_text), _saved(own).load(about)
