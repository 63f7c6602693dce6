"""Graphs over HTTP: what is drawn, and that nothing is which somebody may not know."""

from __future__ import annotations

import json
import urllib.request
import xml.etree.ElementTree as ET

import pytest

from .calls import call
from .conftest import LOBBY, PHONE, running


def talk(service, *utterances: str, **data) -> str:
    """The URL of a session in which something was said."""
    session = f"{service.url}/sessions/{call(f'{service.url}/sessions', data)[1]['id']}"
    for text in utterances:
        assert call(f"{session}/turns", {"text": text, "explain": True})[0] == 200
    return session


def svg(url: str) -> tuple[ET.Element, dict[str, str]]:
    """A picture and the headers it came with."""
    request = urllib.request.Request(url, headers={
        "Accept": "image/svg+xml", "Authorization": f"Bearer {LOBBY}"})
    with urllib.request.urlopen(request, timeout=60) as response:
        return ET.fromstring(response.read()), dict(response.headers)


def arrows(graph: dict) -> set[tuple[str, str, str]]:
    """Where arrows begin, their kind, where they end."""
    return {(each["source"], each["kind"], each["target"]) for each in graph["edges"]}


def test_the_graph_of_the_last_turn_is_drawn(service):
    session = talk(service, "Where is the lens workshop?")
    status, graph, _ = call(f"{session}/graph")
    assert (status, graph["turn"], graph["heading"]) == (200, 1, "Turn 1")
    assert {("u1", "mention", "u1.m1"), ("u1.m1", "refers_to", "e:e2"), ("u2", "uses", "e:e2"),
            ("u2", "respond_to", "u1")} <= arrows(graph)
    by_id = {each["id"]: each for each in graph["nodes"]}
    assert (by_id["e:e2"]["kind"], by_id["e:e2"]["label"]) == ("event", "lens workshop")
    assert [name for name, each in by_id.items() if each["focus"]] == ["u1"]
    assert all(each["x"] >= 0 and each["x"] + each["width"] <= graph["width"]
               and each["y"] + each["height"] <= graph["height"] for each in graph["nodes"])
    assert any(line.startswith("lens workshop") and "Rowan" in line
               for line in graph["description"])


def test_a_graph_is_a_picture_where_that_is_asked_for(service):
    session = talk(service, "Where is the lens workshop?")
    for url in (f"{session}/graph", f"{service.url}/graph?entity=e2"):
        picture, headers = svg(url)
        assert picture.tag.endswith("svg")
        assert "lens workshop" in "".join(picture.itertext())
        assert headers["content-type"].startswith("image/svg+xml")
        assert "script-src" not in headers["content-security-policy"]
        assert "default-src 'none'" in headers["content-security-policy"]


def test_an_earlier_turn_is_drawn_as_it_was(tmp_path, encoder):
    with running(tmp_path, encoder, remembered=2) as service:
        session = talk(service, "Where is the lens workshop?", "When does it start?",
                       "Where is the budget review?")
        first, second = (call(f"{session}/graph?turn={each}")[1] for each in (1, 2))
        assert [each["label"] for each in first["nodes"] if each["kind"] == "user"] == [
            "Where is the lens workshop?"]
        assert ("u3.m1", "refers_to", "e:e2") in arrows(second)
        assert "e:e1" not in {each["id"] for each in second["nodes"]}


def test_what_was_said_before_is_drawn_as_far_as_it_has_to_do_with_a_turn(service):
    session = talk(service, "Where is the lens workshop?", "When does it start?",
                   "Where is the budget review?")
    second, third = (call(f"{session}/graph?turn={each}")[1] for each in (2, 3))
    assert {("u1.m1", "refers_to", "e:e2"), ("u3.m1", "refers_to", "e:e2")} <= arrows(second)
    assert "u5" not in {each["id"] for each in second["nodes"]}
    assert {each["id"] for each in third["nodes"] if each["kind"] == "user"} == {"u5"}


@pytest.mark.parametrize("query", ["?turn=2", "?turn=0", "?turn=x", "?turn=99999999999",
                                   "?entity=nobody", "?entity=e2&radius=3"])
def test_what_is_not_there_is_told(service, query):
    session = talk(service, "Where is the lens workshop?")
    status, problem, _ = call(f"{session}/graph{query}")
    assert status in (404, 422)
    assert problem["error"]["message"]


def test_a_session_without_turns_has_no_graph(service):
    status, problem, _ = call(f"{talk(service)}/graph")
    assert (status, "no graph of a turn 0" in problem["error"]["message"]) == (404, True)


def test_graphs_are_for_the_owner_of_the_session(service):
    session = talk(service, "hello")
    assert call(f"{session}/graph", key=PHONE)[0] == 404
    assert call(f"{session}/turns/1", key=PHONE)[0] == 404
    assert call(f"{session}/graph", key=None)[0] == 401
    assert call(f"{service.url}/graph", key=None)[0] == 401


def test_hidden_events_are_never_drawn(service):
    session = talk(service, "Is Bo Haraldsen free on Wednesday at nine?", "Is Beta free then?")
    for url in (f"{session}/graph?turn=1", f"{session}/graph?turn=2",
                f"{session}/graph?entity=bo&radius=2", f"{session}/graph?entity=beta",
                f"{service.url}/graph?entity=bo&radius=2", f"{service.url}/graph?limit=500"):
        status, found, _ = call(url)
        text = json.dumps(found)
        assert status == 200
        assert "salary" not in text
        assert '"e:e3"' not in text
        assert "private event" not in {each["label"] for each in found.get("nodes", ())}
        assert "private event" not in {each["name"] for each in found.get("entities", ())}
    for url in (f"{session}/graph?entity=e3", f"{service.url}/graph?entity=e3"):
        assert call(url)[0] == 404


def test_who_takes_part_in_a_hidden_event_sees_it(service):
    session = talk(service, "When is the salary talk?", speaker="mira@example.org")
    assert ("u1.m1", "refers_to", "e:e3") in arrows(call(f"{session}/graph")[1])
    status, graph, _ = call(f"{service.url}/graph?entity=e3&speaker=mira@example.org")
    assert (status, graph["heading"]) == (200, "salary talk and what it is related to")
    status, problem, _ = call(f"{service.url}/graph?entity=e3&speaker=mira", key=PHONE)
    assert (status, "may not say who speaks" in problem["error"]["message"]) == (422, True)


def test_what_was_told_somebody_else_is_not_drawn(service):
    session = talk(service, "I am Mira Castellan. When is the salary talk?",
                   "I am Ines Okafor. Where is the lens workshop?")
    assert call(f"{session}/graph")[0] == 200
    status, problem, _ = call(f"{session}/graph?turn=1")
    assert (status, "somebody else" in problem["error"]["message"]) == (404, True)


def test_the_graph_around_an_entity_has_what_it_is_related_to(service):
    _, near, _ = call(f"{service.url}/graph?entity=e2")
    assert arrows(near) == {("e:e2", "knowledge", "e:rowan"), ("e:e2", "knowledge", "e:ines"),
                            ("e:e2", "knowledge", "e:tomas")}
    assert {each["label"] for each in near["edges"]} == {
        "location", "organizer, attendees", "attendees"}
    _, far, _ = call(f"{service.url}/graph?entity=e2&radius=2")
    assert {each["id"] for each in far["nodes"]} > {each["id"] for each in near["nodes"]}
    assert "e:optics" in {each["id"] for each in far["nodes"]}


def test_the_entities_of_the_organisation_come_in_pages(service):
    _, everything, _ = call(f"{service.url}/graph?limit=500")
    assert everything["name"] == "Fjordlight"
    assert everything["counts"] == {"person": 5, "group": 2, "room": 4, "event": 6}
    assert everything["count"] == len(everything["entities"]) == 17
    _, page, _ = call(f"{service.url}/graph?limit=5&offset=3")
    assert page["entities"] == everything["entities"][3:8]
    assert {"id": "ines", "name": "Ines Okafor", "type": "person"} in everything["entities"]
    assert call(f"{service.url}/graph?limit=501")[0] == 422


def test_a_turn_is_told_again_with_all_that_it_rests_on(service):
    session = talk(service, "Where is the lens workshop?")
    status, turn, _ = call(f"{session}/turns/1")
    assert (status, turn["number"], turn["said"]) == (200, 1, "Where is the lens workshop?")
    assert turn["reply"]["facts"][0]["text"] == "The lens workshop is in Rowan."
    assert call(f"{session}/turns/2")[0] == 404
