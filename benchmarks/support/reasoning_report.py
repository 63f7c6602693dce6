"""What ``benchmarks/reasoning.py`` measured: as a table, as JSON and as a plot."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from .reasoning_plot import Curve, Point, draw

#: A turn: its dialogue's id and its position there.
TurnKey = tuple[str, int]


@dataclass
class Baseline:
    """Evaluations by plain ProbLog.

    Args:
        milliseconds: By turn; the limit where it was reached.
        stopped: Turns whose evaluation was stopped at the limit.
        differing: Turns of which it gives other answers than ours.
        skipped: Why it was not run; empty if it was.
    """

    milliseconds: dict[TurnKey, float] = field(default_factory=dict)
    stopped: set[TurnKey] = field(default_factory=set)
    differing: set[TurnKey] = field(default_factory=set)
    skipped: str = ""

    @property
    def median(self) -> float | None:
        return statistics.median(self.milliseconds.values()) if self.milliseconds else None

    @property
    def is_bound(self) -> bool:
        """Whether the median is known only to be larger."""
        return 2 * len(self.stopped) >= len(self.milliseconds) > 0

    def to_dict(self, ours: Case) -> dict[str, Any]:
        """The figures beside ours on the same turns."""
        if self.median is None:
            return {"baseline_ms": None, "ratio": None, "not_run": self.skipped}
        same = statistics.median(statistics.median(ours.milliseconds[turn])
                                 for turn in self.milliseconds)
        return {"baseline_ms": round(self.median, 2), "baseline_is_lower_bound": self.is_bound,
                "baseline_turns": len(self.milliseconds), "stopped": len(self.stopped),
                "ours_on_these_turns_ms": round(same, 3), "ratio": round(self.median / same, 1),
                "turns_compared": len(self.milliseconds) - len(self.stopped),
                "turns_that_differ": len(self.differing)}


@dataclass
class Case:
    """Reasoning on calendars of one size.

    Args:
        scale: How many times the events.
        dense: Whether the days of the original get fuller; None at the original size.
        events: Of each calendar.
        milliseconds: Ours, by turn, each repetition.
        first_turns: The same of the first turns of a session.
        acting: Turns that act: they derive nothing, and are not measured.
        everything: One program per turn that asks about every entity.
        told: One program per turn that asks what ours is asked.
    """

    scale: int
    dense: bool | None
    events: list[int] = field(default_factory=list)
    milliseconds: dict[TurnKey, list[float]] = field(default_factory=dict)
    first_turns: list[float] = field(default_factory=list)
    acting: set[TurnKey] = field(default_factory=set)
    everything: Baseline = field(default_factory=Baseline)
    told: Baseline = field(default_factory=Baseline)

    @property
    def name(self) -> str:
        kind = "" if self.dense is None else " dense" if self.dense else " sparse"
        return f"{self.scale}x{kind}"

    @property
    def median(self) -> float:
        return statistics.median(statistics.median(each) for each in self.milliseconds.values())

    def to_dict(self) -> dict[str, Any]:
        """As the report has it."""
        values = [statistics.median(each) for each in self.milliseconds.values()]
        return {"case": self.name, "scale": self.scale,
                "events": round(statistics.median(self.events)),
                "ours_ms": round(self.median, 3),
                "ours_p95_ms": round(float(np.percentile(values, 95)), 3),
                "ours_first_turn_ms": round(statistics.median(self.first_turns), 3),
                "turns": len(values), "acting_turns": len(self.acting),
                "repetitions": min(map(len, self.milliseconds.values())),
                **self.everything.to_dict(self), "told_the_links": self.told.to_dict(self)}


def growth(cases: Sequence[Case], *, baseline: bool) -> float | None:
    """The exponent b of the fit time = a * scale^b over at least two sizes; None for fewer.

    Args:
        cases: Of one kind of calendar, the original size among them.
        baseline: Of the program that asks about everything; sizes at which it was stopped or not
            run are left out. Else of ours.
    """
    points = [(case.scale, case.everything.median if baseline else case.median) for case in cases
              if not (baseline and case.everything.is_bound)]
    known = [(math.log(scale), math.log(time)) for scale, time in points if time is not None]
    if len(known) < 2:
        return None
    return float(np.polyfit(*zip(*known, strict=True), 1)[0])


def of_kind(cases: Sequence[Case], *, dense: bool) -> list[Case]:
    """The cases of dense or sparse calendars, by scale, with the original size."""
    return sorted((case for case in cases if case.dense in (None, dense)),
                  key=lambda case: case.scale)


def show(cases: Sequence[Case], notes: Sequence[str], console: Console) -> None:
    """Print the table of sizes, the growth and the notes.

    Beside ours stand one program per turn that asks about every entity, and one that asks what
    ours is asked, the links told.
    """
    table = Table(title="Reasoning per turn (link and infer), medians")
    for heading in ("calendar", "events", "ours", "p95", "first", "asks all", "ratio",
                    "told links", "ratio"):
        table.add_column(heading, justify="right" if table.columns else "left", no_wrap=True)
    for case in cases:
        figures = case.to_dict()
        row = [case.name, f"{figures['events']:,}", duration(figures["ours_ms"]),
               duration(figures["ours_p95_ms"]), duration(figures["ours_first_turn_ms"])]
        for each in (figures, figures["told_the_links"]):
            more = "> " if each.get("baseline_is_lower_bound") else ""
            row += ["not run", ""] if each["baseline_ms"] is None else [
                more + duration(each["baseline_ms"]), f"{more}{each['ratio']:,.0f}"]
        table.add_row(*row)
    console.print(table)
    for dense in (True, False):
        exponents = [growth(of_kind(cases, dense=dense), baseline=each) for each in (False, True)]
        ours, plain = ("unknown" if each is None else f"{each:.2f}" for each in exponents)
        console.print(f"growth with {'dense' if dense else 'sparse'} calendars, exponent: "
                      f"ours {ours}, plain ProbLog, asking all, {plain}")
    for note in notes:
        console.print(note, markup=False)


def plot(cases: Sequence[Case]) -> str:
    """Ours and the program that asks about everything, as an SVG document."""
    curves = []
    for dense, kind in ((True, "dense"), (False, "sparse")):
        chosen = of_kind(cases, dense=dense)
        curves.append(Curve(f"ours, {kind}", [Point(case.scale, case.median) for case in chosen],
                            0 if dense else 1, dashed=not dense))
        plain = [Point(case.scale, case.everything.median, case.everything.is_bound)
                 for case in chosen if case.everything.median is not None]
        if plain:
            curves.append(Curve(f"ProbLog, {kind}", plain, 2 if dense else 3, dashed=not dense))
    return draw("Reasoning per turn, median", curves)


def duration(milliseconds: float) -> str:
    """As people read it."""
    return f"{milliseconds:.1f} ms" if milliseconds < 1000 else f"{milliseconds / 1000:.1f} s"
