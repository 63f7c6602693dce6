"""What a turn does about an action: it begins, goes on with or ends one, or answers first.

The pending action is part of the dialogue graph; what an utterance says changes it, the rules of
``actions.pl`` decide on the next step, and the calendar checks once more when it is done.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace

from frontdesk.agent.acting.action_context import ActionContext
from frontdesk.agent.acting.action_outcome import ActionOutcome
from frontdesk.agent.acting.alternatives import Alternatives
from frontdesk.agent.acting.next_step import GONE, NextStep
from frontdesk.agent.acting.pending_dialogue import NO_CONDITIONS, PendingDialogue
from frontdesk.agent.acting.plan import STEP, Plan
from frontdesk.agent.acting.policy import Step
from frontdesk.agent.acting.speaker import Speaker
from frontdesk.agent.acting.spoken_before import SpokenBefore, action_before
from frontdesk.agent.acting.task_reader import TaskReader
from frontdesk.agent.acting.unclear import rivals, unsure
from frontdesk.agent.acting.undo import (
    is_booked,
    takes_back,
    transaction_made,
    undo,
    undo_proposed,
    was_done,
    was_taken_back,
)
from frontdesk.agent.acting.update import SPOKEN_OF, begun, organises_already, updated
from frontdesk.agent.calendars.calendar import CalendarUnavailableError, Receipt
from frontdesk.agent.understanding.deeds import only_tell_who_comes, tells_who_comes
from frontdesk.agent.understanding.request import Request
from frontdesk.kg.graph.changes import Transaction, notices
from frontdesk.kg.graph.pending_action import (
    ActionKind,
    ActionStatus,
    PendingAction,
    Slot,
    offered_day,
    offered_start,
)
from frontdesk.kg.times.other_times import OtherTime

_ONLY_ONE = "I cannot book series, only single meetings, so this is for one."
_SAME_HOST = "I cannot change who organises a meeting."
_ONE_HOST = "Only one person can organise a meeting, so far you do."
_DONE_ALREADY = "That is done already. Say “undo that” if I should take it back."


@dataclass(frozen=True)
class ActionDialogue:
    """One turn's step of an action.

    Args:
        here: The turn.
    """

    here: ActionContext

    def respond(self, request: Request | None = None) -> ActionOutcome | None:
        """What is done and said; None for an utterance that is about no action.

        Args:
            request: What it asks for; it is read where it is not given.
        """
        last = action_before(self.here.graph, self.here.cues)
        if last is not None and (last.is_open or (
                last.status is ActionStatus.ASIDE and request is None)):
            return self._go_on(last)
        request = request or TaskReader(self.here).begun()
        if request is not None and last is not None and last.status is ActionStatus.DONE \
                and self._only_tells(last) and SpokenBefore(self.here).is_spoken_of(last):
            done = transaction_made(self.here, last.transaction)
            return self._told_besides(ActionOutcome("", last, plan=Plan(
                changes=done.changes if done is not None else ())), request)
        return self._begin(request, last) if request is not None else None

    def _only_tells(self, action: PendingAction) -> bool:
        """Whether those who take part in what changes are to be told of it, and nothing else."""
        return action.kind is not ActionKind.MESSAGE and only_tell_who_comes(self.here.deed.forms)

    def _begin(self, request: Request, last: PendingAction | None) -> ActionOutcome:
        """The first step of an action, or what was done before is taken back."""
        here = self.here
        if takes_back(request):
            return undo(here, last, request)
        action = begun(request, last)
        if action is None or request.abandons:
            # What was done before can still be undone or spoken of.
            if last is not None and last.status is ActionStatus.ASIDE:
                return ActionOutcome(here.wording.left(last.kind), replace(
                    last, status=ActionStatus.ABANDONED, asked=""))
            done = last is not None and last.status is ActionStatus.DONE and request.begins is None
            return ActionOutcome(
                _DONE_ALREADY if done else here.wording.left(ActionKind.CHANGE),
                last or PendingAction(ActionKind.CHANGE, ActionStatus.ABANDONED))
        if here.cues.is_conditional(here.deed.forms):
            return ActionOutcome(NO_CONDITIONS, replace(action, status=ActionStatus.REFUSED))
        action = self._about_last(action, request, last)
        if rivals(here, action):
            return unsure(here, action, request)
        if request.comes is not None and all(
                here.kb.events[each].organizer in (None, here.user) for each in request.events):
            action = replace(action, kind=ActionKind.CHANGE)  # there is nobody to be told
        action = updated(action, request, here)
        if (shift := self._shift(action, request)) is not None:
            return self._told_besides(NextStep(here).go_on(
                replace(action, time=replace(action.time, shift=shift)), request), request)
        outcome = NextStep(here).go_on(action, request)
        if action.kind is ActionKind.CHANGE:  # "a bit later" than it is
            outcome = Alternatives(here, outcome.action).wanted(request) or outcome
        return self._told_besides(outcome, request)

    def _shift(self, action: PendingAction, request: Request) -> dt.timedelta | None:
        """How much later several events, or dates of a series, are to be, where that is left open;
        None for anything else."""
        ways = {OtherTime.LATER: STEP, OtherTime.EARLIER: -STEP}
        kb, time = self.here.kb, action.time
        several = len(action.events) > 1 or any(kb.is_recurring(kb.events[each])
                                                for each in action.events)
        return ways.get(request.other_time) if request.other_time and several \
            and action.kind is ActionKind.CHANGE and (time.start, time.shift) == (None, None) \
            else None

    def _about_last(self, action: PendingAction, request: Request,
                    last: PendingAction | None) -> PendingAction:
        """A change that names no event is one of what was done last."""
        if (last is not None and last.status in SPOKEN_OF
                and action.kind in (ActionKind.CHANGE, ActionKind.CANCEL)
                and not (request.events or request.options or request.names_event)):
            return replace(action, events=tuple(each for each in last.events
                                                if each in self.here.kb.events))
        return action

    def _told_besides(self, outcome: ActionOutcome, request: Request) -> ActionOutcome:
        """What is said, after what of it cannot be as it was said, and who is told of it."""
        action, known = outcome.action, self.here.user is not None
        said = self._misnamed(action, request) if known else []
        refuses = outcome.decision is not None and outcome.decision.step is Step.REFUSE
        if outcome.understood and not refuses and action.status is not ActionStatus.ABANDONED:
            said += self._not_taken(action, request)
        tells = any(map(tells_who_comes, (*self.here.deed.forms, *self.here.deed.after)))
        if known and tells and action.kind is not ActionKind.MESSAGE and (
                action.is_open or action.status is ActionStatus.DONE):
            said.append(self._told(outcome))
        return replace(outcome, text=" ".join(filter(None, [*said, outcome.text])))

    def _misnamed(self, action: PendingAction, request: Request) -> list[str]:
        """What is called what it is not, or is to be organised by whom it cannot be."""
        wording = self.here.wording
        said = [wording.misnamed(request.misnamed)] if request.misnamed else []
        if request.hosted and action.kind is ActionKind.CHANGE:
            said += [] if organises_already(action, request, self.here) else [_SAME_HOST]
        elif request.hosted and not (request.host or any(each.hosts for each in request.unclear)):
            said.append(_ONE_HOST if self.here.assistants else wording.organises())
        return said

    def _not_taken(self, action: PendingAction, request: Request) -> list[str]:
        """What of a request is not in what is proposed."""
        said, left_out = [], request.left_out
        if request.repeated and action.kind is ActionKind.CREATE:
            said.append(_ONLY_ONE)
        elif request.repeated and not any(self.here.kb.events[each].series
                                          for each in action.events if each in self.here.kb.events):
            left_out = (*left_out, request.repeated)
        return [*said, self.here.wording.not_taken(left_out)] if left_out else said

    def _told(self, outcome: ActionOutcome) -> str:
        """Who will be told of what is done; of what is still open that is not known."""
        action, changes = outcome.action, outcome.plan.changes
        made = Transaction("", self.here.now, action.by or None, changes)
        others = {each for change in changes for event in (change.before, change.after)
                  if event is not None for each in event.concerned()} - {action.by}
        known = bool(changes) and action.status is not ActionStatus.OPEN
        return self.here.wording.told(tuple(dict.fromkeys(
            each.person for each in notices(made))), others if known else None)

    # --- what is open

    def _go_on(self, pending: PendingAction) -> ActionOutcome:
        """The next step of what is pending, or was left aside."""
        here = self.here
        if pending.status is ActionStatus.ASIDE:
            pending = replace(pending, status=ActionStatus.OPEN)
        if pending.kind is ActionKind.UNDO:
            reader = TaskReader(here)
            return undo_proposed(here, pending, reader.read(pending)) or self._begin(
                reader.begun() or Request(abandons=True),
                replace(pending, status=ActionStatus.ABANDONED, asked="", offered=()))
        if pending.status is ActionStatus.CONFIRMING:
            receipt = self._receipt(pending)
            if receipt is not None and was_taken_back(here, pending):
                pending = replace(pending, transaction="")
            elif receipt is not None or is_booked(here, pending):
                return was_done(here, pending, receipt)
        kept = self._pruned(pending)
        if kept is None:
            return ActionOutcome(GONE, replace(pending, status=ActionStatus.FAILED, asked=""))
        if kept.asked == Slot.SPEAKER:
            Speaker(here).identify()
        request = TaskReader(here).read(kept)
        if self._only_tells(kept):
            return self._told_besides(ActionOutcome(
                here.reminder(kept), kept, plan=here.planner.plan(kept)), request)
        return self._told_besides(PendingDialogue(here, kept, request).step(), request)

    def _receipt(self, action: PendingAction) -> Receipt | None:
        """That what is to be confirmed was done already; not known is taken for no.

        To do it once more is safe then: a calendar makes a transaction once.
        """
        try:
            with self.here.components.source.changing():
                return self.here.components.calendar.receipt(action.transaction)
        except CalendarUnavailableError:
            return None

    def _pruned(self, action: PendingAction) -> PendingAction | None:
        """An action without what is no longer there; None when all its events are gone."""
        kb = self.here.kb
        events = tuple(each for each in action.events if each in kb.events)
        if action.events and not events:
            return None
        offered = tuple(each for each in action.offered if each in kb
                        or offered_start(each) or offered_day(each))
        return replace(
            action, events=events, offered=offered,
            people=tuple(each for each in action.people if each in kb.people),
            removed=tuple(each for each in action.removed if each in kb.people),
            recipients=tuple(each for each in action.recipients if each in kb.people),
            wishes=tuple(each for each in action.wishes if each.group in kb.groups),
            room=action.room if action.room in kb.rooms else "",
            host=action.host if action.host in kb.people else "",
            starts=tuple(each for each in action.starts if each[0] in events))
