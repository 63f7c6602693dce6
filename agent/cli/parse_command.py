"""``frontdesk parse``: one utterance a line in, its logical forms out."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from frontdesk.agent.cli.command_options import stdin_lines, write_line
from frontdesk.agent.domains.domain_registry import (
    DEFAULT,
    add_sources,
    given_sources,
    load_domain,
    pack_named,
)
from frontdesk.kg.graph.errors import FrontdeskError, InputError

if TYPE_CHECKING:
    from frontdesk.kg.graph.logical_forms import Form
    from frontdesk.kg.parser.name_marks import NameMarks
    from frontdesk.kg.parser.trained_parser import ParsedForms, TrainedParser

_EXAMPLES = """\
examples:
  printf 'Who is free now?\\nand at three?\\n' | frontdesk parse
  printf 'Where is Ada?\\n' | frontdesk parse --org acme.json --ics team.ics --json

A line has the likeliest forms of an utterance, or with --json an object: text, and parse with the
forms and the probability of each reading. The second utterance of a dialogue is read as following
the first; a blank line starts a new dialogue. What the forms are is in kg/graph/README.md.
"""


def add_parse_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``parse`` to the commands."""
    parser = commands.add_parser(
        "parse", help="tell what utterances mean", epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Read an utterance a line and write the logical forms that it means.")
    add_sources(parser)
    parser.add_argument("--json", action="store_true",
                        help="write each parse as one JSON object, with all readings")
    parser.add_argument("--parser", type=Path, metavar="DIR",
                        help="folder of a trained parser; the one that comes with frontdesk by "
                             "default")


def run_parse(options: argparse.Namespace) -> int:
    """Parse standard input as the options say.

    Returns:
        0, whatever the lines are.

    Raises:
        FrontdeskError: The domain or the weights cannot be loaded, or the domain has no parser.
    """
    from frontdesk.kg.graph.logical_forms import Language
    from frontdesk.kg.parser.name_marks import NameMarks
    from frontdesk.kg.parser.parser_weights import PACKAGED
    from frontdesk.kg.parser.trained_parser import TrainedParser

    schema = pack_named(options.domain).schema
    if schema is not DEFAULT.schema:
        raise InputError(f"there is no parser for the domain {options.domain}",
                         place=f"--domain {options.domain}", remedy="Leave --domain out")
    loaded = load_domain(options.domain, given_sources(options))
    for warning in loaded.warnings:
        sys.stderr.write(f"frontdesk: {warning}\n")
    parser = TrainedParser(Language(schema), options.parser or PACKAGED)
    _parse_lines(parser, NameMarks(loaded.kb), as_json=options.json)
    return 0


def _parse_lines(parser: TrainedParser, names: NameMarks, *, as_json: bool) -> None:
    """Answer every line that has words; no line ends it."""
    earlier: Sequence[Form] = ()
    for line in stdin_lines():
        if not line.strip():
            earlier = ()
            continue
        error = ""
        readings: list[ParsedForms] = []
        try:
            readings = _readings(parser, names, line, earlier)
        except FrontdeskError as problem:
            error = str(problem)
        except Exception as problem:
            if os.environ.get("FRONTDESK_DEBUG"):
                raise
            error = f"internal error: {problem!r}. Set FRONTDESK_DEBUG=1 to see where, and " \
                    "please report it."
        if error:
            sys.stderr.write(f"frontdesk: {error}\n")
        earlier = readings[0].forms if readings else ()
        write_line(_object(line, readings, error) if as_json
                   else " ".join(map(str, earlier)))


def _readings(parser: TrainedParser, names: NameMarks, line: str, earlier: Sequence[Form]
              ) -> list[ParsedForms]:
    from frontdesk.kg.parser.parser_input import ParserInput

    return parser.parse(ParserInput(line, earlier=tuple(earlier), names=names.find(line)))


def _object(line: str, readings: Sequence[ParsedForms], error: str) -> str:
    said = {"text": line, "parse": [{"forms": list(map(str, each.forms)),
                                     "probability": round(each.probability, 4)}
                                    for each in readings]}
    return json.dumps({**said, "error": error} if error else said, ensure_ascii=False)
