"""Tokens: what the generator's ids say, in its vocabulary and in one source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from frontdesk.generation.voice.pointer.source import Source
from frontdesk.generation.voice.pointer.target import Say, Symbol
from frontdesk.generation.voice.pointer.units import word_value
from frontdesk.generation.voice.pointer.values import ValueKind

PAD, BEGIN, END, UNKNOWN = range(4)
SPECIAL = ("<pad>", "<begin>", "<end>", "<unknown>")
#: A slot that cannot be copied.
NO_COPY = -1


def until_end(tokens: Sequence[int]) -> Sequence[int]:
    """The tokens of a reply before its end."""
    return tokens[:tokens.index(END)] if END in tokens else tokens


@dataclass(frozen=True)
class SlotTokens:
    """The tokens of the slots of a source.

    Args:
        words: The vocabulary's id of what each slot says, ``UNKNOWN`` for what it has not.
        copies: The id that copying each slot gives, ``NO_COPY`` for whole facts.
        values: Id by the identity of the value, of the ids above the vocabulary's.
    """

    words: tuple[int, ...]
    copies: tuple[int, ...]
    values: Mapping[str, int]


class Vocabulary:
    """The tokens that every source has.

    Args:
        entries: :data:`SPECIAL`, then forms as ``<form>``, then words as they are written.
    """

    def __init__(self, entries: Sequence[str]) -> None:
        self.entries = tuple(entries)
        ids = {entry: number for number, entry in enumerate(self.entries)}
        self._forms = {entry[1:-1]: number for entry, number in ids.items()
                       if number >= len(SPECIAL) and _is_form(entry)}
        self._words = {entry: number for entry, number in ids.items()
                       if number >= len(SPECIAL) and not _is_form(entry)}

    def __len__(self) -> int:
        return len(self.entries)

    @classmethod
    def of_replies(cls, replies: Iterable[Iterable[Symbol]], least: int = 3) -> Vocabulary:
        """The words and forms that replies have at least so many times."""
        counts: Counter[str] = Counter(
            f"<{symbol.text}>" if symbol.say is Say.FORM else symbol.text
            for reply in replies for symbol in reply if symbol.say is not Say.COPY)
        return cls([*SPECIAL, *sorted(entry for entry, count in counts.items()
                                      if count >= least and entry not in SPECIAL)])

    @property
    def forms(self) -> frozenset[str]:
        """The forms of values that it can name."""
        return frozenset(self._forms)

    def slots(self, source: Source) -> SlotTokens:
        """The tokens of the slots of a source; words of the vocabulary keep their ids."""
        words, copies = [], []
        values: dict[str, int] = {}
        for slot in source.slots:
            value = slot.value
            if value is None:
                words.append(UNKNOWN)
                copies.append(NO_COPY)
                continue
            exact = self._words.get(value.text)
            words.append(exact if exact is not None
                         else self._words.get(value.text.lower(), UNKNOWN))
            if exact is not None and value.kind in (ValueKind.WORD, ValueKind.MARK):
                copies.append(exact)
            else:
                copies.append(values.setdefault(value.identity, len(self) + len(values)))
        return SlotTokens(tuple(words), tuple(copies), values)

    def tokens(self, reply: Iterable[Symbol], values: Mapping[str, int]) -> list[int]:
        """The tokens of a reply, without an end; ``UNKNOWN`` for what cannot be said.

        Args:
            reply: Its symbols.
            values: Of the source, see :class:`SlotTokens`.
        """
        found = []
        for symbol in reply:
            if symbol.say is Say.COPY:
                token = values.get(symbol.text)
            elif symbol.say is Say.FORM:
                token = self._forms.get(symbol.text)
            else:
                token = self._words.get(symbol.text)
                if token is None:
                    token = values.get(word_value(symbol.text).identity)
                if token is None:
                    token = self._words.get(symbol.text.lower())
            found.append(UNKNOWN if token is None else token)
        return found

    def symbols(self, tokens: Iterable[int], values: Mapping[str, int]) -> list[Symbol]:
        """The symbols of tokens; special tokens say nothing."""
        identities = {token: identity for identity, token in values.items()}
        found = []
        for token in tokens:
            if token >= len(self):
                found.append(Symbol(Say.COPY, identities[token]))
            elif token >= len(SPECIAL):
                entry = self.entries[token]
                found.append(Symbol(Say.FORM, entry[1:-1]) if _is_form(entry)
                             else Symbol(Say.WORD, entry))
        return found


def _is_form(entry: str) -> bool:
    return entry.startswith("<") and len(entry) > 1
