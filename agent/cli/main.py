"""The command line: ``frontdesk chat``, ``parse``, ``serve``, ``doctor``, ``settings``,
``check``, ``draw``, ``data``, ``evaluate``, ``train``, ``notices``.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

from frontdesk.agent.cli.command_options import (
    add_check_command,
    add_config,
    add_doctor_command,
    add_serve_command,
    add_settings_command,
)
from frontdesk.agent.cli.data_command import add_data_command
from frontdesk.agent.cli.notices_command import add_notices_command
from frontdesk.agent.cli.parse_command import add_parse_command, run_parse
from frontdesk.agent.cli.train_command import add_train_command, run_train
from frontdesk.agent.domains.domain_registry import add_sources
from frontdesk.agent.evaluation.evaluate_command import add_evaluate_command
from frontdesk.agent.settings.settings import PROFILES
from frontdesk.agent.training.train_options import named_by_model
from frontdesk.kg.graph.errors import FrontdeskError
from frontdesk.kg.graph.optional_packages import EXTRAS, import_extra

USER_ERROR, OUR_ERROR = 2, 1

_SOURCES = """\
sources of what is talked about:
  frontdesk chat                                      the demo organisation
  frontdesk chat --org acme.json --ics team.ics       your own, with a calendar
  frontdesk chat --people staff.csv --ics team.ics    people and a calendar
  frontdesk chat --graphwoz graphwoz_dev.json#DIALOGUE_8
  frontdesk chat --domain car                         a car: weather, places, appointments
  frontdesk chat --domain car --kvret kvret_dev_public.json#0
"""
_CHAT_EXAMPLES = f"""{_SOURCES}
  frontdesk chat --org acme.json --calendar acme.sqlite --user ada@example.org

without a terminal it reads one utterance per line and writes one reply per line:
  printf 'Which rooms are free now?\\n' | frontdesk chat --json
"""
_DRAW_EXAMPLES = """\
examples:
  printf 'Who is free now?\\n' | frontdesk chat --save talk.json
  frontdesk draw talk.json talk.svg
  frontdesk draw talk.json talk.html --turn u3
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status: 2 for a user's mistake, 1 for ours."""
    # Weights come with the package or lie on this machine; nothing is ever downloaded.
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a character that cannot be shown ends nothing
    parser = _parser()
    options = parser.parse_args(named_by_model(
        sys.argv[1:] if arguments is None else arguments))
    try:
        if options.command == "chat":
            from frontdesk.agent.cli.chat import run_chat

            return run_chat(options)
        if options.command == "parse":
            return run_parse(options)
        if options.command == "serve":
            for module in (name for name, extra in EXTRAS.items() if extra == "serve"):
                import_extra(module, "frontdesk serve")
            from frontdesk.agent.serving.run_service import serve

            return serve(options)
        if options.command == "doctor":
            from frontdesk.agent.cli.doctor.run_doctor import run_doctor

            return run_doctor(options)
        if options.command == "notices":
            from frontdesk.agent.cli.notices_command import run_notices

            return run_notices(options)
        if options.command == "settings":
            from frontdesk.agent.settings.settings_reference import run_settings

            return run_settings(options)
        if options.command == "data":
            from frontdesk.agent.cli.data_command import run_data

            return run_data(options)
        if options.command == "evaluate":
            from frontdesk.agent.evaluation.run_evaluation import run_evaluate

            return run_evaluate(options)
        if options.command == "train":
            return run_train(options)
        if options.command == "check":
            from frontdesk.agent.check.run_check import run_check

            return run_check(options)
        from frontdesk.agent.cli.draw_command import run_draw

        return run_draw(options)
    except FrontdeskError as error:
        sys.stderr.write(f"frontdesk: {error}\n")
        return USER_ERROR
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader went away; what is still buffered has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OUR_ERROR
    except Exception as error:  # noqa: BLE001 - the last place to say what happened
        if os.environ.get("FRONTDESK_DEBUG"):
            traceback.print_exc()
        sys.stderr.write(f"frontdesk: internal error: {error!r}. "
                         "Set FRONTDESK_DEBUG=1 to see where, and please report it.\n")
        return OUR_ERROR


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="frontdesk", description="A receptionist that answers from its knowledge graph.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    chat = commands.add_parser(
        "chat", help="talk with the receptionist", epilog=_CHAT_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Talk with the receptionist of an organisation.")
    add_sources(chat)
    chat.add_argument("--profile", choices=PROFILES, help="which components answer")
    add_config(chat)
    chat.add_argument("--explain", action="store_true",
                      help="show links, facts, rules, checks and timings with every reply")
    chat.add_argument("--json", action="store_true", help="write each reply as one JSON object")
    chat.add_argument("--calendar", default="", metavar="FILE|URL",
                      help="where meetings are booked: a SQLite file, made from the organisation's "
                           "events if it is not there, an .ics file or the URL of a CalDAV "
                           "calendar; without it changes are forgotten at the end")
    chat.add_argument("--user", metavar="EMAIL|NAME",
                      help="who speaks; without it users are who they say they are")
    chat.add_argument("--user-timezone", metavar="ZONE",
                      help="of who speaks, for \"at nine my time\"; the organisation's by default")
    chat.add_argument("--save", type=Path, metavar="FILE.json",
                      help="write the dialogue with its organisation there after every turn: all "
                           "of it, private events too")
    chat.add_argument("--resume", type=Path, metavar="FILE.json",
                      help="go on with a dialogue that was saved")
    add_parse_command(commands)
    draw = commands.add_parser(
        "draw", help="draw the graph around a turn", epilog=_DRAW_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Draw the neighbourhood of a turn of a saved dialogue.")
    draw.add_argument("dialogue", type=Path, help="a file written by frontdesk chat --save")
    draw.add_argument("output", type=Path, help="a .svg, .png or .html file")
    draw.add_argument("--turn", help="id of the turn, e.g. u3; the last by default")
    draw.add_argument("--radius", type=int, default=2, help="how many edges away (2)")
    add_sources(add_serve_command(commands))
    add_sources(add_doctor_command(commands))
    add_notices_command(commands)
    add_settings_command(commands)
    add_data_command(commands)
    add_evaluate_command(commands)
    add_check_command(commands)
    add_train_command(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
