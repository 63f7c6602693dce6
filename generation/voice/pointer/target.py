"""Replies as what the generator says: words, values that are copied, and forms of values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import zip_longest

from frontdesk.generation.voice.pointer.units import Names, join_units, split_units
from frontdesk.generation.voice.pointer.values import Value, ValueKind, find_values, forms
from frontdesk.kg.english.words import clean


class Say(Enum):
    """What a symbol of a reply is."""

    WORD = "word"
    COPY = "copy"
    FORM = "form"


@dataclass(frozen=True)
class Symbol:
    """A symbol of a reply.

    Args:
        say: What it is.
        text: The word, the identity of the value, or the name of the form of the value before.
    """

    say: Say
    text: str


class Renderings:
    """Every text in which a value of a source may be said.

    Args:
        values: The values of a source; where two may be said alike, the first counts.
        only: Forms that may be used besides the source's; None for all.
    """

    def __init__(self, values: Iterable[Value], only: frozenset[str] | None = None) -> None:
        self._symbols: dict[str, dict[str, tuple[str, str]]] = {}
        named: list[Value] = []
        listed = [value for value in values
                  if value.kind not in (ValueKind.WORD, ValueKind.MARK)]
        for value in listed:  # the form of the source first: "8" is the number before the time
            self._add(value, "", value.text, named)
        for value in listed:
            for form, text in forms(value).items():
                if form and (only is None or form in only):
                    self._add(value, form, text, named)
        self._names = Names(named)

    def _add(self, value: Value, form: str, text: str, named: list[Value]) -> None:
        key = " ".join(text.split()).casefold()
        if not key:
            return
        if key not in self._symbols:
            named.append(Value(ValueKind.NAME, key, text))
        self._symbols.setdefault(key, {}).setdefault(text, (value.identity, form))

    def read(self, reply: str) -> list[Symbol]:
        """A reply as symbols; words are as they stand there."""
        symbols: list[Symbol] = []
        for unit in split_units(reply, self._names):
            same = self._symbols.get(unit.value.key) if unit.value.kind is ValueKind.NAME else None
            if same is None:
                word = unit.value.kind in (ValueKind.WORD, ValueKind.MARK)
                parts = [unit.value.text] if word else reply[unit.start:unit.end].split()
                symbols += [Symbol(Say.WORD, part) for part in parts]
                continue
            known = same.get(unit.value.text) or next(iter(same.values()))
            symbols.append(Symbol(Say.COPY, known[0]))
            if known[1]:
                symbols.append(Symbol(Say.FORM, known[1]))
        return symbols


#: The forms of a time that leave open which half of the day it is in, and the hours that nobody
#: takes for those of the other half.
_HALF_OPEN, _CLEAR_HOURS = ("time-12", "time-h"), range(7, 13)


def with_clear_times(symbols: Sequence[Symbol], values: Mapping[str, Value]) -> list[Symbol]:
    """Symbols in which no time may be taken for one of the other half of the day: "4:30" for 16:30.

    Such a time is said as the source says it. No "o'clock" stands behind a time with minutes.

    Args:
        symbols: Of a reply, in order.
        values: The values of the source by identity.
    """
    found: list[Symbol] = []
    said = ""  # the time that the last symbols say
    for symbol, after in zip_longest(symbols, symbols[1:]):
        value = values.get(found[-1].text) if found and found[-1].say is Say.COPY else None
        if symbol.say is Say.FORM and value and value.kind is ValueKind.TIME:
            text = forms(value).get(symbol.text, said)
            word = after.text if after and after.say is Say.WORD else ""
            if symbol.text in _HALF_OPEN and int(value.key[:2]) not in _CLEAR_HOURS \
                    and _read_time(text, word) in (0, len(text)):
                continue
            said = text
        elif symbol.say is Say.COPY:
            copied = values.get(symbol.text)
            said = copied.text if copied and copied.kind is ValueKind.TIME else ""
        else:
            if said and not said.isdecimal() and symbol.say is Say.WORD \
                    and _read_time("4", symbol.text) == 1:
                continue
            said = ""
        found.append(symbol)
    return found


def _read_time(text: str, word: str) -> int:
    """How much of a text with a word behind it is a time, in characters: "o'clock" makes one of "4"
    without being part of it."""
    _, end, read = next(find_values(f"{text} {word}"))
    return end if read.kind is ValueKind.TIME else 0


def write_reply(symbols: Sequence[Symbol], values: Mapping[str, Value]) -> str:
    """The text of symbols on one line; a form that the value before does not have is left out.

    Args:
        symbols: In order.
        values: The values of the source by identity.
    """
    texts: list[str] = []
    last: Value | None = None
    for symbol in symbols:
        if symbol.say is Say.FORM:
            if last is not None:
                texts[-1] = forms(last).get(symbol.text, texts[-1])
            last = None
            continue
        last = values.get(symbol.text) if symbol.say is Say.COPY else None
        texts.append(last.text if last else symbol.text.removeprefix("word:"))
    return clean(join_units(texts))
