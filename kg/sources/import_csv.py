"""Reading people from a table.

The header names the columns, in any order and case: ``name`` and, where known, ``email``,
``phone``, ``group``, ``office`` and ``floor`` (of the office). Commas, semicolons or tabs separate
them; the text is UTF-8.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

from frontdesk.kg.graph.errors import FormatError
from frontdesk.kg.sources.knowledge_builder import OrganisationBuilder
from frontdesk.kg.sources.source_files import decode_utf8, read_source

COLUMNS = ("name", "email", "phone", "group", "office", "floor")
_DELIMITERS = (",", ";", "\t")
_SEPARATOR_LINE = re.compile(r"sep=(.)\s*", re.IGNORECASE)


def load_csv(path: str | Path, builder: OrganisationBuilder) -> OrganisationBuilder:
    """Add the people of a table, with their groups and offices.

    Nobody is added if any line is wrong. A column that is not known is left out with a warning.

    Args:
        path: The CSV file.

    Raises:
        FormatError: There is no such file, it is not UTF-8, it has no column ``name``, or a line
            has no name, too many columns or a floor that is not a whole number.
        OrganisationError: An office is on two floors.
    """
    path = Path(path)
    text = decode_utf8(read_source(path), path)
    rows = _rows(text, path)
    first = next(rows, None)
    if first is None:
        raise FormatError("the file is empty", place=str(path),
                          remedy=f"Start it with the header {','.join(COLUMNS)}")
    header = _header(first[1], path, first[0])
    people = [_person(row, header, f"{path}, line {line}") for line, row in rows]
    _check_floors(people)
    for column in header:
        if column not in COLUMNS:
            builder.warnings.append(f"{path}: the column {column!r} is not used. "
                                    f"Columns that are used: {', '.join(COLUMNS)}.")
    if not people:
        builder.warnings.append(f"{path}: there are no people below the header.")
    for place, values, floor in people:
        group = builder.group(values["group"]) if values["group"] else None
        office = None
        if values["office"]:
            office = builder.room(values["office"], bookable=False, floor=floor, place=place)
        builder.add_person(values["name"], email=values["email"], phone=values["phone"],
                           group=group, office=office, place=place)
    return builder


def _rows(text: str, path: Path) -> Iterator[tuple[int, list[str]]]:
    """``(line number, cells)`` of every line that is not blank."""
    lines = text.splitlines(keepends=True)
    skipped = 0
    separator = _SEPARATOR_LINE.fullmatch(lines[0]) if lines else None
    if separator:
        skipped = 1
    delimiter = separator[1] if separator else _delimiter(lines)
    reader = csv.reader(io.StringIO("".join(lines[skipped:]), newline=""), delimiter=delimiter,
                        strict=True, skipinitialspace=True)
    line = skipped + 1
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if any(cells):
                yield line, cells
            line = skipped + reader.line_num + 1
    except csv.Error as error:
        raise FormatError(f"this line is not CSV ({error})", place=f"{path}, line {line}",
                          remedy="Check its quotes") from error


def _delimiter(lines: list[str]) -> str:
    """The delimiter that makes the most known column names of the header."""
    header = next((line for line in lines if line.strip()), "").replace('"', "").casefold()

    def known(delimiter: str) -> int:
        return len({cell.strip() for cell in header.split(delimiter)} & set(COLUMNS))

    return max(_DELIMITERS, key=lambda each: (known(each), header.count(each)))


def _header(cells: list[str], path: Path, line: int) -> list[str]:
    place = f"{path}, line {line}"
    header = [cell.casefold() for cell in cells]
    if "name" not in header:
        raise FormatError(f"the header has no column 'name', only {', '.join(map(repr, cells))}",
                          place=place, remedy=f"Name the columns {', '.join(COLUMNS)}")
    for column in header:
        if column and header.count(column) > 1:
            raise FormatError(f"the column {column!r} occurs twice", place=place,
                              remedy="Keep one of them")
    return header


def _person(row: list[str], header: list[str],
            place: str) -> tuple[str, dict[str, str], int | None]:
    if len(row) > len(header):
        extra = [cell for cell in row[len(header):] if cell]
        if extra:
            raise FormatError(f"there are {len(row)} columns, the header has {len(header)}; "
                              f"{extra[0]!r} has none", place=place,
                              remedy="Quote values that contain the delimiter")
    values = dict.fromkeys(COLUMNS, "") | dict(zip(header, row, strict=False))
    if not values["name"]:
        raise FormatError("the name is empty", place=place,
                          remedy="Give the person a name, or remove the line")
    if not values["floor"]:
        return place, values, None
    if not values["office"]:
        raise FormatError(f"{values['name']!r} has the floor {values['floor']!r} and no office",
                          place=place, remedy="Add the office, or remove the floor")
    try:
        return place, values, int(values["floor"])
    except ValueError as error:
        raise FormatError(f"the floor {values['floor']!r} is not a whole number", place=place,
                          remedy="Write 0 for the ground floor, 1 for the one above") from error


def _check_floors(people: list[tuple[str, dict[str, str], int | None]]) -> None:
    floors: dict[str, tuple[int, str]] = {}
    for place, values, floor in people:
        if floor is None:
            continue
        office = values["office"].casefold()
        before, where = floors.setdefault(office, (floor, place))
        if before != floor:
            raise FormatError(f"the office {values['office']!r} is on floor {floor} here and on "
                              f"floor {before} in {where.rpartition(', ')[2]}", place=place,
                              remedy="Give it the same floor in both lines")
