"""Reads utterances by the names in them and by patterns, as they go on with what was said before.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from frontdesk.agent.access.access_rights import BY_CALLER
from frontdesk.agent.domains.domain_pack import Components
from frontdesk.agent.understanding.follow_up import FullQuestion, full_question
from frontdesk.agent.understanding.patterns.clauses import (
    asks,
    clauses,
    requests_in,
    wants_something_done,
)
from frontdesk.agent.understanding.patterns.confirmations import says_yes, yes_and_more
from frontdesk.agent.understanding.patterns.readings import LIKELY
from frontdesk.agent.understanding.semantic_parser import Parse
from frontdesk.kg.english.cues import WEAK_CUES, found_cues
from frontdesk.kg.english.words import split_words
from frontdesk.kg.graph.dialogue_graph import USER, DialogueGraph, Hypothesis
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.knowledge_graph import KnowledgeGraph
from frontdesk.kg.graph.mentions import DialogueAct, Observation
from frontdesk.kg.graph.pending_action import ActionStatus
from frontdesk.kg.graph.windows import WindowKind
from frontdesk.rules.linking.n_best import ReadHypotheses, read_hypotheses

#: What is not done again where an earlier utterance is gone on with.
_SOCIAL = frozenset({DialogueAct.GREET, DialogueAct.INTRODUCE, DialogueAct.THANK,
                     DialogueAct.GOODBYE, DialogueAct.PLEASANTRY})
_HOW_ABOUT = re.compile(r"\W*(?:\w+\W+){0,2}?(?:what|how) about\b", re.IGNORECASE)
_THAT_DAY = re.compile(r"\b(?:that|same) day\b", re.IGNORECASE)


@dataclass(frozen=True)
class PatternParser:
    """Reads utterances.

    Args:
        acts: Something can be done for whoever speaks, so an utterance may ask for that.
    """

    acts: bool = False

    def parse(self, hypotheses: Sequence[Hypothesis], dialogue: DialogueGraph,
              domain: Components, *, now: dt.datetime) -> Parse:
        """See :class:`~frontdesk.agent.understanding.semantic_parser.SemanticParser`."""
        return _Reading(self.acts, hypotheses, dialogue, domain, now).parse()


class _Reading:
    """One utterance on its way through the parser."""

    def __init__(self, acts: bool, hypotheses: Sequence[Hypothesis], dialogue: DialogueGraph,
                 domain: Components, now: dt.datetime) -> None:
        self.acts, self.hypotheses, self.dialogue = acts, hypotheses, dialogue
        self.domain, self.now = domain, now
        self.notes: list[str] = []
        action = dialogue.last_action()
        self.pending = action if action is not None and action.is_open else None
        self.focus = days_before(dialogue)

    def parse(self) -> Parse:
        text = self.hypotheses[0].text
        focus = days_spoken_of(self.dialogue, self.domain.kb, text)
        first = self.domain.detector.detect(text, now=self.now, focus=focus)
        heard = self._without_claims(first)
        asked = FullQuestion(heard.text) if self._goes_on(heard) else full_question(
            self.dialogue, self.domain, heard, self.now)
        hypotheses: ReadHypotheses | None = None
        observation = heard
        if asked.text != heard.text:
            observation = self._complete(heard, asked, focus)
        elif len(self.hypotheses) > 1:
            hypotheses = read_hypotheses(self.domain.detector, self.hypotheses, now=self.now,
                                         focus=focus, first=first)
            observation = first
        requests = self._requests(observation.text)
        parts = tuple(map(self._part, requests))
        waiting = tuple(map(self._part, self.pending.waiting)) if self.pending is not None else ()
        return Parse(
            observation, hypotheses, asked.settles(observation.mentions), parts,
            waiting if self.acts else (),
            self._questions([*(requests or [observation.text]), *(each.text for each in waiting)]),
            tuple(self.focus), tuple(self.notes))

    def _without_claims(self, heard: Observation) -> Observation:
        """An utterance that introduces nobody, where the caller has told who speaks."""
        identity = self.dialogue.user_identity()
        if identity is None or identity[2].rule != BY_CALLER:
            return heard
        known = {word.text for word in split_words(self.domain.kb.entity(identity[0]).name)}
        claims = [each for each in heard.mentions if each.introduces_speaker
                  and not {word.text for word in split_words(each.text)} <= known]
        if not claims:
            return heard
        self.notes.append("who speaks was told by the caller, so a claim does not count")
        return replace(heard, acts=heard.acts - {DialogueAct.INTRODUCE}, mentions=tuple(
            replace(each, introduces_speaker=False) if each in claims else each
            for each in heard.mentions))

    def _complete(self, heard: Observation, asked: FullQuestion,
                  focus: Sequence[dt.date]) -> Observation:
        """What is read from the question that an utterance makes with what was said before."""
        self.notes.append(f"understood as: {asked.text}")
        if len(self.hypotheses) > 1:
            self.notes.append("only the first of what may have been said was read, for it goes "
                              "on with what was said before")
        observation = self.domain.detector.detect(asked.text, now=self.now, focus=focus)
        acts = observation.acts - _SOCIAL | heard.acts
        return replace(observation, acts=acts | {DialogueAct.INTRODUCE} if asked.introduces
                       else acts)

    def _goes_on(self, heard: Observation) -> bool:
        """Whether an utterance is about an action, and not a question that goes on with another."""
        if self.acts and wants_something_done(heard.text):
            return True
        return self.pending is not None and (
            _HOW_ABOUT.match(heard.text) is not None
            or not (heard.asks and found_cues(heard, self.domain.schema) - WEAK_CUES))

    # --- parts

    def _requests(self, text: str) -> list[str]:
        """The requests of an utterance that has several."""
        if not self.acts:
            return []
        if self.pending is None:
            parts = requests_in(text)
        elif self.pending.status is ActionStatus.CONFIRMING:
            # Only "yes, and tell Bo that I am late" asks for two things then.
            parts = yes_and_more(text) or requests_in(text)
            parts = parts if len(parts) > 1 and says_yes(parts[0]) > LIKELY else []
        else:
            parts = []
        return parts if len(parts) > 1 else []

    def _part(self, text: str) -> Observation:
        """A part of an utterance by itself; whether it asks for something is known already."""
        found = self.domain.detector.detect(text, now=self.now, focus=self.focus)
        return replace(found, acts=found.acts - {DialogueAct.REQUEST_ACTION})

    def _questions(self, texts: Sequence[str]) -> dict[str, Observation]:
        """What is asked beside something that is to be done, together and one by one."""
        found: dict[str, Observation] = {}
        for text in texts if self.acts else ():
            if self.pending is None and not wants_something_done(text):
                continue
            asked = [each.text for each in clauses(text) if asks(each)]
            found |= {each: self._part(each) for each in dict.fromkeys([" ".join(asked), *asked])
                      if each and each not in found and each != text}
        return found


def days_before(dialogue: DialogueGraph) -> list[dt.date]:
    """Days that the user spoke of in the last two turns, the latest first."""
    return list(dict.fromkeys(_days(dialogue, 2)))


def days_spoken_of(dialogue: DialogueGraph, kb: KnowledgeGraph, text: str) -> list[dt.date]:
    """Days that the user spoke of in the last turn; "that day" in a text may be an event's."""
    days = _days(dialogue, 1)
    if _THAT_DAY.search(text):
        for turn in reversed(dialogue.turns[-4:]):
            for mention in dialogue.mentions(turn):
                for link in dialogue.referents(mention)[:1]:
                    entity = kb.entity(link.entity)
                    if isinstance(entity, Event):
                        days.append(entity.start.date())
    return list(dict.fromkeys(days))


def _days(dialogue: DialogueGraph, count: int) -> list[dt.date]:
    """Days of the last turns of the user, the latest turn first."""
    turns = islice((turn for turn in reversed(dialogue.turns)
                    if dialogue.speaker(turn) == USER), count)
    return [window.date for turn in turns for mention in dialogue.mentions(turn)
            if (window := dialogue.window(mention)) and window.kind is not WindowKind.NOW]
