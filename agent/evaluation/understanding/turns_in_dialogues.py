"""Turns of data sets as the agent would meet them: with what was wanted before."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from frontdesk.agent.understanding.revised_query import Revisions
from frontdesk.agent.understanding.wanted_before import TURNS_BACK, wanted_last
from frontdesk.data.datasets.parsed_turns import ParsedTurn
from frontdesk.kg.graph.logical_forms import Form


def with_wanted_before(turns: Iterable[ParsedTurn], revisions: Revisions) -> list[ParsedTurn]:
    """Turns of data sets, each with what was wanted before it, as the agent has it.

    Args:
        revisions: Put follow-ups in full.
    """
    found: list[ParsedTurn] = []
    dialogue, before = "", list[tuple[Form, ...]]()
    for turn in turns:
        if turn.dialogue != dialogue:
            dialogue, before = turn.dialogue, []
        found.append(replace(turn, context=replace(turn.context, forms=wanted_last(before))))
        queries = revisions.in_full(turn.forms, revisions.queries(before))
        full = tuple(Form("ask", (each,)) for each in queries) if queries else turn.forms
        before = [full, *before][:TURNS_BACK]
    return found
