"""Reasoning of the in-car assistant: derived facts about what a turn is about.

As in :mod:`frontdesk.rules.reasoner` facts are derived goal-directed, over the slice of the graph
around the entities of the goal, and are as probable as the links they rest on.
"""

from __future__ import annotations

import datetime as dt

from problog.engine import DefaultEngine
from problog.program import PrologString

from frontdesk.kg.fact_base import FactBase
from frontdesk.kg.facts import Fact
from frontdesk.rules.appointments import AppointmentDerivation
from frontdesk.rules.derivation import Derivation, car_program
from frontdesk.rules.navigation import NavigationDerivation
from frontdesk.rules.reasoner import Goal
from frontdesk.rules.weather import WeatherDerivation

#: What is reasoned about, by a predicate that a base has facts of.
_DERIVATIONS: dict[str, type[Derivation]] = {
    "forecast": WeatherDerivation, "category": NavigationDerivation,
    "activity": AppointmentDerivation}


class CarReasoner:
    """Derives facts by ``weather.pl``, ``navigation.pl`` and ``appointments.pl``.

    Args:
        base: The stored facts; the programs for what it has none of stay out.
    """

    def __init__(self, base: FactBase) -> None:
        self.base = base
        self._derivations = [derivation for predicate, derivation in _DERIVATIONS.items()
                             if base.facts_of(predicate)]
        self._rules = {derivation: DefaultEngine().prepare(PrologString(
            car_program(derivation.program))) for derivation in self._derivations}

    def derive(self, goal: Goal, *, now: dt.datetime) -> list[Fact]:
        """The derived facts for a goal, each with its probability and rule.

        Args:
            goal: What can be asked about.
            now: Not used: which day it is stands in the graph.
        """
        facts = [fact for derivation in self._derivations
                 for fact in derivation(self.base, self._rules[derivation], goal).run()]
        return list(dict.fromkeys(facts))
