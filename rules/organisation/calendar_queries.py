"""Queries about a calendar: a logical form and what it refers to, answered by the rules."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from frontdesk.kg.english.phrases import say_date
from frontdesk.kg.graph.errors import DeadlineError, ReasoningError
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.logical_forms import CORE, ENTITY_TYPES, Form, Language, Sort, Span
from frontdesk.kg.graph.schema import ORGANISATION, Schema
from frontdesk.rules.engine.packaged_rules import packaged_text
from frontdesk.rules.engine.prover import Prover
from frontdesk.rules.engine.prover_process import Budget
from frontdesk.rules.engine.query_answer import (
    LATE,
    NOT_FOUND,
    AnswerItem,
    AnswerKind,
    QueryAnswer,
    Resolution,
)
from frontdesk.rules.engine.query_times import coming_days
from frontdesk.rules.organisation.query_bounds import NOT_YET, Account, MissingError
from frontdesk.rules.organisation.query_calendar import QueryCalendar
from frontdesk.rules.organisation.query_each import Answers
from frontdesk.rules.organisation.query_statements import QueryStatements

_LOG = logging.getLogger("frontdesk.rules")
#: Why no more is told of an event.
PRIVATE = "it is private, so I may not tell more"
#: From this probability on a statement is rather so.
_LIKELY = 0.5
#: Queries for the members of a set.
_OF_SETS = ("which", "exists", "count")
PROGRAMS = ("commonsense.pl", "conflicts.pl", "queries.pl")


class QueryReasoner:
    """Answers queries about a calendar.

    Args:
        kb: What may be told.
        house_rules: Name and text of each file of rules of a user's own; the predicates that the
            schema has of them can be asked as any other.
        constants: By the ids that stand in those, how they are written there.
        sources: By the name of a predicate of those, the file that it is from.
        deadline_s: Seconds that the rules may take for one query where no budget is given. With a
            deadline they are evaluated in a process of their own. None for no limit, in this
            process.
    """

    def __init__(self, kb: KnowledgeBase, schema: Schema = ORGANISATION, *,
                 house_rules: Sequence[tuple[str, str]] = (),
                 constants: Mapping[str, str] | None = None,
                 sources: Mapping[str, str] | None = None,
                 deadline_s: float | None = None) -> None:
        self.kb, self._deadline_s = kb, deadline_s
        self._house_rules = {name: predicate for name, predicate in schema.items()
                             if house_rules and name not in ORGANISATION
                             and len(predicate.arguments) <= 2}
        self._sources = sources or {}
        self._language = Language(schema, states=[
            name for name, each in self._house_rules.items() if each.is_state])
        self._prover = _prover(deadline_s) if not house_rules else Prover(
            {**_texts(*PROGRAMS), **dict(house_rules)}, deadline_s=deadline_s,
            constants=constants)

    def new_budget(self) -> Budget | None:
        """What the rules may take in a turn; None where there is no limit."""
        return None if self._deadline_s is None else Budget(self._deadline_s)

    def answer(self, query: Form, resolution: Resolution, *,
               hidden: Collection[str] | None = None, budget: Budget | None = None,
               last: QueryAnswer | None = None) -> QueryAnswer:
        """The answer of a query.

        Args:
            query: What is asked, without ``(ask …)``.
            hidden: Ids of the events of which no more may be told than when they take whose time;
                the private ones in which who speaks takes no part if None.
            budget: What the rules may take in the turn.

        Raises:
            FormatError: The form is no query.
            RuleError: A rule cannot be evaluated.
        """
        self._language.check(query, Sort.QUERY)
        if query.head == "why" and query.arguments:
            # Why it is so is told by what is so instead, or by what takes somebody's time.
            return replace(self.answer(Form("holds", query.arguments), resolution, hidden=hidden,
                                       budget=budget), query=query)
        if query.head == "why":
            return _why(query, last)
        account = Account()
        notes = account.notes
        if hidden is None:
            hidden = [event.id for event in self.kb.events.values() if event.private
                      and resolution.speaker not in event.concerned()]
        calendar = QueryCalendar(self.kb, resolution.now, hidden, self._house_rules,
                                 self._sources)
        try:
            sets = QueryStatements(calendar, resolution, lambda: self._prover.slice(budget),
                                   account)
            answer = Answers(query, sets).respond()
            if not answer.items and answer.told < _LIKELY and _may_be_hidden(
                    query, answer, calendar, resolution):
                # That nobody comes, or that there is no such event, might be false.
                return QueryAnswer(query, AnswerKind.UNKNOWN, about=answer.about,
                                   window=answer.window, notes=(*answer.notes, PRIVATE))
            if not answer.items and _asks_who_is_in(query):
                # Who is not known to be in need not be out.
                return QueryAnswer(query, AnswerKind.UNKNOWN, about=answer.about,
                                   window=answer.window, notes=answer.notes)
            return replace(answer, items=tuple(_once(answer.items, calendar)),
                           notes=(*answer.notes, *_beyond(answer, calendar),
                                  *dict.fromkeys(_left_out(query, account.used))))
        except MissingError as error:
            return QueryAnswer(query, AnswerKind.UNKNOWN, missing=error.missing,
                               about=_about(query, calendar, resolution), notes=tuple(notes))
        except DeadlineError:
            notes.append(LATE)
        except ReasoningError:
            _LOG.exception("a query could not be answered: %s", query.head)
            notes.append(NOT_FOUND)
        return QueryAnswer(query, AnswerKind.UNKNOWN, notes=tuple(notes))


def _beyond(answer: QueryAnswer, calendar: QueryCalendar) -> Iterator[str]:
    """How far the calendar goes, where more is asked: that nothing is known is not that nothing is
    on."""
    days, window = calendar.kb.calendar_days(), answer.window
    tomorrow = calendar.now.date() + dt.timedelta(days=1)
    if days is not None and window is not None and window.date > max(days[1], tomorrow) \
            and not any(each.value == window for each in answer.items):
        yield f"the calendar goes up to {say_date(days[1], this_year=calendar.now.year)}"


def _left_out(query: Form, used: Collection[Form]) -> Iterator[str]:
    """What a query says of what it asks for and what its answer does not rest on."""
    for form in query.walk():
        for each in form.arguments:
            if isinstance(each, Form) and each not in used and _restricts(form, each):
                words = " ".join(span.text for span in each.spans())
                yield f"I did not take “{words}” into account" if words \
                    else "I did not take into account all that you said"


def _restricts(form: Form, part: Form) -> bool:
    """Whether a part of a form says more of what it stands for than its words do."""
    sort = CORE[part.head].sort if part.head in CORE else None
    if sort is Sort.TIME:
        return part.head != "now"  # what is known is known of now
    entities = form.head in ENTITY_TYPES or form.is_of(Sort.ENTITIES)
    return entities and part.head not in ("like", "type", *ENTITY_TYPES) \
        and sort is not Sort.ENTITIES


def _asks_who_is_in(query: Form) -> bool:
    """Whether a query asks for those who are in, or how many."""
    asked = next(iter(query.inner()), None)
    return query.head in _OF_SETS and asked is not None and any(
        each.head == "is_present" for each in asked.inner())


def _once(items: Sequence[AnswerItem], calendar: QueryCalendar) -> Iterator[AnswerItem]:
    """Parts of an answer, those of hidden events that are not told apart once."""
    told = calendar.told_apart(dict.fromkeys(str(item.value) for item in items))
    return (item for item in items if str(item.value) in told)


def _may_be_hidden(query: Form, answer: QueryAnswer, calendar: QueryCalendar,
                   resolution: Resolution) -> bool:
    """Whether a no may be one only because a hidden event tells no more than whose time it takes.

    It depends on whose time that is and when, and on nothing else of a hidden event.
    """
    forms = list(query.walk())
    meant = {entity for form in forms for entity, _ in resolution.entities.get(form, ())}
    described = any(isinstance(each, Span) or (isinstance(each, Form) and each.head == "like")
                    for form in forms if form.head == "event" for each in form.arguments)
    asks_of_events = any(form.head == "event" for form in forms) or any(
        form.head == "location" for form in forms)
    if described or not asks_of_events or any(
            each in calendar.kb.events and each not in calendar.hidden for each in meant
            ) or NOT_YET in answer.notes:
        return False
    owners = {member.id for each in meant if each in calendar.kb.groups
              for member in calendar.kb.members(each)} | meant
    if resolution.speaker and any(form.head in ("me", "us") for form in forms):
        owners.add(resolution.speaker)
    window = answer.window or coming_days(calendar.now)
    hidden = [calendar.kb.events[each] for each in calendar.hidden if each in calendar.kb.events]
    return any(window.overlaps(each.start, each.end) and (
        not owners or each.id in owners or not owners.isdisjoint((*each.participants(),
                                                                  *each.rooms)))
               for each in hidden)


def _texts(*names: str) -> dict[str, str]:
    return {name: packaged_text(name) for name in names}


@lru_cache(maxsize=4)
def _prover(deadline_s: float | None) -> Prover:
    """The packaged rules, for whatever calendar."""
    return Prover(_texts(*PROGRAMS), deadline_s=deadline_s)


def _why(query: Form, last: QueryAnswer | None) -> QueryAnswer:
    """What the last answer rests on."""
    if last is None:
        return QueryAnswer(query, AnswerKind.UNKNOWN, missing=("why",))
    facts = dict.fromkeys((*last.reasons, *(fact for item in last.items for fact in item.facts)))
    return QueryAnswer(query, AnswerKind.ABOUT, last.items, last.holds, last.about, last.window,
                       last.missing, tuple(facts), last.unsure, last.notes)


def _about(query: Form, calendar: QueryCalendar, resolution: Resolution) -> tuple[str, ...]:
    """The likeliest entity of each reference of a query that is not answered; all of one that means
    several."""
    found = [entity for form in query.walk() for entity, _ in list(resolution.entities.get(
        form, ()))[:None if form in resolution.plural else 1]]
    return tuple(dict.fromkeys(each for each in found if each in calendar.kb))
