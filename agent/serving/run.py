"""``frontdesk serve``: loads the agent and listens."""

from __future__ import annotations

import argparse
import ipaddress
import socket
import sys
import threading
from dataclasses import replace
from pathlib import Path

import uvicorn

from frontdesk.agent.chat import load_agent, rule_warnings
from frontdesk.agent.organisation import load_organisation
from frontdesk.agent.serving.app import make_app
from frontdesk.agent.serving.conversations import Conversations
from frontdesk.agent.serving.keys import Keys, load_keys
from frontdesk.agent.serving.store import SessionStore, StoreUnavailableError
from frontdesk.agent.settings import load_settings
from frontdesk.kg.errors import InputError

_HOUR_S, _DAY_S = 3600.0, 86_400.0
#: Seconds that turns under way have to end when the service is stopped.
_GRACE_S = 30


def serve(options: argparse.Namespace) -> int:
    """Serve until it is told to stop; turns under way end first.

    Raises:
        FrontdeskError: The organisation, the keys, the database or the components cannot be
            loaded, or the port is taken.
    """
    settings = load_settings(options.config, profile=options.profile)
    serving = replace(settings.serve, database=options.database or settings.serve.database)
    keys_file = options.keys or (Path(serving.keys) if serving.keys else None)
    keys = load_keys(keys_file)
    _check_reach(options.host, keys)
    listener = _listener(options.host, options.port)
    organisation = load_organisation(org=options.org, ics=options.ics, people=options.people,
                                     graphwoz=options.graphwoz, now=options.now,
                                     timezone=options.timezone)
    for warning in (*organisation.warnings, *rule_warnings(settings)):
        sys.stderr.write(f"frontdesk: {warning}\n")
    store = SessionStore(serving.database)
    agent = load_agent(settings, organisation, options.calendar)
    agent.session().reply("Hello")  # what is loaded with the first turn is loaded now
    stopped = threading.Event()
    threading.Thread(target=_forget_unused, args=(store, serving.keep_days * _DAY_S, stopped),
                     daemon=True, name="forget").start()
    host, port = listener.getsockname()[:2]
    sys.stderr.write(f"frontdesk: listening at http://{host}:{port}\n")
    try:
        server = uvicorn.Server(uvicorn.Config(
            make_app(Conversations(agent, store, serving), keys), log_level="warning",
            access_log=False, timeout_graceful_shutdown=_GRACE_S, server_header=False))
        server.run(sockets=[listener])
    finally:
        stopped.set()
        agent.close()
        store.close()
    return 0


def _check_reach(host: str, keys: Keys) -> None:
    """Nobody listens to other machines without keys by mistake."""
    try:
        here = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        here = False
    if not here and not keys.are_set:
        raise InputError(f"{host} can be reached from other machines and there are no keys",
                         remedy="Give --keys FILE.toml, or listen at 127.0.0.1")


def _listener(host: str, port: int) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        raise InputError(f"cannot listen at {host}:{port} ({error})",
                         remedy="Choose another --host or --port") from error


def _forget_unused(store: SessionStore, seconds: float, stopped: threading.Event) -> None:
    while not stopped.wait(_HOUR_S if seconds > _HOUR_S else seconds):
        try:
            store.forget_unused(seconds)
        except StoreUnavailableError as error:
            sys.stderr.write(f"frontdesk: {error}\n")
