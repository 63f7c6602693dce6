"""Services that are forked from one process: ``python forked_service.py ORGANISATION.json``.

What takes long, importing and loading models, is done once. Each line of standard input asks for a
service, as JSON: a :class:`Job`. The process that keeps it going is told on standard output; the
service ends with that.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import json
import os
import random
import signal
import socket
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
import uvicorn

from frontdesk.agent.calendars.sqlite_calendar import SqliteCalendar
from frontdesk.agent.domains.domain_pack import Loaded
from frontdesk.agent.serving.app import make_app
from frontdesk.agent.serving.assemble_service import load_models
from frontdesk.agent.serving.auth.api_keys import load_keys
from frontdesk.agent.serving.serve_options import ServeOptions
from frontdesk.agent.serving.sessions.conversations import Conversations
from frontdesk.agent.serving.sessions.session_store import SessionStore
from frontdesk.agent.sessions.agent import Agent
from frontdesk.agent.sessions.load_agent import load_agent
from frontdesk.agent.settings.load_settings import load_settings
from frontdesk.agent.settings.settings import Settings

_NOW = "2026-03-02T09:30"
#: Where a process is killed; half of the times it is at no particular moment.
MOMENTS = {f"{when} {name}": (owner, name) for owner, name in (
    (SessionStore, "lease"), (SqliteCalendar, "commit"), (SessionStore, "keep"))
    for when in ("before", "after")}
_ANY = "any time"
#: Seconds that a process needs to begin, that it lives longer at most, and that it has to come to
#: the moment at which it is killed, which it does on slow machines, too.
_BEGINNING_S, _LONGEST_S, _REACHED_S = 0.1, 1.5, 4.0
_PDEATHSIG = 1


@dataclass(frozen=True)
class Job:
    """A service.

    Args:
        database: URL of its sessions.
        calendar: Its calendar.
        keys: The file with its keys.
        ports: One for each of its processes.
        killed: The file that gets a line for each kill, with its moment.
        kills: How many processes are killed, and started anew.
        seed: Of the moments.
        lease_s: See the settings.
    """

    database: str
    calendar: str
    keys: str
    ports: list[int]
    killed: str
    kills: int = 0
    seed: int = 0
    lease_s: float = 15.0


def main(organisation: Path) -> None:
    """Serve what is asked for, until standard input ends."""
    torch.set_num_threads(1)  # its threads would not survive the fork
    settings = load_settings()
    settings = replace(
        settings, embedded=replace(settings.embedded, words="templates"),
        # Its cache would be open here and in all services.
        encoder=replace(settings.encoder, cache=""),
        # A process of its own would take longer to start than most services live.
        rules=replace(settings.rules, deadline_s=0.0),
        serve=replace(settings.serve, turns_per_minute=0))
    options = ServeOptions(sources={"org": str(organisation), "now": _NOW})
    like = load_models(options, settings)
    content = options.load()
    warm = load_agent(settings, content, like=like)
    warm.session().reply("Book a meeting on 5 March at 10:00")  # what reads dates is made then
    store = SessionStore(f"sqlite:///{organisation.with_name('warm.sqlite')}")
    make_app(Conversations(warm, store, settings.serve),
             load_keys(organisation.with_name("keys.toml")))  # its modules are imported then
    store.close()
    warm.close()
    gc.freeze()  # or each process would copy all of it to look whether it can go
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin:
        process = _fork()
        if not process:
            with _nothing_after():
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                _keep(Job(**json.loads(line)), content, settings, like)
        sys.stdout.write(f"{process}\n")
        sys.stdout.flush()


def _keep(job: Job, content: Loaded[Any], settings: Settings, like: Agent) -> None:
    """Keep the processes of a service going, and kill them when their time has come."""
    listeners = [socket.create_server(("127.0.0.1", port)) for port in job.ports]
    running: dict[int, tuple[int, str, float]] = {}
    number, left = 0, job.kills
    free = list(range(len(listeners)))
    while True:
        for each in free:
            moment, count, seconds = _fate(random.Random(f"{job.seed} {number}"))
            number += 1
            process = _fork()
            if not process:
                with _nothing_after():
                    if left:
                        _die_at(moment, count)
                    _serve(job, content, settings, like, listeners[each])
            running[process] = each, moment, time.monotonic() + seconds
        free = []
        for process, (each, moment, end) in list(running.items()):
            late = bool(left) and time.monotonic() > end
            if late:
                os.kill(process, signal.SIGKILL)
            if os.waitpid(process, 0 if late else os.WNOHANG)[0]:
                del running[process]
                free.append(each)
                with Path(job.killed).open("a") as file:
                    file.write(f"{_ANY if late else moment}\n")
                left = max(left - 1, 0)
        time.sleep(0.002)


def _fate(generator: random.Random) -> tuple[str, int, float]:
    """The moment at which a process is killed, the how manyth such, and after how many seconds."""
    if generator.random() < 0.5:
        return _ANY, 0, _BEGINNING_S + min(generator.expovariate(4.0), _LONGEST_S)
    moment = generator.choice(list(MOMENTS))
    rare = MOMENTS[moment][0] is SqliteCalendar
    return moment, generator.randint(1, 1 if rare else 2), _BEGINNING_S + _REACHED_S


def _die_at(moment: str, count: int) -> None:
    """Have this process killed right before or after it does something for the so manyth time."""
    if moment == _ANY:
        return
    owner, name = MOMENTS[moment]
    method, left = getattr(owner, name), count

    def deadly(*arguments: Any, **named: Any) -> Any:
        nonlocal left
        left -= 1
        if not left and moment.startswith("before"):
            os.kill(os.getpid(), signal.SIGKILL)
        done = method(*arguments, **named)
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)
        return done

    setattr(owner, name, deadly)


def _serve(job: Job, content: Loaded[Any], settings: Settings, like: Agent,
           listener: socket.socket) -> None:
    torch.set_num_threads(1)  # its pool is made anew after a fork, not by two threads at once
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a file that may not grow is an error
    settings = replace(settings, serve=replace(settings.serve, database=job.database,
                                               lease_s=job.lease_s))
    conversations = Conversations(load_agent(settings, content, job.calendar, like=like),
                                  SessionStore(job.database), settings.serve)
    uvicorn.Server(uvicorn.Config(
        make_app(conversations, load_keys(Path(job.keys))), log_level="critical",
        server_header=False)).run(sockets=[listener])


def _fork() -> int:
    """As ``os.fork``; the child ends with its parent."""
    process = os.fork()
    if not process:
        ctypes.CDLL(None).prctl(_PDEATHSIG, signal.SIGKILL)
    return process


@contextlib.contextmanager
def _nothing_after():
    """Nothing of the parent goes on in a child."""
    status = 1
    try:
        yield
        status = 0
    finally:
        if status:
            sys.excepthook(*sys.exc_info())
        os._exit(status)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
