"""What is told depends on nothing that whoever asks may not know: not even a denial does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from frontdesk.agent import Agent
from frontdesk.agent.calendars.sqlite_calendar import SqliteCalendar
from frontdesk.agent.settings.settings import AccessSettings
from frontdesk.agent.turn.reply import Reply
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

from ...templates import TEMPLATES
from .offices import NOW, at, organisation

TOGETHER = "Do Bo Haraldsen and Mira Castellan have a meeting together?"
QUESTIONS = (
    TOGETHER, "Do Bo Haraldsen and Tomas Lindqvist have a meeting together?",
    "Which events does Bo Haraldsen organise?", "Where is Bo Haraldsen now?",
    "Where is Mira Castellan now?", "What is in Beta now?", "What events are there today?",
    "What events does the Optics group have today?", "Who is at the private event?",
    "Tell me about the private event", "Does Mira Castellan have any conflicts?",
    "Is Mira Castellan attending the private event?")


def talk(*people: str, name: str = "salary talk", room: str | None = None,
         organizer: str | None = None, group: str | None = None, hour: int = 9) -> Event:
    return Event(f"{name} {people}", name, at(2, hour), at(2, hour + 1), room, organizer, people,
                 group, private=True)


#: Bo, Mira and Tomas are as busy, and Beta as taken, in all of them.
CALENDARS = {
    "shared": (talk("bo", "mira", room="beta", organizer="bo"), talk("tomas")),
    "with another": (talk("bo", "tomas"), talk("mira", room="beta", group="optics")),
    "all": (talk("bo", "mira", "tomas", organizer="tomas"), talk(room="beta")),
    "apart": (talk("bo"), talk("mira", organizer="mira"), talk("tomas", room="beta"))}


def calendar(*events: Event) -> KnowledgeBase:
    kb = organisation()
    return KnowledgeBase(name=kb.name, timezone=kb.timezone, groups=kb.groups.values(),
                         rooms=kb.rooms.values(), people=kb.people.values(),
                         events=[*(each for each in kb.events.values() if each.id != "e3"),
                                 *events])


@pytest.fixture(scope="module")
def replied(encoder) -> Callable[..., Reply]:
    agents: dict[tuple[str, str], Agent] = {}

    def ask(question: str, which: str, speaker: str | None = None, way: str = "names",
            *events: Event) -> Reply:
        if (which, way) not in agents:
            settings = replace(TEMPLATES, access=AccessSettings(assistants=("jonas@example.org",)))
            kb = calendar(*events) if events else calendar(*CALENDARS[which])
            with pytest.MonkeyPatch.context() as patched:
                if way == "names":  # as where no trained parser reads
                    patched.setattr("frontdesk.agent.sessions.agent.load_meaning", lambda *_: None)
                agents[which, way] = Agent(kb, settings, clock=lambda: NOW, encoder=encoder,
                                           calendar=SqliteCalendar(":memory:", kb))
        return agents[which, way].session(speaker=speaker).reply(question)

    return ask


@pytest.fixture(scope="module")
def told(replied) -> Callable[..., str]:
    return lambda *asked: replied(*asked).text


@pytest.fixture(scope="module")
def known(replied) -> Callable[..., str]:
    """What is known for a reply, in words."""
    return lambda *asked: "\n".join(each.text for each in replied(*asked).knowledge)


@pytest.mark.parametrize(("way", "speaker"), [("names", "ines"), ("forms", None)])
@pytest.mark.parametrize("question", QUESTIONS)
def test_who_shares_a_hidden_event_changes_no_word_for_others(told, question, way, speaker):
    assert len({told(question, which, speaker, way) for which in CALENDARS}) == 1


@pytest.mark.parametrize("speaker", [None, "ines"])
@pytest.mark.parametrize("way", ["names", "forms"])
def test_what_hidden_events_may_make_true_is_neither_said_nor_denied(told, way, speaker):
    for which in CALENDARS:
        text = told(TOGETHER, which, speaker, way)
        assert not text.startswith(("Yes", "No"))
        assert "organises no" not in told("Which events does Bo Haraldsen organise?", which,
                                          speaker, way)


@pytest.mark.parametrize("speaker", ["mira", "bo", "jonas"])
@pytest.mark.parametrize("way", ["names", "forms"])
def test_who_takes_part_or_assists_is_told_what_is_shared(told, way, speaker):
    text = told(TOGETHER, "shared", speaker, way)
    assert not text.startswith("No")
    assert "salary talk" in text


@pytest.mark.parametrize("speaker", [None, "ines", "bo"])
def test_hidden_events_at_different_times_are_not_shared(known, speaker):
    text = known(TOGETHER, "different times", speaker, "forms", talk("bo"),
                 talk("mira", hour=11))
    assert "and Mira Castellan have no event together" in text


@pytest.mark.parametrize("speaker", [None, "ines"])
def test_of_all_events_one_stands_for_those_hidden_at_a_time(known, speaker):
    for which in CALENDARS:
        text = known("What events are there today?", which, speaker, "forms")
        assert text.count("private event") == 1
