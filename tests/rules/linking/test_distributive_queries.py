"""Queries of several people taken one by one."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from frontdesk.kg.graph.entities import Person
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.logical_forms import read_form
from frontdesk.rules.engine.query_answer import Resolution
from frontdesk.rules.linking.distributive_queries import distributive

KB = KnowledgeBase(name="F", timezone=ZoneInfo("UTC"), people=[
    Person("bo", "Bo Rask"), Person("bo2", "Bo Rask"), Person("mia", "Mia Toft")])
THOSE = read_form("(those)")


@pytest.mark.parametrize(("people", "asked"), [
    (("bo", "mia"), '(or (person "Bo Rask") (person "Mia Toft"))'), (("bo", "bo2", "mia"), None),
    (("bo", "bo2"), None), (("mia",), None)])
def test_people_are_asked_for_one_by_one_where_their_names_tell_them_apart(people, asked):
    resolution = Resolution({THOSE: [(each, 1.0) for each in people]},
                            dt.datetime(2026, 3, 2, tzinfo=KB.timezone), plural=frozenset({THOSE}))
    found = distributive(read_form("(which (event (attends (those)) (next)))"), resolution, KB)
    assert (found and str(found[0])) == (asked and f"(which (event (attends {asked}) (next)))")
