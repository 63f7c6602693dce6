from __future__ import annotations

import pytest

from frontdesk.generation.checks.q2.components import (
    Relation,
    of_hypothesis_parts,
    of_premise_parts,
)

YES, UNKNOWN, NO = Relation.ENTAILMENT, Relation.NEUTRAL, Relation.CONTRADICTION


@pytest.mark.parametrize(("parts", "premise", "claim"), [
    ([YES, YES], YES, YES), ([YES, UNKNOWN], YES, UNKNOWN), ([UNKNOWN], UNKNOWN, UNKNOWN),
    ([YES, UNKNOWN, NO], YES, NO), ([UNKNOWN, NO], NO, NO), ([], UNKNOWN, UNKNOWN)])
def test_one_part_of_a_premise_is_enough_and_every_part_of_a_claim_counts(parts, premise, claim):
    assert of_premise_parts(parts) is premise
    assert of_hypothesis_parts(parts) is claim
