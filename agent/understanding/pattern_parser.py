"""Reads utterances by the names in them and by patterns, as they go on with what was said before.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from frontdesk.agent.access.access_rights import BY_CALLER
from frontdesk.agent.domains.domain_pack import Components
from frontdesk.agent.understanding.follow_up import FullQuestion, full_question
from frontdesk.agent.understanding.semantic_parser import Parse
from frontdesk.kg.english.words import split_words
from frontdesk.kg.graph.dialogue_graph import USER, DialogueGraph, Hypothesis
from frontdesk.kg.graph.mentions import DialogueAct, Observation
from frontdesk.kg.graph.windows import WindowKind
from frontdesk.rules.linking.n_best import ReadHypotheses, read_hypotheses

#: What is not done again where an earlier utterance is gone on with.
_SOCIAL = frozenset({DialogueAct.GREET, DialogueAct.INTRODUCE, DialogueAct.THANK,
                     DialogueAct.GOODBYE, DialogueAct.PLEASANTRY})


@dataclass(frozen=True)
class PatternParser:
    """Reads utterances."""

    def parse(self, hypotheses: Sequence[Hypothesis], dialogue: DialogueGraph,
              domain: Components, *, now: dt.datetime) -> Parse:
        """See :class:`~frontdesk.agent.understanding.semantic_parser.SemanticParser`."""
        return _Reading(hypotheses, dialogue, domain, now).parse()


class _Reading:
    """One utterance on its way through the parser."""

    def __init__(self, hypotheses: Sequence[Hypothesis], dialogue: DialogueGraph,
                 domain: Components, now: dt.datetime) -> None:
        self.hypotheses, self.dialogue, self.domain, self.now = hypotheses, dialogue, domain, now
        self.notes: list[str] = []

    def parse(self) -> Parse:
        text = self.hypotheses[0].text
        focus = days_spoken_of(self.dialogue)
        first = self.domain.detector.detect(text, now=self.now, focus=focus)
        heard = self._without_claims(first)
        asked = FullQuestion(heard.text) if self.domain.queries is not None else \
            full_question(self.dialogue, self.domain, heard, self.now)
        hypotheses: ReadHypotheses | None = None
        observation = heard
        if asked.text != heard.text:
            observation = self._complete(heard, asked, focus)
        elif len(self.hypotheses) > 1:
            hypotheses = read_hypotheses(self.domain.detector, self.hypotheses, now=self.now,
                                         focus=focus, first=first)
            observation = first
        return Parse(
            observation, hypotheses, asked.settles(observation.mentions),
            tuple(days_before(self.dialogue)),
            asked.text if asked.text != heard.text else "", tuple(self.notes))

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
        if len(self.hypotheses) > 1:
            self.notes.append("only the first of what may have been said was read, for it goes "
                              "on with what was said before")
        observation = self.domain.detector.detect(asked.text, now=self.now, focus=focus)
        return replace(observation, acts=observation.acts - _SOCIAL | heard.acts)


def days_before(dialogue: DialogueGraph) -> list[dt.date]:
    """Days that the user spoke of in the last two turns, the latest first."""
    return _days(dialogue, 2)


def days_spoken_of(dialogue: DialogueGraph) -> list[dt.date]:
    """Days that the user spoke of in the last turn."""
    return _days(dialogue, 1)


def _days(dialogue: DialogueGraph, count: int) -> list[dt.date]:
    """Days of the last turns of the user, the latest turn first."""
    turns = islice((turn for turn in reversed(dialogue.turns)
                    if dialogue.speaker(turn) == USER), count)
    return list(dict.fromkeys(
        window.date for turn in turns for mention in dialogue.mentions(turn)
        if (window := dialogue.window(mention)) and window.kind is not WindowKind.NOW))
