"""The intent head: a small perceptron over MiniLM's embedding of an utterance.

The embedding is the one that the ranking of facts needs anyway, so nothing is encoded twice. Beside
it the head sees what the receptionist has just asked for, whether mentions were found, and which of
the cue words of its training the utterance has: an embedding tells what an utterance is about, but
not well how it begins or whether it says "add" or "remove". NumPy evaluates it; torch only trains.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors.numpy import load, save

from frontdesk.kg.graph.intents import Intent
from frontdesk.kg.graph.mentions import MentionKind, Observation
from frontdesk.kg.graph.schema import ArgumentType
from frontdesk.kg.models.head_weights import HeadFiles

Numbers = npt.NDArray[np.float32]

#: The file of the weights; the configuration is the ``.json`` beside it.
WEIGHTS = "intents.safetensors"
#: What the receptionist may have asked for before an utterance; empty: nothing in particular.
ASKED = ("", "title", "date", "start", "duration", "place", "attendees", "confirmation", "choice",
         "speaker", "event", "message", "recipient")
#: Numbers of an embedding.
EMBEDDED = 384
#: An embedding's numbers are about 0.05; the others are 0 or 1.
_SCALE = np.float32(EMBEDDED ** 0.5)
#: Numbers beside the embedding, what was asked and the cues: see :func:`_signs`.
_SIGNS = 6
#: Words from which on an utterance is as long as any for the head.
_LONG = 24
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*|\d+")
#: What stands for the beginning and the end of an utterance, and for any number.
_FIRST, _LAST, _NUMBER = "^", "$", "#"


@dataclass(frozen=True)
class UtteranceFeatures:
    """What the head sees of an utterance beside its embedding.

    Args:
        text: The utterance.
        time, person, room, event: Whether a mention of that kind was found in it, by name.
    """

    text: str = ""
    time: bool = False
    person: bool = False
    room: bool = False
    event: bool = False

    @classmethod
    def of(cls, observation: Observation) -> UtteranceFeatures:
        """Those of an utterance whose mentions are known."""
        named = {kind for each in observation.mentions if each.kind is MentionKind.NAME
                 for kind in each.types}
        return cls(observation.text,
                   time=any(each.kind is MentionKind.TIME for each in observation.mentions),
                   person=ArgumentType.PERSON in named, room=ArgumentType.ROOM in named,
                   event=ArgumentType.EVENT in named)


class IntentHead:
    """Tells what a user wants, by probabilities.

    Args:
        weights: ``hidden.weight (n_hidden, n_in)``, ``hidden.bias (n_hidden,)``,
            ``output.weight (n_intents, n_hidden)`` and ``output.bias (n_intents,)``, where
            ``n_in`` is 384 + 13 + 6 + the number of cues.
        cues: Words, and pairs of words with a blank between, that it looks for.
        intents: What the outputs stand for, in their order.

    Raises:
        ValueError: The shapes do not fit each other.

    Example:
        >>> head = load_intent_head()  # doctest: +SKIP
        >>> found = head.probabilities(encoder.encode(["at two"], keep=False)[0], asked="start",
        ...                            features=UtteranceFeatures("at two"))  # doctest: +SKIP
        >>> max(found, key=found.get)  # doctest: +SKIP
        <Intent.SET_TIME: 'set_time'>
    """

    def __init__(self, weights: Mapping[str, Numbers], cues: Sequence[str],
                 intents: Sequence[Intent] = tuple(Intent)) -> None:
        self.cues, self.intents = tuple(cues), tuple(intents)
        self.weights = {name: np.ascontiguousarray(each, dtype=np.float32)
                        for name, each in weights.items()}
        n_hidden, n_intents = len(self.weights["hidden.bias"]), len(self.intents)
        expected = {"hidden.weight": (n_hidden, n_inputs(len(self.cues))),
                    "hidden.bias": (n_hidden,), "output.weight": (n_intents, n_hidden),
                    "output.bias": (n_intents,)}
        if {name: each.shape for name, each in self.weights.items()} != expected:
            raise ValueError(f"the weights of the intent head are not {expected}")
        self._places = {cue: number for number, cue in enumerate(self.cues)}

    def probabilities(self, embedding: npt.NDArray[Any], *, asked: str = "",
                      features: UtteranceFeatures) -> dict[Intent, float]:
        """How likely an utterance has each intent, in [0, 1]; several may be high, or none.

        Args:
            embedding: Of the utterance as it stands, ``(384,)``, of length 1, by
                :class:`~frontdesk.scoring.encoder.MiniLMEncoder`.
            asked: What the receptionist has just asked for, one of :data:`ASKED`.
            features: Of the same utterance.

        Raises:
            ValueError: ``asked`` is none of :data:`ASKED`.
        """
        inputs = self.inputs(embedding, asked, features)
        weights = self.weights
        hidden = np.maximum(weights["hidden.weight"] @ inputs + weights["hidden.bias"], 0)
        scores = weights["output.weight"] @ hidden + weights["output.bias"]
        # Half of the range of exp: beyond it a probability is 0 or 1 to the last bit anyway.
        found = 1 / (1 + np.exp(-np.clip(scores, -40, 40)))
        return dict(zip(self.intents, found.tolist(), strict=True))

    def inputs(self, embedding: npt.NDArray[Any], asked: str,
               features: UtteranceFeatures) -> Numbers:
        """What the perceptron reads, ``(n_in,)``.

        Raises:
            ValueError: ``asked`` is none of :data:`ASKED`.
        """
        if asked not in ASKED:
            raise ValueError(f"asked is {asked!r}, not one of {', '.join(map(repr, ASKED))}")
        inputs = np.zeros(n_inputs(len(self.cues)), dtype=np.float32)
        inputs[:EMBEDDED] = embedding * _SCALE
        inputs[EMBEDDED + ASKED.index(asked)] = 1
        first = EMBEDDED + len(ASKED)
        cues = cues_of(features.text)
        inputs[first:first + _SIGNS] = _signs(features)
        first += _SIGNS
        inputs[[first + self._places[cue] for cue in cues if cue in self._places]] = 1
        return inputs


def n_inputs(n_cues: int) -> int:
    """How many numbers a head with so many cues reads."""
    return EMBEDDED + len(ASKED) + _SIGNS + n_cues


def cues_of(text: str) -> frozenset[str]:
    """The words of an utterance and its pairs of neighbours, in small letters.

    Any number is ``#``; ``^`` and ``$`` stand for the beginning and the end.

    Example:
        >>> sorted(cues_of("At 10."))
        ['#', '# $', '^ at', 'at', 'at #']
    """
    words = [_NUMBER if word.isdigit() else word
             for word in _WORD.findall(text.lower().replace("’", "'"))]
    around = [_FIRST, *words, _LAST]
    return frozenset([*words, *(f"{left} {right}" for left, right in pairwise(around))])


def _signs(features: UtteranceFeatures) -> list[float]:
    return [features.text.rstrip().endswith("?"),
            min(len(features.text.split()), _LONG) / _LONG,
            features.time, features.person, features.room, features.event]


def _head(data: bytes, config: dict[str, Any]) -> IntentHead:
    head = IntentHead(load(data), config["cues"], [Intent(name) for name in config["intents"]])
    if not all(np.isfinite(each).all() for each in head.weights.values()):
        raise ValueError("some are not finite")
    return head


#: Written by ``frontdesk train intents``.
INTENT_HEADS = HeadFiles(
    "intent head", Path(__file__).parent / "trained" / "intents" / WEIGHTS,
    "Install frontdesk again, or train them with frontdesk train intents",
    {"asked": list(ASKED)}, _head)
load_intent_head = INTENT_HEADS.load


def save_intent_head(head: IntentHead, path: Path) -> None:
    """Write the weights in half precision, and beside them their configuration.

    Args:
        head: Trained.
        path: The file of the weights; the configuration is the ``.json`` beside it.
    """
    INTENT_HEADS.save(path, save({name: each.astype(np.float16)
                                  for name, each in head.weights.items()}),
                      intents=[str(each) for each in head.intents], cues=list(head.cues))
