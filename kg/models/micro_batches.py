"""Several threads that need one model share its passes.

Who comes while nobody is at work goes to work at once and alone. Who comes meanwhile joins at the
next pass, and leaves with the pass that ends the own task. The threads do the passes themselves:
one does those of all until its own task is done, then the next one goes on. So batches grow with
the load, nobody waits for a batch to fill or to end, and there is no further thread that would
have to be started, ended, or missed by a process that was forked.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Generic, Protocol, TypeVar


class Task(Protocol):
    """What is done in one pass or several."""

    @property
    def done(self) -> bool:
        """Whether it needs no further pass."""
        ...


AnyTask = TypeVar("AnyTask", bound=Task)


class _Place(Generic[AnyTask]):
    """The place of a thread that waits for its task, until it is woken."""

    def __init__(self, task: AnyTask) -> None:
        self.task = task
        self.woken = threading.Event()
        #: What it was woken for: to do the passes of these, to do its own task alone, or as done.
        self.leads: list[_Place[AnyTask]] | None = None
        self.alone = False
        self.left = False


class MicroBatcher(Generic[AnyTask]):
    """Does the tasks of several threads in common passes, those first that came first.

    Args:
        step: Does a pass for tasks that are not done. It must not run a task of the same batcher.
            Where it fails for several tasks each is begun anew and done alone, so that a bad one
            fails its own caller only.
        most: The largest pass, in what ``weigh`` counts; a heavier task is done alone.
        weigh: The size of a task, at least 1; 1 where it is not given.

    Example::

        draws = MicroBatcher(sampler.step, most=8)
        replies = draws.run(lambda: sampler.begin(inputs)).replies()  # from any thread
    """

    def __init__(self, step: Callable[[Sequence[AnyTask]], None], *, most: int,
                 weigh: Callable[[AnyTask], int] = lambda _: 1) -> None:
        self._step, self._most, self._weigh = step, most, weigh
        self.begin_anew()
        _BATCHERS.add(self)

    def begin_anew(self) -> None:
        """Forget all tasks: in a process that was forked their threads are not there."""
        self._lock = threading.Lock()
        self._waiting: deque[_Place[AnyTask]] = deque()
        self._at_work = False

    def run(self, begin: Callable[[], AnyTask]) -> AnyTask:
        """Do a task.

        Args:
            begin: Makes the task; it is called again where a pass with others failed.

        Raises:
            Exception: What ``begin`` raises, or a pass for this task alone.
        """
        task = begin()
        if task.done:
            return task
        place = _Place(task)
        with self._lock:
            if self._at_work:
                self._waiting.append(place)
            else:  # then nobody waits
                self._at_work = True
                place.leads = [place]
        if place.leads is None:
            self._wait(place)
        if place.leads is not None:
            self._lead(place, place.leads)
        if place.alone:
            task = begin()
            while not task.done:
                self._step([task])
        return task

    def _wait(self, place: _Place[AnyTask]) -> None:
        try:
            place.woken.wait()
        except BaseException:  # given up: by a signal, or by what another thread raised here
            with self._lock:
                place.left = True
            if place.leads is not None:
                self._hand_over(place.leads)
            raise

    def _lead(self, own: _Place[AnyTask], places: list[_Place[AnyTask]]) -> None:
        """Do passes until the own task is done."""
        try:
            while not own.task.done:
                self._join(places)
                self._step([each.task for each in places])
                for each in places:
                    if each.task.done:
                        each.woken.set()
                places = [each for each in places if not each.task.done and not each.left]
        except BaseException as error:
            # How far the others' tasks have come is not known.
            others, places = [each for each in places if each is not own], []
            for each in others:
                each.alone = True
                each.woken.set()
            if not others or not isinstance(error, Exception):
                raise
            own.alone = True
        finally:
            self._hand_over(places)

    def _join(self, places: list[_Place[AnyTask]]) -> None:
        """Take in those that wait, as far as there is room."""
        room = self._most - sum(self._weigh(each.task) for each in places)
        with self._lock:
            while self._waiting:
                if not self._waiting[0].left:
                    room -= self._weigh(self._waiting[0].task)
                    if room < 0:
                        break
                    places.append(self._waiting[0])
                self._waiting.popleft()

    def _hand_over(self, places: Sequence[_Place[AnyTask]]) -> None:
        """Who came first goes on, with those whose tasks are not done or with those that wait."""
        with self._lock:
            while self._waiting and self._waiting[0].left:
                self._waiting.popleft()
            here = [each for each in places if not each.left]
            if not here and self._waiting:
                here = [self._waiting.popleft()]
            self._at_work = bool(here)
            if here:
                here[0].leads = here
                here[0].woken.set()


_BATCHERS: weakref.WeakSet[MicroBatcher[Any]] = weakref.WeakSet()


def _after_fork() -> None:
    for batcher in _BATCHERS:
        batcher.begin_anew()


os.register_at_fork(after_in_child=_after_fork)
