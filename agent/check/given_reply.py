"""The faithfulness check alone: a reply that anybody gave, judged by what an agent knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from frontdesk.agent.evaluation.grounding_facts import grounding_facts
from frontdesk.agent.sessions.agent import Agent
from frontdesk.generation.answers.told_facts import told_facts
from frontdesk.generation.checks.q2.text_spans import split_sentences
from frontdesk.generation.voice.generator import GenerationInput
from frontdesk.kg.graph.dialogue_graph import USER, DialogueGraph
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.graph.mentions import Observation
from frontdesk.scoring.ranked_fact import RankedFact

#: A mention speaks of what it refers to at least so probably.
_MEANT = 0.5
#: Facts of the graph that Q² and PMI-FAITH read where no knowledge is given.
_MOST_FACTS = 20


def check_given_reply(agent: Agent, history: Sequence[tuple[str, str]], response: str,
                      knowledge: Sequence[str] = (), *, speaker: str | None = None,
                      role: str | None = None) -> dict[str, Any]:
    """Q², PMI-FAITH and the graph's verdict, as the replies of an agent have them.

    Args:
        history: ``(speaker, text)`` before the reply, ``user`` or ``agent``; the user's the last.
        knowledge: Texts that Q² and PMI-FAITH go by; the facts of the graph where none is given.
        speaker: Id of the person who is spoken to; a visitor where not given.
        role: The role that the caller vouches for, if any.

    Returns:
        ``faithfulness``, ``faithfulness_parts``, ``q2``, ``q2_evidence``, ``pmi_faith``,
        ``skipped`` and ``graph`` with ``verdict`` and ``claims``.

    Raises:
        InputError: The history does not end with a turn of the user, or the role does not go with
            the speaker.
    """
    if not history or history[-1][0] != USER:
        raise InputError("the history has no turn of the user at its end",
                         remedy="Give what the reply answers")
    alone = agent.without_actions()
    seen = alone.viewed_by(speaker, certain=speaker is not None, role=role)
    session = alone.session(speaker=speaker, role=role)
    now = alone.clock().astimezone(seen.kb.timezone)
    for who, text in history[:-1]:
        (session.listen if who == USER else session.say)(text, now=now)
    ours = session.reply(history[-1][1], now=now)
    spoken_of, about = _meant(session.graph), [link.entity_id for link in ours.links]
    session.take_back(len(session.graph.turns) - 1)
    session.say(response, now=now)
    named = _meant(session.graph, session.graph.turns[-1:])
    say = seen.domain.verbaliser(now, speaker).say
    stored = (fact for entity in sorted(spoken_of | named) for fact in seen.kb.facts_about(entity))
    facts = grounding_facts(
        [RankedFact(fact, say(fact), 1.0) for fact in dict.fromkeys([*stored, *ours.derivable()])],
        spoken_of=spoken_of, named=named, about=about)
    verdict = seen.domain.check.check(
        response, facts, now=now, said=" ".join(text for _, text in history),
        spoken_of=spoken_of, asked=ours.context.observation.windows() if ours.context else ())
    told = [sentence for text in knowledge for _, sentence in split_sentences(text)]
    request = GenerationInput(
        history, told_facts(told) if told else (ours.candidates or facts)[:_MOST_FACTS],
        ours.context.observation if ours.context else Observation(history[-1][1]))
    faithfulness = alone.components.faithfulness.over(seen.kb)
    return {**faithfulness.of_given(request, response), "graph": verdict.to_data()}


def _meant(graph: DialogueGraph, turns: Sequence[str] | None = None) -> set[str]:
    """Ids of the entities that turns speak of; those of the user are in none."""
    return {link.entity for turn in (graph.turns if turns is None else turns)
            for mention in graph.mentions(turn) for link in graph.referents(mention)
            if link.probability > _MEANT}
