from __future__ import annotations

import pytest

from frontdesk.kg.graph.schema import ORGANISATION, ArgumentType, Predicate

QUIET = Predicate("quiet", (ArgumentType.ROOM,), "{0} is quiet.", ("Is the room quiet?",),
                  ("quiet",), derived=True, polarity=1)


def test_extended_schema_has_all_predicates_and_leaves_the_first_as_it_was():
    schema = ORGANISATION.extended([QUIET])
    assert schema["quiet"] is QUIET
    assert len(schema) == len(ORGANISATION) + 1
    assert schema.answer_types == ORGANISATION.answer_types
    assert "quiet" not in ORGANISATION


def test_extended_schema_has_one_predicate_of_a_name():
    with pytest.raises(ValueError, match="two predicates 'quiet'"):
        ORGANISATION.extended([QUIET, QUIET])
    with pytest.raises(ValueError, match="two predicates 'email'"):
        ORGANISATION.extended([ORGANISATION["email"]])
