"""Queries for each of several: how many meetings each of them has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from frontdesk.kg.graph.logical_forms import Form, Sort, Span
from frontdesk.rules.engine.query_answer import AnswerItem, AnswerKind, QueryAnswer
from frontdesk.rules.organisation.query_bounds import MissingError
from frontdesk.rules.organisation.query_numbers import LEAST, number_of
from frontdesk.rules.organisation.query_verdicts import Verdicts

#: Those of whom it is told one by one, the first.
MOST_EACH = 30


class Answers(Verdicts):
    """Answers of any query; see :class:`SetAnswers`."""

    def respond(self) -> QueryAnswer:
        """The answer of the query; see :meth:`SetAnswers.respond`."""
        each = next(_of_each(self.query), None)
        if each is None:
            return super().respond()
        if not each.arguments:
            raise MissingError("each")
        if self.query.head in ("holds", "why"):  # it is so of each of them
            return type(self)(_with(self.query, each, Form("and", each.arguments)),
                              self.sets).respond()
        return self._one_by_one(each)

    def _one_by_one(self, each: Form) -> QueryAnswer:
        """The answer for each of those that are meant; their number where it is asked how many."""
        self.sets.account.used.update(form for form in self.query.walk() if each in form.walk())
        members = self.world.of(each.inner()[0], pick=False)
        likely = self.world.likely(members)
        ids = [one for one in members.candidates if one in likely and not (
            self.query.head == "count" and one in self.calendar.hidden)]
        if len(ids) > MOST_EACH:
            self.sets.note(f"only the first {MOST_EACH} of {len(ids)} were looked at")
        answers = [(one, self._for(each, one)) for one in ids[:MOST_EACH]]
        if self.query.head == "count":
            return self.answer(AnswerKind.COUNT, [self._number(one, answer)
                                                  for one, answer in answers])
        parts = tuple(answer for _, answer in answers)
        items = [replace(item, of=item.of or one) for one, answer in answers
                 for item in answer.items]
        holds = [part.holds for part in parts if part.holds is not None]
        kind = next((part.kind for part in parts if part.kind is not AnswerKind.UNKNOWN),
                    AnswerKind.UNKNOWN)
        return replace(self.answer(kind, items, min(holds, default=None)), parts=parts)

    def _for(self, each: Form, entity_id: str) -> QueryAnswer:
        """The answer for one of them, who is called by name in it."""
        entity, world = self.kb.entity(entity_id), self.world
        one = Form(str(entity.type), (Span(entity.name), Form("type", (Span(entity_id),))))
        resolution = replace(world.resolution, entities={
            **world.resolution.entities, one: ((entity_id, 1.0),)})
        sets = type(world)(self.calendar, resolution, world.new_slice, world.account)
        return type(self)(_with(self.query, each, one), sets).respond()

    def _number(self, entity_id: str, answer: QueryAnswer) -> AnswerItem:
        """How many there rather are for one of them, and how certain that is."""
        counted = dict(self.sets.countable(self.query, (
            (str(item.value), item.probability) for item in answer.items)))
        number = number_of(counted.values())
        facts = tuple(dict.fromkeys(fact for item in answer.items if item.value in counted
                                    for fact in item.facts))
        return AnswerItem(number.value, entity_id, max(
            number.certainty * self.taken.probability, LEAST), facts)


def _of_each(form: Form) -> Iterator[Form]:
    """The ``(each …)`` of a query; what orders compare is none of them."""
    for part in form.inner():
        if part.head == "each":
            yield part
        elif not part.is_of(Sort.ORDER):
            yield from _of_each(part)


def _with(form: Form, part: Form, other: Form) -> Form:
    """A form with another in the place of a part of it."""
    return other if form == part else Form(form.head, tuple(
        _with(each, part, other) if isinstance(each, Form) else each for each in form.arguments))
