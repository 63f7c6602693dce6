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
from frontdesk.rules.engine.query_answer import QueryAnswer

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


def _at(day: int, hour: int, minute: int = 0) -> dt.datetime:
    return dt.datetime(2026, 3, day, hour, minute, tzinfo=ZONE)


@pytest.fixture(scope="module")
def answering():
    return organisation_components(KnowledgeBase(
        name="Fjordlight", timezone=ZONE,
        groups=[Group(each, each.title()) for each in ("optics", "finance", "design")],
        rooms=[Room("beta", "Beta", floor=1), Room("rowan", "Rowan", floor=2),
               Room("cedar", "Cedar", floor=2), Room("hall", "Hall", floor=2),
               Room("fir", "Fir", floor=1),
               *(Room(each, each, floor=int(each[0]), bookable=False)
                 for each in ("214", "215", "302"))],
        people=[Person("ines", "Ines Okafor", "i@example.org", "4416", "optics", "214"),
                Person("bo", "Bo Haraldsen", "b@example.org", "4417", "optics", "215"),
                Person("fatima", "Fatima Alba", "f@example.org", "4418", "finance", "302")],
        events=[
            Event("e1", "early check", _at(2, 8), _at(2, 8, 30), "rowan", "ines", ("ines", "bo")),
            Event("e2", "crit", _at(2, 9), _at(2, 10), "hall", "fatima", ("fatima", "bo")),
            Event("e3", "lunch talk", _at(2, 12), _at(2, 13), "cedar", "ines",
                  ("ines", "bo", "fatima")),
            Event("e4", "planning", _at(2, 15), _at(2, 16), "fir", "ines", ("ines", "fatima")),
            Event("e5", "workshop", _at(3, 12), _at(3, 14), "beta", "bo", ("bo", "ines")),
            Event("e6", "handover", _at(3, 16), _at(3, 17), "beta", "bo", ("bo",))])).queries


def answered(answering, query: str) -> QueryAnswer:
    """The answer of a question."""
    form, dialogue = read_form(query), DialogueGraph()
    LANGUAGE.check(form, Sort.QUERY)
    dialogue.add_turn(USER, [Hypothesis("asked")], at=NOW)
    found, = answering.answer([form], [], answering.links(dialogue, now=NOW), speaker=None).answers
    return found


def told(answer: QueryAnswer) -> tuple[object, ...]:
    """What an answer tells besides what was asked."""
    return answer.kind, answer.holds, {(each.value, each.of) for each in answer.items}


def admits(answer: QueryAnswer, restriction: str) -> bool:
    """Whether an answer names a restriction as what it does not rest on, or what is not known."""
    forms = [*read_form(restriction).walk()]
    words = " ".join(each.text for each in forms[0].spans())
    return any(f"“{words}”" in each if words else "all that you said" in each
               for each in answer.notes) \
        or not {words, *(each.head for each in forms)}.isdisjoint(answer.missing)


def cases() -> list[tuple[tuple[str, str], tuple[str, str]]]:
    """Questions with a restriction and with the contrary one, and both of these: alone, or beside
    another restriction, before or after it, which holds of all."""
    found = []
    for kind, pairs in RESTRICTIONS.items():
        found += [((question.format(f"({kind} {pair[0]} {other})" if first else
                                    f"({kind} {other} {pair[0]})"),
                    question.format(f"({kind} {pair[1]} {other})" if first else
                                    f"({kind} {other} {pair[1]})")), pair)
                  for question, pair, other, first in product(
                      QUESTIONS[kind], pairs, ["", *OTHERS[kind]], (True, False))
                  if other or first]
    return found


@pytest.mark.parametrize(("queries", "restrictions"), random.Random(5).sample(cases(), 90))
def test_a_restriction_changes_the_answer_or_it_is_said_that_it_does_not(
        answering, queries, restrictions):
    one, other = (answered(answering, each) for each in queries)
    assert told(one) != told(other) or all(map(admits, (one, other), restrictions))
