"""Derivations over calendars that are large, uncertain, or made up by chance."""

from __future__ import annotations

import datetime as dt
import os
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, product
from math import prod
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frontdesk.kg.graph.entities import Event, Group, Person, Room
from frontdesk.kg.graph.errors import DeadlineError
from frontdesk.kg.graph.facts import Fact
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.schema import PREDICATES
from frontdesk.kg.graph.windows import Window, WindowKind, day_window, instant
from frontdesk.rules.engine.prover import Prover
from frontdesk.rules.engine.prover_process import Budget, worker_for
from frontdesk.rules.organisation.calendar_derivation import (
    MOST_ENTITIES,
    MOST_PAIRS,
    CalendarDerivation,
)
from frontdesk.rules.organisation.calendar_slice import MOST_IN_PASSING
from frontdesk.rules.organisation.organisation_reasoner import (
    MOST_AT_ONCE,
    MOST_CONFLICTS,
    MOST_LISTED,
    Derived,
    Goal,
    Reasoner,
    commonsense_texts,
)

UTC = ZoneInfo("UTC")
DAY = dt.datetime(2026, 3, 3, tzinfo=UTC)
NOW = DAY.replace(hour=9)
PEOPLE = ("p1", "p2")
TODAY = day_window(DAY.date(), UTC)
EVERYTHING = frozenset(PREDICATES)


def calendar(events: Sequence[Event]) -> KnowledgeBase:
    return KnowledgeBase(
        name="Lanternworks", timezone=UTC, events=events, groups=[Group("g", "Optics")],
        people=[Person(each, f"Person {each}", group="g") for each in PEOPLE],
        rooms=[Room("r", "Birch")])


def meeting(name: str, start: float, end: float, *attendees: str, **more) -> Event:
    return Event(name, name, DAY + dt.timedelta(hours=start), DAY + dt.timedelta(hours=end),
                 attendees=attendees, **more)


def reason(events: Sequence[Event], *windows: Window, asked=EVERYTHING, now=NOW,
           entities: Sequence[str] = (*PEOPLE, "r", "g")) -> Derived:
    goal = Goal(dict.fromkeys(entities, 1.0), windows, asked)
    return Reasoner(calendar(events)).derive(goal, now=now)


def known(facts: Sequence[Fact]) -> dict[tuple, float]:
    return {(fact.predicate, fact.arguments): fact.certainty for fact in facts}


def certainties(derived: Derived, predicate: str) -> dict[tuple, float]:
    return {fact.arguments: fact.certainty for fact in derived.facts
            if fact.predicate == predicate}


# --- made-up calendars, and what is true in them by a definition in Python

@st.composite
def made_up(draw, uncertain: bool) -> list[Event]:
    events = []
    for number in range(draw(st.integers(0, 5 if uncertain else 7))):
        start = draw(st.integers(12, 44)) / 2
        attendees = draw(st.sampled_from(((), ("p1",), ("p2",), PEOPLE)))
        attendance = tuple((each, draw(st.sampled_from((0.25, 0.5, 0.9)))) for each in attendees
                           if uncertain and draw(st.booleans()))
        events.append(meeting(
            f"e{number}", start, start + draw(st.sampled_from((0, 0.5, 1, 3))), *attendees,
            organizer=draw(st.sampled_from((None, "p1"))),
            location=draw(st.sampled_from((None, "r"))), attendance=attendance))
    return events


windows = st.sampled_from((
    TODAY, Window(DAY.replace(hour=12), DAY.replace(hour=18), WindowKind.PART),
    Window(DAY.replace(hour=13), DAY.replace(hour=15)), instant(DAY.replace(hour=14))))


def happens(event: Event, start: dt.datetime, end: dt.datetime) -> bool:
    return (event.start <= start < event.end if start == end
            else event.start < end and start < event.end)


def rest(window: Window) -> tuple[dt.datetime, dt.datetime]:
    begun = window.kind in (WindowKind.DAY, WindowKind.PART) and window.start < NOW < window.end
    return (NOW if begun else window.start), window.end


class World:
    """One way in which attendance can turn out."""

    def __init__(self, events: Sequence[Event], absent: frozenset[tuple[str, str]]) -> None:
        self.events = {event.id: event for event in events}
        self.of = {owner: [event for event in events if self._is_of(event, owner, absent)]
                   for owner in (*PEOPLE, "r")}

    @staticmethod
    def _is_of(event: Event, owner: str, absent: frozenset[tuple[str, str]]) -> bool:
        if owner == "r":
            return event.location == "r"
        return event.organizer == owner or (
            owner in event.attendees and (event.id, owner) not in absent)

    def during(self, owner: str, start: dt.datetime, end: dt.datetime) -> set[str]:
        return {event.id for event in self.of[owner] if happens(event, start, end)}

    def engaged(self, owner: str, start: dt.datetime, end: dt.datetime) -> bool:
        return any(self.events[each].start < self.events[each].end
                   for each in self.during(owner, start, end))

    def next_events(self, person: str) -> set[str]:
        coming = [event for event in self.of[person] if event.start > NOW]
        first = min((event.start for event in coming), default=None)
        return {event.id for event in coming if event.start == first}

    def holds(self, fact: Fact) -> bool:
        """Whether what the fact says is true."""
        kind = fact.predicate.partition("_")[0]
        about, *rests = fact.arguments
        match fact.predicate:
            case "person_available" | "room_available":
                return not self.during(about, *rest(rests[0]))
            case "person_busy" | "room_busy":
                return set(rests[1]) <= self.during(about, *rest(rests[0]))
            case "person_free_slots" | "room_free_slots":
                return not any(self.engaged(about, slot.start, slot.end) for slot in rests[1])
            case "person_events" | "room_events":
                return set(rests[1]) <= self.during(about, rests[0].start, rests[0].end)
            case "no_person_events" | "no_room_events":
                return not self.during(about, rests[0].start, rests[0].end)
            case "next_event":
                return rests[0] in self.next_events(about)
            case "no_next_event":
                return not self.next_events(about)
            case "attends":
                return self.events[rests[0]] in self.of[about]
            case "does_not_attend":
                return self.events[rests[0]] not in self.of[about]
            case "event_size":
                return rests[0] == sum(self.events[about] in self.of[each] for each in PEOPLE)
            case "shared_events":
                return set(rests[1]) <= self.shared()
            case "no_shared_events":
                return not self.shared()
            case "conflict":
                one, other = (self.events[each] for each in rests)
                return {one.id, other.id} <= {each.id for each in self.of[about]} \
                    and one.start < other.end and other.start < one.end
            case "in_event_now" | "located_now":
                event = rests[0] if kind == "in" else rests[1]
                return event in self.during(about, NOW, NOW)
            case "available_members":
                return not any(self.during(each, *rest(rests[1])) for each in about)
            case "no_members_available":
                return all(self.during(each, *rest(rests[0])) for each in PEOPLE)
        raise ValueError(fact.predicate)

    def shared(self) -> set[str]:
        return {event.id for event in self.of["p1"] if event in self.of["p2"]
                and event.end >= NOW}


def worlds(events: Sequence[Event]) -> Iterator[tuple[World, float]]:
    open_ = [(event.id, person, probability) for event in events
             for person, probability in event.attendance]
    for comes in product((True, False), repeat=len(open_)):
        absent = frozenset((event, person) for (event, person, _), is_there
                           in zip(open_, comes, strict=True) if not is_there)
        yield World(events, absent), prod(
            value if is_there else 1 - value
            for (_, _, value), is_there in zip(open_, comes, strict=True))


SAID_OF_WORLDS = ("person_", "room_", "no_person", "no_room_events", "next_event",
                  "no_next_event", "attends", "does_not", "event_size", "shared", "no_shared",
                  "conflict", "in_event", "located", "available_members", "no_members")


@pytest.mark.slow
@settings(deadline=None, max_examples=10)
@given(made_up(uncertain=True), windows)
def test_derivation_every_fact_is_as_certain_as_the_worlds_in_which_it_holds(events, window):
    entities = (*PEOPLE, "r", "g", *(event.id for event in events))
    possible = list(worlds(events))
    checked = 0
    for fact in reason(events, window, entities=entities).facts:
        if fact.predicate.startswith(SAID_OF_WORLDS):
            checked += 1
            expected = sum(probability for world, probability in possible if world.holds(fact))
            assert fact.certainty == pytest.approx(expected, abs=1e-9), fact
    assert checked >= len(PEOPLE)


def slots(world: World, owner: str, window: Window) -> list[tuple[dt.datetime, dt.datetime]]:
    """Free stretches of what is left of a window, a day's within office hours."""
    start, end = rest(window)
    marks = sorted({start, end} | {time for event in world.of[owner] if event.start < event.end
                                   for time in (event.start, event.end) if start < time < end})
    free: list[tuple[dt.datetime, dt.datetime]] = []
    for one, other in pairwise(marks):
        if world.engaged(owner, one, other):
            continue
        if free and free[-1][1] == one:
            one = free.pop()[0]
        free.append((one, other))
    if window.kind is WindowKind.DAY:
        free = [(max(one, DAY.replace(hour=8)), min(other, DAY.replace(hour=18)))
                for one, other in free]
    return [(one, other) for one, other in free if one < other]


def by_start(events: Iterator[str] | set[str], world: World) -> tuple[str, ...]:
    return tuple(sorted(events, key=lambda each: (world.events[each].start, each)))


def expected_of(world: World, kind: str, owner: str, window: Window) -> set[tuple]:
    """The facts about availability and the events of one owner, which nobody asked for."""
    found = set()
    busy = by_start(world.during(owner, *rest(window)), world)
    in_window = by_start(world.during(owner, window.start, window.end), world)
    free = slots(world, owner, window) if window.kind in (WindowKind.DAY, WindowKind.PART) else []
    if not busy:
        found.add((f"{kind}_available", owner, window))
    elif free:
        found.add((f"{kind}_free_slots", owner, window, tuple(
            Window(one, other) for one, other in free)))
    else:
        found.add((f"{kind}_busy", owner, window, busy))
    if window.start < window.end:
        found.add((f"{kind}_events", owner, window, in_window[:MOST_IN_PASSING]) if in_window
                  else (f"no_{kind}_events", owner, window))
    return found


@pytest.mark.slow
@settings(deadline=None, max_examples=15)
@given(made_up(uncertain=False), windows)
def test_derivation_finds_all_that_is_true_of_a_calendar_and_nothing_else(events, window):
    world = World(events, frozenset())
    facts = reason(events, window, asked=(), entities=(*PEOPLE, "r")).facts
    assert {fact.certainty for fact in facts} == {1.0}
    expected = set()
    for kind, owner in (("person", "p1"), ("person", "p2"), ("room", "r")):
        expected |= expected_of(world, kind, owner, window)
    assert {(fact.predicate, *fact.arguments) for fact in facts
            if fact.predicate.startswith(("person_", "room_", "no_person", "no_room_e"))} \
        == expected
    for person in PEOPLE:
        following = {fact.arguments[1] for fact in facts
                     if fact.predicate == "next_event" and fact.arguments[0] == person}
        assert following == world.next_events(person)


# --- large calendars

def copies(events: Sequence[Event], number: int, days: int = 0) -> list[Event]:
    apart = dt.timedelta(days=days)
    return [*events, *(replace(event, id=f"{event.id}-{copy}", start=event.start + copy * apart,
                               end=event.end + copy * apart)
                       for copy in range(1, number) for event in events)]


PLAIN = [meeting("early", 8, 9, "p1", organizer="p1"),
         meeting("both", 10, 11, "p1", "p2", location="r", group="g"),
         meeting("late", 15, 16.5, "p2", organizer="p2", location="r")]


def test_derivation_lists_what_can_be_said_and_counts_the_rest():
    derived = reason(copies(PLAIN, 100), TODAY)
    facts = {(fact.predicate, fact.arguments[0]): fact for fact in derived.facts}
    for key, total in ((("person_events", "p1"), 200), (("room_events", "r"), 200),
                       (("group_events", "g"), 100), (("organises", "p2"), 100),
                       (("shared_events", "p1"), 100)):
        listed = facts[key].arguments[-1]
        assert len(listed) == MOST_LISTED
        assert len(listed) + facts[key].omitted == total
    during = next(fact for fact in derived.facts if fact.predicate == "events_during")
    assert (len(during.arguments[0]), during.omitted) == (MOST_LISTED, 300 - MOST_LISTED)
    assert "only the first 50 of 200 events of Person p1 are listed" in derived.notes
    assert "only the first 50 of 300 events are listed" in derived.notes


def test_derivation_says_the_same_of_free_time_however_often_it_is_taken():
    plain, large = (reason(events, TODAY) for events in (PLAIN, copies(PLAIN, 100)))
    for predicate in ("person_free_slots", "room_free_slots", "person_available",
                      "no_person_events", "no_conflicts"):
        if predicate == "no_conflicts":
            assert certainties(plain, predicate)
            assert not certainties(large, predicate)
        else:
            assert certainties(plain, predicate) == certainties(large, predicate)


def test_derivation_of_many_events_at_once_says_that_there_are_more():
    derived = reason(copies(PLAIN, 100), asked={"conflict"}, now=DAY.replace(hour=10))
    assert len([fact for fact in derived.facts if fact.predicate == "located_now"]) \
        == 2 * MOST_AT_ONCE
    assert "only 5 of 100 events of Person p1 going on now were looked at" in derived.notes
    assert len([arguments for arguments in certainties(derived, "conflict")
                if arguments[0] == "p1"]) == MOST_CONFLICTS
    assert "only the first 10 conflicts of Person p1 were looked into" in derived.notes
    assert any("can be the next of Person p2" in note for note in derived.notes)


def test_derivation_what_lies_on_other_days_changes_nothing_about_this_one():
    # The next event and what is organised may be on any day.
    plain = reason(PLAIN, TODAY, asked={"available_members", "conflict"})
    sparse = reason(copies(PLAIN, 400, days=1), TODAY, asked={"available_members", "conflict"})
    assert known(plain.facts) == known(sparse.facts)
    assert plain.notes == sparse.notes == ()


def test_derivation_looks_into_the_most_probable_of_many_entities():
    events = [meeting(f"e{number}", 10, 11, "p1") for number in range(40)]
    goal = Goal({f"e{number}": 0.1 + number / 100 for number in range(40)}, (), ())
    derived = Reasoner(calendar(events)).derive(goal, now=NOW)
    assert [about for about, _ in certainties(derived, "takes_place")] == [
        f"e{number}" for number in range(40 - MOST_ENTITIES, 40)]
    assert any("of 40 entities" in note for note in derived.notes)


def test_derivation_of_an_ordinary_calendar_leaves_nothing_out():
    derived = reason(PLAIN, TODAY)
    assert derived.notes == ()
    assert {fact.omitted for fact in derived.facts} == {0}


# --- uncertain attendance

def test_derivation_tells_apart_who_may_be_busy_from_who_is():
    events = [meeting("talk", 10, 11, "p1", attendance=(("p1", 0.25),))]
    at_ten = instant(DAY.replace(hour=10))
    derived = reason(events, at_ten, entities=PEOPLE, asked=())
    assert certainties(derived, "person_available") == {
        ("p1", at_ten): pytest.approx(0.75), ("p2", at_ten): 1.0}
    assert certainties(derived, "person_busy") == {}


def test_derivation_free_slots_of_an_uncertain_day_are_those_that_are_sure_and_those_that_may_be():
    events = [meeting("sure", 9, 10, "p1"), meeting("open", 14, 15, "p1",
                                                    attendance=(("p1", 0.5),))]
    derived = reason(events, TODAY, entities=("p1",), now=DAY)
    said = {tuple(f"{slot:%H}-{end:%H}" for slot, end in
                  ((each.start, each.end) for each in arguments[2])): certainty
            for arguments, certainty in certainties(derived, "person_free_slots").items()}
    assert said == {("08-09", "10-14", "15-18"): 1.0, ("10-18",): pytest.approx(0.5)}


def test_derivation_an_uncertain_event_is_a_fact_of_its_own():
    events = [meeting("sure", 9, 10, "p1"), meeting("open", 14, 15, "p1",
                                                    attendance=(("p1", 0.5),))]
    derived = reason(events, TODAY, entities=("p1",))
    assert certainties(derived, "person_events") == {
        ("p1", TODAY, ("sure",)): 1.0, ("p1", TODAY, ("open",)): pytest.approx(0.5)}


def test_derivation_a_list_tells_whether_more_may_be_in_it():
    events = [meeting("sure", 9, 10, "p1"), meeting("open", 14, 15, "p1", "p2",
                                                    attendance=(("p1", 0.5),))]
    listed = {fact.arguments: fact.partial for fact in reason(events, TODAY, entities=PEOPLE).facts
              if fact.predicate == "person_events"}
    assert listed == {("p1", TODAY, ("sure",)): True, ("p1", TODAY, ("open",)): False,
                      ("p2", TODAY, ("open",)): False}


def test_derivation_does_not_say_there_may_be_nothing_where_a_list_was_cut():
    events = [*(meeting(f"open {hour}", hour, hour + 0.5, "p1", attendance=(("p1", 0.5),))
                for hour in range(9, 9 + MOST_IN_PASSING)), meeting("sure", 16, 17, "p1")]
    derived = reason(events, TODAY, entities=("p1",), asked=())
    assert len(certainties(derived, "person_events")) == MOST_IN_PASSING
    assert certainties(derived, "no_person_events") == {}
    assert f"only the first {MOST_IN_PASSING} of {len(events)} events of Person p1 are listed" \
        in derived.notes
    assert certainties(reason(events[:-1], TODAY, entities=("p1",), asked=()),
                       "no_person_events") == {("p1", TODAY): pytest.approx(0.5 ** 5)}


def test_derivation_of_many_pairs_says_that_it_did_not_look_who_attends_what():
    people = [f"p{number}" for number in range(MOST_PAIRS // MOST_ENTITIES + 1)]
    events = [meeting(f"talk {number}", 9, 10, "p1") for number in range(MOST_ENTITIES)]
    kb = KnowledgeBase(name="L", timezone=UTC, events=events,
                       people=[Person(each, f"Person {each}") for each in people])
    note = "who attends which of the events that may be meant was not looked into"

    def is_noted(who: Sequence[str], probability: float, asked: frozenset[str]) -> bool:
        goal = Goal({**dict.fromkeys(who, 1.0), **dict.fromkeys(kb.events, probability)}, [], asked)
        return note in Reasoner(kb).derive(goal, now=NOW).notes
    assert is_noted(people, 0.6, frozenset())
    assert not is_noted(people[:-1], 0.6, frozenset())
    assert not is_noted(people, 0.1, frozenset())
    assert not is_noted(people, 0.6, frozenset({"attends"}))


def test_derivation_a_fact_is_as_probable_as_its_links_and_itself_together():
    events = [meeting("talk", 10, 11, "p1", attendance=(("p1", 0.25),))]
    goal = Goal({"p1": 0.8}, [TODAY], ())
    facts = Reasoner(calendar(events)).derive(goal, now=NOW)
    (free,) = [fact for fact in facts if fact.predicate == "person_available"]
    assert (free.certainty, free.probability) == (pytest.approx(0.75), pytest.approx(0.6))


def test_derivation_says_what_is_too_uncertain_to_be_exact_about():
    events = [meeting(f"e{number}", 10 + number / 10, 10.1 + number / 10, "p1",
                      attendance=(("p1", 0.5),)) for number in range(30)]
    derived = reason(events, TODAY, entities=("p1", "r"))
    assert certainties(derived, "room_available")
    assert certainties(derived, "person_available") == {}
    assert any("uncertain facts" in note for note in derived.notes)


# --- which entities are meant

def test_derivation_takes_the_joint_probability_of_what_is_meant():
    joint = {frozenset({"p1"}): 0.5, frozenset({"p2"}): 0.5, frozenset({"both"}): 0.9,
             frozenset({"p1", "both"}): 0.45, frozenset({"p2", "both"}): 0.2,
             frozenset({"p1", "p2"}): 0.0}
    goal = Goal({"p1": 0.5, "p2": 0.5, "both": 0.9}, [TODAY], {"shared_events"},
                meant=joint.__getitem__)
    facts = Reasoner(calendar(PLAIN)).derive(goal, now=NOW)
    assert not {fact.predicate for fact in facts} & {"shared_events", "no_shared_events"}
    probability = {(fact.predicate, fact.arguments[0]): fact.probability for fact in facts}
    assert probability["attends", "p1"] == pytest.approx(0.45)
    assert probability["attends", "p2"] == pytest.approx(0.2)
    # The event is the answer; whether the turn speaks of it too does not matter.
    assert probability["next_event", "p1"] == pytest.approx(0.5)


# --- proofs and time

def test_derivation_has_a_proof_of_every_fact_that_rules_gave():
    events = [*PLAIN, meeting("open", 14, 15, "p1", attendance=(("p1", 0.5),)),
              meeting("clash", 10.5, 12, "p2")]
    derived = reason(events, TODAY, instant(DAY.replace(hour=10)),
                     entities=(*PEOPLE, "r", "g", *(event.id for event in events)))
    assert len({fact.predicate for fact in derived.facts}) > 20
    for fact in derived.facts:
        proof = derived.proof(fact)
        if fact.predicate in ("today", "time_now"):
            assert proof is None
            continue
        assert proof is not None, fact
        assert fact.provenance is not None
        assert str(proof.rule).rpartition("/")[0] == fact.provenance.rule
    assert derived.proof(Fact("person_available", ("p1", TODAY))) is None


class TenSecondsEach(Budget):
    """Every question, and every step that is begun, takes ten seconds."""

    def check(self) -> None:
        super().check()
        self.left -= 10


def test_derivation_gives_what_it_has_when_the_time_is_used_up():
    goal = Goal({"p1": 0.5, "p2": 0.6, "r": 0.4}, [TODAY], ())
    reasoner = Reasoner(calendar(PLAIN))
    derived = reasoner.derive(goal, now=NOW, budget=TenSecondsEach(90))
    full = reasoner.derive(goal, now=NOW, budget=TenSecondsEach(6000))
    assert derived.notes == ("reasoning was cut short after 90 s: there may be more to say",)
    # What is most probably meant comes first.
    assert {fact.arguments[0] for fact in derived.facts} == {"p2"}
    assert known(derived.facts).items() < known(full.facts).items()
    assert known(full.facts) == known(reasoner.derive(goal, now=NOW).facts)
    assert full.notes == ()


def test_derivation_does_not_count_the_time_of_other_turns_questions():
    # Its own questions take a small part of two seconds, those of others longer.
    prover = Prover({**commonsense_texts(), "up.pl": "up(N) :- M is N + 1, up(M)."}, deadline_s=2.5)
    prover.slice().ask("now", None)

    def ask_endlessly() -> None:
        with pytest.raises(DeadlineError):
            prover.slice().ask("up", 0)
    others = [threading.Thread(target=ask_endlessly) for _ in range(2)]
    for other in others:
        other.start()
    time.sleep(0.2)
    goal = Goal({"p1": 1.0}, [TODAY], ())
    budget = Budget(2.0)
    derived = CalendarDerivation(calendar(PLAIN), prover, goal, NOW, budget).run()
    for other in others:
        other.join()
    assert 0 < budget.left < 2.0
    assert derived.notes == ()
    assert known(derived.facts) == known(Reasoner(calendar(PLAIN)).derive(goal, now=NOW).facts)


def test_derivation_says_that_the_process_of_the_rules_does_not_work():
    reasoner = Reasoner(calendar(PLAIN), deadline_s=60)
    goal = Goal({"p1": 1.0}, [TODAY], ())
    Reasoner(calendar(PLAIN)).derive(goal, now=NOW)  # the process may have been ended before
    os.kill(worker_for(tuple(commonsense_texts().items())).pid, signal.SIGKILL)
    derived = reasoner.derive(goal, now=NOW)
    assert derived.facts == ()
    note, = derived.notes
    assert note.startswith("nothing could be looked up: the process that evaluates the rules ended")
    assert reasoner.derive(goal, now=NOW).facts
