"""``frontdesk notices``: what waits in a calendar's outbox, and sending it."""

from __future__ import annotations

import argparse
import datetime as dt
import json
import sys
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from frontdesk.agent.cli.command_options import add_config
from frontdesk.agent.domains.domain_registry import add_sources, given_sources, load_domain
from frontdesk.kg.english.words import clean
from frontdesk.kg.graph.errors import InputError

_EXAMPLES = """\
examples:
  frontdesk notices --org acme.json --calendar acme.sqlite              what waits, what was sent
  frontdesk notices --org acme.json --calendar acme.sqlite --config acme.toml --send
  frontdesk notices --org acme.json --calendar acme.sqlite --json | jq '.waiting | length'

Servers are named under [notices] in the settings. frontdesk serve sends by itself. With --send what
may be tried now is tried once; the exit status is 1 when something waits still or was given up.
"""
#: Notices that are shown, of those that wait and of the others.
_SHOWN = 100


def add_notices_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``notices`` to the commands."""
    parser = commands.add_parser(
        "notices", help="show and send what people must be told", epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Show the notices that wait in the outbox of a calendar and those that were "
                    "sent last, or send them.")
    add_sources(parser)
    add_config(parser)
    parser.add_argument("--calendar", required=True, metavar="FILE|URL",
                        help="where meetings are booked")
    parser.add_argument("--send", action="store_true", help="send what waits")
    parser.add_argument("--json", action="store_true", help="write one JSON object")


def run_notices(options: argparse.Namespace) -> int:
    """Show what waits, after it was sent where that is wanted.

    Raises:
        FrontdeskError: The settings, the organisation or the calendar cannot be used, or nothing
            can be sent.
    """
    from frontdesk.agent.calendars.outbox import DeliveryState
    from frontdesk.agent.notices.open_channels import make_sender, open_channels
    from frontdesk.agent.notices.told_notices import told_notices
    from frontdesk.agent.settings.load_settings import load_settings

    settings = load_settings(options.config).notices
    channels = open_channels(settings)
    if options.send and not channels:
        raise InputError("the settings name no server that takes notices",
                         remedy="Set notices.smtp and notices.sender, or notices.webhook")
    loaded = load_domain(options.domain, given_sources(options))
    actions = loaded.pack.actions
    if actions is None:
        raise InputError(f"the domain {options.domain} has nothing that can be changed",
                         remedy="Leave --domain out")

    location = options.calendar
    if "://" not in location and not Path(location).expanduser().is_file():
        raise InputError(f"there is no calendar {location!r}",
                         remedy="Name the one in which meetings are booked")

    def clock() -> dt.datetime:
        return loaded.now or dt.datetime.now(dt.UTC)

    with closing(actions.open_calendar(location, loaded.kb, clock)) as calendar:
        outbox = calendar.outbox()
        before = {each.number for each in outbox.waiting()}
        if options.send and not make_sender(channels, settings).send_due(
                outbox, calendar.state().kb, clock()):
            sys.stderr.write("frontdesk: another process is sending them\n")
        told = told_notices(outbox, _SHOWN)
        given_up = any(one.state is DeliveryState.GIVEN_UP
                       for each in outbox.ended(len(before)) if each.number in before
                       for one in each.deliveries.values())
    if options.json:
        sys.stdout.write(json.dumps(told, ensure_ascii=False, indent=2) + "\n")
    else:
        _tell(told)
    return int(options.send and (bool(told["waiting"]) or given_up))


def _tell(told: Mapping[str, list[dict[str, Any]]]) -> None:
    for what, found in told.items():
        sys.stdout.write(f"{what}: {len(found) or 'none'}\n")
        for each in found:
            event = f" {each['event']}" if each["event"] else ""
            became = "; ".join(_became(*one) for one in each["deliveries"].items())
            sys.stdout.write(clean(f"{each['at']} {each['person']} {each['kind']}{event}"
                                   f"{': ' if became else ''}{became}") + "\n")


def _became(channel: str, delivery: Mapping[str, Any]) -> str:
    error = f", {delivery['error']}" if delivery["error"] else ""
    next_at = f", again at {delivery['next_at']}" if delivery["next_at"] else ""
    return f"{channel} {delivery['state']} at {delivery['at']}, attempt {delivery['attempts']}" \
           f"{error}{next_at}"
