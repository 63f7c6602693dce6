"""``check``: what is said: a reply of the generator that passes, else the facts, else nothing.

The first reply is scored; where it fails, the generator's other replies are, some at a time, and of
those that pass the best by Q² and likelihood is said; then those that it decodes towards the facts
(PMI-DECODE). Where none passes, the facts themselves are said, as the realiser words them, and
where those do not pass either, that there is no reliable answer.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

from frontdesk.agent.settings.settings import CheckSettings, Repair
from frontdesk.agent.settings.thresholds import Thresholds
from frontdesk.agent.turn.answer_words import realiser_of
from frontdesk.agent.turn.candidate import Candidate, why_refused
from frontdesk.agent.turn.faithfulness import Faithfulness, q2_name
from frontdesk.agent.turn.told_outcome import told_outcome
from frontdesk.agent.turn.turn_state import ANSWERS, CheckedReply, TurnState
from frontdesk.generation.checks.agreement import can_be_given, disagreement
from frontdesk.generation.checks.claim_check import ClaimCheck
from frontdesk.generation.checks.claims import Claim
from frontdesk.generation.checks.graph_check import GraphVerdict, Verdict
from frontdesk.generation.checks.pmi_faith import PmiFaith
from frontdesk.generation.voice.generator import (
    GeneratedReply,
    Generator,
    PmiGenerator,
)
from frontdesk.kg.graph.errors import UnavailableError
from frontdesk.kg.graph.windows import Window

#: Replies that are scored, and those that pass ranked, at a time.
_AT_A_TIME = 4
#: Q² of a reply of which nothing can be asked. Q², in [0, 1], and the log-probability per token, in
#: nats, are simply added: replies of one generator differ by about as much in both.
_UNKNOWN_Q2 = 0.5
_NOT_PROVED = "what the reply claims was not proved: nothing reads it in this domain"
_WITHHELD = "I'm sorry, I cannot answer that reliably."


@dataclass(frozen=True)
class CheckReplies:
    """Chooses the reply that may be said.

    Args:
        realiser: Words the facts, where no reply passes.
        thresholds: From which scores on they may be said.
        settings: What is done about a reply that fails.
        claims: Reads what replies claim; None where no trained parser does.
    """

    name: ClassVar[str] = "check"
    generator: Generator
    realiser: Generator
    faithfulness: Faithfulness
    thresholds: Thresholds
    settings: CheckSettings
    claims: ClaimCheck | None = None

    def run(self, state: TurnState) -> None:
        """Set ``checked``."""
        if state.acted.question is None:
            state.checked = told_outcome(state)
            return
        checked = _Choice(self, state).choose(state.generated.generator,
                                              state.generated.candidates)
        text = " ".join(filter(None, (checked.reply.text, state.generated.words)))
        state.checked = replace(checked, reply=replace(checked.reply, text=text))


class _Choice:
    """The choice of the reply to one question.

    Attributes:
        notes: What was skipped or went wrong on the way, in words.
        steps: What was done, in words and in order.
    """

    def __init__(self, stage: CheckReplies, state: TurnState) -> None:
        self.generator, self.realiser = stage.generator, realiser_of(state, stage.realiser)
        self._answered = state.answered
        self.faithfulness = stage.faithfulness.over(state.visible.kb)
        self.thresholds, self._settings = stage.thresholds, stage.settings
        self._repair = Repair(stage.settings.repair)
        self.request, self.generated = state.ranked.request, state.generated
        self._check, self._now = state.visible.domain.check, state.inputs.now
        self._prove = _claims_proved(stage.claims, state)
        self.notes: list[str] = []
        self.steps: list[str] = []

    @cached_property
    def _realised(self) -> GeneratedReply:
        return self.realiser.generate(self.request)

    def choose(self, generator: str, candidates: Sequence[GeneratedReply]) -> CheckedReply:
        """The reply that may be said.

        Args:
            candidates: At least one, the best first.
        """
        if generator == ANSWERS:
            return self._proved(candidates[0])
        if self._repair is Repair.NONE or generator == self.realiser.name:
            return self._only(generator, candidates[0])
        first = self._proven(*self._scored([("first reply", candidates[0])]))
        if not first.reason:
            return self._said(generator, first.reply, first.verdict)
        tried = [first]
        for others in self._others(candidates):
            scored = self._scored(others)
            tried += (each for each in scored if each.reason)
            passed = [each for each in scored if not each.reason]
            while passed:
                best = self._best(passed)
                passed.remove(best)
                best = self._proven(best)
                if not best.reason:
                    return self._said(generator, best.reply, best.verdict,
                                      f"{best.how}: {first.reason}")
                tried.append(best)
        if self._repair is Repair.GENERATOR:
            least = min(tried, key=Candidate.failed_claims)  # the first of equals
            self.notes.append(f"none of {len(tried)} replies passed, the one with the fewest "
                              f"failed claims is said as the settings say: {least.reason}")
            return self._said(generator, least.reply, least.verdict,
                               "" if least is first else f"{least.how}: {first.reason}")
        return self._fall_back(generator, first.reason)

    def _others(self, candidates: Sequence[GeneratedReply]
                ) -> Iterator[list[tuple[str, GeneratedReply]]]:
        """The further replies, some at a time, each after how it was come to."""
        if self._repair is Repair.FULL and not can_be_given(self._realised):
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

    def _proved(self, reply: GeneratedReply, repaired: str = "") -> CheckedReply:
        """The answer of queries, which are proved; its words are not said where they contradict."""
        verdict = self._verdict(reply)
        reason = why_refused(reply, verdict, (Verdict.CONTRADICTED,))
        if reason:
            self.steps.append(f"the answer of the queries failed: {reason}")
            return self._withheld(ANSWERS, reason)
        undecided = [f"“{each.text}”" for each in verdict.claims
                     if each.verdict is not Verdict.SUPPORTED]
        self.steps.append("the rules answered the queries; of its words the graph check proved "
                          f"{len(verdict.claims) - len(undecided)} of {len(verdict.claims)} claims"
                          + ", and could not decide of " * bool(undecided) + "; ".join(undecided))
        return self._said(ANSWERS, reply, verdict, repaired)

    def _only(self, generator: str, reply: GeneratedReply) -> CheckedReply:
        """A reply beside which there is no other, as far as the settings let it be said."""
        verdict = self._verdict(reply)
        reason = why_refused(reply, verdict)
        self.steps.append(f"only reply {'failed: ' + reason if reason else 'passed'}")
        if reason and self._repair is Repair.FULL:
            return self._withheld(generator, reason)
        if reason:
            self.notes.append(f"not repaired, as the settings say: {reason}")
        return self._said(generator, reply, verdict)

    # --- score

    def _scored(self, replies: Sequence[tuple[str, GeneratedReply]]) -> list[Candidate]:
        """Replies, each after how it was come to, with what the checks say of them."""
        found = []
        for how, reply in replies:
            verdict = self._verdict(reply)
            found.append(Candidate(how, reply, verdict,
                                    why_refused(reply, verdict) or self._unfit(reply)))
        found = self._weighed(found)
        self.steps += [each.step for each in found]
        return found

    def _proven(self, candidate: Candidate) -> Candidate:
        """A candidate that is about to be said, with what came of proving its claims."""
        if candidate.reason:
            return candidate
        if self._prove is None:
            if _NOT_PROVED not in self.notes:
                self.notes.append(_NOT_PROVED)
            return candidate
        verdict = GraphVerdict.of((*candidate.verdict.claims, *self._prove(candidate.reply)))
        reason = why_refused(candidate.reply, verdict)
        if reason:
            self.steps.append(f"{candidate.how} was not proved: {reason}")
        return replace(candidate, verdict=verdict, reason=reason)

    def _verdict(self, generated: GeneratedReply) -> GraphVerdict:
        request, text = self.request, generated.text
        for each in self._answered.conditions if self._answered is not None else ():
            text = text.replace(each, "")  # it claims nothing, as a question back
        spoken_of = {link.entity for linked in request.links for link in linked.links}
        return self._check.check(text, generated.used, now=self._now,
                                 said=request.history[-1][1],
                                 earlier="\n".join(text for _, text in request.history[:-1]),
                                 spoken_of=spoken_of, asked=self._asked)

    @cached_property
    def _asked(self) -> Sequence[Window]:
        """The times that are asked about, by the words and by the queries."""
        answers = self._answered.answers if self._answered is not None else ()
        return (*self.request.observation.windows(),
                *(each.window for each in answers if each.window is not None))

    def _unfit(self, candidate: GeneratedReply) -> str:
        """Why a candidate does not answer as the facts do; empty when it does."""
        if self._repair is not Repair.FULL:
            return ""
        why = disagreement(candidate.text, self._realised, self.request)
        return f"“{candidate.text}” does not give the answer of the facts ({why})" if why else ""

    def _weighed(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Candidates; those that passed with whether they are faithful enough to be said.

        Small talk claims nothing, and without facts there is nothing to be faithful to.
        """
        passed = [each for each in candidates if not each.reason]
        if not passed or not self.request.knowledge or (
                self._repair is Repair.FULL and self._realised.social):
            return list(candidates)
        texts = [each.reply.text for each in passed]
        thresholds, faithfulness = self.thresholds, self.faithfulness
        q2: Sequence[float | None] = [None] * len(texts)
        gains: Sequence[PmiFaith | None] = [None] * len(texts)
        why_q2 = why_pmi = ""
        if thresholds.q2.least is not None:
            why_q2 = _not_of(thresholds.components, q2_name(self._settings))
            q2 = q2 if why_q2 else [each.score for each in faithfulness.q2(self.request, texts)]
        if thresholds.pmi_faith.least is not None:
            why_pmi = _not_of(thresholds.generator, self.generator.name)
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
        generator = self.generator
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

    def _best(self, passed: Sequence[Candidate]) -> Candidate:
        """The most faithful and likely of the replies that passed."""
        if len(passed) == 1 or not self._settings.rerank or self._is_late("ranking anew"):
            return passed[0]
        texts = [each.reply.text for each in passed]
        q2 = self.faithfulness.q2(self.request, texts)
        gains: Sequence[PmiFaith | None] = [each.pmi_faith for each in passed]
        if None in gains:
            gains, _ = self.faithfulness.pmi_faith(self.request, texts)
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
        passed = (time.monotonic() - self.generated.began) * 1000
        if not 0 < self._settings.budget_ms < passed:
            return False
        self.notes.append(f"{what} was skipped: {passed:.0f} ms had passed, the budget is "
                          f"{self._settings.budget_ms:g} ms")
        return True

    # --- say

    def _said(self, generator: str, reply: GeneratedReply, verdict: GraphVerdict,
              repaired: str = "") -> CheckedReply:
        return CheckedReply(generator, reply, verdict, repaired, self.steps, self.notes)

    def _fall_back(self, generator: str, reason: str) -> CheckedReply:
        if self.realiser.name == ANSWERS:
            return self._proved(self._realised,
                                f"replaced by the answer as it was proved: {reason}")
        realised = self._realised
        verdict = self._verdict(realised)
        if not verdict.passed or not realised.text.strip():
            return self._withheld(generator, reason)
        self.steps.append("the verbalised facts are said")
        return self._said(self.realiser.name, realised, verdict,
                          f"replaced by verbalised facts: {reason}")

    def _withheld(self, generator: str, reason: str) -> CheckedReply:
        self.steps.append("nothing reliable can be said")
        withheld = GeneratedReply(_WITHHELD)
        return self._said(generator, withheld, self._verdict(withheld), f"withheld: {reason}")


def _claims_proved(check: ClaimCheck | None, state: TurnState
                   ) -> Callable[[GeneratedReply], tuple[Claim, ...]] | None:
    """What finds the claims of replies to a turn, each with what came of proving it; None where
    nothing reads or proves them."""
    queries = state.visible.domain.queries
    if check is None or queries is None:
        return None
    answers = state.answered.answers if state.answered is not None else ()
    return lambda reply: check.check(reply.text, reply.used, queries.claims(
        state.inputs.dialogue, answers, now=state.inputs.now, speaker=state.user,
        tells=state.visible.tells))


def _not_of(calibrated: str, used: str) -> str:
    """Why a threshold does not count; empty where it was calibrated for what is used."""
    return "" if calibrated == used else f"its threshold was calibrated for {calibrated}"


def _said_of(candidate: Candidate, refusal: str) -> str:
    return f"“{candidate.reply.text}” {refusal}" if refusal else ""
