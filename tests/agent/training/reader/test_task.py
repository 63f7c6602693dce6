from __future__ import annotations

import random

import pytest
import torch

from frontdesk.agent.cli.main import main
from frontdesk.agent.training.model_card import CARD
from frontdesk.agent.training.reader.reader_examples import PairExample
from frontdesk.agent.training.reader.reader_task import ReaderTask, encode_pairs
from frontdesk.agent.training.training_loop import LoopSettings, train
from frontdesk.generation.checks.q2.components import Relation
from frontdesk.generation.checks.q2.pair_model import RELATIONS, PairConfig, PairModel
from frontdesk.generation.checks.q2.pair_reader import PairReader
from frontdesk.generation.checks.q2.pair_texts import PairTexts

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
        start = facts[0].index(rooms[0])
        order = rng.sample(range(3), 3)
        shuffled = tuple(facts[each] for each in order)
        answer = order.index(0), start, start + len(rooms[0])
        absent = next(name for name in NAMES if name not in people)
        found += [
            PairExample(f"{people[0]}'s office is which room?", shuffled, answer),
            PairExample(f"{absent}'s office is which room?", shuffled),
            PairExample(f"{people[0]} is in {rooms[0]}.", shuffled, None, Relation.ENTAILMENT),
            PairExample(f"{people[0]} is in {rooms[1]}.", shuffled, None, Relation.CONTRADICTION)]
    return found


@pytest.fixture(scope="module")
def texts():
    return PairTexts(10_000)


def test_answers_and_relations_are_the_tokens_and_numbers_that_they_stand_for(texts):
    asked, unknown, true, false = encode_pairs(invented(0, 1), texts)
    first, last = asked.answer
    tokens = [*asked.window.text.ids,
              *(each for _, part in asked.window.sentences for each in part.ids)]
    room = invented(0, 1)[0]
    sentence, start, end = room.answer
    said = texts.read([room.sentences[sentence][start:end]])[0].ids[1:-1]
    assert tuple(tokens[first:last + 1]) == said
    assert unknown.answer == (0, 0)
    assert (RELATIONS[true.relation], RELATIONS[false.relation]) == (
        Relation.ENTAILMENT, Relation.CONTRADICTION)


def test_what_cannot_be_read_at_once_is_left_out(texts):
    long = PairExample("Where?", tuple(f"Sentence {number} is here." for number in range(90)))
    assert list(encode_pairs([long], texts)) == []


def test_every_example_is_in_one_batch_of_an_epoch(texts):
    training = list(encode_pairs(invented(1, 30), texts))
    task = ReaderTask(PairModel(PairConfig(d_model=16, depth=1, heads=2)), training, training[:2],
                      batch_size=16)
    batches = task.batches(0, random.Random(0))
    assert sorted(each for batch in batches for each in batch) == list(range(len(training)))
    assert batches == task.batches(0, random.Random(0))


@pytest.mark.slow
def test_a_reader_learns_to_look_up_and_to_say_that_there_is_no_answer(texts, tmp_path):
    torch.manual_seed(0)
    training, held_out = (list(encode_pairs(invented(seed, count), texts))
                          for seed, count in ((1, 200), (2, 30)))
    task = ReaderTask(PairModel(PairConfig(d_model=64, depth=2, heads=4, dropout=0.0)), training,
                      held_out, batch_size=32)
    result = train(task, LoopSettings(epochs=14, batch_size=32, learning_rate=2e-3, ema=0.98,
                                      patience=0, precision="fp32"), tmp_path, resume=False,
                   identity={})
    assert result.best["answers"] > 0.9
    assert result.best["no_answer"] > 0.9


SAMPLE = SAMPLES / "graphwoz_sample.json"
REDUCED = SAMPLES / "graphwoz_reduced_sample.json"


def test_the_command_writes_a_reader_that_reads(tmp_path, capsys):
    arguments = [str(each) for each in (
        "train", "reader", "--simulated", 1, "--held-out-graphwoz", SAMPLE, "--output",
        tmp_path / "out", "--epochs", 1, "--precision", "fp32", "--jobs", 1)]
    assert main(arguments) == 0
    assert "accuracy 0." in capsys.readouterr().out
    folder = tmp_path / "out" / "model"
    assert len(PairReader(folder).answer([("Who is there?", "Ada Berg is in Zeta.")])) == 1
    assert "frontdesk train reader" in (folder / CARD).read_text(encoding="utf-8")
    assert not (tmp_path / "out" / "recorded.jsonl").exists()


@pytest.mark.parametrize(("words", "message"), [
    (("--examples", 0), "--examples is 0"), (("--dropout", 1), "--dropout is 1"),
    (("--facts", 0), "--facts is 0"), (("--batch-size", -3), "--batch-size is -3"),
    (("--learning-rate", "nan"), "--learning-rate is nan")])
def test_bad_options_are_refused(tmp_path, capsys, words, message):
    arguments = ["train", "reader", "--reduced", REDUCED, "--held-out-graphwoz", SAMPLE,
                 "--output", tmp_path / "out", *words]
    assert main([str(each) for each in arguments]) == 2
    assert message in capsys.readouterr().err


def test_nothing_to_measure_on_is_refused(tmp_path, capsys):
    assert main(["train", "reader", "--reduced", str(REDUCED), "--output",
                 str(tmp_path / "out")]) == 2
    assert "nothing to measure on" in capsys.readouterr().err
