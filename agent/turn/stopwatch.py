"""How long the stages of a turn take."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

#: Is told the name of each stage when it ends, and the milliseconds that it took.
Watch = Callable[[str, float], None]


@dataclass
class Stopwatch:
    """Milliseconds spent in each stage.

    Args:
        watch: Is told of each stage.
    """

    watch: Watch | None = None
    milliseconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the time that the block takes to a stage's."""
        start = time.perf_counter()
        try:
            yield
        finally:
            spent = (time.perf_counter() - start) * 1000
            self.milliseconds[name] = self.milliseconds.get(name, 0.0) + spent
            if self.watch is not None:
                self.watch(name, spent)
