"""What was wanted before an utterance, and what the agent has asked for: it may go on with that."""

from __future__ import annotations

from collections.abc import Sequence

from frontdesk.kg.graph.dialogue_graph import USER, DialogueGraph
from frontdesk.kg.graph.logical_forms import Form
from frontdesk.kg.graph.pending_action import Slot

#: Turns back in which it is looked for.
TURNS_BACK = 4
#: What the parser calls what is asked for while something is arranged.
_ASKED = {"date": "time", "start": "time", "duration": "duration", "title": "title",
          "place": "room", "attendees": "person", "recipient": "person", "event": "event",
          "confirmation": "confirm", "choice": "choice", "speaker": "speaker",
          "occurrences": "choice"}


def wanted_last(turns: Sequence[Sequence[Form]]) -> tuple[Form, ...]:
    """What was asked or requested last.

    Args:
        turns: The forms of each, queries in full, of the latest turn first.

    Returns:
        An act; empty where there is none in the last turns.
    """
    return next(((form,) for forms in turns[:TURNS_BACK] for form in reversed(forms)
                 if form.head in ("ask", "request")), ())


def asked_for(dialogue: DialogueGraph) -> str:
    """What the agent has just asked for, as the parser calls it; empty where nothing."""
    action = dialogue.last_action()
    if action is not None and action.is_open:
        return _ASKED.get(action.asked, "")
    return _ASKED[Slot.SPEAKER] if name_awaited(dialogue) else ""


def name_awaited(dialogue: DialogueGraph) -> bool:
    """Whether the agent has just asked who speaks, to answer a question."""
    action, last = dialogue.last_action(), dialogue.turns[-1] if dialogue.turns else None
    if (action is not None and action.is_open) or last is None or dialogue.speaker(last) == USER:
        return False
    waiting, options = dialogue.question(last)
    return bool(waiting) and not options
