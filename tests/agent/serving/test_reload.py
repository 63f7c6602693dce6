"""The organisation's files change while it is served."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from frontdesk.agent.serving.assemble import assemble
from frontdesk.agent.serving.keys import ANYBODY
from frontdesk.agent.serving.options import ServeOptions
from frontdesk.kg.entities import Room
from frontdesk.kg.import_json import dump_json
from frontdesk.kg.knowledge_base import KnowledgeBase

from ...templates import TEMPLATES
from ..acting.offices import organisation


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
    options = ServeOptions(org=str(tmp_path / "org.json"), calendar=calendar,
                           database=f"sqlite:///{tmp_path / 's.sqlite'}", now="2026-03-02T09:30")
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
    generator, before = conversations.current.agent.encoder, conversations.current.agent
    for text in ("I am Ines Okafor", "Book a meeting called glue tomorrow at ten", "yes"):
        said = say(served, session, text)
    assert "booked" in said
    assert not served.reloading.look()
    assert change(served, tmp_path / "org.json", with_room("Sycamore"))
    assert conversations.current.agent is not before
    assert conversations.current.agent.encoder is generator  # no model was loaded again
    assert "Sycamore" in say(served, session, "Which rooms are free now?")
    assert "10:00" in say(served, session, "When is glue?")
    assert not served.reloading.look()


def test_what_cannot_be_read_is_told_and_what_was_known_stays(served, tmp_path, caplog):
    session = served.conversations.open(ANYBODY)
    assert not change(served, tmp_path / "org.json", '{"half": ')
    assert "cannot be read" in caplog.text
    assert say(served, session, "Where is the lens workshop?") == "The lens workshop is in Rowan."
    assert change(served, tmp_path / "org.json", with_room("Sycamore"))


def test_a_dialogue_goes_on_without_a_room_that_is_gone(served, tmp_path):
    session = served.conversations.open(ANYBODY)
    assert change(served, tmp_path / "org.json", with_room("Sycamore"))
    assert "Sycamore" in say(served, session, "Is Sycamore free now?")
    assert change(served, tmp_path / "org.json", with_room("Hornbeam"))
    assert say(served, session, "Where is the lens workshop?") == "The lens workshop is in Rowan."
