"""What anaphors mean: pronouns, "those", "which of them", by what was said before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from frontdesk.kg.english.lexicon import PLACES, PLURAL, PRONOUNS
from frontdesk.kg.english.words import singular, split_words
from frontdesk.kg.graph.entities import EntityType
from frontdesk.kg.graph.knowledge_graph import KnowledgeGraph
from frontdesk.kg.graph.logical_forms import Form, Sort
from frontdesk.kg.graph.schema import TYPE_NOUNS
from frontdesk.rules.linking.dialogue_context import DialogueContext
from frontdesk.rules.linking.pronoun_salience import JUST_NAMED, Place, most_present
from frontdesk.rules.linking.wanted_types import ANY, Types

#: Ids with their probabilities.
Meant = list[tuple[str, float]]
ANAPHORS = frozenset({"that", "those", "answers", "you", "us", "me"})
#: How present is at least what the last turn but one asked about.
_TURN_BEFORE = 0.4
#: Of so many people at most "their office" asks of each.
_TOLD_OF_EACH = 5


@dataclass(frozen=True)
class AnaphorPlace:
    """Where an anaphor stands.

    Args:
        types: What the place takes; empty where that can be anything.
        named: Ids of what the same form names, each with its probability.
        least: Answers that it means are so many at least.
        counted: It is asked how many they are: "that" is all that was answered.
        of_each: It is asked when or where they are, which can be told of each that was answered.
    """

    types: Types
    named: Mapping[str, float]
    least: int = 1
    counted: bool = False
    of_each: bool = False


class Anaphors:
    """The anaphors of one utterance.

    Args:
        present: By id, how present each entity is, in (0, 1]; grows as the utterance is read.
        plural: Gets those that mean all of their entities.
    """

    def __init__(self, context: DialogueContext, kb: KnowledgeGraph,
                 present: Mapping[str, float], plural: set[Form]) -> None:
        self.context, self.kb, self.present, self.plural = context, kb, present, plural

    def meant(self, form: Form, place: AnaphorPlace) -> Meant:
        """What an anaphor means; the likeliest first."""
        context = self.context
        if form.head == "me":
            return [(context.speaker, context.sure)] if context.speaker in self.kb else []
        if form.head == "you":
            return []
        said, types = _types_said(form), place.types
        if form.head == "answers" or (
                form.head == "that" and place.counted and context.answered):
            return self._all(form, self._answered(said or types, place.least))
        if form.head == "us":
            people = [each for each in (*context.together, *self.present) if self._is(
                each, EntityType.PERSON) and self.present.get(each, 0.0) >= 0.5]
            return self._all(form, [each for each in (context.speaker, *people) if each])
        if each_one := self._several_meant(form, place):
            return self._all(form, each_one)
        if form.head == "those":
            fits = [each for each in context.together if self._fits(each, said or types)]
            several = fits if len(fits) > 1 else self._answered(said or types, 2) \
                or self._answered(said or types)
            if several:
                return self._all(form, several)
        return most_present(form, Place(said, types), self.present, place.named, context,
                            self.kb)

    def _several_meant(self, form: Form, place: AnaphorPlace) -> Sequence[str]:
        """Those, several, all of whom "that" or "they" means, none where they are more than are
        told of each: the people whom the last question was answered with, what else it was answered
        with where only when or where that is is asked, and for "they" what is of the type of its
        place, or, where nobody was the answer, was spoken of together."""
        types = place.types
        words = [word.text for span in form.spans() for word in split_words(span.text)]
        # "it" is one thing where its place takes things
        answers = next(iter(self.context.answered), ())
        nobody = not any(self._is(each, EntityType.PERSON) for each in answers)
        several = any(map(_is_plural, words)) if words \
            else (place.of_each and nobody) or types == {EntityType.PERSON}
        found = (answers, self.context.together) if words and nobody else (answers,)
        return next((ids for ids in found if form.head == "that" and several and types
                     and 1 < len(ids) <= _TOLD_OF_EACH
                     and all(self._fits(each, types) for each in ids)), ())

    def _answered(self, types: Types, least: int = 1) -> Sequence[str]:
        """What the last question was answered with, or was about, that fits; else what the last one
        was whose answers fit, and are so many, or the only one of the last ("the first one")."""
        answers = [ids for ids in self.context.answered if len(ids) >= least]
        spoken_of = [(each, presence) for each, presence in self.context.mentioned.items()
                     if types and self._fits(each, types)]
        kinds = {self.kb.entity(each).type for each, _ in spoken_of[:1]}
        about = [ids for bound in (JUST_NAMED, _TURN_BEFORE) if least <= len(ids := tuple(
            each for each, presence in spoken_of
            if presence >= bound and self.kb.entity(each).type in kinds))]
        return next((ids for ids in (*answers[:1], *about, *answers[1:], *self.context.answered[:1])
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


def some_of_several(form: Form) -> Iterator[Form]:
    """Anaphors in a form from which some are left out, or which are put in an order."""
    for part in form.walk():
        inner = part.inner()
        picks = any(each.head == "except" or each.is_of(Sort.ORDER) for each in inner)
        if picks and part.head in ANAPHORS:
            yield part
        elif picks and part.head == "among":
            yield from (each for each in inner if each.head in ANAPHORS)


def _types_said(form: Form) -> Types:
    """The types that the words of an anaphor name: "she", "that room"."""
    for each in form.arguments:
        if isinstance(each, Form) and each.head == "type":
            words = [word.text for span in each.spans() for word in split_words(span.text)]
            for word in reversed(words):
                if word in PLACES:
                    return frozenset({EntityType.ROOM})
                if word in PRONOUNS:
                    return PRONOUNS[word]
                if singular(word) in TYPE_NOUNS:
                    return frozenset({TYPE_NOUNS[singular(word)]})
    return ANY


def _is_plural(word: str) -> bool:
    """Whether a word is for several: "they", "people"."""
    return word in PLURAL or (singular(word) != word and singular(word) in TYPE_NOUNS)
