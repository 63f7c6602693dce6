"""Senders that are killed at any moment, with servers that are down half of the time."""

from __future__ import annotations

import os

import pytest

from .kill_sender import kill_senders

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")]


@pytest.mark.parametrize(("name", "kills"), [("c.sqlite", 50), ("c.ics", 10)])
def test_notices_all_come_in_order_and_at_most_once_more_when_senders_are_killed(
        tmp_path, name, kills):
    tally = kill_senders(tmp_path / name, kills)
    assert tally.notices >= kills
    assert tally.twice, "no sender was killed between sending and noting it"
