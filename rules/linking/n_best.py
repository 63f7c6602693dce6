"""Linking over the n-best list of a speech recogniser: which hypothesis is right is uncertain.

The hypotheses of an utterance are an annotated disjunction: one of them was said, the first with
the recogniser's confidence::

    0.9::said(h1); 0.05::said(h2); 0.05::said(h3).
    refers_to(M, E) :- said(H), mention(H, M), refers_to_in(H, M, E).

The hypotheses exclude each other, so a link's probability is the sum over the hypotheses of
P(h) * P(link | h), and a mention is as sure as the hypotheses that have it.
"""

from __future__ import annotations

import datetime as dt
import difflib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from frontdesk.kg.graph.dialogue_graph import DialogueGraph, Hypothesis, Link
from frontdesk.kg.graph.facts import Provenance
from frontdesk.kg.graph.mentions import Mention, MentionDetector, MentionKind, Observation
from frontdesk.kg.names.name_index import Word, split_words
from frontdesk.rules.linking.linked import LinkedMention, LinkedTurn
from frontdesk.rules.linking.linking_program import Evidence
from frontdesk.rules.linking.possible_worlds import Worlds

#: Of the first hypothesis where the recogniser gives no confidence.
DEFAULT_CONFIDENCE = 0.9
#: A recogniser's confidence in its first hypothesis is too high where it offers others: measured
#: on the GraphWOZ development split, 0.92 on average, while of the turns in which any hypothesis
#: is right word by word the first one is in 0.71, the second in 0.16, the third in 0.08.
TRUST = 0.75
#: How probable each hypothesis but the first is, compared with the one before it.
FALL = 0.5
#: Of the premise that a mention was said: ``0.75::said``.
SAID = "::said"
#: Hypotheses that are read, the first ones.
MOST_HYPOTHESES = 10


class MentionLinker(Protocol):
    """Links mentions; :class:`frontdesk.rules.linking.linking.Linker` is one."""

    def link(self, graph: DialogueGraph, turn: str, observation: Observation,
             nodes: Sequence[str], *, now: dt.datetime,
             chosen: Mapping[int, str] | None = None) -> LinkedTurn:
        """What the mentions of a turn refer to."""
        ...


@dataclass(frozen=True)
class HeardMention:
    """A mention in some of the hypotheses of an utterance.

    Args:
        mention: As the most probable hypothesis that has it says it; its offsets are where that
            is in the first hypothesis, its probability how surely it was said.
        links: Entities with P(the mention was said and refers to them), the most probable first.
        hypotheses: Indices of the hypotheses that have it.
        said: P(a hypothesis that has it was said), in (0, 1].
        readings: The mention as each of these hypotheses has it, linked.
        said_of: Of each entity P(a hypothesis in which the mention refers to it was said); the
            same as ``said`` where there is none.
    """

    mention: Mention
    links: tuple[tuple[str, float], ...]
    hypotheses: tuple[int, ...]
    said: float = 1.0
    readings: tuple[LinkedMention, ...] = ()
    said_of: Mapping[str, float] = field(default_factory=dict)

    def linked(self, node: str) -> LinkedMention:
        """The mention with its links, each as probable as it was said and refers so.

        Args:
            node: Node id of the mention in the dialogue graph.
        """
        found: dict[str, tuple[Link, Mapping[Evidence, float]]] = {}
        for each in self.readings:
            for link in each.links:
                found.setdefault(link.entity, (link, each.evidence.get(link.entity, {})))
        links = tuple(replace(found[entity][0], mention=node,
                              probability=probability, provenance=self._provenance(
                                  entity, found[entity][0].provenance))
                      for entity, probability in self.links)
        suggestions = next((each.suggestions for each in self.readings if each.suggestions), ())
        return LinkedMention(node, self.mention, links, () if links else suggestions, self.links,
                             {entity: found[entity][1] for entity, _ in self.links},
                             tuple(each.mention.name for each in self.readings))

    def _provenance(self, entity: str, provenance: Provenance) -> Provenance:
        probability = self.said_of.get(entity, self.said)
        said = (f"{probability:.2f}{SAID}",) if probability < 1 else ()
        return replace(provenance, premises=provenance.premises + said)


@dataclass(frozen=True)
class HeardTurn:
    """An utterance of which several readings were heard.

    Args:
        mentions: The mentions of all hypotheses, in the order of their place.
        readings: What the mentions of each hypothesis mean together, with P(hypothesis).
        notes: What was left out, in words.
    """

    observation: Observation
    mentions: tuple[HeardMention, ...]
    readings: tuple[tuple[float, Worlds], ...] = field(repr=False)
    notes: tuple[str, ...] = ()

    def linked(self, nodes: Sequence[str]) -> LinkedTurn:
        """The mentions, linked; ``nodes`` are theirs in the dialogue graph."""
        return LinkedTurn(tuple(each.linked(node)
                                for each, node in zip(self.mentions, nodes, strict=True)),
                          self.readings, self.notes)


def hypothesis_weights(hypotheses: Sequence[Hypothesis]) -> list[float]:
    """P(h was said) of each hypothesis; the sum is 1.

    The first has the recogniser's confidence times :data:`TRUST`; the rest is shared by the others,
    each half as probable as the one before. Hypotheses that all carry a confidence are weighted by
    it, and a single one is certain.

    Args:
        hypotheses: The best first, at least one. A confidence outside [0, 1] counts as the nearest
            in it, one that is no number as none.

    Example:
        >>> weights = hypothesis_weights([Hypothesis("a", 0.8), Hypothesis("b"), Hypothesis("c")])
        >>> [round(each, 3) for each in weights]
        [0.6, 0.267, 0.133]
    """
    if len(hypotheses) == 1:
        return [1.0]
    confidences = [_confidence(each) for each in hypotheses]
    stated = [each for each in confidences if each is not None]
    if len(stated) == len(hypotheses) and sum(stated) > 0:
        return [each / sum(stated) for each in stated]
    best = TRUST * (DEFAULT_CONFIDENCE if confidences[0] is None else confidences[0])
    shares = [FALL ** rank for rank in range(len(hypotheses) - 1)]
    # However unsure the recogniser is, the list is in the order of its preference.
    best = max(best, 1 / (1 + sum(shares)))
    return [best, *((1 - best) * share / sum(shares) for share in shares)]


def _confidence(hypothesis: Hypothesis) -> float | None:
    confidence = hypothesis.confidence
    if confidence is None or math.isnan(confidence):
        return None
    return min(max(confidence, 0.0), 1.0)


@dataclass(frozen=True)
class ReadHypotheses:
    """What was read from the hypotheses of an utterance.

    Args:
        observations: Of each that may have been said, the likeliest first.
        probabilities: P(hypothesis), in the same order; the sum is 1.
        notes: What was left out, in words.
    """

    observations: tuple[Observation, ...]
    probabilities: tuple[float, ...]
    notes: tuple[str, ...] = ()


def read_hypotheses(detector: MentionDetector, given: Sequence[Hypothesis], *, now: dt.datetime,
                    focus: Sequence[dt.date] = (), weights: Sequence[float] | None = None,
                    first: Observation | None = None) -> ReadHypotheses:
    """Find the mentions of all hypotheses of an utterance.

    Args:
        given: The hypotheses, the likeliest first, at least one.
        now: Zone-aware present.
        focus: Days talked about before.
        weights: P(h) of each hypothesis; :func:`hypothesis_weights` by default.
    """
    notes = () if len(given) <= MOST_HYPOTHESES else (
        f"only the first {MOST_HYPOTHESES} of {len(given)} hypotheses of what was said were read",)
    given = given[:MOST_HYPOTHESES]
    probabilities = weights if weights is not None else hypothesis_weights(given)
    # What cannot have been said is not read; the first is, for it is what is answered.
    kept = [place for place, each in enumerate(probabilities) if each > 0 or not place]
    return ReadHypotheses(
        tuple(first if first is not None and not place else detector.detect(
            given[place].text, now=now, focus=focus) for place in kept),
        tuple(probabilities[place] for place in kept), notes)


def link_hypotheses(linker: MentionLinker, detector: MentionDetector, graph: DialogueGraph,
                    turn: str, *, now: dt.datetime, focus: Sequence[dt.date] = (),
                    weights: Sequence[float] | None = None) -> HeardTurn:
    """Find and link the mentions of all hypotheses of a turn of a dialogue.

    See :func:`read_hypotheses` and :func:`link_read`.
    """
    read = read_hypotheses(detector, graph.hypotheses(turn), now=now, focus=focus,
                           weights=weights)
    return link_read(linker, read, graph, turn, now=now)


def link_read(linker: MentionLinker, read: ReadHypotheses, graph: DialogueGraph, turn: str, *,
              now: dt.datetime) -> HeardTurn:
    """Link the mentions of all hypotheses of a turn.

    Mentions of different hypotheses are one where they stand at the same place of the utterance,
    word by word aligned with the first hypothesis, and are names both or neither.

    Args:
        linker: Links the mentions of each hypothesis.
        graph: The dialogue. Not changed.
        turn: Id of the turn, of the dialogue or its next one.
        now: Zone-aware present.
    """
    turns = []
    for index, observation in enumerate(read.observations):
        nodes = [f"{turn}.h{index + 1}.m{number}"
                 for number, _ in enumerate(observation.mentions, start=1)]
        turns.append(linker.link(graph, turn, observation, nodes, now=now))
    pivot = split_words(read.observations[0].text)
    groups: list[_Group] = []
    for index, (observation, linked) in enumerate(zip(read.observations, turns, strict=True)):
        places = _places(pivot, split_words(observation.text))
        for each in linked:
            if each.mention.kind is not MentionKind.TIME:
                _add(groups, _Found(index, each, _project(each.mention, observation, places)))
    heard = [group.heard(read.probabilities, pivot) for group in groups]
    return HeardTurn(
        read.observations[0],
        tuple(sorted(heard, key=lambda each: (each.mention.start, each.mention.end))),
        tuple((probability * weight, worlds)
              for probability, linked in zip(read.probabilities, turns, strict=True)
              for weight, worlds in linked.readings),
        tuple(dict.fromkeys([*read.notes, *(note for linked in turns for note in linked.notes)])))


@dataclass(frozen=True)
class _Found:
    """A mention in a hypothesis, with its first and last word's place in the first one."""

    hypothesis: int
    linked: LinkedMention
    place: tuple[float, float]

    @property
    def is_name(self) -> bool:
        return self.linked.mention.kind is MentionKind.NAME


class _Group:
    """Mentions of different hypotheses at the same place."""

    def __init__(self, first: _Found) -> None:
        self.found = [first]

    def takes(self, found: _Found) -> bool:
        """Whether a mention of another hypothesis overlaps one of these and refers like them."""
        return self.found[0].is_name == found.is_name and all(
            each.hypothesis != found.hypothesis for each in self.found) and any(
            each.place[0] <= found.place[1] and found.place[0] <= each.place[1]
            for each in self.found)

    def heard(self, weights: Sequence[float], pivot: Sequence[Word]) -> HeardMention:
        links: dict[str, float] = {}
        said_of: dict[str, float] = {}
        for each in self.found:
            for link in each.linked.links:
                weight = weights[each.hypothesis]
                if weight * link.probability > 0:
                    links[link.entity] = links.get(link.entity, 0.0) + weight * link.probability
                    said_of[link.entity] = min(1.0, said_of.get(link.entity, 0.0) + weight)
        ordered = sorted(self.found, key=lambda each: (-weights[each.hypothesis],
                                                       each.hypothesis))
        best = ordered[0]
        said = min(1.0, sum(weights[each.hypothesis] for each in self.found))
        mention = best.linked.mention
        if best.hypothesis:
            words = [word for position, word in enumerate(pivot)
                     if best.place[0] <= position <= best.place[1]]
            start = words[0].start if words else 0
            mention = replace(mention, start=start, end=words[-1].end if words else start)
        return HeardMention(
            replace(mention, probability=mention.probability * said, possessor=None),
            tuple(sorted(links.items(), key=lambda item: (-item[1], item[0]))),
            tuple(each.hypothesis for each in self.found), said,
            tuple(each.linked for each in ordered), said_of)


def _add(groups: list[_Group], found: _Found) -> None:
    group = next((each for each in groups if each.takes(found)), None)
    if group is None:
        groups.append(_Group(found))
    else:
        group.found.append(found)


def _places(pivot: Sequence[Word], words: Sequence[Word]) -> list[float]:
    """For each word its position in the first hypothesis; between two where it has none."""
    places = [0.0] * len(words)
    matcher = difflib.SequenceMatcher(None, [word.text for word in pivot],
                                      [word.text for word in words], autojunk=False)
    for _, first, last, start, end in matcher.get_opcodes():
        for position in range(start, end):
            share = (position - start) / (end - start)
            places[position] = (first + int(share * (last - first)) if last > first
                                else first - 0.5)
    return places


def _project(mention: Mention, observation: Observation,
             places: Sequence[float]) -> tuple[float, float]:
    covered = [place for word, place in zip(split_words(observation.text), places, strict=True)
               if word.start < mention.end and mention.start < word.end]
    return (covered[0], covered[-1]) if covered else (-1.0, -1.0)
