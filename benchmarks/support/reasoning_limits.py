"""The longest turns and the largest calendar; part of ``benchmarks/reasoning.py``."""

from __future__ import annotations

import datetime as dt
import gc
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import psutil

from frontdesk.agent import Agent, Session
from frontdesk.agent.domains.organisation_pack import organisation_components
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.sources.import_json import dump_json, load_json
from frontdesk.scoring.encoder import SentenceEncoder

from .reasoning_replay import reasoned_ms, reasoning_settings
from .scale import scaled


def extremes(kb: KnowledgeBase, encoder: SentenceEncoder, repeat: int) -> list[dict[str, Any]]:
    """Turns that are as long, or come as late, as they get."""
    agent = Agent(kb, reasoning_settings(), encoder=encoder)
    gc.freeze()  # as the chat does
    now = dt.datetime.combine(kb.calendar_days()[0], dt.time(9), kb.timezone)
    people = [person.name for person in kb.people.values()]
    events = list(dict.fromkeys(event.name for event in kb.events.values()))
    names = [*people[:20], *events][:32]
    introduction = f"When is the {events[0]}, and are {people[0]} and {people[1]} free?"

    def late(session: Session) -> str:
        for number in range(25):
            session.reply(f"Where is the {events[number % len(events)]}?", now=now)
        return "Who organises it, and where is it?"

    def pronouns(session: Session) -> str:
        session.reply(introduction, now=now)
        return "Is " + ", ".join(("he", "she", "it", "they", "him", "her") * 2) + " there?"

    found = []
    for name, prepare in (
            ("32 mentions in one utterance", lambda _: f"Are {', '.join(names)} on today?"),
            ("50 earlier turns", late), ("12 pronouns in a row", pronouns)):
        values = []
        for _ in range(repeat):
            session = agent.session()
            utterance = prepare(session)
            values.append(reasoned_ms(session.reply(utterance, now=now)))
        found.append({"case": name, "ours_ms": round(statistics.median(values), 2),
                      "repetitions": repeat})
    return found


def loading(kb: KnowledgeBase, events: int, seed: int) -> dict[str, Any]:
    """Time and memory of a year's calendar, loaded by a process that does nothing else.

    Args:
        events: At least so many.
    """
    factor = -(-events // len(kb.events))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "organisation.json"
        big = scaled(kb, factor, dense=False, seed=seed)
        path.write_text(dump_json(big), encoding="utf-8")
        command = [sys.executable, "-m", __spec__.name, str(path)]
        result = subprocess.run(command, check=True, capture_output=True, text=True,
                                cwd=Path(__file__).parents[1])
    return {"case": f"load {len(big.events):,} events", "repetitions": 1,
            **json.loads(result.stdout)}


def load(path: Path) -> dict[str, float]:
    """Load an organisation and all that reasons about it; what that takes."""
    process = psutil.Process()
    before, start = process.memory_info().rss, time.perf_counter()
    kb = load_json(path).build()
    read = time.perf_counter()
    domain = organisation_components(kb)
    ready, after = time.perf_counter(), process.memory_info().rss
    return {"ours_ms": round((ready - start) * 1000), "read_ms": round((read - start) * 1000),
            "index_ms": round((ready - read) * 1000), "memory_mb": round((after - before) / 1e6),
            "entities": sum(1 for _ in domain.kb.entities())}


if __name__ == "__main__":
    print(json.dumps(load(Path(sys.argv[1]))))
