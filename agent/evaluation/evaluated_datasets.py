"""The data sets as evaluation sees them: dialogues with user turns, references and a domain."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from frontdesk.agent.domains.domain_pack import Components, DomainPack, Linking
from frontdesk.agent.domains.domain_registry import pack_of_dataset
from frontdesk.agent.settings.settings import Settings
from frontdesk.data.datasets.data_report import DataReport, report_on
from frontdesk.data.datasets.graphwoz import Dialogue, load_graphwoz
from frontdesk.data.datasets.kvret import KvretDialogue, load_kvret
from frontdesk.data.datasets.kvret_graph import kvret_graph
from frontdesk.kg.graph.dialogue_graph import Hypothesis
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.graph.knowledge_graph import KnowledgeGraph

GRAPHWOZ, KVRET = "graphwoz", "kvret"
#: Which words of a user a turn is given: what a person transcribed or what was recognised.
Input = Literal["manual", "asr"]
INPUTS: tuple[Input, ...] = ("manual", "asr")
#: KVRET's dialogues have no time of their own; its days of the week are in its tables.
_KVRET_NOW = dt.datetime(2017, 1, 2, 9, tzinfo=dt.UTC)


@dataclass(frozen=True)
class EvaluationTurn:
    """A user turn to answer.

    Args:
        number: From 1.
        hypotheses: What the user said, the best reading first; at least one.
        reference: The answer in the data; None when there is none.
        now: When it was said.
    """

    number: int
    hypotheses: tuple[Hypothesis, ...]
    reference: str | None
    now: dt.datetime

    @property
    def user(self) -> str:
        """The best reading."""
        return self.hypotheses[0].text


@dataclass(frozen=True)
class EvaluationDialogue:
    """A dialogue to answer turn by turn; it can be sent to another process.

    Args:
        id: Unique in the data set.
        dataset: The name of the data set.
        domain: What it is about, as the data set or the pack calls it.
        turns: In order.
        source: The dialogue as it was loaded.
    """

    id: str
    dataset: str
    domain: str
    turns: tuple[EvaluationTurn, ...]
    source: Dialogue | KvretDialogue

    @property
    def now(self) -> dt.datetime:
        """When it began; KVRET does not tell."""
        return self.source.now if isinstance(self.source, Dialogue) else _KVRET_NOW

    @property
    def pack(self) -> DomainPack[Any]:
        """The domain that it is about."""
        return pack_of_dataset(self.dataset)

    @property
    def knowledge(self) -> KnowledgeGraph:
        """What the assistant knows in it."""
        return self.source.knowledge_base if isinstance(self.source, Dialogue) \
            else kvret_graph(self.source)

    def components(self, linking: Linking | str, settings: Settings) -> Components:
        """The components of a turn over what the assistant knows in the dialogue.

        Args:
            linking: How mentions are linked.
            settings: Of the components.
        """
        return self.pack.components(self.knowledge, settings, linking=linking)


@dataclass(frozen=True)
class EvaluationData:
    """A data set ready for evaluation.

    Args:
        name: One of :data:`DATASETS`.
        dialogues: In the order of the file, those without turns left out.
        report: What is in the file, its defects among it.
    """

    name: str
    dialogues: tuple[EvaluationDialogue, ...]
    report: DataReport

    @property
    def pack(self) -> DomainPack[Any]:
        """The domain that it is about."""
        return pack_of_dataset(self.name)

    @property
    def turns(self) -> int:
        """The number of user turns."""
        return sum(len(dialogue.turns) for dialogue in self.dialogues)


def load_data(name: str, path: Path, *, words: Input = "manual",
              limit: int | None = None) -> EvaluationData:
    """Load a data set for evaluation.

    Args:
        name: One of :data:`DATASETS`.
        path: The official file, plain or compressed with gzip.
        words: For GraphWOZ, whether the user's words are the manual transcription or the
            hypotheses of the speech recogniser.
        limit: Only the first turns, this many at most.

    Raises:
        InputError: There is no such data set, or the limit is not positive.
        FormatError: The file cannot be read.
    """
    if limit is not None and limit < 1:
        raise InputError(f"the limit is {limit}", remedy="Give at least 1 turn")
    return EvaluationData(name, tuple(_first_turns(load_dialogues(name, path, words=words), limit)),
                          report_on(path))


def load_dialogues(name: str, path: Path, *, words: Input = "manual") -> list[EvaluationDialogue]:
    """Every dialogue of a data set; one may have no turns.

    Args:
        name: ``graphwoz`` or ``kvret``.
        path: The official file, plain or compressed with gzip.
        words: As in :func:`load_data`.

    Raises:
        InputError: There is no such data set.
        FormatError: The file cannot be read.
    """
    if name not in DATASETS:
        raise InputError(f"there is no data set {name!r}",
                         remedy=f"Choose one of {', '.join(DATASETS)}")
    return DATASETS[name](path, words)


def _graphwoz_dialogues(path: Path, words: Input) -> list[EvaluationDialogue]:
    return [_graphwoz(dialogue, words) for dialogue in load_graphwoz(path).values()]


def _kvret_dialogues(path: Path, _: Input) -> list[EvaluationDialogue]:
    return [_kvret(dialogue) for dialogue in load_kvret(path)]


def _graphwoz(dialogue: Dialogue, words: Input) -> EvaluationDialogue:
    turns = []
    for turn in dialogue.turns:
        written = (Hypothesis(turn.transcription),) if turn.transcription else ()
        heard = turn.hypotheses
        said = (heard or written) if words == "asr" else (written or heard)
        turns.append(EvaluationTurn(turn.number, said or (Hypothesis(""),), turn.response,
                                    turn.started))
    return EvaluationDialogue(dialogue.id, GRAPHWOZ, pack_of_dataset(GRAPHWOZ).name, tuple(turns),
                              dialogue)


def _kvret(dialogue: KvretDialogue) -> EvaluationDialogue:
    turns = tuple(EvaluationTurn(turn.number, (Hypothesis(turn.user),), turn.reference, _KVRET_NOW)
                  for turn in dialogue.turns)
    return EvaluationDialogue(dialogue.id, KVRET, dialogue.domain, turns, dialogue)


#: What reads the data sets, by name.
DATASETS: Mapping[str, Callable[[Path, Input], list[EvaluationDialogue]]] = {
    GRAPHWOZ: _graphwoz_dialogues, KVRET: _kvret_dialogues}


def _first_turns(dialogues: Sequence[EvaluationDialogue],
                 limit: int | None) -> list[EvaluationDialogue]:
    chosen, left = [], limit if limit is not None else sum(len(each.turns) for each in dialogues)
    for dialogue in dialogues:
        if left <= 0:
            break
        if dialogue.turns:
            turns = dialogue.turns[:left]
            chosen.append(replace(dialogue, turns=turns))
            left -= len(turns)
    return chosen


def table_of(dialogue: EvaluationDialogue) -> Sequence[Mapping[str, str]]:
    """The rows of a KVRET dialogue's knowledge base; none for GraphWOZ."""
    return dialogue.source.items if isinstance(dialogue.source, KvretDialogue) else ()
