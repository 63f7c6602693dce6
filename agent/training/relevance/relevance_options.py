"""The options of ``frontdesk train relevance``."""

from __future__ import annotations

import argparse
from pathlib import Path

from frontdesk.agent.training.dialogue_options import (
    add_dialogue_options,
    add_machine_options,
)

METHODS = ("in-turn", "together", "separate")
_EXAMPLES = """\
examples:
  frontdesk train relevance --reduced graphwoz_train_turns.json --augmented 2 --simulated 200 \\
      --generator runs/receptionist/model --held-out-graphwoz graphwoz_dev.json \\
      --output runs/relevance
  frontdesk train relevance --kvret kvret_train_public.json --generator runs/car/model \\
      --method together --output runs/relevance-car
  frontdesk train relevance ... --ablation --output runs/ablation

The folder gets relevance.json with the weights and where they are from, curve.csv and curve.png;
with --ablation also ablation.md, ablation.csv and ablation.png. A generator that was trained too is
in generator/. To use the weights, name the file in your settings:
[relevance] model = "DIR/relevance.json".
"""


def add_relevance_parser(models: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``relevance`` to what can be trained."""
    parser = models.add_parser(
        "relevance", help="the relevance model, with the generator", epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Train the relevance model through the generator's likelihood of replies: "
                    "P(y|x) = sum over facts z of P(y|x,z) P(z|x).")
    add_dialogue_options(parser)
    parser.add_argument("--generator", type=Path, metavar="DIR",
                        help="folder of a trained embedded generator; not for --method separate")
    parser.add_argument("--method", choices=METHODS, default="in-turn",
                        help="in-turn: relevance by the generator's likelihood, then the generator "
                             "on its ranking; together: one loss for both; separate: by the values "
                             "that facts and replies share, without a generator (in-turn)")
    parser.add_argument("--facts", type=int, default=20, metavar="K",
                        help="most relevant facts that the sum goes over, at most 64 (20)")
    parser.add_argument("--rounds", type=int, default=1, metavar="N",
                        help="in-turn: trainings of the relevance model (1)")
    parser.add_argument("--generator-epochs", type=int, default=0, metavar="N",
                        help="in-turn: epochs of the generator after each (0: it stays as it is)")
    parser.add_argument("--epochs", type=int, default=2, metavar="N",
                        help="together: times that every turn is seen (2)")
    parser.add_argument("--hidden", type=int, default=16, metavar="N",
                        help="units of the hidden layer; 0 for none (16)")
    parser.add_argument("--steps", type=int, default=400, metavar="N",
                        help="most steps of a training of the relevance model (400)")
    parser.add_argument("--learning-rate", type=float, default=0.02, metavar="RATE",
                        help="of these steps (0.02)")
    parser.add_argument("--pull", type=float, default=1e-3, metavar="NATS",
                        help="by which weights are drawn to where they began (0.001)")
    parser.add_argument("--ablation", action="store_true",
                        help="also train without parts of it and write a table")
    parser.add_argument("--replies", action="store_true",
                        help="with --ablation: answer the held-out dialogues for every row of the "
                             "table too (BLEU, entity F1, hallucination rate; takes long)")
    add_machine_options(parser, jobs=1)
