"""The words of an answer that is proved, in the place of those of a realiser."""

from __future__ import annotations

from dataclasses import dataclass

from frontdesk.agent.domains.query_answering import AnsweredQueries
from frontdesk.agent.turn.turn_state import ANSWERS, TurnState
from frontdesk.generation.answers.realiser import opening
from frontdesk.generation.checks.agreement import can_be_given
from frontdesk.generation.voice.generator import (
    Clarification,
    GeneratedReply,
    GenerationInput,
    Generator,
)
from frontdesk.kg.graph.facts import Fact
from frontdesk.scoring.ranked_fact import RankedFact


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
    answered = proved_answer(state)
    return realiser if answered is None else AnswerWords(answered)


def is_said_as_it_stands(state: TurnState) -> bool:
    """Whether an answer is proved that is not worded otherwise.

    Beside something that is arranged "it" would be that, so an answer names what it is of.
    """
    answer = proved_answer(state)
    return answer is not None and bool(state.acted.outcomes or not can_be_given(answer))


def proved_answer(state: TurnState) -> GeneratedReply | None:
    """The answer of the queries of a turn, its facts as relevant as can be; None where no query is
    answered."""
    answered, request = state.answered, state.ranked.request
    if answered is None:
        return None
    # What is said to acts greets by itself, and a danger is not greeted.
    asks = bool(answered.answers or answered.quoted) and not state.parsed.meaning.warns
    greeting = opening(request) if asks else ""
    clarification = request.clarification() if answered.asks_who_speaks else _asked_back(answered)
    sentences = {fact: RankedFact(fact, text, 1.0)
                 for text, fact in answer_sentences(state).items()}
    used = answered.quoted if clarification is not None else (
        *answered.quoted, *(sentences[each] for each in answered.facts if each in sentences))
    return GeneratedReply(f"{greeting} {answered.text}".strip(), used,
                          clarification=clarification, core=answered.core)


def answer_sentences(state: TurnState) -> dict[str, Fact]:
    """The facts that answer by their sentences, each as sure as what was heard."""
    known = {fact: fact for fact, _ in state.verbalised.sentences}
    facts = state.answered.facts if state.answered is not None else ()
    return {state.verbalised.verbaliser.say(fact): known.get(fact, fact) for fact in facts}


def _asked_back(answered: AnsweredQueries) -> Clarification | None:
    """Which one is meant, where that is asked; what waits for it are queries, and no words."""
    asked = answered.asked_back
    return Clarification("", asked.options) if asked is not None and not asked.taken else None
