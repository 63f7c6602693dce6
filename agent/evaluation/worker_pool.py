"""Who evaluates dialogues: this process, several on this machine, or a Ray cluster.

Whoever does it, a dialogue's results are the same to the bit: models run in one thread, and no
dialogue's embeddings depend on another's (:mod:`frontdesk.agent.evaluation.measure_encoder`).
"""

from __future__ import annotations

import os
import socket
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from frontdesk.agent.evaluation.measure_encoder import EvaluationEncoder
from frontdesk.agent.evaluation.replay_dialogue import DialogueEvaluator, Record, RunSettings
from frontdesk.agent.evaluation.worker_processes import in_processes, one_thread
from frontdesk.agent.sessions.load_components import load_bare_encoder
from frontdesk.data.datasets.data_set import EvaluationDialogue
from frontdesk.kg.graph.errors import InputError, UnavailableError
from frontdesk.kg.graph.optional_packages import import_extra

#: A dialogue with the numbers of its turns that are done.
Task = tuple[EvaluationDialogue, Collection[int]]

#: How often Ray starts a dialogue again whose worker died.
_RETRIES = 3
_CONNECT_S = 5.0


def evaluate_here(run: RunSettings, tasks: Sequence[Task]) -> Iterator[list[Record]]:
    """Evaluate in this process, yielding turn by turn."""
    with one_thread():
        evaluator = _evaluator(run, threads=os.cpu_count() or 1)
        for dialogue, done in tasks:
            for record in evaluator.evaluate(dialogue, done):
                yield [record]


def evaluate_in_processes(run: RunSettings, tasks: Sequence[Task],
                          jobs: int) -> Iterator[list[Record]]:
    """Evaluate in processes of this machine, yielding dialogue by dialogue.

    Raises:
        UnavailableError: A process died.
    """
    yield from in_processes(_evaluate, run, tasks, jobs)


def evaluate_on_ray(run: RunSettings, tasks: Sequence[Task],
                    address: str) -> Iterator[list[Record]]:
    """Evaluate on a Ray cluster, yielding dialogue by dialogue.

    A worker that dies takes nothing with it: Ray starts its dialogue again elsewhere.

    Args:
        address: Of the cluster (``auto``, ``HOST:PORT``, ``ray://HOST:PORT``), or ``local`` to
            start one on this machine.

    Raises:
        MissingExtraError: Ray is not installed.
        InputError: There is no cluster at the address.
        UnavailableError: A dialogue's worker died again and again.
    """
    ray: Any = import_extra("ray", "evaluation on a Ray cluster")
    started = not ray.is_initialized()
    if started:
        _check_reachable(address)
        try:
            ray.init(address=address, log_to_driver=False,
                     logging_level="error", include_dashboard=False)
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise InputError(f"there is no Ray cluster at {address!r} ({error})",
                             remedy="Give its address, or --ray local") from error
    try:
        evaluate = ray.remote(max_retries=_RETRIES)(_evaluate)
        common = ray.put(run)
        waiting = [evaluate.remote(common, task) for task in tasks]
        while waiting:
            ready, waiting = ray.wait(waiting)
            try:
                yield from ray.get(ready)
            except ray.exceptions.RayTaskError as error:
                raise error.cause from error
            except ray.exceptions.RayError as error:
                raise UnavailableError(
                    f"the Ray cluster gave up on a dialogue ({error})",
                    remedy="Go on with --resume, on larger workers if memory ran out") from error
    finally:
        if started:
            ray.shutdown()


def _check_reachable(address: str) -> None:
    """Find out in seconds that nothing listens at an address; Ray itself tries for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdecimal():
        return  # a word: auto, local
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=_CONNECT_S).close()
    except (OSError, OverflowError) as error:
        raise InputError(f"there is no Ray cluster at {address!r} ({error})",
                         remedy="Give its address, or --ray local") from error


#: The evaluator of a worker process, made for its first dialogue.
_loaded: dict[RunSettings, DialogueEvaluator] = {}


def _evaluate(run: RunSettings, task: Task) -> list[Record]:
    """Evaluate a dialogue in a worker."""
    # As in the command line: nothing is ever downloaded.
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    with one_thread():
        if run not in _loaded:
            _loaded.clear()
            _loaded[run] = _evaluator(run)
        dialogue, done = task
        return list(_loaded[run].evaluate(dialogue, done))


def _evaluator(run: RunSettings, *, threads: int = 1) -> DialogueEvaluator:
    encoder = EvaluationEncoder(load_bare_encoder(run.settings), threads=threads)
    return DialogueEvaluator(run, encoder)
