"""What a generator says is shown only when it is so: whole turns, the wording given."""

from __future__ import annotations

import pytest

from frontdesk.agent import Agent
from frontdesk.generation.voice.generator import GeneratedReply, GenerationInput
from frontdesk.scoring.ranked_fact import RankedFact

from ..templates import TEMPLATES
from .guarded_replies import BESIDE, CASES, KB, NOW


class Says:
    """A generator that says what it is told to, with every fact of the prompt and more in use."""

    name = "says"

    def __init__(self) -> None:
        self.text = ""

    def generate(self, request: GenerationInput) -> GeneratedReply:
        assert request.verbaliser is not None
        there = {ranked.fact for ranked in request.knowledge}
        beside = [RankedFact(fact, request.verbaliser.say(fact), 0.1) for fact in BESIDE
                  if fact not in there]
        return GeneratedReply(self.text, (*request.knowledge, *beside))


@pytest.fixture(scope="module")
def shown(encoder):
    """Whether the reply of a generator is what the user sees."""
    says = Says()
    agent = Agent(KB, TEMPLATES, clock=lambda: NOW, generator=says, encoder=encoder)

    def run(question: str, text: str) -> bool:
        says.text = text
        reply = agent.session().reply(question)
        assert (reply.text == text) == (reply.generator == says.name)
        return reply.text == text
    return run


#: True, and refused.
UNSURE = ("No, Ines Okafor is busy: the lens workshop.",
          "Sorry, no, Ines is busy because of the lens workshop.",
          "That would be Ines Okafor.")


@pytest.mark.parametrize(("question", "reply"), [
    pytest.param(case.question, reply, marks=[pytest.mark.xfail(
        reason="the parser is not sure what it says")] if reply in UNSURE else [])
    for case in CASES for reply in case.true])
def test_what_is_so_is_shown(shown, question, reply):
    assert shown(question, reply)


@pytest.mark.parametrize(("question", "reply"), [
    (case.question, reply) for case in CASES for reply in case.false])
def test_what_is_not_so_is_not_shown(shown, question, reply):
    assert not shown(question, reply)
