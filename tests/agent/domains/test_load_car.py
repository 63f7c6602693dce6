"""What a car knows: the table of a KVRET dialogue, or one that is made up."""

from __future__ import annotations

import gzip
import json

import pytest

from frontdesk.agent.domains.car_pack import CAR_PACK, load_car
from frontdesk.agent.domains.domain_registry import load_domain
from frontdesk.agent.sessions.load_agent import load_agent
from frontdesk.kg.car.car_types import CarType
from frontdesk.kg.graph.errors import InputError

from ...templates import TEMPLATES


@pytest.fixture
def file(tmp_path):
    """Two dialogues, compressed; the second has no table."""
    def entry(name, items):
        return {"dialogue": [{"turn": "driver", "data": {"end_dialogue": False,
                                                         "utterance": "when is my choir?"}}],
                "scenario": {"kb": {"items": items, "column_names": ["event", "date"],
                                    "kb_title": "calendar"},
                             "task": {"intent": "schedule"}, "uuid": name}}

    path = tmp_path / "kvret.json.gz"
    path.write_bytes(gzip.compress(json.dumps([
        entry("one", [{"event": "choir", "date": "tuesday"}]), entry("two", None)]).encode()))
    return path


@pytest.mark.parametrize("which", ["0", "one"])
def test_a_table_is_named_by_its_number_or_its_id(file, which):
    base = load_car(kvret=f"{file}#{which}").kb
    assert [base.entity(each).name for each in base.of_type(CarType.ACTIVITY)] == ["choir"]


def test_that_there_is_no_table_is_told(file):
    loaded = load_car(kvret=f"{file}#1")
    assert any("no table" in each for each in loaded.warnings)


@pytest.mark.parametrize(("which", "says"), [
    ("#2", "has no dialogue '2'.*0 to 1"), ("#three", "has no dialogue 'three'"),
    ("#-1", "has no dialogue '-1'"), ("#", "names no dialogue"), ("", "names no dialogue")])
def test_what_names_no_dialogue_is_an_error(file, which, says):
    with pytest.raises(InputError, match=says):
        load_car(kvret=f"{file}{which}")


@pytest.mark.parametrize(("domain", "sources", "says"), [
    ("car", {"ics": ["x.ics"]}, "--ics is no source of the domain car.*--domain organisation"),
    ("organisation", {"kvret": "f#0"}, "--kvret is no source.*--domain car"),
    ("ship", {}, "there is no domain 'ship'.*organisation, car")])
def test_sources_go_with_their_domain(domain, sources, says):
    with pytest.raises(InputError, match=says):
        load_domain(domain, sources)


@pytest.mark.parametrize(("question", "reply"), [
    ("What is the weather in Alder Bay tomorrow?",
     "In Alder Bay tomorrow, Thursday, there will be rain, with a low of 50F and a high of 57F."),
    ("Where is the nearest gas station?", "The nearest gas station is Green Pump, 1 mile away."),
    ("What do I have on my calendar tomorrow?",
     "On Thursday you have a dentist appointment at 10:30 am."),
    ("Who is the dinner with?", "You have a dinner on Wednesday at 7 pm with your aunt."),
    ("Please schedule a meeting with my boss on Friday at 3 pm",
     "I can look things up in your calendar, but I cannot add, change or remind you of anything "
     "yet. On Friday you have a meeting at 9 am."),
    ("Is there a museum nearby?", "I have no entry for “museum”.")])
def test_a_car_that_knows_of_everything_tells_topics_apart(question, reply):
    loaded = load_car(now="2026-11-25T09:00")  # a Wednesday
    assert load_agent(TEMPLATES, loaded).session().reply(question).text == reply


def test_a_car_changes_nothing():
    assert CAR_PACK.actions is None
    assert load_agent(TEMPLATES, load_car(now="2026-11-25T09:00")).calendar is None
