"""The report of an evaluation as one HTML page that is complete in itself.

It opens from a file, without a network, and shows one run or several conditions side by side:
figures with their intervals, plots, the paper's figures, errors, the data, the run, and every
turn with what the reply rests on.
"""

from __future__ import annotations

import datetime as dt
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from frontdesk.agent.evaluation import report_tables as tables
from frontdesk.agent.evaluation.report_elements import append, element, page, pairs_list
from frontdesk.agent.evaluation.report_measures import (
    MEASURES,
    MISSING,
    Measure,
    Report,
    figure,
    interval,
    leading,
    mapping,
    named_conditions,
    number,
)
from frontdesk.agent.evaluation.report_paper import paper_tables
from frontdesk.agent.evaluation.report_plots import (
    Bar,
    bar_chart,
    nice,
    reliability,
    reliability_plot,
)
from frontdesk.agent.evaluation.report_run import data_list, run_list, spoken
from frontdesk.agent.evaluation.report_turns import pack_turns
from frontdesk.agent.evaluation.results import write_whole

T = TypeVar("T")
Turns = Mapping[str, Sequence[Mapping[str, Any]]]

_KEY_FIGURES = ("bleu", "bertscore_f1", "hallucination_rate", "linking.precision_at_1",
                "recall_at_10", "latency_ms.p50")
#: With fewer annotated mentions a reliability curve says nothing.
_RELIABLE_MENTIONS = 30


def write_report_html(path: Path, report: Report, turns_by_condition: Turns) -> None:
    """Write the page of a run of one condition or of several.

    Args:
        path: Of the page; an existing file is replaced.
        report: The contents of ``report.json``, of one condition or with ``conditions``.
        turns_by_condition: By condition, the lines of its ``turns.jsonl``.
    """
    write_whole(path, report_html(report, turns_by_condition))


def report_html(report: Report, turns_by_condition: Turns) -> bytes:
    """The page of a run as UTF-8; see :func:`write_report_html`."""
    conditions = named_conditions(report)
    run = mapping(report.get("run")) or mapping(next(iter(conditions.values())).get("run"))
    title = f"Evaluation on {report.get('dataset') or 'an unnamed data set'}"
    data = pack_turns(turns_by_condition)
    lead = leading(conditions)
    data["chosen"] = list(turns_by_condition).index(lead) if lead in turns_by_condition else 0
    sections = [
        _section("results", "Results", _key_figures(conditions[lead], lead, len(conditions)),
                 tables.results_table(conditions), *_more_tables(report, conditions)),
        _section("plots", "Plots", _plots(conditions, turns_by_condition)),
        _section("paper", "Beside the paper", *paper_tables(conditions)),
        _section("errors", "Errors", _errors(conditions)),
        _section("turns", "Turns", *_turns_frame()),
        _section("unavailable", "Not available", tables.unavailable_list(conditions)),
        _section("data", "Data", *data_list(_shared(report, conditions, "data"))),
        _section("run", "Run", *run_list(run, _shared(report, conditions, "signatures"))),
    ]
    shown = [section for section in sections if section is not None]
    header = element("header", element("h1", title), _facts_of_run(report, conditions, run),
                     element("nav", *(element("a", str(part.findtext("h2")),
                                              href=f"#{part.get('id')}") for part in shown),
                             aria_label="Sections"))
    return page(title=title, body=[header, element("main", *shown)], script="report_turns.js",
                data=data)


def _section(name: str, heading: str, *parts: ET.Element | None) -> ET.Element | None:
    """A part of the page; None when it has nothing to show."""
    present = [part for part in parts if part is not None]
    return element("section", element("h2", heading), *present, id=name) if present else None


def _shared(report: Report, conditions: tables.Conditions, name: str) -> Mapping[str, Any]:
    """What the whole run and its conditions have in common."""
    return mapping(report.get(name)) or next(
        (mapping(each[name]) for each in conditions.values() if mapping(each.get(name))), {})


def _facts_of_run(report: Report, conditions: tables.Conditions, run: Mapping[str, Any]
                  ) -> ET.Element:
    each = list(conditions.values())
    turns = max((number(one.get("turns")) or 0 for one in each), default=0)
    dialogues = max((number(one.get("dialogues")) or 0 for one in each), default=0)
    failed = sum(number(one.get("failed_turns")) or 0 for one in each)
    facts = [("Profile", spoken(report.get("profile") or each[0].get("profile"))),
             ("Condition" if len(conditions) == 1 else "Conditions", ", ".join(conditions)),
             ("Turns", f"{turns:.0f} in {dialogues:.0f} dialogues"),
             ("Failed turns", f"{failed:.0f}" + (" over all conditions" if len(each) > 1 else "")),
             ("Started", _moment(run.get("started"))),
             ("Command", spoken(run.get("command")))]
    if run.get("limit") is not None:
        facts.insert(3, ("Limited to", spoken(run["limit"])))
    return pairs_list(facts, "pairs head")


def _moment(value: object) -> str:
    """A point in time for people; what is none stays as it is."""
    try:
        moment = dt.datetime.fromisoformat(str(value))
    except ValueError:
        return spoken(value)
    return f"{moment.day} {moment:%B %Y, %H:%M %Z}".strip()


def _key_figures(report: Report, name: str, conditions: int) -> ET.Element:
    """The few figures that a reader looks for first."""
    listed = element("dl", class_="key", aria_label=f"Key figures of {name}")
    for measure in MEASURES:
        if measure.key not in _KEY_FIGURES:
            continue
        value = figure(report, measure.key)
        unit = " ms" if measure.key.startswith("latency") and value is not None else ""
        append(listed, element("div", element("dt", measure.name),
                               element("dd", measure.write(value) + unit),
                               element("dd", _caveat(report, measure.key), class_="caveat")))
    if conditions == 1:
        return listed
    return element("div", element("p", f"Key figures of {name}", class_="quiet"), listed)


def _caveat(report: Report, key: str) -> str:
    """What a reader must know with a key figure."""
    if key == "linking.precision_at_1":
        excluded = mapping(mapping(mapping(report.get("linking_variants")).get("given")).get(
            "excluded"))
        scored = figure(report, "linking.mentions")
        if scored is not None and excluded:
            left_out = sum(int(count) for count in excluded.values())
            return f"{left_out} of {scored + left_out:.0f} mentions left out"
    if key == "hallucination_rate":
        references = figure(report, "hallucination_rate_of_references")
        if references is not None:
            return f"so labelled of the references: {100 * references:.1f} %"
    return ""


def _more_tables(report: Report, conditions: tables.Conditions) -> list[ET.Element]:
    comparisons = report.get("comparisons") or ()
    made = {
        "Which differences between conditions are significant":
            tables.comparisons_table(comparisons) if comparisons else None,
        "Linking by variant": tables.variants_table(
            conditions, "linking_variants", "Links of annotated and of own mentions, on manual "
            "transcriptions and on recognised speech.",
            {"precision_at_1": "P@1", "mrr": "MRR", "precision": "Precision", "recall": "Recall",
             "f1": "F1", "mentions": "Mentions"}),
        "Entity F1 by definition": tables.variants_table(
            conditions, "entity_f1_variants", "GLMP: mean over replies. Q-TOD: micro average "
            "over the corpus.", {"all": "All", "weather": "Weather", "navigate": "Navigation",
                                 "schedule": "Schedule"}),
    }
    return [element("details", element("summary", heading), part)
            for heading, part in made.items() if part is not None]


def _errors(conditions: tables.Conditions) -> ET.Element:
    return tables.errors_table(conditions) or element(
        "p", "No turn of this run has a known error.", class_="quiet")


def _plots(conditions: tables.Conditions, turns: Turns) -> ET.Element | None:
    figures = [*_metric_plots(conditions), *_retrieval_plots(conditions),
               *_latency_plots(conditions)]
    curves = {name: reliability(lines) for name, lines in turns.items() if name in conditions}
    known = {name: bins for name, bins in curves.items()
             if sum(each.links for each in bins) >= _RELIABLE_MENTIONS}
    if known:
        names = list(conditions)
        figures.append(reliability_plot({names.index(name): (name, bins)
                                         for name, bins in _distinct(known).items()}))
    if not figures:
        return None
    made = element("div", *figures, class_="plots")
    if len(conditions) > 1:
        made.insert(0, element("p", *(element("span", element("i", class_=f"swatch s{place % 5}"),
                                              name) for place, name in enumerate(conditions)),
                               class_="legend"))
    return made


def _metric_plots(conditions: tables.Conditions) -> list[ET.Element]:
    """A chart a measure for several conditions; for one condition a chart of all measures."""
    plotted = [measure for measure in MEASURES if measure.plotted and measure.scale is not None
               and any(figure(each, measure.key) is not None for each in conditions.values())]
    if len(conditions) > 1:
        return [bar_chart(
            measure.name, [_bar(measure, report, name, place)
                           for place, (name, report) in enumerate(conditions.items())],
            note=_better(measure)) for measure in plotted]
    report = next(iter(conditions.values()))
    bars = [_bar(measure, report, measure.name.removeprefix("Turns with a ").capitalize()
                 if measure.percent else measure.name, 1 if measure.better == "lower" else 0,
                 scale=100 / (measure.scale or 1)) for measure in plotted]
    return [bar_chart("Figures", bars, maximum=100, unit=" %",
                      note="in percent of the scale, with 95 % intervals; rates of errors in "
                           "another colour")] if bars else []


def _better(measure: Measure) -> str:
    return f"{measure.better} is better" if measure.better else ""


def _bar(measure: Measure, report: Report, label: str, series: int, scale: float | None = None
         ) -> Bar:
    factor = scale or (100 if measure.percent else 1)
    value, bounds = figure(report, measure.key), interval(report, measure.key)
    low, high = bounds if bounds is not None and value is not None else (None, None)
    return Bar(label, None if value is None else value * factor, measure.write(value),
               None if low is None else low * factor, None if high is None else high * factor,
               series)


def _distinct(values: Mapping[str, T]) -> dict[str, T]:
    """The values by name, with those that are the same under one name."""
    kept: dict[str, T] = {}
    for name, value in values.items():
        if value not in kept.values():
            kept[name] = value
    return kept


def _retrieval_plots(conditions: tables.Conditions) -> list[ET.Element]:
    """Recall of the rankings; rankings that are the same in every condition once."""
    found = _distinct({name: mapping(report.get("retrieval"))
                       for name, report in conditions.items() if mapping(report.get("retrieval"))})
    charts = []
    for name, rankings in found.items():
        colour = list(conditions).index(name) if len(found) > 1 else 0
        bars = [_bar(Measure(f"retrieval.{ranking}", ranking, ""), conditions[name], ranking,
                     colour) for ranking in rankings]
        charts.append(bar_chart("Recall@10 of rankings" + (f", {name}" if len(found) > 1 else ""),
                                bars, maximum=1, note="of the facts that the reference uses"))
    return charts


def _latency_plots(conditions: tables.Conditions) -> list[ET.Element]:
    found = {name: mapping(mapping(report.get("latency_ms")).get("stages"))
             for name, report in conditions.items()}
    # One scale for all, so that conditions can be compared by eye.
    highest = [number(mapping(times).get("p95")) or 0.0 for stages in found.values()
               for times in stages.values()]
    charts = []
    for place, (name, stages) in enumerate(found.items()):
        bars = []
        for stage, times in stages.items():
            middle, high = number(mapping(times).get("p50")), number(mapping(times).get("p95"))
            text = f"{_ms(middle)} / {_ms(high)}"
            bars.append(Bar(stage, middle, text, middle if high is not None else None, high,
                            place))
        if bars:
            charts.append(bar_chart("Time per stage" + (f", {name}" if len(found) > 1 else ""),
                                    bars, maximum=nice(max(highest)),
                                    note="milliseconds: p50 (bar) / p95 (whisker)"))
    return charts


def _ms(value: float | None) -> str:
    if value is None:
        return MISSING
    return f"{value:.0f}" if value >= 10 else f"{value:.1f}"


def _turns_frame() -> list[ET.Element]:
    """Where the page's script shows the turns."""
    return [element("noscript", element("p", "The list of turns needs JavaScript; turns.jsonl "
                                        "beside this page has them all.")),
            element("div", id="browser")]
