"""The names in replies of the in-car assistant: whose they are, and whether those were meant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from frontdesk.kg.car.car_schema import CAR
from frontdesk.kg.car.car_types import CarType
from frontdesk.kg.car.car_words import KINDS_OF_PLACES, RELATIONS, SENSES
from frontdesk.kg.graph.fact_base import FactBase

#: What something is said of.
SUBJECTS = (CarType.PLACE, CarType.POI, CarType.APPOINTMENT)
#: What has a capital within a sentence and is no value: the name of something.
_UNKNOWN_NAME = re.compile(r"(?<=[\w,;:] )[A-Z][a-z][\w'’&-]*(?: [A-Z][\w'’&-]*)*")
#: A word that begins a sentence and has something said of it.
_UNKNOWN_SUBJECT = re.compile(r"\W*([A-Z][a-z]+)(?:['’]s)?\s+(?:\w+\s+){0,2}"
                              r"(?:is|are|lives|has|does|will)\b")
#: Words that may begin a sentence without being a name.
_EVERYDAY = frozenset(re.findall(r"[a-z]+", " ".join(
    [*(text for predicate in CAR.values() for text in (predicate.template, *predicate.questions,
                                              *predicate.cues)),
     *(word for sense in SENSES for word in sense), *KINDS_OF_PLACES, *RELATIONS]).lower()))
_NO_NAME = re.compile(r"(?:(?:I|GPS|OK|Okay|Yes|No|Sure|Sir|Madam|Mr|Mrs|Ms|Fahrenheit|Celsius|"
                      r"Bluetooth|The|It|There|Your|You|We|He|She|They|This|That|Here|Would|Do|"
                      r"Problem|Thanks|"
                      r"Is|Are|In|On|At|And|But|So|If|"
                      r"Neither|Either|Some|Any|Every|Since|While|When|Although|Though|As|"
                      r"Because|After|Before|Today|Tomorrow|Tonight|"
                      r"Currently|Now|Also|Then|Please|For|From|With|All|Both|Each|None|Nothing|"
                      r"Only|"
                      r"Degrees?|Miles?|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|January|"
                      r"February|March|April|May|June|July|August|September|October|November|"
                      r"December)\b(?:['’]\w++)? ?)+")
_STREETS = {"avenue": "ave", "street": "st", "drive": "dr", "road": "rd", "lane": "ln",
            "court": "ct", "boulevard": "blvd", "place": "pl"}
_STREET = re.compile(rf"(?<=\d )((?:\w+ ){{1,3}})({'|'.join(_STREETS)})\b", re.IGNORECASE)


class CarNames:
    """Finds names and compares them with what is spoken of."""

    def __init__(self, base: FactBase) -> None:
        self._base = base
        names = sorted({entity.name for entity in base.entities()
                        if entity.type not in (CarType.DISTANCE, CarType.APPOINTMENT,
                                               CarType.WEATHER)},
                       key=lambda name: (-len(name), name))
        self._written = re.compile(
            rf"(?<!\w)(?:{'|'.join(map(_written, names)) or '(?!)'})(?!\w)", re.IGNORECASE)
        self._ids: dict[str, set[str]] = {}
        for entity in base.entities():
            self._ids.setdefault(_plain(entity.name), set()).add(entity.id)
        #: What places and appointments are.
        self._kind = {str(fact.arguments[0]): str(fact.arguments[1])
                      for name in ("category", "activity") for fact in base.facts_of(name)}
        self._at_address: dict[str, set[str]] = {}
        for fact in base.facts_of("address"):
            self._at_address.setdefault(short_streets(str(fact.arguments[1]).lower()), set()).add(
                str(fact.arguments[0]))

    def find(self, sentence: str) -> list[tuple[int, str, set[str]]]:
        """The known names in a sentence: where each starts, its words and what it can mean."""
        return [(match.start(), match.group(), self._ids.get(_plain(match.group()), set()))
                for match in self._written.finditer(sentence)]

    def masked(self, sentence: str) -> str:
        """A sentence with blanks in the place of its known names."""
        return self._written.sub(lambda match: " " * len(match.group()), sentence)

    def addresses(self, sentence: str) -> list[tuple[str, set[str]]]:
        """The known addresses in a sentence, written short, with what is there."""
        return [(address, owners) for address, owners in self._at_address.items()
                if re.search(rf"(?<!\w){re.escape(address)}(?!\w)", sentence, re.IGNORECASE)]

    def unknown(self, masked: str) -> Iterator[str]:
        """What looks like a name in a sentence without its known ones."""
        subject = _UNKNOWN_SUBJECT.match(masked)
        first = [subject[1]] if subject and subject[1].lower() not in _EVERYDAY \
            and not subject[1].endswith("ly") else []
        for name in (*first, *_UNKNOWN_NAME.findall(masked)):
            if not _NO_NAME.fullmatch(name) and not self._is_part_of_name(name):
                yield name

    def meant(self, named: set[str]) -> set[str]:
        """The places and appointments among what is named, and the appointments of activities."""
        return {each for each in self._base.of_type(CarType.APPOINTMENT)
                if self._kind.get(each) in named} | {
            each for each in named if each in self._base
            and self._base.entity(each).type in SUBJECTS}

    def is_reached(self, ids: set[str], spoken_of: set[str]) -> bool:
        """Whether a place or an appointment may be what was asked about: it, or one of its kind.

        Towns are asked about by name. Where nothing of the sort is spoken of, anything may be.
        """
        if ids & spoken_of:
            return True
        if any(self._base.entity(each).type is CarType.PLACE for each in ids):
            return not any(each in self._base and self._base.entity(each).type is CarType.PLACE
                           for each in spoken_of)
        own = {self._kind.get(each, each) for each in ids}
        sorts = {self._base.entity(each).type for each in own}
        wanted = {each for each in (spoken_of.intersection(self._kind.values())
                                    or {self._kind.get(each, "") for each in spoken_of})
                  if each in self._base and self._base.entity(each).type in sorts}
        return not wanted or not own.isdisjoint(wanted)

    def other_kind(self, ids: set[str], named: Sequence[tuple[int, str, set[str]]]) -> str:
        """What the one place is that is said to be of a category, where that is not so."""
        places = [each for _, _, found in named for each in found if each in self._kind]
        if len(places) != 1 or self._kind[places[0]] in ids:
            return ""
        return (f"{self._base.entity(places[0]).name} is a "
                f"{self._base.entity(self._kind[places[0]]).name}")

    def _is_part_of_name(self, words: str) -> bool:
        """Whether a name begins with some words: "Jill" with what is called "jills house"."""
        return any(entity.name.lower().startswith(words.lower())
                   for entity in self._base.entities())


def _plain(name: str) -> str:
    """A name for comparison: case, apostrophes, blanks and how streets are written aside."""
    return " ".join(short_streets(re.sub("['’]", "", name)).lower().split())


def _written(name: str) -> str:
    """A pattern for the ways to write a name: "Dominos" is written "Domino's"."""
    return r"\s+".join(re.sub(r"s$", "['’]?s", re.escape(word))
                        for word in short_streets(name).split())


def short_streets(text: str) -> str:
    """A text with its addresses as they are written short: "408 University Ave"."""
    return _STREET.sub(lambda match: match[1] + _STREETS[match[2].lower()], text)
