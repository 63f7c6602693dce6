"""Follow-ups change the last query, and only what they speak of."""

from __future__ import annotations

import pytest

from frontdesk.agent.understanding.revised_query import Revisions
from frontdesk.kg.graph.logical_forms import Language, read_form
from frontdesk.kg.graph.schema import ORGANISATION

REVISIONS = Revisions(Language(ORGANISATION))


@pytest.mark.parametrize(("query", "change", "revised"), [
    ('(phone (person "Ada"))', '(replace (person "Bo"))', '(phone (person "Bo"))'),
    ('(which (event (attends (person "Ada")) (at "friday")))', '(replace (person "Bo"))',
     '(which (event (attends (person "Bo")) (at "friday")))'),
    ('(which (event (attends (me)) (at "friday")))', '(replace (person "Bo"))',
     '(which (event (attends (person "Bo")) (at "friday")))'),
    ('(where (that (type "she")))', '(replace (person "Bo"))', '(where (person "Bo"))'),
    ('(where (person "Ada"))', '(replace (event "standup"))', '(where (event "standup"))'),
    ('(which (event (attends (person "Ada")) (at "friday")))', '(retime (at "monday"))',
     '(which (event (attends (person "Ada")) (at "monday")))'),
    ('(which (event (attends (person "Ada"))))', '(retime (at "monday"))',
     '(which (event (attends (person "Ada")) (at "monday")))'),
    ('(holds (free (room "Birch") (at "three")))', '(retime (at "four"))',
     '(holds (free (room "Birch") (at "four")))'),
    ('(holds (free (room "Birch")))', '(retime (now))', '(holds (free (room "Birch") (now)))'),
    ('(where (person "Ada"))', '(retime (at "noon"))', '(where (person "Ada") (at "noon"))'),
    ('(which (room (is_free (at "three"))))', '(add (floor "second"))',
     '(which (room (is_free (at "three")) (floor "second")))'),
    ('(which (room (is_free (at "three"))))', '(add (lasting "an hour"))',
     '(which (room (is_free (at "three") (lasting "an hour"))))'),
    ('(which (room (is_free (at "three"))))', '(add (nth 2))', '(which (answers (nth 2)))'),
    ('(which (event (at "friday")))', '(add (nth 2))', '(which (event (at "friday") (nth 2)))'),
    ('(which (person (attends (event "demo"))))', '(drop (person (like "nurses")))',
     '(which (person (attends (event "demo")) (except (person (like "nurses")))))'),
    ('(which (room (is_free (now)) (floor "second")))', '(drop (floor))',
     '(which (room (is_free (now))))'),
    ('(which (person (attends (event "demo"))))', '(add (except (answers)))',
     '(which (person (attends (event "demo")) (except (answers))))'),
    ('(when (free (and (person "Ada") (person "Bo")) (at "friday")))',
     '(replace (and (person "Cem") (person "Di")))',
     '(when (free (and (person "Cem") (person "Di")) (at "friday")))'),
    ('(which (event (at "friday") (longest)))', '(add (shortest))',
     '(which (event (at "friday") (shortest)))'),
    ('(which (room (is_free (now) (lasting "an hour"))))', '(add (lasting "ten minutes"))',
     '(which (room (is_free (now) (lasting "ten minutes"))))'),
    ('(which (room (is_free (now)) (floor "first")))', '(add (floor "third"))',
     '(which (room (is_free (now)) (floor "third")))'),
    ('(where (event "standup"))', '(ask_for (when (that)))', '(when (event "standup"))'),
    ('(holds (free (person "Ada") (at "noon")))', '(replace (room "Birch"))',
     '(holds (free (room "Birch") (at "noon")))'),
    ('(when (busy (room "Birch") (at "friday")))', '(replace (person "Bo"))',
     '(when (busy (person "Bo") (at "friday")))'),
    ('(holds (attends (person "Ada") (event "demo")))', '(add (except (answers)))',
     '(which (person (attends (event "demo")) (except (person "Ada"))))'),
    ('(holds (free (room "Birch") (at "noon")))', '(add (except (answers)))',
     '(which (room (is_free (at "noon")) (except (room "Birch"))))'),
    ('(which (room (is_free (at "noon"))))', '(replace (room "Birch"))',
     '(holds (free (room "Birch") (at "noon")))'),
    ('(which (person (attends (event "demo"))))', '(replace (person "Bo"))',
     '(holds (attends (person "Bo") (event "demo")))'),
])
def test_a_change_has_its_place_in_the_query(query: str, change: str, revised: str) -> None:
    found = REVISIONS.revise(read_form(query), read_form(change))
    assert str(found) == revised


@pytest.mark.parametrize(("time", "change", "then"), [
    ('(at "ten")', '(retime (at "friday"))', '(at "ten") (at "friday")'),
    ('(at "monday at ten")', '(retime (at "friday"))', '(at "at ten") (at "friday")'),
    ('(at "monday at ten")', '(retime (at "two"))', '(at "monday") (at "two")'),
    ('(at "monday afternoon")', '(retime (at "the day after"))',
     '(at "afternoon") (at "the day after")'),
    ('(at "from 2 to 3")', '(retime (at "friday"))', '(at "from 2 to 3") (at "friday")'),
    ('(at "monday") (at "ten")', '(retime (at "two"))', '(at "monday") (at "two")'),
    ('(at "monday") (at "ten")', '(retime (at "friday at noon"))', '(at "friday at noon")'),
    ('(at "ten") (lasting "an hour")', '(retime (at "friday"))',
     '(at "ten") (lasting "an hour") (at "friday")'),
    ('(at "ten")', '(retime (at "next week"))', '(at "next week")'),
    ('(at "monday")', '(retime (after (event "demo")))', '(after (event "demo"))'),
    ('(now)', '(retime (at "friday"))', '(at "friday")'),
    ('(at "monday at ten")', '(add (at "friday"))', '(at "at ten") (at "friday")'),
    ('(at "monday")', '(add (before "noon"))', '(at "monday") (before "noon")'),
])
def test_another_day_keeps_the_hour_and_another_hour_the_day(time, change, then) -> None:
    found = REVISIONS.revise(read_form(f'(which (room (is_free {time})))'), read_form(change))
    assert str(found) == f'(which (room (is_free {then})))'


def test_others_than_that_are_others_than_was_answered() -> None:
    asked = read_form('(ask (which (event (location (that)) (except (that)))))')
    assert [str(each) for each in REVISIONS.in_full([asked], []) or ()] == [
        '(which (event (location (that)) (except (answers))))']


def test_the_next_one_is_of_those_that_were_asked_about_in_order() -> None:
    found = REVISIONS.in_series(read_form('(which (event (then_after) (nth 1)))'), [
        read_form('(which (person (attends (that))))'),
        read_form('(when (event "standup" (at "today") (next)))')])
    assert str(found) == '(which (event "standup" (then_after) (nth 1)))'
    alone = read_form('(which (event (then_after) (nth 1)))')
    assert REVISIONS.in_series(alone, [read_form('(where (person "Ada"))')]) == alone


def test_the_next_one_is_of_the_name_that_was_asked_about_just_before() -> None:
    asked = read_form('(when (event (next)))')
    listed = read_form('(count (event "standup" (at "this week")))')
    assert str(REVISIONS.in_series(asked, [listed])) == '(when (event "standup" (next)))'
    other = read_form('(where (person "Ada"))')
    assert REVISIONS.in_series(asked, [other, listed]) == asked
    assert REVISIONS.in_series(asked, [read_form('(where (event "standup"))')]) == asked


def test_a_time_that_is_added_is_asked_of_the_event_and_not_of_its_place() -> None:
    located = read_form('(holds (location (event "standup") (room "Birch")))')
    assert str(REVISIONS.revise(located, read_form('(add (at "three"))'))) == \
        '(holds (is (event "standup") (at "three")))'
    somebody = read_form('(holds (location (person "Ada") (room "Birch")))')
    assert str(REVISIONS.revise(somebody, read_form('(add (at "three"))'))) == \
        '(holds (location (person "Ada") (room "Birch") (at "three")))'


def test_another_time_claims_when_an_event_is_of_which_none_was_asked() -> None:
    change = read_form('(retime (at "three"))')
    assert str(REVISIONS.revise(read_form(
        '(holds (location (event "standup") (room "Birch")))'), change)) == \
        '(holds (is (event "standup") (at "three")))'
    assert str(REVISIONS.revise(read_form(
        '(holds (attends (person "Ada") (event "standup") (at "two")))'), change)) == \
        '(holds (attends (person "Ada") (event "standup") (at "three")))'
    assert REVISIONS.revise(read_form("(email (that))"), change) is None


@pytest.mark.parametrize(("before", "until"), [
    ('(holds (free (room "Birch") (at "noon")))', '(when (free (room "Birch") (at "noon")))'),
    ('(holds (present (person "Ada")))', '(when (present (person "Ada")))'),
    ('(holds (untrue (present (person "Ada"))))', '(when (untrue (present (person "Ada"))))'),
    ('(where (person "Ada"))', "(ends (that))"),
    ('(holds (location (event "standup") (room "Birch")))', "(ends (that))")])
def test_until_when_asks_for_the_end_of_a_state_that_was_asked_about(before, until) -> None:
    asked = [read_form("(ask (ends (that)))")]
    assert [str(each) for each in REVISIONS.in_full(asked, [read_form(before)]) or ()] == [until]
    named = [read_form('(ask (ends (event "standup")))')]
    assert REVISIONS.in_full(named, [read_form(before)]) == (named[0].arguments[0],)


@pytest.mark.parametrize(("correction", "asked"), [
    ('(replace (person (like "nurse")))', '(where (person "Ada" (like "nurse")))'),
    ('(replace (person (member_of (group "Optics"))))',
     '(where (person "Ada" (member_of (group "Optics"))))'),
    ('(replace (person (except (that))))', '(where (person "Ada" (except (that))))'),
    ('(replace (person "Bo"))', '(where (person "Bo"))'),
])
def test_a_correction_that_names_nobody_is_of_the_name_that_was_said(correction, asked) -> None:
    before = [read_form('(where (person "Ada"))')]
    assert [str(each) for each in REVISIONS.in_full(
        [read_form(f"(correct {correction})")], before) or ()] == [asked]


def test_another_room_may_have_any_name() -> None:
    before = [read_form('(holds (free (room "Birch")))')]
    assert [str(each) for each in REVISIONS.in_full(
        [read_form("(correct (replace (room (except (that)))))")], before) or ()] == [
            '(holds (free (room (except (that)))))']


def test_another_time_is_of_the_last_question_that_had_one() -> None:
    before = [read_form('(which (person (attends (that))))'),
              read_form('(which (event (attends (me)) (at "today")))')]
    change = read_form('(revise (retime (at "tomorrow")))')
    assert REVISIONS.gone_on_with(change, before) == before[1]
    other = read_form('(revise (replace (person "Bo")))')
    assert REVISIONS.gone_on_with(other, before) == before[0]


def test_a_change_that_has_no_place_gives_no_query() -> None:
    assert REVISIONS.revise(read_form("(why)"), read_form('(replace (room "Birch"))')) is None
    assert REVISIONS.revise(read_form('(when (event "standup"))'),
                            read_form('(replace (person "Ada"))')) is None
    assert REVISIONS.revise(read_form('(which (person (is_free (now))))'),
                            read_form('(drop (room "Birch"))')) is None


def test_what_was_spoken_of_in_the_place_of_itself_is_no_follow_up():
    query = read_form('(holds (free (room "Rowan") (at "ten")))')
    assert REVISIONS.revise(query, read_form('(replace (that))')) is None


@pytest.mark.parametrize(("before", "back"), [
    ('(holds (free (person "Bo") (at "friday at nine")))',
     '(when (present (that (type "she")) (at "friday at nine")))'),
    ('(holds (free (person "Bo") (at "friday")))', '(when (present (that (type "she"))))'),
    ('(where (person "Bo"))', '(when (present (that (type "she"))))')])
def test_who_is_back_is_so_after_the_hour_that_was_spoken_of(before: str, back: str) -> None:
    asked = read_form('(ask (when (present (that (type "she")))))')
    found = REVISIONS.in_full([asked], [read_form(before)])
    assert list(map(str, found or ())) == [back]


@pytest.mark.parametrize(("asked", "end", "both"), [
    ('(at "two tomorrow")', '(until "half four")', '(from "two tomorrow") (until "half four")'),
    ('(from "two")', '(until "four")', '(from "two") (until "four")'),
    ('(from "two") (until "three")', '(until "four")', '(from "two") (until "four")'),
    ('(at "tomorrow")', '(until "four")', '(at "tomorrow") (until "four")'),
    ('(until "three")', '(until "four")', '(until "four")')])
def test_another_end_leaves_the_beginning(asked, end, both) -> None:
    query = read_form(f'(holds (free (person "Ada") {asked}))')
    assert str(REVISIONS.revise(query, read_form(f"(retime {end})"))) == \
        f'(holds (free (person "Ada") {both}))'
