"""Utterances whose mentions are labelled, as pieces of text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from frontdesk.kg.english.words import Word, split_words
from frontdesk.kg.models.mention_tags import OUTSIDE, MentionType, TaggedSpan, beginning, inside

_MARKED = re.compile(r"\[(\w+):([^\[\]]*)\]")


@dataclass(frozen=True)
class Piece:
    """A stretch of an utterance: a mention, or text between mentions.

    Args:
        text: Not empty.
        type: What it is; None between mentions.
    """

    text: str
    type: MentionType | None = None


@dataclass(frozen=True)
class LabelledUtterance:
    """An utterance and its mentions.

    Args:
        text: All of it.
        spans: In order, none overlapping, each with probability 1.
    """

    text: str
    spans: tuple[TaggedSpan, ...]

    def words(self) -> list[Word]:
        """Its words; a label belongs to each."""
        return split_words(self.text)

    def labels(self) -> list[int]:
        """Of its words; see :mod:`frontdesk.kg.models.mention_tags`."""
        labels, last = [], None
        for word in self.words():
            span = next((each for each in self.spans if each.start <= word.start < each.end), None)
            labels.append(OUTSIDE if span is None else
                          inside(span.type) if span is last else beginning(span.type))
            last = span
        return labels

    def pieces(self) -> list[Piece]:
        """Its mentions and what is between them, in order; together they are the text."""
        pieces, position = [], 0
        for span in self.spans:
            pieces += [Piece(self.text[position:span.start]),
                       Piece(self.text[span.start:span.end], span.type)]
            position = span.end
        pieces.append(Piece(self.text[position:]))
        return [piece for piece in pieces if piece.text]


def joined(pieces: Iterable[Piece]) -> LabelledUtterance:
    """The utterance that pieces make, blanks folded.

    Example:
        >>> said = joined([Piece("call  "), Piece("Ada Berg", MentionType.PERSON), Piece(" ")])
        >>> said.text, [(span.start, span.end) for span in said.spans]
        ('call Ada Berg', [(5, 13)])
    """
    text, spans = "", []
    for piece in pieces:
        folded = re.sub(r"\s+", " ", piece.text)
        if not text or text.endswith(" "):
            folded = folded.lstrip()
        core = folded.rstrip() if piece.type else folded
        if piece.type and core:
            start = len(text) + len(core) - len(core.lstrip())
            spans.append(TaggedSpan(start, len(text) + len(core), piece.type, 1.0))
        text += folded
    return LabelledUtterance(text.rstrip(), tuple(spans))


def marked(text: str) -> list[Piece]:
    """Pieces of a text in which mentions are marked: ``is [pronoun:she] in``."""
    pieces, position = [], 0
    for match in _MARKED.finditer(text):
        pieces += [Piece(text[position:match.start()]),
                   Piece(match[2], MentionType(match[1]))]
        position = match.end()
    pieces.append(Piece(text[position:]))
    return [piece for piece in pieces if piece.text]


def without_overlaps(spans: Sequence[TaggedSpan]) -> tuple[TaggedSpan, ...]:
    """The spans in order of their start; of two that overlap, the one listed first."""
    kept: list[TaggedSpan] = []
    for span in spans:
        if all(span.end <= other.start or other.end <= span.start for other in kept):
            kept.append(span)
    return tuple(sorted(kept, key=lambda each: each.start))
