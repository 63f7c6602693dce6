"""Turns of training dialogues as a generator gets them: history, ranked facts, names.

Every turn goes through the whole pipeline, as it will for users; only what the generator is given
is kept, beside the reply that was really given. The replies of the data become history.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from frontdesk.agent.domains.domain_pack import Components
from frontdesk.agent.sessions.agent import Agent
from frontdesk.agent.settings.settings import Repair, Settings
from frontdesk.data.datasets.generation_examples import GenerationExample, GenerationFact
from frontdesk.data.datasets.training_dialogues import TrainingTurn
from frontdesk.generation.voice.embedded import source_facts
from frontdesk.generation.voice.generator import GenerationInput
from frontdesk.generation.voice.pointer.source import SourceFact
from frontdesk.scoring.encoder import SentenceEncoder


@dataclass(frozen=True)
class RecordedTurn:
    """What a generator got in a turn, and the reply that was really given.

    Args:
        dialogue: Id of the dialogue, unique over all data.
        number: Of the turn, from 1.
        domain: ``organisation``, ``weather``, ``navigate`` or ``schedule``.
        history: ``(speaker, text)``, oldest first; the last is the user's turn.
        facts: The most relevant first.
        features: Of each fact, the inputs of the relevance model by name.
        names: Name and type of the entities of the facts by id.
    """

    dialogue: str
    number: int
    domain: str
    history: tuple[tuple[str, str], ...]
    facts: tuple[SourceFact, ...]
    features: tuple[Mapping[str, float], ...]
    names: Mapping[str, tuple[str, str]]
    reference: str

    def plain_name(self, entity_id: str) -> tuple[str, str] | None:
        """Name and type of an entity; None when there is no such entity."""
        return self.names.get(entity_id)


def generation_example(turn: RecordedTurn) -> GenerationExample:
    """A recorded turn as an example that other models can be fine-tuned on."""
    return GenerationExample(
        f"{turn.dialogue}#{turn.number}", turn.domain, turn.number, turn.history,
        tuple(GenerationFact(fact.text, min(1.0, max(0.0, fact.relevance)), fact.predicate,
                             fact.derived) for fact in turn.facts), turn.reference)


def record_dialogue(dialogue: str, kind: str, domain: Components, turns: Sequence[TrainingTurn],
                    encoder: SentenceEncoder, *, most_facts: int) -> Iterator[RecordedTurn]:
    """The turns of a dialogue that have both a user's words and a reply.

    Args:
        domain: The components of a turn over its knowledge.
        turns: In order.
        most_facts: Facts of each turn that are kept.
    """
    settings = Settings()
    settings = replace(settings, check=replace(settings.check, repair=Repair.NONE),
                       knowledge=replace(settings.knowledge, facts=most_facts))
    session = Agent(domain, settings, encoder=encoder, generator=domain.realiser,
                    stand_in=False).session()
    for number, turn in enumerate(turns, start=1):
        if turn.user:
            before = len(session.graph.turns)
            reply = session.reply(turn.user, now=turn.now)
            if turn.reference and reply.request is not None:
                yield _recorded(dialogue, number, kind, reply.request, turn.reference)
            session.take_back(before + 1)
        if turn.reference:
            session.say(turn.reference, now=turn.now)


def _recorded(dialogue: str, number: int, kind: str, request: GenerationInput,
              reference: str) -> RecordedTurn:
    verbaliser = request.verbaliser
    ids = dict.fromkeys(chain.from_iterable(each.fact.entities() for each in request.knowledge))
    named = {entity: verbaliser.plain_name(entity) for entity in ids} if verbaliser else {}
    return RecordedTurn(
        dialogue, number, kind, tuple(request.history),
        tuple(source_facts(request, request.knowledge)),
        tuple(each.features for each in request.knowledge),
        {entity: name for entity, name in named.items() if name is not None}, reference)
