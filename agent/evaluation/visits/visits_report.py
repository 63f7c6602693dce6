"""The report of an evaluation with simulated visitors as one HTML page, complete in itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from frontdesk.agent.evaluation.reports.report_charts import Bar, BarChart
from frontdesk.agent.evaluation.reports.report_measures import mapping
from frontdesk.agent.evaluation.reports.report_pages import fixed, report_page
from frontdesk.agent.evaluation.reports.report_tables import run_facts, spoken
from frontdesk.agent.evaluation.visits.visit import Record

_SHARES = {"Task success": "task_success", "Turns with a hallucination": "hallucination_rate",
           "Turns with a retrieval error": "retrieval_error_rate",
           "Repeated questions": "repeated_question_rate", "Visitors who gave up": "gave_up"}
#: What the page's script reads of a turn.
_OF_TURN = ("turn", "user", "heard", "reply", "repeated", "errors", "actions", "generator", "error")


def visits_page(report: Mapping[str, Any], visits: Sequence[Sequence[Record]]) -> bytes:
    """The page as UTF-8.

    Args:
        report: The contents of ``report.json``.
        visits: The records of each visit.
    """
    times = report["latency_ms"]
    return report_page(
        "visits_report.html", "Evaluation with simulated visitors",
        data={"view": "visits", "visits": [_packed(each) for each in visits]}, report=report,
        facts=[("Profile", spoken(report.get("profile"))),
               ("Visits", f"{report['dialogues']} with {report['turns']} turns"),
               ("Visitors", "heard through a simulated speech recogniser" if report.get("asr")
                else "write"),
               ("Seed", spoken(report.get("seed"))),
               ("Failed turns", spoken(report.get("failed_turns")))],
        key_figures=_key_figures(report), success=_by_kind(report), paper=_paper(report),
        latency=[[name, spoken(each["p50"]), spoken(each["p95"])] for name, each in (
            ("all", times), ("about an action", times["acting"]), ("others", times["other"]))],
        run=run_facts(mapping(report.get("run"))))


def _packed(records: Sequence[Record]) -> dict[str, Any]:
    """A visit as the page's script reads it."""
    return {"id": records[0]["dialogue"], **records[-1]["visit"],
            "talk": [{name: record[name] for name in _OF_TURN} for record in records]}


def _key_figures(report: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Names, values and intervals."""
    shares = [(name, _percent(report[key]), _interval(report[key]))
              for name, key in _SHARES.items()]
    turns = report.get("turns_to_success")
    return [*shares, ("Turns to success", fixed(turns["mean"] if turns else None, 1), ""),
            ("Double bookings", str(report["double_bookings"]), ""),
            ("Changes nobody asked for", str(report["unasked_changes"]), "")]


def _percent(share: Mapping[str, Any] | None) -> str:
    return fixed(None) if share is None else f"{100 * share['value']:.1f} %"


def _interval(share: Mapping[str, Any] | None) -> str:
    return "" if share is None else (f"{100 * share['interval'][0]:.1f} to "
                                     f"{100 * share['interval'][1]:.1f} of {share['of']}")


def _by_kind(report: Mapping[str, Any]) -> BarChart:
    bars = []
    for kind, share in {"all": report["task_success"], **report["task_success_by_kind"]}.items():
        low, high = (100 * bound for bound in share["interval"])
        bars.append(Bar(f"{kind} ({share['of']})", 100 * share["value"], _percent(share), low,
                        high, int(kind != "all")))
    return BarChart("Task success by kind of task", bars, maximum=100, unit=" %",
                    note="with Wilson's 95 % intervals; number of visits in brackets")


def _paper(report: Mapping[str, Any]) -> list[list[str]]:
    """Shares of turns with errors, ours first."""
    own = [report[key]["value"] if report[key] else None
           for key in ("hallucination_rate", "retrieval_error_rate")]
    return [["this run", *map(fixed, own), str(report["turns"])],
            *([row["model"], f"{row['hallucinations']:.2f}", f"{row['retrieval_errors']:.2f}",
               str(row["turns"])] for row in report["paper"]["table"])]
