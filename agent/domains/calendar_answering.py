"""Queries of a turn about a calendar: what they refer to, their answers, and the words for them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

from frontdesk.agent.domains.answer_topics import (
    TIMES,
    about,
    answering,
    meant_by_then,
    time_of,
    with_those_before,
)
from frontdesk.agent.domains.calendar_claims import LIKELY, CalendarClaims, ProvingParts
from frontdesk.agent.domains.domain_pack import EntityLinker
from frontdesk.agent.domains.form_links import FormLinks, Which
from frontdesk.agent.domains.query_answering import AnsweredQueries
from frontdesk.generation.answers.answer_doubts import LeftOpen
from frontdesk.generation.answers.answer_wording import (
    condition,
    left_open,
    word_acts,
    word_answers,
)
from frontdesk.kg.english.verbalise import Verbaliser
from frontdesk.kg.graph.dialogue_graph import USER, AskedBack, DialogueGraph
from frontdesk.kg.graph.facts import Fact
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.logical_forms import Form
from frontdesk.kg.graph.mentions import AskedFor
from frontdesk.kg.graph.windows import Window
from frontdesk.kg.parser.name_marks import NameMarks
from frontdesk.rules.engine.query_answer import (
    AnswerCore,
    AnswerKind,
    QueryAnswer,
    Resolution,
)
from frontdesk.rules.engine.query_readings import SURE
from frontdesk.rules.linking.choice_resolution import meant_among
from frontdesk.rules.linking.dialogue_context import context_before
from frontdesk.rules.linking.distributive_queries import distributive
from frontdesk.rules.linking.fitting_heads import until_taken, with_fitting_heads
from frontdesk.rules.linking.form_resolution import FormResolver, linked_form
from frontdesk.rules.linking.form_times import fixed_times
from frontdesk.rules.linking.predicate_questions import PredicateQuestions
from frontdesk.rules.linking.told_times import with_told_times
from frontdesk.rules.linking.wanted_types import wanted_types
from frontdesk.rules.organisation.asked_predicates import asked_for
from frontdesk.rules.organisation.calendar_queries import QueryReasoner

#: Of a form that is not sure and means more than these it is not compared what the answers are.
_MOST_COMPARED = 3
#: Statements of a time.
_STATES = ("free", "busy", "present")
#: What means something that was spoken of.
_PRONOUNS = ("that", "those")


@dataclass(frozen=True)
class AnsweringParts:
    """What answers queries about one calendar.

    Args:
        resolver: Finds what references and times mean.
        verbaliser: Makes what says facts, from the present and the id of the person to address.
    """

    resolver: FormResolver
    reasoner: QueryReasoner
    verbaliser: Callable[[dt.datetime, str | None], Verbaliser]


class CalendarAnswering:
    """Answers queries; see :class:`frontdesk.agent.domains.query_answering.QueryAnswering`.

    Args:
        kb: The calendar, as somebody may see it.
        linker: Tells how present what was spoken of is.
        predicates: Makes what finds questions about predicates of house rules; None without any.
    """

    def __init__(self, kb: KnowledgeBase, linker: EntityLinker,
                 parts: Callable[[], AnsweringParts],
                 predicates: Callable[[], PredicateQuestions] | None = None) -> None:
        self.kb, self.linker, self._make = kb, linker, parts
        self._make_predicates = predicates

    @cached_property
    def predicates(self) -> PredicateQuestions | None:
        """Finds questions about predicates of house rules; None without any."""
        return None if self._make_predicates is None else self._make_predicates()

    @cached_property
    def _parts(self) -> AnsweringParts:
        return self._make()

    @cached_property
    def _masked(self) -> frozenset[str]:
        return frozenset(event.id for event in self.kb.events.values() if event.masked)

    @cached_property
    def names(self) -> NameMarks:
        """Finds the names of the calendar in utterances."""
        return NameMarks(self.kb)

    def asked_for(self, forms: Sequence[Form]) -> AskedFor:
        """Which predicates tell what queries, or other forms, ask."""
        return asked_for(forms, self._parts.resolver.schema)

    def answer(self, queries: Sequence[Form], acts: Sequence[Form], links: FormLinks, *,
               speaker: str | None, chosen: Mapping[Form, str] | None = None) -> AnsweredQueries:
        """The answers of queries, in words, and of what else is said."""
        parts, kb, dialogue, now = self._parts, self.kb, links.dialogue, links.now
        context = before = links.before
        queries = [with_told_times(each, before.times) for each in queries]
        resolution = links.asked(queries, chosen)
        asked = partial(parts.reasoner.answer, hidden=self._masked,
                        budget=parts.reasoner.new_budget())
        answers: list[QueryAnswer] = []
        meant: list[Resolution] = []
        for query in queries:
            if answers:  # what is not clear by itself may be what has just been answered
                context = context.and_then(about(answers[-1], kb), answering(answers[-1], kb),
                                           time_of(answers[-1], kb))
                own = links.asked_after(context, [query], chosen)
                resolution = replace(self._that_fit(
                    query, _without_answers(resolution, own)).or_surer(own), then=own.then)
            query = with_fitting_heads(query, resolution, kb)
            answer, settled = _settled(asked(
                query, resolution, last=answers[-1] if answers else None), resolution, asked)
            if not answer.items and (alone := distributive(query, resolution, kb)) is not None \
                    and (found := asked(*alone)).items:
                answer, settled = found, alone[1]
            if not answer.items and (free := until_taken(query)) is not None:
                answer, settled = _settled(asked(free, resolution), resolution, asked)
            answers.append(with_those_before(answer, context, kb))
            meant.append(_not_again(answer, settled, dialogue))
        verbaliser = parts.verbaliser(now, speaker)
        pending = dialogue.last_action()
        text = word_answers(answers, verbaliser, resolutions=meant,
                            arranging=pending is not None and pending.is_open)
        left = [left_open(each, verbaliser, settled)
                for each, settled in zip(answers, meant, strict=True)]
        named = [entity for each, open_ in zip(answers, left, strict=True) for entity in (
            open_.options if open_ and not open_.taken else answering(each, kb))]
        unclear = {each for answer, open_ in zip(answers, left, strict=True)
                   if open_ and not open_.taken
                   for each in (*open_.options, *answer.unsure.values())}
        window = next((window for each in reversed(answers)
                       if (window := time_of(each, kb)) is not None), None)
        said = word_acts(acts)
        return AnsweredQueries(
            " ".join(filter(None, (text, said))), tuple(answers),
            tuple(dict.fromkeys(each for answer in answers for each in (
                *about(answer, kb), *meant_by_then(answer.query, before, kb))
                if each not in unclear)),
            tuple(dict.fromkeys(named)), window, _asked_back(queries, left),
            answers[0].core if len(answers) == 1 and not said and not _is_relative(answers[0])
            else AnswerCore(),
            tuple(fixed_times(each, settled.windows, settled.then, now=now)
                  for each, settled in zip(queries, meant, strict=True)),
            tuple(item.value for answer in answers for item in answer.items
                  if isinstance(item.value, Window) and item.of not in kb.events),
            tuple(filter(None, (condition(each, verbaliser, settled)
                                for each, settled in zip(answers, meant, strict=True)))))

    def _that_fit(self, query: Form, resolution: Resolution) -> Resolution:
        """A resolution without the pronouns of a query none of whose meanings fits its place."""
        wanted = wanted_types(query, self._parts.resolver.schema)
        return replace(resolution, entities={
            form: meant for form, meant in resolution.entities.items()
            if form.head not in _PRONOUNS or not wanted.get(form) or any(
                self.kb.entity(each).type in wanted[form] for each, _ in meant)})

    def links(self, dialogue: DialogueGraph, *, now: dt.datetime) -> FormLinks:
        """What forms refer to in the last utterance of a dialogue."""
        return FormLinks(self._parts.resolver, self.linker.saliency, self._which, dialogue,
                         now=now)

    def _which(self, resolution: Resolution) -> Which:
        """Proves what a reference means with all its conditions."""
        parts = self._parts

        def which(reference: Form) -> list[tuple[str, float]]:
            answer = parts.reasoner.answer(
                Form("which", (reference,)), resolution, hidden=self._masked,
                budget=parts.reasoner.new_budget())
            return [(item.value, item.probability) for item in answer.items
                    if isinstance(item.value, str)]

        return which

    def refers(self, queries: Sequence[Form], dialogue: DialogueGraph, *, now: dt.datetime) -> bool:
        """Whether what the first of some queries refers to by pronouns was spoken of, and is of a
        type that fits; the others may refer to its answer."""
        first = queries[:1]
        if not any(part.head in _PRONOUNS for query in first for part in query.walk()):
            return True
        meant = self._before(first, dialogue, now)
        wanted = [each for query in first for each in wanted_types(with_fitting_heads(
            query, meant, self.kb), self._parts.resolver.schema).items()
            if each[0].head in _PRONOUNS]
        return all(not types or any(self.kb.entity(entity).type in types
                                    for entity, _ in meant.entities.get(form, ()))
                   for form, types in wanted)

    def linked(self, forms: Sequence[Form], dialogue: DialogueGraph, *, now: dt.datetime
               ) -> tuple[Form, ...]:
        """Forms with what is meant in the place of the words for it: equal where that is the same.
        """
        meant = self._before(forms, dialogue, now)
        return tuple(linked_form(each, meant) for each in forms)

    def _before(self, forms: Sequence[Form], dialogue: DialogueGraph, now: dt.datetime
                ) -> Resolution:
        """What forms of the next utterance of a dialogue mean."""
        turn = dialogue.next_turn
        context = context_before(dialogue, turn, self.linker.saliency(dialogue, turn))
        return self._parts.resolver.resolve(forms, context, now=now)

    def claims(self, dialogue: DialogueGraph, answers: Sequence[QueryAnswer], *, now: dt.datetime,
               speaker: str | None, tells: Callable[[Fact], bool]) -> CalendarClaims:
        """Proves what the next turn of a dialogue claims."""
        parts, say = self._parts, self._parts.verbaliser(now, speaker).say
        asked = [each for each in answers if each.holds is not None]
        return CalendarClaims(
            ProvingParts(self.kb, parts.resolver, parts.reasoner, self.names, self._masked,
                         lambda fact: say(fact) if tells(fact) else ""),
            context_before(dialogue, dialogue.next_turn, self.linker.saliency(
                dialogue, dialogue.next_turn)),
            now=now, affirmed=asked[0].told >= LIKELY if len(asked) == 1 else None)

    def meant_among(self, said: Form, options: Sequence[str], *, now: dt.datetime
                    ) -> tuple[str, ...]:
        """Those of the options that a form can mean."""
        return meant_among(said, options, self._parts.resolver, now=now)


def _without_answers(resolution: Resolution, later: Resolution) -> Resolution:
    """A resolution without what was answered before, where a later one has what is answered now."""
    return replace(resolution, entities={
        form: meant for form, meant in resolution.entities.items()
        if form.head != "answers" or not later.entities.get(form)})


def _is_relative(answer: QueryAnswer) -> bool:
    """Whether the time of an answer is bound by another, or is one of several things to verify.

    What a reply says of it could not be told from what holds of that time itself.
    """
    times = [each for each in answer.query.walk() if each.head in TIMES]
    verified = [each for each in answer.query.walk() if each.head == "holds"]
    states = [each for each in answer.query.walk() if each.head in _STATES]
    return any(each.head not in ("at", "now") or any(isinstance(argument, Form)
               for argument in each.arguments) for each in times) or bool(
        times and verified and not states)


def _asked_back(queries: Sequence[Form], left: Sequence[LeftOpen | None]) -> AskedBack | None:
    """What is left to the user: the first unclear reference, and the queries that wait for it."""
    first = next(filter(None, left), None)
    if first is None:
        return None
    waiting = [str(query) for query, each in zip(queries, left, strict=True) if each]
    return AskedBack(str(first.form), first.options, " ".join(waiting), first.taken)


def _settled(answer: QueryAnswer, resolution: Resolution,
             asked: Callable[[Form, Resolution], QueryAnswer]) -> tuple[QueryAnswer, Resolution]:
    """An answer that is sure where it is the same, whichever is meant.

    What is known of none of them is known of all of them together.
    """
    for form in answer.unsure:
        meant = resolution.entities.get(form, ())
        if not 0 < len(meant) <= _MOST_COMPARED or form in resolution.plural:
            continue
        others = [asked(answer.query, replace(resolution, entities={
            **resolution.entities, form: [(entity, 1.0)]})) for entity, _ in meant]
        told = others[0]
        if any(each.failed for each in others):
            return answer, resolution
        if len(set(map(_content, others))) > 1:
            continue
        if told.kind is not AnswerKind.UNKNOWN and told.items:
            answer = replace(told, unsure={
                each: taken for each, taken in answer.unsure.items() if each != form})
        elif told.kind is AnswerKind.UNKNOWN and len(meant) > 1 and len(answer.unsure) == 1 \
                and not any(each.reasons for each in others):
            return replace(told, unsure={}), replace(
                resolution, plural=resolution.plural | {form})
    return answer, resolution


def _not_again(answer: QueryAnswer, resolution: Resolution, dialogue: DialogueGraph) -> Resolution:
    """What references mean where it was asked which is meant in the turn before, and left alone:
    rather what was taken than that it is asked again."""
    turns = [turn for turn in reversed(dialogue.turns) if dialogue.speaker(turn) == USER]
    asked = next(filter(None, map(dialogue.asked_back, turns[1:2])), None)
    if asked is None or asked.taken or str(answer.query) in asked.queries:
        return resolution
    entities = {form: [(taken, SURE), *(
        (each, (1 - SURE) / len(meant)) for each, _ in meant if each != taken)]
        for form, taken in answer.unsure.items()
        if (meant := resolution.entities.get(form, ())) and form not in resolution.plural
        and {each for each, _ in meant[:len(asked.options)]} == set(asked.options)}
    return replace(resolution, entities={**resolution.entities, **entities})


def _content(answer: QueryAnswer) -> tuple[object, ...]:
    """What an answer tells; whichever it is told of."""
    return (answer.kind, None if answer.holds is None else round(answer.holds, 2),
            tuple(str(item.value) for item in answer.items), answer.missing, answer.notes)
