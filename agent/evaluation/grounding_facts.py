"""What a reply that is not ours is judged by: the facts about all that it could speak of."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from frontdesk.scoring.ranked_fact import RankedFact


def grounding_facts(known: Sequence[RankedFact], *, spoken_of: Collection[str],
                    named: Collection[str], about: Sequence[str]) -> list[RankedFact]:
    """The facts in the order in which the graph check reads them.

    Args:
        known: All facts that are stored or follow.
        spoken_of: Ids of the entities that the dialogue speaks of.
        named: Ids of those that the reply names.
        about: Ids of those that the last utterance mentions; the check takes "it" for the last.
    """
    before, there = {*spoken_of}, {*spoken_of, *named}
    return sorted((ranked for ranked in known
                   if not there.isdisjoint(ranked.fact.entities())
                   or not isinstance(next(iter(ranked.fact.arguments), 0), str)),
                  key=lambda ranked: (ranked.fact.arguments[:1] != tuple(about[-1:]),
                                      before.isdisjoint(ranked.fact.arguments[:1])))
