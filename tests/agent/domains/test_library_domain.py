"""A third domain, of a schema, rules and a file that ties them, without a line in the product."""

from __future__ import annotations

import datetime as dt

import pytest

from frontdesk.agent.cli.main import main
from frontdesk.agent.domains import domain_registry
from frontdesk.agent.sessions.agent import Agent
from frontdesk.agent.sessions.load_agent import load_agent

from ...templates import TEMPLATES
from .library.library_pack import PACK, load_library

NOW = dt.datetime(2026, 3, 18, 9, tzinfo=dt.UTC)


@pytest.fixture
def session(encoder):
    loaded = load_library()
    return Agent(PACK.components(loaded.kb), TEMPLATES, encoder=encoder).session()


@pytest.mark.parametrize(("utterances", "reply"), [
    (["Where is Salt Atlas?"], "Salt Atlas stands on shelf A 3."),
    (["Who wrote Winter Ledger?"], "Winter Ledger is by Osric Pell."),
    (["Who has Winter Ledger?"], "Winter Ledger is on loan to Juno Halvard."),
    (["How many pages does The Glass Harbour have?"], "The Glass Harbour has 312 pages."),
    (["Is Salt Atlas available?"], "Yes, Salt Atlas is on its shelf."),
    (["Can I borrow Winter Ledger?"], "No, Winter Ledger is away: Juno Halvard has it."),
    (["Which books did Mirela Vantongeren write?"],
     "Mirela Vantongeren wrote Salt Atlas and The Glass Harbour."),
    (["Which books has Juno Halvard borrowed?"], "Juno Halvard has Winter Ledger."),
    (["Where is Salt Atlas?", "Who wrote it?"], "Salt Atlas is by Mirela Vantongeren."),
    (["Who wrote Paper Lanterns?"], "I don't know anyone or anything called “Paper Lanterns”.")])
def test_a_domain_that_is_a_schema_answers(session, utterances, reply):
    replies = [session.reply(utterance, now=NOW) for utterance in utterances]
    assert replies[-1].text == reply
    assert replies[-1].graph_check.passed


def test_what_follows_has_a_proof(session):
    reply = session.reply("Is Salt Atlas available?", now=NOW)
    assert reply.facts[0].fact.provenance.rule == "library.pl:on_shelf/1"
    assert reply.prove(reply.facts[0].fact) is not None


@pytest.mark.parametrize(("text", "passed"), [
    ("Salt Atlas stands on shelf A 3.", True), ("Salt Atlas has 96 pages.", False),
    ("I have reserved Salt Atlas.", False), ("Winter Ledger is on shelf A 3.", False)])
def test_a_reply_says_what_its_facts_have(session, text, passed):
    reply = session.reply("Where is Salt Atlas?", now=NOW)
    check = session.agent.domain.check.check(text, reply.facts, now=NOW, spoken_of={"b3"},
                                             said="Where is Salt Atlas?")
    assert check.passed is passed


@pytest.fixture
def registered(monkeypatch):
    monkeypatch.setattr(domain_registry, "DOMAINS", dict(domain_registry.DOMAINS))
    domain_registry.register(PACK)


def test_a_registered_domain_is_loaded_by_its_name(registered, encoder):
    loaded = domain_registry.load_domain("library", {"shelves": "Northgate"})
    agent = load_agent(TEMPLATES, loaded)
    assert loaded.kb.name == "Northgate"
    assert agent.session().reply("Who wrote Salt Atlas?").text == \
        "Salt Atlas is by Mirela Vantongeren."


def test_a_registered_domain_has_its_door(registered, monkeypatch, capsys):
    with pytest.raises(SystemExit):
        main(["chat", "--help"])
    assert "--shelves NAME" in capsys.readouterr().out


def test_a_name_is_given_once(registered):
    with pytest.raises(ValueError, match="there is a domain 'library' already"):
        domain_registry.register(load_library().pack.__class__(
            **{**vars(PACK), "about": "nothing"}))
