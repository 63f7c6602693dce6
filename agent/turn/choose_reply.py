"""What is said: a reply of the generator that passes its checks, else the facts, else nothing.

The loop of a turn: the first reply is scored; where it fails, the generator's other replies are,
some at a time, and of those that pass the best by Q² and likelihood is said; then those that it
decodes towards the facts (PMI-DECODE). Where none passes, the facts themselves are said, as the
realiser words them, and where those do not pass either, that there is no reliable answer.
"""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from frontdesk.agent.settings.settings import Repair
from frontdesk.agent.turn.faithfulness import q2_name
from frontdesk.generation.checks.agreement import can_be_given, disagreement
from frontdesk.generation.checks.graph_check import GraphVerdict, Verdict
from frontdesk.generation.checks.pmi_faith import PmiFaith
from frontdesk.generation.voice.generator import (
    GeneratedReply,
    GenerationInput,
    NBestGenerator,
    PmiGenerator,
)
from frontdesk.kg.graph.errors import UnavailableError

if TYPE_CHECKING:
    from frontdesk.agent.sessions.agent import Agent

#: Replies that are scored, and those that pass ranked, at a time.
_AT_A_TIME = 4
#: Q² of a reply of which nothing can be asked. Q², in [0, 1], and the log-probability per token, in
#: nats, are simply added: replies of one generator differ by about as much in both.
_UNKNOWN_Q2 = 0.5
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


@dataclass(frozen=True)
class _Candidate:
    """A reply that may be said: how it was come to, and why it is not said, empty if it may be."""

    how: str
    reply: GeneratedReply
    verdict: GraphVerdict
    reason: str
    pmi_faith: PmiFaith | None = None


@dataclass
class ReplyChoice:
    """Chooses the reply of a turn.

    Args:
        agent: Its components and settings.
        request: What is answered.
        now: Zone-aware present of the turn.
        hurried: Others wait: the realiser words the reply in the generator's place.

    Attributes:
        notes: What was skipped or went wrong on the way, in words.
        steps: What was done, in words and in order.
    """

    agent: Agent
    request: GenerationInput
    now: dt.datetime
    hurried: bool = False
    notes: list[str] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)

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
        count = 1 if self._repair is Repair.NONE else self._settings.candidates
        if self.hurried and generator is not self.agent.realiser:
            self.notes.append("worded by templates: many others wait")
            return self.agent.realiser.name, [self._realise()]
        try:
            if isinstance(generator, NBestGenerator):
                return generator.name, generator.generate_several(self.request, count)
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
        if self._repair is Repair.NONE or generator == self.agent.realiser.name:
            return self._only(generator, candidates[0])
        (first,) = self._scored([("first reply", candidates[0])])
        if not first.reason:
            return ChosenReply(generator, first.reply, first.verdict)
        tried = [first]
        for others in self._others(candidates):
            scored = self._scored(others)
            tried += scored
            passed = [each for each in scored if not each.reason]
            if passed:
                best = self._best(passed)
                return ChosenReply(generator, best.reply, best.verdict,
                                   f"{best.how}: {first.reason}")
        if self._repair is Repair.GENERATOR:
            least = min(tried, key=_failed_claims)  # the first of equals
            self.notes.append(f"none of {len(tried)} replies passed, the one with the fewest "
                              f"failed claims is said as the settings say: {least.reason}")
            return ChosenReply(generator, least.reply, least.verdict,
                               "" if least is first else f"{least.how}: {first.reason}")
        return self._fall_back(generator, first.reason)

    def _others(self, candidates: Sequence[GeneratedReply]
                ) -> Iterator[list[tuple[str, GeneratedReply]]]:
        """The further replies, some at a time, each after how it was come to."""
        if self._repair is Repair.FULL and not can_be_given(self._realise()):
            self.steps.append("no further reply was tried: the facts alone can answer")
            return
        numbered = [(f"candidate {rank} of {len(candidates)}", each)
                    for rank, each in enumerate(candidates, start=1)]
        for start in range(1, len(numbered), _AT_A_TIME):
            if self._is_late(f"trying candidates {start + 1} to {len(numbered)}"):
                return
            yield numbered[start:start + _AT_A_TIME]
        decoded, texts = self._by_pmi(), {each.text for each in candidates}
        if decoded and all(each.text in texts for each in decoded):
            self.steps.append("PMI-DECODE gave no other reply")
        yield [("decoded towards the facts (PMI-DECODE)", each)
               for each in decoded if each.text not in texts]

    def _only(self, generator: str, reply: GeneratedReply) -> ChosenReply:
        """A reply beside which there is no other, as far as the settings let it be said."""
        verdict = self._verdict(reply)
        reason = _reason(reply, verdict)
        self.steps.append(f"only reply {'failed: ' + reason if reason else 'passed'}")
        if reason and self._repair is Repair.FULL:
            return self._withheld(generator, reason)
        if reason:
            self.notes.append(f"not repaired, as the settings say: {reason}")
        return ChosenReply(generator, reply, verdict)

    # --- score

    def _scored(self, replies: Sequence[tuple[str, GeneratedReply]]) -> list[_Candidate]:
        """Replies, each after how it was come to, with what the checks say of them."""
        found = []
        for how, reply in replies:
            verdict = self._verdict(reply)
            found.append(_Candidate(how, reply, verdict,
                                    _reason(reply, verdict) or self._unfit(reply)))
        found = self._weighed(found)
        self.steps += [_step(each) for each in found]
        return found

    def _verdict(self, generated: GeneratedReply) -> GraphVerdict:
        request = self.request
        spoken_of = {link.entity for linked in request.links for link in linked.links}
        return self.agent.check.check(generated.text, generated.used, now=self.now,
                                      said=request.observation.text,
                                      earlier="\n".join(text for _, text in request.history[:-1]),
                                      spoken_of=spoken_of, asked=request.observation.windows())

    def _unfit(self, candidate: GeneratedReply) -> str:
        """Why a candidate does not answer as the facts do; empty when it does."""
        if self._repair is not Repair.FULL:
            return ""
        why = disagreement(candidate.text, self._realise(), self.request)
        return f"“{candidate.text}” does not give the answer of the facts ({why})" if why else ""

    def _weighed(self, candidates: Sequence[_Candidate]) -> list[_Candidate]:
        """Candidates; those that passed with whether they are faithful enough to be said.

        Small talk claims nothing, and without facts there is nothing to be faithful to.
        """
        passed = [each for each in candidates if not each.reason]
        if not passed or not self.request.knowledge or (
                self._repair is Repair.FULL and self._realise().social):
            return list(candidates)
        texts = [each.reply.text for each in passed]
        thresholds, faithfulness = self.agent.thresholds, self.agent.faithfulness
        q2: Sequence[float | None] = [None] * len(texts)
        gains: Sequence[PmiFaith | None] = [None] * len(texts)
        why_q2 = why_pmi = ""
        if thresholds.q2.least is not None:
            why_q2 = _not_of(thresholds.components, q2_name(self._settings))
            q2 = q2 if why_q2 else [each.score for each in faithfulness.q2(self.request, texts)]
        if thresholds.pmi_faith.least is not None:
            why_pmi = _not_of(thresholds.generator, self.agent.generator.name)
            if not why_pmi:
                gains, why_pmi = faithfulness.pmi_faith(self.request, texts)
        self.notes += [f"{name} did not decide: {why}"
                       for name, why in (("Q²", why_q2), ("PMI-FAITH", why_pmi)) if why]
        weighed = iter([replace(each, pmi_faith=gain, reason=_said_of(each, thresholds.refusal(
            score, None if gain is None else gain.total)))
            for each, score, gain in zip(passed, q2, gains, strict=True)])
        return [each if each.reason else next(weighed) for each in candidates]

    # --- repair

    def _by_pmi(self) -> Sequence[GeneratedReply]:
        generator = self.agent.generator
        if not self._settings.pmi_decode or not self.request.knowledge:
            return ()
        if not isinstance(generator, PmiGenerator):
            self.notes.append(f"PMI-DECODE was skipped: {generator.name} cannot decode by it")
            return ()
        if self._is_late("PMI-DECODE"):
            return ()
        from frontdesk.generation.voice.pmi_decoding import PmiSettings

        try:
            return generator.generate_by_pmi(self.request, _AT_A_TIME, PmiSettings(
                self._settings.alpha, self._settings.top_p))
        except UnavailableError as error:
            self.notes.append(f"PMI-DECODE was skipped: {error}")
            return ()

    def _best(self, passed: Sequence[_Candidate]) -> _Candidate:
        """The most faithful and likely of the replies that passed."""
        if len(passed) == 1 or not self._settings.rerank or self._is_late("ranking anew"):
            return passed[0]
        texts = [each.reply.text for each in passed]
        q2 = self.agent.faithfulness.q2(self.request, texts)
        gains: Sequence[PmiFaith | None] = [each.pmi_faith for each in passed]
        if None in gains:
            gains, _ = self.agent.faithfulness.pmi_faith(self.request, texts)
        known = None not in gains
        merits = [(each.score if each.score is not None else _UNKNOWN_Q2)
                  + (gain.likelihood if gain is not None and known else 0.0)
                  for each, gain in zip(q2, gains, strict=True)]
        best = max(range(len(passed)), key=merits.__getitem__)  # the first of equals
        self.steps.append(f"ranked {len(passed)} anew by Q²{' and likelihood' if known else ''}: "
                          f"{passed[best].how} is the best ({merits[best]:+.2f})")
        return passed[best]

    def _is_late(self, what: str) -> bool:
        """Whether the time for a step has passed; if so, a note says so."""
        passed = (time.monotonic() - self._began) * 1000
        if not 0 < self._settings.budget_ms < passed:
            return False
        self.notes.append(f"{what} was skipped: {passed:.0f} ms had passed, the budget is "
                          f"{self._settings.budget_ms:g} ms")
        return True

    # --- fall back

    def _fall_back(self, generator: str, reason: str) -> ChosenReply:
        realised = self._realise()
        verdict = self._verdict(realised)
        if not verdict.passed:
            return self._withheld(generator, reason)
        self.steps.append("the verbalised facts are said")
        return ChosenReply(self.agent.realiser.name, realised, verdict,
                           f"replaced by verbalised facts: {reason}")

    def _realise(self) -> GeneratedReply:
        if self._realised is None:
            self._realised = self.agent.realiser.generate(self.request)
        return self._realised

    def _withheld(self, generator: str, reason: str) -> ChosenReply:
        self.steps.append("nothing reliable can be said")
        withheld = GeneratedReply(_WITHHELD)
        return ChosenReply(generator, withheld, self._verdict(withheld), f"withheld: {reason}")


def _step(candidate: _Candidate) -> str:
    if candidate.reason:
        return f"{candidate.how} failed: {candidate.reason}"
    return f"{candidate.how} passed: “{candidate.reply.text}”"


def _not_of(calibrated: str, used: str) -> str:
    """Why a threshold does not count; empty where it was calibrated for what is used."""
    return "" if calibrated == used else f"its threshold was calibrated for {calibrated}"


def _said_of(candidate: _Candidate, refusal: str) -> str:
    return f"“{candidate.reply.text}” {refusal}" if refusal else ""


def _failed_claims(candidate: _Candidate) -> tuple[bool, int]:
    """How many claims of a reply fail; one without words is the worst."""
    return not candidate.reply.text.strip(), sum(
        claim.verdict is not Verdict.SUPPORTED for claim in candidate.verdict.claims)


def _reason(generated: GeneratedReply, verdict: GraphVerdict) -> str:
    """Why a reply may not be shown; empty when it may."""
    if verdict.passed and generated.text.strip():
        return ""
    if not generated.text.strip():
        return "the generator gave no text"
    failed = [f"{claim.verdict}: {claim.text}" for claim in verdict.claims
              if claim.verdict is not Verdict.SUPPORTED]
    return f"“{generated.text}” failed the graph check ({'; '.join(failed)})"
