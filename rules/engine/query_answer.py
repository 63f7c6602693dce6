"""What a query means after its references are linked, and what its answer is."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from frontdesk.kg.graph.facts import Fact
from frontdesk.kg.graph.logical_forms import Form, Sort
from frontdesk.kg.graph.windows import Window, WindowKind

#: What is less probable is not said flatly.
_CERTAIN = 0.99
#: Statements whose parts are so or not, and what compares or counts: yes or no alone is no answer.
_COMPOUND = frozenset({"untrue", "both", "more", "amount", "is", "clash"})
#: Statements that ask for one at least: whoever says yes says which.
_EXISTENCE = frozenset({"there"})
#: Notes of an answer that says nothing of what is so.
LATE, NOT_FOUND = "the answer was not found in time", "the answer could not be found"
#: Orders in time; whoever is first by another is not told by naming them alone.
_IN_TIME = frozenset({"nth", "next", "previous"})
#: Conditions that are told with what else is so: who the others are, what overlaps.
_IN_FULL = frozenset({"except", "clashes"})
_CLOCK = (WindowKind.INSTANT, WindowKind.SPAN)


@dataclass(frozen=True)
class Resolution:
    """What the references and times of a form mean.

    Forms are the keys, as they stand in the query: two that are equal mean the same.

    Args:
        entities: Of forms that name or describe entities by words of the utterance or by what was
            said before, ``(person "Ada")``, ``(group (like "payroll"))``,
            ``(that (type "she"))``: ids with their probabilities, the likeliest first; together
            at most 1. Further conditions of the form, ``(person "Ada" (member_of …))``, are the
            query's to apply. A form that names nothing that is known has an empty sequence.
        plural: Forms that mean all of their entities together: ``(those)``, ``(answers)``.
        windows: Of times, ``(at "tomorrow at three")``: readings with their probabilities, the
            likeliest first.
        lengths: Of ``(lasting "an hour")``, ``(long …)``, ``(within …)``: minutes.
        speaker: Who speaks; empty where that is not known.
        now: Zone-aware present.
        then: What ``(then)``, ``(then_after)`` and ``(then_before)`` refer to; None where nothing.
    """

    entities: Mapping[Form, Sequence[tuple[str, float]]]
    now: dt.datetime
    windows: Mapping[Form, Sequence[tuple[Window, float]]] = field(default_factory=dict)
    lengths: Mapping[Form, int] = field(default_factory=dict)
    plural: frozenset[Form] = frozenset()
    speaker: str = ""
    then: Window | None = None

    def or_surer(self, other: Resolution) -> Resolution:
        """What references mean in either resolution, by the one that is surer of each."""
        surer = {form: meant for form, meant in other.entities.items()
                 if meant and _sure(meant) > _sure(self.entities.get(form, ()))}
        return replace(self, entities={**self.entities, **surer},
                       plural=self.plural - surer.keys() | other.plural & surer.keys())


def _sure(meant: Sequence[tuple[str, float]]) -> float:
    return meant[0][1] if meant else 0.0


class AnswerKind(StrEnum):
    """What an answer consists of."""

    ENTITIES = "entities"    # items: the entities, in order of time or name
    COUNT = "count"          # items as for ENTITIES; their number is the answer
    YES_NO = "yes_no"        # holds; items: what makes it so, or what is so instead
    TIMES = "times"          # items: windows, each of an entity
    PLACES = "places"        # items: rooms (or floors) where each entity is
    VALUES = "values"        # items: numbers, addresses, groups, lengths, …, each of an entity
    ABOUT = "about"          # items: the entities; facts: what is worth telling of them
    UNKNOWN = "unknown"      # the graph cannot tell: missing says what


@dataclass(frozen=True)
class AnswerItem:
    """A part of an answer.

    Args:
        value: An entity id, a window, a number, or a text such as an address.
        of: The entity that it is said of; empty where it stands for itself.
        probability: In (0, 1], over links, readings and uncertain facts.
        facts: What it rests on, those worth saying first.
        number: Of what an order chose by a count, how many there are; None for others.
    """

    value: str | int | Window
    of: str = ""
    probability: float = 1.0
    facts: tuple[Fact, ...] = ()
    number: int | None = None


@dataclass(frozen=True)
class AnswerCore:
    """What a reply must say to give an answer; further details may be left out.

    Args:
        values: Ids, numbers, windows or texts, in order.
        shown: Of a yes: what shows it where nobody says "yes".
        affirms: Of a question for yes or no which of them; None of others.
        facts: What has the values, or makes it so.
        about: Ids of what was asked about.
    """

    values: tuple[str | int | Window, ...] = ()
    shown: tuple[str | int | Window, ...] = ()
    affirms: bool | None = None
    facts: tuple[Fact, ...] = ()
    about: tuple[str, ...] = ()

    @property
    def known(self) -> bool:
        """Whether there is anything that a reply must say."""
        return bool(self.values) or self.affirms is not None


@dataclass(frozen=True)
class QueryAnswer:
    """The answer of a query.

    Args:
        query: The query, ``(where (person "Ada"))``, as it was answered.
        items: Its parts, the first to be said first.
        holds: P(yes) for questions for yes or no, also for ``exists``, over all that may be meant;
            None for others.
        holds_taken: P(yes) where all means what was taken; None where that is ``holds``.
        about: The likeliest entities that were asked about.
        window: The time that was asked about; None where none was.
        missing: What the graph does not know or has nobody of, in words of the utterance
            ("capacity", "Ada"); an answer of kind UNKNOWN has some, or says by ``reasons`` why not.
        reasons: Facts that say why: what somebody is busy with, when they are back.
        unsure: Forms whose meaning is not sure (the probability of what was taken is below 0.7),
            with what was taken.
        notes: What was left out or cut short, in words for the user.
        parts: Of ``(holds (both …))`` the answers of its statements, and of a query for each of
            several that of each, every one by itself.
        only: Of a set from which some were left out, and of which nothing is left, these.
    """

    query: Form
    kind: AnswerKind
    items: tuple[AnswerItem, ...] = ()
    holds: float | None = None
    about: tuple[str, ...] = ()
    window: Window | None = None
    missing: tuple[str, ...] = ()
    reasons: tuple[Fact, ...] = ()
    unsure: Mapping[Form, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    parts: tuple[QueryAnswer, ...] = ()
    only: tuple[AnswerItem, ...] = ()
    holds_taken: float | None = None

    @property
    def told(self) -> float:
        """P(yes) as it is told, of what was taken; 0 where nothing is asked for yes or no."""
        return (self.holds or 0.0) if self.holds_taken is None else self.holds_taken

    @property
    def failed(self) -> bool:
        """Whether it was not looked for to the end, and so says nothing of what is so."""
        return LATE in self.notes or NOT_FOUND in self.notes

    @property
    def facts(self) -> tuple[Fact, ...]:
        """What it rests on, each once: of each part the fact that answers, then further details."""
        return tuple(dict.fromkeys((*map(_answering, filter(_has_facts, self.items)), *(
            fact for item in self.items for fact in item.facts), *self.reasons)))

    @property
    def core(self) -> AnswerCore:
        """What a reply must say; empty where its parts alone do not tell that.

        What is not certain, what is known of several, and what is not known are of that kind.
        """
        certain = all(each.probability >= _CERTAIN for each in self.items) and all(
            fact.certainty >= _CERTAIN for fact in self.facts)
        values = tuple(each.value for each in self.items)
        ordered = any(each.is_of(Sort.ORDER) and each.head not in _IN_TIME
                      for each in self.query.walk())
        others = any(each.head in _IN_FULL for each in self.query.walk())
        if (not certain or ordered or others
                or self.parts or self.unsure or self.missing or self.notes
                or len({each.of for each in self.items}) > 1
                or any(isinstance(each, Window) and each.kind not in _CLOCK for each in values)):
            return AnswerCore()
        facts = tuple(map(_answering, filter(_has_facts, self.items)))
        if self.kind is AnswerKind.YES_NO:
            return self._verdict_core(values, facts or self.reasons[:1])
        if self.kind is AnswerKind.COUNT and values:
            return AnswerCore((len(values),), facts=facts, about=self.about)
        if self.kind in (AnswerKind.ABOUT, AnswerKind.UNKNOWN, AnswerKind.COUNT):
            return AnswerCore()
        return AnswerCore(values, facts=facts, about=self.about)

    def _verdict_core(self, values: tuple[str | int | Window, ...], facts: tuple[Fact, ...]
                      ) -> AnswerCore:
        statement = next(iter(self.query.inner()), None)
        if self.holds is None or statement is None or statement.head in _COMPOUND \
                or 1 - _CERTAIN < self.holds < _CERTAIN:
            return AnswerCore()
        if statement.head == "free" and values:  # it is told when
            return AnswerCore(values, facts=facts, about=self.about)
        exists = self.query.head == "exists" or statement.head in _EXISTENCE
        if exists and not values:
            return AnswerCore()
        affirms = self.holds >= _CERTAIN
        told = exists or not affirms  # "yes" alone answers whether something is so
        return AnswerCore(values if told else (), () if told else values, affirms, facts,
                          self.about)


def _has_facts(item: AnswerItem) -> bool:
    return bool(item.facts)


def _answering(item: AnswerItem) -> Fact:
    """The fact that says the value of a part, of what it is said of where one does."""
    of_it = [fact for fact in item.facts if item.of in fact.arguments]
    return next((fact for fact in (*of_it, *item.facts) if _has_value(fact, item.value)),
                (*of_it, *item.facts)[0])


def _has_value(fact: Fact, value: str | int | Window) -> bool:
    flat = [each for argument in fact.arguments for each in (
        argument if isinstance(argument, tuple) else (argument,))]
    return value in flat or (isinstance(value, Window) and value.start.time() in flat)
