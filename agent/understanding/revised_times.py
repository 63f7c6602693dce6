"""Other times of a query: "and at one?", "tomorrow then", "until when?"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from frontdesk.agent.understanding.form_kinds import FormKinds, mapped, without
from frontdesk.kg.graph.logical_forms import Argument, Form, Sort, Span
from frontdesk.kg.times.time_spans import day_and_clock

#: Times that words say.
_BOUNDS = frozenset({"at", "before", "after", "straight_after", "until", "from"})
#: What takes a time itself, the likeliest place of a new one first.
_TIMED = ("is_free", "is_busy", "is_present", "free", "busy", "present", "where", "location")


class RevisedTimes:
    """Revises the times of queries."""

    def __init__(self, kinds: FormKinds) -> None:
        self.kinds, self.language = kinds, kinds.language

    def replaced(self, query: Form, times: Sequence[Form]) -> Form | None:
        """The query at other times; None where there is no place for them."""
        if any(self.kinds.of(part, Sort.TIME) for part in query.walk()):
            return self._with_times(query, [*self._kept_times(query, times), *times])
        event = self._event_of_relation(query)
        if event is not None:  # it is claimed when that is
            return Form("holds", (Form("is", (event, *times)),))
        return self._placed(query, times)

    def added(self, query: Form, time: Form) -> Form | None:
        """The query with a time beside those that it has, or in their place where both cannot be.

        Args:
            query: The query of the turn before.
            time: Of the sort ``time``.
        """
        event = self._event_of_relation(query)
        if event is not None and time.head != "lasting":
            return Form("holds", (Form("is", (event, time)),))
        if time.head == "lasting":
            return self._placed(without(query, "lasting"), (time,))
        other = time.head == "at" and any(each.head == "at" and not _go_together(each, time)
                                          for each in query.walk())
        return self.replaced(query, [time]) if other else self._placed(query, (time,))

    def _kept_times(self, query: Form, times: Sequence[Form]) -> Iterator[Form]:
        """What other times leave of those of a query: another day the hour, another hour the day,
        an end the beginning, and all of them how long it lasts."""
        parts = [day_and_hour(each) for each in times]
        days, hours = any(day for day, _ in parts), any(clock for _, clock in parts)
        ends = all(each.head == "until" for each in times)
        for each in query.walk():
            day, clock = day_and_hour(each)
            if each.head == "lasting" and each.head not in (one.head for one in times):
                yield each
            elif self.kinds.of(each, Sort.TIME) and ("", "") not in parts and days != hours:
                if days and clock:
                    yield Form(each.head, (Span(clock),))
                elif ends and clock and each.head in ("at", "from"):
                    yield Form("from", each.arguments)
                elif hours and day and each.head == "at":
                    yield Form(each.head, (Span(day),))

    def _with_times(self, query: Form, times: list[Form]) -> Form:
        """The times of a query replaced by others: the first by all, the rest left out."""
        def inner(form: Form) -> Form:
            arguments: list[Argument] = []
            for each in form.arguments:
                if self.kinds.of(each, Sort.TIME):
                    arguments += times
                    times.clear()
                elif isinstance(each, Form):
                    arguments.append(inner(each))
                else:
                    arguments.append(each)
            return Form(form.head, tuple(arguments))
        return inner(query)

    def _placed(self, query: Form, times: Sequence[Form]) -> Form | None:
        """A query that has no time with some; None where there is no place for them."""
        heads = [part.head for part in query.walk()]
        timed = next((head for head in (*_TIMED, *self.language.states) if head in heads), None)
        if timed is not None:
            return mapped(query, lambda form: Form(timed, (*form.arguments, *times))
                          if form.head == timed else None)
        done = False

        def change(form: Form) -> Form | None:
            nonlocal done
            if done or form.head not in self.language.types:
                return None
            done = True
            return Form(form.head, (*form.arguments, *times))

        found = mapped(query, change)
        return found if done else None

    def _event_of_relation(self, query: Form) -> Form | None:
        """The event of which it is asked whether it is related to something, in ``(holds …)``: a
        time that is added is asked of it too."""
        statement = next(iter(query.inner()), None)
        if query.head != "holds" or statement is None \
                or statement.head not in self.language.predicates:
            return None
        return next((each for each in statement.inner()
                     if self.kinds.type_of(each) == "event"), None)


def day_and_hour(time: Form) -> tuple[str, str]:
    """The words of a time for its day, and those for when on it."""
    words = next((each.text for each in time.arguments if isinstance(each, Span)), "")
    return day_and_clock(words) if time.head in _BOUNDS else ("", "")


def _go_together(one: Form, other: Form) -> bool:
    """Whether of two times one says the day and the other an hour of it."""
    (day, clock), (other_day, other_clock) = day_and_hour(one), day_and_hour(other)
    return bool(day or clock) and bool(other_day or other_clock) \
        and not (day and other_day) and not (clock and other_clock)
