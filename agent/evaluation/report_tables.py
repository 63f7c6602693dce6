"""The report's tables: figures by condition, errors, what is missing."""

from __future__ import annotations

import itertools
import json
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from frontdesk.agent.evaluation.report_elements import append, element, pairs_list, scrolling
from frontdesk.agent.evaluation.report_measures import (
    MEASURES,
    MISSING,
    Measure,
    Report,
    figure,
    interval,
    mapping,
    number,
    reason,
)
from frontdesk.agent.evaluation.report_plots import small_bar

Conditions = Mapping[str, Report]

#: Figures that are numbers of something.
_COUNTS = ("mentions", "turns", "hallucinations", "retrieval_errors")


def results_table(conditions: Conditions) -> ET.Element:
    """The figures, a row a measure and a column a condition, with 95 % intervals."""
    table = element("table", caption(_results_caption(conditions)), class_="figures")
    table.append(table_head(["Measure", *conditions], numbers_from=1))
    for group, measures in itertools.groupby(MEASURES, key=lambda each: each.group):
        body = element("tbody", element("tr", element(
            "th", element("span", group), colspan=str(len(conditions) + 1), scope="rowgroup")))
        for measure in _without_repeats(list(measures), conditions):
            body.append(_measure_row(measure, conditions))
        table.append(body)
    return scrolling(table, "Results")


def _without_repeats(measures: Sequence[Measure], conditions: Conditions) -> list[Measure]:
    """The measures of a group; one stands for all where all come from one that is missing."""
    parents = {measure.key.split(".")[0] for measure in measures}
    if len(parents) == 1 and not any(mapping(report.get(parent)) for parent in parents
                                     for report in conditions.values()):
        return [replace(measures[0], name="All dimensions", key=parents.pop())]
    return list(measures)


def _results_caption(conditions: Conditions) -> str:
    best = "The best figure of a row is set in bold. " if len(conditions) > 1 else ""
    return (f"{best}Below a figure: its 95 % interval, by bootstrap over dialogues. "
            f"{MISSING} means that a figure could not be computed.")


def _measure_row(measure: Measure, conditions: Conditions) -> ET.Element:
    name = element("th", measure.name, scope="row")
    if measure.note:
        append(name, element("small", measure.note))
    row = element("tr", name)
    best = _best(measure, [figure(report, measure.key) for report in conditions.values()])
    for report in conditions.values():
        value, bounds = figure(report, measure.key), interval(report, measure.key)
        if value is None:
            row.append(element("td", missing(reason(report, measure.key)), class_="n"))
            continue
        written = measure.write(value)
        cell = element("td", element("b" if value == best else "span", written), class_="n")
        if bounds is not None:
            low, high = (measure.write(bound).removesuffix(" %") for bound in bounds)
            append(cell, element("small", f"{low} – {high}"))
        row.append(cell)
    return row


def _best(measure: Measure, values: Sequence[float | None]) -> float | None:
    """The best of several values that differ as they are shown."""
    known = [value for value in values if value is not None]
    if measure.better is None or len({measure.write(value) for value in known}) < 2:
        return None
    return max(known) if measure.better == "higher" else min(known)


def missing(why: str) -> ET.Element:
    """The sign of a figure that could not be computed, which says why."""
    return element("a", MISSING, href="#unavailable", class_="missing", title=why,
                   aria_label=f"not available: {why}")


def unavailable_list(conditions: Conditions) -> ET.Element:
    """What is missing and why, each once with the conditions concerned."""
    found: dict[tuple[str, str], list[str]] = {}
    for name, report in conditions.items():
        reasons = {key: str(why) for key, why in mapping(report.get("unavailable")).items()}
        for measure in MEASURES:
            parts = (measure.key, measure.key.replace(".", "_"), measure.key.split(".")[0])
            if figure(report, measure.key) is None and not any(part in reasons for part in parts):
                reasons[measure.key] = reason(report, measure.key)
        for key, why in reasons.items():
            found.setdefault((measure_name(key), why), []).append(name)
    if not found:
        return element("p", "Nothing is missing.", class_="quiet")
    return pairs_list([
        (key, why if len(names) == len(conditions) else f"{why} ({', '.join(names)})")
        for (key, why), names in found.items()])


def measure_name(key: str) -> str:
    """What people call a key of the report."""
    names = {measure.key: measure.name for measure in MEASURES}
    return names.get(key) or {"unieval": "UniEval", "linking": "Linking"}.get(key, key)


def decimal(value: object, key: str) -> str:
    """A figure of a table as text, with the decimals that its key wants."""
    known = number(value)
    if known is None:
        return MISSING if value is None else str(value)
    if key == "bleu":
        return f"{known:.1f}"
    return f"{known:.0f}" if key in _COUNTS else f"{known:.3f}"


def variants_table(conditions: Conditions, key: str, title: str, columns: Mapping[str, str]
                   ) -> ET.Element | None:
    """A table of nested figures: ``{variant: {column: value}}`` of each condition.

    Args:
        conditions: The reports.
        key: Where the variants stand in a report.
        title: The caption.
        columns: Names of the columns by key.

    Returns:
        None where no report has such figures. Conditions that agree share their rows.
    """
    shared: dict[str, list[str]] = {}
    for name, report in conditions.items():
        if mapping(report.get(key)):
            shared.setdefault(json.dumps(report[key]), []).append(name)
    if not shared:
        return None
    table = element("table", caption(title + _left_out(shared)),
                    table_head(["Variant", *columns.values()], numbers_from=1))
    for text, names in shared.items():
        body = element("tbody")
        if len(shared) > 1:
            body.append(row_group(", ".join(names), len(columns) + 1))
        for variant, values in json.loads(text).items():
            body.append(table_row([variant.replace("_", " ")],
                             [decimal(mapping(values).get(column), column)
                              for column in columns]))
        table.append(body)
    return scrolling(table, title)


def _left_out(shared: Iterable[str]) -> str:
    """What the figures of annotated mentions leave out, where they say so."""
    reasons = {f"{count} ({why})" for text in shared
               for why, count in mapping(mapping(json.loads(text).get("given")).get("excluded")
                                         ).items()}
    return f" Left out of the annotated mentions: {', '.join(sorted(reasons))}." if reasons else ""


def comparisons_table(comparisons: Sequence[Mapping[str, Any]]) -> ET.Element:
    """Paired comparisons of conditions."""
    measures = {measure.key: measure for measure in MEASURES}
    table = element("table", caption("Second minus first, over the same turns. Bold: "
                                     "significant at the 5 % level, not corrected for the number "
                                     "of comparisons."),
                    table_head(["Measure", "First", "Second", "Difference", "95 % interval", "p"],
                               numbers_from=3))
    body = element("tbody")
    for each in comparisons:
        difference, p = number(each.get("difference")), number(each.get("p_value"))
        measure = measures.get(key := str(each.get("metric"))) or Measure(key, key, "")
        bounds = [measure.write_difference(number(bound)) for bound in each.get("interval") or ()]
        row = table_row([measure.name, str(each.get("a")),
                    str(each.get("b"))], [measure.write_difference(difference),
                                          " … ".join(bounds) or MISSING, p_value(p)])
        if each.get("significant"):
            row.set("class", "significant")
        body.append(row)
    table.append(body)
    return scrolling(table, "Comparisons of conditions")


def p_value(p: float | None) -> str:
    """A p-value as text.

    >>> [p_value(each) for each in (None, 0.00004, 0.0312, 1.0)]
    ['–', '< 0.001', '0.031', '1.000']
    """
    if p is None:
        return MISSING
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def errors_table(conditions: Conditions) -> ET.Element | None:
    """How many turns have which error; None where no condition reports an error."""
    counts: dict[str, dict[str, float]] = {}
    for name, report in conditions.items():
        for each in report.get("errors") or ():
            counts.setdefault(str(each.get("reason")), {})[name] = number(each.get("turns")) or 0
    if not counts:
        return None
    table = element("table", caption("Turns with each error, most frequent first; a "
                                     "turn may have several."),
                    table_head(["Error", *conditions], numbers_from=1))
    body = element("tbody")
    most = max(max(each.values()) for each in counts.values()) or 1
    for why, by_condition in sorted(counts.items(), key=lambda each: -sum(each[1].values())):
        row = element("tr", element("th", why, scope="row", dir="auto"))
        for place, name in enumerate(conditions):
            turns = by_condition.get(name, 0)
            row.append(element("td", small_bar(turns / most, place),
                               element("span", f"{turns:.0f}", class_="count"), class_="n"))
        body.append(row)
    table.append(body)
    return scrolling(table, "Error breakdown")


def table_head(names: Sequence[str], numbers_from: int) -> ET.Element:
    """The head of a table, whose columns are numbers from the given one on."""
    return element("thead", element("tr", *(
        element("th", name, scope="col", class_="n" if place >= numbers_from else None)
        for place, name in enumerate(names))))


def caption(*parts: ET.Element | str) -> ET.Element:
    """The caption of a table."""
    # The inner element stays in view when a wide table scrolls.
    return element("caption", element("span", *parts))


def table_row(names: Sequence[str], values: Sequence[str]) -> ET.Element:
    """A row of a table: its head, further text, numbers."""
    row = element("tr", element("th", names[0], scope="row", dir="auto"))
    append(row, *(element("td", name) for name in names[1:]))
    append(row, *(element("td", value, class_="n") for value in values))
    return row


def row_group(name: str, columns: int) -> ET.Element:
    """The head of a group of rows."""
    return element("tr", element("th", element("span", name), colspan=str(columns),
                                 scope="rowgroup"))
