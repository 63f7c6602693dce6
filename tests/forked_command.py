"""``frontdesk`` in processes of its own that start at once: forked from one that has imported all.

For tests that need a process, to kill it or to see its streams, and not that it is started as
users start it.
"""

from __future__ import annotations

import ctypes
import functools
import json
import os
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

_PR_SET_CHILD_SUBREAPER = 36
_ONE_AT_A_TIME = threading.Lock()


@functools.cache
def _template() -> tuple[subprocess.Popen[bytes], socket.socket]:
    """The process that forks, and where it is asked to; it ends with this one."""
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with its:
        process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("preloaded.py")), str(its.fileno())],
            stdin=subprocess.DEVNULL, pass_fds=[its.fileno()])
    return process, ours


def _take_orphans(yes: int) -> None:
    """Have orphans become children of this process, so that their status can be waited for."""
    if ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, yes):
        raise OSError(ctypes.get_errno(), "orphans cannot be waited for here")


class ForkedCommand(subprocess.Popen):
    """As ``subprocess.Popen``; the arguments are those of ``frontdesk``, or a program and its own.
    """

    def _execute_child(self, args, executable, preexec_fn, close_fds, pass_fds, cwd, env,
                       startupinfo, creationflags, shell, *pipes: Any) -> None:
        stdin, to_stdin, from_stdout, stdout, from_stderr, stderr, *_ = pipes
        _, template = _template()
        message = {"arguments": list(map(str, args)), "environment": dict(env or os.environ),
                   "folder": str(cwd or Path.cwd())}
        streams = [number if given == -1 else given
                   for number, given in enumerate((stdin, stdout, stderr))]
        with _ONE_AT_A_TIME:
            _take_orphans(1)
            try:
                socket.send_fds(template, [json.dumps(message).encode()], streams)
                self.pid = int(template.recv(20))
            finally:
                _take_orphans(0)
        self._child_created = True
        self._close_pipe_fds(stdin, to_stdin, from_stdout, stdout, from_stderr, stderr)


def run_forked(*arguments: Any, stdin: bytes | str = b"", **options: Any
               ) -> subprocess.CompletedProcess[Any]:
    """As ``subprocess.run`` with its output captured."""
    with ForkedCommand(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, **options) as process:
        try:
            out, err = process.communicate(stdin, timeout=120)
        except BaseException:
            process.kill()
            raise
    return subprocess.CompletedProcess(arguments, process.returncode, out, err)
