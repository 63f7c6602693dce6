"""Answers to "which", "is there" and "how many" in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from frontdesk.generation.answers.answer_details import AnswerDetails
from frontdesk.generation.answers.answer_phrases import (
    ANAPHORS,
    CERTAIN,
    MOST_NAMES,
    POSSIBLE,
    AnswerPhrases,
    go_on,
    templates,
)
from frontdesk.generation.answers.answer_times import only_day, say_slots
from frontdesk.generation.answers.asked_sets import (
    EDGES,
    SetPhrases,
    number_word,
    order_word,
    read_set,
)
from frontdesk.generation.answers.counted_answers import CountedAnswers, is_counted, is_likely
from frontdesk.generation.answers.overlaps import overlapping
from frontdesk.generation.answers.place_answers import PlaceAnswers
from frontdesk.kg.english.phrases import say_on
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.facts import Fact
from frontdesk.kg.graph.logical_forms import Form
from frontdesk.kg.graph.windows import Window, WindowKind
from frontdesk.rules.engine.query_answer import AnswerItem
from frontdesk.rules.engine.query_times import AHEAD


class SetAnswers:
    """Words the entities of a set, or that there are none."""

    def __init__(self, said: AnswerPhrases, form: Form, times: Sequence[Form] = ()) -> None:
        self.said, self.details = said, AnswerDetails(said)
        asked = read_set(form)
        if not asked.kind or form.head == "thing":
            asked = replace(asked, kind=self._kind())
        self.asked = asked
        self.words = SetPhrases(asked, said, times)
        self.counted = CountedAnswers(said, asked, self.words)

    def which(self) -> str:
        """The entities, as a sentence without an end; that there are none where there are not."""
        sure, rest = self.by_certainty()
        if not sure and not rest:
            return self.none()
        if not sure:
            return f"{'probably' if is_likely(rest) else 'perhaps'} {go_on(self._sentence(rest))}"
        if not rest:
            return self._sentence(sure)
        hedge, main = "probably" if is_likely(rest) else "perhaps", self.asked.main
        if main is not None and main.head == "not":
            return f"{self._sentence(sure)}; {hedge} {self._sentence(rest)}"
        return f"{self._sentence(sure)}, and {hedge} {self._listed(rest)}"

    def count(self) -> str:
        """Their number and who they are."""
        sure, rest = self.by_certainty()
        if any(each.of for each in (*sure, *rest)):
            return self.counted.numbers(sure, rest)
        numbers = [each.value for each in sure if isinstance(each.value, int)]
        if len(numbers) == 1:
            return number_word(numbers[0]) if numbers[0] else self.none()
        if not sure:
            return self.which()
        more = f", and {'probably' if is_likely(rest) else 'perhaps'} {self._listed(rest)}" \
            if rest else ""
        if len(sure) > MOST_NAMES:
            return f"{len(sure)} {self._noun_of(sure)}{more}".strip()
        on = self._ahead() if self.said.day in (None, self.said.today) else self.words.time()
        return f"{number_word(len(sure))} {on}".strip() + f": {self._listed(sure)}{more}"

    def _ahead(self) -> str:
        """How far ahead events were looked for of which no time is said."""
        asked = self.asked
        told = asked.name or asked.among or asked.order or self.words.times \
            or self.said.answer.window or any(each.head == "like" for each in asked.conditions)
        return f"in the next {number_word(AHEAD.days)} days" \
            if asked.kind == "event" and not told else ""

    def none(self) -> str:
        """That there are none, and what was looked for; that there are only those who are not asked
        about."""
        if self.said.answer.only:
            return self._only(self.said.answer.only)
        if not_yet := PlaceAnswers(self.said).not_yet(
                part for each in self.asked.conditions for part in each.inner()):
            return not_yet
        if self.asked.kind == "day":
            return self.counted.days([])
        if self.asked.order is not None and self.asked.order.arguments \
                and self.asked.order.head in ("most", "fewest"):
            return self.counted.nobody(self.asked.order)
        if self.asked.kind == "slot":
            return f"there is no time {self.words.time()}".strip()
        if self.words.given() and self.asked.kind in ("room", "group"):
            subject = self.said.phrase(self.words.given())
            return str(templates()["unknown"][self.asked.conditions[0].head]).format(subject)
        if self.asked.kind != "event" or self.asked.among:
            return self.words.nobody()
        return self._no_events()

    def _only(self, items: Sequence[AnswerItem]) -> str:
        """That there are no others; after a long list, of which the first were told, who they
        are."""
        names = [self.said.phrase(str(each.value)).text for each in items]
        if self.said.is_cut(names) and Form("except", (Form("answers"),)) in \
                self.said.answer.query.walk():
            listed = f"also {self.said.rest(names)}"
        else:
            listed = f"only {self.said.listed(names)}"
        if all(self._event(each) is not None for each in items):
            return self._framed("one", len(items), list=listed)
        subject = self.said.phrase_of([str(each.value) for each in items])
        return f"{listed} {self.words.predicate(subject)}".strip()

    def by_certainty(self) -> tuple[list[AnswerItem], list[AnswerItem]]:
        """The parts of the answer to be said flatly, and those that are only possible."""
        items = [each for each in self.said.answer.items
                 if not isinstance(each.value, Window) or self.asked.kind in ("slot", "day")]
        answer = self.said.answer
        if answer.unsure or answer.told >= CERTAIN > (answer.holds or 0.0):
            return items, []  # they are right of what was taken
        return ([each for each in items if each.probability >= CERTAIN],
                [each for each in items if each.probability < CERTAIN and (
                    each.probability >= POSSIBLE or is_counted(each))])

    # --- sentences

    def _sentence(self, items: Sequence[AnswerItem]) -> str:
        if self.asked.kind == "day":
            return self.counted.days(items)
        if all(isinstance(each.value, Window) for each in items):
            return say_slots([each.value for each in items if isinstance(each.value, Window)],
                             self.said.today, None)
        if self.asked.order is not None:
            return self._ordered(items, self.asked.order)
        if all(self._event(each) is not None for each in items):
            return self._events(items)
        if (fact := self._inverse(items)) is not None:
            return self.said.fact(fact).removesuffix(".")
        subject = self.said.phrase_of([str(each.value) for each in items])
        predicate = self.words.predicate(subject)
        if self.asked.main is not None and self.asked.main.head == "related":
            return f"that is {subject}"
        if predicate:
            return f"{self._listed(items)} {predicate}{self._clashes(items)}"
        return self._plain(items)

    def _clashes(self, items: Sequence[AnswerItem]) -> str:
        """By what events somebody is double booked who is asked for; empty for others."""
        asked = any(each.head == "clashes" for each in self.asked.conditions)
        found = overlapping(self.details, items) if asked else ""
        return f": {found}" if found else ""

    def _inverse(self, items: Sequence[AnswerItem]) -> Fact | None:
        """What the condition says of the other side: a room is where an event is."""
        given = self.words.given()
        return self.said.relation(self.asked.conditions[0].head, given, [
            str(each.value) for each in items]) if given and len(items) == 1 else None

    def _plain(self, items: Sequence[AnswerItem]) -> str:
        """Entities of which only their type or nothing was asked."""
        noun = self._noun_of(items)
        if len(items) == 1 or not noun or self.asked.among or self.asked.name:
            return self._listed(items)
        return f"there are {number_word(len(items))} {noun}: {self._listed(items)}"

    def _events(self, items: Sequence[AnswerItem]) -> str:
        if self.asked.name or self.asked.among or not self.asked.kind:
            return self._listed(items)
        if len(items) == 1:
            return self._one_event(items[0], self.said.kb.events[str(items[0].value)])
        noun = " ".join([number_word(len(items)), self._noun(items), *self.words.modifiers()])
        relative = self.words.relative()
        said = self._framed("some", len(items), events=noun, list=self._listed(items),
                            **({"time": ""} if relative else {}))
        return f"{relative} {go_on(said)}" if relative else said

    def _one_event(self, item: AnswerItem, event: Event) -> str:
        window, name, where = self.said.answer.window, self.said.name(event.id), self._where(item)
        relative, when = self.words.relative(), self.said.when(event)
        if relative:
            return f"{relative} {go_on(self._framed('one', 1, list=name, time=''))}, {when}{where}"
        if window is not None and window.kind in (WindowKind.NOW, WindowKind.INSTANT):
            time = "" if window.kind is WindowKind.NOW else self.words.time()
            return self._framed("then", 1, list=name, time=time,
                                until=self.details.until(event)) + where
        time = self.words.time()
        if window is not None and when.startswith(("from", "at")) and "from" not in time.split():
            when = f"{time} {when}"
        return self._framed("one", 1, list=name, time=when) + where

    def _where(self, item: AnswerItem) -> str:
        """The room of an event where that was not asked about."""
        return "" if self.words.frame() == "location" else \
            self.details.rooms_of(str(item.value), item)

    def _framed(self, name: str, number: int, **parts: str) -> str:
        """Events in a sentence of ``events``: what somebody has, what is on in a room."""
        frame = templates()["events"][self.words.frame()][name]
        time = self.words.time()
        planned = "planned" if time.startswith("on ") else "on"
        return _tidy(frame.format(self.words.owners(), **{
            "time": time, "planned": planned, **_be(number, past=self.said.past), **parts}))

    def _ordered(self, items: Sequence[AnswerItem], order: Form) -> str:
        """Which is the first, the longest, the busiest."""
        kinds = [str(self.said.kb.entity(str(each.value)).type) for each in items
                 if each.value in self.said.kb]
        if not kinds or order.head == "one_of" or (order.head == "nth" and kinds[0] != "event"):
            return self._listed(items)
        if items[0].number is not None:
            return self.counted.first(items, order)
        if len(self._pair()) == 2 and (compared := self._compared(str(items[0].value), order)):
            return compared
        events = kinds[0] == "event"
        noun = self._noun(items) if events else templates()["nouns"][kinds[0]][len(items) > 1]
        beside = [] if not events and self.asked.main is None else self.words.modifiers()
        listed = f"{self._event_text(items[0])}{self._where(items[0])}" \
            if events and len(items) == 1 else self._listed(items)
        if order.head.endswith("_end"):
            beside.insert(0, "to end")
        said = self._framed("ordered", len(items), order=order_word(order), list=listed,
                            noun=" ".join([noun, *beside]))
        measured = "" if events else self.details.measured(str(items[0].value), order)
        each = " each" if len(items) > 1 else ""
        return f"{said}, with {measured}{each}" if measured else said

    def _event_text(self, item: AnswerItem) -> str:
        event = self.said.kb.events[str(item.value)]
        return f"{self.said.name(event.id)}, {self.said.when(event)}"

    def _pair(self) -> list[str]:
        """The entities among which one is sought, where the question names them."""
        forms = [part for each in self.asked.among for part in (
            each.arguments if each.head in ("or", "and") else (each,)) if isinstance(part, Form)]
        return list(dict.fromkeys(id_ for each in forms for id_ in self.said.meant(each)))

    def _compared(self, first: str, order: Form) -> str:
        """How one of two compares with the other; empty where the other is not known."""
        others = [each for each in self._pair() if each != first]
        return compare(self.details, first, others[0], order, self.words.time()) \
            if len(others) == 1 else ""

    def _no_events(self) -> str:
        time = self.words.time()
        if self.words.relative() and (day := only_day(self.said.answer.window)) is not None:
            time = f"{time} {say_on(day, self.said.today)}"
        if self.asked.name:
            meant = [each for each in self.said.answer.about if each in self.said.kb.events]
            if meant and time:
                subject = self.said.phrase(meant[0])
                when = self.details.full_time(self.said.kb.events[meant[0]])
                really = "" if self.details.value("takes_place", meant[0]) is None \
                    else f" but {when}"
                return f"{subject} {subject.forms['is']} not {time}{really}"
            return f"there is no meeting called “{self.asked.name}” {time}".strip()
        order = self.asked.order.head if self.asked.order is not None \
            and not self.words.times else ""
        name = f"{order}_none" if order in ("next", "previous") else "none"
        owner = self.words.owner()
        together = owner is not None and any(
            isinstance(each, Form) and (each.head == "and" or (
                each.head in (*ANAPHORS, "us") and len(self.said.meant(each)) > 1))
            for each in owner.arguments)
        ahead = {} if order or time or not (found := self._ahead()) else {
            "time": found, "planned": "planned"}
        if not ahead and any(each.head in EDGES for each in self.asked.conditions):
            ahead = {"planned": ""}  # nothing ending at noon, not: nothing ending at noon on
        return self._framed(name, 1, **{
            "beside": " ".join(self.words.modifiers()), "time": time,
            "together": "together" if together else "", **ahead})

    # --- pieces

    def _listed(self, items: Sequence[AnswerItem]) -> str:
        if self.asked.kind == "day":
            return self.counted.dates(items)
        if items and all(self._event(each) is not None for each in items):
            return self.details.events(items)
        values = [each.value for each in items]
        return self.said.listed([self.said.phrase(str(each)).text for each in values])

    def _noun_of(self, items: Sequence[AnswerItem]) -> str:
        """The plural of what the entities are; empty where they are several things."""
        kinds = {str(self.said.kb.entity(str(each.value)).type) for each in items
                 if each.value in self.said.kb}
        return str(templates()["nouns"][kinds.pop()][1]) if len(kinds) == 1 else ""

    def _noun(self, items: Sequence[AnswerItem]) -> str:
        whole_day = any(event is not None and event.all_day for event in map(self._event, items))
        return str(templates()["nouns"]["whole_day" if whole_day else "event"][len(items) > 1])

    def _event(self, item: AnswerItem) -> Event | None:
        return self.said.kb.events.get(item.value) if isinstance(item.value, str) else None

    def _kind(self) -> str:
        return next((str(self.said.kb.entity(str(each.value)).type)
                     for each in self.said.answer.items if each.value in self.said.kb), "")


def compare(details: AnswerDetails, first: str, second: str, order: Form, time: str) -> str:
    """How two entities compare, with what each comes to where that is known.

    Args:
        first: Id of the one that comes before in the order.
        second: Id of the other.
        order: ``longest``, ``most``, ``nth``, …
        time: Which was asked about.
    """
    values = [details.measured(each, order) for each in (first, second)]
    name = order.head
    if order.head in ("most", "fewest") and order.arguments:
        name = f"{order.head}_counted"
    elif order == Form("nth", (-1,)):
        name = "nth_last"
    differ, same = templates()["compared"].get(name, ("", ""))
    if not all(values):
        values, differ = ["", ""], differ.partition(":")[0]
    elif values[0] == values[1]:
        return _tidy(same.format("", values[0], time=time, **_be(2)))
    one = details.said.phrase(first)
    return _tidy(differ.format(one, values[0], details.said.phrase(second), values[1], time=time,
                               **{**_be(1), "is": one.forms["is"]}))


def _be(number: int, *, past: bool = False) -> dict[str, str]:
    one = number == 1
    be = ("was" if one else "were") if past else ("is" if one else "are")
    return {"is": be, "are": be, "was": be, "has": "had" if past else "has" if one else "have"}


def _tidy(sentence: str) -> str:
    """With one blank between words and none before marks."""
    words = " ".join(sentence.split())
    for mark in ",:;":
        words = words.replace(f" {mark}", mark)
    return words
