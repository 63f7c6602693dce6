"""The sentence patterns of both speakers: ``agent.toml`` and ``user.toml``."""

from __future__ import annotations

import tomllib
from importlib.resources import files

Words = dict[str, tuple[str, ...]]


def _load(name: str) -> Words:
    text = files(__package__).joinpath(name).read_text(encoding="utf-8")
    return {key: tuple(patterns) for key, patterns in tomllib.loads(text).items()}


#: Patterns by what is replied, and by what is asked for.
AGENT, USER = _load("agent.toml"), _load("user.toml")
