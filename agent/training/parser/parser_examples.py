"""Utterances with forms as examples for the parser: pieces of words in, tokens of forms out."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from frontdesk.data.datasets.parsed_turns import ParsedTurn
from frontdesk.kg.graph.errors import FormatError
from frontdesk.kg.graph.logical_forms import Form, Span
from frontdesk.kg.parser.form_tokens import FormTokens
from frontdesk.kg.parser.parser_input import (
    NAME_TYPES,
    EncodedInput,
    KnownName,
    ParserInput,
    encode,
)


@dataclass(frozen=True)
class ParserExample:
    """An utterance to learn from.

    Args:
        counted: How many tokens of it are learned: of an utterance that is only known to be out of
            scope, and not what it is about, the first.
    """

    read: EncodedInput
    target: tuple[int, ...]
    counted: int
    source: str


class ExampleMaker:
    """Makes examples.

    Args:
        longest: Tokens of a sequence, at most.
    """

    def __init__(self, tokenizer: Any, tokens: FormTokens, longest: int) -> None:
        self.tokenizer, self.tokens, self.longest = tokenizer, tokens, longest

    def examples(self, turns: Iterable[ParsedTurn], source: str, rng: random.Random,
                 known: float) -> Iterator[ParserExample]:
        """Examples of turns; those that cannot be written are left out.

        Args:
            rng: Draws which names are known.
            known: How often the names of an utterance are known.
        """
        for turn in turns:
            names = known_names(turn, rng) if rng.random() < known else ()
            read = encode(self.tokenizer, ParserInput(
                turn.utterance, turn.context.asked, turn.context.forms, names))
            try:
                target = self.tokens.write(turn.forms, read)
            except FormatError:
                continue
            if len(target) <= self.longest and read.offsets:
                bare = all(each == Form("unsupported") for each in turn.forms)
                yield ParserExample(read, tuple(target), 1 if bare else len(target), source)


#: How often a known name is found, a title with all its words, and a word taken for a name that is
#: none.
_FOUND, _WHOLE, _MISTAKEN = 0.85, 0.6, 0.04


def known_names(turn: ParsedTurn, rng: random.Random) -> tuple[KnownName, ...]:
    """The names that an index of an organisation might find in an utterance."""
    found = []
    for part in (part for form in turn.forms for part in form.walk()):
        if part.head in NAME_TYPES and part.arguments and isinstance(part.arguments[0], Span) \
                and rng.random() < _FOUND:
            span = part.arguments[0]
            start, end = (span.start, span.end) if part.head != "event" or rng.random() < _WHOLE \
                else _some_words(span, rng)
            found.append(KnownName(start, end, part.head))
    start = 0
    for word in turn.utterance.split(" "):
        if rng.random() < _MISTAKEN:
            found.append(KnownName(start, start + len(word), rng.choice(NAME_TYPES)))
        start += len(word) + 1
    return tuple(found)


def _some_words(span: Span, rng: random.Random) -> tuple[int, int]:
    """Some words of a title, side by side."""
    words = [(found.start(), found.end()) for found in re.finditer(r"\S+", span.text)]
    first = rng.randrange(len(words))
    last = rng.randrange(first, len(words))
    return span.start + words[first][0], span.start + words[last][1]
