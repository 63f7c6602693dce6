"""Facts by a user's own rules, over the small organisation of this folder."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from frontdesk.kg.graph.facts import Fact
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.windows import Window, WindowKind, day_window, now_window
from frontdesk.rules.engine.goal import Goal
from frontdesk.rules.house_rules.rule_files import load_user_rules
from frontdesk.rules.house_rules.user_facts import (
    DAYS_AHEAD,
    MOST_EVENTS,
    MOST_SOLUTIONS,
    UserReasoner,
)
from frontdesk.rules.organisation.organisation_reasoner import Reasoner


@pytest.fixture
def derive(tmp_path, kb, now):
    """The user's facts, and the notes, of a rule text for a goal."""
    def derived(text, entities=(), windows=(), asked=(), *, base=kb, deadline_s=None, meant=None):
        path = tmp_path / "house.pl"
        path.write_text(text, encoding="utf-8")
        rules = load_user_rules([path])
        others = Reasoner(base)
        goal = Goal(entities=dict(entities), windows=windows, asked=asked, meant=meant)
        found = UserReasoner(base, rules, others, deadline_s=deadline_s).derive(goal, now=now)
        own = others.derive(goal, now=now)
        assert found.facts[:len(own.facts)] == own.facts  # the user's rules change nothing there
        return found.facts[len(own.facts):], found
    return derived


HIGH = """
high(R) :- floor(R, F), F > 1.
fact(high(room), "{0} is high up.", "Is {0} high?", ["high"]).
"""


def test_user_facts_are_about_the_entities_of_the_goal(derive):
    facts, _ = derive(HIGH, {"r-birch": 1.0, "r-beta": 0.5, "p-sven": 1.0})
    assert facts == (Fact("high", ("r-beta",)),)
    assert facts[0].probability == 0.5
    assert facts[0].provenance.rule == "house.pl:high"


def test_user_facts_in_general_are_derived_when_asked_for(derive):
    text = HIGH.replace("(room)", "(rooms)")
    facts, _ = derive(text, asked={"high"})
    assert facts == (Fact("high", (("o-214", "r-beta"),)),)
    assert derive(text)[0] == ()


def test_user_facts_have_the_probability_of_their_rules(derive):
    text = """
    0.8::keen(P) :- attends(P, _).
    fact(keen(person), "{0} {0.is} keen.", "Is {0} keen?", ["keen"]).
    """
    (fact,), found = derive(text, {"p-amanda": 0.5})
    # Two events, each a reason of its own.
    assert (fact.probability, fact.certainty) == pytest.approx((0.48, 0.96))
    assert found.proof(fact).rule == "house.pl:keen/1"


def test_user_facts_rest_on_uncertain_attendance_exactly(derive, kb, events):
    uncertain = replace(events[0], attendance=(("p-richard", 0.25),))
    base = KnowledgeBase(name=kb.name, timezone=kb.timezone, people=kb.people.values(),
                         groups=kb.groups.values(), rooms=kb.rooms.values(),
                         events=[uncertain, *events[1:]])
    text = """
    meets(P, Q) :- attends(P, E), attends(Q, E), P @< Q.
    meets(P, Q) :- attends(P, E), attends(Q, E), Q @< P.
    fact(meets(person, people), "{0} {0.is} meeting {1}.", "Who does {0} meet?", ["meet"]).
    """
    facts, _ = derive(text, {"p-richard": 1.0}, base=base)
    by_people = {fact.arguments[1]: fact.certainty for fact in facts}
    assert by_people == {("p-amanda",): pytest.approx(0.25), ("p-quill", "p-sven"): 1.0}


def test_user_facts_about_a_time_are_asked_for_each_time_spoken_of(derive, at, kb):
    text = """
    calm(R, W) :- room_available(R, W).
    fact(calm(room, window), "{0} is calm {1}.", "Is {0} calm then?", ["calm"]).
    """
    monday, tuesday = (day_window(at(day).date(), kb.timezone) for day in (2, 3))
    facts, _ = derive(text, {"r-birch": 1.0}, windows=[monday, tuesday])
    assert facts == (Fact("calm", ("r-birch", monday)),)
    facts, _ = derive(text, {"r-birch": 1.0})
    assert facts == (Fact("calm", ("r-birch", now_window(at(2, 9)))),)


def test_user_facts_may_have_entities_and_texts_that_stand_in_the_rules(derive):
    text = """
    has('r-birch', 'a projector').
    has('r-beta', piano).
    fact(has(room, text), "{0} has {1}.", "What does {0} have?", ["have"]).
    """
    facts, found = derive(text, {"r-birch": 1.0, "r-beta": 1.0})
    assert facts == (Fact("has", ("r-birch", "a projector")), Fact("has", ("r-beta", "piano")))
    assert found.proof(facts[0]).arguments == ("r-birch", "a projector")


def test_user_facts_of_another_type_than_declared_are_left_out_and_noted(derive):
    text = """
    near_by(R, P) :- office(P, R).
    fact(near_by(room, event), "{0} is near {1}.", "What is near {0}?", ["near"]).
    """
    facts, found = derive(text, {"o-214": 1.0})
    assert facts == ()
    assert found.notes == ("near_by gave 'p-amanda', which is not of the type event; it was left "
                           "out",)


def test_user_facts_that_cannot_be_calculated_are_noted_and_others_stand(derive):
    text = HIGH + """
    odd(R) :- floor(R, F), N is 4 // (F - 1), N > 0.
    fact(odd(room), "{0} is odd.", "Is {0} odd?", ["odd"]).
    """
    facts, found = derive(text, {"r-birch": 1.0, "r-beta": 1.0})
    assert Fact("high", ("r-beta",)) in facts
    note, = found.notes
    assert note.startswith("odd could not be looked up: a rule cannot be evaluated")


def test_user_facts_are_cut_short_at_their_deadline(derive):
    text = HIGH + """
    slow(R) :- room(R), between(1, 3000, A), between(1, 3000, B), A * B < 0.
    fact(slow(room), "{0} is slow.", "Is {0} slow?", ["slow"]).
    """
    facts, found = derive(text, {"r-beta": 1.0}, deadline_s=0.5)
    assert facts == (Fact("high", ("r-beta",)),)
    note, = found.notes
    assert note.startswith("slow was cut short: reasoning took longer than 0.5 s")


def test_user_facts_that_there_is_no_time_for_are_named(derive):
    text = """
    slow(R) :- room(R), between(1, 3000, A), between(1, 3000, B), A * B < 0.
    fact(slow(room), "{0} is slow.", "Is {0} slow?", ["slow"]).
    """ + HIGH + """
    low(R) :- floor(R, F), F < 2.
    fact(low(room), "{0} is low.", "Is {0} low?", ["low"]).
    tall(P) :- person(P).
    fact(tall(person), "{0} is tall.", "Is {0} tall?", ["tall"]).
    """
    facts, found = derive(text, {"r-beta": 1.0}, deadline_s=0.5)
    assert facts == ()
    assert found.notes[1:] == ("there was no time to look up high, low",)


def test_user_facts_share_the_time_of_a_turn_with_those_of_the_packaged_rules(tmp_path, kb, now):
    (tmp_path / "house.pl").write_text(HIGH, encoding="utf-8")
    rules = load_user_rules([tmp_path / "house.pl"])
    goal = Goal({"r-beta": 1.0}, [], ())

    class Slow(Reasoner):
        def derive(self, goal, *, now, budget=None):
            derived = super().derive(goal, now=now, budget=budget)
            budget.left = 0.0
            return derived
    found = UserReasoner(kb, rules, Slow(kb, deadline_s=60), deadline_s=60).derive(goal, now=now)
    assert found.facts == Reasoner(kb).derive(goal, now=now).facts != ()
    assert found.notes == ("high was cut short: reasoning took longer than 60 s",)


def test_user_facts_see_events_of_a_week_and_of_the_times_spoken_of(derive, at, kb, events):
    far = [replace(events[0], id=f"e-far-{days}", start=at(3, 10) + days * (at(2) - at(1)),
                   end=at(3, 11) + days * (at(2) - at(1))) for days in (DAYS_AHEAD, 20)]
    base = KnowledgeBase(name=kb.name, timezone=kb.timezone, people=kb.people.values(),
                         groups=kb.groups.values(), rooms=kb.rooms.values(),
                         events=[*events, *far])
    text = """
    holds(R, E) :- location(E, R).
    fact(holds(room, events), "{0} has {1.times}.", "What does {0} hold?", ["hold"]).
    """
    (fact,), _ = derive(text, {"r-birch": 1.0}, base=base)
    assert set(fact.arguments[1]) == {"e-conv", "e-budget-a"}
    (fact,), _ = derive(text, {"r-birch": 1.0}, base=base, windows=[
        Window(far[1].start, far[1].end, WindowKind.SPAN)])
    assert set(fact.arguments[1]) == {"e-conv", "e-budget-a", "e-far-20"}


def test_user_facts_say_how_many_events_and_answers_were_left_out(derive, kb, events):
    many = [replace(events[0], id=f"e-{number}") for number in range(MOST_EVENTS)]
    base = KnowledgeBase(name=kb.name, timezone=kb.timezone, people=kb.people.values(),
                         groups=kb.groups.values(), rooms=kb.rooms.values(),
                         events=[*events, *many])
    text = """
    holds(R, E) :- location(E, R).
    fact(holds(room, event), "{0} has {1}.", "What does {0} hold?", ["hold"]).
    """
    facts, found = derive(text, {"r-birch": 1.0}, base=base)
    assert len(facts) == MOST_SOLUTIONS
    first, second = found.notes[-2:]
    assert f"only {MOST_EVENTS} events were looked at; there are {len(base.events)}" in first
    assert second.startswith(f"only the first {MOST_SOLUTIONS} of ")
    (fact,), _ = derive(text.replace("event)", "events)"), {"r-birch": 1.0}, base=base)
    assert len(fact.arguments[1]) == MOST_SOLUTIONS
    assert len(fact.arguments[1]) + fact.omitted > MOST_EVENTS - len(events)


def test_user_facts_about_what_cannot_be_meant_together_are_not_derived(derive):
    text = """
    shares(P, Q) :- office(P, R), office(Q, R), P @< Q.
    fact(shares(person, person), "{0} and {1} share.", "Who shares with {0}?", ["shares"]).
    """
    both = {"p-quill": 0.5, "p-richard": 0.5}
    facts, _ = derive(text, both)
    assert [fact.probability for fact in facts] == [0.25]
    facts, _ = derive(text, both, meant=lambda ids: 0.0 if len(ids) > 1 else 0.5)
    assert facts == ()


@pytest.mark.parametrize("name", ["c0", "window 0", "[]", "p(X) :- halt.", "'", "a\\'b"])
def test_user_facts_take_ids_of_any_kind_for_ids(derive, kb, rooms, name):
    base = KnowledgeBase(name=kb.name, timezone=kb.timezone,
                         rooms=[replace(rooms[1], id=name), rooms[0]])
    quoted = name.replace("\\", "\\\\").replace("'", "\\'")
    text = HIGH + f"""
    mine('{quoted}').
    mine(c0).
    fact(mine(room), "{{0}} is mine.", "Is {{0}} mine?", ["mine"]).
    """
    facts, found = derive(text, {name: 1.0}, base=base)
    assert facts == (Fact("high", (name,)), Fact("mine", (name,)))
    assert found.notes == ()


def test_user_reasoner_goes_to_another_process(tmp_path, kb, now):
    (tmp_path / "house.pl").write_text(HIGH, encoding="utf-8")
    rules = load_user_rules([tmp_path / "house.pl"])
    reasoner = pickle.loads(pickle.dumps(UserReasoner(kb, rules, Reasoner(kb), deadline_s=20.0)))
    facts = reasoner.derive(Goal({"r-beta": 1.0}, [], ()), now=now)
    assert Fact("high", ("r-beta",)) in facts
