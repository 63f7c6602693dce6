"""Lispress: the programs of SMCalFlow, read as trees.

``(Yield (FindEventWrapperWithDefaults (^(Event) EmptyStructConstraint)))``. Names bound by ``let``
are replaced by what they stand for. Source: Platanios et al., *Value-Agnostic Conversational
Semantic Parsing*, ACL 2021.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from frontdesk.kg.graph.errors import FormatError

_TOKEN = re.compile(r'\s*(?:([()])|("(?:[^"\\]|\\.)*")|(\^)|([^\s()"]+))')
_NUMBER = re.compile(r"(-?\d+)(?:\.0)?L?")
#: Calls in one another, at most.
_DEEPEST = 100
#: Nodes of a program with what ``let`` binds put in its places, at most.
_LARGEST = 5000


@dataclass(frozen=True)
class Call:
    """A function with its arguments.

    Args:
        function: Its name; a name that stands alone is a call without arguments.
        arguments: Calls, texts and whole numbers; names of arguments (``:event``) are left out.
        type: Of what it makes, where the program says so: ``Event``; may be empty.
    """

    function: str
    arguments: tuple[Argument, ...] = ()
    type: str = ""

    def walk(self) -> Iterator[Call]:
        """It and all calls in it, the outer before the inner."""
        yield self
        for each in self.calls():
            yield from each.walk()

    def calls(self) -> tuple[Call, ...]:
        """The arguments that are calls."""
        return tuple(each for each in self.arguments if isinstance(each, Call))

    def call(self, position: int) -> Call:
        """One of the arguments that are calls.

        Raises:
            FormatError: There is none there.
        """
        calls = self.calls()
        if not -len(calls) <= position < len(calls):
            raise FormatError(f"{self.function} lacks an argument", place=self.function,
                              remedy="Leave the program out")
        return calls[position]


Argument = Call | str | int
_Tree = list["_Tree"] | str


def read_lispress(text: str) -> Call:
    """Read a program.

    Args:
        text: It, in one expression.

    Raises:
        FormatError: It is none.
    """
    tokens = _tokens(text)
    tree = _tree(tokens)
    if next(tokens, None) is not None:
        raise _unreadable(text)
    budget = iter(range(_LARGEST))
    found = _argument(tree, {}, budget)
    if not isinstance(found, Call):
        raise _unreadable(text)
    return found


def _tokens(text: str) -> Iterator[str]:
    position, text = 0, text.strip()
    while position < len(text):
        token = _TOKEN.match(text, position)
        if token is None:
            raise _unreadable(text)
        yield token[0].strip()
        position = token.end()


def _tree(tokens: Iterator[str]) -> _Tree:
    """The first expression; ``^(T)`` is the list ``^``, ``T``."""
    open_lists: list[list[_Tree]] = []
    for token in tokens:
        if token in ("(", "^") and len(open_lists) < _DEEPEST:
            open_lists.append(["^"] if token == "^" else [])
            continue
        if token == ")" and open_lists and open_lists[-1][:1] != ["^"]:
            done: _Tree = open_lists.pop()
        elif token in ("(", ")", "^"):
            break
        else:
            done = token
        while open_lists and open_lists[-1][:1] == ["^"]:
            done = [*open_lists.pop(), done]
        if not open_lists:
            return done
        open_lists[-1].append(done)
    raise _unreadable(f"{len(open_lists)} brackets are open")


def _argument(tree: _Tree, bound: Mapping[str, Argument], budget: Iterator[int]) -> Argument:
    if next(budget, None) is None:
        raise _unreadable("a program that is too large")
    if isinstance(tree, str):
        return _atom(tree, bound)
    type_name = ""
    while tree and isinstance(tree[0], list) and tree[0][:1] == ["^"]:
        type_name, tree = _type(tree[0][1]), tree[1:]
    if not tree or not isinstance(tree[0], str) or tree[0].startswith('"') \
            or _NUMBER.fullmatch(tree[0]):
        raise _unreadable(str(tree))
    function, *rest = tree
    if function == "let":
        return _let(rest, bound, budget)
    return Call(str(function), tuple(
        _argument(each, bound, budget) for each in rest
        if not (isinstance(each, str) and each.startswith(":"))), type_name)


def _let(rest: list[_Tree], bound: Mapping[str, Argument], budget: Iterator[int]) -> Argument:
    if len(rest) != 2 or not isinstance(rest[0], list) or len(rest[0]) % 2:
        raise _unreadable("let")
    names = dict(bound)
    for name, value in zip(rest[0][::2], rest[0][1::2], strict=True):
        names[str(name)] = _argument(value, names, budget)
    return _argument(rest[1], names, budget)


def _type(tree: _Tree) -> str:
    return tree if isinstance(tree, str) else " ".join(map(_type, tree))


def _atom(token: str, bound: Mapping[str, Argument]) -> Argument:
    if token.startswith('"'):
        return str(json.loads(token, strict=False))
    number = _NUMBER.fullmatch(token)
    return int(number[1]) if number else bound.get(token, Call(token))


def _unreadable(part: str) -> FormatError:
    return FormatError("this is no program in Lispress", place=part[:200],
                       remedy="Write (function argument …) with balanced brackets")
