"""How answers are compared by their words, as SQuAD does it (Rajpurkar et al. 2016)."""

from __future__ import annotations

import datetime as dt
import re
import string
from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache

from frontdesk.generation.voice.pointer.values import ValueKind, find_values, number_value
from frontdesk.kg.english.phrases import NUMBERS, ORDINALS, TENS, say_ordinal
from frontdesk.kg.graph.windows import WindowKind
from frontdesk.kg.times.time_grammar import all_expressions
from frontdesk.kg.times.time_mentions import find_times
from frontdesk.kg.times.time_words import canonical

_ARTICLES = frozenset({"a", "an", "the"})
_MARKS = str.maketrans("", "", string.punctuation)
#: The subject "you" stands after an auxiliary or a question word.
_SUBJECT = re.compile(
    r"\bI\b|\b(?:do|does|did|am|are|is|was|were|can|could|will|would|shall|should|may|might|must|"
    r"have|has|had|who|what|when|where|which|why|how|that|if|and)(?:n['’]t)?\s+you\b|^\W*you\b")
_POSSESSIVE = re.compile(r"\b(?:my|your)\b", re.IGNORECASE)


def answer_words(text: str) -> list[str]:
    """The words of an answer, without case, punctuation and articles.

    Example:
        >>> answer_words("The U.S., an ally")
        ['us', 'ally']
    """
    return [word for word in text.casefold().translate(_MARKS).split() if word not in _ARTICLES]


def word_f1(one: str, other: str, words: Callable[[str], list[str]] = answer_words) -> float:
    """The F1 of the words of two answers, in [0, 1]; 1 where neither has words.

    Example:
        >>> word_f1("the red book", "a book")
        0.6666666666666666
    """
    ours, theirs = words(one), words(other)
    if not ours or not theirs:
        return float(ours == theirs)
    shared = sum((Counter(ours) & Counter(theirs)).values())
    return 2 * shared / (len(ours) + len(theirs))


def is_personal(question: str) -> bool:
    """Whether a question has "I" or "you" as a subject, or has "my" or "your"."""
    lowered = re.sub(r"\b[A-Z](?=[a-z])", lambda first: first[0].lower(), question)
    return bool(_SUBJECT.search(lowered) or _POSSESSIVE.search(question))


_NUMBERS = {word: number_value(number).identity for number, word in enumerate(
    NUMBERS[1:13], start=1)}
#: Any day: only the clock is read.
_SOME_DAY = dt.datetime(2026, 1, 5, 9, tzinfo=dt.UTC)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")

#: "One" is left: who says "one of them" counts nothing.
_COUNT = (
    rf"(?<![\w-])(?:(?P<tens>{'|'.join(TENS)})(?:[ -](?P<one>{'|'.join(NUMBERS[1:10])}))?"
    rf"|(?P<few>{'|'.join(NUMBERS[2:])})|(?P<dozen>a dozen)|(?P<couple>a couple of)"
    rf"|(?P<nth>{'|'.join(ORDINALS)})(?= floor\b))(?![\w-]| (?:hundred|thousand)\b)")
_FLOOR = re.compile(r"(?<!the )\bfloor (\d{1,2})\b", re.IGNORECASE)
#: What stands before a word within a sentence, and after a word with which a name begins.
_WITHIN = re.compile(r"[^.?!:\s][ \t]*$")
_CAPITAL = re.compile(r"[ \t]+[A-Z]")


@lru_cache(4096)
def in_figures(text: str, names: frozenset[str] = frozenset()) -> str:
    """A text with its clock times and numbers in figures, so that questions about them can be
    asked.

    Args:
        names: That are known. A number in one is left; so is one that begins with a capital where
            no sentence begins or where the next word has one, too.

    Example:
        >>> in_figures("Twenty-one people come at half past two in the afternoon.")
        '21 people come at 14:30.'
        >>> in_figures("Seven Sisters is on with three guests.")
        'Seven Sisters is on with 3 guests.'
    """
    counted = _counts(names).sub(_number_in_figures, _clocks_in_figures(text))
    return _FLOOR.sub(lambda found: f"the {say_ordinal(int(found[1]))} floor", counted)


@lru_cache(16)
def _counts(names: frozenset[str]) -> re.Pattern[str]:
    """Finds numbers in words, and the names with one among other words."""
    having = [re.escape(name) for name in sorted(names, key=len, reverse=True)
              if re.search(_COUNT, name, re.IGNORECASE)
              and not re.fullmatch(_COUNT, name, re.IGNORECASE)]
    known = rf"(?<!\w)(?P<name>{'|'.join(having)})(?!\w)|" if having else ""
    return re.compile(known + _COUNT, re.IGNORECASE)


def _number_in_figures(found: re.Match[str]) -> str:
    said = {name: each.casefold() for name, each in found.groupdict().items() if each}
    in_name = found[0][0].isupper() and (_WITHIN.search(found.string[:found.start()])
                                         or _CAPITAL.match(found.string, found.end()))
    if in_name or "name" in said:
        return found[0]
    if "nth" in said:
        return say_ordinal(ORDINALS.index(said["nth"]) + 1)
    number = TENS.get(said.get("tens", ""), 0) + 12 * ("dozen" in said) + 2 * ("couple" in said)
    return str(number + sum(NUMBERS.index(said[name]) for name in ("one", "few") if name in said))


def _clocks_in_figures(text: str) -> str:
    for found in reversed(find_times(text, now=_SOME_DAY)):
        start, end, window = found.start, found.end, found.window
        kinds = {each.kind for each in all_expressions(canonical(text[start:end]).text)}
        if kinds <= {"clock", "part"} and window.kind is WindowKind.INSTANT:
            said = f"{window.start:%H:%M}"
        elif kinds <= {"range", "part"} and window.kind is WindowKind.SPAN:
            said = f"from {window.start:%H:%M} to {window.end:%H:%M}"
        elif kinds & {"clock", "range"} and len(kinds) > 1:  # with its day, which stays
            said = _clocks_alone(text[start:end])
        else:
            continue
        text = text[:start] + said + text[end:]
    return text


def _clocks_alone(text: str) -> str:
    words = canonical(text)
    for each in reversed(all_expressions(words.text)):
        start, end = words.span(each.start, each.end)
        if each.kind in ("clock", "range") and (start, end) != (0, len(text)):
            text = text[:start] + _clocks_in_figures(text[start:end]) + text[end:]
    return text


def value_words(text: str) -> list[str]:
    """The words of an answer as ``answer_words`` gives them; values by what they say.

    Example:
        >>> value_words("at 2:30 PM on Monday 21 March") == value_words("at 14:30 on March 21st")
        True
    """
    return [_NUMBERS.get(word, word) for word in _words(text.casefold())]


def _words(text: str) -> Iterator[str]:
    position = 0
    for start, end, value in find_values(text):
        yield from answer_words(text[position:start])
        yield value.identity
        # No value has a year, but who says one means it.
        yield from _YEAR.findall(text[start:end]) if value.kind is ValueKind.DATE else ()
        position = end
    yield from answer_words(text[position:])
