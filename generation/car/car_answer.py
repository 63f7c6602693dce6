"""Which of the ranked facts answer what a driver asks."""

from __future__ import annotations

from collections.abc import Iterable

from frontdesk.generation.answers.answer_facts import LEAST_RECENCY
from frontdesk.generation.voice.generator import GenerationInput
from frontdesk.kg.car.car_questions import (
    asks_for_next,
    asks_for_order,
    asks_what_there_is,
    asks_whether,
    is_about_heavy_traffic,
    limits_distance,
    names_address,
    parts_asked,
    ways_wanted,
)
from frontdesk.kg.car.car_schema import CAR
from frontdesk.kg.car.car_types import CarType
from frontdesk.kg.car.car_words import traffic_delay
from frontdesk.kg.english.cues import found_cues
from frontdesk.kg.graph.entities import EntityType
from frontdesk.kg.graph.fact_base import FactBase
from frontdesk.kg.graph.facts import Fact
from frontdesk.kg.graph.mentions import MentionKind
from frontdesk.rules.car.navigation import miles
from frontdesk.scoring.ranked_fact import RankedFact

#: What helps to get to a place, in the order it is said.
ON_THE_WAY = ("address", "distance", "traffic")
#: A fact answers when it has a cue of the question, or when a question of its predicate is this
#: similar (cosine).
_SIMILAR = 0.5
#: A fact adds to an answer when it answers cues of its own at least this well.
_ADDS = 0.2
_MOST_FACTS = 4
_ON_THE_DAY = frozenset({"forecast", "forecast_note", "weather_then"})
_EXTREMES = frozenset({"hottest_day", "coldest_day", "hottest_place", "coldest_place"})
_NOT_QUITE = frozenset({"nearly_be", "not_forecast"})
#: Where no day is spoken of the weather of these is told.
_TODAY = "today"


class CarAnswer:
    """Chooses the facts that answer one turn.

    Args:
        request: The turn with its ranked facts.
    """

    def __init__(self, request: GenerationInput, base: FactBase) -> None:
        self._request, self._base = request, base
        self._observation = request.observation
        self._cues = found_cues(request.observation, CAR)

    def choose(self) -> tuple[RankedFact, ...]:
        """The fact that answers and what else is asked of the same thing."""
        answering = [each for each in self._request.knowledge
                     if self.answers(each) and self._is_of_its_time(each)]
        parts = set(parts_asked(self._observation))
        if parts and any(each.fact.predicate in parts for each in answering):
            answering = [each for each in answering if each.fact.predicate != "category"]
        answering.sort(key=self._is_later)
        kept = self.on_condition()
        if kept:
            return self._with_parts(kept)
        if self._observation.polar:
            answering.sort(key=lambda each: self.polarity(each.fact) == 0
                           or not self._is_asked(each))
        if asks_for_order(self._observation):
            answering.sort(key=lambda each: each.fact.predicate != "before")
        if not answering:
            return self._on_day_spoken_of() or self._of_what_is_named()
        if answering[0].fact.predicate == "next_appointment" and not asks_for_next(
                self._observation):
            answering.sort(key=lambda each: each.fact.predicate != "occurrences")
        if asks_for_next(self._observation) and any(
                each.fact.predicate == "next_appointment" for each in answering):
            answering = [each for each in answering
                         if each.fact.predicate not in ("occurrences", "matching_party")]
            answering.sort(key=lambda each: each.fact.predicate != "next_appointment")
        if any(each.fact.predicate == "quickest_of" for each in answering):
            answering.sort(key=lambda each: each.fact.predicate != "quickest_of")
        nearest = self.nearest_of_all()
        if answering[0].fact.predicate == "nearest" and nearest:
            answering = [*nearest, *(each for each in answering if each not in nearest)]
        first = answering[0]
        chosen = [first, *self._alike(first, answering)]
        covered = _covered(first)
        if first.fact.predicate in ("will_be", "will_not_be", *_NOT_QUITE):
            return (first, *self._instead(first))
        about = {each for fact in chosen for each in subjects(fact)}
        for each in answering[1:]:
            predicate = each.fact.predicate
            new = self._cues.intersection(CAR[predicate].cues) - covered
            if (each in chosen or not new or each.features.get("cue", 0.0) < _ADDS
                    or each.fact.arguments[0] not in about
                    or {predicate, first.fact.predicate} <= _ON_THE_DAY
                    or (is_about_kind(each) and is_about_kind(first))):
                continue
            chosen.append(each)
            covered |= _covered(each)
        return self._with_parts(tuple(chosen[:_MOST_FACTS]))

    def _with_parts(self, answer: tuple[RankedFact, ...]) -> tuple[RankedFact, ...]:
        """The answer with what else is asked by name of the places it is about."""
        about = dict.fromkeys(each for fact in answer
                              for each in subjects(fact, of_several=len(answer) == 1)
                              if each in self._base
                              and self._base.entity(each).type is CarType.POI)
        named = set(self.linked(CarType.POI))
        if len(about) > 2:
            return answer
        parts = {predicate for predicate in parts_asked(self._observation)
                 if (predicate == "address" and names_address(self._observation))
                 or about.keys() <= named}
        more = [each for predicate in ON_THE_WAY if predicate in parts for poi in about
                for each in self._request.knowledge
                if (each.fact.predicate, each.fact.arguments[0]) == (predicate, poi)
                and each not in answer and not (predicate == "distance" and any(
                    " mile" in said.text for said in answer))]
        return (*answer, *more)

    def on_condition(self) -> tuple[RankedFact, ...]:
        """What keeps the conditions on the way to a kind of place: no traffic, so many miles."""
        kinds = self.linked(CarType.CATEGORY)
        if self.linked(CarType.POI):
            return ()
        wanted = ways_wanted(self._observation)
        if self.linked(CarType.DISTANCE) and limits_distance(self._observation):
            wanted = ("within", "none_within", *(wanted or ("nearest",)))
        kept = [each for predicate in wanted for kind in kinds for each in self._request.knowledge
                if (each.fact.predicate, each.fact.arguments[0]) == (predicate, kind)]
        found = {each.fact.predicate for each in kept}
        for met, spare in (("without_traffic", "least_traffic"), ("within", "nearest")):
            if met in found:
                kept = [each for each in kept if each.fact.predicate != spare]
        return tuple(kept)

    def nearest_of_all(self) -> tuple[RankedFact, ...]:
        """The nearest place of all kinds that are meant: a place to eat is of several."""
        kinds = self.linked(CarType.CATEGORY)
        near = [(distance, each) for each in self._request.knowledge
                if each.fact.predicate == "nearest" and each.fact.arguments[0] in kinds
                and (distance := miles(self._base.entity(str(each.fact.arguments[2])).name))
                is not None]
        least = min((distance for distance, _ in near), default=0)
        return tuple(each for distance, each in near if distance == least)

    def way_to(self, target: str | None) -> tuple[RankedFact, ...]:
        """Address, distance and traffic of a place."""
        return tuple(each for predicate in ON_THE_WAY for each in self._request.knowledge
                     if each.fact.predicate == predicate and each.fact.arguments[0] == target)

    def linked(self, kind: EntityType) -> list[str]:
        return [link.entity for linked in self._request.links for link in linked.best
                if self._base.entity(link.entity).type is kind]

    def polarity(self, fact: Fact) -> int:
        if not asks_whether(self._observation, fact.predicate):
            return 0
        if fact.predicate == "traffic":
            delay = traffic_delay(self._base.entity(str(fact.arguments[1])).name)
            if is_about_heavy_traffic(self._observation):
                return {2: 1, 3: 0}.get(delay, -1)
            return {0: -1, 3: 0}.get(delay, 1)
        wanted = ways_wanted(self._observation)
        if fact.predicate in wanted and fact.predicate != "least_traffic":
            return -1 if fact.predicate.endswith("everywhere") else 1
        if fact.predicate == "occurrences" and not asks_what_there_is(self._observation):
            return 0
        polarity = CAR[fact.predicate].polarity
        return polarity if self._cues.isdisjoint(CAR.negative_topic) else -polarity

    def _is_of_its_time(self, ranked: RankedFact) -> bool:
        """Whether a forecast is of a day spoken of, or of today where none is."""
        fact = ranked.fact
        if fact.predicate not in ("forecast", "forecast_note"):
            return True
        days = self.linked(CarType.DAY)
        if days or self.linked(CarType.PERIOD):
            return fact.arguments[1] in days
        today = [each.arguments[0] for each in self._base.facts_of("today")]
        return not today or fact.arguments[1] in today

    def _is_later(self, ranked: RankedFact) -> bool:
        """Whether a fact is of the whole week though no day is spoken of and none is compared."""
        fact = ranked.fact
        if self.linked(CarType.DAY) or self.linked(CarType.PERIOD):
            return False
        if fact.predicate == "forecast":
            return True  # the same is said with "today"
        if fact.predicate not in ("outlook", "temperatures"):
            return False
        return self._base.entity(str(fact.arguments[1])).name != _TODAY

    def _on_day_spoken_of(self) -> tuple[RankedFact, ...]:
        """The weather of the place and day that are named or understood: "And tomorrow?" """
        spoken_of = {link.entity for linked in self._request.links for link in linked.best}
        return tuple(each for each in self._request.knowledge
                     if each.fact.predicate in _ON_THE_DAY
                     and set(map(str, each.fact.arguments[:2])) <= spoken_of)[:1]

    def _of_what_is_named(self) -> tuple[RankedFact, ...]:
        """What there is of a kind of place that is just named: "I'd love some tea"."""
        named = self.linked(CarType.CATEGORY)
        return tuple(each for each in self._request.knowledge if each.fact.predicate == "listed"
                     and each.fact.arguments[0] in named)[:1]

    def answers(self, ranked: RankedFact) -> bool:
        features = ranked.features
        if not features:  # ranked by something that gives no reasons
            return True
        return features.get("recency", 1.0) >= LEAST_RECENCY and (
            features.get("cue", 0.0) > 0 or features.get("question", 0.0) >= _SIMILAR)

    def _is_asked(self, ranked: RankedFact) -> bool:
        """Whether a fact that says yes or no is about what the question names."""
        named = {link.entity for linked in self._request.links for link in linked.best}
        about = set(ranked.fact.entities())
        kinds = [self._base.entity(each).type for each in named]
        return all(each in about for each, kind in zip(named, kinds, strict=True)
                   if kind in (CarType.WEATHER, CarType.PLACE, CarType.DISTANCE))

    def _alike(self, first: RankedFact, answering: Iterable[RankedFact]) -> list[RankedFact]:
        """The same about others that the question can equally well mean."""
        ties = [{link.entity for link in linked.best} for linked in self._request.links
                if len(linked.best) > 1]
        ties.append(set(self.linked(CarType.POI)))
        if any(not each.mention.text and each.mention.kind is MentionKind.NAME
               for each in self._request.links):  # a word for several kinds of places
            ties.append(set(self.linked(CarType.CATEGORY)))
        subject = first.fact.arguments[0]
        if first.fact.predicate == "nearest":  # of all that a word can mean
            return [each for each in self.nearest_of_all() if each is not first]
        return [each for each in answering if each is not first
                and each.fact.predicate == first.fact.predicate
                and any({subject, each.fact.arguments[0]} <= tie for tie in ties)]

    def _instead(self, first: RankedFact) -> list[RankedFact]:
        """What the weather will be on the one day that was asked about."""
        place, _, when = first.fact.arguments[:3]
        return [each for each in self._request.knowledge
                if each.fact.arguments[:2] == (place, when)
                and each.fact.predicate in (*_ON_THE_DAY, *(
                    ("temperatures",) if first.fact.predicate in _NOT_QUITE else ()))][:1]


def subjects(ranked: RankedFact, *, of_several: bool = False) -> list[str]:
    """What further facts can be about: the subject, and the one place or appointment found."""
    found = [str(ranked.fact.arguments[0])]
    for argument in ranked.fact.arguments[1:]:
        if isinstance(argument, tuple) and (of_several or len(argument) == 1):
            found.extend(map(str, argument))
        elif isinstance(argument, str) and ranked.fact.predicate == "next_appointment":
            found.append(argument)
    return found


def is_about_kind(ranked: RankedFact) -> bool:
    """Whether a fact is about a kind of place rather than about one of them."""
    return CAR[ranked.fact.predicate].arguments[0] is CarType.CATEGORY


def _covered(ranked: RankedFact) -> set[str]:
    """The cues that a fact answers; one about a category leaves the way to a place open."""
    predicate = CAR[ranked.fact.predicate]
    cues = set(predicate.cues)
    if predicate.name in _EXTREMES:
        cues |= set(CAR["temperatures"].cues)
    if is_about_kind(ranked):
        cues -= {cue for each in ("address", "traffic")
                 for cue in CAR[each].cues}
        cues |= set(CAR["distance"].cues)
    return cues
