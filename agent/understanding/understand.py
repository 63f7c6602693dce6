"""The first stages of a turn: observe and link, by what was said before and who speaks."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from frontdesk.agent.access.access_rights import BY_CALLER
from frontdesk.agent.turn.stopwatch import Stopwatch
from frontdesk.agent.understanding.follow_up import FullQuestion, full_question
from frontdesk.agent.understanding.patterns.clauses import passed_on_from, wants_something_done
from frontdesk.agent.understanding.patterns.confirmations import says_no
from frontdesk.kg.english.cues import WEAK_CUES, found_cues
from frontdesk.kg.english.lexicon import DENIED, IMPERSONAL
from frontdesk.kg.english.words import split_words
from frontdesk.kg.graph.dialogue_graph import USER, DialogueGraph, Hypothesis
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.mentions import DialogueAct, Mention, MentionKind, Observation
from frontdesk.kg.graph.pending_action import Slot
from frontdesk.kg.graph.windows import WindowKind
from frontdesk.rules.linking.linked import LinkedMention, LinkedTurn
from frontdesk.rules.linking.linking import Linker, chosen_link
from frontdesk.rules.linking.n_best import link_hypotheses
from frontdesk.scoring.encoder import CachedEncoder

if TYPE_CHECKING:
    from frontdesk.agent.sessions.agent import Agent

#: What is not done again where an earlier utterance is gone on with.
_SOCIAL = frozenset({DialogueAct.GREET, DialogueAct.INTRODUCE, DialogueAct.THANK,
                     DialogueAct.GOODBYE, DialogueAct.PLEASANTRY})
_HOW_ABOUT = re.compile(r"\W*(?:\w+\W+){0,2}?(?:what|how) about\b", re.IGNORECASE)
_THAT_DAY = re.compile(r"\b(?:that|same) day\b", re.IGNORECASE)


@dataclass(frozen=True)
class Understanding:
    """Writes an utterance with its mentions and what they mean into the dialogue graph.

    Args:
        agent: As the user may see it.
        graph: The dialogue.
        hypotheses: What may have been said, the likeliest first.
        now: Zone-aware present.
        clock: Takes the time of the stages.
        notes: What is to be told of the turn; added to.
    """

    agent: Agent
    graph: DialogueGraph
    hypotheses: Sequence[Hypothesis]
    now: dt.datetime
    clock: Stopwatch
    notes: list[str]

    def understand(self) -> tuple[str, Observation, LinkedTurn]:
        """Understand the utterance as the next turn of the user.

        Returns:
            Id of the turn, what was read from it, and what its mentions refer to.
        """
        with self.clock.stage("observe"):
            focus = self.focus()
            said = self._without_claims(self.agent.detector.detect(
                self.hypotheses[0].text, now=self.now, focus=focus))
            asked = FullQuestion(said.text) if self._goes_on(said) else full_question(
                self.graph, self.agent, said, self.now)
            question = asked.text
            turn = self.graph.add_turn(USER, self.hypotheses, at=self.now)
            if isinstance(self.agent.encoder, CachedEncoder) and self.agent.encoder.note:
                self.notes.append(self.agent.encoder.note)
        if question == said.text and len(self.hypotheses) > 1:
            with self.clock.stage("link"):
                return turn, *self._hear(turn, focus)
        with self.clock.stage("observe"):
            observation = said if question == said.text else self._complete(said, asked, focus)
            self.graph.set_question(turn, question)
            nodes = self._add_mentions(turn, observation.mentions)
        with self.clock.stage("link"):
            return turn, observation, self._link(
                turn, observation, nodes, asked.settles(observation.mentions))

    def _without_claims(self, said: Observation) -> Observation:
        """An utterance that introduces nobody, where the caller has told who speaks."""
        identity = self.graph.user_identity()
        if identity is None or identity[2].rule != BY_CALLER:
            return said
        known = {word.text for word in split_words(self.agent.kb.entity(identity[0]).name)}
        claims = [each for each in said.mentions if each.introduces_speaker
                  and not {word.text for word in split_words(each.text)} <= known]
        if not claims:
            return said
        self.notes.append("who speaks was told by the caller, so a claim does not count")
        return replace(said, acts=said.acts - {DialogueAct.INTRODUCE}, mentions=tuple(
            replace(each, introduces_speaker=False) if each in claims else each
            for each in said.mentions))

    def _complete(self, said: Observation, asked: FullQuestion,
                  focus: Sequence[dt.date]) -> Observation:
        """What is read from the question that an utterance makes with what was said before."""
        self.notes.append(f"understood as: {asked.text}")
        if len(self.hypotheses) > 1:
            self.notes.append("only the first of what may have been said was read, for it goes "
                              "on with what was said before")
        observation = self.agent.detector.detect(asked.text, now=self.now, focus=focus)
        acts = observation.acts - _SOCIAL | said.acts
        return replace(observation, acts=acts | {DialogueAct.INTRODUCE} if asked.introduces
                       else acts)

    def _goes_on(self, said: Observation) -> bool:
        """Whether an utterance is about an action, and not a question that goes on with another."""
        if self.agent.calendar is not None and wants_something_done(said.text):
            return True
        action = self.graph.last_action()
        return action is not None and action.is_open and (
            _HOW_ABOUT.match(said.text) is not None
            or not (said.asks and found_cues(said, self.agent.domain.schema) - WEAK_CUES))

    def part_alone(self, turn: str, part: str) -> tuple[Observation, LinkedTurn]:
        """A part of an utterance, read and linked by itself."""
        with self.clock.stage("observe"):
            observation = self.agent.detector.detect(part, now=self.now,
                                                     focus=self.focus_before())
            observation = replace(observation,
                                  acts=observation.acts - {DialogueAct.REQUEST_ACTION})
            nodes = self._add_mentions(turn, observation.mentions)
        with self.clock.stage("link"):
            return observation, self._link(turn, observation, nodes, {})

    def _add_mentions(self, turn: str, mentions: Iterable[Mention]) -> list[str]:
        return [self.graph.add_mention(turn, mention,
                                       topic=mention.kind is not MentionKind.FIRST_PERSON)
                for mention in mentions]

    def focus_before(self) -> list[dt.date]:
        """Days that the user spoke of before this turn, the latest first."""
        before = [turn for turn in self.graph.turns[:-1] if self.graph.speaker(turn) == USER][-2:]
        return list(dict.fromkeys(
            window.date for turn in reversed(before) for mention in self.graph.mentions(turn)
            if (window := self.graph.window(mention)) and window.kind is not WindowKind.NOW))

    def focus(self) -> list[dt.date]:
        """Days that the user spoke of in the last turn; "that day" may be that of an event."""
        said_before = [turn for turn in self.graph.turns if self.graph.speaker(turn) == USER][-1:]
        days = [window.date for turn in said_before for mention in self.graph.mentions(turn)
                if (window := self.graph.window(mention)) and window.kind is not WindowKind.NOW]
        if _THAT_DAY.search(self.hypotheses[0].text):
            for turn in reversed(self.graph.turns[-4:]):
                for mention in self.graph.mentions(turn):
                    for link in self.graph.referents(mention)[:1]:
                        entity = self.agent.kb.entity(link.entity)
                        if isinstance(entity, Event):
                            days.append(entity.start.date())
        return list(dict.fromkeys(days))

    def _link(self, turn: str, observation: Observation, nodes: Sequence[str],
              chosen: Mapping[int, str]) -> LinkedTurn:
        """Link the mentions; of some, by position, the user has chosen the entity."""
        link = partial(self._link_once, turn, observation, nodes, chosen)
        linked = link()
        if self._identify(linked, observation):
            linked = link()  # "my office" of "I'm Ada Berg, where is my office?": Ada is known now
        self.refer(linked)
        return linked

    def _link_once(self, turn: str, observation: Observation, nodes: Sequence[str],
                   chosen: Mapping[int, str]) -> LinkedTurn:
        linker = self.agent.linker
        if isinstance(linker, Linker):
            return linker.link(self.graph, turn, observation, nodes, now=self.now, chosen=chosen)
        linked = linker.link(self.graph, turn, observation, nodes, now=self.now)
        if not chosen:
            return linked
        entities = {nodes[position]: entity for position, entity in chosen.items()}
        return LinkedTurn.independent([  # other linkers read every mention by itself
            chosen_link(each.node, each.mention, entities[each.node])
            if each.node in entities else each for each in linked])

    def _identify(self, linked: LinkedTurn, observation: Observation) -> bool:
        """Note who the user says to be; whether the turn speaks of the user in other ways too."""
        identity = self.graph.user_identity()
        if identity is not None and identity[2].rule == BY_CALLER:
            return False
        if identity is not None and self._is_denied(linked, observation, identity[0]):
            self.graph.forget_user()
        introduced = next((each for each in linked if each.mention.introduces_speaker
                           and not self._is_passed_on(each.mention, observation)
                           and not self._only_answers(each.mention, observation)), None)
        if introduced is None:
            return False
        if not introduced.links:
            self.graph.forget_user()  # somebody whom nobody knows speaks now
            return False
        best = introduced.links[0]
        asks = any(each.mention.kind is MentionKind.FIRST_PERSON for each in linked)
        if best.probability <= 0.5 and not (asks and observation.asks):
            return False  # more probably somebody else; who asks at once is asked back
        self.graph.identify_user(best.entity, probability=best.probability,
                                 provenance=best.provenance)
        return asks

    def _only_answers(self, mention: Mention, observation: Observation) -> bool:
        """Whether a user who is known was asked for something else: "no, it's Ada that I want"."""
        asked = self._asked()
        return (asked not in ("", Slot.SPEAKER) and self.graph.user() is not None
                and (asked not in (Slot.CONFIRMATION, Slot.CHANGE) or says_no(observation.text))
                and IMPERSONAL.search(observation.text[:mention.start]) is not None)

    def _is_passed_on(self, mention: Mention, observation: Observation) -> bool:
        """Whether a name stands in a message or title: "tell Ada: this is Bo, call me"."""
        text, asked = observation.text, self._asked()
        return (asked == Slot.MESSAGE or mention.start >= passed_on_from(text)
                # "I'm Ada Berg. Call it lens day" is no title as a whole.
                or (asked == Slot.TITLE and not re.search(r"[.!?]\s+\w", text[mention.end:])))

    def _asked(self) -> str:
        action = self.graph.last_action()
        return action.asked if action is not None and action.is_open else ""

    @staticmethod
    def _is_denied(linked: Iterable[LinkedMention], observation: Observation, user: str) -> bool:
        """Whether somebody says not to be who they were taken for: "I'm not Ada"."""
        return any(each.links and each.links[0].entity == user
                   and DENIED.search(observation.text[:each.mention.start]) for each in linked)

    def _hear(self, turn: str, focus: Sequence[dt.date]) -> tuple[Observation, LinkedTurn]:
        """Link what may have been said, all of a speech recogniser's hypotheses together."""
        heard = partial(link_hypotheses, self.agent.linker, self.agent.detector, self.graph, turn,
                        now=self.now, focus=focus)
        utterance = heard()
        if self._identify(utterance.linked(["" for _ in utterance.mentions]),
                          utterance.observation):
            utterance = heard()
        observation = utterance.observation
        self.graph.set_question(turn, observation.text)
        self._add_mentions(turn, (mention for mention in observation.mentions
                                  if mention.kind in (MentionKind.TIME, MentionKind.TYPE)))
        nodes = self._add_mentions(turn, (each.mention for each in utterance.mentions))
        linked = utterance.linked(nodes)
        self.refer(linked)
        return observation, linked

    def refer(self, linked: Iterable[LinkedMention]) -> None:
        """Write links into the dialogue graph."""
        for each in linked:
            for link in each.links:
                self.graph.add_reference(each.node, link.entity,
                                         entity_type=self.agent.kb.entity(link.entity).type,
                                         probability=link.probability,
                                         provenance=link.provenance)
