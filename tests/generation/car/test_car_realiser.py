from __future__ import annotations

import datetime as dt

import pytest

from frontdesk.generation.car.car_realiser import CarRealiser
from frontdesk.generation.voice.generator import GenerationInput
from frontdesk.kg.car.car_mentions import CarDetector
from frontdesk.kg.car.car_verbalise import CarVerbaliser
from frontdesk.kg.graph.dialogue_graph import AGENT, USER
from frontdesk.kg.graph.facts import Fact
from frontdesk.scoring.ranked_fact import RankedFact

NOW = dt.datetime(2026, 3, 18, 9, tzinfo=dt.UTC)
OCCURRENCES = Fact("occurrences", ("activity:dentist appointment",
                                   ("appointment:2", "appointment:1")))


def reply(base, utterance: str, *facts: Fact, before: str = ""):
    """The reply from facts that all answer, the first best."""
    verbaliser = CarVerbaliser(base)
    knowledge = [RankedFact(fact, verbaliser.say(fact), 1 - index / 100,
                            {"cue": 1.0, "recency": 1.0, "question": 0.8})
                 for index, fact in enumerate(facts)]
    history = [(AGENT, before)] if before else []
    return CarRealiser().generate(GenerationInput(
        [*history, (USER, utterance)], knowledge, CarDetector(base).detect(utterance, now=NOW),
        (), verbaliser))


def test_car_realiser_says_nothing_but_facts_and_names_them_as_used(car_places):
    answer = reply(car_places, "what is the address", *car_places.facts_of("address")[:1])
    assert answer.text == "Corner Fuel is at 3 Elm Way."
    assert [fact.fact for fact in answer.used] == list(car_places.facts_of("address")[:1])


def test_car_realiser_says_yes_or_no_by_the_polarity_of_the_fact(car_places):
    none = Fact("none_within", ("category:gas station", "distance:1 miles"))
    some = Fact("within", ("category:gas station", "distance:3 miles", ("poi:1",)))
    assert reply(car_places, "is there one?", none).text == \
        "No, there is no gas station within 1 mile."
    assert reply(car_places, "is there one?", some).text.startswith("Yes, there is a gas station")
    assert reply(car_places, "where is one?", some).text.startswith("There is a gas station")


def test_car_realiser_asks_which_appointment_is_meant_beyond_its_time(car_calendar):
    answer = reply(car_calendar, "what is the agenda of my dentist appointment?", OCCURRENCES)
    assert answer.text.endswith("Which one do you mean?")
    assert answer.clarification.options == ("appointment:2", "appointment:1")
    assert reply(car_calendar, "when is my dentist appointment?", OCCURRENCES
                 ).clarification is None


def test_car_realiser_prefers_all_appointments_unless_the_next_is_asked_for(car_calendar):
    following = Fact("next_appointment", ("activity:dentist appointment", "appointment:2"))
    assert reply(car_calendar, "when is my dentist appointment?", following, OCCURRENCES
                 ).text.startswith("You have 2 dentist appointments")
    assert reply(car_calendar, "when is my next dentist appointment?", following, OCCURRENCES
                 ).text.startswith("Your next dentist appointment is on the 3rd")


def test_car_realiser_takes_yes_for_an_accepted_offer(car_places):
    facts = car_places.facts_about("poi:3")
    answer = reply(car_places, "Yes please", *facts, before="Shall I give you the address?")
    assert answer.text.startswith("Blue Mug is at 12 Quay Road. Blue Mug is 4 miles away.")
    assert "Blue Mug" not in reply(car_places, "Yes please", *facts, before="It is open.").text


@pytest.mark.parametrize(("utterance", "text"), [
    ("set a reminder for dinner", "I can look things up in your calendar, but I cannot add, "
                                  "change or remind you of anything yet."),
    ("Thanks!", "You're welcome!"),
    ("Great!", "All right. Is there anything else you would like to know?"),
    ("Monday at 3 pm.", "I can look things up in your calendar, but I cannot add, change or "
                        "remind you of anything yet."),
    ("when is the flight?", "I'm sorry, I don't know. You can ask me about your calendar."),
])
def test_car_realiser_without_facts_says_what_it_cannot_do_or_know(car_calendar, utterance, text):
    assert reply(car_calendar, utterance).text == text


def test_car_realiser_needs_the_verbaliser_of_its_domain(car_places):
    observation = CarDetector(car_places).detect("hello", now=NOW)
    with pytest.raises(TypeError, match="CarVerbaliser"):
        CarRealiser().generate(GenerationInput([(USER, "hello")], [], observation))
