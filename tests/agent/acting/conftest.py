"""Fixtures of the acting tests."""

from __future__ import annotations

import pytest

from ...templates import TEMPLATES
from .offices import Office
from .told_forms import ToldOffice


@pytest.fixture
def office(encoder) -> Office:
    """A receptionist who does not know yet who speaks."""
    return Office(TEMPLATES, encoder)


@pytest.fixture
def ines(encoder) -> Office:
    """A receptionist who is spoken with by Ines Okafor."""
    return Office(TEMPLATES, encoder, speaker="ines")


@pytest.fixture
def told(encoder, monkeypatch) -> ToldOffice:
    """One who is told what utterances mean, spoken with by Ines Okafor."""
    return ToldOffice(encoder, monkeypatch)
