"""Each stage of a turn by its name, and one put in another's place."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar
from zoneinfo import ZoneInfo

import pytest

from frontdesk.agent import Agent, acting
from frontdesk.agent.acting.task_reader import TaskReader
from frontdesk.agent.domains.calendar_answering import CalendarAnswering
from frontdesk.agent.turn.pipeline import pipeline, run_stages, upto
from frontdesk.agent.turn.turn_state import (
    CheckedReply,
    GeneratedReplies,
    TurnInputs,
    TurnState,
)
from frontdesk.agent.understanding.pattern_parser import PatternParser
from frontdesk.generation.voice.generator import GeneratedReply
from frontdesk.kg.graph.changes import EventChange, Transaction
from frontdesk.kg.graph.dialogue_graph import DialogueGraph, Hypothesis
from frontdesk.kg.graph.entities import Event, Person, Room
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

from ...templates import TEMPLATES

ZONE = ZoneInfo("UTC")
NOW = dt.datetime(2026, 3, 2, 9, tzinfo=ZONE)
QUESTION = "Where is the lens workshop?"
BOOKING = "Book a meeting called glue tomorrow at 10"
NAMES = ["refresh", "parse", "link", "decide", "act", "answer", "notify", "infer", "verbalise",
         "rank", "generate", "check", "remember"]


@pytest.fixture(scope="module")
def kb():
    return KnowledgeBase(
        name="F", timezone=ZONE, rooms=[Room("r1", "Beta"), Room("r2", "Rowan")],
        people=[Person("ines", "Ines Okafor", "ines@example.org"), Person("bo", "Bo Haraldsen")],
        events=[Event("e1", "lens workshop", NOW, NOW + dt.timedelta(hours=1), "r2", "ines",
                      ("ines",))])


@pytest.fixture
def agent(kb, encoder):
    return Agent(kb, TEMPLATES, clock=lambda: NOW, encoder=encoder)


@pytest.fixture
def after(agent):
    """A turn after a stage of a name."""
    def run(name: str, text: str, *, speaker: str | None = None,
            graph: DialogueGraph | None = None) -> TurnState:
        session = agent.session(graph, speaker=speaker)
        state = TurnState(TurnInputs(session.graph, [Hypothesis(text)], NOW, agent.access))
        run_stages(upto(agent.stages(), name), state)
        return state
    return run


def test_the_stages_come_in_one_order_and_are_timed_by_their_names(agent):
    assert [each.name for each in agent.stages()] == NAMES
    assert list(agent.session().reply(QUESTION).timings_ms) == [*NAMES, "total"]
    booked = agent.session(speaker="ines").reply(BOOKING)
    assert booked.actions
    assert list(booked.timings_ms) == [*NAMES, "total"], "a turn that acts passes the same list"


class SetOnce(TurnState):
    """A turn whose outputs nobody sets twice."""

    def __setattr__(self, name: str, value: object) -> None:
        assert name not in vars(self), f"{name} is set a second time"
        super().__setattr__(name, value)


@pytest.mark.parametrize("text", [
    QUESTION, BOOKING, "I'm Bo Haraldsen.", "Cancel the lens workshop. Who is Bo Haraldsen?"])
def test_each_output_is_set_once_by_its_stage_and_inputs_by_none(agent, text):
    session = agent.session(speaker="ines")
    session.reply(BOOKING)
    state = SetOnce(TurnInputs(session.graph, [Hypothesis(text)], NOW, agent.access))
    found = {}
    for stage in agent.stages():
        before, notes = set(vars(state)), list(state.notes)
        stage.run(state)
        found[stage.name] = set(vars(state)) - before
        assert state.notes[:len(notes)] == notes
    assert found == {"refresh": {"refreshed"}, "parse": {"recognised", "parsed"},
                     "link": {"linked", "linked_forms"}, "decide": {"decided"}, "act": {"acted"},
                     "infer": {"inferred"}, "verbalise": {"verbalised"}, "rank": {"ranked"},
                     "answer": {"answered"}, "notify": {"notified"},
                     "generate": {"generated"}, "check": {"checked"},
                     "remember": {"remembered"}}


def test_a_stage_before_its_turn_says_whose_output_it_lacks(agent):
    state = TurnState(TurnInputs(DialogueGraph(), [Hypothesis(QUESTION)], NOW, agent.access))
    with pytest.raises(AttributeError, match="refreshed"):
        agent.stages()[1].run(state)


def test_a_stage_has_components_and_never_the_agent(agent):
    for stage in agent.stages():
        assert agent not in vars(stage).values(), stage.name


@dataclass(frozen=True)
class Fixed:
    """Says the same whatever is asked."""

    name: ClassVar[str] = "generate"
    text: str

    def run(self, state: TurnState) -> None:
        state.generated = GeneratedReplies("fixed", [GeneratedReply(
            self.text, tuple(state.ranked.knowledge))])


def test_a_stage_can_be_replaced(kb, encoder):
    def stages(parts, source):
        return [Fixed("It is in Rowan.") if each.name == "generate" else each
                for each in pipeline(parts, source)]

    agent = Agent(kb, TEMPLATES, clock=lambda: NOW, encoder=encoder, stages=stages)
    reply = agent.session().reply(QUESTION)
    assert (reply.text, reply.generator) == ("It is in Rowan.", "fixed")
    assert "generate" in reply.timings_ms


def test_components_that_are_replaced_meanwhile_count_from_the_next_turn_on(agent):
    def replaced(stage: str, spent: float) -> None:
        agent.components = replace(agent.components, faithfulness=None)

    assert agent.session().reply(QUESTION, watch=replaced).score() is not None


def test_the_parser_can_be_replaced(kb, encoder):
    class Deaf(PatternParser):
        def parse(self, hypotheses, dialogue, domain, *, now):
            return super().parse([Hypothesis("Who is Bo Haraldsen?")], dialogue, domain, now=now)

    agent = Agent(kb, TEMPLATES, clock=lambda: NOW, encoder=encoder,
                  stages=lambda parts, source: pipeline(parts, source, Deaf()))
    assert [link.entity for link in agent.session().reply(QUESTION).links] == ["Bo Haraldsen"]


def test_refresh_takes_in_what_was_changed_elsewhere(agent, after):
    agent.calendar.commit(Transaction("t", NOW, changes=(EventChange(
        agent.kb.events["e1"], None),)))
    assert "e1" not in after("refresh", QUESTION).visible.kb.events


def test_parse_reads_requests_apart_and_begins_the_turn(after):
    state = after("parse", "Cancel the lens workshop and tell Bo Haraldsen that I am late.",
                  speaker="ines")
    assert [form.head for form in state.parsed.meaning.forms] == ["request", "request"]
    dialogue = state.inputs.dialogue
    assert dialogue.turns == (state.parsed.turn,)
    assert not dialogue.mentions(state.parsed.turn), "what is meant is not known yet"


def test_parse_forgets_what_was_said_to_somebody_else_before_the_turn_begins(agent, after):
    session = agent.session()
    session.reply(f"I'm Ines Okafor. {QUESTION}")
    state = after("parse", "I'm Bo Haraldsen.", graph=session.graph)
    assert (state.afresh, state.user) == (True, "bo")
    assert len(state.inputs.dialogue.turns) == 1


def test_parse_reads_all_before_it_writes_into_the_dialogue(kb, encoder):
    seen = []

    class Watching(PatternParser):
        def parse(self, hypotheses, dialogue, domain, *, now):
            seen.append((len(session.graph.turns), session.graph.user()))
            return super().parse(hypotheses, dialogue, domain, now=now)

    agent = Agent(kb, TEMPLATES, clock=lambda: NOW, encoder=encoder,
                  stages=lambda parts, source: pipeline(parts, source, Watching()))
    session = agent.session()
    session.reply("I'm Ines Okafor.")
    before = len(session.graph.turns), session.graph.user()
    seen.clear()
    session.reply("I'm Bo Haraldsen.")
    assert seen == [before, before], "as who spoke before, and as who speaks now"
    assert session.graph.user()[0] == "bo"


def test_link_tells_who_answers_who_they_are(agent, after):
    session = agent.session()
    assert "name" in session.reply(BOOKING).text
    assert after("parse", "Ines Okafor", graph=DialogueGraph.from_json(
        session.graph.to_json())).user is None
    assert after("link", "Ines Okafor", graph=session.graph).user == "ines"


@pytest.fixture
def linking(agent, monkeypatch):
    """The stages in which it is looked for what the forms of a turn refer to, in order."""
    links, running, found = CalendarAnswering.links, [""], []

    def noted(self, *args, **more):
        found.append(running[0])
        return links(self, *args, **more)

    def stages(session, text):
        found.clear()
        state = TurnState(TurnInputs(session.graph, [Hypothesis(text)], NOW, agent.access,
                                     session="s"))
        for stage in agent.stages():
            running[0] = stage.name
            stage.run(state)
        return list(found)

    monkeypatch.setattr(CalendarAnswering, "links", noted)
    return stages


def test_only_link_finds_what_forms_refer_to_and_act_again_after_a_deed(agent, linking):
    session = agent.session(speaker="ines")
    for text in (QUESTION, "And who comes to it?", BOOKING, "At 11.", "When is it?",
                 "I'm here to see Bo Haraldsen."):
        assert linking(session, text) == ["link"], text
    session = agent.session(speaker="ines")
    assert linking(session, "Cancel the lens workshop.") == ["link"]
    assert linking(session, "yes") == ["link", "act"], "it may be what has just been done"
    assert "e1" not in agent.refresh().domain.kb.events


@pytest.mark.parametrize("module", sorted(Path(acting.__file__).parent.glob("*.py")),
                         ids=lambda path: path.stem)
def test_who_acts_neither_links_forms_nor_answers_queries(module):
    assert ".queries" not in module.read_text(encoding="utf-8")


def test_decide_reads_what_is_said_of_what_is_pending_and_act_reads_nothing(
        agent, after, monkeypatch):
    session = agent.session(speaker="ines")
    session.reply(BOOKING)
    state = after("decide", "Make it at 11.", graph=session.graph, speaker="ines")
    (task,) = state.decided
    assert task.pending == session.graph.last_action()
    assert [each.start for each in task.request.times] == [dt.time(11)]
    monkeypatch.setattr(TaskReader, "read", None)
    act = next(each for each in agent.stages() if each.name == "act")
    act.run(state)
    assert session.graph.last_action().time.start == dt.time(11)


def test_what_was_asked_before_is_not_answered_again(agent, monkeypatch):
    session = agent.session(speaker="ines")
    assert session.reply("Is Bo Haraldsen free tomorrow at 10?").text.startswith("Yes")
    monkeypatch.setattr(CalendarAnswering, "answer", None)
    session.reply("Book it.")
    assert session.graph.last_action().people == ("bo",)


def test_decide_tells_questions_from_deeds(after):
    assert after("decide", QUESTION).decided == ()
    (task,) = after("decide", BOOKING, speaker="ines").decided
    assert task.request.title == "glue"
    first, second = after("decide", "Cancel the lens workshop and tell Bo Haraldsen that I am "
                          "late.", speaker="ines").decided
    assert first.request.events == ("e1",)
    assert [form.head for form in second.reading.forms] == ["request"]


def test_act_does_the_deed_and_leaves_the_question(after):
    state = after("act", QUESTION)
    assert state.acted.outcomes == ()
    assert state.acted.question.observation.text == QUESTION
    state = after("act", BOOKING, speaker="ines")
    assert state.acted.question is None
    assert state.inputs.dialogue.last_action().title == "glue"


def test_infer_verbalise_and_rank_find_the_facts_that_answer(after):
    state = after("rank", QUESTION)
    assert "e1" in state.inferred.saliency
    assert ("location", "The lens workshop is in Rowan.") in [
        (fact.predicate, text) for fact, text in state.verbalised.sentences]
    assert state.ranked.knowledge[0].text == "The lens workshop is in Rowan."
    assert state.ranked.request.knowledge == state.ranked.knowledge


def test_infer_finds_what_is_pending_where_nothing_is_asked(after):
    predicates = {fact.predicate for fact in after("infer", BOOKING, speaker="ines").inferred.facts}
    assert {"pending_title", "pending_time"} <= predicates


def test_generate_words_replies_or_what_was_done(after):
    state = after("generate", QUESTION)
    assert ([each.text for each in state.generated.candidates], state.generated.words) == (
        ["The lens workshop is in Rowan, from 09:00 to 10:00."], "")
    state = after("generate", BOOKING, speaker="ines")
    assert "glue" in state.generated.words


def test_check_withholds_what_is_not_so(agent, after):
    state = after("generate", QUESTION)
    state.generated = replace(state.generated, generator="other",
                              candidates=[GeneratedReply("It is in Beta.", tuple(
                                  state.ranked.knowledge))])
    check = next(each for each in agent.stages() if each.name == "check")
    check.run(state)
    assert state.checked.reply.text == "The lens workshop is in Rowan, from 09:00 to 10:00."
    assert "failed the graph check" in state.checked.repaired
    assert "Beta" in state.checked.repaired


def test_remember_writes_the_reply_into_the_dialogue(agent, after):
    state = after("check", QUESTION)
    state.checked = CheckedReply("realiser", replace(
        state.checked.reply, text="The lens workshop is in Rowan, today."))
    agent.stages()[-1].run(state)
    assert state.inputs.dialogue.text(state.remembered) == "The lens workshop is in Rowan, today."
