"""What is known of entities: answers of queries for values and relations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from frontdesk.kg.english.verbalise import event_window
from frontdesk.kg.graph.entities import EntityType
from frontdesk.kg.graph.facts import Fact
from frontdesk.kg.graph.knowledge_base import normalise_name
from frontdesk.kg.graph.logical_forms import ENTITY_TYPES, Form
from frontdesk.kg.graph.schema import ORGANISATION, ArgumentType
from frontdesk.kg.graph.windows import now_window
from frontdesk.rules.engine.query_answer import AnswerItem, AnswerKind, QueryAnswer
from frontdesk.rules.organisation.query_bounds import MissingError
from frontdesk.rules.organisation.query_relations import RELATIONS, VALUES, floors_of, values_of
from frontdesk.rules.organisation.query_rule_answers import RuleAnswers

#: The only property of the calendar as a whole.
TIME_ZONE = "timezone"
#: Predicates that say where something is.
_PLACES = frozenset({"location", "office", "floor", "office_floor"})


class ValueAnswers(RuleAnswers):
    """Answers about values and relations; see :class:`SetAnswers`."""

    def respond(self) -> QueryAnswer:
        """The answer of the query.

        Raises:
            MissingError: It asks for what is not known.
            ReasoningError: The rules cannot be asked, or not in time.
        """
        heads: dict[str, Callable[[], QueryAnswer]] = {
            "which": self.which, "exists": self.exists, "count": self.count, "when": self.when,
            "starts": self.moments, "ends": self.moments, "lasts": self.lasts,
            "where": self.where, "about": self.tell, "value": self.value}
        if (rule := self.rule_of_set()) is not None:
            return self.set_by_rule(rule)
        return heads.get(self.query.head, self.predicate)()

    def tell(self) -> QueryAnswer:
        """Whatever is known."""
        items = []
        for each, probability in self._subject():
            event = each in self.kb.events
            facts = [*self.facts.event(each)] if event else []
            facts += [fact for fact in self.facts.stored(each) if fact.predicate not in (
                "date", "start_time", "end_time")]
            if each in self.kb.people:
                facts += self._soon(each)
            items.append(AnswerItem(each, probability=probability,
                                    facts=tuple(dict.fromkeys(facts))))
        if not items:
            self.missing += self.parts_words()
        return self.answer(AnswerKind.ABOUT, items)

    def _soon(self, person: str) -> list[Fact]:
        """What somebody is at, and their next event."""
        coming = self.calendar.choose.next_events(person).events
        return [*self.facts.engagement(person, now_window(self.calendar.now)),
                *(self.facts.derived("next_event", person, event.id, event_window(event))
                  for event in coming[:1])]

    def parts_words(self) -> list[str]:
        """The words of the query."""
        return [span.text for span in self.query.spans()]

    def value(self) -> QueryAnswer:
        """A property that is named by words: of the schema, or not known."""
        word = self.parts.words[0]
        if normalise_name(word).replace(" ", "") == TIME_ZONE and self._is_of_calendar():
            return replace(self.answer(AnswerKind.VALUES, [AnswerItem(str(self.kb.timezone))]),
                           about=())
        if word in VALUES or word in RELATIONS:
            named = Form(word, tuple(self.query.arguments[1:]))
            return replace(type(self)(named, self.sets).predicate(), query=self.query)
        raise MissingError(word)

    def _is_of_calendar(self) -> bool:
        """Whether nobody and nothing but events, whose times are the calendar's, is asked about."""
        meant = [each for form in self.parts.entities for each in (
            self.sets.of(form).candidates if form.head in ENTITY_TYPES else
            [each for meaning in self.sets.readings.meanings(form) for each in meaning.entities])]
        return all(each in self.kb.events for each in meant)

    def predicate(self) -> QueryAnswer:
        """What a predicate of the schema relates something to."""
        head = self.query.head
        if head == "location":
            return self.where()
        if head in ("start_time", "end_time"):
            return self.moments()
        if head == "date":
            return self.when()
        if head in VALUES:
            return self._values(head)
        if head in self.calendar.house_rules:
            return self.values_by_rule(self.calendar.house_rules[head])
        if head not in RELATIONS or not self.parts.entities:
            raise MissingError(*self.parts_words()[:1] or [head])
        return self._related(head)

    def _values(self, head: str) -> QueryAnswer:
        items = []
        for each, probability in self._holders(head):
            values = values_of(self.calendar, head, each)
            if not values:
                self.missing.append(head)
                self.reasons += self.facts.of(each) if head == "floor" else ()
            floors = dict(floors_of(self.calendar, each))
            for value in dict.fromkeys(values):
                facts = self.facts.stored(each, head)
                if head in ("duration", "group_size", "event_size"):
                    facts.append(self.facts.derived(head, each, value))
                if head in ("floor", "office_floor") and each not in self.kb.rooms:
                    facts += [*self.facts.stored(each, "location", "office"),
                              *self.facts.stored(floors[int(value)], "floor")]
                items.append(AnswerItem(value, each, probability, tuple(facts)))
        kind = AnswerKind.PLACES if head in _PLACES else AnswerKind.VALUES
        return self.answer(kind, items)

    def _holders(self, head: str) -> list[tuple[str, float]]:
        """Of whom or what a value is asked; of a group, of its members where only people have one.
        """
        of_people = ORGANISATION[head].arguments[0] is ArgumentType.PERSON
        return [holder for each, probability in self._subject() for holder in (
            [(person.id, probability) for person in self.kb.members(each)]
            if of_people and each in self.kb.groups else [(each, probability)])]

    def _related(self, head: str) -> QueryAnswer:
        """All that something is related to."""
        given = {self.calendar.type_of(each) for each in self.sets.of(
            self.parts.entities[0]).candidates}
        wanted = [one for one, other in RELATIONS[head] if other in given]
        if not wanted:
            raise MissingError(head)
        kind = wanted[0]
        times = tuple(self.parts.times)
        if kind in (EntityType.EVENT, EntityType.PERSON):
            asked = Form("which", (Form(str(kind), (Form(head, (self.parts.entities[0],)),)),
                                   *times))
            found = replace(type(self)(asked, self.sets).which(), query=self.query)
            if not found.items and times and kind is EntityType.PERSON:  # whenever that is
                self.sets.account.used.difference_update(times)
                always = Form("which", asked.arguments[:1])
                found = replace(type(self)(always, self.sets).which(), query=self.query)
            if found.items or kind is EntityType.EVENT or head in ("attends", "attendees"):
                return found
            return replace(found, missing=(head,), kind=AnswerKind.UNKNOWN)
        items: list[AnswerItem] = []
        for each, probability in self._subject():
            related = dict.fromkeys(
                other for (one, _), relation in RELATIONS[head].items() if one is kind
                and (one, self.calendar.type_of(each)) in RELATIONS[head]
                for other in RELATIONS[head][one, self.calendar.type_of(each)].find(
                    self.calendar, each))
            items += [AnswerItem(other, each, probability, self.facts.of(each, [other]))
                      for other in related]
            if not related:
                self.missing.append(head)
        return self.answer(AnswerKind.PLACES if head in _PLACES else AnswerKind.VALUES, items)
