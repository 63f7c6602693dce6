"""Which entities a mention can refer to, and the evidence for each (paper, section 3.2.2).

What another mention of the same turn means is evidence too, but not known yet: a candidate says
which entities it would need to be meant elsewhere (:attr:`Candidate.supporters`), and
:mod:`frontdesk.rules.linking.linking` joins them.
"""

from __future__ import annotations

import datetime as dt
from bisect import bisect_left
from collections.abc import Collection
from dataclasses import dataclass, field

from frontdesk.kg.english import lexicon
from frontdesk.kg.graph.dialogue_graph import DialogueGraph
from frontdesk.kg.graph.entities import Entity, Event
from frontdesk.kg.graph.knowledge_graph import KnowledgeGraph
from frontdesk.kg.graph.mentions import Mention, MentionKind, Observation
from frontdesk.kg.graph.windows import WindowKind
from frontdesk.kg.names.name_index import NameEntry, NameIndex
from frontdesk.rules.linking.circuit import Evidence, LinkingCircuit
from frontdesk.rules.linking.features import PairFeatures, name_features
from frontdesk.rules.linking.recency import recent_evidence
from frontdesk.rules.linking.relations import are_related, relation_values

#: Names that a mention is compared with: those that have most of its words, the rarest first.
MOST_NAMES = 50
#: Events of one name that are considered: those at a time spoken of, then those nearest to now.
MOST_NAMESAKES = 25
#: Jaro-Winkler similarity from which an entity is suggested for a name that nobody has.
_SUGGEST = 0.82
_MOST_SUGGESTED = 3
RELATED: Evidence = ("related", None)
VALUE_OF_POSSESSOR: Evidence = ("value_of_possessor", None)
MENTIONED_BEFORE: Evidence = ("mentioned_before", None)
#: By kind of mention the evidence that another mention of the turn gives.
SUPPORT = {MentionKind.NAME: RELATED, MentionKind.RELATION: VALUE_OF_POSSESSOR,
           MentionKind.PRONOUN: MENTIONED_BEFORE, MentionKind.DEFINITE: MENTIONED_BEFORE}


@dataclass(frozen=True)
class Candidate:
    """An entity that a mention can refer to.

    Args:
        evidence: What does not depend on other mentions of the turn; each in [0, 1].
        supporters: Entities one of which, meant elsewhere in the turn, is evidence for this one.
    """

    entity: Entity
    evidence: dict[Evidence, float]
    supporters: frozenset[str] = frozenset()


@dataclass
class Candidates:
    """Finds the candidates of a turn's mentions.

    Args:
        circuit: Knows what evidence the rules use.
        now: Zone-aware present.
    """

    kb: KnowledgeGraph
    index: NameIndex
    circuit: LinkingCircuit
    graph: DialogueGraph
    turn: str
    observation: Observation
    now: dt.datetime
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.user = self.graph.user()
        self.recent = recent_evidence(self.graph, self.turn, self.kb, self.circuit)
        self.windows = [window for window in self.observation.windows()
                        if window.kind is not WindowKind.NOW]

    def of(self, mention: Mention, others: Collection[str], speaker: Collection[str] = ()
           ) -> list[Candidate]:
        """The candidates of a mention.

        Args:
            others: Entities that the mentions it can depend on may mean.
        """
        if mention.kind is MentionKind.NAME:
            return self._named(mention, others)
        if mention.kind is MentionKind.FIRST_PERSON:
            return self._first_person(mention)
        if mention.kind is MentionKind.RELATION:
            return self._related_values(mention, others)
        return self._anaphoric(mention, others, speaker)

    def together(self, mention: Mention) -> frozenset[str]:
        """People whom a plural pronoun can mean all at once: those of the last turn with several.
        """
        if mention.text.lower() not in lexicon.PLURAL:
            return frozenset()
        spoken_of = [(key[1] or 0.0, entity) for entity, known in self.recent.items()
                     for key in known if key[0] == "among_people"]
        nearest = min((distance for distance, _ in spoken_of), default=0.0)
        return frozenset(entity for distance, entity in spoken_of if distance == nearest)

    def suggestions(self, mention: Mention) -> tuple[str, ...]:
        """Entities whose names come near an unknown one, the nearest first."""
        near = [(features.jaro_winkler, entry) for entry, features in self._entries(mention)]
        near.sort(key=lambda each: (-each[0], each[1].entities[0]))
        names: dict[str, str] = {}
        for similarity, entry in near:
            if similarity >= _SUGGEST:
                names.setdefault(entry.name, entry.entities[0])
        return tuple(names.values())[:_MOST_SUGGESTED]

    # --- names

    def _entries(self, mention: Mention) -> list[tuple[NameEntry, PairFeatures]]:
        """The names that a mention can be, with how they compare."""
        found = self.index.lookup(mention.name, mention.types, MOST_NAMES)
        if found.omitted:
            self.notes.append(f"only {len(found.entries)} of {len(found.entries) + found.omitted} "
                              f"names like “{mention.name}” were considered")
        return list(zip(found.entries, name_features(mention.name, found.entries, self.index),
                        strict=True))

    def _named(self, mention: Mention, others: Collection[str]) -> list[Candidate]:
        found: dict[str, Candidate] = {}
        for entry, features in self._entries(mention):
            evidence = self._string_evidence(features)
            for entity in self._entities(entry):
                found[entity.id] = Candidate(entity, {
                    **evidence, ("named", None): 1.0, ("type_agrees", None): 1.0,
                    RELATED: self._is_then(entity)},
                    frozenset(each for each in others
                              if are_related(self.kb, entity.id, each)))
        return list(found.values())

    def _entities(self, entry: NameEntry) -> list[Entity]:
        """The entities of a name; of events those that can be meant at this time."""
        entities = [self.kb.entity(each) for each in entry.entities]
        events = [each for each in entities if isinstance(each, Event)]
        return [*self._occurrences(events)] if events else entities

    def _string_evidence(self, features: PairFeatures) -> dict[Evidence, float]:
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

    def _is_then(self, entity: Entity) -> float:
        """Whether it is an event on a day that the turn speaks of."""
        return float(isinstance(entity, Event) and any(window.date in entity.days()
                                                       for window in self.windows))

    def _occurrences(self, events: list[Event]) -> list[Event]:
        """Of a name's events those that can be meant: single ones, and of each recurring event
        the occurrences on a day spoken of, else the next one. Of very many single events those on
        a day spoken of and the nearest.
        """
        spoken_of = {event.id: event for event in self._spoken_of(events)}
        series = {event.series for event in spoken_of.values()}
        single = []
        coming = {}
        for event in events:
            if not self.kb.is_recurring(event):
                single.append(event)
            elif event.series not in series:
                series.add(event.series)
                coming[event.series] = self.kb.next_occurrence(event, self.now)
        single = [event for event in single if event.id not in spoken_of]
        most = max(0, MOST_NAMESAKES - len(spoken_of) - len(coming))
        if len(single) > most:
            self.notes.append(f"only {MOST_NAMESAKES} of {len(events)} events called "
                              f"“{events[0].name}” were considered, the nearest in time")
            single = self._nearest(single, most)
        return [*spoken_of.values(), *single, *coming.values()]

    def _spoken_of(self, events: list[Event]) -> list[Event]:
        """The events at a time or on a day that the turn speaks of."""
        return [event for event in events if any(
            window.overlaps(event.start, event.end) or window.date in event.days()
            for window in self.windows)]

    def _nearest(self, events: list[Event], most: int) -> list[Event]:
        """The next events, and if there are too few the last ones before them."""
        now = bisect_left(events, self.now, key=lambda event: event.start)
        coming = events[now:now + most]
        return [*events[max(0, now - (most - len(coming))):now], *coming]

    # --- what refers in other ways

    def _first_person(self, mention: Mention) -> list[Candidate]:
        if not self.user:
            return []
        entity = self.kb.entity(self.user[0])
        return [Candidate(entity, {("first_person", None): 1.0,
                                   ("type_agrees", None): self._agrees(mention, entity),
                                   ("is_speaker", None): self.user[1]})]

    def _related_values(self, mention: Mention, owners: Collection[str]) -> list[Candidate]:
        """Values of the relation for what the possessor, said or understood, may mean."""
        supporters: dict[str, set[str]] = {}
        for owner in owners:
            for value in relation_values(self.kb, mention.relation, owner):
                supporters.setdefault(value, set()).add(owner)
        known: dict[str, float] = {}
        if not supporters and mention.possessor is None:
            # "The organiser", of what the turns before were about.
            for owner, evidence in self.recent.items():
                values = relation_values(self.kb, mention.relation, owner)
                if values:
                    recent = self.circuit.probability({
                        **evidence, ("anaphoric", None): 1.0, ("type_agrees", None): 1.0})
                    for value in values:
                        known[value] = max(known.get(value, 0.0), recent)
        return [Candidate(self.kb.entity(value), {
            ("relational", None): 1.0, ("type_agrees", None): 1.0,
            VALUE_OF_POSSESSOR: known.get(value, 0.0)}, frozenset(supporters.get(value, ())))
            for value in dict.fromkeys([*supporters, *known])]

    def _anaphoric(self, mention: Mention, before: Collection[str],
                   speaker: Collection[str]) -> list[Candidate]:
        plural = float(mention.text.lower() in lexicon.PLURAL)
        # Who speaks says "I", not "she".
        itself = {*speaker, *([self.user[0]] if self.user else [])}
        found = []
        for each in dict.fromkeys([*self.recent, *before]):
            if each in itself or each not in self.kb:
                continue
            entity = self.kb.entity(each)
            found.append(Candidate(entity, {
                ("anaphoric", None): 1.0, ("type_agrees", None): self._agrees(mention, entity),
                ("plural", None): plural, **self.recent.get(each, {})},
                frozenset({each}.intersection(before))))
        return found

    @staticmethod
    def _agrees(mention: Mention, entity: Entity) -> float:
        return float(not mention.types
                     or entity.type in mention.types)
