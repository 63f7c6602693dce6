"""The dialogues that the embedded generator learns from, and those that it is measured on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from frontdesk.agent.domains.domain_pack import Components
from frontdesk.agent.domains.domain_registry import DEFAULT, pack_named
from frontdesk.agent.evaluation.evaluated_datasets import load_data
from frontdesk.agent.settings.settings import RuleSettings, Settings
from frontdesk.agent.training.generator.record import RecordedTurn, record_dialogue
from frontdesk.data.datasets.training_dialogues import TrainingDialogue, TrainingTurn
from frontdesk.kg.graph.knowledge_graph import KnowledgeGraph
from frontdesk.scoring.encoder import Embeddings, MiniLMEncoder, SentenceEncoder


@dataclass(frozen=True)
class DialogueToRecord:
    """A dialogue over some knowledge; it can be sent to another process.

    Args:
        id: Unique over all data.
        turns: In order.
        kind: What it is about, as its data set or its pack calls it.
    """

    id: str
    knowledge: KnowledgeGraph
    turns: tuple[TrainingTurn, ...]
    kind: str = DEFAULT.name
    pack: str = DEFAULT.name

    def domain(self) -> Components:
        """The components of a turn; without a time limit, so that nothing depends on the load."""
        return pack_named(self.pack).components(
            self.knowledge, Settings(rules=RuleSettings(deadline_s=0.0)))


def of_organisation(name: str, dialogues: Iterable[TrainingDialogue]) -> list[DialogueToRecord]:
    """Dialogues over organisations, their ids made unique by a name."""
    return [DialogueToRecord(f"{name}#{each.id}", each.knowledge_base, each.turns)
            for each in dialogues if each.turns]


def of_file(dataset: str, path: Path) -> list[DialogueToRecord]:
    """The dialogues of a file that evaluation reads too.

    Args:
        path: The official file.
    """
    data = load_data(dataset, path)
    return [DialogueToRecord(
        f"{path.name}#{each.id}", each.knowledge,
        tuple(TrainingTurn(turn.user, turn.reference or "", turn.now) for turn in each.turns),
        each.domain, data.pack.name) for each in data.dialogues]


def record(dialogues: Sequence[DialogueToRecord], *, most_facts: int, jobs: int = 1,
           ) -> Iterator[list[RecordedTurn]]:
    """The recorded turns of each dialogue, in order.

    Args:
        most_facts: Facts of each turn that are kept.
        jobs: Processes to share the work.
    """
    if jobs <= 1:
        for each in dialogues:
            yield _record(each, most_facts)
        return
    with ProcessPoolExecutor(jobs, initializer=_one_thread) as pool:
        yield from pool.map(_record, dialogues, [most_facts] * len(dialogues), chunksize=8)


_encoders: dict[str, SentenceEncoder] = {}


def _record(dialogue: DialogueToRecord, most_facts: int) -> list[RecordedTurn]:
    encoder = _encoders.setdefault("minilm", _Kept(MiniLMEncoder()))
    return list(record_dialogue(dialogue.id, dialogue.kind, dialogue.domain(), dialogue.turns,
                                encoder, most_facts=most_facts))


def _one_thread() -> None:
    import torch

    torch.set_num_threads(1)


class _Kept:
    """An encoder that keeps what it was asked of facts, for as long as a process lives."""

    _most = 50_000

    def __init__(self, encoder: MiniLMEncoder) -> None:
        self.encoder, self.name = encoder, encoder.name
        self._vectors: dict[str, npt.NDArray[np.float32]] = {}

    def encode(self, sentences: Sequence[str], *, keep: bool = True) -> Embeddings:
        """Embeddings ``(n_sentences, 384)``, each of length 1."""
        if not keep:
            return self.encoder.encode(sentences)
        missing = [each for each in dict.fromkeys(sentences) if each not in self._vectors]
        if missing:
            if len(self._vectors) > self._most:
                self._vectors.clear()
                missing = list(dict.fromkeys(sentences))
            self._vectors |= zip(missing, self.encoder.encode(missing), strict=True)
        return np.stack([self._vectors[each] for each in sentences])


def digest(turns: Iterable[RecordedTurn]) -> str:
    """The SHA-256 of what is learnt from: histories, facts and replies."""
    total = hashlib.sha256()
    for turn in turns:
        shown = (turn.dialogue, turn.number, turn.history, turn.reference,
                 [(fact.text, round(fact.relevance, 6)) for fact in turn.facts])
        total.update(repr(shown).encode("utf-8", "replace"))
    return total.hexdigest()
