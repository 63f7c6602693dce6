"""The answers of queries about sets of entities: which, how many, when, where, what values."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import pairwise

from frontdesk.kg.english.phrases import say_minutes
from frontdesk.kg.english.verbalise import event_window
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.facts import Fact
from frontdesk.kg.graph.logical_forms import Argument, Form, Sort
from frontdesk.kg.graph.windows import Window, instant, now_window
from frontdesk.rules.engine.query_answer import AnswerItem, AnswerKind, QueryAnswer
from frontdesk.rules.engine.query_program import Condition, X, holds
from frontdesk.rules.engine.query_readings import World, reference
from frontdesk.rules.engine.query_times import coming_days
from frontdesk.rules.organisation.calendar_slice import MOST_LISTED
from frontdesk.rules.organisation.query_bounds import EntitySet, MissingError, parts_of
from frontdesk.rules.organisation.query_calendar import in_series, recurs
from frontdesk.rules.organisation.query_edges import EDGES
from frontdesk.rules.organisation.query_facts import AnswerFacts
from frontdesk.rules.organisation.query_numbers import LEAST
from frontdesk.rules.organisation.query_relations import minutes_of
from frontdesk.rules.organisation.query_statements import QueryStatements

_SATURDAY = 5
#: What recurs for so long is said to be on all such days: two weeks, from Monday to Friday.
_REGULAR = dt.timedelta(days=11)
#: What each event is asked for when its own times are.
_MOMENTS = {"starts": "start", "start_time": "start", "ends": "end", "end_time": "end"}


def _without(form: Argument, head: str) -> Argument:
    """A form without the parts of a head that stand in it."""
    return Form(form.head, tuple(each for each in form.arguments if not (
        isinstance(each, Form) and each.head == head))) if isinstance(form, Form) else form


def _untimed(form: Form) -> Form:
    """A form without the times in it."""
    return Form(form.head, tuple(each for each in form.arguments if not (
        isinstance(each, Form) and each.is_of(Sort.TIME))))


class SetAnswers:
    """Answers about sets of entities.

    Args:
        query: Of those that this class answers.
    """

    def __init__(self, query: Form, sets: QueryStatements) -> None:
        self.query, self.sets = query, sets
        self.calendar, self.kb = sets.calendar, sets.kb
        self.facts = AnswerFacts(sets.calendar)
        self.parts = parts_of(query.arguments)
        worlds, _ = sets.readings.worlds([query])
        #: What is most probably meant.
        self.taken: World = worlds[0]
        self.missing: list[str] = []
        self.reasons: list[Fact] = []

    # --- what holds in the likeliest world

    def _taken_body(self) -> list[Condition]:
        weights = self.sets.readings.weights([self.query])
        return [condition for each, number in self.taken.drawn.items()
                for condition in self.sets.program.choice(each, weights[each])[number]]

    def members(self, entities: EntitySet) -> list[tuple[str, float]]:
        """Those that are in a set where its references mean what they most probably mean.

        Returns:
            Each with its probability over all that may be meant; by start or name.
        """
        found = dict(self.sets.program.members(entities.name))
        kept, body = found, self._taken_body()
        if body and found:
            name = self.sets.program.named("taken")
            self.sets.program.rule(name, (X,), [*body, holds(entities.name, X)])
            given = max(self.taken.probability, 1e-9)
            kept = {each: probability / given
                    for each, probability in self.sets.program.members(name)}
        return [(each, found[each]) for each in self.calendar.by_name(found)
                if kept.get(each, 0.0) >= LEAST]

    @cached_property
    def world(self) -> QueryStatements:
        """The sets of the likeliest world."""
        sets = self.sets
        return type(sets)(sets.calendar, self.taken.resolution, sets.new_slice, sets.account)

    @cached_property
    def about(self) -> list[str]:
        """What the references of the query most probably mean."""
        found: dict[str, None] = {}
        resolution = self.sets.resolution
        for form in self.query.walk():
            key = reference(form, resolution)
            meanings = self.sets.readings.meanings(key) if key is not None else []
            if meanings:
                entities = meanings[0].entities
                found |= dict.fromkeys(entities if key in resolution.plural
                                       else self.calendar.occurrence(entities))
        return list(found)

    @cached_property
    def window(self) -> Window | None:
        """The time that is asked about, as it is most probably meant."""
        for form in self.query.walk():
            if form.head in EDGES:
                if days := self.world.edge_days([form]):
                    return days[0]
                continue
            try:
                bounds = self.world.bounds(parts_of(form.arguments).times, restrict=False)
            except MissingError:
                continue
            if bounds:
                return bounds[0].window
        return None

    def probabilities(self, *goals: Condition) -> tuple[float, float]:
        """P(goals) over all that may be meant, and where all means what it most probably means."""
        program, found = self.sets.program, []
        for body in ((), self._taken_body()):
            name = program.named("so")
            program.rule(name, (), [*body, *goals])
            found.append(program.probability(name))
        return found[0], min(1.0, found[1] / max(self.taken.probability, 1e-9))

    def answer(self, kind: AnswerKind, items: Iterable[AnswerItem] = (),
               probability: float | None = None, taken: float | None = None) -> QueryAnswer:
        """An answer of the query with all that goes without saying."""
        items = tuple(items)
        if not items and self.missing and kind is not AnswerKind.YES_NO:
            kind = kind if self.reasons else AnswerKind.UNKNOWN
        return QueryAnswer(
            self.query, kind, items, probability, tuple(self.about), self.window,
            tuple(dict.fromkeys(self.missing)) if not items else (),
            tuple(dict.fromkeys(self.reasons)), dict(self.sets.readings.unsure(self.query)),
            tuple(self.sets.account.notes), only=() if items else self._left_out(),
            holds_taken=taken)

    def _left_out(self) -> tuple[AnswerItem, ...]:
        """Those that were left out of a set of which nothing is left."""
        whole = Form(self.query.head, tuple(_without(each, "except") for each in
                                            self.query.arguments))
        if whole == self.query or not self.parts.entities:
            return ()
        return tuple(type(self)(whole, self.world).items(pick=False))

    # --- which, whether there is one, how many

    def items(self, pick: bool = True) -> list[AnswerItem]:
        """The members of the set that is asked for."""
        if self.parts.entities[0].head == "day":
            return [AnswerItem(each.window, probability=each.probability, number=each.number)
                    for each in self.sets.days(self.parts.entities[0], self.parts.times)]
        entities = self.sets.of(self.parts.entities[0], self.parts.times, pick=pick)
        others, members = self.about, self.members(entities)
        counts = self.world.counts(self._orders(), [each for each, _ in members], (
            parts_of(self.parts.entities[0].arguments).times or self.parts.times))
        return [AnswerItem(each, probability=probability, facts=self._facts(
            each, others) if number < MOST_LISTED else (), number=next((
                found[each].value for found in counts.values()), None))
            for number, (each, probability) in enumerate(members)]

    def _facts(self, entity_id: str, others: Sequence[str]) -> tuple[Fact, ...]:
        found = self.facts.of(entity_id, [each for each in others if each != entity_id])
        heads = {each.head for each in self.query.walk()}
        window = self.window or now_window(self.calendar.now)
        for order in (each for each in self._orders() if not each.arguments):
            found = (*self.facts.counted(entity_id, order, self.window or coming_days(
                self.calendar.now)), *found)
        if heads & {"is_free", "is_busy", "is_present"} and entity_id not in self.kb.events:
            found = (*self.facts.availability(entity_id, window), *found)
        if Form("clashes") in map(_untimed, self.query.walk()) and entity_id not in self.kb.events:
            found = (*self.facts.clashes(entity_id, self.window or coming_days(
                self.calendar.now)), *found)
        if "location" in heads and entity_id in self.kb.people:
            found = (*(fact for each in others if each in self.kb.rooms
                       for fact in self.facts.place(entity_id, each, window)), *found)
        return tuple(dict.fromkeys(found))

    def _orders(self) -> list[Form]:
        """The orders of the set that is asked for."""
        return parts_of(self.parts.entities[0].arguments).orders if self.parts.entities else []

    def which(self) -> QueryAnswer:
        """Who or what they are; of those that are compared also what the others come to."""
        items = self.items()
        if not items:
            self.reasons += self._why_none()
        chosen = {each.value for each in items}
        if self._orders() and self.parts.entities[0].head == "among":
            self.reasons += [fact for each in self.about if each not in chosen
                             for order in self._orders() for fact in self.facts.counted(
                                 each, order, self.window or coming_days(self.calendar.now))]
        return self.answer(AnswerKind.ENTITIES, items)

    def _why_none(self) -> list[Fact]:
        """That those asked about have nothing on, or when what is asked for is."""
        window, found = self.window, list[Fact]()
        for each in self.about:
            if each in self.kb.events:
                found += self.facts.event(each)
            elif window is not None:
                found += self.facts.availability(each, window)
        return found

    def exists(self) -> QueryAnswer:
        """Whether there is one."""
        items = self.items(pick=False)
        if not items:
            self.reasons += self._why_none()
        if any(item.probability == 1.0 for item in items):
            return self.answer(AnswerKind.YES_NO, items, 1.0)
        entities = self.sets.of(self.parts.entities[0], self.parts.times, pick=False)
        return self.answer(AnswerKind.YES_NO, items, *self.probabilities(holds(entities.name, X)))

    def count(self) -> QueryAnswer:
        """How many there are."""
        return self.answer(AnswerKind.COUNT, self.items(pick=False))

    # --- when

    def _subject(self) -> list[tuple[str, float]]:
        """The members of what the query is about."""
        return self.members(self.sets.of(self.parts.entities[0], self.parts.times))

    def when(self) -> QueryAnswer:
        """When events are, or which day it is."""
        if self.parts.entities[0].head == "day":
            return type(self)(Form("which", self.query.arguments), self.sets).which()
        found = self._subject()
        items = [AnswerItem(event_window(self.kb.events[each]), each, probability,
                            self.facts.of(each, self.about))
                 for each, probability in found if each in self.kb.events]
        if found and not items:
            self.missing.append("time")
        if len(items) == 1 and not any(parts_of(each.arguments).times for each in
                                       self.query.walk()):
            self._note_series(self.kb.events[items[0].of])
        if not found:
            self.reasons += self._why_none()
        return self.answer(AnswerKind.TIMES, items)

    def _note_series(self, event: Event) -> None:
        """Tell on which days an event is that recurs at one hour as far as the calendar goes."""
        series = in_series(event, (
            each for each in self.kb.named(event.name) if isinstance(each, Event)
            and each.id not in self.calendar.hidden))
        coming = [each for each in series if each.start >= event.start]
        if not recurs(coming) or coming[-1].start - series[0].start < _REGULAR:
            return
        days = [each.start.date() for each in coming]
        steps = {(later - day).days for day, later in pairwise(days)}
        working = [day for number in range((days[-1] - days[0]).days + 1)
                   if (day := days[0] + dt.timedelta(days=number)).weekday() < _SATURDAY]
        if days == working:
            each, step = "working day", 3 if days[-1].weekday() == _SATURDAY - 1 else 1
        elif steps in ({1}, {7}):
            each, step = "day" if steps == {1} else f"{days[0]:%A}", steps.pop()
        else:
            return
        _, known = self.kb.calendar_days() or (days[0], days[-1])
        if days[-1] + dt.timedelta(days=step) > known:
            self.sets.note(f"it is on every {each}")

    def moments(self) -> QueryAnswer:
        """When events start or end."""
        end = _MOMENTS[self.query.head] == "end"
        found = [(event, probability) for each, probability in self._subject()
                 if (event := self.kb.events.get(each)) is not None]
        items = [AnswerItem(instant(event.end if end else event.start), event.id, probability,
                            (*self.facts.stored(event.id, f"{_MOMENTS[self.query.head]}_time"),
                             *self.facts.of(event.id)))
                 for event, probability in self._at_hand(found, end=end)]
        if not items:
            self.missing.append("time")
        return self.answer(AnswerKind.TIMES, items)

    def _at_hand(self, found: list[tuple[Event, float]], *, end: bool
                 ) -> list[tuple[Event, float]]:
        """Of events that are described and not named, with no time said: what goes on where its end
        is asked, else what is still to come of today; all where there is neither."""
        subject = parts_of(self.parts.entities[0].arguments)
        if subject.words or subject.times or subject.orders or self.parts.times or any(
                key in self.sets.resolution.entities for key in self.parts.entities):
            return found
        now = self.calendar.now
        going_on = [each for each in found if end and each[0].start <= now < each[0].end]
        return going_on or [each for each in found if each[0].start.date() == now.date() and (
            each[0].end if end else each[0].start) > now] or found

    def lasts(self) -> QueryAnswer:
        """How long events last, and how much is left of one that goes on."""
        now = self.calendar.now
        items = [AnswerItem(length, each, probability, (
            self.facts.derived("duration", each, length), *self.facts.of(each)))
            for each, probability in self._subject()
            if (length := minutes_of(self.calendar, each)) is not None]
        if not items:
            self.missing.append("length")
        event = self.kb.events.get(items[0].of) if len(items) == 1 else None
        if event is not None and not event.all_day and event.start < now < event.end:
            left = -(-(event.end - now) // dt.timedelta(minutes=1))
            self.sets.note(f"it goes on for another {say_minutes(left)}")
        return self.answer(AnswerKind.VALUES, items)
