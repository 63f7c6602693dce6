"""When whoever speaks has come: several may speak in one dialogue, one after the other."""

from __future__ import annotations

import datetime as dt

from frontdesk.agent.understanding.meaning import forms_of
from frontdesk.kg.graph.dialogue_graph import USER, DialogueGraph

#: What one who has just come says, and what one who leaves.
_BEGINS, _ENDS = frozenset({"greet", "introduce"}), frozenset({"goodbye"})
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
