"""Answers that are properties, or all that is known of something, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from frontdesk.generation.answers.answer_details import AnswerDetails
from frontdesk.generation.answers.answer_phrases import AnswerPhrases, go_on, templates
from frontdesk.kg.english import phrases
from frontdesk.kg.graph.facts import Fact
from frontdesk.kg.graph.knowledge_base import normalise_name
from frontdesk.kg.graph.logical_forms import Form, Span
from frontdesk.kg.graph.windows import Window
from frontdesk.rules.engine.query_answer import AnswerItem

#: The predicate of a query that asks for what it says.
_PREDICATES = {"lasts": "duration", "starts": "start_time", "ends": "end_time"}
#: Values of so many entities are said at most; the rest is counted.
_MOST_VALUES = 5
#: What is told of somebody or something at most.
_MOST_TOLD = 3


class ValueAnswers:
    """Words properties of entities by the templates of the schema."""

    def __init__(self, said: AnswerPhrases) -> None:
        self.said, self.details = said, AnswerDetails(said)

    def sentence(self, query: Form) -> str:
        """Each property, as a sentence without an end."""
        named = next((each.text for each in query.arguments if isinstance(each, Span)), "")
        predicate = named if query.head == "value" else _PREDICATES.get(query.head, query.head)
        if query.head == "floor" and self._are_offices():
            predicate = "office_floor"
        of_calendar = templates()["value"].get(normalise_name(predicate).replace(" ", ""))
        if query.head == "value" and of_calendar and not self.said.answer.items[0].of:
            return str(of_calendar).format(self.said.answer.items[0].value)
        facts = list(self._facts(predicate))
        if not facts:
            return self._plain(query)
        said = [self.said.fact(each).removesuffix(".") + self._beside(each)
                for each in facts[:_MOST_VALUES]]
        more = len(facts) - len(said)
        told = "; ".join([said[0], *map(go_on, said[1:])])
        return f"{told}; and {more} more" if more > 0 else told

    def _facts(self, predicate: str) -> Iterator[Fact]:
        """A fact for each entity; its values are a list where the predicate has one."""
        by_entity: dict[str, list[AnswerItem]] = {}
        for each in self.said.answer.items:
            by_entity.setdefault(each.of or self._subject(), []).append(each)
        for entity, items in by_entity.items():
            certainty = min((fact.certainty for each in items for fact in each.facts
                             if fact.predicate == predicate), default=1.0)
            values = [each.value for each in items]
            whole = self.said.relation(predicate, entity, values, certainty)
            several = whole is not None and isinstance(whole.arguments[1], tuple)
            for fact in [whole] if several else [self.said.relation(
                    predicate, entity, [each], certainty) for each in values]:
                if fact is not None:
                    yield fact

    def _are_offices(self) -> bool:
        """Whether floors are those of people's offices."""
        return all(each.of in self.said.kb.people for each in self.said.answer.items)

    def _subject(self) -> str:
        return self.said.answer.about[0] if self.said.answer.about else ""

    def _beside(self, fact: Fact) -> str:
        """What helps with it: the day with an hour, the hours with a length, the room's floor."""
        subject = str(fact.arguments[0])
        event = self.said.kb.events.get(subject)
        if event is not None and fact.predicate == "duration" \
                and self.details.value("takes_place", subject) is not None:
            return f", {self.details.short_time(event)}"
        if fact.predicate in ("office", "location") and isinstance(fact.arguments[1], str):
            floor = self.details.value("floor", fact.arguments[1])
            return f" on {phrases.say_floor(floor)}" if isinstance(floor, int) else ""
        if fact.predicate in ("floor", "office_floor") and subject not in self.said.kb.rooms:
            room = self.details.value("location", subject) or self.details.value("office", subject)
            beside = "in " if subject in self.said.kb.events else ""
            return f", {beside}{self.said.name(room)}" if isinstance(room, str) else ""
        return ""

    def _plain(self, query: Form) -> str:
        """A property that the schema has no sentence for."""
        span = next((each.text for each in query.arguments if isinstance(each, Span)),
                    query.head.replace("_", " "))
        said = []
        for item in self.said.answer.items[:_MOST_VALUES]:
            of, value = item.of or self._subject(), item.value
            text = self.said.name(value) if isinstance(value, str) else \
                self.said.verbaliser.window(value) if isinstance(value, Window) else str(value)
            said.append(f"{self.said.phrase(of)}, “{span}”: {text}" if of else f"{span}: {text}")
        return "; ".join(said)

    # --- all that is known

    def about(self) -> str:
        """What is worth telling of each entity, as sentences without the last end."""
        said = []
        answer = self.said.answer
        entities = [str(each.value) for each in answer.items if each.value in self.said.kb] \
            or [each for each in answer.about if each in self.said.kb]
        for entity in entities[:_MOST_VALUES]:
            facts = [each for each in dict.fromkeys(self.details.facts())
                     if each.arguments[0] == entity]
            said.append(self._told(entity, facts))
        return "; ".join(said)

    def _told(self, entity: str, facts: Sequence[Fact]) -> str:
        """An entity with what is known of it, the first as a sentence."""
        kind = str(self.said.kb.entity(entity).type)
        order = templates()["about"].get(kind, [])
        known = sorted((each for each in facts if each.predicate in order),
                       key=lambda each: order.index(each.predicate))[:_MOST_TOLD]
        if not known:
            told = [self.said.fact(each).removesuffix(".") for each in facts[:_MOST_TOLD]]
            return "; ".join(told) or str(self.said.phrase(entity))
        first, *rest = known
        told = [self.said.fact(first).removesuffix("."), *(self._detail(each) for each in rest)]
        return phrases.say_list(told) if kind == "person" else ", ".join(told)

    def _detail(self, fact: Fact) -> str:
        """A fact as an addition to a sentence about the same: ``in Birch``, ``with Ada``."""
        template = str(templates()["detail"][fact.predicate])
        value = fact.arguments[1]
        if isinstance(value, tuple):
            text = self.said.listed([self.said.name(str(each)) for each in value], fact.omitted)
        elif isinstance(value, Window):
            text = self.said.verbaliser.window(value)
        elif isinstance(value, int):
            text = phrases.say_floor(value) if fact.predicate.endswith("floor") else \
                phrases.say_minutes(value) if fact.predicate == "duration" else str(value)
        else:
            text = phrases.say_phone(str(value)) if fact.predicate == "phone" else \
                self.said.name(str(value))
        return template.format(self.said.phrase(str(fact.arguments[0])), text)


def say_reasons(said: AnswerPhrases, reasons: Sequence[Fact]) -> str:
    """Some reasons of an answer as a sentence without an end; empty where there are none."""
    return " and ".join(go_on(_reason(said, each)) for each in reasons)


def _reason(said: AnswerPhrases, fact: Fact) -> str:
    if not fact.predicate.endswith("_busy") or not isinstance(fact.arguments[-1], tuple):
        return said.fact(fact).removesuffix(".")
    who = said.phrase(str(fact.arguments[0]))
    events = [AnswerDetails(said).event(AnswerItem(str(each))) for each in fact.arguments[-1]]
    return f"{who} {who.forms['has']} {said.listed(events, fact.omitted)}"
