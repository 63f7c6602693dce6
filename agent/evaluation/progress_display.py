"""How what takes long shows where it is: a bar on a terminal, lines elsewhere."""

from __future__ import annotations

import datetime as dt
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
    track,
)

#: Seconds between lines where there is no terminal.
_BETWEEN_LINES = 30.0
#: What a new loss counts in the loss shown.
_NEW_LOSS = 0.05

Clock = Callable[[], float]
T = TypeVar("T")


def tracked(items: Iterable[T], what: str, total: int,
            clock: Clock = time.monotonic) -> Iterator[T]:
    """Items as they are, with a bar on a terminal and plain lines on standard error elsewhere.

    Args:
        items: Any.
        clock: Seconds from any start.

    Raises:
        KeyboardInterrupt: Ctrl-C; standard error says so.
    """
    console = Console(stderr=True)
    try:
        if console.is_terminal:
            yield from track(items, what, total=total, console=console)
            return
        began = last = clock()
        for number, item in enumerate(items, start=1):
            yield item
            if clock() - last >= _BETWEEN_LINES:
                last = clock()
                left = round((last - began) / number * (total - number))
                sys.stderr.write(f"{what}: {number} of {total}, "
                                 f"{dt.timedelta(seconds=left)} left\n")
    except KeyboardInterrupt:
        sys.stderr.write(f"frontdesk: stopped while {what}\n")
        raise


def counting(console: Console, *more: ProgressColumn) -> Progress:
    """Bars that count, with the time so far and the time that is left.

    Args:
        more: What is shown between the count and the times.
    """
    return Progress(SpinnerColumn(), TextColumn("{task.description}"), BarColumn(),
                    MofNCompleteColumn(), *more, TimeElapsedColumn(), TextColumn("left"),
                    TimeRemainingColumn(), console=console)


@dataclass(frozen=True)
class Standing:
    """Where a training is.

    Args:
        step: Steps done, at least 0.
        steps: Of the whole training, as far as is known.
        epoch: Epochs done, a fraction.
        examples: Examples seen by this process.
        figure: The figure that decides, where it was measured: its name, the last and the best.
    """

    step: int
    steps: int
    epoch: float
    examples: int
    figure: tuple[str, float, float] | None = None

    def figures(self) -> str:
        """The figure that decides, in words; empty before it was measured.

        Example:
            >>> Standing(10, 20, 0.5, 320, ("f1", 0.75, 0.8125)).figures()
            'dev f1 0.750 (best 0.812)'
        """
        if self.figure is None:
            return ""
        name, last, best = self.figure
        return f"dev {name} {last:.3f} (best {best:.3f})"


class TrainProgress:
    """Shows a training on standard error.

    Args:
        progress: True for a bar, False for nothing, None for a bar on a terminal and plain lines
            elsewhere.
        clock: Seconds from any start.
    """

    def __init__(self, progress: bool | None, clock: Clock) -> None:
        console = Console(stderr=True)
        self._clock = clock
        self._lines = progress is None and not console.is_terminal
        shown = console.is_terminal if progress is None else progress
        self._bar = Progress(
            SpinnerColumn(), BarColumn(bar_width=None), MofNCompleteColumn(),
            TextColumn("[progress.data.speed]{task.fields[rate]}"), TimeRemainingColumn(),
            TextColumn("left"), TextColumn("{task.description}"), console=console, expand=True
            ) if shown else None
        self._began = self._last_line = clock()
        self._measuring = 0.0
        self._from = 0
        self._loss: float | None = None

    def start(self, at: Standing) -> None:
        """Begin, or go on, with a training that is where it is."""
        self._began = self._last_line = self._clock()
        self._from = at.step
        if at.step and (self._lines or self._bar is not None):
            sys.stderr.write(f"frontdesk: going on from step {at.step} of {at.steps}\n")
        if self._bar is not None:
            self._task = self._bar.add_task(escape(self._told(at)), total=at.steps,
                                            completed=at.step, rate="")
            self._bar.start()

    def step(self, at: Standing, loss: float) -> None:
        """A step is done.

        Args:
            loss: Of its batch, nats.
        """
        self._loss = loss if self._loss is None else (
            self._loss + _NEW_LOSS * (loss - self._loss))
        if self._bar is not None:
            self._bar.update(self._task, description=escape(self._told(at)), completed=at.step,
                             total=at.steps, rate=self._rate(at, "/s"))
        elif self._lines and self._clock() - self._last_line >= _BETWEEN_LINES:
            self._line(at)

    def measuring(self) -> Callable[[Standing], None]:
        """An evaluation begins; call what this gives when it is over."""
        began = self._clock()
        if self._bar is not None:
            self._bar.update(self._task, description="measuring")

        def over(at: Standing) -> None:
            self._measuring += self._clock() - began
            if self._bar is not None:
                self._bar.update(self._task, description=escape(self._told(at)))
            elif self._lines:
                self._line(at)
        return over

    def stop(self) -> None:
        """Leave the terminal as it was."""
        if self._bar is not None:
            self._bar.stop()

    def _line(self, at: Standing) -> None:
        self._last_line = self._clock()
        sys.stderr.write(", ".join(part for part in (
            f"step {at.step} of {at.steps}", f"epoch {at.epoch:.2f}", self._rate(at, " examples/s"),
            self._left(at), self._told(at)) if part) + "\n")

    def _told(self, at: Standing) -> str:
        """The loss, and the figure that decides."""
        loss = "" if self._loss is None else f"loss {self._loss:.3f}"
        return ", ".join(part for part in (loss, at.figures()) if part)

    def _rate(self, at: Standing, unit: str) -> str:
        seconds = self._clock() - self._began - self._measuring
        rate = at.examples / seconds if seconds > 0 else 0.0
        return f"{rate:.{0 if rate >= 100 else 1}f}{unit}" if rate else ""

    def _left(self, at: Standing) -> str:
        if at.step == self._from or at.step >= at.steps:
            return ""
        a_step = (self._clock() - self._began) / (at.step - self._from)
        minutes, seconds = divmod(round(a_step * (at.steps - at.step)), 60)
        return f"{minutes // 60}:{minutes % 60:02}:{seconds:02} left"
