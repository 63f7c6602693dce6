"""The text of iCalendar files (RFC 5545) as calendars have it: read line by line.

What a line says is found even where it is not written as it should be: with colons, semicolons and
quotation marks in parameters that are not quoted, parameters without a value, other encodings.
What is found to be wrong is noted with the numbers of its lines, and costs no more than itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from email.utils import parseaddr
from urllib.parse import unquote

from icalendar.parser import rfc_6868_unescape

from frontdesk.kg.graph.errors import FormatError
from frontdesk.kg.sources.content_lines import Block, Line, calendars, cut

#: What the icalendar library and Python raise for values that cannot be read.
READING = (ValueError, TypeError, KeyError, AttributeError, IndexError, OverflowError,
           AssertionError)
#: Properties whose values are times: there is no colon in them, and the last one is before them.
TIMES = ("DTSTART", "DTEND", "DURATION", "RECURRENCE-ID", "RDATE", "EXDATE", "DTSTAMP",
         "LAST-MODIFIED")
ADDRESSES = ("ATTENDEE", "ORGANIZER")
_STRICT = re.compile(r'(?:;[\w-]+=(?:"[^"]*"|[^";:,]*)(?:,(?:"[^"]*"|[^";:,]*))*)*:')
_NAME = re.compile(r"\ufeff?\s*([A-Za-z0-9-]+)\s*(?=[;:])")
_PARAMETER = re.compile(r"\s*([A-Za-z][\w-]*)\s*=\s*(.*?)\s*$", re.DOTALL)
_PIECE = re.compile(r';((?:\\.|"[^"]*"|[^;"\\]|["\\])*)', re.DOTALL)
#: A parameter without a value, as opposed to what stands behind a semicolon in a name.
_NO_VALUE = re.compile(r"\s*(?:X-[\w-]*|ALTREP|CN|CUTYPE|DELEGATED-FROM|DELEGATED-TO|DIR|EMAIL|"
                       r"ENCODING|FBTYPE|FMTTYPE|LANGUAGE|MEMBER|PARTSTAT|RANGE|RELATED|RELTYPE|"
                       r"ROLE|RSVP|SCHEDULE-[\w-]*|SENT-BY|TZID|VALUE)?\s*$", re.IGNORECASE)
#: What shows that a colon stands within the parameters: more of them, or the rest of an address.
_MORE_PARAMETERS = re.compile(r"[^:]*;\s*[A-Za-z][\w-]*=[^:]*:|//[^:]*:")
_CLOCK = r"\d{4}-?\d\d-?\d\d(?:[T ]\d\d:?\d\d(?::?\d\d)?(?:[.,]\d+)?\s*(?:Z|[+-]\d\d:?\d\d)?)?"
_TIME_AT_END = re.compile(rf":\s*(?:{_CLOCK}(?:\s*[,/]\s*(?:{_CLOCK}|[+-]?P[\dA-Z]+))*)\s*$",
                          re.IGNORECASE)
_ADDRESS_AT_END = re.compile(r".*:(?=\s*mailto:)", re.IGNORECASE | re.DOTALL)
EMAIL = re.compile(r"[^\s<>:;,/\"'()\[\]]+@[^\s<>:;,?\"'()\[\]]+")
_ESCAPED = re.compile(r"\\([\\,;:\"nN])")
#: How many lines a sentence about several of them names.
_LISTED = 5


@dataclass(frozen=True)
class Property:
    """What a content line says.

    Args:
        name: In capitals.
        params: Values by name in capitals, without quotation marks around them.
        value: As written.
        line: Number of the line in the file.
        problem: What is wrong in how it is written; empty for nothing.
    """

    name: str
    params: dict[str, str]
    value: str
    line: int = 0
    problem: str = ""


@dataclass
class Problems:
    """What is wrong in a file, alike ones together.

    Args:
        place: The file's name.
    """

    place: str
    _found: dict[tuple[str, str, str], list[int]] = field(default_factory=dict)

    def add(self, line: int, reason: str, done: str, remedy: str) -> None:
        """Note what is wrong with a line, what was done about it, and what the user can do."""
        lines = self._found.setdefault((reason, done, remedy), [])
        if line not in lines[-1:]:
            lines.append(line)

    def sentences(self) -> list[str]:
        """A sentence for each kind."""
        return [f"{self.place}, {_say_lines(lines)}: "
                f"{reason.replace('{lines}', _count(len(lines)))}; {done}. {remedy}."
                for (reason, done, remedy), lines in self._found.items()]


def _say_lines(numbers: list[int]) -> str:
    said = ", ".join(f"line {number}" for number in numbers[:_LISTED])
    more = len(numbers) - _LISTED
    return f"{said} and {more} more" if more > 0 else said


def _count(number: int) -> str:
    return "a line is" if number == 1 else f"{number} lines are"


def read_calendars(data: bytes, problems: Problems) -> list[Block]:
    """The calendars of a file, with what is wrong in how they are put together noted.

    Raises:
        FormatError: There is no calendar in it, or it breaks off before anything is whole.
    """
    parts = cut(data)
    found = [part for part in calendars(parts) if isinstance(part, Block)
             and part.name == "VCALENDAR"]
    if not found:
        raise FormatError("this is not an iCalendar file, it has no BEGIN:VCALENDAR",
                          place=problems.place, remedy="Export the calendar as .ics")
    blocks = [part for calendar in found for part in calendar.parts if isinstance(part, Block)]
    if not any(_says_something(block) for block in blocks) and (blocks or found[-1].end is None):
        reason, remedy = ("this is not iCalendar: an event without END:VEVENT",
                          "Export the calendar again as .ics") if found[-1].end else (
            "the file has a calendar without END:VCALENDAR",
            "It may be cut off; export or download it again")
        raise FormatError(reason, place=problems.place, remedy=remedy)
    for part in parts:
        _note_structure(part, problems)
    for calendar in found:
        for part in calendar.parts:
            _note_bytes(part, problems)
    return found


def _says_something(block: Block) -> bool:
    """Whether a component is whole, or an event that does without its END."""
    return block.end is not None or (
        block.name == "VEVENT" and bool(block.lines("DTSTART"))
        and any(block.lines(name) for name in ("DTEND", "DURATION", "SUMMARY")))


def _note_structure(part: Line | Block, problems: Problems) -> None:
    if isinstance(part, Line):
        if part.name == "END":
            problems.add(part.number, f"there is an END:{part.value.upper()} without a BEGIN",
                         "it was skipped", "Export the calendar again if something is missing")
        return
    if part.end is None:
        cut_off = part.name == "VCALENDAR"
        problems.add(part.number, f"the {part.name} that begins here has no END",
                     "what is whole in it was kept" if cut_off else "it ends where the next begins",
                     "The file may be cut off; export or download it again" if cut_off
                     else "Export the calendar again if something is missing")
    for each in part.parts:
        _note_structure(each, problems)


def _note_bytes(part: Line | Block, problems: Problems) -> None:
    for line in [part] if isinstance(part, Line) else _all_lines(part):
        if line.raw.isascii():
            continue
        try:
            line.text.decode("utf-8")
        except UnicodeDecodeError:
            problems.add(line.number, "{lines} not UTF-8", "read as Windows-1252",
                         "Export it as UTF-8 if names look wrong")


def _all_lines(block: Block) -> Iterator[Line]:
    for part in block.parts:
        if isinstance(part, Line):
            yield part
        else:
            yield from _all_lines(part)


def properties(block: Block, problems: Problems | None = None) -> Iterator[Property]:
    """What the lines of a component say, those of components in it left out.

    Args:
        problems: Where lines that say nothing are noted.
    """
    for part in block.parts:
        if not isinstance(part, Line):
            continue
        found = read_property(part)
        if found is None:
            if problems is not None and part.text.strip():
                problems.add(part.number, "{lines} not iCalendar", "skipped",
                             "Export the calendar again if something is missing")
        elif found.name not in ("BEGIN", "END"):
            yield found


def read_property(line: Line) -> Property | None:
    """What a content line says; None for one that is none."""
    text = _decode(line.text)
    start = _NAME.match(text)
    if start is None:
        return None
    name, rest = start[1].upper(), text[start.end():]
    at = _separator(name, rest)
    if at is None and name in ADDRESSES:
        at = len(rest)  # who it is may stand before the value, too
    if at is None:
        return None
    params, problem = _parameters(rest[:at].lstrip(":"))
    return Property(name, params, rest[at + 1:], line.number, problem)


def _decode(text: bytes) -> str:
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        return text.decode("cp1252", errors="replace")


def _separator(name: str, rest: str) -> int | None:
    """Where in a line the colon before the value is, counted from behind the name."""
    if name in TIMES:
        found = _TIME_AT_END.search(rest)
        return found.start() if found else rest.rfind(":") if ":" in rest else None
    if name in ADDRESSES and (last := _ADDRESS_AT_END.match(rest)):
        return last.end() - 1
    if rest.startswith(":"):
        return 0
    strict = _STRICT.match(rest)
    if strict and not _MORE_PARAMETERS.match(rest, strict.end()):
        return strict.end() - 1
    outside = [found.end() - 1 for found in re.finditer(r'(?:"[^"]*"|[^":])*?(:)', rest)]
    chosen = [at for at in outside if not _MORE_PARAMETERS.match(rest, at + 1)]
    return (chosen or outside or [rest.rfind(":")])[0] if ":" in rest else None


def _parameters(text: str) -> tuple[dict[str, str], str]:
    """The parameters of a line, and what is wrong with them."""
    pieces: list[str] = []
    problem = ""
    for piece in _PIECE.findall(text if text[:1] in ("", ";") else f";{text}"):
        if _PARAMETER.match(piece):
            pieces.append(piece)
        elif pieces and not _NO_VALUE.match(piece):
            pieces[-1] += f";{piece}"
        else:
            problem = f"a parameter without a value ({piece.strip() or 'an empty one'})"
    params: dict[str, str] = {}
    for piece in pieces:
        found = _PARAMETER.match(piece)
        if found:
            params.setdefault(found[1].upper(), _unquoted(found[2]))
    return params, problem


def _unquoted(text: str) -> str:
    if len(text) > 1 and text.startswith('"') and text.endswith('"') and '","' not in text:
        text = text[1:-1]
    return str(rfc_6868_unescape(re.sub(r"\\([,;\\\"])", r"\1", text)))


def unescape(text: str) -> str:
    """The text of a value, in which commas, semicolons and line ends are escaped."""
    return _ESCAPED.sub(lambda found: "\n" if found[1] in "nN" else found[1], text)


def email_of(address: str) -> str:
    """The address in a value such as ``mailto:ada@example.org``; empty where there is none."""
    text = unquote(address)
    found = EMAIL.search(parseaddr(text)[1] if "<" in text else text) or EMAIL.search(text)
    return found[0] if found else ""
