"""Sentence patterns: ``(Hello|Hi) {first}! How can I help( you|)?`` stands for four sentences.

``(a|b|)`` is one of the alternatives, which may be empty and may have alternatives within; the
earlier of a list of whole patterns are drawn more often than the later ones. ``{slot}`` is kept for
whoever fills it in.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.resources import files
from itertools import accumulate

Words = dict[str, tuple[str, ...]]
#: A sequence of texts and of choices between sequences.
_Parts = tuple["str | _Choice", ...]
_Choice = tuple[_Parts, ...]


def draw(rng: random.Random, patterns: Sequence[str]) -> str:
    """One of the sentences of some patterns, with its slots still open."""
    pattern = rng.choices(patterns, cum_weights=_weights(len(patterns)))[0]
    return _expand(rng, _parse(pattern))


@lru_cache
def _weights(count: int) -> tuple[float, ...]:
    # The head of such lists is what people say most of the time.
    return tuple(accumulate((rank + 2) ** -0.7 for rank in range(count)))


def _expand(rng: random.Random, parts: _Parts) -> str:
    return "".join(part if isinstance(part, str) else _expand(rng, rng.choice(part))
                   for part in parts)


@cache
def _parse(pattern: str) -> _Parts:
    parts, end = _sequence(pattern, 0)
    if end != len(pattern):
        raise ValueError(f"unbalanced parentheses in the pattern {pattern!r}")
    return parts


def _sequence(pattern: str, start: int) -> tuple[_Parts, int]:
    """The parts up to the end of an alternative, and where that is."""
    parts: list[str | _Choice] = []
    at = plain = start
    while at < len(pattern) and pattern[at] not in "|)":
        if pattern[at] == "(":
            parts.append(pattern[plain:at])
            choice, at = _choice(pattern, at + 1)
            parts.append(choice)
            plain = at
        else:
            at += 1
    parts.append(pattern[plain:at])
    return tuple(part for part in parts if part), at


def _choice(pattern: str, start: int) -> tuple[_Choice, int]:
    """The alternatives up to the closing parenthesis, and where it ends."""
    choice: list[_Parts] = []
    at = start
    while True:
        parts, at = _sequence(pattern, at)
        choice.append(parts)
        if at == len(pattern):
            raise ValueError(f"unbalanced parentheses in the pattern {pattern!r}")
        at += 1
        if pattern[at - 1] == ")":
            return tuple(choice), at


def _load(name: str) -> Words:
    text = files(__package__).joinpath(name).read_text(encoding="utf-8")
    return {key: tuple(patterns) for key, patterns in tomllib.loads(text).items()}


#: Patterns by what is replied, and by what is asked for.
AGENT, USER = _load("agent.toml"), _load("user.toml")
