"""``frontdesk doctor``: holds all checks, and tells what came of them."""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.text import Text

from frontdesk.agent.cli.doctor import calendar_checks as calendars
from frontdesk.agent.cli.doctor import configuration_checks as configuration
from frontdesk.agent.cli.doctor import machine_checks as machine
from frontdesk.agent.cli.doctor import model_checks as models
from frontdesk.agent.cli.doctor import notice_checks as notices
from frontdesk.agent.cli.doctor import session_checks as sessions
from frontdesk.agent.cli.doctor.finding import Check, Finding, Outcome, Subject, Verdict, hold
from frontdesk.agent.serving.serve_options import ServeOptions

#: Seconds for loading models, from a slow disk too.
_MODELS_S = 120.0
#: Seconds for a mail server, which may take its time with each step.
_NOTICES_S = 60.0
_STYLES = {Verdict.OK: "green", Verdict.WARNING: "yellow", Verdict.FAILED: "bold red",
           Verdict.SKIPPED: "dim"}

#: All checks in order, each with the seconds that it may take.
CHECKS: tuple[tuple[str, Callable[[Subject], Sequence[Finding]], float], ...] = (
    ("settings", configuration.settings, 20.0), ("python", machine.python, 10.0),
    ("packages", machine.packages, 10.0), ("organisation", configuration.organisation, 30.0),
    ("house", configuration.house, 30.0),
    ("clock", machine.clock, 10.0), ("keys", configuration.keys, 10.0),
    ("sessions", sessions.sessions, 10.0), ("calendar", calendars.calendar, 10.0),
    ("notices", notices.notices, _NOTICES_S), ("port", machine.port, 10.0),
    ("cores", machine.cores, 30.0),
    ("memory", machine.memory, 10.0), ("encoder", models.encoder, _MODELS_S),
    ("generator", models.generator, 20.0), ("models", models.own_models, _MODELS_S))


def run_doctor(options: argparse.Namespace) -> int:
    """Look at everything; exit status 1 if something failed, else 0."""
    with tempfile.TemporaryDirectory(prefix="frontdesk-doctor-",
                                     ignore_cleanup_errors=True) as folder:
        os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", folder)  # torch makes it when it loads
        subject = Subject(ServeOptions.of(options), Path(folder), options.host, options.port)
        outcomes = list(outcomes_of(subject))
    has_failed = any(each.finding.verdict is Verdict.FAILED for each in outcomes)
    if options.json:
        sys.stdout.write(json.dumps({"ok": not has_failed, "checks": [
            each.to_data() for each in outcomes]}, ensure_ascii=False, indent=2) + "\n")
    else:
        _tell(outcomes)
    return int(has_failed)


def outcomes_of(subject: Subject) -> Iterator[Outcome]:
    """What comes of each check, one after the other."""
    for name, look, seconds in CHECKS:
        yield hold(Check(name, partial(look, subject), seconds))


def _tell(outcomes: Sequence[Outcome]) -> None:
    console = Console(highlight=False)
    width = max(len(each.name) for each in outcomes) + 1
    for outcome in outcomes:
        finding = outcome.finding
        line = Text(f"{outcome.name:<{width}} ").append(
            f"{finding.verdict.value:<8} ", _STYLES[finding.verdict]).append(finding.found)
        if finding.remedy:
            line.append(f"\n{'':<{width}}          → {finding.remedy}")
        console.print(line, soft_wrap=True)
    counts = Counter(each.finding.verdict for each in outcomes)
    console.print(", ".join(f"{counts[verdict]} {verdict.value}" for verdict in reversed(Verdict)
                            if counts[verdict]))
