"""Stretches of neighbouring words of a text that are words of names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_

from frontdesk.kg.names.name_sets import NameSets


@dataclass(frozen=True)
class Stretch:
    """Neighbouring words that are words of some names, and before and after which none is.

    Args:
        first, last: Positions of its words.
        matched: The names' words, with how like the text's they are, in (0, 1].
        names: The names, as a set of :mod:`frontdesk.kg.names.name_sets`.
    """

    first: int
    last: int
    matched: dict[str, float]
    names: int


def stretches(hits: Sequence[Mapping[str, float]], sets: NameSets) -> Iterator[Stretch]:
    """Every stretch of neighbouring words that some names have, each as long as they have it.

    Each word of a name is used at most once in a stretch: where it comes again the next begins.

    Args:
        hits: For each word of a text the words of names that it may be, with their similarity.
        sets: The names that have a word.
    """
    options = [_exclusive(each, sets) for each in hits]
    having = [reduce(or_, (names for _, _, names in each), 0) for each in options]
    begin = [names & ~before for names, before in zip(having, [0, *having], strict=False)]
    for start in range(len(hits)):
        pending = [(start, {word: score}, names & begin[start])
                   for word, score, names in options[start] if names & begin[start]]
        while pending:
            last, matched, ended = pending.pop()
            names = ended
            for word, score, others in options[last + 1] if last + 1 < len(hits) else ():
                if not names & others:
                    continue
                if word in matched:
                    begin[last + 1] |= names & others
                else:
                    pending.append((last + 1, {**matched, word: score}, names & others))
                    ended &= ~others
            if ended:
                yield Stretch(start, last, matched, ended)


def _exclusive(similar: Mapping[str, float], sets: NameSets) -> list[tuple[str, float, int]]:
    """Words of names that a word may be, the likest first, each with the names it stands for.

    A name with several of them has the likest.
    """
    options = []
    seen = 0
    for word, score in sorted(similar.items(), key=lambda each: -each[1]):
        names = sets.having(word) & ~seen
        if names:
            options.append((word, score, names))
            seen |= names
    return options
