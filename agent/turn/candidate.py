"""Replies to choose from, and why one may not be said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from frontdesk.generation.checks.graph_check import GraphVerdict, Verdict
from frontdesk.generation.checks.pmi_faith import PmiFaith
from frontdesk.generation.voice.generator import GeneratedReply


@dataclass(frozen=True)
class Candidate:
    """A reply that may be said: how it was come to, and why it is not said, empty if it may be."""

    how: str
    reply: GeneratedReply
    verdict: GraphVerdict
    reason: str
    pmi_faith: PmiFaith | None = None

    @property
    def step(self) -> str:
        """What the checks led to, in words."""
        if self.reason:
            return f"{self.how} failed: {self.reason}"
        return f"{self.how} passed: “{self.reply.text}”"

    def failed_claims(self) -> tuple[bool, int]:
        """How many claims fail; a reply without words is the worst."""
        return not self.reply.text.strip(), sum(
            claim.verdict is not Verdict.SUPPORTED for claim in self.verdict.claims)


def why_refused(generated: GeneratedReply, verdict: GraphVerdict,
                refused: Sequence[Verdict] = (Verdict.CONTRADICTED, Verdict.UNSUPPORTED)) -> str:
    """Why a reply may not be shown, for claims with refused verdicts; empty when it may."""
    if not generated.text.strip():
        return "the generator gave no text"
    if verdict.verdict not in refused:
        return ""
    failed = [f"{claim.verdict}: {claim.text}" for claim in verdict.claims
              if claim.verdict is not Verdict.SUPPORTED]
    return f"“{generated.text}” failed the graph check ({'; '.join(failed)})"
