"""A comparison of two runs for people: in the terminal and as an HTML page."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from frontdesk.agent.evaluation.compare_metrics import Key, MetricDifference
from frontdesk.agent.evaluation.compare_runs import FAILINGS, Comparison
from frontdesk.agent.evaluation.report_elements import append, element, page, pairs_list, scrolling
from frontdesk.agent.evaluation.report_measures import MEASURES, MISSING, Measure
from frontdesk.agent.evaluation.report_tables import measure_name, p_value
from frontdesk.agent.evaluation.results import write_whole

_SIGNIFICANT = 0.05
_NO_TIMINGS = "Timings are not compared."


def print_comparison(console: Console, comparison: Comparison, *, turns: int = 20) -> None:
    """Print a comparison.

    Args:
        console: Where to.
        comparison: What to print.
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
    title = f"Comparison of two runs on {comparison.dataset}"
    runs = [(letter, f"{run.folder} ({run.condition}, {run.profile}, {run.turns} turns)")
            for letter, run in (("A", comparison.a), ("B", comparison.b))]
    header = element("header", element("h1", title), pairs_list(
        [*runs, ("Result", _headline(comparison))], "pairs head"))
    sections = [
        element("section", element("h2", "Figures"), _metrics_table(comparison),
                *(element("p", line, class_="quiet") for line in _undefined_lines(comparison)),
                id="figures"),
        element("section", element("h2", "Newly failing and fixed"), _failings_table(comparison),
                id="failings"),
        element("section", element("h2", "Turns that changed"),
                element("noscript", element("p", "The list of turns needs JavaScript.")),
                element("div", id="browser"), id="turns"),
        _missing_section(comparison),
        _settings_section(comparison),
    ]
    main = element("main")
    append(main, *sections)
    return page(title=title, body=[header, main], script="report_comparison.js",
                data={"turns": [asdict(each) for each in comparison.changed]})


def _metrics_table(comparison: Comparison) -> ET.Element:
    names = ("A", "B", "B \N{MINUS SIGN} A", "95 % interval", "p", "Turns")
    body = element("tbody")
    for each in comparison.metrics:
        name, *cells = _metric_cells(each)
        body.append(element("tr", element("th", name, scope="row"),
                            *(element("td", cell, class_="n") for cell in cells),
                            class_="significant" if each.p_value < _SIGNIFICANT else None))
    caption = ("Over the turns for which both runs have a value. Bold: a difference that is "
               "significant at the 5 % level, by paired randomisation over dialogues, not "
               f"corrected for the number of figures. {_NO_TIMINGS}")
    return scrolling(element(
        "table", element("caption", element("span", caption)),
        element("thead", element("tr", element("th", "Measure", scope="col"), *(
            element("th", name, scope="col", class_="n") for name in names))), body), "Figures")


def _failings_table(comparison: Comparison) -> ET.Element:
    body = element("tbody", *(element(
        "tr", element("th", failing.capitalize(), scope="row"),
        element("td", str(comparison.count(failing)), class_="n"),
        element("td", str(comparison.count(failing, fixed=True)), class_="n"))
        for failing in FAILINGS))
    head = element("thead", element("tr", element("th", "Turns", scope="col"), *(
        element("th", name, scope="col", class_="n")
        for name in ("Newly failing in B", "Fixed in B"))))
    return scrolling(element("table", head, body), "Newly failing and fixed turns")


def _missing_section(comparison: Comparison) -> ET.Element | None:
    if not comparison.only_a and not comparison.only_b:
        return None
    lists = [element("details", element("summary", line), element(
        "p", ", ".join(_spoken(key) for key in keys)))
        for line, keys in zip(_missing_lines(comparison),
                              [keys for keys in (comparison.only_a, comparison.only_b) if keys],
                              strict=True)]
    return element("section", element("h2", "Turns of one run alone"), *lists, id="missing")


def _settings_section(comparison: Comparison) -> ET.Element:
    heading = element("h2", "Set differently")
    if not comparison.settings:
        return element("section", heading, element("p", "Nothing.", class_="quiet"),
                       id="settings")
    body = element("tbody", *(element(
        "tr", element("th", each.name, scope="row"), element("td", each.a or MISSING),
        element("td", each.b or MISSING)) for each in comparison.settings))
    head = element("thead", element("tr", *(element("th", name, scope="col")
                                            for name in ("Setting", "A", "B"))))
    return element("section", heading, scrolling(element("table", head, body), "Settings"),
                   id="settings")
