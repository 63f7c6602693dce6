from __future__ import annotations

import datetime as dt
import gzip
import json
from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from frontdesk.data.datasets.graphwoz import load_graphwoz
from frontdesk.data.datasets.graphwoz_reduced import ReducedDialogue, ReducedFact, ReducedTurn
from frontdesk.data.datasets.graphwoz_told import complete, told_present
from frontdesk.data.datasets.training_dialogues import (
    TrainingDialogue,
    TrainingTurn,
    content_hash,
    from_graphwoz,
    from_reduced,
    turn_hashes,
    without_held_out,
    write_training_dialogues,
)
from frontdesk.data.invented.dialogues import simulate_dialogues
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.sources.import_json import dump_json

from ...conftest import SAMPLES

NOW = dt.datetime(2026, 3, 2, 9, tzinfo=dt.UTC)
KB = KnowledgeBase(name="Empty", timezone=ZoneInfo("UTC"))


def dialogue(*turns: tuple[str, str]) -> TrainingDialogue:
    return TrainingDialogue("d", KB, tuple(TrainingTurn(*turn, NOW) for turn in turns), "simulated")


def reduced(*turns: tuple[str, str | None], facts: tuple[tuple[str, str, str], ...] = ()
            ) -> ReducedDialogue:
    return ReducedDialogue("train-1", tuple(ReducedTurn(number, *turn) for number, turn
                                            in enumerate(turns, 1)),
                           tuple(ReducedFact(*fact) for fact in facts))


FACTS = (("a100000001", "name", "lens workshop"), ("a100000001", "date", "2022-03-18"),
         ("a100000002", "name", "prism seminar"), ("a100000003", "name", "glass review"),
         ("a100000003", "date", "2022-03-19"))


def test_content_hash_knows_words_not_their_case_or_marks():
    same = {content_hash("Hi, it's Ada!", "Hello Ada."), content_hash("hi it's ada", "hello, ada")}
    assert len(same) == 1
    assert len(same.pop()) == 64
    others = {content_hash("hi", "hello ada"), content_hash("hi hello", "ada"),
              content_hash("hi hello ada", "")}
    assert len(others) == 3


def test_held_out_turns_cut_dialogues_short():
    held_out = {content_hash("thanks", "happy to help")}
    kept = list(without_held_out([
        dialogue(("where is Ada", "In 214."), ("Thanks.", "Happy to help!"), ("bye", "Bye!")),
        dialogue(("thanks", "Happy to help!"), ("bye", "Bye!")),
        dialogue(("thanks", "You're welcome."))], held_out))
    assert [[turn.user for turn in each.turns] for each in kept] == [["where is Ada"], ["thanks"]]


def test_turn_hashes_have_every_reading_of_the_sample():
    dialogues = load_graphwoz(SAMPLES / "graphwoz_sample.json")
    hashes = turn_hashes(dialogues.values())
    answered = [turn for each in dialogues.values() for turn in each.turns if turn.response]
    for turn in answered:
        assert content_hash(turn.transcription.upper(), turn.response) in hashes
        for reading in turn.hypotheses:
            assert content_hash(reading.text, turn.response) in hashes
    for heard in (True, False):
        for each in dialogues.values():
            taken = from_graphwoz(each, heard=heard)
            assert {content_hash(turn.user, turn.reference) for turn in taken.turns} <= hashes
            assert not any(list(without_held_out([taken], hashes)))


def test_dialogues_of_the_full_format_are_taken_as_heard_or_as_written():
    full = next(iter(load_graphwoz(SAMPLES / "graphwoz_sample.json").values()))
    heard, written = from_graphwoz(full), from_graphwoz(full, heard=False)
    answered = [turn for turn in full.turns if turn.response]
    assert [turn.user for turn in written.turns] == [turn.transcription for turn in answered]
    assert [turn.user for turn in heard.turns] == [
        turn.hypotheses[0].text if turn.hypotheses else turn.transcription for turn in answered]
    assert [turn.now for turn in heard.turns] == [turn.started for turn in answered]
    assert (heard.source, heard.knowledge_base) == ("graphwoz", full.knowledge_base)


def test_dialogues_of_the_reduced_format_leave_out_turns_without_an_answer():
    taken = from_reduced(reduced(("hi", "Hello!"), ("UNK", None), ("bye", "Bye!"), facts=FACTS))
    assert [(turn.user, turn.now.minute) for turn in taken.turns] == [("hi", 0), ("bye", 2)]
    assert {event.name for event in taken.knowledge_base.events.values()} == {
        "lens workshop", "prism seminar", "glass review"}


@pytest.mark.parametrize(("turns", "present"), [
    ((("hi", "Hello!"),), "2022-03-18T12:00"),
    ((("when is it", "The glass review is tomorrow."),), "2022-03-18T12:00"),
    ((("when is it", "The glass review is today."),), "2022-03-19T12:00"),
    ((("events", "There are 4 tomorrow, March 18."),), "2022-03-17T12:00"),
    ((("is he free at 9", "Yes, he is available at 9:30."),), "2022-03-18T09:00"),
    ((("as soon as possible", "I can set it up at 3 o'clock."),), "2022-03-18T14:30"),
    ((("a meeting please", "It is at 3 o'clock."),), "2022-03-18T12:00"),
])
def test_present_of_a_reduced_dialogue_is_what_its_replies_tell(turns, present):
    assert told_present(reduced(*turns, facts=FACTS)).strftime("%Y-%m-%dT%H:%M") == present


def test_replies_complete_the_facts_of_the_event_that_they_name():
    told = complete(reduced(
        ("when", "The prism seminar is on March 20 at 2:30, in the Juniper conference room."),
        ("who", "The prism seminar is organized by Mei Adler."),
        ("and the lens workshop", "The lens workshop is at 9 o'clock on March 21."),
        ("book", "I'll add the glass review for 4 o'clock."), facts=FACTS))
    assert [(fact.subject, fact.predicate, fact.object) for fact in told.facts[len(FACTS):]] == [
        ("a100000002", "date", "2022-03-20"), ("a100000002", "start_time", "14:30:00"),
        ("a100000002", "location", "Juniper"), ("a100000002", "organizer", "Mei Adler"),
        ("a100000001", "start_time", "09:00:00")]


@pytest.mark.parametrize("name", ["d.json", "d.json.gz"])
def test_training_dialogues_are_read_as_they_were_written(tmp_path, name):
    dialogues = list(simulate_dialogues(9, seed=1))
    assert write_training_dialogues(tmp_path / name, iter(dialogues)) == 9
    again = [from_graphwoz(each, source="simulated")
             for each in load_graphwoz(tmp_path / name).values()]
    assert [(each.id, each.turns, each.source) for each in again] == [
        (each.id, each.turns, each.source) for each in dialogues]
    for left, right in zip(again, dialogues, strict=True):
        assert plain(left.knowledge_base) == plain(right.knowledge_base)
    raw = (tmp_path / name).read_bytes()
    assert set(json.loads(gzip.decompress(raw) if name.endswith("gz") else raw)) == {
        each.id for each in dialogues}


def plain(kb: KnowledgeBase) -> dict[str, list[object]]:
    """What an organisation holds, whatever its name and in whatever order."""
    found = json.loads(dump_json(kb))
    offices = {room["id"]: room["name"] for room in found["rooms"]}
    for each in found["people"] + found["events"]:
        for key in ("office", "location"):
            each[key] = offices.get(each.get(key))
    for room in found["rooms"]:
        del room["id"]
    return {key: sorted(map(repr, value)) for key, value in found.items()
            if isinstance(value, list)}


def test_no_dialogues_make_an_empty_file(tmp_path):
    assert write_training_dialogues(tmp_path / "none.json", []) == 0
    assert json.loads((tmp_path / "none.json").read_text()) == {}


def test_dialogues_that_cannot_be_written_are_reported(tmp_path):
    with pytest.raises(InputError, match="cannot write"):
        write_training_dialogues(tmp_path / "no" / "d.json", [replace(dialogue(), id="x")])
