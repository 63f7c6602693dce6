"""The paper's published figures, labelled as the paper's, with those of the run above them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from frontdesk.agent.evaluation.reports.report_measures import (
    MISSING,
    Report,
    figure,
    mapping,
    number,
)
from frontdesk.agent.evaluation.reports.report_tables import Conditions, Groups, decimal

_Rows = Sequence[Mapping[str, Any]]

_TITLES = {"linking": "Entity linking", "unieval": "UniEval",
           "errors": "Turns with errors (in the paper: found by people)"}
#: What the rows of a published table are called by.
_NAMES = ("model", "method", "condition", "split")
_COLUMNS = {"bleu": "BLEU", "meteor": "METEOR", "bertscore": "BERTScore", "precision_at_1": "P@1"}
#: Where our figure for a column of the paper's stands in a report; others by their own name.
_OURS = {"bertscore": "bertscore_f1", "precision_at_1": "linking.precision_at_1",
         **{key: f"unieval.{key}" for key in ("coherence", "groundedness", "naturalness",
                                              "understandability")}}
#: Columns that count turns, by the rate that we report instead.
_RATES = {"hallucinations": "hallucination_rate", "retrieval_errors": "retrieval_error_rate"}


@dataclass(frozen=True)
class PaperTable:
    """A table of the paper: its title, a note on its figures, columns, our rows and theirs."""

    title: str
    note: str
    columns: Sequence[str]
    groups: Groups


def paper_tables(conditions: Conditions) -> list[PaperTable]:
    """The paper's tables, each with our figures above; empty where the report has none."""
    paper = next((mapping(report.get("paper")) for report in conditions.values()
                  if mapping(report.get("paper")).get("table")), None)
    if paper is None:
        return []
    sections = {"Against the reference replies": paper,
                **{title: mapping(paper.get(key)) for key, title in _TITLES.items()}}
    return [_table(conditions, section, title) for title, section in sections.items()
            if section.get("table")]


def _table(conditions: Conditions, section: Mapping[str, Any], title: str) -> PaperTable:
    rows, note = _with_our_scale([mapping(row) for row in section["table"]])
    keys = list(dict.fromkeys(key for row in rows for key in row if key not in _NAMES))
    places = {key: max(_places(row.get(key)) for row in rows) for key in keys}
    source = f" Source: {section['source']}" if section.get("source") else ""
    return PaperTable(title, note + source, [
        "Model", "Split", *(_COLUMNS.get(key, key.replace("_", " ").capitalize())
                            for key in keys)], [
        ("This run", [[name, MISSING, *(decimal(_our_figure(report, key), key) for key in keys)]
                      for name, report in conditions.items()]),
        ("Published: other models", [
            [_row_name(row), str(row.get("split") or MISSING),
             *(_as_published(row.get(key), places[key]) for key in keys)] for row in rows])])


def _as_published(value: object, places: int) -> str:
    """A figure with no more decimals than its column was published with."""
    known = number(value)
    return MISSING if known is None else f"{known:.{places}f}"


def _places(value: object) -> int:
    known = number(value)
    return 0 if known is None else len(f"{known:g}".partition(".")[2])


def _with_our_scale(rows: _Rows) -> tuple[_Rows, str]:
    """The rows with BLEU in [0, 100], as ours is, and a note where that changed it."""
    values = [value for row in rows if (value := number(row.get("bleu"))) is not None]
    if not values or max(values) > 1:
        return rows, ""
    return ([{**row, "bleu": 100 * row["bleu"]} if number(row.get("bleu")) is not None else row
             for row in rows], " BLEU, published in [0, 1], is multiplied by 100.")


def _our_figure(report: Report, key: str) -> float | None:
    """Our figure for a column of the paper's; turns that failed have no part in rates."""
    value = figure(report, _RATES.get(key) or _OURS.get(key, key))
    if key not in _RATES:
        return value
    turns = figure(report, "turns")
    return None if value is None or turns is None else (
        value * (turns - (figure(report, "failed_turns") or 0)))


def _row_name(row: Mapping[str, Any]) -> str:
    name = str(row.get("model") or row.get("method") or MISSING)
    return f"{name} ({row['condition']})" if row.get("condition") else name
