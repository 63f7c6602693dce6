"""How long reasoning takes in a turn, against plain ProbLog, as calendars grow.

Replays GraphWOZ dialogues, each in a session of its own, and measures the stages link and infer of
every turn, on the dialogues' calendars and on calendars with 10, 100 and 1000 times the events,
either on the same days (dense) or on the other days of the year (sparse). In the same run a sample
of these turns is evaluated by plain ProbLog as one program with all facts of the calendar, the same
rules, and the same evidence of every pair of a mention and an entity, in two ways: asking about
every entity, as one must whose only program also says what the mentions refer to; and asking just
what ours is asked, the links told in advance. Its time is that of writing, parsing, grounding,
compiling and evaluating the program, the evidence being given. It has fewer turns the larger the
calendar is, and a limit at which it is stopped. Its answers are compared with ours.

    python benchmarks/reasoning.py [--path FILE] [--turns N] [--scales 1,10,100,1000]
        [--json FILE] [--plot FILE.svg] [--smallest]
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from support.benchmark import SAMPLE, add_path, parse_options, write_report
from support.reasoning_limits import extremes, loading
from support.reasoning_replay import Bench
from support.reasoning_report import Baseline, Case, duration, growth, of_kind, plot, show

from frontdesk.data.datasets.graphwoz import Dialogue, load_graphwoz
from frontdesk.kg.graph.errors import FrontdeskError
from frontdesk.scoring.encoder import CachedEncoder, MiniLMEncoder

SCALES = (1, 10, 100, 1000)
#: Columns of the output where it goes to no terminal.
WIDTH = 110


def main() -> int:
    """Measure, print the table, and write the report and the plot where asked."""
    options = _options()
    console = Console(stderr=True)
    try:
        dialogues = list(load_graphwoz(options.path).values())
    except FrontdeskError as error:
        console.print(str(error), style="red", markup=False)
        return 2
    sample = _sample(dialogues, options.turns, options.seed)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
               TimeElapsedColumn())
    with tempfile.TemporaryDirectory() as folder, Progress(*columns,
                                                           console=console) as progress:
        # Ranking is not measured: no sentence is embedded twice.
        encoder = CachedEncoder(MiniLMEncoder(), Path(folder) / "sentences.sqlite")
        cases = Bench(sample, options.scales, options.repeat, options.limit, options.plain,
                      options.seed, encoder, progress).run()
        others = [*extremes(sample[0].knowledge_base, encoder, options.repeat_long),
                  loading(sample[0].knowledge_base, options.loaded, options.seed)]
    notes = _notes(cases, others, options)
    terminal = Console()
    show(cases, notes, terminal if terminal.is_terminal else Console(width=WIDTH))
    write_report(options.json, "reasoning", [*(case.to_dict() for case in cases), *others],
                 growth=_growth(cases), notes=notes)
    if options.plot is not None:
        options.plot.write_text(plot(cases), encoding="utf-8")
    return 1 if any(_differing(case) for case in cases) else 0


def _growth(cases: Sequence[Case]) -> dict[str, float | None]:
    return {f"{side}_{kind}": growth(of_kind(cases, dense=kind == "dense"),
                                     baseline=side == "baseline")
            for side in ("ours", "baseline") for kind in ("dense", "sparse")}


def _differing(case: Case) -> int:
    return len(case.everything.differing) + len(case.told.differing)


def _notes(cases: Sequence[Case], others: Sequence[dict[str, Any]],
           options: argparse.Namespace) -> list[str]:
    first = cases[0]
    compared = sum(len(each.milliseconds) - len(each.stopped)
                   for case in cases for each in (case.everything, case.told))
    wrong = sum(map(_differing, cases))
    turns = ", ".join(f"{case.name}: {_counted(case.everything)} and {_counted(case.told)}"
                      for case in cases)
    load_case = others[-1]
    return [
        f"{len(first.milliseconds)} turns of {len(first.events)} dialogues of "
        f"{options.path.name}, seed {options.seed}, each measured {options.repeat} times after a "
        f"session that warms up; {len(first.acting)} more turns act and derive nothing.",
        "Plain ProbLog, turns with everything asked and told the links (a ratio is to ours on the "
        f"same turns; it is stopped after {options.limit:g} s): {turns}.",
        f"Its answers were compared with ours in {compared} evaluations; {wrong} differ.",
        *(f"{each['case']}: {duration(each['ours_ms'])}" for each in others[:-1]),
        f"{load_case['case']}: {duration(load_case['ours_ms'])} (reading "
        f"{duration(load_case['read_ms'])}), {load_case['memory_mb']} MB"]


def _counted(baseline: Baseline) -> str:
    if not baseline.milliseconds:
        return f"none ({baseline.skipped or 'no turn was replayed'})"
    stopped = f" ({len(baseline.stopped)} stopped)" if baseline.stopped else ""
    return f"{len(baseline.milliseconds)}{stopped}"


def _sample(dialogues: Sequence[Dialogue], turns: int, seed: int) -> list[Dialogue]:
    """Dialogues drawn by chance until they have so many turns."""
    drawn = list(dialogues)
    random.Random(seed).shuffle(drawn)
    count, chosen = 0, []
    for dialogue in drawn:
        if count >= turns:
            break
        chosen.append(dialogue)
        count += len(dialogue.turns)
    return chosen


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add_path(parser)
    parser.add_argument("--turns", type=int, default=24, metavar="N",
                        help="whole dialogues are drawn until they have so many turns (24)")
    parser.add_argument("--scales", type=_scales, default=SCALES, metavar="N,N",
                        help="times the calendar; the original size always comes first "
                             "(1,10,100,1000)")
    parser.add_argument("--repeat", type=int, default=3, metavar="N",
                        help="how often every turn is measured (3)")
    parser.add_argument("--repeat-long", type=int, default=5, metavar="N",
                        help="how often the longest turns are measured (5)")
    parser.add_argument("--limit", type=float, default=90.0, metavar="SECONDS",
                        help="after which plain ProbLog is stopped in a turn (90)")
    parser.add_argument("--plain", type=int, default=12, metavar="N",
                        help="turns that plain ProbLog evaluates at the original size (12)")
    parser.add_argument("--seed", type=int, default=0, help="of what is drawn by chance (0)")
    parser.add_argument("--loaded", type=int, default=50_000, metavar="N",
                        help="events of the calendar whose loading is measured, at least (50000)")
    parser.add_argument("--plot", type=Path, metavar="FILE.svg", help="draw the plot there")
    options = parse_options(parser, path=SAMPLE, turns=2, scales="1,2", repeat=1,
                            repeat_long=1, plain=1, loaded=500)
    if min(options.turns, options.repeat, options.repeat_long, options.limit, options.plain) <= 0:
        parser.error("--turns, --repeat, --repeat-long, --limit and --plain must be positive")
    return options


def _scales(text: str) -> tuple[int, ...]:
    try:
        numbers = {int(each) for each in text.split(",")}
    except ValueError:
        numbers = {0}
    if min(numbers) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a list of sizes such as 1,10,100")
    return tuple(sorted(numbers | {1}))


if __name__ == "__main__":
    sys.exit(main())
