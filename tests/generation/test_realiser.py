from __future__ import annotations

import pytest

from frontdesk.generation.realiser import Realiser

from .contract import GeneratorContract


class TestRealiser(GeneratorContract):
    @pytest.fixture
    def generator(self):
        return Realiser()
