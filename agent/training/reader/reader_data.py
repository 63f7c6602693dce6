"""The examples that options name: of dialogues, of questions about sentences, of judged replies."""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from frontdesk.agent.training.generator.generator_dialogues import GivenDialogues
from frontdesk.agent.training.generator.recorder import Recorder
from frontdesk.agent.training.model_card import CardFile, card_file
from frontdesk.agent.training.reader.dialogue_pairs import DialoguePairs
from frontdesk.agent.training.reader.judged_pairs import judged_pairs, made_pairs
from frontdesk.agent.training.reader.pair_examples import PairExample, read_pairs
from frontdesk.agent.training.reader.question_pairs import QuestionPairs
from frontdesk.data.datasets.dialogue_audit import AuditedReply, load_dialogue_audit
from frontdesk.data.datasets.formats import decoded, read_plain
from frontdesk.data.datasets.held_out import is_held_out
from frontdesk.data.datasets.qamr import load_qamr


class ReaderData:
    """Makes examples of what options name.

    Attributes:
        cards: The files.

    Raises:
        FrontdeskError: A file cannot be read.
    """

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.cards: list[CardFile] = []
        self._left_out = " ".join(_plain(decoded(read_plain(path)))
                                  for path in options.leave_out)

    def examples(self) -> Iterator[PairExample]:
        """All examples, one in ten of each data set held out."""
        for path in self.options.pairs:
            pairs, defects = read_pairs(path)
            self.cards.append(card_file(path, examples=len(pairs), left_out=len(defects)))
            yield from pairs
        yield from self._of_sentences()
        yield from self._of_judged_replies()

    def _of_sentences(self) -> Iterator[PairExample]:
        sentences = []
        for path in self.options.qamr:
            own, defects = load_qamr(path)
            self.cards.append(card_file(path, sentences=len(own), left_out=len(defects)))
            sentences += own
        for held_out in (False, True):
            given = [each for each in sentences if is_held_out(each.document) is held_out]
            if given:
                made = QuestionPairs(given, random.Random(self.options.seed)).make()
                yield from (replace(each, held_out=held_out) for each in made)

    def _of_judged_replies(self) -> Iterator[PairExample]:
        replies: list[AuditedReply] = []
        for path in self.options.dialogue_audit:
            judged, defects = load_dialogue_audit(path)
            own = [each for each in judged if not self._is_left_out(each.response)]
            self.cards.append(card_file(path, replies=len(own),
                                        left_out=len(defects) + len(judged) - len(own)))
            replies += own
        for held_out in (False, True):
            # Replies with the same knowledge are on the same side.
            given = [each for each in replies if is_held_out(each.knowledge) is held_out]
            rng = random.Random(self.options.seed)
            yield from (replace(each, held_out=held_out)
                        for each in chain(judged_pairs(given), made_pairs(given, rng)))

    def _is_left_out(self, reply: str) -> bool:
        return bool(self._left_out) and f" {_plain(reply)} " in self._left_out


def held_out_replies(options: argparse.Namespace) -> list[AuditedReply]:
    """The judged replies that options name and that are never learned from.

    Raises:
        FormatError: A file cannot be read.
    """
    return [each for path in options.dialogue_audit for each in load_dialogue_audit(path)[0]
            if is_held_out(each.knowledge) and each.labels != {"uncooperative"}]


def dialogue_examples(options: argparse.Namespace) -> tuple[list[PairExample], list[CardFile]]:
    """Examples of the dialogues that options name, which the agent hears and whose facts it ranks.

    Raises:
        FrontdeskError: The data or the output folder are not usable.
    """
    given = GivenDialogues(options)
    if not given.learned:
        return [], []
    recorder = Recorder(options, given.cards)
    turns = recorder.turns([each for _, each in given.learned], "recording the dialogues")
    examples = []
    for held_out in (False, True):
        # A copy of a dialogue has its id, after another name.
        own = [each for each in turns
               if is_held_out(each.dialogue.rpartition("#")[2]) is held_out]
        if own:
            examples += [replace(each, held_out=held_out)
                         for each in DialoguePairs(own, options.seed).make()]
    recorder.remove()
    return examples, given.cards


def _plain(text: str) -> str:
    """A text as it is looked for in others: its words."""
    return " ".join(re.findall(r"\w+", text.casefold()))
