"""The report's account of the data and of how the run was made."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from typing import Any

from frontdesk.agent.evaluation.report_elements import element, pairs_list, scrolling
from frontdesk.agent.evaluation.report_measures import MISSING, mapping
from frontdesk.agent.evaluation.report_tables import caption, table_head, table_row


def data_list(data: Mapping[str, Any]) -> list[ET.Element]:
    """The data report: the file, its digest, its defects."""
    parts = [pairs_list([(name, spoken(value)) for name, value in data.items()
                         if name not in ("defects", "descriptions")])]
    defects = mapping(data.get("defects"))
    if not defects:
        return [*parts, element("p", "No defects were found in the file.", class_="quiet")]
    table = element("table", caption("Defects of the file, each handled and counted"),
                    table_head(["Defect", "What it is", "Count"], numbers_from=2))
    described = mapping(data.get("descriptions"))
    body = element("tbody")
    for name, count in defects.items():
        body.append(table_row([str(name).replace("_", " "), str(described.get(name, ""))],
                              [spoken(count)]))
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
