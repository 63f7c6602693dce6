"""The options of ``frontdesk doctor``."""

from __future__ import annotations

import argparse
from pathlib import Path

from frontdesk.agent.settings.settings import PROFILES

_EXAMPLES = """\
examples:
  frontdesk doctor                                      the demo organisation with the defaults
  frontdesk doctor --org acme.json --calendar acme.sqlite --keys keys.toml --config acme.toml
  frontdesk doctor --json | jq '.checks[] | select(.verdict != "ok")'

Give it the options of frontdesk serve, as the user that runs it. Nothing is changed: no database is
upgraded, nothing is booked and no file stays behind. The exit status is 1 when a check failed.
"""


def add_doctor_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]
                       ) -> argparse.ArgumentParser:
    """Add ``doctor`` to the commands; the sources of the organisation are the caller's to add."""
    parser = commands.add_parser(
        "doctor", help="find out whether everything is there to serve", epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Look at everything that frontdesk serve needs, and say what to do about what "
                    "is wrong.")
    parser.add_argument("--config", type=Path, metavar="FILE.toml",
                        help="settings that override the defaults")
    parser.add_argument("--profile", choices=PROFILES, help="which components answer")
    parser.add_argument("--database", metavar="URL", help="where sessions are kept")
    parser.add_argument("--keys", type=Path, metavar="FILE.toml",
                        help="the keys of those who may call")
    parser.add_argument("--calendar", default="", metavar="FILE|URL",
                        help="where meetings are booked")
    parser.add_argument("--host", default="127.0.0.1",
                        help="address to listen at (127.0.0.1: this machine only)")
    parser.add_argument("--port", type=int, help="whether this port is free; not looked at without")
    parser.add_argument("--json", action="store_true", help="write one JSON object")
    return parser
