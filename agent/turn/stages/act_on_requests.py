"""``act``: the next step of what is to be done, down to the change of the calendar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from frontdesk.agent.acting.action_context import ActingComponents
from frontdesk.agent.acting.action_dialogue import ActionDialogue
from frontdesk.agent.acting.action_outcome import ActionOutcome
from frontdesk.agent.acting.spoken_before import OVER, ended_since, left_aside
from frontdesk.agent.domains.visible_domain import VisibleDomain
from frontdesk.agent.turn.remember_reply import remember_action
from frontdesk.agent.turn.task_context import task_context
from frontdesk.agent.turn.turn_state import TaskOutcomes, TurnState
from frontdesk.agent.understanding.link_utterance import LinkedUtterance
from frontdesk.kg.graph.mentions import DialogueAct
from frontdesk.kg.graph.pending_action import ActionStatus, PendingAction

_NOT_ALL = "I'm sorry, I did not understand what else I should do."


@dataclass(frozen=True)
class ActOnRequests:
    """Does what a turn is asked to do.

    Args:
        acting: What is needed to act; None where nothing can be done.
    """

    name: ClassVar[str] = "act"
    acting: ActingComponents | None

    def run(self, state: TurnState) -> None:
        """Set ``acted``."""
        outcomes, visible = ([], state.visible) if self.acting is None else \
            _outcomes(state, self.acting)
        question = _question(state, outcomes, visible)
        if question is not None and self.acting is None and state.parsed.meaning.requests:
            question = replace(question, observation=replace(
                question.observation,
                acts=question.observation.acts | {DialogueAct.REQUEST_ACTION}))
        state.acted = TaskOutcomes(tuple(outcomes), question, visible)


def _outcomes(state: TurnState, acting: ActingComponents
              ) -> tuple[list[ActionOutcome], VisibleDomain]:
    """What is done about actions, one after the other, and what the user may know of after it."""
    found: list[ActionOutcome] = []
    visible, decided = state.visible, state.decided
    pending = state.inputs.dialogue.last_action()
    for number, task in enumerate(state.decided):
        if number >= len(decided):
            break
        here = task_context(acting, state, task, visible)
        outcome = ActionDialogue(here).respond(task.request)
        if outcome is None and found:
            if not found[-1].text.endswith(_NOT_ALL):
                found[-1] = replace(found[-1], text=f"{found[-1].text} {_NOT_ALL}")
            continue
        if outcome is None:
            break
        if not number and pending is not None and _is_left(pending, outcome.action):
            decided = decided[:len(decided) - len(pending.waiting)]
        waiting = tuple(each.deed.kept for each in decided[number + 1:]) + outcome.later
        over = outcome.action.status is ActionStatus.ABANDONED
        done = tuple(event for each in found[-1:] for event in (
            *each.action.done_before,
            *(each.action.events if each.action.status is ActionStatus.DONE else ())))
        outcome = replace(outcome, action=replace(
            outcome.action, waiting=() if over else waiting,
            done_before=done or outcome.action.done_before))
        found.append(outcome)
        state.notes.extend(outcome.notes)
        visible = outcome.visible or visible
        remember_action(state.inputs.dialogue, visible.kb, state.parsed.turn, outcome.action)
        if outcome.action.is_open or over or outcome.action.status is ActionStatus.ASIDE:
            break
    aside = left_aside(state.inputs.dialogue)  # is told once, after what is over
    if found and aside is not None and found[-1].action.status in OVER \
            and ended_since(state.inputs.dialogue, aside) == 1 and (
                not aside.events or any(each in visible.kb for each in aside.events)):
        found[-1] = replace(found[-1], text=f"{found[-1].text} {here.wording.way_back(aside)}")
    return found, visible


def _is_left(pending: PendingAction, action: PendingAction) -> bool:
    """Whether something else is arranged in place of what was pending: nothing that was asked for
    with that is done any more."""
    return pending.is_open and (action.kind, action.transaction) != (
        pending.kind, pending.transaction)


def _question(state: TurnState, outcomes: Sequence[ActionOutcome], visible: VisibleDomain
              ) -> LinkedUtterance | None:
    """What is still to be answered; all that was said where nothing was done."""
    if outcomes and not any(each.asks for each in outcomes):
        return None
    return replace(state.linked, linked=state.linked.linked.within(visible.kb))
