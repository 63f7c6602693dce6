"""Programs of SMCalFlow become logical forms whose names and times are words of the utterance."""

from __future__ import annotations

import json

import pytest

from frontdesk.data.datasets.lispress import read_lispress
from frontdesk.data.datasets.parsed_turns import Reason, coverage
from frontdesk.data.datasets.smcalflow import load_smcalflow
from frontdesk.kg.graph.errors import FormatError

ROWS = [
    ("Delete choir on Friday",
     '(Yield (DeleteCommitEventWrapper (DeletePreflightEventWrapper (Event.id (singleton '
     '(QueryEventResponse.results (FindEventWrapperWithDefaults (EventOnDate (NextDOW (Friday)) '
     '(Event.subject_? (?~= "choir"))))))))))',
     '(request (cancel (event "choir" (at "Friday"))))'),
    ("take the second", "(Yield (Execute (ChooseCreateEvent 2L (refer (^(Dynamic) "
     "ActionIntensionConstraint)))))", "(choose (answers (one_of 2)))"),
    ("lovely", "(Yield (Execute (ChooseCreateEventFromConstraint (EmptyStructConstraint))))",
     "(confirm)"),
    ("either works", "(Yield (Execute (ChooseCreateEventFromConstraint "
     "(EmptyStructConstraint))))", "(any)"),
    ("will it hail?", "(Yield (WeatherQueryApi (AtPlace (Here)) (?= (Now))))", "(unsupported)"),
    ("book choir", '(Yield (CreateCommitEventWrapper (CreatePreflightEventWrapper '
     '(Event.subject_? (?= "fencing")))))', ""),
    ("where is choir on", '(Yield (Event.location (singleton (QueryEventResponse.results '
     '(FindEventWrapperWithDefaults (Event.subject_? (?~= "choir")))))))',
     '(ask (where (event "choir")))'),
    ("drop choir with Ola's skip", '(Yield (DeleteCommitEventWrapper '
     '(DeletePreflightEventWrapper (Event.id (singleton (QueryEventResponse.results '
     '(FindEventWrapperWithDefaults (& (Event.subject_? (?~= "choir")) (Event.attendees_? '
     '(AttendeeListHasRecipient (FindManager (FindManager (Execute (refer (extensionConstraint '
     '(RecipientWithNameLike (^(Recipient) EmptyStructConstraint) (PersonName.apply "Ola")))))))'
     '))))))))))', '(request (cancel (event "choir" (attends (person (related "skip" (person '
     '"Ola")))))))'),
    ("it should last three hours", "(Yield (Execute (ReviseConstraint (refer (^(Dynamic) "
     'roleConstraint (Path.apply "output"))) (^(Event) ConstraintTypeIntension) '
     "(Event.duration_? (?= (toHours 3L))))))", '(revise (set (duration "three hours")))'),
    ("hm", "(Yield", ""), ("ta", "(PleasantryAnythingElseCombined)", ""),
    ("is choir full", '(Yield (> (size (QueryEventResponse.results (FindEventWrapperWithDefaults '
     '(Event.subject_? (?~= "choir"))))) 4L))', ""), ("mine", "(Yield (size))", "")]


@pytest.fixture
def turns(tmp_path):
    path = tmp_path / "dialogues.jsonl"
    path.write_text("no JSON\n" + json.dumps({"dialogue_id": "d", "turns": [
        {"user_utterance": {"original_text": said}, "lispress": program,
         "agent_utterance": {"original_text": "Well."}} for said, program, _ in ROWS]}))
    return load_smcalflow(path)


def test_turns_have_the_forms_of_their_programs(turns):
    assert [" ".join(map(str, each.forms)) for each in turns[0]] == [form for *_, form in ROWS]


def test_what_is_not_converted_has_a_reason(turns):
    assert [each.reason for each in turns[0] if not each.forms] == [
        Reason.TITLE_NOT_SAID, Reason.UNREADABLE, Reason.NOT_ANNOTATED, Reason.UNKNOWN,
        Reason.UNREADABLE]
    assert coverage(turns[0]).converted == 8
    assert len(turns[1]) == 1


@pytest.mark.parametrize(("reply", "asked"), [
    ("Is this good?", "confirm"), ("How's this?", "confirm"), ("How about now?", "confirm"),
    ("Ok, I will decline it. Is that ok?", "confirm"), ("Does one of these work?", "choice"),
    ("I've put that on your calendar. __BREAK Does this look right?", "confirm"),
    ("Here are some times when everyone is free.", "choice"),
    ("I've put that on your calendar.", ""), ("Could you be more specific?", ""), ("", "")])
def test_what_the_agent_asks_for_is_the_context_of_the_next_turn(tmp_path, reply, asked):
    path = tmp_path / "dialogues.jsonl"
    path.write_text(json.dumps({"dialogue_id": "d", "turns": [
        {"user_utterance": {"original_text": "lovely"}, "lispress": ROWS[2][1],
         "agent_utterance": {"original_text": reply} if reply else None}] * 2}))
    assert [each.context.asked for each in load_smcalflow(path)[0]] == ["", asked]


def test_names_bound_by_let_stand_for_their_values():
    assert read_lispress("(let (x (f 1L)) (g x x))") == read_lispress("(g (f 1L) (f 1L))")


@pytest.mark.parametrize("text", ["", "(", ")", "(f", "f)", "(f) (g)", "(1)", '"a"'])
def test_what_is_no_program_is_told(text):
    with pytest.raises(FormatError):
        read_lispress(text)
