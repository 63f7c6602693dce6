from __future__ import annotations

import json
import random

import numpy as np
import pytest

from frontdesk.agent.cli.main import main
from frontdesk.agent.evaluation.metrics.consistency import KINDS, ConsistencyChecker
from frontdesk.agent.evaluation.metrics.consistency_run import measure
from frontdesk.data.datasets.ci_tod import LabelledReply
from frontdesk.kg.graph.errors import InputError

ROWS = ({"event": "choir practice", "date": "monday", "time": "6pm", "party": "ida"},
        {"event": "chess club", "date": "friday", "time": "4pm", "party": "bo"})
PLACES = ({"poi": "corner fuel", "poi_type": "gas station", "address": "3 elm way",
           "distance": "2 miles", "traffic_info": "no traffic"},
          {"poi": "blue mug", "poi_type": "cafe", "address": "9 quay road",
           "distance": "4 miles", "traffic_info": "heavy traffic"})


def reply(*texts, rows=ROWS, inconsistent=(), name="x"):
    speakers = ["driver", "assistant"] * len(texts)
    return LabelledReply(name, "calendar", tuple(zip(speakers, texts, strict=False)), tuple(rows),
                         frozenset(inconsistent))


def features(*texts, rows=ROWS):
    return ConsistencyChecker().features(reply(*texts, rows=rows))


def test_values_of_different_rows_are_seen_apart():
    right = features("when is my choir practice", "choir practice is on monday at 6pm")
    wrong = features("when is my choir practice", "choir practice is on monday at 4pm")
    assert (right["pairs apart"], right["outside of best row"]) == (0, 0)
    assert (wrong["pairs apart"], wrong["outside of best row"]) == (2, 1)


def test_a_value_is_taken_for_one_of_what_was_asked_about():
    right, wrong = (features("when is my choir practice", f"it is at {time}")
                    for time in ("6pm", "4pm"))
    assert (right["event of no row"], wrong["event of no row"]) == (0, 1)
    assert right["owes date"] == 1
    assert right["gives"] == 1


def test_another_subject_than_that_of_the_question_is_seen():
    assert features("when is my choir practice", "chess club is on friday")[
        "question event other"] == 1
    assert features("when is my choir practice", "choir practice is on monday")[
        "question event same"] == 1


def test_values_of_the_history_are_compared():
    said = ("when is my choir practice", "it is on monday", "with whom", "on friday with ida")
    assert features(*said)["last date other"] == 1
    assert features(*said)["own date other"] == 1


def test_another_kind_of_place_and_a_farther_one_are_seen():
    other = features("where is the nearest gas station", "blue mug is 4 miles away", rows=PLACES)
    assert other["not kind of question"] == 1
    address = features("the address of the gas station", "it is at 9 quay road", rows=PLACES)
    assert address["address of other kind"] == 1
    rows = ({**PLACES[0], "poi": "far fuel", "distance": "7 miles"}, *PLACES)
    assert features("the nearest gas station", "far fuel", rows=rows)["not the nearest"] == 1
    assert features("the nearest gas station", "corner fuel", rows=rows)["not the nearest"] == 0


@pytest.mark.parametrize(("text", "wrong"), [
    ("it will rain in lindow on monday", 0), ("it will be rainy in lindow on monday", 0),
    ("it will snow in lindow on monday", 1), ("it will not rain in lindow on monday", 1),
    ("it will not snow in lindow on monday", 0)])
def test_weather_is_compared_with_the_row_of_the_day(text, wrong):
    rows = [{"location": "lindow", "date": "monday", "weather_attribute": "raining",
             "low_temperature": "30f", "high_temperature": "50f"},
            {"location": "lindow", "date": "tuesday", "weather_attribute": "snow",
             "low_temperature": "20f", "high_temperature": "30f"}]
    assert features("what is the weather like", text, rows=rows)["weather wrong"] == wrong


def drawn(count, seed):
    """Replies about choir and chess, a third of them wrong about the time or the event."""
    rng = random.Random(seed)
    found = []
    for number in range(count):
        own, other = rng.sample(ROWS, 2)
        kind = rng.choice(("right", "table", "query", "history"))
        named, time = (other["event"] if kind == "query" else own["event"],
                       other["time"] if kind == "table" else own["time"])
        before = f"it is on {other['date'] if kind == 'history' else own['date']}"
        found.append(reply(
            f"when is my {own['event']}", before, f"when is my {own['event']}",
            f"your {named} is on {own['date']} at {time}", name=str(number),
            inconsistent={"table": {"knowledge base"}, "query": {"query", "knowledge base"},
                          "history": {"history"}}.get(kind, ())))
    return found


@pytest.mark.slow
def test_inconsistency_is_learned_and_told_of_replies_not_seen():
    checker = ConsistencyChecker()
    checker.fit(drawn(240, seed=1))
    unseen = drawn(100, seed=2)
    probabilities = checker.probabilities(unseen)
    assert probabilities.shape == (100, 3)
    assert measure(unseen, probabilities)["all"]["accuracy"] > 0.95
    again = ConsistencyChecker()
    again.fit(drawn(240, seed=1))
    assert np.array_equal(again.probabilities(unseen), probabilities)


def test_nothing_learned_and_nothing_to_tell_apart_is_said():
    with pytest.raises(InputError, match="learned nothing"):
        ConsistencyChecker().probabilities([reply("a", "b")])
    with pytest.raises(InputError, match="all or none are inconsistent with the query"):
        ConsistencyChecker().fit([reply("a", "b"), reply("c", "d")])


def test_figures_are_those_of_a_hand_worked_example():
    replies = [reply("a", "b", inconsistent=labels) for labels in (
        {"query"}, {"query", "history"}, (), {"knowledge base"})]
    figures = measure(replies, np.array([[.9, .1, .2], [.8, .1, .1], [.7, .1, .1], [.1, .2, .6]]))
    assert figures["all"]["accuracy"] == 0.5
    assert figures["all"]["query"]["precision"] == pytest.approx(2 / 3)
    assert figures["all"]["query"]["recall"] == 1.0
    assert figures["all"]["query"]["f1"] == pytest.approx(0.8)
    assert figures["all"]["history"]["f1"] == 0.0
    assert figures["all"]["knowledge base"]["f1"] == 1.0


def write(path, replies):
    labels = dict(zip(("qi", "hi", "kbi"), KINDS, strict=True))
    path.write_text(json.dumps([{
        "dialogue": [{"turn": speaker, "utterance": text} for speaker, text in each.turns],
        "scenario": {"kb": {"items": list(each.rows)}, **{
            key: str(int(kind in each.inconsistent)) for key, kind in labels.items()}}}
        for each in replies]))
    return path


@pytest.mark.slow
def test_the_command_learns_measures_and_writes_a_page(tmp_path, capsys):
    learned = write(tmp_path / "train.json", drawn(240, seed=1))
    measured = write(tmp_path / "dev.json", drawn(40, seed=2))
    output = tmp_path / "out"
    arguments = ["evaluate", "ci-tod", "--metrics", "--learn-from", str(learned), "--path"]
    assert main([*arguments, str(measured), "--output", str(output)]) == 0
    assert "all three right" in capsys.readouterr().out
    report = json.loads((output / "consistency.json").read_text())
    assert report["learned_from"] == 240
    assert report["figures"]["calendar"]["replies"] == 40
    rows = (output / "consistency_replies.jsonl").read_text().splitlines()
    assert len(rows) == 40
    assert set(json.loads(rows[0])["probabilities"]) == set(KINDS)
    assert "All labels right" in (output / "consistency.html").read_text()
    assert main([*arguments, str(measured), "--output", str(output)]) == 2
    assert "is not empty" in capsys.readouterr().err
    assert main([*arguments, str(learned), "--output", str(tmp_path / "other")]) == 2
    assert "both learned from and measured on" in capsys.readouterr().err


def test_the_command_says_what_it_lacks(tmp_path, capsys):
    measured = write(tmp_path / "dev.json", drawn(4, seed=2))
    assert main(["evaluate", "ci-tod", "--metrics", "--path", str(measured), "--output",
                 str(tmp_path / "out")]) == 2
    assert "--learn-from" in capsys.readouterr().err
    assert main(["evaluate", "kvret", "--learn-from", str(measured), "--path", str(measured),
                 "--output", str(tmp_path / "out")]) == 2
    assert "for ci-tod" in capsys.readouterr().err
