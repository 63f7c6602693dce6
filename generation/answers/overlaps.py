"""Events that overlap in words: ``the review (10:00 to 11:00) and the demo (10:30 to 11:30)``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from frontdesk.generation.answers.answer_details import AnswerDetails
from frontdesk.generation.answers.answer_phrases import CERTAIN
from frontdesk.kg.english import phrases
from frontdesk.kg.graph.entities import Event
from frontdesk.rules.engine.query_answer import AnswerItem

Pair = tuple[Event, Event]


def overlapping(details: AnswerDetails, items: Iterable[AnswerItem]) -> str:
    """The events that overlap of those of whom an answer tells that; may be empty."""
    pairs, sure = dict[frozenset[str], Pair](), dict[frozenset[str], float]()
    for item in items:
        for fact in item.facts:
            if fact.predicate == "conflict":
                key = frozenset(map(str, fact.arguments[1:]))
                sure[key] = max(fact.certainty, sure.get(key, 0.0))
        for one, other in combinations(details.events_in(item.facts), 2):
            if one.start < other.end and other.start < one.end:
                pairs.setdefault(frozenset((one.id, other.id)), (one, other))
    return say_pairs(details, [(pair, sure.get(key, 1.0)) for key, pair in pairs.items()])


def say_pairs(details: AnswerDetails, pairs: Sequence[tuple[Pair, float]]) -> str:
    """Pairs of events, each with how certain it is that they are one's own: with their times and
    the day, where that is one and was not asked about."""
    said = []
    for pair, certain in pairs:
        days = {each.start.date() for each in pair}
        day = next(iter(days)) if len(days) == 1 else None
        on = "" if day in (None, details.said.day) else \
            f" {phrases.say_on(day, details.said.today)}"
        words = " and ".join(say_event(details, each, with_day=day is None) for each in pair)
        said.append(f"{'' if certain >= CERTAIN else 'perhaps '}{words}{on}")
    return "; ".join(said)


def say_event(details: AnswerDetails, event: Event, *, with_day: bool) -> str:
    """An event with its time in brackets."""
    said = details.full_time(event)
    if not with_day and not event.all_day:
        said = phrases.say_hours(event.start, event.end)
    return f"{details.said.name(event.id)} ({said.removeprefix('from ')})"
