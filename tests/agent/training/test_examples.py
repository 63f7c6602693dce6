"""What annotated, reduced and logged dialogues teach about linking."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from frontdesk.agent import Agent
from frontdesk.agent.domains.organisation_pack import ORGANISATION_PACK
from frontdesk.agent.sessions.saved_dialogues import load_saved, save_dialogue
from frontdesk.agent.training.annotated import DialogueReplay, interpretations
from frontdesk.agent.training.replied import replied_examples
from frontdesk.agent.training.trained_examples import DialogueExamples, Source
from frontdesk.agent.training.training_conversations import conversation_examples
from frontdesk.agent.training.training_data import annotated_examples, load_training_data
from frontdesk.data.datasets.entity_annotations import EntityAnnotation
from frontdesk.data.datasets.graphwoz import Dialogue, DialogueTurn
from frontdesk.data.datasets.graphwoz_reduced import (
    ReducedDialogue,
    ReducedFact,
    ReducedTurn,
    load_graphwoz_reduced,
)
from frontdesk.data.datasets.graphwoz_reduced_organisation import (
    reduced_knowledge_base,
    reduced_present,
)
from frontdesk.kg.graph.dialogue_graph import Hypothesis
from frontdesk.kg.graph.entities import Event, Group, Person, Room
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.rules.linking.circuit import LinkingCircuit
from frontdesk.rules.linking.interpretations import Interpretation

from ...conftest import SAMPLES
from ...templates import TEMPLATES

UTC = ZoneInfo("UTC")
NOW = dt.datetime(2026, 3, 2, 9, tzinfo=UTC)
CIRCUIT = LinkingCircuit()
EXACT, HALF = ("exact_name", None), ("words_covered_above", 0.99)


@pytest.fixture(scope="module")
def kb() -> KnowledgeBase:
    return KnowledgeBase(
        name="Lanternworks", timezone=UTC,
        groups=[Group("g-optics", "Optics"), Group("g-sales", "Sales")],
        people=[Person("p-ada", "Ada Quill", group="g-optics", office="o-214"),
                Person("p-ada2", "Ada Berg", group="g-sales", office="o-215"),
                Person("p-tom", "Tom Berg", group="g-sales", office="o-215")],
        rooms=[Room("r-cedar", "Cedar", floor=1), Room("o-214", "214", bookable=False),
               Room("o-215", "215", bookable=False)],
        events=[Event("e-lens", "lens workshop", NOW.replace(hour=11), NOW.replace(hour=12),
                      location="r-cedar", organizer="p-ada"),
                Event("e-tea", "tea tasting", NOW.replace(hour=13), NOW.replace(hour=14)),
                Event("e-tea2", "tea tasting", NOW.replace(hour=15), NOW.replace(hour=16))])


def said(kb: KnowledgeBase, user: str, entities: dict[str, str], response: str | None = None, *,
         heard: str = "", asr: dict[str, str] | None = None) -> DialogueTurn:
    def annotations(found: dict[str, str]) -> tuple[EntityAnnotation, ...]:
        return tuple(EntityAnnotation(text, name, tuple(each.id for each in kb.named(name)))
                     for text, name in found.items())

    return DialogueTurn(1, (Hypothesis(heard),) if heard else (), user, response, NOW, NOW,
                        annotations(entities), annotations(asr or {}), (), (), ())


def dialogue(kb: KnowledgeBase, *turns: DialogueTurn) -> Dialogue:
    return Dialogue("D", "", turns, kb, NOW)


def taught(kb: KnowledgeBase, *turns: DialogueTurn) -> DialogueExamples:
    return annotated_examples("D", DialogueReplay(dialogue(kb, *turns)), CIRCUIT)[0]


def counted(pairs: tuple[Interpretation, ...]) -> tuple[int, int]:
    return sum(pair.refers is True for pair in pairs), sum(pair.refers is False for pair in pairs)


# --- annotated dialogues

def test_annotated_mentions_make_the_annotated_candidate_true_and_the_others_false(kb):
    found = taught(kb, said(kb, "Where is Ada?", {"Ada": "Ada Berg"}))
    assert (found.mentions, found.unobserved) == (1, 0)
    assert counted(found.interpretations) == (1, 1)
    assert all(pair.evidence[HALF] == 1.0 for pair in found.interpretations)
    assert not any(EXACT in pair.evidence for pair in found.interpretations)


def test_annotated_mentions_are_learned_from_in_the_recognised_words_too(kb):
    found = taught(kb, said(kb, "Where is Ada Berg?", {"Ada Berg": "Ada Berg"},
                            heard="where is ada burg", asr={"ada burg": "Ada Berg"}))
    exact = [pair.evidence.get(EXACT) for pair in found.interpretations if pair.refers]
    assert exact == [1.0, None]


def test_annotated_mentions_without_an_entity_teach_nothing(kb):
    found = taught(kb, said(kb, "Call the lens meeting off", {"lens meeting": "@newevent"}))
    assert (found.interpretations, found.mentions, found.unobserved) == ((), 0, 1)


def test_annotated_name_that_several_have_leaves_open_which_is_meant(kb):
    replay = DialogueReplay(dialogue(kb, said(kb, "When is the tea tasting?",
                                              {"tea tasting": "tea tasting"})))
    (turn,) = replay.written(CIRCUIT)
    (given,) = turn.given
    assert set(given.gold.gold) == {"e-tea", "e-tea2"} <= set(given.linked.evidence)
    assert not any(pair.refers for pair in interpretations(given, kb) or ())


def test_annotated_pronoun_has_the_evidence_of_the_turns_before(kb):
    found = taught(kb, said(kb, "Where is the lens workshop?", {}, "It is in Cedar."),
                   said(kb, "Who organises it?", {"it": "lens workshop"}))
    assert {key[0] for pair in found.interpretations for key in pair.evidence} >= {
        "anaphoric", "topic"}


def test_annotated_dialogue_is_replayed_alike_with_the_same_weights(kb):
    replay = DialogueReplay(dialogue(kb, said(kb, "Is Ada in Cedar?", {"Ada": "Ada Quill"}),
                                     said(kb, "Is she?", {"she": "Ada Quill"})))
    first, second, other = (annotated_examples("D", replay, circuit) for circuit in (
        CIRCUIT, CIRCUIT, CIRCUIT.with_weights({"part_of_name": 0.99})))
    assert first == second
    assert first != other


# --- reduced dialogues

FACTS = (("a100000001", "name", "lens workshop"), ("a100000001", "date", "2022-03-18"),
         ("a100000001", "start_time", "09:00:00"), ("a100000001", "end_time", "10:00:00"),
         ("a100000001", "location", "Juniper"), ("a100000001", "organizer", "Mei Adler"),
         ("a100000002", "name", "lens seminar"), ("a100000002", "start_time", "11:00:00"),
         ("a100000003", "date", "2022-03-20"), ("Mei Adler", "office", "318"),
         ("Mei Adler", "member", "Optics"), ("Mei Adams", "attending", "a100000001"),
         ("Bo Lind", "busy", "09:00 to 10:00, 2022-03-18"), ("318", "floor", "3"))


def reduced(*turns: tuple[str, str | None]) -> ReducedDialogue:
    return ReducedDialogue(
        "train-1", tuple(ReducedTurn(number, *turn) for number, turn in enumerate(turns, 1)),
        tuple(ReducedFact(*fact) for fact in FACTS))


def test_reduced_organisation_is_what_the_facts_tell():
    kb = reduced_knowledge_base(reduced())
    assert {each.name for each in kb.people.values()} == {"Mei Adler", "Mei Adams", "Bo Lind"}
    assert {each.name: (each.floor, each.bookable) for each in kb.rooms.values()} == {
        "318": (3, False), "Juniper": (None, True)}
    workshop = kb.entity("a100000001")
    assert (kb.entity(workshop.location).name, workshop.start.isoformat()) == (
        "Juniper", "2022-03-18T09:00:00+00:00")
    assert {kb.entity(each).name for each in workshop.participants()} == {"Mei Adler", "Mei Adams"}
    (mei,) = kb.named("Mei Adler")
    assert (kb.entity(mei.group).name, kb.entity(mei.office).name) == ("Optics", "318")
    assert "a100000003" not in kb
    assert reduced_present(reduced()).isoformat() == "2022-03-18T12:00:00+00:00"


def test_reduced_organisation_puts_events_without_a_day_out_of_reach():
    event = reduced_knowledge_base(reduced()).entity("a100000002")
    assert event.start.date() == dt.date(2022, 3, 20) + dt.timedelta(days=365)
    assert (event.start.hour, event.end.hour) == (11, 12)


def test_reduced_facts_that_cannot_be_read_are_named(tmp_path):
    path = tmp_path / "reduced.json"
    path.write_text(json.dumps([{"turns": [{"user": "hello", "reference": "Hi!"}], "facts": [
        ["a100000001", "name", "lens workshop"], ["a100000001", "date", "soon"]]}]))
    (found,) = load_graphwoz_reduced(path)
    assert [(each.place, "'soon'" in each.detail) for each in found.defects] == [
        ("train-1, fact 2", True)]
    assert reduced_knowledge_base(found).entity("a100000001").name == "lens workshop"


def test_reply_that_names_one_candidate_tells_what_was_meant():
    found = replied_examples("r", reduced(("where is mei", "Mei Adler is in 318.")), CIRCUIT)
    assert (found.mentions, counted(found.interpretations)) == (1, (1, 1))


@pytest.mark.parametrize("reply", [
    None, "I cannot say.", "Is it Mei Adler?", "Mei Adler and Mei Adams are both busy."])
def test_reply_that_names_none_or_several_or_asks_tells_nothing(reply):
    found = replied_examples("r", reduced(("where is mei", reply)), CIRCUIT)
    assert (found.interpretations, found.mentions, found.unobserved) == ((), 0, 1)


def test_reply_tells_only_whole_names():
    found = replied_examples("r", reduced(("where is mei", "Ask Mei Adlersen.")), CIRCUIT)
    assert found.mentions == 0


def test_reply_does_not_name_what_is_part_of_a_longer_name():
    talk = reduced(("when is the juniper", "The Juniper review is at noon."))
    review = ReducedFact("a100000004", "name", "juniper review")
    found = replied_examples("r", replace(talk, facts=(*talk.facts, review)), CIRCUIT)
    assert (found.mentions, found.unobserved) == (0, 1)
    room = reduced(("when is the juniper", "Juniper is free at noon."))
    assert replied_examples("r", room, CIRCUIT).mentions == 1


def test_reply_makes_what_it_names_the_topic_of_the_next_turn():
    found = replied_examples("r", reduced(
        ("hello", "The lens workshop is at 9."),
        ("who organises it", "The lens workshop is organised by Mei Adler.")), CIRCUIT)
    (pair,) = (each for each in found.interpretations if each.refers)
    assert ("topic", 1.0) in pair.evidence


# --- logged conversations

@pytest.fixture
def talk(kb, encoder, tmp_path):
    """Save a conversation and read what it teaches."""
    def teach(*utterances: str) -> DialogueExamples:
        session = Agent(kb, TEMPLATES, clock=lambda: NOW, encoder=encoder).session()
        for utterance in utterances:
            session.reply(utterance)
        path = tmp_path / "talk.json"
        save_dialogue(path, session.graph, kb, ORGANISATION_PACK)
        return conversation_examples("talk", *load_saved(path), CIRCUIT)
    return teach


def test_conversation_teaches_what_the_user_chose_when_asked(talk):
    found = talk("Where is the office of Ada?", "Ada Berg")
    assert (found.source, found.mentions, found.unobserved) == (Source.CONVERSATION, 1, 0)
    assert counted(found.interpretations) == (1, 1)
    assert all(HALF in pair.evidence for pair in found.interpretations)


def test_conversation_teaches_from_every_question_that_was_answered(talk):
    found = talk("Where is the office of Ada?", "What is on today?",
                 "Where is the office of Ada?", "the first one")
    assert (found.mentions, found.unobserved) == (1, 1)


def test_conversation_without_a_question_teaches_nothing(talk):
    found = talk("Where is the office of Ada Berg?", "Who is in the Optics group?")
    assert (found.interpretations, found.mentions, found.unobserved) == ((), 0, 0)


# --- files

def test_examples_are_read_back_as_they_were_written(kb):
    found = taught(kb, said(kb, "Where is Ada?", {"Ada": "Ada Berg"}))
    assert DialogueExamples.from_json(json.loads(json.dumps(found.to_json()))) == found


def test_training_data_has_every_dialogue_by_a_name_of_its_own(tmp_path):
    text = (SAMPLES / "graphwoz_sample.json").read_text()
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "dev.json").write_text(text + " " * (folder == "b"))
    data = load_training_data([tmp_path / "a" / "dev.json", tmp_path / "b" / "dev.json"],
                              [SAMPLES / "graphwoz_reduced_sample.json"], [])
    assert list(data.annotated) == ["dev.json#DIALOGUE_1", "dev.json (2)#DIALOGUE_1"]
    assert [each.source for each in data.files] == [Source.GRAPHWOZ, Source.GRAPHWOZ,
                                                    Source.REDUCED]
    assert all(len(make(CIRCUIT).dialogue) for make in data.others.values())


def test_training_data_refuses_the_same_data_twice(tmp_path):
    sample = SAMPLES / "graphwoz_sample.json"
    copy = tmp_path / "copy.json"
    copy.write_bytes(sample.read_bytes())
    with pytest.raises(InputError, match=r"the same as graphwoz_sample\.json"):
        load_training_data([sample, copy], [], [])


def test_training_data_refuses_reduced_dialogues_that_are_judged_on(tmp_path):
    replies = ["The lens workshop starts at 9 today.", "It is organised by Ines Okafor.", None]
    path = tmp_path / "reduced.json"
    path.write_text(json.dumps([{
        "turns": [{"user": "x", "reference": reply} for reply in replies],
        "facts": [["Ines Okafor", "office", "118"]]}]))
    with pytest.raises(InputError, match="annotated dialogue"):
        load_training_data([SAMPLES / "graphwoz_sample.json"], [path], [])


@pytest.mark.parametrize("content", ["{}", "[1]", "nonsense"])
def test_training_data_refuses_what_is_no_saved_conversation(content, tmp_path):
    path = tmp_path / "talk.json"
    path.write_text(content)
    with pytest.raises(InputError, match="saved dialogue"):
        load_training_data([SAMPLES / "graphwoz_sample.json"], [], [path])
