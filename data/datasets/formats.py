"""Which data set a file holds; reading JSON files, plain or compressed with gzip."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections import Counter
from collections.abc import Collection, Iterator, Set
from enum import StrEnum
from itertools import count, islice
from pathlib import Path
from typing import Any

from frontdesk.kg.graph.errors import FormatError
from frontdesk.kg.sources.source_files import read_source

_GZIP = b"\x1f\x8b"
_LONGEST_NUMBER = 4000
#: Types that only the ontology of KVRET has.
_ENTITY_TYPES = {"poi", "poi_type", "weather_attribute", "traffic_info", "agenda"}
#: The line before a sentence of QAMR.
_SENTENCE_ID = re.compile(r"#\S+:\S+\s*$")
#: Types that stand for a value, an object or a list in JSON, as messages name them.
_JSON_TYPES = {dict: "an object", list: "a list", str: "text", bool: "true or false",
               int: "a number", float: "a number", type(None): "null"}


class DataFormat(StrEnum):
    """A format that the loaders read; its value describes it in messages."""

    GRAPHWOZ = "GraphWOZ dialogues"
    GRAPHWOZ_REDUCED = "reduced GraphWOZ turns"
    KVRET = "KVRET dialogues"
    KVRET_ENTITIES = "KVRET entities"
    CI_TOD = "CI-ToD replies"
    BEGIN = "BEGIN replies"
    Q2_WOW = "Q² replies"
    QAMR = "QAMR sentences"
    DIALOGUE_AUDIT = "audited replies"
    EXAMPLES = "examples to fine-tune on"


#: The columns of formats that are tables.
TABLES = {DataFormat.BEGIN: ("message", "knowledge", "response", "begin_label"),
          DataFormat.Q2_WOW: ("message", "knowledge", "response")}
#: The keys of formats with an object of JSON a line.
_LINES = {DataFormat.DIALOGUE_AUDIT: {"system", "knowledge", "response", "labels"},
          DataFormat.EXAMPLES: {"history", "facts", "reference"}}
#: Of such lines so many are looked at; some may be odd.
_FIRST_LINES = 20


class ObjectWithRepeats(dict[str, Any]):
    """A JSON object in which keys were repeated; each value stands under a key of its own.

    Attributes:
        repeated: New key → the key in the file.
    """

    repeated: dict[str, str]


def detect_format(path: str | Path) -> DataFormat:
    """The format of a file.

    Args:
        path: A file of JSON, of lines of it, of sentences or a table, plain or compressed with
            gzip.

    Raises:
        FormatError: There is no such file, it cannot be read, or it has none of the formats.
    """
    path = Path(path)
    text = decoded(read_plain(path))
    header = set(re.split(r"[\t,]", text.partition("\n")[0].strip()))
    found = next((kind for kind, columns in TABLES.items() if header.issuperset(columns)),
                 None) or _format_of_lines(text) or format_of(read_json(path))
    if found is None:
        known = ", ".join(DataFormat)
        raise FormatError("the file is in none of the known formats", place=str(path),
                          remedy=f"Name a file of one of these: {known}")
    return found


def _format_of_lines(text: str) -> DataFormat | None:
    """The format of a text in lines, by what most of the first are; None where it has none."""
    lines = [*islice(filter(str.strip, text.split("\n")), _FIRST_LINES)]
    if any(map(_SENTENCE_ID.match, lines)):
        return DataFormat.QAMR
    votes = Counter(found for line in lines for found, keys in _LINES.items()
                    if keys <= _keys(line))
    return votes.most_common(1)[0][0] if votes else None


def _keys(line: str) -> Set[str]:
    """The keys of a line that is an object of JSON; none of others."""
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return set()
    return entry.keys() if isinstance(entry, dict) else set()


def format_of(content: Any) -> DataFormat | None:
    """The format of parsed JSON, judged by the keys of its entries; None when it has none.

    Examples:
        >>> format_of([{"dialogue": [], "scenario": {}}]).value
        'KVRET dialogues'
        >>> format_of({"a": 1}) is None
        True
    """
    if isinstance(content, dict):
        if content.keys() & _ENTITY_TYPES and any(isinstance(each, list)
                                                  for each in content.values()):
            return DataFormat.KVRET_ENTITIES
        entries = list(content.values())
        formats = {DataFormat.GRAPHWOZ: {"log", "data"}}
    elif isinstance(content, list):
        entries = content
        formats = {DataFormat.CI_TOD: {"qi", "hi", "kbi"},
                   DataFormat.KVRET: {"dialogue", "scenario"},
                   DataFormat.GRAPHWOZ_REDUCED: {"turns", "facts"}}
    else:
        return None
    # An entry may be odd: what most of them are decides.
    votes = Counter(found for entry in entries if isinstance(entry, dict)
                    if (found := _format_of_entry(entry, formats)) is not None)
    return votes.most_common(1)[0][0] if votes else None


def _format_of_entry(entry: dict[str, Any],
                     formats: dict[DataFormat, set[str]]) -> DataFormat | None:
    scenario = entry.get("scenario")
    labels = scenario.keys() if isinstance(scenario, dict) else set()
    return next((found for found, keys in formats.items() if (entry.keys() | labels) & keys), None)


def read_plain(path: Path) -> bytes:
    """The bytes of a file, decompressed if it is compressed with gzip.

    Raises:
        FormatError: There is no such file, or it is cut short.
    """
    data = read_source(path)
    if data.startswith(_GZIP):
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError, zlib.error) as error:
            raise FormatError(f"the file cannot be decompressed ({error})", place=str(path),
                              remedy="Download it again") from error
    return data


def filled_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a file that are not blank, each with its number from 1.

    Line feeds alone part them: a text within JSON may hold the other signs that do so elsewhere.

    Args:
        path: Plain or compressed with gzip.

    Raises:
        FormatError: There is no such file, or it is cut short.
    """
    lines = decoded(read_plain(path)).split("\n")
    return ((number, line) for number, line in enumerate(lines, start=1) if line.strip())


def decoded(data: bytes) -> str:
    """A text in the encoding of Unicode that its first bytes tell; see :data:`REPLACEMENT`."""
    return data.decode(json.detect_encoding(data), "replace")


#: Stands for bytes and halves of characters that are no text.
REPLACEMENT = "\ufffd"


def read_json(path: Path) -> Any:
    """The content of a JSON file, plain or compressed with gzip.

    Repeated keys are kept (:class:`ObjectWithRepeats`), and bytes that are no text replaced.

    Raises:
        FormatError: There is no such file, it is cut short, or it is not JSON.
    """
    data = read_plain(path)
    text = decoded(data)
    try:
        content = json.loads(text, object_pairs_hook=_object, parse_int=_number)
        return _mended(content) if lone_surrogates(text) else content
    except json.JSONDecodeError as error:
        place = f"{path}, line {error.lineno}, column {error.colno}"
        what = f"this is not JSON: {error.msg}"
        utf_8 = json.detect_encoding(data).startswith("utf-8") and REPLACEMENT not in text
        raise FormatError(what if utf_8 else f"{what}; it is not UTF-8", place=place,
                          remedy="Download the file again") from error
    except RecursionError as error:
        raise FormatError("the JSON is nested too deeply", place=str(path),
                          remedy="Download the file again") from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if not all(key.isascii() for key, _ in pairs):  # two that are one without half characters
        pairs = [(_mended(key), value) for key, value in pairs]
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    kept, repeated = ObjectWithRepeats(), {}
    for key, value in pairs:
        own = unused(key, kept.keys() | found.keys() if key in kept else ())
        if own != key:
            repeated[own] = key
        kept[own] = value
    kept.repeated = repeated
    return kept


def unused(name: str, taken: Collection[str], mark: str = "-") -> str:
    """A name that is not taken: itself, or with ``-2`` and so on.

    >>> unused("a", {"a", "a-2"})
    'a-3'
    """
    numbers = (f"{name}{mark}{number}" for number in count(2))
    return name if name not in taken else next(each for each in numbers if each not in taken)


def _number(digits: str) -> int | float:
    # Python refuses integers of more digits.
    return int(digits) if len(digits) < _LONGEST_NUMBER else float(digits)


#: An escape of half a character beyond the 16-bit plane, perhaps with its other half.
_SURROGATES = re.compile(r"(?<!\\)(?:\\\\)*(?:\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F]"
                         r"[0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2}))")


def lone_surrogates(text: str) -> int:
    """How many escapes in a JSON text stand for half a character, which no encoding can write."""
    return sum(1 for match in _SURROGATES.finditer(text) if match[1])


def _mended(value: Any) -> Any:
    """A JSON value with replacement characters for halves of characters; keys have them already."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_mended(each) for each in value]
    if isinstance(value, dict):
        for key in value:
            value[key] = _mended(value[key])
    return value


def read_data(path: Path, wanted: DataFormat) -> Any:
    """The content of a JSON file that should have a format.

    Content whose format cannot be told is returned all the same, for the loader to say what is
    wrong with it.

    Raises:
        FormatError: The file cannot be read or has another of the known formats.
    """
    content = read_json(path)
    found = format_of(content)
    if found is not None and found != wanted:
        raise FormatError(f"the file holds {found}, not {wanted}", place=str(path),
                          remedy=f"Name a file of {wanted}, or read this one as {found}")
    return content


def expect(value: Any, kind: type, what: str, place: str, source: DataFormat) -> Any:
    """The value, which must be of a JSON type.

    Raises:
        FormatError: It is of another type.
    """
    if not isinstance(value, kind):
        raise FormatError(f"{what} is {json_type(value)}, not {_JSON_TYPES[kind]}", place=place,
                          remedy=f"Use an official file of {source}, or correct the entry")
    return value


def require(entry: Any, key: str, kind: type, place: str, source: DataFormat) -> Any:
    """The field of an object, which must be there and of a JSON type.

    Raises:
        FormatError: The entry is no object, or the field is missing or of another type.
    """
    if key not in expect(entry, dict, "the entry", place, source):
        raise FormatError(f"there is no {key!r}", place=place,
                          remedy=f"Use an official file of {source}, in which it is present")
    return expect(entry[key], kind, repr(key), place, source)


def json_type(value: Any) -> str:
    """A value's type as people say it: ``a list``, ``null``."""
    return _JSON_TYPES.get(type(value), type(value).__name__)
