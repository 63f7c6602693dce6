"""The situation in which a turn is to do something."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from frontdesk.agent.acting.situation import Situation, visible_to
from frontdesk.agent.calendars.calendar import CalendarUnavailableError
from frontdesk.agent.domains.visible_domain import DomainSource
from frontdesk.agent.settings.settings import Settings
from frontdesk.agent.turn.turn_state import Task, TurnState
from frontdesk.kg.graph.knowledge_base import KnowledgeBase


@dataclass(frozen=True)
class Situations:
    """Makes situations.

    Args:
        source: What is talked about, with the calendar that is changed.
        settings: Of actions.
        new_id: Makes ids of transactions.
    """

    source: DomainSource
    settings: Settings
    new_id: Callable[[], str]

    def of(self, state: TurnState, task: Task) -> Situation | None:
        """The situation of a turn that is to do something; None where nothing can be done."""
        inputs, visible = state.inputs, state.visible
        calendar, kb, seen = self.source.calendar, visible.snapshot.kb, visible.kb
        if calendar is None or not isinstance(kb, KnowledgeBase) \
                or not isinstance(seen, KnowledgeBase):
            return None
        return Situation(
            observation=task.utterance.observation, words=task.utterance.words,
            linked=task.utterance.linked, intents=task.intents, kb=kb, seen=seen,
            hidden=visible.hidden, calendar=calendar, changing=self.source.changing,
            settings=self.settings, access=inputs.access,
            graph=inputs.dialogue, now=inputs.now, focus=state.parsed.focus,
            timezone=inputs.timezone, new_id=self.new_id,
            refreshed=lambda: self._refreshed(state))

    def _refreshed(self, state: TurnState
                   ) -> tuple[KnowledgeBase, KnowledgeBase, frozenset[str]]:
        """The organisation after a change of the calendar, and what the user may know of it."""
        snapshot = state.visible.snapshot
        try:
            snapshot = self.source.refresh(anew=True)
        except CalendarUnavailableError as error:
            state.notes.append(f"the calendar could not be read after it was changed: {error}")
        state.visible = visible_to(snapshot, state.inputs.dialogue.user_identity(),
                                   state.inputs.access)
        kb, seen = snapshot.kb, state.visible.kb
        if not isinstance(kb, KnowledgeBase) or not isinstance(seen, KnowledgeBase):
            raise TypeError("only an organisation has a calendar")
        return kb, seen, state.visible.hidden
