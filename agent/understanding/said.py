"""An utterance whose request is read, with the dialogue before it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from frontdesk.agent.settings.settings import ActionSettings
from frontdesk.agent.understanding.references import References
from frontdesk.agent.understanding.surface_cues import SurfaceCues
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.logical_forms import Form
from frontdesk.kg.graph.pending_action import PendingAction, Slot, offered_start
from frontdesk.kg.graph.windows import Window


@dataclass(frozen=True)
class Said:
    """An utterance and the dialogue before it.

    Args:
        cues: Of its words.
        last: The action that is open or was last done; None when there was none.
        among: Tells which of some ids a form can mean.
        settings: Office hours and the usual length of a meeting.
        focus: Days talked about before, the latest first.
        spoken: The time that was spoken of last, of the clock or a day; None when none was.
        arranged: When what was last done, or turned down, is: of this turn or the one before.
        in_play: When that is, or begins, which was spoken of last: a time, else an event.
        together: That is another thing which the same utterance wants.
        timezone: Of whoever speaks; the organisation's when None.
        asked_about: Tells of whom and what the turn before asked whether they are free.
        found_free: Tells what the turn before asked for that is free, and found.
        answered_times: Tells start and end of each time that answered the last question.
        picked_time: That is one time, which was picked of several that were told.
    """

    cues: SurfaceCues
    forms: Sequence[Form]
    references: References
    last: PendingAction | None
    among: Callable[[Form, Sequence[str]], Sequence[str]]
    settings: ActionSettings
    focus: Sequence[dt.date] = ()
    spoken: Window | None = None
    arranged: Window | None = None
    in_play: Window | None = None
    together: bool = False
    timezone: dt.tzinfo | None = None
    asked_about: Callable[[], Sequence[str]] = tuple
    found_free: Callable[[], Sequence[str]] = tuple
    answered_times: Callable[[], Sequence[tuple[dt.datetime, dt.datetime]]] = tuple
    picked_time: bool = False

    @property
    def asked(self) -> str:
        """What was asked for before it; empty when nothing is awaited."""
        return self.last.asked if self.last is not None and self.last.is_open else ""

    @property
    def is_offered_times(self) -> bool:
        """Whether a time, or one of several, was just suggested."""
        return self.last is not None and self.asked == Slot.CHOICE and any(
            map(offered_start, self.last.offered))

    @property
    def kb(self) -> KnowledgeBase:
        """The organisation as the user may know it."""
        return self.references.kb


def words_of(form: Form) -> str:
    """The words in a form, as they were said."""
    return " ".join(each.text for each in sorted(form.spans(), key=lambda span: span.start))
