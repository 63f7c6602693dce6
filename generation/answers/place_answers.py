"""Answers to "where", "when" and "how long" in words."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from itertools import groupby

from frontdesk.generation.answers.answer_details import AnswerDetails
from frontdesk.generation.answers.answer_phrases import AnswerPhrases
from frontdesk.generation.answers.answer_times import (
    joined,
    last_day,
    only_day,
    say_free,
    say_slots,
)
from frontdesk.generation.answers.asked_sets import AskedSet, SetPhrases
from frontdesk.kg.english import phrases
from frontdesk.kg.english.phrases import Phrase
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.logical_forms import Form, Sort
from frontdesk.kg.graph.windows import Window, WindowKind, now_window
from frontdesk.kg.times.time_spans import written
from frontdesk.rules.engine.query_answer import AnswerItem

#: Queries for the beginning and the end of events.
_EDGES = {"starts": "starts", "start_time": "starts", "ends": "ends", "end_time": "ends"}
#: Places of so many entities are said at most; the rest is counted.
_MOST_PLACES = 5


class PlaceAnswers:
    """Words where entities are."""

    def __init__(self, said: AnswerPhrases) -> None:
        self.said, self.details = said, AnswerDetails(said)

    def sentence(self, items: Sequence[AnswerItem], state: str = "") -> str:
        """Where each entity is, as a sentence without an end; after that they are in some state.
        """
        by_entity: dict[str, list[AnswerItem]] = {}
        for each in items:
            by_entity.setdefault(each.of or str(each.value), []).append(each)
        said = [self._of(entity, found, state) for entity, found in
                list(by_entity.items())[:_MOST_PLACES]]
        more = len(by_entity) - len(said)
        return "; ".join([*said, *([f"and {more} more"] if more > 0 else [])])

    def moment(self, at: dt.datetime) -> str:
        """When something ends or begins: ``15:00``, ``Monday 23 March``, ``9:00 tomorrow``."""
        on = phrases.say_on(at.date(), self.said.today)
        if at.time() == dt.time():
            return on.removeprefix("on ")
        return phrases.say_time(at) + ("" if on == "today" else f" {on}")

    def edge(self, event: Event, *, end: bool) -> str:
        """When an event begins or ends: ``at 15:00``, ``on Monday 23 March at 09:00``; of one of
        whole days the first or the last day."""
        edge = event.end if end else event.start
        on = phrases.say_on(edge.date(), self.said.today)
        if event.all_day:
            midnight = end and edge.time() == dt.time()
            day = (edge - dt.timedelta(minutes=1) if midnight else edge).date()
            return phrases.say_on(day, self.said.today)
        return f"at {phrases.say_time(edge)}" if on == "today" or edge.date() == self.said.day \
            else f"{on} at {phrases.say_time(edge)}"

    def not_now(self, event: Event) -> str:
        """That an event is over, or has not begun."""
        who = self.said.phrase(event.id, past=False)
        if event.end <= self.said.now:
            return f"{who} ended {self.edge(event, end=True)}"
        return f"{who} {who.forms['has']} not begun: it starts " \
            f"{self.edge(event, end=False)}{self.details.rooms_of(event.id)}"

    def not_yet(self, forms: Iterable[Form]) -> str:
        """That the events have not begun of which it is asked what was so; empty for others."""
        meant = [self.said.kb.events[each] for form in forms for each in self.said.meant(form)
                 if each in self.said.kb.events]
        ahead = self.said.past and all(each.start > self.said.now for each in meant)
        return self.not_now(meant[0]) if meant and ahead else ""

    def _of(self, entity: str, items: Sequence[AnswerItem], state: str) -> str:
        event = self.said.kb.events.get(entity)
        past = self.said.is_past(Window(event.start, event.end)) if event else self.said.past
        who = self.said.phrase(entity, past=past)
        probably = "probably " if min(each.probability for each in items) < 0.9 \
            and not self.said.answer.unsure else ""
        be = f"{who} {who.forms['is']} {probably}{state}"
        value = items[0].value
        if event is not None:
            return f"{be}{self._rooms(items)}{self._event_time(event)}"
        if entity in self.said.kb.rooms:
            floor = value if isinstance(value, int) else self.details.value("floor", entity)
            return f"{be}on {phrases.say_floor(floor)}" if isinstance(floor, int) \
                else f"I don't know where {who} {who.forms['is']}"
        if entity in self.said.kb.groups:
            offices = self.said.listed([self.said.name(str(each.value)) for each in items])
            return f"the offices of {who} are {offices}"
        return self._somebody(who, be, items)

    def _somebody(self, who: Phrase, be: str, items: Sequence[AnswerItem]) -> str:
        """Where a person is: at an event, or else in their office."""
        item, time = items[0], self._time()
        at = self.details.attended(item)
        by_event: dict[Event | None, list[AnswerItem]] = {}
        for each in items:
            by_event.setdefault(self.details.attended(each), []).append(each)
        if len(by_event) > 1 and None not in by_event:  # at one after the other
            places = [f"{self._rooms(found)}, {self.details.at_event(event)}"
                      for event, found in by_event.items() if event is not None]
            return f"{time[0]}{be}{', and '.join(places)}"
        window = self.said.answer.window
        if at is not None and window is not None and window.kind is WindowKind.SPAN \
                and self.details.begins_later(at):
            on = phrases.say_on(window.date, self.said.today)
            return f"{'' if on == 'today' else f'{on} '}{be}{self._rooms(items)}, " \
                f"{self.details.at_event(at)}"
        if isinstance(item.value, str) and item.value in self.said.kb.events:
            said = self.details.at_event(self.said.kb.events[item.value])
            return f"{time[0]}{be}{said}, but I don't know in which room"
        if at is not None:
            return f"{time[0]}{be}{self._rooms(items)}{time[1]}, {self.details.at_event(at)}"
        if any(fact.predicate in ("office", "office_now") for fact in item.facts):
            whose = who.forms["their"] if self.said.says_pronoun(item.of) else "the"
            be = "have been" if self.said.past else "be"
            return f"{time[0]}{who} should {be} in {whose} office, " \
                f"{self._rooms(items).removeprefix('in ')}"
        return f"{time[0]}{be}{self._rooms(items)}{time[1]}"

    def _rooms(self, items: Sequence[AnswerItem]) -> str:
        rooms = [str(each.value) for each in items if isinstance(each.value, str)]
        if len(rooms) == 1:
            return self.details.room(rooms[0], items[0])
        if rooms:
            return f"in {phrases.say_list([self.said.name(each) for each in rooms])}"
        return f"on {phrases.say_floor(int(items[0].value))}" \
            if isinstance(items[0].value, int) else ""

    def _event_time(self, event: Event) -> str:
        """When an event is of which the place was asked, where the answer has that."""
        if self.details.value("takes_place", event.id) is None:
            return ""
        return f", {self.details.short_time(event)}"

    def _time(self) -> tuple[str, str]:
        """The time asked about, before and behind the place."""
        window = self.said.answer.window
        if window is None:
            return "", ""
        if window.kind is WindowKind.NOW:
            return "", " now"
        return f"{self.said.asked_time()} ", ""


class TimeAnswers:
    """Words when events are, when they start and end, and when people are free or back."""

    def __init__(self, said: AnswerPhrases) -> None:
        self.said, self.details, self.places = said, AnswerDetails(said), PlaceAnswers(said)

    def sentence(self, query: Form) -> str:
        """When, as a sentence without an end."""
        items = [each for each in self.said.answer.items if isinstance(each.value, Window)]
        inner = query.arguments[0] if query.arguments else None
        if isinstance(inner, Form) and inner.is_of(Sort.TIME):
            return self._of_time(inner, self.said.answer.window or now_window(self.said.now))
        if isinstance(inner, Form) and inner.head == "free":
            return self._free(items, tuple(
                each for each in inner.arguments[1:] if isinstance(each, Form)))
        if isinstance(inner, Form) and inner.head in ("present", "busy", "untrue"):
            return self._state(items, inner.head)
        if query.head in _EDGES:
            return self.edges(items, _EDGES[query.head])
        return self._occurrences(items)

    def _of_time(self, time: Form, window: Window) -> str:
        """Which hour it is, or which day the words for one mean."""
        date = phrases.say_date(window.date)
        words = next((each.text for each in time.spans()), "")
        if not words:
            return f"it is {phrases.say_time(window.start)} on {date}"
        if words == written(window):  # one of those that were told
            return f"it is {self.said.verbaliser.window(window)}"
        if window.kind is not WindowKind.DAY:
            return f"{words} is {self.said.verbaliser.window(window)}"
        weekday, _, rest = date.partition(" ")
        date = rest if weekday.casefold() in words.casefold() else date
        last = last_day(window)
        return f"{words} is {date}" if last == window.date else \
            f"{words} is from {date} to {phrases.say_date(last)}"

    def _free(self, items: Sequence[AnswerItem], times: tuple[Form, ...]) -> str:
        """The free time of each, or of all together."""
        said, window = [], self.said.answer.window
        relative = SetPhrases(AskedSet(), self.said, times).relative()
        time = self.said.asked_time() if not relative and window is not None \
            and window.kind in (WindowKind.DAY, WindowKind.PART) else ""
        day = only_day(window) if relative or time else None
        for entity, group in groupby(items, key=lambda each: each.of):
            slots = [each.value for each in group if isinstance(each.value, Window)]
            who = self.said.phrase(entity) if entity else self._all()
            both = "both " if not entity and len(self.said.answer.about) == 2 else ""
            said.append(f"{relative} {who} {who.forms['is']} {both}free ".lstrip()
                        + say_free(slots, time, day, self.said.now))
        return "; ".join(said)

    def nothing_free(self) -> str:
        """That there is no free time."""
        who = self._all()
        both = "never both " if len(self.said.answer.about) == 2 else "not "
        return f"{who} {who.forms['is']} {both}free {self.said.asked_time()}".strip()

    def _all(self) -> Phrase:
        return self.said.phrase_of(self.said.answer.about or ("nobody",))

    def _state(self, items: Sequence[AnswerItem], state: str) -> str:
        """From when on somebody is in, or when they are busy."""
        said = []
        for entity, group in groupby(items, key=lambda each: each.of):
            who = self.said.phrase(entity) if entity else self._all()
            slots = [each.value for each in group if isinstance(each.value, Window)]
            if state == "busy":
                days = [each for each in slots if only_day(each) is None]
                hours = joined([each for each in slots if each not in days])
                times = ([self._days(days)] if days else []) + (
                    [say_slots(hours, self.said.today, None)] if hours else [])
                said.append(f"{who} {who.forms['is']} busy {phrases.say_list(times)}")
            elif state == "untrue" or slots[0].kind is WindowKind.ALL_DAY:
                said.append(f"{who} {who.forms['is']} away {self._days(slots)}")
            elif slots[0].start <= self.said.now:
                away = f", and away {self._days(slots[1:])}" if slots[1:] else ""
                said.append(f"{who} {who.forms['is']} in now{away}")
            else:
                on = self.places.moment(slots[0].start)
                at = f"at {on}" if slots[0].start.time() != dt.time() else \
                    phrases.say_on(slots[0].start.date(), self.said.today)
                said.append(f"{who} {who.forms['is']} back {at}")
        return "; ".join(said)

    def _days(self, windows: Sequence[Window]) -> str:
        """Whole days: ``from Thursday 16 July to Friday 17 July``."""
        return self.said.listed([self.said.verbaliser.window(each).removeprefix("all day ")
                                 for each in windows])

    def edges(self, items: Sequence[AnswerItem], head: str) -> str:
        """When events start, or end, by which a query asks for it."""
        said = []
        for entity, group in groupby(items, key=lambda each: each.of):
            who = self.said.phrase(entity) if entity else self._all()
            moments = [self.places.edge(self.said.kb.events[each.of], end=head == "ends")
                       for each in group if each.of in self.said.kb.events]
            past = all(isinstance(each.value, Window) and (
                each.value.start if head == "starts" else each.value.end) < self.said.now
                       for each in items)
            verb = {"starts": "started", "ends": "ended"}[head] if past else head
            said.append(f"{who} {verb} {phrases.say_list(moments)}")
        return "; ".join(said)

    def _occurrences(self, items: Sequence[AnswerItem]) -> str:
        """When each event is; the days of one that recurs, with its hours once."""
        said = []
        for name, group in groupby(items, key=lambda each: self._title(each)):
            found = list(group)
            windows = [each.value for each in found if isinstance(each.value, Window)]
            past = all(map(self.said.is_past, windows))
            who = self.said.phrase(found[0].of, past=past) if found[0].of else self._all()
            del name
            said.append(f"{who} {who.forms['is']} {self._times(windows)}" + (
                self.details.rooms_of(found[0].of, found[0]) if len(found) == 1 else ""))
        return "; ".join(said)

    def _title(self, item: AnswerItem) -> str:
        return self.said.kb.entity(item.of).name if item.of in self.said.kb else item.of

    def _times(self, windows: Sequence[Window]) -> str:
        hours = {(each.start.time(), each.end.time()) for each in windows}
        if len(windows) > 1 and len(hours) == 1 and all(map(only_day, windows)):
            days = self.said.listed([phrases.say_on(each.date, self.said.today)
                                     for each in windows])
            return f"{days}, each {phrases.say_hours(windows[0].start, windows[0].end)}"
        return self.said.listed([self.said.verbaliser.window(each) for each in windows])
