"""The files of rules that come with frontdesk, by their names alone."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path


def packaged_rules(name: str) -> Path:
    """The packaged file of rules that is called so, e.g. ``commonsense.pl``.

    Raises:
        FileNotFoundError: There is none.
    """
    for path in Path(str(files("frontdesk.rules"))).glob(f"*/{name}"):
        return path
    raise FileNotFoundError(f"no file of rules is called {name}")


def packaged_text(name: str) -> str:
    """The text of a packaged file of rules."""
    return packaged_rules(name).read_text(encoding="utf-8")
