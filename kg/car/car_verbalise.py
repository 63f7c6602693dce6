"""Facts of the in-car assistant as sentences (paper, section 3.2.3), by the schema's templates."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from functools import cached_property

from frontdesk.kg.car.car_schema import CAR
from frontdesk.kg.car.car_types import CarType
from frontdesk.kg.car.car_words import RELATIONS, WEATHER_KINDS, say_weather
from frontdesk.kg.english import phrases
from frontdesk.kg.english.phrases import Phrase
from frontdesk.kg.english.schema_verbaliser import SchemaVerbaliser
from frontdesk.kg.graph.fact_base import FactBase
from frontdesk.kg.graph.facts import Argument
from frontdesk.kg.graph.schema import ArgumentType

_ORDINAL_DATE = re.compile(r"(?:the )?\d{1,2}(?:st|nd|rd|th)$")
_UNCOUNTED = frozenset({"medicine", "medication", "home", "exercise", "shopping", "training"})
#: First words of sentences that are no names.
_SMALL_LATER = frozenset({"On", "In", "At", "With", "Without", "Of"})
_LETTERS = re.compile(r"\w+")


class CarVerbaliser(SchemaVerbaliser):
    """Says the facts of a fact base in English.

    Args:
        base: Where the entities of the facts are.

    Example:
        >>> from frontdesk.kg.graph.entities import Thing
        >>> from frontdesk.kg.graph.facts import Fact
        >>> base = FactBase("nearby", [Thing("p1", "Corner Fuel", CarType.POI),
        ...                            Thing("d2", "2 miles", CarType.DISTANCE)])
        >>> CarVerbaliser(base).say(Fact("distance", ("p1", "d2")))
        'Corner Fuel is 2 miles away.'
    """

    def __init__(self, base: FactBase) -> None:
        super().__init__(base, CAR)

    def name(self, entity_id: str) -> str:
        """An entity as people say it: ``New Haven``, ``your aunt``, ``your dinner``."""
        entity = self.base.entity(entity_id)
        name = entity.name
        if entity.type in (CarType.PLACE, CarType.DAY) and name.islower():
            return name if _ORDINAL_DATE.match(name) else _title(name)
        if entity.type is CarType.PARTY:
            return _say_party(name)
        if entity.type is CarType.APPOINTMENT:
            return self._say_appointment(entity_id)
        if entity.type is CarType.DISTANCE:
            return re.sub(r"^1 miles$", "1 mile", name)
        if entity.type is CarType.TRAFFIC and re.search(r"\b(?:nearby|ahead)$", name):
            return f"a {name}"
        return name

    # --- appointments

    def _say_appointment(self, appointment: str) -> str:
        """``your dinner``; with its day where there are several of the kind."""
        name = self._plain(appointment)
        if len(self._of_activity.get(self._activity(appointment), ())) < 2:
            return name
        return f"{name} {self.when(appointment)}"

    def _plain(self, appointment: str) -> str:
        activity = self._activity(appointment)
        if not activity:
            return self.base.entity(appointment).name
        name = self.base.entity(activity).name
        return name if _is_doing(name) else f"your {name}"

    def _activity(self, appointment: str) -> str:
        return next((str(fact.arguments[1]) for fact in self.base.facts_about(appointment)
                     if fact.predicate == "activity"), "")

    @cached_property
    def _of_activity(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for fact in self.base.facts_of("activity"):
            found.setdefault(str(fact.arguments[1]), []).append(str(fact.arguments[0]))
        return found

    def when(self, appointment: str) -> str:
        """``on Friday at 7 pm``, as far as it is known."""
        parts = []
        for fact in self.base.facts_about(appointment):
            if fact.predicate not in ("scheduled", "on_day", "at_time"):
                continue
            for argument in fact.arguments[1:]:
                parts.append(f"at {say_clock(argument)}" if isinstance(argument, dt.time)
                             else f"on {self.name(str(argument))}")
        return " ".join(parts)

    def _at(self, appointment: str) -> str:
        """``a dinner at 7 pm``."""
        name = _one(self._plain(appointment).removeprefix("your "))
        return f"{name} {self._hour(appointment)}".strip()

    def _hour(self, appointment: str) -> str:
        """``at 7 pm``, if it is known."""
        return next((f"at {say_clock(argument)}" for fact in self.base.facts_about(appointment)
                     for argument in fact.arguments if isinstance(argument, dt.time)), "")

    # --- phrases

    def _phrase(self, kind: ArgumentType, value: Argument) -> Phrase:
        if isinstance(value, dt.time):
            return Phrase(say_clock(value))
        if isinstance(value, int):
            return Phrase(f"{value}F" if kind is CarType.TEMPERATURE else str(value))
        if isinstance(value, tuple):
            return self._list_phrase(kind, [str(each) for each in value])
        text = str(value)
        if text not in self.base:
            return Phrase(text)
        return Phrase(self.name(text), **self._forms(text))

    def _forms(self, entity: str) -> dict[str, str]:
        kind, name = self.base.entity(entity).type, self.name(entity)
        if kind is CarType.DAY:
            return {"on": f"on {name}", "On": f"On {name}"}
        if kind is CarType.PERIOD:
            return {"on": name, "On": name}
        if kind is CarType.WEATHER:
            kinds = WEATHER_KINDS.get(self.base.entity(entity).name)
            return {"will": say_weather(name),
                    "clause": kinds.will if kinds else say_weather(name),
                    "denial": kinds.will_not if kinds else f"no {name} is expected"}
        if kind is CarType.CATEGORY:
            return {"one": _one(name)}
        if kind is CarType.APPOINTMENT:
            plain = self._plain(entity)
            return {"plain": plain, "when": self.when(entity),
                    "next": re.sub("^your ", "your next ", plain)}
        return {}

    def _list_phrase(self, kind: ArgumentType, ids: list[str]) -> Phrase:
        if kind is CarType.DAYS:
            days = phrases.say_list([self.name(each) for each in ids])
            return Phrase(days, on=f"on {days}", colon=f", on {days}" if days else "")
        if kind is CarType.POIS:
            return self._pois_phrase(ids)
        if kind is CarType.APPOINTMENTS:
            return self._appointments_phrase(ids)
        return Phrase(phrases.say_list([self.name(each) for each in ids]))

    def _pois_phrase(self, pois: list[str]) -> Phrase:
        category = self._value(pois[0], "category") or "place"
        several = len(pois) > 1
        noun = plural(category) if several else category
        return Phrase(phrases.say_list([self.name(each) for each in pois]), noun=noun,
                      **{"is": "are" if several else "is"},
                      count=f"are {len(pois)} {noun}" if several else f"is {_one(noun)}",
                      distances=phrases.say_list([self._with_distance(each) for each in pois]),
                      situation=phrases.say_list([self._situation(each) for each in pois]))

    def _appointments_phrase(self, appointments: list[str]) -> Phrase:
        """``2 dinners: on Friday at 7 pm with Jo and on the 8th``, each in full or in short."""
        activity = self._plain(appointments[0]).removeprefix("your ")
        lead = f"{len(appointments)} {plural(activity)}: " if len(appointments) > 1 else \
            f"{_one(activity)} "

        def each_said(*details: Callable[[str], str]) -> str:
            return lead + phrases.say_list([
                " ".join(filter(None, (say(each) for say in details))) for each in appointments])

        full = [f"{self._plain(each)} {self.when(each)}".strip() for each in appointments]
        return Phrase(phrases.say_list(full), list=phrases.say_list(full),
                      have=each_said(self.when, self._with).strip(),
                      dated=each_said(self.when).strip(),
                      hourly=each_said(self._hour, self._with).strip(),
                      times=phrases.say_list([self._at(each) for each in appointments]))

    def _with(self, appointment: str) -> str:
        party = self._value(appointment, "party")
        return f"with {party}" if party else ""

    def _value(self, entity: str, predicate: str) -> str:
        return next((self.name(str(fact.arguments[1])) for fact in self.base.facts_about(entity)
                     if fact.predicate == predicate), "")

    def _with_distance(self, poi: str) -> str:
        distance = self._value(poi, "distance")
        return f"{self.name(poi)} ({distance} away)" if distance else self.name(poi)

    def _situation(self, poi: str) -> str:
        """``Corner Fuel (2 miles away, no traffic)``."""
        known = [part for part in (self._value(poi, "distance"), self._value(poi, "traffic"))
                 if part]
        if self._value(poi, "distance"):
            known[0] += " away"
        return f"{self.name(poi)} ({', '.join(known)})" if known else self.name(poi)


def after_yes(sentence: str) -> str:
    """A fact as it goes on after "Yes, ": ``on Friday you have a dinner``."""
    sentence = phrases.decapitalise(sentence)
    small = sentence.split(" ", 1)[0] in _SMALL_LATER
    return sentence[:1].lower() + sentence[1:] if small else sentence


def say_clock(time: dt.time) -> str:
    """``5 pm``, ``10:30 am``, ``noon`` as ``12 pm``."""
    minutes = f":{time.minute:02d}" if time.minute else ""
    return f"{(time.hour - 1) % 12 + 1}{minutes} {'pm' if time.hour >= 12 else 'am'}"


def plural(noun: str) -> str:
    """A noun phrase in the plural, its last word changed: ``gas stations``, ``activities``."""
    if noun.endswith("s") or noun.split()[-1] in _UNCOUNTED:
        return noun
    if re.search(r"[^aeiou]y$", noun):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if re.search(r"(?:x|ch|sh)$", noun) else f"{noun}s"


def _one(noun: str) -> str:
    if noun.endswith("s") or noun.split()[-1] in _UNCOUNTED:
        return noun
    return f"an {noun}" if noun[:1].lower() in "aeio" else f"a {noun}"


def _is_doing(activity: str) -> bool:
    """Whether an activity is said as what one does: ``taking medicine``."""
    return activity.split()[0].endswith("ing") and activity.split()[-1] in _UNCOUNTED


def _title(name: str) -> str:
    return _LETTERS.sub(lambda word: word.group().capitalize(), name)


def _say_party(name: str) -> str:
    if name.lower() in RELATIONS:
        return f"your {name.lower()}"
    if name.split()[-1].lower() in ("team", "department", "group", "committee", "board"):
        return f"the {name}"
    return name
