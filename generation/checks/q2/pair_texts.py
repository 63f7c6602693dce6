"""Questions and claims beside the sentences of their knowledge, as the reader reads them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tokenizers import Encoding

from frontdesk.generation.checks.q2.text_spans import split_sentences
from frontdesk.kg.models.minilm import LONGEST, minilm

#: Pieces of words of a question or claim, and of sentences that are read beside it at once.
_MOST_QUERY, _MOST_BESIDE = 94, 384
#: Characters from which so many pieces are made at the most: Hangul is taken apart into letters.
_PIECES_OF_CHARACTER = 3
#: More than a piece mostly has: what is farther off is not read to find where a text is cut.
_CHARACTERS_OF_PIECE = 10
_BEGIN, _END = 101, 102
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
#: Texts whose pieces are kept: facts of the turns under way, and of some before.
_KEPT = 1000


@dataclass(frozen=True)
class Pieces:
    """A text as pieces of words.

    Args:
        ids: Of the pieces.
        characters: Start and end of each in the text.
    """

    ids: tuple[int, ...]
    characters: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Window:
    """A question or claim with sentences that are read beside it at once.

    Args:
        sentences: Each with where it starts in the knowledge.
    """

    query: Pieces
    sentences: tuple[tuple[int, Pieces], ...]

    def row(self) -> tuple[list[int], int]:
        """The ids of all pieces, with those that stand at the ends, and how many come before the
        first sentence."""
        return ([_BEGIN, *self.query.ids, _END,
                 *(number for _, each in self.sentences for number in each.ids), _END],
                len(self.query.ids) + 2)

    def characters(self) -> list[tuple[int, int] | None]:
        """Of each piece of the row its place in the knowledge; None for what is not in it."""
        return [*[None] * (len(self.query.ids) + 2),
                *((start + first, start + last) for start, each in self.sentences
                  for first, last in each.characters), None]


def queries(text: str) -> list[str]:
    """A question or claim in parts that are short enough to be read; mostly one."""
    return [part for _, part in _parts(text, _MOST_QUERY)]


def windows(query: str, knowledge: str) -> list[Window]:
    """The windows that together have all of the knowledge, at least one.

    Args:
        query: A part that :func:`queries` gives, or cut to such a one.
        knowledge: May be empty.
    """
    asked = pieces(query)
    asked = Pieces(asked.ids[:_MOST_QUERY], asked.characters[:_MOST_QUERY])
    sentences = [(start + offset, pieces(part)) for start, sentence in split_sentences(knowledge)
                 for offset, part in _parts(sentence, LONGEST - 2)]
    return [Window(asked, tuple(own)) for own in _filled(sentences)] or [Window(asked, ())]


def _filled(sentences: Sequence[tuple[int, Pieces]]) -> Iterator[list[tuple[int, Pieces]]]:
    own: list[tuple[int, Pieces]] = []
    for each in sentences:
        if own and sum(len(other.ids) for _, other in (*own, each)) > _MOST_BESIDE:
            yield own
            own = []
        own.append(each)
    if own:
        yield own


def _parts(text: str, most: int) -> Iterator[tuple[int, str]]:
    """A text in parts of no more than so many pieces, each with where it starts."""
    if len(text) <= most * _CHARACTERS_OF_PIECE and len(pieces(text).ids) <= most:
        yield 0, text
        return
    start = 0
    while len(text) - start > most // _PIECES_OF_CHARACTER:
        part = text[start:start + most * _CHARACTERS_OF_PIECE]
        offsets = _encode(part).offsets
        if len(offsets) <= most and start + len(part) == len(text):
            break
        end = offsets[most][0] if len(offsets) > most else len(part)
        end = part.rfind(" ", 1, end) if " " in part[1:end] else max(1, end)
        yield start, part[:end]
        start += end
    if start < len(text) or not text:
        yield start, text[start:]


@lru_cache(_KEPT)
def pieces(text: str) -> Pieces:
    """The pieces of a text, of which those beyond what is read at once are left out."""
    encoded = _encode(text)
    return Pieces(tuple(encoded.ids), tuple(encoded.offsets))


def _encode(text: str) -> Encoding:
    encoded: Encoding = minilm().tokenizer.encode(
        _LONE_SURROGATE.sub("\ufffd", text), add_special_tokens=False)
    return encoded
