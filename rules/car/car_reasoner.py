"""Reasoning of the in-car assistant: derived facts about what a turn is about.

As in :mod:`frontdesk.rules.organisation.organisation_reasoner` facts are derived goal-directed,
over the slice of the graph around the entities of the goal, and are as probable as the links they
rest on.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from frontdesk.kg.graph.errors import DeadlineError, ProverError, UncertaintyError
from frontdesk.kg.graph.fact_base import FactBase
from frontdesk.kg.graph.facts import Fact
from frontdesk.rules.car.appointments import AppointmentDerivation
from frontdesk.rules.car.navigation import NavigationDerivation
from frontdesk.rules.car.weather import WeatherDerivation
from frontdesk.rules.engine.derivation import Derivation, car_program
from frontdesk.rules.engine.derived import Derived
from frontdesk.rules.engine.goal import Goal
from frontdesk.rules.engine.proofs import Proof
from frontdesk.rules.engine.prover import Prover
from frontdesk.rules.engine.prover_process import Budget

#: What is reasoned about, by a predicate that a base has facts of.
_DERIVATIONS: dict[str, type[Derivation]] = {
    "forecast": WeatherDerivation, "category": NavigationDerivation,
    "activity": AppointmentDerivation}


class CarReasoner:
    """Derives facts by ``weather.pl``, ``navigation.pl`` and ``appointments.pl``.

    Args:
        base: The stored facts; the programs for what it has none of stay out.
        deadline_s: Seconds that the rules may take in one turn, all programs together. With a
            deadline they are evaluated in processes of their own, which are killed when the time
            is used up; what has been derived by then stands. Waiting for them to start, or for
            the questions of other turns, does not count. None for no limit, in this process.
    """

    def __init__(self, base: FactBase, *, deadline_s: float | None = None) -> None:
        self.base = base
        self._deadline_s = deadline_s
        self._provers: dict[type[Derivation], Prover] = {
            derivation: Prover({derivation.program: car_program(derivation.program)},
                               deadline_s=deadline_s)
            for predicate, derivation in _DERIVATIONS.items() if base.facts_of(predicate)}

    def derive(self, goal: Goal, *, now: dt.datetime) -> Derived:
        """The derived facts for a goal, each with its probability, rule and proof.

        Args:
            goal: What can be asked about.
            now: Not used: which day it is stands in the graph.

        Raises:
            RuleError: A rule cannot be evaluated.
        """
        facts: list[Fact] = []
        notes: list[str] = []
        proofs: dict[Fact, Callable[[], Proof | None]] = {}
        budget = Budget(self._deadline_s)
        for kind, prover in self._provers.items():
            derivation = kind(self.base, prover.slice(budget), goal)
            try:
                derivation.run()
            except DeadlineError:
                notes.append(f"reasoning was cut short after {budget.seconds:g} s: "
                             "there may be more to say")
            except (UncertaintyError, ProverError) as error:
                notes.append(f"something could not be looked up: {error.message}")
            facts += derivation.facts
            proofs.update(derivation.proofs)
        return Derived(tuple(dict.fromkeys(facts)), tuple(dict.fromkeys(notes)), proofs)
