"""Proofs of the rule cases: each answer has one, over the facts of the case; no other has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from math import prod
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from problog.logic import Constant, Term
from problog.program import PrologString

from frontdesk.rules.engine.packaged_rules import packaged_text
from frontdesk.rules.engine.proofs import Expression, Proof, Variable
from frontdesk.rules.engine.prover import Prover, Slice

PROGRAMS = ("commonsense.pl", "conflicts.pl", "weather.pl", "navigation.pl", "appointments.pl")
#: Linking is compiled; what is decided about actions and access is asked without proofs.
CASES = sorted(path for path in (Path(__file__).parents[1] / "cases").glob("*.pl")
               if not path.name.startswith(("linking_", "actions_", "access_")))


def rules(*names: str) -> dict[str, str]:
    return {name: packaged_text(name)
            for name in names}


@cache
def prover(path: Path) -> Prover:
    text = path.read_text(encoding="utf-8")
    return Prover(rules(*re.findall(r"^% program: (.*)$", text, re.MULTILINE)[0].split()))


def value(term: Term) -> str | int:
    return int(term) if isinstance(term, Constant) else str(term)


@cache
def opened(path: Path) -> Slice:
    """The facts of a case over its programs; one for all tests, which add none."""
    facts = prover(path).slice()
    for fact in PrologString(path.read_text(encoding="utf-8")):
        if fact.functor != "query":
            facts.add(fact.functor, *map(value, fact.args),
                      probability=1.0 if fact.probability is None else float(fact.probability))
    return facts


@cache
def stored(path: Path) -> set[tuple[str, tuple[str | int, ...]]]:
    return {(fact.functor, tuple(map(value, fact.args)))
            for fact in PrologString(path.read_text(encoding="utf-8"))
            if fact.functor != "query"}


@cache
def expected(path: Path) -> dict[tuple[str, tuple[str | int, ...]], float]:
    found = {}
    for line in re.findall(r"^% expect: (.* = .*)$", path.read_text(encoding="utf-8"),
                           re.MULTILINE):
        atom, probability = line.split(" = ")
        term = Term.from_string(atom)
        found[term.functor, tuple(map(value, term.args))] = float(probability)
    return found


def queries(path: Path) -> Iterator[tuple[str, tuple[str | int | None, ...]]]:
    for query in PrologString(path.read_text(encoding="utf-8")):
        if query.functor == "query":
            asked = query.args[0]
            yield asked.functor, tuple(None if str(each) == "_" else value(each)
                                       for each in asked.args)


def parts(proof: Proof) -> Iterator[Proof]:
    yield proof
    for child in proof.children:
        yield from parts(child)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_prover_answers_rule_case(path):
    facts = opened(path)
    answers = {}
    for predicate, arguments in queries(path):
        for solution in facts.ask(predicate, *arguments):
            left = iter(solution.values)
            answers[predicate, tuple(next(left) if each is None else each
                                     for each in arguments)] = solution.probability
    assert answers == pytest.approx(expected(path), abs=1e-9)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_proof_of_every_answer_rests_on_the_facts_of_the_case(path):
    facts, known = opened(path), stored(path)
    for (predicate, arguments), probability in expected(path).items():
        proof = facts.prove(predicate, *arguments)
        assert proof is not None, (predicate, arguments)
        assert (proof.goal, proof.arguments) == (predicate, arguments)
        assert proof.probability == pytest.approx(probability, abs=1e-9)
        leaves = {(each.goal, each.arguments, each.negated): each.probability
                  for each in parts(proof) if each.rule == "" or each.negated}
        assert {leaf[:2] for leaf in leaves if not leaf[2]} <= known
        assert prod(leaves.values()) <= probability + 1e-9
        for part in parts(proof):
            assert not part.cut
            assert 0 < part.probability <= 1
            if part.rule == "" or part.negated:
                assert part.rule != "" or not part.children
            elif part.rule:
                assert part.children
                name, _, signature = part.rule.partition(":")
                assert signature == f"{part.goal}/{len(part.arguments)}"
                assert rules(name)[name].splitlines()[part.line - 1].startswith(f"{part.goal}(")


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_proof_needs_no_more_than_its_leaves(path):
    facts = opened(path)
    for predicate, arguments in expected(path):
        alone = prover(path).slice()
        for leaf in dict.fromkeys(facts.prove(predicate, *arguments).leaves()):
            alone.add(leaf.goal, *leaf.arguments, probability=leaf.probability)
        assert alone.ask(predicate, *arguments), (predicate, arguments)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_proof_is_found_of_nothing_that_does_not_follow(path):
    facts, true = opened(path), expected(path)
    names = {each for _, arguments in stored(path) for each in arguments}
    for predicate, arguments in true:
        for place in range(len(arguments)):
            alike = [each for each in names if type(each) is type(arguments[place])]
            for other in sorted(alike, key=str)[:2]:  # the rest have no other role in the case
                changed = (*arguments[:place], other, *arguments[place + 1:])
                follows = bool(facts.ask(predicate, *changed))
                assert (facts.prove(predicate, *changed) is not None) == follows


def test_proof_of_every_derived_predicate_is_tried():
    proved = {(name, predicate, len(arguments)) for path in CASES
              for predicate, arguments in expected(path)
              for name in re.findall(r"^% program: (.*)$", path.read_text(encoding="utf-8"),
                                     re.MULTILINE)[0].split()}
    missing = [(name, clause.head.signature) for name, text in rules(*PROGRAMS).items()
               for clause in PrologString(text)
               if (name, clause.head.functor, clause.head.arity) not in proved]
    assert missing == []


def test_proof_names_the_clause_and_what_was_not_found():
    facts = Prover(rules("commonsense.pl", "conflicts.pl")).slice()
    facts.add("person", "ada")
    facts.add("window", "noon", 720, 720)
    facts.add("start", "standup", 540)
    facts.add("end", "standup", 560)
    facts.add("organizer", "standup", "ada")
    proof = facts.prove("person_available", "ada", "noon")
    assert proof.rule == "commonsense.pl:person_available/2"
    assert [(each.goal, each.arguments, each.negated) for each in proof.children] == [
        ("person", ("ada",), False), ("window", ("noon", 720, 720), False),
        ("person_busy", ("ada", "noon", Variable("_")), True)]
    attends = facts.prove("attends", "ada", "standup")
    text = rules("commonsense.pl")["commonsense.pl"].splitlines()
    assert text[attends.line - 1].startswith("attends(P, E) :- organizer(E, P), ")
    assert [each.goal for each in attends.leaves()] == ["organizer"]
    assert facts.prove("organizer", "standup", "ada") == Proof(
        "organizer", ("standup", "ada"), rule="")


def test_proof_of_a_count_has_what_was_counted():
    facts = Prover(rules("commonsense.pl")).slice()
    facts.add("group", "optics")
    for person in ("ada", "bo"):
        facts.add("member_of", person, "optics")
    facts.add("member_of", "cy", "optics", probability=0.25)
    proof = facts.prove("group_size", "optics", 2)
    assert proof.probability == pytest.approx(0.75)
    collected = proof.children[1]
    assert (collected.goal, collected.arguments) == ("findall", (("ada", "bo"),))
    assert [(each.arguments[0], each.negated, each.probability) for each in collected.children] \
        == [("ada", False, 1.0), ("bo", False, 1.0), ("cy", True, 0.75)]
    assert [each.arguments[0] for each in proof.leaves() if each.goal == "member_of"] == [
        "ada", "bo"]
    empty = Prover(rules("commonsense.pl")).slice()
    empty.add("group", "optics")
    assert empty.prove("group_size", "optics", 0).children[1].arguments == ((),)


def test_proof_is_the_most_probable_one_and_counts_the_others():
    facts = Prover("0.5::quiet(R) :- far(R).\n0.9::quiet(R) :- small(R), \\+ loud(R).\n"
                   "quiet(R) :- closed(R).").slice()
    for predicate, probability in (("far", 0.8), ("small", 1.0), ("loud", 0.1), ("closed", 0.3)):
        facts.add(predicate, "attic", probability=probability)
    proof = facts.prove("quiet", "attic")
    assert (proof.rule, proof.line, proof.strength, proof.others) == ("quiet/1", 2, 0.9, 2)
    assert [(each.goal, each.negated, each.probability) for each in proof.children] == [
        ("small", False, 1.0), ("loud", True, pytest.approx(0.9))]
    assert proof.probability == pytest.approx(1 - 0.6 * 0.7 * (1 - 0.81))


def test_proof_goes_round_a_circle():
    facts = Prover("near(X, Y) :- near(Y, X).\nnear(X, Y) :- near(X, Z), near(Z, Y).\n"
                   "near(X, Y) :- next(X, Y).").slice()
    for pair in (("a", "b"), ("b", "c"), ("d", "c")):
        facts.add("next", *pair)
    proof = facts.prove("near", "d", "a")
    assert {(leaf.goal, leaf.arguments) for leaf in proof.leaves()} <= {
        ("next", ("a", "b")), ("next", ("b", "c")), ("next", ("d", "c"))}
    assert ("d", "a") not in [part.arguments for part in parts(proof) if part is not proof]
    assert facts.prove("near", "a", "e") is None


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("abcd"),
                          st.sampled_from([0.25, 0.5, 1.0])), max_size=8,
                unique_by=lambda edge: edge[:2]),
       st.sampled_from("abcd"), st.sampled_from("abcd"))
def test_proof_holds_over_its_leaves_alone_and_is_found_wherever_there_is_one(edges, start, end):
    over = Prover("path(X, Y) :- edge(X, Y).\npath(X, Y) :- path(X, Z), edge(Z, Y).")
    facts = over.slice()
    for one, other, probability in edges:
        facts.add("edge", one, other, probability=probability)
    proof, solutions = facts.prove("path", start, end), facts.ask("path", start, end)
    assert (proof is None) == (not solutions)
    if proof is not None:
        alone = over.slice()
        leaves = dict.fromkeys(proof.leaves())
        for leaf in leaves:
            alone.add(leaf.goal, *leaf.arguments, probability=leaf.probability)
        found, = alone.ask("path", start, end)
        # Some of them may prove it, too, by themselves.
        assert found.probability >= prod(leaf.probability for leaf in leaves) - 1e-9
        assert found.probability <= solutions[0].probability + 1e-9
        assert proof.probability == pytest.approx(solutions[0].probability)


def test_proof_of_alternatives_calculations_and_facts_of_the_program():
    facts = Prover("open(shop). limit(30).\n"
                   "fits(E, S) :- takes(E, M), (short(E) ; once(limit(M)), \\+ (long(E), open(E))),"
                   " start(E, A), S is A + M.").slice()
    facts.add("takes", "tea", 30)
    facts.add("start", "tea", 600)
    proof = facts.prove("fits", "tea", 630)
    assert [each.goal for each in proof.children] == ["takes", "once", ",", "start", "is"]
    once, neither, calculated = proof.children[1], proof.children[2], proof.children[4]
    assert once.children[0] == Proof("limit", (30,), "limit/1", line=1)
    assert neither.negated
    assert [each.goal for each in neither.children] == ["long", "open"]
    assert calculated.arguments == (630, Expression("+", (600, 30)))


def test_proof_that_gets_too_deep_is_cut_short():
    facts = Prover("upto(0). upto(N) :- N > 0, M is N - 1, upto(M).").slice()
    assert not any(part.cut for part in parts(facts.prove("upto", 5)))
    proof = facts.prove("upto", 60)
    last = [part for part in parts(proof) if part.goal == "upto"][-1]
    assert last.cut
    assert last.children == ()
    assert last.arguments[0] > 20


def test_proof_that_gets_too_large_is_cut_short():
    facts = Prover("all(N) :- findall(X, one(X), L), length(L, N). one(X) :- some(X).").slice()
    for number in range(1000):
        facts.add("some", number)
    proof = facts.prove("all", 1000)
    assert len(list(parts(proof))) < 2000
    assert any(part.cut for part in parts(proof))


def test_proof_is_the_same_from_the_process():
    here, there = (Prover(rules("commonsense.pl"), deadline_s=seconds).slice()
                   for seconds in (None, 60))
    for facts in (here, there):
        facts.add("person", "ada's \"x\"")
        facts.add("window", "noon", 720, 720)
    assert here.prove("person_available", "ada's \"x\"", "noon") == there.prove(
        "person_available", "ada's \"x\"", "noon") is not None
