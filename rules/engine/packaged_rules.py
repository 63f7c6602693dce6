"""The files of rules that come with frontdesk, by their names alone."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path


def packaged_rules(name: str) -> Path:
    """The packaged file of rules that is called so, e.g. ``commonsense.pl``.

    Raises:
        FileNotFoundError: There is none, or more than one.
    """
    found = [*Path(str(files("frontdesk.rules"))).glob(f"*/{name}")]
    if len(found) != 1:
        raise FileNotFoundError(f"{len(found) or 'no'} files of rules are called {name}")
    return found[0]


def packaged_text(name: str) -> str:
    """The text of a packaged file of rules."""
    return packaged_rules(name).read_text(encoding="utf-8")
