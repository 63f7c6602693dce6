"""What the parser reads: an utterance, what it answers, the forms before it, known names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from frontdesk.kg.english.said_numbers import said_numbers
from frontdesk.kg.graph.logical_forms import Form, Span

#: Types of entities whose names are marked in the utterance.
NAME_TYPES = ("person", "group", "room", "event")
#: Pieces of words of the utterance, and of what comes before it, that are read.
_LONGEST, _LONGEST_CONTEXT = 96, 40


@dataclass(frozen=True)
class KnownName:
    """Words of an utterance that name something.

    Args:
        start, end: Where they stand in it.
        type: Of what they name; one of :data:`NAME_TYPES`.
    """

    start: int
    end: int
    type: str


@dataclass(frozen=True)
class ParserInput:
    """An utterance and what is known of it.

    Args:
        utterance: As said.
        asked: What the agent has just asked for; empty where it asked for nothing.
        earlier: The forms of the user's turn before; empty where there is none.
        names: Known names in the utterance.
    """

    utterance: str
    asked: str = ""
    earlier: tuple[Form, ...] = ()
    names: tuple[KnownName, ...] = ()


@dataclass(frozen=True)
class EncodedInput:
    """An input in pieces of words.

    Args:
        ids: Of the pieces of the utterance, then of what came before, with the marks between.
        segments: 0 for the utterance, 1 for what came before.
        offsets: Where each place, a piece of the utterance, begins and ends in it.
        names: For each piece the numbers of the types that it may name, of :data:`NAME_TYPES`.
        numbers: First place, last place and value of each number that the utterance says.
    """

    ids: tuple[int, ...]
    segments: tuple[int, ...]
    offsets: tuple[tuple[int, int], ...]
    names: tuple[frozenset[int], ...]
    numbers: tuple[tuple[int, int, int], ...] = ()

    def places(self) -> dict[tuple[int, int], tuple[int, int]]:
        """First and last place of whatever begins and ends with a piece, by its offsets."""
        return {(start, end): (first, last)
                for first, (start, _) in enumerate(self.offsets)
                for last, (_, end) in enumerate(self.offsets) if last >= first}


def encode(tokenizer: object, each: ParserInput) -> EncodedInput:
    """An input in pieces of words.

    Args:
        tokenizer: Of MiniLM, from :mod:`frontdesk.kg.models.minilm`.
        each: The input.
    """
    said = tokenizer.encode(each.utterance)  # type: ignore[attr-defined]
    before = tokenizer.encode(context_text(each.asked, each.earlier))  # type: ignore[attr-defined]
    own, offsets = said.ids[1:-1][:_LONGEST], said.offsets[1:-1][:_LONGEST]
    context = before.ids[1:-1][:_LONGEST_CONTEXT]
    begins, ends = said.ids[0], said.ids[-1]
    ids = (begins, *own, ends, *context, ends)
    names = [frozenset[int]()] * len(ids)
    for place, (start, end) in enumerate(offsets, start=1):
        names[place] = frozenset(NAME_TYPES.index(name.type) for name in each.names
                                 if name.start < end and start < name.end)
    read = EncodedInput(ids, (0,) * (len(own) + 2) + (1,) * (len(context) + 1),
                        tuple(offsets), tuple(names))
    places = read.places()
    return replace(read, numbers=tuple(
        (*places[number.start, number.end], number.value)
        for number in said_numbers(each.utterance) if (number.start, number.end) in places))


def context_text(asked: str, earlier: Sequence[Form]) -> str:
    """What came before, as the parser reads it."""
    return " ".join((f"asked {asked}." if asked else "", *map(_plain, earlier[-2:])))


def _plain(form: Form) -> str:
    """A form as words, its structure left out."""
    return " ".join((form.head.replace("_", " "), *(
        _plain(each) if isinstance(each, Form)
        else each.text if isinstance(each, Span) else str(each) for each in form.arguments)))
