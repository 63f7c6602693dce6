"""Utterances to a home assistant become logical forms whose names and times are their words."""

from __future__ import annotations

import pytest

from frontdesk.data.datasets.nlu_home import load_nlu_home
from frontdesk.data.datasets.parsed_turns import Reason
from frontdesk.kg.graph.errors import FormatError

ROWS = [
    ("calendar", "set", "book a [event_name : meeting] with [person : ines] [date : tomorrow] at "
     "[time : nine am]",
     '(request (create (time (at "tomorrow at nine am")) (attendee (person "ines"))))'),
    ("calendar", "set", "put [person : ines'] [event_name : recital] on this [date : friday]",
     '(request (create (title "ines\' recital") (time (at "this friday"))))'),
    ("calendar", "set", "add [event_name : pilates] [general_frequency : every week]",
     '(request (create (title "pilates") (recurs "every week")))'),
    ("calendar", "set", "remind me of [event_name : pilates] an hour before", Reason.UNKNOWN),
    ("calendar", "set", "remind me of it [date : tomorrow]", Reason.NOT_ANNOTATED),
    ("calendar", "remove", "cancel my [event_name : appointments] on [date : friday]",
     '(request (cancel (event (attends (me)) (at "friday"))))'),
    ("calendar", "remove", "scrap the next [event_name : pilates]",
     '(request (cancel (event "pilates" (next))))'),
    ("calendar", "remove", "empty my calendar", "(request (cancel (event (attends (me)))))"),
    ("calendar", "remove", "take that off my calendar", "(request (cancel (that)))"),
    ("calendar", "remove", "remove something on monday", Reason.TIME_LEFT_OVER),
    ("email", "querycontact", "what is [person : ines's] [personal_info : phone number]",
     '(ask (phone (person "ines")))'),
    ("email", "querycontact", "contact details of my [relation : boss]",
     '(ask (phone (person (related "boss" (me))))) (ask (email (person (related "boss" (me)))))'),
    ("email", "querycontact", "how old is [person : ines]", Reason.NOT_ANNOTATED),
    ("general", "affirm", "yes it was.", "(confirm)"),
    ("general", "negate", "not what i said.", "(deny)"),
    ("general", "dontcare", "either will do.", "(any)"),
    ("general", "repeat", "say that again.", "(repeat)"),
    ("general", "confirm", "please check that.", Reason.NOT_ANNOTATED),
    ("calendar", "query", "what is on [date : today]", Reason.NOT_ANNOTATED),
    ("play", "music", "play some [music_genre : jazz]", "(unsupported)")]


@pytest.fixture
def turns(tmp_path):
    path = tmp_path / "home.csv"
    lines = [f"{number};{';'.join(row[:3])}" for number, row in enumerate(ROWS)]
    path.write_text("\n".join(["answerid;scenario;intent;answer_annotation", *lines, "99;play"]))
    return load_nlu_home(path)


def test_utterances_have_the_forms_of_their_annotation(turns):
    assert [each.reason or " ".join(map(str, each.forms)) for each in turns[0]] \
        == [row[3] for row in ROWS]
    assert len(turns[1]) == 1


def test_spans_are_words_of_the_utterance_without_its_brackets(turns):
    for turn in turns[0]:
        assert "[" not in turn.utterance
        for form in turn.forms:
            for span in form.spans():
                assert turn.utterance[span.start:span.end] == span.text


def test_a_table_without_utterances_is_refused(tmp_path):
    path = tmp_path / "home.csv"
    path.write_text("a;b\n")
    with pytest.raises(FormatError, match="are missing"):
        load_nlu_home(path)
