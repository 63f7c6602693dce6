"""Where they are: answers of queries for rooms and floors."""

from __future__ import annotations

from collections.abc import Sequence

from frontdesk.kg.graph.facts import Fact
from frontdesk.kg.graph.windows import now_window
from frontdesk.rules.engine.query_answer import AnswerItem, AnswerKind, QueryAnswer
from frontdesk.rules.engine.query_program import X, holds
from frontdesk.rules.organisation.query_answers import SetAnswers
from frontdesk.rules.organisation.query_bounds import EntitySet
from frontdesk.rules.organisation.query_rules import Y


class PlaceAnswers(SetAnswers):
    """Answers about places; see :class:`SetAnswers`."""

    def where(self) -> QueryAnswer:
        """In which room or on which floor they are."""
        entities = self.sets.of(self.parts.entities[0], self.parts.times)
        found = self.members(entities)
        rooms = self._rooms([each for each, _ in found], entities)
        items: list[AnswerItem] = []
        for each, probability in found:
            if each in self.kb.rooms:
                items += self._floor(each, probability)
            elif each in self.kb.groups:
                items += self._offices(each, probability)
            else:
                places = rooms.get(each, [])
                items += places
                if not places:
                    self._without_place(each)
        if not found:
            self.reasons += self._why_none()
        return self.answer(AnswerKind.PLACES, items)

    def _rooms(self, entities: Sequence[str], given: EntitySet) -> dict[str, list[AnswerItem]]:
        """The rooms of events, and those of people at the time asked about."""
        program, pair = self.sets.program, self.sets.program.named("where")
        times = self.parts.times
        windows = self.sets.states(times)
        for each in entities:
            self.sets.facts.entity(each)
            if each in self.kb.events:
                self.sets.facts.rooms(each)
            if each in self.kb.people:
                for bounded in windows:
                    self.sets.facts.busy(each, bounded.window, each=True)
        program.rule(pair, (X, Y), [holds(given.name, X), holds("located", X, Y)])
        for bounded in windows:
            program.rule(pair, (X, Y), [*bounded.body, holds(given.name, X), holds(
                "place", X, self.sets.facts.window(bounded.window), Y)])
        window = self.window or now_window(self.calendar.now)
        found: dict[str, list[AnswerItem]] = {}
        for each, room, probability in program.pairs(pair):
            if each not in entities:
                continue
            facts = self.facts.place_of_event(each) if each in self.kb.events \
                else self.facts.place(each, room, window)
            found.setdefault(each, []).append(AnswerItem(
                room, each, probability, (*facts, *self.facts.stored(room, "floor"))))
        return {each: self._in_order(each, items) for each, items in found.items()}

    def _in_order(self, entity_id: str, items: list[AnswerItem]) -> list[AnswerItem]:
        """An event's rooms in its own order; of other places the likeliest first."""
        event = self.kb.events.get(entity_id)
        if event is not None:
            return sorted(items, key=lambda item: event.rooms.index(str(item.value)))
        most = max(item.probability for item in items)
        return sorted((item for item in items if item.probability >= most / 3),
                      key=lambda item: -item.probability)

    def _floor(self, room: str, probability: float) -> list[AnswerItem]:
        floor = self.kb.rooms[room].floor
        if floor is None:
            self.missing.append("floor")
            return []
        return [AnswerItem(floor, room, probability, tuple(self.facts.stored(room, "floor")))]

    def _offices(self, group: str, probability: float) -> list[AnswerItem]:
        """Where the people of a group sit."""
        rooms: dict[str, list[Fact]] = {}
        for person in self.kb.members(group):
            if person.office:
                rooms.setdefault(person.office, []).extend(
                    self.facts.stored(person.id, "office"))
        if not rooms:
            self.missing.append("room")
        return [AnswerItem(room, group, probability, tuple(facts))
                for room, facts in rooms.items()]

    def _without_place(self, entity_id: str) -> None:
        """Why it is not known where somebody or something is."""
        self.missing.append("room" if entity_id in self.kb.events else "office")
        if entity_id in self.kb.events:
            self.reasons += self.facts.event(entity_id)
        elif self.window is not None or not self.parts.times:
            window = self.window or now_window(self.calendar.now)
            self.reasons += self.facts.engagement(entity_id, window) \
                or self.facts.availability(entity_id, window)
