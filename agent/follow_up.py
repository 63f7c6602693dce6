"""Follow-ups: utterances that only make sense with an earlier question.

"Yes" or "Ines Okafor" answers what the agent asked back; "and tomorrow?", "what about Rowan?"
ask the last question again with something else in it. Both are turned into the full question.
"""

from __future__ import annotations

import datetime as dt
import re
from typing import TYPE_CHECKING

from frontdesk.kg.cues import OVERVIEW_CUES, WEAK_CUES, found_cues
from frontdesk.kg.dialogue_graph import AGENT, USER, DialogueGraph
from frontdesk.kg.mentions import DialogueAct, Mention, MentionKind, Observation

if TYPE_CHECKING:
    from frontdesk.agent.agent import Agent

_ELLIPSIS = re.compile(r"^\W*(?:(?:ok(?:ay)?|thanks|great|alright)\W+)?(?:and|what about|how about|"
                       r"and what about|and how about|or)\b", re.IGNORECASE)
_REFERRING = (MentionKind.NAME, MentionKind.PRONOUN, MentionKind.DEFINITE, MentionKind.RELATION,
              MentionKind.FIRST_PERSON)


def full_question(graph: DialogueGraph, agent: Agent, said: Observation, now: dt.datetime
                  ) -> tuple[str, str | None]:
    """What an utterance asks, in words that need no earlier turn.

    Args:
        graph: The dialogue before the utterance.
        agent: Detects mentions and knows the names.
        said: What was read from the utterance.
        now: Zone-aware present.

    Returns:
        The question (the utterance itself when it stands alone) and the id of the entity that
        the user chose, None when there was no choice.
    """
    if graph.turns and graph.speaker(graph.turns[-1]) == AGENT:
        pending, options = graph.question(graph.turns[-1])
        if pending and not options and DialogueAct.INTRODUCE in said.acts:
            return (said.text if found_cues(said) - WEAK_CUES
                    else f"{said.text.rstrip(' .!')}. {pending}"), None
        if pending and not found_cues(said) - WEAK_CUES:
            chosen = _chosen(agent, said, options)
            if chosen is not None:
                return _with_name(agent, pending, chosen, now), chosen
    if _ELLIPSIS.match(said.text) and not found_cues(said) - WEAK_CUES - OVERVIEW_CUES:
        before = next((graph.question(turn)[0] for turn in reversed(graph.turns)
                       if graph.speaker(turn) == USER), "")
        if before:
            return _with_replacement(agent, before, said, now), None
    return said.text, None


def _chosen(agent: Agent, said: Observation, options: tuple[str, ...]) -> str | None:
    """The option that the user picks, None when none is."""
    names = [mention for mention in said.mentions if mention.kind is MentionKind.NAME]
    for mention in names:
        words = set(mention.name.casefold().replace("-", " ").split())
        fitting = [option for option in options
                   if words <= set(_words(agent, option))]
        if len(fitting) == 1:
            return fitting[0]
    positions = {"first": 0, "second": 1, "third": 2, "last": len(options) - 1}
    match = re.fullmatch(r"\W*(?:the\s+)?(first|second|third|last)(?:\s+one)?(?:\W+please)?\W*",
                         said.text, re.IGNORECASE)
    if match and not names and positions[match[1].lower()] < len(options):
        return options[positions[match[1].lower()]]
    if DialogueAct.CONFIRM in said.acts and not names and len(options) == 1:
        return options[0]
    return None


def _words(agent: Agent, option: str) -> list[str]:
    """Words that tell an option from others: its name, its group, its organiser."""
    entity = agent.kb.entity(option)
    texts = [entity.name]
    for attribute in ("group", "office", "organizer", "location"):
        value = getattr(entity, attribute, None)
        if value:
            texts.append(agent.kb.entity(value).name)
    return [word for text in texts for word in text.casefold().replace("-", " ").split()]


def _with_name(agent: Agent, question: str, entity: str, now: dt.datetime) -> str:
    """The question with the name that was unclear replaced by the entity's."""
    chosen = agent.kb.entity(entity)
    observation = agent.detector.detect(question, now=now)
    names = [mention for mention in observation.mentions if mention.kind is MentionKind.NAME
             and not mention.introduces_speaker]
    unclear = [mention for mention in names
               if not any(other.type is chosen.type for other in agent.kb.named(mention.name))]
    target = next(iter(unclear or names), None)
    if target is None:
        return question
    return question[:target.start] + chosen.name + question[target.end:]


def _with_replacement(agent: Agent, question: str, said: Observation, now: dt.datetime) -> str:
    """The last question with its time or entity replaced by the one in the follow-up."""
    before = agent.detector.detect(question, now=now)
    for mention in said.mentions:
        if mention.kind is MentionKind.TIME:
            old = next((each for each in before.mentions if each.kind is MentionKind.TIME), None)
            text = question.rstrip(" ?.!")
            return (_replaced(question, old, mention.text) if old
                    else f"{text} {mention.text}?")
        if mention.kind is MentionKind.NAME:
            old = next((each for each in before.mentions if each.kind in _REFERRING
                        and (not each.types or not mention.types or each.types & mention.types)
                        and each.probability > 0.5), None)
            return _replaced(question, old, mention.text) if old else said.text
    return said.text


def _replaced(question: str, old: Mention, new: str) -> str:
    possessive = old.text.lower() in ("my", "his", "her", "their", "its")
    gap = "" if old.text else " "  # what goes without saying stands nowhere
    return question[:old.start] + gap + new + ("'s" if possessive else "") + question[old.end:]
