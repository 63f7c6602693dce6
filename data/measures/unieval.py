"""UniEval (Zhong et al., 2022): reference-free scores of replies, from a model that says yes or no.

A T5 that was trained on questions about texts is asked one question a dimension; the score is
P(Yes) / (P(Yes) + P(No)) for its first word. The questions and the order of the parts are those
that the published dialogue evaluator was trained with.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.models.hub_models import HubModel

#: The published evaluator of dialogue replies.
UNIEVAL_DIALOGUE = "MingZhong/unieval-dialog"
#: The dimensions that the paper reports (its table 3), in its order.
DIMENSIONS = ("coherence", "groundedness", "naturalness", "understandability")
#: Stands for the fact where there is none, as in the data that its authors measured it on.
NO_FACT = "_nofact"

_DIVIDER = "</s>"
#: Of a question: the oldest utterances, then the least relevant facts, are left out where it would
#: be longer. Of questions in one forward pass.
_MOST_TOKENS, _BATCH = 1024, 8
_USE, _OTHERWISE = "the UniEval evaluator", "do without this metric"
_QUESTIONS = {
    "coherence": "Is this a coherent response given the dialogue history?",
    "groundedness": "Is this response consistent with knowledge in the fact?",
    "naturalness": "Is this a natural response in the dialogue?",
    "understandability": "Is this an understandable response in the dialogue?",
}


@dataclass(frozen=True)
class JudgedReply:
    """A reply with what it is judged by.

    Args:
        history: The utterances before it, oldest first, the user's last one included.
        facts: The knowledge that it should agree with, most relevant first.
    """

    reply: str
    history: Sequence[str] = ()
    facts: Sequence[str] = ()


@dataclass(frozen=True)
class UniEvalScore:
    """Scores in [0, 1]; ``overall`` is the mean of the four dimensions."""

    coherence: float
    groundedness: float
    naturalness: float
    understandability: float

    @property
    def overall(self) -> float:
        return (self.coherence + self.groundedness + self.naturalness
                + self.understandability) / len(DIMENSIONS)


class UniEval:
    """Scores replies. A reply's scores do not depend on what else is scored with it.

    Args:
        model: Name on the Hugging Face hub, or a folder. Nothing is downloaded.

    Attributes:
        signature: Model, settings and versions.

    Raises:
        MissingModelError: The model is not on this machine, cannot be loaded, or has no words
            "Yes" and "No".
    """

    def __init__(self, model: str = UNIEVAL_DIALOGUE) -> None:
        files = HubModel(model, _USE, UNIEVAL_DIALOGUE, _OTHERWISE)
        self._tokenizer = files.tokenizer()
        self._model = files.model("AutoModelForSeq2SeqLM")
        self._yes, self._no = (self._tokenizer(word)["input_ids"][0] for word in ("Yes", "No"))
        unknown = self._tokenizer.unk_token_id
        if self._yes == self._no or unknown in (self._yes, self._no):
            raise files.error('has no words "Yes" and "No"')
        packages = "|".join(f"{name}:{version(name)}" for name in ("transformers", "torch"))
        self.signature = f"unieval:{model}|max_tokens:{_MOST_TOKENS}|{packages}"

    def score(self, replies: Sequence[JudgedReply]) -> list[UniEvalScore]:
        """The scores of each reply.

        Raises:
            InputError: There are no replies.
        """
        if not replies:
            raise InputError("there are no replies to score", remedy="Evaluate at least one turn")
        asked = [self.question(reply, dimension) for reply in replies for dimension in DIMENSIONS]
        answers = iter(self._answer(asked))
        return [UniEvalScore(**{dimension: next(answers) for dimension in DIMENSIONS})
                for _ in replies]

    def question(self, judged: JudgedReply, dimension: str) -> str:
        """What the model reads about a reply for one of :data:`DIMENSIONS`."""
        start = f"question: {_QUESTIONS[dimension]} {_DIVIDER} response: {_plain(judged.reply)}"
        if dimension == "coherence":
            history = [_plain(utterance) for utterance in judged.history]
            return self._longest([history[first:] for first in range(len(history) + 1)],
                                 lambda part: f"{start} {_DIVIDER} dialogue history: "
                                              + " \n ".join(part) + " \n\n")
        if dimension == "groundedness":
            facts = [_plain(fact) for fact in judged.facts]
            return self._longest([facts[:last] for last in range(len(facts), -1, -1)],
                                 lambda part: f"{start} {_DIVIDER} fact: "
                                              + (" ".join(part) or NO_FACT) + "\n")
        return start

    def _longest(self, parts: Sequence[Sequence[str]],
                 build: Callable[[Sequence[str]], str]) -> str:
        """The question of the first part, of ever shorter ones, that fits."""
        def fits(place: int) -> bool:
            text = build(parts[place])
            return len(self._tokenizer(text, verbose=False)["input_ids"]) <= _MOST_TOKENS

        place = bisect_left(range(len(parts)), True, key=fits)
        # Where the reply alone is too long, the model reads its start.
        return build(parts[min(place, len(parts) - 1)])

    def _answer(self, questions: Sequence[str]) -> list[float]:
        """Probability of yes rather than no, for each question."""
        import torch

        encoded: Any = self._tokenizer(list(questions), truncation=True,
                                       max_length=_MOST_TOKENS, verbose=False)["input_ids"]
        order = sorted(range(len(questions)), key=lambda index: len(encoded[index]))
        result = [0.0] * len(questions)
        for start in range(0, len(order), _BATCH):
            batch = order[start:start + _BATCH]
            padded = self._tokenizer.pad({"input_ids": [encoded[index] for index in batch]},
                                         return_tensors="pt")
            first = torch.full((len(batch), 1), self._model.config.decoder_start_token_id)
            with torch.inference_mode():
                logits = self._model(input_ids=padded["input_ids"],
                                     attention_mask=padded["attention_mask"],
                                     decoder_input_ids=first).logits[:, 0]
            yes = torch.sigmoid(logits[:, self._yes] - logits[:, self._no]).tolist()
            for index, value in zip(batch, yes, strict=True):
                result[index] = value
        return result


def _plain(text: str) -> str:
    """A text on one line that cannot end a part of the question."""
    return " ".join(text.replace(_DIVIDER, "(/s)").split())
