"""``verbalise``: a sentence for each fact."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from frontdesk.agent.turn.turn_state import TurnState, VerbalisedFacts


@dataclass(frozen=True)
class VerbaliseFacts:
    """Says facts to whoever speaks."""

    name: ClassVar[str] = "verbalise"

    def run(self, state: TurnState) -> None:
        """Set ``verbalised``."""
        verbaliser = state.visible.domain.verbaliser(state.inputs.now, state.user)
        state.verbalised = VerbalisedFacts(
            [(fact, verbaliser.say(fact)) for fact in state.inferred.facts], verbaliser)
