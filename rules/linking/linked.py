"""Mentions with what they refer to: the outcome of linking."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import overload

from frontdesk.kg.graph.dialogue_graph import CHOSEN, Link
from frontdesk.kg.graph.facts import Provenance
from frontdesk.kg.graph.mentions import Mention
from frontdesk.rules.linking.linking_program import Evidence
from frontdesk.rules.linking.possible_worlds import Referents, World, Worlds, together

#: Links by it are those of ``linking.pl``.
RULE = "linking.pl:refers_to/2"
#: Of what the user chose: the answer may have been misread.
CHOSEN_PROBABILITY = 0.95
#: A candidate ties with the best while the best is at most this many times as probable.
TIE = 1.5


@dataclass(frozen=True)
class LinkedMention:
    """A mention with what it refers to.

    Args:
        node: Node id of the mention in the dialogue graph.
        links: The accepted referents, the most probable first.
        suggestions: For a name that no entity has: similar entities, "did you mean".
        ranked: Every entity considered with its probability in (0, 1], the most probable first,
            whether or not it was accepted; at most 25.
        evidence: Of the entities in ``ranked``: the evidence that ``linking.pl`` judged them by,
            each piece with its probability.
        heard: The name in each hypothesis of a recogniser that has the mention; empty for one that
            was typed.
    """

    node: str
    mention: Mention
    links: tuple[Link, ...] = ()
    suggestions: tuple[str, ...] = ()
    ranked: tuple[tuple[str, float], ...] = ()
    evidence: Mapping[str, Mapping[Evidence, float]] = field(default_factory=dict, repr=False)
    heard: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The name, as each hypothesis has it."""
        return self.heard or (self.mention.name,)

    def share(self, link: Link) -> float:
        """P(link | the mention refers to one of its links), in (0, 1]."""
        return link.probability / sum(each.probability for each in self.links)

    @property
    def best(self) -> tuple[Link, ...]:
        """The referents that are as good as the best one."""
        return tuple(link for link in self.links
                     if TIE * link.probability >= self.links[0].probability)


@dataclass(frozen=True)
class LinkedTurn(Sequence[LinkedMention]):
    """The mentions of a turn, linked, in their order.

    Args:
        readings: What they mean together, in each reading of what was said, with the probability
            of the reading; a typed turn has one.
        notes: What was left out, in words.
    """

    mentions: tuple[LinkedMention, ...] = ()
    readings: tuple[tuple[float, Worlds], ...] = field(default=(), repr=False)
    notes: tuple[str, ...] = ()

    @classmethod
    def independent(cls, mentions: Sequence[LinkedMention]) -> LinkedTurn:
        """Mentions that do not depend on each other, each meaning one of its links.

        Links that are surer than that allows are meant at once.
        """
        worlds = Worlds()
        for position, linked in enumerate(mentions):
            links = {link.entity: link.probability for link in linked.links}
            meanings = together(links) if sum(links.values()) > 1 else {
                frozenset({entity}): probability for entity, probability in links.items()}
            worlds.add(position, (), partial(_everywhere, meanings))
        return cls(tuple(mentions), ((1.0, worlds),))

    def meant(self, entities: Collection[str]) -> float:
        """P(every one of some entities is meant by some mention of the turn), in [0, 1]."""
        return sum(weight * worlds.probability(entities) for weight, worlds in self.readings)

    def within(self, kb: Container[str]) -> LinkedTurn:
        """The same without links to what a knowledge base does not have any more."""
        return replace(self, mentions=tuple(
            replace(each, links=tuple(link for link in each.links if link.entity in kb))
            for each in self.mentions))

    @overload
    def __getitem__(self, index: int) -> LinkedMention: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[LinkedMention]: ...

    def __getitem__(self, index: int | slice) -> LinkedMention | Sequence[LinkedMention]:
        return self.mentions[index]

    def __len__(self) -> int:
        return len(self.mentions)

    def __iter__(self) -> Iterator[LinkedMention]:
        return iter(self.mentions)


def chosen_link(node: str, mention: Mention, entity: str) -> LinkedMention:
    """A mention that the user, asked which entity was meant, has said the meaning of."""
    link = Link(node, mention.text, entity, CHOSEN_PROBABILITY,
                Provenance(CHOSEN, ("the user chose it",)))
    return LinkedMention(node, mention, (link,), (), ((entity, CHOSEN_PROBABILITY),))


def _everywhere(meanings: Mapping[Referents, float],
                worlds: Sequence[World]) -> list[Mapping[Referents, float]]:
    return [meanings for _ in worlds]
