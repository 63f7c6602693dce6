"""The interface that every generator fills, and what it is given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from frontdesk.kg.mentions import Mention, Observation
from frontdesk.kg.verbalise import FactVerbaliser
from frontdesk.rules.linking import LinkedMention
from frontdesk.scoring.ranked_fact import RankedFact


@dataclass(frozen=True)
class GenerationInput:
    """What a generator answers from.

    Args:
        history: ``(speaker, text)``, oldest first; the last is the user's turn to answer.
        knowledge: Facts sorted by relevance, the most relevant first.
        observation: What was read from the user's turn.
        links: What its mentions refer to.
        verbaliser: Says entities and facts as the knowledge does.
    """

    history: Sequence[tuple[str, str]]
    knowledge: Sequence[RankedFact]
    observation: Observation
    links: Sequence[LinkedMention] = ()
    verbaliser: FactVerbaliser | None = None


@dataclass(frozen=True)
class Clarification:
    """A question that a reply puts back to the user before it can answer.

    Args:
        question: The user's words that wait for an answer.
        options: Ids of the entities that may be meant, the likeliest first.
        place: ``(start, end)`` in the question of the words whose meaning is asked for; None when
            it is not about words of the question.
    """

    question: str
    options: tuple[str, ...]
    place: tuple[int, int] | None = None


def said_at(mention: Mention) -> tuple[int, int] | None:
    """Where a mention stands in the user's words; None where only other hypotheses have it."""
    return (mention.start, mention.end) if mention.start < mention.end else None


@dataclass(frozen=True)
class GeneratedReply:
    """A reply with what it rests on.

    Args:
        text: The reply, one or more sentences.
        used: The facts it rests on, the first being the one that answers.
        clarification: What it asks back, None when it asks nothing.
        notes: What was trimmed or left out on the way, in words.
    """

    text: str
    used: tuple[RankedFact, ...] = ()
    clarification: Clarification | None = None
    notes: tuple[str, ...] = ()


class Generator(Protocol):
    """Words a reply from the dialogue history and ranked facts."""

    name: str

    def generate(self, request: GenerationInput) -> GeneratedReply:
        """Word a reply to the last turn of the history.

        Raises:
            UnavailableError: The model or endpoint behind it cannot answer.
        """
        ...
