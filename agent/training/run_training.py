"""``frontdesk train linking``: learn the weights of the linking rules and judge them."""

from __future__ import annotations

import argparse
import platform
import shlex
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from importlib.metadata import version
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import Progress, TaskID

from frontdesk.agent.evaluation.progress_display import counting
from frontdesk.agent.evaluation.results import code_digest, write_whole
from frontdesk.agent.training.annotated import DialogueReplay
from frontdesk.agent.training.compare_weights import compare_weights, verdict
from frontdesk.agent.training.judge_model import JudgedMention, judge_dialogue
from frontdesk.agent.training.trained_examples import DialogueExamples, Source
from frontdesk.agent.training.training_data import annotated_examples, load_training_data
from frontdesk.agent.training.training_folder import PAGE, REPORT, WEIGHTS, TrainingFolder
from frontdesk.agent.training.training_page import report_html
from frontdesk.agent.training.training_report import (
    provenance,
    report_text,
    training_report,
    weights_text,
)
from frontdesk.kg.graph.errors import InputError
from frontdesk.rules.linking.circuit import LinkingCircuit
from frontdesk.rules.linking.interpretations import Interpretations
from frontdesk.rules.linking.learning_state import LearnedWeights, LearningSettings, LearningState
from frontdesk.rules.linking.link_learning import learn_weights

_PACKAGES = ("problog", "pysdd", "numpy")
_EXAMPLES, _FINAL = "examples", "final"


def run_train(options: argparse.Namespace) -> int:
    """Train as the options say.

    Raises:
        FrontdeskError: The data, the options or the output folder are not usable.
    """
    return _LinkingTraining(options).run()


class _LinkingTraining:
    """One call of the command."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.settings = LearningSettings(options.iterations, options.tolerance, options.prior,
                                         options.restarts, options.seed)
        self.data = load_training_data(options.graphwoz, options.reduced, options.conversations)
        names = list(self.data.annotated)
        if not 2 <= options.folds <= len(names):
            raise InputError(f"--folds is {options.folds}", remedy="Give at least 2, and at most "
                             f"the number of annotated dialogues ({len(names)})")
        order = np.random.default_rng(options.seed).permutation(len(names)).tolist()
        self.folds = [sorted(names[place] for place in order[fold::options.folds])
                      for fold in range(options.folds)]
        self.circuit = LinkingCircuit()
        self.replays: dict[str, DialogueReplay] = {}

    def run(self) -> int:
        judged: dict[str, list[JudgedMention]] = {}
        outcomes: list[LearnedWeights] = []
        with counting(Console(stderr=True)) as progress:
            try:
                folder = TrainingFolder(self.options.output, self._identity(),
                                        resume=self.options.resume)
                examples, by_hand = self._examples(folder, progress)
                for number, held_out in enumerate(self.folds, start=1):
                    learned, mentions = self._fold(folder, progress, number, held_out, examples)
                    judged.update(mentions)
                    outcomes.append(learned)
                final = self._learn(folder, progress, _FINAL, "all dialogues", examples)
            except KeyboardInterrupt:
                progress.stop()
                sys.stderr.write(f"frontdesk: stopped; {len(outcomes)} of {len(self.folds)} folds "
                                 "are kept, --resume goes on\n")
                raise
        comparison = compare_weights(_in_order(by_hand), _in_order(judged),
                                     seed=self.options.seed)
        self._write(folder, training_report(
            identity=self._identity(), command=self._command(), rules=self.circuit.rules,
            examples=examples, folds=list(zip(self.folds, outcomes, strict=True)), final=final,
            comparison=comparison))
        sys.stdout.write(f"{verdict(comparison)}\n{self.options.output / PAGE}\n")
        return 0

    # --- steps

    def _examples(self, folder: TrainingFolder, progress: Progress
                  ) -> tuple[list[DialogueExamples], dict[str, list[JudgedMention]]]:
        """What all dialogues teach, and how they are linked by the weights set by hand."""
        if folder.done(_EXAMPLES):
            return folder.load(_EXAMPLES, _read_examples)
        examples, judged = [], {}
        bar = progress.add_task("linking dialogues",
                                total=len(self.data.annotated) + len(self.data.others))
        for name in self.data.annotated:
            taught, judged[name] = annotated_examples(name, self._replay(name), self.circuit)
            examples.append(taught)
            progress.advance(bar)
        for make in self.data.others.values():
            examples.append(make(self.circuit))
            progress.advance(bar)
        folder.keep(_EXAMPLES, {"examples": [each.to_json() for each in examples],
                                "judged": _judged_json(judged)})
        return examples, judged

    def _fold(self, folder: TrainingFolder, progress: Progress, number: int,
              held_out: Sequence[str], examples: Sequence[DialogueExamples]
              ) -> tuple[LearnedWeights, dict[str, list[JudgedMention]]]:
        """Learn from the other dialogues and link those that are held out."""
        name = f"fold-{number}"
        learned = self._learn(folder, progress, f"{name}-weights", f"fold {number}", [
            each for each in examples if each.dialogue not in held_out])
        if folder.done(name):
            return learned, folder.load(name, _read_judged)
        circuit = self.circuit.with_weights(learned.weights)
        bar = progress.add_task(f"fold {number}, held out", total=len(held_out))
        judged = {}
        for dialogue in held_out:
            judged[dialogue] = judge_dialogue(dialogue, self._replay(dialogue), circuit)
            progress.advance(bar)
        folder.keep(name, _judged_json(judged))
        return learned, judged

    def _learn(self, folder: TrainingFolder, progress: Progress, step: str, said: str,
               examples: Iterable[DialogueExamples]) -> LearnedWeights:
        if folder.done(step):
            return folder.load(step, lambda data: LearnedWeights.from_json(data))
        pairs = Interpretations.gather((pair for each in examples for pair in each.interpretations),
                                       self.circuit.evidence)
        bar = progress.add_task(f"learning, {said}", total=self.settings.iterations)
        learned = learn_weights(self.circuit, pairs, self.settings,
                               state=folder.state(step, LearningState.from_json),
                               on_iteration=self._keeper(folder, step, progress, bar))
        progress.update(bar, total=learned.iterations, completed=learned.iterations)
        folder.keep(step, learned.to_json())
        return learned

    def _keeper(self, folder: TrainingFolder, step: str, progress: Progress,
                bar: TaskID) -> Callable[[LearningState], None]:
        def keep(state: LearningState) -> None:
            folder.keep_state(step, state.to_json())
            progress.update(bar, completed=len(state.objectives) - 1)
        return keep

    def _replay(self, name: str) -> DialogueReplay:
        if name not in self.replays:
            self.replays[name] = DialogueReplay(self.data.annotated[name])
        return self.replays[name]

    # --- reporting

    def _identity(self) -> dict[str, Any]:
        """What the results depend on."""
        return {"data": [asdict(each) for each in self.data.files], "folds": self.options.folds,
                "settings": asdict(self.settings), "version": version("frontdesk"),
                "python": platform.python_version(), "code": code_digest(),
                "packages": {name: version(name) for name in _PACKAGES}}

    def _command(self) -> str:
        """The command without folders, the same whether or not it was interrupted."""
        named = [(f"--{source}", [each.name for each in self.data.files if each.source is kind])
                 for source, kind in (("graphwoz", Source.GRAPHWOZ), ("reduced", Source.REDUCED),
                                      ("conversations", Source.CONVERSATION))]
        words = ["frontdesk", "train", "linking"]
        for option, values in named:
            words += [option, *values] if values else []
        for option in ("folds", "seed", "iterations", "tolerance", "prior", "restarts"):
            words += [f"--{option}", f"{getattr(self.options, option):g}"]
        return shlex.join(words)

    def _write(self, folder: TrainingFolder, report: Mapping[str, Any]) -> None:
        weights = {each["name"]: each["learned"] for each in report["weights"]
                   if each["learned"] is not None}
        write_whole(folder.path / WEIGHTS, weights_text(weights, provenance(report)))
        write_whole(folder.path / REPORT, report_text(report))
        write_whole(folder.path / PAGE, report_html(report))


def _in_order(judged: Mapping[str, Sequence[JudgedMention]]) -> list[JudgedMention]:
    return [each for name in sorted(judged) for each in judged[name]]


def _judged_json(judged: Mapping[str, Sequence[JudgedMention]]) -> dict[str, Any]:
    return {name: [each.to_json() for each in mentions] for name, mentions in judged.items()}


def _read_judged(data: Any) -> dict[str, list[JudgedMention]]:
    return {name: [JudgedMention.from_json(each) for each in mentions]
            for name, mentions in data.items()}


def _read_examples(data: Any
                   ) -> tuple[list[DialogueExamples], dict[str, list[JudgedMention]]]:
    return ([DialogueExamples.from_json(each) for each in data["examples"]],
            _read_judged(data["judged"]))
