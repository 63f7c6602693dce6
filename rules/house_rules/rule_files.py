"""Files with rules of a user's own.

They are checked by :mod:`frontdesk.rules.house_rules.rule_checks`. What they may build on are the
facts and rules of ``commonsense.pl`` and ``conflicts.pl``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import networkx as nx
from problog.logic import Constant, Term, Var

from frontdesk.kg.graph.errors import FormatError, InputError
from frontdesk.kg.graph.schema import ORGANISATION, Predicate, Schema
from frontdesk.rules.engine.packaged_rules import packaged_text
from frontdesk.rules.house_rules.fact_declarations import (
    examples,
    is_declaration,
    read_declaration,
)
from frontdesk.rules.house_rules.rule_checks import check_rules
from frontdesk.rules.house_rules.rule_goals import ARITHMETIC, goals
from frontdesk.rules.house_rules.rule_parser import (
    RuleText,
    Statement,
    arguments_of,
    offset_of,
    signature,
)
from frontdesk.rules.house_rules.stored_facts import stored_signatures
from frontdesk.rules.organisation.organisation_reasoner import PROGRAMS

MOST_PROBLEMS_TOLD = 20
_NO_CONSTANTS = frozenset({"[]", "."})
_PLAIN_ATOM = re.compile(r"[a-z][A-Za-z0-9_]*")


@dataclass(frozen=True)
class UserRules:
    """Rules of a user's own, in order.

    Args:
        programs: Name and text of each file, its declarations left out.
        predicates: What they derive that can be said.
        sources: By the name of such a predicate, the file that defines it.
        rests_on: By the name of such a predicate, ``name/arity`` of the stored facts that it rests
            on.
        constants: By the text of each constant that stands in the rules, how it is written there.
            A text that is the id of an entity means that entity.
        warnings: What looks like a slip in them.
    """

    programs: tuple[tuple[str, str], ...] = ()
    predicates: tuple[Predicate, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict)
    rests_on: Mapping[str, frozenset[str]] = field(default_factory=dict)
    constants: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    @cached_property
    def schema(self) -> Schema:
        """The schema of an organisation with their predicates."""
        return ORGANISATION.extended(self.predicates) if self.predicates else ORGANISATION


    @property
    def examples(self) -> dict[str, tuple[str, ...]]:
        """By the name of each predicate that is not a no, how people ask for it and say it."""
        return {each.name: examples(each) for each in self.predicates if each.polarity >= 0}


def load_user_rules(paths: Sequence[str | Path]) -> UserRules:
    """Read and check files with rules of a user's own.

    Args:
        paths: The files; they may build on each other.

    Raises:
        InputError: A file cannot be read.
        FormatError: Something is wrong in them; it says all that is.
    """
    return _load(tuple((str(path), _read(Path(path))) for path in dict.fromkeys(paths)))


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot read the rule file {path} ({error.strerror})",
                         remedy="Check the path in [rules] of the settings") from error
    except UnicodeDecodeError as error:
        raise FormatError(f"not a text in UTF-8 ({error.reason} at byte {error.start})",
                          place=str(path), remedy="Save the file as UTF-8") from error


@lru_cache(maxsize=8)
def _packaged(name: str) -> RuleText:
    return RuleText(packaged_text(name), name)


@lru_cache(maxsize=8)
def _load(contents: tuple[tuple[str, str], ...]) -> UserRules:
    if not contents:
        return UserRules()
    texts = [RuleText(text, place) for place, text in contents]
    declarations = [(text, statement) for text in texts for statement in text.statements
                    if is_declaration(statement)]
    for text in texts:
        text.statements = [each for each in text.statements if not is_declaration(each)]
    given = [_packaged(name) for name in PROGRAMS]
    needs = check_rules(texts, given=given, stored=stored_signatures(*PROGRAMS))
    predicates: dict[str, Predicate] = {}
    sources: dict[str, str] = {}
    for text, statement in declarations:
        defined = {signature(head) for each in text.statements for head in each.heads}
        predicate = read_declaration(text, statement, defined=defined,
                                     taken={*ORGANISATION, *predicates}, needs=needs)
        if predicate is not None:
            predicates[predicate.name], sources[predicate.name] = predicate, text.place
    constants: dict[str, str] = {}
    programs = []
    for text in texts:
        _check_texts(text)
        programs.append((text.place, _program(text, declarations, constants)))
    _report(texts)
    return UserRules(
        tuple(programs), tuple(predicates.values()), sources,
        _rests_on(predicates.values(), [*given, *texts]), constants,
        tuple(f"{text.place}, {problem}" for text in texts for problem in text.problems))


def _report(texts: Sequence[RuleText]) -> None:
    """Raise what is wrong, all at once."""
    found = [(text.place, problem) for text in texts
             for problem in sorted(text.problems, key=lambda each: (each.line, each.column))
             if not problem.warning]
    if not found:
        return
    if len(found) == 1:
        (place, problem), = found
        raise FormatError(problem.message, remedy=problem.remedy,
                          place=f"{place}, line {problem.line}, column {problem.column}")
    lines = [f"{place}, {problem}" for place, problem in found[:MOST_PROBLEMS_TOLD]]
    if len(found) > MOST_PROBLEMS_TOLD:
        lines.append(f"and {len(found) - MOST_PROBLEMS_TOLD} more")
    raise FormatError("\n  ".join([f"the rules have {len(found)} mistakes:", *lines]))


def _check_texts(text: RuleText) -> None:
    """Texts in double quotes equal nothing that facts hold."""
    for statement in text.statements:
        for term in _subterms([*statement.heads, statement.body]):
            if isinstance(term, Constant) and isinstance(term.functor, str):
                text.problems.append(text.problem(
                    offset_of(term, statement.start), f"{term} equals nothing that facts hold",
                    "Write it in single quotes"))


def _program(text: RuleText, declarations: Iterable[tuple[RuleText, Statement]],
             constants: dict[str, str]) -> str:
    """The text without its declarations, every line where it was; notes the constants in it."""
    characters = list(text.text)
    for owner, statement in declarations:
        if owner is text:
            for index in range(statement.start, statement.end + 1):
                if characters[index] != "\n":
                    characters[index] = " "
    for statement in text.statements:
        for term in _constants(statement):
            written = str(term.functor)
            value = written
            if written.startswith("'"):
                value = re.sub(r"\\(.)", r"\1", written[1:-1])
                if _PLAIN_ATOM.fullmatch(value):
                    # ProbLog takes 'ada' and ada for two things.
                    start = offset_of(term, statement.start)
                    characters[start] = characters[start + len(written) - 1] = " "
                    written = value
            constants[value] = written
    return "".join(characters)


def _constants(statement: Statement) -> Iterator[Term]:
    """The atoms that are arguments of what a clause concludes or asks for."""
    atoms = [*statement.heads, *(goal.term for goal in goals(statement.body))]
    for atom in atoms:
        if signature(atom) in ARITHMETIC:
            continue
        for argument in atom.args:
            for term in _subterms([argument]):
                if type(term) is Term and not term.args and str(term.functor) not in _NO_CONSTANTS:
                    yield term


def _subterms(terms: Iterable[Any]) -> Iterator[Any]:
    stack = list(terms)
    while stack:
        term = stack.pop()
        if term is not None and not isinstance(term, Var):
            yield term
            stack.extend(arguments_of(term))


def _rests_on(predicates: Iterable[Predicate],
              texts: Sequence[RuleText]) -> dict[str, frozenset[str]]:
    calls = nx.DiGraph()
    for text in texts:
        for statement in text.statements:
            calls.add_edges_from((signature(head), goal.signature) for head in statement.heads
                                 for goal in goals(statement.body))
    stored = stored_signatures(*PROGRAMS)
    rests = {}
    for predicate in predicates:
        name = f"{predicate.name}/{len(predicate.arguments)}"
        rests[predicate.name] = frozenset(nx.descendants(calls, name) & stored
                                          if name in calls else ())
    return rests
