"""Which dialogues ``frontdesk train relevance`` learns from, and which end its training."""

from __future__ import annotations

import argparse
import hashlib

from frontdesk.agent.training.generator import generator_dialogues as dialogues
from frontdesk.kg.graph.errors import InputError

#: One of so many dialogues ends the training instead of being learned from.
_VALIDATION = 8


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
        given = dialogues.GivenDialogues(options)
        self.measured, self.cards = given.held_out, given.cards
        self.learned = [each for key, each in given.learned if not _is_validation(key)]
        self.validation = [each for key, each in given.learned if _is_validation(key)]
        if not self.learned:
            raise InputError("there is nothing to learn from",
                             remedy="Give dialogues, e.g. --graphwoz or --simulated")


def _is_validation(key: str) -> bool:
    return int(hashlib.sha256(key.encode("utf-8", "replace")).hexdigest(), 16) % _VALIDATION == 0
