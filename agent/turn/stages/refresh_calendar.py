"""``refresh``: the calendar as it is now, as far as whoever speaks may know it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from frontdesk.agent.acting.action_context import visible_to
from frontdesk.agent.calendars.calendar import CalendarUnavailableError
from frontdesk.agent.domains.visible_domain import DomainSource
from frontdesk.agent.turn.turn_state import TurnState


@dataclass(frozen=True)
class RefreshCalendar:
    """Takes in what was changed in the calendar elsewhere."""

    name: ClassVar[str] = "refresh"
    source: DomainSource

    def run(self, state: TurnState) -> None:
        """Set ``refreshed``; what is no longer there is forgotten."""
        dialogue = state.inputs.dialogue
        try:
            snapshot = self.source.refresh()
        except CalendarUnavailableError as error:
            snapshot = self.source.latest
            state.notes.append(f"the calendar is as it was when it was last reached: {error}")
        state.refreshed = visible_to(snapshot, dialogue.user_identity(), state.inputs.access)
        dialogue.forget_entities(each for each in dialogue.entities()
                                 if each not in state.refreshed.kb)
