"""The report's tables: figures by condition, the paper's, errors, what is missing, data, run."""

from __future__ import annotations

import itertools
import json
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
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

Conditions = Mapping[str, Report]


def results_table(conditions: Conditions) -> ET.Element:
    """The figures, a row a measure and a column a condition, with 95 % intervals."""
    table = element("table", element("caption", _results_caption(conditions)), class_="figures")
    table.append(_head(["Measure", *conditions], numbers_from=1))
    for group, measures in itertools.groupby(MEASURES, key=lambda each: each.group):
        body = element("tbody", element("tr", element(
            "th", element("span", group), colspan=str(len(conditions) + 1), scope="rowgroup")))
        for measure in measures:
            body.append(_measure_row(measure, conditions))
        table.append(body)
    return scrolling(table, "Results")


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


def paper_table(conditions: Conditions) -> ET.Element | None:
    """The paper's figures with ours above; None where the report has none of the paper's."""
    paper = next((mapping(report.get("paper")) for report in conditions.values()
                  if mapping(report.get("paper")).get("table")), None)
    if paper is None:
        return None
    rows = [mapping(row) for row in paper["table"]]
    keys = list(dict.fromkeys(key for row in rows for key in row if key not in ("model", "split")))
    ours = {"bleu": "bleu", "meteor": "meteor", "bertscore": "bertscore_f1"}
    table = element("table", element("caption", *_paper_caption(str(paper.get("source") or ""))),
                    _head(["Model", "Split", *(_column(key) for key in keys)], numbers_from=2))
    body = element("tbody", _group("This run", len(keys) + 2))
    for name, report in conditions.items():
        values = [(figure(report, ours.get(key, key)), key) for key in keys]
        body.append(_row([name, str(report.get("split") or MISSING)],
                         [_decimal(value, key) for value, key in values]))
    theirs = element("tbody", _group("Published: other models", len(keys) + 2), class_="theirs")
    for row in rows:
        theirs.append(_row([str(row.get("model")), str(row.get("split") or MISSING)],
                           [_decimal(row.get(key), key) for key in keys]))
    append(table, body, theirs)
    return scrolling(table, "The paper's figures beside ours")


def _paper_caption(source: str) -> list[ET.Element | str]:
    text = ("The lower part repeats what the paper published for its own models. Those are other "
            "models, metric settings and scales than ours, so the figures are no like-for-like "
            "comparison.")
    return [text, f" Source: {source}" if source else ""]


def _column(key: str) -> str:
    return {"bleu": "BLEU", "meteor": "METEOR", "bertscore": "BERTScore"}.get(
        key, key.replace("_", " ").capitalize())


def _decimal(value: object, key: str) -> str:
    known = number(value)
    if known is None:
        return MISSING if value is None else str(value)
    return f"{known:.1f}" if key == "bleu" and abs(known) > 1 else f"{known:.3g}"


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
            shared.setdefault(json.dumps(report[key], sort_keys=True), []).append(name)
    if not shared:
        return None
    table = element("table", element("caption", title),
                    _head(["Variant", *columns.values()], numbers_from=1))
    for text, names in shared.items():
        body = element("tbody")
        if len(shared) > 1:
            body.append(_group(", ".join(names), len(columns) + 1))
        for variant, values in json.loads(text).items():
            body.append(_row([variant.replace("_", " ")],
                             [_decimal(mapping(values).get(column), column)
                              for column in columns]))
        table.append(body)
    return scrolling(table, title)


def comparisons_table(comparisons: Sequence[Mapping[str, Any]]) -> ET.Element:
    """Paired comparisons of conditions."""
    measures = {measure.key: measure for measure in MEASURES}
    table = element("table", element("caption", "Second minus first, over the same turns. Bold: "
                                     "significant at the 5 % level, not corrected for the number "
                                     "of comparisons."),
                    _head(["Measure", "First", "Second", "Difference", "p"], numbers_from=3))
    body = element("tbody")
    for each in comparisons:
        measure = measures.get(str(each.get("metric")))
        difference, p = number(each.get("difference")), number(each.get("p_value"))
        sign = "+" if difference is not None and difference > 0 else ""
        written = MISSING if difference is None else sign + (
            measure.write(difference).replace(" %", " pp") if measure else f"{difference:.3g}")
        row = _row([measure_name(str(each.get("metric"))), str(each.get("a")),
                    str(each.get("b"))], [written, p_value(p)])
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
    table = element("table", element("caption", "Turns with each error, most frequent first; a "
                                     "turn may have several."),
                    _head(["Error", *conditions], numbers_from=1))
    body = element("tbody")
    for why, by_condition in sorted(counts.items(), key=lambda each: -sum(each[1].values())):
        body.append(_row([why], [f"{by_condition.get(name, 0):.0f}" for name in conditions]))
    table.append(body)
    return scrolling(table, "Error breakdown")


def data_list(data: Mapping[str, Any]) -> list[ET.Element]:
    """The data report: the file, its digest, its defects."""
    parts = [pairs_list([(name, spoken(value)) for name, value in data.items()
                         if name != "defects"])]
    defects = mapping(data.get("defects"))
    if not defects:
        return [*parts, element("p", "No defects were found in the file.", class_="quiet")]
    table = element("table", element("caption", "Defects of the file, each handled and counted"),
                    _head(["Defect", "Count"], numbers_from=1))
    body = element("tbody")
    for name, count in defects.items():
        body.append(_row([str(name).replace("_", " ")], [spoken(count)]))
    table.append(body)
    return [*parts, scrolling(table, "Defects")]


def run_list(run: Mapping[str, Any], signatures: Mapping[str, Any]) -> list[ET.Element]:
    """How the run was made: command, versions, settings, signatures of the metrics."""
    plain = {name: value for name, value in run.items()
             if not isinstance(value, Mapping)}
    parts = [pairs_list([(name, spoken(value)) for name, value in plain.items()])]
    blocks = {name: value for name, value in run.items() if isinstance(value, Mapping)}
    for name, values in {**blocks, "signatures of the metrics": signatures}.items():
        if values:
            parts.append(element("details", element("summary", str(name).capitalize()),
                                 pairs_list(flat(values))))
    return parts


def flat(values: Mapping[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    """Nested settings as pairs of dotted names and values.

    >>> flat({"knowledge": {"facts": 10}, "profile": "embedded"})
    [('knowledge.facts', '10'), ('profile', 'embedded')]
    """
    pairs: list[tuple[str, str]] = []
    for name, value in values.items():
        if isinstance(value, Mapping) and value:
            pairs += flat(value, f"{prefix}{name}.")
        else:
            pairs.append((f"{prefix}{name}", spoken(value)))
    return pairs


def spoken(value: object) -> str:
    """A value as text."""
    if value is None or value == "" or value == {}:
        return MISSING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _head(names: Sequence[str], numbers_from: int) -> ET.Element:
    return element("thead", element("tr", *(
        element("th", name, scope="col", class_="n" if place >= numbers_from else None)
        for place, name in enumerate(names))))


def _row(names: Sequence[str], values: Sequence[str]) -> ET.Element:
    row = element("tr", element("th", names[0], scope="row", dir="auto"))
    append(row, *(element("td", name) for name in names[1:]))
    append(row, *(element("td", value, class_="n") for value in values))
    return row


def _group(name: str, columns: int) -> ET.Element:
    return element("tr", element("th", element("span", name), colspan=str(columns),
                                 scope="rowgroup"))
