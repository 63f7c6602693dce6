"""What a training tells: its log, TensorBoard's files, lines and a bar."""

from __future__ import annotations

import csv
import os
import pty
import re
import time
from dataclasses import replace
from pathlib import Path

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from frontdesk.agent.training import train_log
from frontdesk.agent.training.train_log import COLUMNS, TrainLog
from frontdesk.kg.graph.errors import FormatError, MissingExtraError

from ...forked_command import ForkedCommand
from .toy_training import SETTINGS, ToyTask, run

TOY = Path(__file__).with_name("toy_training.py")


def rows(folder: Path) -> list[dict[str, str]]:
    with (folder / "log.csv").open(newline="") as stream:
        return list(csv.DictReader(stream))


def clock():
    """Seconds that pass by one with every look."""
    now = [0.0]

    def look() -> float:
        now[0] += 1.0
        return now[0]
    return look


def base(step: int) -> dict[str, float]:
    return dict.fromkeys(COLUMNS, 0.5) | {"step": step}


# --- log.csv

def test_log_has_figures_of_every_step_of_a_short_training(tmp_path):
    result = run(tmp_path, settings=replace(SETTINGS, epochs=2, evaluate_every=1.0))
    found = rows(tmp_path)
    assert list(found[0]) == [*COLUMNS, "train_right", "dev_accuracy", "dev_score"]
    assert [int(row["step"]) for row in found] == list(range(1, 29))
    assert [float(row["epoch"]) for row in found[12:15]] == pytest.approx(
        [13 / 14, 1.0, 15 / 14])
    assert [bool(row["dev_accuracy"]) for row in found] == ([False] * 13 + [True]) * 2
    assert float(found[-1]["dev_accuracy"]) == result.best["accuracy"]
    highest = max(float(row["learning_rate"]) for row in found)
    assert 0.9 * SETTINGS.learning_rate < highest <= SETTINGS.learning_rate
    assert float(found[-1]["learning_rate"]) < 0.01 * SETTINGS.learning_rate
    assert float(found[-1]["loss"]) < float(found[0]["loss"])
    seconds = [float(row["seconds"]) for row in found]
    assert seconds == sorted(seconds)
    assert seconds[-1] <= result.seconds


def test_log_counts_examples_a_second_without_evaluations(tmp_path):
    class Slow(ToyTask):
        def evaluate(self):
            for _ in range(1000):
                now()
            return super().evaluate()

    now = clock()
    run(tmp_path, task=Slow(), clock=now,
        settings=replace(SETTINGS, epochs=2, evaluate_every=1.0, checkpoint_s=1e6))
    # The last batch of an epoch has 4 of the 108 examples, others 8; a step takes a few looks.
    rates = [float(row["examples_per_second"]) for row in rows(tmp_path)]
    assert all(0.5 < rate <= 8 for rate in rates)
    assert rates[1] == pytest.approx(2 * rates[13])


def test_log_of_a_long_training_has_means_over_steps(tmp_path):
    class Counting(ToyTask):
        def loss(self, batch):
            loss, _ = super().loss(batch)
            return loss, {"number": self.losses}

    run(tmp_path, task=Counting(), settings=replace(SETTINGS, epochs=40, evaluate_every=39.5,
                                                    checkpoint_s=1e6))
    found = rows(tmp_path)
    # An evaluation after step 39.5 * 14 has a row of its own.
    assert [int(row["step"]) for row in found] == [*range(2, 553, 2), 553, *range(554, 561, 2)]
    assert [float(row["train_number"]) for row in found][:2] == [1.5, 3.5]
    assert [float(row["train_number"]) for row in found][275:278] == [551.5, 553, 554]


def test_log_drops_rows_after_the_checkpoint_and_one_that_was_cut_off(tmp_path):
    log = TrainLog(tmp_path, 0, pytest.fail)
    for step in (1, 2, 3, 40):
        log.add(base(step), {"right": 0.25}, {"f1": 1 / 3} if step == 2 else {})
    log.close()
    whole = (tmp_path / "log.csv").read_text().splitlines()
    with (tmp_path / "log.csv").open("a") as stream:
        stream.write("4")
    TrainLog(tmp_path, 4, pytest.fail).close()
    assert (tmp_path / "log.csv").read_text().splitlines() == whole[:4]
    assert float(rows(tmp_path)[1]["dev_f1"]) == 1 / 3
    TrainLog(tmp_path, 0, pytest.fail).close()
    assert rows(tmp_path) == []


def test_log_says_when_it_is_damaged(tmp_path):
    (tmp_path / "log.csv").write_text("step,loss\nx,y\n")
    with pytest.raises(FormatError, match=r"log\.csv: this is no log of a training"):
        TrainLog(tmp_path, 4, pytest.fail)


# --- TensorBoard

def test_tensorboard_has_the_same_figures(tmp_path):
    run(tmp_path, settings=replace(SETTINGS, epochs=2, evaluate_every=1.0))
    events = EventAccumulator(str(tmp_path / "tensorboard"))
    events.Reload()
    found = rows(tmp_path)
    for tag, column in (("train/loss", "loss"), ("train/right", "train_right"),
                        ("dev/accuracy", "dev_accuracy")):
        assert [(each.step, each.value) for each in events.Scalars(tag)] == [
            (int(row["step"]), pytest.approx(float(row[column]))) for row in found if row[column]]


def test_tensorboard_hides_steps_that_are_done_again(tmp_path):
    class Stopping(ToyTask):
        def loss(self, batch):
            if self.losses == 20:
                raise RuntimeError("pulled the plug")
            return super().loss(batch)

    settings = replace(SETTINGS, epochs=2, evaluate_every=1.0, checkpoint_s=1e6)
    with pytest.raises(RuntimeError, match="plug"):
        run(tmp_path, task=Stopping(), settings=settings)
    # Files of one second are read by the order of a number's digits: the tenth before the ninth.
    time.sleep(1.0 - time.time() % 1.0)
    run(tmp_path, settings=settings)
    events = EventAccumulator(str(tmp_path / "tensorboard"))
    events.Reload()
    assert [each.step for each in events.Scalars("train/loss")] == list(range(1, 29))


def test_training_without_tensorboard_says_so_in_a_line(tmp_path, monkeypatch, capsys):
    def missing(module, feature):
        raise MissingExtraError(feature, "train")

    monkeypatch.setattr(train_log, "import_extra", missing)
    run(tmp_path, settings=replace(SETTINGS, epochs=1))
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "frontdesk[train]" in said
    assert "log.csv" in said
    assert not (tmp_path / "tensorboard").exists()
    assert len(rows(tmp_path)) == 14


# --- lines and a bar

def test_progress_writes_lines_where_there_is_no_terminal(tmp_path, capsys):
    run(tmp_path, progress=None, clock=clock(),
        settings=replace(SETTINGS, epochs=2, evaluate_every=1.0))
    lines = capsys.readouterr().err.splitlines()
    # Every look at the clock takes a second, and a step takes a few: a line in 30 seconds.
    assert re.fullmatch(r"step (5|6|7|8) of 28, epoch 0\.\d\d, \d\.\d+ examples/s, "
                        r"0:0\d:\d\d left, loss 0\.\d{3}", lines[0])
    assert len(lines) > 2
    measured = [line for line in lines if "step 14 " in line or "step 28 " in line]
    assert len(measured) == 2
    best = max(float(row["dev_accuracy"]) for row in rows(tmp_path) if row["dev_accuracy"])
    assert f"(best {best:.3f})" in measured[-1]
    assert "step 28 of 28" in measured[-1]
    assert "left" not in measured[-1]


def test_progress_can_be_silent(tmp_path, capsys):
    run(tmp_path, progress=False)
    assert capsys.readouterr() == ("", "")


def test_progress_says_where_it_goes_on(tmp_path, capsys):
    class Stopping(ToyTask):
        def loss(self, batch):
            if self.losses == 20:
                raise RuntimeError("pulled the plug")
            return super().loss(batch)

    with pytest.raises(RuntimeError, match="plug"):
        run(tmp_path, task=Stopping())
    capsys.readouterr()
    run(tmp_path, progress=None)
    assert "going on from step" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="terminals are simulated as POSIX has them")
def test_progress_shows_a_bar_on_a_terminal(tmp_path):
    terminal, end = pty.openpty()
    process = ForkedCommand([TOY, tmp_path, 0.02], stderr=end,
                            env={**os.environ, "TERM": "xterm", "COLUMNS": "80"})
    os.close(end)
    said = b""
    while True:
        try:
            piece = os.read(terminal, 1 << 16)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        said += piece
    os.close(terminal)
    assert process.wait(timeout=600) == 0
    shown = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", said.decode())
    for expected in ("84/84", "/s", "loss 0.", "dev accuracy 0.", "left"):
        assert expected in shown
