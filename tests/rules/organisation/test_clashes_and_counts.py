"""What overlaps, begins and ends, on which day, of each of several, in the week of 2 March 2026."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from frontdesk.kg.graph.entities import Event, Group, Person, Room
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.logical_forms import Form, Span, read_form
from frontdesk.kg.graph.windows import Window, WindowKind, day_window, instant
from frontdesk.rules.engine.query_answer import AnswerCore, AnswerKind, QueryAnswer, Resolution
from frontdesk.rules.organisation.calendar_queries import QueryReasoner

ZONE = ZoneInfo("UTC")
DAYS = {"monday": 2, "tuesday": 3, "friday": 6}


def at(day: int, hour: int, minute: int = 0) -> dt.datetime:
    return dt.datetime(2026, 3, day, hour, minute, tzinfo=ZONE)


KB = KnowledgeBase(
    name="Yard", timezone=ZONE, groups=[Group("g-sail", "Sailmakers"), Group("g-hull", "Hulls")],
    rooms=[Room("loft", "Loft"), Room("dock", "Dock"), Room("shed", "Shed")],
    people=[Person("ida", "Ida Voss", group="g-sail"), Person("per", "Per Holm", group="g-sail"),
            Person("ute", "Ute Rahn", group="g-hull"), Person("leo", "Leo Marsh", group="g-hull")],
    events=[
        Event("e-mast", "mast check", at(2, 11), at(2, 12), "dock", "ida", ("ida", "ute")),
        Event("e-paint", "paint talk", at(3, 9), at(3, 10), "shed", "ute", ("ute", "per"),
              attendance=(("per", 0.5),)),
        Event("e-quote", "quote call", at(3, 9, 30), at(3, 11), None, "per", ("per",)),
        Event("e-doctor", "doctor", at(3, 14), at(3, 15), attendees=("leo",), private=True),
        Event("e-rig", "rigging", at(3, 14, 30), at(3, 16), "dock", "leo", ("leo",)),
        Event("e-review", "sail review", at(6, 10), at(6, 11), "loft", "ida", ("ida", "per")),
        Event("e-demo", "winch demo", at(6, 10, 30), at(6, 11, 30), "dock", "per", ("per", "ida")),
        Event("e-plan", "planning", at(6, 14), at(6, 15), "loft", "ida", ("ida", "ute")),
        Event("e-tour", "yard tour", at(6, 14, 30), at(6, 15, 30), "loft", "leo", ("leo",))])
TIMES = {"noon": instant(at(2, 12)), "eleven": instant(at(2, 11)), "ten": instant(at(2, 10)),
         "three": instant(at(2, 15)), "this week": Window(at(2, 0), at(9, 0), WindowKind.DAY)}
NAMES = {each.name.split()[0].casefold(): each.id for each in (
    *KB.people.values(), *KB.rooms.values(), *KB.groups.values(), *KB.events.values())}
FRIDAY = day_window(dt.date(2026, 3, 6), ZONE)


def ask(text: str, speaker: str = "ida") -> QueryAnswer:
    """The answer of a query in which each name means what begins with it."""
    form, entities, windows = read_form(text), {}, {}
    for each in form.walk():
        word = next((one.text for one in each.arguments if isinstance(one, Span)), None)
        if word in NAMES and each.head in ("person", "room", "group", "event"):
            entities[each] = entities[Form(each.head, (Span(word),))] = [(NAMES[word], 1.0)]
        elif word in DAYS:
            windows[each] = ((day_window(dt.date(2026, 3, DAYS[word]), ZONE), 1.0),)
        elif word in TIMES:
            windows[each] = ((TIMES[word], 1.0),)
    return QueryReasoner(KB).answer(form, Resolution(entities, at(2, 9), windows, speaker=speaker))


def values(text: str, speaker: str = "ida") -> list[object]:
    return [each.value for each in ask(text, speaker).items]


# --- what overlaps

@pytest.mark.parametrize(("statement", "probability"), [
    ('(clash (me) (at "friday"))', 1.0), ('(clash (me) (at "monday"))', 0.0),
    ('(clash (person "per") (at "tuesday"))', 0.5), ('(clash (person "ute"))', 0.0),
    ('(clash (and (person "ida") (person "per")) (at "friday"))', 1.0),
    ('(clash (and (person "ida") (person "ute")) (at "friday"))', 0.0),
    ('(clash (room "loft"))', 1.0), ('(clash (room "dock"))', 0.0),
    ('(clash (group "sailmakers") (at "friday"))', 1.0),
    ('(clash (group "hulls") (at "friday"))', 0.0),  # two of its members have one event each
    ('(clash (event "sail") (event "winch"))', 1.0),
    ('(clash (and (event "sail") (event "winch")))', 1.0),
    ('(clash (event "sail") (event "planning"))', 0.0),
    ('(clash (event "planning"))', 1.0),  # both are in the loft
    ('(clash (event "mast"))', 0.0),
    ('(clash (event "winch") (event (attends (me))))', 1.0),
    ('(clash (event "yard") (me))', 1.0), ('(clash (event "yard") (person "per"))', 0.0),
    ('(there (event (at "monday") (clashes)))', 0.0),
    ('(untrue (there (event (at "friday") (clashes))))', 0.0)])
def test_whether_events_overlap(statement, probability):
    assert ask(f"(holds {statement})").holds == pytest.approx(probability)


@pytest.mark.parametrize(("query", "found"), [
    ('(which (event (attends (me)) (clashes)))', ["e-review", "e-demo"]),
    ('(which (event (clashes (event "sail"))))', ["e-demo"]),
    ('(which (event (at "friday") (location (room "loft")) (clashes)))', ["e-plan", "e-tour"]),
    ('(which (event (at "friday") (attends (me)) (not (clashes))))', ["e-plan"]),
    ('(which (person (clashes (at "friday"))))', ["ida", "per"]),
    ('(which (person (clashes (event "yard"))))', ["ida", "ute"]),
    ('(which (room (clashes)))', ["loft"])])
def test_what_overlaps_with_what(query, found):
    assert values(query) == found


def test_what_clashes_is_told_in_pairs_with_who_is_double_booked():
    answer = ask('(holds (clash (me)))')
    assert [(each.value, each.of) for each in answer.items] == [
        ("e-review", "e-demo"), ("e-demo", "e-review")]
    conflict, *_ = answer.items[0].facts
    assert (conflict.predicate, conflict.arguments) == ("conflict", ("ida", "e-review", "e-demo"))
    assert conflict.provenance.rule == "conflicts.pl:person_conflict"
    assert answer.core == AnswerCore()  # which they are is part of the answer


def test_when_somebody_is_double_booked():
    answer = ask('(when (clash (me)))')
    assert [each.value for each in answer.items] == [Window(at(6, 10, 30), at(6, 11))]
    assert values('(when (clash (room "dock")))') == []


def test_a_private_event_overlaps_as_what_takes_time():
    assert ask('(holds (clash (person "leo") (at "tuesday")))', "ute").holds == 1.0


# --- beginnings and ends

@pytest.mark.parametrize(("query", "found"), [
    ('(which (event (at "friday") (ending (before "noon"))))', ["e-review", "e-demo"]),
    ('(which (event (ending (before "noon"))))', ["e-mast"]),  # today's
    ('(which (event (at "friday") (ending (after "eleven"))))', ["e-demo", "e-plan", "e-tour"]),
    ('(which (event (at "friday") (starting (at "ten"))))', ["e-review"]),
    ('(which (event (at "friday") (not (starting (before "three")))))', []),
    ('(which (event (attends (me)) (at "this week") (ending (at "three"))))', ["e-plan"]),
    ('(which (event (ending (at "friday"))))', ["e-review", "e-demo", "e-plan", "e-tour"])])
def test_events_by_their_beginning_or_end(query, found):
    assert values(query) == found


@pytest.mark.parametrize(("described", "so"), [
    ('(ending (before "noon"))', True), ('(ending (before "eleven"))', True),
    ('(ending (before "ten"))', False), ('(ending (after "eleven"))', False),
    ('(starting (at "ten"))', True), ('(starting (after "ten"))', False)])
def test_a_clock_time_is_one_of_the_day_of_the_event(described, so):
    answer = ask(f'(holds (is (event "sail") (event {described})))')
    assert answer.holds == so
    assert answer.items[0].value == Window(at(6, 10), at(6, 11))


# --- days

def test_the_day_with_the_most_or_the_fewest():
    answer = ask('(which (day (at "this week") (most (event (attends (me)) (at (each))))))')
    assert [(each.value, each.number) for each in answer.items] == [(FRIDAY, 3)]
    fewest = ask('(which (day (fewest (event (attends (me)) (at (each))))))')
    assert [(each.value.date.day, each.number) for each in fewest.items] == [
        (3, 0), (4, 0), (5, 0)]  # nobody works on a weekend
    assert values('(when (day (most (event (location (room "loft")) (at (each))))))') == [FRIDAY]


def test_what_is_on_that_day_can_be_asked():
    day = '(day (most (event (attends (me)) (at (each)))))'
    assert values(f'(which (event (attends (me)) (at {day})))') == ["e-review", "e-demo", "e-plan"]


@pytest.mark.parametrize("day", ["(day)", "(day (nth 1))", "(day (most (event)))"])
def test_of_other_days_it_is_not_known_which_are_meant(day):
    assert ask(f"(which {day})").kind is AnswerKind.UNKNOWN


# --- the one that is compared

@pytest.mark.parametrize(("query", "found"), [
    ('(which (person (most (event (organizer (each))))))', [("ida", 3)]),
    ('(which (person (most (event (organizer (each)))) (at "tuesday")))',
     [("leo", 1), ("per", 1), ("ute", 1)]),
    ('(which (room (most (event (location (each)))) (at "this week")))',
     [("dock", 3), ("loft", 3)]),
    ('(which (room (fewest (event (location (each)))) (at "friday")))', [("shed", 0)]),
    ('(which (room (most (event (location (each)) (ending (before "noon")))) (at "friday")))',
     [("dock", 1), ("loft", 1)]),
    ('(which (event (at "friday") (most (person (member_of (group "hulls")) (attends (each))))))',
     [("e-plan", 1), ("e-tour", 1)]),
    ('(which (group (most (person (member_of (each))))))', [("g-hull", 2), ("g-sail", 2)]),
    ('(which (among (or (person "per") (person "ute")) (most (event (organizer (each))))))',
     [("per", 2)]),
    ('(which (person (most (event (held_by (group "hulls")) (organizer (each))))))', [])])
def test_who_or_what_has_the_most(query, found):
    assert [(each.value, each.number) for each in ask(query).items] == found


def test_what_is_not_certain_to_be_counted_makes_the_order_uncertain():
    events = [Event("sure", "sure call", at(2, 11), at(2, 12), attendees=("per",)), *(
        Event(f"maybe-{hour}", f"talk {hour}", at(2, hour), at(2, hour + 1), attendees=("ida",),
              attendance=(("ida", 0.6),)) for hour in (13, 15))]
    kb = KnowledgeBase(name="Yard", timezone=ZONE, groups=[Group("g", "Sailmakers")],
                       people=[Person("ida", "Ida Voss", group="g"),
                               Person("per", "Per Holm", group="g")], events=events)
    for query, value in (('(which (person (most (event (attends (each))))))', "ida"),
                         ('(count (event (attends (each (person)))))', 2)):
        found = QueryReasoner(kb).answer(read_form(query), Resolution({}, at(2, 9), {}))
        assert (found.items[0].value, found.items[0].probability) == (value, pytest.approx(0.36))
    day = QueryReasoner(kb).answer(read_form(
        '(which (day (most (event (attends (me)) (at (each))))))'),
        Resolution({}, at(2, 9), {}, speaker="ida")).items[0]
    assert (day.value.date, day.number, day.probability) == (
        dt.date(2026, 3, 2), 2, pytest.approx(0.36))


def test_counts_are_compared():
    organise = '(most (event (organizer (each))))'
    assert ask(f'(holds (more {organise} (me) (person "per")))').holds == 1.0
    assert ask(f'(holds (more {organise} (person "per") (me)))').holds == 0.0


@pytest.mark.parametrize("query", [
    '(which (person (most (room))))', '(which (person (most (event (organizer (person "ida"))))))',
    '(which (person (most (event (location (each))))))'])
def test_what_cannot_be_counted_is_not_told(query):
    assert ask(query).kind is AnswerKind.UNKNOWN


# --- each of several

def test_a_number_is_told_of_each():
    answer = ask('(count (event (attends (each (and (person "per") (me)))) (at "friday")))')
    assert answer.kind is AnswerKind.COUNT
    assert [(each.of, each.value) for each in answer.items] == [("per", 2), ("ida", 3)]
    rooms = ask('(count (event (location (each (room))) (at "friday")))')
    assert [(each.of, each.value) for each in rooms.items] == [
        ("dock", 1), ("loft", 3), ("shed", 0)]
    uncertain = ask('(count (event (attends (each (person "per"))) (at "tuesday")))')
    assert uncertain.items[0].probability == pytest.approx(0.5)


def test_each_of_several_is_answered_by_itself():
    answer = ask('(which (event (attends (each (and (me) (person "leo")))) (next)))')
    assert [(each.of, each.value) for each in answer.items] == [
        ("ida", "e-mast"), ("leo", "e-doctor")]
    assert len(answer.parts) == 2
    assert ask('(holds (free (each (and (me) (person "leo"))) (at "noon")))').holds == 1.0
    assert ask('(count (event (attends (each))))').kind is AnswerKind.UNKNOWN
