"""Annotations of dialogue acts: ``name(role="value", ...), name(...)``.

They were typed by hand: quotes and brackets are left open, entries are empty, arguments lack a
role. The parser repairs what it can and says what it repaired and what it could not read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_NAME = re.compile(r"[A-Za-z_]\w*")
_ROLE = re.compile(r"([A-Za-z_]\w*)\s*([=<>]=?)\s*")
_BLANKS = re.compile(r"\s*")
#: What a value with an opening but no closing quote ends at.
_UNCLOSED = re.compile(r'[^"(){}\[\],]*')
_OPENING, _CLOSING = "([{", ")]}"


@dataclass(frozen=True)
class DialogueActAnnotation:
    """A dialogue act as annotated.

    Args:
        name: Of the act, e.g. ``request_information``.
        arguments: Role and value, in order. A list gives one pair per element. A comparison
            stands before its value (``<12:00``), an argument without a role has an empty one.
    """

    name: str
    arguments: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class ParsedActs:
    """The acts of an annotation.

    Args:
        acts: In order.
        repaired: What was wrong with the annotation but could be read.
        unreadable: The parts that are left out.
    """

    acts: tuple[DialogueActAnnotation, ...]
    repaired: tuple[str, ...] = ()
    unreadable: tuple[str, ...] = ()


def parse_acts(text: str) -> ParsedActs:
    """Read an annotation of dialogue acts; it never fails.

    Examples:
        >>> parse_acts('greet(), invite(people=["Ines", "Tom"], start<12:00)').acts[1].arguments
        (('people', 'Ines'), ('people', 'Tom'), ('start', '<12:00'))
        >>> parse_acts('inform(entity="Sorrel, attribute="floor")').acts[0].arguments
        (('entity', 'Sorrel'), ('attribute', 'floor'))
    """
    return _Parser(text).acts()


def parse_arguments(text: str) -> ParsedActs:
    """Read the inside of brackets, ``role="value", ...``, as one act without a name."""
    parser = _Parser(f"{text})")
    arguments = parser.arguments()
    return ParsedActs((DialogueActAnnotation("", tuple(arguments)),), tuple(parser.repaired),
                      tuple(parser.unreadable))


class _Parser:
    """Walks once over the text; every step moves on by at least one character."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.repaired: list[str] = []
        self.unreadable: list[str] = []

    def acts(self) -> ParsedActs:
        found = []
        expected = False  # a comma stands between entries, not before them
        while self._next():
            if self._take(","):
                if not expected:
                    self.repaired.append("empty entry")
                expected = False
                continue
            act = self._act()
            expected = True
            if act is not None:
                found.append(act)
        return ParsedActs(tuple(found), tuple(self.repaired), tuple(self.unreadable))

    def _act(self) -> DialogueActAnnotation | None:
        name = _NAME.match(self.text, self.at)
        start = self.at
        if name is not None:
            self.at = name.end()
            if self._next() == "(":
                self.at += 1
                return DialogueActAnnotation(name[0], tuple(self.arguments()))
            if self._next() in ("", ","):
                self.repaired.append(f"{name[0]} without brackets")
                return DialogueActAnnotation(name[0], ())
        self.at = start
        self.unreadable.append(self._bare(",") or self._skip())
        return None

    def arguments(self) -> list[tuple[str, str]]:
        """Up to and with the closing bracket."""
        found: list[tuple[str, str]] = []
        while True:
            char = self._next()
            if char == "":
                self.repaired.append("open bracket")
                return found
            if self._take(")"):
                return found
            if self._take(","):
                continue
            if char in "]}":
                self.repaired.append(f"stray {self._skip()}")
                continue
            role = _ROLE.match(self.text, self.at)
            if role is not None:
                self.at = role.end()
            name, relation = (role[1], role[2]) if role is not None else ("", "=")
            comparison = "" if relation in ("=", "==") else relation
            found.extend((name, comparison + value) for value in self._values())

    def _values(self) -> list[str]:
        """One value, or the elements of a list."""
        if self._next() == '"':
            return [self._quoted()]
        if not self._take("["):
            bare = self._bare(",)]}")
            if '"' in bare and "(" not in bare:
                self.repaired.append("stray quote")
                bare = bare.replace('"', "").strip()
            return [bare] if bare else []
        found: list[str] = []
        while True:
            char = self._next()
            if self._take("]"):
                return found
            if char in ("", ")"):
                self.repaired.append("open list")
                return found
            if self._take(","):
                continue
            found.extend(self._values() if char != "}" else [self._skip()])

    def _quoted(self) -> str:
        start = self.at + 1
        end = start
        while end < len(self.text) and self.text[end] != '"':
            end += 2 if self.text[end] == "\\" else 1
        if end >= len(self.text) or self._opens(end):
            self.repaired.append("open quote")
            match = _UNCLOSED.match(self.text, start)
            self.at = match.end() if match is not None else start
            return self.text[start:self.at].strip()
        self.at = end + 1
        rest = self._bare(",)]}")
        if rest:
            self.unreadable.append(rest)
        return self.text[start:end].replace('\\"', '"').strip()

    def _opens(self, quote: int) -> bool:
        """Whether a quotation mark stands where a value begins."""
        return self.text[:quote].rstrip()[-1:] in "=<>[("

    def _bare(self, stops: str) -> str:
        """Text up to one of the stops outside of brackets and quotes."""
        start, depth, quoted = self.at, 0, False
        while self.at < len(self.text):
            char = self.text[self.at]
            if char == '"':
                quoted = not quoted
            elif quoted:
                pass
            elif depth == 0 and char in stops:
                break
            elif char in _OPENING:
                depth += 1
            elif char in _CLOSING and depth:
                depth -= 1
            self.at += 1
        if quoted:  # an open quote: what follows it is read on its own
            self.at = start
            while self.at < len(self.text) and self.text[self.at] not in stops:
                self.at += 1
        return self.text[start:self.at].strip()

    def _next(self) -> str:
        """The next character that is not blank; empty at the end."""
        blanks = _BLANKS.match(self.text, self.at)
        self.at = blanks.end() if blanks is not None else self.at
        return self.text[self.at:self.at + 1]

    def _take(self, char: str) -> bool:
        taken = self._next() == char
        self.at += taken
        return taken

    def _skip(self) -> str:
        self.at += 1
        return self.text[self.at - 1:self.at]
