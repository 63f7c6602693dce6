"""How questions to the in-car assistant are worded: conditions on the way, parts, yes or no."""

from __future__ import annotations

import re

from frontdesk.kg.english.lexicon import YES_WORDS
from frontdesk.kg.graph.mentions import Observation

#: Conditions on the way to a kind of place, each with the predicates that meet it or say that
#: nothing does, the strictest first.
_WAYS: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), predicates) for pattern, predicates in (
        (r"\bless traffic\b|\b(?:least|lowest|lightest|smallest)\b[^.?!]{0,20}\btraffic\b",
         ("least_traffic",)),
        (r"\bno heavy traffic\b|\b(?:avoid\w*|without|free of|not have|isn['’]t)\b"
         r"[^.?!]{0,25}\bheavy\b|\bavoid\w*\b[^.?!]{0,25}\b(?:traffic|congestion|jams?)\b",
         ("without_heavy_traffic", "heavy_traffic_everywhere")),
        (r"\b(?:no|without|zero|free of|free from)(?: any| all| much)? traffic\b"
         r"|\btraffic[- ]free\b", ("without_traffic", "traffic_everywhere", "least_traffic")),
    ))
_WITHIN = re.compile(r"\b(?:within|less than|under|at most|no more than|not more than|closer than|"
                     r"range|radius|in (?:a |\w+ )?miles?)\b", re.IGNORECASE)
_TRAFFIC_ASKED = re.compile(
    r"\b(?:is|are|will|was|if|whether|any|see|expect|does|do)\b[^.?!]*\b(?:traffic|congestion)\b",
    re.IGNORECASE)
#: Said of the assistant or the driver it asks for something to be done.
_REQUEST = re.compile(r"^(?:\W*\w+,)?\W*(?:so |and |then |also |ok(?:ay)? )?"
                      r"(?:can|could|would|will|may) (?:you|we|i)\b", re.IGNORECASE)
_EXISTENCE = re.compile(r"\b(?:is|are) (?:there|they)\b|\bany\b|\bif there\b|"
                        r"\bdo (?:i|you|we) have\b|\bhave i\b|\bam i\b", re.IGNORECASE)
_OTHERS = re.compile(r"\b(?:an)?other\b|\belse\b|\balternat\w+\b|\bonly\b|\bmore\b|\bcloser\b|"
                     r"\bnearest\b|\bclosest\b|\bfurther\b|\bfarther\b", re.IGNORECASE)
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_ALTERNATIVES = re.compile(rf"\b{_WEEKDAY}\b,? or (?:on )?{_WEEKDAY}\b|\bor the\b",
                           re.IGNORECASE)
#: Predicates that say that there is something of a kind.
_EXISTING = frozenset({"listed", "within", "none_within", "occurrences", "day_appointments",
                       "free_day", "party_appointments", "without_traffic", "traffic_everywhere",
                       "without_heavy_traffic", "heavy_traffic_everywhere"})
_PARTS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (predicate, re.compile(pattern, re.IGNORECASE)) for predicate, pattern in (
        ("address", r"\baddress\b|\bwhere(?:['’]s| is| are| do| does)\b(?! the (?:nearest|closest))"
                    r"|\blocated\b"),
        ("distance", r"\bhow (?:far|close|long)\b|\bdistance\b|\bhow many miles\b"),
        ("traffic", r"\btraffic\b|\broad ?blocks?\b|\bcongestion\b")))
_ACKNOWLEDGEMENT = re.compile(
    rf"^\W*(?:{YES_WORDS}|great|perfect|excellent|awesome|good|nice|cool|wonderful|fantastic|fine|ok(?:ay)?|"
    r"all ?right|alright|got it|i see|lovely|amazing|super|sounds|understood|sweet|brilliant|"
    r"right|correct|that(?:['’]s| is| was|['’]d| will| would)|never ?mind)\b",
    re.IGNORECASE)
_MORE = re.compile(r"^\W*(?:please )?(?:it|with|at|for|on|my|make|to|the|add|set|put|also|and)\b"
                   r"(?:\s+\S+){2,}", re.IGNORECASE)
_CALENDAR = re.compile(r"\bremind|\bschedul|\bappointment|\bcalendar|\bmeeting|\balarm|\bbook\b",
                       re.IGNORECASE)
_DETAILS = re.compile(
    rf"\b\d{{1,2}}(?::\d\d)?\s*[ap]\.?m\b|\b\d{{1,2}}(?:st|nd|rd|th)\b|\b{_WEEKDAY}\b|"
    r"\b(?:today|tomorrow|tonight|noon|o['’]clock|appointment|meeting|reminder)\b", re.IGNORECASE)
_NEXT = re.compile(r"\b(?:next|first|earliest|upcoming|soonest)\b", re.IGNORECASE)
_HAVE = re.compile(r"\b(?:have|there|got)\b", re.IGNORECASE)
_ORDER = re.compile(r"\b(?:before|after|earlier|later)\b", re.IGNORECASE)
_WEATHER = re.compile(r"\b(?:weather|forecast|temperatures?)\b", re.IGNORECASE)


def ways_wanted(observation: Observation) -> tuple[str, ...]:
    """Predicates that keep a condition on the way: "with no traffic", "avoiding heavy traffic"."""
    return next((predicates for pattern, predicates in _WAYS
                 if pattern.search(observation.text)), ())


def limits_distance(observation: Observation) -> bool:
    """Whether a distance that is spoken of is the most that is wanted: "within 3 miles"."""
    return _WITHIN.search(observation.text) is not None


def asks_whether(observation: Observation, predicate: str) -> bool:
    """Whether a fact of a predicate can answer a yes/no question with yes or no.

    What is asked for ("can you find ...") and what is chosen ("Tuesday or Wednesday?") cannot; nor
    do the places that there are answer whether there are others.
    """
    text = observation.text
    if _REQUEST.search(text) or _ALTERNATIVES.search(text):
        return False
    if predicate == "traffic":
        return _TRAFFIC_ASKED.search(text) is not None and not ways_wanted(observation)
    if predicate in _EXISTING:
        if ways_wanted(observation) and predicate in ("listed", "within", "none_within"):
            return False
        return _EXISTENCE.search(text) is not None and not _OTHERS.search(text)
    return True


def parts_asked(observation: Observation) -> tuple[str, ...]:
    """The predicates of places that a question names one by one: its address, its traffic."""
    return tuple(predicate for predicate, pattern in _PARTS if pattern.search(observation.text))


def acknowledges(observation: Observation) -> bool:
    """Whether an utterance only takes note: "Great!", "That's good to know."."""
    return _ACKNOWLEDGEMENT.match(observation.text) is not None


def goes_on(observation: Observation) -> bool:
    """Whether more than a word of taking note is said: "Ok, it is with my boss"."""
    match = _ACKNOWLEDGEMENT.match(observation.text)
    rest = observation.text[match.end() if match else 0:]
    return _MORE.match(rest) is not None


def gives_details(observation: Observation) -> bool:
    """Whether an utterance has what is put into a calendar: "Monday at 3 pm"."""
    return _DETAILS.search(observation.text) is not None


def asks_for_next(observation: Observation) -> bool:
    """Whether the next of several appointments is asked for."""
    return _NEXT.search(observation.text) is not None


def asks_what_there_is(observation: Observation) -> bool:
    """Whether it is asked what there is: "do I have", "is there"."""
    return _HAVE.search(observation.text) is not None


def asks_for_order(observation: Observation) -> bool:
    """Whether it is asked what comes before or after what."""
    return _ORDER.search(observation.text) is not None


def asks_anywhere(observation: Observation) -> bool:
    """Whether a place is asked for, not what is so at one: "where", "in which city"."""
    text = observation.text.lower()
    return any(words in text for words in ("where", "which", "what cit", "anywhere", "any cit"))


def names_address(observation: Observation) -> bool:
    """Whether the word "address" is said."""
    return "address" in observation.text.lower()


def is_about_heavy_traffic(observation: Observation) -> bool:
    """Whether it is about heavy traffic, not about any."""
    return "heavy" in observation.text.lower()


def is_about_weather(observation: Observation) -> bool:
    """Whether the weather or a temperature is named."""
    return _WEATHER.search(observation.text) is not None


def has_question_mark(observation: Observation) -> bool:
    """Whether a question mark is written, or heard."""
    return "?" in observation.text


def has_words(observation: Observation) -> bool:
    """Whether anything is said at all."""
    return bool(observation.text)


def is_about_calendar(text: str) -> bool:
    """Whether an utterance speaks of appointments or reminders."""
    return _CALENDAR.search(text) is not None
