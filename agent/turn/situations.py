"""The situation in which a turn is to do something."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from frontdesk.agent.acting.situation import Situation, visible_to
from frontdesk.agent.calendars.calendar import Calendar, CalendarUnavailableError
from frontdesk.agent.domains.domain_pack import Actions
from frontdesk.agent.domains.visible_domain import DomainSource, VisibleDomain
from frontdesk.agent.settings.settings import Settings
from frontdesk.agent.turn.turn_state import Task, TurnState
from frontdesk.kg.graph.knowledge_base import KnowledgeBase


@dataclass(frozen=True)
class Situations:
    """Makes situations.

    Args:
        source: What is talked about.
        actions: What can be changed of it.
        calendar: In which.
        settings: Of actions.
        new_id: Makes ids of transactions.
    """

    source: DomainSource
    actions: Actions[Any]
    calendar: Calendar
    settings: Settings
    new_id: Callable[[], str]

    def of(self, state: TurnState, task: Task) -> Situation:
        """The situation of a turn that is to do something."""
        inputs = state.inputs
        kb, seen, hidden = self._bookable(state.visible)
        return Situation(
            observation=task.utterance.observation, words=task.utterance.words,
            linked=task.utterance.linked, intents=task.intents, kb=kb, seen=seen,
            hidden=hidden, calendar=self.calendar, changing=self.source.changing,
            settings=self.settings, access=inputs.access,
            graph=inputs.dialogue, now=inputs.now, focus=state.parsed.focus,
            timezone=inputs.timezone, new_id=self.new_id,
            refreshed=lambda: self._refreshed(state))

    def _refreshed(self, state: TurnState
                   ) -> tuple[KnowledgeBase, KnowledgeBase, frozenset[str]]:
        """What is in the calendar after a change; see :meth:`_bookable`."""
        snapshot = state.visible.snapshot
        try:
            snapshot = self.source.refresh(anew=True)
        except CalendarUnavailableError as error:
            state.notes.append(f"the calendar could not be read after it was changed: {error}")
        state.visible = visible_to(snapshot, state.inputs.dialogue.user_identity(),
                                   state.inputs.access)
        return self._bookable(state.visible)

    def _bookable(self, visible: VisibleDomain
                  ) -> tuple[KnowledgeBase, KnowledgeBase, frozenset[str]]:
        """What is in the calendar, what the user may know of it, and the events that they may not.
        """
        bookable = self.actions.bookable
        return bookable(visible.snapshot.kb), bookable(visible.kb), visible.hidden
