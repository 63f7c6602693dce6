"""Sets and statements of queries, evaluated naively: every possible world, every entity."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import product

from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.logical_forms import CORE, Form, Sort
from frontdesk.kg.graph.windows import Window
from frontdesk.rules.engine.query_answer import Resolution

#: What references and times mean in a world, and who comes to which event.
Meant = Mapping[Form, str | Window]
MINUTE = dt.timedelta(minutes=1)


def worlds(kb: KnowledgeBase, form: Form, resolution: Resolution
           ) -> Iterator[tuple[float, Meant, frozenset[tuple[str, str]]]]:
    """All possible worlds with their probabilities."""
    parts = list(dict.fromkeys(form.walk()))
    drawn = [each for each in parts if each in resolution.entities or each in resolution.windows]
    choices = []
    for each in drawn:
        options = [(value, weight) for value, weight in (
            resolution.entities.get(each) or resolution.windows[each])]
        rest = 1.0 - sum(weight for _, weight in options)
        choices.append([*options, *([("", rest)] if rest > 1e-9 else [])])
    maybe = [(event.id, person, chance) for event in kb.events.values()
             for person, chance in event.attendance]
    for meant in product(*choices):
        for coming in product((True, False), repeat=len(maybe)):
            probability = 1.0
            for _, weight in meant:
                probability *= weight
            for comes, (_, _, chance) in zip(coming, maybe, strict=True):
                probability *= chance if comes else 1.0 - chance
            absent = frozenset((event, person) for comes, (event, person, _) in zip(
                coming, maybe, strict=True) if not comes)
            yield probability, dict(zip(drawn, (value for value, _ in meant), strict=True)), absent


def members(kb: KnowledgeBase, form: Form, resolution: Resolution) -> dict[str, float]:
    """The probabilities of what can be in a set."""
    found: dict[str, float] = defaultdict(float)
    for probability, meant, absent in worlds(kb, form, resolution):
        for each in World(kb, resolution.now, meant, absent).of(form, []):
            found[each] += probability
    return {each: total for each, total in found.items() if total > 1e-9}


def stated(kb: KnowledgeBase, form: Form, resolution: Resolution) -> float:
    """The probability of a statement."""
    return sum(probability for probability, meant, absent in worlds(kb, form, resolution)
               if World(kb, resolution.now, meant, absent).so(form))


class World:
    """One possible world."""

    def __init__(self, kb: KnowledgeBase, now: dt.datetime, meant: Meant,
                 absent: frozenset[tuple[str, str]]) -> None:
        self.kb, self.now, self.meant, self.absent = kb, now, meant, absent
        today = now.replace(hour=0, minute=0)
        self.week = (today, today + dt.timedelta(days=7))

    def comes(self, person: str, event: Event) -> bool:
        return person in event.participants() and (event.id, person) not in self.absent

    def events(self, owner: str, window: tuple[dt.datetime, dt.datetime]) -> list[Event]:
        return [event for event in self.kb.events.values() if overlaps(event, window) and (
            owner in event.rooms or owner == event.group or any(
                self.comes(each, event) for each in (
                    owner, *(person.id for person in self.kb.members(owner)))))]

    # --- sets

    def of(self, form: Form, context: list[Form]) -> set[str]:
        if form.head in ("or", "and"):
            return set().union(*(self.of(each, context) for each in form.arguments))
        forms = [each for each in form.arguments if isinstance(each, Form)]
        times = [each for each in forms if each.head in CORE and CORE[each.head].sort is Sort.TIME]
        orders = [each for each in forms
                  if each.head in CORE and CORE[each.head].sort is Sort.ORDER]
        conditions = [each for each in forms if each not in times and each not in orders]
        if form in self.meant:
            base = {self.meant[form]} - {""}
        elif form.head == "among":
            base = self.of(forms[0], context)
            conditions = conditions[1:]
        else:
            base = {"person": set(self.kb.people), "group": set(self.kb.groups),
                    "room": {room.id for room in self.kb.bookable_rooms()},
                    "event": set(self.kb.events)}[form.head]
        if form.head == "event" and form not in self.meant:
            base = {each for each in base if self.during(self.kb.events[each], times or context)}
            if orders or not any(each.head == "attends" for each in conditions):
                base = {each for each in base if not away(self.kb.events[each])}
        found = {each for each in base if all(
            self.holds(each, condition, times or context) for condition in conditions
            if not overlapping(condition))}
        found = {each for each in found if all(
            self.holds(each, condition, times or context, frozenset(found))
            for condition in conditions if overlapping(condition))}
        for order in orders:
            found = self.picked(found, order)
        return found

    def picked(self, found: set[str], order: Form) -> set[str]:
        """What an order picks among events; those that are first together are all first."""
        if order.head in ("most", "fewest"):
            numbers = {each: self.number(each, order) for each in found}
            extreme = (max if order.head == "most" else min)(numbers.values(), default=0)
            return {each for each, number in numbers.items() if number == extreme and (
                extreme or order.head == "fewest")}
        number = next(iter(order.arguments), 1)
        events = [self.kb.events[each] for each in found if order.head in ("nth", "longest")
                  or self.kb.events[each].start > self.now]
        if order.head == "longest":
            most = max((event.end - event.start for event in events), default=None)
            return {event.id for event in events if event.end - event.start == most}
        events.sort(key=lambda event: (event.start, event.id), reverse=number < 0)
        if number in (1, -1):
            return {event.id for event in events if event.start == events[0].start}
        return {event.id for event in events[abs(number) - 1:abs(number)]}

    def number(self, each: str, order: Form) -> int:
        """How many of what an order counts have to do with one."""
        what = next(part for part in order.arguments if isinstance(part, Form))
        about = next(part for part in what.arguments if isinstance(part, Form)
                     and Form("each") in part.arguments)
        rest = Form(what.head, tuple(part for part in what.arguments if part != about))
        return sum(self.related(about.head, each, other) for other in self.of(rest, []))

    def during(self, event: Event, times: list[Form]) -> bool:
        if not times:
            return overlaps(event, self.week)
        return all(overlaps(event, self.span(time)) if time.head in ("at", "now", "until", "before")
                   else self.span(time)[0] <= event.start < self.span(time)[1] for time in times)

    def span(self, time: Form) -> tuple[dt.datetime, dt.datetime]:
        if time.head == "now":
            return self.now, self.now
        window = self.meant.get(time)
        if isinstance(window, Window):
            start, end = window.start, window.end
        else:
            event = self.kb.events[next(iter(self.of(time.arguments[0], [])))]
            start, end = event.start, event.end
        day = start.replace(hour=0, minute=0)
        if time.head == "before":
            return day, start
        if time.head == "after":
            return end, day + dt.timedelta(days=1)
        return start, end

    # --- conditions

    def holds(self, each: str, form: Form, context: list[Form],
              of: frozenset[str] = frozenset()) -> bool:
        forms = [one for one in form.arguments if isinstance(one, Form)]
        if form.head == "not" and forms[0].head == "is_present":  # away, not just unknown
            return any(map(away, self.events(each, self.asked(forms[0], context))))
        if form.head == "not":
            return not all(self.holds(each, one, context, of) or self.unknown(each, one)
                           for one in forms)
        if form.head == "except":
            return not any(each in self.of(one, []) for one in forms)
        if form.head == "clashes":
            given = [one for one in forms if one.head not in CORE or CORE[
                one.head].sort is not Sort.TIME]
            times = [one for one in forms if one not in given] or context
            return self.clashes(each, of, given[0] if given else None, times)
        if form.head in ("starting", "ending"):
            return self.has_edge(self.kb.events[each], form.head, forms[0])
        if form.head in ("is_free", "is_busy", "is_present"):
            return self.state(each, form.head, self.asked(form, context))
        others = self.others(form.head, forms[0], context) if forms else set()
        found = [self.related(form.head, each, other) for other in others]
        every = bool(forms) and forms[0].head == "and"
        return bool(found) and (all(found) if every else any(found))

    def has_edge(self, event: Event, head: str, time: Form) -> bool:
        """Whether an event starts or ends at a time of its own day."""
        starts = head == "starting"
        moment = event.start if starts else event.end
        window = self.meant.get(time)
        low = high = self.now
        if isinstance(window, Window):
            day = (moment if starts else moment - MINUTE).date()
            shift = day - window.date if window.end - window.start < dt.timedelta(days=1) \
                else dt.timedelta()
            low, high = window.start + shift, window.end + shift
        if time.head == "before":
            return moment < low if starts else moment <= low
        if time.head == "after":
            return moment >= high if starts and low < high else moment > high
        if starts or low == high:
            return low <= moment < max(high, low + MINUTE)
        return low < moment <= high

    # --- what overlaps

    def clashes(self, each: str, of: frozenset[str], given: Form | None, times: list[Form], *,
                alone: bool = False, at_all: bool = False) -> bool:
        """Whether an event, or one of somebody's, overlaps with another: with one of those given,
        else of the same set, or with any if it is spoken of ``alone``; of the same people, rooms or
        groups if not ``at_all``."""
        spans = [self.span(one) for one in times]
        own = self.own(each)
        others = own if each not in self.kb.events else [
            one for one in self.kb.events.values() if alone or one.id in of]
        if given is not None:
            others = [event for one in self.of(given, []) for event in self.own(one)]
        return any(
            one != other and one.start < other.end and other.start < one.end
            and all(overlaps(event, span) for event in (one, other) for span in spans)
            and (at_all or given is not None or self.share(each, one, other))
            for one in own for other in others)

    def own(self, each: str) -> list[Event]:
        """An event, or those of the week that take somebody's time."""
        return [self.kb.events[each]] if each in self.kb.events else self.events(each, self.week)

    def share(self, of: str, one: Event, other: Event) -> bool:
        """Whether two events take the time of one: of those of a group a member's, or its own."""
        if of in self.kb.people or of in self.kb.rooms:
            return True
        group = of if of in self.kb.groups else one.group
        people = self.kb.people if of in self.kb.events else [
            each.id for each in self.kb.members(of)]
        return (group is not None and one.group == other.group == group) or any(
            self.comes(each, one) and self.comes(each, other) for each in people) or (
            of in self.kb.events and not set(one.rooms).isdisjoint(other.rooms))

    def unknown(self, each: str, form: Form) -> bool:
        """Whether it is not known of a person in which office or group they are, or are not."""
        if form.head == "not":
            return any(self.unknown(each, one) for one in form.arguments if isinstance(one, Form))
        person, attribute = self.kb.people.get(each), {
            "office": "office", "member_of": "group"}.get(form.head)
        return person is not None and attribute is not None and not getattr(person, attribute)

    def others(self, head: str, form: Form, context: list[Form]) -> set[str]:
        """What a relation is to; of rooms that are somebody's also those that cannot be booked."""
        found = self.of(form, context)
        if head == "attends" and context:  # what is attended at a time is at that time
            found = {each for each in found if each not in self.kb.events
                     or self.during(self.kb.events[each], context)}
        if form.head != "room" or form in self.meant or head not in ("office", "location"):
            return found
        offices = {room for room in self.kb.rooms if self.kb.office_owners(room) and all(
            self.holds(room, each, context) for each in form.arguments if isinstance(each, Form))}
        return offices if head == "office" else found | offices

    def asked(self, form: Form, context: list[Form]) -> tuple[dt.datetime, dt.datetime]:
        times = [one for one in form.arguments if isinstance(one, Form)] or context
        spans = [self.span(one) for one in times] or [(self.now, self.now)]
        return max(low for low, _ in spans), min(high for _, high in spans)

    def state(self, each: str, head: str, span: tuple[dt.datetime, dt.datetime]) -> bool:
        events = self.events(each, span)
        if head != "is_present":
            return bool(events) == (head == "is_busy")
        person = self.kb.people.get(each)
        return person is not None and not any(map(away, events)) and (
            bool(events) or (person.office is not None and working(span)))

    def related(self, head: str, one: str, other: str) -> bool:
        kb = self.kb
        for a, b in ((one, other), (other, one)):
            event, person = kb.events.get(b), kb.people.get(a)
            if head == "attends" and event is not None:
                if person is not None and self.comes(a, event):
                    return True
                if a in kb.groups and (event.group == a or any(
                        self.comes(each.id, event) for each in kb.members(a))):
                    return True
            if head == "organizer" and event is not None and event.organizer == a:
                return True
            if head == "held_by" and event is not None and event.group == a:
                return True
            if head == "location" and event is not None and a in event.rooms:
                return True
            if head == "member_of" and person is not None and person.group == b:
                return True
            if head == "office" and person is not None and person.office == b:
                return True
        return False

    # --- statements

    def so(self, form: Form) -> bool:
        forms = [each for each in form.arguments if isinstance(each, Form)]
        if form.head == "untrue":
            return not self.so(forms[0])
        if form.head == "both":
            return all(map(self.so, forms))
        if form.head == "clash":
            times = [each for each in forms if each.head in CORE
                     and CORE[each.head].sort is Sort.TIME]
            subjects = self.of(forms[0], times)
            given = next((each for each in forms[1:] if each not in times), None)
            found = [self.clashes(
                each, frozenset(subjects), given, times, alone=forms[0] in self.meant,
                at_all=forms[0].head in ("or", "and")) for each in subjects]
            return bool(found) and (all(found) if forms[0].head == "and" and not subjects
                                    & self.kb.events.keys() else any(found))
        subjects = self.of(forms[0], [])
        if form.head == "is":
            return any(self.has_edge(self.kb.events[each], one.head, time) for each in subjects
                       for one in forms[1].arguments if isinstance(one, Form)
                       for time in one.arguments if isinstance(time, Form))
        if form.head == "there":
            return bool(subjects)
        states = {"free": "is_free", "busy": "is_busy", "present": "is_present"}
        condition = Form(states.get(form.head, form.head), form.arguments[1:])
        found = [self.holds(each, condition, []) for each in subjects]
        return bool(found) and (all(found) if forms[0].head == "and" else any(found))


def overlapping(condition: Form) -> bool:
    """Whether a condition is on what overlaps."""
    return any(each.head == "clashes" for each in condition.walk())


def overlaps(event: Event, span: tuple[dt.datetime, dt.datetime]) -> bool:
    """As commonsense.pl: an instant takes up its minute."""
    start, end = span
    return event.start < max(end, start + MINUTE) and start < event.end


def working(span: tuple[dt.datetime, dt.datetime]) -> bool:
    """Some of it is from eight to six on a Monday to Friday."""
    start, end = span
    return any(moment.weekday() < 5 and 8 <= moment.hour < 18 for moment in (
        start + MINUTE * number for number in range(max(1, (end - start) // MINUTE))))


def away(event: Event) -> bool:
    """A whole day that takes no room."""
    return event.all_day and bool(event.participants()) and not event.rooms
