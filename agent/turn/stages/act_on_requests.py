"""``act``: the next step of what is to be done, down to the change of the calendar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from frontdesk.agent.acting.acted import Acted
from frontdesk.agent.acting.acting import Acting
from frontdesk.agent.turn.situations import Situations
from frontdesk.agent.turn.turn_state import Deeds, TurnState
from frontdesk.agent.understanding.link_utterance import (
    LinkedUtterance,
    add_mentions,
    add_references,
)
from frontdesk.kg.graph.mentions import DialogueAct, Mention, MentionKind
from frontdesk.kg.graph.pending_action import ActionStatus


@dataclass(frozen=True)
class Act:
    """Does what a turn is asked to do.

    Args:
        situations: None where nothing can be done.
    """

    name: ClassVar[str] = "act"
    situations: Situations | None

    def run(self, state: TurnState) -> None:
        """Set ``acted``, and ``visible`` where the calendar was changed."""
        acted = self._acted(state, self.situations) if self.situations is not None else []
        question = _question(state, acted)
        if question is not None and question is not state.linked.utterance:
            _write(state, question)
        if question is not None:
            question = _at_pending_time(state, acted, question)
        if question is not None and self.situations is not None:
            # What was wanted, if anything, is done or not clear.
            question = replace(_now(state, question), observation=replace(
                question.observation,
                acts=question.observation.acts - {DialogueAct.REQUEST_ACTION}))
        state.acted = Deeds(tuple(acted), question)

    @staticmethod
    def _acted(state: TurnState, situations: Situations) -> list[Acted]:
        """What is done about actions, one after the other."""
        found: list[Acted] = []
        for number, task in enumerate(state.decided):
            if number:
                task = replace(task, utterance=_now(state, task.utterance))
            if number or state.linked.split:
                _write(state, task.utterance)
            acted = Acting(situations.of(state, task)).respond(task.request)
            if acted is None:
                break
            waiting = tuple(each.utterance.words.whole for each in state.decided[number + 1:])
            over = acted.action.status is ActionStatus.ABANDONED
            acted = replace(acted, action=replace(acted.action,
                                                  waiting=() if over else waiting))
            found.append(acted)
            state.notes.extend(acted.notes)
            write_action(state, state.turn, acted)
            if acted.action.is_open or over:
                break
        return found


def write_action(state: TurnState, turn: str, acted: Acted) -> None:
    """Write into the dialogue graph what an action is after a turn."""
    action, kb = acted.action, state.visible.kb
    about = (*action.events, *action.people, *action.recipients, action.room)
    state.inputs.dialogue.set_action(turn, action, {
        each: str(kb.entity(each).type) for each in about if each in kb})


def _now(state: TurnState, part: LinkedUtterance) -> LinkedUtterance:
    """A part of an utterance without what was taken out of the calendar before it."""
    return replace(part, linked=part.linked.within(state.visible.kb))


def _write(state: TurnState, part: LinkedUtterance) -> None:
    """Write a part of the utterance into the dialogue graph."""
    dialogue, kb = state.inputs.dialogue, state.visible.kb
    nodes = add_mentions(dialogue, state.turn, part.observation.mentions)
    add_references(dialogue, kb, part.linked.within(kb),
                   dict(zip(part.nodes, nodes, strict=True)))


def _question(state: TurnState, acted: Sequence[Acted]) -> LinkedUtterance | None:
    """What is still to be answered; all that was asked where nothing was done."""
    whole = state.linked.utterance
    asked = [each for each in acted if each.question]
    if not acted:
        return whole
    if not asked:
        return None
    text = " ".join(each.question for each in asked)
    known = {whole.words.whole: whole, **state.linked.questions, **{
        each.words.whole: each for each in state.linked.requests}}
    if text not in known:
        state.notes.append("the question was not read apart from what is to be done")
    return known.get(text, whole)


def _at_pending_time(state: TurnState, acted: Sequence[Acted],
                     question: LinkedUtterance) -> LinkedUtterance:
    """A question that names no time, at that of what is being arranged."""
    asked = [each for each in acted if each.question]
    if not asked or asked[-1].question_time is None:
        return question
    words, window = asked[-1].question_time
    asking = f"{' '.join(each.question for each in asked).rstrip(' ?.!')} "
    time = Mention(words, len(asking), len(asking) + len(words), MentionKind.TIME, window=window)
    add_mentions(state.inputs.dialogue, state.turn, [time])
    return replace(question, observation=replace(
        question.observation, text=f"{asking}{words}?",
        mentions=(*question.observation.mentions, time)))
