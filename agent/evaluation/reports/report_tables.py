"""The rows of the report's tables: figures by condition, errors, what is missing."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from frontdesk.agent.evaluation.reports.report_measures import (
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
#: Groups of rows of plain cells, each under a heading, which may be empty.
Groups = Sequence[tuple[str, Sequence[Sequence[str]]]]

#: Figures that are numbers of something.
_COUNTS = ("mentions", "turns", "hallucinations", "retrieval_errors")


@dataclass(frozen=True)
class Figure:
    """A figure as a table shows it; ``why`` tells why there is none."""

    text: str
    interval: str = ""
    best: bool = False
    why: str = ""


def results(conditions: Conditions) -> list[tuple[str, list[tuple[Measure, list[Figure]]]]]:
    """The measures by group, each with its figure in every condition."""
    return [(group, [(measure, _figures(measure, conditions))
                     for measure in _without_repeats(list(measures), conditions)])
            for group, measures in itertools.groupby(MEASURES, key=lambda each: each.group)]


def _without_repeats(measures: Sequence[Measure], conditions: Conditions) -> list[Measure]:
    """The measures of a group; one stands for all where all come from one that is missing."""
    parents = {measure.key.split(".")[0] for measure in measures}
    if len(parents) == 1 and not any(mapping(report.get(parent)) for parent in parents
                                     for report in conditions.values()):
        return [replace(measures[0], name="All dimensions", key=parents.pop())]
    return list(measures)


def _figures(measure: Measure, conditions: Conditions) -> list[Figure]:
    best = _best(measure, [figure(report, measure.key) for report in conditions.values()])
    found = []
    for report in conditions.values():
        value, bounds = figure(report, measure.key), interval(report, measure.key)
        if value is None:
            found.append(Figure(MISSING, why=reason(report, measure.key)))
        else:
            shown = [measure.write(bound).removesuffix(" %") for bound in bounds or ()]
            found.append(Figure(measure.write(value), " – ".join(shown), best=value == best))
    return found


def _best(measure: Measure, values: Sequence[float | None]) -> float | None:
    """The best of several values that differ as they are shown."""
    known = [value for value in values if value is not None]
    if measure.better is None or len({measure.write(value) for value in known}) < 2:
        return None
    return max(known) if measure.better == "higher" else min(known)


def unavailable(conditions: Conditions) -> list[tuple[str, str]]:
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
    return [(key, why if len(names) == len(conditions) else f"{why} ({', '.join(names)})")
            for (key, why), names in found.items()]


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


def columns(conditions: Conditions, key: str) -> list[str]:
    """The columns of nested figures, ``{variant: {column: value}}``, over all conditions."""
    return list(dict.fromkeys(column for report in conditions.values()
                              for values in mapping(report.get(key)).values()
                              for column in mapping(values)))


def variants(conditions: Conditions, key: str, columns: Iterable[str]) -> tuple[Groups, str]:
    """Nested figures, ``{variant: {column: value}}``, of each condition as rows.

    Args:
        key: Where the variants stand in a report.
        columns: Keys of the columns.

    Returns:
        The groups, where conditions that agree share one, none where no report has such figures;
        and what the figures of annotated mentions leave out, where they say so.
    """
    shared: dict[str, list[str]] = {}
    for name, report in conditions.items():
        if mapping(report.get(key)):
            shared.setdefault(json.dumps(report[key]), []).append(name)
    reasons = {f"{count} ({why})" for text in shared
               for why, count in mapping(mapping(json.loads(text).get("given")).get("excluded")
                                         ).items()}
    return [(", ".join(names) if len(shared) > 1 else "", [
        [variant.replace("_", " "), *(decimal(mapping(values).get(column), column)
                                      for column in columns)]
        for variant, values in json.loads(text).items()])
        for text, names in shared.items()], ", ".join(sorted(reasons))


def comparisons(found: Iterable[Mapping[str, Any]]) -> list[tuple[list[str], bool]]:
    """Paired comparisons of conditions: cells of a row, and whether it is significant."""
    measures = {measure.key: measure for measure in MEASURES}
    rows = []
    for each in found:
        measure = measures.get(key := str(each.get("metric"))) or Measure(key, key, "")
        bounds = [measure.write_difference(number(bound)) for bound in each.get("interval") or ()]
        rows.append(([measure.name, str(each.get("a")), str(each.get("b")),
                      measure.write_difference(number(each.get("difference"))),
                      " … ".join(bounds) or MISSING, p_value(number(each.get("p_value")))],
                     bool(each.get("significant"))))
    return rows


def p_value(p: float | None) -> str:
    """A p-value as text.

    >>> [p_value(each) for each in (None, 0.00004, 0.0312, 1.0)]
    ['–', '< 0.001', '0.031', '1.000']
    """
    if p is None:
        return MISSING
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def errors(conditions: Conditions) -> list[tuple[str, list[tuple[float, str]]]]:
    """Errors, most frequent first, each with its turns by condition: of the largest number the
    share in [0, 1], and the number."""
    counts: dict[str, dict[str, float]] = {}
    for name, report in conditions.items():
        for each in report.get("errors") or ():
            counts.setdefault(str(each.get("reason")), {})[name] = number(each.get("turns")) or 0
    most = max((max(each.values()) for each in counts.values()), default=0) or 1
    return [(why, [(turns / most, f"{turns:.0f}")
                   for turns in (by_condition.get(name, 0) for name in conditions)])
            for why, by_condition in sorted(counts.items(),
                                            key=lambda each: -sum(each[1].values()))]


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


def run_facts(run: Mapping[str, Any], **more: Mapping[str, Any]) -> dict[str, Any]:
    """How a run was made, as the templates read it: plain ``facts``, and ``blocks`` of nested
    ones by their headings, ``more`` among them."""
    blocks = {name: value for name, value in run.items() if isinstance(value, Mapping)}
    return {"facts": [(name, spoken(value)) for name, value in run.items() if name not in blocks],
            "blocks": {str(name).replace("_", " ").capitalize(): flat(value)
                       for name, value in {**blocks, **more}.items() if value}}


def spoken(value: object) -> str:
    """A value as text."""
    if value is None or value == "" or value == {}:
        return MISSING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
