"""What the references and times of logical forms mean, in the dialogue so far."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from frontdesk.kg.english.words import split_words
from frontdesk.kg.graph.entities import EntityType, Event, Person
from frontdesk.kg.graph.knowledge_graph import KnowledgeGraph
from frontdesk.kg.graph.logical_forms import Form, Span
from frontdesk.kg.graph.schema import Schema
from frontdesk.kg.graph.time_slots import ASK_FROM, OfficeHours
from frontdesk.kg.graph.windows import Window
from frontdesk.kg.names.name_index import NameIndex
from frontdesk.kg.names.name_matching import Embed, NameMatcher, likeness_weight
from frontdesk.rules.engine.query_answer import Resolution
from frontdesk.rules.engine.query_times import BESIDE_THEN
from frontdesk.rules.linking.anaphors import (
    ANAPHORS,
    AnaphorPlace,
    Anaphors,
    Meant,
    some_of_several,
)
from frontdesk.rules.linking.dialogue_context import DialogueContext
from frontdesk.rules.linking.form_times import FormTimes, read_times_of
from frontdesk.rules.linking.namesakes import only, told_apart
from frontdesk.rules.linking.pronoun_salience import JUST_NAMED
from frontdesk.rules.linking.wanted_types import wanted_types

#: What is described is all that is more likely than not.
_DESCRIBED = 0.0
#: Events of a person or group that words name in the place of a title: so many, so sure.
_OF_NAMED, _OF_NAMED_SURE = 3, 0.6
#: Of several of one name each is at least so likely beside the likeliest.
_AS_LIKELY = 0.5
#: Queries for what can be told of each of several.
_OF_EACH = ("when", "where", "starts", "ends", "lasts")
_OFFICE_HOURS = OfficeHours()


class FormResolver:
    """Finds out what the references and times of forms mean.

    Args:
        kb: What can be meant, by whoever speaks.
        embed: Tells what words and names mean; without it titles and groups are found by their
            words alone.
    """

    def __init__(self, kb: KnowledgeGraph, index: NameIndex, schema: Schema,
                 embed: Embed | None = None,
                 hours: OfficeHours = _OFFICE_HOURS) -> None:
        self.kb, self.schema, self.hours = kb, schema, hours
        self.names = NameMatcher(index, embed)
        self.types = {entry.type for entry in index.entries}

    def resolve(self, forms: Sequence[Form], context: DialogueContext, *, now: dt.datetime,
                chosen: Mapping[Form, str] | None = None) -> Resolution:
        """What the references and times of the forms of an utterance mean.

        Args:
            forms: Of the utterance, or queries that it asks in full, in order.
            now: Zone-aware present, in the organisation's zone.
            chosen: Ids of what the user chose for references, as they stand in the forms.

        Returns:
            A form with conditions beside its words is there as it stands, and by its words alone;
            as it stands it means those of its name whom a group or ``except`` leaves.
            The occurrences of an event and other events of its name share its probability, in
            equal parts; so do the entities of a plural form, whose sum is how sure it is.
        """
        times = read_times_of(forms, context, now=now, hours=self.hours)
        reading = _Reading(self, context, times, now, chosen or {})
        for form in forms:
            reading.read(form)
        return Resolution(
            entities=reading.entities, now=now, windows=times.windows, lengths=times.lengths,
            plural=frozenset(reading.plural), speaker=context.speaker,
            then=self._then(forms, context))

    def _then(self, forms: Iterable[Form], context: DialogueContext) -> Window | None:
        """The time that was spoken of last; what is before or after it is beside the only event
        that the question about it was answered with: "tomorrow" - "the review at ten" - "after
        that"."""
        window, found = context.window, context.answered_then
        event = self.kb.entity(found[0]) if len(found) == 1 and found[0] in self.kb else None
        beside = any(part.head in BESIDE_THEN for form in forms for part in form.walk())
        if beside and isinstance(event, Event) and window is not None \
                and window.start <= event.start and event.end <= window.end:
            return Window(event.start, event.end)
        return window


class _Reading:
    """The references of one utterance, in their order."""

    def __init__(self, resolver: FormResolver, context: DialogueContext, times: FormTimes,
                 now: dt.datetime, chosen: Mapping[Form, str]) -> None:
        self.resolver, self.context, self.now = resolver, context, now
        self.chosen = chosen
        self.kb, self.names = resolver.kb, resolver.names
        self.days = times.days
        #: Of times on which something is, not before or after which.
        self.windows = {time: found for time, found in times.windows.items()
                        if time.head == "at" and found}
        self.entities: dict[Form, Meant] = {}
        self.plural: set[Form] = set()
        #: References that stand more than once in a list: several of one name.
        self.repeated: set[Form] = set()
        self.present = {each: presence for each, presence in context.mentioned.items()
                        if each in self.kb}
        self.anaphors = Anaphors(context, self.kb, self.present, self.plural)

    def read(self, form: Form) -> None:
        """Read the references of a form, what it names before what it says of that."""
        wanted = wanted_types(form, self.resolver.schema)
        self.repeated = {each for part in form.walk() if part.head == "and"
                         for each in part.inner() if part.arguments.count(each) > 1}
        several = set(some_of_several(form))
        counted, asked = ({each for part in form.walk() if part.head in heads
                           for each in part.arguments if each in wanted}
                          for heads in (("count",), _OF_EACH))
        named: dict[str, float] = {}
        for each in wanted:
            if each.head in self.resolver.types or each.head == "thing":
                for entity, probability in self._note(each, self._named):
                    named[entity] = max(named.get(entity, 0.0), probability)
        for each, types in wanted.items():
            if each.head in ANAPHORS:
                self._note(each, partial(self.anaphors.meant, place=AnaphorPlace(
                    types, named, least=2 if each in several else 1,
                    counted=words_alone(each) in counted,
                    of_each=words_alone(each) in asked)))
        for each in wanted:
            if each.head in self.resolver.types:
                told = told_apart(each, self.entities, self.plural, self.context, self.kb,
                                  self.windows)
                if told is not None:
                    self.entities[each] = told
        for entity, probability in named.items():
            self.present[entity] = max(self.present.get(entity, 0.0), JUST_NAMED * probability)

    def _note(self, form: Form, meaning: Callable[[Form], Meant | None]) -> Meant:
        """Note what a form means, as it stands and by its words alone; as chosen if it was."""
        if (chosen := self.chosen.get(form, "")) in self.kb:
            self.entities[form] = [(chosen, 1.0)]
            return self.entities[form]
        key = words_alone(form)
        found = self.entities[key] if key in self.entities else meaning(key)
        if found is None:
            return []
        self.entities[form] = self.entities[key] = found
        if key in self.plural:
            self.plural.add(form)
        return found

    # --- what is named or described

    def _named(self, form: Form) -> Meant | None:
        """What a name or a description means; None where a form has neither."""
        kind = EntityType(form.head) if form.head != "thing" else None
        name = next((each.text for each in form.arguments if isinstance(each, Span)), None)
        if name is not None:
            found = self.names.meanings(name, kind, self._prior)
            if any(each.head == "like" for each in form.inner()):
                return self._of_those(form, found, kind)
            if kind is EntityType.PERSON and not found:
                return self._called_by_role(name)
            if form in self.repeated:
                return self._several(form, found)
            return self._of_named(name, found) if kind is EntityType.EVENT else found
        like = next((each for each in form.inner() if each.head == "like"), None)
        return self._described(form, next(like.spans()).text, kind) if like and kind else None

    def _of_those(self, form: Form, found: Meant, kind: EntityType | None) -> Meant | None:
        """Of those of a name the ones whom the description beside it fits; where it fits none of
        them, whom it fits."""
        like = next(each for each in form.inner() if each.head == "like")
        described = Form(form.head, (like,))
        fits = dict(self._described(described, next(like.spans()).text, kind)) if kind else {}
        if kept := only(found, fits.__contains__):
            return kept
        if described in self.plural:
            self.plural.add(form)
        return list(fits.items())

    def _called_by_role(self, name: str) -> Meant:
        """Somebody whose name is said with what they are: "nurse Ada", "Ada from finance"."""
        words = [word.original for word in split_words(name)]
        for cut in range(1, len(words)):
            for called, role in ((words[cut:], words[:cut]), (words[:cut], words[cut:])):
                found = self.names.meanings(" ".join(called), EntityType.PERSON, self._prior)
                if found and (kept := only(found, self._in_groups(" ".join(role)).__contains__)):
                    return kept
        return []

    def _several(self, form: Form, found: Meant) -> Meant:
        """All of a name that is said of several: "both Arjuns"."""
        close = [each for each in found if each[1] >= _AS_LIKELY * found[0][1]]
        if len(close) < 2:
            return found
        self.plural.add(form)
        total = sum(probability for _, probability in close)
        return [(entity, total / len(close)) for entity, _ in close]

    def _prior(self, entity: str) -> float:
        """What else speaks for an entity than its name, in log-odds."""
        prior = likeness_weight("recent") * self.present.get(entity, 0.0)
        meant = self.kb.entity(entity)
        if isinstance(meant, Event):
            own = self.context.speaker in meant.participants()
            if self.days.intersection(meant.days()):
                prior += likeness_weight("on_the_day")
            elif meant.end < self.now:
                prior += likeness_weight("over")
            elif own and not self.days and self.now.date() in meant.days():
                prior += likeness_weight("on_the_day")
            if own:
                prior += likeness_weight("own")
        return prior

    def _of_named(self, name: str, found: Meant) -> Meant:
        """An event by its title, or where none has it one of whom the words name."""
        left = 1.0 - sum(probability for _, probability in found)
        if left <= _OF_NAMED_SURE:
            return found
        owners = self.names.meanings(name, EntityType.PERSON, self._prior)[:1]
        if not owners or owners[0][1] < _OF_NAMED_SURE or not isinstance(
                self.kb.entity(owners[0][0]), Person):
            return found
        events = sorted((event for each in self.kb.referrers(owners[0][0])
                         if isinstance(event := self.kb.entity(each), Event)
                         and event.end > self.now),
                        key=lambda event: (self.days.isdisjoint(event.days()), event.start))
        share = left * _OF_NAMED_SURE * owners[0][1] / max(1, len(events[:_OF_NAMED]))
        others = [each for each in found if each[0] not in {event.id for event in events}]
        return sorted([*others, *((event.id, share) for event in events[:_OF_NAMED])],
                      key=lambda each: -each[1])

    def _described(self, form: Form, words: str, kind: EntityType) -> Meant:
        """All that a description fits: by their names, people also by those of their groups, or
        of what they take part in."""
        matches = [each for each in self.names.matches(words, kind)
                   if each.entry.type is kind and each.odds > _DESCRIBED]
        found = {entity: _sure(each.odds) for each in matches for entity in each.entry.entities}
        if kind is EntityType.PERSON and not found:
            found = self._in_groups(words)
        if kind is EntityType.PERSON and not found:
            found = {person: _sure(each.odds) for each in self.names.matches(
                words, EntityType.EVENT) if each.odds > _DESCRIBED
                for event in map(self.kb.entity, each.entry.entities)
                if isinstance(event, Event) and event.end > self.now and not event.private
                for person in event.participants()}
        if not found:
            return self.names.meanings(words, kind, self._prior)
        if len(found) > 1:
            self.plural.add(form)
        return [(entity, sure / len(found)) for entity, sure in found.items()]

    def _in_groups(self, words: str) -> dict[str, float]:
        """The members of groups that words describe, and how sure that is."""
        return {person.id: _sure(each.odds)
                for each in self.names.matches(words, EntityType.GROUP)
                if each.entry.type is EntityType.GROUP and each.odds > _DESCRIBED
                for group in each.entry.entities for person in self.kb.members(group)}


def words_alone(form: Form) -> Form:
    """A reference without the conditions that do not belong to its words."""
    return Form(form.head, tuple(each for each in form.arguments if isinstance(each, Span) or (
        isinstance(each, Form) and each.head in ("like", "type"))))


def linked_form(form: Form, resolution: Resolution) -> Form:
    """A form with what its references and times most probably mean in the place of their words.

    Args:
        form: Any form.

    Returns:
        One that is equal for forms that differ in words for the same alone.
    """
    inner = form.inner()
    if meant := resolution.entities.get(form, ()):
        ids = sorted(entity for entity, sure in meant if sure >= ASK_FROM * meant[0][1])
        conditions = [each for each in inner if each.head not in ("like", "type")]
        return Form("thing", (*map(Span, ids), *(linked_form(each, resolution)
                                                 for each in conditions)))
    if windows := resolution.windows.get(form, ()):
        return Form(form.head, (Span(str(windows[0][0])),))
    if form in resolution.lengths:
        return Form(form.head, (resolution.lengths[form],))
    return Form(form.head, tuple(linked_form(each, resolution) if isinstance(each, Form) else each
                                 for each in form.arguments))


def _sure(odds: float) -> float:
    return 1.0 / (1.0 + math.exp(-odds))
