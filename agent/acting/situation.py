"""What is known when a turn is to do something: who speaks, what was said, the calendar."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

from frontdesk.agent.access.access_rights import ASSISTANT, BY_CALLER, Access
from frontdesk.agent.acting.wording import Wording
from frontdesk.agent.calendars.calendar import Calendar
from frontdesk.agent.domains.visible_domain import DomainSnapshot, VisibleDomain
from frontdesk.agent.settings.settings import Settings
from frontdesk.agent.understanding.patterns.readings import LIKELY
from frontdesk.agent.understanding.patterns.request_words import RequestWords
from frontdesk.kg.english.verbalise import Verbaliser
from frontdesk.kg.graph.dialogue_graph import AGENT, DialogueGraph, Identity
from frontdesk.kg.graph.intents import Intent
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.mentions import Observation
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
class Situation:
    """Everything on which it depends what is done in a turn.

    Args:
        observation: What was read from the utterance.
        words: Its words, by what is asked of them.
        linked: What its mentions refer to.
        intents: Its intents by the trained head; empty where there is none.
        kb: The organisation with the calendar as it is.
        seen: What the user may know of it.
        hidden: Ids of the events of which the user may know no more than when they are.
        calendar: What is changed.
        changing: Within it the calendar is changed or asked whether it was; it raises
            CalendarUnavailableError while the calendar is out of reach.
        settings: Of actions.
        access: Who counts as whom, and may change everything.
        graph: The dialogue; the user may be identified in it.
        now: Zone-aware present.
        focus: Days talked about before, the latest first.
        timezone: Of whoever speaks; the organisation's when None.
        new_id: Makes ids of transactions.
        refreshed: ``kb``, ``seen`` and ``hidden`` after a change of the calendar.
    """

    observation: Observation
    words: RequestWords
    linked: Sequence[LinkedMention]
    intents: Mapping[Intent, float]
    kb: KnowledgeBase
    seen: KnowledgeBase
    hidden: frozenset[str]
    calendar: Calendar
    changing: Callable[[], AbstractContextManager[None]]
    settings: Settings
    access: Access
    graph: DialogueGraph
    now: dt.datetime
    focus: Sequence[dt.date]
    timezone: dt.tzinfo | None
    new_id: Callable[[], str]
    refreshed: Callable[[], tuple[KnowledgeBase, KnowledgeBase, frozenset[str]]]

    @property
    def user(self) -> str | None:
        """Id of who speaks, as far as that counts; None for anybody else."""
        return known_user(self.graph, self.access)

    @property
    def wording(self) -> Wording:
        """Words for what is said."""
        return Wording(Verbaliser(self.seen, self.now, speaker=self.user), self.hidden)

    @property
    def assistants(self) -> frozenset[str]:
        """The user, if they may change everything."""
        return frozenset(person for person in (self.user,) if person is not None
                         and self.access.role(self.kb, person) == ASSISTANT)

    @property
    def agent_said(self) -> str:
        """What was said last to the user; empty at the beginning."""
        return next((self.graph.text(turn) for turn in reversed(self.graph.turns)
                     if self.graph.speaker(turn) == AGENT), "")

    def after_change(self) -> Situation:
        """The same with the calendar as it is now."""
        kb, seen, hidden = self.refreshed()
        return replace(self, kb=kb, seen=seen, hidden=hidden)
