"""``parse``: what is said, and by whom.

Which names an utterance may have depends on who speaks, and the utterance may tell that. So both
are found out before anything is written into the dialogue graph.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from frontdesk.agent.acting.situation import visible_to
from frontdesk.agent.turn.turn_state import TurnState
from frontdesk.agent.understanding.introductions import may_tell_who_speaks, who_speaks
from frontdesk.agent.understanding.link_utterance import link_in_draft
from frontdesk.agent.understanding.patterns.readings import LIKELY
from frontdesk.agent.understanding.semantic_parser import Parse, SemanticParser
from frontdesk.kg.graph.dialogue_graph import USER, Identity


@dataclass(frozen=True)
class ParseUtterance:
    """Reads what is said.

    Args:
        parser: Reads it as whoever speaks may mean it.
    """

    name: ClassVar[str] = "parse"
    parser: SemanticParser

    def run(self, state: TurnState) -> None:
        """Set ``parsed``, ``visible`` and who speaks; begin the turn in the dialogue graph."""
        inputs, dialogue = state.inputs, state.inputs.dialogue
        before = dialogue.user_identity()
        state.knew_user = before is not None
        parse, identity = self._read(state)
        changed = before is not None and before[1] > LIKELY and (
            identity is None or identity[0] != before[0])
        visible = visible_to(state.visible.snapshot, identity, inputs.access)
        if changed:
            state.notes.append("somebody else speaks: what was said before is forgotten")
            state.knew_user, state.afresh = False, True
            dialogue.forget_from(0, identity)
        elif identity != before:
            dialogue.set_user_identity(identity)
        if changed or visible is not state.visible:  # they may speak of more, or of less
            state.visible = visible
            parse, again = self._read(state)
            if again != identity:
                dialogue.set_user_identity(again)
        state.notes.extend(parse.notes)
        state.parsed = parse
        state.turn = dialogue.add_turn(USER, inputs.hypotheses, at=inputs.now)
        dialogue.set_question(state.turn, parse.observation.text)

    def _read(self, state: TurnState) -> tuple[Parse, Identity | None]:
        """What is said, by what is known of who speaks, and who that is after it."""
        inputs, domain = state.inputs, state.visible.domain
        parse = self.parser.parse(inputs.hypotheses, inputs.dialogue, domain, now=inputs.now)
        identity = inputs.dialogue.user_identity()
        if may_tell_who_speaks(parse, identity):
            identity = who_speaks(inputs.dialogue, link_in_draft(
                domain, inputs.dialogue, parse, now=inputs.now))
        return parse, identity
