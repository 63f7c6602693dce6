"""What a stranger is told does not depend on who shares a private event, where it is, or why."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from frontdesk.agent.access.access_rights import Access
from frontdesk.agent.domains.organisation_pack import organisation_components
from frontdesk.agent.domains.query_answering import AnsweredQueries
from frontdesk.agent.settings.settings import AccessSettings
from frontdesk.kg.graph.dialogue_graph import USER, DialogueGraph, Hypothesis
from frontdesk.kg.graph.entities import Event, Group, Person, Room
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.logical_forms import read_form

ZONE = ZoneInfo("UTC")
NOW = dt.datetime(2026, 3, 2, 10, 20, tzinfo=ZONE)


def at(hour: int) -> dt.datetime:
    return dt.datetime(2026, 3, 2, hour, tzinfo=ZONE)


def calendar(*private: Event) -> KnowledgeBase:
    return KnowledgeBase(
        name="F", timezone=ZONE, groups=[Group("g", "Optics")],
        rooms=[Room("birch", "Birch"), Room("alder", "Alder")],
        people=[Person(each.lower(), f"{each} {last}", group="g") for each, last in (
            ("Ada", "Berg"), ("Bo", "Lind"), ("Cyrus", "Vale"), ("Dee", "Moss"))],
        events=[*private, Event("open", "budget review", at(15), at(16), "alder", "dee",
                                ("ada", "dee")),
                Event("beside", "lens check", at(10), at(11), "alder", attendees=("cyrus",))])


def hidden_event(name: str, *people: str, room: str | None = None) -> Event:
    return Event(name, "layoff talk", at(10), at(11), room, attendees=people, private=True)


#: Ada, Bo and Cyrus are as busy, and Birch as taken, in all of them.
SHARED = (
    (hidden_event("h1", "ada", "bo", room="birch"), hidden_event("h2", "cyrus")),
    (hidden_event("h1", "ada", "cyrus", room="birch"), hidden_event("h2", "bo")),
    (hidden_event("h1", "ada", "bo", "cyrus", room="birch"),),
    (hidden_event("h1", "ada"), hidden_event("h2", "bo", "cyrus", room="birch")))
QUERIES = (
    '(exists (event (attends (person "Ada")) (attends (person "Bo"))))',
    '(exists (event (attends (person "Ada")) (attends (person "Cyrus"))))',
    '(which (event (attends (and (person "Ada") (person "Bo")))))',
    '(count (event (attends (person "Ada")) (attends (person "Bo"))))',
    '(which (person (attends (event (attends (person "Ada")) (now)))))',
    '(count (person (attends (event (attends (person "Ada")) (now)))))',
    '(holds (attends (person "Bo") (event (attends (person "Ada")) (now))))',
    '(holds (attends (event (attends (person "Ada")) (now)) (person "Bo")))',
    '(organizer (event (attends (person "Ada")) (now)))',
    '(where (event (attends (person "Ada")) (now)))', '(where (person "Ada") (now))',
    '(holds (location (person "Bo") (room "Birch") (now)))',
    '(holds (location (event (attends (person "Bo")) (now)) (room "Birch")))',
    '(which (person (location (room "Birch") (now))))',
    '(which (person (attends (event (location (room "Birch")) (now)))))',
    '(which (event (now)))', '(count (event (now)))', '(which (event (now) (largest)))',
    '(which (person (most)))', '(about (event (attends (person "Ada")) (now)))',
    '(which (event (attends (group "Optics")) (now)))', '(held_by (event (attends (me)) (now)))',
    '(holds (more (largest) (event (attends (person "Ada"))) (event "budget review")))',
    '(which (room (location (event (attends (person "Ada")) (now)))))',
    '(holds (free (person "Ada") (now)))', '(which (person (is_busy (now))))',
    '(holds (clash (person "Ada")))', '(when (clash (person "Bo")))', '(which (person (clashes)))',
    '(which (room (clashes)))', '(holds (clash (group "Optics")))', '(which (event (clashes)))',
    '(which (event (attends (group "Optics")) (clashes)))',
    '(holds (clash (event (attends (person "Ada")) (now)) (event (attends (person "Bo")) (now))))',
    '(holds (clash (event (attends (person "Ada")) (now)) (person "Cyrus")))',
    '(which (person (clashes (event (attends (person "Ada")) (now)))))',
    '(which (person (most (event (attends (each))))))',
    '(which (person (fewest (event (organizer (each))))))',
    '(which (room (most (event (location (each))))))',
    '(which (day (most (event (attends (group "Optics")) (at (each))))))',
    '(count (event (attends (each (and (person "Ada") (person "Bo") (person "Cyrus"))))))',
    '(count (event (location (each (room)))))',
    '(count (person (attends (each (event (attends (person "Ada")))))))',
    '(which (event (attends (person "Ada")) (ending (before "noon"))))')


def visible(*private: Event) -> KnowledgeBase:
    """The calendar as a stranger sees it."""
    kb = calendar(*private)
    return Access(AccessSettings()).view(kb, None, certain=False).of(kb)


def told(query: str, *private: Event) -> AnsweredQueries:
    kb = visible(*private)
    components = organisation_components(kb)
    dialogue = DialogueGraph()
    dialogue.add_turn(USER, [Hypothesis("?")], at=NOW)
    queries = components.queries
    assert queries is not None
    return queries.answer([read_form(query)], (), queries.links(dialogue, now=NOW), speaker=None)


@pytest.mark.parametrize("query", QUERIES)
def test_who_shares_a_hidden_event_and_where_it_is_changes_no_word(query: str) -> None:
    assert len({told(query, *private).text for private in SHARED}) == 1


@pytest.mark.parametrize("query", [
    '(exists (event (attends (person "Ada")) (attends (person "Bo"))))',
    '(exists (event (attends (person "Ada")) (attends (person "Cyrus"))))',
    '(holds (attends (person "Bo") (event (attends (person "Ada")) (now))))',
    '(holds (location (person "Bo") (room "Birch") (now)))',
    '(which (person (location (room "Birch") (now))))'])
def test_what_a_hidden_event_may_make_true_is_not_denied(query: str) -> None:
    for private in SHARED:
        text = told(query, *private).text.casefold()
        assert "private" in text
        assert not text.startswith(("no", "yes"))


def test_what_hidden_events_have_no_part_in_is_told_as_ever() -> None:
    for private in SHARED:
        assert "Alder" in told('(where (event "budget review"))', *private).text
        assert "Dee" in told('(organizer (event "budget review"))', *private).text
        guests = told('(which (person (attends (event "budget review"))))', *private).text
        assert "Bo" not in guests
        assert "Ada" in guests
        assert told('(holds (attends (person "Bo") (event "budget review")))',
                    *private).text.startswith("No")
        busy = told('(which (person (is_busy (now))))', *private).text
        assert all(each in busy for each in ("Ada", "Bo", "Cyrus"))
        assert "Dee" not in busy


@pytest.mark.parametrize("query", [
    '(which (person (most (event (attends (each))))))',
    '(which (day (most (event (attends (group "Optics")) (at (each))))))',
    '(count (event (attends (each (and (person "Ada") (person "Bo"))))))',
    '(count (event (attends (each (and (person "Dee") (person "Cyrus"))))))'])
def test_no_number_has_private_events_in_it_whoever_has_any(query: str) -> None:
    text = told(query, *SHARED[0]).text
    assert text.endswith("Private meetings are not counted.")
    assert text == told(query, *SHARED[0], hidden_event("h3", "ada", "cyrus")).text
    assert text.startswith(told(query).text)


def test_ids_of_hidden_events_tell_no_more_than_whose_time_they_take() -> None:
    answers = [told('(which (event (attends (person "Ada")) (now)))', *private)
               for private in SHARED]
    assert len({each.entities for each in answers}) == 1
    assert len({each.facts for each in answers}) == 1
    assert not {each.id for private in SHARED for each in private} & {
        entity for each in answers for fact in each.facts for entity in fact.entities()}


def test_a_hidden_event_is_one_of_its_own_for_everybody_whose_time_it_takes() -> None:
    kb = visible(*SHARED[0])
    masked = [event for event in kb.events.values() if event.masked]
    assert len(masked) == 4
    for event in masked:
        assert len((*event.participants(), *event.rooms)) == 1
        assert (event.name, event.organizer, event.group, event.series) == (
            "private event", None, None, "")
    for owner in ("ada", "bo", "cyrus", "birch", "dee"):
        whole = kb.timeline(owner).during(0, 10 ** 9)
        assert [(each.start, each.end) for each in whole] == [
            (each.start, each.end)
            for each in calendar(*SHARED[0]).timeline(owner).during(0, 10 ** 9)]


def test_hidden_events_at_one_time_stay_apart_whatever_ids_there_are() -> None:
    private = [hidden_event("h1", "ada"), hidden_event("h2", "ada")]
    masked = next(each.id for each in visible(*private).events.values() if each.masked)
    other = Event(masked, "open talk", at(12), at(13))
    kb = visible(*private, other)
    assert not kb.events[masked].masked
    assert sum(each.masked for each in kb.events.values()) == 2


def test_leave_that_is_hidden_takes_its_person_away_all_the_same() -> None:
    leave = replace(hidden_event("h1", "ada"), start=at(0), end=at(0) + dt.timedelta(days=1),
                    all_day=True)
    assert told('(holds (present (person "Ada") (now)))', leave).text.startswith("No")


@pytest.mark.parametrize("query", [
    '(which (event (like "private")))', '(which (event "private event"))',
    '(count (event (like "private")))', '(count (event "private event" (at "today")))'])
def test_how_many_take_part_is_not_told_by_how_often_a_hidden_event_is_there(query: str) -> None:
    assert len({told(query, hidden_event("h1", *people, room=room)).text for people, room in (
        (("ada",), None), (("ada", "bo", "cyrus"), None), (("ada", "bo", "dee"), "birch"))}) == 1
