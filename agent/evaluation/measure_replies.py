"""What is measured of replies against their references, and by models that judge them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from frontdesk.agent.domains.domain_registry import titles
from frontdesk.agent.evaluation.evaluated_datasets import EvaluationData
from frontdesk.agent.evaluation.measured_turns import MetricModels, Part, left_out
from frontdesk.agent.evaluation.replay_dialogue import Record
from frontdesk.data.measures.entity_f1 import EntityMetric, EntityTurn
from frontdesk.data.measures.significance import Figure, bleu_figure, mean_figure
from frontdesk.data.measures.text_metrics import (
    Meteor,
    corpus_bleu,
    corpus_chrf,
    distinct_n,
    sentence_bleu,
    sentence_chrf,
)
from frontdesk.data.measures.unieval import DIMENSIONS, JudgedReply

_NO_REFERENCE = "no turn has a reference reply"


class ComparedReplies:
    """The replies to turns that have a reference, with what is measured of them.

    A turn that failed said nothing; it counts as an empty reply.

    Args:
        records: The lines of ``turns.jsonl``; the metrics of each turn are added to it.
    """

    def __init__(self, records: Sequence[Record]) -> None:
        self.records = records
        self.compared = [record for record in records if record["reference"] is not None]
        self.replies = [record["reply"] or "" for record in self.compared]
        self.references = [record["reference"] for record in self.compared]

    def text(self) -> Part:
        """BLEU, chrF, METEOR and distinct n-grams."""
        if not self.compared:
            return left_out(("bleu", "bleu_lower", "chrf", "meteor", "distinct_1", "distinct_2"),
                            _NO_REFERENCE)
        meteor = Meteor()
        scores = {
            "bleu": corpus_bleu(self.replies, self.references),
            "bleu_lower": corpus_bleu(self.replies, self.references, lowercase=True),
            "chrf": corpus_chrf(self.replies, self.references),
            "meteor": meteor.corpus(self.replies, self.references),
            "distinct_1": distinct_n(self.replies, 1), "distinct_2": distinct_n(self.replies, 2)}
        pairs = list(zip(self.replies, self.references, strict=True))
        meteors = [meteor.sentence(*pair) for pair in pairs]
        self._set("bleu", [sentence_bleu(*pair).value for pair in pairs])
        self._set("chrf", [sentence_chrf(*pair).value for pair in pairs])
        self._set("meteor", meteors)
        return Part(
            report={key: score.value for key, score in scores.items()},
            signatures={key: score.signature for key, score in scores.items()},
            figures={"bleu": self._bleu_figure(lowercase=False),
                     "bleu_lower": self._bleu_figure(lowercase=True),
                     "meteor": mean_figure(self._of_all(meteors))})

    def bertscore(self, models: MetricModels) -> Part:
        """The mean F1 of BERTScore."""
        if not self.compared:
            return left_out(("bertscore_f1",), _NO_REFERENCE)
        scores = [score.f1 for score in models.bertscore.score(self.replies, self.references)]
        self._set("bertscore_f1", scores)
        return Part(report={"bertscore_f1": sum(scores) / len(scores)},
                    signatures={"bertscore_f1": models.bertscore.signature},
                    figures={"bertscore_f1": mean_figure(self._of_all(scores))})

    def entity_f1(self, data: EvaluationData,
                  ontology: Mapping[str, Sequence[str]] | None) -> Part:
        """Entity F1 in both definitions, on data sets that name their entities.

        Args:
            ontology: Type → surface forms; the values of the tables when not given.
        """
        measured = data.data_set.entities is not None
        if not measured or not self.compared:
            return left_out(("entity_f1", "entity_f1_variants"), _NO_REFERENCE if measured else
                            f"measured on {titles(lambda each: each.entities)} only")
        tables = {dialogue.id: (dialogue.domain, dialogue.table) for dialogue in data.dialogues}
        metric = EntityMetric(ontology) if ontology is not None else \
            EntityMetric.from_tables([items for _, items in tables.values()])
        turns = [EntityTurn(record["reply"] or "", record["reference"],
                            *tables[record["dialogue"]]) for record in self.compared]
        scores = [metric.turn_f1(turn) for turn in turns]
        self._set("entity_f1", scores)
        glmp = metric.glmp(turns)
        return Part(
            report={"entity_f1": glmp["all"],
                    "entity_f1_variants": {"glmp": glmp, "qtod": metric.qtod(turns)}},
            signatures={"entity_f1": "glmp: mean of the F1 of each response, canonicalised; "
                        + ("official ontology" if ontology is not None
                           else "values of the tables")},
            figures={"entity_f1": mean_figure(self._of_all(scores))})

    def unieval(self, models: MetricModels) -> Part:
        """The dimensions of UniEval, of all replies that were given."""
        answered = [record for record in self.records if record["reply"]]
        if models.unieval is None or not answered:
            # Why there is no model is said where it was looked for.
            return Part(report={"unieval": None}) if models.unieval is None \
                else left_out(("unieval",), "no turn was answered")
        scores = models.unieval.score([
            JudgedReply(record["reply"],
                        [*(text for _, text in record["history"]), record["user"]],
                        [fact["text"] for fact in record["facts"]]) for record in answered])
        return Part(
            report={"unieval": {
                name: sum(getattr(score, name) for score in scores) / len(scores)
                for name in (*DIMENSIONS, "overall")}},
            signatures={"unieval": models.unieval.signature})

    def _set(self, key: str, values: Sequence[float | None]) -> None:
        for record, value in zip(self.compared, values, strict=True):
            record["metrics"][key] = None if value is None else round(value, 6)

    def _of_all(self, values: Sequence[float | None]) -> list[float | None]:
        """Values of the turns with a reference as values of all turns."""
        mine = iter(values)
        return [next(mine) if record["reference"] is not None else None
                for record in self.records]

    def _bleu_figure(self, *, lowercase: bool) -> Figure:
        """Turns without a reference add nothing to the sums that BLEU follows from."""
        figure = bleu_figure(self.replies, self.references, lowercase=lowercase)
        rows = np.zeros((len(self.records), figure.rows.shape[1]))
        rows[[index for index, record in enumerate(self.records)
              if record["reference"] is not None]] = figure.rows
        return Figure(rows, figure.value)
