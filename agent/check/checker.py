"""Checks given replies by Q², PMI-FAITH and, where they have one, their graph."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from frontdesk.agent.check.check_cases import CheckCase
from frontdesk.agent.check.check_graphs import GraphJudge, Judged, graph_dialogue
from frontdesk.agent.domains.domain_registry import DEFAULT, pack_named
from frontdesk.agent.sessions.load_components import load_generator
from frontdesk.agent.settings.settings import Settings
from frontdesk.agent.turn.faithfulness import load_reader, q2_components, q2_evidence
from frontdesk.generation.answers.told_facts import told_facts
from frontdesk.generation.checks.faithful_score import FaithfulnessJudge
from frontdesk.generation.checks.pmi_faith import PmiFaith, pmi_faith
from frontdesk.generation.checks.q2.score import Q2, Q2Score
from frontdesk.generation.checks.q2.self_contained import self_contained
from frontdesk.generation.voice.generator import GenerationInput, Generator, ScoringGenerator
from frontdesk.kg.graph.dialogue_graph import USER
from frontdesk.kg.graph.errors import FrontdeskError
from frontdesk.kg.graph.mentions import Observation
from frontdesk.scoring.ranked_fact import RankedFact
from frontdesk.scoring.relevance import bm25_scores

#: Facts of a graph that count as knowledge where none is given.
_MOST_GRAPH_FACTS = 20
#: Sentences of knowledge that PMI-FAITH reads, those that have most words of the dialogue.
_MOST_SENTENCES = 20
#: Characters of a reply that is read; what it takes grows faster than the reply.
_LONGEST_REPLY = 6000

Line = dict[str, Any]


@dataclass(frozen=True)
class _Prepared:
    case: CheckCase
    judged: Judged | None
    facts: tuple[RankedFact, ...]
    error: str = ""

    @property
    def is_too_long(self) -> bool:
        """Whether the reply is too long to be scored."""
        return len(self.case.response) > _LONGEST_REPLY


_TOO_LONG = f"the reply has more than {_LONGEST_REPLY} characters"


class Checker:
    """Checks replies in batches.

    Args:
        settings: The profile's generator gives the probabilities for PMI-FAITH.
        domain: What replies without a graph are about.
    """

    def __init__(self, settings: Settings, domain: str = DEFAULT.name) -> None:
        self._domain = domain
        self.settings = replace(settings, knowledge=replace(settings.knowledge,
                                                            facts=_MOST_SENTENCES))
        self._generators: dict[str, Generator | None] = {}
        #: Why there is no generator, by domain.
        self._missing: dict[str, str] = {}
        self._q2 = Q2(q2_components({}, settings.check))
        self._faithfulness = FaithfulnessJudge(load_reader(settings.check.reader))

    @cached_property
    def _judge(self) -> GraphJudge:
        return GraphJudge(self.settings)

    def check(self, cases: Sequence[CheckCase]) -> list[Line]:
        """The lines of cases with what was found: ``faithfulness``, ``faithfulness_parts``, ``q2``,
        ``q2_evidence``, ``pmi_faith``, ``pmi_faith_per_token``, ``verdict``, ``claims``,
        ``hallucination`` and ``skipped``.

        Args:
            cases: They go through Q² and each model together.

        Raises:
            FrontdeskError: The graph of a case cannot be loaded.
        """
        prepared = [self._prepared(case) for case in cases]
        texts = [("", "") if each.is_too_long else self._self_contained(each) for each in prepared]
        q2 = [replace(score, note=_TOO_LONG) if each.is_too_long else score
              for each, score in zip(prepared, self._q2.score(texts), strict=True)]
        return [{**_line(each, score, *gain, why_unjudged=_TOO_LONG if each.is_too_long
                         else self._faithfulness.why_none(*text)),
                 **self._faithfulness.to_dict(*text, score.score, gain[0])}
                for each, text, score, gain in zip(prepared, texts, q2, self._pmi(prepared),
                                                   strict=True)]

    def _self_contained(self, prepared: _Prepared) -> tuple[str, str]:
        return self_contained(prepared.case.response, prepared.case.history,
                              "\n".join(fact.text for fact in prepared.facts),
                              self._q2.components)

    def _prepared(self, case: CheckCase) -> _Prepared:
        judged = None
        if case.graph:
            file, _, dialogue = case.graph.rpartition("#")
            source = graph_dialogue(Path(file), dialogue)
            try:
                judged = self._judge.judge(case, source)
            except FrontdeskError as error:
                return _Prepared(case, None, tuple(told_facts(case.knowledge)), str(error))
        facts = told_facts(case.knowledge) if case.knowledge or judged is None \
            else judged.relevant[:_MOST_GRAPH_FACTS]
        return _Prepared(case, judged, tuple(facts))

    def _pmi(self, prepared: Sequence[_Prepared]) -> list[tuple[PmiFaith | None, str]]:
        """PMI-FAITH of each reply, or why there is none; those of a domain in one batch."""
        found: list[tuple[PmiFaith | None, str]] = [(None, "")] * len(prepared)
        together: dict[str, list[int]] = defaultdict(list)
        for number, each in enumerate(prepared):
            if not any(speaker == USER for speaker, _ in each.case.history):
                found[number] = None, "the history has no turn of the user"
            elif not each.facts:
                found[number] = None, "there is no knowledge"
            elif not each.case.response.strip():
                found[number] = None, "the reply is empty"
            elif each.is_too_long:
                found[number] = None, _TOO_LONG
            else:
                together[each.judged.domain if each.judged else self._domain].append(number)
        for domain, numbers in together.items():
            for number, gain in zip(numbers, self._gains(
                    domain, [prepared[number] for number in numbers]), strict=True):
                found[number] = gain
        return found

    def _gains(self, domain: str, prepared: Sequence[_Prepared]
               ) -> list[tuple[PmiFaith | None, str]]:
        if domain not in self._generators:
            try:
                self._generators[domain] = load_generator(self.settings, pack_named(domain))
            except FrontdeskError as error:
                self._missing[domain] = str(error)
                self._generators[domain] = None
        if domain in self._missing:
            return [(None, self._missing[domain])] * len(prepared)
        generator = self._generators[domain]
        if not isinstance(generator, ScoringGenerator):
            name = generator.name if generator else "this profile"
            return [(None, f"{name} gives no probabilities of replies")] * len(prepared)
        try:
            return [(gain, "") for gain in pmi_faith(generator, [
                (_request(each), each.case.response) for each in prepared])]
        except FrontdeskError as error:
            if len(prepared) == 1:
                return [(None, str(error))]
            # One of them cannot be read: the others must not lose theirs.
            return [self._gains(domain, [each])[0] for each in prepared]


def _request(prepared: _Prepared) -> GenerationInput:
    judged, history = prepared.judged, prepared.case.history
    if judged is not None and judged.request is not None and not prepared.case.knowledge:
        return replace(judged.request, knowledge=judged.relevant[:_MOST_SENTENCES])
    last = next(number for number in range(len(history), 0, -1) if history[number - 1][0] == USER)
    return GenerationInput(history[:last], _most_alike(prepared),
                           Observation(history[last - 1][1]))


def _most_alike(prepared: _Prepared) -> Sequence[RankedFact]:
    """The facts that have most words of the dialogue; all of them in their order if they are few.
    """
    facts = prepared.facts
    if len(facts) <= _MOST_SENTENCES:
        return facts
    asked = " ".join([*(text for _, text in prepared.case.history[-2:]), prepared.case.response])
    scores = bm25_scores([fact.text for fact in facts], asked)
    best = sorted(range(len(facts)), key=lambda number: -scores[number])[:_MOST_SENTENCES]
    return [facts[number] for number in best]


def _line(prepared: _Prepared, q2: Q2Score, pmi: PmiFaith | None, why: str, *,
          why_unjudged: str) -> Line:
    judged, notes = prepared.judged, []
    if len(prepared.facts) > _MOST_SENTENCES and pmi is not None:
        notes.append(f"PMI-FAITH read {_MOST_SENTENCES} of {len(prepared.facts)} sentences, those "
                     "that have most words of the dialogue")
    no_graph = prepared.error or ("" if judged else "there is no graph")
    return {
        **prepared.case.line,
        "q2": q2.score, "q2_evidence": q2_evidence(q2),
        "pmi_faith": None if pmi is None else round(pmi.total, 4),
        "pmi_faith_per_token": None if pmi is None else [
            [token, round(gain, 4)] for token, gain in zip(pmi.tokens, pmi.gains, strict=True)],
        "verdict": None if judged is None else str(judged.verdict.verdict),
        "hallucination": None if judged is None else judged.labels.hallucination,
        "claims": [] if judged is None else judged.verdict.to_data()["claims"],
        "skipped": {name: reason for name, reason in (
            ("faithfulness", why_unjudged), ("q2", q2.note if q2.score is None else ""),
            ("pmi_faith", why),
            ("verdict", no_graph)) if reason},
        "notes": notes}
