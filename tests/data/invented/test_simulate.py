from __future__ import annotations

import datetime as dt
import itertools
from collections import Counter
from zoneinfo import ZoneInfo

import pytest

from frontdesk.data.invented.simulate import demo_organisation
from frontdesk.kg.graph.errors import OrganisationError
from frontdesk.kg.sources.import_json import dump_json

OSLO = ZoneInfo("Europe/Oslo")
#: Two weeks, a change of clocks (29 March) among them.
DAYS = [dt.datetime(2026, 3, 18, 12, tzinfo=OSLO) + dt.timedelta(days=day) for day in range(14)]


@pytest.fixture(params=DAYS, ids=lambda day: day.strftime("%a-%d"))
def now(request):
    return request.param


@pytest.fixture
def kb(now):
    return demo_organisation(now)


def test_simulate_gives_the_numbers_asked_for(now):
    kb = demo_organisation(now, people=20, groups=3, rooms=4, events=30)
    assert [len(table) for table in (kb.people, kb.groups, kb.bookable_rooms(), kb.events)] == [
        20, 3, 4, 30]


def test_simulate_is_the_same_for_the_same_seed_and_day(now):
    later = now.replace(hour=17, minute=5)
    assert dump_json(demo_organisation(now)) == dump_json(demo_organisation(later))
    assert dump_json(demo_organisation(now)) != dump_json(demo_organisation(now, seed=1))


def test_simulate_books_no_room_and_nobody_twice(kb):
    for one, other in itertools.combinations(kb.events.values(), 2):
        if one.start < other.end and other.start < one.end:
            assert one.location != other.location
            assert not set(one.participants()) & set(other.participants())


def test_simulate_keeps_to_office_hours_of_the_coming_week(kb, now):
    for event in kb.events.values():
        assert event.start.hour * 60 + event.start.minute >= 8 * 60
        assert event.end.hour * 60 + event.end.minute <= 18 * 60
        assert event.start.date() == event.end.date()
        assert 0 <= (event.start.date() - now.date()).days <= 9
    weekend = [event for event in kb.events.values() if event.start.weekday() >= 5]
    assert len(weekend) < len(kb.events) / 4


def test_simulate_has_events_today_and_at_every_moment_of_a_working_day(kb, now):
    assert any(now.date() in event.days() for event in kb.events.values())
    if now.weekday() < 5:
        for half_hours in range(20):
            moment = now.replace(hour=8 + half_hours // 2, minute=half_hours % 2 * 30 + 15)
            assert any(event.start <= moment < event.end for event in kb.events.values())


def test_simulate_has_recurring_events(kb):
    series = {event.series for event in kb.events.values() if kb.is_recurring(event)}
    assert any("standup" in name for name in series)


def test_simulate_has_one_pair_of_people_with_one_first_name(kb):
    names = [person.name for person in kb.people.values()]
    first = Counter(name.split()[0] for name in names)
    assert len(set(names)) == len(names)
    assert sorted(first.values())[-2:] == [1, 2]


def test_simulate_gives_every_person_contact_details_and_an_office(kb):
    for person in kb.people.values():
        assert person.email.endswith("@example.org")
        assert person.phone.startswith("+44 1632 960")
        office = kb.rooms[person.office]
        assert not office.bookable
        assert office.floor == int(office.name[0])
    assert len({person.email for person in kb.people.values()}) == len(kb.people)


def test_simulate_is_in_the_zone_of_now_unless_told_otherwise(now):
    assert demo_organisation(now).timezone == OSLO
    assert demo_organisation(now, timezone=ZoneInfo("UTC")).timezone.key == "UTC"
    assert demo_organisation(now.replace(tzinfo=None)).timezone.key == "UTC"


@pytest.mark.parametrize("numbers", [{"people": 1}, {"rooms": 0}, {"groups": 0}, {"events": -1}])
def test_simulate_refuses_numbers_that_are_too_small(numbers):
    with pytest.raises(OrganisationError, match="cannot have"):
        demo_organisation(DAYS[0], **numbers)


def test_simulate_says_when_events_find_no_place():
    with pytest.raises(OrganisationError, match="no free room"):
        demo_organisation(DAYS[0], people=3, rooms=1, events=500)
