"""The report of an evaluation as one HTML page that is complete in itself.

It opens from a file, without a network, and shows one run or several conditions side by side:
figures with their intervals, plots, the paper's figures, errors, the data, the run, and every
turn with what the reply rests on.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from frontdesk.agent.evaluation.reports import report_tables as tables
from frontdesk.agent.evaluation.reports.report_charts import (
    Bar,
    BarChart,
    CurvePlot,
    nice,
    reliability,
    reliability_plot,
)
from frontdesk.agent.evaluation.reports.report_measures import (
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
from frontdesk.agent.evaluation.reports.report_pages import report_page
from frontdesk.agent.evaluation.reports.report_paper import paper_tables
from frontdesk.agent.evaluation.reports.report_tables import spoken
from frontdesk.agent.evaluation.reports.report_turns import pack_turns
from frontdesk.agent.evaluation.results import write_whole

T = TypeVar("T")
Turns = Mapping[str, Sequence[Mapping[str, Any]]]

_KEY_FIGURES = ("bleu", "bertscore_f1", "hallucination_rate", "linking.precision_at_1",
                "recall_at_10", "latency_ms.p50")
_LINKING_COLUMNS = {"precision_at_1": "P@1", "mrr": "MRR", "precision": "Precision",
                    "recall": "Recall", "f1": "F1", "mentions": "Mentions"}
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
    data = pack_turns(turns_by_condition)
    lead = leading(conditions)
    data["chosen"] = list(turns_by_condition).index(lead) if lead in turns_by_condition else 0
    bars, curve = _plots(conditions, turns_by_condition)
    about = _shared(report, conditions, "data")
    topics = tables.columns(conditions, "entity_f1_variants")
    return report_page(
        "evaluation_report.html", f"Evaluation on {report.get('dataset') or 'an unnamed data set'}",
        data={"view": "turns", **data}, facts=_facts_of_run(report, conditions, run),
        conditions=list(conditions), lead=lead, key_figures=_key_figures(conditions[lead]),
        results=tables.results(conditions), missing=MISSING,
        comparisons=tables.comparisons(report.get("comparisons") or ()),
        linking=tables.variants(conditions, "linking_variants", _LINKING_COLUMNS),
        linking_columns=_LINKING_COLUMNS.values(),
        entities=tables.variants(conditions, "entity_f1_variants", topics),
        domain_columns=[topic.capitalize() for topic in topics],
        bars=bars, curve=curve, paper=paper_tables(conditions), errors=tables.errors(conditions),
        unavailable=tables.unavailable(conditions), defects=_defects(about),
        about=[(name, spoken(value)) for name, value in about.items()
               if name not in ("defects", "descriptions")],
        run=tables.run_facts(run, **{
            "signatures of the metrics": _shared(report, conditions, "signatures")}))


def _shared(report: Report, conditions: tables.Conditions, name: str) -> Mapping[str, Any]:
    """What the whole run and its conditions have in common."""
    return mapping(report.get(name)) or next(
        (mapping(each[name]) for each in conditions.values() if mapping(each.get(name))), {})


def _facts_of_run(report: Report, conditions: tables.Conditions, run: Mapping[str, Any]
                  ) -> list[tuple[str, str]]:
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
    return facts


def _moment(value: object) -> str:
    """A point in time for people; what is none stays as it is."""
    try:
        moment = dt.datetime.fromisoformat(str(value))
    except ValueError:
        return spoken(value)
    return f"{moment.day} {moment:%B %Y, %H:%M %Z}".strip()


def _key_figures(report: Report) -> list[tuple[str, str, str]]:
    """Name, value and caveat of the few figures that a reader looks for first."""
    shown = []
    for measure in MEASURES:
        if measure.key in _KEY_FIGURES:
            value = figure(report, measure.key)
            unit = " ms" if measure.key.startswith("latency") and value is not None else ""
            shown.append((measure.name, measure.write(value) + unit, _caveat(report, measure.key)))
    return shown


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


def _defects(about: Mapping[str, Any]) -> list[list[str]]:
    """The defects of the data: name, what it is, count."""
    described = mapping(about.get("descriptions"))
    return [[str(name).replace("_", " "), str(described.get(name, "")), spoken(count)]
            for name, count in mapping(about.get("defects")).items()]


def _plots(conditions: tables.Conditions, turns: Turns) -> tuple[list[BarChart], CurvePlot | None]:
    charts = [*_metric_plots(conditions), *_retrieval_plots(conditions),
              *_latency_plots(conditions)]
    found = {name: reliability(lines) for name, lines in turns.items() if name in conditions}
    known = _distinct({name: bins for name, bins in found.items()
                       if sum(each.links for each in bins) >= _RELIABLE_MENTIONS})
    names = list(conditions)
    curve = reliability_plot({names.index(name): (name, bins) for name, bins in known.items()}
                             ) if known else None
    return charts, curve


def _metric_plots(conditions: tables.Conditions) -> list[BarChart]:
    """A chart a measure for several conditions; for one condition a chart of all measures."""
    plotted = [measure for measure in MEASURES if measure.plotted and measure.scale is not None
               and any(figure(each, measure.key) is not None for each in conditions.values())]
    if len(conditions) > 1:
        return [BarChart(
            measure.name, [_bar(measure, report, name, place)
                           for place, (name, report) in enumerate(conditions.items())],
            note=f"{measure.better} is better" if measure.better else "") for measure in plotted]
    report = next(iter(conditions.values()))
    bars = [_bar(measure, report, measure.name.removeprefix("Turns with a ").capitalize()
                 if measure.percent else measure.name, 1 if measure.better == "lower" else 0,
                 scale=100 / (measure.scale or 1)) for measure in plotted]
    return [BarChart("Figures", bars, maximum=100, unit=" %",
                     note="in percent of the scale, with 95 % intervals; rates of errors in "
                          "another colour")] if bars else []


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


def _retrieval_plots(conditions: tables.Conditions) -> list[BarChart]:
    """Recall of the rankings; rankings that are the same in every condition once."""
    found = _distinct({name: mapping(report.get("retrieval"))
                       for name, report in conditions.items() if mapping(report.get("retrieval"))})
    charts = []
    for name, rankings in found.items():
        colour = list(conditions).index(name) if len(found) > 1 else 0
        bars = [_bar(Measure(f"retrieval.{ranking}", ranking, ""), conditions[name], ranking,
                     colour) for ranking in rankings]
        charts.append(BarChart("Recall@10 of rankings" + (f", {name}" if len(found) > 1 else ""),
                               bars, maximum=1, note="of the facts that the reference uses"))
    return charts


def _latency_plots(conditions: tables.Conditions) -> list[BarChart]:
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
            bars.append(Bar(stage, middle, f"{_ms(middle)} / {_ms(high)}",
                            middle if high is not None else None, high, place))
        if bars:
            charts.append(BarChart("Time per stage" + (f", {name}" if len(found) > 1 else ""),
                                   bars, maximum=nice(max(highest)),
                                   note="milliseconds: p50 (bar) / p95 (whisker)"))
    return charts


def _ms(value: float | None) -> str:
    if value is None:
        return MISSING
    return f"{value:.0f}" if value >= 10 else f"{value:.1f}"
