"""One of the times that were told, "the second", as a time of its own."""

from __future__ import annotations

from collections.abc import Sequence

from frontdesk.kg.graph.logical_forms import Form, Sort, Span
from frontdesk.kg.graph.windows import Window
from frontdesk.kg.times.time_spans import written

#: Queries about what was answered that ask of a time when it is.
_ASK_WHEN = frozenset({"which", "when", "about", "starts", "ends", "lasts"})


def with_told_times(query: Form, times: Sequence[Window]) -> Form:
    """A query in which one of the answers is the time that it is.

    Args:
        query: ``(which (answers (nth 2)))``, or with ``(at (answers (one_of -1)))`` in it.
        times: That the last question was answered with; where there are none, answers are entities.
    """
    told = _told(query, times)
    if told is not None and query.head in _ASK_WHEN:
        return Form("when", (Form("at", (told,)),))
    return Form(query.head, tuple(_with_told(each, times) if isinstance(each, Form) else each
                                  for each in query.arguments)) if times else query


def _with_told(form: Form, times: Sequence[Window]) -> Form:
    told = _told(form, times) if form.is_of(Sort.TIME) else None
    return Form(form.head, (told,)) if told is not None else with_told_times(form, times)


def _told(form: Form, times: Sequence[Window]) -> Span | None:
    """The time that the only argument of a form picks, in words; None where it picks none."""
    answers = form.arguments[0] if len(form.arguments) == 1 else None
    if not isinstance(answers, Form) or answers.head != "answers" or len(answers.arguments) != 1:
        return None
    order = answers.arguments[0]
    picked = _picked(order, times) if isinstance(order, Form) and times else None
    return Span(written(picked)) if picked is not None and written(picked) else None


def _picked(order: Form, times: Sequence[Window]) -> Window | None:
    """Which of some times an order means, or a time in which it begins."""
    number = next((each for each in order.arguments if isinstance(each, int)), 1)
    if order.head in ("nth", "one_of"):
        place = number - 1 if number > 0 else len(times) + number
        return times[place] if number and 0 <= place < len(times) else None
    if order.head in ("longest", "shortest"):
        longest = order.head == "longest"
        return (max if longest else min)(times, key=lambda each: each.end - each.start)
    return None
