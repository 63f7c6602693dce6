"""The dialogues to learn from, and what identifies them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from frontdesk.agent.domains.domain_registry import DEFAULT
from frontdesk.agent.sessions.saved_dialogues import load_saved
from frontdesk.agent.training.annotated import DialogueReplay, interpretations
from frontdesk.agent.training.judge_model import JudgedMention, judge_turns
from frontdesk.agent.training.replied import replied_examples
from frontdesk.agent.training.trained_examples import DialogueExamples, Source
from frontdesk.agent.training.training_conversations import conversation_examples
from frontdesk.data.datasets.graphwoz import Dialogue, load_graphwoz
from frontdesk.data.datasets.graphwoz_reduced import ReducedDialogue, load_graphwoz_reduced
from frontdesk.kg.graph.dialogue_graph import DialogueGraph
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.sources.source_files import read_source
from frontdesk.rules.linking.circuit import LinkingCircuit


@dataclass(frozen=True)
class DataFile:
    """A file to learn from.

    Args:
        name: Without its folder.
        sha256: Hexadecimal.
    """

    name: str
    source: Source
    sha256: str
    dialogues: int


@dataclass(frozen=True)
class TrainingData:
    """All dialogues, by names that are unique.

    Args:
        files: In the order of the options.
        annotated: GraphWOZ dialogues, over which cross-validation goes.
        others: What to learn from beside them: each makes its examples given a circuit.
    """

    files: tuple[DataFile, ...]
    annotated: dict[str, Dialogue]
    others: dict[str, Callable[[LinkingCircuit], DialogueExamples]]


def load_training_data(graphwoz: Sequence[Path], reduced: Sequence[Path],
                       conversations: Sequence[Path]) -> TrainingData:
    """Load the files of all sources.

    Raises:
        InputError: A file cannot be read, is not what it should be, is given twice, or a reduced
            dialogue is among the annotated ones.
    """
    files: list[DataFile] = []
    annotated: dict[str, Dialogue] = {}
    others: dict[str, Callable[[LinkingCircuit], DialogueExamples]] = {}
    for path in graphwoz:
        dialogues = load_graphwoz(path)
        name = _add_file(files, path, Source.GRAPHWOZ, len(dialogues))
        annotated.update((f"{name}#{each}", dialogue) for each, dialogue in dialogues.items())
    replies = {_replies([turn.response for turn in dialogue.turns]): name
               for name, dialogue in annotated.items()}
    replies.pop((), None)
    for path in reduced:
        loaded = [each for each in load_graphwoz_reduced(path) if each.turns and each.facts]
        name = _add_file(files, path, Source.REDUCED, len(loaded))
        for each in loaded:
            same = replies.get(_replies([turn.reference for turn in each.turns]))
            if same is not None:
                raise InputError(f"its dialogue {each.id} is the annotated dialogue {same}",
                                 place=str(path), remedy="Leave --reduced out: what weights are "
                                 "judged on must not be learned from")
            others[f"{name}#{each.id}"] = _Replied(f"{name}#{each.id}", each)
    for path in conversations:
        name = _add_file(files, path, Source.CONVERSATION, 1)
        others[name] = _Conversation(name, *load_saved(path, DEFAULT))
    return TrainingData(tuple(files), annotated, others)


def annotated_examples(name: str, replay: DialogueReplay, circuit: LinkingCircuit
                       ) -> tuple[DialogueExamples, list[JudgedMention]]:
    """What an annotated dialogue teaches, and how the circuit links it.

    Args:
        name: Of the dialogue, unique over all data.
    """
    written, heard = list(replay.written(circuit)), list(replay.heard(circuit))
    kb = replay.dialogue.knowledge_base
    taught = [interpretations(given, kb) for turn in (*written, *heard) for given in turn.given
              if given.linked is not None and given.linked.ranked]
    found = [each for each in taught if each is not None]
    return (DialogueExamples(name, Source.GRAPHWOZ, tuple(pair for each in found for pair in each),
                             len(found), len(taught) - len(found)),
            judge_turns(name, written, heard))


@dataclass(frozen=True)
class _Replied:
    name: str
    dialogue: ReducedDialogue

    def __call__(self, circuit: LinkingCircuit) -> DialogueExamples:
        return replied_examples(self.name, self.dialogue, circuit)


@dataclass(frozen=True)
class _Conversation:
    name: str
    graph: DialogueGraph
    kb: KnowledgeBase

    def __call__(self, circuit: LinkingCircuit) -> DialogueExamples:
        return conversation_examples(self.name, self.graph, self.kb, circuit)


def _add_file(files: list[DataFile], path: Path, source: Source, dialogues: int) -> str:
    """Note a file and give it a name that no other has."""
    digest = hashlib.sha256(read_source(path)).hexdigest()
    twice = next((each for each in files if each.sha256 == digest), None)
    if twice is not None:
        raise InputError(f"{path} holds the same as {twice.name}", remedy="Leave one of them out")
    files.append(DataFile(path.name, source, digest, dialogues))
    alike = sum(each.name == path.name for each in files)
    return path.name if alike == 1 else f"{path.name} ({alike})"


def _replies(replies: Sequence[str | None]) -> tuple[str, ...]:
    """What the agent said, to know a dialogue by; nothing where it hardly spoke."""
    said = tuple(" ".join((reply or "").split()).casefold() for reply in replies)
    return said if sum(map(bool, said)) > 1 else ()
