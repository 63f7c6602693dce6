"""``frontdesk evaluate understanding`` and ``frontdesk parse``, with a parser that knows little."""

from __future__ import annotations

import io
import json
import random
from collections import Counter
from pathlib import Path

import pytest
import torch

from frontdesk.agent.cli.main import main
from frontdesk.agent.evaluation.understanding.score_forms import (
    acts_of,
    canonical_form,
    measure_understanding,
    score_turn,
    slots_of,
)
from frontdesk.agent.training.parser.parser_examples import ExampleMaker
from frontdesk.data.datasets.parsed_samples import load_parsed_samples
from frontdesk.data.datasets.parsed_turns import LANGUAGE
from frontdesk.kg.graph.logical_forms import read_form, read_forms
from frontdesk.kg.models.minilm import minilm
from frontdesk.kg.parser.form_tokens import FormTokens
from frontdesk.kg.parser.parser_weights import SHAPE, new_network, save_network

from .chromium import browser

#: Utterances that the parser of these tests has learned by heart.
LEARNED = [("Where is Ada?", '(ask (where (person "Ada")))'),
           ("and at three?", '(revise (retime (at "three")))'),
           ("Is it raining in Oslo?", '(unsupported "raining")'),
           ("Thanks!", "(thank)"),
           ("Cancel the standup", '(request (cancel (event "standup")))')]


def written(path: Path, rows) -> Path:
    path.write_text("".join(json.dumps({
        "dialogue": f"d{number}", "turn": 1, "utterance": said, "forms": [forms], **more[0]}) + "\n"
        for number, (said, forms, *more) in enumerate((*row, {}) for row in rows)))
    return path


@pytest.fixture(scope="module")
def parser(tmp_path_factory) -> Path:
    """The folder of a parser that has learned a few utterances."""
    folder = tmp_path_factory.mktemp("parser")
    turns, _ = load_parsed_samples(written(folder / "learned.jsonl", LEARNED))
    torch.manual_seed(0)
    shape = {**SHAPE, "hidden": 256, "longest": 24, "dropout": 0.0}
    tokens = FormTokens(LANGUAGE)
    network = new_network(tokens, shape).train()
    maker = ExampleMaker(minilm().tokenizer, tokens, shape["longest"])
    examples = list(maker.examples(turns, "toy", random.Random(0), 0.0))
    optimiser = torch.optim.AdamW([each for each in network.parameters() if each.requires_grad],
                                  lr=5e-4)
    for _ in range(80):
        loss, right, count = network.losses([each.read for each in examples],
                                            [each.target for each in examples],
                                            [each.counted for each in examples])
        if int(right) == len(examples) and float(loss.detach()) / count < 0.05:
            break
        optimiser.zero_grad()
        (loss / count).backward()
        optimiser.step()
    save_network(network, tokens, folder / "model", shape)
    return folder / "model"


def evaluate(*arguments) -> int:
    return main(["evaluate", "understanding", *map(str, arguments)])


# --- scoring

@pytest.mark.parametrize(("one", "other"), [
    ('(ask (which (event (at "Friday") (attends (me)) (nth 1))))',
     '(ask (which (event (attends (me)) (nth 1) (at "friday"))))'),
    ('(request (create (time (at "3")) (title "a Demo")))',
     '(request (create (title "demo.") (time (at "3"))))'),
    ('(ask (where (event "The standup")))', '(ask (where (event "standup?")))'),
    ('(request (create (attendee (person "Bo")) (attendee (person "Al"))))',
     '(request (create (attendee (person "al")) (attendee (person "bo"))))')])
def test_forms_that_say_the_same_are_equal(one, other):
    assert canonical_form(read_form(one)) == canonical_form(read_form(other))


@pytest.mark.parametrize(("one", "other"), [
    ('(ask (holds (more (longest) (event "a b") (event "c"))))',
     '(ask (holds (more (longest) (event "c") (event "a b"))))'),
    ('(ask (where (event "standup")))', '(ask (when (event "standup")))'),
    ('(request (swap (event "a b") (event "c")))', '(request (swap (event "c") (event "a b")))')])
def test_forms_that_say_something_else_are_not(one, other):
    assert canonical_form(read_form(one)) != canonical_form(read_form(other))


def test_courtesies_at_the_edges_are_no_acts_where_there_are_others():
    assert acts_of(read_forms('(greet) (ask (why)) (thank) (confirm) (thank)')) \
        == ("ask", "thank", "confirm")
    assert acts_of(read_forms("(thank) (goodbye)")) == ("goodbye",)
    assert acts_of(read_forms("(acknowledge) (thank)")) == ("acknowledge", "thank")


def test_a_slot_is_the_innermost_head_with_its_words():
    assert slots_of(read_forms('(request (create (title "Demo") (attendee (person "Bo"))))')) \
        == Counter({("title", "demo"): 1, ("person", "bo"): 1})


def test_another_form_that_is_right_counts_and_what_is_out_of_scope_needs_no_topic():
    one, other = read_forms("(deny)"), read_forms('(revise (retime (at "four")))')
    assert score_turn([one, other], other).right
    assert score_turn([read_forms("(unsupported)")], read_forms('(unsupported "rain")')).right
    assert not score_turn([read_forms('(unsupported "snow")')],
                          read_forms('(unsupported "rain")')).right


def test_acts_are_paired_for_the_confusions():
    score = score_turn([read_forms("(ask (why)) (confirm)")], read_forms("(deny) (confirm) (any)"))
    assert score.cells == (("ask", "deny"), ("confirm", "confirm"), ("", "any"))


def test_figures_are_shares_or_missing_with_a_reason():
    scores = [score_turn([read_forms(gold)], read_forms(found)) for gold, found in (
        ('(ask (where (person "Ada")))', '(ask (where (person "Ada")))'),
        ('(ask (where (person "Bo")))', '(ask (phone (person "Bo")))'),
        ("(confirm)", "(unsupported)"), ("(confirm)", ""))]
    report = measure_understanding(scores, [1.0, 2.0, 3.0, 4.0])
    assert (report["act_accuracy"], report["form_exact_match"], report["slot_f1"]) \
        == (0.5, 0.25, 1.0)
    assert report["act_f1"] == round(2 * 2 / (4 + 3), 4)
    assert report["out_of_scope"] == {"precision": 0.0, "recall": None}
    assert report["per_act"]["confirm"]["recall"] == 0.0
    assert set(report["unavailable"]) == {"out_of_scope.recall"}
    assert report["latency_ms"]["p50"] == 2.5
    wordless = measure_understanding([score_turn([read_forms("(deny)")], read_forms(
        '(ask (phone (person "Bo")))'))], [1.0])
    assert wordless["unavailable"]["slot_f1"] == "no form of the data has words"
    nothing = measure_understanding([], [])
    assert nothing["act_f1"] is None
    assert nothing["unavailable"]["act_f1"] == "no turn has forms"


# --- the command

@pytest.fixture(scope="module")
def run(parser, tmp_path_factory) -> Path:
    """A run over what the parser knows and what it does not."""
    folder = tmp_path_factory.mktemp("run")
    rows = [*LEARNED, ("Where is Ada?", "(deny)", {"also": ['(ask (where (person "Ada")))']}),
            ("Cancel the standup", '(ask (when (event "standup")))')]
    path = written(folder / "samples.jsonl", rows)
    assert evaluate("--path", path, "--format", "frontdesk", "--parser", parser,
                    "--output", folder / "run") == 0
    return folder / "run"


def test_a_run_says_how_much_is_right(run):
    report = json.loads((run / "report.json").read_text())
    assert (report["dataset"], report["turns"], report["convertible"]) == ("frontdesk", 7, 7)
    assert report["form_exact_match"] == report["act_accuracy"] == round(6 / 7, 4)
    assert report["slot_f1"] == 1.0
    assert report["out_of_scope"] == {"precision": 1.0, "recall": 1.0}
    assert report["per_act"]["request"] == {
        "gold": 1, "found": 2, "right": 1, "precision": 0.5, "recall": 1.0, "f1": 0.6667}
    assert report["latency_ms"]["p95"] >= report["latency_ms"]["p50"] > 0


def test_every_turn_is_kept_with_its_parse(run):
    turns = [json.loads(line) for line in (run / "turns.jsonl").read_text().splitlines()]
    assert [turn["right"] for turn in turns] == [True] * 6 + [False]
    assert turns[0]["parse"][0]["forms"] == turns[0]["gold"] == ['(ask (where (person "Ada")))']
    assert turns[0]["context"] == {"asked": "", "forms": []}


def test_the_page_shows_confusions_whose_numbers_lead_to_their_turns(run, tmp_path):
    assert '<a href="#cell=ask>request">1</a>' in (run / "report.html").read_text()
    with browser(tmp_path) as page:
        page.open(run / "report.html", "#cell=ask%3Erequest")
        rows = "[...document.querySelectorAll('table.browser tbody tr:not(.detail)')]"
        assert page.run(f"{rows}.length") == 1
        page.run("document.getElementById('filter-cell').value = '';"
                 "document.getElementById('filter-right').value = 'right';"
                 "document.getElementById('filter-right').dispatchEvent(new Event('change'))")
        assert page.run(f"{rows}.length") == 6
        page.run("document.querySelector('table.browser button.open').click()")
        assert "(ask (where (person" in page.run(
            "document.querySelector('tr.detail:not([hidden])').textContent")
        assert not page.complaints


SMCALFLOW = {"dialogue_id": "d", "turns": [
    {"user_utterance": {"original_text": "stop"}, "lispress": "(Cancel)",
     "agent_utterance": {"original_text": "Well."}}]}
SGD = {"dialogue_id": "d", "services": ["Calendar_1"], "turns": [
    {"speaker": "USER", "utterance": "Thanks!", "frames": [
        {"service": "Calendar_1", "actions": [{"act": "THANK_YOU", "slot": "", "values": []}],
         "slots": [], "state": {"active_intent": "NONE"}}]}]}
FILES = {"smcalflow": json.dumps(SMCALFLOW), "sgd": json.dumps(SGD),
         "nlu-home": "scenario;intent;answer_annotation\nplay;music;play jazz",
         "clinc": json.dumps({"train": [["hi", "greeting"]], "val": [["hello", "greeting"]]})}


@pytest.mark.parametrize("name", FILES)
def test_each_format_is_evaluated_and_reported(name, parser, tmp_path, capsys):
    path = tmp_path / "data"
    path.write_text(FILES[name])
    assert evaluate("--path", path, "--format", name, "--part", "all", "--parser", parser,
                    "--output", tmp_path / "run") == 0
    report = json.loads((tmp_path / "run" / "report.json").read_text())
    assert report["convertible"] == report["turns"] == (2 if name == "clinc" else 1)
    capsys.readouterr()
    assert main(["data", "report", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["forms"]["converted"] == report["turns"]


def test_of_clinc_what_training_reads_is_not_held_out(parser, tmp_path):
    path = tmp_path / "data"
    path.write_text(FILES["clinc"])
    assert evaluate("--path", path, "--format", "clinc", "--parser", parser,
                    "--output", tmp_path / "run") == 0
    assert "hello" in (tmp_path / "run" / "turns.jsonl").read_text()
    assert json.loads((tmp_path / "run" / "report.json").read_text())["turns"] == 1


@pytest.mark.parametrize(("arguments", "said"), [
    (["--path", "x", "--output", "y"], "--format"),
    (["--path", "x", "--output", "y", "--format", "sgd", "--entities", "z"], "--entities"),
    (["--path", "x", "--output", "y", "--format", "sgd", "--limit", "0"], "--limit is 0"),
    (["--path", "missing", "--output", "y", "--format", "sgd"], "missing")])
def test_mistakes_in_the_options_are_told(arguments, said, capsys):
    assert evaluate(*arguments) == 2
    assert said in capsys.readouterr().err


# --- frontdesk parse

def parse(monkeypatch, capsys, text: bytes, *options) -> list[str]:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
    assert main(["parse", *map(str, options)]) == 0
    return capsys.readouterr().out.splitlines()


def test_each_line_has_its_forms(parser, monkeypatch, capsys):
    lines = "".join(f"{said}\n\n" for said, _ in LEARNED).encode()
    assert parse(monkeypatch, capsys, lines, "--parser", parser) == [form for _, form in LEARNED]


def test_readings_come_with_probabilities_and_no_line_ends_it(parser, monkeypatch, capsys):
    lines = b"Thanks!\n" + b"a " * 5000 + b"\n\xff\xfe (\" \\\n\xe2\x80\x8b\nWhere is Ada?\n"
    found = [json.loads(line) for line in parse(
        monkeypatch, capsys, lines, "--parser", parser, "--json")]
    assert [len(each["text"]) for each in found[:2]] == [7, 10000]
    assert len(found) == 5
    assert found[0]["parse"][0]["forms"] == ["(thank)"]
    for each in found:
        chances = [reading["probability"] for reading in each["parse"]]
        assert chances == sorted(chances, reverse=True)
        assert sum(chances) == pytest.approx(1, abs=1e-3) or not chances


def test_a_domain_or_folder_without_a_parser_is_told(tmp_path, capsys):
    assert main(["parse", "--domain", "car"]) == 2
    assert main(["parse", "--parser", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert "car" in said
    assert str(tmp_path) in said
