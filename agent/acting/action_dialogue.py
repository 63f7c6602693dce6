"""What a turn does about an action: it begins, goes on with or ends one, or answers first.

The pending action is part of the dialogue graph; the words of the utterance change it, the rules of
``actions.pl`` decide on the next step, and the calendar checks once more when it is done.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from frontdesk.agent.acting.action_context import ActionContext
from frontdesk.agent.acting.action_outcome import ActionOutcome
from frontdesk.agent.acting.choices import Chooser
from frontdesk.agent.acting.next_step import GONE, NextStep
from frontdesk.agent.acting.plan import Planner
from frontdesk.agent.acting.speaker import Speaker
from frontdesk.agent.acting.undo import is_booked, takes_back, undo, was_done, was_taken_back
from frontdesk.agent.acting.update import CHANGES, begun, corrects, other_cancellation, updated
from frontdesk.agent.acting.worded_questions import last_question
from frontdesk.agent.calendars.calendar import CalendarUnavailableError, Receipt
from frontdesk.agent.understanding.patterns.read_request import read_request
from frontdesk.agent.understanding.patterns.readings import LIKELY, Dialogue
from frontdesk.agent.understanding.patterns.request_words import OtherTime, RequestWords
from frontdesk.agent.understanding.request import Request
from frontdesk.kg.graph.dialogue_graph import USER
from frontdesk.kg.graph.intents import Intent
from frontdesk.kg.graph.mentions import DialogueAct
from frontdesk.kg.graph.pending_action import (
    ActionKind,
    ActionStatus,
    PendingAction,
    Slot,
    offered_day,
    offered_start,
)
from frontdesk.kg.graph.windows import Window, WindowKind

_LEFT_OTHER = "I have not done what we spoke of before."
_LEFT = "All right, I leave it as it is."
_ONLY_ONE = "I cannot book series, only single meetings, so this is for one."
_NO_CONDITIONS = ("I cannot do that on a condition. Please ask me again once it is certain; I have "
                  "changed nothing.")
#: From this probability on the trained head alone says that a user gives up.
_SURELY = 0.7
#: From this share of the likeliest hypothesis's confidence on another one may be what was said.
_RIVAL = 0.4
_NOT_UNDERSTOOD = "I'm sorry, I did not understand that."
_WAY_OUT = "Say “never mind” if I should leave it."


@dataclass(frozen=True)
class ActionDialogue:
    """One turn's step of an action.

    Args:
        here: The turn.
    """

    here: ActionContext

    @property
    def _next(self) -> NextStep:
        return NextStep(self.here)

    def read(self) -> Request | None:
        """What the utterance asks for where nothing is pending; None if nothing is to be done."""
        last = self.here.graph.last_action()
        request = self._read(last)
        if takes_back(self.here, request, last) or self._again(last) or \
                begun(request, last) or (self.here.words.negated and not request.question):
            return request
        return None

    def respond(self, request: Request | None = None) -> ActionOutcome | None:
        """What is done and said; None for an utterance that is about no action.

        Args:
            request: What it asks for; it is read where it is not given.
        """
        last = self.here.graph.last_action()
        if last is not None and last.is_open:
            return self._go_on(last)
        request = request or self.read()
        return self._begin(request, last) if request is not None else None

    def _read(self, last: PendingAction | None) -> Request:
        here = self.here
        request = read_request(
            Dialogue(here.seen, here.user, here.now, last, here.focus, self._spoken_of(),
                     here.timezone),
            here.observation, here.linked, here.intents)
        if self._is_contradicted(request):
            request = replace(request, intents={**request.intents, Intent.CONFIRM: 0.0})
        return request

    def _begin(self, request: Request, last: PendingAction | None) -> ActionOutcome:
        """The first step of an action, or what was done before is taken back."""
        here = self.here
        if takes_back(here, request, last):
            return undo(here, last)
        action = self._again(last) or begun(request, last)
        if action is None or Intent.ABANDON in request.worded:  # "don't book anything"
            # What was done before can still be undone or spoken of.
            return ActionOutcome(
                _LEFT, last or PendingAction(ActionKind.CHANGE, ActionStatus.ABANDONED))
        if self._is_conditional(request):
            return ActionOutcome(_NO_CONDITIONS, replace(action, status=ActionStatus.REFUSED))
        action = self._spoken_of_before(self._about_last(action, request, last), request)
        outcome = self._next.go_on(updated(action, request, here), request)
        if action.kind is ActionKind.CREATE and self.here.words.books_series:
            outcome = replace(outcome, text=f"{_ONLY_ONE} {outcome.text}")
        return outcome

    def _go_on(self, pending: PendingAction) -> ActionOutcome:
        """The next step of what is pending."""
        here = self.here
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
            Speaker(here).identify(kept)
        request = self._read(kept)
        outcome = self._continue(kept, request)
        agrees = request.wants(Intent.CONFIRM) > LIKELY and kept.asked == Slot.CONFIRMATION
        if outcome.text == here.agent_said and _same(outcome.action, kept) and not (
                outcome.question or agrees or outcome.text.startswith(_NOT_UNDERSTOOD)):
            return replace(outcome, text=self._not_understood(outcome.text))
        return outcome

    def _is_contradicted(self, request: Request) -> bool:
        """Whether a speech recogniser heard a yes, and almost as surely a no."""
        first, *others = self.here.graph.hypotheses(self.here.graph.turns[-1])
        return request.wants(Intent.CONFIRM) > LIKELY and any(
            (said.says_no or said.negated) and (each.confidence or 0.0)
            >= _RIVAL * (first.confidence or 1.0)
            for each in others for said in [RequestWords(each.text)])

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
            starts=tuple(each for each in action.starts if each[0] in events))

    def _spoken_of(self) -> Window | None:
        """The clock time that was spoken of last in the turns before."""
        for turn in reversed(self.here.graph.turns[-5:-1]):
            for mention in reversed(self.here.graph.mentions(turn)):
                window = self.here.graph.window(mention)
                if window is not None and window.kind in (WindowKind.INSTANT, WindowKind.SPAN):
                    return window
        return None

    def _spoken_of_before(self, action: PendingAction, request: Request) -> PendingAction:
        """A booking of "it" with the room and the people who were asked about just before."""
        turns = [turn for turn in self.here.graph.turns[:-1]
                 if self.here.graph.speaker(turn) == USER]
        if action.kind is not ActionKind.CREATE or not self.here.words.books_it or not turns:
            return action
        spoken = [links[0].entity for mention in self.here.graph.mentions(turns[-1])
                  if (links := self.here.graph.referents(mention))]
        rooms = [each for each in spoken if each in self.here.kb.rooms]
        any_room = not rooms and RequestWords(self.here.graph.text(turns[-1])).speaks_of_rooms
        return replace(
            action, room=rooms[0] if rooms else "", wants_room=any_room,
            people=tuple(each for each in dict.fromkeys(spoken)
                         if each in self.here.kb.people and each != self.here.user))

    def _continue(self, pending: PendingAction, request: Request) -> ActionOutcome:
        if not self.here.words.is_heard:
            return ActionOutcome(
                f"I'm sorry, I did not hear that. {self._reminder(pending)}", pending)
        if self._gives_up(pending, request):
            return ActionOutcome(_LEFT, replace(pending, status=ActionStatus.ABANDONED, asked=""))
        if self._is_conditional(request) and pending.asked not in (Slot.TITLE, Slot.MESSAGE):
            return ActionOutcome(f"{_NO_CONDITIONS} {self._reminder(pending)}", pending)
        awaited = pending.asked in (Slot.DATE, Slot.ATTENDEES, Slot.CHOICE)
        if awaited and not pending.offered and not request.gives_values \
                and not self.here.words.names_nobody \
                and Intent.ANY not in request.worded and request.acts <= LIKELY \
                and not request.question:
            return ActionOutcome(self._not_understood(self._reminder(pending)), pending)
        if (other := self._other_time(pending, request)) is not None:
            return other
        if pending.asked == Slot.CHOICE and len(pending.offered) == 1 \
                and request.wants(Intent.DENY) > LIKELY and not request.gives_values \
                and (turned_down := self._turned_down(pending)) is not None:
            return turned_down
        if (joined := other_cancellation(pending, request, self.here)) is not None:
            return self._next.go_on(joined, request)
        fresh = begun(request, None)
        if fresh is not None and self._is_instead(pending, fresh, request):
            same = request.events in ((), pending.events)
            action = replace(fresh, events=request.events or pending.events,
                             occurrences=pending.occurrences if same else "")
            return self._next.go_on(updated(action, request, self.here), request)
        if fresh is not None and self._is_another(pending, fresh, request):
            outcome = self._next.go_on(updated(fresh, request, self.here), request)
            return replace(outcome, text=f"{_LEFT_OTHER} {outcome.text}")
        if request.question and request.acts <= LIKELY:
            return self._aside(pending, request)
        action = updated(pending, request, self.here)
        speaker = Speaker(self.here)
        if pending.asked == Slot.SPEAKER and (
                speaker.stranger() is not None or self.here.words.is_of_guest
                or (pending.kind is ActionKind.MESSAGE and request.wants(Intent.DENY) > LIKELY)):
            return self._next.go_on(action, request)
        if pending.asked == Slot.CHOICE and len(pending.offered) > 1 \
                and action.offered == pending.offered and (
                    pending.offered[0] in self.here.kb.people or not request.gives_values):
            return ActionOutcome(self._reminder(pending), replace(action, asked=Slot.CHOICE))
        if pending.asked == Slot.ATTENDEES and self.here.words.names_nobody:
            return self._next.go_on(replace(pending, asked=""), Request())
        # "Shall I book that, without a room?" "Yes, without a room."
        repeats = request.no_room and pending.kind is ActionKind.CREATE and not pending.room
        rest = self.here.words.without_room()
        confirms = request.wants(Intent.CONFIRM) > LIKELY or (repeats and rest.says_yes)
        if repeats and not confirms and _same(action, pending) and not rest.says_no:
            return ActionOutcome(f"No room, then. {self._reminder(pending)}", action)
        if action == pending and not confirms and not self._was_answered(pending):
            return self._says_nothing_new(pending, request)
        return self._next.go_on(action, request, confirmed=confirms
                           and pending.status is ActionStatus.CONFIRMING
                           and _same(action, pending))

    def _turned_down(self, pending: PendingAction) -> ActionOutcome | None:
        """The question for another time or room than the one that was offered and is not wanted."""
        offered = pending.offered[0]
        if offered in self.here.kb.rooms:
            slot, left = Slot.PLACE, replace(pending, room="")
        elif offered_start(offered) is not None:
            slot, left = Slot.START, replace(pending, left_open=pending.left_open - {
                str(Slot.START)}, time=replace(pending.time, start=None, end=None, part=None))
        else:
            return None
        return ActionOutcome(
            self.here.wording.ask(slot, left), replace(left, asked=slot, offered=()))

    def _other_time(self, pending: PendingAction, request: Request) -> ActionOutcome | None:
        """The offer of a later or earlier time, or of another day, than what was offered."""
        other = self.here.words.other_time
        if other is None or pending.asked not in (Slot.CHOICE, Slot.CONFIRMATION):
            return None
        planner = Planner(self.here.kb, self.here.now, self.here.components.settings.actions)
        plan = planner.plan(pending)
        offered = plan.start if pending.asked == Slot.CONFIRMATION else \
            offered_start(pending.offered[0]) if len(pending.offered) == 1 else None
        if offered is None or (pending.asked == Slot.CONFIRMATION and len(plan.changes) != 1):
            return None
        minutes = pending.time.minutes
        if plan.start is not None and plan.end is not None:
            minutes = int((plan.end - plan.start).total_seconds()) // 60
        time = replace(pending.time, start=None, end=None, shift=None, minutes=minutes,
                       day=offered.date(), until_day=None)
        if other in (OtherTime.LATER, OtherTime.EARLIER):
            time = replace(time, part=None)
        left = replace(pending, time=time, asked=Slot.CHOICE, status=ActionStatus.OPEN)
        start = Chooser(self.here.kb, planner, self.here.seen).other_start(left, offered, other)
        if start is None:
            return ActionOutcome(self.here.wording.no_other(other),
                                 replace(left, offered=(offered.isoformat(),)))
        pending = replace(left, time=replace(time, day=start.date()))
        return ActionOutcome(f"{self.here.wording.free_at(start)} Would that suit you?",
                             replace(pending, offered=(start.isoformat(),)))

    def _says_nothing_new(self, pending: PendingAction, request: Request) -> ActionOutcome:
        """What is said where an utterance neither changes what is pending nor agrees to it."""
        if pending.status is ActionStatus.CONFIRMING and request.wants(Intent.DENY) > LIKELY:
            return ActionOutcome("What should be different?",
                                 replace(pending, status=ActionStatus.OPEN, asked=Slot.CHANGE))
        if (self.here.observation.asks or request.wants(Intent.THANK) > LIKELY) \
                and request.acts <= LIKELY:
            return ActionOutcome(self._reminder(pending), replace(pending, interrupted=True),
                                 question=self.here.words.whole)
        if request.acts > LIKELY:
            return self._next.go_on(pending, request)
        if request.wants(Intent.DENY) > LIKELY and pending.asked == Slot.CHOICE:
            return self._next.go_on(replace(
                pending, offered=(), time=replace(pending.time, start=None),
                left_open=pending.left_open - {str(Slot.START)}), request)
        return ActionOutcome(self._not_understood(self._reminder(pending)),
                             replace(pending, interrupted=False))

    def _not_understood(self, reminder: str) -> str:
        """That an utterance was not understood; the second time with what ends it all."""
        again = self.here.agent_said.startswith(_NOT_UNDERSTOOD)
        return " ".join([_NOT_UNDERSTOOD, *([_WAY_OUT] if again else []), reminder])

    def _gives_up(self, pending: PendingAction, request: Request) -> bool:
        """Whether a user wants no more of what is pending."""
        refuses = self.here.words.negated
        if (not {Intent.ABANDON, Intent.UNDO}.isdisjoint(request.worded)
                and not (refuses and request.gives_values)) or (
                request.wants(Intent.CANCEL_EVENT) > LIKELY and not request.names_event
                and pending.kind is not ActionKind.CANCEL):
            return True
        if refuses and not request.gives_values and request.acts <= LIKELY \
                and self.here.words.names_deed(pending.kind):
            return True
        if request.gives_values or request.occurrences or request.wants(Intent.CONFIRM) > LIKELY:
            return False
        return DialogueAct.GOODBYE in self.here.observation.acts or max(
            request.wants(Intent.ABANDON), request.wants(Intent.GOODBYE)) > _SURELY

    def _aside(self, pending: PendingAction, request: Request) -> ActionOutcome:
        """A question in between: about what is pending, or about something else."""
        plan = Planner(self.here.kb, self.here.now,
                       self.here.components.settings.actions).plan(pending)
        reminder = self._reminder(pending)
        if (pending.kind is ActionKind.CREATE and plan.changes
                and RequestWords(request.question).is_about_it):
            return ActionOutcome(
                f"{self.here.wording.so_far(plan.changes[0].event)} {reminder}".strip(),
                pending, plan=plan)
        time = None
        if plan.start is not None and plan.end is not None and not self.here.observation.windows() \
                and RequestWords(request.question).is_about_free_time:
            time = (self.here.wording.when(plan.changes[0].event),
                    Window(plan.start, plan.end, WindowKind.SPAN))
        return ActionOutcome(
            reminder, replace(pending, interrupted=True), question=request.question,
            question_time=time, plan=plan)

    @staticmethod
    def _is_instead(pending: PendingAction, fresh: PendingAction, request: Request) -> bool:
        """Whether a change is wanted in place of a cancellation: "no, move it to two"."""
        return (pending.kind is ActionKind.CANCEL and bool(pending.events)
                and pending.asked in (Slot.CONFIRMATION, Slot.CHANGE)
                and not request.worded.isdisjoint(CHANGES)
                and fresh.kind is ActionKind.CHANGE and request.gives_values
                and set(request.events) <= set(pending.events))

    def _is_another(self, pending: PendingAction, fresh: PendingAction,
                    request: Request) -> bool:
        """Whether an utterance begins another action than the pending one."""
        if fresh.kind is ActionKind.CREATE:
            return (pending.kind is not ActionKind.CREATE
                    and request.wants(Intent.CREATE_EVENT) > LIKELY)
        if fresh.kind is ActionKind.CHANGE:
            return request.names_event and (pending.kind is not ActionKind.CHANGE or (
                bool(pending.events and request.events) and pending.asked != Slot.EVENT
                and set(request.events).isdisjoint(pending.events)
                and request.wants(Intent.DENY) <= LIKELY))
        return fresh.kind is not pending.kind and (
            fresh.kind is ActionKind.MESSAGE or request.names_event)

    def _about_last(self, action: PendingAction, request: Request,
                    last: PendingAction | None) -> PendingAction:
        """A change that names no event is one of what was done last."""
        if (last is not None and last.status is ActionStatus.DONE
                and action.kind in (ActionKind.CHANGE, ActionKind.CANCEL)
                and (not request.events or corrects(request, last))):
            events = tuple(each for each in last.events if each in self.here.kb.events)
            if request.events or not self.here.words.names_another(events, self.here.kb):
                return replace(action, events=events)
        return action

    def _is_conditional(self, request: Request) -> bool:
        """Whether something is to be done only if something else is so."""
        return not request.message and self.here.words.is_conditional(request.title)

    def _again(self, last: PendingAction | None) -> PendingAction | None:
        """What was booked last once more: "same again on Thursday"; None for anything else."""
        if (last is None or last.kind is not ActionKind.CREATE
                or last.status is not ActionStatus.DONE or not self.here.words.repeats):
            return None
        return PendingAction(ActionKind.CREATE, title=last.title, time=last.time, room=last.room,
                             people=last.people, left_open=last.left_open, private=last.private)

    def _was_answered(self, pending: PendingAction) -> bool:
        """Whether the user has just said who they are."""
        return pending.asked == Slot.SPEAKER and self.here.user is not None

    def _reminder(self, pending: PendingAction) -> str:
        """What is still awaited."""
        return last_question(self.here.agent_said) if pending.asked else ""


def _same(one: PendingAction, other: PendingAction) -> bool:
    """Whether two actions want the same."""
    neutral = {"asked": "", "offered": (), "shown": "", "status": ActionStatus.OPEN,
               "interrupted": False}
    return replace(one, **neutral) == replace(other, **neutral)  # type: ignore[arg-type]
