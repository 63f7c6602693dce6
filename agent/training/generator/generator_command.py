"""``frontdesk train generator``: record dialogues, train the embedded generator, write its card."""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import torch
from rich.console import Console

from frontdesk.agent.evaluation.progress_display import tracked
from frontdesk.agent.training.checked_options import check_options, loop_settings
from frontdesk.agent.training.generator.generator_data import digest
from frontdesk.agent.training.generator.generator_dialogues import (
    ORIGINAL,
    GivenDialogues,
    held_out_files,
)
from frontdesk.agent.training.generator.generator_examples import Example, Language, encode_examples
from frontdesk.agent.training.generator.generator_task import GeneratorTask
from frontdesk.agent.training.generator.record import RecordedTurn, generation_example
from frontdesk.agent.training.generator.recorder import Recorder
from frontdesk.agent.training.model_card import (
    ModelCard,
    origin,
    write_model_card,
)
from frontdesk.agent.training.training_folder import try_folder
from frontdesk.agent.training.training_loop import TrainingResult, loop_identity, train
from frontdesk.data.datasets.generation_examples import write_generation_examples
from frontdesk.generation.voice.model_folder import CONFIG, WEIGHTS, save_model
from frontdesk.generation.voice.pointer.config import PointerConfig
from frontdesk.generation.voice.pointer.ensemble import PointerEnsemble, load_single_model
from frontdesk.generation.voice.pointer.model import PointerGeneratorModel
from frontdesk.generation.voice.pointer.states import StateReader
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.models.hub_models import torch_device

_PACKAGES = ("torch", "transformers", "safetensors")
_MODEL = "model"


def run_generator(options: argparse.Namespace) -> int:
    """Train as the options say.

    Raises:
        FrontdeskError: The data, the options or the output folder are not usable.
    """
    return _GeneratorTraining(options).run()


class _GeneratorTraining:
    """One call of the command."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        check_options(options, shares=("dropout", "no_facts"), facts=1, jobs=1, augmented=0,
                      simulated=0, repeats=1, members=1, samples=1)
        self.settings = loop_settings(options, ema=0.998)
        self.device = torch_device(options.device)
        self.start = load_single_model(options.start) if options.start is not None else None
        self.identity = {name: str(getattr(options, name)) for name in (
            "dropout", "no_facts", "facts", "repeats")}
        self.identity["start"] = "" if options.start is None else hashlib.sha256(
            (options.start / WEIGHTS).read_bytes()).hexdigest()
        self.reader = StateReader()
        given = GivenDialogues(options)
        self.cards, self.held_out = given.cards, given.held_out
        self.lowercase = any(each.lowercase for each, _ in held_out_files(options))
        self.dialogues = given.of_both_kinds()
        self._try_output()
        self.recorder = Recorder(options, self.cards)

    def run(self) -> int:
        turns = self.recorder.turns(self.dialogues, "recording what is learned from")
        development = self.recorder.turns(self.held_out, "recording what is measured on")
        if self.options.examples_only:
            return self._write_examples(turns, development)
        language = self._language(turns)
        examples = self._encode(turns, language, "encoding what is learned from")
        examples += (self.options.repeats - 1) * [
            each for each in examples if each.turn.dialogue.startswith(ORIGINAL)]
        held_out = self._encode(development, language, "encoding what is measured on")
        identity = {"turns": digest(turns), "development": digest(development),
                    **self.identity}
        members: list[PointerGeneratorModel] = []
        results: list[TrainingResult] = []
        for number in range(self.options.members):
            settings = replace(self.settings, seed=self.options.seed + number)
            torch.manual_seed(settings.seed)
            task = GeneratorTask(
                self._model(language), language.vocabulary, examples, held_out,
                batch_size=settings.batch_size,
                lowercase=self.lowercase, no_facts=self.options.no_facts)
            results.append(train(task, settings, self._member(number),
                                 resume=self.options.resume, identity=identity))
            members.append(task.model)
        folder = self.options.output / _MODEL
        task.model = model = members[0] if len(members) == 1 else PointerEnsemble.of(members)
        save_model(model, folder)
        figures = {f"member {number}, greedy": result.best
                   for number, result in enumerate(results, start=1)}
        figures["all, 4 beams"] = {"bleu": task.bleu(task.replies(held_out, num_beams=4)),
                                   "nll": task.nll()}
        said = task.drawn_replies(tracked(held_out, "replying to what is measured on",
                                          len(held_out)))
        figures[drawn := f"all, {model.config.samples} draws"] = {"bleu": task.bleu(said)}
        self._write_card(folder, model, figures, sum(result.seconds for result in results))
        self.recorder.remove()
        sys.stdout.write(f"BLEU {figures[drawn]['bleu']:.1f} on held-out dialogues\n"
                         f"{folder}\n")
        return 0

    # --- the folder

    def _try_output(self) -> None:
        """Refuse a folder before anything is recorded, which may take long."""
        if not self.options.examples_only:
            for number in range(self.options.members):
                settings = replace(self.settings, seed=self.options.seed + number)
                try_folder(self._member(number), {
                    **self.identity, **loop_identity(settings, self.device)},
                    resume=self.options.resume)
            return
        try_folder(self.options.output, {}, resume=True)
        for path in self._examples().values():
            if path.exists():
                raise InputError(f"{path} exists already",
                                 remedy="Remove it, or choose another --output")

    def _member(self, number: int) -> Path:
        return Path(self.options.output) / f"member-{number + 1}"

    def _examples(self) -> dict[str, Path]:
        return {name: Path(self.options.output) / f"{name}.jsonl" for name in ("train", "dev")}

    # --- examples

    def _write_examples(self, turns: Sequence[RecordedTurn],
                        development: Sequence[RecordedTurn]) -> int:
        for name, recorded in (("train", turns), ("dev", development)):
            path = self._examples()[name]
            write_generation_examples(path, map(generation_example, recorded))
            sys.stdout.write(f"{path}: {len(recorded)} turns\n")
        self.recorder.remove()
        return 0

    # --- the model

    def _language(self, turns: Sequence[RecordedTurn]) -> Language:
        if self.start is None:
            return Language.of_turns(turns)
        model, vocabulary = self.start
        return Language.of_turns(turns, vocabulary=vocabulary,
                                 predicates=model.config.predicates)

    def _encode(self, turns: Sequence[RecordedTurn], language: Language, what: str
                ) -> list[Example]:
        """Turns as examples."""
        with Console(stderr=True).status(f"{what} ({len(turns)} turns)"):
            return encode_examples(turns, language, self.reader)

    def _model(self, language: Language) -> PointerGeneratorModel:
        dropout = self.options.dropout
        if self.start is None:
            model = PointerGeneratorModel(PointerConfig(
                vocabulary=list(language.vocabulary.entries),
                predicates=list(language.predicates), samples=self.options.samples,
                dropout=dropout))
        else:
            start, _ = self.start
            model = PointerGeneratorModel(PointerConfig.from_dict(
                {**start.config.to_dict(), "samples": self.options.samples,
                 "dropout": dropout}))
            model.load_state_dict(start.state_dict())
        torch.nn.Module.to(model, self.device)
        return model

    def _write_card(self, folder: Path, model: torch.nn.Module,
                    figures: Mapping[str, Mapping[str, float]], seconds: float) -> None:
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
            weights=(CONFIG, WEIGHTS), data=self.cards,
            settings={**self.settings.identity(), "augmented": options.augmented,
                      "simulated": options.simulated, "facts": options.facts,
                      "dropout": options.dropout, "repeats": options.repeats,
                      "members": options.members, "no_facts": options.no_facts},
            figures=figures, examples=[],
            **origin("generator", options, model, seconds, _PACKAGES)))
