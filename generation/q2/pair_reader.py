"""The embedded reader and inference of Q²: one small model over MiniLM."""

from __future__ import annotations

import json
import re
import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from frontdesk.generation.q2.components import Relation, Span
from frontdesk.generation.q2.pair_model import (
    MOST_SENTENCES,
    RELATIONS,
    SCHEMA_VERSION,
    PairConfig,
    PairModel,
    PairOutput,
)
from frontdesk.kg.errors import MissingModelError
from frontdesk.kg.minilm import LONGEST, WIDTH, minilm

CONFIG, WEIGHTS = "config.json", "model.safetensors"
#: Tokens of a question or claim that are read, and of sentences that are read beside it at once.
_MOST_QUERY, _MOST_BESIDE = 96, 384
#: Tokens of an answer.
_LONGEST_ANSWER = 16
_BATCH_TOKENS = 8192
_BEGIN, _END = 101, 102
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_SENTENCE = re.compile(r"[^.?!\n]+(?:[.?!](?=[^\s.?!])[^.?!\n]*)*[.?!]*")
_REMEDY = ("Install frontdesk again, or name the folder of a model that frontdesk train reader "
           "wrote")


@dataclass(frozen=True)
class ReadText:
    """A text as MiniLM reads it alone.

    Args:
        ids: Of its tokens, those at its two ends included.
        characters: Start and end of each token in the text; ``(0, 0)`` for those at the ends.
        states: What MiniLM says of them, half precision, ``(tokens, 384)``.
    """

    ids: tuple[int, ...]
    characters: tuple[tuple[int, int], ...]
    states: npt.NDArray[np.float16]


@dataclass(frozen=True)
class Window:
    """A text with sentences that are read beside it at once.

    Args:
        text: The question or claim.
        sentences: Each with where it starts in the knowledge.
    """

    text: ReadText
    sentences: tuple[tuple[int, ReadText], ...]

    def __len__(self) -> int:
        return len(self.text.ids) + sum(len(each.ids) for _, each in self.sentences)


def split_sentences(text: str) -> list[tuple[int, str]]:
    """The sentences of a text, each with where it starts; lines are sentences of their own."""
    found = []
    for match in _SENTENCE.finditer(text):
        stripped = match[0].strip()
        if stripped:
            found.append((match.start() + match[0].index(stripped[0]), stripped))
    return found


class PairTexts:
    """Reads texts with MiniLM and keeps what it says of them.

    Args:
        most_kept: Texts that are kept, about 12 KB each.

    Raises:
        MissingModelError: MiniLM is not installed.
    """

    def __init__(self, most_kept: int = 2000) -> None:
        self._minilm = minilm()
        self._most_kept = most_kept
        self._kept: OrderedDict[str, ReadText] = OrderedDict()
        self._lock = threading.Lock()

    def read(self, texts: Sequence[str]) -> list[ReadText]:
        """The texts as MiniLM reads them; of long ones the beginning."""
        different = dict.fromkeys(texts)
        with self._lock:
            known = {text: self._kept[text] for text in different if text in self._kept}
        missing = [text for text in different if text not in known]
        encoded = [self._tokens(text) for text in missing]
        states = {number: each.to(torch.float16).numpy()
                  for number, each in self._minilm.read([ids for ids, _ in encoded])}
        known |= {text: ReadText(ids, characters, states[number])
                  for number, (text, (ids, characters)) in enumerate(
                      zip(missing, encoded, strict=True))}
        with self._lock:
            for text in different:
                self._kept[text] = known[text]
                self._kept.move_to_end(text)
            while len(self._kept) > self._most_kept:
                self._kept.popitem(last=False)
        return [known[text] for text in texts]

    def _tokens(self, text: str) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...]]:
        encoded = self._minilm.tokenizer.encode(_LONE_SURROGATE.sub("\ufffd", text),
                                                add_special_tokens=False)
        length = min(sum(encoded.attention_mask), LONGEST - 2)
        return ((_BEGIN, *encoded.ids[:length], _END),
                ((0, 0), *encoded.offsets[:length], (0, 0)))

    def windows(self, cases: Sequence[tuple[str, Sequence[tuple[int, str]]]]
                ) -> Iterator[list[Window]]:
        """For each text with its knowledge, the windows that together have all of the knowledge.

        Args:
            cases: Questions or claims, each with sentences and where those start in the knowledge.
        """
        read = iter(self.read([text for query, own in cases
                               for text in (query, *(sentence for _, sentence in own))]))
        for _, own in cases:
            query = next(read)
            query = ReadText(query.ids[:_MOST_QUERY], query.characters[:_MOST_QUERY],
                             query.states[:_MOST_QUERY])
            yield list(_filled(query, [(start, next(read)) for start, _ in own]))


def _filled(query: ReadText, sentences: Sequence[tuple[int, ReadText]]) -> Iterator[Window]:
    window: list[tuple[int, ReadText]] = []
    for sentence in sentences:
        length = sum(len(each.ids) for _, each in window) + len(sentence[1].ids)
        if window and (length > _MOST_BESIDE or len(window) == MOST_SENTENCES):
            yield Window(query, tuple(window))
            window = []
        window.append(sentence)
    if window:
        yield Window(query, tuple(window))


def collate(windows: Sequence[Window]) -> dict[str, Tensor]:
    """The inputs of the model for windows, padded to the longest."""
    longest = max(map(len, windows))
    states = torch.zeros(len(windows), longest, WIDTH)
    sentences, shared, answers, mask = (
        torch.zeros(len(windows), longest, dtype=torch.long) for _ in range(4))
    for row, window in enumerate(windows):
        said = set(window.text.ids[1:-1])
        beside = {token for _, each in window.sentences for token in each.ids[1:-1]}
        position = 0
        for number, part in enumerate((window.text, *(each for _, each in window.sentences))):
            end = position + len(part.ids)
            states[row, position:end] = torch.from_numpy(part.states.astype(np.float32))
            sentences[row, position:end] = number
            shared[row, position:end] = torch.tensor(
                [int(token in (said if number else beside)) for token in part.ids])
            if number:
                answers[row, position + 1:end - 1] = 1
            position = end
        mask[row, :position] = 1
    return {"states": states, "sentences": sentences, "shared": shared, "answers": answers,
            "attention_mask": mask}


class PairReader:
    """Answers questions and infers; the ``Reader`` and the ``Entailment`` of Q².

    Args:
        model: Folder with weights and configuration; those that come with frontdesk when not given.

    Raises:
        MissingModelError: The weights are not there or cannot be used.
    """

    def __init__(self, model: str | Path | None = None) -> None:
        self.model = load_pair_model(Path(__file__).parent / "trained" if model is None
                                     else Path(model))
        self.texts = PairTexts()

    def answer(self, cases: Sequence[tuple[str, str]]) -> list[Span | None]:
        """See :class:`~frontdesk.generation.q2.components.Reader`."""
        different = list(dict.fromkeys(cases))
        found = {case: _best_answer(case[1], own)
                 for case, own in zip(different, self._outputs(different), strict=True)}
        return [found[case] for case in cases]

    def relate(self, cases: Sequence[tuple[str, str]]) -> list[Relation]:
        """See :class:`~frontdesk.generation.q2.components.Entailment`."""
        different = list(dict.fromkeys(cases))
        asked = [(hypothesis, premise) for premise, hypothesis in different]
        found = {case: _best_relation(own)
                 for case, own in zip(different, self._outputs(asked), strict=True)}
        return [found[case] for case in cases]

    @torch.inference_mode()
    def _outputs(self, cases: Sequence[tuple[str, str]]
                 ) -> list[list[tuple[Window, PairOutput]]]:
        """What the model says of the windows of each case; windows of like lengths go together."""
        split = [(query, split_sentences(knowledge)) for query, knowledge in cases]
        windows = [(case, window) for case, own in enumerate(self.texts.windows(split))
                   for window in own]
        found: list[list[tuple[Window, PairOutput]]] = [[] for _ in cases]
        for batch in _batches([len(window) for _, window in windows]):
            output = self.model(**collate([windows[number][1] for number in batch]))
            for row, number in enumerate(batch):
                case, window = windows[number]
                found[case].append((window, PairOutput(
                    output.starts[row], output.ends[row], output.relations[row])))
        return found


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    batch: list[int] = []
    for number in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) + 1) * lengths[number] > _BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(number)
    if batch:
        yield batch


def _best_answer(knowledge: str, outputs: Sequence[tuple[Window, PairOutput]]) -> Span | None:
    """The answer with the best score of all windows; None where no answer has a better one."""
    best: tuple[float, Span] | None = None
    for window, output in outputs:
        nothing = float(output.starts[0] + output.ends[0])
        position = len(window.text.ids)
        for start, sentence in window.sentences:
            end = position + len(sentence.ids)
            found = _answer_in(sentence, output.starts[position:end], output.ends[position:end])
            if found is not None:
                score, first, last = found
                begin, finish = start + sentence.characters[first][0], \
                    start + sentence.characters[last][1]
                if score > nothing and (best is None or score - nothing > best[0]):
                    best = score - nothing, Span(begin, finish, knowledge[begin:finish])
            position = end
    return best[1] if best else None


def _answer_in(sentence: ReadText, starts: Tensor, ends: Tensor
               ) -> tuple[float, int, int] | None:
    """Score, first and last token of the best answer in a sentence."""
    length = len(sentence.ids)
    if length <= 2:
        return None
    scores = starts[:length, None] + ends[None, :length]
    apart = torch.arange(length)[None, :] - torch.arange(length)[:, None]
    scores = scores.masked_fill((apart < 0) | (apart >= _LONGEST_ANSWER), -torch.inf)
    first, last = divmod(int(scores.argmax()), length)
    score = float(scores[first, last])
    return (score, first, last) if score > -torch.inf else None


def _best_relation(outputs: Sequence[tuple[Window, PairOutput]]) -> Relation:
    """What any window entails is entailed, else what any contradicts is contradicted."""
    found = {RELATIONS[int(output.relations.argmax())] for _, output in outputs}
    return next((each for each in (Relation.ENTAILMENT, Relation.CONTRADICTION) if each in found),
                Relation.NEUTRAL)


def load_pair_model(folder: Path) -> PairModel:
    """A model in evaluation mode, float32.

    Raises:
        MissingModelError: The folder has no model, a file of it is damaged, or the model was
            trained for another version.
    """
    for name in (CONFIG, WEIGHTS):
        if not (folder / name).is_file():
            raise MissingModelError(f"there is no reader in {folder} ({name} is missing)",
                                    remedy=_REMEDY)
    try:
        settings = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
        version = settings.get("schema_version")
        config = PairConfig.from_dict(settings)
        weights = load_file(folder / WEIGHTS)
    except (OSError, ValueError, TypeError, AttributeError, SafetensorError) as error:
        raise MissingModelError(f"the reader in {folder} is damaged ({error})",
                                remedy=_REMEDY) from error
    if version != SCHEMA_VERSION:
        raise MissingModelError(f"the reader in {folder} was trained for version {version} of its "
                                f"inputs, this is version {SCHEMA_VERSION}", remedy=_REMEDY)
    try:
        with torch.device("meta"):
            model = PairModel(config)
        model.load_state_dict({name: tensor.float() for name, tensor in weights.items()},
                              strict=True, assign=True)
    except (RuntimeError, ValueError, TypeError) as error:
        raise MissingModelError(
            f"the weights in {folder / WEIGHTS} are not those of its configuration "
            f"({str(error).splitlines()[0]})", remedy=_REMEDY) from error
    model.train(mode=False)
    return model.requires_grad_(False)


def save_pair_model(model: PairModel, folder: Path) -> None:
    """Write configuration and half-precision weights."""
    folder.mkdir(parents=True, exist_ok=True)
    config = {name: value for name, value in model.config.to_diff_dict().items()
              if name != "transformers_version"}
    (folder / CONFIG).write_text(json.dumps(config, indent=1, ensure_ascii=False) + "\n",
                                 encoding="utf-8")
    save_file({name: tensor.detach().to("cpu", torch.float16).contiguous()
               for name, tensor in model.state_dict().items()}, folder / WEIGHTS)
