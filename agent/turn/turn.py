"""One turn on its way: observe → link → act, or infer → verbalise → rank →
generate → check.
"""

from __future__ import annotations

import datetime as dt
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from math import prod
from typing import TYPE_CHECKING

from frontdesk.agent.access.access_rights import BY_CALLER
from frontdesk.agent.acting.acted import Acted
from frontdesk.agent.acting.acting import Acting
from frontdesk.agent.acting.pending_facts import pending_facts
from frontdesk.agent.acting.policy import Step
from frontdesk.agent.acting.situation import Situation, known_user
from frontdesk.agent.acting.worded_questions import WORDED, worded_question
from frontdesk.agent.acting.wording import Wording
from frontdesk.agent.calendars.calendar import CalendarUnavailableError
from frontdesk.agent.settings.settings import Condition
from frontdesk.agent.turn.choose_reply import ReplyChoice
from frontdesk.agent.turn.remember_reply import remember_entity, remember_reply
from frontdesk.agent.turn.reply import Reply, named_links
from frontdesk.agent.turn.saliency import NEIGHBOUR, find_saliency, in_general, spoken_of_before
from frontdesk.agent.turn.stopwatch import Stopwatch, Watch
from frontdesk.agent.understanding.patterns.clauses import is_mere_question, requests_in
from frontdesk.agent.understanding.patterns.confirmations import says_yes, yes_and_more
from frontdesk.agent.understanding.patterns.readings import LIKELY
from frontdesk.agent.understanding.understand import Understanding
from frontdesk.generation.voice.generator import GenerationInput, NBestGenerator
from frontdesk.kg.english.cues import WHEN_CUES, asked_predicates, found_cues
from frontdesk.kg.english.verbalise import Verbaliser
from frontdesk.kg.graph.dialogue_graph import AGENT, USER, DialogueGraph, Hypothesis
from frontdesk.kg.graph.errors import UnavailableError
from frontdesk.kg.graph.facts import Fact
from frontdesk.kg.graph.intents import Intent
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.mentions import DialogueAct, MentionKind, Observation
from frontdesk.kg.graph.pending_action import ActionStatus
from frontdesk.kg.graph.schema import ArgumentType
from frontdesk.kg.models.intent_head import ASKED, UtteranceFeatures
from frontdesk.rules.engine.derived import Derived
from frontdesk.rules.linking.linked import LinkedMention, LinkedTurn
from frontdesk.rules.organisation.organisation_reasoner import MOST_WINDOWS, Goal
from frontdesk.scoring.ranked_fact import RankedFact
from frontdesk.scoring.relevance import DialogueContext

if TYPE_CHECKING:
    from frontdesk.agent.sessions.agent import Agent

_PEOPLE = re.compile(r"\b(?:who|anyone|anybody|someone|somebody|everyone|everybody|nobody)\b",
                     re.IGNORECASE)
#: Who words replies about actions.
ACTING = "acting"


class Turn:
    """One turn on its way through the stages."""

    def __init__(self, agent: Agent, graph: DialogueGraph, hypotheses: Sequence[Hypothesis],
                 now: dt.datetime, *, timezone: dt.tzinfo | None = None,
                 role: str | None = None, watch: Watch | None = None,
                 hurried: bool = False) -> None:
        self.agent, self.graph, self.kb = agent, graph, agent.kb
        self.whole = agent  # as it is now; it knows what this user may not be told
        self.hypotheses, self.now, self.timezone = hypotheses, now, timezone
        self.condition = Condition(agent.settings.knowledge.condition)
        self.schema, self.access = agent.domain.schema, agent.access.as_certified(role)
        self.clock, self.hurried = Stopwatch(watch), hurried
        self.notes: list[str] = []
        self._knew = False  # who the user is
        self.afresh = False  # somebody else speaks than before

    @property
    def _understanding(self) -> Understanding:
        return Understanding(self.agent, self.graph, self.hypotheses, self.now, self.clock,
                             self.notes)

    def run(self) -> Reply:
        """Answer the utterance."""
        with self.clock.stage("total"):
            self._refresh()
            self._knew = self.graph.user() is not None
            turn, observation, linked = self._understand_as_seen()
            self.notes.extend(linked.notes)
            acted = self._act(turn, observation, linked)
            question = " ".join(each.question for each in acted if each.question)
            if acted and not question:
                return self._report(acted, observation, linked)
            if acted and question != observation.text:
                observation, linked = self._understanding.part_alone(turn, question)
            elif self.whole.calendar is not None:  # what was wanted, if anything, is not clear
                observation = replace(observation,
                                      acts=observation.acts - {DialogueAct.REQUEST_ACTION})
            with self.clock.stage("infer"):
                saliency = find_saliency(self.kb, observation, linked,
                                         self.agent.linker.saliency(self.graph, turn),
                                         spoken_of_before(self.graph, turn))
                derivable = cache(partial(self._derive, observation, linked, saliency))
                facts = self._facts(saliency, derivable) + self._pending(acted)
            with self.clock.stage("verbalise"):
                user = self.graph.user()
                verbaliser = self.agent.domain.verbaliser(self.now, user[0] if user else None)
                sentences = [(fact, verbaliser.say(fact)) for fact in facts]
            with self.clock.stage("rank"):
                context = self._context(observation, linked, saliency)
                ranked = self._rank(sentences, context)
                knowledge = ranked if self.condition is Condition.ALL_FACTS else \
                    ranked[:self.agent.settings.knowledge.most_facts(
                        self.agent.domain.pack.most_facts)]
            request = GenerationInput(self._history(observation), knowledge, observation, linked,
                                      verbaliser)
            choice = ReplyChoice(self.agent, request, self.now, hurried=self.hurried)
            with self.clock.stage("generate"):
                generator, candidates = choice.generate()
            with self.clock.stage("check"):
                chosen = choice.choose(generator, candidates)
            generated = chosen.reply
            if acted:
                said = " ".join(filter(None, (generated.text, *(each.text for each in acted))))
                generated = replace(generated, text=said)
            agent_turn = remember_reply(self.graph, self.agent.domain, generated, verbaliser,
                                        at=self.now)
            if acted:
                self._remember_action(agent_turn, acted[-1])
        return Reply(
            text=generated.text, facts=generated.used, knowledge=tuple(knowledge),
            actions=tuple(acted),
            links=named_links(linked, self.kb, self.agent.link_prover, verbaliser),
            graph_check=chosen.verdict, generator=chosen.generator, repaired=chosen.repaired,
            steps=tuple(choice.steps),
            notes=tuple(dict.fromkeys([*self.notes, *observation.notes, *choice.notes,
                                       *generated.notes])),
            timings_ms=self.clock.milliseconds, turn=agent_turn, context=context,
            candidates=tuple(ranked), request=request, derivable=derivable, kb=self.kb,
            score=lambda: self.agent.faithfulness.score(
                replace(request, knowledge=_united(generated.used, knowledge)),
                [generated.text])[0],
            prove=lambda fact: derivable().proof(fact))

    def listen(self) -> None:
        """Write the utterance with its mentions and links into the dialogue graph, no more."""
        self._refresh()
        self._understand_as_seen()

    def say(self) -> None:
        """Write the text into the dialogue graph as what the agent said, with what it names."""
        self._refresh()
        understanding = self._understanding
        observation = self.agent.detector.detect(
            self.hypotheses[0].text, now=self.now, focus=understanding.focus())
        turn = self.graph.add_turn(AGENT, self.hypotheses, at=self.now)
        nodes = [self.graph.add_mention(turn, mention) for mention in observation.mentions]
        linked = self.agent.linker.link(self.graph, turn, observation, nodes, now=self.now)
        understanding.refer([each for each in linked
                             if each.mention.kind is not MentionKind.FIRST_PERSON])

    # --- act

    def _refresh(self) -> None:
        """Take in what was changed in the calendar elsewhere."""
        try:
            self.whole = self.whole.refresh()
        except CalendarUnavailableError as error:
            self.notes.append(f"the calendar is as it was when it was last reached: {error}")
        self._look()
        self.graph.forget_entities(each for each in self.graph.entities() if each not in self.kb)

    def _look(self) -> None:
        """See what the user may be told."""
        identity = self.graph.user_identity()
        certain = identity is not None and identity[2].rule == BY_CALLER
        self.agent = self.whole.viewed_by(
            known_user(self.graph, self.access), certain=certain, role=self.access.certified)
        self.kb = self.agent.kb

    def _understand_as_seen(self) -> tuple[str, Observation, LinkedTurn]:
        """Understand the utterance; once more if it says who the user is, who may see more."""
        before, seen, was = len(self.graph.turns), self.agent, self.graph.user_identity()
        found = self._understanding.understand()
        self._look()
        identity = self.graph.user_identity()
        changed = was is not None and was[1] > LIKELY and (
            identity is None or identity[0] != was[0])
        if self.agent is seen and not changed:
            return found
        self.graph.forget_from(before, was)
        if changed:
            self.notes.append("somebody else speaks: what was said before is forgotten")
            self._knew, self.afresh = False, True
        self.graph.forget_from(0 if changed else before, identity)
        return self._understanding.understand()

    def _act(self, turn: str, observation: Observation, linked: LinkedTurn) -> list[Acted]:
        """What the turn does about actions, one after the other; nothing if it is about none."""
        action = self.graph.last_action()
        pending = action if action is not None and action.is_open else None
        confirming = pending is not None and pending.status is ActionStatus.CONFIRMING
        parts = [] if pending is not None and not confirming else requests_in(observation.text)
        if confirming:  # only "yes, and tell Bo that I am late" asks for two things then
            parts = yes_and_more(observation.text) or (
                parts if len(parts) > 1 and says_yes(parts[0]) > LIKELY else [])
        if len(parts) > 1:
            observation, linked = self._understanding.part_alone(turn, parts[0])
        waiting = (*parts[1:], *(pending.waiting if pending is not None else ()))
        found = []
        acted = self._act_once(observation, linked)
        while acted is not None:
            over = acted.action.status is ActionStatus.ABANDONED
            acted = replace(acted, action=replace(acted.action,
                                                  waiting=() if over else waiting))
            found.append(acted)
            self._remember_action(turn, acted)
            if acted.action.is_open or over or not waiting:
                break
            following, waiting = waiting[0], waiting[1:]
            acted = self._act_once(*self._understanding.part_alone(turn, following))
        return found

    def _act_once(self, observation: Observation, linked: LinkedTurn) -> Acted | None:
        calendar, kb, seen = self.whole.calendar, self.whole.kb, self.kb
        if calendar is None or not self.agent.settings.actions.enabled or not isinstance(
                kb, KnowledgeBase) or not isinstance(seen, KnowledgeBase):
            return None
        with self.clock.stage("act"):
            acted = Acting(Situation(
                observation=observation, linked=linked, intents=self._intents(observation),
                kb=kb, seen=seen, hidden=self._hidden, calendar=calendar,
                changing=self.whole.changing, settings=self.agent.settings, access=self.access,
                graph=self.graph, now=self.now, focus=self._understanding.focus_before(),
                timezone=self.timezone, new_id=self.agent.new_id,
                refreshed=self._refreshed)).respond()
        if acted is not None:
            self.notes.extend(acted.notes)
        return acted

    def _intents(self, observation: Observation) -> dict[Intent, float]:
        """The intents of an utterance by the trained head; none where there is no head.

        A mere question needs none: nothing is pending, and it is worded as one.
        """
        head, action = self.agent.intent_head, self.graph.last_action()
        pending = action is not None and action.is_open
        if head is None or (not pending and is_mere_question(observation.text)):
            return {}
        asked = action.asked if action is not None and pending and action.asked in ASKED else ""
        (vector,) = self.agent.encoder.encode([observation.text], keep=False)
        return head.probabilities(vector, asked=asked, features=UtteranceFeatures.of(observation))

    @property
    def _hidden(self) -> frozenset[str]:
        """Ids of the events of which the user may know no more than when they are."""
        return self.agent.view.hidden if self.agent.view is not None else frozenset()

    def _refreshed(self) -> tuple[KnowledgeBase, KnowledgeBase, frozenset[str]]:
        """The organisation after a change of the calendar, and what the user may know of it."""
        try:
            self.whole = self.whole.refresh(anew=True)
        except CalendarUnavailableError as error:
            self.notes.append(f"the calendar could not be read after it was changed: {error}")
        kb = self.whole.kb
        self._look()
        if not isinstance(kb, KnowledgeBase) or not isinstance(self.kb, KnowledgeBase):
            raise TypeError("only an organisation has a calendar")
        return kb, self.kb, self._hidden

    def _report(self, acted: Sequence[Acted], observation: Observation,
                linked: LinkedTurn) -> Reply:
        """The reply of a turn that is about actions alone."""
        user = self.graph.user()
        verbaliser = Verbaliser(self.kb, self.now, speaker=user[0] if user else None) \
            if isinstance(self.kb, KnowledgeBase) else None
        if verbaliser is None:
            raise TypeError("only an organisation has a calendar")
        links = named_links([each for each in linked if all(
            link.entity in self.kb for link in each.links)], self.kb, self.agent.link_prover,
            verbaliser)
        text = " ".join(each.text for each in acted)
        facts = tuple(RankedFact(fact, verbaliser.say(fact), 1.0) for fact in self._pending(acted))
        asked = self._worded_question(acted, GenerationInput(
            self._history(observation), facts, observation, linked, verbaliser))
        text = asked or text
        introduces = user is not None and not self._knew
        if introduces or DialogueAct.GREET in observation.acts:
            text = f"{Wording(verbaliser).greeting(named=introduces)} {text}"
        turn = self.graph.add_turn(AGENT, [Hypothesis(text)], at=self.now)
        self._remember_action(turn, acted[-1])
        for event in acted[-1].action.events:  # "it" is the meeting that was booked
            if event in self.kb and acted[-1].action.status is ActionStatus.DONE:
                remember_entity(self.graph, turn, event, verbaliser)
        return Reply(text=text, facts=facts, knowledge=facts, links=links,
                     generator=self.agent.generator.name if asked else ACTING,
                     actions=tuple(acted),
                     notes=tuple(dict.fromkeys(self.notes)),
                     timings_ms=self.clock.milliseconds, turn=turn, kb=self.kb)

    def _worded_question(self, acted: Sequence[Acted], request: GenerationInput) -> str:
        """The generator's question for what is missing; empty where it asks for something else."""
        decision, generator = acted[-1].decision, self.agent.generator
        if (len(acted) > 1 or decision is None or decision.step is not Step.ASK
                or decision.slot not in WORDED
                or acted[-1].text.count(".") or not isinstance(generator, NBestGenerator)):
            return ""
        with self.clock.stage("generate"):
            try:
                replies = generator.generate_several(request, self.agent.settings.check.candidates)
            except UnavailableError as error:
                self.notes.append(f"{generator.name} did not answer: {error}")
                return ""
        return worded_question((each.text for each in replies), decision.slot)

    def _pending(self, acted: Sequence[Acted]) -> list[Fact]:
        """What is known of the pending action, where facts are let through."""
        if not acted or self.condition is Condition.NO_FACTS:
            return []
        user = self.graph.user()
        verbaliser = self.agent.domain.verbaliser(self.now, user[0] if user else None)
        return pending_facts(acted[-1].action, acted[-1].plan, verbaliser)

    def _remember_action(self, turn: str, acted: Acted) -> None:
        action = acted.action
        about = (*action.events, *action.people, *action.recipients, action.room)
        self.graph.set_action(turn, action, {
            each: str(self.kb.entity(each).type) for each in about if each in self.kb})

    # --- infer

    def _facts(self, saliency: dict[str, float],
               derivable: Callable[[], Derived]) -> list[Fact]:
        """The facts that the condition lets through."""
        if self.condition is Condition.NO_FACTS:
            return []
        about = saliency if self.condition is not Condition.ALL_FACTS else \
            [entity.id for entity in self.kb.entities()]
        stored = [fact for entity in about for fact in self.kb.facts_about(entity)]
        derived = [] if self.condition is Condition.RELEVANCE else derivable()
        view = self.agent.view
        return [fact for fact in dict.fromkeys([*stored, *derived])
                if view is None or view.tells(fact)]

    def _derive(self, observation: Observation, linked: LinkedTurn,
                saliency: dict[str, float]) -> Derived:
        """What follows about what is salient."""
        probable = {link.entity: linked.meant({link.entity})
                    for each in linked for link in each.links}
        types = frozenset(kind for mention in observation.mentions
                          if mention.kind is MentionKind.TYPE and in_general(mention, observation)
                          for kind in mention.types)
        here = {entity for entity in probable if saliency.get(entity, 0.0) > NEIGHBOUR}
        entities = {entity: probable.get(entity, weight) for entity, weight in saliency.items()
                    if entity in here or (weight > NEIGHBOUR and not here and not types)}
        asked = set(asked_predicates(observation, self.schema))
        if _PEOPLE.search(observation.text):
            asked.discard("available_rooms")  # "who is free" asks for no room
        goal = Goal(entities=entities, windows=observation.windows(), asked=asked, types=types,
                    in_general=not here,
                    asks_when=not found_cues(observation, self.schema).isdisjoint(WHEN_CUES),
                    meant=partial(_meant, linked, frozenset(probable), entities))
        if len(goal.windows) > MOST_WINDOWS:
            self.notes.append(f"only the first {MOST_WINDOWS} of {len(goal.windows)} times "
                              "spoken of were looked up")
        derived = self.agent.reasoner.derive(goal, now=self.now)
        self.notes.extend(derived.notes)
        return derived

    # --- rank

    def _rank(self, sentences: Sequence[tuple[Fact, str]],
              context: DialogueContext) -> list[RankedFact]:
        if self.condition is not Condition.ALL_FACTS:
            return self.agent.ranker.rank(sentences, context)
        shuffled = sorted(sentences, key=lambda each: each[1])
        seed = f"{self.agent.settings.knowledge.seed}/{len(self.graph.turns)}"
        random.Random(f"{seed}/{context.utterances[-1]}").shuffle(shuffled)
        return [RankedFact(fact, text, 1.0) for fact, text in shuffled]

    def _context(self, observation: Observation, linked: Sequence[LinkedMention],
                 saliency: dict[str, float]) -> DialogueContext:
        named: dict[str, float] = {}
        for each in linked:
            if each.mention.introduces_speaker or each.mention.probability < 0.5:
                continue
            for link in each.best:
                named[link.entity] = link.probability / len(each.best)
        types = {entity: ArgumentType(self.kb.entity(entity).type.value) for entity in saliency}
        return DialogueContext(
            utterances=[text for _, text in self._history(observation)],
            observation=observation, linked=named, saliency=saliency, types=types, now=self.now)

    def _history(self, observation: Observation) -> list[tuple[str, str]]:
        """The dialogue so far; the last turn as it was understood."""
        return [*self.graph.history()[:-1], (USER, observation.text)]


def _united(used: Sequence[RankedFact], knowledge: Sequence[RankedFact]) -> list[RankedFact]:
    """The facts in use, then the other ones that were given."""
    return [*used, *(each for each in knowledge if each not in used)]


def _meant(linked: LinkedTurn, here: frozenset[str], entities: Mapping[str, float],
           wanted: frozenset[str]) -> float:
    """P(all these entities are meant): those that the turn links jointly, earlier ones apart."""
    return linked.meant(wanted & here) * prod(entities[each] for each in wanted - here)
