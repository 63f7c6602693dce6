"""A third domain, of a schema, rules and a file that ties them, without a line in the product."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from frontdesk.agent.cli.main import main
from frontdesk.agent.domains import domain_registry
from frontdesk.agent.sessions.agent import Agent
from frontdesk.agent.sessions.load_agent import load_agent

from ...templates import TEMPLATES
from .library.library_pack import NOW, PACK, load_library

TALKS = Path(__file__).parent / "library" / "talks.txt"


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
def registered():
    domain_registry.register(PACK)
    yield
    del domain_registry.DOMAINS[PACK.name]


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


def run(*arguments):
    try:
        return main([*map(str, arguments)])
    except SystemExit as stop:
        return stop.code


def test_its_data_set_is_evaluated_by_its_name(registered, tmp_path):
    assert run("evaluate", "talks", "--path", TALKS, "--output", tmp_path) == 0
    report = json.loads((tmp_path / "report.json").read_text())
    assert (report["dataset"], report["turns"], report["failed_turns"]) == ("talks", 4, 0)
    assert (report["data"]["dialogues"], report["paper"], report["linking"]) == (2, None, None)
    assert report["recall_at_10"] == 1.0
    turns = [json.loads(line) for line in (tmp_path / "turns.jsonl").read_text().splitlines()]
    assert [turn["reply"] for turn in turns[:3]] == [
        "Salt Atlas stands on shelf A 3.", "Salt Atlas is by Mirela Vantongeren.",
        "Winter Ledger is on loan to Juno Halvard."]


def test_its_usual_data_set_is_that_of_the_domain(registered, tmp_path):
    assert run("evaluate", "--domain", "library", "--path", TALKS, "--output", tmp_path) == 0
    assert run("evaluate", "talks", "--domain", "car", "--path", TALKS, "--output", tmp_path) == 2


@pytest.mark.parametrize("option", ["--input", "--linking", "--entities"])
def test_options_of_other_data_sets_are_not_for_it(registered, tmp_path, capsys, option):
    value = {"--input": "asr", "--linking": "string", "--entities": TALKS}[option]
    assert run("evaluate", "talks", "--path", TALKS, "--output", tmp_path, option, value) == 2
    assert f"{option} is for" in capsys.readouterr().err


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_its_files_are_reported_on(registered, tmp_path, capsys, pack):
    path = tmp_path / "talks"
    path.write_bytes(pack(TALKS.read_bytes()))
    assert run("data", "report", path, "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["format"], report["dialogues"], report["turns"], report["domains"]) == (
        "library dialogues", 2, 4, {"library": 2})


def test_its_graphs_check_replies(registered, tmp_path):
    lines = [{"history": ["Who has Winter Ledger?"], "knowledge": [], "response": response,
              "graph": f"{TALKS}#Southgate"}
             for response in ("Winter Ledger is on loan to Juno Halvard.",
                              "Winter Ledger has 40 pages.")]
    given, found = tmp_path / "given.jsonl", tmp_path / "found.jsonl"
    given.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert run("check", "--input", given, "--output", found) == 0
    assert [json.loads(line)["verdict"] for line in found.read_text().splitlines()] == [
        "supported", "unsupported"]


def test_generators_are_trained_on_its_dialogues(registered, tmp_path):
    other = tmp_path / "other.txt"
    other.write_text(TALKS.read_text().replace("Who has", "Who borrowed"))
    assert run("train", "generator", "--talks", TALKS, "--held-out-talks", other, "--jobs", 1,
               "--examples-only", "--output", tmp_path / "out") == 0
    first = json.loads((tmp_path / "out" / "train.jsonl").read_text().splitlines()[0])
    assert (first["domain"], first["reference"]) == ("library", "Salt Atlas stands on shelf A 3.")


def chat(monkeypatch, said, *arguments):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(said.encode())))
    return run("chat", "--domain", "library", *arguments)


def test_its_dialogues_are_saved_drawn_and_gone_on_with(registered, monkeypatch, tmp_path, capsys):
    talk = tmp_path / "talk.json"
    assert chat(monkeypatch, "Where is Salt Atlas?\n", "--shelves", "Northgate", "--save",
                talk) == 0
    assert json.loads(talk.read_text())["library"] == {"name": "Northgate"}
    assert run("draw", talk, tmp_path / "talk.svg") == 0
    capsys.readouterr()
    assert chat(monkeypatch, "Who wrote it?\n", "--resume", talk) == 0
    assert capsys.readouterr().out == "Salt Atlas is by Mirela Vantongeren.\n"
    assert run("chat", "--resume", talk) == 2
    assert "the saved dialogue is about the domain library" in capsys.readouterr().err


def test_a_domain_that_a_package_breaks_says_why_it_cannot_be_used(tmp_path):
    info = tmp_path / "gardens-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: gardens\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[frontdesk.domains]\ngardens = gardens:PACK\n")
    (tmp_path / "gardens.py").write_text("raise RuntimeError('no soil')\n")

    def frontdesk(*arguments):
        return subprocess.run(
            [sys.executable, "-m", "frontdesk.agent.cli.main", *arguments], input="",
            capture_output=True, text=True, timeout=60, check=False,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(
                [str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])})

    for command in (["chat"], ["check"], ["evaluate"], ["serve"], ["doctor"]):
        done = frontdesk(*command, "--domain", "gardens")
        assert done.returncode == 2
        assert "argument --domain: the domain gardens (gardens:PACK) cannot be used: no soil. " \
            "Repair or remove the package that brings it" in " ".join(done.stderr.split())
    done = frontdesk("settings")
    assert (done.returncode, "no soil" in done.stderr) == (0, True)
