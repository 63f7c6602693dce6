"""A query with other times, and what kinds of forms queries are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from frontdesk.kg.graph.logical_forms import Argument, Form, Language, Sort, Span
from frontdesk.kg.times.time_spans import day_and_clock

#: Pronouns for people; "it", "that" and "there" stand for anything.
_PEOPLE = frozenset({"he", "she", "they", "him", "her", "them", "his", "hers", "their", "me", "us",
                     "you"})
#: Times that words say.
_BOUNDS = frozenset({"at", "before", "after", "straight_after", "until", "from"})
#: What takes a time itself, the likeliest place of a new one first.
_TIMED = ("is_free", "is_busy", "is_present", "free", "busy", "present", "where", "location")


class RetimedQueries:
    """Puts other times into queries.

    Args:
        language: Of the domain.
    """

    def __init__(self, language: Language) -> None:
        self.language = language

    def _is(self, form: Argument, *sorts: Sort) -> bool:
        return isinstance(form, Form) and not self.language.sorts(form).isdisjoint(sorts)

    def _is_entities(self, form: Argument) -> bool:
        return isinstance(form, Form) and self.language.sorts(form) == {Sort.ENTITIES}

    def _type(self, form: Form) -> str:
        """The type of the entities of a form; empty where it does not tell."""
        if form.head in self.language.types:
            return form.head
        if form.head in ("me", "us", "you"):
            return "person"
        if form.head in ("that", "those"):
            return next((self._spoken_type(part) for part in form.arguments
                         if isinstance(part, Form) and part.head == "type"), "")
        inner = [each for each in form.arguments if self._is_entities(each)]
        types = {self._type(each) for each in inner if isinstance(each, Form)}
        return types.pop() if len(types) == 1 else ""

    def _spoken_type(self, form: Form) -> str:
        words = [span.text.casefold() for span in form.spans()]
        if words and words[0] in _PEOPLE:
            return "person"
        return words[0] if words and words[0] in self.language.types else ""

    def _is_open(self, form: Form) -> bool:
        """Whether a form describes what is asked for, and names nobody."""
        return form.head in self.language.types and not any(
            isinstance(each, Span) for each in form.arguments) and bool(form.arguments) \
            and not any(isinstance(each, Form) and each.head in ("like", "member_of", "related")
                        for each in form.arguments)

    # --- times

    def _retimed(self, query: Form, times: Sequence[Form]) -> Form | None:
        if any(self._is(part, Sort.TIME) for part in query.walk()):
            return self._with_times(query, [*self._kept_times(query, times), *times])
        event = self._event_of_relation(query)
        if event is not None:  # it is claimed when that is
            return Form("holds", (Form("is", (event, *times)),))
        return self._placed(query, times)

    def _kept_times(self, query: Form, times: Sequence[Form]) -> Iterator[Form]:
        """What other times leave of those of a query: another day the hour, another hour the day,
        an end the beginning, and all of them how long it lasts."""
        parts = [said_day_and_clock(each) for each in times]
        days, hours = any(day for day, _ in parts), any(clock for _, clock in parts)
        ends = all(each.head == "until" for each in times)
        for each in query.walk():
            day, clock = said_day_and_clock(each)
            if each.head == "lasting" and each.head not in (one.head for one in times):
                yield each
            elif self._is(each, Sort.TIME) and ("", "") not in parts and days != hours:
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
                if self._is(each, Sort.TIME):
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

    @staticmethod
    def _go_together(one: Form, other: Form) -> bool:
        """Whether of two times one says the day and the other an hour of it."""
        (day, clock), (other_day, other_clock) = said_day_and_clock(one), said_day_and_clock(other)
        return bool(day or clock) and bool(other_day or other_clock) \
            and not (day and other_day) and not (clock and other_clock)

    def _event_of_relation(self, query: Form) -> Form | None:
        """The event of which it is asked whether it is related to something, in ``(holds …)``: a
        time that is added is asked of it too."""
        statement = next((each for each in query.arguments if isinstance(each, Form)), None)
        if query.head != "holds" or statement is None \
                or statement.head not in self.language.predicates:
            return None
        return next((each for each in statement.arguments if isinstance(each, Form)
                     and self._type(each) == "event"), None)


def said_day_and_clock(time: Form) -> tuple[str, str]:
    """The words of a time for its day, and those for when on it."""
    words = next((each.text for each in time.arguments if isinstance(each, Span)), "")
    return day_and_clock(words) if time.head in _BOUNDS else ("", "")


def mapped(form: Form, change: Callable[[Form], Form | None]) -> Form:
    """A form with its parts changed, the outer before the inner."""
    new = change(form)
    if new is not None:
        return new
    return Form(form.head, tuple(mapped(each, change) if isinstance(each, Form) else each
                                 for each in form.arguments))


def without(form: Form, head: str) -> Form:
    return Form(form.head, tuple(
        without(each, head) if isinstance(each, Form) else each for each in form.arguments
        if not (isinstance(each, Form) and each.head == head)))
