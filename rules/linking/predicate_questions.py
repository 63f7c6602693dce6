"""Questions about predicates that a parser was never taught: those of house rules.

What a question means is compared with the examples of each predicate, both with names and times
replaced by their types, and with the questions that the packaged predicates answer. Where one is
clearly nearer than these and its arguments fit, the question is a form with it as a head.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from frontdesk.kg.graph.logical_forms import Form, Language, Sort, Span
from frontdesk.kg.graph.schema import ArgumentType, Predicate, Schema
from frontdesk.kg.names.name_matching import Embed
from frontdesk.kg.parser.parser_input import KnownName
from frontdesk.kg.times.time_grammar import all_expressions
from frontdesk.kg.times.time_words import canonical

_ONE_OF = {ArgumentType.PEOPLE: ArgumentType.PERSON, ArgumentType.ROOMS: ArgumentType.ROOM,
           ArgumentType.EVENTS: ArgumentType.EVENT}
_TYPES = (ArgumentType.PERSON, ArgumentType.GROUP, ArgumentType.ROOM, ArgumentType.EVENT)
#: Acts that may ask for it; beside them there are courtesies at most.
_ASKING = frozenset({"ask", "unsupported"})
_BESIDE = frozenset({"greet", "thank", "apologise", "chat", "acknowledge", "introduce"})
_DENYING = frozenset({"except", "not", "untrue"})
_SETS = frozenset({"which", "exists", "count"})
_ANAPHORS = frozenset({"that", "those", "answers"})
#: Heads with words that a parser found no predicate for.
_UNPLACED = frozenset({"value", "unsupported", "like", "related"})
#: Expressions of the time grammar that say a time; parts of days do beside another word.
_TIMES = frozenset({"date", "weekday", "clock", "range", "days", "day"})
#: Log-odds that a predicate is asked for: how much nearer it is than what else is asked here, how
#: near, how near its cues are to the words that have no place in the form, how sure that form is
#: where all have; fitted on questions about a rule file that no test has.
_WEIGHTS = {"nearer": 11.0, "near": 4.3, "cue": 3.7, "sure": -0.7}
_BIAS = -2.8
_LEAST = 0.5


@dataclass(frozen=True)
class AskedPredicate:
    """A predicate that is asked for.

    Args:
        probability: That it is asked for, in (0, 1).
    """

    query: Form
    probability: float


class PredicateQuestions:
    """Finds out which predicate a question asks for.

    Args:
        examples: Of each predicate that can be asked for, sentences and questions with the types of
            the arguments in their places.
        schema: With them, and with those that a parser knows.
    """

    def __init__(self, examples: Mapping[str, Sequence[str]], schema: Schema, embed: Embed) -> None:
        self._embed = embed
        self._predicates = [schema[name] for name in examples]
        self.language = Language(schema, states=[
            each.name for each in self._predicates if each.is_state])
        texts = [text for each in examples.values() for text in each]
        cues = [cue for each in self._predicates for cue in each.cues]
        others = list(dict.fromkeys(question for name, each in schema.items()
                                    if name not in examples for question in each.questions))
        vectors = embed([*texts, *cues, *others])
        self._examples = vectors[:len(texts)]
        self._cues = vectors[len(texts):len(texts) + len(cues)]
        self._others = vectors[len(texts) + len(cues):]
        self._of_example = [name for name, each in examples.items() for _ in each]
        self._of_cue = [each.name for each in self._predicates for _ in each.cues]

    def asked(self, utterance: str, forms: Sequence[Form], probability: float,
              names: Sequence[KnownName]) -> AskedPredicate | None:
        """The predicate that an utterance asks for.

        Args:
            utterance: As said.
            forms: As it was parsed.
            probability: Of these, in (0, 1].

        Returns:
            None where it asks for none of them.
        """
        asking = [each for each in forms if each.head in _ASKING]
        if len(asking) != 1 or not all(each.head in _ASKING | _BESIDE for each in forms):
            return None
        if any(part.head in _DENYING for part in asking[0].walk()):
            return None  # a name in it may be the one that is left out
        question = _Question(utterance, asking[0], names)
        fitting = {each.name: query for each in self._predicates
                   if (query := question.query(each)) is not None}
        if not fitting:
            return None
        odds = self.log_odds(question, probability)
        best = max(fitting, key=lambda name: odds[name])
        sure = 1.0 / (1.0 + math.exp(-odds[best]))
        return AskedPredicate(fitting[best], sure) if sure >= _LEAST else None

    def log_odds(self, question: _Question, probability: float) -> dict[str, float]:
        """By predicate the log-odds that it is asked for."""
        return {name: _BIAS + sum(_WEIGHTS[each] * value for each, value in features.items())
                for name, features in self.features(question, probability).items()}

    def features(self, question: _Question, probability: float) -> dict[str, dict[str, float]]:
        """By predicate what speaks for it."""
        unplaced = question.unplaced()
        vectors = self._embed([question.masked, *unplaced])
        near = _nearest(self._of_example, self._examples @ vectors[0])
        cue = _nearest(self._of_cue, (self._cues @ vectors[1:].T).max(axis=1)) if unplaced else {}
        other = float((self._others @ vectors[0]).max())
        return {name: {"nearer": value - other, "near": value, "cue": cue.get(name, 0.0),
                       "sure": 0.0 if unplaced else probability}
                for name, value in near.items()}


def _nearest(names: Sequence[str], values: np.ndarray) -> dict[str, float]:
    found: dict[str, float] = {}
    for name, value in zip(names, values, strict=True):
        found[name] = max(found.get(name, -1.0), float(value))
    return found


class _Question:
    """An utterance that asks for something.

    Args:
        utterance: As said.
    """

    def __init__(self, utterance: str, form: Form, names: Sequence[KnownName]) -> None:
        self.utterance, self.form = utterance, form
        self.parts = list(form.walk())
        titles = [span for part in self.parts if part.head == "event" for span in part.spans()]
        self.names = _apart([each for each in names if each.type != "event" or any(
            span.start < each.end and each.start < span.end for span in titles)])
        self.times = self._times()
        self.masked = self._masked()

    def unplaced(self) -> list[str]:
        """Words that the parser found no predicate for."""
        return [each.text for part in self.parts if part.head in _UNPLACED
                for each in part.arguments if isinstance(each, Span)]

    def query(self, predicate: Predicate) -> Form | None:
        """The question as one for a predicate; None where what is spoken of does not fit."""
        kind, *others = (_ONE_OF.get(each, each) for each in predicate.arguments)
        of_list = predicate.arguments[0] in _ONE_OF
        if len(others) > 1 or (of_list and not predicate.is_state):
            return None
        times = self.times if others == [ArgumentType.WINDOW] else ()
        subjects, asked = self._named(kind), self._asked_set(kind)
        if subjects and not of_list:
            named = subjects[0] if len(subjects) == 1 or subjects[0].head != kind \
                or others == [kind] else Form("and", tuple(subjects))
            query = Form(predicate.name, (named, *times))
            return Form("holds", (query,)) if predicate.is_state else query
        given = self._named(others[0]) if others and others[0] in _TYPES and others[0] != kind \
            else []
        if subjects or (asked is None and not of_list and not given):
            return None
        condition = Form(predicate.name, (*given[:1], *self._value(predicate), *times))
        return Form(self._set_head(), (Form(kind, (*self._narrowing(asked), condition)),))

    def _set_head(self) -> str:
        head = self._query().head
        return head if head in _SETS else "which"

    def _query(self) -> Form:
        first = self.form.arguments[0] if self.form.arguments else None
        return first if isinstance(first, Form) and self.form.head == "ask" else self.form

    def _asked_set(self, kind: str) -> Form | None:
        """The set of a type that is asked for, if it is."""
        query = self._query()
        first = query.arguments[0] if query.arguments else None
        return first if query.head in _SETS and isinstance(first, Form) and first.head == kind \
            and not any(isinstance(each, Span) for each in first.arguments) else None

    def _named(self, kind: str) -> list[Form]:
        """References to entities of a type, as they were parsed or by their names."""
        known = [each for each in self.names if each.type == kind]
        found = [Form(kind, (Span(self.utterance[each.start:each.end], each.start, each.end),))
                 for each in known]
        anaphors = [part for part in self.parts if part.head in _ANAPHORS
                    or (part.head == "me" and kind == ArgumentType.PERSON)]
        found = found or [part for part in self.parts if part.head == kind and any(
            isinstance(each, Span) for each in part.arguments)]
        return list(dict.fromkeys(found)) or anaphors[:1]

    @staticmethod
    def _narrowing(asked: Form | None) -> Iterator[Form]:
        """What else is said of the set: conditions that have words or names of their own."""
        for each in asked.arguments if asked is not None else ():
            if isinstance(each, Form) and each.head not in _UNPLACED | {"type"} \
                    and not _is_time(each) and any(
                        not _is_time(part) for part in each.arguments):
                yield each

    def _value(self, predicate: Predicate) -> Iterator[Span]:
        """The words of a description, of a predicate that has values."""
        if predicate.arguments[-1] is ArgumentType.TEXT:
            yield from (each for part in self.parts if part.head == "like"
                        for each in part.spans())

    def _times(self) -> tuple[Form, ...]:
        """The times as they were parsed, else as the grammar finds them."""
        inner = {part for each in self.parts if _is_time(each) for part in each.arguments}
        found = [each for each in self.parts if _is_time(each) and each not in inner]
        if found:
            return tuple(dict.fromkeys(found))
        words, stretches = canonical(self.utterance), list[tuple[int, int]]()
        for each in all_expressions(words.text):
            start, end = words.span(each.start, each.end)
            goes_on = bool(stretches) and not self.utterance[stretches[-1][1]:start].strip()
            if each.kind in _TIMES or (each.kind == "part" and (goes_on or " " in each.words)):
                first = stretches.pop()[0] if goes_on else start
                stretches.append((first, end))
        return tuple(Form("at", (Span(self.utterance[start:end], start, end),))
                     for start, end in stretches)

    def _masked(self) -> str:
        """The utterance with the types of names, and "then" for times."""
        marks = [(each.start, each.end, each.type) for each in self.names]
        marks += [(span.start, span.end, "then") for time in self.times for span in time.spans()
                  if span.start >= 0 and not any(
                      start < span.end and span.start < end for start, end, _ in marks)]
        text, last = "", 0
        for start, end, said in sorted(marks):
            before = self.utterance[last:start].rstrip()
            if said != "then":
                before = f"{before.removesuffix(' the')} the"
            text += f"{before} {said}"
            last = end
        return (text + self.utterance[last:]).strip()


def _apart(names: Sequence[KnownName]) -> list[KnownName]:
    """Of names that overlap the longest."""
    kept: list[KnownName] = []
    for each in sorted(names, key=lambda name: name.start - name.end):
        if all(each.end <= other.start or other.end <= each.start for other in kept):
            kept.append(each)
    return sorted(kept, key=lambda name: name.start)


def _is_time(part: object) -> bool:
    return isinstance(part, Form) and part.is_of(Sort.TIME)
