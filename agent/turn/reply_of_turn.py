"""The reply of a turn whose stages have run, with everything that it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial

from frontdesk.agent.turn.faithfulness import Faithfulness
from frontdesk.agent.turn.reply import Reply, named_links
from frontdesk.agent.turn.turn_state import TurnState
from frontdesk.scoring.ranked_fact import RankedFact, RankedFacts


def reply_of(state: TurnState, faithfulness: Faithfulness) -> Reply:
    """The reply of a turn.

    Args:
        state: After its last stage.
        faithfulness: Scores the reply when somebody asks for that.
    """
    ranked, checked, visible = state.ranked, state.checked, state.visible
    asked = state.acted.question or state.linked
    answers = state.answered.answers if state.answered is not None else ()
    notes = [*state.notes, *(note for answer in answers for note in answer.notes)]
    told = Reply(
        text=checked.reply.text, facts=checked.reply.used, knowledge=ranked.knowledge,
        links=named_links(asked.linked.within(visible.kb), visible.kb, visible.link_prover,
                          state.verbalised.verbaliser),
        generator=checked.generator, actions=state.acted.outcomes,
        notes=tuple(dict.fromkeys(notes)), timings_ms=state.timings_ms,
        turn=state.remembered, kb=visible.kb,
        readings=state.parsed.meaning.readings, answers=answers)
    if state.acted.question is None:
        return told
    derivable, request = state.inferred.derivable, ranked.request
    facts = RankedFacts(cache(partial(_as_ranked, checked.reply.used, ranked.candidates)))
    return replace(
        told, graph_check=checked.verdict, repaired=checked.repaired, steps=tuple(checked.steps),
        notes=tuple(dict.fromkeys([*told.notes, *asked.observation.notes, *checked.notes,
                                   *checked.reply.notes])),
        facts=facts, context=ranked.context, candidates=ranked.candidates, request=request,
        derivable=derivable,
        score=lambda: faithfulness.over(visible.kb).score(
            replace(request, knowledge=_united(facts, ranked.knowledge)),
            [checked.reply.text])[0],
        prove=lambda fact: derivable().proof(fact))


def _as_ranked(used: Sequence[RankedFact], candidates: Sequence[RankedFact]
               ) -> list[RankedFact]:
    """The facts in use, each as relevant as it was found to be."""
    found = {each.fact: each for each in candidates} if used else {}
    return [found.get(each.fact, each) for each in used]


def _united(used: Sequence[RankedFact], knowledge: Sequence[RankedFact]) -> list[RankedFact]:
    """The facts in use, then the other ones that were given."""
    return [*used, *(each for each in knowledge if each not in used)]
