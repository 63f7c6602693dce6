"""The training loop on a small network: it learns, stops, goes on and says what it does."""

from __future__ import annotations

import csv
import json
import random
import signal
import subprocess
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from frontdesk.agent.training.checkpoint import load_checkpoint, load_weights
from frontdesk.agent.training.training_loop import LoopSettings, train
from frontdesk.kg.graph.errors import FormatError, InputError, MissingModelError

from ...forked_command import ForkedCommand
from .toy_training import IDENTITY, SETTINGS, Net, ToyTask, run

TOY = Path(__file__).with_name("toy_training.py")
#: Columns of the log that say how long it took.
TIMES = ("seconds", "examples_per_second")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A training that was not stopped, with its result."""
    folder = tmp_path_factory.mktemp("training") / "whole"
    return folder, run(folder)


def rows(folder: Path) -> list[dict[str, str]]:
    with (folder / "log.csv").open(newline="") as stream:
        return list(csv.DictReader(stream))


def timeless(folder: Path) -> list[dict[str, str]]:
    return [{name: value for name, value in row.items() if name not in TIMES}
            for row in rows(folder)]


def same(one, other) -> bool:
    """Whether two checkpoints are the same to the last bit, but for times."""
    if isinstance(one, torch.Tensor):
        return torch.equal(one, other)
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(
            same(one[name], other[name]) for name in one if name not in ("seconds", "row_seconds"))
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other


def assert_same_training(folder: Path, other: Path) -> None:
    assert same(load_checkpoint(folder / "checkpoint.pt"),
                load_checkpoint(other / "checkpoint.pt"))
    assert (folder / "best.safetensors").read_bytes() == (other / "best.safetensors").read_bytes()
    assert timeless(folder) == timeless(other)


# --- learning

def test_train_learns_and_keeps_the_best_weights(whole):
    folder, result = whole
    assert result.best["accuracy"] > 0.95
    assert result.step == 6 * 14
    assert result.epoch == 6.0
    assert not result.stopped_early
    task = ToyTask(seed=9)
    before = task.model.eval()(torch.tensor(task.signs))
    load_weights(task.model, result.weights)
    assert not torch.equal(before, task.model(torch.tensor(task.signs)))
    with torch.no_grad():
        assert task.evaluate() == result.best
    best = max(rows(folder), key=lambda row: float(row["dev_accuracy"] or 0))
    assert int(best["step"]) == result.best_step
    assert float(best["dev_accuracy"]) == result.best["accuracy"]


def test_train_leaves_the_best_weights_in_the_model_in_evaluation_mode(tmp_path):
    task = ToyTask()
    result = run(tmp_path, task=task)
    assert not task.model.training
    with torch.no_grad():
        assert task.evaluate() == result.best


def test_train_leaves_frozen_parameters_and_the_global_generators_alone(tmp_path):
    task = ToyTask()
    before = task.model.frozen.weight.clone()
    random.seed(5)
    np.random.seed(5)
    torch.manual_seed(5)
    drawn = random.random(), np.random.random(), torch.rand(1)
    random.seed(5)
    np.random.seed(5)
    torch.manual_seed(5)
    run(tmp_path, task=task, settings=replace(SETTINGS, epochs=1))
    assert (random.random(), np.random.random(), torch.rand(1)) == drawn
    assert torch.equal(task.model.frozen.weight, before)
    assert not any(name.startswith("frozen") for name in load_file(tmp_path / "best.safetensors"))
    assert not torch.are_deterministic_algorithms_enabled()


def test_train_is_the_same_every_time_and_another_with_another_seed(whole, tmp_path):
    folder, result = whole
    again = run(tmp_path / "again")
    assert replace(again, seconds=0, weights=Path()) == replace(result, seconds=0, weights=Path())
    assert_same_training(tmp_path / "again", folder)
    run(tmp_path / "other", settings=replace(SETTINGS, seed=4))
    assert timeless(tmp_path / "other") != timeless(folder)


def test_train_is_the_same_however_many_processes_make_its_batches(whole, tmp_path):
    train(ToyTask(), SETTINGS, tmp_path, resume=False, identity=IDENTITY, progress=False, jobs=2)
    assert_same_training(tmp_path, whole[0])


def test_train_is_not_changed_by_what_an_evaluation_draws(whole, tmp_path):
    class Drawing(ToyTask):
        def evaluate(self):
            torch.rand(5), random.random(), np.random.random()
            return super().evaluate()

    run(tmp_path, task=Drawing())
    assert_same_training(tmp_path, whole[0])


def test_train_clips_gradients_unless_told_not_to(tmp_path):
    settings = replace(SETTINGS, epochs=1)
    for name, clip in (("tight", 0.01), ("wide", 1e6), ("none", 0.0)):
        run(tmp_path / name, settings=replace(settings, clip=clip))
    assert timeless(tmp_path / "none") == timeless(tmp_path / "wide")
    assert timeless(tmp_path / "none") != timeless(tmp_path / "tight")


def test_train_measures_the_moving_average_of_the_weights(tmp_path):
    settings = replace(SETTINGS, epochs=1, evaluate_every=1.0, ema=0.999)
    run(tmp_path / "averaged", settings=settings)
    run(tmp_path / "last", settings=replace(settings, ema=0.0))
    averaged = load_file(tmp_path / "averaged" / "best.safetensors")
    last = load_file(tmp_path / "last" / "best.safetensors")
    kept = load_checkpoint(tmp_path / "averaged" / "checkpoint.pt")
    assert all(torch.equal(last[name], each) for name, each in kept["model"].items())
    assert not torch.equal(averaged["out.weight"], last["out.weight"])
    assert torch.equal(averaged["norm.running_mean"], last["norm.running_mean"])


def test_train_in_bf16_learns_other_weights(whole, tmp_path):
    folder, _ = whole
    result = run(tmp_path, settings=replace(SETTINGS, precision="bf16"))
    assert result.best["accuracy"] > 0.9
    assert timeless(tmp_path) != timeless(folder)
    assert load_file(tmp_path / "best.safetensors")["out.weight"].dtype is torch.float32


class Worsening(ToyTask):
    """Development figures rise for two evaluations and fall afterwards."""

    measured = 0

    def evaluate(self) -> dict[str, float]:
        self.measured += 1
        return {"accuracy": 1.0 / (1 + abs(self.measured - 2))}


def test_train_stops_when_development_figures_no_longer_rise(tmp_path):
    task = Worsening()
    result = run(tmp_path, task=task,
                 settings=replace(SETTINGS, epochs=20, evaluate_every=1.0, patience=3))
    assert result.stopped_early
    assert (result.epoch, result.best_step, task.measured) == (5.0, 2 * 14, 5)
    again = run(tmp_path, task=Worsening(),
                settings=replace(SETTINGS, epochs=20, evaluate_every=1.0, patience=3))
    assert again == result


def test_train_evaluates_as_often_as_it_should_and_after_the_last_step(tmp_path):
    run(tmp_path, settings=replace(SETTINGS, epochs=2, evaluate_every=0.75))
    epochs = [float(row["epoch"]) for row in rows(tmp_path) if row["dev_accuracy"]]
    assert epochs == [pytest.approx(11 / 14), pytest.approx(1 + 7 / 14), 2.0]


# --- stopping and going on

def started(folder: Path, seconds: float = 0.004) -> subprocess.Popen:
    return ForkedCommand([TOY, folder, seconds], stderr=subprocess.PIPE, text=True)


def wait_for_checkpoint(folder: Path, process: subprocess.Popen) -> None:
    """Wait until there is one that was not there when this began."""
    path, deadline = folder / "checkpoint.pt", time.monotonic() + 600
    before = path.stat().st_mtime_ns if path.exists() else 0
    while not path.exists() or path.stat().st_mtime_ns == before:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.005)


@pytest.mark.slow
def test_train_killed_at_random_moments_comes_to_the_same_bits(whole, tmp_path):
    moments = random.Random(time.time_ns())
    folder, reached = tmp_path / "killed", []
    for _ in range(3):
        process = started(folder)
        wait_for_checkpoint(folder, process)
        time.sleep(moments.uniform(0.0, 0.15))
        process.kill()
        _, said = process.communicate(timeout=600)
        assert process.returncode == -signal.SIGKILL, said
        reached.append(load_checkpoint(folder / "checkpoint.pt")["state"]["step"])
        assert not load_checkpoint(folder / "checkpoint.pt")["state"]["finished"]
    assert 0 < reached[0] <= reached[1] <= reached[2] < 84
    task = ToyTask()
    result = run(folder, task=task)
    assert 0 < task.losses <= 84 - reached[-1]
    assert result.best == whole[1].best
    assert_same_training(folder, whole[0])


@pytest.mark.parametrize(("stop", "seconds", "kept"), [
    (1, 0.0, 1), (6, 0.0, 6), (14, 0.0, 14), (41, 0.0, 41), (41, 1000.0, 40), (3, 1000.0, 0)])
def test_train_stopped_after_any_step_comes_to_the_same_bits(stop, seconds, kept, whole,
                                                             tmp_path):
    class Stopping(ToyTask):
        def loss(self, batch):
            if self.losses == stop:
                raise RuntimeError("pulled the plug")
            return super().loss(batch)

    settings = replace(SETTINGS, checkpoint_s=seconds)
    with pytest.raises(RuntimeError, match="plug"):
        run(tmp_path, task=Stopping(), settings=settings)
    task = ToyTask()
    run(tmp_path, task=task, settings=settings)
    assert task.losses == 84 - kept
    assert_same_training(tmp_path, whole[0])


def test_train_stopped_in_an_evaluation_does_it_again_without_a_step(whole, tmp_path):
    class Stopping(ToyTask):
        def evaluate(self):
            if self.losses > 40:
                raise RuntimeError("pulled the plug")
            return super().evaluate()

    settings = replace(SETTINGS, checkpoint_s=1000.0)
    with pytest.raises(RuntimeError, match="plug"):
        run(tmp_path, task=Stopping(), settings=settings)
    task = ToyTask()
    run(tmp_path, task=task, settings=settings)
    assert task.losses == 84 - load_file_step(tmp_path)
    assert_same_training(tmp_path, whole[0])


def load_file_step(folder: Path) -> int:
    """The first evaluation after step 40 with one every 0.4 epochs of 14 steps."""
    return next(int(row["step"]) for row in rows(folder)
                if int(row["step"]) > 40 and row["dev_accuracy"])


def test_train_writes_checkpoints_as_often_as_it_should(tmp_path):
    now = [0.0]
    lost = []

    class Slow(ToyTask):
        def loss(self, batch):
            kept = load_checkpoint(tmp_path / "checkpoint.pt")
            lost.append(self.losses - (kept["state"]["step"] if kept else 0))
            now[0] += 10.0
            return super().loss(batch)

    run(tmp_path, task=Slow(), clock=lambda: now[0],
        settings=replace(SETTINGS, epochs=2, evaluate_every=2.0, checkpoint_s=45.0))
    # A step of 10 s is saved before 50 s are over; the end of an epoch too.
    assert max(lost) == 4
    assert lost[14] == 0


@pytest.mark.slow
def test_train_on_ctrl_c_keeps_the_step_and_says_how_to_go_on(whole, tmp_path):
    process = started(tmp_path / "x", seconds=0.05)
    wait_for_checkpoint(tmp_path / "x", process)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=600)
    assert process.returncode == 130
    assert "Traceback" not in said
    step = load_checkpoint(tmp_path / "x" / "checkpoint.pt")["state"]["step"]
    assert f"stopped; step {step} of about 84 is kept, --resume goes on" in said
    run(tmp_path / "x")
    assert_same_training(tmp_path / "x", whole[0])


def test_train_on_ctrl_c_finishes_its_step_first(whole, tmp_path, capsys):
    class Interrupted(ToyTask):
        def loss(self, batch):
            if self.losses == 20:
                signal.raise_signal(signal.SIGINT)
            return super().loss(batch)

    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, task=Interrupted(), settings=replace(SETTINGS, checkpoint_s=1000.0))
    assert signal.getsignal(signal.SIGINT) is before
    assert "step 21 of about 84 is kept" in capsys.readouterr().err
    run(tmp_path, settings=replace(SETTINGS, checkpoint_s=1000.0))
    assert_same_training(tmp_path, whole[0])


def test_train_on_ctrl_c_leaves_an_evaluation_at_once(tmp_path, capsys):
    class Interrupted(ToyTask):
        def evaluate(self):
            signal.raise_signal(signal.SIGINT)
            pytest.fail("the evaluation went on")

    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, task=Interrupted())
    assert "step 6 of about 84 is kept" in capsys.readouterr().err


def test_train_runs_in_another_thread(whole, tmp_path):
    thread = threading.Thread(target=run, args=(tmp_path / "x",))
    thread.start()
    thread.join()
    assert_same_training(tmp_path / "x", whole[0])


def test_train_that_is_finished_gives_its_result_again(whole):
    folder, result = whole
    task = ToyTask(seed=9)
    assert run(folder, task=task) == result
    assert task.losses == 0
    with torch.no_grad():
        assert task.evaluate() == result.best


# --- mistakes

def test_train_does_not_mix_with_another(whole, tmp_path):
    folder, _ = whole
    before = (folder / "best.safetensors").read_bytes()
    with pytest.raises(InputError, match="--resume"):
        run(folder, resume=False)
    for settings, name in ((replace(SETTINGS, learning_rate=0.5), "learning_rate"),
                           (replace(SETTINGS, precision="bf16"), "precision")):
        with pytest.raises(InputError, match=f"different: {name} .* there, .* now"):
            run(folder, settings=settings)
    with pytest.raises(InputError, match=r"different: code, data 'toy' there"):
        train(ToyTask(), SETTINGS, folder, resume=True, progress=False,
              identity={"data": "other"})
    assert (folder / "best.safetensors").read_bytes() == before
    # How often checkpoints are written changes nothing in the result.
    run(folder, settings=replace(SETTINGS, checkpoint_s=7.0, precision="fp32"))


def test_train_writes_what_it_depends_on(whole, tmp_path):
    found = json.loads((whole[0] / "training.json").read_text())
    assert found["data"] == "toy"
    assert found["loop"]["precision"] == "fp32"
    assert found["loop"]["seed"] == 3
    assert found["torch"] == torch.__version__
    train(ToyTask(), replace(SETTINGS, epochs=1), tmp_path, resume=False, progress=False,
          identity={})
    assert len(json.loads((tmp_path / "training.json").read_text())["code"]) == 64


class Diverging(ToyTask):
    def loss(self, batch):
        loss, figures = super().loss(batch)
        return loss * (float("nan") if self.losses == 30 else 1.0), figures


def test_train_says_when_the_loss_is_not_finite_and_keeps_the_best_weights(tmp_path):
    with pytest.raises(InputError, match=r"step 30: the loss is nan.*learning rate") as error:
        run(tmp_path, task=Diverging())
    best = max((row for row in rows(tmp_path) if row["dev_accuracy"]),
               key=lambda row: float(row["dev_accuracy"]))
    assert f"of step {best['step']}, are in best.safetensors" in str(error.value)
    load_weights(Net(), tmp_path / "best.safetensors")


def test_train_says_when_the_gradient_is_not_finite(tmp_path):
    class Steep(ToyTask):
        def loss(self, batch):
            loss, figures = super().loss(batch)
            return loss + torch.sqrt(self.model.out.bias.sum() * 0.0), figures

    with pytest.raises(InputError, match="step 1: the gradient is nan"):
        run(tmp_path, task=Steep())
    assert not (tmp_path / "best.safetensors").exists()


def test_train_says_when_the_figure_that_decides_is_not_finite(tmp_path):
    class Unmeasured(ToyTask):
        def evaluate(self):
            return {"accuracy": float("nan")}

    with pytest.raises(InputError, match="the figure accuracy is nan"):
        run(tmp_path, task=Unmeasured())


def test_train_says_when_there_is_nothing_to_learn_from(tmp_path):
    class Empty(ToyTask):
        def batches(self, epoch, rng):
            return []

    with pytest.raises(InputError, match="no examples"):
        run(tmp_path, task=Empty())


def test_train_says_when_memory_does_not_suffice(tmp_path):
    class Large(ToyTask):
        def loss(self, batch):
            raise torch.OutOfMemoryError

    with pytest.raises(InputError, match=r"memory of cpu .* batches of 8.*smaller batches"):
        run(tmp_path, task=Large())


def test_train_says_when_its_folder_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="--output"):
        run(tmp_path / "file" / "x")


@pytest.mark.parametrize("content", [b"", b"no checkpoint", b"PK\x03\x04 cut off"])
def test_train_says_when_its_checkpoint_is_damaged(content, tmp_path):
    run(tmp_path, settings=replace(SETTINGS, epochs=1))
    (tmp_path / "checkpoint.pt").write_bytes(content)
    with pytest.raises(FormatError, match=r"checkpoint\.pt: this is no checkpoint"):
        run(tmp_path, settings=replace(SETTINGS, epochs=1))


def test_train_refuses_a_checkpoint_of_another_model(tmp_path):
    class Wider(ToyTask):
        def __init__(self):
            super().__init__()
            self.model.out = torch.nn.Linear(16, 2)

    run(tmp_path, settings=replace(SETTINGS, epochs=1))
    with pytest.raises(FormatError, match="of another model"):
        run(tmp_path, task=Wider(), settings=replace(SETTINGS, epochs=1))


def test_checkpoint_runs_nothing_that_is_in_it(tmp_path):
    class Hostile:
        def __reduce__(self):
            return Path.touch, (tmp_path / "ran",)

    torch.save({"state": Hostile()}, tmp_path / "checkpoint.pt")
    with pytest.raises(FormatError, match="no checkpoint"):
        load_checkpoint(tmp_path / "checkpoint.pt")
    assert not (tmp_path / "ran").exists()


def test_load_weights_says_what_is_wrong(tmp_path):
    with pytest.raises(MissingModelError, match="no trained weights"):
        load_weights(Net(), tmp_path / "best.safetensors")
    (tmp_path / "best.safetensors").write_bytes(b"no weights")
    with pytest.raises(FormatError, match="these are no weights"):
        load_weights(Net(), tmp_path / "best.safetensors")


@pytest.mark.parametrize(("name", "value"), [
    ("epochs", 0), ("batch_size", 0), ("learning_rate", 0.0), ("learning_rate", float("nan")),
    ("warmup", 1.0), ("weight_decay", -0.1), ("clip", -1.0), ("ema", 1.0), ("patience", -1),
    ("evaluate_every", 0.0), ("seed", -1), ("seed", 2 ** 32), ("precision", "fp8"),
    ("checkpoint_s", -1.0)])
def test_settings_refuse_values_that_make_no_sense(name, value):
    with pytest.raises(InputError, match=f"{name} is "):
        LoopSettings(**{"epochs": 1, "batch_size": 1, "learning_rate": 0.1, name: value})
