"""What is not known or not sure, in words: unknown names, missing facts, who may be meant."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from frontdesk.generation.answers.answer_details import AnswerDetails
from frontdesk.generation.answers.answer_phrases import ANAPHORS, AnswerPhrases, templates
from frontdesk.generation.answers.asked_sets import THEN, SetPhrases, read_set
from frontdesk.generation.answers.derived_answers import say_underived
from frontdesk.generation.answers.homonyms import say_options
from frontdesk.generation.answers.place_answers import PlaceAnswers
from frontdesk.generation.answers.referents import MOST_OPTIONS, alternatives, quote
from frontdesk.generation.answers.state_answers import StateAnswers
from frontdesk.generation.answers.value_answers import say_reasons
from frontdesk.kg.english.lexicon import PRONOUNS
from frontdesk.kg.english.phrases import say_window
from frontdesk.kg.graph.entities import EntityType
from frontdesk.kg.graph.logical_forms import Form, Sort, Span
from frontdesk.kg.graph.time_slots import ASK_FROM
from frontdesk.kg.graph.windows import instant
from frontdesk.kg.names.name_index import mention_words
from frontdesk.kg.names.name_variants import is_misspelt
from frontdesk.rules.engine.query_answer import AnswerItem

_Meaning = TypeVar("_Meaning")


@dataclass(frozen=True)
class LeftOpen:
    """A reference whose meaning is left to the user.

    Args:
        options: Ids of what it may mean, in the order in which they are offered.
        taken: The one that was taken on condition; empty where it is asked.
    """

    form: Form
    options: tuple[str, ...]
    taken: str = ""


class AnswerDoubts:
    """Words what an answer does not have."""

    def __init__(self, said: AnswerPhrases) -> None:
        self.said, self.answer = said, said.answer

    def unknown(self) -> str:
        """What is not known, as a sentence without an end."""
        named = [words for missing in self.answer.missing
                 if (words := self._missing(missing))]
        if named:
            return ". ".join(dict.fromkeys(named))
        return say_underived(self.said) or self._not_told()

    def question(self) -> str:
        """The question which one is meant, where others are nearly as probable; else empty."""
        for form, _, options in self._unclear():
            name = next((each.text for each in form.spans()), "")
            why = f"I am not sure what you mean by {quote(name)}. " if name else ""
            more = ["another one"] if self._has_more(form) else []
            return f"{why}Do you mean {alternatives([*options, *more])}?"
        return ""

    def left_open(self) -> LeftOpen | None:
        """What is left to the user: what is asked, else what was taken on condition."""
        asked = next((LeftOpen(form, tuple(ids)) for form, ids, _ in self._unclear() if ids), None)
        if asked is not None or self.said.resolution is None:
            return asked
        for form, taken in self.answer.unsure.items():
            if taken in self.said.kb:
                others = [each for each, _ in self.said.resolution.entities.get(form, ())]
                return LeftOpen(form, tuple(dict.fromkeys((taken, *others))), taken)
        return None

    def _has_more(self, form: Form) -> bool:
        """Whether more is nearly as probable than is offered."""
        resolution = self.said.resolution
        ranked = resolution.entities.get(form, ()) if resolution is not None else ()
        return len(ranked) > MOST_OPTIONS and ranked[MOST_OPTIONS][1] >= ASK_FROM * ranked[0][1]

    def _unclear(self) -> Iterator[tuple[Form, list[str], list[str]]]:
        """The forms that can mean several things, with these and their words."""
        resolution = self.said.resolution
        for form in self.answer.unsure if resolution is not None else ():
            if resolution is None or form in resolution.plural:
                continue
            ids = _close([each for each in resolution.entities.get(form, ())
                          if each[0] in self.said.kb])
            windows = _close(resolution.windows.get(form, ()))
            options = say_options(ids, self.said.verbaliser) if ids else [
                self.said.verbaliser.window(each) for each in windows]
            if len(set(options)) > 1:
                yield form, ids, options

    def condition(self) -> str:
        """On what condition the answer is right: ``If you mean Ana Silva: ``; may be empty."""
        taken = dict.fromkeys(map(self._taken, self.answer.unsure.values()))
        return f"If you mean {' and '.join(taken)}: " if taken else ""

    def uncertain_hours(self, text: str) -> str:
        """On what the hours in the answer depend, where they are not certain; else empty.

        Args:
            text: The answer in words, without it.
        """
        answer, verbaliser = self.answer, self.said.verbaliser
        facts = [*answer.reasons, *(fact for item in answer.items for fact in item.facts)]
        around = self.said.events_around()
        if not facts and answer.window is not None:  # that there is nothing depends on all
            around += [each.id for each in verbaliser.uncertain_in([answer.window], [
                each for each in answer.about if each in self.said.kb])]
        return verbaliser.condition(facts, text, answer.window, around)

    def presumption(self) -> str:
        """Who a name in another spelling was taken for, as a sentence; may be empty."""
        people, resolution = self.said.kb.people, self.said.resolution
        for form in self.answer.query.walk() if resolution is not None else ():
            words = form.arguments[0] if form.head == "person" and form.arguments else None
            meant = resolution.entities.get(form, ()) if resolution is not None else ()
            if isinstance(words, Span) and meant and meant[0][0] in people \
                    and form not in self.answer.unsure and is_misspelt(
                        mention_words(words.text, EntityType.PERSON),
                        mention_words(people[meant[0][0]].name)):
                return f"I take it you mean {self.said.full_name(meant[0][0])}."
        return ""

    def _taken(self, meaning: str) -> str:
        """An entity or a moment that was taken."""
        if meaning in self.said.kb:
            return self.said.full_name(meaning)
        try:
            at = dt.datetime.fromisoformat(meaning)
        except ValueError:
            return meaning
        return say_window(instant(at.replace(tzinfo=self.said.kb.timezone)), self.said.today)

    def _missing(self, missing: str) -> str:
        """One thing that is not known, by the form that has its words."""
        form, holder = next(self._with_span(missing), (None, None))
        known = templates()["unknown_name"]
        if form is None:
            return ""
        if form.head in ("related", "value"):
            entity = next(iter(form.inner()), None)
            meant = self.said.meant(entity) if entity is not None else ()
            if not meant and entity is not None and entity.head in ("me", "you", "us"):
                return str(known["related_to_nobody"]).format(missing)
            of = self.said.listed([self.said.name(each) for each in meant]) or (
                self.said.words(entity) if entity is not None else "that")
            return str(known[form.head]).format(missing, of)
        if form.head in ("then", *THEN):
            return str(known["then"])
        if form.is_of(Sort.TIME):
            return str(known["time"]).format(missing)
        if form.head == "like" and holder is not None and holder.head == "event":
            return str(known["like_event"]).format(missing)
        if form.head == "type" and holder is not None:
            which = "that" if missing.casefold() in PRONOUNS else "which_that"
            return str(known[which]).format(missing)
        if form.head in ANAPHORS or form.head == "me":
            called = next((each.text for each in form.spans()), "it")
            return str(known["me" if form.head == "me" else "that"]).format(called)
        return str(known[form.head]).format(missing) if form.head in known else ""

    def _with_span(self, missing: str) -> Iterator[tuple[Form, Form | None]]:
        """The forms that have some words, or whose head it is, each with the one around it."""
        forms = list(self.answer.query.walk())
        for form in forms:
            words = [each.text for each in form.arguments if isinstance(each, Span)]
            if missing in words or (missing in (form.head, form.head.partition("_")[0])
                                    and form.head in (*ANAPHORS, *THEN, "me")):
                yield form, next((each for each in forms if form in each.arguments), None)

    def _not_told(self) -> str:
        """That the answer of a question is not known."""
        query, table = self.answer.query, templates()["unknown"]
        events = list(AnswerDetails(self.said).events_in(self.answer.reasons))
        about = self.answer.about
        if query.head == "where" and events and len(about) == 1 and about[0] in self.said.kb.people:
            if events[0].all_day and not events[0].rooms:
                return StateAnswers(self.said).is_away(query)
            return PlaceAnswers(self.said).sentence(
                [AnswerItem(events[0].id, about[0])])
        argument = next(iter(query.inner()), None)
        if argument is None or query.head in ("which", "exists", "count"):
            untold = "" if argument is None else SetPhrases(read_set(argument), self.said).untold(
                self.answer.missing)
            return self._but(untold or str(table["nothing"]))
        entities = _entities(argument)
        if entities.head == "you":
            return str(templates()["unknown_name"]["you"])
        meant = self.said.meant(entities)
        if not meant and entities.head in templates()["nouns"] and not any(
                isinstance(each, Span) for each in entities.arguments):
            return self._but(str(table["none_such"]).format(
                templates()["nouns"][entities.head][0]))
        who = self.said.phrase_of(meant) if meant else self.said.phrase(
            self.said.words(entities))
        words = next((each.text for each in query.arguments if isinstance(each, Span)), "")
        time = SetPhrases(read_set(entities), self.said, tuple(
            each for each in query.arguments[1:] if isinstance(each, Form))).time()
        said = str(table.get(f"{query.head}_{argument.head}",
                             table.get(query.head, table["any"])))
        for each in meant if len(meant) == 1 else ():
            self.said.use_pronoun(each)
        return self._but(said.format(who, words, time=time).strip())

    def _but(self, said: str) -> str:
        """What is not known, with what is."""
        reasons = say_reasons(self.said, self.answer.reasons[:1])
        return f"{said}, but {reasons}" if reasons else said


def _entities(form: Form) -> Form:
    """The entities that a statement is about."""
    while form.head not in ("person", "room", "group", "event", "thing", *ANAPHORS, "me", "us",
                            "or", "and"):
        inner = next(iter(form.inner()), None)
        if inner is None:
            break
        form = inner
    return form


def _close(ranked: Sequence[tuple[_Meaning, float]]) -> list[_Meaning]:
    """The likeliest meaning and those that are nearly as probable."""
    return [meaning for meaning, probability in ranked[:MOST_OPTIONS]
            if probability >= ASK_FROM * ranked[0][1]]
