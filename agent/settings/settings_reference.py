"""The settings told to people: as the reference ``SETTINGS.md``, and as they are in force here."""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import sys
import textwrap
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from frontdesk.agent.settings.load_settings import choices_of, load_settings, range_of
from frontdesk.agent.settings.settings import SHOWN, Settings

_TABLE = re.compile(r"\[(\w+)\]")
_KEY = re.compile(r"(\w+) = ")
_TYPES = {bool: "true or false", int: "a whole number", float: "a number", str: "a text",
          tuple: "a list of texts"}
_SECRET_NAME = re.compile(r"(^|[._])(secret|password|passphrase|token)$")
#: The password in an address, and in its query.
_SECRETS = (re.compile(r"(://[^:@/\s]*:).*(?=@)"),
            re.compile(r"(?i)([?&](?:\w*password|passwd|pwd|\w*token|\w*secret|\w*key)=)[^&\s]*"))
_HEAD = """\
# Settings

<!-- Written by `frontdesk settings --markdown` from default.toml and settings.py beside it. -->

A file with settings is given with `--config FILE.toml`: TOML, with only what is to be otherwise
than in [default.toml](default.toml). An environment variable of the name that stands beside a
setting comes before the file; a list is written in it with the colons of `PATH`. `--profile`,
`--database` and `--keys` come before both. `frontdesk settings --config FILE.toml` says whether a
file is right, and which settings are in force.
"""


@dataclass(frozen=True)
class Entry:
    """Settings that are explained together.

    Args:
        table: The table that they stand in, ``check``; empty for ``profile``.
        keys: ``check.alpha`` for ``alpha`` of the table ``[check]``; none where the table as a
            whole is explained.
        words: What they mean; empty where nobody says it.
    """

    table: str
    keys: tuple[str, ...]
    words: str


def entries(text: str | None = None) -> list[Entry]:
    """What a settings file explains: each comment, with the settings up to the next one.

    Args:
        text: Of the file; that of ``default.toml`` by default.
    """
    if text is None:
        text = (files(__package__) / "default.toml").read_text(encoding="utf-8")
    table, comment, found = "", "", []
    explained = Entry("", (), "")
    for line in [*text.splitlines(), ""]:
        if line.startswith("#"):
            comment = f"{comment} {line[1:].strip()}".strip()
        elif key := _KEY.match(line):
            if comment or explained.table != table:
                explained = Entry(table, (), comment)
                found.append(explained)
            name = f"{table}.{key[1]}" if table else key[1]
            explained = found[-1] = replace(explained, keys=(*explained.keys, name))
            comment = ""
        elif header := _TABLE.fullmatch(line):
            table, explained = header[1], Entry("", (), "")
        else:
            if comment and table:
                found.append(Entry(table, (), comment))
            comment = ""
    return found


def reference() -> str:
    """All settings in Markdown, as ``SETTINGS.md`` has them."""
    lines, table = [_HEAD.rstrip()], ""
    for entry in entries():
        if entry.table != table:
            table = entry.table
            lines += ["", f"## [{table}]"]
        if entry.keys:
            lines.append("")
        lines += [f"- **`{key.rpartition('.')[2]}`** = `{_toml(_value(Settings(), key))}`: "
                  f"{_may_be(key)}; `{variable_of(key)}`" for key in entry.keys]
        lines += ["", *textwrap.wrap(entry.words, 100, break_long_words=False,
                                     break_on_hyphens=False)]
    return "\n".join(lines) + "\n"


def run_settings(options: argparse.Namespace) -> int:
    """``frontdesk settings``: write the reference, or what is in force.

    Raises:
        FormatError, InputError: Something is wrong in the settings file or the environment.
    """
    sys.stdout.write(reference() if options.markdown else
                     in_force(options.config, options.profile))
    return 0


def keys_of_settings() -> Iterator[str]:
    """All settings, in the order of the code: ``profile``, ``knowledge.condition`` …"""
    for section in fields(Settings):
        value = getattr(Settings(), section.name)
        if isinstance(value, str):
            yield section.name
        else:
            yield from (f"{section.name}.{each.name}" for each in fields(value))


def variable_of(key: str) -> str:
    """The environment variable that overrides a setting."""
    return f"FRONTDESK_{key.replace('.', '_').upper()}"


def sources(path: Path | None, profile: str | None = None, *,
            environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """Where each setting comes from that is not the packaged default.

    Args:
        environment: ``os.environ`` by default.
    """
    environment = os.environ if environment is None else environment
    data = tomllib.loads(path.read_text(encoding="utf-8")) if path is not None else {}
    found: dict[str, str] = {}
    for key in keys_of_settings():
        section, _, name = key.rpartition(".")
        if name in (data.get(section, {}) if section else data):
            found[key] = str(path)
        if environment.get(variable_of(key)):
            found[key] = variable_of(key)
    if profile is not None:
        found["profile"] = "--profile"
    return found


def in_force(path: Path | None = None, profile: str | None = None, *,
             environment: Mapping[str, str] | None = None) -> str:
    """The settings in force as a settings file, each with where it comes from; no secrets.

    Args:
        environment: ``os.environ`` by default.

    Raises:
        FormatError, InputError: See :func:`~frontdesk.agent.settings.load_settings.load_settings`.
    """
    settings = load_settings(path, profile=profile, environment=environment)
    origins = sources(path, profile, environment=environment)
    lines, table = [], ""
    for key in keys_of_settings():
        section, _, name = key.rpartition(".")
        if section != table:
            table = section
            lines += ["", f"[{section}]"]
        value = _toml(redacted(key, _value(settings, key)))
        lines.append(f"{f'{name} = {value}':<48} # {origins.get(key, 'default')}")
    return "\n".join(lines) + "\n"


def redacted(key: str, value: Any) -> Any:
    """A setting's value with ``***`` for what is secret in it."""
    if isinstance(value, str) and value and _SECRET_NAME.search(key):
        return "***"
    return without_secrets(value) if isinstance(value, str) else value


def without_secrets(text: str) -> str:
    """A text with ``***`` for the passwords of the addresses in it."""
    for pattern in _SECRETS:
        text = pattern.sub(r"\1***", text)
    return text


def _value(settings: Settings, key: str) -> Any:
    section, _, name = key.rpartition(".")
    return getattr(getattr(settings, section) if section else settings, name)


def _toml(value: Any) -> str:
    """A value as TOML writes it."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return repr(value) if isinstance(value, float) else json.dumps(value, ensure_ascii=False)


def _may_be(key: str) -> str:
    """What a setting may be, in words."""
    kind = type(_value(Settings(), key))
    if choices := SHOWN if key in ("access.visitors", "access.employees") else choices_of(key):
        words = ", ".join(f'"{each}"' for each in choices)
        return f"some of {words}" if kind is tuple else f"one of {words}"
    if (range_ := range_of(key)) is None:
        return _TYPES[kind]
    return f"{_TYPES[kind]} from {' to '.join(map(_number, range_))}"


def _number(value: float) -> str:
    return str(int(value)) if math.floor(value) == value else repr(value)
