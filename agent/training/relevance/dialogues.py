"""The dialogues that ``frontdesk train relevance`` learns from and measures on."""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from frontdesk.agent.training.generator.data import DialogueToRecord, of_file, of_organisation
from frontdesk.agent.training.model_card import CardFile, card_file
from frontdesk.data.augment import augment
from frontdesk.data.graphwoz import load_graphwoz
from frontdesk.data.graphwoz_reduced import load_graphwoz_reduced
from frontdesk.data.simulated_dialogues import simulate_dialogues
from frontdesk.data.training_dialogues import (
    TrainingDialogue,
    from_graphwoz,
    from_reduced,
    turn_hashes,
    without_held_out,
)
from frontdesk.kg.errors import InputError

#: One of so many dialogues ends the training instead of being learned from.
_VALIDATION = 8

T = TypeVar("T")


class GivenDialogues:
    """The dialogues that options name.

    Args:
        options: Of the command.

    Attributes:
        learned: To learn from.
        validation: From the same files, to end the training by; a dialogue's copies go with it.
        measured: Held out, to measure on.
        cards: The files.

    Raises:
        InputError: There is nothing to learn from, or a file is both learned from and held out.
        FormatError: A file cannot be read.
    """

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.cards: list[CardFile] = []
        self.measured: list[DialogueToRecord] = []
        for dataset in ("kvret", "graphwoz"):
            path: Path | None = getattr(options, f"held_out_{dataset}")
            if path is not None:
                found = of_file(dataset, path)
                self.cards.append(card_file(path, held_out_dialogues=len(found)))
                self.measured += found
        self._held_out = {each.sha256 for each in self.cards}
        keyed = self._keyed()
        self.learned = [each for key, each in keyed if not _is_validation(key)]
        self.validation = [each for key, each in keyed if _is_validation(key)]
        if not self.learned:
            raise InputError("there is nothing to learn from",
                             remedy="Give dialogues, e.g. --graphwoz or --simulated")

    def _keyed(self) -> list[tuple[str, DialogueToRecord]]:
        """The dialogues, each with what it shares with its copies."""
        options = self.options
        found = [(each.id, each) for path in options.kvret
                 for each in self._own(path, of_file("kvret", path))]
        graphwoz: list[TrainingDialogue] = []
        for path in options.graphwoz:
            graphwoz += self._own(path, [from_graphwoz(each)
                                         for each in load_graphwoz(path).values()])
        for path in options.reduced:
            graphwoz += self._own(path, [from_reduced(each) for each in load_graphwoz_reduced(path)
                                         if each.turns and each.facts])
        hashes = turn_hashes(load_graphwoz(options.held_out_graphwoz).values()) \
            if options.held_out_graphwoz is not None else frozenset()
        graphwoz = list(without_held_out(graphwoz, hashes))
        for name, dialogues in (("graphwoz", graphwoz), *(
                (f"augmented-{copy}", [augment(each, options.seed + copy) for each in graphwoz])
                for copy in range(options.augmented))):
            found += [(original.id, each)
                      for original, dialogue in zip(graphwoz, dialogues, strict=True)
                      for each in of_organisation(name, [dialogue])]
        simulated = without_held_out(simulate_dialogues(options.simulated, options.seed), hashes)
        return found + [(each.id, each) for each in of_organisation("simulated", simulated)]

    def _own(self, path: Path, dialogues: Sequence[T]) -> list[T]:
        """The dialogues of a file that is none of those that are held out."""
        card = card_file(path, dialogues=len(dialogues))
        if card.sha256 in self._held_out:
            raise InputError(f"{path} is both learned from and held out",
                             remedy="Hold out dialogues that are not learned from")
        self.cards.append(card)
        return list(dialogues)


def _is_validation(key: str) -> bool:
    return int(hashlib.sha256(key.encode("utf-8", "replace")).hexdigest(), 16) % _VALIDATION == 0
