from __future__ import annotations

import random
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from problog.engine import DefaultEngine
from problog.program import PrologString
from problog.sdd_formula import SDD

from frontdesk.kg.graph.errors import FormatError, InputError
from frontdesk.rules.linking.circuit import Evidence, LinkingCircuit
from frontdesk.rules.linking.linking_program import linking_text, packaged_weights, read_weights

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


@settings(max_examples=15, deadline=None, derandomize=True)
@given(st.dictionaries(st.sampled_from(CIRCUIT.evidence), st.floats(0, 1, allow_subnormal=False)))
def test_circuit_gives_what_plain_problog_gives_for_any_evidence(evidence):
    evidence = {each: round(value, 6) for each, value in evidence.items()}
    assert CIRCUIT.probability(evidence) == pytest.approx(by_plain_problog(evidence), abs=1e-9)


@settings(max_examples=100, deadline=None, derandomize=True)
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
    ("weight(exact_name, 0.97)", "weight(exact_name, 0.5)",
     ["named", "type_agrees", "exact_name"], 0.5),
    ("M, E), exact_name(M, E).", "M, E), \\+ exact_name(M, E).",
     ["named", "type_agrees", "exact_name"], 0.0),
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


# --- bodies of rules, for proofs and learning

def by_plain_problog_with_bodies(evidence: dict[Evidence, float], name: str) -> tuple[float, float]:
    """P(the body of a rule) and P(that body and refers_to) by plain ProbLog."""
    text = re.sub(rf"W::(\w+\(M, E\)) :- weight\({name}, W\),\s*([^.]*(?:\.\d[^.]*)*)\.\n",
                  rf"body(M, E) :- \2.\nW::\1 :- weight({name}, W), body(M, E).\n",
                  linking_text())
    assert "body(M, E) :-" in text
    facts = "".join(f"{value!r}::{atom(each)}.\n" for each, value in evidence.items())
    engine = DefaultEngine(unknown=_UNKNOWN_FAILS)
    ground = engine.ground_all(engine.prepare(PrologString(
        f"{text}\n{facts}\nboth :- body(m, e), refers_to(m, e).\n"
        "query(body(m, e)). query(both).")))
    results = {str(each): value for each, value in SDD.create_from(ground).evaluate().items()}
    return float(results["body(m,e)"]), float(results["both"])


@pytest.mark.parametrize("name", [rule.name for rule in CIRCUIT.rules])
def test_circuit_gives_the_bodies_of_rules_as_plain_problog_does(name):
    position = [rule.name for rule in CIRCUIT.rules].index(name)
    settings_ = [random_evidence(seed) for seed in range(400)]
    fired = [name in CIRCUIT.fired(evidence) for evidence in settings_]
    for evidence in [settings_[fired.index(True)], settings_[fired.index(False)],
                     *settings_[:3]]:
        expected = by_plain_problog_with_bodies(evidence, name)
        inference = CIRCUIT.evaluate(CIRCUIT.rows([evidence]))
        assert (inference.bodies[0, position], inference.both[0, position]) \
            == pytest.approx(expected, abs=1e-9)
        assert inference.refers[0] == pytest.approx(CIRCUIT.probability(evidence), abs=1e-12)
        assert CIRCUIT.fired(evidence).get(name, 0.0) == pytest.approx(expected[0], abs=1e-9)


def test_circuit_rules_have_a_place_a_reason_and_their_weight():
    weights = read_weights(packaged_weights())
    assert {rule.name: rule.probability for rule in CIRCUIT.rules} == weights
    lines = (packaged_weights().parent / "linking.pl").read_text(encoding="utf-8").splitlines()
    for rule in CIRCUIT.rules:
        program, line = rule.place.split(":")
        assert program == "linking.pl"
        assert lines[int(line) - 1].startswith(f"W::{rule.head}(M, E) :- weight({rule.name}, W)")
        assert rule.reason


def test_circuit_with_other_weights_is_what_the_program_with_them_gives():
    weights = {rule.name: random.Random(rule.name).random() for rule in CIRCUIT.rules}
    text = re.sub(r"weight\((\w+), [\d.]+\)",
                  lambda match: f"weight({match[1]}, {weights[match[1]]!r})", linking_text())
    changed, rewritten = CIRCUIT.with_weights(weights), LinkingCircuit(text)
    for seed in range(10):
        evidence = random_evidence(seed)
        assert changed.probability(evidence) == pytest.approx(
            by_plain_problog(evidence, text), abs=1e-9)
        assert changed.probability(evidence) == pytest.approx(rewritten.probability(evidence))
    with pytest.raises(KeyError, match="no_such_rule"):
        CIRCUIT.with_weights({"no_such_rule": 0.5})


# --- what is kept on disk

def test_circuit_is_found_again_by_the_hash_of_the_rules(tmp_path, monkeypatch):
    text = "0.5::refers_to(M, E) :- near(M, E).\n"
    first = LinkingCircuit(text, cache=tmp_path)
    kept = {path: path.read_bytes() for path in tmp_path.rglob("*.npz")}
    assert kept
    monkeypatch.setattr("frontdesk.rules.linking.circuit.compile_program", None)
    again = LinkingCircuit(text.replace("0.5", "0.25"), cache=tmp_path)  # a weight is not compiled
    assert [each.probability({("near", None): 1.0}) for each in (first, again)] == [0.5, 0.25]
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.npz")} == kept


def test_circuit_of_other_rules_is_another(tmp_path):
    LinkingCircuit("0.5::refers_to(M, E) :- near(M, E).\n", cache=tmp_path)
    before = set(tmp_path.rglob("*.npz"))
    changed = LinkingCircuit("0.5::refers_to(M, E) :- \\+ near(M, E).\n", cache=tmp_path)
    assert set(tmp_path.rglob("*.npz")) > before
    assert changed.probability({}) == 0.5


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04 not a circuit", b"\x00" * 4096])
def test_circuit_that_is_damaged_on_disk_is_compiled_anew(tmp_path, damage):
    text = "0.5::refers_to(M, E) :- near(M, E).\n"
    LinkingCircuit(text, cache=tmp_path)
    for path in tmp_path.rglob("*.npz"):
        path.write_bytes(damage)
    assert LinkingCircuit(text, cache=tmp_path).probability({("near", None): 1.0}) == 0.5
    assert all(path.read_bytes() != damage for path in tmp_path.rglob("*.npz"))


def test_circuit_goes_without_a_cache_that_cannot_be_written_and_says_so(tmp_path, capsys):
    blocked = tmp_path / "file"
    blocked.write_text("")
    circuit = LinkingCircuit("0.5::refers_to(M, E) :- near(M, E).\n", cache=blocked)
    assert circuit.probability({("near", None): 1.0}) == 0.5
    assert "not kept" in capsys.readouterr().err


# --- weights

def test_circuit_takes_another_file_of_weights(tmp_path):
    text = packaged_weights().read_text(encoding="utf-8")
    own = tmp_path / "own.pl"
    own.write_text(text.replace("weight(exact_name, 0.97).", "weight(exact_name, 0.5)."))
    setting = {("named", None): 1.0, ("type_agrees", None): 1.0, ("exact_name", None): 1.0}
    assert LinkingCircuit(weights=own).probability(setting) == pytest.approx(0.5)


@pytest.mark.parametrize(("old", "new", "message"), [
    ("weight(exact_name, 0.97).", "", "no weight exact_name"),
    ("weight(exact_name, 0.97).", "weight(exact_name, 1.7).", r"1\.7 is not in \[0, 1\]"),
    ("weight(exact_name, 0.97).", "weight(exact_name, 0.9).\nweight(exact_name, 0.9).",
     "two weights"),
    ("weight(exact_name, 0.97).", "weight(exact_name, 0.97).\nweight(moon, 0.5).",
     "no rule moon"),
    ("weight(exact_name, 0.97).", "weight(exact_name, high).", "no weight"),
    ("weight(exact_name, 0.97).", "weight(exact_name, 0.97)", "cannot be read"),
    ("weight(exact_name, 0.97).", "refers_to(m, e).", "no weight")])
def test_circuit_says_what_is_wrong_with_a_file_of_weights(tmp_path, old, new, message):
    own = tmp_path / "own.pl"
    own.write_text(packaged_weights().read_text(encoding="utf-8").replace(old, new))
    with pytest.raises(FormatError, match=message):
        LinkingCircuit(weights=own)


def test_circuit_says_that_a_file_of_weights_is_not_there(tmp_path):
    with pytest.raises(InputError, match=r"none\.pl"):
        LinkingCircuit(weights=tmp_path / "none.pl")


@pytest.mark.parametrize(("text", "message"), [
    ("W::refers_to(M, E) :- near(M, E).", "no weight"),
    ("weight(x, 0.5). W::refers_to(M, E) :- weight(x, W), near(M, E).\n"
     "W::refers_to(M, E) :- weight(x, W), far(M, E).", "belongs to another rule"),
    ("0.7::refers_to(M, E); 0.6::other(M, E) :- near(M, E).", "sum to 1.3"),
    ("1.5::refers_to(M, E) :- near(M, E).", r"1\.5 is not in"),
    ("refers_to(M, E) :- near(M E).", "cannot be read"),
    ("refers_to(M, E) :- known(M), near(M, E).\nknown(M) :- named(M, E).", "line 2.*has E too"),
    ("refers_to(M, E) :- near(M, E).\nrecent(E) :- topic(M, E).", "line 2.*has M too"),
    (":- use_module(library(lists)).\nrefers_to(M, E) :- near(M, E).", "directive"),
    ("refers_to(M, E) :- \\+ other(M, E).\nother(M, E) :- \\+ refers_to(M, E).", "compiled")])
def test_circuit_refuses_programs_that_mean_nothing(text, message):
    with pytest.raises(FormatError, match=message):
        LinkingCircuit(text)


def test_circuit_understands_rules_that_rest_on_each_other():
    text = ("0.5::refers_to(M, E) :- near(M, E).\n0.5::refers_to(M, E) :- spoken(M, E).\n"
            "0.5::spoken(M, E) :- refers_to(M, E).\n0.4::spoken(M, E) :- heard(M, E).\n"
            "refers_to(M, E) :- never(M, E), spoken(M, E).\n")
    circuit = LinkingCircuit(text)
    for near, heard in ((1.0, 1.0), (0.5, 0.3), (0.0, 0.9), (1.0, 0.0)):
        evidence: dict[Evidence, float] = {("near", None): near, ("heard", None): heard}
        assert circuit.probability(evidence) == pytest.approx(
            by_plain_problog(evidence, text), abs=1e-9)


def test_circuit_serves_many_threads_when_it_forgets(monkeypatch):
    monkeypatch.setattr("frontdesk.rules.linking.circuit._MOST_KEPT", 40)
    circuit = CIRCUIT.with_weights({})
    table = circuit.rows([random_evidence(seed) for seed in range(120)])
    expected = CIRCUIT.probabilities(table)

    def work(seed: int) -> None:
        chance = random.Random(seed)
        for _ in range(150):
            chosen = [chance.randrange(len(table)) for _ in range(20)]
            assert circuit.probabilities(table[chosen]) == pytest.approx(expected[chosen])

    with ThreadPoolExecutor(4) as pool:
        for each in [pool.submit(work, seed) for seed in range(4)]:
            each.result()
