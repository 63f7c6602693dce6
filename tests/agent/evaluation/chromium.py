"""A real browser for tests, driven through its debugging pipe."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


class Browser:
    """One tab of a headless browser."""

    def __init__(self, commands: int, answers: int) -> None:
        self._commands, self._answers = commands, answers
        self._buffer, self._count, self._session = b"", 0, None
        #: What pages complained about: exceptions, and what their policy forbade.
        self.complaints: list[str] = []
        target = self._send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._send("Target.attachToTarget", targetId=target,
                                   flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self._send(f"{domain}.enable")

    def open(self, path: Path, anchor: str = "", *, width: int = 1280) -> None:
        """Load a file and wait until its scripts ran."""
        self._send("Emulation.setDeviceMetricsOverride", width=width, height=800,
                   deviceScaleFactor=1, mobile=width < 600)
        self._send("Page.navigate", url="about:blank")
        self._send("Page.navigate", url=path.resolve().as_uri() + anchor)
        self.run("new Promise(done => document.readyState === 'complete' ? done()"
                 " : addEventListener('load', done))")

    def run(self, expression: str) -> Any:
        """The value of an expression in the page."""
        answer = self._send("Runtime.evaluate", expression=expression, awaitPromise=True,
                            returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def _send(self, method: str, **params: Any) -> Any:
        self._count += 1
        message = {"id": self._count, "method": method, "params": params}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self._count:
                assert "error" not in answer, answer
                return answer["result"]
            if answer.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded"):
                self.complaints.append(json.dumps(answer["params"]))

    def _read(self) -> Any:
        while b"\0" not in self._buffer:
            part = os.read(self._answers, 1 << 16)
            assert part, "the browser went away"
            self._buffer += part
        line, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(line)


@contextmanager
def browser(profile: Path) -> Iterator[Browser]:
    """A browser; skips the test where there is none."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip(f"none of {', '.join(NAMES)} is installed, so the page is not driven")
    theirs_in, ours_out = os.pipe()
    ours_in, theirs_out = os.pipe()
    # The browser reads from 3 and writes to 4; both must be free to be copied there.
    high = [fcntl.fcntl(end, fcntl.F_DUPFD, 20) for end in (theirs_in, theirs_out)]
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
             "--disable-background-networking", f"--user-data-dir={profile}"]
    process = subprocess.Popen(
        ["bash", "-c", 'exec "$0" "$@" 3<&' + f"{high[0]} 4>&{high[1]}", program, *flags],
        pass_fds=high, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for end in (theirs_in, theirs_out, *high):
        os.close(end)
    try:
        yield Browser(ours_out, ours_in)
    finally:
        process.kill()
        process.wait()
        os.close(ours_out)
        os.close(ours_in)
