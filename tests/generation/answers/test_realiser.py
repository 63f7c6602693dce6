from __future__ import annotations

import pytest

from frontdesk.generation.answers.realiser import Realiser
from frontdesk.generation.voice.generator import ScoringGenerator

from ..voice.contract import GeneratorContract


class TestRealiser(GeneratorContract):
    @pytest.fixture
    def generator(self):
        return Realiser()

    def test_does_not_score_replies(self, generator):
        assert not isinstance(generator, ScoringGenerator)
