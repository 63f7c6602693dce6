from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from frontdesk.kg.graph.errors import FormatError, InputError
from frontdesk.kg.graph.schema import ORGANISATION, ArgumentType
from frontdesk.rules.engine.packaged_rules import packaged_text
from frontdesk.rules.engine.prover import Prover
from frontdesk.rules.house_rules.rule_checks import check_rules
from frontdesk.rules.house_rules.rule_files import load_user_rules
from frontdesk.rules.house_rules.rule_goals import goals, variables
from frontdesk.rules.house_rules.rule_parser import RuleText, offset_of, signature
from frontdesk.rules.house_rules.stored_facts import STORED_FACTS, stored_signatures
from frontdesk.rules.organisation.organisation_reasoner import commonsense_texts

PROGRAMS = tuple(STORED_FACTS)
#: Programs that another goes with, or whose facts it consults.
GOES_WITH = {"conflicts.pl": ("commonsense.pl",), "linking.pl": ("linking_weights.pl",)}
QUIET = """\
% A room is quiet when nothing is planned in it.
quiet_room(R) :- room(R), \\+ planned(R).
planned(R) :- room(R), location(_, R).
fact(quiet_room(room), "{0} is a quiet room.", "Is {0} quiet?", ["quiet", "silent"]).
"""


def load(tmp_path, text, name="house.pl"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return load_user_rules([path])


def mistakes(tmp_path, text):
    """What is wrong with a user's file: ``line:column message`` for each mistake."""
    with pytest.raises(FormatError) as caught:
        load(tmp_path, text)
    message = str(caught.value)
    return [f"{line}:{column} {rest}" for line, column, rest in re.findall(
        r"house\.pl, line (\d+), column (\d+): (.*)", message)]


def packaged(program):
    return packaged_text(program)


def checked(text, program):
    """A text in the place of a packaged program, checked after the programs that go with it."""
    others = GOES_WITH.get(program, ())
    texts = [*(RuleText(packaged(name), name) for name in others), RuleText(text, program)]
    check_rules(texts, stored=stored_signatures(*others, program), trusted=True)
    return texts


def check_program(text, program):
    """What is wrong with a text in the place of a packaged program."""
    return checked(text, program)[-1].problems


# --- the packaged programs


@pytest.mark.parametrize("program", PROGRAMS)
def test_packaged_program_has_neither_mistakes_nor_warnings(program):
    assert not [each.problems for each in checked(packaged(program), program) if each.problems]


@pytest.mark.parametrize("program", PROGRAMS)
def test_packaged_program_says_in_its_first_comment_which_facts_it_is_given(program):
    comment = re.match(r"(?:%.*\n)+", packaged(program))[0]
    said = {f"{name}/{arguments.count(',') + 1}" for name, arguments in re.findall(
        r"(?<![\w(])([a-z_]+)\(([A-Z][^()]*)\)", comment)}
    assert said == stored_signatures(program)


def places(program):
    """Every goal of a packaged program that is no builtin, with its statement."""
    text = RuleText(packaged(program), program)
    return text, [(statement, goal) for statement in text.statements if statement.heads
                  for goal in goals(statement.body)
                  if goal.signature[0].isalpha() and goal.signature not in (
                      "is/2", "findall/3", "length/2")]


def replaced(text, start, before, after):
    assert text.text[start:start + len(before)] == before
    return text.text[:start] + after + text.text[start + len(before):]


@given(data=st.data())
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_renamed_predicate_is_reported_where_it_is_asked_for(data):
    program = data.draw(st.sampled_from(PROGRAMS))
    text, found = places(program)
    statement, goal = data.draw(st.sampled_from(found))
    at = offset_of(goal.term, statement.start)
    name = str(goal.term.functor)
    problems = check_program(replaced(text, at, name, name + "x"), program)
    expected = text.problem(at, "")
    assert [(each.line, each.column) for each in problems if f"{name}x/" in each.message] == [
        (expected.line, expected.column)]


@given(data=st.data())
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_missing_argument_is_reported_where_it_is_missing(data):
    program = data.draw(st.sampled_from(PROGRAMS))
    text, found = places(program)
    statement, goal = data.draw(st.sampled_from(
        [each for each in found if each[1].term.arity > 1]))
    at = offset_of(goal.term, statement.start)
    cut = re.match(r"\w+\([^,()]*, ?", text.text[at:])
    changed = replaced(text, at, cut[0], f"{goal.term.functor}(")
    expected = text.problem(at, "")
    problems = check_program(changed, program)
    arity = goal.term.arity
    assert any((each.line, each.column) == (expected.line, expected.column)
               and f"{goal.term.functor} takes" in each.message
               and each.message.endswith(f"not {arity - 1}") for each in problems)


@given(data=st.data())
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_variable_that_loses_its_value_is_reported_in_its_clause(data):
    program = data.draw(st.sampled_from(PROGRAMS))
    text = RuleText(packaged(program), program)
    statement, name = data.draw(st.sampled_from([
        (each, name) for each in text.statements if each.heads and each.body is not None
        for name in variables(list(each.heads[0].args)) if len(each.variables[name]) > 1]))
    # The name in the head stays; all others in the clause become another variable.
    changed = text.text
    for place in sorted(statement.variables[name], reverse=True):
        if place > text.text.index(":-", statement.start):
            changed = f"{changed[:place]}Unbound{changed[place + len(name):]}"
    first, last = (text.problem(place, "").line for place in (statement.start, statement.end))
    assert any(first <= each.line <= last and f"variable {name} " in each.message
               for each in check_program(changed, program))


# --- a user's file


def test_load_user_rules_reads_predicates_with_how_they_are_said(tmp_path):
    rules = load(tmp_path, QUIET)
    row, = rules.predicates
    assert (row.name, row.arguments, row.template) == (
        "quiet_room", (ArgumentType.ROOM,), "{0} is a quiet room.")
    assert (row.questions, row.cues, row.derived, row.polarity) == (
        ("Is the room quiet?",), ("quiet", "silent"), True, 1)
    assert rules.schema["quiet_room"] == row
    assert set(ORGANISATION) < set(rules.schema)
    assert rules.rests_on == {"quiet_room": {"room/1", "location/2"}}
    assert rules.warnings == ()


def test_load_user_rules_leaves_declarations_out_and_every_line_in_its_place(tmp_path):
    (_, program), = load(tmp_path, QUIET).programs
    assert "fact(" not in program
    assert program.splitlines()[:3] == QUIET.splitlines()[:3]
    assert len(program.splitlines()) == len(QUIET.splitlines())


def test_load_user_rules_notes_the_constants_of_rules_without_needless_quotes(tmp_path):
    rules = load(tmp_path, "by('r-1', 'beta').\nby(beta, 'it\\'s').")
    assert rules.constants == {"r-1": "'r-1'", "beta": "beta", "it's": "'it\\'s'"}
    assert "'beta'" not in rules.programs[0][1]


def test_load_user_rules_files_may_build_on_each_other_but_not_redefine(tmp_path):
    (tmp_path / "a.pl").write_text("high(R) :- floor(R, F), F > 2.\n", encoding="utf-8")
    (tmp_path / "b.pl").write_text("higher(R) :- high(R), bookable(R).\n", encoding="utf-8")
    assert len(load_user_rules([tmp_path / "a.pl", tmp_path / "b.pl"]).programs) == 2
    (tmp_path / "b.pl").write_text("high(R) :- bookable(R).\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"b\.pl, line 1, column 1: high/1 is defined by .*a\.pl"):
        load_user_rules([tmp_path / "a.pl", tmp_path / "b.pl"])


def test_load_user_rules_warns_of_variables_that_stand_once(tmp_path):
    warning, = load(tmp_path, "p(R) :- room(R),\n    floor(R, Floor).").warnings
    assert warning.endswith("house.pl, line 2, column 14: the variable Floor stands there once. "
                            "Write _Floor if that is meant.")


def test_load_user_rules_says_all_mistakes_of_all_files_at_once(tmp_path):
    assert mistakes(tmp_path, "p(R) :- flor(R, 3.\nq(R) :- room(R), flor(R, 3).\n"
                              "1.5::r(R) :- room(R, 1).\n") == [
        "1:13 this cannot be read: Unmatched character '('. Correct the syntax.",
        "2:18 there is no predicate flor/2. Write floor if that is meant.",
        "3:1 1.5 is no probability. Give a number from 0 to 1.",
        "3:14 room takes 1 argument, not 2. Write room with 1."]


def test_load_user_rules_names_a_file_that_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match=r"cannot read the rule file .*none\.pl"):
        load_user_rules([tmp_path / "none.pl"])
    (tmp_path / "latin.pl").write_bytes(b"p(\xe9).")
    with pytest.raises(FormatError, match=r"latin\.pl: not a text in UTF-8 .* byte 2"):
        load_user_rules([tmp_path / "latin.pl"])


@pytest.mark.parametrize(("text", "mistake"), [
    # syntax
    ("p(R) :- room(R)", "1:1 the clause has no end"),
    ("p(R) :- room(R) floor(R, 2).", "1:17 this cannot be read: a comma or operator is missing"),
    ("p(R) :- room(R), R <.", "1:20 this cannot be read: a comma or operator is missing"),
    ("p(R) :- room(R), 'x.", "1:18 this cannot be read: Unmatched character '''"),
    ("p(R), q(R) :- room(R).", "1:1 a rule cannot conclude this"),
    ("p(R), q(R).", "1:1 this is neither a rule nor a fact"),
    ("3 :- room(_).", "1:1 a rule cannot conclude this"),
    ("\\+p :- now(_).", "1:1 a rule cannot conclude this"),
    ("p :- now(_). .", "1:14 a full stop ends nothing"),
    # predicates
    ("p(R) :- room(R), zz(R).", "1:18 there is no predicate zz/1. Define it or"),
    ("p(R) :- rooom(R).", "1:9 there is no predicate rooom/1. Write room if that is meant"),
    ("p(R) :- floor(R).", "1:9 floor takes 2 arguments, not 1"),
    ("p(R) :- room(R), \\+ (floor(R, 1), bar(R)).", "1:35 there is no predicate bar/1"),
    ("p(R, N) :- room(R), findall(P, sits(P, R), L), length(L, N).",
     "1:32 there is no predicate sits/2"),
    ("room(R) :- floor(R, 1).", "1:1 room/1 is defined by the stored facts"),
    ("attends(P, E) :- person(P), event(E).", "1:1 attends/2 is defined by commonsense.pl"),
    ("overlap(E, E) :- event(E).", "1:1 overlap/2 is defined by conflicts.pl"),
    ("length(R, 1) :- room(R).", "1:1 length/2 belongs to ProbLog"),
    ("query(p). p.", "1:1 query/1 asks"),
    ("p(R) :- room(R), R.", "1:18 R is no predicate"),
    ("p(R) :- room(R), call(X), X = p(R).", "1:23 X is no predicate"),
    ("p(R) :- room(R), Y = use_module('x.py'), findall(P, (room(P), Y), L), length(L, _).",
     "1:63 Y is no predicate"),
    ("p(R) :- room(R), Y = q(R), all(P, (room(P) ; \\+ Y), _).", "1:49 Y is no predicate"),
    ("p(R) :- room(R), Y = q(R), \\+ once(call(Y)).", "1:41 Y is no predicate"),
    ("p(R) :- room(R), findall(P, (room(P), 3), _).", "1:39 3 is no predicate"),
    ("p(R) :- room(R), once((floor(R, 1), bookable(R))).", "1:18 once/1 asks for one predicate"),
    ("p(R) :- room(R), call((floor(R, 1) ; floor(R, 2))).", "1:18 call/1 asks for one predicate"),
    ("p(R) :- room(R), findall(P, call(\\+ (room(P), floor(P, 1))), _).",
     "1:29 call/1 asks for one predicate"),
    ("p(R) :- room(R), floor(R, \"2\").", "1:27 \"2\" equals nothing"),
    # values
    ("p(R) :- floor(S, 3), room(S).", "1:3 the variable R in the head has no value"),
    ("p(_).", "1:3 the variable _ in the head has no value"),
    ("p(R) :- room(R), \\+ office(P, R), person(P).", "1:28 the variable P has no value yet inside "
     "a negation"),
    ("p(R, N) :- room(R), N is M + 1, floor(R, M).", "1:26 the variable M has no value yet for "
     "is/2"),
    ("p(R) :- room(R), F < 3, floor(R, F).", "1:18 the variable F has no value yet for </2"),
    ("late(S, T) :- S < T, now(T).\np(E) :- event(E), late(S, _), start(E, S).",
     "2:24 the variable S has no value yet for late/2"),
    ("p(E) :- event(E), (start(E, S) ; end(E, T)), now(T), S < T.",
     "1:54 the variable S has no value yet"),
    ("p(R) :- room(R), floor(R, N), N > 1.5.", "1:35 1.5 is no whole number"),
    ("p(R, M) :- floor(R, N), M is N / 2.", "1:32 N/2 cannot be calculated"),
    # probabilities
    ("1.2::p(R) :- room(R).", "1:1 1.2 is no probability"),
    ("x::p(R) :- room(R).", "1:1 x is no probability"),
    ("F::p(R) :- floor(R, F).", "1:1 the probability F is known only when"),
    ("0.6::p(R); 0.5::q(R) :- room(R).", "1:1 the probabilities of the alternatives sum to 1.1"),
    ("0.6::p(R); q(R) :- room(R).", "1:12 the alternative q(R) has no probability"),
    ("p(R) :- room(R), 0.5::floor(R, 1).", "1:23 0.5::floor(R,1) is asked for with a probability"),
    # recursion
    ("p(R) :- room(R), \\+ p(R).", "1:21 p/1 depends on what p/1 does not give"),
    ("p(R) :- room(R), \\+ q(R).\nq(R) :- r(R).\nr(R) :- room(R), p(R).",
     "1:21 p/1 depends on what q/1 does not give"),
    ("p(R, L) :- room(R), findall(X, p(R, X), L).", "1:32 p/2 depends on what p/2"),
    ("p(R) :- p(R), room(R).", "1:9 p(R) asks for itself again"),
    ("p(X) :- p(f(X)), room(X).", "1:9 p(f(X)) can ask for something longer"),
    ("p(X) :- p(Y), X = f(Y).\np(R) :- room(R).", "1:17 X is made anew in each round"),
    ("n(0).\nn(N) :- n(M), N is M + 1.", "2:17 N is made anew in each round"),
    ("n(0).\nn(N) :- n(M), M > 0, N is M + 1.", "2:24 N is made anew in each round"),
    ("n(0).\nn(N) :- n(M), M < 9, N is M - 1.", "2:24 N is made anew in each round"),
    ("n(0).\nn(N) :- n(M), M < K, n(K), N is M + 1.", "2:30 N is made anew in each round"),
    ("a(N) :- b(M), N is M + 1.\nb(N) :- a(N).\na(0).", "1:17 N is made anew in each round"),
    ("next(X, Y) :- Y is X + 1.\nn(0).\nn(Y) :- n(X), next(X, Y).", "3:15 Y is made anew"),
    ("d(E, 0) :- event(E).\nd(E, N) :- d(F, M), near(F, E), duration(E, K), N is M + K, N < 99.",
     "2:51 N is made anew in each round"),
    ("n(1).\nn(N) :- n(M), K is M + 1, between(0, K, N).", "2:27 N is made anew"),
    ("c(0).\nc(N) :- M is N - 1, c(M), N > 0.", "2:11 M is made anew in each round"),
    ("n(0).\nn(N) :- n(M), floor(_, K), K > 0, K < 9, N is M + K.", "2:44 N is made anew"),
    ("n(0).\nn(N) :- n(M), floor(_, K), between(1, 5, K), plus(M, K, N).", "2:46 N is made anew"),
    ("c(N) :- floor(_, K), K > 0, K < 9, M is N + K, c(M).\np(R) :- floor(R, F), c(F).",
     "1:38 M is made anew"),
    ("n(0).\nn(N) :- n(M), M > -9, N is 0 - M - M, N < 9.", "2:25 N is made anew"),
    ("n(0).\nn(N) :- n(M), (M < 5 ; room(_)), N is M + 1.", "2:36 N is made anew"),
    ("n(0).\nn(N) :- n(M), N is M + 1, (N < 5 ; floor(_, 1)).", "2:17 N is made anew"),
    ("n(0).\nn(N) :- n(M), \\+ M > 5, N is M + 1.", "2:27 N is made anew"),
    ("n(0).\nn(N) :- n(M), findall(K, between(0, M, K), L), length(L, N).", "2:15 N is made"),
    ("same(X, Y) :- X \\= none, Y = X.\nn(0).\nn(N) :- n(M), same(M, K), N is K + 1.",
     "3:29 N is made anew"),
    ("g(X) :- room(X).\ng(L) :- g(X), findall(X, room(_), L).", "2:15 L is made anew"),
    ("g(X) :- room(X).\ng(L) :- g(X), all(X, room(_), L).", "2:15 L is made anew"),
    ("g(X) :- room(X).\ng(L) :- g(X), sort([X], L).", "2:15 L is made anew"),
    ("g(X) :- room(X).\ng(Y) :- g(X), wrap(X, Y).\nwrap(X, Y) :- X \\= 0, Y = f(X).",
     "2:15 Y is made anew"),
    ("g(X) :- room(X).\ng(Y) :- g(X), wrap(X, Y).\nwrap(X, L) :- findall(X, room(_), L).",
     "2:15 Y is made anew"),
    ("g([low]).\ng(Y) :- g(X), X = [T], Y = [f(T)].", "2:26 Y is made anew"),
    ("g([low]).\ng(Y) :- g(X), (Y = X ; Y = [X]).", "2:26 Y is made anew"),
    ("g(X) :- room(X).\ng(Y) :- g(X), Y = Z, Z = f(X).", "2:11 the variable X has no value yet"),
    ("g(X) :- room(X).\ng(Y) :- X = f(Y), g(X), room(Y).", "2:9 the variable X has no value yet"),
    ("n(0).\nn(N) :- n(M), N is M + 1, (floor(_, N) ; N > 0).", "2:17 N is made anew"),
    ("c([], N) :- N > 0, c([a], N).\nc([a|T], N) :- M is N + 1, c(T, M).",
     "2:18 M is made anew"),
    ("c([_|T], N) :- c([a, a], N), T = T.\nc([a|T], N) :- M is N + 1, c(T, M).",
     "2:18 M is made anew"),
    # the machine
    (":- use_module(library(lists)).", "1:1 the directive use_module(library(lists)) is not"),
    (":- consult('/etc/passwd').", "1:1 the directive consult('/etc/passwd') is not allowed"),
    ("p(R) :- room(R), consult('x.pl').", "1:18 consult/1 reaches for files or the machine"),
    ("p(R) :- room(R), shell(ls).", "1:18 shell/1 reaches for files or the machine"),
    ("p(R) :- room(R), write(R).", "1:18 write/1 reaches for files or the machine"),
    ("p(R) :- room(R), R =.. L, L = [_].", "1:20 =../2 of ProbLog may not be used"),
    # how facts are said
    ('fact(p(room), "{0}.", "Is {0} p?", ["p"]).', "1:6 no rule of the file defines p/1"),
    ('p(R) :- room(R).\nfact(p(room, room), "{0} {1}.", "Is {0} p?", ["p"]).',
     "2:6 no rule of the file defines p/2"),
    ('email(P, P) :- person(P).\nfact(email(person, person), "{0} {1}.", "Q?", ["p"]).',
     "2:6 there are facts named email/2 already"),
    ('p(R) :- room(R).\nfact(p(rum), "{0}.", "Is {0} p?", ["p"]).', "2:8 rum is no type"),
    ('p(N) :- floor(_, N).\nfact(p(number), "{0}.", "Is {0} p?", ["p"]).',
     "2:6 a fact is about something"),
    ('p(R, T) :- room(R), T > 3.\nfact(p(room, number), "{0} {1}.", "Is {0} p?", ["p"]).',
     "2:14 the rules give no value to argument 2"),
    ('p(R) :- room(R).\nfact(p(room), "{1}.", "Is {0} p?", ["p"]).',
     "2:15 the sentence has {1}, which stands for nothing"),
    ('p(R) :- room(R).\nfact(p(room), "{0.__class__}.", "Is {0} p?", ["p"]).',
     "2:15 the sentence has {0.__class__}, which stands for nothing"),
    ('p(R) :- room(R).\nfact(p(room), "{0:>99}.", "Is {0} p?", ["p"]).',
     "2:15 the sentence has {0:>99}, which stands for nothing"),
    ('p(R) :- room(R).\nfact(p(room), "{0", "Is {0} p?", ["p"]).',
     "2:15 the sentence '{0' cannot be filled in"),
    ('p(R) :- room(R).\nfact(p(room), "It is.", "Is {0} p?", ["p"]).',
     "2:15 the sentence does not say argument 1"),
    ('p(R) :- room(R).\nfact(p(room), "{0} is", "Is {0} p?", ["p"]).',
     "2:15 the sentence '{0} is' has no full stop"),
    ('p(R) :- room(R).\nfact(p(room), "{0}.", "Is {0} p?", []).', "2:1 [] is no cue"),
    ('p(R) :- room(R).\nfact(p(room), "{0}.", "Is {0} p?", ["p"], perhaps).',
     "2:43 perhaps is no answer"),
    ("p(R) :- room(R).\nfact(p(room)).", "2:1 fact takes 4 or 5 arguments, not 1"),
])
def test_load_user_rules_reports_a_mistake_with_its_place(tmp_path, text, mistake):
    assert [each for each in mistakes(tmp_path, text) if each.startswith(mistake)]


@pytest.mark.parametrize("text", [
    "linked(X, Y) :- linked(X, Z), office(Z, Y).\nlinked(X, Y) :- office(X, Y).",
    "linked(X, Y) :- office(X, Z), linked(Z, Y).\nlinked(X, Y) :- office(X, Y).",
    "with(P, Q) :- shared_event(P, Q, _).\nwith(P, Q) :- with(Q, P).",
    "n(0).\nn(N) :- n(M), M < 9, N is M + 1.",
    "n(0).\nn(N) :- n(M), N is M + 1, N =< 9.",
    "n(9).\nn(N) :- n(M), 0 < M, N is M - 1.",
    "n(0).\nn(N) :- n(M), now(T), M < T, succ(M, N).",
    "n(0).\nn(N) :- n(M), N is M + 1, between(0, 9, N).",
    "c(0).\nc(N) :- N > 0, M is N - 1, c(M).\np(R) :- floor(R, F), c(F).",
    "count([], 0).\ncount([_|T], N) :- count(T, M), N is M + 1.\n"
    "p(G, N) :- group(G), findall(P, member_of(P, G), L), count(L, N).",
    "d(E, 0) :- event(E).\nd(E, N) :- d(F, M), near(F, E), duration(E, K), N is M + K, "
    "between(0, 99, N).",
    "d(E, 0) :- event(E).\nd(E, N) :- d(F, M), M >= 0, near(F, E), duration(E, K), N is M + K, "
    "N < 99.",
    "size(R, N) :- room(R), findall(P, office(P, R), L), length(L, N).\n"
    "next(R, S) :- room(R), room(S), R \\= S.\nreach(R, N) :- size(R, N).\n"
    "reach(S, N) :- reach(R, _), next(R, S), size(S, N).",
    "n(0).\nn(N) :- n(M), N is M + 1, floor(_, N).",
    "first([H|_], H).\nmeets(P, P) :- person(P).\nmeets(P, Q) :- meets(P, R), "
    "findall(S, (member_of(R, G), member_of(S, G)), L), first(L, Q), person(Q).",
    "c([], 0).\nc([_|T], N) :- c(T, M), N is M + 1.\nc([_|T], N) :- d(T, N).\nd(T, N) :- c(T, N)."
    "\np(N) :- findall(P, person(P), L), c(L, N).",
    "latest(E, M) :- duration(E, M).\nlatest(E, M) :- latest(F, _), near(F, E), duration(E, M).",
    "p(R) :- room(R), \\+ office(_, R).",
    "p(R) :- room(R), \\+ (location(E, R), start(E, S), S < 9).",
    "p(R) :- room(R), (floor(R, 1) ; floor(R, 2)).",
    "p(R) :- room(R), once(floor(R, 2)), call(bookable(R)).",
    "early(E, T) :- start(E, S), S < T.\np(E) :- event(E), now(T), early(E, T).",
    "0.4::p(R); 0.6::q(R) :- room(R).",
    "0.25::p(R) :- room(R).",
])
def test_load_user_rules_accepts_what_means_something_and_ends(tmp_path, text):
    rules = load(tmp_path, text)
    assert rules.warnings == ()
    facts = Prover({**commonsense_texts(), **dict(rules.programs)}, deadline_s=30).slice()
    for each in ("ada", "bo"):
        facts.add("person", each)
        facts.add("member_of", each, "optics")
        facts.add("office", each, "low" if each == "bo" else "high")
        facts.add("attendee", "talk", each)
    facts.add("group", "optics")
    facts.add("now", 3)
    for room, floor in (("low", 1), ("high", 2), ("hall", 3)):
        facts.add("room", room)
        facts.add("floor", room, floor)
        facts.add("bookable", room)
    for event, start in (("talk", 1), ("tea", 5)):
        facts.add("event", event)
        facts.add("start", event, start)
        facts.add("end", event, start + 9)
    facts.add("near", "talk", "tea")
    facts.add("near", "tea", "talk")
    head = RuleText(text, "house.pl").statements[-1].heads[0]
    assert facts.ask(str(head.functor), *[None] * head.arity)


@given(st.text(alphabet=st.sampled_from("ab(R_),.:-;\\+'\"[|]01 \n%/*<>=!@é{}"), max_size=80))
@settings(max_examples=80, deadline=None)
def test_rule_text_says_what_cannot_be_read_and_never_fails(text):
    read = RuleText(text, "x.pl")
    lines = text.split("\n")
    for problem in read.problems:
        assert 1 <= problem.line <= len(lines)
        assert 1 <= problem.column <= len(lines[problem.line - 1]) + 1
    for statement in read.statements:
        assert all(signature(head) for head in statement.heads)


def test_rule_text_refuses_a_file_that_is_too_long():
    problem, = RuleText("p. " * 200_000, "x.pl").problems
    assert "600000 characters" in problem.message
