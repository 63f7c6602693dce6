"""Fixtures of the acting tests."""

from __future__ import annotations

import pytest

from ...templates import TEMPLATES
from .offices import Office


@pytest.fixture
def office(encoder) -> Office:
    """A receptionist who does not know yet who speaks."""
    return Office(TEMPLATES, encoder)


@pytest.fixture
def ines(encoder) -> Office:
    """A receptionist who is spoken with by Ines Okafor."""
    return Office(TEMPLATES, encoder, speaker="ines")
