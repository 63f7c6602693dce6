"""``decide``: whether a turn asks a question or for something to be done, and for what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import ClassVar

from frontdesk.agent.acting.action_context import ActingComponents
from frontdesk.agent.acting.spoken_before import action_before
from frontdesk.agent.acting.task_reader import TaskReader
from frontdesk.agent.acting.wording import GO_ON
from frontdesk.agent.turn.task_context import task_context
from frontdesk.agent.turn.turn_state import Task, TurnState
from frontdesk.agent.understanding.deeds import (
    Deed,
    changes_event,
    likeliest_deed,
    only_tell_who_comes,
    tasks_in,
)
from frontdesk.agent.understanding.surface_cues import SurfaceCues
from frontdesk.kg.graph.errors import FormatError
from frontdesk.kg.graph.form_places import placed
from frontdesk.kg.graph.logical_forms import Form, read_forms
from frontdesk.kg.graph.pending_action import ActionKind, ActionStatus


@dataclass(frozen=True)
class DecideTasks:
    """Decides what a turn is to do.

    Args:
        acting: What is needed to act; None where nothing can be done.
    """

    name: ClassVar[str] = "decide"
    acting: ActingComponents | None

    def run(self, state: TurnState) -> None:
        """Set ``decided``: what is to be done, one after the other; nothing for a question."""
        state.decided = () if self.acting is None else self._tasks(state, self.acting)

    def _tasks(self, state: TurnState, acting: ActingComponents) -> tuple[Task, ...]:
        cues, meaning = state.parsed.cues, state.parsed.meaning
        action = action_before(state.inputs.dialogue, cues)
        pending = action if action is not None and (action.is_open or (
            action.status is ActionStatus.ASIDE and (cues.is_phrase(GO_ON) or self._reader(
                state, acting, Task(likeliest_deed(meaning.readings, cues, pending=True))
            ).takes_up(action)))) else None
        if meaning.warns or (pending is None and meaning.only_asks):
            return ()
        deed = likeliest_deed(meaning.readings, cues, pending=pending is not None)
        wanted = tasks_in(deed.forms, pending=pending)
        (first, _), *others = sorted(zip(wanted, _own_cues(cues, wanted), strict=True),
                                     key=lambda each: only_tell_who_comes(each[0]))
        after = [Task(Deed(each, cues=own)) for each, own in others]
        if pending is not None and any(form.head == "confirm" for form in first):
            found = [(each, self._reader(state, acting, each).further()) for each in after]
            if any(further.names_nothing for _, further in found):
                # A yes beside something else than what was proposed is none.
                first = tuple(form for form in first if form.head != "confirm")
            joined = [each for each, further in found if further.joins][:1]
            after = [each for each, further in found
                     if not further.repeats and each not in joined]
            first = (*first, *(form for each in joined for form in each.deed.forms))
        while pending is None and after and self._cancels_one(state, acting, Task(Deed(first))) \
                and self._cancels_one(state, acting, after[0]):
            first = _together(first, after.pop(0).deed.forms)
        later = [form for each in after for form in each.deed.forms]
        if (pending is not None and pending.kind is not ActionKind.MESSAGE) \
                or any(map(changes_event, deed.forms)):
            after = [each for each in after if not only_tell_who_comes(each.deed.forms)]
        task = Task(Deed(first, deed.rivals, tuple(later), tuple(
            form for form in deed.forms if form not in (*first, *later))))
        if pending is None:
            request = self._reader(state, acting, task).begun()
            return () if request is None else (replace(task, request=request), *after)
        # What waits is only done when nothing is pending any more.
        return (task, *after, *(Task(_waiting(*each, cues)) for each in pending.waiting))

    def _cancels_one(self, state: TurnState, acting: ActingComponents, task: Task) -> bool:
        """Whether a task cancels what is clear, and is all that it does."""
        if [each.head for each in task.deed.forms] != ["request"]:
            return False
        reader = self._reader(state, acting, task)
        request = reader.read(None)
        return request.begins is ActionKind.CANCEL and bool(request.events) \
            and not (request.options or request.misnamed or request.left_out) \
            and not any(reader.here.kb.events[each].series for each in request.events)

    @staticmethod
    def _reader(state: TurnState, acting: ActingComponents, task: Task) -> TaskReader:
        return TaskReader(task_context(acting, state, task, state.visible))


def _together(one: Sequence[Form], other: Sequence[Form]) -> tuple[Form, ...]:
    """Two cancellations as one, of all their events."""
    events = [each for form in (*one, *other) for wish in form.arguments if isinstance(wish, Form)
              for target in wish.arguments if isinstance(target, Form)
              for each in (target.arguments if target.head == "and" else (target,))]
    return (Form("request", (Form("cancel", (Form("and", tuple(events)),)),)),)


def _own_cues(cues: SurfaceCues, tasks: Sequence[Sequence[Form]]) -> list[SurfaceCues]:
    """Those of the words in which each of several tasks was said: from the end of the one before
    to its own end; of all words where one reaches into another.

    Args:
        tasks: The forms of each, in the order in which they were said.
    """
    ends = [max((span.end for form in forms for span in form.spans()), default=0)
            for forms in tasks]
    begins = [0, *accumulate(ends, max)]
    if any(span.start < begin for forms, begin in zip(tasks, begins, strict=False)
           for form in forms for span in form.spans()):
        return [cues] * len(tasks)
    return [*(cues.part(begin, max(begin, end)) if end else cues
              for begin, end in zip(begins, ends[:-1], strict=False)), cues.part(begins[-2], None)]


def _waiting(words: str, text: str, cues: SurfaceCues) -> Deed:
    """What an earlier utterance asked for that is still to be done."""
    own = cues.of_kept(words) if words else None
    try:
        return Deed(placed(read_forms(text), words), cues=own)
    except FormatError:  # of another version
        return Deed(cues=own)
