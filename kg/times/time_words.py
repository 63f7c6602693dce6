"""The words of an utterance in one spelling each, for the patterns of ``time_grammar``.

"Half past Two, p.m." becomes ``half past 2 , pm``: lower case, numbers in digits, one space
between words, punctuation on its own. What can be no part of a time, as letters of other scripts
and long numbers, becomes ``#``.
"""

from __future__ import annotations

import re
import zoneinfo
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import jellyfish

from frontdesk.kg.english.phrases import MONTHS, NUMBERS, ORDINALS, TENS, WEEKDAYS
from frontdesk.kg.times.time_grammar import PATTERNS, PATTERNS_ALONE

_UNITS = {word: number for number, word in enumerate(NUMBERS[1:], start=1)}
_TENS = TENS | {"fourty": 40}
_ORDINALS = {word: number for number, word in enumerate(ORDINALS, start=1)} | {"thirtieth": 30}
#: How words are also written or misspelt; an empty string for what adds nothing.
_SPELLINGS = {
    "tue": "tuesday", "tues": "tuesday", "weds": "wednesday", "thu": "thursday",
    "thur": "thursday", "thurs": "thursday", "fri": "friday", "wensday": "wednesday",
    "wednsday": "wednesday", "wendesday": "wednesday", "tusday": "tuesday",
    "thrusday": "thursday", "thirsday": "thursday", "firday": "friday", "munday": "monday",
    "saterday": "saturday", "tommorow": "tomorrow", "tomorow": "tomorrow",
    "tommorrow": "tomorrow", "tmrw": "tomorrow", "tmr": "tomorrow", "tmw": "tomorrow",
    "tomorrows": "tomorrow", "todays": "today", "tonite": "tonight", "afternon": "afternoon",
    "tomoz": "tomorrow", "tomoro": "tomorrow", "2moro": "tomorrow", "2morrow": "tomorrow",
    "2mrw": "tomorrow", "2day": "today", "2nite": "tonight", "arvo": "afternoon",
    "midmorning": "morning", "midafternoon": "afternoon",
    "til": "until", "till": "until", "thru": "through", "midday": "noon", "o'clock": "oclock",
    "oclock's": "oclock", "hr": "hour", "hrs": "hours", "min": "minutes", "mins": "minutes",
    "minute": "minutes", "around": "about", "approximately": "about", "roughly": "about",
    "circa": "about", "ca": "about", "@": "at", "kl": "at", "&": "and",
    "½": "1/2", "¼": "1/4", "¾": "3/4",
    "sharp": "", "exactly": "", "precisely": "", "please": "", "pls": "", "um": "",
    "uhm": "", "uh": "", "er": "", "erm": "", "hmm": "", "like": "",
}
#: How words are written in what is known to be a time and no more; elsewhere "Eve" is a name.
_SPELLINGS_ALONE = {
    "avo": "afternoon", "aft": "afternoon", "morn": "morning", "eve": "evening",
    "tomo": "tomorrow", "mon": "monday", "wed": "wednesday", "sat": "saturday", "sun": "sunday",
    "weekends": "weekend", "remainder": "rest", "brekkie": "breakfast", "brekky": "breakfast",
    "teatime": "tea", "dinnertime": "dinner", "suppertime": "supper", "supper": "dinner",
    "elevenses": "coffee", "lunchbreak": "lunch", "lunchtime": "lunch",
}
_ISH = re.compile(rf"\b({'|'.join((*_UNITS, 'noon', 'midday', 'lunchtime'))})(?=ish\b)",
                  re.IGNORECASE)
#: What stands for a small number.
_FEW = re.compile(r"\b(?:an? )?(?:few|several)\b", re.IGNORECASE)
#: A word of a time that is misspelt has at least so many letters.
_SHORTEST_MISSPELT = 4
#: In words of so many letters two may be wrong.
_LONG = 8
_POSSESSIVE = re.compile(r"(?:day|tomorrow|week|hour|tonight|morning|afternoon|evening|month|"
                         r"fortnight)'s$")
_EACH_WEEK = frozenset(f"{day.lower()}s" for day in WEEKDAYS)
_SHORT_MONTHS = {month[:3].lower(): month.lower() for month in MONTHS} | {"sept": "september"}
_MONTH = "|".join(_SHORT_MONTHS)
_BY_NUMBER = re.compile(rf"(?<!\S)(?:(?<=[0-9] )|(?<=[0-9]th )|(?<=[0-9]th of ))(?:{_MONTH})(?!\S)"
                        rf"|(?<!\S)(?:{_MONTH})(?= (?:the )?[0-9]{{1,2}}(?:th)?(?!\S))")
_SHORT_DAYS = {day[:3].lower(): day.lower() for day in WEEKDAYS}
_SHORT_DAY = re.compile(
    r"(?<!\S)(?:(?<=on )|(?<=this )|(?<=next )|(?<=by )|(?<=or )|(?<=until ))(?:mon|wed|sat|sun)"
    r"(?!\S)|(?<!\S)(?:mon|wed|sat|sun)(?= (?:at |, |the )?(?:[0-9]|morning|afternoon|evening))"
    r"|^(?:mon|wed|sat|sun)(?: \.)?$")
#: Letters that match ASCII ones where case is ignored, each with the letter it matches.
_LOOKALIKES = str.maketrans({"\u017f": "s", "\u212a": "k", "\u0131": "i", "\u0130": "I"})
_SIGNS = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-")
                       | {"\u2019": "'", "\u2018": "'", "\u00b4": "'"}) | _LOOKALIKES
#: A hyphen inside "half-hour" and "2-hour", not the one of "10-11" and "Monday-Friday".
_HYPHEN = re.compile(r"(?:(?<=[a-z])(?<!day)|(?<=[0-9]))-(?=[a-z])", re.IGNORECASE)
_TOKEN = re.compile(
    r"2(?:moro|morrow|mrw|day|nite)(?![^\W_])"
    r"|[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9])"
    r"|[0-9]{1,2}(?:/[0-9]{1,2}/|\.[0-9]{1,2}\.|-[0-9]{1,2}-)(?:[0-9]{4}|[0-9]{2})(?![0-9])"
    r"|[0-9]{1,2}/[0-9]{1,2}(?![0-9])|[0-9]{1,2}h[0-9]{2}(?![0-9])"
    r"|[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?![0-9:])|[0-9]{1,2}[:.][0-9]{1,2}(?![0-9]|[:.][0-9])"
    r"|[0-9]+(?:(?:st|nd|rd|th)(?![^\W_]))?"
    r"|[^\W\d_]+(?:'[^\W\d_]+)*|\w+|[-,.;:?!@&+$\u20ac\u00a3\u00bd\u00bc\u00be]", re.IGNORECASE)
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)*")
_HALF = re.compile(r"(?<=[0-9k])(?: ,)? "
                   r"(?:([ap])(?: \.)? m(?: \.(?= \S))?|([ap])(?= (?:today|tomorrow)))"
                   r"(?!\S)")
_OH = ("oh", "o", "zero")
_LONGEST_NUMBER = 4


@dataclass(frozen=True)
class Words:
    """The words of a text, each in one spelling.

    Args:
        text: They, with single spaces between.
        spans: Where each stands in the text they are from, as offsets ``(start, end)``.
    """

    text: str
    spans: tuple[tuple[int, int], ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where a part of ``text`` from the start of a word to the end of one stands."""
        first = self.text.count(" ", 0, start)
        return self.spans[first][0], self.spans[first + self.text.count(" ", start, end)][1]


@dataclass(frozen=True)
class _Token:
    word: str
    start: int
    end: int


def canonical(text: str, *, alone: bool = False) -> Words:
    """The words of a text, each in one spelling.

    Args:
        text: An utterance of any length and content.
        alone: It is a time and no more.
    """
    if alone:
        text = _FEW.sub("3", _ISH.sub(r"\1 ", text))
    plain = _HYPHEN.sub(" ", text.translate(_SIGNS))
    spell = _spelt_alone if alone else _word
    tokens = _in_digits([_Token(word, *found.span()) for found in _TOKEN.finditer(plain)
                         if (word := spell(found[0].casefold()))])
    words = Words(" ".join(token.word for token in tokens),
                  tuple((token.start, token.end) for token in tokens))
    words = _merged(_HALF, lambda half: f" {half[1] or half[2]}m", words)
    joined = _SHORT_DAY.sub(lambda day: _SHORT_DAYS[day[0][:3]], words.text)
    return Words(_BY_NUMBER.sub(lambda month: _SHORT_MONTHS[month[0]], joined), words.spans)


def _merged(pattern: re.Pattern[str], word: Callable[[re.Match[str]], str],
            words: Words) -> Words:
    """The words with those of each match, which begins with a space, made one."""
    text, spans = words.text, list(words.spans)
    for found in reversed(list(pattern.finditer(text))):
        first = text.count(" ", 0, found.start()) + 1
        last = first + found[0].count(" ") - 1
        spans[first:last + 1] = [(spans[first][0], spans[last][1])]
        text = text[:found.start()] + word(found) + text[found.end():]
    return Words(text, tuple(spans))


def _word(token: str) -> str:
    if token[0].isalpha():
        if not _WORD.fullmatch(token):
            return "#"
        if _POSSESSIVE.search(token):
            token = token[:-2]
        elif token in _EACH_WEEK:
            token = token[:-1]
        return _SPELLINGS.get(token, token)
    if token.isdecimal():
        return token if len(token) <= _LONGEST_NUMBER and token.isascii() else "#"
    if token in _SPELLINGS:
        return _SPELLINGS[token]
    if token[0] in "0123456789" and token[-2:] in ("st", "nd", "rd", "th"):
        return f"{token[:-2]}th" if len(token) <= _LONGEST_NUMBER else "#"
    if token.count(":") == 2:
        return token[:-3]  # without the seconds
    return _SPELLINGS.get(token, token)


def _spelt_alone(token: str) -> str:
    """The word that a token of a time and no more is, misspelt ones among them."""
    word = _word(token)
    if word.isalpha() and len(word) >= _SHORTEST_MISSPELT:
        word = _word(_nearest(word))
    return _SPELLINGS_ALONE.get(word, word)


@lru_cache(maxsize=1)
def _places() -> frozenset[str]:
    """The words of the names of time zones: "York" is no "work"."""
    return frozenset(part for key in zoneinfo.available_timezones()
                     for part in re.split("[/_]", key.lower()))


@lru_cache(maxsize=4096)
def _nearest(word: str) -> str:
    """The word of times that a word is misspelt; the word itself where no one is near."""
    known = _vocabulary()
    if word in known or word in _places():
        return word
    most = 1 if len(word) < _LONG else 2
    near = sorted((jellyfish.damerau_levenshtein_distance(word, other), other) for other in known
                  if abs(len(other) - len(word)) <= most)
    if not near or near[0][0] > most or (len(near) > 1 and near[1][0] == near[0][0]):
        return word
    return near[0][1]


@lru_cache(maxsize=1)
def _vocabulary() -> frozenset[str]:
    """The words that times are said with."""
    written = " ".join(pattern for _, patterns in (*PATTERNS, *PATTERNS_ALONE)
                       for pattern in patterns).replace("s?", "s ")
    return frozenset(
        {*re.findall(r"[a-z]{3,}", written), *_UNITS, *_TENS, *_ORDINALS,
         *_SPELLINGS.values(), *_SPELLINGS_ALONE, *_SHORT_MONTHS.values(), "hour", "day",
         "week", "month", "clock", "hundred", "midday"} - {""})


def _in_digits(tokens: list[_Token]) -> list[_Token]:
    """The tokens with numbers in digits; ordinals that were words are marked, ``2ord``."""
    words = [token.word for token in tokens]
    result: list[_Token] = []
    index = 0
    while index < len(words):
        number, used = _number(words, index)
        first = tokens[index]
        if number:
            result.append(_Token(number, first.start, tokens[index + used - 1].end))
        elif words[index] == "hundred":
            before = result[-1].word if result else ""
            number, used = _hundred(before, words, index)
            if number != "#":
                first = result.pop()
            result.append(_Token(number, first.start, tokens[index + used - 1].end))
        elif words[index:index + 2] == ["o", "clock"]:
            used = 2
            result.append(_Token("oclock", first.start, tokens[index + 1].end))
        else:
            used = 1
            result.append(first)
        index += used
    return result


def _number(words: list[str], index: int) -> tuple[str, int]:
    """The number that starts at a word, in digits, and how many words it takes; "" for none."""
    word = words[index]
    following = words[index + 1] if index + 1 < len(words) else ""
    if word in _TENS:
        tens = _TENS[word]
        if 0 < _UNITS.get(following, 0) < 10:
            return str(tens + _UNITS[following]), 2
        if 0 < _ORDINALS.get(following, 0) < 10:
            return f"{tens + _ORDINALS[following]}th", 2
        return str(tens), 1
    if word in _UNITS:
        return str(_UNITS[word]), 1
    if word in _ORDINALS:
        number = _ORDINALS[word]
        return f"{number}{'ord' if number < 11 else 'th'}", 1
    if word in _OH and (digit := _UNITS.get(following) or _digit(following)):
        return (f"0{digit}", 2) if digit < 10 else ("", 0)
    return "", 0


def _digit(word: str) -> int:
    return int(word) if len(word) == 1 and word in "123456789" else 0


def _hundred(before: str, words: list[str], index: int) -> tuple[str, int]:
    """ "Hundred" after a number: an hour in full, or a number of minutes; ``#`` for neither.

    Returns:
        The number that both are, and how many words after the first number it takes.
    """
    following = words[index + 1] if index + 1 < len(words) else ""
    if not (before.isdecimal() and 0 < int(before) <= 24):
        return "#", 1
    if before == "1" and following in ("minutes", "and"):
        more, used = _number(words, index + 2) if following == "and" and index + 2 < len(
            words) else ("", 0)
        return str(100 + (int(more) if more.isdecimal() else 0)), (
            2 + used if more.isdecimal() else 1)
    return f"{int(before):02}:00", 2 if following == "hours" else 1
