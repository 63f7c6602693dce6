"""When whoever speaks has come, several in one dialogue one after the other, and in what danger."""

from __future__ import annotations

import datetime as dt

from frontdesk.agent.understanding.meaning import forms_of
from frontdesk.agent.understanding.wanted_before import TURNS_BACK
from frontdesk.kg.graph.dialogue_graph import USER, DialogueGraph
from frontdesk.kg.graph.logical_forms import Form

#: What one who has just come says, and what one who leaves.
_BEGINS, _ENDS = frozenset({"greet", "introduce"}), frozenset({"goodbye"})
#: What tells of a danger, and what takes that back.
_ALARM, _APOLOGISE = "alarm", "apologise"
#: Whoever speaks after so long a silence may be somebody else.
_SILENCE = dt.timedelta(minutes=10)


def visit_begun(dialogue: DialogueGraph) -> str:
    """Id of the turn with which whoever speaks has begun: they greet, say who they are, or speak
    after a leave or a long silence; empty where the dialogue has none.

    Args:
        dialogue: With the utterance, of which the forms are noted, as its last turn.
    """
    turns = [turn for turn in dialogue.turns if dialogue.speaker(turn) == USER]
    for turn, before in zip(reversed(turns), [*reversed(turns[:-1]), ""], strict=True):
        begins = not _BEGINS.isdisjoint(form.head for form in forms_of(dialogue, turn))
        if begins or (before and (
                dialogue.at(turn) - dialogue.at(before) > _SILENCE or not _ENDS.isdisjoint(
                    form.head for form in forms_of(dialogue, before)))):
            return turn
    return ""


def danger_told(dialogue: DialogueGraph) -> Form | None:
    """The danger that whoever speaks has told of in one of the last turns; None without any, and
    where it is over: they have apologised since, or somebody has begun.

    Args:
        dialogue: With the utterance as its last turn.
    """
    *turns, last = [turn for turn in dialogue.turns if dialogue.speaker(turn) == USER]
    begun = visit_begun(dialogue)
    if last == begun:
        return None
    for turn in reversed(turns[-TURNS_BACK:]):
        forms = forms_of(dialogue, turn)
        danger = next((form for form in forms if form.head == _ALARM), None)
        if danger is not None or turn == begun or any(form.head == _APOLOGISE for form in forms):
            return danger
    return None
