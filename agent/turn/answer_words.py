"""The words of an answer that is proved, in the place of those of a realiser."""

from __future__ import annotations

from dataclasses import dataclass

from frontdesk.agent.domains.query_answering import AnsweredQueries
from frontdesk.agent.turn.turn_state import ANSWERS, TurnState
from frontdesk.generation.answers.realiser import opening
from frontdesk.generation.voice.generator import (
    Clarification,
    GeneratedReply,
    GenerationInput,
    Generator,
)


@dataclass
class AnswerWords:
    """Words one reply: the answer of the queries of a turn."""

    reply: GeneratedReply
    name: str = ANSWERS

    def generate(self, request: GenerationInput) -> GeneratedReply:
        """The answer, whatever else is known."""
        return self.reply


def realiser_of(state: TurnState, realiser: Generator) -> Generator:
    """What words the reply to a turn without a model.

    Args:
        realiser: Words facts where no query is answered.
    """
    answered = state.answered
    if answered is None:
        return realiser
    request, ranked = state.ranked.request, {each.fact: each for each in state.ranked.candidates}
    # What is said to acts greets by itself, and a danger is not greeted.
    asks = bool(answered.answers or answered.quoted) and not state.parsed.meaning.warns
    greeting = opening(request) if asks else ""
    clarification = request.clarification() if answered.asks_who_speaks else _asked_back(answered)
    used = answered.quoted if clarification is not None else (
        *answered.quoted, *(ranked[each] for each in answered.facts if each in ranked))
    return AnswerWords(GeneratedReply(
        f"{greeting} {answered.text}".strip(), used, clarification=clarification,
        core=answered.core))


def _asked_back(answered: AnsweredQueries) -> Clarification | None:
    """Which one is meant, where that is asked; what waits for it are queries, and no words."""
    asked = answered.asked_back
    return Clarification("", asked.options) if asked is not None and not asked.taken else None
