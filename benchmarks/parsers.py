"""Which parser understands best and what it costs, learned from the same utterances.

Heads on MiniLM as it was pretrained, the same fine-tuned, fine-tuned MiniLM with the decoder that
frontdesk ships, SmolLM2-135M with low-rank additions held to the grammar of the forms, which is so
slow that it learns from the first of them alone, and the decoder taught by that one besides: what
SmolLM2 makes of further utterances is learned as well; its seconds do not count what the teacher
took. Times are those of one core, of networks as they were trained, which the shipped parser's are
not. Measured on utterances that none has learned from, names of nobody known.

    python benchmarks/parsers.py --data FOLDER [--examples N] [--only NAME …] [--json FILE]
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import torch
from rich.console import Console
from rich.progress import track
from rich.table import Table
from support import ROOT
from support.benchmark import parse_options, write_report
from support.language_model_parser import LanguageModelParser
from support.skeleton_heads import SkeletonHeads
from torch import Tensor

from frontdesk.agent.evaluation.understanding.score_forms import measure_understanding, score_turn
from frontdesk.agent.training.optimisation import Optimiser, learning_rate
from frontdesk.agent.training.parser.parser_examples import ExampleMaker
from frontdesk.agent.training.parser.run_parser import EpochExamples, ParserData, parser_data
from frontdesk.data.datasets.parsed_turns import LANGUAGE, ParsedTurn
from frontdesk.kg.graph.errors import FrontdeskError
from frontdesk.kg.models.minilm import minilm
from frontdesk.kg.parser.form_tokens import FormTokens
from frontdesk.kg.parser.parser_input import EncodedInput, ParserInput, encode
from frontdesk.kg.parser.parser_weights import SHAPE, new_network
from frontdesk.kg.parser.trained_parser import likeliest

NAMES = ("frozen-heads", "tuned-heads", "decoder", "smollm2", "taught-decoder")
#: Data sets and where they lie in the folder; what is written by hand always counts.
_FILES = {"smcalflow": "smcalflow/smcalflow_dialogues.jsonl.gz",
          "sgd": "sgd-calendar/sgd_calendar_dialogues.jsonl.gz",
          "nlu_home": "nlu-home/nlu_home.csv.gz", "clinc": "clinc/clinc_oos_full.json.gz"}
_HELD_OUT = ROOT / "tests" / "samples" / "held_out_utterances.jsonl"
#: Columns of the table where it is not written to a terminal.
_WIDTH = 160
_BATCH, _EPOCHS, _RATE, _LORA_RATE, _WARMUP, _DECAY = 16, 2, 8e-4, 5e-4, 0.1, 0.01

Pair = tuple[EncodedInput, tuple[int, ...]]


class Candidate(Protocol):
    """A parser that learns."""

    def loss(self, batch: Sequence[Pair]) -> Tensor:
        """Of utterances and their sequences."""
        ...

    def write(self, read: EncodedInput) -> Sequence[int]:
        """The likeliest sequence."""
        ...

    def trained(self) -> Mapping[str, Tensor]:
        """The weights that are learned."""
        ...


class Decoder:
    """The parser's own network."""

    def __init__(self, tokens: FormTokens) -> None:
        self.tokens, self.model = tokens, new_network(tokens)

    def loss(self, batch: Sequence[Pair]) -> Tensor:
        total, _, count = self.model.losses([read for read, _ in batch], [own for _, own in batch],
                                            [len(own) for _, own in batch])
        return total / count

    def write(self, read: EncodedInput) -> Sequence[int]:
        (found,) = likeliest(self.model, self.tokens, [read], width=4, longest=SHAPE["longest"])
        return found[0].tokens if found else ()

    def trained(self) -> Mapping[str, Tensor]:
        return self.model.trained_part()


@dataclass(frozen=True)
class Examples:
    """What all learn from.

    Args:
        learned: Utterances and their sequences.
        further: Utterances whose forms nobody is told.
    """

    learned: list[Pair]
    further: list[EncodedInput]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, metavar="FOLDER",
                        default=os.environ.get("FRONTDESK_DATA"),
                        help="with the data sets ($FRONTDESK_DATA)")
    parser.add_argument("--examples", type=int, default=8000, help="utterances to learn from "
                        "(8000)")
    parser.add_argument("--lm-examples", type=int, default=1500,
                        help="of these for SmolLM2, which is slow (1500)")
    parser.add_argument("--further", type=int, default=1500, help="utterances that SmolLM2 teaches "
                        "(1500)")
    parser.add_argument("--measured", type=int, default=150, help="held-out utterances of a data "
                        "set (150)")
    parser.add_argument("--only", nargs="+", choices=NAMES, default=NAMES, metavar="NAME",
                        help=", ".join(NAMES))
    options = parse_options(parser, data=None, examples=12, lm_examples=2, further=2, measured=1,
                            only=NAMES[:3])
    torch.set_num_threads(1)
    torch.manual_seed(0)
    cases: list[dict[str, Any]] = []
    try:
        for case in measure(options):
            cases.append(case)
            write_report(options.json, "parsers", cases)  # what was measured stays
    except FrontdeskError as error:
        Console(stderr=True).print(str(error), style="red")
        return 2
    show(cases, Console(width=None if sys.stdout.isatty() else _WIDTH))
    return 0


def measure(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Each parser: trained, then measured."""
    tokens = FormTokens(LANGUAGE)
    data = _read(options)
    examples = _examples(options, data, tokens)
    few = examples.learned[:options.lm_examples]
    turns = _measured(data, options.measured)

    @cache
    def teacher() -> tuple[LanguageModelParser, float]:
        found = LanguageModelParser(tokens)
        return found, fit(found, found.model, few, _LORA_RATE)

    for name in options.only:
        learned = examples.learned
        if name == "smollm2":
            learned = few
            candidate: Candidate
            candidate, seconds = teacher()
        elif name.endswith("heads"):
            candidate = SkeletonHeads(tokens, [own for _, own in learned],
                                      frozen=name == "frozen-heads")
            seconds = fit(candidate, candidate, learned)
        else:
            if name == "taught-decoder":
                learned = [*learned, *((read, tuple(teacher()[0].write(read)))
                                       for read in track(examples.further, "teaching"))]
            candidate = Decoder(tokens)
            seconds = fit(candidate, candidate.model, learned)
        yield {"case": name, "repetitions": len(turns), "examples": len(learned),
               "training_s": round(seconds, 1), "weights_mb": _megabytes(candidate),
               **_figures(candidate, tokens, turns)}


def _read(options: argparse.Namespace) -> ParserData:
    folder: Path | None = options.data and Path(options.data)
    files = {name: [folder / file] if folder else [] for name, file in _FILES.items()}
    return parser_data(argparse.Namespace(**files, written=[], held_out=[_HELD_OUT], leave_out=[],
                                          seed=0))


def _examples(options: argparse.Namespace, data: ParserData, tokens: FormTokens) -> Examples:
    rng = random.Random(0)
    maker = ExampleMaker(minilm().tokenizer, tokens, SHAPE["longest"])
    found = [each for each in EpochExamples(data, maker, options.examples // 3, 1)(0, rng)
             if each.counted == len(each.target)]
    rng.shuffle(found)
    return Examples([(each.read, each.target) for each in found[:options.examples]],
                    [each.read for each in found[options.examples:] if each.source != "invented"
                     ][:options.further])


def _measured(data: ParserData, most: int) -> list[tuple[str, ParsedTurn]]:
    rng = random.Random(1)
    return [(name, turn) for name, turns in data.measured.items() if name != "invented"
            for turn in rng.sample(turns, min(len(turns), most))]


def fit(candidate: Candidate, model: torch.nn.Module, pairs: Sequence[Pair],
        rate: float = _RATE) -> float:
    """Train; gives the seconds of the one core that it takes."""
    began, rng = time.process_time(), random.Random(0)
    optimiser = Optimiser(model, "fp32", weight_decay=_DECAY, clip=1.0)
    batches = [batch for _ in range(_EPOCHS) for batch in _batches(pairs, rng)]
    model.train()
    for step, batch in enumerate(track(batches, type(candidate).__name__)):
        optimiser.backward(candidate.loss(batch))
        optimiser.step(learning_rate(step / len(batches), rate, _WARMUP), 1)
    model.eval()
    return time.process_time() - began


def _batches(pairs: Sequence[Pair], rng: random.Random) -> Iterator[Sequence[Pair]]:
    """Batches of utterances of about one length, in any order."""
    ordered = sorted(rng.sample(pairs, len(pairs)), key=lambda each: len(each[0].ids))
    batches = [ordered[first:first + _BATCH] for first in range(0, len(ordered), _BATCH)]
    rng.shuffle(batches)
    yield from batches


def _megabytes(candidate: Candidate) -> float:
    """Of what is learned, in half precision; of a language model also what it stands on."""
    learned = sum(each.numel() for each in candidate.trained().values()) * 2 / 1e6
    return round(learned + getattr(candidate, "megabytes", 0.0), 1)


def _figures(candidate: Candidate, tokens: FormTokens, turns: Sequence[tuple[str, ParsedTurn]]
             ) -> dict[str, Any]:
    milliseconds: list[float] = []
    scores, of_sets = [], dict[str, list[bool]]()
    for name, turn in track(turns, "measuring"):
        read = encode(minilm().tokenizer, ParserInput(
            turn.utterance, turn.context.asked, turn.context.forms))
        began = time.process_time()
        written = candidate.write(read)
        milliseconds.append(1000 * (time.process_time() - began))
        found = tokens.read(written, turn.utterance, read)
        scores.append(score_turn((turn.forms, *turn.also), found))
        of_sets.setdefault(name, []).append(scores[-1].right)
    report = measure_understanding(scores, milliseconds)
    return {**{key: report[key] for key in ("act_accuracy", "slot_f1", "form_exact_match")},
            "exact": {name: statistics.mean(each) for name, each in of_sets.items()},
            "ours_ms": statistics.median(milliseconds)}


_COLUMNS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "learned from": lambda case: f"{case['examples']:,}",
    "training, s": lambda case: f"{case['training_s']:,.0f}",
    "weights, MB": lambda case: f"{case['weights_mb']:.0f}",
    "acts": lambda case: f"{case['act_accuracy']:.3f}",
    "slots F1": lambda case: f"{case['slot_f1'] or 0:.3f}",
    "exact": lambda case: f"{case['form_exact_match']:.3f}",
    "p50, ms": lambda case: f"{case['ours_ms']:.0f}"}


def show(cases: Sequence[Mapping[str, Any]], console: Console) -> None:
    sets = list(cases[0]["exact"]) if cases else []
    table = Table(title="Parsers, on held-out utterances")
    for column in ("", *_COLUMNS, *(f"exact, {name}" for name in sets)):
        table.add_column(column, justify="right" if column else "left")
    for case in cases:
        table.add_row(case["case"], *(shown(case) for shown in _COLUMNS.values()),
                      *(f"{case['exact'][name]:.3f}" for name in sets))
    console.print(table)


if __name__ == "__main__":
    sys.exit(main())
