"""The options of ``frontdesk train generator``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from frontdesk.agent.training.dialogue_options import (
    add_dialogue_options,
    add_machine_options,
)
from frontdesk.agent.training.fine_tune.fine_tune_command import (
    FINE_TUNE_EXAMPLES,
    add_fine_tune_options,
)

_EXAMPLES = """\
examples:
  frontdesk train generator --kvret kvret_train_public.json \\
      --held-out-kvret kvret_dev_public.json --output runs/car
  frontdesk train generator --graphwoz graphwoz_train.json --augmented 6 --simulated 1200 \\
      --held-out-graphwoz graphwoz_dev.json --output runs/receptionist
  frontdesk train generator ... --output runs/receptionist --resume
  frontdesk train generator --kvret kvret_train_public.json \\
      --held-out-kvret kvret_dev_public.json --output runs/examples --examples-only
  frontdesk train generator --model microsoft/GODEL-v1_1-base-seq2seq \\
      --examples runs/examples/train.jsonl --dev-examples runs/examples/dev.jsonl \\
      --output runs/godel        # fine-tunes a model of transformers; see --model NAME --help

The folder gets model/ with the weights, their configuration and a card, log.csv, TensorBoard
files, and a checkpoint, so that a training that was stopped goes on with --resume. To use the
model, name its folder in your settings: [embedded] model = "DIR/model".
"""


#: What the parser calls it; users do not.
FINE_TUNE = "fine-tune"


def named_by_model(words: Sequence[str]) -> list[str]:
    """The words of a command line, ``train generator --model NAME`` told from training our own."""
    found = list(words)
    if found[:2] == ["train", "generator"] and any(
            word == "--model" or word.startswith("--model=") for word in found):
        found[1] = FINE_TUNE
    return found


def add_generator_parser(models: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``generator`` to what can be trained."""
    parser = models.add_parser(
        "generator", help="the generator of replies", epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Train the embedded generator on dialogues, jointly with the relevance model, "
                    "or fine-tune a model of the transformers library (--model).")
    add_fine_tune_options(models.add_parser(
        FINE_TUNE, prog="frontdesk train generator", epilog=FINE_TUNE_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Fine-tune a model of the transformers library."))
    files = add_dialogue_options(parser)
    files.add_argument("--repeats", type=int, default=3, metavar="N",
                       help="times that an epoch has each GraphWOZ dialogue that is no copy (3)")
    parser.add_argument("--members", type=int, default=1, metavar="N",
                        help="models from different random starts whose probabilities are "
                             "averaged (1)")
    parser.add_argument("--facts", type=int, default=20, metavar="N",
                        help="most facts of a turn (20)")
    parser.add_argument("--epochs", type=int, default=24, metavar="N", help="most epochs (24)")
    parser.add_argument("--batch-size", type=int, default=48, metavar="N",
                        help="turns of a step (48)")
    parser.add_argument("--learning-rate", type=float, default=1.2e-3, metavar="RATE",
                        help="the highest (0.0012)")
    parser.add_argument("--dropout", type=float, default=0.2, metavar="P", help="in [0, 1) (0.2)")
    parser.add_argument("--no-facts", type=float, default=0.05, metavar="P",
                        help="probability that a turn comes without its facts, in [0, 1) (0.05)")
    parser.add_argument("--samples", type=int, default=64, metavar="N",
                        help="replies that the model is to draw in use, by all members together "
                             "(64)")
    parser.add_argument("--patience", type=int, default=4, metavar="N",
                        help="evaluations without a better BLEU that end the training; 0: none (4)")
    parser.add_argument("--evaluate-every", type=float, default=2.0, metavar="EPOCHS",
                        help="epochs between evaluations (2)")
    parser.add_argument("--precision", choices=("auto", "fp32", "bf16"), default="auto",
                        help="auto takes bf16 on a GPU that has it, else fp32")
    parser.add_argument("--start", type=Path, metavar="DIR",
                        help="folder of a model to begin with; its words and predicates are kept")
    add_machine_options(parser, jobs=2)
    parser.add_argument("--examples-only", action="store_true",
                        help="write train.jsonl and dev.jsonl, from which other models can be "
                             "fine-tuned, and train nothing")
    parser.add_argument("--resume", action="store_true",
                        help="go on with the training that the output folder holds")
