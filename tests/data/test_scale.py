from __future__ import annotations

import datetime as dt
from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest
from support.scale import YEAR, scaled

from frontdesk.data.invented.simulate import demo_organisation
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.errors import OrganisationError
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

BERLIN = ZoneInfo("Europe/Berlin")
NOW = dt.datetime(2026, 3, 24, 9, tzinfo=BERLIN)
BOTH = pytest.mark.parametrize("dense", [True, False])


@pytest.fixture(scope="module")
def kb() -> KnowledgeBase:
    return demo_organisation(NOW, seed=3, events=40)


def copies(kb: KnowledgeBase, big: KnowledgeBase) -> list[tuple[Event, Event]]:
    """Each copy with its original."""
    return [(kb.events[event.id.rpartition("+")[0]], event) for event in big.events.values()
            if event.id not in kb.events]


@BOTH
def test_scale_has_so_many_times_the_events_and_all_else_alike(kb, dense):
    big = scaled(kb, 7, dense=dense)
    assert len(big.events) == 7 * len(kb.events)
    assert (big.people, big.groups, big.rooms) == (kb.people, kb.groups, kb.rooms)
    assert all(big.events[event] == kb.events[event] for event in kb.events)
    for original, copy in copies(kb, big):
        assert replace(copy, id=original.id, name=original.name, start=original.start,
                       end=original.end, series=original.series) == original
        assert (copy.end.astimezone(dt.UTC) - copy.start.astimezone(dt.UTC)
                == original.end.astimezone(dt.UTC) - original.start.astimezone(dt.UTC))


def test_scale_by_one_changes_nothing(kb):
    assert scaled(kb, 1, dense=True).events == scaled(kb, 1, dense=False).events == kb.events


def test_scale_dense_copies_are_on_the_day_of_their_original_at_other_times(kb):
    moved = 0
    for original, copy in copies(kb, scaled(kb, 5, dense=True)):
        assert copy.days() == original.days()
        assert copy.start.hour >= 8
        assert copy.end <= copy.end.replace(hour=18, minute=0)
        moved += copy.start != original.start
    assert moved > 3 * len(kb.events)


def test_scale_sparse_copies_are_on_days_without_an_original_within_a_year(kb):
    taken = {day for event in kb.events.values() for day in event.days()}
    days = set()
    for original, copy in copies(kb, scaled(kb, 40, dense=False)):
        assert taken.isdisjoint(copy.days())
        assert min(taken) <= copy.start.date() < min(taken) + dt.timedelta(days=YEAR)
        assert copy.start.timetz() == original.start.timetz()
        days |= set(copy.days())
    assert len(days) > 300


@BOTH
def test_scale_leaves_a_night_and_whole_days_where_they_are(dense):
    night = Event("e-night", "observation", dt.datetime(2026, 3, 24, 22, tzinfo=BERLIN),
                  dt.datetime(2026, 3, 25, 4, tzinfo=BERLIN))
    fair = Event("e-fair", "trade fair", dt.datetime(2026, 3, 28, tzinfo=BERLIN),
                 dt.datetime(2026, 3, 30, tzinfo=BERLIN), all_day=True)  # 47 hours: a clock change
    kb = KnowledgeBase(name="L", timezone=BERLIN, events=[night, fair])
    for original, copy in copies(kb, scaled(kb, 20, dense=dense)):
        assert len(copy.days()) == 2
        assert (copy.start.hour, copy.end.hour) == (original.start.hour, original.end.hour)
        assert (copy.days() == original.days()) is dense


@BOTH
def test_scale_is_settled_by_its_seed(kb, dense):
    first = scaled(kb, 4, dense=dense, seed=1)
    assert scaled(kb, 4, dense=dense, seed=1).events == first.events
    assert scaled(kb, 4, dense=dense, seed=2).events != first.events


def test_scale_names_are_new_and_read_like_names_of_events(kb):
    big = scaled(kb, 200, dense=True)
    known = {entity.name for entity in kb.entities()}
    names = [copy.name for _, copy in copies(kb, big)]
    assert known.isdisjoint(names)
    assert not any(char.isdigit() for name in names for char in name)
    series = sum(bool(event.series) for event in kb.events.values())
    single = len(kb.events) - series
    assert len(set(names)) == 199 * (single + len({event.series for event in kb.events.values()
                                                   if event.series}))


def test_scale_can_keep_the_names(kb):
    big = scaled(kb, 3, dense=False, same_names=True)
    assert all(copy.name == original.name for original, copy in copies(kb, big))


def test_scale_copies_of_a_recurring_event_recur_together(kb):
    big = scaled(kb, 3, dense=False)
    recurring = [(original, copy) for original, copy in copies(kb, big) if original.series]
    assert recurring
    groups = {(original.series, copy.id.rpartition("+")[2]): set() for original, copy in recurring}
    for original, copy in recurring:
        groups[original.series, copy.id.rpartition("+")[2]].add((copy.series, copy.name))
    assert all(len(each) == 1 for each in groups.values())
    assert len({series for each in groups.values() for series, _ in each}) == len(groups)


def test_scale_refuses_what_cannot_be(kb):
    with pytest.raises(OrganisationError, match="scaled by 0"):
        scaled(kb, 0, dense=True)
    start = dt.datetime(2026, 1, 1, tzinfo=BERLIN)
    long = Event("e-long", "sabbatical", start, start + dt.timedelta(days=YEAR), all_day=True)
    full = KnowledgeBase(name="L", timezone=BERLIN, events=[long])
    with pytest.raises(OrganisationError, match="sabbatical"):
        scaled(full, 2, dense=False)


def test_scale_of_an_empty_calendar_is_empty():
    empty = KnowledgeBase(name="L", timezone=BERLIN)
    assert not scaled(empty, 10, dense=True).events
    assert not scaled(empty, 10, dense=False).events
