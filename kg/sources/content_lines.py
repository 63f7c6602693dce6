"""iCalendar text as lines that can be changed one by one, all others kept byte for byte.

A parser that writes back what it understood would lose what other programs put there: the order
and folding of lines, properties of their own, bytes that are no UTF-8. So a file is cut into its
content lines (RFC 5545, 3.1) and the components that they make up, and only lines that have to
change are replaced.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\n|\r|\Z)(?:[ \t][^\r\n]*(?:\r\n|\n|\r|\Z))*")
_FOLD = re.compile(rb"(?:\r\n|\n|\r)[ \t]")
_NAME = re.compile(rb"(?:\xef\xbb\xbf)?\s*([A-Za-z0-9-]+)\s*[;:]")
#: What stands directly in a calendar, so that its BEGIN ends whatever was not ended before it.
_TOP_LEVEL = ("VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY", "VTIMEZONE", "VAVAILABILITY")


@dataclass(eq=False)
class Line:
    """A content line.

    Args:
        raw: As in the file, folded and with its line end.
        number: Of its first line in the file, from 1; 0 for one that is not in a file.
    """

    raw: bytes
    number: int = 0

    @property
    def name(self) -> str:
        """Of the property in capitals; empty for what is no content line."""
        found = _NAME.match(self.text)
        return found[1].decode().upper() if found else ""

    @property
    def text(self) -> bytes:
        """Unfolded, without line end."""
        return _FOLD.sub(b"", self.raw).rstrip(b"\r\n")

    @property
    def value(self) -> str:
        """What stands behind the first colon; enough for BEGIN, END and what has no parameters."""
        return self.text.partition(b":")[2].decode("utf-8", "replace").strip()


@dataclass(eq=False)
class Block:
    """A component: what stands between BEGIN and END.

    Args:
        name: ``VEVENT`` and the like, in capitals.
        end: The line that ends it; None when the file ends before.
    """

    name: str
    begin: Line
    parts: list[Line | Block] = field(default_factory=list)
    end: Line | None = None

    @property
    def number(self) -> int:
        """Of the line that begins it in the file, from 1."""
        return self.begin.number

    def to_bytes(self) -> bytes:
        """The component as it stands in a file."""
        return self.begin.raw + join(self.parts) + (self.end.raw if self.end else b"")

    def lines(self, name: str) -> list[Line]:
        """Its own lines of a property."""
        return [part for part in self.parts if isinstance(part, Line) and part.name == name]

    def blocks(self, name: str) -> list[Block]:
        """The components of a name directly in it."""
        return [part for part in self.parts if isinstance(part, Block) and part.name == name]

    def put(self, name: str, *texts: bytes) -> None:
        """Give a property lines in place of those that it has; none at all removes it.

        Args:
            name: Of the property, in capitals.
            texts: Content lines, unfolded and without line ends.
        """
        old = self.lines(name)
        new: list[Line | Block] = [self.line(text) for text in texts]
        at = self.parts.index(old[0]) if old else self._end_of_lines()
        self.parts = [*self.parts[:at], *new,
                      *(part for part in self.parts[at:] if part not in old)]

    def replace(self, line: Line, *others: Line) -> None:
        """Put lines in the place of one of its lines; none at all removes it."""
        at = self.parts.index(line)
        self.parts[at:at + 1] = others

    def add(self, text: bytes) -> None:
        """Add a content line, unfolded and without line end, behind those of its name."""
        line = self.line(text)
        alike = self.lines(line.name)
        at = self.parts.index(alike[-1]) + 1 if alike else self._end_of_lines()
        self.parts.insert(at, line)

    def line(self, text: bytes) -> Line:
        """A content line, unfolded and without line end, as lines of the component are written."""
        return Line(fold(text, self.line_end))

    def _end_of_lines(self) -> int:
        return next((index for index, part in enumerate(self.parts) if isinstance(part, Block)),
                    len(self.parts))

    @property
    def line_end(self) -> bytes:
        """How the lines of the component end."""
        return b"\n" if not self.begin.raw.endswith(b"\r\n") else b"\r\n"

    def copy(self) -> Block:
        """A component that can be changed without changing this one."""
        return Block(self.name, self.begin, [part.copy() if isinstance(part, Block)
                                             else Line(part.raw, part.number)
                                             for part in self.parts], self.end)


def cut(data: bytes) -> list[Line | Block]:
    """The lines and components of a file; :func:`join` puts them together as they were.

    A component without END ends where the component around it does, or where another one begins
    that cannot stand in it. An END without BEGIN is a line like others.
    """
    top: list[Line | Block] = []
    open_blocks: list[Block] = []
    for line in _lines(data):
        name = line.value.upper() if line.name in ("BEGIN", "END") else ""
        if line.name == "BEGIN" and name in (*_TOP_LEVEL, "VCALENDAR"):
            is_inside = name != "VCALENDAR" and open_blocks and open_blocks[0].name == "VCALENDAR"
            del open_blocks[1 if is_inside else 0:]
        parts = open_blocks[-1].parts if open_blocks else top
        if line.name == "BEGIN":
            block = Block(name, line)
            parts.append(block)
            open_blocks.append(block)
        elif line.name == "END" and any(block.name == name for block in open_blocks):
            while open_blocks[-1].name != name:
                open_blocks.pop()
            open_blocks.pop().end = line
        else:
            parts.append(line)
    return top


def calendars(parts: list[Line | Block]) -> list[Line | Block]:
    """The parts of a file with its events all in calendars: those beside them in one of their own.

    :func:`join` still puts them together as they were.
    """
    found: list[Line | Block] = []
    beside: list[Line | Block] = []
    for part in [*parts, None]:
        if part is not None and not (isinstance(part, Block) and part.name == "VCALENDAR"):
            beside.append(part)
            continue
        if any(isinstance(each, Block) and each.name == "VEVENT" for each in beside):
            found.append(Block("VCALENDAR", Line(b"", beside[0].number), beside))
        else:
            found += beside
        found += [part] if part else []
        beside = []
    return found


def join(parts: list[Line | Block]) -> bytes:
    """The bytes of lines and components."""
    return b"".join(part.to_bytes() if isinstance(part, Block) else part.raw for part in parts)


def fold(text: bytes, line_end: bytes = b"\r\n") -> bytes:
    """A content line of at most 75 bytes a line, no character cut in two (RFC 5545, 3.1)."""
    pieces, width = [], 75
    while len(text) > width:
        at = width
        while at > 1 and text[at] & 0xC0 == 0x80:
            at -= 1
        pieces.append(text[:at])
        text, width = text[at:], 74
    return (line_end + b" ").join([*pieces, text]) + line_end


def _lines(data: bytes) -> Iterator[Line]:
    at, number = 0, 1
    while at < len(data):
        found = _LINE.match(data, at)
        if found is None or found.end() == at:
            break
        yield Line(found[0], number)
        at = found.end()
        number += found[0].count(b"\n") + found[0].count(b"\r") - found[0].count(b"\r\n")
