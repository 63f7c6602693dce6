"""The realiser of the in-car assistant: answers in sentences from the ranked facts.

Like :class:`frontdesk.generation.realiser.Realiser` it says nothing but verbalised facts and what
it does not know or cannot do: it starts no navigation and writes nothing into the calendar.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from frontdesk.generation.answer import LEAST_RECENCY
from frontdesk.generation.car_questions import (
    acknowledges,
    asks_whether,
    gives_details,
    goes_on,
    is_about_calendar,
    limits_distance,
    parts_asked,
    ways_wanted,
)
from frontdesk.generation.generator import Clarification, GeneratedReply, GenerationInput
from frontdesk.kg.car_mentions import asks_action
from frontdesk.kg.car_schema import CAR
from frontdesk.kg.car_verbalise import CarVerbaliser, after_yes
from frontdesk.kg.car_words import traffic_delay
from frontdesk.kg.cues import asks_negative, found_cues
from frontdesk.kg.dialogue_graph import AGENT, USER
from frontdesk.kg.entities import EntityType
from frontdesk.kg.fact_base import FactBase
from frontdesk.kg.facts import Fact
from frontdesk.kg.mentions import DialogueAct, MentionKind
from frontdesk.kg.phrases import say_list
from frontdesk.kg.schema import ArgumentType
from frontdesk.rules.linking import LinkedMention
from frontdesk.rules.navigation import miles
from frontdesk.scoring.ranked_fact import RankedFact

#: A fact answers when it has a cue of the question, or when a question of its predicate is this
#: similar (cosine).
_SIMILAR = 0.5
#: A fact adds to an answer when it answers cues of its own at least this well.
_ADDS = 0.2
_MOST_FACTS = 4
_ON_THE_DAY = frozenset({"forecast", "forecast_note", "weather_then"})
_ANYWHERE = frozenset({"places_with", "no_place_with", "hottest_place", "coldest_place"})
_ON_THE_WAY = ("address", "distance", "traffic")
_ROOM_AND_TOPIC = ("room", "agenda")
_EXTREMES = frozenset({"hottest_day", "coldest_day", "hottest_place", "coldest_place"})
_NEXT = re.compile(r"\b(?:next|first|earliest|upcoming|soonest)\b", re.IGNORECASE)
_HAVE = re.compile(r"\b(?:have|there|got)\b", re.IGNORECASE)
_WEATHER = re.compile(r"\b(?:weather|forecast|temperatures?)\b", re.IGNORECASE)
_ORDER = re.compile(r"\b(?:before|after|earlier|later)\b", re.IGNORECASE)
_NOT_QUITE = frozenset({"nearly_be", "not_forecast"})
#: Where no day is spoken of the weather of these is told.
_TODAY = "today"
_NO_NAVIGATION = "I cannot start the navigation yet"
_NO_OTHER_WAY = "I know of no other way there."
_NO_CALENDAR = ("I can look things up in your calendar, but I cannot add, change or remind you of "
                "anything yet.")


class CarRealiser:
    """Words replies from the ranked facts alone; see :class:`Generator`."""

    name = "realiser"

    def generate(self, request: GenerationInput) -> GeneratedReply:
        """See :class:`frontdesk.generation.generator.Generator`.

        Raises:
            TypeError: The request's verbaliser is not the in-car assistant's.
        """
        if not isinstance(request.verbaliser, CarVerbaliser):
            raise TypeError("the in-car realiser needs a CarVerbaliser")
        return _Reply(request, request.verbaliser).compose()


class _Reply:
    """One reply in the making."""

    def __init__(self, request: GenerationInput, verbaliser: CarVerbaliser) -> None:
        self.request, self.verbaliser = request, verbaliser
        self.base: FactBase = verbaliser.base
        self.observation = request.observation
        self.acts = request.observation.acts
        self.cues = found_cues(request.observation, CAR)
        self.types = {kind for kind in EntityType if self.base.of_type(kind)}

    def compose(self) -> GeneratedReply:
        opening = "Hello!" if DialogueAct.GREET in self.acts else ""
        body, used, clarification = self._body()
        closing = self._closing(answered=bool(body))
        text = " ".join(part for part in (opening, body, closing) if part)
        return GeneratedReply(text or f"I'm sorry, I did not understand that. {self._help()}",
                              used, clarification)

    def _closing(self, *, answered: bool) -> str:
        parts = []
        if DialogueAct.THANK in self.acts:
            parts.append("You're welcome!")
        if DialogueAct.GOODBYE in self.acts:
            parts.append("Goodbye!")
        if not parts and not answered:
            if self.acts & {DialogueAct.GREET, DialogueAct.PLEASANTRY, DialogueAct.ASK_HELP}:
                parts.append(self._help())
            elif DialogueAct.DENY in self.acts:
                parts.append("All right.")
            elif acknowledges(self.observation.text):
                parts.append("All right. Is there anything else you would like to know?")
        return " ".join(parts)

    def _help(self) -> str:
        known = [topic for kind, topic in (
            (EntityType.PLACE, "the weather"), (EntityType.POI, "places around"),
            (EntityType.APPOINTMENT, "your calendar")) if kind in self.types]
        return f"You can ask me about {say_list(known)}." if known else \
            "I have nothing to look up at the moment."

    # --- what is said

    def _body(self) -> tuple[str, tuple[RankedFact, ...], Clarification | None]:
        action = DialogueAct.REQUEST_ACTION in self.acts
        said = [each for each in self.observation.mentions
                if each.text and each.kind is not MentionKind.PRONOUN]
        if self._details_of_request(action=action):
            return _NO_CALENDAR, (), None
        refers = self.cues and any(each.links for each in self.request.links) and not acknowledges(
            self.observation.text)
        if not (self.observation.asks or action or said or refers or self._accepts_offer()):
            return "", (), None
        social = self.acts & {DialogueAct.THANK, DialogueAct.GOODBYE}
        if social and not action and not said and "?" not in self.observation.text and not (
                ways_wanted(self.observation.text)):
            return "", (), None
        if not self.types & {EntityType.PLACE, EntityType.POI, EntityType.APPOINTMENT}:
            return (_NO_CALENDAR if action else "I'm sorry, I have no information about that."
                    ), (), None
        unknown = self._unknown()
        if unknown is not None:
            return unknown, (), None
        if self._accepts_offer() and not said:
            used = self._way_to(self._target())
            return " ".join(each.text for each in used), used, None
        if action and EntityType.POI in self.types:
            return self._on_the_way()
        if action and EntityType.APPOINTMENT in self.types:
            answer = self._answer()
            return " ".join([_NO_CALENDAR, *(each.text for each in answer)]), answer, None
        answer = self._answer()
        if EntityType.PLACE in self.types and self._lacks_place(answer):
            return "Which city would you like to know about?", (), None
        if not answer and not self.observation.asks and (
                EntityType.APPOINTMENT in self.types and gives_details(self.observation.text)):
            return _NO_CALENDAR, (), None
        if not answer:
            return ("" if social else self._ignorance()), (), None
        which = self._which(answer)
        if which is not None:
            return f"{answer[0].text} Which one do you mean?", answer[:1], which
        return self._worded(answer), answer, None

    def _details_of_request(self, *, action: bool) -> bool:
        """Whether an utterance tells what to put into the calendar, and asks for nothing."""
        text = self.observation.text
        if self.types & {EntityType.PLACE, EntityType.POI} or action or not text or self.acts & {
                DialogueAct.THANK, DialogueAct.GOODBYE, DialogueAct.DENY}:
            return False
        said = [text for speaker, text in self.request.history[:-1] if speaker == USER]
        requested = any(asks_action(each) and is_about_calendar(each) for each in said)
        before = [text for speaker, text in self.request.history[:-1] if speaker == AGENT][-1:]
        if (DialogueAct.CONFIRM in self.acts and not self.observation.mentions
                and any(each.rstrip().endswith("?") and (requested or is_about_calendar(each))
                        for each in before)):
            return True  # what it was asked back
        if self.observation.asks or (acknowledges(text) and not goes_on(text)):
            return False
        if EntityType.APPOINTMENT not in self.types:
            return requested or gives_details(text)
        return gives_details(text) and requested and not any(
            self.base.entity(link.entity).type is not EntityType.DAY
            for each in self.request.links for link in each.links)

    def _worded(self, answer: Sequence[RankedFact]) -> str:
        sentences = list(dict.fromkeys(each.text for each in answer))
        polarities = {self._polarity(each.fact) for each in answer
                      if each.fact.predicate == answer[0].fact.predicate}
        polarity = polarities.pop() if len(polarities) == 1 else 0
        if self.observation.polar and polarity:
            sentences[0] = f"{'Yes' if polarity > 0 else 'No'}, {after_yes(sentences[0])}"
        sentences.extend(self._no_other_way(answer))
        return " ".join(sentences)

    def _no_other_way(self, answer: Sequence[RankedFact]) -> list[str]:
        """That traffic which is to be avoided cannot be, for all that is known."""
        wanted = ways_wanted(self.observation.text)
        least = 2 if "without_heavy_traffic" in wanted else 1
        delays = [traffic_delay(self.base.entity(str(each.fact.arguments[1])).name)
                  for each in answer if each.fact.predicate == "traffic"]
        of_kind = any(_is_about_kind(each) for each in answer)
        return [_NO_OTHER_WAY] if wanted and not of_kind and len(delays) == 1 and \
            delays[0] >= least else []

    def _polarity(self, fact: Fact) -> int:
        text = self.observation.text.lower()
        if not asks_whether(text, fact.predicate):
            return 0
        if fact.predicate == "traffic":
            delay = traffic_delay(self.base.entity(str(fact.arguments[1])).name)
            if "heavy" in text:
                return {2: 1, 3: 0}.get(delay, -1)
            return {0: -1, 3: 0}.get(delay, 1)
        wanted = ways_wanted(text)
        if fact.predicate in wanted and fact.predicate != "least_traffic":
            return -1 if fact.predicate.endswith("everywhere") else 1
        if fact.predicate == "occurrences" and not _HAVE.search(self.observation.text):
            return 0
        polarity = CAR[fact.predicate].polarity
        return -polarity if asks_negative(self.observation, CAR) else polarity

    def _unknown(self) -> str | None:
        """Say what is named but not known."""
        kinds = self._linked(EntityType.CATEGORY)
        for linked in self.request.links:
            if linked.mention.kind is MentionKind.NAME and not linked.links and not (
                    kinds and linked.mention.types == {ArgumentType.CATEGORY}):
                what = "forecast" if ArgumentType.PLACE in linked.mention.types else "entry"
                return f"I have no {what} for “{linked.mention.text[:60]}”."
        return None

    def _lacks_place(self, answer: Sequence[RankedFact]) -> bool:
        """Whether it must be asked which city the weather is asked for."""
        if not (self.observation.asks or self.observation.mentions):
            return False
        if self._linked(EntityType.PLACE):
            return False
        general = bool(answer) and answer[0].fact.predicate in _ANYWHERE and any(
            word in self.observation.text.lower() for word in ("where", "which", "what cit",
                                                               "anywhere", "any cit"))
        about_day = (bool(answer) and answer[0].fact.predicate in ("today", "relative_day")
                     and not _WEATHER.search(self.observation.text))
        return not general and not about_day

    def _linked(self, kind: EntityType) -> list[str]:
        return [link.entity for linked in self.request.links for link in linked.best
                if self.base.entity(link.entity).type is kind]

    # --- answers

    def _answer(self) -> tuple[RankedFact, ...]:
        """The fact that answers and what else is asked of the same thing."""
        answering = [each for each in self.request.knowledge
                     if self._answers(each) and self._is_of_its_time(each)]
        parts = set(parts_asked(self.observation.text))
        if parts and any(each.fact.predicate in parts for each in answering):
            answering = [each for each in answering if each.fact.predicate != "category"]
        answering.sort(key=self._is_later)
        kept = self._on_condition()
        if kept:
            return self._with_parts(kept)
        if self.observation.polar:
            answering.sort(key=lambda each: self._polarity(each.fact) == 0
                           or not self._is_asked(each))
        if _ORDER.search(self.observation.text):
            answering.sort(key=lambda each: each.fact.predicate != "before")
        if not answering:
            return self._on_day_spoken_of() or self._of_what_is_named()
        if answering[0].fact.predicate == "next_appointment" and not _NEXT.search(
                self.observation.text):
            answering.sort(key=lambda each: each.fact.predicate != "occurrences")
        if _NEXT.search(self.observation.text) and any(
                each.fact.predicate == "next_appointment" for each in answering):
            answering = [each for each in answering
                         if each.fact.predicate not in ("occurrences", "matching_party")]
            answering.sort(key=lambda each: each.fact.predicate != "next_appointment")
        if any(each.fact.predicate == "quickest_of" for each in answering):
            answering.sort(key=lambda each: each.fact.predicate != "quickest_of")
        nearest = self._nearest_of_all()
        if answering[0].fact.predicate == "nearest" and nearest:
            answering = [*nearest, *(each for each in answering if each not in nearest)]
        first = answering[0]
        chosen = [first, *self._alike(first, answering)]
        covered = _covered(first)
        if first.fact.predicate in ("will_be", "will_not_be", *_NOT_QUITE):
            return (first, *self._instead(first))
        about = {each for fact in chosen for each in _subjects(fact)}
        for each in answering[1:]:
            predicate = each.fact.predicate
            new = self.cues.intersection(CAR[predicate].cues) - covered
            if (each in chosen or not new or each.features.get("cue", 0.0) < _ADDS
                    or each.fact.arguments[0] not in about
                    or {predicate, first.fact.predicate} <= _ON_THE_DAY
                    or (_is_about_kind(each) and _is_about_kind(first))):
                continue
            chosen.append(each)
            covered |= _covered(each)
        return self._with_parts(tuple(chosen[:_MOST_FACTS]))

    def _with_parts(self, answer: tuple[RankedFact, ...]) -> tuple[RankedFact, ...]:
        """The answer with what else is asked by name of the places it is about."""
        about = dict.fromkeys(each for fact in answer
                              for each in _subjects(fact, of_several=len(answer) == 1)
                              if each in self.base
                              and self.base.entity(each).type is EntityType.POI)
        named = set(self._linked(EntityType.POI))
        if len(about) > 2:
            return answer
        parts = {predicate for predicate in parts_asked(self.observation.text)
                 if (predicate == "address" and "address" in self.observation.text.lower())
                 or about.keys() <= named}
        more = [each for predicate in _ON_THE_WAY if predicate in parts for poi in about
                for each in self.request.knowledge
                if (each.fact.predicate, each.fact.arguments[0]) == (predicate, poi)
                and each not in answer and not (predicate == "distance" and any(
                    " mile" in said.text for said in answer))]
        return (*answer, *more)

    def _on_condition(self) -> tuple[RankedFact, ...]:
        """What keeps the conditions on the way to a kind of place: no traffic, so many miles."""
        kinds = self._linked(EntityType.CATEGORY)
        if self._linked(EntityType.POI):
            return ()
        wanted = ways_wanted(self.observation.text)
        if self._linked(EntityType.DISTANCE) and limits_distance(self.observation.text):
            wanted = ("within", "none_within", *(wanted or ("nearest",)))
        kept = [each for predicate in wanted for kind in kinds for each in self.request.knowledge
                if (each.fact.predicate, each.fact.arguments[0]) == (predicate, kind)]
        found = {each.fact.predicate for each in kept}
        for met, spare in (("without_traffic", "least_traffic"), ("within", "nearest")):
            if met in found:
                kept = [each for each in kept if each.fact.predicate != spare]
        return tuple(kept)

    def _nearest_of_all(self) -> tuple[RankedFact, ...]:
        """The nearest place of all kinds that are meant: a place to eat is of several."""
        kinds = self._linked(EntityType.CATEGORY)
        near = [(distance, each) for each in self.request.knowledge
                if each.fact.predicate == "nearest" and each.fact.arguments[0] in kinds
                and (distance := miles(self.base.entity(str(each.fact.arguments[2])).name))
                is not None]
        least = min((distance for distance, _ in near), default=0)
        return tuple(each for distance, each in near if distance == least)

    def _is_of_its_time(self, ranked: RankedFact) -> bool:
        """Whether a forecast is of a day spoken of, or of today where none is."""
        fact = ranked.fact
        if fact.predicate not in ("forecast", "forecast_note"):
            return True
        days = self._linked(EntityType.DAY)
        if days or self._linked(EntityType.PERIOD):
            return fact.arguments[1] in days
        today = [each.arguments[0] for each in self.base.facts_of("today")]
        return not today or fact.arguments[1] in today

    def _is_later(self, ranked: RankedFact) -> bool:
        """Whether a fact is of the whole week though no day is spoken of and none is compared."""
        fact = ranked.fact
        if self._linked(EntityType.DAY) or self._linked(EntityType.PERIOD):
            return False
        if fact.predicate == "forecast":
            return True  # the same is said with "today"
        if fact.predicate not in ("outlook", "temperatures"):
            return False
        return self.base.entity(str(fact.arguments[1])).name != _TODAY

    def _on_day_spoken_of(self) -> tuple[RankedFact, ...]:
        """The weather of the place and day that are named or understood: "And tomorrow?" """
        spoken_of = {link.entity for linked in self.request.links for link in linked.best}
        return tuple(each for each in self.request.knowledge
                     if each.fact.predicate in _ON_THE_DAY
                     and set(map(str, each.fact.arguments[:2])) <= spoken_of)[:1]

    def _of_what_is_named(self) -> tuple[RankedFact, ...]:
        """What there is of a kind of place that is just named: "I'd love some tea"."""
        named = self._linked(EntityType.CATEGORY)
        return tuple(each for each in self.request.knowledge if each.fact.predicate == "listed"
                     and each.fact.arguments[0] in named)[:1]

    def _answers(self, ranked: RankedFact) -> bool:
        features = ranked.features
        if not features:  # ranked by something that gives no reasons
            return True
        return features.get("recency", 1.0) >= LEAST_RECENCY and (
            features.get("cue", 0.0) > 0 or features.get("question", 0.0) >= _SIMILAR)

    def _is_asked(self, ranked: RankedFact) -> bool:
        """Whether a fact that says yes or no is about what the question names."""
        named = {link.entity for linked in self.request.links for link in linked.best}
        about = set(ranked.fact.entities())
        kinds = [self.base.entity(each).type for each in named]
        return all(each in about for each, kind in zip(named, kinds, strict=True)
                   if kind in (EntityType.WEATHER, EntityType.PLACE, EntityType.DISTANCE))

    def _alike(self, first: RankedFact, answering: Iterable[RankedFact]) -> list[RankedFact]:
        """The same about others that the question can equally well mean."""
        ties = [{link.entity for link in linked.best} for linked in self.request.links
                if len(linked.best) > 1]
        ties.append(set(self._linked(EntityType.POI)))
        if any(not each.mention.text and each.mention.kind is MentionKind.NAME
               for each in self.request.links):  # a word for several kinds of places
            ties.append(set(self._linked(EntityType.CATEGORY)))
        subject = first.fact.arguments[0]
        if first.fact.predicate == "nearest":  # of all that a word can mean
            return [each for each in self._nearest_of_all() if each is not first]
        return [each for each in answering if each is not first
                and each.fact.predicate == first.fact.predicate
                and any({subject, each.fact.arguments[0]} <= tie for tie in ties)]

    def _instead(self, first: RankedFact) -> list[RankedFact]:
        """What the weather will be on the one day that was asked about."""
        place, _, when = first.fact.arguments[:3]
        return [each for each in self.request.knowledge
                if each.fact.arguments[:2] == (place, when)
                and each.fact.predicate in (*_ON_THE_DAY, *(
                    ("temperatures",) if first.fact.predicate in _NOT_QUITE else ()))][:1]

    def _on_the_way(self) -> tuple[str, tuple[RankedFact, ...], Clarification | None]:
        """What helps to get there, instead of the navigation that is asked for."""
        target = self._target()
        if target is None:
            answer = self._answer()
            return " ".join([f"{_NO_NAVIGATION}.", *(each.text for each in answer)]), answer, None
        name = self.verbaliser.name(target)
        facts = self._way_to(target)
        nearest = [each for each in self._on_condition()[:1]
                   if target in each.fact.entities()] or [
                   each for each in self.request.knowledge
                   if each.fact.predicate in ("nearest", "quickest", "without_heavy_traffic")
                   and self._answers(each) and target in each.fact.entities()
                   and self.base.entity(str(each.fact.arguments[0])).name.lower() !=
                   self.base.entity(target).name.lower()][:1]
        used = (*nearest, *(each for each in facts
                            if not nearest or each.fact.predicate != "distance"))
        intro = f"{_NO_NAVIGATION}, but I can tell you the way to {name}." if used else \
            f"{_NO_NAVIGATION}."
        return " ".join([intro, *(each.text for each in used), *self._no_other_way(used)]
                        ), used, None

    def _way_to(self, target: str | None) -> tuple[RankedFact, ...]:
        """Address, distance and traffic of a place."""
        return tuple(each for predicate in _ON_THE_WAY for each in self.request.knowledge
                     if each.fact.predicate == predicate and each.fact.arguments[0] == target)

    def _accepts_offer(self) -> bool:
        """Whether the driver says yes to what was asked about a place."""
        before = [text for speaker, text in self.request.history[:-1] if speaker == AGENT][-1:]
        return (EntityType.POI in self.types and DialogueAct.CONFIRM in self.acts
                and any(text.rstrip().endswith("?") for text in before))

    def _target(self) -> str | None:
        """Where the driver wants to go: what is named, the best of a category, what was said."""
        named = self._linked(EntityType.POI)
        if named:
            return named[0]
        if self._linked(EntityType.CATEGORY):
            for each in (*self._on_condition(), *self._nearest_of_all(),
                         *self.request.knowledge):
                if CAR[each.fact.predicate].arguments[0] is ArgumentType.CATEGORY:
                    best = [poi for poi in _subjects(each, of_several=True)
                            if self.base.entity(poi).type is EntityType.POI]
                    if best:
                        return best[0]
        spoken_of = [each for each in self.request.knowledge
                     if each.fact.predicate in _ON_THE_WAY]
        spoken_of.sort(key=lambda each: -each.features.get("recency", 0.0))
        return str(spoken_of[0].fact.arguments[0]) if spoken_of else None

    def _which(self, answer: Sequence[RankedFact]) -> Clarification | None:
        """Ask which of several appointments is meant when more than their time is asked."""
        first = answer[0].fact
        several = first.arguments[1] if first.predicate == "occurrences" else ()
        if not isinstance(several, tuple) or len(several) < 2 or not any(
                self.cues.intersection(CAR[each].cues) - set(CAR["occurrences"].cues)
                for each in _ROOM_AND_TOPIC):
            return None
        return Clarification(self.observation.text, tuple(map(str, several)))

    def _ignorance(self) -> str:
        named: list[LinkedMention] = [each for each in self.request.links if each.links]
        if named and self.observation.asks:
            name = self.verbaliser.name(named[-1].links[0].entity)
            return f"I'm sorry, I don't know that about {name}."
        return f"I'm sorry, I don't know. {self._help()}"


def _subjects(ranked: RankedFact, *, of_several: bool = False) -> list[str]:
    """What further facts can be about: the subject, and the one place or appointment found."""
    found = [str(ranked.fact.arguments[0])]
    for argument in ranked.fact.arguments[1:]:
        if isinstance(argument, tuple) and (of_several or len(argument) == 1):
            found.extend(map(str, argument))
        elif isinstance(argument, str) and ranked.fact.predicate == "next_appointment":
            found.append(argument)
    return found


def _is_about_kind(ranked: RankedFact) -> bool:
    """Whether a fact is about a kind of place rather than about one of them."""
    return CAR[ranked.fact.predicate].arguments[0] is ArgumentType.CATEGORY


def _covered(ranked: RankedFact) -> set[str]:
    """The cues that a fact answers; one about a category leaves the way to a place open."""
    predicate = CAR[ranked.fact.predicate]
    cues = set(predicate.cues)
    if predicate.name in _EXTREMES:
        cues |= set(CAR["temperatures"].cues)
    if _is_about_kind(ranked):
        cues -= {cue for each in ("address", "traffic")
                 for cue in CAR[each].cues}
        cues |= set(CAR["distance"].cues)
    return cues
