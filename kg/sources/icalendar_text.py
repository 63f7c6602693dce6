"""The text of iCalendar files (RFC 5545): decoding it, and parsing it calendar by calendar."""

from __future__ import annotations

import codecs
import re
import warnings

import icalendar
from icalendar.timezone import tzp

from frontdesk.kg.graph.errors import FormatError

_FOLD = re.compile(rb"\r?\n[ \t]")
_CALENDAR = re.compile(r"^BEGIN:VCALENDAR[ \t]*$.*?^END:VCALENDAR[ \t]*$",
                       re.MULTILINE | re.DOTALL | re.IGNORECASE)
_BEGIN = re.compile(r"^BEGIN:VCALENDAR[ \t]*$", re.MULTILINE | re.IGNORECASE)
#: What the library raises for text that is not iCalendar.
READING = (ValueError, TypeError, KeyError, AttributeError, IndexError, OverflowError)


def decode(data: bytes) -> tuple[str, bool, int]:
    """Text with unfolded lines, whether it was UTF-8, and how many lines have no value."""
    # Some programs fold in the middle of a character, so lines are joined before decoding.
    lines, utf8, dropped = [], True, 0
    for line in _FOLD.sub(b"", data).removeprefix(codecs.BOM_UTF8).splitlines():
        if b":" not in line:
            dropped += bool(line.strip())
            continue
        try:
            lines.append(line.decode("utf-8"))
        except UnicodeDecodeError:
            lines.append(line.decode("cp1252", errors="replace"))
            utf8 = False
    return "\n".join(lines), utf8, dropped


def parse(text: str, place: str) -> list[icalendar.Calendar]:
    """The calendars of a text that :func:`decode` gave.

    Args:
        text: With unfolded lines.
        place: Named by errors.

    Raises:
        FormatError: It is not iCalendar.
    """
    blocks = _CALENDAR.findall(text)
    if not _BEGIN.search(text):
        raise FormatError("this is not an iCalendar file, it has no BEGIN:VCALENDAR",
                          place=place, remedy="Export the calendar as .ics")
    if len(blocks) != len(_BEGIN.findall(text)):
        raise FormatError("the file has a calendar without END:VCALENDAR", place=place,
                          remedy="It may be cut off; export or download it again")
    calendars = []
    for number, block in enumerate(blocks, start=1):
        # icalendar remembers time zone definitions by name, even those of other calendars.
        tzp.use_zoneinfo()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)
                calendar = icalendar.Calendar.from_ical(block)
        except READING as error:
            raise FormatError(f"this is not iCalendar: {error}",
                              place=f"{place}, calendar {number}",
                              remedy="Export the calendar again as .ics") from error
        if not isinstance(calendar, icalendar.Calendar):
            raise FormatError("this is not iCalendar: something else than a calendar",
                              place=f"{place}, calendar {number}",
                              remedy="Export the calendar again as .ics")
        calendars.append(calendar)
    return calendars
