from __future__ import annotations

import pytest

from frontdesk.generation.generator import ScoringGenerator
from frontdesk.generation.realiser import Realiser

from .contract import GeneratorContract


class TestRealiser(GeneratorContract):
    @pytest.fixture
    def generator(self):
        return Realiser()

    def test_does_not_score_replies(self, generator):
        assert not isinstance(generator, ScoringGenerator)
