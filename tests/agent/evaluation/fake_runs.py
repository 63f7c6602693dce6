"""Invented runs in the format of a run's files, for tests of what reads them."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

CONDITIONS = ("no-facts", "all-facts", "relevance", "relevance+logic")
HOSTILE = ("</script><script>document.title='owned'</script><img src=x onerror=\"document.title="
           "'owned'\">]]>\"'&amp; <!-- $title ${body} \x00\ud800\u202e")
_NAMES = ("Ada Quill", "Bo Fernsby", "Cleo Marsh", "Dov Okoro", "Ewa Lind")
_ROOMS = ("Alpha", "Birch", "Cedar")
_STAGES = ("parse", "link", "infer", "verbalise", "rank", "generate", "check")
_TYPICAL_MS = (0.5, 0.2, 5.0, 0.3, 11.0, 0.2, 0.3)


def turns(count: int = 40, *, condition: str = "relevance+logic", seed: int = 1,
          facts: int = 10) -> list[dict[str, Any]]:
    """Lines of ``turns.jsonl``; dialogues have five turns, every 17th turn failed."""
    chance = random.Random(f"{condition} {seed}")
    shared = random.Random(seed)
    lines: list[dict[str, Any]] = []
    history: list[list[str]] = []
    for index in range(count):
        if index % 5 == 0:
            history = []
        person, room = shared.choice(_NAMES), shared.choice(_ROOMS)
        user = f"Where can I find {person} before the {room} workshop number {index}?"
        reference = f"{person} is in {room} until {9 + index % 8} o'clock."
        lines.append(_line(index, user, reference, list(history), condition, chance, facts))
        history += [["user", user], ["agent", reference]]
    return lines


def _line(index: int, user: str, reference: str, history: list[list[str]], condition: str,
          chance: random.Random, facts: int) -> dict[str, Any]:
    skill = CONDITIONS.index(condition) / 4 if condition in CONDITIONS else 0.5
    wrong, missed = chance.random() > 0.6 + skill / 3, chance.random() > 0.8 + skill / 5
    reply = reference if chance.random() < skill / 2 else f"I take it that {reference[:-1]} maybe."
    line: dict[str, Any] = {
        "dialogue": f"TALK_{index // 5 + 1}", "turn": index % 5 + 1, "domain": "organisation",
        "history": history, "user": user, "reference": reference, "reply": reply,
        "facts": _facts(chance, facts if condition != "no-facts" else 0),
        "links": [{"mention": "the workshop", "entity": "Lens workshop", "id": "e1",
                   "type": "event", "probability": 0.91, "rule": "linking.pl:refers_to/2",
                   "premises": ["name_match(0.9)", "recent(1)"]}],
        "checks": {"q2": None, "pmi_faith": None, "skipped": {"q2": "no weights here"},
                   "graph": {"verdict": "contradicted" if wrong else "supported", "claims": [
                       {"text": "10 o'clock", "kind": "time",
                        "verdict": "contradicted" if wrong else "supported",
                        "evidence": "The workshop starts at 11:00."}]}},
        "generator": "realiser", "repaired": None, "notes": [],
        "linking": {"given": [_mention(chance)], "own": [_mention(chance)], "asr_first": [],
                    "excluded": {"given": [["Zed", "nobody of that name"]], "own": []}},
        "recall": {"values": ["Alpha"],
                   "hits": {"relevance+logic": 1, "bm25": index % 2, "cosine": 1, "random": 0.125}},
        "errors": {"hallucination": wrong, "retrieval_error": missed,
                   "reasons": ["contradicts the calendar"] * wrong
                   + ["denies what it has"] * missed},
        "metrics": {"bleu": 60 * chance.random(), "chrf": 70 * chance.random(),
                    "meteor": chance.random(), "bertscore_f1": 0.8 + chance.random() / 5,
                    "entity_f1": None},
        "timings_ms": {name: chance.lognormvariate(0, 0.6) * typical
                       for name, typical in zip(_STAGES, _TYPICAL_MS, strict=True)},
        "error": None,
    }
    line["used"] = line["facts"][:2]
    line["timings_ms"]["total"] = sum(line["timings_ms"].values())
    if index % 17 == 16:
        line.update(reply=None, facts=[], used=[], links=[], linking=None, recall=None,
                    checks={"q2": None, "pmi_faith": None, "graph": None, "skipped": {}},
                    errors={"hallucination": None, "retrieval_error": None, "reasons": []},
                    metrics={}, timings_ms={},
                    error={"type": "EndpointError", "message": "the endpoint did not answer"})
    return line


def _facts(chance: random.Random, count: int) -> list[dict[str, Any]]:
    relevances = sorted((chance.random() for _ in range(count)), reverse=True)
    return [{"text": f"{chance.choice(_NAMES)} is free at {9 + place % 9}:00 in "
                     f"{chance.choice(_ROOMS)}.", "relevance": relevance,
             "derived": place % 3 == 0, "rule": "commonsense.pl:available/2" if place % 3 == 0
             else None, "predicate": "available", "probability": 0.9 if place % 3 == 0 else 1.0,
             "premises": ["does_not_attend(p1,e1)"] if place % 3 == 0 else []}
            for place, relevance in enumerate(relevances)]


def _mention(chance: random.Random) -> dict[str, Any]:
    probability = chance.random()
    right = chance.random() < probability
    return {"mention": "Ada", "gold": ["p1"], "rank": 1 if right else None,
            "ranked": [["p1" if right else "p2", probability], ["p3", probability / 9]]}


def report(condition: str = "relevance+logic", *, lines: list[dict[str, Any]] | None = None,
           **changes: Any) -> dict[str, Any]:
    """A ``report.json`` of one condition."""
    place = CONDITIONS.index(condition) if condition in CONDITIONS else 3
    counted = turns(condition=condition) if lines is None else lines
    return {
        "dataset": "graphwoz", "condition": condition, "profile": "embedded",
        "turns": len(counted), "dialogues": len({line["dialogue"] for line in counted}),
        "failed_turns": sum(line["error"] is not None for line in counted),
        "bleu": 9.1 + 2.2 * place, "bleu_lower": 9.9 + 2.2 * place, "chrf": 28.0 + 3 * place,
        "meteor": 0.301 + 0.02 * place, "bertscore_f1": 0.871 + 0.006 * place,
        "distinct_1": 0.12, "distinct_2": 0.31, "entity_f1": None, "q2": None, "pmi_faith": -0.42,
        "hallucination_rate": 0.21 - 0.05 * place, "retrieval_error_rate": 0.12 - 0.02 * place,
        "linking": {"precision_at_1": 0.781, "mrr": 0.823, "mentions": 203},
        "linking_variants": {"given": {"precision_at_1": 0.781, "mrr": 0.823, "mentions": 203,
                                       "excluded": {"nobody of that name": 3}},
                             "own": {"precision_at_1": 0.702, "mrr": None, "mentions": 203,
                                     "recall": 0.81}},
        "recall_at_10": 0.55 + 0.07 * place,
        "retrieval": {"relevance+logic": 0.76, "bm25": 0.61, "cosine": 0.58, "random": 0.12},
        "entity_f1_variants": None,
        "latency_ms": {"p50": 21.4, "p95": 140.0, "stages": {
            name: {"p50": typical, "p95": typical * 4}
            for name, typical in zip(_STAGES, _TYPICAL_MS, strict=True)}},
        "intervals": {"bleu": [7.9 + 2.2 * place, 10.4 + 2.2 * place],
                      "bertscore_f1": [0.866 + 0.006 * place, 0.876 + 0.006 * place],
                      "hallucination_rate": [0.16 - 0.05 * place, 0.26 - 0.05 * place],
                      "linking.precision_at_1": [0.71, 0.84]},
        "unavailable": {"q2": "the weights of the question generator are not on this machine",
                        "unieval": "the weights of UniEval are not on this machine",
                        "entity_f1": "defined on the in-car data set alone"},
        "signatures": {"bleu": "nrefs:1|case:mixed|eff:no|tok:13a", "meteor": "exact+stem"},
        "unieval": None,
        "errors": [{"reason": "contradicts the calendar", "turns": 14 - 3 * place},
                   {"reason": "denies what it has", "turns": 6}],
        "paper": {"table": [{"model": "BigModel, no facts", "split": "dev", "bleu": 3.4,
                             "meteor": 0.2, "bertscore": 0.86},
                            {"model": "BigModel, all facts", "split": "dev", "bleu": 5.0,
                             "meteor": 0.3, "bertscore": 0.88}],
                  "source": "An Invented Paper, table 9"},
        "data": {"file": "talks.json", "sha256": "ab" * 32,
                 "defects": {"empty_utterance": 2, "unreadable_annotation": 5},
                 "descriptions": {"unreadable_annotation": "cannot be read"}},
        "run": {"command": f"frontdesk evaluate graphwoz --condition {condition}",
                "version": "0.1.0", "python": "3.11.9", "packages": {"problog": "2.2.6"},
                "settings": {"profile": "embedded", "knowledge": {"facts": 10}}, "seed": 7,
                "machine": "2 cores", "started": "2026-03-17T09:30:00+00:00", "seconds": 12.5,
                "limit": None},
        **changes,
    }


def report_of_all(count: int = 40, facts: int = 10
                  ) -> tuple[dict[str, Any], dict[str, list[dict[str, Any]]]]:
    """A report of all conditions with their turns."""
    lines = {name: turns(count, condition=name, facts=facts) for name in CONDITIONS}
    reports = {name: report(name, lines=each) for name, each in lines.items()}
    return {"dataset": "graphwoz", "profile": "embedded", "conditions": reports,
            "comparisons": [{"a": "no-facts", "b": "relevance+logic", "metric": "bleu",
                             "difference": 6.6, "interval": [2.1, 9.9], "p_value": 0.0004,
                             "significant": True},
                            {"a": "relevance", "b": "relevance+logic",
                             "metric": "hallucination_rate", "difference": -0.05, "p_value": 0.21,
                             "significant": False}],
            "run": reports["no-facts"]["run"], "data": reports["no-facts"]["data"]}, lines


def save(folder: Path, lines: list[dict[str, Any]], contents: dict[str, Any] | None = None
         ) -> Path:
    """Write the files of a run."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "turns.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines),
                                        encoding="utf-8")
    made = report(lines=lines) if contents is None else contents
    (folder / "report.json").write_text(json.dumps(made), encoding="utf-8")
    return folder
