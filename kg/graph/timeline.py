"""A timeline: events of one owner, found by when they happen without a look at all of them."""

from __future__ import annotations

import datetime as dt
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from heapq import merge

from frontdesk.kg.graph.entities import Event

_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


def minutes(time: dt.datetime) -> int:
    """Whole minutes since 1970-01-01 00:00 UTC, in which the rules count."""
    return int((time - _EPOCH).total_seconds() // 60)


class Timeline:
    """Events in the order of their start. All times are minutes (see :func:`minutes`).

    An event happens during ``[start, end)`` when both overlap, and at an instant
    (``start == end``) when that lies in ``[event start, event end)``, as in ``commonsense.pl``.

    Args:
        events: In any order.

    Example:
        >>> talk = Event("e", "talk", _EPOCH, _EPOCH + dt.timedelta(hours=1))
        >>> timeline = Timeline([talk])
        >>> [event.name for event in timeline.during(30, 90)], timeline.count(60, 90)
        (['talk'], 0)
    """

    def __init__(self, events: Iterable[Event]) -> None:
        spans = sorted(((minutes(event.start), event.id, minutes(event.end), event)
                        for event in events), key=lambda span: span[:2])
        self._events = [event for *_, event in spans]
        self._starts = array("q", [start for start, *_ in spans])
        self._ends = array("q", sorted(end for _, _, end, _ in spans))
        # Events of about the same length lie close to a time they overlap. Lengths that double
        # from class to class make few classes, and few events are looked at in vain.
        classes: dict[int, list[int]] = {}
        for position, (start, _, end, _) in enumerate(spans):
            classes.setdefault((end - start).bit_length(), []).append(position)
        self._classes = [(1 << bits, array("q", [self._starts[each] for each in positions]),
                          array("q", positions)) for bits, positions in classes.items()]

    def __len__(self) -> int:
        return len(self._events)

    def during(self, start: int, end: int) -> Iterator[Event]:
        """The events that happen during ``[start, end)`` or at an instant, by start."""
        last = end if start < end else end + 1
        found = (self._of_class(longest, starts, positions, start, last)
                 for longest, starts, positions in self._classes)
        return (self._events[position] for position in merge(*found))

    def _of_class(self, longest: int, starts: array[int], positions: array[int], start: int,
                  last: int) -> Iterator[int]:
        for index in range(bisect_right(starts, start - longest), bisect_left(starts, last)):
            if minutes(self._events[positions[index]].end) > start:
                yield positions[index]

    def count(self, start: int, end: int) -> int:
        """How many events happen during ``[start, end)`` or at an instant."""
        begun = bisect_left(self._starts, end) if start < end else bisect_right(self._starts, end)
        return begun - bisect_right(self._ends, start)

    def after(self, time: int) -> Iterator[Event]:
        """The events that start after a time, by start."""
        return (self._events[position]
                for position in range(bisect_right(self._starts, time), len(self._events)))

    def coming(self, time: int) -> Iterator[Event]:
        """The events that are not over before a time, by start."""
        earliest = time - max((longest for longest, *_ in self._classes), default=0)
        for position in range(bisect_left(self._starts, earliest), len(self._events)):
            event = self._events[position]
            if self._starts[position] >= time or minutes(event.end) >= time:
                yield event

    def count_coming(self, time: int) -> int:
        """How many events are not over before a time."""
        return len(self._events) - bisect_left(self._ends, time)
