"""Reads tables with a header, whatever is odd in single rows."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from frontdesk.data.datasets.defects import DefectKind, DefectLog
from frontdesk.data.datasets.formats import decoded, read_plain
from frontdesk.kg.graph.errors import FormatError


class Commas(csv.excel):
    """Cells apart by commas, perhaps in quotes."""

    strict = True


class Semicolons(Commas):
    """Cells apart by semicolons, perhaps in quotes."""

    delimiter = ";"


class Tabs(csv.excel_tab):
    """Cells apart by tabs; quotes are signs as any other."""

    quoting = csv.QUOTE_NONE


def read_rows(path: Path, columns: Collection[str], dialect: type[csv.Dialect], log: DefectLog
              ) -> Iterator[tuple[int, Mapping[str, str]]]:
    """The rows of a table, each with the number of its first line.

    After a row that cannot be read, as where a quote stays open, the next line is read anew.

    Args:
        path: Plain or compressed with gzip.
        columns: That there must be.
        log: Where rows that cannot be read are noted.

    Raises:
        FormatError: There is no such file, or columns are missing.
    """
    lines = io.StringIO(decoded(read_plain(path)), newline="").readlines()
    header = next(csv.reader(lines[:1], dialect), [])
    if missing := set(columns) - set(header):
        raise FormatError(f"the columns {', '.join(sorted(missing))} are missing",
                          place=str(path), remedy="Use the file as it was published")
    at = 1
    while at < len(lines):
        reader = csv.reader(map(lines.__getitem__, range(at, len(lines))), dialect)
        read, cells = 1, []
        with log.leaving_out(DefectKind.UNREADABLE_RECORD, f"line {at + 1}"):
            try:
                cells = next(reader)
            except csv.Error as error:
                raise FormatError(f"this is no row ({error})") from error
            if cells and len(cells) != len(header):
                raise FormatError(f"the row has {len(cells)} cells instead of {len(header)}")
            read = reader.line_num
        if len(cells) == len(header):
            yield at + 1, dict(zip(header, cells, strict=True))
        at += read
