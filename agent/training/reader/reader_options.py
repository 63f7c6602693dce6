"""The options of ``frontdesk train reader``."""

from __future__ import annotations

import argparse

from frontdesk.agent.training.dialogue_options import add_dialogue_options, add_machine_options

_EXAMPLES = """\
examples:
  frontdesk train reader --kvret kvret_train_public.json --graphwoz graphwoz_train.json \\
      --augmented 6 --simulated 600 --held-out-kvret kvret_dev_public.json \\
      --held-out-graphwoz graphwoz_dev.json --output runs/reader
  frontdesk train reader ... --output runs/reader --resume

The folder gets model/ with the weights, their configuration and a card, log.csv, TensorBoard files,
and a checkpoint, so that a training that was stopped goes on with --resume. To use the reader, name
its folder in your settings: [check] reader = "DIR/model".
"""


def add_reader_parser(models: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``reader`` to what can be trained."""
    parser = models.add_parser(
        "reader", help="the reader that answers the questions of Q²", epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Train the embedded reader, which answers questions about replies from facts "
                    "and tells whether facts entail or contradict a claim.")
    add_dialogue_options(parser)
    parser.add_argument("--facts", type=int, default=10, metavar="N",
                        help="most facts of a turn (10)")
    parser.add_argument("--examples", type=int, default=30000, metavar="N",
                        help="most questions and claims that are learned from, drawn from all "
                             "(30000)")
    parser.add_argument("--epochs", type=int, default=4, metavar="N", help="most epochs (4)")
    parser.add_argument("--batch-size", type=int, default=64, metavar="N",
                        help="questions and claims of a step (64)")
    parser.add_argument("--learning-rate", type=float, default=1e-3, metavar="RATE",
                        help="the highest (0.001)")
    parser.add_argument("--dropout", type=float, default=0.1, metavar="P", help="in [0, 1) (0.1)")
    parser.add_argument("--patience", type=int, default=2, metavar="N",
                        help="epochs without a better accuracy that end the training; 0: none (2)")
    parser.add_argument("--precision", choices=("auto", "fp32", "bf16"), default="auto",
                        help="auto takes bf16 on a GPU that has it, else fp32")
    add_machine_options(parser, jobs=2)
    parser.add_argument("--resume", action="store_true",
                        help="go on with the training that the output folder holds")
