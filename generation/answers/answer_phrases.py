"""How an answer calls what it is about: names, pronouns that the question had, tenses."""

from __future__ import annotations

import datetime as dt
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from frontdesk.generation.answers.answer_times import only_day, say_asked_time
from frontdesk.generation.answers.homonyms import plain_name
from frontdesk.kg.english import phrases
from frontdesk.kg.english.phrases import Phrase
from frontdesk.kg.english.verbalise import Verbaliser, event_window
from frontdesk.kg.graph.entities import Event, Person, Type
from frontdesk.kg.graph.facts import Argument, Fact
from frontdesk.kg.graph.knowledge_base import normalise_name
from frontdesk.kg.graph.logical_forms import CORE, Form, Sort, Span
from frontdesk.kg.graph.windows import Window, WindowKind
from frontdesk.rules.engine.query_answer import QueryAnswer, Resolution

#: More names are cut to so many, and the rest counted.
MOST_NAMES, _NAMES_KEPT = 8, 6
#: From this probability on something is said flatly; below the other it is not said at all.
CERTAIN, POSSIBLE = 0.9, 0.3
#: Forms that refer to what was spoken of.
ANAPHORS = ("that", "those", "answers", "then")
_LISTS = (Type.PEOPLE, Type.ROOMS, Type.EVENTS)
_NUMBERS, _TEXTS = (Type.NUMBER, Type.FLOOR, Type.MINUTES), (Type.TEXT, Type.PHONE)
_NAMING = ("person", "room", "group", "event", "thing")


@cache
def templates() -> Mapping[str, Any]:
    """How answers are worded: ``answer_wording.toml``."""
    return tomllib.loads(files(__package__).joinpath("answer_wording.toml").read_text("utf-8"))


class AnswerPhrases:
    """Says the entities and times of one answer.

    Args:
        verbaliser: Says names, times and facts; knows the present and who is addressed.
        resolution: What the forms of the query mean; without it the words of the question stand
            for what is not in the answer.
        just_said: Ids of who and what the sentence before named.
        it_is_taken: Whether "it" would mean something else.
    """

    def __init__(self, answer: QueryAnswer, verbaliser: Verbaliser,
                 resolution: Resolution | None = None, just_said: Iterable[str] = (), *,
                 it_is_taken: bool = False) -> None:
        self.answer, self.verbaliser, self.resolution = answer, verbaliser, resolution
        self.kb, self.now, self.today = verbaliser.kb, verbaliser.now, verbaliser.today
        self.just_said, self.it_is_taken = frozenset(just_said), it_is_taken
        self._pronouns = self._of_question()

    # --- entities

    def phrase(self, entity: str, *, past: bool | None = None) -> Phrase:
        """An entity as the subject of a sentence, in the tense of the question where none is
        given; plain text as it is."""
        past = self.past if past is None else past
        if entity == self.verbaliser.speaker:
            return forms("you", "you", past=past)
        if entity in self._pronouns:
            return forms(self._pronouns[entity], past=past)
        return forms("one", self.name(entity), past=past)

    def phrase_of(self, entities: Sequence[str], *, more: int = 0) -> Phrase:
        """Some entities as the subject of a sentence, in the tense of the question."""
        if not more and (len(entities) == 1 or {
                self._pronouns.get(each, each) for each in entities} in ({"it"}, {"they"})):
            return self.phrase(entities[0])
        said = self.listed([self.phrase(each).text for each in entities], more)
        return forms("several", said, past=self.past)

    def name(self, entity: str) -> str:
        """An entity by its name; an event without its time."""
        return "you" if entity == self.verbaliser.speaker else self.full_name(entity)

    def full_name(self, entity: str) -> str:
        """As :meth:`name`, never "you"; plain text as it is."""
        if entity not in self.kb:
            return entity
        found = self.kb.entity(entity)
        if not isinstance(found, Event):
            return self.verbaliser.full_name(found)
        if found.private and not found.organizer:  # no more of it may be told
            return f"a {found.name}"
        return plain_name(found, self.verbaliser)

    @classmethod
    def listed(cls, names: Sequence[str], more: int = 0) -> str:
        """Names as a list; of many, the first few and the number of the rest."""
        kept = names[:_NAMES_KEPT] if cls.is_cut(names) or more else names
        return phrases.say_list(kept, len(names) - len(kept) + more)

    @staticmethod
    def is_cut(names: Sequence[str]) -> bool:
        """Whether only the first of so many names are told."""
        return len(names) > MOST_NAMES

    @staticmethod
    def rest(names: Sequence[str]) -> str:
        """The names that are not told of many."""
        *kept, last = names[_NAMES_KEPT:]
        return f"{', '.join(kept)} and {last}" if kept else last

    def says_pronoun(self, entity: str) -> bool:
        """Whether an entity is called by a pronoun."""
        return entity in self._pronouns or entity == self.verbaliser.speaker

    def use_pronoun(self, entity: str) -> None:
        """From now on an event, a room or a group, which was named last, is "it"."""
        if not self.it_is_taken and entity in self.kb and not isinstance(
                self.kb.entity(entity), Person):
            self._pronouns.setdefault(entity, "it")

    def fact(self, fact: Fact) -> str:
        """A fact as a sentence, its subject as the question has it."""
        subject = fact.arguments[0]
        called = {subject: self.phrase(subject)} \
            if isinstance(subject, str) and subject in self.kb else {}
        return self.verbaliser.say(fact, called)

    def relation(self, predicate: str, subject: str, values: Sequence[str | int | Window],
                 certainty: float = 1.0) -> Fact | None:
        """A fact that relates an entity to values; None where the schema has none of that kind.

        Args:
            subject: Id of what it is about.
            values: One, or several of a predicate that takes a list.
        """
        row = self.verbaliser.schema.get(predicate)
        if row is None or len(row.arguments) != 2 or subject not in self.kb or not values:
            return None
        kind, value = row.arguments[1], values[0]
        if kind in _LISTS:
            listed = tuple(str(each) for each in values if each in self.kb)
            return Fact(predicate, (subject, listed), certainty=certainty) if listed else None
        if isinstance(value, Window):
            times: dict[Type, Argument] = {Type.DATE: value.date, Type.TIME: value.start.time(),
                                           Type.WINDOW: value}
            argument = times.get(kind)
            return Fact(predicate, (subject, argument), certainty=certainty) \
                if argument is not None else None
        fits = isinstance(value, int) if kind in _NUMBERS else isinstance(value, str) and (
            kind in _TEXTS or (value in self.kb and self.kb.entity(value).type is kind))
        return Fact(predicate, (subject, value), certainty=certainty) if fits else None

    # --- what forms of the query mean

    def meant(self, form: Form) -> tuple[str, ...]:
        """Ids of the entities that a form of the query means, as far as that is known."""
        if form.head == "me":
            return (self.verbaliser.speaker,) if self.verbaliser.speaker else ()
        if form.head in ("or", "and", "us"):
            found = [each for part in form.inner() for each in self.meant(part)]
            if found or form.head != "us":
                return tuple(dict.fromkeys(found))
        taken = self.answer.unsure.get(form)
        if taken in self.kb:
            return (str(taken),)
        if self.resolution is not None and form in self.resolution.entities:
            left_out = {each for part in form.inner() if part.head == "except"
                        for one in part.inner() for each in self.meant(one)}
            ranked = [each for each, _ in self.resolution.entities[form]
                      if each in self.kb and each not in left_out]
            return tuple(ranked if form in self.resolution.plural else ranked[:1])
        return self._by_name(form)

    def words(self, form: Form | Span | int) -> str:
        """What a form of the query stands for, as the object of a sentence."""
        if isinstance(form, Span):
            return form.text
        if isinstance(form, int):
            return str(form)
        meant = self.meant(form)
        if form.head in ("or", "and"):
            parts = [self.words(each) for each in form.arguments]
            return phrases.say_list(parts) if form.head == "and" else " or ".join(
                filter(None, (", ".join(parts[:-1]), parts[-1])))
        if meant:
            called = [self.phrase(each).text for each in meant]
            return self.listed([*dict.fromkeys(_OBJECT.get(each, each) for each in called)])
        span = next((each.text for each in form.arguments if isinstance(each, Span)), "")
        if span:
            return f"“{span}”"
        nouns = templates()["nouns"]
        if form.head in nouns:
            told = any(each.head not in CORE or CORE[each.head].sort is not Sort.TIME
                       for each in form.inner())
            return f"{'that' if told else 'a'} {nouns[form.head][0]}"
        return "them" if form.head in ("those", "answers", "us") else "that"

    def _by_name(self, form: Form) -> tuple[str, ...]:
        """The entity asked about that a form may mean, by its name or else by its type."""
        about = [each for each in self.answer.about if each in self.kb]
        kind = Type(form.head)
        if form.head in ("that", "those", "answers", "thing"):
            persons = _pronoun_said(form) is not None
            fitting = [each for each in about
                       if not persons or isinstance(self.kb.entity(each), Person)]
        else:
            fitting = [each for each in about if self.kb.entity(each).type is kind]
        span = next((normalise_name(each.text) for each in form.spans()), "")
        words = set(span.split())
        taken = {id_ for other in self.answer.query.walk() if form.head in ANAPHORS
                 and other.head in (*_NAMING, "me") for id_ in self.meant(other)}
        fitting.sort(key=lambda each: (each in taken, -len(words & set(
            normalise_name(self.kb.entity(each).name).split()))))
        return tuple(fitting if form.head in ("those", "answers") else fitting[:1])

    def _of_question(self) -> dict[str, str]:
        """The pronouns by which the question, or its answer to yes or no, calls entities."""
        named = {*self.just_said, *(self.answer.unsure.values() if self.answer.unsure else ())}
        found = {each: "they" if isinstance(self.kb.entity(each), Person) else "it"
                 for each in self.answer.about if each in named and each in self.kb}
        for form in self.answer.query.walk():
            meant = self.meant(form) if form.head == "that" else ()
            if len(meant) > 1:  # of each something else may be told
                found = {each: said for each, said in found.items() if each not in meant}
                continue
            for entity in meant:
                if not isinstance(self.kb.entity(entity), Person):
                    found[entity] = "it"
                elif said := _pronoun_said(form):
                    found[entity] = said
        return found

    # --- times

    @property
    def day(self) -> dt.date | None:
        """The day that was asked about, or on which all events of the answer are if that is today;
        it need not be said with each of them."""
        window = self.answer.window
        if window is not None:
            day = only_day(window)
            return None if day != self.today and any(
                each.head in _THEN or (each.head in _AROUND and any(
                    part.head != "day" for part in each.inner()))
                for each in self.answer.query.walk()) else day
        events = [self.kb.events[each.value] for each in self.answer.items
                  if isinstance(each.value, str) and each.value in self.kb.events]
        days = {only_day(event_window(each)) for each in events}
        return self.today if days == {self.today} else None

    def events_around(self) -> list[str]:
        """Ids of the events by which the time asked about was said: "after the workshop"."""
        return [each for form in self.answer.query.walk() if form.head in (*_THEN, *_AROUND)
                for part in form.inner() for each in self.meant(part)]

    def asked_time(self) -> str:
        """The time asked about, as an adverbial; empty where none was."""
        window = self.answer.window
        return "" if window is None else say_asked_time(window, self.now)

    def moment(self, time: Form) -> str:
        """A time by itself, as the question has it: ``at 12:00``, ``before the standup``."""
        head = {"straight_after": "right after"}.get(time.head, time.head.replace("_", " "))
        argument = next(iter(time.arguments), None)
        found = self.resolution.windows.get(time, ()) if self.resolution is not None else ()
        if not isinstance(argument, Span) or not found:
            return head if argument is None else f"{head} {self.words(argument)}"
        window = found[0][0]
        if window.start == window.end:
            return f"{head} {phrases.say_time(window.start)}"
        return say_asked_time(window, self.now) if head == "at" else f"{head} {argument.text}"

    def is_past(self, window: Window | None) -> bool:
        """Whether a time is over."""
        return window is not None and window.kind is not WindowKind.NOW and (
            window.end < self.now if window.start == window.end else window.end <= self.now)

    @property
    def past(self) -> bool:
        """Whether the time asked about is over, or what is over of it is asked about."""
        return self.is_past(self.answer.window) or any(
            each.head == "so_far" for each in self.answer.query.walk())

    def when(self, event: Event) -> str:
        """When an event is, without the day where that was asked about."""
        window = event_window(event)
        if only_day(window) is not None and only_day(window) == self.day and not event.all_day:
            return phrases.say_hours(event.start, event.end)
        # Days from one to another are whole ones.
        return self.verbaliser.window(window).replace("all day from", "from")


#: Times that are said by something else, which does not tell the day.
_THEN = ("then", "then_after", "then_before")
_AROUND = ("at", "before", "after", "straight_after", "until", "from")
#: Pronouns as objects.
_OBJECT = {"she": "her", "he": "him", "they": "them"}


def forms(pronoun: str, text: str = "", *, past: bool = False, possessive: str = "") -> Phrase:
    """A phrase with the verbs that go with it.

    Args:
        pronoun: Of the table ``pronouns``; ``one`` or ``several`` for names.
        text: The name; that of the table where empty.
        past: In the past tense.
        possessive: That of the name; empty where it ends as names do.
    """
    said, be, was, have, had, organise, do, their = templates()["pronouns"][pronoun]
    text = text or said
    return Phrase(text, **{
        "is": was if past else be, "has": had if past else have, "their": their,
        **(templates()["past"] if past else {"organise": organise, "do": do}),
        "possessive": possessive or (
            phrases.possessive(text) if pronoun in ("one", "several") else their)})


def go_on(sentence: str) -> str:
    """A sentence as it goes on after "Yes, ": a small first letter, but not of a name."""
    first = sentence.split(" ", 1)[0].casefold()
    common = sentence[:1].isupper() and first in templates()["small_letter"]
    return sentence[:1].lower() + sentence[1:] if common else sentence


def _pronoun_said(form: Form) -> str | None:
    """The pronoun of ``(that (type "her"))`` as a subject; None where it is none for people."""
    for part in form.arguments:
        if isinstance(part, Form) and part.head == "type" and part.arguments \
                and isinstance(part.arguments[0], Span):
            found: str | None = templates()["pronoun_of"].get(part.arguments[0].text.casefold())
            return found
    return None
