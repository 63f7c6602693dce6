"""The rules' own process as its parent sees it: started, asked, killed, started again.

One process serves all who use the same program, at the same time or one after the other. It
starts in the background; whoever asks first waits until it is there. After a fork the child
starts its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
import weakref
from collections import OrderedDict
from itertools import count
from math import inf
from socket import socketpair

from frontdesk.kg.graph.errors import DeadlineError, ProverError, RuleError
from frontdesk.rules.engine.inference import Plain, PlainFact, PlainRule
from frontdesk.rules.engine.prover_worker import (
    INVALID,
    OUT_OF_MEMORY,
    UNKNOWN_SLICE,
    Reply,
    Request,
    receive,
    send,
)

Texts = tuple[tuple[str, str], ...]
#: Seconds that a process may take to start, on a machine that is busy.
_START_S = 60.0
#: Less than any reply takes.
_LEAST_S = 1e-3
_MORE_TIME = "Allow more with rules.deadline_s in the settings"
#: Processes that stay when nobody uses them, the last ones used: somebody may again.
_MOST_KEPT = 4
_workers: weakref.WeakValueDictionary[Texts, Worker] = weakref.WeakValueDictionary()
_kept: OrderedDict[Texts, Worker] = OrderedDict()
_workers_lock = threading.Lock()
_numbers = count(1)


class Budget:
    """Seconds for the questions of a turn to the rules, whatever slices and programs these are in.

    Args:
        seconds: As many; None for no limit.
    """

    def __init__(self, seconds: float | None) -> None:
        self.seconds = inf if seconds is None else seconds
        self.left = self.seconds

    def check(self) -> None:
        """See that time is left.

        Raises:
            DeadlineError: There is less than it takes to ask anything.
        """
        if self.left < _LEAST_S:
            raise DeadlineError(f"reasoning took longer than {self.seconds:g} s", remedy=_MORE_TIME)


class RemoteSlice:
    """The facts of one turn in another process.

    Args:
        budget: What the questions may take, here and in other slices of the turn. Waiting for the
            process to start, or for the questions of others, does not count.
    """

    def __init__(self, worker: Worker, budget: Budget) -> None:
        self._worker, self._budget = worker, budget
        self._number = next(_numbers)
        self._sent = 0

    def reply(self, facts: list[PlainFact | PlainRule], kind: str, predicate: str,
              arguments: tuple[Plain, ...]) -> Reply:
        """The reply to a question.

        Args:
            facts: All facts of the slice; those of earlier questions first.
            kind: ``ask``, or ``prove``, for which there is the whole budget each time: it is
                asked for when the turn is over.
            arguments: Its arguments; None for an open one.

        Raises:
            DeadlineError: The time is used up.
            ProverError: The process ended by itself.
            RuleError: The program cannot be read.
        """
        budget = self._budget if kind == "ask" else Budget(self._budget.seconds)
        for sent in (self._sent, 0):
            budget.check()
            reply = self._worker.call((self._number, sent, facts[sent:], kind, predicate,
                                       arguments, budget.left), budget)
            # The process is another one by now, or has forgotten the slice: all facts again.
            if reply[0] != UNKNOWN_SLICE:
                break
        self._sent = len(facts)
        return reply


class Worker:
    """A process for one program, started again whenever it was killed or ended.

    Args:
        texts: Name of each file of the program and the text of it.
    """

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self._lock = threading.Lock()
        self._running: list[_Process] = []
        weakref.finalize(self, _end_all, self._running)
        self._restart()

    @property
    def pid(self) -> int | None:
        """The process now running."""
        return self._running[0].pid if self._running else None

    def call(self, request: Request, budget: Budget) -> Reply:
        """The reply to a request.

        Args:
            request: It, with the seconds that it may take.
            budget: What the seconds that it takes are taken from, whether there is a reply or not.

        Raises:
            DeadlineError: It takes longer than the request says; the process is killed.
            ProverError: The process ended by itself.
            RuleError: The program cannot be read.
        """
        with self._lock:
            if not self._running:
                self._restart()
            process = self._running[0]
            answered = False
            try:
                process.wait_until_ready()
                began = time.monotonic()
                try:
                    reply = process.call(request)
                finally:
                    budget.left -= time.monotonic() - began
                answered = True
            except TimeoutError as error:
                budget.left = 0.0
                raise DeadlineError(f"reasoning took longer than {budget.seconds:g} s",
                                    remedy=_MORE_TIME) from error
            except (EOFError, OSError) as error:
                raise ProverError(process.obituary(), remedy="Ask again; ask about less at once if "
                                  "it happens every time") from error
            finally:
                # Whatever else came between, Ctrl-C say: a reply may come that nobody awaits.
                if not answered:
                    self._restart()
            return reply

    def rest(self) -> None:
        """End the process until something is asked again."""
        with self._lock:
            _end_all(self._running)

    def forget(self) -> None:
        """In the child of a fork: the process is the parent's."""
        self._lock = threading.Lock()
        for process in self._running:
            process.disown()
        self._running.clear()

    def _restart(self) -> None:
        _end_all(self._running)
        try:
            self._running.append(_Process(self._texts))
        except OSError as error:
            raise ProverError(
                f"no process for the rules can be started: {error}",
                remedy="Let the system start one, or set rules.deadline_s = 0 in the settings to "
                "reason without a time limit") from error


class _Process:
    """One run of the process."""

    def __init__(self, texts: Texts) -> None:
        self._connection, theirs = socketpair()
        self._ready = False
        with theirs:
            # Away from the current directory (-P), and in a session of its own: Ctrl-C is not for
            # it.
            self._process: subprocess.Popen[bytes] = subprocess.Popen(
                [sys.executable, "-P", "-m", "frontdesk.rules.engine.prover_worker"],
                stdin=theirs.fileno(), stdout=subprocess.DEVNULL, start_new_session=True)
        self._connection.settimeout(_START_S)
        sent = False
        try:
            send(self._connection, texts)
            sent = True
        finally:
            # Nobody else knows of it yet.
            if not sent:
                self.end()

    @property
    def pid(self) -> int:
        return self._process.pid

    def wait_until_ready(self) -> None:
        """Wait for the process to have read the program."""
        if self._ready:
            return
        self._connection.settimeout(_START_S)
        try:
            kind, message = receive(self._connection)
        except TimeoutError as error:
            raise EOFError from error
        if kind == INVALID:
            raise RuleError(f"the rules cannot be read: {message}", remedy="Correct the rule")
        self._ready = True

    def call(self, request: Request) -> Reply:
        """One request and its reply."""
        end = time.monotonic() + request[-1]
        self._connection.settimeout(request[-1])
        send(self._connection, request)
        self._connection.settimeout(max(end - time.monotonic(), _LEAST_S))
        reply: Reply = receive(self._connection)
        return reply

    def end(self) -> None:
        """Kill it, wherever it is."""
        self._connection.close()
        self._process.kill()
        self._process.wait()

    def obituary(self) -> str:
        """How it ended."""
        self.end()
        status = self._process.returncode
        if status == OUT_OF_MEMORY:
            return "the process that evaluates the rules ran out of memory"
        return f"the process that evaluates the rules ended by itself (status {status})"

    def disown(self) -> None:
        """Let go of it without touching it."""
        self._connection.close()
        self._process.returncode = 0  # not a child of this process: nothing to wait for


def worker_for(texts: Texts) -> Worker:
    """The worker of this process for a program, shared by all who use it."""
    with _workers_lock:
        worker = _workers.get(texts)
        if worker is None:
            worker = _workers[texts] = Worker(texts)
        _kept[texts] = worker
        _kept.move_to_end(texts)
        if len(_kept) > _MOST_KEPT:
            _kept.popitem(last=False)
        return worker


def end_workers() -> None:
    """End the processes of all programs; whoever asks something starts one again."""
    with _workers_lock:
        workers = list(_workers.values())
    for worker in workers:
        worker.rest()


def _end_all(running: list[_Process]) -> None:
    while running:
        running.pop().end()


def _after_fork() -> None:
    global _workers_lock
    _workers_lock = threading.Lock()
    for worker in list(_workers.values()):
        worker.forget()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
