"""The schema of the in-car assistant: the weather, the places around, the driver's calendar.

Templates read like those of :mod:`frontdesk.kg.schema`; the forms of arguments are those of
:mod:`frontdesk.kg.car_verbalise`. A ``PERIOD`` argument may be a day as well.
"""

from __future__ import annotations

from frontdesk.kg.schema import ArgumentType, Predicate, Schema

_PLACE, _DAY, _PERIOD = ArgumentType.PLACE, ArgumentType.DAY, ArgumentType.PERIOD
_WEATHER, _DEGREES = ArgumentType.WEATHER, ArgumentType.TEMPERATURE
_POI, _CATEGORY, _DISTANCE = ArgumentType.POI, ArgumentType.CATEGORY, ArgumentType.DISTANCE
_APPOINTMENT, _ACTIVITY = ArgumentType.APPOINTMENT, ArgumentType.ACTIVITY
_PARTY, _TEXT = ArgumentType.PARTY, ArgumentType.TEXT
_PLACES, _DAYS, _POIS = ArgumentType.PLACES, ArgumentType.DAYS, ArgumentType.POIS
_APPOINTMENTS = ArgumentType.APPOINTMENTS

_FORECAST = ("weather", "forecast", "weather report", "weather forecast", "temperature",
             "temperatures", "degrees", "like", "report", "outlook")
_WILL = ("will it", "is it", "will there", "is there", "are there", "going to", "gonna",
         "supposed to", "expected", "predicted", "chance", "any", "does it", "should i", "when",
         "what day", "which day", "if it", "if there", "whether")
_HOT = ("highest", "hottest", "warmest", "maximum", "hotter", "warmer", "high")
_COLD = ("lowest", "coldest", "coolest", "minimum", "colder", "cooler", "low")
_WHICH_PLACE = ("where", "which city", "which cities", "what city", "what cities", "which place",
                "anywhere", "somewhere")
_NEAR = ("nearest", "closest", "near", "nearby", "close", "closer", "shortest", "next",
         "local", "around")
_FIND = ("where", "find", "locate", "directions", "navigate", "direct", "take me", "get me to",
         "show me", "list", "what", "which", "need", "any", "are there", "is there", "give me",
         "looking for", "search", "options", "drive", "go to", "get to")
_TRAFFIC = ("traffic", "without traffic", "road block", "roadblock", "collision", "accident",
            "congestion", "busy")
_AVOID = ("avoid", "avoids", "avoiding", "without", "no traffic", "least traffic", "less traffic",
          "alternate", "alternative", "another", "heavy traffic", "other route")
_QUICK = ("quickest", "fastest", "quick", "fast", "quicker", "faster", "soonest", "best route",
          "route")
_WHEN = ("when", "what time", "which time", "time", "what day", "which day", "what date", "date",
         "day", "scheduled", "planned", "at what time", "hour", "remind", "reminder", "dates",
         "times")
_WHO = ("who", "with whom", "parties", "party", "attending", "attend", "attendees", "joining",
        "coming", "going with", "who with", "with who", "along", "people", "accompanying")
_WHERE = ("where", "location", "room", "place", "which room", "what room", "located")
_ABOUT = ("agenda", "about", "topic", "purpose", "details", "information", "info", "discuss")

_STORED = (
    Predicate("today", (_DAY,), "Today is {0}.",
              ("What day is it today?",), ("what day is it", "what is today", "what's today")),
    Predicate("forecast", (_PLACE, _DAY, _WEATHER, _DEGREES, _DEGREES),
              "In {0} {1.on} {2.will}, with a low of {3} and a high of {4}.",
              ("What is the weather in the place on the day?",
               "What is the forecast for the place on the day?",
               "What will the temperature be in the place on the day?"), _FORECAST),
    Predicate("forecast_note", (_PLACE, _DAY, _TEXT), "In {0} {1.on} the forecast is: {2}.",
              ("What is the weather in the place on the day?",), _FORECAST),
    Predicate("category", (_POI, _CATEGORY), "{0} is {1.one}.",
              ("What kind of place is the point of interest?", "What is the point of interest?"),
              ("what kind", "what type", "what sort")),
    Predicate("address", (_POI, _TEXT), "{0} is at {1}.",
              ("What is the address of the point of interest?",
               "Where is the point of interest?", "Give me directions to the point of interest.",
               "Navigate to the point of interest."),
              ("address", "where", "located", "location", "directions", "direct", "navigate",
               "navigation", "gps", "take me", "set", "street", "route", "go there", "drive",
               "details", "info", "information", "yes", "sure")),
    Predicate("distance", (_POI, _DISTANCE), "{0} is {1} away.",
              ("How far is the point of interest?",
               "What is the distance to the point of interest?"),
              ("how far", "distance", "miles", "far", "long", "how close", "closest", "nearest",
               "shortest", "near", "where", "find", "away")),
    Predicate("traffic", (_POI, ArgumentType.TRAFFIC), "There is {1} on the way to {0}.",
              ("Is there traffic on the way to the point of interest?",
               "How is the traffic to the point of interest?"),
              (*_TRAFFIC, "avoid", "avoids", "avoiding", "quickest", "fastest", "route",
               "quick", "fast", "no traffic", "heavy traffic")),
    Predicate("activity", (_APPOINTMENT, _ACTIVITY), "{0} is in your calendar.",
              ("Do I have the appointment?",), ("do i have", "calendar")),
    Predicate("scheduled", (_APPOINTMENT, _DAY, ArgumentType.TIME), "{0.plain} is {1.on} at {2}.",
              ("When is the activity?", "What time is the appointment?",
               "What is the date and time of the activity?", "What day is the activity?"),
              _WHEN),
    Predicate("on_day", (_APPOINTMENT, _DAY), "{0.plain} is {1.on}.",
              ("When is the activity?", "What day is the activity?"), _WHEN),
    Predicate("at_time", (_APPOINTMENT, ArgumentType.TIME), "{0.plain} is at {1}.",
              ("When is the activity?", "What time is the activity?"), _WHEN),
    Predicate("party", (_APPOINTMENT, _PARTY), "{0} is with {1}.",
              ("Who is attending the activity?", "Who is the activity with?",
               "Who is going with me to the appointment?"), _WHO),
    Predicate("room", (_APPOINTMENT, ArgumentType.ROOM), "{0} is in {1}.",
              ("Where is the activity?", "Which room is the activity in?",
               "What is the location of the appointment?"), _WHERE),
    Predicate("agenda", (_APPOINTMENT, _TEXT), "The agenda of {0} is: {1}.",
              ("What is the agenda of the activity?", "What is the activity about?"), _ABOUT),
    Predicate("noted", (ArgumentType.TEXT, _TEXT, _TEXT), "{1} of {0}: {2}.", ("What is noted?",),
              ("note", "noted")),
)

_DERIVED = (
    # --- the weather
    Predicate("relative_day", (_PERIOD, _DAY), "{0} is {1}.",
              ("What day is it?", "Which day is tomorrow?"),
              ("what day is", "which day is"), derived=True),
    Predicate("weather_then", (_PLACE, _PERIOD, _DAY, _WEATHER, _DEGREES, _DEGREES),
              "In {0} {1}, {2}, {3.will}, with a low of {4} and a high of {5}.",
              ("What is the weather in the place on the day?",
               "What is the forecast for the place on the day?",
               "What will the temperature be in the place on the day?"), _FORECAST,
              derived=True),
    Predicate("outlook", (_PLACE, _PERIOD, ArgumentType.WEATHERS),
              "In {0} {1} the forecast has {2}.",
              ("What is the weather in the place this week?",
               "What is the forecast for the next days in the place?"), _FORECAST, derived=True),
    Predicate("temperatures", (_PLACE, _PERIOD, _DEGREES, _DEGREES),
              "In {0} {1.on} the temperature will be between {2} and {3}.",
              ("What will the temperature be in the place?", "How hot will it be in the place?",
               "How cold will it be?"),
              ("temperature", "temperatures", "degrees", "how hot", "how cold", "how warm"),
              derived=True),
    Predicate("will_be", (_PLACE, _WEATHER, _PERIOD, _DAYS), "{1.clause} in {0} {2.on}{3.colon}.",
              ("Will there be the weather in the place on the day?",
               "Is it going to be the weather in the place?"), _WILL, derived=True, polarity=1),
    Predicate("will_not_be", (_PLACE, _WEATHER, _PERIOD), "{1.denial} in {0} {2.on}.",
              ("Will there be the weather in the place on the day?",
               "Is it going to be the weather in the place?"), _WILL, derived=True, polarity=-1),
    Predicate("hottest_day", (_PLACE, _PERIOD, _DAYS, _DEGREES),
              "The highest temperature in {0} {1} will be {3}, {2.on}.",
              ("What is the highest temperature in the place?",
               "What is the hottest day in the place?"), _HOT, derived=True),
    Predicate("coldest_day", (_PLACE, _PERIOD, _DAYS, _DEGREES),
              "The lowest temperature in {0} {1} will be {3}, {2.on}.",
              ("What is the lowest temperature in the place?",
               "What is the coldest day in the place?"), _COLD, derived=True),
    Predicate("hottest_place", (_PERIOD, _PLACES, _DEGREES),
              "The highest temperature {0.on} will be {2}, in {1}.",
              ("Which city is the hottest?", "Where is it warmest?"),
              (*_HOT, *_WHICH_PLACE), derived=True),
    Predicate("coldest_place", (_PERIOD, _PLACES, _DEGREES),
              "The lowest temperature {0.on} will be {2}, in {1}.",
              ("Which city is the coldest?", "Where is it coldest?"),
              (*_COLD, *_WHICH_PLACE), derived=True),
    Predicate("places_with", (_WEATHER, _PERIOD, _PLACES), "{0.clause} {1.on} in {2}.",
              ("Where will there be the weather?", "Which city will have the weather?"),
              (*_WILL, *_WHICH_PLACE), derived=True, polarity=1),
    Predicate("no_place_with", (_WEATHER, _PERIOD), "{0.denial} {1.on} in any of the places.",
              ("Where will there be the weather?", "Which city will have the weather?"),
              (*_WILL, *_WHICH_PLACE), derived=True, polarity=-1),
    # --- places around
    Predicate("nearest", (_CATEGORY, _POIS, _DISTANCE),
              "The nearest {1.noun} {1.is} {1}, {2} away.",
              ("Where is the nearest category?", "What is the closest category?",
               "Find me a category nearby.", "Give me directions to the nearest category."),
              (*_NEAR, *_FIND), derived=True),
    Predicate("nearer", (_POI, _DISTANCE, _POI, _DISTANCE),
              "{0}, {1} away, is nearer than {2}, {3} away.",
              ("Which of the two is nearer?", "Which one is closer?"),
              (*_NEAR, "which", "which one"), derived=True),
    Predicate("listed", (_CATEGORY, _POIS), "There {1.count} nearby: {1.distances}.",
              ("What category are there nearby?", "Are there any other category around?",
               "Where can I find a category?"),
              (*_FIND, "other", "else", "another", "only", "more", "options"), derived=True,
              polarity=1),
    Predicate("within", (_CATEGORY, _DISTANCE, _POIS), "There {2.count} within {1}: {2.distances}.",
              ("Is there a category within the distance?",),
              (*_FIND, "within", "less than", "range", "radius"), derived=True, polarity=1),
    Predicate("none_within", (_CATEGORY, _DISTANCE), "There is no {0} within {1}.",
              ("Is there a category within the distance?",),
              (*_FIND, "within", "less than", "range", "radius"), derived=True, polarity=-1),
    Predicate("is_within", (_POI, _DISTANCE, _DISTANCE), "{0} is within {1}, {2} away.",
              ("Is the point of interest within the distance?",),
              ("within", "less than", "range", "is it", "is that"), derived=True, polarity=1),
    Predicate("not_within", (_POI, _DISTANCE, _DISTANCE), "{0} is not within {1} but {2} away.",
              ("Is the point of interest within the distance?",),
              ("within", "less than", "range", "is it", "is that"), derived=True, polarity=-1),
    Predicate("quickest", (_CATEGORY, _POIS),
              "The quickest {1.noun} to reach {1.is} {1.situation}.",
              ("What is the quickest category to get to?", "Which category has the fastest route?",
               "Find the quickest route to a category."), _QUICK, derived=True),
    Predicate("without_heavy_traffic", (_CATEGORY, _POIS),
              "Without heavy traffic you can reach {1.situation}.",
              ("Which category can I reach without heavy traffic?",
               "Is there a category on a route that avoids heavy traffic?"),
              (*_AVOID, *_TRAFFIC), derived=True),
    Predicate("heavy_traffic_everywhere", (_CATEGORY,),
              "There is heavy traffic or an obstruction on the way to every {0} nearby.",
              ("Which category can I reach without heavy traffic?",
               "Is there a category on a route that avoids heavy traffic?"),
              (*_AVOID, *_TRAFFIC), derived=True),
    Predicate("less_traffic", (_POI, _POIS), "There is less traffic on the way to {1.situation}.",
              ("Is there another place with less traffic than the point of interest?",),
              _AVOID, derived=True, polarity=1),
    # --- the calendar
    Predicate("occurrences", (_ACTIVITY, _APPOINTMENTS), "You have {1.have}.",
              ("When is the activity?", "Which activity do I have?", "Do I have the activity?"),
              (*_WHEN, *_WHO, "do i have", "which", "any", "how many"), derived=True, polarity=1),
    Predicate("matching_day", (_ACTIVITY, _DAY, _APPOINTMENTS), "{1.On} you have {2.hourly}.",
              ("The activity on the day.", "When is the activity on the day?"),
              (*_WHEN, *_WHO, "do i have", "any"), derived=True, polarity=1),
    Predicate("matching_party", (_ACTIVITY, _PARTY, _APPOINTMENTS),
              "With {1} you have {2.dated}.",
              ("The activity with the party.", "When is the activity with the party?"),
              (*_WHEN, *_WHO, "do i have", "any"), derived=True, polarity=1),
    Predicate("next_appointment", (_ACTIVITY, _APPOINTMENT), "{1.next} is {1.when}.",
              ("When is my next activity?", "What is the date of my next activity?"),
              ("next", "first", "earliest", "upcoming", *_WHEN), derived=True),
    Predicate("day_appointments", (_DAY, _APPOINTMENTS), "{0.On} you have {1.times}.",
              ("What do I have on the day?", "What is on my calendar on the day?"),
              ("do i have", "calendar", "schedule", "anything", "appointments", "events",
               "meetings", "activities", "planned", "what is on", "free", "available"),
              derived=True, polarity=1),
    Predicate("free_day", (_DAY,), "You have nothing in your calendar {0.on}.",
              ("What do I have on the day?", "Am I free on the day?"),
              ("do i have", "calendar", "schedule", "anything", "appointments", "events",
               "meetings", "activities", "planned", "what is on", "free", "available"),
              derived=True, polarity=-1),
    Predicate("party_appointments", (_PARTY, _APPOINTMENTS), "With {0} you have {1.list}.",
              ("What do I have with the party?", "Which appointments are with the party?"),
              (*_WHO, "do i have", "with", "what", "which"), derived=True, polarity=1),
    Predicate("before", (_APPOINTMENT, _APPOINTMENT), "{0} is before {1}.",
              ("Which appointment is first?", "Is the appointment before the appointment?"),
              ("before", "after", "first", "earlier", "later"), derived=True),
)

#: The domain of the in-car assistant.
CAR = Schema(
    "car", {row.name: row for row in (*_STORED, *_DERIVED)},
    filler_cues=frozenset({
        "where", "find", "show me", "list", "what", "which", "need", "any", "are there",
        "is there", "give me", "looking for", "search", "like", "yes", "sure", "set", "info",
        "information", "details", "name", "with", "long", "people", "place", "next",
        "another", "is it", "going to"}),
    negative_topic=frozenset({"free", "available"}))
