"""What the references and times of logical forms mean, in the dialogue so far."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from frontdesk.kg.english.lexicon import PLURAL, PRONOUNS
from frontdesk.kg.english.words import singular, split_words
from frontdesk.kg.graph.entities import EntityType, Event, Person
from frontdesk.kg.graph.knowledge_graph import KnowledgeGraph
from frontdesk.kg.graph.logical_forms import CORE, Form, Sort, Span
from frontdesk.kg.graph.schema import TYPE_NOUNS, Schema
from frontdesk.kg.graph.time_slots import OfficeHours
from frontdesk.kg.graph.windows import Window
from frontdesk.kg.names.name_index import NameIndex
from frontdesk.kg.names.name_matching import Embed, NameMatcher, likeness_weight
from frontdesk.rules.engine.query_answer import Resolution
from frontdesk.rules.linking.dialogue_context import DialogueContext
from frontdesk.rules.linking.form_times import BESIDE_THEN, FormTimes, read_times_of
from frontdesk.rules.linking.most_present import JUST_NAMED, Place, most_present
from frontdesk.rules.linking.namesakes import only, told_apart
from frontdesk.rules.linking.wanted_types import ANY, Types, wanted_types

Meant = list[tuple[str, float]]
#: How present is at least what the last turn but one asked about.
_TURN_BEFORE = 0.4
#: What is described is all that is more likely than not.
_DESCRIBED = 0.0
#: Events of a person or group that words name in the place of a title: so many, so sure.
_OF_NAMED, _OF_NAMED_SURE = 3, 0.6
#: Of several of one name each is at least so likely beside the likeliest.
_AS_LIKELY = 0.5
#: Of so many people at most "their office" asks of each.
_TOLD_OF_EACH = 5
_OFFICE_HOURS = OfficeHours()


class FormResolver:
    """Finds out what the references and times of forms mean.

    Args:
        kb: What can be meant, by whoever speaks.
        index: Of its names.
        schema: Of the domain.
        embed: Tells what words and names mean; without it titles and groups are found by their
            words alone.
        hours: When the office is open.
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
            context: What was spoken of before it.
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
        that was answered, where that was in it: "tomorrow" - "the review at ten" - "after that"."""
        last = context.answered[0] if context.answered else ()
        event = self.kb.entity(last[0]) if len(last) == 1 and last[0] in self.kb else None
        window = context.window
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
        #: References of which it is asked how many they are: "that" is all that was answered.
        self.counted: set[Form] = set()
        self.present = {each: presence for each, presence in context.mentioned.items()
                        if each in self.kb}

    def read(self, form: Form) -> None:
        """Read the references of a form, what it names before what it says of that."""
        wanted = wanted_types(form, self.resolver.schema)
        self.repeated = {each for part in form.walk() if part.head == "and"
                         for each in part.arguments if isinstance(each, Form)
                         and part.arguments.count(each) > 1}
        several = set(_some_of_several(form))
        self.counted = {each for part in form.walk() if part.head == "count"
                        for each in part.arguments if each in wanted}
        named: dict[str, float] = {}
        for each in wanted:
            if each.head in self.resolver.types or each.head == "thing":
                for entity, probability in self._note(each, self._named):
                    named[entity] = max(named.get(entity, 0.0), probability)
        for each, types in wanted.items():
            if each.head in _ANAPHORS:
                self._note(each, partial(self._anaphor, types=types, named=named,
                                         least=2 if each in several else 1))
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
            if any(isinstance(each, Form) and each.head == "like" for each in form.arguments):
                return self._of_those(form, found, kind)
            if kind is EntityType.PERSON and not found:
                return self._called_by_role(name)
            if form in self.repeated:
                return self._several(form, found)
            return self._of_named(name, found) if kind is EntityType.EVENT else found
        like = next((each for each in form.arguments
                     if isinstance(each, Form) and each.head == "like"), None)
        return self._described(form, next(like.spans()).text, kind) if like and kind else None

    def _of_those(self, form: Form, found: Meant, kind: EntityType | None) -> Meant | None:
        """Of those of a name the ones whom the description beside it fits; where it fits none of
        them, whom it fits."""
        like = next(each for each in form.arguments
                    if isinstance(each, Form) and each.head == "like")
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

    # --- what refers to what was said before

    def _anaphor(self, form: Form, types: Types, named: Mapping[str, float], least: int
                 ) -> Meant | None:
        """What an anaphor means; answers are ``least`` in number at least."""
        context = self.context
        if form.head == "me":
            return [(context.speaker, context.sure)] if context.speaker in self.kb else []
        if form.head == "you":
            return []
        said = _types_said(form)
        if form.head == "answers" or (
                form.head == "that" and form in self.counted and context.answered):
            return self._all(form, self._answered(said or types, least))
        if form.head == "us":
            people = [each for each in (*context.together, *self.present) if self._is(
                each, EntityType.PERSON) and self.present.get(each, 0.0) >= 0.5]
            return self._all(form, [each for each in (context.speaker, *people) if each])
        if each_one := self._several_meant(form, types):
            return self._all(form, each_one)
        if form.head == "those":
            fits = [each for each in context.together if self._fits(each, said or types)]
            several = fits if len(fits) > 1 else self._answered(said or types, 2) \
                or self._answered(said or types)
            if several:
                return self._all(form, several)
        return most_present(form, Place(said, types), self.present, named, context, self.kb)

    def _several_meant(self, form: Form, types: Types) -> Sequence[str]:
        """Those, several, all of whom "that" or "they" means, none where they are more than are
        told of each: the people whom the last question was answered with, and for "they" what is of
        the type of its place, or, where nobody was the answer, was spoken of together."""
        words = [word.text for span in form.spans() for word in split_words(span.text)]
        # "it" is one thing where its place takes things
        several = any(map(_is_plural, words)) if words else types == {EntityType.PERSON}
        answers = next(iter(self.context.answered), ())
        nobody = not any(self._is(each, EntityType.PERSON) for each in answers)
        found = (answers, self.context.together) if words and nobody else (answers,)
        return next((ids for ids in found if form.head == "that" and several and types
                     and 1 < len(ids) <= _TOLD_OF_EACH
                     and all(self._fits(each, types) for each in ids)), ())

    def _answered(self, types: Types, least: int = 1) -> Sequence[str]:
        """What the last question was answered with, or was about, that fits; else what the last one
        was whose answers fit, and are so many."""
        answers = [ids for ids in self.context.answered if len(ids) >= least]
        spoken_of = [(each, presence) for each, presence in self.context.mentioned.items()
                     if types and self._fits(each, types)]
        kinds = {self.kb.entity(each).type for each, _ in spoken_of[:1]}
        about = [ids for bound in (JUST_NAMED, _TURN_BEFORE) if least <= len(ids := tuple(
            each for each, presence in spoken_of
            if presence >= bound and self.kb.entity(each).type in kinds))]
        return next((ids for ids in (*answers[:1], *about, *answers[1:])
                     if any(self._fits(each, types) for each in ids)),
                    answers[0] if answers else ())

    def _all(self, form: Form, entities: Iterable[str]) -> Meant:
        known = [each for each in dict.fromkeys(entities) if each in self.kb]
        self.plural.add(form)
        return [(each, 1.0 / len(known)) for each in known]

    def _is(self, entity: str, kind: EntityType) -> bool:
        return entity in self.kb and self.kb.entity(entity).type is kind

    def _fits(self, entity: str, types: Types) -> bool:
        return entity in self.kb and (not types or self.kb.entity(entity).type in types)


_ANAPHORS = frozenset({"that", "those", "answers", "you", "us", "me"})


def _some_of_several(form: Form) -> Iterator[Form]:
    """Anaphors in a form from which some are left out, or which are put in an order."""
    for part in form.walk():
        inner = [each for each in part.arguments if isinstance(each, Form)]
        picks = any(each.head == "except" or (each.head in CORE and CORE[each.head].sort
                                              is Sort.ORDER) for each in inner)
        if picks and part.head in _ANAPHORS:
            yield part
        elif picks and part.head == "among":
            yield from (each for each in inner if each.head in _ANAPHORS)


def words_alone(form: Form) -> Form:
    """A reference without the conditions that do not belong to its words."""
    return Form(form.head, tuple(each for each in form.arguments if isinstance(each, Span) or (
        isinstance(each, Form) and each.head in ("like", "type"))))


def _types_said(form: Form) -> Types:
    """The types that the words of an anaphor name: "she", "that room"."""
    for each in form.arguments:
        if isinstance(each, Form) and each.head == "type":
            words = [word.text for span in each.spans() for word in split_words(span.text)]
            for word in reversed(words):
                if word in PRONOUNS:
                    return PRONOUNS[word]
                if singular(word) in TYPE_NOUNS:
                    return frozenset({TYPE_NOUNS[singular(word)]})
    return ANY


def _is_plural(word: str) -> bool:
    """Whether a word is for several: "they", "people"."""
    return word in PLURAL or (singular(word) != word and singular(word) in TYPE_NOUNS)


def _sure(odds: float) -> float:
    return 1.0 / (1.0 + math.exp(-odds))
