"""What the mention tagger says of the words of an utterance, and how spans are read from it.

Every word begins a mention of some type, goes on with one, or is outside of all (BIO). The best
sequence is searched among those that make sense: a mention goes on only where one of its type is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from frontdesk.kg.english.words import Word


class MentionType(StrEnum):
    """What a tagged mention is."""

    PERSON = "person"           # "Ada Berg"
    EVENT = "event"             # "the lens review" (without its article)
    ROOM = "room"               # "Cedar", "room 214"
    GROUP = "group"             # "the Optics team" (without its article)
    TIME = "time"               # "half past nine"
    DATE = "date"               # "next Tuesday"
    DURATION = "duration"       # "half an hour"
    ATTRIBUTE = "attribute"     # "phone number"
    PRONOUN = "pronoun"         # "it", "her"
    DEFINITE = "definite"       # "the meeting", "that group"
    SPEAKER = "speaker"         # the name after "my name is"


OUTSIDE = 0
TYPES = tuple(MentionType)
#: Outside, then the beginning and the inside of every type.
N_LABELS = 1 + 2 * len(TYPES)


def beginning(kind: MentionType) -> int:
    """The label of the first word of a mention."""
    return 1 + 2 * TYPES.index(kind)


def inside(kind: MentionType) -> int:
    """The label of a further word of a mention."""
    return beginning(kind) + 1


@dataclass(frozen=True)
class TaggedSpan:
    """A stretch of an utterance that is a mention.

    Args:
        start, end: Character offsets.
        type: What it is.
        probability: In (0, 1]: that of the least certain of its words being of the type.
    """

    start: int
    end: int
    type: MentionType
    probability: float


def spans_of(words: Sequence[Word], probabilities: npt.NDArray[np.float64]) -> list[TaggedSpan]:
    """The mentions of the most probable sequence of labels that makes sense.

    Args:
        words: Of an utterance.
        probabilities: ``(n_words, N_LABELS)``, rows that sum to 1.

    Example:
        >>> from frontdesk.kg.english.words import split_words
        >>> rows = np.full((3, N_LABELS), 1e-3)
        >>> rows[0, OUTSIDE] = rows[1, beginning(MentionType.PERSON)] = 0.9
        >>> rows[2, inside(MentionType.ROOM)] = 0.5
        >>> rows[2, inside(MentionType.PERSON)] = 0.4
        >>> [(span.start, span.end, str(span.type))
        ...  for span in spans_of(split_words("find Ada Berg"), rows)]
        [(5, 13, 'person')]
    """
    labels = _best_sequence(np.log(np.maximum(probabilities, 1e-12)))
    found: list[TaggedSpan] = []
    first = 0
    for position, label in enumerate(labels):
        if label == OUTSIDE:
            continue
        if label % 2:
            first = position
        following = labels[position + 1] if position + 1 < len(labels) else OUTSIDE
        if following != OUTSIDE and following % 2 == 0:
            continue
        kind = (label - 1) // 2
        sure = probabilities[first:position + 1, 1 + 2 * kind:3 + 2 * kind].sum(axis=1).min()
        found.append(TaggedSpan(words[first].start, words[position].end, TYPES[kind],
                                min(float(sure), 1.0)))
    return found


def _allowed() -> npt.NDArray[np.float64]:
    """0 where a label may follow another, ``(before, after)``; minus infinity where not."""
    matrix = np.zeros((N_LABELS, N_LABELS))
    for kind in TYPES:
        matrix[:, inside(kind)] = -np.inf
        matrix[[beginning(kind), inside(kind)], inside(kind)] = 0
    return matrix


_TRANSITIONS = _allowed()


def _best_sequence(scores: npt.NDArray[np.float64]) -> list[int]:
    """The labels with the greatest sum of ``(n_words, N_LABELS)`` scores (Viterbi)."""
    if not len(scores):
        return []
    best = scores[0] + _TRANSITIONS[OUTSIDE]
    before = []
    for row in scores[1:]:
        reached = best[:, None] + _TRANSITIONS
        before.append(reached.argmax(axis=0))
        best = reached.max(axis=0) + row
    labels = [int(best.argmax())]
    for choice in reversed(before):
        labels.append(int(choice[labels[-1]]))
    return labels[::-1]
