"""Whose office is meant."""

from __future__ import annotations

import pytest

from frontdesk.agent.understanding.offices import with_owned_offices
from frontdesk.kg.graph.logical_forms import Form, Span


@pytest.mark.parametrize(("place", "said"), [
    (Span("Bo's office", 10, 21), (10, 12)), (Span("the Bo's office", 6, 21), (6, 12)),
    (Span("Bo's office"), (-1, -1))])
def test_the_owner_of_an_office_stands_where_it_was_said(place, said):
    (span,) = with_owned_offices(Form("venue", (Form("thing", (place,)),))).spans()
    assert (span.start, span.end) == said
