"""How well questions are answered from house documents, and what they cost a turn.

Visitors of the demo organisation ask 40 questions about each of three houses, 15 of them about what
its documents do not have. The threshold was chosen on the questions about the example documents
that come with frontdesk (``demo``); the other houses were written to measure it. The cost is that
of looking up a question in generated documents, a page being 25 sentences.

    python benchmarks/house.py [--pages N] [--show] [--json FILE] [--smallest]
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from support.benchmark import parse_options, write_report

from frontdesk.agent import Agent, load_agent, load_organisation, load_settings
from frontdesk.agent.settings.settings import EmbeddedSettings
from frontdesk.kg.sources.house_documents import Passage
from frontdesk.rules.engine.query_answer import AnswerKind
from frontdesk.scoring.encoder import MiniLMEncoder
from frontdesk.scoring.passages import HousePassages

HOUSES = Path(__file__).parent / "support" / "house"
NAMES = ("demo", "library", "clinic")
NOW = "2026-03-17T10:20"
#: What came of a question: the right passage, another one or an answer of the graph, that it is not
#: known where there is nothing, and where there is something.
RIGHT, WRONG, HONEST, MISSED = OUTCOMES = ("right", "wrong", "honest", "missed")
_SENTENCES_OF_PAGE, _WORDS_OF_SENTENCE = 25, 12


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pages", type=int, default=200, help="of generated documents (200)")
    parser.add_argument("--questions", type=int, default=40, help="of each house, at most (40)")
    parser.add_argument("--show", action="store_true", help="name what was wrong or missed")
    options = parse_options(parser, pages=2, questions=2)
    console = Console()
    cases = []
    for name in NAMES:
        outcomes = answered(name, options.questions)
        cases.append({"case": name, "repetitions": len(outcomes), **{
            each: sum(one == each for one in outcomes.values()) for each in OUTCOMES}})
        for question, outcome in outcomes.items() if options.show else ():
            if outcome in (WRONG, MISSED):
                console.print(f"{name}: {outcome}: {question}")
    cost = costs(options.pages)
    table = Table("house", "questions", *OUTCOMES)
    for each in cases:
        table.add_row(*map(str, each.values()))
    console.print(table)
    console.print(f"{cost['case']}: {cost['ours_ms']} ms a question, of which "
                  f"{cost['encoder_ms']} ms are its embedding; {cost['seconds']} s to embed them")
    write_report(options.json, "house", [*cases, cost])
    return 0


def answered(house: str, most: int) -> dict[str, str]:
    """What came of each question about a house."""
    questions: Mapping[str, str] = tomllib.loads(
        (HOUSES / f"{house}.toml").read_text(encoding="utf-8"))["questions"]
    settings = replace(load_settings(), embedded=EmbeddedSettings(words="templates"))
    agent = load_agent(settings, load_organisation(
        org="demo", now=NOW, house=["demo" if house == "demo" else str(HOUSES / f"{house}.md")]))
    try:
        return {question: outcome(agent, question, heading)
                for question, heading in list(questions.items())[:most]}
    finally:
        agent.close()


def outcome(agent: Agent, question: str, heading: str) -> str:
    """What comes of a question.

    Args:
        heading: Of the passage that answers it; empty where none does.
    """
    reply = agent.session().reply(question)
    sources = [each.source for each in reply.facts if each.source]
    if not sources and not any(each.kind is not AnswerKind.UNKNOWN for each in reply.answers):
        return MISSED if heading else HONEST
    right = heading and sources and all(each.endswith(heading) for each in sources)
    return RIGHT if right else WRONG


def costs(pages: int) -> dict[str, Any]:
    """Milliseconds that looking up a question takes in generated documents."""
    encoder = MiniLMEncoder()
    passages = generated(pages)
    began = time.perf_counter()
    index = HousePassages(passages, encoder, load_settings().house.least).told_to(visitor=True)
    seconds = time.perf_counter() - began
    questions = list(tomllib.loads((HOUSES / "demo.toml").read_text(encoding="utf-8"))["questions"])
    looked_up = [_ms(lambda text=text: index.answering(text, text)) for text in questions]
    embedded = [_ms(lambda text=text: encoder.encode([text, text[:-1]])) for text in questions]
    return {"case": f"{pages} pages, {len(passages) * _SENTENCES_OF_PAGE} sentences",
            "ours_ms": round(statistics.median(looked_up), 1),
            "encoder_ms": round(statistics.median(embedded), 1),
            "seconds": round(seconds, 1), "repetitions": len(questions)}


def generated(pages: int) -> Sequence[Passage]:
    """Pages of sentences of random words of the houses' documents."""
    chooser = random.Random(31)
    words = Counter(word for file in sorted(HOUSES.glob("*.md"))
                    for word in file.read_text(encoding="utf-8").split())
    return [Passage("generated.md", number, (f"Page {number}",), tuple(
        " ".join(chooser.choices(list(words), list(words.values()), k=_WORDS_OF_SENTENCE))
        for _ in range(_SENTENCES_OF_PAGE))) for number in range(pages)]


def _ms(work: Any) -> float:
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


if __name__ == "__main__":
    sys.exit(main())
