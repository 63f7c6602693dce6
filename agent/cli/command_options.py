"""The options of ``frontdesk serve``, ``doctor``, ``settings`` and ``check``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from frontdesk.agent.domains.domain_registry import DEFAULT, add_domain, titles
from frontdesk.agent.settings.settings import PROFILES

_SERVE_EXAMPLES = """\
examples:
  frontdesk serve                                       the demo organisation, on this machine only
  frontdesk serve --org acme.json --calendar acme.sqlite --host 0.0.0.0 --keys keys.toml
  curl -X POST localhost:8080/webhooks/rest/webhook \\
       -H 'Content-Type: application/json' -d '{"message": "Which rooms are free now?"}'

interfaces:
  POST /webhooks/rest/webhook        Rasa's REST channel
  POST /v1/chat/completions          OpenAI's chat completions; GET /v1/models
  POST /sessions, /sessions/ID/turns our own, with facts, proofs and checks
  GET  /healthz, /readyz, /openapi.json
"""
_DOCTOR_EXAMPLES = """\
examples:
  frontdesk doctor                                      the demo organisation with the defaults
  frontdesk doctor --org acme.json --calendar acme.sqlite --keys keys.toml --config acme.toml
  frontdesk doctor --json | jq '.checks[] | select(.verdict != "ok")'

Give it the options of frontdesk serve, as the user that runs it. Nothing is changed: no database is
upgraded, nothing is booked and no file stays behind. The exit status is 1 when a check failed.
"""
_SETTINGS_EXAMPLES = """\
examples:
  frontdesk settings                            what is in force here, and where each comes from
  frontdesk settings --config acme.toml         the same with a file; says what is wrong in it
  frontdesk settings --markdown                 what each means and may be
"""
_CHECK_EXAMPLES = """\
examples:
  frontdesk check --input replies.jsonl --output checked.jsonl --report checked.html
  frontdesk check --input replies.jsonl --output checked.jsonl --resume
  FRONTDESK_CHECK_Q2=hub frontdesk check --input replies.jsonl   with the models of [check] hub_...
  echo '{"history": ["Where is Ada?"], "knowledge": ["Ada is in Zeta."], "response": "In Eta."}' |
      frontdesk check

each line of the input is an object:
  response   the reply to check
  history    what was said before it: texts, the user's the last, or {"speaker", "text"} (optional)
  knowledge  what it may rest on: a text, or a list of texts (optional)
  graph      FILE#ID, a dialogue of {titles}, or its number from 0, whose graph checks
             the reply too; relative to the working directory (optional)
Its line of the output has all that and faithfulness (the probability that the knowledge supports
all of the reply) with faithfulness_parts, q2 (in [0, 1]), q2_evidence, pmi_faith (nats),
pmi_faith_per_token, verdict, claims and hallucination of the graph check, skipped (why something is
null) and notes; a line that cannot be checked, or whose graph cannot be loaded, has error instead,
standard error names it, and the exit status is 1.
"""


def add_config(parser: argparse._ActionsContainer) -> None:
    """Add ``--config`` to the options of a command."""
    parser.add_argument("--config", type=Path, metavar="FILE.toml",
                        help="settings that override the defaults")


def add_serve_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]
                      ) -> argparse.ArgumentParser:
    """Add ``serve`` to the commands; the sources of the organisation are the caller's to add."""
    parser = commands.add_parser(
        "serve", help="answer over HTTP", epilog=_SERVE_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Put the receptionist behind a port, for other programs.")
    parser.add_argument("--host", default="127.0.0.1",
                        help="address to listen at (127.0.0.1: this machine only)")
    parser.add_argument("--port", type=int, default=8080, help="port; 0 for a free one (8080)")
    parser.add_argument("--database", metavar="URL",
                        help="where sessions are kept (sqlite:///frontdesk-sessions.sqlite)")
    parser.add_argument("--keys", type=Path, metavar="FILE.toml",
                        help="the keys of those who may call; needed to listen to other machines")
    parser.add_argument("--profile", choices=PROFILES, help="which components answer")
    add_config(parser)
    parser.add_argument("--calendar", default="", metavar="FILE|URL",
                        help="where meetings are booked: a SQLite file, an .ics file or the URL of "
                             "a CalDAV calendar; without it changes are forgotten at the end")
    return parser


def add_doctor_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]
                       ) -> argparse.ArgumentParser:
    """Add ``doctor`` to the commands; the sources of the organisation are the caller's to add."""
    parser = commands.add_parser(
        "doctor", help="find out whether everything is there to serve", epilog=_DOCTOR_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Look at everything that frontdesk serve needs, and say what to do about what "
                    "is wrong.")
    add_config(parser)
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


def add_settings_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``settings`` to the commands."""
    parser = commands.add_parser(
        "settings", help="show the settings in force", epilog=_SETTINGS_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Write the settings in force as a settings file, each with where it comes "
                    "from; passwords are left out.")
    which = parser.add_mutually_exclusive_group()
    add_config(which)
    which.add_argument("--markdown", action="store_true",
                       help="write the reference of all settings instead")
    parser.add_argument("--profile", choices=PROFILES, help="which components answer")


def add_check_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``check`` to the commands."""
    parser = commands.add_parser(
        "check", help="check replies against the knowledge they rest on",
        epilog=_CHECK_EXAMPLES.replace("{titles}", titles()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Say how faithful given replies are to given knowledge: Q², PMI-FAITH and the "
                    "graph check.")
    parser.add_argument("--input", type=Path, metavar="FILE.jsonl",
                        help="replies, a line each (standard input)")
    parser.add_argument("--output", type=Path, metavar="FILE.jsonl",
                        help="what was found, a line each (- and by default standard output)")
    parser.add_argument("--report", type=Path, metavar="FILE.html",
                        help="a page that shows the replies with what is supported and what not")
    add_domain(parser, f"what replies without a graph are about ({DEFAULT.name})", DEFAULT.name)
    parser.add_argument("--profile", choices=PROFILES,
                        help="whose generator gives the probabilities for PMI-FAITH")
    add_config(parser)
    parser.add_argument("--batch-size", type=int, default=16, metavar="N",
                        help="replies that are checked together (16)")
    parser.add_argument("--resume", action="store_true",
                        help="go on after the lines that the output has already")


def stdin_lines() -> Iterator[str]:
    """The lines of standard input; bytes that are no UTF-8 are replaced."""
    for raw in sys.stdin.buffer:
        yield raw.decode("utf-8", errors="replace").rstrip("\r\n")


def write_line(text: str) -> None:
    """Write a line, at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
