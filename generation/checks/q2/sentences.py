"""Texts as sentences, each with its place."""

from __future__ import annotations

import re

_SENTENCE = re.compile(r"[^.?!\n]+(?:[.?!](?=[^\s.?!])[^.?!\n]*)*[.?!]*")


def split_sentences(text: str) -> list[tuple[int, str]]:
    """The sentences of a text, each with where it starts; lines are sentences of their own."""
    found = []
    for match in _SENTENCE.finditer(text):
        stripped = match[0].strip()
        if stripped:
            found.append((match.start() + match[0].index(stripped[0]), stripped))
    return found
