"""What a form that is right is answered with, in one dialogue: nothing false, nothing left out."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from frontdesk.agent.domains.organisation_pack import organisation_components
from frontdesk.kg.graph.dialogue_graph import USER, DialogueGraph, Hypothesis
from frontdesk.kg.graph.entities import Event, Group, Person, Room
from frontdesk.kg.graph.facts import Provenance
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.logical_forms import read_form

ZONE = ZoneInfo("UTC")


def at(day: int, hour: int, minute: int = 0) -> dt.datetime:
    return dt.datetime(2026, 3, day, hour, minute, tzinfo=ZONE)


NOW = at(2, 9, 20)  # a Monday
KB = KnowledgeBase(
    name="F", timezone=ZONE, groups=[Group("g1", "Glaze")],
    rooms=[Room("r1", "Beta"), Room("r2", "Rowan"), Room("o1", "14", bookable=False)],
    people=[Person("mia", "Mia Toft", group="g1", office="o1"),
            Person("ida", "Ida Krog", group="g1", office="o1"), Person("bo", "Bo Rask")],
    events=[Event("check", "kiln check", at(2, 9), at(2, 10), "r1", "mia", ("mia", "bo")),
            Event("visit", "oven visit", at(2, 11), at(2, 12), "r2", "ida", ("mia", "ida")),
            Event("talk", "glaze talk", at(3, 11), at(3, 15), "r1", "bo", ("bo", "mia")),
            Event("review", "glaze review", at(3, 13), at(3, 14), "r2", "ida", ("ida",)),
            Event("sale", "sale talk", at(5, 13), at(5, 14), "r2", "bo", ("bo",)),
            *(Event(f"s{day}", "stand-up", at(day, 8), at(day, 8, 15), "r1", "ida", ("ida",))
              for day in (2, 3, 4, 5, 6, 9, 10, 11, 12, 13))])


@pytest.fixture(scope="module")
def queries():
    return organisation_components(KB).queries


@pytest.fixture
def say(queries):
    """The answers of some queries that are asked together, one turn after the other."""
    dialogue = DialogueGraph()

    def answer(*asked: str, speaker: str | None = None) -> str:
        if speaker is not None:
            dialogue.identify_user(speaker, probability=1.0, provenance=Provenance("test"))
        turn = dialogue.add_turn(USER, [Hypothesis("", 1.0)], at=NOW)
        found = queries.answer([read_form(each) for each in asked], [],
                               queries.links(dialogue, now=NOW), speaker=speaker)
        dialogue.set_forms(turn, " ".join(f"(ask {each})" for each in found.queries),
                           about=found.about, answers=found.entities, window=found.window)
        return found.text
    return answer


def asked_of(events: list[Event], query: str, *people: Person) -> str:
    """What a query of other events is answered with, and of further people."""
    kb = KnowledgeBase(name="F", timezone=ZONE, rooms=KB.rooms.values(), events=events,
                       groups=KB.groups.values(), people=[*KB.people.values(), *people])
    dialogue = DialogueGraph()
    dialogue.add_turn(USER, [Hypothesis("", 1.0)], at=NOW)
    queries = organisation_components(kb).queries
    return queries.answer([read_form(query)], [], queries.links(dialogue, now=NOW),
                          speaker=None).text


def test_then_in_one_utterance_is_the_time_that_was_just_asked_about(say):
    told = say('(which (room (not (is_free (at "today at 11:30")))))',
               '(which (person (location (room "Rowan")) (then)))')
    assert "Rowan is not free at 11:30" in told
    assert "Ida Krog and Mia Toft" in told


@pytest.mark.parametrize(("query", "told"), [
    ('(holds (is (event "stand-up") (now)))', "No, the stand-up ended at 08:15."),
    ('(holds (untrue (is (event "stand-up") (now))))', "Yes, the stand-up ended at 08:15."),
    ('(holds (is (event "kiln check") (now)))', "Yes, it is on until 10:00, in Beta."),
    ('(holds (is (event "oven visit") (now)))',
     "No, it has not begun: it starts at 11:00, in Rowan."),
    ('(holds (is (event "stand-up") (at "Thursday at ten")))',
     "No, it is on Thursday 5 March from 08:00 to 08:15, in Beta."),
    ('(holds (present (person "Mia")))',
     "Yes, Mia Toft is in: in Beta, at the kiln check until 10:00.")])
def test_it_is_told_what_is_so_now(say, query, told):
    assert say(query) == told


def test_it_is_the_event_whose_time_was_just_told(say):
    told = say('(when (event (attends (me)) (at "thursday") (nth 1)))',
               "(where (that))", speaker="bo")
    assert told.count("Rowan") == 2


def test_who_is_where_an_event_is_takes_part_in_it(say):
    say('(lasts (event "kiln check"))')
    assert "Bo Rask and Mia Toft are attending it" in say("(which (person (location (that))))")


def test_what_is_before_something_in_the_room_of_an_event_is_found(say):
    say('(when (event "kiln check"))')
    assert "stand-up" in say('(which (event (location (that)) (before (event "glaze talk"))))')


@pytest.mark.parametrize("query", [
    '(which (event (attends (and (person "Mia") (person "Bo")) (at "today"))))',
    '(which (event (location (room "Beta") (at "today")) (attends (person "Mia"))))'])
def test_a_time_at_which_somebody_is_at_an_event_is_that_of_the_event(say, query):
    told = say(query)
    assert "kiln check" in told
    assert "glaze talk" not in told


def test_the_last_to_end_is_what_is_asked_for_the_end_of_the_last(say):
    assert say('(ends (event (at "tomorrow") (nth -1)))') == "The glaze talk ends at 15:00."


@pytest.mark.parametrize("query", [
    '(which (person (office (room "14")) (next)))', '(which (person (member_of (group "Glaze")) '
    '(nth 1)))'])
def test_nobody_is_said_to_come_next_of_what_has_no_order(say, query):
    assert say(query).startswith("I cannot tell which person is the ")


@pytest.mark.parametrize("state", ["busy", "free"])
def test_whether_an_office_is_taken_is_not_known(say, state):
    told = say(f'(holds ({state} (room "14")))')
    assert told.startswith(f"I don't know whether room 14 is {state}")
    assert "office" in told


def test_what_is_known_of_nobody_is_not_asked_for_with_who_speaks(say):
    assert say('(which (person (related "head" (me))))') == "I have no information on “head”."


def test_how_much_is_left_of_what_goes_on_is_told_with_its_length(say):
    assert say('(lasts (event "kiln check"))').endswith("It goes on for another 40 minutes.")
    assert "goes on" not in say('(lasts (event "oven visit"))')


def test_of_what_somebody_is_at_the_end_is_that_of_what_goes_on(say):
    assert say('(ends (event (attends (person "Mia"))))') == "The kiln check ends at 10:00."
    assert say('(ends (event (attends (person "Ida"))))') == "The oven visit ends at 12:00."


def test_a_day_tells_apart_events_that_a_name_may_mean(say):
    assert "?" in say('(where (event "talk"))')
    assert "The sale talk is in Rowan" in say('(where (event "talk" (at "thursday")))')


@pytest.mark.parametrize(("head", "day"), [
    ("organises", "tomorrow"), ("organizer", "tomorrow"), ("attends", "on Wednesday 4 March")])
def test_of_events_of_one_name_the_one_that_somebody_organises_or_attends_is_meant(head, day):
    events = [Event("d1", "demo", at(3, 10), at(3, 11), "r1", "bo", ("ida",),
                    organizer_absent=True),
              Event("d2", "demo", at(4, 10), at(4, 11), "r1", "ida", ("ida", "bo"))]
    assert asked_of(events, f'(when (event "demo" ({head} (person "Bo"))))').startswith(
        f"The demo is {day}")


def test_what_is_still_to_come_of_today_is_later_today(say):
    assert say('(which (event (attends (person "Ida")) (at "today") (from_now)))') == \
        "Ida Krog has the oven visit later today from 11:00 to 12:00, in Rowan."


def test_on_which_days_a_series_is_is_told(say):
    assert say('(when (event "stand-up"))').endswith("It is on every working day.")
    assert "every" not in say('(when (event "stand-up" (at "thursday")))')


def course(who: str, *days: int, series: str = "") -> list[Event]:
    return [Event(f"{who}{day}", "glass course", at(day, 10), at(day, 11), "r1", who, (who,),
                  series=series) for day in days]


LAST = Event("end", "tasting", at(30, 9), at(30, 10))


def when_is_the_course(*events: Event) -> str:
    return asked_of([*events], '(when (event "glass course"))')


@pytest.mark.parametrize("events", [
    [*course("bo", 3, 4, 5)], [*course("bo", 3, 4, 5), LAST], [*course("bo", 3, 10, 17), LAST],
    [*course("bo", 4, 25), *course("mia", 11), *course("ida", 18)],
    [*course("bo", 3, 4, 5, 6, 9, series="a"), *course("bo", 10, 11, 12, 13, 16, series="b")]])
def test_what_is_not_on_all_such_days_is_not_said_to_be(events):
    assert "every" not in when_is_the_course(*events)


def test_what_is_on_all_such_days_is_said_to_be():
    assert when_is_the_course(*course("bo", 3, 10, 17, 24), LAST).endswith("on every Tuesday.")


def test_events_of_one_name_and_hour_with_other_people_are_no_series():
    found = when_is_the_course(*course("bo", 3), *course("mia", 4), *course("ida", 5))
    assert all(each in found for each in ("tomorrow", "4 March", "5 March"))


@pytest.mark.parametrize("query", [
    '(which (event (ending (at "15:00"))))', '(exists (event (ending (at "15:00"))))',
    '(which (event (starting (at "5:05"))))'])
def test_what_ends_or_begins_at_an_hour_is_denied_of_no_day_that_was_not_looked_at(say, query):
    assert "seven days" not in say(query)


def test_who_has_no_event_is_said_to_attend_none(say):
    told = say('(which (person (member_of (group "Glaze")) (not (attends (event (at "friday"))))))')
    assert told == "Mia Toft is not attending a meeting on Friday 6 March."


def test_a_condition_without_a_value_is_not_worded(say):
    assert " of " not in say('(which (person (not (member_of)) (is_busy (at "friday at noon"))))')


def test_those_who_have_nothing_together_are_not_said_to_have_nothing(say):
    say('(which (person (attends (event "kiln check"))))')
    assert say('(which (event (attends (those)) (at "thursday")))') \
        == "Bo Rask and Mia Toft have nothing planned together on Thursday 5 March."


@pytest.mark.parametrize(("asked", "refers"), [
    ("(when (that))", False), ("(where (that))", False), ("(members (that))", True),
    ('(when (event "kiln check"))', True)])
def test_a_pronoun_refers_to_what_was_spoken_of_and_fits(queries, asked, refers):
    dialogue = DialogueGraph()
    turn = dialogue.add_turn(USER, [Hypothesis("", 1.0)], at=NOW)
    dialogue.set_forms(turn, '(ask (members (group "Glaze")))', about=["g1"], answers=["g1"])
    assert queries.refers([read_form(asked)], dialogue, now=NOW) is refers


@pytest.mark.parametrize(("times", "free"), [
    ('(from "ten") (lasting "two hours")', False), ('(from "ten") (lasting "an hour")', True),
    ('(at "today") (from "half past eleven") (lasting "an hour")', False),
    ('(from "twelve") (lasting "two hours")', True),
    ('(from "ten") (until "six") (lasting "two hours")', True)])
def test_who_is_free_so_long_from_an_hour_on_is_so_at_once(say, times, free):
    assert say(f'(holds (free (room "Rowan") {times}))').startswith("Yes" if free else "No")


@pytest.mark.parametrize(("asked", "told"), [
    ('(why (untrue (free (person "Mia") (at "today at 11:30"))))',
     "Mia Toft is busy until 12:00, at the oven visit"),
    ('(why (busy (room "Rowan") (at "today at 11:30")))', "Rowan is"),
    ('(why (busy (person "Bo") (at "today at 11:30")))', "Bo Rask is free at 11:30"),
    ('(why (untrue (attends (person "Bo") (event "kiln check"))))',
     "Bo Rask is attending the kiln check"),
    ('(why (attends (person "Ida") (event "oven visit")))',
     "Ida Krog is attending the oven visit; I don't know why")])
def test_why_it_is_so_is_told_by_what_is_so(say, asked, told):
    assert told in say(asked)
    assert not say(asked).startswith(("Yes", "No"))


@pytest.mark.parametrize("both", [
    '(attends (person "Ida") (event "oven visit")) (attends (person "Bo") (event "sale"))',
    '(attends (person "Ida") (event "oven visit")) (busy (person "Bo") (at "today at 11:30"))',
    '(attends (person "Bo") (event "oven visit")) (busy (person "Mia") (at "today at 11:30"))'])
def test_why_several_things_are_so_is_told_by_what_is_so_of_each(say, both):
    text = say(f"(why (both {both}))")
    assert "Yes" not in text
    assert "No" not in text


def test_of_some_people_of_whom_nothing_tells_it_is_probable_that_they_are_in():
    asked = '(which (person {}(is_present (at "Wednesday at 9"))))'
    new = Person("eva", "Eva Holt", group="g1")
    of_group = asked_of([], asked.format('(member_of (group "Glaze")) '), new)
    assert of_group.startswith("Ida Krog and Mia Toft are in")
    assert "probably Eva Holt" in of_group
    assert "Eva" not in asked_of([], asked.format(""), new)


def test_when_and_where_are_told_of_each_of_a_few_that_were_told(say):
    assert say('(which (event (attends (person "Bo")) (at "this week") (after "today")))')
    told = say("(where (that))")
    assert "glaze talk is in Beta" in told
    assert "sale talk is in Rowan" in told


@pytest.mark.parametrize("told", ['(where (room "Rowan"))', '(which (room (is_free (now))))'])
def test_until_when_a_room_that_was_told_is_free_is_told(say, told):
    say(told)
    assert say("(ends (that))") == "It is free today from 09:20 to 11:00 and from 12:00 to 18:00."


def test_there_is_the_room_that_was_told(say):
    say('(where (event "oven visit"))')
    assert say('(which (event (location (that (type "there"))) (at "today")))').startswith(
        "The oven visit is")
