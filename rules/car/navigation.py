"""Reasoning about the places around by ``navigation.pl``."""

from __future__ import annotations

import re
from collections.abc import Iterable

from frontdesk.kg.car.car_types import CarType
from frontdesk.kg.car.car_words import traffic_delay
from frontdesk.kg.graph.facts import Fact
from frontdesk.rules.engine.derivation import Derivation

#: In miles; places of which the distance is not known come last.
_FARTHEST = 10_000


class NavigationDerivation(Derivation):
    """Derives which places are nearest, within reach, quickest, free of traffic."""

    program = "navigation.pl"

    def run(self) -> list[Fact]:
        pois = self.of_goal(CarType.POI)
        categories = self.of_goal(CarType.CATEGORY)
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
        for limit in self.of_goal(CarType.DISTANCE):
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
        listed = self._by_distance(poi for poi, in self.ask("listed", category, None))
        if listed:
            self.derived("listed", category, listed, premises=premises)
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
        if {"without_traffic", "least_traffic"} & set(self.goal.asked):
            self._about_traffic(category, situation)
        for number, limit in self.limits.items():
            near = {poi for poi, in self.ask("within", None, number)}.intersection(members)
            if near:
                self.derived("within", category, limit, self._by_distance(near),
                             premises=premises)
            elif self.ask("none_within", category, number):
                self.derived("none_within", category, limit, premises=premises)

    def _about_traffic(self, category: str, situation: list[Fact]) -> None:
        """Where there is no traffic at all, or the least."""
        free = self._by_distance(poi for poi, in self.ask("free_way", category, None))
        if free:
            self.derived("without_traffic", category, free, rule="free_way", premises=situation)
        elif self.ask("no_free_way", category):
            self.derived("traffic_everywhere", category, rule="no_free_way", premises=situation)
        least = self._by_distance(poi for poi, in self.ask("least_traffic", category, None))
        if least:
            self.derived("least_traffic", category, least, premises=situation)

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
        """Which of two is nearer (paper, section 4.1), which of those named is the quickest."""
        if len(pois) > 1 and "quickest" in self.goal.asked:
            for poi in pois:
                self.add("chosen", poi)
            quickest = self._by_distance(poi for poi, in self.ask("quickest_chosen", None))
            if quickest:
                self.derived("quickest_of", tuple(pois), quickest, rule="quickest_chosen",
                             premises=self.stored(pois, "distance", "traffic"))
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
            return (number if number is not None else _FARTHEST, self.base.entity(poi).name, poi)
        return tuple(sorted(dict.fromkeys(pois), key=key))


def miles(distance: str) -> int | None:
    """The number of ``4 miles``; None where there is none."""
    match = re.match(r"\s*(\d+)", distance)
    return int(match[1]) if match else None
