"""The log of a training: a CSV file, and TensorBoard's where it is installed."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from frontdesk.agent.evaluation.results import write_whole
from frontdesk.kg.graph.errors import FormatError, InputError, MissingExtraError
from frontdesk.kg.graph.optional_packages import import_extra

LOG, TENSORBOARD = "log.csv", "tensorboard"
#: Columns that are always there; those of further figures follow.
COLUMNS = ("step", "epoch", "seconds", "loss", "learning_rate", "gradient_norm",
           "examples_per_second")

Row = dict[str, str]


class TrainLog:
    """Rows of figures over the steps of a training.

    ``log.csv`` has a row every few steps and at every evaluation: the step, epochs and seconds so
    far, and means since the row before of the loss (nats), the learning rate, the gradient's norm
    before clipping and examples a second. What the task tells beside the loss stands under
    ``train_NAME``, figures on development data under ``dev_NAME``; cells without a figure are
    empty. Numbers are exact.

    Args:
        step: The last step to keep rows of; rows after it are of steps that are done again.
        say: Gets the line that says that TensorBoard is not installed.

    Raises:
        InputError: The log cannot be written.
        FormatError: The log that is there cannot be read.
    """

    def __init__(self, folder: Path, step: int, say: Callable[[str], None]) -> None:
        self._path = folder / LOG
        self._columns = [*COLUMNS]
        self._rows = self._read(step)
        self._rewrite()
        self._board = _board(folder / TENSORBOARD, step, say)

    def add(self, base: Mapping[str, float], train: Mapping[str, float],
            dev: Mapping[str, float]) -> None:
        """Add a row, on its way to the disk when this returns.

        Args:
            base: A value for each of :data:`COLUMNS`, in any order.
            train: What the task tells beside the loss, means since the row before.
            dev: Figures on development data; empty between evaluations.

        Raises:
            InputError: The log cannot be written.
        """
        groups = (("", "train", base), ("train_", "train", train), ("dev_", "dev", dev))
        row = {f"{prefix}{name}": repr(value) for prefix, _, figures in groups
               for name, value in figures.items()}
        self._rows.append(row)
        fresh = [name for name in row if name not in self._columns]
        if fresh:
            self._columns += fresh
            self._rewrite()
        else:
            self._append(row)
        if self._board is not None:
            step = int(base["step"])
            for _, group, figures in groups:
                for name, value in figures.items():
                    if name != "step":
                        self._board.add_scalar(f"{group}/{name}", value, step)

    def sync(self) -> None:
        """Wait until all rows are on the disk: a checkpoint may count on them."""
        with self._path.open("rb") as stream:
            os.fsync(stream.fileno())
        if self._board is not None:
            self._board.flush()

    def close(self) -> None:
        """Close TensorBoard's file."""
        if self._board is not None:
            self._board.close()

    def _read(self, step: int) -> list[Row]:
        """The rows up to a step; one that was cut off is of a later step."""
        if not self._path.exists() or step <= 0:
            return []
        try:
            reader = csv.DictReader(io.StringIO(self._path.read_text(encoding="utf-8")))
            self._columns = list(dict.fromkeys([*COLUMNS, *(reader.fieldnames or ())]))
            return [{name: value for name, value in row.items() if value}
                    for row in reader
                    if None not in row.values() and int(row["step"]) <= step]
        except (OSError, ValueError, KeyError, csv.Error) as error:
            raise FormatError(f"this is no log of a training ({error})", place=str(self._path),
                              remedy="Remove the file and go on with --resume") from error

    def _rewrite(self) -> None:
        stream = io.StringIO()
        writer = self._writer(stream)
        writer.writeheader()
        writer.writerows(self._rows)
        write_whole(self._path, stream.getvalue())

    def _append(self, row: Row) -> None:
        try:
            with self._path.open("a", encoding="utf-8", newline="") as stream:
                self._writer(stream).writerow(row)
        except OSError as error:
            raise InputError(f"cannot write {self._path} ({error.strerror})",
                             remedy="Make room and go on with --resume") from error

    def _writer(self, stream: Any) -> csv.DictWriter[str]:
        return csv.DictWriter(stream, self._columns, lineterminator="\n")


def _board(folder: Path, step: int, say: Callable[[str], None]) -> Any:
    """TensorBoard's writer, which hides events after a step; None when it is not installed."""
    try:
        import_extra("tensorboard", "the log for TensorBoard")
    except MissingExtraError as error:
        say(f"frontdesk: {error} {LOG} has the same figures.")
        return None
    from torch.utils.tensorboard import SummaryWriter

    return SummaryWriter(str(folder), purge_step=step + 1)
