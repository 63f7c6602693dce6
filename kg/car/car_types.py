"""The types of the car's schema: of the weather, of the places around, of the driver's calendar."""

from __future__ import annotations

from frontdesk.kg.graph.entities import Type


class CarType:
    """The types that an organisation does not have. A plural is a list of the singular."""

    PLACE = Type("place")
    DAY = Type("day")
    PERIOD = Type("period")
    WEATHER = Type("weather")
    POI = Type("point of interest")
    CATEGORY = Type("category")
    DISTANCE = Type("distance")
    TRAFFIC = Type("traffic")
    ACTIVITY = Type("activity")
    APPOINTMENT = Type("appointment")
    PARTY = Type("party")
    PLACES = Type("places")
    DAYS = Type("days")
    WEATHERS = Type("weathers")
    POIS = Type("points of interest")
    APPOINTMENTS = Type("appointments")
    TEMPERATURE = Type("temperature")


#: What can be asked about: the type that a base has where it knows of a topic, with the other types
#: that are spoken of there alone. Days are spoken of with the weather and in the calendar.
TOPICS: dict[Type, frozenset[Type]] = {
    CarType.PLACE: frozenset({CarType.PLACE, CarType.PLACES, CarType.WEATHER, CarType.WEATHERS,
                              CarType.PERIOD, CarType.TEMPERATURE}),
    CarType.POI: frozenset({CarType.POI, CarType.POIS, CarType.CATEGORY, CarType.DISTANCE,
                            CarType.TRAFFIC}),
    CarType.APPOINTMENT: frozenset({CarType.APPOINTMENT, CarType.APPOINTMENTS, CarType.ACTIVITY,
                                    CarType.PARTY, Type.ROOM})}
