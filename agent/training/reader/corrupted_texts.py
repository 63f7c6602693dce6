"""Texts with one thing changed, so that they no longer say what they said."""

from __future__ import annotations

import random
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise

from frontdesk.generation.checks.q2.text_spans import TextSpans, split_sentences
from frontdesk.generation.voice.negation import NEGATION
from frontdesk.generation.voice.pointer.values import ValueKind, find_values
from frontdesk.kg.english.phrases import NUMBERS

#: Verbs after which comes what denies, and before them, mostly, what a sentence is about.
AUXILIARY = re.compile(r"\b(?:is|are|was|were|am|can|could|will|would|should|may|might|must|has|"
                        r"have|had|does|did|do)\b(?! (?:not|n't|never)\b)", re.IGNORECASE)
_DENIES = re.compile(r" (?:not|n ['’]t|n['’]t|never)\b|(?<=\w)n['’]t\b", re.IGNORECASE)
#: Words of which each says the contrary of the other.
_OPPOSITES: dict[str, str] = {one: other for pair in tomllib.loads(
    files(__package__).joinpath("opposites.toml").read_text("utf-8"))["pairs"]
    for one, other in (pair, pair[::-1])}
_WORD = re.compile(r"[^\W\d_]+")
_NAME = re.compile(r"(?<![.!?] )(?<!^)(?<![\"“'(])\b[A-Z][\w.'-]+"
                   r"(?: (?:of |de |the )?[A-Z][\w.'-]+)*")
_NUMBER_WORD = re.compile(rf"\b(?:{'|'.join(NUMBERS[1:])}|hundred|thousand|million|billion)\b",
                          re.IGNORECASE)
_LARGE = ("hundred", "thousand", "million", "billion")
_YEAR = re.compile(r"(?<![\w.,])(?:1[0-9]|20)\d\d(?![\w,]|\.\d)")


@dataclass(frozen=True)
class Part:
    """What can be changed in a text: its place, its kind, what stands there."""

    start: int
    end: int
    kind: str
    text: str


@lru_cache(20_000)
def parts(text: str) -> tuple[Part, ...]:
    """The values, names and noun phrases of a text; they may overlap."""
    return tuple(_parts(text))


def _parts(text: str) -> Iterator[Part]:
    for found in _YEAR.finditer(text):
        yield Part(found.start(), found.end(), "year", found[0])
    for start, end, value in find_values(text):
        if not _YEAR.fullmatch(text[start:end]):
            yield Part(start, end, str(value.kind), text[start:end])
    for found in _NUMBER_WORD.finditer(text):
        yield Part(found.start(), found.end(), "number word", found[0])
    for found in _NAME.finditer(text):
        yield Part(found.start(), found.end(), f"name {len(found[0].split())}", found[0])
    for span in TextSpans().select([text])[0]:
        if span.text.islower():
            yield Part(span.start, span.end, f"phrase {len(span.text.split())}", span.text)


class Corrupter:
    """Changes one thing of a text.

    Args:
        texts: Names and noun phrases that are put in the place of others come from these.
        rng: All is drawn from it.
    """

    def __init__(self, texts: Iterable[str], rng: random.Random) -> None:
        self._rng = rng
        self._pool: dict[str, list[str]] = defaultdict(list)
        for text in texts:
            for part in parts(text):
                self._pool[part.kind].append(part.text)

    def swapped(self, text: str, beside: str = "") -> tuple[str, Part, str] | None:
        """The text with another value, name or phrase, what stood there, and what now does.

        Args:
            beside: What is drawn half of the time from: names and values that are said there are
                the hardest to tell.
        """
        found = parts(text)
        if not found:
            return None
        kinds = sorted({each.kind for each in found})
        kind = self._rng.choice(kinds)
        part = self._rng.choice([each for each in found if each.kind == kind])
        other = self.other(part, beside or text, text)
        if other is None:
            return None
        return text[:part.start] + other + text[part.end:], part, other

    def other(self, part: Part, beside: str, text: str) -> str | None:
        """Something of the same kind that does not stand in a text; None if nothing is known."""
        if part.kind in ("year", ValueKind.NUMBER) and part.text.isdigit():
            return self._near(int(part.text))
        if part.kind == "number word":
            large = part.text.casefold() in _LARGE
            return self._rng.choice([each for each in (_LARGE if large else NUMBERS[1:13])
                                     if each != part.text.casefold()])
        near = [each.text for each in parts(beside)
                if each.kind.split()[0] == part.kind.split()[0]] \
            if self._rng.random() < 0.5 else []
        said = text.casefold()
        for pool in (near, self._pool.get(part.kind, [])):
            others = [each for each in self._rng.sample(pool, min(20, len(pool)))
                      if each.casefold() not in said
                      and part.text.casefold() not in each.casefold()]
            if others:
                return others[0]
        return None

    def _near(self, number: int) -> str:
        most = max(2, number // 4) if number < 1000 else 40
        change = self._rng.randint(1, most) * self._rng.choice((-1, 1))
        return str(number + change if number + change > 0 else number + abs(change))

    def negated(self, text: str) -> str | None:
        """The text with one "not" more, or without the one that it has; None where neither can be.
        """
        denied = [*_DENIES.finditer(text)]
        if denied:
            place = self._rng.choice(denied)
            return text[:place.start()] + text[place.end():]
        verbs = [*AUXILIARY.finditer(text)]
        if not verbs or NEGATION.search(text):
            return None
        place = self._rng.choice(verbs)
        said = self._rng.choice((" not", " not", "n't", " never"))
        return text[:place.end()] + said + text[place.end():]

    def opposite(self, text: str) -> str | None:
        """The text with a word of which it then says the contrary; None where there is none."""
        words = [each for each in _WORD.finditer(text) if each[0].casefold() in _OPPOSITES]
        if not words:
            return None
        word = self._rng.choice(words)
        return text[:word.start()] + _OPPOSITES[word[0].casefold()] + text[word.end():]

    def exchanged(self, text: str) -> str | None:
        """The text with two names, values or phrases in each other's place; None where it has not
        two of a kind."""
        found = [*parts(text)]
        self._rng.shuffle(found)
        for one, other in pairwise(found):
            first, last = sorted((one, other), key=lambda each: each.start)
            if first.end <= last.start and first.kind.split()[0] == last.kind.split()[0] \
                    and first.text.casefold() != last.text.casefold():
                return text[:first.start] + last.text + text[first.end:last.start] \
                    + first.text + text[last.end:]
        return None

    def spliced(self, text: str, beside: str) -> str | None:
        """What the text begins with, and what a sentence beside it says of something else; None
        where either has no verb that is known."""
        sentences = [sentence for _, sentence in split_sentences(beside)
                     if sentence not in text and text not in sentence]
        if not sentences:
            return None
        own, other = AUXILIARY.search(text), AUXILIARY.search(
            sentence := self._rng.choice(sentences))
        if own is None or other is None or not text[:own.start()].strip():
            return None
        return text[:own.start()] + sentence[other.start():]

    def corrupted(self, text: str, beside: str = "") -> str | None:
        """The text with any of these changes; None where none can be made."""
        draw = self._rng.random()
        if draw < 0.15 and (changed := self.negated(text)):
            return changed
        if draw < 0.3 and (changed := self.opposite(text)):
            return changed
        if draw < 0.5 and (changed := self.exchanged(text)):
            return changed
        if draw < 0.65 and (changed := self.spliced(text, beside)):
            return changed
        found = self.swapped(text, beside)
        return found[0] if found else None
