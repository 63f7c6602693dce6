"""The checks that are compared, and the baselines of their papers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from frontdesk.agent.domains.domain_pack import DomainPack
from frontdesk.agent.evaluation.metrics.metric_cases import MetricCase
from frontdesk.agent.sessions.load_components import load_generator
from frontdesk.agent.settings.settings import CheckSettings, Settings
from frontdesk.agent.turn.faithfulness import load_entailment, load_reader, q2_components
from frontdesk.data.measures.bertscore import BertScorer
from frontdesk.generation.checks.faithful_score import (
    FaithfulnessJudge,
    FaithfulnessParts,
)
from frontdesk.generation.checks.pmi_faith import PmiFaith, pmi_faith
from frontdesk.generation.checks.q2.components import Relation
from frontdesk.generation.checks.q2.matching import word_f1
from frontdesk.generation.checks.q2.score import Q2, QAGS, WITHOUT_NLI, Q2Settings
from frontdesk.generation.voice.generator import ScoringGenerator
from frontdesk.kg.graph.errors import FrontdeskError
from frontdesk.kg.graph.optional_packages import import_extra

Scores = list[float | None]
Q2_NAME, PMI_FAITH, FAITHFULNESS = "Q²", "PMI-FAITH", "faithfulness"
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

    generator = load_generator(settings, pack)
    faithfulness = FaithfulnessChecker(settings, generator)
    found = [
        Checker("graph check", lambda cases: [case.graph for case in cases]),
        Checker(Q2_NAME, faithfulness.q2.score),
        *(Checker(name, _Q2Checker(settings.check, variant).score)
          for name, variant in (("Q² without inference", WITHOUT_NLI), ("QAGS", QAGS))),
        Checker("inference alone", entailed),
        Checker("overlap", lambda cases: [word_f1(case.response, case.knowledge)
                                          for case in cases]),
        Checker("BLEU", _bleu),
        Checker("BERTScore", lambda cases: [each.f1 for each in bert.score(
            [case.response for case in cases], [case.knowledge for case in cases])])]
    if faithfulness.pmi is not None:
        found.insert(4, Checker(PMI_FAITH, faithfulness.pmi.score, faithfulness.pmi.name))
    if faithfulness.judge.model is not None:
        found.insert(1, Checker(FAITHFULNESS, faithfulness.score))
    found.insert(2, Checker("reader", faithfulness.judged))
    return found


class FaithfulnessChecker:
    """The calibrated score, and its parts.

    Args:
        generator: Whose probabilities PMI-FAITH goes by, if it tells them.

    Attributes:
        q2, pmi: Those of its parts that are checks by themselves; what they found last is kept.
    """

    def __init__(self, settings: Settings, generator: object) -> None:
        self.q2 = _Q2Checker(settings.check, Q2Settings())
        self.pmi = _PmiChecker(generator) if isinstance(generator, ScoringGenerator) else None
        self.judge = FaithfulnessJudge(load_reader(settings.check.reader))

    def parts(self, cases: Sequence[MetricCase]) -> list[FaithfulnessParts]:
        """What the score of each case is made of."""
        gains = self.pmi.gains(cases) if self.pmi else [None] * len(cases)
        return self.judge.parts([
            (case.response, case.knowledge, q2, pmi)
            for case, q2, pmi in zip(cases, self.q2.score(cases), gains, strict=True)])

    def score(self, cases: Sequence[MetricCase]) -> Scores:
        """The probabilities that they are faithful."""
        return [self.judge.score(each) for each in self.parts(cases)]

    def judged(self, cases: Sequence[MetricCase]) -> Scores:
        """What the reader alone says, as log-odds."""
        return [each.faithful for each in self.judge.reader.judge(
            [(case.response, case.knowledge) for case in cases])]


class _Q2Checker:
    """Q² over cases of several graphs."""

    def __init__(self, settings: CheckSettings, variant: Q2Settings) -> None:
        self._settings, self._variant = settings, variant
        self._last: tuple[Mapping[str, str], Q2] | None = None
        self._scored: tuple[Sequence[MetricCase], Scores] | None = None

    def score(self, cases: Sequence[MetricCase]) -> Scores:
        """Its scores, which are found once where the same cases are scored again."""
        if self._scored is None or self._scored[0] is not cases:
            self._scored = cases, [each.score for case in cases for each in self._q2(
                case.kinds).score([(case.response, case.knowledge)])]
        return self._scored[1]

    def _q2(self, kinds: Mapping[str, str]) -> Q2:
        if self._last is None or self._last[0] is not kinds:
            self._last = kinds, Q2(q2_components(kinds, self._settings), self._variant)
        return self._last[1]


class _PmiChecker:
    """PMI-FAITH; a reply that cannot be scored has no score."""

    def __init__(self, generator: ScoringGenerator) -> None:
        self._generator, self.name = generator, generator.name
        self._gained: tuple[Sequence[MetricCase], list[PmiFaith | None]] | None = None

    def score(self, cases: Sequence[MetricCase]) -> Scores:
        """Its scores, in nats."""
        return [None if each is None else each.total for each in self.gains(cases)]

    def gains(self, cases: Sequence[MetricCase]) -> list[PmiFaith | None]:
        """What the knowledge adds, by token; found once where the same cases come again."""
        if self._gained is None or self._gained[0] is not cases:
            self._gained = cases, self._gains(cases)
        return self._gained[1]

    def _gains(self, cases: Sequence[MetricCase]) -> list[PmiFaith | None]:
        try:
            return [*pmi_faith(self._generator,
                               [(case.request, case.response) for case in cases])]
        except FrontdeskError:
            if len(cases) == 1:
                return [None]
            return [self._gains([case])[0] for case in cases]


def _bleu(cases: Sequence[MetricCase]) -> Scores:
    bleu = import_extra("sacrebleu", "evaluation").BLEU(effective_order=True)
    return [bleu.sentence_score(case.response, [case.knowledge]).score for case in cases]
