"""Something else in place of what was proposed: another time, another room, another date."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace

from frontdesk.agent.acting.action_context import ActionContext
from frontdesk.agent.acting.action_outcome import ActionOutcome
from frontdesk.agent.acting.choices import Chooser
from frontdesk.agent.acting.next_step import NextStep
from frontdesk.agent.acting.task_reader import TaskReader
from frontdesk.agent.acting.update import updated
from frontdesk.agent.understanding.request import Request
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.knowledge_base import normalise_name
from frontdesk.kg.graph.pending_action import (
    ActionKind,
    ActionStatus,
    PendingAction,
    Slot,
    offered_start,
)
from frontdesk.kg.times.other_times import OtherTime
from frontdesk.kg.times.time_readings import TimeReading

#: Asked for where something may be offered.
_OFFERS = (Slot.CHOICE, Slot.CONFIRMATION)
#: Acts and changes that pick one of several; what sets a time says when something is to be.
_PICKS = frozenset({"answer", "choose", "add"})


@dataclass(frozen=True)
class Alternatives:
    """What is proposed in place of something that was.

    Args:
        here: The turn.
        pending: What was proposed.
    """

    here: ActionContext
    pending: PendingAction

    def wanted(self, request: Request) -> ActionOutcome | None:
        """What comes in place of what was proposed; None where nothing else is wanted."""
        return self._other_time(request) or self._turned_down(request) or self._date(request)

    def _turned_down(self, request: Request) -> ActionOutcome | None:
        """The question for another time or room than the one that was offered and is not wanted."""
        pending = self.pending
        if pending.asked not in _OFFERS or len(pending.offered) != 1 or not request.denies \
                or request.gives_values:
            return None
        offered = pending.offered[0]
        if offered_start(offered) is not None and pending.kind is ActionKind.CHANGE \
                and Slot.CHANGE in pending.left_open:  # that it moves is not what was wanted
            return ActionOutcome(self.here.wording.left(pending.kind), replace(
                pending, status=ActionStatus.REFUSED, asked="", offered=()))
        if offered in self.here.kb.rooms:
            slot, left = Slot.PLACE, replace(pending, room="")
        elif offered_start(offered) is not None:
            slot, left = Slot.START, replace(pending, left_open=pending.left_open - {
                str(Slot.START)}, time=replace(pending.time, start=None, end=None, part=None))
        else:
            return None
        return ActionOutcome(self.here.wording.ask(slot, left), replace(
            left, asked=slot, offered=(), status=ActionStatus.OPEN))

    # --- another time

    def _other_time(self, request: Request) -> ActionOutcome | None:
        """The offer of a later or earlier time, or of another day, than what was offered."""
        other, pending = request.other_time, self.pending
        if other is None or pending.asked not in (*_OFFERS, Slot.CHANGE) \
                or request.unclear or request.room_unclear:
            return None
        said = request.times[0] if request.times else TimeReading()
        if said.start is not None or (said.day is not None and other is OtherTime.ANOTHER_DAY):
            return None  # that is the time which is wanted
        planner = self.here.planner
        plan = planner.plan(pending)
        proposed = offered_start(pending.offered[0]) if len(pending.offered) == 1 else plan.start
        offered = proposed or self._start()
        if offered is None or (not pending.offered and len(plan.changes) > 1):
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
        none = self.here.wording.no_other(other, time, planner.settings.days)
        if start is None and proposed is None:
            return ActionOutcome(f"{none} {self.here.wording.ask(Slot.START, pending)}", replace(
                left, time=pending.time, asked=Slot.START))
        if start is None:
            return NextStep(self.here).propose(
                left, offered, none,
                question="Would the time that I said suit you after all?")
        return NextStep(self.here).offer(
            replace(left, time=replace(time, day=start.date(), until_day=None)), start)

    def _start(self) -> dt.datetime | None:
        """When the one event is that is to be changed; None where there is none, or several."""
        events = self.pending.events if self.pending.kind is ActionKind.CHANGE else ()
        return self.here.kb.events[events[0]].start if len(events) == 1 else None

    # --- another date of an event that is to be cancelled: "Friday's"

    def _date(self, request: Request) -> ActionOutcome | None:
        """The cancellation of another date than the one that was taken, if there is one."""
        pending, here = self.pending, self.here
        if not self._picks_date(request):
            return None
        said = request.times[0]
        other = self._on_date(said)
        if other is None:
            none = here.wording.no_date(here.kb.events[pending.events[0]], said)
            return ActionOutcome(f"{none} {here.reminder(pending)}", pending)
        dates = [each for each in here.reading.forms if each.head in ("answer", "choose")]
        return NextStep(here).go_on(
            other, Request(), confirmed=pending.status is ActionStatus.CONFIRMING
            and any(each.head == "confirm" for each in here.reading.forms)
            and other.events == pending.events and TaskReader(here).agrees(pending, dates))

    def _picks_date(self, request: Request) -> bool:
        """Whether a time tells which of several events of a name is to be cancelled."""
        pending = self.pending
        return (pending.kind is ActionKind.CANCEL and len(pending.events) == 1
                and pending.asked in (Slot.CONFIRMATION, Slot.OCCURRENCES)
                and bool(request.times) and request.times[0].day is not None
                and request.begins is None and not request.names_event
                and any(each.head in _PICKS for form in self.here.reading.forms
                        for each in form.walk()))

    def _on_date(self, said: TimeReading) -> PendingAction | None:
        """The cancellation of what has the same name at a time; None where there is none."""
        name = normalise_name(self.here.kb.events[self.pending.events[0]].name)
        found = sorted((each for each in self.here.seen.events.values()
                        if normalise_name(each.name) == name and _is_at(each, said)),
                       key=lambda each: each.start)
        if len(found) > 1:
            return replace(self.pending, events=(), offered=tuple(each.id for each in found))
        return replace(self.pending, events=(found[0].id,), offered=(),
                       occurrences="one") if found else None


def _is_at(event: Event, said: TimeReading) -> bool:
    return said.day is not None and said.start in (None, event.start.time()) \
        and said.day <= event.start.date() <= (said.until_day or said.day)
