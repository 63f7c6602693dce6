"""Whether something is something, or an event is at a time, in words."""

from __future__ import annotations

from frontdesk.generation.answers.answer_details import AnswerDetails
from frontdesk.generation.answers.answer_phrases import AnswerPhrases
from frontdesk.generation.answers.place_answers import PlaceAnswers, TimeAnswers
from frontdesk.generation.answers.state_answers import StateAnswers, part
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.logical_forms import Form
from frontdesk.kg.graph.windows import WindowKind

#: By a condition on it, which edge of an event is spoken of.
_EDGES = {"starting": "starts", "ending": "ends"}


class IdentityAnswers:
    """Words statements of what is what, in sentences without an end."""

    def __init__(self, said: AnswerPhrases) -> None:
        self.said, self.answer, self.details = said, said.answer, AnswerDetails(said)
        self.places, self.states = PlaceAnswers(said), StateAnswers(said)

    def is_so(self, statement: Form) -> str:
        """What is so."""
        event = next((self.said.kb.events[each] for each in self.events_asked(statement)), None)
        if edge := self._edge(statement):
            return edge
        if event is None or self._is_entity(statement.arguments[-1]):
            return self._same(statement, "is")
        who, window = self.said.phrase(event.id), self.answer.window
        when = f"on {self.details.until(event)}" if window is not None \
            and window.kind is WindowKind.NOW else self.details.full_time(event)
        return f"{who} {who.forms['is']} {when}{self.details.rooms_of(event.id)}"

    def is_not_so(self, statement: Form) -> str:
        """What is so instead."""
        if edge := self._edge(statement):
            return edge
        if self._is_entity(statement.arguments[-1]):
            return self._same(statement, "is not")
        event = next((self.said.kb.events[each] for each in self.events_asked(statement)), None)
        slots = self.states.slots()
        if self.event_now(statement) is not None and event is not None:
            return self.places.not_now(event)
        if event is None and not slots:
            return ""
        who = self.said.phrase(event.id) if event is not None else self.states.who(statement)
        when = self.said.verbaliser.window(slots[0]) if slots else \
            self.details.full_time(event) if event is not None else ""
        place = self.details.rooms_of(event.id) if event is not None else ""
        return f"{who} {who.forms['is']} {when}{place}"

    def events_asked(self, statement: Form) -> list[str]:
        """Ids of the events of which something is stated."""
        asked = self.said.meant(part(statement))
        found = [str(each.value) for each in self.answer.items
                 if each.value in self.said.kb.events]
        found += [each.of for each in self.answer.items if each.of in self.said.kb.events]
        return found or [each for each in asked if each in self.said.kb.events]

    def event_now(self, statement: Form) -> Event | None:
        """The event of which it is asked whether it is on now."""
        if statement.head != "is" or not any(each.head == "now" for each in statement.inner()):
            return None
        return next((self.said.kb.events[each] for each in self.events_asked(statement)), None)

    def _edge(self, statement: Form) -> str:
        """When an event begins or ends of which that is stated; empty for other statements."""
        described = statement.inner()[-1]
        head = next((_EDGES[each.head] for each in described.inner() if each.head in _EDGES), "")
        items = [each for each in self.answer.items if each.of in self.said.kb.events]
        return TimeAnswers(self.said).edges(items, head) if head else ""

    def _same(self, statement: Form, be: str) -> str:
        first, second = (self.said.meant(each)[:1] for each in statement.inner())
        names = [self.said.name(each) for each in (*first, *second)]
        return f"{names[0]} {be} {names[1]}" if len(set(names)) == 2 else ""

    def _is_entity(self, form: object) -> bool:
        return isinstance(form, Form) and (form.head in ("that", "thing", "me", "you", "answers",
                                                         "those", "person", "room", "group",
                                                         "event"))
