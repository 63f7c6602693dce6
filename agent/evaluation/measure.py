"""The figures of a run from the results of its turns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from frontdesk.agent.evaluation.datasets import EvaluationData, table_of
from frontdesk.agent.evaluation.dialogue import Record
from frontdesk.agent.evaluation.linking import VARIANTS, LinkingRecord, summarise
from frontdesk.agent.settings import Condition
from frontdesk.data.bertscore import MINILM, ROBERTA, BertScorer
from frontdesk.data.entity_f1 import EntityMetric, EntityTurn
from frontdesk.data.significance import (
    Figure,
    bleu_figure,
    bootstrap_interval,
    compare_runs,
    mean_figure,
    ratio_figure,
)
from frontdesk.data.text_metrics import (
    Meteor,
    corpus_bleu,
    corpus_chrf,
    distinct_n,
    sentence_bleu,
    sentence_chrf,
)
from frontdesk.data.unieval import DIMENSIONS, UNIEVAL_DIALOGUE, JudgedReply, UniEval
from frontdesk.kg.errors import MissingModelError

#: Differences less likely than this by chance are called significant.
SIGNIFICANT = 0.05
_NOTHING_WANTED: Mapping[str, Any] = {"values": [], "hits": {}, "new_values": [], "new_hits": {}}
_RANKED = (Condition.RELEVANCE, Condition.RELEVANCE_LOGIC)


@dataclass(frozen=True)
class MetricModels:
    """The models that score replies, loaded once for all conditions.

    Args:
        bertscore: Scores by BERTScore.
        unieval: Scores by UniEval; None where its weights are not on this machine.
        missing: Why a model that was wanted is not among them, by what it is for.
    """

    bertscore: BertScorer
    unieval: UniEval | None
    missing: Mapping[str, str]


def load_metric_models(bertscore: str = "", unieval: str = "") -> MetricModels:
    """Load the models that score replies; nothing is downloaded.

    Args:
        bertscore: Encoder of BERTScore; empty for roberta-large where it is on this machine, else
            the sentence encoder that comes with frontdesk.
        unieval: Evaluator of UniEval; empty for the published one where it is on this machine.

    Raises:
        MissingModelError: A model that was asked for by name is not here.
    """
    missing: dict[str, str] = {}
    try:
        scorer = BertScorer(bertscore or ROBERTA)
    except MissingModelError as error:
        if bertscore:
            raise
        missing[f"bertscore_f1 with {ROBERTA}"] = str(error)
        scorer = BertScorer(MINILM)
    judge = None
    try:
        judge = UniEval(unieval or UNIEVAL_DIALOGUE)
    except MissingModelError as error:
        if unieval:
            raise
        missing["unieval"] = str(error)
    return MetricModels(scorer, judge, missing)


@dataclass(frozen=True)
class Measured:
    """What was measured of a run.

    Args:
        report: The metrics part of ``report.json``.
        figures: By key of the report, what its interval and comparisons are computed from.
        dialogues: The dialogue of each turn.
    """

    report: dict[str, Any]
    figures: Mapping[str, Figure]
    dialogues: Sequence[str]


def measure(records: Sequence[Record], data: EvaluationData, condition: Condition,
            models: MetricModels, *, ontology: Mapping[str, Sequence[str]] | None = None,
            tell: Callable[[str], None] = lambda _: None) -> Measured:
    """Compute every figure of a run; adds the metrics of each turn to its record.

    Args:
        records: The lines of ``turns.jsonl`` in the order of the data, at least one.
        data: The data set.
        condition: Of the run.
        models: Score replies.
        ontology: KVRET's entities, type → surface forms; the tables' values when not given.
        tell: Called with what is being computed.

    Raises:
        MissingExtraError: The extra ``eval`` is not installed.
        MissingModelError: A model that was asked for by name is not here.
    """
    return _Measurement(records, data, condition, models, ontology, tell).run()


class _Measurement:
    """The measurement of one run."""

    def __init__(self, records: Sequence[Record], data: EvaluationData, condition: Condition,
                 models: MetricModels, ontology: Mapping[str, Sequence[str]] | None,
                 tell: Callable[[str], None]) -> None:
        self.records, self.data, self.condition = records, data, condition
        self.models, self.ontology, self.tell = models, ontology, tell
        self.dialogues = [str(record["dialogue"]) for record in records]
        # A turn that failed said nothing; it counts as an empty reply.
        self.compared = [record for record in records if record["reference"] is not None]
        self.replies = [record["reply"] or "" for record in self.compared]
        self.references = [record["reference"] for record in self.compared]
        self.report: dict[str, Any] = {}
        self.unavailable: dict[str, str] = {
            "q2": "not part of this version", "pmi_faith": "not part of this version",
            **models.missing}
        self.signatures: dict[str, str] = {}
        self.figures: dict[str, Figure] = {}

    def run(self) -> Measured:
        answered = [record for record in self.records if record["error"] is None]
        self.report |= {
            "turns": len(self.records), "dialogues": len(set(self.dialogues)),
            "failed_turns": len(self.records) - len(answered),
            "turns_without_reference": len(self.records) - len(self.compared),
            "repaired_turns": sum(bool(record["repaired"]) for record in answered),
            "generators": dict(Counter(record["generator"] for record in answered)),
            "q2": None, "pmi_faith": None}
        for record in self.records:
            record["metrics"] = dict.fromkeys(("bleu", "chrf", "meteor", "bertscore_f1",
                                               "entity_f1"))
        self._text_metrics()
        self._bertscore()
        self._entity_f1()
        self._unieval()
        self._rates()
        self._linking()
        self._retrieval()
        self._latency(answered)
        self.tell("bootstrap intervals")
        self.report["intervals"] = self._intervals()
        self.report["errors"] = self._error_breakdown()
        self.report["unavailable"] = self.unavailable
        self.report["signatures"] = self.signatures
        return Measured(self.report, self.figures, self.dialogues)

    # --- against the references

    def _of_compared(self, values: Sequence[float | None]) -> list[float | None]:
        """Values of the turns with a reference as values of all turns."""
        mine = iter(values)
        return [next(mine) if record["reference"] is not None else None
                for record in self.records]

    def _set(self, key: str, values: Sequence[float | None]) -> None:
        for record, value in zip(self.compared, values, strict=True):
            record["metrics"][key] = None if value is None else round(value, 6)

    def _text_metrics(self) -> None:
        keys = ("bleu", "bleu_lower", "chrf", "meteor", "distinct_1", "distinct_2")
        if not self.compared:
            self._leave_out(keys, "no turn has a reference reply")
            return
        self.tell("BLEU, chrF, METEOR")
        meteor = Meteor()
        scores = {
            "bleu": corpus_bleu(self.replies, self.references),
            "bleu_lower": corpus_bleu(self.replies, self.references, lowercase=True),
            "chrf": corpus_chrf(self.replies, self.references),
            "meteor": meteor.corpus(self.replies, self.references),
            "distinct_1": distinct_n(self.replies, 1), "distinct_2": distinct_n(self.replies, 2)}
        for key, score in scores.items():
            self.report[key] = score.value
            self.signatures[key] = score.signature
        pairs = list(zip(self.replies, self.references, strict=True))
        meteors = [meteor.sentence(*pair) for pair in pairs]
        self._set("bleu", [sentence_bleu(*pair).value for pair in pairs])
        self._set("chrf", [sentence_chrf(*pair).value for pair in pairs])
        self._set("meteor", meteors)
        self.figures["meteor"] = mean_figure(self._of_compared(meteors))
        # Turns without a reference add nothing to the sums that BLEU follows from.
        for key, lowercase in (("bleu", False), ("bleu_lower", True)):
            figure = bleu_figure(self.replies, self.references, lowercase=lowercase)
            rows = np.zeros((len(self.records), figure.rows.shape[1]))
            rows[[index for index, record in enumerate(self.records)
                  if record["reference"] is not None]] = figure.rows
            self.figures[key] = Figure(rows, figure.value)

    def _bertscore(self) -> None:
        if not self.compared:
            self._leave_out(("bertscore_f1",), "no turn has a reference reply")
            return
        self.tell("BERTScore")
        scorer = self.models.bertscore
        scores = [score.f1 for score in scorer.score(self.replies, self.references)]
        self.report["bertscore_f1"] = sum(scores) / len(scores)
        self.signatures["bertscore_f1"] = scorer.signature
        self._set("bertscore_f1", scores)
        self.figures["bertscore_f1"] = mean_figure(self._of_compared(scores))

    def _entity_f1(self) -> None:
        tables = {dialogue.id: (dialogue.domain, table_of(dialogue))
                  for dialogue in self.data.dialogues}
        reason = "measured on KVRET only" if self.data.name != "kvret" else \
            "no turn has a reference reply" if not self.compared else ""
        if reason:
            self._leave_out(("entity_f1", "entity_f1_variants"), reason)
            return
        self.tell("entity F1")
        metric = EntityMetric(self.ontology) if self.ontology is not None else \
            EntityMetric.from_tables([items for _, items in tables.values()])
        turns = [EntityTurn(record["reply"] or "", record["reference"],
                            *tables[record["dialogue"]]) for record in self.compared]
        self.report["entity_f1_variants"] = {"glmp": metric.glmp(turns),
                                             "qtod": metric.qtod(turns)}
        self.report["entity_f1"] = self.report["entity_f1_variants"]["glmp"]["all"]
        self.signatures["entity_f1"] = "glmp: mean of the F1 of each response, canonicalised; " + (
            "official ontology" if self.ontology is not None else "values of the tables")
        scores = [metric.turn_f1(turn) for turn in turns]
        self._set("entity_f1", scores)
        self.figures["entity_f1"] = mean_figure(self._of_compared(scores))

    def _unieval(self) -> None:
        self.report["unieval"] = None
        answered = [record for record in self.records if record["reply"]]
        judge = self.models.unieval
        if judge is None:
            return
        if not answered:
            self.unavailable["unieval"] = "no turn was answered"
            return
        self.tell("UniEval")
        scores = judge.score([
            JudgedReply(record["reply"],
                        [*(text for _, text in record["history"]), record["user"]],
                        [fact["text"] for fact in record["facts"]]) for record in answered])
        self.report["unieval"] = {
            name: sum(getattr(score, name) for score in scores) / len(scores)
            for name in (*DIMENSIONS, "overall")}
        self.signatures["unieval"] = judge.signature

    # --- faithfulness, linking, retrieval

    def _rates(self) -> None:
        errors = [record["errors"] for record in self.records]
        for key, label in (("hallucination_rate", "hallucination"),
                           ("hallucination_rate_of_references", "reference_hallucination"),
                           ("unsupported_rate", "unsupported"),
                           ("retrieval_error_rate", "retrieval_error")):
            self._mean(key, [each[label] for each in errors], "no reply could be labelled")
        can_miss = [each for each in errors if each["can_miss"]]
        self.report["retrieval_errors"] = {
            "turns_that_can_fail": len(can_miss),
            "rate_of_those": _share([each["retrieval_error"] for each in can_miss]),
            "asked_back": _share([each["asked_back"] for each in can_miss])}

    def _mean(self, key: str, values: Sequence[float | None], otherwise: str) -> None:
        known = [float(value) for value in values if value is not None]
        if not known:
            self._leave_out((key,), otherwise)
            return
        self.report[key] = sum(known) / len(known)
        self.figures[key] = mean_figure(values)

    def _linking(self) -> None:
        by_turn = [_linking_records(record) for record in self.records]
        if not any(by_turn):
            self._leave_out(("linking", "linking_variants"), "no turn was linked"
                            if self.data.name == "graphwoz"
                            else "mentions are annotated in GraphWOZ only")
            return
        variants: dict[str, Any] = {}
        for variant in VARIANTS:
            variants[variant] = summarise(each for turn in by_turn
                                          for each in turn.get(variant, ()))
        variants["given"]["excluded"] = dict(Counter(
            reason for record in self.records
            for _, reason in (record["linking"] or {}).get("excluded", {}).get("given", ())))
        given = variants["given"]
        self.report["linking_variants"] = variants
        self.report["linking"] = {key: given[key] for key in ("precision_at_1", "mrr", "mentions")}
        every = given["mentions"] + sum(given["excluded"].values())
        given["precision_at_1_if_excluded_were_misses"] = (
            (given["precision_at_1"] or 0.0) * given["mentions"] / every if every else None)
        scored = [[each for each in turn.get("given", ()) if each.gold] for turn in by_turn]
        self.figures["linking.precision_at_1"] = ratio_figure(
            [sum(each.rank == 1 for each in turn) for turn in scored],
            [len(turn) for turn in scored])

    def _retrieval(self) -> None:
        recalls = [record["recall"] or _NOTHING_WANTED for record in self.records]
        wanted = [len(recall["values"]) for recall in recalls]
        if not sum(wanted):
            self._leave_out(("recall_at_10", "retrieval", "retrieval_of_new"),
                            "no reference has a value of the graph that can be looked for")
            return
        # Values that were said before are found more easily than new ones.
        for key, values, hits in (("retrieval", "values", "hits"),
                                  ("retrieval_of_new", "new_values", "new_hits")):
            self.report[key] = self._recalls(recalls, key, values, hits)
        if self.condition in _RANKED:
            self.report["recall_at_10"] = self.report["retrieval"].get(str(self.condition), 0.0)
            self.figures["recall_at_10"] = self.figures[f"retrieval.{self.condition}"]
        else:
            self._leave_out(("recall_at_10",), f"the condition {self.condition} ranks no facts")

    def _recalls(self, recalls: Sequence[Mapping[str, Any]], key: str, values: str,
                 hits: str) -> dict[str, float]:
        """Recall@10 of each ranking."""
        names = dict.fromkeys(name for recall in recalls for name in recall[hits])
        if self.condition in _RANKED:
            names = {str(self.condition): None, **names}
        wanted = [len(recall[values]) for recall in recalls]
        found = {}
        for name in names:
            having = [float(recall[hits].get(name, 0.0)) for recall in recalls]
            if sum(wanted):
                found[name] = sum(having) / sum(wanted)
                self.figures[f"{key}.{name}"] = ratio_figure(having, wanted)
        return found

    def _latency(self, answered: Sequence[Record]) -> None:
        if not answered:
            self._leave_out(("latency_ms",), "no turn was answered")
            return
        stages = dict.fromkeys(stage for record in answered for stage in record["timings_ms"])
        spread = {stage: _percentiles([record["timings_ms"][stage] for record in answered
                                       if stage in record["timings_ms"]]) for stage in stages}
        total = spread.pop("total")
        self.report["latency_ms"] = {**total, "stages": spread}

    # --- all of it

    def _leave_out(self, keys: Sequence[str], reason: str) -> None:
        for key in keys:
            self.report[key] = None
            self.unavailable[key] = reason

    def _intervals(self) -> dict[str, list[float]]:
        found = {}
        for key, figure in self.figures.items():
            if not np.isnan(figure.of_all()):
                interval = bootstrap_interval(figure, self.dialogues)
                found[key] = [interval.low, interval.high]
        return found

    def _error_breakdown(self) -> list[dict[str, Any]]:
        counts: Counter[str] = Counter()
        for record in self.records:
            if record["error"] is not None:
                counts[f"failed: {record['error']['type']}"] += 1
            counts.update(record["errors"]["reasons"])
        return [{"reason": reason, "turns": turns} for reason, turns in counts.most_common()]


def compare_conditions(measured: Mapping[str, Measured]) -> list[dict[str, Any]]:
    """Paired comparisons of the full system with every other condition, for JSON.

    Args:
        measured: By condition, what was measured over the same turns.
    """
    best = str(Condition.RELEVANCE_LOGIC)
    rows = []
    for other in measured:
        if other == best or best not in measured:
            continue
        a, b = measured[other], measured[best]
        for key, figure in a.figures.items():
            if key not in b.figures or key.startswith(("linking", "retrieval.", "retrieval_of_new.",
                                                         "hallucination_rate_of")):
                continue  # of the data, not of the replies
            both = compare_runs(figure, b.figures[key], a.dialogues)
            rows.append({"a": other, "b": best, "metric": key, "difference": both.difference,
                         "interval": [both.low, both.high], "p_value": both.p_value,
                         "significant": both.p_value < SIGNIFICANT})
    return rows


def _share(values: Sequence[bool | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _linking_records(record: Record) -> dict[str, list[LinkingRecord]]:
    return {variant: [LinkingRecord(each["mention"], each["kind"], tuple(each["gold"]),
                                    tuple((entity, probability)
                                          for entity, probability in each["ranked"]))
                      for each in (record["linking"] or {}).get(variant, ())]
            for variant in VARIANTS if record["linking"]}


def _percentiles(values: Sequence[float]) -> dict[str, float]:
    p50, p95 = np.percentile(values, [50, 95])
    return {"p50": round(float(p50), 3), "p95": round(float(p95), 3)}
