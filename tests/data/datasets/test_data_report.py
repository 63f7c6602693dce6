from __future__ import annotations

import gzip
import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from frontdesk.agent.domains.domain_registry import data_sets
from frontdesk.data.datasets.data_report import EXAMPLES
from frontdesk.data.datasets.data_report import report_on as report_on_file
from frontdesk.data.datasets.defects import DESCRIPTIONS, DefectKind
from frontdesk.data.datasets.formats import DataFormat
from frontdesk.kg.graph.errors import FormatError

SAMPLES = Path(__file__).parents[2] / "samples"
KVRET = SAMPLES / "kvret_sample.json"


def report_on(path):
    return report_on_file(path, data_sets().values())


def frontdesk(*arguments):
    done = subprocess.run([sys.executable, "-m", "frontdesk.agent.cli.main", *map(str, arguments)],
                          capture_output=True, timeout=60, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.mark.parametrize(("name", "found", "dialogues", "turns", "domains"), [
    ("kvret_sample.json", DataFormat.KVRET, 3, 7, {"navigate": 1, "weather": 1, "schedule": 1}),
    ("graphwoz_sample.json", DataFormat.GRAPHWOZ, 1, 3, {"organisation": 1}),
    ("graphwoz_reduced_sample.json", DataFormat.GRAPHWOZ_REDUCED, 2, 3, {}),
    ("kvret_entities_sample.json", DataFormat.KVRET_ENTITIES, 0, 0,
     {"event": 2, "date": 2, "poi_type": 2, "poi": 2, "address": 2, "distance": 2}),
    ("qamr_sample.tsv", DataFormat.QAMR, 2, 3, {}),
    ("dialogue_audit_sample.jsonl", DataFormat.DIALOGUE_AUDIT, 7, 7, {
        "entailment": 1, "hallucination": 1, "generic": 1, "entailment + uncooperative": 1,
        "partial hallucination": 1, "entailment + hallucination": 1, "uncooperative": 1})])
def test_report_counts_what_is_in_a_file_of_any_format(name, found, dialogues, turns, domains):
    report = report_on(SAMPLES / name)
    assert (report.file, report.format) == (name, found)
    assert (report.dialogues, report.turns, report.domains) == (dialogues, turns, domains)


def test_report_counts_defects_with_their_places():
    report = report_on(KVRET)
    assert report.defects == {"unanswered_turn": 1, "empty_knowledge_base": 1,
                              "repeated_utterance": 1, "same_speaker_twice": 1,
                              "empty_utterance": 1}
    assert report.examples["repeated_utterance"] == ("dialogue 's1', utterance 4: On Friday.",)
    assert "joined" in report.description("same_speaker_twice")


def test_report_names_only_a_few_places_of_each_kind(tmp_path):
    path = tmp_path / "many.json"
    content = json.loads(KVRET.read_text("utf-8"))[2:] * 5
    path.write_text(json.dumps(content))
    report = report_on(path)
    assert report.defects["empty_utterance"] == 5
    assert len(report.examples["empty_utterance"]) == EXAMPLES


def test_report_has_the_same_checksum_for_a_compressed_copy(tmp_path):
    packed = tmp_path / "kvret_sample.json.gz"
    packed.write_bytes(gzip.compress(KVRET.read_bytes()))
    assert report_on(packed).sha256 == report_on(KVRET).sha256
    assert report_on(KVRET).sha256 == hashlib.sha256(KVRET.read_bytes()).hexdigest()


def test_report_refuses_files_of_no_known_format():
    with pytest.raises(FormatError, match="not JSON"):
        report_on(SAMPLES / "people.csv")


def test_every_kind_of_defect_is_described():
    assert set(DESCRIPTIONS) == set(DefectKind)


def test_report_is_printed_as_a_table():
    status, out, err = frontdesk("data", "report", KVRET)
    assert (status, err) == (0, "")
    for text in ("kvret_sample.json · KVRET dialogues", "navigate", "same_speaker_twice",
                 report_on(KVRET).sha256):
        assert text in out
    assert "no defects" in frontdesk("data", "report", SAMPLES / "kvret_entities_sample.json")[1]


def test_report_is_printed_as_json():
    status, out, _ = frontdesk("data", "report", KVRET, "--json")
    assert status == 0
    report = json.loads(out)
    assert (report["dialogues"], report["turns"], report["format"]) == (3, 7, "KVRET dialogues")
    assert report["defects"]["empty_utterance"] == {
        "count": 1, "description": "an utterance or answer is empty",
        "examples": ["dialogue 's1', utterance 6"]}


def test_report_on_a_file_that_is_not_there_is_a_users_mistake(tmp_path):
    status, out, err = frontdesk("data", "report", tmp_path / "none.json")
    assert (status, out) == (2, "")
    assert "none.json" in err


def test_data_help_shows_examples():
    assert "frontdesk data fetch kvret" in frontdesk("data", "--help")[1]
    assert "--output" in frontdesk("data", "fetch", "--help")[1].split("examples:")[1]
    assert "--json" in frontdesk("data", "report", "--help")[1].split("examples:")[1]
