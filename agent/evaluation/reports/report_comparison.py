"""A comparison of two runs for people: in the terminal and as an HTML page."""

from __future__ import annotations

import re
from dataclasses import asdict
from difflib import SequenceMatcher
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from frontdesk.agent.evaluation.reports.compare_metrics import Key, MetricDifference
from frontdesk.agent.evaluation.reports.compare_runs import FAILINGS, Comparison
from frontdesk.agent.evaluation.reports.report_measures import MEASURES, MISSING, Measure
from frontdesk.agent.evaluation.reports.report_pages import report_page
from frontdesk.agent.evaluation.reports.report_tables import measure_name, p_value
from frontdesk.agent.evaluation.results import write_whole

_SIGNIFICANT = 0.05
_NO_TIMINGS = "Timings are not compared."


def print_comparison(console: Console, comparison: Comparison, *, turns: int = 20) -> None:
    """Print a comparison.

    Args:
        console: Where to.
        turns: How many of the turns that changed are printed; the page has all.
    """
    console.print(Text(_headline(comparison), style="bold"))
    for letter, run in (("A", comparison.a), ("B", comparison.b)):
        console.print(Text(f"{letter}  {run.folder}  ({run.condition}, {run.profile}, "
                           f"{run.turns} turns)", style="dim"))
    console.print(_rich_metrics(comparison))
    for line in (*_undefined_lines(comparison), *_missing_lines(comparison), _NO_TIMINGS):
        console.print(Text(line, style="dim"))
    console.print(_rich_failings(comparison))
    if comparison.settings:
        table = Table("Setting", "A", "B", title="Set differently", title_justify="left", box=None)
        for setting in comparison.settings:
            table.add_row(Text(setting.name), Text(setting.a or MISSING),
                          Text(setting.b or MISSING))
        console.print(table)
    _print_turns(console, comparison, turns)


def _headline(comparison: Comparison) -> str:
    replies = sum(each.reply_changed for each in comparison.changed)
    return (f"{comparison.dataset}: {comparison.shared} turns in both runs, "
            f"{replies} of them with another reply")


def _rich_metrics(comparison: Comparison) -> Table:
    table = Table("Measure", box=None)
    for name in ("A", "B", "B \N{MINUS SIGN} A", "95 % interval", "p", "turns"):
        table.add_column(name, justify="right")
    for each in comparison.metrics:
        style = "bold" if each.p_value < _SIGNIFICANT else ""
        table.add_row(*(Text(cell) for cell in _metric_cells(each)), style=style)
    return table


def _metric_cells(each: MetricDifference) -> list[str]:
    measure = next((one for one in MEASURES if one.key == each.metric),
                   Measure(each.metric, each.metric, ""))
    low, high = (measure.write_difference(bound) for bound in (each.low, each.high))
    return [measure.name, measure.write(each.a), measure.write(each.b),
            measure.write_difference(each.difference), f"{low.removesuffix(' pp')} … {high}",
            p_value(each.p_value), str(each.turns)]


def _rich_failings(comparison: Comparison) -> Table:
    table = Table("Turns", box=None)
    table.add_column("newly failing in B", justify="right")
    table.add_column("fixed in B", justify="right")
    for failing in FAILINGS:
        table.add_row(failing, str(comparison.count(failing)),
                      str(comparison.count(failing, fixed=True)))
    return table


def _undefined_lines(comparison: Comparison) -> list[str]:
    """The figures that cannot be compared, together where the reason is the same."""
    by_reason: dict[str, list[str]] = {}
    for key, why in comparison.undefined.items():
        by_reason.setdefault(why, []).append(measure_name(key))
    return [f"Not compared: {', '.join(names)} ({why})." for why, names in by_reason.items()]


def _missing_lines(comparison: Comparison) -> list[str]:
    return [f"Only in {letter}: {len(keys)} turns, from {_spoken(keys[0])} to {_spoken(keys[-1])}."
            for letter, keys in (("A", comparison.only_a), ("B", comparison.only_b)) if keys]


def _spoken(key: Key) -> str:
    return f"{key[0]} turn {key[1]}"


def _print_turns(console: Console, comparison: Comparison, turns: int) -> None:
    # What fails newly matters most, then what is mended, then other wording.
    ordered = sorted(comparison.changed, key=lambda each: (not each.newly_failing, not each.fixed))
    for each in ordered[:turns]:
        marks = [f"newly failing: {', '.join(each.newly_failing)}"] if each.newly_failing else []
        marks += [f"fixed: {', '.join(each.fixed)}"] if each.fixed else []
        console.print()
        console.print(Text(f"{each.dialogue} turn {each.turn}", style="bold"),
                      Text("  ".join(marks), style="yellow"))
        replies = [("A", each.reply_a), ("B", each.reply_b)] if each.reply_changed else [
            ("A, B", each.reply_a)]
        for name, text in [("user", each.user), ("reference", each.reference), *replies]:
            console.print(Text(f"  {name:<10}", style="dim"), Text(text or MISSING), sep="")
    if len(ordered) > turns:
        console.print(Text(f"\n… and {len(ordered) - turns} more turns that changed", style="dim"))


def write_comparison_html(path: Path, comparison: Comparison) -> None:
    """Write a comparison as one page that is complete in itself; an existing file is replaced."""
    write_whole(path, comparison_html(comparison))


def comparison_html(comparison: Comparison) -> bytes:
    """The page of a comparison as UTF-8; see :func:`write_comparison_html`."""
    return report_page(
        "comparison_report.html", f"Comparison of two runs on {comparison.dataset}",
        data={"view": "comparison", "turns": [
            {**asdict(each), **_words(each.reply_a or MISSING, each.reply_b or MISSING)}
            for each in comparison.changed]},
        facts=[*((letter, f"{run.folder} ({run.condition}, {run.profile}, {run.turns} turns)")
                 for letter, run in (("A", comparison.a), ("B", comparison.b))),
               ("Result", _headline(comparison))],
        figures=[(_metric_cells(each), each.p_value < _SIGNIFICANT)
                 for each in comparison.metrics],
        undefined=_undefined_lines(comparison), no_timings=_NO_TIMINGS,
        failings=[[failing.capitalize(), comparison.count(failing),
                   comparison.count(failing, fixed=True)] for failing in FAILINGS],
        alone=list(zip(_missing_lines(comparison), [
            ", ".join(map(_spoken, keys)) for keys in (comparison.only_a, comparison.only_b)
            if keys], strict=True)),
        settings=[[each.name, each.a or MISSING, each.b or MISSING]
                  for each in comparison.settings])


def _words(a: str, b: str) -> dict[str, list[tuple[str, bool]]]:
    """Both texts in parts, each with whether the other text has it there too."""
    left, right = (re.findall(r"\s+|\w+|.", text) for text in (a, b))
    found: dict[str, list[tuple[str, bool]]] = {"words_a": [], "words_b": []}
    for tag, start_a, end_a, start_b, end_b in SequenceMatcher(
            None, left, right, autojunk=False).get_opcodes():
        for name, part in (("words_a", left[start_a:end_a]), ("words_b", right[start_b:end_b])):
            if part:
                found[name].append(("".join(part), tag == "equal"))
    return found
