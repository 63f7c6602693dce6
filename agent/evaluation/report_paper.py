"""The paper's published figures, labelled as the paper's, with those of the run above them."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from frontdesk.agent.evaluation.report_elements import append, element, scrolling
from frontdesk.agent.evaluation.report_measures import MISSING, Report, figure, mapping, number
from frontdesk.agent.evaluation.report_tables import (
    Conditions,
    caption,
    decimal,
    row_group,
    table_head,
    table_row,
)

_Figure = Callable[[Report], float | None]
_Rows = Sequence[Mapping[str, Any]]

#: What the rows of a published table are called by.
_NAMES = ("model", "method", "condition", "split")
_OTHERS = ("The lower part repeats what was published for other models, measured with other "
           "settings; it is no like-for-like comparison.")


def paper_tables(conditions: Conditions) -> list[ET.Element]:
    """The paper's tables, each with our figures above; empty where the report has none."""
    paper = next((mapping(report.get("paper")) for report in conditions.values()
                  if mapping(report.get("paper")).get("table")), None)
    if paper is None:
        return []
    tables = [_table(conditions, paper, "Against the reference replies")]
    for key, title in (("linking", "Entity linking"), ("unieval", "UniEval"),
                       ("errors", "Turns with errors (in the paper: found by people)")):
        section = mapping(paper.get(key))
        if section.get("table"):
            tables.append(element("details", element("summary", title),
                                  _table(conditions, section, title)))
    return tables


def _table(conditions: Conditions, section: Mapping[str, Any], title: str) -> ET.Element:
    rows, note = _with_our_scale([mapping(row) for row in section["table"]])
    keys = list(dict.fromkeys(key for row in rows for key in row if key not in _NAMES))
    width = len(keys) + 2
    places = {key: max(_places(row.get(key)) for row in rows) for key in keys}
    ours = element("tbody", row_group("This run", width))
    for name, report in conditions.items():
        ours.append(table_row([name, MISSING], [decimal(_our_figure(key)(report), key)
                                                for key in keys]))
    theirs = element("tbody", row_group("Published: other models", width), class_="theirs")
    for row in rows:
        theirs.append(table_row([_row_name(row), str(row.get("split") or MISSING)],
                                [_as_published(row.get(key), places[key]) for key in keys]))
    source = f" Source: {section['source']}" if section.get("source") else ""
    table = element("table", caption(f"{title}. {_OTHERS}{note}{source}"),
                    table_head(["Model", "Split", *map(_column, keys)], numbers_from=2))
    append(table, ours, theirs)
    return scrolling(table, f"The paper's figures: {title}")


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


def _our_figure(key: str) -> _Figure:
    """How our figure for a column of the paper's is read from a report."""
    rates = {"hallucinations": "hallucination_rate", "retrieval_errors": "retrieval_error_rate"}
    if key in rates:
        return lambda report: _turns(report, rates[key])
    names = {"bertscore": "bertscore_f1", "precision_at_1": "linking.precision_at_1"}
    if key in ("coherence", "groundedness", "naturalness", "understandability"):
        return lambda report: figure(report, f"unieval.{key}")
    return lambda report: figure(report, names.get(key, key))


def _turns(report: Report, rate: str) -> float | None:
    """How many turns a rate stands for; turns that failed have no part in rates."""
    share, turns = figure(report, rate), figure(report, "turns")
    if share is None or turns is None:
        return None
    return share * (turns - (figure(report, "failed_turns") or 0))


def _row_name(row: Mapping[str, Any]) -> str:
    name = str(row.get("model") or row.get("method") or MISSING)
    return f"{name} ({row['condition']})" if row.get("condition") else name


def _column(key: str) -> str:
    return {"bleu": "BLEU", "meteor": "METEOR", "bertscore": "BERTScore",
            "precision_at_1": "P@1"}.get(key, key.replace("_", " ").capitalize())
