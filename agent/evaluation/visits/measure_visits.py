"""The figures of an evaluation with simulated visitors, and their page."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from frontdesk.agent.evaluation.reports.report_charts import Bar, BarChart
from frontdesk.agent.evaluation.reports.report_measures import mapping
from frontdesk.agent.evaluation.reports.report_pages import fixed, report_page
from frontdesk.agent.evaluation.reports.report_tables import run_facts, spoken
from frontdesk.agent.evaluation.visits.visit import Record
from frontdesk.data.measures.published_figures import paper_section

#: What a visitor means that only agrees.
_AGREEMENT = "(confirm)"
_Z = 1.959964  # of a two-sided 95 % interval


def measure_visits(visits: Sequence[Sequence[Record]]) -> dict[str, Any]:
    """The figures of visits, ready for ``report.json``.

    Rates are in [0, 1], with Wilson's 95 % intervals; milliseconds are of turns.

    Args:
        visits: The records of each, at least one.
    """
    ends = [records[-1]["visit"] for records in visits]
    turns = [record for records in visits for record in records]
    judged = [record for record in turns if record["errors"] is not None]
    kinds = sorted({end["kind"] for end in ends})
    return {
        "dialogues": len(visits), "turns": len(turns),
        "failed_turns": sum(record["error"] is not None for record in turns),
        "task_success": _share([end["success"] for end in ends]),
        "task_success_by_kind": {kind: _share([end["success"] for end in ends
                                               if end["kind"] == kind]) for kind in kinds},
        "turns_to_success": _turns([end["turns"] for end in ends if end["success"]]),
        "by_wording": _by_wording(visits),
        "gave_up": _share([end["gave_up"] for end in ends]),
        "double_bookings": sum(end["double_bookings"] for end in ends),
        "unasked_changes": sum(end["unasked"] for end in ends),
        "hallucination_rate": _share([bool(record["errors"]["hallucination"])
                                      for record in judged]),
        "retrieval_error_rate": _share([record["errors"]["retrieval_error"]
                                        for record in judged]),
        "repeated_question_rate": _share([record["repeated"] for record in judged]),
        "failures": _counted(reason for end in ends for reason in _general(end["reasons"])),
        "errors": _counted(reason for record in judged for reason in record["errors"]["reasons"]),
        "latency_ms": _latency(judged),
        "paper": paper_section("simulated")}


def _by_wording(visits: Sequence[Sequence[Record]]) -> dict[str, Any] | None:
    """Success by whose words visitors used; None where none but their own were to be had."""
    turns = [record for records in visits for record in records]
    refills = [refill for record in turns for refill in record["refills"]]
    unfitted = _counted(key for record in turns for key in record["unfitted"])
    if not refills and not unfitted:
        return None
    success: dict[str, list[bool]] = {name: [] for name in (
        "own words only", "agreement in real words", "more in real words")}
    for records in visits:
        forms = {refill["form"] for record in records for refill in record["refills"]}
        name = "more in real words" if forms - {_AGREEMENT} else \
            "agreement in real words" if forms else "own words only"
        success[name].append(records[-1]["visit"]["success"])
    refilled = [*success["agreement in real words"], *success["more in real words"]]
    return {"turns_refilled": _share([bool(record["refills"]) for record in turns]),
            "visits_refilled": _share([*[True] * len(refilled),
                                       *[False] * len(success["own words only"])]),
            "task_success": {**{name: _share(each) for name, each in success.items()},
                             "any real words": _share(refilled)},
            "data": _counted(refill["data"] for refill in refills),
            "refilled": _counted(refill["form"] for refill in refills), "unfitted": unfitted}


def _share(values: Sequence[bool]) -> dict[str, Any] | None:
    """A share with its interval; None of nothing."""
    if not values:
        return None
    low, high = wilson(sum(values), len(values))
    return {"value": round(sum(values) / len(values), 4), "of": len(values),
            "interval": [round(low, 4), round(high, 4)]}


def wilson(successes: int, number: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share.

    Args:
        successes: At most ``number``.
        number: At least 1.

    >>> [round(bound, 3) for bound in wilson(9, 10)]
    [0.596, 0.982]
    """
    share, squared = successes / number, _Z * _Z
    middle = (share + squared / (2 * number)) / (1 + squared / number)
    spread = _Z / (1 + squared / number) * math.sqrt(
        share * (1 - share) / number + squared / (4 * number * number))
    return max(0.0, middle - spread), min(1.0, middle + spread)


def _turns(numbers: Sequence[int]) -> dict[str, float] | None:
    return {"mean": round(float(np.mean(numbers)), 2), "median": float(np.median(numbers)),
            "most": max(numbers)} if numbers else None


def _general(reasons: Sequence[str]) -> list[str]:
    """Reasons without their particulars, each once."""
    return list(dict.fromkeys(
        "something changed that was not asked for" if reason.startswith("unasked: ") else reason
        for reason in reasons))


def _counted(reasons: Any) -> dict[str, int]:
    return dict(Counter(reasons).most_common())


def _latency(records: Sequence[Record]) -> dict[str, Any]:
    """Milliseconds of turns, of those that deal with an action and of the others."""
    acting = [record["timings_ms"]["total"] for record in records if record["actions"]]
    others = [record["timings_ms"]["total"] for record in records if not record["actions"]]
    found: dict[str, Any] = {**_quantiles([*acting, *others]), "acting": _quantiles(acting),
                             "other": _quantiles(others)}
    found["acting_to_other"] = round(found["acting"]["p50"] / found["other"]["p50"], 3) \
        if acting and others else None
    return found


def _quantiles(values: Sequence[float]) -> Mapping[str, float | None]:
    if not values:
        return {"p50": None, "p95": None}
    return {"p50": round(float(np.quantile(values, 0.5)), 2),
            "p95": round(float(np.quantile(values, 0.95)), 2)}


_SHARES = {"Task success": "task_success", "Turns with a hallucination": "hallucination_rate",
           "Turns with a retrieval error": "retrieval_error_rate",
           "Repeated questions": "repeated_question_rate", "Visitors who gave up": "gave_up"}
#: What the page's script reads of a turn.
_OF_TURN = ("turn", "user", "heard", "refills", "reply", "repeated", "errors",
            "actions", "generator", "error")


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
        key_figures=_key_figures(report), success=_by_kind(report), wording=_wording(report),
        paper=_paper(report),
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


def _wording(report: Mapping[str, Any]) -> list[list[str]]:
    """Success by whose words were used, and how much was said in real people's."""
    found = report.get("by_wording")
    if found is None:
        return []
    shares = {**{f"Task success, {name}": share for name, share in found["task_success"].items()},
              "Turns in real words": found["turns_refilled"],
              "Visits with such a turn": found["visits_refilled"]}
    return [[name, _percent(share), _interval(share)] for name, share in shares.items()]


def _paper(report: Mapping[str, Any]) -> list[list[str]]:
    """Shares of turns with errors, ours first."""
    own = [report[key]["value"] if report[key] else None
           for key in ("hallucination_rate", "retrieval_error_rate")]
    return [["this run", *map(fixed, own), str(report["turns"])],
            *([row["model"], f"{row['hallucinations']:.2f}", f"{row['retrieval_errors']:.2f}",
               str(row["turns"])] for row in report["paper"]["table"])]
