"""Turns of Schema-Guided Dialogue become logical forms whose names and times are their words."""

from __future__ import annotations

import json

import pytest

from frontdesk.data.datasets.parsed_turns import Reason
from frontdesk.data.datasets.sgd_calendar import load_sgd_calendar
from frontdesk.kg.graph.errors import FormatError

#: What the system did before, the service, the acts with slots, the words of slots, the utterance,
#: the intent, and the forms.
ROWS = [
    ("", "Calendar_1", {"INFORM_INTENT": ["GetEvents"], "INFORM": ["event_date"]},
     {"event_date": "the 4th"}, "What is on my calendar on the 4th?", "GetEvents",
     '(ask (which (event (attends (me)) (at "the 4th"))))'),
    ("", "Calendar_1", {"INFORM_INTENT": ["GetAvailableTime"]}, {}, "Am I free that day?",
     "GetAvailableTime", "(ask (holds (free (me) (then))))"),
    ("", "Calendar_1", {"INFORM_INTENT": ["GetAvailableTime"], "INFORM": ["event_date"]},
     {"event_date": "next Friday"}, "Perfect. When am I free next Friday?", "GetAvailableTime",
     '(ask (when (free (me) (at "next Friday"))))'),
    ("", "Calendar_1", {"INFORM_INTENT": ["AddEvent"],
                        "INFORM": ["event_name", "event_time", "event_date", "event_location"]},
     {"event_name": "Choir", "event_time": "6 pm", "event_date": "March 3rd",
      "event_location": "12 Elm Road"}, "Put Choir in at 12 Elm Road on March 3rd at 6 pm",
     "AddEvent", '(request (create (title "Choir") (time (at "March 3rd at 6 pm")) '
                 '(venue (thing "12 Elm Road"))))'),
    ("REQUEST event_name", "Calendar_1", {"INFORM": ["event_name"]}, {"event_name": "Choir"},
     "Call it Choir.", "AddEvent", '(answer (title "Choir"))'),
    ("CONFIRM event_time", "Calendar_1", {"AFFIRM": [""]}, {}, "Yes, that's right.", "AddEvent",
     "(confirm)"),
    ("CONFIRM event_time", "Calendar_1", {"NEGATE": [""], "INFORM": ["event_time"]},
     {"event_time": "half past 7"}, "No, make it half past 7.", "AddEvent",
     '(deny) (revise (set (time (at "half past 7"))))'),
    ("", "Calendar_1", {"REQUEST": ["event_location"]}, {}, "Where is it?", "GetEvents",
     "(ask (where (that)))"),
    ("", "Calendar_1", {"REQUEST_ALTS": [""], "INFORM": ["event_date"]},
     {"event_date": "the 11th"}, "What about the 11th?", "GetEvents",
     '(revise (retime (at "the 11th")))'),
    ("REQ_MORE ", "Calendar_1", {"NEGATE": [""], "THANK_YOU": [""]}, {}, "No, thanks.", "AddEvent",
     "(deny)"),
    ("", "Calendar_1", {"THANK_YOU": [""], "GOODBYE": [""]}, {}, "Thanks a lot. Bye!", "AddEvent",
     "(thank) (goodbye)"),
    ("", "RideSharing_1", {"INFORM_INTENT": ["GetRide"]}, {}, "I need a cab.", "GetRide",
     "(unsupported)"),
    ("", "RideSharing_1", {"REQUEST": ["fare"]}, {}, "What does it cost?", "GetRide",
     "(unsupported)"),
    ("", "Services_1", {"REQUEST": ["phone_number"]}, {}, "What's their number?", "FindProvider",
     Reason.ELSEWHERE),
    ("", "Services_1", {"INFORM": ["city"]}, {"city": "Oakland"}, "In Oakland.", "FindProvider",
     Reason.ELSEWHERE),
    ("", "Calendar_1", {"INFORM_INTENT": ["GetEvents"]}, {}, "What do I have on Monday?",
     "GetEvents", Reason.TIME_LEFT_OVER)]


def dialogue(before, service, acts, words, utterance, intent):
    turns = []
    if before:
        act, _, slot = before.partition(" ")
        turns.append({"speaker": "SYSTEM", "utterance": "Well?", "frames": [
            {"service": service, "actions": [{"act": act, "slot": slot, "values": []}],
             "slots": []}]})
    actions = [{"act": act, "slot": "intent" if act == "INFORM_INTENT" else each,
                "values": [each] if act == "INFORM_INTENT" else []}
               for act, those in acts.items() for each in those]
    slots = [{"slot": slot, "start": utterance.index(text),
              "exclusive_end": utterance.index(text) + len(text)} for slot, text in words.items()]
    turns.append({"speaker": "USER", "utterance": utterance, "frames": [
        {"service": service, "actions": actions, "slots": slots,
         "state": {"active_intent": intent}}]})
    return turns


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[4])
def test_a_turn_has_the_forms_of_its_acts(row, tmp_path):
    path = tmp_path / "dialogues.jsonl"
    path.write_text(json.dumps({"dialogue_id": "d", "turns": dialogue(*row[:6])}))
    turns, defects = load_sgd_calendar(path)
    assert not defects
    assert (turns[0].reason or " ".join(map(str, turns[0].forms))) == row[6]
    for form in turns[0].forms:
        for span in form.spans():
            assert row[4][span.start:span.end] == span.text


def test_a_turn_knows_what_was_asked_and_meant_before(tmp_path):
    path = tmp_path / "dialogues.jsonl"
    turns = dialogue(*ROWS[3][:6]) + dialogue(*ROWS[5][:6])
    path.write_text('no JSON\n{"turns": 3}\n' + json.dumps({"dialogue_id": "d", "turns": turns}))
    found, defects = load_sgd_calendar(path)
    assert found[1].context.asked == "confirm"
    assert found[1].context.forms == found[0].forms
    assert [each.place.rpartition(" ")[2] for each in defects] == ["1", "2"]


def test_a_file_without_dialogues_is_refused(tmp_path):
    path = tmp_path / "empty.jsonl"
    path.write_text("\n")
    with pytest.raises(FormatError, match="no dialogue"):
        load_sgd_calendar(path)
