"""What is to be done was understood, but nothing could be made of it."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from frontdesk.agent import Agent
from frontdesk.agent.settings.settings import ActionSettings
from frontdesk.generation.answers.answer_phrases import templates
from frontdesk.kg.graph.logical_forms import CORE, Sort

from ...templates import TEMPLATES
from .offices import NOW, organisation

REQUESTS = templates()["requests"]


def test_it_is_said_what_was_understood_and_how_to_say_it(ines):
    assert ines.say("Remind me to cancel the lens workshop") == REQUESTS["cancel"]


def test_what_one_is_to_be_reminded_of_is_not_done(ines):
    before = ines.events()
    ines.say("Remind me to cancel the lens workshop")
    assert ines.events() == before


def test_there_are_words_for_each_request():
    assert set(REQUESTS) == {name for name, head in CORE.items() if head.sort is Sort.REQUEST}


@pytest.mark.parametrize("head", REQUESTS)
def test_what_is_to_be_said_instead_is_read(ines, head):
    (said,) = re.findall("“(.*)”", REQUESTS[head])
    reply = ines.session.reply(said.replace("Ada", "Bo"))
    assert reply.actions
    assert reply.text not in REQUESTS.values()


def test_where_nothing_can_be_done_that_is_said(encoder):
    settings = replace(TEMPLATES, actions=ActionSettings(enabled=False))
    session = Agent(organisation(), settings, clock=lambda: NOW, encoder=encoder).session(
        speaker="ines")
    reply = session.reply("Set up a meeting with Bo tomorrow at ten").text
    assert reply not in REQUESTS.values()
    assert "don't know" not in reply
    assert "cannot" in reply
