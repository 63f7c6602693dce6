"""Answers over the demo organisation, put together by hand, and their words."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from functools import cache
from zoneinfo import ZoneInfo

from frontdesk.data.invented.simulate import demo_organisation
from frontdesk.generation.answers.answer_wording import word_answer
from frontdesk.kg.english.verbalise import Verbaliser, event_window
from frontdesk.kg.graph.facts import Fact
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.logical_forms import Language, Sort, read_form
from frontdesk.kg.graph.schema import ORGANISATION
from frontdesk.kg.graph.windows import Window, WindowKind, instant, now_window
from frontdesk.rules.engine.query_answer import (
    AnswerItem,
    AnswerKind,
    QueryAnswer,
    Resolution,
)

ZONE = ZoneInfo("Europe/Oslo")
NOW = dt.datetime(2026, 3, 17, 9, 20, tzinfo=ZONE)  # a Tuesday
_LANGUAGE = Language(ORGANISATION)


def at(day: int, hour: int, minute: int = 0) -> dt.datetime:
    """A moment of March 2026; the 17th is today."""
    return dt.datetime(2026, 3, day, hour, minute, tzinfo=ZONE)


def day(number: int, days: int = 1) -> Window:
    """Whole days of March 2026."""
    return Window(at(number, 0), at(number, 0) + dt.timedelta(days=days), WindowKind.DAY)


#: Times that are asked about.
PRESENT, ELEVEN, THREE = now_window(NOW), instant(at(17, 11)), instant(at(17, 15))
TODAY, TOMORROW, FRIDAY, WEEK = day(17), day(18), day(20), day(16, 7)
#: Some of the demo organisation.
FELIX, SORAYA, RAFAEL, ZOFIA = ("person-felix-macleod", "person-soraya-castellanos",
                                "person-rafael-ghosh", "person-zofia-whitaker")
OTHER_RAFAEL = "person-rafael-dahl"
GORSE, JUNIPER, SORREL = "room-gorse", "room-juniper", "room-sorrel"
INTERVIEW, BRAINSTORM, REVIEW, STANDUP = ("event-hiring-interview", "event-safety-brainstorm",
                                          "event-roadmap-review", "event-optics-standup-2")
OPTICS, FINANCE = "group-optics", "group-finance"


@cache
def organisation() -> KnowledgeBase:
    """The demo organisation on that day."""
    return demo_organisation(NOW, timezone=ZONE)


def time_of(event: str) -> Window:
    """When an event is."""
    return event_window(organisation().events[event])


def facts_of(event: str) -> tuple[Fact, ...]:
    """When and where an event is."""
    room = organisation().events[event].location
    return (Fact("takes_place", (event, time_of(event))),
            *([Fact("location", (event, room))] if room else []))


def item(value: str | int | Window, of: str = "", probability: float = 1.0,
         facts: Iterable[Fact] | None = None) -> AnswerItem:
    """A part of an answer; of an event with when and where it is."""
    events = organisation().events
    if facts is None:
        facts = facts_of(str(value)) if value in events else facts_of(of) if of in events else ()
    return AnswerItem(value, of, probability, tuple(facts))


def answer(query: str, kind: AnswerKind, *items: AnswerItem | str, **more) -> QueryAnswer:
    """An answer of a query, which must be one of the language."""
    form = read_form(query)
    _LANGUAGE.check(form, Sort.QUERY)
    return QueryAnswer(form, kind, tuple(
        each if isinstance(each, AnswerItem) else item(each) for each in items), **more)


def yes_or_no(statement: str, holds: float, *items: AnswerItem | str, **more) -> QueryAnswer:
    """An answer of a question for yes or no."""
    return answer(f"(holds {statement})", AnswerKind.YES_NO, *items, holds=holds, **more)


def word(given: QueryAnswer, *, speaker: str | None = None,
         resolution: Resolution | None = None) -> str:
    """The words of an answer."""
    return word_answer(given, Verbaliser(organisation(), NOW, speaker=speaker),
                       resolution=resolution)
