"""What an answer speaks of: what later utterances can mean by "it", "they", "then" and "that"."""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile

from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.logical_forms import CORE, Form, Sort
from frontdesk.kg.graph.windows import Window
from frontdesk.rules.engine.query_answer import AnswerKind, QueryAnswer
from frontdesk.rules.linking.dialogue_context import DialogueContext

#: Times that were spoken of before, and those that a question names itself.
THEN = frozenset({"then", "then_after", "then_before"})
TIMES = frozenset(name for name, head in CORE.items() if head.sort is Sort.TIME) - {"now"} - THEN
#: What was told, and what a number may be asked of.
_TOLD = frozenset({Form("answers"), Form("those")})
_SPOKEN_OF = ("that", "those", "answers")


def time_of(answer: QueryAnswer, kb: KnowledgeBase) -> Window | None:
    """The time that an answer is of: that of the only event in it where none was asked about."""
    events = _events(answer, kb)
    asked = any(part.head in TIMES for part in answer.query.walk())
    if not asked and len(events) == 1:
        return Window(events[0].start, events[0].end)
    return answer.window


def about(answer: QueryAnswer, kb: KnowledgeBase) -> list[str]:
    """What an answer is about, with the event that somebody's place rests on; of a series that
    which answers, not the next occurrence, and of several those that an order picks."""
    rests_on = _events(answer, kb) if answer.kind is AnswerKind.PLACES else ()
    answering = {str(item.value) for item in answer.items}
    series = {kb.events[each].name for each in answering if each in kb.events}
    # Of two that are compared both are spoken of, of those that were told only the one.
    of_told = any(any(map(_is_order, part.arguments)) and not _TOLD.isdisjoint(
        (part, *part.arguments, Form(part.head))) for part in answer.query.walk())
    picked = {each for item in answer.items if (
        each := item.of or (str(item.value) if of_told else "")) in kb} if any(
            map(_is_order, answer.query.walk())) else set()
    kinds = {kb.entity(each).type for each in picked}
    return [*(each for each in answer.about if (each in answering or each not in kb.events
              or kb.events[each].name not in series)
              and (each in picked or each not in kb or kb.entity(each).type not in kinds)),
            *(event.id for event in rests_on)]


def meant_by_then(query: Form, context: DialogueContext, kb: KnowledgeBase) -> list[str]:
    """The event whose time a query means by "then"."""
    if context.window is None or not any(part.head in THEN for part in query.walk()):
        return []
    times = context.window.start, context.window.end
    return [each for each in context.mentioned if each in kb.events and times == (
        kb.events[each].start, kb.events[each].end)][:1]


def answering(answer: QueryAnswer, kb: KnowledgeBase) -> list[str]:
    """The entities that answer; where values do, those that they are said of."""
    found = [each.value if isinstance(each.value, str) and each.value in kb else each.of
             for each in answer.items]
    return [each for each in found if each] or list(answer.about)


def with_those_before(answer: QueryAnswer, context: DialogueContext, kb: KnowledgeBase
                      ) -> QueryAnswer:
    """How many were told, and how many they are together with those of the questions before, of
    the same type and none of them."""
    asked = answer.query.arguments[0] if answer.query.head == "count" else None
    if not isinstance(asked, Form) or asked.head not in _SPOKEN_OF or not answer.items \
            or any(each.head != "type" for each in asked.inner()):
        return answer
    told = {str(item.value) for item in answer.items}
    kind = kb.entity(min(told)).type
    before = takewhile(lambda ids: told.isdisjoint(ids) and all(
        each in kb and kb.entity(each).type is kind for each in ids), (
            ids for ids in context.answered if {*ids} != told))
    together = told.union(*before)
    return answer if together == told else replace(answer, notes=(
        *answer.notes, f"with those before, {len(together)} in all"))


def _events(answer: QueryAnswer, kb: KnowledgeBase) -> list[Event]:
    """The events of an answer, those that answer or that its facts are about."""
    found = [each for each in answering(answer, kb) if each in kb.events]
    if not found:
        found = [each for item in answer.items[:1] for fact in item.facts
                 for each in fact.entities() if each in kb.events]
    return [kb.events[each] for each in dict.fromkeys(found)]


def _is_order(part: object) -> bool:
    return isinstance(part, Form) and part.is_of(Sort.ORDER)
