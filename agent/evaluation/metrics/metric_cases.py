"""Replies of which it is known whether they are faithful, with what a check is given."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from frontdesk.agent.evaluation.evaluated_datasets import load_data
from frontdesk.agent.evaluation.measure_encoder import EvaluationEncoder
from frontdesk.agent.evaluation.measured_values import GraphValues
from frontdesk.agent.evaluation.metrics.corruption import Corrupter
from frontdesk.agent.evaluation.replay_dialogue import (
    DialogueEvaluation,
    DialogueEvaluator,
    Record,
    RunSettings,
)
from frontdesk.agent.sessions.load_components import load_bare_encoder
from frontdesk.agent.settings.settings import EmbeddedSettings, Settings
from frontdesk.agent.turn.reply import Reply
from frontdesk.data.datasets.data_set import EvaluationDialogue, EvaluationTurn
from frontdesk.data.datasets.grounded_replies import GroundedReply
from frontdesk.generation.answers.told_facts import told_facts
from frontdesk.generation.checks.claims import Verdict
from frontdesk.generation.checks.graph_check import GraphVerdict
from frontdesk.generation.checks.q2.text_spans import split_sentences
from frontdesk.generation.voice.generator import GenerationInput
from frontdesk.kg.graph.dialogue_graph import USER
from frontdesk.kg.graph.mentions import Observation

#: The kind of replies that nothing was changed in.
UNTOUCHED = "untouched"
#: Facts of a turn that a check is given, the most relevant first.
_MOST_FACTS = 20
#: How faithful a reply is to the graph, by its worst claim where the label says no hallucination.
_GRAPH_SCORES = {Verdict.SUPPORTED: 1.0, Verdict.UNSUPPORTED: 0.5, Verdict.CONTRADICTED: 0.25}


@dataclass(frozen=True)
class MetricCase:
    """A reply of which it is known whether it is faithful.

    Args:
        id: Unique in the data set.
        kind: What was changed in it, or :data:`UNTOUCHED`; in judged data the judgement.
        faithful: Whether the knowledge supports it.
        graph: How faithful it is by the graph check, in [0, 1]; None where there is no graph.
        kinds: What known names are, by the name.
        changed: What was true, and what stands in its place; empty in untouched replies.
    """

    id: str
    kind: str
    request: GenerationInput
    response: str
    faithful: bool
    graph: float | None = None
    kinds: Mapping[str, str] = field(default_factory=dict)
    changed: tuple[str, str] = ("", "")

    @property
    def knowledge(self) -> str:
        """The knowledge as one text."""
        return "\n".join(fact.text for fact in self.request.knowledge)


def judged_cases(replies: Sequence[GroundedReply]) -> list[MetricCase]:
    """Cases of replies that people judged."""
    return [MetricCase(str(number), each.label, GenerationInput(
                ((USER, each.message),),
                told_facts([text for _, text in split_sentences(each.knowledge)]),
                Observation(each.message)), each.response, each.faithful)
            for number, each in enumerate(replies)]


class DialogueCases:
    """Cases of the references of a data set, each as it is and with one thing changed.

    Args:
        path: The official file.
        limit: Only the first turns.
    """

    def __init__(self, dataset: str, path: Path, settings: Settings, *, limit: int | None = None,
                 seed: int = 0) -> None:
        self.data = load_data(dataset, path, limit=limit)
        self._seed = seed
        # The replies are given: nothing is generated.
        settings = replace(settings, profile="embedded", embedded=EmbeddedSettings(
            words="templates"))
        self._evaluator = DialogueEvaluator(
            RunSettings(settings, domain=self.data.pack.name),
            EvaluationEncoder(load_bare_encoder(settings)))

    def of(self, dialogue: EvaluationDialogue) -> Iterator[MetricCase]:
        """The cases of one dialogue."""
        evaluation = _CorruptedReferences(self._evaluator, dialogue, self._seed)
        for _ in evaluation.run(()):
            pass
        yield from evaluation.cases


class _CorruptedReferences(DialogueEvaluation):
    """Judges the reference of each turn, and false versions of it, instead of replies."""

    def __init__(self, evaluator: DialogueEvaluator, dialogue: EvaluationDialogue,
                 seed: int) -> None:
        super().__init__(evaluator, dialogue)
        self.cases: list[MetricCase] = []
        self._seed = seed
        self._kinds = {entity.name: str(entity.type) for entity in self.domain.kb.entities()}

    def answered(self, turn: EvaluationTurn, reply: Reply) -> Record:
        """Make the cases of a turn."""
        if turn.reference is None:
            return {}
        known = self.known(turn, reply)
        context = self.context_of(turn)
        values = GraphValues([each.fact for each in known], self.domain.kb, self.domain.schema)
        named = [value for value in values.named_in(turn.reference, now=turn.now)
                 if any(values.has(each.fact, value, context) for each in known)]
        rng = random.Random(f"{self._seed}/{self.dialogue.id}/{turn.number}")
        if reply.request is None:
            return {}
        request = replace(reply.request, knowledge=reply.candidates[:_MOST_FACTS])
        texts = [(UNTOUCHED, turn.reference, ("", ""))]
        texts += [(each.kind.value, each.text, (each.true, each.false)) for each in
                  Corrupter(values, rng).corrupt(turn.reference, named, context)]
        for kind, text, changed in texts:
            verdict, labels = self.judge(turn, text, reply, known)
            self.cases.append(MetricCase(
                f"{self.dialogue.id}/{turn.number}/{kind}", kind, request, text,
                kind == UNTOUCHED, 0.0 if labels.hallucination else _graph_score(verdict),
                self._kinds, changed))
        return {}


def _graph_score(verdict: GraphVerdict) -> float:
    """That nothing was booked makes no reply false here: people did book in these dialogues."""
    return min((_GRAPH_SCORES[claim.verdict] for claim in verdict.claims
                if claim.kind != "action"), default=1.0)
