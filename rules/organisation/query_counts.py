"""What orders count: of each of a set how many of another have to do with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Self

from frontdesk.kg.graph.entities import EntityType
from frontdesk.kg.graph.logical_forms import Form
from frontdesk.rules.engine.query_answer import Resolution
from frontdesk.rules.organisation.query_bounds import EntitySet, MissingError, parts_of
from frontdesk.rules.organisation.query_conditions import QueryConditions
from frontdesk.rules.organisation.query_numbers import LIKELY, Number, number_of
from frontdesk.rules.organisation.query_orders import Member, measure
from frontdesk.rules.organisation.query_relations import ATTENDANCE, RELATIONS

#: The one that is compared.
EACH = Form("each")
#: Entities of a set that are looked at, and that are counted; of events the first in time, or the
#: last for "previous".
MOST_CANDIDATES, MOST_COUNTED = 150, 5000
#: A note where hidden events may be among what is counted.
UNCOUNTED = "private meetings are not counted"


def speaks_of_each(form: Form) -> bool:
    """Whether the one that is compared is spoken of in a form."""
    return EACH in form.walk()


class QueryCounts(QueryConditions):
    """Counts what orders go by."""

    most_candidates = MOST_CANDIDATES

    def counting(self, resolution: Resolution) -> Self:
        """The sets of which the members are counted.

        Args:
            resolution: What their references and times mean.
        """
        sets = type(self)(self.calendar, resolution, self.new_slice, self.account)
        sets.most_candidates = MOST_COUNTED
        return sets

    def likely(self, entities: EntitySet) -> list[str]:
        """The members of a set that are more likely in it than not."""
        return [each for each, probability in self.program.members(entities.name)
                if probability >= LIKELY]

    def countable(self, form: Form, members: Iterable[Member]) -> list[Member]:
        """Those of some that are counted: all but hidden events, of which it is not told how many
        there are.

        Args:
            form: What is counted, and of what.
        """
        if self.calendar.hidden and any(each.head == EntityType.EVENT for each in form.walk()):
            self.note(UNCOUNTED)  # whoever has any
        return [each for each in members if each[0] not in self.calendar.hidden]

    def counts(self, orders: Iterable[Form], entities: Sequence[str], times: Sequence[Form]
               ) -> dict[Form, dict[str, Number]]:
        """By each order that counts, ``(most (event (organizer (each))))``, the numbers of some
        entities; hidden events have none.

        Args:
            times: Those of the entities, for what is counted that has none of its own.

        Raises:
            MissingError: What is counted has nothing to do with them.
        """
        return {order: self._counted(order, what, entities, times) for order in orders
                for what in order.inner()}

    def measure(self, order: Form, entity_id: str, times: Sequence[Form]) -> int | None:
        """What an order goes by, the least first; None for what has no such thing."""
        windows = [each.window for each in self.bounds(times)]
        return measure(self.calendar, order, entity_id, windows, self.counts(
            [order], [entity_id], times))

    def _counted(self, order: Form, what: Form, entities: Sequence[str], times: Sequence[Form]
                 ) -> dict[str, Number]:
        about = [each for each in what.inner() if speaks_of_each(each)]
        if len(about) != 1 or about[0].head not in RELATIONS or about[0].inner()[0] != EACH:
            raise MissingError(order.head)
        relation = RELATIONS[about[0].head]
        found: dict[str, list[float]] = {
            each: [] for each in entities if each not in self.calendar.hidden}
        self.account.used.update(about)
        rest = Form(what.head, tuple(each for each in what.arguments if each != about[0]))
        sets = self.counting(self.resolution)
        counted = self.countable(what, sets.program.members(sets.of(
            rest, parts_of(about[0].arguments).times or times, pick=False).name))
        fitting = {(self.calendar.type_of(one), self.calendar.type_of(other))
                   for one in entities for other, _ in counted} & relation.keys()
        if entities and counted and not any(not relation[each].timed for each in fitting):
            raise MissingError(order.head)
        for other, probability in counted:
            near = {one for each in fitting if each[1] == self.calendar.type_of(other)
                    for one in relation[each].find(self.calendar, other)}
            for one in near & found.keys():
                found[one].append(probability * (
                    self._comes(one, other) if about[0].head in ATTENDANCE else 1.0))
        return {each: number_of(probabilities) for each, probabilities in found.items()}

    def _comes(self, one: str, other: str) -> float:
        """P(somebody comes to an event); of groups it is known by whom."""
        event = self.kb.events.get(other) or self.kb.events.get(one)
        person = next((each for each in (one, other) if each in self.kb.people), None)
        return 1.0 if event is None or person is None else event.comes(person)
