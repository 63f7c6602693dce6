"""The car: the weather, the places around and the driver's calendar, asked about on the road."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from frontdesk.agent.domains.domain_pack import (
    PACKAGED_WEIGHTS,
    Components,
    DomainPack,
    Linking,
    Loaded,
    Source,
    linking_circuit,
)
from frontdesk.agent.settings.settings import Settings
from frontdesk.agent.settings.thresholds import PACKAGED
from frontdesk.data.datasets.data_set import (
    DataSet,
    Download,
    Evaluation,
    EvaluationDialogue,
    Input,
)
from frontdesk.kg.car.car_schema import CAR
from frontdesk.kg.car.car_types import CarType
from frontdesk.kg.graph.fact_base import FactBase


def load_car(*, kvret: str | None = None, now: str | None = None) -> Loaded[FactBase]:
    """Load what the car knows; something made up when no source is given.

    Args:
        kvret: ``FILE#INDEX``: the table of a KVRET dialogue by its number in the file from 0, or by
            its id; the file plain or compressed with gzip.
        now: A fixed present in ISO 8601. A table says itself which day it is.

    Raises:
        InputError: There is no such dialogue, or ``now`` is no time.
        FormatError: The file cannot be read.
    """
    from frontdesk.agent.domains.load_car import read_car

    base, present, warnings = read_car(kvret, now)
    return Loaded(CAR_PACK, base, present, warnings)


def car_components(kb: FactBase, settings: Settings | None = None, *,
                   linking: Linking | str = Linking.RULES) -> Components:
    """The components of a turn of the in-car assistant.

    Args:
        settings: The weights of the linking rules and the time limit; the defaults when not given.

    Raises:
        ValueError: There is no such linking.
    """
    from frontdesk.generation.car.car_check import CarCheck
    from frontdesk.generation.car.car_realiser import CarRealiser
    from frontdesk.kg.car.car_mentions import CarDetector, ExactDetector
    from frontdesk.kg.car.car_verbalise import CarVerbaliser
    from frontdesk.rules.car.car_reasoner import car_reasoner
    from frontdesk.rules.linking.linking import Linker
    from frontdesk.rules.linking.string_linking import StringLinker

    linking = Linking(linking)
    rules = (settings or Settings()).rules
    detector = CarDetector(kb)
    linker = Linker(kb, detector.index, linking_circuit(rules))
    verbaliser = CarVerbaliser(kb)
    by_rules = linking is Linking.RULES
    return Components(
        pack=CAR_PACK, kb=kb, schema=CAR, detector=detector if by_rules else ExactDetector(kb),
        linker=linker if by_rules else StringLinker(kb, linker),
        reasoner=car_reasoner(kb, deadline_s=rules.deadline_s or None),
        verbaliser=lambda now, speaker: verbaliser, realiser=CarRealiser(), check=CarCheck(kb))


def _kvret(path: Path, _: Input) -> Sequence[EvaluationDialogue]:
    from frontdesk.agent.domains.load_car import kvret_dialogues

    return kvret_dialogues(path)


def _kvret_entities(path: Path) -> Mapping[str, Sequence[str]]:
    from frontdesk.data.datasets.kvret import load_kvret_entities

    return load_kvret_entities(path).forms


KVRET = DataSet(
    "kvret", "KVRET", load=_kvret, entities=_kvret_entities, entities_file="kvret_entities.json",
    string_linking=True, lowercase=True, topics=("weather", "navigate", "schedule", "unknown"),
    downloads=(Download(
        "kvret_dataset_public.zip",
        ("https://nlp.stanford.edu/projects/kvret/kvret_dataset_public.zip",),
        ("kvret_train_public.json", "kvret_dev_public.json", "kvret_test_public.json",
         "kvret_entities.json")),))


def _summary(base: FactBase) -> str:
    return (f"the weather of {len(base.of_type(CarType.PLACE))} towns, "
            f"{len(base.of_type(CarType.POI))} places around, "
            f"{len(base.of_type(CarType.APPOINTMENT))} appointments")


def _examples(base: FactBase) -> list[str]:
    """Questions about what this car knows."""
    asked = ((CarType.PLACE, "What is the weather in {}?"),
             (CarType.CATEGORY, "Where is the nearest {}?"),
             (CarType.ACTIVITY, "When is my {}?"))
    return [question.format(base.entity(base.of_type(kind)[0]).name)
            for kind, question in asked if base.of_type(kind)] or ["What do you know?"]


CAR_PACK: DomainPack[FactBase] = DomainPack(
    name=CAR.name, schema=CAR, about="the weather, places around and your calendar",
    sources=(
        Source("kvret", "FILE#INDEX",
               "the table of a KVRET dialogue, by its number in the file from 0 or its id"),
        Source("now", "ISO8601", "a fixed present; without a zone in the organisation's")),
    load=load_car, components=car_components, summary=_summary, examples=_examples,
    most_facts=20,  # the weather of a week is seven facts
    weights=PACKAGED_WEIGHTS / "car", thresholds=PACKAGED,
    datasets=(KVRET, DataSet("ci-tod", "CI-ToD", Evaluation.CONSISTENCY)),
    role="the assistant in a car, asked about the weather, places around and the driver's calendar",
    never_invented="a name, a place, a date, a time or a distance")
