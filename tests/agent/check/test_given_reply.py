"""A reply that anybody gave, by itself and among the lines of a file."""

from __future__ import annotations

import pytest

from frontdesk.agent import Agent, load_organisation, load_settings
from frontdesk.agent.check.check_cases import CheckCase
from frontdesk.agent.check.checker import Checker
from frontdesk.agent.check.given_reply import check_given_reply

HISTORY = (("user", "Where is Ada?"),)
KNOWLEDGE = ("Ada is in Zeta.",)


@pytest.fixture(scope="module")
def agent():
    return Agent(load_organisation(org="demo", now="2026-03-17T10:20").kb, load_settings())


@pytest.mark.parametrize("response", ["In Zeta.", "In Eta.", "She is in Zeta."])
def test_both_ways_to_check_a_reply_agree(agent, response):
    alone = check_given_reply(agent, HISTORY, response, KNOWLEDGE)
    (line,) = Checker(agent.components.settings).check([
        CheckCase(HISTORY, KNOWLEDGE, response, "", {})])
    assert alone["q2"] == line["q2"]
    assert alone["faithfulness"] == pytest.approx(line["faithfulness"], abs=0.02)
    assert alone["faithfulness_parts"]["reader"] == pytest.approx(
        line["faithfulness_parts"]["reader"], abs=0.01)
