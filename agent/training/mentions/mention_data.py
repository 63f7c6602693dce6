"""What the mention tagger learns from, and what its training is judged by."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from frontdesk.agent.training.mentions.labelled import LabelledUtterance
from frontdesk.agent.training.mentions.simulated_mentions import simulated_utterance, varied
from frontdesk.agent.training.mentions.weak_labels import annotated_utterances, reduced_utterances
from frontdesk.agent.training.trained_examples import Source
from frontdesk.agent.training.training_data import DataFile
from frontdesk.data.datasets.graphwoz import load_graphwoz
from frontdesk.data.datasets.graphwoz_reduced import load_graphwoz_reduced
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.graph.knowledge_base import normalise_name
from frontdesk.kg.sources.knowledge_builder import read_source

#: Of the real dialogues every sixth is held out; of the simulated utterances one in twenty.
_HELD_OUT_DIALOGUES, _HELD_OUT_SIMULATED = 6, 20
#: A real utterance is learned from so often as it is, and so often with other names.
_AS_IS, _VARIED = 2, 6


@dataclass(frozen=True)
class MentionData:
    """Labelled utterances.

    Args:
        files: Where the real ones are from.
        training: To learn from: simulated ones, real ones, and those with other names.
        real, simulated: Held out; ``real`` is empty where no files are given.
    """

    files: tuple[DataFile, ...]
    training: tuple[LabelledUtterance, ...]
    real: tuple[LabelledUtterance, ...]
    simulated: tuple[LabelledUtterance, ...]


def load_mention_data(graphwoz: Sequence[Path], reduced: Sequence[Path], *, simulated: int,
                      seed: int, held_out: Collection[str] = ()) -> MentionData:
    """Load real dialogues and simulate utterances.

    Args:
        graphwoz: Files of annotated GraphWOZ dialogues.
        reduced: Files of GraphWOZ dialogues in the reduced form.
        simulated: How many utterances to invent, at least 20.
        seed: Of these, and of which dialogues are held out.
        held_out: Hashes of utterances to learn nothing from; see :func:`utterance_hash`.

    Raises:
        InputError: A file cannot be read, is not what it should be or is given twice; or there
            are too few simulated utterances.
    """
    if simulated < _HELD_OUT_SIMULATED:
        raise InputError(f"{simulated} simulated utterances are too few",
                         remedy=f"Ask for {_HELD_OUT_SIMULATED} or more")
    rng = random.Random(f"mentions {seed}")
    files: list[DataFile] = []
    dialogues: list[list[LabelledUtterance]] = []
    for path in graphwoz:
        annotated = load_graphwoz(path)
        _add_file(files, path, Source.GRAPHWOZ, len(annotated))
        dialogues += [list(annotated_utterances(each)) for each in annotated.values()]
    for path in reduced:
        loaded = [each for each in load_graphwoz_reduced(path) if each.turns and each.facts]
        _add_file(files, path, Source.REDUCED, len(loaded))
        dialogues += [list(reduced_utterances(each)) for each in loaded]
    rng.shuffle(dialogues)
    cut = len(dialogues) // _HELD_OUT_DIALOGUES
    real = [each for dialogue in dialogues[:cut] for each in dialogue]
    learned = [each for dialogue in dialogues[cut:] for each in dialogue]
    invented = _distinct(simulated_utterance(rng) for _ in range(simulated))
    judged = len(invented) // _HELD_OUT_SIMULATED
    training = [*invented[judged:], *learned * _AS_IS,
                *(varied(each, rng) for each in learned for _ in range(_VARIED) if each.spans)]
    return MentionData(tuple(files), tuple(_readable(training, held_out)), tuple(_readable(real)),
                       tuple(_readable(invented[:judged])))


def utterance_hash(text: str) -> str:
    """What identifies an utterance whatever its case, accents and blanks; hexadecimal."""
    return hashlib.sha256(normalise_name(text).encode()).hexdigest()


def _distinct(utterances: Iterable[LabelledUtterance]) -> list[LabelledUtterance]:
    """Each text once, so that none is both learned and judged by."""
    return list({each.text: each for each in utterances}.values())


def _readable(utterances: Iterable[LabelledUtterance],
              held_out: Collection[str] = ()) -> Iterable[LabelledUtterance]:
    return (each for each in utterances
            if each.words() and not (held_out and utterance_hash(each.text) in held_out))


def _add_file(files: list[DataFile], path: Path, source: Source, dialogues: int) -> None:
    digest = hashlib.sha256(read_source(path)).hexdigest()
    twice = next((each for each in files if each.sha256 == digest), None)
    if twice is not None:
        raise InputError(f"{path} holds the same as {twice.name}", remedy="Leave one of them out")
    files.append(DataFile(path.name, source, digest, dialogues))
