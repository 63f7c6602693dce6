"""``generate``: the replies to choose from, and the words for what was done."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

from frontdesk.agent.acting.policy import Step
from frontdesk.agent.acting.worded_questions import WORDED
from frontdesk.agent.settings.settings import CheckSettings, Repair
from frontdesk.agent.turn.answer_words import is_said_as_it_stands, realiser_of
from frontdesk.agent.turn.turn_state import GeneratedReplies, TurnState
from frontdesk.generation.voice.generator import (
    GeneratedReply,
    GenerationInput,
    Generator,
    NBestGenerator,
)
from frontdesk.kg.graph.errors import UnavailableError


@dataclass(frozen=True)
class GenerateReplies:
    """Words replies.

    Args:
        realiser: Words them in its place.
        settings: How many replies there are to choose from.
        stand_in: Whether the realiser stands in for a generator that does not answer.
    """

    name: ClassVar[str] = "generate"
    generator: Generator
    realiser: Generator
    settings: CheckSettings
    _: KW_ONLY
    stand_in: bool = True

    def run(self, state: TurnState) -> None:
        """Set ``generated``.

        Raises:
            UnavailableError: The generator cannot answer, and nobody may stand in for it.
        """
        began = time.monotonic()
        words = " ".join(filter(None, (*(each.text for each in state.acted.outcomes),
                                       state.notified)))
        if state.acted.question is None:
            state.generated = GeneratedReplies(
                self.generator.name, self._questions(state), words, began)
        else:
            state.generated = GeneratedReplies(*self._replies(state), words, began)

    def _replies(self, state: TurnState) -> tuple[str, Sequence[GeneratedReply]]:
        """Who words the reply to a question, and the replies to choose from."""
        request: GenerationInput = state.ranked.request
        realiser = realiser_of(state, self.realiser)
        alone = Repair(self.settings.repair) is Repair.NONE  # judged by all of its own words
        if self.generator is not self.realiser and (alone or not is_said_as_it_stands(state)):
            if state.inputs.hurried:
                state.notes.append("worded by templates: many others wait")
            elif replies := self._generated(state, 1 if alone else self.settings.candidates,
                                            stand_in=self.stand_in):
                return self.generator.name, replies
        return realiser.name, [realiser.generate(request)]

    def _questions(self, state: TurnState) -> Sequence[GeneratedReply]:
        """The generator's words for the question what is missing, where it may ask that."""
        outcomes = state.acted.outcomes
        decision = outcomes[-1].decision
        if (len(outcomes) > 1 or decision is None or decision.step is not Step.ASK
                or decision.slot not in WORDED or outcomes[-1].text.count(".")
                or not isinstance(self.generator, NBestGenerator)):
            return ()
        return self._generated(state, self.settings.candidates, stand_in=True)

    def _generated(self, state: TurnState, count: int, *, stand_in: bool
                   ) -> Sequence[GeneratedReply]:
        """The generator's replies; none where it does not answer and others may stand in."""
        request = state.ranked.request
        try:
            if isinstance(self.generator, NBestGenerator):
                return self.generator.generate_several(request, count)
            return [self.generator.generate(request)]
        except UnavailableError as error:
            if not stand_in:
                raise
            state.notes.append(f"{self.generator.name} did not answer: {error}")
            return ()
