"""The options of ``frontdesk train``."""

from __future__ import annotations

import argparse
from pathlib import Path

from frontdesk.agent.training.train_options import FINE_TUNE, add_model_parsers
from frontdesk.kg.graph.errors import InputError

_EXAMPLES = """\
examples:
  frontdesk data fetch graphwoz --output data
  frontdesk train linking --graphwoz data/graphwoz_dev.json --output runs/linking
  frontdesk train linking --graphwoz data/graphwoz_train.json data/graphwoz_dev.json \\
      --conversations talks/*.json --folds 10 --output runs/linking
  frontdesk train linking --graphwoz data/graphwoz_dev.json --output runs/linking --resume

The folder gets linking_weights.pl with the learned weights and where they are from, report.json and
report.html: weights set by hand and learned, compared on dialogues that they were not learned from.
Finished folds are kept: a training that was stopped goes on with --resume to the same result.
To use the weights, name the file in your settings: [rules] linking_weights = "FILE".
"""


def add_train_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``train`` to the commands."""
    train = commands.add_parser(
        "train", help="learn from data", description="Learn from annotated and logged dialogues.")
    models = train.add_subparsers(dest="trained", required=True, metavar="MODEL")
    add_model_parsers(models)
    parser = models.add_parser(
        "linking", help="the weights of the linking rules", epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Learn the weights of the linking rules from interpretations, and judge them "
                    "by cross-validation over dialogues.")
    parser.add_argument("--graphwoz", type=Path, nargs="+", action="extend", required=True,
                        metavar="FILE", help="annotated dialogues, plain or compressed with gzip")
    parser.add_argument("--reduced", type=Path, nargs="+", action="extend", default=[],
                        metavar="FILE", help="GraphWOZ dialogues in the reduced form, in no file "
                                             "of --graphwoz; the reply that was given tells what "
                                             "was meant")
    parser.add_argument("--conversations", type=Path, nargs="+", action="extend", default=[],
                        metavar="FILE", help="conversations written by frontdesk chat --save; "
                                             "what users chose when asked tells what they meant")
    parser.add_argument("--output", type=Path, required=True, metavar="DIR",
                        help="folder for the results")
    parser.add_argument("--folds", type=int, default=5, metavar="N",
                        help="of the cross-validation, at least 2; as many as there are annotated "
                             "dialogues holds each of them out alone (5)")
    parser.add_argument("--seed", type=int, default=0, help="of folds and random starts (0)")
    parser.add_argument("--iterations", type=int, default=200, metavar="N",
                        help="most iterations of learning (200)")
    parser.add_argument("--tolerance", type=float, default=1e-6, metavar="NATS",
                        help="learning ends when the objective grows by no more (1e-6)")
    parser.add_argument("--prior", type=float, default=5.0, metavar="N",
                        help="pairs that each weight set by hand counts as (5)")
    parser.add_argument("--restarts", type=int, default=0, metavar="N",
                        help="random starts beside the weights set by hand (0)")
    parser.add_argument("--resume", action="store_true",
                        help="go on with the training that the output folder holds")


def run_train(options: argparse.Namespace) -> int:
    """Train what the options name.

    Raises:
        FrontdeskError: The data, the options or the output folder are not usable.
    """
    try:
        return _train(options)
    except InputError as error:
        # Settings name themselves as they are called in Python.
        name, _, rest = error.message.partition(" is ")
        if not rest or not hasattr(options, name):
            raise
        raise InputError(f"--{name.replace('_', '-')} is {rest}", place=error.place,
                         remedy=error.remedy) from error


def _train(options: argparse.Namespace) -> int:
    if options.trained == FINE_TUNE:
        from frontdesk.agent.training.fine_tune.fine_tune_command import run_fine_tune

        return run_fine_tune(options)
    if options.trained == "generator":
        from frontdesk.agent.training.generator.generator_command import run_generator

        return run_generator(options)
    if options.trained == "relevance":
        from frontdesk.agent.training.relevance.relevance_command import run_relevance

        return run_relevance(options)
    if options.trained == "parser":
        from frontdesk.agent.training.parser.run_parser import run_parser

        return run_parser(options)
    if options.trained == "faithfulness":
        from frontdesk.agent.training.reader.fit_faithfulness import run_faithfulness

        return run_faithfulness(options)
    if options.trained == "reader":
        from frontdesk.agent.training.reader.reader_command import run_reader

        return run_reader(options)
    from frontdesk.agent.training.run_training import run_train as run_linking

    return run_linking(options)
