"""A whole turn as one plain ProbLog program, which compiled and sliced reasoning must agree with.

Everything is in one text: all stored facts of the organisation, the evidence of every pair of a
mention and an entity, the packaged rules as they are, and a query for everything that the turn can
ask about. Plain ProbLog evaluates it as its documentation does. This is the reference for tests
and for the benchmark, and a way to look at a turn with ProbLog's own tools; it takes seconds where
:class:`~frontdesk.rules.linking.linking.Linker` and
:class:`~frontdesk.rules.organisation.organisation_reasoner.Reasoner` take milliseconds.

Entities, mentions and windows are constants made here; no text of a user or of a calendar is part
of a program.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.mentions import Mention, MentionKind
from frontdesk.kg.graph.timeline import minutes
from frontdesk.kg.graph.windows import Window
from frontdesk.kg.names.name_index import NameIndex
from frontdesk.rules.house_rules.stored_facts import stored_signatures
from frontdesk.rules.linking.features import name_features
from frontdesk.rules.linking.linked import LinkedMention
from frontdesk.rules.linking.linking_program import (
    Evidence,
    linking_text,
    read_linking_program,
)
from frontdesk.rules.organisation.organisation_reasoner import PROGRAMS, commonsense_program

#: Something a program can name: the id of an entity or mention, a number, or a stretch of time.
Value = str | int | Window
#: Predicate and arguments.
Atom = tuple[str, tuple[Value, ...]]
#: A query: None stands for an argument left open.
Question = tuple[str, tuple[Value | None, ...]]
#: The evidence of each mention, by its node id, with each entity, by its id.
Pairs = Mapping[str, Mapping[str, Mapping[Evidence, float]]]

#: By how much equal probabilities may differ.
TOLERANCE = 1e-9

@dataclass(frozen=True)
class WholeProgram:
    """A ProbLog program with what its constants stand for.

    Args:
        text: The program, complete: it can be given to ``problog`` as it is.
        values: What each constant stands for.
    """

    text: str
    values: Mapping[str, str | Window]

    def answers(self) -> dict[Atom, float]:
        """The probability in (0, 1] of every answer to the program's queries, by plain ProbLog."""
        return {self._atom(*answer): probability
                for answer, probability in evaluate(self.text).items()}

    def read(self, answers: Mapping[tuple[str, tuple[str | int, ...]], float]
             ) -> dict[Atom, float]:
        """Answers that :func:`evaluate` gave elsewhere, in terms of entities and times."""
        return {self._atom(*answer): probability for answer, probability in answers.items()}

    def _atom(self, predicate: str, arguments: tuple[str | int, ...]) -> Atom:
        return predicate, tuple(self.values[each] if isinstance(each, str) else each
                                for each in arguments)


def evaluate(text: str) -> dict[tuple[str, tuple[str | int, ...]], float]:
    """Evaluate a program with ProbLog's defaults: parse, ground, compile, count.

    Args:
        text: With its queries in it.

    Returns:
        Every answer whose probability is not 0: predicate and arguments, with its probability.
    """
    from problog import get_evaluatable
    from problog.logic import Constant
    from problog.program import PrologString

    result = get_evaluatable().create_from(PrologString(text)).evaluate()
    return {(str(atom.functor), tuple(int(each) if isinstance(each, Constant) else str(each)
                                      for each in atom.args)): float(probability)
            for atom, probability in result.items() if probability > 0}


def whole_program(kb: KnowledgeBase, *, now: dt.datetime, pairs: Pairs | None = None,
                  windows: Iterable[Window] = (), soon: Iterable[str] = (),
                  near: Iterable[tuple[str, str]] = (), questions: Sequence[Question] = (),
                  linking: str | None = None) -> WholeProgram:
    """The program of a turn.

    Args:
        kb: All of its facts are stored in the program.
        now: Zone-aware present.
        pairs: The evidence of each mention with each entity. Every pair is asked about: of each
            mention, what it refers to, which is much faster than a query for each pair. Only rules
            of one's own may have a head that their body does not bind; they get a query for each.
        windows: The stretches of time that ``questions`` are about.
        soon: Events that can be somebody's next.
        near: Pairs of events that can be in conflict.
        questions: What else is asked.
        linking: Text of linking rules in place of the packaged ones.
    """
    writer = _Writer()
    writer.store(kb, now, windows)
    for event in soon:
        writer.fact("soon", event)
    for one, other in near:
        writer.fact("near", one, other)
    rules = linking_text() if linking is None else linking
    writer.evidence(pairs or {}, read_linking_program(linking).evidence)
    for mention, entities in (pairs or {}).items():
        for entity in [None] if linking is None else entities:
            writer.query("refers_to", (mention, entity))
    for question in dict.fromkeys(questions):
        writer.query(*question)
    return WholeProgram("\n".join([rules, commonsense_program(), *writer.lines(), ""]),
                        writer.values)


def every_pair(kb: KnowledgeBase, index: NameIndex, linked: Iterable[LinkedMention],
               keys: Collection[Evidence]) -> dict[str, dict[str, Mapping[Evidence, float]]]:
    """The evidence of every mention with every entity, whether or not it was considered.

    Of those that were considered it is that of the link, what the turns before and the other
    mentions are about included; that of a name with any other entity is what the names have in
    common. Of a recurring event only the occurrences that were considered can be meant.

    Args:
        kb: The organisation.
        index: Of its names.
        linked: The mentions.
        keys: The evidence that the rules use.
    """
    recurring = {event.id for event in kb.events.values() if kb.is_recurring(event)}
    pairs: dict[str, dict[str, Mapping[Evidence, float]]] = {}
    for each in linked:
        evidence: dict[str, Mapping[Evidence, float]] = {entity.id: {} for entity in kb.entities()}
        if each.mention.kind is MentionKind.NAME:
            evidence |= {entity: known for entity, known in _of_names(
                each.mention, index, keys).items() if entity not in recurring}
        pairs[each.node] = {**evidence, **each.evidence}
    return pairs


def _of_names(mention: Mention, index: NameIndex,
              keys: Collection[Evidence]) -> dict[str, Mapping[Evidence, float]]:
    """The evidence of a name with each entity of a type that it can have, by the names alone."""
    types = {str(each) for each in mention.types}
    entries = [entry for entry in index.entries if not types or entry.type.value in types]
    found: dict[str, Mapping[Evidence, float]] = {}
    for entry, features in zip(entries, name_features(mention.name, entries, index), strict=True):
        above = {"jw_similarity_above": features.jaro_winkler, "name_longer": features.shorter,
                 "words_covered_above": features.words_covered,
                 "name_share_above": features.name_share,
                 "lev_distance_below": -features.levenshtein}
        evidence: dict[Evidence, float] = {
            ("named", None): 1.0, ("type_agrees", None): 1.0,
            ("exact_name", None): float(features.exact),
            ("words_alike", None): float(features.words_alike),
            ("same_sound", None): float(features.same_sound)}
        for predicate, constant in keys:
            if predicate in above and constant is not None:
                limit = -constant if predicate == "lev_distance_below" else constant
                evidence[predicate, constant] = float(above[predicate] > limit)
        found |= dict.fromkeys(entry.entities, evidence)
    return found


@dataclass(frozen=True)
class Differences:
    """How answers differ from those of a reference.

    Args:
        changed: Answers of both with another probability: ours, the reference's.
        missing: Answers of the reference alone.
        extra: Answers that the reference does not have.
    """

    changed: Mapping[Any, tuple[float, float]]
    missing: Mapping[Any, float]
    extra: Mapping[Any, float]

    def __bool__(self) -> bool:
        return bool(self.changed or self.missing or self.extra)


def differences(ours: Mapping[Any, float], reference: Mapping[Any, float], *,
                tolerance: float = TOLERANCE) -> Differences:
    """Compare answers with those of a reference.

    Args:
        ours: Every answer with its probability in (0, 1].
        reference: The same of what it is compared with.
        tolerance: By how much two probabilities may differ. An answer that is no more probable
            than that is as good as none.
    """
    return Differences(
        {answer: (ours[answer], reference[answer]) for answer in ours.keys() & reference.keys()
         if not abs(ours[answer] - reference[answer]) <= tolerance},
        {answer: probability for answer, probability in reference.items()
         if answer not in ours and not probability <= tolerance},
        {answer: probability for answer, probability in ours.items()
         if answer not in reference and not probability <= tolerance})



class _Writer:
    """Writes facts and queries over constants of its own."""

    def __init__(self) -> None:
        self.values: dict[str, str | Window] = {}
        self._constants: dict[str | Window, str] = {}
        self._facts: dict[tuple[str, int], list[str]] = defaultdict(list)
        for signature in sorted(stored_signatures(*PROGRAMS)):
            predicate, _, arity = signature.partition("/")
            self._facts[predicate, int(arity)] = []
        self._queries: list[str] = []

    def lines(self) -> Iterator[str]:
        """The program. A predicate without facts fails; ProbLog refuses one without clauses."""
        for (predicate, arity), facts in self._facts.items():
            anything = f"({', '.join('_' * arity)})" if arity else ""
            yield from dict.fromkeys(facts) if facts else [f"{predicate}{anything} :- fail."]
        yield from self._queries

    def store(self, kb: KnowledgeBase, now: dt.datetime, windows: Iterable[Window]) -> None:
        """All stored facts of an organisation, and the times in play."""
        self.fact("now", minutes(now))
        for window in dict.fromkeys(windows):
            self.fact("window", window, minutes(window.start), minutes(window.end))
        for group in kb.groups:
            self.fact("group", group)
        for person in kb.people.values():
            self.fact("person", person.id)
            self._roles(person.id, member_of=person.group, office=person.office)
        for room in kb.rooms.values():
            self.fact("room", room.id)
            if room.bookable:
                self.fact("bookable", room.id)
            if room.floor is not None:
                self.fact("floor", room.id, room.floor)
        for event in kb.events.values():
            self._event(event)

    def _event(self, event: Event) -> None:
        self.fact("event", event.id)
        self.fact("start", event.id, minutes(event.start))
        self.fact("end", event.id, minutes(event.end))
        self._roles(event.id, location=event.location, held_by=event.group,
                    organizer=event.organizer)
        for attendee in dict.fromkeys(event.attendees):
            self.fact("attendee", event.id, attendee,
                      probability=event.comes(attendee))

    def _roles(self, entity: str, **values: str | None) -> None:
        for predicate, value in values.items():
            if value:
                self.fact(predicate, entity, value)

    def evidence(self, pairs: Pairs, atoms: Mapping[Evidence, Any]) -> None:
        """The evidence of every pair.

        Args:
            pairs: What is left out of a pair's evidence, or 0, is false.
            atoms: The atom of each piece of evidence, the mention being ``m`` and the entity ``e``.
        """
        for atom in atoms.values():
            self._facts[str(atom.functor), atom.arity] += []
        for mention, entities in pairs.items():
            for entity, evidence in entities.items():
                ids = {"m": self._constant(mention), "e": self._constant(entity)}
                for key, probability in evidence.items():
                    if key in atoms and probability > 0:
                        atom = atoms[key]
                        arguments = [ids.get(str(each), str(each)) for each in atom.args]
                        self._write(str(atom.functor), arguments, probability)

    def fact(self, predicate: str, *arguments: Value, probability: float = 1.0) -> None:
        """Add a fact."""
        self._write(predicate, [self._constant(each) for each in arguments], probability)

    def query(self, predicate: str, arguments: Sequence[Value | None]) -> None:
        """Ask for the answers to a query."""
        written = ", ".join("_" if each is None else self._constant(each) for each in arguments)
        self._queries.append(f"query({predicate}({written})).")

    def _write(self, predicate: str, arguments: Sequence[str], probability: float) -> None:
        certain = "" if probability >= 1 else f"{probability!r}::"
        atom = f"{predicate}({', '.join(arguments)})" if arguments else predicate
        self._facts[predicate, len(arguments)].append(f"{certain}{atom}.")

    def _constant(self, value: Value) -> str:
        if isinstance(value, int):
            return str(value)
        if value not in self._constants:
            constant = f"c{len(self._constants)}"
            self._constants[value] = constant
            self.values[constant] = value
        return self._constants[value]

