"""Entity linking: mentions of a turn to entities, with probabilities (paper, section 3.2.2)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from frontdesk.kg import lexicon
from frontdesk.kg.dialogue_graph import DialogueGraph, Link
from frontdesk.kg.entities import Entity, EntityType, Event
from frontdesk.kg.facts import Provenance
from frontdesk.kg.knowledge_base import KnowledgeBase
from frontdesk.kg.knowledge_graph import KnowledgeGraph
from frontdesk.kg.mentions import Mention, MentionKind, Observation
from frontdesk.kg.name_index import NameIndex, name_words
from frontdesk.kg.windows import WindowKind
from frontdesk.rules.circuit import Evidence, LinkingCircuit
from frontdesk.rules.features import pair_features
from frontdesk.rules.recency import recent_evidence
from frontdesk.rules.relations import neighbours, relation_values

RULE = "linking.pl:refers_to/2"
#: A name is taken to refer to an entity from this probability on.
ACCEPT_NAME = 0.5
#: A pronoun or definite phrase from this one: it has no spelling to go by.
ACCEPT_ANAPHOR = 0.03
#: A candidate ties with the best while the best is at most this many times as probable.
TIE = 1.5
#: Relations whose mention refers to all of its values: "its attendees".
PLURAL_RELATIONS = frozenset({"attendees", "members"})
_LEAST = 0.03
_SUREST = 1 - 1e-9
#: Referents less probable than this share of the best are dropped.
_SHARE_OF_BEST = 0.1
_MOST_REFERENTS = 25
#: Jaro-Winkler similarity from which an entity is suggested for a name that nobody has.
_SUGGEST = 0.82


@dataclass(frozen=True)
class LinkedMention:
    """A mention with what it refers to.

    Args:
        node: Node id of the mention in the dialogue graph.
        mention: The mention.
        links: The accepted referents, the most probable first.
        suggestions: For a name that no entity has: similar entities, "did you mean".
        ranked: Every entity considered with its probability in (0, 1], the most probable first,
            whether or not it was accepted; at most 25.
    """

    node: str
    mention: Mention
    links: tuple[Link, ...] = ()
    suggestions: tuple[str, ...] = ()
    ranked: tuple[tuple[str, float], ...] = ()

    def share(self, link: Link) -> float:
        """P(link | the mention refers to one of its links), in (0, 1]."""
        return link.probability / sum(each.probability for each in self.links)

    @property
    def best(self) -> tuple[Link, ...]:
        """The referents that are as good as the best one."""
        return tuple(link for link in self.links
                     if TIE * link.probability >= self.links[0].probability)


class Linker:
    """Links the mentions of a turn by the rules of ``linking.pl``.

    Args:
        kb: Entities to link to.
        index: Of the names of ``kb``.
        circuit: The compiled rules.
    """

    def __init__(self, kb: KnowledgeGraph, index: NameIndex, circuit: LinkingCircuit) -> None:
        self.kb = kb
        self.index = index
        self.circuit = circuit

    def link(self, graph: DialogueGraph, turn: str, observation: Observation,
             nodes: Sequence[str], *, now: dt.datetime) -> list[LinkedMention]:
        """Link every mention of a turn that is not a time or a bare type.

        Args:
            graph: The dialogue so far, the turn and its mentions already in it. Not changed.
            turn: The turn.
            observation: What was read from it.
            nodes: Node ids of the observation's mentions, in the same order.
            now: Zone-aware present.
        """
        return _Turn(self, graph, turn, observation, nodes, now).run()

    def saliency(self, graph: DialogueGraph, turn: str) -> dict[str, float]:
        """How present the entities of the last turns are, each with a probability in (0, 1].

        Args:
            graph: The dialogue.
            turn: The turn before which they were spoken of.
        """
        evidence: dict[str, dict[Evidence, float]] = {}
        for entity, key, probability in recent_evidence(graph, turn, self.kb, self.circuit):
            known = evidence.setdefault(entity, {("anaphoric", None): 1.0,
                                                 ("type_agrees", None): 1.0})
            known[key] = 1 - (1 - known.get(key, 0.0)) * (1 - probability)
        return {entity: self.circuit.probability(known) for entity, known in evidence.items()}


class _Turn:
    """The linking of one turn: mentions wait for those they depend on."""

    def __init__(self, linker: Linker, graph: DialogueGraph, turn: str, observation: Observation,
                 nodes: Sequence[str], now: dt.datetime) -> None:
        self.kb, self.index, self.circuit = linker.kb, linker.index, linker.circuit
        self.observation = observation
        self.nodes = nodes
        self.now = now
        self.user = graph.user()
        self.recent = recent_evidence(graph, turn, self.kb, self.circuit)
        self.done: dict[int, LinkedMention] = {}

    def run(self) -> list[LinkedMention]:
        mentions = self.observation.mentions
        named = [index for index, mention in enumerate(mentions)
                 if mention.kind in (MentionKind.NAME, MentionKind.FIRST_PERSON)]
        for index in named:
            self._resolve(index)
        for index in named:
            if len(self.done[index].best) != 1:
                del self.done[index]  # mentions after it may tell what it means
                self._resolve(index)
        for index in range(len(mentions)):
            self._resolve(index)
        return [self.done[index] for index in sorted(self.done)]

    def _resolve(self, index: int) -> None:
        mention = self.observation.mentions[index]
        if index in self.done or mention.kind in (MentionKind.TIME, MentionKind.TYPE):
            return
        if mention.possessor is not None and mention.possessor not in self.done:
            self.done[index] = LinkedMention(self.nodes[index], mention)  # ends cycles
            self._resolve(mention.possessor)
        scored: list[tuple[float, Entity, tuple[str, ...]]] = []
        for entity, extra in self._candidates(index, mention):
            evidence = self._evidence(index, mention, entity) | extra
            probability = self.circuit.probability(evidence)
            if probability > 0:
                scored.append((min(probability, 1.0), entity, _premises(evidence)))
        # Decided on the pair alone; what is stored is conditioned on there being one referent.
        accepted = max((each[0] for each in scored), default=0.0)
        negligible = {entity.id for probability, entity, _ in scored if probability < _LEAST}
        if mention.relation not in PLURAL_RELATIONS:
            scored = _exclusive(scored, self._together(mention))
        scored.sort(key=lambda each: (-each[0], each[1].id))
        accept = ACCEPT_NAME if mention.kind is MentionKind.NAME else ACCEPT_ANAPHOR
        links: tuple[Link, ...] = ()
        suggestions: tuple[str, ...] = ()
        if scored and accepted >= accept:
            links = tuple(
                Link(self.nodes[index], mention.text, entity.id, probability,
                     Provenance(RULE, premises))
                for probability, entity, premises in scored[:_MOST_REFERENTS]
                if entity.id not in negligible
                and probability >= _SHARE_OF_BEST * scored[0][0])
        elif mention.kind is MentionKind.NAME:
            suggestions = self._suggestions(mention)
        ranked = tuple((entity.id, probability)
                       for probability, entity, _ in scored[:_MOST_REFERENTS])
        self.done[index] = LinkedMention(self.nodes[index], mention, links, suggestions, ranked)

    def _suggestions(self, mention: Mention) -> tuple[str, ...]:
        """Entities whose names come near an unknown one, the nearest first."""
        near = [(pair_features(mention.name, entity, self.index).jaro_winkler, entity)
                for entity in self._named(mention)]
        near.sort(key=lambda each: (-each[0], each[1].id))
        names: dict[str, str] = {}
        for similarity, entity in near:
            if similarity >= _SUGGEST:
                names.setdefault(entity.name, entity.id)
        return tuple(names.values())[:3]

    def _candidates(self, index: int,
                    mention: Mention) -> Iterable[tuple[Entity, dict[Evidence, float]]]:
        if mention.kind is MentionKind.NAME:
            return [(entity, {}) for entity in self._named(mention)]
        if mention.kind is MentionKind.FIRST_PERSON:
            return [(self.kb.entity(self.user[0]), {})] if self.user else []
        if mention.kind is MentionKind.RELATION:
            return self._related_values(index, mention)
        ids = dict.fromkeys([*(entity for entity, _, _ in self.recent),
                             *(link.entity for linked in self._before(index)
                               for link in linked.links)])
        speaker = {link.entity for linked in self.done.values()
                   if linked.mention.introduces_speaker for link in linked.links[:1]}
        if self.user:
            speaker.add(self.user[0])
        # Who speaks says "I", not "she".
        return [(self.kb.entity(each), {}) for each in ids if each in self.kb
                and each not in speaker]

    def _named(self, mention: Mention) -> list[Entity]:
        found: dict[str, Entity] = {}
        words = name_words(mention.name)
        entries = {(entry.type, entry.name): entry for entry in
                   [*self.index.candidates(words), *self.index.entries_named(words)]}
        for entry in entries.values():
            if mention.types and entry.type.value not in {str(each) for each in mention.types}:
                continue
            entities: Iterable[Entity] = [self.kb.entity(each) for each in entry.entities]
            if entry.type is EntityType.EVENT and isinstance(self.kb, KnowledgeBase):
                entities = self._occurrences([each for each in entities
                                              if isinstance(each, Event)], self.kb)
            found.update((each.id, each) for each in entities)
        return list(found.values())

    def _occurrences(self, events: list[Event], kb: KnowledgeBase) -> list[Event]:
        """Of each recurring event those on a day spoken of, else the next one."""
        chosen: dict[str, Event] = {}
        windows = [window for window in self.observation.windows()
                   if window.kind is not WindowKind.NOW]
        for event in events:
            if not kb.is_recurring(event) or any(
                    window.overlaps(event.start, event.end)
                    or window.date in event.days() for window in windows):
                chosen[event.id] = event
        spoken_of = {event.series for event in chosen.values()}
        for event in events:
            if kb.is_recurring(event) and event.series not in spoken_of:
                coming = kb.next_occurrence(event, self.now)
                chosen[coming.id] = coming
        return list(chosen.values())

    def _related_values(self, index: int, mention: Mention
                        ) -> list[tuple[Entity, dict[Evidence, float]]]:
        """Values of the relation for what the possessor, said or understood, refers to."""
        if mention.possessor is not None:
            owners = [(link.entity, link.probability)
                      for linked in (self.done.get(mention.possessor),) if linked
                      for link in linked.links]
        else:
            owners = self._unsaid_owners(index, mention)
        values: dict[str, float] = {}
        for owner, probability in owners:
            for value in relation_values(self.kb, mention.relation, owner):
                values[value] = max(values.get(value, 0.0), probability)
        return [(self.kb.entity(value), {("value_of_possessor", None): probability})
                for value, probability in values.items()]

    def _unsaid_owners(self, index: int, mention: Mention) -> list[tuple[str, float]]:
        """Whose organiser "the organiser" is: of what is named before it, after it or earlier."""
        named = [linked for position, linked in self.done.items() if position > index
                 and linked.mention.kind is MentionKind.NAME]
        for spoken_of in (self._before(index), named):
            owners = [(link.entity, link.probability) for linked in spoken_of
                      for link in linked.links
                      if relation_values(self.kb, mention.relation, link.entity)]
            if owners:
                return owners
        agreeing: dict[Evidence, float] = {("anaphoric", None): 1.0, ("type_agrees", None): 1.0}
        return [(entity, self.circuit.probability(agreeing | self._recency(entity)))
                for entity in dict.fromkeys(entity for entity, _, _ in self.recent)]

    def _together(self, mention: Mention) -> frozenset[str]:
        """People whom a plural pronoun can mean all at once: those of the last turn with several.
        """
        if mention.text.lower() not in lexicon.PLURAL:
            return frozenset()
        spoken_of = [(key[1] or 0.0, entity) for entity, key, _ in self.recent
                     if key[0] == "among_people"]
        nearest = min((distance for distance, _ in spoken_of), default=0.0)
        return frozenset(entity for distance, entity in spoken_of if distance == nearest)

    def _before(self, index: int) -> list[LinkedMention]:
        return [linked for position, linked in self.done.items()
                if position < index and linked.mention.kind is not MentionKind.FIRST_PERSON]

    def _recency(self, entity: str) -> dict[Evidence, float]:
        evidence: dict[Evidence, float] = {}
        for other, key, probability in self.recent:
            if other == entity:
                # Several mentions in one turn: it is mentioned unless none of them means it.
                evidence[key] = 1 - (1 - evidence.get(key, 0.0)) * (1 - probability)
        return evidence

    def _evidence(self, index: int, mention: Mention, entity: Entity) -> dict[Evidence, float]:
        evidence: dict[Evidence, float] = {}
        agrees = not mention.types or entity.type.value in {str(each) for each in mention.types}
        evidence["type_agrees", None] = float(agrees)
        if mention.kind is MentionKind.NAME:
            evidence["named", None] = 1.0
            evidence.update(self._string_evidence(mention.name, entity))
            evidence["related", None] = self._relatedness(index, entity)
        elif mention.kind is MentionKind.RELATION:
            evidence["relational", None] = 1.0
        elif mention.kind is MentionKind.FIRST_PERSON:
            evidence["first_person", None] = 1.0
            if self.user and self.user[0] == entity.id:
                evidence["is_speaker", None] = self.user[1]
        else:
            evidence["anaphoric", None] = 1.0
            evidence["plural", None] = float(mention.text.lower() in lexicon.PLURAL)
            evidence.update(self._recency(entity.id))
            before = [link.probability for linked in self._before(index) for link in linked.links
                      if link.entity == entity.id]
            evidence["mentioned_before", None] = max(before, default=0.0)
        return evidence

    def _string_evidence(self, mention: str, entity: Entity) -> dict[Evidence, float]:
        features = pair_features(mention, entity, self.index)
        evidence: dict[Evidence, float] = {
            ("exact_name", None): float(features.exact),
            ("words_alike", None): float(features.words_alike),
            ("same_sound", None): float(features.same_sound)}
        above = {"jw_similarity_above": features.jaro_winkler, "name_longer": features.shorter,
                 "words_covered_above": features.words_covered,
                 "name_share_above": features.name_share}
        for predicate, constant in self.circuit.evidence:
            if constant is None:
                continue
            if predicate in above:
                evidence[predicate, constant] = float(above[predicate] > constant)
            elif predicate == "lev_distance_below":
                evidence[predicate, constant] = float(features.levenshtein < constant)
        return evidence

    def _relatedness(self, index: int, entity: Entity) -> float:
        """How surely another mention of the turn has to do with an entity."""
        best = 0.0
        if isinstance(entity, Event):
            spoken_of = [window for window in self.observation.windows()
                         if window.kind is not WindowKind.NOW]
            if any(window.date in entity.days() for window in spoken_of):
                best = 1.0
        related = neighbours(self.kb, entity)
        for position, linked in self.done.items():
            if position != index and linked.mention.kind in (MentionKind.NAME,
                                                             MentionKind.FIRST_PERSON):
                best = max([best, *(link.probability for link in linked.links
                                    if link.entity in related)])
        return best


def _exclusive(scored: list[tuple[float, Entity, tuple[str, ...]]], together: Collection[str] = ()
               ) -> list[tuple[float, Entity, tuple[str, ...]]]:
    """Condition the candidates' probabilities on a mention having one referent at most.

    The rules judge each pair by itself. Given that at most one of the candidates is meant,
    P(e) is proportional to p(e) times the product of 1 - p of all others, and the probability
    that none is meant to the product of 1 - p over all: P(e) = odds(e) / (1 + sum of odds).
    Entities that are meant ``together`` count as one referent, the most probable of them.
    """
    odds = [min(probability, _SUREST) / (1 - min(probability, _SUREST))
            for probability, _, _ in scored]
    joint = [each for each, (_, entity, _) in zip(odds, scored, strict=True)
             if entity.id in together]
    total = 1 + sum(odds) - sum(joint) + max(joint, default=0.0)
    return [(odd / total, entity, premises)
            for odd, (_, entity, premises) in zip(odds, scored, strict=True)]


def _premises(evidence: dict[Evidence, float]) -> tuple[str, ...]:
    """The evidence that speaks for a link, readable."""
    return tuple(
        (f"{value:.2f}::" if value < 1 else "") + predicate
        + ("" if constant is None else f"({constant:g})")
        for (predicate, constant), value in evidence.items() if value > 0)
