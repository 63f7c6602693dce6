"""What is said beside the entities of an answer: when, where, how long, how many."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from frontdesk.generation.answers.answer_phrases import AnswerPhrases, templates
from frontdesk.generation.answers.answer_times import say_end
from frontdesk.kg.english import phrases
from frontdesk.kg.english.verbalise import event_window
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.facts import Argument, Fact
from frontdesk.kg.graph.logical_forms import Form
from frontdesk.rules.engine.query_answer import AnswerItem

#: Predicates whose last argument counts, or lists what is counted.
_COUNTS = {"group_size": "members", "event_size": "attendees", "members": "members",
           "attendees": "attendees", "person_events": "event", "room_events": "event",
           "group_events": "event"}
_ENDS = ("earliest_end", "latest_end")


class AnswerDetails:
    """Words what belongs to the entities of one answer, from its facts."""

    def __init__(self, said: AnswerPhrases) -> None:
        self.said, self.kb = said, said.kb

    def facts(self, item: AnswerItem | None = None) -> Iterator[Fact]:
        """The facts of a part of the answer, then those of the others and the reasons."""
        answer = self.said.answer
        if item is not None:
            yield from item.facts
        for each in answer.items:
            yield from each.facts
        yield from answer.reasons

    def value(self, predicate: str, subject: str, item: AnswerItem | None = None
              ) -> Argument | None:
        """What a fact of the answer says of an entity; None where none does."""
        return next((fact.arguments[1] for fact in self.facts(item) if len(fact.arguments) > 1
                     and fact.predicate == predicate and fact.arguments[0] == subject), None)

    def attended(self, item: AnswerItem) -> Event | None:
        """The event by which somebody is where they are."""
        if any(fact.predicate in ("office", "office_now") for fact in item.facts):
            return None
        return next(self.events_in(item.facts), None)

    def events_in(self, facts: Iterable[Fact]) -> Iterator[Event]:
        """The events that facts speak of, each once."""
        ids = dict.fromkeys(each for fact in facts for each in fact.entities())
        return (self.kb.events[each] for each in ids if each in self.kb.events)

    # --- places

    def room(self, room: str, item: AnswerItem | None = None) -> str:
        """A room with its floor where the answer has that: ``in Maple on the 1st floor``."""
        floor = self.value("floor", room, item)
        return f"in {self.said.name(room)}" + (
            f" on {phrases.say_floor(floor)}" if isinstance(floor, int) else "")

    def rooms_of(self, event: str, item: AnswerItem | None = None) -> str:
        """Where an event is, with a comma before it; empty where the answer does not have it."""
        rooms = self.value("location", event, item)
        if rooms in self.said.just_said:
            return ""
        if isinstance(rooms, str):
            return f", {self.room(rooms, item)}"
        if isinstance(rooms, tuple):
            return f", in {phrases.say_list([self.said.name(str(each)) for each in rooms])}"
        return ""

    # --- events

    def event(self, item: AnswerItem) -> str:
        """An event with its time: ``the standup from 09:00 to 09:15``."""
        event = self.kb.events[str(item.value)]
        return f"{self._name(event)} {self.said.when(event)}"

    def event_and_room(self, item: AnswerItem, comma: str = " ") -> str:
        """An event with its time and its room."""
        event = self.kb.events[str(item.value)]
        return f"{self._name(event)}{comma}{self.said.when(event)}" \
            f"{self.rooms_of(event.id, item)}"

    def events(self, items: Iterable[AnswerItem]) -> str:
        """Events with their times; a single one with its room."""
        items = list(items)
        if len(items) == 1:
            return self.event_and_room(items[0])
        return self.said.listed([self.event(each) for each in items])

    def full_time(self, event: Event) -> str:
        """When an event is, with the day."""
        return self.said.verbaliser.window(event_window(event)).replace("all day from", "from")

    def short_time(self, event: Event) -> str:
        """When an event is, without the day where that is today or was asked about."""
        return self.full_time(event).removeprefix("today ")

    def until(self, event: Event) -> str:
        """``until 12:00``; empty where it takes no time."""
        if event.start == event.end:
            return ""
        day = self.said.day or self.said.today
        return f"until {say_end(event.end, day, self.said.today)}"

    def begins_later(self, event: Event) -> bool:
        """Whether an event begins after the beginning of the time that was asked about."""
        window = self.said.answer.window
        return event.start > (self.said.now if window is None else window.start)

    def at_event(self, event: Event) -> str:
        """``at the standup until 09:15``, or from when on if it is not on at first; of a private
        one only that it takes time."""
        if event.private:
            return f"busy {self.time_left(event)}".strip()
        return f"at {self._name(event)} {self.time_left(event)}".strip()

    def time_left(self, event: Event) -> str:
        """Until when an event is, with when it begins if it is over or not on at first."""
        return self.said.when(event) if self.said.past or self.begins_later(event) \
            else self.until(event)

    def _name(self, event: Event) -> str:
        return self.said.name(event.id)

    # --- numbers

    def measured(self, entity: str, order: Form) -> str:
        """What counts in an order: ``2 hours``, ``6 meetings``; empty where it is not known."""
        event = self.kb.events.get(entity)
        if event is not None and order.head in ("nth", "next", "previous"):
            return self.said.verbaliser.window(event_window(event)).removeprefix("today ")
        if event is not None and order.head in _ENDS:
            return f"at {phrases.say_time(event.end)} " \
                f"{phrases.say_on(event.end.date(), self.said.today)}".removesuffix(" today")
        if event is not None and order.head in ("longest", "shortest"):
            return phrases.say_minutes(int((event.end - event.start).total_seconds() // 60))
        return self.counted(entity, order)

    def counted(self, entity: str, order: Form) -> str:
        """How much or how many, by a number of the answer or a fact that counts."""
        for item in self.said.answer.items:
            if isinstance(item.value, int) and item.of == entity:
                return self._number(item.value, order, entity)
            if item.number is not None and item.value == entity:
                return self._number(item.number, order, entity)
        for fact in self.facts():
            if fact.predicate in _COUNTS and fact.arguments[0] == entity:
                last = fact.arguments[-1]
                number = len(last) + fact.omitted if isinstance(last, tuple) else last
                if isinstance(number, int):
                    return _count(number, _COUNTS[fact.predicate])
        return ""

    def _number(self, number: int, order: Form, entity: str) -> str:
        if order.head in ("largest", "smallest"):
            return _count(number, "members" if entity in self.kb.groups else "attendees")
        if order.head in ("most", "fewest") and order.arguments:
            return _count(number, order.inner()[0].head)
        if order.head in ("most", "fewest"):
            return _count(number, "attendees" if entity in self.kb.events else "event")
        return phrases.say_minutes(number)


def _count(number: int, noun: str) -> str:
    if noun in templates()["nouns"]:
        return phrases.say_count(number, *templates()["nouns"][noun])
    return phrases.say_count(number, noun.removesuffix("s"))
