"""How the times of questions and answers are said, in short."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from frontdesk.kg.english import phrases
from frontdesk.kg.graph.time_slots import OfficeHours
from frontdesk.kg.graph.windows import Window, WindowKind

_WEEKS = {0: "this week", 1: "next week", -1: "last week"}
#: Slots of free time that are said at most.
_MOST_SLOTS = 6


def last_day(window: Window) -> dt.date:
    """The last day that is at least partly in a window."""
    return max(window.start, window.end - dt.timedelta(microseconds=1)).date()


def only_day(window: Window | None) -> dt.date | None:
    """The day that a window is in; None where it is in several."""
    return window.date if window is not None and last_day(window) == window.date else None


def say_asked_time(window: Window, now: dt.datetime) -> str:
    """A time as an adverbial, without the day where that is today and an hour is said.

    Returns:
        ``now``, ``at 12:00``, ``tomorrow from 9:00 to 10:00``, ``today``, ``later today`` for what
        of today is still to come, ``this week``.
    """
    today = now.date()
    week = _week(window, today)
    if week:
        return week
    said = phrases.say_window(window, today)
    day_after = dt.datetime.combine(window.date + dt.timedelta(days=1), dt.time(),
                                    window.start.tzinfo)
    if window.kind is WindowKind.SPAN and window.start < window.end:
        on = phrases.say_on(window.date, today).replace("today", "")
        if window.end == day_after and window.start.time() == dt.time():
            return phrases.say_on(window.date, today)
        if window.end == day_after and window.start == now:
            return "later today"
        if window.end == now and window.start.time() == dt.time() and window.date == today:
            return "so far today"
        if window.end == day_after:
            return f"{on} from {phrases.say_time(window.start)} on".strip()
        if window.start.time() == dt.time() and last_day(window) == window.date:
            return f"{on} before {phrases.say_time(window.end)}".strip()
    if window.kind in (WindowKind.INSTANT, WindowKind.SPAN):
        return said.removeprefix("today ")
    return said


def say_end(end: dt.datetime, day: dt.date, today: dt.date) -> str:
    """When something ends, for who knows the day on which it does: ``12:00``, ``tomorrow at 9:00``.

    Args:
        end: When it does; the beginning of a day where whole days end.
    """
    if end.date() == day:
        return phrases.say_time(end)  # midnight is the end of the day before
    on = phrases.say_on(end.date(), today).removeprefix("on ")
    if end.time() == dt.time():
        return on
    return f"{phrases.say_time(end)} {phrases.say_on(end.date(), today)}"


def say_slots(slots: Sequence[Window], today: dt.date, said_day: dt.date | None,
              hours: OfficeHours = OfficeHours()) -> str:  # noqa: B008
    """Stretches of time, each day once: ``tomorrow from 9:00 to 10:00 and from 11:00 to 18:00``.

    Args:
        slots: In their order.
        said_day: The day that is said already; None where none is.
        hours: Within which things take place; a slot that fills them is all day.
    """
    days: dict[dt.date, list[str]] = {}
    for slot in slots[:_MOST_SLOTS]:
        days.setdefault(slot.date, []).append(_hours(slot, hours))
    said = []
    for day, stretches in days.items():
        on = "" if day == said_day else phrases.say_on(day, today)
        if stretches == ["all day"] and not said_day:
            said.append(f"all day {on}")
        else:
            said.append(f"{on} {phrases.say_list(stretches)}".strip())
    return phrases.say_list(said, len(slots) - _MOST_SLOTS if len(slots) > _MOST_SLOTS else 0)


def joined(slots: Sequence[Window]) -> list[Window]:
    """Stretches of time in order, those that touch as one."""
    found: list[Window] = []
    for slot in slots:
        if found and slot.start <= found[-1].end and slot.date == found[-1].date:
            found[-1] = Window(found[-1].start, max(found[-1].end, slot.end))
        else:
            found.append(slot)
    return found


def say_free(slots: Sequence[Window], time: str, day: dt.date | None, now: dt.datetime) -> str:
    """When somebody is free: ``tomorrow from 9:00 to 10:00``, ``all day tomorrow``,
    ``today until 18:00``.

    Args:
        slots: In their order.
        time: That was asked about; empty where the slots say their days.
        day: The day of ``time``.
    """
    today = now.date()
    if len(slots) == 1 and time and last_day(slots[0]) == day:
        said = say_slots(slots, today, day)
        if said == "all day":
            return f"all day {time}"
        if slots[0].start <= now < slots[0].end:
            return f"{time} until {phrases.say_time(slots[0].end)}"
    return f"{time} {say_slots(slots, today, day)}".strip()


def _hours(slot: Window, hours: OfficeHours) -> str:
    if slot.kind in (WindowKind.DAY, WindowKind.ALL_DAY) or last_day(slot) != slot.date or (
            slot.start.time() <= hours.opens and slot.end.time() >= hours.closes):
        return "all day"
    return phrases.say_hours(slot.start, slot.end)


def _week(window: Window, today: dt.date) -> str:
    """``this week`` for all or the rest of one; empty for other times."""
    last = last_day(window)
    if window.kind is not WindowKind.DAY or (last - window.date).days < 3 \
            or window.date.isocalendar()[:2] != last.isocalendar()[:2] \
            or (window.date.weekday() and window.date != today):
        return ""
    monday = today - dt.timedelta(days=today.weekday())
    return _WEEKS.get((window.date - dt.timedelta(days=window.date.weekday()) - monday).days // 7,
                      "")
