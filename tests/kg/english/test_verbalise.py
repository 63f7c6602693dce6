import datetime as dt
from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from frontdesk.kg.english.phrases import Phrase
from frontdesk.kg.english.verbalise import Verbaliser, event_window
from frontdesk.kg.graph.entities import Event, Group, Person, Room
from frontdesk.kg.graph.facts import Fact
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.schema import PREDICATES
from frontdesk.kg.graph.windows import Window, WindowKind, day_window, instant

from ..awkward import NOW, SAID, TODAY, TOMORROW, ZONE, at, knowledge_base, said, span

KB = knowledge_base()


def verbaliser(speaker: str | None = "chris", now: dt.datetime = NOW) -> Verbaliser:
    return Verbaliser(KB, now, speaker=speaker)


def test_every_predicate_of_the_schema_has_an_expected_sentence():
    assert set(SAID) == set(PREDICATES)
    assert all(SAID.values())


@pytest.mark.parametrize(("fact", "sentence"), said(), ids=lambda value: getattr(
    value, "predicate", ""))
def test_verbaliser_says_a_fact_as_a_sentence(fact, sentence):
    assert verbaliser().say(fact) == sentence


def test_verbaliser_says_third_person_when_the_speaker_is_not_known():
    fact = Fact("office_now", ("chris", "r327"))
    assert verbaliser(None).say(fact) == (
        "Chris Reeves is not at any event now; their office is room 327.")


@pytest.mark.parametrize(("now", "sentence"), [
    (NOW, "The budget review is today, Wednesday 4 March."),
    (NOW - dt.timedelta(days=1), "The budget review is tomorrow, Wednesday 4 March."),
    (NOW + dt.timedelta(days=1), "The budget review is yesterday, Wednesday 4 March."),
    (NOW + dt.timedelta(days=2), "The budget review is on Wednesday 4 March."),
    (NOW.replace(year=2027), "The budget review is on Wednesday 4 March 2026."),
    # It is already tomorrow in Oslo.
    (dt.datetime(2026, 3, 3, 23, 30, tzinfo=ZoneInfo("UTC")),
     "The budget review is today, Wednesday 4 March.")])
def test_verbaliser_says_days_relative_to_the_present_of_the_organisation(now, sentence):
    fact = Fact("date", ("review", dt.date(2026, 3, 4)))
    assert verbaliser(now=now).say(fact) == sentence


def test_verbaliser_calls_entities_as_it_is_told_to():
    she = Phrase("she", **{"is": "is", "has": "has", "their": "her"})
    assert verbaliser(None).say(Fact("office_now", ("chris", "r327")), {"chris": she}) == (
        "She is not at any event now; her office is room 327.")


def test_verbaliser_tells_namesakes_apart():
    say = verbaliser()
    assert [say.name(each) for each in ("jo", "jo2", "jo3")] == [
        "Jo Stevens (the Biology group)", "Jo Stevens (jo2@acme.example)",
        "jo stevens (jo3@acme.example)"]
    assert [say.name(each) for each in ("same1", "same2")] == [
        "the catch-up (organised by Jo Stevens)", "the catch-up (organised by Chris Reeves)"]


def test_verbaliser_tells_namesakes_apart_by_what_they_have():
    start = NOW.replace(second=0)
    kb = KnowledgeBase(
        name="Acme", timezone=ZONE, rooms=[Room("a", "Alpha"), Room("a2", "alpha")],
        groups=[Group("g", "Optics"), Group("g2", "OPTICS")],
        people=[Person("p", "Bo", office="a"), Person("q", "Bo", office="a2"), Person("r", "Bo")],
        events=[Event("e", "sync", start, start), Event("f", "sync", start, start + dt.timedelta(
            hours=1))])
    say = Verbaliser(kb, NOW)
    assert [say.name(each) for each in ("p", "q", "r")] == ["Bo (Alpha)", "Bo (alpha)", "Bo (r)"]
    assert [say.name(each) for each in ("a", "g2")] == ["Alpha (a)", "the OPTICS group (g2)"]
    assert [say.name(each) for each in ("e", "f")] == [
        "the sync (today at 10:17)", "the sync (today from 10:17 to 11:17)"]


def test_verbaliser_calls_only_the_next_occurrence_by_its_name_alone():
    assert [verbaliser().name(each) for each in ("up1", "up2", "up3")] == [
        "the standup (today from 08:00 to 08:15)", "the standup",
        "the standup (on Friday 6 March from 08:00 to 08:15)"]
    after = verbaliser(now=NOW + dt.timedelta(days=1))
    assert after.name("up3") == "the standup"


def test_verbaliser_full_name_is_never_you():
    say = verbaliser()
    assert (say.name("chris"), say.full_name(KB.people["chris"])) == ("you", "Chris Reeves")
    assert (say.possessive("chris"), say.possessive("van")) == (
        "your", "van Dyck, Bo and Sons'")


@pytest.mark.parametrize(("name", "expected"), [
    ("budget review", "the budget review"), ("The big one", "\u201cThe big one\u201d"),
    ("Bo's day", "\u201cBo's day\u201d"), ("Bo\u2019s day", "\u201cBo\u2019s day\u201d"),
    ("What is up", "\u201cWhat is up\u201d"), ("Island and sea", "\u201cIsland and sea\u201d"),
    ("v2.0", "\u201cv2.0\u201d"), ("Island day", "the Island day"),
    ("{0} %s", "the {0} %s")])
def test_verbaliser_quotes_event_names_that_would_not_read_as_names(name, expected):
    kb = KnowledgeBase(name="Acme", timezone=ZONE, events=[Event("e", name, NOW, NOW)])
    assert Verbaliser(kb, NOW).name("e") == expected


@pytest.mark.parametrize(("name", "expected"), [
    ("Biology", "the Biology group"), ("The Optics", "the Optics group"),
    ("People Team", "the People Team"), ("Department of Physics", "the Department of Physics"),
    ("Theatre", "the Theatre group")])
def test_verbaliser_gives_groups_one_article_and_one_noun(name, expected):
    kb = KnowledgeBase(name="Acme", timezone=ZONE, groups=[Group("g", name)])
    assert Verbaliser(kb, NOW).name("g") == expected


def test_verbaliser_cuts_a_long_list():
    people = [Person(f"p{index}", f"P{index}", group="g") for index in range(12)]
    kb = KnowledgeBase(name="Acme", timezone=ZONE, groups=[Group("g", "Optics")], people=people)
    (fact,) = kb.facts_about("g")
    assert Verbaliser(kb, NOW).say(fact) == (
        "P0, P1, P10, P11, P2, P3, P4, P5, P6, P7 and 2 more are in the Optics group.")


def test_verbaliser_names_the_day_of_an_event_only_where_its_fact_does_not():
    say = verbaliser()
    assert say.name_and_time("review", NOW.date()) == "the budget review from 10:00 to 11:00"
    assert say.name_and_time("review", None) == "the budget review today from 10:00 to 11:00"
    assert say.name_and_time("fair", at(9, 0).date()) == (
        "the trade fair all day from Monday 9 March to Wednesday 11 March")


def test_verbaliser_names_the_days_of_slots_within_several_days():
    both = replace(TODAY, end=TOMORROW.end)
    fact = Fact("room_free_slots", ("alpha", both, (span(4, 8, 9), span(5, 8, 9))))
    assert verbaliser().say(fact) == (
        "Alpha is free from Wednesday 4 March to Thursday 5 March today from 08:00 to 09:00 and "
        "tomorrow from 08:00 to 09:00.")


def test_event_window_of_an_all_day_event_is_spoken_of_so():
    assert event_window(KB.events["fair"]).kind is WindowKind.ALL_DAY
    assert event_window(KB.events["review"]) == span(4, 10, 11)


@pytest.mark.parametrize("fact", [Fact("no_such", ("jo",)), Fact("no_conflicts", ("nobody",))])
def test_verbaliser_rejects_what_it_does_not_know(fact):
    with pytest.raises(KeyError):
        verbaliser().say(fact)


@pytest.mark.parametrize(("name", "text", "condition"), [
    ("tea", "The tea is tomorrow", "if its calendar's time zone is Oslo's"),
    ("Q&A (all)", "Bo is at “Q&A (all)”", "if its calendar's time zone is Oslo's"),
    ("tea", "Bo is free tomorrow", "if the time zone of the tea is Oslo's"),
    ("tea", "Bo of the team is free tomorrow", "if the time zone of the tea is Oslo's")])
def test_a_condition_says_its_only_of_what_the_text_names(name, text, condition):
    tea = Event("e", name, NOW, NOW + dt.timedelta(hours=1), attendees=("p",),
                assumed_zone="Europe/Oslo")
    kb = KnowledgeBase(name="Acme", timezone=ZONE, people=[Person("p", "Bo")], events=[tea])
    fact = Fact("person_busy", ("p", event_window(tea), ("e",)))
    assert Verbaliser(kb, NOW).condition([fact], text) == condition


def in_zones(*events):
    """A verbaliser of an organisation in which Bo comes to events of zones that are not known."""
    return Verbaliser(KnowledgeBase(
        name="Acme", timezone=ZONE, people=[Person("p", "Bo")], rooms=[Room("r", "Elm")],
        events=[replace(each, attendees=("p",), location="r", assumed_zone="Europe/Oslo")
                for each in events]), NOW)


@pytest.mark.parametrize(("text", "condition"), [
    ("The tea is at 10:00, if its calendar's time zone is Oslo's. The fair is at 12:00",
     "if the time zone of the fair is Oslo's"),
    ("The fair is at 12:00, if its calendar's time zone is Oslo's. The tea is at 10:00",
     "if the time zone of the tea is Oslo's"),
    ("If the time zone of the tea is Oslo's, Bo is not free at 10:00. The fair is at 12:00",
     "if the time zone of the fair is Oslo's"),
    ("The tea is at 10:00 and the fair is at 12:00, if the time zone of the tea and the fair is "
     "Oslo's", "")])
def test_a_condition_is_said_of_each_event_of_which_the_text_does_not_say_it(text, condition):
    tea = Event("e", "tea", NOW, NOW + dt.timedelta(hours=1), attendees=("p",),
                assumed_zone="Europe/Oslo")
    kb = KnowledgeBase(name="Acme", timezone=ZONE, people=[Person("p", "Bo")], events=[
        tea, replace(tea, id="f", name="fair")])
    facts = [Fact("person_busy", ("p", event_window(tea), (each,))) for each in "ef"]
    assert Verbaliser(kb, NOW).condition(facts, text) == condition


LENS, IF = Event("e", "lens", at(4, 10), at(4, 11)), "if its calendar's time zone is Oslo's"
WEEK = Window(at(2, 0), at(9, 0))
DAY, NEXT_DAY = (day_window(at(each, 0).date(), ZONE) for each in (4, 5))
IF_LENS = "if the time zone of the lens is Oslo's"


@pytest.mark.parametrize(("fact", "text", "condition"), [
    # hours
    (Fact("person_events", ("p", WEEK, ("e",))), "Bo has the lens today from 10:00 to 11:00", IF),
    (Fact("organises", ("p", ("e",))), "Bo organises the lens today from 10:00 to 11:00", IF),
    (Fact("start_time", ("e", dt.time(10))), "The lens starts at 10:00", IF),
    # days: a zone can make it the day before, but not another week
    (Fact("person_events", ("p", DAY, ("e",))), "Bo has the lens today", IF),
    (Fact("date", ("e", NOW.date())), "The lens is today", IF),
    (Fact("person_events", ("p", WEEK, ("e",))), "Bo has the lens this week", ""),
    # what rests on the hours of events that it does not name
    (Fact("person_available", ("p", instant(at(4, 15)))), "Bo is free then", IF_LENS),
    (Fact("person_available", ("p", NEXT_DAY)), "Bo is free tomorrow", ""),
    (Fact("no_events_during", (DAY,)), "There are no events today", IF_LENS),
    # no time at all
    (Fact("organises", ("p", ("e",))), "Bo organises the lens", ""),
    (Fact("location", ("e", "r")), "The lens is in Elm", ""),
    (Fact("duration", ("e", 60)), "The lens lasts 1 hour", "")])
def test_a_condition_comes_where_a_time_zone_could_change_what_is_said(fact, text, condition):
    assert in_zones(LENS).condition([fact], text) == condition


def test_a_time_that_a_zone_could_bring_an_event_into_is_not_certain():
    late = replace(LENS, start=at(4, 20), end=at(4, 21))
    fact = Fact("person_available", ("p", NEXT_DAY))
    assert in_zones(late).condition([fact], "Bo is free tomorrow") == IF_LENS


def test_a_time_asked_about_counts_also_where_the_answer_does_not_repeat_it():
    fact = Fact("takes_place", ("e", event_window(LENS)))
    assert in_zones(LENS).condition([fact], "Yes, the lens is then", instant(at(4, 10, 30))) == IF


def test_two_events_that_overlap_do_so_if_their_zones_are_known():
    fact = Fact("conflict", ("p", "e", "f"))
    assert in_zones(LENS, replace(LENS, id="f", name="tea")).say(fact) == (
        "Bo has two events at the same time: the lens and the tea, if the time zone of the lens "
        "and the tea is Oslo's.")


def test_an_event_told_apart_by_its_time_has_the_condition_in_its_name():
    say = in_zones(LENS, replace(LENS, id="f", start=at(4, 14), end=at(4, 15)))
    assert say.say(Fact("location", ("e", "r"))) == (
        f"The lens (today from 10:00 to 11:00, {IF}) is in Elm.")
