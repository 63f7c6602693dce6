"""From when on, and when, somebody is free, busy, in or away."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace

from frontdesk.kg.english.verbalise import event_window
from frontdesk.kg.graph.facts import Fact
from frontdesk.kg.graph.logical_forms import Form
from frontdesk.kg.graph.windows import Window, WindowKind, day_window, instant, now_window
from frontdesk.rules.engine.query_answer import AnswerItem, AnswerKind, QueryAnswer
from frontdesk.rules.engine.query_times import coming_days, rest_of
from frontdesk.rules.organisation.query_bounds import MissingError, Parts, parts_of
from frontdesk.rules.organisation.query_clash_answers import ClashAnswers
from frontdesk.rules.organisation.query_slots import free_stretches

#: A longer window has office hours in it.
_CLOCK = dt.timedelta(hours=12)


class StateTimes(ClashAnswers):
    """Answers about the times of states; see :class:`SetAnswers`."""

    def when_so(self, statement: Form) -> QueryAnswer:
        """When a statement is so."""
        parts = parts_of(statement.arguments)
        if statement.head == "free":
            return self._free_slots(parts)
        if statement.head == "present":
            return self._back(parts)
        if statement.head == "busy":
            return self._engaged(parts)
        if statement.head == "clash":
            return self.when_clashing(statement)
        if statement.head == "untrue" and parts.conditions[0].head == "present":
            return self._away(parts_of(parts.conditions[0].arguments))
        if statement.head in ("attends", "location", "organizer", "held_by") and parts.entities:
            event = next((each for each in parts.entities if each.head == "event"), None)
            if event is not None:
                others = [each for each in parts.entities if each != event]
                narrowed = Form("event", (*event.arguments, *(
                    Form(statement.head, (each,)) for each in others), *parts.times))
                world = self.sets.resolution
                if event in world.entities:
                    entities = {**world.entities, narrowed: world.entities[event]}
                    self.sets.resolution = replace(world, entities=entities)
                    self.sets.readings.resolution = self.sets.resolution
                return replace(type(self)(Form("when", (narrowed,)), self.sets).when(),
                               query=self.query)
        raise MissingError(statement.head)

    def _free_slots(self, parts: Parts) -> QueryAnswer:
        """The stretches in which all are free, of at least a length."""
        sets = self.world
        entities = [each for form in parts.entities for each in sets.likely(sets.of(form))
                    if each not in self.kb.events]
        if not entities:  # an event takes time and has none
            raise MissingError("free")
        lengths = [sets.length(each).total_seconds() for each in parts.times
                   if each.head == "lasting"]
        bounds = sets.bounds(parts.times)
        now = self.calendar.now
        window = rest_of(bounds[0].window, now) if bounds else rest_of(
            day_window(now.date(), self.kb.timezone), now)
        slots = self._fitting(entities, window, lengths) if window.start < window.end \
            else self._free_from(entities, window.start, lengths)
        if not slots and not bounds:
            window = coming_days(now)
            slots = self._fitting(entities, replace(window, start=now), lengths)[:3]
        for each in entities:
            self.reasons += self.facts.availability(each, window)
        owner = entities[0] if len(entities) == 1 else ""
        facts = tuple(fact for each in entities for fact in self.facts.slots(
            each, window, slots)) if owner else tuple(self.reasons[:4])
        found = self.answer(AnswerKind.TIMES, [AnswerItem(
            slot, owner, self.taken.probability, facts) for slot in slots])
        return replace(found, about=tuple(entities), window=window)

    def _free_from(self, entities: list[str], start: dt.datetime, lengths: list[float]
                   ) -> list[Window]:
        """The stretch that begins at a moment: until something begins, or the office closes."""
        rest = Window(start, day_window(start.date(), self.kb.timezone).end)
        for hours in (True, False):  # without office hours where they are over
            for slot in free_stretches(self.calendar, entities, rest, hours=hours):
                if slot.start == start and (slot.end - slot.start).total_seconds() >= max(
                        lengths, default=60):
                    return [slot]
        return []

    def _fitting(self, entities: list[str], window: Window, lengths: list[float]) -> list[Window]:
        hours = window.end - window.start >= _CLOCK or window.kind is WindowKind.DAY
        return [slot for slot in free_stretches(self.calendar, entities, window, hours=hours)
                if (slot.end - slot.start).total_seconds() >= max(lengths, default=60)]

    def _engaged(self, parts: Parts) -> QueryAnswer:
        """When something takes their time."""
        sets, items = self.world, list[AnswerItem]()
        bounds = sets.bounds(parts.times)
        window = bounds[0].window if bounds else coming_days(self.calendar.now)
        for form in parts.entities:
            for each in sets.likely(sets.of(form)):
                facts = self.facts.availability(each, window)
                items += [AnswerItem(event_window(event), each, self.taken.probability,
                                     (*facts, *self.facts.event(event.id)))
                          for event in self.facts.events_in(each, window)]
        return self.answer(AnswerKind.TIMES, items)

    def _back(self, parts: Parts) -> QueryAnswer:
        """From when on somebody is in, after what takes them away or what they are at; of who is
        not away also what will take them away."""
        sets, items = self.world, list[AnswerItem]()
        bounds = sets.states(parts.times)
        window = bounds[0].window if bounds else now_window(self.calendar.now)
        for form in parts.entities:
            for each in sets.likely(sets.of(form)):
                coming = [] if parts.times else self._absences(each, replace(
                    coming_days(self.calendar.now), start=self.calendar.now))
                if not self.calendar.traces(each, window):
                    items += coming
                    self.missing.append("back")
                    continue
                end, facts = self._away_until(each, window)
                person = self.kb.people.get(each)
                if not facts and person is not None and person.office:
                    facts = self.facts.place(each, person.office, window)  # is in as it is
                self.reasons += facts
                items.append(AnswerItem(instant(end), each, self.taken.probability, facts))
                if end <= self.calendar.now:
                    items += coming
        return self.answer(AnswerKind.TIMES, items)

    def _away(self, parts: Parts) -> QueryAnswer:
        """When somebody is away, now or in the days to come."""
        bounds = self.world.bounds(parts.times)
        window = bounds[0].window if bounds else Window(
            coming_days(self.calendar.now).start, self.calendar.span().end)
        people = [each for form in parts.entities for each in self._taken(form)]
        items = [item for each in people for item in self._absences(each, window)]
        if not items:
            self.missing.append("absence")
        return self.answer(AnswerKind.TIMES, items)

    def _absences(self, person: str, window: Window) -> list[AnswerItem]:
        """What takes somebody away in a window."""
        return [AnswerItem(event_window(event), person, self.taken.probability,
                           (self.facts.derived("person_busy", person, window, (event.id,)),
                            *self.facts.event(event.id)))
                for event in self.facts.events_in(person, window)
                if self.calendar.is_away(event)]

    def _away_until(self, person: str, window: Window) -> tuple[dt.datetime, tuple[Fact, ...]]:
        """The end of absences, one after the other, or of the event that somebody is at."""
        moment, facts = window.start, list[Fact]()
        while True:
            events = self.facts.events_in(person, instant(moment))
            away = [event for event in events if self.calendar.is_away(event)]
            chosen = away or (events if not facts else [])
            if not chosen or max(event.end for event in chosen) <= moment:
                return moment, tuple(facts)
            last = max(chosen, key=lambda event: event.end)
            facts += [self.facts.derived("person_busy", person, window, (last.id,)),
                      *self.facts.event(last.id)]
            moment = last.end

    def on_that_day(self, parts: Parts) -> list[str]:
        """Of an event that recurs the occurrence on the day of the times of a statement that had
        begun by then, the last, else the first."""
        bounds = self.world.bounds(parts.times)
        window = bounds[0].window if bounds else None
        events = [self.kb.events[each] for each in self.world.likely(self.world.of_day(
            parts.entities[0], parts.times)) if each in self.kb.events] if window else []
        days = [each for each in events if window and each.start.date() == window.date]
        begun = [each for each in days if window and each.start <= window.start]
        return [each.id for each in begun[-1:] or days[:1]]

    def _taken(self, form: Form, times: Sequence[Form] = ()) -> list[str]:
        """The members of a set as it is most probably meant."""
        world = self.world
        return world.likely(world.of(form, times))
