"""What each part of the relevance model is good for, in one table."""

from __future__ import annotations

import argparse
import copy
import csv
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from frontdesk.agent.evaluation.evaluate_command import add_evaluate_command
from frontdesk.agent.evaluation.run_evaluation import run_evaluate
from frontdesk.agent.settings.settings import Condition
from frontdesk.agent.training.generator.generator_dialogues import held_out_files
from frontdesk.agent.training.relevance.joint_relevance import (
    JointGenerator,
    JointSettings,
    fit_separately,
    train_together,
)
from frontdesk.agent.training.relevance.relevance_plots import plot_bars
from frontdesk.agent.training.relevance.relevance_turns import (
    ScoredTurn,
    recall_at,
    relevance_turns,
)
from frontdesk.generation.voice.model_folder import save_model
from frontdesk.scoring.joint_training import fit_relevance
from frontdesk.scoring.relevance import FEATURES
from frontdesk.scoring.relevance_features import Matrix
from frontdesk.scoring.relevance_model import RelevanceNetwork, save_network

#: Of the paper; ``cosine_1`` and ``cosine_2`` are one there.
_PAPER = ("cosine_1", "cosine_2", "bm25", "recency")
_KS = (1, 3, 5, 10, 20)
_GIVEN = 10
_TOGETHER = "together with the generator"
_FIGURES = ("bleu", "entity_f1", "hallucination_rate")
_COLUMNS = ("row", "facts given", "logic", "recall@10", "recall@given", *_FIGURES)

Turns = Sequence[ScoredTurn]


@dataclass(frozen=True)
class Row:
    """A variant of the model.

    Args:
        logic: Whether derived facts are among them.
        generator: Folder of its generator, where it is not the one that was named.
    """

    name: str
    network: RelevanceNetwork
    given: int = _GIVEN
    logic: bool = True
    generator: Path | None = None


class Ablation:
    """Trains variants of the relevance model and measures them on held-out dialogues.

    Args:
        generator: As it is after the training.
        turns: To learn from, to end trainings by, to measure on.
    """

    def __init__(self, options: argparse.Namespace, settings: JointSettings,
                 generator: JointGenerator, turns: tuple[Turns, Turns, Turns],
                 trained: RelevanceNetwork) -> None:
        self.options, self.settings, self.generator = options, settings, generator
        self.learned, self.validation, self.measured = turns
        self.trained = trained
        self.folder: Path = options.output / "ablation"

    def run(self) -> str:
        """Write table and picture.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        lines: list[list[str | float | None]] = []
        shares: list[float] = []
        for number, row in enumerate(self._rows()):
            recalls = [recall_at(self.measured, row.network, k, logic=row.logic)
                       for k in (10, row.given)]
            shares.append(recalls[1])
            figures = self._replies(number, row) if self.options.replies else {}
            lines.append([row.name, row.given, "yes" if row.logic else "no", *recalls,
                          *(figures.get(name) for name in _FIGURES)])
            _write_csv(self.options.output / "ablation.csv", lines)  # rows take long
        table = _markdown(lines)
        (self.options.output / "ablation.md").write_text(table, encoding="utf-8")
        plot_bars(self.options.output / "ablation.png", [str(line[0]) for line in lines], shares,
                  what="share of the replies' values in the facts given")
        return table

    def _rows(self) -> Iterator[Row]:
        by_hand = RelevanceNetwork.start(hidden=0)
        yield Row("weights set by hand", by_hand)
        for name in FEATURES[:-3]:  # the last three are the same for all facts of a turn
            yield Row(f"only {name}", self._fit((name,)))
        yield Row("the paper's features", self._fit(_PAPER))
        yield Row("no hidden layer", self._fit(FEATURES, hidden=0, by_hand=True))
        yield Row("trained separately", fit_separately(
            self.learned, self.validation, self._start(FEATURES, by_hand=True),
            self.settings).network)
        yield Row(f"trained ({self.options.method})", self.trained)
        for facts in (each for each in _KS if each <= self.settings.facts):
            yield Row(f"K = {facts}, in the sum and given",
                      self._fit(FEATURES, by_hand=True, facts=facts), facts)
        yield Row("weights set by hand, without logic", by_hand, logic=False)
        yield Row("trained, without logic", self.trained, logic=False)
        yield self._together()  # the longest to train

    def _start(self, features: Sequence[str], *, by_hand: bool = False,
               hidden: int | None = None) -> RelevanceNetwork:
        return RelevanceNetwork.start(
            self.trained.predicates if by_hand else (), features=features, by_hand=by_hand,
            hidden=self.options.hidden if hidden is None else hidden, seed=self.options.seed)

    def _fit(self, features: Sequence[str], *, by_hand: bool = False, hidden: int | None = None,
             facts: int | None = None) -> RelevanceNetwork:
        """A network of some features, trained by the generator in one round.

        One that does not begin with the weights set by hand has no weights of predicates.
        """
        network = self._start(features, by_hand=by_hand, hidden=hidden)
        learned, validation = (
            relevance_turns(part, [each[:facts] for each in rankings],
                            [each[:facts] for each in likelihoods], network)
            for part, (rankings, likelihoods) in zip(
                (self.learned, self.validation), self._likelihoods, strict=True))
        return fit_relevance(network, learned, validation, self.settings.fit).network

    @cached_property
    def _likelihoods(self) -> list[tuple[list[list[int]], list[Matrix]]]:
        """log P(y|x,z) of the facts that the weights set by hand rank first."""
        by_hand = RelevanceNetwork.start(hidden=0)
        found = []
        for part in (self.learned, self.validation):
            rankings = [turn.ranking(by_hand)[:self.settings.facts] for turn in part]
            found.append((rankings, self.generator.likelihoods(part, rankings, by_hand)))
        return found

    def _together(self) -> Row:
        generator = JointGenerator(copy.deepcopy(self.generator.model), self.generator.language,
                                   self.generator.model.device)
        network = train_together(
            self.learned, self.validation, self._start(FEATURES, by_hand=True), generator,
            self.folder / "together", facts=min(5, self.settings.facts),
            epochs=self.options.epochs, seed=self.options.seed)
        folder = self.folder / "together" / "model"
        save_model(generator.model, folder)
        return Row(_TOGETHER, network, generator=folder)

    # --- replies

    def _replies(self, number: int, row: Row) -> dict[str, float | None]:
        """Figures of the replies of the whole pipeline to the held-out dialogues."""
        data_set, path = held_out_files(self.options)[-1]
        folder = self.folder / f"row-{number:02}"
        folder.mkdir(parents=True, exist_ok=True)
        weights = (folder / "relevance.json").resolve()
        save_network(row.network, weights, {"row": row.name})
        generator = (row.generator or self.options.generator).resolve()
        settings = folder / "settings.toml"
        settings.write_text(
            f"[knowledge]\nfacts = {row.given}\n[relevance]\nmodel = {json.dumps(str(weights))}\n"
            f"[embedded]\nmodel = {json.dumps(str(generator))}\n", encoding="utf-8")
        parser = argparse.ArgumentParser()
        add_evaluate_command(parser.add_subparsers())
        condition = Condition.RELEVANCE_LOGIC if row.logic else Condition.RELEVANCE
        run_evaluate(parser.parse_args([
            "evaluate", data_set.name, "--path", str(path),
            "--config", str(settings), "--condition", condition, "--repair", "none",
            "--jobs", str(self.options.jobs), "--output", str(folder / "run")]))
        report = json.loads((folder / "run" / "report.json").read_text(encoding="utf-8"))
        return {name: report.get(name) for name in _FIGURES}


def _write_csv(path: Path, lines: Sequence[Sequence[object]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(_COLUMNS)
        writer.writerows([f"{each:.4f}" if isinstance(each, float) else each for each in line]
                         for line in lines)


def _markdown(lines: Sequence[Sequence[object]]) -> str:
    shown = [[("–" if each is None else f"{each:.3f}" if isinstance(each, float) else str(each))
              for each in line] for line in lines]
    return "\n".join(f"| {' | '.join(line)} |" for line in (
        _COLUMNS, ["---"] * len(_COLUMNS), *shown)) + "\n"
