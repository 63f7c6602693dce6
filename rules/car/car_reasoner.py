"""Reasoning in the car by ``weather.pl``, ``navigation.pl`` and ``appointments.pl``."""

from __future__ import annotations

from frontdesk.kg.graph.fact_base import FactBase
from frontdesk.rules.car.appointments import AppointmentDerivation
from frontdesk.rules.car.navigation import NavigationDerivation
from frontdesk.rules.car.weather import WeatherDerivation
from frontdesk.rules.engine.derivation import Derivation, RuleReasoner
from frontdesk.rules.engine.packaged_rules import packaged_text

#: What is reasoned about, by a predicate that a base has facts of.
_DERIVATIONS: dict[str, type[Derivation]] = {
    "forecast": WeatherDerivation, "category": NavigationDerivation,
    "activity": AppointmentDerivation}


def car_reasoner(base: FactBase, *, deadline_s: float | None = None) -> RuleReasoner:
    """Derives facts by the programs for what a base has facts of.

    Args:
        deadline_s: See :class:`frontdesk.rules.engine.derivation.RuleReasoner`.
    """
    return RuleReasoner(base, {
        derivation: packaged_text(derivation.program)
        for predicate, derivation in _DERIVATIONS.items() if base.facts_of(predicate)},
        deadline_s=deadline_s)
