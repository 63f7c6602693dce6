"""Informative spans of replies: values, names and noun phrases, without a parser.

Times, dates, numbers, addresses and known names are spans; so are names that nobody knows, by their
capitals, and the runs of other words that say something, which mostly are noun phrases.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from frontdesk.generation.checks.q2.components import Span
from frontdesk.generation.checks.q2.matching import answer_words
from frontdesk.generation.voice.pointer.units import Names
from frontdesk.generation.voice.pointer.values import Value, ValueKind, find_values

#: Words that say nothing of their own, and verbs and adverbs that are no part of a noun phrase.
_EMPTY_TEXT = """
a about above across actually add added after again ago ah all almost alone along already
alright also although always am an and another any anybody anyone anything anyway are aren't
around as ask at available away back be because been before being below beside besides between
both but by call called came can can't cannot come comes could couldn't did didn't do does
doesn't doing don't done down during each either else enjoy enough even ever every everybody
everyone everything exactly fairly far feel few find first for found from gave get gets give
given gives go goes going gonna good got great had happen happened happening happens happy has
hasn't have haven't having he held help her here hers herself hi hello him himself his hold how
however i if in indeed inside instead into is isn't it it's its itself just keep kept kind know
known last least less let like likely little located long look looking looks lot made make makes
many may maybe me mean means might mine more most mostly much must my myself near nearly need
needs neither never next no nobody none nor not nothing now of off often oh ok okay on once one
ones only or other others our out over own per perhaps please pretty probably quite rather
really right said same saw say says see seem seems set she should shouldn't show since so some
somebody someone something sometimes soon sorry still stop such sure take takes taking tell than
thank thanks that that's the their theirs them themselves then there there's these they thing
things think this those though through till to together told too took toward try trying two
under unfortunately until up upon us use used usually very via want wanted wants was wasn't way
we welcome well were weren't what when where whether which while who whom whose why will with
within without won't would wouldn't yeah yes yet you your yours yourself
"""
_EMPTY = frozenset(_EMPTY_TEXT.split())
_EMPTY_BARE = frozenset(word for each in _EMPTY for word in answer_words(each))
_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_SENTENCE_START = re.compile(r"(?:^|[.?!:;]\s+)[\"“'(]*$")
_OCLOCK = re.compile(r" o[' ’]?clock\b", re.IGNORECASE)
_CONTRACTED = re.compile(r"['’](?:s|m|re|ve|ll|d)$|n['’]t$", re.IGNORECASE)
#: Words of one noun phrase.
_LONGEST = 5


class TextSpans:
    """Selects the spans of texts; see :class:`SpanSelector`.

    Args:
        names: Known names, each one span wherever it stands.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._names = Names(Value(ValueKind.NAME, name.casefold(), name) for name in names)

    def select(self, texts: Sequence[str]) -> list[list[Span]]:
        """The spans of each text, in order; they do not overlap."""
        return [sorted(self._select(text)) for text in texts]

    def _select(self, text: str) -> Iterator[Span]:
        taken = [False] * len(text)
        named = [(start, end) for start, end, _ in self._names.find(text)]
        values = [(start, _with_oclock(text, end)) for start, end, _ in find_values(text)]
        for start, end in (*named, *values):
            if not any(taken[start:end]):
                taken[start:end] = [True] * (end - start)
                yield Span(start, end, text[start:end])
        ends = {end for _, end in named}
        for start, end in _phrases(text, taken):
            # "Room" in "the Zeta room" says what the name is of.
            if start - 1 not in ends or text[start - 1] != " ":
                yield Span(start, end, text[start:end])


def _with_oclock(text: str, end: int) -> int:
    """The end of "3 o'clock", of which the value is "3"."""
    found = _OCLOCK.match(text, end)
    return found.end() if found else end


def _phrases(text: str, taken: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Runs of words that say something, with nothing but a blank between them."""
    run: list[re.Match[str]] = []
    for word in _WORD.finditer(text):
        says = not any(taken[word.start():word.end()]) and _says(word, text)
        joined = bool(run) and text[run[-1].end():word.start()] == " "
        if run and not (says and joined and len(run) < _LONGEST):
            yield run[0].start(), run[-1].end()
            run = []
        if says:
            run.append(word)
    if run:
        yield run[0].start(), run[-1].end()


def _says(word: re.Match[str], text: str) -> bool:
    lowered = word[0].casefold().replace("’", "'")
    if not {lowered, _CONTRACTED.sub("", lowered)} & _EMPTY:
        return len(word[0]) > 1
    # "May" within a sentence is a name.
    return len(word[0]) > 1 and word[0].istitle() \
        and not _SENTENCE_START.search(text[:word.start()])


def informative_words(text: str) -> list[str]:
    """The words of a text, as answers are compared by them, without those that say nothing.

    Example:
        >>> informative_words("It is in the Zeta room, I think.")
        ['zeta', 'room']
    """
    return [word for word in answer_words(text) if word not in _EMPTY_BARE]


_SENTENCE = re.compile(r"[^.?!\n]+(?:[.?!](?=[^\s.?!])[^.?!\n]*)*[.?!]*")


def split_sentences(text: str) -> list[tuple[int, str]]:
    """The sentences of a text, each with where it starts; lines are sentences of their own."""
    found = []
    for match in _SENTENCE.finditer(text):
        stripped = match[0].strip()
        if stripped:
            found.append((match.start() + match[0].index(stripped[0]), stripped))
    return found
