"""The realiser of the in-car assistant: answers in sentences from the ranked facts.

Like :class:`frontdesk.generation.answers.realiser.Realiser` it says nothing but verbalised facts
and what it does not know or cannot do: it starts no navigation and writes nothing into the
calendar.
"""

from __future__ import annotations

from collections.abc import Sequence

from frontdesk.generation.car.car_answer import ON_THE_WAY, CarAnswer, is_about_kind, subjects
from frontdesk.generation.car.car_topics import on_topic
from frontdesk.generation.voice.generator import (
    Clarification,
    GeneratedReply,
    GenerationInput,
)
from frontdesk.kg.car.car_mentions import asks_action
from frontdesk.kg.car.car_questions import (
    acknowledges,
    asks_anywhere,
    gives_details,
    goes_on,
    has_question_mark,
    has_words,
    is_about_calendar,
    is_about_weather,
    ways_wanted,
)
from frontdesk.kg.car.car_schema import CAR
from frontdesk.kg.car.car_types import CarType
from frontdesk.kg.car.car_verbalise import CarVerbaliser, after_yes
from frontdesk.kg.car.car_words import traffic_delay
from frontdesk.kg.english.cues import found_cues
from frontdesk.kg.english.phrases import say_list
from frontdesk.kg.graph.dialogue_graph import AGENT, USER
from frontdesk.kg.graph.fact_base import FactBase
from frontdesk.kg.graph.mentions import DialogueAct, MentionKind
from frontdesk.rules.linking.linking import LinkedMention
from frontdesk.scoring.ranked_fact import RankedFact

_ANYWHERE = frozenset({"places_with", "no_place_with", "hottest_place", "coldest_place"})
_ROOM_AND_TOPIC = ("room", "agenda")
_NO_NAVIGATION = "I cannot start the navigation yet"
_NO_OTHER_WAY = "I know of no other way there."
_NO_CALENDAR = ("I can look things up in your calendar, but I cannot add, change or remind you of "
                "anything yet.")


class CarRealiser:
    """Words replies from the ranked facts alone; see :class:`Generator`."""

    name = "realiser"

    def generate(self, request: GenerationInput) -> GeneratedReply:
        """See :class:`frontdesk.generation.voice.generator.Generator`.

        Raises:
            TypeError: The request's verbaliser is not the in-car assistant's.
        """
        if not isinstance(request.verbaliser, CarVerbaliser):
            raise TypeError("the in-car realiser needs a CarVerbaliser")
        return _Reply(request, request.verbaliser).compose()


class _Reply:
    """One reply in the making."""

    def __init__(self, request: GenerationInput, verbaliser: CarVerbaliser) -> None:
        self.base: FactBase = verbaliser.base
        request, self.types = on_topic(request, verbaliser.base)
        self.request, self.verbaliser = request, verbaliser
        self.observation = request.observation
        self.acts = request.observation.acts
        self.cues = found_cues(request.observation, CAR)
        self.answer = CarAnswer(request, verbaliser.base)

    def compose(self) -> GeneratedReply:
        opening = "Hello!" if DialogueAct.GREET in self.acts else ""
        body, used, clarification = self._body()
        closing = self._closing(answered=bool(body))
        text = " ".join(part for part in (opening, body, closing) if part)
        return GeneratedReply(text or f"I'm sorry, I did not understand that. {self._help()}",
                              used, clarification, social=bool(text) and not body,
                              declines=body.startswith((_NO_NAVIGATION, _NO_CALENDAR)))

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
            elif acknowledges(self.observation):
                parts.append("All right. Is there anything else you would like to know?")
        return " ".join(parts)

    def _help(self) -> str:
        known = [topic for kind, topic in (
            (CarType.PLACE, "the weather"), (CarType.POI, "places around"),
            (CarType.APPOINTMENT, "your calendar")) if kind in self.base.types]
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
            self.observation)
        if not (self.observation.asks or action or said or refers or self._accepts_offer()):
            return "", (), None
        social = self.acts & {DialogueAct.THANK, DialogueAct.GOODBYE}
        if social and not action and not said and not has_question_mark(self.observation) and not (
                ways_wanted(self.observation)):
            return "", (), None
        if not self.types & {CarType.PLACE, CarType.POI, CarType.APPOINTMENT}:
            return (_NO_CALENDAR if action else "I'm sorry, I have no information about that."
                    ), (), None
        unknown = self._unknown()
        if unknown is not None:
            return unknown, (), None
        if self._accepts_offer() and not said:
            used = self.answer.way_to(self._target())
            return " ".join(each.text for each in used), used, None
        if action and CarType.POI in self.types:
            return self._on_the_way()
        if action and CarType.APPOINTMENT in self.types:
            answer = self.answer.choose()
            return " ".join([_NO_CALENDAR, *(each.text for each in answer)]), answer, None
        answer = self.answer.choose()
        if CarType.PLACE in self.types and self._lacks_place(answer):
            return "Which city would you like to know about?", (), None
        if not answer and not self.observation.asks and (
                CarType.APPOINTMENT in self.types and gives_details(self.observation)):
            return _NO_CALENDAR, (), None
        if not answer:
            return ("" if social else self._ignorance()), (), None
        which = self._which(answer)
        if which is not None:
            return f"{answer[0].text} Which one do you mean?", answer[:1], which
        return self._worded(answer), answer, None

    def _details_of_request(self, *, action: bool) -> bool:
        """Whether an utterance tells what to put into the calendar, and asks for nothing."""
        observation = self.observation
        if self.types & {CarType.PLACE, CarType.POI} or action or not has_words(observation) or (
                self.acts & {DialogueAct.THANK, DialogueAct.GOODBYE, DialogueAct.DENY}):
            return False
        said = [text for speaker, text in self.request.history[:-1] if speaker == USER]
        requested = any(asks_action(each) and is_about_calendar(each) for each in said)
        before = [text for speaker, text in self.request.history[:-1] if speaker == AGENT][-1:]
        if (DialogueAct.CONFIRM in self.acts and not self.observation.mentions
                and any(each.rstrip().endswith("?") and (requested or is_about_calendar(each))
                        for each in before)):
            return True  # what it was asked back
        if self.observation.asks or (acknowledges(observation) and not goes_on(observation)):
            return False
        if CarType.APPOINTMENT not in self.types:
            return requested or gives_details(observation)
        return gives_details(observation) and requested and not any(
            self.base.entity(link.entity).type is not CarType.DAY
            for each in self.request.links for link in each.links)

    def _worded(self, answer: Sequence[RankedFact]) -> str:
        sentences = list(dict.fromkeys(each.text for each in answer))
        polarities = {self.answer.polarity(each.fact) for each in answer
                      if each.fact.predicate == answer[0].fact.predicate}
        polarity = polarities.pop() if len(polarities) == 1 else 0
        if self.observation.polar and polarity:
            sentences[0] = f"{'Yes' if polarity > 0 else 'No'}, {after_yes(sentences[0])}"
        sentences.extend(self._no_other_way(answer))
        return " ".join(sentences)

    def _no_other_way(self, answer: Sequence[RankedFact]) -> list[str]:
        """That traffic which is to be avoided cannot be, for all that is known."""
        wanted = ways_wanted(self.observation)
        least = 2 if "without_heavy_traffic" in wanted else 1
        delays = [traffic_delay(self.base.entity(str(each.fact.arguments[1])).name)
                  for each in answer if each.fact.predicate == "traffic"]
        of_kind = any(is_about_kind(each) for each in answer)
        return [_NO_OTHER_WAY] if wanted and not of_kind and len(delays) == 1 and \
            delays[0] >= least else []

    def _unknown(self) -> str | None:
        """Say what is named but not known."""
        kinds = self.answer.linked(CarType.CATEGORY)
        for linked in self.request.links:
            if linked.mention.kind is MentionKind.NAME and not linked.links and not (
                    kinds and linked.mention.types == {CarType.CATEGORY}):
                what = "forecast" if CarType.PLACE in linked.mention.types else "entry"
                return f"I have no {what} for “{linked.mention.text[:60]}”."
        return None

    def _lacks_place(self, answer: Sequence[RankedFact]) -> bool:
        """Whether it must be asked which city the weather is asked for."""
        if not (self.observation.asks or self.observation.mentions):
            return False
        if self.answer.linked(CarType.PLACE):
            return False
        general = bool(answer) and answer[0].fact.predicate in _ANYWHERE and asks_anywhere(
            self.observation)
        about_day = (bool(answer) and answer[0].fact.predicate in ("today", "relative_day")
                     and not is_about_weather(self.observation))
        return not general and not about_day


    def _on_the_way(self) -> tuple[str, tuple[RankedFact, ...], Clarification | None]:
        """What helps to get there, instead of the navigation that is asked for."""
        target = self._target()
        if target is None:
            answer = self.answer.choose()
            return " ".join([f"{_NO_NAVIGATION}.", *(each.text for each in answer)]), answer, None
        name = self.verbaliser.name(target)
        facts = self.answer.way_to(target)
        nearest = [each for each in self.answer.on_condition()[:1]
                   if target in each.fact.entities()] or [
                   each for each in self.request.knowledge
                   if each.fact.predicate in ("nearest", "quickest", "without_heavy_traffic")
                   and self.answer.answers(each) and target in each.fact.entities()
                   and self.base.entity(str(each.fact.arguments[0])).name.lower() !=
                   self.base.entity(target).name.lower()][:1]
        used = (*nearest, *(each for each in facts
                            if not nearest or each.fact.predicate != "distance"))
        intro = f"{_NO_NAVIGATION}, but I can tell you the way to {name}." if used else \
            f"{_NO_NAVIGATION}."
        return " ".join([intro, *(each.text for each in used), *self._no_other_way(used)]
                        ), used, None

    def _accepts_offer(self) -> bool:
        """Whether the driver says yes to what was asked about a place."""
        before = [text for speaker, text in self.request.history[:-1] if speaker == AGENT][-1:]
        return (CarType.POI in self.types and DialogueAct.CONFIRM in self.acts
                and any(text.rstrip().endswith("?") for text in before))

    def _target(self) -> str | None:
        """Where the driver wants to go: what is named, the best of a category, what was said."""
        named = self.answer.linked(CarType.POI)
        if named:
            return named[0]
        if self.answer.linked(CarType.CATEGORY):
            for each in (*self.answer.on_condition(), *self.answer.nearest_of_all(),
                         *self.request.knowledge):
                if CAR[each.fact.predicate].arguments[0] is CarType.CATEGORY:
                    best = [poi for poi in subjects(each, of_several=True)
                            if self.base.entity(poi).type is CarType.POI]
                    if best:
                        return best[0]
        spoken_of = [each for each in self.request.knowledge
                     if each.fact.predicate in ON_THE_WAY]
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
        asked = next((each.mention for each in self.request.links if any(
            link.entity == first.arguments[0] for link in each.links)), None)
        return self.request.clarification(tuple(map(str, several)), asked)

    def _ignorance(self) -> str:
        named: list[LinkedMention] = [each for each in self.request.links if each.links]
        if named and self.observation.asks:
            name = self.verbaliser.name(named[-1].links[0].entity)
            return f"I'm sorry, I don't know that about {name}."
        return f"I'm sorry, I don't know. {self._help()}"


