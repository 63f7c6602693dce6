"""``frontdesk train relevance``: record dialogues, train, write weights, curve and ablation."""

from __future__ import annotations

import argparse
import csv
import hashlib
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from frontdesk.agent.domains.domain_registry import data_sets
from frontdesk.agent.evaluation.progress_display import tracked
from frontdesk.agent.training.generator import generator_dialogues as dialogues
from frontdesk.agent.training.generator.generator_data import DialogueToRecord, digest, record
from frontdesk.agent.training.generator.generator_dialogues import held_out_files
from frontdesk.agent.training.generator.generator_examples import Language
from frontdesk.agent.training.model_card import command_line, versions_of
from frontdesk.agent.training.relevance.ablation import Ablation
from frontdesk.agent.training.relevance.joint_relevance import (
    JointGenerator,
    JointSettings,
    fit_separately,
    train_in_turn,
    train_together,
)
from frontdesk.agent.training.relevance.relevance_plots import plot_curve
from frontdesk.agent.training.relevance.relevance_turns import (
    ALL_FACTS,
    ScoredTurn,
    recall_at,
    score_turns,
)
from frontdesk.agent.training.training_folder import claim_folder
from frontdesk.generation.voice.model_folder import save_model
from frontdesk.generation.voice.pointer.ensemble import load_single_model
from frontdesk.generation.voice.pointer.source import MOST_FACTS
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.models.hub_models import torch_device
from frontdesk.scoring.joint_training import CurvePoint, FitSettings
from frontdesk.scoring.relevance import RelevanceModel
from frontdesk.scoring.relevance_model import RelevanceNetwork, save_network

WEIGHTS, CURVE, PLOT, GENERATOR = "relevance.json", "curve.csv", "curve.png", "generator"
_PACKAGES = ("torch", "numpy")


def run_relevance(options: argparse.Namespace) -> int:
    """Train as the options say.

    Raises:
        FrontdeskError: The data, the options or the output folder are not usable, or there is no
            such generator.
    """
    _check(options)
    return _RelevanceTraining(options).run()


def _check(options: argparse.Namespace) -> None:
    for name, least, most in (("facts", 1, MOST_FACTS), ("rounds", 1, 100), ("jobs", 1, 1024),
                              ("augmented", 0, 10_000), ("simulated", 0, 10 ** 7),
                              ("generator_epochs", 0, 1000), ("epochs", 1, 1000),
                              ("hidden", 0, 1024)):
        if not least <= getattr(options, name) <= most:
            raise InputError(f"--{name.replace('_', '-')} is {getattr(options, name)}",
                             remedy=f"Give a number from {least} to {most}")
    if options.generator is None and options.method != "separate":
        raise InputError(f"--method {options.method} needs a generator",
                         remedy="Name the folder of one: --generator DIR")
    if options.ablation and options.generator is None:
        raise InputError("--ablation needs a generator",
                         remedy="Name the folder of one: --generator DIR")
    if options.ablation and not held_out_files(options):
        raise InputError("--ablation needs dialogues to measure on", remedy="Give " + " or ".join(
            f"--held-out-{name}" for name in data_sets()))


class _RelevanceTraining:
    """One call of the command."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options, self.began = options, time.monotonic()
        self.settings = JointSettings(
            facts=options.facts, rounds=options.rounds, generator_epochs=options.generator_epochs,
            fit=FitSettings(options.steps, options.learning_rate, options.pull))
        self.device = torch_device(options.device)
        self.given = GivenDialogues(options)
        if not self.given.validation and (options.method == "together" or options.ablation
                                          or options.generator_epochs):
            raise InputError("no dialogue is left to end the training by",
                             remedy="Give more dialogues: one of eight ends it")
        self.output: Path = options.output
        #: Loaded before anything is recorded, so that a mistake shows at once.
        self.pointer = load_single_model(options.generator) if options.generator else None
        claim_folder(self.output, {"command": command_line("relevance", options),
                                   "data": [each.sha256 for each in self.given.cards]},
                     resume=False)

    def run(self) -> int:
        learned = self._turns(self.given.learned, "recording what is learned from")
        validation = self._turns(self.given.validation, "recording what ends the training")
        measured = self._turns(self.given.measured, "recording what is measured on")
        network = RelevanceNetwork.start(
            sorted({name for turn in learned for name in turn.predicates}),
            hidden=self.options.hidden, seed=self.options.seed)
        generator = self._generator(learned)
        network, curve = self._train(learned, validation, network, generator)
        recalls = {name: {"by_hand": recall_at(turns, RelevanceModel()),
                          "trained": recall_at(turns, network), "turns": len(turns)}
                   for name, turns in (("learned", learned), ("validation", validation),
                                       ("measured", measured)) if turns}
        save_network(network, self.output / WEIGHTS, self._provenance(learned, recalls))
        _write_curve(self.output, curve)
        for name, figures in recalls.items():
            sys.stdout.write(f"recall@10, {name}: {figures['by_hand']:.3f} by hand, "
                             f"{figures['trained']:.3f} trained\n")
        if self.options.ablation and generator is not None:
            sys.stdout.write(Ablation(self.options, self.settings, generator,
                                      (learned, validation, measured), network).run())
        sys.stdout.write(f"{self.output / WEIGHTS}\n")
        return 0

    def _turns(self, dialogues: Sequence[DialogueToRecord], what: str) -> list[ScoredTurn]:
        recorded = record(dialogues, most_facts=ALL_FACTS, jobs=self.options.jobs)
        return [turn for dialogue, turns in zip(
                    dialogues, tracked(recorded, what, len(dialogues)), strict=True)
                for turn in score_turns(dialogue, turns)]

    def _train(self, learned: Sequence[ScoredTurn], validation: Sequence[ScoredTurn],
               network: RelevanceNetwork, generator: JointGenerator | None
               ) -> tuple[RelevanceNetwork, list[list[CurvePoint]]]:
        """The trained network and the curve of each round."""
        options = self.options
        if options.method == "separate" or generator is None:
            fits = [fit_separately(learned, validation, network, self.settings)]
        elif options.method == "in-turn":
            fits = train_in_turn(learned, validation, network, generator, self.settings,
                                 self.output, seed=options.seed)
            if options.generator_epochs:
                save_model(generator.model, self.output / GENERATOR)
        else:
            trained = train_together(
                learned, validation, network, generator, self.output / "together",
                facts=options.facts, epochs=options.epochs, seed=options.seed)
            save_model(generator.model, self.output / GENERATOR)
            return trained, []
        return fits[-1].network, [list(fit.curve) for fit in fits]

    def _generator(self, turns: Sequence[ScoredTurn]) -> JointGenerator | None:
        if self.pointer is None:
            return None
        model, vocabulary = self.pointer
        return JointGenerator(model, Language.of_turns(
            [turn.turn for turn in turns], vocabulary=vocabulary,
            predicates=model.config.predicates), self.device)

    def _provenance(self, turns: Sequence[ScoredTurn], recalls: dict[str, Any]) -> dict[str, Any]:
        return {"command": command_line("relevance", self.options),
                "data": [asdict(each) for each in self.given.cards],
                "turns_sha256": digest(turn.turn for turn in turns),
                "settings": asdict(self.settings), "seed": self.options.seed,
                "recall_at_10": recalls, "versions": versions_of(*_PACKAGES),
                "seconds": round(time.monotonic() - self.began, 1)}


def _write_curve(folder: Path, rounds: Sequence[Sequence[CurvePoint]]) -> None:
    if not rounds:
        return  # the training loop of both together keeps its own log
    with (folder / CURVE).open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(["round", "step", "learned_nats", "validation_nats"])
        writer.writerows([number, point.step, f"{point.learned:.6f}", f"{point.held_out:.6f}"]
                         for number, curve in enumerate(rounds, start=1) for point in curve)
    plot_curve(folder / PLOT, rounds)


#: One of so many dialogues ends the training instead of being learned from.
_VALIDATION = 8


class GivenDialogues:
    """The dialogues that options name.

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
