"""``frontdesk train linking`` from its options to its reports."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import time
from html.parser import HTMLParser
from pathlib import Path

import pytest

from frontdesk.agent.cli.main import main
from frontdesk.agent.evaluation.measure_linking import LinkingEvaluation
from frontdesk.agent.training.training_report import weights_text
from frontdesk.data.datasets.formats import read_json
from frontdesk.data.datasets.graphwoz import load_graphwoz
from frontdesk.kg.names.gazetteer import GazetteerDetector
from frontdesk.rules.linking.circuit import LinkingCircuit
from frontdesk.rules.linking.linking import Linker

from ...conftest import SAMPLES
from ...forked_command import ForkedCommand

OUTPUTS = ("linking_weights.pl", "report.json", "report.html")
#: How the workshop is spoken of, written and recognised, in dialogues that are alike else.
WORDS = (("the lens workshop", "the lens workshop"), ("the lens workshop", "the lance workshop"),
         ("the lens meeting", "the lens meeting"), ("the lense workshop", "the lends workshop"),
         ("the workshop on lens", "the works hop"), ("the lens workshops", "lens worship"))
FOLDS = ("--folds", "3")


def train(*arguments) -> int:
    return main(["train", "linking", *map(str, arguments)])


def dialogues(words=WORDS) -> dict:
    sample, = json.loads((SAMPLES / "graphwoz_sample.json").read_text()).values()
    found = {}
    for number, (written, heard) in enumerate(words, start=1):
        copy = json.loads(json.dumps(sample))
        turn = copy["log"][0]
        turn["manual_transcription"] = f"Hello, when is {written}?"
        turn["entities"] = f"{written} : lens workshop"
        turn["alternative"] = [{"transcript": f"hello when is {heard}", "confidence": 0.9}]
        turn["asr_entities"] = f"{heard} : lens workshop"
        found[f"DIALOGUE_{number}"] = copy
    return found


@pytest.fixture(scope="module")
def dev(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("data") / "dev.json"
    path.write_text(json.dumps(dialogues()))
    return path


@pytest.fixture(scope="module")
def sources(dev):
    return ("--graphwoz", dev, "--reduced", SAMPLES / "graphwoz_reduced_sample.json", *FOLDS)


@pytest.fixture(scope="module")
def finished(sources, tmp_path_factory):
    folder = tmp_path_factory.mktemp("training") / "finished"
    assert train(*sources, "--output", folder) == 0
    return folder


@pytest.fixture(scope="module")
def report(finished):
    return json.loads((finished / "report.json").read_text())


# --- what it writes


def test_training_writes_weights_that_the_rules_load(finished, report):
    circuit = LinkingCircuit(weights=finished / "linking_weights.pl")
    learned = {each["name"]: each["learned"] for each in report["weights"]}
    assert {rule.name: rule.probability for rule in circuit.rules} == pytest.approx(
        learned, abs=1e-6)
    assert learned != {each["name"]: each["by_hand"] for each in report["weights"]}
    assert all(0.001 <= each <= 0.999 for each in learned.values())


def test_training_writes_where_the_weights_are_from(finished, report, dev):
    head = " ".join(line.removeprefix("%").strip() for line in
                    (finished / "linking_weights.pl").read_text().splitlines()
                    if line.startswith("%"))
    for each in report["data"]:
        assert each["sha256"] in head
    assert report["command"] in head
    assert "3 folds, seed 0" in head
    assert f"{report['learning']['log_likelihood_after']:.4f}" in head
    assert "graphwoz: 6 dialogues" in head
    assert str(dev.parent) not in head
    assert not re.search(r"\b\d{4}-\d\d-\d\d\b", head)


def test_training_reports_every_rule_with_its_weights_and_pairs(report):
    rules = {rule.name: rule for rule in LinkingCircuit().rules}
    assert [each["name"] for each in report["weights"]] == list(rules)
    for each in report["weights"]:
        assert each["by_hand"] == rules[each["name"]].probability
        unused = each["name"] in report["learning"]["unused_rules"]
        assert (each["pairs"] == 0) == unused
        if unused:
            assert each["learned"] == pytest.approx(each["by_hand"])
        assert each["least"] <= each["most"]
    assert report["learning"]["log_likelihood_after"] > report["learning"]["log_likelihood_before"]


def test_training_judges_every_dialogue_once_on_weights_of_others(report):
    folds = [each["held_out"] for each in report["cross_validation"]]
    assert sorted(name for fold in folds for name in fold) == [
        f"dev.json#DIALOGUE_{number}" for number in range(1, 7)]
    assert [len(fold) for fold in folds] == [2, 2, 2]
    for measures in report["held_out"]["figures"].values():
        assert measures["mentions"] % 6 == 0
    assert report["held_out"]["better"] in ("learned", "by_hand")


def test_training_measures_weights_set_by_hand_as_the_evaluation_does(report, dev):
    circuit, right, mentions = LinkingCircuit(), 0, 0
    for dialogue in load_graphwoz(dev).values():
        detector = GazetteerDetector(dialogue.knowledge_base)
        linker = Linker(dialogue.knowledge_base, detector.index, circuit)
        evaluation = LinkingEvaluation(dialogue.knowledge_base, detector, linker)
        for turn in map(evaluation.turn, dialogue.turns):
            for record in turn.records["asr_n_best"]:
                mentions += bool(record.gold)
                right += bool(record.gold) and record.rank == 1
    found = report["held_out"]["figures"]["asr_n_best"]
    assert found["mentions"] == mentions > 0
    assert found["precision_at_1"]["by_hand"] == pytest.approx(right / mentions)


def test_training_page_is_complete_in_itself(finished, report):
    class Page(HTMLParser):
        def __init__(self):
            super().__init__()
            self.tags, self.links = [], []

        def handle_starttag(self, tag, attributes):
            self.tags.append(tag)
            self.links += [value for name, value in attributes if name in ("src", "href")]

    text = (finished / "report.html").read_text()
    page = Page()
    page.feed(text)
    assert page.links == ["data:,"]
    assert "script" not in page.tags
    assert page.tags.count("svg") == 2
    assert page.tags.count("table") == 5
    assert "default-src 'none'" in text
    assert "prefers-color-scheme" in text
    for each in report["weights"]:
        assert each["name"] in text
        assert each["reason"] in text


def test_weights_file_keeps_text_of_its_provenance_in_comments():
    text = weights_text({"a": 0.25}, ["x\n:- halt.\nweight(b, 1)." + " word" * 60])
    lines = text.splitlines()
    assert lines[-1] == "weight(a, 0.25)."
    assert all(line.startswith("%") or not line for line in lines[:-1])
    assert max(map(len, lines)) <= 100


# --- stopping and going on


def outputs(folder: Path) -> list[bytes]:
    return [(folder / name).read_bytes() for name in OUTPUTS]


def test_training_is_the_same_every_time_and_another_with_another_seed(finished, sources,
                                                                      tmp_path):
    assert train(*sources, "--output", tmp_path / "again") == 0
    assert outputs(tmp_path / "again") == outputs(finished)
    assert train(*sources, "--seed", 1, "--output", tmp_path / "other") == 0
    other = json.loads((tmp_path / "other" / "report.json").read_text())
    mine = json.loads((finished / "report.json").read_text())
    assert [each["held_out"] for each in other["cross_validation"]] != [
        each["held_out"] for each in mine["cross_validation"]]


@pytest.mark.parametrize("left", [[], ["examples"], ["examples", "fold-1-weights", "fold-1"],
                                  ["examples", "fold-1-weights", "fold-1", "fold-2-weights"]])
def test_training_goes_on_from_any_finished_step_to_the_same_bytes(left, finished, sources,
                                                                   tmp_path):
    folder = tmp_path / "stopped"
    (folder / "steps").mkdir(parents=True)
    shutil.copy(finished / "training.json", folder)
    for step in left:
        shutil.copy(finished / "steps" / f"{step}.json", folder / "steps")
    assert train(*sources, "--resume", "--output", folder) == 0
    assert outputs(folder) == outputs(finished)


def started(*arguments) -> subprocess.Popen:
    return ForkedCommand(
        ["train", "linking", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for(path: Path, process: subprocess.Popen) -> None:
    deadline = time.monotonic() + 60
    while not path.exists():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.002)


@pytest.mark.slow
@pytest.mark.parametrize(("at", "how", "status"), [
    ("training.json", signal.SIGINT, 130), ("steps/fold-1-weights.json", signal.SIGKILL, -9)])
def test_training_that_is_stopped_goes_on_to_the_same_bytes(at, how, status, finished, sources,
                                                            tmp_path):
    folder = tmp_path / "stopped"
    process = started(*sources, "--output", folder)
    wait_for(folder / at, process)
    process.send_signal(how)
    _, said = process.communicate(timeout=60)
    assert process.returncode == status
    assert "Traceback" not in said
    assert ("--resume goes on" in said) == (how is signal.SIGINT)
    assert not (folder / "report.json").exists()
    assert train(*sources, "--output", folder, "--resume") == 0
    assert outputs(folder) == outputs(finished)


# --- mistakes


def refused(capsys, *arguments) -> str:
    assert train(*arguments) == 2
    return capsys.readouterr().err


def test_training_does_not_mix_with_another(finished, sources, capsys):
    before = outputs(finished)
    assert "--resume" in refused(capsys, *sources, "--output", finished)
    assert "prior 5.0 there, 1.0 now" in refused(
        capsys, *sources, "--prior", 1, "--resume", "--output", finished)
    assert outputs(finished) == before


@pytest.mark.parametrize(("options", "said"), [
    (["--folds", "1"], "--folds is 1"), (["--folds", "7"], "(6)"), (["--prior", "-1"], "prior"),
    (["--iterations", "0"], "iterations"), (["--tolerance", "nan"], "tolerance"),
    (["--seed", "-1"], "seed"), (["--reduced", "nowhere.json"], "nowhere.json"),
    (["--conversations", "nowhere.json"], "nowhere.json")])
def test_training_refuses_options_that_make_no_sense(options, said, dev, tmp_path, capsys):
    assert said in refused(capsys, "--graphwoz", dev, "--output", tmp_path / "x", *options)
    assert not (tmp_path / "x").exists()


def test_training_says_when_its_folder_cannot_be_made(dev, tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert "--output" in refused(capsys, "--graphwoz", dev, *FOLDS, "--output",
                                 tmp_path / "file" / "x")


def test_training_says_which_kept_step_is_damaged(finished, sources, tmp_path, capsys):
    folder = tmp_path / "damaged"
    shutil.copytree(finished, folder)
    (folder / "steps" / "fold-2-weights.json").write_text('{"weights": 3}')
    assert "fold-2-weights.json" in refused(capsys, *sources, "--resume", "--output", folder)


def test_training_help_has_examples(capsys):
    with pytest.raises(SystemExit) as ended:
        train("--help")
    assert ended.value.code == 0
    assert "frontdesk train linking --graphwoz" in capsys.readouterr().out


# --- real data


@pytest.mark.slow
def test_training_on_the_development_dialogues(graphwoz_dev, tmp_path):
    half = tmp_path / "half.json"
    half.write_text(json.dumps(dict(list(read_json(graphwoz_dev).items())[::2])))
    assert train("--graphwoz", half, *FOLDS, "--output", tmp_path / "x") == 0
    report = json.loads((tmp_path / "x" / "report.json").read_text())
    figures = report["held_out"]["figures"]
    assert report["examples"]["graphwoz"]["pairs_true"] > 50
    assert report["learning"]["converged"]
    # Not tied to which set of weights wins, but learned ones must link as well as those by hand.
    for variant in ("given", "own", "asr_first", "asr_n_best"):
        precision = figures[variant]["precision_at_1"]
        assert precision["learned"] >= precision["by_hand"] - 0.03
    assert figures["annotated"]["log_loss"]["learned"] < 0.75
