"""The report of a training as one HTML page that is complete in itself: no network, no script."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from typing import Any

from frontdesk.agent.evaluation.report_elements import (
    append,
    element,
    pairs_list,
    scrolling,
    static_page,
)
from frontdesk.agent.evaluation.report_plots import ReliabilityBin, reliability_plot
from frontdesk.agent.evaluation.report_tables import (
    caption,
    p_value,
    row_group,
    table_head,
    table_row,
)
from frontdesk.agent.training.held_out import ALL_RANKED, WITH_ENTITY, WITHOUT_ENTITY, verdict
from frontdesk.agent.training.training_report import Report

_MEASURES = {"precision_at_1": "P@1", "log_loss": "Log-loss (nats)", "brier": "Brier score",
             "calibration_error": "Expected calibration error"}
_VARIANTS = {ALL_RANKED: "Annotated mentions, written and recognised words",
             WITH_ENTITY: "Of these, mentions of what the knowledge base has",
             WITHOUT_ENTITY: "Of these, mentions of events that it does not have yet",
             "given": "Annotated mentions, written words",
             "given_asr": "Annotated mentions, recognised words",
             "own": "Our own mentions, written words",
             "asr_first": "Our own mentions, first hypothesis",
             "asr_n_best": "Our own mentions, n-best list"}
_WEIGHTS = (("by_hand", "by hand"), ("learned", "learned"))
_TITLE = "Learned weights of the linking rules"


def report_html(report: Report) -> bytes:
    """The page of a training as UTF-8.

    Args:
        report: The contents of ``report.json``.
    """
    header = element("header", element("h1", _TITLE),
                     element("p", verdict(report["held_out"])),
                     pairs_list([("Command", report["command"]),
                                 ("Criterion", report["held_out"]["criterion"])], "pairs head"))
    main = element("main")
    append(main, *(element("section", element("h2", heading), *parts) for heading, parts in (
        ("Held-out dialogues", [_held_out_table(report["held_out"]["figures"])]),
        ("Reliability", [_plots(report["held_out"]["reliability"])]),
        ("Weights", [_weights_table(report["weights"])]),
        ("Learning", [_learning_table(report)]),
        ("Data", [_data_table(report), _examples_table(report["examples"])]),
        ("Run", [pairs_list(_run_pairs(report))]))))
    return static_page(_TITLE, [header, main])


def _held_out_table(figures: Mapping[str, Mapping[str, Any]]) -> ET.Element:
    table = element("table", caption(
        "The same mentions linked by weights set by hand and by weights learned from other "
        "dialogues; 95 % bootstrap intervals and p-values over dialogues"), table_head(
        ["Measure", "By hand", "Learned", "Difference", "95 % interval", "p", "Mentions",
         "Dialogues"], 1))
    for variant, measures in figures.items():
        body = element("tbody", row_group(_VARIANTS.get(variant, variant), 8))
        for name, said in _MEASURES.items():
            if name in measures:
                each = measures[name]
                body.append(table_row([said], [
                    f"{each['by_hand']:.4f}", f"{each['learned']:.4f}",
                    _signed(each["difference"]), f"{_signed(each['low'])} … "
                    f"{_signed(each['high'])}", p_value(each["p_value"]),
                    str(measures["mentions"]), str(measures["dialogues"])]))
        table.append(body)
    return scrolling(table, "Figures on held-out dialogues")


def _plots(reliability: Mapping[str, Sequence[Mapping[str, Any]]]) -> ET.Element:
    """The two sets of weights side by side, each with its counts."""
    plots = element("div", class_="plots")
    for series, (name, said) in enumerate(_WEIGHTS):
        bins = [ReliabilityBin(**each) for each in reliability[name]]
        if bins:
            plots.append(element("div", element("p", element(
                "span", class_=f"swatch s{series}", aria_hidden="true"), f"Weights {said}"),
                reliability_plot({series: (said, bins)})))
    return plots


def _weights_table(weights: Sequence[Mapping[str, Any]]) -> ET.Element:
    table = element("table", caption(
        "The probability that a rule makes its head true, set by hand and learned from all "
        "dialogues, the range over folds, and in how many pairs its body is expected to hold"),
        table_head(["Rule", "What it means", "By hand", "Learned", "Over folds", "Pairs"], 2))
    body = element("tbody")
    for each in weights:
        if each["learned"] is None:
            values = [f"{each['by_hand']:.3f}", "in the clause", "–", "–"]
        elif not each["pairs"]:
            values = [f"{each['by_hand']:.3f}", "kept", "–", "0"]
        else:
            values = [f"{each['by_hand']:.3f}", f"{each['learned']:.3f}",
                      f"{each['least']:.3f} – {each['most']:.3f}", f"{each['pairs']:.1f}"]
        body.append(table_row([each["name"], each["reason"]], values))
    table.append(body)
    return scrolling(table, "Weights")


def _learning_table(report: Report) -> ET.Element:
    table = element("table", caption("Log-likelihood of what is observed, in nats"), table_head(
        ["Learned from", "Before", "After", "Iterations", "Converged", "Unexplained pairs"], 1))
    body = element("tbody")
    folds = [(f"all but fold {number}: {len(each['held_out'])} dialogues held out", each)
             for number, each in enumerate(report["cross_validation"], start=1)]
    for said, each in [("all dialogues", report["learning"]), *folds]:
        body.append(table_row([said], [
            f"{each['log_likelihood_before']:.2f}", f"{each['log_likelihood_after']:.2f}",
            str(each["iterations"]), "yes" if each["converged"] else "no",
            str(each["unexplained_pairs"])]))
    table.append(body)
    return scrolling(table, "Learning")


def _data_table(report: Report) -> ET.Element:
    table = element("table", caption("Files"), table_head(
        ["File", "Source", "SHA-256", "Dialogues"], 3))
    body = element("tbody")
    for each in report["data"]:
        body.append(table_row([each["name"], each["source"], each["sha256"]],
                              [str(each["dialogues"])]))
    table.append(body)
    return scrolling(table, "Files")


def _examples_table(examples: Mapping[str, Mapping[str, int]]) -> ET.Element:
    table = element("table", caption("Pairs of a mention with a candidate"), table_head(
        ["Source", "Dialogues", "Mentions", "Mentions without observation", "Pairs true",
         "Pairs false"], 1))
    body = element("tbody")
    for source, each in examples.items():
        body.append(table_row([source], [str(each[key]) for key in (
            "dialogues", "mentions", "mentions_without_observation", "pairs_true",
            "pairs_false")]))
    table.append(body)
    return scrolling(table, "Examples")


def _run_pairs(report: Report) -> list[tuple[str, str]]:
    return [("frontdesk", report["version"]), ("Code", report["code"]),
            ("Python", report["python"]), *report["packages"].items(),
            ("Folds", str(report["folds"])),
            *((name.capitalize(), f"{value:g}") for name, value in report["settings"].items())]


def _signed(value: float) -> str:
    return f"{value:+.4f}".replace("-", "\N{MINUS SIGN}")
