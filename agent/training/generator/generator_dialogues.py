"""The dialogues that training generators and relevance learns from and measures on, as options."""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from frontdesk.agent.domains.domain_registry import data_sets
from frontdesk.agent.training.generator.generator_data import (
    DialogueToRecord,
    of_file,
    of_organisation,
)
from frontdesk.agent.training.model_card import CardFile, card_file
from frontdesk.data.datasets.data_set import DataSet
from frontdesk.data.datasets.formats import read_plain
from frontdesk.data.datasets.graphwoz import Dialogue
from frontdesk.data.datasets.graphwoz_reduced import load_graphwoz_reduced
from frontdesk.data.datasets.training_dialogues import (
    TrainingDialogue,
    from_graphwoz,
    from_reduced,
    turn_hashes,
    without_held_out,
)
from frontdesk.data.invented.augment import augment
from frontdesk.data.invented.dialogues import simulate_dialogues
from frontdesk.kg.graph.errors import InputError

#: Before the ids of the GraphWOZ dialogues that are no copies.
ORIGINAL = "graphwoz#"

T = TypeVar("T")


class GivenDialogues:
    """The dialogues that options name; see :mod:`~frontdesk.agent.training.train_options`.

    Attributes:
        held_out: To measure on.
        learned: To learn from, each with what it shares with its copies.
        cards: The files.

    Raises:
        InputError: A file is both learned from and held out.
        FormatError: A file cannot be read.
    """

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.cards: list[CardFile] = []
        self._held_out: set[str] = set()
        self.held_out = list(self._measured())
        self.learned = list(_with_ids_of_their_own(self._keyed()))

    def of_both_kinds(self) -> list[DialogueToRecord]:
        """Those to learn from, where there are some to measure on too.

        Raises:
            InputError: There is nothing to learn from, or nothing to measure on.
        """
        if not self.learned or not self.held_out:
            raise InputError("there is nothing to learn from" if self.held_out else
                             "there is nothing to measure on",
                             remedy="Give dialogues to learn from, e.g. --kvret, and dialogues to "
                                    "measure on, e.g. --held-out-kvret")
        return [each for _, each in self.learned]

    def _measured(self) -> Iterator[DialogueToRecord]:
        for data_set, path in held_out_files(self.options):
            found = of_file(data_set.name, path)
            self.cards.append(card_file(path, held_out_dialogues=len(found)))
            self._held_out.add(_content(path))
            yield from found

    def _keyed(self) -> Iterator[tuple[str, DialogueToRecord]]:
        options = self.options
        given: list[TrainingDialogue] = []
        for data_set, path in ((each, path) for each in reversed(data_sets().values())
                               for path in getattr(options, each.name)):
            if annotated := _annotated(data_set, path):
                given += self._own(path, [*map(from_graphwoz, annotated)])
            else:
                yield from ((each.id, each)
                            for each in self._own(path, of_file(data_set.name, path)))
        for path in options.reduced:
            given += self._own(path, [from_reduced(each) for each in load_graphwoz_reduced(path)
                                      if each.turns and each.facts])
        hashes = turn_hashes(each for data_set, path in held_out_files(options)
                             for each in _annotated(data_set, path))
        originals = list(without_held_out(given, hashes))
        yield from ((each.id, dialogue) for each in originals
                    for dialogue in of_organisation(ORIGINAL.removesuffix("#"), [each]))
        for copy in range(options.augmented):
            yield from ((each.id, dialogue) for each in originals
                        for dialogue in of_organisation(f"augmented-{copy}", without_held_out(
                            [augment(each, options.seed + copy)], hashes)))
        simulated = without_held_out(simulate_dialogues(options.simulated, options.seed), hashes)
        yield from ((each.id, each) for each in of_organisation("simulated", simulated))

    def _own(self, path: Path, dialogues: Sequence[T]) -> Sequence[T]:
        """The dialogues of a file that is none of those that are held out."""
        if _content(path) in self._held_out:
            raise InputError(f"{path} is both learned from and held out",
                             remedy="Hold out dialogues that are not learned from")
        self.cards.append(card_file(path, dialogues=len(dialogues)))
        return dialogues


def held_out_files(options: argparse.Namespace) -> list[tuple[DataSet, Path]]:
    """The data sets of which options give a file to measure on, an organisation's last."""
    return [(each, path) for each in reversed(data_sets().values())
            if (path := getattr(options, f"held_out_{each.name}")) is not None]


def _annotated(data_set: DataSet, path: Path) -> list[Dialogue]:
    """The annotated dialogues of a file, of which there can be copies."""
    return [each.annotated for each in data_set.load(path, "manual")
            if each.annotated is not None] if data_set.load is not None else []


def _content(path: Path) -> str:
    """The SHA-256 of what a file says, compressed or not."""
    return hashlib.sha256(read_plain(path)).hexdigest()


def _with_ids_of_their_own(dialogues: Iterable[tuple[str, DialogueToRecord]]
                           ) -> Iterator[tuple[str, DialogueToRecord]]:
    """Dialogues whose ids differ: several files, or both forms of one, may have the same."""
    seen: dict[str, int] = {}
    for key, dialogue in dialogues:
        number = seen[dialogue.id] = seen.get(dialogue.id, 0) + 1
        yield key, dialogue if number == 1 else replace(dialogue, id=f"{dialogue.id}/{number}")
