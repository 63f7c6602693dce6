"""The library as a domain."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

from frontdesk.agent.domains.domain_pack import (
    Components,
    DomainPack,
    Linking,
    Loaded,
    Saved,
    Source,
)
from frontdesk.agent.domains.schema_components import schema_components
from frontdesk.agent.settings.settings import Settings
from frontdesk.data.datasets.data_set import DataSet, EvaluationDialogue, EvaluationTurn, Input
from frontdesk.data.datasets.formats import read_plain
from frontdesk.kg.graph.dialogue_graph import Hypothesis
from frontdesk.kg.graph.entities import Thing
from frontdesk.kg.graph.fact_base import FactBase
from frontdesk.kg.graph.facts import Fact

from .library_schema import AUTHOR, BOOK, LIBRARY, READER, SHELF

THINGS = (
    Thing("b1", "The Glass Harbour", BOOK), Thing("b2", "Winter Ledger", BOOK),
    Thing("b3", "Salt Atlas", BOOK), Thing("s1", "shelf A 3", SHELF),
    Thing("s2", "shelf C 1", SHELF), Thing("a1", "Mirela Vantongeren", AUTHOR),
    Thing("a2", "Osric Pell", AUTHOR), Thing("r1", "Juno Halvard", READER))
FACTS = (
    Fact("written_by", ("b1", "a1")), Fact("written_by", ("b2", "a2")),
    Fact("written_by", ("b3", "a1")), Fact("stands_on", ("b1", "s1")),
    Fact("stands_on", ("b2", "s2")), Fact("stands_on", ("b3", "s1")),
    Fact("on_loan_to", ("b2", "r1")), Fact("pages", ("b1", 312)), Fact("pages", ("b3", 96)))


NOW = dt.datetime(2026, 3, 18, 9, tzinfo=dt.UTC)


def load_library(*, shelves: str | None = None) -> Loaded[FactBase]:
    return Loaded(PACK, library(shelves or "the library"))


def library(name: str) -> FactBase:
    return FactBase(name, THINGS, FACTS)


def load_talks(path: Path, _: Input) -> list[EvaluationDialogue]:
    """``# NAME`` begins a dialogue, ``? `` is what was asked, ``= `` what was answered."""
    talks = []
    for part in read_plain(path).decode().split("\n# ")[1:]:
        name, *lines = part.splitlines()
        asked = [number for number, line in enumerate(lines) if line.startswith("? ")]
        turns = tuple(EvaluationTurn(
            number, (Hypothesis(lines[place][2:]),),
            lines[place + 1][2:] if lines[place + 1:] else None, NOW)
            for number, place in enumerate(asked, start=1))
        talks.append(EvaluationDialogue(name, "talks", "library", turns, library(name), NOW))
    return talks


def components(kb: FactBase, settings: Settings | None = None, *,
               linking: Linking | str = Linking.RULES) -> Components:
    return schema_components(PACK, kb, Path(__file__).with_name("library.pl"), settings)


PACK: DomainPack[FactBase] = DomainPack(
    name="library", schema=LIBRARY, about="books, shelves and loans",
    sources=(Source("shelves", "NAME", "what the library is called"),), load=load_library,
    components=components, summary=lambda kb: f"{len(kb.of_type(BOOK))} books",
    examples=lambda kb: ["Where is Salt Atlas?"],
    datasets=(DataSet("talks", "library", load=load_talks, recognises=lambda content:
                      content.startswith(b"library talks")),),
    saved=Saved(lambda kb: json.dumps({"name": kb.name}),
                lambda text: library(json.loads(text)["name"])))
