"""Claims of a reply about a calendar: resolved in the dialogue as a question is, and proved."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace

from frontdesk.agent.domains.answer_topics import about, answering, time_of
from frontdesk.generation.checks.claim_check import Outcome, Proof
from frontdesk.kg.graph.facts import Fact
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.logical_forms import CORE, Form, Sort, Span
from frontdesk.kg.graph.windows import Window, WindowKind, instant
from frontdesk.kg.parser.name_marks import NameMarks
from frontdesk.kg.parser.parser_input import KnownName
from frontdesk.kg.times.time_spans import names_day
from frontdesk.rules.engine.claimed_times import claimed
from frontdesk.rules.engine.query_answer import AnswerKind, QueryAnswer, Resolution
from frontdesk.rules.linking.dialogue_context import DialogueContext
from frontdesk.rules.linking.fitting_heads import with_fitting_heads
from frontdesk.rules.linking.form_resolution import FormResolver
from frontdesk.rules.organisation.calendar_queries import QueryReasoner

#: From this probability on a claim is so.
LIKELY = 0.5
#: Facts that are told as the reason, at most.
_MOST_REASONS = 2
_TOGETHER = "each is so, but not together"


@dataclass(frozen=True)
class ProvingParts:
    """What proves claims about one calendar.

    Args:
        marks: Finds known names.
        hidden: Ids of the events of which no more may be told than when they take whose time.
        say: A fact in words; empty where it may not be told.
    """

    kb: KnowledgeBase
    resolver: FormResolver
    reasoner: QueryReasoner
    marks: NameMarks
    hidden: Collection[str]
    say: Callable[[Fact], str]


class CalendarClaims:
    """Proves claims; see :class:`frontdesk.generation.checks.claim_check.ClaimProver`.

    Args:
        context: What was spoken of before the reply.
        now: Zone-aware present.
        affirmed: Whether what was asked is so; None where nothing is asked for yes or no.
    """

    def __init__(self, parts: ProvingParts, context: DialogueContext, *, now: dt.datetime,
                 affirmed: bool | None = None) -> None:
        self._parts, self._context, self._now = parts, context, now
        self._budget = parts.reasoner.new_budget()
        self.affirmed = affirmed

    def names(self, text: str) -> Sequence[KnownName]:
        """The known names in a sentence."""
        return self._parts.marks.find(text)

    def prove(self, claims: Sequence[Form]) -> tuple[Sequence[Proof], CalendarClaims]:
        """What comes of the statements of the next sentence, and of the times that it is said to
        be; with what proves the sentence after it."""
        resolution = self._resolved(claims)
        found = [self._proved(each, resolution) for each in claims]
        proofs = [proof for proof, _ in found]
        if all(each.outcome is Outcome.PROVED for each in proofs):
            proofs += [Proof(Outcome.CONTRADICTED, _TOGETHER)
                       for each in self._together(claims, resolution)
                       if self._proved(each, resolution)[0].outcome is not Outcome.PROVED]
        kb, context = self._parts.kb, self._context
        for answer in (each for _, answers in found for each in answers):
            context = context.and_then(about(answer, kb), answering(answer, kb),
                                       time_of(answer, kb))
        after = copy(self)  # what the rules may take is for the whole reply
        after._context = context
        return proofs, after

    def _together(self, claims: Sequence[Form], resolution: Resolution) -> Iterator[Form]:
        """That there is one event of which all is so that is said of several of one name."""
        said: dict[str, tuple[Form, list[Form]]] = {}
        for claim in (each for each in claims if each.head == "is" or each.head not in CORE):
            for form in claim.inner():
                meant = resolution.entities.get(form, ())
                if len(meant) > 1 and meant[0][0] in self._parts.kb.events:
                    _, conditions = said.setdefault(self._parts.kb.events[meant[0][0]].name,
                                                    (form, []))
                    times = [each for each in claim.inner() if each.is_of(Sort.TIME)]
                    conditions += (each for each in times if each.head in ("at", "now"))
                    if claim.head != "is":
                        conditions.append(Form(claim.head, tuple(
                            each for each in claim.arguments if each not in (form, *times))))
        for form, conditions in said.values():
            if len(conditions) > 1:
                yield Form("there", (Form("among", (form, *conditions)),))

    def _resolved(self, claims: Sequence[Form]) -> Resolution:
        """What a sentence means; where it names no day, a time of an event is on the event's."""
        resolver, now = self._parts.resolver, self._now
        resolution = resolver.resolve(claims, self._context, now=now)
        if any(names_day(span.text, now=now) for form in resolution.windows
               for span in form.spans()):
            return resolution
        windows = dict(resolution.windows)
        for claim in claims:
            event = next((self._parts.kb.events[meant[0][0]] for form in claim.walk()
                          if (meant := resolution.entities.get(form))
                          and meant[0][0] in self._parts.kb.events), None)
            if event is not None and any(form in windows for form in claim.walk()):
                windows |= resolver.resolve([claim], replace(self._context, window=Window(
                    event.start, event.end)), now=now).windows
        return replace(resolution, windows=windows)

    def _proved(self, claim: Form, resolution: Resolution) -> tuple[Proof, list[QueryAnswer]]:
        """What comes of a claim, and the answers that tell it."""
        if claim.is_of(Sort.TIME):
            return self._is_now(claim, resolution), []
        if claim.head == "is" and claim.inner()[0].head == "slot":  # "it" of "it is Monday"
            proofs = [self._is_now(time, resolution) for time in claim.walk()
                      if time.is_of(Sort.TIME)]
            return next((each for each in proofs if each.outcome is not Outcome.PROVED),
                        proofs[0]), []
        if claim.head == "untrue":
            proof, answers = self._proved(claim.inner()[0], resolution)
            return replace(proof, outcome=_DENIED.get(proof.outcome, proof.outcome)), answers
        statements, resolution = claimed(claim, resolution, self._now)
        answers = []
        for statement in statements:
            answers.append(self._answer(Form("holds", (statement,)), resolution))
            proof = self._proof(answers[-1])
            if proof.outcome is not Outcome.PROVED:
                return proof, answers[:1]
        return self._proof(answers[0]), answers[:1]

    def _answer(self, query: Form, resolution: Resolution) -> QueryAnswer:
        parts = self._parts
        return parts.reasoner.answer(with_fitting_heads(query, resolution, parts.kb), resolution,
                                     hidden=parts.hidden, budget=self._budget)

    def _proof(self, answer: QueryAnswer) -> Proof:
        if answer.missing and answer.kind is AnswerKind.UNKNOWN:
            return Proof(Outcome.UNKNOWN, f"nothing is known of {', '.join(answer.missing)}")
        if answer.kind is AnswerKind.UNKNOWN or answer.notes:
            return Proof(Outcome.NOT_DERIVABLE, "; ".join(answer.notes))
        unclear = [each.text for form in answer.unsure for each in form.arguments
                   if isinstance(each, Span)]
        if unclear:
            return Proof(Outcome.NOT_DERIVABLE, f"it is not sure what {', '.join(unclear)} means")
        reasons = filter(None, map(self._parts.say, answer.facts[:_MOST_REASONS]))
        return Proof(Outcome.PROVED if answer.told >= LIKELY else Outcome.CONTRADICTED,
                     " ".join(reasons))

    def _is_now(self, time: Form, resolution: Resolution) -> Proof:
        """Whether it is the day or hour that a reply says it is."""
        now = self._now.replace(second=0, microsecond=0)
        meant = [(instant(now), 1.0)] if time.head == "now" else resolution.windows.get(time, ())
        if not meant:
            return Proof(Outcome.UNKNOWN)
        window = meant[0][0]
        so = window.start == now if window.kind is WindowKind.INSTANT \
            else window.start <= now < window.end
        return Proof(Outcome.PROVED if so else Outcome.CONTRADICTED, f"it is {now:%A, %H:%M}")


#: What comes of saying that something is not so.
_DENIED = {Outcome.PROVED: Outcome.CONTRADICTED, Outcome.CONTRADICTED: Outcome.PROVED}
