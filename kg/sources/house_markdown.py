"""The headings and blocks of a Markdown document, with their lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from frontdesk.kg.graph.errors import FormatError

#: Marks at the end of a heading, as Pandoc writes them: ``{.employees .alarm}``.
_MARKS = re.compile(r"(?:\s*\{[^{}]*\})+\s*$")
_BRACES = re.compile(r"[{}]")
#: What stands before the list that it introduces.
_INTRODUCES = ":"
_OPENS = {"paragraph_open": "paragraph_close", "bullet_list_open": "bullet_list_close",
          "ordered_list_open": "ordered_list_close", "table_open": "table_close",
          "heading_open": "heading_close"}
_LISTS = ("bullet_list_open", "ordered_list_open")


@dataclass(frozen=True)
class Heading:
    """A heading.

    Args:
        level: From 1, the outermost, to 6.
        marks: In braces at its end, without their dots.
        line: From 1.
    """

    level: int
    text: str
    marks: tuple[str, ...]
    line: int


@dataclass(frozen=True)
class Block:
    """A paragraph, a list with what introduces it, a table or a literal text.

    Args:
        texts: Its sentences, items or rows, without marks of Markdown.
        line: Where it begins, from 1.
    """

    texts: tuple[str, ...]
    line: int


def read_markdown(text: str, path: Path) -> Iterator[Heading | Block]:
    """The headings and blocks of a document, in order; comments are left out.

    Args:
        path: Where it is from, for errors.

    Raises:
        FormatError: A heading stands in a list, or a brace where no marks can stand: who may be
            told what is below them would not be known.
    """
    introduction: Block | None = None
    for part, is_list in _parts(MarkdownIt("commonmark").enable("table").parse(text), path):
        if introduction is not None and is_list and isinstance(part, Block):
            part = Block((*introduction.texts, *part.texts), introduction.line)
        elif introduction is not None:
            yield introduction
        introduction = None
        if isinstance(part, Block) and not is_list and part.texts[-1].endswith(_INTRODUCES):
            introduction = part
        else:
            yield part
    if introduction is not None:
        yield introduction


def _parts(tokens: Sequence[Token], path: Path) -> Iterator[tuple[Heading | Block, bool]]:
    """The parts, each with whether it is a list."""
    place = 0
    while place < len(tokens):
        token = tokens[place]
        line = token.map[0] + 1 if token.map else 1
        if token.type in ("fence", "code_block"):
            texts = [" ".join(token.content.split())]
        elif token.type in _OPENS:
            end = next(each for each in range(place + 1, len(tokens))
                       if tokens[each].type == _OPENS[token.type]
                       and tokens[each].level == token.level)
            inner, place = tokens[place + 1:end], end
            if token.type == "heading_open":
                heading = _heading(int(token.tag[1:]), _words(inner[0]), line)
                _check_braces([heading.text], f"{path}, line {line}")
                yield heading, False
                texts = []
            else:
                _check_no_heading(inner, path)
                texts = _texts(inner, of=token.type)
                _check_braces(texts, f"{path}, line {line}")
        else:
            texts = []
        place += 1
        if texts := [each for each in texts if each]:
            yield Block(tuple(texts), line), token.type in _LISTS


def _heading(level: int, text: str, line: int) -> Heading:
    found = _MARKS.search(text)
    if found is None:
        return Heading(level, text, (), line)
    return Heading(level, text[:found.start()], tuple(
        each.removeprefix(".") for each in _BRACES.sub(" ", found[0]).split()), line)


def _check_braces(texts: Sequence[str], place: str) -> None:
    for each in texts:
        if _BRACES.search(each):
            raise FormatError(f"there are braces in {each!r}", place=place,
                              remedy="Write marks at the very end of a heading, and other braces "
                                     "in literal text, between lines of ```")


def _check_no_heading(tokens: Sequence[Token], path: Path) -> None:
    for token in tokens:
        if token.type == "heading_open":
            line = token.map[0] + 1 if token.map else 1
            raise FormatError("this heading stands in a list", place=f"{path}, line {line}",
                              remedy="Begin its line with #, and put the list below it")


def _texts(tokens: Sequence[Token], of: str) -> list[str]:
    """The texts of a block: items and rows end as sentences do."""
    if of == "table_open":
        rows: list[list[str]] = []
        for token in tokens:
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "inline":
                rows[-1].append(_words(token))
        _, *rest = rows or [[]]  # the first has the names of the columns
        return [_ended(": ".join(filter(None, row))) for row in rest]
    texts = [_words(token) for token in tokens if token.type == "inline"]
    return texts if of == "paragraph_open" else [_ended(each) for each in texts if each]


def _ended(text: str) -> str:
    return text if text.endswith((".", "!", "?", _INTRODUCES)) else f"{text}."


def _words(inline: Token) -> str:
    """What an inline token says."""
    said = [" " if each.type in ("softbreak", "hardbreak") else
            each.content if each.type in ("text", "code_inline") else ""
            for each in inline.children or ()]
    return " ".join("".join(said).split())
