"""The in-car assistant as a domain: the weather, the places around, the driver's calendar."""

from __future__ import annotations

from enum import StrEnum

from frontdesk.agent.domains.domain import Domain, linking_circuit
from frontdesk.agent.settings.settings import Settings
from frontdesk.generation.car.car_check import CarCheck
from frontdesk.generation.car.car_realiser import CarRealiser
from frontdesk.kg.car.car_mentions import CarDetector, ExactDetector
from frontdesk.kg.car.car_schema import CAR
from frontdesk.kg.car.car_verbalise import CarVerbaliser
from frontdesk.kg.graph.fact_base import FactBase
from frontdesk.rules.car.car_reasoner import CarReasoner
from frontdesk.rules.linking.linking import Linker
from frontdesk.rules.linking.string_linking import StringLinker


class Linking(StrEnum):
    """How mentions are found and linked."""

    RULES = "rules"     # in full, in part, by other words and pronouns, by linking.pl
    STRING = "string"   # by string equality alone, as the paper does for KVRET


def car_domain(base: FactBase, *, linking: Linking | str = Linking.RULES,
               settings: Settings | None = None) -> Domain:
    """The components of a turn of the in-car assistant.

    Args:
        base: What it knows.
        linking: How mentions are found and linked.
        settings: The weights of the linking rules and the time limit; the defaults when not given.

    Raises:
        ValueError: There is no such linking.
    """
    linking = Linking(linking)
    rules = (settings or Settings()).rules
    detector = CarDetector(base)
    linker = Linker(base, detector.index, linking_circuit(rules))
    verbaliser = CarVerbaliser(base)
    by_rules = linking is Linking.RULES
    return Domain(
        kb=base, schema=CAR, detector=detector if by_rules else ExactDetector(base),
        linker=linker if by_rules else StringLinker(base, linker),
        reasoner=CarReasoner(base, deadline_s=rules.deadline_s or None),
        verbaliser=lambda now, speaker: verbaliser, realiser=CarRealiser(), check=CarCheck(base))
