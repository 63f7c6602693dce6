"""What is known when a turn is to do something: who speaks, what was said, the calendar."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from frontdesk.agent.access.access_rights import ASSISTANT, BY_CALLER, Access
from frontdesk.agent.acting.plan import Planner
from frontdesk.agent.acting.worded_questions import last_question
from frontdesk.agent.acting.wording import Wording
from frontdesk.agent.calendars.calendar import Calendar, CalendarUnavailableError
from frontdesk.agent.domains.domain_pack import Actions
from frontdesk.agent.domains.visible_domain import DomainSnapshot, DomainSource, VisibleDomain
from frontdesk.agent.settings.settings import Settings
from frontdesk.agent.understanding.deeds import Deed
from frontdesk.agent.understanding.meaning import LIKELY
from frontdesk.agent.understanding.surface_cues import SurfaceCues
from frontdesk.kg.english.verbalise import Verbaliser
from frontdesk.kg.graph.dialogue_graph import AGENT, DialogueGraph, Identity
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.mentions import Observation
from frontdesk.kg.graph.pending_action import PendingAction
from frontdesk.rules.linking.linked import LinkedMention


def known_user(graph: DialogueGraph, access: Access) -> str | None:
    """Id of the person who speaks, as far as that counts; None for anybody else.

    Args:
        graph: The dialogue.
        access: Whether users are who they say they are.
    """
    return _counted(graph.user_identity(), access)


def visible_to(snapshot: DomainSnapshot, identity: Identity | None, access: Access
               ) -> VisibleDomain:
    """What somebody may be told.

    Args:
        snapshot: All that is known.
        identity: Who they are, as far as the dialogue tells.
        access: Whether users are who they say they are, and what they may be told then.
    """
    return snapshot.viewed_by(_counted(identity, access), access,
                              certain=identity is not None and identity[2].rule == BY_CALLER)


def _counted(identity: Identity | None, access: Access) -> str | None:
    if identity is None or identity[1] <= LIKELY:
        return None
    return identity[0] if access.trusts_claims or identity[2].rule == BY_CALLER else None


@dataclass(frozen=True)
class ActingComponents:
    """What is needed to act, whoever speaks.

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


@dataclass(frozen=True)
class ActionContext:
    """Everything on which it depends what is done in a turn.

    Args:
        observation: What was read from the utterance.
        linked: What its mentions refer to.
        deed: What is said of what is to be done, as forms.
        cues: Of the words in which that is said.
        visible: What the user may know of, with the calendar as it is.
        components: What is changed, and how.
        access: Who counts as whom, and may change everything.
        graph: The dialogue; the user may be identified in it.
        now: Zone-aware present.
        focus: Days talked about before, the latest first.
        timezone: Of whoever speaks; the organisation's when None.
        notes: What went wrong when the calendar was read, in words.
    """

    observation: Observation
    linked: Sequence[LinkedMention]
    deed: Deed
    cues: SurfaceCues
    visible: VisibleDomain
    components: ActingComponents
    access: Access
    graph: DialogueGraph
    now: dt.datetime
    focus: Sequence[dt.date]
    timezone: dt.tzinfo | None
    notes: tuple[str, ...] = ()

    @cached_property
    def kb(self) -> KnowledgeBase:
        """The organisation with the calendar as it is."""
        return self.components.actions.bookable(self.visible.snapshot.kb)

    @cached_property
    def seen(self) -> KnowledgeBase:
        """What the user may know of it."""
        return self.components.actions.bookable(self.visible.kb)

    @property
    def user(self) -> str | None:
        """Id of who speaks, as far as that counts; None for anybody else."""
        return known_user(self.graph, self.access)

    @property
    def wording(self) -> Wording:
        """Words for what is said."""
        return Wording(Verbaliser(self.seen, self.now, speaker=self.user),
                       self.visible.hidden)

    @property
    def planner(self) -> Planner:
        """Works out what an action would make of the calendar."""
        return Planner(self.kb, self.now, self.components.settings.actions)

    def reminder(self, pending: PendingAction) -> str:
        """What is still awaited."""
        return last_question(self.agent_said) if pending.asked else ""

    @property
    def assistants(self) -> frozenset[str]:
        """The user, if they may change everything."""
        return frozenset(person for person in (self.user,) if person is not None
                         and self.access.role(self.kb.people, person) == ASSISTANT)

    @property
    def agent_said(self) -> str:
        """What was said last to the user; empty at the beginning."""
        return next((self.graph.text(turn) for turn in reversed(self.graph.turns)
                     if self.graph.speaker(turn) == AGENT), "")

    def after_change(self) -> ActionContext:
        """The same with the calendar as it is now, or as it was with a note of why."""
        snapshot, notes = self.visible.snapshot, self.notes
        try:
            snapshot = self.components.source.refresh(anew=True)
        except CalendarUnavailableError as error:
            notes = (*notes, f"the calendar could not be read after it was changed: {error}")
        return replace(self, notes=notes, visible=visible_to(
            snapshot, self.graph.user_identity(), self.access))
