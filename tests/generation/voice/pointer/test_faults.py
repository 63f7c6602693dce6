from __future__ import annotations

import pytest

from frontdesk.generation.voice.pointer.faults import Faults
from frontdesk.generation.voice.pointer.source import SourceFact, read_source
from frontdesk.generation.voice.pointer.target import Say, Symbol
from frontdesk.kg.graph.dialogue_graph import USER

NAMES = {"e_talk": ("lens talk", "event"), "e_tour": ("house tour", "event"),
         "p_ada": ("Ada Berg", "person"), "r_zeta": ("Zeta", "room")}


class Names:
    def plain_name(self, entity_id):
        return NAMES.get(entity_id)


def faults(*facts, question="When is it?"):
    source = read_source(((USER, question),), [SourceFact(text, "fact", arguments)
                                               for text, *arguments in facts], Names(), {})
    return Faults(source)


def symbols(*said):
    return [Symbol(Say.COPY if ":" in each else Say.WORD, each) for each in said]


@pytest.mark.parametrize(("words", "count"), [
    (("at",), 1), ((), 1), (("to",), 0), (("until", "about"), 0), (("ends", "at"), 0),
    (("to", "be", "at"), 1)])
def test_an_end_that_is_said_as_a_begin_is_a_fault(words, count):
    talk = faults(("The talk is from 13:00 to 14:00.", "e_talk"))
    assert talk.count(symbols(*words, "time:14:00"), "") == count


@pytest.mark.parametrize(("said", "count"), [
    (("at", "time:15:00"), 0), (("at", "time:16:00"), 1), (("at", "time:14:30"), 0)])
def test_what_begins_when_another_ends_is_no_fault_nor_what_the_user_said(said, count):
    facts = (("The talk is from 13:00 to 15:00.", "e_talk"),
             ("The tour is from 15:00 to 16:00.", "e_tour"),
             ("Zeta is free from 09:00 until 14:30.", "r_zeta"))
    assert faults(*facts, question="Is it at 14:30?").count(symbols(*said), "") == count


@pytest.mark.parametrize(("event", "time", "count"), [
    ("lens talk", "time:13:00", 0), ("lens talk", "time:14:00", 1), ("house tour", "time:14:00", 0),
    ("house tour", "time:15:00", 1)])
def test_each_event_of_a_list_has_ends_of_its_own(event, time, count):
    day = faults(("You have 2 events: the lens talk from 13:00 to 14:00 and the house tour from "
                  "14:00 to 15:00.", "e_talk", "e_tour"))
    said = symbols("the", f"name:{event}", "is", "at", time)
    assert day.count(said, "") == count


@pytest.mark.parametrize(("reply", "count"), [
    ("It has 2 attendees.", 0), ("It has two members.", 1), ("Two people attend.", 0),
    ("2 participants come.", 0), ("It has 3 members.", 0), ("You have two meetings.", 1)])
def test_a_number_that_counts_something_else_is_a_fault(reply, count):
    assert faults(("The lens talk has 2 attendees.", "e_talk")).count((), reply) == count


def test_faults_of_all_kinds_add_up():
    found = faults(("The lens talk has 2 attendees.", "e_talk"),
                   ("The lens talk is not open to guests.", "e_talk"),
                   ("Ada Berg's office is Zeta.", "p_ada", "r_zeta"))
    said = symbols("name:lens talk", "is", "in", "name:zeta")
    assert found.count(said, "The lens talk is open to guests. It has two members.") == 3
