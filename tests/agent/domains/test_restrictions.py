"""No restriction of a question is dropped in silence: another one gives another answer, or it is
said that it was not taken into account.

Every restriction is tried beside its contrary, of which something else is so in this organisation.
"""

from __future__ import annotations

import datetime as dt
import random
from itertools import product
from zoneinfo import ZoneInfo

import pytest

from frontdesk.agent.domains.organisation_pack import organisation_components
from frontdesk.kg.graph.dialogue_graph import USER, DialogueGraph, Hypothesis
from frontdesk.kg.graph.entities import Event, Group, Person, Room
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.logical_forms import Sort, read_form
from frontdesk.rules.engine.query_answer import AnswerKind

from ...any_forms import LANGUAGE

ZONE = ZoneInfo("Europe/Oslo")
NOW = dt.datetime(2026, 3, 2, 9, 30, tzinfo=ZONE)  # a Monday
#: By type of entities, restrictions of which each holds of others than the one beside it.
RESTRICTIONS = {
    "person": [
        ('(member_of (group "Optics"))', '(member_of (group "Finance"))'),
        ('(not (member_of (group "Optics")))', '(not (member_of (group "Finance")))'),
        ('(office (room "214"))', '(office (room "302"))'),
        ('(office (room (floor "2")))', '(office (room (floor "3")))'),
        ('(location (room (floor "2")) (now))', '(location (room (floor "3")) (now))'),
        ('(floor "2")', '(floor "3")'), ("(office_floor 2)", "(office_floor 3)"),
        ('(is_free (at "noon"))', '(is_free (at "ten"))'),
        ('(is_busy (at "noon"))', '(is_busy (at "three"))'),
        ('(attends (event "workshop"))', '(attends (event "crit"))'),
        ('(attends (event "crit") (at "today"))', '(attends (event "crit") (at "tomorrow"))'),
        ('(organizer (event "workshop"))', '(organizer (event "crit"))'),
        ('(except (person "Ines"))', '(except (person "Bo"))'),
        ("(size 3)", "(size 4)"), ('(longer "an hour")', '(longer "two hours")'),
        ("(most)", "(fewest)"), ("(largest)", "(smallest)"), ("(nth 1)", "(nth 2)"),
        ('(at "noon")', '(at "three")')],
    "room": [
        ('(floor "1")', '(floor "2")'), ('(floor "mezzanine")', '(floor "attic")'),
        ('(not (floor "1"))', '(not (floor "2"))'),
        ('(is_free (at "noon"))', '(is_free (at "tomorrow at noon"))'),
        ('(location (event "workshop"))', '(location (event "crit"))'),
        ('(except (room "Beta"))', '(except (room "Rowan"))'),
        ("(size 8)", "(size 9)"), ("(larger 7)", "(larger 8)"), ("(largest)", "(smallest)"),
        ("(most)", "(fewest)"), ("(nth 1)", "(nth 2)"), ('(at "noon")', '(at "three")')],
    "group": [
        ('(floor "2")', '(floor "3")'), ("(size 2)", "(size 1)"), ("(larger 1)", "(smaller 2)"),
        ("(largest)", "(smallest)"), ('(is_free (at "noon"))', '(is_free (at "ten"))'),
        ('(except (group "Optics"))', '(except (group "Design"))')],
    "event": [
        ('(attends (person "Ines"))', '(attends (person "Fatima"))'),
        ('(attends (group "Finance"))', '(attends (group "Optics"))'),
        ('(organizer (person "Ines"))', '(organizer (person "Bo"))'),
        ('(location (room "Cedar"))', '(location (room "Beta"))'),
        ('(location (room (floor "1")))', '(location (room (floor "2")))'),
        ('(floor "1")', '(floor "2")'), ("(size 2)", "(size 3)"), ("(larger 2)", "(smaller 3)"),
        ('(long "an hour")', '(long "30 minutes")'),
        ('(lasting "an hour")', '(lasting "30 minutes")'),
        ('(longer "30 minutes")', '(shorter "an hour")'),
        ('(except (event "crit"))', '(except (event "lunch talk"))'),
        ('(not (attends (person "Ines")))', '(not (attends (person "Fatima")))'),
        ('(like "talk")', '(like "workshop")'),
        ('(at "today")', '(at "tomorrow")'), ('(before "noon")', '(after "noon")'),
        ("(so_far)", '(after "noon")'), ('(within "three hours")', '(within "30 hours")'),
        ("(next)", "(previous)"), ("(next 1)", "(next 2)"), ("(nth 1)", "(nth -1)"),
        ("(largest)", "(smallest)"), ("(longest)", "(shortest)")]}
#: By type, what holds of all of them.
OTHERS = {"person": ['(not (floor "9"))', "(office)"], "room": ['(not (floor "9"))'],
          "group": ["(not (size 9))"], "event": ['(longer "5 minutes")', '(not (floor "9"))']}
#: By type, questions in which it stands.
QUESTIONS = {
    "person": ["(which {})", "(exists {})", "(count {})", "(phone {})", "(member_of {})"],
    "room": ["(which {})", "(exists {})", "(count {})"],
    "group": ["(which {})", "(exists {})", "(count {})"],
    "event": ["(which {})", "(exists {})", "(count {})", "(when {})", "(where {})",
              "(which (room (location {})))"]}
#: Said of what cannot be restricted so, or is not known.
_ADMITS = ("I did not take", "I cannot tell", "I don't know")


def _at(day: int, hour: int, minute: int = 0) -> dt.datetime:
    return dt.datetime(2026, 3, day, hour, minute, tzinfo=ZONE)


@pytest.fixture(scope="module")
def answering():
    return organisation_components(KnowledgeBase(
        name="Fjordlight", timezone=ZONE,
        groups=[Group(each, each.title()) for each in ("optics", "finance", "design")],
        rooms=[Room("beta", "Beta", floor=1), Room("rowan", "Rowan", floor=2),
               Room("cedar", "Cedar", floor=2),
               *(Room(each, each, floor=int(each[0]), bookable=False)
                 for each in ("214", "215", "302"))],
        people=[Person("ines", "Ines Okafor", "i@example.org", "4416", "optics", "214"),
                Person("bo", "Bo Haraldsen", "b@example.org", "4417", "optics", "215"),
                Person("fatima", "Fatima Alba", "f@example.org", "4418", "finance", "302")],
        events=[
            Event("e1", "early check", _at(2, 8), _at(2, 8, 30), "rowan", "ines", ("ines", "bo")),
            Event("e2", "crit", _at(2, 9), _at(2, 10), "cedar", "fatima", ("fatima", "bo")),
            Event("e3", "lunch talk", _at(2, 12), _at(2, 13), "cedar", "ines",
                  ("ines", "bo", "fatima")),
            Event("e4", "planning", _at(2, 15), _at(2, 16), "rowan", "ines", ("ines", "fatima")),
            Event("e5", "workshop", _at(3, 12), _at(3, 14), "beta", "bo", ("bo", "ines"))])).queries


def reply(answering, query: str) -> tuple[str, bool]:
    """The reply to a question, and whether it says what it does not know or leaves out."""
    form, dialogue = read_form(query), DialogueGraph()
    LANGUAGE.check(form, Sort.QUERY)
    dialogue.add_turn(USER, [Hypothesis("asked")], at=NOW)
    answered = answering.answer([form], [], dialogue, now=NOW, speaker=None)
    return answered.text, any(each in answered.text for each in _ADMITS) or all(
        each.kind is AnswerKind.UNKNOWN for each in answered.answers)


def cases() -> list[tuple[str, str]]:
    """Questions with a restriction, each with that of the contrary one: alone, or beside another
    restriction, before or after it, which holds of all."""
    found = []
    for kind, pairs in RESTRICTIONS.items():
        found += [tuple(question.format(f"({kind} {restriction} {other})" if first else
                                        f"({kind} {other} {restriction})") for restriction in pair)
                  for question, pair, other, first in product(
                      QUESTIONS[kind], pairs, ["", *OTHERS[kind]], (True, False))
                  if other or first]
    return found


@pytest.mark.parametrize(("query", "contrary"), random.Random(5).sample(cases(), 90))
def test_a_restriction_changes_the_answer_or_it_is_said_that_it_does_not(
        answering, query, contrary):
    one, admitted = reply(answering, query)
    other, admitted_too = reply(answering, contrary)
    assert one != other or (admitted and admitted_too)
