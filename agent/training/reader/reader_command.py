"""``frontdesk train reader``: make questions and claims of dialogues, train the reader of Q²."""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence

import torch

from frontdesk.agent.evaluation.progress_display import tracked
from frontdesk.agent.training.checked_options import check_options, loop_settings
from frontdesk.agent.training.generator.generator_data import digest
from frontdesk.agent.training.generator.generator_dialogues import GivenDialogues
from frontdesk.agent.training.generator.record import RecordedTurn
from frontdesk.agent.training.generator.recorder import Recorder
from frontdesk.agent.training.model_card import (
    CardFile,
    ModelCard,
    origin,
    write_model_card,
)
from frontdesk.agent.training.reader.reader_examples import ExampleMaker, PairExample
from frontdesk.agent.training.reader.reader_task import EncodedPair, ReaderTask, encode_pairs
from frontdesk.agent.training.training_folder import try_folder
from frontdesk.agent.training.training_loop import (
    LoopSettings,
    TrainingResult,
    loop_identity,
    train,
)
from frontdesk.generation.checks.q2.pair_model import PairConfig, PairModel
from frontdesk.generation.checks.q2.pair_texts import PairTexts
from frontdesk.generation.voice.model_folder import CONFIG, WEIGHTS, save_model
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.models.hub_models import torch_device

_MODEL = "model"


def run_reader(options: argparse.Namespace) -> int:
    """Train as the options say.

    Raises:
        FrontdeskError: The data, the options or the output folder are not usable.
    """
    check_options(options, facts=1, jobs=1, examples=1, augmented=0, simulated=0)
    settings = loop_settings(options, ema=0.998)
    identity = {name: str(getattr(options, name)) for name in ("dropout", "facts", "examples")}
    given = GivenDialogues(options)
    dialogues = given.of_both_kinds()
    try_folder(options.output, {**identity, **loop_identity(
        settings, torch_device(options.device))}, resume=options.resume)
    recorder = Recorder(options, given.cards)
    turns = recorder.turns(dialogues, "recording what is learned from")
    development = recorder.turns(given.held_out, "recording what is measured on")
    task = _task(options, _drawn(turns, options), list(_made(development, options.seed)))
    result = train(task, settings, options.output, resume=options.resume, identity={
        "turns": digest(turns), "development": digest(development), **identity})
    folder = options.output / _MODEL
    save_model(task.reader, folder)
    write_model_card(folder, _card(options, task, given.cards, settings, result))
    recorder.remove()
    sys.stdout.write(f"accuracy {result.best['accuracy']:.3f} on held-out dialogues\n{folder}\n")
    return 0


def _made(turns: Sequence[RecordedTurn], seed: int) -> list[PairExample]:
    return list(ExampleMaker(turns, seed).make())


def _drawn(turns: Sequence[RecordedTurn], options: argparse.Namespace) -> list[PairExample]:
    examples = _made(turns, options.seed)
    random.Random(options.seed).shuffle(examples)
    return examples[:options.examples]


def _task(options: argparse.Namespace, training: Sequence[PairExample],
          held_out: Sequence[PairExample]) -> ReaderTask:
    device = torch_device(options.device)
    # MiniLM reads each text once, so that all of them must be kept while they are read.
    texts = PairTexts(sys.maxsize)
    encoded: list[list[EncodedPair]] = [
        list(encode_pairs(tracked(examples, f"reading what is {what}", len(examples)), texts))
        for examples, what in ((training, "learned from"), (held_out, "measured on"))]
    for examples, what in zip(encoded, ("learn from", "measure on"), strict=True):
        if not examples:
            raise InputError(f"there is no question or claim to {what}",
                             remedy="Give dialogues whose replies say what the facts say")
    torch.manual_seed(options.seed)
    model = PairModel(PairConfig(dropout=options.dropout))
    torch.nn.Module.to(model, device)
    return ReaderTask(model, *encoded, batch_size=options.batch_size)


def _card(options: argparse.Namespace, task: ReaderTask, cards: Sequence[CardFile],
          settings: LoopSettings, result: TrainingResult) -> ModelCard:
    return ModelCard(
        name=f"embedded reader ({options.output.name})",
        description="Reads a question or a claim beside sentences, all as the frozen MiniLM "
                    "(all-MiniLM-L6-v2) reads them: where the answer stands, and whether the "
                    "sentences entail or contradict the claim.",
        intended_use="Q² and QAGS over replies of receptionists and of a car, without a download.",
        limits=("English alone; facts of organisations and cars. On running text it is far behind "
                "readers and inference of the hub.",
                "Its questions put a question word in the place of what is asked for, as those of "
                "frontdesk do; it has hardly seen others.",
                "What a claim entails it learned from replies whose values all stand in the facts "
                "and from the same replies with another value: it is poor at negation."),
        weights=(CONFIG, WEIGHTS), data=cards,
        settings={**settings.identity(), "augmented": options.augmented,
                  "simulated": options.simulated, "facts": options.facts,
                  "examples": options.examples, "dropout": options.dropout},
        figures={"held-out questions and claims": result.best}, examples=[],
        **origin("reader", options, task.reader, result.seconds,
                 ("torch", "transformers", "safetensors")))
