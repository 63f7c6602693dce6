"""Parts of what is said: a yes with an addition, corrections, two in one, rooms that stay, groups.
"""

from __future__ import annotations

import pytest

from .offices import at
from .told_forms import ToldOffice

FIND = ("find a time tomorrow with Tomas",
        '(request (find_time (time (at "tomorrow")) (attendee (person "Tomas"))))')
OTHER = ("any other times?", '(revise (set (time (at "any other times"))))')
MOVE = ("move the lens workshop to four",
        '(request (change (event "lens workshop") (time (at "four"))))')
MUCH = ("move the lens workshop to four in Beta and invite Bo",
        '(request (change (event "lens workshop") (time (at "four")) (venue (room "Beta")) '
        '(attendee (person "Bo"))))')
BOOK = ("book glue with Bo and Mira tomorrow at ten in Beta",
        '(request (create (title "glue") (attendee (person "Bo")) (attendee (person "Mira")) '
        '(time (at "tomorrow at ten")) (venue (room "Beta"))))')


def reference(name: str) -> str:
    return f'({"group" if name in ("Optics", "Logistics") else "person"} "{name}")'


def together(names: list[str]) -> str:
    references = " ".join(map(reference, names))
    return references if len(names) == 1 else f"(and {references})"


def attendees(names: list[str]) -> str:
    return " ".join(f"(attendee {reference(each)})" for each in names)


# --- a yes with an addition belongs to what was offered last

@pytest.mark.parametrize(("said", "forms", "shown"), [
    ("yes the first one, and invite Bo",
     '(confirm) (choose (answers (one_of 1))) (revise (set (attendee (person "Bo"))))',
     "from 09:30 to 10:30 with Tomas Lindqvist and Bo Haraldsen"),
    ("yes, and invite Bo", '(confirm) (revise (set (attendee (person "Bo"))))',
     "from 09:30 to 10:30 with Tomas Lindqvist and Bo Haraldsen"),
    ("and add Bo", '(revise (set (attendee (person "Bo"))))',
     "from 09:30 to 10:30 with Tomas Lindqvist and Bo Haraldsen"),
    ("ok but half an hour", '(confirm) (revise (set (duration "half an hour")))',
     "from 09:30 to 10:00 with Tomas Lindqvist"),
    ("the first one, half an hour",
     '(choose (answers (one_of 1))) (revise (set (duration "half an hour")))',
     "from 09:30 to 10:00 with Tomas Lindqvist"),
    ("yes, in Rowan", '(confirm) (revise (set (venue (room "Rowan"))))',
     "from 09:30 to 10:30 with Tomas Lindqvist in Rowan"),
    ("yes, but at eleven", '(confirm) (revise (set (time (at "eleven"))))',
     "from 11:00 to 12:00 with Tomas Lindqvist")])
def test_an_addition_to_a_yes_belongs_to_what_was_offered_last(told, said, forms, shown):
    told.hear(*FIND)
    assert "09:30" in told.hear(*OTHER)
    told.hear(said, forms)
    assert shown in told.hear("glue", '(answer "glue")')
    assert "glue" not in told.events()
    told.hear("yes")
    assert "glue" in told.events()


def test_another_time_is_offered_where_any_others_are_wanted_of_what_is_to_be_confirmed(told):
    told.hear("book glue tomorrow at ten", '(request (create (title "glue") (time (at "tomorrow '
              'at ten"))))')
    assert "from 10:30 to 11:30" in told.hear(
        "any others?", "(choose (answers (except (answers))))")


def test_whom_else_is_named_with_a_yes_does_not_drop_who_was_suggested(told):
    told.hear("book glue tomorrow at ten with Haraldsson",
              '(request (create (title "glue") (time (at "tomorrow at ten")) '
              '(attendee (person "Haraldsson"))))')
    assert "Bo Haraldsen and Mira Castellan" in told.hear(
        "yes, and Mira", '(confirm) (revise (set (attendee (person "Mira"))))')


@pytest.mark.parametrize(("said", "forms"), [
    ("in Rowan instead", '(revise (set (venue (room "Rowan"))))'),
    ("call it wax", '(revise (set (title "wax")))'),
    ("without Tomas", '(revise (set (unwanted (attendee (person "Tomas")))))'),
    ("with Bo, in Rowan", '(revise (set (attendee (person "Bo"))) (set (venue (room "Rowan"))))'),
    ("I mean Bo", '(correct (replace (person "Bo")))'),
    ("in private", "(revise (set (private)))")])
def test_an_offered_time_is_not_taken_by_who_says_something_else(told, said, forms):
    told.hear(*FIND)
    told.hear(*OTHER)
    told.hear(said, forms)
    assert "from 09:30" not in told.hear("glue", '(answer (title "glue"))')


@pytest.mark.parametrize(("said", "forms", "shown"), [
    ("and Logistics", '(revise (set (attendee (group "Logistics"))))',
     "with Tomas Lindqvist, Bo Haraldsen and Jonas Thorne"),
    ("about oil", '(revise (set (note "oil")))', "with Tomas Lindqvist, without a room")])
def test_an_offered_time_is_taken_by_who_adds_people_or_a_note(told, said, forms, shown):
    told.hear(*FIND)
    told.hear(*OTHER)
    told.hear(said, forms)
    assert f"from 09:30 to 10:30 {shown}" in told.hear("glue", '(revise (set (title "glue")))')


# --- which of several are meant

@pytest.mark.parametrize(("said", "forms", "moved"), [
    ("the first one, the one on Tuesday", '(choose (answers (nth 1))) (answer (at "Tuesday"))', 1),
    ("the first one, on Friday", '(choose (answers (nth 1))) (answer (at "Friday"))', 1),
    ("all of them on Friday", '(choose (those)) (answer (at "Friday"))', 2),
    ("all of them on Friday", '(answer (at "Friday"))', 2)])
def test_a_time_beside_which_events_are_meant_is_not_where_they_are_moved(
        told, said, forms, moved):
    for day in ("tomorrow", "Wednesday"):
        told.hear(f"book glue {day} at ten",
                  f'(request (create (title "glue") (time (at "{day} at ten"))))')
        told.hear("yes")
    told.session = told.agent.session(speaker="ines")
    assert "or all of them" in told.hear(
        "move glue to four", '(request (change (event "glue") (time (at "four"))))')
    told.hear(said, forms)
    told.hear("yes")
    assert [each.start for each in told.calendar.state().kb.events.values()
            if each.name == "glue"] == [at(3, 16), at(4, 16 if moved == 2 else 10)]


# --- a part of what was done is taken back alone

@pytest.mark.parametrize(("said", "forms", "shown"), [
    ("undo the room", "(undo)", "Shall I move the lens workshop to Rowan?"),
    ("undo the room", "(undo) (revise (set (unwanted (venue (room)))))",
     "Shall I move the lens workshop to Rowan?"),
    ("undo the new time", "(undo) (answer (time (then)))",
     "Shall I move the lens workshop to tomorrow from 14:00 to 15:00?"),
    ("undo Bo", "(undo)",
     "Shall I remove Bo Haraldsen from the lens workshop tomorrow from 16:00 to 17:00?")])
def test_a_part_of_what_was_done_is_taken_back_after_a_yes(told, said, forms, shown):
    told.hear(*MUCH)
    told.hear("yes")
    after = told.events()["lens workshop"]
    assert told.hear(said, forms) == shown
    assert told.events()["lens workshop"] == after
    told.hear("yes")
    workshop = told.events()["lens workshop"]
    assert [workshop.location == "rowan", workshop.start == at(3, 14),
            "bo" not in workshop.attendees].count(True) == 1


@pytest.mark.parametrize(("said", "forms", "shown"), [
    ("undo the room", "(undo)", "Shall I move the glue out of Beta?"),
    ("undo that, Bo is ill", "(undo)", "Shall I remove Bo Haraldsen from the glue")])
def test_a_part_of_a_booking_is_taken_back_after_a_yes(told, said, forms, shown):
    told.hear(*BOOK)
    told.hear("yes")
    assert told.hear(said, forms).startswith(shown)
    assert told.events()["glue"].location == "beta"


def test_all_of_a_booking_is_taken_back_where_all_who_come_are_named(told):
    told.hear(*BOOK)
    told.hear("yes")
    told.hear("undo that, Bo and Mira are ill", "(undo)")
    assert "glue" not in told.events()


@pytest.mark.parametrize(("begun", "said", "forms"), [
    (BOOK, "undo the time", "(undo) (answer (time (then)))"),
    (MUCH, "undo the name", '(undo) (revise (set (unwanted (title "name"))))'),
    (("move the lens workshop and the supplier call to four",
      '(request (change (and (event "lens workshop") (event "supplier call")) '
      '(time (at "four"))))'), "undo the lens workshop", "(undo)")])
def test_it_is_asked_whether_all_is_taken_back_where_a_part_cannot_be(told, begun, said, forms):
    before = told.calendar.state().kb.events
    told.hear(*begun)
    told.hear("yes")
    after = told.calendar.state().kb.events
    assert told.hear(said, forms).startswith(
        "I can only take all of it back. Shall I take back that I ")
    assert told.calendar.state().kb.events == after
    told.hear("yes")
    assert dict(told.calendar.state().kb.events) == dict(before)


# --- what is finally wanted of what one utterance says

@pytest.mark.parametrize("forms", [
    '(request (change (event "supplier call") (attendee (person "Tomas")))) '
    '(correct (replace (person "Bo")))',
    '(request (change (event "supplier call") (attendee (person "Tomas")) '
    '(instead (attendee (person "Bo")) (attendee (person "Tomas")))))',
    '(request (change (event "supplier call") (attendee (person "Tomas")) '
    '(unwanted (attendee (person "Tomas"))) (attendee (person "Bo"))))'])
def test_who_is_named_in_place_of_somebody_in_one_utterance_comes_alone(told, forms):
    assert told.hear("invite Tomas, no wait, Bo, to the supplier call", forms) == (
        "Shall I invite Bo Haraldsen to the supplier call on Wednesday 4 March from 14:00 to "
        "15:00?")


@pytest.mark.parametrize(("said", "forms", "shown"), [
    ("invite Bo and Mira, no, just Mira, to the supplier call",
     '(request (change (event "supplier call") (attendee (person "Bo")) (attendee (person '
     '"Mira")))) (correct (replace (person "Mira")))', "Shall I invite Mira Castellan to"),
    ("invite Optics, no, Logistics, to the lens workshop",
     '(request (change (event "lens workshop") (attendee (group "Optics")))) '
     '(correct (replace (group "Logistics")))', "Shall I invite Bo Haraldsen and Jonas Thorne to"),
    ("tell Tomas, no, Bo, that I am late",
     '(request (tell (person "Tomas") "I am late")) (correct (replace (person "Bo")))',
     "Shall I leave this message for Bo Haraldsen:"),
    ("don't invite Bo, oh, do invite Bo to the lens workshop",
     '(request (change (event "lens workshop") (unwanted (attendee (person "Bo"))) '
     '(attendee (person "Bo"))))', "Shall I invite Bo Haraldsen to the lens workshop"),
    ("move the lens workshop to Beta, no, not Beta, to four",
     '(request (change (event "lens workshop") (venue (room "Beta")) '
     '(unwanted (venue (room "Beta"))) (time (at "four"))))',
     "Shall I move the lens workshop to tomorrow from 16:00 to 17:00?"),
    ("book glue tomorrow at three in Beta, no, no room",
     '(request (create (title "glue") (time (at "tomorrow at three")) (venue (room "Beta")) '
     '(unwanted (venue (room)))))', "Shall I book “glue” tomorrow from 15:00 to 16:00, without"),
    ("book glue tomorrow at three, not at three",
     '(request (create (title "glue") (time (at "tomorrow")) (time (at "three")) '
     '(unwanted (time (at "three")))))', "At what time")])
def test_what_is_said_last_in_an_utterance_is_what_is_wanted(told, said, forms, shown):
    assert told.hear(said, forms).startswith(shown)


@pytest.mark.parametrize(("named", "by", "shown"), [
    (["Optics", "Bo"], ["Jonas"], "with Jonas Thorne, Mira Castellan and Tomas Lindqvist"),
    (["Bo", "Optics"], ["Jonas"], "with Bo Haraldsen and Jonas Thorne"),
    (["Bo", "Optics"], ["Jonas", "Mira"], "with Jonas Thorne and Mira Castellan"),
    (["Bo", "Optics"], ["Optics"], "with Mira Castellan and Tomas Lindqvist"),
    (["Jonas", "Bo", "Zed"], ["Mira"], "with Jonas Thorne, Bo Haraldsen and Mira Castellan")])
def test_as_many_as_are_named_take_the_place_of_the_last_who_were(told, named, by, shown):
    assert shown in told.hear(
        f"book glue tomorrow at ten with {' and '.join(named)}, I mean {' and '.join(by)}",
        f'(request (create (title "glue") (time (at "tomorrow at ten")) {attendees(named)})) '
        f'(correct (replace {together(by)}))')


def test_a_name_that_is_not_clear_stays_where_it_is_not_the_last(told):
    assert "anyone called “Zed”" in told.hear(
        "book glue tomorrow at ten with Zed, Bo and Tomas, I mean Mira",
        f'(request (create (title "glue") (time (at "tomorrow at ten")) '
        f'{attendees(["Zed", "Bo", "Tomas"])})) (correct (replace (person "Mira")))')
    assert "with Bo Haraldsen, Mira Castellan and Jonas Thorne" in told.hear(
        "Jonas", '(answer (person "Jonas"))')


def test_who_is_put_right_in_an_addition_takes_nobodys_place_who_was_there_before(told):
    told.hear("book glue tomorrow at ten with Jonas",
              '(request (create (title "glue") (time (at "tomorrow at ten")) '
              '(attendee (person "Jonas"))))')
    assert "with Jonas Thorne and Mira Castellan, " in told.hear(
        "and Bo, I mean Mira",
        '(revise (set (attendee (person "Bo")))) (correct (replace (person "Mira")))')


def test_who_is_named_in_place_of_a_group_with_exceptions_comes_in_place_of_all_of_it(told):
    assert "with Bo Haraldsen and Jonas Thorne" in told.hear(
        "book glue tomorrow at ten with Bo and Optics except the caller, I mean Jonas",
        '(request (create (title "glue") (time (at "tomorrow at ten")) (attendee (person "Bo")) '
        '(attendee (person (member_of (group "Optics")) (except (me)))))) '
        '(correct (replace (person "Jonas")))')


def test_one_of_two_of_a_group_stays_where_the_other_is_somebody_else(told):
    one = '(attendee (person (member_of (group "Logistics"))))'
    assert "with Mira Castellan and Bo Haraldsen" in told.hear(
        "book glue tomorrow at ten with one and another of Logistics, I mean Mira",
        f'(request (create (title "glue") (time (at "tomorrow at ten")) {one} {one})) '
        '(correct (replace (person "Mira")))')


# --- two in one utterance

def test_two_bookings_that_share_a_clause_are_both_made(told):
    told.hear("a call with Tomas tomorrow at 3 and at 5",
              '(request (create (title "call") (attendee (person "Tomas")) '
              '(time (at "tomorrow at 3")))) (request (create (title "call") '
              '(attendee (person "Tomas")) (time (at "5"))))')
    assert "from 17:00 to 18:00 with Tomas Lindqvist" in told.hear("yes")
    told.hear("yes")
    made = [each for each in told.calendar.state().kb.events.values() if each.name == "call"]
    assert {each.start for each in made} == {at(3, 15), at(3, 17)}
    assert all("tomas" in each.attendees for each in made)


# --- the room stays

@pytest.mark.parametrize(("said", "forms"), [
    ("keep the room", "(revise (set (venue (that))))"), ("same room", "(answer (venue (that)))"),
    ("leave it where it is", "(revise (set (venue (that))))")])
def test_the_room_stays_though_another_was_spoken_of(told, said, forms):
    told.hear("is Beta free tomorrow at four?",
              '(ask (holds (free (room "Beta") (at "tomorrow at four"))))')
    told.hear(*MOVE)
    assert told.hear(said, forms).endswith(
        "Shall I move the lens workshop to tomorrow from 16:00 to 17:00?")
    told.hear("yes")
    assert told.events()["lens workshop"].location == "rowan"


def test_the_room_that_was_asked_about_in_between_is_that_room(told):
    told.hear(*MOVE)
    told.hear("is Beta free then?", '(ask (holds (free (room "Beta") (then))))')
    assert "move it to Beta" in told.hear("put it in that room", "(revise (set (venue (that))))")


# --- after an event that was spoken of

@pytest.mark.parametrize(("head", "hours"), [("then_after", "15:00 to 15:30"),
                                             ("then_before", "13:30 to 14:00")])
def test_how_long_it_lasts_is_kept_beside_the_event_that_was_spoken_of(told, head, hours):
    told.hear("when is the lens workshop tomorrow?",
              '(ask (when (event "lens workshop" (at "tomorrow"))))')
    assert hours in told.hear("book glue, half an hour, beside that", '(request (create (title '
                              f'"glue") (duration "half an hour") (time ({head}))))')


# --- members of groups

@pytest.mark.parametrize(("whom", "named"), [
    ('(person (member_of (group "Optics")) (except (me)))', "Mira Castellan and Tomas Lindqvist"),
    ('(person (member_of (and (group "Optics") (group "Logistics"))) (except (person "Bo")))',
     "Mira Castellan, Tomas Lindqvist and Jonas Thorne"),
    ('(person (member_of (group "Optics")) (except (person "Mira")))', "Tomas Lindqvist")])
def test_exactly_those_of_a_group_who_are_not_left_out_come(told, whom, named):
    assert told.hear("book glue tomorrow at ten with Optics, Logistics except Bo, Mira",
                     f'(request (create (title "glue") (attendee {whom}) '
                     '(time (at "tomorrow at ten"))))') == (
        f"Shall I book “glue” tomorrow from 10:00 to 11:00 with {named}, without a room?")


def test_who_is_not_wanted_of_two_groups_is_left_out(told):
    assert "with Mira Castellan, Tomas Lindqvist and Jonas Thorne" in told.hear(
        "book glue with Optics and Logistics except Bo tomorrow at ten",
        '(request (create (title "glue") (attendee (and (group "Optics") (group "Logistics"))) '
        '(unwanted (attendee (person "Bo"))) (time (at "tomorrow at ten"))))')


def test_who_is_left_out_of_a_group_that_was_not_known_stays_left_out(told):
    told.hear("invite everyone in Xyz except Tomas to the supplier call",
              '(request (change (event "supplier call") (attendee (person '
              '(member_of (group "Xyz")) (except (person "Tomas"))))))')
    assert "Shall I invite Mira Castellan to the" in told.hear(
        "Optics", '(answer (group "Optics"))')


def test_two_who_are_each_any_of_one_group_are_two(told):
    one = '(attendee (person (member_of (group "Logistics"))))'
    assert "with Bo Haraldsen and Jonas Thorne" in told.hear(
        "book glue tomorrow at ten with one of Logistics and another of Logistics",
        f'(request (create (title "glue") (time (at "tomorrow at ten")) {one} {one}))')


def test_all_but_oneself_are_removed(told):
    told.hear("remove everyone in Optics but me from the lens workshop",
              '(request (change (event "lens workshop") (unwanted (attendee (person '
              '(member_of (group "Optics")) (except (me)))))))')
    told.hear("yes")
    assert told.events()["lens workshop"].attendees == ("ines",)


# --- what is arranged, said once more

@pytest.mark.parametrize(("begun", "again"), [
    (("cancel the supplier call", '(request (cancel (event "supplier call")))'),) * 2,
    (("book glue tomorrow at ten with Optics",
      '(request (create (title "glue") (time (at "tomorrow at ten")) '
      '(attendee (group "Optics"))))'),
     ("invite Optics", '(request (change (that) (attendee (group "Optics"))))'))])
def test_what_says_it_once_more_is_as_it_is_arranged(told, begun, again):
    told.hear(*begun)
    assert told.hear(*again).startswith("That is how I have it. Shall I ")


def test_what_may_not_be_meant_is_not_how_it_is(told):
    told.hear("cancel the supplier call", '(request (cancel (event "supplier call")))')
    assert told.hear("don't cancel the supplier call",
                     '(request (cancel (event "supplier call")))').startswith("I'm sorry, I did")


def test_an_event_with_no_name_at_the_time_of_what_is_arranged_is_that(told):
    told.hear("book a meeting with Bo tomorrow at ten",
              '(request (create (attendee (person "Bo")) (time (at "tomorrow at ten"))))')
    told.hear("add Tomas to the meeting tomorrow",
              '(request (change (event (at "tomorrow")) (attendee (person "Tomas"))))')
    assert "“glue” tomorrow from 10:00 to 11:00 with Bo Haraldsen and Tomas Lindqvist" in told.hear(
        "glue", '(answer "glue")')


@pytest.mark.parametrize("answer", ['(answer (title "supplier call"))', '(answer "supplier call")'])
def test_the_words_of_who_was_asked_which_event_are_its_name(told, answer):
    told.hear("cancel a meeting", "(request (cancel (event)))")
    assert told.hear("supplier call", answer).startswith("Shall I cancel the supplier call")


def test_nobody_is_suggested_as_the_speaker_for_a_similar_name(encoder, monkeypatch):
    told = ToldOffice(encoder, monkeypatch, None)
    told.hear("book glue tomorrow at ten with Bo",
              '(request (create (title "glue") (attendee (person "Bo")) '
              '(time (at "tomorrow at ten"))))')
    reply = told.hear("Inga Okafor", '(introduce "Inga Okafor")')
    assert "I don't know anyone called “Inga Okafor”" in reply
    assert "Ines" not in reply
    told.hear("make it eleven", '(revise (set (time (at "eleven"))))')
    told.hear("yes")
    assert "glue" not in told.events()
    assert "from 11:00 to 12:00 with Bo Haraldsen" in told.hear(
        "Ines Okafor", '(introduce "Ines Okafor")')


def test_who_is_added_but_excepted_is_neither_invited_alone_nor_left_out_unasked(told):
    told.hear("book glue tomorrow at ten with Bo and Tomas",
              '(request (create (title "glue") (attendee (person "Bo")) '
              '(attendee (person "Tomas")) (time (at "tomorrow at ten"))))')
    assert told.hear("actually only Bo", '(revise (add (except (person "Bo"))))') \
        == "Who is not to come: Bo Haraldsen or Tomas Lindqvist?"
    told.hear("yes")
    assert "glue" not in told.events()
    assert "with Bo Haraldsen, " in told.hear("Tomas", '(choose (person "Tomas"))')


def test_a_booking_said_once_more_with_its_length_keeps_its_time(told):
    told.hear("book glue tomorrow at ten", '(request (create (title "glue") '
              '(time (at "tomorrow at ten"))))')
    assert told.hear("I want a half hour long meeting glue talk", '(request (create (title "glue '
                     'talk") (duration "half hour long")))') == (
        "Shall I book “glue talk” tomorrow from 10:00 to 10:30, without a room?")


# --- who comes in place of whom

GLUE = ("book glue with Bo tomorrow at ten", '(request (create (title "glue") '
        '(attendee (person "Bo")) (time (at "tomorrow at ten"))))')
INVITE = ("invite Bo to the supplier call",
          '(request (change (event "supplier call") (attendee (person "Bo"))))')
PUSH = ("move the supplier call to five",
        '(request (change (event "supplier call") (time (at "five"))))')
HIM = '(that (type "him"))'


@pytest.mark.parametrize("change", [
    '(replace (person "{}"))', '(replace (person "{}") (person "Bo"))', '(replace (person "{}") '
    '(that))', '(set (instead (attendee (person "{}")) (attendee (person "Bo"))))',
    '(set (instead (attendee (person "{}")) (attendee (that))))'])
@pytest.mark.parametrize(("begun", "shown"), [
    (GLUE, "Shall I book “glue” tomorrow from 10:00 to 11:00 with Mira Castellan, without a room?"),
    (INVITE, "Shall I invite Mira Castellan to the supplier call on Wednesday 4 March from 14:00 "
             "to 15:00?")])
def test_somebody_else_is_proposed_in_place_of_who_was(told, begun, shown, change):
    told.hear(*begun)
    assert told.hear("actually make that Mira, not Bo",
                     f"(revise {change.format('Mira')})") == shown


def test_a_group_is_proposed_in_place_of_who_was(told):
    told.hear(*GLUE)
    assert "with Mira Castellan and Tomas Lindqvist, without" in told.hear(
        "make that Optics", '(revise (replace (group "Optics")))')


@pytest.mark.parametrize("him", ["(that)", HIM])
@pytest.mark.parametrize(("begun", "done", "shown"), [
    (GLUE, False, "book “glue” tomorrow from 10:00 to 11:00 with Mira Castellan, without a room?"),
    (GLUE, True, "invite Mira Castellan to the glue tomorrow from 10:00 to 11:00 and remove Bo "
                 "Haraldsen from it?"),
    (PUSH, False, "move the supplier call to Wednesday 4 March from 17:00 to 18:00, invite Mira "
                  "Castellan to it and remove Jonas Thorne from it?")])
def test_he_is_who_is_spoken_of_in_what_is_arranged(told, begun, done, shown, him):
    told.hear(*begun)
    if done:
        told.hear("yes")
    assert told.hear("leave him off and get Mira instead", f"(revise (set (unwanted (attendee {him}"
                     ')))) (revise (set (attendee (person "Mira"))))') == f"Shall I {shown}"


def test_he_is_left_out_alone(told):
    told.hear(*GLUE)
    assert "11:00, without a room" in told.hear("drop him", f"(revise (drop {HIM}))")
