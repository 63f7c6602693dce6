from __future__ import annotations

import argparse
import gzip
import json
import os
import socket
import subprocess
import sys
from dataclasses import replace

import pytest

from frontdesk.agent.domains.organisation_pack import ORGANISATION_PACK
from frontdesk.agent.sessions.load_components import load_generator
from frontdesk.agent.settings.settings import CausalSettings, GodelSettings, Settings
from frontdesk.agent.training.checkpoint import load_checkpoint
from frontdesk.agent.training.fine_tune.fine_tune_command import run_fine_tune
from frontdesk.agent.training.fine_tune.run_fine_tuning import FineTuneSettings
from frontdesk.agent.training.train_options import FINE_TUNE_EXAMPLES, add_fine_tune_options
from frontdesk.data.datasets.generation_examples import (
    GenerationExample,
    GenerationFact,
    write_generation_examples,
)
from frontdesk.kg.graph.dialogue_graph import USER
from frontdesk.kg.graph.errors import FormatError

from ....forked_command import ForkedCommand

PEOPLE = ("Ann", "Bo", "Cy", "Dee", "Eli")
QUICK = ("--epochs", "1", "--batch-size", "2", "--device", "cpu", "--learning-rate", "0.03")


def example(person):
    return GenerationExample(person, "organisation", 1, ((USER, f"Where is {person}?"),),
                             (GenerationFact(f"{person}'s office is Zeta.", 0.9, "office"),),
                             f"{person} is in Zeta.")


@pytest.fixture
def files(tmp_path):
    write_generation_examples(tmp_path / "train.jsonl", map(example, PEOPLE[:3]))
    write_generation_examples(tmp_path / "dev.jsonl", map(example, PEOPLE[3:]))
    (tmp_path / "more.jsonl.gz").write_bytes(gzip.compress(
        json.dumps({"id": "x", "domain": "organisation", "turn": 1, "facts": [],
                    "history": [["user", "Hi!"]], "reference": "Hello!"}).encode()))
    return ["--examples", str(tmp_path / "train.jsonl"), str(tmp_path / "more.jsonl.gz"),
            "--dev-examples", str(tmp_path / "dev.jsonl"), "--output", str(tmp_path / "out")]


def parsed(*arguments):
    parser = argparse.ArgumentParser()
    add_fine_tune_options(parser)
    return parser.parse_args(arguments)


@pytest.mark.parametrize("kind", ["godel", "causal"])
def test_the_command_makes_a_model_for_its_profile(kind, files, tmp_path, tiny_t5, tiny_causal,
                                                   capsys):
    base = tiny_t5 if kind == "godel" else tiny_causal
    assert run_fine_tune(parsed("--model", str(base), *files, *QUICK)) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0].endswith("4 examples, 0 left out")
    assert said[1] == f'[{kind}] model = "{tmp_path / "out"}"'
    section = (GodelSettings if kind == "godel" else CausalSettings)(model=str(tmp_path / "out"))
    generator = load_generator(replace(Settings(profile=kind), **{kind: section}),
                               ORGANISATION_PACK)
    assert generator.name.endswith(str(tmp_path / "out"))
    card = json.loads((tmp_path / "out" / "provenance.json").read_text())
    assert [(each["name"], each["counts"]) for each in card["data"]] == [
        ("train.jsonl", {"examples": 3}), ("more.jsonl.gz", {"examples": 1}),
        ("dev.jsonl", {"examples": 2})]
    assert str(tmp_path) not in card["command"].replace(str(base), "")
    assert "model.safetensors" in card["weights"]
    assert card["figures"]["after"] != card["figures"]["before"]


def test_the_command_names_the_line_that_is_wrong(files, tmp_path, tiny_t5):
    (tmp_path / "dev.jsonl").write_text('{"id": 7}\n')
    with pytest.raises(FormatError, match=r"dev\.jsonl, line 1: there is no 'history'"):
        run_fine_tune(parsed("--model", str(tiny_t5), *files, *QUICK))
    assert not (tmp_path / "out").exists()


def test_the_options_have_the_defaults_of_the_settings(files):
    options, settings = vars(parsed("--model", "x", *files)), FineTuneSettings()
    renamed = {"max_facts": "facts"}
    told = {name: options[renamed.get(name, name)] for name in vars(settings)
            if renamed.get(name, name) in options}
    assert told == {name: value for name, value in vars(settings).items() if name in told}
    assert set(vars(settings)) - set(told) == {"warmup", "weight_decay"}


def test_the_options_are_cheap_to_import():
    done = subprocess.run(
        [sys.executable, "-c", "import sys, frontdesk.agent.training.train_options; "
         "raise SystemExit('torch' in sys.modules or 'transformers' in sys.modules)"], check=False)
    assert done.returncode == 0


def test_the_examples_in_the_help_are_options_that_exist():
    command = FINE_TUNE_EXAMPLES.split("generator ")[1].split("\n  frontdesk")[0]
    assert parsed(*command.replace("\\\n", " ").split()).model.startswith("microsoft/GODEL")


@pytest.mark.slow
def test_two_processes_share_the_work_and_write_one_model(files, tmp_path, tiny_t5):
    """As on two GPUs; here on the processor, with the variables that a launcher would set."""
    program = tmp_path / "program.py"
    program.write_text(
        "import argparse, sys\n"
        "from frontdesk.agent.training.fine_tune.fine_tune_command import run_fine_tune\n"
        "from frontdesk.agent.training.train_options import add_fine_tune_options\n"
        "parser = argparse.ArgumentParser()\n"
        "add_fine_tune_options(parser)\n"
        "sys.exit(run_fine_tune(parser.parse_args()))\n")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    both = [ForkedCommand(
        [program, "--model", tiny_t5, *files, *QUICK, "--batch-size", "1", "--checkpoint-s", "0"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={
            **os.environ, "OMP_NUM_THREADS": "1", "MASTER_ADDR": "127.0.0.1",
            "MASTER_PORT": str(port), "WORLD_SIZE": "2", "RANK": rank, "LOCAL_RANK": rank})
        for rank in ("0", "1")]
    told = [each.communicate(timeout=600) for each in both]
    assert [each.returncode for each in both] == [0, 0], told
    assert [out.count("loss on development data") for out, _ in told] == [1, 0]
    assert (tmp_path / "out" / "model.safetensors").is_file()
    # Four examples in batches of one for each of two processes.
    assert load_checkpoint(tmp_path / "out" / "checkpoint.pt")["state"]["step"] == 2
    assert json.loads((tmp_path / "out" / "training.json").read_text())["processes"] == 2
