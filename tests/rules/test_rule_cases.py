"""The rules as data: each case is a small program with the probabilities worked out by hand.

A case goes together with the packaged programs that its first comment names. It lists every
answer to its queries that is possible at all (``% expect: busy(p1,w,e1) = 0.9``), and the
queries that have none (``% expect: nothing matches busy(p2,_,_)``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import pytest
from problog.engine import DefaultEngine
from problog.logic import Clause, Term, is_variable
from problog.program import PrologString, SimpleProgram
from problog.sdd_formula import SDD

from frontdesk.rules.engine.packaged_rules import packaged_text
from frontdesk.rules.linking.linking_program import linking_text

CASES = sorted((Path(__file__).parent / "cases").glob("*.pl"))
PROGRAMS = ("linking.pl", "commonsense.pl", "conflicts.pl", "weather.pl", "navigation.pl",
            "appointments.pl", "actions.pl", "access.pl", "queries.pl")
_UNKNOWN_FAILS = 1


@dataclass(frozen=True)
class Case:
    """A case file: programs it goes with, its text, expected answers, queries without any."""

    programs: tuple[str, ...]
    text: str
    answers: dict[str, float]
    nothing: tuple[Term, ...]

    @cached_property
    def clauses(self) -> list[Term]:
        return list(PrologString(self.text))

    @cached_property
    def queries(self) -> list[Term]:
        return [clause.args[0] for clause in self.clauses if clause.functor == "query"]


@cache
def read_case(path: Path) -> Case:
    text = path.read_text(encoding="utf-8")
    programs = tuple(re.findall(r"^% program: (.*)$", text, re.MULTILINE)[0].split())
    answers: dict[str, float] = {}
    nothing = []
    for expectation in re.findall(r"^% expect: (.*)$", text, re.MULTILINE):
        if expectation.startswith("nothing matches "):
            nothing.append(Term.from_string(expectation.removeprefix("nothing matches ")))
        else:
            atom, value = expectation.split(" = ")
            answers[str(Term.from_string(atom))] = float(value)
    return Case(programs, text, answers, tuple(nothing))


@cache
def clauses_of(program: str) -> tuple[Term, ...]:
    text = linking_text() if program == "linking.pl" else (packaged_text(program))
    return tuple(clause for clause in PrologString(text) if clause.functor != "reason")


def answers(case: Case, *, without: Term | None = None) -> dict[str, float]:
    """Every possible answer, its probability by plain ProbLog; ``without`` one of the rules."""
    program = SimpleProgram()
    for name in case.programs:
        for clause in clauses_of(name):
            if clause is not without:
                program += clause
    for clause in case.clauses:
        program += clause
    engine = DefaultEngine(unknown=_UNKNOWN_FAILS)
    ground = engine.ground_all(engine.prepare(program))
    return {str(atom): float(value)
            for atom, value in SDD.create_from(ground).evaluate().items() if value > 0}


def holds(case: Case, *, without: Term | None = None) -> bool:
    found = answers(case, without=without)
    return found == pytest.approx(case.answers, abs=1e-9)


def head(clause: Term) -> Term:
    return clause.head if isinstance(clause, Clause) else clause


def covers(query: Term, pattern: Term) -> bool:
    return (query.functor, query.arity) == (pattern.functor, pattern.arity) and all(
        is_variable(asked) or is_variable(found) or str(asked) == str(found)
        for asked, found in zip(query.args, pattern.args, strict=True))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_rule_case(path):
    case = read_case(path)
    assert answers(case) == pytest.approx(case.answers, abs=1e-9)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_rule_case_says_what_every_query_gives(path):
    case = read_case(path)
    expected = [*map(Term.from_string, case.answers), *case.nothing]
    for query in case.queries:
        assert any(covers(query, atom) for atom in expected), query
    for atom in expected:
        assert any(covers(query, atom) for query in case.queries), atom
    for pattern in case.nothing:
        assert not any(covers(pattern, Term.from_string(atom)) for atom in case.answers), pattern


def test_rule_cases_ask_for_every_predicate_of_the_rules():
    asked = {(program, query.signature) for case in map(read_case, CASES)
             for program in case.programs for query in case.queries}
    missing = [(program, head(clause).signature) for program in PROGRAMS
               for clause in clauses_of(program) if (program, head(clause).signature) not in asked
               and head(clause).functor != "weight"]
    assert missing == []


@pytest.mark.parametrize(("program", "clause"), [
    pytest.param(program, clause, id=f"{program}-{number}-{head(clause).functor}")
    for program in PROGRAMS for number, clause in enumerate(clauses_of(program), start=1)])
def test_rule_cases_notice_that_a_rule_is_missing(program, clause):
    signature = head(clause).signature
    cases = [case for case in map(read_case, CASES) if program in case.programs]
    cases.sort(key=lambda case: (
        signature not in {query.signature for query in case.queries}, len(case.clauses)))
    assert any(not holds(case, without=clause) for case in cases)
