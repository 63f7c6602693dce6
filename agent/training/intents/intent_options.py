"""The options of ``frontdesk train intents``."""

from __future__ import annotations

import argparse
from pathlib import Path

_EXAMPLES = """\
examples:
  frontdesk data fetch graphwoz --output data
  frontdesk train intents --held-out-graphwoz data/graphwoz_dev.json --output runs/intents
  frontdesk train intents --output runs/intents
  frontdesk train intents --output runs/intents --resume

The folder gets model/ with the weights, their configuration and a card, log.csv, TensorBoard files,
and a checkpoint, so that a training that was stopped goes on with --resume.
"""


def add_intents_parser(models: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``intents`` to what can be trained."""
    parser = models.add_parser(
        "intents", help="the head that tells what a user wants", epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Train the intent head on invented utterances, calibrate it on others whose "
                    "patterns it has not seen, and measure it on annotated dialogues.")
    parser.add_argument("--held-out-graphwoz", type=Path, metavar="FILE",
                        help="annotated dialogues to measure on; nothing is learned from what is "
                             "said in them")
    parser.add_argument("--output", type=Path, required=True, metavar="DIR",
                        help="folder for the results")
    parser.add_argument("--simulated", type=int, default=90000, metavar="N",
                        help="invented utterances (90000)")
    parser.add_argument("--hidden", type=int, default=192, metavar="N",
                        help="width of the hidden layer (192)")
    parser.add_argument("--epochs", type=int, default=12, metavar="N", help="most epochs (12)")
    parser.add_argument("--batch-size", type=int, default=64, metavar="N",
                        help="utterances of a step (64)")
    parser.add_argument("--learning-rate", type=float, default=1e-3, metavar="RATE",
                        help="the highest (0.001)")
    parser.add_argument("--dropout", type=float, default=0.35, metavar="P", help="in [0, 1) (0.35)")
    parser.add_argument("--patience", type=int, default=4, metavar="N",
                        help="epochs without a better likelihood that end the training; "
                             "0: none (4)")
    parser.add_argument("--seed", type=int, default=0, help="of all randomness (0)")
    parser.add_argument("--resume", action="store_true",
                        help="go on with the training that the output folder holds")
