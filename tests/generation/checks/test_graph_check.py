from __future__ import annotations

import datetime as dt
from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from frontdesk.generation.checks.graph_check import GraphCheck, Verdict
from frontdesk.kg.english.verbalise import Verbaliser, event_window
from frontdesk.kg.graph.entities import Event, Group, Person, Room
from frontdesk.kg.graph.facts import Fact
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.windows import instant
from frontdesk.kg.names.gazetteer import GazetteerDetector
from frontdesk.scoring.ranked_fact import RankedFact

ZONE = ZoneInfo("UTC")
NOW = dt.datetime(2026, 3, 2, 9, tzinfo=ZONE)


def at(day: int, hour: int, minute: int = 0) -> dt.datetime:
    return dt.datetime(2026, 3, day, hour, minute, tzinfo=ZONE)


@pytest.fixture(scope="module")
def kb():
    return KnowledgeBase(
        name="F", timezone=ZONE, groups=[Group("g1", "Optics")],
        rooms=[Room("r1", "Beta"), Room("r2", "Rowan"), Room("o1", "214", bookable=False)],
        people=[Person("p1", "Ines Okafor", "ines@example.org", "+441632960101", "g1", "o1"),
                Person("p2", "Tomas Lindqvist", group="g1")],
        events=[Event("e1", "lens workshop", at(5, 11, 30), at(5, 12, 30), "r2", "p1",
                      ("p1", "p2"), "g1")])


@pytest.fixture
def verdict(kb):
    """Check a reply against facts by predicate."""
    event = kb.events["e1"]
    facts = {"location": ("e1", "r2"), "organizer": ("e1", "p1"),
             "takes_place": ("e1", event_window(event)), "email": ("p1", "ines@example.org"),
             "person_busy": ("p1", instant(at(5, 12)), ("e1",)), "floor": ("r1", 2),
             "phone": ("p1", "+441632960101"), "office": ("p1", "o1"), "group_size": ("g1", 2)}
    say = Verbaliser(kb, NOW).say
    check = GraphCheck(GazetteerDetector(kb))

    def run(reply, *predicates, **options):
        used = []
        for predicate in predicates:
            fact = Fact(predicate, facts[predicate])
            used.append(RankedFact(fact, say(fact), 0.9))
        return check.check(reply, used, now=NOW, **options)
    return run


def test_what_stands_after_if_you_mean_is_read_as_any_claim(verdict):
    assert not verdict("If you mean the workshop, it is in Beta: it is in Rowan.",
                       "location").passed


@pytest.mark.parametrize(("reply", "facts"), [
    ("The lens workshop is in Rowan.", ["location"]),
    ("It's in Rowan!", ["location"]),
    ("Sure, the workshop starts at 11:30 on Thursday.", ["takes_place"]),
    ("The lens workshop runs from 11:30 to 12:30 on March 5.", ["takes_place"]),
    ("Ines Okafor organises it; her number is +44 1632 960101.", ["organizer", "phone"]),
    ("You can write to ines@example.org.", ["email"]),
    ("She sits in room 214.", ["office"]),
    ("There are 2 people in the Optics group.", ["group_size"]),
    ("Yes, the lens workshop is in Rowan.", ["location"]),
])
def test_check_supports_what_a_fact_in_use_has(verdict, reply, facts):
    assert verdict(reply, *facts).verdict is Verdict.SUPPORTED


@pytest.mark.parametrize(("reply", "facts", "wrong"), [
    ("The meeting is with Tomas Lindqvist.", ["organizer"], "Tomas Lindqvist"),
    ("Ines Okafor's number is +44 1632 960999.", ["phone"], "+44 1632 960999"),
    ("Write to tomas@example.org.", ["email"], "tomas@example.org"),
    ("Her office is room 215.", ["office"], "room 215"),
    ("I found the Johanna workshop.", ["location"], "Johanna workshop"),
    ("It is organised by Johanna Steen.", ["organizer"], "Johanna Steen"),
])
def test_check_finds_what_no_fact_in_use_has(verdict, reply, facts, wrong):
    result = verdict(reply, *facts)
    assert not result.passed
    assert any(wrong in claim.text for claim in result.claims
               if claim.verdict is Verdict.UNSUPPORTED), result.claims


def test_check_contradicts_the_number_of_members(verdict):
    result = verdict("There are 7 people in the Optics group.", "group_size")
    assert ("7", Verdict.CONTRADICTED) in of_kind(result, "number")


@pytest.mark.parametrize(("reply", "facts", "wrong"), [
    ("The lens workshop is in Beta.", ["location"], "Beta"),
    ("The lens workshop starts at 11:00.", ["takes_place"], "11:00"),
    ("The lens workshop is on Friday.", ["takes_place"], "on Friday"),
    ("It starts at 10:15.", ["location"], "10:15"),
    # Every fact of a prompt counts as in use; each value must go with its own subject.
    ("The lens workshop is in Beta.", ["location", "floor"], "Beta"),
    ("The lens workshop is in Beta, anything else?", ["location", "floor"], "Beta"),
    ("The lens workshop is organised by Tomas Lindqvist.", ["organizer", "email"],
     "Tomas Lindqvist"),
])
def test_check_finds_what_the_calendar_contradicts(verdict, reply, facts, wrong):
    result = verdict(reply, *facts)
    assert result.verdict is Verdict.CONTRADICTED
    claim, = (each for each in result.claims if each.verdict is Verdict.CONTRADICTED)
    assert wrong in claim.text
    assert claim.evidence.startswith("lens workshop is")


@pytest.mark.parametrize("reply", ["Hello!", "I'm sorry, I don't know.", "",
                                   "Did you mean the lens workshop in Beta at 10:15?"])
def test_check_lets_pass_what_claims_nothing(verdict, reply):
    assert verdict(reply).verdict is Verdict.NO_CLAIMS


@pytest.mark.parametrize("reply", [
    "I have booked Beta for you.", "I've cancelled the lens workshop.",
    "The lens workshop is now on your calendar.",
    "The lens workshop has been moved.", "I will invite Ines Okafor."])
def test_check_contradicts_actions_that_nobody_took(verdict, reply):
    result = verdict(reply, "location", "organizer", "floor")
    assert result.verdict is Verdict.CONTRADICTED
    assert any(claim.kind == "action" for claim in result.claims)


@pytest.mark.parametrize(("reply", "expected"), [
    ("Ines Okafor is not free then.", Verdict.SUPPORTED),
    ("Sorry, Ines Okafor is busy.", Verdict.SUPPORTED),
    ("Sure, Ines Okafor is free.", Verdict.CONTRADICTED),
    ("Yes, Tomas Lindqvist is available.", Verdict.UNSUPPORTED)])
def test_check_compares_free_and_busy_with_the_fact_about_the_subject(verdict, reply, expected):
    assert verdict(reply, "person_busy").verdict is expected


def test_check_reads_no_claims_into_the_punctuation_of_a_name(kb):
    event = Event("e9", "Done? Friday review", at(5, 9), at(5, 10), "r1")
    other = KnowledgeBase(name="O", timezone=ZONE, rooms=[Room("r1", "Beta")], events=[event])
    fact = Fact("location", ("e9", "r1"))
    text = Verbaliser(other, NOW).say(fact)
    result = GraphCheck(GazetteerDetector(other)).check(text, [RankedFact(fact, text, 0.9)],
                                                        now=NOW)
    assert result.verdict is Verdict.SUPPORTED


def test_check_lets_pass_what_quotes_the_user(verdict):
    reply = "I did not understand the time “31 April”."
    assert verdict(reply, said="Is Beta free on 31 April?").passed


def test_check_does_not_count_the_users_own_words_as_claims(verdict):
    reply = "I don't know anyone called Johanna Steen."
    assert verdict(reply, said="Who is Johanna Steen?").passed
    assert not verdict(reply).passed


def test_check_one_wrong_claim_fails_the_whole_reply(verdict):
    result = verdict("The lens workshop is in Rowan. It is organised by Tomas Lindqvist.",
                     "location", "organizer")
    assert result.verdict is Verdict.UNSUPPORTED
    assert [claim.verdict for claim in result.claims] == [Verdict.SUPPORTED, Verdict.UNSUPPORTED]


@pytest.fixture
def of_what_may_be(kb):
    """Check a reply against facts some of which are not certain."""
    event, noon = kb.events["e1"], instant(at(5, 12))
    facts = [Fact("person_available", ("p2", noon), certainty=0.5),
             Fact("attendees", ("e1", ("p1",))), Fact("attendees", ("e1", ("p2",)), certainty=0.5),
             Fact("event_size", ("e1", 2), certainty=0.5), Fact("member_of", ("p2", "g1")),
             Fact("takes_place", ("e1", event_window(event)))]
    say = Verbaliser(kb, NOW).say
    used = [RankedFact(fact, say(fact), 0.9) for fact in facts]
    check = GraphCheck(GazetteerDetector(kb))
    return lambda reply: check.check(reply, used, now=NOW)


@pytest.mark.parametrize("reply", [
    "Tomas Lindqvist is free on Thursday at 12:00.", "Yes, Tomas Lindqvist is definitely free.",
    "Yes, Tomas Lindqvist may be free on Thursday at 12:00 (50 % likely).",
    "Yes, Tomas Lindqvist is probably free.", "Tomas Lindqvist is attending the lens workshop.",
    "The lens workshop is attended by Ines Okafor and Tomas Lindqvist.",
    "Tomas Lindqvist may come. The lens workshop has 2 attendees."])
def test_check_lets_nobody_say_flatly_what_is_not_certain(of_what_may_be, reply):
    result = of_what_may_be(reply)
    assert result.verdict is Verdict.UNSUPPORTED
    assert [claim.kind for claim in result.claims
            if claim.verdict is Verdict.UNSUPPORTED] == ["certainty"]


@pytest.mark.parametrize("reply", [
    "Tomas Lindqvist may be free on Thursday at 12:00 (50 % likely).",
    "Tomas Lindqvist might be free on Thursday at 12:00.",
    "It is not certain that Tomas Lindqvist attends the lens workshop.",
    "Perhaps Tomas Lindqvist is attending the lens workshop.",
    "Ines Okafor is attending the lens workshop. Tomas Lindqvist is in the Optics group.",
    "Yes, the lens workshop is on Thursday from 11:30 to 12:30.",
    "Yes, Ines Okafor is attending the lens workshop. Tomas Lindqvist may be attending the lens "
    "workshop (50 % likely).",
    "Hello! The lens workshop may have 2 attendees (50 % likely). You're welcome!"])
def test_check_supports_what_is_said_as_certainly_as_it_is_known(of_what_may_be, reply):
    assert of_what_may_be(reply).verdict is Verdict.SUPPORTED


@pytest.mark.parametrize(("reply", "told"), [
    ("The lens workshop starts at 11:30 on Thursday.", False),
    ("Ines Okafor is not free on Thursday at 12:00.", False),
    ("Ines Okafor is free on Thursday at 15:00.", False),
    ("Ines Okafor is at the lens workshop this week.", True),
    ("Ines Okafor is not free on Thursday at 12:00, if the time zone of the lens workshop is "
     "Oslo's.", True)])
def test_check_lets_nobody_say_flatly_when_something_of_an_unknown_zone_is(kb, reply, told):
    unsure = KnowledgeBase(
        name=kb.name, timezone=ZONE, groups=kb.groups.values(), rooms=kb.rooms.values(),
        people=kb.people.values(),
        events=[replace(each, assumed_zone="Europe/Oslo") for each in kb.events.values()])
    facts = [Fact("person_busy", ("p1", instant(at(5, 12)), ("e1",))),
             Fact("takes_place", ("e1", event_window(kb.events["e1"])))]
    used = [RankedFact(each, Verbaliser(unsure, NOW).say(each), 0.9) for each in facts]
    claims = GraphCheck(GazetteerDetector(unsure)).check(reply, used, now=NOW).claims
    assert any(each.kind == "certainty" for each in claims) != told


def test_check_finds_no_claim_in_what_is_said_beside_uncertain_facts(kb):
    fact = Fact("person_available", ("p2", instant(at(5, 12))), certainty=0.5)
    used = [RankedFact(fact, Verbaliser(kb, NOW).say(fact), 0.9)]
    check = GraphCheck(GazetteerDetector(kb)).check
    assert check("Hello! I'm sorry.", used, now=NOW).verdict is Verdict.NO_CLAIMS
    assert check("Yes.", used, now=NOW).verdict is Verdict.UNSUPPORTED


def of_kind(result, kind):
    return [(claim.text, claim.verdict) for claim in result.claims if claim.kind == kind]


@pytest.mark.parametrize("reply", [
    "I found two meetings.", "You'd like to know where it is.", "I have one meeting."])
def test_check_reads_no_name_into_what_is_counted_found_or_contracted(verdict, reply):
    assert not of_kind(verdict(reply, "location"), "entity")


@pytest.mark.parametrize(("reply", "wrong"), [
    ("Ines Okafor's office is room Beta.", "room Beta"),
    ("Ines's office is in Rowan.", "Rowan"),
    ("Her office is Beta.", "Beta")])
def test_check_contradicts_an_office_that_is_somebody_elses_room(verdict, reply, wrong):
    result = verdict(reply, "phone", "office", "floor")
    assert of_kind(result, "entity")[-1] == (wrong, Verdict.CONTRADICTED)


def test_check_compares_the_time_of_an_event_with_its_own_not_with_any_fact(kb):
    other = Event("e2", "prism review", at(5, 9), at(5, 10), "r1")
    both = KnowledgeBase(name="F", timezone=ZONE, rooms=kb.rooms.values(),
                         people=kb.people.values(), groups=kb.groups.values(),
                         events=[kb.events["e1"], other])
    say = Verbaliser(both, NOW).say
    used = [RankedFact(fact, say(fact), 0.9) for fact in (
        Fact("takes_place", ("e1", event_window(both.events["e1"]))),
        Fact("takes_place", ("e2", event_window(other))))]
    check = GraphCheck(GazetteerDetector(both)).check
    assert check("The prism review is at 9:00, the lens workshop is at 11:30.", used,
                 now=NOW).verdict is Verdict.SUPPORTED
    swapped = check("The prism review is at 11:30, the lens workshop is at 9:00.", used, now=NOW)
    assert of_kind(swapped, "time") == [("11:30", Verdict.CONTRADICTED),
                                        ("9:00", Verdict.CONTRADICTED)]


def test_check_contradicts_the_time_of_an_event_that_somebody_is_said_to_have(verdict):
    result = verdict("You have one meeting at 14:30.", "phone")
    assert [found for _, found in of_kind(result, "time")] == [Verdict.CONTRADICTED]


@pytest.mark.parametrize(("reply", "expected"), [
    ("Rowan is not free on Thursday at 12:00.", Verdict.SUPPORTED),
    ("Rowan is free on Thursday at 12:00.", Verdict.CONTRADICTED),
    ("Rowan is free on Thursday at 14:00.", Verdict.SUPPORTED),
    ("Rowan is busy on Thursday at 14:00.", Verdict.CONTRADICTED)])
def test_check_asks_the_calendar_where_no_fact_is_about_the_time(kb, reply, expected):
    fact = Fact("room_available", ("r2", instant(NOW)))
    used = [RankedFact(fact, Verbaliser(kb, NOW).say(fact), 0.9)]
    result = GraphCheck(GazetteerDetector(kb)).check(reply, used, now=NOW)
    assert [found for _, found in of_kind(result, "availability")] == [expected]


ASKED = "Please set up a prism review in Beta on Thursday at 12 with Tomas Lindqvist."


@pytest.mark.parametrize(("reply", "said", "kind", "wrong"), [
    ("I've booked Beta at 12:00 on Thursday.", ASKED, "time", []),
    ("I've booked Beta at 15:00 on Thursday.", ASKED, "time", ["15:00 on Thursday"]),
    ("I've booked Beta.", ASKED, "conflict", []),
    ("I've booked Rowan.", ASKED, "conflict", ["Rowan"]),
    ("I'll invite Tomas Lindqvist.", ASKED, "conflict", ["Tomas Lindqvist"]),
    ("I'll cancel the lens workshop with Tomas Lindqvist.", ASKED, "conflict", []),
    ("I'll invite Tomas Lindqvist on Thursday at 14:00.", "", "conflict", [])])
def test_check_tells_what_an_action_conflicts_with(verdict, reply, said, kind, wrong):
    result = verdict(reply, said=said, spoken_of={"p2", "r1", "r2"})
    assert result.verdict is Verdict.CONTRADICTED
    assert of_kind(result, "action")
    assert [text for text, found in of_kind(result, kind)
            if found is Verdict.CONTRADICTED] == wrong


@pytest.mark.parametrize(("spoken_of", "wrong"), [
    ({"p1"}, ["Tomas Lindqvist"]), ({"p1", "p2"}, []), ({"p1", "g1"}, []), (set(), [])])
def test_check_contradicts_an_action_about_somebody_the_dialogue_is_not_about(verdict, spoken_of,
                                                                              wrong):
    result = verdict("I'll invite Tomas Lindqvist.", spoken_of=spoken_of)
    assert [text for text, found in of_kind(result, "entity")
            if found is Verdict.CONTRADICTED] == wrong


@pytest.mark.parametrize(("reply", "facts", "spoken_of", "expected"), [
    ("It is in Rowan.", ["location"], {"e1"}, Verdict.SUPPORTED),
    ("Ines Okafor organises it. Ines's office is 214.", ["organizer", "office"], {"e1"},
     Verdict.SUPPORTED),
    # All so, and nothing that was asked about.
    ("Beta is on floor 2.", ["location", "floor"], {"e1"}, Verdict.UNSUPPORTED),
    ("Beta is on floor 2.", ["location", "floor"], {"r1"}, Verdict.SUPPORTED),
    # Nothing is known to be spoken of.
    ("Beta is on floor 2.", ["location", "floor"], (), Verdict.SUPPORTED)])
def test_check_asks_what_a_name_has_to_do_with_what_is_spoken_of(verdict, reply, facts, spoken_of,
                                                                 expected):
    assert verdict(reply, *facts, spoken_of=spoken_of).verdict is expected


@pytest.mark.parametrize(("reply", "said", "expected"), [
    ("Tomas Lindqvist is free on Thursday at 10.", "", Verdict.SUPPORTED),
    ("Tomas Lindqvist is free on Thursday at noon.", "", Verdict.CONTRADICTED),
    ("Tomas Lindqvist is busy on Thursday at noon.", "", Verdict.SUPPORTED),
    ("Tomas Lindqvist and Ines Okafor are free on Thursday at noon.", "", Verdict.CONTRADICTED),
    # The time is that of the dialogue, on its day.
    ("Tomas Lindqvist is available then.", "On Thursday. At noon, say?", Verdict.CONTRADICTED),
    ("Tomas Lindqvist is available then.", "On Wednesday. At noon, say?", Verdict.SUPPORTED),
    ("Rowan is free at 12.", "We meet on Thursday.", Verdict.CONTRADICTED),
    ("Beta is free at 12.", "We meet on Thursday.", Verdict.SUPPORTED),
    ("Tomas Lindqvist is available.", "", Verdict.UNSUPPORTED)])
def test_check_asks_the_calendar_who_and_what_is_free(verdict, reply, said, expected):
    spoken_of = {"g1"} if said else {"p1", "p2"}
    assert verdict(reply, said=said, spoken_of=spoken_of).verdict is expected


@pytest.mark.parametrize(("reply", "said", "spoken_of"), [
    # What was looked up for one says nothing of another, of another time, or of anything else.
    ("Beta and Rowan are free on Thursday at 12.", "", {"r1", "r2"}),
    ("Beta is free on Thursday at 10, and we close at 16:45.", "", {"r1"}),
    ("Tomas Lindqvist is free on Thursday at 10 and his office is 214.", "", {"p2"}),
    ("Tomas Lindqvist is free all day.", "", {"p2"}),
    ("Beta and Rowan are free on Thursday.", "On Wednesday. At noon, say?", {"r1", "r2"}),
    ("Tomas Lindqvist is free at noon.", "Is Tomas free on Thursday at noon?", {"p2"}),
    ("Tomas Lindqvist is not in any meetings then.", "Is Tomas free on Thursday at noon?", {"p2"}),
    ("Tomas Lindqvist has time then.", "Is Tomas free on Thursday at noon?", {"p2"}),
    ("No, Ines Okafor is free on Thursday at 10.", "Is Tomas free on Thursday at 10?", {"p2"}),
    ("I can confirm the lens workshop is booked in Beta.", "Is it in Beta at noon?", {"e1"}),
    ("I can schedule it on 17 March at 12:30.", "For tomorrow at 14:00, please.", {"e1"}),
    ("I can schedule it for tomorrow afternoon.", "Tomorrow morning, please.", {"e1"}),
    ("It runs for 30 minutes.", "Does it last half an hour?", {"e1"}),
    ("It is a 30 minute meeting.", "Does it last half an hour?", {"e1"}),
    ("There are those 7 meetings.", "", {"e1"}),
    ("The lens workshop was moved to Friday.", "", {"e1"}),
    ("OK! The meeting is scheduled.", "", {"e1"}),
    ("Ines has been notified.", "", {"p1"}), ("Done!", "", {"e1"})])
def test_check_lets_nothing_else_pass_beside_what_may_be_offered(verdict, reply, said, spoken_of):
    assert not verdict(reply, "location", "takes_place", said=said, spoken_of=spoken_of).passed


@pytest.mark.parametrize(("reply", "expected"), [
    ("Ines Okafor is busy on Thursday at noon because of the lens workshop.", True),
    ("Ines Okafor is busy on Thursday at noon because of the prism review.", False),
    ("Ines Okafor is not free on Thursday at noon because of the prism review.", False)])
def test_check_knows_whose_events_take_whose_time(kb, reply, expected):
    both = KnowledgeBase(name="F", timezone=ZONE, rooms=kb.rooms.values(),
                         people=kb.people.values(), groups=kb.groups.values(),
                         events=[kb.events["e1"],
                                 Event("e2", "prism review", at(5, 11), at(5, 13), "r1")])
    facts = [Fact("person_busy", ("p1", instant(at(5, 12)), ("e1",))),
             Fact("takes_place", ("e2", event_window(both.events["e2"])))]
    say = Verbaliser(both, NOW).say
    used = [RankedFact(fact, say(fact), 0.9) for fact in facts]
    result = GraphCheck(GazetteerDetector(both)).check(reply, used, now=NOW,
                                                       spoken_of={"p1", "e2"})
    assert result.passed is expected


def test_check_takes_now_for_no_answer_to_when_a_time_was_asked_about(verdict):
    reply = "Tomas Lindqvist is not in any meetings at the moment."
    assert verdict(reply, spoken_of={"p2"}).passed
    assert not verdict(reply, spoken_of={"p2"}, asked=[instant(at(5, 16))]).passed


@pytest.mark.parametrize("reply", [
    "Rowan is taken but Beta is free on Thursday at 12.",
    "Beta is free on Thursday at 12, but Rowan is not.",
    "Beta is free on Thursday at 12."])
def test_check_offers_what_the_calendar_has_as_free(verdict, reply):
    assert verdict(reply, "location", spoken_of={"r1", "r2"}).passed


@pytest.mark.parametrize(("reply", "said", "expected"), [
    ("I can schedule it for 30 minutes.", "For half an hour, please.", Verdict.SUPPORTED),
    ("I can schedule it for 90 minutes.", "For an hour and a half.", Verdict.SUPPORTED),
    ("I can schedule it for 60 minutes.", "For half an hour, please.", Verdict.UNSUPPORTED),
    ("It lasts 30 minutes.", "Does it last half an hour?", Verdict.UNSUPPORTED),
    ("I can schedule it for tomorrow.", "Tomorrow would be good.", Verdict.SUPPORTED)])
def test_check_lets_what_was_agreed_be_said_of_what_is_new(verdict, reply, said, expected):
    assert verdict(reply, said=said).verdict is expected


@pytest.mark.parametrize(("reply", "expected"), [
    ("There are 2 members of the Optics group.", Verdict.SUPPORTED),
    ("There are 3 members of the Optics group.", Verdict.CONTRADICTED),
    ("The Optics group has 2 rooms.", Verdict.UNSUPPORTED),
    ("Ines Okafor and Tomas Lindqvist from the Optics group attend it.", Verdict.SUPPORTED)])
def test_check_counts_the_members_of_groups(verdict, reply, expected):
    assert verdict(reply, "location", spoken_of={"e1", "g1", "p1", "p2"}).verdict is expected


def test_check_contradicts_a_group_of_one_of_several_people():
    kb = KnowledgeBase(name="F", timezone=ZONE,
                       groups=[Group("g1", "Optics"), Group("g2", "Legal")],
                       people=[Person("p1", "Ines Okafor", group="g1"),
                               Person("p2", "Tomas Lindqvist", group="g2")])
    check = GraphCheck(GazetteerDetector(kb)).check
    reply = "Tomas Lindqvist and Ines Okafor from the Optics group can come."
    assert ("Optics group", Verdict.CONTRADICTED) in of_kind(check(reply, [], now=NOW), "entity")


@pytest.mark.parametrize(("reply", "expected"), [
    ("The lens workshop is over.", Verdict.CONTRADICTED),
    ("The lens workshop has already started.", Verdict.CONTRADICTED),
    ("It's still in progress, it is under way.", Verdict.CONTRADICTED),
    ("The lens workshop hasn't started.", Verdict.SUPPORTED),
    ("It is not over yet.", Verdict.SUPPORTED),
    ("The lens workshop is over at 12:30.", Verdict.SUPPORTED),
    ("The lens workshop is in the morning.", Verdict.SUPPORTED),
    ("The lens workshop is not in the morning.", Verdict.CONTRADICTED),
    ("It was in the morning.", Verdict.SUPPORTED),
    ("The lens workshop is in the afternoon.", Verdict.UNSUPPORTED),  # only to 12:30
    ("The lens workshop is not in the evening.", Verdict.SUPPORTED),
    ("The lens workshop is in the evening.", Verdict.CONTRADICTED),
    ("It takes place in the evening.", Verdict.CONTRADICTED),
    ("Nobody is attending the lens workshop.", Verdict.CONTRADICTED),
    ("The lens workshop has no organiser.", Verdict.CONTRADICTED),
    ("No one organises it.", Verdict.CONTRADICTED),
    ("A dozen people attend the lens workshop.", Verdict.CONTRADICTED),
    ("The lens workshop has never started.", Verdict.SUPPORTED),
    ("Once the lens workshop is over, Rowan is empty at 12:30.", Verdict.SUPPORTED),
    ("The lens workshop is over an hour long.", Verdict.SUPPORTED),
    ("Nobody else is attending the lens workshop.", Verdict.SUPPORTED),
    ("Two people attend the lens workshop.", Verdict.SUPPORTED),
    ("A couple of people attend it.", Verdict.SUPPORTED),
    ("The lens workshop has three attendees.", Verdict.CONTRADICTED),
    ("Tomas Lindqvist is not attending the lens workshop.", Verdict.CONTRADICTED),
    ("Tomas Lindqvist isn't invited to it.", Verdict.CONTRADICTED),
    ("Ines Okafor doesn't organise the lens workshop.", Verdict.CONTRADICTED),
    ("Tomas Lindqvist doesn't organise the lens workshop.", Verdict.UNSUPPORTED),
    ("Nobody is in the Optics group.", Verdict.CONTRADICTED),
    ("The Optics group has no members.", Verdict.CONTRADICTED),
    ("The Optics group has only one member.", Verdict.CONTRADICTED),
    ("The lens workshop has more than two attendees.", Verdict.UNSUPPORTED),
    ("The lens workshop meeting is at 11:30.", Verdict.SUPPORTED),
    ("The lens workshop meeting is at 12:30.", Verdict.UNSUPPORTED),
    ("The lens workshop conference room is at 11:30.", Verdict.UNSUPPORTED),
    ("Only Ines Okafor attends the lens workshop.", Verdict.UNSUPPORTED)])
def test_check_compares_what_is_said_of_an_event_with_it(verdict, reply, expected):
    assert verdict(reply, "takes_place", "organizer").verdict is expected


@pytest.mark.parametrize(("reply", "expected"), [
    ("Tomas Lindqvist is free until 10:00.", Verdict.SUPPORTED),
    ("Ines Okafor is free until 12:00 on March 5.", Verdict.CONTRADICTED),
    ("Ines Okafor is free until 11:30 on March 5.", Verdict.SUPPORTED),
    ("On March 5, Ines Okafor is free until 11:30.", Verdict.SUPPORTED),
    ("Ines Okafor is busy until 12:30 on March 5.", Verdict.UNSUPPORTED),
    ("Tomas Lindqvist is hardly free now.", Verdict.UNSUPPORTED)])
def test_check_takes_until_for_the_time_from_now_or_of_that_day(verdict, reply, expected):
    assert verdict(reply, spoken_of={"p1", "p2"}).verdict is expected


def test_check_takes_no_moment_for_the_whole_time(kb):
    """Rowan is free at 13:00, but not from 12:00 on."""
    fact = Fact("room_available", ("r2", instant(at(5, 13))))
    used = [RankedFact(fact, Verbaliser(kb, NOW).say(fact), 0.9)]
    check = GraphCheck(GazetteerDetector(kb)).check
    for reply, passes in (("Rowan is free from 12:00 to 13:00 on March 5.", False),
                          ("Rowan is free until 13:00 on March 5.", False),
                          ("Rowan is free at 13:00 on March 5.", True)):
        assert check(reply, used, now=NOW, spoken_of={"r2"}).passed is passes


def test_check_takes_no_time_of_before_for_that_of_a_bare_free(verdict):
    """Ines Okafor is busy on March 5 at noon, and free at 14:00."""
    busy = {"spoken_of": {"p1"}, "said": "Is Ines Okafor free on March 5 at noon?",
            "earlier": "What is on at 14:00 on March 5?"}
    reply = "Yes, Ines Okafor is free."
    assert verdict(reply, **busy).verdict is Verdict.CONTRADICTED
    assert not verdict(reply, spoken_of={"p1"}, said="Is she free?",
                       earlier="What is on at 14:00 on March 5?").passed
    assert verdict("Yes, Ines Okafor is free then.", spoken_of={"p1"}, said="Is she free then?",
                   earlier="What is on at 14:00 on March 5?").passed


@pytest.mark.parametrize(("reply", "passes"), [
    ("Today is Monday.", True), ("Today is Tuesday.", False), ("Tomorrow is March 3rd.", True),
    ("Tomorrow is March 2nd.", False), ("Tomorrow's date is 4 March.", False)])
def test_check_knows_the_days(verdict, reply, passes):
    found = verdict(reply, asked=())
    assert (Verdict.CONTRADICTED not in {claim.verdict for claim in found.claims}) is passes


def test_check_knows_the_time_of_what_is_arranged_from_the_dialogue(verdict):
    """Rowan is taken from 11:30 to 12:30 on March 5."""
    offer = "Sure! I can book Rowan for you."
    for time, passes in (("March 5 at noon", False), ("March 5 at 14:00", True)):
        found = verdict(offer, said="I want to book Rowan.", spoken_of={"r2"},
                        earlier=f"I need a room on {time}.")
        assert found.passed is passes
        assert ("conflict" in {claim.kind for claim in found.claims}) is not passes


def test_check_takes_no_kind_of_available_for_a_matter_of_the_calendar(verdict):
    assert verdict("The members of the group are available for contact.").passed


def test_check_lets_nothing_be_missed_that_is_there(verdict):
    for reply in ("Sorry, I couldn't find the lens workshop.",
                  "I can't find anyone named Ines Okafor."):
        assert of_kind(verdict(reply, "takes_place"), "not_found")[0][1] is Verdict.CONTRADICTED
    assert not of_kind(verdict("I can't find a time at which Ines Okafor is free."), "not_found")


def test_check_lets_nobody_be_looked_for_whom_nobody_named(verdict):
    result = verdict("I can't find Johanna Steen.")
    assert of_kind(result, "not_found") == [("Johanna Steen", Verdict.UNSUPPORTED)]
    assert not result.passed


@pytest.mark.parametrize("reply", [
    "It is in Rowan " + "and in Rowan " * 160 + "and in Beta.",  # longer than what is read
    "It is in Rowan, " + "Rowan, " * 40 + "Beta.",  # names more than are read
    "“" * 2001, "a" * 2001, "I will " * 300, "1 " * 1001])
def test_check_lets_nothing_pass_that_it_did_not_read(verdict, reply):
    result = verdict(reply, "location", "floor")
    assert "unread" in [claim.kind for claim in result.claims]
    assert not result.passed


@pytest.mark.parametrize("reply", [
    "I let Ines Okafor know.", "I just emailed Ines Okafor.", "I've told Ines Okafor.",
    "I'm calling Ines Okafor now.", "Consider it done.", "Your booking is confirmed."])
def test_check_contradicts_what_nobody_did(verdict, reply):
    assert of_kind(verdict(reply, "organizer"), "action")[0][1] is Verdict.CONTRADICTED


def test_check_reads_a_question_that_tells_something(verdict):
    told = verdict("Did you know that the lens workshop is in Beta?", "location", "floor")
    assert told.verdict is Verdict.CONTRADICTED
    asked = verdict("Do you know where the lens workshop in Beta is?", "location", "floor")
    assert asked.verdict is Verdict.NO_CLAIMS


@pytest.mark.parametrize(("reply", "expected"), [
    ("The lens workshop is not in Rowan.", Verdict.CONTRADICTED),
    ("No problem, the lens workshop is in Beta.", Verdict.CONTRADICTED),
    ("No the lens workshop is in Beta.", Verdict.CONTRADICTED),
    ("The lens workshop is not in Beta.", Verdict.SUPPORTED),
    ("Tomas Lindqvist organises the lens workshop.", Verdict.CONTRADICTED),
    ("The lens workshop is organised by Ines Okafor and Tomas Lindqvist attends.",
     Verdict.SUPPORTED)])
def test_check_reads_what_is_denied_and_who_does_what(verdict, reply, expected):
    assert verdict(reply, "location", "organizer", "floor",
                   spoken_of={"e1", "p2"}).verdict is expected


@pytest.mark.parametrize("tail", ["1:" * 40, "tomorrow " * 60, "at " * 80, "- " * 80])
def test_a_stutter_of_times_is_checked_like_anything_else(verdict, tail):
    assert verdict(f"The lens workshop {tail} foo at 14:00.", "takes_place").claims is not None


@pytest.mark.parametrize(("reply", "passes"), [
    ("Ines Okafor is free for the rest of Thursday.", True),
    ("Ines Okafor is free on Thursday after the lens workshop.", True),
    ("Ines Okafor is free on Thursday.", False)])
def test_free_for_a_day_is_free_all_of_it_unless_it_says_so(kb, reply, passes):
    say = Verbaliser(kb, NOW).say
    fact = Fact("person_available", ("p1", instant(at(5, 14))))
    found = GraphCheck(GazetteerDetector(kb)).check(reply, [RankedFact(fact, say(fact), 1.0)],
                                                    now=NOW, spoken_of={"p1", "e1"})
    assert any(claim.kind == "availability" and claim.verdict is Verdict.SUPPORTED
               for claim in found.claims) == passes


def test_a_name_says_of_nobody_that_they_are_free_or_busy():
    people = [Person("p1", "Noel Free"), Person("p2", "Una Busy")]
    event = Event("e1", "Free lunch", at(5, 12), at(5, 13), "r1", "p2", ("p1", "p2"))
    kb = KnowledgeBase(name="F", timezone=ZONE, rooms=[Room("r1", "Beta")], people=people,
                       events=[event])
    check, say = GraphCheck(GazetteerDetector(kb)), Verbaliser(kb, NOW).say
    facts = [Fact("person_busy", ("p1", instant(at(5, 12)), ("e1",))),
             Fact("takes_place", ("e1", event_window(event))), Fact("location", ("e1", "r1")),
             Fact("attends", ("p1", "e1"))]
    used = [RankedFact(fact, say(fact), 0.9) for fact in facts]
    for reply in ("The Free lunch is on Thursday from 12:00 to 13:00, in Beta.",
                  "Noel Free is busy on Thursday at 12:00."):
        assert check.check(reply, used, now=NOW).verdict is Verdict.SUPPORTED
    assert check.check("Noel Free is free on Thursday at 12:00.", used, now=NOW).verdict \
        is Verdict.CONTRADICTED


@pytest.mark.parametrize(("reply", "expected"), [
    ("Lantern day is all day from Friday 6 March to Sunday 8 March.", Verdict.SUPPORTED),
    ("Lantern day is on Saturday 7 March.", Verdict.SUPPORTED),
    ("Lantern day is on Monday 9 March.", Verdict.CONTRADICTED),
    ("Lantern day is on Thursday 5 March.", Verdict.CONTRADICTED)])
def test_check_knows_each_day_of_an_event_of_whole_days(reply, expected):
    event = Event("e1", "Lantern day", at(6, 0), at(9, 0), all_day=True)
    kb = KnowledgeBase(name="F", timezone=ZONE, events=[event])
    fact = Fact("takes_place", ("e1", event_window(event)))
    used = [RankedFact(fact, Verbaliser(kb, NOW).say(fact), 0.9)]
    found = GraphCheck(GazetteerDetector(kb)).check(reply, used, now=NOW, spoken_of={"e1"})
    assert found.verdict is expected


@pytest.mark.parametrize(("said", "passes"), [
    ("on Thursday 5 March from 11:30 to 12:30", True), ("on March 5 at 11:30", True),
    ("on Friday 5 March at 11:30", False), ("on March 6 at 11:30", False),
    ("on 5 March 2027 at 11:30", False)])
def test_a_date_of_what_is_long_over_is_read_in_its_own_year(kb, said, passes):
    now = dt.datetime(2026, 9, 1, 9, tzinfo=ZONE)
    fact = Fact("takes_place", ("e1", event_window(kb.events["e1"])))
    used = [RankedFact(fact, Verbaliser(kb, now).say(fact), 0.9)]
    verdict = GraphCheck(GazetteerDetector(kb)).check(
        f"The lens workshop was {said}.", used, now=now)
    assert verdict.passed == passes
