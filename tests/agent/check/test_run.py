"""The command, with the components that it uses by default."""

from __future__ import annotations

import json

import pytest

from frontdesk.agent.cli.main import main

from ...conftest import SAMPLES
from ...tiny_models import save_q2_models

GRAPH = SAMPLES / "graphwoz_sample.json"
TRUE = {"id": "a", "history": ["Where is Ada Berg?"],
        "knowledge": "Ada Berg is in Zeta. The lens talk is at 14:30.",
        "response": "Ada Berg is in Zeta."}
FALSE = {**TRUE, "id": "b", "response": "Ada Berg is in Eta."}
EMPTY = {"response": ""}


@pytest.fixture
def check(tmp_path, capsys):
    source, output = tmp_path / "in.jsonl", tmp_path / "out.jsonl"

    def run(*lines, options=(), status=0):
        if lines:
            source.write_text("".join(
                f"{each if isinstance(each, str) else json.dumps(each)}\n" for each in lines))
        arguments = ["check", "--input", source, "--output", output, *options]
        assert main(list(map(str, arguments))) == status
        run.error = capsys.readouterr().err
        run.output = output
        return [json.loads(line) for line in output.read_text().splitlines()] \
            if output.exists() and status < 2 else []
    return run


def test_what_the_knowledge_says_has_a_higher_score_than_what_it_does_not(check):
    true, false = check(TRUE, FALSE)
    assert true.items() >= TRUE.items()
    assert true["q2"] == 1.0
    assert false["q2"] < 1.0
    asked = next(each for each in false["q2_evidence"] if each["reply"] == "Eta")
    assert (asked["question"], asked["knowledge"]) == ("Ada Berg is in what?", "Zeta")
    assert sum(gain for _, gain in true["pmi_faith_per_token"]) == pytest.approx(
        true["pmi_faith"], abs=0.01)
    assert true["skipped"] == {"verdict": "there is no graph"}


def test_q2_is_made_of_models_of_the_hub_where_the_settings_say_so(check, tmp_path):
    folders = save_q2_models(tmp_path, reader_length=96)
    config = tmp_path / "hub.toml"
    config.write_text("[check]\nq2 = 'hub'\n" + "".join(
        f"hub_{name} = './{name}'\n" for name in folders))
    long = {**TRUE, "response": "The talk is in zeta. " * 60, "knowledge": "The room is eta. " * 90}
    found = check(TRUE, EMPTY, long, options=("--config", config))
    assert [each["q2"] is None for each in found] == [False, True, False]
    assert all(0 <= each["q2"] <= 1 for each in found if each["q2"] is not None)
    config.write_text(config.read_text().replace("./reader", "./nowhere"))
    check(TRUE, options=("--config", config, "--output", tmp_path / "other.jsonl"), status=2)
    assert "the reader" in check.error
    assert "nowhere" in check.error


def test_pmi_faith_reads_the_sentences_that_have_most_words_of_the_dialogue(check):
    others = [f"Person{number} is in Room{number}." for number in range(40)]
    knowledge = [*others, "Ada Berg is in Zeta."]
    true, false = check({**TRUE, "knowledge": knowledge},
                        {**FALSE, "knowledge": knowledge, "response": "Ada Berg is in Room7."})
    assert true["pmi_faith"] > 0 > false["pmi_faith"] - true["pmi_faith"]
    assert any("20 of 41 sentences" in note for note in true["notes"])


def test_a_reply_that_is_too_long_is_not_scored_and_says_so(check):
    (found,) = check({**TRUE, "response": "Ada Berg is in Zeta and " * 3000})
    assert (found["q2"], found["pmi_faith"]) == (None, None)
    for name in ("q2", "pmi_faith"):
        assert "more than 6000 characters" in found["skipped"][name]


def test_an_output_that_was_never_checked_is_not_gone_on_with(check):
    check(TRUE, FALSE)
    check.output.write_text("".join(json.dumps(each) + "\n" for each in (TRUE, FALSE)))
    check(TRUE, FALSE, options=("--resume",), status=2)
    assert "is no result of a line" in check.error


def test_an_empty_reply_has_no_scores_and_says_why(check):
    (found,) = check({**TRUE, "response": " "})
    assert (found["q2"], found["pmi_faith"]) == (None, None)
    assert {found["skipped"][each] for each in ("faithfulness", "q2", "pmi_faith")} == {
        "the reply is empty"}


def test_a_graph_checks_claims(check):
    dialogue = json.loads(GRAPH.read_text())
    name = next(iter(dialogue))
    (found,) = check({"history": ["Hello"], "response": "The flux parade is in Atlantis.",
                      "graph": f"{GRAPH}#{name}"})
    assert found["verdict"] in ("unsupported", "contradicted")
    assert found["claims"]
    (lost,) = check({"history": ["Hello"], "response": "x", "graph": f"{GRAPH}#nobody"},
                    options=("--output", check.output.with_name("other.jsonl")), status=1)
    assert "other" not in lost  # the first output is read again
    other = json.loads(check.output.with_name("other.jsonl").read_text())
    assert "no dialogue 'nobody'" in other["error"]


def test_a_graph_is_found_from_the_working_directory_and_one_that_is_not_is_an_error(
        check, tmp_path, monkeypatch):
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    (here / "dialogues.json").write_bytes(GRAPH.read_bytes())
    case = {"history": ["Hello"], "response": "The flux parade is in Atlantis."}
    lost, found = check({**case, "graph": "nowhere.json#0"},
                        {**case, "graph": "dialogues.json#0"}, status=1)
    assert found["verdict"] in ("unsupported", "contradicted")
    assert "nowhere.json" in lost["error"]
    assert "in.jsonl, line 1: there is no file 'nowhere.json'" in check.error


def test_a_dash_is_standard_output(tmp_path, capsys, monkeypatch):
    source = tmp_path / "in.jsonl"
    source.write_text(json.dumps(TRUE) + "\n")
    monkeypatch.chdir(tmp_path)
    assert main(["check", "--input", str(source), "--output", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["q2"] == 1.0
    assert list(tmp_path.iterdir()) == [source]


def test_bad_lines_are_told_and_the_others_checked(check):
    found = check(TRUE, "nonsense", {"response": 3}, EMPTY, status=1)
    assert [("error" in line) for line in found] == [False, True, True, False]
    assert "line 2" in found[1]["error"]
    assert "2 lines could not be checked" in check.error
    assert found[3]["skipped"]["q2"] == "the reply is empty"


def test_a_check_that_was_stopped_goes_on(check):
    whole = check(TRUE, FALSE, EMPTY)
    text = check.output.read_text()
    check.output.write_text(text[:len(text.splitlines()[0]) + 20])
    found = check(options=("--resume",))
    assert found[0] == whole[0]
    for one, other in zip(found, whole, strict=True):
        assert (one["response"], one["q2_evidence"]) == (other["response"], other["q2_evidence"])
        assert one["pmi_faith"] == pytest.approx(other["pmi_faith"], abs=1e-3)


def test_an_output_of_other_replies_is_not_gone_on_with(check):
    check(TRUE)
    before = check.output.read_text()
    check(FALSE, options=("--resume",), status=2)
    assert "line 1 of" in check.error
    check(FALSE, status=2)
    assert "exists already" in check.error
    assert check.output.read_text() == before


@pytest.mark.parametrize("text", ["my notes\n", "{\n}\n", '{"response": "x"}\n{"response"'])
def test_a_file_that_is_no_output_stays_as_it_is(check, text):
    assert check(TRUE)
    check.output.write_text(text)
    check(options=("--resume",), status=2)
    assert check.output.read_text() == text


def test_a_longer_output_stays_as_it_is(check):
    check(TRUE, FALSE)
    before = check.output.read_text()
    check(TRUE, options=("--resume",), status=2)
    assert "line 2" in check.error
    assert check.output.read_text() == before


def test_a_number_that_is_none_names_no_dialogue(check):
    (found,) = check({"history": ["Hi"], "response": "x", "graph": f"{GRAPH}#²"}, status=1)
    assert "has no dialogue" in found["error"]


def test_a_generator_that_is_missing_is_told_and_the_rest_done(check):
    (found,) = check(TRUE, options=("--profile", "godel"))
    assert found["q2"] == 1.0
    assert "not on this machine" in found["skipped"]["pmi_faith"]


def test_the_page_shows_what_is_supported_and_is_no_place_for_markup(check, tmp_path):
    page = tmp_path / "page.html"
    check(TRUE, {**FALSE, "response": "Ada Berg is in <script>alert(1)</script>."}, "{",
          options=("--report", page), status=1)
    text = page.read_text()
    assert '<mark class="yes">' in text
    assert '<mark class="no">' in text
    assert "<script" not in text
    assert "not JSON" in text


@pytest.mark.parametrize(("options", "message"), [
    (("--batch-size", 0), "--batch-size is 0"), (("--profile", "embedded", "--config", "x.toml"),
                                                 "x.toml")])
def test_bad_options_are_refused(check, options, message):
    check(TRUE, options=options, status=2)
    assert message in check.error


def test_what_is_piped_is_answered(monkeypatch, capsys):
    import io
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(TRUE) + "\n"))
    assert main(["check"]) == 0
    assert json.loads(capsys.readouterr().out)["q2"] == 1.0


@pytest.mark.parametrize("line", [
    {"response": "Yes.", "knowledge": "a. " * 300}, {"response": "word " * 3000},
    {"response": "Ok!", "history": ["Ada?"], "knowledge": "Zeta"},
    {"response": "Ada in Zeta", "history": ["x " * 5000],
     "knowledge": [f"Room {number} is on floor {number % 9}." for number in range(100)]},
    {"response": "\u0410da 在 Zeta 🎉", "knowledge": "\ud800 אדה"}])
def test_unusual_lines_have_defined_results(check, line):
    (found,) = check(json.dumps(line))
    assert found["q2"] is None or 0 <= found["q2"] <= 1
    assert found["q2"] is not None or found["skipped"]["q2"]
    assert found["pmi_faith"] is not None or found["skipped"]["pmi_faith"]
