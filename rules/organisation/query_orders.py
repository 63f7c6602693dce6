"""Which of a set an order picks: the first, the next, the longest, the busiest."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from frontdesk.kg.graph.logical_forms import Form
from frontdesk.kg.graph.timeline import minutes
from frontdesk.kg.graph.windows import Window
from frontdesk.rules.engine.query_times import coming_days
from frontdesk.rules.organisation.query_bounds import MissingError
from frontdesk.rules.organisation.query_calendar import QueryCalendar
from frontdesk.rules.organisation.query_numbers import LIKELY, Number, extremes
from frontdesk.rules.organisation.query_relations import minutes_of, size_of

#: An entity with its probability.
Member = tuple[str, float]
#: By an order that counts, the number of each entity.
Counts = Mapping[Form, Mapping[str, Number]]
NO_COUNTS: Counts = MappingProxyType({})
#: The one that is going on, else the next one, else the last one; the one that starts first.
PICK, FIRST = Form("pick"), Form("first")


def events_taken_by(calendar: QueryCalendar, entity_id: str, windows: Sequence[Window]
                    ) -> list[str]:
    """The events of some windows that take an entity's time; leave is none of them."""
    return calendar.told_apart(
        each for each in calendar.events(calendar.timelines(entity_id),
                                         windows or [coming_days(calendar.now)])
        if not calendar.is_away(calendar.kb.events[each]))


def measure(calendar: QueryCalendar, order: Form, entity_id: str, windows: Sequence[Window],
            counts: Counts = NO_COUNTS) -> int | None:
    """What an order goes by, the least first; None for what has no such thing.

    Args:
        order: Of an extreme, or ``(nth …)`` for the time.
        windows: The time, where it is about what takes time.
        counts: Of orders that count something else.
    """
    event = calendar.kb.events.get(entity_id)
    found: int | None
    if order in counts:
        number = counts[order].get(entity_id)
        found = None if number is None else number.value
    elif order.head in ("longest", "shortest"):
        found = minutes_of(calendar, entity_id)
    elif order.head in ("largest", "smallest"):
        found = size_of(calendar, entity_id)
    elif order.head in ("most", "fewest"):
        found = size_of(calendar, entity_id) if event is not None \
            else len(events_taken_by(calendar, entity_id, windows))
    elif event is None:
        found = None
    elif order.head in ("earliest_end", "latest_end"):
        found = minutes(event.end)
    else:
        found = minutes(event.start)
    descending = order.head in ("longest", "largest", "most", "latest_end", "previous") or (
        order.head == "nth" and _number(order) < 0)
    return -found if found is not None and descending else found


class Orders:
    """Puts sets in order.

    Args:
        windows, counts: See :func:`measure`.
    """

    def __init__(self, calendar: QueryCalendar, windows: Sequence[Window],
                 counts: Counts = NO_COUNTS) -> None:
        self.calendar, self.windows, self.counts = calendar, windows, counts
        self._now = minutes(calendar.now)

    def apply(self, orders: Sequence[Form], members: Sequence[Member], *, told: bool = False
              ) -> list[Member]:
        """What all orders pick, one after the other.

        Args:
            orders: At least one.
            members: Entities in the order in which they were offered.
            told: They were told in that order: the second of rooms is the second that was told.

        Raises:
            MissingError: None of them has what an order goes by.
        """
        # What is less probable is in no order with the others, unless all are.
        likely = [each for each in members if each[1] >= LIKELY] or list(members)
        for order in orders:
            if told and order.head == "nth" and not any(
                    each in self.calendar.kb.events for each, _ in likely):
                order = Form("one_of", order.arguments)
            if likely and order != PICK and order.head != "one_of" and not any(
                    self._has(order, each) for each, _ in likely):
                raise MissingError(order.head)  # "the next" office: what is next to it is not known
            likely = self._one(order, likely)
        return likely

    def _has(self, order: Form, entity_id: str) -> bool:
        return self._measure(order, entity_id) is not None

    def _measure(self, order: Form, entity_id: str) -> int | None:
        return measure(self.calendar, order, entity_id, self.windows, self.counts)

    def _one(self, order: Form, members: list[Member]) -> list[Member]:
        if order.head == "one_of":
            return _nth(members, _number(order))
        if order == PICK:
            kept = set(self.calendar.occurrence([each for each, _ in members]))
            return [each for each in members if each[0] in kept]
        if members and not any(self._has(order, each) for each, _ in members):
            raise MissingError(order.head)  # people are not one after the other
        if order.head == "next":
            members = self._events(members, lambda start, end: start > self._now)
        elif order.head == "previous":
            members = self._events(members, lambda start, end: end <= self._now)
        if order in self.counts:
            numbers = {each[0]: self.counts[order][each[0]] for each in members
                       if each[0] in self.counts[order]}
            found = extremes(numbers, most=order.head == "most")
            return [(each, probability * found[each]) for each, probability in members
                    if each in found]
        measured = [(value, member) for member in members if (
            value := self._measure(order, member[0])) is not None]
        least = min((value for value, _ in measured), default=0)
        number = abs(_number(order)) if order.head in ("nth", "next", "previous") else 1
        if number == 0 or number > len(measured):
            return []
        if order.head in ("nth", "next", "previous"):
            return _step(sorted(measured), number)
        return [member for value, member in measured if value == least]

    def _events(self, members: list[Member], within: Callable[[int, int], bool]) -> list[Member]:
        events = self.calendar.kb.events
        return [each for each in members if each[0] in events and within(
            minutes(events[each[0]].start), minutes(events[each[0]].end))]


def _step(measured: Sequence[tuple[int, Member]], number: int) -> list[Member]:
    """The nth by a measure; for the first all that share it."""
    chosen = measured[number - 1]
    same = [member for value, member in measured if value == chosen[0]]
    return same if number == 1 else [chosen[1]]


def _nth(members: Sequence[Member], number: int) -> list[Member]:
    place = number - 1 if number > 0 else len(members) + number
    return [members[place]] if number and 0 <= place < len(members) else []


def _number(order: Form) -> int:
    return next((each for each in order.arguments if isinstance(each, int)), 1)
