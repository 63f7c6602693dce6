"""``parse``: what is said, and by whom.

Which names an utterance may have depends on who speaks, and the utterance may tell that. So both
are found out before anything is written into the dialogue graph.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from frontdesk.agent.acting.action_context import visible_to
from frontdesk.agent.acting.visitor_notices import acts_to_tell
from frontdesk.agent.domains.visible_domain import VisibleDomain
from frontdesk.agent.turn.turn_state import ParsedTurn, RecognisedUser, TurnInputs, TurnState
from frontdesk.agent.understanding.form_acts import with_acts
from frontdesk.agent.understanding.house_questions import asked_before, house_questions
from frontdesk.agent.understanding.introductions import (
    may_tell_who_speaks,
    who_speaks,
    with_introduction,
)
from frontdesk.agent.understanding.link_utterance import link_in_draft
from frontdesk.agent.understanding.meaning import LIKELY, Meaning, MeaningReader
from frontdesk.agent.understanding.open_choice import choice_left_open
from frontdesk.agent.understanding.semantic_parser import Parse, SemanticParser
from frontdesk.agent.understanding.surface_cues import SurfaceCues
from frontdesk.agent.understanding.wanted_before import asked_for
from frontdesk.kg.graph.dialogue_graph import USER, DialogueGraph, Identity


@dataclass(frozen=True)
class ParseUtterance:
    """Reads what is said.

    Args:
        parser: Reads it as whoever speaks may mean it.
        meaning: Reads its logical forms; None where no trained parser does.
    """

    name: ClassVar[str] = "parse"
    parser: SemanticParser
    meaning: MeaningReader | None = None

    def run(self, state: TurnState) -> None:
        """Set ``recognised`` and ``parsed``; begin the turn in the dialogue graph."""
        inputs, dialogue = state.inputs, state.inputs.dialogue
        before = dialogue.user_identity()
        parse, meaning, identity = self._read(inputs, dialogue, state.refreshed)
        changed = before is not None and before[1] > LIKELY and (
            identity is None or identity[0] != before[0])
        state.recognised = RecognisedUser(before is not None and not changed, changed)
        visible = visible_to(state.refreshed.snapshot, identity, inputs.access)
        if changed or visible is not state.refreshed:  # they may speak of more, or of less
            parse, meaning, identity = self._read(
                inputs, dialogue.said_by(identity, afresh=changed), visible)
        if changed:
            state.notes.append("somebody else speaks: what was said before is forgotten")
            dialogue.forget_from(0, identity)
        elif identity != before:
            dialogue.set_user_identity(identity)
        state.notes.extend(parse.notes)
        understood = parse.observation.text
        questions = house_questions(meaning, understood, asked_before(dialogue))
        history = (*dialogue.history(), (USER, understood))
        turn = dialogue.add_turn(USER, inputs.hypotheses, at=inputs.now)
        dialogue.set_question(turn, understood)
        cues = SurfaceCues.heard(inputs.hypotheses, understood)
        state.parsed = ParsedTurn(
            parse, visible, turn, cues, history, meaning,
            acts_to_tell(meaning, inputs.hypotheses[0].text), questions)

    def _read(self, inputs: TurnInputs, dialogue: DialogueGraph, visible: VisibleDomain
              ) -> tuple[Parse, Meaning, Identity | None]:
        """What is said and meant, by what is known of who speaks, and who that is after it."""
        domain, identity = visible.domain, dialogue.user_identity()
        meaning = self._meaning(inputs, dialogue, visible)
        parse = self.parser.parse(inputs.hypotheses, dialogue, domain, now=inputs.now)
        if domain.queries is not None:
            parse = with_introduction(
                with_acts(parse, meaning, domain.queries), meaning, identity)
        if may_tell_who_speaks(parse, identity):
            identity = who_speaks(dialogue, link_in_draft(
                domain, dialogue, parse, now=inputs.now), meaning.forms)
        return parse, meaning, identity

    def _meaning(self, inputs: TurnInputs, dialogue: DialogueGraph, visible: VisibleDomain
                 ) -> Meaning:
        """The logical forms of what is said; none where no trained parser reads."""
        answering = visible.domain.queries
        if self.meaning is None or answering is None:
            return Meaning()
        return self.meaning.read(inputs.hypotheses, dialogue, answering.names,
                                 asked=asked_for(dialogue), predicates=answering.predicates,
                                 refers=partial(answering.refers, dialogue=dialogue,
                                                now=inputs.now),
                                 linked=partial(answering.linked, dialogue=dialogue,
                                                now=inputs.now),
                                 choice=choice_left_open(dialogue, partial(
                                     answering.meant_among, now=inputs.now)))
