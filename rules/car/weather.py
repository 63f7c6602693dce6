"""Reasoning about the weather by ``weather.pl``."""

from __future__ import annotations

from collections.abc import Iterable

from frontdesk.kg.car.car_types import CarType
from frontdesk.kg.car.car_words import (
    KINDS_OF_TEMPERATURE,
    NOT_COLD,
    NOT_WARM,
    PARTS_OF_WEEK,
    PERIODS,
    WEEKDAYS,
    weather_comes_near,
    weather_counts_as,
)
from frontdesk.kg.graph.facts import Fact
from frontdesk.rules.engine.derivation import MOST, Derivation

#: What is meant when no day is said: the week, and today if it is not about a kind of weather.
_TODAY, _WEEK = "today", "this week"


class WeatherDerivation(Derivation):
    """Derives the weather of places, days and stretches of days."""

    program = "weather.pl"

    def run(self) -> list[Fact]:
        self.kinds = self.of_goal(CarType.WEATHER)
        self.when = [*self.of_goal(CarType.PERIOD), *self.of_goal(CarType.DAY)][:MOST]
        self.places = self.of_goal(CarType.PLACE)
        asked = self.goal.asked
        hottest, coldest = ({"hottest_day", "hottest_place"} & set(asked),
                            {"coldest_day", "coldest_place"} & set(asked))
        compared = bool(hottest or coldest)
        spoken_of = self.when
        if not self.when:
            stretches = [_WEEK] if self.kinds or compared else [_TODAY, _WEEK]
            self.when = [each.id for name in stretches for each in self.base.named(name)]
        self._load()
        for period in self.of_goal(CarType.PERIOD):
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
        days = {self.base.entity(day).name: day for day in self.base.of_type(CarType.DAY)}
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
            if self.base.entity(period).type is CarType.DAY:
                self.add("has_day", period, period)
        conditions = set()
        for place in self.places or self.base.of_type(CarType.PLACE):
            for fact in self.stored([place], "forecast"):
                self.add("forecast", *(each for each in fact.arguments
                                       if isinstance(each, str | int)))
                conditions.add(str(fact.arguments[2]))
        for kind in self.kinds:
            for condition in sorted(conditions):
                if condition == kind or weather_counts_as(
                        self.base.entity(condition).name, self.base.entity(kind).name):
                    self.add("counts_as", condition, kind)
                elif weather_comes_near(self.base.entity(condition).name,
                                        self.base.entity(kind).name):
                    self.add("comes_near", condition, kind)

    def _at(self, place: str, period: str, *, listed: bool, compared: bool) -> None:
        """The weather of one place in one stretch of days."""
        known = sorted(self.ask("weather_then", place, period, None, None, None, None),
                       key=lambda each: self._order(each[0]))
        if not known:
            return
        premises = self._forecasts(place, (day for day, *_ in known))
        if self.base.entity(period).type is CarType.PERIOD and len(known) == 1:
            self.derived("weather_then", place, period, *known[0],
                         premises=[*self.base.facts_of("today"), *premises])
        if listed and len(known) > 1:
            weathers = tuple(dict.fromkeys(weather for _, weather, _, _ in known))
            self.derived("outlook", place, period, weathers, rule="weather_then",
                         premises=premises)
        if "temperatures" in self.goal.asked or any(map(self._is_of_temperature, self.kinds)):
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
        single = len(self.ask("in_stretch", period, None)) == 1
        days = self._in_order(day for day, in self.ask("will_be", place, kind, period, None))
        if days:
            self.derived("will_be", place, kind, period, () if single else days,
                         premises=self._forecasts(place, days))
            return
        near = sorted(self.ask("nearly_be", place, kind, period, None, None),
                      key=lambda each: self._order(each[1]))
        if near:
            days = self._in_order(day for _, day in near)
            self.derived("nearly_be", place, kind, period,
                         tuple(dict.fromkeys(weather for weather, _ in near)),
                         () if single else days, premises=self._forecasts(place, days))
        elif self.ask("will_not_be", place, kind, period):
            self.derived("will_not_be" if self._rules_out(place, kind, period)
                         else "not_forecast", place, kind, period, rule="will_not_be",
                         premises=premises)

    def _rules_out(self, place: str, kind: str, period: str) -> bool:
        """Whether what is not forecast will not be: of warmth only the temperatures can tell."""
        if not self._is_of_temperature(kind):
            return True
        if self.base.entity(kind).name == "cold":
            return not self.ask("colder_day", place, period, NOT_COLD)
        return not self.ask("hotter_day", place, period, NOT_WARM)

    def _is_of_temperature(self, kind: str) -> bool:
        return self.base.entity(kind).name in KINDS_OF_TEMPERATURE

    def _anywhere(self, period: str, *, hottest: bool, coldest: bool) -> None:
        """Where it will rain, where it is hottest."""
        for kind in self.kinds:
            places = self.by_name(dict.fromkeys(
                place for place, _ in self.ask("will_be", None, kind, period, None)))
            if places:
                self.derived("places_with", kind, period, places, rule="will_be",
                             premises=self._during(places, period))
            elif (self.ask("will_not_be", None, kind, period)
                  and not self._is_of_temperature(kind)
                  and not self.ask("nearly_be", None, kind, period, None, None)):
                self.derived("no_place_with", kind, period, rule="will_not_be",
                             premises=self._during(self.base.of_type(CarType.PLACE), period))
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
