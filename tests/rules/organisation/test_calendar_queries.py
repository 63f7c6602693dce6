"""Each head by example, on Monday 2 March 2026 at nine; see the organisation in conftest.py."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest

from frontdesk.kg.graph.entities import Event, Group, Person, Room
from frontdesk.kg.graph.errors import FormatError
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.logical_forms import Form, Span, read_form
from frontdesk.kg.graph.windows import (
    PartOfDay,
    Window,
    WindowKind,
    day_window,
    instant,
    now_window,
    part_window,
)
from frontdesk.rules.engine.prover_process import Budget
from frontdesk.rules.engine.query_answer import AnswerKind, QueryAnswer, Resolution
from frontdesk.rules.house_rules.rule_files import load_user_rules
from frontdesk.rules.organisation.calendar_queries import QueryReasoner

AMANDA, QUILL, RICHARD, SVEN = "p-amanda", "p-quill", "p-richard", "p-sven"


@pytest.fixture
def events(events, at) -> list[Event]:
    """With an absence, an event in two rooms, a tentative guest and a private event."""
    return [
        *events,
        Event("e-leave", "annual leave", at(2), at(4), organizer=SVEN, attendees=(SVEN,),
              all_day=True),
        Event("e-away", "trade fair", at(4), at(5), organizer=SVEN, attendees=(SVEN,),
              all_day=True),
        Event("e-fair", "open day", at(3, 15), at(3, 16), location="r-birch", also_in=("r-beta",),
              organizer=QUILL, attendees=(QUILL, RICHARD), attendance=((RICHARD, 0.5),)),
        Event("e-doctor", "private event", at(2, 14), at(2, 15), location="o-215",
              attendees=(RICHARD,), private=True),
        Event("e-visit", "site visit", at(2, 8, 50), at(2, 9, 30), organizer=AMANDA),
    ]


@pytest.fixture
def kb(people, rooms, events, kb) -> KnowledgeBase:
    new = Person("p-new", "Noor New", phone="+47 55 51 23")
    return KnowledgeBase(name="Lanternworks", timezone=kb.timezone, people=[*people, new],
                         groups=kb.groups.values(), events=events,
                         rooms=[*rooms, Room("r-attic", "Attic", bookable=True)])


@pytest.fixture
def answer(kb, at):
    """``answer(form, words={…}, …)``: the answer where names and times mean what is given."""
    tz = kb.timezone
    names = {"amanda": AMANDA, "quill": QUILL, "richard": RICHARD, "sven": SVEN, "noor": "p-new",
             "design": "g-design", "data": "g-data", "birch": "r-birch", "beta": "r-beta",
             "attic": "r-attic", "214": "o-214", "conv": "e-conv", "seminar": "e-seminar",
             "visit": "e-visit", "open day": "e-fair"}
    titles = {"standup": "morning standup", "budget": "budget review"}
    times = {"today": day_window(dt.date(2026, 3, 2), tz), "at ten": instant(at(3, 10)),
             "tomorrow": day_window(dt.date(2026, 3, 3), tz), "noon": instant(at(2, 12)),
             "wednesday": day_window(dt.date(2026, 3, 4), tz), "at two": instant(at(2, 14)),
             "this morning": part_window(dt.date(2026, 3, 2), PartOfDay.MORNING, tz),
             "tomorrow morning": part_window(dt.date(2026, 3, 3), PartOfDay.MORNING, tz),
             "this week": Window(at(2), at(7)), "at eleven": instant(at(3, 11)),
             "half past ten": instant(at(3, 10, 30))}

    def resolved(form: Form, more) -> Resolution:
        entities, windows, lengths = dict(more), {}, {}
        for each in form.walk():
            word = next((one.text for one in each.arguments if isinstance(one, Span)), None)
            if word in times and each.head != "group":
                windows[each] = ((times[word], 1.0),)
            elif word in titles:
                ids = [one.id for one in kb.events.values() if one.name == titles[word]]
                entities.setdefault(each, [(one, 1 / len(ids)) for one in ids])
            elif each.head in ("person", "room", "group", "event") and word is not None:
                entities.setdefault(each, [(names[word], 1.0)] if word in names else [])
            elif each.head in ("lasting", "longer", "within"):
                lengths[each] = 60
        return Resolution(entities, at(2, 9), windows, lengths)

    def ask(text: str, *, entities=(), hidden=None, last=None, **changes) -> QueryAnswer:
        form = read_form(text)
        more = {read_form(each): value for each, value in dict(entities).items()}
        return QueryReasoner(kb).answer(form, replace(resolved(form, more), **changes),
                                        hidden=hidden, last=last)
    return ask


def values(answer: QueryAnswer) -> list[object]:
    return [item.value for item in answer.items]


def predicates(facts) -> set[str]:
    return {fact.predicate for fact in facts}


# --- which, how many, whether there is one

@pytest.mark.parametrize(("query", "found"), [
    ('(which (person (member_of (group "data"))))', [QUILL, RICHARD]),
    ('(which (person (attends (event "conv"))))', [AMANDA, RICHARD]),
    ('(which (person (attends (event "conv")) (except (person "amanda"))))', [RICHARD]),
    ('(which (person (member_of (group "data")) (is_free (at "at ten"))))', [QUILL]),
    ('(which (person (is_busy (at "at ten"))))', [AMANDA, RICHARD, SVEN]),
    ('(which (person (not (is_present (at "tomorrow")))))', [SVEN]),
    ('(which (person (office (room "214"))))', [AMANDA]),
    ('(which (person (phone "55 51 23")))', ["p-new"]),
    ('(which (person (location (room "birch")) (is_busy (at "at ten"))) (at "at ten"))',
     [AMANDA, RICHARD]),
    ('(which (room (is_free (at "at ten"))))', ["r-attic", "r-beta"]),
    ('(which (room (floor "second")))', ["r-beta"]),
    ('(which (room))', ["r-attic", "r-beta", "r-birch"]),
    ('(which (group (held_by (event "conv"))))', ["g-design"]),
    ('(which (group (related "team" (person "amanda"))))', ["g-design"]),
    ('(which (event (attends (person "richard")) (at "tomorrow")))',
     ["e-conv", "e-seminar", "e-fair"]),
    ('(which (event (attends (group "design")) (at "tomorrow")))', ["e-conv"]),
    ('(which (event (location (room "birch")) (at "tomorrow")))', ["e-conv", "e-fair"]),
    ('(which (event (organizer (person "richard"))))', ["e-seminar", "e-budget-r"]),
    ('(which (event (attends (person "richard")) (at "tomorrow") (nth 1)))', ["e-conv"]),
    ('(which (event (attends (person "amanda")) (next)))', ["e-conv"]),
    ('(which (event (attends (person "quill")) (previous)))', ["e-standup"]),
    ('(which (event (attends (person "richard")) (after (event "conv"))))',
     ["e-seminar", "e-fair"]),
    ('(which (event (attends (person "richard")) (straight_after (event "conv"))))',
     ["e-seminar"]),
    ('(which (event (before (event "seminar")) (at "tomorrow") (nth -1)))', ["e-conv"]),
    ('(which (event (at "today") (longest)))', ["e-visit"]),
    ('(which (event (attends (person "amanda")) (longer "an hour") (at "this week")))', []),
    ('(which (among (or (event "seminar") (event "conv")) (nth 1)))', ["e-conv"]),
    ('(which (among (or (person "amanda") (person "quill")) (most) (at "wednesday")))',
     [AMANDA, QUILL]),
    ('(which (group (largest)))', ["g-data"]),
    ('(which (event "standup" (at "tomorrow")))', ["e-standup-3"]),
    ('(attends (event "seminar"))', [QUILL, RICHARD]),
    ('(members (group "data"))', [QUILL, RICHARD]),
])
def test_sets_are_found(answer, query, found):
    result = answer(query)
    assert result.kind is AnswerKind.ENTITIES
    assert values(result) == found


@pytest.mark.parametrize(("query", "found"), [
    ('(which (room (not (floor "second"))))', ["r-birch"]),
    ('(which (event (attends (person "richard")) (at "this week") (not (larger 2))))',
     ["e-conv", "e-seminar", "e-fair", "e-budget-r"])])
def test_of_what_is_not_known_it_is_neither_so_nor_not_so(answer, query, found):
    result = answer(query, hidden={"e-doctor"})
    assert values(result) == found
    assert any("left out" in each for each in result.notes)


@pytest.mark.parametrize(("query", "found"), [
    ('(which (room (not (not (floor "second")))))', ["r-beta"]),
    ('(which (room (not (floor "first") (is_busy (at "at ten")))))', ["r-attic", "r-beta"])])
def test_what_is_known_decides_whether_all_of_it_is_not_so(answer, query, found):
    assert values(answer(query)) == found


def test_whoever_has_no_number_is_known_to_have_none(answer):
    result = answer("(which (person (not (phone))))")
    assert "p-new" not in values(result)
    assert result.items
    assert not result.notes


def test_the_number_of_a_set_is_counted(answer):
    result = answer('(count (person (member_of (group "data"))))')
    assert (result.kind, len(result.items)) == (AnswerKind.COUNT, 2)


def test_whether_there_is_one_is_as_probable_as_the_guests(answer):
    yes = answer('(exists (event (attends (person "richard")) (at "tomorrow")))')
    no = answer('(exists (event (attends (person "noor")) (at "tomorrow")))')
    maybe = answer('(exists (event "open day" (attends (person "richard"))))')
    assert (yes.holds, no.holds, maybe.holds) == (1.0, 0.0, pytest.approx(0.5))
    assert "person_available" in predicates(no.reasons)


def test_items_carry_their_facts(answer):
    item, = answer('(which (event (attends (person "amanda")) (at "tomorrow")))').items
    assert {"takes_place", "location", "attends"} <= predicates(item.facts)
    derived = next(fact for fact in item.facts if fact.predicate == "takes_place")
    assert derived.provenance is not None
    assert derived.provenance.rule == "commonsense.pl:takes_place"


# --- where

@pytest.mark.parametrize(("query", "places"), [
    ('(where (event "conv"))', ["r-birch"]),
    ('(where (event "open day"))', ["r-birch", "r-beta"]),
    ('(where (person "amanda") (at "half past ten"))', ["r-birch"]),
    ('(where (person "amanda") (at "noon"))', ["o-214"]),
    ('(where (person "richard") (straight_after (event "conv")))', ["o-215"]),
    ('(where (room "beta"))', [2]),
    ('(where (group "data"))', ["o-215"]),
    ('(floor (event "conv"))', [1]),
    ('(floor (person "amanda"))', [2]),
    ('(office (person "amanda"))', ["o-214"]),
])
def test_places_are_found(answer, query, places):
    result = answer(query)
    assert result.kind is AnswerKind.PLACES
    assert values(result) == places


def test_where_somebody_is_who_is_at_an_event_without_a_room_is_told_by_the_event(answer):
    result = answer('(where (person "amanda"))')
    assert not result.items
    assert [fact.arguments[1] for fact in result.reasons] == ["e-visit"]


def test_nobody_is_in_the_office_while_away(answer):
    result = answer('(where (person "sven") (at "tomorrow"))')
    assert not result.items
    assert predicates(result.reasons) == {"person_busy"}


def test_the_time_zone_is_that_of_the_calendar_and_of_events(answer, kb):
    for query in ('(value "time zone" (that))', '(value "Timezone" (event "conv"))'):
        assert values(answer(query)) == [str(kb.timezone)]


def test_what_is_left_out_twice_is_told_once(answer):
    query = '(which (person (at "someday") (at "someday")))'
    assert len(answer(query).notes) == 1


def test_what_is_not_known_is_said_to_be_missing(answer):
    assert answer('(where (person "noor"))').missing == ("office",)
    assert answer('(where (person "zoltan"))').missing == ("zoltan",)
    assert answer('(value "capacity" (room "birch"))').missing == ("capacity",)
    assert answer('(which (person (related "head" (group "data"))))').missing == ("head",)
    assert answer('(floor (room "attic"))').missing == ("floor",)
    assert answer('(value "time zone" (person "amanda"))').missing == ("time zone",)
    assert answer('(value "time zone" (that))', entities={"(that)": [(AMANDA, 1.0)]}).missing
    assert all(answer(text).kind is AnswerKind.UNKNOWN for text in (
        '(where (person "zoltan"))', '(value "capacity" (room "birch"))', '(why)'))


# --- when

def test_an_event_that_recurs_is_the_one_that_comes_next(answer):
    item, = answer('(when (event "standup"))').items
    assert item.of == "e-standup-3"


def test_of_a_title_that_recurs_the_one_that_fits_the_conditions_is_meant(answer):
    item, = answer('(when (event "budget" (attends (person "sven"))))').items
    assert item.of == "e-budget-r"


def test_what_comes_next_is_found_however_far_off_it_is(kb, people, rooms, at):
    short = [Event(f"e-{number}", f"talk {number}", at(2, 10) + dt.timedelta(hours=number),
                   at(2, 10, 30) + dt.timedelta(hours=number)) for number in range(40)]
    long = Event("e-long", "retreat", at(8, 9), at(8, 17), attendees=(AMANDA,))
    kb = KnowledgeBase(name="Lanternworks", timezone=kb.timezone, people=people, rooms=rooms,
                       groups=kb.groups.values(), events=[*short, long])
    query = read_form('(which (event (next) (longer "two hours")))')
    found = QueryReasoner(kb).answer(query, Resolution({}, at(2, 9), lengths={
        query.arguments[0].arguments[1]: 120}))
    assert values(found) == ["e-long"]


def test_starts_ends_and_lengths(answer, at):
    assert values(answer('(starts (event "conv"))')) == [instant(at(3, 10))]
    assert values(answer('(ends (event "conv"))')) == [instant(at(3, 11))]
    assert values(answer('(lasts (event "conv"))')) == [60]


def test_free_times_are_common_ones_of_a_length_within_office_hours(answer, at):
    both = answer('(when (free (and (person "amanda") (person "quill")) (at "tomorrow")))')
    assert values(both) == [
        Window(at(3, 8), at(3, 8, 30)), Window(at(3, 8, 45), at(3, 10)),
        Window(at(3, 11), at(3, 13)), Window(at(3, 14), at(3, 15)), Window(at(3, 16), at(3, 18))]
    long = answer('(when (free (person "quill") (at "tomorrow") (lasting "an hour")))')
    assert values(long)[0] == Window(at(3, 8, 45), at(3, 13))


def test_from_a_moment_on_somebody_is_free_until_something_begins(answer, at):
    assert values(answer('(when (free (person "richard") (at "noon")))')) == [
        Window(at(2, 12), at(2, 14))]
    assert not values(answer('(when (free (person "richard") (at "at two")))'))


def test_a_group_is_free_when_nobody_of_it_is_at_an_event(answer, at):
    slots = values(answer('(when (free (group "data") (at "tomorrow")))'))
    assert slots
    assert not any(slot.start < at(3, 11) and at(3, 10) < slot.end for slot in slots)
    assert answer('(holds (free (group "data") (at "at ten")))').holds == 0.0


def test_when_an_event_is_free_is_not_known(answer):
    assert answer('(when (free (event "conv")))').kind is AnswerKind.UNKNOWN


def test_the_rest_of_a_part_of_the_day_is_a_stretch_of_it(answer, at):
    result = answer('(holds (busy (person "richard") (at "this morning")))')
    free, = result.reasons
    assert free.arguments[1] == Window(at(2, 9), at(2, 12))  # and so it can be said


def test_somebody_is_back_after_the_last_of_their_absences(answer, at):
    result = answer('(when (present (person "sven")))')
    assert values(result) == [instant(at(5))]
    assert values(answer('(when (present (person "amanda")))')) == [instant(at(2, 9, 30))]


@pytest.mark.parametrize("query", [
    '(holds (present (person "noor")))', '(holds (untrue (present (person "noor"))))',
    '(when (present (person "noor")))', '(where (person "noor"))'])
def test_of_whom_nothing_is_known_it_is_not_told_where_they_are(answer, query):
    assert answer(query).kind is AnswerKind.UNKNOWN or not answer(query).items
    assert "p-new" not in values(answer('(which (person (is_present)))'))
    assert "p-new" not in values(answer('(which (person (not (is_present))))'))


@pytest.mark.parametrize("now", [(7, 11), (2, 22)])
def test_nobody_is_in_their_office_at_the_weekend_or_at_night(answer, at, now):
    for query in ('(holds (present (person "amanda")))', '(when (present (person "amanda")))'):
        assert answer(query, now=at(*now)).kind is AnswerKind.UNKNOWN
    assert not values(answer('(where (person "amanda"))', now=at(*now)))
    assert not values(answer('(which (person (is_present)))', now=at(*now)))


# --- statements

@pytest.mark.parametrize(("statement", "probability"), [
    ('(free (person "amanda") (before "half past ten"))', 1.0),
    ('(free (person "amanda") (until "half past ten"))', 0.0),
    ('(is (event "conv") (from "at ten"))', 1.0),
    ('(is (event "conv") (until "at eleven"))', 1.0),
    ('(is (event "conv") (until "half past ten"))', 0.0),
    ('(is (event "conv") (from "half past ten"))', 0.0),
    ('(location (event "conv") (room "birch") (until "at eleven"))', 1.0),
    ('(location (event "conv") (room "birch") (until "half past ten"))', 0.0),
    ('(free (person "amanda") (at "at ten"))', 0.0),
    ('(free (person "quill") (at "at ten"))', 1.0),
    ('(free (person "amanda") (at "wednesday"))', 0.0),
    ('(busy (room "birch") (at "at ten"))', 1.0),
    ('(free (and (person "quill") (person "amanda")) (at "at ten"))', 0.0),
    ('(present (person "sven"))', 0.0), ('(present (person "amanda"))', 1.0),
    ('(attends (person "richard") (event "open day"))', 0.5),
    ('(attends (and (person "amanda") (person "richard")) (event "conv"))', 1.0),
    ('(location (event "conv") (room "birch"))', 1.0),
    ('(location (event "conv") (room "birch") (at "half past ten"))', 1.0),
    ('(location (event "conv") (room "birch") (at "at two"))', 0.0),
    ('(attends (person "amanda") (event "conv") (at "tomorrow"))', 1.0),
    ('(attends (person "amanda") (event "conv") (at "wednesday"))', 0.0),
    ('(location (person "amanda") (room "birch") (at "half past ten"))', 1.0),
    ('(organizer (event "conv") (person "richard"))', 0.0),
    ('(member_of (person "amanda") (group "design"))', 1.0),
    ('(floor (room "birch") "first")', 1.0), ('(office (person "amanda") (room "214"))', 1.0),
    ('(is (event "conv") (at "at ten"))', 1.0), ('(is (event "conv") (at "half past ten"))', 0.0),
    ('(is (event "standup") (at "tomorrow"))', 1.0), ('(is (event "visit") (now))', 1.0),
    ('(is (event "conv") (event "seminar"))', 0.0),
    ('(there (person "amanda"))', 1.0), ('(there (person "zoltan"))', 0.0),
    ('(amount (person (member_of (group "data"))) 2)', 1.0),
    ('(amount (person (attends (event "conv"))) 3)', 0.0),
    ('(more (longest) (event "conv") (event "visit"))', 1.0),
    ('(more (nth 1) (event "conv") (event "visit"))', 0.0),
    ('(untrue (attends (person "quill") (event "conv")))', 1.0),
    ('(both (attends (person "amanda") (event "conv")) (location (event "conv") (room "beta")))',
     0.0),
])
def test_statements_hold_or_not(answer, statement, probability):
    result = answer(f"(holds {statement})")
    assert result.kind is AnswerKind.YES_NO
    assert result.holds == pytest.approx(probability)


def test_the_days_of_an_absence_are_told(answer, at):
    assert values(answer('(when (untrue (present (person "sven"))))')) == [
        Window(at(2), at(4), WindowKind.ALL_DAY), Window(at(4), at(5), WindowKind.ALL_DAY)]
    assert answer('(when (untrue (present (person "amanda"))))').kind is AnswerKind.UNKNOWN


def test_each_of_several_statements_has_an_answer_of_its_own(answer):
    found = answer('(holds (both (location (event "conv") (room "birch"))'
                   ' (is (event "conv") (at "noon"))))')
    assert found.holds == 0.0
    assert [each.holds for each in found.parts] == [1.0, 0.0]


def test_of_a_set_that_is_described_it_is_told_of_whom_something_is_so(answer):
    found = answer('(holds (free (room (except (room "beta"))) (at "at ten")))')
    assert (found.kind, found.holds) == (AnswerKind.YES_NO, 1.0)
    assert values(found) == ["r-attic"]


def test_an_event_lasts_as_long_as_it_does(answer):
    assert answer('(holds (is (event "conv") (lasting "an hour")))').holds == 1.0
    assert answer('(holds (is (event "open day") (lasting "an hour")))').notes == ()
    assert answer('(holds (is (event "visit") (lasting "an hour")))').holds == 0.0


def test_a_group_comes_where_all_of_it_does(answer):
    assert answer('(holds (attends (person (member_of (group "data"))) (event "conv")))').holds \
        == 0.0
    assert answer('(holds (attends (person (member_of (group "data")) (except (person "quill")))'
                  ' (event "conv")))').holds == 1.0


def test_what_is_so_instead_is_told(answer, at):
    assert values(answer('(holds (location (event "conv") (room "beta")))')) == ["r-birch"]
    assert values(answer('(holds (organizer (event "conv") (person "quill")))')) == [AMANDA]
    assert values(answer('(holds (attends (person "quill") (event "conv")))')) == [AMANDA, RICHARD]
    time, = values(answer('(holds (is (event "conv") (at "at two")))'))
    assert time == Window(at(3, 10), at(3, 11))


def test_who_is_not_free_all_day_has_reasons_and_free_times(answer):
    result = answer('(holds (free (person "amanda") (at "tomorrow")))')
    assert result.holds == 0.0
    assert [fact.arguments[2] for fact in result.reasons] == [("e-conv",)]
    assert len(result.items) == 2


def test_both_sides_of_a_comparison_are_told(answer):
    result = answer('(holds (more (longest) (event "conv") (event "visit")))')
    assert [(item.of, item.value) for item in result.items] == [("e-conv", 60), ("e-visit", 40)]


def test_what_is_compared_is_counted_at_the_time_that_is_said(answer):
    always = answer('(holds (more (most) (person "quill") (person "amanda")))')
    then = answer('(holds (more (most) (person "quill") (person "amanda") (at "wednesday")))')
    assert ([item.value for item in always.items], always.holds) == ([6, 3], 1.0)
    assert ([item.value for item in then.items], then.holds) == ([1, 1], 0.0)


def test_which_of_two_is_told_with_what_both_come_to(answer):
    result = answer('(which (among (or (person "amanda") (person "quill")) (most)))')
    assert values(result) == [QUILL]
    assert {fact.arguments[0]: len(fact.arguments[2]) for fact in result.facts
            if fact.predicate == "person_events"} == {QUILL: 6, AMANDA: 3}


# --- what may be meant

def test_an_answer_is_about_what_is_most_probably_meant(answer):
    two = {'(person "amanda")': [(AMANDA, 0.6), (QUILL, 0.4)]}
    result = answer('(office (person "amanda"))', entities=two)
    assert [(item.value, item.probability) for item in result.items] == [
        ("o-214", pytest.approx(0.6))]
    assert result.about == (AMANDA,)
    assert result.unsure == {read_form('(person "amanda")'): AMANDA}


def test_one_reference_means_the_same_wherever_it_stands(answer):
    two = {'(person "amanda")': [(AMANDA, 0.6), (QUILL, 0.4)]}
    same = ('(holds (both (attends (person "amanda") (event "conv"))'
            ' (attends (person "amanda") (event "seminar"))))')
    assert answer(same, entities=two).holds == 0.0
    assert answer('(holds (attends (person "amanda") (event "conv")))', entities=two).holds \
        == pytest.approx(0.6)


@pytest.mark.parametrize(("statement", "over_all", "taken"), [
    ('(attends (person "amanda") (event "conv"))', 0.7, 1.0),
    ('(attends (person "amanda") (event "seminar"))', 0.3, 0.0)])
def test_how_probable_it_is_of_the_one_that_was_taken_is_known_beside_all_that_may_be_meant(
        answer, statement, over_all, taken):
    two = {'(person "amanda")': [(AMANDA, 0.7), (QUILL, 0.3)]}
    found = answer(f"(holds {statement})", entities=two)
    assert (found.holds, found.told) == (pytest.approx(over_all), pytest.approx(taken))


def test_an_order_is_found_out_in_each_possible_world(answer):
    two = {'(person "amanda")': [(AMANDA, 0.6), (QUILL, 0.4)]}
    result = answer('(which (event (attends (person "amanda")) (next)))', entities=two)
    assert [(item.value, item.probability) for item in result.items] == [
        ("e-conv", pytest.approx(0.6))]


def test_plural_references_are_meant_together(answer):
    those = read_form("(those)")
    changes = {"entities": {"(those)": [(AMANDA, 0.5), (QUILL, 0.5)]}, "plural": frozenset({those})}
    assert answer('(holds (attends (those) (event "conv")))', **changes).holds == 0.0
    assert values(answer("(which (those))", **changes)) == [AMANDA, QUILL]


def test_a_time_in_two_readings_makes_an_answer_uncertain(answer, at):
    time = read_form('(at "two")')
    windows = {time: ((instant(at(3, 10)), 0.75), (instant(at(3, 22)), 0.25))}
    result = answer('(holds (free (person "amanda") (at "two")))', windows=windows)
    assert result.holds == pytest.approx(0.25)
    assert result.window == instant(at(3, 10))


# --- what may not be told

def test_of_private_events_nothing_is_told_but_that_time_is_taken(answer):
    busy = answer('(holds (free (person "richard") (at "at two")))')
    where = answer('(where (person "richard") (at "at two"))')
    who = answer('(which (person (attends (event (attends (person "richard")) (at "at two")))))')
    assert busy.holds == 0.0
    assert not where.items
    assert not who.items
    told = predicates(fact for result in (busy, where, who) for fact in (
        *result.reasons, *(each for item in result.items for each in item.facts)))
    assert told <= {"person_busy", "takes_place"}


def test_of_who_comes_to_a_private_event_it_is_not_said_that_nobody_does(answer):
    guests = '(which (person (attends (event (attends (person "richard")) (at "today")))))'
    assert answer(guests, hidden=()).items
    refused = answer('(which (person (attends (event (location (room "o-215"))))))',
                     entities={'(room "o-215")': [("o-215", 1.0)]}, hidden={"e-doctor"})
    assert not refused.items
    told = answer(guests, hidden={"e-doctor"})
    assert told.kind is not AnswerKind.ENTITIES or told.items


def test_who_takes_part_in_a_private_event_is_told_of_it(answer):
    query = '(where (person "richard") (at "at two"))'
    assert values(answer(query, speaker=RICHARD)) == ["o-215"]
    assert values(answer(query, hidden=())) == ["o-215"]
    assert not answer(query, hidden={"e-doctor"}, speaker=RICHARD).items


# --- house rules

HOUSE = """
quiet_room(R, W) :- room_available(R, W), floor(R, F), F > 1.
has('r-birch', 'a grand piano').
fact(quiet_room(room, window), "{0} is quiet {1}.", "Is {0} quiet then?", ["quiet"]).
fact(has(room, text), "{0} has {1}.", ["What is there in {0}?"], ["piano"]).
"""


def test_predicates_of_house_rules_are_asked_as_any_other(kb, now, tmp_path):
    (tmp_path / "house.pl").write_text(HOUSE, encoding="utf-8")
    rules = load_user_rules([tmp_path / "house.pl"])
    reasoner = QueryReasoner(kb, rules.schema, house_rules=rules.programs,
                             constants=rules.constants)
    rooms = {read_form('(room "it")'): [("r-birch", 1.0)]}

    def answer(text: str) -> QueryAnswer:
        return reasoner.answer(read_form(text), Resolution(rooms, now))

    assert values(answer("(which (room (quiet_room (now))))")) == ["r-beta"]
    assert values(answer('(which (room (has "a grand piano")))')) == ["r-birch"]
    assert values(answer('(has (room "it"))')) == ["a grand piano"]
    assert answer('(holds (quiet_room (room "it") (now)))').kind is AnswerKind.UNKNOWN


def test_what_house_rules_do_not_derive_is_denied_by_a_counterpart_alone(kb, now, tmp_path):
    (tmp_path / "house.pl").write_text(
        HOUSE + 'loud(R, W) :- room(R), window(W, _, _), \\+ quiet_room(R, W).\n'
        'fact(loud(room, window), "{0} is loud {1}.", "Is {0} quiet then?", ["quiet"], no).\n'
        '0.8::early(P) :- person(P).\n'
        'fact(early(person), "{0} {0.is} up early.", "Is {0} up early?", ["early"]).\n'
        'wakes(P, Q) :- early(P), member_of(P, G), member_of(Q, G), P \\= Q.\n'
        'fact(wakes(person, people), "{0} wakes {1}.", "Whom does {0} wake?", ["wake"]).\n',
        encoding="utf-8")
    rules = load_user_rules([tmp_path / "house.pl"])
    reasoner = QueryReasoner(kb, rules.schema, house_rules=rules.programs,
                             constants=rules.constants)
    both = read_form('(and (room "it") (room "up"))')
    entities = {read_form('(room "it")'): [("r-birch", 1.0)],
                read_form('(room "up")'): [("r-beta", 1.0)],
                read_form('(person "Sven")'): [(SVEN, 1.0)]}

    def facts(text: str) -> list[tuple[object, ...]]:
        found = reasoner.answer(read_form(text), Resolution(entities, now))
        return [(each.predicate, each.arguments[0], each.certainty) for each in found.reasons]

    assert facts(f"(holds (quiet_room {both}))") == [("quiet_room", "r-beta", 1.0),
                                                     ("loud", "r-birch", 1.0)]
    assert facts('(holds (early (person "Sven")))') == [("early", SVEN, pytest.approx(0.8))]
    assert {each[0] for each in facts("(which (room (loud)))")} == {"loud"}
    assert all(each[2] == pytest.approx(0.8) for each in facts('(wakes (person "Sven"))'))


# --- hostile, late, malformed

HOSTILE = ['"), halt. %', "X", "\\+", "' ; drop", "c0", "q_any_0", "a\nb", "0.5::p", "{", "日本"]


@pytest.mark.parametrize("words", HOSTILE)
def test_words_of_users_are_never_rules(kb, now, words):
    reasoner, span = QueryReasoner(kb), Span(words)
    person = Form("person", (span,))
    for query in (Form("where", (person,)), Form("value", (span, Form("room"))),
                  Form("which", (Form("room", (Form("floor", (span,)),)),)),
                  Form("which", (Form("person", (Form("phone", (span,)),)),)),
                  Form("which", (Form("person", (Form("related", (span, person)),)),)),
                  Form("exists", (Form("event", (Form("at", (span,)),)),))):
        result = reasoner.answer(query, Resolution({person: [(AMANDA, 1.0)]}, now))
        assert result.query is query


def test_ids_may_be_any_text(at, now):
    ids = ["x'y", "window 0", "q_any_0", "X", "Ünal (\\+)"]
    kb = KnowledgeBase(name="odd", timezone=now.tzinfo, people=[Person(each, each) for each in ids],
                       events=[Event("e :- true.", "talk", at(2, 9), at(2, 10),
                                     attendees=("x'y", "X"))])
    free = QueryReasoner(kb).answer(read_form("(which (person (is_free)))"), Resolution({}, now))
    assert set(values(free)) == {"window 0", "q_any_0", "Ünal (\\+)"}


@pytest.mark.parametrize(("query", "only"), [
    ('(which (person (attends (event "seminar")) (except (person "quill") (person "richard"))))',
     [QUILL, RICHARD]),
    ('(which (person (attends (event "seminar")) (except (person "quill"))))', []),
    ('(exists (room (is_free (at "at ten")) (except (room "beta") (room "attic") (room "birch"))))',
     ["r-attic", "r-beta"]),
    ('(which (person (attends (event "visit")) (except (person "quill") (person "amanda"))))',
     [AMANDA])])
def test_where_nobody_is_left_it_is_told_who_alone_is(answer, query, only):
    assert [item.value for item in answer(query).only] == only


def test_which_hour_or_day_a_time_is(answer, at):
    assert values(answer("(when (now))")) == [now_window(at(2, 9))]
    tomorrow = day_window(dt.date(2026, 3, 3), at(2).tzinfo)
    assert values(answer('(when (at "tomorrow"))')) == [tomorrow]
    assert answer('(when (at "florp"))').missing == ("florp",)


def test_how_far_the_calendar_goes_is_told_where_more_is_asked(kb, at):
    reasoner, words = QueryReasoner(kb), read_form('(at "then")')
    query = Form("holds", (Form("free", (Form("person", (Span("Sven"),)), words)),))
    notes = {day: reasoner.answer(query, Resolution(
        {Form("person", (Span("Sven"),)): [(SVEN, 1.0)]}, at(2, 9),
        windows={words: [(day_window(dt.date(2026, 3, day), kb.timezone), 1.0)]})).notes
        for day in (5, 9)}
    assert notes[5] == ()
    assert "goes up to" in notes[9][0]


def test_an_answer_that_takes_too_long_says_so(kb, now):
    reasoner = QueryReasoner(kb, deadline_s=60)
    result = reasoner.answer(read_form("(which (person (is_free)))"), Resolution({}, now),
                             budget=Budget(0.0))
    assert result.kind is AnswerKind.UNKNOWN
    assert "not found in time" in result.notes[0]


def test_what_is_no_query_is_refused(kb, now):
    with pytest.raises(FormatError):
        QueryReasoner(kb).answer(read_form("(greet)"), Resolution({}, now))


def test_why_tells_what_the_last_answer_rests_on(answer):
    last = answer('(holds (free (person "amanda") (at "at ten")))')
    assert predicates(answer("(why)", last=last).reasons) == {"person_busy"}


def test_what_takes_no_time_comes_after_what_ends_when_it_begins(kb, people, rooms, at):
    reminder = Event("e-reminder", "reminder", at(3, 11), at(3, 11))
    kb = KnowledgeBase(name="Lanternworks", timezone=kb.timezone, people=people, rooms=rooms,
                       groups=kb.groups.values(), events=[*kb.events.values(), reminder])
    query = read_form('(which (event (after "eleven")))')
    window = Window(at(3, 10), at(3, 11))
    found = QueryReasoner(kb).answer(query, Resolution({}, at(2, 9), windows={
        query.arguments[0].arguments[0]: [(window, 1.0)]}))
    assert values(found)[0] == "e-reminder"


@pytest.fixture
def unseen(kb, at):
    """``ask(form, now=…)`` of two members without an office, one of whom goes on leave."""
    people = [Person("p-a", "Astrid Holm", group="g"), Person("p-b", "Boris Lunde", group="g"),
              Person("p-c", "Carla Dahl")]
    leave = Event("e-leave", "leave", at(4), at(6), attendees=("p-b",), all_day=True)
    kb = KnowledgeBase(name="Lanternworks", timezone=kb.timezone, people=people,
                       groups=[Group("g", "Optics")], events=[leave])

    def ask(text, now=None):
        form = read_form(text)
        return QueryReasoner(kb).answer(form, Resolution(
            {each: [(f"p-{span.text}", 1.0)] for each in form.walk() if each.head == "person"
             for span in each.arguments if isinstance(span, Span)}, now or at(2, 9)))
    return ask


def test_a_member_of_whom_nothing_tells_is_probably_in_while_people_work(unseen, at):
    assert 0.5 < unseen('(holds (present (person "a")))').holds < 0.99
    assert unseen('(holds (untrue (present (person "a"))))').holds < 0.5
    assert 0.5 < unseen('(holds (present (and (person "a") (person "b"))))').holds < 0.99
    assert unseen('(holds (present (person "b")))', at(4, 9)).holds == 0.0
    for who, now in (("a", at(2, 22)), ("a", at(7, 9)), ("c", at(2, 9))):
        found = unseen(f'(holds (present (person "{who}")))', now)
        assert found.kind is AnswerKind.UNKNOWN
    for condition in ("(is_present (now))", "(not (is_present (now)))"):
        assert not unseen(f"(which (person {condition}))").items


@pytest.mark.parametrize("query", [
    '(when (present (person "b")))', '(when (untrue (present (person "b"))))'])
def test_an_absence_to_come_is_told_where_it_is_asked_when_somebody_is_back_or_away(
        unseen, at, query):
    assert values(unseen(query)) == [Window(at(4), at(6), WindowKind.ALL_DAY)]
    assert unseen(query.replace('"b"', '"a"')).kind is AnswerKind.UNKNOWN


@pytest.mark.parametrize("head", ["which", "exists", "count"])
def test_nobody_is_said_to_be_out_of_whom_nothing_is_known(kb, at, head):
    people = [Person("p-a", "Astrid Holm"), Person("p-b", "Boris Lunde")]
    kb = KnowledgeBase(name="Lanternworks", timezone=kb.timezone, people=people)
    found = QueryReasoner(kb).answer(read_form(f"({head} (person (is_present (now))))"),
                                     Resolution({}, at(2, 9)))
    assert found.kind is AnswerKind.UNKNOWN
