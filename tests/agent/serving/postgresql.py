"""A PostgreSQL server of the tests' own."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import psycopg


def programs() -> Path | None:
    """The folder with PostgreSQL's programs; None where it is not installed."""
    found = shutil.which("initdb")
    if found is not None:
        return Path(found).resolve().parent
    return max(Path("/usr/lib/postgresql").glob("*/bin"), default=None)


class PostgresServer:
    """A server with one database, on a free port of this machine; it keeps nothing at the end."""

    def __init__(self) -> None:
        bin_ = programs()
        if bin_ is None:
            raise FileNotFoundError("PostgreSQL is not installed")
        self._bin = bin_
        # The server refuses to run as root.
        self._user = "postgres" if os.getuid() == 0 else pwd.getpwuid(os.getuid()).pw_name
        self._folder = Path(tempfile.mkdtemp(prefix="frontdesk-postgresql-"))
        if os.getuid() == 0:
            shutil.chown(self._folder, self._user)
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self._run("initdb", "--pgdata", str(self._folder / "data"), "--username", "frontdesk",
                  "--auth", "trust", "--encoding", "UTF8", "--no-sync")
        self._server: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def url(self) -> str:
        """As SQLAlchemy writes it."""
        return f"postgresql+psycopg://frontdesk@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        """Start it and wait until it answers."""
        self._server = subprocess.Popen(
            [self._bin / "postgres", "-D", self._folder / "data", "-p", str(self.port),
             "-c", "listen_addresses=127.0.0.1", "-c", f"unix_socket_directories={self._folder}",
             "-c", "shared_buffers=16MB"],
            user=self._user if os.getuid() == 0 else None, cwd=self._folder,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 30
        while True:
            try:
                psycopg.connect(self.url.replace("+psycopg", "")).close()
                return
            except psycopg.OperationalError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    def stop(self) -> None:
        """Stop it at once; what it acknowledged is there when it starts again."""
        if self._server is not None:
            self._run("pg_ctl", "--pgdata", str(self._folder / "data"), "--mode", "immediate",
                      "stop")
            self._server.wait(30)
            self._server = None

    def empty(self) -> None:
        """Drop all tables."""
        with psycopg.connect(self.url.replace("+psycopg", "")) as connection:
            connection.execute("DROP SCHEMA public CASCADE")
            connection.execute("CREATE SCHEMA public")

    def close(self) -> None:
        """Stop it and remove its files."""
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run([self._bin / program, *arguments], check=True, capture_output=True,
                       user=self._user if os.getuid() == 0 else None, cwd=self._folder)
