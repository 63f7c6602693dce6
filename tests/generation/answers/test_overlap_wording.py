"""Clashes, edges of events, days and numbers in words, over the demo organisation."""

from __future__ import annotations

from dataclasses import replace

import pytest

from frontdesk.kg.graph.facts import Fact
from frontdesk.kg.graph.windows import Window
from frontdesk.rules.engine.query_answer import AnswerKind

from .worded import (
    BRAINSTORM,
    FELIX,
    FRIDAY,
    GORSE,
    INTERVIEW,
    JUNIPER,
    REVIEW,
    SORAYA,
    STANDUP,
    TODAY,
    TOMORROW,
    WEEK,
    answer,
    facts_of,
    item,
    organisation,
    time_of,
    word,
    yes_or_no,
)


def hours(event: str) -> str:
    """As they stand in brackets."""
    window = time_of(event)
    return f"({window.start:%H:%M} to {window.end:%H:%M})"


def pair(*events: str) -> str:
    """Two events as they are told."""
    said = [f"the {organisation().events[each].name} {hours(each)}" for each in events]
    return " and ".join(said)


BOTH = (item(BRAINSTORM, INTERVIEW), item(INTERVIEW, BRAINSTORM))


def test_what_overlaps_is_told_with_its_times():
    told = word(yes_or_no('(clash (me) (at "today"))', 1.0, *BOTH, window=TODAY), speaker=FELIX)
    assert told.startswith(f"Yes: {pair(BRAINSTORM, INTERVIEW)}")


def test_that_nothing_overlaps_is_told_of_whom():
    assert word(yes_or_no('(clash (me) (at "Friday"))', 0.0, window=FRIDAY), speaker=FELIX) == \
        "No, nothing of yours overlaps on Friday 20 March."
    assert word(yes_or_no('(clash (room "Gorse"))', 0.0, about=(GORSE,))) == \
        "No, nothing in Gorse overlaps in the next seven days."
    told = word(yes_or_no('(clash (event "interview") (event (attends (person "Soraya"))))', 0.0,
                          about=(INTERVIEW, SORAYA)))
    assert told.startswith("No, nothing of Soraya Castellanos' overlaps with the hiring interview")


def test_what_may_overlap_is_told_as_that():
    maybe = [replace(each, probability=0.5) for each in BOTH]
    assert "Perhaps" in word(yes_or_no('(clash (person "Felix"))', 0.5, *maybe, about=(FELIX,)))


def test_who_is_double_booked_is_told_with_what():
    facts = (Fact("conflict", (FELIX, INTERVIEW, REVIEW)), *facts_of(INTERVIEW), *facts_of(REVIEW))
    found = answer('(which (person (clashes (at "this week"))))', AnswerKind.ENTITIES,
                   item(FELIX, facts=facts), window=WEEK)
    assert word(found).startswith("Felix Macleod is double booked this week")


def test_of_a_beginning_or_an_end_that_is_told():
    end = f"{time_of(INTERVIEW).end:%H:%M}"
    described = item(Window(time_of(INTERVIEW).start, time_of(INTERVIEW).end), INTERVIEW)
    for holds, verdict in ((1.0, "Yes"), (0.0, "No")):
        told = word(yes_or_no('(is (event "interview") (event (ending (before "noon"))))', holds,
                              described, about=(INTERVIEW,)))
        assert told.startswith(f"{verdict}, ")
        assert "ends" in told
        assert told.endswith(f"{end}.")


@pytest.mark.parametrize(("windows", "number", "said"), [
    ([FRIDAY], 3, "That is Friday 20 March, with three meetings."),
    ([TOMORROW, FRIDAY], 1, "That is tomorrow and Friday 20 March, with one meeting each."),
    ([], 0, "There is no such day this week.")])
def test_days_are_told_with_their_number(windows, number, said):
    form = '(which (day (at "this week") (most (event (attends (me)) (at (each))))))'
    found = answer(form, AnswerKind.ENTITIES, *(
        replace(item(each), number=number) for each in windows), window=WEEK)
    assert word(found, speaker=FELIX) == said


@pytest.mark.parametrize(("query", "entities", "said"), [
    ('(which (person (most (event (organizer (each))))))', [FELIX],
     "Felix Macleod organises the most meetings: four."),
    ('(which (room (fewest (event (location (each)))) (at "this week")))', [GORSE, JUNIPER],
     "Gorse and Juniper have the fewest meetings this week: four each."),
    ('(which (person (most (event (organizer (each))))))', [],
     "Nobody organises any meetings.")])
def test_who_has_the_most_is_told_with_the_number(query, entities, said):
    found = answer(query, AnswerKind.ENTITIES, *(
        replace(item(each), number=4) for each in entities),
        window=WEEK if "this week" in query else None)
    assert word(found) == said


def test_numbers_that_are_not_certain_are_told_as_that():
    order = '(which (person (most (event (organizer (each))))))'
    for probability, hedge in ((0.7, "Probably"), (0.2, "Perhaps")):
        found = answer(order, AnswerKind.ENTITIES, replace(
            item(FELIX), number=4, probability=probability))
        assert word(found) == f"{hedge} Felix Macleod organises the most meetings: four."
    day = '(which (day (at "this week") (most (event (attends (me)) (at (each))))))'
    days = [replace(item(each), number=3, probability=probability)
            for each, probability in ((FRIDAY, 1.0), (TOMORROW, 0.7))]
    assert word(answer(day, AnswerKind.ENTITIES, days[1], window=WEEK), speaker=FELIX) == (
        "Probably that is tomorrow, with three meetings.")
    assert word(answer(day, AnswerKind.ENTITIES, *days, window=WEEK), speaker=FELIX) == (
        "That is Friday 20 March, with three meetings, and probably tomorrow.")
    rooms = answer('(count (event (location (each (room))) (at "Friday")))', AnswerKind.COUNT,
                   item(2, GORSE), replace(item(1, JUNIPER), probability=0.7), window=FRIDAY)
    assert word(rooms) == (
        "Two meetings in Gorse and probably one in Juniper on Friday 20 March.")


def test_a_number_is_told_of_each():
    found = answer('(count (event (location (each (room))) (at "Friday")))', AnswerKind.COUNT,
                   item(2, GORSE), item(0, JUNIPER), window=FRIDAY)
    assert word(found) == "Two meetings in Gorse and none in Juniper on Friday 20 March."
    guests = answer('(count (person (attends (each (those)))))', AnswerKind.COUNT,
                    item(1, INTERVIEW), item(5, STANDUP))
    assert word(guests).startswith("One person at the hiring interview and five at the")
