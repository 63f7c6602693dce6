"""One turn on its way: observe → link → infer → verbalise → rank → generate → check."""

from __future__ import annotations

import datetime as dt
import random
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache, partial
from math import prod
from typing import TYPE_CHECKING

from frontdesk.agent.choose_reply import ReplyChoice
from frontdesk.agent.follow_up import full_question
from frontdesk.agent.remember import remember_reply
from frontdesk.agent.reply import Reply, named_links
from frontdesk.agent.saliency import NEIGHBOUR, find_saliency, in_general, spoken_of_before
from frontdesk.agent.settings import Condition
from frontdesk.generation.generator import GenerationInput
from frontdesk.kg.cues import WHEN_CUES, asked_predicates, found_cues
from frontdesk.kg.dialogue_graph import AGENT, USER, DialogueGraph, Hypothesis
from frontdesk.kg.entities import Event
from frontdesk.kg.facts import Fact
from frontdesk.kg.mentions import DialogueAct, Mention, MentionKind, Observation
from frontdesk.kg.schema import ArgumentType
from frontdesk.kg.windows import WindowKind
from frontdesk.rules.derived import Derived
from frontdesk.rules.linked import LinkedMention, LinkedTurn
from frontdesk.rules.linking import Linker, chosen_link
from frontdesk.rules.n_best import link_hypotheses
from frontdesk.rules.reasoner import MOST_WINDOWS, Goal
from frontdesk.scoring.encoder import CachedEncoder
from frontdesk.scoring.ranked_fact import RankedFact
from frontdesk.scoring.relevance import DialogueContext

if TYPE_CHECKING:
    from frontdesk.agent.agent import Agent

_PEOPLE = re.compile(r"\b(?:who|anyone|anybody|someone|somebody|everyone|everybody|nobody)\b",
                     re.IGNORECASE)
#: What is not done again where an earlier utterance is gone on with.
_SOCIAL = frozenset({DialogueAct.GREET, DialogueAct.INTRODUCE, DialogueAct.THANK,
                     DialogueAct.GOODBYE, DialogueAct.PLEASANTRY})
_THAT_DAY = re.compile(r"\b(?:that|same) day\b", re.IGNORECASE)


@dataclass
class _Stopwatch:
    """Milliseconds spent in each stage."""

    milliseconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            spent = (time.perf_counter() - start) * 1000
            self.milliseconds[name] = self.milliseconds.get(name, 0.0) + spent


class Turn:
    """One turn on its way through the stages."""

    def __init__(self, agent: Agent, graph: DialogueGraph, hypotheses: Sequence[Hypothesis],
                 now: dt.datetime) -> None:
        self.agent, self.graph, self.kb = agent, graph, agent.kb
        self.hypotheses, self.now = hypotheses, now
        self.condition = Condition(agent.settings.knowledge.condition)
        self.schema = agent.domain.schema
        self.clock = _Stopwatch()
        self.notes: list[str] = []

    def run(self) -> Reply:
        """Answer the utterance."""
        with self.clock.stage("total"):
            turn, observation, linked = self._understand()
            self.notes.extend(linked.notes)
            with self.clock.stage("infer"):
                saliency = find_saliency(self.kb, observation, linked,
                                         self.agent.linker.saliency(self.graph, turn),
                                         spoken_of_before(self.graph, turn))
                derivable = cache(partial(self._derive, observation, linked, saliency))
                facts = self._facts(saliency, derivable)
            with self.clock.stage("verbalise"):
                user = self.graph.user()
                verbaliser = self.agent.domain.verbaliser(self.now, user[0] if user else None)
                sentences = [(fact, verbaliser.say(fact)) for fact in facts]
            with self.clock.stage("rank"):
                context = self._context(observation, linked, saliency)
                ranked = self._rank(sentences, context)
                knowledge = ranked if self.condition is Condition.ALL_FACTS else \
                    ranked[:self.agent.settings.knowledge.most_facts(self.schema.name)]
            request = GenerationInput(self._history(observation), knowledge, observation, linked,
                                      verbaliser)
            choice = ReplyChoice(self.agent, request, self.now)
            with self.clock.stage("generate"):
                generator, candidates = choice.generate()
            with self.clock.stage("check"):
                chosen = choice.choose(generator, candidates)
            generated = chosen.reply
            agent_turn = remember_reply(self.graph, self.agent.domain, generated, verbaliser,
                                        at=self.now)
        return Reply(
            text=generated.text, facts=generated.used, knowledge=tuple(knowledge),
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
        self._understand()

    def say(self) -> None:
        """Write the text into the dialogue graph as what the agent said, with what it names."""
        text = self.hypotheses[0].text
        observation = self.agent.detector.detect(text, now=self.now, focus=self._focus())
        turn = self.graph.add_turn(AGENT, self.hypotheses, at=self.now)
        nodes = [self.graph.add_mention(turn, mention) for mention in observation.mentions]
        linked = self.agent.linker.link(self.graph, turn, observation, nodes, now=self.now)
        self._refer([each for each in linked
                     if each.mention.kind is not MentionKind.FIRST_PERSON])

    def _understand(self) -> tuple[str, Observation, LinkedTurn]:
        with self.clock.stage("observe"):
            focus = self._focus()
            said = self.agent.detector.detect(self.hypotheses[0].text, now=self.now, focus=focus)
            asked = full_question(self.graph, self.agent, said, self.now)
            question = asked.text
            turn = self.graph.add_turn(USER, self.hypotheses, at=self.now)
            if isinstance(self.agent.encoder, CachedEncoder) and self.agent.encoder.note:
                self.notes.append(self.agent.encoder.note)
        if question == said.text and len(self.hypotheses) > 1:
            with self.clock.stage("link"):
                return turn, *self._hear(turn, focus)
        with self.clock.stage("observe"):
            observation = said if question == said.text else self._complete(said, question, focus)
            self.graph.set_question(turn, question)
            nodes = self._add_mentions(turn, observation.mentions)
        with self.clock.stage("link"):
            return turn, observation, self._link(
                turn, observation, nodes, asked.settles(observation.mentions))

    # --- observe

    def _complete(self, said: Observation, question: str,
                  focus: Sequence[dt.date]) -> Observation:
        """What is read from the question that an utterance makes with what was said before."""
        self.notes.append(f"understood as: {question}")
        if len(self.hypotheses) > 1:
            self.notes.append("only the first of what may have been said was read, for it goes "
                              "on with what was said before")
        observation = self.agent.detector.detect(question, now=self.now, focus=focus)
        return replace(observation, acts=observation.acts - _SOCIAL | said.acts)

    def _add_mentions(self, turn: str, mentions: Iterable[Mention]) -> list[str]:
        return [self.graph.add_mention(turn, mention,
                                       topic=mention.kind is not MentionKind.FIRST_PERSON)
                for mention in mentions]

    def _focus(self) -> list[dt.date]:
        """Days that the user spoke of in the last turn; "that day" may be that of an event."""
        said_before = [turn for turn in self.graph.turns if self.graph.speaker(turn) == USER][-1:]
        days = [window.date for turn in said_before for mention in self.graph.mentions(turn)
                if (window := self.graph.window(mention)) and window.kind is not WindowKind.NOW]
        if _THAT_DAY.search(self.hypotheses[0].text):
            for turn in reversed(self.graph.turns[-4:]):
                for mention in self.graph.mentions(turn):
                    for link in self.graph.referents(mention)[:1]:
                        entity = self.kb.entity(link.entity)
                        if isinstance(entity, Event):
                            days.append(entity.start.date())
        return list(dict.fromkeys(days))

    # --- link

    def _link(self, turn: str, observation: Observation, nodes: Sequence[str],
              chosen: Mapping[int, str]) -> LinkedTurn:
        """Link the mentions; of some, by position, the user has chosen the entity."""
        link = partial(self._link_once, turn, observation, nodes, chosen)
        linked = link()
        if self._identify(linked, observation):
            linked = link()  # "my office" of "I'm Ada Berg, where is my office?": Ada is known now
        self._refer(linked)
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
        introduced = next((each for each in linked
                           if each.mention.introduces_speaker and each.links), None)
        if introduced is None:
            return False
        best = introduced.links[0]
        asks = any(each.mention.kind is MentionKind.FIRST_PERSON for each in linked)
        if best.probability <= 0.5 and not (asks and observation.asks):
            return False  # more probably somebody else; who asks at once is asked back
        self.graph.identify_user(best.entity, probability=best.probability,
                                 provenance=best.provenance)
        return asks

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
        self._refer(linked)
        return observation, linked

    def _refer(self, linked: Iterable[LinkedMention]) -> None:
        """Write links into the dialogue graph."""
        for each in linked:
            for link in each.links:
                self.graph.add_reference(each.node, link.entity,
                                         entity_type=self.kb.entity(link.entity).type,
                                         probability=link.probability,
                                         provenance=link.provenance)

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
        return list(dict.fromkeys([*stored, *derived]))

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
