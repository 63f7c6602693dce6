"""The facts that one turn's reasoning about a calendar comes to, from the rules' answers."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace

from frontdesk.kg.graph.facts import Argument, Fact, Provenance
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.schema import PREDICATES, ArgumentType
from frontdesk.kg.graph.windows import Window, WindowKind, day_window, now_window
from frontdesk.rules.engine.derived import premises, rule_name
from frontdesk.rules.engine.goal import MOST_WINDOWS, Goal
from frontdesk.rules.engine.proofs import Proof
from frontdesk.rules.engine.prover import Prover, Solution
from frontdesk.rules.engine.prover_process import Budget
from frontdesk.rules.organisation.calendar_slice import (
    MOST_LISTED,
    CalendarSlice,
    Chosen,
    EventChooser,
)

#: Predicates that tell when somebody is free.
_SLOTS = frozenset({"person_free_slots", "room_free_slots"})
#: Windows of which somebody can be free at times.
DAYS = (WindowKind.DAY, WindowKind.PART)
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_ENTITY_TYPES = (ArgumentType.PERSON, ArgumentType.ROOM, ArgumentType.GROUP, ArgumentType.EVENT)
#: Facts that answer with an event, a room: what they are about is their first argument.
_ANSWERING = frozenset({"next_event", "located_now", "in_event_now", "office_now", "conflict"})
#: Names of facts that there is nothing, where these are not plainly ``no_`` and the rest.
_NONE = {"organises": "organises_nothing"}


@dataclass(frozen=True)
class Query:
    """What the proof of a fact is found by.

    Args:
        facts: The slice that it holds over.
    """

    facts: CalendarSlice
    predicate: str
    arguments: tuple[str | int | Window, ...]

    def __call__(self) -> Proof | None:
        """The proof.

        Raises:
            ReasoningError: It cannot be found, or not in time.
        """
        return self.facts.prove(self.predicate, *self.arguments)


class TurnFacts:
    """The times that a turn is about, questions with a slice each, and the facts they give.

    Args:
        now: Zone-aware present.
        budget: What all questions together may take.
    """

    def __init__(self, kb: KnowledgeBase, prover: Prover, goal: Goal, now: dt.datetime,
                 budget: Budget) -> None:
        self.kb, self.prover, self.goal = kb, prover, goal
        self.now = now.astimezone(kb.timezone)
        self.choose = EventChooser(kb, self.now)
        self.notes: list[str] = []
        self.windows = self._windows()
        self.event_windows = self._event_windows()
        self.deadline_s = budget.seconds
        self._budget = budget
        self._facts: list[Fact] = []
        self._proofs: dict[Fact, Callable[[], Proof | None]] = {}

    def _check_time(self) -> None:
        self._budget.check()

    def _windows(self) -> list[Window]:
        spoken_of = list(dict.fromkeys(self.goal.windows))
        windows = spoken_of[:MOST_WINDOWS]
        if windows != spoken_of:
            self.notes.append(f"only the first {MOST_WINDOWS} of {len(spoken_of)} times spoken of "
                              "were looked up")
        if not windows:
            today = self.now.date()
            zone = self.kb.timezone
            windows = [day_window(today, zone), day_window(today + dt.timedelta(days=1), zone)] \
                if not _SLOTS.isdisjoint(self.goal.asked) else [now_window(self.now)]
        return windows

    def _event_windows(self) -> list[Window]:
        """The stretches of time to list events in: those spoken of, else the coming week."""
        if self.goal.windows:
            return [window for window in self.windows if window.start < window.end]
        zone = self.kb.timezone
        today = day_window(self.now.date(), zone)
        week = day_window(today.date + dt.timedelta(days=6), zone)
        return [Window(today.start, week.end, WindowKind.DAY)]

    def _rest(self, window: Window) -> Window:
        """What is still to come of a day or a part of one that has begun; else all of it."""
        now = self.now.replace(second=0, microsecond=0)
        if window.kind in DAYS and window.start < now < window.end:
            return replace(window, start=now)
        return window

    def _time(self, minute: int) -> dt.datetime:
        return (_EPOCH + dt.timedelta(minutes=minute)).astimezone(self.kb.timezone)

    def _slice(self, people: Collection[str] | None) -> CalendarSlice:
        self._check_time()
        return CalendarSlice(self.kb, self.prover.slice(self._budget), people)

    def _ids(self, solutions: Iterable[Solution]) -> list[tuple[str, float]]:
        """Solutions of a query that leaves one id open."""
        return [(str(value), solution.probability) for solution in solutions
                for value in solution.values]

    def _by_name(self, entities: Iterable[str]) -> tuple[str, ...]:
        return tuple(sorted(entities, key=lambda each: (self.kb.entity(each).name, each)))

    def _by_start(self, solutions: Iterable[Solution]) -> list[tuple[str, float]]:
        return sorted(self._ids(solutions),
                      key=lambda each: (self.kb.events[each[0]].start, each[0]))

    def _list(self, predicate: str, rule: str, key: tuple[Argument, ...],
              query: tuple[str | Window, ...], listing: tuple[CalendarSlice, Chosen], *,
              none: str = "") -> None:
        """The events that a rule gives: in one fact, or none by another rule.

        Events that are not certain are facts of their own, unless the fact would say more than
        that there are events. Where events were left out, or hidden ones may be among them, it is
        not said that there are none.

        Args:
            predicate: Of the fact; that there are none is ``no_`` and the same.
            query: What is asked, the open last argument aside.
            none: Says that there are none. Where it is empty there are some.
        """
        facts, chosen = listing
        every = self._by_start(facts.ask(rule, *query, None))
        found = every[:MOST_LISTED]
        certain = tuple(event for event, certainty in found if certainty == 1.0)
        groups = [(certain, 1.0)] if certain else []
        if none:
            groups += [((event,), certainty) for event, certainty in found if certainty < 1.0]
        omitted = chosen.total - len(chosen.events) + len(every) - len(found)
        if omitted > 0 and (len(chosen.events) >= MOST_LISTED or not certain):
            owner = "".join(f" of {self.kb.entity(each).name}" for each in key[:1]
                            if isinstance(each, str))
            self.notes.append(f"only the first {len(found)} of {chosen.total:,} events{owner} "
                              "are listed")
        for events, certainty in groups:
            arguments = (events, *key) if predicate == "events_during" else (*key, events)
            self._derived(predicate, arguments, rule=rule, certainty=certainty,
                          omitted=omitted if events is certain else 0,
                          partial=events is certain and len(groups) > 1,
                          proof=Query(facts, rule, (*query, events[0])))
        if none and not certain and not omitted and not chosen.masked:
            self._derived_if(facts, none, query, key, fact=_NONE.get(predicate, f"no_{predicate}"))

    def _note_omitted(self, chosen: Chosen, whose: str) -> None:
        if chosen.total > len(chosen.events):
            self.notes.append(f"only {len(chosen.events)} of {chosen.total:,} events of {whose} "
                              "were looked at")

    def _derived_if(self, facts: CalendarSlice, rule: str, query: tuple[str | Window, ...],
                    arguments: tuple[Argument, ...] | None = None, *, fact: str = "") -> float:
        """Add a fact if a rule gives it; returns how certain it is, 0 if not at all."""
        certainty = sum(solution.probability for solution in facts.ask(rule, *query))
        if certainty > 0.0:
            self._derived(fact or rule, arguments or query, rule=rule, certainty=certainty,
                          proof=Query(facts, rule, query))
        return certainty

    def _derived(self, predicate: str, arguments: tuple[Argument, ...], *, rule: str = "",
                 link: str = "", certainty: float = 1.0, omitted: int = 0,
                 partial: bool = False, proof: Query | None = None) -> None:
        """Add a fact, as probable as it and the links to the entities of the goal are together.

        Args:
            rule: What gives it, if not a predicate of the same name.
            link: An entity through which those it is about are spoken of.
            certainty: Its probability, given the links.
            omitted: Items that its list leaves out.
            partial: Whether facts of their own have items that may be in its list too.
        """
        kinds = PREDICATES[predicate].arguments
        if predicate in _ANSWERING:
            kinds = kinds[:1]
        about = {argument for kind, argument in zip(kinds, arguments, strict=False)
                 if isinstance(argument, str) and kind in _ENTITY_TYPES}
        probability = certainty * self.goal.probability({*about, link})
        if probability <= 0.0:
            return
        fact = Fact(predicate, arguments, probability,
                    Provenance(rule_name(rule or predicate), premises(self.kb, arguments)),
                    certainty, omitted, partial)
        self._facts.append(fact)
        if proof is not None:
            self._proofs.setdefault(fact, proof)
