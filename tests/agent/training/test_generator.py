"""Training of the embedded generator on invented dialogues over invented organisations."""

from __future__ import annotations

import argparse
import copy
import datetime as dt
import gzip
import json
import random
from dataclasses import replace
from itertools import count
from zoneinfo import ZoneInfo

import pytest
import torch

from frontdesk.agent.cli.main import main
from frontdesk.agent.domains.organisation_pack import organisation_components
from frontdesk.agent.evaluation.progress_display import tracked
from frontdesk.agent.sessions.agent import Agent
from frontdesk.agent.training.generator import generator_command as command
from frontdesk.agent.training.generator import recorder
from frontdesk.agent.training.generator.generator_data import DialogueToRecord, digest, record
from frontdesk.agent.training.generator.generator_dialogues import ORIGINAL, GivenDialogues
from frontdesk.agent.training.generator.generator_examples import (
    Language,
    encode_examples,
    vary,
    with_facts,
)
from frontdesk.agent.training.generator.generator_task import GeneratorTask
from frontdesk.agent.training.generator.record import RecordedTurn, record_dialogue
from frontdesk.agent.training.generator.recorder import RecordedFile
from frontdesk.agent.training.train_options import add_model_parsers
from frontdesk.agent.training.training_folder import claim_folder
from frontdesk.agent.training.training_loop import LoopSettings, train
from frontdesk.data.datasets.training_dialogues import TrainingTurn
from frontdesk.generation.voice.embedded import EmbeddedGenerator, source_facts
from frontdesk.generation.voice.generator import GeneratedReply, GenerationInput
from frontdesk.generation.voice.model_folder import save_model
from frontdesk.generation.voice.pointer.config import PointerConfig
from frontdesk.generation.voice.pointer.model import PointerGeneratorModel
from frontdesk.generation.voice.pointer.source import Feature, SourceFact, read_source
from frontdesk.generation.voice.pointer.states import StateReader
from frontdesk.generation.voice.pointer.unit_vocabulary import END, UNKNOWN
from frontdesk.kg.english.verbalise import Verbaliser
from frontdesk.kg.graph.dialogue_graph import USER, Link
from frontdesk.kg.graph.entities import Event, Person, Room
from frontdesk.kg.graph.facts import Fact, Provenance
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.mentions import Mention, MentionKind, Observation
from frontdesk.kg.graph.windows import Window, WindowKind
from frontdesk.rules.linking.linked import LinkedMention
from frontdesk.scoring.ranked_fact import RankedFact

from ...conftest import SAMPLES
from ...generation.voice.contract import score

ZONE = ZoneInfo("UTC")
NOW = dt.datetime(2026, 3, 17, 9, tzinfo=ZONE)
HOUR = dt.timedelta(hours=1)
SAMPLE = SAMPLES / "graphwoz_sample.json"
REDUCED = SAMPLES / "graphwoz_reduced_sample.json"


# --- what is recorded

@pytest.fixture(scope="module")
def kb():
    return KnowledgeBase(
        name="F", timezone=ZONE, rooms=[Room("r1", "Beta"), Room("r2", "Rowan")],
        people=[Person("p1", "Ines Okafor", "ines@example.org"), Person("p2", "Bo Haraldsen")],
        events=[Event("e1", "lens workshop", NOW + HOUR, NOW + 2 * HOUR, "r2", "p1", ("p1", "p2"))])


TURNS = (TrainingTurn("Where is the lens workshop?", "In Rowan, at 10 am.", NOW),
         TrainingTurn("", "Anything else?", NOW), TrainingTurn("Hm", "", NOW),
         TrainingTurn("Who organises it?", "Ines Okafor does.", NOW))


@pytest.fixture(scope="module")
def recorded(kb, encoder):
    return list(record_dialogue("d", "organisation", organisation_components(kb), TURNS, encoder,
                                most_facts=6))


def test_a_turn_with_words_of_both_is_recorded(recorded):
    assert [(turn.number, turn.reference) for turn in recorded] == [
        (1, TURNS[0].reference), (4, TURNS[3].reference)]
    assert recorded[1].history == (
        ("user", TURNS[0].user), ("agent", TURNS[0].reference), ("agent", TURNS[1].reference),
        ("user", "Hm"), ("user", recorded[1].history[-1][1]))
    assert all(0 < len(turn.facts) == len(turn.features) <= 6 for turn in recorded)
    assert any(fact.predicate == "location" and fact.linked for fact in recorded[0].facts)


def test_a_recorded_turn_is_what_a_generator_gets_in_the_pipeline(kb, encoder, recorded):
    class Kept:
        name = "kept"

        def generate(self, request):
            self.request = request
            return GeneratedReply("The lens workshop is in Rowan.")

    kept = Kept()
    session = Agent(kb, clock=lambda: NOW, encoder=encoder, generator=kept).session()
    session.reply(TURNS[0].user)
    request = kept.request
    facts = request.knowledge[:6]
    predicates = {"location": 0, "organizer": 1}
    assert read_source(recorded[0].history, recorded[0].facts, recorded[0], predicates) == \
        read_source(request.history, source_facts(request, facts), request.verbaliser, predicates)
    assert recorded[0].features == tuple(each.features for each in facts)


def test_turns_are_recorded_the_same_by_several_processes(kb):
    dialogues = [DialogueToRecord(f"d{number}", kb, TURNS[:1]) for number in range(2)]
    alone, together = (list(record(dialogues, most_facts=4, jobs=jobs)) for jobs in (1, 2))
    assert [[turn.dialogue for turn in each] for each in alone] == [["d0"], ["d1"]]
    assert [digest(each) for each in alone] == [digest(each) for each in together]


# --- what is learnt

SYLLABLES = ("ba", "do", "fi", "ga", "lu", "mo", "na", "pi", "re", "so", "ta", "vu", "ze", "ki")


def invented(rng, count):
    return rng.sample([f"{a}{b}{c}".capitalize() for a in SYLLABLES for b in SYLLABLES
                       for c in SYLLABLES], count)


def asked_where(number, events, rooms, chosen):
    """A turn about one of several events, each in a room of its own."""
    facts = tuple(SourceFact(f"The {event} is in {room}.", "location", (f"e{event}", f"r{room}"),
                             0.5, linked=event == events[chosen])
                  for event, room in zip(events, rooms, strict=True))
    names = {f"e{event}": (event, "event") for event in events} | {
        f"r{room}": (room, "room") for room in rooms}
    return RecordedTurn(f"d{number}", 1, "organisation",
                        ((USER, f"Where is the {events[chosen]}?"),), facts, ({},) * len(facts),
                        names, f"It is in {rooms[chosen]}.")


def invented_turns(seed, count):
    rng = random.Random(seed)
    names = invented(rng, 4 * count)
    return [asked_where(number, [f"{name} review" for name in names[4 * number:4 * number + 2]],
                        names[4 * number + 2:4 * number + 4], number % 2)
            for number in range(count)]


def test_a_vocabulary_has_no_names_and_addresses():
    greeted = [replace(turn, history=((USER, "hello, call me Wren"),),
                       reference="Hello Wren, I am in the AM or PM, Quill 4321.")
               for turn in invented_turns(2, 5)]
    words = Language.of_turns(greeted).vocabulary.entries
    assert {"hello", "I", "AM", "PM"} <= {*words}
    assert not [word for word in words if word in ("Wren", "Quill", "4321")]


def tiny_task(turns, development):
    language, reader = Language.of_turns(turns), StateReader()
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model = PointerGeneratorModel(PointerConfig(
            vocabulary=list(language.vocabulary.entries), predicates=list(language.predicates),
            d_model=32, encoder_depth=1, decoder_depth=1, dropout=0.0))
    return GeneratorTask(model, language.vocabulary, encode_examples(turns, language, reader),
                         encode_examples(development, language, reader), batch_size=16,
                         lowercase=False, no_facts=0.0)


@pytest.fixture(scope="module")
def learned(tmp_path_factory):
    """A task after its training on 160 turns; no name of its development data was learned from."""
    turns = invented_turns(1, 180)
    task = tiny_task(turns[:160], turns[160:])
    result = train(task, LoopSettings(epochs=16, batch_size=16, learning_rate=4e-3, patience=0,
                                      evaluate_every=16, ema=0.9, precision="fp32"),
                   tmp_path_factory.mktemp("training"), resume=False, identity={},
                   progress=False)
    return task, result


@pytest.mark.slow
def test_a_tiny_training_learns_to_copy_what_it_has_never_seen(learned):
    task, result = learned
    said = task.replies(task.development, num_beams=1)
    right = [reply == example.turn.reference
             for reply, example in zip(said, task.development, strict=True)]
    assert sum(right) >= 0.8 * len(right)
    assert result.best["bleu"] > 80
    assert result.best["nll"] < 0.5


@pytest.mark.slow
def test_the_trained_model_answers_about_a_new_organisation(learned, tmp_path):
    """Saved and loaded: where a never-seen event is, with its never-seen room."""
    task, _ = learned
    save_model(task.model, tmp_path / "model")
    generator = EmbeddedGenerator(tmp_path / "model")
    kb = KnowledgeBase(
        name="N", timezone=ZONE, rooms=[Room("r1", "Quixwell"), Room("r2", "Hjortby")],
        events=[Event(f"e{number}", f"{name} review", NOW, NOW + HOUR, f"r{number}")
                for number, name in ((1, "Oxbow"), (2, "Yndra"))])
    say = Verbaliser(kb, NOW)
    facts = [Fact("location", (f"e{number}", f"r{number}")) for number in (1, 2)]
    knowledge = tuple(RankedFact(fact, say.say(fact), 0.5) for fact in facts)
    for number, name, room in ((1, "Oxbow", "Quixwell"), (2, "Yndra", "Hjortby")):
        question = f"Where is the {name} review?"
        link = Link("m", name, f"e{number}", 0.9, Provenance("linking.pl:refers_to/2"))
        linked = LinkedMention("m", Mention(name, 13, 13 + len(name), MentionKind.NAME), (link,))
        request = GenerationInput(((USER, question),), knowledge, Observation(question), [linked],
                                  say)
        assert generator.generate(request).text == f"It is in {room}."
        other = {"Quixwell": "Hjortby", "Hjortby": "Quixwell"}[room]
        right, wrong = (score(generator, request, f"It is in {each}.").total
                        for each in (room, other))
        assert right > wrong + 1


@pytest.fixture(scope="module")
def task():
    return tiny_task(invented_turns(1, 24), invented_turns(2, 4))


def test_names_of_values_are_not_in_the_vocabulary(task):
    assert {"it", "is", "in", "."} <= set(task.vocabulary.entries)
    assert len(task.vocabulary) < 12


def test_labels_copy_values_and_end(task):
    example = task.examples[0]
    size = len(task.vocabulary)
    assert [token >= size for token in example.labels] == [False] * 3 + [True, False, False]
    assert example.labels[-1] == END
    assert UNKNOWN not in example.labels


def test_without_its_facts_a_reply_cannot_copy_from_them(task):
    without = with_facts(task.examples[0], [0])
    assert UNKNOWN in without.labels
    assert len(without.encoded) < len(task.examples[0].encoded)
    other = with_facts(task.examples[0], [0, 2])
    assert UNKNOWN in other.labels
    assert with_facts(task.examples[0], [0, 1]).labels == task.examples[0].labels


def test_numbers_that_mean_nothing_are_drawn_anew_each_time(task):
    example = task.examples[0]
    drawn = [vary(example, random.Random(seed), no_facts=0.0).encoded.features
             for seed in (1, 1, 2)]
    assert (drawn[0] == drawn[1]).all()
    assert (drawn[0] != drawn[2]).any()
    for feature in Feature:
        before = example.encoded.features[:, feature]
        after = drawn[0][:, feature]
        if feature not in (Feature.VALUE, Feature.ROW):
            assert (before == after).all()
            continue
        same = before[:, None] == before[None, :]
        assert ((after[:, None] == after[None, :]) == same).all()
        if feature is Feature.ROW:
            assert ((before == 0) == (after == 0)).all()


def test_an_epoch_has_every_example_once_in_an_order_of_its_own(task):
    epochs = [task.batches(0, random.Random(seed)) for seed in (1, 1, 2)]
    for batches in epochs:
        assert sorted(index for batch, _ in batches for index in batch) == [*range(24)]
    assert epochs[0] == epochs[1] != epochs[2]


def test_the_loss_of_a_batch_depends_on_its_seed_alone(task):
    task = GeneratorTask(task.model, task.vocabulary, task.examples, task.development,
                         batch_size=8, lowercase=False, no_facts=0.4)
    task.model.eval()
    with torch.no_grad():
        first, again, other = (float(task.loss(([0, 1, 2, 3], seed))[0]) for seed in (1, 1, 2))
    assert first == again != other


# --- the command

def generator(*arguments):
    return main(["train", "generator", *map(str, arguments)])


def written(path, *dialogues):
    path.write_text(json.dumps({f"DIALOGUE_{number}": each
                                for number, each in enumerate(dialogues, start=1)}))
    return path


@pytest.fixture
def dialogue():
    sample, = json.loads(SAMPLE.read_text()).values()
    return sample


def other_words(dialogue, reply):
    changed = copy.deepcopy(dialogue)
    for turn in changed["log"]:
        if isinstance(turn["agent_response"], str):
            turn["agent_response"] = reply
    return changed


def test_a_file_that_is_held_out_is_not_learned_from(tmp_path, capsys):
    same = tmp_path / "copy.json"
    same.write_bytes(SAMPLE.read_bytes())
    assert generator("--graphwoz", same, "--held-out-graphwoz", SAMPLE, "--output",
                     tmp_path / "out") == 2
    assert "both learned from and held out" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_file_that_is_held_out_is_known_when_it_is_compressed_too(tmp_path, capsys):
    kvret = SAMPLES / "kvret_sample.json"
    same = tmp_path / "copy.json.gz"
    same.write_bytes(gzip.compress(kvret.read_bytes()))
    assert generator("--kvret", same, "--held-out-kvret", kvret, "--output",
                     tmp_path / "out") == 2
    assert "both learned from and held out" in capsys.readouterr().err


def test_dialogues_of_two_files_with_the_same_names_are_told_apart(dialogue, tmp_path):
    parser = argparse.ArgumentParser()
    add_model_parsers(parser.add_subparsers())
    files = [str(written(tmp_path / name, other_words(dialogue, reply)))
             for name, reply in (("one.json", "In Rowan."), ("two.json", "In Beta."))]
    given = GivenDialogues(parser.parse_args(
        ["reader", "--graphwoz", *files, "--augmented", "1", "--output", "unused"]))
    ids = [each.id for _, each in given.learned]
    assert len(ids) == len(set(ids)) == 4
    assert len({key for key, _ in given.learned}) == 1  # what shares a name stays together
    assert [each.startswith(ORIGINAL) for each in ids] == [True, True, False, False]


def test_turns_that_are_held_out_are_not_learned_from_in_another_file(dialogue, tmp_path, capsys):
    """Known by their words, whatever the file, the dialogue's name, case and punctuation."""
    shouted = copy.deepcopy(dialogue)
    for turn in shouted["log"]:
        if isinstance(turn["agent_response"], str):
            turn["agent_response"] = turn["agent_response"].upper().replace(".", " !")
    other = written(tmp_path / "other.json", shouted)
    assert generator("--graphwoz", other, "--augmented", 2, "--held-out-graphwoz", SAMPLE,
                     "--output", tmp_path / "out") == 2
    assert "there is nothing to learn from" in capsys.readouterr().err


@pytest.mark.parametrize(("arguments", "message"), [
    (["--graphwoz", SAMPLE], "nothing to measure on"),
    (["--held-out-graphwoz", SAMPLE], "nothing to learn from"),
    (["--graphwoz", "none.json", "--held-out-graphwoz", SAMPLE], "none.json"),
    (["--facts", 0], "--facts is 0"), (["--jobs", 0], "--jobs is 0"),
    (["--augmented", -1], "--augmented is -1"), (["--dropout", 1.5], "--dropout is 1.5"),
    (["--epochs", 0], "epochs is 0"), (["--device", "toaster"], "toaster")])
def test_a_mistake_is_named_before_anything_starts(arguments, message, tmp_path, capsys):
    assert generator(*arguments, "--output", tmp_path / "out") == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_the_command_writes_a_model_that_is_used_and_that_a_training_begins_with(
        dialogue, tmp_path, capsys):
    learned = written(tmp_path / "learned.json", *(
        other_words(dialogue, "The lens workshop is in Rowan.") for _ in range(3)))
    options = ("--graphwoz", learned, "--held-out-graphwoz", SAMPLE, "--epochs", 1, "--jobs", 1,
               "--precision", "fp32", "--device", "cpu", "--patience", 0)
    assert generator(*options, "--output", tmp_path / "out") == 0
    card = (tmp_path / "out" / "model" / "README.md").read_text()
    assert "--patience 0" in card  # what is 0 is part of the command too
    assert str(tmp_path) not in card
    assert str(tmp_path / "out" / "model") in capsys.readouterr().out
    model = EmbeddedGenerator(tmp_path / "out" / "model")
    assert {"is", "in"} <= set(model.vocabulary.entries)
    names = {path.name for path in (tmp_path / "out" / "model").iterdir()}
    assert {"config.json", "model.safetensors"} < names
    again = (*options, "--start", tmp_path / "out" / "model", "--output", tmp_path / "more",
             "--dropout", 0.3)
    assert generator(*again) == 0
    assert json.loads((tmp_path / "more" / "model" / "config.json").read_text())["dropout"] == 0.3
    assert EmbeddedGenerator(tmp_path / "more" / "model").vocabulary.entries == \
        model.vocabulary.entries


def test_held_out_dialogues_without_replies_are_a_mistake(dialogue, tmp_path, capsys):
    silent = written(tmp_path / "silent.json", other_words(dialogue, ""))
    other = written(tmp_path / "other.json", other_words(dialogue, "In Rowan."))
    assert generator("--graphwoz", other, "--held-out-graphwoz", silent, "--jobs", 1, "--output",
                     tmp_path / "out") == 2
    assert "no dialogue has a turn of a user and a reply to it" in capsys.readouterr().err


def test_a_changed_reply_is_another_data_set():
    turns = invented_turns(1, 2)
    assert digest(turns) == digest(invented_turns(1, 2))
    assert digest(turns) != digest([turns[0], replace(turns[1], reference="No.")])


# --- what is refused before anything is recorded

@pytest.fixture
def unrecorded(monkeypatch):
    def record(*_, **__):
        raise AssertionError("a dialogue was recorded")
    monkeypatch.setattr(recorder, "record", record)


def refused(capsys, *words):
    arguments = ["train", "generator", "--reduced", REDUCED, "--held-out-graphwoz", SAMPLE, *words]
    assert main([str(each) for each in arguments]) == 2
    return capsys.readouterr().err


def test_a_folder_that_cannot_be_used_is_refused_before_anything_is_recorded(
        tmp_path, capsys, unrecorded):
    (tmp_path / "file").write_text("")
    assert "cannot write to the folder" in refused(capsys, "--output", tmp_path / "file" / "in")
    claim_folder(tmp_path / "used" / "member-1", {"dropout": "0.2", "turns": "x"}, resume=False)
    assert "--resume" in refused(capsys, "--output", tmp_path / "used")
    assert "dropout '0.2' there, '0.3' now" in refused(
        capsys, "--output", tmp_path / "used", "--resume", "--dropout", "0.3")
    (tmp_path / "train.jsonl").write_text("mine")
    assert "exists already" in refused(capsys, "--output", tmp_path, "--examples-only")
    assert (tmp_path / "train.jsonl").read_text() == "mine"


def test_a_model_that_cannot_be_begun_with_is_refused_before_anything_is_recorded(
        tmp_path, capsys, unrecorded):
    assert "missing" in refused(capsys, "--output", tmp_path / "out", "--start",
                                tmp_path / "missing")


def test_what_is_recorded_is_told_in_lines_where_there_is_no_terminal(capsys):
    assert [*tracked("abcdef", "recording", 6, clock=count(step=16.0).__next__)] == [*"abcdef"]
    assert capsys.readouterr().err.splitlines() == [
        "recording: 2 of 6, 0:01:36 left", "recording: 4 of 6, 0:00:48 left",
        "recording: 6 of 6, 0:00:00 left"]


def test_a_stop_is_said(capsys):
    def items():
        yield 1
        raise KeyboardInterrupt
    with pytest.raises(KeyboardInterrupt):
        list(tracked(items(), "recording", 2))
    assert capsys.readouterr().err == "frontdesk: stopped while recording\n"


# --- what is recorded is kept

EVERY_ARGUMENT = SourceFact(
    "All of them.", "kinds", ("p1", 3, dt.date(2026, 3, 17), dt.time(9, 30),
                              Window(NOW, NOW + HOUR), ("p1", "p2"),
                              (Window(NOW, NOW, WindowKind.INSTANT),)), 0.25, derived=True)


def kept_turn(recorded):
    return replace(recorded[0], facts=(*recorded[0].facts, EVERY_ARGUMENT))


def test_recorded_dialogues_are_read_as_they_were_written(recorded, tmp_path):
    path, turns = tmp_path / "recorded.jsonl", [kept_turn(recorded), recorded[1]]
    RecordedFile(path, {"seed": 0}).add("d", turns)
    assert RecordedFile(path, {"seed": 0}).get("d") == turns
    assert RecordedFile(path, {"seed": 0}).get("other") is None
    assert RecordedFile(path, {"seed": 1}).get("d") is None, "another identity begins anew"
    assert RecordedFile(path, {"seed": 0}).get("d") is None


@pytest.mark.parametrize("cut", [1, 20, 200])
def test_a_line_that_a_kill_cut_short_is_recorded_again(recorded, tmp_path, cut):
    path = tmp_path / "recorded.jsonl"
    file = RecordedFile(path, {})
    for name in ("one", "two"):
        file.add(name, recorded)
    path.write_bytes(path.read_bytes()[:-cut])
    file = RecordedFile(path, {})
    assert file.get("one") == recorded
    assert file.get("two") is None
    file.add("two", recorded)
    assert RecordedFile(path, {}).get("two") == recorded


def test_a_training_that_was_stopped_records_only_what_is_missing(tmp_path, monkeypatch, capsys):
    """Recorded to the end, then ended by a mistake."""
    asked = []

    def counted(dialogues, **options):
        asked.append(len(dialogues))
        return record(dialogues, **options)
    monkeypatch.setattr(recorder, "record", counted)
    arguments = [str(each) for each in (
        "train", "generator", "--reduced", REDUCED, "--held-out-graphwoz", SAMPLE, "--output",
        tmp_path / "out", "--epochs", 1, "--precision", "fp32", "--jobs", 1)]
    with monkeypatch.context() as broken:
        broken.setattr(command, "train", lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt))
        assert main(arguments) == 130
    first = list(asked)
    assert main([*arguments, "--resume"]) == 0
    assert first[0] > 0
    assert asked[len(first):] == [0, 0]
    assert not (tmp_path / "out" / "recorded.jsonl").exists()
