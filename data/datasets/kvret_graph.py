"""The knowledge of a KVRET dialogue (Eric et al., 2017) as a graph of entities and facts.

Every value of the dialogue's table is in a fact: forecasts with their temperatures as numbers,
places with their category, address, distance and traffic, appointments with their day, time,
party, room and agenda. What does not have the form of its column becomes a note. Values that can
be spoken of (days, kinds of weather, categories, distances, parties) are entities too.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterable, Mapping

from frontdesk.data.datasets.kvret import Domain, KvretDialogue
from frontdesk.kg.car.car_types import CarType
from frontdesk.kg.car.car_words import PARTS_OF_WEEK, PERIODS, WEATHER_KINDS, WEEKDAYS
from frontdesk.kg.graph.entities import EntityType, Thing
from frontdesk.kg.graph.fact_base import FactBase
from frontdesk.kg.graph.facts import Argument, Fact

_ABSENT = frozenset({"", "-", "none", "n/a", "null"})
_FORECAST = re.compile(r"\s*(?P<weather>[^,]+?)\s*,\s*low of (?P<low>-?\d+)\s*°?F?\s*,"
                       r"\s*high of (?P<high>-?\d+)\s*°?F?\s*$", re.IGNORECASE)
_CLOCK = re.compile(r"\s*(?P<hour>\d{1,2})(?::(?P<minute>\d{2}))?\s*(?P<half>[ap])\.?m\.?\s*$",
                    re.IGNORECASE)
_MILES = re.compile(r"\s*(\d+)\s*(?:miles?|mi)\b\s*$", re.IGNORECASE)
#: Distances that can be asked for ("within 5 miles") though nothing is that far away.
_ROUND_MILES = range(1, 11)


def kvret_graph(dialogue: KvretDialogue) -> FactBase:
    """The knowledge of a dialogue; empty where the dialogue has none."""
    return table_graph(dialogue.id, {dialogue.domain: dialogue.items})


def table_graph(name: str, tables: Mapping[Domain, Iterable[Mapping[str, str]]]) -> FactBase:
    """The knowledge of tables with KVRET's columns.

    Args:
        tables: The rows of each, column → value.
    """
    builder = _Builder()
    for domain, rows in tables.items():
        for number, row in enumerate(rows, start=1):
            cells = {column: value.strip() for column, value in row.items()
                     if value.strip().lower() not in _ABSENT}
            if domain == "weather":
                builder.add_forecasts(cells)
            elif domain == "navigate":
                builder.add_point_of_interest(f"poi:{number}", cells)
            else:
                builder.add_appointment(f"appointment:{number}", cells)
    builder.complete()
    return FactBase(name, builder.entities.values(), builder.facts)


class _Builder:
    """Entities and facts in the making."""

    def __init__(self) -> None:
        self.entities: dict[str, Thing] = {}
        self.facts: list[Fact] = []

    def add(self, predicate: str, *arguments: Argument) -> None:
        self.facts.append(Fact(predicate, arguments))

    def thing(self, kind: EntityType, name: str, entity_id: str = "") -> str:
        """The id of an entity, made from its type and name unless it is given."""
        name = " ".join(name.split())
        entity_id = entity_id or f"{kind}:{name.lower()}"
        self.entities.setdefault(entity_id, Thing(entity_id, name, kind))
        return entity_id

    # --- weather

    def add_forecasts(self, cells: Mapping[str, str]) -> None:
        if "location" not in cells:
            return
        place = self.thing(CarType.PLACE, cells["location"])
        for column, value in cells.items():
            if column == "location":
                continue
            if column == "today":
                self.add("today", self.day(value))
            elif column not in WEEKDAYS:
                self.note(place, column, value)
            elif match := _FORECAST.match(value):
                weather = self.thing(CarType.WEATHER, match["weather"])
                self.add("forecast", place, self.day(column), weather, int(match["low"]),
                         int(match["high"]))
            else:
                self.add("forecast_note", place, self.day(column), value)

    def day(self, name: str) -> str:
        return self.thing(CarType.DAY, name.lower())

    # --- places around

    def add_point_of_interest(self, entity_id: str, cells: Mapping[str, str]) -> None:
        if not cells:
            return
        poi = self.thing(CarType.POI, cells.get("poi") or cells.get("poi_type", "place"),
                         entity_id)
        readers: dict[str, Callable[[str, str], None]] = {
            "poi_type": lambda poi, value: self.add(
                "category", poi, self.thing(CarType.CATEGORY, value)),
            "address": lambda poi, value: self.add("address", poi, value),
            "distance": self.add_distance,
            "traffic_info": lambda poi, value: self.add(
                "traffic", poi, self.thing(CarType.TRAFFIC, value))}
        for column, value in cells.items():
            if column != "poi":
                readers.get(column, lambda poi, value, column=column: self.note(
                    poi, column, value))(poi, value)

    def add_distance(self, poi: str, value: str) -> None:
        match = _MILES.match(value)
        if match:
            self.add("distance", poi, self.miles(int(match[1])))
        else:
            self.note(poi, "distance", value)

    def miles(self, number: int) -> str:
        return self.thing(CarType.DISTANCE, f"{number} miles")

    # --- the calendar

    def add_appointment(self, entity_id: str, cells: Mapping[str, str]) -> None:
        if not cells:
            return
        activity = cells.get("event", "appointment")
        described = " ".join([activity, *(cells[each] for each in ("date", "time")
                                          if each in cells)])
        appointment = self.thing(CarType.APPOINTMENT, described, entity_id)
        self.add("activity", appointment, self.thing(CarType.ACTIVITY, activity))
        day = self.day(cells["date"]) if "date" in cells else None
        time = read_clock(cells.get("time", ""))
        if day and time:
            self.add("scheduled", appointment, day, time)
        elif day:
            self.add("on_day", appointment, day)
        elif time:
            self.add("at_time", appointment, time)
        if time is None and "time" in cells:
            self.note(appointment, "time", cells["time"])
        if "party" in cells:
            self.add("party", appointment, self.thing(CarType.PARTY, cells["party"]))
        if "room" in cells:
            self.add("room", appointment, self.thing(EntityType.ROOM, cells["room"]))
        for column, value in cells.items():
            if column == "agenda":
                self.add("agenda", appointment, value)
            elif column not in ("event", "date", "time", "party", "room"):
                self.note(appointment, column, value)

    def note(self, entity: str, column: str, value: str) -> None:
        self.add("noted", entity, column.replace("_", " "), value)

    # --- what can be asked for

    def complete(self) -> None:
        """Add what can be asked for though no row has it: every day, distance, kind of weather."""
        kinds = {entity.type for entity in self.entities.values()}
        if CarType.DAY in kinds:
            for day in WEEKDAYS:
                self.day(day)
        if CarType.PLACE in kinds:
            for kind in WEATHER_KINDS:
                self.thing(CarType.WEATHER, kind)
        today = next((self.entities[str(fact.arguments[0])].name for fact in self.facts
                      if fact.predicate == "today"), None)
        for period in (*PERIODS, *PARTS_OF_WEEK) if today is not None else ():
            self.thing(CarType.PERIOD, period)
        if today in WEEKDAYS and CarType.APPOINTMENT in kinds:
            for period, (first, last) in PERIODS.items():
                if first == last:  # what is tomorrow in the calendar is so on a day
                    day = WEEKDAYS[(WEEKDAYS.index(today) + first) % len(WEEKDAYS)]
                    self.add("relative_day", self.thing(CarType.PERIOD, period), self.day(day))
        if CarType.POI in kinds:
            for number in _ROUND_MILES:
                self.miles(number)


def read_clock(text: str) -> dt.time | None:
    """``5pm``, ``10:30 am`` as a time of day; None for anything else."""
    match = _CLOCK.match(text)
    if match is None:
        return None
    hour, minute = int(match["hour"]), int(match["minute"] or 0)
    if not 1 <= hour <= 12 or minute > 59:
        return None
    return dt.time(hour % 12 + (12 if match["half"].lower() == "p" else 0), minute)
