"""Which data set a file holds; reading JSON files, plain or compressed with gzip."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from enum import StrEnum
from pathlib import Path
from typing import Any

from frontdesk.kg.graph.errors import FormatError
from frontdesk.kg.sources.knowledge_builder import decode_utf8, read_source

_GZIP = b"\x1f\x8b"
#: Types that only the ontology of KVRET has.
_ENTITY_TYPES = {"poi", "poi_type", "weather_attribute", "traffic_info", "agenda"}
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


def detect_format(path: str | Path) -> DataFormat:
    """The format of a file.

    Args:
        path: A JSON file, plain or compressed with gzip.

    Raises:
        FormatError: There is no such file, it cannot be read, or it has none of the formats.
    """
    path = Path(path)
    found = format_of(read_json(path))
    if found is None:
        known = ", ".join(DataFormat)
        raise FormatError("the file is in none of the known formats", place=str(path),
                          remedy=f"Name a file of one of these: {known}")
    return found


def format_of(content: Any) -> DataFormat | None:
    """The format of parsed JSON, judged by the keys of its entries; None when it has none.

    Examples:
        >>> format_of([{"dialogue": [], "scenario": {}}]).value
        'KVRET dialogues'
        >>> format_of({"a": 1}) is None
        True
    """
    if isinstance(content, dict):
        if content.keys() & _ENTITY_TYPES and all(isinstance(each, list)
                                                  for each in content.values()):
            return DataFormat.KVRET_ENTITIES
        entries, formats = list(content.values()), {DataFormat.GRAPHWOZ: {"log", "data"}}
    elif isinstance(content, list):
        entries, formats = content, {DataFormat.KVRET: {"dialogue", "scenario"},
                                     DataFormat.GRAPHWOZ_REDUCED: {"turns", "facts"}}
    else:
        return None
    for entry in entries:
        for found, keys in formats.items():
            if isinstance(entry, dict) and entry.keys() & keys:
                return DataFormat.CI_TOD if _is_labelled(entry) else found
    return None


def _is_labelled(entry: dict[str, Any]) -> bool:
    """Whether a dialogue in the format of KVRET has the labels of CI-ToD."""
    scenario = entry.get("scenario")
    return isinstance(scenario, dict) and {"qi", "hi", "kbi"} <= scenario.keys()


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


def read_json(path: Path) -> Any:
    """The content of a JSON file, plain or compressed with gzip.

    Raises:
        FormatError: There is no such file, it is cut short, or it is not JSON.
    """
    try:
        text = decode_utf8(read_plain(path), path)
        return _mended(json.loads(text)) if lone_surrogates(text) else json.loads(text)
    except json.JSONDecodeError as error:
        raise FormatError(f"this is not JSON: {error.msg}",
                          place=f"{path}, line {error.lineno}, column {error.colno}",
                          remedy="Download the file again") from error
    except RecursionError as error:
        raise FormatError("the JSON is nested too deeply", place=str(path),
                          remedy="Download the file again") from error


#: An escape of half a character beyond the 16-bit plane, perhaps with its other half.
_SURROGATES = re.compile(r"(?<!\\)(?:\\\\)*(?:\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F]"
                         r"[0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2}))")


def lone_surrogates(text: str) -> int:
    """How many escapes in a JSON text stand for half a character, which no encoding can write."""
    return sum(1 for match in _SURROGATES.finditer(text) if match[1])


def _mended(value: Any) -> Any:
    """A JSON value with replacement characters for halves of characters."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_mended(each) for each in value]
    if isinstance(value, dict):
        return {_mended(key): _mended(each) for key, each in value.items()}
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

    Args:
        what: What the value is, in a message.
        place: Where it stands.
        source: The format that demands it.

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
