"""Evaluates programs with plain ProbLog in a process of its own, which can be stopped.

Reads the paths of programs, one a line, and answers each with a line of JSON: the seconds that
ProbLog took and the answers. :class:`PlainProbLog` talks to it.
"""

from __future__ import annotations

import json
import select
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from whole_program import evaluate


class PlainProbLog:
    """Plain ProbLog in a process that stays; it is killed, and another started, at a limit."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._folder = tempfile.TemporaryDirectory()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self._stop()
        self._folder.cleanup()

    def evaluate(self, text: str, limit_s: float) -> tuple[float, dict[Any, float] | None]:
        """The seconds that the evaluation of a program took, and its answers.

        Returns:
            The limit and None if it was not done by then.
        """
        path = Path(self._folder.name) / "program.pl"
        path.write_text(text, encoding="utf-8")
        process = self._process = self._process or self._start()
        assert process.stdin is not None  # noqa: S101 - for the type checker
        assert process.stdout is not None  # noqa: S101
        process.stdin.write(f"{path}\n")
        process.stdin.flush()
        ready, _, _ = select.select([process.stdout], [], [], limit_s)
        if not ready:
            self._stop()
            return limit_s, None
        line = process.stdout.readline()
        if not line:
            raise SystemExit("plain ProbLog ended by itself; its error is above")
        result = json.loads(line)
        return result["seconds"], {(predicate, tuple(arguments)): probability
                                   for predicate, arguments, probability in result["answers"]}

    @staticmethod
    def _start() -> subprocess.Popen[str]:
        process = subprocess.Popen([sys.executable, "-m", __spec__.name], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, text=True,
                                   cwd=Path(__file__).parents[1])
        assert process.stdout is not None  # noqa: S101
        process.stdout.readline()  # it has loaded ProbLog
        return process

    def _stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


def main() -> int:
    """Answer until there is no more input."""
    evaluate("0.5::a. query(a).")  # loads what ProbLog loads at its first use
    print("ready", flush=True)
    for line in sys.stdin:
        text = Path(line.rstrip("\n")).read_text(encoding="utf-8")
        start = time.perf_counter()
        answers = evaluate(text)
        seconds = time.perf_counter() - start
        print(json.dumps({"seconds": seconds,
                          "answers": [[*answer, probability]
                                      for answer, probability in answers.items()]}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
