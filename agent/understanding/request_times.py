"""When something is to be: the times among the roles of a request, in the dialogue so far."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace

from frontdesk.agent.understanding.request import Request
from frontdesk.agent.understanding.role_times import RoleTimes, TimeSituation, as_whole
from frontdesk.agent.understanding.utterance_context import UtteranceContext, words_of
from frontdesk.kg.graph.logical_forms import Form, Sort
from frontdesk.kg.graph.pending_action import ActionKind, PendingAction, Slot, offered_start
from frontdesk.kg.graph.windows import Window, WindowKind
from frontdesk.kg.times.other_times import OtherTime
from frontdesk.kg.times.time_readings import TimeReading

_THAT = Form("that")
#: Times that mean what was chosen.
_POINTING = ([Form("then")], [Form("at", (_THAT,))])
#: At the time that was told.
_TOLD = Form("time", (Form("at", (Form("answers"),)),))
#: After what was said last, and before it; and then.
_BESIDE = ("then_after", "then_before")
THEN_HEADS = frozenset({*_BESIDE, "then"})
#: Which roles are read before the others, and which after them.
_ORDER = {"shift": -1, "whole_day": 1}


@dataclass(frozen=True)
class RequestTimes:
    """The times of a request.

    Args:
        said: The utterance.
        request: What it asks for so far.
    """

    said: UtteranceContext
    request: Request

    def read(self, roles: Sequence[Form], base: TimeReading | None = None,
             day: dt.date | None = None) -> Request:
        """The request with what roles say of when it is to be.

        Args:
            roles: Of times.
            base: When it was before, where it is done once more.
            day: Of it.
        """
        if not roles:
            return self.request
        if self._only_bounds(roles):
            return replace(self, request=replace(self.request, finds_time=True)).read(
                roles, base, day)
        hours = self.said.settings.opens, self.said.settings.closes
        roles = [as_whole(each, hours, self.said.references.now) for each in roles]
        if self.said.picked_time:
            roles = [_TOLD if each.inner()[:1] in _POINTING else each for each in roles]
        unwanted = [each for each in roles if each.head == "unwanted"]
        situation = self._situation(roles)
        if base is not None:
            situation = replace(situation, proposed=None)
        events = self._events_in(roles)
        if any(each.head == "answers" for each in events):  # it is what "then" and "that" mean
            roles = [each for each in roles if each.inner()[:1] not in _POINTING]
        times = RoleTimes(situation, events, self.request.finds_time,
                          any(each.head == "duration" for each in roles))
        if base is not None:
            times.readings = [base]
        # What is said of the clock counts, however much later that is.
        for role in sorted(roles, key=lambda each: _ORDER.get(each.head, 0)):
            if role not in unwanted:
                times.add(role)
        # What is asked for together is on one day.
        spoken = self.said.arranged if self.said.together else self.said.spoken
        if self.request.begins is ActionKind.CREATE and not self.said.asked and spoken is not None \
                and spoken.date >= self.said.references.now.date():
            # "Is Bo free tomorrow at ten?" "Then book him at eleven."
            times.readings = [replace(each, day=spoken.date, day_presumed=True)
                              if each.day is None and each.start is not None else each
                              for each in times.readings]
        if base is not None and day is not None:
            times.readings = [_on_weekday(each, day) for each in times.readings]
        if self.request.blocks:
            times.kept()
        left_out = times.left_out()
        if self.request.finds_time and not any(each.start for each in times.readings):
            left_out += map(words_of, unwanted)
        request = replace(self.request, times=tuple(times.readings), no_day=times.no_day,
                          other_time=times.other or self.request.other_time,
                          left_out=(*self.request.left_out, *filter(None, left_out)))
        if not unwanted or times.readings:
            return request
        return replace(request, denies=True, other_time=OtherTime.ANOTHER_TIME
                       if self._is_proposed(unwanted) else request.other_time)

    def _only_bounds(self, roles: Sequence[Form]) -> bool:
        """Whether of an event only a day is said before or after which it is to be, so that a time
        for it is to be found."""
        request, said = self.request, [each for each in roles if each.head != "duration"]
        bound = said[0].inner()[:1] if len(said) == 1 and said[0].head == "time" else []
        last = self.said.last if self.said.asked == Slot.START else None
        kind = request.begins or (last.kind if last is not None else None)
        if request.finds_time or len(request.events) > 1 or not bound \
                or kind not in (ActionKind.CREATE, ActionKind.CHANGE) \
                or bound[0].head not in ("before", "after"):
            return False
        times = RoleTimes(self._situation(), {}, finds=True)
        times.add(said[0])
        return bool(times.readings) and all(each.until_day and not each.part
                                            for each in times.readings)

    def _is_proposed(self, unwanted: Sequence[Form]) -> bool:
        """Whether what was proposed is at a time that is not wanted: "not at ten"."""
        times, proposed = RoleTimes(self._situation(), {}), self._situation().proposed
        for each in unwanted:
            times.add(each.inner()[0])
        return proposed is not None and any(
            each.start == proposed.time() and each.day in (None, proposed.date())
            for each in times.readings)

    def _situation(self, roles: Sequence[Form] = ()) -> TimeSituation:
        said = self.said
        last = said.last if said.last is not None and self._is_of(said.last) else None
        ids = self.request.events or self.request.options or (
            said.last.events if said.last is not None else ())
        event = self.said.kb.events.get(ids[0]) if len(ids) == 1 else None
        about = None if event is None or self.said.kb.is_recurring(event) or (
            self.request.begins is ActionKind.CREATE) else (event.start, event.end)
        arranged = said.arranged
        besides = (arranged.start, arranged.end) if arranged is not None and said.together else None
        return TimeSituation(
            self.said.references.now, (said.settings.opens, said.settings.closes),
            said.settings.minutes, said.focus, arranged or self._spoken_of(roles), said.timezone,
            last.time if last is not None else TimeReading(), about or besides,
            self._proposed(last) if last is not None else None,
            # Each of several keeps a time of its own.
            besides or (self._in_play() if about is None and len(ids) < 2 and (
                last is None or last.time.day is None) else None))

    def _in_play(self) -> tuple[dt.datetime, dt.datetime] | None:
        """Start and end of what was spoken of last: "the same day"."""
        window = self.said.in_play
        return (window.start, window.end) if window is not None else None

    def _spoken_of(self, roles: Sequence[Form]) -> Window | None:
        """The time that was spoken of last; where there is none, of the event that was, after or
        before which something may be though a day was spoken of."""
        spoken, heads = self.said.spoken, {each.head for role in roles for each in role.walk()}
        if heads.isdisjoint(THEN_HEADS if spoken is None else
                            _BESIDE if spoken.kind in (WindowKind.DAY, WindowKind.PART) else ()):
            return spoken
        pointed = self.said.references.events(_THAT).events
        event = self.said.kb.events[pointed[0]] if len(pointed) == 1 else None
        return spoken if event is None else Window(event.start, event.end)

    def _is_of(self, last: PendingAction) -> bool:
        """Whether what is said is of what is pending, not of another event."""
        if not self.said.asked:
            return False
        return set(self.request.events) <= set(last.events) or (
            not last.events and self.request.begins in (None, last.kind))

    def _proposed(self, last: PendingAction) -> dt.datetime | None:
        """The start that was offered, or is to be confirmed."""
        offered = offered_start(last.offered[0]) if len(last.offered) == 1 else None
        if offered is not None or last.time.start is None or last.time.day is None:
            return offered
        return dt.datetime.combine(last.time.day, last.time.start, self.said.kb.timezone)

    def _events_in(self, roles: Sequence[Form]) -> dict[Form, tuple[dt.datetime, dt.datetime]]:
        """Start and end of the events, and of the times told before, that times refer to; of one
        alone that is clear."""
        found = {}
        for time in (part for role in roles for part in role.walk()):
            first = time.arguments[0] if time.arguments else None
            if isinstance(first, Form) and time.is_of(Sort.TIME):
                meant = self.said.references.events(first)
                if len(meant.events) == 1:
                    event = self.said.kb.events[meant.events[0]]
                    found[first] = event.start, event.end
                elif first.head == "answers" and (told := self._told(first)) is not None:
                    found[first] = told
        return found

    def _told(self, form: Form) -> tuple[dt.datetime, dt.datetime] | None:
        """One of the times that are offered, or with which the last question was answered."""
        last = self.said.last
        offered = [at for each in (last.offered if last is not None and last.is_open else ())
                   if (at := offered_start(each)) is not None]
        told = [(at, at) for at in offered] if len(offered) > 1 else self.said.answered_times()
        number = next((n for part in form.walk() for n in part.arguments if isinstance(n, int)),
                      1 if len(told) == 1 else 0)
        place = number - 1 if number > 0 else len(told) + number
        return told[place] if number and 0 <= place < len(told) else None


def _on_weekday(reading: TimeReading, day: dt.date) -> TimeReading:
    """A stretch of days as the day in it on which it was before."""
    if reading.day is None or reading.until_day is None:
        return reading
    span = (reading.until_day - reading.day).days
    days = [reading.day + dt.timedelta(days=each) for each in range(span + 1)]
    same = next((each for each in days if each.weekday() == day.weekday()), reading.day)
    return replace(reading, day=same, until_day=None)
