"""Reasoning of the in-car assistant: derived facts about what a turn is about.

As in :mod:`frontdesk.rules.reasoner` facts are derived goal-directed, over the slice of the graph
around the entities of the goal, and are as probable as the links they rest on.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable
from importlib.resources import files
from typing import Any

from problog.engine import DefaultEngine
from problog.logic import Constant, Term
from problog.program import PrologString

from frontdesk.kg.car_words import (
    PARTS_OF_WEEK,
    PERIODS,
    WEATHER_KINDS,
    WEEKDAYS,
    traffic_delay,
)
from frontdesk.kg.entities import EntityType
from frontdesk.kg.fact_base import FactBase
from frontdesk.kg.facts import Argument, Fact, Provenance
from frontdesk.rules.reasoner import Goal

WEATHER, NAVIGATION, APPOINTMENTS = "weather.pl", "navigation.pl", "appointments.pl"
_UNKNOWN_FAILS = 1
#: Entities of one type that facts are derived for, the most probable first.
_MOST = 4
#: What is meant when no day is said: the week, and today if it is not about a kind of weather.
_TODAY, _WEEK = "today", "this week"
_MINUTES_A_DAY = 24 * 60


class CarReasoner:
    """Derives facts by ``weather.pl``, ``navigation.pl`` and ``appointments.pl``.

    Args:
        base: The stored facts.
    """

    def __init__(self, base: FactBase) -> None:
        self.base = base
        programs = [name for name, predicate in (
            (WEATHER, "forecast"), (NAVIGATION, "category"), (APPOINTMENTS, "activity"))
            if base.facts_of(predicate)]
        self._rules = DefaultEngine().prepare(PrologString("\n".join(map(car_program, programs))))

    def derive(self, goal: Goal, *, now: dt.datetime) -> list[Fact]:
        """The derived facts for a goal, each with its probability and rule.

        Args:
            goal: What can be asked about.
            now: Not used: what day it is stands in the graph.
        """
        facts: list[Fact] = []
        for kind, of_goal in ((_Weather, "forecast"), (_Navigation, "category"),
                              (_Appointments, "activity")):
            if self.base.facts_of(of_goal):
                facts.extend(kind(self.base, self._rules, goal).run())
        return list(dict.fromkeys(facts))


def car_program(name: str) -> str:
    """The text of one of the packaged programs."""
    return (files("frontdesk.rules") / name).read_text(encoding="utf-8")


class _Derivation:
    """One turn's reasoning over one slice."""

    program = ""

    def __init__(self, base: FactBase, rules: Any, goal: Goal) -> None:
        self.base, self.goal = base, goal
        self.engine = DefaultEngine(unknown=_UNKNOWN_FAILS)
        self.database = rules.extend()
        self.facts: list[Fact] = []
        self._constants: dict[str, Term] = {}
        self._ids: dict[str, str] = {}

    def of_goal(self, kind: EntityType) -> list[str]:
        """The entities of the goal of a type, the most probable first."""
        found = [each for each in self.goal.entities if self.base.entity(each).type is kind]
        return sorted(found, key=lambda each: -self.goal.entities[each])[:_MOST]

    def add(self, predicate: str, *arguments: str | int) -> None:
        self.database += Term(predicate, *map(self._term, arguments))

    def ask(self, predicate: str, *arguments: str | int | None) -> list[tuple[Any, ...]]:
        """The distinct values of the arguments left open, for every solution."""
        query = Term(predicate, *(None if each is None else self._term(each)
                                  for each in arguments))
        return list(dict.fromkeys(
            tuple(self._value(value) for value, argument in zip(solution, arguments, strict=True)
                  if argument is None)
            for solution in self.engine.query(self.database, query)))

    def derived(self, predicate: str, *arguments: Argument, rule: str = "",
                premises: Iterable[Fact] = ()) -> None:
        """Add a fact, as probable as the links to the entities of the goal it is about."""
        probability = 1.0
        for argument in arguments:
            if isinstance(argument, str):
                probability *= self.goal.entities.get(argument, 1.0)
        self.facts.append(Fact(predicate, arguments, probability, Provenance(
            f"{self.program}:{rule or predicate}",
            tuple(dict.fromkeys(self.readable(each) for each in premises)))))

    def readable(self, fact: Fact) -> str:
        """``distance(Corner Fuel, 2 miles)``."""
        said = [self.base.entity(each).name if isinstance(each, str) and each in self.base
                else str(each) for each in fact.arguments]
        return f"{fact.predicate}({', '.join(said)})"

    def stored(self, entities: Iterable[str], *predicates: str) -> list[Fact]:
        """The stored facts of some predicates about entities, for premises."""
        return [fact for entity in entities for fact in self.base.facts_about(entity)
                if fact.predicate in predicates]

    def by_name(self, entities: Iterable[str]) -> tuple[str, ...]:
        return tuple(sorted(entities, key=lambda each: (self.base.entity(each).name, each)))

    def _term(self, value: str | int) -> Any:
        if isinstance(value, int):
            return Constant(value)
        if value not in self._constants:
            constant = f"c{len(self._constants)}"
            self._constants[value], self._ids[constant] = Term(constant), value
        return self._constants[value]

    def _value(self, term: Any) -> str | int:
        return int(term) if isinstance(term, Constant) else self._ids[str(term)]


class _Weather(_Derivation):
    program = WEATHER

    def run(self) -> list[Fact]:
        self.kinds = self.of_goal(EntityType.WEATHER)
        self.when = [*self.of_goal(EntityType.PERIOD), *self.of_goal(EntityType.DAY)][:_MOST]
        self.places = self.of_goal(EntityType.PLACE)
        asked = self.goal.asked
        hottest, coldest = ({"hottest_day", "hottest_place"} & set(asked),
                            {"coldest_day", "coldest_place"} & set(asked))
        compared = bool(hottest or coldest)
        spoken_of = self.when
        if not self.when:
            stretches = [_WEEK] if self.kinds or compared else [_TODAY, _WEEK]
            self.when = [each.id for name in stretches for each in self.base.named(name)]
        self._load()
        for period in self.of_goal(EntityType.PERIOD):
            for day, in self.ask("relative_day", period, None):
                self.derived("relative_day", period, day, premises=self.base.facts_of("today"))
        for place in self.places:
            for period in self.when:
                self._at(place, period, listed=bool(spoken_of) or not self.kinds,
                         compared=compared or not self.kinds)
        if not self.places:
            for period in self.when:
                self._anywhere(period, hottest=bool(hottest), coldest=bool(coldest))
        return self.facts

    def _load(self) -> None:
        for fact in self.base.facts_of("today"):
            self.add("today", str(fact.arguments[0]))
        days = {self.base.entity(day).name: day for day in self.base.of_type(EntityType.DAY)}
        week = [days[name] for name in WEEKDAYS if name in days]
        for position, day in enumerate(week):
            self.add("follows", day, week[(position + 1) % len(week)])
        for period in self.when:
            name = self.base.entity(period).name
            if name in PERIODS:
                self.add("stretch", period, *PERIODS[name])
            for day_name in PARTS_OF_WEEK.get(name, ()):
                if day_name in days:
                    self.add("has_day", period, days[day_name])
            if self.base.entity(period).type is EntityType.DAY:
                self.add("has_day", period, period)
        conditions = set()
        for place in self.places or self.base.of_type(EntityType.PLACE):
            for fact in self.stored([place], "forecast"):
                self.add("forecast", *(each for each in fact.arguments
                                       if isinstance(each, str | int)))
                conditions.add(str(fact.arguments[2]))
        for kind in self.kinds:
            for condition in sorted(conditions):
                if condition == kind or weather_counts_as(
                        self.base.entity(condition).name, self.base.entity(kind).name):
                    self.add("counts_as", condition, kind)

    def _at(self, place: str, period: str, *, listed: bool, compared: bool) -> None:
        """The weather of one place in one stretch of days."""
        known = sorted(self.ask("weather_then", place, period, None, None, None, None),
                       key=lambda each: self._order(each[0]))
        if not known:
            return
        premises = self._forecasts(place, (day for day, *_ in known))
        if self.base.entity(period).type is EntityType.PERIOD and len(known) == 1:
            self.derived("weather_then", place, period, *known[0],
                         premises=[*self.base.facts_of("today"), *premises])
        if listed and len(known) > 1:
            weathers = tuple(dict.fromkeys(weather for _, weather, _, _ in known))
            self.derived("outlook", place, period, weathers, rule="weather_then",
                         premises=premises)
        if "temperatures" in self.goal.asked:
            self.derived("temperatures", place, period, min(low for *_, low, _ in known),
                         max(high for *_, high in known), rule="weather_then", premises=premises)
        for kind in self.kinds:
            self._of_kind(place, kind, period, premises)
        if compared and len(known) > 1:
            for predicate in ("hottest_day", "coldest_day"):
                solutions = self.ask(predicate, place, period, None, None)
                days = self._in_order(day for day, _ in solutions)
                self.derived(predicate, place, period, days, solutions[0][1],
                             premises=self._forecasts(place, days))

    def _of_kind(self, place: str, kind: str, period: str, premises: list[Fact]) -> None:
        days = self._in_order(day for day, in self.ask("will_be", place, kind, period, None))
        if days:
            single = len(self.ask("in_stretch", period, None)) == 1
            self.derived("will_be", place, kind, period, () if single else days,
                         premises=self._forecasts(place, days))
        elif self.ask("will_not_be", place, kind, period):
            self.derived("will_not_be", place, kind, period, premises=premises)

    def _anywhere(self, period: str, *, hottest: bool, coldest: bool) -> None:
        """Where it will rain, where it is hottest."""
        for kind in self.kinds:
            places = self.by_name(dict.fromkeys(
                place for place, _ in self.ask("will_be", None, kind, period, None)))
            if places:
                self.derived("places_with", kind, period, places, rule="will_be",
                             premises=self._during(places, period))
            elif self.ask("will_not_be", None, kind, period):
                self.derived("no_place_with", kind, period, rule="will_not_be",
                             premises=self._during(self.base.of_type(EntityType.PLACE), period))
        for predicate, wanted in (("hottest_place", hottest), ("coldest_place", coldest)):
            solutions = self.ask(predicate, period, None, None) if wanted else []
            if solutions:
                places = self.by_name(dict.fromkeys(place for place, _ in solutions))
                self.derived(predicate, period, places, solutions[0][1],
                             premises=self._during(places, period))

    def _during(self, places: Iterable[str], period: str) -> list[Fact]:
        days = [day for day, in self.ask("in_stretch", period, None)]
        return [fact for place in places for fact in self._forecasts(place, days)]

    def _forecasts(self, place: str, days: Iterable[str]) -> list[Fact]:
        wanted = set(days)
        return [fact for fact in self.stored([place], "forecast") if fact.arguments[1] in wanted]

    def _order(self, day: str) -> int:
        """Days from today."""
        today = next((str(fact.arguments[0]) for fact in self.base.facts_of("today")), day)
        names = [self.base.entity(each).name for each in (day, today)]
        if not set(names) <= set(WEEKDAYS):
            return 0
        return (WEEKDAYS.index(names[0]) - WEEKDAYS.index(names[1])) % len(WEEKDAYS)

    def _in_order(self, days: Iterable[str]) -> tuple[str, ...]:
        return tuple(sorted(dict.fromkeys(days), key=self._order))


def weather_counts_as(condition: str, kind: str) -> bool:
    """Whether forecast words are of a kind of weather: ``light drizzle`` is ``rain``."""
    known = WEATHER_KINDS.get(kind)
    return known is not None and not known.terms.isdisjoint(condition.lower().split())


class _Navigation(_Derivation):
    program = NAVIGATION

    def run(self) -> list[Fact]:
        pois = self.of_goal(EntityType.POI)
        categories = self.of_goal(EntityType.CATEGORY)
        own = [str(fact.arguments[1]) for fact in self.stored(pois, "category")]
        everything = list(dict.fromkeys([*categories, *own]))
        self.members = {category: self._members(category) for category in everything}
        self._load(everything, pois)
        for category in categories:
            self._about_category(category)
        for poi in pois:
            self._about_poi(poi)
        self._compare(pois)
        if {"nearest", "quickest"} & set(self.goal.asked):
            for category in own:
                if category not in categories and len(self.members[category]) > 1:
                    self._about_category(category)
        return self.facts

    def _members(self, category: str) -> tuple[str, ...]:
        return tuple(str(fact.arguments[0]) for fact in self.base.facts_of("category")
                     if fact.arguments[1] == category)

    def _load(self, categories: Iterable[str], pois: Iterable[str]) -> None:
        self.limits: dict[int, str] = {}
        for limit in self.of_goal(EntityType.DISTANCE):
            number = miles(self.base.entity(limit).name)
            if number is not None:
                self.limits[number] = limit
                self.add("limit", number)
        slice_ = dict.fromkeys([*pois, *(member for category in categories
                                         for member in self.members[category])])
        self.miles: dict[str, str] = {}
        for fact in self.stored(slice_, "category", "distance", "traffic"):
            poi, value = str(fact.arguments[0]), str(fact.arguments[1])
            if fact.predicate == "category":
                if value in self.members:
                    self.add("category", poi, value)
            elif fact.predicate == "traffic":
                self.add("delay", poi, traffic_delay(self.base.entity(value).name))
            else:
                number = miles(self.base.entity(value).name)
                if number is not None:
                    self.miles[poi] = value
                    self.add("distance", poi, number)

    def _about_category(self, category: str) -> None:
        members = self.members[category]
        premises = self.stored(members, "category", "distance")
        situation = self.stored(members, "distance", "traffic")
        ordered = self._by_distance(members)
        if members:
            self.derived("listed", category, ordered, rule="category", premises=premises)
        nearest = self._by_distance(poi for poi, in self.ask("nearest", category, None))
        if nearest:
            self.derived("nearest", category, nearest, self.miles[nearest[0]], premises=premises)
        quickest = self._by_distance(poi for poi, in self.ask("quickest", category, None))
        if quickest:
            self.derived("quickest", category, quickest, premises=situation)
        clear = self._by_distance(poi for poi, in self.ask("clear_way", category, None))
        if clear:
            self.derived("without_heavy_traffic", category, clear, rule="clear_way",
                         premises=situation)
        elif self.ask("no_clear_way", category):
            self.derived("heavy_traffic_everywhere", category, rule="no_clear_way",
                         premises=situation)
        for number, limit in self.limits.items():
            near = {poi for poi, in self.ask("within", None, number)}.intersection(members)
            if near:
                self.derived("within", category, limit, self._by_distance(near),
                             premises=premises)
            elif self.ask("none_within", category, number):
                self.derived("none_within", category, limit, premises=premises)

    def _about_poi(self, poi: str) -> None:
        for number, limit in self.limits.items():
            for rule, predicate in (("within", "is_within"), ("beyond", "not_within")):
                if self.ask(rule, poi, number):
                    self.derived(predicate, poi, limit, self.miles[poi], rule=rule,
                                 premises=self.stored([poi], "distance"))
        others = self._by_distance(other for other, in self.ask("less_traffic", poi, None)
                                   if other != poi)
        if others and {"less_traffic", "without_heavy_traffic"} & set(self.goal.asked):
            self.derived("less_traffic", poi, others,
                         premises=self.stored([poi, *others], "traffic"))

    def _compare(self, pois: list[str]) -> None:
        """Which of two is nearer (paper, section 4.1)."""
        pairs = {(one, other) for one in pois for other in pois if one != other}
        for members in self.members.values():
            if len(members) == 2 and "nearer" in self.goal.asked:
                pairs |= {members, members[::-1]}
        for one, other in sorted(pairs):
            if self.ask("nearer", one, other):
                self.derived("nearer", one, self.miles[one], other, self.miles[other],
                             premises=self.stored([one, other], "distance"))

    def _by_distance(self, pois: Iterable[str]) -> tuple[str, ...]:
        def key(poi: str) -> tuple[int, str, str]:
            number = miles(self.base.entity(self.miles[poi]).name) if poi in self.miles else None
            return (number if number is not None else 1000, self.base.entity(poi).name, poi)
        return tuple(sorted(dict.fromkeys(pois), key=key))


def miles(distance: str) -> int | None:
    """The number of ``4 miles``; None where there is none."""
    match = re.match(r"\s*(\d+)", distance)
    return int(match[1]) if match else None


class _Appointments(_Derivation):
    program = APPOINTMENTS

    def run(self) -> list[Fact]:
        activities, days = self.of_goal(EntityType.ACTIVITY), self.of_goal(EntityType.DAY)
        appointments = self.of_goal(EntityType.APPOINTMENT)
        parties = self.of_goal(EntityType.PARTY)
        self._load()
        for activity in activities:
            self._about_activity(activity)
            for value in (*days, *parties):
                found = self._in_order(each for each, in self.ask("matching", activity, value,
                                                                  None))
                if found:
                    self.derived("matching", activity, value, found,
                                 premises=self.stored(found, *_WHEN, "party"))
        for day in days:
            found = self._in_order(each for each, in self.ask("on_day", day, None))
            if found:
                self.derived("day_appointments", day, found, rule="on_day",
                             premises=self.stored(found, *_WHEN))
            elif self.base.facts_of("activity"):
                self.derived("free_day", day, rule="on_day")
        for party in parties:
            found = self._in_order(each for each, in self.ask("with_party", party, None))
            if found:
                self.derived("party_appointments", party, found, rule="with_party",
                             premises=self.stored(found, "party"))
        for one in appointments:
            for other in appointments:
                if one != other and self.ask("before", one, other):
                    self.derived("before", one, other,
                                 premises=self.stored([one, other], *_WHEN))
        return self.facts

    def _load(self) -> None:
        today = next((self.base.entity(str(fact.arguments[0])).name
                      for fact in self.base.facts_of("today")), WEEKDAYS[0])
        for fact in self.base.facts_of("activity"):
            self.add("activity", *map(str, fact.arguments))
        for fact in self.base.facts_of("party"):
            self.add("party", *map(str, fact.arguments))
        for predicate in _WHEN:
            for fact in self.base.facts_of(predicate):
                self._add_time(fact, today)

    def _add_time(self, fact: Fact, today: str) -> None:
        appointment = str(fact.arguments[0])
        day = next((each for each in fact.arguments[1:] if isinstance(each, str)), None)
        time = next((each for each in fact.arguments if isinstance(each, dt.time)), dt.time())
        if day is None:
            return
        self.add("day", appointment, day)
        scale = position_of_day(self.base.entity(day).name, today)
        if scale is not None:
            self.add("place_in_time", appointment, scale[0],
                     scale[1] * _MINUTES_A_DAY + time.hour * 60 + time.minute)

    def _about_activity(self, activity: str) -> None:
        found = self._in_order(each for each, in self.ask("referent", activity, None))
        if not found:
            return
        self.derived("occurrences", activity, found,
                     rule="several" if self.ask("several", activity) else "referent",
                     premises=self.stored(found, *_WHEN))
        for appointment, in self.ask("next_appointment", activity, None):
            self.derived("next_appointment", activity, appointment,
                         premises=self.stored(found, *_WHEN))

    def _in_order(self, appointments: Iterable[str]) -> tuple[str, ...]:
        """The earlier first, as far as it is known; dates before weekdays."""
        at = {appointment: (str(scale), int(number)) for appointment, scale, number
              in self.ask("place_in_time", None, None, None)}
        return tuple(sorted(dict.fromkeys(appointments),
                            key=lambda each: (at.get(each, ("", 0)), each)))


_WHEN = ("scheduled", "on_day", "at_time")


def position_of_day(name: str, today: str) -> tuple[str, int] | None:
    """The scale that a day is of and its place on it: ``the 8th`` is 8 of the month.

    Weekdays are counted from today; None for a day that cannot be placed.
    """
    match = re.fullmatch(r"(?:the )?(\d{1,2})(?:st|nd|rd|th)", name)
    if match:
        return "month", int(match[1])
    if name in WEEKDAYS and today in WEEKDAYS:
        return "week", (WEEKDAYS.index(name) - WEEKDAYS.index(today)) % len(WEEKDAYS)
    return None
