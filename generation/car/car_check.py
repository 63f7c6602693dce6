"""The graph check of the in-car assistant: whether what a reply claims has a fact behind it.

Claims are the names, values, times, temperatures, distances and addresses in a reply. A claim is
supported when a fact in use has it, or else a stored fact about what the sentence is about;
contradicted when such a fact has something else in its place; unsupported when neither is so, or
when it is of a place or an appointment that was not asked about. Weather is compared with the
stored forecasts (:mod:`~frontdesk.generation.car.car_weather`).
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Sequence

from frontdesk.generation.car.car_speech_names import SUBJECTS, CarNames, short_streets
from frontdesk.generation.car.car_weather import WeatherClaims, which_of_day
from frontdesk.generation.checks.claims import Claim, Verdict
from frontdesk.generation.checks.fact_check import SentenceCheck
from frontdesk.generation.voice.negation import is_denied
from frontdesk.kg.car.car_schema import CAR
from frontdesk.kg.car.car_types import CarType
from frontdesk.kg.car.car_verbalise import after_yes
from frontdesk.kg.car.car_words import WEEKDAYS, names_period
from frontdesk.kg.graph.entities import EntityType
from frontdesk.kg.graph.fact_base import FactBase
from frontdesk.kg.graph.facts import Fact
from frontdesk.kg.graph.schema import ArgumentType
from frontdesk.scoring.ranked_fact import RankedFact

_DONE = re.compile(
    r"\b(?:I|we)(?:['’]ve| have|['’]ll| will)?\s+(?:now |already |just )*(?:set|sent|start(?:ed)?|"
    r"schedul(?:e|ed)|book(?:ed)?|add(?:ed)?|remind(?:ed)?|navigat\w+|made|put)\b"
    r"|^\W*(?:\w+,\s+)?(?:setting|navigating|scheduling|sending|booking|adding)\b"
    r"|\b(?:has|have) (?:now )?been (?:set|scheduled|added|booked|sent)\b", re.IGNORECASE)
_VALUES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("temperature", re.compile(r"(?<![\w.])(-?\d+)\s*(?:°\s*)?(?:F\b|degrees?\b)", re.IGNORECASE)),
    ("distance", re.compile(r"\b(\d+)\s*miles?\b", re.IGNORECASE)),
    ("time", re.compile(r"\b(\d{1,2})(?::(\d{2}))?\s*([ap])\.?m\b", re.IGNORECASE)),
    ("number", re.compile(r"\b\d+\b(?!\s*(?:days?|hours?|minutes?|options?)\b)")),
)
_RANGE = re.compile(r"(\d+)\s*(?:-|–|to|and)\s*(?=-?\d+\s*(?:°\s*)?(?:F|degrees?)\b)",
                    re.IGNORECASE)
#: Before what there is none of: "you have no dentist appointment".
_THERE_IS_NO = re.compile(r"(?:\bno|(?:\bnot|n['’]t)(?: have)? (?:a|an|any)) +"
                          r"(?:(?!(?:more|other|further)\b)\w+ +){0,2}$", re.IGNORECASE)
#: What a road is like in words that no fact has.
_ROAD = re.compile(r"\b(?:light|little|slow|congested|busy) traffic\b|\btraffic jams?\b"
                   r"|\b(?:road|route|street|way)s? (?:is|are) (?:\w+ )?(?:blocked|closed|clear|"
                   r"free|congested)\b|\b(?:is|are) (?:currently )?(?:blocked|congested)\b",
                   re.IGNORECASE)
_NEAREST = re.compile(r"\b(?:nearest|closest)\b", re.IGNORECASE)
_DAY = re.compile(r"\b(?:" + "|".join(WEEKDAYS) + r")\b", re.IGNORECASE)
#: What may be said of anything without a fact.
_UNCLAIMED = (CarType.PERIOD, CarType.CATEGORY, CarType.ACTIVITY)


class CarCheck(SentenceCheck):
    """Checks replies of the in-car assistant."""

    def __init__(self, base: FactBase) -> None:
        super().__init__(base)
        self._names = CarNames(base)
        self._weather = WeatherClaims(base)

    def forms(self, text: str) -> tuple[str, str]:
        """A fact's sentence as it stands alone and as it goes on after "Yes, "."""
        return text, after_yes(text)

    def claims(self, sentence: str, used: Sequence[RankedFact], said: str, spoken_of: set[str],
               subjects: set[str], now: dt.datetime) -> list[Claim]:
        """See :meth:`SentenceCheck.claims`."""
        sentence = short_streets(sentence)
        named = self._names.find(sentence)
        about = {each for _, _, ids in named for each in ids
                 if self.base.entity(each).type in SUBJECTS}
        if about:
            subjects.clear()
            subjects |= about
        named_ids = {each for _, _, ids in named for each in ids}
        about = subjects or self._names.meant({*spoken_of, *named_ids}) \
            or {str(fact.fact.arguments[0]) for fact in used[:1]}
        # Day, time and people that are said together are those of one appointment.
        apart = [{each} for each in sorted(about)] if len(
            _values_of("time", sentence)) <= 1 and all(
                each in self.base and self.base.entity(each).type is CarType.APPOINTMENT
                for each in about) else []
        readings = [list(self._read(sentence, named, used, said, spoken_of, each))
                    for each in apart or [about]]
        return min(readings, key=lambda claims: sum(
            claim.verdict is not Verdict.SUPPORTED for claim in claims))

    def _read(self, sentence: str, named: Sequence[tuple[int, str, set[str]]],
              used: Sequence[RankedFact], said: str, spoken_of: set[str],
              about: set[str]) -> Iterator[Claim]:
        """The claims of a sentence that is about some places or appointments."""
        done = _DONE.search(sentence)
        if done:
            yield Claim(done.group(), "action", Verdict.CONTRADICTED, "nothing was done")
        for start, text, ids in named:
            kinds = {self.base.entity(each).type for each in ids}
            if kinds <= {*SUBJECTS, CarType.CATEGORY, CarType.ACTIVITY} \
                    and not self._names.is_reached(ids, spoken_of):
                yield Claim(text, "entity", Verdict.UNSUPPORTED)
                continue
            if _THERE_IS_NO.search(sentence[:start]) and not names_period(sentence) \
                    and (there := self._appointment(ids, named)):
                yield Claim(text, "entity", Verdict.CONTRADICTED, there)
                continue
            if kinds == {CarType.CATEGORY} and (other := self._names.other_kind(ids, named)):
                yield Claim(text, "entity", Verdict.CONTRADICTED, other)
                continue
            if kinds <= set(_UNCLAIMED) or (
                    ids & spoken_of and kinds & set(SUBJECTS)) or re.search(
                    rf"\bavoid(?:s|ing)?(?: any| all| the)? {re.escape(text)}\b", sentence,
                    re.IGNORECASE):
                continue  # what a route avoids is not said to be on it
            yield self._entity_claim(text, ids, used, about, spoken_of, said,
                                     denied=is_denied(sentence, start))
        places = {each for each in about if each in self.base
                  and self.base.entity(each).type is CarType.PLACE}
        here = {each for _, _, ids in named for each in ids} & places
        weather = list(self._weather.claims(sentence, here or places, said, each=bool(here)))
        yield from (claim for _, _, claim in weather)
        for start, end, _ in weather:
            sentence = sentence[:start] + " " * (end - start) + sentence[end:]
        for road in _ROAD.finditer(sentence):
            yield Claim(road.group(), "traffic", Verdict.UNSUPPORTED)
        nearest = _NEAREST.search(sentence)
        if nearest:
            yield from _nearest_claim(nearest.group(), about, used)
        yield from self._values(sentence, named, used, said, spoken_of, about)

    def _values(self, sentence: str, named: Sequence[tuple[int, str, set[str]]],
                used: Sequence[RankedFact], said: str, spoken_of: set[str],
                about: set[str]) -> Iterator[Claim]:
        """The addresses, numbers and days of a sentence, and what looks like an unknown name."""
        for address, owners in self._names.addresses(sentence):
            yield self._address_claim(address, owners, about, used, spoken_of)
            sentence = re.sub(re.escape(address), " " * len(address), sentence,
                              flags=re.IGNORECASE)
        sentence = _RANGE.sub(r"\1F to ", sentence)
        rest = self._names.masked(sentence)
        days = self._weather.days_in(sentence)
        for kind, pattern in _VALUES:
            for match in pattern.finditer(rest):
                own = self._last_before(match.start(), named) if kind == "distance" else set()
                claim = self._value_claim(match, kind, used, own or about, said,
                                          days if kind == "temperature" else set())
                yield claim if kind != "temperature" or claim.verdict is not Verdict.SUPPORTED \
                    else self._of_the_right_end(claim, match, own or about, days)
            rest = pattern.sub(lambda match: " " * len(match.group()), rest)
        for match in _DAY.finditer(rest):
            known = _has(said, match.group()) or _in_texts(match.group(), used)
            yield Claim(match.group(), "date",
                        Verdict.SUPPORTED if known else Verdict.UNSUPPORTED)
        for name in self._names.unknown(rest):
            if not _has(said, name) and not _in_texts(name, used):
                yield Claim(name, "entity", Verdict.UNSUPPORTED)

    def _last_before(self, start: int, named: Sequence[tuple[int, str, set[str]]]) -> set[str]:
        """The place that is named last before a value; none where no place is."""
        places = [ids for begin, _, ids in named if begin < start
                  and any(self.base.entity(each).type is CarType.POI for each in ids)]
        return places[-1] if places else set()

    def _address_claim(self, address: str, owners: set[str], about: set[str],
                       used: Sequence[RankedFact], spoken_of: set[str]) -> Claim:
        if not self._names.is_reached(owners, spoken_of):
            return Claim(address, "address", Verdict.UNSUPPORTED)
        for ranked in used:
            if _has(ranked.text, address) and (owners & about or not about):
                return Claim(address, "address", Verdict.SUPPORTED, ranked.text)
        for subject in sorted(about):
            for fact in self.base.facts_about(subject) if subject in self.base else ():
                if fact.predicate == "address":
                    return Claim(address, "address", Verdict.SUPPORTED if subject in owners
                                 else Verdict.CONTRADICTED, self._readable(fact))
        return Claim(address, "address", Verdict.SUPPORTED, "a place has it")

    def _entity_claim(self, text: str, ids: set[str], used: Sequence[RankedFact],
                      about: set[str], spoken_of: set[str], said: str, *,
                      denied: bool) -> Claim:
        """Whether a name in a sentence is that of something a fact has."""
        kind = self.base.entity(min(ids)).type
        if kind is CarType.TRAFFIC:
            on_the_way = [fact for each in sorted(about) if each in self.base
                          for fact in self.base.facts_about(each) if fact.predicate == "traffic"]
            if on_the_way:
                so = [fact for fact in on_the_way if fact.arguments[1] in ids]
                return Claim(text, "entity", Verdict.SUPPORTED if bool(so) != denied
                             else Verdict.CONTRADICTED, self._readable((so or on_the_way)[0]))
        for ranked in used if kind in SUBJECTS else _pertinent(used, about):
            if ids & set(ranked.fact.entities()) or _has(ranked.text, text):
                return Claim(text, "entity", Verdict.SUPPORTED, ranked.text)
        if kind is CarType.DAY and (ids & spoken_of or _has(said, text)) \
                and (denied or not self._is_on_another_day(ids, about)):
            return Claim(text, "entity", Verdict.SUPPORTED, "the user spoke of it")
        if kind in SUBJECTS:
            stored = self.base.facts_about(min(ids))
            return Claim(text, "entity", Verdict.SUPPORTED if stored else Verdict.UNSUPPORTED,
                         self._readable(stored[0]) if stored else "")
        for fact in self._known(about, used):
            if ids & set(fact.entities()):
                return Claim(text, "entity", Verdict.SUPPORTED, self._readable(fact))
        other = self._instead(kind, about, used)
        return Claim(text, "entity", Verdict.CONTRADICTED if other else Verdict.UNSUPPORTED,
                     other)

    def _is_on_another_day(self, ids: set[str], about: set[str]) -> bool:
        """Whether appointments have days, and none of them a day that is said."""
        days = [str(each) for one in sorted(about) if one in self.base
                for fact in self.base.facts_about(one)
                if fact.predicate in ("scheduled", "on_day") for each in fact.arguments[1:2]]
        return bool(days) and ids.isdisjoint(days)

    def _instead(self, kind: EntityType, about: set[str], used: Sequence[RankedFact]) -> str:
        """What the base has in place of a value of some type for what a sentence is about."""
        for fact in self._known(about, used):
            if any(each in self.base and self.base.entity(each).type is kind
                   for each in fact.entities()[1:]):
                return self._readable(fact)
        return ""

    def _known(self, about: set[str], used: Sequence[RankedFact]) -> list[Fact]:
        """The facts in use about subjects, then the stored ones."""
        own = [ranked.fact for ranked in used if about & set(ranked.fact.entities())]
        return own + [fact for each in sorted(about) if each in self.base
                      for fact in self.base.facts_about(each)]

    def _value_claim(self, match: re.Match[str], kind: str, used: Sequence[RankedFact],
                     about: set[str], said: str, days: set[str]) -> Claim:
        text = match.group().strip()
        for ranked in used if kind == "number" else _pertinent(used, about):
            if kind == "number" and ranked.fact.predicate == "address":
                continue  # of a house
            if self._is_of_other_days(ranked.fact, days):
                continue
            if _states(ranked.fact, ranked.text, match, kind):
                return Claim(text, kind, Verdict.SUPPORTED, ranked.text)
        other = ""
        for fact in self._known(about, used) if kind != "number" else ():
            if not _is_stated(fact, kind) or self._is_of_other_days(fact, days):
                continue
            if self._stored_value(fact, match, kind):
                return Claim(text, kind, Verdict.SUPPORTED, self._readable(fact))
            other = other or self._readable(fact)
        if other:
            return Claim(text, kind, Verdict.CONTRADICTED, other)
        if _has(said, text) or (kind == "time" and _clock(match) in map(
                _clock, _values_of("time", said))):
            return Claim(text, kind, Verdict.SUPPORTED, "the user said it")
        return Claim(text, kind, Verdict.UNSUPPORTED)

    def _appointment(self, ids: set[str], named: Sequence[tuple[int, str, set[str]]]) -> str:
        """An appointment of some activity, with whom and when it is said; empty without one."""
        beside = [others for _, _, others in named if others != ids and not any(
            self.base.entity(each).type in (CarType.ACTIVITY, CarType.CATEGORY)
            for each in others)]
        for each in self.base.of_type(CarType.APPOINTMENT):
            facts = self.base.facts_about(each)
            own = {each, *(entity for fact in facts for entity in fact.entities())}
            if facts and ids & own and all(others & own for others in beside):
                return self._readable(facts[0])
        return ""

    def _of_the_right_end(self, claim: Claim, match: re.Match[str], about: set[str],
                          days: set[str]) -> Claim:
        """A temperature that is said to be the high of a day must be one, and so with the low."""
        end = which_of_day(match.string, match.start(), match.end())
        if not end:
            return claim
        forecasts = [fact for each in sorted(about) if each in self.base
                     for fact in self.base.facts_about(each) if fact.predicate == "forecast"
                     and not self._is_of_other_days(fact, days)]
        values = {fact.arguments[-1 if end == "high" else -2] for fact in forecasts}
        return claim if not forecasts or int(match[1]) in values else Claim(
            claim.text, claim.kind, Verdict.CONTRADICTED, self._readable(forecasts[0]))

    def _is_of_other_days(self, fact: Fact, days: set[str]) -> bool:
        """Whether a fact is about days, and none of some days."""
        own = {each for each in fact.entities() if each in self.base
               and self.base.entity(each).type is CarType.DAY}
        return bool(days and own) and own.isdisjoint(days)

    def _stored_value(self, fact: Fact, match: re.Match[str], kind: str) -> bool:
        said = " ".join(self.base.entity(each).name for each in fact.entities()
                        if each in self.base)
        return _states(fact, said, match, kind)

    def _readable(self, fact: Fact) -> str:
        said = [self.base.entity(each).name if isinstance(each, str) and each in self.base
                else str(each) for each in fact.arguments]
        return f"{fact.predicate}({', '.join(said)})"


def _pertinent(used: Sequence[RankedFact], about: set[str]) -> Sequence[RankedFact]:
    """The facts in use about what a sentence is about; all of them where none is."""
    return [ranked for ranked in used if about & set(ranked.fact.entities())] or (
        [] if about else used)


def _nearest_claim(word: str, about: set[str], used: Sequence[RankedFact]) -> Iterator[Claim]:
    """Whether what is said to be nearest is; only what was derived can tell."""
    for ranked in used:
        if ranked.fact.predicate == "nearest" and any(each.startswith("poi") for each in about):
            near = ranked.fact.arguments[1]
            right = isinstance(near, tuple) and not about.isdisjoint(near)
            yield Claim(word, "comparison",
                        Verdict.SUPPORTED if right else Verdict.CONTRADICTED, ranked.text)
            return


def _states(fact: Fact, text: str, match: re.Match[str], kind: str) -> bool:
    """Whether a fact has the value that a reply gives."""
    if kind == "temperature":
        return _is_stated(fact, kind) and int(match[1]) in fact.arguments
    if kind == "time":
        return _clock(match) in fact.arguments or _has(
            text.replace(" ", ""), match.group().replace(" ", ""))
    if kind == "distance":
        return re.search(rf"\b{match[1]} miles?\b", text) is not None
    return _has(text, match.group())


def _values_of(kind: str, text: str) -> list[re.Match[str]]:
    return list(dict(_VALUES)[kind].finditer(text))


def _clock(match: re.Match[str]) -> dt.time | None:
    hour, minute = int(match[1]) % 12 + (12 if match[3].lower() == "p" else 0), int(match[2] or 0)
    return dt.time(hour, minute) if minute < 60 else None


def _is_stated(fact: Fact, kind: str) -> bool:
    """Whether a fact has a value of some kind at all."""
    types = CAR[fact.predicate].arguments
    wanted = {"temperature": CarType.TEMPERATURE, "distance": CarType.DISTANCE,
              "time": ArgumentType.TIME}.get(kind)
    return wanted in types


def _in_texts(text: str, used: Sequence[RankedFact]) -> bool:
    return any(_has(ranked.text, text) for ranked in used)


def _has(text: str, words: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text, re.IGNORECASE) is not None
