from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from frontdesk.kg.english.hedging import hedge, is_hedged
from frontdesk.kg.english.verbalise import Verbaliser
from frontdesk.kg.graph.entities import Event, Person
from frontdesk.kg.graph.facts import Fact
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.schema import PREDICATES
from frontdesk.kg.graph.windows import Window, WindowKind

NOW = dt.datetime(2026, 3, 2, 9, tzinfo=dt.UTC)




@pytest.mark.parametrize("name", PREDICATES)
@pytest.mark.parametrize("certainty", [0.5, 0.9])
def test_hedging_says_of_every_predicate_that_it_is_uncertain_and_how(name, certainty):
    text = hedge(PREDICATES[name].template, certainty)
    words = ("probably", "Probably") if certainty > 0.5 else (" may ", "Perhaps")
    assert any(word in text for word in words)
    assert text.endswith(f" ({certainty:.0%} likely).".replace("%", " %"))
    assert text.replace(" ", "") != PREDICATES[name].template.replace(" ", "")


@pytest.mark.parametrize(("certainty", "said"), [(0.9999, "99 %"), (0.0001, "1 %"),
                                                 (0.505, "50 %"), (0.256, "26 %")])
def test_hedging_never_says_that_something_uncertain_is_certain(certainty, said):
    assert said in hedge("{0} is free.", certainty)


def test_hedging_of_nobody_does_not_turn_the_sense_around():
    assert hedge("Nobody of {0} is free.", 0.7) == "Probably nobody of {0} is free (70 % likely)."
    assert hedge("{0} {0.is} not free.", 0.4) == "{0} may not be free (40 % likely)."


def test_hedging_is_in_what_is_said_of_uncertain_facts_only():
    people = [Person("p1", "Ada Berg"), Person("p2", "Bo Lind")]
    event = Event("e", "budget talk", NOW, NOW + dt.timedelta(hours=1),
                  attendees=("p1", "p2"), attendance=(("p2", 0.5),))
    kb = KnowledgeBase(name="L", timezone=ZoneInfo("UTC"), people=people, events=[event])
    said = [Verbaliser(kb, NOW).say(fact) for fact in kb.facts_about("e")
            if fact.predicate == "attendees"]
    assert said == ["Ada Berg is attending the budget talk.",
                    "Bo Lind may be attending the budget talk (50 % likely)."]
    free = Fact("person_available", ("p1", Window(NOW, NOW, WindowKind.NOW)), certainty=0.75)
    assert Verbaliser(kb, NOW).say(free) == "Ada Berg is probably free now (75 % likely)."
    assert Verbaliser(kb, NOW, speaker="p1").say(free) == (
        "You are probably free now (75 % likely).")


def test_verbalise_counts_what_a_list_leaves_out():
    people = [Person("p1", "Ada Berg")]
    events = [Event(f"e{number}", f"talk {number}", NOW, NOW + dt.timedelta(hours=1),
                    organizer="p1") for number in range(12)]
    kb = KnowledgeBase(name="L", timezone=ZoneInfo("UTC"), people=people, events=events)
    day = Window(NOW.replace(hour=0), NOW.replace(hour=0) + dt.timedelta(days=1), WindowKind.DAY)
    fact = Fact("person_events", ("p1", day, tuple(kb.events)), omitted=3000)
    said = Verbaliser(kb, NOW).say(fact)
    assert said.startswith("Ada Berg has 3012 events today: ")
    assert said.endswith(" and 3002 more.")
    in_part = Verbaliser(kb, NOW).say(Fact("person_events", ("p1", day, ("e0",)), partial=True))
    assert in_part.startswith("Ada Berg has at least 1 event today: the talk 0 ")
    open_one = Verbaliser(kb, NOW).say(Fact("person_events", ("p1", day, ("e0",)), certainty=0.5))
    assert open_one.startswith("Ada Berg may have an event today: the talk 0 ")


@pytest.mark.parametrize(("sentence", "hedged"), [
    ("She is probably free.", True), ("Perhaps she is.", True), ("I ask whether she is.", True),
    ("It is likely.", True), ("She is free on 5 May.", False), ("She is free.", False),
    ("Yes, she may be free.", False), ("No, she might be busy.", False),
    ("Definitely, perhaps.", False), ("No room may be free.", True)])
def test_hedging_is_found_in_a_sentence_unless_it_says_yes_or_no(sentence, hedged):
    assert is_hedged(sentence) is hedged
