"""Questions about predicates of house rules, in words that no rule file has."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from frontdesk.agent.domains.domain_registry import DEFAULT
from frontdesk.agent.sessions.load_components import load_meaning
from frontdesk.kg.graph.logical_forms import Sort, read_form
from frontdesk.kg.parser.name_marks import NameMarks
from frontdesk.kg.parser.parser_input import ParserInput
from frontdesk.rules.house_rules.rule_files import load_user_rules
from frontdesk.rules.linking.predicate_questions import PredicateQuestions

from ...generation.answers.worded import organisation

SAMPLES = json.loads((Path(__file__).parents[2] / "samples" / "house_questions.json").read_text())
#: Of 50 questions of each file, and of the 100 that ask for none of them.
HITS, FALSE_ALARMS = (36, 41, 42), (3, 3, 3)


@pytest.fixture(scope="module")
def finder(encoder, tmp_path_factory):
    """``finder(number)``: of a rule file."""
    def make(number):
        path = tmp_path_factory.mktemp("rules") / "house.pl"
        path.write_text(SAMPLES["files"][number]["rules"], encoding="utf-8")
        rules = load_user_rules([path])
        return PredicateQuestions(rules.examples, rules.schema, encoder.encode)
    return make


@pytest.fixture(scope="module")
def asked():
    """``asked(finder, question, number)``: the query that is found, or None."""
    kb = organisation()
    parser, marks = load_meaning("", DEFAULT.schema).parser, NameMarks(kb)
    names = {"P": [each.name for each in kb.people.values()],
             "R": [each.name for each in kb.bookable_rooms()],
             "G": [each.name for each in kb.groups.values()],
             "E": [each.name for each in kb.events.values()]}

    def worded(question, number):
        return question.format(P2=names["P"][-1], **{
            key: each[number % len(each)] for key, each in names.items()})

    # Several that are as long are parsed in a third of the time.
    together = sorted({worded(*each) for each in (*((question, place) for file in SAMPLES["files"]
                       for questions in file["questions"].values()
                       for place, question in enumerate(questions)),
                       *((question, place) for place, question in enumerate(SAMPLES["ordinary"])))
                       }, key=len)
    parsed = {}
    for first in range(0, len(together), 16):
        some = together[first:first + 16]
        parsed |= zip(some, parser.parse_all(
            [ParserInput(each, names=marks.find(each)) for each in some]), strict=True)

    def ask(finder, question, number=0):
        words = worded(question, number)
        known = marks.find(words)
        best = (parsed.get(words) or parser.parse(ParserInput(words, names=known)))[0]
        found = finder.asked(words, best.forms, best.probability, known)
        if found is None:
            return None
        finder.language.check(found.query, Sort.QUERY)
        return found.query
    return ask


@pytest.mark.parametrize("number", range(3))
def test_most_questions_about_house_predicates_are_found_and_hardly_any_other(finder, asked,
                                                                              number):
    found = finder(number)
    hits = 0
    for predicate, questions in SAMPLES["files"][number]["questions"].items():
        heads = {predicate, *(predicate.replace("_rooms", each) for each in ("", "_room"))}
        for place, question in enumerate(questions):
            query = asked(found, question, place)
            hits += query is not None and predicate.endswith("_rooms") == (
                query.head == "which") and any(each.head in heads
                                               for each in query.walk())
    wrong = sum(asked(found, each, place) is not None
                for place, each in enumerate(SAMPLES["ordinary"]))
    assert hits >= HITS[number]
    assert wrong <= FALSE_ALARMS[number]


@pytest.mark.parametrize(("question", "query"), [
    ("is {R} calm tomorrow at ten", '(holds (quiet_room (room "ROOM") (at "tomorrow at ten")))'),
    ("what equipment does {R} have", '(has (room "ROOM"))'),
    ("book {R} tomorrow at ten", None), ("", None)])
def test_a_question_becomes_a_form_with_the_predicate_as_a_head(finder, asked, question, query):
    room = organisation().bookable_rooms()[0].name
    if not question:
        assert finder(0).asked("", (), 1.0, ()) is None
    else:
        expected = None if query is None else read_form(query.replace("ROOM", room))
        assert asked(finder(0), question) == expected
