"""What an utterance does about what is being arranged: it answers, corrects, agrees or ends it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from frontdesk.agent.acting.action_context import ActionContext
from frontdesk.agent.acting.action_outcome import ActionOutcome
from frontdesk.agent.acting.alternatives import Alternatives
from frontdesk.agent.acting.next_step import NextStep
from frontdesk.agent.acting.speaker import Speaker
from frontdesk.agent.acting.spoken_before import SpokenBefore
from frontdesk.agent.acting.task_reader import TaskReader
from frontdesk.agent.acting.unclear import rivals, unsure
from frontdesk.agent.acting.update import (
    begun,
    keeps_all,
    other_cancellation,
    same_wish,
    updated,
)
from frontdesk.agent.acting.wording import GO_ON
from frontdesk.agent.understanding.request import Request, UnclearName
from frontdesk.kg.graph.pending_action import (
    ActionKind,
    ActionStatus,
    PendingAction,
    Slot,
    offered_start,
)
from frontdesk.kg.times.time_readings import TimeReading

NO_CONDITIONS = ("I cannot do that on a condition. Please ask me again once it is certain; I have "
                 "changed nothing.")
_LEFT_OTHER = "I have not done what we spoke of before."
#: Questions to which a mere "no" ends it all.
_ENDED_BY_NO = (Slot.CHANGE, Slot.EVENT, Slot.START, Slot.DATE, Slot.RECIPIENT, Slot.MESSAGE)
#: Questions to which any words may be the answer.
_ANY_WORDS = (Slot.TITLE, Slot.MESSAGE)
_WHICH = "I am not sure what I should book."
_SO_ALREADY = "That is how I have it."
_NOT_UNDERSTOOD = "I'm sorry, I did not understand that."
#: What a user is told to say, and what it does whatever the parser makes of it.
_LEAVE = "never mind"
_WAY_OUT = f"Say “{_LEAVE}” if I should leave it."
#: So many utterances in a row may answer nothing of what was asked.
_MOST_UNANSWERED = 1


@dataclass(frozen=True)
class PendingDialogue:
    """One turn's step of an action that is open.

    Args:
        here: The turn.
        pending: The action.
        request: What the turn says.
    """

    here: ActionContext
    pending: PendingAction
    request: Request

    @property
    def _next(self) -> NextStep:
        return NextStep(self.here)

    @property
    def _reminder(self) -> str:
        return self.here.reminder(self.pending)

    def step(self) -> ActionOutcome:
        """What is done and said; what is asked for in vain again and again is left aside."""
        if self.here.cues.is_phrase(GO_ON):
            return self._next.go_on(self.pending, Request())
        outcome = self._understood()
        answered = outcome.understood and not outcome.asks
        if answered or self.pending.asked == Slot.CONFIRMATION or not outcome.action.is_open \
                or not same_wish(outcome.action, self.pending):
            return outcome
        unanswered = self.pending.unanswered + 1
        if unanswered <= _MOST_UNANSWERED:
            return replace(outcome, action=replace(outcome.action, unanswered=unanswered))
        said = ["" if outcome.asks else _NOT_UNDERSTOOD, self.here.wording.aside(self.pending)]
        return replace(outcome, text=" ".join(filter(None, said)), action=replace(
            outcome.action, status=ActionStatus.ASIDE, unanswered=0))

    def _understood(self) -> ActionOutcome:
        """What is done and said; that nothing was understood where it is what was said before."""
        outcome, request = self._step(), self.request
        agrees = request.confirms and self.pending.asked == Slot.CONFIRMATION
        again = outcome.text and self.here.agent_said.endswith(outcome.text) \
            and same_wish(outcome.action, self.pending)
        if not again or outcome.asks or outcome.later or agrees or not outcome.understood:
            return outcome
        if self._says_it_again:
            return replace(outcome, text=f"{_SO_ALREADY} {outcome.text}")
        return replace(outcome, text=f"{_NOT_UNDERSTOOD} {outcome.text}", understood=False)

    @property
    def _says_it_again(self) -> bool:
        """Whether what is asked for, where it changes nothing, is what is arranged as it is."""
        here, pending, request = self.here, self.pending, self.request
        asks = (request.begins is pending.kind and not request.gives_values) or (
            (request.gives_values or request.hosted) and keeps_all(pending, request, here))
        return asks and not (request.denies or request.other_time or request.misnamed
                             or request.unclear or request.room_unclear or request.no_day) \
            and here.cues.may_ask(here.deed.forms) \
            and not here.cues.is_conditional(here.deed.forms)

    def _step(self) -> ActionOutcome:
        here, pending, request = self.here, self.pending, self.request
        if here.cues.is_silent:
            return ActionOutcome(f"I'm sorry, I did not hear that. {self._reminder}", pending)
        if here.cues.is_phrase(_LEAVE) or self._gives_up():
            # A mere no is about this alone, not about what waits.
            status = ActionStatus.REFUSED if request.denies and not request.abandons \
                else ActionStatus.ABANDONED
            return ActionOutcome(here.wording.left(pending.kind),
                                 replace(pending, status=status, asked=""))
        if request.confirms and request.begins is None and self._means_what_was_asked():
            return ActionOutcome(f"{_WHICH} {self._reminder}", replace(pending, interrupted=False))
        if here.cues.is_conditional(here.deed.forms) \
                and (request.begins is not None or not request.gives_values) \
                and pending.asked not in _ANY_WORDS:
            return ActionOutcome(f"{NO_CONDITIONS} {self._reminder}", pending)
        if (other := Alternatives(here, pending).wanted(request)) is not None:
            return other
        if (joined := other_cancellation(pending, request, here)) is not None:
            return self._next.go_on(joined, request)
        if (request.begins is not None or request.gives_values) \
                and pending.asked not in _ANY_WORDS and not here.cues.may_ask(here.deed.forms):
            return replace(self, request=Request())._says_nothing_new()
        if (fresh := self._begun_instead()) is not None:
            return fresh
        if request.asks and not request.gives_values and request.begins is None:
            return self._aside()
        return self._answered()

    # --- what is said of it

    def _answered(self) -> ActionOutcome:
        """The next step after an answer, a correction or a yes."""
        pending, request = self.pending, self.request
        action = updated(pending, request, self.here)
        speaker = Speaker(self.here)
        if pending.asked == Slot.SPEAKER and (
                speaker.stranger() is not None or speaker.gives_no_name(pending)):
            return self._next.go_on(action, request)
        if pending.asked == Slot.CHOICE and len(pending.offered) > 1 \
                and action.offered and set(action.offered) <= set(pending.offered) and (
                    pending.offered[0] in self.here.kb.people or not request.gives_values):
            text = self._reminder if action.offered == pending.offered \
                else self.here.wording.unclear(UnclearName("", action.offered, known=True))
            return ActionOutcome(text, replace(action, asked=Slot.CHOICE))
        if self._wants_none():
            return self._next.go_on(replace(pending, asked=""), Request())
        if request.no_room and pending.kind is ActionKind.CREATE and not pending.room \
                and not request.confirms and same_wish(action, pending):
            return ActionOutcome(f"No room, then. {self._reminder}", action)
        # A yes to "Whom do you mean?", where nobody is offered, says nothing.
        agrees = request.confirms and (pending.asked != Slot.CHOICE or bool(pending.offered))
        says_who = pending.asked == Slot.SPEAKER and self.here.user is not None
        if action == pending and not agrees and not says_who \
                and not (request.unclear or request.room_unclear):
            return self._says_nothing_new()
        return self._next.go_on(action, request, confirmed=request.confirms
                                and pending.status is ActionStatus.CONFIRMING
                                and same_wish(action, pending))

    def _wants_none(self) -> bool:
        """Whether nobody else, or no room, is wanted of those that were asked for."""
        action, request = self.pending, self.request
        creates = action.kind is ActionKind.CREATE
        a_room = creates and action.asked == Slot.PLACE
        if action.asked == Slot.CHOICE and request.invited:  # who is to come already
            return set(request.invited) <= set(action.people) \
                and not replace(request, invited=()).gives_values
        if replace(request, no_room=False).gives_values:
            return False
        if request.no_room or not request.denies:
            return (a_room and request.no_room) or (
                action.asked == Slot.ATTENDEES and request.alone)
        return a_room or action.asked == Slot.ATTENDEES or (
            creates and action.asked == Slot.CHOICE and not action.offered)

    def _says_nothing_new(self) -> ActionOutcome:
        """What is said where an utterance neither changes what is pending nor agrees to it."""
        pending, request = self.pending, self.request
        if pending.status is ActionStatus.CONFIRMING and request.denies:
            return ActionOutcome(f"What should be different? {_WAY_OUT}",
                                 replace(pending, status=ActionStatus.OPEN, asked=Slot.CHANGE))
        if request.asks or (request.greets and not request.denies):
            return ActionOutcome(self._reminder, replace(pending, interrupted=True), asks=True)
        if request.begins is not None:
            return self._next.go_on(pending, request)
        if self._says_it_again:
            return ActionOutcome(f"{_SO_ALREADY} {self._reminder}", pending)
        if request.denies and pending.asked == Slot.CHOICE:
            return self._next.go_on(replace(
                pending, offered=(), time=replace(pending.time, start=None),
                left_open=pending.left_open - {str(Slot.START)}), request)
        return ActionOutcome(f"{_NOT_UNDERSTOOD} {self._reminder}",
                             replace(pending, interrupted=False), understood=False)

    # --- it is left

    def _gives_up(self) -> bool:
        """Whether a user wants no more of what is pending."""
        pending, request = self.pending, self.request
        if request.abandons or request.undoes:
            return not request.gives_values
        if request.begins is ActionKind.CANCEL and not request.names_event:
            return pending.kind is not ActionKind.CANCEL
        # Who says no to a question that asks for more wants no more of it.
        return request.denies and not request.gives_values and self._is_ended_by_no() \
            and not (request.names_event or request.asks or request.begins or request.other_time)

    def _is_ended_by_no(self) -> bool:
        """Whether who says no wants no more of it; "no, thanks" is said of all of it."""
        action = self.pending
        offers = action.asked in (Slot.CONFIRMATION, Slot.OCCURRENCES) or (
            action.asked == Slot.CHOICE and any(map(offered_start, action.offered)))
        return action.asked in _ENDED_BY_NO or _is_all_or_nothing(action) \
            or (offers and self.request.greets) \
            or (action.asked == Slot.PLACE and action.kind is ActionKind.CHANGE)

    # --- something else is begun

    def _begun_instead(self) -> ActionOutcome | None:
        """The first step of another action that is begun in place of what is pending."""
        pending, request = self.pending, self.request
        if TaskReader(self.here).is_besides(pending, request):
            besides = updated(PendingAction(ActionKind.CREATE), request, self.here)
            later = self.here.wording.later(besides)
            return ActionOutcome(f"{later} {self._reminder}", pending, later=(
                replace(self.here.deed, cues=self.here.cues).kept,))
        fresh = begun(request, None)
        if fresh is None and pending.kind is ActionKind.CANCEL and request.changes_event:
            fresh = PendingAction(ActionKind.CHANGE)  # "no, move it to two"
        if request.begins is None and request.abandons and request.times \
                and pending.kind is ActionKind.CREATE:
            return self._begin(PendingAction(ActionKind.CREATE), _LEFT_OTHER)
        if fresh is None:
            return None
        another = self._is_another(fresh)
        if another and rivals(self.here, fresh):
            return unsure(self.here, fresh, request)
        if self._is_instead(fresh):
            same = request.events in ((), pending.events)
            return self._begin(replace(fresh, events=request.events or pending.events,
                                       occurrences=pending.occurrences if same else ""))
        if not another:
            return None
        outcome = self._begin(fresh)
        restated = fresh.kind is pending.kind and fresh.kind is not ActionKind.MESSAGE \
            and set(pending.events) <= set(outcome.action.events)
        return outcome if restated else replace(outcome, text=f"{_LEFT_OTHER} {outcome.text}")

    def _begin(self, fresh: PendingAction, words: str = "") -> ActionOutcome:
        outcome = self._next.go_on(updated(fresh, self.request, self.here), self.request)
        return replace(outcome, text=f"{words} {outcome.text}".strip())

    def _is_instead(self, fresh: PendingAction) -> bool:
        """Whether a change is wanted in place of a cancellation: "no, move it to two"."""
        pending = self.pending
        return (pending.kind is ActionKind.CANCEL and bool(pending.events)
                and pending.asked in (Slot.CONFIRMATION, Slot.CHANGE)
                and fresh.kind is ActionKind.CHANGE and self.request.gives_values
                and set(self.request.events) <= set(pending.events))

    def _is_another(self, fresh: PendingAction) -> bool:
        """Whether an utterance begins another action than the pending one."""
        pending, request = self.pending, self.request
        if fresh.kind is ActionKind.CREATE:
            said_in_full = _tells_when(request) and (
                request.title or request.invited or request.room)
            return pending.kind is not ActionKind.CREATE or (
                bool(said_in_full) and pending.asked not in (
                    Slot.START, Slot.DATE, Slot.TITLE, Slot.ATTENDEES))
        if fresh.kind is ActionKind.CHANGE:
            return request.names_event and (pending.kind is not ActionKind.CHANGE or (
                bool(pending.events and request.events) and pending.asked != Slot.EVENT
                and (not set(request.events) <= set(pending.events)
                     or _was_turned_down(pending, request)) and not request.denies))
        if fresh.kind is pending.kind:
            return fresh.kind is ActionKind.MESSAGE and bool(request.message) and bool(
                request.recipients) and set(request.recipients).isdisjoint(pending.recipients)
        return fresh.kind is ActionKind.MESSAGE or request.names_event

    # --- something is asked in between

    def _aside(self) -> ActionOutcome:
        """A question in between: about what is pending, or about something else."""
        pending, plan = self.pending, self.here.planner.plan(self.pending)
        about_it = any(each.head in ("that", "answers") and not any(each.spans())
                       for form in self.here.deed.forms for each in form.walk())
        if pending.kind is ActionKind.CREATE and plan.changes and about_it:  # "when is it?"
            so_far = self.here.wording.so_far(plan.changes[0].event)
            return ActionOutcome(f"{so_far} {self._reminder}".strip(), pending, plan=plan)
        return ActionOutcome(self._reminder, replace(pending, interrupted=True), asks=True,
                             plan=plan)

    def _means_what_was_asked(self) -> bool:
        """Whether "great, book it" may be about what was asked for in between, not what is pending.
        """
        return self.pending.interrupted and self.pending.kind is ActionKind.CREATE \
            and self.here.cues.names_deed and SpokenBefore(self.here).asks_what_is_free()


def _tells_when(request: Request) -> bool:
    """Whether it is said when something is to be, not only how long it lasts."""
    return any(replace(each, minutes=0, probability=1.0) != TimeReading()
               for each in request.times)


def _was_turned_down(action: PendingAction, request: Request) -> bool:
    """Whether what was proposed was not wanted, and what was asked then is not answered."""
    return (bool(action.shown) and action.asked == Slot.CHANGE) \
        or (action.asked == Slot.START and not request.times)


def _is_all_or_nothing(action: PendingAction) -> bool:
    """Whether of what is to be confirmed nothing could be different: events that are cancelled or
    change places, or who comes."""
    says_how = (action.title, action.room, action.no_room, action.wants_room)
    return action.status is ActionStatus.CONFIRMING and (
        action.kind is ActionKind.CANCEL or (
            action.kind is ActionKind.CHANGE and action.time == TimeReading()
            and action.private is None and not any(says_how)))
