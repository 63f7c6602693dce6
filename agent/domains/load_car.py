"""Reads what the car knows: the table of a KVRET dialogue, or a small one that is made up."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from pathlib import Path

from frontdesk.agent.domains.present_time import fixed_present, zone_named
from frontdesk.data.datasets.data_set import EvaluationDialogue, EvaluationTurn
from frontdesk.data.datasets.kvret import Domain, KvretDialogue, load_kvret
from frontdesk.data.datasets.kvret_graph import kvret_graph, table_graph
from frontdesk.kg.car.car_words import WEEKDAYS
from frontdesk.kg.graph.dialogue_graph import Hypothesis
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.graph.fact_base import FactBase

#: KVRET's dialogues have no time of their own; its days of the week are in its tables.
_KVRET_NOW = dt.datetime(2017, 1, 2, 9, tzinfo=dt.UTC)
#: The weather from today on, each day as ``weather, lowest, highest`` in degrees Fahrenheit.
_WEATHER: Mapping[str, Sequence[str]] = {
    "Alder Bay": ("foggy 48 59", "rain 50 57", "rain 47 55", "cloudy 45 58", "clear 44 62",
                  "clear 46 66", "windy 49 60"),
    "Quarry Hill": ("clear 61 84", "clear 63 88", "hot 68 97", "hot 70 99", "stormy 64 82",
                    "drizzle 60 75", "cloudy 58 77"),
    "Port Marren": ("snow 21 30", "blizzard 12 24", "snow 15 27", "frost 18 33", "cloudy 24 38",
                    "rain 31 41", "misty 33 44")}
_PLACES: tuple[tuple[str, str, str, str, str], ...] = (
    ("Corner Fuel", "gas station", "214 Tern Street", "2 miles", "no traffic"),
    ("Green Pump", "gas station", "9 Mill Lane", "1 miles", "heavy traffic"),
    ("The Brass Kettle", "coffee or tea place", "77 Larch Avenue", "3 miles", "moderate traffic"),
    ("Bean Yard", "coffee or tea place", "15 Quay Road", "5 miles", "no traffic"),
    ("Noodle Bureau", "chinese restaurant", "402 Tern Street", "4 miles", "no traffic"),
    ("Slice of Marren", "pizza restaurant", "31 Orchard Drive", "2 miles", "road block nearby"),
    ("Larch Avenue Garage", "parking garage", "80 Larch Avenue", "3 miles", "car collision nearby"),
    ("Saint Odile", "hospital", "1 Chapel Square", "6 miles", "no traffic"))
#: Days from today, and the rest of a row.
_APPOINTMENTS: tuple[tuple[int, Mapping[str, str]], ...] = (
    (0, {"event": "dinner", "time": "7pm", "party": "aunt"}),
    (1, {"event": "dentist appointment", "time": "10:30am"}),
    (2, {"event": "meeting", "time": "9am", "party": "Signals team", "room": "conference room 40",
         "agenda": "the new antenna"}),
    (3, {"event": "yoga activity", "time": "6pm", "party": "Ines"}),
    (4, {"event": "meeting", "time": "2pm", "party": "boss", "room": "conference room 12",
         "agenda": "the budget"}))


def read_car(kvret: str | None, now: str | None
             ) -> tuple[FactBase, dt.datetime | None, tuple[str, ...]]:
    """Read what the car knows, see :func:`frontdesk.agent.domains.car_pack.load_car`.

    Returns:
        What it knows, a fixed present if there is one, and what was left out, in words.

    Raises:
        InputError: There is no such dialogue, or ``now`` is no time.
        FormatError: The file cannot be read.
    """
    zone = zone_named(None)
    present = fixed_present(now, zone)
    if kvret is None:
        return _made_up((present or dt.datetime.now(zone)).date()), present, ()
    dialogue = _dialogue(kvret)
    left_out = [str(defect.kind) + f" at {defect.place}" for defect in dialogue.defects]
    if not dialogue.items:
        left_out.append(f"{kvret} has no table: there is nothing to ask about")
    return kvret_graph(dialogue), present, tuple(left_out)


def _dialogue(named: str) -> KvretDialogue:
    path, _, which = named.rpartition("#")
    if not path or not which:
        raise InputError(f"--kvret {named!r} names no dialogue",
                         remedy="Write FILE#INDEX, e.g. kvret_dev_public.json#0")
    dialogues = load_kvret(Path(path))
    found = next((each for each in dialogues if each.id == which), None)
    if found is None and which.isascii() and which.isdigit() and int(which[:9]) < len(dialogues):
        found = dialogues[int(which[:9])]
    if found is None:
        raise InputError(f"{path} has no dialogue {which!r}", place=f"--kvret {named}",
                         remedy=f"Give a number from 0 to {len(dialogues) - 1}, or an id such as "
                                f"{dialogues[0].id}")
    return found


def kvret_dialogues(path: Path) -> list[EvaluationDialogue]:
    """The dialogues of a file of KVRET, each with its table.

    Raises:
        FormatError: The file cannot be read.
    """
    return [EvaluationDialogue(
        each.id, "kvret", each.domain,
        tuple(EvaluationTurn(turn.number, (Hypothesis(turn.user),), turn.reference, _KVRET_NOW)
              for turn in each.turns),
        kvret_graph(each), _KVRET_NOW, table=each.items, defects=each.defects)
        for each in load_kvret(path)]


def _made_up(today: dt.date) -> FactBase:
    """A week's weather from a day on, some places around, and a calendar."""
    week = [WEEKDAYS[(today.weekday() + ahead) % len(WEEKDAYS)] for ahead in range(len(WEEKDAYS))]
    tables: dict[Domain, list[Mapping[str, str]]] = {
        "weather": [{"location": place, "today": week[0], **{
            day: f"{weather}, low of {low}F, high of {high}F"
            for day, (weather, low, high) in zip(week, map(str.split, days), strict=True)}}
            for place, days in _WEATHER.items()],
        "navigate": [dict(zip(("poi", "poi_type", "address", "distance", "traffic_info"), row,
                              strict=True)) for row in _PLACES],
        "schedule": [{**row, "date": week[ahead]} for ahead, row in _APPOINTMENTS]}
    return table_graph("the car", tables)
