"""Names of an in-car fact base in utterances: whole, in part, or by words of the same sense."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from frontdesk.kg.car.car_types import CarType
from frontdesk.kg.car.car_words import GENERIC, SENSES
from frontdesk.kg.english import lexicon
from frontdesk.kg.graph.entities import EntityType
from frontdesk.kg.graph.mentions import Mention, MentionKind
from frontdesk.kg.names.name_index import NameEntry, NameIndex, Word, singular, split_words

_NAMED = frozenset({CarType.PLACE, CarType.DAY, CarType.POI, CarType.CATEGORY,
                    CarType.ACTIVITY, CarType.PARTY, EntityType.ROOM})
_IN_PART = frozenset({CarType.PLACE, CarType.POI, CarType.CATEGORY, CarType.ACTIVITY})
_WHEN = frozenset({CarType.DAY, CarType.PERIOD})
_GENERIC_WEIGHT = 0.15
_SENSE = 0.9
#: Shorter words must be spelt right.
_SHORTEST_FUZZY = 4
#: "Coffee" is any place for it rather than the one that has the word in its name.
_KIND_FIRST = 0.3
#: Share of a name, by weight, that must be said.
_LEAST_SHARE = 0.3
_FILLER = frozenset({"or", "and", "of", "the", "s"})
#: Words of a name that are too common to stand for it alone.
_WEAK = frozenset({"rest", "center", "centre", "market", "shop", "place", "food", "eat", "fill",
                   "eye", "fast", "city", "new", "north", "south", "east", "west", "street",
                   "avenue", "ave", "st", "garage", "park", "house"})
_PREFERENCE = (CarType.PLACE, CarType.CATEGORY, CarType.ACTIVITY, CarType.POI)


@dataclass(frozen=True)
class _Match:
    first: int
    last: int
    share: float
    literal: bool
    likeness: float
    entry: NameEntry
    words: tuple[str, ...]


class CarNames:
    """Finds the names of an index in utterances."""

    def __init__(self, index: NameIndex) -> None:
        self.index = index
        self._entries = [entry for entry in index.entries if entry.type in _IN_PART]
        self._count = Counter((entry.type, word) for entry in self._entries
                              for word in set(entry.words))
        self._senses: dict[str, set[str]] = {}
        for sense in SENSES:
            for word in sense:
                self._senses.setdefault(word, set()).update(sense)

    def whole(self, text: str) -> list[Mention]:
        """Mentions of whole names, the longest first where several overlap."""
        words = split_words(text)
        mentions: list[Mention] = []
        longest = max((len(entry.words) for entry in self.index.entries), default=0)
        taken: set[int] = set()
        for length in range(min(longest, len(words)), 0, -1):
            for first in range(len(words) - length + 1):
                span = range(first, first + length)
                entries = [entry for entry in self.index.entries_named(
                    tuple(words[position].text for position in span)) if entry.type in _NAMED]
                if not entries or not taken.isdisjoint(span):
                    continue
                taken.update(span)
                mentions.append(_mention(text, words[first], words[first + length - 1], entries))
        return mentions

    def partial(self, text: str, known: Sequence[Mention]) -> Iterable[Mention]:
        """Mentions of parts of names and of other words for them, outside known mentions."""
        words = split_words(text)
        free = [position for position, word in enumerate(words)
                if not any(each.start <= word.start < each.end for each in known)]
        matches = [match for entry in self._entries for match in self._matches(entry, words, free)]
        matches.sort(key=lambda each: (-_rank(each), _PREFERENCE.index(each.entry.type),
                                       each.first))
        kinds = {match.last for match in matches if match.entry.type is CarType.CATEGORY}
        taken: set[int] = set()
        for match in matches:
            span = set(range(match.first, match.last + 1))
            if span & taken or (match.entry.type is CarType.CATEGORY and len(span) == 1
                                and match.first - 1 in kinds - span):
                continue  # a house for tea is nobody's home
            taken |= span
            rivals = [other for other in matches if other.first == match.first
                      and other.entry.type is match.entry.type
                      and round(other.share, 3) == round(match.share, 3)]
            query = ""
            if match.entry.type is CarType.CATEGORY and len(rivals) > 1:
                yield from _each_kind(text, words, match, rivals)
                continue
            if not match.literal:
                query = match.entry.name if len(rivals) == 1 else " ".join(match.words)
            elif match.likeness < 1 or {word.text for word in words[
                    match.first:match.last + 1]} - set(match.words):
                query = " ".join(match.words)
            start, end = words[match.first].start, words[match.last].end
            yield Mention(text[start:end], start, end, MentionKind.NAME, query=query,
                          types=frozenset({match.entry.type}),
                          probability=match.likeness)

    def knows(self, word: Word) -> bool:
        """Whether a kind of place or the name of one has a word or one of its sense."""
        return any(self._hit(entry, word) for entry in self._entries
                   if entry.type in (CarType.CATEGORY, CarType.POI))

    def _matches(self, entry: NameEntry, words: Sequence[Word],
                 free: Sequence[int]) -> Iterable[_Match]:
        hits: dict[int, tuple[str, float, bool]] = {}
        for position in free:
            hit = self._hit(entry, words[position])
            if hit is not None:
                hits[position] = hit
        total = sum(self._weight(entry, word) for word in set(entry.words))
        for run in _runs(hits, words):
            said = {hits[position][0]: hits[position][1] for position in run}
            share = sum(self._weight(entry, word) * score for word, score in said.items()) / total
            head = entry.type is CarType.CATEGORY and entry.words[-1] in said
            if (share >= _LEAST_SHARE or head) and self._telling(entry, run, hits, words):
                yield _Match(run[0], run[-1], share, all(hits[each][2] for each in run),
                             min(hits[each][1] for each in run), entry, tuple(said))

    def _hit(self, entry: NameEntry, word: Word) -> tuple[str, float, bool] | None:
        """The word of a name that a word stands for, how surely, and whether it is the same."""
        for other in entry.words:
            if other == word.text or (len(other) > 3 and singular(other) == singular(word.text)):
                return other, 1.0, True
        senses = self._senses.get(word.text, set()) | self._senses.get(singular(word.text), set())
        for other in entry.words:
            if other in senses:
                return other, _SENSE, False
        if (len(word.text) < _SHORTEST_FUZZY or word.text in lexicon.COMMON_WORDS
                or self.index.knows(word.text)):
            return None
        similar = self.index.similar_words(word.text)
        return next(((other, similar[other], True) for other in entry.words if other in similar),
                    None)

    def _telling(self, entry: NameEntry, run: Sequence[int],
                 hits: dict[int, tuple[str, float, bool]], words: Sequence[Word]) -> bool:
        """Whether what is said of a name can stand for it."""
        for position in run:
            word, _, literal = hits[position]
            if word in GENERIC:
                continue
            said = words[position].text
            if entry.type is CarType.POI and (not literal or self._count[
                    entry.type, word] > 1 or said in lexicon.COMMON_WORDS or said in self._senses):
                continue
            if said not in _WEAK or len(run) > 1 or (entry.type is CarType.CATEGORY
                                                     and not literal):
                return True
        return False

    def _weight(self, entry: NameEntry, word: str) -> float:
        if word in GENERIC:
            return _GENERIC_WEIGHT
        return 1.0 / self._count[entry.type, word]


def _each_kind(text: str, words: Sequence[Word], match: _Match,
               rivals: Iterable[_Match]) -> Iterable[Mention]:
    """A word for several kinds of places ("a place to eat") is a mention of each of them.

    All but the first are mentions without words.
    """
    start, end = words[match.first].start, words[match.last].end
    for name in dict.fromkeys((match.entry.name, *(other.entry.name for other in rivals))):
        yield Mention(text[start:end], start, end, MentionKind.NAME, query=name,
                      types=frozenset({CarType.CATEGORY}), probability=match.likeness)
        start = end


def _rank(match: _Match) -> float:
    named = match.entry.type is CarType.POI
    return round(match.share + (0.0 if named else _KIND_FIRST), 3)


def _runs(hits: dict[int, tuple[str, float, bool]], words: Sequence[Word]) -> list[list[int]]:
    """Stretches of matched words, at most a filler between two of them."""
    runs: list[list[int]] = []
    for position in sorted(hits):
        if runs and (position - runs[-1][-1] == 1 or (
                position - runs[-1][-1] == 2 and words[position - 1].text in _FILLER)):
            runs[-1].append(position)
        else:
            runs.append([position])
    return runs


def _mention(text: str, first: Word, last: Word, entries: Sequence[NameEntry]) -> Mention:
    types = frozenset(entry.type for entry in entries)
    return Mention(text[first.start:last.end], first.start, last.end, MentionKind.NAME,
                   types=_WHEN if CarType.DAY in types else types)
