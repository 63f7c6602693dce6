"""A data set of dialogues about a domain, as evaluation, checks and trainings see it.

Cheap to import: what reads the files is imported when something is read.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from frontdesk.data.datasets.defects import Defect
    from frontdesk.data.datasets.graphwoz import Dialogue
    from frontdesk.kg.graph.dialogue_graph import Hypothesis
    from frontdesk.kg.graph.knowledge_graph import KnowledgeGraph

#: Which words of a user a turn is given: what a person transcribed or what was recognised.
Input = Literal["manual", "asr"]


class Evaluation(StrEnum):
    """How a data set is evaluated."""

    TURNS = "turns"              # every turn is answered, the real dialogue as history
    CALENDARS = "calendars"      # dialogues are replayed and the calendars compared
    VISITS = "visits"            # simulated visitors talk; there are no files
    CONSISTENCY = "consistency"  # labelled replies are checked
    FORMS = "forms"              # utterances are parsed and their forms compared


@dataclass(frozen=True)
class EvaluationTurn:
    """A user turn to answer.

    Args:
        number: From 1.
        hypotheses: What the user said, the best reading first; at least one.
        reference: The answer in the data; None when there is none.
        now: When it was said, zone-aware.
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
        domain: What it is about, as the data set or the pack calls it.
        turns: In order; there may be none.
        now: When it began, zone-aware.
        table: The rows that the knowledge was made of, column → value, where it is a table.
        annotated: The dialogue with the entities and acts that people annotated, if they did.
        defects: What was repaired, left out or missing.
    """

    id: str
    dataset: str
    domain: str
    turns: tuple[EvaluationTurn, ...]
    knowledge: KnowledgeGraph
    now: dt.datetime
    table: Sequence[Mapping[str, str]] = ()
    annotated: Dialogue | None = None
    defects: Sequence[Defect] = ()


@dataclass(frozen=True)
class Download:
    """A file to download.

    Args:
        name: Under which it is kept.
        places: Addresses that have it, the official one first.
        members: For a zip archive, the files to take out of it, by name.
    """

    name: str
    places: tuple[str, ...]
    members: tuple[str, ...] = ()


@dataclass(frozen=True)
class DataSet:
    """A data set about a domain.

    Args:
        name: As users name it; an option of trainings, without its dashes.
        title: As its authors write it.
        summary: What evaluating it does, where that is not to answer its turns.
        load: Reads the dialogues of a file, in its order, in the words that are asked for; one
            may have no turns. None where it has no dialogues.
        recognises: Whether the content of a file, decompressed, is of it; None for a format that
            :mod:`~frontdesk.data.datasets.formats` detects.
        entities: Reads a list of entities, type → surface forms, for entity F1; None where that
            is not measured.
        entities_file: The official list, beside the data.
        heard: There is what a speech recogniser heard, too.
        string_linking: Its domain can link mentions by string equality.
        lowercase: The BLEU of trainings is measured in lower case.
        topics: What its dialogues are about, where that is not named as their domain is.
    """

    name: str
    title: str
    evaluation: Evaluation = Evaluation.TURNS
    summary: str = ""
    load: Callable[[Path, Input], Sequence[EvaluationDialogue]] | None = None
    recognises: Callable[[bytes], bool] | None = None
    downloads: tuple[Download, ...] = ()
    entities: Callable[[Path], Mapping[str, Sequence[str]]] | None = None
    entities_file: str = ""
    heard: bool = False
    string_linking: bool = False
    lowercase: bool = False
    topics: tuple[str, ...] = ()

    @property
    def format(self) -> str:
        """What its files hold, in words."""
        return f"{self.title} dialogues"

    def holds(self, path: Path) -> bool:
        """Whether a file is one of it.

        Raises:
            FormatError: It cannot be read, or has none of the known formats.
        """
        from frontdesk.data.datasets.formats import detect_format, read_plain

        return detect_format(path) == self.format if self.recognises is None \
            else self.recognises(read_plain(path))


def data_set_of(path: Path, data_sets: Iterable[DataSet]) -> DataSet | None:
    """The data set that a file is of; None where it is of none of them.

    Raises:
        FormatError: It cannot be read, or has none of the known formats.
    """
    # Those that look for themselves come first: the others refuse what they do not know.
    return next((each for each in sorted(data_sets, key=lambda each: each.recognises is None)
                 if each.holds(path)), None)
