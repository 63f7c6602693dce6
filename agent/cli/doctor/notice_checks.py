"""The notices: servers that take them, and those that were not taken."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence

from frontdesk.agent.calendars.ledger import OutboxCounts, outbox_counts
from frontdesk.agent.calendars.open_calendar import ledger_of
from frontdesk.agent.cli.doctor.finding import Finding, Subject, failed, skipped, warning
from frontdesk.agent.cli.doctor.session_checks import read_only
from frontdesk.agent.notices.channel import Channel, DeliveryError
from frontdesk.agent.notices.open_channels import open_channels

#: Seconds for which it is told that notices were given up.
_TOLD_S = 30 * 86_400.0


def notices(subject: Subject) -> Sequence[Finding]:
    """Whether servers take notices, and how many of them wait. Nothing is sent."""
    if not subject.settings.actions.enabled or subject.organisation.pack.actions is None:
        return [skipped("nothing is booked")]
    channels = open_channels(subject.settings.notices)
    counts = _counts(subject)
    found = [_channel(each) for each in channels]
    if not channels:
        found.append(skipped("nobody is told of what is booked: notices.smtp and notices.webhook "
                             "are empty"))
    if counts is not None:
        found += _told(counts, sends=bool(channels))
    return found


def _channel(channel: Channel) -> Finding:
    try:
        channel.check()
    except DeliveryError as error:
        return failed(f"{channel.name}: {error.message}",
                      "Check the server and its settings under [notices]")
    return Finding(f"{channel.name} is set up")


def _counts(subject: Subject) -> OutboxCounts | None:
    """How it stands with the notices; None where there is no calendar yet."""
    location = subject.options.calendar
    path = ledger_of(location) if location else None
    if path is None or not path.is_file():
        return None
    try:
        with read_only(path) as connection:
            return outbox_counts(connection, time.time() - _TOLD_S)
    except sqlite3.Error:
        return None  # the calendar's check tells what is wrong with it


def _told(counts: OutboxCounts, *, sends: bool) -> list[Finding]:
    found = [Finding(f"{counts.waiting} wait")]
    if counts.failing:
        found.append(warning(f"{counts.failing} of them were not taken: {counts.error}",
                             "Correct that; they are tried again. frontdesk notices lists them"))
    if counts.given_up:
        found.append(warning(f"{counts.given_up} were given up in the last 30 days",
                             "Tell these people yourself; frontdesk notices lists them"))
    if counts.waiting and not sends:
        found.append(warning("nobody sends those that wait",
                             "Set notices.smtp and notices.sender, or notices.webhook"))
    return found
