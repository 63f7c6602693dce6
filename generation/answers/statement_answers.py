"""Answers to questions for yes or no in words: always with what is so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from frontdesk.generation.answers.answer_details import AnswerDetails
from frontdesk.generation.answers.answer_phrases import (
    CERTAIN,
    POSSIBLE,
    AnswerPhrases,
    go_on,
    templates,
)
from frontdesk.generation.answers.asked_sets import SetPhrases, floor_words, read_set
from frontdesk.generation.answers.clash_answers import ClashAnswers
from frontdesk.generation.answers.identity_answers import IdentityAnswers
from frontdesk.generation.answers.place_answers import PlaceAnswers
from frontdesk.generation.answers.set_answers import SetAnswers, compare
from frontdesk.generation.answers.state_answers import StateAnswers, part, verdict
from frontdesk.kg.english import phrases
from frontdesk.kg.english.phrases import capitalise
from frontdesk.kg.graph.facts import Fact
from frontdesk.kg.graph.logical_forms import Form, Span
from frontdesk.rules.engine.query_answer import AnswerItem

#: Words a statement, as a sentence without an end.
_Word = Callable[[Form], str]


class StatementAnswers:
    """Words whether a statement holds."""

    def __init__(self, said: AnswerPhrases) -> None:
        self.said, self.answer, self.details = said, said.answer, AnswerDetails(said)
        self.places, self.states = PlaceAnswers(said), StateAnswers(said)
        self.identity, self.clashes = IdentityAnswers(said), ClashAnswers(said)
        self._words: dict[str, tuple[_Word, _Word]] = {
            "location": (self._is_located, self._is_elsewhere),
            "floor": (self._is_on_floor, self._no_relation),
            "free": (self.states.is_free, self.states.is_not_free),
            "busy": (self.states.is_busy, self.states.is_not_busy),
            "present": (self.states.is_present, self.states.is_away),
            "there": (self._is_there, self._is_not_there),
            "amount": (self._amount, self._amount),
            "is": (self.identity.is_so, self.identity.is_not_so),
            "more": (self._is_more, self._is_less), "both": (self._both, self._both)}

    def word(self, statement: Form, holds: float) -> str:
        """Whether it holds, as a sentence without an end."""
        if statement.head == "untrue":
            return self._untrue(part(statement), holds)
        if self._is_told_one_by_one(statement):
            return ". ".join(self._one_by_one())
        if statement.head == "clash":
            return self.clashes.word(statement, holds)
        if statement.head == "free" and (partly := self.states.is_partly_free(statement)):
            return partly
        self._name_events(statement)
        if holds < POSSIBLE and (some := self._not_all(statement)):
            return some
        so, not_so = self._words.get(statement.head, (self._relation, self._no_relation))
        return verdict(holds, lambda: so(statement), lambda: not_so(statement))

    def reason(self, statement: Form, holds: float) -> str:
        """What is so of what somebody asks the reason of, as a sentence without an end; what takes
        their time is one by itself."""
        if self._is_told_one_by_one(statement):
            return ". ".join(capitalise(_without_verdict(each)) for each in self._one_by_one())
        words = self.word(statement, holds)
        fact = _without_verdict(words)
        stated = part(statement) if statement.head == "untrue" else statement
        return fact if fact == words or holds < CERTAIN or stated.head in (
            "free", "busy", "present", "clash") else f"{fact}; I don't know why"

    def _untrue(self, statement: Form, holds: float) -> str:
        """Whether it is not so: that nobody is there, or that an event is over, is a yes."""
        self._name_events(statement)
        if statement.head == "there":
            return verdict(holds, lambda: self._is_not_there(statement),
                           lambda: self._is_there(statement))
        event = self.identity.event_now(statement)
        if event is None:
            return self.word(statement, 1 - holds)
        who, begun = self.said.phrase(event.id, past=False), event.start <= self.said.now
        if begun and event.end > self.said.now:
            return f"No, {who} lasts {self.details.until(event)}"
        return f"{'Yes' if begun else 'No'}, {self.places.not_now(event)}"

    def _is_told_one_by_one(self, statement: Form) -> bool:
        """Whether several statements are not all so, or some say that there is something, or that
        something is not so."""
        return statement.head == "both" and any(
            each.told < CERTAIN or each.query.head == "exists" or part(each.query).head == "untrue"
            for each in self.answer.parts)

    def _one_by_one(self) -> list[str]:
        """Whether each of several statements is so, in sentences of their own; of when and where an
        event is only what is not so, where something is not: that tells the rest."""
        said, parts = [], self.answer.parts
        wrong = [each for each in parts if each.told < POSSIBLE and self._is_of_event(each.query)]
        for each in parts:
            same = [other for other in wrong if self._is_of_event(each.query)
                    and self._is_of_same(part(each.query), part(other.query))]
            if same and each is not same[0]:
                continue
            inner = AnswerPhrases(each, self.said.verbaliser, self.said.resolution,
                                  self.said.just_said, it_is_taken=self.said.it_is_taken)
            if each.query.head == "exists":
                entities = SetAnswers(inner, part(each.query))
                said.append(verdict(each.told, entities.which, entities.none))
            else:
                said.append(StatementAnswers(inner).word(part(each.query), each.told))
        return said

    def _name_events(self, statement: Form) -> None:
        """What the question calls by its very name is "it" in the answer."""
        subject = part(statement)
        name = next((each.text for each in subject.spans()), "").casefold()
        for each in self.said.meant(subject) if name else ():
            if each in self.said.kb and self.said.kb.entity(each).name.casefold() \
                    == name.removeprefix("the "):
                self.said.use_pronoun(each)

    # --- predicates

    def _relation(self, statement: Form) -> str:
        """A predicate of the schema that holds of its arguments."""
        subject, values = self._arguments(statement)
        fact = self._own_fact(statement.head, subject, values) \
            or self.said.relation(statement.head, subject, values)
        if fact is not None and not isinstance(fact.arguments[1], tuple) and len(values) < 2 \
                and not self.said.past:
            said = self.said.fact(fact).removesuffix(".")
            return f"{said}{self._beside(statement.head, subject)}"
        return self._said(statement, denied=False)

    def _no_relation(self, statement: Form) -> str:
        """What is so in the place of a predicate that does not hold."""
        subject, _ = self._arguments(statement)
        if statement.head in ("attends", "attendees"):
            return self.places.not_yet(statement.inner()) or \
                self._who_is_absent(statement) + self._who_attends(statement)
        instead = [each for each in self.details.facts()
                   if each.predicate == statement.head and each.arguments[0] == subject]
        if not instead:
            own = [self.said.relation(statement.head, subject, [each.value])
                   for each in self.answer.items if each.of == subject]
            instead = [each for each in own if each is not None]
        if not instead:
            return self._said(statement, denied=True)
        said = [self.said.fact(each).removesuffix(".") for each in dict.fromkeys(instead)]
        both = " and ".join([said[0], *map(go_on, said[1:2])])
        return both + self._beside(statement.head, subject)

    def _own_fact(self, predicate: str, subject: str, values: Sequence[str]) -> Fact | None:
        return next((each for each in self.details.facts() if each.predicate == predicate
                     and each.arguments[0] == subject and (
                         not values or each.arguments[1] in values
                         or not isinstance(each.arguments[1], str))), None)

    def _arguments(self, statement: Form) -> tuple[str, list[str]]:
        """The subject of a statement, and the entities that it relates it to."""
        subject, *rest = statement.inner() \
            or [Form("-")]
        values = [id_ for each in rest[:1] for id_ in self.said.meant(each)]
        meant = self.said.meant(subject)
        return (meant[0] if len(meant) == 1 else ""), values

    def _beside(self, predicate: str, subject: str) -> str:
        """When an event is that a place is told of, if the answer has that."""
        event = self.said.kb.events.get(subject)
        if event is None or predicate != "location" \
                or self.details.value("takes_place", subject) is None:
            return ""
        return f", {self.details.short_time(event)}"

    def _said(self, statement: Form, *, denied: bool, of: Sequence[str] = ()) -> str:
        """A statement in the words of its condition: ``Ada is not attending the standup``; of
        some of those whom it is about."""
        subject, *rest = statement.arguments
        if statement.head == "organizer" and rest:  # whoever organises is the subject
            subject, rest[0] = rest[0], subject
        condition = Form(statement.head, tuple(rest))
        asked = replace(read_set(Form("person")), conditions=(condition,))
        meant = of or (self.said.meant(subject) if isinstance(subject, Form) else ())
        who = self.said.phrase_of(meant) if meant else \
            self.said.phrase(self.said.words(subject))
        return f"{who} {SetPhrases(asked, self.said).predicate(who, denied=denied)}"

    def _who_is_absent(self, statement: Form) -> str:
        """Who does not come: of several only those who do not."""
        asked, events = self.said.meant(part(statement)), self._arguments(statement)[1]
        come = {str(each.value) for each in self.answer.items}
        absent = [each for each in asked if each not in come]
        if len(asked) < 2 or not absent or len(events) != 1:
            return self._said(statement, denied=True)
        return self._said(statement, denied=True, of=absent)

    def _not_all(self, statement: Form) -> str:
        """Who of a group does not come, or who alone does; empty where not only some come."""
        members = {member.id for each in self.said.meant(part(statement))
                   if each in self.said.kb.groups for member in self.said.kb.members(each)}
        found = [each for each in self.answer.reasons if each.arguments[0] in members]
        come, absent = ([str(fact.arguments[0]) for fact in found if fact.predicate == predicate]
                        for predicate in ("attends", "does_not_attend"))
        if not come or not absent:
            return ""
        if len(come) < len(absent) and all(each.certainty == 1.0 for each in found):
            return f"Not all of them: only {self._said(statement, denied=False, of=come)}"
        return f"Not all of them: {self._said(statement, denied=True, of=absent)}"

    def _who_attends(self, statement: Form) -> str:
        """Who comes, where somebody does not."""
        _, events = self._arguments(statement)
        people = [str(each.value) for each in self.answer.items
                  if each.value in self.said.kb.people]
        listed = self.details.value("attendees", events[0]) if events else None
        people = people or ([*map(str, listed)] if isinstance(listed, tuple) else [])
        who = self.said.phrase_of(people) if people else None
        return f"; {who} {who.forms['is']}" if who is not None else ""

    def _is_located(self, statement: Form) -> str:
        subject, rooms = self._arguments(statement)
        return self._place(subject, rooms) or self._relation(statement)

    def _is_elsewhere(self, statement: Form) -> str:
        subject, _ = self._arguments(statement)
        return self._place(subject, []) or self._no_relation(statement)

    def _place(self, subject: str, rooms: Sequence[str]) -> str:
        """Where somebody is."""
        if subject not in self.said.kb.people and subject != self.said.verbaliser.speaker:
            return ""
        items = [each for each in self.answer.items if each.value in self.said.kb
                 and (not rooms or each.value in rooms)]
        return self.places.sentence(items) if items else ""

    def _is_on_floor(self, statement: Form) -> str:
        subject, _ = self._arguments(statement)
        floor = self.details.value("floor", subject)
        if isinstance(floor, int) or not subject:
            return self._relation(statement)
        said = next((floor_words(each.text) for each in statement.arguments
                     if isinstance(each, Span)), "")
        who = self.said.phrase(subject)
        return f"{who} {who.forms['is']} on {said}"

    # --- what there is

    def _is_there(self, statement: Form) -> str:
        items = list(self.answer.items) or [
            AnswerItem(each) for each in self.answer.about if each in self.said.kb]
        if len(items) != 1 or items[0].value not in self.said.kb:
            listed = self.said.listed([self.said.name(str(each.value)) for each in items])
            return f"there are {listed}" if items else "there is"
        entity = str(items[0].value)
        event = self.said.kb.events.get(entity)
        if event is not None:
            return f"{self.said.name(entity)} is {self.details.full_time(event)}" \
                f"{self.details.rooms_of(entity, items[0])}"
        floor, group = self.details.value("floor", entity), self.details.value("member_of", entity)
        beside = f" on {phrases.say_floor(floor)}" if isinstance(floor, int) else \
            f" of {self.said.name(group)}" if isinstance(group, str) else ""
        return f"there is {self.said.name(entity)}{beside}"

    def _is_not_there(self, statement: Form) -> str:
        asked = part(statement)
        name = next((each.text for each in asked.arguments if isinstance(each, Span)), "")
        known = templates()["unknown_name"]
        return str(known.get(asked.head, known["thing"])).format(name) \
            if name and asked.head != "event" else SetAnswers(self.said, asked).none()

    def _amount(self, statement: Form) -> str:
        return SetAnswers(self.said, part(statement)).count()

    def _is_more(self, statement: Form) -> str:
        return self._compared(statement, turned=False)

    def _is_less(self, statement: Form) -> str:
        return self._compared(statement, turned=True)

    def _compared(self, statement: Form, *, turned: bool) -> str:
        order, *pair = statement.inner()
        ids = [id_ for each in pair for id_ in self.said.meant(each)[:1]]
        if len(ids) != 2:
            return ""
        first, second = reversed(ids) if turned else ids
        return compare(self.details, first, second, order, self.said.asked_time())

    def _is_of_event(self, query: Form) -> bool:
        """Whether a query is for when or where an event is."""
        stated = part(query)
        return stated.head in ("is", "location") and any(
            each in self.said.kb.events for each in self.said.meant(part(stated)))

    def _is_of_same(self, one: Form, other: Form) -> bool:
        """Whether two statements are of the same entities."""
        return set(self.said.meant(part(one))) == set(self.said.meant(part(other)))

    def _both(self, statement: Form) -> str:
        parts = statement.inner()
        if all(self._is_of_event(Form("holds", (each,))) and self._is_of_same(each, parts[0])
               for each in parts):
            parts = parts[:1]  # which is told with when and where it is
        said = [self._words.get(each.head, (self._relation, None))[0](each) for each in parts]
        return " and ".join(map(go_on, said))


def _without_verdict(words: str) -> str:
    """What is so, of whether something is so."""
    said, _, fact = words.partition(", ")
    return fact if said in ("Yes", "No") and fact else words.removeprefix("Yes: ")
