"""Components of Q² from models of the transformers library, those of the paper by default."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from frontdesk.generation.checks.q2.components import (
    Relation,
    Span,
    of_hypothesis_parts,
    of_premise_parts,
)
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.models.hub_models import HubModel, stated_limit, torch_device

#: T5-base, trained on SQuAD 1.1 to ask for a given answer.
QUESTIONS = "mrm8488/t5-base-finetuned-question-generation-ap"
#: ALBERT-xlarge, trained on SQuAD 2.0.
READER = "ktrapeznikov/albert-xlarge-v2-squad-v2"
#: RoBERTa-large, trained on SNLI and others.
ENTAILMENT = "roberta-large-mnli"

_OTHERWISE = "choose the embedded checks"
_ASKED = "question:"
_LONGEST_ANSWER = 30
#: Inputs of a model in one forward pass.
_BATCH = 32

T = TypeVar("T")
U = TypeVar("U")


class HubQuestions:
    """Asks with a sequence-to-sequence model, by beam search.

    Its input is ``answer: … context: …``; it writes ``question: …``. Of a text that is longer than
    the model reads, the context is what stands around the span.

    Args:
        model: Name on the Hugging Face hub, or path of a folder.
        max_new_tokens: Most tokens of a question, at least 1.

    Raises:
        MissingModelError: The model is not on this machine, or cannot be used.
    """

    def __init__(self, model: str = QUESTIONS, *, max_new_tokens: int = 64) -> None:
        self.device = torch_device("auto")
        files = HubModel(model, "the question generator", QUESTIONS, _OTHERWISE)
        self.tokenizer = files.tokenizer(use_fast=True)
        self.model = files.model("AutoModelForSeq2SeqLM").to(self.device)
        self._limit = stated_limit(self.model, self.tokenizer, ("n_positions",)) or 512
        self._max_new_tokens = max_new_tokens

    def ask(self, cases: Sequence[tuple[str, Span]], count: int) -> list[list[str]]:
        """See :class:`~frontdesk.generation.checks.q2.components.QuestionGenerator`."""
        return _by_length(cases, lambda case: len(case[0]), lambda some: self._ask(some, count))

    def _ask(self, cases: Sequence[tuple[str, Span]], count: int) -> list[list[str]]:
        import torch

        read = self.tokenizer([self._prompt(text, span) for text, span in cases],
                              return_tensors="pt", padding=True).to(self.device)
        with torch.inference_mode():
            written = self.model.generate(
                input_ids=read["input_ids"], attention_mask=read["attention_mask"],
                num_beams=count, num_return_sequences=count, do_sample=False,
                max_new_tokens=self._max_new_tokens)
        texts = [" ".join(text.split()).removeprefix(_ASKED).strip()
                 for text in self.tokenizer.batch_decode(written, skip_special_tokens=True)]
        return [[text for text in texts[start:start + count] if text]
                for start in range(0, len(texts), count)]

    def _prompt(self, text: str, span: Span) -> str:
        """What asks for a span: of a long text as much around it as the model reads."""
        radius = len(text)
        while True:
            start, end = max(0, span.start - radius), min(len(text), span.end + radius)
            prompt = f"answer: {span.text}  context: {text[start:end]}"
            if len(self.tokenizer(prompt, verbose=False)["input_ids"]) <= self._limit:
                return prompt
            if not radius:
                raise InputError(f"the span {span.text[:60]!r} is longer than the question "
                                 "generator reads", remedy="Score shorter replies")
            radius = radius * 3 // 4


class HubReader:
    """Answers with an extractive model that was trained on SQuAD 2.0.

    A text that is longer than the model reads is read in windows that overlap; the answer is the
    best of all, and there is none where every window says so.

    Args:
        model: Name on the Hugging Face hub, or path of a folder.
        threshold: By how much the score of "no answer" must exceed that of the best answer, in
            logits.

    Raises:
        MissingModelError: The model is not on this machine, or cannot be used.
    """

    def __init__(self, model: str = READER, *, threshold: float = 0.0) -> None:
        self.device = torch_device("auto")
        files = HubModel(model, "the reader", READER, _OTHERWISE)
        self.tokenizer = files.tokenizer(use_fast=True)
        self.model = files.model("AutoModelForQuestionAnswering").to(self.device)
        self._limit = stated_limit(self.model, self.tokenizer) or 512
        self._threshold = threshold

    def answer(self, cases: Sequence[tuple[str, str]]) -> list[Span | None]:
        """See :class:`~frontdesk.generation.checks.q2.components.Reader`."""
        different = [each for each in dict.fromkeys(cases) if each[0].strip() and each[1].strip()]
        windows = list(self._windows(different))
        found = _by_length(windows, lambda each: len(each["input_ids"]), self._read)
        best: dict[tuple[str, str], tuple[float, Span]] = {}
        none: dict[tuple[str, str], float] = {}
        for window, (nothing, answer) in zip(windows, found, strict=True):
            case = window["case"]
            none[case] = min(nothing, none.get(case, nothing))
            if answer is not None and (case not in best or answer[0] > best[case][0]):
                best[case] = answer
        return [best[case][1] if case in best
                and none[case] - best[case][0] <= self._threshold else None for case in cases]

    def _windows(self, cases: Sequence[tuple[str, str]]) -> Iterator[dict[str, Any]]:
        for case in cases:
            question, text = case
            asked = self.tokenizer(question, add_special_tokens=False,
                                   verbose=False)["input_ids"]
            room = self._limit - len(asked) - self.tokenizer.num_special_tokens_to_add(pair=True)
            if room < 2:
                raise InputError(f"a question of {len(asked)} tokens leaves no room for a text in "
                                 f"the {self._limit} of the reader",
                                 remedy="Score shorter replies")
            encoded = self.tokenizer(
                question, text, truncation="only_second", max_length=self._limit,
                stride=min(128, room // 2), return_overflowing_tokens=True,
                return_offsets_mapping=True, verbose=False)
            for number, ids in enumerate(encoded["input_ids"]):
                own = {name: encoded[name][number] for name in ("input_ids", "token_type_ids")
                       if name in encoded}
                yield {**own, "case": case, "offsets": encoded["offset_mapping"][number],
                       "sequences": encoded.sequence_ids(number), "length": len(ids)}

    def _read(self, windows: Sequence[dict[str, Any]]
              ) -> list[tuple[float, tuple[float, Span] | None]]:
        """For each window the score of "no answer", and the best answer with its score."""
        import torch

        read = self.tokenizer.pad(
            [{name: each[name] for name in ("input_ids", "token_type_ids") if name in each}
             for each in windows], return_tensors="pt").to(self.device)
        with torch.inference_mode():
            output = self.model(**read)
        return [self._best(window, starts[:window["length"]].float().cpu(),
                           ends[:window["length"]].float().cpu())
                for window, starts, ends in zip(windows, output.start_logits, output.end_logits,
                                                strict=True)]

    def _best(self, window: dict[str, Any], starts: Any, ends: Any
              ) -> tuple[float, tuple[float, Span] | None]:
        import torch

        nothing = float(starts[0] + ends[0])
        own = torch.tensor([each == 1 for each in window["sequences"]])
        if not own.any():
            return nothing, None
        scores = starts[:, None] + ends[None, :]
        lengths = torch.arange(len(starts))[None, :] - torch.arange(len(starts))[:, None]
        allowed = own[:, None] & own[None, :] & (lengths >= 0) & (lengths < _LONGEST_ANSWER)
        scores = scores.masked_fill(~allowed, -torch.inf)
        first, last = divmod(int(scores.argmax()), len(starts))
        start, end = window["offsets"][first][0], window["offsets"][last][1]
        text = window["case"][1][start:end]
        stripped = text.strip()
        if not stripped:
            return nothing, None
        start += len(text) - len(text.lstrip())
        return nothing, (float(scores[first, last]), Span(start, start + len(stripped), stripped))


class HubEntailment:
    """Infers with a model that classifies pairs of texts.

    Its classes are known by their names, whatever their order. A premise or a hypothesis that is
    too long is read in parts.

    Args:
        model: Name on the Hugging Face hub, or path of a folder.

    Raises:
        MissingModelError: The model is not on this machine, cannot be used, or has other classes.
    """

    def __init__(self, model: str = ENTAILMENT) -> None:
        self.device = torch_device("auto")
        files = HubModel(model, "the entailment model", ENTAILMENT, _OTHERWISE)
        self.tokenizer = files.tokenizer(use_fast=True)
        self.model = files.model("AutoModelForSequenceClassification").to(self.device)
        names = {number: str(name).lower() for number, name in self.model.config.id2label.items()}
        self._relations = {number: relation for number, name in names.items()
                           for relation in Relation if relation.value.startswith(name[:6])}
        if set(self._relations.values()) != set(Relation):
            raise files.error(f"has the classes {', '.join(names.values())}, not entailment, "
                              "neutral and contradiction")
        self._limit = stated_limit(self.model, self.tokenizer) or 512

    def relate(self, cases: Sequence[tuple[str, str]]) -> list[Relation]:
        """See :class:`~frontdesk.generation.checks.q2.components.Entailment`."""
        parts = {case: self._parts(*case) for case in dict.fromkeys(cases)}
        pairs = list(dict.fromkeys(
            (premise, hypothesis) for own in parts.values() for hypothesis, premises in own.items()
            for premise in premises))
        found = dict(zip(pairs, _by_length(
            pairs, lambda pair: len(pair[0]) + len(pair[1]), self._relate),
            strict=True))
        return [of_hypothesis_parts([
            of_premise_parts([found[premise, hypothesis] for premise in premises])
            for hypothesis, premises in parts[case].items()]) for case in cases]

    def _parts(self, premise: str, hypothesis: str) -> dict[str, list[str]]:
        """The parts of a hypothesis, each with those of the premise that are read beside it."""
        room = self._limit - self.tokenizer.num_special_tokens_to_add(pair=True)
        return {part: list(self._short(premise, room - self._length(part)))
                for part in self._short(hypothesis, room // 2)}

    def _short(self, text: str, most: int) -> Iterator[str]:
        """A text in parts of no more than so many tokens, halved at a blank where there is one."""
        if self._length(text) <= most or len(text) < 2:
            yield text
            return
        middle = len(text) // 2
        blank = text.rfind(" ", 1, middle + 1)
        middle = blank if blank > 0 else middle
        yield from self._short(text[:middle], most)
        yield from self._short(text[middle:].lstrip(), most)

    def _length(self, text: str) -> int:
        return len(self.tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])

    def _relate(self, cases: Sequence[tuple[str, str]]) -> list[Relation]:
        import torch

        read = self.tokenizer([premise for premise, _ in cases],
                              [hypothesis for _, hypothesis in cases], return_tensors="pt",
                              padding=True).to(self.device)
        with torch.inference_mode():
            best = self.model(**read).logits.argmax(-1).tolist()
        return [self._relations[each] for each in best]


def _by_length(items: Sequence[T], length: Callable[[T], int],
               work: Callable[[Sequence[T]], Sequence[U]]) -> list[U]:
    """What is made of items in batches of like lengths, in the order of the items."""
    order = sorted(range(len(items)), key=lambda index: length(items[index]))
    found: dict[int, U] = {}
    for start in range(0, len(order), _BATCH):
        batch = order[start:start + _BATCH]
        found.update(zip(batch, work([items[index] for index in batch]), strict=True))
    return [found[index] for index in range(len(items))]
