"""How texts that were read in parts stand to each other."""

from __future__ import annotations

from collections.abc import Collection

from frontdesk.generation.checks.q2.components import Relation


def of_premise_parts(relations: Collection[Relation]) -> Relation:
    """How a hypothesis stands to a premise whose parts it stands to so: what any entails is
    entailed, else what any contradicts is contradicted."""
    return next((each for each in (Relation.ENTAILMENT, Relation.CONTRADICTION)
                 if each in relations), Relation.NEUTRAL)


def of_hypothesis_parts(relations: Collection[Relation]) -> Relation:
    """How a hypothesis stands to a premise that its parts stand to so: all must be entailed, and
    one that is contradicted is enough."""
    if Relation.CONTRADICTION in relations:
        return Relation.CONTRADICTION
    return Relation.ENTAILMENT if set(relations) == {Relation.ENTAILMENT} else Relation.NEUTRAL
