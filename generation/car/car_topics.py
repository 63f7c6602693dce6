"""Which topic of several a question is about: the weather, the places around or the calendar."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from frontdesk.generation.voice.generator import GenerationInput
from frontdesk.kg.car.car_schema import CAR
from frontdesk.kg.car.car_types import TOPICS, CarType
from frontdesk.kg.graph.entities import Type
from frontdesk.kg.graph.fact_base import FactBase
from frontdesk.kg.graph.mentions import MentionKind

_WHEN = frozenset({CarType.DAY, CarType.PERIOD})


def on_topic(request: GenerationInput, base: FactBase) -> tuple[GenerationInput, frozenset[Type]]:
    """A request with the facts of the topic that it is about, and the topics' types it is left.

    A base of one topic, as those of KVRET are, leaves nothing to choose.
    """
    known = [topic for topic in TOPICS if topic in base.types]
    if len(known) < 2:
        return request, base.types
    votes = next((counted for counted in _votes(request, base) if counted), Counter[Type]())
    topic = max(known, key=lambda each: votes[each])
    if not votes[topic]:
        return request, base.types
    others = frozenset().union(*(TOPICS[each] for each in known if each is not topic))
    return replace(request, knowledge=[
        ranked for ranked in request.knowledge
        if others.isdisjoint(CAR[ranked.fact.predicate].arguments)]), base.types - others


def _votes(request: GenerationInput, base: FactBase) -> Iterator[Counter[Type]]:
    """How much speaks for each topic: what is named, else the words, else what goes unsaid."""
    names = [each for each in request.links if each.mention.kind is MentionKind.NAME]
    named = [kind for each in names if each.mention.text for kind in (
        [base.entity(link.entity).type for link in each.best] or each.mention.types)]
    yield _of([kind for kind in named if kind not in _WHEN])
    best = [name for name, score in request.observation.asked.predicates.items() if score == 1.0]
    yield _of([kind for name in best for kind in set(CAR[name].arguments)])
    yield _of([base.entity(link.entity).type for each in request.links for link in each.best])


def _of(kinds: Iterable[Type]) -> Counter[Type]:
    return Counter(topic for kind in kinds for topic, types in TOPICS.items() if kind in types)
