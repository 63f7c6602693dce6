from __future__ import annotations

import copy
import datetime as dt
import gzip
import json
import os
from pathlib import Path

import pytest

from frontdesk.data.datasets.defects import count_defects
from frontdesk.data.datasets.dialogue_acts import DialogueActAnnotation
from frontdesk.data.datasets.entity_annotations import PLACEHOLDER, EntityAnnotation
from frontdesk.data.datasets.graphwoz import load_dialogue, load_graphwoz
from frontdesk.kg.graph.dialogue_graph import Hypothesis
from frontdesk.kg.graph.errors import FormatError

SAMPLE = Path(__file__).parents[2] / "samples" / "graphwoz_sample.json"


@pytest.fixture
def content():
    return copy.deepcopy(json.loads(SAMPLE.read_text("utf-8")))


@pytest.fixture
def load(tmp_path):
    def load(content):
        path = tmp_path / "sample.json"
        path.write_text(json.dumps(content), "utf-8")
        return load_dialogue(path, "DIALOGUE_1")
    return load


@pytest.fixture
def dialogue():
    return load_dialogue(SAMPLE, "DIALOGUE_1")


def test_graphwoz_reads_the_turns(dialogue):
    first, second, last = dialogue.turns
    assert (first.number, second.number) == (1, 2)
    assert first.hypotheses[:2] == (Hypothesis("hello when is the lens workshop", 0.91),
                                    Hypothesis("hello when is the lance workshop"))
    assert first.transcription == "Hello, when is the lens workshop?"
    assert first.response == "The lens workshop starts at 9 today."
    assert second.entities == (EntityAnnotation("it", "lens workshop", ("e100000001",)),)
    assert second.intents == (DialogueActAnnotation("request_entity_attribute", (
        ("entity", "lens workshop"), ("attribute", "organizer"))),)
    assert last.response is None


def test_graphwoz_times_are_utc(dialogue):
    assert dialogue.now == dt.datetime(2023, 5, 10, 8, 0, 0, 500_000, tzinfo=dt.UTC)
    assert dialogue.turns[0].ended - dialogue.turns[0].started == dt.timedelta(seconds=6.25)
    assert dialogue.knowledge_base.timezone.key == "UTC"
    workshop = dialogue.knowledge_base.events["e100000001"]
    assert workshop.start == dt.datetime(2023, 5, 10, 9, tzinfo=dt.UTC)


def test_graphwoz_builds_the_knowledge_base(dialogue):
    kb = dialogue.knowledge_base
    assert [len(table) for table in (kb.people, kb.groups, kb.events)] == [6, 2, 6]
    assert [room.name for room in kb.bookable_rooms()] == ["Juniper", "Marram", "Sorrel"]
    workshop = kb.named("lens workshop")[0]
    assert kb.people[workshop.organizer].name == "Ines Okafor"
    assert kb.groups[workshop.group].name == "Optics"
    assert len(workshop.attendees) == 3


def test_graphwoz_takes_other_locations_for_offices_on_the_floor_they_are_numbered_by(dialogue):
    kb = dialogue.knowledge_base
    offices = {room.name: room.floor for room in kb.rooms.values() if not room.bookable}
    assert offices == {"118": 1, "119": 1, "203": 2, "204": 2, "310": 3}
    assert kb.rooms[kb.events["e100000005"].location].name == "204"


def test_graphwoz_reads_plain_and_compressed_files(tmp_path):
    packed = tmp_path / "sample.json.gz"
    packed.write_bytes(gzip.compress(SAMPLE.read_bytes()))
    assert load_graphwoz(packed)["DIALOGUE_1"].turns == load_graphwoz(SAMPLE)["DIALOGUE_1"].turns


def test_graphwoz_adds_events_that_only_a_calendar_has(content, load):
    data = content["DIALOGUE_1"]["data"]
    extra = {**data["events"].pop(), "id": "only-in-calendar"}
    data["rooms"]["Sorrel"]["calendar"].append(extra)
    assert "only-in-calendar" in load(content).knowledge_base.events


def test_graphwoz_prefers_the_list_of_events_to_calendars(content, load):
    data = content["DIALOGUE_1"]["data"]
    data["people"][0]["calendar"][0]["name"] = "old name"
    assert load(content).knowledge_base.events["e100000001"].name == "lens workshop"


def test_graphwoz_tells_people_of_one_name_apart_by_their_calendars(content, load):
    data = content["DIALOGUE_1"]["data"]
    twin = {**data["people"][0], "id": "twin", "calendar": []}
    data["people"].insert(0, twin)
    kb = load(content).knowledge_base
    assert len(kb.named("Ines Okafor")) == 2
    assert kb.events["e100000001"].organizer == data["people"][1]["id"]


def test_graphwoz_adds_people_whom_only_an_event_names(content, load):
    content["DIALOGUE_1"]["data"]["events"][0]["attendees"].append("Visiting Person")
    kb = load(content).knowledge_base
    assert kb.named("Visiting Person")[0].id in kb.events["e100000001"].attendees


def test_graphwoz_lists_dialogues_when_there_is_no_such_one():
    with pytest.raises(FormatError, match=r"no dialogue 'DIALOGUE_99'.*DIALOGUE_1"):
        load_dialogue(SAMPLE, "DIALOGUE_99")


def test_graphwoz_reads_the_annotations_of_every_field(content, load):
    content["DIALOGUE_1"]["log"][0].update(
        asr_entities="lance workshop : lens workshop", agent_entities="Room 118 : 118",
        agent_actions='InformEntityAttribute(entity="lens workshop", attribute="start_time")')
    turn = load(content).turns[0]
    assert [mention.text for mention in turn.entities] == ["the lens workshop"]
    assert turn.asr_entities[0].candidates == ("e100000001",)
    assert turn.agent_entities[0].entity == "118"
    assert len(turn.agent_entities[0].candidates) == 1
    assert [act.name for act in turn.agent_actions] == ["InformEntityAttribute"]
    assert [act.name for act in turn.intents] == ["greet", "request_entity_attribute"]


def test_graphwoz_counts_what_is_wrong_with_the_turns(content, load):
    log = content["DIALOGUE_1"]["log"]
    assert count_defects(load(content).defects) == {"unanswered_turn": 1}
    log.insert(1, log[0])
    log[2].update(agent_response=9, alternative=[], intents=None, entities="Zeta : Zeta room",
                  manual_transcription=" ", agent_actions='Greet(name="Ines)')
    dialogue = load(content)
    assert len(dialogue.turns) == 4
    assert dialogue.turns[2].response == "9"
    assert count_defects(dialogue.defects) == {
        "repeated_turn": 1, "empty_utterance": 1, "non_text_utterance": 1,
        "missing_hypotheses": 1, "entity_unknown": 1, "missing_annotation": 1,
        "repaired_annotation": 1, "unanswered_turn": 1}
    assert "DIALOGUE_1, turn 3, agent_actions" in {defect.place for defect in dialogue.defects}


def test_graphwoz_names_the_format_of_a_wrong_file():
    with pytest.raises(FormatError, match="holds reduced GraphWOZ turns, not GraphWOZ dialogues"):
        load_graphwoz(SAMPLE.with_name("graphwoz_reduced_sample.json"))


@pytest.mark.parametrize(("spoil", "kind", "place"), [
    (lambda d: d["log"][1].pop("start_timestamp"), "unreadable_time", "turn 2"),
    (lambda d: d["log"][0].update(end_timestamp="x"), "unreadable_time", "turn 1"),
    (lambda d: d["log"].append("bye"), "unreadable_turn", "turn 4"),
    (lambda d: d["log"][0]["alternative"].append({}), "unreadable_hypothesis", "turn 1"),
    (lambda d: d.pop("data"), "empty_knowledge_base", "data"),
    (lambda d: d["data"].update(rooms=[]), "unreadable_entry", "rooms"),
    (lambda d: d["data"]["events"][0].update(date="soon"), "unreadable_entry", "events, entry 1"),
    (lambda d: d["data"]["events"][0].update(id=None), "unreadable_entry", "events, entry 1"),
    (lambda d: d["data"]["people"][1].update(id=d["data"]["people"][0]["id"]), "unusable_id",
     "people, entry 2"),
    (lambda d: d["data"]["people"].append(None), "unreadable_entry", "people, entry 7"),
    (lambda d: d["data"]["events"].append({**d["data"]["events"][0], "name": "other"}),
     "repeated_id", "events, entry 7"),
    (lambda d: d.update(log=[]), "no_turns", ""),
    (lambda d: d.pop("log"), "unreadable_dialogue", "log"),
])
def test_graphwoz_reads_around_what_is_wrong_and_names_it(content, load, spoil, kind, place):
    spoil(content["DIALOGUE_1"])
    found = {(defect.kind, defect.place) for defect in load(content).defects}
    assert (kind, f"DIALOGUE_1, {place}" if place else "DIALOGUE_1") in found


def test_graphwoz_takes_noon_of_the_first_day_for_the_present_of_a_dialogue_without_turns(
        content, load):
    content["DIALOGUE_1"]["log"] = []
    assert load(content).now == dt.datetime(2023, 5, 10, 12, tzinfo=dt.UTC)


def test_graphwoz_takes_the_turn_before_for_the_time_of_one_without(content, load):
    for key in ("start_timestamp", "end_timestamp"):
        content["DIALOGUE_1"]["log"][1][key] = None
    first, second, _ = load(content).turns
    assert second.started == second.ended == first.ended


def test_graphwoz_keeps_both_dialogues_of_one_id(tmp_path):
    path = tmp_path / "twice.json"
    one = SAMPLE.read_text("utf-8").strip()[1:-1]
    path.write_text(f"{{{one},{one}}}", "utf-8")
    first, second = load_graphwoz(path).values()
    assert (first.id, second.id) == ("DIALOGUE_1", "DIALOGUE_1-2")
    assert first.turns == second.turns
    assert count_defects(second.defects) == {"unanswered_turn": 1, "repeated_id": 1}


def test_graphwoz_refuses_what_nothing_can_be_read_of(content, load, tmp_path):
    content["DIALOGUE_2"] = {"log": "none"}
    path = tmp_path / "x.json"
    path.write_text(json.dumps(content))
    assert len(load_graphwoz(path)) == 2
    with pytest.raises(FormatError, match=r"DIALOGUE_2.*nothing .* can be read"):
        load_dialogue(path, "DIALOGUE_2")
    path.write_text(json.dumps({"DIALOGUE_2": {"log": "none"}}))
    with pytest.raises(FormatError, match=r"DIALOGUE_2.*nothing .* can be read"):
        load_graphwoz(path)


@pytest.mark.parametrize(("raw", "message"), [
    (b"{", "line 1, column 2"), (b"[]", "object of dialogues"),
    (b"\x1f\x8bnot gzip", "cannot be decompressed"),
    (gzip.compress(b"{}" * 99, mtime=0)[:-9], "cannot be decompressed")])
def test_graphwoz_refuses_files_of_other_formats(tmp_path, raw, message):
    path = tmp_path / "x.json"
    path.write_bytes(raw)
    with pytest.raises(FormatError, match=message):
        load_graphwoz(path)


@pytest.mark.skipif("FRONTDESK_DATA" not in os.environ,
                    reason="FRONTDESK_DATA does not name the folder with graphwoz/")
def test_graphwoz_reads_the_official_development_split():
    path = Path(os.environ["FRONTDESK_DATA"]) / "graphwoz" / "graphwoz_dev.json.gz"
    dialogues = load_graphwoz(path)
    turns = [turn for dialogue in dialogues.values() for turn in dialogue.turns]
    assert (len(dialogues), len(turns)) == (30, 181)
    assert sum(turn.response is None for turn in turns) == 1
    assert all(len(dialogue.knowledge_base.bookable_rooms()) == 8
               for dialogue in dialogues.values())
    counts = count_defects(defect for each in dialogues.values() for defect in each.defects)
    assert counts == {"entity_not_named": 15, "entity_ambiguous": 6, "repaired_annotation": 5,
                      "entity_repeated": 1, "unanswered_turn": 1}
    mentions = [mention for turn in turns for mention in turn.entities]
    placeholders = [mention for mention in mentions if mention.entity.startswith(PLACEHOLDER)]
    assert (len(mentions), len(placeholders)) == (142, 49)
    raw = json.loads(gzip.decompress(path.read_bytes()))
    for name, dialogue in dialogues.items():
        for turn, entry in zip(dialogue.turns, raw[name]["log"], strict=True):
            # Recordings are named by the clock, HHMMSS; one is off by half a minute.
            assert f"{turn.ended:%H%M}" == entry["wav_id"].split(".")[0].zfill(6)[:4]
