"""What the times and lengths of logical forms mean, those of one utterance together."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from frontdesk.kg.graph.logical_forms import Form, Span
from frontdesk.kg.graph.time_slots import OfficeHours
from frontdesk.kg.graph.windows import Window, WindowKind, instant
from frontdesk.kg.times.time_spans import (
    day_and_clock,
    names_day,
    read_length,
    read_span,
    written,
)
from frontdesk.rules.engine.query_readings import SURE
from frontdesk.rules.linking.dialogue_context import DialogueContext

#: Heads of times with words, and of lengths.
_TIMES = frozenset({"at", "before", "after", "straight_after", "until", "from"})
_LENGTHS = frozenset({"lasting", "within", "long", "longer", "shorter", "duration", "lengthen",
                      "shorten", "shift"})
#: What is said of a time that was spoken of last, as of any other.
_SAID_LAST = {"then": "at", "then_after": "after", "then_before": "before"}
#: Acts that speak of what is to be arranged, which lies ahead.
_ARRANGING = frozenset({"request", "arrive"})
#: What asks for numbers: all of a time that has begun counts.
_COUNTING = frozenset({"count", "amount", "most", "fewest"})
#: A window of so many days at most tells on which days an event may be meant.
_MOST_DAYS = 7


@dataclass
class FormTimes:
    """The times and lengths of forms.

    Args:
        windows: By form, what it may mean, the likeliest first.
        lengths: By form, minutes.
    """

    windows: dict[Form, list[tuple[Window, float]]] = field(default_factory=dict)
    lengths: dict[Form, int] = field(default_factory=dict)
    days: set[dt.date] = field(default_factory=set)


def read_times_of(forms: Sequence[Form], context: DialogueContext, *, now: dt.datetime,
                  hours: OfficeHours) -> FormTimes:
    """What the times and lengths of the forms of an utterance mean.

    A time without a day is on the day that its form says elsewhere, else on that of the form
    before it, else on the day that was spoken of last.

    Args:
        forms: In order.
        now: Zone-aware present.
    """
    found = FormTimes()
    day: dt.date | None = None
    for form in forms:
        day = next((named for _, span in _spans(form, _TIMES) if (
            named := names_day(span, now=now, gone=_is_over(form))) is not None), day)
        _read_windows(form, found, context, day, now, hours)
        _read_lengths(form, found, now, hours)
    _note_days(found)
    return found


def fixed_times(form: Form, windows: Mapping[Form, Sequence[tuple[Window, float]]],
                then: Window | None, *, now: dt.datetime) -> Form:
    """A form whose times mean the same after something else was spoken of.

    Args:
        form: As it was said.
        now: Zone-aware present.

    Returns:
        The form; "the day after" and "after that" in it are dates.
    """
    words, head = "", _SAID_LAST.get(form.head, form.head)
    if head != form.head:
        edge = {"after": then.end, "before": then.start}.get(head) if then is not None else None
        words = "" if then is None else written(then) or (written(instant(edge)) if edge else "")
    elif form in windows and head in _TIMES:
        span = next(form.spans()).text
        alone = read_span(span, now=now)
        if day_and_clock(span)[0] or not any(day_and_clock(span)):
            words = "" if alone and alone[0][0] == windows[form][0][0] \
                else written(windows[form][0][0])
    if words:
        return Form(head, (Span(words),))
    return Form(form.head, tuple(fixed_times(each, windows, then, now=now)
                                 if isinstance(each, Form) else each for each in form.arguments))


def _read_windows(form: Form, found: FormTimes, context: DialogueContext, day: dt.date | None,
                  now: dt.datetime, hours: OfficeHours) -> None:
    spans, gone = list(_spans(form, _TIMES)), _is_over(form)
    counts = any(each.head in _COUNTING for each in form.walk())
    named = any(names_day(span, now=now, gone=gone) is not None for _, span in spans)
    for time, span in spans:
        own = names_day(span, now=now) is not None
        windows = read_span(span, now=now, spoken_of=context.window, ends=time.head == "until",
                            ahead=form.head in _ARRANGING, gone=gone,
                            day=None if own else day, hours=hours, whole=counts)
        if gone and not named:
            windows = [(_begun(window, now), share) for window, share in windows]
        if windows:
            found.windows.setdefault(time, _likeliest(windows))
    _fitted_together(spans, found, now, hours)


def _is_over(form: Form) -> bool:
    """Whether what is over is asked about: "what was on on Monday"."""
    return any(each.head == "so_far" for each in form.walk())


def _begun(window: Window, now: dt.datetime) -> Window:
    """A time of whatever day as the last one that has begun: at two "at four" was yesterday."""
    if window.start < now:
        return window
    back = window.date - now.date()
    if window.start - back >= now:
        back += dt.timedelta(days=1)
    return replace(window, start=window.start - back, end=window.end - back)


def _likeliest(windows: list[tuple[Window, float]]) -> list[tuple[Window, float]]:
    """The likeliest reading alone where it is sure."""
    return [(windows[0][0], 1.0)] if windows[0][1] >= SURE else windows


def _read_lengths(form: Form, found: FormTimes, now: dt.datetime, hours: OfficeHours) -> None:
    for length, span in _spans(form, _LENGTHS):
        minutes = read_length(span, hours=hours)
        if minutes:
            found.lengths.setdefault(length, minutes)
        if length.head == "within":
            windows = [(_from_now(now, minutes), 1.0)] if minutes else read_span(
                span, now=now, hours=hours)
            if windows:
                found.windows.setdefault(length, windows)


def _spans(form: Form, heads: frozenset[str]) -> Iterator[tuple[Form, str]]:
    """The forms of some heads within a form, each with its words."""
    for each in form.walk():
        first = each.arguments[0] if each.arguments else None
        if each.head in heads and isinstance(first, Span):
            yield each, first.text


def _fitted_together(spans: Sequence[tuple[Form, str]], found: FormTimes, now: dt.datetime,
                     hours: OfficeHours) -> None:
    """ "From Monday until Wednesday" ends on the Wednesday after that Monday; at ten past two "from
    two until four" is today."""
    known = [(each, span) for each, span in spans if each in found.windows]
    start = next(((each, span) for each, span in known if each.head == "from"), None)
    if start is None:
        return
    for each, span in known:
        begins, ends = found.windows[start[0]][0][0], found.windows[each][0][0]
        if each.head == "until" and ends.end <= begins.start:
            running = read_span(start[1], now=now, day=ends.date, hours=hours)
            if now < ends.end and running and running[0][0].start < ends.end:
                found.windows[start[0]] = running
                continue
            later = read_span(span, now=begins.start, ends=True, day=begins.date, hours=hours)
            found.windows[each] = later or found.windows[each]


def _from_now(now: dt.datetime, minutes: int) -> Window:
    end = now.astimezone(dt.UTC) + dt.timedelta(minutes=minutes)
    return Window(now, end.astimezone(now.tzinfo))


def _note_days(found: FormTimes) -> None:
    for windows in found.windows.values():
        window = windows[0][0]
        length = (window.end - window.start).days
        if window.kind is not WindowKind.NOW and length <= _MOST_DAYS:
            last = max(window.start, window.end - dt.timedelta(microseconds=1)).date()
            span = (last - window.date).days
            found.days |= {window.date + dt.timedelta(days=each) for each in range(span + 1)}
