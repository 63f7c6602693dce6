"""Facts by rules of a user's own: which questions are put to them, and what they give.

A rule sees all people, groups and rooms, and of the events those at the times that a turn speaks
of, those that it names, and those of the coming week. Of all this, only what it rests on is looked
up. The packaged rules are asked elsewhere, without a user's: these can change nothing there.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations, islice, product
from pathlib import Path
from typing import Protocol

from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.errors import DeadlineError, ProverError, RuleError, UncertaintyError
from frontdesk.kg.graph.facts import Argument, Fact, Provenance
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.schema import ArgumentType, Predicate
from frontdesk.kg.graph.timeline import minutes
from frontdesk.kg.graph.windows import Window, day_window, now_window
from frontdesk.rules.engine.derived import Derived, premises
from frontdesk.rules.engine.goal import MOST_WINDOWS, Goal
from frontdesk.rules.engine.proofs import Proof
from frontdesk.rules.engine.prover import Prover, Solution, Value
from frontdesk.rules.engine.prover_process import Budget
from frontdesk.rules.house_rules.fact_declarations import ENTITIES, LISTS
from frontdesk.rules.house_rules.rule_files import UserRules
from frontdesk.rules.organisation.calendar_slice import CalendarSlice
from frontdesk.rules.organisation.organisation_reasoner import commonsense_texts

#: Events that a rule sees, by start; more are left out and told.
MOST_EVENTS = 2000
#: Answers of one question that become facts, and items of a list; more are left out and told.
MOST_SOLUTIONS = 50
DAYS_AHEAD = 7
_EVENT_FACTS = frozenset({"event/1", "start/2", "end/2", "location/2", "organizer/2", "attendee/2",
                          "not_coming/2", "held_by/2", "soon/1", "near/2"})


class CalendarReasoner(Protocol):
    """Derives facts about a calendar; see :class:`Reasoner`."""

    def derive(self, goal: Goal, *, now: dt.datetime, budget: Budget | None = None) -> Derived:
        """The derived facts for a goal, and what was left out."""
        ...


class UserReasoner:
    """Derives facts by a user's rules, besides those that another reasoner derives.

    Args:
        deadline_s: Seconds that the rules may take in a turn, those of the others and the user's
            together, see :class:`frontdesk.rules.organisation.organisation_reasoner.Reasoner`; None
            for no limit.
    """

    def __init__(self, kb: KnowledgeBase, rules: UserRules, others: CalendarReasoner, *,
                 deadline_s: float | None = None) -> None:
        self.kb, self.rules, self.others = kb, rules, others
        self._deadline_s = deadline_s
        programs = commonsense_texts()
        for path, text in rules.programs:
            # In short, for proofs, unless another is called so.
            programs[path if Path(path).name in programs else Path(path).name] = text
        self._prover = Prover(programs, deadline_s=deadline_s, constants=rules.constants)

    def derive(self, goal: Goal, *, now: dt.datetime) -> Derived:
        """The derived facts for a goal, the user's after the others.

        Args:
            now: Zone-aware present.
        """
        budget = None if self._deadline_s is None else Budget(self._deadline_s)
        first = self.others.derive(goal, now=now, budget=budget)
        second = _UserDerivation(self.kb, self.rules, self._prover, goal, now, budget).run()
        return Derived((*first.facts, *second.facts), (*first.notes, *second.notes),
                       {**first.proofs, **second.proofs})


class _UserDerivation:
    """One turn's reasoning with a user's rules."""

    def __init__(self, kb: KnowledgeBase, rules: UserRules, prover: Prover, goal: Goal,
                 now: dt.datetime, budget: Budget | None) -> None:
        self.kb, self.rules, self.prover, self.goal = kb, rules, prover, goal
        self.budget = budget
        self.now = now.astimezone(kb.timezone)
        self.windows = list(dict.fromkeys(goal.windows))[:MOST_WINDOWS] or [now_window(self.now)]
        # Ids are any text: those of ours must be none of them.
        taken = set(rules.constants)
        self.window_ids = {window: _unused(f"window {number}", taken, kb)
                           for number, window in enumerate(self.windows)}
        self.facts: dict[Fact, partial[Proof | None]] = {}
        self.notes: list[str] = []

    def run(self) -> Derived:
        asked = [(predicate, questions) for predicate in self.rules.predicates
                 if (questions := list(self._questions(predicate)))]
        for place, (predicate, questions) in enumerate(asked):
            try:
                calendar = self._slice(predicate)
                for question in questions:
                    self._ask(calendar, predicate, question)
            except DeadlineError as error:
                self.notes.append(f"{predicate.name} was cut short: {error.message}")
                late = ", ".join(later.name for later, _ in asked[place + 1:])
                if late:
                    self.notes.append(f"there was no time to look up {late}")
                break
            except (RuleError, UncertaintyError, ProverError) as error:
                self.notes.append(f"{predicate.name} could not be looked up: {error.message}")
        return Derived(tuple(self.facts), tuple(dict.fromkeys(self.notes)), dict(self.facts))

    def _questions(self, predicate: Predicate) -> Iterator[tuple[str | Window | None, ...]]:
        """The questions of a goal to a predicate: its arguments, None for an open one."""
        first, *others = predicate.arguments
        about: list[str | None]
        if first in LISTS:
            about = [None] if predicate.name in self.goal.asked else []
        else:
            about = [entity for entity in self.goal.entities
                     if self.kb.entity(entity).type is first]
        rest = [self.windows if kind is ArgumentType.WINDOW else [None] for kind in others]
        return product(about, *rest)

    # --- what a rule sees

    def _slice(self, predicate: Predicate) -> CalendarSlice:
        rests_on = self.rules.rests_on[predicate.name]
        calendar = CalendarSlice(self.kb, self.prover.slice(self.budget), None)
        calendar.add("now", minutes(self.now))
        for window, name in self.window_ids.items():
            calendar.add("window", name, minutes(window.start), minutes(window.end))
        self._add_entities(calendar, rests_on)
        if not rests_on.isdisjoint(_EVENT_FACTS):
            events = self._events(predicate)
            calendar.add_events(events)
            present = minutes(self.now)
            for event in events:
                if minutes(event.start) > present:
                    calendar.add("soon", event.id)
            if "near/2" in rests_on:
                for one, other in combinations(events, 2):
                    if other.start < one.end and one.start < other.end:
                        calendar.add("near", one.id, other.id)
        return calendar

    def _add_entities(self, calendar: CalendarSlice, rests_on: frozenset[str]) -> None:
        if not rests_on.isdisjoint({"person/1", "member_of/2", "office/2"}):
            for person in self.kb.people.values():
                calendar.add("person", person.id)
                if person.group:
                    calendar.add("member_of", person.id, person.group)
                if person.office:
                    calendar.add("office", person.id, person.office)
        if "group/1" in rests_on:
            for group in self.kb.groups:
                calendar.add("group", group)
        if not rests_on.isdisjoint({"room/1", "bookable/1", "floor/2"}):
            for room in self.kb.rooms.values():
                calendar.add("room", room.id)
                if room.bookable:
                    calendar.add("bookable", room.id)
                if room.floor is not None:
                    calendar.add("floor", room.id, room.floor)

    def _events(self, predicate: Predicate) -> list[Event]:
        """The events that rules see, by start."""
        today = day_window(self.now.date(), self.kb.timezone).start
        spans = [(today, today + dt.timedelta(days=DAYS_AHEAD)),
                 *((window.start, window.end) for window in self.windows)]
        found = {entity: self.kb.events[entity] for entity in self.goal.entities
                 if entity in self.kb.events}
        timeline = self.kb.timeline()
        for start, end in reversed(spans):
            left = MOST_EVENTS - len(found)
            found |= {event.id: event for event in islice(
                timeline.during(minutes(start), minutes(end)), left)}
            total = timeline.count(minutes(start), minutes(end))
            if total > left:
                self.notes.append(f"for {predicate.name} only {MOST_EVENTS} events were looked "
                                  f"at; there are {total} in the time looked at")
                break
        return sorted(found.values(), key=lambda event: (event.start, event.id))

    # --- what it gives

    def _ask(self, calendar: CalendarSlice, predicate: Predicate,
             question: Sequence[str | Window | None]) -> None:
        solutions = calendar.ask(predicate.name, *map(self._value, question))
        found = [(arguments, solution) for solution in solutions if (
            arguments := self._arguments(predicate, question, solution)) is not None]
        place = next((index for index, kind in enumerate(predicate.arguments) if kind in LISTS),
                     None)
        single = [each for each in found if place is None or each[1].probability < 1]
        if len(single) > MOST_SOLUTIONS:
            self.notes.append(f"only the first {MOST_SOLUTIONS} of {len(single)} answers of "
                              f"{predicate.name} were taken")
        for arguments, solution in single[:MOST_SOLUTIONS]:
            if place is not None:
                # Whoever is not certain is said alone: a list holds as a whole.
                arguments = (*arguments[:place], (str(arguments[place]),), *arguments[place + 1:])
            self._add(calendar, predicate, arguments, solution, question)
        if place is not None:
            self._add_lists(calendar, predicate, place, question,
                            [each for each in found if each[1].probability == 1])

    def _add_lists(self, calendar: CalendarSlice, predicate: Predicate, place: int,
                   question: Sequence[str | Window | None],
                   found: Sequence[tuple[tuple[Argument, ...], Solution]]) -> None:
        """Add a fact for all answers that differ in nothing but the argument that is a list."""
        lists: dict[tuple[Argument, ...], dict[str, Solution]] = {}
        for arguments, solution in found:
            key = (*arguments[:place], *arguments[place + 1:])
            lists.setdefault(key, {})[str(arguments[place])] = solution
        for key, solutions in lists.items():
            items = sorted(solutions, key=lambda each: (self.kb.entity(each).name, each))
            said = tuple(items[:MOST_SOLUTIONS])
            self._add(calendar, predicate, (*key[:place], said, *key[place:]),
                      solutions[said[0]], question, omitted=len(items) - len(said))

    def _arguments(self, predicate: Predicate, question: Sequence[str | Window | None],
                   solution: Solution) -> tuple[Argument, ...] | None:
        """The arguments of an answer; None, and a note, where they are not what was declared."""
        values = iter(solution.values)
        arguments: list[Argument] = []
        for kind, asked in zip(predicate.arguments, question, strict=True):
            if asked is not None:
                arguments.append(asked)
                continue
            value = next(values)
            if not self._fits(kind, value):
                self.notes.append(f"{predicate.name} gave {value!r}, which is not of the type "
                                  f"{LISTS.get(kind, kind)}; it was left out")
                return None
            arguments.append(value)
        return tuple(arguments)

    def _fits(self, kind: ArgumentType, value: Value) -> bool:
        one = LISTS.get(kind, kind)
        if one in ENTITIES:
            return value in self.kb and self.kb.entity(str(value)).type is one
        return isinstance(value, str) == (kind is ArgumentType.TEXT)

    def _add(self, calendar: CalendarSlice, predicate: Predicate, arguments: tuple[Argument, ...],
             solution: Solution, question: Sequence[str | Window | None], *,
             omitted: int = 0) -> None:
        about = [argument for kind, argument in zip(predicate.arguments, arguments, strict=True)
                 if kind in ENTITIES and isinstance(argument, str)]
        source = Path(self.rules.sources[predicate.name]).name
        fact = Fact(predicate.name, arguments,
                    self.goal.probability(about) * solution.probability,
                    Provenance(f"{source}:{predicate.name}", premises(self.kb, arguments)),
                    certainty=solution.probability, omitted=omitted)
        values = iter(solution.values)
        ground = [next(values) if value is None else value for value in map(self._value, question)]
        if fact.probability > 0:
            self.facts.setdefault(fact, partial(calendar.facts.prove, predicate.name, *ground))

    def _value(self, argument: str | Window | None) -> str | None:
        return self.window_ids[argument] if isinstance(argument, Window) else argument


def _unused(name: str, taken: set[str], kb: KnowledgeBase) -> str:
    while name in kb or name in taken:
        name += "'"
    return name
