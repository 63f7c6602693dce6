"""A fifth of the replies that score the claim check; ``benchmarks/claim_checking.py`` has all."""

from __future__ import annotations

import pytest
from support.claimed_replies import ClaimedReply, GivenForms, ReplyJudge

from frontdesk.agent.domains.domain_registry import DEFAULT
from frontdesk.agent.sessions.load_components import load_meaning
from frontdesk.generation.checks.claim_check import ClaimCheck
from frontdesk.generation.checks.graph_check import GraphVerdict

REPLIES = ClaimedReply.read()[::5]
TRUE = [each for each in REPLIES if not each.false]
FALSE = [each for each in REPLIES if each.false]


@pytest.fixture(scope="module")
def judge():
    return ReplyJudge()


def is_proved(judge: ReplyJudge, reply: ClaimedReply) -> bool:
    """Whether what a reply claims is proved where its sentences are read rightly."""
    return GraphVerdict.of(judge.judge(reply, ClaimCheck(GivenForms(REPLIES))).claims).passed


@pytest.mark.parametrize("reply", TRUE, ids=lambda each: each.reply)
def test_what_is_so_is_proved(judge, reply):
    assert is_proved(judge, reply)


@pytest.mark.parametrize("reply", FALSE, ids=lambda each: each.reply)
def test_what_is_false_in_one_thing_is_not(judge, reply):
    assert not is_proved(judge, reply)


@pytest.mark.parametrize(("event", "room"), [
    ("hiring interview", "Horse"), ("hiring brainstorm", "Gorse"), ("roadmap event", "Sorrel")])
def test_a_name_that_is_only_like_one_that_is_known_is_not_said(judge, event, room):
    reply = ClaimedReply("Where is the hiring interview?", f"The {event} is in {room}.", "entity",
                         f'(inform (location (event "{event}") (room "{room}")))')
    assert not judge.judge(reply, ClaimCheck(GivenForms([reply]))).passed


@pytest.mark.understood(0.8)
@pytest.mark.parametrize("reply", TRUE, ids=lambda each: each.reply)
def test_a_true_reply_is_read_and_proved(judge, reply):
    parsed = ClaimCheck(load_meaning("", DEFAULT.schema).parser)
    assert GraphVerdict.of(judge.judge(reply, parsed).claims).passed


@pytest.mark.understood(0.9)
@pytest.mark.parametrize("reply", FALSE, ids=lambda each: each.reply)
def test_a_false_reply_is_not_said(judge, reply):
    assert not judge.judge(reply, ClaimCheck(load_meaning("", DEFAULT.schema).parser)).passed
