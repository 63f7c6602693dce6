"""What the intent head learns from, and what its training is judged by."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from frontdesk.agent.training.mentions.mention_data import utterance_hash
from frontdesk.data.invented.request_utterances import Part, RequestUtterance, invent_utterance
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.models.intent_head import ASKED

#: Of the invented utterances one in so many is held out; at least so many are needed.
_HELD_OUT, _LEAST = 8, 80


@dataclass(frozen=True)
class IntentData:
    """Labelled utterances.

    Args:
        training: To learn from.
        held_out: Of patterns that no utterance to learn from has.
    """

    training: tuple[RequestUtterance, ...]
    held_out: tuple[RequestUtterance, ...]


def intent_data(simulated: int, *, seed: int, held_out: Collection[str] = ()) -> IntentData:
    """Invent utterances.

    Args:
        simulated: How many, at least 80; those that are the same count once.
        seed: Of all of them.
        held_out: Hashes of utterances to learn nothing from; see
            :func:`~frontdesk.agent.training.mentions.mention_data.utterance_hash`.

    Raises:
        InputError: They are too few.
    """
    if simulated < _LEAST:
        raise InputError(f"--simulated is {simulated}", remedy=f"Give {_LEAST} or more")
    rng = random.Random(f"intents {seed}")
    judged = simulated // _HELD_OUT
    training = _distinct(_invented(rng, "training") for _ in range(simulated - judged))
    texts = {each.text for each in training}
    apart = _distinct(_invented(rng, "held out") for _ in range(judged))
    return IntentData(tuple(_allowed(training, held_out)),
                      tuple(each for each in apart if each.text not in texts))


def _invented(rng: random.Random, part: Part) -> RequestUtterance:
    return invent_utterance(rng, part, asked=ASKED[1:])


def _distinct(utterances: Iterable[RequestUtterance]) -> list[RequestUtterance]:
    """Each text once after each question."""
    return list({(each.text, each.asked): each for each in utterances}.values())


def _allowed(utterances: Iterable[RequestUtterance],
             held_out: Collection[str]) -> Iterable[RequestUtterance]:
    """All but those that somebody says in what is measured on: "yes please" too."""
    return (each for each in utterances
            if not held_out or utterance_hash(each.text) not in held_out)
