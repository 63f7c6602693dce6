"""``act``: the next step of what is to be done, down to the change of the calendar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from frontdesk.agent.acting.action_context import ActingComponents
from frontdesk.agent.acting.action_dialogue import ActionDialogue
from frontdesk.agent.acting.action_outcome import ActionOutcome
from frontdesk.agent.domains.visible_domain import VisibleDomain
from frontdesk.agent.turn.remember_reply import remember_action
from frontdesk.agent.turn.task_context import task_context
from frontdesk.agent.turn.turn_state import TaskOutcomes, TurnState
from frontdesk.agent.understanding.link_utterance import (
    LinkedUtterance,
    add_mentions,
    add_references,
)
from frontdesk.kg.graph.knowledge_graph import KnowledgeGraph
from frontdesk.kg.graph.mentions import DialogueAct, Mention, MentionKind
from frontdesk.kg.graph.pending_action import ActionStatus


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
        question, kb = _question(state, outcomes), visible.kb
        if question is not None and question is not state.linked.utterance:
            _write(state, question, kb)
        if question is not None:
            question = _at_pending_time(state, outcomes, question)
        if question is not None and self.acting is not None:
            # What was wanted, if anything, is done or not clear.
            question = replace(_within(question, kb), observation=replace(
                question.observation,
                acts=question.observation.acts - {DialogueAct.REQUEST_ACTION}))
        state.acted = TaskOutcomes(tuple(outcomes), question, visible)


def _outcomes(state: TurnState, acting: ActingComponents
              ) -> tuple[list[ActionOutcome], VisibleDomain]:
    """What is done about actions, one after the other, and what the user may know of after it."""
    found: list[ActionOutcome] = []
    visible = state.visible
    for number, task in enumerate(state.decided):
        if number:
            task = replace(task, utterance=_within(task.utterance, visible.kb))
        if number or state.linked.split:
            _write(state, task.utterance, visible.kb)
        outcome = ActionDialogue(task_context(acting, state, task, visible)).respond(task.request)
        if outcome is None:
            break
        waiting = tuple(each.utterance.words.whole for each in state.decided[number + 1:])
        over = outcome.action.status is ActionStatus.ABANDONED
        outcome = replace(outcome, action=replace(outcome.action,
                                                  waiting=() if over else waiting))
        found.append(outcome)
        state.notes.extend(outcome.notes)
        visible = outcome.visible or visible
        remember_action(state.inputs.dialogue, visible.kb, state.parsed.turn, outcome.action)
        if outcome.action.is_open or over:
            break
    return found, visible


def _within(part: LinkedUtterance, kb: KnowledgeGraph) -> LinkedUtterance:
    """A part of an utterance without what was taken out of the calendar before it."""
    return replace(part, linked=part.linked.within(kb))


def _write(state: TurnState, part: LinkedUtterance, kb: KnowledgeGraph) -> None:
    """Write a part of the utterance into the dialogue graph."""
    dialogue = state.inputs.dialogue
    nodes = add_mentions(dialogue, state.parsed.turn, part.observation.mentions)
    add_references(dialogue, kb, part.linked.within(kb),
                   dict(zip(part.nodes, nodes, strict=True)))


def _question(state: TurnState, outcomes: Sequence[ActionOutcome]) -> LinkedUtterance | None:
    """What is still to be answered; all that was asked where nothing was done."""
    whole = state.linked.utterance
    asked = [each for each in outcomes if each.question]
    if not outcomes:
        return whole
    if not asked:
        return None
    text = " ".join(each.question for each in asked)
    known = {whole.words.whole: whole, **state.linked.questions, **{
        each.words.whole: each for each in state.linked.requests}}
    if text not in known:
        state.notes.append("the question was not read apart from what is to be done")
    return known.get(text, whole)


def _at_pending_time(state: TurnState, outcomes: Sequence[ActionOutcome],
                     question: LinkedUtterance) -> LinkedUtterance:
    """A question that names no time, at that of what is being arranged."""
    asked = [each for each in outcomes if each.question]
    if not asked or asked[-1].question_time is None:
        return question
    words, window = asked[-1].question_time
    asking = f"{' '.join(each.question for each in asked).rstrip(' ?.!')} "
    time = Mention(words, len(asking), len(asking) + len(words), MentionKind.TIME, window=window)
    add_mentions(state.inputs.dialogue, state.parsed.turn, [time])
    return replace(question, observation=replace(
        question.observation, text=f"{asking}{words}?",
        mentions=(*question.observation.mentions, time)))
