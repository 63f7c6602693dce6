"""Options that trainings share, and the command line of a training for its card."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

#: What a model does not depend on.
_LEFT_OUT = ("command", "trained", "run", "output", "resume", "jobs")


def add_dialogue_options(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Add the dialogues to learn from and to measure on, and the folder for the results.

    Returns:
        The group of the former, for further options of that kind.
    """
    files = parser.add_argument_group("dialogues to learn from")
    for name, what in (("kvret", "KVRET dialogues"), ("graphwoz", "GraphWOZ dialogues"),
                       ("reduced", "GraphWOZ dialogues in the reduced form")):
        files.add_argument(f"--{name}", type=Path, nargs="+", action="extend", default=[],
                           metavar="FILE", help=f"{what}, plain or compressed with gzip")
    files.add_argument("--augmented", type=int, default=0, metavar="N",
                       help="copies of each GraphWOZ dialogue with everything renamed (0)")
    files.add_argument("--simulated", type=int, default=0, metavar="N",
                       help="simulated dialogues with receptionists (0)")
    held = parser.add_argument_group("dialogues to measure on, never learned from")
    held.add_argument("--held-out-kvret", type=Path, metavar="FILE", help="KVRET dialogues")
    held.add_argument("--held-out-graphwoz", type=Path, metavar="FILE", help="GraphWOZ dialogues")
    parser.add_argument("--output", type=Path, required=True, metavar="DIR",
                        help="folder for the results")
    return files


def add_machine_options(parser: argparse.ArgumentParser, *, jobs: int) -> None:
    """Add device, seed and processes.

    Args:
        parser: Gets them.
        jobs: How many processes, where nothing is said.
    """
    parser.add_argument("--device", default="auto", help="a torch device (auto)")
    parser.add_argument("--seed", type=int, default=0, help="of all randomness (0)")
    parser.add_argument("--jobs", type=int, default=jobs, metavar="N",
                        help=f"processes that prepare the dialogues ({jobs})")


def command_line(model: str, options: argparse.Namespace) -> str:
    """The command without folders and without what its result does not depend on.

    Args:
        model: What is trained, as the command names it.
        options: Of the command.
    """
    words = ["frontdesk", "train", model]
    for name, value in vars(options).items():
        if name in _LEFT_OUT or value is None or value is False or value == []:
            continue  # 0 is a choice: --patience 0
        words.append(f"--{name.replace('_', '-')}")
        if value is not True:
            values = value if isinstance(value, list) else [value]
            words += [each.name if isinstance(each, Path) else str(each) for each in values]
    return shlex.join(words)
