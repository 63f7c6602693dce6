"""The page of figures: what is measured anew, what stays, and what its tables show."""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from frontdesk.agent.cli.main import main

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "figures.py"
OLD = "# Figures\n\n## visitors\n\nOld visitors.\n\n## load\n\nOld load.\n\n## by hand\n\nKept.\n"


@pytest.fixture(scope="module")
def figures():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(SCRIPT.parent))
        yield runpy.run_path(str(SCRIPT))


@pytest.fixture
def page(tmp_path):
    file = tmp_path / "FIGURES.md"
    file.write_text(OLD, encoding="utf-8")
    return file


def measure(figures, monkeypatch, *options):
    monkeypatch.setattr(sys, "argv", ["figures.py", *map(str, options)])
    return figures["main"]()


@pytest.fixture
def _in_this_process(monkeypatch):
    """Commands of frontdesk are run here, where all is loaded that they need."""
    start = subprocess.run

    def run(command, **options):
        if command[:3] != [sys.executable, "-m", "frontdesk.agent.cli.main"]:
            return start(command, **options)
        return subprocess.CompletedProcess(command, main(command[3:]))

    monkeypatch.setattr(subprocess, "run", run)


@pytest.mark.usefixtures("_in_this_process")
def test_what_is_named_is_measured_and_the_rest_stays(figures, page, monkeypatch):
    assert measure(figures, monkeypatch, "--only", "visitors", "--smallest", "--output", page) == 0
    sections = figures["read_page"](page)
    assert [name for name, each in sections.items() if "Not measured" not in each] == [
        "visitors", "load", "by hand"]
    assert "Old load." in sections["load"]
    assert "Old visitors." not in sections["visitors"]
    assert "\n| simulated | 2 | " in sections["visitors"]
    assert figures["commit"]().split()[0] in sections["visitors"]


def test_what_cannot_be_measured_stays_and_is_told(figures, page, monkeypatch, capsys):
    monkeypatch.delenv("FRONTDESK_DATA", raising=False)
    assert measure(figures, monkeypatch, "--only", "linking", "--output", page) == 0
    assert "linking is not measured: FRONTDESK_DATA names no folder" in capsys.readouterr().err
    sections = figures["read_page"](page)
    assert "Old visitors." in sections["visitors"]
    assert "Not measured: FRONTDESK_DATA names no folder" in sections["linking"]


def test_what_was_never_measured_is_listed_as_such(figures, page, monkeypatch):
    assert measure(figures, monkeypatch, "--only", "--output", page) == 0
    sections = figures["read_page"](page)
    assert [*sections] == [*figures["load_sections"](), "by hand"]
    assert sections["house"].endswith("`python benchmarks/house.py`\n\nNot measured yet.\n\n")
    assert "Old visitors." in sections["visitors"]


def test_slow_sections_are_measured_with_all(figures, page, monkeypatch, capsys):
    monkeypatch.setitem(figures["main"].__globals__, "missing", lambda *_, **__: "it is not there")
    for options, told in (((), False), (("--all",), True)):
        measure(figures, monkeypatch, *options, "--output", page)
        assert ("\nload is not measured" in capsys.readouterr().err) is told


def test_compared_weights_are_rows(figures, tmp_path):
    (tmp_path / "report.json").write_text(json.dumps({"held_out": {"figures": {
        "with_entity": {"mentions": 7, "log_loss": {"by_hand": 0.7, "learned": 0.6}}}}}))
    ((name, data),) = figures["read_rows"](tmp_path)
    assert figures["table"]([(name, data)], {"loss": "log_loss.learned"})[2:] == [
        "| with entity | 0.600 |"]


def test_a_data_set_that_is_not_in_the_folder_is_named(figures, tmp_path, monkeypatch):
    monkeypatch.setenv("FRONTDESK_DATA", str(tmp_path))
    section = figures["load_sections"]()["kvret"]
    assert figures["missing"](section, smallest=False) == \
        "FRONTDESK_DATA has no kvret/kvret_dev_public.json.gz"
    assert figures["missing"](section, smallest=True) == ""


def test_tables_have_figures_with_their_intervals(figures):
    rows = [("a", {"bleu": 20.16, "intervals": {"bleu": [17.34, 23.8]}, "n": {"of": 1200}}),
            ("b", {"bleu": None, "rate": {"value": 0.01234, "interval": [0.0, 0.5]}})]
    assert figures["table"](rows, {"BLEU": "bleu", "rate": "rate", "of": "n.of"})[2:] == [
        "| a | 20.2 (17.3–23.8) |  | 1,200 |", "| b |  | 0.012 (0.000–0.500) |  |"]


def test_a_column_that_no_report_has_is_a_mistake(figures):
    with pytest.raises(KeyError, match="no row has the figure 'blue'"):
        figures["table"]([("a", {"bleu": 1.0})], {"BLEU": "blue"})


def test_sections_name_benchmarks_that_are_there(figures):
    for section in figures["load_sections"]().values():
        program, script, *_ = section.command.split()
        assert program == "frontdesk" or (SCRIPT.parents[1] / script).is_file()
