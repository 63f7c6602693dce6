"""What overlaps, and when: answers about statements of a clash."""

from __future__ import annotations

from frontdesk.kg.graph.logical_forms import Form
from frontdesk.kg.graph.windows import Window
from frontdesk.rules.engine.query_answer import AnswerItem, AnswerKind, QueryAnswer
from frontdesk.rules.organisation.calendar_slice import MOST_LISTED
from frontdesk.rules.organisation.query_bounds import parts_of
from frontdesk.rules.organisation.query_numbers import LEAST
from frontdesk.rules.organisation.query_values import ValueAnswers


class ClashAnswers(ValueAnswers):
    """Answers about what overlaps; see :class:`SetAnswers`."""

    def clashing(self, statement: Form) -> list[AnswerItem]:
        """The events that overlap, in pairs one after the other, each said of the other."""
        return [AnswerItem(value, of, probability, self.facts.clash(one, other, self._subjects(
            statement))) for one, other, probability in self._pairs(statement)
            for value, of in ((one, other), (other, one))]

    def when_clashing(self, statement: Form) -> QueryAnswer:
        """When events overlap."""
        items, events = [], self.kb.events
        for one, other, probability in self._pairs(statement):
            both = events[one], events[other]
            items.append(AnswerItem(
                Window(max(each.start for each in both), min(each.end for each in both)), one,
                probability, self.facts.clash(one, other, self._subjects(statement))))
        return self.answer(AnswerKind.TIMES, items)

    def _pairs(self, statement: Form) -> list[tuple[str, str, float]]:
        """The pairs of events that overlap in the likeliest world, those that rather do than not,
        by start."""
        _, clash = self.world.clashes(statement)
        found = dict[tuple[str, ...], float]()
        for one, other, probability in self.world.program.pairs(clash.pairs):
            pair = tuple(self.calendar.by_name((one, other)))
            if probability >= LEAST:
                found[pair] = max(probability, found.get(pair, 0.0))
        told = set(self.calendar.told_apart(dict.fromkeys(
            each for pair in found for each in pair)))
        starts = self.calendar.by_name({one for one, _ in found})
        return [(one, other, found[one, other]) for one, other in sorted(found, key=lambda pair: (
            starts.index(pair[0]), self.kb.events[pair[1]].start, pair))
            if {one, other} <= told][:MOST_LISTED]

    def _subjects(self, statement: Form) -> list[str]:
        """Whose events are spoken of, as they are most probably meant."""
        return [each for form in parts_of(statement.arguments).entities
                for each in self.world.likely(self.world.of(form, pick=False))
                if each not in self.kb.events]
