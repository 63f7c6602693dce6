"""Conditions of a query as goals of its program."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import eq, gt, lt
from typing import Any

from frontdesk.kg.english.spoken_floors import floor_named
from frontdesk.kg.graph.entities import EntityType
from frontdesk.kg.graph.logical_forms import Form
from frontdesk.kg.graph.timeline import minutes
from frontdesk.kg.graph.windows import Window
from frontdesk.rules.engine.query_program import X, fails, holds
from frontdesk.rules.engine.query_readings import reference
from frontdesk.rules.organisation.query_bounds import (
    Bounded,
    EntitySet,
    MissingError,
    Parts,
    parts_of,
)
from frontdesk.rules.organisation.query_clashes import FEW, QueryClashes
from frontdesk.rules.organisation.query_edges import EDGES
from frontdesk.rules.organisation.query_relations import (
    ATTENDANCE,
    FLOORS,
    RELATIONS,
    VALUES,
    Relation,
    has_value,
    minutes_of,
    size_of,
    unknown_of,
    values_of,
)
from frontdesk.rules.organisation.query_rules import Found, Y
from frontdesk.rules.organisation.query_slots import free_stretches

#: How probable it is that a member of the organisation is in whom nothing tells of.
PRESUMED = 0.75
#: The rule of a state, by the condition or statement that asks for it.
_STATES = {"is_free": "free_in", "free": "free_in", "is_busy": "busy_in", "busy": "busy_in",
           "is_present": "present", "present": "present"}
#: Conditions on how long or how large something is.
_MEASURES = ("size", "larger", "smaller", "long", "longer", "shorter", "lasting")
_SIZES = _MEASURES[:3]
#: What was spoken of, if anything was.
_SPOKEN_OF = (Form("that"), Form("answers"))
_UNKNOWN = "those of which I don't know it are left out"
#: Rules that ask what somebody's events are.
_PRESENCE = ("present", "absent")


class QueryConditions(QueryClashes):
    """What must hold of the members of a set."""

    def condition(self, form: Form, base: EntitySet, times: Sequence[Form], *,
                  denied: bool = False) -> Found:
        """A condition as a goal about ``X``.

        Args:
            base: The set; the goal is asked of its candidates alone.
            times: Of the set, for a condition that has none of its own.
            denied: It is within ``not``, so that it holds of those of which it is not known.

        Returns:
            The goal, and all for which it can hold; None for any.

        Raises:
            MissingError: It asks for what is not known.
        """
        parts = parts_of(form.arguments)
        self.account.used.add(form)
        if form.head == "not":
            return self._negated(parts, base, times, denied=not denied)
        if form.head == "except":
            return self._except(parts)
        if form.head in _STATES and base.candidates and all(
                each in self.kb.events for each in base.candidates):
            raise MissingError(form.head)  # an event takes time and has none
        if form.head in _STATES:
            return self._state(_STATES[form.head], parts, base, times)
        if form.head == "clashes":
            return self.clashing(parts, base, times)
        if form.head in EDGES:
            return self.edge(form.head, parts, base)
        if form.head in _MEASURES:
            return self._measured(form, base, denied=denied)
        if form.head in VALUES:
            return self._valued(form.head, parts, base, denied=denied)
        if form.head == "related":
            return self._belonging(parts, base)
        if form.head in RELATIONS:
            return self._related(form.head, parts, base, times, denied=denied)
        if form.head in self.calendar.house_rules:
            return self.by_rule(self.calendar.house_rules[form.head], parts, base, times)
        raise MissingError(*parts.words[:1] or [form.head])

    def _negated(self, parts: Parts, base: EntitySet, times: Sequence[Form], *, denied: bool
                 ) -> Found:
        if [each.head for each in parts.conditions] == ["is_present"]:  # not: nothing is known
            return self._state("absent", parts_of(parts.conditions[0].arguments), base, times)
        name = self.program.named("both")
        self.program.rule(name, (X,), [self.condition(each, base, times, denied=denied)[0]
                                       for each in parts.conditions])
        return fails(name, X), None

    def _except(self, parts: Parts) -> Found:
        name = self.program.named("left_out")
        for each in parts.entities:
            if each in _SPOKEN_OF and not self.readings.meanings(each):
                self.note("I don't know which one you do not want")
            else:
                self.program.rule(name, (X,), [holds(self.of(each, pick=False).name, X)])
        return fails(name, X), None

    def _filtered(self, values: Mapping[str, object], fits: Callable[[str], bool], *,
                  denied: bool) -> Found:
        """A condition that is decided by a value, of those that have one."""
        name = self.program.named("fits")
        unknown = [each for each, value in values.items() if value in (None, [])]
        if denied and unknown:
            self.note(_UNKNOWN)
        found = [each for each in values if (denied if each in unknown else fits(each))]
        for each in found:
            self.program.fact(name, each)
        return holds(name, X), found

    def _measured(self, form: Form, base: EntitySet, *, denied: bool) -> Found:
        of = size_of if form.head in _SIZES else minutes_of
        measures: dict[str, Any] = {each: of(self.calendar, each) for each in base.candidates}
        if measures and all(each is None for each in measures.values()):
            raise MissingError(form.head)  # nobody lasts an hour: that is no no
        said = parts_of(form.arguments).number or 0 if form.head in _SIZES \
            else int(self.length(form).total_seconds() // 60)
        fits = {"longer": gt, "larger": gt, "shorter": lt, "smaller": lt}.get(form.head, eq)
        return self._filtered(measures, lambda each: fits(measures[each], said), denied=denied)

    def _valued(self, predicate: str, parts: Parts, base: EntitySet, *, denied: bool) -> Found:
        value = parts.number if parts.number is not None else next(iter(parts.words), None)
        values = {each: values_of(self.calendar, predicate, each) for each in base.candidates}
        if values and not any(values.values()):
            raise MissingError(predicate)
        if predicate in FLOORS and isinstance(value, str) and floor_named(value) is None:
            raise MissingError(value)
        shared = {value for form in parts.entities[:1] for each in self.of(form).candidates
                  for value in values_of(self.calendar, predicate, each)}
        if parts.entities:
            return self._filtered(values, lambda each: not shared.isdisjoint(values[each]),
                                  denied=denied)
        if value is None:  # that it has one
            return self._filtered(dict.fromkeys(values, True), lambda each: bool(values[each]),
                                  denied=denied)
        return self._filtered(values, lambda each: has_value(
            self.calendar, predicate, each, value), denied=denied)

    def _belonging(self, parts: Parts, base: EntitySet) -> Found:
        """Somebody's group, room or event, whatever the word for it is; not somebody's somebody."""
        kinds = {self.calendar.type_of(each) for each in base.candidates}
        if kinds == {EntityType.PERSON}:  # whosever it is
            raise MissingError(*parts.words[:1])
        owners = {self.calendar.type_of(each) for each in self.of(parts.entities[0]).candidates}
        for predicate in ("member_of", "held_by", "office", "location", "attends"):
            if any((kind, owner) in RELATIONS[predicate] for kind in kinds for owner in owners):
                return self._related(predicate, Parts(entities=parts.entities), base, [])
        raise MissingError(*parts.words[:1])

    # --- free, busy, present

    def _state(self, rule: str, parts: Parts, base: EntitySet, times: Sequence[Form]) -> Found:
        lasting = [each for each in parts.times if each.head == "lasting"]
        bounds = self.states(parts.times if len(parts.times) > len(lasting) else times)
        if lasting and rule == "free_in":
            return self.free_so_long(self.length(lasting[0]), bounds, base,
                                     at_once=self._from_an_hour(parts.times))
        candidates = [each for each in base.candidates if self.kb.entity(each).type
                      is not EntityType.EVENT]
        name, found = self.program.named("state"), dict[str, None]()
        for bounded in bounds:
            window, ask = self.facts.window(bounded.window), self.program.named("ask")
            sure = self.program.named("sure")
            for each in candidates:
                known = self._known(rule, each, bounded.window) if len(candidates) > FEW else None
                if known is not False:
                    found[each] = None
                    self.program.fact(ask if known is None else sure, each)
                if known is None:
                    self.facts.busy(each, bounded.window, each=rule in _PRESENCE)
                if known is None and rule == "present" and len(candidates) < len(self.kb.people) \
                        and self.calendar.presumes(each, bounded.window):
                    self.program.fact("presumed", each, window, probability=PRESUMED)
            self.program.rule(name, (X,), [*bounded.body, holds(sure, X)])
            self.program.rule(name, (X,), [*bounded.body, holds(ask, X), holds(rule, X, window)])
        return holds(name, X), found

    def _known(self, rule: str, entity_id: str, window: Window) -> bool | None:
        """Whether a state is certain in a window; None where the rules are to be asked."""
        person = self.kb.people.get(entity_id)
        if rule in _PRESENCE:
            away = any(self.calendar.is_away(event) for event in self.kb.timeline(
                entity_id).during(minutes(window.start), minutes(window.end)))
            expected = person is not None and person.office and self.calendar.is_working(window)
            return None if away or not expected else rule == "present"
        if entity_id in self.kb.groups:
            return None if self.calendar.taking_up(entity_id, window) else rule == "free_in"
        events = self.calendar.choose.taking_up(entity_id, window, all_of_it=False)
        if events and (person is None or events[0].comes(entity_id) == 1.0):
            return rule == "busy_in"
        return None if events else rule == "free_in"

    def _from_an_hour(self, times: Sequence[Form]) -> bool:
        """Whether a time begins at an hour and nothing says when it ends: "from two"."""
        heads = [each.head for each in times if each.head not in ("at", "lasting")]
        return heads == ["from"] and all(
            window.start == window.end for each in times if each.head == "from"
            for window, _ in self.readings.windows(each))

    def free_so_long(self, length: dt.timedelta, bounds: Iterable[Bounded], base: EntitySet, *,
                     at_once: bool = False) -> Found:
        """Free for a length of time at some time of a window; ``at_once`` from its beginning on,
        as from an instant."""
        name, found = self.program.named("so_long"), set[str]()
        for bounded in bounds:
            window = bounded.window
            begins = at_once or window.start == window.end
            if begins:
                window = Window(window.start, window.start + length)
            for each in base.candidates:
                if any(slot.end - slot.start >= length for slot in free_stretches(
                        self.calendar, [each], window, hours=not begins)):
                    self.program.rule(name, (each,), bounded.body)
                    found.add(each)
        return holds(name, X), found

    # --- relations

    def _related(self, predicate: str, parts: Parts, base: EntitySet, times: Sequence[Form], *,
                 denied: bool = False) -> Found:
        """That they are related to some, or to all, of a set."""
        if parts.words and not parts.entities:
            raise MissingError(*parts.words)
        given = self._given(predicate, parts, times) if parts.entities else None
        table, name = RELATIONS[predicate], self.program.named("related")
        pair, found = self.program.named("pair"), set[str]()
        for (kind, other), relation in table.items():
            ones = [each for each in base.candidates if self.calendar.type_of(each) is kind]
            others = [each for each in self._others(given, other, ones, relation)
                      if self.calendar.type_of(each) is other]
            if ones and others:
                found |= self._relate(pair, relation, (ones, others), parts.times or times)
        types = {self.calendar.type_of(each) for each in base.candidates}
        fits = {other for kind, other in table if kind in types}
        if base.candidates and (not fits or (given is not None and given.candidates and not any(
                self.calendar.type_of(each) in fits for each in given.candidates))):
            raise MissingError(predicate)  # a person attends no person: that is no no
        self._quantified(name, pair, given)
        unknown = unknown_of(self.calendar, predicate, base.candidates) \
            if denied and given is not None else []
        if unknown:
            self.note(_UNKNOWN)
        for each in unknown:
            self.program.rule(name, (each,), [])
        return holds(name, X), {*found, *unknown}

    def _given(self, predicate: str, parts: Parts, times: Sequence[Form]) -> EntitySet:
        """What they are to be related to; what is attended at a time is at that time."""
        form, own = self._with_offices(predicate, parts.entities[0]), parts.times or times
        given = self.of(form, own)
        if own and predicate in ATTENDANCE and any(
                each in self.kb.events for each in given.candidates):
            return self.of(Form(form.head, (*form.arguments, *own)))
        return given

    def _with_offices(self, predicate: str, form: Form) -> Form:
        """A form; rooms that are described and are somebody's are offices, which others are not."""
        if form.head != "room" or reference(form, self.resolution) is not None \
                or predicate not in ("office", "office_of", "location"):
            return form
        offices = Form("room", (*form.arguments, Form("office")))
        return Form("or", (form, offices)) if predicate == "location" else offices

    def _others(self, given: EntitySet | None, kind: EntityType, ones: Sequence[str],
                relation: Relation) -> Iterable[str]:
        """What entities are to be related to: a set, or whatever they are related to."""
        if given is not None:
            return given.candidates
        backward = next((each for (one, other), each in RELATIONS.get(
            relation.predicate, {}).items() if one is kind), None)
        return [] if backward is None else [
            other for one in ones for other in backward.find(self.calendar, one)]

    def _quantified(self, name: str, pair: str, given: EntitySet | None) -> None:
        if given is None:
            self.program.rule(name, (X,), [holds(pair, X, Y)])
        elif not given.every:
            self.program.rule(name, (X,), [holds(given.name, Y), holds(pair, X, Y)])
        else:
            lacks = self.program.named("lacks")
            self.program.rule(lacks, (X,), [holds(given.name, Y), fails(pair, X, Y)])
            self.program.rule(name, (X,), [holds(given.name, Y), holds(pair, X, Y),
                                           fails(lacks, X)])

    def _relate(self, pair: str, relation: Relation, sides: tuple[list[str], list[str]],
                times: Sequence[Form]) -> set[str]:
        """Add the rule of a relation and the facts that it rests on."""
        ones, others = sides
        if relation.timed:
            return self._placed(pair, relation, sides, times)
        near = {found for each in others for found in relation.find(self.calendar, each)}
        ones = [each for each in ones if each in near]
        arguments = (X, Y) if relation.forward else (Y, X)
        self.program.rule(pair, (X, Y), [holds(relation.predicate, *arguments)])
        for each in (*ones, *others):
            self.facts.entity(each)
        people = {each for side in (ones, others) for each in side if each in self.kb.people}
        for group in (each for side in (ones, others) for each in side if each in self.kb.groups):
            self.facts.members(group)
            people |= {person.id for person in self.kb.members(group)}
        for event in (each for side in (ones, others) for each in side if each in self.kb.events):
            if relation.predicate in ("location", "located"):
                self.facts.rooms(event)
            if relation.predicate in ("held_by", "with_group"):
                self.facts.holder(event)
            self.facts.participants(event, people)
        return set(ones)

    def _placed(self, pair: str, relation: Relation, sides: tuple[list[str], list[str]],
                times: Sequence[Form]) -> set[str]:
        """Where people are at a time."""
        ones, others = sides
        people, rooms = (ones, others) if relation.forward else (others, ones)
        found: set[str] = set()
        for bounded in self.states(times):
            window = self.facts.window(bounded.window)
            span = minutes(bounded.window.start), minutes(bounded.window.end)
            near = {person for room in rooms for event in self.kb.timeline(room).during(*span)
                    for person in event.participants()}
            near |= {owner.id for room in rooms for owner in self.kb.office_owners(room)}
            for person in people:
                if person in near:
                    self.facts.busy(person, bounded.window, each=True)
            arguments = (X, window, Y) if relation.forward else (Y, window, X)
            self.program.rule(pair, (X, Y), [*bounded.body, holds("place", *arguments)])
            found |= near if relation.forward else set(rooms)
        return found & set(ones)
