"""Whether a statement is so, and what is so instead."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from frontdesk.kg.english.verbalise import event_window
from frontdesk.kg.graph.facts import Fact
from frontdesk.kg.graph.logical_forms import Form, Span
from frontdesk.kg.graph.windows import Window, instant, now_window
from frontdesk.rules.engine.query_answer import AnswerItem, AnswerKind, QueryAnswer
from frontdesk.rules.engine.query_readings import reference
from frontdesk.rules.organisation.query_bounds import MissingError, Parts, parts_of
from frontdesk.rules.organisation.query_numbers import LIKELY
from frontdesk.rules.organisation.query_relations import ATTENDANCE, unknown_of
from frontdesk.rules.organisation.query_slots import free_stretches
from frontdesk.rules.organisation.query_state_times import StateTimes
from frontdesk.rules.organisation.query_statements import STATES, at_some_time
from frontdesk.rules.organisation.query_values import TIME_ZONE
from frontdesk.rules.organisation.query_zones import told_in_zone, without, zone_wanted

#: By type, conditions that one entity fulfils: an event's organiser, somebody's office.
_FUNCTIONAL = frozenset({("person", "organizer"), ("person", "organises"),
                         ("room", "office"), ("room", "office_of")})
#: Conditions by which people are many: who comes to something, a group's members.
_OF_MANY = frozenset({"attends", "member_of", "except"})
#: Of a longer window it is told when somebody is free in it who is not all the time.
_LONG = dt.timedelta(hours=2)


class Verdicts(StateTimes):
    """Answers about statements; see :class:`SetAnswers`."""

    def respond(self) -> QueryAnswer:
        """The answer of the query; see :meth:`SetAnswers.respond`."""
        zone = zone_wanted(self.query, self.sets.resolution, self.kb.timezone)
        if zone is not None:
            return self._in_zone(zone)
        if self.query.head == "holds":
            statement = self._attends_first(self.parts.conditions[0])
            if statement != self.parts.conditions[0]:
                return type(self)(Form("holds", (statement,)), self.sets).respond()
            rule = self.calendar.house_rules.get(statement.head)
            if rule is not None and rule.is_state:
                return self.state_by_rule(rule, statement)
            if (meeting := _in_a_meeting(statement)) is not None:
                return type(self)(meeting, self.sets).respond()
            if self._is_one(statement):
                return self._of_one(statement)
            subject = next(iter(parts_of(statement.arguments).entities), None)
            if statement.head in (*STATES, *ATTENDANCE) and subject is not None \
                    and _are_many(subject):
                return self._of_all(statement, subject)
            some = self._of_some(statement)
            return self._verdict(statement) if some is None \
                else type(self)(some, self.sets).respond()
        if self.query.head == "when" and self.parts.times:
            return self._of_time(self.parts.times)
        if self.query.head == "when" and not self.parts.entities:
            return self.when_so(self.parts.conditions[0])
        return super().respond()

    def _attends_first(self, statement: Form) -> Form:
        """A statement in which whoever comes stands before what they come to, and any event is one
        that is on now where no time is said."""
        if statement.head in ("untrue", "both"):
            return Form(statement.head, tuple(self._attends_first(each) if isinstance(each, Form)
                                              else each for each in statement.arguments))
        entities = parts_of(statement.arguments).entities
        events = [each for each in entities if self._is_event(each)]
        if statement.head not in ATTENDANCE or len(entities) != 2 or len(events) != 1:
            return statement
        person, event = next(each for each in entities if each not in events), events[0]
        others = tuple(each for each in statement.arguments if each not in entities)
        if event == Form("event") and not others:
            event = Form("event", (Form("now"),))
        return Form("attends", (person, event, *others))

    def _is_event(self, form: Form) -> bool:
        return form.head == "event" or any(each in self.kb.events for meaning in
                                           self.sets.readings.meanings(form)[:1]
                                           for each in meaning.entities)

    def _is_one(self, statement: Form) -> bool:
        """Whether the state of one is asked that a functional relation describes."""
        statement = _affirmed(statement)
        subject = next(iter(parts_of(statement.arguments).entities), None)
        return statement.head in STATES and subject is not None \
            and reference(subject, self.sets.resolution) is None and any(
                (subject.head, each.head) in _FUNCTIONAL
                for each in parts_of(subject.arguments).conditions)

    def _of_one(self, statement: Form) -> QueryAnswer:
        """Whether it is so of the one that is described."""
        subject = parts_of(_affirmed(statement).arguments).entities[0]
        taken = self._taken(subject)
        if not taken:
            raise MissingError(parts_of(subject.arguments).conditions[0].head)
        return replace(self._verdict(statement), about=tuple(taken))

    def _of_all(self, statement: Form, people: Form) -> QueryAnswer:
        """Whether it is so of each of the people that are described."""
        each = Form(statement.head, tuple(Form("and", (one,)) if one is people else one
                                          for one in statement.arguments))
        return replace(self._verdict(each), about=tuple(self._taken(people)))

    def _of_some(self, statement: Form) -> Form | None:
        """Whether something is so of a set that is described and not named, as the question
        whether there is one of it; None for other statements."""
        subject = next(iter(parts_of(statement.arguments).entities), None)
        if statement.head not in STATES or subject is None or subject.head not in (
                "person", "room") or reference(subject, self.sets.resolution) is not None:
            return None
        condition = Form(STATES[statement.head], statement.arguments[1:])
        return Form("exists", (Form(subject.head, (*subject.arguments, condition)),))

    def _in_zone(self, time: Form) -> QueryAnswer:
        """The answer without a zone in which it is wanted, with what its time is there."""
        self.sets.account.used.add(time)
        query = without(self.query, time)
        if query.head == "holds":  # whether something is in a zone is when it is
            query = Form("when", parts_of(query.arguments).conditions[0].arguments[:1])
        try:
            answer = type(self)(query if query.arguments else Form("when", (Form("now"),)),
                                self.sets).respond()
        except MissingError:
            return self._part(Form("value", (Span(TIME_ZONE), Form("that")))).value()
        return told_in_zone(answer, time, self.kb, self.calendar.now)

    # --- whether it is so

    def _verdict(self, statement: Form) -> QueryAnswer:
        try:
            goal = self.sets.statement(statement)
        except MissingError as error:
            if statement.head != "there" or not set(error.missing) <= {
                    span.text for span in statement.spans()}:
                raise
            self.missing += error.missing
            return self.answer(AnswerKind.YES_NO, (), 0.0)
        probability, taken = self.probabilities(goal)
        inner = _affirmed(statement)
        if inner.head == "present" and self._is_nowhere(inner):
            raise MissingError("office")
        subjects = self._subjects_of(inner)
        if subjects and unknown_of(self.calendar, inner.head, subjects) == subjects:
            raise MissingError(inner.head)
        if inner.head in ("free", "busy") and (offices := self._owners_of(inner)):
            self.reasons += offices
            return self.answer(AnswerKind.UNKNOWN)
        if statement.head == "both":
            parts = tuple(self._part(Form("holds", (each,))).respond()
                          for each in parts_of(statement.arguments).conditions)
            found = self.answer(AnswerKind.YES_NO, [
                item for each in parts for item in each.items], probability, taken)
            return replace(found, parts=parts)
        items = self._shown(statement, so=taken >= LIKELY)
        found = self.answer(AnswerKind.YES_NO, items, probability, taken)
        told = [each.of for each in items if each.of in self.kb.events]
        return replace(found, about=tuple(told)) if inner.head == "is" and told else found

    def _owners_of(self, statement: Form) -> list[Fact]:
        """Whose offices those are of whom it is asked whether they are free, where nothing in the
        calendar takes them: whoever works there need not be in."""
        window = self._window_of(statement)
        rooms = [each for form in parts_of(statement.arguments).entities
                 for each in self._taken(form)]
        if not rooms or any(each not in self.kb.rooms or self.kb.rooms[each].bookable
                            or self.facts.events_in(each, window) for each in rooms):
            return []
        return [fact for each in rooms for owner in self.kb.office_owners(each)
                for fact in self.facts.stored(owner.id, "office")]

    def _is_nowhere(self, statement: Form) -> bool:
        """Whether nothing tells where those are who are asked about, nor lets it be presumed."""
        window = self._window_of(statement)
        people = self._subjects_of(statement)
        return bool(people) and not any(self.calendar.traces(each, window) or
                                        self.calendar.presumes(each, window) for each in people)

    def _subjects_of(self, statement: Form) -> list[str]:
        """Whom or what a statement is of."""
        return [each for form in parts_of(statement.arguments).entities[:1]
                for each in self._taken(form)]

    def _shown(self, statement: Form, *, so: bool) -> list[AnswerItem]:
        """What makes a statement so, or what is so instead."""
        parts = parts_of(statement.arguments)
        if statement.head in ("untrue", "both"):
            return [item for part in parts.conditions for item in self._shown(
                part, so=so != (statement.head == "untrue"))]
        if statement.head == "more":
            return self._compared(parts)
        if statement.head == "clash":
            return self.clashing(statement)
        entities = [each for form in parts.entities[:1] for each in self._taken(form)]
        if statement.head == "present":
            return self._presence(statement, entities)
        if statement.head in STATES:
            return self._availability(statement, entities)
        if statement.head in ("there", "amount"):
            return self._part(Form("which", (parts.entities[0],))).items(pick=False)
        if statement.head == "is":
            return [item for each in self.on_that_day(parts) or entities
                    for item in self._identity(each)]
        return self._relation(statement, parts, so=so)

    def _part(self, query: Form) -> Verdicts:
        """The answers of another query in the likeliest world."""
        part = type(self)(query, self.world)
        part.reasons, part.missing = self.reasons, []
        return part

    def _identity(self, entity_id: str) -> list[AnswerItem]:
        event = self.kb.events.get(entity_id)
        if event is None:
            return [AnswerItem(entity_id, facts=self.facts.of(entity_id))]
        return [AnswerItem(event_window(event), entity_id, facts=self.facts.of(entity_id))]

    def _relation(self, statement: Form, parts: Parts, *, so: bool) -> list[AnswerItem]:
        """What the subject of a relation is related to in truth."""
        subject, times = parts.entities[0], tuple(parts.times)
        if statement.head in ATTENDANCE:
            return self._attendance(statement, so=so)
        asked = self._part(Form(statement.head, (subject, *times)))
        try:
            items = list(asked.respond().items)
        except MissingError:
            return []
        objects = [each for form in parts.entities[1:] for each in self._taken(form)]
        shown = [item for item in items if item.value in objects]
        return shown if so and shown else items

    def _attendance(self, statement: Form, *, so: bool) -> list[AnswerItem]:
        """The event that is attended; or who of a group attends it, or who does instead."""
        each_of = self.world.of_members(statement)
        parts = parts_of(each_of.arguments)
        sides = [self._taken(form) for form in parts.entities[:2]]
        events = [each for side in sides for each in side if each in self.kb.events]
        if len(sides) < 2:
            raise MissingError(statement.head)
        found = [self.facts.attends(person, event)
                 for one, other in product(*sides) if not {one, other}.isdisjoint(events)
                 for person, event in [self._person_first((one, other))]
                 if person in self.kb.people and event not in self.calendar.hidden]
        self.reasons += found
        if so:
            return [AnswerItem(each, facts=self.facts.of(each)) for each in events]
        if each_of != statement and (come := [
                AnswerItem(str(fact.arguments[0]), probability=fact.certainty, facts=(fact,))
                for fact in found if fact.predicate == "attends"]):
            return come
        form = next((form for form, side in zip(parts.entities, sides, strict=False)
                     if not set(events).isdisjoint(side)), None)
        return [] if form is None else self._part(Form("which", (Form("person", (
            Form("attends", (form,)),)),))).items()

    def _person_first(self, pair: tuple[str, str]) -> tuple[str, str]:
        return pair if pair[0] in self.kb.people else (pair[1], pair[0])

    def _compared(self, parts: Parts) -> list[AnswerItem]:
        """Both sides of a comparison with what is compared."""
        order, items = parts.orders[0], []
        for side in parts.entities:
            for each in self._taken(side, parts.times):
                value = self.world.measure(order, each, parts.times)
                event = self.kb.events.get(each)
                if event is not None and order.head not in ("longest", "shortest", "largest",
                                                            "smallest", "most", "fewest"):
                    ends = order.head in ("earliest_end", "latest_end")
                    items.append(AnswerItem(instant(event.end if ends else event.start), each,
                                            facts=self.facts.of(each)))
                elif value is not None:
                    items.append(AnswerItem(abs(value), each, facts=self.facts.of(each)))
        return items

    # --- free, busy, present

    def _window_of(self, statement: Form) -> Window:
        times = parts_of(statement.arguments).times
        bounds = self.world.states(times)
        return bounds[0].window if bounds else now_window(self.calendar.now)

    def _availability(self, statement: Form, entities: list[str]) -> list[AnswerItem]:
        """What takes their time, and when of a day they are free all the same."""
        window, items = self._window_of(statement), list[AnswerItem]()
        for each in entities:
            found = self.facts.availability(each, window)
            self.reasons += found
            long = window.end - window.start >= _LONG or at_some_time(statement)
            if long and statement.head == "free" and self.facts.events_in(each, window):
                slots = free_stretches(self.calendar, [each], window)
                facts = self.facts.slots(each, window, slots)
                items += [AnswerItem(slot, each, facts=facts) for slot in slots]
            elif statement.head == "busy":
                items += [AnswerItem(event.id, each, event.comes(each) if each in self.kb.people
                                     else 1.0, (*found, *self.facts.event(event.id)))
                          for event in self.facts.events_in(each, window)]
        return items

    def _presence(self, statement: Form, entities: list[str]) -> list[AnswerItem]:
        """Where they are, or what takes them away."""
        times = tuple(parts_of(statement.arguments).times)
        subject = parts_of(statement.arguments).entities[0]
        where = self._part(Form("where", (subject, *times)))
        items = [item for item in where.respond().items if item.of in entities]
        window = self._window_of(statement)
        for each in entities:
            away = [event.id for event in self.facts.events_in(each, window)
                    if self.calendar.is_away(event)]
            if away:
                items = [item for item in items if item.of != each]
                self.reasons.append(self.facts.derived("person_busy", each, window, tuple(away)))
        return items

    # --- which hour or day it is

    def _of_time(self, times: Sequence[Form]) -> QueryAnswer:
        """The readings of a time, the likeliest alone where it is sure."""
        self.sets.account.used.update(times)
        bounds = self.world.bounds(times, restrict=False)  # what it is here is the answer
        return self.answer(AnswerKind.TIMES, [AnswerItem(
            each.window, probability=self.taken.probability) for each in bounds[:1]])


def _affirmed(statement: Form) -> Form:
    """What a statement says, or says not to be so."""
    return parts_of(statement.arguments).conditions[0] if statement.head == "untrue" else statement


def _in_a_meeting(statement: Form) -> Form | None:
    """Whether somebody is at any event, or is not, as the question whether there is one; None for
    other statements."""
    inner = _affirmed(statement)
    parts = parts_of(inner.arguments)
    events = parts_of(parts.entities[1].arguments) if len(parts.entities) > 1 else Parts()
    if inner.head not in ATTENDANCE or len(parts.entities) < 2 or parts.entities[1].head \
            != "event" or events.words or events.conditions or events.orders:
        return None
    times = (*parts.times, *events.times)
    return Form("exists", (Form("event", (Form("attends", (parts.entities[0],)), *times)),))


def _are_many(people: Form) -> bool:
    """Whether people are told by what many have in common: "everybody in Optics but Bo"."""
    conditions = {each.head for each in parts_of(people.arguments).conditions}
    return people.head == "person" and bool(conditions) and conditions <= _OF_MANY
