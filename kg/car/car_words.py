"""Everyday words for weather, traffic, places to go and stretches of days.

Closed tables of general English, like :mod:`frontdesk.kg.english.lexicon`; the graph brings the
names.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class WeatherKind:
    """A kind of weather that can be asked for.

    Args:
        near: Forecast words that come near it: they neither affirm nor rule it out.
        asked: Further words by which it is asked for.
    """

    name: str
    terms: frozenset[str]
    asked: frozenset[str]
    will: str
    will_not: str
    near: frozenset[str] = frozenset()


def _kind(name: str, terms: str, *, near: str = "", asked: str = "", be: str = "",
          noun: str = "", verb: str = "") -> WeatherKind:
    if verb:
        will, will_not = f"it will {verb}", f"it will not {verb}"
    elif noun:
        will = f"there will be {noun}"
        will_not = f"there will be no {noun.removeprefix('a ')}"
    else:
        will, will_not = f"it will be {be or name}", f"it will not be {be or name}"
    return WeatherKind(name, frozenset(terms.split()), frozenset(asked.split()), will, will_not,
                       frozenset(near.split()))


#: What counts as what, where the one entails the other: drizzle and thunderstorms are rain, a
#: blizzard is snow and a storm, an overcast sky is cloudy and frost is cold; the reverse does not
#: hold. What only comes near (stormy for rain, warm for hot, mist for fog) is neither.
WEATHER_KINDS: dict[str, WeatherKind] = {kind.name: kind for kind in (
    _kind("rain", "rain raining rainy drizzle drizzling drizzly shower showers "
          "thunderstorm thunderstorms downpour", near="storm storms stormy hurricane",
          asked="wet umbrella rainfall", verb="rain"),
    _kind("drizzle", "drizzle drizzling drizzly", near="rain raining rainy shower showers",
          verb="drizzle"),
    _kind("storm", "storm storms stormy thunderstorm thunderstorms blizzard hurricane tornado",
          asked="storming thunder lightning", be="stormy"),
    _kind("snow", "snow snowing snowy snowfall blizzard sleet flurries", asked="snowstorm",
          verb="snow"),
    _kind("blizzard", "blizzard blizzards snowstorm", near="snow snowing snowy",
          noun="a blizzard"),
    _kind("hail", "hail hailing hailstorm", verb="hail"),
    _kind("frost", "frost frosty freezing icy ice", near="cold", asked="freeze", noun="frost"),
    _kind("dew", "dew dewy", noun="dew"),
    _kind("fog", "fog foggy", near="mist misty haze hazy", be="foggy"),
    _kind("mist", "mist misty", near="fog foggy haze hazy", asked="haze hazy", be="misty"),
    _kind("cloud", "cloud clouds cloudy overcast", asked="gloomy", be="cloudy"),
    _kind("overcast", "overcast", near="cloud clouds cloudy", be="overcast"),
    _kind("clear", "clear sunny sunshine fair", asked="sun", be="clear"),
    _kind("wind", "wind windy winds breezy gusty gale", near="storm storms stormy",
          asked="breeze gusts", be="windy"),
    _kind("humid", "humid muggy", asked="humidity", be="humid"),
    _kind("dry", "dry arid", near="clear sunny sunshine fair hot warm cloud clouds cloudy overcast "
          "wind windy fog foggy mist misty", be="dry"),
    _kind("hot", "hot scorching", near="warm", asked="heat heatwave", be="hot"),
    _kind("warm", "warm", near="hot mild", be="warm"),
    _kind("cold", "cold chilly freezing frost frosty blizzard icy", near="cool snow snowing snowy",
          be="cold"),
)}
#: Kinds that are about the temperature: a forecast of other words does not rule them out.
KINDS_OF_TEMPERATURE = frozenset({"hot", "warm", "cold"})
#: In degrees Fahrenheit: where it gets no higher nobody calls it warm, where it gets no lower
#: nobody calls it cold, where it gets as high anybody calls it warm.
NOT_WARM, NOT_COLD, WARM = 50, 65, 80

def weather_counts_as(condition: str, kind: str) -> bool:
    """Whether forecast words are of a kind of weather: ``light drizzle`` is ``rain``."""
    known = WEATHER_KINDS.get(kind)
    return known is not None and not known.terms.isdisjoint(condition.lower().split())


def weather_comes_near(condition: str, kind: str) -> bool:
    """Whether forecast words neither affirm nor rule out a kind of weather: ``stormy``, rain."""
    known = WEATHER_KINDS.get(kind)
    return known is not None and not known.near.isdisjoint(condition.lower().split())


#: Letters by which the forms of a word for weather are known: rain, rainy, raining.
_STEM = 3


def kinds_of_weather(word: str) -> list[str]:
    """The kinds of weather that a word stands for: its own, or else those that it is one of."""
    first = word.lower().split()[0]
    own = [name for name in WEATHER_KINDS if name[:_STEM] == first[:_STEM]]
    return own or [name for name, kind in WEATHER_KINDS.items()
                   if first in kind.terms | kind.asked]


def is_weather(condition: str, word: str) -> bool:
    """Whether a forecast is of the weather that a word names: drizzle is rain, not the reverse."""
    return condition == word.lower() or any(weather_counts_as(condition, kind)
                                            for kind in kinds_of_weather(word))


_ADJECTIVES = frozenset({"overcast", "dry", "hot", "warm", "cold", "humid", "mild", "clear",
                         "arid", "fair", "wet", "cool"})


def say_weather(condition: str) -> str:
    """A forecast word as a clause: ``it will be foggy``, ``there will be a blizzard``."""
    word = condition.strip().lower()
    head = word.split(" ")[-1]
    if head in _ADJECTIVES or head.endswith("ing") or (head.endswith("y") and head != "sky"):
        return f"it will be {word}"
    return f"there will be {'a ' if head in ('blizzard', 'storm', 'tornado') else ''}{word}"


#: Stretches of days by name: the first and the last day, counted from today.
PERIODS: dict[str, tuple[int, int]] = {
    "today": (0, 0), "tonight": (0, 0), "tomorrow": (1, 1), "the day after tomorrow": (2, 2),
    "in the next two days": (0, 1), "in the next few days": (0, 2),
    "in the next four days": (0, 3), "in the next five days": (0, 4),
    "in the next six days": (0, 5), "this week": (0, 6), "next week": (0, 6),
}
#: How stretches of days are said, with their names.
PERIOD_PHRASES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE), name) for pattern, name in (
        (r"(?:the )?day after tomorrow", "the day after tomorrow"),
        (r"today (?:and|or) (?:for )?tomorrow|(?:in |over |during )?(?:the )?next (?:48|"
         r"forty[- ]eight) hours|(?:in |over |for |during )?(?:the )?next (?:2|two|couple(?: of)?)"
         r" days", "in the next two days"),
        (r"(?:in |over |for |during )?(?:the )?(?:next|coming|following) (?:few|3|three|several)"
         r" days", "in the next few days"),
        (r"(?:in |over |for |during )?(?:the )?next (?:4|four) days", "in the next four days"),
        (r"(?:in |over |for |during )?(?:the )?next (?:5|five) days", "in the next five days"),
        (r"(?:in |over |for |during )?(?:the )?next (?:6|six) days", "in the next six days"),
        (r"(?:on |at |over )?(?:the |this |next |coming )*weekend", "at the weekend"),
        (r"(?:in |over |for |during )?(?:the )?next (?:7|seven) days|(?:the |this |in the |during "
         r"the |over the |upcoming |coming |entire |whole )+week|any ?time this week|weekly",
         "this week"),
        (r"(?:in |over |for |during )?(?:the )?(?:next|following) week", "next week"),
        (r"tonight", "tonight"),
        (r"tomorrow(?:['’]s)?", "tomorrow"),
        (r"today(?:['’]s)?|right now|now|currently|at the moment|this (?:morning|afternoon|"
         r"evening)|current", "today"),
    ))


def names_period(text: str) -> bool:
    """Whether a text names a stretch of days."""
    return any(pattern.search(text) for pattern, _ in PERIOD_PHRASES)


#: Stretches of days by the days of the week they have.
PARTS_OF_WEEK: dict[str, tuple[str, ...]] = {"at the weekend": ("saturday", "sunday")}

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

#: How much a state of traffic delays, by words in it: 0 not at all, 1 somewhat, 2 a lot, 3 the
#: way is obstructed. The first that applies counts.
TRAFFIC_DELAYS: tuple[tuple[str, int], ...] = (
    ("block", 3), ("closed", 3), ("closure", 3), ("collision", 3), ("accident", 3), ("crash", 3),
    ("construction", 3), ("heavy", 2), ("jam", 2), ("congest", 2), ("moderate", 1), ("light", 1),
    ("some", 1), ("no ", 0), ("clear", 0), ("free", 0),
)
_UNKNOWN_DELAY = 1


def traffic_delay(state: str) -> int:
    """How much a state of traffic delays, from 0 (not at all) to 3 (obstructed)."""
    words = f"{state.lower()} "
    return next((delay for word, delay in TRAFFIC_DELAYS if word in words), _UNKNOWN_DELAY)


#: Words that stand for each other when a place or an appointment is described.
SENSES: tuple[frozenset[str], ...] = tuple(frozenset(words.split()) for words in (
    "gas gasoline petrol fuel refuel fill filling",
    "coffee cafe espresso latte cappuccino", "tea", "coffee tea cafe",
    "hospital clinic emergency er",
    "parking park garage",
    "shopping mall shop shops",
    "grocery groceries supermarket market",
    "rest hotel hotels motel motels inn lodging lodge",
    "restaurant restaurants food eat eats dine diner",
    "pizza pizzas pizzeria",
    "friend friends buddy pal",
    "dentist dental teeth", "doctor doctors physician checkup",
    "medicine medicines medication meds pill pills drugs",
    "optometrist optician eye eyes", "dinner supper", "football soccer",
    "lab laboratory", "swimming swim", "yoga", "tennis",
    "father dad", "mother mom mum",
))

#: Words that ask for a kind of place, known or not.
KINDS_OF_PLACES = frozenset({
    "gas", "gasoline", "petrol", "fuel", "coffee", "tea", "cafe", "hospital", "hospitals",
    "clinic", "parking", "garage", "mall", "malls", "supermarket", "grocery", "groceries", "hotel",
    "hotels", "motel", "restaurant", "restaurants", "pizza", "pizzeria", "pharmacy", "bank",
    "airport", "museum", "library", "home", "bakery", "bar", "pub", "gym", "school", "church",
    "cinema", "theatre", "theater", "beach", "pool", "mechanic", "laundromat", "atm"})

#: What a place to eat or a shop can be by its cuisine or wares. A restaurant of one is none of
#: another.
QUALITIES_OF_PLACES = frozenset({
    "fast food", "italian", "mexican", "indian", "thai", "japanese", "korean", "vietnamese",
    "french", "greek", "american", "mediterranean", "chinese", "pizza", "sushi", "burger",
    "burgers", "seafood", "vegan", "vegetarian", "barbecue", "bbq", "steak", "taco", "sandwich",
    "ice cream", "book", "clothing", "hardware", "liquor", "pet", "shoe", "toy"})

#: Words of a name that say what kind of thing it is of, not which.
GENERIC = frozenset({"appointment", "appointments", "activity", "activities", "station",
                     "stations", "place", "places", "stop", "stops", "center", "centre", "store",
                     "stores", "certain", "or", "and", "the", "a", "of", "to", "taking", "class",
                     "lesson", "lessons", "game", "session", "address"})

#: People said with "your": "with your aunt".
RELATIONS = frozenset({"aunt", "uncle", "mother", "father", "mom", "dad", "brother", "sister",
                       "son", "daughter", "wife", "husband", "partner", "cousin", "grandmother",
                       "grandfather", "niece", "nephew", "friend", "boss", "manager", "assistant",
                       "colleague", "neighbour", "neighbor"})
