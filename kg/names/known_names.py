"""Known names in an utterance: exact, misspelt, misheard or in part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_

from frontdesk.kg.english import lexicon
from frontdesk.kg.english.vocabulary import is_explained, is_name_word
from frontdesk.kg.english.words import Word, singular, split_words
from frontdesk.kg.graph.entities import EntityType
from frontdesk.kg.graph.mentions import Mention, MentionKind
from frontdesk.kg.graph.schema import TYPE_NOUNS, ArgumentType
from frontdesk.kg.names.name_index import NameEntry, NameIndex
from frontdesk.kg.names.name_sets import NameSets, lowest_of

_FULL_MATCH = 0.85
#: So many unknown words of one utterance are compared with the names for their likeness.
_MOST_COMPARED = 80
_ROOM_WORDS = frozenset({"room", "office", "boardroom"})


@dataclass(frozen=True)
class _Run:
    """A stretch of words that matches a name."""

    first: int
    last: int
    score: float
    whole: bool
    entry: NameEntry


class KnownNames:
    """Finds the names of an index in utterances."""

    def __init__(self, index: NameIndex) -> None:
        self.index = index

    def find(self, text: str) -> list[Mention]:
        """Mentions of known names, the best match first where several overlap."""
        words = split_words(text)
        runs = self._runs(words)
        runs.sort(key=lambda run: (-_information(run, self.index), run.first))
        taken: set[int] = set()
        mentions = []
        for run in runs:
            first, last = self._extend(run, words)
            positions = set(range(first, last + 1))
            if positions & taken:
                if set(range(run.first, run.last + 1)) & taken:
                    continue
                first, last = run.first, run.last
                positions = set(range(first, last + 1))
            taken |= positions
            start, end = words[first].start, words[last].end
            types = frozenset({run.entry.type})
            whole = run.entry.type in (EntityType.PERSON, EntityType.EVENT)
            named = (first, last) if whole else (run.first, run.last)
            query = " ".join(word.original for word in words[named[0]:named[1] + 1])
            mentions.append(Mention(text[start:end], start, end, MentionKind.NAME, types=types,
                                    query=query))
        return mentions

    def _runs(self, words: list[Word]) -> list[_Run]:
        """For every stretch of words the names that match it best, where that is acceptable."""
        runs = []
        for stretch in stretches(self._hits(words), self.index.sets):
            for run in self._best(stretch):
                if not run.whole:
                    first, last = _trimmed(run.first, run.last, words)
                    run = replace(run, first=first, last=last)
                if self._acceptable(run, words, stretch.matched):
                    runs.append(run)
        return runs

    def _hits(self, words: list[Word]) -> list[dict[str, float]]:
        """For each word the words of names that it may be, with their similarity."""
        compared: set[str] = set()
        hits: list[dict[str, float]] = []
        for word in words:
            if not self.index.knows(word.text):
                if word.text in lexicon.COMMON_WORDS or (
                        len(compared) >= _MOST_COMPARED and word.text not in compared):
                    hits.append({})
                    continue
                compared.add(word.text)
            hits.append(self.index.similar_words(word.text))
        return hits

    def _best(self, stretch: Stretch) -> Iterator[_Run]:
        """The names of no other words, and of each type the best of those that have others.

        What is said is the largest share of the name with the least information. All names of
        one type with a stretch are mentions of the same words: one of them will do.
        """
        found = sum(self.index.weight(word) * score for word, score in stretch.matched.items())
        names = stretch.names
        best = []
        for number in self.index.numbers_of(stretch.matched):
            if names >> number & 1:
                names &= ~(1 << number)
                best.append((number, True))
        best += [(lowest_of(names & others), False)
                 for others in self.index.of_type.values() if names & others]
        for number, complete in best:
            entry = self.index.ranked[number]
            score = found / self.index.information(entry.words)
            yield _Run(stretch.first, stretch.last, score, complete and score >= _FULL_MATCH, entry)

    def _acceptable(self, run: _Run, words: list[Word], matched: dict[str, float]) -> bool:
        stretch = words[run.first:run.last + 1]
        if all(word.text.isdigit() for word in stretch) and len(stretch[0].text) < 3:
            # A short number is a time, a day or a count unless it is said to be a room.
            return run.first > 0 and words[run.first - 1].text in _ROOM_WORDS
        if run.whole:
            # A one-word name that is also an everyday word needs more than its spelling.
            if len(run.entry.words) > 1 or stretch[0].text not in lexicon.COMMON_WORDS:
                return True
            return self._looks_like_name(run, words)
        telling = {word: score for word, score in matched.items()
                   if len(word) > 1 and not self.index.is_generic(word)
                   and (word not in lexicon.COMMON_WORDS or (
                       word in lexicon.AMBIGUOUS_NAMES
                       and run.entry.type is EntityType.PERSON))}
        if not telling:
            return False
        spelt = [word.text for word in stretch]
        if all(word in lexicon.COMMON_WORDS or word in lexicon.AMBIGUOUS_NAMES for word in spelt):
            return self._looks_like_name(run, words)
        if len(matched) == 1 and len(run.entry.words) > 1 and max(telling.values()) < 0.92:
            # One word, misspelt, of a longer name: only where it is written as a name.
            return stretch[0].original[:1].isupper() and run.first > 0
        return run.score > 0.2

    @staticmethod
    def _looks_like_name(run: _Run, words: list[Word]) -> bool:
        following = words[run.last + 1].text if run.last + 1 < len(words) else ""
        before = words[run.first - 1].text if run.first else ""
        if words[run.first].text in lexicon.MONTHS and (
                before in _BEFORE_MONTH or before[:1].isdigit() or following[:1].isdigit()):
            return False  # "on 3 May"
        capital = words[run.first].original[:1].isupper() and run.first > 0
        return capital or singular(following) in TYPE_NOUNS

    def _extend(self, run: _Run, words: list[Word]) -> tuple[int, int]:
        """Take in type nouns after a name ("Alpha conference room") and "room" before one."""
        first, last = run.first, run.last
        kind = run.entry.type
        if kind is ArgumentType.PERSON:
            if not run.whole:
                while first > 0 and self._continues_name(words[first - 1], words[first]):
                    first -= 1
                while last + 1 < len(words) and self._continues_name(words[last + 1], words[last]):
                    last += 1
            return first, last
        while last + 1 < len(words) and last - run.last < 2 and (
                TYPE_NOUNS.get(singular(words[last + 1].text)) is kind
                or (kind is ArgumentType.EVENT and self._heads_name(words[last + 1].text))
                or (kind is ArgumentType.ROOM
                    and words[last + 1].text in ("conference", "meeting"))):
            last += 1
        if kind is ArgumentType.ROOM and first > 0 and words[first - 1].text in _ROOM_WORDS:
            first -= 1
        if not run.whole:
            # "The lens party" is not the lens workshop: words that mean nothing else belong to it.
            while first > 0 and _continues(words[first - 1], words[first]):
                first -= 1
            while last + 1 < len(words) and _continues(words[last], words[last + 1]):
                last += 1
        return first, last

    def _heads_name(self, word: str) -> bool:
        return self.index.is_generic(word) and (
            word not in lexicon.COMMON_WORDS or singular(word) in TYPE_NOUNS)

    def _continues_name(self, word: Word, neighbour: Word) -> bool:
        """Whether a word next to a part of a person's name belongs to the name too."""
        if abs(word.end - neighbour.start) > 1 and abs(neighbour.end - word.start) > 1:
            return False
        people = self.index.of_type.get(EntityType.PERSON, 0)
        known = any(self.index.sets.having(similar) & people
                    for similar in self.index.similar_words(word.text))
        return is_name_word(word) or (known and word.text not in lexicon.COMMON_WORDS)


_BEFORE_MONTH = frozenset({"in", "of", "this", "next", "last", "since", "until", "late", "early"})


def _trimmed(first: int, last: int, words: list[Word]) -> tuple[int, int]:
    """A stretch without the everyday words at its ends, if anything else is in it."""
    telling = [position for position in range(first, last + 1)
               if words[position].text not in lexicon.COMMON_WORDS
               or singular(words[position].text) in TYPE_NOUNS]
    return (telling[0], telling[-1]) if telling else (first, last)


def _continues(left: Word, right: Word) -> bool:
    """Whether two neighbouring words, one outside a name, go together as one name."""
    return right.start - left.end == 1 and not (
        is_explained(left) or is_explained(right))


def _information(run: _Run, index: NameIndex) -> float:
    """How much a match explains: long and certain matches first."""
    return run.score * run.score * index.information(run.entry.words)


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
