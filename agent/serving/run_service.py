"""``frontdesk serve``: loads the agent and listens."""

from __future__ import annotations

import argparse
import os
import signal
import socket
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import uvicorn

from frontdesk.agent.serving.operations.logs import set_up_logs
from frontdesk.agent.serving.operations.memory import bound_memory
from frontdesk.agent.serving.operations.service_metrics import forget_process, share_counts
from frontdesk.agent.serving.serve_options import GRACE_S, ServeOptions, check_reach
from frontdesk.agent.serving.service_processes import end
from frontdesk.agent.settings.settings import Settings
from frontdesk.kg.graph.errors import InputError

if TYPE_CHECKING:
    from frontdesk.agent.serving.auth.api_keys import Keys
    from frontdesk.agent.sessions.agent import Agent


def serve(options: argparse.Namespace) -> int:
    """Serve until it is told to stop; turns under way end first.

    Raises:
        FrontdeskError: The organisation, the keys, the database or the components cannot be
            loaded, or the port is taken.
    """
    chosen = ServeOptions.of(options)
    settings = chosen.settings()
    set_up_logs(settings.serve)
    bound_memory()
    if settings.serve.processes == 1:
        signal.signal(signal.SIGTERM, end)  # uvicorn passes it on when the turns have ended
        return _Service(chosen, settings, _listener(options.host, options.port),
                        options.host).listen()
    if not chosen.calendar and settings.actions.enabled:
        raise InputError(
            f"{settings.serve.processes} processes cannot share a calendar in memory",
            remedy="Give --calendar FILE.sqlite, or set serve.processes = 1")
    os.environ["TOKENIZERS_PARALLELISM"] = "false"  # what tokenises reads it when it is imported
    with tempfile.TemporaryDirectory(prefix="frontdesk-metrics-") as folder:
        share_counts(Path(folder))
        return _Service(chosen, settings, _listener(options.host, options.port),
                        options.host).listen_in_processes()


class _Service:
    """The service at one port.

    Args:
        listener: The port.
    """

    def __init__(self, options: ServeOptions, settings: Settings, listener: socket.socket,
                 host: str) -> None:
        from frontdesk.agent.notices.open_channels import open_channels
        from frontdesk.agent.serving.assemble_service import keys_of

        open_channels(settings.notices)  # what is wrong with them is told once, here
        self._options, self._settings, self._listener = options, settings, listener
        self._keys: Keys = keys_of(settings)
        check_reach(host, has_keys=self._keys.are_set)

    def listen(self, like: Agent | None = None) -> int:
        """Answer in this process."""
        from frontdesk.agent.serving.app import make_app
        from frontdesk.agent.serving.assemble_service import assemble

        served = assemble(self._options, self._settings, like=like)
        served.keep_in_order()
        if like is None:
            self._tell()
        try:
            uvicorn.Server(uvicorn.Config(
                make_app(served.conversations, self._keys), log_config=None,
                access_log=False, timeout_graceful_shutdown=int(GRACE_S), server_header=False,
                ws_max_size=self._settings.serve.longest_body)).run(sockets=[self._listener])
        finally:
            served.close()
        return 0

    def listen_in_processes(self) -> int:
        """Answer in several processes that have one copy of the models."""
        import torch

        from frontdesk.agent.serving import app  # noqa: F401 - before the fork, so that all share it
        from frontdesk.agent.serving.assemble_service import load_models
        from frontdesk.agent.serving.service_processes import Processes
        from frontdesk.agent.serving.sessions.session_store import SessionStore
        from frontdesk.agent.sessions.load_components import load_encoder

        torch.set_num_threads(1)  # its threads would not survive the fork
        SessionStore(self._settings.serve.database).close()  # what is wrong is told once, here
        like = load_models(self._options, self._settings)

        def work() -> int:
            # Torch makes its pool anew after a fork, which two threads must not do at once.
            torch.set_num_threads(1)
            # Its cache is open in the parent.
            like.components = replace(like.components, encoder=load_encoder(self._settings))
            return self.listen(like)

        self._tell()
        return Processes(self._settings.serve.processes, work, forget_process).run()

    def _tell(self) -> None:
        host, port = self._listener.getsockname()[:2]
        sys.stderr.write(f"frontdesk: listening at http://{host}:{port}\n")


def _listener(host: str, port: int) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        raise InputError(f"cannot listen at {host}:{port} ({error})",
                         remedy="Choose another --host or --port") from error
