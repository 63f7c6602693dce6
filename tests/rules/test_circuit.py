from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from problog.engine import DefaultEngine
from problog.program import PrologString
from problog.sdd_formula import SDD

from frontdesk.kg.errors import FormatError
from frontdesk.rules.circuit import Evidence, LinkingCircuit
from frontdesk.rules.linking_program import linking_text

_UNKNOWN_FAILS = 1
_OF_MENTION = ("named", "anaphoric", "first_person", "relational", "plural")
CIRCUIT = LinkingCircuit()


def atom(evidence: Evidence) -> str:
    predicate, constant = evidence
    if predicate in _OF_MENTION:
        return f"{predicate}(m)"
    if predicate == "is_speaker":
        return "is_speaker(e)"
    return f"{predicate}(m, e)" if constant is None else f"{predicate}(m, e, {constant:g})"


def by_plain_problog(evidence: dict[Evidence, float], program: str | None = None) -> float:
    """The oracle: the whole program with the evidence as facts, ground and compiled for it."""
    facts = "".join(f"{value!r}::{atom(each)}.\n" for each, value in evidence.items())
    engine = DefaultEngine(unknown=_UNKNOWN_FAILS)
    ground = engine.ground_all(engine.prepare(
        PrologString(f"{program or linking_text()}\n{facts}\nquery(refers_to(m, e)).\n")))
    (probability,) = SDD.create_from(ground).evaluate().values()
    return float(probability)


def random_evidence(seed: int) -> dict[Evidence, float]:
    """Evidence of one kind of mention or several, certain, uncertain or missing."""
    chance = random.Random(seed)
    evidence: dict[Evidence, float] = {("type_agrees", None): chance.choice((1.0, 1.0, 0.4))}
    for kind in chance.sample(_OF_MENTION, chance.choice((1, 1, 2, 5))):
        evidence[kind, None] = chance.choice((1.0, chance.random()))
    for each in CIRCUIT.evidence:
        if each not in evidence and each[0] not in _OF_MENTION and chance.random() < 0.6:
            evidence[each] = chance.choice((0.0, 1.0, 1.0, chance.random(), chance.random()))
    return evidence


@pytest.mark.parametrize("seed", range(60))
def test_circuit_gives_what_plain_problog_gives(seed):
    evidence = random_evidence(seed)
    assert CIRCUIT.probability(evidence) == pytest.approx(by_plain_problog(evidence), abs=1e-9)


def test_circuit_comparison_with_plain_problog_covers_all_evidence_and_many_results():
    settings_ = [random_evidence(seed) for seed in range(60)]
    used = {each for evidence in settings_ for each, value in evidence.items() if value > 0}
    results = {round(CIRCUIT.probability(evidence), 6) for evidence in settings_}
    assert used == set(CIRCUIT.evidence)
    assert len(results) > 40


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.dictionaries(st.sampled_from(CIRCUIT.evidence), st.floats(0, 1, allow_subnormal=False)))
def test_circuit_gives_what_plain_problog_gives_for_any_evidence(evidence):
    evidence = {each: round(value, 6) for each, value in evidence.items()}
    assert CIRCUIT.probability(evidence) == pytest.approx(by_plain_problog(evidence), abs=1e-9)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.dictionaries(st.sampled_from(CIRCUIT.evidence), st.floats(0, 1)),
       st.sampled_from(CIRCUIT.evidence))
def test_circuit_never_refers_less_for_more_evidence(evidence, more):
    # No rule of the program has a negation.
    assert CIRCUIT.probability(evidence) <= CIRCUIT.probability(evidence | {more: 1.0}) + 1e-12
    assert 0 <= CIRCUIT.probability(evidence) <= 1 + 1e-12


def test_circuit_without_evidence_refers_to_nothing():
    assert CIRCUIT.probability({}) == 0


def test_circuit_does_not_mix_up_settings_asked_one_after_the_other():
    exact = {("named", None): 1.0, ("type_agrees", None): 1.0, ("exact_name", None): 1.0}
    wrong_type = exact | {("type_agrees", None): 0.0}
    assert [CIRCUIT.probability(each) for each in (exact, wrong_type, exact)] == pytest.approx(
        [0.97, 0.0, 0.97], abs=1e-9)


@pytest.mark.parametrize(("old", "new", "evidence", "expected"), [
    ("weight(exact_name, 0.97)", "weight(exact_name, 0.5)", ["named", "type_agrees", "exact_name"], 0.5),
    ("M, E), exact_name(M, E).", "M, E), \\+ exact_name(M, E).", ["named", "type_agrees", "exact_name"], 0.0),
    ("first_person(M), is_speaker(E)", "first_person(M)", ["first_person"], 0.99),
    ("relational(M), value_of_possessor(M, E)", "relational(M), newly_said(M, E)",
     ["relational", "newly_said"], 0.95)])
def test_circuit_follows_a_changed_program(old, new, evidence, expected):
    text = linking_text()
    assert text.count(old) == 1
    setting: dict[Evidence, float] = {(each, None): 1.0 for each in evidence}
    changed = LinkingCircuit(text.replace(old, new))
    assert changed.probability(setting) == pytest.approx(expected, abs=1e-9)
    assert CIRCUIT.probability(setting) != pytest.approx(expected, abs=1e-3)


def test_circuit_follows_a_rule_that_is_added():
    text = linking_text() + "0.5::refers_to(M, E) :- named(M), spoken_slowly(M, E, 3).\n"
    changed = LinkingCircuit(text)
    setting: dict[Evidence, float] = {("named", None): 1.0, ("spoken_slowly", 3.0): 0.4}
    assert changed.probability(setting) == pytest.approx(0.2, abs=1e-9)
    assert changed.probability(setting | {("spoken_slowly", 3.0): 0.0}) == 0


def test_circuit_understands_alternatives_in_a_body_and_in_a_head():
    text = ("0.3::refers_to(M, E); 0.6::unlike(M, E) :- (near(M, E) ; far(M, E)).\n"
            "0.5::refers_to(M, E) :- unlike(M, E).\n")
    changed = LinkingCircuit(text)
    # 0.3 + 0.6 * 0.5 with either, for the heads exclude each other
    assert set(changed.evidence) == {("near", None), ("far", None)}
    assert changed.probability({("near", None): 1.0}) == pytest.approx(0.6, abs=1e-9)
    assert changed.probability({("near", None): 0.5, ("far", None): 0.5}) == pytest.approx(
        0.45, abs=1e-9)


@pytest.mark.parametrize("body", [
    "named(M), said(M, E, X)", "likes(M, amanda)", "said(Mention, E)", "said(M, E, 'x')",
    "\\+ said(M, E, Z)", "near(M, E, 1, 2)", "X > 2", "said(M, E), said(E, M)"])
def test_circuit_refuses_evidence_of_an_unknown_form(body):
    with pytest.raises(FormatError, match=r"linking\.pl"):
        LinkingCircuit(f"0.5::refers_to(M, E) :- {body}.")
