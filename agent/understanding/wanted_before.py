"""What was wanted before an utterance, with which it may go on."""

from __future__ import annotations

from collections.abc import Sequence

from frontdesk.kg.graph.logical_forms import Form

#: Turns back in which it is looked for.
TURNS_BACK = 4


def wanted_last(turns: Sequence[Sequence[Form]]) -> tuple[Form, ...]:
    """What was asked or requested last.

    Args:
        turns: The forms of each, queries in full, of the latest turn first.

    Returns:
        An act; empty where there is none in the last turns.
    """
    return next(((form,) for forms in turns[:TURNS_BACK] for form in reversed(forms)
                 if form.head in ("ask", "request")), ())
