"""Dialogues with the demo organisation: what references mean of what is talked about."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from frontdesk.agent import load_organisation
from frontdesk.agent.domains.organisation_pack import organisation_components
from frontdesk.kg.graph.dialogue_graph import AGENT, USER, DialogueGraph, Hypothesis
from frontdesk.kg.graph.facts import Provenance
from frontdesk.kg.graph.logical_forms import Form, read_forms

ZONE = ZoneInfo("Europe/Oslo")


@pytest.fixture(scope="module")
def queries():
    demo = load_organisation(org="demo", now="2026-03-17T09:30", timezone="Europe/Oslo")
    return organisation_components(demo.kb).queries


@pytest.fixture
def last_reply(queries):
    """What the last of some turns is answered with."""
    def talk(*turns: str, at: str = "09:30", speaker: str = "") -> str:
        now = dt.datetime.fromisoformat(f"2026-03-17T{at}").replace(tzinfo=ZONE)
        dialogue, text = DialogueGraph(), ""
        if speaker:
            dialogue.identify_user(speaker, probability=1.0, provenance=Provenance("test"))
        for turn in turns:
            node = dialogue.add_turn(USER, [Hypothesis(turn)], at=now)
            acts = read_forms(turn)
            answered = queries.answer(
                [each for act in acts if act.head == "ask" for each in act.arguments],
                [act for act in acts if act.head != "ask"], queries.links(dialogue, now=now),
                speaker=speaker or None)
            asked = [Form("ask", (each,)) for each in answered.queries]
            dialogue.set_forms(node, " ".join(map(str, asked or acts)), about=answered.about,
                               answers=answered.entities, window=answered.window,
                               asked_back=answered.asked_back)
            text = answered.text
            dialogue.add_turn(AGENT, [Hypothesis(text)], at=now)
        return text
    return talk


HIRING = '(ask (which (person (attends (event "hiring interview")))))'
SHE, HER = '(that (type "she"))', '(that (type "her"))'
SHARES = f'(ask (which (person (office (room (office_of {HER}))) (except {HER}))))'
CHECK_IN = (f'(ask (which (among (or (event "check-in" (attends {HER})) (event "hiring review")) '
            '(nth 1))))')
PEOPLE = '(ask (which (person (member_of (group "People Team")))))'


@pytest.mark.parametrize("turns", [
    ['(ask (lasts (event "roadmap review")))', "(ask (which (person (location (that)))))"],
    ['(ask (when (event "roadmap review")))', "(ask (which (person (location (that)) (now))))"]])
def test_who_is_in_there_asks_who_takes_part_in_the_event_that_was_spoken_of(last_reply, turns):
    assert "Cormac Rasmussen, Greta Kuznetsov and Tadeusz Schreiber" in last_reply(*turns,
                                                                                   at="09:50")


def test_whether_somebody_is_in_an_event_asks_whether_they_take_part_in_it(last_reply):
    assert last_reply('(ask (holds (location (person "Tadeusz") (event "roadmap review"))))',
                      at="09:50").startswith("Yes")


def test_what_an_utterance_asks_of_it_is_the_event_that_it_has_just_asked_for(last_reply):
    assert "Juniper on the 3rd floor" in last_reply(
        "(ask (when (event (attends (me)) (nth 1)))) (ask (where (that)))",
        speaker="person-delphine-holm")


def test_that_is_the_event_and_not_those_who_come(last_reply):
    assert "Gorse" in last_reply('(ask (where (event "hiring interview")))', HIRING,
                                 "(ask (where (that)))")


@pytest.mark.parametrize("people", ['(and (person "Xavier") (person "Amara"))',
                                    '(and (person "Dagny") (person "Emeka"))'])
def test_it_is_never_several_people_where_an_event_is_asked_for(last_reply, people):
    free, it = f"(ask (when (free {people})))", "(ask (organizer (that)))"
    assert last_reply(free, it).startswith("Do you mean")
    text = last_reply(free, '(ask (which (event (at "today") (nth -1))))', it)
    assert text.startswith("Do you mean the delivery delay workshop")
    assert text.endswith("the travel policy workshop organised by Amara Tanaka?")


def test_whom_the_user_calls_she_stays_she_whoever_is_told_beside(last_reply):
    parcel = '(ask (where (person "Hana Yamada"))) (ask (phone (person "Hana Yamada")))'
    assert "room 298" in last_reply(parcel, SHARES, f'(ask (holds (present {SHE} (at "today"))))')
    assert "briefing" in last_reply(parcel, SHARES, f'(ask (holds (present {SHE} (at "today"))))',
                                    f"(ask (when (event (attends {HER}) (next))))")


def test_he_is_whom_the_user_asked_about_and_nobody_of_a_list(last_reply):
    he = '(that (type "he"))'
    turns = ['(ask (about (person "Rafael Dahl")))',
             f'(ask (which (event (attends {he}) (at "13:00"))))',
             "(ask (which (person (attends (that)))))"]
    assert "hiring review" in last_reply(
        *turns, f'(ask (which (event (attends {he}) (at "17:00"))))')
    # also where he was named and no pronoun told
    named = '(ask (which (event (attends (person "Rafael Dahl")) (at "13:00"))))'
    assert "?" not in last_reply(named, turns[2], f"(ask (office {he}))")


def test_it_is_the_one_of_a_list_that_an_order_has_picked(last_reply):
    assert last_reply('(ask (which (event (attends (me)) (at "today"))))',
                      "(ask (where (answers (nth 1))))",
                      "(ask (which (person (attends (that)) (except (me)))))",
                      speaker="person-maeve-toivonen").startswith("Amara Tanaka and Xavier Novak")


def test_what_is_spoken_of_stays_so_through_turns_about_nothing(last_reply):
    free = '(ask (holds (free (person "Soraya") (then_before))))'
    turns = ['(ask (where (event "hiring interview")))', free, "(ask (floor (that)))"]
    assert "4th floor" in last_reply(*turns)
    assert "632960632" in last_reply(
        *turns, '(unsupported "lift")', '(unsupported "parking")',
        "(ask (phone (person (organises (that)))))").replace(" ", "")


# --- several

@pytest.mark.parametrize("query", ["(ask (which (person (attends (those)))))",
                                   '(ask (holds (attends (person "Nadia") (those))))'])
def test_both_are_the_two_that_were_asked_about(last_reply, query):
    text = last_reply('(ask (holds (present (person "Nadia"))))', CHECK_IN,
                      '(ask (holds (attends (person "Chiara") (those))))', query)
    assert text.startswith(("Nadia Bianchi and Rafael Dahl are", "Yes"))
    assert "patent check-in and the hiring review" in text


@pytest.mark.parametrize("those", ["(those)", '(that (type "their"))'])
def test_their_next_meeting_is_the_next_of_any_where_they_have_none_together(last_reply, those):
    text = last_reply(PEOPLE, f'(ask (which (event (attends {those}) (at "tomorrow") (next))))',
                      at="16:45")
    assert "Joaquin Kowalczyk's or Rosalind Sorensen's next meeting tomorrow is the supplier demo" \
        in text


def test_their_next_meeting_is_one_of_both_where_they_have_one(last_reply):
    both = '(ask (when (free (and (person "Joaquin") (person "Henrik Demir")))))'
    text = last_reply(both, '(ask (which (event (attends (those)) (at "tomorrow") (next))))')
    assert "supplier demo" in text
    assert " or " not in text


def test_several_are_named_once(last_reply):
    text = last_reply(PEOPLE, '(ask (which (event (attends (that (type "they"))) '
                      '(at "tomorrow"))))')
    assert text == ("Delphine Holm, Greta Kuznetsov, Hyun Thorne, Joaquin Kowalczyk and "
                    "Rosalind Sorensen have nothing on together tomorrow.")


# --- what is asked back

def test_a_possessive_tells_events_of_one_name_apart(last_reply):
    assert last_reply('(ask (holds (present (person "Nadia"))))', CHECK_IN).startswith(
        "The patent check-in is earlier")


def test_a_time_tells_events_of_one_name_apart(last_reply):
    assert "supplier demo is" in last_reply('(ask (where (event "demo" (at "tomorrow"))))')


def test_of_events_of_one_name_the_own_one_today_is_meant(last_reply):
    assert "customer survey demo" in last_reply('(ask (when (event "demo" (attends (me)))))',
                                                speaker="person-petra-ivanova")
    asked = last_reply('(ask (when (event "demo")))', speaker="person-petra-ivanova")
    assert asked.endswith("the customer survey demo today or the warranty demo on Friday 20 March?")
    assert "supplier demo" in last_reply('(ask (when (event "demo")))')


def test_a_question_back_that_was_left_alone_is_not_asked_again(last_reply):
    rafael = '(ask (about (person "Rafael")))'
    present = '(ask (holds (present (that (type "he")) (at "today"))))'
    assert last_reply(rafael).endswith("?")
    assert last_reply(rafael, present).startswith("If you mean Rafael Ghosh: ")
    assert last_reply(rafael, rafael).endswith("?")  # it is asked for the same once more


@pytest.mark.parametrize("order", ["(next)", "(nth 2)", "(previous)"])
def test_an_order_that_none_of_those_asked_for_is_in_is_no_nobody(last_reply, order):
    text = last_reply('(ask (where (person "Rafael Dahl")))', '(ask (which (person (office (room '
                      f'(office_of (that (type "his"))))) {order})))')
    assert text.startswith("I cannot tell which person is the ")


def test_the_last_meeting_ends_when_the_last_of_them_ends(last_reply):
    assert "17:00" in last_reply('(ask (ends (event (at "thursday") (nth -1))))')
    assert "budget briefing" in last_reply('(ask (starts (event (at "thursday") (nth -1))))')
