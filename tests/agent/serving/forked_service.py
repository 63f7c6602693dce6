"""A service that starts anew whenever its process ends: ``python forked_service.py FOLDER PORT``.

What takes long, importing and loading models, is done once; each process is forked from that, opens
the databases of the folder and tells its id on standard output.
"""

from __future__ import annotations

import os
import socket
import sys
from dataclasses import replace
from pathlib import Path

import uvicorn

from frontdesk.agent.agent import load_encoder
from frontdesk.agent.serving.app import make_app
from frontdesk.agent.serving.assemble import assemble, load_models
from frontdesk.agent.serving.keys import load_keys
from frontdesk.agent.serving.options import ServeOptions
from frontdesk.agent.settings import load_settings


def main(folder: Path, port: int) -> None:
    """Serve until the process is killed."""
    options = ServeOptions(
        org=str(folder / "org.json"), calendar=str(folder / "calendar.sqlite"),
        database=f"sqlite:///{folder / 'sessions.sqlite'}", now="2026-03-02T09:30")
    settings = load_settings()
    settings = replace(
        settings, embedded=replace(settings.embedded, words="templates"),
        serve=replace(settings.serve, database=options.database, lease_s=0.2, turns_per_minute=0))
    like = load_models(options, settings)
    listener = socket.create_server(("127.0.0.1", port))
    while True:
        process = os.fork()
        if process:
            os.waitpid(process, 0)
            continue
        like.encoder = load_encoder(settings)
        served = assemble(options, settings, like=like)
        sys.stdout.write(f"{os.getpid()}\n")
        sys.stdout.flush()
        uvicorn.Server(uvicorn.Config(
            make_app(served.conversations, load_keys(folder / "keys.toml")),
            log_level="critical")).run(sockets=[listener])
        os._exit(0)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
