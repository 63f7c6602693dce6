"""Reasoning about the driver's calendar by ``appointments.pl``."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable

from frontdesk.kg.car.car_types import CarType
from frontdesk.kg.car.car_words import WEEKDAYS
from frontdesk.kg.graph.facts import Fact
from frontdesk.rules.engine.derivation import Derivation

_WHEN = ("scheduled", "on_day", "at_time")
_MINUTES_A_DAY = 24 * 60


class AppointmentDerivation(Derivation):
    """Derives which appointments there are, come next, are on a day or with somebody."""

    program = "appointments.pl"

    def run(self) -> list[Fact]:
        activities, days = self.of_goal(CarType.ACTIVITY), self.of_goal(CarType.DAY)
        periods = self.of_goal(CarType.PERIOD)
        days += [str(fact.arguments[1]) for fact in self.base.facts_of("relative_day")
                 if fact.arguments[0] in periods and fact.arguments[1] not in days]
        appointments = self.of_goal(CarType.APPOINTMENT)
        parties = self.of_goal(CarType.PARTY)
        self._load()
        for activity in activities:
            self._about_activity(activity)
            for predicate, values in (("matching_day", days), ("matching_party", parties)):
                for value in values:
                    found = self._in_order(
                        each for each, in self.ask(predicate, activity, value, None))
                    if found:
                        self.derived(predicate, activity, value, found,
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
        for activity in activities:
            referents = self.ask("referent", activity, None)
            appointments += [str(only) for only, in referents if len(referents) == 1]
        for one in dict.fromkeys(appointments):
            for other in dict.fromkeys(appointments):
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
                     premises=self.stored(found, "activity", *_WHEN))
        for appointment, in self.ask("next_appointment", activity, None):
            self.derived("next_appointment", activity, appointment,
                         premises=self.stored(found, *_WHEN))

    def _in_order(self, appointments: Iterable[str]) -> tuple[str, ...]:
        """The earlier first, as far as it is known; dates before weekdays."""
        at = {appointment: (str(scale), int(number)) for appointment, scale, number
              in self.ask("place_in_time", None, None, None)}
        return tuple(sorted(dict.fromkeys(appointments),
                            key=lambda each: (at.get(each, ("", 0)), each)))


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
