from __future__ import annotations

import json
import random

import pytest
import torch

from frontdesk.agent.cli.main import main
from frontdesk.agent.training.model_card import CARD
from frontdesk.agent.training.reader.pair_examples import (
    PairExample,
    contradicted,
    entailed,
    read_pairs,
    write_pairs,
)
from frontdesk.agent.training.reader.reader_task import PairRows, ReaderTask, encode_pairs
from frontdesk.agent.training.training_loop import LoopSettings, train
from frontdesk.generation.checks.q2.components import Relation
from frontdesk.generation.checks.q2.pair_reader import PairReader
from frontdesk.generation.checks.q2.reader_network import new_network, padded
from frontdesk.kg.graph.errors import FormatError
from frontdesk.kg.models.minilm import minilm

from ....conftest import SAMPLES

NAMES = ("Ada", "Bo", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal")
ROOMS = ("Alder", "Birch", "Cedar", "Elm", "Fir", "Hazel", "Larch", "Maple")


def invented(seed, count):
    """Offices of people; of each question the answer is looked up, or missing."""
    rng = random.Random(seed)
    found = []
    for _ in range(count):
        people, rooms = rng.sample(NAMES, 3), rng.sample(ROOMS, 3)
        facts = [f"{person}'s office is {room}."
                 for person, room in zip(people, rooms, strict=True)]
        knowledge = "\n".join(rng.sample(facts, 3))
        start = knowledge.index(rooms[0])
        absent = next(name for name in NAMES if name not in people)
        found += [
            PairExample("asked", f"{people[0]}'s office is which room?", knowledge,
                        (start, start + len(rooms[0]))),
            PairExample("asked", f"{absent}'s office is which room?", knowledge),
            entailed("said", f"{people[0]} is in {rooms[0]}.", knowledge),
            contradicted("said", f"{people[0]} is in {rooms[1]}.", knowledge)]
    return found


def network():
    torch.manual_seed(0)
    return new_network(0.0)


def test_answers_are_the_pieces_that_they_stand_for():
    asked, unknown, true, _ = encode_pairs(invented(0, 1))
    first, last = asked.answer
    example = invented(0, 1)[0]
    said = example.knowledge[slice(*example.answer)]
    assert minilm().tokenizer.decode(asked.ids[first:last + 1]) == said.casefold()
    assert unknown.answer == (0, 0)
    assert true.answer is None


def test_what_cannot_be_read_at_once_is_left_out():
    long = PairExample("asked", "Where?", "\n".join(
        f"Sentence {number} is here." for number in range(90)))
    assert encode_pairs([long]) == []


def test_batches_are_the_rows_of_their_examples():
    pairs = encode_pairs(invented(2, 3))
    given, classes = PairRows(pairs, torch.device("cpu")).batch([5, 0, 7])
    expected = padded([(pairs[number].ids, pairs[number].text) for number in (5, 0, 7)], 8)
    assert torch.equal(given.ids, expected.ids)
    assert torch.equal(given.lengths, expected.lengths)
    assert classes.tolist() == [[0, 0, -100, -100], [*pairs[0].answer, -100, -100],
                                [-100, -100, 2, 0]]


def test_an_epoch_has_as_much_of_each_source_as_is_wanted():
    training = encode_pairs(invented(1, 30))
    task = ReaderTask(network(), training, training[:2], batch_size=16,
                      shares={"asked": 130, "said": 10})
    batches = task.batches(0, random.Random(0))
    drawn = [training[each] for batch in batches for each in batch]
    assert sum(each.example.source == "said" for each in drawn) == 10
    assert len(drawn) == 140
    assert batches == task.batches(0, random.Random(0))


def test_examples_are_read_as_they_were_written(tmp_path):
    examples = invented(0, 2)
    write_pairs(tmp_path / "pairs.jsonl.gz", examples)
    assert read_pairs(tmp_path / "pairs.jsonl.gz") == (examples, [])


@pytest.mark.parametrize("odd", [
    '["asked", 1]', "{", "7", '["asked", "t", "k", [3, 9], null, null, false]',
    '["asked", "t", "k", null, "denial", null, false]', "[" * 100_000])
def test_an_odd_line_of_examples_is_left_out_and_counted(tmp_path, odd):
    path = tmp_path / "pairs.jsonl"
    good = json.dumps(["asked", "When?", "At two.", [3, 6], None, None, False])
    path.write_text(f"{good}\n{odd}\n\n{good}\n")
    examples, defects = read_pairs(path)
    assert [each.text for each in examples] == ["When?", "When?"]
    assert [each.place for each in defects] == ["pairs.jsonl, line 2"]
    path.write_text(odd)
    with pytest.raises(FormatError):
        read_pairs(path)


@pytest.mark.slow
def test_a_reader_learns_to_look_up(tmp_path):
    training, held_out = (encode_pairs(invented(seed, count))
                          for seed, count in ((1, 200), (2, 20)))
    task = ReaderTask(network(), training, held_out, batch_size=32)
    result = train(task, LoopSettings(epochs=3, batch_size=32, learning_rate=1e-3, ema=0.9,
                                      patience=0, precision="fp32"), tmp_path, resume=False,
                   identity={})
    assert result.best["asked answers"] > 0.5


SAMPLE = SAMPLES / "graphwoz_sample.json"
REDUCED = SAMPLES / "graphwoz_reduced_sample.json"


def test_the_command_writes_a_reader_that_reads(tmp_path, capsys):
    pairs = tmp_path / "pairs.jsonl.gz"
    write_pairs(pairs, [*invented(0, 4), *(
        PairExample(each.source, each.text, each.knowledge, each.answer, each.relation,
                    each.faithful, held_out=True) for each in invented(1, 2))])
    arguments = [str(each) for each in (
        "train", "reader", "--pairs", pairs, "--qamr", SAMPLES / "qamr_sample.tsv",
        "--dialogue-audit", SAMPLES / "dialogue_audit_sample.jsonl", "--output",
        tmp_path / "out", "--epochs", 1, "--examples", 12, "--batch-size", 4,
        "--precision", "fp32")]
    assert main(arguments) == 0
    assert "score 0." in capsys.readouterr().out
    folder = tmp_path / "out" / "model"
    reader = PairReader(folder)
    assert len(reader.answer([("Who is there?", "Ada Berg is in Zeta.")])) == 1
    assert isinstance(reader.relate([("Ada is in Zeta.", "Ada is here.")])[0], Relation)
    assert "frontdesk train reader" in (folder / CARD).read_text(encoding="utf-8")


def test_examples_of_dialogues_alone_are_written(tmp_path, capsys):
    assert main([str(each) for each in (
        "train", "reader", "--reduced", REDUCED, "--held-out-graphwoz", SAMPLE, "--pairs-only",
        "--jobs", 1, "--output", tmp_path)]) == 0
    assert "pairs.jsonl.gz" in capsys.readouterr().out
    assert {each.source for each in read_pairs(tmp_path / "pairs.jsonl.gz")[0]} >= {
        "questions about dialogues"}
    assert not (tmp_path / "recorded.jsonl").exists()


@pytest.mark.parametrize(("words", "message"), [
    (("--examples", 0), "--examples is 0"), (("--dropout", 1), "--dropout is 1"),
    (("--facts", 0), "--facts is 0"), (("--batch-size", -3), "--batch-size is -3"),
    (("--learning-rate", "nan"), "--learning-rate is nan")])
def test_bad_options_are_refused(tmp_path, capsys, words, message):
    arguments = ["train", "reader", "--reduced", REDUCED, "--output", tmp_path / "out", *words]
    assert main([str(each) for each in arguments]) == 2
    assert message in capsys.readouterr().err


def test_nothing_to_learn_from_is_refused(tmp_path, capsys):
    assert main(["train", "reader", "--output", str(tmp_path / "out")]) == 2
    assert "no question or claim to learn from" in capsys.readouterr().err
