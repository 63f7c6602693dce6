"""Utterances drawn with their logical forms from a synchronous grammar, ``wordings/*.toml``.

A production says a form in many ways; both have the same holes. A hole outside quotation marks is
a nonterminal, ``{person}``; one within is a word, ``"{day}"``, which becomes a span. ``(a|b|)`` is
one of the alternatives. See ``wordings/README.md``.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files
from itertools import accumulate
from typing import Any

from frontdesk.data.invented.dialogues.dialogue_wording import draw
from frontdesk.kg.graph.errors import FormatError
from frontdesk.kg.graph.logical_forms import Argument, Form, Span, read_forms

_HOLE = re.compile(r"\{([\w.]+)(?::(\w+))?(\??)\}")
#: Noun phrases within one another, at most.
_DEEPEST = 3
_CASES = ("him", "his")
#: Stands before several acts that a production has.
_ACTS = "acts"


@dataclass
class Piece:
    """A stretch of an utterance.

    Args:
        span: The number of the span that it fills; None where it fills none.
    """

    text: str
    span: int | None = None


@dataclass(frozen=True)
class Drawn:
    """What is said, in pieces, and what it means; spans of the forms are numbers of pieces."""

    pieces: tuple[Piece, ...]
    forms: tuple[Form, ...]
    asked: str = ""


@dataclass(frozen=True)
class Production:
    """A form and its wordings.

    Args:
        form: With holes: ``(hole "person.1?")`` and spans such as ``{day}``.
        said: The wordings of each case; that of subjects is "".
        often: Its weight among those of the nonterminal, above 0.
        asked: What has just been asked for; empty where that is open.
        place: Where it stands, for error messages.
    """

    of: str
    form: Form
    said: Mapping[str, tuple[str, ...]]
    often: float = 1.0
    asked: str = ""
    place: str = ""

    @cached_property
    def nested(self) -> bool:
        """Whether it has nonterminals."""
        return any(part.head == "hole" for part in self.form.walk())

    @cached_property
    def optional(self) -> frozenset[str]:
        """Its holes that a wording may leave out."""
        return frozenset(hole.rstrip("?") for hole in _holes(self.form) if hole.endswith("?"))

    @cached_property
    def holes(self) -> frozenset[str]:
        """All its holes, without the marks."""
        return frozenset(hole.rstrip("?") for hole in _holes(self.form))


@dataclass
class Grammar:
    """The productions and the words.

    Args:
        productions: By nonterminal.
    """

    productions: Mapping[str, Sequence[Production]]
    words: Mapping[str, Sequence[str]]
    _weights: dict[tuple[str, str, bool], tuple[list[Production], list[float]]] = field(
        default_factory=dict)

    def draw(self, rng: random.Random, start: str, asked: str | None = None) -> Drawn:
        """Something to say.

        Args:
            asked: Only productions for this question; None for any.
        """
        return _Draw(self, rng).whole(start, asked)

    def word(self, rng: random.Random, name: str) -> str:
        """One of the words of a name."""
        pattern = draw_evenly(rng, self.words[name])
        return _HOLE.sub(lambda hole: self.word(rng, _kind(hole[1])), pattern)

    def chosen(self, rng: random.Random, of: str, asked: str | None, shallow: bool) -> Production:
        """One of the productions of a nonterminal."""
        key = (of, "*" if asked is None else asked, shallow)
        if key not in self._weights:
            found = [each for each in self.productions[of]
                     if (asked is None or each.asked == asked) and not (shallow and each.nested)]
            self._weights[key] = (found, list(accumulate(
                each.often * len(each.said[""]) ** 0.5 for each in found)))
        found, weights = self._weights[key]
        return rng.choices(found, cum_weights=weights)[0]


class _Draw:
    """One utterance on its way."""

    def __init__(self, grammar: Grammar, rng: random.Random) -> None:
        self.grammar, self.rng = grammar, rng
        self.spans = 0

    def whole(self, start: str, asked: str | None) -> Drawn:
        production = self.grammar.chosen(self.rng, start, asked, False)
        pieces, form = self._expand(production, "", 0)
        forms = form.arguments if form.head == _ACTS else (form,)
        return Drawn(tuple(pieces), tuple(each for each in forms if isinstance(each, Form)),
                     production.asked)

    def _expand(self, production: Production, case: str, depth: int) -> tuple[list[Piece], Form]:
        said = production.said.get(case)
        owned = said is None and case == "his"
        pattern = draw_evenly(self.rng, said or production.said[""])
        pieces: list[Piece] = []
        filled: dict[str, Form | Span] = {}
        end = 0
        for hole in _HOLE.finditer(pattern):
            pieces.append(Piece(pattern[end:hole.start()]))
            end = hole.end()
            name, hole_case = hole[1], hole[2] or ""
            if name in production.optional and self.rng.random() < _LEFT_OUT:
                continue
            if name in filled:
                raise FormatError(f"{pattern!r} has {name} twice", place=production.place,
                                  remedy="Number the holes, {person.1} and {person.2}")
            kind = _kind(name)
            if f"{{{name}}}" in {span.text for span in production.form.spans()}:
                self.spans += 1
                cased = f"{kind}_{hole_case}"
                word = self.grammar.word(
                    self.rng, cased if cased in self.grammar.words else kind)
                pieces.append(Piece(word, self.spans))
                filled[name] = Span(f"\0{self.spans}")
                continue
            inner = self.grammar.chosen(self.rng, kind, None, depth >= _DEEPEST - 1)
            more, form = self._expand(inner, hole_case, depth + 1)
            pieces += more
            filled[name] = form
        pieces.append(Piece(pattern[end:] + ("'s" if owned else "")))
        return pieces, _fill(production.form, filled)


#: How often an optional hole of a wording is left out.
_LEFT_OUT = 0.25


def draw_evenly(rng: random.Random, patterns: Sequence[str]) -> str:
    """A sentence of one of some patterns, each as likely."""
    return draw(rng, (rng.choice(patterns),))


def _kind(hole: str) -> str:
    return hole.split(".")[0]


def _holes(form: Form) -> list[str]:
    found = []
    for part in form.walk():
        if part.head == "hole" and isinstance(part.arguments[0], Span):
            found.append(part.arguments[0].text)
    found += [hole[1] for span in form.spans() for hole in _HOLE.finditer(span.text)]
    return found


def _fill(form: Form, filled: Mapping[str, Form | Span]) -> Form:
    arguments: list[Argument] = []
    for each in form.arguments:
        if isinstance(each, Form) and each.head == "hole" and isinstance(each.arguments[0], Span):
            name = each.arguments[0].text.rstrip("?")
            if name in filled:
                arguments.append(filled[name])
        elif isinstance(each, Form):
            arguments.append(_fill(each, filled))
        elif isinstance(each, Span) and (hole := _HOLE.fullmatch(each.text)):
            arguments.append(filled[hole[1]])
        else:
            arguments.append(each)
    return Form(form.head, tuple(arguments))


def join(pieces: Iterable[Piece], forms: Sequence[Form]) -> tuple[str, tuple[Form, ...]]:
    """The utterance of some pieces, and its forms with the words of their spans.

    Returns:
        The utterance, its spaces made regular, and the forms; spans say where they are.
    """
    text, spans = "", {}
    for piece in pieces:
        new = " ".join(piece.text.split())
        if not new:
            text += " " if piece.text and text and not text.endswith(" ") else ""
            continue
        if piece.text[0].isspace() and text and not text.endswith(" "):
            text += " "
        if new[0] in ",.?!;:" or new.startswith("'s"):
            text = text.rstrip()
        start = len(text)
        text += new
        if piece.span is not None:
            spans[piece.span] = Span(new, start, len(text))
        if piece.text[-1].isspace():
            text += " "
    return text.rstrip(), tuple(_placed(form, spans) for form in forms)


def _placed(form: Form, spans: Mapping[int, Span]) -> Form:
    return Form(form.head, tuple(
        _placed(each, spans) if isinstance(each, Form)
        else spans[int(each.text[1:])] if isinstance(each, Span) and each.text[:1] == "\0"
        else each for each in form.arguments))


def load_grammar(texts: Mapping[str, str] | None = None) -> Grammar:
    """Read the grammar.

    Args:
        texts: TOML by the name of the file; the packaged ones when None.

    Raises:
        FormatError: A production is wrong; says which and why.
    """
    if texts is None:
        folder = files(__package__).joinpath("wordings")
        texts = {each.name: each.read_text(encoding="utf-8") for each in sorted(
            folder.iterdir(), key=lambda each: each.name) if each.name.endswith(".toml")}
    productions: dict[str, list[Production]] = defaultdict(list)
    words: dict[str, tuple[str, ...]] = {}
    for name, text in texts.items():
        try:
            tables = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise FormatError(f"this is no TOML: {error}", place=name,
                              remedy="Mend the line") from error
        for word, patterns in tables.pop("words", {}).items():
            words[word] = tuple(patterns)
        for of, rows in tables.items():
            for number, row in enumerate(rows, start=1):
                place = f"{name}, [[{of}]] number {number}"
                production, more = _production(of, row, place, len(words))
                words.update(more)
                productions[of].append(production)
    grammar = Grammar(productions, words)
    _require_whole(grammar)
    return grammar


def _production(of: str, row: Mapping[str, Any], place: str, number: int
                ) -> tuple[Production, dict[str, tuple[str, ...]]]:
    """A production, and the words that it makes of spans with several holes."""
    text, words = str(row["form"]), dict[str, tuple[str, ...]]()
    said = {"": [*row["said"]], **{case: [*row[case]] for case in _CASES if case in row}}
    for index, inner in enumerate(re.findall(r'"([^"]*)"', text)):
        if _HOLE.search(inner) and not _HOLE.fullmatch(inner):
            word = f"of_{number}_{index}"
            words[word] = (re.sub(r"(\{\w+)\.\d+\}", r"\1}", inner),)
            text = text.replace(f'"{inner}"', f'"{{{word}}}"')
            said = {case: [each.replace(inner, f"{{{word}}}") for each in wordings]
                    for case, wordings in said.items()}
    quoted = re.compile(r'("[^"]*")|\{([\w.]+\??)\}')
    try:
        forms = read_forms(quoted.sub(
            lambda found: found[1] or f'(hole "{found[2]}")', text))
        form = forms[0] if len(forms) == 1 else Form(_ACTS, forms)
    except FormatError as error:
        raise FormatError(f"the form cannot be read: {error.message}", place=f"{place}: {text}",
                          remedy="Mend the form") from error
    production = Production(of, form, {case: tuple(each) for case, each in said.items()},
                            float(row.get("often", 1)), str(row.get("asked", "")), place)
    for wording in (each for wordings in said.values() for each in wordings):
        _require_holes(production, wording)
    return production, words


def _require_holes(production: Production, wording: str) -> None:
    """See that a wording has the holes of its form."""
    found = {hole[1] for hole in _HOLE.finditer(wording)}
    if fixed := [span.text for span in production.form.spans() if not _HOLE.search(span.text)
                 and not any(part.head == "hole" and span in part.arguments
                             for part in production.form.walk())]:
        raise FormatError(f"the form has the words {fixed[0]!r}", place=production.place,
                          remedy="Put a hole there, and the words in [words]")
    if found - production.holes:
        raise FormatError(f"{wording!r} has {', '.join(sorted(found - production.holes))}, which "
                          "the form has not", place=production.place, remedy="Add it to the form")
    if lacking := production.holes - production.optional - found:
        raise FormatError(f"{wording!r} lacks {', '.join(sorted(lacking))}", place=production.place,
                          remedy="Add it, or write {hole?} in the form")


def _require_whole(grammar: Grammar) -> None:
    """See that every hole can be filled."""
    for production in (each for some in grammar.productions.values() for each in some):
        spans = {hole[1] for span in production.form.spans()
                 for hole in _HOLE.finditer(span.text)}
        for hole in production.holes:
            known: Iterable[str] = grammar.words if hole in spans else grammar.productions
            if _kind(hole) not in known:
                raise FormatError(f"nothing fills {{{hole}}}", place=production.place,
                                  remedy="Define it as a word or with a production")
    for word, patterns in grammar.words.items():
        for hole in (each[1] for pattern in patterns for each in _HOLE.finditer(pattern)):
            if _kind(hole) not in grammar.words:
                raise FormatError(f"nothing fills {{{hole}}}", place=f"the word {word}",
                                  remedy="Define it in [words]")
