"""``notify``: whom a visitor comes to or calls for is left a notice, in the calendar's outbox."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from frontdesk.agent.acting.action_context import ActingComponents
from frontdesk.agent.acting.visitor_notices import VisitorNotices
from frontdesk.agent.calendars.calendar import CalendarUnavailableError
from frontdesk.agent.turn.task_context import task_context
from frontdesk.agent.turn.turn_state import Task, TurnState
from frontdesk.agent.understanding.meaning import forms_before
from frontdesk.agent.understanding.open_choice import chosen_before
from frontdesk.agent.understanding.task_readings import TaskReading
from frontdesk.agent.understanding.visits import visit_begun
from frontdesk.kg.graph.changes import Message, NoticeKind, Transaction


@dataclass(frozen=True)
class NotifyPeople:
    """Leaves notices of visitors.

    Args:
        acting: What is needed to act; None where nothing can be done.
        reaches: Whether notices are sent to somebody with an e-mail address, or with none that is
            known.
    """

    name: ClassVar[str] = "notify"
    acting: ActingComponents | None
    reaches: Callable[[str | None], bool]

    def run(self, state: TurnState) -> None:
        """Set ``notified``."""
        state.notified = self._notified(state, self.acting) if self.acting is not None else ""

    def _notified(self, state: TurnState, acting: ActingComponents) -> str:
        """What is said of who is told; empty where nobody is, or where that is not certain."""
        to_tell, links = state.parsed.to_tell, state.links
        forms, doubted = to_tell.forms, to_tell.doubted
        dialogue, chosen = state.inputs.dialogue, state.parsed.meaning.chosen
        if not forms or links is None:
            return ""
        if not state.inputs.session:
            state.notes.append(
                "nobody is told of a visitor in a dialogue without a session, which is not kept")
            return ""
        dialogue.set_visits(state.parsed.turn, " ".join(map(str, forms)))
        here = task_context(acting, state, Task(TaskReading(forms)), state.visible, links)
        notices = VisitorNotices(
            here, _name(state), state.inputs.session, doubted.text,
            links.meant(forms, chosen_before(dialogue) | dict(chosen)).which)
        messages = notices.messages(forms)
        if not messages:
            return ""
        visit = visit_begun(dialogue)
        again: set[Message] = set()
        try:
            with acting.source.changing():
                for each in messages:
                    id_ = _id(state.inputs.session, visit, notices.visitor, each)
                    if acting.calendar.receipt(id_) is not None:
                        again.add(each)
                        continue
                    acting.calendar.commit(Transaction(
                        id_, state.inputs.now, here.user, messages=(each,)))
        except CalendarUnavailableError as error:
            state.notes.append(f"nobody could be told of the visitor: {error}")
            return ""
        return notices.said(messages, self.reaches, again=again)


def _name(state: TurnState) -> str:
    """The name that a visitor gives, or gave just before; empty without any."""
    _, *before = forms_before(state.inputs.dialogue)
    return state.parsed.meaning.introduces or next(
        (span.text for forms in before[:1] for form in forms if form.head == "introduce"
         for span in form.spans()), "")


def _id(session: str, visit: str, visitor: str, message: Message) -> str:
    """Of the transaction of a message: a person is told once that a visitor has come, of what they
    bring and of each danger, however often that is said or its turn is taken."""
    what = visitor if message.kind is NoticeKind.ARRIVAL else message.text
    return hashlib.sha256(repr(("notice", session, visit, message.recipient, message.kind, what)
                               ).encode()).hexdigest()[:32]
