"""The checks that are compared, and the baselines of their papers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from frontdesk.agent.domains.domain_pack import DomainPack
from frontdesk.agent.evaluation.metrics.metric_cases import MetricCase
from frontdesk.agent.sessions.load_components import load_generator
from frontdesk.agent.settings.settings import CheckSettings, Settings
from frontdesk.agent.turn.faithfulness import load_entailment, q2_components
from frontdesk.data.measures.bertscore import BertScorer
from frontdesk.generation.checks.pmi_faith import pmi_faith
from frontdesk.generation.checks.q2.components import Relation
from frontdesk.generation.checks.q2.matching import word_f1
from frontdesk.generation.checks.q2.score import Q2, QAGS, WITHOUT_NLI, Q2Settings
from frontdesk.generation.voice.generator import ScoringGenerator
from frontdesk.kg.graph.errors import FrontdeskError
from frontdesk.kg.graph.optional_packages import import_extra

Scores = list[float | None]
Q2_NAME, PMI_FAITH = "Q²", "PMI-FAITH"
_WORTH = {Relation.ENTAILMENT: 1.0, Relation.NEUTRAL: 0.5, Relation.CONTRADICTION: 0.0}


@dataclass(frozen=True)
class Checker:
    """A check.

    Args:
        score: Says how faithful replies are, higher is more so; None where it cannot.
        generator: Whose probabilities it goes by; empty where by none's.
    """

    name: str
    score: Callable[[Sequence[MetricCase]], Scores]
    generator: str = ""


def checkers(settings: Settings, pack: DomainPack[Any]) -> list[Checker]:
    """All of them; the graph check first.

    Args:
        settings: The profile's generator gives the probabilities for PMI-FAITH.
    """
    entailment = load_entailment(settings.check)
    bert = BertScorer()

    def entailed(cases: Sequence[MetricCase]) -> Scores:
        return [_WORTH[each] for each in entailment.relate(
            [(case.knowledge, case.response) for case in cases])]

    found = [
        Checker("graph check", lambda cases: [case.graph for case in cases]),
        *(Checker(name, _Q2Checker(settings.check, variant).score)
          for name, variant in ((Q2_NAME, Q2Settings()), ("Q² without inference", WITHOUT_NLI),
                                ("QAGS", QAGS))),
        Checker("inference alone", entailed),
        Checker("overlap", lambda cases: [word_f1(case.response, case.knowledge)
                                          for case in cases]),
        Checker("BLEU", _bleu),
        Checker("BERTScore", lambda cases: [each.f1 for each in bert.score(
            [case.response for case in cases], [case.knowledge for case in cases])])]
    generator = load_generator(settings, pack)
    if isinstance(generator, ScoringGenerator):
        found.insert(4, Checker(PMI_FAITH, _PmiChecker(generator).score, generator.name))
    return found


class _Q2Checker:
    """Q² over cases of several graphs."""

    def __init__(self, settings: CheckSettings, variant: Q2Settings) -> None:
        self._settings, self._variant = settings, variant
        self._last: tuple[Mapping[str, str], Q2] | None = None

    def score(self, cases: Sequence[MetricCase]) -> Scores:
        """Its scores."""
        return [each.score for case in cases for each in self._q2(case.kinds).score(
            [(case.response, case.knowledge)])]

    def _q2(self, kinds: Mapping[str, str]) -> Q2:
        if self._last is None or self._last[0] is not kinds:
            self._last = kinds, Q2(q2_components(kinds, self._settings), self._variant)
        return self._last[1]


class _PmiChecker:
    """PMI-FAITH; a reply that cannot be scored has no score."""

    def __init__(self, generator: ScoringGenerator) -> None:
        self._generator = generator

    def score(self, cases: Sequence[MetricCase]) -> Scores:
        """Its scores, in nats."""
        try:
            return [each.total for each in pmi_faith(
                self._generator, [(case.request, case.response) for case in cases])]
        except FrontdeskError:
            if len(cases) == 1:
                return [None]
            return [self.score([case])[0] for case in cases]


def _bleu(cases: Sequence[MetricCase]) -> Scores:
    bleu = import_extra("sacrebleu", "evaluation").BLEU(effective_order=True)
    return [bleu.sentence_score(case.response, [case.knowledge]).score for case in cases]
