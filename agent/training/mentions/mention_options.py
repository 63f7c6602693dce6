"""The options of ``frontdesk train mentions``."""

from __future__ import annotations

import argparse
from pathlib import Path

_EXAMPLES = """\
examples:
  frontdesk data fetch graphwoz --output data
  frontdesk train mentions --graphwoz data/graphwoz_train.json \\
      --held-out-graphwoz data/graphwoz_dev.json --output runs/mentions
  frontdesk train mentions --output runs/mentions          # simulated utterances alone
  frontdesk train mentions --output runs/mentions --resume

The folder gets model/ with the weights, their configuration and a card, log.csv, TensorBoard files,
and a checkpoint, so that a training that was stopped goes on with --resume. To use the tagger, name
its weights in your settings: [mentions] weights = "DIR/model/mention_tagger.safetensors".
"""


def add_mentions_parser(models: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``mentions`` to what can be trained."""
    parser = models.add_parser(
        "mentions", help="the tagger that finds mentions", epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Train the mention tagger on simulated utterances and on dialogues that are "
                    "labelled through their graph.")
    parser.add_argument("--graphwoz", type=Path, nargs="+", action="extend", default=[],
                        metavar="FILE", help="annotated dialogues, plain or compressed with gzip")
    parser.add_argument("--reduced", type=Path, nargs="+", action="extend", default=[],
                        metavar="FILE", help="GraphWOZ dialogues in the reduced form")
    parser.add_argument("--held-out-graphwoz", type=Path, metavar="FILE",
                        help="annotated dialogues to measure on; nothing is learned from what is "
                             "said in them")
    parser.add_argument("--output", type=Path, required=True, metavar="DIR",
                        help="folder for the results")
    parser.add_argument("--simulated", type=int, default=8000, metavar="N",
                        help="simulated utterances (8000)")
    parser.add_argument("--epochs", type=int, default=8, metavar="N", help="most epochs (8)")
    parser.add_argument("--batch-size", type=int, default=32, metavar="N",
                        help="utterances of a step (32)")
    parser.add_argument("--learning-rate", type=float, default=2e-3, metavar="RATE",
                        help="the highest (0.002)")
    parser.add_argument("--dropout", type=float, default=0.3, metavar="P", help="in [0, 1) (0.3)")
    parser.add_argument("--patience", type=int, default=5, metavar="N",
                        help="evaluations without a better F1 that end the training; 0: none (5)")
    parser.add_argument("--seed", type=int, default=0, help="of all randomness (0)")
    parser.add_argument("--resume", action="store_true",
                        help="go on with the training that the output folder holds")
