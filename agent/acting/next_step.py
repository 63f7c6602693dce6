"""The next step of an action: ask, offer, refuse, have it confirmed, or do it."""

from __future__ import annotations

import datetime as dt
import hashlib
from dataclasses import dataclass, replace

from frontdesk.agent.acting.action_context import ActionContext
from frontdesk.agent.acting.action_outcome import ActionOutcome
from frontdesk.agent.acting.already_so import already_so, booked_already, is_as_wanted
from frontdesk.agent.acting.choices import Chooser, Chosen, Lack
from frontdesk.agent.acting.plan import Plan, Planner
from frontdesk.agent.acting.policy import Decision, Policy, Step
from frontdesk.agent.acting.speaker import Speaker
from frontdesk.agent.acting.unclear import unclear_question
from frontdesk.agent.acting.update import with_taken
from frontdesk.agent.calendars.calendar import (
    CalendarUnavailableError,
    TransactionRefusedError,
)
from frontdesk.agent.understanding.request import Request
from frontdesk.kg.graph.changes import Message, Transaction
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.graph.pending_action import ActionKind, ActionStatus, PendingAction, Slot
from frontdesk.kg.times.time_readings import TimeReading

GONE = ("The calendar was changed in the meantime: that meeting is no longer in it. Nothing was "
         "changed.")
#: So many events of which none may be changed are each told of.
_MOST_REFUSALS = 3


@dataclass(frozen=True)
class NextStep:
    """Decides on the next step of an action and takes it.

    Args:
        here: The turn.
    """

    here: ActionContext

    def go_on(self, action: PendingAction, request: Request, *,
              confirmed: bool = False) -> ActionOutcome:
        asks, user = request.asks, self.here.user or ""
        if action.host and user and user not in self.here.assistants:
            outcome = self.go_on(replace(action, host=""), request, confirmed=confirmed)
            return replace(outcome, text=f"{self.here.wording.organises(action.host)} "
                                         f"{outcome.text}")
        same = action.transaction and action.by in ("", user)
        action = replace(action, by=user, status=ActionStatus.OPEN, interrupted=False,
                         unanswered=0, guest="" if user else action.guest,
                         offered_host=action.offered_host and bool(request.unclear),
                         transaction=action.transaction if same else self.here.components.new_id())
        policy = Policy(self.here.kb, self.here.now, self.here.assistants)
        action = self._with_own(action, policy, request)
        unclear = unclear_question(self.here, action, request)
        if unclear is not None:
            return replace(unclear, asks=asks, action=replace(unclear.action, chosen_from=()))
        planner = self.here.planner
        if (there := booked_already(action, planner)) is not None:
            return ActionOutcome(self.here.wording.booked_already(there), replace(
                action, status=ActionStatus.REFUSED, asked="", offered=(), events=(there.id,)),
                asks=asks)
        chosen = Chooser(self.here.kb, planner, self.here.seen).chosen(action)
        if chosen.lack is not None:
            return replace(self._lacking(chosen), asks=asks)
        if request.finds_time and action.time.start is None and (
                action.by or chosen.action.people):
            found = planner.plan(chosen.action)
            if found.start is not None:
                return replace(self.offer(action, found.start), asks=asks, plan=found)
        action = chosen.action
        plan = planner.plan(action)
        decision = policy.decide(action, plan, self._known(action, plan),
                                 confirmed=confirmed and action.shown == digest(action, plan))
        swaps = bool(action.starts) and not planner.moves(action)
        if decision.step is Step.REFUSE and decision.event and len(action.events) > 1 \
                and not swaps:
            left = replace(action, occurrences="one", events=tuple(
                each for each in action.events if each != decision.event))
            outcome = self.go_on(left, replace(request, asks=False), confirmed=confirmed)
            if outcome.action.status is ActionStatus.REFUSED:
                text = self.here.wording.refuse(decision.reason, decision.event)
                return replace(outcome, asks=asks, text=f"{text} {outcome.text}"
                               if len(action.events) <= _MOST_REFUSALS
                               else self.here.wording.refuse_all(len(action.events)))
            left_out = self.here.wording.leaves_out(decision.event)
            return replace(outcome, text=f"{left_out} {outcome.text}", asks=asks)
        return replace(self._done(action, plan, decision, planner), decision=decision,
                       asks=asks, plan=plan)

    def _with_own(self, action: PendingAction, policy: Policy,
                  request: Request) -> PendingAction:
        """An action of which several events may be meant, with those that the user may change; with
        all of them, which is refused, where that is none, and with both where that is two."""
        offered = tuple(each for each in action.offered if each in self.here.kb.events)
        if len(offered) < 2 or action.events or self.here.user is None:
            return action
        own = policy.changeable(self.here.user, offered)
        if request.both and len(own) == 2:
            return replace(action, events=own, offered=(), occurrences="one")
        return replace(action, offered=own) if len(own) > 1 \
            else replace(action, events=own or offered, offered=())

    def offer(self, action: PendingAction, found: dt.datetime | str, why: str = "", *,
              question: str = "Would that suit you?") -> ActionOutcome:
        """As :meth:`propose`, of what is free, with why it is offered."""
        plan = self.here.planner.plan(with_taken(action, found if isinstance(found, str)
                                                 else found.isoformat(), self.here.kb))
        free = self.here.wording.free(found, plan.changes)
        return self.propose(action, found, f"{why} {free}".strip(), question=question)

    def propose(self, action: PendingAction, found: dt.datetime | str, words: str, *,
                question: str = "Would that suit you?") -> ActionOutcome:
        """The offer of a time or a room that was found.

        Where all else is known the offer says all that it would do, so that one yes does it.

        Args:
            action: What it is for, without it.
            found: The start, or the id of the room.
            words: What is said of it.
            question: Asks whether it suits, where something else is still to be decided.
        """
        offered = found if isinstance(found, str) else found.isoformat()
        action = replace(action, chosen_from=())
        if action.kind is ActionKind.CHANGE and action.time == TimeReading():
            action = replace(action, left_open=action.left_open | {str(Slot.CHANGE)})
        outcome = self.go_on(with_taken(action, offered, self.here.kb), Request())
        if outcome.action.status is ActionStatus.CONFIRMING:
            return replace(outcome, text=f"{words} {outcome.text}",
                           action=replace(outcome.action, offered=(offered,)))
        return ActionOutcome(f"{words} {question}", replace(
            action, asked=Slot.CHOICE, status=ActionStatus.OPEN, offered=(offered,)))

    def _lacking(self, chosen: Chosen) -> ActionOutcome:
        """What is asked or offered where what was left open cannot be found."""
        action, text = chosen.action, self.here.wording.lacking(
            chosen, self.here.components.settings.actions.days)
        if chosen.lack in (Lack.GROUP, Lack.MEMBERS):
            return ActionOutcome(text, replace(action, asked=Slot.ATTENDEES, wishes=tuple(
                each for each in action.wishes if each.group != chosen.group)))
        if chosen.start is not None:
            return self.offer(action, chosen.start, text)
        return ActionOutcome(text, replace(action, asked=Slot.DATE, offered=()))

    def _known(self, action: PendingAction, plan: Plan) -> dict[str, float]:
        """The slots of which enough is known, each with its probability."""
        user = self.here.graph.user()
        vouched = user[1] if user is not None and self.here.user is not None else 0.0
        found = {
            Slot.SPEAKER: 1.0 if action.guest else vouched,
            Slot.START: action.time.probability if plan.start is not None else 0.0,
            Slot.TITLE: 1.0 if action.title or Slot.TITLE in action.left_open else 0.0,
            Slot.EVENT: 1.0 if action.events else 0.0,
            Slot.OCCURRENCES: 1.0 if action.occurrences or len(action.events) > 1 else 0.0,
            Slot.CHANGE: 1.0 if plan.changes else 0.0,
            Slot.RECIPIENT: 1.0 if action.recipients else 0.0,
            Slot.MESSAGE: 1.0 if action.message else 0.0}
        return {str(slot): probability for slot, probability in found.items() if probability > 0}

    def _done(self, action: PendingAction, plan: Plan, decision: Decision,
              planner: Planner) -> ActionOutcome:
        wording = self.here.wording
        if decision.step is Step.ASK and decision.slot == Slot.SPEAKER:
            asked = Speaker(self.here).ask(action)
            return asked if isinstance(asked, ActionOutcome) else self.go_on(
                asked, Request())
        if decision.step is Step.ASK and decision.slot == Slot.CHANGE \
                and (text := is_as_wanted(action, wording)):
            return ActionOutcome(text, replace(action, status=ActionStatus.REFUSED, asked=""))
        if decision.step is Step.ASK:
            return ActionOutcome(wording.ask(decision.slot, action),
                                 replace(action, asked=decision.slot, offered=()))
        if decision.step is Step.REFUSE:
            if decision.reason == "past":
                return ActionOutcome(wording.refuse("past", ""), replace(
                    action, asked=Slot.START, time=replace(action.time, start=None, end=None)))
            return ActionOutcome(wording.refuse(decision.reason, decision.event), replace(
                action, status=ActionStatus.REFUSED, asked=""))
        if decision.step is Step.OFFER:
            return self._instead(action, decision, planner)
        if decision.step is Step.CONFIRM:
            so, left = already_so(action, wording)
            return ActionOutcome(f"{so} {wording.confirm(action, plan.changes)}".strip(), replace(
                left, status=ActionStatus.CONFIRMING, asked=Slot.CONFIRMATION, offered=(),
                shown=digest(action, plan)))
        return self._commit(action, plan)

    def _instead(self, action: PendingAction, decision: Decision, planner: Planner
                 ) -> ActionOutcome:
        """Something else in place of what cannot be: another room, else another time."""
        wording, obstacles = self.here.wording, decision.obstacles
        chooser = Chooser(self.here.kb, planner, self.here.seen)
        if all(each.subject in self.here.kb.rooms for each in obstacles):
            room = chooser.free_room(replace(action, room=""))
            if room:
                return self.offer(action, room, wording.in_the_way(obstacles),
                                  question="Shall I take that?")
        part = chooser.free_part(action)
        if part is not None:
            outcome = self.go_on(part, Request())
            return replace(outcome, text=f"{wording.in_the_way(obstacles)} {outcome.text}")
        slot = next(planner.slots(action), None)
        if slot is None or slot.start is None:
            none = wording.no_other_instead(action.time, planner.settings.days)
            return ActionOutcome(
                f"{wording.in_the_way(obstacles)} {none} Which time would you like?",
                replace(action, asked=Slot.START, offered=()))
        return self.offer(action, slot.start, wording.in_the_way(obstacles))

    # --- doing it

    def _commit(self, action: PendingAction, plan: Plan) -> ActionOutcome:
        transaction = Transaction(
            action.transaction, self.here.now, action.by or None, plan.changes,
            tuple(Message(each, _passed_on(action), action.by or None)
                  for each in action.recipients))
        text = self.here.wording.done(action, plan.changes)
        try:
            with self.here.components.source.changing():
                receipt = self.here.components.calendar.commit(transaction)
        except TransactionRefusedError as error:
            return self._overtaken(action, error)
        except InputError as error:  # the calendar does not take such an event
            return ActionOutcome(f"I'm sorry, the calendar does not take that: {error.message}.",
                                 replace(action, status=ActionStatus.REFUSED, asked=""),
                                 notes=(str(error),))
        except CalendarUnavailableError as error:
            return ActionOutcome(
                "I'm sorry, I cannot reach the calendar, so I cannot tell yet whether "
                "this was done. Shall I try again?",
                replace(action, status=ActionStatus.CONFIRMING,
                        asked=Slot.CONFIRMATION), notes=(str(error),))
        after = self.here.after_change()
        return ActionOutcome(text, replace(
            action, status=ActionStatus.DONE, asked="", offered=(),
            events=tuple(change.event.id for change in plan.changes)), receipt=receipt,
            notes=after.notes, visible=after.visible)

    def _overtaken(self, action: PendingAction, error: TransactionRefusedError) -> ActionOutcome:
        """What becomes of an action when the calendar was changed elsewhere in the meantime."""
        now = NextStep(self.here.after_change())
        gone = [each for each in action.events if each not in now.here.kb.events]
        if gone:
            return ActionOutcome(GONE, replace(action, status=ActionStatus.FAILED, asked=""),
                                 notes=(*now.here.notes, type(error).__name__),
                                 visible=now.here.visible)
        outcome = now.go_on(replace(action, transaction=""), Request())
        return replace(outcome, text=f"The calendar was changed in the meantime. {outcome.text}",
                       notes=(*now.here.notes, *outcome.notes, type(error).__name__),
                       visible=outcome.visible or now.here.visible)


def _passed_on(action: PendingAction) -> str:
    """The words of a message; those of a guest begin with who that is."""
    return f"{action.guest} (visitor): {action.message}" if action.guest else action.message


def digest(action: PendingAction, plan: Plan) -> str:
    """Of all that doing it would change or pass on: what is confirmed is what is done."""
    content = repr((plan.changes, action.recipients, action.message, action.by))
    return hashlib.sha256(content.encode()).hexdigest()[:16]
