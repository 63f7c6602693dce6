"""Replies about the demo organisation of which it is known whether they are true."""

from __future__ import annotations

import datetime as dt
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self, cast

from frontdesk.agent import Agent, load_organisation
from frontdesk.agent.domains.query_answering import QueryAnswering
from frontdesk.agent.settings.settings import EmbeddedSettings, Settings
from frontdesk.agent.turn.pipeline import run_stages, upto
from frontdesk.agent.turn.turn_state import TurnInputs, TurnState
from frontdesk.generation.checks.claim_check import ClaimCheck
from frontdesk.generation.checks.claims import Claim
from frontdesk.generation.checks.graph_check import GraphVerdict
from frontdesk.kg.graph.dialogue_graph import DialogueGraph, Hypothesis
from frontdesk.kg.graph.logical_forms import Form, Span, read_forms
from frontdesk.kg.parser.parser_input import ParserInput
from frontdesk.kg.parser.trained_parser import ParsedForms

from . import ROOT

PATH = ROOT / "tests" / "samples" / "claimed_replies.jsonl"
#: When they are said.
NOW = "2026-03-17T10:20"


@dataclass(frozen=True)
class ClaimedReply:
    """A reply to a question.

    Args:
        asked: The question.
        false: In what it is false; empty where it is true.
        forms: What it claims.
        user: The name of who asks; empty for somebody unknown.
    """

    asked: str
    reply: str
    false: str
    forms: str
    user: str = ""

    @classmethod
    def read(cls) -> list[Self]:
        """All of them, the true ones first."""
        return [cls(**json.loads(line)) for line in PATH.read_text("utf-8").splitlines()]


class GivenForms:
    """A parser that is told what replies claim; of each sentence all of it."""

    def __init__(self, replies: Sequence[ClaimedReply]) -> None:
        self._forms = {each.reply: each.forms for each in replies}

    def parse(self, each: ParserInput) -> list[ParsedForms]:
        """The only reading."""
        found = next(forms for reply, forms in self._forms.items() if each.utterance in reply)
        return [ParsedForms(tuple(_placed(form, each.utterance) for form in read_forms(found)),
                            1.0)]


def _placed(form: Form, said: str) -> Form:
    """A form with the places of its words, where they stand in a sentence."""
    return Form(form.head, tuple(
        _placed(each, said) if isinstance(each, Form)
        else Span(each.text, start := said.find(each.text), start + len(each.text))
        if isinstance(each, Span) else each for each in form.arguments))


@dataclass(frozen=True)
class Judgement:
    """What the checks say of a reply.

    Args:
        graph: The graph check alone.
        milliseconds: What reading and proving the claims took.
    """

    graph: GraphVerdict
    claims: tuple[Claim, ...]
    milliseconds: float

    @property
    def passed(self) -> bool:
        """Whether a generator may say it."""
        return GraphVerdict.of((*self.graph.claims, *self.claims)).passed


class ReplyJudge:
    """Judges replies in the dialogue that they belong to."""

    def __init__(self) -> None:
        kb = load_organisation(now=NOW).kb
        self.now = dt.datetime.fromisoformat(NOW).replace(tzinfo=kb.timezone)
        self.agent = Agent(kb, Settings(embedded=EmbeddedSettings(words="templates")),
                           clock=lambda: self.now)

    def judge(self, reply: ClaimedReply, check: ClaimCheck) -> Judgement:
        """What the graph check and the claim check say of it."""
        state = self._asked(reply)
        domain, request = state.visible.domain, state.ranked.request
        graph = domain.check.check(
            reply.reply, state.ranked.knowledge, now=self.now, said=reply.asked,
            spoken_of={link.entity for linked in request.links for link in linked.links},
            asked=request.observation.windows())
        answers = state.answered.answers if state.answered is not None else ()
        began = time.perf_counter()
        prover = cast("QueryAnswering", domain.queries).claims(
            state.inputs.dialogue, answers, now=self.now, speaker=state.user,
            tells=state.visible.tells)
        claims = check.check(reply.reply, state.ranked.knowledge, prover)
        return Judgement(graph, claims, 1000 * (time.perf_counter() - began))

    def _asked(self, reply: ClaimedReply) -> TurnState:
        """A turn before the reply to it."""
        dialogue = DialogueGraph()
        session = self.agent.session(dialogue)
        if reply.user:
            session.reply(f"I am {reply.user}.")
        state = TurnState(TurnInputs(dialogue, [Hypothesis(reply.asked)], self.now,
                                     self.agent.access))
        run_stages(upto(self.agent.stages(), "rank"), state)
        return state
