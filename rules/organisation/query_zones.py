"""Answers in another time zone: "when is the review, London time"."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

from frontdesk.kg.english.phrases import say_window
from frontdesk.kg.english.verbalise import event_window
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.logical_forms import Form, Sort, Span
from frontdesk.kg.graph.windows import Window, WindowKind, instant
from frontdesk.kg.times.time_clocks import zone_in
from frontdesk.rules.engine.query_answer import QueryAnswer, Resolution


def zone_wanted(query: Form, resolution: Resolution, home: dt.tzinfo) -> Form | None:
    """The time in a query that is a zone alone, ``(at "London time")``; None where there is none.

    Args:
        query: Any query.
        home: The organisation's zone.
    """
    return next((each for each in query.walk()
                 if each.is_of(Sort.TIME)
                 and any(isinstance(part, Span) for part in each.arguments)
                 and not resolution.windows.get(each)
                 and zone_in(next(each.spans()).text, home=home) is not None), None)


def without(form: Form, part: Form) -> Form:
    """A form without a part of it."""
    return Form(form.head, tuple(without(each, part) if isinstance(each, Form) else each
                                 for each in form.arguments if each != part))


def told_in_zone(answer: QueryAnswer, time: Form, kb: KnowledgeBase, now: dt.datetime
                 ) -> QueryAnswer:
    """An answer with what its time is in another zone; of several in which zone they are.

    Args:
        answer: In the organisation's zone.
        time: Names the zone, and nothing else.
        now: Zone-aware present.
    """
    words, zone = zone_in(next(time.spans()).text, home=kb.timezone) or ("", None)
    found = [each.value if isinstance(each.value, Window)
             else event_window(kb.events[str(each.value)]) for each in answer.items
             if isinstance(each.value, Window) or each.value in kb.events]
    if zone is None or len(found) != 1:
        return replace(answer, notes=(*answer.notes, f"all times are in {kb.timezone}"))
    there = replace(found[0], start=found[0].start.astimezone(zone),
                    end=found[0].end.astimezone(zone))
    if there.kind is WindowKind.NOW:
        there = instant(there.start)
    said = say_window(there, now.astimezone(zone).date())
    return replace(answer, notes=(*answer.notes, f"that is {said} {words}"))
