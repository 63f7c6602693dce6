"""On what it depends what is done about a task of a turn."""

from __future__ import annotations

from frontdesk.agent.acting.action_context import ActingComponents, ActionContext
from frontdesk.agent.domains.visible_domain import VisibleDomain
from frontdesk.agent.turn.turn_state import Task, TurnState


def task_context(components: ActingComponents, state: TurnState, task: Task,
                 visible: VisibleDomain) -> ActionContext:
    """The context in which a turn acts.

    Args:
        visible: What whoever speaks may know of, after what the turn did before.
    """
    inputs, utterance = state.inputs, state.linked
    return ActionContext(
        observation=utterance.observation, linked=utterance.linked, deed=task.deed,
        cues=task.deed.cues or state.parsed.cues,
        visible=visible, components=components, access=inputs.access,
        graph=inputs.dialogue, now=inputs.now, focus=state.parsed.parse.focus,
        timezone=inputs.timezone)
