"""The organisation's files change while it is served."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from frontdesk.agent.calendars.calendar import CalendarUnavailableError
from frontdesk.agent.serving import assemble_service as assembling
from frontdesk.agent.serving.assemble_service import assemble
from frontdesk.agent.serving.auth.api_keys import ANYBODY
from frontdesk.agent.serving.serve_options import ServeOptions
from frontdesk.agent.serving.sessions import organisation_reload as reload
from frontdesk.agent.sessions.load_agent import load_agent
from frontdesk.agent.settings.settings import HouseSettings
from frontdesk.kg.graph.entities import Room
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.sources.import_json import dump_json

from ...templates import TEMPLATES
from ..acting.offices import WHERE_THE_WORKSHOP_IS, organisation


def with_room(name: str) -> str:
    """The organisation, as JSON, with one more room."""
    kb = organisation()
    return dump_json(KnowledgeBase(
        name=kb.name, timezone=kb.timezone, groups=kb.groups.values(), people=kb.people.values(),
        rooms=[*kb.rooms.values(), Room(name.casefold(), name, floor=7)],
        events=kb.events.values()))


@pytest.fixture(params=["", "c.sqlite"])
def served(request, tmp_path):
    (tmp_path / "org.json").write_text(dump_json(organisation()))
    calendar = str(tmp_path / request.param) if request.param else ""
    options = ServeOptions(sources={"org": str(tmp_path / "org.json"), "now": "2026-03-02T09:30"},
                           calendar=calendar, database=f"sqlite:///{tmp_path / 's.sqlite'}")
    settings = replace(TEMPLATES, serve=replace(TEMPLATES.serve, database=options.database))
    served = assemble(options, settings)
    yield served
    served.close()


def say(served, session, text: str) -> str:
    answer = served.conversations.take_turn(ANYBODY, session, text)
    return answer.reply["text"]


def change(served, path: Path, text: str) -> bool:
    """Change the file; whether that is taken in when the file has not changed further."""
    path.write_text(text)
    assert not served.reloading.look()  # it may still be written
    return served.reloading.look()


def test_what_changes_is_taken_in_and_dialogues_go_on_with_what_was_booked(served, tmp_path):
    conversations = served.conversations
    session = conversations.open(ANYBODY)
    generator, before = conversations.current.agent.components.encoder, conversations.current.agent
    for text in ("I am Ines Okafor", "Book a meeting called glue tomorrow at ten", "yes"):
        said = say(served, session, text)
    assert "booked" in said
    assert not served.reloading.look()
    assert change(served, tmp_path / "org.json", with_room("Sycamore"))
    assert conversations.current.agent is not before
    assert conversations.current.agent.components.encoder is generator  # no model was loaded again
    assert "Sycamore" in say(served, session, "Which rooms are free now?")
    assert "10:00" in say(served, session, "When is glue?")
    assert not served.reloading.look()


def test_what_cannot_be_read_is_told_and_what_was_known_stays(served, tmp_path, caplog):
    session = served.conversations.open(ANYBODY)
    assert not change(served, tmp_path / "org.json", '{"half": ')
    assert "cannot be read" in caplog.text
    assert say(served, session, "Where is the lens workshop?") == WHERE_THE_WORKSHOP_IS
    assert change(served, tmp_path / "org.json", with_room("Sycamore"))


def test_a_dialogue_goes_on_without_a_room_that_is_gone(served, tmp_path):
    session = served.conversations.open(ANYBODY)
    assert change(served, tmp_path / "org.json", with_room("Sycamore"))
    assert say(served, session, "Is Sycamore free now?").startswith("Yes")
    assert change(served, tmp_path / "org.json", with_room("Hornbeam"))
    assert say(served, session, "Where is the lens workshop?") == WHERE_THE_WORKSHOP_IS


def test_what_is_booked_while_the_organisation_is_read_again_is_kept(served, tmp_path):
    conversations = served.conversations
    session = conversations.open(ANYBODY)
    for text in ("I am Ines Okafor", "Book a meeting called glue tomorrow at ten"):
        say(served, session, text)
    calendar = conversations.current.agent.calendar
    commit, held, go_on = calendar.commit, threading.Event(), threading.Event()

    def late(transaction):
        held.set()
        assert go_on.wait(60)
        return commit(transaction)

    calendar.commit = late
    with ThreadPoolExecutor(1) as pool:
        booking = pool.submit(say, served, session, "yes")
        assert held.wait(60)
        assert change(served, tmp_path / "org.json", with_room("Sycamore"))
        go_on.set()
        assert "booked" in booking.result()
    assert "10:00" in say(served, session, "When is glue?")
    assert not conversations.current._ending


def test_what_cannot_be_read_for_a_while_is_read_later(served, tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(reload, "load_agent", fails)
    assert not change(served, tmp_path / "org.json", with_room("Sycamore"))
    assert "is read later" in caplog.text
    monkeypatch.undo()
    assert served.reloading.look()


def fails(*_, **__):
    raise CalendarUnavailableError("it hangs", place="here", remedy="Wait")


def test_what_changes_while_it_is_loaded_is_taken_in(tmp_path, monkeypatch):
    path = tmp_path / "org.json"
    path.write_text(dump_json(organisation()))
    options = ServeOptions(sources={"org": str(path), "now": "2026-03-02T09:30"},
                           database=f"sqlite:///{tmp_path / 's.sqlite'}")
    load = load_agent

    def slowly(*arguments, **named):
        path.write_text(with_room("Sycamore"))
        return load(*arguments, **named)

    monkeypatch.setattr(assembling, "load_agent", slowly)
    served = assemble(options, replace(TEMPLATES, serve=replace(
        TEMPLATES.serve, database=options.database)))
    try:
        assert [served.reloading.look() for _ in range(2)] == [False, True]
    finally:
        served.close()


@pytest.mark.parametrize("named_by", ["sources", "settings"])
def test_what_changes_in_a_folder_of_house_documents_is_seen(tmp_path, named_by):
    (tmp_path / "below").mkdir()
    (tmp_path / "a.md").write_text("# A\n\nOne.\n")
    options = ServeOptions(sources={"house": [str(tmp_path)]} if named_by == "sources" else {})
    settings = TEMPLATES if named_by == "sources" else replace(
        TEMPLATES, house=HouseSettings(files=(str(tmp_path),)))
    looks = [reload.looks_of(options, settings)]
    for name, text in (("a.md", "# A\n\nOne and two.\n"), ("below/b.md", "# B\n\nThree.\n")):
        (tmp_path / name).write_text(text)
        looks.append(reload.looks_of(options, settings))
    (tmp_path / "a.md").unlink()
    looks.append(reload.looks_of(options, settings))
    assert all(one != other for one, other in pairwise(looks))
