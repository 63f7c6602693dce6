"""House documents: what a house says of itself in its own words, in passages.

A document is Markdown, a table of passages in TOML, or plain text. A heading, with those above it,
says what the passages below it are about, and who may be told them. Rules of the house's own may
lie beside the documents; they are named here and read elsewhere.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from frontdesk.kg.graph.errors import FormatError
from frontdesk.kg.sources.house_markdown import Block, Heading, read_markdown
from frontdesk.kg.sources.source_files import decode_utf8, read_source

#: Who may be told a passage.
VISITORS, EMPLOYEES = AUDIENCES = ("visitors", "employees")
#: The heading of what is said when something dangerous happens, whatever it is.
EMERGENCY = "emergency"
#: Names that a heading can have in braces: who may be told what is below it, and what is said at
#: once in an emergency.
ALARM = "alarm"
_MARKS = (*AUDIENCES, ALARM)
_RULES = ".pl"
_SUFFIXES = (".md", ".txt", ".toml")
_KEYS = ("heading", "text", "for", ALARM)
_ENTRY = re.compile(r"^\s*\[\[\s*passage\s*\]\]", re.MULTILINE)
_PARAGRAPH = re.compile(r"(?:[^\n]*\S[^\n]*\n?)+")
#: Between two sentences: the second begins with a capital, or in quotation marks or brackets.
_BETWEEN = re.compile(r"(?<=[.!?])\s+(?=[^\W\d_a-z]|[\"“(\[])")


@dataclass(frozen=True)
class Passage:
    """What a house says in one place.

    Args:
        file: Its name, with those of the folders between it and the one that was given.
        line: Where it begins, from 1.
        headings: Above it, the outermost first; at least one.
        sentences: In its own words, at least one.
        audience: ``visitors``, that is everybody, or ``employees`` alone.
        alarm: The kind of emergency in which it is said, as its heading has it, empty where it is
            said in all; None where it has to do with none.
    """

    file: str
    line: int
    headings: tuple[str, ...]
    sentences: tuple[str, ...]
    audience: str = VISITORS
    alarm: str | None = None

    @property
    def topic(self) -> str:
        """What it is about, by its headings."""
        return ", ".join(self.headings)

    @property
    def source(self) -> str:
        """Where it stands, for people."""
        return f"{self.file}, line {self.line}: {self.topic}"


@dataclass(frozen=True)
class HouseDocuments:
    """All that a house says of itself.

    Args:
        rules: Files with house rules.
    """

    passages: tuple[Passage, ...] = ()
    rules: tuple[str, ...] = ()

    def with_others(self, others: HouseDocuments) -> HouseDocuments:
        """These and others, each once."""
        return HouseDocuments(tuple(dict.fromkeys((*self.passages, *others.passages))),
                              tuple(dict.fromkeys((*self.rules, *others.rules))))


def read_house(paths: Sequence[str | Path]) -> HouseDocuments:
    """Read house documents.

    Args:
        paths: Files, or folders of which all such files are read, those below them too.

    Raises:
        FormatError: There is no such file, it cannot be read, it has nothing to tell, or something
            is wrong in it.
    """
    found = [(each, str(each.relative_to(path if path.is_dir() else path.parent)))
             for path in dict.fromkeys(map(Path, paths)) for each in _files(path)]
    return HouseDocuments(
        tuple(replace(passage, file=name) for path, name in found
              if path.suffix.lower() != _RULES for passage in _document(path)),
        tuple(str(path) for path, _ in found if path.suffix.lower() == _RULES))


def _files(path: Path) -> list[Path]:
    known = (*_SUFFIXES, _RULES)
    remedy = f"Give it files that end in {', '.join(known)}"
    if not path.is_dir():
        if path.suffix.lower() not in known:
            raise FormatError("it is not known how to read this file", place=str(path),
                              remedy=remedy)
        return [path]
    found = [each for each in sorted(path.rglob("*")) if each.suffix.lower() in known
             and not any(part.startswith(".") for part in each.relative_to(path).parts)]
    if not found:
        raise FormatError("there are no house documents in this folder", place=str(path),
                          remedy=remedy)
    return found


def _document(path: Path) -> list[Passage]:
    text = decode_utf8(read_source(path), path)
    read = {".md": _of_markdown, ".toml": _of_toml, ".txt": _of_text}[path.suffix.lower()]
    passages = list(read(text, path))
    if not passages:
        raise FormatError("there is nothing to tell in this file", place=str(path),
                          remedy="Write what the house says into it, or remove it")
    return passages


def _title(path: Path) -> str:
    return path.stem.replace("-", " ").replace("_", " ")


def _sentences(text: str) -> tuple[str, ...]:
    return tuple(each for part in _BETWEEN.split(" ".join(text.split())) if (each := part.strip()))


# --- plain text: paragraphs under the name of the file


def _of_text(text: str, path: Path) -> Iterator[Passage]:
    for paragraph in _PARAGRAPH.finditer(text):
        line = text.count("\n", 0, paragraph.start()) + 1
        yield Passage(str(path), line, (_title(path),), _sentences(paragraph[0]))


# --- Markdown: paragraphs and lists under headings


def _of_markdown(text: str, path: Path) -> Iterator[Passage]:
    above: list[Heading] = []
    lines: dict[tuple[str, ...], int] = {}
    told = True
    for part in (*read_markdown(text, path), None):
        if isinstance(part, Block):
            told = True
            yield _passage(part, above, path)
            continue
        deeper = part is not None and bool(above) and part.level > above[-1].level
        if above and not told and not deeper:
            raise FormatError(f"there is nothing below the heading {above[-1].text!r}",
                              place=f"{path}, line {above[-1].line}",
                              remedy="Write something below it, or remove it")
        if part is None:
            return
        while above and above[-1].level >= part.level:
            above.pop()
        above.append(part)
        told = False
        _check_heading(part, lines.get(key := _key(above)), path)
        lines[key] = part.line


def _key(headings: Sequence[Heading]) -> tuple[str, ...]:
    return tuple(each.text.casefold() for each in headings)


def _check_heading(heading: Heading, before: int | None, path: Path) -> None:
    place = f"{path}, line {heading.line}"
    if not heading.text:
        raise FormatError("this heading has no words", place=place,
                          remedy="Say what is below it, or remove it")
    for mark in heading.marks:
        if mark not in _MARKS:
            raise FormatError(f"the heading {heading.text!r} has the unknown mark {mark!r}",
                              place=place,
                              remedy=f"Write {{.{EMPLOYEES}}}, {{.{VISITORS}}} or {{.{ALARM}}}")
    if before is not None:
        raise FormatError(f"the heading {heading.text!r} stands in line {before} too", place=place,
                          remedy="Put both texts below one of them, or give one another heading")


def _passage(block: Block, above: Sequence[Heading], path: Path) -> Passage:
    audience, alarm = VISITORS, None
    for heading in above:
        audience = next((each for each in heading.marks if each in AUDIENCES), audience)
        if heading.text.casefold() == EMERGENCY:
            alarm = ""
        elif alarm is not None or ALARM in heading.marks:
            alarm = heading.text
    return Passage(str(path), block.line, tuple(each.text for each in above) or (_title(path),),
                   tuple(each for text in block.texts for each in _sentences(text)),
                   audience, alarm)


# --- TOML: a table for each passage


def _of_toml(text: str, path: Path) -> Iterator[Passage]:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise FormatError(f"not a TOML file ({error})", place=str(path),
                          remedy="Correct it there") from error
    entries = data.pop("passage", [])
    if data or not isinstance(entries, list) or not all(
            isinstance(each, Mapping) for each in entries):
        raise FormatError("there is something else than passages in it", place=str(path),
                          remedy='Write [[passage]], and below it heading = "…" and text = "…"')
    lines: dict[str, int] = {}
    # Passages that are written in line have no line of their own.
    starts = [text.count("\n", 0, each.end()) + 1 for each in _ENTRY.finditer(text)]
    for number, entry in enumerate(entries):
        line = starts[number] if len(starts) == len(entries) else 1
        yield _of_entry(entry, path, line, lines)


def _of_entry(entry: Mapping[str, Any], path: Path, line: int, lines: dict[str, int]) -> Passage:
    place = f"{path}, line {line}"
    for key, value in entry.items():
        if key not in _KEYS or not isinstance(value, str):
            raise FormatError(f"the passage has {key} = {value!r}", place=place,
                              remedy=f"Give it texts for {', '.join(_KEYS)}")
    heading, said = (str(entry.get(key, "")).strip() for key in ("heading", "text"))
    for key, value in (("heading", heading), ("text", said)):
        if not value:
            raise FormatError(f"the passage has no {key}", place=place,
                              remedy=f'Add {key} = "…", or remove the passage')
    audience = entry.get("for", VISITORS)
    if audience not in AUDIENCES:
        raise FormatError(f"the passage is for {audience!r}", place=place,
                          remedy=f"Choose one of {', '.join(AUDIENCES)}")
    if (before := lines.setdefault(heading.casefold(), line)) != line:
        raise FormatError(f"the heading {heading!r} stands in line {before} too", place=place,
                          remedy="Put both texts below one of them, or give one another heading")
    alarm = entry.get(ALARM, "" if heading.casefold() == EMERGENCY else None)
    return Passage(str(path), line, (heading,), _sentences(said), audience, alarm)
