"""Turns as the report's page reads them: each turn once, with what each condition made of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from frontdesk.agent.evaluation.reports.report_measures import mapping

#: What belongs to the turn; the rest is what a condition made of it.
_SHARED = ("dialogue", "turn", "domain", "history", "user", "reference")
#: Of the candidates of a mention, those that the page shows.
_CANDIDATES = 10
#: What the page keeps beside a fact or leaves out: whole proofs are for programs.
_NOT_OF_FACT = ("relevance", "proof")


def pack_turns(turns_by_condition: Mapping[str, Sequence[Mapping[str, Any]]]) -> dict[str, Any]:
    """The turns of all conditions with nothing written twice.

    The same facts and sentences come back turn after turn and condition after condition, so
    they are kept in two lists and referred to by their place there.

    Args:
        turns_by_condition: By condition, the lines of ``turns.jsonl``.

    Returns:
        ``{"conditions": [name], "texts": [str], "facts": [fact], "turns": [turn]}``. A turn has
        ``dialogue, turn, domain, user, reference``, ``history`` as ``[speaker, place in texts]``
        and ``runs``, by place of the condition, with ``facts`` and ``used`` as ``[place in
        facts, relevance]`` and ``excluded`` mentions as ``[mention, reason]``.
    """
    texts, facts = _Pool(), _Pool()
    turns: dict[tuple[str, str], dict[str, Any]] = {}
    for place, lines in enumerate(turns_by_condition.values()):
        for line in lines:
            key = (str(line.get("dialogue")), str(line.get("turn")))
            if key not in turns:
                shared = {name: line.get(name) for name in _SHARED}
                shared["history"] = [[speaker, texts.place(text)]
                                     for speaker, text in line.get("history") or ()]
                turns[key] = {**shared, "runs": {}}
            turns[key]["runs"][str(place)] = _run(line, facts)
    return {"conditions": list(turns_by_condition), "texts": texts.values,
            "facts": facts.values, "turns": list(turns.values())}


def _run(line: Mapping[str, Any], facts: _Pool) -> dict[str, Any]:
    """What one condition made of a turn."""
    run = {name: value for name, value in line.items() if name not in _SHARED}
    for name in ("facts", "used"):
        run[name] = [[facts.place({key: value for key, value in fact.items()
                                   if key not in _NOT_OF_FACT}), fact.get("relevance")]
                     for fact in line.get(name) or ()]
    linking = mapping(line.get("linking"))
    run["excluded"] = mapping(linking.get("excluded")).get("given") or []
    run["linking"] = {variant: [_mention(mention) for mention in mentions or ()]
                      for variant, mentions in linking.items() if variant != "excluded"} or None
    return run


def _mention(mention: Mapping[str, Any]) -> dict[str, Any]:
    ranked = list(mention.get("ranked") or ())
    return {**mention, "ranked": ranked[:_CANDIDATES],
            "more": max(0, len(ranked) - _CANDIDATES)}


class _Pool:
    """Values, each kept once."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._places: dict[str, int] = {}

    def place(self, value: object) -> int:
        key = json.dumps(value, sort_keys=True, default=str)
        if key not in self._places:
            self._places[key] = len(self.values)
            self.values.append(value)
        return self._places[key]
