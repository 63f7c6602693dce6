"""The logical forms: what utterances and replies mean, in terms of the schema of a domain.

A form is a tree of heads, each with arguments of certain sorts. The heads of every domain stand in
:data:`CORE`; its types and predicates are heads, too: ``(event "lens workshop")`` stands for events
of that name, ``(person (member_of (group "Optics")))`` for people of a group. Names, times, titles
and messages are spans of the utterance; linking and the time grammar read them later. ``README.md``
beside this file has examples.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from frontdesk.kg.graph.errors import FormatError
from frontdesk.kg.graph.schema import ArgumentType, Schema


class Sort(StrEnum):
    """What a form is, and what an argument may be."""

    ACT = "act"              # a dialogue act: what somebody does by saying it
    QUERY = "query"          # what is asked
    STATEMENT = "statement"  # what is so or not: claims of replies, questions for yes or no
    ENTITIES = "entities"    # a set of entities, often of one
    CONDITION = "condition"  # what holds of each entity of a set
    TIME = "time"            # how a time bounds a condition, a statement or a query
    ORDER = "order"          # which of a set in an order
    REQUEST = "request"      # what is to be done
    ROLE = "role"            # what is wanted of it
    CHANGE = "change"        # what of an earlier form is to be another
    SPAN = "span"            # words of the utterance
    NUMBER = "number"        # a whole number


@dataclass(frozen=True)
class Span:
    """Words copied from an utterance.

    Args:
        start, end: Where in the utterance; -1 where that is not known.
    """

    text: str
    start: int = field(default=-1, compare=False)
    end: int = field(default=-1, compare=False)


@dataclass(frozen=True)
class Form:
    """A logical form.

    Args:
        head: Of the language, a type or a predicate.
        arguments: Of the sorts that the head takes.
    """

    head: str
    arguments: tuple[Argument, ...] = ()

    def __str__(self) -> str:
        """The form on one line; :func:`read_form` reads it back."""
        return f"({' '.join((self.head, *map(_argument_text, self.arguments)))})"

    def walk(self) -> Iterator[Form]:
        """The form and all forms in it, the outer before the inner."""
        yield self
        for each in self.arguments:
            if isinstance(each, Form):
                yield from each.walk()

    def inner(self) -> list[Form]:
        """The forms that are its arguments."""
        return [each for each in self.arguments if isinstance(each, Form)]

    def is_of(self, sort: Sort) -> bool:
        """Whether it is of a sort by its head, which is then one of those of all domains."""
        return self.head in CORE and CORE[self.head].sort is sort

    def spans(self) -> Iterator[Span]:
        """The words in it, in the order of the form."""
        for each in self.arguments:
            if isinstance(each, Span):
                yield each
            elif isinstance(each, Form):
                yield from each.spans()


Argument = Form | Span | int


@dataclass(frozen=True)
class Slot:
    """An argument that a head takes.

    Args:
        sorts: Any of them.
        least, most: How often; ``most`` is None where there is no limit.
    """

    sorts: frozenset[Sort]
    least: int
    most: int | None

    @classmethod
    def read(cls, text: str) -> Slot:
        """``query``, ``span|entities``, with ``?`` for none or one, ``*`` and ``+`` for several."""
        mark = text[-1] if text[-1] in "?*+" else ""
        least, most = {"": (1, 1), "?": (0, 1), "*": (0, None), "+": (1, None)}[mark]
        return cls(frozenset(map(Sort, text.rstrip("?*+").split("|"))), least, most)


@dataclass(frozen=True)
class Head:
    """A word of the language.

    Args:
        name: As written.
        sort: Of the form that it makes.
        slots: Its arguments, in order.
        meaning: In words, for people and for models that read them.
    """

    name: str
    sort: Sort
    slots: tuple[Slot, ...]
    meaning: str


def _heads(sort: Sort, table: Mapping[str, str]) -> Iterator[Head]:
    """Heads of a sort: name and slots → meaning."""
    for signature, meaning in table.items():
        name, *slots = signature.split()
        yield Head(name, sort, tuple(map(Slot.read, slots)), meaning)


#: The heads of every domain.
CORE: Mapping[str, Head] = {head.name: head for head in (
    *_heads(Sort.ACT, {
        "greet": "says hello", "goodbye": "takes leave", "thank": "thanks",
        "apologise": "is sorry", "chat": "small talk that asks for nothing",
        "acknowledge": "has heard it", "help": "asks what can be asked",
        "introduce span": "says their own name",
        "inform statement|time": "says what is so",
        "ask query": "asks",
        "request request": "wants something done",
        "answer entities|time|role|span": "answers what was asked last",
        "confirm": "says yes", "deny": "says no",
        "choose entities": "takes one of what was offered",
        "any": "does not mind which",
        "revise change+": "the last question or request, with something else in it",
        "correct change+": "something was misunderstood or said wrongly",
        "undo number?": "what was done is to be taken back", "redo": "and is to be done after all",
        "abandon": "what is being arranged is to be left",
        "repeat": "asks to say it again", "slower": "asks to wait, or to say it more slowly",
        "handover": "wants to talk to a person",
        "arrive entities* time*": "is here, for somebody or for an event",
        "deliver span? entities?": "brings something, for somebody",
        "alarm span": "something dangerous happens",
        "unsupported span?": "asks or wants what is not spoken of here",
    }),
    *_heads(Sort.QUERY, {
        "which entities time*": "who or what they are",
        "exists entities time*": "whether there is one",
        "count entities time*": "how many there are",
        "when entities|statement|time": "when they are or from when on it is so; which hour or day",
        "starts entities": "when they start",
        "ends entities": "when they end", "lasts entities": "how long they last",
        "where entities time*": "in which room or on which floor they are",
        "about entities": "whatever is known of them",
        "value span entities": "a property that the schema has no name for",
        "holds statement": "whether it is so",
        "why statement?": "the reason of it, or of what was answered last",
    }),
    *_heads(Sort.STATEMENT, {
        "is entities entities|time": "they are the same; an event is at the time",
        "there entities": "there is such an entity",
        "free entities time*": "nothing takes their time",
        "busy entities time*": "something takes their time",
        "present entities time*": "they are in, or back",
        "more order entities entities time*": "the first comes before the second in an order",
        "amount entities number": "there are so many",
        "clash entities entities? time*": "their times overlap; of one, those of two of its events",
        "untrue statement": "it is not so", "both statement statement+": "all of it is so",
    }),
    *_heads(Sort.ENTITIES, {
        "thing span": "anything of that name", "me": "who speaks", "us": "who speaks, and others",
        "you": "the receptionist",
        "that condition*": "the one that was spoken of last",
        "those condition*": "those that were spoken of last",
        "answers condition|order|time*": "what was answered last, or some of it",
        "or entities entities+": "any of them", "and entities entities+": "all of them",
        "among entities condition|order|time+": "those of them for which it holds",
        "slot condition|order|time*": "a stretch of time", "day order|time*": "a day",
        "each entities?": "one after the other; within an order, the one that is compared",
    }),
    *_heads(Sort.CONDITION, {
        "not condition+": "it does not hold", "except entities+": "they are left out",
        "like span": "their title or name has to do with it", "type span": "they are such",
        "is_free time*": "nothing takes their time", "is_busy time*": "something does",
        "is_present time*": "they are in",
        "related span entities": "they are to them what the words say: a manager, a team",
        "long span": "they last so long", "size number": "they have so many people",
        "longer span": "they last longer", "shorter span": "they last less",
        "larger number": "they have more people", "smaller number": "they have fewer people",
        "clashes entities? time*": "their times overlap with others'; two of their events do",
        "starting time+": "they start then", "ending time+": "they end then",
    }),
    *_heads(Sort.TIME, {
        "at span|entities": "at, on or during it", "before span|entities": "until it begins",
        "after span|entities": "from its end on", "straight_after span|entities": "right after it",
        "until span|entities": "up to it", "from span|entities": "from it on",
        "within span": "in so much time from now", "now": "at present",
        "from_now": "what is still to come of it", "so_far": "what is over of it",
        "lasting span": "for so long",
        "then": "when was said last",
        "then_after": "after what was said last", "then_before": "before it",
    }),
    *_heads(Sort.ORDER, {
        "nth number": "in time; -1 is the last", "next number?": "from now on",
        "previous number?": "back from now", "longest": "", "shortest": "", "earliest_end": "",
        "latest_end": "", "most entities?": "of these; events that take their time",
        "fewest entities?": "of these; events that take their time",
        "largest": "of their people", "smallest": "of their people",
        "one_of number": "in the order in which they were offered; -1 is the last",
    }),
    *_heads(Sort.REQUEST, {
        "create role*": "a new event", "change entities role+": "an event is to be otherwise",
        "cancel entities": "it is not to take place",
        "swap entities entities": "two change their times",
        "find_time role*": "a time at which all are free", "block role+": "their own time is kept",
        "accept entities": "who speaks comes", "decline entities": "who speaks does not",
        "tell entities* span?": "a message is left for them",
        "again entities role*": "the same once more",
    }),
    *_heads(Sort.ROLE, {
        "title span": "what it is called", "time time": "when it is",
        "start time": "when it starts", "end time": "when it ends",
        "duration span": "how long it lasts", "shift span": "how much later or earlier",
        "lengthen span": "how much longer", "shorten span": "how much shorter",
        "attendee entities": "who comes", "host entities": "who organises it",
        "venue entities": "where it is", "recurs span": "how often",
        "note span": "what it is about", "private": "others are not to know of it",
        "online": "it takes no room", "whole_day": "it lasts all day",
        "unwanted role": "it is not to be so", "instead role role": "the second is to go",
    }),
    *_heads(Sort.CHANGE, {
        "replace entities entities?": "these in the place of those of their type, or of the second",
        "add condition|time|order": "it must hold, too", "drop condition|entities": "it need not",
        "retime time+": "another time", "set role": "it is wanted so",
        "ask_for query": "something else of the same",
    }))}
#: Types of entities that are named otherwise in forms.
ENTITY_TYPES = (ArgumentType.PERSON, ArgumentType.GROUP, ArgumentType.ROOM, ArgumentType.EVENT)


class Language:
    """The language of a domain: the heads of all domains, its types and its predicates.

    A type makes sets of entities: ``(room "Birch")``. A predicate of two arguments makes a
    condition with one of them, ``(location (room "Birch"))`` of events, and a statement with both;
    as a query, it asks for the other: ``(location (event "standup"))``. A state makes a statement
    about entities, ``(quiet (room "Birch") (at "noon"))``, and a condition, ``(quiet (now))``.

    Args:
        states: Predicates of the schema that say of entities, at a time, that something is so.
    """

    def __init__(self, schema: Schema, types: Sequence[str] = ENTITY_TYPES,
                 states: Sequence[str] = ()) -> None:
        self.schema, self.types, self.states = schema, tuple(types), tuple(states)
        self.predicates = tuple(
            name for name, each in schema.items() if len(each.arguments) == 2
            and name not in CORE and name not in self.states
            and each.arguments[0] in self.types and each.polarity >= 0)

    def sorts(self, form: Form) -> frozenset[Sort]:
        """What a form may be: a predicate is told by its place.

        Raises:
            FormatError: The language has no such head.
        """
        if form.head in CORE:
            return frozenset({CORE[form.head].sort})
        if form.head in self.types:
            return frozenset({Sort.ENTITIES})
        if form.head in self.predicates:
            return frozenset({Sort.QUERY, Sort.STATEMENT, Sort.CONDITION})
        if form.head in self.states:
            return frozenset({Sort.STATEMENT, Sort.CONDITION})
        raise FormatError(f"there is no head {form.head!r} in the forms of {self.schema.name}",
                          place=str(form), remedy="Use one of the language, a type or a predicate")

    def slots(self, form: Form, place: Sort) -> tuple[Slot, ...]:
        """The arguments that a form takes where a sort is expected."""
        if form.head in CORE:
            return CORE[form.head].slots
        if form.head in self.types:
            return _TYPE_SLOTS
        if form.head in self.states:
            return _STATE_SLOTS[place]
        return _PREDICATE_SLOTS[place]

    def check(self, form: Form, place: Sort = Sort.ACT) -> None:
        """Find out whether a form is one of the language.

        Raises:
            FormatError: It is not; names the part.
        """
        if place not in self.sorts(form):
            raise FormatError(f"{form.head!r} is no {place}", place=str(form),
                              remedy=f"Put a {place} there")
        left = list(form.arguments)
        for slot in self.slots(form, place):
            number = 0
            while left and (slot.most is None or number < slot.most) \
                    and (found := self._fits(left[0], slot.sorts)) is not None:
                if isinstance(left[0], Form):
                    self.check(left[0], found)
                left.pop(0)
                number += 1
            if number < slot.least:
                raise FormatError(f"{form.head!r} lacks a {' or '.join(sorted(slot.sorts))}",
                                  place=str(form), remedy="Add it")
        if left:
            raise FormatError(f"{form.head!r} does not take {_argument_text(left[0])}",
                              place=str(form), remedy="Leave it out")

    def _fits(self, argument: Argument, sorts: frozenset[Sort]) -> Sort | None:
        """As which of some sorts an argument is taken; None where it is none of them."""
        if isinstance(argument, Span):
            return Sort.SPAN if Sort.SPAN in sorts else None
        if isinstance(argument, int):
            return Sort.NUMBER if Sort.NUMBER in sorts else None
        return next(iter(sorted(self.sorts(argument) & sorts)), None)


_TYPE_SLOTS = tuple(map(Slot.read, ("span?", "condition|order|time*")))
_PREDICATE_SLOTS = {
    Sort.QUERY: tuple(map(Slot.read, ("entities", "time*"))),
    Sort.STATEMENT: tuple(map(Slot.read, ("entities", "entities|span|number", "time*"))),
    Sort.CONDITION: tuple(map(Slot.read, ("entities|span|number?", "time*")))}
_STATE_SLOTS = {Sort.STATEMENT: tuple(map(Slot.read, ("entities", "time*"))),
                Sort.CONDITION: (Slot.read("time*"),)}
_TOKEN = re.compile(r'\s*(?:(\()|(\))|("(?:[^"\\]|\\.)*")|(-?\d+)|([^\s()"]+))')
#: Forms in one another, at most.
_DEEPEST = 40


def read_form(text: str) -> Form:
    """Read what ``str`` of a form writes.

    Raises:
        FormatError: It is none.
    """
    open_forms: list[list[Any]] = []
    position, whole, text = 0, None, text.strip()
    while position < len(text):
        token = _TOKEN.match(text, position)
        if token is None or whole is not None:
            raise _unreadable(text, position)
        begins, ends, words, number, head = token.groups()
        if begins:
            open_forms.append([])
        elif not open_forms or (head is None and not ends and not open_forms[-1]):
            raise _unreadable(text, position)
        elif ends:
            parts = open_forms.pop()
            if not parts:
                raise _unreadable(text, position)
            form = Form(parts[0], tuple(parts[1:]))
            if open_forms and not open_forms[-1]:
                raise _unreadable(text, position)
            if open_forms:
                open_forms[-1].append(form)
            else:
                whole = form
        elif words is not None:
            try:
                open_forms[-1].append(Span(json.loads(words, strict=False)))
            except ValueError as error:
                raise _unreadable(text, position) from error
        elif number is not None:
            open_forms[-1].append(int(number))
        elif open_forms[-1]:
            raise _unreadable(text, position)
        else:
            open_forms[-1].append(head)
        if len(open_forms) > _DEEPEST:
            raise _unreadable(text, position)
        position = token.end()
    if whole is None:
        raise _unreadable(text, position)
    return whole


def read_forms(text: str) -> tuple[Form, ...]:
    """Read forms that stand one after the other on a line.

    Args:
        text: Any number of them.

    Raises:
        FormatError: One is none.
    """
    found, start, depth = [], 0, 0
    for token in _TOKEN.finditer(text):
        begins, ends = token[1], token[2]
        depth += bool(begins) - bool(ends)
        if ends and depth == 0:
            found.append(read_form(text[start:token.end()]))
            start = token.end()
    if text[start:].strip():
        raise _unreadable(text, start)
    return tuple(found)


def _unreadable(text: str, position: int) -> FormatError:
    return FormatError(f"this is no logical form at character {position}", place=text[:200],
                       remedy='Write (head argument …), words in "quotation marks"')


def _argument_text(argument: Argument) -> str:
    if isinstance(argument, Span):
        return json.dumps(argument.text, ensure_ascii=False)
    return str(argument)
