"""The template of :class:`~.forked_command.ForkedCommand`: loads what takes long, then forks.

Each message at the socket asks for a process that runs the command line, or a file of Python where
the first argument is one: arguments, environment and folder as JSON, and what are to be its
standard streams. The process has no parent among us: it goes to whoever has asked, who takes in
orphans just then.
"""

from __future__ import annotations

import gc
import importlib
import io
import json
import os
import runpy
import socket
import sys
from pathlib import Path
from typing import NoReturn

#: What chats, services and trainings need and do not import before they need it.
MODULES = (
    "torch", "scipy.optimize", "sympy", "transformers.models.bert.modeling_bert", "uvicorn",
    "sqlalchemy", "prompt_toolkit", "rich.console", "frontdesk.agent.cli.chat",
    "frontdesk.agent.calendars.open_calendar", "frontdesk.agent.sessions.load_agent",
    "frontdesk.agent.serving.app", "frontdesk.agent.serving.assemble_service",
    "frontdesk.agent.evaluation.run_evaluation", "frontdesk.generation.voice.embedded",
    "frontdesk.kg.models.hub_models", "frontdesk.kg.models.minilm",
    "frontdesk.rules.house_rules.rule_files", "frontdesk.rules.organisation.organisation_reasoner")


def main(server: socket.socket) -> None:
    """Fork as often as is asked, until nobody can ask any more."""
    for each in MODULES:
        importlib.import_module(each)
    from torch import set_num_threads

    from frontdesk.agent.domains.domain_registry import DEFAULT
    from frontdesk.agent.sessions.load_components import load_meaning

    set_num_threads(1)  # its threads would not survive the fork
    load_meaning("", DEFAULT.schema)
    gc.freeze()  # or each process would copy all of it to look whether it can go
    while True:
        message, streams, _, _ = socket.recv_fds(server, 1 << 20, 3)
        if not message:
            return
        reading, writing = os.pipe()
        between = os.fork()
        if not between:
            process = os.fork()
            if not process:
                os.close(reading)
                os.close(writing)
                server.close()
                _run(streams, **json.loads(message))
            os.write(writing, str(process).encode())
            os._exit(0)
        os.close(writing)
        os.waitpid(between, 0)
        server.send(os.read(reading, 20))
        os.close(reading)
        for stream in streams:
            os.close(stream)


def _run(streams: list[int], arguments: list[str], environment: dict[str, str],
         folder: str) -> NoReturn:
    """Be the command line or a program, as if started anew, and end."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    encoding, _, errors = environment.get("PYTHONIOENCODING", "utf-8").partition(":")
    for number, (name, mode, handling) in enumerate((
            ("stdin", "rb", "strict"), ("stdout", "wb", "strict"),
            ("stderr", "wb", "backslashreplace"))):
        setattr(sys, name, io.TextIOWrapper(
            os.fdopen(number, mode), encoding, errors or handling,
            line_buffering=name == "stderr" or os.isatty(number)))
    if arguments and arguments[0].endswith(".py"):
        sys.argv = arguments
        runpy.run_path(arguments[0], run_name="__main__")
        sys.exit()
    from frontdesk.agent.cli.main import main as command_line

    sys.argv = ["frontdesk", *arguments]
    sys.exit(command_line())


if __name__ == "__main__":
    sys.path.remove(str(Path(__file__).parent))
    main(socket.socket(fileno=int(sys.argv[1])))
