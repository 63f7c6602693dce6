"""The options of ``frontdesk check``."""

from __future__ import annotations

import argparse
from pathlib import Path

from frontdesk.agent.domains.domain_registry import DEFAULT, add_domain
from frontdesk.agent.settings.settings import PROFILES

_EXAMPLES = """\
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
  graph      FILE#ID, a GraphWOZ dialogue or a KVRET dialogue or its number from 0, whose graph
             checks the reply too; relative to the working directory (optional)
Its line of the output has all that and q2 (in [0, 1]), q2_evidence, pmi_faith (nats),
pmi_faith_per_token, verdict, claims and hallucination of the graph check, skipped (why something is
null) and notes; a line that cannot be checked, or whose graph cannot be loaded, has error instead,
standard error names it, and the exit status is 1.
"""


def add_check_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``check`` to the commands."""
    parser = commands.add_parser(
        "check", help="check replies against the knowledge they rest on", epilog=_EXAMPLES,
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
    parser.add_argument("--config", type=Path, metavar="FILE.toml",
                        help="settings that override the defaults")
    parser.add_argument("--batch-size", type=int, default=16, metavar="N",
                        help="replies that are checked together (16)")
    parser.add_argument("--resume", action="store_true",
                        help="go on after the lines that the output has already")
