"""The report of an evaluation with simulated visitors as one HTML page, complete in itself."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from typing import Any

from frontdesk.agent.evaluation.report_elements import (
    append,
    element,
    page,
    pairs_list,
    scrolling,
)
from frontdesk.agent.evaluation.report_measures import MISSING, mapping
from frontdesk.agent.evaluation.report_plots import Bar, bar_chart
from frontdesk.agent.evaluation.report_run import run_list, spoken
from frontdesk.agent.evaluation.report_tables import caption, table_head, table_row
from frontdesk.agent.evaluation.visits.visit import Record


def visits_page(report: Mapping[str, Any], visits: Sequence[Sequence[Record]]) -> bytes:
    """The page as UTF-8.

    Args:
        report: The contents of ``report.json``.
        visits: The records of each visit.
    """
    title = "Evaluation with simulated visitors"
    sections = [
        _section("results", "Results", _key_figures(report), _by_kind(report)),
        _section("paper", "Beside the paper", _paper(report)),
        _section("failures", "Why visits failed", _counts(report, "failures", "Reason", "Visits")),
        _section("errors", "Errors of replies", _counts(report, "errors", "Error", "Turns")),
        _section("latency", "Time", _latency(report)),
        _section("visits", "Visits", element("noscript", element(
            "p", "The list of visits needs JavaScript; turns.jsonl beside this page has them "
            "all.")), element("div", id="browser")),
        _section("run", "Run", *run_list(mapping(report.get("run")), {})),
    ]
    header = element("header", element("h1", title), pairs_list([
        ("Profile", spoken(report.get("profile"))),
        ("Visits", f"{report['dialogues']} with {report['turns']} turns"),
        ("Visitors", "heard through a simulated speech recogniser" if report.get("asr")
         else "write"),
        ("Seed", spoken(report.get("seed"))),
        ("Failed turns", spoken(report.get("failed_turns")))], "pairs head"))
    return page(title=title, body=[header, element("main", *sections)],
                script="report_visits.js", data={"visits": [_packed(each) for each in visits]})


def _section(name: str, heading: str, *parts: ET.Element) -> ET.Element:
    return element("section", element("h2", heading), *parts, id=name)


def _packed(records: Sequence[Record]) -> dict[str, Any]:
    """A visit as the page's script reads it."""
    kept = ("turn", "user", "heard", "reply", "repeated", "errors", "actions", "generator",
            "error")
    return {"id": records[0]["dialogue"], **records[-1]["visit"],
            "talk": [{name: record[name] for name in kept} for record in records]}


def _key_figures(report: Mapping[str, Any]) -> ET.Element:
    shown = (("Task success", "task_success"), ("Turns with a hallucination",
                                                "hallucination_rate"),
             ("Turns with a retrieval error", "retrieval_error_rate"),
             ("Repeated questions", "repeated_question_rate"), ("Visitors who gave up", "gave_up"))
    listed = element("dl", class_="key", aria_label="Key figures")
    for name, key in shown:
        append(listed, element("div", element("dt", name), element("dd", _percent(report[key])),
                               element("dd", _interval(report[key]), class_="caveat")))
    turns = report.get("turns_to_success")
    for name, value in (("Turns to success", f"{turns['mean']:.1f}" if turns else MISSING),
                        ("Double bookings", str(report["double_bookings"])),
                        ("Changes nobody asked for", str(report["unasked_changes"]))):
        append(listed, element("div", element("dt", name), element("dd", value)))
    return listed


def _percent(share: Mapping[str, Any] | None) -> str:
    return MISSING if share is None else f"{100 * share['value']:.1f} %"


def _interval(share: Mapping[str, Any] | None) -> str:
    return "" if share is None else (f"{100 * share['interval'][0]:.1f} to "
                                     f"{100 * share['interval'][1]:.1f} of {share['of']}")


def _by_kind(report: Mapping[str, Any]) -> ET.Element:
    bars = []
    for kind, share in {"all": report["task_success"], **report["task_success_by_kind"]}.items():
        low, high = (100 * bound for bound in share["interval"])
        bars.append(Bar(f"{kind} ({share['of']})", 100 * share["value"], _percent(share), low,
                        high, int(kind != "all")))
    return element("div", bar_chart("Task success by kind of task", bars, maximum=100, unit=" %",
                                    note="with Wilson's 95 % intervals; number of visits in "
                                         "brackets"), class_="plots")


def _paper(report: Mapping[str, Any]) -> ET.Element:
    table = element("table", caption(
        "Share of turns with errors: here found automatically in simulated visits, in the paper "
        "by people in conversations with people, so this is no like-for-like comparison."),
        table_head(["", "Hallucinations", "Retrieval errors", "Turns"], 1))
    own = [report[key]["value"] if report[key] else None
           for key in ("hallucination_rate", "retrieval_error_rate")]
    rows = [table_row(["this run"], [*(MISSING if each is None else f"{each:.3f}"
                                       for each in own), str(report["turns"])])]
    rows += [table_row([row["model"]], [f"{row['hallucinations']:.2f}",
                                        f"{row['retrieval_errors']:.2f}", str(row["turns"])])
             for row in report["paper"]["table"]]
    table.append(element("tbody", *rows))
    return element("div", scrolling(table, "Beside the paper"),
                   element("p", report["paper"]["source"], class_="quiet"))


def _counts(report: Mapping[str, Any], key: str, name: str, number: str) -> ET.Element:
    if not report[key]:
        return element("p", "There are none.", class_="quiet")
    table = element("table", table_head([name, number], 1))
    table.append(element("tbody", *(table_row([reason], [str(count)])
                                    for reason, count in report[key].items())))
    return scrolling(table, name)


def _latency(report: Mapping[str, Any]) -> ET.Element:
    found = report["latency_ms"]
    table = element("table", caption("Milliseconds a turn"), table_head(
        ["Turns", "Median", "95th percentile"], 1))
    table.append(element("tbody", *(table_row([name], [spoken(times["p50"]), spoken(times["p95"])])
                                    for name, times in (
        ("all", found), ("about an action", found["acting"]), ("others", found["other"])))))
    return scrolling(table, "Time")
