"""Kills senders at any moment, with servers that are down half of the time, and counts.

    python -m tests.agent.notices.kill_sender 500

Every notice must come to each server at least once, and at most once more than once, always with
the same key; the notices of a person in their order.
"""

from __future__ import annotations

import datetime as dt
import os
import random
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from frontdesk.agent.calendars.calendar import Calendar
from frontdesk.agent.calendars.open_calendar import open_calendar
from frontdesk.agent.notices.mail_channel import MailChannel
from frontdesk.agent.notices.sender import Pauses, Sender
from frontdesk.agent.notices.webhook_channel import WebhookChannel
from frontdesk.kg.graph.changes import Message, Transaction

from ..calendars.organisation import NOW, organisation
from .servers import SECRET, SENDER, Hook, Mail, down_half_of_the_time, mail_server, webhook

PEOPLE = ("ines", "bo", "jo-1")
LEASE_S, TIMEOUT_S, DOWN_S = 0.05, 2.0, 0.1
#: Seconds that a sender lives at most once all that came is noted.
LONGEST_S = 0.2
MOST_S = 60.0


@dataclass(frozen=True)
class Tally:
    """What came of it.

    Args:
        notices: How many were written.
        kills: How many senders were killed.
        twice: How many notices came twice to a server.
    """

    notices: int
    kills: int
    twice: int


def open_(path: Path) -> Calendar:
    return open_calendar(str(path), organisation(), clock=lambda: NOW)


def sender(mail: Mail, hook: Hook) -> Sender:
    return Sender((MailChannel("127.0.0.1", mail.port, SENDER, "none", timeout_s=TIMEOUT_S),
                   WebhookChannel(hook.url, SECRET, TIMEOUT_S)),
                  give_up_after=dt.timedelta(days=1), lease_s=LEASE_S,
                  pauses=Pauses(0.01, 0.05, 0.05))


def in_child(path: Path, mail: Mail, hook: Hook) -> int:
    """A process that sends until it is killed; its id."""
    child = os.fork()
    if child:
        return child
    try:
        with closing(open_(path)) as calendar:
            sending = sender(mail, hook)
            while True:
                sending.send_due(calendar.outbox(), organisation(), NOW)
                time.sleep(0.002)
    except BaseException:  # noqa: BLE001 - nothing of the child may go on as another test
        traceback.print_exc()
    finally:
        os._exit(1)


def kill_senders(path: Path, kills: int, seed: int = 5) -> Tally:
    """Write notices and kill senders, then let one send the rest, and see what came.

    Raises:
        AssertionError: A notice was lost, came more than twice, or out of its order.
    """
    chance = random.Random(seed)
    with mail_server() as mail, webhook() as hook, closing(open_(path)) as calendar, \
            down_half_of_the_time(mail, hook, seconds=DOWN_S):
        servers = {"mail": mail, "webhook": hook}
        for number in range(kills):
            _write(calendar, number, chance)
            child = in_child(path, mail, hook)
            _wait_for_what_came_to_be_noted(calendar, servers)
            _wait(chance.random() * LONGEST_S, servers, until_taken=chance.random() < 0.5)
            os.kill(child, signal.SIGKILL)
            assert os.waitpid(child, 0)[1] == signal.SIGKILL
        deadline = time.monotonic() + MOST_S
        last = sender(mail, hook)
        while calendar.outbox().waiting():
            assert time.monotonic() < deadline, calendar.outbox().waiting()[:3]
            last.send_due(calendar.outbox(), organisation(), NOW)
            time.sleep(0.01)
        return _tally(calendar, servers, kills)


def _wait(seconds: float, servers: dict[str, Mail | Hook], *, until_taken: bool) -> None:
    """Wait, or only until a server takes something: its sender does not know yet."""
    before = {name: len(each.keys) for name, each in servers.items()}
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and not (until_taken and any(
            len(each.keys) > before[name] for name, each in servers.items())):
        time.sleep(0.0005)


def _write(calendar: Calendar, number: int, chance: random.Random) -> None:
    calendar.commit(Transaction(f"t{number}", NOW, messages=tuple(
        Message(chance.choice(PEOPLE), f"message {number} {each}")
        for each in range(chance.randint(1, 4)))))


def _wait_for_what_came_to_be_noted(calendar: Calendar, servers: dict[str, Mail | Hook]) -> None:
    """A notice that came when its sender was killed comes again, and must come through."""
    deadline = time.monotonic() + MOST_S
    while True:
        outbox = calendar.outbox()
        came = {name: each.times() for name, each in servers.items()}
        if not any(each.key in came[name] and not (
                name in each.deliveries and each.deliveries[name].is_over)
                for each in outbox.waiting() for name in servers):
            return
        assert time.monotonic() < deadline
        time.sleep(0.005)


def _tally(calendar: Calendar, servers: dict[str, Mail | Hook], kills: int) -> Tally:
    written = sorted(calendar.outbox().ended(10 ** 6), key=lambda each: each.number)
    people = organisation().people
    twice = 0
    for name, server in servers.items():
        times = server.times()
        assert times.keys() == {each.key for each in written}, f"{name}: lost or not ours"
        assert max(times.values()) <= 2, f"{name}: {Counter(times.values())}"
        assert sum(times.values()) <= len(written) + kills
        wanted: dict[str, list[str]] = {}
        for each in written:
            whom = each.notice.person
            wanted.setdefault(people[whom].email if name == "mail" else whom, []).append(each.key)
        assert server.order() == wanted, f"{name}: out of order"
        twice += sum(each > 1 for each in times.values())
    return Tally(len(written), kills, twice)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        sys.stdout.write(f"{kill_senders(Path(folder) / 'c.sqlite', int(sys.argv[1]))}\n")
