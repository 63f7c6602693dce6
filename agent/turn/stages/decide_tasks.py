"""``decide``: whether a turn asks a question or for something to be done, and for what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from frontdesk.agent.acting.action_context import ActingComponents
from frontdesk.agent.acting.action_dialogue import ActionDialogue
from frontdesk.agent.turn.task_context import task_context
from frontdesk.agent.turn.turn_state import Task, TurnState
from frontdesk.agent.understanding.link_utterance import LinkedUtterance
from frontdesk.kg.graph.intents import Intent
from frontdesk.kg.models.intent_head import ASKED, IntentHead, UtteranceFeatures
from frontdesk.scoring.encoder import SentenceEncoder


@dataclass(frozen=True)
class DecideTasks:
    """Decides what a turn is to do.

    Args:
        acting: What is needed to act; None where nothing can be done.
        encoder: Of sentences, for the head.
        head: Tells what an utterance wants; None where patterns alone do.
    """

    name: ClassVar[str] = "decide"
    acting: ActingComponents | None
    encoder: SentenceEncoder
    head: IntentHead | None

    def run(self, state: TurnState) -> None:
        """Set ``decided``: what is to be done, one after the other; nothing for a question."""
        state.decided = () if self.acting is None else self._tasks(state, self.acting)

    def _tasks(self, state: TurnState, acting: ActingComponents) -> tuple[Task, ...]:
        action = state.inputs.dialogue.last_action()
        pending = action if action is not None and action.is_open else None
        first, *others = state.linked.requests
        asked = pending.asked if pending is not None and pending.asked in ASKED else ""
        task = Task(first, self._intents(first, asked, pending=pending is not None))
        if pending is None:
            request = ActionDialogue(task_context(acting, state, task, state.visible)).read()
            if request is None:
                return ()
            task = replace(task, request=request)
        # What waits is only done when nothing is pending any more.
        return (task, *(Task(each, self._intents(each, "", pending=False)) for each in others))

    def _intents(self, utterance: LinkedUtterance, asked: str, *, pending: bool
                 ) -> Mapping[Intent, float]:
        """The intents of an utterance by the trained head; none where there is no head.

        A mere question needs none: nothing is pending, and it is worded as one.
        """
        if self.head is None or (not pending and utterance.words.is_mere_question):
            return {}
        (vector,) = self.encoder.encode([utterance.words.whole], keep=False)
        return self.head.probabilities(vector, asked=asked,
                                       features=UtteranceFeatures.of(utterance.observation))
