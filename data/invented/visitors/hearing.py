"""A simulated speech recogniser: several readings of an utterance, more or less misheard."""

from __future__ import annotations

import random
import re
from collections.abc import Collection

from frontdesk.data.invented.dialogues import speech_noise as noise
from frontdesk.kg.graph.dialogue_graph import Hypothesis

#: Shares of names and of other words that are hard to hear, of truths that are heard of those,
#: and of utterances of which nothing is made out.
HARD_NAME, HARD_WORD, HEARD, LOST = 0.3, 0.02, 0.55, 0.02
_MOST = 5
_MARKS = re.compile(r"[,;!?\"“”]|\.(?=\s|$)|:(?=\s)")


def hear(said: str, names: Collection[str], rng: random.Random) -> tuple[Hypothesis, ...]:
    """What a recogniser makes of an utterance: up to 5 readings, the most confident first.

    Words that are hard to hear are taken for others that sound alike, in each reading anew; names
    are hard far more often than other words. The first reading need not be the best.

    Args:
        said: The words as they are written.
        names: Words of names, as written.
        rng: All is drawn from it.

    Returns:
        Readings with confidences in [0, 1] that fall.
    """
    if rng.random() < LOST:
        return (Hypothesis(noise.lost(rng), round(rng.uniform(0.2, 0.5), 3)),)
    words = [word for word in _MARKS.sub("", said).split() if word]
    words = [word if word in names or word.removesuffix("'s") in names or word == "I"
             or word.startswith("I'") else word.lower() for word in words]
    hard = {at: _alternatives(word, rng) for at, word in enumerate(words)
            if rng.random() < (HARD_NAME if word in names else HARD_WORD)}
    readings: list[str] = []
    for _ in range(_MOST):
        heard = [rng.choice(hard[at]) if at in hard and rng.random() > HEARD else word
                 for at, word in enumerate(words)]
        readings.append(" ".join(heard))
    confidence, found = rng.uniform(0.75, 0.97), []
    for text in dict.fromkeys(readings):
        found.append(Hypothesis(text, round(confidence, 3)))
        confidence *= rng.uniform(0.7, 0.97)
    return tuple(found)


def _alternatives(word: str, rng: random.Random) -> list[str]:
    """What a word is taken for, besides itself."""
    return [noise.misheard(word, rng) for _ in range(2)]
