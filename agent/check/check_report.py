"""The page of a check: every reply with what is supported and what is not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from statistics import fmean
from typing import Any

from frontdesk.agent.evaluation.reports.report_pages import fixed, report_page

#: Below this score an answer of Q² is shown as one that the knowledge does not give.
_AGREES = 0.5
_GOOD = ("supported", "no_claims")


def check_page(lines: Sequence[Mapping[str, Any]]) -> bytes:
    """The page as UTF-8.

    Args:
        lines: Of the output of ``frontdesk check``.
    """
    return report_page("checked_replies.html", "Checked replies", summary=_summary(lines),
                       lines=[_reply(line) for line in lines])


def _summary(lines: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    q2 = [line["q2"] for line in lines if line.get("q2") is not None]
    pmi = [line["pmi_faith"] for line in lines if line.get("pmi_faith") is not None]
    judged = [line for line in lines if line.get("verdict") is not None]
    bad = sum(line["verdict"] not in _GOOD for line in judged)
    pairs = [("Replies", str(len(lines))),
             ("Mean Q²", f"{fmean(q2):.3f}" if q2 else "–"),
             ("Mean PMI-FAITH", f"{fmean(pmi):+.2f} nats" if pmi else "–"),
             ("Refused by the graph", f"{bad} of {len(judged)}" if judged else "–")]
    errors = sum("error" in line for line in lines)
    return [*pairs, *([("Not checked", str(errors))] if errors else [])]


def _reply(line: Mapping[str, Any]) -> dict[str, Any]:
    """A line as the template reads it."""
    if "error" in line:
        return {"error": line["error"]}
    skipped, knowledge = line.get("skipped") or {}, line.get("knowledge") or ()
    return {
        "error": None, "history": [_said(turn) for turn in line.get("history") or ()],
        "parts": _marked(line),
        "scores": [("Q²", _score(line.get("q2"), skipped.get("q2"))),
                   ("PMI-FAITH", _score(line.get("pmi_faith"), skipped.get("pmi_faith"))),
                   ("Graph", line.get("verdict") or f"– {skipped.get('verdict', '')}")],
        "questions": [[each["question"] or "the reply as a whole", each["reply"] or "–",
                       each["knowledge"] or each.get("relation") or "no answer",
                       f"{each['score']:.2f}"] for each in line.get("q2_evidence") or ()],
        "claims": [[each["text"], each["kind"], each["verdict"], each["evidence"] or "–"]
                   for each in line.get("claims") or ()],
        "knowledge": [knowledge] if isinstance(knowledge, str) else list(knowledge)}


def _said(turn: Any) -> str:
    if isinstance(turn, Mapping):
        return f"{turn.get('speaker')}: {turn.get('text')}"
    return ": ".join(map(str, turn)) if isinstance(turn, (list, tuple)) else str(turn)


def _marked(line: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The reply in parts, each ``yes``, ``no`` or nothing; what is unsupported anywhere is no."""
    text = str(line["response"])
    kinds = [""] * len(text)
    judged = [*((each["reply"], each["score"] >= _AGREES)
                for each in line.get("q2_evidence") or () if each.get("reply")),
              *((each["text"], each["verdict"] == "supported")
                for each in line.get("claims") or ())]
    for said, supported in sorted(judged, key=lambda each: not each[1]):
        start = text.find(said)
        if start >= 0:
            kinds[start:start + len(said)] = ["yes" if supported else "no"] * len(said)
    return [("".join(char for char, _ in part), kind) for kind, part in groupby(
        zip(text, kinds, strict=True), key=lambda each: each[1])]


def _score(value: float | None, why: str | None) -> str:
    return fixed(value) if value is not None else f"– {why or ''}"
