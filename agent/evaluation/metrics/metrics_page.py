"""The page of a comparison of checks: tables, and curves of precision over recall."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Mapping
from typing import Any

from frontdesk.agent.evaluation.metrics.curves import Detection
from frontdesk.agent.evaluation.report_elements import element, scrolling, static_page
from frontdesk.agent.evaluation.report_tables import caption, table_head, table_row

_SIDE, _LEFT, _TOP = 220.0, 40.0, 8.0
#: Colours of the page's style.
_COLOURS = 5


def metrics_page(dataset: str, found: Mapping[str, Mapping[str, Detection]]) -> bytes:
    """The page as UTF-8.

    Args:
        dataset: Its name.
        found: For each check how well it finds false replies, ``all`` and of each kind.
    """
    title = f"Checks of replies on {dataset}"
    sections = [element("section", element("h2", "All replies"), _table(found))]
    if any(len(kinds) > 1 for kinds in found.values()):
        sections.append(element("section", element("h2", "By what was changed"), _kinds(found)))
    sections.append(element("section", element("h2", "Precision over recall"), element(
        "div", *(_plot(name, kinds["all"], number) for number, (name, kinds) in enumerate(
            found.items()) if kinds["all"].curve), class_="plots")))
    return static_page(title, [element("header", element("h1", title)),
                               element("main", *sections)])


def consistency_page(figures: Mapping[str, Mapping[str, Any]]) -> bytes:
    """The page of the checks of consistency as UTF-8.

    Args:
        figures: For all replies and each domain: ``replies``, ``accuracy``, and for each kind of
            inconsistency ``inconsistent``, ``precision``, ``recall``, ``f1`` and ``accuracy``.
    """
    title = "Consistency of replies on ci-tod"
    table = element("table", caption(
        "How well inconsistent replies are found. The accuracy of a domain is the share of replies "
        "of which all labels are right"), table_head(
        ["Domain", "Replies", "All labels right", "Inconsistent with", "How many", "Precision",
         "Recall", "F1", "Accuracy"], 1))
    table.append(element("tbody", *(table_row([domain], [
        str(own["replies"]), _number(own["accuracy"]), kind, str(of["inconsistent"]),
        *(_number(of[name]) for name in ("precision", "recall", "f1", "accuracy"))])
        for domain, own in figures.items() for kind, of in own.items() if isinstance(of, dict))))
    return static_page(title, [element("header", element("h1", title)), element(
        "main", element("section", scrolling(table, "Consistency")))])


def _table(found: Mapping[str, Mapping[str, Detection]]) -> ET.Element:
    table = element("table", caption(
        "How well each check finds replies that are not faithful. Precision, recall, F1 and "
        "accuracy are at the threshold with the best F1 on these very replies"), table_head(
        ["Check", "AUROC", "Recall at 3 % false alarms", "Precision", "Recall", "F1", "Accuracy",
         "Threshold", "Replies", "Without score"], 1))
    table.append(element("tbody", *(table_row([name], [
        *(_number(value) for value in (
            each.auroc, each.recall_at_few_alarms, each.precision, each.recall, each.f1,
            each.accuracy, each.threshold)), str(each.replies), str(each.without_score)])
        for name, kinds in found.items() for each in [kinds["all"]])))
    return scrolling(table, "Checks")


def _kinds(found: Mapping[str, Mapping[str, Detection]]) -> ET.Element:
    names = [kind for kind in next(iter(found.values())) if kind != "all"]
    table = element("table", caption("AUROC of true replies beside those with one thing changed"),
                    table_head(["Check", *names], 1))
    table.append(element("tbody", *(table_row(
        [name], [_number(kinds[kind].auroc) for kind in names])
        for name, kinds in found.items())))
    return scrolling(table, "By what was changed")


def _plot(name: str, each: Detection, number: int) -> ET.Element:
    svg = element("svg", viewBox=f"0 0 300 {_SIDE + 48:.0f}", role="img", aria_label=(
        f"{name}: precision over recall; best F1 {_number(each.f1)} at recall "
        f"{_number(each.recall)}"))
    for tick in (0.0, 0.5, 1.0):
        x, y = _LEFT + _SIDE * tick, _TOP + _SIDE * (1 - tick)
        for x1, y1, x2, y2 in ((x, _TOP, x, _TOP + _SIDE), (_LEFT, y, _LEFT + _SIDE, y)):
            svg.append(element("line", class_="grid", x1=f"{x1:.1f}", y1=f"{y1:.1f}",
                               x2=f"{x2:.1f}", y2=f"{y2:.1f}"))
        svg.append(element("text", f"{tick:g}", class_="tick", x=f"{x:.1f}",
                           y=f"{_TOP + _SIDE + 14:.1f}", text_anchor="middle"))
        svg.append(element("text", f"{tick:g}", class_="tick", x=f"{_LEFT - 6:.1f}",
                           y=f"{y + 4:.1f}", text_anchor="end"))
    points = " ".join(f"{_LEFT + _SIDE * recall:.1f},{_TOP + _SIDE * (1 - precision):.1f}"
                      for _, precision, recall in each.curve)
    svg.append(element("polyline", class_=f"curve t{number % _COLOURS}", fill="none",
                       points=points))
    svg.append(element("text", "recall", class_="tick", x=f"{_LEFT + _SIDE / 2:.1f}",
                       y=f"{_SIDE + 40:.1f}", text_anchor="middle"))
    return element("figure", element("figcaption", element("strong", name),
                                     element("span", f"AUROC {_number(each.auroc)}")), svg)


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
