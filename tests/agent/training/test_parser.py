"""``frontdesk train parser``: it learns, goes on with a parser, and knows how sure it may be."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace

import pytest
import torch
from safetensors.torch import load_file

from frontdesk.agent.cli.main import main
from frontdesk.agent.training.parser import run_parser
from frontdesk.agent.training.parser.parser_task import fitted_temperature
from frontdesk.data.datasets.parsed_samples import load_parsed_samples
from frontdesk.kg.parser.parser_weights import FILES, PACKAGED
from frontdesk.kg.parser.trained_parser import TrainedParser

from ...conftest import SAMPLES

HELD_OUT = SAMPLES / "held_out_utterances.jsonl"


@pytest.fixture(scope="module")
def few_turns(tmp_path_factory):
    """A few utterances to learn from, of which one is measured on, too."""
    file = tmp_path_factory.mktemp("turns") / "few.jsonl"
    rows = [{"utterance": said, "forms": [form]} for said, form in (
        ("where is Ada", '(ask (where (person "Ada")))'),
        ("is Bo in?", '(ask (holds (present (person "Bo"))))'),
        ("hello", "(greet)"), ("Which rooms are free now", "(ask (which (room (is_free (now)))))"))]
    file.write_text("".join(f"{json.dumps(each)}\n" for each in rows), encoding="utf-8")
    return file


@pytest.fixture
def trained(few_turns, tmp_path, monkeypatch, capsys):
    """Trains on the few utterances alone, those that come with the product left out for time."""
    monkeypatch.setattr(run_parser, "written_turns", tuple)

    def train(*options):
        assert main(["train", "parser", "--written", str(few_turns), "--invented", "0",
                     "--epochs", "1", "--batch-size", "4", "--output", str(tmp_path / "run"),
                     *map(str, options)]) == 0
        return tmp_path / "run" / "model"

    return train


def test_a_parser_that_is_gone_on_with_is_trained(trained):
    folder = trained("--start", PACKAGED, "--learning-rate", "0.001")
    before, after = load_file(PACKAGED / FILES.weights), load_file(folder / FILES.weights)
    assert before.keys() == after.keys()
    changed = [name for name in before if not torch.equal(before[name], after[name])]
    assert len(changed) > len(before) / 2
    assert TrainedParser(run_parser.LANGUAGE, folder).temperature > 0


def test_what_is_measured_on_or_left_out_is_not_learned(few_turns, tmp_path, monkeypatch):
    monkeypatch.setattr(run_parser, "written_turns", tuple)
    left_out = tmp_path / "left_out.txt"
    left_out.write_text("Hello!\n", encoding="utf-8")
    measured = tmp_path / "measured.jsonl"
    measured.write_text(json.dumps({"utterance": "Is Bo in", "forms": [
        '(ask (holds (present (person "Bo"))))']}) + "\n", encoding="utf-8")
    options = argparse.Namespace(
        smcalflow=[], sgd=[], nlu_home=[], clinc=[], written=[few_turns], held_out=[measured],
        leave_out=[left_out], seed=0)
    data = run_parser.parser_data(options)
    assert {each.utterance for each in data.learned["written"]} \
        == {"where is Ada", "Which rooms are free now"}


def test_the_temperature_tells_how_often_the_first_reading_is_right(tmp_path):
    turns = load_parsed_samples(HELD_OUT)[0][:12]
    right = fitted_temperature(PACKAGED, turns)
    wrong = fitted_temperature(PACKAGED, [
        replace(each, forms=turns[place - 1].forms, also=())
        for place, each in enumerate(turns)])
    assert wrong > right
