"""Which words of an utterance stand in names of a knowledge base: the parser reads that, too."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from frontdesk.kg.english.lexicon import COMMON_WORDS
from frontdesk.kg.graph.entities import Entity
from frontdesk.kg.graph.knowledge_base import normalise_name
from frontdesk.kg.graph.knowledge_graph import KnowledgeGraph
from frontdesk.kg.parser.parser_input import NAME_TYPES, KnownName

_WORD = re.compile(r"\w+(?:[-.]\w+)*")
#: Words of a name that are looked for, at most; letters of a word that stands for a title alone.
_MOST_WORDS, _FEWEST_LETTERS = 8, 4


class NameMarks:
    """Finds known names.

    Args:
        kb: Has the entities.
    """

    def __init__(self, kb: KnowledgeGraph) -> None:
        self._types: dict[tuple[str, ...], set[str]] = defaultdict(set)
        for entity in kb.entities():
            kind = entity.type.value
            if kind in NAME_TYPES:
                for words in _parts(entity, kind):
                    self._types[words].add(kind)

    def find(self, utterance: str) -> tuple[KnownName, ...]:
        """The known names in an utterance: of those of a type that overlap the longest.

        Args:
            utterance: As said.
        """
        words = [(found.start(), found.end(), normalise_name(found[0].removesuffix("'s")))
                 for found in _WORD.finditer(utterance)]
        found: list[KnownName] = []
        ends: dict[str, int] = {}
        for first in range(len(words)):
            for last in range(min(len(words), first + _MOST_WORDS), first, -1):
                key = tuple(word for _, _, word in words[first:last])
                for kind in sorted(self._types.get(key, ())):
                    if last > ends.get(kind, 0):
                        ends[kind] = last
                        found.append(KnownName(words[first][0], words[last - 1][1], kind))
        return tuple(found)


def _parts(entity: Entity, kind: str) -> Iterator[tuple[str, ...]]:
    """The sequences of words that may stand for an entity."""
    words = tuple(_WORD.findall(normalise_name(entity.name)))
    if not words:
        return
    yield words
    if kind == "person":
        yield from ((word,) for word in words if len(word) > 1)
    elif kind == "room" and words[0] == "room":
        yield words[1:]
    elif kind == "event":
        yield from _stretches(words)


def _stretches(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Parts of a title: two words or more that stand side by side, and telling ones alone."""
    for first in range(len(words)):
        for last in range(first + 2, min(len(words), first + _MOST_WORDS) + 1):
            yield tuple(words[first:last])
    yield from ((word,) for word in words
                if len(word) >= _FEWEST_LETTERS and word not in COMMON_WORDS)
