"""Records the turns of dialogues for a training, each dialogue once."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from frontdesk.agent.evaluation.progress_display import tracked
from frontdesk.agent.evaluation.results import code_digest
from frontdesk.agent.training.generator.generator_data import DialogueToRecord, record
from frontdesk.agent.training.generator.record import RecordedTurn
from frontdesk.agent.training.generator.recorded_file import RecordedFile
from frontdesk.agent.training.model_card import CardFile
from frontdesk.kg.graph.errors import InputError

_RECORDED = "recorded.jsonl"


class Recorder:
    """Records the dialogues of a training into its output folder.

    Args:
        options: Of the command: ``output``, ``facts``, ``augmented``, ``simulated``, ``seed``,
            ``jobs``.
        cards: The files with the dialogues.

    Raises:
        InputError: The folder cannot be written to.
    """

    def __init__(self, options: argparse.Namespace, cards: Sequence[CardFile]) -> None:
        self.options = options
        self._file = RecordedFile(options.output / _RECORDED, {
            "code": code_digest(), "facts": options.facts, "augmented": options.augmented,
            "simulated": options.simulated, "seed": options.seed,
            "files": [each.sha256 for each in cards]})

    def turns(self, dialogues: Sequence[DialogueToRecord], what: str) -> list[RecordedTurn]:
        """The turns of dialogues; those that are on disk are not recorded again.

        Args:
            dialogues: In order.
            what: What is done, for the progress bar.

        Raises:
            InputError: They have no turn, or the disk is full.
        """
        turns = [turn for each in tracked(self._each(dialogues, what), what, len(dialogues))
                 for turn in each]
        if not turns:
            raise InputError(f"{what}: no dialogue has a turn of a user and a reply to it",
                             remedy="Give dialogues with replies")
        return turns

    def _each(self, dialogues: Sequence[DialogueToRecord], what: str
              ) -> Iterator[list[RecordedTurn]]:
        # Files that are learned from and held out may have the same names and ids.
        missing = [each for each in dialogues if self._file.get(f"{what}: {each.id}") is None]
        anew = record(missing, most_facts=self.options.facts, jobs=self.options.jobs)
        for each in dialogues:
            turns = self._file.get(f"{what}: {each.id}")
            if turns is None:
                turns = next(anew)
                self._file.add(f"{what}: {each.id}", turns)
            yield turns

    def remove(self) -> None:
        """Remove what is on disk, once the training is finished."""
        self._file.remove()
