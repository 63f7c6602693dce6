from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time

import psutil
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from problog.engine import DefaultEngine
from problog.logic import Constant, Term
from problog.program import PrologString
from problog.sdd_formula import SDD

from frontdesk.kg.graph.errors import DeadlineError, ProverError, RuleError, UncertaintyError
from frontdesk.rules.engine import prover_worker
from frontdesk.rules.engine.inference import (
    MOST_COLLECTED,
    MOST_UNCERTAIN,
    FactSlice,
    Program,
)
from frontdesk.rules.engine.prover import Prover, Solution
from frontdesk.rules.engine.prover_process import Budget, end_workers

PATHS = """
path(X, Y) :- edge(X, Y).
path(X, Y) :- path(X, Z), edge(Z, Y).
lost(X) :- place(X), \\+ path(home, X), \\+ path(X, _).
lost(X) :- place(X), home(H), \\+ path(H, X).
reached(N) :- findall(X, path(home, X), All), length(All, N).
"""
FREE = "free(P) :- person(P), \\+ busy(P)."
ENDLESS = "up(N) :- M is N + 1, up(M). fine(1)."
#: Long enough that it is never what ends a question here.
PATIENT = 60.0


@pytest.fixture(params=[None, PATIENT], ids=["here", "process"])
def deadline(request) -> float | None:
    return request.param


def is_gone(pid: int, *, within: float = 20.0) -> bool:
    end = time.monotonic() + within
    while time.monotonic() < end:
        if not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
            return True
        time.sleep(0.02)
    return False


def test_prover_gives_the_values_of_open_arguments_in_the_order_found(deadline):
    facts = Prover("next(X, Y, N) :- after(X, Y), at(Y, N).", deadline_s=deadline).slice()
    for place, number in (("b", 7), ("a", -3)):
        facts.add("after", "x", place)
        facts.add("at", place, number)
    facts.add("after", "x", "b")
    assert facts.ask("next", "x", None, None) == [Solution(("b", 7), 1.0), Solution(("a", -3), 1.0)]
    assert facts.ask("next", "x", "a", -3) == [Solution((), 1.0)]
    assert facts.ask("next", "y", None, None) == []
    assert facts.ask("next", "x", "a", 3) == []


def test_prover_takes_facts_between_questions(deadline):
    facts = Prover(FREE, deadline_s=deadline).slice()
    assert facts.ask("free", None) == []
    facts.add("person", "ada")
    facts.add("person", "bo")
    assert facts.ask("free", None) == [Solution(("ada",), 1.0), Solution(("bo",), 1.0)]
    facts.add("busy", "bo")
    assert facts.ask("free", None) == [Solution(("ada",), 1.0)]


def test_prover_slices_do_not_see_each_others_facts(deadline):
    prover = Prover(FREE, deadline_s=deadline)
    # More of them than the process keeps.
    slices = [prover.slice() for _ in range(40)]
    for number, facts in enumerate(slices):
        facts.add("person", f"p{number}")
        assert facts.ask("free", None) == [Solution((f"p{number}",), 1.0)]
    for number, facts in enumerate(slices):
        facts.add("person", number)
        assert facts.ask("free", None) == [Solution((f"p{number}",), 1.0),
                                           Solution((number,), 1.0)]


def test_prover_is_exact_about_uncertain_facts_and_leaves_out_the_impossible(deadline):
    facts = Prover(FREE + " 0.5::late(P) :- free(P).", deadline_s=deadline).slice()
    facts.add("person", "ada", probability=0.5)
    facts.add("person", "bo")
    facts.add("busy", "ada", probability=0.2)
    facts.add("busy", "bo")
    assert facts.ask("free", None) == [Solution(("ada",), pytest.approx(0.4))]
    assert facts.ask("late", None) == [Solution(("ada",), pytest.approx(0.2))]
    assert facts.ask("late", "bo") == []


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("abcd"),
                          st.sampled_from([0.25, 0.5, 0.9, 1.0])), max_size=8),
       st.sampled_from([("path", "a", None), ("path", None, None), ("lost", None),
                        ("path", "a", "b")]))
def test_prover_agrees_with_plain_problog(edges, query):
    facts = Prover(PATHS).slice()
    plain = DefaultEngine().prepare(PrologString(PATHS)).extend()
    for place in "abcd":
        facts.add("place", place)
        plain += Term("place", Term(place))
    facts.add("home", "a")
    plain += Term("home", Term("a"))
    for start, end, probability in edges:
        facts.add("edge", start, end, probability=probability)
        plain += Term("edge", Term(start), Term(end)).with_probability(Constant(probability))
    predicate, *arguments = query
    asked = Term(predicate, *(None if each is None else Term(each) for each in arguments))
    ground = DefaultEngine(unknown=1).ground_all(plain, queries=[asked])
    expected = {tuple(str(each) for each, given_ in zip(atom.args, arguments, strict=True)
                      if given_ is None): value
                for atom, value in SDD.create_from(ground).evaluate().items() if value > 0}
    assert {each.values: each.probability for each in facts.ask(*query)} == pytest.approx(
        expected, abs=1e-9)


def test_questions_asked_together_have_the_answers_that_each_has_alone():
    def facts() -> FactSlice:
        found = FactSlice(Program([("paths.pl", PATHS)]))
        found.add([("home", ("a",), 1.0), *(("place", (each,), 1.0) for each in "abcd"),
                   *(("edge", pair, chance) for pair, chance in (
                       (("a", "b"), 0.5), (("b", "a"), 1.0), (("b", "c"), 0.9)))])
        return found
    questions = [("lost", (None,)), ("path", ("a", None)), ("path", ("c", "a")),
                 ("reached", (None,)), ("path", (None, "c"))]
    together = facts().ask_all(questions)
    assert [len(each) for each in together] == [4, 3, 0, 1, 2]
    for own, question in zip(together, questions, strict=True):
        assert dict(own) == pytest.approx(dict(facts().ask(*question)))


@pytest.mark.parametrize("name", [
    "c0", "c1", "cc0", "_", "X", "a b", "x'), busy(c0", "\"x\"", "\\", "\n", "%", "[]", "Ødegård",
    "0", "-1", "free", "", "'", "a:-b.", "\x00", "🙂"])
def test_prover_takes_any_string_as_an_id_and_gives_it_back(name, deadline):
    facts = Prover(FREE, deadline_s=deadline).slice()
    facts.add("person", "ada")
    facts.add("person", name)
    facts.add("busy", "ada")
    assert facts.ask("free", None) == [Solution((name,), 1.0)]
    assert facts.ask("free", name) == [Solution((), 1.0)]


def test_prover_ids_are_not_the_constants_of_a_program(deadline):
    facts = Prover("known(c0). known(X) :- told(X). kind(X, plain) :- told(X).",
                   deadline_s=deadline).slice()
    facts.add("told", "c1")
    assert facts.ask("known", "c0") == []
    assert facts.ask("known", "c1") == [Solution((), 1.0)]
    with pytest.raises(RuleError, match="has the value plain"):
        facts.ask("kind", "c1", None)


def test_prover_says_that_a_solution_rests_on_too_many_uncertain_facts(deadline):
    facts = Prover("any :- one(_). each(X) :- one(X).", deadline_s=deadline).slice()
    for number in range(MOST_UNCERTAIN + 1):
        facts.add("one", number, probability=0.5)
    with pytest.raises(UncertaintyError, match=f"any rests on more than {MOST_UNCERTAIN} "):
        facts.ask("any")
    assert len(facts.ask("each", None)) == MOST_UNCERTAIN + 1


def test_prover_bounds_what_is_collected_before_it_makes_the_lists(deadline):
    facts = Prover("size(N) :- findall(X, one(X), All), length(All, N). twice(M) :- size(N), "
                   "M is 2 * N.", deadline_s=deadline).slice()
    for number in range(50):
        facts.add("one", number)
    assert facts.ask("twice", None) == [Solution((100,), 1.0)]
    for number in range(2):
        facts.add("one", 50 + number, probability=0.5)
    assert {each.values: each.probability for each in facts.ask("twice", None)} == pytest.approx(
        {(100,): 0.25, (102,): 0.5, (104,): 0.25})
    for number in range(MOST_COLLECTED):
        facts.add("one", 60 + number, probability=0.5)
    with pytest.raises(UncertaintyError):
        facts.ask("twice", None)
    facts.add("one", 100)
    assert facts.ask("one", 100) == [Solution((), 1.0)]


@pytest.mark.parametrize("probability", [0.0, -0.1, 1.1, float("nan")])
def test_prover_refuses_what_is_no_probability(probability):
    with pytest.raises(ValueError, match="probability"):
        Prover(FREE).slice().add("person", "ada", probability=probability)


def test_prover_says_that_a_program_cannot_be_read(deadline):
    with pytest.raises(RuleError, match=r"cannot be read: .* at free\.pl:2:"):
        Prover({"busy.pl": "busy(nobody).", "free.pl": "% Who is free?\nfree(P) :- person(P"},
               deadline_s=deadline).slice().ask("free", None)


def test_prover_says_that_a_rule_cannot_be_evaluated_and_goes_on(deadline):
    facts = Prover({"first.pl": "one(1).\ntwo(2).", "sums.pl": "fine(1).\n\nsum(N) :- N is M + 1."},
                   deadline_s=deadline).slice()
    with pytest.raises(RuleError, match=r"at sums\.pl:3:13"):
        facts.ask("sum", None)
    assert facts.ask("fine", None) == [Solution((1,), 1.0)]


# --- the process


def test_prover_kills_the_process_when_the_time_is_used_up():
    prover = Prover(ENDLESS, deadline_s=0.5)
    facts = prover.slice()
    assert facts.ask("fine", None) == [Solution((1,), 1.0)]
    pid = prover.worker.pid
    with pytest.raises(DeadlineError, match=r"longer than 0\.5 s"):
        facts.ask("up", 0)
    assert not psutil.pid_exists(pid)
    with pytest.raises(DeadlineError):
        facts.ask("fine", None)
    assert prover.worker.pid != pid
    facts = prover.slice()
    facts.add("fine", 2)
    assert facts.ask("fine", None) == [Solution((1,), 1.0), Solution((2,), 1.0)]


@pytest.mark.slow
def test_prover_gives_the_time_of_a_slice_to_its_questions_together():
    # Each question alone would do: about a tenth of the time by counting that far.
    prover = Prover("to(N, N). to(N, M) :- N < M, L is N + 1, to(L, M).", deadline_s=PATIENT)
    prover.slice().ask("to", 0, 100)
    began = time.monotonic()
    prover.slice().ask("to", 0, 400)
    took = time.monotonic() - began
    facts = Prover("to(N, N). to(N, M) :- N < M, L is N + 1, to(L, M).",
                   deadline_s=took * 10).slice()

    def ask_often() -> None:
        for _ in range(1000):
            facts.ask("to", 0, 400)
    with pytest.raises(DeadlineError):
        ask_often()


def test_prover_slices_of_a_turn_share_its_time():
    prover = Prover(ENDLESS, deadline_s=PATIENT)
    budget = Budget(0.5)
    first, second = prover.slice(budget), Prover(FREE, deadline_s=PATIENT).slice(budget)
    assert first.ask("fine", None) == [Solution((1,), 1.0)]
    assert second.ask("free", None) == []
    assert 0 < budget.left < 0.5
    with pytest.raises(DeadlineError):
        first.ask("up", 0)
    pid = prover.worker.pid
    for facts in (second, prover.slice(budget)):
        with pytest.raises(DeadlineError, match=r"longer than 0\.5 s"):
            facts.ask("fine", None)
    assert prover.worker.pid == pid
    assert prover.slice().ask("fine", None) == [Solution((1,), 1.0)]


def test_prover_takes_the_time_of_a_question_that_its_process_dies_of_from_a_turn():
    prover = Prover(ENDLESS + "% dies", deadline_s=PATIENT)
    prover.slice().ask("fine", None)
    killer = threading.Timer(0.3, os.kill, (prover.worker.pid, signal.SIGKILL))
    budget = Budget(PATIENT)
    killer.start()
    with pytest.raises(ProverError):
        prover.slice(budget).ask("up", 0)
    killer.join()
    assert budget.left < PATIENT


def test_prover_ends_a_process_that_does_not_take_its_program(tmp_path, monkeypatch):
    deaf = tmp_path / "deaf"
    deaf.write_text(f"#!/bin/sh\necho $$ > {tmp_path}/pid\nexec 0<&-\nexec sleep 600\n",
                    encoding="utf-8")
    deaf.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(deaf))
    with pytest.raises(ProverError, match="can be started"):
        # More than waits in between for somebody to read it.
        Prover(FREE + "%" + "x" * (8 << 20), deadline_s=PATIENT)
    assert is_gone(int((tmp_path / "pid").read_text(encoding="utf-8")))


@pytest.mark.parametrize("refusal", [ValueError, OSError])
def test_prover_process_goes_on_where_memory_cannot_be_limited(monkeypatch, refusal):
    resource = pytest.importorskip("resource")

    def refuse(*_: object) -> None:
        raise refusal("not permitted")
    monkeypatch.setattr(resource, "setrlimit", refuse)
    hung_up, theirs = socket.socketpair()
    hung_up.close()
    with theirs:
        # It serves, and ends well because nobody asks for anything.
        monkeypatch.setattr(os, "dup", lambda _: theirs.detach())
        before = signal.getsignal(signal.SIGALRM)
        try:
            assert prover_worker.main() == 0
        finally:
            signal.signal(signal.SIGALRM, before)


def test_prover_finds_the_proof_of_a_slice_whose_time_is_used_up():
    prover = Prover(ENDLESS + " late :- told.", deadline_s=0.5)
    facts = prover.slice()
    facts.add("told")
    with pytest.raises(DeadlineError):
        facts.ask("up", 0)
    assert [leaf.goal for leaf in facts.prove("late").leaves()] == ["told"]
    with pytest.raises(DeadlineError):
        facts.prove("up", 0)


def test_prover_says_that_no_process_can_be_started(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(ProverError, match="can be started"):
        Prover(FREE + "% nowhere", deadline_s=PATIENT)


def test_prover_says_that_the_process_ended_and_starts_it_again():
    prover = Prover(FREE + "% ended", deadline_s=PATIENT)
    facts = prover.slice()
    facts.add("person", "ada")
    assert facts.ask("free", None) == [Solution(("ada",), 1.0)]
    pid = prover.worker.pid
    os.kill(pid, signal.SIGKILL)
    with pytest.raises(ProverError, match="status -9"):
        facts.ask("free", None)
    assert not psutil.pid_exists(pid)
    facts.add("person", "bo")
    assert facts.ask("free", None) == [Solution(("ada",), 1.0), Solution(("bo",), 1.0)]


def test_prover_process_that_was_ended_is_started_again_when_something_is_asked():
    prover = Prover(FREE + "% rested", deadline_s=PATIENT)
    facts = prover.slice()
    facts.add("person", "ada")
    assert facts.ask("free", None) == [Solution(("ada",), 1.0)]
    before = prover.worker.pid
    end_workers()
    assert prover.worker.pid is None
    assert not psutil.pid_exists(before)
    assert facts.ask("free", None) == [Solution(("ada",), 1.0)]


def test_prover_does_not_wait_for_a_process_that_is_killed_at_work():
    prover = Prover(ENDLESS + "% killed", deadline_s=600)
    prover.slice().ask("fine", None)
    killer = threading.Timer(0.3, os.kill, (prover.worker.pid, signal.SIGKILL))
    killer.start()
    with pytest.raises(ProverError):
        prover.slice().ask("up", 0)
    killer.join()
    assert prover.slice().ask("fine", None)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="limits of another process: Linux alone")
def test_prover_takes_no_more_memory_than_its_limit():
    import resource
    prover = Prover(ENDLESS + "% memory", deadline_s=5)
    prover.slice().ask("fine", None)
    soft, hard = resource.prlimit(prover.worker.pid, resource.RLIMIT_AS)
    assert soft <= 2 << 30
    used = psutil.Process(prover.worker.pid).memory_info().vms
    resource.prlimit(prover.worker.pid, resource.RLIMIT_AS, (used + (20 << 20), hard))
    # Python may get nowhere, with no memory to say so.
    with pytest.raises((ProverError, DeadlineError), match=r"memory|took longer"):
        prover.slice().ask("up", 0)
    assert prover.slice().ask("fine", None)


def test_prover_is_in_step_again_after_an_interruption():
    prover = Prover(ENDLESS + "% interrupted", deadline_s=600)
    prover.slice().ask("fine", None)
    pid = prover.worker.pid
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(KeyboardInterrupt):
            prover.slice().ask("up", 0)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert not psutil.pid_exists(pid)
    assert prover.slice().ask("fine", None) == [Solution((1,), 1.0)]


def test_prover_process_is_out_of_reach_of_ctrl_c():
    prover = Prover(FREE, deadline_s=PATIENT)
    assert os.getpgid(prover.worker.pid) != os.getpgid(0)


def test_provers_of_the_same_program_share_a_process():
    provers = [Prover(FREE + "% shared", deadline_s=PATIENT) for _ in range(5)]
    other = Prover(FREE + "% another", deadline_s=PATIENT)
    pid, = {prover.worker.pid for prover in provers}
    assert other.worker.pid != pid
    provers.clear()
    assert Prover(FREE + "% shared", deadline_s=PATIENT).worker.pid == pid


def test_prover_process_ends_when_it_has_not_been_used_for_long():
    used = Prover(FREE + "% used", deadline_s=PATIENT)
    used_pid, unused_pid = used.worker.pid, Prover(FREE + "% unused", deadline_s=PATIENT).worker.pid
    for number in range(4):
        assert psutil.pid_exists(unused_pid)
        Prover(FREE + f"% further {number}", deadline_s=PATIENT)
    assert is_gone(unused_pid)
    assert used.slice().ask("free", None) == []
    assert used.worker.pid == used_pid


def test_prover_serves_several_threads():
    prover = Prover(FREE + "% threads", deadline_s=PATIENT)
    wrong = []

    def work(name: str) -> None:
        for turn in range(20):
            facts = prover.slice()
            facts.add("person", f"{name}{turn}")
            if facts.ask("free", None) != [Solution((f"{name}{turn}",), 1.0)]:
                wrong.append((name, turn))
    threads = [threading.Thread(target=work, args=(name,)) for name in "abcdef"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_prover_works_on_both_sides_of_a_fork():
    prover = Prover(FREE + "% fork", deadline_s=PATIENT)
    pid = prover.worker.pid
    facts = prover.slice()
    facts.add("person", "ada")
    answer = facts.ask("free", None)
    receiving, sending = os.pipe()
    child = os.fork()
    if not child:
        told = facts.ask("free", None) == answer and prover.worker.pid != pid
        os.write(sending, str(told).encode())
        os._exit(0)
    os.waitpid(child, 0)
    os.close(sending)
    with os.fdopen(receiving) as said:
        assert said.read() == "True"
    assert facts.ask("free", None) == answer
    assert prover.worker.pid == pid


SPAWNING = """
import multiprocessing
from frontdesk.rules.engine.prover import Prover

def answer(prover):
    facts = prover.slice()
    facts.add("person", "ada")
    return facts.ask("person", None), prover.worker.pid

if __name__ == "__main__":
    prover = Prover("free(P) :- person(P), \\\\+ busy(P).", deadline_s=60)
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        there = pool.map(answer, [prover] * 4)
    here, pid = answer(prover)
    assert all(found == here and other != pid for found, other in there), (there, here)
    print(*{other for _, other in there})
"""


def test_prover_works_in_spawned_processes(tmp_path):
    script = tmp_path / "spawning.py"
    script.write_text(SPAWNING, encoding="utf-8")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False,
                          timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    assert all(is_gone(int(pid)) for pid in done.stdout.split())


PARENT = """
import sys, time
from frontdesk.rules.engine.prover import Prover
if __name__ == "__main__":
    prover = Prover("up(N) :- M is N + 1, up(M). fine(1).", deadline_s=2)
    facts = prover.slice()
    facts.ask("fine", None)
    print(prover.worker.pid, flush=True)
    if "busy" in sys.argv:
        facts.ask("up", 0)
    if "idle" in sys.argv:
        time.sleep(600)
"""


@pytest.mark.parametrize("doing", ["idle", "busy"])
def test_prover_process_does_not_outlive_its_killed_parent(doing):
    with subprocess.Popen([sys.executable, "-c", PARENT, doing], stdout=subprocess.PIPE,
                          text=True) as parent:
        pid = int(parent.stdout.readline())
        assert psutil.pid_exists(pid)
        parent.kill()
    assert is_gone(pid)


def test_prover_leaves_nothing_behind_and_says_nothing():
    done = subprocess.run([sys.executable, "-W", "error", "-c", PARENT], capture_output=True,
                          text=True, check=True, timeout=60)
    assert done.stderr == ""
    assert is_gone(int(done.stdout))
