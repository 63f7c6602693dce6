"""Reading rule files clause by clause, so that all mistakes of a file are found at once."""

from __future__ import annotations

import bisect
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from problog.errors import GroundingError, ParseError
from problog.logic import AnnotatedDisjunction, Clause, Or, Term, Var
from problog.parser import SPECIAL_END, SPECIAL_SHARP_OPEN, PrologParser, SubExpression
from problog.program import PrologFactory

#: Longer files are refused: nobody writes one by hand, and checking takes time.
LONGEST_FILE = 500_000
_DIRECTIVE = "_directive"
#: What the parser's messages mean for whoever wrote the file.
_NO_OPERAND = "a comma or operator is missing or has nothing beside it"
_MEANINGS = dict.fromkeys(("Expected binary operator", "Ambiguous token role"), _NO_OPERAND)
_NAME = re.compile(r"'?\w")


@dataclass(frozen=True)
class RuleProblem:
    """Something wrong in a rule file.

    Args:
        line, column: Where, both counted from 1.
        remedy: What to do about it; empty where the message says it.
        warning: The program means something all the same.
    """

    line: int
    column: int
    message: str
    remedy: str = ""
    warning: bool = False

    def __str__(self) -> str:
        remedy = f" {self.remedy}." if self.remedy else ""
        return f"line {self.line}, column {self.column}: {self.message}.{remedy}"


@dataclass(frozen=True)
class Statement:
    """A clause of a program.

    Args:
        heads: What it concludes; several in an annotated disjunction, none in a directive.
        body: What it rests on; None for a fact.
        start, end: Offsets of its first character in the text and of its full stop.
        variables: Offsets of each variable's occurrences, by its name.
    """

    heads: tuple[Term, ...]
    body: Any
    start: int
    end: int
    variables: dict[str, list[int]]


class RuleText:
    """A rule file with its statements.

    Args:
        place: What the file is called in messages.

    ``statements`` holds what could be read, ``problems`` what could not.
    """

    def __init__(self, text: str, place: str) -> None:
        self.text, self.place = text, place
        self._lines = [0, *(match.end() for match in re.finditer("\n", text))]
        self.problems: list[RuleProblem] = []
        self.statements: list[Statement] = []
        if len(text) > LONGEST_FILE:
            self.problems.append(RuleProblem(1, 1, f"the file has {len(text)} characters",
                                             f"Keep to {LONGEST_FILE}"))
        else:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # the parser warns of builtins that are refused
                self._read()

    def problem(self, offset: int, message: str, remedy: str = "", *,
                warning: bool = False) -> RuleProblem:
        """A problem at an offset into the text."""
        line = bisect.bisect_right(self._lines, offset)
        return RuleProblem(line, offset - self._lines[line - 1] + 1, message, remedy, warning)

    def _read(self) -> None:
        parser = PrologParser(PrologFactory())
        for tokens, end in self._token_lists(parser):
            start = int(tokens[0].location)
            if tokens[-1].is_special(SPECIAL_SHARP_OPEN):  # the parser looks for what comes after
                self.problems.append(self.problem(
                    tokens[-1].location, f"this cannot be read: {_NO_OPERAND}",
                    "Correct the syntax"))
                continue
            try:
                term = parser.collapse(self.text, tokens)
                statement = _statement(term, start, end, _variables(tokens))
            except ParseError as error:
                self._add(error)
            except GroundingError:
                self.problems.append(self.problem(
                    start, "a rule cannot conclude this", "Begin it with a predicate"))
            except RecursionError:
                self.problems.append(self.problem(start, "the clause is nested too deeply",
                                                  "Divide it into several"))
            else:
                if isinstance(statement, str):
                    self.problems.append(self.problem(start, statement, "Write HEAD :- BODY"))
                else:
                    self.statements.append(statement)

    def _token_lists(self, parser: PrologParser) -> Iterator[tuple[list[Any], int]]:
        """The tokens of each clause that has an end, and where that is."""
        tokens: list[Any] = []
        position = 0
        while position < len(self.text):
            try:
                token, position = parser.next_token(self.text, position)
            except ParseError as error:
                # Where a token ends that cannot be read is not known, nor what comes after it.
                self._add(error)
                return
            if token is None:
                continue
            if not token.is_special(SPECIAL_END):
                tokens.append(token)
            elif tokens:
                yield tokens, int(token.location)
                tokens = []
            else:
                self.problems.append(self.problem(token.location, "a full stop ends nothing",
                                                  "Leave it out"))
        if tokens:
            self.problems.append(self.problem(tokens[0].location, "the clause has no end",
                                              "Put a full stop after it"))

    def _add(self, error: ParseError) -> None:
        _, line, column = error.location
        what = _MEANINGS.get(error.base_message, error.base_message)
        self.problems.append(RuleProblem(line, column + 1, f"this cannot be read: {what}",
                                         "Correct the syntax"))


def signature(term: Term) -> str:
    """``name/arity`` of an atom."""
    return f"{str(term.functor).strip(chr(39))}/{term.arity}"


def offset_of(term: Any, default: int) -> int:
    """Where a term stands in the text; ``default`` where ProbLog did not keep it."""
    location = getattr(term, "location", None)
    if isinstance(location, tuple):
        location = location[-1]
    if isinstance(location, int):
        return location
    return next((offset_of(argument, default) for argument in arguments_of(term)
                 if offset_of(argument, -1) >= 0), default)


def arguments_of(term: Any) -> tuple[Any, ...]:
    """The arguments of a term; none for variables and constants."""
    return tuple(term.args) if isinstance(term, Term) and not isinstance(term, Var) else ()


def _statement(term: Any, start: int, end: int,
               variables: dict[str, list[int]]) -> Statement | str:
    """A read clause; what is wrong with it where it is none."""
    if isinstance(term, AnnotatedDisjunction):
        heads, body = tuple(term.heads), term.body
    elif isinstance(term, Clause):
        directive = term.head.functor == _DIRECTIVE
        heads, body = () if directive else (term.head,), term.body
    elif isinstance(term, Or):
        heads, body = tuple(term.to_list()), None
    else:
        heads, body = (term,), None
    if not all(type(head) is Term and _NAME.match(str(head.functor)) for head in heads):
        return "this is neither a rule nor a fact"
    return Statement(heads, body, start, end, variables)


def _variables(tokens: list[Any]) -> dict[str, list[int]]:
    """Where the variables of a clause stand; ProbLog's terms do not keep all positions."""
    found: dict[str, list[int]] = {}
    for token in tokens:
        if not isinstance(token, SubExpression) and (token.string[:1].isupper()
                                                     or token.string[:1] == "_"):
            found.setdefault(token.string, []).append(token.location)
    return found
