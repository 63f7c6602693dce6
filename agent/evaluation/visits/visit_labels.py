"""The paper's two kinds of errors in the replies of a visit, labelled automatically.

As in the evaluation on recorded dialogues, with two differences. There is no reference reply: what
a reply should have is what the visitor asked. And the calendar changes on the way: a claim is
false only if neither the calendar before the turn nor that after it bears it out.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from frontdesk.agent.domains.domain_pack import Components
from frontdesk.agent.evaluation.measured_values import GraphValues
from frontdesk.agent.evaluation.visits.receptionist import Answer
from frontdesk.generation.checks.error_labels import label_errors
from frontdesk.generation.checks.graph_check import GraphVerdict, Verdict
from frontdesk.kg.graph.dialogue_graph import AGENT, USER
from frontdesk.kg.graph.entities import Person
from frontdesk.scoring.ranked_fact import RankedFact


class VisitLabels:
    """Labels the replies of one visit."""

    def __init__(self) -> None:
        self.history: list[tuple[str, str]] = []
        self.named: set[str] = set()
        self._values: tuple[Components, GraphValues] | None = None

    def label(self, said: str, answer: Answer, now: dt.datetime, *, user: str | None,
              agrees: bool, wanted: Sequence[str] | None, given: Sequence[str]) -> dict[str, Any]:
        """The errors of a reply, as a record.

        Args:
            user: Id of whom the agent takes the visitor for; None when not known.
            agrees: The visitor had done nothing but agree.
            wanted: What the visitor waits to be told; None when nothing is asked.
        """
        text = answer.reply.text
        self.history.append((USER, said))
        values = self._graph(answer.after, now)
        named = self._entities(text, values, now)
        self.named |= self._entities(said, values, now)
        verdict = self._verdict(answer, answer.after, values, now, user)
        if answer.before is not answer.after:
            earlier = self._verdict(answer, answer.before, self._fresh(answer.before), now, user)
            verdict = _borne_out_by_neither(earlier, verdict)
        people = [each for each in named if isinstance(answer.after.kb.entity(each), Person)]
        # "Right after lunch" and "yes, and invite Ada" confirm nothing, whatever they begin with.
        heard = self.history if agrees else [*self.history[:-1], (USER, "")]
        labels = label_errors(text, heard, verdict, wanted=wanted, given=given,
                              people=people,
                              exists=lambda name: bool(self._entities(name, values, now)))
        self.history.append((AGENT, text))
        self.named |= named
        return {"hallucination": labels.hallucination, "unsupported": labels.unsupported,
                "retrieval_error": bool(labels.retrieval_error),
                "asked_back": labels.asked_back, "reasons": list(labels.reasons),
                "claims": [f"{claim.kind}: {claim.text}" for claim in verdict.claims
                           if claim.verdict is Verdict.CONTRADICTED]}

    def _verdict(self, answer: Answer, domain: Components, values: GraphValues, now: dt.datetime,
                 user: str | None) -> GraphVerdict:
        reply = answer.reply
        say = domain.verbaliser(now, user).say
        facts = [*values.of, *(fact for fact in reply.derivable()
                               if all(each in domain.kb for each in fact.entities()))]
        named = self._entities(reply.text, values, now)
        about = [link.entity_id for link in reply.links if link.entity_id in domain.kb]
        spoken_of = {each for each in (*self.named, *about) if each in domain.kb}
        evidence = [RankedFact(fact, say(fact), 1.0) for fact in dict.fromkeys(facts)
                    if not {*spoken_of, *named}.isdisjoint(fact.entities())
                    or not isinstance(next(iter(fact.arguments), 0), str)]
        evidence.sort(key=lambda each: (each.fact.arguments[:1] != tuple(about[-1:]),
                                        spoken_of.isdisjoint(each.fact.arguments[:1])))
        windows = reply.context.observation.windows() if reply.context else ()
        # The clauses of one sentence are about different events; each is checked by itself.
        text = reply.text.replace("; ", ". ")
        return domain.check.check(
            text, evidence, now=now, said=" ".join(each for _, each in self.history),
            spoken_of=spoken_of, asked=windows)

    def _graph(self, domain: Components, now: dt.datetime) -> GraphValues:
        if self._values is None or self._values[0] is not domain:
            self._values = domain, self._fresh(domain)
        return self._values[1]

    @staticmethod
    def _fresh(domain: Components) -> GraphValues:
        kb = domain.kb
        stored = dict.fromkeys(fact for entity in kb.entities()
                               for fact in kb.facts_about(entity.id))
        return GraphValues(stored, kb, domain.schema)

    @staticmethod
    def _entities(text: str, values: GraphValues, now: dt.datetime) -> set[str]:
        return {form for value in values.named_in(text, now=now) for kind, form in value.forms
                if kind == "entity"}


def _borne_out_by_neither(earlier: GraphVerdict, later: GraphVerdict) -> GraphVerdict:
    """A verdict with the claims that both find wrong; the others count as supported."""
    wrong = {(claim.kind, claim.text) for claim in earlier.claims
             if claim.verdict is not Verdict.SUPPORTED}
    claims = tuple(claim if (claim.kind, claim.text) in wrong
                   else replace(claim, verdict=Verdict.SUPPORTED) for claim in later.claims)
    return GraphVerdict(later.verdict, claims)
