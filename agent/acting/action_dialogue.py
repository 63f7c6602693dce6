"""What a turn does about an action: it begins, goes on with or ends one, or answers first.

The pending action is part of the dialogue graph; what an utterance says changes it, the rules of
``actions.pl`` decide on the next step, and the calendar checks once more when it is done.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from frontdesk.agent.acting.action_context import ActionContext
from frontdesk.agent.acting.action_outcome import ActionOutcome
from frontdesk.agent.acting.choices import Chooser
from frontdesk.agent.acting.next_step import GONE, NextStep
from frontdesk.agent.acting.other_date import on_date, picks_date
from frontdesk.agent.acting.plan import Planner
from frontdesk.agent.acting.speaker import Speaker
from frontdesk.agent.acting.undo import is_booked, takes_back, undo, was_done, was_taken_back
from frontdesk.agent.acting.update import SPOKEN_OF, begun, keeps_all, other_cancellation, updated
from frontdesk.agent.acting.worded_questions import last_question
from frontdesk.agent.calendars.calendar import CalendarUnavailableError, Receipt
from frontdesk.agent.understanding.meaning import forms_before
from frontdesk.agent.understanding.occurrences import read_occurrences
from frontdesk.agent.understanding.offices import with_owned_offices
from frontdesk.agent.understanding.read_request import Said, read_request
from frontdesk.agent.understanding.references import References
from frontdesk.agent.understanding.request import Request, UnclearName
from frontdesk.agent.understanding.veto import (
    as_a_yes,
    is_conditional,
    may_agree,
    may_agree_first,
    may_ask,
    may_undo,
    names_deed,
    objects,
    tells_what_not,
)
from frontdesk.agent.understanding.wanted_before import wanted_last
from frontdesk.kg.graph.logical_forms import Form
from frontdesk.kg.graph.pending_action import (
    ActionKind,
    ActionStatus,
    PendingAction,
    Slot,
    offered_day,
    offered_start,
)
from frontdesk.kg.graph.windows import CLOCK_KINDS, Window, WindowKind
from frontdesk.kg.times.other_times import OtherTime
from frontdesk.kg.times.time_readings import TimeReading

_LEFT_OTHER = "I have not done what we spoke of before."
_LEFT = "All right, I leave it as it is."
_ONLY_ONE = "I cannot book series, only single meetings, so this is for one."
_NO_CONDITIONS = ("I cannot do that on a condition. Please ask me again once it is certain; I have "
                  "changed nothing.")
#: From this share of the likeliest hypothesis's confidence on another one may be what was said.
_RIVAL = 0.4
#: Questions to which a mere "no" ends it all.
_ENDED_BY_NO = (Slot.CHANGE, Slot.EVENT, Slot.START, Slot.DATE, Slot.RECIPIENT, Slot.MESSAGE)
_DONE_ALREADY = "That is done already. Say “undo that” if I should take it back."
_WHICH = "I am not sure what I should book."
#: Heads of questions that ask for what could be booked.
_BOOKABLE = frozenset({"free", "is_free"})
_SO_ALREADY = "That is how I have it."
_NOT_UNDERSTOOD = "I'm sorry, I did not understand that."
#: What a user is told to say, and what it does whatever the parser makes of it.
_LEAVE = "never mind"
_WAY_OUT = f"Say “{_LEAVE}” if I should leave it."


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
        text, forms = self.here.text, self.here.deed.forms
        request = self._read(last)
        if tells_what_not(text) and not may_ask(text, forms) and (
                request.begins is not None or begun(request, last) is not None):
            return replace(request, abandons=True)  # "don't book anything"
        if request.begins is not None and not may_ask(text, forms):
            return None
        if request.comes is not None and len(request.events) != 1:
            return None
        left = last is not None and last.kind is ActionKind.MESSAGE \
            and last.status is ActionStatus.DONE  # which nothing takes back
        if takes_back(request) and not left and (
                not may_undo(text) or request.begins is not None or self._is_contradicted()):
            return Request(abandons=True)
        if takes_back(request) or request.abandons or begun(request, last) is not None:
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

    def repeats(self) -> bool:
        """Whether a request asks for what is being arranged once more, and for nothing else."""
        last = self.here.graph.last_action()
        if last is None:
            return False
        request = self._read(last)
        return request.begins is last.kind and not (
            request.unclear or request.room_unclear or request.options or request.denies
            or _names_nothing(request)) \
            and (not request.names_event or set(request.events) == set(last.events)) \
            and _same(updated(last, request, self.here), last)

    def names_nothing(self) -> bool:
        """Whether a request of the kind of what is being arranged is for what there is not: an
        event of another name, a day that does not exist, a time that is left open."""
        last = self.here.graph.last_action()
        if last is None:
            return False
        request = self._read(last)
        return request.begins is last.kind and _names_nothing(request)

    def joins(self) -> bool:
        """Whether a request cancels another event along with the one that is to be cancelled."""
        last = self.here.graph.last_action()
        return last is not None and other_cancellation(
            last, self._read(last), self.here) is not None

    def _read(self, last: PendingAction | None) -> Request:
        here = self.here
        answering = here.visible.domain.queries
        if answering is None:
            return Request()
        forms = tuple(map(with_owned_offices, here.deed.forms))
        references = References(
            here.seen, answering.meant(forms, here.graph, now=here.now), here.user,
            here.now, last.events if last is not None and self._is_spoken_of(last) else ())
        request = read_request(Said(
            here.text, forms, references, last,
            partial(answering.meant_among, now=here.now), here.components.settings.actions,
            here.focus, self._spoken_of(last), here.timezone, read_occurrences(here.text)))
        # What one may not know of nobody changes at one's word.
        events, options = (tuple(each for each in ids if each in here.kb.events)
                           for ids in (request.events, request.options))
        request = replace(request, events=events, options=options,
                          starts=request.starts if len(events) > 1 else ())
        return replace(request, confirms=request.confirms and self._agrees(
            last, here.deed.repeated))

    def _agrees(self, last: PendingAction | None, repeated: Sequence[Form]) -> bool:
        """Whether an utterance may be a yes, some of whose forms say once more what to."""
        text = as_a_yes(self.here.text, repeated, self.here.agent_said)
        after = self.here.deed.after
        agrees = may_agree_first(text, after) if after else may_agree(
            text, plainly=last is not None and last.interrupted)
        return agrees and not self._is_contradicted()

    def _is_spoken_of(self, last: PendingAction) -> bool:
        """Whether an action is open, or was done in this turn or the one before."""
        graph = self.here.graph
        return last.is_open or last in map(graph.action_after, graph.turns[-2:])

    def _begin(self, request: Request, last: PendingAction | None) -> ActionOutcome:
        """The first step of an action, or what was done before is taken back."""
        here = self.here
        if takes_back(request):
            return undo(here, last, request)
        action = begun(request, last)
        if action is None or request.abandons:
            # What was done before can still be undone or spoken of.
            done = last is not None and last.status is ActionStatus.DONE and request.begins is None
            return ActionOutcome(
                _DONE_ALREADY if done else _LEFT,
                last or PendingAction(ActionKind.CHANGE, ActionStatus.ABANDONED))
        if is_conditional(here.text, here.deed.forms):
            return ActionOutcome(_NO_CONDITIONS, replace(action, status=ActionStatus.REFUSED))
        action = self._about_last(action, request, last)
        if self._rivals(action):
            return self._unsure(action, request)
        outcome = self._next.go_on(updated(action, request, here), request)
        if action.kind is ActionKind.CREATE and request.repeated:
            outcome = replace(outcome, text=f"{_ONLY_ONE} {outcome.text}")
        return self._told_of_name(outcome, request)

    def _told_of_name(self, outcome: ActionOutcome, request: Request) -> ActionOutcome:
        """What is said, after that nothing in the calendar has the name that an event was given."""
        if not request.misnamed or self.here.user is None:
            return outcome
        return replace(outcome, text=f"{self.here.wording.misnamed(request.misnamed)} "
                                     f"{outcome.text}")

    def _rivals(self, action: PendingAction) -> tuple[ActionKind, ...]:
        """The kinds of actions that may be asked for as well, nearly as probably."""
        return tuple(each for each in self.here.deed.rivals if each is not action.kind)

    def _unsure(self, action: PendingAction, request: Request) -> ActionOutcome:
        """The question what is to be done, where it may be something else as well."""
        kinds = (action.kind, *self._rivals(action))
        events = request.events if len(request.events) == 1 else ()
        left = PendingAction(
            ActionKind.CHANGE if ActionKind.CHANGE in kinds or ActionKind.CANCEL in kinds
            else action.kind, events=events, asked=Slot.CHANGE, by=self.here.user or "")
        return ActionOutcome(self.here.wording.unsure(kinds, events), left, asks=request.asks)

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
        outcome = self._told_of_name(self._continue(kept, request), request)
        agrees = request.confirms and kept.asked == Slot.CONFIRMATION
        if outcome.text == here.agent_said and _same(outcome.action, kept) and not (
                outcome.asks or agrees or outcome.text.startswith(_NOT_UNDERSTOOD)):
            return replace(outcome, text=self._not_understood(outcome.text))
        return outcome

    def _is_contradicted(self) -> bool:
        """Whether a speech recogniser heard a yes, and almost as surely a no."""
        first, *others = self.here.graph.hypotheses(self.here.graph.turns[-1])
        return any(objects(each.text) and (each.confidence or 0.0)
                   >= _RIVAL * (first.confidence or 1.0) for each in others)

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

    def _spoken_of(self, last: PendingAction | None) -> Window | None:
        """The time that was spoken of last in the turns before: of the clock, else a day, where
        nothing is being arranged whose day is known."""
        taken = (CLOCK_KINDS,) if last is not None and last.is_open \
            else (CLOCK_KINDS, (WindowKind.DAY,))
        for turn in reversed(self.here.graph.turns[-5:-1]):
            said = [window for mention in reversed(self.here.graph.mentions(turn))
                    if (window := self.here.graph.window(mention)) is not None]
            for kinds in taken:
                if found := [each for each in said if each.kind in kinds]:
                    return found[0]
        return None

    def _continue(self, pending: PendingAction, request: Request) -> ActionOutcome:
        if not any(char.isalnum() for char in self.here.text):
            return ActionOutcome(
                f"I'm sorry, I did not hear that. {self._reminder(pending)}", pending)
        if self.here.text.strip(" .,!“”").casefold() == _LEAVE or self._gives_up(pending, request):
            # A mere no is about this alone, not about what waits.
            status = ActionStatus.REFUSED if request.denies and not request.abandons \
                else ActionStatus.ABANDONED
            return ActionOutcome(_LEFT, replace(pending, status=status, asked=""))
        if request.confirms and request.begins is None and self._means_what_was_asked(pending):
            return ActionOutcome(f"{_WHICH} {self._reminder(pending)}",
                                 replace(pending, interrupted=False))
        if is_conditional(self.here.text, self.here.deed.forms) \
                and (request.begins is not None or not request.gives_values) \
                and pending.asked not in (Slot.TITLE, Slot.MESSAGE):
            return ActionOutcome(f"{_NO_CONDITIONS} {self._reminder(pending)}", pending)
        if (other := self._other_time(pending, request)) is not None:
            return other
        if pending.asked == Slot.CHOICE and len(pending.offered) == 1 and request.denies \
                and not request.gives_values \
                and (turned_down := self._turned_down(pending)) is not None:
            return turned_down
        if picks_date(pending, request, self.here):
            return self._on_date(pending, request)
        if (joined := other_cancellation(pending, request, self.here)) is not None:
            return self._next.go_on(joined, request)
        if (request.begins is not None or request.gives_values) and pending.asked not in (
                Slot.TITLE, Slot.MESSAGE) and not may_ask(self.here.text, self.here.deed.forms):
            return self._says_nothing_new(pending, Request())
        if (fresh := self._begun_instead(pending, request)) is not None:
            return fresh
        if request.asks and not request.gives_values and request.begins is None:
            return self._aside(pending)
        return self._answered(pending, request)

    def _begun_instead(self, pending: PendingAction, request: Request) -> ActionOutcome | None:
        """The first step of another action that is begun in place of what is pending."""
        fresh = begun(request, None)
        if fresh is None and pending.kind is ActionKind.CANCEL and request.changes_event:
            fresh = PendingAction(ActionKind.CHANGE)  # "no, move it to two"
        if request.begins is None and request.abandons and request.times \
                and pending.kind is ActionKind.CREATE:
            outcome = self._next.go_on(updated(
                PendingAction(ActionKind.CREATE), request, self.here), request)
            return replace(outcome, text=f"{_LEFT_OTHER} {outcome.text}")
        if fresh is None:
            return None
        if self._rivals(fresh) and self._is_another(pending, fresh, request):
            return self._unsure(fresh, request)
        if self._is_instead(pending, fresh, request):
            same = request.events in ((), pending.events)
            action = replace(fresh, events=request.events or pending.events,
                             occurrences=pending.occurrences if same else "")
            return self._next.go_on(updated(action, request, self.here), request)
        if not self._is_another(pending, fresh, request):
            return None
        outcome = self._next.go_on(updated(fresh, request, self.here), request)
        restated = fresh.kind is pending.kind and fresh.kind is not ActionKind.MESSAGE \
            and set(pending.events) <= set(outcome.action.events)
        return outcome if restated else replace(outcome, text=f"{_LEFT_OTHER} {outcome.text}")

    def _answered(self, pending: PendingAction, request: Request) -> ActionOutcome:
        """The next step after an answer, a correction or a yes."""
        action = updated(pending, request, self.here)
        speaker = Speaker(self.here)
        if pending.asked == Slot.SPEAKER and (
                speaker.stranger() is not None or speaker.gives_no_name(pending)):
            return self._next.go_on(action, request)
        if pending.asked == Slot.CHOICE and len(pending.offered) > 1 \
                and action.offered and set(action.offered) <= set(pending.offered) and (
                    pending.offered[0] in self.here.kb.people or not request.gives_values):
            text = self._reminder(pending) if action.offered == pending.offered \
                else self.here.wording.unclear(UnclearName("", action.offered, known=True))
            return ActionOutcome(text, replace(action, asked=Slot.CHOICE))
        if pending.asked == Slot.ATTENDEES and (request.denies or request.alone) \
                and not request.gives_values:
            return self._next.go_on(replace(pending, asked=""), Request())
        if request.no_room and pending.kind is ActionKind.CREATE and not pending.room \
                and not request.confirms and _same(action, pending):
            return ActionOutcome(f"No room, then. {self._reminder(pending)}", action)
        # A yes to "Whom do you mean?", where nobody is offered, says nothing.
        agrees = request.confirms and (pending.asked != Slot.CHOICE or bool(pending.offered))
        if action == pending and not agrees and not self._was_answered(pending) \
                and not (request.unclear or request.room_unclear):
            return self._says_nothing_new(pending, request)
        return self._next.go_on(action, request, confirmed=request.confirms
                                and pending.status is ActionStatus.CONFIRMING
                                and _same(action, pending))

    def _turned_down(self, pending: PendingAction) -> ActionOutcome | None:
        """The question for another time or room than the one that was offered and is not wanted."""
        offered = pending.offered[0]
        if offered_start(offered) is not None and pending.kind is ActionKind.CHANGE \
                and pending.time == TimeReading():  # another time is not what was wanted
            return ActionOutcome(_LEFT, replace(
                pending, status=ActionStatus.REFUSED, asked="", offered=()))
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
        other = request.other_time
        if other is None or pending.asked not in (Slot.CHOICE, Slot.CONFIRMATION, Slot.CHANGE) \
                or request.unclear or request.room_unclear:
            return None
        said = request.times[0] if request.times else TimeReading()
        if said.start is not None or (said.day is not None and other is OtherTime.ANOTHER_DAY):
            return None  # that is the time which is wanted
        planner = Planner(self.here.kb, self.here.now, self.here.components.settings.actions)
        plan = planner.plan(pending)
        offered = offered_start(pending.offered[0]) if len(pending.offered) == 1 else plan.start
        if offered is None or (not pending.offered and len(plan.changes) != 1):
            return None
        minutes = said.minutes or pending.time.minutes
        if not said.minutes and plan.start is not None and plan.end is not None:
            minutes = int((plan.end - plan.start).total_seconds()) // 60
        if request.gives_values:  # what else is said of it
            pending = updated(pending, request, self.here)
        time = replace(pending.time, start=None, end=None, shift=None, minutes=minutes,
                       day=said.day or offered.date(), until_day=said.until_day)
        if other in (OtherTime.LATER, OtherTime.EARLIER):
            time = replace(time, part=said.part)
        left = replace(pending, time=time, asked=Slot.CHOICE, status=ActionStatus.OPEN)
        chooser, on_day = Chooser(self.here.kb, planner, self.here.seen), offered
        if said.day is not None:
            on_day = dt.datetime.combine(said.day, offered.time(), offered.tzinfo)
        start = chooser.other_start(left, on_day, other) \
            or chooser.other_start(left, offered, other)
        if start is None:
            return ActionOutcome(self.here.wording.no_other(other),
                                 replace(left, offered=(offered.isoformat(),)))
        pending = replace(left, time=replace(time, day=start.date(), until_day=None))
        return ActionOutcome(f"{self.here.wording.free_at(start)} Would that suit you?",
                             replace(pending, offered=(start.isoformat(),)))

    def _on_date(self, pending: PendingAction, request: Request) -> ActionOutcome:
        """The cancellation of another date than the one that was taken, if there is one."""
        said = request.times[0]
        other = on_date(pending, said, self.here)
        if other is not None:
            dates = [each for each in self.here.deed.forms if each.head in ("answer", "choose")]
            return self._next.go_on(
                other, Request(), confirmed=pending.status is ActionStatus.CONFIRMING
                and any(each.head == "confirm" for each in self.here.deed.forms)
                and other.events == pending.events and self._agrees(pending, dates))
        none = self.here.wording.no_date(self.here.kb.events[pending.events[0]], said)
        return ActionOutcome(f"{none} {self._reminder(pending)}", pending)

    def _says_nothing_new(self, pending: PendingAction, request: Request) -> ActionOutcome:
        """What is said where an utterance neither changes what is pending nor agrees to it."""
        if pending.status is ActionStatus.CONFIRMING and request.denies:
            return ActionOutcome("What should be different?",
                                 replace(pending, status=ActionStatus.OPEN, asked=Slot.CHANGE))
        if request.asks or request.greets:
            return ActionOutcome(self._reminder(pending), replace(pending, interrupted=True),
                                 asks=True)
        if request.begins is not None:
            return self._next.go_on(pending, request)
        if request.gives_values and keeps_all(pending.kind, request) and not (
                request.denies or request.other_time
                or is_conditional(self.here.text, self.here.deed.forms)):
            return ActionOutcome(f"{_SO_ALREADY} {self._reminder(pending)}", pending)
        if request.denies and pending.asked == Slot.CHOICE:
            return self._next.go_on(replace(
                pending, offered=(), time=replace(pending.time, start=None),
                left_open=pending.left_open - {str(Slot.START)}), request)
        return ActionOutcome(self._not_understood(self._reminder(pending)),
                             replace(pending, interrupted=False))

    def _not_understood(self, reminder: str) -> str:
        """That an utterance was not understood; the second time with what ends it all."""
        again = self.here.agent_said.startswith(_NOT_UNDERSTOOD)
        return " ".join([_NOT_UNDERSTOOD, *([_WAY_OUT] if again else []), reminder])

    @staticmethod
    def _gives_up(pending: PendingAction, request: Request) -> bool:
        """Whether a user wants no more of what is pending."""
        if request.abandons or request.undoes:
            return not request.gives_values
        if request.begins is ActionKind.CANCEL and not request.names_event:
            return pending.kind is not ActionKind.CANCEL
        # Who says no to a question that asks for more wants no more of it.
        return request.denies and not request.gives_values \
            and (pending.asked in _ENDED_BY_NO or _is_all_or_nothing(pending)) \
            and not (request.names_event or request.asks or request.begins or request.other_time)

    def _aside(self, pending: PendingAction) -> ActionOutcome:
        """A question in between: about what is pending, or about something else."""
        plan = Planner(self.here.kb, self.here.now,
                       self.here.components.settings.actions).plan(pending)
        reminder = self._reminder(pending)
        if pending.kind is ActionKind.CREATE and plan.changes and self._asks_about_it():
            return ActionOutcome(
                f"{self.here.wording.so_far(plan.changes[0].event)} {reminder}".strip(),
                pending, plan=plan)
        return ActionOutcome(reminder, replace(pending, interrupted=True), asks=True, plan=plan)

    def _means_what_was_asked(self, pending: PendingAction) -> bool:
        """Whether "great, book it" may be about what was asked for in between, not what is pending.
        """
        if not pending.interrupted or pending.kind is not ActionKind.CREATE \
                or not names_deed(self.here.text):
            return False
        return any(each.head in _BOOKABLE
                   for form in wanted_last(forms_before(self.here.graph)[1:])
                   for each in form.walk())

    def _asks_about_it(self) -> bool:
        """Whether a question is about what is being arranged: "when is it?"."""
        return any(each.head in ("that", "answers") and not any(each.spans())
                   for form in self.here.deed.forms for each in form.walk())

    @staticmethod
    def _is_instead(pending: PendingAction, fresh: PendingAction, request: Request) -> bool:
        """Whether a change is wanted in place of a cancellation: "no, move it to two"."""
        return (pending.kind is ActionKind.CANCEL and bool(pending.events)
                and pending.asked in (Slot.CONFIRMATION, Slot.CHANGE)
                and fresh.kind is ActionKind.CHANGE and request.gives_values
                and set(request.events) <= set(pending.events))

    @staticmethod
    def _is_another(pending: PendingAction, fresh: PendingAction, request: Request) -> bool:
        """Whether an utterance begins another action than the pending one."""
        if fresh.kind is ActionKind.CREATE:
            said_in_full = request.times and (request.title or request.invited or request.room)
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

    def _about_last(self, action: PendingAction, request: Request,
                    last: PendingAction | None) -> PendingAction:
        """A change that names no event is one of what was done last."""
        if (last is not None and last.status in SPOKEN_OF
                and action.kind in (ActionKind.CHANGE, ActionKind.CANCEL)
                and not request.events and not request.names_event):
            return replace(action, events=tuple(each for each in last.events
                                                if each in self.here.kb.events))
        return action

    def _was_answered(self, pending: PendingAction) -> bool:
        """Whether the user has just said who they are."""
        return pending.asked == Slot.SPEAKER and self.here.user is not None

    def _reminder(self, pending: PendingAction) -> str:
        """What is still awaited."""
        return last_question(self.here.agent_said) if pending.asked else ""


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


def _names_nothing(request: Request) -> bool:
    return bool(request.misnamed or request.no_day or request.other_time
                or (request.names_event and request.begins is not ActionKind.CREATE
                    and not (request.events or request.options)))


def _same(one: PendingAction, other: PendingAction) -> bool:
    """Whether two actions want the same."""
    neutral = {"asked": "", "offered": (), "shown": "", "status": ActionStatus.OPEN,
               "interrupted": False}
    return replace(one, **neutral) == replace(other, **neutral)  # type: ignore[arg-type]
