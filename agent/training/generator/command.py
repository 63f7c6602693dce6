"""``frontdesk train generator``: record dialogues, train the embedded generator, write its card."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TypeVar

import torch
from rich.console import Console
from rich.progress import track

from frontdesk.agent.training.generator.data import (
    DialogueToRecord,
    digest,
    of_file,
    of_organisation,
    record,
)
from frontdesk.agent.training.generator.examples import Language, encode_examples
from frontdesk.agent.training.generator.record import RecordedTurn
from frontdesk.agent.training.generator.task import GeneratorTask, Variation
from frontdesk.agent.training.loop import LoopSettings, TrainingResult, train
from frontdesk.agent.training.model_card import (
    CardFile,
    ModelCard,
    card_file,
    hardware,
    trained_parameters,
    versions_of,
    write_model_card,
)
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
from frontdesk.generation.hub_models import torch_device
from frontdesk.generation.pointer.model import PointerConfig, PointerGeneratorModel
from frontdesk.generation.pointer.states import StateReader
from frontdesk.generation.pointer.weights import (
    CONFIG,
    WEIGHTS,
    load_pointer_model,
    save_pointer_model,
)
from frontdesk.kg.errors import InputError

_PACKAGES = ("torch", "transformers", "safetensors")
_MODEL = "model"

T = TypeVar("T")


def run_generator(options: argparse.Namespace) -> int:
    """Train as the options say.

    Returns:
        0.

    Raises:
        FrontdeskError: The data, the options or the output folder are not usable.
    """
    return _GeneratorTraining(options).run()


class _GeneratorTraining:
    """One call of the command."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        for name, least in (("facts", 1), ("jobs", 1), ("augmented", 0), ("simulated", 0)):
            if getattr(options, name) < least:
                raise InputError(f"--{name} is {getattr(options, name)}",
                                 remedy=f"Give {least} or more")
        self.settings = LoopSettings(
            epochs=options.epochs, batch_size=options.batch_size,
            learning_rate=options.learning_rate, patience=options.patience,
            evaluate_every=options.evaluate_every, seed=options.seed, ema=0.998,
            precision=options.precision)
        self.device = torch_device(options.device)
        self.cards: list[CardFile] = []
        self.held_out = self._held_out()
        self.dialogues = self._dialogues()
        if not self.dialogues or not self.held_out:
            raise InputError("there is nothing to learn from" if self.held_out else
                             "there is nothing to measure on",
                             remedy="Give dialogues to learn from, e.g. --kvret, and dialogues to "
                                    "measure on, e.g. --held-out-kvret")

    def run(self) -> int:
        turns = self._record(self.dialogues, "recording what is learned from")
        development = self._record(self.held_out, "recording what is measured on")
        torch.manual_seed(self.options.seed)
        language, model = self._model(turns)
        reader = StateReader()
        task = GeneratorTask(
            model.to(self.device), language.vocabulary,
            encode_examples(turns, language, reader),
            encode_examples(development, language, reader),
            batch_size=self.settings.batch_size, lowercase=self.options.held_out_kvret is not None)
        identity = {"turns": digest(turns), "development": digest(development),
                    "dropout": self.options.dropout, "facts": self.options.facts,
                    "variation": asdict(task.variation), "start": str(self.options.start or "")}
        result = train(task, self.settings, self.options.output, resume=self.options.resume,
                       identity=identity)
        folder = self.options.output / _MODEL
        save_pointer_model(model, folder)
        self._write_card(folder, task, result)
        sys.stdout.write(f"BLEU {result.best['bleu']:.1f} on held-out dialogues (greedy)\n"
                         f"{folder}\n")
        return 0

    # --- dialogues

    def _held_out(self) -> list[DialogueToRecord]:
        found = []
        for dataset in ("kvret", "graphwoz"):
            path: Path | None = getattr(self.options, f"held_out_{dataset}")
            if path is not None:
                dialogues = of_file(dataset, path)
                self.cards.append(card_file(path, held_out_dialogues=len(dialogues)))
                found += dialogues
        return found

    def _dialogues(self) -> list[DialogueToRecord]:
        held_out = {each.sha256 for each in self.cards}
        found: list[DialogueToRecord] = []
        for path in self.options.kvret:
            found += self._own(path, of_file("kvret", path), held_out)
        graphwoz: list[TrainingDialogue] = []
        for path in self.options.graphwoz:
            graphwoz += self._own(path, [from_graphwoz(each)
                                         for each in load_graphwoz(path).values()], held_out)
        for path in self.options.reduced:
            graphwoz += self._own(path, [from_reduced(each) for each in load_graphwoz_reduced(path)
                                         if each.turns and each.facts], held_out)
        hashes = self._held_out_hashes()
        graphwoz = list(without_held_out(graphwoz, hashes))
        found += of_organisation("graphwoz", graphwoz)
        for copy in range(self.options.augmented):
            found += of_organisation(f"augmented-{copy}",
                                     [augment(each, self.options.seed + copy)
                                      for each in graphwoz])
        simulated = simulate_dialogues(self.options.simulated, self.options.seed)
        return found + of_organisation("simulated", without_held_out(simulated, hashes))

    def _own(self, path: Path, dialogues: list[T], held_out: set[str]) -> list[T]:
        """The dialogues of a file that is none of those that are held out."""
        card = card_file(path, dialogues=len(dialogues))
        if card.sha256 in held_out:
            raise InputError(f"{path} is both learned from and held out",
                             remedy="Hold out dialogues that are not learned from")
        self.cards.append(card)
        return dialogues

    def _held_out_hashes(self) -> frozenset[str]:
        path: Path | None = self.options.held_out_graphwoz
        return turn_hashes(load_graphwoz(path).values()) if path is not None else frozenset()

    def _record(self, dialogues: Sequence[DialogueToRecord], what: str) -> list[RecordedTurn]:
        recorded = record(dialogues, most_facts=self.options.facts, jobs=self.options.jobs)
        return [turn for each in track(recorded, what, total=len(dialogues),
                                       console=Console(stderr=True)) for turn in each]

    # --- the model

    def _model(self, turns: Sequence[RecordedTurn]) -> tuple[Language, PointerGeneratorModel]:
        if self.options.start is not None:
            model, vocabulary = load_pointer_model(self.options.start)
            return (Language.of_turns(turns, vocabulary=vocabulary,
                                      predicates=model.config.predicates),
                    model.train().requires_grad_(True))
        language = Language.of_turns(turns)
        return language, PointerGeneratorModel(PointerConfig(
            vocabulary=list(language.vocabulary.entries), predicates=list(language.predicates),
            dropout=self.options.dropout))

    def _write_card(self, folder: Path, task: GeneratorTask, result: TrainingResult) -> None:
        options = self.options
        write_model_card(folder, ModelCard(
            name=f"embedded generator ({options.output.name})",
            description="A pointer-generator over MiniLM states that words replies from dialogue "
                        "history and ranked facts: one softmax over a small vocabulary and all "
                        "values of facts and history.",
            intended_use="Replies of frontdesk, which checks them against its graph before they "
                         "are shown.",
            limits=("It says only words of its vocabulary and values that it was given.",
                    "It was trained on small data: unusual questions get unfitting replies. Never "
                    "use it without the checks of frontdesk."),
            weights=(CONFIG, WEIGHTS), data=self.cards, command=_command(options),
            settings={**self.settings.identity(), "augmented": options.augmented,
                      "simulated": options.simulated, "facts": options.facts,
                      "dropout": options.dropout, **asdict(Variation())},
            versions=versions_of(*_PACKAGES), seed=options.seed, hardware=hardware(self.device),
            seconds=result.seconds, figures={"greedy": result.best},
            examples=[],
            trained_parameters=trained_parameters(task.model)))


def _command(options: argparse.Namespace) -> str:
    """The command without folders."""
    words = ["frontdesk", "train", "generator"]
    for name, value in vars(options).items():
        if name in ("command", "run", "resume", "output", "model") or value in (None, [], False):
            continue
        values = value if isinstance(value, list) else [value]
        words += [f"--{name.replace('_', '-')}",
                  *(each.name if isinstance(each, Path) else str(each) for each in values)]
    return shlex.join(words)
