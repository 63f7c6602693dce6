"""What every benchmark does: read its options, tell the machine, write its report."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import psutil

from . import ROOT

#: Dialogues that are always there; too few for figures that compare.
SAMPLE = ROOT / "tests" / "samples" / "graphwoz_sample.json"
PACKAGES = ("frontdesk", "torch", "transformers", "numpy", "problog", "pysdd", "networkx")


def add_path(parser: argparse.ArgumentParser) -> None:
    """Give a benchmark the option ``--path``: GraphWOZ dialogues, the sample where none are."""
    data = os.environ.get("FRONTDESK_DATA")
    default = Path(data) / "graphwoz" / "graphwoz_dev.json.gz" if data else SAMPLE
    parser.add_argument("--path", type=Path, metavar="FILE", default=default,
                        help="GraphWOZ dialogues, plain or gzipped (those of $FRONTDESK_DATA; "
                             "without it the tests' sample, whose figures compare with nothing)")


def parse_options(parser: argparse.ArgumentParser, **smallest: Any) -> argparse.Namespace:
    """The options of a benchmark, with ``--json`` and ``--smallest``.

    Args:
        smallest: Their defaults under ``--smallest``.
    """
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there")
    parser.add_argument("--smallest", action="store_true",
                        help="as little as can be measured, to see that it runs: "
                             + ", ".join(f"{key} {value}" for key, value in smallest.items()))
    # As the command line does: what is missing is reported, not downloaded.
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    if parser.parse_args().smallest:
        parser.set_defaults(**smallest)
    options = parser.parse_args()
    if getattr(options, "path", None) == SAMPLE and not options.smallest:
        sys.stderr.write("FRONTDESK_DATA is not set: these are the tests' few dialogues. For "
                         "figures that compare, give --path graphwoz_dev.json.\n")
    return options


def write_report(file: Path | None, name: str, cases: Sequence[dict[str, Any]],
                 **more: Any) -> None:
    """Write the figures of a benchmark as JSON.

    Args:
        file: Where; None writes nothing.
        cases: Each with its name (``case``) and its ``repetitions``.
        more: What belongs to no case.
    """
    if file is not None:
        report = {"name": name, "machine": describe_machine(), "cases": [*cases], **more}
        file.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


def describe_machine() -> dict[str, Any]:
    """The processor and the versions that the figures depend on."""
    import torch

    return {"cpu": _cpu(), "cores": psutil.cpu_count(), "torch_threads": torch.get_num_threads(),
            "memory_gb": round(psutil.virtual_memory().total / 1e9), "system": platform.system(),
            "python": platform.python_version(),
            "packages": {name: version(name) for name in PACKAGES}}


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
