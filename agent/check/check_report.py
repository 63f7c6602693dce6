"""The page of a check: every reply with what is supported and what is not."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from frontdesk.agent.evaluation.report_elements import (
    append,
    element,
    pairs_list,
    scrolling,
    static_page,
)
from frontdesk.agent.evaluation.report_tables import caption, table_head, table_row

_TITLE = "Checked replies"
#: Below this score an answer of Q² is shown as one that the knowledge does not give.
_AGREES = 0.5
_GOOD = ("supported", "no_claims")


def check_page(lines: Sequence[Mapping[str, Any]]) -> bytes:
    """The page as UTF-8.

    Args:
        lines: Of the output of ``frontdesk check``.
    """
    header = element("header", element("h1", _TITLE), _summary(lines), element(
        "p", element("mark", "Supported", class_="yes"), " and ",
        element("mark", "unsupported", class_="no"), " parts of replies, by the answers that the "
        "knowledge gives to questions about them (Q²) and by the claims that the graph knows; "
        "what is not marked says nothing that could be asked for.", class_="quiet"))
    main = element("main", *(_reply(number, line) for number, line in enumerate(lines, start=1)))
    return static_page(_TITLE, [header, main])


def _summary(lines: Sequence[Mapping[str, Any]]) -> ET.Element:
    q2 = [line["q2"] for line in lines if line.get("q2") is not None]
    pmi = [line["pmi_faith"] for line in lines if line.get("pmi_faith") is not None]
    judged = [line for line in lines if line.get("verdict") is not None]
    bad = sum(line["verdict"] not in _GOOD for line in judged)
    pairs = [("Replies", str(len(lines))),
             ("Mean Q²", f"{fmean(q2):.3f}" if q2 else "–"),
             ("Mean PMI-FAITH", f"{fmean(pmi):+.2f} nats" if pmi else "–"),
             ("Refused by the graph", f"{bad} of {len(judged)}" if judged else "–")]
    errors = sum("error" in line for line in lines)
    return pairs_list([*pairs, *([("Not checked", str(errors))] if errors else [])], "key")


def _reply(number: int, line: Mapping[str, Any]) -> ET.Element:
    section = element("section", element("h2", f"Reply {number}"))
    if "error" in line:
        append(section, element("p", str(line["error"]), class_="bad"))
        return section
    for turn in line.get("history") or ():
        append(section, element("p", _said(turn), class_="quiet", dir="auto"))
    append(section, element("p", *_marked(line), class_="reply", dir="auto"))
    skipped = line.get("skipped") or {}
    append(section, pairs_list([
        ("Q²", _number(line.get("q2"), skipped.get("q2"))),
        ("PMI-FAITH", _number(line.get("pmi_faith"), skipped.get("pmi_faith"))),
        ("Graph", str(line.get("verdict") or f"– {skipped.get('verdict', '')}"))], "small"))
    for table in (_questions(line.get("q2_evidence") or ()), _claims(line.get("claims") or ())):
        append(section, table)
    append(section, _knowledge(line.get("knowledge")))
    return section


def _said(turn: Any) -> str:
    if isinstance(turn, Mapping):
        return f"{turn.get('speaker')}: {turn.get('text')}"
    return ": ".join(map(str, turn)) if isinstance(turn, (list, tuple)) else str(turn)


def _marked(line: Mapping[str, Any]) -> list[ET.Element | str]:
    """The reply with its spans; what is unsupported anywhere is shown so."""
    text = str(line["response"])
    good = [False] * len(text)
    bad = [False] * len(text)
    for said, ok in [
            *((each["reply"], each["score"] >= _AGREES)
              for each in line.get("q2_evidence") or () if each.get("reply")),
            *((each["text"], each["verdict"] == "supported")
              for each in line.get("claims") or ())]:
        start = text.find(said)
        if start >= 0:
            marks = good if ok else bad
            marks[start:start + len(said)] = [True] * len(said)
    parts: list[ET.Element | str] = []
    start = 0
    kinds = ["no" if wrong else "yes" if right else "" for right, wrong in zip(
        good, bad, strict=True)]
    for end in range(1, len(text) + 1):
        if end == len(text) or kinds[end] != kinds[start]:
            part = text[start:end]
            parts.append(element("mark", part, class_=kinds[start]) if kinds[start] else part)
            start = end
    return parts


def _questions(evidence: Sequence[Mapping[str, Any]]) -> ET.Element | None:
    if not evidence:
        return None
    table = element("table", caption("Questions about the reply, with both answers"), table_head(
        ["Question", "Reply", "Knowledge", "Score"], 3))
    append(table, element("tbody", *(table_row(
        [each["question"] or "the reply as a whole", each["reply"] or "–",
         each["knowledge"] or each.get("relation") or "no answer"], [f"{each['score']:.2f}"])
        for each in evidence)))
    return scrolling(table, "Questions")


def _claims(claims: Sequence[Mapping[str, Any]]) -> ET.Element | None:
    if not claims:
        return None
    table = element("table", caption("Claims, by the graph"), table_head(
        ["Claim", "Kind", "Verdict", "Evidence"], 4))
    append(table, element("tbody", *(table_row(
        [each["text"], each["kind"], each["verdict"], each["evidence"] or "–"], [])
        for each in claims)))
    return scrolling(table, "Claims")


def _knowledge(given: Any) -> ET.Element | None:
    texts = [given] if isinstance(given, str) else list(given or ())
    return element("details", element("summary", "Knowledge"), element(
        "ul", *(element("li", str(text), dir="auto") for text in texts))) if texts else None


def _number(value: float | None, why: str | None) -> str:
    return f"{value:.3f}" if value is not None else f"– {why or ''}"
