from __future__ import annotations

import os
import random
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor, wait

import pytest

from frontdesk.kg.models.micro_batches import MicroBatcher

SOON = 10.0


class Count:
    """A task of so many passes."""

    def __init__(self, name, passes=1, weight=1):
        self.name, self.passes, self.weight = name, passes, weight
        self.made = 0

    @property
    def done(self):
        return self.made >= self.passes


class Passes:
    """Makes passes when it is let, and keeps what each was for."""

    def __init__(self, *, held=False):
        self.made, self.threads = [], []
        self.let = threading.Semaphore(0)
        self.held = held

    def __call__(self, tasks):
        self.made.append([each.name for each in tasks])
        self.threads.append(threading.get_ident())
        if self.held:
            assert self.let.acquire(timeout=SOON)
        if any(each.name == "bad" for each in tasks):
            raise ValueError("a bad task")
        for each in tasks:
            each.made += 1

    def go_on(self):
        """Let all passes be made."""
        self.held = False
        self.let.release()


def until(holds):
    """Wait for what other threads do."""
    end = time.monotonic() + SOON
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.001)


@pytest.fixture
def pool():
    with ThreadPoolExecutor(16) as threads:
        yield threads


@pytest.fixture
def passes():
    return Passes(held=True)


@pytest.fixture
def batcher(passes):
    return MicroBatcher(passes, most=4, weigh=lambda task: task.weight)


@pytest.fixture
def come(pool, passes, batcher):
    """Begin tasks one after the other, each in a thread of its own; the first is being done."""
    def begin(*tasks):
        futures = []
        for task in tasks:
            asked = len(passes.made) + len(batcher._waiting)
            futures.append(pool.submit(batcher.run, lambda task=task: task))
            until(lambda before=asked: len(passes.made) + len(batcher._waiting) > before)
        return futures
    return begin


def test_a_task_with_nobody_else_is_done_by_its_own_thread():
    passes = Passes()
    before = threading.active_count()
    task = MicroBatcher(passes, most=4).run(lambda: Count("a", passes=3))
    assert task.done
    assert passes.made == [["a"]] * 3
    assert set(passes.threads) == {threading.get_ident()}
    assert threading.active_count() == before


def test_tasks_that_come_during_a_pass_share_the_next(come, passes):
    futures = come(Count("a"), Count("b"), Count("c"))
    passes.go_on()
    assert [each.result(SOON).name for each in futures] == ["a", "b", "c"]
    assert passes.made == [["a"], ["b", "c"]]


def test_tasks_join_and_leave_while_others_go_on(come, passes):
    futures = come(Count("a", passes=3), Count("b", passes=1), Count("c", passes=4))
    passes.go_on()
    wait(futures, SOON)
    assert passes.made == [["a"], ["a", "b", "c"], ["a", "c"], ["c"], ["c"]]


def test_a_thread_does_passes_no_longer_than_for_its_own_task(come, passes):
    first, second = come(Count("a"), Count("b", passes=2))
    passes.let.release()
    assert first.result(SOON).name == "a"
    assert not second.done()
    passes.go_on()
    assert second.result(SOON).done
    assert len(set(passes.threads)) == 2


def test_no_pass_is_larger_than_it_may_be_and_the_first_come_first(come, passes):
    futures = come(*(Count(name) for name in "abcdefghij"))
    passes.go_on()
    wait(futures, SOON)
    assert passes.made == [["a"], ["b", "c", "d", "e"], ["f", "g", "h", "i"], ["j"]]


def test_a_light_task_does_not_overtake_a_heavy_one(come, passes):
    futures = come(Count("a"), Count("b", weight=2), Count("heavy", weight=9), Count("c"))
    passes.go_on()
    wait(futures, SOON)
    assert passes.made == [["a"], ["b"], ["heavy"], ["c"]]


def test_a_bad_task_fails_its_own_caller_only(come, passes, batcher):
    futures = come(Count("a"), Count("b"), Count("bad"), Count("c"))
    passes.go_on()
    assert futures[1].result(SOON).done
    assert futures[3].result(SOON).done
    with pytest.raises(ValueError, match="a bad task"):
        futures[2].result(SOON)
    assert batcher.run(lambda: Count("d")).done


def test_a_task_is_begun_anew_when_a_pass_with_others_failed(pool, passes, batcher):
    begun = []

    def begin():
        begun.append(Count("a", passes=2))
        return begun[-1]

    first = pool.submit(batcher.run, begin)
    until(lambda: passes.made)
    second = pool.submit(batcher.run, lambda: Count("bad"))
    until(lambda: batcher._waiting)
    passes.go_on()
    assert first.result(SOON) is begun[1]
    assert [each.made for each in begun] == [1, 2]
    assert isinstance(second.exception(SOON), ValueError)


def test_a_task_that_fails_alone_leaves_room_for_the_next():
    passes = Passes()
    batcher = MicroBatcher(passes, most=4)
    for _ in range(2):
        with pytest.raises(ValueError, match="a bad task"):
            batcher.run(lambda: Count("bad"))
    assert batcher.run(lambda: Count("a")).done
    assert passes.made == [["bad"], ["bad"], ["a"]]


def test_a_task_that_cannot_be_begun_holds_nobody_up():
    def begin():
        raise KeyError("nothing to begin with")

    batcher = MicroBatcher(Passes(), most=4)
    with pytest.raises(KeyError):
        batcher.run(begin)
    assert batcher.run(lambda: Count("a")).done


def test_a_task_of_no_passes_is_done(batcher, passes):
    assert batcher.run(lambda: Count("a", passes=0)).done
    assert passes.made == []


class GivenUpError(Exception):
    """Raised by a signal."""


@pytest.fixture
def alarm():
    """Make this thread give up in a moment."""
    def ring(*_):
        raise GivenUpError

    before = signal.signal(signal.SIGALRM, ring)
    yield lambda: signal.setitimer(signal.ITIMER_REAL, 0.05)
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def test_who_gives_up_waiting_is_left_out(come, passes, batcher, alarm):
    first = come(Count("a"))
    alarm()
    with pytest.raises(GivenUpError):
        batcher.run(lambda: Count("given up"))
    later = come(Count("b"))
    passes.go_on()
    wait([*first, *later], SOON)
    assert passes.made == [["a"], ["b"]]


def test_who_gives_up_in_a_pass_holds_up_none_of_those_in_it(pool, passes, batcher, alarm):
    def others():
        until(lambda: passes.made)
        return [pool.submit(batcher.run, lambda name=name: Count(name)) for name in "bc"]

    begun = pool.submit(others)
    alarm()
    with pytest.raises(GivenUpError):
        batcher.run(lambda: Count("a"))
    passes.go_on()
    assert [each.result(SOON).name for each in begun.result(SOON)] == ["b", "c"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_forked_process_waits_for_no_thread_of_the_other(come, passes, batcher):
    futures = come(Count("a"), Count("b"))
    process = os.fork()
    if not process:
        status = 1
        try:
            signal.alarm(int(SOON))
            passes.held = False
            status = int(not batcher.run(lambda: Count("c")).done or passes.made[-1] != ["c"])
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0
    passes.go_on()
    assert [each.result(SOON).name for each in futures] == ["a", "b"]


def test_every_task_of_many_threads_is_done_once():
    random_ = random.Random(3)
    sizes = []

    def step(tasks):
        assert not any(each.done for each in tasks)
        sizes.append(sum(each.weight for each in tasks))
        time.sleep(0)
        if any(each.name % 7 == 0 for each in tasks):
            raise ValueError
        for each in tasks:
            each.made += 1

    batcher = MicroBatcher(step, most=5, weigh=lambda task: task.weight)
    shapes = [(name, random_.randint(1, 4), random_.randint(1, 3)) for name in range(600)]

    def do(shape):
        try:
            task = batcher.run(lambda: Count(*shape))
        except ValueError:
            return None
        return task.name, task.made

    with ThreadPoolExecutor(12) as threads:
        found = list(threads.map(do, shapes))
    assert found == [None if name % 7 == 0 else (name, passes) for name, passes, _ in shapes]
    assert max(sizes) <= 5
    assert batcher.run(lambda: Count(1)).done
