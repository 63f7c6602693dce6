"""The options of ``frontdesk serve``."""

from __future__ import annotations

import argparse
from pathlib import Path

from frontdesk.agent.settings.settings import PROFILES

_EXAMPLES = """\
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


def add_serve_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]
                      ) -> argparse.ArgumentParser:
    """Add ``serve`` to the commands; the sources of the organisation are the caller's to add."""
    parser = commands.add_parser(
        "serve", help="answer over HTTP", epilog=_EXAMPLES,
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
    parser.add_argument("--config", type=Path, metavar="FILE.toml",
                        help="settings that override the defaults")
    parser.add_argument("--calendar", default="", metavar="FILE|URL",
                        help="where meetings are booked: a SQLite file, an .ics file or the URL of "
                             "a CalDAV calendar; without it changes are forgotten at the end")
    return parser
