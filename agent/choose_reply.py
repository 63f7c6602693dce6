"""What is said: a reply of the generator that passes its checks, else the facts, else nothing.

The generator's replies are tried in its order, its best first; then those that it decodes
towards the facts (PMI-DECODE). Where none passes, the facts themselves are said, as the realiser
words them, and where those do not pass either, that there is no reliable answer.
"""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from frontdesk.agent.settings import Repair
from frontdesk.generation.agreement import can_be_given, disagreement
from frontdesk.generation.generator import (
    GeneratedReply,
    GenerationInput,
    NBestGenerator,
    PmiGenerator,
)
from frontdesk.generation.graph_check import GraphVerdict, Verdict
from frontdesk.kg.errors import UnavailableError

if TYPE_CHECKING:
    from frontdesk.agent.agent import Agent

#: Replies that a generator offers to choose from, by each way of decoding.
_MOST_CANDIDATES = 4
_WITHHELD = "I'm sorry, I cannot answer that reliably."


@dataclass(frozen=True)
class ChosenReply:
    """What is said.

    Args:
        generator: Who worded it.
        reply: The words with what they rest on.
        verdict: Of the graph check.
        repaired: What was done to come to it, in words; empty where the first reply is said.
    """

    generator: str
    reply: GeneratedReply
    verdict: GraphVerdict
    repaired: str = ""


@dataclass
class ReplyChoice:
    """Chooses the reply of a turn.

    Args:
        agent: Its components and settings.
        request: What is answered.
        now: Zone-aware present of the turn.

    Attributes:
        notes: What was skipped or went wrong on the way, in words.
    """

    agent: Agent
    request: GenerationInput
    now: dt.datetime
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._settings = self.agent.settings.check
        self._repair = Repair(self._settings.repair)
        self._began = time.monotonic()
        self._realised: GeneratedReply | None = None

    def generate(self) -> tuple[str, Sequence[GeneratedReply]]:
        """Who words the reply, and the replies to choose from, the best first.

        Raises:
            UnavailableError: The generator cannot answer, and nobody may stand in for it.
        """
        generator = self.agent.generator
        try:
            if isinstance(generator, NBestGenerator):
                return generator.name, generator.generate_several(self.request, _MOST_CANDIDATES)
            return generator.name, [generator.generate(self.request)]
        except UnavailableError as error:
            if not self.agent.stand_in:
                raise
            self.notes.append(f"{generator.name} did not answer: {error}")
            return self.agent.realiser.name, [self.agent.realiser.generate(self.request)]

    def choose(self, generator: str, candidates: Sequence[GeneratedReply]) -> ChosenReply:
        """The reply that may be said.

        Args:
            generator: Who worded the candidates.
            candidates: At least one, the best first.
        """
        first = ChosenReply(generator, candidates[0], self._verdict(candidates[0]))
        if self._repair is Repair.NONE or generator == self.agent.realiser.name:
            return self._only(first)
        reasons: list[str] = []
        for how, candidate in self._candidates(candidates):
            verdict = first.verdict if candidate is first.reply else self._verdict(candidate)
            reason = _reason(candidate, verdict) or self._unfit(candidate)
            if not reason:
                return ChosenReply(generator, candidate, verdict,
                                   f"{how}: {reasons[0]}" if reasons else "")
            reasons.append(reason)
        if self._repair is Repair.GENERATOR:
            self.notes.append(f"none of {len(reasons)} replies passed, the first is said as the "
                              f"settings say: {reasons[0]}")
            return first
        realised = self._realise()
        verdict = self._verdict(realised)
        if verdict.passed:
            return ChosenReply(self.agent.realiser.name, realised, verdict,
                               f"replaced by verbalised facts: {reasons[0]}")
        return self._withheld(generator, reasons[0])

    def _only(self, first: ChosenReply) -> ChosenReply:
        """A reply beside which there is no other, as far as the settings let it be said."""
        reason = _reason(first.reply, first.verdict)
        if reason and self._repair is Repair.FULL:
            return self._withheld(first.generator, reason)
        if reason:
            self.notes.append(f"not repaired, as the settings say: {reason}")
        return first

    def _candidates(self, candidates: Sequence[GeneratedReply]
                    ) -> Iterator[tuple[str, GeneratedReply]]:
        """The generator's replies with how each was come to, decoded only when they are needed."""
        for rank, candidate in enumerate(candidates, start=1):
            yield f"candidate {rank} of {len(candidates)} chosen", candidate
        tried = {each.text for each in candidates}
        for candidate in self._by_pmi():
            if candidate.text not in tried:
                yield "decoded towards the facts (PMI-DECODE)", candidate

    def _by_pmi(self) -> Sequence[GeneratedReply]:
        generator = self.agent.generator
        if not self._settings.pmi_decode or not self.request.knowledge or not isinstance(
                generator, PmiGenerator):
            return ()
        if self._repair is Repair.FULL and not can_be_given(self._realise()):
            return ()  # nothing that is decoded could pass
        passed = (time.monotonic() - self._began) * 1000
        if 0 < self._settings.budget_ms < passed:
            self.notes.append(f"PMI-DECODE was skipped: {passed:.0f} ms had passed, the budget is "
                              f"{self._settings.budget_ms:g} ms")
            return ()
        from frontdesk.generation.pmi_decoding import PmiSettings

        try:
            return generator.generate_by_pmi(self.request, _MOST_CANDIDATES, PmiSettings(
                self._settings.alpha, self._settings.top_p))
        except UnavailableError as error:
            self.notes.append(f"PMI-DECODE was skipped: {error}")
            return ()

    def _unfit(self, candidate: GeneratedReply) -> str:
        """Why a candidate does not answer as the facts do; empty when it does."""
        if self._repair is not Repair.FULL:
            return ""
        why = disagreement(candidate.text, self._realise(), self.request)
        return f"“{candidate.text}” does not give the answer of the facts ({why})" if why else ""

    def _realise(self) -> GeneratedReply:
        if self._realised is None:
            self._realised = self.agent.realiser.generate(self.request)
        return self._realised

    def _withheld(self, generator: str, reason: str) -> ChosenReply:
        withheld = GeneratedReply(_WITHHELD)
        return ChosenReply(generator, withheld, self._verdict(withheld), f"withheld: {reason}")

    def _verdict(self, generated: GeneratedReply) -> GraphVerdict:
        request = self.request
        spoken_of = {link.entity for linked in request.links for link in linked.links}
        return self.agent.check.check(generated.text, generated.used, now=self.now,
                                      said=request.observation.text, spoken_of=spoken_of,
                                      asked=request.observation.windows())


def _reason(generated: GeneratedReply, verdict: GraphVerdict) -> str:
    """Why a reply may not be shown; empty when it may."""
    if verdict.passed and generated.text.strip():
        return ""
    if not generated.text.strip():
        return "the generator gave no text"
    failed = [f"{claim.verdict}: {claim.text}" for claim in verdict.claims
              if claim.verdict is not Verdict.SUPPORTED]
    return f"“{generated.text}” failed the graph check ({'; '.join(failed)})"
