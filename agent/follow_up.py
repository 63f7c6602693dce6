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
from frontdesk.kg.entities import Entity, EntityType, Event
from frontdesk.kg.mentions import DialogueAct, Mention, MentionKind, Observation
from frontdesk.kg.windows import Window, WindowKind

if TYPE_CHECKING:
    from frontdesk.agent.agent import Agent

_ELLIPSIS = re.compile(r"^\W*(?:(?:ok(?:ay)?|thanks|great|alright)\W+)?(?:and|what about|how about|"
                       r"and what about|and how about|or)\b", re.IGNORECASE)
_POSITIONS = {"first": 0, "former": 0, "second": 1, "latter": -1, "third": 2, "fourth": 3,
              "fifth": 4, "last": -1, "1": 0, "2": 1, "3": 2, "4": 3, "5": 4}
_ORDINAL = re.compile(rf"\W*(?:the\s+|number\s+)?({'|'.join(_POSITIONS)})(?:\s+one)?"
                      r"(?:\W+please)?\W*", re.IGNORECASE)
_JUST_A_NAME = re.compile(r"\W*(?:(?:no|sorry|i mean|i meant|the|for|please|one)\W*)*",
                          re.IGNORECASE)
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
        if pending and options and not found_cues(said) - WEAK_CUES:
            chosen = _chosen(agent, said, options)
            if chosen is not None:
                return _with_name(agent, pending, chosen, now), chosen
            other = _other_name(said)
            if other is not None:
                return _with_other_name(agent, pending, options, other, now), None
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
    spoken_of = [window for window in said.windows() if window.kind is not WindowKind.NOW]
    then = [option for option in options if any(
        _is_then(agent.kb.entity(option), window) for window in spoken_of)]
    if len(then) == 1:
        return then[0]
    match = _ORDINAL.fullmatch(said.text)
    if match and not names:
        position = _POSITIONS[match[1].lower()]
        if -len(options) <= position < len(options):
            return options[position]
    if DialogueAct.CONFIRM in said.acts and not names and len(options) == 1:
        return options[0]
    return None


def _is_then(entity: Entity, window: Window) -> bool:
    """Whether an option is an event at a time: "the one on Tuesday"."""
    return isinstance(entity, Event) and window.overlaps(entity.start, entity.end)


def _other_name(said: Observation) -> Mention | None:
    """The name that answers a question with something it did not offer: "No, Bo Haraldsen"."""
    names = [mention for mention in said.mentions if mention.kind is MentionKind.NAME]
    rest = said.text
    for mention in names:
        rest = rest.replace(mention.text, "")
    return names[0] if len(names) == 1 and _JUST_A_NAME.fullmatch(rest) else None


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
    target = _unclear(agent, question, frozenset({chosen.type}), now)
    if target is None:
        return question
    return question[:target.start] + chosen.name + question[target.end:]


def _with_other_name(agent: Agent, question: str, options: tuple[str, ...], said: Mention,
                     now: dt.datetime) -> str:
    """The question with the name that was unclear replaced by another."""
    types = frozenset(agent.kb.entity(option).type for option in options)
    target = _unclear(agent, question, types, now)
    if target is None:
        return said.text
    return question[:target.start] + said.text + question[target.end:]


def _unclear(agent: Agent, question: str, types: frozenset[EntityType],
             now: dt.datetime) -> Mention | None:
    """The name in a question that fits no entity of some types in full, else the first."""
    observation = agent.detector.detect(question, now=now)
    names = [mention for mention in observation.mentions if mention.kind is MentionKind.NAME
             and not mention.introduces_speaker]
    unclear = [mention for mention in names
               if not any(other.type in types for other in agent.kb.named(mention.name))]
    return next(iter(unclear or names), None)


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
