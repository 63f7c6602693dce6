"""Logical forms as sequences of tokens, and which token may follow: what a decoder writes.

A form is written from its head on, the outer before the inner. ``CLOSE`` ends a form that could
take further arguments; one that cannot ends by itself. A span is two tokens, the places of its
first and last words in the utterance; places come after the heads and the numbers. A number is
written as the words that say it are; the few that are meant and not said, as by "last" or "next",
have tokens of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from frontdesk.kg.graph.errors import FormatError
from frontdesk.kg.graph.logical_forms import CORE, Argument, Form, Language, Slot, Sort, Span
from frontdesk.kg.parser.parser_input import EncodedInput

#: Ends the sequence, ends a form.
END, CLOSE = 0, 1
#: Numbers that may be meant without being said.
UNSAID = range(-3, 3)
#: The heads whose number may be: which one of several, how many things that were done.
_UNSAID_OF = frozenset({"nth", "one_of", "next", "previous", "undo"})
#: Heads whose arguments are written with another head, without which they have none.
_WRITTEN_WITH = {"most": "each", "fewest": "each"}
_FIRST_NUMBER = 2
#: Acts of an utterance, at most.
_MOST_ACTS = 5
_FIRST_HEAD = _FIRST_NUMBER + len(UNSAID)


@dataclass(frozen=True)
class _Frame:
    """A form that is not ended.

    Args:
        head: Its head.
        slots: Its arguments.
        slot: The number of the slot that was filled last.
        count: How many arguments that has.
    """

    head: str
    slots: tuple[Slot, ...]
    slot: int = 0
    count: int = 0


@dataclass(frozen=True)
class Position:
    """How far a sequence has come; without arguments, its beginning.

    Args:
        frames: Forms that are not ended, the outer first.
        acts: How many acts there are.
        ended: Whether the sequence is over.
        begun: The place where a span or a number begins whose end is still to come; -1 for none.
    """

    frames: tuple[_Frame, ...] = ()
    acts: int = 0
    ended: bool = False
    begun: int = -1


@dataclass(frozen=True)
class Allowed:
    """What may come next.

    Args:
        tokens: Of the vocabulary.
        pointed: What may begin, or end where it has begun, with a word of the utterance: a span, or
            a number that is said; None for neither.
    """

    tokens: tuple[int, ...]
    pointed: Sort | None


class FormTokens:
    """Writes and reads sequences.

    Args:
        language: Of the forms.
        heads: The heads with a number, in order; those of the language when None.
    """

    def __init__(self, language: Language, heads: Sequence[str] | None = None) -> None:
        self.language = language
        self.heads = tuple(heads if heads is not None
                           else (*CORE, *language.types, *language.predicates))
        self._numbers = {head: _FIRST_HEAD + number for number, head in enumerate(self.heads)}
        #: The heads that take a number which must be said.
        self.counting = tuple(number for head, number in self._numbers.items() if head in CORE
                              and head not in _UNSAID_OF and any(
                                  each.least and each.sorts == {Sort.NUMBER}
                                  for each in CORE[head].slots))
        self._slots = lru_cache(maxsize=None)(self._slots_of)
        self._tokens = lru_cache(maxsize=None)(self._tokens_of)

    @property
    def size(self) -> int:
        """How many tokens there are that are no places."""
        return _FIRST_HEAD + len(self.heads)

    def name(self, token: int) -> str:
        """A token in words."""
        if token >= self.size:
            return f"@{token - self.size}"
        if token >= _FIRST_HEAD:
            return self.heads[token - _FIRST_HEAD]
        return {END: "END", CLOSE: ")"}.get(token) or str(UNSAID[token - _FIRST_NUMBER])

    # -- writing --------------------------------------------------------------------------------

    def write(self, forms: Sequence[Form], read: EncodedInput) -> list[int]:
        """The sequence of some acts.

        Args:
            forms: The acts.
            read: The utterance.

        Raises:
            FormatError: A number is not said, or a span has no place.
        """
        position, found = Position(), list[int]()
        places, said = read.places(), _said(forms, read)

        def put(token: int) -> None:
            nonlocal position
            allowed = self.allowed(position)
            if not (allowed.pointed if token >= self.size else token in allowed.tokens):
                raise FormatError(f"{self.name(token)} cannot stand there",
                                  place=" ".join(map(str, forms)), remedy="Check the form first")
            found.append(token)
            position = self.after(position, token)

        def put_form(form: Form) -> None:
            depth = len(position.frames)
            put(self._numbers[form.head])
            for each in form.arguments:
                put_argument(each)
            if len(position.frames) > depth:
                put(CLOSE)

        def put_argument(argument: Argument) -> None:
            if isinstance(argument, Form):
                put_form(argument)
            elif isinstance(argument, int) and argument in said \
                    and self.allowed(position).pointed is Sort.NUMBER:
                for place in said[argument]:
                    put(self.size + place)
            elif isinstance(argument, int):
                if argument not in UNSAID:
                    raise FormatError(f"{argument} is not said in the utterance",
                                      place=str(argument), remedy="Leave the utterance out")
                put(_FIRST_NUMBER + argument - UNSAID[0])
            else:
                if (argument.start, argument.end) not in places:
                    raise FormatError("a span is not in the utterance", place=argument.text,
                                      remedy="Leave the utterance out")
                first, last = places[argument.start, argument.end]
                put(self.size + first)
                put(self.size + last)

        for form in forms:
            put_form(form)
        put(END)
        return found

    # -- what may come next ---------------------------------------------------------------------

    def allowed(self, position: Position) -> Allowed:
        """What may come next."""
        if position.ended:
            return Allowed((), None)
        if not position.frames:
            acts = self._tokens(frozenset({Sort.ACT})) if position.acts < _MOST_ACTS else ()
            return Allowed((*acts, END) if position.acts else acts, None)
        sorts, satisfied = _acceptable(position.frames[-1])
        if position.begun >= 0:
            return Allowed((), _pointed(sorts))
        tokens = self._tokens(sorts)
        if Sort.NUMBER in sorts and position.frames[-1].head in _UNSAID_OF:
            tokens = (*tokens, *range(_FIRST_NUMBER, _FIRST_HEAD))
        return Allowed((*tokens, CLOSE) if satisfied else tokens, _pointed(sorts))

    def after(self, position: Position, token: int) -> Position:
        """Where a token leads that may come next."""
        frames, acts = position.frames, position.acts
        if token >= self.size:
            place = token - self.size
            if position.begun < 0:
                return Position(frames, acts, False, place)
            return self._filled(frames, acts, _pointed(_acceptable(frames[-1])[0]) or Sort.SPAN)
        if token == END:
            return Position(frames, acts, True)
        if token == CLOSE:
            return self._ended(frames, acts)
        if token < _FIRST_HEAD:
            return self._filled(frames, acts, Sort.NUMBER)
        head = self.heads[token - _FIRST_HEAD]
        if not frames:
            place_sort = Sort.ACT
        else:
            sorts, _ = _acceptable(frames[-1])
            place_sort = self._place(head, frames[-1]) or next(iter(sorted(sorts)))
            frames = (*frames[:-1], _moved(frames[-1], place_sort))
        frame = _Frame(head, self._slots(head, place_sort))
        if _full(frame):
            return self._argument_done(frames, acts)
        return Position((*frames, frame), acts)

    def _place(self, head: str, frame: _Frame) -> Sort | None:
        """As what a head is taken by the first slot that takes it."""
        own = self.language.sorts(Form(head))
        for slot in _open_slots(frame):
            if both := own & slot.sorts:
                return min(both)
        return None

    def _filled(self, frames: tuple[_Frame, ...], acts: int, sort: Sort) -> Position:
        return self._argument_done((*frames[:-1], _moved(frames[-1], sort)), acts)

    def _argument_done(self, frames: tuple[_Frame, ...], acts: int) -> Position:
        """After an argument: forms that can take no other end by themselves."""
        while frames and _full(frames[-1]):
            frames = frames[:-1]
        return Position(frames, acts + (not frames))

    def _ended(self, frames: tuple[_Frame, ...], acts: int) -> Position:
        return self._argument_done(frames[:-1], acts)

    def _slots_of(self, head: str, place: Sort) -> tuple[Slot, ...]:
        if _WRITTEN_WITH.get(head, head) not in self._numbers:
            return ()
        return self.language.slots(Form(head), place)

    def _tokens_of(self, sorts: frozenset[Sort]) -> tuple[int, ...]:
        """The heads that are of one of some sorts."""
        return tuple(number for head, number in self._numbers.items()
                     if self.language.sorts(Form(head)) & sorts)

    # -- reading --------------------------------------------------------------------------------

    def read(self, tokens: Sequence[int], utterance: str, read: EncodedInput) -> tuple[Form, ...]:
        """The forms of a sequence that was written, or decoded with what is allowed.

        Args:
            tokens: The sequence; what is not ended ends with it.
            utterance: As said.
            read: The same in pieces.
        """
        position, values = Position(), {each[:2]: each[2] for each in read.numbers}
        open_forms: list[tuple[str, list[Argument]]] = []
        done: list[Form] = []

        def settle(depth: int) -> None:
            while len(open_forms) > depth:
                head, arguments = open_forms.pop()
                form = Form(head, tuple(arguments))
                if open_forms:
                    open_forms[-1][1].append(form)
                else:
                    done.append(form)

        for token in tokens:
            begun, pointed = position.begun, self.allowed(position).pointed
            position = self.after(position, token)
            if _FIRST_HEAD <= token < self.size:
                open_forms.append((self.heads[token - _FIRST_HEAD], []))
            elif _FIRST_NUMBER <= token < _FIRST_HEAD:
                open_forms[-1][1].append(UNSAID[token - _FIRST_NUMBER])
            elif pointed is Sort.NUMBER and begun >= 0:
                open_forms[-1][1].append(values[begun, token - self.size])
            elif token >= self.size and begun >= 0:
                start, end = read.offsets[begun][0], read.offsets[token - self.size][1]
                open_forms[-1][1].append(Span(utterance[start:end], start, end))
            settle(len(position.frames))
        settle(0)
        return tuple(done)


def _pointed(sorts: frozenset[Sort]) -> Sort | None:
    return next((each for each in (Sort.SPAN, Sort.NUMBER) if each in sorts), None)


def _said(forms: Sequence[Form], read: EncodedInput) -> dict[int, tuple[int, int]]:
    """The places of the numbers that are said, by their value: of two those that are in no span."""
    spans = [(each.start, each.end) for form in forms for part in form.walk()
             for each in part.arguments if isinstance(each, Span)]
    found = dict[int, tuple[int, int]]()
    for first, last, value in sorted(read.numbers, key=lambda number: any(
            start <= read.offsets[number[0]][0] < end for start, end in spans)):
        found.setdefault(value, (first, last))
    return found


def _open_slots(frame: _Frame) -> list[Slot]:
    """The slots that may take the next argument, in order."""
    found = []
    for number in range(frame.slot, len(frame.slots)):
        slot = frame.slots[number]
        count = frame.count if number == frame.slot else 0
        if slot.most is None or count < slot.most:
            found.append(slot)
        if count < slot.least:
            break
    return found


def _acceptable(frame: _Frame) -> tuple[frozenset[Sort], bool]:
    """The sorts of what may come next, and whether the form may end."""
    sorts = frozenset(sort for slot in _open_slots(frame) for sort in slot.sorts)
    lacking = any((frame.count if number == frame.slot else 0) < frame.slots[number].least
                  for number in range(frame.slot, len(frame.slots)))
    return sorts, not lacking


def _moved(frame: _Frame, sort: Sort) -> _Frame:
    """The frame with one more argument of a sort."""
    for number in range(frame.slot, len(frame.slots)):
        slot = frame.slots[number]
        count = frame.count if number == frame.slot else 0
        if sort in slot.sorts and (slot.most is None or count < slot.most):
            return _Frame(frame.head, frame.slots, number, count + 1)
    raise ValueError(f"{frame.head} takes no {sort}")


def _full(frame: _Frame) -> bool:
    """Whether a form can take no further argument."""
    return not _open_slots(frame)
