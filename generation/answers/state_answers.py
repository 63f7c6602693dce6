"""Whether people and rooms are free, busy or there, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from frontdesk.generation.answers.answer_details import AnswerDetails
from frontdesk.generation.answers.answer_phrases import (
    CERTAIN,
    POSSIBLE,
    AnswerPhrases,
    forms,
    go_on,
)
from frontdesk.generation.answers.answer_times import only_day, say_free, say_slots
from frontdesk.generation.answers.asked_sets import AskedSet, SetPhrases
from frontdesk.generation.answers.place_answers import PlaceAnswers
from frontdesk.kg.english.hedging import is_hedged
from frontdesk.kg.english.phrases import Phrase, say_on, say_time
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.logical_forms import Form, Span
from frontdesk.kg.graph.windows import Window, WindowKind
from frontdesk.rules.engine.query_answer import AnswerItem

#: From this probability on it is rather so than not; below the other it is rather not so.
_LIKELY, _UNLIKELY = 0.6, 0.4


def verdict(holds: float, yes: Callable[[], str], no: Callable[[], str]) -> str:
    """An answer that begins with Yes, No or how sure it is.

    Args:
        holds: P(yes), in [0, 1].
        yes, no: What is so in each case, as a sentence without an end; may be empty.
    """
    if holds >= CERTAIN:
        return ", ".join(filter(None, ("Yes", go_on(yes()))))
    if holds < POSSIBLE:
        return ", ".join(filter(None, ("No", go_on(no()))))
    word = "Probably yes" if holds >= _LIKELY else "Perhaps" if holds >= _UNLIKELY \
        else "Probably not"
    said = (no if holds < _UNLIKELY else yes)()
    if is_hedged(said):
        return said
    return f"{word}: {go_on(said)}" if said else word


def part(form: Form) -> Form:
    """The first form in another."""
    return next(iter(form.inner()), Form("-"))


class StateAnswers:
    """Words what is so of the time of people and rooms, in sentences without an end."""

    def __init__(self, said: AnswerPhrases) -> None:
        self.said, self.answer, self.details = said, said.answer, AnswerDetails(said)
        self.places = PlaceAnswers(said)

    def who(self, statement: Form) -> Phrase:
        """Of whom or what a statement is."""
        meant = self._meant(statement)
        return self.said.phrase_of(meant) if meant else \
            self.said.phrase(self.said.words(part(statement)))

    def _meant(self, statement: Form) -> Sequence[str]:
        """Of whom a statement is; of a description those whom the answer is about."""
        subject, kb = part(statement), self.said.kb
        about = [each for each in self.answer.about if each in kb
                 and kb.entity(each).type == subject.head]
        named = not subject.arguments or isinstance(subject.arguments[0], Span)
        return (self.said.meant(subject) if named or not about else []) or about

    def slots(self) -> list[Window]:
        """The times in the answer."""
        return [each.value for each in self.answer.items if isinstance(each.value, Window)]

    def is_free(self, statement: Form) -> str:
        """That they are free, and until when."""
        who, slots, window = self.who(statement), self.slots(), self.answer.window
        more = ""
        if len(slots) == 1 and window is not None and window.kind is not WindowKind.DAY \
                and window.end < slots[0].end and only_day(slots[0]):
            more = f", until {say_time(slots[0].end)}"
        both = "both " if len(self.said.meant(part(statement))) == 2 else ""
        if slots and any(each.head == "before" for each in statement.inner()):
            return f"{who} {who.forms['is']} free " \
                f"{say_slots(slots, self.said.today, self.said.day)}"
        return f"{who} {who.forms['is']} {both}free {self._time(statement)}".strip() + more

    def is_not_free(self, statement: Form) -> str:
        """What takes their time, and when they are free."""
        who, slots = self.who(statement), self.slots()
        busy = self._on_day(self._what_is_on(statement)) or \
            f"{who} {who.forms['is']} not free {self._time(statement)}".strip()
        if not slots:
            return busy
        return f"{busy}; free {say_slots(slots, self.said.today, self.said.day)}"

    def is_partly_free(self, statement: Form) -> str:
        """When they are free of a day on which they are not always, and what takes the rest;
        empty for other times."""
        slots, window = self.slots(), self.answer.window
        if window is None or not slots or self.answer.told >= CERTAIN \
                or window.kind not in (WindowKind.DAY, WindowKind.PART):
            return ""
        owners = list(dict.fromkeys(each.of for each in self.answer.items))
        said = []
        for owner in owners:
            who = self.said.phrase(owner) if owner else self.who(statement)
            own = [each.value for each in self.answer.items
                   if each.of == owner and isinstance(each.value, Window)]
            said.append(f"{who} {who.forms['is']} free " + say_free(
                own, self._time(statement), self.said.day, self.said.now))
        taken = self._what_is_on(statement)
        return f"Partly: {'; '.join([*said, *([taken] if taken else [])])}"

    def is_busy(self, statement: Form) -> str:
        """What takes their time."""
        who = self.who(statement)
        return self._on_day(self._what_is_on(statement)) or \
            f"{who} {who.forms['is']} busy {self._time(statement)}".strip()

    def is_not_busy(self, statement: Form) -> str:
        """That they are free; of several who is, and what takes the time of the others."""
        busy = {fact.arguments[0] for fact in self.details.facts()
                if fact.predicate.endswith("_busy")}
        free = [each for each in self._meant(statement) if each not in busy]
        if not busy or not free:
            return self._on_day(self._what_is_on(statement)) if busy else self.is_free(statement)
        who = self.said.phrase_of(free)
        return f"{who} {who.forms['is']} free {self._time(statement)}".strip() \
            + f"; {self._what_is_on(statement)}"

    def is_present(self, statement: Form) -> str:
        """That they are in, and where if the answer has that."""
        items = [each for each in self.answer.items if each.value in self.said.kb]
        who, meant = self.who(statement), self._meant(statement)
        if items and len(meant) == 1:
            return self.places.sentence([replace(each, of=each.of or meant[0])
                                         for each in items], "in: ")
        if self.answer.told < CERTAIN:  # it is presumed
            said = f"{who} {who.forms['is']} probably in {self._time(statement)}".strip()
            return f"{said}: nothing in the calendar says otherwise"
        return f"{who} {who.forms['is']} in {self._time(statement)}".strip()

    def is_away(self, statement: Form) -> str:
        """Until when they are away, not why; of several, of each who is."""
        who, events = self.who(statement), self._events()
        if len(self._meant(statement)) > 1 and events:
            return "; ".join(
                f"{one} {one.forms['is']} away until {self.places.moment(last.end)}"
                for each, last in self._absences() for one in [self.said.phrase(each)])
        back = min(self.slots(), default=None)
        end = back.start if back is not None else events[0].end if events else None
        if end is None:
            time = self._time(statement)
            return f"as far as I know {who} {who.forms['is']} not in {time}".strip()
        return f"{who} {who.forms['is']} away until {self.places.moment(end)}"

    def _absences(self) -> Iterator[tuple[str, Event]]:
        """By person what takes them away, the longest."""
        for fact in self.answer.reasons:
            days = [each for each in self.details.events_in([fact]) if each.all_day]
            if fact.predicate == "person_busy" and days:
                yield str(fact.arguments[0]), max(days, key=lambda each: each.end)

    def _events(self) -> list[Event]:
        return list(self.details.events_in([*self.answer.reasons, *(
            fact for item in self.answer.items for fact in item.facts)]))

    def _what_is_on(self, statement: Form) -> str:
        """The events that take the time of each; empty where the answer has none."""
        meant = self.said.meant(part(statement))
        busy = {str(fact.arguments[0]): list(self.details.events_in([fact]))
                for fact in self.details.facts() if fact.predicate.endswith("_busy")}
        if not busy and len(meant) == 1 and (events := self._events()):
            busy = {meant[0]: events}
        return "; ".join(self._is_on(each, events) for each, events in busy.items() if events)

    def _on_day(self, said: str) -> str:
        """What takes some time, with the day where that is another than today."""
        day = self.said.day
        on = "" if day is None or day == self.said.today else say_on(day, self.said.today)
        return f"{on} {said}" if said and on and on not in said else said

    def _is_on(self, entity: str, events: Sequence[Event]) -> str:
        """The events that take somebody's or a room's time."""
        window = self.answer.window
        if entity in self.said.kb.rooms:
            names, room = [self.said.name(each.id) for each in events], self.said.name(entity)
            be = forms("one" if len(events) == 1 else "several", past=self.said.past).forms["is"]
            if len(events) > 1:
                return f"{self.said.listed(names)} {be} in {room}"
            taken = f"{room} {be} taken {self.details.time_left(events[0])}"
            return taken.strip() + ("" if events[0].private else f" by {names[0]}")
        who = self.said.phrase(entity)
        if len(events) == 1 and window is not None \
                and window.kind not in (WindowKind.DAY, WindowKind.PART):
            return f"{who} {who.forms['is']} busy {self.details.time_left(events[0])}".strip() \
                + ("" if events[0].private else f", at {self.said.name(events[0].id)}")
        listed = self.said.listed([self.details.event(AnswerItem(each.id)) for each in events])
        return f"{who} {who.forms['has']} {listed}"

    def _time(self, statement: Form) -> str:
        times = tuple(each for each in statement.arguments[1:] if isinstance(each, Form))
        return SetPhrases(AskedSet(), self.said, times).time()
