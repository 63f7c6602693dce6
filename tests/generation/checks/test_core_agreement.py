"""What a reply to an answer that is proved may say of times, and in which words."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from frontdesk.generation.checks.agreement import disagreement
from frontdesk.generation.voice.generator import GeneratedReply, GenerationInput
from frontdesk.kg.english.verbalise import Verbaliser
from frontdesk.kg.graph.dialogue_graph import USER
from frontdesk.kg.graph.entities import Event, Person, Room
from frontdesk.kg.graph.facts import Fact
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.mentions import Mention, MentionKind, Observation
from frontdesk.kg.graph.windows import Window, WindowKind
from frontdesk.rules.engine.query_answer import AnswerCore
from frontdesk.scoring.ranked_fact import RankedFact

ZONE = ZoneInfo("UTC")
NOW = dt.datetime(2026, 3, 17, 9, tzinfo=ZONE)  # a Tuesday
TALK = Window(dt.datetime(2026, 3, 25, 16, tzinfo=ZONE), dt.datetime(2026, 3, 25, 17, tzinfo=ZONE))
KB = KnowledgeBase(
    name="F", timezone=ZONE, rooms=[Room("r1", "Zeta")],
    people=[Person("p1", "Ada Berg"), Person("p2", "Bo Lund")],
    events=[Event("e1", "kettle talk", TALK.start, TALK.end, "r1", "p1")])
SAY = Verbaliser(KB, NOW)


def why(reply: str, question: str, text: str, core: AnswerCore, *, reread: Window | None = None
        ) -> str:
    used = tuple(RankedFact(each, SAY.say(each), 1.0) for each in core.facts)
    observation = Observation(question, () if reread is None else (
        Mention("then", 0, 4, MentionKind.TIME, window=reread),))
    return disagreement(reply, GeneratedReply(text, used, core=core), GenerationInput(
        ((USER, question),), used, observation, verbaliser=SAY))


@pytest.mark.parametrize(("question", "reply", "reason"), [
    ("When is the kettle talk?", "The kettle talk is on Wednesday 25 March at 16:00.", ""),
    ("When is the kettle talk?", "The kettle talk is at 4 pm on March 25.", ""),
    ("When is the kettle talk?", "Hello! It is from 16:00 to 17:00 on 25 March.", ""),
    ("When on 25 March is the kettle talk?", "The kettle talk is at 16:00.", ""),
    ("When is the kettle talk?", "The kettle talk is at 16:00.",
     "it does not say on which day"),
    ("When is the kettle talk?", "The kettle talk is at 16:00 today.",
     "it is about another time"),
    ("When is the kettle talk?", "The kettle talk is on March 26 at 16:00.",
     "it says 'March 26', which is no part of the answer"),
    ("When is the kettle talk?", "The kettle talk is tomorrow at 16:00.",
     "it is about another time"),
    ("When is the kettle talk?", "The kettle talk on 25 March at 16:00.", "it is no sentence"),
    ("When is the kettle talk?", "The kettle talk is on 25 March at 16:00 o'clock.",
     "it is no sentence"),
    ("When is the kettle talk, in a week?",
     "The kettle talk is on 25 March at 4 o'clock pottery.",
     "it says 'pottery', which is no part of the answer")])
def test_a_time_is_told_with_its_day_in_a_sentence(question, reply, reason):
    core = AnswerCore((TALK,), facts=(Fact("takes_place", ("e1", TALK)),), about=("e1",))
    assert why(reply, question, "The kettle talk is on Wednesday 25 March from 16:00 to 17:00.",
               core) == reason


def test_a_time_of_the_question_is_one_of_the_user_s_own_words():
    then = Window(NOW.replace(hour=17), NOW.replace(hour=17), WindowKind.INSTANT)
    core = AnswerCore(affirms=True, facts=(Fact("person_available", ("p1", then)),),
                      about=("p1",))
    reply, answer = "Yes, Ada Berg is free at 17:00.", "Yes, Ada Berg is free."
    assert why(reply, "Is Ada Berg free at 17:00?", answer, core, reread=then) == ""
    assert why(reply, "And Ada Berg?", answer, core, reread=then) == "it is about another time"
    assert why(reply, "Is Ada Berg free before 17:00?", answer, core) == "it is about another time"


def test_no_room_is_in_a_meeting():
    now = Window(NOW, NOW, WindowKind.NOW)
    core = AnswerCore(affirms=True, facts=(Fact("room_available", ("r1", now)),), about=("r1",))
    question, answer = "Is Zeta free now?", "Yes, Zeta is free now."
    assert why("Zeta is free now.", question, answer, core) == ""
    assert why("Zeta is not in any meetings now.", question, answer, core) == (
        "no room is in a meeting")


def test_a_yes_to_who_is_free_says_that_somebody_is():
    core = AnswerCore(affirms=True, facts=(Fact("person_available", ("p1", TALK)),), about=("p1",))
    question, answer = "Is Ada Berg free then?", "Yes, Ada Berg is free on 25 March at 16:00."
    assert why("Yes, Ada Berg's meeting is on 25 March at 16:00.", question, answer, core) == (
        "it does not say who or what is free or busy")
    assert why("Yes.", question, answer, core) == ""


FREE = tuple(Fact("person_available", (each, TALK)) for each in ("p1", "p2"))


@pytest.mark.parametrize(("speaker", "reply", "reason"), [
    (None, "Yes, Ada Berg and Bo Lund are free on 25 March at 16:00.", ""),
    (None, "OK! Ada Berg is available on 25 March at 16:00.",
     "it does not speak of all who or that were asked about"),
    (None, "Yes, they are free on 25 March at 16:00.",
     "it does not speak of all who or that were asked about"),
    ("p2", "Yes, you and Ada Berg are free on 25 March at 16:00.", ""),
    ("p2", "Yes, you are free on 25 March at 16:00.",
     "it does not speak of all who or that were asked about")])
def test_what_is_so_of_several_must_be_said_of_all_of_them(speaker, reply, reason):
    say = Verbaliser(KB, NOW, speaker=speaker)
    core = AnswerCore(affirms=True, facts=FREE, about=("p1", "p2"))
    text = "Yes, Ada Berg and Bo Lund are both free on Wednesday 25 March at 16:00." \
        if speaker is None else \
        "Yes, Ada Berg and you are both free on Wednesday 25 March at 16:00."
    question = "are they both free on 25 March at four?"
    used = tuple(RankedFact(each, say.say(each), 1.0) for each in FREE)
    assert disagreement(reply, GeneratedReply(text, used, core=core), GenerationInput(
        ((USER, question),), used, Observation(question, ()), verbaliser=say)) == reason


@pytest.mark.parametrize(("reply", "fits"), [
    ("Yes, you are free on 25 March at 16:00.", True),
    ("Yes, your meeting is available on 25 March at 16:00.", False),
    ("Yes, the kettle talk is free on 25 March at 16:00.", False)])
def test_who_is_free_is_who_was_asked_about(reply, fits):
    say = Verbaliser(KB, NOW, speaker="p2")
    core = AnswerCore(affirms=True, facts=FREE[1:], about=("p2",))
    question = "am I free on 25 March at four?"
    used = (RankedFact(FREE[1], say.say(FREE[1]), 1.0),)
    found = disagreement(reply, GeneratedReply(
        "Yes, you are free on Wednesday 25 March at 16:00.", used, core=core), GenerationInput(
            ((USER, question),), used, Observation(question, ()), verbaliser=say))
    assert (not found) is fits, found


@pytest.mark.parametrize(("reply", "reason"), [
    ("No, Zeta is not free.", ""), ("No, Zeta is busy.", ""), ("Zeta isn't available.", ""),
    ("No, the kettle talk is in Zeta.", ""),
    ("Zeta doesn't have any meetings.", "it does not say who or what is free or busy"),
    ("No, Zeta has no meetings.", "it does not say who or what is free or busy"),
    ("There are no meetings in Zeta.", "it does not say who or what is free or busy"),
    ("No, Zeta is free.", "it says the opposite of who or what is free")])
def test_a_denial_that_somebody_is_free_does_not_deny_that_they_are_busy(reply, reason):
    core = AnswerCore(affirms=False, facts=(Fact("room_busy", ("r1", TALK, ("e1",))),),
                      about=("r1",))
    assert why(reply, "Is Zeta free then?", "No, Zeta is busy until 17:00.", core) == reason
